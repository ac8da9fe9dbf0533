//! Finds candidates for the end of a story by words, links and dates of blocks (`tidings.extractors.learned.ending`).

use crate::columns::Columns;
use crate::units::Unit;

/// The visible blocks of a page, and which of them are selected.
pub struct SelectedBlocks<'a> {
    pub page: &'a Columns,
    pub blocks: &'a [i64],
    /// The number of blocks with a date before each block, and before the end.
    pub dates: &'a [f64],
    pub selected: &'a [u8],
}

/// Thresholds for a heading of comments: the most words of the line, the fewest words of the story before it, and the fewest
/// dates in the `reach` blocks after it.
pub struct CommentLine {
    pub words: i64,
    pub story: i64,
    pub reach: usize,
    pub dates: f64,
}

/// Thresholds for a list of other stories.
pub struct List {
    /// Minimum of items, maximum of blocks from item to item and of words between them.
    pub items: usize,
    pub between: usize,
    pub teaser: i64,
    /// The minimum share of a block's words in links; or linked words at its beginning, before others, in a block of at
    /// least `item` words.
    pub pointing: f64,
    pub linked: i64,
    pub least_linked: i64,
    pub item: i64,
    /// Words of the story before the list, and of other selected blocks after it.
    pub story: i64,
    pub behind: i64,
}

/// Return a hash of the ASCII letters and digits of a text. Texts with the same words in lower case have the same hash:
/// letters that are also the lower case of non-ASCII letters are not counted.
fn letter_hash(text: &[u32]) -> u64 {
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

impl SelectedBlocks<'_> {
    fn words(&self, place: usize) -> i64 {
        self.page.block_words()[self.blocks[place] as usize]
    }

    fn linked(&self, place: usize) -> i64 {
        self.page.block_link_words()[self.blocks[place] as usize]
    }

    fn is_selected(&self, place: usize) -> bool {
        self.selected[place] != 0
    }

    /// Return the number of story words up to each block, the block included.
    fn story(&self) -> Vec<i64> {
        let mut words = 0;
        (0..self.blocks.len())
            .map(|place| {
                words += if self.is_selected(place) { self.words(place) } else { 0 };
                words
            })
            .collect()
    }

    /// Return the lines that may be headings of comments: the index of each block, and its range of the text.
    pub fn comment_lines(&self, line: &CommentLine) -> Vec<i64> {
        let (count, mut story, mut lines) = (self.blocks.len(), 0, Vec::new());
        if count == 0 || self.dates[count] < line.dates {
            return lines;
        }
        for place in 0..count {
            let words = self.words(place);
            story += if self.is_selected(place) { words } else { 0 };
            let behind = self.dates[(place + line.reach + 1).min(count)] - self.dates[place + 1];
            if words <= line.words && story >= line.story && behind >= line.dates {
                let (start, end) = self.page.block_text(self.blocks[place] as usize);
                lines.extend([place as i64, start, end]);
            }
        }
        lines
    }

    /// Whether a block or the next block is selected: the text of a teaser counts as the teaser.
    fn is_selected_with_next(&self, place: usize) -> bool {
        self.is_selected(place) || place + 1 < self.blocks.len() && self.is_selected(place + 1)
    }

    /// Count the blocks with at least `least` linked words that are selected, or whose next block is.
    pub fn linking(&self, least: i64) -> usize {
        (0..self.blocks.len()).filter(|&place| self.is_selected_with_next(place) && self.linked(place) >= least).count()
    }

    /// Return the texts of the selected blocks with at least `least` words.
    fn texts(&self, least: i64) -> impl Iterator<Item = &[u32]> {
        let is_long = move |&place: &usize| self.is_selected(place) && self.words(place) >= least;
        (0..self.blocks.len()).filter(is_long).map(move |place| {
            let (start, end) = self.page.block_text(self.blocks[place] as usize);
            &self.page.text[start as usize..end as usize]
        })
    }

    /// Whether a selected block with at least `least` words contains the sign of data, two ASCII characters.
    pub fn has_sign(&self, least: i64, sign: [u8; 2]) -> bool {
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

    /// Whether two selected blocks with at least `least` words may have the same text.
    pub fn may_repeat(&self, least: i64) -> bool {
        let mut texts: Vec<&[u32]> = self.texts(least).collect();
        texts.sort_unstable_by_key(|text| text.len());
        let mut rest = &texts[..];
        while let Some((first, behind)) = rest.split_first() {
            let alike = behind.iter().take_while(|text| text.len() == first.len()).count();
            if alike > 0 {
                let mut hashes: Vec<u64> = rest[..=alike].iter().map(|text| letter_hash(text)).collect();
                hashes.sort_unstable();
                if hashes.windows(2).any(|two| two[0] == two[1]) {
                    return true;
                }
            }
            rest = &behind[alike..];
        }
        false
    }

    /// Return the blocks in elements of a tag: the index of each, and its range of the text.
    pub fn inside(&self, tag: i64) -> Vec<i64> {
        let (tags, parent) = (self.page.tag(), self.page.parent());
        let mut blocks = Vec::new();
        for (place, &block) in self.blocks.iter().enumerate() {
            let mut element = self.page.block_element()[block as usize] as usize;
            while element > 0 && tags[element] != tag {
                element = parent[element].max(0) as usize;
            }
            if element > 0 {
                let (start, end) = self.page.block_text(block as usize);
                blocks.extend([place as i64, start, end]);
            }
        }
        blocks
    }

    /// Whether a block is a linked headline, or begins with it.
    fn is_teaser(&self, place: usize, list: &List) -> bool {
        let (page, block) = (self.page, self.blocks[place] as usize);
        let (words, linked) = (self.words(place), self.linked(place));
        if linked >= list.least_linked && linked as f64 >= list.pointing * words as f64 {
            return true;
        }
        if linked < list.linked || words > list.item {
            return false;
        }
        let (mut unlinked, mut linked_at_start) = (0, 0);
        for run in page.block_first()[block] as usize..page.block_end(block) {
            let words = page.run_words()[run];
            if page.flags[run] != 0 {
                linked_at_start += words;
            } else {
                unlinked += words;
                if unlinked >= list.least_linked {
                    break;
                }
            }
        }
        linked_at_start >= list.linked
    }

    /// Return the items of each list that may be of other stories, the last list first (`list_begins`).
    pub fn lists(&self, list: &List) -> Vec<Vec<i64>> {
        let count = self.blocks.len();
        let places: Vec<usize> = (0..count).filter(|&place| self.is_teaser(place, list)).collect();
        if places.len() < list.items {
            return Vec::new();
        }
        let mut groups: Vec<Vec<usize>> = vec![vec![places[0]]];
        for pair in places.windows(2) {
            let (before, second) = (pair[0], pair[1]);
            let between: i64 = (before + 1..second).map(|place| self.words(place)).sum();
            if second - before > list.between + 1 || between > list.teaser {
                groups.push(Vec::new());
            }
            groups.last_mut().expect("a group").push(second);
        }
        let (story, mut lists) = (self.story(), Vec::new());
        for items in groups.iter().rev() {
            let selected = items.iter().filter(|&&place| self.is_selected_with_next(place)).count();
            if items.len() < list.items || 2 * selected < items.len() {
                continue;
            }
            let (first, last) = (items[0], items[items.len() - 1]);
            if story[count - 1] - story[(last + list.between).min(count - 1)] > list.behind {
                break;
            }
            // The first item is no part of the story before the list.
            let own = if self.is_selected(first) { self.words(first) } else { 0 };
            if story[first] - own >= list.story {
                lists.push(items.iter().map(|&place| place as i64).collect());
            }
        }
        lists
    }
}
