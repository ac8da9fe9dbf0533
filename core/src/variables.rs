//! Finds CSS variables whose values may hide something.

use crate::keyed_hash::Map;
use crate::lengths::{folded, is_name_byte, number, pixels};
use crate::paints::Paint;
use crate::sheet::Written;
use crate::styles::with_variables;
use crate::units::Unit;

/// Kinds of values that hide, as bits: transparent or light colours, keywords such as `none`, sizes near zero, large distances.
pub const COLOUR: u8 = 1;
const WORD: u8 = 2;
const ZERO: u8 = 4;
const AWAY: u8 = 8;

/// The variables of a sheet.
#[derive(Default)]
pub struct Variables {
    /// Those that have a value which may hide something, with its kinds.
    pub hiding: Map<String, u8>,
    /// The values of variables that only rules for the whole page set.
    pub constants: Map<String, String>,
    /// The rules that set others, in order, with the values.
    pub setters: Map<String, Vec<(Written, String)>>,
}

impl Variables {
    /// The kinds of values by which properties hide if they have the values of variables.
    pub fn kinds(&self, used: &[(u8, String)]) -> u8 {
        let kinds = used.iter().map(|(kind, name)| kind & self.hiding.get(name).copied().unwrap_or(0));
        kinds.fold(0, |all, kind| all | kind)
    }
}

/// Rounds in which variables are looked up in variables.
const ROUNDS: usize = 3;

/// The kind of value with which a property hides; 0 for a property that does not hide by itself.
pub fn kind_of(property: &str) -> u8 {
    match property {
        "color" | "-webkit-text-fill-color" => COLOUR,
        "display" | "visibility" | "content-visibility" => WORD,
        "opacity" | "font-size" | "font" | "height" | "width" | "max-height" | "max-width" | "zoom" | "scale" => ZERO,
        "left" | "right" | "top" | "bottom" | "inset" | "margin" | "margin-left" | "margin-top" | "text-indent"
        | "letter-spacing" | "translate" => AWAY,
        "transform" | "clip" | "clip-path" | "mask" | "mask-image" | "filter" => ZERO | AWAY,
        _ => 0,
    }
}

fn kind_of_value(value: &str) -> u8 {
    let paint = Paint::of(value);
    let mut kind = if paint == Paint::Transparent || paint.is_light() { COLOUR } else { 0 };
    if matches!(value, "none" | "hidden" | "collapse") {
        kind |= WORD | ZERO;
    }
    if let Some((size, _)) = number(value) {
        if size.abs() <= 0.1 || pixels(value).map_or(false, |length| length.abs() <= 1.0) {
            kind |= ZERO;
        }
        if pixels(value).map_or(size.abs() >= 100.0, |length| length.abs() >= 500.0 || length <= -6.0) {
            kind |= AWAY;
        }
    } else if value.contains('(') && !value.contains("var(") && paint == Paint::Unknown {
        kind |= ZERO | AWAY; // a calculation
    }
    kind
}

/// The variables of a sheet that have a value which may hide something, wherever they are set, with its kinds.
pub fn hiding_variables(css: &str) -> Map<String, u8> {
    let mut result = Map::default();
    if !css.contains("var(") {
        return result;
    }
    let mut chains: Vec<(&str, String)> = Vec::new();
    let bytes = css.as_bytes();
    let mut from = 0;
    while let Some(at) = Unit::find(bytes, from, b'-') {
        from = at + 1;
        let is_begun = at == 0 || matches!(bytes[at - 1], b'{' | b';' | 9..=13 | b' ' | b'/');
        if !is_begun || bytes.get(at + 1) != Some(&b'-') {
            continue;
        }
        let end = at + bytes[at..].iter().take_while(|&&byte| byte >= 0x80 || is_name_byte(byte)).count();
        if let Some(rest) = css[end..].trim_start().strip_prefix(':') {
            let value = folded(rest.split(&[';', '}'][..]).next().unwrap_or(""));
            let kind = kind_of_value(&value);
            if kind != 0 {
                *result.entry(css[at..end].to_string()).or_insert(0) |= kind;
            }
            if value.contains("var(") {
                chains.push((&css[at..end], value));
            }
        }
    }
    for _ in 0..ROUNDS {
        for (name, value) in &chains {
            let mut kind = 0;
            with_variables(value, &mut |inner: &str| {
                kind |= result.get(inner).copied().unwrap_or(0);
                None
            });
            if kind != 0 {
                *result.entry(name.to_string()).or_insert(0) |= kind;
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_told_by_the_resultof_their_values() {
        let result = hiding_variables(
            ":root{--a:none;--b:#fff;--c:12px;--d:var(--a);--e:-9999px;--f:0}p{display:var(--a);--c:#333}",
        );
        let kind = |name: &str| result.get(name).copied().unwrap_or(0);
        assert_eq!(kind("--a") & WORD, WORD);
        assert_eq!(kind("--b"), COLOUR);
        assert_eq!(kind("--c"), 0);
        assert_eq!(kind("--d") & WORD, WORD);
        assert_eq!(kind("--e"), AWAY);
        assert_eq!(kind("--f"), ZERO);
        assert!(hiding_variables("p{--a:none}").is_empty(), "nothing uses it");
    }
}
