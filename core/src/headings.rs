//! The first headings of a page (`tidings.fields.title_candidates`).

use crate::columns::Columns;

/// Numbers of each heading: which of the tags it has; the element; its first run and the one behind the last; where its
/// text begins and ends; how many of its runs nobody sees; whether the first is in a link; whether it stands in one of
/// some elements.
pub const NUMBERS: usize = 9;

/// The first headings with text of each of some tags, of each as many as are wanted, in document order.
pub fn headings(page: &Columns, hidden: &[u8], wanted: &[(i64, usize)], around: &[i64]) -> Vec<i64> {
    let (tags, first, last) = (page.tag(), page.first(), page.last());
    let mut room: Vec<usize> = wanted.iter().map(|&(_, most)| most).collect();
    let mut found = Vec::new();
    for (element, own) in tags.iter().enumerate() {
        let which = match wanted.iter().position(|(tag, _)| tag == own) {
            Some(which) if room[which] > 0 && first[element] < last[element] => which,
            _ => continue,
        };
        room[which] -= 1;
        let (begin, behind) = (first[element] as usize, last[element] as usize);
        let unseen = hidden[begin..behind].iter().filter(|&&is_hidden| is_hidden != 0).count();
        let told: [i64; NUMBERS] = [
            which as i64,
            element as i64,
            first[element],
            last[element],
            page.text_start()[begin],
            page.text_end()[behind - 1],
            unseen as i64,
            i64::from(page.flags[begin] != 0),
            i64::from(is_inside(page, element, around)),
        ];
        found.extend(told);
    }
    found
}

/// Whether an element stands in one of some tags.
fn is_inside(page: &Columns, element: usize, around: &[i64]) -> bool {
    let mut at = page.parent()[element];
    while at > 0 {
        if around.contains(&page.tag()[at as usize]) {
            return true;
        }
        at = page.parent()[at as usize];
    }
    false
}
