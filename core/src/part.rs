//! Builds the columns of a part of a page, with the offsets of the whole page.

use std::sync::Arc;

use crate::columns::{nearest_blocks, words, Columns, Writer};
use crate::hidden::TEXT;
use crate::tables::Tables;

/// The runs of a part: for each the run of the whole page, and its remaining ranges of the text and of the source.
pub struct CutRuns<'a> {
    pub whole: &'a [i64],
    pub text_start: &'a [i64],
    pub text_end: &'a [i64],
    pub start: &'a [i64],
    pub end: &'a [i64],
}

/// Return the columns of a part of `page`. Tags, elements, text and what is hidden stay as they are; runs are cut,
/// blocks numbered anew, and only elements that have text in the part have a spelling.
pub fn part(page: &Columns, runs: &CutRuns, tables: &Tables) -> Columns {
    let count = runs.whole.len();
    let whole = |run: usize| runs.whole[run] as usize;
    let piece: Vec<i64> = (0..count).map(|run| page.piece()[whole(run)]).collect();
    let range = |run: usize| (runs.text_start[run] as i32, runs.text_end[run] as i32);
    let run_words: Vec<i64> = (0..count).map(|run| i64::from(words(&page.text, range(run), tables))).collect();
    let flags: Vec<u8> = (0..count).map(|run| page.flags[whole(run)]).collect();
    let behind = |tag: &i64| piece.partition_point(|piece| piece <= tag) as i64;
    let first: Vec<i64> = page.opened().iter().map(behind).collect();
    let last: Vec<i64> = page.closed().iter().map(behind).collect();

    let block_of = |run: usize| page.block()[whole(run)];
    let block_first: Vec<usize> = (0..count).filter(|&run| run == 0 || block_of(run) != block_of(run - 1)).collect();
    let block_last: Vec<usize> = block_first.iter().skip(1).copied().chain((count > 0).then_some(count)).collect();
    let blocks = || block_first.iter().zip(&block_last).map(|(&first, &last)| first..last);

    // Spellings that elements with text in the part have, in their old order.
    let mut numbers = vec![-1; page.spellings()];
    let has_text = |element: usize| first[element] < last[element] && page.spelling()[element] >= 0;
    for element in (0..first.len()).filter(|&element| has_text(element)) {
        numbers[page.spelling()[element] as usize] = 0;
    }
    numbers.iter_mut().filter(|number| **number == 0).zip(0..).for_each(|(number, place)| *number = place);
    let spelled = page.spelled().chunks_exact(2).zip(&numbers).filter(|(_, &number)| number >= 0);

    let mut columns = Writer::new(page.numbers.len());
    let copied = [page.bounds(), page.codes(), page.tag(), page.parent(), page.depth(), page.opened(), page.closed()];
    copied.iter().for_each(|column| columns.add_all(column));
    columns.add_all(page.owner());
    columns.add_all(page.element_start());
    columns.add_all(page.element_end());
    columns.add_all(&first);
    columns.add_all(&last);
    columns.add_all(&piece);
    columns.add_all(runs.start);
    columns.add_all(runs.end);
    columns.add_all(runs.text_start);
    columns.add_all(runs.text_end);
    columns.add(blocks().zip(0..).flat_map(|(runs, block)| runs.map(move |_| block)));
    columns.add_all(&run_words);
    columns.add(block_first.iter().map(|&run| run as i64));
    let nearest = nearest_blocks(page.tag(), page.parent(), tables);
    columns.add(block_first.iter().map(|&run| nearest[page.owner()[piece[run] as usize] as usize]));
    columns.add(blocks().map(|runs| run_words[runs].iter().sum()));
    columns.add(blocks().map(|runs| runs.filter(|&run| flags[run] != 0).map(|run| run_words[run]).sum()));
    columns.add((0..first.len()).map(|element| match has_text(element) {
        true => numbers[page.spelling()[element] as usize],
        false => -1,
    }));
    columns.add(spelled.flat_map(|(range, _)| range.iter().copied()));
    columns.add_all(page.revealed());
    columns.add(piece.iter().map(|&piece| page.owner()[piece as usize]));
    columns.add(block_last.iter().map(|&run| run as i64));

    let unseen = page.unseen.as_ref().map(|(pieces, _)| {
        let hidden = piece.iter().map(|&piece| pieces[piece as usize] & TEXT).collect();
        (Arc::clone(pieces), hidden)
    });
    let (text, sheet) = (Arc::clone(&page.text), Arc::clone(&page.sheet));
    columns.finish(flags, text, page.names.clone(), page.source.clone(), sheet, unseen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{scan, Manner};
    use crate::samples;

    #[test]
    fn runs_are_cut_and_blocks_numbered_anew() {
        let tables = samples::tables();
        let source = b"<p>one<p class=a>two <a>three four</a><p class=b>five";
        let page = scan(&source[..], &tables, Manner { most_tags: 100, ..Manner::default() });
        let text: String = page.text.iter().filter_map(|&code| char::from_u32(code)).collect();
        assert_eq!(text, "one\ntwo three four\nfive");
        // "three f" in two pieces of one run.
        let runs =
            CutRuns { whole: &[2, 2], text_start: &[8, 14], text_end: &[13, 15], start: &[24, 30], end: &[29, 31] };
        let part = part(&page, &runs, &tables);
        assert_eq!((part.block(), part.block_first(), part.block_last()), (&[0, 0][..], &[0][..], &[2][..]));
        assert_eq!((part.run_words(), part.block_link_words()), (&[1, 1][..], &[2][..]));
        assert_eq!((part.first(), part.last()), (&[0, 0, 0, 0, 2][..], &[2, 0, 2, 2, 2][..]));
        assert_eq!((part.spelling(), part.spellings()), (&[-1, -1, 0, 1, -1][..], 2));
        assert_eq!(part.numbers.len(), *part.borders.last().unwrap_or(&0));
    }

    #[test]
    fn nothing_is_a_part_too() {
        let tables = samples::tables();
        let page = scan(&b"<p>one"[..], &tables, Manner { most_tags: 100, ..Manner::default() });
        let none = part(&page, &CutRuns { whole: &[], text_start: &[], text_end: &[], start: &[], end: &[] }, &tables);
        assert_eq!((none.runs(), none.block_first(), none.block_last()), (0, &[][..], &[][..]));
    }
}
