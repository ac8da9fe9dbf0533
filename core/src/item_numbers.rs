//! Numbers the items of ordered lists as a browser does (HTML standard, 4.4.5 and 4.4.8).

use crate::block_texts::{Reading, COUNTED, ITEM, NUMBERED};
use crate::data_tables::{tag_holds, tag_text};
use crate::start_tag::attributes;
use crate::units::Unit;
use crate::written::Written;

/// Digits of an integer that is read: a browser's are 32 bits.
const LONGEST: usize = 9;

/// The integer that an attribute begins with, as the standard reads it: white space, a sign, digits, then anything.
pub fn integer(text: &str) -> Option<i64> {
    let text = text.trim_start_matches([' ', '\t', '\n', '\u{c}', '\r']);
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let size = digits.bytes().take_while(u8::is_ascii_digit).count();
    if size == 0 || size > LONGEST {
        return None;
    }
    let number: i64 = digits[..size].parse().ok()?;
    Some(if text.starts_with('-') { -number } else { number })
}

/// The items of ordered lists with their numbers, in order.
pub fn item_numbers<U: Unit>(written: &Written<U>, reading: &Reading) -> Vec<(i64, i64)> {
    let page = reading.page;
    let elements = page.tag().len();
    if !(1..elements).any(|element| reading.is(element, NUMBERED)) {
        return Vec::new();
    }
    let lists = reading.nearest(COUNTED);
    let owner_of = |element: usize| lists[reading.parent(element)];
    let items =
        || (1..elements).filter(|&element| reading.is(element, ITEM) && reading.is(owner_of(element), NUMBERED));
    let mut sizes = vec![0i64; elements];
    items().for_each(|item| sizes[owner_of(item)] += 1);
    // Of each list the number of the next item, and how far the one behind it is.
    let mut following: Vec<Option<(i64, i64)>> = vec![None; elements];
    let mut numbers = Vec::new();
    for item in items() {
        let owner = owner_of(item);
        let (next, step) = following[owner].unwrap_or_else(|| first(written, reading, owner, sizes[owner]));
        let own = if tag_holds(written.source, page, item, b"value") {
            attributes(&tag_text(written, page, item), Some(written.tables)).get("value").and_then(integer)
        } else {
            None
        };
        let number = own.unwrap_or(next);
        numbers.push((item as i64, number));
        following[owner] = Some((number + step, step));
    }
    numbers
}

/// The number of the first item of a list of some items, and how far the next is from it.
fn first<U: Unit>(written: &Written<U>, reading: &Reading, list: usize, size: i64) -> (i64, i64) {
    let holds = |word: &[u8]| tag_holds(written.source, reading.page, list, word);
    if !holds(b"start") && !holds(b"reversed") {
        return (1, 1);
    }
    let tag = attributes(&tag_text(written, reading.page, list), Some(written.tables));
    let step = if tag.get("reversed").is_some() { -1 } else { 1 };
    let start = tag.get("start").and_then(integer);
    (start.unwrap_or(if step < 0 { size } else { 1 }), step)
}

#[cfg(test)]
mod tests {
    use super::integer;

    #[test]
    fn integers_are_read_as_the_standard_does() {
        let read = [" 7", "-3x", "+2", "1234567890", "", "x1", "- 1"].map(integer);
        assert_eq!(read, [Some(7), Some(-3), Some(2), None, None, None, None]);
    }
}
