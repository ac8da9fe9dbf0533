//! Tests the exported functions as Python calls them, so that a sanitiser sees the calls.

use std::os::raw::c_void;
use std::ptr::{null, null_mut};

use super::{words::*, *};
use crate::samples;
use crate::tag_words::TagWords;

/// Scan a page as Python does.
unsafe fn scanned(tables: &Tables, page: &str) -> (*mut Columns, [u64; HEAD + COLUMNS + 1]) {
    let mut out = [0u64; HEAD + COLUMNS + 1];
    assert_eq!(tidings_scan(tables, page.as_ptr(), page.len(), 0, 0, 1000, null(), out.as_mut_ptr()), 0);
    (out[0] as *mut Columns, out)
}

#[test]
fn a_page_crosses_and_is_freed_in_every_width() {
    let tables = samples::tables();
    for (width, sign) in [(1, "\u{f6}"), (2, "\u{201c}"), (4, "\u{1f600}")] {
        let page = format!("<p>one <a href=x>two</a><x-y>three &amp; {}<pre> 5", sign);
        let (columns, out) = unsafe { scanned(&tables, &page) };
        assert_eq!((out[12] as usize, out[13]), (page.chars().count(), width));
        let text = unsafe { slice(out[3] as *const u32, out[5] as usize) };
        let text: String = text.iter().filter_map(|&code| char::from_u32(code)).collect();
        assert_eq!(text, format!("one twothree & {}\n 5", sign));
        assert_eq!(unsafe { slice(out[4] as *const u8, out[6] as usize) }, b"x-y\n");
        unsafe { handles::tidings_free(handles::PAGE, columns.cast()) };
    }
}

#[test]
fn bytes_that_are_not_utf8_are_refused() {
    let (tables, page) = (samples::tables(), b"<p>\xff");
    let mut out = [0u64; HEAD + COLUMNS + 1];
    for (width, characters) in [(0, 0), (1, 4), (2, 4), (1, 3), (1, 9), (3, 4)] {
        let (start, size, out) = (page.as_ptr(), page.len(), out.as_mut_ptr());
        let refusal = unsafe { tidings_scan(&tables, start, size, width, characters, 1000, null(), out) };
        assert_eq!(refusal, PANICKED);
    }
    assert_eq!(out[0], 0);
}

#[test]
fn words_of_start_tags_cross() {
    let tables = samples::tables();
    let page = "<p class=Author>one<script msg>author</script><br author></p><p class=Author>two<b>";
    let wide = format!("{}<!--\u{1f600}-->", page);
    let line = b"author\nclass=";
    let words = unsafe { new::tidings_new(handles::TAG_WORDS, &part(line), 1) } as *const TagWords;
    for page in [page, &wide] {
        let (columns, _) = unsafe { scanned(&tables, page) };
        let mut held = [9u64; 6];
        assert_eq!(unsafe { (*columns).tag().len() }, held.len());
        assert_eq!(unsafe { tidings_tag_words(columns, &tables, words, null(), 0, held.as_mut_ptr(), null_mut()) }, 0);
        assert_eq!(held, [0, 0b11, 0, 0b01, 0b11, 0]);
        let tag = i64::from(samples::tag(&tables, "br"));
        assert_eq!(
            unsafe { tidings_tag_words(columns, &tables, words, null(), tag, held.as_mut_ptr(), null_mut()) },
            0
        );
        assert_eq!(held, [0, 0, 0, 0b01, 0, 0]);
        let (mut found, mut sizes, boxes) = ([9u64; 24], [9u64; 3], [0u8]);
        let told = (found.as_mut_ptr(), held.as_mut_ptr(), sizes.as_mut_ptr());
        let asked = (boxes.as_ptr(), boxes.len());
        let refusal = unsafe {
            tidings_elements_with_words(columns, &tables, words, words, asked.0, asked.1, told.0, told.1, told.2)
        };
        assert_eq!((refusal, sizes), (0, [3, 2, 0b11]));
        assert_eq!(found[..10], [1, 3, 4, 0b11, 0b01, 0b11, 1, 4, 0b11, 0b11]); // nothing is shown in <br>
        assert_eq!(held, [0, 0b11, 0, 0b01, 0b11, 0]);
        unsafe { handles::tidings_free(handles::PAGE, columns.cast()) };
    }
    unsafe { handles::tidings_free(handles::TAG_WORDS, words as *mut c_void) };
}

#[test]
fn a_page_that_is_too_large_leaves_nothing_behind() {
    let tables = samples::tables();
    let mut out = [0u64; HEAD + COLUMNS + 1];
    let page = b"<p>";
    let size = i32::MAX as usize; // refused before it is read
    let refusal = unsafe { tidings_scan(&tables, page.as_ptr(), size, 0, 0, 1000, null(), out.as_mut_ptr()) };
    assert_eq!(refusal, PANICKED);
    assert!(out.iter().all(|&number| number == 0));
}

fn part<T>(items: &[T]) -> new::Part {
    new::Part { address: items.as_ptr().cast(), size: items.len() }
}

#[test]
fn an_expert_that_does_not_fit_is_null() {
    let (number, weight) = ([3u64], [0.5f64]);
    let (border, leaf, bias) = ([0f32], [0f32, 1.0], [0f32]);
    let made = |feature: u16, depth: i64, more: usize| {
        let (features, depths) = ([feature], [depth]);
        let mut parts = vec![part(&depths), part(&bias)];
        for _ in 0..2 {
            parts.extend([part(&number), part(&weight)]);
        }
        parts.extend([part(&features), part(&border), part(&leaf)]);
        parts.extend((0..more).map(|_| part::<f32>(&[])));
        unsafe { new::tidings_new(handles::EXPERT, parts.as_ptr(), parts.len()) }
    };
    let expert = made(0, 1, 0);
    assert!(!expert.is_null());
    unsafe { handles::tidings_free(handles::EXPERT, expert) };
    assert!(made(u16::MAX, 1, 0).is_null());
    assert!(made(0, 2, 0).is_null());
    assert!(made(0, 1, 1).is_null(), "part of a network");
    assert!(made(0, 1, 9).is_null(), "a network without weights");
    assert!(unsafe { new::tidings_new(handles::EXPERT, std::ptr::null(), 0) }.is_null());
    assert!(unsafe { new::tidings_new(99, std::ptr::null(), 0) }.is_null());
}

#[test]
fn empty_arrays_of_the_caller_have_no_address() {
    let expected =
        unsafe { choice::tidings_choose(std::ptr::null(), std::ptr::null(), 0, 1.0, false, 0.0, 0.0, null_mut()) };
    assert_eq!(expected, 0.0);
}
