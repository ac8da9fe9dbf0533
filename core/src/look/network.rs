//! Evaluates a small network over all blocks of a page.

use super::trees::exponential;
use super::*;

const STEPS: [isize; 4] = [-2, -1, 1, 2];
/// Levels of the boxes around a block from which it gets messages.
const MESSAGE_BOXES: [usize; 4] = [0, 1, 3, 5];
const CONTEXTS: usize = STEPS.len() + MESSAGE_BOXES.len() + PATHS.len() + 2;
const MOST_ATTENTION: f64 = 8.0;
/// Blocks of a page that are judged: fewer have no surroundings, and memory is bounded.
const LEAST: usize = 8;
const MOST: usize = 1 << 14;

struct Layer {
    messages: Vec<f32>,
    attention: Vec<f32>,
    update: Vec<f32>,
    bias: Vec<f32>,
}

/// The learned weights, in rows, one for each input. A feature counts as the number of its borders that it is above.
pub struct Network {
    border: Vec<f32>,
    bounds: Vec<usize>,
    first: Vec<f32>,
    bias: Vec<f32>,
    message_size: usize,
    layers: Vec<Layer>,
    last: Vec<f32>,
    last_bias: f32,
}

/// The arrays of a network. Those of the layers are concatenated; the bias of the last sum follows its weights.
pub struct NetworkArrays<'a> {
    pub border: &'a [f32],
    pub bounds: &'a [i64],
    pub first: &'a [f32],
    pub bias: &'a [f32],
    pub messages: &'a [f32],
    pub attention: &'a [f32],
    pub update: &'a [f32],
    pub biases: &'a [f32],
    pub last: &'a [f32],
}

impl Network {
    /// Return the network, or None if the arrays do not fit together or are for another number of features.
    pub fn new(arrays: &NetworkArrays, features: usize) -> Option<Network> {
        let units = arrays.bias.len();
        let layers = arrays.biases.len().checked_div(units)?;
        let message_size = arrays.messages.len().checked_div(layers * units).unwrap_or(0);
        let inputs = units + CONTEXTS * message_size;
        let rising = arrays.bounds.windows(2).all(|pair| pair[0] <= pair[1] && pair[1] - pair[0] < 1 << 20);
        let fits = arrays.bounds.len() == features + 1
            && rising
            && arrays.bounds[0] == 0
            && arrays.bounds[features] == arrays.border.len() as i64
            && arrays.first.len() == features * units
            && arrays.biases.len() == layers * units
            && arrays.messages.len() == layers * units * message_size
            && arrays.attention.len() == layers * (units + 1)
            && arrays.update.len() == layers * inputs * units
            && arrays.last.len() == units + 1;
        if !fits {
            return None;
        }
        let layers = (0..layers).map(|layer| Layer {
            messages: arrays.messages[layer * units * message_size..][..units * message_size].to_vec(),
            attention: arrays.attention[layer * (units + 1)..][..units + 1].to_vec(),
            update: arrays.update[layer * inputs * units..][..inputs * units].to_vec(),
            bias: arrays.biases[layer * units..][..units].to_vec(),
        });
        Some(Network {
            border: arrays.border.to_vec(),
            bounds: arrays.bounds.iter().map(|&bound| bound as usize).collect(),
            first: arrays.first.to_vec(),
            bias: arrays.bias.to_vec(),
            message_size,
            layers: layers.collect(),
            last: arrays.last[..units].to_vec(),
            last_bias: arrays.last[units],
        })
    }

    fn units(&self) -> usize {
        self.bias.len()
    }

    /// Compute the units of some blocks from their features alone.
    #[inline(always)]
    pub(super) fn begin(&self, rows: &Part, units: &mut Vec<Row>) {
        let mut counts = [[0f32; LANES]; ROWS];
        for (feature, pair) in self.bounds.windows(2).enumerate() {
            let (row, mut above) = (&rows[feature], [0i32; LANES]);
            for &border in &self.border[pair[0]..pair[1]] {
                for lane in 0..LANES {
                    above[lane] += i32::from(row[lane] > border);
                }
            }
            for lane in 0..LANES {
                counts[feature][lane] = above[lane] as f32;
            }
        }
        let place = units.len();
        units.resize(place + self.units(), [0.0; LANES]);
        weighed(&self.first, &counts[..self.bounds.len() - 1], &self.bias, &mut units[place..]);
        for row in &mut units[place..] {
            positive(row);
        }
    }

    /// Return whether networks classify pages with this number of visible blocks.
    pub(super) fn can_judge(count: usize) -> bool {
        (LEAST..=MOST).contains(&count)
    }

    /// Return the logarithm of the odds of each block of a page, given the units from `begin`.
    #[inline(always)]
    pub(super) fn log_odds(&self, seen: &Seen, mut units: Vec<Row>) -> Vec<f64> {
        let (count, size) = (seen.count(), self.units());
        let weight: Vec<f64> = seen.words.iter().map(|words| words.sqrt()).collect();
        let mut attention = vec![0f64; count];
        let mut inputs = vec![[0f32; LANES]; size + CONTEXTS * self.message_size];
        let mut update = vec![[0f32; LANES]; size];
        let (mut messages, silence) = (vec![0f32; count * self.message_size], vec![0.0; self.message_size]);
        for layer in &self.layers {
            for (part, own) in units.chunks_exact(size).enumerate() {
                let rows = &mut inputs[..self.message_size];
                weighed(&layer.messages, own, &silence, rows);
                for row in rows.iter_mut() {
                    positive(row);
                }
                for (lane, at) in (part * LANES..((part + 1) * LANES).min(count)).enumerate() {
                    for (place, row) in rows.iter().enumerate() {
                        messages[at * self.message_size + place] = row[lane];
                    }
                }
                let mut score = [[0f32; LANES]];
                weighed(&layer.attention[..size], own, &layer.attention[size..], &mut score);
                for (lane, at) in (part * LANES..((part + 1) * LANES).min(count)).enumerate() {
                    let score = f64::from(score[0][lane]).clamp(-MOST_ATTENTION, MOST_ATTENTION);
                    attention[at] = exponential(score) * weight[at];
                }
            }
            let around = Around::new(seen, [&weight, &attention], &messages, self.message_size);
            for (part, own) in units.chunks_exact_mut(size).enumerate() {
                inputs[..size].copy_from_slice(own);
                for (lane, at) in (part * LANES..((part + 1) * LANES).min(count)).enumerate() {
                    around.fill(at, |place, value| inputs[size + place][lane] = value);
                }
                weighed(&layer.update, &inputs, &layer.bias, &mut update);
                for (own, update) in own.iter_mut().zip(&mut update) {
                    positive(update);
                    for lane in 0..LANES {
                        own[lane] += update[lane];
                    }
                }
            }
        }
        let mut odds = Vec::with_capacity(count + LANES);
        for own in units.chunks_exact(size) {
            let mut sums = [[0f32; LANES]];
            weighed(&self.last, own, &[self.last_bias], &mut sums);
            odds.extend(sums[0].iter().map(|&sum| f64::from(sum)));
        }
        odds.truncate(count);
        odds
    }
}

#[inline(always)]
fn positive(row: &mut Row) {
    for value in row {
        *value = if *value > 0.0 { *value } else { 0.0 };
    }
}

/// The sums of weighed rows, one for each column of the weights; one term after the other.
#[inline(always)]
fn weighed(weights: &[f32], rows: &[Row], bias: &[f32], sums: &mut [Row]) {
    let (width, mut next) = (bias.len(), 0);
    while next + 4 <= width {
        some_weighed::<4>(weights, rows, bias, next, sums);
        next += 4;
    }
    while next < width {
        some_weighed::<1>(weights, rows, bias, next, sums);
        next += 1;
    }
}

/// Some of them at the same time: so many chains of additions do not wait for each other.
#[inline(always)]
fn some_weighed<const N: usize>(weights: &[f32], rows: &[Row], bias: &[f32], next: usize, sums: &mut [Row]) {
    let mut some = [[0f32; LANES]; N];
    for (sum, &bias) in some.iter_mut().zip(&bias[next..]) {
        *sum = [bias; LANES];
    }
    for (row, weights) in rows.iter().zip(weights.chunks_exact(bias.len())) {
        let weights = &weights[next..next + N];
        for (sum, &weight) in some.iter_mut().zip(weights) {
            for lane in 0..LANES {
                sum[lane] += weight * row[lane];
            }
        }
    }
    sums[next..next + N].copy_from_slice(&some);
}

/// Mean messages of the surroundings of each block, weighted by the square roots of word counts.
struct Around<'a> {
    seen: &'a Seen<'a>,
    messages: &'a [f32],
    message_size: usize,
    /// By box, by group of each sort of path, and of the page.
    boxes: Vec<f32>,
    paths: Vec<Vec<f32>>,
    page: Vec<f32>,
    attended: Vec<f32>,
}

impl<'a> Around<'a> {
    fn new(seen: &'a Seen, [weight, attention]: [&[f64]; 2], messages: &'a [f32], message_size: usize) -> Self {
        let count = seen.count();
        // Sums up to each block, and their weights behind them.
        let width = message_size + 1;
        let mut sums = vec![0f64; (count + 1) * width];
        for at in 0..count {
            let (before, behind) = sums.split_at_mut((at + 1) * width);
            let before = &before[at * width..];
            for place in 0..message_size {
                behind[place] = before[place] + f64::from(messages[at * message_size + place]) * weight[at];
            }
            behind[message_size] = before[message_size] + weight[at];
        }
        let mean = |low: usize, high: usize, means: &mut Vec<f32>| {
            let (low, high) = (&sums[low * width..][..width], &sums[high * width..][..width]);
            let weight = high[message_size] - low[message_size];
            means.extend((0..message_size).map(|place| ((high[place] - low[place]) / weight) as f32));
        };
        let (mut boxes, mut page) =
            (Vec::with_capacity(seen.layout.len() * message_size), Vec::with_capacity(message_size));
        seen.layout.iter().for_each(|one| mean(one.low, one.high, &mut boxes));
        mean(0, count, &mut page);
        let paths = seen.groups.iter().map(|group| {
            let mut sums = vec![0f64; group.words.len() * width];
            for (at, &place) in group.of_block.iter().enumerate() {
                let sums = &mut sums[place as usize * width..][..width];
                for (sum, &messages) in sums.iter_mut().zip(&messages[at * message_size..][..message_size]) {
                    *sum += f64::from(messages) * weight[at];
                }
                sums[message_size] += weight[at];
            }
            sums.chunks_exact(width)
                .flat_map(|sums| (0..message_size).map(move |one| (sums[one] / sums[message_size]) as f32))
                .collect()
        });
        let paths = paths.collect();
        let (mut sums, mut total) = (vec![0f64; message_size], 0.0);
        for (messages, &attention) in messages.chunks_exact(message_size.max(1)).zip(attention) {
            for (sum, &messages) in sums.iter_mut().zip(messages) {
                *sum += f64::from(messages) * attention;
            }
            total += attention;
        }
        let attended = sums.iter().map(|sum| (sum / total) as f32).collect();
        Around { seen, messages, message_size, boxes, paths, page, attended }
    }

    #[inline(always)]
    fn fill(&self, at: usize, mut put: impl FnMut(usize, f32)) {
        let (message_size, count) = (self.message_size, self.seen.count());
        let mut next = 0;
        let mut all = |values: Option<&[f32]>| {
            for place in 0..message_size {
                put(next + place, values.map_or(0.0, |values| values[place]));
            }
            next += message_size;
        };
        for step in STEPS {
            let other = at as isize + step;
            let is_there = other >= 0 && (other as usize) < count;
            all(is_there.then(|| &self.messages[other as usize * message_size..][..message_size]));
        }
        for level in MESSAGE_BOXES {
            all(Some(&self.boxes[self.seen.box_places[at][level] as usize * message_size..][..message_size]));
        }
        for (group, means) in self.seen.groups.iter().zip(&self.paths) {
            all(Some(&means[group.of_block[at] as usize * message_size..][..message_size]));
        }
        all(Some(&self.page));
        all(Some(&self.attended));
    }
}
