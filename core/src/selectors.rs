//! Represents CSS selectors. `crate::selector_parser` parses them, `crate::matching` matches them.

/// Counts of ids, of classes, attributes and pseudo-classes, and of type names.
pub type Specificity = (u32, u32, u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combinator {
    Descendant,
    Child,
    NextSibling,
    LaterSibling,
}

/// Compounds with a combinator before each; that of the first counts in `:has()` alone.
#[derive(Clone, PartialEq, Debug)]
pub struct Selector {
    pub parts: Vec<(Combinator, Compound)>,
    pub specificity: Specificity,
}

/// A simple selector.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Compound {
    /// The tag in lower case; None for any tag.
    pub name: Option<String>,
    pub tests: Vec<Test>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Test {
    Class(String),
    Id(String),
    Attribute(AttributeTest),
    Nth(Nth),
    Empty,
    Root,
    Is(Vec<Selector>),
    Not(Vec<Selector>),
    Has(Vec<Selector>),
    Lang(String),
    /// Whether text runs from right to left.
    Direction(bool),
    /// Has one of some attributes.
    HasAttribute(&'static str),
    /// A link with an address.
    Link,
    /// A state that no page has after loading, such as `:hover`.
    Never,
}

#[derive(Clone, PartialEq, Debug)]
pub struct AttributeTest {
    pub name: String,
    pub operator: Operator,
    pub value: String,
    pub ignores_case: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    Exists,
    Equals,
    /// `~=`: contains the word.
    Word,
    /// `|=`: all of it, or up to a hyphen.
    Prefix,
    Starts,
    Ends,
    Contains,
}

/// `:nth-child(an+b of S)` and its relatives.
#[derive(Clone, PartialEq, Debug)]
pub struct Nth {
    pub step: i32,
    pub offset: i32,
    pub from_end: bool,
    pub of_type: bool,
    pub of: Option<Vec<Selector>>,
}

impl Selector {
    /// Return the compound of the selected element itself.
    pub fn subject(&self) -> &Compound {
        &self.parts[self.parts.len() - 1].1
    }
}
