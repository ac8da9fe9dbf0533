//! Cuts a page by rules and returns the pieces as numbers.

use super::finished::Finished;
use crate::anchors::Range;
use crate::block_rows::is_plain_address;
use crate::block_texts::{read_fragment, FragmentTables};
use crate::needles::{find_byte, find_bytes, starts_of, Word};
use crate::references::unescape;
use crate::sheet::Sheet;
use crate::tables::Tables;
use crate::units::{fold, is_blank};

/// Bytes in which the language of the page is looked for, and those of the tag that declares it.
const ROOT: usize = 4096;
const LONGEST_ROOT: usize = 999;
/// The usual number of characters in fields.
const TEXT_SIZE: usize = 1024;

/// The result of applying rules to a page.
pub struct Cutting {
    /// 0, whether there may be a `<base>`, the language of the root element (`declared_language`); then for each rule of a
    /// field, for the main text and for the style sheets the number of ranges, and the ranges. Texts instead of ranges
    /// have a negative number, and for each text twice its end, plus 1 for a URL that needs no change. If the rules do
    /// not fit: the mismatch, and the rule.
    pub numbers: Vec<i64>,
    /// The joined texts of fields.
    pub codes: Vec<u32>,
    /// The main text.
    pub text: Option<Finished>,
}

impl Cutting {
    pub fn of(numbers: Vec<i64>) -> Self {
        Cutting { numbers, codes: Vec::with_capacity(TEXT_SIZE), text: None }
    }

    /// Add the texts of a field; their ranges, if Python has to read one of them.
    pub fn push_texts(
        &mut self,
        data: &[u8],
        ranges: &[Range],
        mut read: impl FnMut(&[u8], &mut Vec<u32>) -> Option<()>,
    ) {
        let (numbers, first_code) = (self.numbers.len(), self.codes.len());
        self.numbers.push(-(ranges.len() as i64));
        for &(start, end) in ranges {
            if read(&data[start..end], &mut self.codes).is_none() {
                self.numbers.truncate(numbers);
                self.codes.truncate(first_code);
                return push_ranges(&mut self.numbers, ranges);
            }
            let from = self
                .numbers
                .last()
                .filter(|_| self.numbers.len() > numbers + 1)
                .map_or(first_code, |&end| end as usize >> 1);
            let is_address = is_plain_address(&self.codes[from..]);
            self.numbers.push((self.codes.len() as i64) << 1 | i64::from(is_address));
        }
    }
}

/// Append the text of a piece, white space folded. None if it contains tags or is not UTF-8.
pub fn push_text(piece: &[u8], tables: &Tables, out: &mut Vec<u32>) -> Option<()> {
    if piece.contains(&b'<') {
        return None;
    }
    push_any_text(piece, tables, out)
}

/// Append the text of a piece that may contain `<`.
fn push_any_text(piece: &[u8], tables: &Tables, out: &mut Vec<u32>) -> Option<()> {
    let has_references = piece.contains(&b'&');
    if !has_references && piece.is_ascii() {
        out.reserve(piece.len());
        fold(piece, out); // as most
        return Some(());
    }
    let mut codes: Vec<u32> = Vec::with_capacity(piece.len());
    codes.extend(std::str::from_utf8(piece).ok()?.chars().map(u32::from));
    if has_references {
        let mut decoded = Vec::with_capacity(codes.len());
        unescape(&codes, tables, &mut decoded);
        codes = decoded;
    }
    out.reserve(codes.len());
    fold(&codes, out);
    Some(())
}

/// Words of start tags that may hide their elements (`tidings.page.hidden`).
const HIDING: [&[u8]; 9] =
    [b"style", b"hidden", b"sr-only", b"sronly", b"-sr", b"screen", b"-none", b"no-display", b"invisible"];
/// Tags that separate words.
const SEPARATING: [&[u8]; 16] = [
    b"p", b"div", b"br", b"li", b"h1", b"h2", b"h3", b"h4", b"h5", b"h6", b"td", b"tr", b"ul", b"ol", b"section",
    b"header",
];

/// Append the visible text of an element, white space folded (`tidings.sites.extraction.values.text_of`). None if Python has to read it.
pub fn push_visible_text(element: &[u8], sheet: &Sheet, tables: FragmentTables, out: &mut Vec<u32>) -> Option<()> {
    if !element.contains(&b'<') {
        return push_any_text(element, tables.tables, out);
    }
    let holds = |word: &&[u8]| Word::new(word).is_in(element);
    if !sheet.is_empty() || element.contains(&b'&') || HIDING.iter().any(holds) {
        let tables = FragmentTables { block_options: None, ..tables };
        let fragment = read_fragment(&[b"<div>", element, b"</div>"].concat(), sheet, tables).ok()?;
        if !fragment.between_cells.is_empty() {
            return None; // a field has no bars between cells
        }
        let mut codes = Vec::with_capacity(fragment.codes.len() + fragment.ends.len());
        for text in fragment.texts() {
            codes.extend_from_slice(text);
            codes.push(u32::from(b' '));
        }
        fold(&codes, out);
        return Some(());
    }
    // Letters that case folding turns into ASCII, and raw text elements.
    if [&b"\xC5\xBF"[..], b"\xE2\x84\xAA", b"<script", b"<style"].iter().any(holds) {
        return None;
    }
    push_any_text(&without_tags(&with_separators(element)?), tables.tables, out)
}

/// Return a piece with a space for each tag that separates words. None if Python has to read it.
fn with_separators(piece: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(piece.len());
    let mut from = 0;
    let mut next = 0;
    while let Some(at) = find_byte(piece, b'<', next, piece.len()) {
        next = at + 1;
        let name_start = next + usize::from(piece.get(next) == Some(&b'/'));
        let size = piece[name_start..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let name = &piece[name_start..name_start + size];
        if !SEPARATING.iter().any(|tag| tag.eq_ignore_ascii_case(name)) {
            // The next character may be a letter outside of ASCII.
            continue;
        }
        if piece.get(name_start + size).map_or(false, |&byte| byte >= 0x80) {
            return None;
        }
        if let Some(sign) = find_byte(piece, b'>', name_start + size, piece.len()) {
            text.extend_from_slice(&piece[from..at]);
            text.push(b' ');
            from = sign + 1;
            next = from;
        }
    }
    text.extend_from_slice(&piece[from..]);
    Some(text)
}

/// A piece without tags and comments.
fn without_tags(piece: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(piece.len());
    let (mut from, mut next) = (0, 0);
    while let Some(at) = find_byte(piece, b'<', next, piece.len()) {
        next = at + 1;
        let name_start = next + usize::from(piece.get(next) == Some(&b'/'));
        let end = if piece[next..].starts_with(b"!--") {
            find_bytes(piece, b"-->", next + 3, piece.len()).map(|sign| sign + 3)
        } else if piece.get(name_start).map_or(false, u8::is_ascii_alphabetic) {
            find_byte(piece, b'>', name_start, piece.len()).map(|sign| sign + 1)
        } else {
            None
        };
        if let Some(end) = end {
            text.extend_from_slice(&piece[from..at]);
            from = end;
            next = end;
        }
    }
    text.extend_from_slice(&piece[from..]);
    text
}

/// The two letters of the language that the root element declares among the first bytes of a page, as one number; 0 if it
/// declares none (`tidings.sites.extraction.cut`).
pub fn declared_language(data: &[u8]) -> i64 {
    let data = &data[..data.len().min(ROOT)];
    let blanks = |at: usize| data[at..].iter().take_while(|&&byte| is_blank(byte)).count();
    let is_letter = |at: usize| data.get(at).map_or(false, u8::is_ascii_alphabetic);
    let value = |at: usize| {
        let rest = data.get(at + 1..).filter(|_| is_blank(data[at]))?;
        if !rest.get(..4)?.eq_ignore_ascii_case(b"lang") {
            return None;
        }
        let equals = at + 5 + blanks(at + 5);
        let start = if data.get(equals)? == &b'=' { equals + 1 + blanks(equals + 1) } else { return None };
        let start = start + usize::from(matches!(data.get(start), Some(b'"' | b'\'')));
        let is_value = is_letter(start) && is_letter(start + 1) && !is_letter(start + 2);
        if is_value {
            Some(i64::from(data[start]) << 8 | i64::from(data[start + 1]))
        } else {
            None
        }
    };
    starts_of(data, b"<html")
        .into_iter()
        .map(|place| place + 5)
        .filter(|&behind| !data.get(behind).map_or(false, |&byte| byte.is_ascii_alphanumeric() || byte == b'_'))
        .find_map(|behind| {
            let inner = data[behind..].iter().take(LONGEST_ROOT).take_while(|&&byte| byte != b'>').count();
            (behind..data.len().min(behind + inner + 1)).find_map(value)
        })
        .unwrap_or(0)
}

/// Append the number of ranges, and the ranges.
pub fn push_ranges(out: &mut Vec<i64>, ranges: &[Range]) {
    out.push(ranges.len() as i64);
    for &(start, end) in ranges {
        out.extend([start as i64, end as i64]);
    }
}
