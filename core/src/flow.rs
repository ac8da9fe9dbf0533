//! Builds the canonical text of a page from pieces of its source: runs, white space, blocks.

use crate::references::unescape;
use crate::tables::{self, Tables};
use crate::tokens::Tokens;
use crate::tree::Tree;
use crate::units::{is_space, Unit};

const NEWLINE: u32 = 10;
const SPACE: u32 = 32;
/// Sources of so many characters are mostly fragments.
const FRAGMENT: usize = 1 << 14;

/// The runs of a page in reading order, its text, and where its blocks begin.
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

/// How many elements of a set each piece stands in.
pub fn cover(tree: &Tree, tables: &Tables, set: u32) -> Option<Vec<i32>> {
    cover_of(tree, |tag| tables.sets(tag) & set != 0)
}

pub fn cover_of(tree: &Tree, is_meant: impl Fn(i32) -> bool) -> Option<Vec<i32>> {
    let mut depth: Vec<i32> = Vec::new();
    for (element, &tag) in tree.tag.iter().enumerate() {
        if is_meant(tag) {
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
    let mut found = Flow::default();
    let most = tokens.codes.len() + 1; // about half of the pieces hold text
    for column in [&mut found.piece, &mut found.start, &mut found.end, &mut found.text_start, &mut found.text_end] {
        column.reserve(most / 2);
    }
    found.block.reserve(most / 2);
    // Of a page a small part is text, of a fragment most.
    found.text.reserve(if source.len() <= FRAGMENT { source.len() } else { source.len() / 4 });
    let mut decoded: Vec<u32> = Vec::new();
    // Since the last run: borders of blocks, line breaks, white space; and whether that run ended with some.
    let (mut borders, mut breaks, mut blank, mut ended) = (0, 0, false, false);
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
                blank = true;
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
            blank = true; // nothing but &nbsp; and the like
            continue;
        }
        let first = found.piece.is_empty();
        let mut apart = true;
        if !first {
            apart = breaks > 1 || borders > 0;
            match last_exact {
                Some(before) if is_exact && !apart => verbatim(source, tokens, before, piece, tables, &mut found.text),
                _ if apart || breaks == 1 => found.text.push(NEWLINE),
                _ if blank || begins || ended => found.text.push(SPACE),
                _ => {}
            }
        }
        if apart {
            found.block_first.push(found.piece.len() as i32);
        }
        found.block.push(found.block_first.len() as i32 - 1);
        found.piece.push(piece as i32);
        found.text_start.push(found.text.len() as i32);
        if is_exact {
            found.start.push(start as i32);
            found.end.push(end as i32);
            found.text.extend_from_slice(&decoded);
        } else {
            found.start.push((start + lead) as i32);
            found.end.push((start + tail) as i32);
            if has_reference {
                fold(&decoded, &mut found.text);
            } else {
                fold(bare, &mut found.text);
            }
        }
        found.text_end.push(found.text.len() as i32);
        last_exact = if is_exact { Some(piece) } else { None };
        (borders, breaks, blank, ended) = (0, 0, false, ends);
    }
    found
}

/// White space folded to single spaces; there is none at either end.
#[inline]
fn fold<U: Unit>(bare: &[U], out: &mut Vec<u32>) {
    let begin = out.len();
    out.resize(begin + bare.len(), 0); // at once, so that it need not grow with each character
    let room = &mut out[begin..];
    let (mut size, mut was_space) = (0, true);
    for unit in bare {
        let code = unit.code();
        let is_space = is_space(code);
        if is_space && was_space {
            continue;
        }
        was_space = is_space;
        room[size] = if is_space { SPACE } else { code };
        size += 1;
    }
    let is_behind = size > 0 && was_space;
    out.truncate(begin + size - usize::from(is_behind));
}

/// Append the white space and line breaks between two pieces of preformatted text.
///
/// Other pieces between them are text that no reader sees, such as the content of `<rt>`.
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
