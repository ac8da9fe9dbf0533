//! Detects the script and the language of a text by its stop words (`tidings.fields.language`).

use crate::columns::Columns;

/// The first ASCII letter; characters before it have no script.
const FIRST_LETTER: u32 = 65;
/// Characters from here on have no script.
const PLANE: u32 = 0x1_0000;
/// Ranges of scripts begin at multiples of 1 << BLOCK.
const BLOCK: u32 = 4;

/// Separators of words, letters of no stop word, and the maximum length of a stop word.
const PARTS: u8 = 0;
const STRANGE: u8 = 255;
const LONGEST: usize = 16;

/// The stop words of the languages of a script.
struct StopWords {
    /// The letter of each character, ignoring case; `PARTS` or `STRANGE`.
    letters: Vec<u8>,
    /// A hash table of words of up to 16 letters, a byte per letter; 0 for an empty slot.
    keys: Vec<u128>,
    /// The number of the set of languages of each word.
    sets: Vec<u16>,
    /// By set: its languages and the weight of its words for each.
    languages: Vec<Vec<(usize, f64)>>,
}

/// Return the first slot of a word.
#[inline(always)]
fn place(key: u128) -> usize {
    (((key as u64) ^ ((key >> 64) as u64).rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
}

impl StopWords {
    /// None if the words have too many distinct letters, or an unknown set of languages.
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
        let mut result = StopWords {
            letters: parts.iter().zip(lower).map(letter).collect(),
            keys: vec![0; size],
            sets: vec![0; size],
            languages,
        };
        for (word, set) in words {
            if *set >= result.languages.len() || word.is_empty() || word.len() > LONGEST {
                return None;
            }
            let key = word.iter().fold(0, |key, &letter| key << 8 | u128::from(alphabet[usize::from(letter)]));
            let slot = result.slot(key);
            (result.keys[slot], result.sets[slot]) = (key, u16::try_from(*set).ok()?);
        }
        Some(result)
    }

    /// Return the slot of a word.
    #[inline(always)]
    fn slot(&self, key: u128) -> usize {
        let mask = self.keys.len() - 1;
        let mut slot = place(key) & mask;
        while self.keys[slot] != 0 && self.keys[slot] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Return the number of words in a text, and add the score and the number of stop words of each language.
    fn detect(&self, text: &[&[u32]], scores: &mut [f64], counts: &mut [i64]) -> usize {
        let mut times = vec![0u32; self.languages.len()];
        let mut order = Vec::new(); // of first occurrence, on which floating-point sums depend
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
                        let sets = usize::from(self.sets[slot]);
                        if times[sets] == 0 {
                            order.push(sets);
                        }
                        times[sets] += 1;
                    }
                }
                (key, length, is_strange) = (0, 0, false);
            }
        }
        for sets in order {
            for &(language, weight) in &self.languages[sets] {
                scores[language] += f64::from(times[sets]) * weight;
                counts[language] += i64::from(times[sets]);
            }
        }
        words
    }
}

/// Thresholds of a clear detection.
pub struct Clearness {
    /// The minimum number of stop words.
    pub fewest: i64,
    /// Two alternatives: the minimum share of stop words, and the minimum ratio of the best to the second score.
    pub shares: [(f64, f64); 2],
    /// The minimum share of kana in Japanese.
    pub kana: f64,
    /// The number of letters that an East Asian character counts for.
    pub weight: usize,
}

/// Scripts by their numbers; 0 is none.
pub struct EastAsian {
    pub latin: usize,
    pub hangul: usize,
    pub kana: usize,
    pub han: usize,
}

/// A detector of scripts and languages.
pub struct LanguageDetector {
    /// The script of each block of characters.
    by_block: Vec<u8>,
    east_asian: EastAsian,
    /// For each character whether it separates words.
    parts: Vec<u8>,
    clearness: Clearness,
    /// By script; None for scripts of a single language.
    words: Vec<Option<StopWords>>,
}

/// The detected script and language of a text.
#[derive(Debug, PartialEq)]
pub struct DetectedLanguage {
    pub script: usize,
    pub words: usize,
    /// The language, if it is clear.
    pub language: Option<usize>,
}

impl LanguageDetector {
    /// None if a script is out of range.
    pub fn new(
        by_block: Vec<u8>,
        east_asian: EastAsian,
        parts: Vec<u8>,
        clearness: Clearness,
        scripts: usize,
    ) -> Option<LanguageDetector> {
        let is_there = |script: usize| script < scripts;
        let are_known = [east_asian.latin, east_asian.hangul, east_asian.kana, east_asian.han]
            .iter()
            .all(|&script| is_there(script));
        let fits = are_known
            && by_block.len() == (PLANE >> BLOCK) as usize
            && by_block.iter().all(|&script| is_there(usize::from(script)))
            && parts.len() <= PLANE as usize;
        let words = (0..scripts).map(|_| None).collect();
        fits.then_some(LanguageDetector { by_block, east_asian, parts, clearness, words })
    }

    /// Add the stop words of a script, with the lower case of each character. None if they are inconsistent.
    pub fn add_script(
        &mut self,
        script: usize,
        words: &[(Vec<u16>, usize)],
        languages: Vec<Vec<(usize, f64)>>,
        lower: &[u16],
    ) -> Option<()> {
        *self.words.get_mut(script)? = Some(StopWords::new(words, languages, &self.parts, lower)?);
        Some(())
    }

    /// Detect the language of a text, and fill in the score and the number of stop words of each language of its script. For
    /// scripts of a single language, only the script is detected.
    pub fn detect(&self, text: &[&[u32]], scores: &mut [f64], counts: &mut [i64]) -> DetectedLanguage {
        let script = self.script(text);
        match &self.words[script] {
            None => DetectedLanguage { script, words: 0, language: None },
            Some(words) => {
                let words = words.detect(text, scores, counts);
                DetectedLanguage { script, words, language: self.clear(scores, counts, words) }
            }
        }
    }

    /// Return the most frequent script. Han characters count as Japanese if there are kana.
    fn script(&self, text: &[&[u32]]) -> usize {
        let count = |is: fn(u32) -> bool| -> usize {
            text.iter().map(|part| part.iter().map(|&code| usize::from(is(code))).sum::<usize>()).sum()
        };
        let letters = count(|code| (FIRST_LETTER..128).contains(&code));
        let others = count(|code| code >= 128);
        if letters > self.clearness.weight * others {
            return self.east_asian.latin;
        }
        let mut counts = vec![0usize; self.words.len()];
        for &code in text.iter().flat_map(|part| part.iter()) {
            if (FIRST_LETTER..PLANE).contains(&code) && others > 0 {
                counts[usize::from(self.by_block[(code >> BLOCK) as usize])] += 1;
            }
        }
        counts[0] = 0;
        let EastAsian { hangul, kana, han, .. } = self.east_asian;
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

    /// Return the best language, if it is clear.
    fn clear(&self, scores: &[f64], counts: &[i64], words: usize) -> Option<usize> {
        let (mut best, mut second, mut language) = (0.0, 0.0, None);
        for (place, &score) in scores.iter().enumerate() {
            if score > best {
                (second, best, language) = (best, score, Some(place));
            } else if score > second {
                second = score;
            }
        }
        let counts = counts[language?];
        let times = if second > 0.0 { best / second } else { f64::INFINITY };
        let share = counts as f64 / words as f64;
        let is_clear = counts >= self.clearness.fewest
            && self.clearness.shares.iter().any(|&(least, margin)| share >= least && times >= margin);
        language.filter(|_| is_clear)
    }
}

/// Return the longest visible runs in document order, each truncated: runs in the spans, or, without spans, runs outside of
/// links.
pub fn sample<'a>(
    page: &'a Columns,
    spans: (&[i64], &[i64]),
    hidden: &[u8],
    most: usize,
    length: usize,
) -> Vec<&'a [u32]> {
    let (starts, ends) = (page.text_start(), page.text_end());
    let mut selected: Vec<(i64, usize)> = Vec::new();
    let mut add = |run: usize| {
        if hidden[run] == 0 && starts[run] < ends[run] {
            selected.push((starts[run] - ends[run], run));
        }
    };
    if spans.0.is_empty() {
        (0..page.runs()).filter(|&run| page.flags[run] == 0).for_each(&mut add);
    }
    let mut behind = 0;
    for (&begin, &end) in spans.0.iter().zip(spans.1) {
        let first = behind + ends[behind..].partition_point(|&edge| edge <= begin);
        behind = first + starts[first..].partition_point(|&edge| edge < end);
        (first..behind).for_each(&mut add);
    }
    if selected.len() > most {
        selected.select_nth_unstable(most);
        selected.truncate(most);
    }
    selected.sort_unstable_by_key(|&(_, run)| run);
    let cut = |run: usize| (starts[run] as usize)..(ends[run] as usize).min(starts[run] as usize + length);
    selected.iter().map(|&(_, run)| &page.text[cut(run)]).collect()
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
        let scripts = EastAsian { latin: 1, hangul: 2, kana: 3, han: 4 };
        let mut made = LanguageDetector::new(by_block, scripts, parts, clearness(), 6).expect("scripts");
        let word = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        let latin = [(word("the"), 0), (word("die"), 1), (word("\u{e0}"), 2)];
        let weighed = vec![vec![(0, 1.5)], vec![(0, 0.5), (1, 0.5)], vec![(2, 1.0)]];
        made.add_script(1, &latin, weighed, &lower()).expect("words");
        made.add_script(5, &[(word("\u{438}"), 0)], vec![vec![(1, 1.0)]], &lower()).expect("words");
        made
    }

    fn lower() -> Vec<u16> {
        (0..0x3000u16).map(|code| if (65..91).contains(&code) { code + 32 } else { code }).collect()
    }

    fn detected(text: &str) -> (DetectedLanguage, Vec<f64>, Vec<i64>) {
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        let (mut scores, mut counts) = (vec![0.0; 3], vec![0; 3]);
        let sound = detector().detect(&[&codes, &codes[..0]], &mut scores, &mut counts);
        (sound, scores, counts)
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
        let scripts = || EastAsian { latin: 1, hangul: 2, kana: 3, han: 4 };
        assert!(LanguageDetector::new(vec![0; 0x1000], scripts(), vec![], clearness(), 4).is_none());
        assert!(LanguageDetector::new(vec![5; 0x1000], scripts(), vec![], clearness(), 5).is_none());
        assert!(LanguageDetector::new(vec![0; 9], scripts(), vec![], clearness(), 5).is_none());
        let mut made = LanguageDetector::new(vec![0; 0x1000], scripts(), vec![], clearness(), 5).expect("scripts");
        assert!(made.add_script(1, &[(vec![1], 1)], vec![vec![]], &lower()).is_none());
        assert!(made.add_script(1, &[(vec![1; 17], 0)], vec![vec![]], &lower()).is_none());
        assert!(made.add_script(5, &[], vec![], &lower()).is_none());
    }
}
