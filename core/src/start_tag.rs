//! Decides by a start tag whether its element is visible.

use std::borrow::Cow;

use crate::cascade::{cascaded, Asked};
use crate::class_names::are_hiding;
use crate::hiding::{hiding, opacity, shift, window};
use crate::lengths::{lower, strip};
use crate::matching::Tag;
use crate::paints::{paints, Paint, Paints, INHERITED};
use crate::references::unescape;
use crate::sheet::Sheet;
use crate::styles::{declared, variables_of, Style, GONE};
use crate::tables::Tables;
use crate::units::{is_blank, Unit};

/// Attributes of one start tag that are read.
const MOST_ATTRIBUTES: usize = 200;

/// The attributes of a start tag that tell whether its element is seen, decoded; the first of equals.
#[derive(Default)]
pub struct Told<'a> {
    pub name: &'a str,
    pub style: Option<Cow<'a, str>>,
    pub class: Option<Cow<'a, str>>,
    pub identity: Option<Cow<'a, str>>,
    hidden: Option<Cow<'a, str>>,
    aria_hidden: Option<Cow<'a, str>>,
    popover: Option<Cow<'a, str>>,
    colour: Option<Cow<'a, str>>,
    background: Option<Cow<'a, str>>,
    pub role: Option<Cow<'a, str>>,
    pub controls: Option<Cow<'a, str>>,
    pub labelled_by: Option<Cow<'a, str>>,
    /// An open dialog, or a shadow root: both are shown.
    pub is_open: bool,
}

impl<'a> Told<'a> {
    /// Read a start tag.
    pub fn new(tag: &'a str, name: &'a str, tables: &Tables) -> Told<'a> {
        let mut told = Told { name, ..Told::default() };
        each_attribute(tag, |key, value| {
            let is_root = key.eq_ignore_ascii_case(b"shadowrootmode") && ["open", "closed"].contains(&&*lower(value));
            if key.eq_ignore_ascii_case(b"open") || is_root {
                told.is_open = true;
            }
            if let Some(place) = told.place(key) {
                if place.is_none() {
                    *place = Some(plain(value, tables));
                }
            }
        });
        told
    }

    fn place(&mut self, key: &[u8]) -> Option<&mut Option<Cow<'a, str>>> {
        let mut small = [0u8; 15];
        let small = match key.len() {
            2 | 4 | 5 | 6 | 7 | 11 | 13 | 15 => &mut small[..key.len()],
            _ => return None,
        };
        small.copy_from_slice(key);
        small.make_ascii_lowercase();
        Some(match &*small {
            b"style" => &mut self.style,
            b"class" => &mut self.class,
            b"id" => &mut self.identity,
            b"hidden" => &mut self.hidden,
            b"aria-hidden" => &mut self.aria_hidden,
            b"popover" => &mut self.popover,
            b"color" if self.name == "font" => &mut self.colour,
            b"text" if self.name == "body" => &mut self.colour,
            b"bgcolor" => &mut self.background,
            b"role" => &mut self.role,
            b"aria-controls" => &mut self.controls,
            b"aria-labelledby" => &mut self.labelled_by,
            _ => return None,
        })
    }

    /// What the start tag alone tells: its attributes, and rules for its name, classes and id.
    pub fn sight(&self, asked: &mut Asked) -> Sight {
        let inline = self.style.as_deref().filter(|style| !style.is_empty());
        let known = self.known(asked);
        let mut sight = Sight::default();
        if let Some(inline) = inline {
            let own = declared(inline);
            if inline.contains("--") {
                asked.own_variables.extend(variables_of(inline).into_iter().map(|(name, _)| name));
            }
            let mut variables = own.variables.clone();
            let style = if known.is_empty() {
                own.all()
            } else {
                let sheets = asked.merged(known);
                variables.extend_from_slice(&sheets.variables);
                cascaded(&sheets, &own)
            };
            sight.of_style(&style, self.name, asked);
            sight.is_unsure = asked.may_hide(&variables);
            // As in a browser, a display of its own is stronger than the attribute.
            sight.has_display = style.get("display").unwrap_or("none") != "none";
        } else if !known.is_empty() {
            sight = asked.sight(known, self.name);
        }
        sight.hidden_by_style = sight.hidden;
        self.add_attributes(&mut sight);
        sight
    }

    /// Add what attributes hide and paint.
    pub fn add_attributes(&self, sight: &mut Sight) {
        let is = |said: &Option<Cow<str>>, word: &str| said.as_deref().map_or(false, |said| lower(strip(said)) == word);
        sight.is_out = self.hidden.is_some() || self.popover.is_some();
        if (sight.is_out && !sight.has_display)
            || is(&self.hidden, "until-found")
            || is(&self.aria_hidden, "true")
            || self.class.as_deref().map_or(false, are_hiding)
        {
            sight.hidden |= GONE;
        }
        let of = |value: &Option<Cow<str>>| value.as_deref().map_or(Paint::Inherited, Paint::of_attribute);
        let attributes = Paints { ink: of(&self.colour), fill: Paint::Inherited, ground: of(&self.background) };
        sight.paints = sight.paints.over(attributes);
    }

    /// The ways in which the element is hidden, and those that it takes back of what is around it.
    pub fn ways(&self, asked: &mut Asked) -> (u8, u8) {
        let sight = self.sight(asked);
        (sight.hidden, sight.back)
    }

    /// Of a tag that has classes, and nothing else that tells whether its element is seen.
    pub fn of_classes(name: &'a str, classes: &'a str) -> Told<'a> {
        Told { name, class: Some(classes.into()), ..Told::default() }
    }

    pub fn known(&self, asked: &Asked) -> Vec<u32> {
        asked.known(self.name, self.class.as_deref(), self.identity.as_deref())
    }
}

/// Whether an element is seen.
#[derive(Clone, Copy)]
pub struct Sight {
    /// The ways in which it is hidden, as bits of `crate::styles`.
    pub hidden: u8,
    /// Those of what is around it that it takes back.
    pub back: u8,
    /// The ways in which declarations hide it.
    pub hidden_by_style: u8,
    pub paints: Paints,
    /// Whether it depends on variables that may hide it.
    pub is_unsure: bool,
    /// Whether an attribute hides it unless a style displays it.
    pub is_out: bool,
    pub has_display: bool,
    pub opacity: f32,
    /// By how many pixels it is moved right and down.
    pub shift: (f32, f32),
    /// Width and height in pixels of the box outside of which nothing of it is shown.
    pub window: (f32, f32),
}

impl Default for Sight {
    fn default() -> Sight {
        Sight {
            hidden: 0,
            back: 0,
            hidden_by_style: 0,
            paints: INHERITED,
            is_unsure: false,
            is_out: false,
            has_display: false,
            opacity: 1.0,
            shift: (0.0, 0.0),
            window: (f32::MAX, f32::MAX),
        }
    }
}

impl Sight {
    /// Take over what a style hides and paints.
    pub fn of_style(&mut self, style: &Style, name: &str, asked: &Asked) {
        let (hidden, back) = hiding(style, name, |one| asked.animation(one));
        self.hidden = hidden;
        self.back = back;
        self.paints = paints(style);
        self.opacity = opacity(style);
        self.shift = shift(style);
        self.window = window(style);
    }
}

/// The ways of several start tags with NUL between them: those that hide, those that are taken back, in turn.
pub fn ways_of(tags: &str, sheet: &Sheet, tables: &Tables) -> Vec<u8> {
    let mut asked = Asked::new(sheet);
    let mut found = Vec::new();
    for tag in tags.split('\0') {
        let (ways, back) = ways_of_tag(tag, &mut asked, tables);
        found.extend([ways, back]);
    }
    found
}

/// The ways in which one start tag hides its element, and those that it takes back.
pub fn ways_of_tag(tag: &str, asked: &mut Asked, tables: &Tables) -> (u8, u8) {
    let end = tag.find(|letter: char| matches!(letter, '\t'..='\r' | ' ' | '/' | '>')).unwrap_or(tag.len());
    let name = lower(tag.get(1..end).unwrap_or(""));
    Told::new(tag, &name, tables).ways(asked)
}

/// All attributes of a start tag, the first of equals; decoded where there are tables.
pub fn attributes(tag: &str, tables: Option<&Tables>) -> Tag {
    let mut found = Tag::default();
    each_attribute(tag, |key, value| {
        let name = String::from_utf8_lossy(key).to_ascii_lowercase();
        if found.get(&name).is_none() && found.attributes.len() < MOST_ATTRIBUTES {
            let value = tables.map_or_else(|| value.into(), |tables| plain(value, tables).into_owned());
            found.add(name, value);
        }
    });
    found
}

/// Call `found` with the name and the value of each attribute of a start tag, as they are written (`page.attributes`).
#[inline(always)]
pub fn each_attribute<'a>(tag: &'a str, mut found: impl FnMut(&'a [u8], &'a str)) {
    let bytes = tag.as_bytes();
    let is_end = |byte: &u8| is_blank(*byte) || matches!(byte, b'/' | b'>');
    let mut at = bytes.iter().position(is_end).unwrap_or(bytes.len());
    loop {
        at += bytes[at..].iter().take_while(|byte| is_blank(**byte) || **byte == b'/').count();
        if matches!(bytes.get(at), None | Some(b'>')) {
            return;
        }
        let start = at;
        at += 1;
        at += bytes[at..].iter().take_while(|byte| !is_end(byte) && **byte != b'=').count();
        let key = &bytes[start..at];
        let blanks = |from: usize| from + bytes[from..].iter().take_while(|byte| is_blank(**byte)).count();
        let mut value = "";
        let sign = blanks(at);
        if bytes.get(sign) == Some(&b'=') {
            at = blanks(sign + 1);
            match bytes.get(at) {
                Some(&quote @ (b'"' | b'\'')) => {
                    let end = Unit::find(bytes, at + 1, quote).unwrap_or(bytes.len());
                    value = &tag[at + 1..end];
                    at = (end + 1).min(bytes.len());
                }
                Some(_) => {
                    let size = bytes[at..].iter().take_while(|byte| !is_blank(**byte) && **byte != b'>').count();
                    value = &tag[at..at + size];
                    at += size;
                }
                None => {}
            }
        }
        found(key, value);
    }
}

/// The value of an attribute without references.
pub fn plain<'a>(value: &'a str, tables: &Tables) -> Cow<'a, str> {
    if value.contains('&') {
        decoded(value, tables).into()
    } else {
        value.into()
    }
}

/// The value of an attribute with its references decoded (`tidings.page.references`).
fn decoded(value: &str, tables: &Tables) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let bytes = &rest.as_bytes()[at + 1..];
        let of = |is_meant: fn(&u8) -> bool, from: usize| {
            from + bytes[from..].iter().take_while(|byte| is_meant(byte)).count()
        };
        let mut end = 0;
        if let [b'#', sign, ..] = bytes {
            let is_hex = matches!(sign, b'x' | b'X');
            let first = 1 + usize::from(is_hex);
            let behind = of(if is_hex { u8::is_ascii_hexdigit } else { u8::is_ascii_digit }, first);
            if behind > first {
                end = behind + usize::from(bytes.get(behind) == Some(&b';'));
                let mut codes = Vec::new();
                unescape(&rest.as_bytes()[at..=at + end], tables, &mut codes);
                out.extend(codes.into_iter().map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)));
            }
        } else if bytes.first().map_or(false, u8::is_ascii_alphabetic) {
            let name = of(u8::is_ascii_alphanumeric, 0);
            end = name + usize::from(matches!(bytes.get(name), Some(b';' | b'=')));
            match tables.entities.get(&bytes[..end]).filter(|_| bytes.get(name) != Some(&b'=')) {
                Some(meant) => out.extend(meant.iter().filter_map(|&code| char::from_u32(code))),
                None => out.push_str(&rest[at..=at + end]),
            }
        }
        if end == 0 {
            out.push('&');
        }
        rest = &rest[at + 1 + end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn ways(tag: &str, css: &str) -> u8 {
        let (tables, sheet) = (samples::tables(), Sheet::new(css));
        let (ways, _) = Told::new(tag, "p", &tables).ways(&mut Asked::new(&sheet));
        ways
    }

    #[test]
    fn attributes_and_classes_hide() {
        for tag in [
            "<p hidden>",
            "<p HIDDEN=x>",
            "<p hidden=until-found>",
            "<p popover>",
            "<p aria-hidden=' True '>",
            "<p style=display:none>",
            "<p/style='display:none'>",
            "<p style=\"display&#58;none\">",
            "<p class=sr-only>",
            "<p class='a my_visually-hidden--x'>",
            "<p class='screen-reader-text-focusable'>",
            "<p class='d-none'>",
            "<p class=b>",
            "<p id=c style='color:red'>",
        ] {
            assert_eq!(ways(tag, ".b,#c{display:none}") & GONE, GONE, "{}", tag);
        }
    }

    #[test]
    fn what_only_looks_like_it_does_not() {
        for tag in [
            "<p>",
            "<p hidden style=display:block>",
            "<p aria-hidden=false>",
            "<p class=not-sr-only>",
            "<p class='hidden md:block'>",
            "<p class='d-none d-lg-flex'>",
            "<p class='hidden [&>p]:flex'>",
            "<p class='hidden visible-xs'>",
            "<p class='hidden mobile__block'>",
            "<p class='md:sr-only'>",
            "<p title='hidden'>",
            "<p style='' style='display:none'>",
        ] {
            assert_eq!(ways(tag, ""), 0, "{}", tag);
        }
    }

    #[test]
    fn references_in_attributes_are_decoded() {
        let tables = samples::tables();
        let decoded = |value| decoded(value, &tables);
        assert_eq!(decoded("a&amp;b&#65;&#x42c"), "a&bAB\u{c}".replace("B\u{c}", "\u{42c}"));
        assert_eq!(decoded("?a=1&amp=2&ampx&amp"), "?a=1&amp=2&ampx&");
        assert_eq!(decoded("&#;&#x;&&unknown;"), "&#;&#x;&&unknown;");
    }
}
