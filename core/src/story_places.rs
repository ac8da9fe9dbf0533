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

/// Numbers before the rows, numbers of a link, and of an element with words.
pub const HEAD: usize = 14;
/// The number of tags in a query.
pub const QUERY_TAGS: usize = 7;
const LINK: usize = 4;
const UNIT_ELEMENT_NUMBERS: usize = 4;
/// Types of URLs: absolute, path from the root of the site, other.
const OTHER: i64 = 0;
const PLAIN: i64 = 1;
const PATH: i64 = 2;

/// The tags of a query.
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
    pub fn new(numbers: [i64; QUERY_TAGS]) -> PlaceTags {
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
    /// Whether a range overlaps them.
    fn touch(&self, start: i64, end: i64) -> bool {
        self.starts.partition_point(|&begin| begin < end) > self.ends.partition_point(|&behind| behind <= start)
    }

    /// Return for each run of a page whether it overlaps them.
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

/// The selection, and what to locate.
pub struct PlaceQuery<'a> {
    pub tags: PlaceTags,
    /// The visible selection, and the whole selection.
    pub visible: Ranges<'a>,
    pub selected: Ranges<'a>,
    /// By run whether it is hidden.
    pub hidden: &'a [u8],
    /// The words in the start tag of each element, as bits.
    pub word_bits: &'a [u64],
    /// If pictures are to be located.
    pub pictures: Option<PictureSettings<'a>>,
    pub tables: &'a Tables,
    pub reading: Reading<'a>,
}

/// Attributes that ancestors of the whole text may declare.
const DECLARED: [&[u8]; 2] = [b"dir", b"lang"];
/// Extensions of audio files.
const FILES: [&[u8]; 9] = [b"mp3", b"m4a", b"m4b", b"oga", b"ogg", b"opus", b"aac", b"flac", b"wav"];

/// For each run whether it is selected, and numbers:
///
/// the first and the last selected run, -1 if there is none; whether an element ends after its parent, a link may lead to
/// an audio file, a table has selected text, a letter may be right-to-left, there are abbreviations; all words in start
/// tags; the numbers of links, lists, pictures, ancestors, elements with words and data tables; then these. A link: its
/// element, the range of its URL in the source (-1 if the caller has to parse the tag) and the type of the URL. A picture:
/// `PictureLocation::numbers`. An ancestor of the whole text that may declare something. An element with words: itself, its
/// words, first run, and the run after its last.
pub struct StoryPlaces {
    pub selected: Vec<u8>,
    pub numbers: Vec<i64>,
}

impl StoryPlaces {
    pub fn new<U: Unit>(source: &[U], page: &Columns, query: &PlaceQuery) -> StoryPlaces {
        let selected = query.visible.runs(page);
        let first = selected.iter().position(|&is_selected| is_selected != 0).map_or(-1, |run| run as i64);
        let last = selected.iter().rposition(|&is_selected| is_selected != 0).map_or(-1, |run| run as i64);
        let finder = Finder { source, page, query, selected: &selected };
        let has_outlived = finder.has_outlived();
        let around = if has_outlived { Some(finder.ancestors()) } else { None };
        let holds = |element: usize| match &around {
            Some(around) => !query.visible.starts.is_empty() && around[element],
            None => finder.holds(element),
        };
        let (mut links, mut lists, mut unit_elements) = (Vec::new(), Vec::new(), Vec::new());
        let (mut has_table, mut may_play, mut has_abbreviations, mut all_words) = (false, false, false, 0);
        let before = prefix_sums(selected.len(), |run| selected[run] != 0);
        let mut sizes = None; // not needed on most pages
        let tags = &query.tags;
        for (element, &tag) in page.tag().iter().enumerate() {
            if tag == tags.link {
                let own = finder.start_tag(element);
                if before[page.last()[element] as usize] > before[page.first()[element] as usize] {
                    may_play = may_play || names_audio_file(own);
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
                    && sizes.get_or_insert_with(|| Sizes::new(page, query.hidden, &selected)).is_cut(
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
            let words = query.word_bits[element];
            if words != 0 {
                all_words |= words;
                unit_elements.extend([element as i64, words as i64, page.first()[element], page.last()[element]]);
            }
        }
        let written = Written { source, tables: query.tables };
        let pictures = query
            .pictures
            .as_ref()
            .map_or_else(Vec::new, |settings| locate(&written, page, query.hidden, &selected, &before, settings));
        let declaring = finder.declaring();
        let tables_of_data = DataTables::new(&written, &query.reading).tables;
        let mut numbers = vec![
            first,
            last,
            i64::from(has_outlived),
            i64::from(may_play),
            i64::from(has_table),
            i64::from(finder.may_be_right_to_left()),
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
        StoryPlaces { selected, numbers }
    }
}

struct Finder<'a, U> {
    source: &'a [U],
    page: &'a Columns,
    query: &'a PlaceQuery<'a>,
    selected: &'a [u8],
}

impl<'a, U: Unit> Finder<'a, U> {
    fn tag_start(&self, element: usize) -> usize {
        self.page.tag_range(element).0
    }

    fn start_tag(&self, element: usize) -> &'a [U] {
        let (start, end) = self.page.tag_range(element);
        &self.source[start..end]
    }

    /// Whether an element ends after its parent: `<a><p>one<a>two</a>three`, where `a` ends `a`.
    fn has_outlived(&self) -> bool {
        let (last, parent) = (self.page.last(), self.page.parent());
        last.iter().zip(parent).skip(1).any(|(&own, &around)| own > last[around as usize])
    }

    /// Return by element whether it is an ancestor of selected text.
    fn ancestors(&self) -> Vec<bool> {
        let mut around = vec![false; self.page.tag().len()];
        for run in (0..self.selected.len()).filter(|&run| self.selected[run] != 0) {
            let mut at = self.page.run_element(run);
            while at > 0 && !around[at] {
                around[at] = true;
                at = self.page.parent()[at] as usize;
            }
        }
        around
    }

    /// Whether an element has selected text, by its runs.
    fn holds(&self, element: usize) -> bool {
        let (first, last) = (self.page.first()[element] as usize, self.page.last()[element] as usize);
        first < last && self.query.visible.touch(self.page.text_start()[first], self.page.text_end()[last - 1])
    }

    /// Return the ancestors of the whole selection with a declared attribute, innermost first.
    fn declaring(&self) -> Vec<i64> {
        let (page, mut elements) = (self.page, Vec::new());
        let touched = self.query.selected.runs(page);
        let run_of = |place: Option<usize>| place.unwrap_or(usize::MAX);
        let first = run_of(touched.iter().position(|&is_selected| is_selected != 0));
        let last = run_of(touched.iter().rposition(|&is_selected| is_selected != 0));
        if first == usize::MAX {
            return elements;
        }
        let names: Vec<Word> = DECLARED.iter().map(|name| Word::new(name)).collect();
        let mut element = page.run_element(first);
        while element > 0 {
            if page.last()[element] > last as i64 {
                let own = self.start_tag(element);
                if names.iter().any(|name| name.is_in(own)) {
                    elements.push(element as i64);
                }
            }
            element = page.parent()[element] as usize;
        }
        elements
    }

    /// Whether a visible character is in a Unicode block with right-to-left letters.
    fn may_be_right_to_left(&self) -> bool {
        let Ranges { starts, ends } = self.query.visible;
        starts.iter().zip(ends).any(|(&start, &end)| {
            let text = &self.page.text[start as usize..end as usize];
            text.chunks(64).any(|chunk| {
                // No branch inside, so that it becomes vector code.
                chunk.iter().fold(false, |any, &code| any | (code.wrapping_sub(0x590) < 0x370) | (code >= 0xFB1D))
            })
        })
    }
}

/// For each run the number of visible characters before it, and of selected characters.
struct Sizes {
    visible: Vec<i64>,
    selected: Vec<i64>,
}

impl Sizes {
    fn new(page: &Columns, hidden: &[u8], selected: &[u8]) -> Sizes {
        let (mut visible, mut selected_sizes) = (vec![0], vec![0]);
        for run in 0..selected.len() {
            let size = if hidden[run] == 0 { page.text_end()[run] - page.text_start()[run] } else { 0 };
            visible.push(visible[run] + size);
            selected_sizes.push(selected_sizes[run] + size * i64::from(selected[run]));
        }
        Sizes { visible, selected: selected_sizes }
    }

    /// Whether at least half of a list is selected, but not all; for a list of terms any part.
    fn is_cut(&self, first: usize, last: usize, is_of_terms: bool) -> bool {
        let (whole, part) = (self.visible[last] - self.visible[first], self.selected[last] - self.selected[first]);
        whole > 0 && part < whole && (2 * part >= whole || is_of_terms)
    }
}

/// Whether a start tag contains the name of an audio file.
fn names_audio_file<U: Unit>(tag: &[U]) -> bool {
    let mut at = 0;
    while let Some(dot) = U::find(tag, at, b'.') {
        at = dot + 1;
        if FILES.iter().any(|file| stands(tag, at, file)) {
            return true;
        }
    }
    false
}

/// Return the range of the URL in the start tag of a link in the usual form. None if the tag has to be parsed.
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
        let word_bits: Vec<u64> = (0..page.tag().len()).map(|element| u64::from(element == 2) << 63).collect();
        let visible = Ranges { starts: &[1], ends: &[5] };
        let hidden = [0; 3];
        let query = PlaceQuery {
            tags,
            visible,
            selected: visible,
            hidden: &hidden,
            word_bits: &word_bits,
            pictures: None,
            tables: &tables,
            reading: Reading { page: &page, sets: &[] },
        };
        let found = StoryPlaces::new(html.as_bytes(), &page, &query);
        assert_eq!(found.selected, [1, 0, 0]);
        assert_eq!(found.numbers, [0, 0, 0, 0, 0, 0, 0, i64::MIN, 0, 1, 0, 1, 1, 0, 2, 1, 2, i64::MIN, 0, 3]);
        let visible = Ranges { starts: &[8], ends: &[14] };
        let query = PlaceQuery { visible, selected: visible, reading: Reading { page: &page, sets: &[] }, ..query };
        let found = StoryPlaces::new(html.as_bytes(), &page, &query);
        assert_eq!(found.selected, [0, 1, 1]);
        let at = html.find("/x").expect("an address") as i64;
        let links = [5, at, at + 2, PATH, 6, -1, -1, OTHER];
        assert_eq!(found.numbers[..14], [1, 2, 0, 1, 0, 0, 0, i64::MIN, 2, 0, 0, 1, 1, 0]);
        assert_eq!(found.numbers[14..22], links);
    }
}
