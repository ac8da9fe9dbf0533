//! Finds invisible characters that can carry a message to a language model: Unicode tags,
//! variation selectors, zero-width and bidirectional control characters, blank fillers.
//!
//! A page is searched as UTF-8 before it is scanned, so that no output has to be. Each spelling of a character is found:
//! itself, a character reference, and an escape in a JSON script. Characters that a script or an emoji needs stay: a joiner
//! between letters of Persian or Hindi, the selector after a heart, the tags of the Scottish flag.

mod spelling;

use spelling::{
    character_at, character_before, code_after, code_before, decoded, decoded_or_byte, escape, reference, size_before,
    Context,
};

type Ranges = &'static [(u32, u32)];

/// Bytes that are checked together. Most chunks have no candidates.
const CHUNK: usize = 32;
/// Characters on either side that are searched for right-to-left letters.
const NEAR: usize = 40;

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
/// Characters with variants: keycaps, symbols, emoji, ideographs, letters of Myanmar, Mongolian and Phags-pa.
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

/// Bytes to remove from a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removal {
    pub start: usize,
    pub end: usize,
    pub class: Class,
    /// Whether it is replaced by a space, so that its neighbours do not join.
    pub leaves_space: bool,
}

/// An invisible character and its range in a page.
struct Character {
    start: usize,
    end: usize,
    code: u32,
}

/// Find the invisible characters of UTF-8 that have to be removed.
pub fn removals(data: &[u8]) -> Vec<Removal> {
    let (mut result, mut run, mut context) = (Vec::new(), Vec::<Character>::new(), Context::default());
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
                    remove(data, &run, &mut result);
                    run.clear();
                }
                run.push(character);
            }
        }
    }
    remove(data, &run, &mut result);
    result
}

/// Whether a chunk is ASCII without ampersands and backslashes.
#[inline(always)]
fn is_plain(chunk: &[u8]) -> bool {
    // A constant length compiles to a few instructions.
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

/// Return the invisible character at a position, if it is decoded there.
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

/// Whether a character has its usual neighbours, none of them invisible. Then it is not part of a run.
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

/// Add the removals of a run of invisible characters.
fn remove(data: &[u8], run: &[Character], removals: &mut Vec<Removal>) {
    let first = match run {
        [] => return,
        _ => needed(data, run),
    };
    for (at, character) in run.iter().enumerate().skip(first) {
        let class = class_of(character.code).unwrap_or(Class::ZeroWidth);
        let leaves_space = class == Class::Filler || (at == 0 && is_unfinished(data, character.start));
        removals.push(Removal { start: character.start, end: character.end, class, leaves_space });
    }
}

/// Return how many characters at the beginning of a run its neighbours need.
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

/// Whether the bytes before a position begin a reference or an escape that could continue after it. Without a space in its
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
