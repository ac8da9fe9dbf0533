//! Finds characters that no reader sees and that can carry a message past them: Unicode tags, variation selectors,
//! zero-width and bidirectional control characters, blank fillers; as themselves, as character references and as escapes
//! of JSON. `tidings.page.invisible` decides which of them are removed.
//!
//! Usual spellings are not reported: a joiner between two letters of a script that needs it, a selector behind a symbol.

use crate::units::Unit;

/// How many characters are looked at together. Most of a page has nothing to report.
const CHUNK: usize = 32;

/// Whether a character may have to be removed.
#[inline]
pub fn is_suspect(code: u32) -> bool {
    matches!(
        code,
        0x034F | 0x061C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x2800 | 0x3164 | 0xFEFF | 0xFFA0
            | 0x180B..=0x180F | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F
            | 0xFE00..=0xFE0F | 0xFFF0..=0xFFFB
            | 0x1_BCA0..=0x1_BCA3 | 0x1_D173..=0x1_D17A | 0xE_0000..=0xE_0FFF
    )
}

/// Whether there is nothing to look at in a chunk: ASCII without ampersands and backslashes.
#[inline(always)]
fn is_plain<U: Unit>(units: &[U]) -> bool {
    // A length known beforehand makes it a few instructions.
    <&[U; CHUNK]>::try_from(units).map_or(false, |units| has_no_signs(units))
}

#[inline(always)]
fn has_no_signs<U: Unit>(units: &[U; CHUNK]) -> bool {
    let (ampersand, backslash) = (U::from(b'&'), U::from(b'\\'));
    let (mut bits, mut signs) = (U::from(0u8), U::from(0u8));
    for &unit in units.iter() {
        bits = bits | unit;
        signs = signs | U::from(unit == ampersand) | U::from(unit == backslash);
    }
    bits.code() < 0x80 && signs.code() == 0
}

/// The places of suspect characters, of references to such characters and of their escapes.
pub fn suspects<U: Unit>(text: &[U]) -> Vec<u64> {
    let (mut places, mut scripts) = (Vec::new(), Scripts::default());
    for (chunk, units) in text.chunks(CHUNK).enumerate() {
        if is_plain(units) {
            continue;
        }
        for (offset, unit) in units.iter().enumerate() {
            let place = chunk * CHUNK + offset;
            let is_found = match unit.code() {
                0x26 => reference(&text[place + 1..]).map_or(false, is_suspect),
                0x5C => is_suspect_escape(&text[place + 1..]) && scripts.is_json(text, place),
                0..=0x34E => false,
                code => is_suspect(code) && !is_usual(text, place, code),
            };
            if is_found {
                places.push(place as u64);
            }
        }
    }
    places
}

/// Whether a suspect character stands where it belongs, with no other beside it.
fn is_usual<U: Unit>(text: &[U], place: usize, code: u32) -> bool {
    let before = if place > 0 { text[place - 1].code() } else { 0 };
    let after = text.get(place + 1).map_or(0, |unit| unit.code());
    match code {
        0x200C | 0x200D => is_joining(before) && is_joining(after),
        0x200E | 0x200F => is_right_to_left(before) || is_right_to_left(after),
        0xFE0E | 0xFE0F => is_symbol(before) && !is_suspect(after),
        _ => false,
    }
}

/// Letters of Arabic, Syriac and the scripts of India.
fn is_joining(code: u32) -> bool {
    (0x0620..=0x074F).contains(&code) || (0x0900..=0x0DFF).contains(&code)
}

fn is_right_to_left(code: u32) -> bool {
    (0x05D0..=0x074F).contains(&code) && code != 0x061C
}

fn is_symbol(code: u32) -> bool {
    (0x2190..=0x27BF).contains(&code) || (0x1_F300..=0x1_FAFF).contains(&code)
}

/// The character of a reference, given what is behind its ampersand; references are often escaped twice.
fn reference<U: Unit>(mut rest: &[U]) -> Option<u32> {
    while let Some(inner) = behind(rest, b"amp;") {
        rest = inner;
    }
    if !rest.first().map_or(false, |unit| unit.is(b'#')) {
        return named(rest);
    }
    let is_hexadecimal = rest.get(1).map_or(false, |unit| unit.is(b'x') || unit.is(b'X'));
    let (digits, base) = if is_hexadecimal { (&rest[2..], 16) } else { (&rest[1..], 10) };
    let mut code = None;
    for unit in digits {
        match char::from(unit.ascii()).to_digit(base) {
            Some(digit) if unit.code() < 128 => {
                code = Some(code.unwrap_or(0u32).saturating_mul(base).saturating_add(digit));
            }
            _ => break,
        }
    }
    code
}

fn behind<'a, U: Unit>(text: &'a [U], word: &[u8]) -> Option<&'a [U]> {
    let is_there = text.len() >= word.len() && word.iter().zip(text).all(|(letter, unit)| unit.is(*letter));
    is_there.then(|| &text[word.len()..])
}

/// Whether a text begins with a word in small or large letters.
fn begins<U: Unit>(text: &[U], word: &[u8]) -> bool {
    text.len() >= word.len() && word.iter().zip(text).all(|(letter, unit)| unit.ascii().to_ascii_lowercase() == *letter)
}

fn named<U: Unit>(rest: &[U]) -> Option<u32> {
    if !rest.first().map_or(false, |unit| b"zlrZNAaIi".contains(&unit.ascii())) {
        return None;
    }
    const NAMES: [(&[u8], u32); 16] = [
        (b"zwj;", 0x200D),
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
    NAMES.iter().find(|(name, _)| behind(rest, name).is_some()).map(|(_, code)| *code)
}

/// Tells scripts that hold JSON from others, which often name invisible characters to remove them.
#[derive(Default)]
struct Scripts {
    place: usize,
    is_json: bool,
}

impl Scripts {
    /// Whether the last script that begins before a place holds JSON. Places are asked for in order.
    fn is_json<U: Unit>(&mut self, text: &[U], place: usize) -> bool {
        const START: &[u8] = b"<script";
        let from = self.place.saturating_sub(START.len());
        if let Some(start) = (from..place).rev().find(|&at| text[at].is(b'<') && begins(&text[at..], START)) {
            let tag = &text[start..text.len().min(start + 1000)];
            let size = tag.iter().position(|unit| unit.is(b'>')).unwrap_or(tag.len());
            self.is_json = (0..size).any(|at| begins(&tag[at..], b"json"));
        }
        self.place = place;
        self.is_json
    }
}

/// Whether an escape of JSON, given what is behind its backslash, is of a suspect character, or of half of one.
fn is_suspect_escape<U: Unit>(rest: &[U]) -> bool {
    escape(rest).map_or(false, |code| is_suspect(code) || matches!(code, 0xDB40 | 0xD834 | 0xD82F))
}

/// The number of an escape of JSON, given what is behind its backslash.
fn escape<U: Unit>(rest: &[U]) -> Option<u32> {
    if rest.len() < 5 || !rest[0].is(b'u') {
        return None;
    }
    rest[1..5].iter().try_fold(0, |code, unit| match unit.code() {
        0..=127 => char::from(unit.ascii()).to_digit(16).map(|digit| code * 16 + digit),
        _ => None,
    })
}

/// Whether UTF-8 holds a suspect character, a reference to one or an escape of one.
pub fn holds_suspect(data: &[u8]) -> bool {
    let mut scripts = Scripts::default();
    let mut from = 0;
    while let Some(place) = Unit::find(data, from, b'&') {
        from = place + 1;
        if reference(&data[from..]).map_or(false, is_suspect) {
            return true;
        }
    }
    from = 0;
    while let Some(place) = Unit::find(data, from, b'\\') {
        from = place + 1;
        if data.get(from) == Some(&b'u') && is_suspect_escape(&data[from..]) && scripts.is_json(data, place) {
            return true;
        }
    }
    data.chunks(CHUNK).enumerate().any(|(chunk, bytes)| {
        !is_ascii(bytes) && (0..bytes.len()).any(|offset| is_suspect_at(data, chunk * CHUNK + offset))
    })
}

#[inline(always)]
fn is_ascii(bytes: &[u8]) -> bool {
    bytes.iter().fold(0, |bits, byte| bits | byte) < 0x80
}

/// Whether a suspect character that does not stand where it belongs begins at a place of UTF-8.
fn is_suspect_at(data: &[u8], place: usize) -> bool {
    if !matches!(data[place], 0xCD | 0xD8 | 0xE1 | 0xE2 | 0xE3 | 0xEF | 0xF0 | 0xF3) {
        return false;
    }
    let code = match decoded(&data[place..data.len().min(place + 4)]).filter(|&code| is_suspect(code)) {
        Some(code) => code,
        None => return false,
    };
    let before = (1..=4.min(place)).map(|back| place - back).find(|&at| data[at] & 0xC0 != 0x80);
    let behind = place
        + if code > 0xFFFF {
            4
        } else if code > 0x7FF {
            3
        } else {
            2
        };
    let at = |start: usize| data.get(start..data.len().min(start + 4)).and_then(whole).unwrap_or(0);
    !is_usual(&[before.map_or(0, at), code, at(behind)], 1, code)
}

/// The character at the beginning of UTF-8.
fn whole(bytes: &[u8]) -> Option<u32> {
    match bytes.first()? {
        byte @ 0..=0x7F => Some(u32::from(*byte)),
        0x80..=0xC1 => None,
        _ => decoded(bytes),
    }
}

fn decoded(bytes: &[u8]) -> Option<u32> {
    let (size, head) = match bytes[0] {
        0xC2..=0xDF => (2, 0x1F),
        0xE0..=0xEF => (3, 0x0F),
        _ => (4, 0x07),
    };
    let rest = bytes.get(1..size)?;
    Some(rest.iter().fold(u32::from(bytes[0] & head), |code, byte| code << 6 | u32::from(byte & 0x3F)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<u64> {
        let units: Vec<u32> = text.chars().map(u32::from).collect();
        suspects(&units)
    }

    #[test]
    fn suspects_are_found_however_they_are_spelled() {
        assert_eq!(places("ab\u{200b}c\u{e0041}"), [2, 4]);
        assert_eq!(places("a&#x200B;&#8203;&zwj;&amp;#xE0041; &#39; &amp;"), [1, 9, 16, 21]);
        assert_eq!(places("<SCRIPT type=Json>\\u200b \\udb40\\udc41 \\u0041 \\n"), [18, 25]);
        assert_eq!(places("<script json></script><script>\\u200b"), []);
        assert_eq!(places("plain \u{201c}text\u{201d} \u{4e00}"), []);
        let long = format!("{}\u{202e}", "x".repeat(200));
        assert_eq!(places(&long), [200]);
    }

    #[test]
    fn usual_spellings_are_not_reported() {
        assert_eq!(places("\u{645}\u{6cc}\u{200c}\u{62e}"), []);
        assert_eq!(places("\u{2764}\u{fe0f} \u{1f600}\u{fe0f}"), []);
        assert_eq!(places("\u{5d0}\u{200f}!"), []);
        assert_eq!(places("\u{61c}\u{200e}"), [0, 1]);
        assert_eq!(places("\u{2764}\u{fe0f}\u{fe0f}"), [1, 2]);
    }

    #[test]
    fn bytes_are_looked_at_as_characters() {
        assert!(holds_suspect("a\u{200b}".as_bytes()));
        assert!(holds_suspect("a\u{e0041}".as_bytes()));
        assert!(holds_suspect(b"a&#x202e;"));
        assert!(holds_suspect(b"<script id=json>a\\udb40\\udc41"));
        assert!(!holds_suspect(b"<script>a\\udb40\\udc41"));
        assert!(!holds_suspect("plain \u{201c}text\u{201d} &amp; \u{4e00}\u{1f600}".as_bytes()));
        assert!(!holds_suspect(b"cut \xe2\x80"));
    }
}
