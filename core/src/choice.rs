//! Selects the blocks with the highest expected F measure, and measures the selection (`tidings.extractors.learned.choice`).

use crate::columns::Columns;

/// Words of a middling and of a long story: the odds of a block grow with the words of its story.
pub struct StoryLengths {
    pub middling: f64,
    pub long: f64,
}

/// Return a sort key: integers in the reverse order of the numbers.
fn descending_key(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits(); // -0.0 becomes 0.0
    if bits >> 63 == 0 {
        !bits ^ 1 << 63
    } else {
        bits
    }
}

/// Return the number of first blocks in an order with the largest expected F measure, and that measure times `factor`.
fn best(expected_words: &[f64], words: &[i64], order: &[(u64, u32)], weight: f64, factor: f64) -> (usize, f64) {
    let all = weight * expected_words.iter().sum::<f64>();
    let (mut most, mut highest, mut right, mut selected) = (0, f64::NEG_INFINITY, 0.0, 0);
    for (place, &(_, block)) in order.iter().enumerate() {
        right += expected_words[block as usize];
        selected += words[block as usize];
        let expected = factor * right / (selected as f64 + all + 1e-9);
        if expected > highest {
            (most, highest) = (place, expected);
        }
    }
    (most + 1, highest)
}

/// Mark the selected blocks in `selected`, which is all 0, and return the expected F measure of the best selection.
///
/// `weight` is the square of the importance of recall relative to precision. With `lengths` the blocks are those of a
/// story: a short story needs surer blocks.
pub fn choose(
    probabilities: &[f64],
    words: &[i64],
    weight: f64,
    lengths: Option<&StoryLengths>,
    selected: &mut [u8],
) -> f64 {
    if probabilities.is_empty() {
        return 0.0;
    }
    let mut expected_words: Vec<f64> =
        probabilities.iter().zip(words).map(|(probability, &words)| probability * words as f64).collect();
    let mut order: Vec<(u64, u32)> =
        probabilities.iter().zip(0..).map(|(&probability, block)| (descending_key(probability), block)).collect();
    order.sort_unstable();
    let (mut most, expected) = best(&expected_words, words, &order, weight, 1.0 + weight);
    if let Some(lengths) = lengths {
        let all = expected_words.iter().sum::<f64>();
        let odds = ((if lengths.long < all { lengths.long } else { all }) / lengths.middling).sqrt();
        for (words, &probability) in expected_words.iter_mut().zip(probabilities) {
            *words = *words * odds / (1.0 - (1.0 - odds) * probability);
        }
        most = best(&expected_words, words, &order, weight, 1.0).0;
    }
    order[..most].iter().for_each(|&(_, block)| selected[block as usize] = 1);
    expected
}

/// Thresholds of `counts`: probabilities below which a block is surely out and above which it is surely in, and the minimum
/// number of words of a paragraph.
pub struct CountThresholds {
    pub out: f64,
    pub inside: f64,
    pub paragraph: i64,
}

/// Count the words of a selection: of selected blocks, of uncertain blocks, of blocks that are not surely out, of
/// paragraphs, and of selected paragraphs.
pub fn counts(
    page: &Columns,
    blocks: &[i64],
    probabilities: &[f64],
    selected: &[u8],
    thresholds: &CountThresholds,
) -> [i64; 5] {
    let mut counts = [0; 5];
    let words = page.block_words();
    for (place, &block) in blocks.iter().enumerate() {
        let (own, probability, is_selected) = (words[block as usize], probabilities[place], selected[place] != 0);
        let is_paragraph = own >= thresholds.paragraph;
        let flags = [
            is_selected,
            probability > thresholds.out && probability < thresholds.inside,
            probability > thresholds.out,
            is_paragraph,
        ];
        for (count, is_counted) in counts.iter_mut().zip(flags.into_iter().chain([is_paragraph && is_selected])) {
            *count += if is_counted { own } else { 0 };
        }
    }
    counts
}

/// Disjoint ranges in order, as alternating starts and ends. Ranges that touch are merged, and empty ranges are dropped.
#[derive(Default)]
struct Ranges {
    edges: Vec<i64>,
}

impl Ranges {
    /// Add a range that does not begin before the last range.
    fn add(&mut self, start: i64, end: i64) {
        if start >= end {
            return;
        }
        match self.edges.last_mut() {
            Some(last) if start <= *last => *last = end.max(*last),
            _ => self.edges.extend([start, end]),
        }
    }

    /// Return the ranges of items with ascending numbers. What is between neighbours is included.
    fn of(items: impl Iterator<Item = usize>, range: impl Fn(usize) -> (i64, i64)) -> Ranges {
        let (mut ranges, mut open) = (Ranges::default(), None);
        for item in items {
            let (start, end) = range(item);
            open = match open {
                Some((next, begin, _)) if next == item => Some((item + 1, begin, end)),
                Some((_, begin, reach)) => {
                    ranges.add(begin, reach);
                    Some((item + 1, start, end))
                }
                None => Some((item + 1, start, end)),
            };
        }
        if let Some((_, begin, reach)) = open {
            ranges.add(begin, reach);
        }
        ranges
    }

    fn each(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        self.edges.chunks_exact(2).map(|pair| (pair[0], pair[1]))
    }

    /// Return these ranges without others.
    fn without(&self, others: &Ranges) -> Ranges {
        let (mut ranges, mut next) = (Ranges::default(), 0);
        let holes: Vec<(i64, i64)> = others.each().collect();
        for (start, end) in self.each() {
            let mut at = start;
            while next < holes.len() && holes[next].1 <= start {
                next += 1;
            }
            let mut hole = next;
            while hole < holes.len() && holes[hole].0 < end {
                ranges.add(at, holes[hole].0.min(end));
                at = holes[hole].1.max(at);
                hole += 1;
            }
            ranges.add(at, end);
        }
        ranges
    }
}

/// Return alternating starts and ends of the visible text of selected blocks. `hidden` has a flag for each run.
pub fn spans(page: &Columns, hidden: &[u8], blocks: &[i64], selected: &[u8]) -> Vec<i64> {
    let selected_blocks =
        blocks.iter().zip(selected).filter(|(_, &is_selected)| is_selected != 0).map(|(&block, _)| block as usize);
    let whole = Ranges::of(selected_blocks, |block| page.block_text(block));
    if !hidden.contains(&1) {
        return whole.edges;
    }
    let (starts, ends) = (page.text_start(), page.text_end());
    let (mut next, ranges): (usize, Vec<(i64, i64)>) = (0, whole.each().collect());
    let hidden_runs = (0..hidden.len()).filter(|&run| {
        if hidden[run] == 0 {
            return false;
        }
        while next < ranges.len() && ranges[next].1 <= starts[run] {
            next += 1;
        }
        next < ranges.len() && ranges[next].0 < ends[run]
    });
    let hidden_runs = Ranges::of(hidden_runs, |run| (starts[run], ends[run]));
    whole.without(&hidden_runs).edges
}
