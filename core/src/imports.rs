//! Reads style sheets in `data:` URLs and `@import`.

use std::borrow::Cow;

use crate::lengths::{lower, strip};
use crate::supports::supports;
use crate::units::is_space;

/// Sheets that are imported by imported ones.
const DEEPEST: usize = 4;

/// Return the style sheet in a `data:` URL. None for other URLs.
pub fn data_text(url: &str) -> Option<String> {
    let url = strip(url);
    let rest = url.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("data:")).map(|_| &url[5..])?;
    let (kind, content) = rest.split_once(',')?;
    let kind = lower(kind);
    if !kind.trim_start().starts_with("text/css") {
        return None;
    }
    let bytes = percent_decoded(content);
    let bytes = if kind.trim_end().ends_with(";base64") { base64_decoded(&bytes) } else { bytes };
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let code = text.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(|_| bytes[at] == b'%') {
            Some(code) => {
                out.push(code);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    out
}

fn base64_decoded(text: &[u8]) -> Vec<u8> {
    let (mut out, mut bits, mut size) = (Vec::with_capacity(text.len()), 0u32, 0);
    for &byte in text {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(six);
        size += 6;
        if size >= 8 {
            size -= 8;
            out.push((bits >> size) as u8);
            bits &= (1 << size) - 1;
        }
    }
    out
}

/// Replace the imports of `data:` URLs in a sheet by their contents. Imports precede all rules.
pub fn with_imports(css: &str, depth: usize) -> Cow<'_, str> {
    if depth >= DEEPEST || !css.contains("@import") {
        return css.into();
    }
    let mut out = String::new();
    let mut rest = css;
    loop {
        rest = without_blanks(rest);
        if lower(rest.get(..7).unwrap_or("")) == "@import" {
            let (url, condition, behind) = match statement(rest) {
                Some(parts) => parts,
                None => break,
            };
            match (data_text(&url), media_of(condition)) {
                (_, None) => {}
                (Some(imported), Some(media)) => {
                    let imported = with_imports(&imported, depth + 1);
                    match media {
                        "" => out.extend([&*imported, "\n"]),
                        media => out.extend(["@media ", media, "{", &*imported, "}\n"]),
                    }
                }
                (None, _) => out.push_str("@import;"), // so that the sheet is known to be a part only
            }
            rest = behind;
        } else if rest.starts_with("@charset") || (rest.starts_with("@layer") && is_statement(rest)) {
            let end = rest.find(';').map_or(rest.len(), |sign| sign + 1);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        } else {
            break;
        }
    }
    out.push_str(rest);
    out.into()
}

fn is_statement(text: &str) -> bool {
    text.find(';').map_or(false, |sign| !text[..sign].contains('{'))
}

/// A text without white space and comments before it.
fn without_blanks(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|letter: char| is_space(letter as u32));
        match rest.strip_prefix("/*").and_then(|inner| inner.split_once("*/")) {
            Some((_, behind)) => rest = behind,
            None => return rest,
        }
    }
}

/// Parse an `@import` at the beginning of a text: its URL, its conditions, and the rest of the text.
fn statement(text: &str) -> Option<(String, &str, &str)> {
    let rest = without_blanks(text.get(7..)?);
    let (url, rest) = match rest.as_bytes().first()? {
        quote @ (b'"' | b'\'') => {
            let inner = &rest[1..];
            let end = inner.find(*quote as char)?;
            (&inner[..end], &inner[end + 1..])
        }
        _ => {
            let inner = rest.get(4..).filter(|_| lower(&rest[..4]) == "url(")?;
            let inner = inner.trim_start();
            match inner.as_bytes().first()? {
                quote @ (b'"' | b'\'') => {
                    let end = 1 + inner[1..].find(*quote as char)?;
                    let behind = inner[end + 1..].find(')')?;
                    (&inner[1..end], &inner[end + 1 + behind + 1..])
                }
                _ => inner.split_once(')')?,
            }
        }
    };
    let (conditions, behind) = rest.split_once(';').unwrap_or((rest, ""));
    Some((url.replace('\\', ""), strip(conditions), behind))
}

/// Return the media query of an import. None if its conditions are not supported.
fn media_of(conditions: &str) -> Option<&str> {
    let mut rest = conditions;
    loop {
        rest = strip(rest);
        let size = rest.find(')').map_or(rest.len(), |end| end + 1);
        if let Some(supported) = rest.strip_prefix("supports(") {
            let end = closing_bracket(supported)?;
            let condition = strip(&supported[..end]);
            let is_bare = !condition.starts_with('(') && !condition.starts_with("not");
            if !supports(&if is_bare { format!("({})", condition) } else { condition.into() }) {
                return None;
            }
            rest = &supported[end + 1..];
        } else if rest.starts_with("layer(") {
            rest = &rest[size..]; // layers are ignored
        } else {
            return Some(rest.strip_prefix("layer").map_or(rest, strip));
        }
    }
}

/// Return the position of the closing bracket for a bracket before the text.
fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    text.bytes().position(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return true,
            b')' => depth -= 1,
            _ => {}
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_in_urls_are_read() {
        assert_eq!(data_text("data:text/css,.a%7Bb:c%7d").as_deref(), Some(".a{b:c}"));
        assert_eq!(data_text("DATA:text/css;charset=utf-8;base64,LmF7YjpjfQ==").as_deref(), Some(".a{b:c}"));
        assert_eq!(data_text("data:text/html,a"), None);
        assert_eq!(data_text("https://a.example/b.css"), None);
    }

    #[test]
    fn imports_are_replaced() {
        for (css, expected) in [
            (".a{}", ".a{}"),
            ("@import url(data:text/css,.b%7B%7D);.a{}", ".b{}\n.a{}"),
            ("/* x */ @import 'data:text/css,.b{}' screen;.a{}", "@media screen{.b{}}\n.a{}"),
            ("@import url(\"data:text/css,.b{}\") layer(x);.a{}", ".b{}\n.a{}"),
            ("@import url(b.css);.a{}", "@import;.a{}"),
            (".a{}@import 'data:text/css,.b{}';", ".a{}@import 'data:text/css,.b{}';"),
        ] {
            assert_eq!(with_imports(css, 0), expected, "{}", css);
        }
    }
}
