//! `freiraum draw`: a technical drawing of a scene, of its steps, or of its parts shifted apart.

use super::output::Console;
use super::progress::Progress;
use super::{Answer, Failure, leftovers};
use freiraum::assets::ShapeCache;
use freiraum::check::Timeline;
use freiraum::check::words;
use freiraum::formats::scene::SceneFile;
use freiraum::render::draw::{Drafter, DrawError, Frame, Options, Projection, Sheet, Style, View};
use freiraum::scene::{Problem, Scene};
use std::path::{Path, PathBuf};

pub(super) const EXAMPLES: &str = "\
Without --step the scene is drawn as it is before the first step. Lines are 0.5 mm wide for outlines and 0.25 mm for edges.
PNG files are chosen by their extension. A file that is written replaces an older one at once, when it is complete.

Examples:
  freiraum draw gearbox.toml -o gearbox.svg
  freiraum draw gearbox.toml -o lid.png --step \"lower the lid\" --arrows --view dimetric
  freiraum draw gearbox.toml --each-step drawings --arrows
  freiraum draw gearbox.toml -o parts.svg --explode 1 --style hidden-line
  freiraum draw gearbox.toml -o top.svg --view top --style hidden-line --hidden-edges --scale 1:2";

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The scene file (TOML)
    #[arg(value_name = "SCENE")]
    scene: PathBuf,
    /// The drawing: .svg or .png; - is SVG on stdout [default: SCENE.svg in the current folder]
    #[arg(short, long, value_name = "FILE", conflicts_with = "each_step")]
    output: Option<PathBuf>,
    /// iso, dimetric, top, front, side, or two angles in degrees "theta,phi": from the z axis, and round it from the x axis
    #[arg(long, default_value = "iso", value_name = "VIEW", allow_hyphen_values = true)]
    view: View,
    /// Rays parallel, or through an eye near the scene
    #[arg(long, value_enum, default_value_t = Rays::Parallel, value_name = "KIND")]
    projection: Rays,
    /// How far the eye is from the centre of the scene, in its units; central projection only [default: 3 radii]
    #[arg(long, value_name = "LENGTH")]
    distance: Option<f64>,
    /// What is drawn of the bodies
    #[arg(long, value_enum, default_value_t = Look::Shaded, value_name = "STYLE")]
    style: Look,
    /// Draw hidden edges too, dashed
    #[arg(long)]
    hidden_edges: bool,
    /// Draw this step: its number as `check` prints it (3, or 3.2), its name, "start" or "end"; moving bodies stand out
    #[arg(long, value_name = "STEP")]
    step: Option<String>,
    /// Draw every step into a file of this folder, all in one frame
    #[arg(long, value_name = "DIR", conflicts_with_all = ["step", "explode"])]
    each_step: Option<PathBuf>,
    /// Format of --each-step
    #[arg(long, value_enum, default_value_t = Format::Svg, value_name = "FORMAT", requires = "each_step")]
    format: Format,
    /// Take the parts back along the ways on which they were assembled; 1 leaves a gap between them, 0 none
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true)]
    explode: Option<f64>,
    /// Show the motions of a step as arrows
    #[arg(long)]
    arrows: bool,
    /// Paper in millimetres
    #[arg(long, default_value = "210x148", value_name = "WxH", value_parser = size)]
    size: [f64; 2],
    /// Scale as 1:2 or 5:1 [default: as large as fits; of top, front and side the next of 1:1, 1:2, 1:5, 1:10, ...]
    #[arg(long, value_name = "SCALE", value_parser = scale)]
    scale: Option<f64>,
    /// Dots per inch of PNG files
    #[arg(long, default_value_t = 200.0, value_name = "N")]
    dpi: f64,
    /// No line with name, scale and units below the drawing
    #[arg(long)]
    no_title: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Rays {
    Parallel,
    Central,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Look {
    Shaded,
    HiddenLine,
    FrontFaces,
    Wireframe,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    Svg,
    Png,
}

/// How many steps an error lists.
const LISTED: usize = 40;

/// What is to be drawn.
enum Subject {
    Start,
    End,
    Step(usize),
}

pub(super) fn run(arguments: &Arguments, console: &mut Console) -> Result<Answer, Failure> {
    let output = arguments.output();
    let is_stdout = output.as_os_str() == "-";
    let format = match &arguments.each_step {
        Some(_) => arguments.format,
        None if is_stdout => Format::Svg,
        None => format_of(&output)?,
    };
    if is_stdout && console.json() {
        let message = "stdout cannot take both the drawing and the JSON document; write the drawing to a file, or leave --json out";
        return Err(Failure::new("usage", message));
    }
    if let Some(factor) = arguments.explode.filter(|factor| !(factor.is_finite() && *factor >= 0.0)) {
        return Err(Failure::new(
            "usage",
            format!(
                "--explode {factor}: expected a number from 0; 1 leaves a gap between the parts, 2 doubles all shifts"
            ),
        ));
    }
    leftovers::sweep([arguments.scene.as_path(), &output]);
    leftovers::sweep_folders(arguments.each_step.as_deref());
    let progress = Progress::new("reading");
    let file = SceneFile::read(&arguments.scene)?;
    let in_file = |problems: Vec<Problem>| Failure::from(file.errors(problems));
    let draw_failure = |error: DrawError| match error {
        DrawError::Shapes { problems } => in_file(problems),
        other => Failure::new("drawing", other),
    };
    let scene = file.scene();
    let timeline = Timeline::of(scene).map_err(in_file)?;
    let subject = arguments.subject(&timeline)?;
    let drafter = Drafter::new(scene, &timeline, &ShapeCache::of(scene), arguments.options(scene)?)
        .map_err(draw_failure)?;
    let stem = || Path::new(file.name()).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let drafter = drafter.named(file.title().map(str::to_owned).or_else(stem).unwrap_or_default());
    progress.now("drawing");
    let mut written = Vec::new();
    if let Some(folder) = &arguments.each_step {
        std::fs::create_dir_all(folder).map_err(|e| cannot_write(folder, &e))?;
        // The numbers that `check` prints, with zeros in front so that names sort as steps follow: 03, or
        // 03.2.
        let last = timeline.stages.last().map_or(0, |stage| stage.step + 1);
        let digits = last.to_string().len().max(2);
        for (number, stage) in timeline.stages.iter().enumerate() {
            let sheet = drafter.step(number, Frame::Plan, arguments.arrows).map_err(draw_failure)?;
            let shown = words::step_number(&timeline, number);
            let zeros = digits.saturating_sub(shown.split('.').next().map_or(0, str::len));
            let name = format!("{:0<zeros$}{shown}-{}.{}", "", plain(&stage.name), format.extension());
            let path = folder.join(name);
            write(&path, &arguments.bytes(&sheet, format).map_err(draw_failure)?)?;
            written.push((path, sheet));
        }
        warn_of_others(folder, &written, console);
    } else {
        let sheet = match (arguments.explode, subject) {
            (Some(factor), Subject::Start) if arguments.step.is_some() => drafter.exploded(factor, 0),
            (Some(factor), Subject::Step(number)) => drafter.exploded(factor, number + 1),
            (Some(factor), _) => drafter.exploded(factor, timeline.stages.len()),
            (None, Subject::Start) => drafter.start(),
            (None, Subject::End) => drafter.end(),
            (None, Subject::Step(number)) => drafter.step(number, Frame::Own, arguments.arrows),
        };
        let sheet = sheet.map_err(draw_failure)?;
        let bytes = arguments.bytes(&sheet, format).map_err(draw_failure)?;
        if is_stdout {
            console.file(&bytes);
        } else {
            write(&output, &bytes)?;
        }
        written.push((output, sheet));
    }
    drop(progress);
    tell(&written, console);
    Ok(Answer::Good)
}

impl Arguments {
    fn output(&self) -> PathBuf {
        let beside =
            || Path::new(self.scene.file_name().unwrap_or(self.scene.as_os_str())).with_extension("svg");
        self.output.clone().unwrap_or_else(beside)
    }

    fn options(&self, scene: &Scene) -> Result<Options, Failure> {
        let distance = self.distance.map(|length| scene.units.to_metres(length));
        if let Some(length) = distance.filter(|length| !(length.is_finite() && *length > 0.0)) {
            return Err(Failure::new("usage", format!("--distance {length}: expected a length above 0")));
        }
        if !(self.dpi.is_finite() && self.dpi > 0.0) {
            return Err(Failure::new("usage", format!("--dpi {}: expected a number above 0", self.dpi)));
        }
        let projection = match self.projection {
            Rays::Central => Projection::Central(distance),
            Rays::Parallel if distance.is_some() => {
                return Err(Failure::new("usage", "--distance is for --projection central"));
            }
            Rays::Parallel => Projection::Parallel,
        };
        Ok(Options {
            view: self.view.with(projection),
            style: match self.style {
                Look::Shaded => Style::Shaded,
                Look::HiddenLine => Style::HiddenLine,
                Look::FrontFaces => Style::FrontFaces,
                Look::Wireframe => Style::Wireframe,
            },
            hidden_edges: self.hidden_edges,
            size: self.size,
            // Millimetres on paper for a metre.
            scale: self.scale.map(|scale| 1000.0 * scale),
            title_block: !self.no_title,
        })
    }

    fn subject(&self, timeline: &Timeline) -> Result<Subject, Failure> {
        let Some(text) = &self.step else { return Ok(Subject::Start) };
        let numbers: Vec<String> =
            (0..timeline.stages.len()).map(|stage| words::step_number(timeline, stage)).collect();
        if let Some(stage) = timeline.stages.iter().position(|stage| stage.name == *text) {
            return Ok(Subject::Step(stage));
        }
        // The numbers that `check` prints: 3, or 3.2 where a step has several parts; 3 alone is the first of them.
        let is_first = |number: &String| number.strip_prefix(text.as_str()).is_some_and(|rest| rest == ".1");
        let stage =
            numbers.iter().position(|number| number == text).or_else(|| numbers.iter().position(is_first));
        match (text.as_str(), stage) {
            ("start", _) => Ok(Subject::Start),
            ("end", _) => Ok(Subject::End),
            (_, Some(stage)) => Ok(Subject::Step(stage)),
            _ => {
                let listed = |stage: usize| match words::own_name(timeline, stage) {
                    Some(name) => format!("{} {name:?}", numbers[stage]),
                    None => numbers[stage].clone(),
                };
                let known = match numbers.len() {
                    0 => "the scene has no steps".to_owned(),
                    count @ 1..=LISTED => {
                        format!("the steps are {}", (0..count).map(listed).collect::<Vec<_>>().join(", "))
                    }
                    count => format!("the {count} steps are {} to {}", listed(0), listed(count - 1)),
                };
                let message = format!(
                    "--step {text:?}: no such step; {known}; expected a number as `freiraum check` prints it, a name, start or end"
                );
                Err(Failure::new("no_such_step", message))
            }
        }
    }

    fn bytes(&self, sheet: &Sheet, format: Format) -> Result<Vec<u8>, DrawError> {
        match format {
            Format::Svg => Ok(sheet.to_svg().into_bytes()),
            Format::Png => sheet.to_png(self.dpi),
        }
    }
}

impl Format {
    fn extension(self) -> &'static str {
        match self {
            Format::Svg => "svg",
            Format::Png => "png",
        }
    }
}

fn format_of(path: &Path) -> Result<Format, Failure> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        _ => {
            let message = format!("{}: expected a name that ends with .svg or .png", path.display());
            Err(Failure::new("usage", message))
        }
    }
}

/// Part of a file name: letters, digits and dashes.
fn plain(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' });
    let text: String = letters.take(60).collect();
    text.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

fn size(text: &str) -> Result<[f64; 2], String> {
    let parsed = || {
        let (width, height) = text.split_once(['x', 'X', '×'])?;
        Some([width.trim().parse().ok()?, height.trim().parse().ok()?])
    };
    parsed().ok_or_else(|| "expected width and height in millimetres, as in 210x148".to_owned())
}

fn scale(text: &str) -> Result<f64, String> {
    let parsed = || {
        let (paper, real) = text.split_once(':')?;
        let scale = paper.trim().parse::<f64>().ok()? / real.trim().parse::<f64>().ok()?;
        (scale > 0.0 && scale.is_finite()).then_some(scale)
    };
    parsed().ok_or_else(|| "expected a scale as in 1:2 or 5:1".to_owned())
}

/// Replaces a file when all of it is written.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    freiraum::files::write(path, bytes).map_err(|e| cannot_write(path, &e))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    let mut failure = Failure::new("output", format!("cannot write {}: {error}", path.display()));
    failure.place = vec![("file", path.display().to_string().into())];
    failure
}

/// Warns of drawings in the folder that look like those of steps and were not written now: they are of
/// another plan, or of an earlier one.
fn warn_of_others(folder: &Path, written: &[(PathBuf, Sheet)], console: &mut Console) {
    let is_of_step = |name: &str| {
        let number = name.split('-').next().unwrap_or_default();
        let is_number = number.len() >= 2 && number.chars().all(|c| c.is_ascii_digit() || c == '.');
        is_number && name.contains('-') && (name.ends_with(".svg") || name.ends_with(".png"))
    };
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let is_other =
        |name: &String| is_of_step(name) && !written.iter().any(|(path, _)| *path == folder.join(name));
    let mut others: Vec<String> = names.filter(is_other).collect();
    others.sort_unstable();
    let Some(first) = others.first() else { return };
    let rest = if others.len() == 1 { String::new() } else { format!(" and {} more", others.len() - 1) };
    console.warning(&format!(
        "{} also has {first}{rest}, not of this plan: remove what an earlier run has left",
        folder.display()
    ));
}

fn tell(written: &[(PathBuf, Sheet)], console: &mut Console) {
    if console.json() {
        let entry = |(path, sheet): &(PathBuf, Sheet)| {
            serde_json::json!({
                "file": path.display().to_string(),
                "title": sheet.title,
                "size_mm": sheet.size,
                "scale": sheet.scale.map(|scale| scale / 1000.0),
            })
        };
        let drawings: Vec<serde_json::Value> = written.iter().map(entry).collect();
        console.document(&serde_json::json!({ "drawings": drawings }));
        return;
    }
    if let [(path, _)] = written {
        console.text(&format!("wrote {}\n", path.display()));
        return;
    }
    for (path, sheet) in written {
        console.text(&format!("wrote {}  {}\n", path.display(), sheet.title));
    }
    if written.is_empty() {
        console.text("nothing to draw: the scene has no steps\n");
    }
}
