//! Exports the builder of blocks.

use std::os::raw::c_int;

use super::answers::{answered, Answer};
use super::cut::ArticleTables;
use super::slices::slice;
use crate::block_texts::Reading;
use crate::blocks::plain::plain;
use crate::blocks::{blocks, Around, Choice, Found, Loose, Special, Style};
use crate::columns::Columns;
use crate::data_tables::DataTables;
use crate::item_numbers::item_numbers;
use crate::units::{Unit, Wide};
use crate::written::Written;

/// Numbers that say how many there are of each that follows.
const COUNTS: usize = 8;
/// Numbers of a special run or a loose element.
const SPECIAL: usize = 7;

/// What a caller chose, read from its numbers: how many spans, links, roots, special runs, loose elements, runs alone and
/// joined runs there are, and whether tables of data hold some; then those.
struct Chosen<'a> {
    numbers: &'a [i64],
    has_tables: bool,
    specials: Vec<Special>,
    loose: Vec<Loose>,
}

fn style(row: &[i64]) -> Style {
    Style { address: 0, bits: row[1] as u8, texts: [row[2] as u32, row[3] as u32, row[4] as u32] }
}

impl<'a> Chosen<'a> {
    fn counts(&self) -> [usize; COUNTS] {
        let mut counts = [0; COUNTS];
        counts.iter_mut().zip(self.numbers).for_each(|(count, &number)| *count = number as usize);
        counts
    }

    /// Where the parts begin: starts, ends, links, addresses, roots, specials, loose elements, alone, joined.
    fn part(&self, place: usize) -> &'a [i64] {
        let [spans, links, roots, specials, loose, alone, joined, _] = self.counts();
        let sizes = [spans, spans, links, links, roots, specials * SPECIAL, loose * SPECIAL, alone, joined];
        let first = COUNTS + sizes[..place].iter().sum::<usize>();
        &self.numbers[first..first + sizes[place]]
    }

    fn new(numbers: &'a [i64]) -> Self {
        let mut chosen = Chosen { numbers, has_tables: numbers[COUNTS - 1] != 0, specials: vec![], loose: vec![] };
        chosen.specials.extend(chosen.part(5).chunks_exact(SPECIAL).map(|row| Special {
            run: row[0],
            style: style(row),
            said: if row[6] < 0 { None } else { Some((row[5] as u32, row[6] as u32)) },
        }));
        chosen.loose.extend(chosen.part(6).chunks_exact(SPECIAL).map(|row| Loose {
            element: row[0],
            style: style(row),
            said: (row[5] as u32, row[6] as u32),
        }));
        chosen
    }
}

/// The blocks that chosen ranges of the text of a page make (`Answer`). Numbers: how many blocks, inlines, cells, rows of
/// texts and characters of inlines there are. Rows: those of `crate::blocks::Found`. Text: what the inlines say, then what
/// the blocks say as a whole.
#[no_mangle]
pub unsafe extern "C" fn tidings_blocks(
    columns: *const Columns,
    known: *const ArticleTables,
    numbers: *const i64,
    count: usize,
    texts: *const u32,
    texts_size: usize,
    out: *mut u64,
) -> c_int {
    let (page, known) = (&*columns, &*known);
    let (numbers, texts) = (slice(numbers, count), slice(texts, texts_size));
    answered(out, || match &page.source {
        Wide::One(units) => blocks_of(units, page, known, numbers, texts),
        Wide::Two(units) => blocks_of(units, page, known, numbers, texts),
        Wide::Four(units) => blocks_of(units, page, known, numbers, texts),
    })
}

fn blocks_of<U: Unit>(source: &[U], page: &Columns, known: &ArticleTables, numbers: &[i64], texts: &[u32]) -> Answer {
    let chosen = Chosen::new(numbers);
    let reading = Reading { page, sets: known.sets() };
    let written = Written { source, tables: known.tables() };
    let data = if chosen.has_tables { DataTables::new(&written, &reading) } else { DataTables::default() };
    let choice = Choice {
        roles: known.roles(),
        starts: chosen.part(0),
        ends: chosen.part(1),
        links: chosen.part(2),
        addresses: chosen.part(3),
        tables: &data.tables,
        roots: chosen.part(4),
        specials: &chosen.specials,
        loose: &chosen.loose,
        alone: chosen.part(7),
        joined: chosen.part(8),
        texts,
    };
    let item_numbers = item_numbers(&written, &reading);
    let around = Around { tables: known.tables(), reading: &reading, data: &data, numbers: &item_numbers };
    let mut found = blocks(source, page, &choice, &around);
    let whole = plain(&found);
    let (mut numbers, mut rows) = (Vec::new(), Vec::new());
    put_rows(&found, &mut numbers, &mut rows);
    found.text.extend(whole);
    Answer::of_text(numbers, rows, &found.text)
}

/// Put how many blocks, inlines, cells, rows of texts and characters there are, and the rows.
pub fn put_rows(found: &Found, numbers: &mut Vec<i64>, rows: &mut Vec<i32>) {
    let sizes = [found.blocks.len(), found.inlines.len(), found.cells.len(), found.texts.len(), found.text.len()];
    numbers.extend(sizes.iter().map(|&size| size as i64));
    let narrow = |&number: &i64| number as i32;
    rows.reserve(10 * sizes[0] + 3 * sizes[1] + 5 * sizes[2] + 3 * sizes[3]);
    rows.extend(found.blocks.iter().flatten().map(narrow));
    rows.extend(found.inlines.iter().flatten().map(narrow));
    rows.extend(found.cells.iter().flatten().map(narrow));
    rows.extend(found.texts.iter().flatten().map(|&number| number as i32));
}
