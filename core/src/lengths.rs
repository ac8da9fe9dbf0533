//! Parses numbers, lengths and function calls of CSS values.

use crate::units::is_space;

/// Return the pixels of a unit, with the default fonts and a common window of browsers.
pub fn pixels_of(unit: &str) -> Option<f64> {
    Some(match unit {
        "px" => 1.0,
        "pt" => 4.0 / 3.0,
        "pc" | "em" | "rem" => 16.0,
        "in" => 96.0,
        "cm" => 37.8,
        "mm" => 3.78,
        "q" => 0.945,
        "ex" | "ch" => 8.0,
        "lh" | "rlh" => 19.0,
        "vw" | "vh" | "vmin" | "vmax" | "vi" | "vb" | "svw" | "svh" | "lvw" | "lvh" | "dvw" | "dvh" => 13.0,
        _ => return None,
    })
}

pub fn is_global(value: &str) -> bool {
    matches!(value, "initial" | "inherit" | "unset" | "revert" | "revert-layer")
}

/// Split a number from its unit: nothing, letters, or a percent sign.
pub fn number(value: &str) -> Option<(f64, &str)> {
    let bytes = value.as_bytes();
    let digits = |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits(at);
    if whole > at {
        at = whole;
        if bytes.get(at) == Some(&b'.') {
            at = digits(at + 1);
        }
    } else {
        if bytes.get(at) != Some(&b'.') {
            return None;
        }
        let end = digits(at + 1);
        if end == at + 1 {
            return None;
        }
        at = end;
    }
    if bytes.get(at) == Some(&b'e') {
        let from = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let end = digits(from.min(bytes.len())).min(from + 3);
        if end > from {
            at = end;
        }
    }
    let (figures, unit) = value.split_at(at);
    if unit != "%" && !unit.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    Some((figures.parse().ok()?, unit))
}

/// Return a length in pixels. None for percentages.
pub fn pixels(value: &str) -> Option<f64> {
    let (number, unit) = number(value)?;
    let scale = pixels_of(if unit.is_empty() { "px" } else { unit })?;
    Some(number * scale)
}

/// A percentage.
pub fn share(value: &str) -> Option<f64> {
    number(value).filter(|&(_, unit)| unit == "%").map(|(number, _)| number)
}

/// How opaque something is, 0 to 1.
pub fn alpha(value: &str) -> Option<f64> {
    match number(value)? {
        (number, "") => Some(number),
        (number, "%") => Some(number / 100.0),
        _ => None,
    }
}

pub fn is_length(value: &str) -> bool {
    is_global(value) || matches!(value, "auto" | "none") || pixels(value).is_some() || share(value).is_some()
}

pub fn is_font_size(value: &str) -> bool {
    if let Some((_, unit)) = number(value) {
        return !value.starts_with('-') && (matches!(unit, "" | "%") || pixels_of(unit).is_some());
    }
    names_size(value)
        || is_global(value)
        || matches!(value, "caption" | "icon" | "menu" | "message-box" | "small-caption" | "status-bar")
        || value.contains('(')
}

/// The names of sizes of letters.
pub fn names_size(value: &str) -> bool {
    matches!(
        value,
        "xx-small"
            | "x-small"
            | "small"
            | "medium"
            | "large"
            | "x-large"
            | "xx-large"
            | "xxx-large"
            | "smaller"
            | "larger"
    )
}

/// Fold white space, and turn everything but names of variables into lower case.
pub fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in words(text) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    if out.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        out // as it mostly is
    } else if out.contains("--") {
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
        let parts = out.split_inclusive(|letter: char| !is_name(letter));
        parts.map(|part| if part.starts_with("--") { part.into() } else { lower(part) }).collect()
    } else {
        lower(&out).into_owned()
    }
}

pub fn lower(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.is_ascii() {
        text.to_lowercase().into()
    } else if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        text.to_ascii_lowercase().into()
    } else {
        text.into()
    }
}

/// The words of a text, as `str.split` has them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = border(rest, true);
        let (word, behind) = rest[start..].split_at(border(&rest[start..], false));
        rest = behind;
        Some(word).filter(|word| !word.is_empty())
    })
}

/// Where white space ends at the beginning of a text, or begins in it.
fn border(text: &str, is_end: bool) -> usize {
    for (at, &byte) in text.as_bytes().iter().enumerate() {
        if byte >= 0x80 {
            let is_it = |letter: char| is_space(letter as u32) != is_end;
            return text[at..].find(is_it).map_or(text.len(), |more| at + more);
        }
        if is_space(u32::from(byte)) != is_end {
            return at;
        }
    }
    text.len()
}

pub fn strip(text: &str) -> &str {
    text.trim_matches(|letter: char| is_space(letter as u32))
}

/// A letter, a digit, an underscore, of ASCII; or a hyphen.
pub fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Return the end of the brackets that open at `at`, with at most one nested level.
pub fn end_of_brackets(bytes: &[u8], at: usize) -> Option<usize> {
    let mut place = at + 1;
    loop {
        match bytes.get(place)? {
            b')' => return Some(place + 1),
            b'(' => place = end_of_simple(bytes, place)?,
            _ => place += 1,
        }
    }
}

/// The end of brackets that hold no others.
pub fn end_of_simple(bytes: &[u8], at: usize) -> Option<usize> {
    let place = at + 1 + bytes[at + 1..].iter().position(|byte| matches!(byte, b'(' | b')'))?;
    if bytes[place] == b')' {
        Some(place + 1)
    } else {
        None
    }
}

/// Return the calls in a value, such as `rect(0, 0)`: name, contents of the brackets, start and end.
pub fn calls(value: &str) -> Vec<(&str, &str, usize, usize)> {
    let bytes = value.as_bytes();
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let mut result = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !is_name(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_name(bytes[at]) {
            at += 1;
        }
        if bytes.get(at) == Some(&b'(') {
            if let Some(end) = end_of_brackets(bytes, at) {
                result.push((&value[start..at], &value[at + 1..end - 1], start, end));
                at = end;
                // After a call comes no letter.
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_where_their_unit_does() {
        assert_eq!(number("-12.5em"), Some((-12.5, "em")));
        assert_eq!(number(".5%"), Some((0.5, "%")));
        assert_eq!(number("1e3px"), Some((1000.0, "px")));
        assert_eq!(number("1em"), Some((1.0, "em")));
        assert_eq!(number("1e+"), None);
        for text in ["", "-", ".", "1 px", "1e5000", "px", "1px2", "1%%"] {
            assert_eq!(number(text), None, "{}", text);
        }
    }

    #[test]
    fn resulthold_one_level_of_brackets() {
        let result = |value| calls(value).into_iter().map(|(name, inner, ..)| (name, inner)).collect::<Vec<_>>();
        assert_eq!(result("a(1) b(c(2) 3)"), [("a", "1"), ("b", "c(2) 3")]);
        assert_eq!(result("a(b(c(2)))"), [("b", "c(2)")]);
        assert_eq!(result("a(1"), []);
    }
}
