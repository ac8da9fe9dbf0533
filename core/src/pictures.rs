//! Locates the pictures of a page or fragment in relation to the selected text (`tidings.article.pictures.select`).

pub mod fragment;
pub mod tags;

use crate::columns::Columns;
use crate::needles::Word;
use crate::start_tag::each_attribute;
use crate::tag_words::TagWords;
use crate::units::{is_blank, Unit};
use crate::written::Written;

/// Numbers in `PictureSettings`.
pub const SETTINGS: usize = 11;

/// Tags and limits for pictures (`tidings.article.units.article_tables`).
#[derive(Clone, Copy)]
pub struct PictureSettings<'a> {
    pub image: i64,
    pub figure: i64,
    pub caption: i64,
    pub html: i64,
    pub body: i64,
    pub picture: i64,
    pub source: i64,
    pub longest_caption: i64,
    /// Selected runs above a picture whose caption is only text in the same box.
    pub runs_above: u32,
    /// The maximum distance of a caption without a figure: in ancestors, and in elements.
    pub ancestors: usize,
    pub elements: usize,
    /// Words of picture credits, one per line.
    pub credits: &'a [u8],
    /// Words in start tags of galleries.
    pub galleries: &'a TagWords,
}

impl<'a> PictureSettings<'a> {
    pub fn new(numbers: [i64; SETTINGS], credits: &'a [u8], galleries: &'a TagWords) -> Self {
        let [image, figure, caption, html, body, picture, source, longest_caption, above, ancestors, elements] =
            numbers;
        PictureSettings {
            image,
            figure,
            caption,
            html,
            body,
            picture,
            source,
            longest_caption,
            runs_above: above as u32,
            ancestors: ancestors as usize,
            elements: elements as usize,
            credits,
            galleries,
        }
    }
}

/// Between the first and the last selected run; next to selected text; just before the first; with a selected caption.
pub const BETWEEN: i64 = 1;
pub const BESIDE: i64 = 2;
pub const LEADING: i64 = 4;
pub const CAPTIONED: i64 = 8;
/// In a box in the story whose text without links may be its caption.
const BOXED: i64 = 16;
/// Numbers of a location for the caller.
pub const LOCATION_NUMBERS: usize = 8;
const NO_RUNS: (i64, i64) = (-1, -1);

/// The location of a picture.
#[derive(Debug, PartialEq, Eq)]
pub struct PictureLocation {
    pub element: usize,
    /// 0 if there is none.
    pub figure: usize,
    /// The nearest ancestor with text.
    pub holder: usize,
    pub relation: i64,
    /// The runs of the caption of the figure, and of an element named after captions next to the picture; -1 if there
    /// are none.
    pub caption: (i64, i64),
    pub neighbour: (i64, i64),
}

impl PictureLocation {
    pub fn numbers(&self) -> [i64; LOCATION_NUMBERS] {
        let (caption, neighbour) = (self.caption, self.neighbour);
        let [element, figure, holder] = [self.element, self.figure, self.holder].map(|number| number as i64);
        [element, figure, holder, self.relation, caption.0, caption.1, neighbour.0, neighbour.1]
    }
}

/// For each run the number of marked runs before it.
pub fn prefix_sums(count: usize, is_marked: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut total = 0;
    let mut sums = Vec::with_capacity(count + 1);
    sums.push(0);
    for run in 0..count {
        total += u32::from(is_marked(run));
        sums.push(total);
    }
    sums
}

/// Return the pictures that may belong to the story, in document order.
///
/// `hidden` and `selected` are flags by run, `before` the number of selected runs before each run.
pub fn locate<U: Unit>(
    written: &Written<U>,
    page: &Columns,
    hidden: &[u8],
    selected: &[u8],
    before: &[u32],
    settings: &PictureSettings,
) -> Vec<PictureLocation> {
    let (tag, parent, first, last) = (page.tag(), page.parent(), page.first(), page.last());
    let is_selected = |run: &usize| selected[*run] != 0;
    let runs = page.runs();
    let (begin, end) = match ((0..runs).find(is_selected), (0..runs).rfind(is_selected)) {
        (Some(begin), Some(end)) if tag.contains(&settings.image) => (begin, end),
        _ => return Vec::new(),
    };
    // The figure around each element, and the first caption of each figure. Most pages have no figures.
    let has_figures = tag.contains(&settings.figure);
    let elements = if has_figures { tag.len() } else { 1 };
    let (mut figures, mut captions) = (vec![0u32; elements], vec![0u32; elements]);
    for element in 1..elements {
        let is_figure = tag[element] == settings.figure;
        figures[element] = if is_figure { element as u32 } else { figures[parent[element] as usize] };
        let figure = figures[element] as usize;
        if tag[element] == settings.caption && figure > 0 && captions[figure] == 0 {
            captions[figure] = element as u32;
        }
    }
    let figure_of = |element: usize| if has_figures { figures[element] as usize } else { 0 };
    let outside = prefix_sums(runs, |run| figure_of(page.run_element(run)) == 0);
    // From this run on, only hidden text and figures come before the first selected run.
    let is_visible = |run: &usize| hidden[*run] == 0 && figure_of(page.run_element(*run)) == 0;
    let leading = (0..begin).rfind(is_visible).map_or(0, |run| run + 1);
    let range = |element: usize| (first[element] as usize, last[element] as usize);
    let has_some = |sums: &[u32], (first, last): (usize, usize)| sums[last] > sums[first];

    let mut locations = Vec::new();
    for element in (1..tag.len()).filter(|&element| tag[element] == settings.image) {
        let figure = figure_of(element);
        let mut holder = parent[if figure > 0 { figure } else { element }].max(0) as usize;
        while holder > 0 && !has_some(&outside, range(holder)) {
            holder = parent[holder] as usize;
        }
        let run = range(element).0;
        // The run after the picture, or after its figure.
        let following = if figure > 0 { range(figure).1 } else { run };
        let is_page = [0, settings.html, settings.body].contains(&tag[holder]);
        let mut relation = 0;
        if run > begin && run <= end {
            relation |= BETWEEN;
        }
        if has_some(before, range(holder)) {
            relation |= BESIDE;
        }
        if following <= begin && following >= leading && !is_page {
            relation |= LEADING;
        }
        let mut caption = NO_RUNS;
        if captions[figure] > 0 {
            let runs = range(captions[figure] as usize);
            caption = (runs.0 as i64, runs.1 as i64);
            if has_some(before, runs) {
                relation |= CAPTIONED;
            }
        }
        if relation & BETWEEN > 0 && relation & BESIDE == 0 && figure == 0 && holder > 0 {
            // A box with a picture and its caption is treated as a figure.
            let (first, last) = range(holder);
            if page.text_end()[last - 1] - page.text_start()[first] > settings.longest_caption {
                continue;
            }
            if before[first] >= settings.runs_above && page.flags[first..last].iter().all(|&in_link| in_link == 0) {
                relation |= BOXED;
            }
        } else if relation & CAPTIONED == 0 && (relation & BESIDE == 0 || relation & (BETWEEN | LEADING) == 0) {
            continue;
        }
        let neighbour = neighbour_caption(written, page, element, settings);
        locations.push(PictureLocation { element, figure, holder, relation, caption, neighbour });
    }
    locations
}

/// Return the runs of the element next to a picture with "caption" in its class names or id.
fn neighbour_caption<U: Unit>(
    written: &Written<U>,
    page: &Columns,
    element: usize,
    settings: &PictureSettings,
) -> (i64, i64) {
    let tag = page.tag();
    let limit = (element + settings.elements).min(tag.len());
    let (mut ancestor, mut inner) = (element, element + 1);
    for _ in 0..settings.ancestors {
        ancestor = page.parent()[ancestor].max(0) as usize;
        if ancestor == 0 || [0, settings.html, settings.body].contains(&tag[ancestor]) {
            return NO_RUNS;
        }
        while inner < limit && page.element_start()[inner] < page.element_end()[ancestor] {
            if tag[inner] == settings.image {
                return NO_RUNS;
            }
            if page.first()[inner] < page.last()[inner] && is_named_caption(written, page.tag_range(inner)) {
                return (page.first()[inner], page.last()[inner]);
            }
            inner += 1;
        }
    }
    NO_RUNS
}

fn is_named_caption<U: Unit>(written: &Written<U>, range: (usize, usize)) -> bool {
    let word = Word::new(b"caption");
    let tag = &written.source[range.0..range.1];
    let name = tag.iter().take_while(|&&unit| !is_blank(unit)).count();
    if !word.is_in(&tag[name..]) {
        return false; // the common case
    }
    let (mut text, mut is_named) = (String::new(), false);
    written.text(range, &mut text);
    each_attribute(&text, |name, value| {
        let is_name = name.eq_ignore_ascii_case(b"class") || name.eq_ignore_ascii_case(b"id");
        is_named |= is_name && word.is_in(value.as_bytes());
    });
    is_named
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{scan, Manner};
    use crate::samples::{tables, tag};

    #[test]
    fn pictures_next_to_selected_text_are_located() {
        let tables = tables();
        let number = |name| i64::from(tag(&tables, name));
        let html = "<div><p>a</p><p><br>b</p></div><div><br></div>";
        let manner = Manner { most_tags: 1000, ..Manner::default() };
        let page = scan(html.as_bytes(), &tables, manner);
        let galleries = TagWords::new(&[b"gallery"]).expect("a word");
        let numbers = [number("br"), -1, -1, -1, -1, -1, -1, 600, 4, 3, 24];
        let settings = PictureSettings::new(numbers, b"", &galleries);
        let locate = |selected: &[u8], before: &[u32]| {
            let written = Written { source: html.as_bytes(), tables: &tables };
            locate(&written, &page, &[0, 0], selected, before, &settings)
        };
        let locations = locate(&[1, 1], &[0, 1, 2]);
        let relation = BETWEEN | BESIDE;
        let expected =
            PictureLocation { element: 4, figure: 0, holder: 3, relation, caption: NO_RUNS, neighbour: NO_RUNS };
        assert_eq!(locations, [expected]); // the other is far from the text
        assert!(locate(&[0, 0], &[0, 0, 0]).is_empty());
    }
}
