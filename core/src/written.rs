//! What stands in the source of a page, as text: start tags, and what `<style>` elements say.

use crate::lengths::lower;
use crate::media::media_holds;
use crate::start_tag::Told;
use crate::tables::Tables;
use crate::units::Unit;

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

    /// What `<style>` elements say, for screens that people read with.
    pub fn styles(&self, ranges: impl Iterator<Item = (usize, usize)>) -> Option<String> {
        let (mut css, mut element) = (StyleText::default(), String::new());
        for range in ranges {
            self.text(range, &mut element)?;
            css.add(&element, self.tables)?;
        }
        Some(css.text)
    }
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
