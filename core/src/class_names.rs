//! Recognises class names that hide elements on most pages, whatever their style sheets declare.

use crate::lengths::{is_name_byte, lower, words};

/// Whether classes hide their element on all screens.
pub fn are_hiding(classes: &str) -> bool {
    let classes = lower(classes);
    let is_hidden = words(&classes).any(|class| is_not_displayed(class) || is_for_screen_readers(class));
    let is_shown = is_hidden && words(&classes).any(is_shown_on_some);
    is_hidden && !is_shown
}

fn is_not_displayed(class: &str) -> bool {
    matches!(
        class,
        "hidden"
            | "d-none"
            | "is-hidden"
            | "u-hidden"
            | "uk-hidden"
            | "tw-hidden"
            | "display-none"
            | "no-display"
            | "ng-hide"
            | "invisible"
    )
}

/// Class names under which style sheets keep text for screen readers only, with the prefixes of libraries.
fn is_for_screen_readers(class: &str) -> bool {
    const NAMES: [&str; 22] = [
        "sr-only",
        "sronly",
        "visually-hidden",
        "visuallyhidden",
        "vis-hidden",
        "vishidden",
        "screen-reader",
        "screenreader",
        "screen-reader-text",
        "screenreader-text",
        "screen-reader-only",
        "screenreader-only",
        "screen-only",
        "for-sr",
        "visible-sr",
        "element-invisible",
        "a11y-hidden",
        "hidden-visually",
        "hidden-accessible",
        "assistive-text",
        "offscreen",
        "off-screen",
    ];
    let is_one = |stem: &str| match stem.as_bytes() {
        // As few end.
        [.., b'l', b'y'] | [.., b'e', b'n' | b'r'] | [.., b'x', b't'] | [.., b's', b'r'] | [.., b'l', b'e'] => {
            NAMES.iter().any(|name| match stem.strip_suffix(name) {
                Some(before) => before.is_empty() || before.ends_with(&['-', '_'][..]),
                None => false,
            })
        }
        _ => false,
    };
    let is_word = |tail: &str| !tail.is_empty() && tail.bytes().all(|byte| byte != b'-' && is_name_byte(byte));
    let dashes = class.as_bytes().windows(2).rposition(|two| two == b"--");
    let is_any = is_one(class)
        || class.strip_suffix("-focusable").map_or(false, is_one)
        || dashes.map_or(false, |at| is_word(&class[at + 2..]) && is_one(&class[..at]));
    is_any && class.len() >= 6 && !class.starts_with("not-") && !class.contains(':')
}

/// Whether a class shows its element on some screens: `hidden md:block`, `d-none d-lg-flex`.
fn is_shown_on_some(class: &str) -> bool {
    let is_rest = |rest: &str| rest.bytes().all(is_name_byte);
    let begins = |text: &str, names: &[&str]| names.iter().any(|name| text.starts_with(name));
    if let Some(rest) = class.strip_prefix("visible-") {
        let (size, behind) = rest.split_once('-').map_or((rest, None), |(size, behind)| (size, Some(behind)));
        return matches!(size, "xs" | "sm" | "md" | "lg" | "xl")
            && behind.map_or(true, |behind| !behind.is_empty() && is_rest(behind));
    }
    if let Some((size, rest)) = class.strip_prefix("d-").and_then(|rest| rest.split_once('-')) {
        return is_size(size) && !rest.is_empty() && !rest.starts_with("none") && is_rest(rest);
    }
    if let Some((condition, rest)) = class.rsplit_once(':') {
        let rest = rest.strip_prefix('!').unwrap_or(rest);
        let rest = rest.strip_prefix("tw-").unwrap_or(rest);
        const SHOWN: [&str; 10] = [
            "block",
            "flex",
            "grid",
            "inline",
            "table",
            "contents",
            "list-item",
            "flow-root",
            "visible",
            "not-sr-only",
        ];
        return begins(rest, &SHOWN) && is_rest(rest) && is_condition(condition);
    }
    ["mobile", "tablet", "desktop"].iter().any(|screen| {
        let rest = class.strip_prefix(screen).unwrap_or("");
        let rest = rest.strip_prefix("__").or_else(|| rest.strip_prefix('-')).unwrap_or("");
        begins(rest, &["block", "flex", "inline", "grid"]) && is_rest(rest)
    })
}

fn is_size(size: &str) -> bool {
    matches!(size, "xs" | "sm" | "md" | "lg" | "xl" | "xxl")
        || (size.len() == 3 && size.ends_with("xl") && size.as_bytes()[0].is_ascii_digit())
}

fn is_condition(condition: &str) -> bool {
    let condition = condition.strip_prefix("tw-").unwrap_or(condition);
    let condition = condition.strip_prefix("max-").or_else(|| condition.strip_prefix("min-")).unwrap_or(condition);
    const SCREENS: &[&str] = &["phone", "mobile", "tablet", "laptop", "desktop", "wide", "dark", "light", "rtl", "ltr"];
    let is_bracket =
        condition.len() > 2 && condition.starts_with('[') && condition.find(']') == Some(condition.len() - 1);
    is_size(condition) || SCREENS.contains(&condition) || is_bracket
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hide_and_others_take_that_back() {
        for classes in ["sr-only", "a my_visually-hidden--x", "b Screen-Reader-Text-focusable", "x-for-sr", "d-none"] {
            assert!(are_hiding(classes), "{}", classes);
        }
        for classes in
            ["", "sr", "not-sr-only", "only", "visible-xs-sr-only", "hidden md:block", "md:sr-only", "--sr-only--a-b"]
        {
            assert!(!are_hiding(classes), "{}", classes);
        }
    }
}
