//! Evaluates CSS math: `calc()`, `min()`, `max()` and `clamp()`.

use crate::lengths::{number, pixels_of};

const FUNCTIONS: [&str; 4] = ["calc(", "min(", "max(", "clamp("];
/// Brackets in brackets that are worked out.
const DEEPEST: usize = 16;

/// A number, a length in pixels, or a percentage.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Quantity {
    value: f64,
    unit: &'static str,
}

/// Return a value with its calculations evaluated, as far as they are supported.
pub fn calculated(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some(at) = FUNCTIONS.iter().filter_map(|name| start_of(rest, name)).min() {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let mut reader = Reader { text: rest.as_bytes(), at: 0, depth: 0 };
        match reader.operand() {
            Some(Quantity { value, unit }) => {
                out.push_str(&format!("{:.6}{}", value, unit));
                rest = &rest[reader.at..];
            }
            None => {
                let size = rest.find('(').map_or(rest.len(), |bracket| bracket + 1);
                out.push_str(&rest[..size]);
                rest = &rest[size..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Return the position of a call of exactly that function.
fn start_of(text: &str, name: &str) -> Option<usize> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    text.match_indices(name).map(|(at, _)| at).find(|&at| at == 0 || !is_letter(text.as_bytes()[at - 1]))
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn skip_spaces(&mut self) {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }

    fn takes(&mut self, sign: &[u8]) -> bool {
        let is_next = self.text[self.at..].starts_with(sign);
        self.at += if is_next { sign.len() } else { 0 };
        is_next
    }

    fn sum(&mut self) -> Option<Quantity> {
        let mut total = self.product()?;
        loop {
            self.skip_spaces();
            let sign = if self.takes(b"+") {
                1.0
            } else if self.takes(b"-") {
                -1.0
            } else {
                return Some(total);
            };
            let other = self.product()?;
            // Zero has no unit of its own.
            if other.unit != total.unit && other.value != 0.0 && total.value != 0.0 {
                return None;
            }
            let unit = if total.unit.is_empty() || total.value == 0.0 { other.unit } else { total.unit };
            total = Quantity { value: total.value + sign * other.value, unit };
        }
    }

    fn product(&mut self) -> Option<Quantity> {
        let mut total = self.operand()?;
        loop {
            self.skip_spaces();
            let is_times = self.takes(b"*");
            if !is_times && !self.takes(b"/") {
                return Some(total);
            }
            let other = self.operand()?;
            total = match (is_times, total.unit, other.unit) {
                (true, unit, "") | (true, "", unit) => Quantity { value: total.value * other.value, unit },
                (false, unit, "") if other.value != 0.0 => Quantity { value: total.value / other.value, unit },
                _ => return None,
            };
        }
    }

    fn operand(&mut self) -> Option<Quantity> {
        self.skip_spaces();
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let quantity = if self.takes(b"(") || self.takes(b"calc(") {
            let inner = self.sum()?;
            self.skip_spaces();
            Some(inner).filter(|_| self.takes(b")"))
        } else if self.takes(b"min(") {
            self.list().and_then(|all| {
                all.into_iter().reduce(|least, other| if other.value < least.value { other } else { least })
            })
        } else if self.takes(b"max(") {
            self.list().and_then(|all| {
                all.into_iter().reduce(|most, other| if other.value > most.value { other } else { most })
            })
        } else if self.takes(b"clamp(") {
            match &self.list()?[..] {
                [least, preferred, most] => {
                    Some(Quantity { value: preferred.value.min(most.value).max(least.value), unit: preferred.unit })
                }
                _ => None,
            }
        } else {
            self.number()
        };
        self.depth -= 1;
        quantity
    }

    /// Parse values of the same unit, separated by commas, up to a closing bracket.
    fn list(&mut self) -> Option<Vec<Quantity>> {
        let mut all = Vec::new();
        loop {
            all.push(self.sum()?);
            self.skip_spaces();
            if self.takes(b")") {
                break;
            }
            if !self.takes(b",") {
                return None;
            }
        }
        let unit = all.iter().find(|quantity| quantity.value != 0.0).map_or("", |quantity| quantity.unit);
        Some(all).filter(|all| all.iter().all(|quantity| quantity.unit == unit || quantity.value == 0.0))
    }

    fn number(&mut self) -> Option<Quantity> {
        let start = self.at;
        while let Some(&byte) = self.text.get(self.at) {
            let is_sign = matches!(byte, b'+' | b'-') && self.at == start;
            if !is_sign && !byte.is_ascii_alphanumeric() && !matches!(byte, b'.' | b'%') {
                break;
            }
            self.at += 1;
        }
        let (value, unit) = number(std::str::from_utf8(&self.text[start..self.at]).ok()?)?;
        match unit {
            "" => Some(Quantity { value, unit: "" }),
            "%" => Some(Quantity { value, unit: "%" }),
            unit => Some(Quantity { value: value * pixels_of(unit)?, unit: "px" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calculations_are_done() {
        for (value, expected) in [
            ("calc(1 - 1)", "0.000000"),
            ("calc(0*3)", "0.000000"),
            ("calc(1px - (2px + 3px) * 2)", "-9.000000px"),
            ("min(0px, 1em) auto", "0.000000px auto"),
            ("max(-9999px,-8888px)", "-8888.000000px"),
            ("clamp(0px,0px,16px)", "0.000000px"),
            ("calc(100% / 2)", "50.000000%"),
            ("calc(100% - 10px)", "calc(100% - 10px)"),
            ("calc(1px", "calc(1px"),
            ("minmax(0, 1fr)", "minmax(0, 1fr)"),
            ("calc(1 / 0)", "calc(1 / 0)"),
            ("red", "red"),
        ] {
            assert_eq!(calculated(value), expected, "{}", value);
        }
        calculated(&"calc(".repeat(10_000));
    }
}
