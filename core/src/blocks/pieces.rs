//! Lists the pieces of text that blocks are made of: selected runs, their replacements, and elements without runs.

use super::contexts::{Contexts, Style};
use super::Selection;
use crate::columns::Columns;
use crate::units::{is_space, Unit};

/// A run with replaced text or additional formatting.
pub struct Special {
    pub run: i64,
    pub style: Style,
    /// The range of its text in `Selection::texts`.
    pub replacement: Option<(u32, u32)>,
}

/// An inline without a run, such as a formula that is a picture.
pub struct Loose {
    pub element: i64,
    pub style: Style,
    pub replacement: (u32, u32),
}

/// The text of a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PieceText {
    /// The text of the page from its start to its end.
    Page,
    /// A range of `Selection::texts`.
    Other(u32, u32),
    Space,
}

/// The selected part of a run, or its replacement.
#[derive(Clone, Copy)]
pub struct Piece {
    pub start: i64,
    pub end: i64,
    pub run: usize,
    /// The block of the page.
    pub block: i64,
    /// Whether all text between the previous piece and this piece is selected.
    pub follows: bool,
    /// The index of its context.
    pub around: usize,
    pub style: Style,
    pub replacement: PieceText,
}

/// Return the selected pieces of runs, in reading order.
fn selected_pieces(page: &Columns, selection: &Selection, contexts: &mut Contexts) -> Vec<Piece> {
    let (starts, ends) = (page.text_start(), page.text_end());
    let mut pieces = Vec::with_capacity(starts.len());
    for (&start, &end) in selection.starts.iter().zip(selection.ends) {
        let first = ends.partition_point(|&behind| behind <= start);
        let mut follows = false;
        for run in first..starts.len() {
            if starts[run] >= end {
                break;
            }
            let (low, high) = (starts[run].max(start), ends[run].min(end));
            if low < high {
                let around = contexts.of(page.run_element(run));
                let style = contexts.all[around].style;
                let block = page.block()[run];
                pieces.push(Piece {
                    start: low,
                    end: high,
                    run,
                    block,
                    follows,
                    around,
                    style,
                    replacement: PieceText::Page,
                });
                follows = true;
            }
        }
    }
    pieces
}

/// The pieces of the choice, in reading order.
pub fn pieces<U: Unit>(
    source: &[U],
    page: &Columns,
    selection: &Selection,
    contexts: &mut Contexts,
    is_box: impl Fn(usize) -> bool,
) -> Vec<Piece> {
    let selected = selected_pieces(page, selection, contexts);
    if selection.specials.is_empty() && selection.loose.is_empty() && selection.joined.is_empty() {
        return selected; // as on most pages
    }
    let mut pieces: Vec<Piece> = Vec::with_capacity(selected.len());
    let mut loose = selection.loose.iter().peekable();
    let mut before: Option<Piece> = None;
    for mut piece in selected {
        while let Some(inline) = loose.next_if(|inline| page.first()[inline.element as usize] <= piece.run as i64) {
            add_loose(source, page, contexts, inline, (before, Some(piece)), &is_box, &mut pieces);
        }
        if let Ok(place) = selection.specials.binary_search_by_key(&(piece.run as i64), |inline| inline.run) {
            let special = &selection.specials[place];
            piece.style = piece.style.with(special.style);
            piece.replacement =
                special.replacement.map_or(PieceText::Page, |(start, end)| PieceText::Other(start, end));
        }
        if let Some(last) = before.filter(|_| selection.joined.binary_search(&(piece.run as i64)).is_ok()) {
            piece = Piece { block: last.block, start: last.end, end: last.end, follows: true, ..piece };
        }
        pieces.push(piece);
        before = Some(piece);
    }
    for inline in loose {
        add_loose(source, page, contexts, inline, (before, None), &is_box, &mut pieces);
    }
    pieces
}

/// Add an inline without a run to the block of the neighbouring text.
fn add_loose<U: Unit>(
    source: &[U],
    page: &Columns,
    contexts: &mut Contexts,
    loose: &Loose,
    (before, behind): (Option<Piece>, Option<Piece>),
    is_box: impl Fn(usize) -> bool,
    out: &mut Vec<Piece>,
) {
    let around_box = |mut element: usize| {
        while element > 0 && !is_box(element) {
            element = page.parent()[element].max(0) as usize;
        }
        element
    };
    let parent = page.parent()[loose.element as usize].max(0) as usize;
    let home = around_box(parent);
    let is_neighbour = |piece: &Piece| around_box(page.run_element(piece.run)) == home;
    let (neighbour, position) = match (before.filter(is_neighbour), behind.filter(is_neighbour)) {
        (Some(piece), _) => (piece, piece.end),
        (None, Some(piece)) => (piece, piece.start),
        (None, None) => return,
    };
    let around = contexts.of(parent);
    let piece =
        Piece { start: position, end: position, follows: true, around, replacement: PieceText::Space, ..neighbour };
    let is_blank = |place: usize| source.get(place).map_or(false, |unit| is_space(unit.code()));
    let (start, end) =
        (page.element_start()[loose.element as usize] as usize, page.element_end()[loose.element as usize] as usize);
    let space = Piece { style: Style::default(), ..piece };
    if start > 0 && is_blank(start - 1) {
        out.push(space);
    }
    let style = contexts.all[around].style.with(loose.style);
    out.push(Piece { style, replacement: PieceText::Other(loose.replacement.0, loose.replacement.1), ..piece });
    if is_blank(end) {
        out.push(space);
    }
}

impl Piece {
    /// Return its text.
    pub fn text<'a>(&self, page: &'a Columns, selection: &'a Selection) -> &'a [u32] {
        match self.replacement {
            PieceText::Page => &page.text[self.start as usize..self.end as usize],
            PieceText::Other(start, end) => &selection.texts[start as usize..end as usize],
            PieceText::Space => &[32],
        }
    }

    /// Whether it has more than white space.
    pub fn has_text(&self, page: &Columns, selection: &Selection) -> bool {
        self.text(page, selection).iter().any(|&code| !is_space(code))
    }
}
