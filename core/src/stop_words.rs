//! Detects the script and the language of a text by its stop words (`tidings.fields.language`).

use crate::columns::Columns;

/// The first letter of ASCII: characters before it are of no script.
const FIRST_LETTER: u32 = 65;
/// Beyond these characters there is no script that is told apart.
const PLANE: u32 = 0x1_0000;
/// Ranges of scripts begin at a multiple of 1 << so many.
const BLOCK: u32 = 4;

/// What parts words, what is no letter of any stop word, and how many letters a word may have to be one.
const PARTS: u8 = 0;
const STRANGE: u8 = 255;
const LONGEST: usize = 16;

/// The stop words of languages that are written in one script.
struct StopWords {
    /// For each character its letter, case aside; `PARTS` or `STRANGE`.
    letters: Vec<u8>,
    /// Words of up to 16 letters as numbers, a byte a letter: one look tells whether a word is one. 0 where there is none.
    keys: Vec<u128>,
    /// And the number of the languages that have it.
    those: Vec<u16>,
    /// Those languages, and what such a word says for each.
    languages: Vec<Vec<(usize, f64)>>,
}

/// Where to look for a word.
#[inline(always)]
fn place(key: u128) -> usize {
    (((key as u64) ^ ((key >> 64) as u64).rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
}

impl StopWords {
    /// Nothing if the words have more letters than can be told apart, or are of languages that are not there.
    fn new(
        words: &[(Vec<u16>, usize)],
        languages: Vec<Vec<(usize, f64)>>,
        parts: &[u8],
        lower: &[u16],
    ) -> Option<StopWords> {
        let mut alphabet = vec![STRANGE; PLANE as usize];
        let mut count = 0u8;
        for &letter in words.iter().flat_map(|(word, _)| word) {
            if alphabet[usize::from(letter)] == STRANGE {
                count = count.checked_add(1).filter(|&count| count < STRANGE)?;
                alphabet[usize::from(letter)] = count;
            }
        }
        let letter = |(&parts, &small): (&u8, &u16)| if parts != 0 { PARTS } else { alphabet[usize::from(small)] };
        let size = (words.len() * 2 + 16).next_power_of_two();
        let mut found = StopWords {
            letters: parts.iter().zip(lower).map(letter).collect(),
            keys: vec![0; size],
            those: vec![0; size],
            languages,
        };
        for (word, those) in words {
            if *those >= found.languages.len() || word.is_empty() || word.len() > LONGEST {
                return None;
            }
            let key = word.iter().fold(0, |key, &letter| key << 8 | u128::from(alphabet[usize::from(letter)]));
            let slot = found.slot(key);
            (found.keys[slot], found.those[slot]) = (key, u16::try_from(*those).ok()?);
        }
        Some(found)
    }

    /// Where a word stands, or would.
    #[inline(always)]
    fn slot(&self, key: u128) -> usize {
        let mask = self.keys.len() - 1;
        let mut slot = place(key) & mask;
        while self.keys[slot] != 0 && self.keys[slot] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Return how many words a text has, and add up the score and the known words of each language.
    fn detect(&self, text: &[&[u32]], scores: &mut [f64], known: &mut [i64]) -> usize {
        let mut times = vec![0u32; self.languages.len()];
        let mut order = Vec::new(); // in which languages are first found: sums depend on it
        let mut words = 0;
        for part in text {
            let (mut key, mut length, mut is_strange) = (0u128, 0, false);
            for code in part.iter().copied().chain([32]) {
                let letter = self.letters.get(code as usize).copied().unwrap_or(STRANGE);
                if letter != PARTS {
                    is_strange |= letter == STRANGE;
                    key = key << 8 | u128::from(letter);
                    length += 1;
                    continue;
                }
                if length == 0 {
                    continue;
                }
                words += 1;
                if !is_strange && length <= LONGEST {
                    let slot = self.slot(key);
                    if self.keys[slot] != 0 {
                        let those = usize::from(self.those[slot]);
                        if times[those] == 0 {
                            order.push(those);
                        }
                        times[those] += 1;
                    }
                }
                (key, length, is_strange) = (0, 0, false);
            }
        }
        for those in order {
            for &(language, weight) in &self.languages[those] {
                scores[language] += f64::from(times[those]) * weight;
                known[language] += i64::from(times[those]);
            }
        }
        words
    }
}

/// When it is clear which language a text sounds like.
pub struct Clearness {
    /// Words that must be known.
    pub fewest: i64,
    /// The share of all words that they must be, and how many times the second the best must score; twice.
    pub shares: [(f64, f64); 2],
    /// The share of kana by which Japanese is told.
    pub kana: f64,
    /// What a character of East Asia says, in letters.
    pub weight: usize,
}

/// Scripts by their numbers; 0 is none.
pub struct EastAsian {
    pub latin: usize,
    pub hangul: usize,
    pub kana: usize,
    pub han: usize,
}

/// What tells scripts and languages.
pub struct LanguageDetector {
    /// By the block of a character its script.
    by_block: Vec<u8>,
    named: EastAsian,
    /// For each character whether it parts words; texts with others are not listened to.
    parts: Vec<u8>,
    clearness: Clearness,
    /// By script; none of those that one language writes.
    words: Vec<Option<StopWords>>,
}

/// What a text sounds like.
#[derive(Debug, PartialEq)]
pub struct DetectedLanguage {
    pub script: usize,
    pub words: usize,
    /// The one that is clear from the others.
    pub language: Option<usize>,
}

impl LanguageDetector {
    /// Nothing if a script is not there.
    pub fn new(
        by_block: Vec<u8>,
        named: EastAsian,
        parts: Vec<u8>,
        clearness: Clearness,
        scripts: usize,
    ) -> Option<LanguageDetector> {
        let is_there = |script: usize| script < scripts;
        let named_there = [named.latin, named.hangul, named.kana, named.han].iter().all(|&script| is_there(script));
        let fits = named_there
            && by_block.len() == (PLANE >> BLOCK) as usize
            && by_block.iter().all(|&script| is_there(usize::from(script)))
            && parts.len() <= PLANE as usize;
        let words = (0..scripts).map(|_| None).collect();
        fits.then_some(LanguageDetector { by_block, named, parts, clearness, words })
    }

    /// Take in the stop words of a script, with the small letter of each character. Nothing if they do not fit together.
    pub fn learn(
        &mut self,
        script: usize,
        words: &[(Vec<u16>, usize)],
        languages: Vec<Vec<(usize, f64)>>,
        lower: &[u16],
    ) -> Option<()> {
        *self.words.get_mut(script)? = Some(StopWords::new(words, languages, &self.parts, lower)?);
        Some(())
    }

    /// Return what a text sounds like, and fill in the score and the known words of each language of its script. Of a script that
    /// one language writes, and of none, only the script is known.
    pub fn detect(&self, text: &[&[u32]], scores: &mut [f64], known: &mut [i64]) -> DetectedLanguage {
        let script = self.script(text);
        match &self.words[script] {
            None => DetectedLanguage { script, words: 0, language: None },
            Some(words) => {
                let words = words.detect(text, scores, known);
                DetectedLanguage { script, words, language: self.clear(scores, known, words) }
            }
        }
    }

    /// The script of most letters; Japanese is written in Han too.
    fn script(&self, text: &[&[u32]]) -> usize {
        let count = |is: fn(u32) -> bool| -> usize {
            text.iter().map(|part| part.iter().map(|&code| usize::from(is(code))).sum::<usize>()).sum()
        };
        let letters = count(|code| (FIRST_LETTER..128).contains(&code));
        let others = count(|code| code >= 128);
        if letters > self.clearness.weight * others {
            return self.named.latin;
        }
        let mut counts = vec![0usize; self.words.len()];
        for &code in text.iter().flat_map(|part| part.iter()) {
            if (FIRST_LETTER..PLANE).contains(&code) && others > 0 {
                counts[usize::from(self.by_block[(code >> BLOCK) as usize])] += 1;
            }
        }
        counts[0] = 0;
        let EastAsian { hangul, kana, han, .. } = self.named;
        for script in [han, kana, hangul] {
            counts[script] *= self.clearness.weight;
        }
        if counts[kana] as f64 > self.clearness.kana * (counts[han] + counts[kana]) as f64 {
            counts[kana] += counts[han];
        }
        let mut most = 0;
        for script in 1..counts.len() {
            if counts[script] > counts[most] {
                most = script;
            }
        }
        most
    }

    /// The best language, if it is told from the others.
    fn clear(&self, scores: &[f64], known: &[i64], words: usize) -> Option<usize> {
        let (mut best, mut second, mut language) = (0.0, 0.0, None);
        for (place, &score) in scores.iter().enumerate() {
            if score > best {
                (second, best, language) = (best, score, Some(place));
            } else if score > second {
                second = score;
            }
        }
        let known = known[language?];
        let times = if second > 0.0 { best / second } else { f64::INFINITY };
        let share = known as f64 / words as f64;
        let is_clear = known >= self.clearness.fewest
            && self.clearness.shares.iter().any(|&(least, margin)| share >= least && times >= margin);
        language.filter(|_| is_clear)
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
    let mut add = |run: usize| {
        if hidden[run] == 0 && starts[run] < ends[run] {
            chosen.push((starts[run] - ends[run], run));
        }
    };
    if spans.0.is_empty() {
        (0..page.runs()).filter(|&run| page.flags[run] == 0).for_each(&mut add);
    }
    let mut behind = 0;
    for (&begin, &end) in spans.0.iter().zip(spans.1) {
        let first = behind + ends[behind..].partition_point(|&one| one <= begin);
        behind = first + starts[first..].partition_point(|&one| one < end);
        (first..behind).for_each(&mut add);
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

    fn clearness() -> Clearness {
        Clearness { fewest: 2, shares: [(0.5, 1.5), (0.1, 3.0)], kana: 0.05, weight: 2 }
    }

    /// Latin is 1, Hangul 2, Kana 3, Han 4, Cyrillic 5.
    fn detector() -> LanguageDetector {
        let mut by_block = vec![0; 0x1000];
        for (script, first, last) in
            [(1, 0x40, 0x250), (2, 0xAC00, 0xD7B0), (3, 0x3040, 0x3100), (4, 0x4E00, 0xA000), (5, 0x400, 0x530)]
        {
            (first >> BLOCK..last >> BLOCK).for_each(|block: usize| by_block[block] = script);
        }
        let parts = (0..0x3000u32).map(|code| u8::from(code < 65)).collect();
        let named = EastAsian { latin: 1, hangul: 2, kana: 3, han: 4 };
        let mut made = LanguageDetector::new(by_block, named, parts, clearness(), 6).expect("scripts");
        let word = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        let latin = [(word("the"), 0), (word("die"), 1), (word("\u{e0}"), 2)];
        let weighed = vec![vec![(0, 1.5)], vec![(0, 0.5), (1, 0.5)], vec![(2, 1.0)]];
        made.learn(1, &latin, weighed, &lower()).expect("words");
        made.learn(5, &[(word("\u{438}"), 0)], vec![vec![(1, 1.0)]], &lower()).expect("words");
        made
    }

    fn lower() -> Vec<u16> {
        (0..0x3000u16).map(|code| if (65..91).contains(&code) { code + 32 } else { code }).collect()
    }

    fn detected(text: &str) -> (DetectedLanguage, Vec<f64>, Vec<i64>) {
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        let (mut scores, mut known) = (vec![0.0; 3], vec![0; 3]);
        let sound = detector().detect(&[&codes, &codes[..0]], &mut scores, &mut known);
        (sound, scores, known)
    }

    #[test]
    fn words_are_counted_for_every_language_that_has_them() {
        let sound = DetectedLanguage { script: 1, words: 5, language: Some(0) };
        assert_eq!(detected("The die, the dies: \u{e0}!"), (sound, vec![3.5, 0.5, 1.0], vec![3, 1, 1]));
        let sound = DetectedLanguage { script: 1, words: 1, language: None };
        assert_eq!(detected("thediE"), (sound, vec![0.0; 3], vec![0; 3]));
        let sound = DetectedLanguage { script: 5, words: 3, language: Some(1) };
        assert_eq!(detected("\u{438} \u{438} \u{439}"), (sound, vec![0.0, 2.0, 0.0], vec![0, 2, 0]));
    }

    #[test]
    fn scripts_are_told_by_most_letters() {
        let script = |text: &str| detected(text).0.script;
        for (text, expected) in [
            ("", 0),
            ("12", 0),
            ("a\u{e0}", 1),
            ("abc \u{4e2d}\u{4e2d}", 4),
            ("\u{4e2d}\u{3042}", 3),
            ("\u{ac00}", 2),
            ("\u{1f642}", 0),
        ] {
            assert_eq!(script(text), expected, "{}", text);
        }
        // A character that is in no table belongs to a word, and no stop word has it.
        let sound = DetectedLanguage { script: 1, words: 2, language: None };
        assert_eq!(detected("abcdef \u{4e2d}"), (sound, vec![0.0; 3], vec![0; 3]));
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let named = || EastAsian { latin: 1, hangul: 2, kana: 3, han: 4 };
        assert!(LanguageDetector::new(vec![0; 0x1000], named(), vec![], clearness(), 4).is_none());
        assert!(LanguageDetector::new(vec![5; 0x1000], named(), vec![], clearness(), 5).is_none());
        assert!(LanguageDetector::new(vec![0; 9], named(), vec![], clearness(), 5).is_none());
        let mut made = LanguageDetector::new(vec![0; 0x1000], named(), vec![], clearness(), 5).expect("scripts");
        assert!(made.learn(1, &[(vec![1], 1)], vec![vec![]], &lower()).is_none());
        assert!(made.learn(1, &[(vec![1; 17], 0)], vec![vec![]], &lower()).is_none());
        assert!(made.learn(5, &[], vec![], &lower()).is_none());
    }
}
