//! Builds the text of the visible blocks of fragments that rules cut out of a page (`crate::blocks`).
//!
//! Fragments with units (code, formulas, notes …) are read as pages, because Python finds units.

use crate::block_rows::{Addresses, BlockOptions, BlockRows};
use crate::blocks::{blocks, BlockInputs, BuiltBlocks, Selection, KIND_TABLE};
use crate::cascade::Cascade;
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

// Bits of the sets of a tag (`tidings.article.units.article_tables`).
pub const TABLE: u16 = 1;
pub const CELL: u16 = 1 << 1;
pub const HEADER: u16 = 1 << 2;
pub const ROW: u16 = 1 << 3;
pub const TITLE_OF_TABLE: u16 = 1 << 4;
/// Never in a data table.
pub const STRUCTURE: u16 = 1 << 5;
/// Never in a cell of a data table without headers.
pub const CROWD: u16 = 1 << 6;
pub const HIDDEN: u16 = 1 << 7;
pub const NEVER_ASKED: u16 = 1 << 8;
/// Attributes decide whether it is hidden.
pub const UNCLEAR: u16 = 1 << 9;
pub const NUMBERED: u16 = 1 << 10;
pub const COUNTED: u16 = 1 << 11;
pub const ITEM: u16 = 1 << 12;
const LINK: u16 = 1 << 13;
/// Left out of headings if it contains only a sign.
const BUTTON: u16 = 1 << 14;
const HEADING: u16 = 1 << 15;

/// The blocks of a fragment and their texts.
#[derive(Default)]
pub struct Fragment {
    pub built: BuiltBlocks,
    /// The joined texts of the blocks, and the end of each.
    pub codes: Vec<u32>,
    pub ends: Vec<usize>,
    /// For each table its index among the blocks, and the number of characters between its cells.
    pub between_cells: Vec<(usize, usize)>,
    /// Characters in links, links without a URL included.
    pub linked: i64,
    /// The other data of its blocks, if requested and if the fragment need not be read as a page.
    pub rows: Option<BlockRows>,
}

/// Tables and options for reading fragments.
#[derive(Clone, Copy)]
pub struct FragmentTables<'a> {
    pub tables: &'a Tables,
    /// The role (`tidings.article.units.article_tables.Role`) and the sets of each tag; the last is for other tags.
    pub roles: &'a [u8],
    pub sets: &'a [u16],
    pub most_tags: usize,
    /// Words of units whose text is replaced: a fragment with such a word is read as a page. The first is superscript, which
    /// refers to notes only if links lead to places on the page; then anchors, which links to other pages may contain.
    pub units: &'a TagWords,
    /// Words of start tags: the first is for pictures, the others for units.
    pub words: &'a TagWords,
    pub pictures: PictureSettings<'a>,
    /// Options for blocks, if they are requested.
    pub block_options: Option<BlockOptions<'a>>,
}

/// Texts of links from a heading to itself: #, pilcrow, section sign, chain, infinity.
const SIGNS: [u32; 5] = [0x23, 0xB6, 0xA7, 0x1F517, 0x221E];
/// The bits of the words of superscripts and of anchors.
const RAISED: u64 = 1;
const ANCHORS: u64 = 0xFE;
/// The maximum number of control characters in a fragment.
const FEW_CONTROLS: u32 = 8;

/// Why a fragment is not read alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has to be read as a page: it may have units.
    AsPage,
    /// Whether text is hidden depends on what is around the fragment: the whole page has to be read.
    ToPage,
}

/// The blocks of a fragment under the style sheets of its page.
pub fn read_fragment(fragment: &[u8], sheet: &Sheet, fragment_tables: FragmentTables) -> Result<Fragment, Refusal> {
    // NUL, byte order marks and many control characters are handled by `tidings.page.decode`.
    let (has_nul, controls) = fragment.iter().fold((false, 0u32), |(has_nul, controls), &byte| {
        (
            has_nul | (byte == 0),
            controls + u32::from((byte < 9) | (byte == 11) | (byte.wrapping_sub(14) < 18) | (byte == 127)),
        )
    });
    if has_nul || controls > FEW_CONTROLS || fragment.starts_with(b"\xEF\xBB\xBF") {
        return Err(Refusal::AsPage);
    }
    if fragment.is_ascii() {
        return read_units(fragment, sheet, fragment_tables);
    }
    match widened(fragment).ok_or(Refusal::AsPage)? {
        Wide::One(units) => read_units(&units, sheet, fragment_tables),
        Wide::Two(units) => read_units(&units, sheet, fragment_tables),
        Wide::Four(units) => read_units(&units, sheet, fragment_tables),
    }
}

fn read_units<U: Unit>(source: &[U], sheet: &Sheet, fragment_tables: FragmentTables) -> Result<Fragment, Refusal> {
    let FragmentTables { tables, most_tags, .. } = fragment_tables;
    if source.iter().all(|unit| is_space(unit.code())) {
        return Ok(Fragment::default());
    }
    let page = scan(source, tables, Manner { most_tags, is_brief: true, ..Manner::default() });
    if page.codes().len() > most_tags {
        return Err(Refusal::AsPage);
    }
    let hiding = hiding_by_spelling(source, &page, sheet, tables)?;
    let word_bits = words_of_all_tags(source, &page, tables, fragment_tables.units);
    let reading = Reading { page: &page, sets: fragment_tables.sets };
    if word_bits & !(RAISED | ANCHORS) != 0 || (word_bits & RAISED != 0 && reading.refers_to_itself(source)) {
        return Err(Refusal::AsPage);
    }
    let leads_away = |&(start, end): &(usize, usize)| leads_away(&source[start..end]);
    if word_bits & ANCHORS != 0
        && !tags_with_words(source, &page, tables, fragment_tables.units, ANCHORS).iter().all(leads_away)
    {
        return Err(Refusal::AsPage);
    }
    let holds_text = |element: usize| page.first()[element] < page.last()[element];
    let is_unclear = |element: usize| reading.is(element, UNCLEAR) && holds_text(element);
    if (1..page.tag().len()).any(is_unclear) || reading.has_signs_in_headings() {
        return Err(Refusal::AsPage);
    }
    let data = DataTables::new(&Written { source, tables }, &reading);
    // Words that may change blocks may also change cells.
    if !data.tables.is_empty() && words_of_all_tags(source, &page, tables, fragment_tables.words) & !1 != 0 {
        return Err(Refusal::AsPage);
    }
    Ok(fragment_of(source, &reading, fragment_tables, sheet, &hiding, &data))
}

/// Return by spelling of start tags whether they hide their elements.
fn hiding_by_spelling<U: Unit>(
    source: &[U],
    page: &Columns,
    sheet: &Sheet,
    tables: &Tables,
) -> Result<Vec<u8>, Refusal> {
    let written = Written { source, tables };
    let mut cascade = Cascade::new(sheet);
    let mut hiding = Vec::with_capacity(page.spellings());
    let mut tag = String::new();
    let has_rules = !sheet.is_empty();
    for range in page.spelled().chunks_exact(2) {
        written.text((range[0] as usize, range[1] as usize), &mut tag);
        let (ways, _) = if has_rules {
            sheet.ways(&tag, || ways_of_tag(&tag, &mut cascade, tables))
        } else {
            ways_of_tag(&tag, &mut cascade, tables)
        };
        if ways & !GONE != 0 && ways & GONE == 0 {
            return Err(Refusal::AsPage); // descendants may be visible
        }
        hiding.push(u8::from(ways & GONE != 0));
    }
    if depends_on_page(source, page, sheet, tables, &hiding) {
        return Err(Refusal::ToPage);
    }
    Ok(hiding)
}

/// Whether selectors that depend on other elements hide an element of a fragment, or may show an element that its start
/// tag hides. Classes and ids outside the fragment never match: rules are learned from whole pages.
fn depends_on_page<U: Unit>(source: &[U], page: &Columns, sheet: &Sheet, tables: &Tables, hiding: &[u8]) -> bool {
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
        let is_hiding = hiding[spelling] != 0;
        let tag = document.tag(element);
        let has = |name: &str| tag.get(name).is_some();
        let matters = |number: u32| match is_hiding {
            true => !declared(sheet.text(sheet.complex.rules[number as usize].written.block)).all().is_empty(),
            false => sheet.suspicion(number).hides(),
        };
        let rules = sheet.complex.candidates(name_of(element), tag.get("class"), tag.get("id"), has, matters);
        rules.iter().any(|&number| sheet.complex.matches(&sheet.css, &document, number, element))
    })
}

/// Whether a start tag is that of a link to another page.
fn leads_away<U: Unit>(tag: &[U]) -> bool {
    stands(tag, 0, b"<a")
        && tag.get(2).map_or(false, |unit| is_space(unit.code()))
        && !tag.iter().any(|unit| unit.is(b'#'))
        && !Word::new(b"&num").is_in(tag)
}

impl Fragment {
    /// Return the text of each block.
    pub fn texts(&self) -> impl Iterator<Item = &[u32]> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(move |(start, &end)| &self.codes[start..end])
    }

    /// Return the hash of each text.
    pub fn hashes(&self) -> impl Iterator<Item = u64> + '_ {
        let mut room = Vec::new();
        self.texts().map(move |text| hash_of(text, &mut room))
    }
}

/// A scanned page, and the sets of its tags.
pub struct Reading<'a> {
    pub page: &'a Columns,
    pub sets: &'a [u16],
}

/// Build the blocks of a fragment. `hiding` says for each spelling of start tags whether it hides its element.
fn fragment_of<U: Unit>(
    source: &[U],
    reading: &Reading,
    fragment_tables: FragmentTables,
    sheet: &Sheet,
    hiding: &[u8],
    data: &DataTables,
) -> Fragment {
    let FragmentTables { tables, roles, block_options, .. } = fragment_tables;
    let page = reading.page;
    let hidden = reading.hidden(hiding);
    let (starts, ends) = reading.visible(&hidden);
    let is_link = |&element: &usize| reading.is(element, LINK) && page.first()[element] < page.last()[element];
    let links: Vec<i64> = (1..page.tag().len()).filter(is_link).map(|link| link as i64).collect();
    let (addresses, texts) = match block_options {
        Some(block_options) => {
            let Addresses { numbers, texts } = Addresses::new(source, page, &links, block_options.origin);
            (numbers, Some(texts))
        }
        None => (vec![1; links.len()], None),
    };
    let selection = Selection {
        roles,
        starts: &starts,
        ends: &ends,
        links: &links,
        addresses: &addresses,
        tables: &data.tables,
        ..Selection::default()
    };
    let numbers = item_numbers(&Written { source, tables }, reading);
    let built = blocks(source, page, &selection, &BlockInputs { tables, reading, data, numbers: &numbers });
    let rows = texts.and_then(|texts| {
        let mut rows = BlockRows::new(source, page, fragment_tables, &built, texts)?;
        if rows.has_pictures {
            rows.pictures = fragment_pictures(source, reading, fragment_tables, sheet, hiding, &hidden);
        }
        Some(rows)
    });
    let mut fragment = Fragment { rows, ..Fragment::default() };
    for (place, &[end, ..]) in built.inlines.iter().enumerate().filter(|(_, row)| row[1] > 0) {
        fragment.linked += end - built.start_of(place as i64) as i64;
    }
    fragment.codes.reserve(built.text.len());
    let (mut first, mut cell) = (0, 0);
    for (place, &[kind, _, _, _, _, _, behind, cells, ..]) in built.blocks.iter().enumerate() {
        if kind == KIND_TABLE {
            let between = add_table_text(&built, &built.cells[cell..cells as usize], &mut fragment.codes);
            fragment.between_cells.push((place, between));
        } else {
            fragment.codes.extend_from_slice(&built.text[built.start_of(first)..built.start_of(behind)]);
        }
        fragment.ends.push(fragment.codes.len());
        (first, cell) = (behind, cells as usize);
    }
    fragment.built = built;
    fragment
}

impl Reading<'_> {
    pub fn is(&self, element: usize, sets: u16) -> bool {
        self.sets.get(self.page.tag()[element] as usize).map_or(false, |&own| own & sets != 0)
    }

    pub fn parent(&self, element: usize) -> usize {
        self.page.parent()[element].max(0) as usize
    }

    /// Return for each element its nearest ancestor in some sets, itself included; 0 if there is none.
    pub fn nearest(&self, sets: u16) -> Vec<usize> {
        let mut ancestors = vec![0; self.page.tag().len()];
        for element in 1..ancestors.len() {
            ancestors[element] = if self.is(element, sets) { element } else { ancestors[self.parent(element)] };
        }
        ancestors
    }

    /// Whether a link may lead to a place on the page.
    fn refers_to_itself<U: Unit>(&self, source: &[U]) -> bool {
        let page = self.page;
        (1..page.tag().len()).filter(|&element| self.is(element, LINK)).any(|link| {
            let (start, end) = page.tag_range(link);
            source[start..end].iter().any(|unit| unit.is(b'#'))
        })
    }

    /// Return by run whether it is hidden.
    fn hidden(&self, hiding: &[u8]) -> Vec<u8> {
        let page = self.page;
        let mut hidden = vec![0; page.runs()];
        let mut behind = 0;
        for element in 1..page.tag().len() {
            let (first, last) = (page.first()[element] as usize, page.last()[element] as usize);
            let spelling = page.spelling()[element];
            let can_hide = spelling >= 0 && !self.is(element, NEVER_ASKED);
            let is_hiding = can_hide && hiding.get(spelling as usize).map_or(false, |&is_hidden| is_hidden != 0);
            if first < last && last > behind && (is_hiding || self.is(element, HIDDEN)) {
                hidden[first..last].iter_mut().for_each(|is_hidden| *is_hidden = 1);
                behind = last;
            }
        }
        hidden
    }

    /// Return the ranges of visible text: starts, then ends.
    fn visible(&self, hidden: &[u8]) -> (Vec<i64>, Vec<i64>) {
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

    /// Whether a heading contains a button, or begins or ends with a sign for a link to itself. Both are left out
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
        let mut characters = text.iter().filter(|&&code| !is_space(code));
        characters.next().map_or(false, |code| SIGNS.contains(code)) && characters.next().is_none()
    }
}
