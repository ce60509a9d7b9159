//! Warnings that say the same of many links, told once.

use crate::checker::{Warning, WarningCode};

/// How many further names are told.
const NAMES: usize = 3;

/// Warnings as sentences: those that say the same of several links of one file are one sentence. The full
/// list stands in JSON.
pub fn grouped_warnings(warnings: &[Warning]) -> Vec<(WarningCode, String)> {
    let mut groups: Vec<(Key<'_>, WarningCode, &str, Vec<&str>)> = Vec::new();
    for warning in warnings {
        let key = Key::of(warning);
        let old = groups.iter_mut().find(|group| group.1 == warning.code && group.0.is_same(&key));
        match (old, key.name) {
            (Some(group), Some(name)) => group.3.push(name),
            _ => groups.push((key, warning.code, &warning.message, Vec::new())),
        }
    }
    let tell = |(_, code, message, more): (Key<'_>, WarningCode, &str, Vec<&str>)| {
        let said = match more.len() {
            0 => message.to_owned(),
            count => {
                let shown: Vec<String> = more.iter().take(NAMES).map(|name| format!("'{name}'")).collect();
                let dots = if count > NAMES { ", …" } else { "" };
                let links = super::counted(count, "more link");
                format!("{message}; the same holds for {links}: {}{dots}", shown.join(", "))
            }
        };
        (code, said)
    };
    groups.into_iter().map(tell).collect()
}

/// What a warning says, apart from the link that it names.
struct Key<'w> {
    before: &'w str,
    name: Option<&'w str>,
    behind: &'w str,
}

impl Key<'_> {
    fn of(warning: &Warning) -> Key<'_> {
        let message = warning.message.as_str();
        let parts = || {
            let (before, rest) = message.split_once("link '")?;
            let (name, behind) = rest.split_once('\'')?;
            Some(Key { before, name: Some(name), behind })
        };
        // What closes the mesh of a link names the link and the file of the robot.
        let of_mesh = || {
            let (_, rest) = message.split_once("<link name=\"")?;
            let (name, rest) = rest.split_once("\"> of ")?;
            Some(Key { before: "", name: Some(name), behind: rest.split_once(" in the program")?.0 })
        };
        let found = match warning.code {
            WarningCode::RobotFile => parts(),
            WarningCode::NoSolid => of_mesh(),
            _ => None,
        };
        found.unwrap_or(Key { before: message, name: None, behind: "" })
    }

    fn is_same(&self, other: &Key<'_>) -> bool {
        self.name.is_some()
            && other.name.is_some()
            && self.before == other.before
            && self.behind == other.behind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_one_file_are_told_together() {
        let of = |message: &str| Warning {
            code: WarningCode::RobotFile,
            bodies: Vec::new(),
            message: message.to_owned(),
        };
        let said = |file: &str, link: &str| {
            of(&format!("{file}: link '{link}' has no <collision>: its <visual> is used"))
        };
        let links = ["a", "b", "c", "d", "e"].map(|link| said("r.urdf", link));
        let more = [said("s.urdf", "a"), of("r.urdf: link 'f' has a joint without an axis")];
        let all: Vec<Warning> = links.into_iter().chain(more).collect();
        let found: Vec<String> = grouped_warnings(&all).into_iter().map(|(_, said)| said).collect();
        assert_eq!(
            found,
            [
                "r.urdf: link 'a' has no <collision>: its <visual> is used; the same holds for 4 more links: 'b', 'c', 'd', …",
                "s.urdf: link 'a' has no <collision>: its <visual> is used",
                "r.urdf: link 'f' has a joint without an axis",
            ]
        );
    }
}
