//! Which languages a story sounds like, by their stop words (`tidings.fields.language`).

use crate::columns::Columns;
use crate::words::Numbered;

/// Letters of other alphabets, so many times, must be fewer than those of ASCII, before a text is one in Latin letters.
const WEIGHT: usize = 2;

/// The stop words of languages that are written in Latin letters, in small letters.
pub struct StopWords {
    /// Places by the numbers of words.
    places: Numbered<u32>,
    /// Each with the number of the languages that have it.
    words: Vec<(Vec<u16>, usize)>,
    /// Those languages, and what such a word says for each.
    languages: Vec<Vec<(usize, f64)>>,
    /// For each character whether it parts words; texts with others are not listened to.
    parts: Vec<u8>,
}

/// A number of a word that begins with others, and goes on with a letter.
#[inline(always)]
fn on(number: u64, letter: u16) -> u64 {
    (number.rotate_left(5) ^ u64::from(letter)).wrapping_mul(0x517C_C1B7_2722_0A95)
}

impl StopWords {
    /// Nothing if two words have one number.
    pub fn new(words: Vec<(Vec<u16>, usize)>, languages: Vec<Vec<(usize, f64)>>, parts: Vec<u8>) -> Option<StopWords> {
        let mut places = Numbered::with_room(words.len());
        for (place, (word, those)) in words.iter().enumerate() {
            let number = word.iter().fold(0, |number, &letter| on(number, letter));
            if places.contains(number) || *those >= languages.len() {
                return None;
            }
            *places.entry(number) = place as u32;
        }
        Some(StopWords { places, words, languages, parts })
    }

    /// How many words a text has, and for each language score and known words; nothing if it is not in Latin letters.
    pub fn heard(&self, text: &[&[u32]], lower: &[u16], scores: &mut [f64], known: &mut [i64]) -> Option<usize> {
        let count = |is: fn(u32) -> bool| text.iter().flat_map(|part| part.iter()).filter(|&&code| is(code)).count();
        if count(|code| (65..128).contains(&code)) <= WEIGHT * count(|code| code >= 128) {
            return None;
        }
        let mut times = vec![0u32; self.languages.len()];
        let mut order = Vec::new(); // in which those languages are first heard: sums depend on it
        let (mut words, mut word) = (0, Vec::with_capacity(64));
        for part in text {
            let mut number = 0;
            for code in part.iter().copied().chain([32]) {
                if *self.parts.get(code as usize)? == 0 {
                    let letter = lower[code as usize];
                    number = on(number, letter);
                    word.push(letter);
                } else if !word.is_empty() {
                    words += 1;
                    let stopped = self.places.get(number).map(|place| &self.words[place as usize]);
                    if let Some((_, those)) = stopped.filter(|(spelled, _)| *spelled == word) {
                        if times[*those] == 0 {
                            order.push(*those);
                        }
                        times[*those] += 1;
                    }
                    word.clear();
                    number = 0;
                }
            }
        }
        for those in order {
            for &(language, weight) in &self.languages[those] {
                scores[language] += f64::from(times[those]) * weight;
                known[language] += i64::from(times[those]);
            }
        }
        Some(words)
    }
}

/// The longest runs that are seen and chosen, in order, of equals the first; each cut to a length. Chosen are those in
/// spans of the text, or, where there are none, those in no link.
pub fn sample<'a>(
    page: &'a Columns,
    spans: (&[i64], &[i64]),
    hidden: &[u8],
    most: usize,
    length: usize,
) -> Vec<&'a [u32]> {
    let (starts, ends) = (page.text_start(), page.text_end());
    let mut chosen: Vec<(i64, usize)> = Vec::new();
    let mut span = 0;
    for run in 0..page.runs() {
        if hidden[run] != 0 {
            continue;
        }
        while span < spans.1.len() && spans.1[span] <= starts[run] {
            span += 1;
        }
        let is_chosen =
            if spans.0.is_empty() { page.flags[run] == 0 } else { span < spans.0.len() && spans.0[span] < ends[run] };
        if is_chosen && starts[run] < ends[run] {
            chosen.push((starts[run] - ends[run], run));
        }
    }
    if chosen.len() > most {
        chosen.select_nth_unstable(most);
        chosen.truncate(most);
    }
    chosen.sort_unstable_by_key(|&(_, run)| run);
    let cut = |run: usize| (starts[run] as usize)..(ends[run] as usize).min(starts[run] as usize + length);
    chosen.iter().map(|&(_, run)| &page.text[cut(run)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> StopWords {
        let word = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        let parts = (0..256u32).map(|code| u8::from(code < 65)).collect();
        StopWords::new(
            vec![(word("the"), 0), (word("die"), 1), (word("\u{e0}"), 2)],
            vec![vec![(0, 1.5)], vec![(0, 0.5), (1, 0.5)], vec![(2, 1.0)]],
            parts,
        )
        .expect("words")
    }

    fn heard(text: &str) -> Option<(usize, Vec<f64>, Vec<i64>)> {
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        let lower: Vec<u16> = (0..256u16).map(|code| if (65..91).contains(&code) { code + 32 } else { code }).collect();
        let (mut scores, mut known) = (vec![0.0; 3], vec![0; 3]);
        let count = words().heard(&[&codes, &codes[..0]], &lower, &mut scores, &mut known)?;
        Some((count, scores, known))
    }

    #[test]
    fn words_are_counted_for_every_language_that_has_them() {
        assert_eq!(heard("The die, the dies: \u{e0}!"), Some((5, vec![3.5, 0.5, 1.0], vec![3, 1, 1])));
        assert_eq!(heard("thediE"), Some((1, vec![0.0; 3], vec![0; 3])));
    }

    #[test]
    fn other_alphabets_are_left_to_the_caller() {
        assert_eq!((heard(""), heard("12"), heard("a\u{e0}"), heard("abcdef \u{4e2d}")), (None, None, None, None));
    }

    #[test]
    fn words_of_one_number_are_refused() {
        assert!(StopWords::new(vec![(vec![1], 0), (vec![1], 0)], vec![vec![]], vec![]).is_none());
        assert!(StopWords::new(vec![(vec![1], 1)], vec![vec![]], vec![]).is_none());
    }
}
