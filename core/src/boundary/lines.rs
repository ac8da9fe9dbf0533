//! A page in lines, and its text by tables of characters.

use std::os::raw::c_int;
use std::panic::{catch_unwind, AssertUnwindSafe};

use super::slices::{copy_to, slice, slice_mut};
use super::{hand_over, PANICKED};
use crate::columns::Columns;
use crate::lines::{counts, lines, regions, stretches, Lines};

/// The lines of a page, without the tags of two elements. Returns 0 and fills `out`: a handle to free, the address of
/// the numbers, the beginnings of the five columns, and the end of the last.
#[no_mangle]
pub unsafe extern "C" fn tidings_lines(
    columns: *const Columns,
    length: i64,
    first: i64,
    second: i64,
    out: *mut u64,
) -> c_int {
    let page = &*columns;
    match catch_unwind(|| lines(page, length, [first, second])) {
        Ok(made) => {
            let made = Box::into_raw(Box::new(made));
            let borders = (*made).borders;
            let told =
                [&[made as u64, (*made).numbers.as_ptr() as u64], &borders.map(|border| border as u64)[..]].concat();
            copy_to(&told, out);
            0
        }
        Err(_) => PANICKED,
    }
}

/// For each line how many of its characters have the first and the second bit in a table; `out` has room for both.
#[no_mangle]
pub unsafe extern "C" fn tidings_line_counts(
    columns: *const Columns,
    made: *const Lines,
    table: *const u8,
    table_size: usize,
    out: *mut i64,
) -> c_int {
    let (page, made) = (&*columns, &*made);
    let out = slice_mut(out, 2 * made.lines());
    let table = slice(table, table_size);
    catch_unwind(AssertUnwindSafe(|| counts(page, made, table, out))).map_or(PANICKED, |()| 0)
}

/// Which lines stand around the most content (`crate::lines::regions`): `out` has room for four numbers a line and one
/// more. There are three rows of numbers, then the first and the last line of each region. Returns how many there are, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_line_regions(
    columns: *const Columns,
    made: *const Lines,
    table: *const u8,
    table_size: usize,
    gap: i64,
    out: *mut i64,
) -> i64 {
    let (page, made) = (&*columns, &*made);
    let (rows, table) = (slice_mut(out, 3 * made.lines()), slice(table, table_size));
    let found = catch_unwind(AssertUnwindSafe(|| {
        let found = regions(page, made, table, gap, rows);
        found.iter().flat_map(|&(first, last)| [first as i64, last as i64]).collect()
    }));
    let count = hand_over(found, out.add(3 * made.lines()));
    if count < 0 {
        count
    } else {
        count / 2
    }
}

/// Stretches of characters of the text, in `count` ranges of it (`crate::lines::stretches`): `out` has room for one number
/// more than there are characters in them. Returns how many numbers there are, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_stretches(
    columns: *const Columns,
    table: *const u8,
    table_size: usize,
    starts: *const i64,
    ends: *const i64,
    count: usize,
    out: *mut i64,
) -> i64 {
    let (page, table) = (&*columns, slice(table, table_size));
    let (starts, ends) = (slice(starts, count), slice(ends, count));
    hand_over(catch_unwind(|| stretches(page, table, starts, ends)), out)
}
