//! Splits the text of style sheets: comments, strings, escapes and declarations.

use std::borrow::Cow;

use crate::lengths::end_of_brackets;
use crate::units::Unit;

/// Return the position of two adjacent bytes, of which the second should be rare.
fn pair(bytes: &[u8], first: u8, second: u8, from: usize) -> Option<usize> {
    let mut at = from + 1;
    while let Some(place) = Unit::find(bytes, at, second) {
        if bytes[place - 1] == first {
            return Some(place - 1);
        }
        at = place + 1;
    }
    None
}

/// The sheet without comments that end, and without the signs of HTML comments.
pub fn without_comments(css: &str) -> String {
    let bytes = css.as_bytes();
    let mut out = String::with_capacity(css.len());
    let mut from = 0;
    while let Some(at) = pair(bytes, b'/', b'*', from) {
        match pair(bytes, b'*', b'/', at + 2) {
            Some(end) => {
                out.push_str(&css[from..at]);
                from = end + 2;
            }
            None => break,
        }
    }
    out.push_str(&css[from..]);
    if pair(out.as_bytes(), b'<', b'!', 0).is_some() {
        out = out.replace("<!--", "");
    }
    if pair(out.as_bytes(), b'-', b'>', 0).is_some() {
        out = out.replace("-->", "");
    }
    out
}

/// The sheet without comments, and with all strings empty.
pub fn without_strings(css: &str) -> String {
    let bytes = css.as_bytes();
    let mut out = String::with_capacity(css.len());
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        let (end, instead) = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                (css[at + 2..].find("*/").map_or(css.len(), |size| at + size + 4), "")
            }
            quote @ (b'"' | b'\'') => (end_of_line_string(bytes, at, quote), "''"),
            _ => {
                at += 1;
                continue;
            }
        };
        out.push_str(&css[from..at]);
        out.push_str(instead);
        from = end;
        at = end;
    }
    out.push_str(&css[from..]);
    out
}

/// The end of a string, which no line feed is in unless it is escaped.
fn end_of_line_string(bytes: &[u8], at: usize, quote: u8) -> usize {
    let mut place = at + 1;
    while place < bytes.len() {
        match bytes[place] {
            b'\\' if place + 1 < bytes.len() => place += 2,
            b'\\' | b'\n' => return place,
            byte if byte == quote => return place + 1,
            _ => place += 1,
        }
    }
    place
}

/// CSS without comments and escapes.
pub fn plain_css(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| matches!(byte, b'/' | b'\\')) {
        return text.into(); // as most is written
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/*") {
        out.push_str(&rest[..at]);
        rest = rest[at + 2..].split_once("*/").map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    if out.contains('\\') {
        unescaped(&out).into()
    } else {
        out.into()
    }
}

/// CSS without escapes.
pub fn unescaped(text: &str) -> String {
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

/// Return the declarations of a block, split at semicolons outside of quotes and brackets.
pub fn declarations(block: &str) -> Vec<&str> {
    let bytes = block.as_bytes();
    if !bytes.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'(')) {
        return block.split(';').collect();
    }
    let (mut result, mut start, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        at = match bytes[at] {
            b';' => {
                result.push(&block[start..at]);
                start = at + 1;
                at + 1
            }
            b'(' => end_of_outer(bytes, at),
            quote @ (b'"' | b'\'') => end_of_string(bytes, at, quote),
            _ => at + 1,
        };
    }
    result.push(&block[start..]);
    result
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

/// Return the end of brackets; unclosed and deeply nested ones do not count.
fn end_of_outer(bytes: &[u8], at: usize) -> usize {
    let mut place = at + 1;
    while place < bytes.len() {
        match bytes[place] {
            b')' => return place + 1,
            quote @ (b'"' | b'\'') => place = end_of_string(bytes, place, quote),
            b'(' => match end_of_brackets(bytes, place) {
                Some(end) => place = end,
                None => return place,
            },
            _ => place += 1,
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_so_do_the_signs_of_those_of_html() {
        for (css, without) in [
            ("a/* b */c/**/d", "acd"),
            ("a/*/b*/c", "ac"),
            ("a/* b", "a/* b"),
            ("/*", "/*"),
            ("a*/b/*c*/", "a*/b"),
            ("<!-- a>b -->c--d", " a>b c--d"),
            ("<!/* */-- a", " a"),
            ("", ""),
        ] {
            assert_eq!(without_comments(css), without, "{}", css);
        }
    }

    #[test]
    fn escapes_and_comments_are_plain() {
        for (css, plain) in [("a:b", "a:b"), ("a/**/b/* c", "ab"), ("\\61 b\\\nc/", "abc/"), ("a\\", "a\\")] {
            assert_eq!(plain_css(css), plain);
        }
    }
}
