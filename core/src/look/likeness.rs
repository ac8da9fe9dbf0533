//! Measures how similar blocks are to the declared metadata and to each other.

use super::*;

const TITLE: u8 = 1;
const HEADLINE: u8 = 2;
const SUMMARY: u8 = 4;
/// In a paragraph, and in a paragraph more than once.
const LONG_ONCE: u8 = 8;
const LONG_TWICE: u8 = 16;
const RARE: u8 = 32;

/// How many words of a block are in the declared headline and in the description.
pub struct DeclaredWords {
    pub(crate) headline: Vec<f64>,
    pub(crate) summary: Vec<f64>,
}

impl Seen<'_> {
    /// How like the title, and like the other paragraphs of the page, the words of a block are.
    pub(super) fn find_likeness(&mut self, title: &[u64], declared: &Declared) -> DeclaredWords {
        let size = self.vocabulary.numbers.len();
        let mut counts = vec![(0u32, 0u32); size]; // all, in long blocks
        for at in 0..self.count() {
            let is_long = u32::from(self.long[at] > 0.0);
            for &word in self.words_of(at) {
                let held = &mut counts[word as usize];
                held.0 += 1;
                held.1 += is_long;
            }
        }
        let few = at_least(self.total / 200.0, 3.0);
        let mark = |&(all, in_long): &(u32, u32)| {
            let is_rare = f64::from(all) <= few;
            (u8::from(in_long > 0) * LONG_ONCE) | (u8::from(in_long > 1) * LONG_TWICE) | (u8::from(is_rare) * RARE)
        };
        let mut marks: Vec<u8> = counts.iter().map(mark).collect();
        for (words, bit) in [(title, TITLE), (declared.headline, HEADLINE), (declared.summary, SUMMARY)] {
            for place in words.iter().filter_map(|&number| self.vocabulary.find(number)) {
                marks[place] |= bit;
            }
        }
        let title_size = at_least(title.len() as f64, 1.0);
        let count = self.count();
        let mut likeness = Vec::with_capacity(count);
        let mut found = DeclaredWords { headline: Vec::with_capacity(count), summary: Vec::with_capacity(count) };
        for at in 0..count {
            let elsewhere = if self.long[at] > 0.0 { LONG_TWICE } else { LONG_ONCE };
            let words = self.words_of(at);
            let (mut told, mut headline, mut summary, mut shared, mut rare) = (0u32, 0u32, 0u32, 0u32, 0u32);
            for &word in words {
                let mark = marks[word as usize];
                told += u32::from(mark & TITLE != 0);
                headline += u32::from(mark & HEADLINE != 0);
                summary += u32::from(mark & SUMMARY != 0);
                shared += u32::from(mark & elsewhere != 0);
                rare += u32::from(mark & elsewhere != 0 && mark & RARE != 0);
            }
            let size = at_least(words.len() as f64, 1.0);
            let told = f64::from(told);
            likeness.push([
                (told / size) as f32,
                (told / title_size) as f32,
                (f64::from(shared) / size) as f32,
                (f64::from(rare) / size) as f32,
            ]);
            found.headline.push(f64::from(headline));
            found.summary.push(f64::from(summary));
        }
        self.likeness = likeness;
        found
    }

    #[inline(always)]
    pub(crate) fn words_of(&self, at: usize) -> &[u32] {
        &self.word_places[self.first_word[at] as usize..self.last_word[at] as usize]
    }
}
