//! Renders the text of an article from a fragment, without texts that its site repeats (`tidings.sites.extraction.repeated_texts`).

use crate::block_rows::BlockRows;
use crate::block_texts::Fragment;
use crate::blocks::plain::{add, drop_break_signs, marker};
use crate::blocks::{BuiltBlocks, KIND_ITEM};

/// If more than half of a text is repeated, it is the same story at another URL.
const SAME_STORY: usize = 2;
/// Blocks and characters in the sample for the script of a text.
const FIRST: usize = 8;
const SAMPLE: usize = 400;
/// Characters in the sample for the direction of a text.
const LETTERS: usize = 20_000;

/// A text without texts that its site repeats.
#[derive(Default)]
pub struct Finished {
    pub codes: Vec<u32>,
    /// The number of page characters in it, and an upper bound of the characters in links, of all blocks.
    pub size: usize,
    pub linked: i64,
    /// The number of ASCII characters in the sample, and its size.
    pub latin: (usize, usize),
    /// The sample for the direction; empty if no character is right-to-left.
    pub letters: Vec<u32>,
    /// Hashes of the texts of all blocks.
    pub hashes: Vec<u64>,
    /// Which blocks are left out.
    pub out: Vec<bool>,
    /// The blocks, if they were requested and the fragment need not be read as a page.
    pub blocks: Option<(BuiltBlocks, BlockRows)>,
}

impl Finished {
    /// Return the text of blocks without the texts of some hashes, which are in order.
    pub fn new(fragment: Fragment, noise: &[u64]) -> Self {
        let hashes: Vec<u64> = fragment.hashes().collect();
        let texts: Vec<&[u32]> = fragment.texts().collect();
        let mut out: Vec<bool> = hashes.iter().map(|hash| noise.binary_search(hash).is_ok()).collect();
        let repeated: usize = texts.iter().zip(&out).filter(|(_, &is_out)| is_out).map(|(text, _)| text.len()).sum();
        if repeated * SAME_STORY > fragment.codes.len() {
            out.iter_mut().for_each(|is_out| *is_out = false);
        }
        let mut finished = Finished { hashes, linked: fragment.linked, ..Finished::default() };
        finished.codes.reserve(fragment.codes.len() + 2 * texts.len());
        let (mut before, mut first) = (None, 0);
        let rows = texts.iter().zip(&fragment.built.blocks).zip(&out).filter(|(_, &is_out)| !is_out);
        for ((text, &[kind, _, depth, item, number, ..]), _) in rows {
            if let Some(before) = before {
                let is_close = before == kind && kind == KIND_ITEM;
                finished.codes.extend_from_slice(&[10, 10][usize::from(is_close)..]);
            }
            before = Some(kind);
            add(&mut finished.codes, text, &marker(kind, item, number), depth);
            finished.size += text.len();
            if first < FIRST && finished.latin.1 < SAMPLE {
                let sample = &text[..text.len().min(SAMPLE - finished.latin.1)];
                finished.latin.0 += sample.iter().filter(|&&code| code < 0x80).count();
                finished.latin.1 += sample.len();
            }
            first += 1;
        }
        finished.size -=
            fragment.between_cells.iter().filter(|table| !out[table.0]).map(|&(_, between)| between).sum::<usize>();
        if fragment.codes.iter().fold(false, |any, &code| any | is_right_to_left(code)) {
            let remaining = texts.iter().zip(&out).filter(|(_, &is_out)| !is_out).flat_map(|(text, _)| text.iter());
            finished.letters = remaining.take(LETTERS).copied().collect();
        }
        drop_break_signs(&mut finished.codes);
        finished.out = out;
        let Fragment { rows, built: blocks, .. } = fragment;
        finished.blocks = rows.map(|rows| (blocks, rows));
        finished
    }
}

/// Whether a character is of a right-to-left script (`tidings.article.direction`). No branch, so that it becomes vector
/// code.
fn is_right_to_left(code: u32) -> bool {
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
        let mut fragment = Fragment::default();
        for &(text, [kind, item, number, depth]) in texts {
            fragment.codes.extend(text.chars().map(u32::from));
            fragment.ends.push(fragment.codes.len());
            fragment.built.blocks.push([kind, 0, depth, item, number, 0, 0, 0, 0, 0]);
        }
        let hashes: Vec<u64> = fragment.hashes().collect();
        let mut noise: Vec<u64> = noise.iter().map(|&place| hashes[place]).collect();
        noise.sort_unstable();
        let found = Finished::new(fragment, &noise);
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
