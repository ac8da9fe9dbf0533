//! Reads the spellings of characters in a page: UTF-8, character references, and escapes in JSON scripts.

use super::ZWJ;

/// The maximum length of a reference next to an invisible character.
const LONGEST_REFERENCE: usize = 28;
/// Bytes of a script's start tag that are read.
const LONGEST_TAG: usize = 1000;

/// Named references of invisible characters.
const INVISIBLE_NAMES: [(&[u8], u32); 16] = [
    (b"zwj;", ZWJ),
    (b"zwnj;", 0x200C),
    (b"lrm", 0x200E),
    (b"rlm", 0x200F),
    (b"ZeroWidthSpace;", 0x200B),
    (b"NegativeVeryThinSpace;", 0x200B),
    (b"NegativeThinSpace;", 0x200B),
    (b"NegativeMediumSpace;", 0x200B),
    (b"NegativeThickSpace;", 0x200B),
    (b"NoBreak;", 0x2060),
    (b"ApplyFunction;", 0x2061),
    (b"af;", 0x2061),
    (b"InvisibleTimes;", 0x2062),
    (b"it;", 0x2062),
    (b"InvisibleComma;", 0x2063),
    (b"ic;", 0x2063),
];
/// Named references of symbols that are often followed by a variation selector.
const SYMBOL_NAMES: [(&[u8], u32); 14] = [
    (b"copy", 0xA9),
    (b"reg", 0xAE),
    (b"trade", 0x2122),
    (b"hearts", 0x2665),
    (b"spades", 0x2660),
    (b"clubs", 0x2663),
    (b"diams", 0x2666),
    (b"larr", 0x2190),
    (b"uarr", 0x2191),
    (b"rarr", 0x2192),
    (b"darr", 0x2193),
    (b"harr", 0x2194),
    (b"star", 0x2606),
    (b"check", 0x2713),
];

/// Return the character before a position: itself, a reference or an escape of JSON.
pub fn code_before(data: &[u8], place: usize) -> u32 {
    match data[..place].last() {
        Some(b';') => {
            let from = place.saturating_sub(LONGEST_REFERENCE);
            let sign = data[from..place].iter().rposition(|byte| *byte == b'&');
            sign.and_then(|sign| named_or_number(&data[from + sign + 1..place - 1])).unwrap_or(u32::from(b';'))
        }
        Some(byte) if byte.is_ascii_hexdigit() => {
            let unit = |end: usize| match end.checked_sub(6).map(|start| &data[start..end]) {
                Some([b'\\', rest @ ..]) => escape_unit(rest),
                _ => None,
            };
            match unit(place) {
                Some(low) => joined(unit(place.saturating_sub(6)).unwrap_or(0), low).unwrap_or(low),
                None => u32::from(*byte),
            }
        }
        _ => character_before(data, place),
    }
}

/// Return the character at a position: itself, a reference or an escape of JSON.
pub fn code_after(data: &[u8], place: usize) -> u32 {
    let rest = &data[place..];
    match rest.first() {
        Some(b'&') => {
            let near = &rest[..rest.len().min(LONGEST_REFERENCE)];
            let end = near.iter().position(|byte| *byte == b';');
            end.and_then(|end| named_or_number(&near[1..end])).unwrap_or(u32::from(b'&'))
        }
        Some(b'\\') => escape(&rest[1..]).map_or(u32::from(b'\\'), |(code, _)| code),
        _ => character_at(data, place),
    }
}

/// Return the character of a reference by the text between its ampersand and its semicolon.
fn named_or_number(name: &[u8]) -> Option<u32> {
    match name {
        [b'#', ..] => number(name).map(|(code, _)| code),
        [] => None,
        _ if !name.iter().all(u8::is_ascii_alphabetic) => None,
        _ => Some(SYMBOL_NAMES.iter().find(|(symbol, _)| *symbol == name).map_or(0, |(_, code)| *code)),
    }
}

/// Return the character and the size of a reference after its ampersand. References are often escaped more than once.
pub fn reference(rest: &[u8]) -> Option<(u32, usize)> {
    let mut start = 0;
    while rest[start..].starts_with(b"amp;") {
        start += 4;
    }
    let (code, size) = match rest.get(start)? {
        b'#' => number(&rest[start..])?,
        b'z' | b'l' | b'r' | b'Z' | b'N' | b'A' | b'a' | b'I' | b'i' => {
            let (name, code) = INVISIBLE_NAMES.iter().find(|(name, _)| rest[start..].starts_with(name))?;
            (*code, name.len())
        }
        _ => return None,
    };
    let end = start + size;
    Some((code, end + usize::from(rest[end - 1] != b';' && rest.get(end) == Some(&b';'))))
}

/// Return the number in `#8203` or `#x200B`, and its size.
fn number(text: &[u8]) -> Option<(u32, usize)> {
    let (first, base) = if matches!(text.get(1), Some(b'x' | b'X')) { (2, 16) } else { (1, 10) };
    let digits = text[first.min(text.len())..].iter().map_while(|byte| char::from(*byte).to_digit(base));
    let (code, count) =
        digits.fold((0u32, 0), |(code, count), digit| (code.saturating_mul(base).saturating_add(digit), count + 1));
    (count > 0).then(|| (code, first + count))
}

/// Return the character and the size of a JSON escape after its backslash.
pub fn escape(rest: &[u8]) -> Option<(u32, usize)> {
    let first = escape_unit(rest)?;
    let pair = match rest.get(5) {
        Some(b'\\') => escape_unit(&rest[6..]).and_then(|low| joined(first, low)),
        _ => None,
    };
    Some(pair.map_or((first, 5), |code| (code, 11)))
}

/// Return the number in `u200b`.
fn escape_unit(text: &[u8]) -> Option<u32> {
    let digits = match text {
        [b'u', digits @ ..] if digits.len() >= 4 => &digits[..4],
        _ => return None,
    };
    digits.iter().try_fold(0, |code, byte| char::from(*byte).to_digit(16).map(|digit| code * 16 + digit))
}

/// Return the character of a pair of surrogates.
fn joined(high: u32, low: u32) -> Option<u32> {
    ((0xD800..0xDC00).contains(&high) && (0xDC00..0xE000).contains(&low))
        .then(|| 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
}

/// The context of a position in a page. Positions are ascending, so that each byte is read once.
#[derive(Default)]
pub struct Context {
    place: usize,
    is_tag: bool,
    is_json: bool,
}

impl Context {
    /// Whether references that are escaped twice are decoded twice: in attributes and in JSON.
    pub fn is_decoded_twice(&mut self, data: &[u8], place: usize) -> bool {
        self.advance(data, place);
        self.is_tag || self.is_json
    }

    /// Whether the last script before a position is JSON. Other scripts often name invisible characters to remove them.
    pub fn is_json(&mut self, data: &[u8], place: usize) -> bool {
        self.advance(data, place);
        self.is_json
    }

    fn advance(&mut self, data: &[u8], place: usize) {
        const START: &[u8] = b"<script";
        if let Some(sign) = data[self.place..place].iter().rev().find(|byte| matches!(byte, b'<' | b'>')) {
            self.is_tag = *sign == b'<';
        }
        let from = self.place.saturating_sub(START.len());
        let script = (from..place).rev().find(|&at| data[at] == b'<' && begins(&data[at..], START));
        if let Some(start) = script {
            let tag = &data[start..data.len().min(start + LONGEST_TAG)];
            let size = tag.iter().position(|byte| *byte == b'>').unwrap_or(tag.len());
            self.is_json = (0..size).any(|at| begins(&tag[at..], b"json"));
        }
        self.place = place;
    }
}

/// Whether a text begins with a word, ignoring case.
fn begins(text: &[u8], word: &[u8]) -> bool {
    text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word)
}

/// Return the character at a position of UTF-8; 0 if there is none.
pub fn character_at(data: &[u8], place: usize) -> u32 {
    match data.get(place) {
        Some(byte @ 0..=0x7F) => u32::from(*byte),
        Some(_) => decoded(&data[place..]).map_or(0, |(code, _)| code),
        None => 0,
    }
}

pub fn character_before(data: &[u8], place: usize) -> u32 {
    character_at(data, place - size_before(data, place))
}

/// Return the size of the character before a position; 0 at the beginning.
pub fn size_before(data: &[u8], place: usize) -> usize {
    let continuations = data[..place].iter().rev().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    (continuations + 1).min(place)
}

/// Return the first character of some bytes and its size; of invalid bytes a single byte.
pub fn decoded_or_byte(bytes: &[u8]) -> (u32, usize) {
    let byte = bytes.first().map_or((0, 0), |byte| (u32::from(*byte), 1));
    if byte.0 < 0x80 {
        return byte;
    }
    decoded(bytes).unwrap_or((0, 1))
}

/// Return the first character of some bytes and its size, if it is not ASCII.
pub fn decoded(bytes: &[u8]) -> Option<(u32, usize)> {
    let (size, head) = match bytes.first()? {
        0xC2..=0xDF => (2, 0x1F),
        0xE0..=0xEF => (3, 0x0F),
        0xF0..=0xF4 => (4, 0x07),
        _ => return None,
    };
    let rest = bytes.get(1..size)?;
    let is_whole = rest.iter().all(|byte| byte & 0xC0 == 0x80);
    let code = rest.iter().fold(u32::from(bytes[0] & head), |code, byte| code << 6 | u32::from(byte & 0x3F));
    is_whole.then_some((code, size))
}
