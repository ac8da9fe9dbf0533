//! Scans a page into columns, the arrays behind `tidings.page.Page`.

use std::sync::{Arc, Mutex, PoisonError};

use crate::flow::{cover, cover_of, flow};
use crate::hidden::{Facts, TEXT};
use crate::names::NameWords;
use crate::sheet::Sheet;
use crate::spelling::spellings;
use crate::tables::{self, Tables};
use crate::tokens::tokens;
use crate::tree::grow;
use crate::units::{with_units, Unit, Wide};
use crate::written::Written;

/// The joined columns, and the start of each.
pub struct Columns {
    pub numbers: Vec<i64>,
    /// Beginnings of the columns, and the end of the last.
    pub borders: [usize; COLUMNS + 1],
    /// By run whether it is text of a link.
    pub flags: Vec<u8>,
    pub text: Arc<Vec<u32>>,
    /// Tag names outside the standard, a line each.
    pub names: Vec<u8>,
    /// The source, set by the boundary.
    pub source: Wide,
    /// The style sheets of the page.
    pub sheet: Arc<Sheet>,
    /// The words of names in start tags, computed on first use.
    names_of_tags: Mutex<Option<Arc<NameWords>>>,
    /// By piece and by run whether it is hidden (`crate::hidden`); None after a brief scan.
    pub unseen: Option<(Arc<Vec<u8>>, Vec<u8>)>,
}

/// Declare the columns in their order in the memory, each with a method that returns it.
macro_rules! columns {
    ($($(#[$about:meta])* $name:ident,)*) => {
        #[allow(non_camel_case_types)]
        enum Place { $($name,)* Count }

        pub const COLUMNS: usize = Place::Count as usize;

        impl Columns {
            $($(#[$about])* pub fn $name(&self) -> &[i64] {
                let place = Place::$name as usize;
                &self.numbers[self.borders[place]..self.borders[place + 1]]
            })*
        }
    };
}

// `PageColumns` in `packages/tidings/src/tidings/core/pages.py` declares the same names in the same order.
columns! {
    /// 0, then where each piece of text and each tag ends, in turn.
    bounds,
    /// By tag the number of its name: negative for an end tag, 0 for comments and the like.
    codes,
    /// By element the number of its tag.
    tag,
    /// By element the element around it, -1 for the document.
    parent,
    depth,
    /// By element the tag that begins it, -1 for the document.
    opened,
    /// By element the tag that ends it.
    closed,
    /// By piece the element it is directly in.
    owner,
    /// By element its range of the source.
    element_start,
    element_end,
    /// By element its range of runs.
    first,
    last,
    /// By run the piece it is made of.
    piece,
    /// By run its range of the source.
    run_start,
    run_end,
    /// By run its range of the text.
    text_start,
    text_end,
    /// By run its block.
    block,
    /// By run how many words begin in it.
    run_words,
    /// By block its first run.
    block_first,
    /// By block the nearest block-level element around it.
    block_element,
    block_words,
    block_link_words,
    /// By element the number of the spelling of its start tag, -1 if it has no text.
    spelling,
    /// By spelling its range of the source, start and end in turn.
    spelled,
    /// Elements that count as visible though their tags hide them, because a script will show them.
    revealed,
    /// By run the element it is directly in.
    run_elements,
    /// By block the run behind its last.
    block_last,
}

impl Columns {
    pub fn runs(&self) -> usize {
        self.text_start().len()
    }

    /// Return the parent element of a run.
    pub fn run_element(&self, run: usize) -> usize {
        self.run_elements()[run] as usize
    }

    /// The range of the start tag of an element in the source; empty for the document.
    pub fn tag_range(&self, element: usize) -> (usize, usize) {
        match usize::try_from(self.opened()[element]) {
            Ok(piece) => (self.bounds()[2 * piece + 1] as usize, self.bounds()[2 * piece + 2] as usize),
            Err(_) => (0, 0),
        }
    }

    /// Return the run after the last run of a block.
    pub fn block_end(&self, block: usize) -> usize {
        self.block_last()[block] as usize
    }

    /// Return the range of a block in the text.
    pub fn block_text(&self, block: usize) -> (i64, i64) {
        (self.text_start()[self.block_first()[block] as usize], self.text_end()[self.block_end(block) - 1])
    }

    /// The words of the names in start tags, of each spelling once.
    pub fn names_of_tags(&self, tables: &Tables) -> Arc<NameWords> {
        let mut words = self.names_of_tags.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(words.get_or_insert_with(|| {
            Arc::new(with_units!(&self.source, units => NameWords::new(units, self.spelled(), tables)))
        }))
    }

    /// How many spellings of start tags there are.
    pub fn spellings(&self) -> usize {
        self.spelled().len() / 2
    }
}

/// How a page is scanned.
#[derive(Clone, Copy, Default)]
pub struct Manner<'a> {
    pub most_tags: usize,
    /// The style sheets of the page that this is a fragment of.
    pub around: Option<&'a Sheet>,
    /// Hidden text is not looked for, nor are words counted.
    pub is_brief: bool,
}

/// Scan a page; a fragment of another with the style sheets of that.
pub fn scan<U: Unit>(source: &[U], tables: &Tables, manner: Manner) -> Columns {
    let Manner { most_tags, around, is_brief } = manner;
    let tokens = tokens(source, tables, most_tags);
    let tree = grow(&tokens.codes, &tokens.local, tables);
    let flow = flow(source, &tokens, &tree, tables);
    let count = tokens.codes.len();
    let elements = tree.tag.len();

    // Runs before each piece: element e holds the runs before[opened + 1] … before[closed + 1] - 1.
    let mut before = vec![0i32; count + 3];
    for &piece in &flow.piece {
        before[piece as usize + 1] += 1;
    }
    for place in 1..before.len() {
        before[place] += before[place - 1];
    }
    let first = |element: usize| before[(tree.opened[element] + 1) as usize];
    let last = |element: usize| before[(tree.closed[element] + 1) as usize];

    let with_text: Vec<usize> = (1..elements).filter(|&element| first(element) < last(element)).collect();
    let (spelled, numbers) =
        spellings(source, with_text.iter().map(|&element| tokens.tag(tree.opened[element] as usize)));

    let words = if is_brief {
        vec![0; flow.piece.len()]
    } else {
        flow.text_start
            .iter()
            .zip(&flow.text_end)
            .map(|(&start, &end)| words(&flow.text, (start, end), tables))
            .collect()
    };
    let in_link = cover_of(&tree, |tag| tag == tables.numbers.a);
    let is_linked = |run: usize| in_link.as_ref().map_or(false, |depth| depth[flow.piece[run] as usize] > 0);
    let runs = flow.piece.len();
    let flags: Vec<u8> = (0..runs).map(|run| u8::from(is_linked(run))).collect();

    let sizes = 2 * count + 2 + count + 9 * elements + count + 1 + 8 * runs + 7 * flow.block_first.len();
    let mut columns = Writer::new(sizes + elements + 2 * spelled.len());
    columns.add(tokens.bounds.iter().copied());
    columns.add_ints(&tokens.codes);
    columns.add_ints(&tree.tag);
    columns.add_ints(&tree.parent);
    columns.add_ints(&tree.depth);
    columns.add_ints(&tree.opened);
    columns.add_ints(&tree.closed);
    columns.add_ints(&tree.owner);
    let size = source.len() as i64;
    columns.add((0..elements).map(|element| match element {
        0 => 0,
        _ => tokens.tag(tree.opened[element] as usize).0 as i64,
    }));
    columns.add((0..elements).map(|element| {
        let closed = tree.closed[element] as usize;
        if element == 0 || closed >= count {
            return size;
        }
        // It ends after its own end tag, or before the tag that closed it.
        let (start, end) = tokens.tag(closed);
        let is_own = tokens.codes[closed] == -tree.tag[element] || tree.closed[element] == tree.opened[element];
        if is_own {
            end as i64
        } else {
            start as i64
        }
    }));
    columns.add((0..elements).map(|element| i64::from(first(element))));
    columns.add((0..elements).map(|element| i64::from(last(element))));
    columns.add_ints(&flow.piece);
    columns.add_ints(&flow.start);
    columns.add_ints(&flow.end);
    columns.add_ints(&flow.text_start);
    columns.add_ints(&flow.text_end);
    columns.add_ints(&flow.block);
    columns.add_ints(&words);
    columns.add_ints(&flow.block_first);

    let blocks = flow.block_first.len();
    let end_of = |block: usize| if block + 1 < blocks { flow.block_first[block + 1] as usize } else { runs };
    let nearest = nearest_blocks(&tree.tag, &tree.parent, tables);
    columns.add((0..blocks).map(|block| {
        let piece = flow.piece[flow.block_first[block] as usize] as usize;
        nearest[tree.owner[piece] as usize]
    }));
    columns.add(
        (0..blocks).map(|block| {
            (flow.block_first[block] as usize..end_of(block)).map(|run| i64::from(words[run])).sum::<i64>()
        }),
    );
    columns.add((0..blocks).map(|block| {
        let runs = flow.block_first[block] as usize..end_of(block);
        runs.filter(|&run| flags[run] != 0).map(|run| i64::from(words[run])).sum::<i64>()
    }));

    let mut number = vec![-1i32; elements];
    for (&element, &spelling) in with_text.iter().zip(&numbers) {
        number[element] = spelling;
    }
    columns.add_ints(&number);
    columns.add(spelled.iter().flat_map(|&(start, end)| [start as i64, end as i64]));

    let (sheet, has_foreign_sheets) = if is_brief || around.is_some() {
        (Sheet::none(), true)
    } else {
        let elsewhere = cover(&tree, tables, tables::ELSEWHERE);
        let holds = |at: usize| elsewhere.as_ref().map_or(true, |depth| depth[at] == 0);
        let tags = (0..count).map(|at| (tokens.codes[at], at));
        own_sheets(&Written { source, tables }, tags, holds, |at| tokens.tag(at))
    };
    let facts = Facts {
        source,
        tables,
        tag: &tree.tag,
        parent: &tree.parent,
        opened: &tree.opened,
        closed: &tree.closed,
        owner: &tree.owner,
        runs: &|element| (first(element) as usize, last(element) as usize),
        run_piece: &|run| flow.piece[run] as usize,
        text_start: &flow.text_start,
        text_end: &flow.text_end,
        in_link: &flags,
        text_size: flow.text.len(),
        spelling: &number,
        spellings: spelled.len(),
        tag_range: &|element| tokens.tag(tree.opened[element] as usize),
        is_empty: &|element| {
            let (opened, closed) = (tree.opened[element] as usize, tree.closed[element] as usize);
            is_empty(opened, closed, &tokens.codes, |at| tokens.tag(at), count)
        },
        classes: &tokens.classes,
        local: &tokens.local,
        is_fragment: around.is_some(),
        has_foreign_sheets,
    };
    let unseen = if is_brief { None } else { Some(facts.hidden_pieces(around.unwrap_or(&sheet))) };
    columns.add_ints(unseen.as_ref().map_or(&[], |unseen| &unseen.revealed));
    columns.add(flow.piece.iter().map(|&piece| i64::from(tree.owner[piece as usize])));
    columns.add((0..blocks).map(|block| end_of(block) as i64));
    let unseen = unseen.map(|unseen| {
        let runs: Vec<u8> = flow.piece.iter().map(|&piece| unseen.pieces[piece as usize] & TEXT).collect();
        (Arc::new(unseen.pieces), runs)
    });

    let mut names = Vec::new();
    for name in &tokens.local {
        names.extend_from_slice(name);
        names.push(b'\n');
    }
    columns.finish(flags, Arc::new(flow.text), names, Wide::default(), sheet, unseen)
}

/// For each element itself or the nearest block-level element around it.
pub fn nearest_blocks<T: Copy + Into<i64>>(tag: &[T], parent: &[T], tables: &Tables) -> Vec<i64> {
    let mut nearest: Vec<i64> = Vec::with_capacity(tag.len());
    nearest.push(0);
    for element in 1..tag.len() {
        let is_block = tables.sets(tag[element].into() as i32) & tables::BLOCK != 0;
        nearest.push(if is_block { element as i64 } else { nearest[parent[element].into() as usize] });
    }
    nearest
}

/// Whether there is nothing but comments between two tags of `count`.
fn is_empty(
    opened: usize,
    closed: usize,
    codes: &[i32],
    range: impl Fn(usize) -> (usize, usize),
    count: usize,
) -> bool {
    let closed = closed.min(count.saturating_sub(1)).max(opened);
    (opened..closed).all(|at| range(at).1 == range(at + 1).0)
        && codes[(opened + 1).min(closed)..closed].iter().all(|&code| code == 0)
}

/// Return the style sheets of a page, and whether it links to others. `tags` are its tags with their indices, `holds`
/// says which count, `range` returns their ranges.
fn own_sheets<U: Unit>(
    written: &Written<U>,
    tags: impl Iterator<Item = (i32, usize)>,
    holds: impl Fn(usize) -> bool,
    range: impl Fn(usize) -> (usize, usize),
) -> (Arc<Sheet>, bool) {
    let tables = written.tables;
    let (style, link) = (tables.numbers.style, tables.number(b"link"));
    let (mut ranges, mut has_foreign) = (Vec::new(), false);
    for (tag, at) in tags {
        if tag == style {
            if holds(at) {
                ranges.push(range(at));
            }
        } else if Some(tag) == link {
            match written.is_linked_sheet(range(at)) {
                Some(true) if holds(at) => ranges.push(range(at)),
                Some(false) => has_foreign = true,
                _ => {}
            }
        }
    }
    let sheet = written.sheet(&ranges);
    let has_foreign = has_foreign || sheet.imports_foreign;
    (sheet, has_foreign)
}

/// Columns as they are added, in their order.
pub struct Writer {
    numbers: Vec<i64>,
    borders: Vec<usize>,
}

impl Writer {
    /// Create a writer with a capacity.
    pub fn new(room: usize) -> Writer {
        Writer { numbers: Vec::with_capacity(room), borders: vec![0] }
    }

    pub fn add(&mut self, column: impl Iterator<Item = i64>) {
        self.numbers.extend(column);
        self.borders.push(self.numbers.len());
    }

    pub fn add_all(&mut self, column: &[i64]) {
        self.numbers.extend_from_slice(column);
        self.borders.push(self.numbers.len());
    }

    fn add_ints(&mut self, column: &[i32]) {
        self.add(column.iter().map(|&number| i64::from(number)));
    }

    /// Return the columns with all that belongs to them.
    pub fn finish(
        self,
        flags: Vec<u8>,
        text: Arc<Vec<u32>>,
        names: Vec<u8>,
        source: Wide,
        sheet: Arc<Sheet>,
        unseen: Option<(Arc<Vec<u8>>, Vec<u8>)>,
    ) -> Columns {
        let mut borders = [0; COLUMNS + 1];
        borders.copy_from_slice(&self.borders);
        let names_of_tags = Mutex::default();
        Columns { numbers: self.numbers, borders, flags, text, names, source, sheet, names_of_tags, unseen }
    }
}

/// How many words begin in a range of a text (`tidings.page.counts`).
pub fn words(text: &[u32], range: (i32, i32), tables: &Tables) -> i32 {
    let (start, end) = (range.0 as usize, range.1 as usize);
    let mut before = if start > 0 { tables.class(text[start - 1]) } else { 0 };
    let mut count = 0;
    for &code in &text[start..end] {
        let class = tables.class(code);
        count += i32::from(class == 2 || (class == 1 && before != 1));
        before = class;
    }
    count
}

/// Write a text into as many places, which are wide enough.
pub fn written<U: Unit>(text: &[u32], out: &mut [U]) {
    for (place, &code) in out.iter_mut().zip(text) {
        *place = U::of(code);
    }
}
