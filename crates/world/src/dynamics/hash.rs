//! A fingerprint of a state.

/// FNV-1a over 64-bit words: simple, the same on every machine, and any single bit changes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub(crate) fn new() -> Fingerprint {
        Fingerprint(0xCBF2_9CE4_8422_2325)
    }

    pub(crate) fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    pub(crate) fn number(&mut self, number: f64) {
        // Both zeros are the same place.
        self.word(if number == 0.0 { 0 } else { number.to_bits() });
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }
}
