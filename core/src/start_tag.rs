//! Decides by a start tag whether its element is visible.

use std::borrow::Cow;

use crate::cascade::{cascaded, Cascade};
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

/// The maximum number of attributes that are read.
const MOST_ATTRIBUTES: usize = 200;

/// The decoded attributes of a start tag that decide the visibility of its element; the first of duplicates.
#[derive(Default)]
pub struct StartTag<'a> {
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
    /// An open dialog or a shadow root, which are visible.
    pub is_open: bool,
}

impl<'a> StartTag<'a> {
    /// Read a start tag.
    pub fn new(tag: &'a str, name: &'a str, tables: &Tables) -> StartTag<'a> {
        let mut start_tag = StartTag { name, ..StartTag::default() };
        each_attribute(tag, |key, value| {
            let is_root = key.eq_ignore_ascii_case(b"shadowrootmode") && ["open", "closed"].contains(&&*lower(value));
            if key.eq_ignore_ascii_case(b"open") || is_root {
                start_tag.is_open = true;
            }
            if let Some(place) = start_tag.place(key) {
                if place.is_none() {
                    *place = Some(plain(value, tables));
                }
            }
        });
        start_tag
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

    /// Return the visibility by the start tag alone: its attributes, and rules for its tag, classes and id.
    pub fn visibility(&self, cascade: &mut Cascade) -> Visibility {
        let inline = self.style.as_deref().filter(|style| !style.is_empty());
        let names = self.names_in_rules(cascade);
        let mut visibility = Visibility::default();
        if let Some(inline) = inline {
            let own = declared(inline);
            if inline.contains("--") {
                cascade.own_variables.extend(variables_of(inline).into_iter().map(|(name, _)| name));
            }
            let mut variables = own.variables.clone();
            let style = if names.is_empty() {
                own.all()
            } else {
                let sheets = cascade.merged(names);
                variables.extend_from_slice(&sheets.variables);
                cascaded(&sheets, &own)
            };
            visibility.set_style(&style, self.name, cascade);
            visibility.is_unsure = cascade.may_hide(&variables);
            // As in a browser, a declared `display` overrides the attribute.
            visibility.has_display = style.get("display").unwrap_or("none") != "none";
        } else if !names.is_empty() {
            visibility = cascade.visibility(names, self.name);
        }
        visibility.hidden_by_style = visibility.hidden;
        self.add_attributes(&mut visibility);
        visibility
    }

    /// Add the effects of attributes.
    pub fn add_attributes(&self, visibility: &mut Visibility) {
        let is =
            |value: &Option<Cow<str>>, word: &str| value.as_deref().map_or(false, |value| lower(strip(value)) == word);
        visibility.is_out = self.hidden.is_some() || self.popover.is_some();
        if (visibility.is_out && !visibility.has_display)
            || is(&self.hidden, "until-found")
            || is(&self.aria_hidden, "true")
            || self.class.as_deref().map_or(false, are_hiding)
        {
            visibility.hidden |= GONE;
        }
        let of = |value: &Option<Cow<str>>| value.as_deref().map_or(Paint::Inherited, Paint::of_attribute);
        let attributes = Paints { ink: of(&self.colour), fill: Paint::Inherited, ground: of(&self.background) };
        visibility.paints = visibility.paints.over(attributes);
    }

    /// Return the ways in which the element is hidden, and the inherited ways that it reverts.
    pub fn ways(&self, cascade: &mut Cascade) -> (u8, u8) {
        let visibility = self.visibility(cascade);
        (visibility.hidden, visibility.back)
    }

    /// Return a start tag of which only classes decide the visibility.
    pub fn of_classes(name: &'a str, classes: &'a str) -> StartTag<'a> {
        StartTag { name, class: Some(classes.into()), ..StartTag::default() }
    }

    /// Return the numbers of its tag, classes and id in rules.
    pub fn names_in_rules(&self, cascade: &Cascade) -> Vec<u32> {
        cascade.names_in_rules(self.name, self.class.as_deref(), self.identity.as_deref())
    }
}

/// The visibility of an element.
#[derive(Clone, Copy)]
pub struct Visibility {
    /// The ways in which it is hidden, as bits of `crate::styles`.
    pub hidden: u8,
    /// The inherited ways that it reverts.
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
    /// Its shift to the right and down, in pixels.
    pub shift: (f32, f32),
    /// Width and height in pixels of the box that clips it.
    pub window: (f32, f32),
}

impl Default for Visibility {
    fn default() -> Visibility {
        Visibility {
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

impl Visibility {
    /// Set the effects of a style.
    pub fn set_style(&mut self, style: &Style, name: &str, cascade: &Cascade) {
        let (hidden, back) = hiding(style, name, |animation| cascade.animation(animation));
        self.hidden = hidden;
        self.back = back;
        self.paints = paints(style);
        self.opacity = opacity(style);
        self.shift = shift(style);
        self.window = window(style);
    }
}

/// Return the ways of start tags, separated by NUL: for each the ways that hide, and the ways that it reverts.
pub fn ways_of(tags: &str, sheet: &Sheet, tables: &Tables) -> Vec<u8> {
    let mut cascade = Cascade::new(sheet);
    let mut ways_by_tag = Vec::new();
    for tag in tags.split('\0') {
        let (ways, back) = ways_of_tag(tag, &mut cascade, tables);
        ways_by_tag.extend([ways, back]);
    }
    ways_by_tag
}

/// Return the ways in which a start tag hides its element, and the inherited ways that it reverts.
pub fn ways_of_tag(tag: &str, cascade: &mut Cascade, tables: &Tables) -> (u8, u8) {
    let end = tag.find(|letter: char| matches!(letter, '\t'..='\r' | ' ' | '/' | '>')).unwrap_or(tag.len());
    let name = lower(tag.get(1..end).unwrap_or(""));
    StartTag::new(tag, &name, tables).ways(cascade)
}

/// Return the attributes of a start tag, the first of duplicates; decoded if there are tables.
pub fn attributes(tag: &str, tables: Option<&Tables>) -> Tag {
    let mut result = Tag::default();
    each_attribute(tag, |key, value| {
        let name = String::from_utf8_lossy(key).to_ascii_lowercase();
        if result.get(&name).is_none() && result.attributes.len() < MOST_ATTRIBUTES {
            let value = tables.map_or_else(|| value.into(), |tables| plain(value, tables).into_owned());
            result.add(name, value);
        }
    });
    result
}

/// Call `read` with the name and the undecoded value of each attribute of a start tag (`page.attributes`).
#[inline(always)]
pub fn each_attribute<'a>(tag: &'a str, mut read: impl FnMut(&'a [u8], &'a str)) {
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
        read(key, value);
    }
}

/// Return the decoded value of an attribute.
pub fn plain<'a>(value: &'a str, tables: &Tables) -> Cow<'a, str> {
    if value.contains('&') {
        decoded(value, tables).into()
    } else {
        value.into()
    }
}

/// Decode the references in the value of an attribute (`tidings.page.references`).
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
        let (ways, _) = StartTag::new(tag, "p", &tables).ways(&mut Cascade::new(&sheet));
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
