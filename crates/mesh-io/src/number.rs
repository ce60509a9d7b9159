//! Numbers in text, read exactly.
//!
//! Most numbers in mesh files have few digits: an integer mantissa below 2^53 times a power of ten up to 10^22. Both are
//! exact in f64, so one multiplication or division rounds correctly (Clinger, 1990). Up to 19 digits with up to 27
//! decimals, which is how programs write f64, are divided as whole numbers and rounded once. The rest goes to the standard
//! library, which is correctly rounded as well.

/// Powers of ten that are exact in f64.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Powers of five that fit 64 bits.
const POWERS_OF_FIVE: [u64; 28] = {
    let mut powers = [1; 28];
    let mut i = 1;
    while i < powers.len() {
        powers[i] = powers[i - 1] * 5;
        i += 1;
    }
    powers
};

/// Up to 19 digits fit an u64 without overflow.
const DIGITS_OF_U64: usize = 19;

/// The decimal number that begins at `start` and the offset behind it; `None` where no number begins.
///
/// Correctly rounded. Understands a sign, digits with or without a point, an exponent, and the words `inf`,
/// `infinity` and `nan` in any case. Whether the number ends at the end of a word is for the caller to check.
#[inline]
pub(crate) fn float(bytes: &[u8], start: usize) -> Option<(f64, usize)> {
    let byte = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let mut at = start;
    let negative = byte(at) == b'-';
    if negative || byte(at) == b'+' {
        at += 1;
    }
    let first = at;
    let mut mantissa = 0u64;
    while byte(at).is_ascii_digit() {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(byte(at) - b'0'));
        at += 1;
    }
    let mut digits = at - first;
    let mut exponent = 0i64;
    if byte(at) == b'.' {
        at += 1;
        let point = at;
        while let Some(eight) = bytes.get(at..).and_then(eight_digits) {
            mantissa = mantissa.wrapping_mul(100_000_000).wrapping_add(eight);
            at += 8;
        }
        while byte(at).is_ascii_digit() {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(byte(at) - b'0'));
            at += 1;
        }
        digits += at - point;
        exponent -= (at - point) as i64;
    }
    if digits == 0 {
        return special(bytes, start, first);
    }
    if matches!(byte(at), b'e' | b'E') {
        let mut ahead = at + 1;
        let down = byte(ahead) == b'-';
        if down || byte(ahead) == b'+' {
            ahead += 1;
        }
        if byte(ahead).is_ascii_digit() {
            let mut power = 0i64;
            while byte(ahead).is_ascii_digit() {
                power = power.saturating_mul(10).saturating_add(i64::from(byte(ahead) - b'0'));
                ahead += 1;
            }
            exponent = exponent.saturating_add(if down { -power } else { power });
            at = ahead;
        }
    }
    if digits <= DIGITS_OF_U64 && mantissa <= 1 << f64::MANTISSA_DIGITS {
        let magnitude = mantissa as f64;
        let scale = POWERS_OF_TEN.get(exponent.unsigned_abs() as usize);
        if let Some(scale) = scale {
            let value = if exponent < 0 { magnitude / scale } else { magnitude * scale };
            return Some((if negative { -value } else { value }, at));
        }
    }
    if digits <= DIGITS_OF_U64
        && mantissa != 0
        && let Some(&power) = POWERS_OF_FIVE.get(exponent.unsigned_abs() as usize).filter(|_| exponent < 0)
    {
        let value = divided(mantissa, power, exponent as i32);
        return Some((if negative { -value } else { value }, at));
    }
    // Numbers of digits, points and exponents are a subset of what the standard library reads.
    let text = std::str::from_utf8(&bytes[start..at]).ok()?;
    Some((text.parse().ok()?, at))
}

/// The number that eight digits at the beginning of `bytes` make, if there are eight.
#[inline]
fn eight_digits(bytes: &[u8]) -> Option<u64> {
    let text = u64::from_le_bytes(*bytes.first_chunk()?);
    // Digits are 0x30 to 0x39: the upper halves are 3, and stay so when 6 is added.
    let upper = 0xf0f0_f0f0_f0f0_f0f0;
    let threes = 0x3030_3030_3030_3030;
    if text & upper != threes || text.wrapping_add(0x0606_0606_0606_0606) & upper != threes {
        return None;
    }
    // Neighbours are joined: digits to pairs, pairs to fours, fours to eight. The first digit is in the lowest byte.
    let pairs = (text & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(10 * 0x100 + 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100 * 0x1_0000 + 1) >> 16 & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(10_000 * 0x1_0000_0000 + 1) >> 32)
}

/// `mantissa / power * 2^exponent`, correctly rounded. Nothing is zero, and the result is far from the limits of f64.
#[inline]
fn divided(mantissa: u64, power: u64, exponent: i32) -> f64 {
    // Both shifted up to 64 bits, the quotient has 63 or 64.
    let (up, down) = (mantissa.leading_zeros(), power.leading_zeros());
    let (dividend, divisor) = (u128::from(mantissa << up) << 63, u128::from(power << down));
    let quotient = (dividend / divisor) as u64;
    // f64 drops ten bits or more; that there is a remainder has to show below them for the rounding to be right.
    let sticky = u64::from(u128::from(quotient) * divisor != dividend);
    let scale = exponent + down as i32 - up as i32 - 63;
    (quotient | sticky) as f64 * f64::from_bits(((1023 + scale) as u64) << 52)
}

/// `inf`, `infinity` and `nan`, which some programs write.
#[cold]
fn special(bytes: &[u8], start: usize, first: usize) -> Option<(f64, usize)> {
    let length = bytes[first..].iter().position(|b| !b.is_ascii_alphabetic()).unwrap_or(bytes.len() - first);
    let text = std::str::from_utf8(&bytes[start..first + length]).ok()?;
    if length == 0 {
        return None;
    }
    Some((text.parse().ok()?, first + length))
}

/// The whole number without sign that begins at `start` and the offset behind it; `None` where none begins or it does not
/// fit 64 bits.
#[inline]
pub(crate) fn whole(bytes: &[u8], start: usize) -> Option<(u64, usize)> {
    let byte = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let mut at = start;
    let mut value = 0u64;
    while byte(at).is_ascii_digit() {
        value = value.checked_mul(10)?.checked_add(u64::from(byte(at) - b'0'))?;
        at += 1;
    }
    (at > start).then_some((value, at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn floats() {
        let check = |text: &str, value: f64, end: usize| {
            let (found, at) = float(text.as_bytes(), 0).expect(text);
            assert_eq!((found.to_bits(), at), (value.to_bits(), end), "{text}");
        };
        check("0", 0.0, 1);
        check("-0.0", -0.0, 4);
        check("1.5 2", 1.5, 3);
        check("+.5", 0.5, 3);
        check("7.", 7.0, 2);
        check("1e3", 1000.0, 3);
        check("1E+03", 1000.0, 5);
        check("1e", 1.0, 1);
        check("1e-", 1.0, 1);
        check("2.5e-7x", 2.5e-7, 6);
        check("123456789012345678901234567890", 123456789012345678901234567890.0, 30);
        check("0.1000000000000000055511151231257827", 0.1, 36);
        check("1e400", f64::INFINITY, 5);
        check("-inf", f64::NEG_INFINITY, 4);
        check("1e-400", 0.0, 6);
        check("1e99999999999999999999", f64::INFINITY, 22);
        assert!(float(b"nan", 0).unwrap().0.is_nan());
        for bad in ["", "-", ".", "e5", "abc", "-nan(ind)x".get(..1).unwrap(), "+-1"] {
            assert_eq!(float(bad.as_bytes(), 0), None, "{bad}");
        }
    }

    #[test]
    fn agrees_with_the_standard_library() {
        let mut random = Random::new(1);
        let check = |text: String| {
            let expected: f64 = text.parse().unwrap();
            let (value, end) = float(text.as_bytes(), 0).unwrap();
            assert_eq!((value.to_bits(), end), (expected.to_bits(), text.len()), "{text}");
        };
        for _ in 0..100_000 {
            let digits = 1 + random.below(20);
            let mut text = String::new();
            if random.below(2) == 0 {
                text.push('-');
            }
            let point = random.below(digits + 1);
            for i in 0..digits {
                if i == point {
                    text.push('.');
                }
                text.push((b'0' + random.below(10) as u8) as char);
            }
            if random.below(2) == 0 {
                text += &format!("e{}", random.below(70) as i32 - 35);
            }
            check(text);
        }
        for _ in 0..100_000 {
            let x = random.in_cube(1.0).x * 10f64.powi(random.below(40) as i32 - 20);
            check(format!("{x:?}"));
            check(format!("{x:e}"));
            check(format!("{}", x as f32));
            // Half way between two neighbours, with all digits that fit and with one more.
            check(format!("{}5", (random.bits() >> 12) as f64 / 8.0));
        }
    }

    #[test]
    fn eight_digits_at_once() {
        assert_eq!(eight_digits(b"1234567890"), Some(12345678));
        assert_eq!(eight_digits(b"00000000"), Some(0));
        assert_eq!(eight_digits(b"99999999"), Some(99999999));
        assert_eq!(eight_digits(b"1234567"), None);
        for wrong in 0..=255u8 {
            for at in 0..8 {
                let mut text = *b"12345678";
                text[at] = wrong;
                assert_eq!(eight_digits(&text).is_some(), wrong.is_ascii_digit(), "{wrong}");
            }
        }
    }

    #[test]
    fn halves_round_to_even() {
        // 2^53 + 1 and its like lie exactly between two f64; written with decimals they take the division.
        for (text, value) in [
            ("9007199254740993.0", 9007199254740992.0),
            ("9007199254740995.0", 9007199254740996.0),
            ("900719925474099.30", 900719925474099.3),
            ("4503599627370497.5", 4503599627370498.0),
            ("4503599627370496.5", 4503599627370496.0),
            ("9007199254740993.001", 9007199254740994.0),
            ("9007199254740992.999", 9007199254740992.0),
            ("0.5000000000000000000", 0.5),
        ] {
            assert_eq!(float(text.as_bytes(), 0).unwrap().0, value, "{text}");
        }
    }

    #[test]
    fn whole_numbers() {
        assert_eq!(whole(b"18446744073709551615/", 0), Some((u64::MAX, 20)));
        assert_eq!(whole(b"18446744073709551616", 0), None);
        assert_eq!(whole(b"-1", 0), None);
        assert_eq!(whole(b"", 0), None);
    }
}
