//! Hands results to the caller in memory that the caller reads and then frees.

use std::os::raw::c_int;
use std::panic::{catch_unwind, AssertUnwindSafe};

use super::PANICKED;
use crate::columns::written;
use crate::units::Unit;

/// Numbers, rows of small numbers, and a text or other bytes.
#[derive(Default)]
pub struct Answer {
    numbers: Vec<i64>,
    rows: Vec<i32>,
    data: Data,
}

/// Bytes, or a text with characters of one, two or four bytes.
enum Data {
    Bytes(Vec<u8>),
    Latin(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
}

impl Default for Data {
    fn default() -> Self {
        Data::Bytes(Vec::new())
    }
}

impl Data {
    /// The shortest form of a text.
    fn of(codes: &[u32]) -> Self {
        match codes.iter().fold(0, |all, code| all | code) {
            0..=0xFF => Data::Latin(units(codes)),
            0x100..=0xFFFF => Data::Two(units(codes)),
            _ => Data::Four(codes.to_vec()),
        }
    }

    /// Return the address, the number of bytes, and the bytes per character, 0 for data that is no text.
    fn parts(&self) -> [u64; 3] {
        match self {
            Data::Bytes(bytes) => [bytes.as_ptr() as u64, bytes.len() as u64, 0],
            Data::Latin(bytes) => [bytes.as_ptr() as u64, bytes.len() as u64, 1],
            Data::Two(units) => [units.as_ptr() as u64, 2 * units.len() as u64, 2],
            Data::Four(units) => [units.as_ptr() as u64, 4 * units.len() as u64, 4],
        }
    }
}

fn units<U: Unit>(codes: &[u32]) -> Vec<U> {
    let mut result = vec![U::of(0); codes.len()];
    written(codes, &mut result);
    result
}

impl Answer {
    /// Numbers alone.
    pub fn of_numbers(numbers: Vec<i64>) -> Self {
        Answer { numbers, ..Answer::default() }
    }

    /// Numbers, and bytes that are no text.
    pub fn of_bytes(numbers: Vec<i64>, bytes: Vec<u8>) -> Self {
        Answer { numbers, data: Data::Bytes(bytes), ..Answer::default() }
    }

    /// Numbers, rows and characters, these in Latin-1, UTF-16 or UTF-32, whichever is the shortest.
    pub fn of_text(numbers: Vec<i64>, rows: Vec<i32>, codes: &[u32]) -> Self {
        Answer { numbers, rows, data: Data::of(codes) }
    }
}

/// Compute an answer and fill `out`: a handle to free, the address and count of numbers, of rows and of bytes, and the
/// bytes per character. Returns 0, or another number after a panic.
pub unsafe fn answered(out: *mut u64, find: impl FnOnce() -> Answer) -> c_int {
    match catch_unwind(AssertUnwindSafe(find)) {
        Ok(answer) => {
            let answer = Box::new(answer);
            let [data, size, width] = answer.data.parts();
            let parts = [
                answer.numbers.as_ptr() as u64,
                answer.numbers.len() as u64,
                answer.rows.as_ptr() as u64,
                answer.rows.len() as u64,
                data,
                size,
                width,
            ];
            *out = Box::into_raw(answer) as u64;
            super::slices::copy_to(&parts, out.add(1));
            0
        }
        Err(_) => PANICKED,
    }
}
