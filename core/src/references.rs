//! Decodes character references in text as `html.unescape` does (HTML standard, 13.2.5.72 ff.).

use crate::tables::Tables;
use crate::units::Unit;

const LONGEST_NAME: usize = 32;
const REPLACEMENT: u32 = 0xFFFD;
/// The characters for the numbers 0x80 to 0x9F, from windows-1252.
const WINDOWS: [u32; 32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
];

/// Append a text with its references decoded.
pub fn unescape<U: Unit>(text: &[U], tables: &Tables, out: &mut Vec<u32>) {
    let mut from = 0;
    while let Some(at) = U::find(text, from, b'&') {
        out.extend(text[from..at].iter().map(|unit| unit.code()));
        from = reference(text, at, tables, out);
    }
    out.extend(text[from..].iter().map(|unit| unit.code()));
}

/// Decode a possible reference at an ampersand, and return its end.
fn reference<U: Unit>(text: &[U], at: usize, tables: &Tables, out: &mut Vec<u32>) -> usize {
    let letter = |place: usize| text.get(place).map_or(0xFF, |unit| unit.ascii());
    if letter(at + 1) == b'#' {
        let is_hex = matches!(letter(at + 2), b'x' | b'X');
        let first = at + 2 + usize::from(is_hex);
        let base = if is_hex { 16 } else { 10 };
        let mut end = first;
        let mut number = 0u32;
        while let Some(digit) = char::from(letter(end)).to_digit(base).filter(|_| letter(end) != 0xFF) {
            number = number.saturating_mul(base).saturating_add(digit);
            end += 1;
        }
        if end == first {
            out.push(u32::from(b'&'));
            return at + 1;
        }
        if letter(end) == b';' {
            end += 1;
        }
        out.extend(numbered(number));
        return end;
    }
    let first = at + 1;
    let mut end = first;
    while end < text.len()
        && end - first < LONGEST_NAME
        && !matches!(text[end].ascii(), b'\t' | b'\n' | 12 | b' ' | b'<' | b'&' | b'#' | b';')
    {
        end += 1;
    }
    if end == first {
        out.push(u32::from(b'&'));
        return first;
    }
    if letter(end) == b';' {
        end += 1;
    }
    let mut name = Vec::with_capacity(LONGEST_NAME + 1);
    name.extend(text[first..end].iter().map(|unit| unit.ascii()).take_while(|&letter| letter != 0xFF));
    // The whole of it, or the longest beginning that is a name, of at least two letters.
    for size in (1..=name.len()).rev() {
        if size < 2 && size < end - first {
            break;
        }
        if let Some(meant) = tables.entities.get(&name[..size]) {
            out.extend_from_slice(meant);
            return first + size;
        }
    }
    out.push(u32::from(b'&'));
    out.extend(text[first..end].iter().map(|unit| unit.code()));
    end
}

/// Return the character of a number. None if there is none.
fn numbered(number: u32) -> Option<u32> {
    match number {
        0 => Some(REPLACEMENT),
        0x0D => Some(0x0D),
        0x80..=0x9F => Some(WINDOWS[(number - 0x80) as usize]),
        0xD800..=0xDFFF => Some(REPLACEMENT),
        0x01..=0x08 | 0x0B | 0x0E..=0x1F | 0x7F | 0xFDD0..=0xFDEF => None,
        _ if number > 0x10_FFFF => Some(REPLACEMENT),
        _ if number & 0xFFFE == 0xFFFE => None,
        _ => Some(number),
    }
}
