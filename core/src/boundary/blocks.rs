//! The blocks of chosen text.

use std::os::raw::{c_int, c_void};
use std::panic::catch_unwind;

use super::slices::{slice, slice_mut};
use super::PANICKED;
use crate::blocks::plain::plain;
use crate::blocks::{blocks, Choice, BLOCK_NUMBERS, INLINE_NUMBERS, PIECE_NUMBERS};
use crate::columns::{written, Columns};

/// The caller has to look for itself.
const LEFT: c_int = 1;

/// The blocks of chosen text, until they are freed.
pub struct BlockRows {
    numbers: Vec<i32>,
    text: Vec<u32>,
    plain: Option<Vec<u32>>,
}

/// The blocks that chosen ranges of the text of a page make. Returns 0 and fills `out`, or another number.
///
/// `numbers`: starts and ends of the spans, links that hold some of them and the numbers of their addresses, tables of
/// data, roots, runs of which the caller knows more. `out`: a handle to free; the address of the rows of blocks, inlines
/// and pieces; how many blocks, inlines, pieces and characters there are, and all bits of the characters; how many the text
/// of the whole has, 0 if the caller has to make it, and its bits.
#[no_mangle]
pub unsafe extern "C" fn tidings_blocks(
    columns: *const Columns,
    roles: *const u8,
    roles_size: usize,
    numbers: *const i64,
    spans: usize,
    links: usize,
    tables: usize,
    roots: usize,
    specials: usize,
    out: *mut u64,
) -> c_int {
    let page = &*columns;
    let found = catch_unwind(|| {
        let numbers = slice(numbers, 2 * spans + 2 * links + tables + roots + specials);
        let choice = Choice::new(slice(roles, roles_size), numbers, [spans, links, tables, roots]);
        let found = blocks(page, &choice)?;
        let bits = |text: &[u32]| text.iter().fold(0, |all, code| all | code) as usize;
        let plain = plain(&found, |item| choice.item(page, item) > 0);
        let whole = plain.as_deref().unwrap_or_default();
        let sizes = [
            found.blocks.len(),
            found.inlines.len(),
            found.pieces.len(),
            found.text.len(),
            bits(&found.text),
            whole.len(),
            bits(whole),
        ];
        let all = found.blocks.len() * BLOCK_NUMBERS
            + found.inlines.len() * INLINE_NUMBERS
            + found.pieces.len() * PIECE_NUMBERS;
        let mut numbers = Vec::with_capacity(all);
        for block in &found.blocks {
            let mut row = *block;
            row[3] = choice.item(page, row[3]);
            numbers.extend(row.map(|number| number as i32));
        }
        numbers.extend(found.inlines.iter().flatten().map(|&number| number as i32));
        numbers.extend(found.pieces.iter().flatten().map(|&number| number as i32));
        Some((Box::new(BlockRows { numbers, text: found.text, plain }), sizes))
    });
    match found {
        Ok(None) => LEFT,
        Ok(Some((rows, sizes))) => {
            *out.add(1) = rows.numbers.as_ptr() as u64;
            *out = Box::into_raw(rows) as u64;
            for (place, &size) in sizes.iter().enumerate() {
                *out.add(2 + place) = size as u64;
            }
            0
        }
        Err(_) => PANICKED,
    }
}

/// Write what the inlines say, or the text of the whole, to a place that has room for it in `width` bytes a character.
#[no_mangle]
pub unsafe extern "C" fn tidings_blocks_text(rows: *const BlockRows, is_whole: c_int, width: c_int, out: *mut c_void) {
    let rows = &*rows;
    let text = match (&rows.plain, is_whole != 0) {
        (Some(plain), true) => plain,
        _ => &rows.text,
    };
    match width {
        1 => written(text, slice_mut(out.cast::<u8>(), text.len())),
        2 => written(text, slice_mut(out.cast::<u16>(), text.len())),
        _ => written(text, slice_mut(out.cast::<u32>(), text.len())),
    }
}
