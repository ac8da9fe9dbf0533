//! Finds words in the start tags of elements (`tidings.page.tag_words`).

use crate::columns::Columns;
use crate::needles::Word;
use crate::tables::{self, Tables};
use crate::units::{stands, Unit};

/// The minimum length of a word, and the maximum number of words.
const SHORTEST: usize = 3;
const MOST: usize = 64;
/// The maximum number of sets of words in a search.
pub const SETS: usize = 2;
/// The number of distinct hashes of word beginnings.
const BEGINNINGS: usize = 1 << 12;
type Follow = [u32; BEGINNINGS];

/// Return the hash of three characters, the first in the lowest bits, ignoring case.
#[inline(always)]
fn beginning(four: u32) -> usize {
    ((four & 0x001F_1F1F).wrapping_mul(0x9E37_79B1) >> 20) as usize
}

/// Return the number of the fourth character, ignoring case.
#[inline(always)]
fn fourth(four: u32) -> u32 {
    four >> 24 & 0x1F
}

/// Characters of a tag that are read together; every other position of them is checked.
const READ: usize = 8;
const PLACES: usize = 3;

/// The beginnings of words: by the hash of three characters the fourth characters, as bits.
struct Beginnings {
    /// Of words.
    first: Box<Follow>,
    /// Of words, and of words without their first characters, because every other position is checked.
    either: Box<Follow>,
    /// Bits: whether any character follows. Most positions are decided by these few bytes.
    any: [u64; BEGINNINGS / 64],
}

impl Beginnings {
    fn new() -> Beginnings {
        let (first, either) = (Box::new([0; BEGINNINGS]), Box::new([0; BEGINNINGS]));
        Beginnings { first, either, any: [0; BEGINNINGS / 64] }
    }

    fn add(&mut self, word: &[u8]) {
        add_beginning(&mut self.first, word);
        add_beginning(&mut self.either, word);
        add_beginning(&mut self.either, &word[1..]);
    }

    /// Return these with the bits of the added words.
    fn marked(mut self) -> Beginnings {
        for (bits, follows) in self.any.iter_mut().zip(self.either.chunks(64)) {
            *bits = follows.iter().rev().fold(0, |bits, &follow| bits << 1 | u64::from(follow != 0));
        }
        self
    }

    /// Add the beginnings of other words.
    fn join(&mut self, others: &Beginnings) {
        for (all, own) in [(&mut self.first, &others.first), (&mut self.either, &others.either)] {
            all.iter_mut().zip(own.iter()).for_each(|(all, own)| *all |= own);
        }
        self.any.iter_mut().zip(others.any).for_each(|(all, own)| *all |= own);
    }

    /// Call `read` with each position of a tag where a word may be, and the hash of its beginning.
    #[inline(always)]
    fn each_place(&self, tag: &[u8], mut read: impl FnMut(usize, usize)) {
        let mut look = |place: usize, four: u32| {
            if self.first[beginning(four)] >> fourth(four) & 1 != 0 {
                read(place, beginning(four));
            }
        };
        let mut at = 1; // the previous position is checked, too
        while let Some(&[before, a, b, c, d, e, f, g, h]) = tag.get(at - 1..at + READ) {
            let read = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            let mut hits = 0;
            for place in 0..PLACES {
                let begin = beginning((read >> (16 * place)) as u32);
                hits |= (self.any[begin / 64] >> (begin % 64) & 1) << place;
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

/// Add the beginning of a word to a table; any characters may follow a short word.
fn add_beginning(table: &mut Follow, word: &[u8]) {
    match *word {
        [a, b, c, d, ..] => {
            let four = u32::from_le_bytes([a, b, c, d]);
            table[beginning(four)] |= 1 << fourth(four);
        }
        [a, b, c] => table[beginning(u32::from_le_bytes([a, b, c, 0]))] = u32::MAX,
        [a, b] => (0..=0x1F).for_each(|any| add_beginning(table, &[a, b, any])),
        _ => table.fill(u32::MAX),
    }
}

/// A word with the hash of its beginning and its bit.
struct TagWord {
    begin: usize,
    bit: u64,
    letters: Vec<u8>,
    /// Its first characters as an integer, and a mask without the bits of case.
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

    /// Whether the word is at a position, in either case.
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

/// Words in lower-case ASCII. Searches ignore case.
pub struct TagWords {
    /// Sorted by the hashes of their beginnings.
    words: Vec<TagWord>,
    beginnings: Beginnings,
    /// By the hash of a beginning the index of the first word.
    first: Vec<u8>,
}

impl TagWords {
    /// None if there are too many words, or a word is too short or not lower-case ASCII.
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

    /// The only word, if there are no others.
    fn only_word(&self) -> Option<&[u8]> {
        match &self.words[..] {
            [word] if word.bit == 1 => Some(&word.letters),
            _ => None,
        }
    }

    /// Return the bits of the words in a text, in addition to `bits`.
    fn add_words_in(&self, text: &[u8], bits: u64) -> u64 {
        let mut bits = bits;
        self.beginnings.each_place(text, |place, begin| bits |= self.words_at(text, place, begin, bits));
        bits
    }

    /// Return the bits of the words at a place, without those in `ignored`.
    #[inline(always)]
    fn words_at(&self, tag: &[u8], start: usize, begin: usize, ignored: u64) -> u64 {
        let mut bits = 0;
        for word in &self.words[usize::from(self.first[begin])..] {
            if word.begin != begin {
                break;
            }
            if ignored & word.bit == 0 && word.stands(tag, start) {
                bits |= word.bit;
            }
        }
        bits
    }
}

/// Several sets of words, for one search.
struct WordSets<'a> {
    sets: &'a [&'a TagWords],
    beginnings: Beginnings,
}

impl<'a> WordSets<'a> {
    fn new(sets: &'a [&'a TagWords]) -> WordSets<'a> {
        let mut beginnings = Beginnings::new();
        for set in sets {
            beginnings.join(&set.beginnings);
        }
        WordSets { sets, beginnings }
    }

    /// Return the bits of the words of each set in a tag.
    fn words_in(&self, tag: &[u8]) -> [u64; SETS] {
        let mut bits = [0; SETS];
        self.beginnings.each_place(tag, |place, begin| {
            for (own, set) in bits.iter_mut().zip(self.sets) {
                *own |= set.words_at(tag, place, begin, *own);
            }
        });
        bits
    }
}

/// Return the range of the start tag of an element, for raw text elements up to the first `>`.
fn searched_range<U: Unit>(source: &[U], page: &Columns, tables: &Tables, element: usize) -> (usize, usize) {
    let (start, end) = page.tag_range(element);
    if tables.sets(page.tag()[element] as i32) & tables::RAW == 0 {
        return (start, end);
    }
    (start, U::find(source, start, b'>').map_or(end, |sign| end.min(sign + 1)))
}

/// Call `read` with each distinct start tag of a page and its range, for raw text elements up to the first `>`.
fn each_tag<U: Unit>(source: &[U], page: &Columns, tables: &Tables, mut read: impl FnMut(&[u8], (usize, usize))) {
    let mut is_done = vec![false; page.spellings()];
    let mut narrow = Vec::new();
    let (opened, spelling) = (page.opened(), page.spelling());
    for element in (0..page.tag().len()).filter(|&element| opened[element] >= 0) {
        if let Some(is_done) = usize::try_from(spelling[element]).ok().and_then(|number| is_done.get_mut(number)) {
            if std::mem::replace(is_done, true) {
                continue;
            }
        }
        let (start, end) = searched_range(source, page, tables, element);
        read(U::narrow(&source[start..end], &mut narrow), (start, end));
    }
}

/// Return the bits of the words in the start tags of a page.
pub fn words_of_all_tags<U: Unit>(source: &[U], page: &Columns, tables: &Tables, words: &TagWords) -> u64 {
    let mut bits = 0;
    each_tag(source, page, tables, |tag, _| bits |= words.add_words_in(tag, bits));
    bits
}

/// Return the ranges of the start tags with words that have one of some bits.
pub fn tags_with_words<U: Unit>(
    source: &[U],
    page: &Columns,
    tables: &Tables,
    words: &TagWords,
    bits: u64,
) -> Vec<(usize, usize)> {
    let mut ranges = Vec::new();
    each_tag(source, page, tables, |tag, range| {
        if words.add_words_in(tag, !bits) & bits != 0 {
            ranges.push(range);
        }
    });
    ranges
}

/// Return the bits of the words in the start tag of each element, for raw text elements up to the first `>`; if `only` is not
/// 0, for elements of that tag. The result has a column for each set of words, at most two.
pub fn words_of_elements<U: Unit>(
    source: &[U],
    page: &Columns,
    tables: &Tables,
    sets: &[&TagWords],
    only: i64,
) -> [Vec<u64>; SETS] {
    let words = WordSets::new(sets);
    let elements = page.tag().len();
    let mut out = [Vec::new(), Vec::new()];
    for column in out.iter_mut().take(sets.len()) {
        column.resize(elements, 0);
    }
    let single = match sets {
        [words] => words.only_word().map(Word::new),
        _ => None,
    };
    let mut cache: Vec<Option<[u64; SETS]>> = vec![None; page.spellings()];
    let mut narrow = Vec::new();
    let (opened, spelling) = (page.opened(), page.spelling());
    for (element, &tag) in page.tag().iter().enumerate() {
        if opened[element] < 0 || (only > 0 && tag != only) {
            continue;
        }
        let number = spelling[element];
        let cached = if number >= 0 { cache[number as usize] } else { None };
        let bits = cached.unwrap_or_else(|| {
            let (start, end) = searched_range(source, page, tables, element);
            match &single {
                Some(word) => [u64::from(word.is_in(&source[start..end])), 0],
                None => words.words_in(U::narrow(&source[start..end], &mut narrow)),
            }
        });
        if number >= 0 {
            cache[number as usize] = Some(bits);
        }
        for (column, own) in out.iter_mut().take(sets.len()).zip(bits) {
            column[element] = own;
        }
    }
    out
}

/// Return the elements with words and their bits; then those of them that are boxes with visible text, and their bits.
/// `inline` says for each tag whether its elements are inline, the last item for other tags.
pub fn elements_with_words(page: &Columns, bits: &[u64], hidden: &[u8], inline: &[u8]) -> [Vec<u64>; 4] {
    let (tag, first, last) = (page.tag(), page.first(), page.last());
    let mut columns = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    for (element, &words) in bits.iter().enumerate().filter(|(_, &words)| words != 0) {
        columns[0].push(element as u64);
        columns[1].push(words);
        let is_inline = inline[(tag[element] as usize).min(inline.len() - 1)] != 0;
        if !is_inline && hidden[first[element] as usize..last[element] as usize].contains(&0) {
            columns[2].push(element as u64);
            columns[3].push(words);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_either_case_anywhere_in_a_tag() {
        let words = TagWords::new(&[b"author", b"uth", b"=\"?", b"msg"]).expect("words");
        let sets = [&words];
        let words = WordSets::new(&sets);
        assert_eq!(words.words_in(b"<a class=\"postAuthor\" href=\"?p=2\">")[0], 0b111);
        assert_eq!(words.words_in(b"<a AUTHO")[0], 0b10);
        assert_eq!(words.words_in(b"ms")[0], 0);
        let mut narrow = Vec::new();
        assert_eq!(words.words_in(u16::narrow(&[0x6D, 0x173, 0x67], &mut narrow))[0], 0); // not by the last byte of a letter
        assert_eq!(words.words_in(u32::narrow(&[0x6D, 0x73, 0x67, 0x1_0000], &mut narrow))[0], 0b1000);
    }

    #[test]
    fn words_are_found_at_every_place() {
        let known: [&[u8]; 6] = [b"abc", b"bcde", b"=\"?", b"photo-", b"a-very-long-word", b"cde"];
        let words = TagWords::new(&known).expect("words");
        let sets = [&words];
        let together = WordSets::new(&sets);
        for size in 0..40 {
            for place in 0..size {
                for word in known {
                    let mut tag = vec![b'b'; size];
                    let end = (place + word.len()).min(size);
                    tag[place..end].copy_from_slice(&word[..end - place]);
                    tag[place..end].make_ascii_uppercase();
                    let expected = known.iter().enumerate().fold(0, |all, (bit, one)| {
                        let is_there = tag.windows(one.len()).any(|any| any.eq_ignore_ascii_case(one));
                        all | u64::from(is_there) << bit
                    });
                    assert_eq!(together.words_in(&tag)[0], expected, "{tag:?}");
                    assert_eq!(words.add_words_in(&tag, 0), expected);
                }
            }
        }
    }

    #[test]
    fn two_sets_are_looked_for_at_once() {
        let (one, other) = (TagWords::new(&[b"abc", b"abd"]).expect("words"), TagWords::new(&[b"bce"]).expect("words"));
        assert_eq!(WordSets::new(&[&one, &other]).words_in(b"<i abce>"), [0b1, 0b1]);
        assert_eq!(WordSets::new(&[&one, &other]).words_in(b"<i abd>"), [0b10, 0]);
    }

    #[test]
    fn words_that_cannot_be_looked_for_are_refused() {
        for word in [&b"ab"[..], b"Author", b"\xC3\xA9t\xC3\xA9"] {
            assert!(TagWords::new(&[word]).is_none());
        }
        assert!(TagWords::new(&[&b"abc"[..]; 65]).is_none());
        let none = TagWords::new(&[]).expect("no words");
        assert_eq!(WordSets::new(&[&none]).words_in(b"<a abc>"), [0, 0]);
    }
}
