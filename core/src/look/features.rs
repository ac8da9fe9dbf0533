//! Computes the features of a block.

use super::*;

/// Where the features of names and cue words stand, and how many there are.
const NAMES: usize = row("class_own");
const LEARNED: usize = row("path2_count") - NAMES;
/// Where those of the neighbours stand, four each, and which of these are learned.
const NEIGHBOURS: usize = row("words_m2");
const LEARNED_OF_NEIGHBOURS: [usize; 2] = [(row("class_sum_m2") - NEIGHBOURS) / 4, (row("cue_m2") - NEIGHBOURS) / 4];

impl Seen<'_> {
    /// The features of a block in the order of `features.tsv`, except those that need an expert's words.
    pub(super) fn features(&self, at: usize, mut put: Lane) {
        let (page, tables) = (self.page, self.tables);
        let block = self.blocks[at];
        let (start, end) = page.block_text(block);
        let (words, links) = (self.words[at], self.links[at]);
        let chars = (end - start) as f64;
        let some_words = at_least(words, 1.0);
        let first_run = page.block_first()[block] as usize;
        let element = page.block_element()[block] as usize;
        let tag = tables.row(page.tag()[element]);
        let count = self.count();

        // size
        put.add(words);
        put.add(chars);
        put.add(chars / some_words);
        put.narrow(self.neighbourly[at][1]);
        put.add(links);
        put.add(words - links);
        put.add((page.block_end(block) - first_run) as f64);

        // marks
        let [stops, commas, _, digits, uppers, quotes, bars] = self.marks[at].map(f64::from);
        let some_chars = at_least(chars, 1.0);
        let mark_at = |place: i64| tables.mark(page.text[place.max(0) as usize]);
        let [_, _, _, ends_with_stop, ..] = self.neighbourly[at];
        put.add(stops);
        put.add(commas);
        put.add(stops / some_words);
        put.add(commas / some_words);
        put.add(digits / some_chars);
        put.add(uppers / some_chars);
        put.add(quotes / some_chars);
        put.add(bars / some_words);
        put.narrow(ends_with_stop);
        put.flag(mark_at(end - 1) & COLON != 0);
        put.flag(mark_at(start) & UPPER != 0);

        // dates
        put.flag(self.dated[at]);
        put.add(self.dates[at]);
        put.add(self.dates[count] - self.dates[at + 1]);
        for reach in DATE_REACHES {
            let (low, high) = window(at, reach, count);
            put.add(self.dates[high] - self.dates[low]);
        }

        // place
        put.add(at as f64 / at_least(count as f64, 1.0));
        put.add(at as f64);
        put.add((count - 1 - at) as f64);
        put.add(self.word_sum[at] / self.total);
        put.add(self.long_sum[at] / self.total_long);
        put.add((self.total_long - self.long_sum[at + 1]) / self.total_long);
        put.add(page.depth()[element] as f64);

        // own, inline, around
        for bit in 0..OWN {
            put.flag(tables.own[tag] >> bit & 1 != 0);
        }
        let inline = tables.inline[tables.row(page.tag()[self.inner[at]])];
        for bit in 0..INLINE {
            put.flag(inline >> bit & 1 != 0);
        }
        for &deep in &self.around[at] {
            put.add(f64::from(deep));
        }

        // boxes, own box
        for &place in &self.box_places[at][..BOXES] {
            self.layout[place as usize].told.iter().for_each(|&one| put.narrow(one));
        }
        let own = self.own_long[self.boxes[at][0] as usize];
        put.add(own);
        put.add(own / self.total_long);

        // main, holders
        let steps = self.main.iter().position(|&(low, high)| (low..high).contains(&at));
        put.add(steps.unwrap_or(self.main.len() + 1) as f64);
        let (low, high) = self.main[0];
        let side = if at < low {
            at as f64 - low as f64
        } else if at + 1 > high {
            (at + 1 - high) as f64
        } else {
            0.0
        };
        put.add(sign(side));
        put.add(side.abs());
        for &(low, high) in &self.holders {
            put.flag((low..high).contains(&at));
            put.add((self.word_sum[high] - self.word_sum[low]) / self.total);
        }

        // names, cue
        debug_assert_eq!(put.next, NAMES);
        put.skip(LEARNED);

        // paths
        for group in &self.groups {
            group.told[group.of_block[at] as usize].iter().for_each(|&one| put.narrow(one));
        }

        // likeness
        for &like in &self.likeness[at] {
            put.narrow(like);
        }

        // headings
        let heading = self.heading[at];
        put.add((at as i64 - heading) as f64);
        if heading >= 0 {
            let over = heading as usize;
            let of_heading = page.block_element()[self.blocks[over]] as usize;
            put.add(self.links[over] / at_least(self.words[over], 1.0));
            put.add(self.words[over]);
            put.add(f64::from(tables.order[tables.row(page.tag()[of_heading])]));
        } else {
            put.add(-1.0);
            put.add(-1.0);
            put.add(9.0);
        }
        match self.h1 {
            Some(h1) => {
                let since = (at as i64 - h1) as f64;
                put.add(sign(since));
                put.add(since);
            }
            None => {
                put.add(-2.0);
                put.narrow(NO_HEADLINE);
            }
        }

        // neighbours
        debug_assert_eq!(put.next, NEIGHBOURS);
        let sides = self.sides(at).map(|side| side.map_or([-1.0; NEIGHBOURLY], |place| self.neighbourly[place]));
        for feature in 0..NEIGHBOURLY + LEARNED_OF_NEIGHBOURS.len() {
            if LEARNED_OF_NEIGHBOURS.contains(&feature) {
                put.skip(sides.len());
                continue;
            }
            let own = feature - usize::from(feature > LEARNED_OF_NEIGHBOURS[0]);
            sides.iter().for_each(|side| put.narrow(side[own]));
        }

        // near
        for reach in REACHES {
            let (low, high) = window(at, reach, count);
            let words = self.word_sum[high] - self.word_sum[low];
            put.add(self.long_sum[high] - self.long_sum[low]);
            put.add((self.link_sum[high] - self.link_sum[low]) / at_least(words, 1.0));
            put.add(self.long_sum[high] - self.long_sum[at + 1]);
            put.add(self.long_sum[at] - self.long_sum[low]);
        }

        debug_assert_eq!(put.next, row("headline_found"));
        self.story.features(self, at, &mut put);
        debug_assert_eq!(put.next, FEATURES);
    }

    /// Those features that an expert's own words tell: another expert has others.
    pub(super) fn learned_features(&self, at: usize, learned: &LearnedWords, mut put: Lane) {
        put.next = NAMES;
        for &weight in &learned.names[at] {
            put.narrow(weight);
        }
        put.narrow(learned.cue[at]);
        let sides = self.sides(at);
        for feature in LEARNED_OF_NEIGHBOURS {
            put.next = NEIGHBOURS + feature * sides.len();
            for side in sides {
                let told = |place: usize| {
                    if feature == LEARNED_OF_NEIGHBOURS[0] {
                        learned.names[place][1]
                    } else {
                        learned.cue[place]
                    }
                };
                put.narrow(side.map_or(-1.0, told));
            }
        }
    }

    /// The neighbours of a block.
    #[inline(always)]
    fn sides(&self, at: usize) -> [Option<usize>; 4] {
        let sides = [at.checked_sub(2), at.checked_sub(1), Some(at + 1), Some(at + 2)];
        sides.map(|side| side.filter(|&place| place < self.count()))
    }

    pub(super) fn told_to_neighbours(&self, at: usize) -> [f32; NEIGHBOURLY] {
        let (_, end) = self.page.block_text(self.blocks[at]);
        [
            self.words[at] as f32,
            (self.links[at] / at_least(self.words[at], 1.0)) as f32,
            self.marks[at][0] as f32,
            f32::from(u8::from(self.ends_with_stop(end))),
            self.layout[self.box_places[at][0] as usize].told[3],
            self.likeness[at][0],
        ]
    }

    /// Whether what ends there ends with a full stop, or with one in quotes.
    fn ends_with_stop(&self, end: i64) -> bool {
        let mark_at = |place: i64| self.tables.mark(self.page.text[place.max(0) as usize]);
        let last = mark_at(end - 1);
        last & STOP != 0 || (last & QUOTE != 0 && mark_at(end - 2) & (STOP | COMMA) != 0)
    }
}

#[inline(always)]
pub(super) fn window(at: usize, reach: usize, count: usize) -> (usize, usize) {
    (at.saturating_sub(reach), (at + reach + 1).min(count))
}

#[inline(always)]
fn sign(value: f64) -> f64 {
    if value > 0.0 {
        1.0
    } else if value < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// The column of one block among those that are judged together, filled from the top.
pub(crate) struct Lane<'a> {
    pub(super) rows: &'a mut [Row],
    pub(super) lane: usize,
    pub(super) next: usize,
}

impl Lane<'_> {
    #[inline(always)]
    fn skip(&mut self, rows: usize) {
        self.next += rows;
    }

    #[inline(always)]
    pub(crate) fn narrow(&mut self, value: f32) {
        self.rows[self.next][self.lane] = value;
        self.next += 1;
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, value: f64) {
        self.narrow(value as f32);
    }

    #[inline(always)]
    pub(crate) fn flag(&mut self, is_so: bool) {
        self.narrow(f32::from(u8::from(is_so)));
    }
}
