//! Exports the cutter of sites and the reader of fragments.

use std::os::raw::c_int;

use super::answers::{answered, Answer};
use super::blocks::put_rows;
use super::slices::slice;
use crate::block_rows::{Asking, BlockRows};
use crate::block_texts::{read_fragment, Knowledge};
use crate::blocks::Found;
use crate::cut::{Cutting, Finished, Rules};
use crate::pictures::{PictureSettings, SETTINGS};
use crate::sheet::Sheet;
use crate::tables::Tables;
use crate::tag_words::TagWords;

/// What must be known of tags and words to make articles, held for the caller.
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

    unsafe fn known(&self) -> Knowledge<'_> {
        let (tables, units, words) = (&*self.tables, &*self.units, &*self.words);
        Knowledge {
            tables,
            roles: &self.roles,
            sets: &self.sets,
            most_tags: self.most_tags,
            units,
            words,
            pictures: self.pictures(),
            asking: None,
        }
    }

    /// The same, to tell of blocks whose addresses are relative to those that begin so.
    unsafe fn asking<'a>(&'a self, origin: Option<&'a [u8]>) -> Knowledge<'a> {
        Knowledge { asking: Some(Asking { origin }), ..self.known() }
    }
}

/// Numbers that come before what rules tell of a page.
const TEXT_HEAD: usize = 16;

/// What a fragment says (`crate::cut::Finished`), and why it is not told: 0 if it is, 1 if the fragment has to be read as a
/// page.
fn put_text(text: Option<&Finished>, numbers: &mut Vec<i64>) {
    let nothing = Finished::default();
    let is_left = text.is_none();
    let text = text.unwrap_or(&nothing);
    let (latin, sample) = text.latin;
    let sizes =
        [text.hashes.len(), text.codes.len(), text.letters.len(), text.size, text.linked as usize, latin, sample];
    numbers.push(i64::from(is_left));
    numbers.extend(sizes.iter().map(|&size| size as i64));
}

/// Put the sizes of the rows of blocks, how many addresses, start tags that tell of units and pictures there are, -1 if a
/// page has to be asked for pictures; then the ends of addresses among their texts, four times, with what is left to Python
/// (`AddressState`), of start tags, and what is told of pictures. Texts of inlines, addresses, tags and pictures stand behind
/// others.
fn put_blocks(found: (Found, BlockRows), numbers: &mut Vec<i64>, rows: &mut Vec<i32>, codes: &mut Vec<u32>) {
    let (found, told) = found;
    put_rows(&found, numbers, rows);
    let pictures = match &told.pictures {
        Some(pictures) => pictures.count as i64,
        None => -i64::from(told.has_pictures),
    };
    numbers.extend([told.addresses.len() as i64, told.unit_tags.len() as i64, pictures]);
    codes.extend_from_slice(&found.text);
    let mut size = 0;
    for address in &told.addresses {
        codes.extend_from_slice(&address.codes);
        size += address.codes.len() as i64;
        numbers.push(size << 2 | address.state as i64);
    }
    for tag in &told.unit_tags {
        codes.extend_from_slice(tag);
        size += tag.len() as i64;
        numbers.push(size);
    }
    if let Some(pictures) = &told.pictures {
        codes.extend_from_slice(&pictures.codes);
        numbers.extend(&pictures.numbers);
    }
}

/// All that is told of a fragment: numbers of its text and, if they are told, of its blocks; whether there are any stands
/// between them; the hashes of its blocks and which of them are left out.
fn put_fragment(text: Option<Finished>, numbers: &mut Vec<i64>, rows: &mut Vec<i32>, codes: &mut Vec<u32>) {
    put_text(text.as_ref(), numbers);
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
        put_blocks(blocks, numbers, rows, codes);
    }
}

/// All that rules cut out of a page, and the blocks of its main text, where those are told. Numbers: how many numbers rules
/// tell and how many characters, what they tell (`Rules::cut`), then those of the fragment. Text: what rules tell, then that
/// of the fragment. Addresses are seen from `origin`, if it is not empty.
#[no_mangle]
pub unsafe extern "C" fn tidings_cut(
    rules: *const Rules,
    known: *const ArticleTables,
    data: *const u8,
    size: usize,
    with_blocks: c_int,
    origin: *const u8,
    origin_size: usize,
    out: *mut u64,
) -> c_int {
    let (rules, data, known) = (&*rules, slice(data, size), known.as_ref());
    let origin = if origin_size == 0 { None } else { Some(slice(origin, origin_size)) };
    let known = known.map(|known| if with_blocks == 0 { known.known() } else { known.asking(origin) });
    answered(out, || {
        let Cutting { numbers: told, said: mut codes, text } = rules.cut(data, known);
        let mut numbers = Vec::with_capacity(TEXT_HEAD + told.len());
        let mut rows = Vec::new();
        numbers.extend([told.len() as i64, codes.len() as i64]);
        numbers.extend(told);
        put_fragment(text, &mut numbers, &mut rows, &mut codes);
        Answer::of_text(numbers, rows, &codes)
    })
}

/// What a fragment of a page says under its style sheets, without texts of some hashes, in order, and its blocks: as the main
/// text of a page that rules cut.
#[no_mangle]
pub unsafe extern "C" fn tidings_fragment(
    known: *const ArticleTables,
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
    let (known, sheet, source) = (&*known, &*sheet, slice(source, size));
    let repeated = slice(repeated, repeated_size);
    let origin = if origin_size == 0 { None } else { Some(slice(origin, origin_size)) };
    let known = if with_blocks == 0 { known.known() } else { known.asking(origin) };
    answered(out, || {
        let text = read_fragment(source, sheet, known).ok().map(|said| Finished::new(said, repeated));
        let (mut numbers, mut rows, mut codes) = (Vec::new(), Vec::new(), Vec::new());
        put_fragment(text, &mut numbers, &mut rows, &mut codes);
        Answer::of_text(numbers, rows, &codes)
    })
}
