//! Text that is in the source but that nobody sees (`tidings.page.hidden`, and what `Page` makes of it).

use std::collections::{hash_map::Entry, HashSet};

use crate::cascade::Asked;
use crate::lengths::words;
use crate::scatter::Map;
use crate::sheet::Sheet;
use crate::start_tag::Told;
use crate::styles::{GONE, INDENT, INK, SIZE, VISIBILITY};
use crate::tables::{self, Tables};
use crate::tokens::Classes;
use crate::units::Unit;
use crate::written::Written;

/// What the columns of a page tell, where hidden text is looked for.
pub struct Facts<'a, U: Unit> {
    pub source: &'a [U],
    pub tables: &'a Tables,
    pub tag: &'a [i32],
    pub parent: &'a [i32],
    pub opened: &'a [i32],
    pub closed: &'a [i32],
    pub owner: &'a [i32],
    /// Runs of each element: first, and the one behind the last.
    pub runs: &'a dyn Fn(usize) -> (usize, usize),
    pub text_start: &'a [i32],
    pub text_end: &'a [i32],
    pub in_link: &'a [u8],
    pub text_size: usize,
    /// The spelling of the start tag of each element that holds text, else -1, and where each spelling stands.
    pub spelling: &'a [i32],
    pub spelled: &'a [(usize, usize)],
    /// What each start tag tells.
    pub classes: &'a [Classes],
    /// Names of tags outside the standard.
    pub local: &'a [Vec<u8>],
    /// Whether the page is a fragment of another: what is hidden in it stays so, were it most of it.
    pub is_fragment: bool,
    /// Whether the source is not the page's own any more.
    pub is_blunt: bool,
}

/// Which pieces of a page nobody sees.
pub struct Unseen {
    /// By piece: 1 if its text is hidden, 2 if it is as a box.
    pub pieces: Vec<u8>,
    /// Elements that are seen though their tags say otherwise, for a script will show them.
    pub revealed: Vec<i32>,
}

/// The ways in which a start tag hides its element, and those that it takes back.
type Ways = (u8, u8);

/// What the same classes hide, for most tags differ in their addresses only: by them, and there by the numbers of names.
#[derive(Default)]
struct ByClasses {
    known: Map<Box<[u8]>, Vec<(i32, Ways)>>,
    narrow: Vec<u8>,
}

impl ByClasses {
    /// The ways of classes in ASCII, found once.
    fn ways<U: Unit>(&mut self, classes: &[U], number: i32, find: impl FnOnce(&str) -> Ways) -> Ways {
        let classes = U::narrow(classes, &mut self.narrow);
        let known = self.known.get_mut(classes);
        if let Some(&(_, ways)) = known.as_ref().and_then(|known| known.iter().find(|(one, _)| *one == number)) {
            return ways;
        }
        let ways = find(std::str::from_utf8(classes).unwrap_or_default());
        match known {
            Some(known) if known.len() < MOST_NAMES => known.push((number, ways)),
            Some(_) => {}
            None => drop(self.known.insert(classes.into(), vec![(number, ways)])),
        }
        ways
    }
}

pub const TEXT: u8 = 1;
pub const BOX: u8 = 2;

/// A hidden element of at least so many characters that is more than half of the text is the story.
const MAIN_PART: i64 = 1000;
/// So many paragraphs of at least so many characters are a story.
const MANY_PARAGRAPHS: usize = 10;
const LONG_PARAGRAPH: i64 = 150;
/// Names of tags of which is remembered what the same classes hide.
const MOST_NAMES: usize = 16;
/// What says of itself that it opens something.
const OPENING: [&[u8]; 5] =
    [b"aria-expanded=", b"aria-controls=", b"role=\"tab\"", b"data-toggle=", b"data-bs-toggle="];

impl<U: Unit> Facts<'_, U> {
    fn name(&self, tag: i32) -> &str {
        let standard = self.tables.names.len();
        let name = match self.tables.names.get(tag as usize) {
            Some(name) => name,
            None => &self.local[tag as usize - standard],
        };
        std::str::from_utf8(name).unwrap_or("")
    }

    fn is(&self, element: usize, set: u32) -> bool {
        self.tables.sets(self.tag[element]) & set != 0
    }

    /// The classes of an element if nothing else in its start tag but the name tells whether it is seen, as in nearly
    /// all. Nothing if they have to be decoded.
    fn plain_classes(&self, element: usize) -> Option<&[U]> {
        let classes = match self.classes[self.opened[element] as usize] {
            Classes::None => return Some(&[]),
            Classes::At(start, end) => &self.source[start as usize..end as usize],
            Classes::More => return None,
        };
        let is_plain = |is_plain, unit: &U| is_plain & (unit.code() < 128) & !unit.is(b'&');
        if classes.iter().fold(true, is_plain) {
            Some(classes)
        } else {
            None
        }
    }

    /// Look for what is hidden; nothing where Python has to look.
    #[inline(never)]
    pub fn unseen(&self, sheet: &Sheet) -> Option<Unseen> {
        let written = Written { source: self.source, tables: self.tables };
        let mut asked = Asked::new(sheet);
        let mut by_spelling: Vec<Option<Ways>> = vec![None; self.spelled.len()];
        let mut by_classes = ByClasses::default();
        let (mut hidden, mut back) = (vec![0u8; self.tag.len()], vec![0u8; self.tag.len()]);
        let mut all = 0;
        let mut tag = String::new();
        let closed_boxes = [self.tables.number(b"dialog"), self.tables.number(b"template")];
        for element in 1..self.tag.len() {
            if self.spelling[element] < 0 {
                continue;
            }
            let spelling = self.spelling[element] as usize;
            if !self.is(element, tables::NEVER_ASKED) {
                let ways = match by_spelling[spelling] {
                    Some(ways) => ways,
                    None => {
                        let number = self.tag[element];
                        let find = |classes: &str| Told::of_classes(self.name(number), classes).ways(&mut asked);
                        let ways = match self.plain_classes(element) {
                            Some(classes) => by_classes.ways(classes, number, find),
                            None => {
                                written.text(self.spelled[spelling], &mut tag)?;
                                Told::new(&tag, self.name(number), self.tables)?.ways(&mut asked)
                            }
                        };
                        by_spelling[spelling] = Some(ways);
                        ways
                    }
                };
                hidden[element] = ways.0;
                back[element] = ways.1;
            }
            if self.is(element, tables::HIDDEN) {
                hidden[element] |= GONE;
            }
            if hidden[element] & GONE != 0 && closed_boxes.contains(&Some(self.tag[element])) {
                written.text(self.spelled[spelling], &mut tag)?;
                let told = Told::new(&tag, self.name(self.tag[element]), self.tables)?;
                if told.is_open && told.ways(&mut asked).0 == 0 {
                    hidden[element] &= !GONE;
                }
            }
            all |= hidden[element];
        }
        let mut revealed = Vec::new();
        if all != 0 && !self.is_fragment {
            for element in self.shown_later(&hidden)? {
                hidden[element] &= !GONE;
                revealed.push(element as i32);
            }
            for way in [GONE, VISIBILITY, SIZE, INK, INDENT] {
                let some: Vec<usize> = (1..hidden.len()).filter(|&element| hidden[element] & way != 0).collect();
                for together in self.main_parts(&some, &mut asked)? {
                    for element in together {
                        hidden[element] &= !way;
                        revealed.push(element as i32);
                    }
                }
            }
        }
        let pieces = if all == 0 { vec![0; self.owner.len()] } else { self.pieces(&hidden, &back) };
        Some(Unseen { pieces, revealed })
    }

    /// Hidden elements that the page says it shows: panels of code whose tabs are seen, and a story that React streams.
    fn shown_later(&self, hidden: &[u8]) -> Option<Vec<usize>> {
        let written = Written { source: self.source, tables: self.tables };
        let mut tag = String::new();
        let (mut panels, mut streams) = (Vec::new(), Vec::new());
        let mut tabs: Option<(HashSet<String>, HashSet<String>)> = None;
        for element in 1..hidden.len() {
            if hidden[element] & GONE == 0 || self.spelling[element] < 0 {
                continue;
            }
            written.text(self.spelled[self.spelling[element] as usize], &mut tag)?;
            if !tag.contains("tabpanel") && !tag.contains("S:") {
                continue; // as nearly all
            }
            let told = Told::new(&tag, self.name(self.tag[element]), self.tables)?;
            let name = told.identity.as_deref().unwrap_or("");
            if let Some(piece) = streamed(name) {
                if self.is_blunt {
                    return None;
                }
                if holds(self.source, format!("id=\"B:{}\"", piece).as_bytes()) {
                    streams.push(element);
                }
            } else if told.role.as_deref() == Some("tabpanel") {
                if tabs.is_none() {
                    tabs = Some(self.tabs(hidden)?);
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
        Some(panels)
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
    fn tabs(&self, hidden: &[u8]) -> Option<(HashSet<String>, HashSet<String>)> {
        let written = Written { source: self.source, tables: self.tables };
        let mut tag = String::new();
        let (mut controlled, mut names) = (HashSet::new(), HashSet::new());
        for element in 1..hidden.len() {
            if self.spelling[element] < 0 {
                continue;
            }
            written.text(self.spelled[self.spelling[element] as usize], &mut tag)?;
            if !tag.contains("tab") {
                continue;
            }
            let told = Told::new(&tag, self.name(self.tag[element]), self.tables)?;
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
        Some((controlled, names))
    }

    /// What each piece inherits of the elements around it.
    fn pieces(&self, hidden: &[u8], back: &[u8]) -> Vec<u8> {
        let mut state = vec![0u8; hidden.len()];
        // What takes everything with it does so between its tags, wherever what is inside belongs.
        let mut gone = vec![0i32; self.owner.len() + 2];
        for element in 1..hidden.len() {
            let around = state[self.parent[element] as usize];
            state[element] = (around & !back[element]) | (hidden[element] & !GONE);
            if hidden[element] & GONE != 0 {
                gone[(self.opened[element] + 1) as usize] += 1;
                gone[(self.closed[element] + 1) as usize] -= 1;
            }
        }
        let flags = |state: u8| (u8::from(state != 0) * TEXT) | (u8::from(state & (GONE | VISIBILITY) != 0) * BOX);
        let mut depth = 0;
        let state_of = |(&element, step): (&i32, i32)| {
            depth += step;
            flags(state[element as usize] | (u8::from(depth > 0) * GONE))
        };
        self.owner.iter().zip(gone).map(state_of).collect()
    }

    /// Those hidden elements that hold most of the text, or much of it in boxes that people open.
    fn main_parts(&self, some: &[usize], asked: &mut Asked) -> Option<Vec<Vec<usize>>> {
        let size = |&element: &usize| {
            let (first, last) = (self.runs)(element);
            i64::from(self.text_end[last - 1] - self.text_start[first])
        };
        if some.iter().map(size).sum::<i64>() < MAIN_PART {
            return Some(Vec::new());
        }
        let mut keys: Map<Key, usize> = Map::default();
        let mut groups: Vec<Group> = Vec::new();
        let mut known: Map<i32, Option<Key>> = Map::default(); // tags are often spelled alike
        let mut reached = 0;
        for (order, element) in some.iter().enumerate() {
            let spelling = self.spelling[*element];
            if let Entry::Vacant(place) = known.entry(spelling) {
                place.insert(self.key(*element, asked)?);
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
            if is_most || (5 * group.linked < group.text && self.opens(&group.elements, &mut openers)?) {
                found.push(group.elements);
            }
        }
        Some(found)
    }

    /// What tells that elements are hidden and shown together: rules of a style sheet, or the same tag with classes.
    fn key(&self, element: usize, asked: &mut Asked) -> Option<Option<Key>> {
        if self.is(element, tables::HIDDEN) {
            return Some(None); // lists to choose from are many on a page, and no text together
        }
        let mut tag = String::new();
        let written = Written { source: self.source, tables: self.tables };
        written.text(self.spelled[self.spelling[element] as usize], &mut tag)?;
        let told = Told::new(&tag, self.name(self.tag[element]), self.tables)?;
        let known = told.known(asked);
        let rules = asked.hiding_rules(&known);
        if !rules.is_empty() {
            return Some(Some(Key::Rules(rules)));
        }
        let classes: Vec<String> = words(told.class.as_deref().unwrap_or("")).map(String::from).collect();
        if classes.is_empty() {
            return Some(None);
        }
        Some(Some(Key::Spelled(told.name.into(), classes, told.style.unwrap_or_default().into_owned())))
    }

    /// Whether these are boxes that people open: several alike, and as many things to open them with.
    fn opens(&self, boxes: &[usize], openers: &mut Option<usize>) -> Option<bool> {
        if boxes.len() < 3 || !boxes.iter().all(|&element| self.is(element, tables::BLOCK)) {
            return Some(false);
        }
        if self.is_blunt {
            return None;
        }
        let count = *openers.get_or_insert_with(|| count(self.source, &OPENING));
        Some(boxes.len() <= count)
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
