//! Several small numbers in one: a byte for each ray of a ring.

use super::lines::RAYS;

/// A byte for each ray of a ring, all bits set.
pub const ALL_BYTES: u64 = (1 << (8 * RAYS)) - 1;
/// A one in each of them.
pub const ONES: u64 = ALL_BYTES / 0xff;
/// The highest bit of each of them.
const HIGH: u64 = ONES << 7;

/// A byte with all bits set for each of the lowest six bits that is set.
#[inline(always)]
pub fn bytes_of(bits: u32) -> u64 {
    static BYTES: [u64; 1 << RAYS] = {
        let mut bytes = [0; 1 << RAYS];
        let mut bits = 0;
        while bits < bytes.len() {
            let mut ray = 0;
            while ray < RAYS {
                bytes[bits] |= ((bits as u64 >> ray & 1) * 0xff) << (8 * ray);
                ray += 1;
            }
            bits += 1;
        }
        bytes
    };
    BYTES[bits as usize % BYTES.len()]
}

/// How many of the rising bytes, all below 128, are not above `number`.
#[inline(always)]
pub fn bytes_up_to(bytes: u64, number: u8) -> usize {
    // Each byte of the difference keeps its highest bit where the number is not below.
    let difference = ((u64::from(number) * ONES) | HIGH) - bytes;
    let passed = (difference & HIGH) >> 7;
    (passed.wrapping_mul(ONES) >> (8 * (RAYS - 1)) & 0xff) as usize
}
