//! Decides which CSS declarations hide an element.

use crate::lengths::{alpha, calls, is_global, names_size, number, pixels, share, strip, words};
use crate::paints::{paints, Paint, FAINT};
use crate::styles::{is_clipping, sides, Declared, Style, GONE, INDENT, INK, SIDES, SIZE, SPACING, VISIBILITY};

const FAR: f64 = 999.0;
const FAR_SHARE: f64 = 1000.0;
const TINY: f64 = 1.0;
const TINY_SHARE: f64 = 10.0;
const SMALL_SCALE: f64 = 0.02;
/// A letter spacing of at most this many pixels puts letters on top of each other.
const NO_SPACE: f64 = -6.0;

/// The effects of the keyframes of an animation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Animation {
    /// Whether they change opacity.
    pub fades: bool,
    pub ends_hidden: bool,
}

/// Return the ways in which an element with a tag is hidden, and the inherited ways that it reverts.
///
/// `animation` returns the animation of a name: elements that it moves will be visible.
pub fn hiding(style: &Style, name: &str, animation: impl Fn(&str) -> Option<Animation>) -> (u8, u8) {
    if style.is_empty() {
        return (0, 0);
    }
    let is_gone = style.get("display") == Some("none") && !opens(style);
    if is_gone || style.get("content-visibility") == Some("hidden") {
        return (GONE, 0);
    }
    let is_unpainted = is_masked(style) || is_zoomed_away(style);
    let mut hidden = if is_unpainted || is_far(style) || is_empty(style, name) { GONE } else { 0 };
    let visibility = style.value("visibility");
    let animations: Vec<Animation> = words(style.value("animation")).filter_map(animation).collect();
    let stays = ["forwards", "both"].iter().any(|word| style.value("animation").contains(word));
    if stays && animations.iter().any(|animation| animation.ends_hidden) {
        hidden |= GONE;
    }
    // What is transparent and has a transition or an animation fades in.
    let fades = animations.is_empty() || animations.iter().any(|animation| animation.fades);
    if is_transparent(style) && !(fades && fades_in(style)) {
        hidden |= GONE;
    }
    // An animation ends with its element in the window.
    if animations.is_empty() {
        if is_moved_away(style) || is_clipped(style) {
            hidden |= GONE;
        }
        if matches!(visibility, "hidden" | "collapse") {
            hidden |= VISIBILITY;
        }
    }
    let mut reverted = if matches!(visibility, "visible" | "initial") { VISIBILITY } else { 0 };
    let letters =
        [(SIZE, is_tiny(style)), (INDENT, is_indented(style)), (INK, has_no_ink(style)), (SPACING, is_pressed(style))];
    for (way, is_hidden) in letters {
        match is_hidden {
            Some(true) => hidden |= way,
            Some(false) => reverted |= way,
            None => {}
        }
    }
    (hidden, reverted)
}

/// Whether a block hides its element alone.
pub fn hides(block: &Declared) -> bool {
    hiding(&block.all(), "", |_| None).0 != 0
}

fn is_tiny(style: &Style) -> Option<bool> {
    let size = style.get("font-size")?;
    let yes = |is_tiny: bool| if is_tiny { Some(true) } else { None };
    match (pixels(size), share(size)) {
        (Some(length), _) if size.ends_with("rem") || !size.ends_with("em") => Some(length <= TINY),
        // A share of the font size of an ancestor, which may be tiny itself.
        (Some(length), _) => yes(length <= TINY_SHARE * 0.16),
        (None, Some(share)) => yes(share * 0.16 <= TINY_SHARE * 0.16),
        (None, None) if matches!(size, "smaller" | "larger") => None,
        (None, None) if names_size(size) || size == "initial" => Some(false),
        (None, None) => None,
    }
}

/// Whether a transparent element has a transition of its opacity, or an animation.
fn fades_in(style: &Style) -> bool {
    let (transition, animation) = (style.value("transition"), style.value("animation"));
    let is_set = |value: &str| !value.is_empty() && !is_global(value) && value.split(' ').next() != Some("none");
    let numbers = words(transition).filter_map(|word| number(word.trim_end_matches(',')));
    let times: Vec<f64> = numbers.filter(|(_, unit)| unit.ends_with('s')).map(|(time, _)| time).collect();
    let takes_time = times.is_empty() || times.iter().any(|&time| time > 0.0);
    let is_timing = |word: &str| number(word).is_some() || word.starts_with("ease") || word == "linear";
    let is_opacity =
        ["opacity", "all"].iter().any(|name| transition.contains(name)) || words(transition).all(is_timing);
    (is_set(transition) && is_opacity && takes_time) || is_set(animation)
}

/// Return the opacity of an element.
pub fn opacity(style: &Style) -> f32 {
    match style.get("opacity").and_then(alpha) {
        Some(opaque) if !fades_in(style) => opaque.clamp(0.0, 1.0) as f32,
        _ => 1.0,
    }
}

/// Return the shift of an element to the right and down, in pixels.
pub fn shift(style: &Style) -> (f32, f32) {
    let length = |name: &str| style.get(name).and_then(pixels).unwrap_or(0.0);
    let (mut right, mut down) = (length("margin-left").max(length("text-indent")), length("margin-top"));
    if matches!(style.get("position"), Some("absolute" | "relative")) {
        right = right.max(length("left"));
        down = down.max(length("top"));
    }
    for (name, inner, ..) in calls(style.value("transform")) {
        let mut parts = inner.split(',').map(|part| pixels(strip(part)).unwrap_or(0.0));
        match name {
            "translatex" => right = right.max(parts.next().unwrap_or(0.0)),
            "translatey" => down = down.max(parts.next().unwrap_or(0.0)),
            "translate" => {
                right = right.max(parts.next().unwrap_or(0.0));
                down = down.max(parts.next().unwrap_or(0.0));
            }
            _ => {}
        }
    }
    (right as f32, down as f32)
}

/// Return width and height in pixels of a box that clips its contents.
pub fn window(style: &Style) -> (f32, f32) {
    let size = |overflow: &str, names: [&str; 2]| match style.get(overflow) {
        Some("hidden" | "clip") => {
            let sizes = names.iter().filter_map(|name| style.get(name).and_then(pixels));
            sizes.fold(f64::from(f32::MAX), f64::min) as f32
        }
        _ => f32::MAX,
    };
    (size("overflow-x", ["width", "max-width"]), size("overflow-y", ["height", "max-height"]))
}

fn is_transparent(style: &Style) -> bool {
    let is_faint = |value: &str| alpha(value).map_or(false, |opaque| opaque <= FAINT);
    style.get("opacity").map_or(false, is_faint)
        || calls(style.value("filter")).iter().any(|(name, inner, ..)| *name == "opacity" && is_faint(strip(inner)))
}

/// Whether letters have no colour, or that of the element's own background.
fn has_no_ink(style: &Style) -> Option<bool> {
    let paints = paints(style);
    if paints.ink == Paint::Inherited && paints.fill == Paint::Inherited {
        None
    } else {
        Some(paints.is_invisible())
    }
}

/// Whether letters are on top of each other.
fn is_pressed(style: &Style) -> Option<bool> {
    let space = style.get("letter-spacing")?;
    Some(pixels(space).map_or(false, |space| space <= NO_SPACE))
}

/// Whether a mask hides everything: gradients between transparent colours.
fn is_masked(style: &Style) -> bool {
    let mask = style.value("mask-image");
    let mut sizes = words(style.value("mask-size"));
    if !matches!(mask, "" | "none") && sizes.next().map_or(false, |size| is_zero(Some(size))) {
        return true;
    }
    let layers = calls(mask);
    let is_transparent = |part: &str| {
        let colour = words(strip(part)).next().unwrap_or("");
        Paint::of(if part.contains('(') { strip(part) } else { colour }) == Paint::Transparent
    };
    let lets_nothing_through = |inner: &str| {
        let stops = crate::selector_parser::split_list(inner);
        let is_stop =
            |part: &&&str| Paint::of(words(strip(part)).next().unwrap_or("")) != Paint::Unknown || part.contains("rgb");
        let stops: Vec<&&str> = stops.iter().filter(is_stop).collect();
        stops.len() > 1 && stops.iter().all(|part| is_transparent(part))
    };
    let gradients: Vec<_> = layers.iter().filter(|call| call.0.ends_with("gradient")).collect();
    !gradients.is_empty()
        && gradients.len() == layers.len()
        && gradients.iter().all(|call| lets_nothing_through(call.1))
}

/// Whether an element is drawn too small to be read.
fn is_zoomed_away(style: &Style) -> bool {
    style.get("zoom").and_then(alpha).map_or(false, |zoom| zoom > 0.0 && zoom <= 0.1)
}

/// Whether a length moves a box out of the window: backwards, or in either direction.
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
    let position = style.value("position");
    if matches!(position, "absolute" | "fixed" | "relative" | "sticky" | "-webkit-sticky") {
        let is_out = SIDES.iter().any(|side| is_away(style.value(side), false));
        // What leads beyond the left edge cannot be scrolled to.
        let is_left = share(style.value("right")).map_or(false, |share| share >= 100.0) && position != "relative";
        if is_out || is_left || ["left", "right"].iter().any(|side| is_away(style.value(side), true)) {
            return true;
        }
    }
    is_away(style.value("margin-left"), false) || is_away(style.value("margin-top"), false)
}

fn is_indented(style: &Style) -> Option<bool> {
    let first = style.get("text-indent")?.split(' ').next().unwrap_or("");
    // Text is moved out of sight, or out of a box that shows nothing outside itself.
    let is_out = share(first).map_or(false, |share| share.abs() >= 100.0) || is_away(first, true);
    let is_beyond = pixels(first).map_or(false, |indent| indent as f32 >= window(style).0);
    Some(is_away(first, false) || is_beyond || (is_out && is_clipping(style.get("overflow-x"))))
}

fn is_moved_away(style: &Style) -> bool {
    if ["transform", "translate", "scale", "rotate"].iter().all(|name| style.get(name).is_none()) {
        return false;
    }
    let transform = style.value("transform").to_string();
    let mut moves: Vec<(String, String)> = Vec::new();
    moves.extend(calls(&transform).iter().map(|(name, inner, ..)| (name.to_string(), inner.replace(',', " "))));
    for name in ["translate", "scale"] {
        moves.extend(style.get(name).map(|value| (name.to_string(), value.to_string())));
    }
    if let Some(value) = style.get("rotate") {
        let parts: Vec<&str> = words(value).collect();
        let axis = match parts[..] {
            [axis, _] => axis,
            ["1", "0", "0", _] => "x",
            ["0", "1", "0", _] => "y",
            _ => "",
        };
        moves.push((format!("rotate{}", axis), parts.last().map_or(String::new(), |angle| angle.to_string())));
    }
    moves.iter().any(|(name, inner)| leads_away(name, &words(inner).collect::<Vec<_>>()))
}

fn leads_away(name: &str, parts: &[&str]) -> bool {
    if name.starts_with("translate") {
        return parts.iter().any(|part| is_away(part, true));
    }
    if name.starts_with("scale") {
        return parts.iter().any(|part| alpha(part).map_or(false, |scale| scale.abs() <= SMALL_SCALE));
    }
    if matches!(name, "matrix" | "matrix3d") {
        let numbers: Vec<f64> = parts.iter().map(|part| alpha(part).unwrap_or(0.0)).collect();
        return match numbers.len() {
            6 if numbers[4].abs().max(numbers[5].abs()) >= FAR => true,
            6 => numbers[0] * numbers[3] == numbers[1] * numbers[2],
            16 => numbers[0] == 0.0 && numbers[1] == 0.0,
            _ => false,
        };
    }
    const EDGE_ON: [&str; 9] =
        ["90deg", "-90deg", "270deg", "-270deg", ".25turn", "0.25turn", "-.25turn", ".75turn", "100grad"];
    matches!(name, "rotatex" | "rotatey") && parts.first().map_or(false, |angle| EDGE_ON.contains(angle))
}

fn is_clipped(style: &Style) -> bool {
    let is_rect = |inner: &str| {
        let inner = inner.replace(',', " ");
        let edges: Vec<Option<f64>> = words(&inner).map(pixels).collect();
        let is_thin = |begin: Option<f64>, end: Option<f64>| end.map_or(false, |end| end - begin.unwrap_or(0.0) <= 1.0);
        edges.len() == 4 && (is_thin(edges[0], edges[2]) || is_thin(edges[3], edges[1]))
    };
    let can_be_cut = matches!(style.get("position"), Some("absolute" | "fixed"));
    (can_be_cut && calls(style.value("clip")).iter().any(|(name, inner, ..)| *name == "rect" && is_rect(inner)))
        || calls(style.value("clip-path")).iter().any(|(name, inner, ..)| leaves_nothing(name, inner))
}

fn leaves_nothing(shape: &str, inner: &str) -> bool {
    let parts: Vec<&str> = words(inner.split(" round ").next().unwrap_or("")).collect();
    match shape {
        "inset" => {
            sides(&parts).map_or(false, |[top, right, bottom, left]| is_all_cut(top, bottom) || is_all_cut(left, right))
        }
        "circle" | "ellipse" => is_zero(parts.first().copied()),
        "rect" => match sides(&parts).map(|sides| sides.map(pixels)) {
            Some([Some(top), Some(right), Some(bottom), Some(left)]) => bottom - top <= 1.0 || right - left <= 1.0,
            _ => false,
        },
        "path" => !inner.contains(&['l', 'h', 'v', 'c', 'a', 'q', 's', 't', 'z'][..]),
        "xywh" => parts.len() == 4 && (is_nothing(Some(parts[2])) || is_nothing(Some(parts[3]))),
        "polygon" => {
            let points = inner.split(',').map(|point| words(point).collect::<Vec<_>>());
            let mut points: Vec<Vec<&str>> = points.filter(|point| point.len() == 2).collect();
            let is_line = |axis: usize| points.windows(2).all(|two| two[0][axis] == two[1][axis]);
            if is_line(0) || is_line(1) {
                return true;
            }
            let is_outside = |axis: usize| {
                points.iter().all(|point| {
                    is_away(point[axis], true) || pixels(point[axis]).map_or(false, |at| at <= -FAR + 10.0)
                })
            };
            if !points.is_empty() && (is_outside(0) || is_outside(1)) {
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

/// Whether elements with a tag grow with their contents.
pub fn grows(name: &str) -> bool {
    matches!(name, "td" | "th" | "tr" | "table" | "tbody")
}

/// Whether it is a box without size that clips its contents.
fn is_empty(style: &Style, name: &str) -> bool {
    let contain = style.value("contain");
    let clips = words(contain).any(|word| matches!(word, "paint" | "strict" | "content"));
    let down = clips || is_clipping(style.get("overflow-y"));
    let across = clips || is_clipping(style.get("overflow-x"));
    let has_no_height = words(contain).any(|word| matches!(word, "size" | "strict")) && style.get("height").is_none();
    if style.get("display") == Some("inline")
        || !(down || across)
        || !matches!(style.get("flex"), None | Some("none" | "0" | "auto" | "initial"))
    {
        return false;
    }
    let is_padded = is_some(style.get("padding-top")) || is_some(style.get("padding-bottom"));
    if style.get("flex-grow").unwrap_or("0") != "0" || is_padded || opens(style) {
        return false;
    }
    let grows = grows(name);
    if down && !grows && !is_some(style.get("min-height")) {
        let is_flat = has_no_height || is_nothing(style.get("height")) || is_nothing(style.get("max-height"));
        let has_no_lines = style.get("line-height").and_then(alpha).map_or(false, |lines| lines <= SMALL_SCALE);
        if is_flat || has_no_lines || is_zero(style.get("line-height")) {
            return true;
        }
    }
    if across
        && !grows
        && !is_some(style.get("min-width"))
        && (style.get("text-overflow").is_none() || is_zero(style.get("width")))
    {
        return is_nothing(style.get("width")) || is_nothing(style.get("max-width"));
    }
    false
}

/// Whether it is a box without height that users open.
fn opens(style: &Style) -> bool {
    let transition = style.value("transition");
    (transition.contains("height") || transition.contains("all"))
        && (is_nothing(style.get("height")) || is_nothing(style.get("max-height")))
}

/// Whether a length is at most one pixel.
pub fn is_nothing(length: Option<&str>) -> bool {
    length.map_or(false, |length| pixels(length).map_or_else(|| share(length) == Some(0.0), |pixels| pixels <= 1.0))
}

fn is_zero(length: Option<&str>) -> bool {
    length.map_or(false, |length| pixels(length) == Some(0.0) || share(length) == Some(0.0))
}

fn is_some(length: Option<&str>) -> bool {
    length.map_or(false, |value| !is_nothing(length) && !matches!(value, "auto" | "none") && !is_global(value))
}
