//! Builds the blocks of a fragment with their inlines, for fragments that the core can read alone (`tidings.sites.extraction.fragment`).

use std::collections::HashMap;

use crate::block_texts::FragmentTables;
use crate::blocks::{BuiltBlocks, BLOCK_NUMBERS, KIND_HEADING, NO_LINK};
use crate::columns::Columns;
use crate::data_tables::tag_holds;
use crate::needles::Word;
use crate::pictures::fragment::FragmentPictures;
use crate::story_places::address;
use crate::tag_words::{tags_with_words, words_of_all_tags};
use crate::units::{is_space, stands, Unit};

/// Headings after this number of blocks are never decks.
const HIGHEST_DECK: usize = 4;
/// The maximum number of start tags of possible units; other fragments are read as pages.
const MOST_UNIT_TAGS: usize = 24;

/// Options for blocks.
#[derive(Clone, Copy)]
pub struct BlockOptions<'a> {
    /// The origin of relative URLs, if it has the usual form.
    pub origin: Option<&'a [u8]>,
}

/// Data of the blocks of a fragment besides their rows.
#[derive(Default)]
pub struct BlockRows {
    pub addresses: Vec<AddressText>,
    /// Start tags of possible units, for Python to check.
    pub unit_tags: Vec<Vec<u32>>,
    /// Whether there may be pictures, and these; None if they need a page.
    pub has_pictures: bool,
    pub pictures: Option<FragmentPictures>,
}

/// A URL, as far as it was resolved.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct AddressText {
    pub codes: Vec<u32>,
    pub state: AddressState,
}

/// What remains to be done for a URL.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressState {
    /// It is absolute.
    Absolute = 0,
    /// The URL as written.
    Written = 1,
    /// The start tag of its link.
    Tag = 2,
}

/// The distinct URLs of links.
pub struct Addresses {
    /// For each link the number of its URL, from 1; 0 for an unsafe URL.
    pub numbers: Vec<i64>,
    pub texts: Vec<AddressText>,
}

impl Addresses {
    pub fn new<U: Unit>(source: &[U], page: &Columns, links: &[i64], origin: Option<&[u8]>) -> Self {
        let mut addresses = Addresses { numbers: Vec::with_capacity(links.len()), texts: Vec::new() };
        let mut numbers: HashMap<AddressText, i64> = HashMap::new();
        for &link in links {
            let (start, end) = page.tag_range(link as usize);
            let tag = &source[start..end];
            let address = match address(tag) {
                Some((start, end)) => match absolute(&tag[start..end], origin) {
                    Some(codes) if codes.is_empty() => {
                        addresses.numbers.push(0);
                        continue;
                    }
                    Some(codes) => AddressText { codes, state: AddressState::Absolute },
                    None => AddressText::of(&tag[start..end], AddressState::Written),
                },
                None if !Word::new(b"href").is_in(tag) => {
                    addresses.numbers.push(NO_LINK);
                    continue;
                }
                None => AddressText::of(tag, AddressState::Tag),
            };
            let number = match numbers.get(&address) {
                Some(&number) => number,
                None => {
                    addresses.texts.push(address.clone());
                    numbers.insert(address, addresses.texts.len() as i64);
                    addresses.texts.len() as i64
                }
            };
            addresses.numbers.push(number);
        }
        addresses
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

/// Characters of a plain URL besides letters and digits.
const PLAIN: &[u8] = b"_-.~:/?#@!$&'()*+,;=%";

fn is_of<U: Unit>(unit: U, signs: &[u8]) -> bool {
    let byte = unit.ascii();
    byte < 128 && (byte.is_ascii_alphanumeric() || signs.contains(&byte))
}

/// Whether a URL is absolute and needs no change (`tidings.fields.urls.sanitise`).
pub fn is_plain_address<U: Unit>(text: &[U]) -> bool {
    let begins = |with: &str| text.len() > with.len() && with.bytes().zip(text).all(|(byte, unit)| unit.is(byte));
    let inner = match (begins("http://"), begins("https://")) {
        (true, _) => &text[7..],
        (_, true) => &text[8..],
        _ => return false,
    };
    is_of(inner[0], b"") && inner.iter().all(|&unit| is_of(unit, PLAIN))
}

/// Whether a URL is a path from the root of its site, in the usual form.
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

/// Resolve a URL against an origin. Empty for an unsafe URL, None if Python has to resolve it.
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
    /// Return the data of blocks. None if the fragment has to be read as a page.
    pub fn new<U: Unit>(
        source: &[U],
        page: &Columns,
        fragment_tables: FragmentTables,
        built: &BuiltBlocks,
        addresses: Vec<AddressText>,
    ) -> Option<Self> {
        let FragmentTables { tables, words, .. } = fragment_tables;
        let word_bits = words_of_all_tags(source, page, tables, words);
        let mut unit_tags =
            if word_bits & !1 == 0 { Vec::new() } else { tags_with_words(source, page, tables, words, word_bits & !1) };
        unit_tags.retain(|&(start, end)| !is_quote(&source[start..end]) || !are_plain_quotes(source, page));
        // An element that ends after its parent needs a page.
        let has_outlived = |element: usize| page.last()[element] > page.last()[page.parent()[element].max(0) as usize];
        if (1..page.tag().len()).any(has_outlived) || unit_tags.len() > MOST_UNIT_TAGS {
            return None;
        }
        let has_class = |run: i64| {
            // The heading may be an ancestor of the element of its text.
            let mut element = page.run_element(run as usize);
            while element > 0 {
                if tag_holds(source, page, element, b"class") {
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
        // Possible decks, and headings at the end without their sections, need a page.
        if built.blocks.iter().take(HIGHEST_DECK).skip(1).any(may_be_deck)
            || (built.blocks.len() > 1 && built.blocks.last().map_or(false, is_heading))
        {
            return None;
        }
        Some(BlockRows {
            addresses,
            unit_tags: unit_tags.into_iter().map(|(start, end)| codes_of(&source[start..end])).collect(),
            has_pictures: word_bits & 1 != 0,
            pictures: None,
        })
    }
}

/// A quote without attributes.
const QUOTE: &[u8] = b"<blockquote>";
/// Words in the start tags of sources of quotes.
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
/// Characters before the source of a quote: hyphen, dashes.
const DASHES: [u32; 4] = [0x2D, 0x2013, 0x2014, 0x2015];

fn is_quote<U: Unit>(tag: &[U]) -> bool {
    tag.len() == QUOTE.len() && stands(tag, 0, QUOTE)
}

/// Whether no quote has a source or is a post of a social network (`tidings.article.units.boxes.find_quotes`).
fn are_plain_quotes<U: Unit>(source: &[U], page: &Columns) -> bool {
    let tag = |element: usize| {
        let (start, end) = page.tag_range(element);
        &source[start..end]
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
            || outer.iter().any(|&ancestor| ancestor > 0 && is_in(ancestor, &[b"quote", b"<figure"]))
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
