//! Computes features that relate a block to the story: to its headline, its description and the run of paragraphs around it.
//!
//! The last paragraph of a long text is far from everything. So positions are those of the box around a block, not of the block,
//! and distances have a maximum.

use crate::look::{at_least, DeclaredWords, Lane, Seen};

/// Which of the telling tags an article is.
const ARTICLE: u8 = 0;
/// How much likelier a block of each level is the headline than one that is no heading.
const WORTH: [f64; 7] = [0.3, 0.15, 0.1, 0.05, 0.05, 0.05, 0.0];
const LIKE: f64 = 0.4;
const LONGEST: usize = 40;
const HELD: f64 = 0.5;
const LEAST: usize = 5;
const RUN: f64 = 3.0;
const FAR: f64 = 64.0;
const FAR_WORDS: f64 = 2000.0;
const NEAR: f64 = 8.0;
const NONE: f64 = -100.0;

/// What a page declares of its story: the numbers of the words of its headline and of its description, each once.
pub struct Declared<'a> {
    pub headline: &'a [u64],
    pub summary: &'a [u64],
}

/// Which visible block is the headline and which the description, and what stands since.
#[derive(Default)]
pub struct Story {
    headline: Option<usize>,
    found: f64,
    headline_level: usize,
    told: Option<usize>,
    told_share: Vec<f32>,
    told_cover: Vec<f32>,
    article: Vec<u32>,
    in_article: Vec<bool>,
    articles: f64,
    h1s: Vec<u32>,
    headings: Vec<u32>,
    peers: Vec<u32>,
    run: Vec<u32>,
}

fn sums(values: impl Iterator<Item = bool>) -> Vec<u32> {
    let mut sums = vec![0];
    let mut total = 0;
    for value in values {
        total += u32::from(value);
        sums.push(total);
    }
    sums
}

impl Story {
    pub fn new(seen: &Seen, element: &[usize], declared: &Declared, words: &DeclaredWords) -> Self {
        let (page, tables) = (seen.page, seen.tables);
        let count = seen.count();
        let level: Vec<usize> =
            element.iter().map(|&one| usize::from(tables.order[tables.row(page.tag()[one])]).min(6)).collect();
        let size = |at: usize| seen.words_of(at).len();

        let in_headline = &words.headline;
        let (mut headline, mut best, mut found) = (None, 0.0, 0.0);
        for at in 0..count {
            let both = at_least((size(at) + declared.headline.len()) as f64, 1.0);
            let alike = if size(at) > LONGEST { 0.0 } else { 2.0 * in_headline[at] / both };
            if alike >= LIKE && alike + WORTH[level[at]] > best {
                best = alike + WORTH[level[at]];
                headline = Some(at);
                found = 2.0;
            }
        }
        if headline.is_none() {
            if let Some(h1) = seen.h1 {
                headline = Some(h1 as usize);
                found = 1.0;
            }
        }

        let in_summary = &words.summary;
        let told_size = at_least(declared.summary.len() as f64, 1.0);
        let told_share = (0..count).map(|at| (in_summary[at] / at_least(size(at) as f64, 1.0)) as f32).collect();
        let told_cover = in_summary.iter().map(|&words| (words / told_size).min(1.0) as f32).collect();
        let is_told = |&at: &usize| declared.summary.len() >= LEAST && in_summary[at] / told_size >= HELD;
        let told = (0..count).find(is_told);

        let (tag, parent) = (page.tag(), page.parent());
        let is_article = |one: usize| tables.around[tables.row(tag[one])] == ARTICLE;
        let mut nearest = vec![0u32; tag.len()];
        let mut articles = 0u32;
        for one in 0..tag.len() {
            if is_article(one) {
                articles += u32::from(seen.high[one] > seen.low[one]);
                nearest[one] = one as u32;
            } else if one > 0 {
                nearest[one] = nearest[parent[one] as usize];
            }
        }
        let article: Vec<u32> = element.iter().map(|&one| nearest[one]).collect();
        let in_article = article.iter().map(|&one| is_article(one as usize)).collect();

        let over = headline.map_or(6, |at| level[at]);
        let paragraphs = |one: u32| {
            let (low, high) = seen.held(one);
            seen.long_count[high] - seen.long_count[low]
        };
        let run =
            seen.boxes.iter().map(|boxes| *boxes.iter().find(|&&one| paragraphs(one) >= RUN).unwrap_or(&boxes[0]));
        Story {
            headline,
            found,
            headline_level: over,
            told,
            told_share,
            told_cover,
            article,
            in_article,
            articles: f64::from(articles).min(FAR),
            h1s: sums(level.iter().map(|&one| one == 0)),
            headings: sums(level.iter().map(|&one| one < 6)),
            peers: sums(level.iter().map(|&one| one <= over && one < 6)),
            run: run.collect(),
        }
    }

    /// The features of a block, in the order of `story.NAMES`.
    pub(crate) fn features(&self, seen: &Seen, at: usize, put: &mut Lane) {
        let boxes = &seen.boxes[at];
        let holds = |one: u32, place: usize| {
            let (low, high) = seen.held(one);
            (low..high).contains(&place)
        };
        let up = match self.headline {
            Some(head) => boxes.iter().position(|&one| holds(one, head)).unwrap_or(boxes.len()),
            None => boxes.len(),
        };
        let (own_article, headline_article) = match self.headline {
            Some(head) => {
                let own = if self.in_article[at] {
                    if holds(self.article[at], head) {
                        1.0
                    } else {
                        -1.0
                    }
                } else {
                    0.0
                };
                let inside = f64::from(u8::from(holds(self.article[head], at)));
                (own, if self.in_article[head] { inside } else { -1.0 })
            }
            None => (if self.in_article[at] { -2.0 } else { 0.0 }, -2.0),
        };
        // The largest box around the block without the headline in it, or the block; and the one around that.
        let (child_low, child_high) = if up == 0 { (at, at + 1) } else { seen.held(boxes[up - 1]) };
        let (low, high) = seen.held(boxes[up.min(boxes.len() - 1)]);
        let words = seen.word_sum[child_high] - seen.word_sum[child_low];
        let links = seen.link_sum[child_high] - seen.link_sum[child_low];
        put.add(self.found);
        put.add(self.headline_level as f64);
        put.add(own_article);
        put.add(headline_article);
        put.add(self.articles);
        put.add(up as f64);
        put.add((seen.long_sum[high] - seen.long_sum[low]) / seen.total_long);
        put.add((seen.long_sum[child_high] - seen.long_sum[child_low]) / seen.total_long);
        put.add(links / at_least(words, 1.0));
        put.add((seen.long_count[child_high] - seen.long_count[child_low]).min(FAR));
        match self.headline {
            Some(head) => {
                let since = |sums: &[u32], place: usize| f64::from(sums[place]) - f64::from(sums[head + 1]);
                let from_here = child_low.max(head + 1);
                put.add((child_low as f64 - head as f64).clamp(-FAR, FAR));
                put.add((seen.long_sum[child_low] - seen.long_sum[head]).clamp(-FAR_WORDS, FAR_WORDS));
                put.add(since(&self.h1s, at + 1).clamp(-NEAR, NEAR));
                put.add(since(&self.peers, at + 1).clamp(-NEAR, NEAR));
                put.add((seen.dates[from_here] - seen.dates[head + 1]).min(NEAR));
                put.add(since(&self.headings, from_here).min(NEAR));
            }
            None => {
                for _ in 0..6 {
                    put.add(NONE);
                }
            }
        }
        put.narrow(self.told_share[at]);
        put.narrow(self.told_cover[at]);
        put.flag(self.told.is_some());
        let (low, high) = seen.held(self.run[at]);
        put.add(match self.told {
            Some(told) if (low..high).contains(&told) => 0.0,
            Some(told) => (low as f64 - told as f64).clamp(-FAR, FAR),
            None => NONE,
        });
        put.add(seen.long_sum[low] / seen.total_long);
        put.add((seen.total_long - seen.long_sum[high]) / seen.total_long);
        put.add((low as f64).min(FAR));
        put.add(((seen.count() - high) as f64).min(FAR));
        put.add((at as f64 - low as f64).min(NEAR));
        put.add((high as f64 - 1.0 - at as f64).min(NEAR));
        put.add((seen.long_sum[high] - seen.long_sum[low]) / seen.total_long);
        put.add((seen.long_count[high] - seen.long_count[low]).min(FAR));
    }
}
