//! Recognises data tables and renders their cells as text, a line for each row (`tidings.article.units.tables`).

use crate::block_texts::{Reading, CELL, CROWD, HEADER, ROW, STRUCTURE, TABLE, TITLE_OF_TABLE};
use crate::blocks::{BuiltBlocks, CELL_NUMBERS};
use crate::columns::Columns;
use crate::item_numbers::integer;
use crate::needles::Word;
use crate::start_tag::attributes;
use crate::units::{is_space, Unit};
use crate::written::Written;

/// The text between two cells.
const BAR: &str = " | ";
/// HTML standard 4.9.11: wider spans are cut to these.
const MAX_COLSPAN: i64 = 1000;
const MAX_ROWSPAN: i64 = 65534;
/// Bits: a cell begins a row, is a header.
const BEGINS_ROW: i64 = 2;
const IS_HEADER: i64 = 1;

/// The tables of data of a page.
#[derive(Default)]
pub struct DataTables {
    /// Their elements, in order.
    pub tables: Vec<i64>,
    /// Of all their cells in order: the table, the cell, the element that it has its row from.
    cells: Vec<[usize; 3]>,
}

/// A start tag as a string.
pub fn tag_text<U: Unit>(written: &Written<U>, page: &Columns, element: usize) -> String {
    let mut tag = String::new();
    written.text(page.tag_range(element), &mut tag);
    tag
}

/// Whether the start tag of an element contains a word.
pub fn tag_holds<U: Unit>(source: &[U], page: &Columns, element: usize, word: &[u8]) -> bool {
    let (start, end) = page.tag_range(element);
    Word::new(word).is_in(&source[start..end])
}

impl DataTables {
    pub fn new<U: Unit>(written: &Written<U>, reading: &Reading) -> Self {
        let elements = reading.page.tag().len();
        let mut result = DataTables::default();
        if (1..elements).filter(|&element| reading.is(element, CELL)).take(2).count() < 2 {
            return result;
        }
        let table = reading.nearest(TABLE);
        let row = reading.nearest(ROW);
        let mut good = good_tables(reading, &table, &row);
        for element in (1..elements).filter(|&element| good[element]).collect::<Vec<usize>>() {
            if lays_out(written, reading.page, element) {
                good[element] = false;
            } else {
                result.tables.push(element as i64);
            }
        }
        if result.tables.is_empty() {
            return result; // as on pages that tables lay out
        }
        for element in (1..elements).filter(|&element| reading.is(element, CELL)) {
            let around = table[reading.parent(element)];
            if good[around] {
                result.cells.push([around, element, row[reading.parent(element)]]);
            }
        }
        result
    }

    /// Add the cells of a table with text: `texts` has the cell, its first inline and the inline after its
    /// last. Of a cell that comes twice the last counts.
    pub fn add_rows<U: Unit>(
        &self,
        written: &Written<U>,
        reading: &Reading,
        table: usize,
        texts: &[(usize, i64, i64)],
        out: &mut Vec<[i64; CELL_NUMBERS]>,
    ) {
        let page = reading.page;
        let begin = self.cells.partition_point(|cell| cell[1] <= table);
        let own = self.cells[begin..].iter().take_while(|cell| cell[0] == table).count();
        let cells = &self.cells[begin..begin + own];
        let mut ranges = vec![(0, 0); own];
        for &(cell, first, last) in texts.iter().filter(|&&(_, first, last)| first < last) {
            if let Ok(place) = cells.binary_search_by_key(&cell, |row| row[1]) {
                ranges[place] = (first, last);
            }
        }
        let mut rows: Vec<&[[usize; 3]]> = Vec::new();
        let mut rest = cells;
        while let Some(first) = rest.first() {
            let size = rest.iter().take_while(|cell| cell[2] == first[2]).count();
            rows.push(&rest[..size]);
            rest = &rest[size..];
        }
        // For each row the number of rows with text before it.
        let mut shown_before = vec![0];
        let mut at = 0;
        for row in &rows {
            let says = ranges[at..at + row.len()].iter().any(|(first, last)| first < last);
            shown_before.push(shown_before[shown_before.len() - 1] + i64::from(says));
            at += row.len();
        }
        at = 0;
        for (number, row) in rows.iter().enumerate() {
            let is_shown = shown_before[number + 1] > shown_before[number];
            for (place, &[_, cell, _]) in row.iter().enumerate().filter(|_| is_shown) {
                let (columns, down) = spans(written, page, cell, (rows.len() - number) as i64);
                // Rows that are left out do not count for spans.
                let behind = (number + down as usize).min(rows.len());
                let down = if down > 1 { shown_before[behind] - shown_before[number] } else { 1 };
                let (first, last) = ranges[at + place];
                let begins = if place == 0 { BEGINS_ROW } else { 0 };
                let header = if reading.is(cell, HEADER) { IS_HEADER } else { 0 };
                let left = shown_before[rows.len()] - shown_before[number];
                out.push([first, last, begins | header, columns, down.min(left)]);
            }
            at += row.len();
        }
    }
}

/// Whether a table declares that it is not a data table.
fn lays_out<U: Unit>(written: &Written<U>, page: &Columns, table: usize) -> bool {
    if !tag_holds(written.source, page, table, b"role") {
        return false;
    }
    let tag = attributes(&tag_text(written, page, table), Some(written.tables));
    let role = tag.get("role").unwrap_or_default().trim().to_lowercase();
    role == "presentation" || role == "none"
}

/// Return the columns and rows that a cell spans, with a number of rows from its own on.
fn spans<U: Unit>(written: &Written<U>, page: &Columns, cell: usize, rows: i64) -> (i64, i64) {
    if !tag_holds(written.source, page, cell, b"span") {
        return (1, 1);
    }
    let tag = attributes(&tag_text(written, page, cell), Some(written.tables));
    let number = |name: &str| tag.get(name).and_then(integer);
    let down = number("rowspan").map(|down| if down == 0 { rows } else { down }); // 0: to the end of the table
    let within = |size: Option<i64>, most: i64| size.filter(|&size| size > 0).map_or(1, |size| size.min(most));
    (within(number("colspan"), MAX_COLSPAN), within(down, MAX_ROWSPAN))
}

/// Append the text of a table. Returns the number of characters between its cells.
pub fn add_table_text(built: &BuiltBlocks, cells: &[[i64; CELL_NUMBERS]], out: &mut Vec<u32>) -> usize {
    let mut between = 0;
    for (number, &[first, last, bits, ..]) in cells.iter().enumerate() {
        let sign = match () {
            _ if number == 0 => "",
            _ if bits & BEGINS_ROW > 0 => "\n",
            _ => BAR,
        };
        out.extend(sign.bytes().map(u32::from));
        between += sign.len();
        if first < last {
            let text = &built.text[built.start_of(first)..built.start_of(last)];
            out.extend(text.iter().map(|&code| if is_space(code) { u32::from(b' ') } else { code }));
        }
    }
    between
}

/// Return which elements are data tables, unless they declare otherwise.
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
