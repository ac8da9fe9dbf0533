//! Reads the start tags of pictures and whether the pictures are visible (`tidings.article.pictures.select`).

use std::collections::HashMap;

use crate::cascade::Asked;
use crate::columns::Columns;
use crate::picture_choice::{choose, Choice, NoStory, ALTERNATIVE, FIRST_LATE, STYLE};
use crate::sheet::Sheet;
use crate::start_tag::ways_of_tag;
use crate::styles::{GONE, VISIBILITY};
use crate::tables::Tables;
use crate::units::{is_blank, Unit};

/// The caller has to read the attributes.
const UNKNOWN: i64 = -1;
/// It is none of a story, or one that nobody sees; or it is one: whether its address is a path, where that begins and ends,
/// and where the text does that stands for it, -1 if there is none.
const NOTHING: i64 = -2;
const CHOSEN: i64 = -3;
/// What tells whether an element is seen.
const TELLING: [&[u8]; 11] = [
    b"style",
    b"class",
    b"id",
    b"hidden",
    b"aria-hidden",
    b"media",
    b"role",
    b"aria-controls",
    b"aria-labelledby",
    b"open",
    b"shadowrootmode",
];

/// What is asked of every picture.
pub struct PictureQuestions<'a> {
    /// Attributes, in small letters, in the order of `crate::picture_choice`.
    pub names: Vec<&'a [u8]>,
    /// Tags of elements that are not shown whatever else they say.
    pub not_shown: [i64; 2],
    /// Those of what offers other files, and of what these stand in.
    pub offer: i64,
    pub picture: i64,
    pub no_story: NoStory<'a>,
    pub sheet: &'a Sheet,
    pub tables: &'a Tables,
}

/// For each of some elements: whether it is out of sight as a box; what was chosen, or how many of the attributes it has,
/// which, and where the value of each stands in the source.
pub fn read_pictures<U: Unit>(
    source: &[U],
    page: &Columns,
    elements: &[i64],
    questions: &PictureQuestions,
) -> Vec<i64> {
    let mut found = Vec::with_capacity(elements.len() * 16);
    let asked = Asked::new(questions.sheet);
    let mut sight = Sight { source, page, questions, asked, known: HashMap::new() };
    for &element in elements {
        let element = element as usize;
        let (unseen, count) = (found.len(), found.len() + 1);
        found.extend([0, 0]);
        let start = tag_range(page, element).0;
        let is_read = each_attribute(tag_of(source, page, element), |name, value| {
            if let Some(number) = questions.names.iter().position(|other| is_named(name, other)) {
                let number = number as i64;
                if !found[count + 1..].chunks(3).any(|row| row[0] == number) {
                    found.extend([number, (start + value.0) as i64, (start + value.1) as i64]);
                }
            }
        });
        if !is_read {
            found[unseen] = i64::from(sight.is_unseen(element));
            found.truncate(count);
            found.push(UNKNOWN);
            continue;
        }
        let rows = &found[count + 1..];
        let value = |number: usize| {
            let row = rows.chunks(3).find(|row| row[0] == number as i64)?;
            Some((row[1] as usize, row[2] as usize))
        };
        let around = page.parent()[element].max(0) as usize;
        let has_others = page.tag()[around] == questions.picture
            && (around + 1..element).any(|inner| page.tag()[inner] == questions.offer);
        let is_late = rows.chunks(3).any(|row| row[0] >= FIRST_LATE as i64);
        let chosen = if is_late && value(STYLE).is_some() {
            Choice::Unknown // one that is faded in when it was loaded is seen
        } else {
            choose(source, value, questions.names.len(), has_others, &questions.no_story)
        };
        let alternative = value(ALTERNATIVE).map_or([-1, -1], |(start, end)| [start as i64, end as i64]);
        if chosen == Choice::Nothing {
            found.truncate(count);
            found.push(NOTHING);
            continue;
        }
        let is_unseen = sight.is_unseen(element);
        found[unseen] = i64::from(is_unseen);
        match chosen {
            Choice::At(is_path, start, end) => {
                found.truncate(count);
                if is_unseen {
                    found.push(NOTHING);
                } else {
                    found.extend([CHOSEN, i64::from(is_path), start as i64, end as i64]);
                    found.extend(alternative);
                }
            }
            _ => found[count] = ((found.len() - count) / 3) as i64,
        }
    }
    found
}

fn is_named<U: Unit>(name: &[U], other: &[u8]) -> bool {
    other.len() == name.len()
        && name.iter().zip(other).all(|(unit, &letter)| unit.ascii().to_ascii_lowercase() == letter)
}

fn tag_range(page: &Columns, element: usize) -> (usize, usize) {
    let at = 2 * page.opened()[element] as usize;
    (page.bounds()[at + 1] as usize, page.bounds()[at + 2] as usize)
}

fn tag_of<'a, U: Unit>(source: &'a [U], page: &Columns, element: usize) -> &'a [U] {
    let (start, end) = tag_range(page, element);
    &source[start..end]
}

/// Whether elements are out of sight as boxes (`Page.unseen`).
struct Sight<'a, U> {
    source: &'a [U],
    page: &'a Columns,
    questions: &'a PictureQuestions<'a>,
    asked: Asked<'a>,
    /// Of elements without text whether they hide themselves.
    known: HashMap<usize, bool>,
}

impl<U: Unit> Sight<'_, U> {
    fn is_unseen(&mut self, element: usize) -> bool {
        let mut at = element;
        while at > 0 && self.page.first()[at] >= self.page.last()[at] {
            if self.hides_itself(at) {
                return true;
            }
            at = self.page.parent()[at] as usize;
        }
        let pieces = self.page.unseen.as_ref().map_or(&[][..], |(pieces, _)| pieces);
        at > 0 && pieces.get(self.page.opened()[at] as usize + 1).map_or(false, |&hidden| hidden > 1)
    }

    fn hides_itself(&mut self, element: usize) -> bool {
        if let Some(&known) = self.known.get(&element) {
            return known;
        }
        let units = tag_of(self.source, self.page, element);
        let character = |unit: &U| match char::from_u32(unit.code()) {
            Some('\0') | None => char::REPLACEMENT_CHARACTER,
            Some(character) => character,
        };
        let tag = plain_tag(units).unwrap_or_else(|| units.iter().map(character).collect());
        let (ways, _) = ways_of_tag(&tag, &mut self.asked, self.questions.tables);
        let is_hidden = ways & (GONE | VISIBILITY) != 0 || self.questions.not_shown.contains(&self.page.tag()[element]);
        self.known.insert(element, is_hidden);
        is_hidden
    }
}

/// A start tag without what does not tell whether its element is seen: those of pictures hold many addresses. Nothing if
/// it cannot be written so.
fn plain_tag<U: Unit>(tag: &[U]) -> Option<String> {
    let name = tag.iter().take_while(|unit| !is_blank(**unit) && !unit.is(b'/') && !unit.is(b'>'));
    let mut told: String = name.map(|unit| char::from_u32(unit.code())).collect::<Option<String>>()?;
    let mut is_told = true;
    let is_read = each_attribute(tag, |name, (start, end)| {
        if !TELLING.iter().any(|other| is_named(name, other)) {
            return;
        }
        let value: Option<String> = tag[start..end].iter().map(|unit| char::from_u32(unit.code())).collect();
        match value {
            Some(value) if !value.contains('"') => {
                told.push(' ');
                told.extend(name.iter().map(|unit| char::from(unit.ascii())));
                told.push_str("=\"");
                told.push_str(&value);
                told.push('"');
            }
            _ => is_told = false,
        }
    });
    told.push('>');
    Some(told).filter(|_| is_read && is_told)
}

/// Call `found` with the name of each attribute of a start tag and the range of its value, as they are written
/// (`tidings.page.attributes`). Says whether all could be read: a name of other letters than ASCII may be one of ASCII in
/// small letters.
pub fn each_attribute<'a, U: Unit>(tag: &'a [U], mut found: impl FnMut(&'a [U], (usize, usize))) -> bool {
    let is_end = |unit: &U| is_blank(*unit) || unit.is(b'/') || unit.is(b'>');
    let count = |from: usize, is_meant: &dyn Fn(&U) -> bool| {
        from + tag[from..].iter().take_while(|unit| is_meant(unit)).count()
    };
    let mut at = count(0, &|unit| !is_end(unit));
    loop {
        at = count(at, &|unit| is_blank(*unit) || unit.is(b'/'));
        if at >= tag.len() || tag[at].is(b'>') {
            return true;
        }
        let start = at;
        at = count(at + 1, &|unit| !is_end(unit) && !unit.is(b'='));
        let name = &tag[start..at];
        if name.iter().any(|unit| unit.code() >= 0x80) {
            return false;
        }
        let mut value = (at, at);
        let sign = count(at, &|unit| is_blank(*unit));
        if tag.get(sign).map_or(false, |unit| unit.is(b'=')) {
            at = count(sign + 1, &|unit| is_blank(*unit));
            match tag.get(at).map(|unit| unit.ascii()) {
                Some(quote @ (b'"' | b'\'')) => {
                    let end = U::find(tag, at + 1, quote).unwrap_or(tag.len());
                    value = (at + 1, end);
                    at = (end + 1).min(tag.len());
                }
                _ => {
                    let end = count(at, &|unit| !is_blank(*unit) && !unit.is(b'>'));
                    value = (at, end);
                    at = end;
                }
            }
        }
        found(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{scan, Manner};
    use crate::samples::tables;

    #[test]
    fn attributes_are_told_by_where_they_stand() {
        let tables = tables();
        let html = "<p>a<br SRC=x alt = 'a b' src=\"y\"/>b<br alt><br \u{212a}=1 alt=c hidden>";
        let units: Vec<u32> = html.chars().map(u32::from).collect();
        let manner = Manner { most_tags: 1000, ..Manner::default() };
        let page = scan(&units, &tables, manner);
        let sheet = Sheet::new("");
        let no_story = NoStory { dot: 2, icon: 48, furniture: vec![], signs: vec![], has_origin: false };
        let mut questions = PictureQuestions {
            names: vec![b"width", b"height", b"src", b"alt", b"style"],
            not_shown: [-1, -1],
            offer: -1,
            picture: -1,
            no_story,
            sheet: &sheet,
            tables: &tables,
        };
        // The first has an address that is left to the caller, the second has none, the third cannot be read.
        let found = read_pictures(&units, &page, &[2, 3, 4], &questions);
        assert_eq!(found, [0, 2, 2, 12, 13, 3, 21, 24, 0, NOTHING, 1, -1]);
        let html = "<p><br src=/a alt=b><br src=/a hidden><br src=http://a.b/ style='display: none'>";
        let page = scan(html.as_bytes(), &tables, manner);
        questions.no_story.has_origin = true;
        let found = read_pictures(html.as_bytes(), &page, &[2, 3, 4], &questions);
        assert_eq!(found, [0, CHOSEN, 1, 11, 13, 18, 19, 1, NOTHING, 1, NOTHING]);
    }
}
