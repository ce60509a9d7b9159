//! The configuration file: which robots there are, how they move and what they measure.

use super::ini::{Entry, entries};
use crate::scene::SceneErrors;
use freiraum_scene::{Place, Problem};

/// All that the file can say; what it does not say has the value of the older simulator. Lengths in millimetres, angles in degrees.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    /// `[general]`
    pub general: General,
    /// `[dynamics]`
    pub dynamics: Dynamics,
    /// `[camera]`: where people look from.
    pub camera: Camera,
    /// `[light]`: where it is.
    pub light: [f64; 3],
    /// As many as `[general]` says, by kind and number.
    pub robots: Vec<Robot>,
    /// `[field]`
    pub field: Field,
    /// What nobody knows, as it stands in the file.
    pub unknown: Vec<Entry>,
    /// What does not fit and was read as well as possible.
    pub notes: Vec<Problem>,
}

/// `[general]`
#[derive(Clone, Debug, PartialEq)]
pub struct General {
    /// How many robots of each kind, in the order of [`RobotKind::ALL`].
    pub counts: [usize; 5],
    /// Draw collisions.
    pub show_collisions: bool,
    /// All parts collide, not only wheels and feet.
    pub full_collision: bool,
    /// How far laser scanners see.
    pub laser_reach: f64,
    /// Spheres around spheres instead of every pair.
    pub hierarchy: bool,
    /// Pictures per second.
    pub camera_rate: f64,
    /// Scans per second.
    pub laser_rate: f64,
    /// Draw scans.
    pub show_scans: bool,
}

/// `[dynamics]`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dynamics {
    /// Millimetres per second squared.
    pub gravity: [f64; 3],
    /// Steps per second.
    pub rate: f64,
}

/// `[camera]`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it is.
    pub position: [f64; 3],
    /// About z.
    pub yaw: f64,
    /// About y.
    pub pitch: f64,
    /// Nearest thing that is drawn.
    pub near: f64,
    /// Farthest thing that is drawn.
    pub far: f64,
}

/// `[field]`
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Along x.
    pub length: f64,
    /// Along y.
    pub width: f64,
    /// Name of the city file; empty for none.
    pub city: String,
    /// Name of the balls file; empty for none.
    pub balls: String,
    /// Boards around it.
    pub boards: bool,
    /// A board through the middle.
    pub middle: bool,
}

/// Kinds of robots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotKind {
    /// `monsterTruck`
    MonsterTruck,
    /// `pioneer`
    Pioneer,
    /// `volksbot`
    Volksbot,
    /// `stretch`
    Stretch,
    /// `hr18`
    Hr18,
}

impl RobotKind {
    /// All of them, as sections and as keys of `[general]` name them.
    pub const ALL: [(RobotKind, &'static str, &'static str); 5] = [
        (RobotKind::MonsterTruck, "monsterTruck", "monsterTrucks"),
        (RobotKind::Pioneer, "pioneer", "pioneers"),
        (RobotKind::Volksbot, "volksbot", "volksbots"),
        (RobotKind::Stretch, "stretch", "stretch"),
        (RobotKind::Hr18, "hr18", "humanoids"),
    ];

    fn has_camera(self) -> bool {
        matches!(self, RobotKind::MonsterTruck | RobotKind::Pioneer)
    }
}

/// One robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Robot {
    /// What it is.
    pub kind: RobotKind,
    /// From 1, for every kind.
    pub number: usize,
    /// How people call it.
    pub name: String,
    /// x and y.
    pub position: [f64; 2],
    /// About z.
    pub direction: f64,
    /// Draw its picture; not for the humanoid.
    pub texture: bool,
    /// Name of a serial line; there is none here.
    pub port: Option<String>,
    /// All parts collide, not only wheels and feet.
    pub full_collision: bool,
    /// Its cameras: one, or head and body of the humanoid.
    pub cameras: Vec<CameraKeys>,
    /// Its laser scanner.
    pub laser: Option<LaserKeys>,
    /// Which humanoid, from 1 to 5.
    pub version: usize,
    /// With forces, or as its joints say.
    pub dynamics: bool,
    /// The newer algorithm, with a moving centre of gravity.
    pub newer_dynamics: bool,
    /// Rotational friction factor of the feet.
    pub foot_friction: f64,
}

/// A camera of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraKeys {
    /// Pictures per second; 0 for none.
    pub rate: f64,
    /// Where pictures go; empty for nowhere.
    pub file: String,
    /// Blurred.
    pub blur: bool,
    /// Distorted as by a lens.
    pub distortion: bool,
}

/// A laser scanner of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct LaserKeys {
    /// Scans per second; 0 for none.
    pub rate: f64,
    /// Where scans go; empty for nowhere.
    pub file: String,
    /// By rays; else off a depth buffer.
    pub by_rays: bool,
    /// Rays that are drawn per row.
    pub rays_drawn: usize,
    /// Show the depth buffer in grey.
    pub write_back: bool,
    /// Rays: width and height are divided by it.
    pub divisor: f64,
}

/// Entries of one section that nobody has asked for yet.
struct Section<'s> {
    entries: Vec<&'s Entry>,
    notes: &'s mut Vec<Problem>,
}

impl<'s> Section<'s> {
    /// The last value of a key; earlier ones are told.
    fn take(&mut self, key: &str) -> Option<&'s Entry> {
        let (found, left): (Vec<_>, Vec<_>) =
            self.entries.iter().partition(|entry| entry.key.eq_ignore_ascii_case(key));
        self.entries = left;
        if let [.., _, last] = found[..] {
            let message = format!("`{key}` stands here more than once");
            self.notes.push(Problem::new(last.place, message).help("the last one counts"));
        }
        found.last().copied()
    }

    fn note(&mut self, entry: &Entry, expected: &str, default: &str) {
        let message = format!("found `{} = {}`, expected {expected}", entry.key, entry.value);
        self.notes.push(Problem::new(entry.place, message).help(format!("{default} is taken")));
    }

    fn number(&mut self, key: &str, default: f64) -> f64 {
        let Some(entry) = self.take(key) else { return default };
        match entry.value.parse::<f64>() {
            Ok(number) if number.is_finite() => number,
            _ => {
                self.note(entry, "a number", &default.to_string());
                default
            }
        }
    }

    /// A number that is at least 0.
    fn amount(&mut self, key: &str, default: f64) -> f64 {
        let Some(entry) = self.take(key) else { return default };
        match entry.value.parse::<f64>() {
            Ok(number) if number.is_finite() && number >= 0.0 => number,
            _ => {
                self.note(entry, "a number that is 0 or more", &default.to_string());
                default
            }
        }
    }

    fn count(&mut self, key: &str, default: usize, most: usize) -> usize {
        let Some(entry) = self.take(key) else { return default };
        match entry.value.parse::<usize>() {
            Ok(number) if number <= most => number,
            _ => {
                self.note(entry, &format!("a whole number up to {most}"), &default.to_string());
                default
            }
        }
    }

    fn flag(&mut self, key: &str, default: bool) -> bool {
        let Some(entry) = self.take(key) else { return default };
        match entry.value.as_str() {
            "0" => false,
            "1" => true,
            _ => {
                self.note(entry, "0 or 1", if default { "1" } else { "0" });
                default
            }
        }
    }

    fn text(&mut self, key: &str) -> Option<String> {
        self.take(key).map(|entry| entry.value.clone())
    }
}

/// Robots of one kind are not more than this.
const MOST: usize = 10_000;

impl Configuration {
    /// Reads the text of a configuration.
    ///
    /// **Errors.** Lines that are no sections, keys or comments, all at once. Everything else that is wrong is a note, and the value of the
    /// older simulator counts.
    pub fn parse(name: &str, text: &str) -> Result<Configuration, SceneErrors> {
        let (all, sections, problems) = entries(text);
        if !problems.is_empty() {
            return Err(SceneErrors::new(name, text, problems));
        }
        let (mut notes, mut unknown) = (Vec::new(), Vec::<Entry>::new());
        let mut section = |name: &str, notes: &mut Vec<Problem>, read: &mut dyn FnMut(&mut Section)| {
            let entries = all.iter().filter(|entry| entry.section.eq_ignore_ascii_case(name)).collect();
            let mut section = Section { entries, notes };
            read(&mut section);
            unknown.extend(section.entries.into_iter().cloned());
        };
        let mut general = General::default();
        section("general", &mut notes, &mut |s| general = General::of(s));
        let mut dynamics = Dynamics { gravity: [0.0, 0.0, -9810.0], rate: 1000.0 };
        section("dynamics", &mut notes, &mut |s| {
            let gravity = [s.number("gx", 0.0), s.number("gy", 0.0), s.number("gz", -9810.0)];
            dynamics = Dynamics { gravity, rate: s.amount("rate", 1000.0) };
        });
        if dynamics.rate == 0.0 {
            let entry = all.iter().find(|entry| entry.key.eq_ignore_ascii_case("rate"));
            let place = entry.map_or(Place::default(), |entry| entry.place);
            notes.push(Problem::new(place, "a rate of 0 steps per second").help("1000 is taken"));
            dynamics.rate = 1000.0;
        }
        let mut camera = Camera { position: [0.0; 3], yaw: 30.0, pitch: 30.0, near: 10.0, far: 20000.0 };
        section("camera", &mut notes, &mut |s| {
            camera = Camera {
                position: position(s, [-10000.0, -4000.0, 5000.0]),
                yaw: s.number("yaw", 30.0),
                pitch: s.number("pitch", 30.0),
                near: s.amount("near", 10.0),
                far: s.amount("far", 20000.0),
            };
        });
        let mut light = [0.0; 3];
        section("light", &mut notes, &mut |s| light = position(s, [0.0, 0.0, 2000.0]));
        let mut robots = Vec::new();
        for ((kind, singular, _), count) in RobotKind::ALL.into_iter().zip(general.counts) {
            for number in 1..=count {
                section(&format!("{singular}{number}"), &mut notes, &mut |s| {
                    robots.push(Robot::of(s, kind, number, &general));
                });
            }
        }
        let mut field = None;
        section("field", &mut notes, &mut |s| {
            field = Some(Field {
                length: s.amount("length", 3000.0),
                width: s.amount("width", 6000.0),
                city: s.text("city").unwrap_or_default(),
                balls: s.text("balls").unwrap_or_default(),
                boards: s.flag("boards", false),
                middle: s.flag("middle", false),
            });
        });
        let field = field.unwrap_or_else(|| unreachable!("every section is read once"));
        let is_read = |name: &str| {
            let fixed = ["general", "dynamics", "camera", "light", "field"];
            fixed.iter().any(|known| known.eq_ignore_ascii_case(name))
                || robots.iter().any(|robot| robot.section().eq_ignore_ascii_case(name))
        };
        for (name, place) in sections.iter().filter(|(name, _)| !is_read(name)) {
            notes.push(unread_section(name, *place));
        }
        unknown.extend(all.iter().filter(|entry| !is_read(&entry.section)).cloned());
        unknown.sort_by_key(|entry| entry.place);
        for entry in unknown.iter().filter(|entry| is_read(&entry.section)) {
            let message = format!("`{}` is no key of [{}]", entry.key, entry.section);
            notes.push(Problem::new(entry.place, message).help("it is kept and not used"));
        }
        notes.sort_by_key(|note| note.place);
        Ok(Configuration { general, dynamics, camera, light, robots, field, unknown, notes })
    }
}

/// A section that nothing is read from, and why.
fn unread_section(name: &str, place: Place) -> Problem {
    let lower = name.to_ascii_lowercase();
    let robot = RobotKind::ALL.into_iter().find(|(_, singular, _)| {
        let digits = lower.strip_prefix(&singular.to_ascii_lowercase());
        digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
    });
    match robot {
        Some((_, _, plural)) => Problem::new(place, format!("[{name}] is a robot that is not there"))
            .help(format!("`{plural}` in [general] says how many there are")),
        None => Problem::new(place, format!("[{name}] is no section")).help("it is kept and not used"),
    }
}

fn position(section: &mut Section, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [section.number("posX", x), section.number("posY", y), section.number("posZ", z)]
}

impl Default for General {
    fn default() -> General {
        General {
            counts: [1, 0, 0, 0, 0],
            show_collisions: false,
            full_collision: false,
            laser_reach: 20000.0,
            hierarchy: false,
            camera_rate: 5.0,
            laser_rate: 5.0,
            show_scans: false,
        }
    }
}

impl General {
    fn of(s: &mut Section) -> General {
        let default = General::default();
        let mut counts = default.counts;
        for ((_, _, plural), count) in RobotKind::ALL.into_iter().zip(&mut counts) {
            *count = s.count(plural, *count, MOST);
        }
        General {
            counts,
            show_collisions: s.flag("showCollisions", false),
            full_collision: s.flag("fullCollision", false),
            laser_reach: s.amount("lsReach", default.laser_reach),
            hierarchy: s.flag("hierarchy", false),
            camera_rate: s.amount("fpsCam", default.camera_rate),
            laser_rate: s.amount("fpsLaser", default.laser_rate),
            show_scans: s.flag("showLaserScans", false),
        }
    }
}

impl Robot {
    fn of(s: &mut Section, kind: RobotKind, number: usize, general: &General) -> Robot {
        let mut cameras = Vec::new();
        if kind.has_camera() {
            let rate = s.amount("fpsCam", general.camera_rate);
            let file = s.text("camImageFile").unwrap_or_default();
            cameras.push(CameraKeys { rate, file, blur: false, distortion: false });
        }
        if kind == RobotKind::Hr18 {
            cameras.push(CameraKeys {
                rate: s.amount("fpsHeadCam", general.camera_rate),
                file: s.text("headImageFile").unwrap_or_default(),
                blur: s.flag("enableHeadCamBlur", true),
                distortion: false,
            });
            cameras.push(CameraKeys {
                rate: s.amount("fpsBodyCam", general.camera_rate),
                file: s.text("bodyImageFile").unwrap_or_default(),
                blur: s.flag("enableBodyCamBlur", false),
                distortion: s.flag("enableBodyCamDistortion", false),
            });
        }
        let laser = (kind == RobotKind::MonsterTruck).then(|| LaserKeys {
            rate: s.amount("fpsLS", general.laser_rate),
            file: s.text("lsImageFile").unwrap_or_default(),
            by_rays: s.count("lsType", 1, 2) == 2,
            rays_drawn: s.count("raysDraw", 5, MOST),
            write_back: s.flag("lsWriteBack", false),
            divisor: s.amount("lsResFactor", 5.0).max(1.0),
        });
        let is_humanoid = kind == RobotKind::Hr18;
        let section = format!("{}{number}", kind.section());
        Robot {
            kind,
            number,
            name: s.text("name").filter(|name| !name.is_empty()).unwrap_or(section),
            position: [s.number("posX", 0.0), s.number("posY", 0.0)],
            direction: s.number("dir", 0.0),
            texture: !is_humanoid && s.flag("textureOn", false),
            port: s.text("comport"),
            full_collision: s.flag("fullCollision", general.full_collision),
            cameras,
            laser,
            version: if is_humanoid { s.count("type", 4, 5) } else { 0 },
            dynamics: !is_humanoid || s.flag("dynamicsOn", true),
            newer_dynamics: !is_humanoid || s.flag("dynamicsType", true),
            foot_friction: if is_humanoid { s.amount("rff", 50.0) } else { 0.0 },
        }
    }

    fn section(&self) -> String {
        format!("{}{}", self.kind.section(), self.number)
    }
}

impl RobotKind {
    fn section(self) -> &'static str {
        RobotKind::ALL[self as usize].1
    }
}
