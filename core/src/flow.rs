//! Builds the canonical text of a page from pieces of its source: runs, white space, blocks.

use crate::references::unescape;
use crate::tables::{self, Tables};
use crate::tokens::Tokens;
use crate::tree::Tree;
use crate::units::{fold, is_space, Unit};

const NEWLINE: u32 = 10;
const SPACE: u32 = 32;
/// Sources up to this size are mostly fragments.
const FRAGMENT: usize = 1 << 14;

/// The runs of a page in reading order, its text, and the first runs of its blocks.
#[derive(Default)]
pub struct Flow {
    pub text: Vec<u32>,
    pub piece: Vec<i32>,
    pub start: Vec<i32>,
    pub end: Vec<i32>,
    pub text_start: Vec<i32>,
    pub text_end: Vec<i32>,
    pub block: Vec<i32>,
    pub block_first: Vec<i32>,
}

/// Return for each piece the number of its ancestors in a set.
pub fn cover(tree: &Tree, tables: &Tables, set: u32) -> Option<Vec<i32>> {
    cover_of(tree, |tag| tables.sets(tag) & set != 0)
}

pub fn cover_of(tree: &Tree, is_counted: impl Fn(i32) -> bool) -> Option<Vec<i32>> {
    let mut depth: Vec<i32> = Vec::new();
    for (element, &tag) in tree.tag.iter().enumerate() {
        if is_counted(tag) {
            if depth.is_empty() {
                depth = vec![0; tree.owner.len() + 2];
            }
            depth[(tree.opened[element] + 1) as usize] += 1;
            depth[(tree.closed[element] + 1) as usize] -= 1;
        }
    }
    if depth.is_empty() {
        return None;
    }
    let mut total = 0;
    for step in &mut depth {
        total += *step;
        *step = total;
    }
    Some(depth)
}

/// Fold the pieces into runs and join the runs into text and blocks.
#[inline(never)]
pub fn flow<U: Unit>(source: &[U], tokens: &Tokens, tree: &Tree, tables: &Tables) -> Flow {
    let skipped = cover(tree, tables, tables::SKIPPED);
    let preformatted = cover(tree, tables, tables::PREFORMATTED);
    let is_in = |cover: &Option<Vec<i32>>, piece: usize| cover.as_ref().map_or(false, |depth| depth[piece] > 0);
    let mut flow = Flow::default();
    let pieces = tokens.codes.len() + 1; // about half of the pieces hold text
    for column in [&mut flow.piece, &mut flow.start, &mut flow.end, &mut flow.text_start, &mut flow.text_end] {
        column.reserve(pieces / 2);
    }
    flow.block.reserve(pieces / 2);
    // A small part of a page is text, but most of a fragment.
    flow.text.reserve(if source.len() <= FRAGMENT { source.len() } else { source.len() / 4 });
    let mut decoded: Vec<u32> = Vec::new();
    // Since the last run: borders of blocks, line breaks, white space; and whether that run ended with white space.
    let (mut borders, mut breaks, mut has_space, mut ended_with_space) = (0, 0, false, false);
    let mut last_exact: Option<usize> = None; // the piece of the last run, if it was preformatted
    for piece in 0..=tokens.codes.len() {
        if piece > 0 {
            let number = tokens.codes[piece - 1].abs();
            borders += i32::from(tables.sets(number) & tables::BLOCK != 0);
            breaks += i32::from(number == tables.numbers.br);
        }
        let (start, end) = tokens.piece(piece);
        if start == end || is_in(&skipped, piece) {
            continue;
        }
        let raw = &source[start..end];
        let lead = match raw.iter().position(|unit| !is_space(unit.code())) {
            Some(lead) => lead,
            None => {
                has_space = true;
                continue;
            }
        };
        let tail = raw.iter().rposition(|unit| !is_space(unit.code())).map_or(raw.len(), |last| last + 1);
        let is_exact = is_in(&preformatted, piece);
        let bare = &raw[lead..tail];
        let has_reference = U::find(bare, 0, b'&').is_some();
        let (mut begins, mut ends) = (lead > 0, tail < raw.len());
        decoded.clear();
        if is_exact {
            unescape(raw, tables, &mut decoded);
            (begins, ends) = (false, false);
        } else if has_reference {
            unescape(bare, tables, &mut decoded);
            begins |= decoded.first().map_or(false, |&code| is_space(code));
            ends |= decoded.last().map_or(false, |&code| is_space(code));
        }
        if (is_exact || has_reference)
            && decoded.iter().all(|&code| is_space(code))
            && (!is_exact || decoded.is_empty())
        {
            has_space = true; // nothing but &nbsp; and the like
            continue;
        }
        let first = flow.piece.is_empty();
        let mut is_separate = true;
        if !first {
            is_separate = breaks > 1 || borders > 0;
            match last_exact {
                Some(before) if is_exact && !is_separate => {
                    verbatim(source, tokens, before, piece, tables, &mut flow.text)
                }
                _ if is_separate || breaks == 1 => flow.text.push(NEWLINE),
                _ if has_space || begins || ended_with_space => flow.text.push(SPACE),
                _ => {}
            }
        }
        if is_separate {
            flow.block_first.push(flow.piece.len() as i32);
        }
        flow.block.push(flow.block_first.len() as i32 - 1);
        flow.piece.push(piece as i32);
        flow.text_start.push(flow.text.len() as i32);
        if is_exact {
            flow.start.push(start as i32);
            flow.end.push(end as i32);
            flow.text.extend_from_slice(&decoded);
        } else {
            flow.start.push((start + lead) as i32);
            flow.end.push((start + tail) as i32);
            if has_reference {
                fold(&decoded, &mut flow.text);
            } else {
                fold(bare, &mut flow.text);
            }
        }
        flow.text_end.push(flow.text.len() as i32);
        last_exact = if is_exact { Some(piece) } else { None };
        (borders, breaks, has_space, ended_with_space) = (0, 0, false, ends);
    }
    flow
}

/// Append the white space and line breaks between two pieces of preformatted text.
///
/// Other pieces between them are hidden text, such as the content of `<rt>`.
fn verbatim<U: Unit>(source: &[U], tokens: &Tokens, before: usize, behind: usize, tables: &Tables, out: &mut Vec<u32>) {
    for tag in before..behind {
        if tokens.codes[tag].abs() == tables.numbers.br {
            out.push(NEWLINE);
        }
        if tag + 1 < behind {
            let (start, end) = tokens.piece(tag + 1);
            let codes = source[start..end].iter().map(|unit| unit.code());
            if codes.clone().all(is_space) {
                out.extend(codes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::tables;
    use crate::tokens::tokens;
    use crate::tree::grow;

    fn text(page: &str) -> String {
        let tables = tables();
        let found = tokens(page.as_bytes(), &tables, 1000);
        let tree = grow(&found.codes, &found.local, &tables);
        let flow = flow(page.as_bytes(), &found, &tree, &tables);
        assert_eq!(flow.piece.len(), flow.text_end.len());
        flow.text.iter().map(|&code| char::from_u32(code).expect("a character")).collect()
    }

    #[test]
    fn white_space_is_folded_and_blocks_stand_on_lines_of_their_own() {
        assert_eq!(text("<p> one \n <b>two</b>three<p>four"), "one twothree\nfour");
        assert_eq!(text("a<br>b<br><br>c"), "a\nb\nc");
        assert_eq!(text("a <span> </span> b"), "a b");
        assert_eq!(text("  "), "");
    }

    #[test]
    fn preformatted_text_stays_as_it_is() {
        assert_eq!(text("<p>a<pre> 1\n  <b>2 </b></pre>b"), "a\n 1\n  2 \nb");
        assert_eq!(text("<pre>a<rt>b</rt> <b> c</b><rt>d<br>e</rt>f"), "a  c\nf");
    }

    #[test]
    fn references_are_decoded_and_what_no_browser_shows_is_left_out() {
        assert_eq!(text("<title>t</title><p>a&amp;b&nbsp;c<script>d</script> e&#x41;&nbsp;"), "a&b c eA");
    }
}
