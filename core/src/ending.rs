//! Finds candidates for the end of a story by words, links and dates of blocks (`tidings.extractors.learned.ending`).

use crate::columns::Columns;
use crate::units::Unit;

/// The chosen ones of the visible blocks of a page.
pub struct Chosen<'a> {
    pub page: &'a Columns,
    pub blocks: &'a [i64],
    /// How many blocks with a date stand before each, and before the end.
    pub dates: &'a [f64],
    pub chosen: &'a [u8],
}

/// What a line over comments has: at most so many words, so many words of the story before it, and so many dates in so many
/// blocks behind it.
pub struct CommentLine {
    pub words: i64,
    pub story: i64,
    pub reach: usize,
    pub dates: f64,
}

/// What a list of other stories has.
pub struct List {
    /// Items, blocks from one to the next, words between them.
    pub items: usize,
    pub between: usize,
    pub teaser: i64,
    /// The share of a block's words in links, or so many linked words at its beginning, before so many others, of a block of so
    /// many words.
    pub pointing: f64,
    pub linked: i64,
    pub least_linked: i64,
    pub item: i64,
    /// Words of the story before it, and of what else was chosen behind it.
    pub story: i64,
    pub behind: i64,
}

/// The sum of scattered numbers of the letters and digits of ASCII in a text. It is the same of texts whose words are the same
/// in small letters: not counted are those that are small letters of others too.
fn letters(text: &[u32]) -> u64 {
    text.iter().fold(0, |sum, &code| match char::from_u32(code) {
        Some(letter) if letter.is_ascii_alphanumeric() => {
            let small = u64::from((letter as u8).to_ascii_lowercase());
            if matches!(small as u8, b'k' | b'i') {
                sum
            } else {
                sum.wrapping_add(
                    (small + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31).wrapping_mul(small | 1),
                )
            }
        }
        _ => sum,
    })
}

impl Chosen<'_> {
    fn words(&self, place: usize) -> i64 {
        self.page.block_words()[self.blocks[place] as usize]
    }

    fn linked(&self, place: usize) -> i64 {
        self.page.block_link_words()[self.blocks[place] as usize]
    }

    fn is_chosen(&self, place: usize) -> bool {
        self.chosen[place] != 0
    }

    /// Words of the story up to each block, and with it.
    fn story(&self) -> Vec<i64> {
        let mut words = 0;
        (0..self.blocks.len())
            .map(|place| {
                words += if self.is_chosen(place) { self.words(place) } else { 0 };
                words
            })
            .collect()
    }

    /// The lines that may stand over comments (`comment_lines`): the place of each, and where it stands in the text.
    pub fn comment_lines(&self, line: &CommentLine) -> Vec<i64> {
        let (count, mut story, mut found) = (self.blocks.len(), 0, Vec::new());
        if count == 0 || self.dates[count] < line.dates {
            return found;
        }
        for place in 0..count {
            let words = self.words(place);
            story += if self.is_chosen(place) { words } else { 0 };
            let behind = self.dates[(place + line.reach + 1).min(count)] - self.dates[place + 1];
            if words <= line.words && story >= line.story && behind >= line.dates {
                let (start, end) = self.page.block_text(self.blocks[place] as usize);
                found.extend([place as i64, start, end]);
            }
        }
        found
    }

    /// Whether a block is chosen, or the one behind it: the text of a teaser counts as the teaser.
    fn is_selected(&self, place: usize) -> bool {
        self.is_chosen(place) || place + 1 < self.blocks.len() && self.is_chosen(place + 1)
    }

    /// How many blocks have so many linked words, and are chosen with what follows.
    pub fn linking(&self, least: i64) -> usize {
        (0..self.blocks.len()).filter(|&place| self.is_selected(place) && self.linked(place) >= least).count()
    }

    /// What chosen blocks of so many words say.
    fn texts(&self, least: i64) -> impl Iterator<Item = &[u32]> {
        let is_long = move |&place: &usize| self.is_chosen(place) && self.words(place) >= least;
        (0..self.blocks.len()).filter(is_long).map(move |place| {
            let (start, end) = self.page.block_text(self.blocks[place] as usize);
            &self.page.text[start as usize..end as usize]
        })
    }

    /// Whether a chosen block of so many words has a sign in it that data is told by, which is two characters of ASCII.
    pub fn are_signed(&self, least: i64, sign: [u8; 2]) -> bool {
        self.texts(least).any(|text| {
            let mut from = 1; // the second character is the rarer one
            while let Some(place) = Unit::find(text, from, sign[1]) {
                if text[place - 1].is(sign[0]) {
                    return true;
                }
                from = place + 1;
            }
            false
        })
    }

    /// Whether one of the chosen blocks of so many words may say the same as another in as many characters.
    pub fn may_repeat(&self, least: i64) -> bool {
        let mut texts: Vec<&[u32]> = self.texts(least).collect();
        texts.sort_unstable_by_key(|text| text.len());
        let mut rest = &texts[..];
        while let Some((first, behind)) = rest.split_first() {
            let alike = behind.iter().take_while(|text| text.len() == first.len()).count();
            if alike > 0 {
                let mut letters: Vec<u64> = rest[..=alike].iter().map(|text| letters(text)).collect();
                letters.sort_unstable();
                if letters.windows(2).any(|two| two[0] == two[1]) {
                    return true;
                }
            }
            rest = &behind[alike..];
        }
        false
    }

    /// The blocks that stand in an element of some tag: the place of each, and where it stands in the text.
    pub fn inside(&self, tag: i64) -> Vec<i64> {
        let (tags, parent) = (self.page.tag(), self.page.parent());
        let mut found = Vec::new();
        for (place, &block) in self.blocks.iter().enumerate() {
            let mut element = self.page.block_element()[block as usize] as usize;
            while element > 0 && tags[element] != tag {
                element = parent[element].max(0) as usize;
            }
            if element > 0 {
                let (start, end) = self.page.block_text(block as usize);
                found.extend([place as i64, start, end]);
            }
        }
        found
    }

    /// Whether a block is a linked headline, or begins with one.
    fn is_pointing(&self, place: usize, list: &List) -> bool {
        let (page, block) = (self.page, self.blocks[place] as usize);
        let (words, linked) = (self.words(place), self.linked(place));
        if linked >= list.least_linked && linked as f64 >= list.pointing * words as f64 {
            return true;
        }
        if linked < list.linked || words > list.item {
            return false;
        }
        let (mut beside, mut begun) = (0, 0);
        for run in page.block_first()[block] as usize..page.block_end(block) {
            let words = page.run_words()[run];
            if page.flags[run] != 0 {
                begun += words;
            } else {
                beside += words;
                if beside >= list.least_linked {
                    break;
                }
            }
        }
        begun >= list.linked
    }

    /// The items of each list that may be one of other stories, the last list first (`list_begins`).
    pub fn lists(&self, list: &List) -> Vec<Vec<i64>> {
        let count = self.blocks.len();
        let places: Vec<usize> = (0..count).filter(|&place| self.is_pointing(place, list)).collect();
        if places.len() < list.items {
            return Vec::new();
        }
        let mut groups: Vec<Vec<usize>> = vec![vec![places[0]]];
        for pair in places.windows(2) {
            let (one, other) = (pair[0], pair[1]);
            let between: i64 = (one + 1..other).map(|place| self.words(place)).sum();
            if other - one > list.between + 1 || between > list.teaser {
                groups.push(Vec::new());
            }
            groups.last_mut().expect("a group").push(other);
        }
        let (story, mut found) = (self.story(), Vec::new());
        for items in groups.iter().rev() {
            let selected = items.iter().filter(|&&place| self.is_selected(place)).count();
            if items.len() < list.items || 2 * selected < items.len() {
                continue;
            }
            let (first, last) = (items[0], items[items.len() - 1]);
            if story[count - 1] - story[(last + list.between).min(count - 1)] > list.behind {
                break;
            }
            // The first item is no part of the story before the list.
            let own = if self.is_chosen(first) { self.words(first) } else { 0 };
            if story[first] - own >= list.story {
                found.push(items.iter().map(|&place| place as i64).collect());
            }
        }
        found
    }
}
