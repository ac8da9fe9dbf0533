//! Builds the blocks of the selected ranges of a page in one pass.
//!
//! A block is a row of numbers. The texts of all inlines are joined to one text, in order.

use crate::block_texts::Reading;
use crate::columns::Columns;
use crate::data_tables::DataTables;
use crate::tables::{self, Tables};
use crate::units::{is_space, Unit};
use crate::written::Written;

mod contexts;
mod inlines;
mod pieces;

pub use contexts::Style;
use contexts::{Context, Contexts, LIST, ORDERED, TERM};
use inlines::Inlines;
use pieces::{pieces, Piece};
pub use pieces::{Loose, Special};

pub mod plain;

/// Kinds of blocks, as `tidings.article.model.blocks.Kind` orders them.
pub const KIND_HEADING: i64 = 0;
const KIND_PARAGRAPH: i64 = 1;
pub const KIND_ITEM: i64 = 2;
const KIND_QUOTE: i64 = 3;
pub const KIND_PREFORMATTED: i64 = 4;
pub const KIND_TABLE: i64 = 5;
const KIND_CAPTION: i64 = 6;

/// A heading element with at least so many further blocks was never closed: only its first block is a heading.
const MAX_HEADING_BLOCKS: i64 = 3;
/// The number of a link without a URL.
pub const NO_LINK: i64 = -1;
/// Numbers of a block, an inline, a cell of a table, and a style with texts.
pub const BLOCK_NUMBERS: usize = 10;
pub const INLINE_NUMBERS: usize = 3;
pub const CELL_NUMBERS: usize = 5;
pub const TEXT_NUMBERS: usize = 3;
/// The formatting of an inline: the bits of its style, then the row of its texts, counted from 1.
const STYLE_BITS: u32 = 8;
/// Types of items: none, without a number, a term or definition, with a number.
pub const NO_ITEM: i64 = 0;
pub const UNNUMBERED: i64 = 1;
pub const DEFINED: i64 = 2;
pub const NUMBERED: i64 = 3;

/// The selected text, and the caller's data on the page.
#[derive(Default)]
pub struct Selection<'a> {
    /// Roles by tag; the last is for tags outside the standard.
    pub roles: &'a [u8],
    pub starts: &'a [i64],
    pub ends: &'a [i64],
    /// Links with selected text, in order, and the number of the URL of each: 0 for an unsafe URL.
    pub links: &'a [i64],
    pub addresses: &'a [i64],
    /// Data tables, in order.
    pub tables: &'a [i64],
    /// Elements whose ancestors do not count.
    pub roots: &'a [i64],
    /// Runs with replaced text or additional formatting, in order.
    pub specials: &'a [Special],
    /// Inlines without a run, in order.
    pub loose: &'a [Loose],
    /// Runs that form their own blocks; runs that continue the previous line despite a break.
    pub alone: &'a [i64],
    pub joined: &'a [i64],
    /// The joined texts of special runs and loose elements.
    pub texts: &'a [u32],
}

impl<'a> Selection<'a> {
    fn role(&self, page: &Columns, element: usize) -> u8 {
        self.roles[(page.tag()[element] as usize).min(self.roles.len() - 1)]
    }

    /// Return the type of the item that a block begins, and its number.
    fn item(&self, page: &Columns, item: usize, numbers: &[(i64, i64)]) -> (i64, i64) {
        if item == 0 {
            return (NO_ITEM, 0);
        }
        let mut around = page.parent()[item].max(0) as usize;
        while around > 0 && !matches!(self.role(page, around), LIST | ORDERED) {
            around = page.parent()[around].max(0) as usize;
        }
        let number = numbers.binary_search_by_key(&(item as i64), |entry| entry.0);
        match number.ok().filter(|_| around > 0 && self.role(page, around) == ORDERED) {
            Some(place) => (NUMBERED, numbers[place].1),
            None if self.role(page, item) == TERM => (DEFINED, 0),
            None => (UNNUMBERED, 0),
        }
    }
}

/// The built blocks as rows.
///
/// A block: kind, level, depth, type and number of its item, depth of quotes; the numbers of inlines and cells up to its
/// end; its first run; the figure of a caption. An inline: the end of its text, its URL, its formatting. A cell: its first
/// inline and the inline after its last; 2 if it begins a row, plus 1 for a header; the columns and rows that it spans.
#[derive(Default)]
pub struct BuiltBlocks {
    pub blocks: Vec<[i64; BLOCK_NUMBERS]>,
    pub inlines: Vec<[i64; INLINE_NUMBERS]>,
    pub cells: Vec<[i64; CELL_NUMBERS]>,
    pub texts: Vec<[u32; TEXT_NUMBERS]>,
    pub text: Vec<u32>,
}

impl BuiltBlocks {
    /// Return the start of the text of an inline.
    pub fn start_of(&self, inline: i64) -> usize {
        if inline == 0 {
            0
        } else {
            self.inlines[inline as usize - 1][0] as usize
        }
    }
}

/// What the pieces of a block have in common: a table, preformatted text, a block of the page, or a single run.
#[derive(PartialEq, Eq)]
enum Group {
    Table(u32),
    Preformatted(u32),
    Block(i64),
    Alone(usize),
}

/// Data on the page besides the selection.
pub struct BlockInputs<'a> {
    pub tables: &'a Tables,
    pub reading: &'a Reading<'a>,
    pub data: &'a DataTables,
    /// The items of ordered lists with their numbers, in order.
    pub numbers: &'a [(i64, i64)],
}

/// Build the blocks of the selected text.
pub fn blocks<U: Unit>(source: &[U], page: &Columns, selection: &Selection, inputs: &BlockInputs) -> BuiltBlocks {
    let mut contexts = Contexts::new(page, selection);
    let is_box = |element: usize| inputs.tables.sets(page.tag()[element] as i32) & tables::BLOCK != 0;
    let selected_pieces = pieces(source, page, selection, &mut contexts, is_box);
    let size: i64 = selected_pieces.iter().map(|piece| piece.end - piece.start).sum();
    let mut built = BuiltBlocks {
        blocks: Vec::with_capacity(selected_pieces.len()),
        inlines: Vec::with_capacity(selected_pieces.len()),
        text: Vec::with_capacity(size as usize),
        ..BuiltBlocks::default()
    };
    let all_contexts = &contexts.all;
    let group_of = |piece: &Piece| {
        let context = &all_contexts[piece.around];
        if !selection.alone.is_empty() && selection.alone.binary_search(&(piece.run as i64)).is_ok() {
            Group::Alone(piece.run)
        } else if context.cell > 0 {
            Group::Table(context.table)
        } else if context.is_preformatted() {
            Group::Preformatted(context.preformatted)
        } else {
            Group::Block(piece.block)
        }
    };
    let mut begun_items = vec![false; page.tag().len()]; // list items, and definition lists with a term
    let mut first = 0;
    while first < selected_pieces.len() {
        let group = group_of(&selected_pieces[first]);
        let mut last = first + 1;
        while last < selected_pieces.len() && group_of(&selected_pieces[last]) == group {
            last += 1;
        }
        let context = &all_contexts[selected_pieces[first].around];
        let group_pieces = &selected_pieces[first..last];
        let (inlines, cells) = (built.inlines.len(), built.cells.len());
        let mut kind = if context.cell > 0 {
            KIND_TABLE
        } else if context.is_preformatted() {
            KIND_PREFORMATTED
        } else {
            KIND_PARAGRAPH
        };
        match kind {
            KIND_TABLE => add_table(source, page, selection, inputs, (group_pieces, all_contexts), &mut built),
            KIND_PREFORMATTED => add_exact(source, page, selection, inputs, group_pieces, &mut built),
            _ => fold(page, selection, group_pieces, &mut built),
        }
        if built.inlines.len() > inlines || built.cells.len() > cells {
            let item = item(context, &mut begun_items);
            let level = if kind == KIND_PARAGRAPH { level(page, context, group_pieces[0].block) } else { 0 };
            if kind == KIND_PARAGRAPH {
                kind = match () {
                    _ if context.caption > 0 => KIND_CAPTION,
                    _ if level > 0 => KIND_HEADING,
                    _ if context.is_quoted => KIND_QUOTE,
                    _ if item > 0 => KIND_ITEM,
                    _ => KIND_PARAGRAPH,
                };
            }
            let (begins, number) = selection.item(page, item as usize, inputs.numbers);
            built.blocks.push([
                kind,
                if kind == KIND_HEADING { level } else { 0 },
                i64::from(context.depth),
                begins,
                number,
                i64::from(context.quotes),
                built.inlines.len() as i64,
                built.cells.len() as i64,
                group_pieces[0].run as i64,
                if kind == KIND_CAPTION { i64::from(context.figure) } else { 0 },
            ]);
        }
        first = last;
    }
    built
}

/// Add the cells of a data table, without empty rows.
fn add_table<U: Unit>(
    source: &[U],
    page: &Columns,
    selection: &Selection,
    inputs: &BlockInputs,
    (pieces, contexts): (&[Piece], &[Context]),
    built: &mut BuiltBlocks,
) {
    if !pieces.iter().any(|piece| piece.has_text(page, selection)) {
        return;
    }
    let table = contexts[pieces[0].around].table;
    let mut texts: Vec<(usize, i64, i64)> = Vec::new();
    let mut rest = pieces;
    while let Some(piece) = rest.first() {
        let cell = contexts[piece.around].cell;
        let size = rest.iter().take_while(|piece| contexts[piece.around].cell == cell).count();
        let before = built.inlines.len() as i64;
        fold(page, selection, &rest[..size], built);
        texts.push((cell as usize, before, built.inlines.len() as i64));
        rest = &rest[size..];
    }
    let written = Written { source, tables: inputs.tables };
    inputs.data.add_rows(&written, inputs.reading, table as usize, &texts, &mut built.cells);
}

/// Return the text between two pieces: if other text was left out, a space, or a line break if there was one.
fn gap<'a>(page: &'a Columns, before: &Piece, piece: &Piece) -> &'a [u32] {
    let gap = page.text.get(before.end as usize..piece.start as usize).unwrap_or_default();
    match piece.follows {
        true => gap,
        false if gap.contains(&u32::from(b'\n')) => &[10],
        false => &[32],
    }
}

/// Add the inlines of the pieces of one block, white space folded.
fn fold(page: &Columns, selection: &Selection, pieces: &[Piece], built: &mut BuiltBlocks) {
    let mut inlines = Inlines::new(built);
    let mut before: Option<&Piece> = None;
    for piece in pieces {
        if let Some(last) = before {
            let shade = last.style.common(piece.style);
            gap(page, last, piece).iter().for_each(|&code| inlines.take(code, shade));
        }
        inlines.take_all(piece.text(page, selection), piece.style);
        before = Some(piece);
    }
    inlines.end();
}

/// Add the inlines of preformatted text with the white space of the source, without empty lines at the ends.
fn add_exact<U: Unit>(
    source: &[U],
    page: &Columns,
    selection: &Selection,
    inputs: &BlockInputs,
    pieces: &[Piece],
    built: &mut BuiltBlocks,
) {
    let mut parts: Vec<(Vec<u32>, Style)> = Vec::with_capacity(2 * pieces.len());
    let mut before: Option<&Piece> = None;
    for piece in pieces {
        if let Some(last) = before {
            let text = if piece.follows {
                exact_gap(source, page, inputs, last, piece)
            } else {
                gap(page, last, piece).to_vec()
            };
            parts.push((text, last.style.common(piece.style)));
        }
        parts.push((piece.text(page, selection).to_vec(), piece.style));
        before = Some(piece);
    }
    let codes = || parts.iter().flat_map(|(text, _)| text.iter().copied());
    let size = codes().count();
    let blank = codes().take_while(|&code| is_space(code)).count();
    if blank == size {
        return;
    }
    let start = codes().take(blank).enumerate().filter(|&(_, code)| code == 10).last().map_or(0, |(at, _)| at + 1);
    let behind = parts.iter().rev().flat_map(|(text, _)| text.iter().rev()).take_while(|&&code| is_space(code)).count();
    let mut inlines = Inlines::new(built);
    let mut at = 0;
    for (text, style) in &parts {
        for &code in text {
            if at >= start && at < size - behind {
                inlines.add(code, *style);
            }
            at += 1;
        }
    }
    inlines.end();
}

/// Return the white space of the source between two pieces. The text of the page has a single line feed for any number of
/// breaks, without white space next to it.
fn exact_gap<U: Unit>(source: &[U], page: &Columns, inputs: &BlockInputs, before: &Piece, piece: &Piece) -> Vec<u32> {
    let folded = gap(page, before, piece);
    let (first, last) = (page.piece()[before.run] as usize, page.piece()[piece.run] as usize);
    if first >= last {
        return folded.to_vec();
    }
    let is_break = |at: usize| page.codes()[at] == i64::from(inputs.tables.numbers.br);
    if before.block == piece.block && !(first..last).any(is_break) {
        return folded.to_vec();
    }
    let mut exact = Vec::new();
    for at in first..=last {
        let start = if at == first { page.run_end()[before.run] } else { page.bounds()[2 * at] };
        let end = if at == last { page.run_start()[piece.run] } else { page.bounds()[2 * at + 1] };
        let blank = source[start as usize..end.max(start) as usize].iter().map(|unit| unit.code());
        if blank.clone().all(is_space) {
            exact.extend(blank);
        }
        if at < last && is_break(at) {
            exact.push(10);
        }
    }
    if !exact.contains(&10) {
        exact.push(10);
    }
    exact
}

/// Return the list item that a block begins; 0 if it was begun before. A definition continues the item of its term.
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

/// Return the heading level of a block; 0 if it is no heading.
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
        let selection = Selection {
            roles: &roles,
            starts: &[0],
            ends: &[columns.text.len() as i64],
            links: &links,
            addresses: &vec![1; links.len()],
            ..Selection::default()
        };
        let reading = Reading { page: &columns, sets: &[] };
        let known = BlockInputs { tables: &tables, reading: &reading, data: &DataTables::default(), numbers: &[] };
        let found = blocks(page.as_bytes(), &columns, &selection, &known);
        let (mut said, mut at, mut inline) = (Vec::new(), 0, 0);
        for block in &found.blocks {
            let mut texts = Vec::new();
            while inline < block[6] as usize {
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
        assert_eq!(said, ["one", "two", "three", "four", "five"]);
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
