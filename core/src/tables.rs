//! Holds the tables of tags, character references and characters, which Python passes once.

use std::collections::HashMap;

use crate::words::{near_letters, NearLetters};

pub const BLOCK: u32 = 1;
pub const SKIPPED: u32 = 1 << 1;
pub const PREFORMATTED: u32 = 1 << 2;
pub const HEADING: u32 = 1 << 3;
pub const SCOPE: u32 = 1 << 4;
pub const FORMATTING: u32 = 1 << 5;
pub const SPECIAL: u32 = 1 << 6;
pub const P_SCOPE: u32 = 1 << 7;
#[allow(dead_code)] // the caller decides what stops an end tag
pub const LIST_SCOPE: u32 = 1 << 8;
#[allow(dead_code)]
pub const TABLE_SCOPE: u32 = 1 << 9;
pub const ITEM_STOP: u32 = 1 << 10;
pub const TERM_STOP: u32 = 1 << 11;
pub const TERM: u32 = 1 << 12;
pub const RUBY_TEXT: u32 = 1 << 13;
pub const OUTSIDE_TABLE: u32 = 1 << 14;
pub const SECTION_CONTEXT: u32 = 1 << 15;
pub const ROW_CONTEXT: u32 = 1 << 16;
pub const CELL_CONTEXT: u32 = 1 << 17;
pub const BREAKS_OUT: u32 = 1 << 18;
pub const RAW: u32 = 1 << 19;
/// In the text, but hidden.
pub const HIDDEN: u32 = 1 << 20;
/// Whether they are hidden does not depend on their start tags.
pub const NEVER_ASKED: u32 = 1 << 21;
/// Style sheets in these do not hold for the page.
pub const ELSEWHERE: u32 = 1 << 22;

/// Tags whose numbers are needed by name.
#[derive(Clone, Copy, Default)]
pub struct Numbers {
    pub p: i32,
    pub a: i32,
    pub li: i32,
    pub svg: i32,
    pub head: i32,
    pub option: i32,
    pub optgroup: i32,
    pub select: i32,
    pub input: i32,
    pub br: i32,
    pub script: i32,
    pub style: i32,
    pub title: i32,
    pub xmp: i32,
}

pub struct Tables {
    pub names: Vec<Vec<u8>>,
    pub numbers: Numbers,
    /// What the start of each tag does (`tidings.page.tags.Start`).
    pub starts: Vec<u8>,
    /// The sets each tag is in.
    pub flags: Vec<u32>,
    /// What an end tag may not reach through: the set by tag.
    pub end_stops: Vec<u32>,
    slots: Vec<i32>,
    /// A hash table of short names as integers, with the numbers of their tags.
    packed: Vec<(u64, i32)>,
    pub entities: HashMap<Vec<u8>, Vec<u32>>,
    /// For each character of the basic plane: 0 no word character, 1 word character, 2 a word by itself.
    pub classes: Vec<u8>,
    /// The lower case of each character of the basic plane, if it is a single character.
    pub lower: Vec<u16>,
    /// Of the first characters both, as words need them.
    pub near: NearLetters,
    pub max_depth: usize,
}

#[inline(always)]
fn hash(name: &[u8]) -> u32 {
    name.iter().fold(0x811C_9DC5, |state, &byte| (state ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Names up to this length are integers.
pub const PACKED: usize = 8;

/// Return a short name as an integer.
#[inline(always)]
pub fn packed(letters: impl Iterator<Item = u8>) -> u64 {
    letters.fold(1, |all, letter| all << 8 | u64::from(letter))
}

/// Return the first slot of a short name.
#[inline(always)]
fn packed_slot(packed: u64) -> usize {
    (packed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - PACKED_BITS)) as usize
}

/// The number of slots as a power of two.
const PACKED_BITS: u32 = 10;

impl Tables {
    #[allow(clippy::too_many_arguments)] // one column of the caller's tables each
    pub fn new(
        names: Vec<Vec<u8>>,
        starts: Vec<u8>,
        flags: Vec<u32>,
        end_stops: Vec<u32>,
        entities: HashMap<Vec<u8>, Vec<u32>>,
        classes: Vec<u8>,
        lower: Vec<u16>,
        max_depth: usize,
    ) -> Option<Tables> {
        let count = names.len();
        let whole = starts.len() == count && flags.len() == count && end_stops.len() == count;
        if !whole || classes.len() != 0x1_0000 || lower.len() != 0x1_0000 || max_depth < 2 {
            return None;
        }
        let mut slots = vec![0; (count * 4).next_power_of_two()];
        for (number, name) in names.iter().enumerate().skip(1) {
            let mut slot = hash(name) as usize & (slots.len() - 1);
            while slots[slot] != 0 {
                slot = (slot + 1) & (slots.len() - 1);
            }
            slots[slot] = number as i32;
        }
        let mut short = vec![(0, 0); 1 << PACKED_BITS];
        for (number, name) in names.iter().enumerate().skip(1).filter(|(_, name)| name.len() <= PACKED) {
            let name = packed(name.iter().copied());
            let free = (packed_slot(name)..short.len()).find(|&slot| short[slot].0 == 0)?;
            short[free] = (name, number as i32);
        }
        let mut tables = Tables {
            names,
            numbers: Numbers::default(),
            starts,
            flags,
            end_stops,
            slots,
            packed: short,
            entities,
            near: near_letters(&classes, &lower),
            classes,
            lower,
            max_depth,
        };
        let find = |name: &str| tables.number(name.as_bytes());
        tables.numbers = Numbers {
            p: find("p")?,
            a: find("a")?,
            li: find("li")?,
            svg: find("svg")?,
            head: find("head")?,
            option: find("option")?,
            optgroup: find("optgroup")?,
            select: find("select")?,
            input: find("input")?,
            br: find("br")?,
            script: find("script")?,
            style: find("style")?,
            title: find("title")?,
            xmp: find("xmp")?,
        };
        Some(tables)
    }

    /// Return the number of a standard tag by its lower-case name.
    #[inline]
    pub fn number(&self, name: &[u8]) -> Option<i32> {
        let mut slot = hash(name) as usize & (self.slots.len() - 1);
        loop {
            let number = self.slots[slot];
            if number == 0 {
                return None;
            }
            if self.names[number as usize] == name {
                return Some(number);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// The same for a short name as a number.
    #[inline(always)]
    pub fn packed_number(&self, name: u64) -> Option<i32> {
        let slots = &self.packed[packed_slot(name)..];
        let slot = slots.iter().take_while(|(key, _)| *key != 0).find(|(key, _)| *key == name);
        slot.map(|&(_, number)| number)
    }

    /// The sets a tag is in; tags outside the standard are in none.
    #[inline(always)]
    pub fn sets(&self, number: i32) -> u32 {
        self.flags.get(number as usize).copied().unwrap_or(0)
    }

    /// Whether raw text of a tag that never ends hides the rest of the page.
    pub fn hides_the_rest(&self, number: i32) -> bool {
        number == self.numbers.script || number == self.numbers.style
    }

    /// The class of a character, as `tidings.page.counts.word_classes` has it.
    #[inline(always)]
    pub fn class(&self, code: u32) -> u8 {
        match self.classes.get(code as usize) {
            Some(&class) => class,
            None => u8::from((0x2_0000..0x3_2000).contains(&code)) * 2,
        }
    }
}
