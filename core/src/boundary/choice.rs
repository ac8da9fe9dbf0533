//! Exports the selection of blocks and the search for the end of a story.

use std::panic::{catch_unwind, AssertUnwindSafe};

use super::slices::{slice, slice_mut};
use super::{hand_over, hidden_runs};
use crate::choice::{choose, counts, spans, CountThresholds, StoryLengths};
use crate::columns::Columns;
use crate::ending::{CommentLine, List, SelectedBlocks};

/// Mark the selected ones of `count` blocks in `selected`, which is all 0. Returns the expected F measure, or -1 after a
/// panic. `weight` is that of recall; `middling` and `long` are the numbers of words of such stories.
#[no_mangle]
pub unsafe extern "C" fn tidings_choose(
    probabilities: *const f64,
    words: *const i64,
    count: usize,
    weight: f64,
    is_story: bool,
    middling: f64,
    long: f64,
    selected: *mut u8,
) -> f64 {
    let (probabilities, words, selected) =
        (slice(probabilities, count), slice(words, count), slice_mut(selected, count));
    let lengths = StoryLengths { middling, long };
    let lengths = if is_story { Some(&lengths) } else { None };
    catch_unwind(AssertUnwindSafe(|| choose(probabilities, words, weight, lengths, selected))).unwrap_or(-1.0)
}

/// Find the candidates for the end of a story with `count` visible blocks, and the spans of its selected blocks. Returns the
/// number of numbers in `out`, or -1; there is space for eleven, for ten per block and for two per run:
/// - the number of selected blocks with enough linked words, whether a selected block has data, whether a block may repeat
///   another, the numbers of headings and of lines that may be headings of comments, and the length of the lists;
/// - five counts of words (`crate::choice::counts`);
/// - for each heading, then for each line, the index of its block, its start and its end;
/// - lists that may be of other stories, each as the number of its items and the items, if enough selected blocks have
///   linked words;
/// - alternating starts and ends of the visible selection.
///
/// `numbers`: the four numbers of `CommentLine`; the tag of headings; linked words of a block, and the number of such blocks
/// from which lists are searched; words of a block of data, and its two signs; words of a repeated block; the numbers of
/// `List`; words of a paragraph. `shares`: the share of a block's words in links; probabilities of what is surely out and
/// surely in.
#[no_mangle]
pub unsafe extern "C" fn tidings_endings(
    columns: *const Columns,
    blocks: *const i64,
    dates: *const f64,
    probabilities: *const f64,
    selected: *const u8,
    count: usize,
    numbers: *const i64,
    shares: *const f64,
    out: *mut i64,
) -> i64 {
    let story_blocks = selected_blocks(columns, blocks, dates, selected, count);
    let (hidden, probabilities) = (hidden_runs(story_blocks.page), slice(probabilities, count));
    let (numbers, shares): ([i64; 20], [f64; 3]) = (*numbers.cast(), *shares.cast());
    let endings = catch_unwind(AssertUnwindSafe(|| {
        let [words, story, reach, dates, tag, linked, linking_blocks, data, first_sign, second_sign, repeated, list @ .., paragraph] =
            numbers;
        let [pointing, out, inside] = shares;
        let has_several = story_blocks.page.tag().iter().filter(|&&own| own == tag).nth(1).is_some();
        let headings = if has_several { story_blocks.inside(tag) } else { Vec::new() };
        let line = CommentLine { words, story, reach: reach as usize, dates: dates as f64 };
        let lines = story_blocks.comment_lines(&line);
        let is_data = story_blocks.has_sign(data, [first_sign as u8, second_sign as u8]);
        let links = story_blocks.linking(linked) as i64;
        let lists = if links >= linking_blocks { lists_of(&story_blocks, list, pointing) } else { Vec::new() };
        let sizes = [headings.len() / 3, lines.len() / 3, lists.len()].map(|size| size as i64);
        let mut result = vec![links, i64::from(is_data), i64::from(story_blocks.may_repeat(repeated))];
        result.extend(sizes);
        result.extend(counts(
            story_blocks.page,
            story_blocks.blocks,
            probabilities,
            story_blocks.selected,
            &CountThresholds { out, inside, paragraph },
        ));
        for part in
            [headings, lines, lists, spans(story_blocks.page, hidden, story_blocks.blocks, story_blocks.selected)]
        {
            result.extend(part);
        }
        result
    }));
    hand_over(endings, out)
}

fn lists_of(blocks: &SelectedBlocks, numbers: [i64; 8], pointing: f64) -> Vec<i64> {
    let [items, between, teaser, linked, least_linked, item, story, behind] = numbers;
    let (items, between) = (items as usize, between as usize);
    let list = List { items, between, teaser, pointing, linked, least_linked, item, story, behind };
    let lists = blocks.lists(&list);
    lists.iter().flat_map(|items| std::iter::once(items.len() as i64).chain(items.iter().copied())).collect()
}

unsafe fn selected_blocks<'a>(
    columns: *const Columns,
    blocks: *const i64,
    dates: *const f64,
    selected: *const u8,
    count: usize,
) -> SelectedBlocks<'a> {
    let (blocks, dates) = (slice(blocks, count), slice(dates, count + 1));
    SelectedBlocks { page: &*columns, blocks, dates, selected: slice(selected, count) }
}
