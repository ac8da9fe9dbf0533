//! Exports the search for places around the selected text, and the reader of picture tags.

use std::os::raw::c_int;

use super::answers::{answered, Answer};
use super::cut::ArticleTables;
use super::slices::slice;
use crate::block_texts::Reading;
use crate::columns::Columns;
use crate::pictures::tags::TagReader;
use crate::sheet::Sheet;
use crate::story_places::{PlaceQuery, PlaceTags, Ranges, StoryPlaces, QUERY_TAGS};
use crate::units::{with_units, Unit};

/// Locate elements in and near the selected text (`crate::story_places`): numbers, and by run whether it is selected.
///
/// `tags`: the numbers of seven tags. `spans`: starts and ends of the visible selection, then of the whole selection.
/// `word_bits`: the words in the start tag of each element.
#[no_mangle]
pub unsafe extern "C" fn tidings_story_places(
    columns: *const Columns,
    article_tables: *const ArticleTables,
    tags: *const i64,
    spans: *const i64,
    visible: usize,
    selected: usize,
    word_bits: *const u64,
    with_pictures: bool,
    out: *mut u64,
) -> c_int {
    let (page, article_tables) = (&*columns, &*article_tables);
    let mut query = [0; QUERY_TAGS];
    query.copy_from_slice(slice(tags, QUERY_TAGS));
    let numbers = slice(spans, 2 * (visible + selected));
    let word_bits = slice(word_bits, page.tag().len());
    answered(out, || {
        let (visible_spans, selected_spans) = numbers.split_at(2 * visible);
        let query = PlaceQuery {
            tags: PlaceTags::new(query),
            visible: Ranges { starts: &visible_spans[..visible], ends: &visible_spans[visible..] },
            selected: Ranges { starts: &selected_spans[..selected], ends: &selected_spans[selected..] },
            hidden: page.unseen.as_ref().map_or(&[], |(_, runs)| runs),
            word_bits,
            pictures: with_pictures.then(|| article_tables.pictures()),
            tables: article_tables.tables(),
            reading: Reading { page, sets: article_tables.sets() },
        };
        let places = with_units!(&page.source, units => StoryPlaces::new(units, page, &query));
        Answer::of_bytes(places.numbers, places.selected)
    })
}

/// The sources of some pictures of a page: for each -1 if it is hidden or no picture of a story, else the numbers and
/// texts of `PictureTag::append`.
#[no_mangle]
pub unsafe extern "C" fn tidings_read_pictures(
    columns: *const Columns,
    article_tables: *const ArticleTables,
    sheet: *const Sheet,
    elements: *const i64,
    count: usize,
    out: *mut u64,
) -> c_int {
    let (page, article_tables, sheet, elements) = (&*columns, &*article_tables, &*sheet, slice(elements, count));
    answered(out, || with_units!(&page.source, units => read_pictures(units, page, article_tables, sheet, elements)))
}

fn read_pictures<U: Unit>(
    source: &[U],
    page: &Columns,
    article_tables: &ArticleTables,
    sheet: &Sheet,
    elements: &[i64],
) -> Answer {
    let reading = Reading { page, sets: article_tables.sets() };
    let mut reader = TagReader::new(source, &reading, article_tables.pictures(), sheet, article_tables.tables());
    let hidden_pieces = page.unseen.as_ref().map_or(&[][..], |(pieces, _)| pieces);
    let is_hidden_box = |element: usize| {
        element > 0 && hidden_pieces.get(page.opened()[element] as usize + 1).map_or(false, |&hidden| hidden > 1)
    };
    let (mut numbers, mut codes) = (Vec::with_capacity(4 * elements.len()), Vec::new());
    for &element in elements {
        match reader.read(element as usize).filter(|tag| !is_hidden_box(tag.text_ancestor)) {
            Some(tag) => tag.append(&mut numbers, &mut codes),
            None => numbers.push(-1),
        }
    }
    Answer::of_text(numbers, Vec::new(), &codes)
}
