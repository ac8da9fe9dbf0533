//! Finds words in the start tags of elements (`tidings.page.tag_words`).

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

/// Characters of a tag that are read together; of them every other place is looked at.
const READ: usize = 8;
const PLACES: usize = 3;

/// Which characters begin words, by the number of three characters: which fourth ones go on with them, a bit each.
struct Beginnings {
    /// Of words.
    first: Box<Follow>,
    /// Of words, and of words without their first characters: who looks at every other place finds all of them.
    either: Box<Follow>,
    /// Whether some character goes on with them, a bit each: most places are told by these, which are few.
    some: [u64; BEGINNINGS / 64],
}

impl Beginnings {
    fn new() -> Beginnings {
        let (first, either) = (Box::new([0; BEGINNINGS]), Box::new([0; BEGINNINGS]));
        Beginnings { first, either, some: [0; BEGINNINGS / 64] }
    }

    fn add(&mut self, word: &[u8]) {
        put(&mut self.first, word);
        put(&mut self.either, word);
        put(&mut self.either, &word[1..]);
    }

    /// With bits for the words that were added.
    fn marked(mut self) -> Beginnings {
        for (bits, follows) in self.some.iter_mut().zip(self.either.chunks(64)) {
            *bits = follows.iter().rev().fold(0, |bits, &follow| bits << 1 | u64::from(follow != 0));
        }
        self
    }

    /// With those of other words.
    fn join(&mut self, others: &Beginnings) {
        for (all, own) in [(&mut self.first, &others.first), (&mut self.either, &others.either)] {
            all.iter_mut().zip(own.iter()).for_each(|(all, own)| *all |= own);
        }
        self.some.iter_mut().zip(others.some).for_each(|(all, own)| *all |= own);
    }

    /// Call `found` with each place of a tag where a word may stand, and the number of its beginning.
    #[inline(always)]
    fn each_place(&self, tag: &[u8], mut found: impl FnMut(usize, usize)) {
        let mut look = |place: usize, four: u32| {
            if self.first[beginning(four)] >> fourth(four) & 1 != 0 {
                found(place, beginning(four));
            }
        };
        let mut at = 1; // what stands before it is looked at too
        while let Some(&[before, a, b, c, d, e, f, g, h]) = tag.get(at - 1..at + READ) {
            let read = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            let mut hits = 0;
            for place in 0..PLACES {
                let begin = beginning((read >> (16 * place)) as u32);
                hits |= (self.some[begin / 64] >> (begin % 64) & 1) << place;
            }
            while hits != 0 {
                let place = 2 * hits.trailing_zeros() as usize;
                let four = (read >> (8 * place)) as u32;
                hits &= hits - 1;
                if self.either[beginning(four)] >> fourth(four) & 1 == 0 {
                    continue;
                }
                look(at + place - 1, ((read << 8 | u64::from(before)) >> (8 * place)) as u32);
                look(at + place, four);
            }
            at += 2 * PLACES;
        }
        let letter = |at: usize| tag.get(at).copied().unwrap_or(0);
        for place in at - 1..(tag.len() + 1).saturating_sub(SHORTEST) {
            look(place, u32::from_le_bytes([0, 1, 2, 3].map(|behind| letter(place + behind))));
        }
    }
}

/// Put the beginning of a word into a table; of a short one it does not matter what goes on.
fn put(table: &mut Follow, word: &[u8]) {
    match *word {
        [a, b, c, d, ..] => {
            let four = u32::from_le_bytes([a, b, c, d]);
            table[beginning(four)] |= 1 << fourth(four);
        }
        [a, b, c] => table[beginning(u32::from_le_bytes([a, b, c, 0]))] = u32::MAX,
        [a, b] => (0..=0x1F).for_each(|any| put(table, &[a, b, any])),
        _ => table.fill(u32::MAX),
    }
}

/// A word with the number of its beginning and its bit.
struct TagWord {
    begin: usize,
    bit: u64,
    letters: Vec<u8>,
    /// Its first characters as one number, and the bits of them that count: not those of the case of letters.
    head: u64,
    counts: u64,
}

impl TagWord {
    fn new(begin: usize, bit: u64, letters: &[u8]) -> TagWord {
        let (mut head, mut counts) = ([0; READ], [0; READ]);
        for (place, &letter) in letters.iter().take(READ).enumerate() {
            head[place] = letter;
            counts[place] = if letter.is_ascii_lowercase() { 0xDF } else { 0xFF };
        }
        let (head, counts) = (u64::from_le_bytes(head), u64::from_le_bytes(counts));
        TagWord { begin, bit, letters: letters.to_vec(), head, counts }
    }

    /// Whether it stands at a place, in either case.
    #[inline(always)]
    fn stands(&self, tag: &[u8], start: usize) -> bool {
        if let Some(&[a, b, c, d, e, f, g, h]) = tag.get(start..start + READ) {
            let read = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            if (read ^ self.head) & self.counts != 0 {
                return false;
            }
            if self.letters.len() <= READ {
                return true;
            }
        }
        stands(tag, start, &self.letters)
    }
}

/// Words to be looked for, in small letters of ASCII; case does not count in what is searched.
pub struct TagWords {
    /// By the numbers of their beginnings; each with its bit.
    words: Vec<TagWord>,
    beginnings: Beginnings,
    /// By the number of a beginning the place of the first word.
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
        let begin = |word: &[u8]| beginning(u32::from_le_bytes([word[0], word[1], word[2], 0]));
        let numbered = |(place, word): (usize, &&[u8])| TagWord::new(begin(word), 1 << place, word);
        let mut words: Vec<TagWord> = words.iter().enumerate().map(numbered).collect();
        words.sort_by_key(|word| word.begin);
        let (mut beginnings, mut first) = (Beginnings::new(), vec![0; BEGINNINGS]);
        for (place, word) in words.iter().enumerate().rev() {
            beginnings.add(&word.letters);
            first[word.begin] = place as u8;
        }
        Some(TagWords { words, beginnings: beginnings.marked(), first })
    }

    /// The one word, if there is no other.
    fn alone(&self) -> Option<&[u8]> {
        match &self.words[..] {
            [word] if word.bit == 1 => Some(&word.letters),
            _ => None,
        }
    }

    /// Those that stand in a text, a bit each, and known ones.
    fn held_in(&self, text: &[u8], known: u64) -> u64 {
        let mut held = known;
        self.beginnings.each_place(text, |place, begin| held |= self.held_from(text, place, begin, held));
        held
    }

    /// Those that stand at a place, but for known ones.
    #[inline(always)]
    fn held_from(&self, tag: &[u8], start: usize, begin: usize, known: u64) -> u64 {
        let mut held = 0;
        for word in &self.words[usize::from(self.first[begin])..] {
            if word.begin != begin {
                break;
            }
            if known & word.bit == 0 && word.stands(tag, start) {
                held |= word.bit;
            }
        }
        held
    }
}

/// Some sets of words that are looked for at the same time.
struct Together<'a> {
    sets: &'a [&'a TagWords],
    beginnings: Beginnings,
}

impl<'a> Together<'a> {
    fn new(sets: &'a [&'a TagWords]) -> Together<'a> {
        let mut beginnings = Beginnings::new();
        for set in sets {
            beginnings.join(&set.beginnings);
        }
        Together { sets, beginnings }
    }

    /// The words of each set that stand in a tag, a bit each.
    fn held(&self, tag: &[u8]) -> [u64; SETS] {
        let mut held = [0; SETS];
        self.beginnings.each_place(tag, |place, begin| {
            for (own, set) in held.iter_mut().zip(self.sets) {
                *own |= set.held_from(tag, place, begin, *own);
            }
        });
        held
    }
}

/// Call `read` with the start tags of a page, those that are spelled alike once, and where each stands; of raw text elements
/// up to the first `>`.
fn each_tag<U: Unit>(source: &[U], page: &Columns, tables: &Tables, mut read: impl FnMut(&[u8], (usize, usize))) {
    let mut is_seen = vec![false; page.spellings()];
    let mut narrow = Vec::new();
    let (bounds, opened, spelling) = (page.bounds(), page.opened(), page.spelling());
    for (element, &tag) in page.tag().iter().enumerate().filter(|(element, _)| opened[*element] >= 0) {
        if let Some(is_seen) = usize::try_from(spelling[element]).ok().and_then(|number| is_seen.get_mut(number)) {
            if std::mem::replace(is_seen, true) {
                continue;
            }
        }
        let at = 2 * opened[element] as usize;
        let (start, mut end) = (bounds[at + 1] as usize, bounds[at + 2] as usize);
        if tables.sets(tag as i32) & tables::RAW != 0 {
            end = U::find(source, start, b'>').map_or(end, |sign| end.min(sign + 1));
        }
        read(U::narrow(&source[start..end], &mut narrow), (start, end));
    }
}

/// Which of some words the start tags of a page hold, a bit each.
pub fn words_of_all_tags<U: Unit>(source: &[U], page: &Columns, tables: &Tables, words: &TagWords) -> u64 {
    let mut held = 0;
    each_tag(source, page, tables, |tag, _| held |= words.held_in(tag, held));
    held
}

/// Where the start tags stand that hold one of some words, told by their bits.
pub fn tags_with_words<U: Unit>(
    source: &[U],
    page: &Columns,
    tables: &Tables,
    words: &TagWords,
    bits: u64,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    each_tag(source, page, tables, |tag, range| {
        if words.held_in(tag, !bits) & bits != 0 {
            found.push(range);
        }
    });
    found
}

/// For each element the words in its start tag, of raw text elements up to the first `>`; only of those of one tag, if
/// `only` is one. A column for each set of words, at most two.
pub fn words_of_elements<U: Unit>(
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

/// The elements that hold words, and which; and those of them that are boxes with text that is seen, and which.
/// `inline`: of each tag whether its elements are no boxes, the last for any other tag.
pub fn elements_with_words(page: &Columns, held: &[u64], hidden: &[u8], inline: &[u8]) -> [Vec<u64>; 4] {
    let (tag, first, last) = (page.tag(), page.first(), page.last());
    let mut found = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    for (element, &words) in held.iter().enumerate().filter(|(_, &words)| words != 0) {
        found[0].push(element as u64);
        found[1].push(words);
        let is_inline = inline[(tag[element] as usize).min(inline.len() - 1)] != 0;
        if !is_inline && hidden[first[element] as usize..last[element] as usize].contains(&0) {
            found[2].push(element as u64);
            found[3].push(words);
        }
    }
    found
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
    fn words_are_found_at_every_place() {
        let known: [&[u8]; 6] = [b"abc", b"bcde", b"=\"?", b"photo-", b"a-very-long-word", b"cde"];
        let words = TagWords::new(&known).expect("words");
        let sets = [&words];
        let together = Together::new(&sets);
        for size in 0..40 {
            for place in 0..size {
                for word in known {
                    let mut tag = vec![b'b'; size];
                    let end = (place + word.len()).min(size);
                    tag[place..end].copy_from_slice(&word[..end - place]);
                    tag[place..end].make_ascii_uppercase();
                    let expected = known.iter().enumerate().fold(0, |all, (bit, one)| {
                        let is_there = tag.windows(one.len()).any(|some| some.eq_ignore_ascii_case(one));
                        all | u64::from(is_there) << bit
                    });
                    assert_eq!(together.held(&tag)[0], expected, "{tag:?}");
                    assert_eq!(words.held_in(&tag, 0), expected);
                }
            }
        }
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
