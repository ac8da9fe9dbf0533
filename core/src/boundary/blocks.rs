//! Exports the builder of blocks.

use std::os::raw::c_int;

use super::answers::{answered, Answer};
use super::cut::ArticleTables;
use super::slices::slice;
use crate::block_texts::Reading;
use crate::blocks::plain::plain;
use crate::blocks::{blocks, BlockInputs, BuiltBlocks, Loose, Selection, Special, Style};
use crate::columns::Columns;
use crate::data_tables::DataTables;
use crate::item_numbers::item_numbers;
use crate::units::{with_units, Unit};
use crate::written::Written;

/// Numbers that say how many there are of each that follows.
const COUNTS: usize = 8;
/// Numbers of a special run or a loose element.
const SPECIAL: usize = 7;

/// The caller's selection: the numbers of spans, links, roots, special runs, loose elements, single runs and joined runs,
/// and whether data tables have selected text; then these.
struct SelectionNumbers<'a> {
    numbers: &'a [i64],
    has_tables: bool,
    specials: Vec<Special>,
    loose: Vec<Loose>,
}

fn style(row: &[i64]) -> Style {
    Style { address: 0, bits: row[1] as u8, texts: [row[2] as u32, row[3] as u32, row[4] as u32] }
}

impl<'a> SelectionNumbers<'a> {
    fn counts(&self) -> [usize; COUNTS] {
        let mut counts = [0; COUNTS];
        counts.iter_mut().zip(self.numbers).for_each(|(count, &number)| *count = number as usize);
        counts
    }

    /// Return a part: starts, ends, links, addresses, roots, specials, loose elements, single runs, joined runs.
    fn part(&self, place: usize) -> &'a [i64] {
        let [spans, links, roots, specials, loose, alone, joined, _] = self.counts();
        let sizes = [spans, spans, links, links, roots, specials * SPECIAL, loose * SPECIAL, alone, joined];
        let first = COUNTS + sizes[..place].iter().sum::<usize>();
        &self.numbers[first..first + sizes[place]]
    }

    fn new(numbers: &'a [i64]) -> Self {
        let mut selected =
            SelectionNumbers { numbers, has_tables: numbers[COUNTS - 1] != 0, specials: vec![], loose: vec![] };
        selected.specials.extend(selected.part(5).chunks_exact(SPECIAL).map(|row| Special {
            run: row[0],
            style: style(row),
            replacement: if row[6] < 0 { None } else { Some((row[5] as u32, row[6] as u32)) },
        }));
        selected.loose.extend(selected.part(6).chunks_exact(SPECIAL).map(|row| Loose {
            element: row[0],
            style: style(row),
            replacement: (row[5] as u32, row[6] as u32),
        }));
        selected
    }
}

/// Build the blocks of a selection. Numbers: the sizes of blocks, inlines, cells, rows of texts and characters of inlines.
/// Rows: those of `crate::blocks::BuiltBlocks`. Text: that of the inlines, then the plain text of all blocks.
#[no_mangle]
pub unsafe extern "C" fn tidings_blocks(
    columns: *const Columns,
    article_tables: *const ArticleTables,
    numbers: *const i64,
    count: usize,
    texts: *const u32,
    texts_size: usize,
    out: *mut u64,
) -> c_int {
    let (page, article_tables) = (&*columns, &*article_tables);
    let (numbers, texts) = (slice(numbers, count), slice(texts, texts_size));
    answered(out, || with_units!(&page.source, units => blocks_of(units, page, article_tables, numbers, texts)))
}

fn blocks_of<U: Unit>(
    source: &[U],
    page: &Columns,
    article_tables: &ArticleTables,
    numbers: &[i64],
    texts: &[u32],
) -> Answer {
    let selected = SelectionNumbers::new(numbers);
    let reading = Reading { page, sets: article_tables.sets() };
    let written = Written { source, tables: article_tables.tables() };
    let data = if selected.has_tables { DataTables::new(&written, &reading) } else { DataTables::default() };
    let selection = Selection {
        roles: article_tables.roles(),
        starts: selected.part(0),
        ends: selected.part(1),
        links: selected.part(2),
        addresses: selected.part(3),
        tables: &data.tables,
        roots: selected.part(4),
        specials: &selected.specials,
        loose: &selected.loose,
        alone: selected.part(7),
        joined: selected.part(8),
        texts,
    };
    let item_numbers = item_numbers(&written, &reading);
    let around =
        BlockInputs { tables: article_tables.tables(), reading: &reading, data: &data, numbers: &item_numbers };
    let mut built = blocks(source, page, &selection, &around);
    let whole = plain(&built);
    let (mut numbers, mut rows) = (Vec::new(), Vec::new());
    push_rows(&built, &mut numbers, &mut rows);
    built.text.extend(whole);
    Answer::of_text(numbers, rows, &built.text)
}

/// Append the sizes of blocks, inlines, cells, rows of texts and characters, and the rows.
pub fn push_rows(built: &BuiltBlocks, numbers: &mut Vec<i64>, rows: &mut Vec<i32>) {
    let sizes = [built.blocks.len(), built.inlines.len(), built.cells.len(), built.texts.len(), built.text.len()];
    numbers.extend(sizes.iter().map(|&size| size as i64));
    let narrow = |&number: &i64| number as i32;
    rows.reserve(10 * sizes[0] + 3 * sizes[1] + 5 * sizes[2] + 3 * sizes[3]);
    rows.extend(built.blocks.iter().flatten().map(narrow));
    rows.extend(built.inlines.iter().flatten().map(narrow));
    rows.extend(built.cells.iter().flatten().map(narrow));
    rows.extend(built.texts.iter().flatten().map(|&number| number as i32));
}
