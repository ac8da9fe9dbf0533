//! Indexes rules with complex selectors by their subjects, and finds those that may hide an element.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, AtomicU8, Ordering};
use std::sync::{Arc, Mutex};

use crate::hiding::{hiding, is_nothing};
use crate::keyed_hash::{KeyedHash, Map};
use crate::lengths::{is_name_byte, lower, words};
use crate::matching::{class_bits, Document};
use crate::paints::paints;
use crate::selector_parser::parse;
use crate::selectors::{Selector, Test};
use crate::sheet::{locked, Sheet, Written};
use crate::styles::{declared, INK};
use crate::variables::COLOUR;

/// A rule whose selector and block are parsed when an element may be its subject.
pub struct ComplexRule {
    pub written: Written,
    /// The hash of the key of its subject (`Key`), and the previous rule in the same slot of the index.
    key: u32,
    before: u32,
    /// Classes and ids that the element or an ancestor must have, as bits; `UNKNOWN` until computed.
    needs: AtomicU64,
    /// What it may hide (`Suspicion`); 0 until computed.
    suspicion: AtomicU8,
}

/// No rule, and bits that were not computed.
const NONE: u32 = u32::MAX;
const UNKNOWN: u64 = u64::MAX;

/// What a rule may hide, as bits.
#[derive(Clone, Copy)]
pub struct Suspicion(u8);

impl Suspicion {
    const KNOWN: u8 = 1;
    const SUSPECT: u8 = 2;
    const HIDES: u8 = 4;
    const BOXED: u8 = 8;

    /// Whether it may hide an element, alone or with others.
    pub fn is_suspect(self) -> bool {
        self.0 & Suspicion::SUSPECT != 0
    }

    /// Whether it hides elements, not only by the colour of their text.
    pub fn hides(self) -> bool {
        self.0 & Suspicion::HIDES != 0
    }

    /// Whether it may hide elements, not only by the colour of their text.
    pub fn is_boxed(self) -> bool {
        self.0 & Suspicion::BOXED != 0
    }
}

impl Sheet {
    /// Return what a rule may hide. Its block is parsed on first use.
    pub fn suspicion(&self, number: u32) -> Suspicion {
        let (rules, number) = (&self.complex.rules, number as usize);
        let cached = rules[number].suspicion.load(Ordering::Relaxed);
        if cached != 0 {
            return Suspicion(cached);
        }
        let block = rules[number].written.block;
        let result = Suspicion(Suspicion::KNOWN | suspicion(self.text(block), self));
        // The rules of a selector list are adjacent and share a block.
        let first = rules[..number].iter().rposition(|rule| rule.written.block != block).map_or(0, |before| before + 1);
        for rule in rules[first..].iter().take_while(|rule| rule.written.block == block) {
            rule.suspicion.store(result.0, Ordering::Relaxed);
        }
        result
    }

    /// Return the rules that may hide an element with a tag, classes and id.
    pub fn suspects(
        &self,
        name: &str,
        class: Option<&str>,
        identity: Option<&str>,
        has_attribute: impl Fn(&str) -> bool,
    ) -> Vec<u32> {
        let is_suspect = |number: u32| self.suspicion(number).is_suspect();
        self.complex.candidates(name, class, identity, has_attribute, is_suspect)
    }

    /// Return the rules that may hide an element by its attributes.
    pub fn suspects_with_attributes(&self, has_attribute: impl Fn(&str) -> bool) -> Vec<u32> {
        let mut rules = Vec::new();
        self.complex.add_by_attributes(has_attribute, |number| self.suspicion(number).is_suspect(), &mut rules);
        rules
    }
}

/// Return the classes and ids that a selector needs on an element or its ancestors, as bits.
fn needs(selector: &[u8]) -> u64 {
    if selector.iter().any(|byte| matches!(byte, b'+' | b'~' | b'\\')) {
        return 0; // siblings have other classes, and names have escapes
    }
    let (mut needs, mut depth, mut at) = (0, 0usize, 0);
    while at < selector.len() {
        match selector[at] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'.' | b'#' if depth == 0 => {
                let name = &selector[at + 1..];
                let size = name.iter().take_while(|&&byte| byte >= 0x80 || is_name_byte(byte)).count();
                needs |= class_bits(&name[..size]);
                at += size;
            }
            _ => {}
        }
        at += 1;
    }
    needs
}

/// Rules by the first of id, class, tag and attribute in their subject.
#[derive(Default)]
pub struct ComplexRules {
    pub rules: Vec<ComplexRule>,
    selectors: Mutex<Map<u32, Option<Arc<Selector>>>>,
    /// The last rule of each slot, by the low bits of the hash.
    last: Vec<u32>,
    by_attribute: Vec<(String, Vec<u32>)>,
    universal: Vec<u32>,
}

impl ComplexRules {
    pub fn new(css: &str, written: &[Written]) -> ComplexRules {
        let mut all = ComplexRules {
            rules: Vec::with_capacity(written.len()),
            last: vec![NONE; (2 * written.len()).next_power_of_two()],
            ..ComplexRules::default()
        };
        let hash = KeyedHash::default();
        for &written_rule in written {
            let number = all.rules.len() as u32;
            let mut rule = ComplexRule {
                written: written_rule,
                key: 0,
                before: NONE,
                needs: AtomicU64::new(UNKNOWN),
                suspicion: AtomicU8::new(0),
            };
            match key(&css[written_rule.selector.0 as usize..written_rule.selector.1 as usize]) {
                Key::Name(sign, name) => {
                    rule.key = number_of(hash, sign, name.as_bytes());
                    let place = rule.key as usize & (all.last.len() - 1);
                    rule.before = std::mem::replace(&mut all.last[place], number);
                }
                Key::Attribute(name) => match all.by_attribute.iter_mut().find(|(attribute, _)| *attribute == name) {
                    Some((_, rules)) => rules.push(number),
                    None => all.by_attribute.push((name, vec![number])),
                },
                Key::Any => all.universal.push(number),
                Key::None => continue,
            }
            all.rules.push(rule);
        }
        all
    }

    /// Return the selector of a rule. None if it is invalid or selects a pseudo-element.
    pub fn selector(&self, css: &str, number: u32) -> Option<Arc<Selector>> {
        let mut selectors = locked(&self.selectors);
        let selector = selectors.entry(number).or_insert_with(|| {
            let (start, end) = self.rules[number as usize].written.selector;
            parse(&css[start as usize..end as usize]).map(Arc::new)
        });
        selector.clone()
    }

    /// Whether a rule matches an element.
    pub fn matches(&self, css: &str, document: &Document, number: u32, element: usize) -> bool {
        let rule = &self.rules[number as usize];
        let mut needed = rule.needs.load(Ordering::Relaxed);
        if needed == UNKNOWN {
            let (start, end) = rule.written.selector;
            needed = needs(&css.as_bytes()[start as usize..end as usize]);
            rule.needs.store(needed, Ordering::Relaxed);
        }
        (document.is_fragment || needed == 0 || document.bits(element) & needed == needed)
            && self.selector(css, number).map_or(false, |selector| document.matches(&selector, element))
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Return the accepted rules whose subjects may match an element with a tag, classes and id.
    pub fn candidates(
        &self,
        name: &str,
        class: Option<&str>,
        identity: Option<&str>,
        has_attribute: impl Fn(&str) -> bool,
        accepts: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        let mut rules = Vec::new();
        if self.is_empty() {
            return rules;
        }
        let hash = KeyedHash::default();
        rules.extend(self.universal.iter().filter(|&&number| accepts(number)));
        let mut add = |sign: Sign, name: &str| {
            let key = number_of(hash, sign, name.as_bytes());
            let mut at = self.last[key as usize & (self.last.len() - 1)];
            while at != NONE {
                let rule = &self.rules[at as usize];
                if rule.key == key && accepts(at) {
                    rules.push(at);
                }
                at = rule.before;
            }
        };
        add(Sign::Tag, name);
        for word in words(class.unwrap_or("")) {
            add(Sign::Class, word);
        }
        if let Some(identity) = identity {
            add(Sign::Id, identity);
        }
        self.add_by_attributes(has_attribute, accepts, &mut rules);
        rules
    }

    /// Add the accepted rules whose subjects need only an attribute that an element has.
    fn add_by_attributes(
        &self,
        has_attribute: impl Fn(&str) -> bool,
        accepts: impl Fn(u32) -> bool,
        result: &mut Vec<u32>,
    ) {
        for (name, rules) in &self.by_attribute {
            let mut rules = rules.iter().copied().filter(|&number| accepts(number)).peekable();
            if rules.peek().is_some() && has_attribute(name) {
                result.extend(rules);
            }
        }
    }
}

/// The type of a name in a selector.
#[derive(Clone, Copy)]
enum Sign {
    Tag,
    Class,
    Id,
}

/// Return the hash of a name. Collisions are resolved by `ComplexRules::matches`.
fn number_of(hash: KeyedHash, sign: Sign, name: &[u8]) -> u32 {
    let number = hash.number(name);
    (number >> 32) as u32 ^ number as u32 ^ (sign as u32).wrapping_mul(0x9E37_79B9)
}

enum Key<'a> {
    Name(Sign, Cow<'a, str>),
    Attribute(String),
    Any,
    /// Of a pseudo-element.
    None,
}

/// Return the key of the subject of a selector without parsing all of it.
fn key(selector: &str) -> Key<'_> {
    let bytes = selector.as_bytes();
    if bytes.contains(&b'\\') {
        return key_of(selector);
    }
    // The part after the last combinator.
    let (mut at, mut depth) = (bytes.len(), 0usize);
    while at > 0 {
        match bytes[at - 1] {
            b')' | b']' => depth += 1,
            b'(' | b'[' => depth = depth.saturating_sub(1),
            9..=13 | b' ' | b'>' | b'+' | b'~' if depth == 0 => break,
            _ => {}
        }
        at -= 1;
    }
    let subject = &selector[at..];
    let simple = subject.as_bytes();
    if simple.windows(2).any(|pair| pair == b"::") {
        return Key::None;
    }
    let (mut class, mut depth, mut has_attribute) = (None, 0usize, false);
    let end_of =
        |from: usize| from + simple[from..].iter().take_while(|&&byte| byte >= 0x80 || is_name_byte(byte)).count();
    for (place, &byte) in simple.iter().enumerate() {
        match byte {
            b'(' | b'[' => {
                has_attribute |= byte == b'[' && depth == 0;
                depth += 1;
            }
            b')' | b']' => depth = depth.saturating_sub(1),
            b'#' if depth == 0 => return Key::Name(Sign::Id, subject[place + 1..end_of(place + 1)].into()),
            b'.' if depth == 0 && class.is_none() => {
                class = Some(&subject[place + 1..end_of(place + 1)]);
            }
            _ => {}
        }
    }
    match (class, end_of(0)) {
        (Some(class), _) => Key::Name(Sign::Class, class.into()),
        (None, 0) if has_attribute => key_of(selector),
        (None, 0) => Key::Any,
        (None, end) => Key::Name(Sign::Tag, lower(&subject[..end])),
    }
}

/// Return the key of the subject by parsing the selector.
fn key_of(selector: &str) -> Key<'_> {
    let selector = match parse(selector) {
        Some(selector) => selector,
        None => return Key::None,
    };
    let subject = selector.subject();
    let (mut class, mut attribute) = (None, None);
    for test in &subject.tests {
        match test {
            Test::Id(name) => return Key::Name(Sign::Id, name.clone().into()),
            Test::Class(name) => class = class.or_else(|| Some(name.clone())),
            Test::Attribute(test) => attribute = attribute.or_else(|| Some(test.name.clone())),
            _ => {}
        }
    }
    match (class, &subject.name, attribute) {
        (Some(class), ..) => Key::Name(Sign::Class, class.into()),
        (None, Some(name), _) => Key::Name(Sign::Tag, name.clone().into()),
        (None, None, Some(attribute)) => Key::Attribute(attribute),
        (None, None, None) => Key::Any,
    }
}

/// Whether the text of a block has a declaration that can hide an element. Most blocks have none.
fn may_hide(block: &str) -> bool {
    let bytes = block.as_bytes();
    if bytes.contains(&b'\\') || block.contains("/*") {
        return true;
    }
    let (mut has_dark_ink, mut has_ground) = (false, false);
    for declaration in bytes.split(|&byte| byte == b';') {
        let sign = match declaration.iter().position(|&byte| byte == b':') {
            Some(sign) => sign,
            None => continue,
        };
        let name = trimmed(&declaration[..sign]);
        // Few first letters belong to properties that hide.
        let first = name.first().map_or(0, u8::to_ascii_lowercase);
        if !matches!(first, b'a'..=b'd' | b'f' | b'h' | b'i' | b'l'..=b'o' | b'r'..=b't' | b'v'..=b'z' | b'-') {
            continue;
        }
        let value = trimmed(&declaration[sign + 1..]);
        if name == b"color" && is_dark(value) {
            has_dark_ink = true;
        } else if can_hide(name, value) {
            return true;
        }
        has_ground |= matches!(first, b'b' | b'-');
    }
    has_dark_ink && has_ground
}

/// Whether a colour has three or six hexadecimal digits, of which the first is not light.
fn is_dark(value: &[u8]) -> bool {
    match value {
        [b'#', b'0'..=b'9' | b'a'..=b'd' | b'A'..=b'D', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            matches!(digits, 2 | 5) && matches!(rest.get(digits), None | Some(b' ' | b'!'))
        }
        _ => false,
    }
}

fn trimmed(bytes: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, 9..=13 | b' ');
    let start = bytes.iter().position(|byte| !is_blank(byte)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|byte| !is_blank(byte)).map_or(start, |last| last + 1);
    &bytes[start..end]
}

fn can_hide(name: &[u8], value: &[u8]) -> bool {
    let mut lower = [0u8; 24];
    let lower = match lower.get_mut(..name.len()) {
        Some(lower) => lower,
        None => return false, // no property that hides has a longer name
    };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    let mut name: &[u8] = lower;
    for prefix in [&b"-webkit-"[..], b"-moz-", b"-ms-"] {
        name = name.strip_prefix(prefix).unwrap_or(name);
    }
    let has = |word: &[u8]| value.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    let starts = |signs: &[u8]| value.first().map_or(false, |first| signs.contains(&first.to_ascii_lowercase()));
    let is_variable = || has(b"var(");
    let is_ten_or_more = || value.get(1).map_or(false, u8::is_ascii_digit);
    match name {
        b"display" => has(b"none") || is_variable(),
        b"visibility" | b"content-visibility" => starts(b"hcv"),
        b"opacity" | b"zoom" | b"line-height" => starts(b"0.cv"),
        b"font-size" => {
            starts(b"0.cv") || (value.first() == Some(&b'1') && (!is_ten_or_more() || value.contains(&b'%')))
        }
        b"font" => has(b"0") || is_variable(),
        b"height" | b"width" | b"max-height" | b"max-width" | b"block-size" | b"inline-size" | b"max-block-size"
        | b"max-inline-size" => starts(b"0.c-v") || (value.first() == Some(&b'1') && !is_ten_or_more()),
        b"clip" | b"clip-path" | b"mask" | b"mask-image" | b"mask-size" | b"transform" | b"translate" | b"scale"
        | b"rotate" | b"filter" | b"all" | b"text-fill-color" | b"contain" => true,
        b"color" => starts(b"#wtrhiscolgfabv") && value != b"inherit",
        b"letter-spacing"
        | b"margin"
        | b"margin-left"
        | b"margin-top"
        | b"top"
        | b"bottom"
        | b"margin-inline-start"
        | b"margin-block-start"
        | b"margin-inline"
        | b"margin-block" => has(b"-"),
        b"left" | b"right" | b"inset" | b"text-indent" | b"inset-inline-start" | b"inset-inline-end" => {
            has(b"-") || has(b"00") || has(b"99")
        }
        _ => false,
    }
}

/// Return whether a block hides, not only by the colour of text, and whether it may hide together with others: by a box
/// without size, or by variables. 0 if it hides nothing.
fn suspicion(block: &str, sheet: &Sheet) -> u8 {
    if !may_hide(block) {
        return 0;
    }
    let block = declared(block);
    let style = block.all();
    let has_no_size = ["height", "width", "max-height", "max-width"].iter().any(|name| is_nothing(style.get(name)));
    let by_variables = if block.variables.is_empty() { 0 } else { sheet.variables().kinds(&block.variables) };
    let hidden = hiding(&style, "", |_| None).0;
    let paints = paints(&style);
    let is_boxed = has_no_size || hidden != 0 || by_variables & !COLOUR != 0;
    if !is_boxed && by_variables == 0 && !paints.is_transparent() && !paints.ink.is_light() {
        return 0;
    }
    let hides = if hidden & !INK != 0 { Suspicion::HIDES } else { 0 };
    Suspicion::SUSPECT | hides | if is_boxed { Suspicion::BOXED } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_may_hide_are_told_by_their_text() {
        for block in
            ["display:none", "COLOR: #FFF", "a:b;opacity:0", "left:-9999px", "display:var(--x)", "d\\69splay:none"]
        {
            assert!(may_hide(block), "{}", block);
        }
        for block in ["color:#dddddd;background:#ddd", "color:#333f", "color:#eee", "width:1px", "font-size:10%"] {
            assert!(may_hide(block), "{}", block);
        }
        let visible = ["", "margin:0 auto", "display:block", "width:50%", "top:0", "background:#fff", "width:100px"];
        for block in visible.into_iter().chain(["color:#333!important", "color:#abcdef", "font-size:16px"]) {
            assert!(!may_hide(block), "{}", block);
        }
    }
}
