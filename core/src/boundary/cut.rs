//! What rules cut out of a page, and what its fragments say.

use std::ffi::c_void;
use std::os::raw::c_int;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null_mut;

use super::slices::{copy_to, slice, slice_mut};
use crate::block_rows::{Asking, BlockRows};
use crate::block_texts::{fragment_text, Knowledge};
use crate::columns::written;
use crate::cut::Rules;
use crate::fragment_pictures::{PictureKnowledge, ASKED};
use crate::index::TagWords;
use crate::sheet::Sheet;
use crate::tables::Tables;

/// The rules of a template: numbers, and the texts they tell the lengths of. Null if they are not whole.
#[no_mangle]
pub unsafe extern "C" fn tidings_rules(
    numbers: *const i64,
    numbers_size: usize,
    texts: *const u8,
    texts_size: usize,
) -> *mut Rules {
    let (numbers, texts) = (slice(numbers, numbers_size), slice(texts, texts_size));
    let read = catch_unwind(|| Rules::read(numbers, texts));
    read.ok().flatten().map_or(null_mut(), |rules| Box::into_raw(Box::new(rules)))
}

/// What must be known to read fragments: tables of tags, `roles` and `sets` of `tags` tags, words of units, words that tell
/// whether Python makes the blocks, words of galleries; of pictures numbers (`PictureKnowledge`), and names and words of
/// `said_size` bytes, two texts with a byte of zero between them. They are copied, but for tables and words.
#[no_mangle]
pub unsafe extern "C" fn tidings_fragments(
    tables: *const Tables,
    roles: *const u8,
    sets: *const u16,
    tags: usize,
    most_tags: usize,
    units: *const TagWords,
    words: *const TagWords,
    galleries: *const TagWords,
    numbers: *const [i64; ASKED],
    said: *const u8,
    said_size: usize,
) -> *mut Fragments {
    let (roles, sets) = (slice(roles, tags).to_vec(), slice(sets, tags).to_vec());
    let (numbers, said) = (*numbers, slice(said, said_size).to_vec());
    Box::into_raw(Box::new(Fragments { tables, roles, sets, most_tags, units, words, galleries, numbers, said }))
}

/// What must be known to read fragments, held for the caller.
pub struct Fragments {
    tables: *const Tables,
    roles: Vec<u8>,
    sets: Vec<u16>,
    most_tags: usize,
    units: *const TagWords,
    words: *const TagWords,
    galleries: *const TagWords,
    numbers: [i64; ASKED],
    said: Vec<u8>,
}

impl Fragments {
    unsafe fn known(&self) -> Knowledge<'_> {
        let (tables, units, words) = (&*self.tables, &*self.units, &*self.words);
        let (names, credits) = self.said.split_at(self.said.iter().position(|&byte| byte == 0).unwrap_or(0));
        let credits = credits.get(1..).unwrap_or_default();
        Knowledge {
            tables,
            roles: &self.roles,
            sets: &self.sets,
            most_tags: self.most_tags,
            units,
            words,
            pictures: PictureKnowledge::new(self.numbers, names, credits, &*self.galleries),
            asking: None,
        }
    }

    /// The same, to tell of blocks whose addresses are relative to those that begin so.
    unsafe fn asking<'a>(&'a self, origin: Option<&'a [u8]>) -> Knowledge<'a> {
        Knowledge { asking: Some(Asking { origin }), ..self.known() }
    }
}

/// Where a caller wants numbers and characters to be put, and how much room there is. The characters go where those of one,
/// two or four bytes do.
#[repr(C)]
pub struct Room {
    numbers: *mut i64,
    most_numbers: usize,
    texts: [*mut c_void; 3],
    most_characters: usize,
}

impl Room {
    /// Put numbers behind the bytes that each character has and how many there are, and the characters in as few bytes as
    /// they need. Returns how many numbers there are; if there is no room, -2, and the first two are those of numbers and
    /// characters that there must be room for.
    unsafe fn put(&self, numbers: &[i64], codes: &[u32]) -> i64 {
        let count = numbers.len() + HEAD;
        if count > self.most_numbers || codes.len() > self.most_characters {
            *self.numbers = count as i64;
            *self.numbers.add(1) = codes.len() as i64;
            return -2;
        }
        let most = codes.iter().fold(0, |most, code| most | code);
        let size = codes.len();
        *self.numbers.add(1) = size as i64;
        *self.numbers = match most {
            0..=0xFF => {
                written(codes, slice_mut(self.texts[0].cast::<u8>(), size));
                1
            }
            0x100..=0xFFFF => {
                written(codes, slice_mut(self.texts[1].cast::<u16>(), size));
                2
            }
            _ => {
                written(codes, slice_mut(self.texts[2].cast::<u32>(), size));
                4
            }
        };
        copy_to(numbers, self.numbers.add(HEAD));
        count as i64
    }
}

/// Numbers that a room puts before those of a caller.
const HEAD: usize = 2;
/// Numbers that stand before those of the rules, and about as many as rules tell of a page.
const TEXT_HEAD: usize = 8;
const TEXT_ROOM: usize = 64;

/// Put behind numbers how many blocks, inlines, addresses, cells, start tags that tell of units and pictures there are, of
/// pictures -1 if a page has to be asked, then rows of them:
/// of a block also whether it is left out. Texts of inlines, addresses and tags stand behind others, and their ends are told,
/// of addresses four times, with what is left to Python (`AddressState`).
fn put_blocks(rows: &BlockRows, out: &[bool], said: &[u32], numbers: &mut Vec<i64>, codes: &mut Vec<u32>) {
    let sizes = [rows.blocks.len(), rows.inlines.len(), rows.addresses.len(), rows.cells.len(), rows.telling.len()];
    numbers.extend(sizes.iter().map(|&size| size as i64));
    let pictures = match &rows.pictures {
        Some(pictures) => pictures.count as i64,
        None => -i64::from(rows.has_pictures),
    };
    numbers.extend([pictures, codes.len() as i64]);
    for (row, &is_out) in rows.blocks.iter().zip(out) {
        numbers.extend(row);
        numbers.push(i64::from(is_out));
    }
    let begin = codes.len() as i64;
    for &[end, address, bits] in &rows.inlines {
        numbers.extend([begin + end, address, bits]);
    }
    codes.extend_from_slice(rows.said.as_deref().unwrap_or(said));
    for address in &rows.addresses {
        codes.extend_from_slice(&address.codes);
        numbers.push((codes.len() as i64) << 2 | address.state as i64);
    }
    numbers.extend(&rows.cells);
    for tag in &rows.telling {
        codes.extend_from_slice(tag);
        numbers.push(codes.len() as i64);
    }
    if let Some(pictures) = &rows.pictures {
        codes.extend_from_slice(&pictures.codes);
        numbers.push(pictures.codes.len() as i64);
        numbers.extend(&pictures.numbers);
    }
}

/// The finished main text of a page, if `fragments` is not null, and all that rules cut out of the page.
///
/// As numbers: how many blocks there are, or -1 if they are left to Python; where the text ends, the characters of the page
/// in it, those in links, how many of the first are ASCII, and of how many; where the letters end that tell which way it
/// runs, behind the text; where among the numbers the rows of the blocks begin, 0 if there are none. Then what rules tell
/// (`Rules::cut`), whose texts stand behind, the rows, if they are asked for and not left to Python, and the hashes of the
/// blocks. Addresses are seen from `origin`, if it is not empty.
///
/// Returns how many numbers that is, -1 if the core gave up, -2 if there is no room (`Room::put`).
#[no_mangle]
pub unsafe extern "C" fn tidings_cut(
    rules: *const Rules,
    fragments: *const Fragments,
    data: *const u8,
    size: usize,
    room: *const Room,
    with_blocks: c_int,
    origin: *const u8,
    origin_size: usize,
) -> i64 {
    let (rules, data, fragments) = (&*rules, slice(data, size), fragments.as_ref());
    let origin = if origin_size == 0 { None } else { Some(slice(origin, origin_size)) };
    let found = catch_unwind(AssertUnwindSafe(|| {
        let known = fragments.map(|one| if with_blocks == 0 { one.known() } else { one.asking(origin) });
        let found = rules.cut(data, known);
        let blocks = found.text.as_ref().map_or(-1, |text| text.hashes.len() as i64);
        let text = found.text.unwrap_or_default();
        let mut codes = text.codes;
        let of_blocks = text.blocks.as_ref().map_or(0, |(_, said)| said.len());
        codes.reserve(text.letters.len() + found.said.len() + 2 * of_blocks);
        let mut numbers = Vec::with_capacity(TEXT_HEAD + TEXT_ROOM + text.hashes.len());
        let (latin, sample) = text.latin;
        numbers.extend([blocks, codes.len() as i64, text.size as i64, text.linked, latin as i64, sample as i64]);
        codes.extend_from_slice(&text.letters);
        numbers.push(codes.len() as i64);
        codes.extend_from_slice(&found.said);
        let rows_at = numbers.len();
        numbers.push(0);
        numbers.extend(found.numbers);
        if let Some((blocks, said)) = text.blocks {
            numbers[rows_at] = (HEAD + numbers.len()) as i64;
            put_blocks(&blocks, &text.out, &said, &mut numbers, &mut codes);
        }
        numbers.extend(text.hashes.into_iter().map(|hash| hash as i64));
        (numbers, codes)
    }));
    found.map_or(-1, |(numbers, codes)| (*room).put(&numbers, &codes))
}

/// What the blocks of a fragment of a page say under its style sheets: how many there are, or -1 if they are left to
/// Python, and rows of them (`BlockTexts`); in links are so many characters. Returns as above.
#[no_mangle]
pub unsafe extern "C" fn tidings_fragment_text(
    fragments: *const Fragments,
    sheet: *const Sheet,
    source: *const u8,
    size: usize,
    room: *const Room,
) -> i64 {
    let (fragments, sheet, source) = (&*fragments, &*sheet, slice(source, size));
    let found = catch_unwind(AssertUnwindSafe(|| {
        // Tables say what they do as part of an article.
        let text = fragment_text(source, sheet, fragments.known()).ok().filter(|text| text.between_cells.is_empty());
        let blocks = text.as_ref().map_or(-1, |text| text.rows.len() as i64);
        let text = text.unwrap_or_default();
        let mut numbers = vec![blocks, text.linked];
        numbers.extend(text.rows.iter().flatten());
        (numbers, text.codes)
    }));
    found.map_or(-1, |(numbers, codes)| (*room).put(&numbers, &codes))
}
