//! Hashes text quickly with a key drawn at random in each process, so that no page can be written to make its words collide.

use std::collections::hash_map::RandomState;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::units::Unit;

pub type Map<K, V> = HashMap<K, V, KeyedHash>;

/// Fold the halves of a 128-bit product.
#[inline(always)]
fn folded(factor: u64, other: u64) -> u64 {
    let product = u128::from(factor) * u128::from(other);
    product as u64 ^ (product >> 64) as u64
}

/// The number that is drawn once in a process; 0 while it is not.
fn secret() -> u64 {
    static DRAWN: AtomicU64 = AtomicU64::new(0);
    match DRAWN.load(Ordering::Relaxed) {
        0 => {
            let drawn = RandomState::new().build_hasher().finish() | 1;
            DRAWN.compare_exchange(0, drawn, Ordering::Relaxed, Ordering::Relaxed).map_or_else(|first| first, |_| drawn)
        }
        drawn => drawn,
    }
}

/// What hashes.
#[derive(Clone, Copy)]
pub struct KeyedHash {
    key: u64,
}

impl Default for KeyedHash {
    fn default() -> KeyedHash {
        KeyedHash { key: secret() }
    }
}

impl KeyedHash {
    /// A number of a text.
    #[inline(always)]
    pub fn number<U: Unit>(self, text: &[U]) -> u64 {
        let mut state = self.build_hasher();
        state.add(text.len() as u64);
        U::each_word(text, |word| state.add(word));
        state.finish()
    }
}

impl BuildHasher for KeyedHash {
    type Hasher = KeyedHasher;

    #[inline(always)]
    fn build_hasher(&self) -> KeyedHasher {
        KeyedHasher { state: self.key.rotate_left(32), key: self.key }
    }
}

/// A hash while it is made.
pub struct KeyedHasher {
    state: u64,
    key: u64,
}

impl KeyedHasher {
    #[inline(always)]
    fn add(&mut self, word: u64) {
        self.state = folded(self.state ^ word, self.key);
    }
}

impl Hasher for KeyedHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        u8::each_word(bytes, |word| self.add(word));
    }

    #[inline(always)]
    fn write_u8(&mut self, number: u8) {
        self.add(u64::from(number));
    }

    #[inline(always)]
    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number));
    }

    #[inline(always)]
    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    #[inline(always)]
    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    #[inline(always)]
    fn finish(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_number_and_others_have_others() {
        let hash = KeyedHash::default();
        let texts: Vec<Vec<u8>> = (0..=255u8).flat_map(|byte| (0..20).map(move |size| vec![byte; size])).collect();
        let mut numbers: Vec<u64> = texts.iter().map(|text| hash.number(text)).collect();
        assert_eq!(numbers, texts.iter().map(|text| KeyedHash::default().number(text)).collect::<Vec<_>>());
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 1 + 256 * 19); // of those without a byte there is one
        let wide: Vec<u16> = vec![0x3C, 0x100, 0x3C, 0x70, 0x3E];
        assert_ne!(hash.number(&wide), hash.number(&wide[..4]));
    }

    /// What collides whatever number is drawn: in a hash of shifts and products by a known factor, the highest bit of a
    /// word and a bit of the next.
    #[test]
    fn bits_of_neighbours_do_not_cancel_each_other_out() {
        let hash = KeyedHash::default();
        let pairs = (0..64).flat_map(|one| (0..64).map(move |other| (1u64 << one, 1u64 << other)));
        let mut numbers: Vec<u64> = pairs
            .map(|(one, other)| {
                let bytes: Vec<u8> = one.to_le_bytes().iter().chain(&other.to_le_bytes()).copied().collect();
                hash.number(&bytes)
            })
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 64 * 64);
    }
}
