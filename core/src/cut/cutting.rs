//! Cuts a page by rules and returns the pieces as numbers.

use super::finished::Finished;
use crate::anchors::Range;
use crate::block_rows::is_plain_address;
use crate::block_texts::{read_fragment, Knowledge};
use crate::fragment_pictures::fold;
use crate::needles::{find_byte, find_bytes, starts_of, Word};
use crate::references::unescape;
use crate::sheet::Sheet;
use crate::tables::Tables;

/// Bytes in which the language of the page is looked for, and those of the tag that declares it.
const ROOT: usize = 4096;
const LONGEST_ROOT: usize = 999;
/// About as many characters as fields say.
const SAID: usize = 1024;

/// What rules cut out of a page.
pub struct Cutting {
    /// 0, whether there may be a `<base>`, the language that the root declares (`declared_language`), then ranges with
    /// their count before them, of each rule for a field, of the main text and of the style sheets; where texts are told
    /// in place of ranges, their count below zero, and of each twice its end, and one more if it is an address of which
    /// nothing has to be changed. Or why the rules do not fit, and which.
    pub numbers: Vec<i64>,
    /// What fields say, one behind the other.
    pub said: Vec<u32>,
    /// What the main text says.
    pub text: Option<Finished>,
}

impl Cutting {
    pub fn of(numbers: Vec<i64>) -> Self {
        Cutting { numbers, said: Vec::with_capacity(SAID), text: None }
    }

    /// Tell what pieces of a field say; where they stand, if one of them is left to Python.
    pub fn tell(&mut self, data: &[u8], ranges: &[Range], mut say: impl FnMut(&[u8], &mut Vec<u32>) -> Option<()>) {
        let (numbers, said) = (self.numbers.len(), self.said.len());
        self.numbers.push(-(ranges.len() as i64));
        for &(start, end) in ranges {
            if say(&data[start..end], &mut self.said).is_none() {
                self.numbers.truncate(numbers);
                self.said.truncate(said);
                return put(&mut self.numbers, ranges);
            }
            let from =
                self.numbers.last().filter(|_| self.numbers.len() > numbers + 1).map_or(said, |&end| end as usize >> 1);
            let is_address = is_plain_address(&self.said[from..]);
            self.numbers.push((self.said.len() as i64) << 1 | i64::from(is_address));
        }
    }
}

/// Put the text of a piece without tags behind `out`, white space folded; nothing if it has some, or is no UTF-8.
pub fn say(piece: &[u8], tables: &Tables, out: &mut Vec<u32>) -> Option<()> {
    if piece.contains(&b'<') {
        return None;
    }
    say_all(piece, tables, out)
}

/// The same, whatever is in it.
fn say_all(piece: &[u8], tables: &Tables, out: &mut Vec<u32>) -> Option<()> {
    let has_references = piece.contains(&b'&');
    if !has_references && piece.is_ascii() {
        out.reserve(piece.len());
        fold(piece, out); // as most
        return Some(());
    }
    let mut codes: Vec<u32> = Vec::with_capacity(piece.len());
    codes.extend(std::str::from_utf8(piece).ok()?.chars().map(u32::from));
    if has_references {
        let mut read = Vec::with_capacity(codes.len());
        unescape(&codes, tables, &mut read);
        codes = read;
    }
    out.reserve(codes.len());
    fold(&codes, out);
    Some(())
}

/// Words with one of which a tag can hide its element, or has to be read closely (`tidings.page.hidden`).
const HIDING: [&[u8]; 9] =
    [b"style", b"hidden", b"sr-only", b"sronly", b"-sr", b"screen", b"-none", b"no-display", b"invisible"];
/// Names whose tags part words.
const PARTING: [&[u8]; 16] = [
    b"p", b"div", b"br", b"li", b"h1", b"h2", b"h3", b"h4", b"h5", b"h6", b"td", b"tr", b"ul", b"ol", b"section",
    b"header",
];

/// Put what a reader sees of an element behind `out`, white space folded (`tidings.sites.values.text_of`); nothing if it is
/// left to Python.
pub fn say_seen(element: &[u8], sheet: &Sheet, known: Knowledge, out: &mut Vec<u32>) -> Option<()> {
    if !element.contains(&b'<') {
        return say_all(element, known.tables, out);
    }
    let holds = |word: &&[u8]| Word::new(word).is_in(element);
    if !sheet.is_empty() || element.contains(&b'&') || HIDING.iter().any(holds) {
        let known = Knowledge { asking: None, ..known };
        let said = read_fragment(&[b"<div>", element, b"</div>"].concat(), sheet, known).ok()?;
        if !said.between_cells.is_empty() {
            return None; // a field has no bars between cells
        }
        let mut codes = Vec::with_capacity(said.codes.len() + said.ends.len());
        for text in said.texts() {
            codes.extend_from_slice(text);
            codes.push(u32::from(b' '));
        }
        fold(&codes, out);
        return Some(());
    }
    // What Python takes for a letter of a name in other scripts, and what it passes over as raw text.
    if [&b"\xC5\xBF"[..], b"\xE2\x84\xAA", b"<script", b"<style"].iter().any(holds) {
        return None;
    }
    say_all(&without_tags(&parted(element)?), known.tables, out)
}

/// A piece with a space in place of each tag that parts words; nothing if it is left to Python.
fn parted(piece: &[u8]) -> Option<Vec<u8>> {
    let mut found = Vec::with_capacity(piece.len());
    let mut from = 0;
    let mut next = 0;
    while let Some(at) = find_byte(piece, b'<', next, piece.len()) {
        next = at + 1;
        let named = next + usize::from(piece.get(next) == Some(&b'/'));
        let size = piece[named..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let name = &piece[named..named + size];
        if !PARTING.iter().any(|one| one.eq_ignore_ascii_case(name)) {
            // The name may go on with a letter that is not ASCII, or end there.
            continue;
        }
        if piece.get(named + size).map_or(false, |&byte| byte >= 0x80) {
            return None;
        }
        if let Some(sign) = find_byte(piece, b'>', named + size, piece.len()) {
            found.extend_from_slice(&piece[from..at]);
            found.push(b' ');
            from = sign + 1;
            next = from;
        }
    }
    found.extend_from_slice(&piece[from..]);
    Some(found)
}

/// A piece without tags and comments.
fn without_tags(piece: &[u8]) -> Vec<u8> {
    let mut found = Vec::with_capacity(piece.len());
    let (mut from, mut next) = (0, 0);
    while let Some(at) = find_byte(piece, b'<', next, piece.len()) {
        next = at + 1;
        let named = next + usize::from(piece.get(next) == Some(&b'/'));
        let end = if piece[next..].starts_with(b"!--") {
            find_bytes(piece, b"-->", next + 3, piece.len()).map(|sign| sign + 3)
        } else if piece.get(named).map_or(false, u8::is_ascii_alphabetic) {
            find_byte(piece, b'>', named, piece.len()).map(|sign| sign + 1)
        } else {
            None
        };
        if let Some(end) = end {
            found.extend_from_slice(&piece[from..at]);
            from = end;
            next = end;
        }
    }
    found.extend_from_slice(&piece[from..]);
    found
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

fn is_blank(byte: u8) -> bool {
    matches!(byte, 9..=13 | b' ')
}

/// Put ranges behind their count.
pub fn put(out: &mut Vec<i64>, ranges: &[Range]) {
    out.push(ranges.len() as i64);
    for &(start, end) in ranges {
        out.extend([start as i64, end as i64]);
    }
}
