//! Turns the words of a text into numbers, and maps numbers to values (`tidings.extractors.hashed_words`).

use crate::tables::Tables;

/// Letters after this position have the same factor.
const LONGEST: usize = 64;
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
const LETTER: u64 = 0xD6E8_FEB8_6659_FD93;

/// The factor of the letter at each position of a word.
const FACTORS: [u64; LONGEST] = factors();

const fn factors() -> [u64; LONGEST] {
    let (mut factors, mut place) = ([FACTOR; LONGEST], 1);
    while place < LONGEST {
        factors[place] = factors[place - 1].wrapping_mul(FACTOR);
        place += 1;
    }
    factors
}

/// The class and hash of a character.
#[derive(Clone, Copy)]
pub struct Letter {
    /// As of `Tables::classes`.
    class: u8,
    /// The hash of its lower case.
    number: u64,
}

/// The number of characters with precomputed entries.
const NEAR: usize = 256;
pub type NearLetters = [Letter; NEAR];

/// Return the entries of these characters.
pub fn near_letters(classes: &[u8], lower: &[u16]) -> NearLetters {
    let mut letters = [Letter { class: 0, number: 0 }; NEAR];
    for (code, letter) in letters.iter_mut().enumerate() {
        *letter = Letter { class: classes[code], number: letter_hash(lower[code]) };
    }
    letters
}

#[inline(always)]
fn letter_hash(lower: u16) -> u64 {
    (u64::from(lower) + 1).wrapping_mul(LETTER)
}

/// Call `read` with the start and the hash of each word of a text.
#[inline]
pub fn each_word(codes: impl Iterator<Item = u32>, tables: &Tables, mut read: impl FnMut(usize, u64)) {
    let mut codes = codes.enumerate();
    while let Some((start, code)) = codes.next() {
        let first = tables.letter(code);
        if first.class == 0 {
            continue;
        }
        let mut number = first.number.wrapping_mul(FACTOR);
        if first.class == 1 {
            let mut behind = None;
            for (at, code) in &mut codes {
                let letter = tables.letter(code);
                if letter.class != 1 {
                    behind = Some((at, letter)).filter(|(_, letter)| letter.class == 2);
                    break;
                }
                number = number.wrapping_add(letter.number.wrapping_mul(FACTORS[(at - start).min(LONGEST - 1)]));
            }
            read(start, number);
            if let Some((at, letter)) = behind {
                read(at, letter.number.wrapping_mul(FACTOR));
            }
        } else {
            read(start, number);
        }
    }
}

impl Tables {
    /// Return the entry of a character. Characters outside the basic plane share a hash.
    #[inline(always)]
    fn letter(&self, code: u32) -> Letter {
        match self.near.get(code as usize) {
            Some(&letter) => letter,
            None => {
                let lower = self.lower[(code as usize).min(self.lower.len() - 1)];
                Letter { class: self.class(code), number: letter_hash(lower) }
            }
        }
    }
}

/// A hash table with integer keys.
pub struct Numbered<T> {
    slots: Vec<(u64, T)>,
    is_used: Vec<bool>,
    mask: usize,
    count: usize,
}

impl<T: Copy + Default> Numbered<T> {
    pub fn with_room(count: usize) -> Self {
        let size = (count * 2 + 16).next_power_of_two();
        Numbered { slots: vec![(0, T::default()); size], is_used: vec![false; size], mask: size - 1, count: 0 }
    }

    #[inline(always)]
    fn slot(&self, number: u64) -> usize {
        let mut slot = (number.wrapping_mul(0x517C_C1B7_2722_0A95) >> 32) as usize & self.mask;
        while self.is_used[slot] && self.slots[slot].0 != number {
            slot = (slot + 1) & self.mask;
        }
        slot
    }

    #[inline(always)]
    pub fn get(&self, number: u64) -> Option<T> {
        let slot = self.slot(number);
        if self.is_used[slot] {
            Some(self.slots[slot].1)
        } else {
            None
        }
    }

    /// Return the value of a key, which is inserted if it is missing. There must be a free slot.
    #[inline(always)]
    pub fn entry(&mut self, number: u64) -> &mut T {
        let slot = self.slot(number);
        if !self.is_used[slot] {
            assert!(self.count * 2 <= self.mask, "more keys than slots");
            self.is_used[slot] = true;
            self.slots[slot].0 = number;
            self.count += 1;
        }
        &mut self.slots[slot].1
    }

    pub fn contains(&self, number: u64) -> bool {
        self.is_used[self.slot(number)]
    }
}

/// Bits of the hash in a filter of 16 KB, which fits into the processor's cache.
const LIKELY: usize = 17;

fn filter_bit(number: u64) -> usize {
    (number.wrapping_mul(0x517C_C1B7_2722_0A95) >> (64 - LIKELY)) as usize
}

/// Values by the hashes of words, with a filter for unknown words.
pub struct KnownWords<T> {
    table: Numbered<T>,
    /// The filter: bits by hash.
    likely: Vec<u64>,
}

impl<T: Copy + Default> KnownWords<T> {
    /// Build the table. Of equal hashes the first counts.
    pub fn new(numbers: &[u64], values: &[T]) -> Self {
        let mut words = KnownWords { table: Numbered::with_room(numbers.len()), likely: vec![0; 1 << (LIKELY - 6)] };
        for (&number, &value) in numbers.iter().zip(values) {
            if !words.table.contains(number) {
                *words.table.entry(number) = value;
            }
            let bit = filter_bit(number);
            words.likely[bit >> 6] |= 1 << (bit & 63);
        }
        words
    }

    #[inline(always)]
    pub fn get(&self, number: u64) -> Option<T> {
        let bit = filter_bit(number);
        if self.likely[bit >> 6] >> (bit & 63) & 1 != 0 {
            self.table.get(number)
        } else {
            None
        }
    }
}

/// The initial number of slots, which is enough for most pages.
const ROOM: usize = 1 << 11;

/// The distinct words of a page in order of occurrence, so that work is done once per distinct word.
pub struct Vocabulary {
    /// The hash of each word.
    pub numbers: Vec<u64>,
    /// The index of a word plus 1; 0 for an empty slot.
    slots: Vec<u32>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Vocabulary { numbers: Vec::with_capacity(ROOM / 2), slots: vec![0; ROOM] }
    }
}

impl Vocabulary {
    #[inline(always)]
    fn slot(&self, number: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (number.wrapping_mul(0x517C_C1B7_2722_0A95) >> 32) as usize & mask;
        while self.slots[slot] != 0 && self.numbers[self.slots[slot] as usize - 1] != number {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Return the index of a word, which is appended if it is new.
    #[inline(always)]
    pub fn place(&mut self, number: u64) -> u32 {
        let slot = self.slot(number);
        if self.slots[slot] == 0 {
            return self.add(number, slot);
        }
        self.slots[slot] - 1
    }

    #[inline(never)]
    fn add(&mut self, number: u64, mut slot: usize) -> u32 {
        if self.numbers.len() * 2 >= self.slots.len() {
            self.slots = vec![0; self.slots.len() * 2];
            for place in 0..self.numbers.len() {
                let own = self.slot(self.numbers[place]);
                self.slots[own] = place as u32 + 1;
            }
            slot = self.slot(number);
        }
        self.numbers.push(number);
        self.slots[slot] = self.numbers.len() as u32;
        self.slots[slot] - 1
    }

    pub fn find(&self, number: u64) -> Option<usize> {
        self.slots[self.slot(number)].checked_sub(1).map(|place| place as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_where_their_letters_do() {
        let tables = crate::samples::tables();
        let read = |text: &str| {
            let mut words = Vec::new();
            each_word(text.chars().map(u32::from), &tables, |start, number| words.push((start, number)));
            words
        };
        let alone = |text: &str| read(text)[0].1;
        let long = "a".repeat(LONGEST + 9);
        assert_eq!(read(" ab-Cd "), [(1, alone("ab")), (4, alone("cd"))]);
        assert_eq!(read("ab"), [(0, alone("AB"))]);
        assert_eq!((read(""), read(" -")), (vec![], vec![]));
        assert_eq!(read(&long).len(), 1);
        assert_ne!(alone(&long), alone(&long[1..]));
    }

    #[test]
    fn of_equal_words_the_first_is_kept() {
        let words = KnownWords::new(&[7, 9, 7], &[1.0, 2.0, 3.0]);
        assert_eq!((words.get(7), words.get(9), words.get(8)), (Some(1.0), Some(2.0), None));
    }

    #[test]
    fn words_are_told_apart_however_many_there_are() {
        let mut words = Vocabulary::default();
        let numbers: Vec<u64> = (0..3 * ROOM as u64).map(|place| (place << 40) | (place % 7)).collect();
        for _ in 0..2 {
            for (place, &number) in numbers.iter().enumerate() {
                assert_eq!(words.place(number), place as u32);
            }
        }
        assert_eq!(words.numbers, numbers);
        assert_eq!((words.find(numbers[9]), words.find(1)), (Some(9), None));
    }
}
