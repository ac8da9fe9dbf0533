//! Exports the selection of blocks and the search for the end of a story.

use std::panic::{catch_unwind, AssertUnwindSafe};

use super::slices::{slice, slice_mut};
use super::{hand_over, hidden_runs};
use crate::choice::{choose, counts, spans, Borders, Care};
use crate::columns::Columns;
use crate::ending::{Chosen, CommentLine, List};

/// Mark which of `count` blocks are selected in `selected`, which is all 0. Returns the F measure to be expected, or -1 after a
/// panic. `weight` is that of recall; the blocks of a story are selected with the care of a `middling` and a `long` one.
#[no_mangle]
pub unsafe extern "C" fn tidings_choose(
    chance: *const f64,
    words: *const i64,
    count: usize,
    weight: f64,
    is_story: bool,
    middling: f64,
    long: f64,
    selected: *mut u8,
) -> f64 {
    let (chance, words, selected) = (slice(chance, count), slice(words, count), slice_mut(selected, count));
    let care = Care { middling, long };
    let care = if is_story { Some(&care) } else { None };
    catch_unwind(AssertUnwindSafe(|| choose(chance, words, weight, care, selected))).unwrap_or(-1.0)
}

/// What may end a story of which `count` visible blocks were looked at, and what was chosen of it as long as nothing does. Returns
/// how many numbers `out` has got, or -1; there is room for eleven, for ten a block and for two a run:
/// - chosen blocks with enough linked words, whether there is data in a chosen block, whether one may repeat another, how many
///   blocks stand in elements of one tag if there are several of these, how many lines may stand over comments, how many numbers
///   lists take;
/// - five counts of words (`crate::choice::counts`);
/// - of each such block, and then of each line, the place, where it begins and where it ends;
/// - the lists that may be of other stories, each as the number of its items and these, if there are enough chosen blocks with
///   linked words;
/// - starts and ends in turn of what a reader sees.
///
/// `numbers`: of a line its words, the words before it, blocks and dates behind it; the tag; linked words, and how many blocks
/// have them where lists are looked for; words of data, and the two characters that it is told by; words of what is repeated; those
/// of `List`; words of a paragraph. `shares`: of a block's words in links; chances of what is surely out and surely in.
#[no_mangle]
pub unsafe extern "C" fn tidings_endings(
    columns: *const Columns,
    blocks: *const i64,
    dates: *const f64,
    chance: *const f64,
    chosen: *const u8,
    count: usize,
    numbers: *const i64,
    shares: *const f64,
    out: *mut i64,
) -> i64 {
    let found = chosen_of(columns, blocks, dates, chosen, count);
    let (hidden, chance) = (hidden_runs(found.page), slice(chance, count));
    let (numbers, shares): ([i64; 20], [f64; 3]) = (*numbers.cast(), *shares.cast());
    let told = catch_unwind(AssertUnwindSafe(|| {
        let [words, story, reach, dates, tag, linked, linking, data, one, other, said, list @ .., paragraph] = numbers;
        let [pointing, out, inside] = shares;
        let are_several = found.page.tag().iter().filter(|&&own| own == tag).nth(1).is_some();
        let headings = if are_several { found.inside(tag) } else { Vec::new() };
        let line = CommentLine { words, story, reach: reach as usize, dates: dates as f64 };
        let lines = found.comment_lines(&line);
        let is_data = found.are_signed(data, [one as u8, other as u8]);
        let links = found.linking(linked) as i64;
        let lists = if links >= linking { lists_of(&found, list, pointing) } else { Vec::new() };
        let sizes = [headings.len() / 3, lines.len() / 3, lists.len()].map(|size| size as i64);
        let mut told = vec![links, i64::from(is_data), i64::from(found.may_repeat(said))];
        told.extend(sizes);
        told.extend(counts(found.page, found.blocks, chance, found.chosen, &Borders { out, inside, paragraph }));
        for some in [headings, lines, lists, spans(found.page, hidden, found.blocks, found.chosen)] {
            told.extend(some);
        }
        told
    }));
    hand_over(told, out)
}

fn lists_of(found: &Chosen, numbers: [i64; 8], pointing: f64) -> Vec<i64> {
    let [items, between, teaser, linked, least_linked, item, story, behind] = numbers;
    let (items, between) = (items as usize, between as usize);
    let list = List { items, between, teaser, pointing, linked, least_linked, item, story, behind };
    let lists = found.lists(&list);
    lists.iter().flat_map(|items| std::iter::once(items.len() as i64).chain(items.iter().copied())).collect()
}

unsafe fn chosen_of<'a>(
    columns: *const Columns,
    blocks: *const i64,
    dates: *const f64,
    chosen: *const u8,
    count: usize,
) -> Chosen<'a> {
    let (blocks, dates) = (slice(blocks, count), slice(dates, count + 1));
    Chosen { page: &*columns, blocks, dates, chosen: slice(chosen, count) }
}
