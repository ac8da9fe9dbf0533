//! Reads the pictures of a fragment whose whole visible text is the story (`tidings.sites.extraction.fragment_pictures`).

use std::ops::Range;

use crate::block_texts::{FragmentTables, Reading, HIDDEN, NEVER_ASKED, UNCLEAR};
use crate::columns::Columns;
use crate::needles::Word;
use crate::pictures::tags::TagReader;
use crate::pictures::{locate, prefix_sums, BESIDE, BETWEEN, CAPTIONED, LEADING};
use crate::sheet::Sheet;
use crate::tag_words::words_of_all_tags;
use crate::units::{fold, Unit};
use crate::written::Written;

/// The visible pictures of a fragment.
#[derive(Default)]
pub struct FragmentPictures {
    pub count: usize,
    /// For each picture: its run, its figure or 0, the ends of the caption of its figure and of a neighbouring caption
    /// among the texts (-1: none), the number of its URLs, and the ends of its `alt` and of its URLs.
    pub numbers: Vec<i64>,
    pub codes: Vec<u32>,
}

/// Return the pictures of a fragment. None if they need a page.
pub fn fragment_pictures<U: Unit>(
    source: &[U],
    reading: &Reading,
    fragment_tables: FragmentTables,
    sheet: &Sheet,
    hiding: &[u8],
    hidden: &[u8],
) -> Option<FragmentPictures> {
    let FragmentTables { tables, pictures: settings, .. } = fragment_tables;
    let page = reading.page;
    let selected: Vec<u8> = hidden.iter().map(|&is_hidden| 1 - is_hidden).collect();
    let before = prefix_sums(selected.len(), |run| selected[run] != 0);
    let mut reader = TagReader::new(source, reading, settings, sheet, tables);
    let mut pictures = FragmentPictures::default();
    let mut candidates = 0;
    for location in locate(&Written { source, tables }, page, hidden, &selected, &before, &settings) {
        let (element, figure, relation) = (location.element, location.figure, location.relation);
        let is_beside = relation & BESIDE != 0;
        if relation & BETWEEN != 0 && !is_beside && figure == 0 && location.holder > 0 {
            return None; // the caller decides whether a box is a caption
        }
        if relation & CAPTIONED == 0 && (relation & (BETWEEN | LEADING) == 0 || !is_beside) {
            continue;
        }
        if figure > 0 {
            let range = page.element_start()[figure] as usize..page.element_end()[figure] as usize;
            if settings.credits.split(|&byte| byte == b'\n').any(|word| Word::new(word).is_in(&source[range.clone()])) {
                return None; // the figure may name the photographer
            }
        }
        candidates += 1;
        let tag = match reader.read(element) {
            Some(tag) => tag,
            None => continue,
        };
        if may_be_hidden(reading, hiding, tag.text_ancestor) {
            return None;
        }
        pictures.numbers.extend([page.first()[element], figure as i64]);
        for (first, last) in [location.caption, location.neighbour] {
            let end = if first < 0 { -1 } else { pictures.add_text(page, hidden, first as usize..last as usize)? };
            pictures.numbers.push(end);
        }
        tag.append(&mut pictures.numbers, &mut pictures.codes);
        pictures.count += 1;
    }
    let is_alone = candidates < 2
        || (words_of_all_tags(source, page, tables, settings.galleries) == 0 && !has_nested(page, settings.figure));
    is_alone.then_some(pictures) // several pictures may be a gallery
}

impl FragmentPictures {
    /// Append the text of some runs and return its end. None if some of it is hidden.
    fn add_text(&mut self, page: &Columns, hidden: &[u8], runs: Range<usize>) -> Option<i64> {
        if hidden[runs.clone()].iter().any(|&is_hidden| is_hidden != 0) {
            return None;
        }
        if !runs.is_empty() {
            let text = page.text_start()[runs.start] as usize..page.text_end()[runs.end - 1] as usize;
            fold(&page.text[text], &mut self.codes);
        }
        Some(self.codes.len() as i64)
    }
}

/// Whether an element with text or an ancestor hides its contents. On a page, such text may be shown later.
fn may_be_hidden(reading: &Reading, hiding: &[u8], mut element: usize) -> bool {
    while element > 0 {
        let spelling = usize::try_from(reading.page.spelling()[element]).ok();
        let is_hiding = spelling.and_then(|number| hiding.get(number)).map_or(false, |&is_hiding| is_hiding != 0);
        if is_hiding || reading.is(element, HIDDEN | NEVER_ASKED | UNCLEAR) {
            return true;
        }
        element = reading.parent(element);
    }
    false
}

/// Whether an element of a tag is inside another with the tag.
fn has_nested(page: &Columns, tag: i64) -> bool {
    let elements: Vec<usize> = (1..page.tag().len()).filter(|&element| page.tag()[element] == tag).collect();
    elements.windows(2).any(|pair| page.element_start()[pair[1]] < page.element_end()[pair[0]])
}
