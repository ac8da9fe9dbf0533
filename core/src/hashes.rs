//! Computes CRC-32 and Adler-32 of UTF-8 (RFC 1952, 1950), as Python does (`tidings.sites.extraction.repeated_texts`).

/// Bytes per step of the CRC.
const TOGETHER: usize = 8;
const ADLER: u32 = 65_521;
/// So many bytes can be added up before the sums have to be reduced.
const UNREDUCED: usize = 5552;

const TABLES: [[u32; 256]; TOGETHER] = tables();

const fn tables() -> [[u32; 256]; TOGETHER] {
    let mut tables = [[0; 256]; TOGETHER];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 };
            bit += 1;
        }
        tables[0][byte] = sum;
        byte += 1;
    }
    let mut table = 1;
    while table < TOGETHER {
        byte = 0;
        while byte < 256 {
            let before: u32 = tables[table - 1][byte];
            tables[table][byte] = before >> 8 ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        table += 1;
    }
    tables
}

fn crc32(data: &[u8]) -> u32 {
    let mut sum = !0u32;
    let mut chunks = data.chunks_exact(TOGETHER);
    for chunk in &mut chunks {
        let first = sum.to_le_bytes();
        sum = 0;
        for (place, &byte) in chunk.iter().enumerate() {
            let byte = byte ^ first.get(place).unwrap_or(&0);
            sum ^= TABLES[TOGETHER - 1 - place][usize::from(byte)];
        }
    }
    for &byte in chunks.remainder() {
        sum = sum >> 8 ^ TABLES[0][usize::from(sum as u8 ^ byte)];
    }
    !sum
}

fn adler32(data: &[u8]) -> u32 {
    /// Bytes that are added up at once, which becomes vector code.
    const AT_ONCE: usize = 16;
    let (mut low, mut high) = (1, 0);
    for chunk in data.chunks(UNREDUCED) {
        let mut parts = chunk.chunks_exact(AT_ONCE);
        for part in &mut parts {
            let weigh = |(place, &byte): (usize, &u8)| (AT_ONCE - place) as u32 * u32::from(byte);
            high += AT_ONCE as u32 * low + part.iter().enumerate().map(weigh).sum::<u32>();
            low += part.iter().map(|&byte| u32::from(byte)).sum::<u32>();
        }
        for &byte in parts.remainder() {
            low += u32::from(byte);
            high += low;
        }
        low %= ADLER;
        high %= ADLER;
    }
    high << 16 | low
}

/// The hash of a text, whose UTF-8 is written into room that is used again.
pub fn hash_of(codes: &[u32], written: &mut Vec<u8>) -> u64 {
    const TOGETHER: usize = 16;
    written.clear();
    written.reserve(codes.len() + codes.len() / 8);
    for chunk in codes.chunks(TOGETHER) {
        // What is ASCII is most of it, and goes together.
        if chunk.iter().fold(true, |is_ascii, &code| is_ascii & (code < 0x80)) {
            written.extend(chunk.iter().map(|&code| code as u8));
            continue;
        }
        for &code in chunk {
            let tail = |shift: u32| 0x80 | (code >> shift & 0x3F) as u8;
            match code {
                0..=0x7F => written.push(code as u8),
                0x80..=0x7FF => written.extend([0xC0 | (code >> 6) as u8, tail(0)]),
                0xD800..=0xDFFF | 0x11_0000.. => written.push(b'?'), // half a character
                0x800..=0xFFFF => written.extend([0xE0 | (code >> 12) as u8, tail(6), tail(0)]),
                _ => written.extend([0xF0 | (code >> 18) as u8, tail(12), tail(6), tail(0)]),
            }
        }
    }
    u64::from(crc32(written)) << 32 | u64::from(adler32(written))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standards() {
        assert_eq!((crc32(b""), crc32(b"123456789")), (0, 0xCBF4_3926));
        assert_eq!((adler32(b""), adler32(b"Wikipedia")), (1, 0x11E6_0398));
        let long = vec![0xFF; 3 * UNREDUCED + 1];
        let slow = long.iter().fold(!0, |sum: u32, &byte| sum >> 8 ^ TABLES[0][usize::from(sum as u8 ^ byte)]);
        assert_eq!(crc32(&long), !slow);
        for size in (0..40).chain([UNREDUCED, long.len()]) {
            let step = |(low, high): (u32, u32), &byte: &u8| {
                let low = (low + u32::from(byte)) % ADLER;
                (low, (high + low) % ADLER)
            };
            let (low, high) = long[..size].iter().fold((1, 0), step);
            assert_eq!(adler32(&long[..size]), high << 16 | low);
        }
    }

    #[test]
    fn texts_are_hashed_as_they_are_written() {
        let room = &mut Vec::new();
        for text in
            ["Łódź 😀", "", "abc", "a text of more than sixteen letters, żółć and 😀 in it, \u{7ff}\u{800}\u{ffff}"]
        {
            let codes: Vec<u32> = text.chars().map(u32::from).collect();
            let written = text.as_bytes();
            assert_eq!(hash_of(&codes, room), u64::from(crc32(written)) << 32 | u64::from(adler32(written)));
        }
        assert_eq!(hash_of(&[0xD800], room), hash_of(&[u32::from('?')], room));
        assert_eq!(hash_of(&[0x11_0000], room), hash_of(&[u32::from('?')], room));
    }
}
