//! Reads start tags and the contents of `<style>` elements from the source of a page as text.

use std::sync::Arc;

use crate::imports::{data_text, with_imports};
use crate::lengths::lower;
use crate::matching::Tag;
use crate::media::media_holds;
use crate::sheet::Sheet;
use crate::start_tag::attributes;
use crate::tables::Tables;
use crate::units::{stands, Unit};

/// The source of a page, for reading parts of it as text.
pub struct Written<'a, U: Unit> {
    pub source: &'a [U],
    pub tables: &'a Tables,
}

impl<U: Unit> Written<'_, U> {
    /// Copy a range of the source to a string; lone surrogates become U+FFFD.
    pub fn text(&self, range: (usize, usize), out: &mut String) {
        const TOGETHER: usize = 32;
        let mut rest = &self.source[range.0..range.1];
        let mut bytes = std::mem::take(out).into_bytes();
        bytes.clear();
        bytes.reserve(rest.len() + rest.len() / 16);
        while !rest.is_empty() {
            // Most chunks are ASCII.
            let (chunk, following) = rest.split_at(rest.len().min(TOGETHER));
            if chunk.iter().fold(true, |is_ascii, unit| is_ascii & (unit.code() < 128)) {
                bytes.extend(chunk.iter().map(|unit| unit.code() as u8));
            } else {
                for unit in chunk {
                    let mut letters = [0; 4];
                    let letter = char::from_u32(unit.code()).unwrap_or(char::REPLACEMENT_CHARACTER);
                    bytes.extend_from_slice(letter.encode_utf8(&mut letters).as_bytes());
                }
            }
            rest = following;
        }
        *out = String::from_utf8(bytes).unwrap_or_default();
    }

    /// Return the style sheet of `<style>` elements and of `<link>` elements with `data:` URLs, for common screens.
    pub fn sheet(&self, ranges: &[(usize, usize)]) -> Arc<Sheet> {
        let parts: Option<Vec<&[U]>> = ranges.iter().map(|&range| self.plain_style(range)).collect();
        if let Some(sheet) = parts.and_then(|parts| Sheet::cached(|css| is_text_of(css.as_bytes(), &parts))) {
            return sheet;
        }
        let (mut css, mut element) = (StyleText::default(), String::new());
        for &range in ranges {
            self.text(range, &mut element);
            css.add(&element, Some(self.tables));
        }
        Sheet::shared(&css.text)
    }

    /// Return whether the sheet of a link is in the link itself. None if the tag is no link to a style sheet.
    pub fn is_linked_sheet(&self, range: (usize, usize)) -> Option<bool> {
        let tag = &self.source[range.0..range.1];
        let stands_in = |word: &[u8]| (0..tag.len()).any(|at| stands(tag, at, word));
        if !stands_in(b"stylesheet") {
            return None;
        }
        Some(stands_in(b"data:"))
    }

    /// Return the CSS of a `<style>` element. None if its start tag has media, or if it imports a sheet.
    fn plain_style(&self, range: (usize, usize)) -> Option<&[U]> {
        let element = &self.source[range.0..range.1];
        if !stands(element, 0, b"<style") {
            return None;
        }
        let (start, css) = element.split_at(U::find(element, 0, b'>').map_or(element.len(), |sign| sign + 1));
        let stands_in = |word: &[u8]| (0..start.len()).any(|at| stands(start, at, word));
        if stands_in(b"media") || (stands_in(b"type") && !stands_in(b"text/css")) {
            None
        } else {
            Some(css)
        }
    }
}

/// Whether a text equals some parts joined by line feeds, and is ASCII.
fn is_text_of<U: Unit>(text: &[u8], parts: &[&[U]]) -> bool {
    const TOGETHER: usize = 64;
    if parts.iter().map(|part| part.len() + 1).sum::<usize>() != text.len() + usize::from(!parts.is_empty()) {
        return false;
    }
    let is_like = |is_like, (unit, &byte): (&U, &u8)| is_like & (unit.code() == u32::from(byte)) & (byte < 128);
    let mut rest = text;
    parts.iter().enumerate().all(|(place, part)| {
        if place > 0 {
            match rest {
                [b'\n', behind @ ..] => rest = behind,
                _ => return false,
            }
        }
        let (own, behind) = rest.split_at(part.len());
        rest = behind;
        // Chunk by chunk without a branch inside, which becomes vector code.
        part.chunks(TOGETHER).zip(own.chunks(TOGETHER)).all(|(part, own)| part.iter().zip(own).fold(true, is_like))
    })
}

/// The joined CSS of `<style>` elements for common screens.
#[derive(Default)]
pub struct StyleText {
    pub text: String,
    has_begun: bool,
}

impl StyleText {
    /// Add an element. Without tables, references in its attributes are not decoded.
    pub fn add(&mut self, element: &str, tables: Option<&Tables>) {
        let (start, content) = element.split_at(element.find('>').map_or(element.len(), |sign| sign + 1));
        let lower_start = lower(start);
        let is_link = lower_start.starts_with("<link");
        let mut query = None;
        let own = if is_link || lower_start.contains("type") || lower_start.contains("media") {
            attributes(start, tables)
        } else {
            Tag::default()
        };
        let kind = own.get("type").map(|kind| lower(kind).trim().to_string()).unwrap_or_default();
        let is_other = own.get("rel").map_or(false, |rel| lower(rel).contains("alternate"));
        if !matches!(&*kind, "" | "text/css") || is_other || own.get("disabled").is_some() {
            return;
        }
        if let Some(media) = own.get("media") {
            if media_holds(media) == 0 {
                return;
            }
            query = Some(media);
        }
        let linked;
        let content = if is_link {
            linked = own.get("href").and_then(data_text).unwrap_or_default();
            &linked
        } else {
            content
        };
        if self.has_begun {
            self.text.push('\n');
        }
        self.has_begun = true;
        let content = with_imports(content, 0);
        match query {
            Some(query) => self.text.extend(["@media ", query, "{", &content, "}"]),
            None => self.text.push_str(&content),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_known_again_by_its_parts() {
        for (text, parts, is_it) in [
            ("", &[][..], true),
            ("", &[""], true),
            ("\n", &["", ""], true),
            ("a{}\nb", &["a{}", "b"], true),
            ("a{}\nb", &["a{}\nb"], true),
            ("a{} b", &["a{}", "b"], false),
            ("a{}", &["a{}", "b"], false),
            ("a{}\nc", &["a{}", "b"], false),
            ("a", &[], false),
            ("\u{e9}", &["\u{c3}\u{a9}"], false), // its bytes, as characters
        ] {
            let wide: Vec<Vec<u16>> = parts.iter().map(|part| part.encode_utf16().collect()).collect();
            let parts: Vec<&[u16]> = wide.iter().map(|part| &part[..]).collect();
            assert_eq!(is_text_of(text.as_bytes(), &parts), is_it, "{:?}", text);
        }
        let long = "a".repeat(200);
        assert!(is_text_of(long.as_bytes(), &[long.as_bytes()]));
        assert!(!is_text_of(long.replace("aa", "ab").as_bytes(), &[long.as_bytes()]));
    }
}
