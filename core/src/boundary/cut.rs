//! Exports the cutter of sites and the reader of fragments.

use std::os::raw::c_int;

use super::answers::{answered, Answer};
use super::blocks::push_rows;
use super::slices::slice;
use crate::block_rows::{BlockOptions, BlockRows};
use crate::block_texts::{read_fragment, FragmentTables};
use crate::blocks::BuiltBlocks;
use crate::cut::{Cutting, Finished, Rules};
use crate::pictures::{PictureSettings, SETTINGS};
use crate::sheet::Sheet;
use crate::tables::Tables;
use crate::tag_words::TagWords;

/// Tables of tags and words for building articles.
pub struct ArticleTables {
    pub tables: *const Tables,
    pub roles: Vec<u8>,
    pub sets: Vec<u16>,
    pub most_tags: usize,
    pub units: *const TagWords,
    pub words: *const TagWords,
    pub galleries: *const TagWords,
    pub picture_settings: [i64; SETTINGS],
    pub credits: Vec<u8>,
}

impl ArticleTables {
    pub fn tables(&self) -> &Tables {
        unsafe { &*self.tables }
    }

    pub fn roles(&self) -> &[u8] {
        &self.roles
    }

    /// The sets that each tag is in (`crate::block_texts`).
    pub fn sets(&self) -> &[u16] {
        &self.sets
    }

    pub fn pictures(&self) -> PictureSettings<'_> {
        PictureSettings::new(self.picture_settings, &self.credits, unsafe { &*self.galleries })
    }

    unsafe fn fragment_tables(&self) -> FragmentTables<'_> {
        let (tables, units, words) = (&*self.tables, &*self.units, &*self.words);
        FragmentTables {
            tables,
            roles: &self.roles,
            sets: &self.sets,
            most_tags: self.most_tags,
            units,
            words,
            pictures: self.pictures(),
            block_options: None,
        }
    }

    /// The same with blocks, whose URLs are relative to an origin.
    unsafe fn with_blocks<'a>(&'a self, origin: Option<&'a [u8]>) -> FragmentTables<'a> {
        FragmentTables { block_options: Some(BlockOptions { origin }), ..self.fragment_tables() }
    }
}

/// Additional numbers in the result of `tidings_cut`.
const TEXT_HEAD: usize = 16;

/// Append whether a fragment has to be read as a page, and the numbers of its text.
fn push_text_numbers(text: Option<&Finished>, numbers: &mut Vec<i64>) {
    let nothing = Finished::default();
    let is_left = text.is_none();
    let text = text.unwrap_or(&nothing);
    let (latin, sample) = text.latin;
    let sizes =
        [text.hashes.len(), text.codes.len(), text.letters.len(), text.size, text.linked as usize, latin, sample];
    numbers.push(i64::from(is_left));
    numbers.extend(sizes.iter().map(|&size| size as i64));
}

/// Append the sizes of the rows of blocks and the numbers of URLs, of start tags of possible units and of pictures (-1 if
/// these need a page); then the ends of URLs, times four, with their state (`AddressState`), the ends of start tags, and
/// the numbers of pictures. The texts of inlines, URLs, start tags and pictures are appended to `codes`.
fn push_blocks(
    (built, details): (BuiltBlocks, BlockRows),
    numbers: &mut Vec<i64>,
    rows: &mut Vec<i32>,
    codes: &mut Vec<u32>,
) {
    push_rows(&built, numbers, rows);
    let pictures = match &details.pictures {
        Some(pictures) => pictures.count as i64,
        None => -i64::from(details.has_pictures),
    };
    numbers.extend([details.addresses.len() as i64, details.unit_tags.len() as i64, pictures]);
    codes.extend_from_slice(&built.text);
    let mut size = 0;
    for address in &details.addresses {
        codes.extend_from_slice(&address.codes);
        size += address.codes.len() as i64;
        numbers.push(size << 2 | address.state as i64);
    }
    for tag in &details.unit_tags {
        codes.extend_from_slice(tag);
        size += tag.len() as i64;
        numbers.push(size);
    }
    if let Some(pictures) = &details.pictures {
        codes.extend_from_slice(&pictures.codes);
        numbers.extend(&pictures.numbers);
    }
}

/// Append the numbers of a fragment: of its text, whether there are blocks, the hashes of all blocks, which of them are left
/// out, and those of the blocks.
fn push_fragment(text: Option<Finished>, numbers: &mut Vec<i64>, rows: &mut Vec<i32>, codes: &mut Vec<u32>) {
    push_text_numbers(text.as_ref(), numbers);
    let text = match text {
        Some(text) => text,
        None => return numbers.push(0),
    };
    codes.extend(&text.codes);
    codes.extend(&text.letters);
    numbers.push(i64::from(text.blocks.is_some()));
    numbers.extend(text.hashes.iter().map(|&hash| hash as i64));
    numbers.extend(text.out.iter().map(|&is_out| i64::from(is_out)));
    if let Some(blocks) = text.blocks {
        push_blocks(blocks, numbers, rows, codes);
    }
}

/// Apply rules to a page. Numbers: the number of numbers and of characters in the result of the rules, these numbers
/// (`Cutting`), then those of the main text as a fragment. Text: that of the rules, then that of the fragment. URLs are
/// relative to `origin`, if it is not empty.
#[no_mangle]
pub unsafe extern "C" fn tidings_cut(
    rules: *const Rules,
    article_tables: *const ArticleTables,
    data: *const u8,
    size: usize,
    with_blocks: c_int,
    origin: *const u8,
    origin_size: usize,
    out: *mut u64,
) -> c_int {
    let (rules, data, article_tables) = (&*rules, slice(data, size), article_tables.as_ref());
    let origin = if origin_size == 0 { None } else { Some(slice(origin, origin_size)) };
    let article_tables = article_tables.map(|article_tables| {
        if with_blocks == 0 {
            article_tables.fragment_tables()
        } else {
            article_tables.with_blocks(origin)
        }
    });
    answered(out, || {
        let Cutting { numbers: page_numbers, mut codes, text } = rules.cut(data, article_tables);
        let mut numbers = Vec::with_capacity(TEXT_HEAD + page_numbers.len());
        let mut rows = Vec::new();
        numbers.extend([page_numbers.len() as i64, codes.len() as i64]);
        numbers.extend(page_numbers);
        push_fragment(text, &mut numbers, &mut rows, &mut codes);
        Answer::of_text(numbers, rows, &codes)
    })
}

/// Read a fragment with the style sheets of its page, without the texts of some sorted hashes, like the main text in
/// `tidings_cut`.
#[no_mangle]
pub unsafe extern "C" fn tidings_fragment(
    article_tables: *const ArticleTables,
    sheet: *const Sheet,
    source: *const u8,
    size: usize,
    repeated: *const u64,
    repeated_size: usize,
    with_blocks: c_int,
    origin: *const u8,
    origin_size: usize,
    out: *mut u64,
) -> c_int {
    let (article_tables, sheet, source) = (&*article_tables, &*sheet, slice(source, size));
    let repeated = slice(repeated, repeated_size);
    let origin = if origin_size == 0 { None } else { Some(slice(origin, origin_size)) };
    let article_tables =
        if with_blocks == 0 { article_tables.fragment_tables() } else { article_tables.with_blocks(origin) };
    answered(out, || {
        let text = read_fragment(source, sheet, article_tables).ok().map(|fragment| Finished::new(fragment, repeated));
        let (mut numbers, mut rows, mut codes) = (Vec::new(), Vec::new(), Vec::new());
        push_fragment(text, &mut numbers, &mut rows, &mut codes);
        Answer::of_text(numbers, rows, &codes)
    })
}
