//! Parses CSS colours.

use crate::lengths::{calls, number, words};
use crate::selector_parser::split_list;

/// Red, green, blue and how opaque it is, each of 0 to 1.
pub type Colour = [f64; 4];

/// Parse a colour. None if it is invalid or depends on the browser.
pub fn colour(value: &str) -> Option<Colour> {
    if let Some(digits) = value.strip_prefix('#') {
        return hexadecimal(digits);
    }
    if value.ends_with(')') {
        return match calls(value).first() {
            Some(&(name, inner, 0, end)) if end == value.len() => function(name, inner),
            _ => None,
        };
    }
    match value {
        "transparent" => Some([0.0; 4]),
        "canvas" | "field" => Some([1.0; 4]),
        "canvastext" | "fieldtext" => Some([0.0, 0.0, 0.0, 1.0]),
        _ => NAMES.binary_search_by_key(&value, |(name, _)| name).ok().map(|place| of_rgb(NAMES[place].1)),
    }
}

/// Whether a value is a valid colour, even if its components depend on the browser.
pub fn is_colour(value: &str) -> bool {
    const FUNCTIONS: [&str; 7] = ["oklab", "oklch", "lch", "light-dark", "device-cmyk", "color", "color-mix"];
    value == "currentcolor"
        || colour(value).is_some()
        || (value.ends_with(')') && calls(value).first().map_or(false, |call| FUNCTIONS.contains(&call.0)))
}

fn of_rgb(rgb: u32) -> Colour {
    let part = |shift: u32| f64::from(rgb >> shift & 0xFF) / 255.0;
    [part(16), part(8), part(0), 1.0]
}

fn hexadecimal(digits: &str) -> Option<Colour> {
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let step = match digits.len() {
        3 | 4 => 1,
        6 | 8 => 2,
        _ => return None,
    };
    let part = |at: usize| {
        let digits = digits.get(at * step..(at + 1) * step)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        Some(f64::from(if step == 1 { value * 17 } else { value }) / 255.0)
    };
    Some([part(0)?, part(1)?, part(2)?, part(3).unwrap_or(1.0)])
}

fn function(name: &str, inner: &str) -> Option<Colour> {
    if name == "color-mix" {
        return mixed(inner);
    }
    let inner = inner.replace(&['/', ','][..], " ");
    let mut parts: Vec<&str> = words(&inner).collect();
    if name == "color" {
        if !matches!(parts.first(), Some(&("srgb" | "srgb-linear" | "display-p3" | "a98-rgb" | "rec2020"))) {
            return None;
        }
        parts.remove(0);
    }
    let opaque = match parts.len() {
        3 => 1.0,
        4 => part(parts[3], 1.0)?.clamp(0.0, 1.0),
        _ => return None,
    };
    let clamp = |value: f64| value.clamp(0.0, 1.0);
    let [red, green, blue] = match name {
        "rgb" | "rgba" => [part(parts[0], 255.0)?, part(parts[1], 255.0)?, part(parts[2], 255.0)?],
        "color" => [part(parts[0], 1.0)?, part(parts[1], 1.0)?, part(parts[2], 1.0)?],
        "hsl" | "hsla" => of_hsl(angle(parts[0])?, part(parts[1], 100.0)?, part(parts[2], 100.0)?),
        "hwb" => of_hwb(angle(parts[0])?, part(parts[1], 100.0)?, part(parts[2], 100.0)?),
        // Of the others only black and white are the same by their lightness alone.
        "lab" | "lch" => of_lightness(part(parts[0], 100.0)?)?,
        "oklab" | "oklch" => of_lightness(part(parts[0], 1.0)?)?,
        _ => return None,
    };
    Some([clamp(red), clamp(green), clamp(blue), opaque])
}

/// A part of a colour as a share of its whole; percentages have their own.
fn part(value: &str, whole: f64) -> Option<f64> {
    match number(value) {
        _ if value == "none" => Some(0.0),
        Some((value, "%")) => Some(value / 100.0),
        Some((value, "")) => Some(value / whole),
        _ => None,
    }
}

/// An angle as a share of a turn.
fn angle(value: &str) -> Option<f64> {
    if value == "none" {
        return Some(0.0);
    }
    let (value, unit) = number(value)?;
    let turn = match unit {
        "" | "deg" => 360.0,
        "grad" => 400.0,
        "rad" => std::f64::consts::TAU,
        "turn" => 1.0,
        _ => return None,
    };
    Some((value / turn).rem_euclid(1.0))
}

fn of_hsl(hue: f64, saturation: f64, lightness: f64) -> [f64; 3] {
    let reach = saturation.clamp(0.0, 1.0) * lightness.min(1.0 - lightness);
    let part = |offset: f64| {
        let place = (offset + hue * 12.0) % 12.0;
        lightness - reach * (place - 3.0).min(9.0 - place).clamp(-1.0, 1.0)
    };
    [part(0.0), part(8.0), part(4.0)]
}

fn of_hwb(hue: f64, white: f64, black: f64) -> [f64; 3] {
    if white + black >= 1.0 {
        return [white / (white + black); 3];
    }
    of_hsl(hue, 1.0, 0.5).map(|part| part * (1.0 - white - black) + white)
}

fn of_lightness(lightness: f64) -> Option<[f64; 3]> {
    match lightness {
        light if light >= 1.0 => Some([1.0; 3]),
        light if light <= 0.0 => Some([0.0; 3]),
        _ => None,
    }
}

/// `color-mix(in srgb, red 20%, blue)`, in any space as in sRGB.
fn mixed(inner: &str) -> Option<Colour> {
    let parts = split_list(inner);
    let side = |text: &str| {
        let share =
            words(text).find_map(|word| number(word).filter(|share| share.1 == "%")).map(|(share, _)| share / 100.0);
        let colours: Vec<&str> = words(text).filter(|word| !word.ends_with('%')).collect();
        Some((colour(&colours.join(" "))?, share))
    };
    let ((colour, first), (other, second)) = match parts[..] {
        [_, colour, other] => (side(colour)?, side(other)?),
        _ => return None,
    };
    let (first, second) = match (first, second) {
        (Some(first), Some(second)) => (first, second),
        (Some(first), None) => (first, 1.0 - first),
        (None, Some(second)) => (1.0 - second, second),
        (None, None) => (0.5, 0.5),
    };
    let sum = first + second;
    if sum <= 0.0 {
        return None;
    }
    let (first, second) = (first / sum, second / sum);
    let opaque = colour[3] * first + other[3] * second;
    let mix = |at: usize| (colour[at] * colour[3] * first + other[at] * other[3] * second) / opaque.max(1e-9);
    Some([mix(0), mix(1), mix(2), opaque * sum.min(1.0)])
}

/// The named colours of CSS, in alphabetical order.
#[rustfmt::skip]
const NAMES: [(&str, u32); 148] = [
    ("aliceblue", 0xF0F8FF), ("antiquewhite", 0xFAEBD7), ("aqua", 0x00FFFF), ("aquamarine", 0x7FFFD4),
    ("azure", 0xF0FFFF), ("beige", 0xF5F5DC), ("bisque", 0xFFE4C4), ("black", 0x000000), ("blanchedalmond", 0xFFEBCD),
    ("blue", 0x0000FF), ("blueviolet", 0x8A2BE2), ("brown", 0xA52A2A), ("burlywood", 0xDEB887),
    ("cadetblue", 0x5F9EA0), ("chartreuse", 0x7FFF00), ("chocolate", 0xD2691E), ("coral", 0xFF7F50),
    ("cornflowerblue", 0x6495ED), ("cornsilk", 0xFFF8DC), ("crimson", 0xDC143C), ("cyan", 0x00FFFF),
    ("darkblue", 0x00008B), ("darkcyan", 0x008B8B), ("darkgoldenrod", 0xB8860B), ("darkgray", 0xA9A9A9),
    ("darkgreen", 0x006400), ("darkgrey", 0xA9A9A9), ("darkkhaki", 0xBDB76B), ("darkmagenta", 0x8B008B),
    ("darkolivegreen", 0x556B2F), ("darkorange", 0xFF8C00), ("darkorchid", 0x9932CC), ("darkred", 0x8B0000),
    ("darksalmon", 0xE9967A), ("darkseagreen", 0x8FBC8F), ("darkslateblue", 0x483D8B), ("darkslategray", 0x2F4F4F),
    ("darkslategrey", 0x2F4F4F), ("darkturquoise", 0x00CED1), ("darkviolet", 0x9400D3), ("deeppink", 0xFF1493),
    ("deepskyblue", 0x00BFFF), ("dimgray", 0x696969), ("dimgrey", 0x696969), ("dodgerblue", 0x1E90FF),
    ("firebrick", 0xB22222), ("floralwhite", 0xFFFAF0), ("forestgreen", 0x228B22), ("fuchsia", 0xFF00FF),
    ("gainsboro", 0xDCDCDC), ("ghostwhite", 0xF8F8FF), ("gold", 0xFFD700), ("goldenrod", 0xDAA520),
    ("gray", 0x808080), ("green", 0x008000), ("greenyellow", 0xADFF2F), ("grey", 0x808080), ("honeydew", 0xF0FFF0),
    ("hotpink", 0xFF69B4), ("indianred", 0xCD5C5C), ("indigo", 0x4B0082), ("ivory", 0xFFFFF0), ("khaki", 0xF0E68C),
    ("lavender", 0xE6E6FA), ("lavenderblush", 0xFFF0F5), ("lawngreen", 0x7CFC00), ("lemonchiffon", 0xFFFACD),
    ("lightblue", 0xADD8E6), ("lightcoral", 0xF08080), ("lightcyan", 0xE0FFFF), ("lightgoldenrodyellow", 0xFAFAD2),
    ("lightgray", 0xD3D3D3), ("lightgreen", 0x90EE90), ("lightgrey", 0xD3D3D3), ("lightpink", 0xFFB6C1),
    ("lightsalmon", 0xFFA07A), ("lightseagreen", 0x20B2AA), ("lightskyblue", 0x87CEFA), ("lightslategray", 0x778899),
    ("lightslategrey", 0x778899), ("lightsteelblue", 0xB0C4DE), ("lightyellow", 0xFFFFE0), ("lime", 0x00FF00),
    ("limegreen", 0x32CD32), ("linen", 0xFAF0E6), ("magenta", 0xFF00FF), ("maroon", 0x800000),
    ("mediumaquamarine", 0x66CDAA), ("mediumblue", 0x0000CD), ("mediumorchid", 0xBA55D3), ("mediumpurple", 0x9370DB),
    ("mediumseagreen", 0x3CB371), ("mediumslateblue", 0x7B68EE), ("mediumspringgreen", 0x00FA9A),
    ("mediumturquoise", 0x48D1CC), ("mediumvioletred", 0xC71585), ("midnightblue", 0x191970), ("mintcream", 0xF5FFFA),
    ("mistyrose", 0xFFE4E1), ("moccasin", 0xFFE4B5), ("navajowhite", 0xFFDEAD), ("navy", 0x000080),
    ("oldlace", 0xFDF5E6), ("olive", 0x808000), ("olivedrab", 0x6B8E23), ("orange", 0xFFA500),
    ("orangered", 0xFF4500), ("orchid", 0xDA70D6), ("palegoldenrod", 0xEEE8AA), ("palegreen", 0x98FB98),
    ("paleturquoise", 0xAFEEEE), ("palevioletred", 0xDB7093), ("papayawhip", 0xFFEFD5), ("peachpuff", 0xFFDAB9),
    ("peru", 0xCD853F), ("pink", 0xFFC0CB), ("plum", 0xDDA0DD), ("powderblue", 0xB0E0E6), ("purple", 0x800080),
    ("rebeccapurple", 0x663399), ("red", 0xFF0000), ("rosybrown", 0xBC8F8F), ("royalblue", 0x4169E1),
    ("saddlebrown", 0x8B4513), ("salmon", 0xFA8072), ("sandybrown", 0xF4A460), ("seagreen", 0x2E8B57),
    ("seashell", 0xFFF5EE), ("sienna", 0xA0522D), ("silver", 0xC0C0C0), ("skyblue", 0x87CEEB),
    ("slateblue", 0x6A5ACD), ("slategray", 0x708090), ("slategrey", 0x708090), ("snow", 0xFFFAFA),
    ("springgreen", 0x00FF7F), ("steelblue", 0x4682B4), ("tan", 0xD2B48C), ("teal", 0x008080), ("thistle", 0xD8BFD8),
    ("tomato", 0xFF6347), ("turquoise", 0x40E0D0), ("violet", 0xEE82EE), ("wheat", 0xF5DEB3), ("white", 0xFFFFFF),
    ("whitesmoke", 0xF5F5F5), ("yellow", 0xFFFF00), ("yellowgreen", 0x9ACD32),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_in_all_spellings() {
        let white = Some([1.0; 4]);
        for value in [
            "#fff",
            "#FFFFFF",
            "#ffff",
            "white",
            "rgb(255, 255 255)",
            "rgb(100% 100% 100%)",
            "hsl(0,0%,100%)",
            "hwb(0 100% 0%)",
            "lab(100 0 0)",
            "color(srgb 1 1 1)",
            "color-mix(in srgb, white, white)",
            "canvas",
        ] {
            assert_eq!(colour(&value.to_lowercase()), white, "{}", value);
        }
        for value in ["transparent", "rgba(0,0,0,0)", "rgb(0 0 0 / none)", "color-mix(in srgb, red, transparent 100%)"]
        {
            assert_eq!(colour(value).map(|colour| colour[3]), Some(0.0), "{}", value);
        }
        for value in ["", "nonsense", "none", "inherit", "#ffff0", "rgb(1,2)", "#ggg", "url(white)"] {
            assert_eq!(colour(value), None, "{}", value);
        }
        assert_eq!(colour("hsl(240,100%,50%)"), colour("blue"));
        assert!(NAMES.windows(2).all(|two| two[0].0 < two[1].0), "sorted for the search");
    }
}
