//! Cuts pieces out of the bytes of a page by the rules of its site (`tidings.sites.extraction.pieces`; hybrid paper, section 5).

use std::borrow::Cow;
use std::sync::{Arc, Mutex};

use crate::anchors::{disjoint, without, Anchor, Condition, How, Range};
use crate::block_texts::{read_fragment, Knowledge, Left};
use crate::needles::{starts_of, Needle};
use crate::sheet::{locked, Sheet};
use crate::tables::Tables;
use crate::written::StyleText;

mod cutting;
mod finished;

pub use cutting::Cutting;
use cutting::{declared_language, put, say, say_seen};
pub use finished::Finished;

/// Bytes between the two delimiters of a field.
const FAR: usize = 20_000;
/// Elements that one rule tells.
const MOST: usize = 1000;
/// Bytes in which the address that others are relative to is looked for.
const HEAD: usize = 8192;
/// Style sheets of more bytes are not kept with the rules.
const LARGEST_SHEET: usize = 100_000;
/// Bytes before a style sheet that tell whether it is one for a reader with scripts.
const BEFORE: usize = 200;

/// Why the rules of a template are not to be trusted on a page, with the number of the rule: the numbers of
/// `tidings.sites.compiled_cut`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    OtherMake = 1,
    NoMatch = 2,
    NoMatchAtAll = 3,
    TwoMatches = 4,
    TwoMatchesOutside = 5,
    NeverClosed = 6,
    /// Style sheets hide or show text of the fragment by what is around it.
    HiddenByContext = 7,
}

type Doubted = (Doubt, usize);

/// One rule.
struct Rule {
    number: usize,
    anchor: Option<Anchor>,
    inside: Option<Anchor>,
    path: Vec<(Anchor, usize)>,
    left: Needle,
    right: Needle,
    is_main: bool,
    /// Its elements are taken without their own tags.
    is_bare: bool,
    each: bool,
    /// What is asked for is in the start tag.
    takes_tag: bool,
    /// What stands between its delimiters is a text.
    is_text: bool,
    /// No more than so many are looked for.
    most: usize,
    /// No further than so many bytes into the page; 0 for all of it.
    reach: usize,
}

/// The rules for pages of one make.
pub struct Rules {
    markers: Vec<Needle>,
    /// Of the markers so many must be there.
    wanted: usize,
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
    /// The style sheets of the page that was cut last: those of a site are mostly the same.
    sheet: Mutex<Option<KeptSheet>>,
}

/// Style sheets as they were written, and what they say.
struct KeptSheet {
    written: Vec<Vec<u8>>,
    sheet: Arc<Sheet>,
}

/// Numbers and texts one behind the other, as a caller writes them.
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

    /// The next text: numbers tell how long each is.
    fn text(&mut self) -> Option<&'a [u8]> {
        let size = self.number()?;
        let text = self.texts.get(..size)?;
        self.texts = &self.texts[size..];
        Some(text)
    }

    fn needle(&mut self) -> Option<Needle> {
        self.text().map(Needle::new)
    }

    fn several<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| one(self)).collect()
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
    /// Rules as a caller writes them, if they are whole.
    pub fn read(numbers: &[i64], texts: &[u8]) -> Option<Self> {
        let mut written = Written { numbers: numbers.iter(), texts };
        let mut rules = Rules {
            several: written.is()?,
            wanted: written.number()?,
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

    /// What they cut out of a page. What texts say is told if it is asked for and not left to Python.
    pub fn cut(&self, data: &[u8], known: Option<Knowledge>) -> Cutting {
        let doubted = |doubt: Doubt, rule: usize| Cutting::of(vec![doubt as i64, rule as i64]);
        if !self.is_of_this_make(data) {
            return doubted(Doubt::OtherMake, 0);
        }
        let main = match self.main_pieces(data) {
            Ok(main) => main,
            Err((doubt, rule)) => return doubted(doubt, rule),
        };
        let head = data.len().min(HEAD);
        let mut found = Cutting::of(Vec::with_capacity(64));
        let has_base = self.base.iter().any(|one| one.find(data, 0, head).is_some());
        found.numbers.extend([0, i64::from(has_base), declared_language(data)]);
        let styles = self.style_sheets(data);
        let sheet = known.and_then(|known| self.sheet_of(data, &styles, known.tables));
        for rule in &self.fields {
            let ranges = rule.of_field(data);
            match (known.filter(|_| !ranges.is_empty()), &sheet) {
                (Some(known), _) if rule.is_text => {
                    found.tell(data, &ranges, |piece, out| say(piece, known.tables, out));
                }
                (Some(known), Some(sheet)) if rule.anchor.is_some() && !rule.takes_tag => {
                    found.tell(data, &ranges, |piece, out| say_seen(piece, sheet, known, out));
                }
                _ => put(&mut found.numbers, &ranges),
            }
        }
        put(&mut found.numbers, &main);
        put(&mut found.numbers, &styles);
        if let Some((known, sheet)) = known.zip(sheet) {
            match read_fragment(&self.fragment(data, &main), &sheet, known) {
                Ok(said) => found.text = Some(Finished::new(said, &self.repeated)),
                Err(Left::ToPage) => return doubted(Doubt::HiddenByContext, 0),
                Err(Left::AsPage) => {}
            }
        }
        found
    }

    /// The pieces of the main text as one, with a tag around them where they have lost theirs.
    fn fragment<'a>(&self, data: &'a [u8], main: &[Range]) -> Cow<'a, [u8]> {
        let is_bare = self.main.iter().any(|rule| rule.is_bare);
        if let (&[(start, end)], false) = (main, is_bare) {
            return Cow::Borrowed(&data[start..end]);
        }
        let pieces: Vec<&[u8]> = main.iter().map(|&(start, end)| &data[start..end]).collect();
        let joined = pieces.join(&b'\n');
        Cow::Owned(if is_bare { [b"<div>", &joined[..], b"</div>"].concat() } else { joined })
    }

    /// Whether a page has enough of the markers; no more of them are looked for than tell.
    fn is_of_this_make(&self, data: &[u8]) -> bool {
        let reach = if self.reach == 0 { data.len() } else { self.reach };
        let (mut wanted, mut behind) = (self.wanted, 0);
        if self.markers.is_empty() {
            return true;
        }
        for (place, marker) in self.markers.iter().enumerate() {
            // They mostly stand in the order in which they were learned.
            let mut at = marker.find(data, behind, reach);
            if at.is_none() && behind > 0 {
                at = marker.find(data, 0, reach.min(behind + marker.len()));
            }
            if let Some(at) = at {
                behind = at;
                wanted -= 1;
                if wanted == 0 {
                    return true;
                }
            } else if wanted > self.markers.len() - place - 1 {
                return false;
            }
        }
        false
    }

    /// The ranges that the main text stands in, noise left out, in the order of the page.
    fn main_pieces(&self, data: &[u8]) -> Result<Vec<Range>, Doubted> {
        let mut found = Vec::new();
        if self.main.is_empty() {
            return Ok(found); // rules for fields alone
        }
        for (place, rule) in self.main.iter().enumerate() {
            let mut ranges = rule.ranges(data, !self.several, 0, data.len(), MOST)?;
            if rule.anchor.is_some() {
                for range in &mut ranges {
                    *range = rule.trimmed(data, *range);
                }
            }
            if self.several && !ranges.is_empty() {
                found = ranges;
                break;
            }
            // The first rule holds most of the text; without a lesser one, a page may do.
            if ranges.is_empty() && !self.several && place == 0 {
                return Err((Doubt::NoMatch, rule.number));
            }
            found.extend(ranges);
        }
        if found.is_empty() {
            return Err((Doubt::NoMatchAtAll, 0));
        }
        let found = disjoint(found);
        let mut noise = Vec::new();
        for rule in &self.noise {
            for &(start, end) in &found {
                noise.extend(rule.ranges(data, false, start, end, MOST)?);
            }
        }
        Ok(if noise.is_empty() { found } else { without(&found, &disjoint(noise)) })
    }

    /// The style sheets that stand on a page, found by their tags alone.
    fn style_sheets(&self, data: &[u8]) -> Vec<Range> {
        let mut found = Vec::new();
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
                    found.push((place, behind));
                }
            }
        }
        found
    }

    /// What the style sheets of a page say; none if Python has to read them.
    fn sheet_of(&self, data: &[u8], styles: &[Range], tables: &Tables) -> Option<Arc<Sheet>> {
        let written = || styles.iter().map(|&(start, end)| &data[start..end]);
        if let Some(kept) = &*locked(&self.sheet) {
            if kept.written.len() == styles.len() && kept.written.iter().zip(written()).all(|(one, other)| one == other)
            {
                return Some(Arc::clone(&kept.sheet));
            }
        }
        let mut css = StyleText::default();
        for element in written() {
            css.add(&String::from_utf8_lossy(element), Some(tables));
        }
        let sheet = Sheet::shared(&css.text);
        if written().map(<[u8]>::len).sum::<usize>() <= LARGEST_SHEET {
            let written = written().map(<[u8]>::to_vec).collect();
            *locked(&self.sheet) = Some(KeptSheet { written, sheet: Arc::clone(&sheet) });
        }
        Some(sheet)
    }
}

impl Rule {
    /// Where the pieces of a field stand; nowhere, if the element around them is there twice.
    fn of_field(&self, data: &[u8]) -> Vec<Range> {
        let end = if self.reach == 0 { data.len() } else { self.reach.min(data.len()) };
        match &self.anchor {
            Some(anchor) if self.takes_tag => anchor.openings(data, 0, end, self.most),
            _ => self.ranges(data, false, 0, end, self.most).unwrap_or_default(),
        }
    }

    /// Where the pieces that it is about stand, with the tags of their elements if those mean something alone; no
    /// more than so many are looked for. If it is to be alone, two are a doubt, and one that is never closed.
    fn ranges(&self, data: &[u8], alone: bool, start: usize, end: usize, most: usize) -> Result<Vec<Range>, Doubted> {
        let (mut start, mut end) = (start, end);
        if let Some(inside) = &self.inside {
            let around = inside.alone(data, start, end);
            if around.len() > 1 {
                return Err((Doubt::TwoMatchesOutside, self.number));
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
                return Err((Doubt::TwoMatches, self.number));
            }
            openings
        } else {
            anchor.openings(data, start, end, most)
        };
        let ranges = self.closed(anchor, data, &openings, end, alone)?;
        if ranges.is_empty() && !openings.is_empty() && most == 1 {
            // One behind it may be closed.
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

    /// The element at the end of a path.
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

    /// An element without what stands in it up to the left delimiter, and from the right one on.
    fn trimmed(&self, data: &[u8], (start, end): Range) -> Range {
        let start = self.left.find(data, start, end).map_or(start, |place| place + self.left.len());
        (start, self.right.find(data, start, end).unwrap_or(end))
    }

    /// The elements that start tags open; of those that are in each other the outer.
    fn closed(
        &self,
        anchor: &Anchor,
        data: &[u8],
        openings: &[Range],
        end: usize,
        alone: bool,
    ) -> Result<Vec<Range>, Doubted> {
        let mut ranges: Vec<Range> = Vec::new();
        for &opening in openings {
            if ranges.last().map_or(false, |before| opening.0 < before.1) {
                continue; // in the one before
            }
            match anchor.closing(data, opening, end) {
                Some(closed) => ranges.push(self.piece(opening, closed)),
                None if alone => return Err((Doubt::NeverClosed, self.number)),
                None => {}
            }
        }
        Ok(ranges)
    }

    /// Where what stands between the first left delimiter and the right one that follows begins and ends.
    fn between(&self, data: &[u8], start: usize, end: usize) -> Option<Range> {
        let begin = self.left.find(data, start, end)? + self.left.len();
        let end = if end - begin > FAR && !self.is_main { begin + FAR } else { end };
        Some((begin, self.right.find(data, begin, end)?))
    }

    /// What stands between the delimiters, each time if it is about several.
    fn all_between(&self, data: &[u8], alone: bool, start: usize, end: usize) -> Result<Vec<Range>, Doubted> {
        let mut found = Vec::new();
        let mut next = self.between(data, start, end);
        while let Some(inner) = next {
            found.push(inner);
            if !self.each {
                if alone && self.left.find(data, inner.1, end).is_some() {
                    return Err((Doubt::TwoMatches, self.number));
                }
                break;
            }
            next = self.between(data, inner.1, end);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests;
