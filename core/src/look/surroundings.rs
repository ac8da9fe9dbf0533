//! Computes features of the surroundings of a block from first probabilities, for the second ensemble of trees.

use super::features::window;
use super::*;

const STEPS: [i64; 7] = [0, -3, -2, -1, 1, 2, 3];
const CONTEXT_REACHES: [usize; 3] = [2, 5, 12];

/// What the first look says of the surroundings of blocks.
pub(super) struct Surroundings<'a> {
    seen: &'a Seen<'a>,
    chance: Vec<f64>,
    expected: Vec<f64>,
    likely: Vec<f64>,
    unlikely: Vec<f64>,
    marked: [i64; 3],
    best: (usize, usize),
    best_expected: f64,
    doubt: f64,
    sure: f64,
    /// By group, what its blocks share.
    paths: Vec<Vec<[f32; 2]>>,
    /// By box, the likely words in it, and what its blocks share.
    boxes: Vec<(f64, [f32; 2])>,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(seen: &'a Seen, chance: Vec<f64>) -> Self {
        let words = &seen.words;
        let expected: Vec<f64> = chance.iter().zip(words).map(|(&chance, &words)| chance * words).collect();
        let likely = prefix(expected.iter().copied());
        let unlikely = prefix(chance.iter().zip(words).map(|(&chance, &words)| (1.0 - chance) * words));
        let is_sure = |&at: &usize| chance[at] > 0.5 && words[at] >= 8.0;
        let count = seen.count();
        let first = (0..count).find(is_sure).map_or(0, |at| at as i64);
        let last = (0..count).rev().find(is_sure).map_or(count as i64 - 1, |at| at as i64);
        let mut longest = 0;
        for at in 0..count {
            if expected[at] > expected[longest] {
                longest = at;
            }
        }
        let doubts = chance.iter().zip(words).map(|(&chance, &words)| {
            let doubt = if 1.0 - chance < chance { 1.0 - chance } else { chance };
            doubt * words
        });
        let doubt = prefix(doubts)[count];
        let sure = chance.iter().zip(words).filter(|(&chance, _)| chance > 0.9).map(|(_, &words)| words).sum();
        let some_content = at_least(likely[count], 1.0);
        let paths = seen
            .groups
            .iter()
            .map(|group| {
                let mut sums = vec![0.0; group.words.len()];
                for (&place, &expected) in group.of_block.iter().zip(&expected) {
                    sums[place as usize] += expected;
                }
                let told = |(&sum, &words): (&f64, &f64)| [sum / at_least(words, 1.0), sum / some_content];
                sums.iter().zip(&group.words).map(|both| told(both).map(|one| one as f32)).collect()
            })
            .collect();
        let boxes = seen
            .layout
            .iter()
            .map(|one| {
                let inside = likely[one.high] - likely[one.low];
                (inside, [inside / at_least(one.words, 1.0), inside / some_content].map(|one| one as f32))
            })
            .collect();
        // The element that would make the best choice if it were taken whole; of equals the innermost, which comes last.
        let (mut best, mut best_expected) = (0, f64::NEG_INFINITY);
        for element in 0..seen.low.len() {
            let (low, high) = seen.held(element as u32);
            let held = seen.word_sum[high] - seen.word_sum[low];
            let value = 2.0 * (likely[high] - likely[low]) / at_least(held + likely[count], 1e-9);
            if value >= best_expected {
                (best, best_expected) = (element, value);
            }
        }
        Surroundings {
            seen,
            chance,
            expected,
            likely,
            unlikely,
            marked: [first, last, longest as i64],
            best: seen.held(best as u32),
            best_expected,
            doubt,
            sure,
            paths,
            boxes,
        }
    }

    /// The features of a block that only the second look has, in the order of `features.tsv`.
    pub(super) fn features(&self, at: usize, mut put: Lane) {
        let seen = self.seen;
        let count = seen.count();
        let content = self.likely[count];
        let (some_content, total) = (at_least(content, 1.0), at_least(seen.word_sum[count], 1.0));
        for step in STEPS {
            let place = at as i64 + step;
            let is_there = (0..count as i64).contains(&place);
            put.add(if is_there { self.chance[place as usize] } else { -0.1 });
        }
        for reach in CONTEXT_REACHES {
            let (low, high) = window(at, reach, count);
            put.add((self.likely[high] - self.likely[low]) / at_least(seen.word_sum[high] - seen.word_sum[low], 1.0));
        }
        put.add((content - self.likely[at + 1]) / some_content);
        put.add(self.likely[at] / some_content);
        for &place in &seen.box_places[at] {
            let (inside, told) = self.boxes[place as usize];
            let words = seen.layout[place as usize].words;
            told.iter().for_each(|&one| put.narrow(one));
            put.add((inside - self.expected[at]) / at_least(words - seen.words[at], 1.0));
        }
        for (group, told) in seen.groups.iter().zip(&self.paths) {
            told[group.of_block[at] as usize].iter().for_each(|&one| put.narrow(one));
        }
        for mark in self.marked {
            put.add((at as i64 - mark) as f64);
        }
        put.add((self.unlikely[at] - self.unlikely[self.marked[2] as usize]).abs());
        put.flag((self.best.0..self.best.1).contains(&at));
        put.add(self.best_expected);
        put.add(content / total);
        put.add(content);
        put.add(self.doubt / some_content);
        put.add(self.sure / total);
    }
}
