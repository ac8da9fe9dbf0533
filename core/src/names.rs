//! Splits the class names and ids in start tags into words (`tidings.extractors.learned.lexicon`).

use crate::tables::Tables;
use crate::units::{is_blank, Unit};
use crate::words::{each_word, Vocabulary};

/// The words of the names in the start tags of a page: the spelling each is in, its number.
#[derive(Default)]
pub struct NameWords {
    pub line: Vec<i64>,
    pub word: Vec<i64>,
    /// Each word once, and the place of each there.
    pub vocabulary: Vocabulary,
    pub place: Vec<u32>,
}

impl NameWords {
    /// Those of some ranges of the source, a line each.
    pub fn new<U: Unit>(source: &[U], spelled: &[i64], tables: &Tables) -> NameWords {
        let mut names = NameWords::default();
        let mut values = Vec::new();
        for (line, range) in spelled.chunks_exact(2).enumerate() {
            each_name(&source[range[0] as usize..range[1] as usize], tables, &mut values, |number| {
                names.line.push(line as i64);
                names.word.push(number as i64);
                names.place.push(names.vocabulary.place(number));
            });
        }
        names
    }
}

/// Attributes that name the part an element plays, as nearly all pages write them; also the end of longer names.
const SPELLED: [&[u8]; 4] = [b"class", b"id", b"role", b"itemprop"];
/// Those that are also read in single quotes and without any, then as whole names.
const BARE: usize = 2;
/// The maximum length of names in a tag.
const LONGEST: usize = 300;

/// The order of a value (double-quoted, single-quoted, unquoted; then by attribute) and its range.
type Value = (u8, usize, usize);

/// Call `read` with the hash of each word of the names in a start tag. `values` is a buffer.
#[inline(never)]
fn each_name<U: Unit>(tag: &[U], tables: &Tables, values: &mut Vec<Value>, mut read: impl FnMut(u64)) {
    values.clear();
    U::each(tag, b'=', |sign| {
        // The last letters of the names: other attributes are most.
        if sign == 0 || !matches!(tag[sign - 1].ascii(), b's' | b'd' | b'e' | b'p') {
            return;
        }
        let behind = tag.get(sign + 1).map_or(0, |unit| unit.ascii());
        for (order, name) in SPELLED.iter().enumerate() {
            if sign < name.len()
                || !tag[sign - name.len()..sign].iter().zip(*name).all(|(unit, &letter)| unit.is(letter))
            {
                continue;
            }
            let begin = sign - name.len();
            let is_whole = begin > 0 && (tag[begin - 1].is(b' ') || tag[begin - 1].is(b'\n'));
            match behind {
                b'"' => {
                    let end = U::find(tag, sign + 2, b'"').unwrap_or(tag.len());
                    values.push((order as u8, sign + 2, end));
                }
                b'\'' if order < BARE && is_whole => {
                    let end = U::find(tag, sign + 2, b'\'').unwrap_or(tag.len());
                    values.push((SPELLED.len() as u8 + order as u8, sign + 2, end));
                }
                b'\'' => {}
                _ if order < BARE && is_whole => {
                    let start = sign + 1;
                    let is_value = |unit: &U| !is_blank(*unit) && !matches!(unit.ascii(), b'>' | b'"' | b'\'');
                    let size = tag[start..].iter().take_while(|unit| is_value(unit)).count();
                    if size > 0 {
                        values.push((u8::MAX, start, start + size));
                    }
                }
                _ => {}
            }
        }
    });
    values.sort_by_key(|&(order, ..)| order);
    let mut room = LONGEST;
    for &(_, start, end) in values.iter() {
        let size = (end - start).min(room);
        room = room.saturating_sub(end - start + 1);
        let letters = tag[start..start + size].iter().map(|unit| if unit.is(b'_') { 32 } else { unit.code() });
        each_word(letters, tables, |_, number| read(number));
    }
}
