//! Computes the probabilities that experts give to blocks, from word weights, trees and network.

use std::cell::Cell;

use super::*;
use crate::words::KnownWords;

/// Of how many times 16 blocks the features are kept for the second look: 8 MB.
const KEPT: usize = 512;
/// And for the next page: 2 MB.
const KEPT_LONGER: usize = 128;

thread_local! {
    /// Room for features: to clear it for each page takes longer than to fill it.
    static ROOM: Cell<Vec<Part>> = Cell::default();
}

impl Seen<'_> {
    /// The chances of the visible blocks by each of some experts.
    #[inline(always)]
    pub fn chances(&self, experts: &[&Expert]) -> Vec<Vec<f64>> {
        let parts = (self.count() + LANES - 1) / LANES;
        let mut room = ROOM.with(Cell::take);
        if room.len() < parts.min(KEPT) {
            room.resize(parts.min(KEPT), [[0.0; LANES]; ROWS]);
        }
        if parts <= KEPT {
            room.iter_mut().enumerate().take(parts).for_each(|(part, rows)| self.fill(part, rows));
        }
        let mut found = Vec::with_capacity(experts.len());
        for expert in experts {
            found.push(self.judged(expert, &mut room)); // in a loop, so that this is vector code of the caller's width
        }
        if room.len() <= KEPT_LONGER {
            ROOM.with(|kept| kept.set(room));
        }
        found
    }

    /// The features of all visible blocks, a row for each: of the first look, or of the second, given what the first said.
    pub fn feature_rows(&self, expert: &Expert, first: Option<Vec<f64>>) -> Vec<f32> {
        let learned = LearnedWords::new(self, expert);
        let around = first.map(|first| Surroundings::new(self, first));
        let (count, features) = (self.count(), if around.is_some() { SECOND } else { FIRST });
        let (mut out, mut rows) = (vec![0.0; features * count], [[0.0; LANES]; ROWS]);
        for part in 0..(count + LANES - 1) / LANES {
            if around.is_none() {
                self.fill(part, &mut rows);
            }
            let places = self.part(part);
            for (lane, at) in places.clone().enumerate() {
                let put = Lane { rows: &mut rows, lane, next: 0 };
                match &around {
                    Some(around) => around.features(at, put),
                    None => self.learned_features(at, &learned, put),
                }
            }
            for (row, values) in rows.iter().enumerate().take(features) {
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

    fn fill(&self, part: usize, rows: &mut Part) {
        for (lane, at) in self.part(part).enumerate() {
            self.features(at, Lane { rows, lane, next: 0 });
        }
    }

    /// The chance of each visible block: judged by itself, then by what that says of its surroundings, and by the network.
    #[inline(always)]
    fn judged(&self, expert: &Expert, room: &mut [Part]) -> Vec<f64> {
        let learned = LearnedWords::new(self, expert);
        let count = self.count();
        let parts = (count + LANES - 1) / LANES;
        // The features of most pages are kept for the second look; those of enormous ones are worked out again.
        let is_kept = parts <= KEPT;
        let network = expert.network.as_ref().filter(|network| network.judges(count));
        let (mut first, mut units) = (Vec::with_capacity(count), Vec::new());
        for part in 0..parts {
            let rows = &mut room[part % KEPT];
            if !is_kept {
                self.fill(part, rows);
            }
            for (lane, at) in self.part(part).enumerate() {
                self.learned_features(at, &learned, Lane { rows, lane, next: 0 });
            }
            first.extend(expert.first.log_odds(rows).iter().take(self.part(part).len()).map(|&odds| chance(odds)));
            if let Some(network) = network {
                network.begin(rows, &mut units);
            }
        }
        #[allow(clippy::manual_map)] // a closure would not be vector code of the caller's width
        let judged = match network {
            Some(network) => Some(network.log_odds(self, units)),
            None => None,
        };
        let around = Surroundings::new(self, first);
        let mut second = Vec::with_capacity(count);
        for part in 0..parts {
            let rows = &mut room[part % KEPT];
            if !is_kept {
                self.fill(part, rows);
            }
            for (lane, at) in self.part(part).enumerate() {
                if !is_kept {
                    self.learned_features(at, &learned, Lane { rows, lane, next: 0 });
                }
                around.features(at, Lane { rows, lane, next: FIRST });
            }
            let odds = expert.second.log_odds(rows);
            second.extend(self.part(part).zip(odds).map(|(at, odds)| match &judged {
                Some(judged) => chance((odds + judged[at]) / 2.0),
                None => chance(odds),
            }));
        }
        second
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
