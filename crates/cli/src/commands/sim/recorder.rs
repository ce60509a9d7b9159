//! States over time: recordings and CSV.

use super::Arguments;
use crate::commands::Failure;
use crate::commands::output::Console;
use freiraum::files;
use freiraum::geometry::Vec3;
use freiraum::world::Simulation;
use freiraum::world::event::Event;
use freiraum::world::record;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};

/// Writes what was asked for.
pub(super) struct Recorder {
    file: Option<(String, BufWriter<File>)>,
    csv: bool,
    has_sensors: bool,
    /// The step of the last state: none is written twice.
    last: Option<u64>,
}

impl Recorder {
    pub(super) fn new(
        arguments: &Arguments,
        simulation: &Simulation,
        rate: f64,
        console: &mut Console,
    ) -> Result<Recorder, Failure> {
        let mut recording = None;
        if let Some(path) = &arguments.record {
            let name = path.display().to_string();
            let opened = files::create(path).map_err(|e| cannot(&name, &e))?;
            recording = Some((name, BufWriter::new(opened)));
        }
        let has_sensors = arguments.record_sensors;
        let mut recorder = Recorder { file: recording, csv: arguments.csv, has_sensors, last: None };
        recorder.line(&record::header(simulation, rate))?;
        if arguments.csv {
            let unit = simulation.scene().units;
            let row = format!(
                "time_s,body,x_{unit},y_{unit},z_{unit},qx,qy,qz,qw,vx_{unit}_s,vy_{unit}_s,vz_{unit}_s,\
                 wx_deg_s,wy_deg_s,wz_deg_s\n"
            );
            console.file(row.as_bytes());
        }
        Ok(recorder)
    }

    fn line(&mut self, line: &str) -> Result<(), Failure> {
        match &mut self.file {
            Some((name, file)) => file.write_all(line.as_bytes()).map_err(|e| cannot(name, &e)),
            None => Ok(()),
        }
    }

    /// Where everything is now.
    pub(super) fn frame(&mut self, simulation: &Simulation, console: &mut Console) -> Result<(), Failure> {
        if self.last == Some(simulation.steps()) {
            return Ok(());
        }
        self.last = Some(simulation.steps());
        if self.file.is_some() {
            self.line(&record::frame(simulation))?;
        }
        if self.csv {
            console.file(rows(simulation).as_bytes());
        }
        Ok(())
    }

    pub(super) fn event(&mut self, event: &Event, simulation: &Simulation) -> Result<(), Failure> {
        if self.file.is_some() {
            self.line(&record::event(event, simulation.scene()))?;
        }
        Ok(())
    }

    /// What was measured in the last step; pictures only by their size.
    pub(super) fn readings(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        if self.file.is_some() && self.has_sensors {
            for (sensor, reading) in simulation.new_readings() {
                self.line(&record::reading(sensor, reading))?;
            }
        }
        Ok(())
    }

    /// After the last state.
    pub(super) fn end(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        self.line(&record::end(simulation))?;
        match &mut self.file {
            Some((name, file)) => file.flush().map_err(|e| cannot(name, &e)),
            None => Ok(()),
        }
    }
}

fn cannot(name: &str, error: &std::io::Error) -> Failure {
    Failure::new("output", format!("{name}: cannot write the recording: {error}"))
}

/// A row for every body that can move.
fn rows(simulation: &Simulation) -> String {
    let scene = simulation.scene();
    let unit = scene.units;
    let in_unit = |v: Vec3| v.to_array().map(|x| unit.from_metres(x));
    let mut out = String::new();
    for (number, body) in scene.bodies.iter().enumerate().filter(|(body, _)| simulation.can_move(*body)) {
        let pose = simulation.pose(number);
        let [linear, spin] = simulation.velocity(number);
        let _ = write!(out, "{},{}", simulation.time(), quoted(&body.name));
        let numbers = in_unit(pose.translation()).into_iter().chain(pose.rotation().to_array());
        let numbers = numbers.chain(in_unit(linear)).chain(spin.to_array().map(f64::to_degrees));
        for x in numbers {
            let _ = write!(out, ",{x}");
        }
        out.push('\n');
    }
    out
}

/// A name as CSV has it.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
