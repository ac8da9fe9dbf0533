//! Finds hidden text of a page.
//!
//! Most elements are judged by their start tags alone, each spelling once (`StartTag::visibility`). The whole cascade (`Cascade::style`)
//! is computed for elements that a rule with a complex selector may hide, that rules hide and others may show, and that are
//! inside hidden elements.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use crate::cascade::Cascade;
use crate::keyed_hash::Map;
use crate::matching::{class_bits, Document};
use crate::paints::{paints, Paint, Paints, BLACK, FAINT, INHERITED, WHITE};
use crate::revealed::MAIN_PART;
use crate::sheet::Sheet;
use crate::start_tag::{attributes, StartTag, Visibility};
use crate::styles::{GONE, INDENT, INK, SIZE, SPACING, VISIBILITY};
use crate::tables::{self, Tables};
use crate::tokens::Classes;
use crate::units::{is_blank, Unit};
use crate::written::Written;

/// The columns of a page that the search for hidden text needs.
pub struct Facts<'a, U: Unit> {
    pub source: &'a [U],
    pub tables: &'a Tables,
    pub tag: &'a [i32],
    pub parent: &'a [i32],
    pub opened: &'a [i32],
    pub closed: &'a [i32],
    pub owner: &'a [i32],
    /// The runs of an element: the first, and the run after the last.
    pub runs: &'a dyn Fn(usize) -> (usize, usize),
    /// The piece of a run.
    pub run_piece: &'a dyn Fn(usize) -> usize,
    pub text_start: &'a [i32],
    pub text_end: &'a [i32],
    pub in_link: &'a [u8],
    pub text_size: usize,
    /// The spelling of the start tag of each element with text, else -1, and the number of spellings.
    pub spelling: &'a [i32],
    pub spellings: usize,
    /// The range of the start tag of an element.
    pub tag_range: &'a dyn Fn(usize) -> (usize, usize),
    /// Whether there is nothing between the tags of an element.
    pub is_empty: &'a dyn Fn(usize) -> bool,
    /// The class attribute of each start tag.
    pub classes: &'a [Classes],
    /// Names of tags outside the standard.
    pub local: &'a [Vec<u8>],
    /// Whether the page is a fragment of another: its hidden text stays hidden, even if it is most of the fragment.
    pub is_fragment: bool,
    /// Whether the page links to style sheets, which are not read.
    pub has_foreign_sheets: bool,
}

/// The hidden pieces of a page.
pub struct HiddenPieces {
    /// By piece: 1 if its text is hidden, 2 if its box is.
    pub pieces: Vec<u8>,
    /// Hidden elements that count as visible because a script will show them.
    pub revealed: Vec<i32>,
}

/// The visibility by start tags with the same spelling, and the rules with complex selectors that may match them.
#[derive(Clone, Default)]
struct CachedVisibility {
    visibility: Visibility,
    suspects: Option<Rc<Vec<u32>>>,
}

impl CachedVisibility {
    fn new(start_tag: &StartTag, cascade: &mut Cascade, has_attribute: impl Fn(&str) -> bool) -> CachedVisibility {
        let visibility = start_tag.visibility(cascade);
        let suspects = cascade.sheet.suspects(
            start_tag.name,
            start_tag.class.as_deref(),
            start_tag.identity.as_deref(),
            has_attribute,
        );
        CachedVisibility { visibility, suspects: Some(suspects).filter(|some| !some.is_empty()).map(Rc::new) }
    }
}

/// A cache by class attribute and tag: most start tags with the same classes differ only in their URLs.
#[derive(Default)]
struct ByClasses {
    by_class: Map<Box<[u8]>, Vec<(i32, CachedVisibility)>>,
    narrow: Vec<u8>,
}

impl ByClasses {
    /// Return the cached visibility of ASCII classes.
    fn look<U: Unit>(
        &mut self,
        classes: &[U],
        number: i32,
        find: impl FnOnce(&str) -> CachedVisibility,
    ) -> CachedVisibility {
        let classes = U::narrow(classes, &mut self.narrow);
        let entries = self.by_class.get_mut(classes);
        if let Some((_, cached)) = entries.as_ref().and_then(|entries| entries.iter().find(|(tag, _)| *tag == number)) {
            return cached.clone();
        }
        let cached = find(std::str::from_utf8(classes).unwrap_or_default());
        match entries {
            Some(entries) if entries.len() < MOST_NAMES => entries.push((number, cached.clone())),
            Some(_) => {}
            None => drop(self.by_class.insert(classes.into(), vec![(number, cached.clone())])),
        }
        cached
    }
}

pub const TEXT: u8 = 1;
pub const BOX: u8 = 2;

/// The maximum number of tags per class attribute in the cache.
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

    /// Return the classes of an element if only they and its tag decide its visibility, which is the common case. None if
    /// they have to be decoded.
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

    /// Return the hidden pieces under a style sheet.
    pub fn hidden_pieces(&self, sheet: &Sheet) -> HiddenPieces {
        let hidden_pieces = self.hidden_pieces_by(sheet, true);
        if sheet.complex.is_empty() || self.is_fragment || !self.is_mostly_hidden(&hidden_pieces) {
            return hidden_pieces;
        }
        // A page whose rules hide most of it waits for a script: only start tags count.
        self.hidden_pieces_by(sheet, false)
    }

    fn is_mostly_hidden(&self, hidden_pieces: &HiddenPieces) -> bool {
        let size = |run: usize| i64::from(self.text_end[run] - self.text_start[run]);
        let (mut hidden, mut all) = (0, 0);
        for run in 0..self.text_start.len() {
            all += size(run);
            hidden += if hidden_pieces.pieces[(self.run_piece)(run)] & TEXT != 0 { size(run) } else { 0 };
        }
        hidden >= MAIN_PART && 10 * hidden > 6 * all
    }

    /// Return the hidden pieces, with or without rules with complex selectors.
    #[inline(never)]
    fn hidden_pieces_by(&self, sheet: &Sheet, uses_complex: bool) -> HiddenPieces {
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
        let mut cascade = Cascade::new(sheet);
        cascade.is_part = self.has_foreign_sheets;
        let mut by_spelling: Vec<Option<CachedVisibility>> = vec![None; self.spellings];
        let mut by_classes = ByClasses::default();
        let count = self.tag.len();
        let (mut hidden, mut back, mut state) = (vec![0u8; count], vec![0u8; count], vec![0u8; count]);
        let ground = if self.has_foreign_sheets { Paint::Unknown } else { WHITE };
        let mut painted = vec![Paints { ink: BLACK, fill: Paint::Inherited, ground }; count];
        let (mut faintness, mut windows) = (vec![1f32; count], vec![(f32::MAX, f32::MAX); count]);
        let has_complex = uses_complex && !sheet.complex.is_empty();
        let mut any = 0;
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
                    let cached = self.look(element, &mut cascade, &mut by_classes, &mut tag);
                    by_spelling[spelling] = Some(cached);
                }
                let cached = by_spelling[spelling].as_ref();
                let mut visibility = cached.map_or_else(Visibility::default, |cached| cached.visibility);
                let is_suspect = |cascade: &Cascade| match cached.and_then(|cached| cached.suspects.as_ref()) {
                    Some(suspects) if uses_complex => cascade.is_suspect(&document, element, suspects),
                    _ => false,
                };
                let may_be_shown = has_complex
                    && ((visibility.hidden_by_style | (state[around] & !VISIBILITY)) != 0
                        || (state[around] != 0 && cascade.may_be_visible(&document, element)))
                    || visibility.is_out && !self.has_foreign_sheets && !sheet.is_empty();
                if uses_complex && (visibility.is_unsure || may_be_shown) || is_suspect(&cascade) {
                    visibility = self.exact_visibility(&document, element, &mut cascade, &mut tag);
                }
                if visibility.paints != INHERITED {
                    painted[element] = visibility.paints.over(painted[around]);
                    let mut is_invisible = painted[element].is_invisible();
                    if is_invisible && !painted[element].is_transparent() {
                        is_invisible = self.is_painted_over(&document, element, &mut cascade, &painted);
                    }
                    visibility.hidden = (visibility.hidden & !INK) | if is_invisible { INK } else { 0 };
                    visibility.back |= INK;
                }
                faintness[element] *= visibility.opacity;
                if visibility.opacity < 1.0 && f64::from(faintness[element]) <= FAINT {
                    visibility.hidden |= GONE;
                }
                windows[element] = visibility.window;
                if visibility.shift != (0.0, 0.0) && self.is_shifted_out(element, visibility.shift, &windows) {
                    visibility.hidden |= GONE;
                }
                if is_root {
                    visibility.hidden &= INK; // a script shows a page that is hidden as a whole
                }
                hidden[element] = visibility.hidden;
                back[element] = visibility.back;
                has_display = visibility.has_display;
            }
            let is_displayed_by_style = hidden[element] & GONE == 0 && has_display;
            if self.is(element, tables::HIDDEN) {
                hidden[element] |= GONE;
            }
            if hidden[element] & GONE != 0 && closed_boxes.contains(&Some(number)) {
                written.text((self.tag_range)(element), &mut tag);
                let start_tag = StartTag::new(&tag, self.name(number), self.tables);
                let is_displayed = is_displayed_by_style && Some(number) == closed_boxes[0];
                if (start_tag.is_open && start_tag.ways(&mut cascade).0 == 0) || is_displayed {
                    hidden[element] &= !GONE;
                }
            }
            state[element] = (state[around] & !back[element]) | (hidden[element] & !GONE);
            any |= hidden[element];
        }
        let hosts = self.hide_unslotted(&document, &mut hidden);
        if !hosts.is_empty() {
            any |= GONE;
        }
        let mut revealed = Vec::new();
        if any != 0 && !self.is_fragment {
            for element in self.revealed_by_scripts(&hidden) {
                hidden[element] &= !GONE;
                revealed.push(element as i32);
            }
            for way in [GONE, VISIBILITY, SIZE, INK, INDENT, SPACING] {
                let elements: Vec<usize> = (1..hidden.len()).filter(|&element| hidden[element] & way != 0).collect();
                let is_hidden =
                    |run: usize| way == GONE || state[self.owner[(self.run_piece)(run)] as usize] & way != 0;
                for group in self.main_parts(&elements, is_hidden, &mut cascade) {
                    for element in group {
                        hidden[element] &= !way;
                        revealed.push(element as i32);
                    }
                }
            }
        }
        let pieces = if any == 0 { vec![0; self.owner.len()] } else { self.pieces(&hidden, &back, &hosts) };
        HiddenPieces { pieces, revealed }
    }

    /// Whether an element is moved out of an ancestor that clips its contents.
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

    /// Return the visibility of an element by its start tag.
    fn look(
        &self,
        element: usize,
        cascade: &mut Cascade,
        by_classes: &mut ByClasses,
        tag: &mut String,
    ) -> CachedVisibility {
        let number = self.tag[element];
        let name = self.name(number);
        let range = (self.tag_range)(element);
        let letters = LowerCase { text: &self.source[range.0..range.1], bytes: RefCell::default() };
        if let Some(classes) = self.plain_classes(element) {
            let mut cached = by_classes.look(classes, number, |classes| {
                CachedVisibility::new(&StartTag::of_classes(name, classes), cascade, |_| false)
            });
            let by_attribute = cascade.sheet.suspects_with_attributes(|attribute| letters.have(attribute));
            if !by_attribute.is_empty() {
                let mut suspects = cached.suspects.map_or_else(Vec::new, |suspects| suspects.to_vec());
                suspects.extend(by_attribute);
                cached.suspects = Some(Rc::new(suspects));
            }
            return cached;
        }
        let written = Written { source: self.source, tables: self.tables };
        written.text(range, tag);
        CachedVisibility::new(&StartTag::new(tag, name, self.tables), cascade, |attribute| letters.have(attribute))
    }

    /// Return the visibility of an element by the whole cascade.
    fn exact_visibility(
        &self,
        document: &Document,
        element: usize,
        cascade: &mut Cascade,
        tag: &mut String,
    ) -> Visibility {
        let name = self.name(self.tag[element]);
        let style = cascade.style(document, element);
        let mut visibility = Visibility::default();
        visibility.set_style(&style, name, cascade);
        visibility.hidden_by_style = visibility.hidden;
        let written = Written { source: self.source, tables: self.tables };
        written.text((self.tag_range)(element), tag);
        let start_tag = StartTag::new(tag, name, self.tables);
        let has_own = start_tag.style.as_deref().map_or(false, |style| style.contains("display"));
        let is_displayed = style.get("display").unwrap_or("none") != "none";
        visibility.has_display = is_displayed && (has_own || !self.has_foreign_sheets);
        start_tag.add_attributes(&mut visibility);
        visibility
    }

    /// Whether text in the colour of its background by start tags and simple rules is so by the whole cascade, and is not
    /// over a picture.
    fn is_painted_over(&self, document: &Document, element: usize, cascade: &mut Cascade, painted: &[Paints]) -> bool {
        let mut paint = INHERITED;
        let mut at = element;
        let mut positioned = Vec::new();
        while at > 0 && !paint.is_settled() {
            let style = cascade.style(document, at);
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

    /// Hide children of shadow hosts without a slot; return the hosts whose own text is hidden.
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

    /// Return by piece how its ancestors hide it.
    fn pieces(&self, hidden: &[u8], back: &[u8], hosts: &HashSet<i32>) -> Vec<u8> {
        let mut state = vec![0u8; hidden.len()];
        // `display: none` counts between the tags of an element, wherever the parser moved its contents.
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

/// A text for searches that ignore case.
struct LowerCase<'a, U: Unit> {
    text: &'a [U],
    /// The text in lower case, computed on first use.
    bytes: RefCell<Vec<u8>>,
}

impl<U: Unit> LowerCase<'_, U> {
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
