//! Exports the C functions of the core. `unsafe` is in this module and its submodules only.
//!
//! A caller makes `Tables` once, scans pages with them, and frees the columns of each page. A panic does not cross the boundary:
//! the function returns its failure value, and the caller raises an error.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc)] // one contract for all: pointers are those handed out here, or readable as said

use std::os::raw::c_int;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

use crate::cleaning::{clean_page, without_invisible, CleanPage};
use crate::columns::{scan, Columns, Manner, COLUMNS};
use crate::needles::places_of;
use crate::part::{part, CutRuns};
use crate::sheet::Sheet;
use crate::tables::Tables;
use crate::units::{widened, widened_to, with_units, Wide};

pub mod answers;
pub mod blocks;
pub mod choice;
pub mod cut;
pub mod handles;
pub mod look;
pub mod memory;
pub mod new;
pub mod places;
pub mod sheets;
mod slices;
pub mod words;

use answers::{answered, Answer};
use slices::{copy_to, slice};

#[global_allocator]
static MEMORY: memory::LargePages = memory::LargePages;

/// The version of this interface; a caller that has another one does not use the library.
pub const INTERFACE: c_int = 60;
const PANICKED: c_int = -1;
/// Numbers of a scan before the borders of the columns.
const HEAD: usize = 14;

#[no_mangle]
pub extern "C" fn tidings_interface() -> c_int {
    INTERFACE
}

/// Clean `size` bytes (`crate::cleaning`): a page if `is_page`, else a text that keeps its line ends. Returns 0, or -1 after a
/// panic. The answer has numbers and, if the second is 1, the clean bytes.
///
/// The numbers: the bytes that a character needs, 0 if the page is not UTF-8; whether something changed; how many
/// characters there are; whether there is a NUL, an escape, maybe a control character near the beginning; how many
/// characters were removed, by class. Of a text only the last are filled.
#[no_mangle]
pub unsafe extern "C" fn tidings_clean(data: *const u8, size: usize, is_page: bool, out: *mut u64) -> c_int {
    let data = slice(data, size);
    answered(out, || {
        let (mut numbers, bytes, removed) = if is_page {
            let CleanPage { bytes, facts, removed } = clean_page(data);
            let signs = [facts.has_nul, facts.has_escape, facts.has_controls].map(i64::from);
            let numbers = [i64::from(facts.width), i64::from(bytes.is_some()), facts.size as i64];
            ([&numbers[..], &signs].concat(), bytes, removed)
        } else {
            let (bytes, removed) = without_invisible(data);
            (vec![0, i64::from(bytes.is_some()), 0, 0, 0, 0], bytes, removed)
        };
        numbers.extend(removed);
        Answer::of_bytes(numbers, bytes.unwrap_or_default())
    })
}

/// Scan `size` bytes of UTF-8 with `characters` of `width` bytes each, as returned by `tidings_clean`; 0 if unknown. Returns 0 and fills `out`, or -1 after a panic, if the bytes are not UTF-8 or too many.
///
/// `out`: a handle to free; addresses of numbers, flags, codes of the text, tag names; how many characters the text has,
/// bytes of the names; runs; the style sheets; whether each piece and each run is unseen; the characters of the source, how
/// many there are and of how many bytes each; the beginnings of the columns, and the end of the last.
/// `around`: the style sheets of the page that this is a fragment of, or null.
#[no_mangle]
pub unsafe extern "C" fn tidings_scan(
    tables: *const Tables,
    source: *const u8,
    size: usize,
    width: u8,
    characters: usize,
    most_tags: usize,
    around: *const Sheet,
    out: *mut u64,
) -> c_int {
    let (tables, around) = (&*tables, around.as_ref());
    if size >= i32::MAX as usize {
        return PANICKED;
    }
    let source = slice(source, size);
    let scanned = catch_unwind(|| {
        let wide = if width == 0 { widened(source) } else { widened_to(source, width, characters) }.expect("UTF-8");
        let manner = Manner { most_tags, around, is_brief: false };
        let mut columns = with_units!(&wide, units => scan(units, tables, manner));
        columns.source = wide;
        columns
    });
    hand_over_page(scanned, out)
}

/// Fill `out` with the addresses of the columns of a page (`tidings_scan`). Returns 0, or -1 after a panic.
unsafe fn hand_over_page(scanned: std::thread::Result<Columns>, out: *mut u64) -> c_int {
    let page = match scanned {
        Ok(page) => Box::into_raw(Box::new(page)),
        Err(_) => return PANICKED,
    };
    let handle = page as u64;
    let page = &*page;
    let (source, size, width) = match &page.source {
        Wide::One(units) => (units.as_ptr() as u64, units.len(), 1),
        Wide::Two(units) => (units.as_ptr() as u64, units.len(), 2),
        Wide::Four(units) => (units.as_ptr() as u64, units.len(), 4),
    };
    let mut numbers = vec![
        handle,
        page.numbers.as_ptr() as u64,
        page.flags.as_ptr() as u64,
        page.text.as_ptr() as u64,
        page.names.as_ptr() as u64,
        page.text.len() as u64,
        page.names.len() as u64,
        page.flags.len() as u64,
        Arc::as_ptr(&page.sheet) as u64,
        page.unseen.as_ref().map_or(0, |(pieces, _)| pieces.as_ptr() as u64),
        page.unseen.as_ref().map_or(0, |(_, runs)| runs.as_ptr() as u64),
        source,
        size as u64,
        width,
    ];
    numbers.extend(page.borders.iter().map(|&border| border as u64));
    debug_assert_eq!(numbers.len(), HEAD + COLUMNS + 1);
    copy_to(&numbers, out);
    0
}

/// Return the columns of a part of a page (`crate::part`), as `tidings_scan` does. `runs`: `count` runs of the page, then as
/// many starts and ends in the text, and starts and ends in the source.
#[no_mangle]
pub unsafe extern "C" fn tidings_part(
    page: *const Columns,
    tables: *const Tables,
    runs: *const i64,
    count: usize,
    out: *mut u64,
) -> c_int {
    let (page, tables, runs) = (&*page, &*tables, slice(runs, 5 * count));
    let column = |place: usize| &runs[place * count..(place + 1) * count];
    let runs =
        CutRuns { whole: column(0), text_start: column(1), text_end: column(2), start: column(3), end: column(4) };
    hand_over_page(catch_unwind(AssertUnwindSafe(|| part(page, &runs, tables))), out)
}

/// Find the positions of words (one per line) in the source, at most `most` of each. Returns their number, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_places(
    columns: *const Columns,
    words: *const u8,
    size: usize,
    most: usize,
    out: *mut i64,
) -> i64 {
    let (page, words) = (&*columns, slice(words, size));
    let positions = catch_unwind(AssertUnwindSafe(|| {
        let words: Vec<&[u8]> = words.split(|&byte| byte == b'\n').collect();
        with_units!(&page.source, units => places_of(units, &words, most))
    }));
    positions.map_or(-1, |places| places.map_or(-1, |places| hand_over(Ok(places), out)))
}

/// Return which runs of a page are hidden; empty after a brief scan.
fn hidden_runs(page: &Columns) -> &[u8] {
    page.unseen.as_ref().map_or(&[], |(_, runs)| &runs[..])
}

/// Copy numbers to `out`. Returns their number, or -1 after a panic.
unsafe fn hand_over(result: std::thread::Result<Vec<i64>>, out: *mut i64) -> i64 {
    match result {
        Ok(numbers) => {
            copy_to(&numbers, out);
            numbers.len() as i64
        }
        Err(_) => -1,
    }
}

#[cfg(test)]
mod tests;
