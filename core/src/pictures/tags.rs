//! Reads the URLs of pictures from their start tags, and whether the pictures are hidden.

use std::collections::HashMap;

use crate::block_texts::{Reading, UNCLEAR};
use crate::cascade::Cascade;
use crate::item_numbers::integer;
use crate::matching::Tag;
use crate::pictures::PictureSettings;
use crate::sheet::Sheet;
use crate::start_tag::{attributes, ways_of_tag};
use crate::styles::{GONE, VISIBILITY};
use crate::tables::Tables;
use crate::units::{is_space, Unit};
use crate::written::Written;

/// Attributes for the URL of lazily loaded pictures, whose `src` is a placeholder.
const LATE: [&str; 15] = [
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-full-src",
    "data-lazy",
    "data-hi-res-src",
    "data-large-file",
    "data-orig-file",
    "data-src-large",
    "data-image",
    "data-image-src",
    "data-url",
    "data-echo",
    "data-defer-src",
    "data-flickity-lazyload",
];
const ADDRESS_SETS: [&str; 3] = ["data-srcset", "data-lazy-srcset", "srcset"];
/// A picture of at most this width or height is a tracking pixel; one of at most this width and height is an icon.
const DOT: i64 = 2;
const ICON: i64 = 48;
/// The maximum length of a size descriptor in a `srcset`, and the digits of its number that are read.
const LONGEST_DESCRIPTOR: usize = 64;
const MOST_DIGITS: usize = 9;

/// The possible URLs of a picture as the page has them, the best first, and its `alt`.
#[derive(Debug, PartialEq, Eq)]
pub struct PictureTag {
    pub urls: Vec<String>,
    pub alternative: String,
    /// The nearest ancestor with text, which may hide the picture as well; 0 if there is none.
    pub text_ancestor: usize,
}

impl PictureTag {
    /// Append the texts, `alt` first, and their number and ends.
    pub fn append(&self, numbers: &mut Vec<i64>, codes: &mut Vec<u32>) {
        numbers.push(self.urls.len() as i64);
        for text in std::iter::once(&self.alternative).chain(&self.urls) {
            codes.extend(text.chars().map(u32::from));
            numbers.push(codes.len() as i64);
        }
    }
}

/// A reader of the start tags of pictures of one page.
pub struct TagReader<'a, U: Unit> {
    written: Written<'a, U>,
    reading: &'a Reading<'a>,
    settings: PictureSettings<'a>,
    cascade: Cascade<'a>,
    /// By element without text whether it hides its contents.
    hiding: HashMap<usize, bool>,
}

impl<'a, U: Unit> TagReader<'a, U> {
    pub fn new(
        source: &'a [U],
        reading: &'a Reading<'a>,
        settings: PictureSettings<'a>,
        sheet: &'a Sheet,
        tables: &'a Tables,
    ) -> Self {
        let written = Written { source, tables };
        TagReader { written, reading, settings, cascade: Cascade::new(sheet), hiding: HashMap::new() }
    }

    /// Read the start tag of a picture. None for a tracking pixel or icon, and if the tag or an ancestor without text
    /// hides it.
    pub fn read(&mut self, element: usize) -> Option<PictureTag> {
        let mut tag = self.tag(element);
        let values = attributes(&tag, Some(self.written.tables));
        if is_pixel_or_icon(&values) {
            return None;
        }
        let urls = self.urls(element, &values);
        if urls.is_empty() {
            return None;
        }
        if let (Some(style), true) = (values.get("style"), LATE.iter().any(|name| values.get(name).is_some())) {
            tag = loaded_tag(&values, style); // a picture that fades in when it is loaded is visible
        }
        if self.is_hiding(&tag) {
            return None;
        }
        let page = self.reading.page;
        let mut ancestor = self.reading.parent(element);
        while ancestor > 0 && page.first()[ancestor] >= page.last()[ancestor] {
            let is_hiding = match self.hiding.get(&ancestor) {
                Some(&is_hiding) => is_hiding,
                None => {
                    let tag = self.tag(ancestor);
                    let is_hiding = self.reading.is(ancestor, UNCLEAR) || self.is_hiding(&tag);
                    self.hiding.insert(ancestor, is_hiding);
                    is_hiding
                }
            };
            if is_hiding {
                return None;
            }
            ancestor = self.reading.parent(ancestor);
        }
        let alternative = values.get("alt").unwrap_or_default().to_string();
        Some(PictureTag { urls, alternative, text_ancestor: ancestor })
    }

    fn tag(&self, element: usize) -> String {
        let mut tag = String::new();
        self.written.text(self.reading.page.tag_range(element), &mut tag);
        tag
    }

    fn is_hiding(&mut self, tag: &str) -> bool {
        ways_of_tag(tag, &mut self.cascade, self.written.tables).0 & (GONE | VISIBILITY) != 0
    }

    /// Return the possible URLs of a picture, the best first.
    fn urls(&self, element: usize, values: &Tag) -> Vec<String> {
        let mut urls: Vec<String> = LATE.iter().filter_map(|name| values.get(name)).map(str::to_string).collect();
        urls.extend(sets_of(values).filter_map(largest));
        let sources = self.sources(element);
        for source in &sources {
            urls.extend(sets_of(source).filter(|set| is_same_picture(source, set)).filter_map(largest));
        }
        urls.extend(values.get("src").map(str::to_string));
        urls.extend(sources.iter().flat_map(sets_of).filter_map(largest));
        // `{` marks a placeholder for a script, and `data:` a placeholder of thousands of characters.
        urls.retain(|url| !url.is_empty() && !url.contains('{') && !url.starts_with("data:"));
        urls
    }

    /// Return the `source` elements of the `picture` element around a picture.
    fn sources(&self, element: usize) -> Vec<Tag> {
        let (tag, parent) = (self.reading.page.tag(), self.reading.parent(element));
        if tag[parent] != self.settings.picture {
            return Vec::new();
        }
        let sources = (parent + 1..element).filter(|&inner| tag[inner] == self.settings.source);
        sources.map(|inner| attributes(&self.tag(inner), Some(self.written.tables))).collect()
    }
}

fn sets_of(values: &Tag) -> impl Iterator<Item = &str> {
    ADDRESS_SETS.iter().filter_map(move |name| values.get(name))
}

fn is_pixel_or_icon(values: &Tag) -> bool {
    let size = |name| values.get(name).and_then(integer);
    match (size("width"), size("height")) {
        (Some(width), Some(height)) => width <= DOT || height <= DOT || (width <= ICON && height <= ICON),
        (width, height) => width.or(height).map_or(false, |size| size <= DOT),
    }
}

/// Whether a `source` offers the same picture in other sizes: not cropped for a screen, nor in a newer format.
fn is_same_picture(source: &Tag, set: &str) -> bool {
    let is_usual_type = matches!(source.get("type"), None | Some("image/jpeg" | "image/png"));
    set.trim_matches(is_white).contains(' ') && source.get("media").is_none() && is_usual_type
}

fn is_white(letter: char) -> bool {
    is_space(u32::from(letter))
}

/// Return the start tag of a lazily loaded picture without the opacity that scripts remove.
fn loaded_tag(values: &Tag, style: &str) -> String {
    let mut tag = String::from("<img");
    for (name, value) in &values.attributes {
        let value = if name == "style" { without_opacity(style) } else { value.clone() };
        tag.extend([" ", name, "=\"", &value.replace('&', "&amp;").replace('"', "&quot;"), "\""]);
    }
    tag.push('>');
    tag
}

/// Remove declarations of an opacity of zero.
fn without_opacity(style: &str) -> String {
    const NAME: &str = "opacity";
    let small = style.to_ascii_lowercase();
    let (mut text, mut start, mut from) = (String::new(), 0, 0);
    while let Some(place) = small[from..].find(NAME) {
        let begin = from + place;
        from = begin + NAME.len();
        let is_part = |letter: char| letter == '-' || letter == '_' || letter.is_alphanumeric();
        let value = small[from..].trim_start_matches(is_white);
        let value = match value.strip_prefix(':') {
            Some(value) if !small[..begin].ends_with(is_part) => value.trim_start_matches(is_white),
            _ => continue,
        };
        let rest = value.trim_start_matches(['0', '.']);
        if rest.len() < value.len() {
            text.push_str(&style[start..begin]);
            start = style.len() - rest.strip_prefix('%').unwrap_or(rest).len();
            from = start;
        }
    }
    text.push_str(&style[start..]);
    text
}

/// Return the URL of the largest picture of a `srcset`, the first of equals (HTML standard 4.8.4.3.9: a URL may contain
/// commas but not end with one).
fn largest(srcset: &str) -> Option<String> {
    let mut best: Option<(&str, f64)> = None;
    let mut rest = srcset;
    loop {
        rest = rest.trim_start_matches(|letter| is_white(letter) || letter == ',');
        if rest.is_empty() {
            return best.map(|(url, _)| url.to_string());
        }
        let (mut url, following) = rest.split_at(rest.find(is_white).unwrap_or(rest.len()));
        rest = following;
        let mut size = 1.0;
        if url.ends_with(',') {
            url = url.trim_end_matches(',');
        } else {
            let limit = rest.char_indices().nth(LONGEST_DESCRIPTOR).map_or(rest.len(), |(place, _)| place);
            let end = rest[..limit].find(',').unwrap_or(limit);
            size = size_in(rest[..end].trim_end_matches(is_white)).unwrap_or(size);
            rest = &rest[end..];
        }
        if !url.is_empty() && best.map_or(true, |(_, most)| size > most) {
            best = Some((url, size));
        }
    }
}

/// Return the number at the end of a size descriptor such as `640w` or `1.5x`.
fn size_in(descriptor: &str) -> Option<f64> {
    let number = descriptor.strip_suffix(['w', 'x'])?;
    let digits_before = |end: usize| number[..end].bytes().rev().take_while(u8::is_ascii_digit).count();
    let digits = digits_before(number.len());
    let mut start = number.len() - digits.min(MOST_DIGITS);
    if (1..=MOST_DIGITS).contains(&digits) && number[..start].ends_with('.') {
        let whole = digits_before(start - 1).min(MOST_DIGITS);
        start -= if whole > 0 { whole + 1 } else { 0 };
    }
    number[start..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{scan, Manner};
    use crate::pictures::SETTINGS;
    use crate::samples::tables;
    use crate::tag_words::TagWords;

    fn read(html: &str, element: usize) -> Option<PictureTag> {
        let (tables, sheet, galleries) = (tables(), Sheet::new(""), TagWords::new(&[b"gallery"]).expect("a word"));
        let page = scan(html.as_bytes(), &tables, Manner { most_tags: 1000, ..Manner::default() });
        let reading = Reading { page: &page, sets: &[] };
        let settings = PictureSettings::new([-1; SETTINGS], b"", &galleries);
        let mut reader = TagReader::new(html.as_bytes(), &reading, settings, &sheet, &tables);
        reader.read(element)
    }

    #[test]
    fn urls_are_in_order_of_preference() {
        let tag = read("<p>a<br SRC=x?b&amp;c alt = 'a b' src=y srcset='d, e 2x' data-url=f data-src={g}>", 2);
        let urls = ["f", "e", "x?b&c"].map(String::from).to_vec();
        assert_eq!(tag, Some(PictureTag { urls, alternative: "a b".into(), text_ancestor: 1 }));
        assert_eq!(read("<p>a<br alt=b src=data:c>", 2), None);
    }

    #[test]
    fn pixels_icons_and_hidden_pictures_are_left_out() {
        for (attributes, is_picture) in [
            ("width=1", false),
            ("width=48 height=40", false),
            ("width=48 height=49", true),
            ("width='' height=10%", true),
            ("hidden", false),
            ("style='visibility: hidden'", false),
            ("data-src=a style='opacity: 0'", true),
            ("data-src=a style='display: none; opacity: 0'", false),
        ] {
            let html = format!("<p>a<br src=b {}>", attributes);
            assert_eq!(read(&html, 2).is_some(), is_picture, "{}", attributes);
        }
        assert_eq!(read("<p>a<p hidden><br src=b>", 3), None);
    }

    #[test]
    fn an_opacity_of_zero_is_removed() {
        for (style, expected) in [
            ("opacity:0", ""),
            ("a:b; Opacity : 0.00%;c:d", "a:b; ;c:d"),
            ("fill-opacity:0", "fill-opacity:0"),
            ("opacity:1;opacity:.0", "opacity:1;"),
            ("opacity", "opacity"),
        ] {
            assert_eq!(without_opacity(style), expected);
        }
    }

    #[test]
    fn the_largest_picture_of_a_set_is_chosen() {
        for (srcset, url) in [
            ("a 1x, b 2x", Some("b")),
            ("a, b", Some("a")),
            ("a 100w,b 200w", Some("b")),
            ("w_300,h_2/a.png 300w, w_600,h_4/a.png 600w", Some("w_600,h_4/a.png")),
            ("a 1.5x, b 1x", Some("a")),
            ("a 0.5x, b 0.9x", Some("b")),
            ("a 1w 2h, b 2w", Some("b")),
            ("a 2w b 3w", Some("a")),
            ("", None),
            (" , ", None),
            (&format!("a {}w, b 2w", "1".repeat(1000)), Some("b")),
        ] {
            assert_eq!(largest(srcset).as_deref(), url, "{}", srcset);
        }
    }

    #[test]
    fn at_most_nine_digits_of_a_size_are_read() {
        for (descriptor, size) in [
            (" 640w", Some(640.0)),
            ("1.5x", Some(1.5)),
            (".5x", Some(5.0)),
            ("12345678901w", Some(345_678_901.0)),
            ("1.1234567890x", Some(234_567_890.0)),
            ("x", None),
            ("2h", None),
        ] {
            assert_eq!(size_in(descriptor), size, "{}", descriptor);
        }
    }
}
