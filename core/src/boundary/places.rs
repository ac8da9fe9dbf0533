//! What stands in and beside chosen text, and what its pictures say.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null_mut;

use super::slices::slice;
use crate::block_texts::Reading;
use crate::columns::Columns;
use crate::data_tables::data_cells;
use crate::picture_choice::NoStory;
use crate::picture_tags::{read_pictures, PictureQuestions};
use crate::sheet::Sheet;
use crate::story_places::{Asked, PlaceTags, Ranges, StoryPlaces, ASKED};
use crate::tables::Tables;
use crate::units::Wide;

/// What stands in and beside chosen text (`crate::story_places`). Returns null if the caller has to look, else a handle to
/// free, and fills `out`: addresses of the flags of runs and of the numbers, and how many numbers there are.
///
/// `tags`: the numbers of twelve tags, and two borders. `spans`: starts and ends of what is shown, then those of all that was chosen.
/// `hidden`: by run, null where the page itself knows. `held`: the words in the start tag of each element.
#[no_mangle]
pub unsafe extern "C" fn tidings_story_places(
    columns: *const Columns,
    tags: *const i64,
    spans: *const i64,
    shown: usize,
    chosen: usize,
    hidden: *const u8,
    held: *const u64,
    with_pictures: bool,
    out: *mut u64,
) -> *mut StoryPlaces {
    let page = &*columns;
    let found = catch_unwind(AssertUnwindSafe(|| {
        let mut asked = [0; ASKED];
        asked.copy_from_slice(slice(tags, ASKED));
        let numbers = slice(spans, 2 * (shown + chosen));
        let (seen, all) = numbers.split_at(2 * shown);
        let hidden = match (hidden.is_null(), &page.unseen) {
            (false, _) => slice(hidden, page.runs()),
            (true, Some((_, runs))) => runs,
            (true, None) => return None,
        };
        let asked = Asked {
            tags: PlaceTags::new(asked),
            shown: Ranges { starts: &seen[..shown], ends: &seen[shown..] },
            chosen: Ranges { starts: &all[..chosen], ends: &all[chosen..] },
            hidden,
            held: slice(held, page.tag().len()),
            with_pictures,
        };
        Some(match &page.source {
            Wide::One(units) => StoryPlaces::new(units, page, &asked),
            Wide::Two(units) => StoryPlaces::new(units, page, &asked),
            Wide::Four(units) => StoryPlaces::new(units, page, &asked),
        })
    }));
    match found {
        Ok(Some(found)) => {
            *out = found.chosen.as_ptr() as u64;
            *out.add(1) = found.numbers.as_ptr() as u64;
            *out.add(2) = found.numbers.len() as u64;
            Box::into_raw(Box::new(found))
        }
        _ => null_mut(),
    }
}

/// What start tags of pictures say, and whether these are seen (`crate::picture_tags`). `names`: attributes, a line each,
/// and behind empty lines words of furniture and of signs. `numbers`: of two tags that are not shown, of offers and of pictures;
/// how large a dot and an icon are; whether paths are seen from an origin. `sheet`: null where the caller has to look. Returns
/// null, or numbers to be freed, and fills `out` with their address and how many there are.
#[no_mangle]
pub unsafe extern "C" fn tidings_read_pictures(
    columns: *const Columns,
    tables: *const Tables,
    sheet: *const Sheet,
    elements: *const i64,
    count: usize,
    names: *const u8,
    size: usize,
    numbers: *const i64,
    out: *mut u64,
) -> *mut Vec<i64> {
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
        sheet: sheet.as_ref(),
        tables: &*tables,
    };
    let found = catch_unwind(AssertUnwindSafe(|| match &page.source {
        Wide::One(units) => read_pictures(units, page, elements, &questions),
        Wide::Two(units) => read_pictures(units, page, elements, &questions),
        Wide::Four(units) => read_pictures(units, page, elements, &questions),
    }));
    match found {
        Ok(numbers) => {
            *out = numbers.as_ptr() as u64;
            *out.add(1) = numbers.len() as u64;
            Box::into_raw(Box::new(numbers))
        }
        Err(_) => null_mut(),
    }
}

/// The cells of the tables of data of a page (`crate::data_tables`): `sets` are those that each tag is in. Returns null, or
/// numbers to be freed as those of pictures are, and fills `out` with their address and how many there are.
#[no_mangle]
pub unsafe extern "C" fn tidings_data_cells(
    columns: *const Columns,
    sets: *const u16,
    count: usize,
    out: *mut u64,
) -> *mut Vec<i64> {
    let reading = Reading { page: &*columns, sets: slice(sets, count) };
    match catch_unwind(AssertUnwindSafe(|| data_cells(&reading))) {
        Ok(numbers) => {
            *out = numbers.as_ptr() as u64;
            *out.add(1) = numbers.len() as u64;
            Box::into_raw(Box::new(numbers))
        }
        Err(_) => null_mut(),
    }
}
