//! Computes the context of each element: links and formatting, lists, quotes, tables, headings.

use super::{Selection, NO_LINK};
use crate::columns::Columns;

/// Roles of tags (`tidings.article.units.article_tables.Role`).
pub const LINK: u8 = 1;
pub const STRONG: u8 = 2;
pub const SUBSCRIPT: u8 = 6;
pub const PREFORMATTED: u8 = 7;
pub const CAPTION: u8 = 8;
pub const FIGURE: u8 = 9;
pub const QUOTE: u8 = 10;
pub const LIST: u8 = 11;
pub const ITEM: u8 = 12;
pub const TERM: u8 = 13;
pub const DEFINITION: u8 = 14;
pub const TABLE: u8 = 15;
pub const CELL: u8 = 16;
pub const HEADING: u8 = 17;
pub const LAST_HEADING: u8 = 22;
pub const ORDERED: u8 = 23;
pub const TERMS: u8 = 24;

/// The formatting of an inline. Texts are numbers of the caller, 0 for none: the referenced note, the reading, and the
/// expansion.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    pub address: i32,
    pub bits: u8,
    pub texts: [u32; 3],
}

impl Style {
    /// Return the common part of two styles.
    pub fn common(self, other: Style) -> Style {
        let same = |own: u32, other: u32| if own == other { own } else { 0 };
        let [note, reading, expansion] = self.texts;
        Style {
            address: if self.address == other.address { self.address } else { 0 },
            bits: self.bits & other.bits,
            texts: [same(note, other.texts[0]), same(reading, other.texts[1]), same(expansion, other.texts[2])],
        }
    }

    /// Return the union of two styles.
    pub fn with(self, other: Style) -> Style {
        let first = |own: u32, other: u32| if own != 0 { own } else { other };
        let [note, reading, expansion] = self.texts;
        Style {
            address: self.address,
            bits: self.bits | other.bits,
            texts: [first(note, other.texts[0]), first(reading, other.texts[1]), first(expansion, other.texts[2])],
        }
    }
}

/// The ancestors of an element, itself included; 0 for none.
#[derive(Clone, Copy, Default)]
pub struct Context {
    pub style: Style,
    pub level: u8,
    pub is_quoted: bool,
    pub defines: bool,
    pub is_term: bool,
    pub heading: u32,
    pub preformatted: u32,
    pub caption: u32,
    pub figure: u32,
    pub table: u32,
    pub cell: u32,
    pub quotes: u32,
    pub lists: u32,
    pub innermost: u32,
    pub item: u32,
    pub owner: u32,
    pub depth: u32,
}

impl Context {
    pub fn is_preformatted(&self) -> bool {
        self.preformatted > 0 && self.caption == 0 && self.heading == 0
    }
}

pub struct Contexts<'a> {
    pub page: &'a Columns,
    pub selection: &'a Selection<'a>,
    /// By element the index of its context plus 1; 0 if it was not computed.
    pub context_of: Vec<u32>,
    pub all: Vec<Context>,
    pub way: Vec<usize>,
}

impl<'a> Contexts<'a> {
    /// Ancestors of roots do not count: a comment is no list item, though it often is a list item of the page.
    pub fn new(page: &'a Columns, selection: &'a Selection<'a>) -> Self {
        let mut context_of = vec![0; page.tag().len()];
        context_of[0] = 1;
        for &root in selection.roots {
            context_of[root as usize] = 1;
        }
        Contexts { page, selection, context_of, all: vec![Context::default()], way: Vec::new() }
    }

    /// Return the index of the context of an element.
    pub fn of(&mut self, mut element: usize) -> usize {
        while self.context_of[element] == 0 {
            self.way.push(element);
            element = self.page.parent()[element] as usize;
        }
        let mut place = self.context_of[element];
        while let Some(inner) = self.way.pop() {
            let around = self.all[place as usize - 1];
            if let Some(context) = self.inside(around, inner) {
                self.all.push(context);
                place = self.all.len() as u32;
            }
            self.context_of[inner] = place;
        }
        place as usize - 1
    }

    /// Return the context inside an element, if it differs from that around it.
    fn inside(&self, around: Context, element: usize) -> Option<Context> {
        let roles = self.selection.roles;
        let role = roles[(self.page.tag()[element] as usize).min(roles.len() - 1)];
        let mut here = around;
        let number = element as u32;
        match role {
            LINK => {
                let place = self.selection.links.binary_search(&(element as i64)).ok()?;
                let address = self.selection.addresses[place];
                if address == NO_LINK {
                    return None;
                }
                here.style.address = address as i32;
            }
            STRONG..=SUBSCRIPT => here.style.bits |= 1 << (role - STRONG),
            PREFORMATTED if around.preformatted == 0 => here.preformatted = number,
            CAPTION => here.caption = number,
            FIGURE => here.figure = number,
            QUOTE => {
                here.quotes += 1;
                here.is_quoted = true;
            }
            LIST | ORDERED | TERMS => {
                here.lists += 1;
                here.innermost = number;
            }
            ITEM | TERM | DEFINITION => {
                here.is_quoted = false;
                here.item = number;
                here.owner = around.innermost;
                here.depth = around.lists.max(1); // an item outside of lists counts as in a list
                here.defines = role == DEFINITION;
                here.is_term = role == TERM;
            }
            TABLE => {
                let is_data = self.selection.tables.binary_search(&(element as i64)).is_ok();
                here.table = if is_data { number } else { 0 };
                here.cell = 0;
            }
            CELL if around.table > 0 => here.cell = number,
            HEADING..=LAST_HEADING => {
                here.heading = number;
                here.level = role - HEADING + 1;
            }
            _ => return None,
        }
        Some(here)
    }
}
