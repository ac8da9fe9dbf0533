//! Exports the reader of style sheets.

use std::os::raw::c_int;
use std::panic::catch_unwind;

use super::slices::{copy_to, slice};
use crate::sheet::Sheet;
use crate::start_tag::ways_of;
use crate::tables::Tables;

/// The ways in which start tags hide their elements under style sheets, and those that they take back, a pair of bytes
/// each in `out`. Returns 0, or -1 after a panic or for other text than UTF-8. The tags are in UTF-8, with NUL between them.
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
    let result = catch_unwind(|| Some(ways_of(std::str::from_utf8(slice(tags, size)).ok()?, sheet, tables)));
    match result {
        Ok(Some(ways)) if ways.len() == 2 * count => {
            copy_to(&ways, out);
            0
        }
        _ => -1,
    }
}
