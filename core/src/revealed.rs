//! Finds hidden elements that a script will show: the story itself, panels of tabs, boxes that people open.

use std::collections::{hash_map::Entry, HashSet};

use crate::cascade::Asked;
use crate::hidden::Facts;
use crate::keyed_hash::Map;
use crate::lengths::words;
use crate::start_tag::Told;
use crate::styles::GONE;
use crate::tables;
use crate::units::Unit;
use crate::written::Written;

/// A hidden element of at least so many characters that is more than half of the text is the story.
pub const MAIN_PART: i64 = 1000;
/// So many paragraphs of at least so many characters are a story.
const MANY_PARAGRAPHS: usize = 10;
const LONG_PARAGRAPH: i64 = 150;
/// What says of itself that it opens something.
const OPENING: [&[u8]; 5] =
    [b"aria-expanded=", b"aria-controls=", b"role=\"tab\"", b"data-toggle=", b"data-bs-toggle="];

impl<U: Unit> Facts<'_, U> {
    /// Hidden elements that the page says it shows: panels of code whose tabs are seen, and a story that React streams.
    pub fn shown_later(&self, hidden: &[u8]) -> Vec<usize> {
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
            let told = Told::new(&tag, self.name(self.tag[element]), self.tables);
            let name = told.identity.as_deref().unwrap_or("");
            if let Some(piece) = streamed(name) {
                if holds(self.source, format!("id=\"B:{}\"", piece).as_bytes()) {
                    streams.push(element);
                }
            } else if told.role.as_deref() == Some("tabpanel") {
                if tabs.is_none() {
                    tabs = Some(self.tabs(hidden));
                }
                if let Some((controlled, names)) = &tabs {
                    let mut by = words(told.labelled_by.as_deref().unwrap_or(""));
                    if controlled.contains(name) || by.any(|one| names.contains(one)) {
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

    /// The sizes of the texts of elements of a tag inside some boxes.
    fn sizes_inside(&self, boxes: &[usize], name: &[u8]) -> Vec<i64> {
        let wanted = self.tables.number(name);
        let is_inside = |&element: &usize| {
            let at = self.opened[element];
            boxes.iter().any(|&around| self.opened[around] < at && at < self.closed[around])
        };
        let of_tag = (1..self.tag.len())
            .filter(|&element| !boxes.is_empty() && Some(self.tag[element]) == wanted && self.spelling[element] >= 0);
        of_tag
            .filter(is_inside)
            .map(|element| {
                let (first, last) = (self.runs)(element);
                i64::from(self.text_end[last - 1] - self.text_start[first])
            })
            .collect()
    }

    /// What the tabs that are seen control, and their own names.
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
            let told = Told::new(&tag, self.name(self.tag[element]), self.tables);
            if told.role.as_deref() != Some("tab") {
                continue;
            }
            let mut at = element;
            while at > 0 && hidden[at] & GONE == 0 {
                at = self.parent[at] as usize;
            }
            if at == 0 {
                controlled.extend(words(told.controls.as_deref().unwrap_or("")).map(String::from));
                names.extend(words(told.identity.as_deref().unwrap_or("")).map(String::from));
            }
        }
        (controlled, names)
    }

    /// Those hidden elements that hold most of the text, or much of it in boxes that people open.
    pub fn main_parts(&self, some: &[usize], is_hidden: impl Fn(usize) -> bool, asked: &mut Asked) -> Vec<Vec<usize>> {
        let size = |&element: &usize| {
            let (first, last) = (self.runs)(element);
            if (first..last).all(&is_hidden) {
                return i64::from(self.text_end[last - 1] - self.text_start[first]);
            }
            let hidden = (first..last).filter(|&run| is_hidden(run));
            hidden.map(|run| i64::from(self.text_end[run] - self.text_start[run])).sum()
        };
        if some.iter().map(size).sum::<i64>() < MAIN_PART {
            return Vec::new();
        }
        let mut keys: Map<Key, usize> = Map::default();
        let mut groups: Vec<Group> = Vec::new();
        let mut known: Map<i32, Option<Key>> = Map::default(); // tags are often spelled alike
        let mut reached = 0;
        for (order, element) in some.iter().enumerate() {
            let spelling = self.spelling[*element];
            if let Entry::Vacant(place) = known.entry(spelling) {
                place.insert(self.key(*element, asked));
            }
            let key = known[&spelling].clone().unwrap_or(Key::Alone(*element));
            let place = *keys.entry(key).or_insert_with(|| {
                groups.push(Group::default());
                groups.len() - 1
            });
            let group = &mut groups[place];
            group.elements.push(*element);
            let (first, last) = (self.runs)(*element);
            // Of those in each other only the outer is counted.
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
        let mut found = Vec::new();
        let mut openers = None;
        for group in groups {
            let is_most = 2 * group.text > self.text_size as i64;
            if is_most || (5 * group.linked < group.text && self.opens(&group.elements, &mut openers)) {
                found.push(group.elements);
            }
        }
        found
    }

    /// What tells that elements are hidden and shown together: rules of a style sheet, or the same tag with classes.
    fn key(&self, element: usize, asked: &mut Asked) -> Option<Key> {
        if self.is(element, tables::HIDDEN) {
            return None; // lists to choose from are many on a page, and no text together
        }
        let mut tag = String::new();
        let written = Written { source: self.source, tables: self.tables };
        written.text((self.tag_range)(element), &mut tag);
        let told = Told::new(&tag, self.name(self.tag[element]), self.tables);
        let known = told.known(asked);
        let rules = asked.hiding_rules(&known);
        if !rules.is_empty() {
            return Some(Key::Rules(rules));
        }
        let classes: Vec<String> = words(told.class.as_deref().unwrap_or("")).map(String::from).collect();
        if classes.is_empty() {
            return None;
        }
        Some(Key::Spelled(told.name.into(), classes, told.style.unwrap_or_default().into_owned()))
    }

    /// Whether these are boxes that people open: several alike, and as many things to open them with.
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
    /// The place of the first that was counted.
    counted: Option<usize>,
}

/// The number of a piece that React sends behind the page: `1f` of `S:1f`.
fn streamed(name: &str) -> Option<&str> {
    let piece = name.strip_prefix("S:")?;
    let is_number = piece.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    if is_number && (1..=4).contains(&piece.len()) {
        Some(piece)
    } else {
        None
    }
}

/// Whether a word stands in a text.
fn holds<U: Unit>(text: &[U], word: &[u8]) -> bool {
    let sign = word.iter().position(|&byte| byte == b'=').unwrap_or_default();
    let mut from = 0;
    while let Some(at) = U::find(text, from, word[sign]) {
        from = at + 1;
        let stands = at >= sign && text.len() - (at - sign) >= word.len();
        if stands && text[at - sign..].iter().zip(word).all(|(unit, &one)| unit.is(one)) {
            return true;
        }
    }
    false
}

/// How often words stand in a text. Each has one `=`, which few characters of a page are: they are found by it.
fn count<U: Unit>(text: &[U], words: &[&[u8]]) -> usize {
    let signs: Vec<usize> =
        words.iter().map(|word| word.iter().position(|&byte| byte == b'=').unwrap_or_default()).collect();
    let (mut found, mut from) = (0, 0);
    while let Some(at) = U::find(text, from, b'=') {
        from = at + 1;
        for (word, &sign) in words.iter().zip(&signs) {
            let stands = at >= sign && text.len() - (at - sign) >= word.len();
            let is_word = |start: usize| text[start..].iter().zip(*word).all(|(unit, &one)| unit.is(one));
            found += usize::from(stands && is_word(at - sign));
        }
    }
    found
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
