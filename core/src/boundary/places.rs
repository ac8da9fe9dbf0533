//! Exports the search for places around the selected text, and the reader of picture tags.

use std::os::raw::c_int;

use super::answers::{answered, Answer};
use super::cut::ArticleTables;
use super::slices::slice;
use crate::block_texts::Reading;
use crate::columns::Columns;
use crate::picture_choice::NoStory;
use crate::picture_tags::{read_pictures, PictureQuestions};
use crate::sheet::Sheet;
use crate::story_places::{Asked, PlaceTags, Ranges, StoryPlaces, ASKED};
use crate::units::Wide;

/// What stands in and beside chosen text (`crate::story_places`), as numbers, and by run whether it is chosen, as bytes.
///
/// `tags`: the numbers of twelve tags, and two borders. `spans`: starts and ends of what is shown, then those of all that was
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
            with_pictures,
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

/// What start tags of pictures say, and whether these are seen (`crate::picture_tags`). `names`: attributes, a line each,
/// and behind empty lines words of furniture and of signs. `numbers`: of two tags that are not shown, of offers and of pictures;
/// how large a dot and an icon are; whether paths are seen from an origin.
#[no_mangle]
pub unsafe extern "C" fn tidings_read_pictures(
    columns: *const Columns,
    known: *const ArticleTables,
    sheet: *const Sheet,
    elements: *const i64,
    count: usize,
    names: *const u8,
    size: usize,
    numbers: *const i64,
    out: *mut u64,
) -> c_int {
    let (page, elements) = (&*columns, slice(elements, count));
    let (names, numbers) = (slice(names, size), slice(numbers, 7));
    let mut lines = names.split(|&byte| byte == b'\n');
    let mut words = || lines.by_ref().take_while(|line| !line.is_empty()).collect::<Vec<&[u8]>>();
    let (names, furniture, signs) = (words(), words(), words());
    let questions = PictureQuestions {
        names,
        not_shown: [numbers[0], numbers[1]],
        offer: numbers[2],
        picture: numbers[3],
        no_story: NoStory { dot: numbers[4], icon: numbers[5], furniture, signs, has_origin: numbers[6] != 0 },
        sheet: &*sheet,
        tables: (*known).tables(),
    };
    answered(out, || {
        Answer::of_numbers(match &page.source {
            Wide::One(units) => read_pictures(units, page, elements, &questions),
            Wide::Two(units) => read_pictures(units, page, elements, &questions),
            Wide::Four(units) => read_pictures(units, page, elements, &questions),
        })
    })
}
