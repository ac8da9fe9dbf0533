//! The words of a text as numbers (`tidings.extractors.hashed_words`), and what is kept for some.

use crate::tables::Tables;

/// Letters beyond this place count alike.
const LONGEST: usize = 64;
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
const LETTER: u64 = 0xD6E8_FEB8_6659_FD93;

/// What the letter of a word is multiplied by, by its place.
const FACTORS: [u64; LONGEST] = factors();

const fn factors() -> [u64; LONGEST] {
    let (mut factors, mut place) = ([FACTOR; LONGEST], 1);
    while place < LONGEST {
        factors[place] = factors[place - 1].wrapping_mul(FACTOR);
        place += 1;
    }
    factors
}

/// Call `found` with the place and the number of each word of a text.
#[inline]
pub fn each_word(codes: impl Iterator<Item = u32>, tables: &Tables, mut found: impl FnMut(usize, u64)) {
    let (mut start, mut number, mut length) = (0, 0u64, 0usize); // length 0: in no word
    for (at, code) in codes.enumerate() {
        let class = tables.class(code);
        if class == 1 && length > 0 {
            number = number.wrapping_add(tables.letter(code).wrapping_mul(FACTORS[length.min(LONGEST - 1)]));
            length += 1;
            continue;
        }
        if length > 0 {
            found(start, number);
            length = 0;
        }
        if class > 0 {
            start = at;
            number = tables.letter(code).wrapping_mul(FACTOR);
            length = 1;
            if class == 2 {
                found(start, number);
                length = 0;
            }
        }
    }
    if length > 0 {
        found(start, number);
    }
}

impl Tables {
    /// A scattered number of a character's lower case; those beyond the basic plane are all alike.
    #[inline(always)]
    pub fn letter(&self, code: u32) -> u64 {
        let lower = self.lower[(code as usize).min(self.lower.len() - 1)];
        (u64::from(lower) + 1).wrapping_mul(LETTER)
    }
}

/// Numbers with something kept for each.
pub struct Numbered<T> {
    slots: Vec<(u64, T)>,
    taken: Vec<bool>,
    mask: usize,
    count: usize,
}

impl<T: Copy + Default> Numbered<T> {
    pub fn with_room(count: usize) -> Self {
        let size = (count * 2 + 16).next_power_of_two();
        Numbered { slots: vec![(0, T::default()); size], taken: vec![false; size], mask: size - 1, count: 0 }
    }

    #[inline(always)]
    fn slot(&self, number: u64) -> usize {
        let mut slot = (number.wrapping_mul(0x517C_C1B7_2722_0A95) >> 32) as usize & self.mask;
        while self.taken[slot] && self.slots[slot].0 != number {
            slot = (slot + 1) & self.mask;
        }
        slot
    }

    #[inline(always)]
    pub fn get(&self, number: u64) -> Option<T> {
        let slot = self.slot(number);
        if self.taken[slot] {
            Some(self.slots[slot].1)
        } else {
            None
        }
    }

    /// What is kept for a number, put there if there was nothing. There must be room.
    #[inline(always)]
    pub fn entry(&mut self, number: u64) -> &mut T {
        let slot = self.slot(number);
        if !self.taken[slot] {
            assert!(self.count * 2 <= self.mask, "more numbers than there is room for");
            self.taken[slot] = true;
            self.slots[slot].0 = number;
            self.count += 1;
        }
        &mut self.slots[slot].1
    }

    pub fn contains(&self, number: u64) -> bool {
        self.taken[self.slot(number)]
    }
}
