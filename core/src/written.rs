//! What stands in the source of a page, as text: start tags, and what `<style>` elements say.

use std::sync::Arc;

use crate::lengths::lower;
use crate::media::media_holds;
use crate::sheet::Sheet;
use crate::start_tag::Told;
use crate::tables::Tables;
use crate::units::{stands, Unit};

/// What stands in a page: its text is needed where selectors and attributes are read.
pub struct Written<'a, U: Unit> {
    pub source: &'a [U],
    pub tables: &'a Tables,
}

impl<U: Unit> Written<'_, U> {
    /// A range of the source as a string; nothing where it holds half a character.
    pub fn text(&self, range: (usize, usize), out: &mut String) -> Option<()> {
        const TOGETHER: usize = 32;
        let mut rest = &self.source[range.0..range.1];
        let mut bytes = std::mem::take(out).into_bytes();
        bytes.clear();
        bytes.reserve(rest.len() + rest.len() / 16);
        while !rest.is_empty() {
            // What is ASCII is most of it, and goes together.
            let (some, behind) = rest.split_at(rest.len().min(TOGETHER));
            if some.iter().fold(true, |is_ascii, unit| is_ascii & (unit.code() < 128)) {
                bytes.extend(some.iter().map(|unit| unit.code() as u8));
            } else {
                for unit in some {
                    let mut letters = [0; 4];
                    bytes.extend_from_slice(char::from_u32(unit.code())?.encode_utf8(&mut letters).as_bytes());
                }
            }
            rest = behind;
        }
        *out = String::from_utf8(bytes).ok()?;
        Some(())
    }

    /// The style sheets that `<style>` elements are, for screens that people read with.
    pub fn sheet(&self, ranges: &[(usize, usize)]) -> Option<Arc<Sheet>> {
        let parts: Option<Vec<&[U]>> = ranges.iter().map(|&range| self.plain_style(range)).collect();
        if let Some(sheet) = parts.and_then(|parts| Sheet::kept(|css| is_text_of(css.as_bytes(), &parts))) {
            return Some(sheet);
        }
        let (mut css, mut element) = (StyleText::default(), String::new());
        for &range in ranges {
            self.text(range, &mut element)?;
            css.add(&element, self.tables)?;
        }
        Some(Sheet::shared(&css.text))
    }

    /// What a `<style>` element says; nothing if its start tag tells of media.
    fn plain_style(&self, range: (usize, usize)) -> Option<&[U]> {
        let element = &self.source[range.0..range.1];
        let (start, said) = element.split_at(U::find(element, 0, b'>').map_or(element.len(), |sign| sign + 1));
        if (0..start.len()).any(|at| stands(start, at, b"media")) {
            None
        } else {
            Some(said)
        }
    }
}

/// Whether a text is that of some parts with line feeds between them, and all of it ASCII.
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

/// What `<style>` elements say, put together for screens that people read with.
#[derive(Default)]
pub struct StyleText {
    pub text: String,
    has_begun: bool,
}

impl StyleText {
    /// Add an element, given from its start tag on; nothing if its start tag is for Python to read.
    pub fn add(&mut self, element: &str, tables: &Tables) -> Option<()> {
        let (start, said) = element.split_at(element.find('>').map_or(element.len(), |sign| sign + 1));
        let mut query = None;
        if lower(start).contains("media") {
            let media = Told::new(start, "style", tables)?.media.unwrap_or_default();
            if media_holds(&media) == 0 {
                return Some(());
            }
            query = Some(media);
        }
        if self.has_begun {
            self.text.push('\n');
        }
        self.has_begun = true;
        match query {
            Some(query) => self.text.extend(["@media ", &query, "{", said, "}"]),
            None => self.text.push_str(said),
        }
        Some(())
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
