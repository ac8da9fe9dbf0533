//! Evaluates `@media` and other conditions of style sheets for common screens.

use crate::lengths::{folded, is_name_byte, lower, pixels, strip, words};
use crate::math::calculated;
use crate::supports::supports;

/// When a condition holds: on no screen, on some screens or unknown, on all.
pub const NEVER: i8 = 0;
pub const SOMETIMES: i8 = 1;
pub const ALWAYS: i8 = 2;

const LONGEST_QUERY: usize = 500;
/// Widths of common screens, in pixels.
const SCREENS: [f64; 6] = [320.0, 375.0, 768.0, 1024.0, 1366.0, 1920.0];

/// Return when the contents of an at-rule hold.
pub fn condition(prelude: &str) -> i8 {
    let end = 1 + prelude[1..].bytes().take_while(|&byte| is_name_byte(byte)).count();
    let (name, rest) = (lower(&prelude[..end]), &prelude[end..]);
    match &*name {
        "@supports" if supports(rest) => ALWAYS,
        "@media" => media_holds(rest),
        "@container" => container_holds(rest),
        // A comment between the two is gone: `@media/**/screen`.
        name => match name.strip_prefix("@media") {
            Some(kind) => media_holds(&format!("{}{}", kind, rest)),
            None => NEVER,
        },
    }
}

/// When a media query, as of `@media` or of the `media` attribute, holds.
pub fn media_holds(query: &str) -> i8 {
    if query.chars().count() > LONGEST_QUERY {
        return SOMETIMES;
    }
    let parts: Vec<String> = query.split(',').map(folded).collect();
    // Pairs of which exactly one holds.
    let has = |name: &str| parts.iter().any(|part| part.replace(' ', "") == name);
    for (first, second) in [("(orientation:landscape)", "(orientation:portrait)"), ("(hover:hover)", "(hover:none)")] {
        if has(first) && has(second) {
            return ALWAYS;
        }
    }
    parts.iter().map(|part| query_holds(part)).max().unwrap_or(ALWAYS)
}

/// Return when a container query holds: boxes for text have at least LEAST pixels.
fn container_holds(query: &str) -> i8 {
    const LEAST: f64 = 200.0;
    let query = folded(query);
    let features = brackets(&query);
    let is_small = |feature: &&str| {
        let condition = width(feature).or_else(|| range(feature));
        matches!(condition, Some((true, length)) if pixels(length).map_or(false, |length| length <= LEAST))
    };
    if !features.is_empty() && features.iter().all(is_small) && !query.contains("not") {
        ALWAYS
    } else {
        SOMETIMES
    }
}

fn query_holds(query: &str) -> i8 {
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
    let query = &*calculated(&query.replace("(color)", ""));
    let mut rest = query.to_string();
    let mut fits = [true; SCREENS.len()];
    let features = brackets(query);
    let widths = features.iter().filter_map(|feature| width(feature).map(|condition| (feature, condition)));
    let ranges = features.iter().filter_map(|feature| range(feature).map(|condition| (feature, condition)));
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
    let mut features = Vec::new();
    let mut start = None;
    for (at, byte) in query.bytes().enumerate() {
        match (byte, start) {
            (b'(', _) => start = Some(at),
            (b')', Some(from)) => {
                features.push(&query[from..=at]);
                start = None;
            }
            _ => {}
        }
    }
    features
}

/// Whether `(min-width: 600px)` and the like ask for a least width, and that width.
fn width(feature: &str) -> Option<(bool, &str)> {
    let inner = strip(&feature[1..feature.len() - 1]);
    let (is_least, rest) = match inner.strip_prefix("min-") {
        Some(rest) => (true, rest),
        None => (false, inner.strip_prefix("max-")?),
    };
    let rest = rest.strip_prefix("device-").unwrap_or(rest).strip_prefix("width")?;
    single_word(rest.trim_start_matches(' ').strip_prefix(':')?).map(|length| (is_least, length))
}

/// The same of `(width >= 600px)`; of `(1px <= width <= 600px)` the upper bound.
fn range(feature: &str) -> Option<(bool, &str)> {
    let (lower, feature) = match feature.split_once("width") {
        Some((before, _)) if before.contains('<') => (Some(before), &feature[before.len() - 1..]),
        _ => (None, feature),
    };
    if let Some(lower) = lower {
        let lower = lower[1..].trim_end_matches(&[' ', '=', '<'][..]);
        if pixels(strip(lower)).map_or(true, |length| length > SCREENS[0]) {
            return None;
        }
    }
    let rest = strip(&feature[1..feature.len() - 1]).strip_prefix("width")?.trim_start_matches(' ');
    let (is_least, rest) = match rest.strip_prefix('>') {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix('<')?),
    };
    single_word(rest.strip_prefix('=').unwrap_or(rest)).map(|length| (is_least, length))
}

fn single_word(text: &str) -> Option<&str> {
    let text = strip(text);
    if text.is_empty() || text.contains(' ') {
        None
    } else {
        Some(text)
    }
}
