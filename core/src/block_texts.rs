//! Builds the text of the visible blocks of fragments that rules cut out of a page (`crate::blocks`).
//!
//! Fragments with units (code, formulas, notes …), which Python finds on pages, are read as pages.

use crate::block_rows::{Addresses, Asking, BlockRows};
use crate::blocks::{blocks, Around, Choice, Found, KIND_TABLE};
use crate::cascade::Asked;
use crate::columns::{scan, Columns, Manner};
use crate::data_tables::{add_table_text, DataTables};
use crate::hashes::hash_of;
use crate::item_numbers::item_numbers;
use crate::matching::Document;
use crate::needles::Word;
use crate::pictures::fragment::fragment_pictures;
use crate::pictures::PictureSettings;
use crate::sheet::Sheet;
use crate::start_tag::{attributes, ways_of_tag};
use crate::styles::{declared, GONE};
use crate::tables::Tables;
use crate::tag_words::{tags_with_words, words_of_all_tags, TagWords};
use crate::units::{is_space, stands, widened, Unit, Wide};
use crate::written::Written;

// What a tag is, as bits: those of `tidings.article.units.article_tables`.
pub const TABLE: u16 = 1;
pub const CELL: u16 = 1 << 1;
pub const HEADER: u16 = 1 << 2;
pub const ROW: u16 = 1 << 3;
pub const TITLE_OF_TABLE: u16 = 1 << 4;
/// No table of data holds one.
pub const STRUCTURE: u16 = 1 << 5;
/// No cell of one without headers holds one.
pub const CROWD: u16 = 1 << 6;
pub const HIDDEN: u16 = 1 << 7;
pub const NEVER_ASKED: u16 = 1 << 8;
/// Whether it is hidden hangs on its attributes.
pub const UNCLEAR: u16 = 1 << 9;
pub const NUMBERED: u16 = 1 << 10;
pub const COUNTED: u16 = 1 << 11;
pub const ITEM: u16 = 1 << 12;
const LINK: u16 = 1 << 13;
/// Left out of headings where it says no more than a sign.
const BUTTON: u16 = 1 << 14;
const HEADING: u16 = 1 << 15;

/// The blocks of a fragment, and what they say.
#[derive(Default)]
pub struct Fragment {
    pub found: Found,
    /// The texts of the blocks one behind the other, and where each ends.
    pub codes: Vec<u32>,
    pub ends: Vec<usize>,
    /// Of each block that is a table its place, and the characters that were put between its cells.
    pub between_cells: Vec<(usize, usize)>,
    /// Characters in links, and in what is written as a link without an address.
    pub linked: i64,
    /// What else its blocks are made of, if that is asked for and the fragment need not be read as a page.
    pub rows: Option<BlockRows>,
}

/// What must be known to read fragments.
#[derive(Clone, Copy)]
pub struct Knowledge<'a> {
    pub tables: &'a Tables,
    /// What each tag means (`tidings.article.units.article_tables.Role`), and the sets that it is in; the last for any other tag.
    pub roles: &'a [u8],
    pub sets: &'a [u16],
    pub most_tags: usize,
    /// Words of units that say something else than their text: a fragment that holds one is read as a page. The first is that
    /// of raised text, which refers to notes only where links lead to places of the page; behind it are those of anchors,
    /// which links to other pages may hold.
    pub units: &'a TagWords,
    /// Words of start tags: where the first stands, there are pictures; where another does, there may be units.
    pub words: &'a TagWords,
    pub pictures: PictureSettings<'a>,
    /// Where blocks are asked for too.
    pub asking: Option<Asking<'a>>,
}

/// What a link of a heading to itself shows: #, the pilcrow, the section sign, a chain, infinity.
const SIGNS: [u32; 5] = [0x23, 0xB6, 0xA7, 0x1F517, 0x221E];
/// The bits of the words of raised text and of anchors.
const RAISED: u64 = 1;
const ANCHORS: u64 = 0xFE;
/// So many do no harm.
const FEW_CONTROLS: u32 = 8;

/// Why a fragment is not read by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// It has to be read as a page: it may have units.
    AsPage,
    /// Whether text is hidden depends on what is around the fragment: the whole page has to be read.
    ToPage,
}

/// The blocks of a fragment under the style sheets of its page.
pub fn read_fragment(fragment: &[u8], sheet: &Sheet, known: Knowledge) -> Result<Fragment, Left> {
    // What a page is without, and so many controls that it is refused (`tidings.page.decode`).
    let (has_nul, controls) = fragment.iter().fold((false, 0u32), |(has_nul, controls), &byte| {
        (
            has_nul | (byte == 0),
            controls + u32::from((byte < 9) | (byte == 11) | (byte.wrapping_sub(14) < 18) | (byte == 127)),
        )
    });
    if has_nul || controls > FEW_CONTROLS || fragment.starts_with(b"\xEF\xBB\xBF") {
        return Err(Left::AsPage);
    }
    if fragment.is_ascii() {
        return read_units(fragment, sheet, known);
    }
    match widened(fragment).ok_or(Left::AsPage)? {
        Wide::One(units) => read_units(&units, sheet, known),
        Wide::Two(units) => read_units(&units, sheet, known),
        Wide::Four(units) => read_units(&units, sheet, known),
    }
}

fn read_units<U: Unit>(source: &[U], sheet: &Sheet, known: Knowledge) -> Result<Fragment, Left> {
    let Knowledge { tables, most_tags, .. } = known;
    if source.iter().all(|unit| is_space(unit.code())) {
        return Ok(Fragment::default());
    }
    let page = scan(source, tables, Manner { most_tags, is_brief: true, ..Manner::default() });
    if page.codes().len() > most_tags {
        return Err(Left::AsPage);
    }
    let gone = gone_by_spelling(source, &page, sheet, tables)?;
    let held = words_of_all_tags(source, &page, tables, known.units);
    let reading = Reading { page: &page, sets: known.sets };
    if held & !(RAISED | ANCHORS) != 0 || (held & RAISED != 0 && reading.refers_to_itself(source)) {
        return Err(Left::AsPage);
    }
    let leads_away = |&(start, end): &(usize, usize)| leads_away(&source[start..end]);
    if held & ANCHORS != 0 && !tags_with_words(source, &page, tables, known.units, ANCHORS).iter().all(leads_away) {
        return Err(Left::AsPage);
    }
    let holds_text = |element: usize| page.first()[element] < page.last()[element];
    let is_unclear = |element: usize| reading.is(element, UNCLEAR) && holds_text(element);
    if (1..page.tag().len()).any(is_unclear) || reading.has_signs_in_headings() {
        return Err(Left::AsPage);
    }
    let data = DataTables::new(&Written { source, tables }, &reading);
    // What makes other blocks may do so with cells.
    if !data.tables.is_empty() && words_of_all_tags(source, &page, tables, known.words) & !1 != 0 {
        return Err(Left::AsPage);
    }
    Ok(fragment_of(source, &reading, known, sheet, &gone, &data))
}

/// By the spelling of start tags whether they hide their elements.
fn gone_by_spelling<U: Unit>(source: &[U], page: &Columns, sheet: &Sheet, tables: &Tables) -> Result<Vec<u8>, Left> {
    let written = Written { source, tables };
    let mut asked = Asked::new(sheet);
    let mut gone = Vec::with_capacity(page.spellings());
    let mut tag = String::new();
    let has_rules = !sheet.is_empty();
    for range in page.spelled().chunks_exact(2) {
        written.text((range[0] as usize, range[1] as usize), &mut tag);
        let (ways, _) = if has_rules {
            sheet.answer(&tag, || ways_of_tag(&tag, &mut asked, tables))
        } else {
            ways_of_tag(&tag, &mut asked, tables)
        };
        if ways & !GONE != 0 && ways & GONE == 0 {
            return Err(Left::AsPage); // what it hides may be shown again in it
        }
        gone.push(u8::from(ways & GONE != 0));
    }
    if depends_on_page(source, page, sheet, tables, &gone) {
        return Err(Left::ToPage);
    }
    Ok(gone)
}

/// Whether rules whose selectors ask for what is around an element hide one of a fragment, or may show one that its
/// start tag hides. Classes and ids outside the fragment count as others: rules are learned from whole pages.
fn depends_on_page<U: Unit>(source: &[U], page: &Columns, sheet: &Sheet, tables: &Tables, gone: &[u8]) -> bool {
    if sheet.complex.is_empty() {
        return false;
    }
    let narrow = |column: &[i64]| -> Vec<i32> { column.iter().map(|&number| number as i32).collect() };
    let (parent, opened, closed) = (narrow(page.parent()), narrow(page.opened()), narrow(page.closed()));
    let standard = tables.names.len();
    let local: Vec<&[u8]> = page.names.split(|&byte| byte == b'\n').collect();
    let name_of = |element: usize| {
        let tag = page.tag()[element] as usize;
        let name = tables.names.get(tag).map(|name| &name[..]).or_else(|| local.get(tag - standard).copied());
        std::str::from_utf8(name.unwrap_or_default()).unwrap_or("")
    };
    let range = |at: usize| (page.bounds()[2 * at + 1] as usize, page.bounds()[2 * at + 2] as usize);
    let written = Written { source, tables };
    let read_tag = |element: usize| {
        let mut tag = String::new();
        written.text(range(opened[element] as usize), &mut tag);
        attributes(&tag, Some(tables))
    };
    let is_empty = |_: usize| false;
    let mut document = Document::new(&parent, &opened, &closed, &name_of, &read_tag, &is_empty);
    document.is_fragment = true;
    (1..parent.len()).any(|element| {
        let spelling = match usize::try_from(page.spelling()[element]) {
            Ok(spelling) => spelling,
            Err(_) => return false,
        };
        let is_gone = gone[spelling] != 0;
        let tag = document.tag(element);
        let has = |name: &str| tag.get(name).is_some();
        let matters = |number: u32| match is_gone {
            true => !declared(sheet.text(sheet.complex.rules[number as usize].written.block)).all().is_empty(),
            false => sheet.suspicion(number).hides(),
        };
        let rules = sheet.complex.candidates(name_of(element), tag.get("class"), tag.get("id"), has, matters);
        rules.iter().any(|&number| sheet.complex.matches(&sheet.css, &document, number, element))
    })
}

/// Whether a start tag is that of a link that leads to no place of its own page.
fn leads_away<U: Unit>(tag: &[U]) -> bool {
    stands(tag, 0, b"<a")
        && tag.get(2).map_or(false, |unit| is_space(unit.code()))
        && !tag.iter().any(|unit| unit.is(b'#'))
        && !Word::new(b"&num").is_in(tag)
}

impl Fragment {
    /// The text of each block.
    pub fn texts(&self) -> impl Iterator<Item = &[u32]> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(move |(start, &end)| &self.codes[start..end])
    }

    /// The hash of each.
    pub fn hashes(&self) -> impl Iterator<Item = u64> + '_ {
        let mut room = Vec::new();
        self.texts().map(move |text| hash_of(text, &mut room))
    }
}

/// A scanned page, and what its tags are.
pub struct Reading<'a> {
    pub page: &'a Columns,
    pub sets: &'a [u16],
}

/// The blocks of a fragment in which the spellings of some start tags hide what they hold.
fn fragment_of<U: Unit>(
    source: &[U],
    reading: &Reading,
    known: Knowledge,
    sheet: &Sheet,
    gone: &[u8],
    data: &DataTables,
) -> Fragment {
    let Knowledge { tables, roles, asking, .. } = known;
    let page = reading.page;
    let hidden = reading.hidden(gone);
    let (starts, ends) = reading.shown(&hidden);
    let is_link = |&element: &usize| reading.is(element, LINK) && page.first()[element] < page.last()[element];
    let links: Vec<i64> = (1..page.tag().len()).filter(is_link).map(|one| one as i64).collect();
    let (addresses, texts) = match asking {
        Some(asking) => {
            let Addresses { numbers, texts } = Addresses::new(source, page, &links, asking.origin);
            (numbers, Some(texts))
        }
        None => (vec![1; links.len()], None),
    };
    let choice = Choice {
        roles,
        starts: &starts,
        ends: &ends,
        links: &links,
        addresses: &addresses,
        tables: &data.tables,
        ..Choice::default()
    };
    let numbers = item_numbers(&Written { source, tables }, reading);
    let found = blocks(source, page, &choice, &Around { tables, reading, data, numbers: &numbers });
    let rows = texts.and_then(|texts| {
        let mut rows = BlockRows::new(source, page, known, &found, texts)?;
        if rows.has_pictures {
            rows.pictures = fragment_pictures(source, reading, known, sheet, gone, &hidden);
        }
        Some(rows)
    });
    let mut said = Fragment { rows, ..Fragment::default() };
    for (place, &[end, ..]) in found.inlines.iter().enumerate().filter(|(_, row)| row[1] > 0) {
        said.linked += end - found.start_of(place as i64) as i64;
    }
    said.codes.reserve(found.text.len());
    let (mut first, mut cell) = (0, 0);
    for (place, &[kind, _, _, _, _, _, behind, cells, ..]) in found.blocks.iter().enumerate() {
        if kind == KIND_TABLE {
            let between = add_table_text(&found, &found.cells[cell..cells as usize], &mut said.codes);
            said.between_cells.push((place, between));
        } else {
            said.codes.extend_from_slice(&found.text[found.start_of(first)..found.start_of(behind)]);
        }
        said.ends.push(said.codes.len());
        (first, cell) = (behind, cells as usize);
    }
    said.found = found;
    said
}

impl Reading<'_> {
    pub fn is(&self, element: usize, sets: u16) -> bool {
        self.sets.get(self.page.tag()[element] as usize).map_or(false, |&own| own & sets != 0)
    }

    pub fn parent(&self, element: usize) -> usize {
        self.page.parent()[element].max(0) as usize
    }

    /// For each element itself or the nearest around it of some sets; else the document.
    pub fn nearest(&self, sets: u16) -> Vec<usize> {
        let mut found = vec![0; self.page.tag().len()];
        for element in 1..found.len() {
            found[element] = if self.is(element, sets) { element } else { found[self.parent(element)] };
        }
        found
    }

    /// Whether a link may lead to a place of the page.
    fn refers_to_itself<U: Unit>(&self, source: &[U]) -> bool {
        let page = self.page;
        (1..page.tag().len()).filter(|&element| self.is(element, LINK)).any(|link| {
            let (start, end) = page.tag_range(link);
            source[start..end].iter().any(|unit| unit.is(b'#'))
        })
    }

    /// By run whether it is hidden.
    fn hidden(&self, gone: &[u8]) -> Vec<u8> {
        let page = self.page;
        let mut hidden = vec![0; page.runs()];
        let mut behind = 0;
        for element in 1..page.tag().len() {
            let (first, last) = (page.first()[element] as usize, page.last()[element] as usize);
            let spelling = page.spelling()[element];
            let is_asked = spelling >= 0 && !self.is(element, NEVER_ASKED);
            let is_gone = is_asked && gone.get(spelling as usize).map_or(false, |&one| one != 0);
            if first < last && last > behind && (is_gone || self.is(element, HIDDEN)) {
                hidden[first..last].iter_mut().for_each(|one| *one = 1);
                behind = last;
            }
        }
        hidden
    }

    /// The ranges of the text that a reader sees: starts, then ends.
    fn shown(&self, hidden: &[u8]) -> (Vec<i64>, Vec<i64>) {
        let page = self.page;
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        for run in (0..hidden.len()).filter(|&run| hidden[run] == 0) {
            if run == 0 || hidden[run - 1] != 0 {
                starts.push(page.text_start()[run]);
                ends.push(0);
            }
            if let Some(end) = ends.last_mut() {
                *end = page.text_end()[run];
            }
        }
        (starts, ends)
    }

    /// Whether a heading holds a button, or begins or ends with a sign for a link to itself: such are left out
    /// (`tidings.article.blocks.page_blocks`).
    fn has_signs_in_headings(&self) -> bool {
        let page = self.page;
        let elements = page.tag().len();
        let begins_or_ends = |heading: usize| {
            let (first, last) = (page.first()[heading] as usize, page.last()[heading] as usize);
            last >= first + 2 && (self.is_sign(first) || self.is_sign(last - 1))
        };
        if (1..elements).any(|element| self.is(element, HEADING) && begins_or_ends(element)) {
            return true;
        }
        if !(1..elements).any(|element| self.is(element, BUTTON)) {
            return false;
        }
        let headings = self.nearest(HEADING);
        (1..elements).any(|element| self.is(element, BUTTON) && headings[element] != 0)
    }

    fn is_sign(&self, run: usize) -> bool {
        let text = &self.page.text[self.page.text_start()[run] as usize..self.page.text_end()[run] as usize];
        let mut said = text.iter().filter(|&&code| !is_space(code));
        said.next().map_or(false, |code| SIGNS.contains(code)) && said.next().is_none()
    }
}
