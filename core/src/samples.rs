//! Provides tables of a few tags for tests.

use std::collections::HashMap;

use crate::tables::{self, Tables};

/// Tags with what their starts do, and the sets they are in.
const TAGS: [(&str, u8, u32); 22] = [
    ("", 0, 0),
    ("p", 2, tables::BLOCK | tables::SPECIAL),
    ("a", 10, tables::FORMATTING),
    ("b", 0, tables::FORMATTING),
    ("li", 4, tables::BLOCK | tables::SPECIAL),
    ("ul", 2, tables::BLOCK | tables::SPECIAL | tables::ITEM_STOP),
    ("div", 2, tables::BLOCK | tables::SPECIAL),
    ("h1", 3, tables::BLOCK | tables::SPECIAL | tables::HEADING),
    ("pre", 2, tables::BLOCK | tables::SPECIAL | tables::PREFORMATTED),
    ("svg", 1, tables::BLOCK | tables::SKIPPED),
    ("head", 11, tables::BLOCK | tables::SPECIAL),
    ("option", 6, tables::BLOCK),
    ("optgroup", 6, tables::BLOCK),
    ("select", 14, tables::BLOCK | tables::SPECIAL),
    ("input", 14, tables::SPECIAL),
    ("br", 1, tables::SPECIAL),
    ("rt", 0, tables::SKIPPED),
    ("script", 12, tables::SPECIAL | tables::SKIPPED | tables::RAW),
    ("style", 12, tables::SPECIAL | tables::SKIPPED | tables::RAW),
    ("title", 12, tables::SPECIAL | tables::SKIPPED | tables::RAW),
    ("xmp", 12, tables::SPECIAL | tables::PREFORMATTED | tables::BLOCK | tables::RAW),
    ("span", 0, 0),
];

/// Tables with those tags, `&amp;` and `&nbsp;`, and letters and digits of ASCII as words.
pub fn tables() -> Tables {
    let column = |of: fn(&(&str, u8, u32)) -> u32| TAGS.iter().map(of).collect::<Vec<u32>>();
    let mut entities = HashMap::new();
    entities.insert(b"amp;".to_vec(), vec![0x26]);
    entities.insert(b"amp".to_vec(), vec![0x26]);
    entities.insert(b"nbsp;".to_vec(), vec![0xA0]);
    let letters = 0..=0xFFFFu32;
    let is_word = |code: u32| char::from_u32(code).map_or(false, |letter| letter.is_ascii_alphanumeric());
    Tables::new(
        TAGS.iter().map(|tag| tag.0.as_bytes().to_vec()).collect(),
        TAGS.iter().map(|tag| tag.1).collect(),
        column(|tag| tag.2),
        column(|tag| if tag.2 & tables::FORMATTING != 0 { 0 } else { tables::SPECIAL }),
        entities,
        letters.clone().map(|code| u8::from(is_word(code))).collect(),
        letters
            .map(|code| if code < 128 { u16::from((code as u8).to_ascii_lowercase()) } else { code as u16 })
            .collect(),
        200,
    )
    .expect("all tags that are needed by name are there")
}

/// The number of a tag.
pub fn tag(tables: &Tables, name: &str) -> i32 {
    tables.number(name.as_bytes()).expect("a tag of the sample")
}
