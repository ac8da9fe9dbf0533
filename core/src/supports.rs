//! Evaluates `@supports` conditions.

use crate::lengths::{lower, strip};
use crate::selector_parser::parse;
use crate::styles::is_supported;

/// Conditions in conditions that are read.
const DEEPEST: usize = 8;

/// Whether a browser supports a condition.
pub fn supports(condition: &str) -> bool {
    holds(strip(condition), 0)
}

fn holds(condition: &str, depth: usize) -> bool {
    if depth > DEEPEST {
        return true;
    }
    let parts = operands(condition);
    match &parts[..] {
        [] => true,
        [part] => part_holds(part, depth),
        several if several.contains(&"or") => {
            several.iter().filter(|part| **part != "or").any(|part| part_holds(part, depth))
        }
        several => {
            let mut is_negated = false;
            several.iter().all(|part| match *part {
                "and" => true,
                "not" => {
                    is_negated = true;
                    true
                }
                part => part_holds(part, depth) != std::mem::take(&mut is_negated),
            })
        }
    }
}

fn part_holds(part: &str, depth: usize) -> bool {
    if let Some(selector) = part.strip_prefix("selector(").and_then(|rest| rest.strip_suffix(')')) {
        return parse(selector).is_some() || selector.contains("::");
    }
    let inner = match part.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => strip(inner),
        None => return true, // a function that asks for fonts and the like
    };
    if inner.starts_with('(') || inner.starts_with("not ") || inner.starts_with("selector(") {
        return holds(inner, depth + 1);
    }
    match inner.split_once(':') {
        Some((name, value)) => is_supported(&lower(strip(name)), &lower(strip(value))),
        None => false,
    }
}

/// Split a condition into words and brackets.
fn operands(condition: &str) -> Vec<&str> {
    let bytes = condition.as_bytes();
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b' ' | 9..=13 if depth == 0 => {
                parts.push(&condition[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&condition[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_hold_as_in_browsers() {
        for condition in [
            "(display:grid)",
            "not (display:nonsense)",
            "(display:grid) and (not (display:nonsense))",
            "(display:nonsense) or (display:flex)",
            "selector(:is(a))",
            "(--a: b)",
            "(backdrop-filter: blur(1px))",
        ] {
            assert!(supports(condition), "{}", condition);
        }
        for condition in
            ["(display:nonsense)", "not (display:grid)", "(display:grid) and (display:nonsense)", "selector(:nonsense)"]
        {
            assert!(!supports(condition), "{}", condition);
        }
    }
}
