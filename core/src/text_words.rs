//! Words looked for in the text of a page, all at once (`tidings.fields.visible_dates`).

use crate::columns::Columns;
use crate::needles::frequency;

/// Pairs of characters are told apart by the last six bits of each.
const BITS: u32 = 6;
const PAIRS: usize = 1 << (2 * BITS);
/// More would be pairs that many texts hold.
const MOST_STEPS: usize = 3;

/// Words of two characters or more. Case counts.
pub struct TextWords {
    words: Vec<Vec<u32>>,
    /// By a pair of characters the words that are looked for by it, and where it stands in them; first whether there are any.
    is_begun: Box<[bool; PAIRS]>,
    by_pair: Vec<Vec<(usize, usize)>>,
    /// Every so many pairs of a text are looked at: of each word as many that follow each other are known.
    step: usize,
}

#[inline(always)]
fn pair(one: u32, other: u32) -> usize {
    const LAST: u32 = (1 << BITS) - 1;
    ((one & LAST) << BITS | (other & LAST)) as usize
}

impl TextWords {
    /// Nothing if a word has no two characters.
    pub fn new(words: Vec<Vec<u32>>) -> Option<TextWords> {
        let shortest = words.iter().map(Vec::len).min()?;
        let step = shortest.checked_sub(1)?.min(MOST_STEPS);
        let mut found = TextWords {
            words: Vec::new(),
            is_begun: Box::new([false; PAIRS]),
            by_pair: vec![Vec::new(); PAIRS],
            step: step.max(1),
        };
        let rank = |code: u32| u8::try_from(code).map_or(0, frequency);
        for (number, word) in words.iter().enumerate() {
            let places = 0..word.len().saturating_sub(step.max(1));
            let rank_of = |&at: &usize| (at..at + step).map(|at| rank(word[at]) + rank(word[at + 1])).max();
            let first = places.min_by_key(rank_of)?;
            for at in (first..first + step).rev() {
                let pair = pair(word[at], word[at + 1]);
                found.is_begun[pair] = true;
                found.by_pair[pair].push((number, at));
            }
        }
        found.words = words;
        Some(found)
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The number of each word that stands in the text of a page with its place, in the order of the text; of each word the
    /// first few.
    pub fn places(&self, page: &Columns, most: usize) -> Vec<i64> {
        let text = &page.text[..];
        let mut room = vec![most; self.words.len()];
        let mut found: Vec<(usize, usize)> = Vec::new();
        for place in (0..text.len().saturating_sub(1)).step_by(self.step) {
            let pair = pair(text[place], text[place + 1]);
            if !self.is_begun[pair] {
                continue;
            }
            for &(number, at) in &self.by_pair[pair] {
                if room[number] > 0 && place >= at && text[place - at..].starts_with(&self.words[number]) {
                    room[number] -= 1;
                    found.push((place - at, number));
                }
            }
        }
        found.sort_unstable();
        found.iter().flat_map(|&(place, number)| [number as i64, place as i64]).collect()
    }
}
