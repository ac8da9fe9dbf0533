//! Chooses the URL of a picture from its start tag; unusual tags are left to the caller (`tidings.article.pictures.select.picture_of`).

use crate::block_rows::{is_plain_address, is_rooted};
use crate::units::{stands, Unit};

/// Of the names that are asked for: where those stand that say something else than an address.
pub const WIDTH: usize = 0;
pub const HEIGHT: usize = 1;
const SOURCE: usize = 2;
pub const ALTERNATIVE: usize = 3;
pub const STYLE: usize = 4;
/// Those with several addresses, and behind them those of what is loaded late.
const SETS: std::ops::Range<usize> = 5..8;
pub const FIRST_LATE: usize = 8;

/// Digits of a number.
const LONGEST: usize = 9;
/// What a size is told behind: so many blanks.
const MOST_BLANKS: usize = 40;

/// What is known of pictures that are none of a story.
pub struct NoStory<'a> {
    /// What is no wider, or no higher, counts visits; what is neither wider nor higher than the other is an icon.
    pub dot: i64,
    pub icon: i64,
    /// Words of addresses that may be those of logos and stand-ins, or of signs with which a story is sent on.
    pub furniture: Vec<&'a [u8]>,
    pub signs: Vec<&'a [u8]>,
    /// Whether addresses are relative to one as most are written.
    pub has_origin: bool,
}

/// What was found.
#[derive(PartialEq, Eq, Debug)]
pub enum Choice {
    /// The caller has to look.
    Unknown,
    Nothing,
    /// Whether it is a path of the site, and where it begins and ends in the source.
    At(bool, usize, usize),
}

/// What an `img` shows: `value` gives the range of an attribute in the source, by its number.
pub fn choose<U: Unit>(
    source: &[U],
    value: impl Fn(usize) -> Option<(usize, usize)>,
    names: usize,
    has_others: bool,
    known: &NoStory,
) -> Choice {
    let mut sizes = [None; 2];
    for (place, size) in [WIDTH, HEIGHT].iter().zip(&mut sizes) {
        if let Some((start, end)) = value(*place).filter(|(start, end)| start < end) {
            *size = Some(match number(&source[start..end]) {
                Some(number) => number,
                None => return Choice::Unknown,
            });
        }
    }
    let is_at_most = |most: i64| move |size: &Option<i64>| size.map_or(false, |size| size <= most);
    if sizes.iter().any(is_at_most(known.dot)) || sizes.iter().all(is_at_most(known.icon)) {
        return Choice::Nothing;
    }
    for late in (FIRST_LATE..names).filter_map(&value) {
        match judge(source, late, known) {
            Choice::Nothing => {}
            other => return other,
        }
    }
    for set in SETS.filter_map(&value) {
        if has_odd_references(&source[set.0..set.1]) {
            return Choice::Unknown;
        }
        let verdict = match largest(&source[set.0..set.1]) {
            Some((start, end)) => judge(source, (set.0 + start, set.0 + end), known),
            None => Choice::Unknown,
        };
        match verdict {
            Choice::Nothing => {}
            other => return other,
        }
    }
    if has_others {
        return Choice::Unknown;
    }
    value(SOURCE).map_or(Choice::Nothing, |range| judge(source, range, known))
}

/// A number of a few digits.
pub fn number<U: Unit>(text: &[U]) -> Option<i64> {
    if text.is_empty() || text.len() > LONGEST || !text.iter().all(|unit| unit.ascii().is_ascii_digit()) {
        return None;
    }
    Some(text.iter().fold(0, |number, unit| number * 10 + i64::from(unit.ascii() - b'0')))
}

/// Whether an address may be that of a picture of a story.
fn judge<U: Unit>(source: &[U], (start, end): (usize, usize), known: &NoStory) -> Choice {
    let text = &source[start..end];
    if text.is_empty() || text.iter().any(|unit| unit.is(b'{')) || begins(text, b"data:") {
        return Choice::Nothing;
    }
    if has_odd_references(text) {
        return Choice::Unknown;
    }
    let is_path = !is_plain_address(text);
    if is_path && !(known.has_origin && is_rooted(text)) {
        return Choice::Unknown;
    }
    let has = |words: &[&[u8]], some: &[U]| words.iter().any(|word| is_in(some, word));
    let path = &text[..U::find(text, 0, b'?').unwrap_or(text.len())];
    let is_sign = text.len() > 4 && (stands(text, text.len() - 4, b".svg") || stands(text, text.len() - 4, b".png"));
    if has(&known.furniture, path) || (is_sign && has(&known.signs, text)) {
        return Choice::Unknown;
    }
    Choice::At(is_path, start, end)
}

/// Whether some reference may change what an address is: of all only one does not.
fn has_odd_references<U: Unit>(text: &[U]) -> bool {
    let mut at = 0;
    while let Some(sign) = U::find(text, at, b'&') {
        if !begins(&text[sign..], b"&amp;") {
            return true;
        }
        at = sign + 1;
    }
    false
}

fn begins<U: Unit>(text: &[U], with: &[u8]) -> bool {
    text.len() >= with.len() && with.iter().zip(text).all(|(&byte, unit)| unit.is(byte))
}

/// Whether a word stands in a text of ASCII, case aside.
fn is_in<U: Unit>(text: &[U], word: &[u8]) -> bool {
    (0..(text.len() + 1).saturating_sub(word.len())).any(|at| stands(text, at, word))
}

/// The largest of several addresses of which each tells its size (`tidings.article.pictures.select.largest`), the first of equals;
/// nothing if they are written otherwise.
fn largest<U: Unit>(text: &[U]) -> Option<(usize, usize)> {
    if text.iter().any(|unit| unit.ascii() == 0xFF) {
        return None;
    }
    let is_space = |unit: &U| matches!(unit.ascii(), b'\t'..=b'\r' | 0x1C..=b' ');
    let count = |from: usize, is_meant: &dyn Fn(&U) -> bool| {
        from + text[from..].iter().take_while(|unit| is_meant(unit)).count()
    };
    let mut best: Option<((usize, usize), f64)> = None;
    let mut at = 0;
    loop {
        let start = count(at, &|unit| is_space(unit) || unit.is(b','));
        if start == text.len() {
            return best.map(|(range, _)| range);
        }
        let end = count(start, &|unit| !is_space(unit));
        let size = count(end, &|unit| matches!(unit.ascii(), b' ' | b'\n' | b'\t'));
        let whole = count(size, &|unit| unit.ascii().is_ascii_digit());
        let mut behind = whole;
        if text.get(whole).map_or(false, |unit| unit.is(b'.')) {
            behind = count(whole + 1, &|unit| unit.ascii().is_ascii_digit());
            if !(1..=LONGEST).contains(&(behind - whole - 1)) {
                return None;
            }
        }
        let is_told = !text[end - 1].is(b',')
            && (1..=MOST_BLANKS).contains(&(size - end))
            && (1..=LONGEST).contains(&(whole - size))
            && text.get(behind).map_or(false, |unit| matches!(unit.ascii(), b'w' | b'x'));
        if !is_told {
            return None;
        }
        let digits: String = text[size..behind].iter().map(|unit| char::from(unit.ascii())).collect();
        let told: f64 = digits.parse().ok()?;
        at = count(behind + 1, &|unit| unit.is(b' '));
        if at < text.len() && !text[at].is(b',') {
            return None;
        }
        if best.map_or(true, |(_, most)| told > most) {
            best = Some(((start, end), told));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(values: &[(usize, &str)], has_others: bool) -> Choice {
        let known = NoStory { dot: 2, icon: 48, furniture: vec![b"logo"], signs: vec![b"mail"], has_origin: true };
        let source: String = values.iter().map(|(_, value)| *value).collect();
        let range = |number: usize| {
            let mut start = 0;
            for (name, value) in values {
                if *name == number {
                    return Some((start, start + value.len()));
                }
                start += value.len();
            }
            None
        };
        choose(source.as_bytes(), range, 10, has_others, &known)
    }

    #[test]
    fn of_several_addresses_the_best_is_chosen() {
        assert_eq!(chosen(&[(2, "/a.jpg")], false), Choice::At(true, 0, 6));
        assert_eq!(chosen(&[(2, "/a.jpg"), (9, "http://b.example/c?d=e&amp;f")], false), Choice::At(false, 6, 34));
        assert_eq!(chosen(&[(2, "data:x"), (6, " /a 1.5x, /b 2x , /c 2x")], false), Choice::At(true, 16, 18));
        assert_eq!(chosen(&[(2, "data:x")], false), Choice::Nothing);
        assert_eq!(chosen(&[(9, "/{a}"), (2, "/b")], false), Choice::At(true, 4, 6));
        assert_eq!(chosen(&[], false), Choice::Nothing);
    }

    #[test]
    fn dots_and_icons_are_none() {
        assert_eq!(chosen(&[(0, "1"), (2, "/b")], false), Choice::Nothing);
        assert_eq!(chosen(&[(0, "48"), (1, "40"), (2, "/b")], false), Choice::Nothing);
        assert_eq!(chosen(&[(0, "48"), (1, "49"), (2, "/b")], false), Choice::At(true, 4, 6));
        assert_eq!(chosen(&[(0, ""), (2, "/b")], false), Choice::At(true, 0, 2));
    }

    #[test]
    fn what_is_written_otherwise_is_left_to_the_caller() {
        for (name, value) in [
            (2, "a.jpg"),
            (2, "/A-LOGO.jpg"),
            (2, "http://b.example/mail.SVG"),
            (2, "/a?b&quot;"),
            (2, "/\u{e9}"),
            (0, "10%"),
            (5, "/a, /b 2x"),
            (5, "/a 2w /b 2w"),
            (5, "/a 1.w"),
            (5, ""),
            (5, "/a&#44; 2w"),
        ] {
            assert_eq!(chosen(&[(name, value)], false), Choice::Unknown, "{}", value);
        }
        assert_eq!(chosen(&[(2, "/a")], true), Choice::Unknown);
        assert_eq!(chosen(&[(2, "/a"), (9, "/b")], true), Choice::At(true, 2, 4));
    }
}
