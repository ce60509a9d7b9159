//! Colours: `"#rrggbb"`, `"#rgb"`, a name, or three numbers.

use super::node::{Kind, Node};
use super::reader::Reader;
use freiraum_scene::Color;

/// The names that CSS gives to common colours.
pub(super) const NAMES: [(&str, u32); 24] = [
    ("black", 0x00_0000),
    ("white", 0xff_ffff),
    ("gray", 0x80_8080),
    ("grey", 0x80_8080),
    ("silver", 0xc0_c0c0),
    ("red", 0xff_0000),
    ("maroon", 0x80_0000),
    ("orange", 0xff_a500),
    ("gold", 0xff_d700),
    ("yellow", 0xff_ff00),
    ("olive", 0x80_8000),
    ("lime", 0x00_ff00),
    ("green", 0x00_8000),
    ("teal", 0x00_8080),
    ("cyan", 0x00_ffff),
    ("aqua", 0x00_ffff),
    ("blue", 0x00_00ff),
    ("navy", 0x00_0080),
    ("purple", 0x80_0080),
    ("magenta", 0xff_00ff),
    ("fuchsia", 0xff_00ff),
    ("pink", 0xff_c0cb),
    ("brown", 0xa5_2a2a),
    ("steelblue", 0x46_82b4),
];

/// The colour of a body.
pub(super) fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Color> {
    let found = match &node.kind {
        Kind::Text(text) => of_text(&text.trim().to_lowercase()),
        Kind::List(list) => of_list(list),
        _ => None,
    };
    if found.is_none() {
        let found = node.text().map_or("this".to_owned(), |text| format!("{text:?}"));
        let message = format!("{found} is no colour");
        let names = NAMES.iter().map(|(name, _)| *name);
        let meant = node.text().and_then(|text| reader.suggestion(text, names));
        let help = meant.unwrap_or_else(|| {
            "write \"#rrggbb\", a name such as \"orange\", or [red, green, blue] with whole numbers from 0 to 255"
                .to_owned()
        });
        reader.problem_with_help(node.place, message, help);
    }
    found
}

fn of_number(number: u32) -> Color {
    Color([16, 8, 0].map(|shift| (number >> shift & 0xff) as u8))
}

fn of_text(text: &str) -> Option<Color> {
    let Some(digits) = text.strip_prefix('#') else {
        return NAMES.iter().find(|(name, _)| *name == text).map(|(_, number)| of_number(*number));
    };
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    match digits.len() {
        6 => u32::from_str_radix(digits, 16).ok().map(of_number),
        3 => {
            let doubled: String = digits.chars().flat_map(|digit| [digit, digit]).collect();
            u32::from_str_radix(&doubled, 16).ok().map(of_number)
        }
        _ => None,
    }
}

fn of_list(list: &[Node]) -> Option<Color> {
    let part = |node: &Node| match node.kind {
        Kind::Integer(number) => u8::try_from(number).ok(),
        _ => None,
    };
    let parts: Option<Vec<u8>> = list.iter().map(part).collect();
    Some(Color(parts?.try_into().ok()?))
}
