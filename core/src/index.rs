//! Words in start tags: which of some words stand in the start tag of each element (`tidings.page.tag_words`).

use crate::columns::Columns;
use crate::needles::holds;
use crate::tables::{self, Tables};
use crate::units::{stands, Unit};

/// A word has at least so many characters, and there are at most so many words.
const SHORTEST: usize = 3;
const MOST: usize = 64;
/// Sets of words that are looked for together.
pub const SETS: usize = 2;
const BITS: u32 = 5;
const MASK: usize = (1 << (BITS as usize * SHORTEST)) - 1;

/// Words to be looked for, in small letters of ASCII; case does not count in what is searched.
pub struct TagWords {
    /// By their beginnings of three characters; each with its bit.
    words: Vec<(usize, u64, Vec<u8>)>,
    /// Which beginnings there are, a bit each, and the place of the first word of each.
    begins: Vec<u64>,
    first: Vec<u8>,
    /// By the place of the first word of a beginning: which fourth characters go on with it, a bit each.
    follow: Vec<u32>,
    folded: [u8; 256],
}

impl TagWords {
    /// Nothing if there are too many words, or one that is too short or not in small letters of ASCII.
    pub fn new(words: &[&[u8]]) -> Option<TagWords> {
        let fits =
            |word: &&[u8]| word.len() >= SHORTEST && word.iter().all(|&byte| byte < 128 && !byte.is_ascii_uppercase());
        if words.len() > MOST || !words.iter().all(fits) {
            return None;
        }
        let mut folded = [0; 256];
        for letter in b'a'..=b'z' {
            folded[usize::from(letter)] = letter - b'a' + 1;
            folded[usize::from(letter.to_ascii_uppercase())] = letter - b'a' + 1;
        }
        for (place, &sign) in b"-=\"'?".iter().enumerate() {
            folded[usize::from(sign)] = 27 + place as u8;
        }
        let begin = |word: &[u8]| {
            word[..SHORTEST].iter().fold(0, |code, &byte| (code << BITS) | usize::from(folded[usize::from(byte)]))
        };
        let bit = |place: usize| 1u64 << place;
        let mut words: Vec<(usize, u64, Vec<u8>)> =
            words.iter().enumerate().map(|(place, word)| (begin(word), bit(place), word.to_vec())).collect();
        words.sort();
        let (mut begins, mut first) = (vec![0u64; (MASK + 1) / 64], vec![0u8; MASK + 1]);
        for (place, (begin, ..)) in words.iter().enumerate().rev() {
            begins[begin / 64] |= 1 << (begin % 64);
            first[*begin] = place as u8;
        }
        let mut follow = vec![0u32; words.len()];
        for (begin, _, word) in &words {
            let fourth = word.get(SHORTEST).map_or(u32::MAX, |&byte| 1 << folded[usize::from(byte)]);
            follow[usize::from(first[*begin])] |= fourth;
        }
        Some(TagWords { words, begins, first, follow, folded })
    }

    /// The one word, if there is no other.
    fn alone(&self) -> Option<&[u8]> {
        match &self.words[..] {
            [(_, 1, word)] => Some(word),
            _ => None,
        }
    }

    #[inline(always)]
    fn held_at<U: Unit>(&self, tag: &[U], start: usize, code: usize, known: u64) -> u64 {
        if self.begins[code / 64] >> (code % 64) & 1 == 0 {
            return 0;
        }
        let first = usize::from(self.first[code]);
        let fourth = tag.get(start + SHORTEST).and_then(|unit| self.folded.get(unit.code() as usize));
        if self.follow[first] >> fourth.copied().unwrap_or(0) & 1 == 0 {
            return 0; // `data-` is everywhere, and `date` is not
        }
        self.held_from(tag, start, first, code, known)
    }

    /// Whether any of them stands in a text.
    pub fn are_in(&self, text: &[u8]) -> bool {
        let (mut first, mut second) = (0, 0);
        text.iter().enumerate().any(|(end, &byte)| {
            let third = usize::from(self.folded[usize::from(byte)]);
            let code = ((first << (2 * BITS)) | (second << BITS) | third) & MASK;
            (first, second) = (second, third);
            let may_begin = self.begins[code / 64] >> (code % 64) & 1 != 0;
            may_begin && end + 1 >= SHORTEST && self.held_at(text, end + 1 - SHORTEST, code, 0) != 0
        })
    }

    #[inline(never)]
    fn held_from<U: Unit>(&self, tag: &[U], start: usize, first: usize, code: usize, known: u64) -> u64 {
        let mut held = 0;
        for (begin, bit, word) in &self.words[first..] {
            if *begin != code {
                break;
            }
            if known & bit == 0 && stands(tag, start, word) {
                held |= bit;
            }
        }
        held
    }
}

/// Some sets of words that are looked for at the same time.
struct Together<'a> {
    sets: &'a [&'a TagWords],
    /// Which beginnings there are in any of them.
    begins: Vec<u64>,
    folded: [u8; 256],
}

impl<'a> Together<'a> {
    fn new(sets: &'a [&'a TagWords]) -> Together<'a> {
        let mut begins = vec![0u64; (MASK + 1) / 64];
        for set in sets {
            begins.iter_mut().zip(&set.begins).for_each(|(all, own)| *all |= own);
        }
        Together { sets, begins, folded: sets.first().map_or([0; 256], |set| set.folded) }
    }

    /// The words of each set that stand in a tag, a bit each.
    fn held<U: Unit>(&self, tag: &[U]) -> [u64; SETS] {
        let mut held = [0; SETS];
        // The two letters before: no step waits for the code of the one before it.
        let (mut first, mut second) = (0, 0);
        for (end, unit) in tag.iter().enumerate() {
            let third = usize::from(self.folded.get(unit.code() as usize).copied().unwrap_or(0));
            let code = ((first << (2 * BITS)) | (second << BITS) | third) & MASK;
            (first, second) = (second, third);
            if self.begins[code / 64] >> (code % 64) & 1 != 0 && end + 1 >= SHORTEST {
                for (own, set) in held.iter_mut().zip(self.sets) {
                    *own |= set.held_at(tag, end + 1 - SHORTEST, code, *own);
                }
            }
        }
        held
    }
}

/// For each element the words in its start tag, of raw text elements up to the first `>`; only of those of one tag, if
/// `only` is one. A column for each set of words, at most two.
pub fn holding<U: Unit>(
    source: &[U],
    page: &Columns,
    tables: &Tables,
    sets: &[&TagWords],
    only: i64,
) -> [Vec<u64>; SETS] {
    let words = Together::new(sets);
    let elements = page.tag().len();
    let mut out = [Vec::new(), Vec::new()];
    for column in out.iter_mut().take(sets.len()) {
        column.resize(elements, 0);
    }
    let alone = match sets {
        [one] => one.alone(),
        _ => None,
    };
    let mut spelled: Vec<Option<[u64; SETS]>> = vec![None; page.spellings()];
    let (bounds, opened, spelling) = (page.bounds(), page.opened(), page.spelling());
    for (element, &tag) in page.tag().iter().enumerate() {
        if opened[element] < 0 || (only > 0 && tag != only) {
            continue;
        }
        let number = spelling[element];
        let known = if number >= 0 { spelled[number as usize] } else { None };
        let held = known.unwrap_or_else(|| {
            let at = 2 * opened[element] as usize;
            let (start, mut end) = (bounds[at + 1] as usize, bounds[at + 2] as usize);
            if tables.sets(tag as i32) & tables::RAW != 0 {
                end = U::find(source, start, b'>').map_or(end, |sign| sign.min(end));
            }
            match alone {
                Some(word) => [u64::from(holds(&source[start..end], word)), 0],
                None => words.held(&source[start..end]),
            }
        });
        if number >= 0 {
            spelled[number as usize] = Some(held);
        }
        for (column, own) in out.iter_mut().take(sets.len()).zip(held) {
            column[element] = own;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_either_case_anywhere_in_a_tag() {
        let words = TagWords::new(&[b"author", b"uth", b"=\"?", b"msg"]).expect("words");
        let sets = [&words];
        let words = Together::new(&sets);
        assert_eq!(words.held(b"<a class=\"postAuthor\" href=\"?p=2\">")[0], 0b111);
        assert_eq!(words.held(b"<a AUTHO")[0], 0b10);
        assert_eq!(words.held(b"ms")[0], 0);
        assert_eq!(words.held(&[0x6D_u16, 0x173, 0x67])[0], 0); // not by the last byte of a letter
        assert_eq!(words.held(&[0x6D_u32, 0x73, 0x67, 0x1_0000])[0], 0b1000);
    }

    #[test]
    fn two_sets_are_looked_for_at_once() {
        let (one, other) = (TagWords::new(&[b"abc", b"abd"]).expect("words"), TagWords::new(&[b"bce"]).expect("words"));
        assert_eq!(Together::new(&[&one, &other]).held(b"<i abce>"), [0b1, 0b1]);
        assert_eq!(Together::new(&[&one, &other]).held(b"<i abd>"), [0b10, 0]);
    }

    #[test]
    fn words_that_cannot_be_looked_for_are_refused() {
        for word in [&b"ab"[..], b"Author", b"\xC3\xA9t\xC3\xA9"] {
            assert!(TagWords::new(&[word]).is_none());
        }
        assert!(TagWords::new(&[&b"abc"[..]; 65]).is_none());
        let none = TagWords::new(&[]).expect("no words");
        assert_eq!(Together::new(&[&none]).held(b"<a abc>"), [0, 0]);
    }
}
