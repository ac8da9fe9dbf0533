//! Computes the probability of each block: its features (`features.tsv`), and the trees and the network that judge them.
//!
//! Features are computed for a few blocks at a time, so that memory does not grow with their number. Sums run in the order of the
//! page, nothing is fused, and no function of the mathematical library is called: the bits are the same on every machine.

mod features;
mod judging;
mod likeness;
mod network;
mod table;
mod trees;

pub(crate) use features::Lane;
pub(crate) use likeness::DeclaredWords;
pub use network::{Network, NetworkArrays};
pub(crate) use table::row;
pub use trees::{Expert, Trees};

use judging::LearnedWords;
use table::rows;
use trees::{probability, Part, Row, LANES, ROWS};

use std::sync::Arc;

use crate::columns::Columns;
use crate::names::NameWords;
use crate::story::{Declared, Story};
use crate::tables::Tables;
use crate::words::{each_word, Numbered, Vocabulary};

const COMMA: u8 = 1;
const STOP: u8 = 2;
const COLON: u8 = 4;
const DIGIT: u8 = 8;
const UPPER: u8 = 16;
const QUOTE: u8 = 32;
const BAR: u8 = 64;
const MARKS: [u8; 7] = [STOP, COMMA, COLON, DIGIT, UPPER, QUOTE, BAR];
/// Which of these a character is, by its mark: a byte each.
const COUNTED: [u64; 256] = counted();

const fn counted() -> [u64; 256] {
    let (mut counted, mut mark) = ([0; 256], 0);
    while mark < counted.len() {
        let mut kind = 0;
        while kind < MARKS.len() {
            if mark as u8 & MARKS[kind] != 0 {
                counted[mark] += 1 << (8 * kind);
            }
            kind += 1;
        }
        mark += 1;
    }
    counted
}

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
const NEIGHBOURLY: usize = 6;
/// What stands for "no headline" where the distance to it is told.
const NO_HEADLINE: f32 = -16_777_216.0;
/// The number of features of a block.
pub const FEATURES: usize = rows();

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
    words: Vec<f64>,
    /// The features that blocks of one path share.
    told: Vec<[f32; 5]>,
}

/// A box of layout with blocks in it.
struct LayoutBox {
    low: usize,
    high: usize,
    /// The features that the blocks in it share.
    told: [f32; 6],
}

/// The visible blocks of a page, and what of the page as a whole their features are made of.
pub struct Seen<'a> {
    pub(crate) page: &'a Columns,
    pub(crate) tables: &'a LookTables,
    names: Arc<NameWords>,
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
    vocabulary: Vocabulary,
    /// The words of the page by their places in the vocabulary.
    word_places: Vec<u32>,
    first_word: Vec<u32>,
    last_word: Vec<u32>,
    marks: Vec<[u32; 7]>,
    dated: Vec<bool>,
    pub dates: Vec<f64>,
    around: Vec<[u8; AROUND]>,
    pub(crate) boxes: Vec<[u32; BOXES + 1]>,
    /// What is known of these boxes, and where of each of them.
    layout: Vec<LayoutBox>,
    box_places: Vec<[u32; BOXES + 1]>,
    own_long: Vec<f64>,
    main: Vec<(usize, usize)>,
    holders: [(usize, usize); 2],
    groups: Vec<Group>,
    likeness: Vec<[f32; 4]>,
    /// What is also told of a block to its neighbours, as it stands in its own row: words, links, stops, whether it ends with
    /// one, the paragraphs of its box, likeness to the title.
    neighbourly: Vec<[f32; NEIGHBOURLY]>,
    heading: Vec<i64>,
    pub(crate) h1: Option<i64>,
    story: Story,
}

/// The blocks that have words and that a reader can see, given whether each run is hidden.
pub fn visible<'a>(page: &'a Columns, hidden: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let (first, words) = (page.block_first(), page.block_words());
    let is_seen = move |block: usize| hidden[first[block] as usize..page.block_end(block)].contains(&0);
    (0..first.len()).filter(move |&block| words[block] > 0 && is_seen(block))
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
        let blocks: Vec<usize> = visible(page, hidden).collect();
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

        let room = page.text.len() / 5; // characters that most languages have in a word
        let (mut starts, mut word_places) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let mut vocabulary = Vocabulary::default();
        each_word(page.text.iter().copied(), letters, |start, number| {
            starts.push(start as u32);
            word_places.push(vocabulary.place(number));
        });
        let (mut first_word, mut last_word) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut word = 0; // blocks stand one behind the other
        for &block in &blocks {
            let (start, end) = page.block_text(block);
            for (place, words) in [(start, &mut first_word), (end, &mut last_word)] {
                word += starts[word..].iter().take_while(|&&start| i64::from(start) < place).count();
                words.push(word as u32);
            }
        }
        drop(starts);

        let mut seen = Seen {
            page,
            tables,
            names: page.names_of_tags(letters),
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
            vocabulary,
            word_places,
            first_word,
            last_word,
            marks: Vec::new(),
            dated: Vec::new(),
            dates: Vec::new(),
            around: Vec::new(),
            boxes: Vec::with_capacity(count),
            layout: Vec::new(),
            box_places: Vec::with_capacity(count),
            own_long: vec![0.0; elements],
            main: Vec::new(),
            holders: [(0, 0); 2],
            groups: Vec::new(),
            likeness: Vec::new(),
            neighbourly: Vec::new(),
            heading: Vec::new(),
            h1: None,
            story: Story::default(),
        };
        seen.count_marks();
        seen.find_around();
        seen.find_boxes(&element);
        seen.find_main();
        seen.find_paths(&element);
        let words = seen.find_likeness(title, declared);
        seen.neighbourly = (0..count).map(|at| seen.told_to_neighbours(at)).collect();
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
        seen.story = Story::new(&seen, &element, declared, &words);
        seen
    }

    pub fn count(&self) -> usize {
        self.blocks.len()
    }

    fn count_marks(&mut self) {
        for (at, &block) in self.blocks.iter().enumerate() {
            let (start, end) = self.page.block_text(block);
            let mut counts = [0u32; MARKS.len()];
            // A byte for each kind of mark: no branch, as a mark comes when one does not expect it.
            for some in self.page.text[start as usize..end as usize].chunks(usize::from(u8::MAX)) {
                let sum = some.iter().map(|&code| COUNTED[usize::from(self.tables.mark(code))]).sum::<u64>();
                counts.iter_mut().zip(sum.to_le_bytes()).for_each(|(count, byte)| *count += u32::from(byte));
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
        let mut known = vec![0u32; tag.len()]; // one more than the place of what is known of a box
        for (at, &one) in element.iter().enumerate() {
            let own = nearest[one];
            self.own_long[own as usize] += self.long[at];
            if let Some(&boxes) = self.boxes.last().filter(|before| before[0] == own) {
                self.boxes.push(boxes);
                self.box_places.push(self.box_places[at - 1]);
                continue;
            }
            let mut boxes = [own; BOXES + 1];
            for level in 0..BOXES {
                boxes[level + 1] = nearest[parent[boxes[level] as usize].max(0) as usize];
            }
            let places = boxes.map(|one| {
                let place = &mut known[one as usize];
                if *place == 0 {
                    self.layout.push(self.layout_box(one));
                    *place = self.layout.len() as u32;
                }
                *place - 1
            });
            self.boxes.push(boxes);
            self.box_places.push(places);
        }
    }

    fn layout_box(&self, element: u32) -> LayoutBox {
        let (low, high) = self.held(element);
        let words = self.word_sum[high] - self.word_sum[low];
        let told = [
            words,
            words / self.total,
            (self.link_sum[high] - self.link_sum[low]) / at_least(words, 1.0),
            (self.long_sum[high] - self.long_sum[low]) / self.total_long,
            words / at_least((high - low) as f64, 1.0),
            self.long_count[high] - self.long_count[low],
        ];
        LayoutBox { low, high, told: told.map(|one| one as f32) }
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
            let mut of_block = Vec::with_capacity(path.len());
            let mut sums: Vec<[f64; 5]> = Vec::new(); // how many, their words, those in links, in paragraphs, how many dated
            for (at, &path) in path.iter().enumerate() {
                let number = match known.get(path) {
                    Some(number) => number,
                    None => {
                        *known.entry(path) = sums.len() as u32;
                        sums.push([0.0; 5]);
                        sums.len() as u32 - 1
                    }
                };
                of_block.push(number);
                let own = [1.0, self.words[at], self.links[at], self.long[at], f64::from(u8::from(self.dated[at]))];
                sums[number as usize].iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
            let told = |&[size, words, links, long, dated]: &[f64; 5]| {
                let told = [size, words / size, links / at_least(words, 1.0), long / self.total_long, dated / size];
                told.map(|one| one as f32)
            };
            let (words, told) = (sums.iter().map(|sums| sums[1]).collect(), sums.iter().map(told).collect());
            self.groups.push(Group { of_block, words, told });
        }
    }

    #[inline(always)]
    pub(crate) fn held(&self, element: u32) -> (usize, usize) {
        (self.low[element as usize] as usize, self.high[element as usize] as usize)
    }
}
