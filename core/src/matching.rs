//! Matches CSS selectors against the elements of a page.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::lengths::words;
use crate::selectors::{AttributeTest, Combinator, Compound, Nth, Operator, Selector, Test};
use crate::units::Unit;

/// The maximum number of tested compounds per page, far more than real pages need. Beyond it, only the subjects of
/// selectors are tested.
const MOST_STEPS: u32 = 2_000_000;

/// The attributes of a start tag, decoded.
#[derive(Default)]
pub struct Tag {
    /// Names in lower case with values, the first of duplicates.
    pub attributes: Vec<(String, String)>,
    /// Where the words of the class attribute are in it.
    classes: Vec<(u32, u32)>,
}

impl Tag {
    /// Add an attribute.
    pub fn add(&mut self, name: String, value: String) {
        if name == "class" {
            let start = value.as_ptr() as usize;
            let words = value.split_ascii_whitespace().map(|word| {
                let at = (word.as_ptr() as usize - start) as u32;
                (at, at + word.len() as u32)
            });
            self.classes = words.collect();
        }
        self.attributes.push((name, value));
    }

    /// Whether it has a class.
    pub fn has_class(&self, name: &str) -> bool {
        let has_size = |&(start, end): &(u32, u32)| (end - start) as usize == name.len();
        self.classes.iter().any(has_size)
            && self.get("class").map_or(false, |own| {
                self.classes
                    .iter()
                    .filter(|range| has_size(range))
                    .any(|range| &own[range.0 as usize..range.1 as usize] == name)
            })
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| &**value)
    }
}

/// The elements of a page for selectors. Element 0 is the document.
pub struct Document<'a> {
    pub parent: &'a [i32],
    pub opened: &'a [i32],
    pub closed: &'a [i32],
    pub name_of: &'a dyn Fn(usize) -> &'a str,
    pub read_tag: &'a dyn Fn(usize) -> Tag,
    /// Whether there is nothing between the tags of an element.
    pub is_empty: &'a dyn Fn(usize) -> bool,
    /// The bits of the classes and the id of an element (`class_bits`), where they are known without reading its tag.
    pub own_bits: Option<&'a dyn Fn(usize) -> Option<u64>>,
    /// Whether it is a fragment of a page, which has other ancestors.
    pub is_fragment: bool,
    tags: RefCell<Vec<Option<Rc<Tag>>>>,
    siblings: RefCell<Option<Rc<Siblings>>>,
    implied: Cell<Option<(bool, bool)>>,
    steps: Cell<u32>,
    /// By element the classes and ids of it and its ancestors (`class_bits`); 0 until computed.
    bits: RefCell<Vec<u64>>,
}

/// Two of 64 bits for a class or id: a Bloom filter that excludes most selectors.
pub fn class_bits<U: Unit>(name: &[U]) -> u64 {
    let hash = name
        .iter()
        .fold(0xCBF2_9CE4_8422_2325u64, |hash, unit| (hash ^ u64::from(unit.code())).wrapping_mul(0x0100_0000_01B3));
    1 << (hash >> 58) | 1 << (hash >> 52 & 63)
}

/// By element its index among its siblings, and the siblings in order.
struct Siblings {
    place: Vec<u32>,
    children: Vec<Vec<u32>>,
}

impl Siblings {
    /// Return the previous siblings of an element.
    fn before(&self, document: &Document, element: usize) -> &[u32] {
        if element == 0 {
            return &[];
        }
        &self.children[document.parent_of(element)][..self.place[element] as usize]
    }
}

impl<'a> Document<'a> {
    pub fn new(
        parent: &'a [i32],
        opened: &'a [i32],
        closed: &'a [i32],
        name_of: &'a dyn Fn(usize) -> &'a str,
        read_tag: &'a dyn Fn(usize) -> Tag,
        is_empty: &'a dyn Fn(usize) -> bool,
    ) -> Document<'a> {
        Document {
            parent,
            opened,
            closed,
            name_of,
            read_tag,
            is_empty,
            own_bits: None,
            is_fragment: false,
            tags: RefCell::default(),
            siblings: RefCell::default(),
            implied: Cell::default(),
            steps: Cell::new(0),
            bits: RefCell::default(),
        }
    }

    /// Return the classes and ids of an element and its ancestors, as bits.
    pub fn bits(&self, element: usize) -> u64 {
        /// Set for elements that were computed.
        const KNOWN: u64 = 1 << 63;
        if self.bits.borrow().is_empty() {
            self.bits.borrow_mut().resize(self.parent.len(), 0);
        }
        let mut path = Vec::new();
        let mut at = element;
        let mut bits = loop {
            let cached = self.bits.borrow()[at];
            if cached != 0 {
                break cached;
            }
            if at == 0 {
                break KNOWN;
            }
            path.push(at);
            at = self.parent_of(at);
        };
        for &at in path.iter().rev() {
            bits |= self.own_bits.and_then(|own| own(at)).unwrap_or_else(|| {
                let tag = self.tag(at);
                let classes = tag.get("class").unwrap_or("").split_ascii_whitespace();
                classes.chain(tag.get("id")).fold(0, |bits, name| bits | class_bits(name.as_bytes()))
            });
            self.bits.borrow_mut()[at] = bits;
        }
        bits
    }

    /// Whether selectors were too expensive to be matched exactly.
    pub fn is_exhausted(&self) -> bool {
        self.steps.get() > MOST_STEPS
    }

    pub fn parent_of(&self, element: usize) -> usize {
        self.parent[element].max(0) as usize
    }

    pub fn tag(&self, element: usize) -> Rc<Tag> {
        if let Some(Some(tag)) = self.tags.borrow().get(element) {
            return Rc::clone(tag);
        }
        let tag = Rc::new(if element == 0 { Tag::default() } else { (self.read_tag)(element) });
        let mut tags = self.tags.borrow_mut();
        if tags.is_empty() {
            tags.resize(self.parent.len(), None);
        }
        tags[element] = Some(Rc::clone(&tag));
        tag
    }

    /// Whether a selector matches an element.
    pub fn matches(&self, selector: &Selector, element: usize) -> bool {
        self.matches_from(selector, selector.parts.len() - 1, element, None)
    }

    /// Count a step; false if there were too many.
    fn step(&self) -> bool {
        self.steps.set(self.steps.get().saturating_add(1));
        !self.is_exhausted()
    }

    fn matches_from(&self, selector: &Selector, place: usize, element: usize, anchor: Option<usize>) -> bool {
        if !self.step() {
            return true;
        }
        let (combinator, compound) = &selector.parts[place];
        if !self.has_all(compound, element) {
            return false;
        }
        if place == 0 {
            return anchor.map_or(true, |anchor| self.are_related(*combinator, anchor, element));
        }
        let is_match = |other: usize| self.matches_from(selector, place - 1, other, anchor);
        match combinator {
            Combinator::Child => element > 0 && is_match(self.parent_of(element)),
            Combinator::Descendant => {
                let mut at = element;
                while at > 0 {
                    at = self.parent_of(at);
                    if is_match(at) {
                        return true;
                    }
                }
                false
            }
            Combinator::NextSibling => {
                self.siblings().before(self, element).last().map_or(false, |&other| is_match(other as usize))
            }
            Combinator::LaterSibling => {
                self.siblings().before(self, element).iter().rev().any(|&other| is_match(other as usize))
            }
        }
    }

    /// Whether a combinator holds between two elements.
    fn are_related(&self, combinator: Combinator, anchor: usize, element: usize) -> bool {
        match combinator {
            Combinator::Child => self.parent_of(element) == anchor,
            Combinator::Descendant => {
                let mut at = element;
                while at > anchor {
                    at = self.parent_of(at);
                }
                at == anchor && element != anchor
            }
            Combinator::NextSibling => self.siblings().before(self, element).last() == Some(&(anchor as u32)),
            Combinator::LaterSibling => self.parent_of(element) == self.parent_of(anchor) && anchor < element,
        }
    }

    fn siblings(&self) -> Rc<Siblings> {
        let mut cache = self.siblings.borrow_mut();
        let siblings = cache.get_or_insert_with(|| {
            let count = self.parent.len();
            let (mut place, mut children) = (vec![0; count], vec![Vec::new(); count]);
            for element in 1..count {
                let around = &mut children[self.parent_of(element)];
                place[element] = around.len() as u32;
                around.push(element as u32);
            }
            Rc::new(Siblings { place, children })
        });
        Rc::clone(siblings)
    }

    fn is_named(&self, element: usize, name: &str) -> bool {
        let own = if element == 0 { "" } else { (self.name_of)(element) };
        if own == name {
            return true;
        }
        if (own, name) == ("table", "tbody") {
            return true; // the parent of a row in a table is an implied body
        }
        // A fragment of a page has these ancestors.
        if self.is_fragment && own.is_empty() {
            return matches!(name, "html" | "body" | "main" | "article" | "section" | "div");
        }
        // What a page leaves out is implied: `body > p` holds on a page without <body>.
        if !matches!((own, name), ("", "html" | "body") | ("html", "body")) {
            return false;
        }
        let (has_html, has_body) = self.implied.get().unwrap_or_else(|| {
            let has = |name: &str| (1..self.parent.len().min(2000)).any(|at| (self.name_of)(at) == name);
            let implied = (has("html"), has("body"));
            self.implied.set(Some(implied));
            implied
        });
        if name == "body" {
            !has_body
        } else {
            !has_html
        }
    }

    /// Whether a compound selector matches an element.
    pub fn has_all(&self, compound: &Compound, element: usize) -> bool {
        if let Some(name) = &compound.name {
            if !self.is_named(element, name) {
                return false;
            }
        } else if element == 0 && !compound.tests.iter().all(|test| *test == Test::Root) {
            return false;
        }
        compound.tests.iter().all(|test| self.has(test, element))
    }

    fn has(&self, test: &Test, element: usize) -> bool {
        if !self.step() {
            return true;
        }
        match test {
            Test::Class(name) => self.tag(element).has_class(name),
            Test::Id(name) => self.tag(element).get("id") == Some(name),
            Test::Attribute(test) => self.tag(element).get(&test.name).map_or(false, |value| has_value(test, value)),
            Test::Nth(nth) => self.is_nth(nth, element),
            Test::Empty => (self.is_empty)(element),
            Test::Root => self.is_named(element, "html"),
            Test::Is(list) => list.iter().any(|selector| self.matches(selector, element)),
            Test::Not(list) => !list.iter().any(|selector| self.matches(selector, element)),
            Test::Has(list) => list.iter().any(|selector| self.has_relative(selector, element)),
            Test::Direction(is_rtl) => self.runs_leftwards(element) == *is_rtl,
            Test::Lang(language) => self.is_in_language(element, language),
            Test::HasAttribute(names) => names.split(' ').any(|name| self.tag(element).get(name).is_some()),
            Test::Link => (self.name_of)(element) == "a" && self.tag(element).get("href").is_some(),
            Test::Never => false,
        }
    }

    fn has_relative(&self, selector: &Selector, anchor: usize) -> bool {
        let last = selector.parts.len() - 1;
        let is_match = |element: usize| self.matches_from(selector, last, element, Some(anchor));
        let is_inside = |around: usize, element: usize| self.opened[element] < self.closed[around];
        let descendants =
            |around: usize| (around + 1..self.parent.len()).take_while(move |&element| is_inside(around, element));
        match selector.parts[0].0 {
            Combinator::Child | Combinator::Descendant => descendants(anchor).any(is_match),
            Combinator::NextSibling | Combinator::LaterSibling => {
                let siblings = self.siblings();
                let behind = &siblings.children[self.parent_of(anchor)][siblings.place[anchor] as usize + 1..];
                behind.iter().any(|&other| is_match(other as usize) || descendants(other as usize).any(is_match))
            }
        }
    }

    fn is_nth(&self, nth: &Nth, element: usize) -> bool {
        if element == 0 {
            return false;
        }
        let siblings = self.siblings();
        let all = &siblings.children[self.parent_of(element)];
        let place = siblings.place[element] as usize;
        let others = if nth.from_end { &all[place + 1..] } else { &all[..place] };
        let index = if let Some(list) = &nth.of {
            let is_one = |element: usize| list.iter().any(|selector| self.matches(selector, element));
            if !is_one(element) {
                return false;
            }
            others.iter().filter(|&&other| is_one(other as usize)).count()
        } else if nth.of_type {
            let name = (self.name_of)(element);
            others.iter().filter(|&&other| self.step() && (self.name_of)(other as usize) == name).count()
        } else {
            others.len()
        } as i32
            + 1;
        let behind = index - nth.offset;
        if nth.step == 0 {
            behind == 0
        } else {
            behind % nth.step == 0 && behind / nth.step >= 0
        }
    }

    fn runs_leftwards(&self, element: usize) -> bool {
        let mut at = element;
        while at > 0 {
            if let Some(direction) = self.tag(at).get("dir") {
                return direction.eq_ignore_ascii_case("rtl");
            }
            at = self.parent_of(at);
        }
        false
    }

    fn is_in_language(&self, element: usize, language: &str) -> bool {
        let mut at = element;
        while at > 0 {
            if let Some(own) = self.tag(at).get("lang") {
                let own = own.to_ascii_lowercase();
                return own == language || own.strip_prefix(language).map_or(false, |rest| rest.starts_with('-'));
            }
            at = self.parent_of(at);
        }
        false
    }
}

fn has_value(test: &AttributeTest, value: &str) -> bool {
    if test.ignores_case && (!test.value.is_empty() || test.operator == Operator::Equals) {
        let plain = AttributeTest { value: test.value.to_ascii_lowercase(), ignores_case: false, ..test.clone() };
        return has_value(&plain, &value.to_ascii_lowercase());
    }
    let expected = &*test.value;
    match test.operator {
        Operator::Exists => true,
        Operator::Equals => value == expected,
        Operator::Word => !expected.is_empty() && words(value).any(|word| word == expected),
        Operator::Prefix => {
            value == expected || value.strip_prefix(expected).map_or(false, |rest| rest.starts_with('-'))
        }
        Operator::Starts => !expected.is_empty() && value.starts_with(expected),
        Operator::Ends => !expected.is_empty() && value.ends_with(expected),
        Operator::Contains => !expected.is_empty() && value.contains(expected),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selector_parser::parse;

    /// html > body > (div.a > (p#x, p.b[title='Ab c'], span), h2, p)
    const NAMES: [&str; 9] = ["", "html", "body", "div", "p", "p", "span", "h2", "p"];
    const PARENT: [i32; 9] = [-1, 0, 1, 2, 3, 3, 3, 2, 2];
    const OPENED: [i32; 9] = [-1, 0, 1, 2, 3, 5, 7, 10, 12];
    const CLOSED: [i32; 9] = [16, 15, 14, 9, 4, 6, 8, 11, 13];

    fn read_tag(element: usize) -> Tag {
        let own = |pairs: &[(&str, &str)]| {
            let mut tag = Tag::default();
            pairs.iter().for_each(|&(name, value)| tag.add(name.into(), value.into()));
            tag
        };
        match element {
            3 => own(&[("class", "a z")]),
            4 => own(&[("id", "x")]),
            5 => own(&[("class", "b"), ("title", "Ab c"), ("lang", "en-GB")]),
            _ => Tag::default(),
        }
    }

    fn selected(selector: &str) -> Vec<usize> {
        let name_of = |element: usize| NAMES[element];
        let document = Document::new(&PARENT, &OPENED, &CLOSED, &name_of, &read_tag, &|element| element == 6);
        let selector = parse(selector).expect("a valid selector");
        (1..NAMES.len()).filter(|&element| document.matches(&selector, element)).collect()
    }

    #[test]
    fn selectors_select_what_browsers_select() {
        for (selector, expected) in [
            ("p", &[4, 5, 8][..]),
            ("div p", &[4, 5]),
            ("body > p", &[8]),
            ("html body .a > *", &[4, 5, 6]),
            ("h2 + p", &[8]),
            ("div ~ p", &[8]),
            ("#x ~ *", &[5, 6]),
            ("p.b[title]", &[5]),
            ("[title='Ab c']", &[5]),
            ("[title~=c]", &[5]),
            ("[title^=ab]", &[]),
            ("[title^=ab i]", &[5]),
            ("[title$=c]", &[5]),
            ("[title*='b c']", &[5]),
            ("[title*='']", &[]),
            ("[lang|=en]", &[5]),
            (":lang(en)", &[5]),
            ("p:first-child", &[4]),
            ("p:last-of-type", &[5, 8]),
            ("p:nth-child(2n)", &[5]),
            (".a :nth-last-child(-n+2)", &[5, 6]),
            (":nth-child(1 of .b)", &[5]),
            ("p:not(.a p)", &[8]),
            (":is(h2, span)", &[6, 7]),
            ("div:has(> .b)", &[3]),
            ("div:has(h2)", &[]),
            ("div:has(+ h2)", &[3]),
            ("body :has(~ p)", &[3, 4, 7]),
            (":root", &[1]),
            (":empty", &[6]),
            ("p:hover", &[]),
            ("p:not(:hover)", &[4, 5, 8]),
            (":only-of-type", &[1, 2, 3, 6, 7, 8]),
        ] {
            assert_eq!(selected(selector), expected, "{}", selector);
        }
    }

    #[test]
    fn expensive_selectors_end() {
        let count = 400;
        let parent: Vec<i32> = (-1..count - 1).collect();
        let opened: Vec<i32> = (-1..count - 1).collect();
        let closed: Vec<i32> = (0..count).map(|element| 2 * count - element).collect();
        let name_of = |_: usize| "b";
        let document = Document::new(&parent, &opened, &closed, &name_of, &|_| Tag::default(), &|_| false);
        let selector = parse(&("i ".to_string() + &"b ".repeat(20) + "b")).expect("a valid selector");
        document.matches(&selector, count as usize - 1);
        assert!(document.is_exhausted());
    }
}
