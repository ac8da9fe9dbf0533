//! Locates lists, links, pictures, tables and unit words around the selected text in one pass (`tidings.article.units.places`).

use crate::block_rows::{is_plain_address, is_rooted};
use crate::block_texts::Reading;
use crate::columns::Columns;
use crate::data_tables::DataTables;
use crate::needles::Word;
use crate::pictures::{locate, prefix_sums, PictureSettings, LOCATION_NUMBERS};
use crate::tables::Tables;
use crate::units::{is_blank, stands, Unit};
use crate::written::Written;

/// Numbers that tell of the whole, before the rows; numbers of a link, and of an element that a word stands in.
pub const HEAD: usize = 14;
/// Numbers of tags that are asked for.
pub const ASKED: usize = 7;
const LINK: usize = 4;
const UNIT_ELEMENT_NUMBERS: usize = 4;
/// Addresses: those that stay as they are, paths from the root of a site, and others.
const OTHER: i64 = 0;
const PLAIN: i64 = 1;
const PATH: i64 = 2;

/// The numbers of the tags that are asked for.
pub struct PlaceTags {
    pub link: i64,
    pub table: i64,
    pub ordered: i64,
    pub unordered: i64,
    pub terms: i64,
    pub abbreviation: i64,
    pub acronym: i64,
}

impl PlaceTags {
    pub fn new(numbers: [i64; ASKED]) -> PlaceTags {
        let [link, table, ordered, unordered, terms, abbreviation, acronym] = numbers;
        PlaceTags { link, table, ordered, unordered, terms, abbreviation, acronym }
    }
}

/// Ranges of the text, in order.
#[derive(Clone, Copy)]
pub struct Ranges<'a> {
    pub starts: &'a [i64],
    pub ends: &'a [i64],
}

impl Ranges<'_> {
    /// Whether some of a range is in them.
    fn touch(&self, start: i64, end: i64) -> bool {
        self.starts.partition_point(|&begin| begin < end) > self.ends.partition_point(|&behind| behind <= start)
    }

    /// For each run of a page whether some of it is in them.
    pub fn runs(&self, page: &Columns) -> Vec<u8> {
        let (mut begun, mut over) = (0, 0);
        let mut touched = Vec::with_capacity(page.runs());
        for (&start, &end) in page.text_start().iter().zip(page.text_end()) {
            while over < self.ends.len() && self.ends[over] <= start {
                over += 1;
            }
            while begun < self.starts.len() && self.starts[begun] < end {
                begun += 1;
            }
            touched.push(u8::from(begun > over));
        }
        touched
    }
}

/// What is asked.
pub struct Asked<'a> {
    pub tags: PlaceTags,
    /// What was chosen and a reader sees; and all that was chosen.
    pub shown: Ranges<'a>,
    pub chosen: Ranges<'a>,
    /// By run.
    pub hidden: &'a [u8],
    /// The words in the start tag of each element, a bit each.
    pub held: &'a [u64],
    /// If pictures are to be located.
    pub pictures: Option<PictureSettings<'a>>,
    pub tables: &'a Tables,
    pub reading: Reading<'a>,
}

/// Names that start tags around all of the text may give: they are asked for.
const DECLARED: [&[u8]; 2] = [b"dir", b"lang"];
/// Endings of files that play.
const FILES: [&[u8]; 9] = [b"mp3", b"m4a", b"m4b", b"oga", b"ogg", b"opus", b"aac", b"flac", b"wav"];

/// What was found: for each run whether it is chosen, and numbers.
///
/// The first chosen run and the last, -1 if there is none; whether some element has outlived the one around it, a link
/// may lead to a file that plays, a table holds chosen text, a letter may run leftwards, there are abbreviations; all
/// words that stand in start tags; how many rows there are of links,
/// lists, pictures, elements around, elements with words, tables of data. A link: its element, where its address stands in
/// the source, -1 if the caller has to look, and what sort of address it is. A list: its element. A picture: `crate::pictures`. An element around all of the
/// text that may declare something. An element with words: its words, first run, and the one behind its last.
pub struct StoryPlaces {
    pub chosen: Vec<u8>,
    pub numbers: Vec<i64>,
}

impl StoryPlaces {
    pub fn new<U: Unit>(source: &[U], page: &Columns, asked: &Asked) -> StoryPlaces {
        let chosen = asked.shown.runs(page);
        let first = chosen.iter().position(|&one| one != 0).map_or(-1, |run| run as i64);
        let last = chosen.iter().rposition(|&one| one != 0).map_or(-1, |run| run as i64);
        let finder = Finder { source, page, asked, chosen: &chosen };
        let has_outlived = finder.has_outlived();
        let around = if has_outlived { Some(finder.ancestors()) } else { None };
        let holds = |element: usize| match &around {
            Some(around) => !asked.shown.starts.is_empty() && around[element],
            None => finder.holds(element),
        };
        let (mut links, mut lists, mut unit_elements) = (Vec::new(), Vec::new(), Vec::new());
        let (mut has_table, mut may_play, mut has_abbreviations, mut all_words) = (false, false, false, 0);
        let before = prefix_sums(chosen.len(), |run| chosen[run] != 0);
        let mut sizes = None; // of most pages nobody asks for them
        let tags = &asked.tags;
        for (element, &tag) in page.tag().iter().enumerate() {
            if tag == tags.link {
                let own = finder.start_tag(element);
                if before[page.last()[element] as usize] > before[page.first()[element] as usize] {
                    may_play = may_play || names_file(own);
                }
                if holds(element) {
                    let at = finder.tag_start(element) as i64;
                    links.extend(address(own).map_or([element as i64, -1, -1, OTHER], |(start, end)| {
                        let kind = match &own[start..end] {
                            text if is_plain_address(text) => PLAIN,
                            text if is_rooted(text) => PATH,
                            _ => OTHER,
                        };
                        [element as i64, at + start as i64, at + end as i64, kind]
                    }));
                }
            } else if tag == tags.table {
                has_table = has_table || holds(element);
            } else if tag == tags.ordered || tag == tags.unordered || tag == tags.terms {
                let (first, last) = (page.first()[element] as usize, page.last()[element] as usize);
                let begun = (before[last] - before[first]) as usize;
                let is_of_terms = tag == tags.terms;
                if (begun > 0 || is_of_terms)
                    && begun < last - first
                    && sizes.get_or_insert_with(|| Sizes::new(page, asked.hidden, &chosen)).is_cut(
                        first,
                        last,
                        is_of_terms,
                    )
                {
                    lists.push(element as i64);
                }
            } else if tag == tags.abbreviation || tag == tags.acronym {
                has_abbreviations = true;
            }
            let words = asked.held[element];
            if words != 0 {
                all_words |= words;
                unit_elements.extend([element as i64, words as i64, page.first()[element], page.last()[element]]);
            }
        }
        let written = Written { source, tables: asked.tables };
        let pictures = asked
            .pictures
            .as_ref()
            .map_or_else(Vec::new, |settings| locate(&written, page, asked.hidden, &chosen, &before, settings));
        let declaring = finder.declaring();
        let tables_of_data = DataTables::new(&written, &asked.reading).tables;
        let mut numbers = vec![
            first,
            last,
            i64::from(has_outlived),
            i64::from(may_play),
            i64::from(has_table),
            i64::from(finder.may_run_leftwards()),
            i64::from(has_abbreviations),
            all_words as i64,
            (links.len() / LINK) as i64,
            lists.len() as i64,
            pictures.len() as i64,
            declaring.len() as i64,
            (unit_elements.len() / UNIT_ELEMENT_NUMBERS) as i64,
            tables_of_data.len() as i64,
        ];
        debug_assert_eq!(numbers.len(), HEAD);
        numbers.reserve(
            links.len() + lists.len() + LOCATION_NUMBERS * pictures.len() + declaring.len() + unit_elements.len(),
        );
        numbers.extend(links);
        numbers.extend(lists);
        pictures.iter().for_each(|picture| numbers.extend(picture.numbers()));
        numbers.extend(declaring);
        numbers.extend(unit_elements);
        numbers.extend(tables_of_data);
        StoryPlaces { chosen, numbers }
    }
}

struct Finder<'a, U> {
    source: &'a [U],
    page: &'a Columns,
    asked: &'a Asked<'a>,
    chosen: &'a [u8],
}

impl<'a, U: Unit> Finder<'a, U> {
    fn tag_start(&self, element: usize) -> usize {
        self.page.tag_range(element).0
    }

    fn start_tag(&self, element: usize) -> &'a [U] {
        let (start, end) = self.page.tag_range(element);
        &self.source[start..end]
    }

    /// Whether text stands in an element that was closed before: `<a><p>one<a>two</a>three`, where `a` ends `a`.
    fn has_outlived(&self) -> bool {
        let (last, parent) = (self.page.last(), self.page.parent());
        last.iter().zip(parent).skip(1).any(|(&own, &around)| own > last[around as usize])
    }

    /// The elements around chosen text.
    fn ancestors(&self) -> Vec<bool> {
        let mut around = vec![false; self.page.tag().len()];
        for run in (0..self.chosen.len()).filter(|&run| self.chosen[run] != 0) {
            let mut at = self.page.run_element(run);
            while at > 0 && !around[at] {
                around[at] = true;
                at = self.page.parent()[at] as usize;
            }
        }
        around
    }

    /// Whether an element holds chosen text, told by its runs.
    fn holds(&self, element: usize) -> bool {
        let (first, last) = (self.page.first()[element] as usize, self.page.last()[element] as usize);
        first < last && self.asked.shown.touch(self.page.text_start()[first], self.page.text_end()[last - 1])
    }

    /// The elements around all that was chosen in whose start tags one of the declared names stands, the innermost first.
    fn declaring(&self) -> Vec<i64> {
        let (page, mut found) = (self.page, Vec::new());
        let touched = self.asked.chosen.runs(page);
        let run_of = |place: Option<usize>| place.unwrap_or(usize::MAX);
        let first = run_of(touched.iter().position(|&one| one != 0));
        let last = run_of(touched.iter().rposition(|&one| one != 0));
        if first == usize::MAX {
            return found;
        }
        let names: Vec<Word> = DECLARED.iter().map(|name| Word::new(name)).collect();
        let mut element = page.run_element(first);
        while element > 0 {
            if page.last()[element] > last as i64 {
                let own = self.start_tag(element);
                if names.iter().any(|name| name.is_in(own)) {
                    found.push(element as i64);
                }
            }
            element = page.parent()[element] as usize;
        }
        found
    }

    /// Whether a character of what is shown stands in a column of Unicode that has letters which run leftwards.
    fn may_run_leftwards(&self) -> bool {
        let Ranges { starts, ends } = self.asked.shown;
        starts.iter().zip(ends).any(|(&start, &end)| {
            let text = &self.page.text[start as usize..end as usize];
            text.chunks(64).any(|some| {
                // No branch inside, so that it becomes vector code.
                some.iter().fold(false, |any, &code| any | (code.wrapping_sub(0x590) < 0x370) | (code >= 0xFB1D))
            })
        })
    }
}

/// Characters in the runs before each: those that are seen, and those of them that are chosen.
struct Sizes {
    seen: Vec<i64>,
    chosen: Vec<i64>,
}

impl Sizes {
    fn new(page: &Columns, hidden: &[u8], chosen: &[u8]) -> Sizes {
        let (mut seen, mut selected_sizes) = (vec![0], vec![0]);
        for run in 0..chosen.len() {
            let size = if hidden[run] == 0 { page.text_end()[run] - page.text_start()[run] } else { 0 };
            seen.push(seen[run] + size);
            selected_sizes.push(selected_sizes[run] + size * i64::from(chosen[run]));
        }
        Sizes { seen, chosen: selected_sizes }
    }

    /// Whether of a list of some runs a part is chosen, and half of it is; or it is one of terms.
    fn is_cut(&self, first: usize, last: usize, is_of_terms: bool) -> bool {
        let (whole, part) = (self.seen[last] - self.seen[first], self.chosen[last] - self.chosen[first]);
        whole > 0 && part < whole && (2 * part >= whole || is_of_terms)
    }
}

/// Whether the name of a file that plays stands in a start tag.
fn names_file<U: Unit>(tag: &[U]) -> bool {
    let mut at = 0;
    while let Some(dot) = U::find(tag, at, b'.') {
        at = dot + 1;
        if FILES.iter().any(|file| stands(tag, at, file)) {
            return true;
        }
    }
    false
}

/// Where the address of a link stands in its start tag, as nearly all are written; nothing if the caller has to look.
pub fn address<U: Unit>(tag: &[U]) -> Option<(usize, usize)> {
    let mut at = 2;
    if tag.len() < 3 || !tag[0].is(b'<') || tag[1].ascii() | 0x20 != b'a' {
        return None;
    }
    loop {
        let blanks = tag[at..].iter().take_while(|&&unit| is_blank(unit)).count();
        let start = at + blanks;
        let size = tag[start..].iter().take_while(|unit| matches!(unit.ascii(), b'a'..=b'z' | b'-' | b'_')).count();
        let value = start + size + 2;
        if blanks == 0 || size == 0 || tag.len() <= value || !tag[value - 2].is(b'=') || !tag[value - 1].is(b'"') {
            return None;
        }
        let end = U::find(tag, value, b'"')?;
        if size == 4 && tag[start..start + 4].iter().zip(b"href").all(|(unit, &letter)| unit.is(letter)) {
            return if tag[value..end].iter().any(|unit| unit.is(b'&')) { None } else { Some((value, end)) };
        }
        at = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{scan, Manner};
    use crate::samples::{tables, tag};

    #[test]
    fn addresses_stand_where_nearly_all_are_written() {
        let read = |tag: &'static str| address(tag.as_bytes()).map(|(start, end)| &tag[start..end]);
        assert_eq!(read("<a href=\"/x\">"), Some("/x"));
        assert_eq!(read("<A class=\"a > b\"\n data-x=\"\" href=\"\" href=\"/y\">"), Some(""));
        assert_eq!(read("<a hreflang=\"en\" href=\"/x\">"), Some("/x"));
        for tag in [
            "<a>",
            "<a",
            "<b href=\"/x\">",
            "<a href='/x'>",
            "<a href=\"/x?a&amp;b\">",
            "<a HREF=\"/x\">",
            "<a href=\"/x",
        ] {
            assert_eq!(read(tag), None, "{}", tag);
        }
    }

    #[test]
    fn what_stands_in_chosen_text_is_found_in_one_go() {
        let tables = tables();
        let number = |name| i64::from(tag(&tables, name));
        let html = "<div lang=x><ul><li>one two<li><a href=\"/x\">3</a></ul><a href=y.mp3>four</a></div>";
        let manner = Manner { most_tags: 1000, ..Manner::default() };
        let page = scan(html.as_bytes(), &tables, manner);
        let tags = PlaceTags::new([number("a"), -1, -1, number("ul"), -1, -1, -1]);
        let held: Vec<u64> = (0..page.tag().len()).map(|element| u64::from(element == 2) << 63).collect();
        let shown = Ranges { starts: &[1], ends: &[5] };
        let hidden = [0; 3];
        let asked = Asked {
            tags,
            shown,
            chosen: shown,
            hidden: &hidden,
            held: &held,
            pictures: None,
            tables: &tables,
            reading: Reading { page: &page, sets: &[] },
        };
        let found = StoryPlaces::new(html.as_bytes(), &page, &asked);
        assert_eq!(found.chosen, [1, 0, 0]);
        assert_eq!(found.numbers, [0, 0, 0, 0, 0, 0, 0, i64::MIN, 0, 1, 0, 1, 1, 0, 2, 1, 2, i64::MIN, 0, 3]);
        let shown = Ranges { starts: &[8], ends: &[14] };
        let asked = Asked { shown, chosen: shown, reading: Reading { page: &page, sets: &[] }, ..asked };
        let found = StoryPlaces::new(html.as_bytes(), &page, &asked);
        assert_eq!(found.chosen, [0, 1, 1]);
        let at = html.find("/x").expect("an address") as i64;
        let links = [5, at, at + 2, PATH, 6, -1, -1, OTHER];
        assert_eq!(found.numbers[..14], [1, 2, 0, 1, 0, 0, 0, i64::MIN, 2, 0, 0, 1, 1, 0]);
        assert_eq!(found.numbers[14..22], links);
    }
}
