//! Parses pseudo-classes and their arguments.

use super::{end_of_string, split_list, Parser, DEEPEST};
use crate::lengths::strip;
use crate::selectors::{Nth, Selector, Specificity, Test};
use crate::units::is_space;

impl<'a> Parser<'a> {
    pub fn pseudo_class(&mut self, specificity: &mut Specificity) -> Option<Vec<Test>> {
        if self.byte()? == b':' {
            return None; // a pseudo-element
        }
        let name = self.identifier()?.to_ascii_lowercase();
        let inner = if self.byte() == Some(b'(') { Some(self.brackets()?) } else { None };
        if let Some(inner) = inner {
            let test = self.function(&name, strip(inner), specificity)?;
            return Some(vec![test]);
        }
        let nth = |step, offset, from_end, of_type| Test::Nth(Nth { step, offset, from_end, of_type, of: None });
        let tests = match &*name {
            "first-child" => vec![nth(0, 1, false, false)],
            "last-child" => vec![nth(0, 1, true, false)],
            "only-child" => vec![nth(0, 1, false, false), nth(0, 1, true, false)],
            "first-of-type" => vec![nth(0, 1, false, true)],
            "last-of-type" => vec![nth(0, 1, true, true)],
            "only-of-type" => vec![nth(0, 1, false, true), nth(0, 1, true, true)],
            "empty" => vec![Test::Empty],
            "root" | "scope" => vec![Test::Root],
            "link" | "any-link" => vec![Test::Link],
            "checked" => vec![Test::HasAttribute("checked selected")],
            "disabled" => vec![Test::HasAttribute("disabled")],
            "open" => vec![Test::HasAttribute("open")],
            "required" => vec![Test::HasAttribute("required")],
            "read-only" | "defined" | "enabled" | "optional" | "valid" | "in-range" | "read-write" => Vec::new(),
            "hover"
            | "active"
            | "focus"
            | "focus-within"
            | "focus-visible"
            | "visited"
            | "target"
            | "target-within"
            | "popover-open"
            | "modal"
            | "fullscreen"
            | "-webkit-full-screen"
            | "-moz-full-screen"
            | "-ms-fullscreen"
            | "picture-in-picture"
            | "playing"
            | "paused"
            | "current"
            | "past"
            | "future"
            | "host"
            | "indeterminate"
            | "default"
            | "invalid"
            | "user-invalid"
            | "user-valid"
            | "out-of-range"
            | "placeholder-shown"
            | "autofill"
            | "-webkit-autofill"
            | "blank" => vec![Test::Never],
            _ => return None, // unknown, or a pseudo-element written with one colon
        };
        specificity.1 += 1;
        Some(tests)
    }

    /// Return the contents of the brackets at the position.
    fn brackets(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let (start, mut depth) = (self.at + 1, 0usize);
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 1,
                quote @ (b'"' | b'\'') => self.at = end_of_string(bytes, self.at, quote),
                b'(' => depth += 1,
                b')' if depth == 1 => {
                    let inner = self.text.get(start..self.at)?;
                    self.at += 1;
                    return Some(inner);
                }
                b')' => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
        None
    }

    fn function(&mut self, name: &str, inner: &str, specificity: &mut Specificity) -> Option<Test> {
        let add = |specificity: &mut Specificity, most: Specificity| {
            *specificity = (specificity.0 + most.0, specificity.1 + most.1, specificity.2 + most.2);
        };
        Some(match name {
            "is" | "where" | "matches" | "-webkit-any" | "-moz-any" => {
                let list = self.list(inner, false, true)?;
                if name != "where" {
                    add(specificity, most_specific(&list));
                }
                Test::Is(list)
            }
            "not" => {
                let list = self.list(inner, false, false)?;
                add(specificity, most_specific(&list));
                Test::Not(list)
            }
            "has" => {
                let list = self.list(inner, true, false)?;
                add(specificity, most_specific(&list));
                Test::Has(list)
            }
            "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type" => {
                let of_type = name.ends_with("of-type");
                let (formula, of) = match inner.split_once(" of ").filter(|_| !of_type) {
                    Some((formula, list)) => (formula, Some(self.list(list, false, false)?)),
                    None => (inner, None),
                };
                let (step, offset) = formula_of(formula)?;
                add(specificity, of.as_deref().map_or((0, 0, 0), most_specific));
                specificity.1 += 1;
                Test::Nth(Nth { step, offset, from_end: name.contains("last"), of_type, of })
            }
            "lang" => {
                specificity.1 += 1;
                Test::Lang(inner.trim_matches(&['"', '\''][..]).to_ascii_lowercase())
            }
            "dir" => {
                specificity.1 += 1;
                Test::Direction(inner.eq_ignore_ascii_case("rtl"))
            }
            "host" | "host-context" | "state" => {
                specificity.1 += 1;
                Test::Never
            }
            _ => return None,
        })
    }

    /// Parse a list of selectors. A forgiving list skips invalid selectors; other lists are invalid with them.
    fn list(&mut self, list: &str, is_relative: bool, is_forgiving: bool) -> Option<Vec<Selector>> {
        if self.depth >= DEEPEST {
            return None;
        }
        let mut selectors = Vec::new();
        for part in split_list(list) {
            let mut parser = Parser { text: strip(part), at: 0, depth: self.depth + 1, parts: self.parts };
            let selector = parser.whole(is_relative);
            self.parts = parser.parts;
            match selector {
                Some(selector) => selectors.push(selector),
                None if is_forgiving => {}
                None => return None,
            }
        }
        Some(selectors)
    }
}

fn most_specific(list: &[Selector]) -> Specificity {
    list.iter().map(|selector| selector.specificity).max().unwrap_or((0, 0, 0))
}

/// Return the numbers of `an+b`, `odd` or `even`.
pub fn formula_of(formula: &str) -> Option<(i32, i32)> {
    let formula: String = formula.chars().filter(|letter| !is_space(*letter as u32)).collect();
    let formula = formula.to_ascii_lowercase();
    match &*formula {
        "odd" => return Some((2, 1)),
        "even" => return Some((2, 0)),
        _ => {}
    }
    let number = |text: &str| text.strip_prefix('+').unwrap_or(text).parse::<i32>().ok();
    match formula.split_once('n') {
        None => Some((0, number(&formula)?)),
        Some((step, offset)) => {
            let step = match step {
                "" | "+" => 1,
                "-" => -1,
                _ => number(step)?,
            };
            Some((step, if offset.is_empty() { 0 } else { number(offset)? }))
        }
    }
}
