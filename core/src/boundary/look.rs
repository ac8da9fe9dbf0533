//! Exports block features and probabilities.

use std::os::raw::c_char;
use std::panic::{catch_unwind, AssertUnwindSafe};

use super::hidden_runs;
use super::slices::{copy_to, slice};
use crate::columns::Columns;
use crate::look::{Expert, LookTables, Seen};
use crate::story::Declared;
use crate::tables::Tables;
use crate::words::each_word;

/// Compute the probabilities that experts give to the visible blocks of a page. Returns how many are visible, or -1 after a panic.
///
/// `declared`: the title, the declared headline and the description as
/// code points, `sizes` how many each has. `out` is filled, one behind the other, with the visible blocks, their words, how many
/// blocks with a date stand before each and before the end, and the probabilities of each expert in turn.
#[no_mangle]
pub unsafe extern "C" fn tidings_look(
    columns: *const Columns,
    tables: *const Tables,
    look_tables: *const LookTables,
    declared: *const u32,
    sizes: *const u64,
    experts: *const *const Expert,
    experts_size: usize,
    out: *mut i64,
) -> i64 {
    let page = &*columns;
    let hidden = hidden_runs(page);
    let looked = catch_unwind(AssertUnwindSafe(|| {
        let seen = seen(page, &*tables, &*look_tables, hidden, declared, sizes);
        let experts: Vec<&Expert> = slice(experts, experts_size).iter().map(|&expert| &*expert).collect();
        let found = probabilities_of(&seen, &experts);
        let blocks: Vec<i64> = seen.blocks.iter().map(|&block| block as i64).collect();
        let words: Vec<i64> = seen.blocks.iter().map(|&block| page.block_words()[block]).collect();
        (blocks, words, seen.dates, found)
    }));
    match looked {
        Ok((blocks, words, dates, found)) => {
            let mut next = out;
            for numbers in [&blocks, &words] {
                copy_to(numbers, next);
                next = next.add(numbers.len());
            }
            for numbers in std::iter::once(&dates).chain(&found) {
                copy_to(numbers, next.cast());
                next = next.add(numbers.len());
            }
            blocks.len() as i64
        }
        Err(_) => -1,
    }
}

/// The visible blocks of a page, given the texts that it declares as `tidings_look` takes them.
unsafe fn seen<'a>(
    page: &'a Columns,
    letters: &Tables,
    look_tables: &'a LookTables,
    hidden: &[u8],
    declared: *const u32,
    sizes: *const u64,
) -> Seen<'a> {
    let sizes = slice(sizes, 3);
    let codes = slice(declared, sizes.iter().sum::<u64>() as usize);
    let (title, codes) = codes.split_at(sizes[0] as usize);
    let (headline, summary) = codes.split_at(sizes[1] as usize);
    let [title, headline, summary] = [title, headline, summary].map(|text| distinct_words(text, letters));
    Seen::new(page, look_tables, letters, hidden, &title, &Declared { headline: &headline, summary: &summary })
}

/// Return the table of features as text, ended by a zero byte: `core/src/look/features.tsv`.
#[no_mangle]
pub extern "C" fn tidings_feature_table() -> *const c_char {
    concat!(include_str!("../look/features.tsv"), "\0").as_ptr().cast()
}

/// Compute the features of the visible blocks of a page, as training needs them. Returns how many are visible, or -1.
///
/// `expert` has the weights of names and cue words; the other parameters are those of `tidings_look`. `rows` is filled with a row
/// for each feature.
/// `places` is filled, one behind the other, with the visible blocks, their words, the first block of each element, the block
/// behind its last, and for each block the boxes around it, level by level, and the numbers of its two paths.
#[no_mangle]
pub unsafe extern "C" fn tidings_features(
    columns: *const Columns,
    tables: *const Tables,
    look_tables: *const LookTables,
    declared: *const u32,
    sizes: *const u64,
    expert: *const Expert,
    rows: *mut f32,
    places: *mut i64,
) -> i64 {
    let page = &*columns;
    let hidden = hidden_runs(page);
    let computed = catch_unwind(AssertUnwindSafe(|| {
        let seen = seen(page, &*tables, &*look_tables, hidden, declared, sizes);
        let rows = seen.feature_rows(&*expert);
        let words = seen.blocks.iter().map(|&block| page.block_words()[block]);
        let places: Vec<i64> =
            seen.blocks.iter().map(|&block| block as i64).chain(words).chain(seen.places()).collect();
        (seen.count(), rows, places)
    }));
    match computed {
        Ok((count, values, numbers)) => {
            copy_to(&values, rows);
            copy_to(&numbers, places);
            count as i64
        }
        Err(_) => -1,
    }
}

/// The numbers of the words of a text, each once.
fn distinct_words(codes: &[u32], tables: &Tables) -> Vec<u64> {
    let mut numbers = Vec::new();
    each_word(codes.iter().copied(), tables, |_, number| numbers.push(number));
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// What experts say of blocks, by wide vectors where the processor has them: the same numbers in half the time.
fn probabilities_of(seen: &Seen, experts: &[&Expert]) -> Vec<Vec<f64>> {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        unsafe fn wide(seen: &Seen, experts: &[&Expert]) -> Vec<Vec<f64>> {
            seen.probabilities(experts)
        }
        if std::is_x86_feature_detected!("avx2") {
            return unsafe { wide(seen, experts) };
        }
    }
    seen.probabilities(experts)
}
