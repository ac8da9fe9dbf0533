//! What start tags of pictures say, and whether the pictures are seen (`tidings.article.pictures`).

use crate::cascade::Asked;
use crate::columns::Columns;
use crate::sheet::Sheet;
use crate::start_tag::ways_of_tag;
use crate::styles::{GONE, VISIBILITY};
use crate::tables::Tables;
use crate::units::{is_blank, Unit};

/// The first of the names that are asked for are those of the size.
const WIDTH: usize = 0;
const HEIGHT: usize = 1;
/// Digits of a number.
const LONGEST: usize = 9;
/// The caller has to look.
const UNKNOWN: i64 = -1;

/// What is asked of every picture.
pub struct PictureQuestions<'a> {
    /// Attributes, in small letters.
    pub names: Vec<&'a [u8]>,
    /// Tags of elements that are not shown whatever else they say.
    pub not_shown: [i64; 2],
    /// What is no wider and no higher is an icon.
    pub icon: u64,
    pub sheet: Option<&'a Sheet>,
    pub tables: &'a Tables,
}

/// For each of some elements: whether it is out of sight as a box; how many of the attributes it has; which, and where
/// the value of each stands in the source.
pub fn read_pictures<U: Unit>(
    source: &[U],
    page: &Columns,
    elements: &[i64],
    questions: &PictureQuestions,
) -> Vec<i64> {
    let mut found = Vec::with_capacity(elements.len() * 16);
    let mut sight = questions.sheet.map(|sheet| Sight {
        source,
        page,
        questions,
        asked: Asked::new(sheet),
        known: vec![None; page.tag().len()],
    });
    for &element in elements {
        let element = element as usize;
        let (unseen, count) = (found.len(), found.len() + 1);
        found.extend([UNKNOWN, 0]);
        let start = tag_range(page, element).0;
        let is_read = each_attribute(tag_of(source, page, element), |name, value| {
            let is = |other: &&[u8]| {
                other.len() == name.len()
                    && name.iter().zip(*other).all(|(unit, &letter)| unit.ascii().to_ascii_lowercase() == letter)
            };
            if let Some(number) = questions.names.iter().position(is) {
                let number = number as i64;
                if !found[count + 1..].chunks(3).any(|row| row[0] == number) {
                    found.extend([number, (start + value.0) as i64, (start + value.1) as i64]);
                }
            }
        });
        // Nobody asks whether an icon is seen.
        let is_small = |name: usize| {
            found[count + 1..].chunks(3).filter(|row| row[0] == name as i64).any(|row| {
                number(&source[row[1] as usize..row[2] as usize]).map_or(false, |size| size <= questions.icon)
            })
        };
        found[unseen] = if is_small(WIDTH) && is_small(HEIGHT) {
            0
        } else {
            sight.as_mut().and_then(|sight| sight.is_unseen(element)).map_or(UNKNOWN, i64::from)
        };
        if is_read {
            found[count] = ((found.len() - count) / 3) as i64;
        } else {
            found.truncate(count);
            found.push(UNKNOWN);
        }
    }
    found
}

/// A number of a few digits.
fn number<U: Unit>(text: &[U]) -> Option<u64> {
    if text.is_empty() || text.len() > LONGEST || !text.iter().all(|unit| unit.ascii().is_ascii_digit()) {
        return None;
    }
    Some(text.iter().fold(0, |number, unit| number * 10 + u64::from(unit.ascii() - b'0')))
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
    known: Vec<Option<bool>>,
}

impl<U: Unit> Sight<'_, U> {
    /// Nothing if the caller has to look.
    fn is_unseen(&mut self, element: usize) -> Option<bool> {
        let (pieces, _) = self.page.unseen.as_ref()?;
        let mut at = element;
        while at > 0 && self.page.first()[at] >= self.page.last()[at] {
            if self.hides_itself(at)? {
                return Some(true);
            }
            at = self.page.parent()[at] as usize;
        }
        Some(at > 0 && pieces[self.page.opened()[at] as usize + 1] > 1)
    }

    fn hides_itself(&mut self, element: usize) -> Option<bool> {
        if self.known[element].is_none() {
            let units = tag_of(self.source, self.page, element);
            let tag: String = units.iter().map(|unit| char::from_u32(unit.code())).collect::<Option<String>>()?;
            if tag.contains('\0') {
                return None;
            }
            let (ways, _) = ways_of_tag(&tag, &mut self.asked, self.questions.tables)?;
            let is_hidden =
                ways & (GONE | VISIBILITY) != 0 || self.questions.not_shown.contains(&self.page.tag()[element]);
            self.known[element] = Some(is_hidden);
        }
        self.known[element]
    }
}

/// Call `found` with the name of each attribute of a start tag and the range of its value, as they are written
/// (`tidings.page.attributes`). Says whether all could be read: a name of other letters than ASCII may be one of ASCII in
/// small letters.
fn each_attribute<'a, U: Unit>(tag: &'a [U], mut found: impl FnMut(&'a [U], (usize, usize))) -> bool {
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
        let page = scan(&units, &tables, manner).expect("a page for this scanner");
        let sheet = Sheet::new("");
        let mut questions = PictureQuestions {
            names: vec![b"src", b"alt"],
            not_shown: [-1, -1],
            icon: 48,
            sheet: Some(&sheet),
            tables: &tables,
        };
        let found = read_pictures(&units, &page, &[2, 3, 4], &questions);
        assert_eq!(found, [0, 2, 0, 12, 13, 1, 21, 24, 0, 1, 1, 43, 43, 1, -1]);
        let html = "<p><br width=48 hidden height=9><br width=49 height=9 hidden>";
        let small = scan(html.as_bytes(), &tables, manner).expect("a page for this scanner");
        questions.names = vec![b"width", b"height"];
        let found = read_pictures(html.as_bytes(), &small, &[2, 3], &questions);
        assert_eq!((found[0], found[8]), (0, 1));
        questions.names = vec![b"src", b"alt"];
        questions.sheet = None;
        assert_eq!(read_pictures(&units, &page, &[3], &questions), [-1, 1, 1, 43, 43]);
    }
}
