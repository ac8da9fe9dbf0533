//! When a condition of a style sheet holds on the screens that people read with (`tidings.page.style_sheet`).

use crate::lengths::{folded, lower, pixels, strip, words};

/// When a condition holds: on no screen, on some (or nobody knows), on all.
pub const NEVER: i8 = 0;
pub const SOMETIMES: i8 = 1;
pub const ALWAYS: i8 = 2;
/// Inside another rule: about something in an element.
pub const NESTED: i8 = -1;

const LONGEST_QUERY: usize = 500;
/// Widths, in pixels, of the screens that people read with.
const SCREENS: [f64; 6] = [320.0, 375.0, 768.0, 1024.0, 1366.0, 1920.0];

/// When what is inside a block holds.
pub fn condition(prelude: &str) -> i8 {
    if !prelude.starts_with('@') {
        return NESTED;
    }
    let (name, rest) = prelude.split_once(' ').unwrap_or((prelude, ""));
    let name = lower(name);
    match name.split('(').next().unwrap_or("") {
        "@layer" => ALWAYS,
        "@supports" if lower(rest).contains("not") => SOMETIMES,
        "@supports" => ALWAYS,
        "@media" => media_holds(&prelude["@media".len()..]),
        "@container" => SOMETIMES,
        _ => NEVER,
    }
}

/// When a media query, as of `@media` or of the `media` attribute, holds.
pub fn media_holds(query: &str) -> i8 {
    if query.chars().count() > LONGEST_QUERY {
        return SOMETIMES;
    }
    query.split(',').map(|one| one_holds(&folded(one))).max().unwrap_or(ALWAYS)
}

fn one_holds(query: &str) -> i8 {
    let query = query.strip_prefix("only ").unwrap_or(query);
    if matches!(query, "" | "all" | "screen" | "not print" | "not speech") {
        return ALWAYS;
    }
    let kind = query.split(' ').next().unwrap_or("");
    let is_elsewhere = matches!(
        kind,
        "print" | "speech" | "tty" | "tv" | "projection" | "handheld" | "braille" | "embossed" | "aural"
    );
    if is_elsewhere || matches!(query, "not all" | "not screen") {
        return NEVER;
    }
    let mut rest = query.to_string();
    let mut fits = [true; SCREENS.len()];
    let features = brackets(query);
    let widths = features.iter().filter_map(|feature| width(feature).map(|told| (feature, told)));
    let ranges = features.iter().filter_map(|feature| range(feature).map(|told| (feature, told)));
    for (feature, (is_least, length)) in widths.chain(ranges) {
        let width = match pixels(length) {
            Some(width) => width,
            None => return SOMETIMES,
        };
        for (fit, &screen) in fits.iter_mut().zip(&SCREENS) {
            *fit &= if is_least { screen >= width } else { screen <= width };
        }
        rest = rest.replace(feature, "");
    }
    let is_negated = words(&rest).any(|word| word == "not");
    let is_unknown = rest.contains('(') || is_negated;
    if !fits.contains(&true) {
        return if is_negated { SOMETIMES } else { NEVER };
    }
    if fits.contains(&false) || is_unknown {
        SOMETIMES
    } else {
        ALWAYS
    }
}

/// Brackets with no others in them.
fn brackets(query: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, byte) in query.bytes().enumerate() {
        match (byte, start) {
            (b'(', _) => start = Some(at),
            (b')', Some(from)) => {
                found.push(&query[from..=at]);
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Whether `(min-width: 600px)` and the like ask for a least width, and that width.
fn width(feature: &str) -> Option<(bool, &str)> {
    let inner = strip(&feature[1..feature.len() - 1]);
    let (is_least, rest) = match inner.strip_prefix("min-") {
        Some(rest) => (true, rest),
        None => (false, inner.strip_prefix("max-")?),
    };
    let rest = rest.strip_prefix("device-").unwrap_or(rest).strip_prefix("width")?;
    one_word(rest.trim_start_matches(' ').strip_prefix(':')?).map(|length| (is_least, length))
}

/// The same of `(width >= 600px)`.
fn range(feature: &str) -> Option<(bool, &str)> {
    let rest = strip(&feature[1..feature.len() - 1]).strip_prefix("width")?.trim_start_matches(' ');
    let (is_least, rest) = match rest.strip_prefix('>') {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix('<')?),
    };
    one_word(rest.strip_prefix('=').unwrap_or(rest)).map(|length| (is_least, length))
}

fn one_word(text: &str) -> Option<&str> {
    let text = strip(text);
    if text.is_empty() || text.contains(' ') {
        None
    } else {
        Some(text)
    }
}
