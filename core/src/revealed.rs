//! Finds hidden elements that a script will show: the story itself, panels of tabs, boxes that users open.

use std::collections::{hash_map::Entry, HashSet};

use crate::cascade::Cascade;
use crate::hidden::Facts;
use crate::keyed_hash::Map;
use crate::lengths::words;
use crate::start_tag::StartTag;
use crate::styles::GONE;
use crate::tables;
use crate::units::Unit;
use crate::written::Written;

/// The minimum length of a hidden element that is the story, if it is also more than half of the text.
pub const MAIN_PART: i64 = 1000;
/// The minimum number and length of the paragraphs of a story.
const MANY_PARAGRAPHS: usize = 10;
const LONG_PARAGRAPH: i64 = 150;
/// Attributes of controls that open something.
const OPENING: [&[u8]; 5] =
    [b"aria-expanded=", b"aria-controls=", b"role=\"tab\"", b"data-toggle=", b"data-bs-toggle="];

impl<U: Unit> Facts<'_, U> {
    /// Return the hidden elements that scripts show: panels of code with visible tabs, and a story that React streams.
    pub fn revealed_by_scripts(&self, hidden: &[u8]) -> Vec<usize> {
        let written = Written { source: self.source, tables: self.tables };
        let mut tag = String::new();
        let (mut panels, mut streams) = (Vec::new(), Vec::new());
        let mut tabs: Option<(HashSet<String>, HashSet<String>)> = None;
        for element in 1..hidden.len() {
            if hidden[element] & GONE == 0 || self.spelling[element] < 0 {
                continue;
            }
            written.text((self.tag_range)(element), &mut tag);
            if !tag.contains("tabpanel") && !tag.contains("S:") {
                continue; // as nearly all
            }
            let start_tag = StartTag::new(&tag, self.name(self.tag[element]), self.tables);
            let name = start_tag.identity.as_deref().unwrap_or("");
            if let Some(piece) = streamed(name) {
                if count(self.source, &[format!("id=\"B:{}\"", piece).as_bytes()]) > 0 {
                    streams.push(element);
                }
            } else if start_tag.role.as_deref() == Some("tabpanel") {
                if tabs.is_none() {
                    tabs = Some(self.tabs(hidden));
                }
                if let Some((controlled, names)) = &tabs {
                    let mut by = words(start_tag.labelled_by.as_deref().unwrap_or(""));
                    if controlled.contains(name) || by.any(|label| names.contains(label)) {
                        panels.push(element);
                    }
                }
            }
        }
        if self.sizes_inside(&panels, b"pre").is_empty() {
            panels.clear();
        }
        let long = |size: &i64| *size >= LONG_PARAGRAPH;
        if self.sizes_inside(&streams, b"p").into_iter().filter(long).count() >= MANY_PARAGRAPHS {
            panels.append(&mut streams);
            panels.sort_unstable();
        }
        panels
    }

    /// Return the text sizes of elements of a tag inside some boxes.
    fn sizes_inside(&self, boxes: &[usize], name: &[u8]) -> Vec<i64> {
        let tag = self.tables.number(name);
        let is_inside = |&element: &usize| {
            let at = self.opened[element];
            boxes.iter().any(|&around| self.opened[around] < at && at < self.closed[around])
        };
        let of_tag = (1..self.tag.len())
            .filter(|&element| !boxes.is_empty() && Some(self.tag[element]) == tag && self.spelling[element] >= 0);
        of_tag
            .filter(is_inside)
            .map(|element| {
                let (first, last) = (self.runs)(element);
                i64::from(self.text_end[last - 1] - self.text_start[first])
            })
            .collect()
    }

    /// Return the ids that visible tabs control, and the ids of these tabs.
    fn tabs(&self, hidden: &[u8]) -> (HashSet<String>, HashSet<String>) {
        let written = Written { source: self.source, tables: self.tables };
        let mut tag = String::new();
        let (mut controlled, mut names) = (HashSet::new(), HashSet::new());
        for element in 1..hidden.len() {
            if self.spelling[element] < 0 {
                continue;
            }
            written.text((self.tag_range)(element), &mut tag);
            if !tag.contains("tab") {
                continue;
            }
            let start_tag = StartTag::new(&tag, self.name(self.tag[element]), self.tables);
            if start_tag.role.as_deref() != Some("tab") {
                continue;
            }
            let mut at = element;
            while at > 0 && hidden[at] & GONE == 0 {
                at = self.parent[at] as usize;
            }
            if at == 0 {
                controlled.extend(words(start_tag.controls.as_deref().unwrap_or("")).map(String::from));
                names.extend(words(start_tag.identity.as_deref().unwrap_or("")).map(String::from));
            }
        }
        (controlled, names)
    }

    /// Return the groups of hidden elements with most of the text, or with much of it in boxes that users open.
    pub fn main_parts(
        &self,
        elements: &[usize],
        is_hidden: impl Fn(usize) -> bool,
        cascade: &mut Cascade,
    ) -> Vec<Vec<usize>> {
        let size = |&element: &usize| {
            let (first, last) = (self.runs)(element);
            if (first..last).all(&is_hidden) {
                return i64::from(self.text_end[last - 1] - self.text_start[first]);
            }
            let hidden = (first..last).filter(|&run| is_hidden(run));
            hidden.map(|run| i64::from(self.text_end[run] - self.text_start[run])).sum()
        };
        if elements.iter().map(size).sum::<i64>() < MAIN_PART {
            return Vec::new();
        }
        let mut keys: Map<Key, usize> = Map::default();
        let mut groups: Vec<Group> = Vec::new();
        let mut keys_by_spelling: Map<i32, Option<Key>> = Map::default(); // tags are often spelled alike
        let mut reached = 0;
        for (order, element) in elements.iter().enumerate() {
            let spelling = self.spelling[*element];
            if let Entry::Vacant(place) = keys_by_spelling.entry(spelling) {
                place.insert(self.key(*element, cascade));
            }
            let key = keys_by_spelling[&spelling].clone().unwrap_or(Key::Alone(*element));
            let place = *keys.entry(key).or_insert_with(|| {
                groups.push(Group::default());
                groups.len() - 1
            });
            let group = &mut groups[place];
            group.elements.push(*element);
            let (first, last) = (self.runs)(*element);
            // Of nested elements only the outer is counted.
            if last > reached {
                group.counted.get_or_insert(order);
                group.text += size(element);
                let linked = (first..last).filter(|&run| self.in_link[run] != 0);
                group.linked += linked.map(|run| i64::from(self.text_end[run] - self.text_start[run])).sum::<i64>();
                reached = last;
            }
        }
        groups.retain(|group| group.counted.is_some() && group.text >= MAIN_PART);
        groups.sort_by_key(|group| group.counted);
        let mut parts = Vec::new();
        let mut openers = None;
        for group in groups {
            let is_most = 2 * group.text > self.text_size as i64;
            if is_most || (5 * group.linked < group.text && self.opens(&group.elements, &mut openers)) {
                parts.push(group.elements);
            }
        }
        parts
    }

    /// Return the key of elements that are hidden and shown together: rules of a style sheet, or the same tag and classes.
    fn key(&self, element: usize, cascade: &mut Cascade) -> Option<Key> {
        if self.is(element, tables::HIDDEN) {
            return None; // select lists are many on a page, and no text together
        }
        let mut tag = String::new();
        let written = Written { source: self.source, tables: self.tables };
        written.text((self.tag_range)(element), &mut tag);
        let start_tag = StartTag::new(&tag, self.name(self.tag[element]), self.tables);
        let names = start_tag.names_in_rules(cascade);
        let rules = cascade.hiding_rules(&names);
        if !rules.is_empty() {
            return Some(Key::Rules(rules));
        }
        let classes: Vec<String> = words(start_tag.class.as_deref().unwrap_or("")).map(String::from).collect();
        if classes.is_empty() {
            return None;
        }
        Some(Key::Spelled(start_tag.name.into(), classes, start_tag.style.unwrap_or_default().into_owned()))
    }

    /// Whether these are boxes that users open: several of the same kind, and as many controls.
    fn opens(&self, boxes: &[usize], openers: &mut Option<usize>) -> bool {
        if boxes.len() < 3 || !boxes.iter().all(|&element| self.is(element, tables::BLOCK)) {
            return false;
        }
        let count = *openers.get_or_insert_with(|| count(self.source, &OPENING));
        boxes.len() <= count
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Rules(Vec<u32>),
    Spelled(String, Vec<String>, String),
    Alone(usize),
}

#[derive(Default)]
struct Group {
    elements: Vec<usize>,
    text: i64,
    linked: i64,
    /// The index of the first counted element.
    counted: Option<usize>,
}

/// Return the number of a piece that React appends to the page: `1f` of `S:1f`.
fn streamed(name: &str) -> Option<&str> {
    let piece = name.strip_prefix("S:")?;
    let is_number = piece.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    if is_number && (1..=4).contains(&piece.len()) {
        Some(piece)
    } else {
        None
    }
}

/// Count words in a text. Each word has one `=`, which is rare on pages, for a fast search.
fn count<U: Unit>(text: &[U], words: &[&[u8]]) -> usize {
    let signs: Vec<usize> =
        words.iter().map(|word| word.iter().position(|&byte| byte == b'=').unwrap_or_default()).collect();
    let (mut total, mut from) = (0, 0);
    while let Some(at) = U::find(text, from, b'=') {
        from = at + 1;
        for (word, &sign) in words.iter().zip(&signs) {
            let stands = at >= sign && text.len() - (at - sign) >= word.len();
            let is_word = |start: usize| text[start..].iter().zip(*word).all(|(unit, &byte)| unit.is(byte));
            total += usize::from(stands && is_word(at - sign));
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_by_their_signs() {
        assert_eq!(count(b"role=\"tab\"role=\"tab\" role=\"ta", &OPENING), 2);
        assert_eq!(count(b"=data-toggle=aria-controls==-bs-toggle=", &OPENING), 2);
        assert_eq!(count(b"data-bs-toggle", &OPENING), 0);
        assert_eq!(count(b"data-bs-toggle=", &OPENING), 1);
    }
}
