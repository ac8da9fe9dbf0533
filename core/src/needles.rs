//! Searches the bytes or characters of a page for fixed texts.

use crate::units::{stands, Unit};

/// A search string with the positions of its two rarest bytes.
pub struct Needle {
    bytes: Vec<u8>,
    rare: usize,
    other: usize,
}

/// Positions that are checked together: by a few vector comparisons, and by one.
const CHUNK: usize = 128;
const PART: usize = 16;

impl Needle {
    pub fn new(bytes: &[u8]) -> Self {
        let rank = |&place: &usize| frequency(bytes[place]);
        let rare = (0..bytes.len()).min_by_key(rank).unwrap_or(0);
        let other = (0..bytes.len()).filter(|&place| bytes[place] != bytes[rare]).min_by_key(rank).unwrap_or(rare);
        Needle { bytes: bytes.to_vec(), rare, other }
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn starts_with(&self, byte: u8) -> bool {
        self.bytes.first() == Some(&byte)
    }

    /// Return its first position between two positions. None if it is empty.
    pub fn find(&self, data: &[u8], start: usize, end: usize) -> Option<usize> {
        let (first, behind) = self.places(data, start, end)?;
        let (ones, twos) = self.columns(data, first, behind);
        let mut at = first;
        for (ones, twos) in ones.chunks_exact(CHUNK).zip(twos.chunks_exact(CHUNK)) {
            if self.may_stand(ones, twos) {
                for part in 0..CHUNK / PART {
                    let low = part * PART;
                    if self.may_stand(&ones[low..low + PART], &twos[low..low + PART]) {
                        let mut places = at + low..at + low + PART;
                        if let Some(position) = places.find(|&place| self.stands(data, place)) {
                            return Some(position);
                        }
                    }
                }
            }
            at += CHUNK;
        }
        (at..behind).find(|&place| self.stands(data, place))
    }

    /// Return its last position between two positions.
    pub fn rfind(&self, data: &[u8], start: usize, end: usize) -> Option<usize> {
        let (first, behind) = self.places(data, start, end)?;
        let (ones, twos) = self.columns(data, first, behind);
        let mut at = behind;
        for (ones, twos) in ones.rchunks_exact(CHUNK).zip(twos.rchunks_exact(CHUNK)) {
            at -= CHUNK;
            if self.may_stand(ones, twos) {
                for part in (0..CHUNK / PART).rev() {
                    let low = part * PART;
                    if self.may_stand(&ones[low..low + PART], &twos[low..low + PART]) {
                        let mut places = (at + low..at + low + PART).rev();
                        if let Some(position) = places.find(|&place| self.stands(data, place)) {
                            return Some(position);
                        }
                    }
                }
            }
        }
        (first..at).rev().find(|&place| self.stands(data, place))
    }

    /// Return the bytes at the positions of its two rarest bytes.
    #[inline(always)]
    fn columns<'a>(&self, data: &'a [u8], first: usize, behind: usize) -> (&'a [u8], &'a [u8]) {
        (&data[first + self.rare..behind + self.rare], &data[first + self.other..behind + self.other])
    }

    /// Return the range of possible positions.
    fn places(&self, data: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
        let end = end.min(data.len());
        if self.bytes.is_empty() || end < start || end - start < self.bytes.len() {
            return None;
        }
        Some((start, end - self.bytes.len() + 1))
    }

    /// Whether both bytes match at some position. No branch inside, so that it becomes vector code.
    #[inline(always)]
    fn may_stand(&self, ones: &[u8], twos: &[u8]) -> bool {
        let (one, two) = (self.bytes[self.rare], self.bytes[self.other]);
        let both = |(&first, &second): (&u8, &u8)| u8::from(first == one) & u8::from(second == two);
        ones.iter().zip(twos).map(both).fold(0, |any, is_there| any | is_there) != 0
    }

    #[inline(always)]
    fn stands(&self, data: &[u8], at: usize) -> bool {
        data[at + self.rare] == self.bytes[self.rare] && data[at..].starts_with(&self.bytes)
    }
}

/// Return the positions of the beginning of a tag, ignoring case; `tag` is in lower case.
pub fn starts_of(data: &[u8], tag: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let rare = 1 + Needle::new(&tag[1..]).rare;
    let letter = tag[rare];
    if data.len() < tag.len() {
        return starts;
    }
    let behind = data.len() - tag.len() + 1;
    let is_start = |&place: &usize| data[place] == b'<' && data[place..place + tag.len()].eq_ignore_ascii_case(tag);
    let may_stand = |signs: &[u8], letters: &[u8]| {
        let both = |(&sign, &other): (&u8, &u8)| u8::from(sign == b'<') & u8::from(other | 0x20 == letter);
        signs.iter().zip(letters).map(both).fold(0, |any, is_there| any | is_there) != 0
    };
    let (signs, letters) = (&data[..behind], &data[rare..behind + rare]);
    for (chunk, (signs, letters)) in signs.chunks(CHUNK).zip(letters.chunks(CHUNK)).enumerate() {
        if may_stand(signs, letters) {
            let first = chunk * CHUNK;
            starts.extend((first..first + signs.len()).filter(is_start));
        }
    }
    starts
}

/// Return the approximate frequency of a byte in pages.
pub fn frequency(byte: u8) -> u8 {
    match byte {
        b' ' | b'e' | b't' | b'a' => 9,
        b'i' | b'o' | b'n' | b's' | b'r' => 8,
        b'l' | b'c' | b'd' | b'"' | b'/' | b'<' | b'>' | b'=' | b'p' => 7,
        b'm' | b'h' | b'u' | b'-' | b'.' | b'\n' | b'\t' => 6,
        b'g' | b'f' | b'b' | b'v' | b'w' | b'y' => 5,
        b'0'..=b'9' | b':' | b',' | b';' | b'_' => 4,
        0x80..=0xFF => 3,
        b'k' | b'x' | b'\'' | b'(' | b')' => 2,
        _ => 1,
    }
}

/// Return the first position of a byte in a range.
pub fn find_byte(data: &[u8], byte: u8, start: usize, end: usize) -> Option<usize> {
    let end = end.min(data.len());
    if start >= end {
        return None;
    }
    crate::units::Unit::find(&data[..end], start, byte)
}

/// Return the last position of a byte in a range.
pub fn rfind_byte(data: &[u8], byte: u8, start: usize, end: usize) -> Option<usize> {
    let end = end.min(data.len());
    if start >= end {
        return None;
    }
    data[start..end].iter().rposition(|&other| other == byte).map(|place| start + place)
}

/// Return the first position of a short text in a range.
pub fn find_bytes(data: &[u8], text: &[u8], start: usize, end: usize) -> Option<usize> {
    Needle::new(text).find(data, start, end)
}

/// A word in lower-case ASCII with the positions of its two rarest characters.
pub struct Word<'a> {
    letters: &'a [u8],
    rare: usize,
    other: usize,
}

impl<'a> Word<'a> {
    pub fn new(letters: &'a [u8]) -> Self {
        let Needle { rare, other, .. } = Needle::new(letters);
        Word { letters, rare, other }
    }

    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// Whether a text contains the word, ignoring case.
    pub fn is_in<U: Unit>(&self, text: &[U]) -> bool {
        if self.is_empty() || text.len() < self.letters.len() {
            return self.is_empty();
        }
        let places = text.len() - self.letters.len() + 1;
        let (ones, twos) = (&text[self.rare..][..places], &text[self.other..][..places]);
        let cases = |letter: u8| (U::from(letter), U::from(letter.to_ascii_uppercase()));
        let ((one, upper_one), (two, upper_two)) = (cases(self.letters[self.rare]), cases(self.letters[self.other]));
        // No branch inside, so that it becomes vector code.
        let both = |(&first, &second): (&U, &U)| {
            (U::from(first == one) | U::from(first == upper_one))
                & (U::from(second == two) | U::from(second == upper_two))
        };
        let mut at = 0;
        for (any, behind) in ones.chunks_exact(PART).zip(twos.chunks_exact(PART)) {
            let may_stand = any.iter().zip(behind).map(both).fold(U::from(false), |any, here| any | here);
            if may_stand != U::from(false) && (at..at + PART).any(|place| stands(text, place, self.letters)) {
                return true;
            }
            at += PART;
        }
        (at..places).any(|place| stands(text, place, self.letters))
    }
}

/// A search for several ASCII words by their rarest pairs of characters, which words may share.
struct Pairs {
    pairs: Vec<[u8; 2]>,
    /// For each pair the words with it, and its position in them.
    words: Vec<Vec<(usize, usize)>>,
}

impl Pairs {
    /// None if a word has fewer than two characters.
    fn new(words: &[&[u8]]) -> Option<Pairs> {
        let mut result = Pairs { pairs: Vec::new(), words: Vec::new() };
        for (number, word) in words.iter().enumerate() {
            let standing = |pair: &[u8; 2]| word.windows(2).position(|two| two == pair);
            let shared = result.pairs.iter().enumerate().find_map(|(place, pair)| Some((place, standing(pair)?)));
            let (place, at) = match shared {
                Some(shared) => shared,
                None => {
                    let rank = |&at: &usize| frequency(word[at]) + frequency(word[at + 1]);
                    let at = (0..word.len().saturating_sub(1)).min_by_key(rank)?;
                    result.pairs.push([word[at], word[at + 1]]);
                    result.words.push(Vec::new());
                    (result.pairs.len() - 1, at)
                }
            };
            result.words[place].push((number, at));
        }
        Some(result)
    }

    /// Whether a text contains a pair. No branch inside, so that it becomes vector code.
    #[inline(always)]
    fn may_stand<U: Unit>(&self, ones: &[U], twos: &[U]) -> bool {
        self.pairs.iter().any(|pair| {
            let (one, two) = (U::from(pair[0]), U::from(pair[1]));
            let both = |(&first, &second): (&U, &U)| U::from(first == one) & U::from(second == two);
            ones.iter().zip(twos).map(both).fold(U::from(false), |any, is_there| any | is_there) != U::from(false)
        })
    }
}

/// Return the positions of ASCII words, word by word, at most `most` of each. None if a word has fewer than two
/// characters.
pub fn places_of<U: Unit>(text: &[U], words: &[&[u8]], most: usize) -> Option<Vec<i64>> {
    let pairs = Pairs::new(words)?;
    let mut positions: Vec<Vec<i64>> = vec![Vec::new(); words.len()];
    let ones = &text[..text.len().saturating_sub(1)];
    let twos = &text[text.len().min(1)..];
    for (chunk, (any, behind)) in ones.chunks(CHUNK).zip(twos.chunks(CHUNK)).enumerate() {
        if !pairs.may_stand(any, behind) {
            continue;
        }
        for (part, (any, behind)) in any.chunks(PART).zip(behind.chunks(PART)).enumerate() {
            if !pairs.may_stand(any, behind) {
                continue;
            }
            for (place, (one, two)) in any.iter().zip(behind).enumerate() {
                for (pair, words_of) in pairs.pairs.iter().zip(&pairs.words) {
                    if one.is(pair[0]) && two.is(pair[1]) {
                        for &(number, before) in words_of {
                            let at = chunk * CHUNK + part * PART + place;
                            add(text, words[number], at.checked_sub(before), most, &mut positions[number]);
                        }
                    }
                }
            }
        }
    }
    Some(positions.concat())
}

/// Add the position of a word, unless it overlaps the previous position or there are enough.
fn add<U: Unit>(text: &[U], word: &[u8], start: Option<usize>, most: usize, positions: &mut Vec<i64>) {
    let start = match start {
        Some(start) if positions.len() < most => start,
        _ => return,
    };
    let same = |units: &[U]| units.iter().zip(word).all(|(unit, &byte)| unit.is(byte));
    let is_after = positions.last().map_or(true, |&last| start >= last as usize + word.len());
    if is_after && text.get(start..start + word.len()).map_or(false, same) {
        positions.push(start as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_wherever_it_stands() {
        let text = b"<p class=";
        let needle = Needle::new(text);
        for size in 0..200 {
            for place in 0..size {
                let mut data = vec![b'<'; size];
                let end = (place + text.len()).min(size);
                data[place..end].copy_from_slice(&text[..end - place]);
                let there = if place + text.len() <= size { Some(place) } else { None };
                assert_eq!(needle.find(&data, 0, size), there);
                assert_eq!(needle.rfind(&data, 0, size), there);
                assert_eq!(needle.find(&data, place + 1, size), None);
                assert_eq!(needle.rfind(&data, 0, end.saturating_sub(1)), None);
            }
        }
    }

    #[test]
    fn the_first_and_the_last_of_several() {
        let needle = Needle::new(b"aa");
        assert_eq!(needle.find(b"baaab", 0, 5), Some(1));
        assert_eq!(needle.rfind(b"baaab", 0, 5), Some(2));
        assert_eq!(needle.find(b"baaab", 4, 9), None);
        assert_eq!(needle.find(b"aa", 3, 2), None);
        assert_eq!(Needle::new(b"").find(b"aa", 0, 2), None);
    }

    #[test]
    fn words_are_found_in_characters_of_any_width() {
        let text: Vec<u16> = "\u{170}ub ublish pubDate ublishublish".encode_utf16().collect();
        assert_eq!(places_of(&text, &[b"ublish", b"ubDate", b"none"], 2), Some(vec![4, 19, 12]));
        assert_eq!(places_of(b"ublis", &[b"ublish"], 2), Some(vec![]));
        assert_eq!(places_of(b"aab", &[b"ab", b"aa", b"aab"], 2), Some(vec![1, 0, 0]));
        assert_eq!(places_of(b"ababab", &[b"abab"], 2), Some(vec![0]));
        assert_eq!(places_of(b"", &[b"ab"], 2), Some(vec![]));
        assert_eq!((places_of(b"ab", &[b""], 2), places_of(b"ab", &[b"a"], 2)), (None, None));
        assert!(Word::new(b"story-2").is_in(b"<a href=\"/A-Story-2\">"));
        assert!(
            Word::new(b"story").is_in(b"-x-STORY") && Word::new(b"").is_in(b"") && Word::new(b"\0b").is_in(b"a\0b")
        );
        assert!(!Word::new(b"story-").is_in(b"a story") && !Word::new(b"sto").is_in(&[0x153_u16, 0x54, 0x4F]));
    }

    #[test]
    fn words_are_found_at_every_distance() {
        for size in 0..300 {
            let mut text = vec![u16::from(b'b'); size];
            text.extend("ub_date".bytes().map(u16::from));
            text.extend(vec![u16::from(b'u'); size % 7]);
            assert_eq!(places_of(&text, &[b"ubd", b"ub_d"], 9), Some(vec![size as i64]));
        }
    }

    #[test]
    fn tags_begin_in_either_case() {
        for size in 0..300 {
            let mut data = vec![b'<'; size];
            data.extend(b"<stYle>yt<STYLE<styl");
            assert_eq!(starts_of(&data, b"<style"), [size, size + 9]);
        }
        assert!(starts_of(b"<styl", b"<style").is_empty());
    }

    #[test]
    fn bytes_are_found_from_both_ends() {
        assert_eq!(find_byte(b"a<b<c", b'<', 2, 5), Some(3));
        assert_eq!(find_byte(b"a<b<c", b'<', 2, 3), None);
        assert_eq!(rfind_byte(b"a<b<c", b'<', 0, 3), Some(1));
        assert_eq!(rfind_byte(b"a<b<c", b'<', 4, 3), None);
    }
}
