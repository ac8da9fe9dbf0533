//! Finds elements in the bytes of a page by string search (`tidings.sites.search`).

use crate::needles::{find_byte, find_bytes, rfind_byte, Needle};
use crate::units::is_blank;

/// Start and end of a piece of the source or of a tag.
pub type Range = (usize, usize);

/// Longer start tags are ignored.
const LONGEST_TAG: usize = 8192;

/// The operator of a condition: the numbers of `tidings.sites.templates.anchor.HOWS`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum How {
    Is,
    Word,
    Holds,
    Begins,
}

pub struct Condition {
    pub how: How,
    pub name: Vec<u8>,
    pub value: Vec<u8>,
}

/// Elements with a tag (empty: any tag) whose attributes meet all conditions.
pub struct Anchor {
    /// As in the rule; pages are searched ignoring case.
    tag: Vec<u8>,
    /// The end tag in its usual form.
    ends: Vec<u8>,
    needle: Needle,
    conditions: Vec<Condition>,
}

/// Whether a byte ends a name.
#[inline(always)]
fn is_end_of_name(byte: u8) -> bool {
    is_blank(byte) || byte == b'/' || byte == b'>'
}

#[inline(always)]
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a name is at a position, ignoring case, and ends before `end`.
#[inline(always)]
fn is_named(data: &[u8], at: usize, end: usize, name: &[u8]) -> bool {
    at + name.len() <= end && data[at..at + name.len()].eq_ignore_ascii_case(name)
}

/// Whether a name is at a position, followed by the end of a name.
#[inline(always)]
fn is_tag(data: &[u8], at: usize, end: usize, name: &[u8]) -> bool {
    is_named(data, at, end, name) && at + name.len() < end && is_end_of_name(data[at + name.len()])
}

impl Anchor {
    pub fn new(tag: &[u8], needle: &[u8], conditions: Vec<Condition>) -> Self {
        let ends = [&b"</"[..], if tag.is_empty() { b"*" } else { tag }, b">"].concat();
        Anchor { tag: tag.to_vec(), ends, needle: Needle::new(needle), conditions }
    }

    /// Return the start tags of matching elements in a range, in order, at most `most`.
    pub fn openings(&self, data: &[u8], start: usize, end: usize, most: usize) -> Vec<Range> {
        let mut starts = Vec::new();
        if self.needle.is_empty() {
            let mut at = start;
            while let Some(place) = find_byte(data, b'<', at, end) {
                at = place + 1;
                if self.name_end(data, place, end).is_none() {
                    continue;
                }
                match find_byte(data, b'>', place, end) {
                    Some(closed) => {
                        starts.push((place, closed + 1));
                        if starts.len() >= most {
                            break;
                        }
                        at = closed + 1;
                    }
                    None => break,
                }
            }
            return starts;
        }
        let mut next = self.needle.find(data, start, end);
        while let Some(place) = next {
            next = match self.around(data, place, start, end) {
                Some((opened, behind)) => {
                    if self.fits(&data[opened..behind]) {
                        starts.push((opened, behind));
                        if starts.len() >= most {
                            break;
                        }
                    }
                    self.needle.find(data, behind, end)
                }
                None => self.needle.find(data, place + 1, end),
            };
        }
        starts
    }

    /// Return the start tag of the only matching element in a range; two start tags if there are more.
    pub fn alone(&self, data: &[u8], start: usize, end: usize) -> Vec<Range> {
        if self.needle.is_empty() {
            return self.openings(data, start, end, 2);
        }
        let mut starts = Vec::new();
        let mut next = self.needle.rfind(data, start, end);
        while let Some(place) = next {
            next = match self.around(data, place, start, end) {
                Some((opened, behind)) => {
                    if self.fits(&data[opened..behind]) {
                        starts.insert(0, (opened, behind));
                        if starts.len() > 1 {
                            break;
                        }
                    }
                    self.needle.rfind(data, start, opened)
                }
                None => self.needle.rfind(data, start, place + self.needle.len() - 1),
            };
        }
        starts
    }

    /// Return the start tag around an occurrence of the needle.
    fn around(&self, data: &[u8], place: usize, start: usize, end: usize) -> Option<Range> {
        let opened = if self.needle.starts_with(b'<') {
            place
        } else {
            let first = if place - start < LONGEST_TAG { start } else { place - LONGEST_TAG };
            rfind_byte(data, b'<', first, place)?
        };
        let last = if end - opened < LONGEST_TAG { end } else { opened + LONGEST_TAG };
        let behind = find_byte(data, b'>', opened, last)? + 1;
        if behind > place {
            Some((opened, behind))
        } else {
            None
        }
    }

    /// Return the end of the tag name at a position, if it is the anchor's.
    fn name_end(&self, data: &[u8], at: usize, end: usize) -> Option<usize> {
        if !self.tag.is_empty() {
            let is_there = data[at] == b'<' && is_tag(data, at + 1, end, &self.tag);
            return if is_there { Some(at + 1 + self.tag.len()) } else { None };
        }
        if at + 1 >= end || data[at] != b'<' || !data[at + 1].is_ascii_alphabetic() {
            return None;
        }
        (at + 2..end).find(|&place| is_end_of_name(data[place]))
    }

    /// Whether the anchor matches a start tag.
    fn fits(&self, tag: &[u8]) -> bool {
        match self.name_end(tag, 0, tag.len()) {
            Some(behind) => self.conditions.iter().all(|condition| condition.is_met(tag, behind)),
            None => false,
        }
    }

    /// Return the first start tag with the anchor's tag in a range, outside of scripts and comments.
    pub fn first(&self, data: &[u8], start: usize, end: usize) -> Option<Range> {
        let mut tags = Tags { data, at: start, end, name: &self.tag, others: &[] };
        let (at, _) = tags.find(|tag| tag.1 == Sort::Begins)?;
        Some((at, find_byte(data, b'>', at, end)? + 1))
    }

    /// Return the end tag of the element of a start tag. Tags in scripts and comments do not count.
    ///
    /// None if the element is not closed. Cells and rows of tables end at the next one, or with their table.
    pub fn closing(&self, data: &[u8], opening: Range, end: usize) -> Option<Range> {
        let start = opening.1;
        if let Some(at) = find_byte(data, b'<', start, end) {
            if data[at..end].starts_with(&self.ends) {
                return Some((at, at + self.ends.len())); // no tag is in it
            }
        }
        let own;
        let name: &[u8] = if self.tag.is_empty() {
            own = name_of(data, opening.0);
            &own
        } else {
            &self.tag
        };
        let of_tables: &[&[u8]] = match name {
            b"td" | b"th" => &[b"td", b"th", b"tr", b"tbody", b"thead", b"tfoot"],
            b"tr" => &[b"tr", b"tbody", b"thead", b"tfoot"],
            _ => &[],
        };
        if !of_tables.is_empty() {
            return closing_of_table(name, of_tables, data, start, end);
        }
        let mut depth = 1;
        for (at, sort) in (Tags { data, at: start, end, name, others: &[] }) {
            if sort == Sort::Begins {
                depth += 1;
                continue;
            }
            depth -= 1;
            if depth == 0 {
                return Some((at, behind_tag(data, at, end)));
            }
        }
        None
    }
}

/// Return the end of a tag.
fn behind_tag(data: &[u8], at: usize, end: usize) -> usize {
    find_byte(data, b'>', at, end).map_or(end, |place| place + 1)
}

/// Return the name of a start tag in lower case, up to the first character that is not ASCII.
fn name_of(data: &[u8], at: usize) -> Vec<u8> {
    let name = &data[at + 1..];
    if !name.first().map_or(false, u8::is_ascii_alphabetic) {
        return b"*".to_vec();
    }
    let size = name.iter().position(|&byte| is_end_of_name(byte)).unwrap_or(name.len());
    name[..size].iter().map(|&byte| if byte < 128 { byte.to_ascii_lowercase() } else { b'?' }).collect()
}

/// Return the end of a cell or row: its end tag, or the tag that ends it implicitly.
fn closing_of_table(name: &[u8], others: &[&[u8]], data: &[u8], start: usize, end: usize) -> Option<Range> {
    let mut depth = 1;
    for (at, sort) in (Tags { data, at: start, end, name: b"table", others }) {
        match sort {
            Sort::Begins => depth += 1,
            Sort::Ends => {
                depth -= 1;
                if depth == 0 {
                    return Some((at, at));
                }
            }
            Sort::Next if depth == 1 => {
                let is_own = data[at + 1] == b'/' && is_named(data, at + 2, data.len(), name);
                return Some((at, if is_own { behind_tag(data, at, end) } else { at }));
            }
            Sort::Next => {}
        }
    }
    if depth == 1 {
        Some((end, end))
    } else {
        None
    }
}

impl Condition {
    /// Whether an attribute of a tag meets the condition, with a quoted or unquoted value.
    fn is_met(&self, tag: &[u8], from: usize) -> bool {
        let after_blanks = |at: usize| (at..tag.len()).find(|&place| !is_blank(tag[place])).unwrap_or(tag.len());
        for at in from..tag.len() {
            let byte = tag[at];
            if byte == b'>' {
                return false;
            }
            if !(is_blank(byte) || byte == b'/') || !is_named(tag, at + 1, tag.len(), &self.name) {
                continue;
            }
            let equals = after_blanks(at + 1 + self.name.len());
            if tag.get(equals) != Some(&b'=') {
                continue;
            }
            let start = after_blanks(equals + 1);
            let is_there = match tag.get(start) {
                Some(&quote @ (b'"' | b'\'')) => {
                    self.holds(tag, start + 1, |byte| byte != quote && byte != b'>', |byte| byte == quote)
                        || self.is_bare(tag, start)
                }
                Some(_) => self.is_bare(tag, start),
                None => false,
            };
            if is_there {
                return true;
            }
        }
        false
    }

    /// Whether an unquoted value meets the condition.
    fn is_bare(&self, tag: &[u8], start: usize) -> bool {
        let inner = |byte: u8| !is_blank(byte) && !matches!(byte, b'>' | b'"' | b'\'');
        self.holds(tag, start, inner, |byte| is_blank(byte) || byte == b'>')
    }

    /// Whether the value at a position meets the condition: `inner` bytes and a closing byte.
    fn holds(&self, tag: &[u8], start: usize, inner: impl Fn(u8) -> bool, closes: impl Fn(u8) -> bool) -> bool {
        let value = &self.value[..];
        let is_closed = |at: usize| tag.get(at).map_or(false, |&byte| closes(byte));
        let behind = |at: usize| (at..tag.len()).find(|&place| !inner(tag[place])).unwrap_or(tag.len());
        let stands = |at: usize| tag.get(at..).map_or(false, |rest| rest.starts_with(value));
        match self.how {
            How::Is => stands(start) && is_closed(start + value.len()),
            How::Begins => stands(start) && is_closed(behind(start + value.len())),
            How::Holds => {
                let last = behind(start);
                (start..=last).any(|at| stands(at) && is_closed(behind(at + value.len())))
            }
            How::Word => {
                let ends = |at: usize| {
                    is_closed(at) || (tag.get(at).map_or(false, |&byte| is_blank(byte)) && is_closed(behind(at + 1)))
                };
                if stands(start) && ends(start + value.len()) {
                    return true;
                }
                // Behind a blank: of a value without quotes only behind the first.
                let last = behind(start);
                (start..=last.min(tag.len() - 1))
                    .any(|at| is_blank(tag[at]) && stands(at + 1) && ends(at + 1 + value.len()))
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Ends,
    Begins,
    Next,
}

/// Tags of a name and other tags, outside of comments, scripts and styles. Unclosed ones go to the end, as in a browser,
/// so that no position is read twice.
struct Tags<'a> {
    data: &'a [u8],
    at: usize,
    end: usize,
    name: &'a [u8],
    others: &'a [&'a [u8]],
}

impl Iterator for Tags<'_> {
    type Item = (usize, Sort);

    fn next(&mut self) -> Option<(usize, Sort)> {
        let (data, end) = (self.data, self.end);
        while let Some(place) = find_byte(data, b'<', self.at, end) {
            let inner = place + 1;
            self.at = inner;
            let byte = match data[..end].get(inner) {
                Some(&byte) => byte,
                None => return None,
            };
            let is_end = byte == b'/';
            let named = inner + usize::from(is_end);
            if is_tag(data, named, end, self.name) {
                self.at = named + self.name.len();
                return Some((place, if is_end { Sort::Ends } else { Sort::Begins }));
            }
            if let Some(other) = self.others.iter().find(|other| is_tag(data, named, end, other)) {
                self.at = named + other.len();
                return Some((place, Sort::Next));
            }
            match byte {
                b's' | b'S' => {
                    for raw in [&b"script"[..], b"style"] {
                        if is_whole(data, inner, end, raw) {
                            self.at = end_of_raw(data, inner + raw.len(), end, raw);
                        }
                    }
                }
                b'!' if data[inner..end].starts_with(b"!--") => {
                    self.at = find_bytes(data, b"-->", inner + 3, end).unwrap_or(end);
                }
                _ => {}
            }
        }
        None
    }
}

/// Whether a name is at a position as a whole word, ignoring case.
fn is_whole(data: &[u8], at: usize, end: usize, name: &[u8]) -> bool {
    is_named(data, at, end, name) && data[..end].get(at + name.len()).map_or(true, |&byte| !is_word(byte))
}

/// Return the position of the end tag of raw text.
fn end_of_raw(data: &[u8], start: usize, end: usize, name: &[u8]) -> usize {
    let mut at = start;
    while let Some(place) = find_byte(data, b'<', at, end) {
        if data[..end].get(place + 1) == Some(&b'/') && is_whole(data, place + 2, end, name) {
            return place;
        }
        at = place + 1;
    }
    end
}
/// Return ranges in order, without those inside others.
pub fn disjoint(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable();
    let mut result: Vec<Range> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges {
        match result.last_mut() {
            Some(before) if start < before.1 => before.1 = before.1.max(end),
            _ => result.push((start, end)),
        }
    }
    result
}

/// Return ranges without others; both are disjoint and in order.
pub fn without(ranges: &[Range], noise: &[Range]) -> Vec<Range> {
    let mut result = Vec::new();
    for &(start, end) in ranges {
        let mut at = start;
        let first = noise.partition_point(|out| out.0 < start);
        for &(out_start, out_end) in noise[first..].iter().take_while(|out| out.0 < end) {
            if out_start > at {
                result.push((at, out_start));
            }
            at = at.max(out_end);
        }
        if end > at {
            result.push((at, end));
        }
    }
    result
}
