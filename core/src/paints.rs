//! Computes the colours of text and of its background.

use crate::colours::colour;
use crate::styles::{Style, FILL};

/// Letters of at most so much opacity are not seen.
pub const FAINT: f64 = 0.02;
/// Colours whose parts differ by at most this, of 255, look the same.
const SAME: u8 = 6;
/// The least that each part of a light colour has.
const LIGHT: u8 = 230;
const OPAQUE: u8 = 255;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// As around it.
    Inherited,
    /// A picture, a gradient, or a colour that only a browser knows.
    Unknown,
    Transparent,
    /// Red, green, blue and how opaque it is.
    Colour([u8; 4]),
}

pub const BLACK: Paint = Paint::Colour([0, 0, 0, OPAQUE]);
pub const WHITE: Paint = Paint::Colour([OPAQUE; 4]);

impl Paint {
    pub fn is_light(self) -> bool {
        matches!(self, Paint::Colour([red, green, blue, _]) if red >= LIGHT && green >= LIGHT && blue >= LIGHT)
    }

    /// Whether two colours look the same.
    pub fn is_like(self, other: Paint) -> bool {
        match (self, other) {
            (Paint::Colour(colour), Paint::Colour(other)) => {
                (0..3).all(|part| colour[part].abs_diff(other[part]) <= SAME)
            }
            _ => false,
        }
    }

    /// Parse a CSS colour; unknown if that fails.
    pub fn of(value: &str) -> Paint {
        match colour(value) {
            Some(colour) if colour[3] <= FAINT => Paint::Transparent,
            Some(colour) => Paint::Colour(colour.map(|part| (part * 255.0).round() as u8)),
            None => Paint::Unknown,
        }
    }

    /// Parse the colour of an HTML attribute such as `bgcolor`.
    pub fn of_attribute(value: &str) -> Paint {
        let value = value.trim().to_ascii_lowercase();
        let is_hex = matches!(value.len(), 3 | 6) && value.bytes().all(|byte| byte.is_ascii_hexdigit());
        if value.is_empty() {
            Paint::Inherited
        } else if is_hex {
            Paint::of(&format!("#{}", value))
        } else {
            Paint::of(&value)
        }
    }

    /// Return a background over another, which is visible through translucent colours.
    fn on(self, ground: Paint) -> Paint {
        match (self, ground) {
            (Paint::Inherited | Paint::Transparent, _) => ground,
            (_, Paint::Inherited) => self,
            (Paint::Colour(own), _) if own[3] == OPAQUE => self,
            (Paint::Colour(own), Paint::Colour(behind)) if behind[3] == OPAQUE => {
                let opaque = f64::from(own[3]) / 255.0;
                let part = |at: usize| (f64::from(own[at]) * opaque + f64::from(behind[at]) * (1.0 - opaque)) as u8;
                Paint::Colour([part(0), part(1), part(2), OPAQUE])
            }
            _ => Paint::Unknown,
        }
    }

    fn or(self, around: Paint) -> Paint {
        if self == Paint::Inherited {
            around
        } else {
            self
        }
    }
}

/// The colours of text and background.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Paints {
    pub ink: Paint,
    /// `-webkit-text-fill-color`, which is stronger than the colour of letters.
    pub fill: Paint,
    pub ground: Paint,
}

pub const INHERITED: Paints = Paints { ink: Paint::Inherited, fill: Paint::Inherited, ground: Paint::Inherited };

impl Paints {
    /// Whether the colours of ancestors do not matter.
    pub fn is_settled(self) -> bool {
        let is_opaque = !matches!(self.ground, Paint::Inherited | Paint::Transparent)
            && !matches!(self.ground, Paint::Colour(colour) if colour[3] < OPAQUE);
        is_opaque && self.ink != Paint::Inherited && self.fill != Paint::Inherited
    }

    /// Whether letters are not seen on their ground.
    pub fn is_invisible(self) -> bool {
        let letters = self.fill.or(self.ink);
        letters == Paint::Transparent || letters.is_like(self.ground)
    }

    /// Whether text is invisible on any background.
    pub fn is_transparent(self) -> bool {
        self.fill.or(self.ink) == Paint::Transparent
    }

    /// What is painted inside something that is painted so.
    pub fn over(self, around: Paints) -> Paints {
        Paints { ink: self.ink.or(around.ink), fill: self.fill.or(around.fill), ground: self.ground.on(around.ground) }
    }
}

pub fn paints(style: &Style) -> Paints {
    let is_clipped = style.get("background-clip") == Some("text");
    let has_shadow = style.get("text-shadow").map_or(false, |value| value != "none" && value != "initial");
    let letters = |value: Option<&str>| match value {
        None | Some("inherit" | "unset" | "revert-layer" | "") => Paint::Inherited,
        Some(_) if is_clipped || has_shadow => Paint::Unknown,
        Some("initial" | "revert") => BLACK,
        Some(value) => Paint::of(value),
    };
    let fill = match style.get(FILL) {
        Some("currentcolor" | "initial") | None => Paint::Inherited,
        fill => letters(fill),
    };
    let mut ink = letters(style.get("color").filter(|value| *value != "currentcolor"));
    let image = style.get("background-image");
    let has_picture = image.map_or(false, |value| !matches!(value, "none" | "initial" | "unset"));
    let ground = match style.get("background-color") {
        _ if has_picture => Paint::Unknown,
        None | Some("initial" | "unset" | "revert" | "inherit" | "revert-layer") => Paint::Inherited,
        Some("currentcolor") => {
            ink = Paint::Transparent; // letters on their own colour
            Paint::Unknown
        }
        Some(value) => Paint::of(value),
    };
    Paints { ink, fill, ground }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::styles::declared;

    fn of(block: &str) -> Paints {
        paints(&declared(block).all())
    }

    #[test]
    fn letters_in_the_colour_of_their_ground_are_invisible() {
        for block in [
            "color:#fff;background:white",
            "color:#fefefe;background-color:#fff",
            "color:transparent",
            "color:rgba(0,0,0,.01)",
            "-webkit-text-fill-color:transparent;color:red",
            "color:red;background:currentcolor",
        ] {
            assert!(of(block).is_invisible(), "{}", block);
        }
        for block in [
            "color:#eee;background:#fff",
            "color:#fff;background:url(a.png) white",
            "color:#fff",
            "color:transparent;background-clip:text",
            "color:#fff;background:transparent",
            "color:#fff;background:#fff;text-shadow:0 0 2px #000",
        ] {
            assert!(!of(block).is_invisible(), "{}", block);
        }
    }

    #[test]
    fn colours_are_inherited_and_mixed() {
        let page = Paints { ink: BLACK, fill: Paint::Inherited, ground: WHITE };
        let white = of("color:#fff").over(page);
        assert!(white.is_invisible());
        assert!(!of("background:#000").over(white).is_invisible());
        assert!(of("color:#fff;background:rgba(255,255,255,.5)").over(page).is_invisible());
        assert!(of("color:#000").over(of("-webkit-text-fill-color:transparent").over(page)).is_invisible());
        assert!(!of("color:#fff").over(Paints { ground: Paint::Unknown, ..page }).is_invisible());
    }
}
