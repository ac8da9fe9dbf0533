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
pub fn counts(page: &Columns, lines: &Lines, table: &[u8]) -> Vec<i64> {
    let (texts, runs, run_from) = (lines.column(1), lines.column(2), lines.column(4));
    let ends = page.text_end();
    let size = texts.len();
    let mut out = vec![0; 2 * size];
    let mut count = |line: usize, from: i64, to: i64| {
        if from >= to {
            return;
        }
        let mut both = 0u64; // the first in the lower half
        for &code in &page.text[from as usize..to as usize] {
            let bits = u64::from(table[(code as usize).min(table.len() - 1)]);
            both += (bits & 1) | (bits & 2) << 31;
        }
        out[line] += (both & u64::from(u32::MAX)) as i64;
        out[size + line] += (both >> 32) as i64;
    };
    for line in 0..size {
        let (last_run, last_text) = match runs.get(line + 1) {
            Some(&run) => (run as usize, texts[line + 1]),
            None => (ends.len(), page.text.len() as i64),
        };
        let (mut run, mut at) = (runs[line] as usize, texts[line]);
        while run < last_run {
            count(line, at, ends[run]);
            run += 1;
            at = run_from[run];
        }
        count(line, at, last_text);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{scan, Manner};
    use crate::samples;

    fn of(source: &[u8], length: i64) -> (Columns, Lines) {
        let page = scan(source, &samples::tables(), Manner { most_tags: 1000, ..Manner::default() }).ok().unwrap();
        let made = lines(&page, length, [-1, -1]);
        (page, made)
    }

    #[test]
    fn a_line_begins_behind_a_space() {
        let (page, made) = of(b"<p>one two three</p>", 5);
        // Three characters of code, then the text; the line at 5 begins behind the space at 3.
        assert_eq!(made.column(0), [0, 3, 3, 3]);
        assert_eq!(made.column(1), [0, 4, 8, 13]);
        assert_eq!(counts(&page, &made, &[1, 1, 2]).iter().sum::<i64>(), 13);
    }

    #[test]
    fn nothing_is_no_line() {
        assert_eq!(of(b"", 80).1.column(0), []);
    }
}
