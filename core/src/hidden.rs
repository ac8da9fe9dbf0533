//! Finds text in the source of a page that no reader sees.
//!
//! Most elements are judged by their start tags alone, each spelling once (`Told::sight`). The whole cascade (`Asked::style`)
//! is computed for elements that a rule with a complex selector may hide, that rules hide and others may show, and that are
//! inside hidden elements.

use std::cell::RefCell;
use std::collections::{hash_map::Entry, HashSet};
use std::rc::Rc;

use crate::cascade::Asked;
use crate::keyed_hash::Map;
use crate::lengths::words;
use crate::matching::{class_bits, Document};
use crate::paints::{paints, Paint, Paints, BLACK, FAINT, INHERITED, WHITE};
use crate::sheet::Sheet;
use crate::start_tag::{attributes, Sight, Told};
use crate::styles::{GONE, INDENT, INK, SIZE, SPACING, VISIBILITY};
use crate::tables::{self, Tables};
use crate::tokens::Classes;
use crate::units::{is_blank, Unit};
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
    /// The piece that a run is made of.
    pub run_piece: &'a dyn Fn(usize) -> usize,
    pub text_start: &'a [i32],
    pub text_end: &'a [i32],
    pub in_link: &'a [u8],
    pub text_size: usize,
    /// The spelling of the start tag of each element that holds text, else -1, and how many spellings there are.
    pub spelling: &'a [i32],
    pub spellings: usize,
    /// Where the start tag of an element stands.
    pub tag_range: &'a dyn Fn(usize) -> (usize, usize),
    /// Whether there is nothing between the tags of an element.
    pub is_empty: &'a dyn Fn(usize) -> bool,
    /// What each start tag tells.
    pub classes: &'a [Classes],
    /// Names of tags outside the standard.
    pub local: &'a [Vec<u8>],
    /// Whether the page is a fragment of another: what is hidden in it stays so, were it most of it.
    pub is_fragment: bool,
    /// Whether the page loads style sheets from elsewhere, which nobody has read here.
    pub has_foreign_sheets: bool,
}

/// Which pieces of a page nobody sees.
pub struct Unseen {
    /// By piece: 1 if its text is hidden, 2 if it is as a box.
    pub pieces: Vec<u8>,
    /// Elements that are seen though their tags say otherwise, for a script will show them.
    pub revealed: Vec<i32>,
}

/// What start tags that are spelled alike tell, and the rules with complex selectors that may be about their elements.
#[derive(Clone, Default)]
struct Looked {
    sight: Sight,
    suspects: Option<Rc<Vec<u32>>>,
}

impl Looked {
    fn new(told: &Told, asked: &mut Asked, has_attribute: impl Fn(&str) -> bool) -> Looked {
        let sight = told.sight(asked);
        let suspects = asked.sheet.suspects(told.name, told.class.as_deref(), told.identity.as_deref(), has_attribute);
        Looked { sight, suspects: Some(suspects).filter(|some| !some.is_empty()).map(Rc::new) }
    }
}

/// What the same classes tell, for most tags differ in their addresses only: by them, and there by the numbers of names.
#[derive(Default)]
struct ByClasses {
    known: Map<Box<[u8]>, Vec<(i32, Looked)>>,
    narrow: Vec<u8>,
}

impl ByClasses {
    /// What classes in ASCII tell, found once.
    fn look<U: Unit>(&mut self, classes: &[U], number: i32, find: impl FnOnce(&str) -> Looked) -> Looked {
        let classes = U::narrow(classes, &mut self.narrow);
        let known = self.known.get_mut(classes);
        if let Some((_, looked)) = known.as_ref().and_then(|known| known.iter().find(|(one, _)| *one == number)) {
            return looked.clone();
        }
        let looked = find(std::str::from_utf8(classes).unwrap_or_default());
        match known {
            Some(known) if known.len() < MOST_NAMES => known.push((number, looked.clone())),
            Some(_) => {}
            None => drop(self.known.insert(classes.into(), vec![(number, looked.clone())])),
        }
        looked
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
        let classes = match *self.classes.get(self.opened[element] as usize).unwrap_or(&Classes::More) {
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

    /// Look for what is hidden under a style sheet.
    pub fn unseen(&self, sheet: &Sheet) -> Unseen {
        let unseen = self.unseen_by(sheet, true);
        if sheet.complex.is_empty() || self.is_fragment || !self.is_mostly_hidden(&unseen) {
            return unseen;
        }
        // A page whose own rules hide most of it waits for a script: only what start tags say counts.
        self.unseen_by(sheet, false)
    }

    fn is_mostly_hidden(&self, unseen: &Unseen) -> bool {
        let size = |run: usize| i64::from(self.text_end[run] - self.text_start[run]);
        let (mut hidden, mut all) = (0, 0);
        for run in 0..self.text_start.len() {
            all += size(run);
            hidden += if unseen.pieces[(self.run_piece)(run)] & TEXT != 0 { size(run) } else { 0 };
        }
        hidden >= MAIN_PART && 10 * hidden > 6 * all
    }

    /// Look for what is hidden; by rules with complex selectors too, or not.
    #[inline(never)]
    fn unseen_by(&self, sheet: &Sheet, uses_complex: bool) -> Unseen {
        let written = Written { source: self.source, tables: self.tables };
        let name_of = |element: usize| self.name(self.tag[element]);
        let read_tag = |element: usize| {
            let mut tag = String::new();
            written.text((self.tag_range)(element), &mut tag);
            attributes(&tag, Some(self.tables))
        };
        let own_bits = |element: usize| {
            let words = self.plain_classes(element)?.split(|unit| is_blank(*unit));
            Some(words.filter(|word| !word.is_empty()).fold(0, |bits, word| bits | class_bits(word)))
        };
        let mut document = Document::new(self.parent, self.opened, self.closed, &name_of, &read_tag, self.is_empty);
        document.own_bits = Some(&own_bits);
        let mut asked = Asked::new(sheet);
        asked.is_part = self.has_foreign_sheets;
        let mut by_spelling: Vec<Option<Looked>> = vec![None; self.spellings];
        let mut by_classes = ByClasses::default();
        let count = self.tag.len();
        let (mut hidden, mut back, mut state) = (vec![0u8; count], vec![0u8; count], vec![0u8; count]);
        let ground = if self.has_foreign_sheets { Paint::Unknown } else { WHITE };
        let mut painted = vec![Paints { ink: BLACK, fill: Paint::Inherited, ground }; count];
        let (mut faintness, mut windows) = (vec![1f32; count], vec![(f32::MAX, f32::MAX); count]);
        let has_complex = uses_complex && !sheet.complex.is_empty();
        let mut all = 0;
        let mut tag = String::new();
        let closed_boxes = [self.tables.number(b"dialog"), self.tables.number(b"template")];
        let roots = [self.tables.number(b"html"), self.tables.number(b"body")];
        for element in 1..count {
            let around = self.parent[element] as usize;
            state[element] = state[around];
            painted[element] = painted[around];
            faintness[element] = faintness[around];
            if self.spelling[element] < 0 {
                continue;
            }
            let spelling = self.spelling[element] as usize;
            let number = self.tag[element];
            let is_root = roots.contains(&Some(number));
            let mut has_display = false;
            if is_root || !self.is(element, tables::NEVER_ASKED) {
                if by_spelling[spelling].is_none() {
                    let looked = self.look(element, &mut asked, &mut by_classes, &mut tag);
                    by_spelling[spelling] = Some(looked);
                }
                let looked = by_spelling[spelling].as_ref();
                let mut sight = looked.map_or_else(Sight::default, |looked| looked.sight);
                let is_suspect = |asked: &Asked| match looked.and_then(|looked| looked.suspects.as_ref()) {
                    Some(suspects) if uses_complex => asked.is_suspect(&document, element, suspects),
                    _ => false,
                };
                let may_be_shown = has_complex
                    && ((sight.hidden_by_style | (state[around] & !VISIBILITY)) != 0
                        || (state[around] != 0 && asked.may_be_visible(&document, element)))
                    || sight.is_out && !self.has_foreign_sheets && !sheet.is_empty();
                if uses_complex && (sight.is_unsure || may_be_shown) || is_suspect(&asked) {
                    sight = self.exact_sight(&document, element, &mut asked, &mut tag);
                }
                if sight.paints != INHERITED {
                    painted[element] = sight.paints.over(painted[around]);
                    let mut is_invisible = painted[element].is_invisible();
                    if is_invisible && !painted[element].is_transparent() {
                        is_invisible = self.is_painted_over(&document, element, &mut asked, &painted);
                    }
                    sight.hidden = (sight.hidden & !INK) | if is_invisible { INK } else { 0 };
                    sight.back |= INK;
                }
                faintness[element] *= sight.opacity;
                if sight.opacity < 1.0 && f64::from(faintness[element]) <= FAINT {
                    sight.hidden |= GONE;
                }
                windows[element] = sight.window;
                if sight.shift != (0.0, 0.0) && self.is_shifted_out(element, sight.shift, &windows) {
                    sight.hidden |= GONE;
                }
                if is_root {
                    sight.hidden &= INK; // a page that is hidden as a whole is shown by a script
                }
                hidden[element] = sight.hidden;
                back[element] = sight.back;
                has_display = sight.has_display;
            }
            let shown = hidden[element] & GONE == 0 && has_display;
            if self.is(element, tables::HIDDEN) {
                hidden[element] |= GONE;
            }
            if hidden[element] & GONE != 0 && closed_boxes.contains(&Some(number)) {
                written.text((self.tag_range)(element), &mut tag);
                let told = Told::new(&tag, self.name(number), self.tables);
                let is_displayed = shown && Some(number) == closed_boxes[0];
                if (told.is_open && told.ways(&mut asked).0 == 0) || is_displayed {
                    hidden[element] &= !GONE;
                }
            }
            state[element] = (state[around] & !back[element]) | (hidden[element] & !GONE);
            all |= hidden[element];
        }
        let hosts = self.hide_unslotted(&document, &mut hidden);
        if !hosts.is_empty() {
            all |= GONE;
        }
        let mut revealed = Vec::new();
        if all != 0 && !self.is_fragment {
            for element in self.shown_later(&hidden) {
                hidden[element] &= !GONE;
                revealed.push(element as i32);
            }
            for way in [GONE, VISIBILITY, SIZE, INK, INDENT, SPACING] {
                let some: Vec<usize> = (1..hidden.len()).filter(|&element| hidden[element] & way != 0).collect();
                let is_hidden =
                    |run: usize| way == GONE || state[self.owner[(self.run_piece)(run)] as usize] & way != 0;
                for together in self.main_parts(&some, is_hidden, &mut asked) {
                    for element in together {
                        hidden[element] &= !way;
                        revealed.push(element as i32);
                    }
                }
            }
        }
        let pieces = if all == 0 { vec![0; self.owner.len()] } else { self.pieces(&hidden, &back, &hosts) };
        Unseen { pieces, revealed }
    }

    /// Whether an element is moved out of a box around it that shows nothing outside itself.
    fn is_shifted_out(&self, element: usize, shift: (f32, f32), windows: &[(f32, f32)]) -> bool {
        const HIGHEST: usize = 8;
        let mut at = element;
        for _ in 0..HIGHEST {
            if at == 0 {
                return false;
            }
            at = self.parent[at] as usize;
            if shift.0 >= windows[at].0 || shift.1 >= windows[at].1 {
                return true;
            }
        }
        false
    }

    /// What the start tag of an element tells.
    fn look(&self, element: usize, asked: &mut Asked, by_classes: &mut ByClasses, tag: &mut String) -> Looked {
        let number = self.tag[element];
        let name = self.name(number);
        let range = (self.tag_range)(element);
        let letters = SmallLetters { text: &self.source[range.0..range.1], bytes: RefCell::default() };
        if let Some(classes) = self.plain_classes(element) {
            let mut looked = by_classes
                .look(classes, number, |classes| Looked::new(&Told::of_classes(name, classes), asked, |_| false));
            let named = asked.sheet.suspects_with_attributes(|attribute| letters.have(attribute));
            if !named.is_empty() {
                let mut all = looked.suspects.map_or_else(Vec::new, |suspects| suspects.to_vec());
                all.extend(named);
                looked.suspects = Some(Rc::new(all));
            }
            return looked;
        }
        let written = Written { source: self.source, tables: self.tables };
        written.text(range, tag);
        Looked::new(&Told::new(tag, name, self.tables), asked, |attribute| letters.have(attribute))
    }

    /// What the whole cascade tells of an element.
    fn exact_sight(&self, document: &Document, element: usize, asked: &mut Asked, tag: &mut String) -> Sight {
        let name = self.name(self.tag[element]);
        let style = asked.style(document, element);
        let mut sight = Sight::default();
        sight.of_style(&style, name, asked);
        sight.hidden_by_style = sight.hidden;
        let written = Written { source: self.source, tables: self.tables };
        written.text((self.tag_range)(element), tag);
        let told = Told::new(tag, name, self.tables);
        let has_own = told.style.as_deref().map_or(false, |style| style.contains("display"));
        let is_displayed = style.get("display").unwrap_or("none") != "none";
        sight.has_display = is_displayed && (has_own || !self.has_foreign_sheets);
        told.add_attributes(&mut sight);
        sight
    }

    /// Whether letters that start tags and simple rules paint in the colour of their ground are really so: the whole
    /// cascade says the same, and they do not lie over a picture.
    fn is_painted_over(&self, document: &Document, element: usize, asked: &mut Asked, painted: &[Paints]) -> bool {
        let mut paint = INHERITED;
        let mut at = element;
        let mut positioned = Vec::new();
        while at > 0 && !paint.is_settled() {
            let style = asked.style(document, at);
            if paint.ground == Paint::Inherited
                && matches!(style.get("position"), Some("relative" | "absolute" | "fixed" | "sticky"))
            {
                positioned.push(at);
            }
            let tag = document.tag(at);
            let name = self.name(self.tag[at]);
            let of = |attribute: &str| tag.get(attribute).map_or(Paint::Inherited, Paint::of_attribute);
            let ink = match name {
                "font" => of("color"),
                "body" => of("text"),
                _ => Paint::Inherited,
            };
            let attributes = Paints { ink, fill: Paint::Inherited, ground: of("bgcolor") };
            paint = paint.over(paints(&style).over(attributes));
            at = document.parent_of(at);
        }
        paint = paint.over(painted[0]);
        paint.is_invisible() && !positioned.iter().any(|&around| self.has_media(around))
    }

    fn has_media(&self, around: usize) -> bool {
        let media: Vec<Option<i32>> = ["img", "picture", "video", "canvas", "svg", "iframe", "object", "embed"]
            .iter()
            .map(|name| self.tables.number(name.as_bytes()))
            .collect();
        (around + 1..self.tag.len())
            .take_while(|&element| self.opened[element] < self.closed[around])
            .any(|element| media.contains(&Some(self.tag[element])))
    }

    /// Hide what a host with a shadow root gives to no slot; return the hosts whose own text is not shown.
    fn hide_unslotted(&self, document: &Document, hidden: &mut [u8]) -> HashSet<i32> {
        let mut hosts = HashSet::new();
        let template = self.tables.number(b"template");
        for element in 1..self.tag.len() {
            if Some(self.tag[element]) != template {
                continue;
            }
            let mode = document.tag(element).get("shadowrootmode").map(str::to_ascii_lowercase);
            if !matches!(mode.as_deref(), Some("open" | "closed")) {
                continue;
            }
            let host = document.parent_of(element);
            let inside = (element + 1..self.tag.len()).take_while(|&at| self.opened[at] < self.closed[element]);
            let slots =
                inside.filter(|&at| self.name(self.tag[at]) == "slot" && document.tag(at).get("hidden").is_none());
            let slots: HashSet<String> = slots.map(|at| document.tag(at).get("name").unwrap_or("").into()).collect();
            if !slots.contains("") {
                hosts.insert(host as i32);
            }
            for child in (host + 1..self.tag.len()).take_while(|&at| self.opened[at] < self.closed[host]) {
                let is_light = document.parent_of(child) == host && child != element;
                if is_light && !slots.contains(document.tag(child).get("slot").unwrap_or("")) {
                    hidden[child] |= GONE;
                }
            }
        }
        hosts
    }

    /// Hidden elements that the page says it shows: panels of code whose tabs are seen, and a story that React streams.
    fn shown_later(&self, hidden: &[u8]) -> Vec<usize> {
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

    /// What each piece inherits of the elements around it.
    fn pieces(&self, hidden: &[u8], back: &[u8], hosts: &HashSet<i32>) -> Vec<u8> {
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
            let is_gone = depth > 0 || (!hosts.is_empty() && hosts.contains(&element));
            flags(state[element as usize] | (u8::from(is_gone) * GONE))
        };
        self.owner.iter().zip(gone).map(state_of).collect()
    }

    /// Those hidden elements that hold most of the text, or much of it in boxes that people open.
    fn main_parts(&self, some: &[usize], is_hidden: impl Fn(usize) -> bool, asked: &mut Asked) -> Vec<Vec<usize>> {
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

/// A text that is searched for words in capitals or not.
struct SmallLetters<'a, U: Unit> {
    text: &'a [U],
    /// The text in small letters, once somebody has asked.
    bytes: RefCell<Vec<u8>>,
}

impl<U: Unit> SmallLetters<'_, U> {
    fn have(&self, word: &str) -> bool {
        let mut bytes = self.bytes.borrow_mut();
        if bytes.is_empty() {
            *bytes = U::narrow(self.text, &mut Vec::new()).to_ascii_lowercase();
        }
        let (word, mut from) = (word.as_bytes(), 0);
        while let Some(at) = Unit::find(&bytes[..], from, word.first().copied().unwrap_or_default()) {
            if bytes[at..].starts_with(word) {
                return true;
            }
            from = at + 1;
        }
        false
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
