//! Finds the pictures of a fragment whose whole visible text is the story (`tidings.sites.extraction.fragment_pictures`).

use std::ops::Range;

use crate::block_texts::{Knowledge, Reading, HIDDEN, NEVER_ASKED, UNCLEAR};
use crate::cascade::Asked;
use crate::columns::Columns;
use crate::needles::Word;
use crate::picture_tags::each_attribute;
use crate::pictures::{pictures, sums, PictureTags, BESIDE, BETWEEN, CAPTIONED, LEADING};
use crate::sheet::Sheet;
use crate::start_tag::ways_of_tag;
use crate::styles::{GONE, VISIBILITY};
use crate::tag_words::{words_of_all_tags, TagWords};
use crate::units::{is_blank, is_space, Unit};
use crate::written::Written;

/// Numbers by which a caller tells of tags and borders.
pub const ASKED: usize = 10;

/// What must be known to tell of pictures.
#[derive(Clone, Copy)]
pub struct PictureKnowledge<'a> {
    pub tags: PictureTags,
    /// The element that offers other sizes of a picture.
    pub picture: i64,
    /// How far from a picture the element named after captions stands: elements up, and elements behind it.
    pub around: usize,
    pub nearest: usize,
    /// Attributes that are asked for, a line each; and words by one of which a figure may name who made its picture.
    pub names: &'a [u8],
    pub credits: &'a [u8],
    /// Words of start tags with one of which there may be a gallery.
    pub galleries: &'a TagWords,
}

impl<'a> PictureKnowledge<'a> {
    pub fn new(numbers: [i64; ASKED], names: &'a [u8], credits: &'a [u8], galleries: &'a TagWords) -> Self {
        let [image, figure, caption, html, body, longest, above, picture, around, nearest] = numbers;
        let tags = PictureTags { image, figure, caption, html, body, longest, above: above as u32 };
        PictureKnowledge {
            tags,
            picture,
            around: around as usize,
            nearest: nearest as usize,
            names,
            credits,
            galleries,
        }
    }
}

/// The pictures of a fragment.
#[derive(Default)]
pub struct ToldPictures {
    pub count: usize,
    /// Of each: the run it stands before, its figure or 0, whether it is out of sight, where the caption of its figure ends
    /// among the texts or -1, where the start tag of an element beside it that may be its caption does or -1, and what that
    /// says, how many attributes it has, and of each which it is and where its value ends.
    pub numbers: Vec<i64>,
    pub codes: Vec<u32>,
}

struct Finder<'a, U> {
    source: &'a [U],
    reading: &'a Reading<'a>,
    known: Knowledge<'a>,
    asked: Asked<'a>,
    /// By spelling of the start tags of elements with text.
    gone: &'a [u8],
}

/// Nothing if the page of the fragment has to be asked.
pub fn told_pictures<U: Unit>(
    source: &[U],
    reading: &Reading,
    known: Knowledge,
    sheet: &Sheet,
    gone: &[u8],
    hidden: &[u8],
) -> Option<ToldPictures> {
    let (page, own) = (reading.page, &known.pictures);
    let chosen: Vec<u8> = hidden.iter().map(|&one| 1 - one).collect();
    let before = sums(chosen.len(), |run| chosen[run] != 0);
    let mut finder = Finder { source, reading, known, asked: Asked::new(sheet), gone };
    let mut found = ToldPictures::default();
    let names: Vec<&[u8]> = own.names.split(|&byte| byte == b'\n').collect();
    for [element, figure, holder, place, begin, end] in pictures(page, hidden, &chosen, &before, &own.tags) {
        let is_beside = place & BESIDE != 0;
        if place & BETWEEN != 0 && !is_beside && figure == 0 && holder > 0 {
            return None;
        }
        if place & CAPTIONED == 0 && (place & (BETWEEN | LEADING) == 0 || !is_beside) {
            continue;
        }
        let (element, figure) = (element as usize, figure as usize);
        if page.tag()[reading.parent(element)] == own.picture || (figure > 0 && finder.may_name_credit(figure)) {
            return None;
        }
        let is_unseen = finder.is_unseen(element)?;
        found.numbers.extend([page.first()[element], figure as i64, i64::from(is_unseen)]);
        if begin >= 0 {
            found.say(page, hidden, begin as usize..end as usize)?;
        } else {
            found.numbers.push(-1);
        }
        if let Some(beside) = finder.may_be_caption_beside(element) {
            found.codes.extend(finder.tag(beside).iter().map(|unit| unit.code()));
            found.numbers.push(found.codes.len() as i64);
            found.say(page, hidden, page.first()[beside] as usize..page.last()[beside] as usize)?;
        } else {
            found.numbers.extend([-1, -1]);
        }
        let count = found.numbers.len();
        found.numbers.push(0);
        let tag = finder.tag(element);
        let codes = &mut found.codes;
        let numbers = &mut found.numbers;
        let is_read = each_attribute(tag, |name, (start, end)| {
            let is = |other: &&[u8]| {
                other.len() == name.len()
                    && name.iter().zip(*other).all(|(unit, &letter)| unit.ascii().to_ascii_lowercase() == letter)
            };
            if let Some(number) = names.iter().position(is) {
                let number = number as i64;
                if !numbers[count + 1..].chunks(2).any(|row| row[0] == number) {
                    codes.extend(tag[start..end].iter().map(|unit| unit.code()));
                    numbers.extend([number, codes.len() as i64]);
                }
            }
        });
        if !is_read {
            return None;
        }
        found.numbers[count] = ((found.numbers.len() - count) / 2) as i64;
        found.count += 1;
    }
    // Of several, some may be in a gallery.
    let is_alone = found.count < 2
        || (words_of_all_tags(source, page, known.tables, own.galleries) == 0 && !finder.has_nested(own.tags.figure));
    if is_alone {
        Some(found)
    } else {
        None
    }
}

impl ToldPictures {
    /// Tell what some runs say; nothing if some of it is hidden.
    fn say(&mut self, page: &Columns, hidden: &[u8], runs: Range<usize>) -> Option<()> {
        if hidden[runs.clone()].iter().any(|&one| one != 0) {
            return None;
        }
        if !runs.is_empty() {
            let text = page.text_start()[runs.start] as usize..page.text_end()[runs.end - 1] as usize;
            fold(&page.text[text], &mut self.codes);
        }
        self.numbers.push(self.codes.len() as i64);
        Some(())
    }
}

/// Put a text behind `out`, white space folded.
pub fn fold<U: Unit>(text: &[U], out: &mut Vec<u32>) {
    let first = out.len();
    for word in text.split(|unit| is_space(unit.code())).filter(|word| !word.is_empty()) {
        if out.len() > first {
            out.push(u32::from(b' '));
        }
        out.extend(word.iter().map(|unit| unit.code()));
    }
}

impl<'a, U: Unit> Finder<'a, U> {
    fn range(&self, element: usize) -> (usize, usize) {
        let at = 2 * self.reading.page.opened()[element] as usize;
        (self.reading.page.bounds()[at + 1] as usize, self.reading.page.bounds()[at + 2] as usize)
    }

    fn tag(&self, element: usize) -> &'a [U] {
        let (start, end) = self.range(element);
        &self.source[start..end]
    }

    /// Where an element ends: behind its own end tag, or before the tag that ended it.
    fn end(&self, element: usize) -> usize {
        let page = self.reading.page;
        let closed = page.closed()[element] as usize;
        if element == 0 || closed >= page.codes().len() {
            return self.source.len();
        }
        let is_own = page.codes()[closed] == -page.tag()[element] || page.closed()[element] == page.opened()[element];
        page.bounds()[2 * closed + 1 + usize::from(is_own)] as usize
    }

    fn holds_text(&self, element: usize) -> bool {
        self.reading.page.first()[element] < self.reading.page.last()[element]
    }

    /// Whether it is out of sight as a box (`Page.unseen`); nothing if the page has to be asked.
    fn is_unseen(&mut self, element: usize) -> Option<bool> {
        let written = Written { source: self.source, tables: self.known.tables };
        let mut tag = String::new();
        let mut at = element;
        while at > 0 && !self.holds_text(at) {
            if self.reading.is(at, UNCLEAR) {
                return Some(true);
            }
            written.text(self.range(at), &mut tag);
            let (ways, _) = ways_of_tag(&tag, &mut self.asked, self.known.tables);
            if ways & (GONE | VISIBILITY) != 0 {
                return Some(true);
            }
            at = self.reading.parent(at);
        }
        // What holds text and is hidden, or is in something hidden, may be shown later.
        while at > 0 {
            let spelling = usize::try_from(self.reading.page.spelling()[at]).ok();
            let is_gone = spelling.and_then(|number| self.gone.get(number)).map_or(false, |&one| one != 0);
            if is_gone || self.reading.is(at, HIDDEN | NEVER_ASKED | UNCLEAR) {
                return None;
            }
            at = self.reading.parent(at);
        }
        Some(false)
    }

    /// Whether a figure may name who made its picture.
    fn may_name_credit(&self, figure: usize) -> bool {
        let figure = &self.source[self.range(figure).0..self.end(figure)];
        self.known.pictures.credits.split(|&byte| byte == b'\n').any(|word| Word::new(word).is_in(figure))
    }

    /// The element with text beside a picture that may be named after captions.
    fn may_be_caption_beside(&self, element: usize) -> Option<usize> {
        let (page, own) = (self.reading.page, &self.known.pictures);
        let behind = (element + own.nearest).min(page.tag().len());
        let word = Word::new(b"caption");
        let (mut around, mut inner) = (element, element + 1);
        for _ in 0..own.around {
            around = self.reading.parent(around);
            if around == 0 || [0, own.tags.html, own.tags.body].contains(&page.tag()[around]) {
                return None;
            }
            let end = self.end(around);
            while inner < behind && self.range(inner).0 < end {
                if page.tag()[inner] == own.tags.image {
                    return None;
                }
                // The name of the tag says nothing.
                let tag = self.tag(inner);
                let name = tag.iter().take_while(|&&unit| !is_blank(unit)).count();
                if self.holds_text(inner) && word.is_in(&tag[name..]) {
                    return Some(inner);
                }
                inner += 1;
            }
        }
        None
    }

    /// Whether an element of a tag stands in another of it.
    fn has_nested(&self, tag: i64) -> bool {
        let page = self.reading.page;
        let mut behind = 0;
        for element in (1..page.tag().len()).filter(|&element| page.tag()[element] == tag) {
            if self.range(element).0 < behind {
                return true;
            }
            behind = self.end(element);
        }
        false
    }
}
