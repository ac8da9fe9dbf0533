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
use crate::units::with_units;

/// Fill `out` with the words in the start tag of each element, as bits; if `tag` is not 0, for elements of that tag. The same
/// for other words in `others_out`, unless they are null. Returns 0, or -1.
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
    let sets: Vec<&TagWords> = [words, others].iter().filter_map(|set| set.as_ref()).collect();
    let bits = catch_unwind(AssertUnwindSafe(
        || with_units!(&page.source, units => words_of_elements(units, page, tables, &sets, tag)),
    ));
    match bits {
        Ok([bits, others]) => {
            copy_to(&bits, out);
            if !others.is_empty() {
                copy_to(&others, others_out);
            }
            0
        }
        Err(_) => PANICKED,
    }
}

/// Find the elements with words in their start tags, and those that are boxes with visible text
/// (`tag_words::elements_with_words`). `out` has space for four numbers per element; `sizes` gets the number of both, and all
/// words. `others_out` is filled as by `tidings_tag_words`. Returns 0, or -1.
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
    let sets: Vec<&TagWords> = [words, others].iter().filter_map(|set| set.as_ref()).collect();
    let elements = catch_unwind(AssertUnwindSafe(|| {
        let [bits, others] = with_units!(&page.source, units => words_of_elements(units, page, tables, &sets, 0));
        (elements_with_words(page, &bits, hidden, inline), others)
    }));
    match elements {
        Ok((elements, others)) => {
            let mut next = out;
            for numbers in &elements {
                copy_to(numbers, next);
                next = next.add(numbers.len());
            }
            if !others.is_empty() {
                copy_to(&others, others_out);
            }
            *sizes = elements[0].len() as u64;
            *sizes.add(1) = elements[2].len() as u64;
            *sizes.add(2) = elements[1].iter().fold(0, |all, words| all | words);
            0
        }
        Err(_) => PANICKED,
    }
}

/// Detect the script and the language of a text: of the longest runs of a page, or, if `columns` is null, of `size` code
/// points. Returns the script, or -1 after a panic, and fills `out`: the number of words, and the clear language or -1.
///
/// `scores` and `counts` have space for `languages` numbers, which are 0. `starts` and `ends` are selected spans of the page;
/// at most `most` runs are read, `length` code points of each.
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
    counts: *mut i64,
    out: *mut i64,
) -> i64 {
    let detector = &*detector;
    let spans = (slice(starts, spans), slice(ends, spans));
    let (scores, counts) = (slice_mut(scores, languages), slice_mut(counts, languages));
    let result = catch_unwind(AssertUnwindSafe(|| {
        let text = match columns.as_ref() {
            Some(page) => sample(page, spans, hidden_runs(page), most, length),
            None => vec![slice(text, size)],
        };
        detector.detect(&text, scores, counts)
    }));
    match result {
        Ok(detected) => {
            *out = detected.words as i64;
            *out.add(1) = detected.language.map_or(-1, |language| language as i64);
            detected.script as i64
        }
        _ => -1,
    }
}

/// Find the words of names in the start tags of a page. Returns 0 and fills `out`: the addresses of their spellings and of
/// their hashes, which are valid until the page is freed, and their number.
#[no_mangle]
pub unsafe extern "C" fn tidings_names(columns: *const Columns, tables: *const Tables, out: *mut u64) -> c_int {
    let (page, tables) = (&*columns, &*tables);
    match catch_unwind(|| page.names_of_tags(tables)) {
        Ok(names) => {
            let numbers = [names.line.as_ptr() as u64, names.word.as_ptr() as u64, names.word.len() as u64];
            copy_to(&numbers, out);
            0
        }
        Err(_) => PANICKED,
    }
}

/// Compute the features of the kind of a page (`crate::kinds`): for each kind the weight of the words among the names on the
/// page and in a text of `size` code points, and figures of its elements of `tags_size` tags and of its visible blocks.
/// `weights` and `out` have space for them. Returns 0, or -1.
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
    let features = catch_unwind(AssertUnwindSafe(|| (words.weigh(page, tables, codes), figures(page, hidden, tags))));
    match features {
        Ok((kind_weights, figures)) => {
            copy_to(&kind_weights, weights);
            copy_to(&figures, out);
            0
        }
        Err(_) => PANICKED,
    }
}
