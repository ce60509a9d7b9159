//! Base64 with the standard alphabet, for `data:` addresses.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Appends the text for `bytes`, padded with `=`.
pub(crate) fn encode(bytes: &[u8], out: &mut Vec<u8>) {
    out.reserve(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = ALPHABET[(bits >> (18 - 6 * i) & 63) as usize];
            out.push(if i <= chunk.len() { digit } else { b'=' });
        }
    }
}

/// The bytes of a text, or the offset of the first character that does not belong there. Padding may be missing.
pub(crate) fn decode(text: &[u8]) -> Result<Vec<u8>, usize> {
    let end = text.iter().rposition(|&c| c != b'=').map_or(0, |i| i + 1);
    let mut out = Vec::with_capacity(end / 4 * 3 + 3);
    let mut bits = 0u32;
    for (i, &c) in text[..end].iter().enumerate() {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return Err(i),
        };
        bits = bits << 6 | u32::from(digit);
        if i % 4 == 3 {
            out.extend_from_slice(&bits.to_be_bytes()[1..]);
            bits = 0;
        }
    }
    if text.len() - end > 2 {
        return Err(end);
    }
    // Two or three digits are left over for one or two bytes; one digit is not enough.
    match end % 4 {
        1 => return Err(end),
        2 => out.push((bits >> 4) as u8),
        3 => out.extend_from_slice(&((bits >> 2) as u16).to_be_bytes()),
        _ => {}
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut out = Vec::new();
            encode(bytes.as_bytes(), &mut out);
            assert_eq!(out, text.as_bytes());
            assert_eq!(decode(text.as_bytes()).unwrap(), bytes.as_bytes());
            assert_eq!(decode(text.trim_end_matches('=').as_bytes()).unwrap(), bytes.as_bytes());
        }
    }

    #[test]
    fn all_bytes_and_wrong_characters() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut text = Vec::new();
        encode(&bytes, &mut text);
        assert_eq!(decode(&text).unwrap(), bytes);
        assert_eq!(decode(b"Zm9v Zm9v"), Err(4));
        assert_eq!(decode(b"Z"), Err(1));
        assert_eq!(decode(b"Zm=9"), Err(2));
        assert_eq!(decode(b"Z==="), Err(1));
    }
}
