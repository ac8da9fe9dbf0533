//! Computes features that relate a block to the story: to its headline, its description and the run of paragraphs around it.
//!
//! The last paragraph of a long text is far from everything. So positions are those of the box around a block, not of the block,
//! and distances have a maximum.

use crate::look::{at_least, DeclaredWords, Lane, Seen};
use crate::pictures::prefix_sums;

/// The number of `<article>` among the tags with features of their own.
const ARTICLE: u8 = 0;
/// Bonus of a block for being the headline, by heading level; the last is for other blocks.
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

/// The words of the declared headline and description, as numbers, each once.
pub struct Declared<'a> {
    pub headline: &'a [u64],
    pub summary: &'a [u64],
}

/// The headline and the description among the visible blocks, and counts of what follows them.
#[derive(Default)]
pub struct Story {
    headline: Option<usize>,
    match_quality: f64,
    headline_level: usize,
    summary: Option<usize>,
    summary_share: Vec<f32>,
    summary_cover: Vec<f32>,
    article: Vec<u32>,
    in_article: Vec<bool>,
    articles: f64,
    h1s: Vec<u32>,
    headings: Vec<u32>,
    peers: Vec<u32>,
    run: Vec<u32>,
}

impl Story {
    pub fn new(seen: &Seen, element: &[usize], declared: &Declared, words: &DeclaredWords) -> Self {
        let (page, tables) = (seen.page, seen.tables);
        let count = seen.count();
        let level: Vec<usize> =
            element.iter().map(|&own| usize::from(tables.order[tables.row(page.tag()[own])]).min(6)).collect();
        let size = |at: usize| seen.words_of(at).len();

        let in_headline = &words.headline;
        let (mut headline, mut best, mut match_quality) = (None, 0.0, 0.0);
        for at in 0..count {
            let both = at_least((size(at) + declared.headline.len()) as f64, 1.0);
            let alike = if size(at) > LONGEST { 0.0 } else { 2.0 * in_headline[at] / both };
            if alike >= LIKE && alike + WORTH[level[at]] > best {
                best = alike + WORTH[level[at]];
                headline = Some(at);
                match_quality = 2.0;
            }
        }
        if headline.is_none() {
            if let Some(h1) = seen.h1 {
                headline = Some(h1 as usize);
                match_quality = 1.0;
            }
        }

        let in_summary = &words.summary;
        let summary_size = at_least(declared.summary.len() as f64, 1.0);
        let summary_share = (0..count).map(|at| (in_summary[at] / at_least(size(at) as f64, 1.0)) as f32).collect();
        let summary_cover = in_summary.iter().map(|&words| (words / summary_size).min(1.0) as f32).collect();
        let is_summary = |&at: &usize| declared.summary.len() >= LEAST && in_summary[at] / summary_size >= HELD;
        let summary = (0..count).find(is_summary);

        let (tag, parent) = (page.tag(), page.parent());
        let is_article = |own: usize| tables.around[tables.row(tag[own])] == ARTICLE;
        let mut nearest = vec![0u32; tag.len()];
        let mut articles = 0u32;
        for own in 0..tag.len() {
            if is_article(own) {
                articles += u32::from(seen.high[own] > seen.low[own]);
                nearest[own] = own as u32;
            } else if own > 0 {
                nearest[own] = nearest[parent[own] as usize];
            }
        }
        let article: Vec<u32> = element.iter().map(|&own| nearest[own]).collect();
        let in_article = article.iter().map(|&own| is_article(own as usize)).collect();

        let headline_level = headline.map_or(6, |at| level[at]);
        let paragraphs = |container: u32| {
            let (low, high) = seen.held(container);
            seen.long_count[high] - seen.long_count[low]
        };
        let run = seen
            .boxes
            .iter()
            .map(|boxes| *boxes.iter().find(|&&container| paragraphs(container) >= RUN).unwrap_or(&boxes[0]));
        Story {
            headline,
            match_quality,
            headline_level,
            summary,
            summary_share,
            summary_cover,
            article,
            in_article,
            articles: f64::from(articles).min(FAR),
            h1s: prefix_sums(count, |block| level[block] == 0),
            headings: prefix_sums(count, |block| level[block] < 6),
            peers: prefix_sums(count, |block| level[block] <= headline_level && level[block] < 6),
            run: run.collect(),
        }
    }

    /// The features of a block, in the order of `story.NAMES`.
    pub(crate) fn features(&self, seen: &Seen, at: usize, row: &mut Lane) {
        let boxes = &seen.boxes[at];
        let holds = |container: u32, place: usize| {
            let (low, high) = seen.held(container);
            (low..high).contains(&place)
        };
        let up = match self.headline {
            Some(head) => boxes.iter().position(|&container| holds(container, head)).unwrap_or(boxes.len()),
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
        row.add(self.match_quality);
        row.add(self.headline_level as f64);
        row.add(own_article);
        row.add(headline_article);
        row.add(self.articles);
        row.add(up as f64);
        row.add((seen.long_sum[high] - seen.long_sum[low]) / seen.total_long);
        row.add((seen.long_sum[child_high] - seen.long_sum[child_low]) / seen.total_long);
        row.add(links / at_least(words, 1.0));
        row.add((seen.long_count[child_high] - seen.long_count[child_low]).min(FAR));
        match self.headline {
            Some(head) => {
                let since = |sums: &[u32], place: usize| f64::from(sums[place]) - f64::from(sums[head + 1]);
                let from_here = child_low.max(head + 1);
                row.add((child_low as f64 - head as f64).clamp(-FAR, FAR));
                row.add((seen.long_sum[child_low] - seen.long_sum[head]).clamp(-FAR_WORDS, FAR_WORDS));
                row.add(since(&self.h1s, at + 1).clamp(-NEAR, NEAR));
                row.add(since(&self.peers, at + 1).clamp(-NEAR, NEAR));
                row.add((seen.dates[from_here] - seen.dates[head + 1]).min(NEAR));
                row.add(since(&self.headings, from_here).min(NEAR));
            }
            None => {
                for _ in 0..6 {
                    row.add(NONE);
                }
            }
        }
        row.narrow(self.summary_share[at]);
        row.narrow(self.summary_cover[at]);
        row.flag(self.summary.is_some());
        let (low, high) = seen.held(self.run[at]);
        row.add(match self.summary {
            Some(summary) if (low..high).contains(&summary) => 0.0,
            Some(summary) => (low as f64 - summary as f64).clamp(-FAR, FAR),
            None => NONE,
        });
        row.add(seen.long_sum[low] / seen.total_long);
        row.add((seen.total_long - seen.long_sum[high]) / seen.total_long);
        row.add((low as f64).min(FAR));
        row.add(((seen.count() - high) as f64).min(FAR));
        row.add((at as f64 - low as f64).min(NEAR));
        row.add((high as f64 - 1.0 - at as f64).min(NEAR));
        row.add((seen.long_sum[high] - seen.long_sum[low]) / seen.total_long);
        row.add((seen.long_count[high] - seen.long_count[low]).min(FAR));
    }
}
