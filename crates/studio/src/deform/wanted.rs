//! What a page wants to see.

use crate::protocol::Refusal;
use freiraum_deform::Axis;
use freiraum_deform::deformation::Deformation;
use freiraum_deform::device::Device;
use serde::Deserialize;

/// Most rays each way: a frame is to be looked at, not to be waited for.
const MOST_RAYS: u32 = 2048;

/// Most bodies of a frame.
const MOST_BODIES: usize = 16;

/// One frame.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct Wanted {
    pub(crate) bodies: Vec<BodyWanted>,
    /// Rays each way.
    pub(crate) resolution: u32,
    /// Of the rays; without one the longest edge of each box.
    #[serde(default)]
    pub(crate) axis: Option<AxisWanted>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) device: DeviceWanted,
    /// All layers, beside the overlaps.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) layers: bool,
}

/// A body and what is done to it. Lengths in metres, angles in radians.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct BodyWanted {
    /// As the shelf calls it.
    pub(crate) mesh: String,
    /// Where it is put, after the deformation.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) at: [f64; 3],
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) twist: f64,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) bend: f64,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) wobble: f64,
    #[serde(default = "one")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) waves: f64,
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) inflate: f64,
    /// Share of all amplitudes.
    #[serde(default = "one")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub(crate) share: f64,
    /// How far the swing is, in radians; without one all amplitudes are as they are.
    #[serde(default)]
    pub(crate) swing: Option<f64>,
    /// The axis of the deformation: 0, 1, 2; without one the longest edge of its box.
    #[serde(default)]
    pub(crate) along: Option<usize>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum AxisWanted {
    X,
    Y,
    Z,
}

/// Who renders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum DeviceWanted {
    #[default]
    Auto,
    Cpu,
    Gpu,
}

impl From<DeviceWanted> for Device {
    fn from(wanted: DeviceWanted) -> Device {
        match wanted {
            DeviceWanted::Auto => Device::Auto,
            DeviceWanted::Cpu => Device::Cpu,
            DeviceWanted::Gpu => Device::Gpu,
        }
    }
}

fn one() -> f64 {
    1.0
}

impl Wanted {
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        let bad = |message: String| Err(Refusal::new("request", message));
        if self.resolution == 0 || self.resolution > MOST_RAYS {
            return bad(format!("{} rays are not possible: 1 to {MOST_RAYS}", self.resolution));
        }
        if self.bodies.is_empty() || self.bodies.len() > MOST_BODIES {
            return bad(format!("{} bodies are not possible: 1 to {MOST_BODIES}", self.bodies.len()));
        }
        let numbers = |b: &BodyWanted| {
            let [x, y, z] = b.at;
            [x, y, z, b.twist, b.bend, b.wobble, b.waves, b.inflate, b.share, b.swing.unwrap_or(0.0)]
        };
        if self.bodies.iter().flat_map(numbers).any(|x| !x.is_finite()) {
            return bad("finite numbers are expected".to_owned());
        }
        Ok(())
    }

    /// `None` for the longest edge of each box.
    pub(crate) fn axis(&self) -> Option<Axis> {
        self.axis.map(|axis| match axis {
            AxisWanted::X => Axis::X,
            AxisWanted::Y => Axis::Y,
            AxisWanted::Z => Axis::Z,
        })
    }
}

impl BodyWanted {
    /// In the order in which they are made, without those that change nothing.
    pub(crate) fn deformations(&self) -> impl Iterator<Item = Deformation> {
        let all = [
            Deformation::Inflate { distance: self.inflate },
            Deformation::Twist { angle: self.twist },
            Deformation::Bend { angle: self.bend },
            Deformation::Wobble { angle: self.wobble, waves: self.waves, phase: 0.0 },
        ];
        let (share, swing) = (self.share, self.swing);
        let now = move |one: Deformation| {
            let one = one.scaled(share);
            swing.map_or(one, |angle| one.at(angle, std::f64::consts::TAU))
        };
        all.into_iter().map(now).filter(|one| *one != one.scaled(0.0))
    }
}
