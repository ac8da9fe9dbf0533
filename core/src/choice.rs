//! Selects the blocks with the highest expected F measure, and measures the selection (`tidings.extractors.learned.choice`).

use crate::columns::Columns;

/// How the odds of a story's blocks grow with its words: those of a middling one, of a long one.
pub struct Care {
    pub middling: f64,
    pub long: f64,
}

/// A number that is the smaller the larger another is: their order is that of whole numbers.
fn falling(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits(); // there is one nothing
    if bits >> 63 == 0 {
        !bits ^ 1 << 63
    } else {
        bits
    }
}

/// How many of the first blocks in an order have the largest expected F measure, and that times `times`.
fn best(likely: &[f64], words: &[i64], order: &[(u64, u32)], weight: f64, times: f64) -> (usize, f64) {
    let all = weight * likely.iter().sum::<f64>();
    let (mut most, mut found, mut hit, mut taken) = (0, f64::NEG_INFINITY, 0.0, 0);
    for (place, &(_, block)) in order.iter().enumerate() {
        hit += likely[block as usize];
        taken += words[block as usize];
        let expected = times * hit / (taken as f64 + all + 1e-9);
        if expected > found {
            (most, found) = (place, expected);
        }
    }
    (most + 1, found)
}

/// Mark the blocks to be taken in `chosen`, which is all 0, and return the F measure to be expected of the best selection.
///
/// `weight`: the square of how many times as important recall is as precision. With `care` the blocks are those of a story: a
/// short one needs surer blocks.
pub fn choose(chance: &[f64], words: &[i64], weight: f64, care: Option<&Care>, chosen: &mut [u8]) -> f64 {
    if chance.is_empty() {
        return 0.0;
    }
    let mut likely: Vec<f64> = chance.iter().zip(words).map(|(one, &words)| one * words as f64).collect();
    let mut order: Vec<(u64, u32)> = chance.iter().zip(0..).map(|(&one, block)| (falling(one), block)).collect();
    order.sort_unstable();
    let (mut most, expected) = best(&likely, words, &order, weight, 1.0 + weight);
    if let Some(care) = care {
        let all = likely.iter().sum::<f64>();
        let odds = ((if care.long < all { care.long } else { all }) / care.middling).sqrt();
        for (one, &chance) in likely.iter_mut().zip(chance) {
            *one = *one * odds / (1.0 - (1.0 - odds) * chance);
        }
        most = best(&likely, words, &order, weight, 1.0).0;
    }
    order[..most].iter().for_each(|&(_, block)| chosen[block as usize] = 1);
    expected
}

/// What is counted of a choice: chances below which a block is surely out and above which it is surely in, and the words of a
/// paragraph.
pub struct Borders {
    pub out: f64,
    pub inside: f64,
    pub paragraph: i64,
}

/// Words of a choice: those that were chosen, those whose blocks are not surely in or out, those of blocks that are not surely
/// out, those of paragraphs, and of chosen paragraphs.
pub fn counts(page: &Columns, blocks: &[i64], chance: &[f64], chosen: &[u8], borders: &Borders) -> [i64; 5] {
    let mut counts = [0; 5];
    let words = page.block_words();
    for (place, &block) in blocks.iter().enumerate() {
        let (own, one, is_chosen) = (words[block as usize], chance[place], chosen[place] != 0);
        let is_paragraph = own >= borders.paragraph;
        let told = [is_chosen, one > borders.out && one < borders.inside, one > borders.out, is_paragraph];
        for (count, counts_for) in counts.iter_mut().zip(told.into_iter().chain([is_paragraph && is_chosen])) {
            *count += if counts_for { own } else { 0 };
        }
    }
    counts
}

/// Starts and ends in turn of ranges, in order, of which those that touch are one, and empty ones are none.
#[derive(Default)]
struct Ranges {
    edges: Vec<i64>,
}

impl Ranges {
    /// Add a range that begins where the last one does, or behind that.
    fn add(&mut self, start: i64, end: i64) {
        if start >= end {
            return;
        }
        match self.edges.last_mut() {
            Some(last) if start <= *last => *last = end.max(*last),
            _ => self.edges.extend([start, end]),
        }
    }

    /// Items by their numbers, which rise. What stands between neighbours goes with them.
    fn of(items: impl Iterator<Item = usize>, range: impl Fn(usize) -> (i64, i64)) -> Ranges {
        let (mut found, mut open) = (Ranges::default(), None);
        for item in items {
            let (start, end) = range(item);
            open = match open {
                Some((next, begin, _)) if next == item => Some((item + 1, begin, end)),
                Some((_, begin, reach)) => {
                    found.add(begin, reach);
                    Some((item + 1, start, end))
                }
                None => Some((item + 1, start, end)),
            };
        }
        if let Some((_, begin, reach)) = open {
            found.add(begin, reach);
        }
        found
    }

    fn each(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        self.edges.chunks_exact(2).map(|pair| (pair[0], pair[1]))
    }

    /// These without others.
    fn without(&self, others: &Ranges) -> Ranges {
        let (mut left, mut next) = (Ranges::default(), 0);
        let holes: Vec<(i64, i64)> = others.each().collect();
        for (start, end) in self.each() {
            let mut at = start;
            while next < holes.len() && holes[next].1 <= start {
                next += 1;
            }
            let mut hole = next;
            while hole < holes.len() && holes[hole].0 < end {
                left.add(at, holes[hole].0.min(end));
                at = holes[hole].1.max(at);
                hole += 1;
            }
            left.add(at, end);
        }
        left
    }
}

/// Starts and ends, in turn, of what a reader sees of chosen blocks, given whether each run is hidden.
pub fn spans(page: &Columns, hidden: &[u8], blocks: &[i64], chosen: &[u8]) -> Vec<i64> {
    let taken = blocks.iter().zip(chosen).filter(|(_, &is_chosen)| is_chosen != 0).map(|(&block, _)| block as usize);
    let whole = Ranges::of(taken, |block| page.block_text(block));
    if !hidden.contains(&1) {
        return whole.edges;
    }
    let (starts, ends) = (page.text_start(), page.text_end());
    let (mut next, ranges): (usize, Vec<(i64, i64)>) = (0, whole.each().collect());
    let unseen = (0..hidden.len()).filter(|&run| {
        if hidden[run] == 0 {
            return false;
        }
        while next < ranges.len() && ranges[next].1 <= starts[run] {
            next += 1;
        }
        next < ranges.len() && ranges[next].0 < ends[run]
    });
    let unseen = Ranges::of(unseen, |run| (starts[run], ends[run]));
    whole.without(&unseen).edges
}
