//! What each block of a page is worth: the features of `tidings.extractors.learned`, and the trees that judge them.
//!
//! The Python there is the specification; each part below bears the name of the one it follows. Features are worked out
//! for a few blocks at a time, so that memory does not grow with them. Sums run in the order of the page, nothing is
//! fused, and there is no function of the mathematical library: the same bits on every machine.

use crate::columns::Columns;
use crate::story::{Declared, Story, STORY};
use crate::tables::Tables;
use crate::words::{each_word, Numbered};

const COMMA: u8 = 1;
const STOP: u8 = 2;
const COLON: u8 = 4;
const DIGIT: u8 = 8;
const UPPER: u8 = 16;
const QUOTE: u8 = 32;
const BAR: u8 = 64;
/// Words that make a block a paragraph rather than a label.
const LONG: f64 = 15.0;
const BOXES: usize = 5;
const PATHS: [usize; 2] = [2, 6];
const AROUND: usize = 14;
const OWN: usize = 13;
const INLINE: usize = 5;
const REACHES: [usize; 2] = [3, 8];
const DATE_REACHES: [usize; 2] = [3, 12];
const CUE_WORDS: usize = 25;
/// What stands for "no headline" where the distance to it is told.
const NO_HEADLINE: f32 = -16_777_216.0;
/// Features of the first look, and those that the second has beside them.
pub const FIRST: usize =
    7 + 11 + 5 + 7 + OWN + INLINE + AROUND + 6 * BOXES + 2 + 3 + 4 + 5 + 1 + 10 + 4 + 6 + 32 + 8 + STORY;
pub const SECOND: usize = 7 + 3 + 2 + 18 + 4 + 3 + 7;
/// Blocks that are judged together.
const LANES: usize = 16;
/// Of how many of these the features are kept: 7 MB.
const KEPT: usize = 512;

type Row = [f32; LANES];

/// What the features must know of tags and marks, by tag number; the last row is for tags outside the standard.
pub struct LookTables {
    pub marks: Vec<u8>,
    pub is_layout: Vec<u8>,
    /// Which of the telling tags it is, or their number.
    pub around: Vec<u8>,
    pub own: Vec<u16>,
    pub inline: Vec<u8>,
    pub order: Vec<u8>,
    pub h1: i64,
}

impl LookTables {
    #[inline(always)]
    pub(crate) fn row(&self, tag: i64) -> usize {
        (tag as usize).min(self.is_layout.len() - 1)
    }

    #[inline(always)]
    fn mark(&self, code: u32) -> u8 {
        self.marks[(code as usize).min(self.marks.len() - 1)]
    }
}

/// Oblivious trees of one depth: the leaf of a tree is the number whose bits are the answers.
pub struct Trees {
    pub feature: Vec<u16>,
    pub border: Vec<f32>,
    pub leaf: Vec<f32>,
    pub depth: usize,
    pub bias: f32,
}

impl Trees {
    pub fn fits(&self, features: usize) -> bool {
        let trees = self.feature.len().checked_div(self.depth).unwrap_or(0);
        (1..=8).contains(&self.depth)
            && self.feature.len() == trees * self.depth
            && self.border.len() == self.feature.len()
            && self.leaf.len() == trees << self.depth
            && self.feature.iter().all(|&feature| usize::from(feature) < features)
    }

    /// The chance of each column of the rows.
    fn chances(&self, rows: &[Row]) -> [f64; LANES] {
        let mut total = [0f32; LANES];
        let levels = self.feature.chunks_exact(self.depth).zip(self.border.chunks_exact(self.depth));
        for ((features, borders), leaves) in levels.zip(self.leaf.chunks_exact(1 << self.depth)) {
            let mut place = [0u8; LANES]; // a byte each: no tree is deeper than eight
            for (level, (&feature, &border)) in features.iter().zip(borders).enumerate() {
                let row = &rows[usize::from(feature)];
                for lane in 0..LANES {
                    place[lane] |= u8::from(row[lane] > border) << level;
                }
            }
            for lane in 0..LANES {
                total[lane] += leaves[usize::from(place[lane])];
            }
        }
        let mut chances = [0f64; LANES];
        for lane in 0..LANES {
            chances[lane] = chance(f64::from(total[lane] + self.bias));
        }
        chances
    }
}

/// A probability from the logarithm of odds, by additions and multiplications alone (`trees.chances`).
pub fn chance(log_odds: f64) -> f64 {
    1.0 / (1.0 + exponential(-log_odds.clamp(-30.0, 30.0)))
}

const LOG2_E: f64 = std::f64::consts::LOG2_E;
const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

fn exponential(value: f64) -> f64 {
    let power = round_even(value * LOG2_E);
    let rest = (value - power * LN_2_HIGH) - power * LN_2_LOW;
    // 1/n!, from the last term of Taylor's series inwards.
    let mut sum = 0.0;
    for term in (0..14).rev() {
        sum = sum * rest + 1.0 / FACTORIALS[term];
    }
    sum * f64::from_bits(((1023 + power as i64) as u64) << 52)
}

const FACTORIALS: [f64; 14] = [
    1.0,
    1.0,
    2.0,
    6.0,
    24.0,
    120.0,
    720.0,
    5_040.0,
    40_320.0,
    362_880.0,
    3_628_800.0,
    39_916_800.0,
    479_001_600.0,
    6_227_020_800.0,
];

/// To the nearest whole number, halves to the even one.
fn round_even(value: f64) -> f64 {
    const LARGE: f64 = 6_755_399_441_055_744.0; // 1.5 × 2^52: adding it leaves no room for fractions
    (value + LARGE) - LARGE
}

/// What an expert has learned.
pub struct Expert {
    pub names: Numbered<f64>,
    pub cues: Numbered<f64>,
    pub first: Trees,
    pub second: Trees,
}

/// Weights by the numbers of words; of equal numbers the first counts.
pub fn weights(numbers: &[u64], weight: &[f64]) -> Numbered<f64> {
    let mut known = Numbered::with_room(numbers.len());
    for (&number, &weight) in numbers.iter().zip(weight) {
        if !known.contains(number) {
            *known.entry(number) = weight;
        }
    }
    known
}

#[inline(always)]
fn prefix(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sums = Vec::with_capacity(values.size_hint().0 + 1);
    sums.push(0.0);
    let mut total = 0.0;
    for value in values {
        total += value;
        sums.push(total);
    }
    sums
}

#[inline(always)]
pub(crate) fn at_least(value: f64, least: f64) -> f64 {
    if value > least {
        value
    } else {
        least
    }
}

struct Group {
    of_block: Vec<u32>,
    size: Vec<f64>,
    words: Vec<f64>,
    links: Vec<f64>,
    long: Vec<f64>,
    dated: Vec<f64>,
}

/// The visible blocks of a page, and what of the page as a whole their features are made of (`SeenBlocks`).
pub struct Seen<'a> {
    pub(crate) page: &'a Columns,
    pub(crate) tables: &'a LookTables,
    pub blocks: Vec<usize>,
    pub words: Vec<f64>,
    links: Vec<f64>,
    inner: Vec<usize>,
    long: Vec<f64>,
    pub(crate) low: Vec<u32>,
    pub(crate) high: Vec<u32>,
    pub(crate) word_sum: Vec<f64>,
    pub(crate) link_sum: Vec<f64>,
    pub(crate) long_sum: Vec<f64>,
    pub(crate) long_count: Vec<f64>,
    total: f64,
    pub(crate) total_long: f64,
    word_numbers: Vec<u64>,
    first_word: Vec<u32>,
    last_word: Vec<u32>,
    marks: Vec<[u32; 7]>,
    dated: Vec<bool>,
    pub dates: Vec<f64>,
    around: Vec<[u8; AROUND]>,
    pub(crate) boxes: Vec<[u32; BOXES + 1]>,
    own_long: Vec<f64>,
    main: Vec<(usize, usize)>,
    holders: [(usize, usize); 2],
    groups: Vec<Group>,
    likeness: Vec<[f32; 4]>,
    heading: Vec<i64>,
    pub(crate) h1: Option<i64>,
    story: Story,
}

impl<'a> Seen<'a> {
    /// `hidden`: of each run whether it is out of sight. `title`: the numbers of the words of the title, each once.
    pub fn new(
        page: &'a Columns,
        tables: &'a LookTables,
        letters: &Tables,
        hidden: &[u8],
        title: &[u64],
        declared: &Declared,
    ) -> Self {
        let elements = page.tag().len();
        let (block_first, block_words, block_links) = (page.block_first(), page.block_words(), page.block_link_words());
        let end_of = |block: usize| page.block_end(block);
        let blocks: Vec<usize> = (0..block_first.len())
            .filter(|&block| block_words[block] > 0 && hidden[block_first[block] as usize..end_of(block)].contains(&0))
            .collect();
        let count = blocks.len();
        let words: Vec<f64> = blocks.iter().map(|&block| block_words[block] as f64).collect();
        let links: Vec<f64> = blocks.iter().map(|&block| block_links[block] as f64).collect();
        let element: Vec<usize> = blocks.iter().map(|&block| page.block_element()[block] as usize).collect();
        let inner: Vec<usize> = blocks.iter().map(|&block| page.run_element(block_first[block] as usize)).collect();
        let long: Vec<f64> = (0..count)
            .map(|at| {
                let is_long = words[at] >= LONG && links[at] / at_least(words[at], 1.0) < 0.4;
                if is_long {
                    words[at] - links[at]
                } else {
                    0.0
                }
            })
            .collect();
        // Visible blocks that begin before each run.
        let mut before = vec![0u32; page.runs() + 2];
        for &block in &blocks {
            before[block_first[block] as usize + 1] += 1;
        }
        for place in 1..before.len() {
            before[place] += before[place - 1];
        }
        let low: Vec<u32> = page.first().iter().map(|&run| before[run as usize]).collect();
        let high: Vec<u32> = page.last().iter().map(|&run| before[run as usize]).collect();
        let word_sum = prefix(words.iter().copied());
        let link_sum = prefix(links.iter().copied());
        let long_sum = prefix(long.iter().copied());
        let long_count = prefix(long.iter().map(|&one| f64::from(u8::from(one > 0.0))));
        let total = at_least(word_sum[count], 1.0);
        let total_long = at_least(long_sum[count], 1.0);

        let (mut starts, mut word_numbers) = (Vec::new(), Vec::new());
        each_word(page.text.iter().copied(), letters, |start, number| {
            starts.push(start as i64);
            word_numbers.push(number);
        });
        let word_at = |place: i64| starts.partition_point(|&start| start < place) as u32;
        let first_word: Vec<u32> = blocks.iter().map(|&block| word_at(page.block_text(block).0)).collect();
        let last_word: Vec<u32> = blocks.iter().map(|&block| word_at(page.block_text(block).1)).collect();
        drop(starts);

        let mut seen = Seen {
            page,
            tables,
            blocks,
            words,
            links,
            inner,
            long,
            low,
            high,
            word_sum,
            link_sum,
            long_sum,
            long_count,
            total,
            total_long,
            word_numbers,
            first_word,
            last_word,
            marks: Vec::new(),
            dated: Vec::new(),
            dates: Vec::new(),
            around: Vec::new(),
            boxes: Vec::new(),
            own_long: vec![0.0; elements],
            main: Vec::new(),
            holders: [(0, 0); 2],
            groups: Vec::new(),
            likeness: Vec::new(),
            heading: Vec::new(),
            h1: None,
            story: Story::default(),
        };
        seen.count_marks();
        seen.find_around();
        seen.find_boxes(&element);
        seen.find_main();
        seen.find_paths(&element);
        seen.find_likeness(title);
        let mut last = -1;
        for (at, &one) in element.iter().enumerate() {
            let tag = page.tag()[one];
            if tables.order[tables.row(tag)] < 6 {
                last = at as i64;
            }
            seen.heading.push(last);
            if tag == tables.h1 && seen.h1.is_none() {
                seen.h1 = Some(at as i64);
            }
        }
        seen.story = Story::new(&seen, &element, declared);
        seen
    }

    pub fn count(&self) -> usize {
        self.blocks.len()
    }

    fn count_marks(&mut self) {
        for (at, &block) in self.blocks.iter().enumerate() {
            let (start, end) = self.page.block_text(block);
            let mut counts = [0u32; 7];
            for &code in &self.page.text[start as usize..end as usize] {
                let mark = self.tables.mark(code);
                if mark != 0 {
                    for (count, kind) in counts.iter_mut().zip([STOP, COMMA, COLON, DIGIT, UPPER, QUOTE, BAR]) {
                        *count += u32::from(mark & kind != 0);
                    }
                }
            }
            let [_, _, colons, digits, ..] = counts;
            self.dated.push(self.words[at] <= 15.0 && digits >= 3 && (colons > 0 || digits >= 6));
            self.marks.push(counts);
        }
        self.dates = prefix(self.dated.iter().map(|&is_dated| f64::from(u8::from(is_dated))));
    }

    /// In how many elements of telling tags a block stands, at most three.
    fn find_around(&mut self) {
        let page = self.page;
        let mut steps: Vec<(u32, bool, u8)> = Vec::new(); // run, whether it begins there, which tag
        for (element, &tag) in page.tag().iter().enumerate() {
            let sort = self.tables.around[self.tables.row(tag)];
            if usize::from(sort) < AROUND && page.first()[element] < page.last()[element] {
                steps.push((page.first()[element] as u32, true, sort));
                steps.push((page.last()[element] as u32, false, sort));
            }
        }
        steps.sort_unstable();
        let mut depth = [0u32; AROUND];
        let mut next = 0;
        for &block in &self.blocks {
            let run = page.block_first()[block] as u32;
            // Ends come before beginnings of the same run, so no count falls below nothing.
            while next < steps.len() && steps[next].0 <= run {
                let (_, begins, sort) = steps[next];
                if begins {
                    depth[usize::from(sort)] += 1;
                } else {
                    depth[usize::from(sort)] -= 1;
                }
                next += 1;
            }
            let mut around = [0; AROUND];
            for (held, &deep) in around.iter_mut().zip(&depth) {
                *held = deep.min(3) as u8;
            }
            self.around.push(around);
        }
    }

    fn find_boxes(&mut self, element: &[usize]) {
        let page = self.page;
        let (tag, parent) = (page.tag(), page.parent());
        let mut nearest = vec![0u32; tag.len()];
        for one in 1..tag.len() {
            let is_layout = self.tables.is_layout[self.tables.row(tag[one])] != 0;
            nearest[one] = if is_layout { one as u32 } else { nearest[parent[one] as usize] };
        }
        for (at, &one) in element.iter().enumerate() {
            let mut boxes = [nearest[one]; BOXES + 1];
            for level in 0..BOXES {
                boxes[level + 1] = nearest[parent[boxes[level] as usize].max(0) as usize];
            }
            self.own_long[boxes[0] as usize] += self.long[at];
            self.boxes.push(boxes);
        }
    }

    fn find_main(&mut self) {
        let page = self.page;
        let range = |one: usize| (self.low[one] as usize, self.high[one] as usize);
        let mut best = 0;
        for (one, &long) in self.own_long.iter().enumerate() {
            if long > self.own_long[best] {
                best = one;
            }
        }
        let mut path = vec![best];
        while path[path.len() - 1] > 0 && path.len() < 8 {
            path.push(page.parent()[path[path.len() - 1]] as usize);
        }
        let mut holders = [range(0); 2];
        if self.long_sum[self.count()] != 0.0 {
            for (holder, share) in holders.iter_mut().zip([0.5, 0.8]) {
                let least = share * self.total_long;
                let mut chosen: Option<usize> = None;
                for one in 0..page.tag().len() {
                    let held = self.long_sum[self.high[one] as usize] - self.long_sum[self.low[one] as usize];
                    if held >= least && chosen.map_or(true, |other| page.depth()[one] > page.depth()[other]) {
                        chosen = Some(one);
                    }
                }
                *holder = range(chosen.unwrap_or(0));
            }
        }
        self.main = path.into_iter().map(range).collect();
        self.holders = holders;
    }

    fn find_paths(&mut self, element: &[usize]) {
        let page = self.page;
        let (tag, parent) = (page.tag(), page.parent());
        let mut above: Vec<usize> = element.to_vec();
        let mut path: Vec<u64> = element.iter().map(|&one| tag[one] as u64).collect();
        for level in 1..=PATHS[1] {
            for (path, above) in path.iter_mut().zip(&mut above) {
                *above = parent[*above].max(0) as usize;
                *path = path.wrapping_mul(1_000_003).wrapping_add(tag[*above] as u64);
            }
            if !PATHS.contains(&level) {
                continue;
            }
            let mut known: Numbered<u32> = Numbered::with_room(path.len());
            let mut group = Group {
                of_block: Vec::with_capacity(path.len()),
                size: Vec::new(),
                words: Vec::new(),
                links: Vec::new(),
                long: Vec::new(),
                dated: Vec::new(),
            };
            for (at, &path) in path.iter().enumerate() {
                let number = match known.get(path) {
                    Some(number) => number,
                    None => {
                        let number = group.size.len() as u32;
                        *known.entry(path) = number;
                        for sums in
                            [&mut group.size, &mut group.words, &mut group.links, &mut group.long, &mut group.dated]
                        {
                            sums.push(0.0);
                        }
                        number
                    }
                };
                let place = number as usize;
                group.of_block.push(number);
                group.size[place] += 1.0;
                group.words[place] += self.words[at];
                group.links[place] += self.links[at];
                group.long[place] += self.long[at];
                group.dated[place] += f64::from(u8::from(self.dated[at]));
            }
            self.groups.push(group);
        }
    }

    /// How like the title, and like the other paragraphs of the page, the words of a block are.
    fn find_likeness(&mut self, title: &[u64]) {
        let mut in_title: Numbered<bool> = Numbered::with_room(title.len());
        for &number in title {
            *in_title.entry(number) = true;
        }
        let mut known: Numbered<(u32, u32)> = Numbered::with_room(self.word_numbers.len()); // all, in long blocks
        for at in 0..self.count() {
            let is_long = u32::from(self.long[at] > 0.0);
            for &number in self.words_of(at) {
                let held = known.entry(number);
                held.0 += 1;
                held.1 += is_long;
            }
        }
        let few = at_least(self.total / 200.0, 3.0);
        let title_size = at_least(title.len() as f64, 1.0);
        let mut likeness = Vec::with_capacity(self.count());
        for at in 0..self.count() {
            let is_long = u32::from(self.long[at] > 0.0);
            let words = self.words_of(at);
            let (mut told, mut shared, mut rare) = (0u32, 0u32, 0u32);
            for &number in words {
                told += u32::from(in_title.contains(number));
                let (all, in_long) = known.get(number).unwrap_or((0, 0));
                let is_elsewhere = in_long > is_long;
                shared += u32::from(is_elsewhere);
                rare += u32::from(is_elsewhere && f64::from(all) <= few);
            }
            let size = at_least(words.len() as f64, 1.0);
            let told = f64::from(told);
            likeness.push([
                (told / size) as f32,
                (told / title_size) as f32,
                (f64::from(shared) / size) as f32,
                (f64::from(rare) / size) as f32,
            ]);
        }
        self.likeness = likeness;
    }

    #[inline(always)]
    pub(crate) fn words_of(&self, at: usize) -> &[u64] {
        &self.word_numbers[self.first_word[at] as usize..self.last_word[at] as usize]
    }

    #[inline(always)]
    pub(crate) fn held(&self, element: u32) -> (usize, usize) {
        (self.low[element as usize] as usize, self.high[element as usize] as usize)
    }

    /// The chance of each visible block: judged by itself, then by what that says of its surroundings.
    pub fn chances(&self, expert: &Expert) -> Vec<f64> {
        let learned = LearnedWords::new(self, expert);
        let count = self.count();
        let parts = (count + LANES - 1) / LANES;
        // The features of most pages are kept for the second look; those of enormous ones are worked out again.
        let mut rows = vec![vec![[0f32; LANES]; FIRST + SECOND]; parts.clamp(1, KEPT)];
        let places = |part: usize| part * LANES..((part + 1) * LANES).min(count);
        let mut chance = Vec::with_capacity(count);
        for part in 0..parts {
            let rows = &mut rows[part % KEPT];
            for (lane, at) in places(part).enumerate() {
                self.features(at, &learned, Lane { rows, lane, next: 0 });
            }
            chance.extend_from_slice(&expert.first.chances(rows)[..places(part).len()]);
        }
        let around = Surroundings::new(self, chance);
        let mut second = Vec::with_capacity(count);
        for part in 0..parts {
            let rows = &mut rows[part % KEPT];
            for (lane, at) in places(part).enumerate() {
                if parts > KEPT {
                    self.features(at, &learned, Lane { rows, lane, next: 0 });
                }
                around.features(at, Lane { rows, lane, next: FIRST });
            }
            second.extend_from_slice(&expert.second.chances(rows)[..places(part).len()]);
        }
        second
    }

    /// The features of a block for the first look, in the order of `features.NAMES`.
    fn features(&self, at: usize, learned: &LearnedWords, mut put: Lane) {
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
        put.add(links / some_words);
        put.add(links);
        put.add(words - links);
        put.add((page.block_end(block) - first_run) as f64);

        // marks
        let [stops, commas, _, digits, uppers, quotes, bars] = self.marks[at].map(f64::from);
        let some_chars = at_least(chars, 1.0);
        let mark_at = |place: i64| tables.mark(page.text[place.max(0) as usize]);
        let (first, last, before_last) = (mark_at(start), mark_at(end - 1), mark_at(end - 2));
        put.add(stops);
        put.add(commas);
        put.add(stops / some_words);
        put.add(commas / some_words);
        put.add(digits / some_chars);
        put.add(uppers / some_chars);
        put.add(quotes / some_chars);
        put.add(bars / some_words);
        put.flag(last & STOP != 0 || (last & QUOTE != 0 && before_last & (STOP | COMMA) != 0));
        put.flag(last & COLON != 0);
        put.flag(first & UPPER != 0);

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
        for &held in &self.boxes[at][..BOXES] {
            let (low, high) = self.held(held);
            let words = self.word_sum[high] - self.word_sum[low];
            put.add(words);
            put.add(words / self.total);
            put.add((self.link_sum[high] - self.link_sum[low]) / at_least(words, 1.0));
            put.add((self.long_sum[high] - self.long_sum[low]) / self.total_long);
            put.add(words / at_least((high - low) as f64, 1.0));
            put.add(self.long_count[high] - self.long_count[low]);
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
        for &weight in &learned.names[at] {
            put.narrow(weight);
        }
        put.narrow(learned.cue[at]);

        // paths
        for group in &self.groups {
            let place = group.of_block[at] as usize;
            let (size, words) = (group.size[place], group.words[place]);
            put.add(size);
            put.add(words / size);
            put.add(group.links[place] / at_least(words, 1.0));
            put.add(group.long[place] / self.total_long);
            put.add(group.dated[place] / size);
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
        let sides = [at.checked_sub(2), at.checked_sub(1), Some(at + 1), Some(at + 2)];
        let sides = sides.map(|side| side.filter(|&place| place < count));
        for feature in 0..8 {
            for side in sides {
                put.narrow(side.map_or(-1.0, |place| self.neighbourly(place, feature, learned)));
            }
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

        self.story.features(self, at, &mut put);
    }

    /// What is also told of a block to its neighbours, as it stands in its own row.
    fn neighbourly(&self, at: usize, feature: usize, learned: &LearnedWords) -> f32 {
        match feature {
            0 => self.words[at] as f32,
            1 => (self.links[at] / at_least(self.words[at], 1.0)) as f32,
            2 => self.marks[at][0] as f32,
            3 => learned.names[at][1],
            4 => {
                let (_, end) = self.page.block_text(self.blocks[at]);
                let mark_at = |place: i64| self.tables.mark(self.page.text[place.max(0) as usize]);
                let (last, before_last) = (mark_at(end - 1), mark_at(end - 2));
                let ends = last & STOP != 0 || (last & QUOTE != 0 && before_last & (STOP | COMMA) != 0);
                f32::from(u8::from(ends))
            }
            5 => {
                let (low, high) = self.held(self.boxes[at][0]);
                ((self.long_sum[high] - self.long_sum[low]) / self.total_long) as f32
            }
            6 => self.likeness[at][0],
            _ => learned.cue[at],
        }
    }
}

#[inline(always)]
fn window(at: usize, reach: usize, count: usize) -> (usize, usize) {
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
    rows: &'a mut [Row],
    lane: usize,
    next: usize,
}

impl Lane<'_> {
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

/// What a lexicon says of each block: its own names, those around it (sum, least, most, nearest), its cue words.
struct LearnedWords {
    names: Vec<[f32; 5]>,
    cue: Vec<f32>,
}

impl LearnedWords {
    fn new(seen: &Seen, expert: &Expert) -> Self {
        let page = seen.page;
        let weight_of = |known: &Numbered<f64>, number: u64| known.get(number).unwrap_or(0.0);
        let mut lines = vec![0.0; page.spellings()];
        for (&line, &number) in page.name_line().iter().zip(page.name_word()) {
            lines[line as usize] += weight_of(&expert.names, number as u64);
        }
        let elements = page.tag().len();
        let own: Vec<f64> =
            page.spelling().iter().map(|&line| if line < 0 { 0.0 } else { lines[line as usize] }).collect();
        // Each round doubles the distance, as it does in Python: sums are made in the same order.
        let (mut total, mut low, mut high, mut near) = (own.clone(), own.clone(), own.clone(), own.clone());
        let mut step: Vec<u32> = page.parent().iter().map(|&parent| parent.max(0) as u32).collect();
        while step.iter().any(|&one| one != 0) {
            // From the last element to the first: what stands around an element comes before it, and is still as it was.
            for one in (0..elements).rev() {
                let above = step[one] as usize;
                total[one] += total[above];
                if low[above] < low[one] {
                    low[one] = low[above];
                }
                if high[above] > high[one] {
                    high[one] = high[above];
                }
                if near[one] == 0.0 {
                    near[one] = near[above];
                }
                step[one] = step[above];
            }
        }
        let names = (0..seen.count())
            .map(|at| {
                let element = page.block_element()[seen.blocks[at]] as usize;
                let inner = seen.inner[at];
                [own[element], total[inner], low[inner], high[inner], near[inner]].map(|weight| weight as f32)
            })
            .collect();
        let sums = prefix(seen.word_numbers.iter().map(|&number| weight_of(&expert.cues, number)));
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

const STEPS: [i64; 7] = [0, -3, -2, -1, 1, 2, 3];
const CONTEXT_REACHES: [usize; 3] = [2, 5, 12];

/// What the first look says of the surroundings of blocks (`context.Surroundings`).
struct Surroundings<'a> {
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
    paths: Vec<Vec<f64>>,
}

impl<'a> Surroundings<'a> {
    fn new(seen: &'a Seen, chance: Vec<f64>) -> Self {
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
        let paths = seen
            .groups
            .iter()
            .map(|group| {
                let mut sums = vec![0.0; group.size.len()];
                for (&place, &expected) in group.of_block.iter().zip(&expected) {
                    sums[place as usize] += expected;
                }
                sums
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
        }
    }

    /// The features of a block that only the second look has, in the order of `context.NAMES`.
    fn features(&self, at: usize, mut put: Lane) {
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
        for &held in &seen.boxes[at] {
            let (low, high) = seen.held(held);
            let words = seen.word_sum[high] - seen.word_sum[low];
            let inside = self.likely[high] - self.likely[low];
            put.add(inside / at_least(words, 1.0));
            put.add(inside / some_content);
            put.add((inside - self.expected[at]) / at_least(words - seen.words[at], 1.0));
        }
        for (group, of_group) in seen.groups.iter().zip(&self.paths) {
            let place = group.of_block[at] as usize;
            put.add(of_group[place] / at_least(group.words[place], 1.0));
            put.add(of_group[place] / some_content);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_is_the_logistic_function() {
        assert_eq!(chance(0.0), 0.5);
        for step in -4000..=4000 {
            let odds = f64::from(step) / 100.0;
            let exact = 1.0 / (1.0 + (-odds.clamp(-30.0, 30.0)).exp());
            assert!((chance(odds) - exact).abs() <= 1e-14 * exact, "{odds}");
        }
    }

    #[test]
    fn chances_grow_with_the_odds_and_stay_between_none_and_one() {
        let chances: Vec<f64> = (-600..=600).map(|step| chance(f64::from(step) / 10.0)).collect();
        assert!(chances.windows(2).all(|pair| pair[0] <= pair[1]));
        assert!(chances.iter().all(|&one| one > 0.0 && one < 1.0));
        assert_eq!(chance(f64::INFINITY), chance(30.0));
        assert_eq!(chance(f64::NEG_INFINITY), chance(-30.0));
    }

    #[test]
    fn halves_are_rounded_to_the_even_number() {
        let samples = [(0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, 0.0), (-1.5, -2.0), (43.28, 43.0)];
        for (value, rounded) in samples {
            assert_eq!(round_even(value), rounded);
        }
    }

    #[test]
    fn of_equal_words_the_first_weight_counts() {
        let known = weights(&[7, 9, 7], &[1.0, 2.0, 3.0]);
        assert_eq!((known.get(7), known.get(9), known.get(8)), (Some(1.0), Some(2.0), None));
    }
}
