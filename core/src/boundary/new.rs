//! Makes what is used for many pages from arrays: tables, models, word lists.

use std::collections::HashMap;
use std::os::raw::{c_int, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::null_mut;
use std::sync::Arc;

use super::cut::ArticleTables;
use super::handles;
use super::slices::slice;
use crate::cut::Rules;
use crate::kinds::KindWords;
use crate::look::{Expert, LookTables, Network, NetworkArrays, Trees, FEATURES};
use crate::sheet::Sheet;
use crate::stop_words::{Clearness, EastAsian, LanguageDetector};
use crate::tables::Tables;
use crate::tag_words::TagWords;
use crate::words::KnownWords;
use crate::written::StyleText;

/// An array of the caller: the address and the number of its items.
#[repr(C)]
pub struct Part {
    pub address: *const c_void,
    pub size: usize,
}

/// The arrays of one call, read in order.
struct Parts<'a> {
    parts: std::slice::Iter<'a, Part>,
}

impl<'a> Parts<'a> {
    /// Return the next array. None if there are no more.
    unsafe fn next<T: 'a>(&mut self) -> Option<&'a [T]> {
        self.parts.next().map(|part| slice(part.address.cast::<T>(), part.size))
    }

    /// Return the next array if it has exactly `N` items.
    unsafe fn exactly<T: Copy + 'a, const N: usize>(&mut self) -> Option<[T; N]> {
        self.next::<T>()?.try_into().ok()
    }
}

/// Make what `kind` says (`handles`) from `count` arrays, in the order in which `tidings.core` lists them. Returns a handle for
/// `tidings_free`, or null if the arrays do not fit together.
#[no_mangle]
pub unsafe extern "C" fn tidings_new(kind: c_int, parts: *const Part, count: usize) -> *mut c_void {
    let mut parts = Parts { parts: slice(parts, count).iter() };
    let made = catch_unwind(AssertUnwindSafe(|| match kind {
        handles::LANGUAGE_DETECTOR => detector(&mut parts).map(boxed),
        handles::KIND_WORDS => kind_words(&mut parts).map(boxed),
        handles::EXPERT => expert(&mut parts).map(boxed),
        handles::LOOK_TABLES => look_tables(&mut parts).map(boxed),
        handles::TABLES => tables(&mut parts).map(boxed),
        handles::TAG_WORDS => tag_words(&mut parts).map(boxed),
        handles::ARTICLE_TABLES => article_tables(&mut parts).map(boxed),
        handles::RULES => rules(&mut parts).map(boxed),
        handles::SHEET => sheet(&mut parts).map(|sheet| Arc::into_raw(sheet) as *mut c_void),
        _ => None,
    }));
    made.unwrap_or(None).unwrap_or(null_mut())
}

fn boxed<T>(value: T) -> *mut c_void {
    Box::into_raw(Box::new(value)).cast()
}

/// Kinds of tags and characters: tag names (a line each), by tag what its start tag does, its sets, and what stops its end tag;
/// character references (a line each: name, tab, code points with spaces between); classes and lower cases of characters; the
/// deepest nesting.
unsafe fn tables(parts: &mut Parts) -> Option<Tables> {
    let lines = |text: &[u8]| -> Vec<Vec<u8>> { text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect() };
    let names = lines(parts.next::<u8>()?);
    let starts = parts.next::<u8>()?.to_vec();
    let (flags, end_stops) = (parts.next::<u32>()?.to_vec(), parts.next::<u32>()?.to_vec());
    let mut references = HashMap::new();
    for line in lines(parts.next::<u8>()?) {
        if let Some((name, codes)) = String::from_utf8_lossy(&line).split_once('\t') {
            let codes = codes.split(' ').filter_map(|code| code.parse().ok()).collect();
            references.insert(name.as_bytes().to_vec(), codes);
        }
    }
    let (classes, lower) = (parts.next::<u8>()?.to_vec(), parts.next::<u16>()?.to_vec());
    let [deepest] = parts.exactly::<i64, 1>()?;
    let fits = [starts.len(), flags.len(), end_stops.len()] == [names.len(); 3]
        && [classes.len(), lower.len()] == [0x1_0000; 2];
    let made = || Tables::new(names, starts, flags, end_stops, references, classes, lower, deepest as usize);
    fits.then(made).flatten()
}

/// Words to look for in start tags, a line each.
unsafe fn tag_words(parts: &mut Parts) -> Option<TagWords> {
    let lines: Vec<&[u8]> = parts.next::<u8>()?.split(|&byte| byte == b'\n').collect();
    TagWords::new(&lines)
}

/// What making articles must know: handles of the tables, of words of units, of words of pictures and of what may be units, and of
/// words of galleries, which the caller keeps; roles and sets by tag; the most tags of a fragment; numbers for pictures; words
/// of picture credits.
unsafe fn article_tables(parts: &mut Parts) -> Option<ArticleTables> {
    let [tables, units, words, galleries] = parts.exactly::<u64, 4>()?;
    Some(ArticleTables {
        tables: tables as *const Tables,
        units: units as *const TagWords,
        words: words as *const TagWords,
        galleries: galleries as *const TagWords,
        roles: parts.next::<u8>()?.to_vec(),
        sets: parts.next::<u16>()?.to_vec(),
        most_tags: parts.exactly::<i64, 1>()?[0] as usize,
        picture_settings: parts.exactly()?,
        credits: parts.next::<u8>()?.to_vec(),
    })
}

/// The rules of a template: numbers, and the texts whose lengths are among them.
unsafe fn rules(parts: &mut Parts) -> Option<Rules> {
    Rules::read(parts.next()?, parts.next()?)
}

/// The style sheets of `<style>` and `<link>` elements, in UTF-8 with NUL between them.
unsafe fn sheet(parts: &mut Parts) -> Option<Arc<Sheet>> {
    let mut css = StyleText::default();
    for element in std::str::from_utf8(parts.next()?).ok()?.split('\0') {
        css.add(element, None);
    }
    Some(Sheet::shared(&css.text))
}

/// Hashes of words, and for each as many weights as there are kinds of pages.
unsafe fn kind_words(parts: &mut Parts) -> Option<KindWords> {
    let (numbers, weights) = (parts.next::<u64>()?, parts.next::<f32>()?);
    let [kinds] = parts.exactly::<i64, 1>()?;
    (weights.len() == numbers.len() * kinds as usize).then(|| KindWords::new(numbers, weights, kinds as usize))
}

/// What features must know: kinds of marks by character; by tag (the last for those outside the standard) whether it is a layout
/// box, its set of `in_…`, its sets of `is_…` and of `inline_…`, its level as a heading; the number of <h1>.
unsafe fn look_tables(parts: &mut Parts) -> Option<LookTables> {
    Some(LookTables {
        marks: parts.next::<u8>()?.to_vec(),
        is_layout: parts.next::<u8>()?.to_vec(),
        around: parts.next::<u8>()?.to_vec(),
        own: parts.next::<u16>()?.to_vec(),
        inline: parts.next::<u8>()?.to_vec(),
        order: parts.next::<u8>()?.to_vec(),
        h1: parts.exactly::<i64, 1>()?[0],
    })
}

/// An expert: depth and bias of its trees; hashes and weights of names, then of cue words; features, borders and leaves of the
/// trees; then nine arrays for each network.
unsafe fn expert(parts: &mut Parts) -> Option<Expert> {
    let [depth] = parts.exactly::<i64, 1>()?;
    let [bias] = parts.exactly::<f32, 1>()?;
    let names = KnownWords::new(parts.next()?, parts.next()?);
    let cues = KnownWords::new(parts.next()?, parts.next()?);
    let trees = Trees::new(parts.next()?, parts.next()?, parts.next()?, depth as usize, bias, FEATURES)?;
    let mut networks = Vec::new();
    while let Some(border) = parts.next() {
        let arrays = NetworkArrays {
            border,
            bounds: parts.next()?,
            first: parts.next()?,
            bias: parts.next()?,
            messages: parts.next()?,
            attention: parts.next()?,
            update: parts.next()?,
            biases: parts.next()?,
            last: parts.next()?,
        };
        networks.push(Network::new(&arrays, FEATURES)?);
    }
    Some(Expert { names, cues, trees, networks })
}

/// Scripts and their stop words: the script of each block of 16 characters; the numbers of Latin, Hangul, Kana and Han; which
/// characters part words; when a language is clear (`Clearness`, seven numbers); how many scripts there are; lower cases. Then for
/// each script with stop words its number, the words (a line each), for each word the number of its languages, the borders of
/// those languages, the languages, and the weight of such a word for each.
unsafe fn detector(parts: &mut Parts) -> Option<LanguageDetector> {
    let by_block = parts.next::<u8>()?.to_vec();
    let [latin, hangul, kana, han] = parts.exactly::<i64, 4>()?.map(|script| script as usize);
    let parting = parts.next::<u8>()?.to_vec();
    let limits = parts.exactly::<f64, 7>()?;
    let [scripts] = parts.exactly::<i64, 1>()?;
    let lower = parts.next::<u16>()?;
    let clearness = Clearness {
        fewest: limits[0] as i64,
        shares: [(limits[1], limits[2]), (limits[3], limits[4])],
        kana: limits[5],
        weight: limits[6] as usize,
    };
    let named = EastAsian { latin, hangul, kana, han };
    let mut made = LanguageDetector::new(by_block, named, parting, clearness, scripts as usize)?;
    while let Some(script) = parts.next::<i64>() {
        let lines = parts.next::<u16>()?.split(|&unit| unit == u16::from(b'\n'));
        let those = parts.next::<i64>()?;
        let words: Vec<(Vec<u16>, usize)> =
            lines.zip(those).map(|(word, &those)| (word.to_vec(), those as usize)).collect();
        let (borders, languages, weights) = (parts.next::<i64>()?, parts.next::<i64>()?, parts.next::<f64>()?);
        let weighed: Vec<(usize, f64)> =
            languages.iter().zip(weights).map(|(&language, &weight)| (language as usize, weight)).collect();
        let sets = borders
            .windows(2)
            .map(|range| weighed.get(range[0] as usize..range[1] as usize).map(<[_]>::to_vec))
            .collect::<Option<Vec<_>>>()?;
        made.add_script(*script.first()? as usize, &words, sets, lower)?;
    }
    Some(made)
}
