//! Builds the tree: the element of each tag and piece of text (HTML standard, 13.2.6; `tidings.page.compiled`).

use crate::tables::{self, Tables};

// What the start of a tag does: the numbers of `tidings.page.tags.Start`.
const PLAIN: u8 = 0;
const VOID: u8 = 1;
const HEADING: u8 = 3;
const ITEM: u8 = 4;
const TERM: u8 = 5;
const OPTION: u8 = 6;
const ROW: u8 = 7;
const CELL: u8 = 8;
const SECTION: u8 = 9;
const ONCE: u8 = 10;
const ROOT: u8 = 11;
const RUBY: u8 = 13;
const CONTROL: u8 = 14;

/// Elements in document order; element 0 is the document. Element e holds the pieces opened[e] < i <= closed[e].
pub struct Tree {
    pub tag: Vec<i32>,
    pub parent: Vec<i32>,
    pub depth: Vec<i32>,
    pub opened: Vec<i32>,
    pub closed: Vec<i32>,
    /// The parent element of each piece.
    pub owner: Vec<i32>,
}

struct Growth<'a> {
    tables: &'a Tables,
    stack: Vec<i32>,
    open_tags: Vec<i32>,
    /// How many elements of each tag are open.
    open: Vec<u32>,
    closed: Vec<i32>,
}

impl Growth<'_> {
    #[inline(always)]
    fn push(&mut self, element: i32, tag: i32) {
        self.stack.push(element);
        self.open_tags.push(tag);
        self.open[tag as usize] += 1;
    }

    fn close_from(&mut self, place: usize, at: i32) {
        for &element in &self.stack[place..] {
            self.closed[element as usize] = at;
        }
        for &tag in &self.open_tags[place..] {
            self.open[tag as usize] -= 1;
        }
        self.stack.truncate(place);
        self.open_tags.truncate(place);
    }

    fn close_last(&mut self, at: i32) {
        self.close_from(self.stack.len() - 1, at);
    }

    /// Close a formatting element through what is open in it: blocks stay open (13.2.6.4.7).
    fn adopt(&mut self, place: usize, at: i32) {
        let above: Vec<(i32, i32)> =
            self.stack[place + 1..].iter().copied().zip(self.open_tags[place + 1..].iter().copied()).collect();
        let last_special = above.iter().rposition(|&(_, tag)| self.tables.sets(tag) & tables::SPECIAL != 0);
        self.close_from(place, at);
        for &(element, tag) in &above[..last_special.map_or(0, |last| last + 1)] {
            if self.tables.sets(tag) & (tables::SPECIAL | tables::FORMATTING) != 0 {
                self.closed[element as usize] = -1;
                self.push(element, tag);
            }
        }
    }

    /// Return the position of the innermost open element of a tag, 0 if there is none in scope.
    fn find(&self, target: i32, stops: u32) -> usize {
        for place in (1..self.open_tags.len()).rev() {
            let tag = self.open_tags[place];
            if tag == target {
                return place;
            }
            if self.tables.sets(tag) & stops != 0 {
                return 0;
            }
        }
        0
    }

    /// The same for a set of tags.
    fn find_among(&self, target: u32, stops: u32) -> usize {
        for place in (1..self.open_tags.len()).rev() {
            let sets = self.tables.sets(self.open_tags[place]);
            if sets & target != 0 {
                return place;
            }
            if sets & stops != 0 {
                return 0;
            }
        }
        0
    }

    #[inline(always)]
    fn is_open(&self, tag: i32) -> bool {
        self.open[tag as usize] > 0
    }

    #[inline(always)]
    fn last_tag(&self) -> i32 {
        self.open_tags[self.open_tags.len() - 1]
    }

    #[inline(always)]
    fn top(&self) -> i32 {
        self.stack[self.stack.len() - 1]
    }
}

/// The elements that a sequence of tags makes.
pub fn grow(tags: &[i32], local: &[Vec<u8>], tables: &Tables) -> Tree {
    let count = tags.len();
    let mut codes = tags.to_vec();
    let kinds = tables.names.len() + local.len();
    let pictures = pass_over_svg(&mut codes, local, tables);
    let numbers = tables.numbers;
    let mut growth = Growth {
        tables,
        stack: vec![0],
        open_tags: vec![0],
        open: vec![0; kinds],
        closed: Vec::with_capacity(count + 1),
    };
    growth.open[0] = 1;
    growth.closed.push(count as i32);
    let mut parent = Vec::with_capacity(count / 2 + 1);
    parent.push(-1);
    let mut owner = Vec::with_capacity(count + 1);
    owner.push(0);
    let (mut top, mut element, mut too_deep) = (0i32, 0i32, 0usize);
    let mut at = 0;
    while at < count {
        let code = codes[at];
        let here = at as i32;
        if code > 0 {
            let how = tables.starts.get(code as usize).copied().unwrap_or(PLAIN);
            if how == VOID {
                element += 1;
                growth.closed.push(-1);
                parent.push(top);
                owner.push(top);
                at += 1;
                continue;
            }
            if how > VOID {
                let mut means_nothing = false;
                match how {
                    2..=TERM => {
                        if how >= ITEM {
                            let place = if how == ITEM {
                                growth.find(numbers.li, tables::ITEM_STOP)
                            } else {
                                growth.find_among(tables::TERM, tables::TERM_STOP)
                            };
                            if place > 0 {
                                growth.close_from(place, here);
                            }
                        }
                        if growth.is_open(numbers.p) {
                            let place = growth.find(numbers.p, tables::P_SCOPE);
                            if place > 0 {
                                growth.close_from(place, here);
                            }
                        }
                        if how == HEADING && tables.sets(growth.last_tag()) & tables::HEADING != 0 {
                            growth.close_last(here);
                        }
                    }
                    ONCE if growth.is_open(code) => {
                        let place = growth.find(code, tables::SCOPE);
                        if place > 0 && code == numbers.a {
                            growth.adopt(place, here);
                        } else if place > 0 {
                            growth.close_from(place, here);
                        }
                    }
                    ROW | CELL | SECTION => {
                        let context = match how {
                            ROW => tables::ROW_CONTEXT,
                            CELL => tables::CELL_CONTEXT,
                            _ => tables::SECTION_CONTEXT,
                        };
                        let place = growth.find_among(context, tables::OUTSIDE_TABLE);
                        if place == 0 {
                            means_nothing = true; // outside a table
                        } else {
                            growth.close_from(place + 1, here);
                        }
                    }
                    OPTION => {
                        if growth.last_tag() == numbers.option {
                            growth.close_last(here);
                        }
                        if code == numbers.optgroup && growth.last_tag() == numbers.optgroup {
                            growth.close_last(here);
                        }
                    }
                    RUBY => {
                        while tables.sets(growth.last_tag()) & tables::RUBY_TEXT != 0 {
                            growth.close_last(here);
                        }
                    }
                    CONTROL => {
                        let place =
                            if growth.is_open(numbers.select) { growth.find(numbers.select, tables::SCOPE) } else { 0 };
                        if place > 0 {
                            growth.close_from(place, here);
                        }
                        top = growth.top();
                        if place > 0 && code == numbers.select {
                            means_nothing = true; // a second <select> only ends the first
                        } else if code == numbers.input {
                            element += 1;
                            growth.closed.push(-1);
                            parent.push(top);
                            owner.push(top);
                            at += 1;
                            continue;
                        }
                    }
                    ROOT => {
                        if growth.is_open(code) {
                            means_nothing = true; // a second one adds nothing
                        } else if growth.is_open(numbers.head) {
                            let place = growth.open_tags.iter().position(|&tag| tag == numbers.head);
                            growth.close_from(place.unwrap_or(growth.stack.len()), here);
                        }
                    }
                    _ => {}
                }
                if means_nothing {
                    codes[at] = 0;
                    owner.push(top);
                    at += 1;
                    continue;
                }
                top = growth.top();
            }
            element += 1;
            parent.push(top);
            if at + 1 < count && codes[at + 1] == -code {
                // Closed at once, as half of all elements are: never on the stack.
                growth.closed.push(here + 1);
                owner.push(element);
                owner.push(top);
                at += 2;
                continue;
            }
            growth.closed.push(-1);
            if growth.stack.len() < tables.max_depth {
                growth.push(element, code);
                top = element;
            } else {
                too_deep += 1;
            }
            owner.push(top);
            at += 1;
            continue;
        }
        if code < 0 {
            let number = -code;
            if growth.last_tag() == number && too_deep == 0 {
                growth.close_last(here);
                top = growth.top();
            } else if too_deep > 0 {
                too_deep -= 1;
            } else {
                let place = if tables.sets(number) & tables::HEADING != 0 {
                    growth.find_among(tables::HEADING, tables::SCOPE)
                } else if growth.is_open(number) {
                    let stops = tables.end_stops.get(number as usize).copied().unwrap_or(tables::SPECIAL);
                    growth.find(number, stops)
                } else {
                    0
                };
                if place > 0 && tables.sets(number) & tables::FORMATTING != 0 {
                    growth.adopt(place, here);
                } else if place > 0 {
                    growth.close_from(place, here);
                }
                top = growth.top();
            }
        }
        owner.push(top);
        at += 1;
    }
    growth.close_from(0, count as i32);
    columns(&codes, parent, growth.closed, owner, &pictures)
}

fn columns(
    codes: &[i32],
    parent: Vec<i32>,
    mut closed: Vec<i32>,
    owner: Vec<i32>,
    pictures: &[(usize, usize)],
) -> Tree {
    let mut opened = Vec::with_capacity(parent.len());
    let mut tag = Vec::with_capacity(parent.len());
    opened.push(-1);
    tag.push(0);
    for (at, &code) in codes.iter().enumerate() {
        if code > 0 {
            opened.push(at as i32);
            tag.push(code);
        }
    }
    for (end, &begin) in closed.iter_mut().zip(&opened) {
        if *end < 0 {
            *end = begin;
        }
    }
    for &(begin, end) in pictures {
        if let Ok(element) = opened.binary_search(&(begin as i32)) {
            closed[element] = end as i32;
        }
    }
    // The depth of an element is the number of elements that are open where it begins.
    let mut steps = vec![0i32; codes.len() + 2];
    for (&begin, &end) in opened.iter().zip(&closed) {
        if end > begin {
            steps[(begin + 1) as usize] += 1;
            steps[end as usize] -= 1;
        }
    }
    let mut total = 0;
    for step in &mut steps {
        total += *step;
        *step = total;
    }
    let depth = opened.iter().map(|&at| if at < 0 { 0 } else { steps[at as usize] }).collect();
    Tree { tag, parent, depth, opened, closed, owner }
}

/// Blank the tags inside each <svg>: which tag opens one, and which ends it.
fn pass_over_svg(codes: &mut [i32], local: &[Vec<u8>], tables: &Tables) -> Vec<(usize, usize)> {
    let svg = tables.numbers.svg;
    let mut ends = Vec::new();
    if !codes.contains(&svg) {
        return ends;
    }
    let standard = tables.names.len();
    let kinds = standard + local.len();
    // HTML inside these does not break out.
    let mut hosts = vec![false; kinds];
    for (place, name) in tables.names.iter().chain(local).enumerate() {
        hosts[place] = name == b"foreignobject" || name == b"desc";
    }
    // The number of open elements before the <svg>, counted on first use.
    let mut around = vec![0i64; kinds];
    let mut inside = vec![0u32; kinds];
    let (mut counted, mut at) = (0, 0);
    while let Some(more) = codes[at..].iter().position(|&code| code == svg) {
        at += more;
        let mut end = end_of_svg(codes, at, &hosts, None, tables, &mut inside);
        if end < codes.len() && codes[end] < 0 && codes[end] != -svg {
            // Does it belong to something around?
            for &code in &codes[counted..at] {
                around[code.unsigned_abs() as usize] += i64::from(code.signum());
            }
            counted = at;
            end = end_of_svg(codes, at, &hosts, Some(&around), tables, &mut inside);
        }
        ends.push((at, end));
        for code in &mut codes[at + 1..end] {
            *code = 0;
        }
        at += 1;
    }
    ends
}

/// The tag that ends the <svg> opened at a tag (13.2.6.5): its end tag, an HTML element that breaks out of it, or the
/// end tag of an element around it; while nobody has looked which those are, any end tag that was not opened inside.
fn end_of_svg(
    codes: &[i32],
    at: usize,
    hosts: &[bool],
    around: Option<&[i64]>,
    tables: &Tables,
    inside: &mut [u32],
) -> usize {
    let svg = tables.numbers.svg as usize;
    inside[svg] = 1;
    let mut in_host = 0u32;
    let mut end = codes.len();
    for (place, &code) in codes.iter().enumerate().skip(at + 1) {
        let number = code.unsigned_abs() as usize;
        if code > 0 {
            if in_host == 0 && tables.sets(code) & tables::BREAKS_OUT != 0 {
                end = place;
                break;
            }
            in_host += u32::from(hosts[number]);
            inside[number] += 1;
        } else if code < 0 {
            if inside[number] > 0 {
                inside[number] -= 1;
                in_host -= u32::from(hosts[number]);
                if inside[svg] == 0 {
                    end = place;
                    break;
                }
            } else if around.map_or(true, |open| open[number] > 0) {
                end = place;
                break;
            }
        }
    }
    for &code in &codes[at..end] {
        inside[code.unsigned_abs() as usize] = 0;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::tables;
    use crate::tokens::tokens;

    /// Elements as `name<parent`, in document order.
    fn elements(text: &str) -> Vec<String> {
        let tables = tables();
        let found = tokens(text.as_bytes(), &tables, 10_000);
        let tree = grow(&found.codes, &found.local, &tables);
        assert_eq!(tree.owner.len(), found.codes.len() + 1);
        assert!(tree.closed.iter().all(|&closed| closed >= 0));
        let name = |element: usize| String::from_utf8_lossy(&tables.names[tree.tag[element] as usize]).into_owned();
        (1..tree.tag.len()).map(|at| format!("{}<{}", name(at), name(tree.parent[at] as usize))).collect()
    }

    #[test]
    fn elements_stand_in_each_other() {
        assert_eq!(elements("<div><p>a<b>c</b></p></div><p>"), ["div<", "p<div", "b<p", "p<"]);
    }

    #[test]
    fn starts_close_what_they_must() {
        assert_eq!(elements("<p>a<p>b<div>c"), ["p<", "p<", "div<"]);
        assert_eq!(elements("<ul><li>a<ul><li>b</ul><li>c"), ["ul<", "li<ul", "ul<li", "li<ul", "li<ul"]);
        assert_eq!(elements("<a>x<a>y"), ["a<", "a<"]);
        assert_eq!(elements("<p><br>x"), ["p<", "br<p"]);
    }

    #[test]
    fn an_end_without_a_start_is_nothing() {
        assert_eq!(elements("</div><p>a</b></p></p>"), ["p<"]);
    }

    #[test]
    fn depth_is_bounded() {
        let tables = tables();
        let text = "<div>".repeat(5_000);
        let found = tokens(text.as_bytes(), &tables, 10_000);
        let tree = grow(&found.codes, &found.local, &tables);
        assert_eq!(tree.tag.len(), 5_001);
        assert!(tree.depth.iter().all(|&depth| (depth as usize) <= tables.max_depth));
    }
}
