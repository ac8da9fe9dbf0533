//! Parses CSS selectors (Selectors Level 4) and computes their specificity.

use crate::css_text::unescaped;
use crate::lengths::{is_name_byte, strip};
use crate::selectors::{AttributeTest, Combinator, Compound, Operator, Selector, Specificity, Test};
use crate::units::is_space;

mod pseudo_classes;

/// The maximum depth of nested selectors, as in `:not(:is(…))`.
const DEEPEST: usize = 8;
/// The maximum number of parts of a selector; longer selectors are treated as invalid.
const MOST_PARTS: usize = 64;

/// Split a selector list at commas outside of brackets and strings.
pub fn split_list(list: &str) -> Vec<&str> {
    let bytes = list.as_bytes();
    if !bytes.contains(&b',') {
        return vec![list];
    }
    let (mut parts, mut start, mut depth, mut at) = (Vec::new(), 0, 0usize, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            quote @ (b'"' | b'\'') => at = end_of_string(bytes, at, quote),
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&list[start..]);
    parts
}

/// Return the position of the quote that ends a string, or the end of the text.
fn end_of_string(bytes: &[u8], at: usize, quote: u8) -> usize {
    let mut place = at + 1;
    while place < bytes.len() && bytes[place] != quote {
        place += if bytes[place] == b'\\' { 2 } else { 1 };
    }
    place
}

/// Whether all selectors of a list are valid. Selectors of pseudo-elements are.
pub fn is_valid_list(list: &str) -> bool {
    split_list(list).into_iter().all(|selector| {
        let selector = strip(selector);
        let element = PSEUDO_ELEMENTS.iter().find_map(|name| selector.find(name));
        match selector.find("::").or(element) {
            Some(0) => true,
            Some(at) => parse(&selector[..at]).is_some() && is_pseudo_element(&selector[at..]),
            None => parse(selector).is_some(),
        }
    })
}

/// Pseudo-elements that may be written with one colon.
const PSEUDO_ELEMENTS: [&str; 4] = [":before", ":after", ":first-line", ":first-letter"];

fn is_pseudo_element(text: &str) -> bool {
    const NAMES: [&str; 16] = [
        "before",
        "after",
        "first-l",
        "marker",
        "placeholder",
        "selection",
        "backdrop",
        "file-selector",
        "cue",
        "part(",
        "slotted(",
        "view-transition",
        "highlight(",
        "details-content",
        "target-text",
        "-",
    ];
    let name = text.trim_start_matches(':');
    NAMES.iter().any(|prefix| name.starts_with(prefix))
}

/// Parse a selector. None if it is invalid or selects a pseudo-element, which is no element of the page.
pub fn parse(selector: &str) -> Option<Selector> {
    Parser { text: selector, at: 0, depth: 0, parts: 0 }.whole(false)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    parts: usize,
}

impl<'a> Parser<'a> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_spaces(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let size = rest.len() - rest.trim_start_matches(|letter: char| is_space(letter as u32)).len();
        self.at += size;
        size > 0
    }

    /// Parse a selector up to the end of the text; a relative selector may begin with a combinator.
    fn whole(&mut self, is_relative: bool) -> Option<Selector> {
        let mut parts = Vec::new();
        let mut specificity = (0, 0, 0);
        self.skip_spaces();
        let mut combinator = match self.combinator() {
            Some(combinator) if is_relative => combinator,
            Some(_) => return None,
            None => Combinator::Descendant,
        };
        loop {
            let compound = self.compound(&mut specificity)?;
            parts.push((combinator, compound));
            let has_space = self.skip_spaces();
            combinator = match self.combinator() {
                Some(combinator) => combinator,
                None if self.byte().is_none() => return Some(Selector { parts, specificity }),
                None if has_space => Combinator::Descendant,
                None => return None,
            };
        }
    }

    fn combinator(&mut self) -> Option<Combinator> {
        let combinator = match self.byte()? {
            b'>' => Combinator::Child,
            b'+' => Combinator::NextSibling,
            b'~' => Combinator::LaterSibling,
            _ => return None,
        };
        self.at += 1;
        self.skip_spaces();
        Some(combinator)
    }

    fn compound(&mut self, specificity: &mut Specificity) -> Option<Compound> {
        let mut compound = Compound::default();
        let start = self.at;
        self.parts += 1;
        match self.byte()? {
            b'*' => self.at += 1,
            b'|' => {}
            _ => {
                if let Some(name) = self.identifier() {
                    compound.name = Some(name.to_ascii_lowercase());
                    specificity.2 += 1;
                }
            }
        }
        // A namespace: `svg|a`, `*|a`, `|a`.
        if self.byte() == Some(b'|') && self.text.as_bytes().get(self.at + 1) != Some(&b'=') {
            self.at += 1;
            specificity.2 -= u32::from(compound.name.is_some());
            compound.name = None;
            match self.byte() {
                Some(b'*') => self.at += 1,
                _ => {
                    compound.name = Some(self.identifier()?.to_ascii_lowercase());
                    specificity.2 += 1;
                }
            }
        }
        while let Some(byte) = self.byte() {
            self.parts += 1;
            if self.parts > MOST_PARTS {
                return None;
            }
            match byte {
                b'.' => {
                    self.at += 1;
                    compound.tests.push(Test::Class(self.identifier()?));
                    specificity.1 += 1;
                }
                b'#' => {
                    self.at += 1;
                    compound.tests.push(Test::Id(self.identifier()?));
                    specificity.0 += 1;
                }
                b'[' => {
                    compound.tests.push(Test::Attribute(self.attribute()?));
                    specificity.1 += 1;
                }
                b':' => {
                    self.at += 1;
                    compound.tests.extend(self.pseudo_class(specificity)?);
                }
                _ => break,
            }
        }
        if self.at == start {
            None
        } else {
            Some(compound)
        }
    }

    /// Parse a name with its escapes. None if there is none.
    fn identifier(&mut self) -> Option<String> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        while let Some(&byte) = bytes.get(self.at) {
            if byte == b'\\' {
                let digits = bytes[self.at + 1..].iter().take(6).take_while(|byte| byte.is_ascii_hexdigit()).count();
                if digits > 0 {
                    self.at += 1 + digits;
                    self.at += usize::from(matches!(bytes.get(self.at), Some(9..=13 | 32)));
                } else {
                    let letter = self.text[self.at + 1..].chars().next().filter(|letter| *letter != '\n')?;
                    self.at += 1 + letter.len_utf8();
                }
            } else if byte >= 0x80 || is_name_byte(byte) {
                self.at += 1;
            } else {
                break;
            }
        }
        let name = &self.text[start..self.at];
        match name.as_bytes() {
            [] | [b'0'..=b'9', ..] | [b'-'] | [b'-', b'0'..=b'9', ..] => None,
            _ if name.contains('\\') => Some(unescaped(name)),
            _ => Some(name.into()),
        }
    }

    fn attribute(&mut self) -> Option<AttributeTest> {
        self.at += 1;
        self.skip_spaces();
        if self.text[self.at..].starts_with("*|") {
            self.at += 2;
        } else if self.byte() == Some(b'|') {
            self.at += 1;
        }
        let name = self.identifier()?.to_ascii_lowercase();
        self.skip_spaces();
        let operator = match self.byte()? {
            b']' => Operator::Exists,
            b'=' => Operator::Equals,
            b'~' => Operator::Word,
            b'|' => Operator::Prefix,
            b'^' => Operator::Starts,
            b'$' => Operator::Ends,
            b'*' => Operator::Contains,
            _ => return None,
        };
        let mut test = AttributeTest { name, operator, value: String::new(), ignores_case: false };
        self.at += 1;
        if operator == Operator::Exists {
            return Some(test);
        }
        if operator != Operator::Equals {
            if self.byte()? != b'=' {
                return None;
            }
            self.at += 1;
        }
        self.skip_spaces();
        test.value = match self.byte()? {
            quote @ (b'"' | b'\'') => {
                let start = self.at + 1;
                let end = end_of_string(self.text.as_bytes(), self.at, quote);
                self.at = end + 1;
                unescaped(self.text.get(start..end)?)
            }
            _ => self.identifier()?,
        };
        self.skip_spaces();
        if matches!(self.byte()?, b'i' | b'I') {
            test.ignores_case = true;
            self.at += 1;
            self.skip_spaces();
        }
        // HTML compares the values of some attributes without regard to case.
        test.ignores_case |= matches!(&*test.name, "type" | "rel" | "media" | "dir" | "lang" | "align" | "shape");
        if self.byte()? != b']' {
            return None;
        }
        self.at += 1;
        Some(test)
    }
}

#[cfg(test)]
mod tests {
    use super::pseudo_classes::formula_of;
    use super::*;

    #[test]
    fn specificity_is_counted_as_browsers_do() {
        for (selector, expected) in [
            ("p", (0, 0, 1)),
            ("*", (0, 0, 0)),
            ("#a .b > c", (1, 1, 1)),
            (":is(#a, .b) p", (1, 0, 1)),
            (":where(#a) p", (0, 0, 1)),
            ("p:not(.a.b)", (0, 2, 1)),
            ("p:nth-child(2n+1 of .a)", (0, 2, 1)),
            ("[a=b]:hover", (0, 2, 0)),
            ("a:has(> #b)", (1, 0, 1)),
            ("svg|a", (0, 0, 1)),
        ] {
            assert_eq!(parse(selector).map(|found| found.specificity), Some(expected), "{}", selector);
        }
    }

    #[test]
    fn invalid_selectors_and_pseudo_elements_are_none() {
        for selector in ["", ">", "a >", "> a", "a,b", "p::before", "p:before", "a:unknown", "[a", ".1", "a b)", ":is"]
        {
            assert_eq!(parse(selector), None, "{}", selector);
        }
        assert!(parse(":is(a, ::before, b)").is_some(), "a forgiving list");
        assert_eq!(parse(":not(a, ::before)"), None);
    }

    #[test]
    fn lists_are_split_outside_brackets_and_strings() {
        assert_eq!(split_list("a, :is(b,c) ,[d=',']"), ["a", " :is(b,c) ", "[d=',']"]);
    }

    #[test]
    fn formulas_give_step_and_offset() {
        for (formula, expected) in
            [("odd", (2, 1)), ("2n + 1", (2, 1)), ("-n+3", (-1, 3)), ("n", (1, 0)), ("4", (0, 4)), ("+3n-2", (3, -2))]
        {
            assert_eq!(formula_of(formula), Some(expected), "{}", formula);
        }
        assert_eq!(formula_of("x"), None);
    }

    #[test]
    fn deep_nesting_is_invalid_and_ends() {
        assert_eq!(parse(&(":not(".repeat(500) + "a" + &")".repeat(500))), None);
        assert_eq!(parse(&"a>".repeat(10_000)), None);
    }
}
