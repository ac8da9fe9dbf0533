//! What a CSS declaration block says about whether its element is seen (`tidings.page.styles`).

use std::collections::HashMap;
use std::rc::Rc;

use crate::lengths::{
    alpha, calls, colour, end_of_simple, folded, is_font_size, is_global, is_length, is_name_byte, lower, names_size,
    number, pixels, share, strip, words,
};

/// Ways to be hidden, as bits. GONE takes all inside with it; the others are inherited, and can be taken back inside.
pub const GONE: u8 = 1;
pub const VISIBILITY: u8 = 2;
pub const SIZE: u8 = 4;
pub const INK: u8 = 8;
pub const INDENT: u8 = 16;

const FAR: f64 = 999.0;
const FAR_SHARE: f64 = 1000.0;
const TINY: f64 = 1.0;
const FAINT: f64 = 0.02;
const TINY_SHARE: f64 = 10.0;
const SIDES: [&str; 4] = ["top", "right", "bottom", "left"];
const FILL: &str = "-webkit-text-fill-color";
/// No property of CSS: whether the block that gives the colours gives the same one twice.
const SAME: &str = "same colour";

/// Properties with their values; there are few, so that they are looked for one by one.
#[derive(Clone, Default, Debug)]
pub struct Style(Vec<(&'static str, Rc<str>)>);

impl Style {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }

    fn said(&self, name: &str) -> &str {
        self.get(name).unwrap_or("")
    }

    fn set(&mut self, name: &'static str, value: Rc<str>) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some(place) => place.1 = value,
            None => self.0.push((name, value)),
        }
    }

    /// Take over what another declares.
    pub fn update(&mut self, other: &Style) {
        for (name, value) in &other.0 {
            self.set(name, Rc::clone(value));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The valid declarations of a block that have to do with being seen.
#[derive(Clone, Default, Debug)]
pub struct Declared {
    pub plain: Style,
    pub important: Style,
}

impl Declared {
    /// All of them, the important ones in front.
    pub fn all(&self) -> Style {
        let mut style = self.plain.clone();
        style.update(&self.important);
        style
    }
}

/// Read a block. Shorthands are told as what they are short for.
pub fn declared(block: &str) -> Declared {
    let block = plain_css(block);
    let mut found = Declared::default();
    let mut variables: HashMap<String, String> = HashMap::new();
    for one in declarations(&block) {
        let (name, value) = match one.split_once(':') {
            Some(parts) => parts,
            None => continue,
        };
        let name = lower(strip(name));
        let mut name: &str = &name;
        if name.starts_with("--") {
            variables.insert(name.into(), folded(value));
            continue;
        }
        let is_all = name == "all";
        let unprefixed;
        if name.starts_with('-') {
            unprefixed = without_prefixes(name);
            name = &unprefixed;
        }
        let name = alias(name);
        if !is_all && !is_known(name) {
            continue; // most declarations have nothing to do with being seen
        }
        let value = folded(value);
        let (value, is_important) = match without_important(&value) {
            Some(value) => (value, true),
            None => (&*value, false),
        };
        let into = if is_important { &mut found.important } else { &mut found.plain };
        if is_all {
            if is_global(value) {
                into.0.clear();
            }
            continue;
        }
        longhands(name, &computed(value, &variables), |longhand, said| {
            if let Some(longhand) = valid(longhand, said) {
                into.set(longhand, said.into());
            }
        });
    }
    let has = |name| found.plain.get(name).is_some() || found.important.get(name).is_some();
    if has("background-color") || has("color") {
        let said = if is_same_colour(&found.all()) { "yes" } else { "no" };
        found.plain.set(SAME, said.into());
    }
    found
}

/// CSS without comments and escapes.
pub fn plain_css(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/*") {
        out.push_str(&rest[..at]);
        rest = rest[at + 2..].split_once("*/").map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    if out.contains('\\') {
        unescaped(&out)
    } else {
        out
    }
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        let digits = behind.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if digits > 0 {
            let code = u32::from_str_radix(&behind[..digits], 16).unwrap_or(0);
            out.push(if code == 0 { '\u{fffd}' } else { char::from_u32(code).unwrap_or('\u{fffd}') });
            rest = &behind[digits..];
            if matches!(rest.as_bytes().first(), Some(9..=13 | 32)) {
                rest = &rest[1..];
            }
            continue;
        }
        match behind.chars().next() {
            Some(letter) => {
                if letter != '\n' {
                    out.push(letter);
                }
                rest = &behind[letter.len_utf8()..];
            }
            None => {
                out.push('\\');
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The declarations of a block; a semicolon in quotes or brackets does not end one.
fn declarations(block: &str) -> Vec<&str> {
    let bytes = block.as_bytes();
    if !bytes.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'(')) {
        return block.split(';').collect();
    }
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        at = match bytes[at] {
            b';' => {
                found.push(&block[start..at]);
                start = at + 1;
                at + 1
            }
            b'(' => end_of_outer(bytes, at),
            quote @ (b'"' | b'\'') => end_of_string(bytes, at, quote),
            _ => at + 1,
        };
    }
    found.push(&block[start..]);
    found
}

fn end_of_string(bytes: &[u8], at: usize, quote: u8) -> usize {
    let mut place = at + 1;
    while place < bytes.len() {
        match bytes[place] {
            b'\\' if place + 1 < bytes.len() => place += 2,
            b'\\' => return place,
            byte if byte == quote => return place + 1,
            _ => place += 1,
        }
    }
    place
}

/// The end of brackets; what is nested too deep, or never ends, does not count.
fn end_of_outer(bytes: &[u8], at: usize) -> usize {
    let mut place = at + 1;
    while place < bytes.len() {
        match bytes[place] {
            b')' => return place + 1,
            b'(' => match end_of_inner(bytes, place) {
                Some(end) => place = end,
                None => return place,
            },
            _ => place += 1,
        }
    }
    place
}

fn end_of_inner(bytes: &[u8], at: usize) -> Option<usize> {
    let mut place = at + 1;
    loop {
        match bytes.get(place)? {
            b')' => return Some(place + 1),
            b'(' => place = end_of_simple(bytes, place)?,
            _ => place += 1,
        }
    }
}

/// A value that ends with `!important`, without that.
fn without_important(value: &str) -> Option<&str> {
    let before = value.strip_suffix("important")?.trim_end_matches(' ').strip_suffix('!')?;
    Some(before.trim_end_matches(' '))
}

fn without_prefixes(name: &str) -> String {
    let mut out = String::new();
    let mut rest = name;
    'next: while !rest.is_empty() {
        for prefix in ["-webkit-", "-moz-", "-ms-", "-o-"] {
            if let Some(behind) = rest.strip_prefix(prefix) {
                if !behind.starts_with("text-fill") {
                    rest = behind;
                    continue 'next;
                }
            }
        }
        let size = rest.chars().next().map_or(0, char::len_utf8);
        out.push_str(&rest[..size]);
        rest = &rest[size..];
    }
    out
}

/// Other names of the same, in pages that are written from left to right and top to bottom.
fn alias(name: &str) -> &str {
    match name {
        "block-size" => "height",
        "inline-size" => "width",
        "max-block-size" => "max-height",
        "max-inline-size" => "max-width",
        "min-block-size" => "min-height",
        "min-inline-size" => "min-width",
        "inset-inline-start" => "left",
        "inset-inline-end" => "right",
        "inset-block-start" => "top",
        "inset-block-end" => "bottom",
        "margin-inline-start" | "margin-inline" => "margin-left",
        "margin-block-start" | "margin-block" => "margin-top",
        "flex-basis" => "flex",
        "animation-name" => "animation",
        "transition-property" => "transition",
        _ => name,
    }
}

fn is_known(name: &str) -> bool {
    matches!(name, "font" | "inset" | "margin" | "padding" | "overflow" | "background") || longhand(name).is_some()
}

/// A value with the variables of its block, and simple calculations done.
fn computed(value: &str, variables: &HashMap<String, String>) -> String {
    let mut value = value.to_string();
    if value.contains("var(") {
        value = with_variables(&value, variables);
    }
    if value.contains("calc(") {
        value = with_products(&value);
    }
    value
}

fn with_variables(value: &str, variables: &HashMap<String, String>) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some(at) = rest.find("var(") {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 4..];
        match variable(behind) {
            Some((name, other, end)) => {
                out.push_str(strip(variables.get(name).map_or(other, |said| said)));
                rest = &behind[end..];
            }
            None => {
                out.push_str("var(");
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The name of a variable, what is to be taken where there is none, and where its bracket ends.
fn variable(text: &str) -> Option<(&str, &str, usize)> {
    let bytes = text.as_bytes();
    let spaces = |from: usize| from + bytes[from..].iter().take_while(|&&byte| byte == b' ').count();
    let start = spaces(0);
    let is_letter = |byte: &&u8| is_name_byte(**byte) || **byte >= 0x80;
    let end = start + bytes[start..].iter().take_while(is_letter).count();
    if end < start + 3 || !text[start..].starts_with("--") {
        return None;
    }
    let mut at = spaces(end);
    let mut other = "";
    if bytes.get(at) == Some(&b',') {
        let size = bytes[at + 1..].iter().take_while(|byte| !matches!(byte, b'(' | b')')).count();
        other = &text[at + 1..at + 1 + size];
        at += 1 + size;
    }
    if bytes.get(at) == Some(&b')') {
        Some((&text[start..end], other, at + 1))
    } else {
        None
    }
}

fn with_products(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some(at) = rest.find("calc(") {
        out.push_str(&rest[..at]);
        match end_of_simple(rest.as_bytes(), at + 4) {
            Some(end) => {
                out.push_str(&product(&rest[at + 5..end - 1]));
                rest = &rest[end..];
            }
            None => {
                out.push_str("calc(");
                rest = &rest[at + 5..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// What a calculation of one number, or a product of numbers, gives; nothing for any other.
fn product(inner: &str) -> String {
    let (mut result, mut unit) = (1.0, "");
    for factor in inner.split('*') {
        match number(strip(factor)) {
            Some((one, of)) => {
                result *= one;
                unit = if of.is_empty() { unit } else { of };
            }
            None => return String::new(),
        }
    }
    lower(&format!("{:.6}{}", result, unit)).into_owned()
}

fn longhands(name: &str, value: &str, mut found: impl FnMut(&str, &str)) {
    match name {
        "font" => {
            let mut sizes = words(value).map(|part| part.split('/').next().unwrap_or(""));
            found("font-size", sizes.find(|size| !size.is_empty() && is_font_size(size)).unwrap_or(""));
        }
        "inset" | "margin" | "padding" => {
            let parts: Vec<&str> = words(value).collect();
            if let Some(sides) = sides(&parts) {
                for (side, part) in SIDES.iter().zip(sides) {
                    match name {
                        "inset" => found(side, part),
                        _ => found(&format!("{}-{}", name, side), part),
                    }
                }
            }
        }
        "overflow" => {
            let mut parts = words(value);
            let first = parts.next().unwrap_or("");
            found("overflow-x", first);
            found("overflow-y", parts.next().unwrap_or(first));
        }
        "background" => {
            let is_picture = value.contains("url(") || value.contains("gradient(");
            found("background-image", if is_picture { "some" } else { "none" });
            found("background-clip", if value.ends_with("text") { "text" } else { "border-box" });
            let colour = parts(value).into_iter().find(|part| is_colour(part));
            found("background-color", colour.unwrap_or("transparent"));
        }
        _ => found(name, value),
    }
}

/// What one to four values say of the four sides.
fn sides<'a>(parts: &[&'a str]) -> Option<[&'a str; 4]> {
    match *parts {
        [all] => Some([all; 4]),
        [down, across] => Some([down, across, down, across]),
        [top, across, bottom] => Some([top, across, bottom, across]),
        [top, right, bottom, left] => Some([top, right, bottom, left]),
        _ => None,
    }
}

/// The parts of a value between spaces; brackets belong together.
fn parts(value: &str) -> Vec<&str> {
    let bytes = value.as_bytes();
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        let end = match bytes[at] {
            b' ' => None,
            b'(' => end_of_simple(bytes, at),
            _ => Some(at + 1),
        };
        match end {
            Some(end) => at = end,
            None => {
                found.push(&value[start..at]);
                at += 1;
                start = at;
            }
        }
    }
    found.push(&value[start..]);
    found.retain(|part| !part.is_empty());
    found
}

fn is_colour(value: &str) -> bool {
    is_global(value) || colour(value).is_some()
}

fn is_box(value: &str) -> bool {
    is_length(value) || value.ends_with("-content") || value.contains('(')
}

fn is_clipping(value: Option<&str>) -> bool {
    matches!(value, Some("hidden" | "clip" | "auto" | "scroll"))
}

macro_rules! longhand_names {
    ($($name:literal),* $(,)?) => {
        /// A property that has to do with being seen, by its name.
        fn longhand(name: &str) -> Option<&'static str> {
            match name {
                $($name => Some($name),)*
                _ => None,
            }
        }
    };
}

longhand_names! {
    "display", "visibility", "content-visibility", "opacity", "font-size", "position", "text-overflow", "line-height",
    "flex", "flex-grow", "animation", "transition", "color", "-webkit-text-fill-color", "background-color",
    "background-image", "background-clip", "clip", "clip-path", "transform", "translate", "scale", "rotate", "filter",
    "overflow-x", "overflow-y", "height", "width", "max-height", "max-width", "min-height", "min-width", "top", "right",
    "bottom", "left", "margin-top", "margin-right", "margin-bottom", "margin-left", "padding-top", "padding-right",
    "padding-bottom", "padding-left", "text-indent", "white-space",
}

/// A property, if that value is a valid one of it.
fn valid(name: &str, value: &str) -> Option<&'static str> {
    let name = longhand(name)?;
    let is_valid = match name {
        "display" => value == "none" || (!value.is_empty() && words(value).all(is_display)),
        "visibility" => matches!(value, "visible" | "hidden" | "collapse") || is_global(value),
        "content-visibility" => matches!(value, "visible" | "hidden" | "auto") || is_global(value),
        "opacity" => alpha(value).is_some() || is_global(value),
        "font-size" => is_font_size(value),
        "position" => matches!(value, "static" | "relative" | "absolute" | "fixed" | "sticky" | "-webkit-sticky"),
        "line-height" => is_length(value) || value == "normal",
        "color" | FILL | "background-color" => is_colour(value),
        "overflow-x" | "overflow-y" => is_clipping(Some(value)) || value == "visible" || is_global(value),
        "height" | "width" | "max-height" | "max-width" | "min-height" | "min-width" => is_box(value),
        "text-indent" => is_length(value.split(' ').next().unwrap_or("")),
        "top" | "right" | "bottom" | "left" => is_length(value),
        _ if name.starts_with("margin-") || name.starts_with("padding-") => is_length(value),
        _ => true,
    };
    if is_valid {
        Some(name)
    } else {
        None
    }
}

fn is_display(part: &str) -> bool {
    const DISPLAYS: &str = " block inline inline-block flex inline-flex grid inline-grid flow flow-root table \
        inline-table table-row table-cell table-caption table-column table-column-group table-row-group \
        table-header-group table-footer-group list-item contents run-in ruby ruby-base ruby-text math initial inherit \
        unset revert revert-layer -webkit-box -webkit-inline-box -webkit-flex -ms-flexbox -moz-box -ms-grid ";
    DISPLAYS.split(' ').any(|known| !known.is_empty() && known == part)
}

// -- what hides -----------------------------------------------------------------------------------------------------

/// The ways in which an element of that name is hidden, and those of an element around it that it takes back.
///
/// `is_moving` tells the names of animations that the page has: what one of them moves will be seen.
pub fn hiding(style: &Style, name: &str, is_moving: impl Fn(&str) -> bool) -> (u8, u8) {
    if style.is_empty() {
        return (0, 0);
    }
    let is_gone = style.get("display") == Some("none") && !opens(style);
    if is_gone || style.get("content-visibility") == Some("hidden") {
        return (GONE, 0);
    }
    let mut hidden = if is_far(style) || is_empty(style, name) { GONE } else { 0 };
    let visibility = style.said("visibility");
    // An animation ends with what it moves in sight.
    if !words(style.said("animation")).any(is_moving) {
        if is_transparent(style) || is_moved_away(style) || is_clipped(style) {
            hidden |= GONE;
        }
        if matches!(visibility, "hidden" | "collapse") {
            hidden |= VISIBILITY;
        }
    }
    let mut shown = if matches!(visibility, "visible" | "initial") { VISIBILITY } else { 0 };
    for (way, is_hidden) in [(SIZE, is_tiny(style)), (INDENT, is_indented(style)), (INK, has_no_ink(style))] {
        match is_hidden {
            Some(true) => hidden |= way,
            Some(false) => shown |= way,
            None => {}
        }
    }
    (hidden, shown)
}

/// Whether a block hides its element by itself.
pub fn hides(block: &Declared) -> bool {
    hiding(&block.all(), "", |_| false).0 != 0
}

fn is_tiny(style: &Style) -> Option<bool> {
    let size = style.get("font-size")?;
    let yes = |is_tiny: bool| if is_tiny { Some(true) } else { None };
    match (pixels(size), share(size)) {
        (Some(length), _) if size.ends_with("rem") || !size.ends_with("em") => Some(length <= TINY),
        // Of what is around, which may be tiny itself.
        (Some(length), _) => yes(length <= TINY_SHARE * 0.16),
        (None, Some(share)) => yes(share * 0.16 <= TINY_SHARE * 0.16),
        (None, None) if names_size(size) || size == "initial" => Some(false),
        (None, None) => None,
    }
}

fn is_transparent(style: &Style) -> bool {
    let is_faint = |value: &str| alpha(value).map_or(false, |opaque| opaque <= FAINT);
    style.get("opacity").map_or(false, is_faint)
        || calls(style.said("filter")).iter().any(|(name, inner, ..)| *name == "opacity" && is_faint(strip(inner)))
}

/// The colour of letters; an empty one counts as none.
fn ink(style: &Style) -> Option<&str> {
    style.get(FILL).filter(|fill| !fill.is_empty()).or_else(|| style.get("color"))
}

fn has_no_ink(style: &Style) -> Option<bool> {
    let ink = ink(style)?;
    Some(match colour(ink) {
        Some((_, opaque)) if style.get("background-clip") != Some("text") => {
            opaque <= FAINT || style.get(SAME) == Some("yes")
        }
        _ => false,
    })
}

/// Whether one block gives letters and background the same colour.
fn is_same_colour(style: &Style) -> bool {
    let value = ink(style).unwrap_or("");
    if value == "currentcolor" || style.get("background-image").unwrap_or("none") != "none" {
        return false;
    }
    match (colour(value), colour(style.said("background-color"))) {
        (Some((ink, _)), Some((ground, opaque))) => ink == ground && opaque > FAINT,
        _ => false,
    }
}

/// Whether a length leads out of the window: backwards, or in either direction.
fn is_away(value: &str, forward: bool) -> bool {
    match (pixels(value), share(value)) {
        (Some(length), _) => length <= -FAR || (forward && length >= FAR),
        (None, Some(share)) => share <= -FAR_SHARE || (forward && share >= FAR_SHARE),
        (None, None) => false,
    }
}

fn is_far(style: &Style) -> bool {
    if style.get("position") != Some("static")
        && (SIDES.iter().any(|side| is_away(style.said(side), false)) || is_away(style.said("left"), true))
    {
        return true;
    }
    is_away(style.said("margin-left"), false) || is_away(style.said("margin-top"), false)
}

fn is_indented(style: &Style) -> Option<bool> {
    let first = style.get("text-indent")?.split(' ').next().unwrap_or("");
    // Text is moved out of sight, or out of a box that shows nothing outside itself.
    let is_out = || share(first).map_or(false, |share| share.abs() >= 100.0) && is_clipping(style.get("overflow-x"));
    Some(is_away(first, true) || is_out())
}

fn is_moved_away(style: &Style) -> bool {
    let transform = style.said("transform").to_string();
    let mut moves: Vec<(String, String)> = Vec::new();
    moves.extend(calls(&transform).iter().map(|(name, inner, ..)| (name.to_string(), inner.replace(',', " "))));
    for name in ["translate", "scale"] {
        moves.extend(style.get(name).map(|value| (name.to_string(), value.to_string())));
    }
    if let Some(value) = style.get("rotate") {
        let parts: Vec<&str> = words(value).collect();
        let axis = if parts.len() == 2 { parts[0] } else { "" };
        moves.push((format!("rotate{}", axis), parts.last().map_or(String::new(), |angle| angle.to_string())));
    }
    moves.iter().any(|(name, inner)| leads_away(name, &words(inner).collect::<Vec<_>>()))
}

fn leads_away(name: &str, parts: &[&str]) -> bool {
    if name.starts_with("translate") {
        return parts.iter().any(|part| is_away(part, true));
    }
    if name.starts_with("scale") {
        return parts.iter().any(|part| alpha(part) == Some(0.0));
    }
    if matches!(name, "matrix" | "matrix3d") {
        let numbers: Vec<f64> = parts.iter().map(|part| alpha(part).unwrap_or(0.0)).collect();
        return match numbers.len() {
            6 => numbers[0] * numbers[3] == numbers[1] * numbers[2],
            16 => numbers[0] == 0.0 && numbers[1] == 0.0,
            _ => false,
        };
    }
    matches!(name, "rotatex" | "rotatey")
        && matches!(parts.first(), Some(&("90deg" | "-90deg" | "270deg" | ".25turn" | "100grad")))
}

fn is_clipped(style: &Style) -> bool {
    let is_rect = |inner: &str| {
        let inner = inner.replace(',', " ");
        let edges: Vec<Option<f64>> = words(&inner).map(pixels).collect();
        let is_thin = |begin: Option<f64>, end: Option<f64>| end.map_or(false, |end| end - begin.unwrap_or(0.0) <= 1.0);
        edges.len() == 4 && (is_thin(edges[0], edges[2]) || is_thin(edges[3], edges[1]))
    };
    calls(style.said("clip")).iter().any(|(name, inner, ..)| *name == "rect" && is_rect(inner))
        || calls(style.said("clip-path")).iter().any(|(name, inner, ..)| leaves_nothing(name, inner))
}

fn leaves_nothing(shape: &str, inner: &str) -> bool {
    let parts: Vec<&str> = words(inner.split(" round ").next().unwrap_or("")).collect();
    match shape {
        "inset" => {
            sides(&parts).map_or(false, |[top, right, bottom, left]| is_all_cut(top, bottom) || is_all_cut(left, right))
        }
        "circle" | "ellipse" => is_zero(parts.first().copied()),
        "polygon" => {
            let points = inner.split(',').map(|point| words(point).collect::<Vec<_>>());
            let mut points: Vec<Vec<&str>> = points.filter(|point| point.len() == 2).collect();
            let is_line = |axis: usize| points.windows(2).all(|two| two[0][axis] == two[1][axis]);
            if is_line(0) || is_line(1) {
                return true;
            }
            points.sort_unstable();
            points.dedup();
            points.len() <= 2
        }
        _ => false,
    }
}

/// Whether nothing is left between two edges of a box.
fn is_all_cut(before: &str, behind: &str) -> bool {
    let part = |edge| match pixels(edge) {
        Some(length) if length >= FAR => 100.0,
        _ => share(edge).unwrap_or(0.0),
    };
    part(before) + part(behind) >= 100.0
}

/// Whether it is a box of no size that shows nothing outside itself.
fn is_empty(style: &Style, name: &str) -> bool {
    let (down, across) = (is_clipping(style.get("overflow-y")), is_clipping(style.get("overflow-x")));
    if !(down || across) || !matches!(style.get("flex"), None | Some("none" | "0" | "auto" | "initial")) {
        return false;
    }
    let is_padded = is_some(style.get("padding-top")) || is_some(style.get("padding-bottom"));
    if style.get("flex-grow").unwrap_or("0") != "0" || is_padded || opens(style) {
        return false;
    }
    let grows = matches!(name, "td" | "th" | "tr" | "table" | "tbody"); // with what they hold
    if down && !grows && !is_some(style.get("min-height")) {
        let is_flat = is_nothing(style.get("height")) || is_nothing(style.get("max-height"));
        if is_flat || is_zero(style.get("line-height")) {
            return true;
        }
    }
    if across && !grows && !is_some(style.get("min-width")) && style.get("text-overflow").is_none() {
        return is_nothing(style.get("width")) || is_nothing(style.get("max-width"));
    }
    false
}

/// Whether it is a box of no height that opens: people click to see what is in it.
fn opens(style: &Style) -> bool {
    let transition = style.said("transition");
    (transition.contains("height") || transition.contains("all"))
        && (is_nothing(style.get("height")) || is_nothing(style.get("max-height")))
}

/// At most one pixel.
fn is_nothing(length: Option<&str>) -> bool {
    length.map_or(false, |length| pixels(length).map_or_else(|| share(length) == Some(0.0), |found| found <= 1.0))
}

fn is_zero(length: Option<&str>) -> bool {
    length.map_or(false, |length| pixels(length) == Some(0.0) || share(length) == Some(0.0))
}

fn is_some(length: Option<&str>) -> bool {
    length.map_or(false, |said| !is_nothing(length) && !matches!(said, "auto" | "none") && !is_global(said))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(block: &str) -> (u8, u8) {
        hiding(&declared(block).all(), "", |name| name == "rise")
    }

    #[test]
    fn what_takes_an_element_away() {
        for block in [
            "display:none",
            "DISPLAY : None ! important; display: block",
            "d\\69splay:none",
            "--a:none;display:var(--a)",
            "display:var(--missing, none)",
            "opacity:calc(0*3)",
            "-webkit-filter:opacity(0%)",
            "position:absolute;left:-62.5em",
            "margin:-2000px 0 0",
            "clip:rect(1px,1px,1px,1px)",
            "clip-path:inset(50%)",
            "clip-path:polygon(0 0, 0 0, 0 0)",
            "transform:translateX(-9999px)",
            "scale:0",
            "height:1px;overflow:hidden",
            "background:url(a;b);display:none",
        ] {
            assert_eq!(ways(block).0, GONE, "{}", block);
        }
    }

    #[test]
    fn what_letters_lose_can_be_taken_back() {
        assert_eq!(ways("visibility:hidden"), (VISIBILITY, 0));
        assert_eq!(ways("visibility:visible"), (0, VISIBILITY));
        assert_eq!(ways("font:0/0 a"), (SIZE, 0));
        assert_eq!(ways("font-size:12px"), (0, SIZE));
        assert_eq!(ways("font-size:2em"), (0, 0));
        assert_eq!(ways("color:#fff;background:white"), (INK, 0));
        assert_eq!(ways("color:#fff;background:url(a.png) white"), (0, INK));
        assert_eq!(ways("text-indent:-999em"), (INDENT, 0));
    }

    #[test]
    fn what_is_invalid_opened_or_animated_hides_nothing() {
        for block in [
            "display:nonsense",
            "display:none;display:block",
            "opacity:1",
            "opacity:0;animation:rise 1s",
            "max-height:0;overflow:hidden;transition:max-height 1s",
            "height:0",
            "/* display:none",
            "",
        ] {
            assert_eq!(ways(block).0, 0, "{}", block);
        }
    }
}
