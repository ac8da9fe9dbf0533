//! Computes the probabilities that experts give to blocks, from word weights, trees and networks.

use super::*;
use crate::words::KnownWords;

impl Seen<'_> {
    /// Return the probability of each visible block by each expert: the mean of the log-odds of its trees and of its networks.
    #[inline(always)]
    pub fn probabilities(&self, experts: &[&Expert]) -> Vec<Vec<f64>> {
        let count = self.count();
        let learned: Vec<LearnedWords> = experts.iter().map(|expert| LearnedWords::new(self, expert)).collect();
        let mut log_odds: Vec<Vec<f64>> = experts.iter().map(|_| Vec::with_capacity(count)).collect();
        let mut units: Vec<Vec<Vec<Row>>> =
            experts.iter().map(|expert| vec![Vec::new(); expert.networks_for(count).len()]).collect();
        let mut rows = [[0.0; LANES]; ROWS];
        for part in 0..(count + LANES - 1) / LANES {
            self.fill(part, &mut rows);
            // Loops instead of closures, so that this is vector code of the caller's width.
            for number in 0..experts.len() {
                let expert = experts[number];
                for (lane, at) in self.part(part).enumerate() {
                    self.learned_features(at, &learned[number], Lane { rows: &mut rows, lane, next: 0 });
                }
                log_odds[number].extend(&expert.trees.log_odds(&rows)[..self.part(part).len()]);
                for (network, units) in expert.networks_for(count).iter().zip(&mut units[number]) {
                    network.begin(&rows, units);
                }
            }
        }
        let mut probabilities = Vec::with_capacity(experts.len());
        for (expert, (mut odds, units)) in experts.iter().zip(log_odds.into_iter().zip(units)) {
            let networks = expert.networks_for(count);
            let share = 1.0 / (2.0 * networks.len() as f64);
            if !networks.is_empty() {
                odds.iter_mut().for_each(|odds| *odds /= 2.0);
            }
            for (network, units) in networks.iter().zip(units) {
                for (odds, own) in odds.iter_mut().zip(network.log_odds(self, units)) {
                    *odds += share * own;
                }
            }
            odds.iter_mut().for_each(|odds| *odds = probability(*odds));
            probabilities.push(odds);
        }
        probabilities
    }

    /// Return the features of all visible blocks, a row for each feature, with the word weights of an expert.
    pub fn feature_rows(&self, expert: &Expert) -> Vec<f32> {
        let learned = LearnedWords::new(self, expert);
        let count = self.count();
        let (mut out, mut rows) = (vec![0.0; FEATURES * count], [[0.0; LANES]; ROWS]);
        for part in 0..(count + LANES - 1) / LANES {
            self.fill(part, &mut rows);
            let places = self.part(part);
            for (lane, at) in places.clone().enumerate() {
                self.learned_features(at, &learned, Lane { rows: &mut rows, lane, next: 0 });
            }
            for (row, values) in rows.iter().enumerate().take(FEATURES) {
                out[row * count + places.start..][..places.len()].copy_from_slice(&values[..places.len()]);
            }
        }
        out
    }

    /// The first block of each element and the one behind its last; for each block the boxes around it, and its two paths.
    pub fn places(&self) -> impl Iterator<Item = i64> + '_ {
        let elements = self.low.iter().chain(&self.high).copied();
        let boxes = (0..=BOXES).flat_map(move |level| self.boxes.iter().map(move |boxes| boxes[level]));
        let paths = self.groups.iter().flat_map(|group| group.of_block.iter().copied());
        elements.chain(boxes).chain(paths).map(i64::from)
    }

    fn part(&self, part: usize) -> std::ops::Range<usize> {
        part * LANES..((part + 1) * LANES).min(self.count())
    }

    /// Compute the features of one part of the blocks, except those that need an expert's words.
    fn fill(&self, part: usize, rows: &mut Part) {
        for (lane, at) in self.part(part).enumerate() {
            self.features(at, Lane { rows, lane, next: 0 });
        }
    }
}

/// What a lexicon says of each block: its own names, those around it (sum, least, most, nearest), its cue words.
pub(super) struct LearnedWords {
    pub(super) names: Vec<[f32; 5]>,
    pub(super) cue: Vec<f32>,
}

impl LearnedWords {
    pub(super) fn new(seen: &Seen, expert: &Expert) -> Self {
        let page = seen.page;
        let mut lines = vec![0.0; page.spellings()];
        let weights = |numbers: &[u64], known: &KnownWords<f64>| -> Vec<f64> {
            numbers.iter().map(|&number| known.get(number).unwrap_or(0.0)).collect()
        };
        let weight = weights(&seen.names.vocabulary.numbers, &expert.names);
        for (&line, &place) in seen.names.line.iter().zip(&seen.names.place) {
            lines[line as usize] += weight[place as usize];
        }
        let spelling = page.spelling();
        let own = |element: usize| lines.get(spelling[element] as usize).copied().unwrap_or(0.0);
        let mut path = Path::new(page.parent());
        let names = (0..seen.count())
            .map(|at| {
                let element = page.block_element()[seen.blocks[at]] as usize;
                let [total, low, high, near] = path.around(seen.inner[at], own);
                [own(element), total, low, high, near].map(|weight| weight as f32)
            })
            .collect();
        let weight = weights(&seen.vocabulary.numbers, &expert.cues);
        let sums = prefix(seen.word_places.iter().map(|&word| weight[word as usize]));
        let cue = (0..seen.count())
            .map(|at| {
                let (first, last) = (seen.first_word[at] as usize, seen.last_word[at] as usize);
                let cue = if last - first <= CUE_WORDS { sums[last] - sums[first] } else { 0.0 };
                cue as f32
            })
            .collect();
        LearnedWords { names, cue }
    }
}

/// What the names of an element and of those around it weigh, but for the document.
#[derive(Clone, Copy)]
struct Around {
    element: u32,
    low: f64,
    high: f64,
    near: f64,
}

/// The elements from the document to one of them, each inside the one before it.
///
/// Sums are added up in rounds: of 1, 2, 4, 8 … elements. The shipped model was trained on sums in this order.
struct Path<'a> {
    parent: &'a [i64],
    depth: Vec<u32>,
    steps: Vec<Around>,
    /// Of each step the sums after each round.
    sums: Vec<f64>,
    rounds: usize,
    new: Vec<u32>,
}

impl<'a> Path<'a> {
    fn new(parent: &'a [i64]) -> Self {
        let mut depth = vec![0u32; parent.len()];
        let mut deepest = 0;
        for one in 1..parent.len() {
            depth[one] = depth[parent[one].max(0) as usize] + 1;
            deepest = deepest.max(depth[one]);
        }
        // As many as it takes until every distance is longer than the way to the document, or as long.
        let rounds = if deepest < 2 { 0 } else { (u32::BITS - (deepest - 1).leading_zeros()) as usize };
        let document = Around { element: 0, low: f64::INFINITY, high: f64::NEG_INFINITY, near: 0.0 };
        Path { parent, depth, steps: vec![document], sums: vec![0.0; rounds + 1], rounds, new: Vec::new() }
    }

    /// Sum, least, most and nearest of what an element and those around it weigh, given what each does.
    fn around(&mut self, element: usize, own: impl Fn(usize) -> f64) -> [f64; 4] {
        let mut at = element;
        while self.steps.get(self.depth[at] as usize).map_or(true, |step| step.element as usize != at) {
            self.new.push(at as u32);
            at = self.parent[at].max(0) as usize;
        }
        let width = self.rounds + 1;
        let mut depth = self.depth[at] as usize;
        self.steps.truncate(depth + 1);
        self.sums.truncate((depth + 1) * width);
        while let Some(element) = self.new.pop() {
            let weight = own(element as usize);
            let Around { low, high, near, .. } = self.steps[depth];
            self.steps.push(Around {
                element,
                low: if low < weight { low } else { weight },
                high: if high > weight { high } else { weight },
                near: if weight == 0.0 { near } else { weight },
            });
            depth += 1;
            let mut sum = weight;
            self.sums.push(sum);
            for round in 0..self.rounds {
                if let Some(above) = depth.checked_sub(1 << round) {
                    sum += self.sums[above * width + round];
                }
                self.sums.push(sum);
            }
        }
        let Around { low, high, near, .. } = self.steps[depth];
        // The document, which weighs nothing, is as far as the longest distance or farther: then it is not asked.
        let (low, high) = if depth < 1 << self.rounds {
            (if low < 0.0 { low } else { 0.0 }, if high > 0.0 { high } else { 0.0 })
        } else {
            (low, high)
        };
        [self.sums[depth * width + self.rounds], low, high, near]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same for all elements at once.
    fn doubled(parent: &[i64], own: &[f64]) -> Vec<[f64; 4]> {
        let mut step: Vec<usize> = parent.iter().map(|&one| one.max(0) as usize).collect();
        let mut found: Vec<[f64; 4]> = own.iter().map(|&weight| [weight; 4]).collect();
        while step.iter().any(|&one| one != 0) {
            let before = found.clone();
            for (one, [total, low, high, near]) in found.iter_mut().enumerate() {
                let above = before[step[one]];
                *total += above[0];
                *low = low.min(above[1]);
                *high = high.max(above[2]);
                *near = if *near == 0.0 { above[3] } else { *near };
            }
            step = step.iter().map(|&one| step[one]).collect();
        }
        found
    }

    #[test]
    fn names_around_an_element_are_added_up_in_rounds() {
        let mut seed = 1u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for size in 1..70 {
            for chain in [1, 2, 70] {
                let parent: Vec<i64> =
                    (0..size).map(|one| one as i64 - 1 - random(chain.min(one.max(1))) as i64).collect();
                let own: Vec<f64> =
                    (0..size).map(|one| if one == 0 { 0.0 } else { random(5) as f64 * 0.1 - 0.2 }).collect();
                let expected = doubled(&parent, &own);
                let mut path = Path::new(&parent);
                for _ in 0..2 * size {
                    let element = random(size);
                    let around = path.around(element, |one| own[one]);
                    assert_eq!(around, expected[element], "{element} of {parent:?}");
                }
            }
        }
    }
}
