//! Words: those of start tags, of texts and of names, as numbers.

use std::os::raw::c_int;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null_mut;

use super::slices::{copy_to, slice, slice_mut};
use super::{hidden_runs, PANICKED};
use crate::columns::Columns;
use crate::index::{holding, telling, TagWords};
use crate::kinds::{figures, KindWords};
use crate::stop_words::{sample, Clearness, EastAsian, Listener};
use crate::tables::Tables;
use crate::units::Wide;
use crate::words::each_word;

/// Words to be looked for in start tags, a line each; null if they cannot be.
#[no_mangle]
pub unsafe extern "C" fn tidings_tag_words(words: *const u8, size: usize) -> *mut TagWords {
    let lines: Vec<&[u8]> = slice(words, size).split(|&byte| byte == b'\n').collect();
    TagWords::new(&lines).map_or(null_mut(), |words| Box::into_raw(Box::new(words)))
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
            copy_to(&held, out);
            if !others.is_empty() {
                copy_to(&others, others_out);
            }
            0
        }
        Err(_) => PANICKED,
    }
}

/// The elements of a page that hold words in their start tags, and which of them are boxes that show text (`index::telling`):
/// `out` has room for four numbers of each element, and `sizes` for how many of both there are, and the words of all. Of other words `others_out`
/// is filled as by `tidings_holding`. Returns 0, or -1 where the page does not know what is hidden.
#[no_mangle]
pub unsafe extern "C" fn tidings_telling(
    columns: *const Columns,
    tables: *const Tables,
    words: *const TagWords,
    others: *const TagWords,
    inline: *const u8,
    tags: usize,
    out: *mut u64,
    others_out: *mut u64,
    sizes: *mut u64,
) -> c_int {
    let (page, tables, inline) = (&*columns, &*tables, slice(inline, tags));
    let hidden = match hidden_runs(page, std::ptr::null()) {
        Some(hidden) => hidden,
        None => return PANICKED,
    };
    let sets = [&*words, &*others];
    let found = catch_unwind(AssertUnwindSafe(|| {
        let [held, others] = match &page.source {
            Wide::One(units) => holding(units, page, tables, &sets, 0),
            Wide::Two(units) => holding(units, page, tables, &sets, 0),
            Wide::Four(units) => holding(units, page, tables, &sets, 0),
        };
        (telling(page, &held, hidden, inline), others)
    }));
    match found {
        Ok((found, others)) => {
            let mut next = out;
            for numbers in &found {
                copy_to(numbers, next);
                next = next.add(numbers.len());
            }
            copy_to(&others, others_out);
            *sizes = found[0].len() as u64;
            *sizes.add(1) = found[2].len() as u64;
            *sizes.add(2) = found[1].iter().fold(0, |all, words| all | words);
            0
        }
        Err(_) => PANICKED,
    }
}

/// The words of a text of `size` code points as numbers: `out` has room for as many. Returns how many there are, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_hashed_words(
    tables: *const Tables,
    codes: *const u32,
    size: usize,
    out: *mut u64,
) -> i64 {
    let (tables, codes, out) = (&*tables, slice(codes, size), slice_mut(out, size));
    let mut count = 0;
    each_word(codes.iter().copied(), tables, |_, number| {
        out[count] = number;
        count += 1;
    });
    count as i64
}

/// What tells scripts and languages: by block the script of its characters, the numbers of Latin, Hangul, Kana and Han,
/// which of the first characters part words, when a language is clear (`Clearness`, seven numbers), how many scripts there
/// are. Null if that does not fit together.
#[no_mangle]
pub unsafe extern "C" fn tidings_listener(
    by_block: *const u8,
    blocks: usize,
    named: *const i64,
    parts: *const u8,
    parts_size: usize,
    limits: *const f64,
    scripts: usize,
) -> *mut Listener {
    let (named, limits) = (slice(named, 4), slice(limits, 7));
    let named = EastAsian {
        latin: named[0] as usize,
        hangul: named[1] as usize,
        kana: named[2] as usize,
        han: named[3] as usize,
    };
    let clearness = Clearness {
        fewest: limits[0] as i64,
        shares: [(limits[1], limits[2]), (limits[3], limits[4])],
        kana: limits[5],
        weight: limits[6] as usize,
    };
    let (by_block, parts) = (slice(by_block, blocks).to_vec(), slice(parts, parts_size).to_vec());
    Listener::new(by_block, named, parts, clearness, scripts).map_or(null_mut(), |made| Box::into_raw(Box::new(made)))
}

/// The stop words of a script a line each, each with the number of the languages that have it; the borders of those
/// languages, and each with what such a word says for it. Returns 0, or -1 if they do not fit together.
#[no_mangle]
pub unsafe extern "C" fn tidings_listener_learn(
    listener: *mut Listener,
    tables: *const Tables,
    script: usize,
    words: *const u16,
    size: usize,
    those: *const i64,
    borders: *const i64,
    count: usize,
    languages: *const i64,
    weights: *const f64,
) -> c_int {
    let lines = slice(words, size).split(|&unit| unit == 10);
    let words: Vec<(Vec<u16>, usize)> =
        lines.enumerate().map(|(place, word)| (word.to_vec(), *those.add(place) as usize)).collect();
    let borders = slice(borders, count + 1);
    let one = |place: i64| (*languages.add(place as usize) as usize, *weights.add(place as usize));
    let languages = borders.windows(2).map(|range| (range[0]..range[1]).map(one).collect()).collect();
    (*listener).learn(script, &words, languages, &(*tables).lower).map_or(PANICKED, |()| 0)
}

/// What the longest runs of a page sound like: `scores` and `known` are as many as `languages`, and 0. Returns the script,
/// or -1 if the caller has to listen, and fills `out`: how many words they have, and the language that is clear, or -1.
/// `starts` and `ends` are the chosen spans, `hidden` is by run; null if the page knows.
#[no_mangle]
pub unsafe extern "C" fn tidings_heard(
    columns: *const Columns,
    listener: *const Listener,
    starts: *const i64,
    ends: *const i64,
    spans: usize,
    hidden: *const u8,
    most: usize,
    length: usize,
    languages: usize,
    scores: *mut f64,
    known: *mut i64,
    out: *mut i64,
) -> i64 {
    let (page, listener) = (&*columns, &*listener);
    let spans = (slice(starts, spans), slice(ends, spans));
    let (scores, known) = (slice_mut(scores, languages), slice_mut(known, languages));
    let found = catch_unwind(AssertUnwindSafe(|| {
        let text = sample(page, spans, hidden_runs(page, hidden)?, most, length);
        listener.heard(&text, scores, known)
    }));
    match found {
        Ok(Some(sound)) => {
            *out = sound.words as i64;
            *out.add(1) = sound.language.map_or(-1, |language| language as i64);
            sound.script as i64
        }
        _ => -1,
    }
}

/// The words of the names in the start tags of a page. Returns 0 and fills `out`: the addresses of the spellings they are
/// in and of their numbers, which stay until the page is freed, and how many there are.
#[no_mangle]
pub unsafe extern "C" fn tidings_names(columns: *const Columns, tables: *const Tables, out: *mut u64) -> c_int {
    let (page, tables) = (&*columns, &*tables);
    match catch_unwind(|| page.names_of_tags(tables)) {
        Ok(names) => {
            let told = [names.line.as_ptr() as u64, names.word.as_ptr() as u64, names.word.len() as u64];
            copy_to(&told, out);
            0
        }
        Err(_) => PANICKED,
    }
}

/// Words that kinds of pages are told by, as numbers, and for each as many weights as there are kinds.
#[no_mangle]
pub unsafe extern "C" fn tidings_kind_words(
    numbers: *const u64,
    size: usize,
    weights: *const f32,
    kinds: usize,
) -> *mut KindWords {
    let (numbers, weights) = (slice(numbers, size), slice(weights, size * kinds));
    Box::into_raw(Box::new(KindWords::new(numbers, weights, kinds)))
}

/// What the kind of a page is told by: what known words weigh that are among the names on it or in a text of `size` code points,
/// for each kind, and figures of its elements of `tags_size` tags and of the blocks that are not `hidden` (`crate::kinds`), by
/// run, or as the page knows them if it is null.
/// `weights` and `out` have room for them. Returns 0, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_kind_facts(
    columns: *const Columns,
    tables: *const Tables,
    words: *const KindWords,
    hidden: *const u8,
    tags: *const i64,
    tags_size: usize,
    codes: *const u32,
    size: usize,
    weights: *mut f32,
    out: *mut f64,
) -> c_int {
    let (page, tables, words, codes) = (&*columns, &*tables, &*words, slice(codes, size));
    let (hidden, tags) = (hidden_runs(page, hidden).unwrap_or(&[]), slice(tags, tags_size));
    let found = catch_unwind(AssertUnwindSafe(|| (words.weigh(page, tables, codes), figures(page, hidden, tags))));
    match found {
        Ok((weighed, told)) => {
            copy_to(&weighed, weights);
            copy_to(&told, out);
            0
        }
        Err(_) => PANICKED,
    }
}
