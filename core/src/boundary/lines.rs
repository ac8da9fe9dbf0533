//! A page in lines.

use std::os::raw::c_int;
use std::panic::catch_unwind;
use std::slice::from_raw_parts;

use super::PANICKED;
use crate::columns::Columns;
use crate::lines::{counts, lines, Lines};

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
            std::ptr::copy_nonoverlapping(told.as_ptr(), out, told.len());
            0
        }
        Err(_) => PANICKED,
    }
}

/// Free the lines of a page.
#[no_mangle]
pub unsafe extern "C" fn tidings_lines_free(made: *mut Lines) {
    drop(Box::from_raw(made));
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
    match catch_unwind(|| counts(page, made, from_raw_parts(table, table_size))) {
        Ok(found) => {
            std::ptr::copy_nonoverlapping(found.as_ptr(), out, found.len());
            0
        }
        Err(_) => PANICKED,
    }
}
