//! The source in lines of even length (`tidings.page.lines`): what line-based methods work on.

use crate::columns::Columns;

const SPACE: u32 = 32;

/// Columns one behind the other: of each line code, text and run before it; code before each tag; where runs count from.
pub struct Lines {
    pub numbers: Vec<i64>,
    /// Beginnings of the columns, and the end of the last.
    pub borders: [usize; 6],
}

impl Lines {
    pub fn lines(&self) -> usize {
        self.borders[1]
    }

    fn column(&self, place: usize) -> &[i64] {
        &self.numbers[self.borders[place]..self.borders[place + 1]]
    }
}

/// Break a page, without the tags of two elements and what is no tag, into lines of so many characters.
pub fn lines(page: &Columns, length: i64, taken_out: [i64; 2]) -> Lines {
    let (bounds, codes) = (page.bounds(), page.codes());
    let mut tag_start = Vec::with_capacity(codes.len() + 1);
    let mut code = 0;
    tag_start.push(0);
    for (tag, &number) in codes.iter().enumerate() {
        if number != 0 && !taken_out.contains(&number.abs()) {
            code += bounds[2 * tag + 2] - bounds[2 * tag + 1];
        }
        tag_start.push(code);
    }

    let (starts, ends, pieces) = (page.text_start(), page.text_end(), page.piece());
    let count = starts.len();
    let size = page.text.len() as i64;
    let mut run_from = Vec::with_capacity(count + 1);
    for run in 0..count {
        let is_close = run > 0 && starts[run] - ends[run - 1] == 1; // one space or line break before it
        run_from.push(starts[run] - i64::from(is_close));
    }
    run_from.push(size);

    let (mut run, mut before) = (0, 0); // text before the run
    let mut space = -1; // the next one, or the end of a run without
    let code_before = |run: usize| if run < count { tag_start[pieces[run] as usize] } else { code };
    let total = code + (0..count).map(|run| ends[run] - run_from[run]).sum::<i64>();
    let mut target = 0;
    let mut found: Vec<[i64; 3]> = Vec::with_capacity((total / length + 1) as usize);
    while target < total {
        while run < count && code_before(run) + before + ends[run] - run_from[run] <= target {
            before += ends[run] - run_from[run];
            run += 1;
        }
        let place = code_before(run) + before;
        let (mut code, mut text) = (target - before, run_from[run]);
        if target > place {
            code = code_before(run);
            let start = text + target - place;
            if space < start {
                let rest = &page.text[start as usize..ends[run] as usize];
                space = rest.iter().position(|&one| one == SPACE).map_or(ends[run], |at| start + at as i64);
            }
            text = ends[run].min(space + 1);
        }
        if found.last().map_or(true, |&[last_code, last_text, _]| code > last_code || text > last_text) {
            found.push([code, text, run as i64]);
        }
        target += length;
    }

    let size = found.len();
    let mut numbers = Vec::with_capacity(3 * size + tag_start.len() + run_from.len());
    for place in 0..3 {
        numbers.extend(found.iter().map(|line| line[place]));
    }
    numbers.extend_from_slice(&tag_start);
    numbers.extend_from_slice(&run_from);
    let borders = [0, size, 2 * size, 3 * size, 3 * size + tag_start.len(), numbers.len()];
    Lines { numbers, borders }
}

/// For each line how many of its characters have the first bit in a table of characters, then how many have the second.
/// What is not in the table is like its last.
///
/// `out` has as many places as there are lines for each.
pub fn counts(page: &Columns, lines: &Lines, table: &[u8], out: &mut [i64]) {
    let (texts, runs, run_from) = (lines.column(1), lines.column(2), lines.column(4));
    let ends = page.text_end();
    let size = texts.len();
    let (firsts, seconds) = out.split_at_mut(size);
    let count = |from: i64, to: i64| {
        let mut both = 0u64; // the first in the lower half
        for &code in &page.text[from as usize..to.max(from) as usize] {
            let bits = u64::from(table[(code as usize).min(table.len() - 1)]);
            both += (bits & 1) | (bits & 2) << 31;
        }
        both
    };
    for line in 0..size {
        let (last_run, last_text) = match runs.get(line + 1) {
            Some(&run) => (run as usize, texts[line + 1]),
            None => (ends.len(), page.text.len() as i64),
        };
        let (mut run, mut at) = (runs[line] as usize, texts[line]);
        let mut both = 0;
        while run < last_run {
            both += count(at, ends[run]);
            run += 1;
            at = run_from[run];
        }
        both += count(at, last_text);
        firsts[line] = (both & u64::from(u32::MAX)) as i64;
        seconds[line] = (both >> 32) as i64;
    }
}

/// Lines whose characters have the first bit in a table more often than they have the second or are code, the lines beside
/// each counted in; of their stretches that with most content, and those on either side while the next is within a gap
/// (`tidings.extractors.published.dana`).
///
/// `rows` has as many places as there are lines for content, code and the smoothed difference of each. First and last lines
/// go back.
pub fn regions(page: &Columns, lines: &Lines, table: &[u8], gap: i64, rows: &mut [i64]) -> Vec<(usize, usize)> {
    let (codes, tag_start) = (lines.column(0), lines.column(3));
    let size = codes.len();
    let (both, smoothed) = rows.split_at_mut(2 * size);
    counts(page, lines, table, both);
    let (content, code) = both.split_at_mut(size);
    let all = tag_start.last().copied().unwrap_or_default();
    for line in 0..size {
        code[line] += codes.get(line + 1).copied().unwrap_or(all) - codes[line];
    }
    let (mut before, mut here) = (0, content.first().map_or(0, |first| first - code[0]));
    for line in 0..size {
        let behind = content.get(line + 1).map_or(0, |next| next - code[line + 1]);
        smoothed[line] = before + here + behind;
        (before, here) = (here, behind);
    }
    let mut found: Vec<(usize, usize)> = Vec::new();
    for line in (0..size).filter(|&line| smoothed[line] > 0) {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => found.push((line, line)),
        }
    }
    let sizes: Vec<i64> = found.iter().map(|&(first, last)| content[first..=last].iter().sum()).collect();
    // The first of those that hold as much.
    let largest = (0..sizes.len()).rev().max_by_key(|&place| sizes[place]).unwrap_or_default();
    let distance = |left: usize| found[left + 1].0 as i64 - found[left].1 as i64 + 1;
    let is_near = |left: usize| distance(left) <= gap;
    let (mut lowest, mut highest) = (largest, largest);
    while lowest > 0 && is_near(lowest - 1) {
        lowest -= 1;
    }
    while highest + 1 < found.len() && is_near(highest) {
        highest += 1;
    }
    found.truncate(highest + 1);
    found.drain(..lowest.min(found.len()));
    found
}

/// Stretches of the characters in some ranges that have the first bit in a table, or the third and stand between two that
/// have the first: starts and ends in turn. The ranges are in order; what is not in the table is like its last.
pub fn stretches(page: &Columns, table: &[u8], starts: &[i64], ends: &[i64]) -> Vec<i64> {
    let mut found = Vec::new();
    let (first, last) = match (starts.first(), ends.last()) {
        (Some(&first), Some(&last)) => (first as usize, last as usize),
        _ => return found,
    };
    let text = &page.text[..last];
    let bits = |at: usize| table[(text[at] as usize).min(table.len() - 1)];
    for (&start, &end) in starts.iter().zip(ends) {
        let mut is_inside = false;
        for at in start as usize..end as usize {
            let own = bits(at);
            let is_between = own & 4 != 0 && at > first && at + 1 < last && bits(at - 1) & bits(at + 1) & 1 != 0;
            if is_inside != (own & 1 != 0 || is_between) {
                is_inside = !is_inside;
                found.push(at as i64);
            }
        }
        if is_inside {
            found.push(end);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{scan, Manner};
    use crate::samples;

    fn of(source: &[u8], length: i64) -> (Columns, Lines) {
        let page = scan(source, &samples::tables(), Manner { most_tags: 1000, ..Manner::default() });
        let made = lines(&page, length, [-1, -1]);
        (page, made)
    }

    #[test]
    fn a_line_begins_behind_a_space() {
        let (page, made) = of(b"<p>one two three</p>", 5);
        // Three characters of code, then the text; the line at 5 begins behind the space at 3.
        assert_eq!(made.column(0), [0, 3, 3, 3]);
        assert_eq!(made.column(1), [0, 4, 8, 13]);
        let mut out = [0; 8];
        counts(&page, &made, &[1, 1, 2], &mut out);
        assert_eq!(out.iter().sum::<i64>(), 13);
    }

    #[test]
    fn nothing_is_no_line() {
        assert_eq!(of(b"", 80).1.column(0), []);
    }

    #[test]
    fn the_stretch_with_most_content_takes_in_those_near_it() {
        let text = "aaaa aaaa ".repeat(20);
        let source = format!("<p>{}<i class={}><p>{0}{0}<i class={1}><p>{0}", text, "b".repeat(100));
        let (page, made) = of(source.as_bytes(), 20);
        let mut table = [2; 128];
        table[usize::from(b'a')] = 1;
        let mut rows = vec![0; 3 * made.column(0).len()];
        let near = regions(&page, &made, &table, 0, &mut rows);
        assert_eq!(near.len(), 1);
        let far = regions(&page, &made, &table, 99, &mut rows);
        assert_eq!((far.len(), far[1]), (3, near[0]));
        let (page, made) = of(b"", 80);
        assert_eq!(regions(&page, &made, &table, 8, &mut []), []);
    }

    #[test]
    fn what_stands_between_two_goes_with_them() {
        let (page, _) = of(b"<p>a a. a,a b aa", 80);
        let mut table = [0; 128];
        (table[usize::from(b'a')], table[usize::from(b' ')]) = (1, 4);
        assert_eq!(stretches(&page, &table, &[0], &[13]), [0, 3, 5, 6, 7, 8, 11, 13]);
        assert_eq!(stretches(&page, &table, &[0, 2], &[1, 3]), [0, 1, 2, 3]);
        assert_eq!(stretches(&page, &table, &[1, 11], &[2, 12]), [11, 12]); // nothing stands before the first
        assert_eq!(stretches(&page, &table, &[], &[]), []);
    }
}
