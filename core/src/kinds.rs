//! Computes the features by which kinds of pages are classified: known words and counts (`tidings.extractors.learned.kinds`).

use crate::columns::Columns;
use crate::look::visible;
use crate::tables::Tables;
use crate::words::{each_word, KnownWords};

/// A block of so many words is a paragraph, unless this share of them is in links.
const PARAGRAPH: i64 = 15;
const LINKED: f64 = 0.4;

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

/// Of visible blocks the words, at least one, their number, shares of words in links and in paragraphs, words in paragraphs,
/// the number of these, their mean, the words of the longest block; then how many elements of each of some tags there are.
pub fn figures(page: &Columns, hidden: &[u8], tags: &[i64]) -> Vec<f64> {
    let mut counts = vec![0u32; tags.iter().max().map_or(0, |&most| most as usize + 1)];
    for &tag in page.tag() {
        if let Some(count) = counts.get_mut(tag as usize) {
            *count += 1;
        }
    }
    let [mut words, mut blocks, mut held, mut paragraphs, mut longest, mut linked] = [0i64; 6];
    for block in visible(page, hidden) {
        let (own, in_links) = (page.block_words()[block], page.block_link_words()[block]);
        words += own;
        blocks += 1;
        linked += in_links;
        longest = own.max(longest);
        if own >= PARAGRAPH && (in_links as f64) < LINKED * own as f64 {
            held += own;
            paragraphs += 1;
        }
    }
    let (total, in_paragraphs) = (words.max(1) as f64, held as f64);
    let mean = in_paragraphs / paragraphs.max(1) as f64;
    let shares = [linked as f64 / total, in_paragraphs / total];
    let mut told =
        vec![total, blocks as f64, shares[0], shares[1], in_paragraphs, paragraphs as f64, mean, longest as f64];
    told.extend(tags.iter().map(|&tag| f64::from(counts[tag as usize])));
    told
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
        assert_eq!(figures(&page, &[0], &[div]), [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
    }
}
