//! What a CSS declaration block says about whether its element is seen (`tidings.page.styles`).

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::css_text::{declarations, plain_css};
use crate::hiding::is_same_colour;
use crate::lengths::{
    alpha, colour, end_of_simple, folded, is_font_size, is_global, is_length, is_name_byte, lower, number, strip, words,
};

/// Ways to be hidden, as bits. GONE takes all inside with it; the others are inherited, and can be taken back inside.
pub const GONE: u8 = 1;
pub const VISIBILITY: u8 = 2;
pub const SIZE: u8 = 4;
pub const INK: u8 = 8;
pub const INDENT: u8 = 16;

pub const SIDES: [&str; 4] = ["top", "right", "bottom", "left"];
pub const FILL: &str = "-webkit-text-fill-color";
/// No property of CSS: whether the block that gives the colours gives the same one twice.
pub const SAME: &str = "same colour";

/// Properties with their values; there are few, so that they are looked for one by one.
#[derive(Clone, Default, Debug)]
pub struct Style(Vec<(&'static str, Arc<str>)>);

impl Style {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }

    pub fn said(&self, name: &str) -> &str {
        self.get(name).unwrap_or("")
    }

    fn set(&mut self, name: &'static str, value: Arc<str>) {
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some(place) => place.1 = value,
            None => self.0.push((name, value)),
        }
    }

    /// Take over what another declares.
    pub fn update(&mut self, other: &Style) {
        for (name, value) in &other.0 {
            self.set(name, Arc::clone(value));
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
fn computed<'a>(value: &'a str, variables: &HashMap<String, String>) -> Cow<'a, str> {
    let mut value = Cow::from(value);
    if !value.as_bytes().contains(&b'(') {
        return value; // as most are
    }
    if value.contains("var(") {
        value = with_variables(&value, variables).into();
    }
    if value.contains("calc(") {
        value = with_products(&value).into();
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
pub fn sides<'a>(parts: &[&'a str]) -> Option<[&'a str; 4]> {
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

pub fn is_clipping(value: Option<&str>) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hiding::hiding;

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
