//! Finds characters that no reader sees and that can carry a message past them to a language model: Unicode tags,
//! variation selectors, zero-width and bidirectional control characters, blank fillers.
//!
//! A page is searched as UTF-8 before it is scanned, so that no output has to be. A character is found in each of its
//! spellings: as itself, as a character reference, and as an escape in a JSON script. What a script or an emoji needs
//! stays: a joiner between letters of Persian or Hindi, the selector behind a heart, the tags of the Scottish flag.

type Ranges = &'static [(u32, u32)];

/// Bytes that are looked at together. Most of a page has nothing to report.
const CHUNK: usize = 32;
/// Characters on either side in which letters written from right to left count.
const NEAR: usize = 40;
/// The longest reference beside an invisible character that is read.
const LONGEST_REFERENCE: usize = 28;
/// Bytes of a script's start tag that are looked at.
const LONGEST_TAG: usize = 1000;

const ZWJ: u32 = 0x200D;
const VS16: u32 = 0xFE0F;
const BLACK_FLAG: u32 = 0x1_F3F4;
/// The flags that fonts have: England, Scotland, Wales (Unicode Technical Standard 51, annex C).
const FLAGS: [&[u8; 5]; 3] = [b"gbeng", b"gbsct", b"gbwls"];
const FLAG_SIZE: usize = 6;

/// Scripts whose letters join or part with ZWJ and ZWNJ: Arabic, Syriac, those of India and South-East Asia, Mongolian.
const JOINING: Ranges = &[
    (0x0600, 0x0FFF),
    (0x1000, 0x109F),
    (0x1700, 0x1CFF),
    (0xA800, 0xABFF),
    (0xFB50, 0xFDFF),
    (0xFE70, 0xFEFE),
    (0x1_0D00, 0x1_0D3F),
    (0x1_1000, 0x1_1FFF),
    (0x1_E900, 0x1_E95F),
];
/// Scripts without spaces, where a zero-width space separates words.
const SPACELESS: Ranges = &[(0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1950, 0x1AAF), (0xA980, 0xAADF)];
/// Letters and marks that a combining grapheme joiner separates: accents, points of Hebrew, marks of Arabic.
const MARKED: Ranges = &[(0x0300, 0x034E), (0x0350, 0x036F), (0x0590, 0x061B), (0x061D, 0x08FF)];
const RIGHT_TO_LEFT: Ranges = &[(0x0590, 0x061B), (0x061D, 0x08FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC)];
const IDEOGRAPHS: Ranges = &[(0x3007, 0x3007), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x2_0000, 0x3_FFFF)];
const MONGOLIAN: Ranges = &[(0x1800, 0x180A), (0x1810, 0x18AF)];
const BRAILLE: Ranges = &[(0x2801, 0x28FF)];
const JAMO: Ranges = &[(0x1100, 0x115E), (0x1161, 0x11FF), (0xA960, 0xA97F), (0xD7B0, 0xD7FF)];
const EMOJI: Ranges = &[(0xA9, 0xAE), (0x2190, 0x2BFF), (0x3030, 0x303D), (0x1_F000, 0x1_FAFF)];
/// What has several looks: keycaps, symbols, emoji, ideographs, letters of Myanmar, Mongolian and Phags-pa.
const SELECTABLE: Ranges = &[
    (0x23, 0x23),
    (0x2A, 0x2A),
    (0x30, 0x39),
    (0xA9, 0xA9),
    (0xAE, 0xAE),
    (0x1000, 0x109F),
    (0x1800, 0x180A),
    (0x1810, 0x18AF),
    (0x203C, 0x203C),
    (0x2049, 0x2049),
    (0x2100, 0x27FF),
    (0x2900, 0x2BFF),
    (0x3000, 0x3163),
    (0x3165, 0x9FFF),
    (0xA840, 0xA877),
    (0xAA60, 0xAA7F),
    (0xF900, 0xFAFF),
    (0xFF01, 0xFF1F),
    (0x1_0AC0, 0x1_0AFF),
    (0x1_F000, 0x1_FAFF),
    (0x2_0000, 0x3_FFFF),
];

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

/// Classes of invisible characters, in the order in which `tidings.page.invisible` names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Selector,
    Tag,
    Bidi,
    Annotation,
    Filler,
    ZeroWidth,
}

pub const CLASSES: usize = Class::ZeroWidth as usize + 1;

/// Bytes to be taken out of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removal {
    pub start: usize,
    pub end: usize,
    pub class: Class,
    /// Whether a space takes its place, so that what is around it does not join.
    pub leaves_space: bool,
}

/// An invisible character as it is spelled in a page.
struct Character {
    start: usize,
    end: usize,
    code: u32,
}

/// Find the invisible characters of UTF-8 that have to be removed.
pub fn removals(data: &[u8]) -> Vec<Removal> {
    let (mut found, mut run, mut context) = (Vec::new(), Vec::<Character>::new(), Context::default());
    for (number, chunk) in data.chunks(CHUNK).enumerate() {
        if is_plain(chunk) {
            continue;
        }
        for (offset, _) in chunk.iter().enumerate().filter(|(_, byte)| BEGINS_SPELLING[usize::from(**byte)]) {
            let place = number * CHUNK + offset;
            let end = run.last().map_or(0, |last| last.end);
            if place < end {
                continue;
            }
            if let Some(character) = spelled_at(data, place, &mut context) {
                if character.start > end {
                    remove(data, &run, &mut found);
                    run.clear();
                }
                run.push(character);
            }
        }
    }
    remove(data, &run, &mut found);
    found
}

/// Whether a chunk is ASCII without ampersands and backslashes.
#[inline(always)]
fn is_plain(chunk: &[u8]) -> bool {
    // A length known beforehand makes it a few instructions.
    <&[u8; CHUNK]>::try_from(chunk).map_or(false, |bytes| {
        let (mut bits, mut signs) = (0, 0);
        for &byte in bytes {
            bits |= byte;
            signs |= u8::from(byte == b'&') | u8::from(byte == b'\\');
        }
        bits < 0x80 && signs == 0
    })
}

/// Bytes with which the spelling of an invisible character begins.
const BEGINS_SPELLING: [bool; 256] = {
    let bytes = [b'&', b'\\', 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3];
    let (mut table, mut at) = ([false; 256], 0);
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
};

/// The class of a character that may have to be removed.
fn class_of(code: u32) -> Option<Class> {
    Some(match code {
        0xFE00..=0xFE0F | 0x180B..=0x180D | 0x180F | 0xE_0100..=0xE_01EF => Class::Selector,
        0xE_0000..=0xE_0FFF => Class::Tag,
        0x061C | 0x200E | 0x200F | 0x202A..=0x202E | 0x2066..=0x2069 => Class::Bidi,
        0xFFF0..=0xFFFB => Class::Annotation,
        0x115F | 0x1160 | 0x2800 | 0x3164 | 0xFFA0 => Class::Filler,
        0x034F | 0x17B4 | 0x17B5 | 0x180E | 0x200B..=0x200D | 0x2060..=0x206F | 0xFEFF => Class::ZeroWidth,
        0x1_BCA0..=0x1_BCA3 | 0x1_D173..=0x1_D17A => Class::ZeroWidth,
        _ => return None,
    })
}

/// The invisible character that is spelled at a place, if it is decoded there.
fn spelled_at(data: &[u8], place: usize, context: &mut Context) -> Option<Character> {
    let rest = &data[place + 1..];
    let (code, end) = match data[place] {
        b'&' => {
            let (code, size) = reference(rest)?;
            class_of(code)?;
            // `&amp;#8203;` in a text shows a reader the reference.
            if rest.starts_with(b"amp;") && !context.is_decoded_twice(data, place) {
                return None;
            }
            (code, place + 1 + size)
        }
        b'\\' => {
            let (code, size) = escape(rest)?;
            class_of(code)?;
            if !context.is_json(data, place) {
                return None;
            }
            (code, place + 1 + size)
        }
        _ => {
            let (code, size) = decoded(&data[place..])?;
            class_of(code)?;
            if is_usual(data, place, code, place + size) {
                return None;
            }
            (code, place + size)
        }
    };
    Some(Character { start: place, end, code })
}

/// Whether a character is where it belongs, with no other invisible one beside it. It is not counted to a run then.
fn is_usual(data: &[u8], start: usize, code: u32, end: usize) -> bool {
    let before = character_before(data, start);
    let after = character_at(data, end);
    match code {
        0x200C | ZWJ => is_joining_letter(before) && is_joining_letter(after),
        0x200E | 0x200F => is_right_to_left_letter(before) || is_right_to_left_letter(after),
        0xFE0E | VS16 => is_symbol(before) && class_of(after).is_none(),
        _ => false,
    }
}

/// Letters of Arabic, Syriac and the scripts of India.
fn is_joining_letter(code: u32) -> bool {
    (0x0620..=0x074F).contains(&code) || (0x0900..=0x0DFF).contains(&code)
}

fn is_right_to_left_letter(code: u32) -> bool {
    (0x05D0..=0x074F).contains(&code) && code != 0x061C
}

fn is_symbol(code: u32) -> bool {
    (0x2190..=0x27BF).contains(&code) || (0x1_F300..=0x1_FAFF).contains(&code)
}

/// Add what has to be removed of invisible characters that follow each other.
fn remove(data: &[u8], run: &[Character], found: &mut Vec<Removal>) {
    let kept = match run {
        [] => return,
        _ => needed(data, run),
    };
    for (at, character) in run.iter().enumerate().skip(kept) {
        let class = class_of(character.code).unwrap_or(Class::ZeroWidth);
        let leaves_space = class == Class::Filler || (at == 0 && is_unfinished(data, character.start));
        found.push(Removal { start: character.start, end: character.end, class, leaves_space });
    }
}

/// How many characters at the beginning of a run are needed by what is around it.
fn needed(data: &[u8], run: &[Character]) -> usize {
    let (start, end, first) = (run[0].start, run[run.len() - 1].end, run[0].code);
    let around = Neighbours { before: code_before(data, start), after: code_after(data, end) };
    let code_at = |at: usize| run.get(at).map_or(0, |character| character.code);
    if around.before == BLACK_FLAG {
        let is_flag = |name: &&&[u8; 5]| {
            name.iter().enumerate().all(|(at, letter)| code_at(at) == 0xE_0000 + u32::from(*letter))
                && code_at(FLAG_SIZE - 1) == 0xE_007F
        };
        if FLAGS.iter().any(|name| is_flag(&name)) {
            return FLAG_SIZE;
        }
    }
    if run.len() == 2 && (first, code_at(1)) == (VS16, ZWJ) && is_in(around.before, EMOJI) && is_in(around.after, EMOJI)
    {
        return 2;
    }
    if run.iter().all(|character| character.code == 0x2800) {
        return if around.touches(BRAILLE) { run.len() } else { 0 };
    }
    if run.iter().all(|character| (0x180B..=0x180F).contains(&character.code)) {
        return if around.touches(MONGOLIAN) { run.len().min(2) } else { 0 };
    }
    if run.len() > 1 && class_of(first) == Some(Class::Selector) {
        return 0;
    }
    let is_needed = match first {
        0x200B => around.touches(SPACELESS),
        0x200C => around.touches(JOINING),
        ZWJ => around.touches(JOINING) || around.joins_emoji(),
        0x061C | 0x200E | 0x200F => is_near_right_to_left(data, start, end),
        0xFE00..=0xFE0F => is_in(around.before, SELECTABLE),
        0xE_0100..=0xE_01EF => is_in(around.before, IDEOGRAPHS),
        0x034F => is_in(around.before, MARKED),
        0x115F | 0x1160 => around.touches(JAMO),
        // Operators of MathML.
        0x2061..=0x2064 => around.before == u32::from(b'>') && around.after == u32::from(b'<'),
        _ => false,
    };
    usize::from(is_needed)
}

/// The characters around a run.
struct Neighbours {
    before: u32,
    after: u32,
}

impl Neighbours {
    fn touches(&self, ranges: Ranges) -> bool {
        is_in(self.before, ranges) || is_in(self.after, ranges)
    }

    fn joins_emoji(&self) -> bool {
        is_in(self.after, EMOJI) && (is_in(self.before, EMOJI) || self.before == VS16)
    }
}

fn is_in(code: u32, ranges: Ranges) -> bool {
    ranges.iter().any(|&(first, last)| (first..=last).contains(&code))
}

/// Whether the bytes before a place begin a reference or an escape that could go on behind it. Without a space in its
/// place, removing a character from `&#82\u{200b}03;` would make `&#8203;`.
fn is_unfinished(data: &[u8], place: usize) -> bool {
    let sign = data[..place].iter().rev().find(|byte| !(byte.is_ascii_alphanumeric() || **byte == b'#'));
    matches!(sign, Some(b'&' | b'\\'))
}

/// Whether letters written from right to left are near a run.
fn is_near_right_to_left(data: &[u8], start: usize, end: usize) -> bool {
    let (mut from, mut until) = (start, end);
    for _ in 0..NEAR {
        from -= size_before(data, from);
        until += decoded_or_byte(&data[until..]).1;
    }
    [&data[from..start], &data[end..until]].iter().any(|near| has_right_to_left(near))
}

fn has_right_to_left(near: &[u8]) -> bool {
    let mut at = 0;
    while at < near.len() {
        let (code, size) = decoded_or_byte(&near[at..]);
        // `&#1488;`: the numbers of Hebrew, Arabic and Syriac letters.
        let is_number = matches!(&near[at..], [b'&', b'#', b'1', b'4'..=b'8', b'0'..=b'9', b'0'..=b'9', b';', ..]);
        if is_number || is_in(code, RIGHT_TO_LEFT) {
            return true;
        }
        at += size;
    }
    false
}

/// The character before a place: itself, a reference or an escape of JSON.
fn code_before(data: &[u8], place: usize) -> u32 {
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

/// The character behind a place: itself, a reference or an escape of JSON.
fn code_after(data: &[u8], place: usize) -> u32 {
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

/// The character of a reference, given what is between its ampersand and its semicolon.
fn named_or_number(name: &[u8]) -> Option<u32> {
    match name {
        [b'#', ..] => number(name).map(|(code, _)| code),
        [] => None,
        _ if !name.iter().all(u8::is_ascii_alphabetic) => None,
        _ => Some(SYMBOL_NAMES.iter().find(|(symbol, _)| *symbol == name).map_or(0, |(_, code)| *code)),
    }
}

/// The character of a reference and the bytes that it takes, given what is behind its ampersand. References are often
/// escaped more than once.
fn reference(rest: &[u8]) -> Option<(u32, usize)> {
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

/// The number of `#8203` or `#x200B`, and the bytes that it takes.
fn number(text: &[u8]) -> Option<(u32, usize)> {
    let (first, base) = if matches!(text.get(1), Some(b'x' | b'X')) { (2, 16) } else { (1, 10) };
    let digits = text[first.min(text.len())..].iter().map_while(|byte| char::from(*byte).to_digit(base));
    let (code, count) =
        digits.fold((0u32, 0), |(code, count), digit| (code.saturating_mul(base).saturating_add(digit), count + 1));
    (count > 0).then(|| (code, first + count))
}

/// The character of an escape of JSON and the bytes that it takes, given what is behind its backslash.
fn escape(rest: &[u8]) -> Option<(u32, usize)> {
    let first = escape_unit(rest)?;
    let pair = match rest.get(5) {
        Some(b'\\') => escape_unit(&rest[6..]).and_then(|low| joined(first, low)),
        _ => None,
    };
    Some(pair.map_or((first, 5), |code| (code, 11)))
}

/// The number of `u200b`.
fn escape_unit(text: &[u8]) -> Option<u32> {
    let digits = match text {
        [b'u', digits @ ..] if digits.len() >= 4 => &digits[..4],
        _ => return None,
    };
    digits.iter().try_fold(0, |code, byte| char::from(*byte).to_digit(16).map(|digit| code * 16 + digit))
}

/// The character of a pair of surrogates.
fn joined(high: u32, low: u32) -> Option<u32> {
    ((0xD800..0xDC00).contains(&high) && (0xDC00..0xE000).contains(&low))
        .then(|| 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
}

/// What is known of the page at a place. Places are asked for in order, so that each byte is looked at once.
#[derive(Default)]
struct Context {
    place: usize,
    is_tag: bool,
    is_json: bool,
}

impl Context {
    /// Whether references that are escaped twice are decoded twice at a place: in attributes and in JSON.
    fn is_decoded_twice(&mut self, data: &[u8], place: usize) -> bool {
        self.advance(data, place);
        self.is_tag || self.is_json
    }

    /// Whether the last script that begins before a place holds JSON. Others often name invisible characters in order to
    /// remove them.
    fn is_json(&mut self, data: &[u8], place: usize) -> bool {
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

/// Whether a text begins with a word, in lower or upper case.
fn begins(text: &[u8], word: &[u8]) -> bool {
    text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word)
}

/// The character at a place of UTF-8; 0 if there is none.
fn character_at(data: &[u8], place: usize) -> u32 {
    match data.get(place) {
        Some(byte @ 0..=0x7F) => u32::from(*byte),
        Some(_) => decoded(&data[place..]).map_or(0, |(code, _)| code),
        None => 0,
    }
}

fn character_before(data: &[u8], place: usize) -> u32 {
    character_at(data, place - size_before(data, place))
}

/// The size of the character before a place; 0 at the beginning.
fn size_before(data: &[u8], place: usize) -> usize {
    let continuations = data[..place].iter().rev().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    (continuations + 1).min(place)
}

/// The character at the beginning of some bytes and its size; of no character and at the end the byte alone.
fn decoded_or_byte(bytes: &[u8]) -> (u32, usize) {
    let byte = bytes.first().map_or((0, 0), |byte| (u32::from(*byte), 1));
    if byte.0 < 0x80 {
        return byte;
    }
    decoded(bytes).unwrap_or((0, 1))
}

/// The character at the beginning of some bytes and its size, if it is not ASCII.
fn decoded(bytes: &[u8]) -> Option<(u32, usize)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<(usize, usize)> {
        removals(text.as_bytes()).iter().map(|removal| (removal.start, removal.end)).collect()
    }

    #[test]
    fn characters_are_found_however_they_are_spelled() {
        assert_eq!(places("ab\u{200b}c\u{e0041}"), [(2, 5), (6, 10)]);
        assert_eq!(places("a&#x200B;&#8203;&zwj;b &#39; &amp;"), [(1, 9), (9, 16), (16, 21)]);
        assert_eq!(places("<p>&amp;#xE0041;</p><p title='&amp;#xE0041;'>"), [(30, 43)]);
        assert_eq!(places("<SCRIPT type=Json>\\u200b \\udb40\\udc41 \\u0041 \\n"), [(18, 24), (25, 37)]);
        assert_eq!(places("<script json></script><script>\\u200b"), []);
        assert_eq!(places("plain \u{201c}text\u{201d} \u{4e00}"), []);
        assert_eq!(places(&format!("{}\u{202e}", "x".repeat(200))), [(200, 203)]);
    }

    #[test]
    fn what_a_script_or_an_emoji_needs_stays() {
        for text in [
            "\u{645}\u{6cc}\u{200c}\u{62e}",
            "&#1605;&#1740;&zwnj;&#1582;",
            "\u{2764}\u{fe0f} \u{1f600}\u{fe0f} &hearts;\u{fe0f}",
            "\u{5d0}\u{200f}!",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
        ] {
            assert_eq!(places(text), [], "{}", text);
        }
        assert_eq!(places("\u{2764}\u{fe0f}\u{fe0f}").len(), 2);
    }

    #[test]
    fn a_space_keeps_the_parts_of_a_reference_apart() {
        let spaces =
            |text: &str| removals(text.as_bytes()).iter().map(|removal| removal.leaves_space).collect::<Vec<_>>();
        assert_eq!(spaces("&#82\u{200b}\u{200b}03;"), [true, false]);
        assert_eq!(spaces("<script json>\\u20\u{200b}0b"), [true]);
        assert_eq!(spaces("a \u{200b}b"), [false]);
        assert_eq!(spaces("a\u{3164}b"), [true]);
    }

    #[test]
    fn damaged_bytes_are_no_characters() {
        assert_eq!(removals(b"cut \xe2\x80"), []);
        assert_eq!(removals(b"\xe2\x80K \xf3\xa0"), []);
        assert_eq!(removals(b"&#"), []);
        assert_eq!(removals(b"<script json>\\udb40\\u"), []);
    }
}
