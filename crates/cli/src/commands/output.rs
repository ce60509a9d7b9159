//! What goes to stdout and stderr: one JSON document, or aligned lines with colours where they are wanted.

use super::Failure;
use clap::builder::styling::{AnsiColor, Style, Styles};
use freiraum::geometry::math::power_of_two;
use freiraum::scene::{is_odd, plain_json};
use serde::Serialize;
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};

/// Colours of the help pages.
pub(super) const HELP_STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(super) const WARN: Style = AnsiColor::Yellow.on_default().bold();

/// When to use colours; `Auto`: on a terminal, unless NO_COLOR is set.
// The variants carry no documentation: clap would turn every help page into its long form for it.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// The choice made on a command line that may not be valid otherwise.
    pub(super) fn wanted_by(arguments: &[OsString]) -> Color {
        let joined = arguments.iter().find_map(|a| a.to_str()?.strip_prefix("--color="));
        let after = arguments.windows(2).find(|w| w[0] == "--color").and_then(|w| w[1].to_str());
        match joined.or(after) {
            Some("always") => Color::Always,
            Some("never") => Color::Never,
            _ => Color::Auto,
        }
    }

    pub(super) fn for_clap(self) -> clap::ColorChoice {
        match self {
            Color::Auto => clap::ColorChoice::Auto,
            Color::Always => clap::ColorChoice::Always,
            Color::Never => clap::ColorChoice::Never,
        }
    }

    fn is_on(self, terminal: bool) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let is_dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
                terminal && !is_dumb && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
            }
        }
    }
}

/// Where answers and errors go.
///
/// A reader that closes the pipe early (`freiraum … | head`) ends the output, not the program with a panic.
pub(super) struct Console {
    json: bool,
    on_stderr: bool,
    color_out: bool,
    color_err: bool,
    lost: Option<std::io::Error>,
}

impl Console {
    pub(super) fn new(json: bool, color: Color) -> Console {
        Console {
            json,
            on_stderr: false,
            color_out: color.is_on(std::io::stdout().is_terminal()),
            color_err: color.is_on(std::io::stderr().is_terminal()),
            lost: None,
        }
    }

    /// True if stdout takes exactly one JSON document.
    pub(super) fn json(&self) -> bool {
        self.json
    }

    /// Gives stdout to the content of a file, or to its next piece; what is said from now on goes to stderr.
    pub(super) fn file(&mut self, bytes: &[u8]) {
        self.on_stderr = false;
        self.put(bytes);
        (self.on_stderr, self.color_out) = (true, self.color_err);
    }

    /// Prints the JSON document.
    pub(super) fn document(&mut self, answer: &impl Serialize) {
        let text = serde_json::to_string_pretty(answer)
            .unwrap_or_else(|e| format!("{{\"error\":{{\"code\":\"internal\",\"message\":\"{e}\"}}}}"));
        self.json_text(&(text + "\n"));
    }

    /// Prints JSON; what a terminal would obey or not show is written as JSON writes such characters, which changes no value.
    pub(super) fn json_text(&mut self, text: &str) {
        self.put(plain_json(text).as_bytes());
    }

    /// Prints text for people: lines, and colours if there are any; what would do something else in a terminal, or cannot be seen, is written as its code.
    pub(super) fn text(&mut self, text: &str) {
        self.put(lines_plain(text, self.color_out).as_bytes());
    }

    /// A text of somebody else, in one line.
    pub(super) fn plain(&self, text: &str) -> String {
        freiraum::scene::plain(text).into_owned()
    }

    fn put(&mut self, bytes: &[u8]) {
        let mut out: Box<dyn Write> = if self.on_stderr {
            Box::new(std::io::stderr().lock())
        } else {
            Box::new(std::io::stdout().lock())
        };
        if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
            self.lost.get_or_insert(error);
        }
    }

    /// Why not all of the answer reached its reader, if so; a reader that had enough is no reason.
    pub(super) fn lost(&self) -> Option<&std::io::Error> {
        self.lost.as_ref().filter(|e| e.kind() != std::io::ErrorKind::BrokenPipe)
    }

    /// True if nobody gets what is printed from now on.
    pub(super) fn is_closed(&self) -> bool {
        self.lost.is_some()
    }

    /// Prints an empty line.
    pub(super) fn gap(&mut self) {
        self.text("\n");
    }

    /// Prints a heading.
    pub(super) fn heading(&mut self, text: &str) {
        let line = format!("{}\n", self.styled(BOLD, text));
        self.text(&line);
    }

    /// Prints a line with a label column: the shape of all human output.
    pub(super) fn fact(&mut self, label: &str, value: impl AsRef<str>) {
        let line = format!("  {}  {}", self.styled(DIM, &format!("{label:<18}")), value.as_ref());
        self.text(&format!("{}\n", line.trim_end()));
    }

    /// True if stdout has colours.
    pub(super) fn has_color(&self) -> bool {
        self.color_out
    }

    /// `text` in a style, if stdout has colours.
    pub(super) fn styled(&self, style: Style, text: &str) -> String {
        if self.color_out { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Says on stderr what should be thought of.
    pub(super) fn warning(&mut self, text: &str) {
        let word = if self.color_err { format!("{WARN}warning{WARN:#}") } else { "warning".to_owned() };
        let _ = writeln!(std::io::stderr().lock(), "{word}: {}", lines_plain(text, false));
    }

    /// Reports bad input: on stderr for people, and as the JSON document for programs.
    pub(super) fn failure(&mut self, failure: &Failure) {
        let word = if self.color_err { format!("{BAD}error{BAD:#}") } else { "error".to_owned() };
        let _ = match &failure.scene {
            Some(errors) => {
                let text = errors.render(self.color_err);
                write!(std::io::stderr().lock(), "{}", lines_plain(&text, self.color_err))
            }
            None => writeln!(std::io::stderr().lock(), "{word}: {}", lines_plain(&failure.message, false)),
        };
        if self.json {
            self.failure_document(failure);
        }
    }

    /// The JSON document of a failure, in one line: after the answers of a batch it is one more.
    pub(super) fn failure_document(&mut self, failure: &Failure) {
        let mut error = serde_json::json!({ "code": failure.code, "message": failure.message });
        for (key, value) in &failure.place {
            error[*key] = value.clone();
        }
        let mut document = serde_json::json!({ "error": error });
        if failure.scene.is_some() {
            document["verdict"] = "invalid".into();
        }
        self.json_text(&format!("{document}\n"));
    }
}

/// Lines in which nothing is left that a terminal would obey, but for colours where there are some.
fn lines_plain(text: &str, has_color: bool) -> Cow<'_, str> {
    let is_wrong = |c: char| is_odd(c) && c != '\n' && c != '\t';
    if !text.contains(is_wrong) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        // `ESC [ digits m`
        let style = rest.strip_prefix("\u{1b}[").filter(|_| has_color).map(|tail| {
            let digits = tail.bytes().take_while(|b| b.is_ascii_digit() || *b == b';').count();
            (digits, tail.as_bytes().get(digits) == Some(&b'm'))
        });
        let length = match style {
            Some((digits, true)) => digits + 3,
            _ => c.len_utf8(),
        };
        if length == c.len_utf8() && is_wrong(c) {
            out.extend(c.escape_default());
        } else {
            out.push_str(&rest[..length]);
        }
        rest = &rest[length..];
    }
    Cow::Owned(out)
}

/// A number for people: six significant digits, plain where that is short, scientific where it is not.
pub(super) fn number(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    if !x.is_finite() {
        return x.to_string();
    }
    let magnitude = x.abs().log10().floor();
    if !(-4.0..9.0).contains(&magnitude) {
        let text = format!("{x:.5e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let decimals = (5.0 - magnitude).max(0.0) as usize;
    trimmed(&format!("{x:.decimals$}")).to_owned()
}

/// A number for people that is known to within `error`: no digit of a place finer than that, but one at least, and six at most behind the point.
pub(super) fn known(x: f64, error: f64) -> String {
    if !(error > 0.0 && error.is_finite() && x.is_finite()) || x == 0.0 {
        return number(x);
    }
    let digits = x.abs().log10().floor() - error.log10().ceil() + 1.0;
    number(rounded(x, digits.clamp(1.0, f64::DIGITS.into()) as usize))
}

/// The nearest number with this many significant digits.
fn rounded(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits.max(1) - 1).parse().unwrap_or(x)
}

/// A lower bound for people: six significant digits, and never more than the bound, but for the rounding of its own.
pub(super) fn number_below(x: f64) -> String {
    number(cut(x, -1.0))
}

/// An upper bound for people: six significant digits, and never less than the bound, but for the rounding of its own.
pub(super) fn number_above(x: f64) -> String {
    number(cut(x, 1.0))
}

/// An error for people: one digit, rounded up.
pub(super) fn error_above(x: f64) -> String {
    if !(x > 0.0 && x.is_finite()) {
        return number(x);
    }
    let unit = 10f64.powf(x.log10().floor());
    format!("{:.0e}", (x / unit * (1.0 - 4.0 * f64::EPSILON)).ceil() * unit)
}

/// The next number of six significant digits in a direction; what is a rounding beside such a number is that.
fn cut(x: f64, direction: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let nearest = rounded(x, 6);
    if direction * (nearest - x) >= -ROUNDINGS * f64::EPSILON * x.abs() {
        return nearest;
    }
    let last = 10f64.powf(x.abs().log10().floor() - 5.0);
    rounded(nearest + direction * last, 6)
}

/// How many roundings are no difference to people.
const ROUNDINGS: f64 = 64.0;

/// A number for people that comes from data of magnitude `scale`: rounding noise beside it reads as zero.
pub(super) fn number_at_scale(x: f64, scale: f64) -> String {
    number(if x.abs() <= ROUNDINGS * f64::EPSILON * scale { 0.0 } else { x })
}

/// How exact the numbers of robot models are, relative to their size: files state angles and lengths with ten
/// digits or so.
const MODEL_DIGITS: f64 = power_of_two(-32);

/// A number of a robot for people, from data of magnitude `scale`: only digits that its model can tell, and
/// what is less reads as zero.
pub(super) fn of_model(x: f64, scale: f64) -> String {
    let error = MODEL_DIGITS * scale;
    if x.abs() <= error { number(0.0) } else { known(x, error) }
}

/// A point of a body whose coordinates reach as far as `reach`, for people.
pub(super) fn point(p: [f64; 3], reach: f64) -> String {
    let [x, y, z] = p.map(|x| number_at_scale(x, reach));
    format!("({x}, {y}, {z})")
}

/// A count with its noun: `1 edge`, `12 edges`.
pub(super) fn counted(n: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// A count with thin grouping: `69 451`.
pub(super) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let first = digits.len() % 3;
    let mut parts: Vec<&str> = if first > 0 { vec![&digits[..first]] } else { Vec::new() };
    parts.extend((first..digits.len()).step_by(3).map(|i| &digits[i..i + 3]));
    parts.join(" ")
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        for (x, text) in [
            (0.0, "0"),
            (20.0, "20"),
            (8e-6, "8e-6"),
            (0.0123456789, "0.0123457"),
            (-1234.5678, "-1234.57"),
            (123456789.0, "123456789"),
            (1.5e12, "1.5e12"),
            (0.1 + 0.2, "0.3"),
            (999999.9, "1000000"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(number(x), text);
        }
    }

    #[test]
    fn digits_that_are_not_known_are_not_shown() {
        for (x, error, text) in [
            (0.123456, 1e-3, "0.123"),
            (0.123456, 2e-3, "0.12"),
            (0.123456, 1e-12, "0.123456"),
            (0.123456, 5.0, "0.1"),
            (123456.0, 20.0, "123500"),
            (-1.9996, 1e-3, "-2"),
            (0.0, 1e-3, "0"),
            (1.5, 0.0, "1.5"),
            (3.14159e-9, 1e-11, "3.14e-9"),
        ] {
            assert_eq!(known(x, error), text);
        }
    }

    #[test]
    fn bounds_are_rounded_to_their_own_side() {
        assert_eq!([number_below(0.9999999), number_above(0.9999999)], ["0.999999", "1"]);
        assert_eq!([number_below(1.0000004), number_above(1.0000004)], ["1", "1.00001"]);
        assert_eq!([number_below(0.1 + 0.2), number_above(0.1 + 0.2)], ["0.3", "0.3"]);
        assert_eq!([number_below(5.193726e-5), number_above(5.193722e-5)], ["5.19372e-5", "5.19373e-5"]);
        assert_eq!([number_below(0.0), number_above(0.0)], ["0", "0"]);
        assert_eq!([error_above(1.2e-13), error_above(2e-7), error_above(0.0)], ["2e-13", "2e-7", "0"]);
        for x in [0.1234567, 9.999999, 1234567.8, 7.7777777e-8] {
            let [below, above] = [number_below(x), number_above(x)].map(|text| text.parse::<f64>().unwrap());
            assert!(below <= x && x <= above && above - below <= 2e-5 * x, "{below} {x} {above}");
        }
    }

    #[test]
    fn nothing_that_is_printed_steers_a_terminal() {
        let odd = "a\u{202e}b\u{1b}[31mc\u{1b}]0;x\u{7}\n";
        assert_eq!(lines_plain(odd, false), "a\\u{202e}b\\u{1b}[31mc\\u{1b}]0;x\\u{7}\n");
        assert_eq!(lines_plain(odd, true), "a\\u{202e}b\u{1b}[31mc\\u{1b}]0;x\\u{7}\n");
        let value = serde_json::json!({ "name": "a\u{202e}\u{7f}\u{e0041}\n\"" });
        let text = serde_json::to_string_pretty(&value).unwrap();
        let said = plain_json(&text);
        assert!(said.is_ascii() && said.contains("\\u202e"), "{said}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&said).unwrap(), value);
    }

    #[test]
    fn rounding_noise_reads_as_zero() {
        assert_eq!(point([1.0, 2e-17, -3.5], 4.0), "(1, 0, -3.5)");
    }

    #[test]
    fn counts_for_people() {
        assert_eq!([grouped(7), grouped(1234), grouped(1234567)], ["7", "1 234", "1 234 567"]);
        assert_eq!([counted(1, "edge"), counted(2000, "edge")], ["1 edge", "2 000 edges"]);
    }

    #[test]
    fn colour_choice_is_found_on_broken_command_lines() {
        let args = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert_eq!(Color::wanted_by(&args("freiraum --color never --nonsense")), Color::Never);
        assert_eq!(Color::wanted_by(&args("freiraum --color=always mesh")), Color::Always);
        assert_eq!(Color::wanted_by(&args("freiraum mesh")), Color::Auto);
    }
}
