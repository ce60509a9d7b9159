//! The messages as TypeScript, for the page. `FREIRAUM_WRITE_PROTOCOL=1 cargo test -p freiraum-studio typescript`
//! writes the file; without that variable the test compares it.

use super::*;
use crate::deform::{frame_document, wanted};
use serde::Serialize;
use std::fmt::Write;
use ts_rs::{Config, TS};

/// Where the page has it.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/page/src/protocol/generated.ts");

/// Set to anything, this writes the file.
const WRITE: &str = "FREIRAUM_WRITE_PROTOCOL";

/// What has no type of its own in Rust.
const HEAD: &str = "\
// Generated from the Rust types in crates/studio/src/protocol and crates/studio/src/deform. Do not edit: run
// FREIRAUM_WRITE_PROTOCOL=1 cargo test --package freiraum-studio typescript
// Lengths are metres, angles radians, bodies and steps count from 0.

export type Vec3 = readonly [number, number, number];
/** Position and unit quaternion: `[x, y, z, qx, qy, qz, qw]`. */
export type Pose = readonly [number, number, number, number, number, number, number];
";

/// The event `world` as it is put together for every page.
#[derive(Serialize, TS)]
#[ts(rename = "WorldFrameEvent")]
pub(crate) struct DeclaredWorldEvent {
    #[ts(type = "\"world\"")]
    pub(crate) event: &'static str,
    #[serde(flatten)]
    pub(crate) frame: WorldFrame,
}

/// What all pages get.
#[derive(TS)]
#[ts(untagged)]
#[expect(dead_code, reason = "it is there for its declaration")]
enum ServerEvent<'e> {
    Hello(HelloEvent<'e>),
    Scene(SceneEvent),
    Verdict(VerdictEvent),
    Progress(ProgressEvent),
    Planned(PlannedEvent),
    Disk(DiskEvent),
    World(DeclaredWorldEvent),
    WorldGone(WorldGoneEvent),
    Error(ErrorEvent),
}

/// A document that another crate writes stands for the type that is declared for it.
macro_rules! written_elsewhere {
    ($($document:ty: $declared:ty),*) => {
        $(impl TS for $document {
            type WithoutGenerics = $document;
            type OptionInnerType = $document;

            fn name(config: &Config) -> String {
                <$declared>::name(config)
            }

            fn inline(config: &Config) -> String {
                <$declared>::inline(config)
            }

            fn inline_flattened(config: &Config) -> String {
                <$declared>::inline_flattened(config)
            }

            fn visit_dependencies(visitor: &mut impl ts_rs::TypeVisitor) {
                <$declared>::visit_dependencies(visitor);
            }
        })*
    };
}

written_elsewhere!(
    ReportDocument: report::CheckReport,
    FindingDocument: report::Finding,
    ContactDocument: report::ContactFinding,
    ContactFeature: report::FeatureInfo
);

/// The types that a message consists of, with their declarations, each once.
struct Declarations<'c> {
    config: &'c Config,
    found: Vec<(String, String)>,
}

impl ts_rs::TypeVisitor for Declarations<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only what was declared here has a file.
        if T::output_path().is_none() || self.found.iter().any(|(name, _)| *name == T::ident(self.config)) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        self.found.push((T::ident(self.config), format!("{docs}export {}", T::decl(self.config))));
        T::visit_dependencies(self);
    }
}

fn declare<T: TS + 'static>(into: &mut Declarations) {
    ts_rs::TypeVisitor::visit::<T>(into);
}

/// One key or one alternative per line where a declaration is long; short comments on one line.
fn laid_out(declaration: &str) -> String {
    let (mut text, mut rest, mut depth) = (String::new(), declaration, 0);
    let start = declaration.find("export").unwrap_or(0);
    let is_long = declaration[start..].contains("/**") || declaration[start..].len() > 100;
    let is_object = declaration[start..].contains(" = {") && declaration.ends_with("};");
    let is_object = is_object && !declaration.contains("} | ");
    while let Some(next) = rest.chars().next() {
        if let Some((comment, after)) = rest.strip_prefix("/**").and_then(|rest| rest.split_once("*/")) {
            let lines: Vec<_> =
                comment.lines().map(|line| line.trim().trim_start_matches('*').trim()).collect();
            let (before, after_it) = match (depth, is_object) {
                (0, _) => ("", "\n"),
                (_, true) => ("\n  ", "\n  "),
                _ => (" ", " "),
            };
            text.truncate(text.trim_end().len());
            let _ = write!(text, "{before}/** {} */{after_it}", lines.join(" ").trim());
            rest = after.trim_start();
            continue;
        }
        rest = &rest[next.len_utf8()..];
        match next {
            '{' | '[' | '(' | '<' => depth += 1,
            '}' | ']' | ')' | '>' => depth -= 1,
            _ => {}
        }
        match (next, depth) {
            ('{', 1) if is_long && is_object => text.push_str("{\n  "),
            (',', 1) if is_long && is_object => text.push_str(";\n  "),
            ('}', 0) if is_long && is_object => {
                text.truncate(text.trim_end().len());
                text.push_str("\n}");
            }
            ('}', _) => {
                text.truncate(text.trim_end().trim_end_matches(',').len());
                text.push_str(" }");
            }
            ('|', 0) if is_long => text.push_str("\n  |"),
            ('\n', _) => {}
            (' ', _) if text.ends_with([' ', '\n']) => {}
            _ => text.push(next),
        }
    }
    text.trim_start().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The whole file.
fn written() -> String {
    let config = Config::new().with_large_int("number");
    let mut declarations = Declarations { config: &config, found: Vec::new() };
    let into = &mut declarations;
    declare::<ServerEvent<'static>>(into);
    declare::<Command>(into);
    declare::<WorldCommand>(into);
    declare::<RefusedRequest>(into);
    declare::<Uploaded>(into);
    reply::visit(into);
    declare::<frame_document::MeshFacts>(into);
    declare::<frame_document::FrameDocument<'static>>(into);
    declare::<wanted::Wanted>(into);
    // The order in which they are found is another one after every build.
    declarations.found.sort();
    let mut text = HEAD.to_owned();
    for (_, declaration) in &declarations.found {
        let numbers = |count: usize| format!("[{}]", vec!["number"; count].join(", "));
        let declaration = declaration.replace(&numbers(7), "Pose").replace(&numbers(3), "Vec3");
        let _ = write!(text, "\n{}\n", laid_out(&declaration));
    }
    text.push_str("\n/** The answers to commands. */\nexport interface Replies {\n");
    for (name, kind) in REPLIES {
        let _ = writeln!(text, "  {name}: {kind};");
    }
    text.push_str("}\n");
    text
}

#[test]
fn the_page_has_the_typescript_of_these_messages() {
    let text = written();
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    let committed = std::fs::read_to_string(FILE).unwrap_or_default().replace("\r\n", "\n");
    let differing = committed.lines().zip(text.lines()).find(|(a, b)| a != b);
    assert!(committed == text, "{FILE} is not what {WRITE}=1 writes: {differing:?}");
}

/// The names of the variants of a command.
fn commands<T: TS>() -> Vec<String> {
    let text = T::inline(&Config::new());
    let parts = text.split("\"do\": \"").skip(1);
    parts.map(|part| part.split('"').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn every_command_but_one_is_answered() {
    let mut known: Vec<&str> = REPLIES.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    let mut all = [commands::<Command>(), commands::<WorldCommand>()].concat();
    all.retain(|name| name != "world_seen");
    all.sort_unstable();
    assert_eq!(all, known);
}
