//! Finds text in the source of a page that no reader sees.
//!
//! Most elements are judged by their start tags alone, each spelling once (`Told::sight`). The whole cascade (`Asked::style`)
//! is computed for elements that a rule with a complex selector may hide, that rules hide and others may show, and that are
//! inside hidden elements.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use crate::cascade::Asked;
use crate::keyed_hash::Map;
use crate::matching::{class_bits, Document};
use crate::paints::{paints, Paint, Paints, BLACK, FAINT, INHERITED, WHITE};
use crate::revealed::MAIN_PART;
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

/// Names of tags of which is remembered what the same classes hide.
const MOST_NAMES: usize = 16;
impl<U: Unit> Facts<'_, U> {
    pub fn name(&self, tag: i32) -> &str {
        let standard = self.tables.names.len();
        let name = match self.tables.names.get(tag as usize) {
            Some(name) => name,
            None => &self.local[tag as usize - standard],
        };
        std::str::from_utf8(name).unwrap_or("")
    }

    pub fn is(&self, element: usize, set: u32) -> bool {
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
