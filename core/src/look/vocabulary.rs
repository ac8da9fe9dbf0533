//! The words of a page, each told apart once: what is asked of a word is asked of as many as are different.

use super::*;

/// Places for words at the beginning: for most pages there are enough.
const ROOM: usize = 1 << 12;

/// Different words, by the order in which they come.
pub(super) struct Vocabulary {
    /// The number of each.
    pub(super) numbers: Vec<u64>,
    /// One more than the place of the word that stands here; 0 for none.
    slots: Vec<u32>,
}

impl Vocabulary {
    pub(super) fn new() -> Self {
        Vocabulary { numbers: Vec::with_capacity(ROOM / 2), slots: vec![0; ROOM] }
    }

    #[inline(always)]
    fn slot(&self, number: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (number.wrapping_mul(0x517C_C1B7_2722_0A95) >> 32) as usize & mask;
        while self.slots[slot] != 0 && self.numbers[self.slots[slot] as usize - 1] != number {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The place of a word among the others; a new one is the last.
    #[inline(always)]
    pub(super) fn place(&mut self, number: u64) -> u32 {
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

    fn find(&self, number: u64) -> Option<usize> {
        self.slots[self.slot(number)].checked_sub(1).map(|place| place as usize)
    }
}

const TITLE: u8 = 1;
const HEADLINE: u8 = 2;
const SUMMARY: u8 = 4;
/// In a paragraph, and in a paragraph more than once.
const LONG_ONCE: u8 = 8;
const LONG_TWICE: u8 = 16;
const RARE: u8 = 32;

/// How many words of a block are in the declared headline and in the description.
pub struct DeclaredWords {
    pub(crate) headline: Vec<f64>,
    pub(crate) summary: Vec<f64>,
}

impl Seen<'_> {
    /// How like the title, and like the other paragraphs of the page, the words of a block are.
    pub(super) fn find_likeness(&mut self, title: &[u64], declared: &Declared) -> DeclaredWords {
        let size = self.vocabulary.numbers.len();
        let mut counts = vec![(0u32, 0u32); size]; // all, in long blocks
        for at in 0..self.count() {
            let is_long = u32::from(self.long[at] > 0.0);
            for &word in self.words_of(at) {
                let held = &mut counts[word as usize];
                held.0 += 1;
                held.1 += is_long;
            }
        }
        let few = at_least(self.total / 200.0, 3.0);
        let mark = |&(all, in_long): &(u32, u32)| {
            let is_rare = f64::from(all) <= few;
            (u8::from(in_long > 0) * LONG_ONCE) | (u8::from(in_long > 1) * LONG_TWICE) | (u8::from(is_rare) * RARE)
        };
        let mut marks: Vec<u8> = counts.iter().map(mark).collect();
        for (words, bit) in [(title, TITLE), (declared.headline, HEADLINE), (declared.summary, SUMMARY)] {
            for place in words.iter().filter_map(|&number| self.vocabulary.find(number)) {
                marks[place] |= bit;
            }
        }
        let title_size = at_least(title.len() as f64, 1.0);
        let count = self.count();
        let mut likeness = Vec::with_capacity(count);
        let mut found = DeclaredWords { headline: Vec::with_capacity(count), summary: Vec::with_capacity(count) };
        for at in 0..count {
            let elsewhere = if self.long[at] > 0.0 { LONG_TWICE } else { LONG_ONCE };
            let words = self.words_of(at);
            let (mut told, mut headline, mut summary, mut shared, mut rare) = (0u32, 0u32, 0u32, 0u32, 0u32);
            for &word in words {
                let mark = marks[word as usize];
                told += u32::from(mark & TITLE != 0);
                headline += u32::from(mark & HEADLINE != 0);
                summary += u32::from(mark & SUMMARY != 0);
                shared += u32::from(mark & elsewhere != 0);
                rare += u32::from(mark & elsewhere != 0 && mark & RARE != 0);
            }
            let size = at_least(words.len() as f64, 1.0);
            let told = f64::from(told);
            likeness.push([
                (told / size) as f32,
                (told / title_size) as f32,
                (f64::from(shared) / size) as f32,
                (f64::from(rare) / size) as f32,
            ]);
            found.headline.push(f64::from(headline));
            found.summary.push(f64::from(summary));
        }
        self.likeness = likeness;
        found
    }

    #[inline(always)]
    pub(crate) fn words_of(&self, at: usize) -> &[u32] {
        &self.word_places[self.first_word[at] as usize..self.last_word[at] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart_however_many_there_are() {
        let mut words = Vocabulary::new();
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
