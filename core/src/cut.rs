//! Cuts pieces out of the bytes of a page by the rules of its site (`tidings.sites.extraction.pieces`; hybrid paper, section 5).

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use crate::anchors::{disjoint, without, Anchor, Condition, How, Range};
use crate::block_texts::{read_fragment, FragmentTables, Refusal};
use crate::needles::{starts_of, Needle};
use crate::sheet::{locked, Sheet};
use crate::tables::Tables;
use crate::written::StyleText;

mod cutting;
mod finished;

pub use cutting::Cutting;
use cutting::{declared_language, push_ranges, push_text, push_visible_text};
pub use finished::Finished;

/// Bytes between the two delimiters of a field.
const FAR: usize = 20_000;
/// The maximum number of elements of a rule.
const MOST: usize = 1000;
/// Bytes that are searched for `<base>`.
const HEAD: usize = 8192;
/// The maximum size of style sheets in the cache of the rules.
const LARGEST_SHEET: usize = 100_000;
/// Bytes before a style sheet that are searched for `<noscript>` and comments.
const BEFORE: usize = 200;

/// Why the rules of a template do not fit a page (`tidings.sites.extraction.pieces`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    OtherLayout = 1,
    NoMatch = 2,
    NoMatchAtAll = 3,
    TwoMatches = 4,
    TwoMatchesOutside = 5,
    NeverClosed = 6,
    /// Selectors that depend on elements around the fragment hide or show its text.
    HiddenByContext = 7,
}

type RuleMismatch = (Mismatch, usize);

/// One rule.
struct Rule {
    number: usize,
    anchor: Option<Anchor>,
    inside: Option<Anchor>,
    path: Vec<(Anchor, usize)>,
    left: Needle,
    right: Needle,
    is_main: bool,
    /// Whether its elements are extracted without their own tags.
    is_bare: bool,
    each: bool,
    /// Whether its value is in the start tag.
    takes_tag: bool,
    /// Whether the text between its delimiters is its value.
    is_text: bool,
    /// The maximum number of matches.
    most: usize,
    /// The number of bytes that are searched; 0 for the whole page.
    reach: usize,
}

/// The rules of a template.
pub struct Rules {
    markers: Vec<Needle>,
    /// The minimum number of markers on a page.
    needed_markers: usize,
    reach: usize,
    several: bool,
    main: Vec<Rule>,
    noise: Vec<Rule>,
    fields: Vec<Rule>,
    /// Hashes of texts that the site repeats, in order.
    repeated: Vec<u64>,
    base: [Needle; 2],
    styles: [Needle; 2],
    around_styles: [(Needle, Needle); 2],
    /// Cache: the style sheets of the previous page, because those of a site are mostly the same.
    sheet: Mutex<Option<CachedSheet>>,
}

/// The source of style sheets, and the parsed sheet.
struct CachedSheet {
    written: Vec<Vec<u8>>,
    sheet: Arc<Sheet>,
}

/// A reader of the caller's encoding of rules: numbers, and texts whose lengths are among them.
struct Written<'a> {
    numbers: std::slice::Iter<'a, i64>,
    texts: &'a [u8],
}

impl<'a> Written<'a> {
    fn number(&mut self) -> Option<usize> {
        self.numbers.next().and_then(|&number| usize::try_from(number).ok())
    }

    fn is(&mut self) -> Option<bool> {
        self.number().map(|number| number != 0)
    }

    /// Read a text, whose length is the next number.
    fn text(&mut self) -> Option<&'a [u8]> {
        let size = self.number()?;
        let text = self.texts.get(..size)?;
        self.texts = &self.texts[size..];
        Some(text)
    }

    fn needle(&mut self) -> Option<Needle> {
        self.text().map(Needle::new)
    }

    fn several<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| read(self)).collect()
    }

    fn anchor(&mut self) -> Option<Anchor> {
        let (tag, needle) = (self.text()?, self.text()?);
        let conditions = self.several(|written| {
            let how = match written.number()? {
                0 => How::Is,
                1 => How::Word,
                2 => How::Holds,
                3 => How::Begins,
                _ => return None,
            };
            Some(Condition { how, name: written.text()?.to_vec(), value: written.text()?.to_vec() })
        })?;
        Some(Anchor::new(tag, needle, conditions))
    }

    fn rule(&mut self) -> Option<Rule> {
        Some(Rule {
            number: self.number()?,
            is_main: self.is()?,
            is_bare: self.is()?,
            each: self.is()?,
            takes_tag: self.is()?,
            is_text: self.is()?,
            most: self.number()?,
            reach: self.number()?,
            left: self.needle()?,
            right: self.needle()?,
            anchor: self.several(Self::anchor)?.pop(),
            inside: self.several(Self::anchor)?.pop(),
            path: self.several(|written| Some((written.anchor()?, written.number()?)))?,
        })
    }
}

impl Rules {
    /// Read encoded rules. None if they are incomplete.
    pub fn read(numbers: &[i64], texts: &[u8]) -> Option<Self> {
        let mut written = Written { numbers: numbers.iter(), texts };
        let mut rules = Rules {
            several: written.is()?,
            needed_markers: written.number()?,
            reach: written.number()?,
            markers: written.several(Written::needle)?,
            main: written.several(Written::rule)?,
            noise: written.several(Written::rule)?,
            fields: written.several(Written::rule)?,
            repeated: written.several(|written| written.numbers.next().map(|&hash| hash as u64))?,
            base: [Needle::new(b"<base"), Needle::new(b"<BASE")],
            styles: [Needle::new(b"</style"), Needle::new(b"</STYLE")],
            around_styles: [
                (Needle::new(b"<noscript"), Needle::new(b"</noscript")),
                (Needle::new(b"<!--"), Needle::new(b"-->")),
            ],
            sheet: Mutex::new(None),
        };
        rules.repeated.sort_unstable();
        if written.numbers.next().is_none() && written.texts.is_empty() {
            Some(rules)
        } else {
            None
        }
    }

    /// Apply the rules to a page. With `tables`, texts are extracted where Python does not have to.
    pub fn cut(&self, data: &[u8], tables: Option<FragmentTables>) -> Cutting {
        let mismatched = |doubt: Mismatch, rule: usize| Cutting::of(vec![doubt as i64, rule as i64]);
        if !self.has_layout(data) {
            return mismatched(Mismatch::OtherLayout, 0);
        }
        let main = match self.main_pieces(data) {
            Ok(main) => main,
            Err((doubt, rule)) => return mismatched(doubt, rule),
        };
        let head = data.len().min(HEAD);
        let mut cutting = Cutting::of(Vec::with_capacity(64));
        let has_base = self.base.iter().any(|needle| needle.find(data, 0, head).is_some());
        cutting.numbers.extend([0, i64::from(has_base), declared_language(data)]);
        let styles = self.style_sheets(data);
        let sheet = tables.and_then(|tables| self.sheet_of(data, &styles, tables.tables));
        for rule in &self.fields {
            let ranges = rule.of_field(data);
            match (tables.filter(|_| !ranges.is_empty()), &sheet) {
                (Some(tables), _) if rule.is_text => {
                    cutting.push_texts(data, &ranges, |piece, out| push_text(piece, tables.tables, out));
                }
                (Some(tables), Some(sheet)) if rule.anchor.is_some() && !rule.takes_tag => {
                    cutting.push_texts(data, &ranges, |piece, out| push_visible_text(piece, sheet, tables, out));
                }
                _ => push_ranges(&mut cutting.numbers, &ranges),
            }
        }
        push_ranges(&mut cutting.numbers, &main);
        push_ranges(&mut cutting.numbers, &styles);
        if let Some((tables, sheet)) = tables.zip(sheet) {
            match read_fragment(&self.fragment(data, &main), &sheet, tables) {
                Ok(fragment) => cutting.text = Some(Finished::new(fragment, &self.repeated)),
                Err(Refusal::ToPage) => return mismatched(Mismatch::HiddenByContext, 0),
                Err(Refusal::AsPage) => {}
            }
        }
        cutting
    }

    /// Join the pieces of the main text, in a new element if they are without their own tags.
    fn fragment<'a>(&self, data: &'a [u8], main: &[Range]) -> Cow<'a, [u8]> {
        let is_bare = self.main.iter().any(|rule| rule.is_bare);
        if let (&[(start, end)], false) = (main, is_bare) {
            return Cow::Borrowed(&data[start..end]);
        }
        let pieces: Vec<&[u8]> = main.iter().map(|&(start, end)| &data[start..end]).collect();
        let joined = pieces.join(&b'\n');
        Cow::Owned(if is_bare { [b"<div>", &joined[..], b"</div>"].concat() } else { joined })
    }

    /// Whether a page has enough of the markers. The search stops when the result is certain.
    fn has_layout(&self, data: &[u8]) -> bool {
        let reach = if self.reach == 0 { data.len() } else { self.reach };
        let (mut missing, mut behind) = (self.needed_markers, 0);
        if self.markers.is_empty() {
            return true;
        }
        for (place, marker) in self.markers.iter().enumerate() {
            // Markers are mostly in the order in which they were learned.
            let mut at = marker.find(data, behind, reach);
            if at.is_none() && behind > 0 {
                at = marker.find(data, 0, reach.min(behind + marker.len()));
            }
            if let Some(at) = at {
                behind = at;
                missing -= 1;
                if missing == 0 {
                    return true;
                }
            } else if missing > self.markers.len() - place - 1 {
                return false;
            }
        }
        false
    }

    /// Return the ranges of the main text without noise, in page order.
    fn main_pieces(&self, data: &[u8]) -> Result<Vec<Range>, RuleMismatch> {
        let mut pieces = Vec::new();
        if self.main.is_empty() {
            return Ok(pieces); // rules for fields alone
        }
        for (place, rule) in self.main.iter().enumerate() {
            let mut ranges = rule.ranges(data, !self.several, 0, data.len(), MOST)?;
            if rule.anchor.is_some() {
                for range in &mut ranges {
                    *range = rule.trimmed(data, *range);
                }
            }
            if self.several && !ranges.is_empty() {
                pieces = ranges;
                break;
            }
            // The first rule has most of the text; pages without the others are valid.
            if ranges.is_empty() && !self.several && place == 0 {
                return Err((Mismatch::NoMatch, rule.number));
            }
            pieces.extend(ranges);
        }
        if pieces.is_empty() {
            return Err((Mismatch::NoMatchAtAll, 0));
        }
        let pieces = disjoint(pieces);
        let mut noise = Vec::new();
        for rule in &self.noise {
            for &(start, end) in &pieces {
                noise.extend(rule.ranges(data, false, start, end, MOST)?);
            }
        }
        Ok(if noise.is_empty() { pieces } else { without(&pieces, &disjoint(noise)) })
    }

    /// Return the ranges of the style sheets of a page, by their tags.
    fn style_sheets(&self, data: &[u8]) -> Vec<Range> {
        let mut ranges = Vec::new();
        let starts = starts_of(data, b"<style");
        for (ends, name) in self.styles.iter().zip([b"<style", b"<STYLE"]) {
            let mut behind = 0;
            for &place in starts.iter().filter(|&&place| data[place..].starts_with(name)) {
                if place < behind {
                    continue;
                }
                behind = ends.find(data, place, data.len()).unwrap_or(data.len());
                let first = place.saturating_sub(BEFORE);
                let last = |needle: &Needle| needle.rfind(data, first, place);
                if self.around_styles.iter().all(|(begin, end)| last(begin) <= last(end)) {
                    ranges.push((place, behind));
                }
            }
        }
        ranges
    }

    /// Return the parsed style sheets of a page.
    fn sheet_of(&self, data: &[u8], styles: &[Range], tables: &Tables) -> Option<Arc<Sheet>> {
        let written = || styles.iter().map(|&(start, end)| &data[start..end]);
        if let Some(cached) = &*locked(&self.sheet) {
            if cached.written.len() == styles.len()
                && cached.written.iter().zip(written()).all(|(css, other_css)| css == other_css)
            {
                return Some(Arc::clone(&cached.sheet));
            }
        }
        let mut css = StyleText::default();
        for element in written() {
            css.add(&String::from_utf8_lossy(element), Some(tables));
        }
        let sheet = Sheet::shared(&css.text);
        if written().map(<[u8]>::len).sum::<usize>() <= LARGEST_SHEET {
            let written = written().map(<[u8]>::to_vec).collect();
            *locked(&self.sheet) = Some(CachedSheet { written, sheet: Arc::clone(&sheet) });
        }
        Some(sheet)
    }
}

impl Rule {
    /// Return the ranges of a field; none if the element around them is ambiguous.
    fn of_field(&self, data: &[u8]) -> Vec<Range> {
        let end = if self.reach == 0 { data.len() } else { self.reach.min(data.len()) };
        match &self.anchor {
            Some(anchor) if self.takes_tag => anchor.openings(data, 0, end, self.most),
            _ => self.ranges(data, false, 0, end, self.most).unwrap_or_default(),
        }
    }

    /// Return the ranges of the rule, at most `most`. With `alone`, a second match or an unclosed element is a mismatch.
    fn ranges(
        &self,
        data: &[u8],
        alone: bool,
        start: usize,
        end: usize,
        most: usize,
    ) -> Result<Vec<Range>, RuleMismatch> {
        let (mut start, mut end) = (start, end);
        if let Some(inside) = &self.inside {
            let around = inside.alone(data, start, end);
            if around.len() > 1 {
                return Err((Mismatch::TwoMatchesOutside, self.number));
            }
            let closed = around.first().and_then(|&opening| inside.closing(data, opening, end));
            match (around.first(), closed) {
                (Some(opening), Some(closed)) => (start, end) = (opening.1, closed.0),
                _ => return Ok(Vec::new()),
            }
        }
        let anchor = match &self.anchor {
            Some(anchor) => anchor,
            None => return self.all_between(data, alone, start, end),
        };
        if !self.path.is_empty() {
            return Ok(self.at_path(data, start, end).into_iter().collect());
        }
        let openings = if alone && !self.each {
            let openings = anchor.alone(data, start, end);
            if openings.len() > 1 {
                return Err((Mismatch::TwoMatches, self.number));
            }
            openings
        } else {
            anchor.openings(data, start, end, most)
        };
        let ranges = self.closed(anchor, data, &openings, end, alone)?;
        if ranges.is_empty() && !openings.is_empty() && most == 1 {
            // A later element may be closed.
            let mut all = self.closed(anchor, data, &anchor.openings(data, start, end, MOST), end, false)?;
            all.truncate(1);
            return Ok(all);
        }
        Ok(ranges)
    }

    fn piece(&self, opening: Range, closed: Range) -> Range {
        if self.is_bare {
            (opening.1, closed.0)
        } else {
            (opening.0, closed.1)
        }
    }

    /// Return the element at the end of a path.
    fn at_path(&self, data: &[u8], start: usize, end: usize) -> Option<Range> {
        let (mut start, mut end) = (start, end);
        let (mut opening, mut closed) = ((start, start), (start, start));
        for (anchor, number) in &self.path {
            let mut behind = start;
            for _ in 0..*number {
                opening = anchor.first(data, behind, end)?;
                closed = anchor.closing(data, opening, end)?;
                behind = closed.1;
            }
            (start, end) = (opening.1, closed.0);
        }
        Some(self.piece(opening, closed))
    }

    /// Return the part of an element between the delimiters.
    fn trimmed(&self, data: &[u8], (start, end): Range) -> Range {
        let start = self.left.find(data, start, end).map_or(start, |place| place + self.left.len());
        (start, self.right.find(data, start, end).unwrap_or(end))
    }

    /// Return the elements of start tags, without those inside others.
    fn closed(
        &self,
        anchor: &Anchor,
        data: &[u8],
        openings: &[Range],
        end: usize,
        alone: bool,
    ) -> Result<Vec<Range>, RuleMismatch> {
        let mut ranges: Vec<Range> = Vec::new();
        for &opening in openings {
            if ranges.last().map_or(false, |before| opening.0 < before.1) {
                continue; // in the one before
            }
            match anchor.closing(data, opening, end) {
                Some(closed) => ranges.push(self.piece(opening, closed)),
                None if alone => return Err((Mismatch::NeverClosed, self.number)),
                None => {}
            }
        }
        Ok(ranges)
    }

    /// Return the range between the first left delimiter and the next right delimiter.
    fn between(&self, data: &[u8], start: usize, end: usize) -> Option<Range> {
        let begin = self.left.find(data, start, end)? + self.left.len();
        let end = if end - begin > FAR && !self.is_main { begin + FAR } else { end };
        Some((begin, self.right.find(data, begin, end)?))
    }

    /// Return the range between the delimiters, or all such ranges if the rule has several values.
    fn all_between(&self, data: &[u8], alone: bool, start: usize, end: usize) -> Result<Vec<Range>, RuleMismatch> {
        let mut ranges = Vec::new();
        let mut next = self.between(data, start, end);
        while let Some(inner) = next {
            ranges.push(inner);
            if !self.each {
                if alone && self.left.find(data, inner.1, end).is_some() {
                    return Err((Mismatch::TwoMatches, self.number));
                }
                break;
            }
            next = self.between(data, inner.1, end);
        }
        Ok(ranges)
    }
}

#[cfg(test)]
mod tests;
