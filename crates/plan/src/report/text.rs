//! Text for pages: names that mean nothing to a browser, pictures as text.

use freiraum_scene::is_odd;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Text that stands for itself in HTML and SVG, in elements and in quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if is_odd(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

/// A sentence for a page: escaped, with a capital letter and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    format!("{}{}.", escaped(&first), escaped(letters.as_str()))
}

/// Bytes in base64.
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = ALPHABET[(bits >> (18 - 6 * i) & 63) as usize];
            out.push(if i <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_mean_nothing_to_a_browser() {
        assert_eq!(
            escaped("<script>\"a\" & 'b'\u{7}"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;\\u{7}"
        );
        assert_eq!(sentence("the <b> fits"), "The &lt;b&gt; fits.");
        assert_eq!(sentence("<b> fits"), "&lt;b&gt; fits.");
        assert_eq!(sentence(""), ".");
    }

    #[test]
    fn known_texts() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
