//! Numbers the tag names of a page; names outside the standard get numbers page by page.

use crate::keyed_hash::KeyedHash;
use crate::tables::{packed, Tables, PACKED};
use crate::units::Unit;

pub struct TagNames<'a> {
    tables: &'a Tables,
    pub local: Vec<Vec<u8>>,
    slots: Vec<i32>,
    hash: KeyedHash,
}

impl<'a> TagNames<'a> {
    pub fn new(tables: &'a Tables) -> TagNames<'a> {
        TagNames { tables, local: Vec::new(), slots: Vec::new(), hash: KeyedHash::default() }
    }

    /// The number of a name, in which case does not count.
    #[inline]
    pub fn number<U: Unit>(&mut self, name: &[U]) -> i32 {
        if name.len() <= PACKED {
            let small = |unit: &U| unit.ascii().to_ascii_lowercase();
            // What is not ASCII is in no name of the standard.
            if let Some(number) = self.tables.packed_number(packed(name.iter().map(small))) {
                return number;
            }
        }
        self.other(name)
    }

    /// Return the number of a long name, or of a name outside of the standard.
    #[inline(never)]
    fn other<U: Unit>(&mut self, name: &[U]) -> i32 {
        let spelled = lower_case(name);
        if let Some(number) = self.tables.number(&spelled) {
            return number;
        }
        let standard = self.tables.names.len();
        if (self.local.len() + 1) * 2 > self.slots.len() {
            let size = (self.slots.len() * 2).max(64);
            self.slots = vec![-1; size];
            for (place, name) in self.local.iter().enumerate() {
                let mut slot = self.hash.number(name) as usize & (size - 1);
                while self.slots[slot] >= 0 {
                    slot = (slot + 1) & (size - 1);
                }
                self.slots[slot] = place as i32;
            }
        }
        let mut slot = self.hash.number(&spelled) as usize & (self.slots.len() - 1);
        while self.slots[slot] >= 0 {
            let place = self.slots[slot] as usize;
            if self.local[place] == spelled {
                return (standard + place) as i32;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = self.local.len() as i32;
        self.local.push(spelled);
        (standard + self.local.len() - 1) as i32
    }
}

/// A name in lower case, as UTF-8 in which a lone surrogate is written like any other character.
fn lower_case<U: Unit>(name: &[U]) -> Vec<u8> {
    if name.iter().all(|unit| unit.code() < 128) {
        return name.iter().map(|unit| unit.ascii().to_ascii_lowercase()).collect();
    }
    let mut spelled = Vec::with_capacity(name.len() * 2);
    let mut letters = String::new();
    for unit in name {
        match char::from_u32(unit.code()) {
            Some(letter) => letters.push(letter),
            None => {
                spelled.extend_from_slice(letters.to_lowercase().as_bytes());
                letters.clear();
                let code = unit.code();
                spelled.extend([
                    0xE0 | (code >> 12) as u8,
                    0x80 | (code >> 6 & 0x3F) as u8,
                    0x80 | (code & 0x3F) as u8,
                ]);
            }
        }
    }
    spelled.extend_from_slice(letters.to_lowercase().as_bytes());
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::tables;

    #[test]
    fn names_have_one_number_each() {
        let tables = tables();
        let mut names = TagNames::new(&tables);
        for (number, name) in tables.names.iter().enumerate().skip(1) {
            assert_eq!(names.number(name), number as i32);
            assert_eq!(names.number(&name.to_ascii_uppercase()), number as i32);
        }
        let first = tables.names.len() as i32;
        for (name, number) in [("x-a", 0), ("x-ab-long-one", 1), ("X-A", 0), ("p\0", 2), ("x-ab-long-One", 1)] {
            assert_eq!(names.number(name.as_bytes()), first + number, "{}", name);
        }
        assert_eq!(names.number(&[0x170_u16]), first + 3); // not by its last byte
    }

    #[test]
    fn case_does_not_count_in_names_that_are_not_ascii() {
        let tables = tables();
        let mut names = TagNames::new(&tables);
        let first = tables.names.len() as i32;
        for (name, number) in [("p\u{c9}", 0), ("P\u{e9}", 0), ("b\u{130}", 1), ("x\u{3a3}", 2), ("X\u{3c2}", 2)] {
            let units: Vec<u16> = name.encode_utf16().collect();
            assert_eq!(names.number(&units), first + number, "{}", name);
        }
        assert_eq!(names.number(&[0x50_u16, 0xD800, 0xC9]), first + 3);
        assert_eq!(names.local[3], [b'p', 0xED, 0xA0, 0x80, 0xC3, 0xA9]);
        // The Kelvin sign is a capital k.
        assert_eq!(Some(names.number(&[0x6C_u16, 0x69, 0x6E, 0x212A])), tables.number(b"link").or(Some(first + 4)));
    }
}
