//! Exports the search for places around the selected text, and the reader of picture tags.

use std::os::raw::c_int;

use super::answers::{answered, Answer};
use super::cut::ArticleTables;
use super::slices::slice;
use crate::block_texts::Reading;
use crate::columns::Columns;
use crate::pictures::tags::TagReader;
use crate::sheet::Sheet;
use crate::story_places::{Asked, PlaceTags, Ranges, StoryPlaces, ASKED};
use crate::units::{Unit, Wide};

/// What stands in and beside chosen text (`crate::story_places`), as numbers, and by run whether it is chosen, as bytes.
///
/// `tags`: the numbers of seven tags. `spans`: starts and ends of what is shown, then those of all that was
/// chosen. `held`: the words in the start tag of each element.
#[no_mangle]
pub unsafe extern "C" fn tidings_story_places(
    columns: *const Columns,
    known: *const ArticleTables,
    tags: *const i64,
    spans: *const i64,
    shown: usize,
    chosen: usize,
    held: *const u64,
    with_pictures: bool,
    out: *mut u64,
) -> c_int {
    let (page, known) = (&*columns, &*known);
    let mut asked = [0; ASKED];
    asked.copy_from_slice(slice(tags, ASKED));
    let numbers = slice(spans, 2 * (shown + chosen));
    let held = slice(held, page.tag().len());
    answered(out, || {
        let (seen, all) = numbers.split_at(2 * shown);
        let asked = Asked {
            tags: PlaceTags::new(asked),
            shown: Ranges { starts: &seen[..shown], ends: &seen[shown..] },
            chosen: Ranges { starts: &all[..chosen], ends: &all[chosen..] },
            hidden: page.unseen.as_ref().map_or(&[], |(_, runs)| runs),
            held,
            pictures: with_pictures.then(|| known.pictures()),
            tables: known.tables(),
            reading: Reading { page, sets: known.sets() },
        };
        let found = match &page.source {
            Wide::One(units) => StoryPlaces::new(units, page, &asked),
            Wide::Two(units) => StoryPlaces::new(units, page, &asked),
            Wide::Four(units) => StoryPlaces::new(units, page, &asked),
        };
        Answer::of_bytes(found.numbers, found.chosen)
    })
}

/// The sources of some pictures of a page: for each -1 if it is hidden or no picture of a story, else the numbers and
/// texts of `PictureTag::append`.
#[no_mangle]
pub unsafe extern "C" fn tidings_read_pictures(
    columns: *const Columns,
    known: *const ArticleTables,
    sheet: *const Sheet,
    elements: *const i64,
    count: usize,
    out: *mut u64,
) -> c_int {
    let (page, known, sheet, elements) = (&*columns, &*known, &*sheet, slice(elements, count));
    answered(out, || match &page.source {
        Wide::One(units) => read_pictures(units, page, known, sheet, elements),
        Wide::Two(units) => read_pictures(units, page, known, sheet, elements),
        Wide::Four(units) => read_pictures(units, page, known, sheet, elements),
    })
}

fn read_pictures<U: Unit>(
    source: &[U],
    page: &Columns,
    known: &ArticleTables,
    sheet: &Sheet,
    elements: &[i64],
) -> Answer {
    let reading = Reading { page, sets: known.sets() };
    let mut reader = TagReader::new(source, &reading, known.pictures(), sheet, known.tables());
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
