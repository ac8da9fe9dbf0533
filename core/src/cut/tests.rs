//! Tests the cutter of sites.

use super::*;

/// Numbers and texts of a template with one rule, for the element of a tag and, if there is one, a class.
fn written(tag: &[u8], class: &[u8]) -> (Vec<i64>, Vec<u8>) {
    let (tag_size, size) = (tag.len() as i64, class.len() as i64);
    let mut numbers = vec![0, 0, 0, 0]; // not several, no markers
    numbers.extend([1, 7, 1, 0, 0, 0, 0, 1000, 0, 0, 0]); // one rule of number 7 for the main text, no delimiters
    numbers.extend([1, tag_size, size]);
    if class.is_empty() {
        numbers.push(0);
    } else {
        numbers.extend([1, 1, 5, size]);
    }
    numbers.extend([0, 0, 0, 0, 0]); // inside nothing, no path, no noise, no fields, nothing repeated
    let texts = if class.is_empty() { tag.to_vec() } else { [tag, class, b"class", class].concat() };
    (numbers, texts)
}

fn cut(tag: &str, class: &str, page: &str) -> Vec<i64> {
    let (numbers, texts) = written(tag.as_bytes(), class.as_bytes());
    Rules::read(&numbers, &texts).expect("whole rules").cut(page.as_bytes(), None).numbers
}

#[test]
fn an_element_is_cut_out_with_its_tags() {
    assert_eq!(cut("div", "a", "x<div class='b a'>y<div>z</div></div>w"), [0, 0, 0, 1, 1, 37, 0]);
    assert_eq!(cut("p", "", "<style>p{}</style><P>y</P><base>"), [0, 1, 0, 1, 18, 26, 1, 0, 10]);
}

#[test]
fn doubts_tell_which_rule_and_why() {
    assert_eq!(cut("div", "a", "<div class=b>"), [Mismatch::NoMatch as i64, 7]);
    assert_eq!(cut("div", "a", "<div class=a></div><div class=a></div>"), [Mismatch::TwoMatches as i64, 7]);
    assert_eq!(cut("div", "a", "<div class=a><div></div>"), [Mismatch::NeverClosed as i64, 7]);
}

#[test]
fn rules_that_are_not_whole_are_none() {
    let (numbers, texts) = written(b"div", b"a");
    for end in 0..numbers.len() {
        assert!(Rules::read(&numbers[..end], &texts).is_none());
    }
    for end in 0..texts.len() {
        assert!(Rules::read(&numbers, &texts[..end]).is_none());
    }
    assert!(Rules::read(&numbers, &[&texts[..], b"x"].concat()).is_none());
}

#[test]
fn no_beginning_of_a_page_is_too_short() {
    let page =
        "<table><tr><td class='a b' c><!-- <td> --><script>'</td>'</script><td class=\"a\">x</table><div class = a>";
    for (tag, class) in [("td", "a"), ("td", ""), ("tr", ""), ("", "a"), ("div", "a"), ("script", "")] {
        for end in 0..=page.len() {
            let found = cut(tag, class, &page[..end]);
            assert!(found.len() >= 2);
        }
    }
}
