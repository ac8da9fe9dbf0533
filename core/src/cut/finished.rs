//! Renders what rules cut out as the text of an article, without texts that its site repeats (`tidings.sites.extraction.repeated_texts`).

use crate::block_rows::BlockRows;
use crate::block_texts::Fragment;
use crate::blocks::plain::{add, drop_break_signs, marker};
use crate::blocks::{Found, KIND_ITEM};

/// So much of a page repeated is the same story at another address: half of it.
const SAME_STORY: usize = 2;
/// Blocks and characters that tell the script of a text.
const FIRST: usize = 8;
const SAMPLE: usize = 400;
/// Characters that tell which way a text runs.
const LETTERS: usize = 20_000;

/// A text without what its site repeats.
#[derive(Default)]
pub struct Finished {
    pub codes: Vec<u32>,
    /// Characters of the page in it, and no more than so many of those of all blocks are in links.
    pub size: usize,
    pub linked: i64,
    /// Characters of its beginning that are ASCII, and how many that has.
    pub latin: (usize, usize),
    /// Characters that tell which way it runs; none where none of all runs leftwards.
    pub letters: Vec<u32>,
    /// Of the texts of all blocks.
    pub hashes: Vec<u64>,
    /// Which blocks are left out.
    pub out: Vec<bool>,
    /// The blocks, if they were asked for and the fragment need not be read as a page.
    pub blocks: Option<(Found, BlockRows)>,
}

impl Finished {
    /// What blocks say, without some texts, told by their hashes in order.
    pub fn new(said: Fragment, noise: &[u64]) -> Self {
        let hashes: Vec<u64> = said.hashes().collect();
        let texts: Vec<&[u32]> = said.texts().collect();
        let mut out: Vec<bool> = hashes.iter().map(|hash| noise.binary_search(hash).is_ok()).collect();
        let repeated: usize = texts.iter().zip(&out).filter(|(_, &is_out)| is_out).map(|(text, _)| text.len()).sum();
        if repeated * SAME_STORY > said.codes.len() {
            out.iter_mut().for_each(|is_out| *is_out = false);
        }
        let mut found = Finished { hashes, linked: said.linked, ..Finished::default() };
        found.codes.reserve(said.codes.len() + 2 * texts.len());
        let (mut before, mut first) = (None, 0);
        let rows = texts.iter().zip(&said.found.blocks).zip(&out).filter(|(_, &is_out)| !is_out);
        for ((text, &[kind, _, depth, item, number, ..]), _) in rows {
            if let Some(before) = before {
                let is_close = before == kind && kind == KIND_ITEM;
                found.codes.extend_from_slice(&[10, 10][usize::from(is_close)..]);
            }
            before = Some(kind);
            add(&mut found.codes, text, &marker(kind, item, number), depth);
            found.size += text.len();
            if first < FIRST && found.latin.1 < SAMPLE {
                let some = &text[..text.len().min(SAMPLE - found.latin.1)];
                found.latin.0 += some.iter().filter(|&&code| code < 0x80).count();
                found.latin.1 += some.len();
            }
            first += 1;
        }
        found.size -=
            said.between_cells.iter().filter(|table| !out[table.0]).map(|&(_, between)| between).sum::<usize>();
        if said.codes.iter().fold(false, |some, &code| some | runs_leftwards(code)) {
            let kept = texts.iter().zip(&out).filter(|(_, &is_out)| !is_out).flat_map(|(text, _)| text.iter());
            found.letters = kept.take(LETTERS).copied().collect();
        }
        drop_break_signs(&mut found.codes);
        found.out = out;
        let Fragment { rows, found: blocks, .. } = said;
        found.blocks = rows.map(|rows| (blocks, rows));
        found
    }
}

/// Whether a character is of a script that runs leftwards (`tidings.article.direction`). No branch, so that it becomes
/// vector code.
fn runs_leftwards(code: u32) -> bool {
    let is_from = |first: u32, last: u32| code.wrapping_sub(first) <= last - first;
    is_from(0x590, 0x8FF)
        | is_from(0xFB1D, 0xFDFF)
        | is_from(0xFE70, 0xFEFC)
        | is_from(0x1_0800, 0x1_0FFF)
        | is_from(0x1_E800, 0x1_EFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(texts: &[(&str, [i64; 4])], noise: &[usize]) -> (String, Vec<bool>) {
        let mut said = Fragment::default();
        for &(text, [kind, item, number, depth]) in texts {
            said.codes.extend(text.chars().map(u32::from));
            said.ends.push(said.codes.len());
            said.found.blocks.push([kind, 0, depth, item, number, 0, 0, 0, 0, 0]);
        }
        let hashes: Vec<u64> = said.hashes().collect();
        let mut noise: Vec<u64> = noise.iter().map(|&place| hashes[place]).collect();
        noise.sort_unstable();
        let found = Finished::new(said, &noise);
        (found.codes.iter().filter_map(|&code| char::from_u32(code)).collect(), found.out)
    }

    #[test]
    fn items_stand_behind_their_markers() {
        let texts =
            [("one", [1, 0, 0, 0]), ("two\nlines", [2, 1, 0, 1]), ("three", [2, 3, 11, 2]), ("four", [3, 1, 0, 1])];
        assert_eq!(finished(&texts, &[]).0, "one\n\n- two\n  lines\n  11. three\n\n- four");
    }

    #[test]
    fn what_is_repeated_goes_unless_it_is_most_of_the_text() {
        let texts = [("one", [1, 0, 0, 0]), ("two", [1, 0, 0, 0]), ("three", [1, 0, 0, 0])];
        assert_eq!(finished(&texts, &[1]), ("one\n\nthree".into(), vec![false, true, false]));
        assert_eq!(finished(&texts, &[0, 1]).1, [false; 3]);
    }

    #[test]
    fn signs_of_line_breaks_go_but_for_those_that_part_words() {
        let (text, _) = finished(&[("a\u{ad}b\u{200b}c\u{feff}\u{e01}\u{200b}\u{200b}d\u{2060}", [1, 0, 0, 0])], &[]);
        assert_eq!(text, "abc\u{e01}\u{200b}d");
    }
}
