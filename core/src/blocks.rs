//! The blocks that chosen ranges of a page make: `tidings.article.context`, `pieces`, `inlines` and `body`, in one pass.
//!
//! A block is told by numbers; what its inlines say stands in one text, inline behind inline. Preformatted text is only
//! told: its pieces go back with it, and the caller reads those; so do those of a block in which something stands for a
//! run. Of a table of data its cells go back in their place.

use crate::columns::Columns;
use crate::units::is_space;

mod contexts;

use contexts::{Context, Contexts, Style, LIST, ORDERED, TERM};

pub mod plain;

/// Kinds of blocks, as `tidings.article.compiled` numbers them.
const KIND_HEADING: i64 = 0;
const KIND_PARAGRAPH: i64 = 1;
const KIND_ITEM: i64 = 2;
const KIND_QUOTE: i64 = 3;
const KIND_PREFORMATTED: i64 = 4;
pub const KIND_TABLE: i64 = 5;
const KIND_CAPTION: i64 = 6;

/// A heading element with more blocks than this was never closed: only the first of them is the heading.
const MAX_HEADING_BLOCKS: i64 = 3;
/// A link without an address is none.
pub const NO_LINK: i64 = -1;
/// Numbers that a block, an inline and a piece are told by.
pub const BLOCK_NUMBERS: usize = 10;
pub const INLINE_NUMBERS: usize = 3;
pub const PIECE_NUMBERS: usize = 4;
/// Items without a number, and terms.
pub const UNNUMBERED: i64 = -1;
pub const DEFINED: i64 = -2;

/// What the caller chose, and what it knows of the page besides the columns.
pub struct Choice<'a> {
    /// Roles by tag; the last is for tags outside the standard.
    pub roles: &'a [u8],
    pub starts: &'a [i64],
    pub ends: &'a [i64],
    /// Links that hold chosen text, in order, and the number of the address of each: 0 for one that may not be shown.
    pub links: &'a [i64],
    pub addresses: &'a [i64],
    /// Tables of data, in order.
    pub tables: &'a [i64],
    /// Elements; what stands around them does not count.
    pub roots: &'a [i64],
    /// Runs of which the caller knows more, in order: twice the number of each, and one more where it has another text.
    pub specials: &'a [i64],
}

impl<'a> Choice<'a> {
    /// From numbers one behind the other: starts and ends of spans, links and their addresses, tables, roots, specials.
    pub fn new(roles: &'a [u8], numbers: &'a [i64], sizes: [usize; 4]) -> Self {
        let [spans, links, tables, roots] = sizes;
        let (starts, rest) = numbers.split_at(spans);
        let (ends, rest) = rest.split_at(spans);
        let (held, rest) = rest.split_at(links);
        let (addresses, rest) = rest.split_at(links);
        let (data, rest) = rest.split_at(tables);
        let (roots, specials) = rest.split_at(roots);
        Choice { roles, starts, ends, links: held, addresses, tables: data, roots, specials }
    }

    fn role(&self, page: &Columns, element: usize) -> u8 {
        self.roles[(page.tag()[element] as usize).min(self.roles.len() - 1)]
    }

    /// An item of a list as the caller takes it: its element if it may have a number, else what is below.
    pub fn item(&self, page: &Columns, item: i64) -> i64 {
        if item == 0 {
            return 0;
        }
        let mut around = page.parent()[item as usize].max(0) as usize;
        while around > 0 && !matches!(self.role(page, around), LIST | ORDERED) {
            around = page.parent()[around].max(0) as usize;
        }
        match (self.role(page, around), self.role(page, item as usize)) {
            (ORDERED, _) if around > 0 => item,
            (_, TERM) => DEFINED,
            _ => UNNUMBERED,
        }
    }

    /// Whether some of the pieces are of runs of which the caller knows more, and whether one has another text.
    fn knows(&self, pieces: &[Piece]) -> (bool, bool) {
        let (first, last) = (2 * pieces[0].run as i64, 2 * pieces[pieces.len() - 1].run as i64 + 1);
        let from = self.specials.partition_point(|&special| special < first);
        let some = self.specials[from..].iter().take_while(|&&special| special <= last);
        some.filter(|&&special| pieces.iter().any(|piece| piece.run as i64 == special >> 1))
            .fold((false, false), |(_, is_retold), special| (true, is_retold || special & 1 > 0))
    }
}

/// What was found, row by row: blocks, inlines, and pieces of preformatted text or cells of tables.
///
/// A block: kind, level, depth, item, depth of quotes; inlines and pieces up to its end; its first run; the figure of
/// a caption; its table of data. An inline: the end of its text, its address, its formatting. A piece: where it begins and
/// ends, its run, whether it follows on the one before. A cell: its element, and inlines up to its end.
#[derive(Default)]
pub struct Found {
    pub blocks: Vec<[i64; BLOCK_NUMBERS]>,
    pub inlines: Vec<[i64; INLINE_NUMBERS]>,
    pub pieces: Vec<[i64; PIECE_NUMBERS]>,
    pub text: Vec<u32>,
}

/// What is chosen of one run.
#[derive(Clone, Copy)]
struct Piece {
    start: i64,
    end: i64,
    run: usize,
    /// All text between the piece before and this one is chosen.
    follows: bool,
}

/// The chosen pieces of runs, in reading order.
fn pieces(page: &Columns, choice: &Choice) -> Vec<Piece> {
    let (starts, ends) = (page.text_start(), page.text_end());
    let mut found = Vec::with_capacity(starts.len());
    for (&start, &end) in choice.starts.iter().zip(choice.ends) {
        let first = ends.partition_point(|&behind| behind <= start);
        let mut follows = false;
        for run in first..starts.len() {
            if starts[run] >= end {
                break;
            }
            let (low, high) = (starts[run].max(start), ends[run].min(end));
            if low < high {
                found.push(Piece { start: low, end: high, run, follows });
                follows = true;
            }
        }
    }
    found
}

/// Inlines in the making: single spaces, single line breaks, and none at the ends of a block.
struct Inlines<'a> {
    text: &'a mut Vec<u32>,
    rows: &'a mut Vec<[i64; INLINE_NUMBERS]>,
    style: Style,
    /// White space, shown when a word follows.
    waiting: Option<(u32, Style)>,
    has_begun: bool,
}

impl Inlines<'_> {
    fn end(&mut self) {
        if self.has_begun {
            let Style { address, bits } = self.style;
            self.rows.push([self.text.len() as i64, address, i64::from(bits)]);
        }
    }

    fn add(&mut self, code: u32, style: Style) {
        if self.has_begun && style != self.style {
            self.end();
        }
        self.style = style;
        self.has_begun = true;
        self.text.push(code);
    }

    /// As `take`, for several: words with single spaces between them are of the style of their first letter, all at once.
    fn take_all(&mut self, mut codes: &[u32], style: Style) {
        while let Some((&code, rest)) = codes.split_first() {
            self.take(code, style);
            codes = rest;
            if !is_space(code) {
                let size = plain_words(rest);
                self.text.extend_from_slice(&rest[..size]);
                codes = &rest[size..];
            }
        }
    }

    fn take(&mut self, code: u32, style: Style) {
        if !is_space(code) {
            if let Some((blank, shade)) = self.waiting.take() {
                if self.has_begun {
                    self.add(blank, shade);
                }
            }
            self.add(code, style);
        } else if code == u32::from(b'\n') {
            self.waiting = Some((code, style));
        } else if self.waiting.is_none() {
            self.waiting = Some((u32::from(b' '), style));
        }
    }
}

/// Whether a character is surely no white space.
#[inline(always)]
fn is_sign(code: u32) -> bool {
    let is_from = |first: u32, last: u32| code.wrapping_sub(first) <= last - first;
    is_from(0x21, 0x84) | is_from(0xA1, 0x167F) | is_from(0x200B, 0x2027) | (code > 0x3000)
}

/// How many characters from the beginning on are words, or single spaces before a word.
#[inline]
fn plain_words(codes: &[u32]) -> usize {
    let mut at = 0;
    while at < codes.len() {
        // Some together, without a branch inside: most are letters, and single spaces between them.
        const TOGETHER: usize = 16;
        if let Some(some) = codes.get(at..=at + TOGETHER) {
            let is_plain = |all, (&code, &next): (&u32, &u32)| all & (is_sign(code) | ((code == 32) & is_sign(next)));
            if some.iter().zip(&some[1..]).fold(true, is_plain) {
                at += TOGETHER;
                continue;
            }
        }
        if is_space(codes[at]) && (codes[at] != 32 || codes.get(at + 1).map_or(true, |&next| is_space(next))) {
            return at;
        }
        at += 1;
    }
    at
}

/// What pieces have in common that make one block: a table, preformatted text, a block of the page.
#[derive(PartialEq, Eq)]
enum Together {
    Table(u32),
    Preformatted(u32),
    Block(i64),
}

/// The blocks of what was chosen; none where the caller knows more of a table. Every element of the choice is one of the
/// page.
pub fn blocks(page: &Columns, choice: &Choice) -> Option<Found> {
    let chosen = pieces(page, choice);
    let size: i64 = chosen.iter().map(|piece| piece.end - piece.start).sum();
    let mut found = Found {
        blocks: Vec::with_capacity(chosen.len()),
        inlines: Vec::with_capacity(chosen.len()),
        pieces: Vec::new(),
        text: Vec::with_capacity(size as usize),
    };
    let mut contexts = Contexts::new(page, choice);
    let around: Vec<usize> = chosen.iter().map(|piece| contexts.of(page.run_element(piece.run))).collect();
    let all = &contexts.all;
    let together = |place: usize| {
        let here = &all[around[place]];
        if here.cell > 0 {
            Together::Table(here.table)
        } else if here.is_preformatted() {
            Together::Preformatted(here.preformatted)
        } else {
            Together::Block(page.block()[chosen[place].run])
        }
    };
    let mut begun = vec![false; page.tag().len()]; // list items, and definition lists with a term
    let mut first = 0;
    while first < chosen.len() {
        let group = together(first);
        let mut last = first + 1;
        while last < chosen.len() && together(last) == group {
            last += 1;
        }
        let here = &all[around[first]];
        let some = &chosen[first..last];
        let mut kind = match group {
            Together::Table(_) => KIND_TABLE,
            Together::Preformatted(_) => KIND_PREFORMATTED,
            Together::Block(_) => KIND_PARAGRAPH,
        };
        let pieces_before = found.pieces.len();
        let (is_known, is_retold) = choice.knows(some);
        if is_known && kind == KIND_TABLE {
            return None;
        }
        if is_known && (is_retold || some.iter().any(|piece| says(page, piece))) {
            found.pieces.extend(some.iter().map(row));
        } else if kind == KIND_PARAGRAPH {
            let styles = around[first..last].iter().map(|&place| all[place].style);
            fold(page, some, styles, &mut found);
        } else if !some.iter().any(|piece| says(page, piece)) {
            // Nothing but white space is no block.
        } else if kind == KIND_TABLE {
            let mut at = first;
            while at < last {
                let cell = all[around[at]].cell;
                let size = around[at..last].iter().take_while(|&&place| all[place].cell == cell).count();
                let styles = around[at..at + size].iter().map(|&place| all[place].style);
                fold(page, &chosen[at..at + size], styles, &mut found);
                found.pieces.push([i64::from(cell), found.inlines.len() as i64, 0, 0]);
                at += size;
            }
        } else {
            found.pieces.extend(some.iter().map(row));
        }
        let inlines_before = found.blocks.last().map_or(0, |block| block[5]);
        let is_empty = found.inlines.len() as i64 == inlines_before && found.pieces.len() == pieces_before;
        if !is_empty {
            let item = item(here, &mut begun);
            let level = if kind == KIND_PARAGRAPH { level(page, here, page.block()[some[0].run]) } else { 0 };
            if kind == KIND_PARAGRAPH {
                kind = match () {
                    _ if here.caption > 0 => KIND_CAPTION,
                    _ if level > 0 => KIND_HEADING,
                    _ if here.is_quoted => KIND_QUOTE,
                    _ if item > 0 => KIND_ITEM,
                    _ => KIND_PARAGRAPH,
                };
            }
            found.blocks.push([
                kind,
                if kind == KIND_HEADING { level } else { 0 },
                i64::from(here.depth),
                i64::from(item),
                i64::from(here.quotes),
                found.inlines.len() as i64,
                found.pieces.len() as i64,
                some[0].run as i64,
                if kind == KIND_CAPTION { i64::from(here.figure) } else { 0 },
                i64::from(here.table),
            ]);
        }
        first = last;
    }
    Some(found)
}

fn row(piece: &Piece) -> [i64; PIECE_NUMBERS] {
    [piece.start, piece.end, piece.run as i64, i64::from(piece.follows)]
}

/// Whether a piece is more than white space.
fn says(page: &Columns, piece: &Piece) -> bool {
    page.text[piece.start as usize..piece.end as usize].iter().any(|&code| !is_space(code))
}

/// The inlines of the pieces of one block.
fn fold(page: &Columns, pieces: &[Piece], styles: impl Iterator<Item = Style>, found: &mut Found) {
    let mut inlines = Inlines {
        text: &mut found.text,
        rows: &mut found.inlines,
        style: Style::default(),
        waiting: None,
        has_begun: false,
    };
    let mut before: Option<(&Piece, Style)> = None;
    for (piece, style) in pieces.iter().zip(styles) {
        if let Some((last, other)) = before {
            // Where something was left out, a space, or a line break if there was one.
            let gap = &page.text[last.end as usize..piece.start as usize];
            let shade = style.common(other);
            if piece.follows {
                gap.iter().for_each(|&code| inlines.take(code, shade));
            } else {
                let is_broken = gap.contains(&u32::from(b'\n'));
                inlines.take(u32::from(if is_broken { b'\n' } else { b' ' }), shade);
            }
        }
        inlines.take_all(&page.text[piece.start as usize..piece.end as usize], style);
        before = Some((piece, style));
    }
    inlines.end();
}

/// The list item that a block begins: each is begun once. A definition goes on with its term's item.
fn item(here: &Context, begun: &mut [bool]) -> u32 {
    if here.item == 0 || begun[here.item as usize] {
        return 0;
    }
    begun[here.item as usize] = true;
    if here.defines && begun[here.owner as usize] {
        return 0;
    }
    if here.is_term && here.owner > 0 {
        begun[here.owner as usize] = true;
    }
    here.item
}

/// The level of the heading, if a block is one.
fn level(page: &Columns, here: &Context, block: i64) -> i64 {
    let heading = here.heading as usize;
    if heading == 0 {
        return 0;
    }
    let (first, last) = (page.first()[heading] as usize, page.last()[heading] as usize - 1);
    let (first, last) = (page.block()[first], page.block()[last]);
    if block != first && last - first >= MAX_HEADING_BLOCKS {
        return 0;
    }
    i64::from(here.level)
}

#[cfg(test)]
mod tests {
    use super::contexts::*;
    use super::*;
    use crate::columns::{scan, Manner};
    use crate::samples::{tables, tag};

    /// The kinds of the blocks of a page, and what their inlines say, with `|` between them.
    fn read(page: &str) -> (Vec<i64>, Vec<String>) {
        let tables = tables();
        let columns = scan(page.as_bytes(), &tables, Manner { most_tags: 1000, ..Manner::default() });
        let mut roles = vec![0; tables.names.len() + 1];
        for (name, role) in
            [("a", LINK), ("b", STRONG), ("li", ITEM), ("ul", LIST), ("h1", HEADING), ("pre", PREFORMATTED)]
        {
            roles[tag(&tables, name) as usize] = role;
        }
        let links: Vec<i64> = (0..columns.tag().len() as i64)
            .filter(|&element| columns.tag()[element as usize] == i64::from(tag(&tables, "a")))
            .collect();
        let numbers = [vec![0, columns.text.len() as i64], links.clone(), vec![1; links.len()]].concat();
        let found = blocks(&columns, &Choice::new(&roles, &numbers, [1, links.len(), 0, 0])).expect("blocks");
        let (mut said, mut at, mut inline) = (Vec::new(), 0, 0);
        for block in &found.blocks {
            let mut texts = Vec::new();
            while inline < block[5] as usize {
                let end = found.inlines[inline][0] as usize;
                texts.push(found.text[at..end].iter().filter_map(|&code| char::from_u32(code)).collect::<String>());
                (at, inline) = (end, inline + 1);
            }
            said.push(texts.join("|"));
        }
        (found.blocks.iter().map(|block| block[0]).collect(), said)
    }

    #[test]
    fn blocks_are_told_by_what_stands_around_them() {
        let (kinds, said) = read("<h1>one</h1><ul><li>two<p>three</ul><p>four<pre>five</pre>");
        assert_eq!(kinds, [KIND_HEADING, KIND_ITEM, KIND_PARAGRAPH, KIND_PARAGRAPH, KIND_PREFORMATTED]);
        assert_eq!(said, ["one", "two", "three", "four", ""]);
    }

    #[test]
    fn a_space_between_two_styles_is_of_what_they_have_in_common() {
        assert_eq!(read("<p>a <b>b</b> <a href=x>c<b>d</b></a>").1, ["a |b| |c|d"]);
        assert_eq!(read("<p><a href=x>a</a> <a href=y>b</a><br>c").1, ["a b|\nc"]);
    }

    #[test]
    fn nothing_is_no_block() {
        assert_eq!(read("<p> <pre> </pre>").0, []);
    }
}
