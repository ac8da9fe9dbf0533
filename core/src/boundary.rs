//! The boundary: plain C calls. The only file with `unsafe` in it.
//!
//! A caller makes `Tables` once, scans pages with it, and frees each page's columns when nobody looks at them any more.
//! A panic does not cross: it is a refusal, and the caller takes its own way.
#![allow(unsafe_code)]
#![allow(clippy::missing_safety_doc)] // one contract for all: pointers are those handed out here, or readable as said

use std::borrow::Cow;
use std::collections::HashMap;
use std::os::raw::{c_int, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut};
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::sync::Arc;

use crate::block_texts::{fragment_text, BlockTexts, Knowledge};
use crate::blocks::{blocks, Choice, BLOCK_NUMBERS, INLINE_NUMBERS, PIECE_NUMBERS};
use crate::columns::{narrowed, scan, written, Columns, Manner, COLUMNS};
use crate::cut::Rules;
use crate::index::{holding, TagWords};
use crate::lines::{counts, lines, Lines};
use crate::look::{weights, Expert, LookTables, Seen, Trees, FIRST, SECOND};
use crate::needles::{places_of, Word};
use crate::page_links::PageLinks;
use crate::pictures::{pictures, PictureTags, NUMBERS};
use crate::sheet::Sheet;
use crate::start_tag::ways_of;
use crate::stop_words::{sample, StopWords};
use crate::story::Declared;
use crate::tables::Tables;
use crate::tokens::Odd;
use crate::units::{fill, held, widened, with_line_feeds, Unit, Wide};
use crate::words::{each_word, known, places, Numbered};

/// The version of this interface; a caller that knows another one does without.
pub const INTERFACE: c_int = 24;
const PANICKED: c_int = -1;
/// Numbers that a scan tells before the beginnings of the columns.
const HEAD: usize = 12;

#[no_mangle]
pub extern "C" fn tidings_interface() -> c_int {
    INTERFACE
}

/// Tables from the caller's own: tag names a line each, what their starts do, their sets, what stops their end tags;
/// character references a line each (name, tab, numbers with spaces between); classes and lower cases of the characters.
#[no_mangle]
pub unsafe extern "C" fn tidings_tables(
    names: *const u8,
    names_size: usize,
    starts: *const u8,
    flags: *const u32,
    end_stops: *const u32,
    references: *const u8,
    references_size: usize,
    classes: *const u8,
    lower: *const u16,
    max_depth: usize,
) -> *mut Tables {
    let (names, references) = (from_raw_parts(names, names_size), from_raw_parts(references, references_size));
    let names: Vec<Vec<u8>> = names.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let count = names.len();
    let mut entities = HashMap::new();
    for line in references.split(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        if let Some((name, codes)) = text.split_once('\t') {
            let codes = codes.split(' ').filter_map(|code| code.parse().ok()).collect();
            entities.insert(name.as_bytes().to_vec(), codes);
        }
    }
    let made = Tables::new(
        names,
        from_raw_parts(starts, count).to_vec(),
        from_raw_parts(flags, count).to_vec(),
        from_raw_parts(end_stops, count).to_vec(),
        entities,
        from_raw_parts(classes, 0x1_0000).to_vec(),
        from_raw_parts(lower, 0x1_0000).to_vec(),
        max_depth,
    );
    made.map_or(null_mut(), |tables| Box::into_raw(Box::new(tables)))
}

/// What bytes hold: fills `out` with the bytes that each character needs if they are UTF-8 (else 0), how many characters
/// there are, and bits of the signs among them (`crate::units::held`).
#[no_mangle]
pub unsafe extern "C" fn tidings_held(data: *const u8, size: usize, out: *mut u64) {
    let held = held(from_raw_parts(data, size));
    let told = [u64::from(held.width), held.size as u64, u64::from(held.signs)];
    std::ptr::copy_nonoverlapping(told.as_ptr(), out, told.len());
}

/// Write the characters of UTF-8 to a place that has room for `count` of `width` bytes. Returns 0, or -1 if there are not
/// as many.
#[no_mangle]
pub unsafe extern "C" fn tidings_fill(
    data: *const u8,
    size: usize,
    width: c_int,
    out: *mut c_void,
    count: usize,
) -> c_int {
    let data = from_raw_parts(data, size);
    let filled = match width {
        1 => fill(data, from_raw_parts_mut(out.cast::<u8>(), count)),
        2 => fill(data, from_raw_parts_mut(out.cast::<u16>(), count)),
        _ => fill(data, from_raw_parts_mut(out.cast::<u32>(), count)),
    };
    filled.map_or(PANICKED, |()| 0)
}

/// Write the text of a page to a place that has room for it in `width` bytes a character.
#[no_mangle]
pub unsafe extern "C" fn tidings_text(columns: *const Columns, width: c_int, out: *mut c_void) {
    let text = &(*columns).text;
    match width {
        1 => written(text, from_raw_parts_mut(out.cast::<u8>(), text.len())),
        2 => written(text, from_raw_parts_mut(out.cast::<u16>(), text.len())),
        _ => written(text, from_raw_parts_mut(out.cast::<u32>(), text.len())),
    }
}

/// Scan `size` characters of `width` bytes each, or `size` bytes of UTF-8 (`width` 0). Returns 0 and fills `out`, or says why not.
///
/// `out`: a handle to free; addresses of numbers, flags, codes of the text, tag names; how many characters the text has,
/// all of their bits, bytes of the names; runs; the style sheets; whether each piece and each run is unseen, 0 where the
/// caller has to look; the beginnings of the columns, and the end of the last.
/// `around`: the style sheets of the page that this is a fragment of, or null.
/// `is_held`: whether the characters stay where they are until the page is freed. They are not copied then.
#[no_mangle]
pub unsafe extern "C" fn tidings_scan(
    tables: *const Tables,
    source: *const c_void,
    size: usize,
    width: c_int,
    is_held: c_int,
    is_blunt: c_int,
    most_tags: usize,
    around: *const Sheet,
    out: *mut u64,
) -> c_int {
    let tables = &*tables;
    let around = around.as_ref();
    let is_blunt = is_blunt != 0;
    if size >= i32::MAX as usize {
        return PANICKED;
    }
    let found = catch_unwind(|| {
        let wide = match width {
            0 => widened(from_raw_parts(source.cast::<u8>(), size)).ok_or(Odd::Bytes)?,
            1 => Wide::One(characters(source.cast::<u8>(), size, is_held)),
            2 => Wide::Two(characters(source.cast::<u16>(), size, is_held)),
            _ => Wide::Four(characters(source.cast::<u32>(), size, is_held)),
        };
        let manner = Manner { is_blunt, most_tags, around, is_brief: false };
        let mut columns = match &wide {
            Wide::One(units) => scan(units, tables, manner)?,
            Wide::Two(units) => scan(units, tables, manner)?,
            Wide::Four(units) => scan(units, tables, manner)?,
        };
        columns.source = wide;
        Ok::<Columns, Odd>(columns)
    });
    match found {
        Ok(Ok(columns)) => {
            let columns = Box::into_raw(Box::new(columns));
            let page = &*columns;
            let mut told = vec![
                columns as u64,
                page.numbers.as_ptr() as u64,
                page.flags.as_ptr() as u64,
                page.text.as_ptr() as u64,
                page.names.as_ptr() as u64,
                page.text.len() as u64,
                u64::from(page.text.iter().fold(0, |all, code| all | code)),
                page.names.len() as u64,
                page.flags.len() as u64,
                Arc::as_ptr(&page.sheet) as u64,
                page.unseen.as_ref().map_or(0, |(pieces, _)| pieces.as_ptr() as u64),
                page.unseen.as_ref().map_or(0, |(_, runs)| runs.as_ptr() as u64),
            ];
            told.extend(page.borders.iter().map(|&border| border as u64));
            debug_assert_eq!(told.len(), HEAD + COLUMNS + 1);
            std::ptr::copy_nonoverlapping(told.as_ptr(), out, told.len());
            0
        }
        Ok(Err(odd)) => odd as c_int,
        Err(_) => PANICKED,
    }
}

/// Characters of the caller, or a copy of them.
unsafe fn characters<U: Unit>(source: *const U, size: usize, is_held: c_int) -> Cow<'static, [U]> {
    let held: &'static [U] = from_raw_parts(source, size);
    if is_held != 0 {
        held.into()
    } else {
        held.to_vec().into()
    }
}

/// Free the columns of a page.
#[no_mangle]
pub unsafe extern "C" fn tidings_free(columns: *mut Columns) {
    drop(Box::from_raw(columns));
}

/// Words to be looked for in start tags, a line each; null if they cannot be.
#[no_mangle]
pub unsafe extern "C" fn tidings_tag_words(words: *const u8, size: usize) -> *mut TagWords {
    let lines: Vec<&[u8]> = from_raw_parts(words, size).split(|&byte| byte == b'\n').collect();
    TagWords::new(&lines).map_or(null_mut(), |words| Box::into_raw(Box::new(words)))
}

/// Free words.
#[no_mangle]
pub unsafe extern "C" fn tidings_tag_words_free(words: *mut TagWords) {
    drop(Box::from_raw(words));
}

/// For each element of a page the words in its start tag, a bit each: `out` has room for all elements. Only of elements
/// of one tag, if `tag` is one. The same for other words, unless they are null, in the `others_out`. Returns 0, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_holding(
    columns: *const Columns,
    tables: *const Tables,
    words: *const TagWords,
    others: *const TagWords,
    tag: i64,
    out: *mut u64,
    others_out: *mut u64,
) -> c_int {
    let (page, tables) = (&*columns, &*tables);
    let sets: Vec<&TagWords> = [words, others].iter().filter_map(|one| one.as_ref()).collect();
    let held = catch_unwind(AssertUnwindSafe(|| match &page.source {
        Wide::One(units) => holding(units, page, tables, &sets, tag),
        Wide::Two(units) => holding(units, page, tables, &sets, tag),
        Wide::Four(units) => holding(units, page, tables, &sets, tag),
    }));
    match held {
        Ok([held, others]) => {
            std::ptr::copy_nonoverlapping(held.as_ptr(), out, held.len());
            if !others.is_empty() {
                std::ptr::copy_nonoverlapping(others.as_ptr(), others_out, others.len());
            }
            0
        }
        Err(_) => PANICKED,
    }
}

/// For each element itself or the nearest of the chosen ones around it: `chosen` and `out` are as many as elements.
#[no_mangle]
pub unsafe extern "C" fn tidings_nearest(columns: *const Columns, chosen: *const u8, out: *mut i64) -> c_int {
    let page = &*columns;
    let elements = page.tag().len();
    let (chosen, out) = (from_raw_parts(chosen, elements), from_raw_parts_mut(out, elements));
    catch_unwind(AssertUnwindSafe(|| page.nearest(chosen, out))).map_or(PANICKED, |()| 0)
}

/// Where words (a line each) stand in the source, of each at most so many: `out` has room for them. Returns how many, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_places(
    columns: *const Columns,
    words: *const u8,
    size: usize,
    most: usize,
    out: *mut i64,
) -> i64 {
    let (page, words) = (&*columns, from_raw_parts(words, size));
    let found = catch_unwind(AssertUnwindSafe(|| {
        let words: Vec<&[u8]> = words.split(|&byte| byte == b'\n').collect();
        match &page.source {
            Wide::One(units) => places_of(units, &words, most),
            Wide::Two(units) => places_of(units, &words, most),
            Wide::Four(units) => places_of(units, &words, most),
        }
    }));
    found.map_or(-1, |places| places.map_or(-1, |places| hand_over(Ok(places), out)))
}

/// The links that may lead to another page of a story (`crate::page_links`): the name a line, none if it is empty, words
/// a line each, and behind an empty line those of the whole; `others` are sorted. `out` has room for all elements. Returns
/// how many links there are, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_page_links(
    columns: *const Columns,
    tag: i64,
    lines: *const u8,
    size: usize,
    others: *const i64,
    count: usize,
    out: *mut i64,
) -> i64 {
    let (page, lines, others) = (&*columns, from_raw_parts(lines, size), from_raw_parts(others, count));
    let found = catch_unwind(AssertUnwindSafe(|| {
        let mut lines = lines.split(|&byte| byte == b'\n').map(Word::new);
        let name = lines.next().filter(|name| !name.is_empty());
        let words = lines.by_ref().take_while(|word| !word.is_empty()).collect();
        let links = PageLinks { tag, name, words, whole: lines.collect() };
        match &page.source {
            Wide::One(units) => links.find(units, page, others),
            Wide::Two(units) => links.find(units, page, others),
            Wide::Four(units) => links.find(units, page, others),
        }
    }));
    hand_over(found, out)
}

/// The pictures of a page beside chosen text: `hidden` and `chosen` by run, `tags` the numbers of five. `out` has room for
/// six numbers an element. Returns how many pictures there are, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_pictures(
    columns: *const Columns,
    hidden: *const u8,
    chosen: *const u8,
    tags: *const i64,
    out: *mut i64,
) -> i64 {
    let (page, tags) = (&*columns, from_raw_parts(tags, 5));
    let (hidden, chosen) = (from_raw_parts(hidden, page.runs()), from_raw_parts(chosen, page.runs()));
    let found = catch_unwind(AssertUnwindSafe(|| {
        let tags = PictureTags { image: tags[0], figure: tags[1], caption: tags[2], html: tags[3], body: tags[4] };
        pictures(page, hidden, chosen, &tags).concat()
    }));
    let count = hand_over(found, out);
    if count < 0 {
        count
    } else {
        count / NUMBERS as i64
    }
}

/// Hand over numbers, for which there is room. Returns how many there are, or -1 after a panic.
unsafe fn hand_over(found: std::thread::Result<Vec<i64>>, out: *mut i64) -> i64 {
    match found {
        Ok(numbers) => {
            std::ptr::copy_nonoverlapping(numbers.as_ptr(), out, numbers.len());
            numbers.len() as i64
        }
        Err(_) => -1,
    }
}

/// Bytes with all line ends as line feeds: `out` has room for as many. Returns how many are left.
#[no_mangle]
pub unsafe extern "C" fn tidings_line_feeds(data: *const u8, size: usize, out: *mut u8) -> usize {
    with_line_feeds(from_raw_parts(data, size), |part, at| {
        std::ptr::copy_nonoverlapping(part.as_ptr(), out.add(at), part.len());
    })
}

/// The words of a text of `size` code points as numbers: `out` has room for as many. Returns how many there are, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_hashed_words(
    tables: *const Tables,
    codes: *const u32,
    size: usize,
    out: *mut u64,
) -> i64 {
    let (tables, codes, out) = (&*tables, from_raw_parts(codes, size), from_raw_parts_mut(out, size));
    let mut count = 0;
    each_word(codes.iter().copied(), tables, |_, number| {
        out[count] = number;
        count += 1;
    });
    count as i64
}

/// Stop words a line each, each with the number of the languages that have it; the borders of those languages, and each
/// with what such a word says for it; which of the first characters part words. Null if they do not fit together.
#[no_mangle]
pub unsafe extern "C" fn tidings_stop_words(
    words: *const u16,
    size: usize,
    those: *const i64,
    borders: *const i64,
    count: usize,
    languages: *const i64,
    weights: *const f64,
    parts: *const u8,
    parts_size: usize,
) -> *mut StopWords {
    let lines = from_raw_parts(words, size).split(|&unit| unit == 10);
    let words: Vec<(Vec<u16>, usize)> =
        lines.enumerate().map(|(place, word)| (word.to_vec(), *those.add(place) as usize)).collect();
    let borders = from_raw_parts(borders, count + 1);
    let one = |place: i64| (*languages.add(place as usize) as usize, *weights.add(place as usize));
    let languages = borders.windows(2).map(|range| (range[0]..range[1]).map(one).collect()).collect();
    let made = StopWords::new(words, languages, from_raw_parts(parts, parts_size).to_vec());
    made.map_or(null_mut(), |words| Box::into_raw(Box::new(words)))
}

/// Free stop words.
#[no_mangle]
pub unsafe extern "C" fn tidings_stop_words_free(words: *mut StopWords) {
    drop(Box::from_raw(words));
}

/// What the longest runs of a page sound like: `scores` and `known` are as many as languages, and 0. Returns how many words
/// they have, or -1 if the caller has to listen. `starts` and `ends` are the chosen spans, `hidden` is by run.
#[no_mangle]
pub unsafe extern "C" fn tidings_heard(
    columns: *const Columns,
    tables: *const Tables,
    words: *const StopWords,
    starts: *const i64,
    ends: *const i64,
    spans: usize,
    hidden: *const u8,
    most: usize,
    length: usize,
    languages: usize,
    scores: *mut f64,
    known: *mut i64,
) -> i64 {
    let (page, tables, words) = (&*columns, &*tables, &*words);
    let spans = (from_raw_parts(starts, spans), from_raw_parts(ends, spans));
    let hidden = from_raw_parts(hidden, page.runs());
    let (scores, known) = (from_raw_parts_mut(scores, languages), from_raw_parts_mut(known, languages));
    let found = catch_unwind(AssertUnwindSafe(|| {
        let text = sample(page, spans, hidden, most, length);
        words.heard(&text, &tables.lower, scores, known)
    }));
    found.map_or(-1, |count| count.map_or(-1, |count| count as i64))
}

/// Words to be found again, as numbers.
#[no_mangle]
pub unsafe extern "C" fn tidings_known_words(numbers: *const u64, size: usize) -> *mut Numbered<u32> {
    Box::into_raw(Box::new(known(from_raw_parts(numbers, size))))
}

/// Free known words.
#[no_mangle]
pub unsafe extern "C" fn tidings_known_words_free(words: *mut Numbered<u32>) {
    drop(Box::from_raw(words));
}

/// The words of the names in the start tags of a page. Returns 0 and fills `out`: the addresses of the spellings they are
/// in and of their numbers, which stay until the page is freed, and how many there are.
#[no_mangle]
pub unsafe extern "C" fn tidings_names(columns: *const Columns, tables: *const Tables, out: *mut u64) -> c_int {
    let (page, tables) = (&*columns, &*tables);
    match catch_unwind(|| page.names_of_tags(tables)) {
        Ok(names) => {
            let told = [names.line.as_ptr() as u64, names.word.as_ptr() as u64, names.word.len() as u64];
            std::ptr::copy_nonoverlapping(told.as_ptr(), out, told.len());
            0
        }
        Err(_) => PANICKED,
    }
}

/// Which known words are among the names on a page and among others: their places, each once, in order. `out` has room
/// for as many as are asked for. Returns how many are known, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_known_names(
    columns: *const Columns,
    tables: *const Tables,
    words: *const Numbered<u32>,
    others: *const u64,
    size: usize,
    out: *mut i64,
) -> i64 {
    let (page, tables, words, others) = (&*columns, &*tables, &*words, from_raw_parts(others, size));
    let found = catch_unwind(AssertUnwindSafe(|| {
        let names = page.names_of_tags(tables);
        let numbers = names.word.iter().map(|&number| number as u64);
        places(words, numbers.chain(others.iter().copied()))
    }));
    hand_over(found, out)
}

// -- hidden text ----------------------------------------------------------------------------------------------------

/// Read style sheets, given in UTF-8. Null if they cannot be read here.
#[no_mangle]
pub unsafe extern "C" fn tidings_sheet(css: *const u8, size: usize) -> *const Sheet {
    let read = catch_unwind(|| std::str::from_utf8(from_raw_parts(css, size)).ok().map(Sheet::shared));
    match read {
        Ok(Some(sheet)) => Arc::into_raw(sheet),
        _ => null(),
    }
}

/// Free style sheets that `tidings_sheet` has read.
#[no_mangle]
pub unsafe extern "C" fn tidings_sheet_free(sheet: *const Sheet) {
    drop(Arc::from_raw(sheet));
}

/// Whether style sheets say nothing of single start tags.
#[no_mangle]
pub unsafe extern "C" fn tidings_sheet_is_empty(sheet: *const Sheet) -> c_int {
    c_int::from((*sheet).is_empty())
}

/// The ways in which start tags hide their elements under style sheets, and those that they take back, a pair of bytes
/// each in `out`; -1 where the caller has to look. The tags are in UTF-8, with NUL between them.
#[no_mangle]
pub unsafe extern "C" fn tidings_ways(
    sheet: *const Sheet,
    tables: *const Tables,
    tags: *const u8,
    size: usize,
    out: *mut u8,
    count: usize,
) -> c_int {
    let (sheet, tables) = (&*sheet, &*tables);
    let found = catch_unwind(|| ways_of(std::str::from_utf8(from_raw_parts(tags, size)).ok()?, sheet, tables));
    match found {
        Ok(Some(ways)) if ways.len() == 2 * count => {
            std::ptr::copy_nonoverlapping(ways.as_ptr(), out, ways.len());
            0
        }
        _ => -1,
    }
}

// -- look -----------------------------------------------------------------------------------------------------------

/// What features must know: kinds of marks by character; by tag (`tags` of them, the last for those outside the
/// standard) whether it is a box of layout, which of the telling tags it is, sets of its own and of inline tags, the
/// order of headings; the number of <h1>.
#[no_mangle]
pub unsafe extern "C" fn tidings_look_tables(
    marks: *const u8,
    tags: usize,
    is_layout: *const u8,
    around: *const u8,
    own: *const u16,
    inline: *const u8,
    order: *const u8,
    h1: c_int,
) -> *mut LookTables {
    Box::into_raw(Box::new(LookTables {
        marks: from_raw_parts(marks, 0x1_0000).to_vec(),
        is_layout: from_raw_parts(is_layout, tags).to_vec(),
        around: from_raw_parts(around, tags).to_vec(),
        own: from_raw_parts(own, tags).to_vec(),
        inline: from_raw_parts(inline, tags).to_vec(),
        order: from_raw_parts(order, tags).to_vec(),
        h1: i64::from(h1),
    }))
}

/// An expert: `arrays` are addresses, each followed by a size, of the numbers and the weights of names, those of cue
/// words, and for each of two ensembles features, borders, leaves. Null if they do not fit together.
#[no_mangle]
pub unsafe extern "C" fn tidings_expert(
    arrays: *const u64,
    first_depth: usize,
    second_depth: usize,
    first_bias: f32,
    second_bias: f32,
) -> *mut Expert {
    let arrays = from_raw_parts(arrays, 20);
    unsafe fn array<T>(arrays: &[u64], place: usize) -> &[T] {
        let (address, size) = (arrays[2 * place], arrays[2 * place + 1] as usize);
        if size == 0 {
            &[]
        } else {
            from_raw_parts(address as *const T, size)
        }
    }
    let trees = |place: usize, depth: usize, bias: f32| Trees {
        feature: array(arrays, place).to_vec(),
        border: array(arrays, place + 1).to_vec(),
        leaf: array(arrays, place + 2).to_vec(),
        depth,
        bias,
    };
    let expert = Expert {
        names: weights(array(arrays, 0), array(arrays, 1)),
        cues: weights(array(arrays, 2), array(arrays, 3)),
        first: trees(4, first_depth, first_bias),
        second: trees(7, second_depth, second_bias),
    };
    if expert.first.fits(FIRST) && expert.second.fits(FIRST + SECOND) {
        Box::into_raw(Box::new(expert))
    } else {
        null_mut()
    }
}

/// Free an expert.
#[no_mangle]
pub unsafe extern "C" fn tidings_expert_free(expert: *mut Expert) {
    drop(Box::from_raw(expert));
}

/// What the experts say of the visible blocks of a page: `out` has room for as many blocks as there are, and for one
/// more of the dates. Returns how many are visible, or -1.
///
/// `declared`: the numbers of the words of the title, of the declared headline and of the description, each once.
/// `blocks`: the visible ones. `dates`: how many blocks with a date stand before each. `chances`: of each expert in turn.
#[no_mangle]
pub unsafe extern "C" fn tidings_look(
    columns: *const Columns,
    tables: *const Tables,
    look_tables: *const LookTables,
    hidden: *const u8,
    declared: *const u64,
    sizes: *const u64,
    experts: *const *const Expert,
    experts_size: usize,
    blocks: *mut i64,
    dates: *mut f64,
    chances: *mut f64,
) -> i64 {
    let page = &*columns;
    let looked = catch_unwind(|| {
        let hidden = from_raw_parts(hidden, page.runs());
        let sizes = from_raw_parts(sizes, 3);
        let words = from_raw_parts(declared, sizes.iter().sum::<u64>() as usize);
        let (title, words) = words.split_at(sizes[0] as usize);
        let (headline, summary) = words.split_at(sizes[1] as usize);
        let seen = Seen::new(page, &*look_tables, &*tables, hidden, title, &Declared { headline, summary });
        let found: Vec<Vec<f64>> =
            from_raw_parts(experts, experts_size).iter().map(|&expert| seen.chances(&*expert)).collect();
        let numbers: Vec<i64> = seen.blocks.iter().map(|&block| block as i64).collect();
        (numbers, seen.dates, found)
    });
    match looked {
        Ok((numbers, dated, found)) => {
            std::ptr::copy_nonoverlapping(numbers.as_ptr(), blocks, numbers.len());
            std::ptr::copy_nonoverlapping(dated.as_ptr(), dates, dated.len());
            for (place, chance) in found.iter().enumerate() {
                std::ptr::copy_nonoverlapping(chance.as_ptr(), chances.add(place * numbers.len()), chance.len());
            }
            numbers.len() as i64
        }
        Err(_) => -1,
    }
}

// -- lines ------------------------------------------------------------------------------------------------------------

/// The lines of a page, without the tags of two elements. Returns 0 and fills `out`: a handle to free, the address of
/// the numbers, the beginnings of the five columns, and the end of the last.
#[no_mangle]
pub unsafe extern "C" fn tidings_lines(
    columns: *const Columns,
    length: i64,
    first: i64,
    second: i64,
    out: *mut u64,
) -> c_int {
    let page = &*columns;
    match catch_unwind(|| lines(page, length, [first, second])) {
        Ok(made) => {
            let made = Box::into_raw(Box::new(made));
            let borders = (*made).borders;
            let told =
                [&[made as u64, (*made).numbers.as_ptr() as u64], &borders.map(|border| border as u64)[..]].concat();
            std::ptr::copy_nonoverlapping(told.as_ptr(), out, told.len());
            0
        }
        Err(_) => PANICKED,
    }
}

/// Free the lines of a page.
#[no_mangle]
pub unsafe extern "C" fn tidings_lines_free(made: *mut Lines) {
    drop(Box::from_raw(made));
}

/// For each line how many of its characters have the first and the second bit in a table; `out` has room for both.
#[no_mangle]
pub unsafe extern "C" fn tidings_line_counts(
    columns: *const Columns,
    made: *const Lines,
    table: *const u8,
    table_size: usize,
    out: *mut i64,
) -> c_int {
    let (page, made) = (&*columns, &*made);
    match catch_unwind(|| counts(page, made, from_raw_parts(table, table_size))) {
        Ok(found) => {
            std::ptr::copy_nonoverlapping(found.as_ptr(), out, found.len());
            0
        }
        Err(_) => PANICKED,
    }
}

// -- cut -----------------------------------------------------------------------------------------------------------------

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

// -- blocks --------------------------------------------------------------------------------------------------------------

/// The blocks of chosen text, until they are freed.
pub struct BlockRows {
    numbers: Vec<i32>,
    text: Vec<u8>,
}

/// The blocks that chosen ranges of the text of a page make. Returns 0 and fills `out`, or -1.
///
/// `numbers`: starts and ends of the spans, links that hold some of them and the numbers of their addresses, tables of
/// data, roots. `out`: a handle to free; the address of the rows of blocks, inlines and pieces, and of the text of the
/// inlines; how many blocks, inlines, pieces and characters there are, and the bytes of a character.
#[no_mangle]
pub unsafe extern "C" fn tidings_blocks(
    columns: *const Columns,
    roles: *const u8,
    roles_size: usize,
    numbers: *const i64,
    spans: usize,
    links: usize,
    tables: usize,
    roots: usize,
    out: *mut u64,
) -> c_int {
    let page = &*columns;
    let found = catch_unwind(|| {
        let numbers = from_raw_parts(numbers, 2 * spans + 2 * links + tables + roots);
        let found = blocks(page, &Choice::new(from_raw_parts(roles, roles_size), numbers, spans, links, tables));
        let (text, width) = narrowed(&found.text);
        let sizes = [found.blocks.len(), found.inlines.len(), found.pieces.len(), found.text.len(), width.into()];
        let all = found.blocks.len() * BLOCK_NUMBERS
            + found.inlines.len() * INLINE_NUMBERS
            + found.pieces.len() * PIECE_NUMBERS;
        let mut numbers = Vec::with_capacity(all);
        numbers.extend(found.blocks.iter().flatten().map(|&number| number as i32));
        numbers.extend(found.inlines.iter().flatten().map(|&number| number as i32));
        numbers.extend(found.pieces.iter().flatten().map(|&number| number as i32));
        (Box::new(BlockRows { numbers, text }), sizes)
    });
    match found {
        Ok((rows, sizes)) => {
            let told = [rows.numbers.as_ptr() as u64, rows.text.as_ptr() as u64];
            *out = Box::into_raw(rows) as u64;
            std::ptr::copy_nonoverlapping(told.as_ptr(), out.add(1), told.len());
            for (place, &size) in sizes.iter().enumerate() {
                *out.add(1 + told.len() + place) = size as u64;
            }
            0
        }
        Err(_) => PANICKED,
    }
}

/// Free the rows of blocks.
#[no_mangle]
pub unsafe extern "C" fn tidings_blocks_free(rows: *mut BlockRows) {
    drop(Box::from_raw(rows));
}

#[cfg(test)]
mod tests;
