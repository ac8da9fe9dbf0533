//! The words of a page, each told apart once: what is asked of a word is asked of as many as are different.

/// Places for words at the beginning: for most pages there are enough.
const ROOM: usize = 1 << 11;

/// Different words, by the order in which they come.
pub struct Vocabulary {
    /// The number of each.
    pub numbers: Vec<u64>,
    /// One more than the place of the word that stands here; 0 for none.
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

    /// The place of a word among the others; a new one is the last.
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
