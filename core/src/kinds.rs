//! Figures by which kinds of pages are told apart (`tidings.extractors.learned.kinds`).

use crate::columns::Columns;
use crate::look::visible;

/// Sizes that are told of blocks.
pub const SIZES: usize = 6;
/// A block of so many words is a paragraph, unless this share of them is in links.
const PARAGRAPH: i64 = 15;
const LINKED: f64 = 0.4;

/// How many elements of each of some tags a page has; of visible blocks how many words and how many there are, words and
/// number of paragraphs, the words of the longest, words in links.
pub fn figures(page: &Columns, hidden: &[u8], tags: &[i64]) -> Vec<i64> {
    let mut counts = vec![0i64; tags.iter().max().map_or(0, |&most| most as usize + 1)];
    for &tag in page.tag() {
        if let Some(count) = counts.get_mut(tag as usize) {
            *count += 1;
        }
    }
    let [mut words, mut blocks, mut held, mut paragraphs, mut longest, mut linked] = [0; SIZES];
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
    let mut told: Vec<i64> = tags.iter().map(|&tag| counts[tag as usize]).collect();
    told.extend([words, blocks, held, paragraphs, longest, linked]);
    told
}
