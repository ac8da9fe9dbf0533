//! Links that may lead to another page of a story (`tidings.fields.paging`).

use crate::columns::Columns;
use crate::needles::Word;
use crate::units::{is_space, Unit};

/// Digits in the number of a page, and letters of an ending behind it.
const DIGITS: usize = 3;
const ENDING: (usize, usize) = (3, 5);

/// The elements with one tag in whose start tags a name stands, and those of some others that hold one of some words; of
/// all these the ones that hold the number of the wanted page besides, or a word of `whole`.
///
/// Words are in small letters of ASCII; case does not count.
pub struct PageLinks<'a> {
    pub tag: i64,
    pub name: Option<Word<'a>>,
    pub words: Vec<Word<'a>>,
    pub whole: Vec<Word<'a>>,
    pub wanted: i64,
}

impl PageLinks<'_> {
    pub fn find<U: Unit>(&self, source: &[U], page: &Columns, others: &[i64]) -> Vec<i64> {
        let (bounds, opened) = (page.bounds(), page.opened());
        let mut others = others.iter().copied().peekable();
        let mut found = Vec::new();
        for (element, _) in page.tag().iter().enumerate().filter(|&(_, &own)| own == self.tag) {
            let is_other = others.next_if_eq(&(element as i64)).is_some();
            if !is_other && self.name.is_none() {
                continue;
            }
            let at = 2 * opened[element] as usize;
            let start_tag = &source[bounds[at + 1] as usize..bounds[at + 2] as usize];
            let has = |words: &[Word]| words.iter().any(|word| word.is_in(start_tag));
            let is_asked =
                (is_other && has(&self.words)) || self.name.as_ref().map_or(false, |name| name.is_in(start_tag));
            if is_asked && (is_numbered(start_tag, self.wanted) || has(&self.whole)) {
                found.push(element as i64);
            }
        }
        found
    }
}

/// Whether the number of some page stands in a tag: behind a letter or a sign, at the end of an address or of its path.
fn is_numbered<U: Unit>(tag: &[U], wanted: i64) -> bool {
    let mut at = 1;
    while at < tag.len() {
        let digits = tag[at..].iter().take_while(|unit| unit.ascii().is_ascii_digit()).count();
        let before = tag[at - 1].ascii();
        let is_begun = before.is_ascii_alphabetic() || matches!(before, b'-' | b'_' | b',' | b'/' | b'=');
        if (1..=DIGITS).contains(&digits) && is_begun {
            let number =
                tag[at..at + digits].iter().fold(0, |number, unit| number * 10 + i64::from(unit.ascii() - b'0'));
            if number == wanted && is_end(&tag[at + digits..]) {
                return true;
            }
        }
        at += digits.max(1);
    }
    false
}

fn is_end<U: Unit>(behind: &[U]) -> bool {
    let ends = |unit: Option<&U>, signs: &[u8]| {
        unit.map_or(false, |unit| is_space(unit.code()) || signs.contains(&unit.ascii()))
    };
    match behind.first().map(|unit| unit.ascii()) {
        Some(b'/') => ends(behind.get(1), b"\"'>&#?"),
        Some(b'.') => {
            let letters = behind[1..].iter().take_while(|unit| unit.ascii().is_ascii_alphabetic()).count();
            (ENDING.0..=ENDING.1).contains(&letters) && ends(behind.get(1 + letters), b"\"'>?")
        }
        _ => ends(behind.first(), b"\"'>&#?"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_pages_stand_at_ends() {
        for tag in ["/2\">", "p2/'", "-02.html\"", "=2&x", "page-002#a", "_2 ", "1/a/3/2>"] {
            assert!(is_numbered(tag.as_bytes(), 2), "{}", tag);
            assert!(!is_numbered(tag.as_bytes(), 3), "{}", tag);
        }
        for tag in [
            "2\">",
            "/0002\">",
            "/2.ht\"",
            "/2.abcdef\"",
            "+2\">",
            "/2.html",
            "/2x\"",
            "/2//",
            "/2",
            "",
            "/2.a-b\"",
            "/22>",
        ] {
            assert!(!is_numbered(tag.as_bytes(), 2), "{}", tag);
        }
        assert!(is_numbered(&[0x70_u16, 0x32, 0x2003], 2) && !is_numbered(&[0x161_u16, 0x32, 0x22], 2));
    }
}
