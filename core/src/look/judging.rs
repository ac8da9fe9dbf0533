//! What experts say of the blocks of a page.

use std::cell::Cell;

use super::*;

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

    fn places(&self, part: usize) -> std::ops::Range<usize> {
        part * LANES..((part + 1) * LANES).min(self.count())
    }

    fn fill(&self, part: usize, rows: &mut Part) {
        for (lane, at) in self.places(part).enumerate() {
            self.features(at, Lane { rows, lane, next: 0 });
        }
    }

    /// The chance of each visible block: judged by itself, then by what that says of its surroundings.
    #[inline(always)]
    fn judged(&self, expert: &Expert, room: &mut [Part]) -> Vec<f64> {
        let learned = LearnedWords::new(self, expert);
        let count = self.count();
        let parts = (count + LANES - 1) / LANES;
        // The features of most pages are kept for the second look; those of enormous ones are worked out again.
        let is_kept = parts <= KEPT;
        let mut chance = Vec::with_capacity(count);
        for part in 0..parts {
            let rows = &mut room[part % KEPT];
            if !is_kept {
                self.fill(part, rows);
            }
            for (lane, at) in self.places(part).enumerate() {
                self.learned_features(at, &learned, Lane { rows, lane, next: 0 });
            }
            chance.extend_from_slice(&expert.first.chances(rows)[..self.places(part).len()]);
        }
        let around = Surroundings::new(self, chance);
        let mut second = Vec::with_capacity(count);
        for part in 0..parts {
            let rows = &mut room[part % KEPT];
            if !is_kept {
                self.fill(part, rows);
            }
            for (lane, at) in self.places(part).enumerate() {
                if !is_kept {
                    self.learned_features(at, &learned, Lane { rows, lane, next: 0 });
                }
                around.features(at, Lane { rows, lane, next: FIRST });
            }
            second.extend_from_slice(&expert.second.chances(rows)[..self.places(part).len()]);
        }
        second
    }
}
