//! Lists the pieces of text that blocks are made of: selected runs, their replacements, and elements without runs.

use super::contexts::{Contexts, Style};
use super::Choice;
use crate::columns::Columns;
use crate::units::{is_space, Unit};

/// A run with another text or more formatting.
pub struct Special {
    pub run: i64,
    pub style: Style,
    /// Where its text stands among those of the choice.
    pub said: Option<(u32, u32)>,
}

/// What stands in a line and holds no run: a formula that is a picture.
pub struct Loose {
    pub element: i64,
    pub style: Style,
    pub said: (u32, u32),
}

/// What a piece says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// The text of the page from its start to its end.
    Page,
    /// A text of the choice.
    Other(u32, u32),
    Space,
}

/// What is chosen of one run, or stands for it.
#[derive(Clone, Copy)]
pub struct Piece {
    pub start: i64,
    pub end: i64,
    pub run: usize,
    /// The block of the page.
    pub block: i64,
    /// All text between the piece before and this one is chosen.
    pub follows: bool,
    /// The place of its context.
    pub around: usize,
    pub style: Style,
    pub said: Said,
}

/// The chosen pieces of runs, in reading order.
fn chosen(page: &Columns, choice: &Choice, contexts: &mut Contexts) -> Vec<Piece> {
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
                let around = contexts.of(page.run_element(run));
                let style = contexts.all[around].style;
                let block = page.block()[run];
                found.push(Piece { start: low, end: high, run, block, follows, around, style, said: Said::Page });
                follows = true;
            }
        }
    }
    found
}

/// The pieces of the choice, in reading order.
pub fn pieces<U: Unit>(
    source: &[U],
    page: &Columns,
    choice: &Choice,
    contexts: &mut Contexts,
    is_box: impl Fn(usize) -> bool,
) -> Vec<Piece> {
    let found = chosen(page, choice, contexts);
    if choice.specials.is_empty() && choice.loose.is_empty() && choice.joined.is_empty() {
        return found; // as on most pages
    }
    let mut made: Vec<Piece> = Vec::with_capacity(found.len());
    let mut loose = choice.loose.iter().peekable();
    let mut before: Option<Piece> = None;
    for mut piece in found {
        while let Some(one) = loose.next_if(|one| page.first()[one.element as usize] <= piece.run as i64) {
            add_loose(source, page, contexts, one, (before, Some(piece)), &is_box, &mut made);
        }
        if let Ok(place) = choice.specials.binary_search_by_key(&(piece.run as i64), |one| one.run) {
            let special = &choice.specials[place];
            piece.style = piece.style.with(special.style);
            piece.said = special.said.map_or(Said::Page, |(start, end)| Said::Other(start, end));
        }
        if let Some(last) = before.filter(|_| choice.joined.binary_search(&(piece.run as i64)).is_ok()) {
            piece = Piece { block: last.block, start: last.end, end: last.end, follows: true, ..piece };
        }
        made.push(piece);
        before = Some(piece);
    }
    for one in loose {
        add_loose(source, page, contexts, one, (before, None), &is_box, &mut made);
    }
    made
}

/// Add what holds no run to the block that it stands in: that of the text beside it.
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
    let is_beside = |piece: &Piece| around_box(page.run_element(piece.run)) == home;
    let (beside, spot) = match (before.filter(is_beside), behind.filter(is_beside)) {
        (Some(piece), _) => (piece, piece.end),
        (None, Some(piece)) => (piece, piece.start),
        (None, None) => return,
    };
    let around = contexts.of(parent);
    let piece = Piece { start: spot, end: spot, follows: true, around, said: Said::Space, ..beside };
    let is_blank = |place: usize| source.get(place).map_or(false, |unit| is_space(unit.code()));
    let (start, end) =
        (page.element_start()[loose.element as usize] as usize, page.element_end()[loose.element as usize] as usize);
    let space = Piece { style: Style::default(), ..piece };
    if start > 0 && is_blank(start - 1) {
        out.push(space);
    }
    let style = contexts.all[around].style.with(loose.style);
    out.push(Piece { style, said: Said::Other(loose.said.0, loose.said.1), ..piece });
    if is_blank(end) {
        out.push(space);
    }
}

impl Piece {
    /// What it says.
    pub fn text<'a>(&self, page: &'a Columns, choice: &'a Choice) -> &'a [u32] {
        match self.said {
            Said::Page => &page.text[self.start as usize..self.end as usize],
            Said::Other(start, end) => &choice.texts[start as usize..end as usize],
            Said::Space => &[32],
        }
    }

    /// Whether it is more than white space.
    pub fn says(&self, page: &Columns, choice: &Choice) -> bool {
        self.text(page, choice).iter().any(|&code| !is_space(code))
    }
}
