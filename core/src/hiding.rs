//! What declarations hide (`tidings.page.styles`).

use crate::lengths::{alpha, calls, colour, is_global, names_size, pixels, share, strip, words};
use crate::styles::{is_clipping, sides, Declared, Style, FILL, GONE, INDENT, INK, SAME, SIDES, SIZE, VISIBILITY};

const FAR: f64 = 999.0;
const FAR_SHARE: f64 = 1000.0;
const TINY: f64 = 1.0;
const FAINT: f64 = 0.02;
const TINY_SHARE: f64 = 10.0;

/// The ways in which an element of that name is hidden, and those of an element around it that it takes back.
///
/// `is_moving` tells the names of animations that the page has: what one of them moves will be seen.
pub fn hiding(style: &Style, name: &str, is_moving: impl Fn(&str) -> bool) -> (u8, u8) {
    if style.is_empty() {
        return (0, 0);
    }
    let is_gone = style.get("display") == Some("none") && !opens(style);
    if is_gone || style.get("content-visibility") == Some("hidden") {
        return (GONE, 0);
    }
    let mut hidden = if is_far(style) || is_empty(style, name) { GONE } else { 0 };
    let visibility = style.said("visibility");
    // An animation ends with what it moves in sight.
    if !words(style.said("animation")).any(is_moving) {
        if is_transparent(style) || is_moved_away(style) || is_clipped(style) {
            hidden |= GONE;
        }
        if matches!(visibility, "hidden" | "collapse") {
            hidden |= VISIBILITY;
        }
    }
    let mut shown = if matches!(visibility, "visible" | "initial") { VISIBILITY } else { 0 };
    for (way, is_hidden) in [(SIZE, is_tiny(style)), (INDENT, is_indented(style)), (INK, has_no_ink(style))] {
        match is_hidden {
            Some(true) => hidden |= way,
            Some(false) => shown |= way,
            None => {}
        }
    }
    (hidden, shown)
}

/// Whether a block hides its element by itself.
pub fn hides(block: &Declared) -> bool {
    hiding(&block.all(), "", |_| false).0 != 0
}

fn is_tiny(style: &Style) -> Option<bool> {
    let size = style.get("font-size")?;
    let yes = |is_tiny: bool| if is_tiny { Some(true) } else { None };
    match (pixels(size), share(size)) {
        (Some(length), _) if size.ends_with("rem") || !size.ends_with("em") => Some(length <= TINY),
        // Of what is around, which may be tiny itself.
        (Some(length), _) => yes(length <= TINY_SHARE * 0.16),
        (None, Some(share)) => yes(share * 0.16 <= TINY_SHARE * 0.16),
        (None, None) if names_size(size) || size == "initial" => Some(false),
        (None, None) => None,
    }
}

fn is_transparent(style: &Style) -> bool {
    let is_faint = |value: &str| alpha(value).map_or(false, |opaque| opaque <= FAINT);
    style.get("opacity").map_or(false, is_faint)
        || calls(style.said("filter")).iter().any(|(name, inner, ..)| *name == "opacity" && is_faint(strip(inner)))
}

/// The colour of letters; an empty one counts as none.
fn ink(style: &Style) -> Option<&str> {
    style.get(FILL).filter(|fill| !fill.is_empty()).or_else(|| style.get("color"))
}

fn has_no_ink(style: &Style) -> Option<bool> {
    let ink = ink(style)?;
    Some(match colour(ink) {
        Some((_, opaque)) if style.get("background-clip") != Some("text") => {
            opaque <= FAINT || style.get(SAME) == Some("yes")
        }
        _ => false,
    })
}

/// Whether one block gives letters and background the same colour.
pub fn is_same_colour(style: &Style) -> bool {
    let value = ink(style).unwrap_or("");
    if value == "currentcolor" || style.get("background-image").unwrap_or("none") != "none" {
        return false;
    }
    match (colour(value), colour(style.said("background-color"))) {
        (Some((ink, _)), Some((ground, opaque))) => ink == ground && opaque > FAINT,
        _ => false,
    }
}

/// Whether a length leads out of the window: backwards, or in either direction.
fn is_away(value: &str, forward: bool) -> bool {
    if value.is_empty() {
        return false;
    }
    match (pixels(value), share(value)) {
        (Some(length), _) => length <= -FAR || (forward && length >= FAR),
        (None, Some(share)) => share <= -FAR_SHARE || (forward && share >= FAR_SHARE),
        (None, None) => false,
    }
}

fn is_far(style: &Style) -> bool {
    if style.get("position") != Some("static")
        && (SIDES.iter().any(|side| is_away(style.said(side), false)) || is_away(style.said("left"), true))
    {
        return true;
    }
    is_away(style.said("margin-left"), false) || is_away(style.said("margin-top"), false)
}

fn is_indented(style: &Style) -> Option<bool> {
    let first = style.get("text-indent")?.split(' ').next().unwrap_or("");
    // Text is moved out of sight, or out of a box that shows nothing outside itself.
    let is_out = || share(first).map_or(false, |share| share.abs() >= 100.0) && is_clipping(style.get("overflow-x"));
    Some(is_away(first, true) || is_out())
}

fn is_moved_away(style: &Style) -> bool {
    if ["transform", "translate", "scale", "rotate"].iter().all(|name| style.get(name).is_none()) {
        return false;
    }
    let transform = style.said("transform").to_string();
    let mut moves: Vec<(String, String)> = Vec::new();
    moves.extend(calls(&transform).iter().map(|(name, inner, ..)| (name.to_string(), inner.replace(',', " "))));
    for name in ["translate", "scale"] {
        moves.extend(style.get(name).map(|value| (name.to_string(), value.to_string())));
    }
    if let Some(value) = style.get("rotate") {
        let parts: Vec<&str> = words(value).collect();
        let axis = if parts.len() == 2 { parts[0] } else { "" };
        moves.push((format!("rotate{}", axis), parts.last().map_or(String::new(), |angle| angle.to_string())));
    }
    moves.iter().any(|(name, inner)| leads_away(name, &words(inner).collect::<Vec<_>>()))
}

fn leads_away(name: &str, parts: &[&str]) -> bool {
    if name.starts_with("translate") {
        return parts.iter().any(|part| is_away(part, true));
    }
    if name.starts_with("scale") {
        return parts.iter().any(|part| alpha(part) == Some(0.0));
    }
    if matches!(name, "matrix" | "matrix3d") {
        let numbers: Vec<f64> = parts.iter().map(|part| alpha(part).unwrap_or(0.0)).collect();
        return match numbers.len() {
            6 => numbers[0] * numbers[3] == numbers[1] * numbers[2],
            16 => numbers[0] == 0.0 && numbers[1] == 0.0,
            _ => false,
        };
    }
    matches!(name, "rotatex" | "rotatey")
        && matches!(parts.first(), Some(&("90deg" | "-90deg" | "270deg" | ".25turn" | "100grad")))
}

fn is_clipped(style: &Style) -> bool {
    let is_rect = |inner: &str| {
        let inner = inner.replace(',', " ");
        let edges: Vec<Option<f64>> = words(&inner).map(pixels).collect();
        let is_thin = |begin: Option<f64>, end: Option<f64>| end.map_or(false, |end| end - begin.unwrap_or(0.0) <= 1.0);
        edges.len() == 4 && (is_thin(edges[0], edges[2]) || is_thin(edges[3], edges[1]))
    };
    calls(style.said("clip")).iter().any(|(name, inner, ..)| *name == "rect" && is_rect(inner))
        || calls(style.said("clip-path")).iter().any(|(name, inner, ..)| leaves_nothing(name, inner))
}

fn leaves_nothing(shape: &str, inner: &str) -> bool {
    let parts: Vec<&str> = words(inner.split(" round ").next().unwrap_or("")).collect();
    match shape {
        "inset" => {
            sides(&parts).map_or(false, |[top, right, bottom, left]| is_all_cut(top, bottom) || is_all_cut(left, right))
        }
        "circle" | "ellipse" => is_zero(parts.first().copied()),
        "polygon" => {
            let points = inner.split(',').map(|point| words(point).collect::<Vec<_>>());
            let mut points: Vec<Vec<&str>> = points.filter(|point| point.len() == 2).collect();
            let is_line = |axis: usize| points.windows(2).all(|two| two[0][axis] == two[1][axis]);
            if is_line(0) || is_line(1) {
                return true;
            }
            points.sort_unstable();
            points.dedup();
            points.len() <= 2
        }
        _ => false,
    }
}

/// Whether nothing is left between two edges of a box.
fn is_all_cut(before: &str, behind: &str) -> bool {
    let part = |edge| match pixels(edge) {
        Some(length) if length >= FAR => 100.0,
        _ => share(edge).unwrap_or(0.0),
    };
    part(before) + part(behind) >= 100.0
}

/// Whether elements of that name grow with what they hold.
pub fn grows(name: &str) -> bool {
    matches!(name, "td" | "th" | "tr" | "table" | "tbody")
}

/// Whether it is a box of no size that shows nothing outside itself.
fn is_empty(style: &Style, name: &str) -> bool {
    let (down, across) = (is_clipping(style.get("overflow-y")), is_clipping(style.get("overflow-x")));
    if !(down || across) || !matches!(style.get("flex"), None | Some("none" | "0" | "auto" | "initial")) {
        return false;
    }
    let is_padded = is_some(style.get("padding-top")) || is_some(style.get("padding-bottom"));
    if style.get("flex-grow").unwrap_or("0") != "0" || is_padded || opens(style) {
        return false;
    }
    let grows = grows(name);
    if down && !grows && !is_some(style.get("min-height")) {
        let is_flat = is_nothing(style.get("height")) || is_nothing(style.get("max-height"));
        if is_flat || is_zero(style.get("line-height")) {
            return true;
        }
    }
    if across && !grows && !is_some(style.get("min-width")) && style.get("text-overflow").is_none() {
        return is_nothing(style.get("width")) || is_nothing(style.get("max-width"));
    }
    false
}

/// Whether it is a box of no height that opens: people click to see what is in it.
fn opens(style: &Style) -> bool {
    let transition = style.said("transition");
    (transition.contains("height") || transition.contains("all"))
        && (is_nothing(style.get("height")) || is_nothing(style.get("max-height")))
}

/// At most one pixel.
fn is_nothing(length: Option<&str>) -> bool {
    length.map_or(false, |length| pixels(length).map_or_else(|| share(length) == Some(0.0), |found| found <= 1.0))
}

fn is_zero(length: Option<&str>) -> bool {
    length.map_or(false, |length| pixels(length) == Some(0.0) || share(length) == Some(0.0))
}

fn is_some(length: Option<&str>) -> bool {
    length.map_or(false, |said| !is_nothing(length) && !matches!(said, "auto" | "none") && !is_global(said))
}
