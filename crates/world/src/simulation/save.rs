//! Worlds that are saved and resumed, bit for bit.
//!
//! The file: a line of text, the hash of the scene, how long the rest is, the state, and a hash of all before. It is for
//! the version of the program that wrote it.

use super::Simulation;
use super::bytes::{get_text, put_text};
use crate::dynamics::{Bytes, State};

/// The first line of a saved world; the number grows with every change of what is saved.
const FIRST: &[u8] = b"freiraum world 6\n";
/// How it begins in every version.
const ANY: &[u8] = b"freiraum world ";

/// Why a world cannot be resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The file is something else.
    #[error("this is no saved world; `freiraum sim SCENE --save FILE` writes one")]
    NotSaved,
    /// The file is older or newer.
    #[error("this world was saved by another version of the program; simulate it again from its start")]
    OtherVersion,
    /// The file is not as it was written.
    #[error("this saved world is damaged: its checksum does not fit")]
    Damaged,
    /// The scene is another one.
    #[error(
        "this world was saved from another scene (or from this one before shapes, poses, physics or [world] changed); \
         resume it with the scene that it was saved from"
    )]
    OtherScene,
}

impl Simulation {
    /// The whole state as bytes, with measurements and what controllers save. Events that were not taken are not among it.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut out = FIRST.to_vec();
        out.extend_from_slice(&self.scene_hash);
        self.steps.put(&mut out);
        self.scores.counts.put(&mut out);
        self.scores.inside.put(&mut out);
        self.meetings.put(&mut out);
        self.engine.put_state(&mut out);
        for (machine, trouble) in self.machines.iter().zip(&self.troubles) {
            machine.put(&mut out);
            trouble.has_fallen.put(&mut out);
            put_text(&trouble.refusal, &mut out);
        }
        for (instrument, reading) in self.sensing.instruments.iter().zip(&self.sensing.readings) {
            instrument.reckoned.put(&mut out);
            instrument.has_failed.put(&mut out);
            reading.put(&mut out);
        }
        for driver in &self.drivers.all {
            driver.is_some().put(&mut out);
            if let Some(driver) = driver {
                driver.controller.save().put(&mut out);
                driver.is_new.put(&mut out);
                driver.events.put(&mut out);
            }
        }
        let check = blake3::hash(&out);
        out.extend_from_slice(check.as_bytes());
        out
    }

    /// Goes on from a saved state, exactly as the world that was saved did. Vehicles must have the drivers that they had. On an error it
    /// may only be thrown away.
    pub fn resume(&mut self, saved: &[u8]) -> Result<(), ResumeError> {
        let Some(rest) = saved.strip_prefix(FIRST) else {
            let is_other = saved.starts_with(ANY);
            return Err(if is_other { ResumeError::OtherVersion } else { ResumeError::NotSaved });
        };
        let (whole, check) = saved.split_last_chunk::<32>().ok_or(ResumeError::Damaged)?;
        if blake3::hash(whole).as_bytes() != check || rest.len() < 64 {
            return Err(ResumeError::Damaged);
        }
        let (hash, state) = rest[..rest.len() - 32].split_at(32);
        if hash != self.scene_hash {
            return Err(ResumeError::OtherScene);
        }
        self.take(&mut Bytes(state)).ok_or(ResumeError::OtherVersion)
    }

    fn take(&mut self, from: &mut Bytes) -> Option<()> {
        self.steps = State::get(from)?;
        let goals = self.scores.counts.len();
        self.scores.counts = State::get(from)?;
        self.scores.inside = State::get(from)?;
        if self.scores.counts.len() != goals || self.scores.inside.len() != goals {
            return None;
        }
        self.meetings = State::get(from)?;
        self.engine.get_state(from)?;
        self.poses.clear();
        for (machine, trouble) in self.machines.iter_mut().zip(&mut self.troubles) {
            machine.get(from)?;
            trouble.has_fallen = State::get(from)?;
            trouble.refusal = get_text(from)?;
        }
        let sensing = &mut self.sensing;
        for (instrument, reading) in sensing.instruments.iter_mut().zip(&mut sensing.readings) {
            instrument.reckoned = State::get(from)?;
            instrument.has_failed = State::get(from)?;
            *reading = State::get(from)?;
        }
        sensing.is_new.fill(false);
        sensing.look_again();
        for driver in &mut self.drivers.all {
            if bool::get(from)? != driver.is_some() {
                return None;
            }
            if let Some(driver) = driver {
                let state: Vec<u8> = State::get(from)?;
                let sensors = driver.is_new.len();
                driver.is_new = State::get(from)?;
                driver.events = State::get(from)?;
                if driver.is_new.len() != sensors || !driver.controller.resume(&state) {
                    return None;
                }
            }
        }
        self.events.clear();
        from.0.is_empty().then_some(())
    }
}
