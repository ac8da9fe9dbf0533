//! Where a story may end (`tidings.extractors.learned.ending`): what blocks tell of it by their words, links and dates. What
//! they say is for Python to read.

use crate::columns::Columns;

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

    /// How many chosen blocks have so many linked words.
    pub fn linking(&self, least: i64) -> usize {
        (0..self.blocks.len()).filter(|&place| self.is_chosen(place) && self.linked(place) >= least).count()
    }

    /// Whether a chosen block of so many words has a sign in it that data is told by, which is two characters.
    pub fn are_signed(&self, least: i64, sign: [u32; 2]) -> bool {
        (0..self.blocks.len()).any(|place| {
            self.is_chosen(place) && self.words(place) >= least && {
                let (start, end) = self.page.block_text(self.blocks[place] as usize);
                self.page.text[start as usize..end as usize].windows(2).any(|two| two == sign)
            }
        })
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
            let taken = items.iter().filter(|&&place| self.is_chosen(place)).count();
            if items.len() < list.items || 2 * taken < items.len() {
                continue;
            }
            let (first, last) = (items[0], items[items.len() - 1]);
            if story[count - 1] - story[(last + list.between).min(count - 1)] > list.behind {
                break;
            }
            if story[first] >= list.story {
                found.push(items.iter().map(|&place| place as i64).collect());
            }
        }
        found
    }
}
