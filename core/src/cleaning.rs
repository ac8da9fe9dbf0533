//! Cleans the bytes of a page before it is scanned: folds line ends and removes invisible characters.

use crate::invisible::{removals, CLASSES};
use crate::units::{byte_facts, ByteFacts, Unit};

/// A page in UTF-8 as it will be scanned.
pub struct CleanPage {
    /// The clean bytes, if they differ from those of the page.
    pub bytes: Option<Vec<u8>>,
    /// The facts on the bytes of the page, with width and size of the clean bytes.
    pub facts: ByteFacts,
    /// How many invisible characters were removed, by class.
    pub removed: [i64; CLASSES],
}

/// Clean a page. Bytes with a NUL or in another encoding than UTF-8 stay as they are: decoding comes first there.
pub fn clean_page(data: &[u8]) -> CleanPage {
    let facts = byte_facts(data);
    if facts.width == 0 || facts.has_nul {
        return CleanPage { bytes: None, facts, removed: [0; CLASSES] };
    }
    let unfolded = if facts.has_return { Some(with_line_feeds(data)) } else { None };
    let lines = unfolded.as_deref().unwrap_or(data);
    let size = facts.size - (data.len() - lines.len());
    let (visible, removed) = without_invisible(lines);
    if let Some(bytes) = visible {
        let ByteFacts { width, size, .. } = byte_facts(&bytes);
        return CleanPage { bytes: Some(bytes), facts: ByteFacts { width, size, ..facts }, removed };
    }
    CleanPage { bytes: unfolded, facts: ByteFacts { size, ..facts }, removed }
}

/// Remove the invisible characters that carry messages. Returns the bytes, if there were any, and how many of each class.
pub fn without_invisible(data: &[u8]) -> (Option<Vec<u8>>, [i64; CLASSES]) {
    let mut removed = [0; CLASSES];
    let removals = removals(data);
    if removals.is_empty() {
        return (None, removed);
    }
    let (mut bytes, mut done) = (Vec::with_capacity(data.len()), 0);
    for removal in removals {
        bytes.extend_from_slice(&data[done..removal.start]);
        bytes.extend(removal.leaves_space.then_some(b' '));
        removed[removal.class as usize] += 1;
        done = removal.end;
    }
    bytes.extend_from_slice(&data[done..]);
    (Some(bytes), removed)
}

/// Return bytes with a line feed for every line end (HTML standard, 13.2.3.5).
fn with_line_feeds(data: &[u8]) -> Vec<u8> {
    let (mut bytes, mut from) = (Vec::with_capacity(data.len()), 0);
    while let Some(place) = Unit::find(data, from, b'\r') {
        bytes.extend_from_slice(&data[from..place]);
        from = place + 1;
        if data.get(from) != Some(&b'\n') {
            bytes.push(b'\n');
        }
    }
    bytes.extend_from_slice(&data[from..]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_become_line_feeds() {
        for (data, expected) in
            [("", ""), ("a", "a"), ("\r", "\n"), ("a\r\nb\rc\n", "a\nb\nc\n"), ("\r\r\n\n\r", "\n\n\n\n")]
        {
            assert_eq!(with_line_feeds(data.as_bytes()), expected.as_bytes());
        }
    }

    #[test]
    fn facts_are_those_of_the_clean_bytes() {
        for (data, expected, width) in [
            ("plain", "plain", 1),
            ("\u{e9}\r\n\r", "\u{e9}\n\n", 1),
            ("a\u{e0041}b\r\n&#x200B;", "ab\n", 1),
            ("\u{4e2d}\u{3164}\r", "\u{4e2d} \n", 2),
        ] {
            let page = clean_page(data.as_bytes());
            assert_eq!(page.bytes.as_deref().unwrap_or(data.as_bytes()), expected.as_bytes(), "{data:?}");
            assert_eq!((page.facts.width, page.facts.size), (width, expected.chars().count()), "{data:?}");
        }
    }

    #[test]
    fn what_is_not_utf8_or_has_a_nul_stays() {
        for data in [&b"a\r\n\xff"[..], b"a\r\n\0"] {
            assert!(clean_page(data).bytes.is_none());
        }
    }
}
