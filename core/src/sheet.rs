//! What the `<style>` elements of a page say of single start tags (`tidings.page.style_sheet`).

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cascade::Answers;
use crate::css_text::{plain_css, without_comments, without_strings};
use crate::lengths::{is_name_byte, lower, strip};
use crate::media::{condition, ALWAYS, NESTED, NEVER};
use crate::scatter::Map;
use crate::units::is_space;

/// Characters of style sheets that are read.
const LONGEST: usize = 4_000_000;

/// Where a selector and its block stand in the text, when it holds, and its place in the sheet.
#[derive(Clone, Copy)]
pub struct Written {
    pub selector: (u32, u32),
    pub block: (u32, u32),
    pub holds: i8,
    pub place: u32,
}

/// The rules of style sheets, by the names that they are about: `p`, `.note`, `#top`.
#[derive(Default)]
pub struct Sheet {
    pub css: String,
    pub numbers: Map<String, u32>,
    /// By the number of a name; empty for names that rules ask for together with others only.
    pub written: Vec<Vec<Written>>,
    pub moving: HashSet<String>,
    /// The text that it was read from, where it is kept for those who ask again.
    key: String,
    /// What start tags were found to hide and to take back, for those who ask again and again.
    answers: Mutex<Map<String, (u8, u8)>>,
    /// What the last page asked of its rules.
    asked: Mutex<Answers>,
}

/// Sheets that were read last, the latest first: those of a site are the same on many of its pages.
static KEPT: Mutex<Vec<Arc<Sheet>>> = Mutex::new(Vec::new());
const MOST_KEPT: usize = 32;
/// Bytes of a sheet that is kept, and of all of them.
const LARGEST_KEPT: usize = 2_000_000;
const ALL_KEPT: usize = 4_000_000;
thread_local! {
    static NONE: Arc<Sheet> = Arc::new(Sheet::default());
}
/// Start tags of which is remembered what they hide.
const MOST_ANSWERS: usize = 1024;

/// What a lock holds; what a thread left that panicked is whole, for nothing is changed in two steps.
pub fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A brace that is none: the sheet is read again without its strings.
struct BraceInString;

impl Sheet {
    pub fn new(css: &str) -> Sheet {
        let mut css = css;
        if css.len() > LONGEST {
            css = css.char_indices().nth(LONGEST).map_or(css, |(end, _)| &css[..end]);
        }
        if css.is_empty() {
            return Sheet::default();
        }
        Sheet::read(without_comments(css)).unwrap_or_else(|_| {
            Sheet::read(without_strings(css)).unwrap_or_default() // strings are gone, and so are their braces
        })
    }

    /// The same, read once for all pages that have the same sheets.
    pub fn shared(css: &str) -> Arc<Sheet> {
        if css.len() > LARGEST_KEPT {
            return Arc::new(Sheet::new(css));
        }
        if let Some(known) = Sheet::kept(|key| key == css) {
            return known;
        }
        let made = Arc::new(Sheet { key: css.into(), ..Sheet::new(css) });
        let mut kept = locked(&KEPT);
        kept.truncate(MOST_KEPT - 1);
        kept.insert(0, Arc::clone(&made));
        while kept.iter().map(|sheet| sheet.key.len()).sum::<usize>() > ALL_KEPT {
            kept.pop();
        }
        made
    }

    /// One without rules.
    pub fn none() -> Arc<Sheet> {
        NONE.with(Arc::clone)
    }

    /// One of those that were read last, by the text that it was read from.
    pub fn kept(is_it: impl Fn(&str) -> bool) -> Option<Arc<Sheet>> {
        let mut kept = locked(&KEPT);
        let place = kept.iter().position(|sheet| is_it(&sheet.key))?;
        kept[..=place].rotate_right(1);
        Some(Arc::clone(&kept[0]))
    }

    /// What a start tag hides and takes back, asked of `find` once.
    pub fn answer(&self, tag: &str, find: impl FnOnce() -> Option<(u8, u8)>) -> Option<(u8, u8)> {
        if let Some(&found) = locked(&self.answers).get(tag) {
            return Some(found);
        }
        let found = find()?;
        let mut answers = locked(&self.answers);
        if answers.len() >= MOST_ANSWERS {
            answers.clear();
        }
        answers.insert(tag.into(), found);
        Some(found)
    }

    /// What was asked of it before; whoever asks at the same time begins anew.
    pub fn take_answers(&self) -> Answers {
        std::mem::take(&mut *locked(&self.asked))
    }

    /// Leave answers to those who ask next.
    pub fn leave(&self, answers: Answers) {
        *locked(&self.asked) = answers;
    }

    pub fn is_empty(&self) -> bool {
        self.written.iter().all(Vec::is_empty)
    }

    fn read(css: String) -> Result<Sheet, BraceInString> {
        let mut reading = Reading {
            css: &css,
            sheet: Sheet::default(),
            around: Vec::new(),
            inside: ALWAYS,
            place: 0,
            conditions: Map::default(),
        };
        reading.all()?;
        let mut sheet = reading.sheet;
        sheet.moving = keyframes(&css);
        sheet.css = css;
        Ok(sheet)
    }

    fn number(&mut self, name: Cow<str>) -> usize {
        if let Some(&number) = self.numbers.get(&*name) {
            return number as usize;
        }
        let number = self.written.len();
        self.numbers.insert(name.into_owned(), number as u32);
        self.written.push(Vec::new());
        number
    }

    fn add(&mut self, css: &str, selectors: (usize, usize), block: (usize, usize), holds: i8, place: u32) {
        let mut start = selectors.0;
        for part in css[selectors.0..selectors.1].split(',') {
            let selector = strip(part);
            let at = start + (part.len() - part.trim_start_matches(|letter: char| is_space(letter as u32)).len());
            start += part.len() + 1;
            let bytes = selector.as_bytes();
            if bytes.is_empty() {
                continue;
            }
            let is_escaped = bytes.contains(&b'\\');
            // What asks for more than one start tag tells is most of a sheet, and has a space or a colon in it.
            if !is_escaped && bytes.iter().any(|byte| matches!(byte, b' ' | b':')) {
                continue;
            }
            let written = Written {
                selector: (at as u32, (at + selector.len()) as u32),
                block: (block.0 as u32, block.1 as u32),
                holds,
                place,
            };
            if is_escaped || bytes[1..].iter().any(|byte| matches!(byte, b'.' | b'#')) {
                if let Some(parts) = parts(selector) {
                    let mut last = 0;
                    for (sign, name) in parts {
                        last = self.number(need(sign, name).into());
                    }
                    self.written[last].push(written);
                }
            } else if is_one_name(bytes) {
                let name: Cow<str> = if matches!(bytes[0], b'.' | b'#') { selector.into() } else { lower(selector) };
                let number = self.number(name);
                self.written[number].push(written);
            }
        }
    }
}

/// Whether a selector without escapes asks for one name, class or id.
fn is_one_name(selector: &[u8]) -> bool {
    let name = match selector {
        [b'.' | b'#', name @ ..] => name,
        name => name,
    };
    !name.is_empty() && name.iter().all(|&byte| byte >= 0x80 || is_name_byte(byte))
}

/// The name that a part of a selector asks for.
pub fn need(sign: Option<char>, name: &str) -> String {
    match sign {
        Some(sign) => format!("{}{}", sign, plain_css(name)),
        None => lower(name).into_owned(),
    }
}

pub type Part<'a> = (Option<char>, &'a str);

/// The parts of a selector that asks for names, classes and ids only.
pub fn parts(selector: &str) -> Option<Vec<Part<'_>>> {
    let bytes = selector.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let sign = match bytes[at] {
            sign @ (b'.' | b'#') => Some(sign as char),
            _ => None,
        };
        let start = at + usize::from(sign.is_some());
        at = start;
        while at < bytes.len() {
            match bytes[at] {
                b'\\' => {
                    let digits = bytes[at + 1..].iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
                    if digits > 0 {
                        at += 1 + digits;
                        at += usize::from(matches!(bytes.get(at), Some(9..=13 | 32)));
                    } else {
                        match selector[at + 1..].chars().next() {
                            Some(letter) if letter != '\n' => at += 1 + letter.len_utf8(),
                            _ => break,
                        }
                    }
                }
                byte if byte >= 0x80 || is_name_byte(byte) => at += 1,
                _ => break,
            }
        }
        if at == start {
            return None;
        }
        found.push((sign, &selector[start..at]));
    }
    Some(found)
}

/// A sheet while it is read.
struct Reading<'a> {
    css: &'a str,
    sheet: Sheet,
    /// What is open: a selector or condition, when it holds itself, and when what is around it does.
    around: Vec<((usize, usize), i8, i8)>,
    inside: i8,
    place: u32,
    /// When conditions hold: the same few stand before many rules.
    conditions: Map<&'a str, i8>,
}

fn is_odd(bytes: &[u8], quote: u8) -> bool {
    bytes.iter().fold(false, |is_odd, &byte| is_odd ^ (byte == quote))
}

fn has_open_string(text: &str) -> bool {
    is_odd(text.as_bytes(), b'"') || is_odd(text.as_bytes(), b'\'')
}

impl<'a> Reading<'a> {
    fn all(&mut self) -> Result<(), BraceInString> {
        let css = self.css;
        let mut start = 0;
        for chunk in css.split('}') {
            let end = start + chunk.len();
            if has_open_string(chunk) {
                return Err(BraceInString);
            }
            match chunk.rfind('{') {
                Some(brace) => self.rule(start, start + brace, end)?,
                None => {
                    if let Some((selector, holds, inside)) = self.around.pop() {
                        self.inside = inside;
                        if holds == NESTED && !strip(chunk).is_empty() {
                            // Declarations behind a rule inside the rule.
                            self.sheet.add(css, selector, (start, end), inside, self.place);
                        }
                    }
                }
            }
            start = end + 1;
        }
        Ok(())
    }

    /// What is before a brace, maybe several, and the block behind it.
    fn rule(&mut self, start: usize, brace: usize, end: usize) -> Result<(), BraceInString> {
        let css = self.css;
        let mut head = (start, brace);
        let text = &css[start..brace];
        if text.bytes().any(|byte| matches!(byte, b'{' | b';')) {
            if has_open_string(text) {
                return Err(BraceInString);
            }
            let last = text.rfind('{');
            if let Some(last) = last {
                let mut from = start;
                for one in css[start..start + last].split('{') {
                    let prelude = self.before(from, from + one.len());
                    let prelude_text = &css[prelude.0..prelude.1];
                    let holds = *self.conditions.entry(prelude_text).or_insert_with(|| condition(prelude_text));
                    self.around.push((prelude, holds, self.inside));
                    self.inside = self.inside.min(holds);
                    from += one.len() + 1;
                }
            }
            head = self.before(last.map_or(start, |last| start + last + 1), brace);
        }
        self.place += 1;
        if self.inside > NEVER {
            self.sheet.add(css, head, (brace + 1, end), self.inside, self.place);
        }
        Ok(())
    }

    /// What stands before a brace, without statements and declarations before it.
    fn before(&mut self, start: usize, end: usize) -> (usize, usize) {
        let css = self.css;
        let text = &css[start..end];
        let mut from = start;
        if let Some(sign) = text.rfind(';') {
            from = start + sign + 1;
            if let Some(&(selector, NESTED, inside)) = self.around.last() {
                if sign > 0 && inside > NEVER {
                    self.sheet.add(css, selector, (start, start + sign), inside, self.place);
                }
            }
        }
        let is_blank = |letter: char| is_space(letter as u32);
        let text = &css[from..end];
        let lead = text.len() - text.trim_start_matches(is_blank).len();
        (from + lead, from + lead + strip(text).len())
    }
}

/// The names of animations.
fn keyframes(css: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    let bytes = css.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let blanks = |from: usize| from + bytes[from..].iter().take_while(|byte| matches!(byte, 9..=13 | 32)).count();
    for (sign, _) in css.match_indices('@') {
        let mut at = sign + 1;
        if bytes.get(at) == Some(&b'-') {
            let size = bytes[at + 1..].iter().take_while(|&&byte| is_word(byte)).count();
            if size == 0 || bytes.get(at + 1 + size) != Some(&b'-') {
                continue;
            }
            at += size + 2;
        }
        if !bytes.get(at..at + 9).map_or(false, |name| name.eq_ignore_ascii_case(b"keyframes")) {
            continue;
        }
        let start = blanks(at + 9);
        let end = start + bytes[start..].iter().take_while(|&&byte| is_name_byte(byte)).count();
        if start > at + 9 && end > start && bytes.get(blanks(end)) == Some(&b'{') {
            found.insert(lower(&css[start..end]).into_owned());
        }
    }
    if !found.is_empty() && !css.contains("keyframes") {
        found.clear(); // written in capitals alone
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cascade::Asked;
    use crate::hiding::hiding;
    use crate::media::*;

    /// What sheets say of a tag with such classes.
    fn ways(css: &str, name: &str, class: &str) -> u8 {
        let sheet = Sheet::new(css);
        let mut asked = Asked::new(&sheet);
        let known = asked.known(name, Some(class), Some("top"));
        let merged = asked.merged(known);
        hiding(&merged.all(), name, |one| asked.is_moving(one)).0
    }

    #[test]
    fn rules_for_names_classes_and_ids_count() {
        for css in [
            "p{display:none}",
            ".a{display:none}",
            "#top{display:none}",
            "P.a , i{display:none}",
            "/* x */.a/* y */{display:none}",
            "@media screen{.a{display:none}}",
            "@layer x{.a{display:none}}",
            "@import url(x);.a{display:none}",
            ".\\61{display:none}",
            ".a{&:hover{color:red}display:none}",
            ".x{content:'}'}.a{display:none}",
            "@keyframes rise{from{top:0}}.a{opacity:0}",
        ] {
            assert_eq!(ways(css, "p", "a b"), 1, "{}", css);
        }
    }

    #[test]
    fn rules_for_others_do_not() {
        for css in [
            "",
            ".a .c{display:none}",
            ".a:hover{display:none}",
            ".a[b]{display:none}",
            ".a.c{display:none}",
            "@media print{.a{display:none}}",
            "@media (max-width:600px){.a{display:none}}",
            "@font-face{display:none}",
            ".a{display:none}p.b{display:block}",
            ".a{display:none}.b{display:block}",
            "@keyframes rise{from{top:0}}.a{opacity:0;animation:rise 1s}",
            ".a{display:none",
        ] {
            let expected = u8::from(css == ".a{display:none");
            assert_eq!(ways(css, "p", "a b"), expected, "{}", css);
        }
    }

    #[test]
    fn conditions_hold_on_the_screens_of_readers() {
        assert_eq!(media_holds("print"), NEVER);
        assert_eq!(media_holds("print, screen"), ALWAYS);
        assert_eq!(media_holds("(min-width: 300px)"), ALWAYS);
        assert_eq!(media_holds("(width>=600px)"), SOMETIMES);
        assert_eq!(media_holds("only screen and (max-device-width:100px)"), NEVER);
        assert_eq!(media_holds("(prefers-color-scheme: dark)"), SOMETIMES);
        assert_eq!(media_holds(" "), ALWAYS);
    }

    #[test]
    fn many_rules_for_one_name_are_joined() {
        let css = ".a{color:red}".repeat(200) + ".a{display:none}";
        assert_eq!(ways(&css, "p", "a"), 1);
    }
}
