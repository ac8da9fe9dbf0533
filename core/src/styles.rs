//! Parses CSS declaration blocks, as far as they affect visibility.

use std::borrow::Cow;
use std::sync::Arc;

use crate::colours::is_colour;
use crate::css_text::{declarations, plain_css};
use crate::lengths::{
    alpha, end_of_simple, folded, is_font_size, is_global, is_length, is_name_byte, lower, strip, words,
};
use crate::math::calculated;
use crate::variables::kind_of;

/// Ways to be hidden, as bits. GONE takes all inside with it; the others are inherited, and can be taken back inside.
pub const GONE: u8 = 1;
pub const VISIBILITY: u8 = 2;
pub const SIZE: u8 = 4;
pub const INK: u8 = 8;
pub const INDENT: u8 = 16;
pub const SPACING: u8 = 32;

pub const SIDES: [&str; 4] = ["top", "right", "bottom", "left"];
pub const FILL: &str = "-webkit-text-fill-color";

/// Properties with their values; there are few, so that they are looked for one by one.
#[derive(Clone, Default, Debug)]
pub struct Style {
    properties: Vec<(&'static str, Arc<str>)>,
    /// Whether `all` takes back what weaker rules declare.
    resets: bool,
}

impl Style {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }

    pub fn said(&self, name: &str) -> &str {
        self.get(name).unwrap_or("")
    }

    fn set(&mut self, name: &'static str, value: Arc<str>) {
        match self.properties.iter_mut().find(|(known, _)| *known == name) {
            Some(place) => place.1 = value,
            None => self.properties.push((name, value)),
        }
    }

    /// Take over what another declares.
    pub fn update(&mut self, other: &Style) {
        if other.resets {
            self.properties.clear();
        }
        for (name, value) in &other.properties {
            self.set(name, Arc::clone(value));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }
}

/// The valid declarations of a block that have to do with being seen.
#[derive(Clone, Default, Debug)]
pub struct Declared {
    pub plain: Style,
    pub important: Style,
    /// The variables in its values, with the kind of value that would hide (`crate::variables`).
    pub variables: Vec<(u8, String)>,
}

impl Declared {
    /// All of them, the important ones in front.
    pub fn all(&self) -> Style {
        let mut style = self.plain.clone();
        style.update(&self.important);
        style
    }
}

/// Read a block, shorthands as their longhands. Variables of other blocks count as not set.
pub fn declared(block: &str) -> Declared {
    declared_with(block, &mut |_| None)
}

/// Read a block with the values of variables that are set elsewhere.
pub fn declared_with(block: &str, resolve: &mut dyn FnMut(&str) -> Option<String>) -> Declared {
    let block = plain_css(block);
    let mut found = Declared::default();
    let mut variables: Vec<(String, String)> = Vec::new();
    let all = declarations(&block);
    if block.contains("var(") {
        variables = variables_among(&all);
    }
    for one in all {
        let (name, value) = match one.split_once(':') {
            Some(parts) => parts,
            None => continue,
        };
        let name = strip(name);
        if name.starts_with("--") {
            continue;
        }
        let name = lower(name);
        let mut name: &str = &name;
        let is_all = name == "all";
        let unprefixed;
        if name.starts_with('-') {
            unprefixed = without_prefixes(name);
            name = &unprefixed;
        }
        let name = alias(name);
        let property = name;
        if !is_all && !is_known(name) {
            continue; // most declarations have nothing to do with being seen
        }
        let value = folded(value);
        let (value, is_important) = match without_important(&value) {
            Some(value) => (value, true),
            None => (&*value, false),
        };
        let Declared { plain, important, variables: used } = &mut found;
        let into = if is_important { important } else { plain };
        if is_all {
            if is_global(value) {
                into.properties.clear();
                into.resets = true;
            }
            continue;
        }
        let (value_text, kind) = (value, kind_of(property));
        let value = computed(value_text, &mut |name: &str| {
            used.push((kind, name.into()));
            resolve(name).or_else(|| own_value(&variables, name, 0))
        });
        let had_variables = value_text.contains("var(");
        longhands(name, &value, |longhand, said| {
            match valid(longhand, said) {
                // As weaker layers have it.
                _ if said == "revert-layer" => into.properties.retain(|(name, _)| *name != longhand),
                Some(longhand) => into.set(longhand, said.into()),
                // A value that is found to be invalid when its variables are known counts as not set.
                None if had_variables => {
                    if let Some(longhand) = self::longhand(longhand) {
                        into.set(longhand, "unset".into());
                    }
                }
                None => {}
            }
        });
    }
    found
}

/// The variables that a block sets, in order.
pub fn variables_of(block: &str) -> Vec<(String, String)> {
    if !block.contains("--") {
        return Vec::new();
    }
    variables_among(&declarations(&plain_css(block)))
}

fn variables_among(declarations: &[&str]) -> Vec<(String, String)> {
    let pairs = declarations.iter().filter_map(|one| one.split_once(':'));
    let own = pairs.map(|(name, value)| (strip(name), value)).filter(|(name, _)| name.starts_with("--"));
    own.map(|(name, value)| {
        let value = folded(value);
        (name.into(), without_important(&value).unwrap_or(&value).into())
    })
    .collect()
}

/// The value of a variable by what the same block sets.
fn own_value(variables: &[(String, String)], name: &str, depth: usize) -> Option<String> {
    let (_, value) = variables.iter().rev().find(|(own, _)| own == name).filter(|_| depth < 4)?;
    Some(with_variables(value, &mut |inner: &str| own_value(variables, inner, depth + 1)))
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
    match name.as_bytes() {
        b"block-size" => "height",
        b"inline-size" => "width",
        b"max-block-size" => "max-height",
        b"max-inline-size" => "max-width",
        b"min-block-size" => "min-height",
        b"min-inline-size" => "min-width",
        b"inset-inline-start" => "left",
        b"inset-inline-end" => "right",
        b"inset-block-start" => "top",
        b"inset-block-end" => "bottom",
        b"margin-inline-start" => "margin-left",
        b"margin-block-start" => "margin-top",
        b"flex-basis" => "flex",
        b"animation-name" => "animation",
        b"transition-property" => "transition",
        _ => name,
    }
}

fn is_known(name: &str) -> bool {
    let is_shorthand = matches!(
        name.as_bytes(),
        b"font"
            | b"inset"
            | b"margin"
            | b"margin-inline"
            | b"margin-block"
            | b"padding"
            | b"overflow"
            | b"background"
            | b"mask"
    );
    is_shorthand || longhand(name).is_some()
}

/// A value with the variables of its block, and simple calculations done.
fn computed<'a>(value: &'a str, resolve: &mut dyn FnMut(&str) -> Option<String>) -> Cow<'a, str> {
    let mut value = Cow::from(value);
    if !value.as_bytes().contains(&b'(') {
        return value; // as most are
    }
    if value.contains("var(") {
        value = with_variables(&value, resolve).into();
    }
    if ["calc(", "min(", "max(", "clamp("].iter().any(|name| value.contains(name)) {
        value = calculated(&value).into();
    }
    value
}

/// A value with its variables replaced.
pub fn with_variables(value: &str, resolve: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some(at) = rest.find("var(") {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 4..];
        match variable(behind) {
            Some((name, other, end)) => {
                match resolve(name) {
                    Some(value) => out.push_str(strip(&value)),
                    None if other.contains("var(") => out.push_str(&with_variables(strip(other), resolve)),
                    None => out.push_str(strip(other)),
                }
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
        let (start, mut depth) = (at + 1, 0usize);
        at = start;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 0 => break,
                b')' => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        other = &text[start..at];
    }
    if bytes.get(at) == Some(&b')') {
        Some((&text[start..end], other, at + 1))
    } else {
        None
    }
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
            let plain = if is_picture { single_colour(value) } else { None };
            found("background-image", if is_picture && plain.is_none() { "some" } else { "none" });
            found("background-clip", if value.ends_with("text") { "text" } else { "border-box" });
            let colour = parts(value).into_iter().find(|part| is_colour(part));
            found("background-color", plain.or(colour).unwrap_or("transparent"));
        }
        "margin-inline" => found("margin-left", words(value).next().unwrap_or("")),
        "margin-block" => found("margin-top", words(value).next().unwrap_or("")),
        "mask" => found("mask-image", value),
        _ => found(name, value),
    }
}

/// The colour of a gradient between equal colours.
fn single_colour(value: &str) -> Option<&str> {
    let inner = value.strip_suffix(')')?.split_once("gradient(")?.1;
    let mut stops = inner.split(',').map(strip);
    let first = stops.next().filter(|stop| is_colour(stop))?;
    Some(first).filter(|_| !inner.contains('(') && stops.all(|stop| stop == first))
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

fn is_box(value: &str) -> bool {
    is_length(value) || value.ends_with("-content") || value.contains('(')
}

pub fn is_clipping(value: Option<&str>) -> bool {
    matches!(value, Some("hidden" | "clip" | "auto" | "scroll"))
}

macro_rules! longhand_names {
    ($($name:literal),* $(,)?) => {
        /// A property that has to do with being seen, by its name. Bytes are compared: a match of strings tries each in turn.
        fn longhand(name: &str) -> Option<&'static str> {
            match name.as_bytes() {
                $($name => std::str::from_utf8($name).ok(),)*
                _ => None,
            }
        }
    };
}

longhand_names! {
    b"display", b"visibility", b"content-visibility", b"opacity", b"font-size", b"position", b"text-overflow",
    b"line-height", b"flex", b"flex-grow", b"contain", b"text-shadow", b"mask-size", b"animation", b"transition",
    b"color", b"-webkit-text-fill-color", b"background-color", b"background-image", b"background-clip", b"clip",
    b"clip-path", b"transform", b"translate", b"scale", b"rotate", b"filter", b"overflow-x", b"overflow-y",
    b"height", b"width", b"max-height", b"max-width", b"min-height", b"min-width", b"top", b"right", b"bottom",
    b"left", b"margin-top", b"margin-right", b"margin-bottom", b"margin-left", b"padding-top", b"padding-right",
    b"padding-bottom", b"padding-left", b"text-indent", b"white-space", b"mask-image", b"zoom", b"letter-spacing",
    b"word-spacing",
}

/// Whether a declaration is valid; of a property that does not hide anything it is assumed.
pub fn is_supported(name: &str, value: &str) -> bool {
    let name = alias(name);
    if !is_known(name) {
        return true;
    }
    let mut is_valid = false;
    longhands(name, value, |longhand, value| is_valid |= valid(longhand, value).is_some());
    is_valid
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
        "color" | FILL | "background-color" => is_global(value) || is_colour(value),
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
    use crate::hiding::{hiding, Animation};

    fn ways(block: &str) -> (u8, u8) {
        hiding(&declared(block).all(), "", |name| {
            if name == "rise" {
                Some(Animation { fades: true, ends_hidden: false })
            } else {
                None
            }
        })
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
            "position:absolute;clip:rect(1px,1px,1px,1px)",
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
