//! Parses CSS declaration blocks, as far as they affect visibility.

use std::borrow::Cow;
use std::sync::Arc;

use crate::css_text::{declarations, plain_css};
use crate::lengths::{folded, is_global, is_name_byte, lower, strip};
use crate::math::calculated;
use crate::variables::kind_of;

mod properties;

use properties::{affects_visibility, alias, longhand, longhands, valid, without_prefixes};
pub use properties::{is_clipping, is_supported, sides};

/// Ways to be hidden, as bits. GONE hides all descendants; the others are inherited, and descendants can revert them.
pub const GONE: u8 = 1;
pub const VISIBILITY: u8 = 2;
pub const SIZE: u8 = 4;
pub const INK: u8 = 8;
pub const INDENT: u8 = 16;
pub const SPACING: u8 = 32;

pub const SIDES: [&str; 4] = ["top", "right", "bottom", "left"];
pub const FILL: &str = "-webkit-text-fill-color";

/// Properties with their values; there are few, so the search is linear.
#[derive(Clone, Default, Debug)]
pub struct Style {
    properties: Vec<(&'static str, Arc<str>)>,
    /// Whether `all` resets weaker declarations.
    resets: bool,
}

impl Style {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|(property, _)| *property == name).map(|(_, value)| &**value)
    }

    /// Return the value of a property; empty if it is not declared.
    pub fn value(&self, name: &str) -> &str {
        self.get(name).unwrap_or("")
    }

    fn set(&mut self, name: &'static str, value: Arc<str>) {
        match self.properties.iter_mut().find(|(property, _)| *property == name) {
            Some(place) => place.1 = value,
            None => self.properties.push((name, value)),
        }
    }

    /// Apply the declarations of another style.
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

/// The valid declarations of a block that affect visibility.
#[derive(Clone, Default, Debug)]
pub struct Declared {
    pub plain: Style,
    pub important: Style,
    /// The variables in its values, with the kind of value that hides (`crate::variables`).
    pub variables: Vec<(u8, String)>,
}

impl Declared {
    /// Return all declarations; important ones override others.
    pub fn all(&self) -> Style {
        let mut style = self.plain.clone();
        style.update(&self.important);
        style
    }
}

/// Parse a block. Shorthands become longhands; variables of other blocks count as not set.
pub fn declared(block: &str) -> Declared {
    declared_with(block, &mut |_| None)
}

/// Parse a block with the values of variables of other blocks.
pub fn declared_with(block: &str, resolve: &mut dyn FnMut(&str) -> Option<String>) -> Declared {
    let block = plain_css(block);
    let mut result = Declared::default();
    let mut variables: Vec<(String, String)> = Vec::new();
    let all = declarations(&block);
    if block.contains("var(") {
        variables = variables_among(&all);
    }
    for declaration in all {
        let (name, value) = match declaration.split_once(':') {
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
        if !is_all && !affects_visibility(name) {
            continue; // most declarations do not affect visibility
        }
        let value = folded(value);
        let (value, is_important) = match without_important(&value) {
            Some(value) => (value, true),
            None => (&*value, false),
        };
        let Declared { plain, important, variables: used } = &mut result;
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
        longhands(name, &value, |longhand, text| {
            match valid(longhand, text) {
                // The value of weaker layers.
                _ if text == "revert-layer" => into.properties.retain(|(name, _)| *name != longhand),
                Some(longhand) => into.set(longhand, text.into()),
                // An invalid value with variables counts as not set.
                None if had_variables => {
                    if let Some(longhand) = self::longhand(longhand) {
                        into.set(longhand, "unset".into());
                    }
                }
                None => {}
            }
        });
    }
    result
}

/// Return the variables that a block sets, in order.
pub fn variables_of(block: &str) -> Vec<(String, String)> {
    if !block.contains("--") {
        return Vec::new();
    }
    variables_among(&declarations(&plain_css(block)))
}

fn variables_among(declarations: &[&str]) -> Vec<(String, String)> {
    let pairs = declarations.iter().filter_map(|declaration| declaration.split_once(':'));
    let own = pairs.map(|(name, value)| (strip(name), value)).filter(|(name, _)| name.starts_with("--"));
    own.map(|(name, value)| {
        let value = folded(value);
        (name.into(), without_important(&value).unwrap_or(&value).into())
    })
    .collect()
}

/// Return the value of a variable that the same block sets.
fn own_value(variables: &[(String, String)], name: &str, depth: usize) -> Option<String> {
    let (_, value) = variables.iter().rev().find(|(own, _)| own == name).filter(|_| depth < 4)?;
    Some(with_variables(value, &mut |inner: &str| own_value(variables, inner, depth + 1)))
}

/// Return a value without `!important`; None if it has none.
fn without_important(value: &str) -> Option<&str> {
    let before = value.strip_suffix("important")?.trim_end_matches(' ').strip_suffix('!')?;
    Some(before.trim_end_matches(' '))
}

/// Return a value with its variables replaced and simple calculations evaluated.
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

/// Return a value with its variables replaced.
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

/// Return the name of a variable, its fallback, and the end of its bracket.
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
