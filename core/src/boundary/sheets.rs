//! Style sheets, and what they hide.

use std::os::raw::c_int;
use std::panic::catch_unwind;
use std::ptr::null;
use std::slice::from_raw_parts;
use std::sync::Arc;

use crate::sheet::Sheet;
use crate::start_tag::ways_of;
use crate::tables::Tables;

/// Read style sheets, given in UTF-8. Null if they cannot be read here.
#[no_mangle]
pub unsafe extern "C" fn tidings_sheet(css: *const u8, size: usize) -> *const Sheet {
    let read = catch_unwind(|| std::str::from_utf8(from_raw_parts(css, size)).ok().map(Sheet::shared));
    match read {
        Ok(Some(sheet)) => Arc::into_raw(sheet),
        _ => null(),
    }
}

/// Free style sheets that `tidings_sheet` has read.
#[no_mangle]
pub unsafe extern "C" fn tidings_sheet_free(sheet: *const Sheet) {
    drop(Arc::from_raw(sheet));
}

/// Whether style sheets say nothing of single start tags.
#[no_mangle]
pub unsafe extern "C" fn tidings_sheet_is_empty(sheet: *const Sheet) -> c_int {
    c_int::from((*sheet).is_empty())
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
    let found = catch_unwind(|| ways_of(std::str::from_utf8(from_raw_parts(tags, size)).ok()?, sheet, tables));
    match found {
        Ok(Some(ways)) if ways.len() == 2 * count => {
            std::ptr::copy_nonoverlapping(ways.as_ptr(), out, ways.len());
            0
        }
        _ => -1,
    }
}
