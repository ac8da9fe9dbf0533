//! Numbers of the names of tags as a page writes them; those outside the standard are given out page by page.

use crate::scatter::Scatter;
use crate::tables::{packed, Tables, PACKED};
use crate::tokens::Odd;
use crate::units::Unit;

pub struct TagNames<'a> {
    tables: &'a Tables,
    pub local: Vec<Vec<u8>>,
    slots: Vec<i32>,
    scatter: Scatter,
}

impl<'a> TagNames<'a> {
    pub fn new(tables: &'a Tables) -> TagNames<'a> {
        TagNames { tables, local: Vec::new(), slots: Vec::new(), scatter: Scatter::default() }
    }

    /// The number of a name, in which case does not count.
    #[inline]
    pub fn number<U: Unit>(&mut self, name: &[U]) -> Result<i32, Odd> {
        if name.len() <= PACKED {
            let small = |unit: &U| unit.ascii().to_ascii_lowercase();
            // What is not ASCII is in no name of the standard.
            if let Some(number) = self.tables.packed_number(packed(name.iter().map(small))) {
                return Ok(number);
            }
        }
        self.other(name)
    }

    /// The same for one that is long, or outside the standard.
    #[inline(never)]
    fn other<U: Unit>(&mut self, name: &[U]) -> Result<i32, Odd> {
        let mut spelled = Vec::with_capacity(name.len());
        for unit in name {
            let letter = unit.ascii();
            if letter == 0xFF {
                return Err(Odd::Name);
            }
            spelled.push(letter.to_ascii_lowercase());
        }
        if let Some(number) = self.tables.number(&spelled) {
            return Ok(number);
        }
        let standard = self.tables.names.len();
        if (self.local.len() + 1) * 2 > self.slots.len() {
            let size = (self.slots.len() * 2).max(64);
            self.slots = vec![-1; size];
            for (place, name) in self.local.iter().enumerate() {
                let mut slot = self.scatter.number(name) as usize & (size - 1);
                while self.slots[slot] >= 0 {
                    slot = (slot + 1) & (size - 1);
                }
                self.slots[slot] = place as i32;
            }
        }
        let mut slot = self.scatter.number(&spelled) as usize & (self.slots.len() - 1);
        while self.slots[slot] >= 0 {
            let place = self.slots[slot] as usize;
            if self.local[place] == spelled {
                return Ok((standard + place) as i32);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = self.local.len() as i32;
        self.local.push(spelled);
        Ok((standard + self.local.len() - 1) as i32)
    }
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
            assert_eq!(names.number(name), Ok(number as i32));
            assert_eq!(names.number(&name.to_ascii_uppercase()), Ok(number as i32));
        }
        let first = tables.names.len() as i32;
        for (name, number) in [("x-a", 0), ("x-ab-long-one", 1), ("X-A", 0), ("p\0", 2), ("x-ab-long-One", 1)] {
            assert_eq!(names.number(name.as_bytes()), Ok(first + number), "{}", name);
        }
        assert_eq!(names.number(&[0x70_u16, 0x100]), Err(Odd::Name));
        assert_eq!(names.number(&[0x170_u16]), Err(Odd::Name)); // not by its last byte
    }
}
