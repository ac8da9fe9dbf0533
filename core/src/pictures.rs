//! Locates the pictures of a page in relation to the selected text (`tidings.article.pictures.select`).

use crate::columns::Columns;

/// The numbers of the tags that are asked for.
#[derive(Clone, Copy)]
pub struct PictureTags {
    pub image: i64,
    pub figure: i64,
    pub caption: i64,
    pub html: i64,
    pub body: i64,
    /// How long a caption is at most; chosen runs that stand above one that only stands in a box with its picture.
    pub longest: i64,
    pub above: u32,
}

/// Between the first and the last chosen text; beside chosen text; just before the first; in a figure with a chosen caption.
pub const BETWEEN: i64 = 1;
pub const BESIDE: i64 = 2;
pub const LEADING: i64 = 4;
pub const CAPTIONED: i64 = 8;
/// Text that stands alone in a box with the picture may be its caption.
const BOXED: i64 = 16;
/// Numbers that a picture has: element, figure or 0, the box around it with text, where it stands, runs of its caption or -1.
pub const NUMBERS: usize = 6;

/// For each run how many before it are meant.
pub fn sums(count: usize, is_meant: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut total = 0;
    let mut sums = Vec::with_capacity(count + 1);
    sums.push(0);
    for run in 0..count {
        total += u32::from(is_meant(run));
        sums.push(total);
    }
    sums
}

/// The pictures of a page that may be of the story, given which runs are hidden and which are chosen.
///
/// `before`: for each run how many chosen ones stand before it.
pub fn pictures(
    page: &Columns,
    hidden: &[u8],
    chosen: &[u8],
    before: &[u32],
    tags: &PictureTags,
) -> Vec<[i64; NUMBERS]> {
    let (tag, parent, first, last) = (page.tag(), page.parent(), page.first(), page.last());
    let is_chosen = |run: &usize| chosen[*run] != 0;
    let runs = page.runs();
    let (begin, end) = match ((0..runs).find(is_chosen), (0..runs).rfind(is_chosen)) {
        (Some(begin), Some(end)) if tag.contains(&tags.image) => (begin, end),
        _ => return Vec::new(),
    };
    // The figure around each element, and the first caption of each figure; 0 for none, which many pages have.
    let has_figures = tag.contains(&tags.figure);
    let elements = if has_figures { tag.len() } else { 1 };
    let (mut figures, mut captions) = (vec![0u32; elements], vec![0u32; elements]);
    for element in 1..elements {
        let is_figure = tag[element] == tags.figure;
        figures[element] = if is_figure { element as u32 } else { figures[parent[element] as usize] };
        let figure = figures[element] as usize;
        if tag[element] == tags.caption && figure > 0 && captions[figure] == 0 {
            captions[figure] = element as u32;
        }
    }
    let figure_of = |element: usize| if has_figures { figures[element] as usize } else { 0 };
    let outside = sums(runs, |run| figure_of(page.run_element(run)) == 0);
    // From where on nothing but hidden text and figures stands before the first chosen text.
    let is_seen = |run: &usize| hidden[*run] == 0 && figure_of(page.run_element(*run)) == 0;
    let leading = (0..begin).rfind(is_seen).map_or(0, |run| run + 1);
    let range = |element: usize| (first[element] as usize, last[element] as usize);
    let holds = |sums: &[u32], (first, last): (usize, usize)| sums[last] > sums[first];

    let mut found = Vec::new();
    for element in (1..tag.len()).filter(|&element| tag[element] == tags.image) {
        let figure = figure_of(element);
        let mut holder = parent[if figure > 0 { figure } else { element }].max(0) as usize;
        while holder > 0 && !holds(&outside, range(holder)) {
            holder = parent[holder] as usize;
        }
        let at = range(element).0;
        // Where the text goes on behind the picture: behind its figure, if it is in one.
        let behind = if figure > 0 { range(figure).1 } else { at };
        let is_page = [0, tags.html, tags.body].contains(&tag[holder]);
        let mut place = 0;
        if at > begin && at <= end {
            place |= BETWEEN;
        }
        if holds(before, range(holder)) {
            place |= BESIDE;
        }
        if behind <= begin && behind >= leading && !is_page {
            place |= LEADING;
        }
        let mut caption = (-1, -1);
        if captions[figure] > 0 {
            let runs = range(captions[figure] as usize);
            caption = (runs.0 as i64, runs.1 as i64);
            if holds(before, runs) {
                place |= CAPTIONED;
            }
        }
        if place & BETWEEN > 0 && place & BESIDE == 0 && figure == 0 && holder > 0 {
            // A box that holds a picture and its caption is as good as a figure.
            let (first, last) = range(holder);
            if page.text_end()[last - 1] - page.text_start()[first] > tags.longest {
                continue;
            }
            if before[first] >= tags.above && page.flags[first..last].iter().all(|&is_in_link| is_in_link == 0) {
                place |= BOXED;
            }
        } else if place & CAPTIONED == 0 && (place & BESIDE == 0 || place & (BETWEEN | LEADING) == 0) {
            continue;
        }
        found.push([element as i64, figure as i64, holder as i64, place, caption.0, caption.1]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{scan, Manner};
    use crate::samples::{tables, tag};

    #[test]
    fn pictures_stand_beside_chosen_text() {
        let tables = tables();
        let number = |name| i64::from(tag(&tables, name));
        let html = "<div><p>a</p><p><br>b</p></div><div><br></div>";
        let manner = Manner { most_tags: 1000, ..Manner::default() };
        let page = scan(html.as_bytes(), &tables, manner);
        let tags =
            PictureTags { image: number("br"), figure: -1, caption: -1, html: -1, body: -1, longest: 600, above: 4 };
        let found = pictures(&page, &[0, 0], &[1, 1], &[0, 1, 2], &tags);
        assert_eq!(found, [[4, 0, 3, BETWEEN | BESIDE, -1, -1]]); // the other is far from the text
        assert!(pictures(&page, &[0, 0], &[0, 0], &[0, 0, 0], &tags).is_empty());
    }
}
