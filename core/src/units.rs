//! Abstracts over characters of one, two or four bytes, as Python stores them, so that offsets are the same on both sides.

use std::mem::size_of;
use std::ops::{BitAnd, BitOr};
use std::sync::Arc;

/// One character of a text.
pub trait Unit: Copy + Eq + From<u8> + From<bool> + BitAnd<Output = Self> + BitOr<Output = Self> {
    fn code(self) -> u32;

    /// Return the character of a code that fits.
    fn of(code: u32) -> Self;

    /// The number of units in a 64-bit word.
    const TOGETHER: usize = 8 / size_of::<Self>();

    /// Return a 64-bit word of units, padded with zeros.
    #[inline(always)]
    fn word(units: &[Self]) -> u64 {
        let bits = 8 * size_of::<Self>();
        units.iter().enumerate().fold(0, |all, (place, unit)| all | u64::from(unit.code()) << (place * bits))
    }

    /// Call `read` with each 64-bit word of a text, the last padded with zeros.
    #[inline(always)]
    fn each_word(text: &[Self], mut read: impl FnMut(u64)) {
        let mut words = text.chunks_exact(Self::TOGETHER);
        for units in &mut words {
            read(Self::word(units));
        }
        if !words.remainder().is_empty() {
            read(Self::word(words.remainder()));
        }
    }

    #[inline(always)]
    fn is(self, character: u8) -> bool {
        self.code() == u32::from(character)
    }

    /// Return the character if it is ASCII, else 0xFF.
    #[inline(always)]
    fn ascii(self) -> u8 {
        let code = self.code();
        if code < 128 {
            code as u8
        } else {
            0xFF
        }
    }

    /// Return a text as bytes. Characters outside ASCII become some byte above 0x7F.
    #[inline]
    fn narrow<'a>(text: &'a [Self], room: &'a mut Vec<u8>) -> &'a [u8] {
        room.clear();
        room.extend(text.iter().map(|unit| unit.code().min(0xFF) as u8));
        room
    }

    /// Return the position of a character from `from` on.
    #[inline]
    fn find(text: &[Self], from: usize, character: u8) -> Option<usize> {
        // A few words one by one, as most are near; then chunk by chunk without a branch inside, which becomes vector code.
        const NEAR: usize = 4;
        const CHUNK: usize = 64;
        let rest = text.get(from..)?;
        let near = rest.len().min(NEAR * Self::TOGETHER);
        if let Some(place) = Self::find_near(&rest[..near], character) {
            return Some(from + place);
        }
        let mut at = from + near;
        for chunk in rest[near..].chunks(CHUNK) {
            if chunk.iter().fold(false, |is_there, unit| is_there | unit.is(character)) {
                return Self::find_near(chunk, character).map(|place| at + place);
            }
            at += chunk.len();
        }
        None
    }

    /// Call `read` with each position of a character.
    #[inline(always)]
    fn each(text: &[Self], character: u8, mut read: impl FnMut(usize)) {
        let bits = 8 * size_of::<Self>();
        let ones = (0..Self::TOGETHER).fold(0, |ones, place| ones | 1u64 << (place * bits));
        let alike = ones * u64::from(character);
        let mut at = 0;
        let mut words = text.chunks_exact(Self::TOGETHER);
        for units in &mut words {
            let other = Self::word(units) ^ alike;
            let mut may_be = other.wrapping_sub(ones) & !other & (ones << (bits - 1));
            while may_be != 0 {
                let place = may_be.trailing_zeros() as usize / bits;
                if units[place].is(character) {
                    read(at + place);
                }
                may_be &= may_be - 1;
            }
            at += Self::TOGETHER;
        }
        for (place, unit) in words.remainder().iter().enumerate() {
            if unit.is(character) {
                read(at + place);
            }
        }
    }

    /// Like `find`, word by word.
    #[inline(always)]
    fn find_near(text: &[Self], character: u8) -> Option<usize> {
        let bits = 8 * size_of::<Self>();
        let ones = (0..Self::TOGETHER).fold(0, |ones, place| ones | 1u64 << (place * bits));
        let alike = ones * u64::from(character);
        let mut at = 0;
        let mut words = text.chunks_exact(Self::TOGETHER);
        for units in &mut words {
            let other = Self::word(units) ^ alike; // 0 where it matches
            let is_there = other.wrapping_sub(ones) & !other & (ones << (bits - 1));
            if is_there != 0 {
                return Some(at + is_there.trailing_zeros() as usize / bits);
            }
            at += Self::TOGETHER;
        }
        words.remainder().iter().position(|unit| unit.is(character)).map(|place| at + place)
    }
}

impl Unit for u8 {
    #[inline(always)]
    fn of(code: u32) -> u8 {
        code as u8
    }

    #[inline(always)]
    fn code(self) -> u32 {
        u32::from(self)
    }

    #[inline(always)]
    fn narrow<'a>(text: &'a [u8], _: &'a mut Vec<u8>) -> &'a [u8] {
        text
    }
}

impl Unit for u16 {
    #[inline(always)]
    fn of(code: u32) -> u16 {
        code as u16
    }

    /// Without widening, which takes twice as many vectors.
    #[inline]
    fn narrow<'a>(text: &'a [u16], room: &'a mut Vec<u8>) -> &'a [u8] {
        room.clear();
        room.extend(text.iter().map(|&unit| unit.min(0xFF) as u8));
        room
    }

    #[inline(always)]
    fn code(self) -> u32 {
        u32::from(self)
    }
}

impl Unit for u32 {
    #[inline(always)]
    fn of(code: u32) -> u32 {
        code
    }

    #[inline(always)]
    fn code(self) -> u32 {
        self
    }
}

/// Whether a character is ASCII white space, as `\s` with the ASCII flag.
#[inline(always)]
pub fn is_blank<U: Unit>(unit: U) -> bool {
    matches!(unit.code(), 9..=13 | 32)
}

/// Whether a character is white space, as `str.isspace`.
#[inline(always)]
pub fn is_space(code: u32) -> bool {
    match code {
        33..=0x84 => false, // as most are
        9..=13 | 28..=32 => true,
        0x85 | 0xA0 | 0x1680 | 0x2000..=0x200A | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000 => true,
        _ => false,
    }
}

/// Append a text with its white space folded to single spaces, without white space at its ends.
#[inline]
pub fn fold<U: Unit>(text: &[U], out: &mut Vec<u32>) {
    let begin = out.len();
    out.resize(begin + text.len(), 0); // one allocation
    let room = &mut out[begin..];
    let (mut size, mut was_space) = (0, true);
    for unit in text {
        let code = unit.code();
        let is_space = is_space(code);
        if is_space && was_space {
            continue;
        }
        was_space = is_space;
        room[size] = if is_space { u32::from(b' ') } else { code };
        size += 1;
    }
    let ends_with_space = size > 0 && was_space;
    out.truncate(begin + size - usize::from(ends_with_space));
}

/// Whether `name`, which is in lower case, is at a position, ignoring case.
#[inline(always)]
pub fn stands<U: Unit>(text: &[U], at: usize, name: &[u8]) -> bool {
    text.len() >= at + name.len()
        && text[at..at + name.len()].iter().zip(name).all(|(unit, &letter)| unit.ascii().to_ascii_lowercase() == letter)
}

/// The characters of a text in the narrowest units. A page shares them with its parts.
#[derive(Clone)]
pub enum Wide {
    One(Arc<Vec<u8>>),
    Two(Arc<Vec<u16>>),
    Four(Arc<Vec<u32>>),
}

/// Evaluate an expression with the units of a `Wide`, whatever their width.
macro_rules! with_units {
    ($wide:expr, $units:ident => $result:expr) => {
        match $wide {
            $crate::units::Wide::One($units) => $result,
            $crate::units::Wide::Two($units) => $result,
            $crate::units::Wide::Four($units) => $result,
        }
    };
}
pub(crate) use with_units;

impl Default for Wide {
    fn default() -> Wide {
        Wide::One(Arc::default())
    }
}

/// Facts on the bytes of a page.
#[derive(Clone, Copy)]
pub struct ByteFacts {
    /// Bytes per character in the narrowest units; 0 if the bytes are not UTF-8.
    pub width: u8,
    /// The number of characters.
    pub size: usize,
    pub has_nul: bool,
    pub has_return: bool,
    pub has_escape: bool,
    /// Whether the beginning may have control characters or replacement characters.
    pub has_controls: bool,
}

/// Control characters that are reported: NUL, carriage return and escape.
const CONTROLS: [u8; 3] = [b'\0', b'\r', 0x1B];
/// Bytes that contain the first 1,024 characters.
const HEAD: usize = 4 * 1024;

/// Whether a byte is a control character other than white space, or may be part of a replacement character.
#[inline(always)]
fn is_control(byte: u8) -> bool {
    (byte < 0x20 && !matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | 0x1B)) | (byte == 0xEF)
}

/// Return the facts on some bytes.
pub fn byte_facts(bytes: &[u8]) -> ByteFacts {
    // Chunk by chunk, so that counts fit into bytes: that becomes vector code.
    let (mut most, mut size, mut controls) = (0, 0, [0u8; CONTROLS.len()]);
    for chunk in bytes.chunks(128) {
        let mut begun = 0u8;
        for &byte in chunk {
            most = most.max(byte);
            begun += u8::from(byte & 0xC0 != 0x80);
            for (is_there, &control) in controls.iter_mut().zip(&CONTROLS) {
                *is_there |= u8::from(byte == control);
            }
        }
        size += usize::from(begun);
    }
    let is_utf8 = most < 0x80 || std::str::from_utf8(bytes).is_ok();
    let [has_nul, has_return, has_escape] = controls.map(|is_there| is_there != 0);
    let has_controls = bytes[..bytes.len().min(HEAD)].iter().fold(false, |any, &byte| any | is_control(byte));
    ByteFacts { width: if is_utf8 { width(most) } else { 0 }, size, has_nul, has_return, has_escape, has_controls }
}

/// Return the bytes per character by the largest byte: characters below 0xC4 have 8 bits, below 0xF0 16 bits.
fn width(most: u8) -> u8 {
    match most {
        0..=0xC3 => 1,
        0xC4..=0xEF => 2,
        _ => 4,
    }
}

/// Return the characters of UTF-8. None if the bytes are something else.
pub fn widened(bytes: &[u8]) -> Option<Wide> {
    let ByteFacts { width, size, .. } = byte_facts(bytes);
    widened_to(bytes, width, size)
}

/// Return `size` characters of UTF-8 that need `width` bytes each. None if the bytes are something else.
pub fn widened_to(bytes: &[u8], width: u8, size: usize) -> Option<Wide> {
    Some(match width {
        1 => Wide::One(characters(bytes, size)?.into()),
        2 => Wide::Two(characters(bytes, size)?.into()),
        4 => Wide::Four(characters(bytes, size)?.into()),
        _ => return None,
    })
}

fn characters<U: Unit>(bytes: &[u8], size: usize) -> Option<Vec<U>> {
    if size > bytes.len() {
        return None;
    }
    let mut units = vec![U::from(0u8); size];
    fill(bytes, &mut units)?;
    Some(units)
}

/// Bytes that are checked together: mostly all of them are ASCII.
const TOGETHER: usize = 16;

/// Decode valid UTF-8 into units. None if the sizes differ.
pub fn fill<U: Unit>(bytes: &[u8], units: &mut [U]) -> Option<()> {
    let (mut rest, mut at) = (bytes, 0);
    while !rest.is_empty() {
        let plain = plain_beginning(rest);
        for (unit, &byte) in units.get_mut(at..at + plain)?.iter_mut().zip(rest) {
            *unit = U::from(byte);
        }
        at += plain;
        rest = &rest[plain..];
        while let [first @ 0x80..=0xFF, tail @ ..] = rest {
            let part = |place: usize| tail.get(place).map(|&byte| u32::from(byte) & 0x3F);
            let (code, size) = match first {
                0x80..=0xDF => (u32::from(first & 0x1F) << 6 | part(0)?, 1),
                0xE0..=0xEF => (u32::from(first & 0x0F) << 12 | part(0)? << 6 | part(1)?, 2),
                _ => (u32::from(first & 0x07) << 18 | part(0)? << 12 | part(1)? << 6 | part(2)?, 3),
            };
            *units.get_mut(at)? = U::of(code);
            at += 1;
            rest = &tail[size..];
            // A space or a full stop between letters of other scripts.
            if let [one @ 0..=0x7F, 0x80..=0xFF, ..] = rest {
                *units.get_mut(at)? = U::from(*one);
                at += 1;
                rest = &rest[1..];
            }
        }
    }
    if at == units.len() {
        Some(())
    } else {
        None
    }
}

/// Return the number of leading ASCII bytes.
#[inline]
fn plain_beginning(bytes: &[u8]) -> usize {
    let mut plain = 0;
    for chunk in bytes.chunks_exact(TOGETHER) {
        if chunk.iter().fold(0, |all, &byte| all | byte) >= 0x80 {
            break;
        }
        plain += TOGETHER;
    }
    plain + bytes[plain..].iter().take_while(|&&byte| byte < 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The characters one by one, and how many bytes each of them has.
    fn codes(text: &str) -> (Vec<u32>, usize) {
        match widened(text.as_bytes()).expect("UTF-8") {
            Wide::One(units) => (units.iter().copied().map(u32::from).collect(), 1),
            Wide::Two(units) => (units.iter().copied().map(u32::from).collect(), 2),
            Wide::Four(units) => (units.to_vec(), 4),
        }
    }

    #[test]
    fn utf8_is_widened_to_the_fewest_bytes_that_hold_it() {
        let samples = [
            ("", 1),
            ("plain", 1),
            ("\u{7f}\u{80}\u{ff}", 1),
            ("caf\u{e9} \u{100}", 2),
            ("a\u{7ff}\u{800}b\u{ffff}", 2),
            ("\u{4e2d}\u{6587}", 2),
            ("a\u{10000}\u{10ffff}\u{e9}", 4),
        ];
        for (text, width) in samples {
            let expected: Vec<u32> = text.chars().map(u32::from).collect();
            assert_eq!(codes(text), (expected, width), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_utf8_is_refused() {
        for bytes in [&b"\xff"[..], b"\xc3", b"a\xe4\xb8", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80"] {
            assert!(widened(bytes).is_none(), "{bytes:?}");
        }
    }

    #[test]
    fn the_first_of_a_character_is_found_at_every_distance() {
        for size in 0..100 {
            for place in 0..size {
                let mut text = vec![b'.'; size];
                text[place] = b'<';
                assert_eq!(Unit::find(&text, 0, b'<'), Some(place));
                assert_eq!(Unit::find(&text, place, b'<'), Some(place));
                assert_eq!(Unit::find(&text, place + 1, b'<'), None);
            }
            assert_eq!(Unit::find(&vec![b'.'; size], 0, b'<'), None);
        }
        assert_eq!(Unit::find(&[0x1_003C_u32, 0x3C], 0, b'<'), Some(1)); // not by its last byte
    }

    #[test]
    fn names_stand_in_either_case_and_never_past_the_end() {
        assert!(stands(b"</TiTle", 2, b"title"));
        assert!(!stands(b"</titl", 2, b"title"));
        assert!(!stands(b"title", 9, b"title"));
        assert!(!stands(&[0x174_u16, 0x69], 0, b"ti"));
    }
}
