//! Builds the inlines of a block from characters and their styles.

use super::{BuiltBlocks, Style, INLINE_NUMBERS, STYLE_BITS, TEXT_NUMBERS};
use crate::units::is_space;

/// A builder of inlines. In folded text, white space is a single space or line break, and none is at the ends of a block.
pub struct Inlines<'a> {
    text: &'a mut Vec<u32>,
    rows: &'a mut Vec<[i64; INLINE_NUMBERS]>,
    texts: &'a mut Vec<[u32; TEXT_NUMBERS]>,
    style: Style,
    /// White space that is added before the next word.
    waiting: Option<(u32, Style)>,
    has_begun: bool,
}

impl<'a> Inlines<'a> {
    pub fn new(built: &'a mut BuiltBlocks) -> Self {
        let BuiltBlocks { text, inlines, texts, .. } = built;
        Inlines { text, rows: inlines, texts, style: Style::default(), waiting: None, has_begun: false }
    }

    pub fn end(&mut self) {
        if !self.has_begun {
            return;
        }
        let Style { address, bits, texts } = self.style;
        let row = if texts == [0; TEXT_NUMBERS] {
            0
        } else {
            if self.texts.last() != Some(&texts) {
                self.texts.push(texts);
            }
            self.texts.len() as i64
        };
        self.rows.push([self.text.len() as i64, i64::from(address), row << STYLE_BITS | i64::from(bits)]);
    }

    pub fn add(&mut self, code: u32, style: Style) {
        if self.has_begun && style != self.style {
            self.end();
        }
        self.style = style;
        self.has_begun = true;
        self.text.push(code);
    }

    /// Take several characters. Words with single spaces between them are added together.
    pub fn take_all(&mut self, mut codes: &[u32], style: Style) {
        while let Some((&code, rest)) = codes.split_first() {
            self.take(code, style);
            codes = rest;
            if !is_space(code) {
                let size = plain_words(rest);
                self.text.extend_from_slice(&rest[..size]);
                codes = &rest[size..];
            }
        }
    }

    pub fn take(&mut self, code: u32, style: Style) {
        if !is_space(code) {
            if let Some((blank, shade)) = self.waiting.take() {
                if self.has_begun {
                    self.add(blank, shade);
                }
            }
            self.add(code, style);
        } else if code == u32::from(b'\n') {
            self.waiting = Some((code, style));
        } else if self.waiting.is_none() {
            self.waiting = Some((u32::from(b' '), style));
        }
    }
}

/// Whether a character is certainly not white space.
#[inline(always)]
fn is_sign(code: u32) -> bool {
    let is_from = |first: u32, last: u32| code.wrapping_sub(first) <= last - first;
    is_from(0x21, 0x84) | is_from(0xA1, 0x167F) | is_from(0x200B, 0x2027) | (code > 0x3000)
}

/// Return the number of leading characters that are words or single spaces before a word.
#[inline]
fn plain_words(codes: &[u32]) -> usize {
    let mut at = 0;
    while at < codes.len() {
        // Some together, without a branch inside: most are letters, and single spaces between them.
        const TOGETHER: usize = 16;
        if let Some(chunk) = codes.get(at..=at + TOGETHER) {
            let is_plain = |all, (&code, &next): (&u32, &u32)| all & (is_sign(code) | ((code == 32) & is_sign(next)));
            if chunk.iter().zip(&chunk[1..]).fold(true, is_plain) {
                at += TOGETHER;
                continue;
            }
        }
        if is_space(codes[at]) && (codes[at] != 32 || codes.get(at + 1).map_or(true, |&next| is_space(next))) {
            return at;
        }
        at += 1;
    }
    at
}
