//! The boundary: plain C calls. The only file with `unsafe` in it.
//!
//! A caller makes `Tables` once, scans pages with it, and frees each page's columns when nobody looks at them any more.
//! A panic does not cross: it is a refusal, and the caller takes its own way.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc)] // one contract for all: pointers are those handed out here, or readable as said

use std::collections::HashMap;
use std::os::raw::{c_int, c_void};
use std::panic::catch_unwind;
use std::ptr::null_mut;
use std::slice::from_raw_parts;

use crate::columns::{scan, Columns, COLUMNS};
use crate::tables::Tables;
use crate::tokens::Odd;
use crate::units::{widened, Wide};

/// The version of this interface; a caller that knows another one does without.
pub const INTERFACE: c_int = 1;
const PANICKED: c_int = -1;

#[no_mangle]
pub extern "C" fn tidings_interface() -> c_int {
    INTERFACE
}

/// Tables from the caller's own: tag names a line each, what their starts do, their sets, what stops their end tags;
/// character references a line each (name, tab, numbers with spaces between); classes of the characters.
#[no_mangle]
pub unsafe extern "C" fn tidings_tables(
    names: *const u8,
    names_size: usize,
    starts: *const u8,
    flags: *const u32,
    end_stops: *const u32,
    references: *const u8,
    references_size: usize,
    classes: *const u8,
    max_depth: usize,
) -> *mut Tables {
    let (names, references) = (from_raw_parts(names, names_size), from_raw_parts(references, references_size));
    let names: Vec<Vec<u8>> = names.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let count = names.len();
    let mut entities = HashMap::new();
    for line in references.split(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        if let Some((name, codes)) = text.split_once('\t') {
            let codes = codes.split(' ').filter_map(|code| code.parse().ok()).collect();
            entities.insert(name.as_bytes().to_vec(), codes);
        }
    }
    let made = Tables::new(
        names,
        from_raw_parts(starts, count).to_vec(),
        from_raw_parts(flags, count).to_vec(),
        from_raw_parts(end_stops, count).to_vec(),
        entities,
        from_raw_parts(classes, 0x1_0000).to_vec(),
        max_depth,
    );
    made.map_or(null_mut(), |tables| Box::into_raw(Box::new(tables)))
}

/// Scan `size` characters of `width` bytes each, or `size` bytes of UTF-8 (`width` 0). Returns 0 and fills `out`, or says why not.
///
/// `out`: a handle to free; addresses of numbers, flags, codes of the text, the text in few bytes, tag names; how many
/// characters the text has, bytes each, bytes of the names; the beginnings of the columns, and the end of the last.
#[no_mangle]
pub unsafe extern "C" fn tidings_scan(
    tables: *const Tables,
    source: *const c_void,
    size: usize,
    width: c_int,
    is_blunt: c_int,
    out: *mut u64,
) -> c_int {
    let tables = &*tables;
    let is_blunt = is_blunt != 0;
    if size >= i32::MAX as usize {
        return PANICKED;
    }
    let found = catch_unwind(|| match width {
        0 => match widened(from_raw_parts(source.cast::<u8>(), size)) {
            Some(Wide::One(units)) => scan(&units, tables, is_blunt),
            Some(Wide::Two(units)) => scan(&units, tables, is_blunt),
            Some(Wide::Four(units)) => scan(&units, tables, is_blunt),
            None => Err(Odd::Bytes),
        },
        1 => scan(from_raw_parts(source.cast::<u8>(), size), tables, is_blunt),
        2 => scan(from_raw_parts(source.cast::<u16>(), size), tables, is_blunt),
        _ => scan(from_raw_parts(source.cast::<u32>(), size), tables, is_blunt),
    });
    match found {
        Ok(Ok(columns)) => {
            let columns = Box::into_raw(Box::new(columns));
            let page = &*columns;
            let mut told = vec![
                columns as u64,
                page.numbers.as_ptr() as u64,
                page.flags.as_ptr() as u64,
                page.text.as_ptr() as u64,
                page.narrow.as_ptr() as u64,
                page.names.as_ptr() as u64,
                page.text.len() as u64,
                u64::from(page.width),
                page.names.len() as u64,
                page.flags.len() as u64,
            ];
            told.extend(page.borders.iter().map(|&border| border as u64));
            debug_assert_eq!(told.len(), 10 + COLUMNS + 1);
            std::ptr::copy_nonoverlapping(told.as_ptr(), out, told.len());
            0
        }
        Ok(Err(odd)) => odd as c_int,
        Err(_) => PANICKED,
    }
}

/// Free the columns of a page.
#[no_mangle]
pub unsafe extern "C" fn tidings_free(columns: *mut Columns) {
    drop(Box::from_raw(columns));
}
