//! What a page says of itself outside its text (`tidings.page.signals`): meta elements, links, and where the rest stands.

use std::borrow::Cow;

use crate::columns::Columns;
use crate::needles::Word;
use crate::start_tag::{each_attribute, plain};
use crate::tables::Tables;
use crate::units::{is_space, Unit};
use crate::written::Written;

/// The numbers of the tags that are read: `meta`, `link`, `script`, then those of which the caller is told the place.
pub const TAGS: usize = 6;
const NO_SORT: usize = TAGS;
/// Attributes that name what a meta element tells, the first that says something.
const NAMES: [&[u8]; 4] = [b"property", b"name", b"itemprop", b"http-equiv"];
/// And those that tell it.
const CONTENTS: [&[u8]; 2] = [b"content", b"value"];
const LINK: [&[u8]; 2] = [b"rel", b"href"];
/// Links to what a browser loads with the page say nothing of the story.
const LOADED: [&str; 7] = ["stylesheet", "preload", "preconnect", "dns-prefetch", "prefetch", "icon", "module"];

/// What a page declares.
#[derive(Default)]
pub struct Signals {
    /// Name and content of each meta element, relation and address of each link, with NUL behind each of them.
    pub meta: String,
    pub links: String,
    /// The place of each other element among the tags, where it begins and ends: scripts of JSON-LD behind their start tag.
    pub others: Vec<i64>,
}

/// What a page declares; nothing where Python has to look.
pub fn signals<U: Unit>(source: &[U], page: &Columns, tables: &Tables, tags: &[i64]) -> Option<Signals> {
    let mut found = Signals::default();
    let (written, json_ld) = (Written { source, tables }, Word::new(b"ld+json"));
    let (bounds, opened, mut tag) = (page.bounds(), page.opened(), String::new());
    let mut sorts = vec![NO_SORT; tags.iter().max().map_or(0, |&most| most as usize + 1)];
    tags.iter().enumerate().rev().for_each(|(sort, &number)| sorts[number as usize] = sort);
    for (element, &number) in page.tag().iter().enumerate() {
        let sort = match sorts.get(number as usize) {
            Some(&sort) if sort != NO_SORT && opened[element] >= 0 => sort,
            _ => continue,
        };
        let at = 2 * opened[element] as usize;
        let (start, end) = (bounds[at + 1] as usize, bounds[at + 2] as usize);
        match sort {
            0 => {
                written.text((start, end), &mut tag);
                add_meta(&tag, tables, &mut found.meta)?;
            }
            1 => {
                written.text((start, end), &mut tag);
                add_link(&tag, tables, &mut found.links)?;
            }
            2 => {
                if let Some(sign) = U::find(&source[..end], start, b'>') {
                    if json_ld.is_in(&source[start..sign]) {
                        found.others.extend([sort as i64, sign as i64 + 1, end as i64]);
                    }
                }
            }
            _ => found.others.extend([sort as i64, start as i64, end as i64]),
        }
    }
    Some(found)
}

/// The values of some attributes, the first of equals; nothing where Python has to look.
fn values<'a, const COUNT: usize>(
    tag: &'a str,
    names: [&[u8]; COUNT],
    tables: &Tables,
) -> Option<[Option<Cow<'a, str>>; COUNT]> {
    const NONE: Option<Cow<str>> = None;
    let mut found = [NONE; COUNT];
    let mut is_read = true;
    each_attribute(tag, |key, value| {
        // White space beyond ASCII parts attributes for some readers.
        is_read &= key.iter().all(|byte| (0x20..0x80).contains(byte));
        if let Some(place) = names.iter().position(|name| key.eq_ignore_ascii_case(name)) {
            if found[place].is_none() {
                found[place] = Some(plain(value, tables));
                is_read &= found[place].is_some();
            }
        }
    });
    Some(found).filter(|_| is_read)
}

/// The first value that says something.
fn said<'a>(values: &'a [Option<Cow<str>>]) -> &'a str {
    values.iter().flatten().find(|value| !value.is_empty()).map_or("", |value| value)
}

fn add_meta(tag: &str, tables: &Tables, out: &mut String) -> Option<()> {
    let [a, b, c, d, content, value] =
        values(tag, [NAMES[0], NAMES[1], NAMES[2], NAMES[3], CONTENTS[0], CONTENTS[1]], tables)?;
    let names = [a, b, c, d];
    let name = said(&names);
    if name.is_empty() {
        return Some(());
    }
    add_small(name.trim_matches(is_gap), out)?;
    out.push('\0');
    let contents = [content, value];
    let (begin, content) = (out.len(), said(&contents));
    if is_folded(content.as_bytes()) {
        out.push_str(content);
    } else {
        for word in content.split(is_gap).filter(|word| !word.is_empty()) {
            if out.len() > begin {
                out.push(' ');
            }
            out.push_str(word);
        }
    }
    out.push('\0');
    Some(())
}

fn add_link(tag: &str, tables: &Tables, out: &mut String) -> Option<()> {
    let is_loaded = |rest: &str| {
        let rest = rest.strip_prefix(&['"', '\''][..]).unwrap_or(rest);
        LOADED.iter().any(|name| rest.starts_with(name))
    };
    if tag.match_indices("rel=").any(|(at, sign)| is_loaded(&tag[at + sign.len()..])) {
        return Some(());
    }
    let told = values(tag, LINK, tables)?;
    let [relations, address] = &told;
    let address = address.as_deref().unwrap_or("").trim_matches(is_gap);
    for relation in relations.as_deref().unwrap_or("").split(is_gap).filter(|word| !word.is_empty()) {
        add_small(relation, out)?;
        out.push('\0');
        out.push_str(address);
        out.push('\0');
    }
    Some(())
}

/// Whether a text is ASCII with single spaces between its words, as most are.
fn is_folded(text: &[u8]) -> bool {
    let is_plain = text.iter().fold(true, |is_plain, byte| is_plain & (0x20..0x80).contains(byte));
    is_plain
        && text.first() != Some(&b' ')
        && text.last() != Some(&b' ')
        && !text.windows(2).fold(false, |is_wide, two| is_wide | (two == b"  "))
}

fn is_gap(letter: char) -> bool {
    is_space(u32::from(letter))
}

/// Add a word of ASCII in small letters; others are for Python to write.
fn add_small(word: &str, out: &mut String) -> Option<()> {
    if !word.is_ascii() {
        return None;
    }
    let begin = out.len();
    out.push_str(word);
    out[begin..].make_ascii_lowercase();
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn meta(tag: &str) -> Option<String> {
        let mut out = String::new();
        add_meta(tag, &samples::tables(), &mut out).map(|()| out)
    }

    fn link(tag: &str) -> Option<String> {
        let mut out = String::new();
        add_link(tag, &samples::tables(), &mut out).map(|()| out)
    }

    #[test]
    fn meta_elements_tell_names_and_contents() {
        assert_eq!(meta("<meta name=\" Og:X\" content=' a\n b&amp;c\u{a0}'>").as_deref(), Some("og:x\0a b&c\0"));
        assert_eq!(meta("<META property='' name=a value=b>").as_deref(), Some("a\0b\0"));
        assert_eq!(meta("<meta name=a content='' value=b content=c>").as_deref(), Some("a\0b\0"));
        assert_eq!(meta("<meta name=a>").as_deref(), Some("a\0\0"));
        assert_eq!(meta("<meta name=a content='b  c'>").as_deref(), Some("a\0b c\0"));
        assert_eq!(meta("<meta name=a content=' b c'>").as_deref(), Some("a\0b c\0"));
        assert_eq!(meta("<meta name=a content='b c '>").as_deref(), Some("a\0b c\0"));
        assert_eq!(meta("<meta name=a content='b\u{2003}\u{e9}\u{1f}'>").as_deref(), Some("a\0b \u{e9}\0"));
        assert_eq!(meta("<meta charset=utf-8>").as_deref(), Some(""));
        assert_eq!(meta("<meta name=\"\u{e9}\" content=b>"), None);
        assert_eq!(meta("<meta name=\"a\"\u{a0}content=\"b\">"), None);
    }

    #[test]
    fn links_tell_relations_and_addresses() {
        assert_eq!(
            link("<link rel='Next  prev' href=\" /a?b&amp;c \">").as_deref(),
            Some("next\0/a?b&c\0prev\0/a?b&c\0")
        );
        assert_eq!(link("<link rel=stylesheet href=a>").as_deref(), Some(""));
        assert_eq!(link("<link href=a rel=\"preload\">").as_deref(), Some(""));
        assert_eq!(link("<link rel = stylesheet>").as_deref(), Some("stylesheet\0\0"));
    }
}
