//! What rules cut out of a page, and what its fragments say.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null_mut;
use std::slice::from_raw_parts;

use crate::block_texts::{fragment_text, BlockTexts, Knowledge};
use crate::columns::narrowed;
use crate::cut::Rules;
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
    let (numbers, texts) = (from_raw_parts(numbers, numbers_size), from_raw_parts(texts, texts_size));
    let read = catch_unwind(|| Rules::read(numbers, texts));
    read.ok().flatten().map_or(null_mut(), |rules| Box::into_raw(Box::new(rules)))
}

/// Free the rules of a template.
#[no_mangle]
pub unsafe extern "C" fn tidings_rules_free(rules: *mut Rules) {
    drop(Box::from_raw(rules));
}

/// What must be known to read fragments: tables of tags, `roles` and `sets` of `tags` tags, words of units. They are copied,
/// but for tables and words.
#[no_mangle]
pub unsafe extern "C" fn tidings_fragments(
    tables: *const Tables,
    roles: *const u8,
    sets: *const u16,
    tags: usize,
    most_tags: usize,
    units: *const TagWords,
) -> *mut Fragments {
    let (roles, sets) = (from_raw_parts(roles, tags).to_vec(), from_raw_parts(sets, tags).to_vec());
    Box::into_raw(Box::new(Fragments { tables, roles, sets, most_tags, units }))
}

/// What must be known to read fragments, held for the caller.
pub struct Fragments {
    tables: *const Tables,
    roles: Vec<u8>,
    sets: Vec<u16>,
    most_tags: usize,
    units: *const TagWords,
}

impl Fragments {
    unsafe fn known(&self) -> Knowledge<'_> {
        let (tables, units) = (&*self.tables, &*self.units);
        Knowledge { tables, roles: &self.roles, sets: &self.sets, most_tags: self.most_tags, units }
    }
}

/// Numbers that stand before the rows of the blocks of a fragment.
const TEXT_HEAD: usize = 5;
/// And about as many as rules tell of a page.
const TEXT_ROOM: usize = 64;

/// What the blocks of a fragment say, as numbers: how many blocks there are, or -1 if it is left to Python; the size of
/// the text with what is said behind it, bytes a character, characters in links, whether some may run leftwards; then the
/// rows, and the hashes of the blocks. And the text.
fn told_text(text: Option<BlockTexts>, said: &[u32]) -> (Vec<i64>, Vec<u8>) {
    let (blocks, mut text) = text.map_or((-1, BlockTexts::default()), |text| (text.rows.len() as i64, text));
    let leftwards = text.has_leftwards().into();
    let hashes: Vec<u64> = text.hashes().collect();
    text.codes.extend_from_slice(said);
    let (narrow, width) = narrowed(&text.codes);
    let mut numbers = Vec::with_capacity(TEXT_HEAD + 5 * text.rows.len() + TEXT_ROOM);
    numbers.extend([blocks, text.codes.len() as i64, width.into(), text.linked, leftwards]);
    numbers.extend(text.rows.iter().flatten());
    numbers.extend(hashes.into_iter().map(|hash| hash as i64));
    (numbers, narrow)
}

/// Put numbers and a text where a caller wants them. Returns how many numbers there are; if there is no room, -2, and
/// the first two numbers are those of numbers and bytes that there must be room for.
unsafe fn handed_over(
    numbers: &[i64],
    said: &[u8],
    out: *mut i64,
    room: usize,
    text: *mut u8,
    text_room: usize,
) -> i64 {
    if numbers.len() > room || said.len() > text_room {
        *out = numbers.len() as i64;
        *out.add(1) = said.len() as i64;
        return -2;
    }
    std::ptr::copy_nonoverlapping(numbers.as_ptr(), out, numbers.len());
    std::ptr::copy_nonoverlapping(said.as_ptr(), text, said.len());
    numbers.len() as i64
}

/// What the main text of a page says (`told_text`) if `fragments` is not null, and behind it all that rules cut out of the
/// page (`Rules::cut`). Returns how many numbers that is, -1 if the core gave up, -2 if there is no room (`handed_over`).
#[no_mangle]
pub unsafe extern "C" fn tidings_cut(
    rules: *const Rules,
    fragments: *const Fragments,
    data: *const u8,
    size: usize,
    out: *mut i64,
    room: usize,
    text: *mut u8,
    text_room: usize,
) -> i64 {
    let (rules, data, fragments) = (&*rules, from_raw_parts(data, size), fragments.as_ref());
    let found = catch_unwind(AssertUnwindSafe(|| {
        let found = rules.cut(data, fragments.map(|one| one.known()));
        let (mut numbers, narrow) = told_text(found.text, &found.said);
        numbers.extend(found.numbers);
        (numbers, narrow)
    }));
    match found {
        Ok((numbers, said)) => handed_over(&numbers, &said, out, room, text, text_room),
        Err(_) => -1,
    }
}

/// What the blocks of a fragment of a page say under its style sheets, in numbers (`told_text`), as above.
#[no_mangle]
pub unsafe extern "C" fn tidings_fragment_text(
    fragments: *const Fragments,
    sheet: *const Sheet,
    source: *const u8,
    size: usize,
    out: *mut i64,
    room: usize,
    text: *mut u8,
    text_room: usize,
) -> i64 {
    let (fragments, sheet, source) = (&*fragments, &*sheet, from_raw_parts(source, size));
    let found = catch_unwind(AssertUnwindSafe(|| told_text(fragment_text(source, sheet, fragments.known()), &[])));
    match found {
        Ok((numbers, said)) => handed_over(&numbers, &said, out, room, text, text_room),
        Err(_) => -1,
    }
}
