//! Computes the features by which kinds of pages are classified: known words and counts (`tidings.extractors.learned.kinds`).

use std::collections::HashMap;

use crate::columns::Columns;
use crate::look::visible;
use crate::tables::Tables;
use crate::words::{each_word, KnownWords};

/// A paragraph has this many words, and less than this share of them in links.
const PARAGRAPH: i64 = 15;
const LINKED: f64 = 0.4;
/// The same for running text.
const RUNNING: i64 = 25;
const RUNNING_LINKED: f64 = 0.3;
/// A linked headline has this many words, and at least this share of them in links.
const HEADLINE: i64 = 4;
const HEADLINE_LINKED: f64 = 0.7;
/// A block with at least this share of its words in links separates runs of paragraphs.
const SEPARATOR_LINKED: f64 = 0.5;

/// Known words, and what each weighs for each kind.
pub struct KindWords {
    /// The place of each.
    known: KnownWords<u32>,
    weight: Vec<f32>,
    kinds: usize,
}

impl KindWords {
    /// From the numbers of the words, and for each as many weights as there are kinds; of equal numbers the first counts.
    pub fn new(numbers: &[u64], weight: &[f32], kinds: usize) -> KindWords {
        let places: Vec<u32> = (0..numbers.len() as u32).collect();
        KindWords { known: KnownWords::new(numbers, &places), weight: weight.to_vec(), kinds }
    }

    /// What those words weigh that are on a page, among the names in its start tags, or in a text: each once, in their order.
    pub fn weigh(&self, page: &Columns, tables: &Tables, text: &[u32]) -> Vec<f32> {
        let mut places = Vec::with_capacity(256);
        let mut add = |number: u64| places.extend(self.known.get(number));
        page.names_of_tags(tables).vocabulary.numbers.iter().for_each(|&number| add(number));
        each_word(text.iter().copied(), tables, |_, number| add(number));
        places.sort_unstable();
        places.dedup();
        let mut total = vec![0.0; self.kinds];
        for &place in &places {
            let own = &self.weight[place as usize * self.kinds..][..self.kinds];
            total.iter_mut().zip(own).for_each(|(total, own)| *total += own);
        }
        total
    }
}

/// Return the figures of a page from which its kind is predicted: first those of its visible blocks, in the order of `BLOCK_FIGURES`
/// in `tidings.extractors.learned.kinds`, then the number of elements of each of some tags.
pub fn figures(page: &Columns, hidden: &[u8], tags: &[i64]) -> Vec<f64> {
    let mut counts = vec![0u32; tags.iter().max().map_or(0, |&most| most as usize + 1)];
    for &tag in page.tag() {
        if let Some(count) = counts.get_mut(tag as usize) {
            *count += 1;
        }
    }
    let mut figures = BlockFigures::of(page, hidden).values();
    figures.extend(tags.iter().map(|&tag| f64::from(counts[tag as usize])));
    figures
}

/// Sums over the visible blocks of a page. A paragraph is a block of at least `PARAGRAPH` words with few of them in links, a
/// linked headline a block of at least `HEADLINE` words with most of them in links.
#[derive(Default)]
struct BlockFigures {
    words: i64,
    blocks: i64,
    link_words: i64,
    longest_block: i64,
    paragraphs: i64,
    paragraph_words: i64,
    running_words: i64,
    headlines: i64,
    headline_words: i64,
    /// Paragraphs next to a linked headline.
    teasers: i64,
    /// The most paragraph words, and the most paragraphs, of elements that are parents of paragraphs.
    container_words: i64,
    container_paragraphs: i64,
    /// The most paragraph words without a block between them that consists mainly of links.
    longest_run: i64,
}

impl BlockFigures {
    fn of(page: &Columns, hidden: &[u8]) -> Self {
        let mut sums = BlockFigures::default();
        let mut containers: HashMap<i64, (i64, i64)> = HashMap::new();
        let (mut run, mut after_headline, mut paragraph_before) = (0, false, false);
        for block in visible(page, hidden) {
            let (words, linked) = (page.block_words()[block], page.block_link_words()[block]);
            let link_share = linked as f64 / words as f64;
            sums.words += words;
            sums.blocks += 1;
            sums.link_words += linked;
            sums.longest_block = words.max(sums.longest_block);
            if words >= RUNNING && link_share < RUNNING_LINKED {
                sums.running_words += words;
            }
            let is_paragraph = words >= PARAGRAPH && link_share < LINKED;
            let is_headline = words >= HEADLINE && link_share >= HEADLINE_LINKED;
            if is_paragraph {
                sums.paragraphs += 1;
                sums.paragraph_words += words;
                sums.teasers += i64::from(after_headline);
                run += words;
                let parent = page.parent()[page.block_element()[block] as usize].max(0);
                let container = containers.entry(parent).or_default();
                *container = (container.0 + words, container.1 + 1);
                sums.container_words = sums.container_words.max(container.0);
                sums.container_paragraphs = sums.container_paragraphs.max(container.1);
            } else if words >= HEADLINE && link_share >= SEPARATOR_LINKED {
                sums.longest_run = sums.longest_run.max(run);
                run = 0;
            }
            if is_headline {
                sums.headlines += 1;
                sums.headline_words += words;
                sums.teasers += i64::from(paragraph_before);
            }
            // A paragraph between two headlines is one teaser.
            paragraph_before = is_paragraph && !after_headline;
            after_headline = is_headline;
        }
        sums.longest_run = sums.longest_run.max(run);
        sums
    }

    /// The figures in the order of `BLOCK_FIGURES`.
    fn values(&self) -> Vec<f64> {
        let (words, paragraph_words) = (self.words.max(1) as f64, self.paragraph_words.max(1) as f64);
        let paragraphs = self.paragraphs.max(1) as f64;
        vec![
            words,
            self.blocks as f64,
            self.link_words as f64 / words,
            self.paragraph_words as f64 / words,
            self.paragraph_words as f64,
            self.paragraphs as f64,
            self.paragraph_words as f64 / paragraphs,
            self.longest_block as f64,
            self.headlines as f64,
            self.headline_words as f64,
            self.running_words as f64,
            self.headline_words as f64 / words,
            self.container_words as f64 / paragraph_words,
            self.container_words as f64,
            self.container_paragraphs as f64,
            self.teasers as f64,
            self.teasers as f64 / paragraphs,
            self.longest_run as f64,
            self.longest_run as f64 / paragraph_words,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{scan, Manner};
    use crate::samples;
    use crate::units::Wide;

    #[test]
    fn known_words_count_once_and_in_order() {
        let tables = samples::tables();
        let source = b"<div class='one two'><p id=one>three</div>";
        let mut page = scan(&source[..], &tables, Manner { most_tags: 100, ..Manner::default() });
        page.source = Wide::One(source.to_vec().into());
        let mut numbers = Vec::new();
        let text: Vec<u32> = "one four".chars().map(u32::from).collect();
        each_word(text.iter().copied(), &tables, |_, number| numbers.push(number));
        let words = KindWords::new(&[numbers[1], numbers[0], numbers[0]], &[1e8, 1.0, 1.0, 2.0, 64.0, 64.0], 2);
        assert_eq!(words.weigh(&page, &tables, &text), [1e8, 3.0]);
        assert_eq!(words.weigh(&page, &tables, &[]), [1.0, 2.0]);
        let div = i64::from(samples::tag(&tables, "div"));
        let mut expected = vec![0.0; 20];
        // One word in one block that is the longest, and one div.
        (expected[0], expected[1], expected[7], expected[19]) = (1.0, 1.0, 1.0, 1.0);
        assert_eq!(figures(&page, &[0], &[div]), expected);
    }
}
