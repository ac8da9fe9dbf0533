//! Style sheets, and what they hide.

use std::os::raw::c_int;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null;
use std::sync::Arc;

use super::slices::{copy_to, slice};
use crate::columns::is_empty;
use crate::hidden::Facts;
use crate::sheet::Sheet;
use crate::start_tag::ways_of;
use crate::tables::Tables;
use crate::written::StyleText;

/// Read the style sheets of `<style>` and `<link>` elements, in UTF-8 with NUL between them. Null if they are not UTF-8.
#[no_mangle]
pub unsafe extern "C" fn tidings_sheet(elements: *const u8, size: usize) -> *const Sheet {
    let read = catch_unwind(|| {
        let mut css = StyleText::default();
        for element in std::str::from_utf8(slice(elements, size)).ok()?.split('\0') {
            css.add(element, None);
        }
        Some(Sheet::shared(&css.text))
    });
    match read {
        Ok(Some(sheet)) => Arc::into_raw(sheet),
        _ => null(),
    }
}

/// Columns of a page that the caller has scanned, in the order in which `tidings_unseen` takes them.
const TAG: usize = 0;
const PARENT: usize = 1;
const OPENED: usize = 2;
const CLOSED: usize = 3;
const OWNER: usize = 4;
const FIRST: usize = 5;
const LAST: usize = 6;
const TEXT_START: usize = 7;
const TEXT_END: usize = 8;
const PIECE: usize = 9;
const SPELLING: usize = 10;
const BOUNDS: usize = 11;
const CODES: usize = 12;
const COLUMNS: usize = 13;

/// Find the hidden text of a page that the caller has scanned, under style sheets. Writes a byte for each piece to
/// `pieces` (1: its text is hidden, 2: it is hidden as a box), and to `revealed` the elements that are shown though
/// their tags hide them. Returns how many these are, or -1. `names` are the names of tags outside the standard, a line
/// each; `flags` is 1 for a fragment, plus 2 for a page that loads other style sheets.
#[no_mangle]
pub unsafe extern "C" fn tidings_unseen(
    tables: *const Tables,
    source: *const u32,
    size: usize,
    columns: *const *const i64,
    sizes: *const usize,
    in_link: *const u8,
    names: *const u8,
    names_size: usize,
    text_size: usize,
    sheet: *const Sheet,
    flags: c_int,
    pieces: *mut u8,
    revealed: *mut i64,
) -> i64 {
    let (tables, sheet, source) = (&*tables, &*sheet, slice(source, size));
    let (columns, sizes) = (slice(columns, COLUMNS), slice(sizes, COLUMNS));
    let narrow = |place: usize| -> Vec<i32> {
        slice(columns[place], sizes[place]).iter().map(|&number| number as i32).collect()
    };
    let all: Vec<Vec<i32>> = (0..COLUMNS).map(narrow).collect();
    let in_link = slice(in_link, all[TEXT_START].len());
    let local: Vec<Vec<u8>> = slice(names, names_size).split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let found = catch_unwind(AssertUnwindSafe(|| {
        let bounds = |at: usize| (all[BOUNDS][2 * at + 1] as usize, all[BOUNDS][2 * at + 2] as usize);
        let count = all[CODES].len();
        let facts = Facts {
            source,
            tables,
            tag: &all[TAG],
            parent: &all[PARENT],
            opened: &all[OPENED],
            closed: &all[CLOSED],
            owner: &all[OWNER],
            runs: &|element| (all[FIRST][element] as usize, all[LAST][element] as usize),
            run_piece: &|run| all[PIECE][run] as usize,
            text_start: &all[TEXT_START],
            text_end: &all[TEXT_END],
            in_link,
            text_size,
            spelling: &all[SPELLING],
            spellings: all[SPELLING].iter().map(|&spelling| spelling + 1).max().unwrap_or(0) as usize,
            tag_range: &|element| bounds(all[OPENED][element] as usize),
            is_empty: &|element| {
                let (opened, closed) = (all[OPENED][element] as usize, all[CLOSED][element] as usize);
                is_empty(opened, closed, &all[CODES], bounds, count)
            },
            classes: &[],
            local: &local,
            is_fragment: flags & 1 != 0,
            has_foreign_sheets: flags & 2 != 0,
        };
        facts.unseen(sheet)
    }));
    found.map_or(-1, |unseen| {
        copy_to(&unseen.pieces, pieces);
        let elements: Vec<i64> = unseen.revealed.iter().map(|&element| i64::from(element)).collect();
        copy_to(&elements, revealed);
        elements.len() as i64
    })
}

/// 1 if style sheets have no rules, plus 2 if they import others.
#[no_mangle]
pub unsafe extern "C" fn tidings_sheet_is_empty(sheet: *const Sheet) -> c_int {
    c_int::from((*sheet).is_empty()) | c_int::from((*sheet).imports_foreign) << 1
}

/// The ways in which start tags hide their elements under style sheets, and those that they take back, a pair of bytes
/// each in `out`; -1 where the caller has to look. The tags are in UTF-8, with NUL between them.
#[no_mangle]
pub unsafe extern "C" fn tidings_ways(
    sheet: *const Sheet,
    tables: *const Tables,
    tags: *const u8,
    size: usize,
    out: *mut u8,
    count: usize,
) -> c_int {
    let (sheet, tables) = (&*sheet, &*tables);
    let found = catch_unwind(|| Some(ways_of(std::str::from_utf8(slice(tags, size)).ok()?, sheet, tables)));
    match found {
        Ok(Some(ways)) if ways.len() == 2 * count => {
            copy_to(&ways, out);
            0
        }
        _ => -1,
    }
}
