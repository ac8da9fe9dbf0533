//! What blocks say as a whole: `tidings.article.text.plain`, then `tidings.text.without_breaks`.

use super::{Found, KIND_ITEM};

/// Deeper nesting is shown as this deep.
const MAX_NESTING: i64 = 32;

/// The text of blocks of which some begin items without a number; nothing if some of them say more than their inlines do.
pub fn plain(found: &Found, is_numbered: impl Fn(i64) -> bool) -> Option<Vec<u32>> {
    if !found.pieces.is_empty() || found.blocks.iter().any(|block| is_numbered(block[3])) {
        return None;
    }
    let mut codes = Vec::with_capacity(found.text.len() + 4 * found.blocks.len());
    let (mut start, mut before) = (0, None);
    for &[kind, _, depth, item, _, inlines, ..] in &found.blocks {
        let end = found.inlines[inlines as usize - 1][0] as usize;
        if let Some(before) = before {
            let is_close = before == kind && kind == KIND_ITEM;
            codes.extend_from_slice(&[10, 10][usize::from(is_close)..]);
        }
        before = Some(kind);
        add(&mut codes, &found.text[start..end], if item == 0 { "" } else { "- " }, depth);
        start = end;
    }
    drop_break_signs(&mut codes);
    Some(codes)
}

/// Add what a block says, behind the marker of the item that it begins.
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
