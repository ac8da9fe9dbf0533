//! Parses the text of style sheets: at-rules, nested rules, selector lists and keyframes.

use crate::hiding::{hides, Animation};
use crate::keyed_hash::Map;
use crate::lengths::{is_name_byte, lower, strip};
use crate::media::{condition, ALWAYS, NEVER};
use crate::selector_parser::split_list;
use crate::sheet::{Sheet, Written, UNLAYERED};
use crate::styles::declared;
use crate::units::is_space;

/// The maximum length of selectors of nested rules with their parents; longer ones are left out.
const LONGEST_NESTED: usize = 400_000;

/// An error: a brace inside a string. The sheet is read again without its strings.
pub struct BraceInString;

/// Parse a style sheet. Returns the sheet without its text, and the selectors of nested rules, which follow the text.
pub fn parse(css: &str) -> Result<(Sheet, String), BraceInString> {
    let mut reading = Reading {
        css,
        nested: String::new(),
        sheet: Sheet::default(),
        around: Vec::new(),
        open: Open { inside: ALWAYS, layer: UNLAYERED, within: None, limit: None },
        place: 0,
        conditions: Map::default(),
        layers: Vec::new(),
    };
    reading.all()?;
    let mut sheet = reading.sheet;
    sheet.has_layers = !reading.layers.is_empty();
    sheet.animations = keyframes(css);
    Ok((sheet, reading.nested))
}

/// The state of an open block.
#[derive(Clone, Copy)]
struct Open {
    /// When its conditions hold.
    inside: i8,
    layer: u16,
    /// The selectors of the parent rule, with those of its parents: a range of the text.
    within: Option<(usize, usize)>,
    /// What no element that rules of a scope are about may be: a range of the text.
    limit: Option<(usize, usize)>,
}

/// A sheet while it is read.
struct Reading<'a> {
    css: &'a str,
    /// Selectors of nested rules with their parents, appended to the sheet.
    nested: String,
    sheet: Sheet,
    /// What held outside the blocks that are open.
    around: Vec<Open>,
    open: Open,
    place: u32,
    /// Cache: when conditions hold.
    conditions: Map<&'a str, i8>,
    layers: Vec<String>,
}

/// Whether there is an odd number of double or of single quotes.
fn has_open_string(text: &str) -> bool {
    let quotes = |byte: u8| u8::from(byte == b'"') | u8::from(byte == b'\'') << 1;
    text.bytes().fold(0, |odd, byte| odd ^ quotes(byte)) != 0
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
                    // Declarations after a nested rule.
                    if !strip(chunk).is_empty() {
                        self.add_to_open((start, end));
                    }
                    if let Some(outer) = self.around.pop() {
                        self.open = outer;
                    }
                }
            }
            start = end + 1;
        }
        Ok(())
    }

    /// Parse the text before braces and the following block.
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
                for part in css[start..start + last].split('{') {
                    if has_open_string(part) {
                        return Err(BraceInString);
                    }
                    let prelude = self.before(from, from + part.len());
                    self.around.push(self.open);
                    self.open = self.opened(prelude);
                    from += part.len() + 1;
                }
            }
            head = self.before(last.map_or(start, |last| start + last + 1), brace);
        }
        self.place += 1;
        if self.open.inside > NEVER {
            let outer = self.open;
            self.open = self.opened(head);
            self.add_to_open((brace + 1, end));
            self.open = outer;
        }
        Ok(())
    }

    /// Return the state of a block with a prelude.
    fn opened(&mut self, prelude: (usize, usize)) -> Open {
        let css = self.css;
        let (start, end) = prelude;
        let text = strip(&css[start..end]);
        let mut open = self.open;
        if !text.starts_with('@') {
            open.within = Some(self.nested_in(prelude));
            return open;
        }
        if let Some(names) = text.strip_prefix("@layer") {
            // Nested layers count as the outer layer.
            if open.layer == UNLAYERED {
                open.layer = self.layer(strip(names));
            }
            return open;
        }
        if let Some(scope) = text.strip_prefix("@scope") {
            let root = scope.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(root, _)| strip(root));
            if let Some(root) = root.filter(|root| !root.is_empty()) {
                open.within = Some(self.keep(&format!(":where({})", root)));
            }
            let limit = scope.split_once(") to").and_then(|(_, rest)| rest.split_once('('));
            if let Some(limit) = limit.map(|(_, rest)| strip(rest.rsplit_once(')').map_or(rest, |(inner, _)| inner))) {
                open.limit = Some(self.keep(&format!(":not(:where({0}),:where({0}) *)", limit)));
            }
            return open;
        }
        let holds = *self.conditions.entry(text).or_insert_with(|| condition(text));
        open.inside = open.inside.min(holds);
        open
    }

    /// The rank of a layer: that of its first mention.
    fn layer(&mut self, name: &str) -> u16 {
        let name = name.split('.').next().unwrap_or("");
        if let Some(layer) = self.layers.iter().position(|layer| layer == name && !name.is_empty()) {
            return layer as u16;
        }
        self.layers.push(name.into());
        (self.layers.len() - 1).min(usize::from(UNLAYERED) - 1) as u16
    }

    fn keep(&mut self, text: &str) -> (usize, usize) {
        let start = self.css.len() + self.nested.len();
        self.nested.push_str(text);
        (start, start + text.len())
    }

    fn text(&self, range: (usize, usize)) -> &str {
        let size = self.css.len();
        if range.0 < size || range.1 == range.0 {
            &self.css[range.0.min(size)..range.1.min(size)]
        } else {
            &self.nested[range.0 - size..range.1 - size]
        }
    }

    /// The selectors of a rule; inside another rule they are about elements of that.
    fn nested_in(&mut self, prelude: (usize, usize)) -> (usize, usize) {
        let own = &self.css[prelude.0..prelude.1];
        let around = match self.open.within {
            Some(around) => self.text(around).to_string(),
            None => return prelude,
        };
        let size = (around.len() + 8) * own.bytes().filter(|byte| matches!(byte, b'&' | b',' | b':')).count().max(1);
        if size + self.nested.len() > LONGEST_NESTED {
            return (prelude.0, prelude.0);
        }
        let around = format!(":is({})", around);
        let limit = self.open.limit.map_or("", |limit| self.text(limit));
        let nested: Vec<String> = split_list(own)
            .into_iter()
            .map(|selector| {
                let selector = strip(selector).replace(":scope", &around) + limit;
                if selector.contains('&') {
                    selector.replace('&', &around)
                } else if selector.contains(&*around) {
                    selector
                } else {
                    format!("{} {}", around, selector)
                }
            })
            .collect();
        self.keep(&nested.join(","))
    }

    /// Add declarations to the open rule.
    fn add_to_open(&mut self, block: (usize, usize)) {
        let Open { inside, layer, within, .. } = self.open;
        if let Some(within) = within.filter(|_| inside > NEVER) {
            let block = (block.0 as u32, block.1 as u32);
            let list = (within.0 as u32, within.1 as u32);
            let written = Written { selector: (0, 0), list, block, holds: inside, layer, place: self.place };
            let size = self.css.len();
            let selectors = if within.0 < size {
                &self.css[within.0..within.1]
            } else {
                &self.nested[within.0 - size..within.1 - size]
            };
            self.sheet.add(selectors, within.0, written);
        }
    }

    /// Return the prelude of a brace, without earlier statements and declarations.
    fn before(&mut self, start: usize, end: usize) -> (usize, usize) {
        let css = self.css;
        let text = &css[start..end];
        let mut from = start;
        if let Some(sign) = text.rfind(';') {
            from = start + sign + 1;
            if sign > 0 && self.open.within.is_some() {
                self.add_to_open((start, start + sign));
            } else {
                for statement in text[..sign].split(';') {
                    if let Some(names) = strip(statement).strip_prefix("@layer") {
                        for name in names.split(',') {
                            self.layer(strip(name));
                        }
                    }
                }
            }
        }
        let is_blank = |letter: char| is_space(letter as u32);
        let text = &css[from..end];
        let lead = text.len() - text.trim_start_matches(is_blank).len();
        (from + lead, from + lead + strip(text).len())
    }
}

/// Return the contents of the brackets at the beginning of a text.
fn keyframes_body(text: &str) -> &str {
    const LONGEST: usize = 10_000;
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate().take(LONGEST) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return &text[..at],
            b'}' => depth -= 1,
            _ => {}
        }
    }
    ""
}

/// The animations by their names.
fn keyframes(css: &str) -> Map<String, Animation> {
    let mut animations = Map::default();
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
            let body = keyframes_body(&css[blanks(end)..]);
            let last = body.rfind("to{").or_else(|| body.rfind("100%")).map_or("", |at| &body[at..]);
            let last = last.split_once('{').map_or("", |(_, rest)| rest.split('}').next().unwrap_or(""));
            let animation = Animation { fades: body.contains("opacity"), ends_hidden: hides(&declared(last)) };
            animations.insert(lower(&css[start..end]).into_owned(), animation);
        }
    }
    if !animations.is_empty() && !css.contains("keyframes") {
        animations.clear(); // all in capitals
    }
    animations
}
