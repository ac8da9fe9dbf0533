//! Finds elements in the bytes of a page by string search (`tidings.sites.search`).

use crate::needles::{find_byte, find_bytes, rfind_byte, Needle};

/// A piece of the source, or a tag in it: where it begins, and the place behind it.
pub type Range = (usize, usize);

/// A longer start tag is passed over.
const LONGEST_TAG: usize = 8192;

/// How an attribute meets a condition: the numbers of `tidings.sites.templates.anchor.HOWS`.
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

/// Elements of one name (empty: of any) whose attributes meet all conditions.
pub struct Anchor {
    /// As the rule writes it; it stands in pages in either case.
    tag: Vec<u8>,
    /// The end tag as most write it.
    ends: Vec<u8>,
    needle: Needle,
    conditions: Vec<Condition>,
}

#[inline(always)]
fn is_blank(byte: u8) -> bool {
    matches!(byte, 9..=13 | 32)
}

/// What a name ends with.
#[inline(always)]
fn is_end_of_name(byte: u8) -> bool {
    is_blank(byte) || byte == b'/' || byte == b'>'
}

#[inline(always)]
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a name stands at a place, in either case, and ends before `end`.
#[inline(always)]
fn is_named(data: &[u8], at: usize, end: usize, name: &[u8]) -> bool {
    at + name.len() <= end && data[at..at + name.len()].eq_ignore_ascii_case(name)
}

/// The same with the end of the name behind it.
#[inline(always)]
fn is_tag(data: &[u8], at: usize, end: usize, name: &[u8]) -> bool {
    is_named(data, at, end, name) && at + name.len() < end && is_end_of_name(data[at + name.len()])
}

impl Anchor {
    pub fn new(tag: &[u8], needle: &[u8], conditions: Vec<Condition>) -> Self {
        let ends = [&b"</"[..], if tag.is_empty() { b"*" } else { tag }, b">"].concat();
        Anchor { tag: tag.to_vec(), ends, needle: Needle::new(needle), conditions }
    }

    /// The start tags of such elements between two places, in order; no more than so many.
    pub fn openings(&self, data: &[u8], start: usize, end: usize, most: usize) -> Vec<Range> {
        let mut found = Vec::new();
        if self.needle.is_empty() {
            let mut at = start;
            while let Some(place) = find_byte(data, b'<', at, end) {
                at = place + 1;
                if self.name_end(data, place, end).is_none() {
                    continue;
                }
                match find_byte(data, b'>', place, end) {
                    Some(closed) => {
                        found.push((place, closed + 1));
                        if found.len() >= most {
                            break;
                        }
                        at = closed + 1;
                    }
                    None => break,
                }
            }
            return found;
        }
        let mut next = self.needle.find(data, start, end);
        while let Some(place) = next {
            next = match self.around(data, place, start, end) {
                Some((opened, behind)) => {
                    if self.fits(&data[opened..behind]) {
                        found.push((opened, behind));
                        if found.len() >= most {
                            break;
                        }
                    }
                    self.needle.find(data, behind, end)
                }
                None => self.needle.find(data, place + 1, end),
            };
        }
        found
    }

    /// The start tag of the only such element between two places; another with it if there is one.
    pub fn alone(&self, data: &[u8], start: usize, end: usize) -> Vec<Range> {
        if self.needle.is_empty() {
            return self.openings(data, start, end, 2);
        }
        let mut found = Vec::new();
        let mut next = self.needle.rfind(data, start, end);
        while let Some(place) = next {
            next = match self.around(data, place, start, end) {
                Some((opened, behind)) => {
                    if self.fits(&data[opened..behind]) {
                        found.insert(0, (opened, behind));
                        if found.len() > 1 {
                            break;
                        }
                    }
                    self.needle.rfind(data, start, opened)
                }
                None => self.needle.rfind(data, start, place + self.needle.len() - 1),
            };
        }
        found
    }

    /// The start tag around a place where the needle stands.
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

    /// Where the name of a tag at a place ends, if it is one of the anchor's name.
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

    /// Whether a start tag is one that the anchor tells.
    fn fits(&self, tag: &[u8]) -> bool {
        match self.name_end(tag, 0, tag.len()) {
            Some(behind) => self.conditions.iter().all(|condition| condition.is_met(tag, behind)),
            None => false,
        }
    }

    /// The first start tag of the anchor's name between two places that is not in a script or a comment.
    pub fn first(&self, data: &[u8], start: usize, end: usize) -> Option<Range> {
        let mut tags = Tags { data, at: start, end, name: &self.tag, others: &[] };
        let (at, _) = tags.find(|tag| tag.1 == Sort::Begins)?;
        Some((at, find_byte(data, b'>', at, end)? + 1))
    }

    /// The end tag of the element that a start tag opens. Tags in scripts and comments do not count.
    ///
    /// None if there are never as many end tags as start tags. A cell or a row of a table needs none: it ends where
    /// the next begins, or its table ends.
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

/// The place behind a tag, or the end.
fn behind_tag(data: &[u8], at: usize, end: usize) -> usize {
    find_byte(data, b'>', at, end).map_or(end, |place| place + 1)
}

/// The name of a start tag in small letters; what is not ASCII in it is no letter.
fn name_of(data: &[u8], at: usize) -> Vec<u8> {
    let name = &data[at + 1..];
    if !name.first().map_or(false, u8::is_ascii_alphabetic) {
        return b"*".to_vec();
    }
    let size = name.iter().position(|&byte| is_end_of_name(byte)).unwrap_or(name.len());
    name[..size].iter().map(|&byte| if byte < 128 { byte.to_ascii_lowercase() } else { b'?' }).collect()
}

/// The end of a cell or row: its end tag, or where the tag stands that ends it without one.
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
    /// Whether an attribute of a tag meets it, with its value in quotes of either sort or in none.
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

    /// Whether it is met by a value without quotes.
    fn is_bare(&self, tag: &[u8], start: usize) -> bool {
        let inner = |byte: u8| !is_blank(byte) && !matches!(byte, b'>' | b'"' | b'\'');
        self.holds(tag, start, inner, |byte| is_blank(byte) || byte == b'>')
    }

    /// Whether what begins at a place meets it: made of `inner` bytes, with one behind that closes it.
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

/// Start and end tags of a name, and tags of others; none in comments, scripts and styles. What is never closed goes
/// to the end, as in a browser; so no place is looked at twice.
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

/// Whether a name stands at a place, in either case, and no more of a word behind it.
fn is_whole(data: &[u8], at: usize, end: usize, name: &[u8]) -> bool {
    is_named(data, at, end, name) && data[..end].get(at + name.len()).map_or(true, |&byte| !is_word(byte))
}

/// Where the end tag of raw text stands.
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
/// Ranges in order; one inside another counts once.
pub fn disjoint(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable();
    let mut kept: Vec<Range> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges {
        match kept.last_mut() {
            Some(before) if start < before.1 => before.1 = before.1.max(end),
            _ => kept.push((start, end)),
        }
    }
    kept
}

/// Ranges without others; both are disjoint and in order.
pub fn without(ranges: &[Range], noise: &[Range]) -> Vec<Range> {
    let mut kept = Vec::new();
    for &(start, end) in ranges {
        let mut at = start;
        let first = noise.partition_point(|out| out.0 < start);
        for &(out_start, out_end) in noise[first..].iter().take_while(|out| out.0 < end) {
            if out_start > at {
                kept.push((at, out_start));
            }
            at = at.max(out_end);
        }
        if end > at {
            kept.push((at, end));
        }
    }
    kept
}
