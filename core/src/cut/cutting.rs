//! What rules cut out of a page, told in numbers.

use crate::anchors::Range;
use crate::block_texts::BlockTexts;
use crate::needles::starts_of;
use crate::references::unescape;
use crate::tables::Tables;
use crate::units::is_space;

/// Bytes in which the language of the page is looked for, and those of the tag that declares it.
const ROOT: usize = 4096;
const LONGEST_ROOT: usize = 999;

/// What rules cut out of a page.
pub struct Cutting {
    /// 0, whether there may be a `<base>`, the language that the root declares (`declared_language`), then ranges with
    /// their count before them, of the main text, of the style sheets and of each rule for a field; where texts are told
    /// in place of ranges, their count below zero and where each ends. Or why the rules do not fit, and which.
    pub numbers: Vec<i64>,
    /// What fields say, one behind the other.
    pub said: Vec<u32>,
    /// What the main text says.
    pub text: Option<BlockTexts>,
}

impl Cutting {
    pub fn of(numbers: Vec<i64>) -> Self {
        Cutting { numbers, said: Vec::new(), text: None }
    }

    /// Tell what pieces of a field say; where they stand, if one of them is left to Python.
    pub fn tell(&mut self, data: &[u8], ranges: &[Range], tables: &Tables) {
        let (numbers, said) = (self.numbers.len(), self.said.len());
        self.numbers.push(-(ranges.len() as i64));
        for &(start, end) in ranges {
            if say(&data[start..end], tables, &mut self.said).is_none() {
                self.numbers.truncate(numbers);
                self.said.truncate(said);
                return put(&mut self.numbers, ranges);
            }
            self.numbers.push(self.said.len() as i64);
        }
    }
}

/// Put the text of a piece without tags behind `out`, white space folded; nothing if it has some, or is no UTF-8.
fn say(piece: &[u8], tables: &Tables, out: &mut Vec<u32>) -> Option<()> {
    if piece.contains(&b'<') {
        return None;
    }
    let mut codes: Vec<u32> = std::str::from_utf8(piece).ok()?.chars().map(u32::from).collect();
    if piece.contains(&b'&') {
        let mut read = Vec::with_capacity(codes.len());
        unescape(&codes, tables, &mut read).ok()?;
        codes = read;
    }
    let first = out.len();
    for word in codes.split(|&code| is_space(code)).filter(|word| !word.is_empty()) {
        if out.len() > first {
            out.push(u32::from(b' '));
        }
        out.extend_from_slice(word);
    }
    Some(())
}

/// The two letters of the language that the root element declares among the first bytes of a page, as one number; 0 if it
/// declares none (`tidings.sites.cut`).
pub fn declared_language(data: &[u8]) -> i64 {
    let data = &data[..data.len().min(ROOT)];
    let blanks = |at: usize| data[at..].iter().take_while(|&&byte| is_blank(byte)).count();
    let is_letter = |at: usize| data.get(at).map_or(false, u8::is_ascii_alphabetic);
    let value = |at: usize| {
        let rest = data.get(at + 1..).filter(|_| is_blank(data[at]))?;
        if !rest.get(..4)?.eq_ignore_ascii_case(b"lang") {
            return None;
        }
        let equals = at + 5 + blanks(at + 5);
        let start = if data.get(equals)? == &b'=' { equals + 1 + blanks(equals + 1) } else { return None };
        let start = start + usize::from(matches!(data.get(start), Some(b'"' | b'\'')));
        let is_value = is_letter(start) && is_letter(start + 1) && !is_letter(start + 2);
        if is_value {
            Some(i64::from(data[start]) << 8 | i64::from(data[start + 1]))
        } else {
            None
        }
    };
    starts_of(data, b"<html")
        .into_iter()
        .map(|place| place + 5)
        .filter(|&behind| !data.get(behind).map_or(false, |&byte| byte.is_ascii_alphanumeric() || byte == b'_'))
        .find_map(|behind| {
            let inner = data[behind..].iter().take(LONGEST_ROOT).take_while(|&&byte| byte != b'>').count();
            (behind..data.len().min(behind + inner + 1)).find_map(value)
        })
        .unwrap_or(0)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, 9..=13 | b' ')
}

/// Put ranges behind their count.
pub fn put(out: &mut Vec<i64>, ranges: &[Range]) {
    out.push(ranges.len() as i64);
    for &(start, end) in ranges {
        out.extend([start as i64, end as i64]);
    }
}
