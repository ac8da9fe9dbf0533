//! Renders blocks as plain text, as `tidings.article.model.plain_text.plain` and `tidings.text.without_breaks` do.

use super::{BuiltBlocks, KIND_ITEM, KIND_PREFORMATTED, KIND_TABLE, NO_ITEM, NUMBERED};
use crate::data_tables::add_table_text;
use crate::units::is_space;

/// Deeper nesting is shown as this deep.
const MAX_NESTING: i64 = 32;

/// The text of blocks.
pub fn plain(built: &BuiltBlocks) -> Vec<u32> {
    let mut codes = Vec::with_capacity(built.text.len() + 4 * built.blocks.len());
    let (mut first, mut cell, mut before) = (0, 0, None);
    let mut table = Vec::new();
    for &[kind, _, depth, item, number, _, behind, cells, ..] in &built.blocks {
        let text = if kind == KIND_TABLE {
            table.clear();
            add_table_text(built, &built.cells[cell..cells as usize], &mut table);
            &table[..]
        } else {
            &built.text[built.start_of(first)..built.start_of(behind)]
        };
        (first, cell) = (behind, cells as usize);
        if text.iter().all(|&code| is_space(code)) {
            continue;
        }
        if let Some(before) = before {
            let is_close = before == kind && kind == KIND_ITEM;
            codes.extend_from_slice(&[10, 10][usize::from(is_close)..]);
        }
        before = Some(kind);
        add(&mut codes, text, &marker(kind, item, number), depth);
    }
    drop_break_signs(&mut codes);
    codes
}

/// Return the marker of the item that a block begins.
pub fn marker(kind: i64, item: i64, number: i64) -> String {
    match item {
        NO_ITEM => String::new(),
        _ if kind == KIND_PREFORMATTED || kind == KIND_TABLE => String::new(),
        NUMBERED => format!("{}. ", number),
        _ => "- ".to_string(),
    }
}

/// Add the text of a block after the marker of its item.
pub fn add(codes: &mut Vec<u32>, text: &[u32], sign: &str, depth: i64) {
    if sign.is_empty() {
        return codes.extend_from_slice(text);
    }
    let indent = 2 * (depth.min(MAX_NESTING) - 1).max(0) as usize;
    let spaces = |count: usize| std::iter::repeat(u32::from(b' ')).take(count);
    codes.extend(spaces(indent));
    codes.extend(sign.bytes().map(u32::from));
    for &code in text {
        codes.push(code);
        if code == u32::from(b'\n') {
            codes.extend(spaces(indent + sign.len()));
        }
    }
}

/// Take out the signs that only say where a line may break.
pub fn drop_break_signs(codes: &mut Vec<u32>) {
    let is_sign = |code: u32| matches!(code, 0xAD | 0x200B | 0x2060 | 0xFEFF);
    if !codes.iter().fold(false, |some, &code| some | is_sign(code)) {
        return;
    }
    let mut before = 0;
    codes.retain(|&code| {
        // Thai, Lao, Burmese and Khmer part words with a zero-width space.
        let parts_words = matches!(before, 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF);
        before = code;
        !is_sign(code) || (code == 0x200B && parts_words)
    });
}
