//! Builds the blocks of a fragment with their inlines, for fragments that the core can read alone (`tidings.sites.extraction.fragment`).

use std::collections::HashMap;

use crate::block_texts::Knowledge;
use crate::blocks::{Found, BLOCK_NUMBERS, KIND_HEADING, NO_LINK};
use crate::columns::Columns;
use crate::fragment_pictures::ToldPictures;
use crate::needles::Word;
use crate::story_places::address;
use crate::tag_words::{tags_with_words, words_of_all_tags};
use crate::units::{is_space, stands, Unit};

/// A heading is a deck no further down.
const HIGHEST_DECK: usize = 4;
/// Fragments with more start tags that tell of units are left to Python.
const MOST_UNIT_TAGS: usize = 24;

/// What must be known to tell of blocks.
#[derive(Clone, Copy)]
pub struct Asking<'a> {
    /// The beginning of the addresses to which those of the fragment are relative, if it is a usual one.
    pub origin: Option<&'a [u8]>,
}

/// What the blocks of a fragment are made of, besides what their own rows tell.
#[derive(Default)]
pub struct BlockRows {
    pub addresses: Vec<AddressText>,
    /// Start tags with words that tell of units: Python looks whether one of them is a unit.
    pub unit_tags: Vec<Vec<u32>>,
    /// Whether there may be pictures, and those, where no page has to be asked for them.
    pub has_pictures: bool,
    pub pictures: Option<ToldPictures>,
}

/// An address, as far as it is told.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct AddressText {
    pub codes: Vec<u32>,
    pub state: AddressState,
}

/// What is left to Python of an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressState {
    /// It is absolute.
    Absolute = 0,
    /// It is told as its link has it.
    Written = 1,
    /// The start tag of its link is told.
    Tag = 2,
}

/// The addresses of links, each once.
pub struct Addresses {
    /// Of each link: its address, counted from 1; 0 for one that is not shown.
    pub numbers: Vec<i64>,
    pub texts: Vec<AddressText>,
}

impl Addresses {
    pub fn new<U: Unit>(source: &[U], page: &Columns, links: &[i64], origin: Option<&[u8]>) -> Self {
        let mut found = Addresses { numbers: Vec::with_capacity(links.len()), texts: Vec::new() };
        let mut known: HashMap<AddressText, i64> = HashMap::new();
        let (bounds, opened) = (page.bounds(), page.opened());
        for &link in links {
            let at = 2 * opened[link as usize] as usize;
            let tag = &source[bounds[at + 1] as usize..bounds[at + 2] as usize];
            let address = match address(tag) {
                Some((start, end)) => match absolute(&tag[start..end], origin) {
                    Some(codes) if codes.is_empty() => {
                        found.numbers.push(0);
                        continue;
                    }
                    Some(codes) => AddressText { codes, state: AddressState::Absolute },
                    None => AddressText::of(&tag[start..end], AddressState::Written),
                },
                None if !Word::new(b"href").is_in(tag) => {
                    found.numbers.push(NO_LINK);
                    continue;
                }
                None => AddressText::of(tag, AddressState::Tag),
            };
            let number = match known.get(&address) {
                Some(&number) => number,
                None => {
                    found.texts.push(address.clone());
                    known.insert(address, found.texts.len() as i64);
                    found.texts.len() as i64
                }
            };
            found.numbers.push(number);
        }
        found
    }
}

impl AddressText {
    fn of<U: Unit>(text: &[U], state: AddressState) -> Self {
        AddressText { codes: codes_of(text), state }
    }
}

fn codes_of<U: Unit>(text: &[U]) -> Vec<u32> {
    text.iter().map(|unit| unit.code()).collect()
}

/// What may stand in an address besides letters and digits.
const PLAIN: &[u8] = b"_-.~:/?#@!$&'()*+,;=%";

fn is_of<U: Unit>(unit: U, signs: &[u8]) -> bool {
    let byte = unit.ascii();
    byte < 128 && (byte.is_ascii_alphanumeric() || signs.contains(&byte))
}

/// Whether an address is one of which nothing has to be changed (`tidings.fields.urls.sanitise`).
pub fn is_plain_address<U: Unit>(text: &[U]) -> bool {
    let begins = |with: &str| text.len() > with.len() && with.bytes().zip(text).all(|(one, unit)| unit.is(one));
    let inner = match (begins("http://"), begins("https://")) {
        (true, _) => &text[7..],
        (_, true) => &text[8..],
        _ => return false,
    };
    is_of(inner[0], b"") && inner.iter().all(|&unit| is_of(unit, PLAIN))
}

/// Whether an address is a path from the root of its site, as most are written.
pub fn is_rooted<U: Unit>(text: &[U]) -> bool {
    const FIRST: &[u8] = b"_-~+,:@=&%";
    const INNER: &[u8] = b"_-.~+,:@=&%";
    if !text.first().map_or(false, |unit| unit.is(b'/')) {
        return false;
    }
    let mut at = 1;
    while text.get(at).map_or(false, |&unit| is_of(unit, FIRST)) {
        at += text[at..].iter().take_while(|&&unit| is_of(unit, INNER)).count();
        at += usize::from(text.get(at).map_or(false, |unit| unit.is(b'/')));
    }
    match text[at..].split_first() {
        None => true,
        Some((sign, query)) => {
            (sign.is(b'?') || sign.is(b'#'))
                && !query.is_empty()
                && query.iter().all(|&unit| is_of(unit, b"_-.~+,:@=&%/"))
        }
    }
}

/// An address seen from the beginning of others, empty if it is not shown; nothing if it is left to Python.
fn absolute<U: Unit>(text: &[U], origin: Option<&[u8]>) -> Option<Vec<u32>> {
    let own = text.iter().map(|unit| unit.code());
    if is_plain_address(text) {
        return Some(own.collect());
    }
    let scheme = text.iter().take_while(|&&unit| is_of(unit, b"+.-")).count();
    if text.get(scheme).map_or(false, |unit| unit.is(b':')) && text[0].ascii().is_ascii_alphabetic() {
        let is_named = |name: &[u8]| name.len() == scheme && stands(text, 0, name);
        if is_named(b"mailto") && text.len() > scheme + 1 && text.iter().all(|&unit| is_of(unit, PLAIN)) {
            return Some(own.collect());
        }
        let is_shown = is_named(b"mailto") || is_named(b"http") || is_named(b"https");
        return if is_shown { None } else { Some(Vec::new()) };
    }
    let origin = origin.filter(|_| is_rooted(text))?;
    Some(origin.iter().map(|&byte| u32::from(byte)).chain(own).collect())
}

impl BlockRows {
    /// What is told of blocks; nothing if the fragment has to be read as a page.
    pub fn new<U: Unit>(
        source: &[U],
        page: &Columns,
        known: Knowledge,
        found: &Found,
        texts: Vec<AddressText>,
    ) -> Option<Self> {
        let Knowledge { tables, words, .. } = known;
        let held = words_of_all_tags(source, page, tables, words);
        let mut unit_tags =
            if held & !1 == 0 { Vec::new() } else { tags_with_words(source, page, tables, words, held & !1) };
        unit_tags.retain(|&(start, end)| !is_quote(&source[start..end]) || !are_plain_quotes(source, page));
        // Of a link that what it holds has outlived, Python tells what stands in it.
        let has_outlived = |element: usize| page.last()[element] > page.last()[page.parent()[element].max(0) as usize];
        if (1..page.tag().len()).any(has_outlived) || unit_tags.len() > MOST_UNIT_TAGS {
            return None;
        }
        let has_class = |run: i64| {
            // The element of a heading may be one around that of its text: all of them are looked at.
            let mut element = page.run_element(run as usize);
            while element > 0 {
                let at = 2 * page.opened()[element] as usize;
                let tag = &source[page.bounds()[at + 1] as usize..page.bounds()[at + 2] as usize];
                if Word::new(b"class").is_in(tag) {
                    return true;
                }
                if page.tag()[element] > 0 && tables.sets(page.tag()[element] as i32) & crate::tables::HEADING != 0 {
                    return false;
                }
                element = page.parent()[element].max(0) as usize;
            }
            false
        };
        let is_heading = |block: &[i64; BLOCK_NUMBERS]| block[0] == KIND_HEADING;
        let may_be_deck = |block: &[i64; BLOCK_NUMBERS]| is_heading(block) && block[1] > 1 && has_class(block[8]);
        // Python looks whether a heading is a deck, and whether one at the end has lost its section.
        if found.blocks.iter().take(HIGHEST_DECK).skip(1).any(may_be_deck)
            || (found.blocks.len() > 1 && found.blocks.last().map_or(false, is_heading))
        {
            return None;
        }
        Some(BlockRows {
            addresses: texts,
            unit_tags: unit_tags.into_iter().map(|(start, end)| codes_of(&source[start..end])).collect(),
            has_pictures: held & 1 != 0,
            pictures: None,
        })
    }
}

/// A quote of which its start tag tells nothing.
const QUOTE: &[u8] = b"<blockquote>";
/// The start tag of what says who said it holds one of these, unless its class has references.
const NAMING: [&[u8]; 11] = [
    b"<footer",
    b"<figcaption",
    b"cite",
    b"attribution",
    b"author",
    b"source",
    b"posted",
    b"title",
    b"quoteh",
    b"quotet",
    b"quote-",
];
/// Before one who said it: hyphen, dashes.
const DASHES: [u32; 4] = [0x2D, 0x2013, 0x2014, 0x2015];

fn is_quote<U: Unit>(tag: &[U]) -> bool {
    tag.len() == QUOTE.len() && stands(tag, 0, QUOTE)
}

/// Whether no quote names who said it, or is a post of a network (`tidings.article.units.boxes.find_quotes`).
fn are_plain_quotes<U: Unit>(source: &[U], page: &Columns) -> bool {
    let tag = |element: usize| match usize::try_from(page.opened()[element]) {
        Ok(piece) => &source[page.bounds()[2 * piece + 1] as usize..page.bounds()[2 * piece + 2] as usize],
        Err(_) => &[],
    };
    let is_in = |element: usize, words: &[&[u8]]| {
        let has = |word: &[u8]| Word::new(word).is_in(tag(element));
        words.iter().any(|word| has(word)) || (tag(element).iter().any(|unit| unit.is(b'&')) && has(b"class"))
    };
    let range = |element: usize| (page.first()[element] as usize, page.last()[element] as usize);
    let around = |element: usize| page.parent()[element].max(0) as usize;
    let is_named = |quote: usize| {
        let (first, last) = range(quote);
        let may_name = |run: usize| {
            let text = &page.text[page.text_start()[run] as usize..page.text_end()[run] as usize];
            let begin = text.iter().find(|&&code| !is_space(code));
            text.contains(&u32::from(b'@')) || begin.map_or(false, |code| DASHES.contains(code))
        };
        let outer = [around(quote), around(around(quote))];
        (first..last).any(may_name)
            || (quote + 1..page.tag().len())
                .take_while(|&inner| range(inner).0 < last)
                .any(|inner| range(inner).0 < range(inner).1 && is_in(inner, &NAMING))
            || outer.iter().any(|&one| one > 0 && is_in(one, &[b"quote", b"<figure"]))
    };
    let mut quotes = (1..page.tag().len()).filter(|&element| is_quote(tag(element)));
    !quotes.any(|quote| range(quote).0 < range(quote).1 && is_named(quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_addresses_are_seen_from_an_origin() {
        let read = |text: &str| {
            let found = absolute(text.as_bytes(), Some(b"http://a.example"))?;
            found.into_iter().map(char::from_u32).collect::<Option<String>>()
        };
        assert_eq!(read("https://b.example/?c#d"), Some("https://b.example/?c#d".into()));
        for path in ["/", "/b", "/b/", "/b.c/d?e=/f", "/b#c"] {
            assert_eq!(read(path), Some(format!("http://a.example{path}")));
        }
        assert_eq!(read("mailto:b@c.example"), Some("mailto:b@c.example".into()));
        assert_eq!((read("javascript:b()"), read("whatsapp://\u{e9}")), (Some("".into()), Some("".into())));
        for other in [
            "mailto:",
            "mailto:b c",
            "http:b",
            "",
            "b",
            "//b.example",
            "/./b",
            "/.b",
            "/b//c",
            "/b?",
            "/b c",
            "http://",
            "HTTP://b",
            "/\u{e9}",
        ] {
            assert_eq!(read(other), None, "{}", other);
        }
        assert_eq!(absolute(b"/b", None), None);
    }
}
