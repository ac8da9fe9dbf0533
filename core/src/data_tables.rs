//! Tables of data in a fragment (`tidings.article.tables`), and what they say: rows on lines of their own, with bars between
//! cells.

use crate::block_texts::{Reading, CELL, CROWD, HEADER, ROW, STRUCTURE, TABLE, TITLE_OF_TABLE};
use crate::blocks::{Found, KIND_TABLE};
use crate::needles::Word;
use crate::units::{is_space, Unit};

/// What stands between two cells.
const BAR: &str = " | ";

/// The tables of data of a fragment.
#[derive(Default)]
pub struct DataTables {
    /// Their elements, in order.
    pub tables: Vec<i64>,
    /// Of all their cells in order: the table, the cell, the element that it has its row from.
    cells: Vec<[usize; 3]>,
    /// Of each, whether it is a header.
    is_header: Vec<bool>,
    /// Whether one may take more than a column or a row.
    has_spans: bool,
}

/// What blocks say some of which are tables.
#[derive(Default)]
pub struct ToldTables {
    pub codes: Vec<u32>,
    /// Of each block: the end of its text.
    pub ends: Vec<usize>,
    /// Of each table: its place among the blocks, and the characters that were put between cells.
    pub between: Vec<(usize, usize)>,
    /// Of each table, what `ToldCells` says.
    pub cells: Vec<ToldCells>,
}

/// The cells of a table, of rows in which some cell has a text.
pub struct ToldCells {
    /// Of each cell: four times the inlines up to its end, two more if it begins a row, one more if it is a header.
    pub rows: Vec<i64>,
    /// Whether one may take more than a column or a row.
    pub has_spans: bool,
}

/// The cells of the tables of a page that are tables of data unless they say that they are none, in order: of each the
/// table, the cell, and the element that it has its row from.
pub fn data_cells(reading: &Reading) -> Vec<i64> {
    let elements = reading.page.tag().len();
    if (1..elements).filter(|&element| reading.is(element, CELL)).take(2).count() < 2 {
        return Vec::new();
    }
    let table = reading.nearest(TABLE);
    let row = reading.nearest(ROW);
    let good = good_tables(reading, &table, &row);
    let mut found = Vec::new();
    for element in (1..elements).filter(|&element| reading.is(element, CELL)) {
        let around = reading.parent(element);
        if good[table[around]] {
            found.extend([table[around], element, row[around]].map(|one| one as i64));
        }
    }
    found
}

impl DataTables {
    /// Nothing if a table may say that it is none.
    pub fn new<U: Unit>(source: &[U], reading: &Reading) -> Option<Self> {
        let elements = reading.page.tag().len();
        if !(1..elements).any(|element| reading.is(element, TABLE)) {
            return Some(DataTables::default());
        }
        let table = reading.nearest(TABLE);
        let row = reading.nearest(ROW);
        let good = good_tables(reading, &table, &row);
        let tag = |element: usize| {
            let at = 2 * reading.page.opened()[element] as usize;
            &source[reading.page.bounds()[at + 1] as usize..reading.page.bounds()[at + 2] as usize]
        };
        let mut found = DataTables::default();
        for element in (1..elements).filter(|&element| good[element]) {
            if Word::new(b"role").is_in(tag(element)) {
                return None;
            }
            found.tables.push(element as i64);
        }
        if found.is_empty() {
            return Some(found);
        }
        for element in (1..elements).filter(|&element| reading.is(element, CELL)) {
            let around = table[reading.parent(element)];
            if good[around] {
                found.cells.push([around, element, row[reading.parent(element)]]);
                found.is_header.push(reading.is(element, HEADER));
                found.has_spans |= Word::new(b"span").is_in(tag(element));
            }
        }
        Some(found)
    }

    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// What blocks say; nothing if one is preformatted, or a cell is told twice.
    pub fn told(&self, found: &Found) -> Option<ToldTables> {
        let mut told = ToldTables::default();
        let (mut inline, mut piece) = (0, 0);
        let end_of = |inline: i64| if inline == 0 { 0 } else { found.inlines[inline as usize - 1][0] as usize };
        for (place, block) in found.blocks.iter().enumerate() {
            let (last, behind) = (block[5], block[6] as usize);
            if behind == piece {
                told.codes.extend_from_slice(&found.text[end_of(inline)..end_of(last)]);
            } else if block[0] == KIND_TABLE {
                let size = told.codes.len();
                told.cells.push(self.cells_of(block[9] as usize, &found.pieces[piece..behind], inline)?);
                let mut from = end_of(inline);
                let mut said = 0;
                for (number, &cell) in told.cells.last()?.rows.iter().enumerate() {
                    if number > 0 && cell & 2 > 0 {
                        told.codes.push(u32::from(b'\n'));
                    } else if number > 0 {
                        told.codes.extend(BAR.bytes().map(u32::from));
                    }
                    let end = end_of(cell >> 2).max(from);
                    let text = found.text[from..end].iter();
                    told.codes.extend(text.map(|&code| if is_space(code) { u32::from(b' ') } else { code }));
                    said += end - from;
                    from = end;
                }
                told.between.push((place, told.codes.len() - size - said));
            } else {
                return None;
            }
            told.ends.push(told.codes.len());
            (inline, piece) = (last, behind);
        }
        Some(told)
    }

    /// The cells of a table of which pieces tell how far the inlines of some go: those of rows with a text.
    fn cells_of(&self, table: usize, pieces: &[[i64; 4]], first: i64) -> Option<ToldCells> {
        let mut known: Vec<(usize, i64, i64)> = Vec::with_capacity(pieces.len());
        let mut from = first;
        for &[cell, behind, _, _] in pieces {
            known.push((cell as usize, from, behind));
            from = behind;
        }
        // In the order of the page, each once: then what they say stands in that order too.
        if known.windows(2).any(|two| two[0].0 >= two[1].0) {
            return None;
        }
        let text_of = |cell: usize| {
            let place = known.binary_search_by_key(&cell, |one| one.0).ok()?;
            Some(known[place]).filter(|&(_, from, behind)| behind > from)
        };
        let begin = self.cells.partition_point(|cell| cell[1] <= table);
        let own = self.cells[begin..].iter().take_while(|cell| cell[0] == table).count();
        let is_own = |one: &(usize, i64, i64)| {
            self.cells[begin..begin + own].binary_search_by_key(&one.0, |cell| cell[1]).is_ok()
        };
        if !known.iter().all(is_own) {
            return None;
        }
        let mut rows = Vec::new();
        let mut last = first;
        let mut at = begin;
        while at < begin + own {
            let row = self.cells[at][2];
            let size = self.cells[at..begin + own].iter().take_while(|cell| cell[2] == row).count();
            if self.cells[at..at + size].iter().any(|cell| text_of(cell[1]).is_some()) {
                for place in at..at + size {
                    last = text_of(self.cells[place][1]).map_or(last, |(_, _, behind)| behind);
                    let bits = i64::from(place == at) << 1 | i64::from(self.is_header[place]);
                    rows.push(last << 2 | bits);
                }
            }
            at += size;
        }
        Some(ToldCells { rows, has_spans: self.has_spans })
    }
}

/// Which elements are tables of data, unless they say that they are none.
fn good_tables(reading: &Reading, table: &[usize], row: &[usize]) -> Vec<bool> {
    let page = reading.page;
    let elements = page.tag().len();
    let mut in_row = vec![0u32; elements];
    let (mut columns, mut rows) = (vec![0u32; elements], vec![0u32; elements]);
    let mut table_of_row = vec![0; elements];
    let (mut is_headed, mut captions) = (vec![false; elements], vec![0u32; elements]);
    let mut good = vec![true; elements];
    for element in 1..elements {
        let around = table[reading.parent(element)];
        if reading.is(element, CELL) && around != 0 {
            let own = row[reading.parent(element)];
            if in_row[own] == 0 {
                table_of_row[own] = around;
                rows[around] += 1;
            }
            in_row[own] += 1;
            let wide = &mut columns[table_of_row[own]];
            *wide = (*wide).max(in_row[own]);
            is_headed[around] |= reading.is(element, HEADER);
        }
        if reading.is(element, STRUCTURE) {
            good[around] = false;
        }
        if reading.is(element, TITLE_OF_TABLE) {
            captions[table[element]] += 1;
        }
    }
    let (part, cell) = (reading.nearest(TABLE | CELL | TITLE_OF_TABLE), reading.nearest(CELL));
    let mut blocks = vec![0u32; elements];
    for &element in page.block_element() {
        let element = element as usize;
        if reading.is(part[element], TABLE) {
            good[part[element]] = false;
        }
        blocks[cell[element]] += 1;
    }
    for element in 1..elements {
        let around = table[reading.parent(element)];
        let is_crowd = (reading.is(element, CELL) && around != 0 && blocks[element] > 1) || reading.is(element, CROWD);
        if is_crowd && !is_headed[around] {
            good[around] = false;
        }
    }
    for element in 0..elements {
        let is_shaped = columns[element] > 1 && (rows[element] > 1 || is_headed[element]);
        good[element] &= reading.is(element, TABLE) && is_shaped && captions[element] <= 1;
    }
    good
}
