//! Knows the CSS properties that affect visibility: shorthands, aliases and valid values.

use super::{FILL, SIDES};
use crate::colours::is_colour;
use crate::lengths::{alpha, end_of_simple, is_font_size, is_global, is_length, strip, words};

pub fn without_prefixes(name: &str) -> String {
    let mut out = String::new();
    let mut rest = name;
    'next: while !rest.is_empty() {
        for prefix in ["-webkit-", "-moz-", "-ms-", "-o-"] {
            if let Some(behind) = rest.strip_prefix(prefix) {
                if !behind.starts_with("text-fill") {
                    rest = behind;
                    continue 'next;
                }
            }
        }
        let size = rest.chars().next().map_or(0, char::len_utf8);
        out.push_str(&rest[..size]);
        rest = &rest[size..];
    }
    out
}

/// Return the physical property of a logical property, for left-to-right pages.
pub fn alias(name: &str) -> &str {
    match name.as_bytes() {
        b"block-size" => "height",
        b"inline-size" => "width",
        b"max-block-size" => "max-height",
        b"max-inline-size" => "max-width",
        b"min-block-size" => "min-height",
        b"min-inline-size" => "min-width",
        b"inset-inline-start" => "left",
        b"inset-inline-end" => "right",
        b"inset-block-start" => "top",
        b"inset-block-end" => "bottom",
        b"margin-inline-start" => "margin-left",
        b"margin-block-start" => "margin-top",
        b"flex-basis" => "flex",
        b"animation-name" => "animation",
        b"transition-property" => "transition",
        _ => name,
    }
}

pub fn affects_visibility(name: &str) -> bool {
    let is_shorthand = matches!(
        name.as_bytes(),
        b"font"
            | b"inset"
            | b"margin"
            | b"margin-inline"
            | b"margin-block"
            | b"padding"
            | b"overflow"
            | b"background"
            | b"mask"
    );
    is_shorthand || longhand(name).is_some()
}

pub fn longhands(name: &str, value: &str, mut read: impl FnMut(&str, &str)) {
    match name {
        "font" => {
            let mut sizes = words(value).map(|part| part.split('/').next().unwrap_or(""));
            read("font-size", sizes.find(|size| !size.is_empty() && is_font_size(size)).unwrap_or(""));
        }
        "inset" | "margin" | "padding" => {
            let parts: Vec<&str> = words(value).collect();
            if let Some(sides) = sides(&parts) {
                for (side, part) in SIDES.iter().zip(sides) {
                    match name {
                        "inset" => read(side, part),
                        _ => read(&format!("{}-{}", name, side), part),
                    }
                }
            }
        }
        "overflow" => {
            let mut parts = words(value);
            let first = parts.next().unwrap_or("");
            read("overflow-x", first);
            read("overflow-y", parts.next().unwrap_or(first));
        }
        "background" => {
            let is_picture = value.contains("url(") || value.contains("gradient(");
            let plain = if is_picture { single_colour(value) } else { None };
            read("background-image", if is_picture && plain.is_none() { "some" } else { "none" });
            read("background-clip", if value.ends_with("text") { "text" } else { "border-box" });
            let colour = parts(value).into_iter().find(|part| is_colour(part));
            read("background-color", plain.or(colour).unwrap_or("transparent"));
        }
        "margin-inline" => read("margin-left", words(value).next().unwrap_or("")),
        "margin-block" => read("margin-top", words(value).next().unwrap_or("")),
        "mask" => read("mask-image", value),
        _ => read(name, value),
    }
}

/// Return the colour of a gradient between equal colours.
fn single_colour(value: &str) -> Option<&str> {
    let inner = value.strip_suffix(')')?.split_once("gradient(")?.1;
    let mut stops = inner.split(',').map(strip);
    let first = stops.next().filter(|stop| is_colour(stop))?;
    Some(first).filter(|_| !inner.contains('(') && stops.all(|stop| stop == first))
}

/// Return the values of the four sides for one to four values.
pub fn sides<'a>(parts: &[&'a str]) -> Option<[&'a str; 4]> {
    match *parts {
        [all] => Some([all; 4]),
        [down, across] => Some([down, across, down, across]),
        [top, across, bottom] => Some([top, across, bottom, across]),
        [top, right, bottom, left] => Some([top, right, bottom, left]),
        _ => None,
    }
}

/// Split a value at spaces outside of brackets.
fn parts(value: &str) -> Vec<&str> {
    let bytes = value.as_bytes();
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        let end = match bytes[at] {
            b' ' => None,
            b'(' => end_of_simple(bytes, at),
            _ => Some(at + 1),
        };
        match end {
            Some(end) => at = end,
            None => {
                parts.push(&value[start..at]);
                at += 1;
                start = at;
            }
        }
    }
    parts.push(&value[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

fn is_box(value: &str) -> bool {
    is_length(value) || value.ends_with("-content") || value.contains('(')
}

pub fn is_clipping(value: Option<&str>) -> bool {
    matches!(value, Some("hidden" | "clip" | "auto" | "scroll"))
}

macro_rules! longhand_names {
    ($($name:literal),* $(,)?) => {
        /// Return a property that affects visibility. Bytes are compared because a match of strings tries each in turn.
        pub fn longhand(name: &str) -> Option<&'static str> {
            match name.as_bytes() {
                $($name => std::str::from_utf8($name).ok(),)*
                _ => None,
            }
        }
    };
}

longhand_names! {
    b"display", b"visibility", b"content-visibility", b"opacity", b"font-size", b"position", b"text-overflow",
    b"line-height", b"flex", b"flex-grow", b"contain", b"text-shadow", b"mask-size", b"animation", b"transition",
    b"color", b"-webkit-text-fill-color", b"background-color", b"background-image", b"background-clip", b"clip",
    b"clip-path", b"transform", b"translate", b"scale", b"rotate", b"filter", b"overflow-x", b"overflow-y",
    b"height", b"width", b"max-height", b"max-width", b"min-height", b"min-width", b"top", b"right", b"bottom",
    b"left", b"margin-top", b"margin-right", b"margin-bottom", b"margin-left", b"padding-top", b"padding-right",
    b"padding-bottom", b"padding-left", b"text-indent", b"white-space", b"mask-image", b"zoom", b"letter-spacing",
    b"word-spacing",
}

/// Whether a declaration is valid. Properties that do not affect visibility always are.
pub fn is_supported(name: &str, value: &str) -> bool {
    let name = alias(name);
    if !affects_visibility(name) {
        return true;
    }
    let mut is_valid = false;
    longhands(name, value, |longhand, value| is_valid |= valid(longhand, value).is_some());
    is_valid
}

/// Return a property if the value is valid for it.
pub fn valid(name: &str, value: &str) -> Option<&'static str> {
    let name = longhand(name)?;
    let is_valid = match name {
        "display" => value == "none" || (!value.is_empty() && words(value).all(is_display)),
        "visibility" => matches!(value, "visible" | "hidden" | "collapse") || is_global(value),
        "content-visibility" => matches!(value, "visible" | "hidden" | "auto") || is_global(value),
        "opacity" => alpha(value).is_some() || is_global(value),
        "font-size" => is_font_size(value),
        "position" => matches!(value, "static" | "relative" | "absolute" | "fixed" | "sticky" | "-webkit-sticky"),
        "line-height" => is_length(value) || value == "normal",
        "color" | FILL | "background-color" => is_global(value) || is_colour(value),
        "overflow-x" | "overflow-y" => is_clipping(Some(value)) || value == "visible" || is_global(value),
        "height" | "width" | "max-height" | "max-width" | "min-height" | "min-width" => is_box(value),
        "text-indent" => is_length(value.split(' ').next().unwrap_or("")),
        "top" | "right" | "bottom" | "left" => is_length(value),
        _ if name.starts_with("margin-") || name.starts_with("padding-") => is_length(value),
        _ => true,
    };
    if is_valid {
        Some(name)
    } else {
        None
    }
}

fn is_display(part: &str) -> bool {
    const DISPLAYS: &str = " block inline inline-block flex inline-flex grid inline-grid flow flow-root table \
        inline-table table-row table-cell table-caption table-column table-column-group table-row-group \
        table-header-group table-footer-group list-item contents run-in ruby ruby-base ruby-text math initial inherit \
        unset revert revert-layer -webkit-box -webkit-inline-box -webkit-flex -ms-flexbox -moz-box -ms-grid ";
    DISPLAYS.split(' ').any(|display| !display.is_empty() && display == part)
}
