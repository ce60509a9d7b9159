//! What sensors measured, in files of their own.

use super::Arguments;
use crate::commands::Failure;
use freiraum::files;
use freiraum::scene::Sensor;
use freiraum::world::{Measured, Simulation, record};
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Writes what was asked for.
pub(super) struct Measurements {
    lines: Option<(String, BufWriter<File>)>,
    pictures: Option<PathBuf>,
}

impl Measurements {
    pub(super) fn new(arguments: &Arguments, simulation: &Simulation) -> Result<Measurements, Failure> {
        let sensors = &simulation.scene().world.sensors;
        let is_camera = |sensor: &Sensor| sensor.kind.name() == "camera";
        let asked = [
            ("--sensors", arguments.sensors.is_some(), sensors.is_empty(), "sensors"),
            ("--pictures", arguments.pictures.is_some(), !sensors.iter().any(is_camera), "cameras"),
        ];
        if let Some((option, .., what)) = asked.iter().find(|(_, is_asked, is_none, _)| *is_asked && *is_none)
        {
            return Err(Failure::new("sensors", format!("{option}: there are no {what} in this scene")));
        }
        let mut lines = None;
        if let Some(path) = &arguments.sensors {
            let name = path.display().to_string();
            let file = files::create(path).map_err(|e| cannot(&name, &e))?;
            lines = Some((name, BufWriter::new(file)));
        }
        if let Some(folder) = &arguments.pictures {
            std::fs::create_dir_all(folder).map_err(|e| cannot(&folder.display().to_string(), &e))?;
        }
        Ok(Measurements { lines, pictures: arguments.pictures.clone() })
    }

    /// All measurements of the last step.
    pub(super) fn write(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        if self.lines.is_none() && self.pictures.is_none() {
            return Ok(());
        }
        let scene = simulation.scene();
        for (number, reading) in simulation.new_readings() {
            let sensor = &scene.world.sensors[number];
            let on = scene.mount_name(sensor);
            let mut line = json!({
                "t": reading.time,
                "sensor": sensor.name,
                "on": on,
                "kind": sensor.kind.name(),
                "value": record::value(&reading.value),
            });
            if let (Some(folder), Measured::Picture(picture)) = (&self.pictures, &reading.value) {
                let step = simulation.steps().saturating_sub(1);
                let name = format!("{}-{}-{step:08}.png", plain(on.unwrap_or("world")), plain(&sensor.name));
                let path = folder.join(&name);
                let bytes = png(picture.size, &picture.colors).ok_or_else(|| {
                    Failure::new("output", format!("{}: cannot encode the picture", path.display()))
                })?;
                super::write(&path, &bytes)?;
                line["value"]["file"] = json!(name);
            }
            if let Some((name, file)) = &mut self.lines {
                writeln!(file, "{line}").map_err(|e| cannot(name, &e))?;
            }
        }
        Ok(())
    }

    pub(super) fn end(mut self) -> Result<(), Failure> {
        match &mut self.lines {
            Some((name, file)) => file.flush().map_err(|e| cannot(name, &e)),
            None => Ok(()),
        }
    }
}

fn cannot(name: &str, error: &std::io::Error) -> Failure {
    Failure::new("output", format!("{name}: cannot write the measurements: {error}"))
}

/// A name as it may be in the name of a file.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

fn png(size: [u32; 2], colors: &[[u8; 3]]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size[0], size[1]);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(colors.as_flattened()).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}
