//! Exports words in start tags, language detection and the features of page kinds.

use std::os::raw::c_int;
use std::panic::{catch_unwind, AssertUnwindSafe};

use super::slices::{copy_to, slice, slice_mut};
use super::{hidden_runs, PANICKED};
use crate::columns::Columns;
use crate::kinds::{figures, KindWords};
use crate::stop_words::{sample, LanguageDetector};
use crate::tables::Tables;
use crate::tag_words::{elements_with_words, words_of_elements, TagWords};
use crate::units::Wide;

/// For each element of a page the words in its start tag, a bit each: `out` has room for all elements. Only of elements
/// of one tag, if `tag` is one. The same for other words, unless they are null, in the `others_out`. Returns 0, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_tag_words(
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
        Wide::One(units) => words_of_elements(units, page, tables, &sets, tag),
        Wide::Two(units) => words_of_elements(units, page, tables, &sets, tag),
        Wide::Four(units) => words_of_elements(units, page, tables, &sets, tag),
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

/// The elements of a page that hold words in their start tags, and which of them are boxes that show text (`tag_words::elements_with_words`):
/// `out` has room for four numbers of each element, and `sizes` for how many of both there are, and the words of all. Of other words `others_out`
/// is filled as by `tidings_tag_words`. Returns 0, or -1 where the page does not know what is hidden.
#[no_mangle]
pub unsafe extern "C" fn tidings_elements_with_words(
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
    let hidden = hidden_runs(page);
    let sets: Vec<&TagWords> = [words, others].iter().filter_map(|one| one.as_ref()).collect();
    let found = catch_unwind(AssertUnwindSafe(|| {
        let [held, others] = match &page.source {
            Wide::One(units) => words_of_elements(units, page, tables, &sets, 0),
            Wide::Two(units) => words_of_elements(units, page, tables, &sets, 0),
            Wide::Four(units) => words_of_elements(units, page, tables, &sets, 0),
        };
        (elements_with_words(page, &held, hidden, inline), others)
    }));
    match found {
        Ok((found, others)) => {
            let mut next = out;
            for numbers in &found {
                copy_to(numbers, next);
                next = next.add(numbers.len());
            }
            if !others.is_empty() {
                copy_to(&others, others_out);
            }
            *sizes = found[0].len() as u64;
            *sizes.add(1) = found[2].len() as u64;
            *sizes.add(2) = found[1].iter().fold(0, |all, words| all | words);
            0
        }
        Err(_) => PANICKED,
    }
}

/// Find out the script and the language of a text: of the longest runs of a page, or, if `columns` is null, of `size` code points.
/// Returns the script, or -1 after a panic, and fills `out`: how many words the text has, and the language that is clear, or -1.
///
/// `scores` and `known` have room for `languages` numbers, which are 0. `starts` and `ends` are selected spans of the page,
/// At most `most` runs are read, `length` code points of each.
#[no_mangle]
pub unsafe extern "C" fn tidings_language(
    detector: *const LanguageDetector,
    columns: *const Columns,
    starts: *const i64,
    ends: *const i64,
    spans: usize,
    most: usize,
    length: usize,
    text: *const u32,
    size: usize,
    languages: usize,
    scores: *mut f64,
    known: *mut i64,
    out: *mut i64,
) -> i64 {
    let detector = &*detector;
    let spans = (slice(starts, spans), slice(ends, spans));
    let (scores, known) = (slice_mut(scores, languages), slice_mut(known, languages));
    let found = catch_unwind(AssertUnwindSafe(|| {
        let text = match columns.as_ref() {
            Some(page) => sample(page, spans, hidden_runs(page), most, length),
            None => vec![slice(text, size)],
        };
        detector.detect(&text, scores, known)
    }));
    match found {
        Ok(detected) => {
            *out = detected.words as i64;
            *out.add(1) = detected.language.map_or(-1, |language| language as i64);
            detected.script as i64
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

/// What the kind of a page is told by: what known words weigh that are among the names on it or in a text of `size` code points,
/// for each kind, and figures of its elements of `tags_size` tags and of the blocks that are not `hidden` (`crate::kinds`), by
/// run, or as the page knows them if it is null.
/// `weights` and `out` have room for them. Returns 0, or -1.
#[no_mangle]
pub unsafe extern "C" fn tidings_kind_facts(
    columns: *const Columns,
    tables: *const Tables,
    words: *const KindWords,
    tags: *const i64,
    tags_size: usize,
    codes: *const u32,
    size: usize,
    weights: *mut f32,
    out: *mut f64,
) -> c_int {
    let (page, tables, words, codes) = (&*columns, &*tables, &*words, slice(codes, size));
    let (hidden, tags) = (hidden_runs(page), slice(tags, tags_size));
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
