//! Text for pages: names that mean nothing to a browser.

use freiraum_scene::{markup, plain};

/// Text that stands for itself in HTML and SVG, in elements and in quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    markup(&plain(text)).into_owned()
}

/// A sentence for a page: escaped, with a capital letter and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    format!("{}{}.", escaped(&first), escaped(letters.as_str()))
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
}
