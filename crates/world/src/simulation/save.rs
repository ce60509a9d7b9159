//! Worlds that are saved and resumed, bit for bit.
//!
//! The file: a line of text, the hash of the scene, how long the rest is, the state, and a hash of all before. It is for
//! the version of the program that wrote it.

use super::Simulation;
use crate::rigid::{Bytes, State};

/// The first line of a saved world; the number grows with every change of what is saved.
const FIRST: &[u8] = b"freiraum world 1\n";

/// Why a world cannot be resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
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
    /// The whole state as bytes. Events that were not taken are not among it.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut out = FIRST.to_vec();
        out.extend_from_slice(&self.scene_hash);
        self.steps.put(&mut out);
        self.scores.counts.put(&mut out);
        self.scores.inside.put(&mut out);
        let touching: Vec<[u32; 3]> = self.touching.iter().map(|([a, b], count)| [*a, *b, *count]).collect();
        touching.put(&mut out);
        let actors: Vec<Vec<u8>> = self.actors.iter().map(|actor| actor.save()).collect();
        actors.put(&mut out);
        self.engine.put_state(&mut out);
        let check = blake3::hash(&out);
        out.extend_from_slice(check.as_bytes());
        out
    }

    /// Goes on from a saved state, exactly as the world that was saved did. On an error it may only be thrown away.
    pub fn resume(&mut self, saved: &[u8]) -> Result<(), ResumeError> {
        let Some(rest) = saved.strip_prefix(FIRST) else {
            let is_other = saved.starts_with(FIRST.strip_suffix(b"1\n").unwrap_or(FIRST));
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
        let touching: Vec<[u32; 3]> = State::get(from)?;
        self.touching = touching.into_iter().map(|[a, b, count]| ([a, b], count)).collect();
        let actors: Vec<Vec<u8>> = State::get(from)?;
        if actors.len() != self.actors.len() {
            return None;
        }
        let took = self.actors.iter_mut().zip(&actors).all(|(actor, state)| actor.resume(state));
        self.engine.get_state(from)?;
        self.events.clear();
        (took && from.0.is_empty()).then_some(())
    }
}
