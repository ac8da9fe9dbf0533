//! Groups the start tags of elements with text by their spelling (`tidings.page.start_tags`).

use crate::keyed_hash::KeyedHash;
use crate::units::Unit;

/// Most fragments have fewer spellings.
const FEW: usize = 32;

/// Return the first range of each spelling, and the number of the spelling of each range.
#[inline(never)]
pub fn spellings<U: Unit>(
    source: &[U],
    ranges: impl Iterator<Item = (usize, usize)>,
) -> (Vec<(usize, usize)>, Vec<i32>) {
    let count = ranges.size_hint().0;
    let mut distinct: Vec<(usize, usize)> = Vec::with_capacity(FEW);
    let mut hashes: Vec<u32> = Vec::with_capacity(FEW);
    let mut numbers = Vec::with_capacity(count);
    let mut slots: Vec<i32> = vec![-1; 256];
    let hash = KeyedHash::default();
    for (start, end) in ranges {
        let tag = &source[start..end];
        let hash = hash.number(tag) as u32;
        if (distinct.len() + 1) * 2 > slots.len() {
            let size = slots.len() * 4;
            slots = vec![-1; size];
            for (number, &hash) in hashes.iter().enumerate() {
                let mut slot = hash as usize & (size - 1);
                while slots[slot] >= 0 {
                    slot = (slot + 1) & (size - 1);
                }
                slots[slot] = number as i32;
            }
        }
        let mut slot = hash as usize & (slots.len() - 1);
        let number = loop {
            let number = slots[slot];
            if number < 0 {
                slots[slot] = distinct.len() as i32;
                distinct.push((start, end));
                hashes.push(hash);
                break distinct.len() as i32 - 1;
            }
            let (first, last) = distinct[number as usize];
            if hashes[number as usize] == hash && &source[first..last] == tag {
                break number;
            }
            slot = (slot + 1) & (slots.len() - 1);
        };
        numbers.push(number);
    }
    (distinct, numbers)
}
