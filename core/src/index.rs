//! Words in start tags: which of some words stand in the start tag of each element (`tidings.page.tag_words`).

use crate::columns::Columns;
use crate::needles::Word;
use crate::tables::{self, Tables};
use crate::units::{stands, Unit};

/// A word has at least so many characters, and there are at most so many words.
const SHORTEST: usize = 3;
const MOST: usize = 64;
/// Sets of words that are looked for together.
pub const SETS: usize = 2;
/// Beginnings of words are told apart by so many numbers.
const BEGINNINGS: usize = 1 << 12;
type Follow = [u32; BEGINNINGS];

/// The number of three characters, the first in the lowest bits, in which a capital is like its small letter.
#[inline(always)]
fn beginning(four: u32) -> usize {
    ((four & 0x001F_1F1F).wrapping_mul(0x9E37_79B1) >> 20) as usize
}

/// The number of a fourth character, in which a capital is like its small letter.
#[inline(always)]
fn fourth(four: u32) -> u32 {
    four >> 24 & 0x1F
}

/// Call `found` with each place of a tag where a word can stand, and the four characters from there on.
#[inline(always)]
fn each_place(tag: &[u8], mut found: impl FnMut(usize, u32)) {
    for (place, four) in tag.windows(SHORTEST + 1).enumerate() {
        found(place, u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    }
    if let [.., a, b, c] = *tag {
        found(tag.len() - SHORTEST, u32::from_le_bytes([a, b, c, 0]));
    }
}

/// Words to be looked for, in small letters of ASCII; case does not count in what is searched.
pub struct TagWords {
    /// By the numbers of their beginnings; each with its bit.
    words: Vec<(usize, u64, Vec<u8>)>,
    /// By the number of a beginning: which fourth characters go on with it, a bit each, and the place of the first word.
    follow: Box<Follow>,
    first: Vec<u8>,
}

impl TagWords {
    /// Nothing if there are too many words, or one that is too short or not in small letters of ASCII.
    pub fn new(words: &[&[u8]]) -> Option<TagWords> {
        let fits =
            |word: &&[u8]| word.len() >= SHORTEST && word.iter().all(|&byte| byte < 128 && !byte.is_ascii_uppercase());
        if words.len() > MOST || !words.iter().all(fits) {
            return None;
        }
        let four = |word: &[u8]| u32::from_le_bytes([word[0], word[1], word[2], word.get(3).copied().unwrap_or(0)]);
        let numbered = |(place, word): (usize, &&[u8])| (beginning(four(word)), 1 << place, word.to_vec());
        let mut words: Vec<(usize, u64, Vec<u8>)> = words.iter().enumerate().map(numbered).collect();
        words.sort();
        let (mut follow, mut first) = (Box::new([0; BEGINNINGS]), vec![0; BEGINNINGS]);
        for (place, (begin, _, word)) in words.iter().enumerate().rev() {
            follow[*begin] |= if word.len() > SHORTEST { 1 << fourth(four(word)) } else { u32::MAX };
            first[*begin] = place as u8;
        }
        Some(TagWords { words, follow, first })
    }

    /// The one word, if there is no other.
    fn alone(&self) -> Option<&[u8]> {
        match &self.words[..] {
            [(_, 1, word)] => Some(word),
            _ => None,
        }
    }

    /// Whether any of them stands in a text.
    pub fn are_in(&self, text: &[u8]) -> bool {
        let mut held = 0;
        each_place(text, |place, four| {
            if self.follow[beginning(four)] >> fourth(four) & 1 != 0 {
                held |= self.held_from(text, place, beginning(four), held);
            }
        });
        held != 0
    }

    /// Those that stand at a place, but for known ones.
    #[inline(never)]
    fn held_from(&self, tag: &[u8], start: usize, begin: usize, known: u64) -> u64 {
        let mut held = 0;
        for (own, bit, word) in &self.words[usize::from(self.first[begin])..] {
            if *own != begin {
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
    /// As of one set, for all of them.
    follow: Box<Follow>,
}

impl<'a> Together<'a> {
    fn new(sets: &'a [&'a TagWords]) -> Together<'a> {
        let mut follow = Box::new([0; BEGINNINGS]);
        for set in sets {
            follow.iter_mut().zip(set.follow.iter()).for_each(|(all, own)| *all |= own);
        }
        Together { sets, follow }
    }

    /// The words of each set that stand in a tag, a bit each.
    fn held(&self, tag: &[u8]) -> [u64; SETS] {
        let mut held = [0; SETS];
        each_place(tag, |place, four| {
            let begin = beginning(four);
            if self.follow[begin] >> fourth(four) & 1 != 0 {
                for (own, set) in held.iter_mut().zip(self.sets) {
                    *own |= set.held_from(tag, place, begin, *own);
                }
            }
        });
        held
    }
}

/// Whether the start tag of any element holds one of some words; of raw text elements up to the first `>`.
pub fn is_any_in_tags<U: Unit>(source: &[U], page: &Columns, tables: &Tables, words: &TagWords) -> bool {
    let mut is_seen = vec![false; page.spellings()];
    let mut narrow = Vec::new();
    let (bounds, opened, spelling) = (page.bounds(), page.opened(), page.spelling());
    page.tag().iter().enumerate().any(|(element, &tag)| {
        if opened[element] < 0 {
            return false;
        }
        if let Some(is_seen) = usize::try_from(spelling[element]).ok().and_then(|number| is_seen.get_mut(number)) {
            if std::mem::replace(is_seen, true) {
                return false;
            }
        }
        let at = 2 * opened[element] as usize;
        let (start, mut end) = (bounds[at + 1] as usize, bounds[at + 2] as usize);
        if tables.sets(tag as i32) & tables::RAW != 0 {
            end = U::find(source, start, b'>').map_or(end, |sign| sign.min(end));
        }
        words.are_in(U::narrow(&source[start..end], &mut narrow))
    })
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
        [one] => one.alone().map(Word::new),
        _ => None,
    };
    let mut spelled: Vec<Option<[u64; SETS]>> = vec![None; page.spellings()];
    let mut narrow = Vec::new();
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
            match &alone {
                Some(word) => [u64::from(word.is_in(&source[start..end])), 0],
                None => words.held(U::narrow(&source[start..end], &mut narrow)),
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
        let mut narrow = Vec::new();
        assert_eq!(words.held(u16::narrow(&[0x6D, 0x173, 0x67], &mut narrow))[0], 0); // not by the last byte of a letter
        assert_eq!(words.held(u32::narrow(&[0x6D, 0x73, 0x67, 0x1_0000], &mut narrow))[0], 0b1000);
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
