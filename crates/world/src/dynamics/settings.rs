//! What holds for the whole world of bodies.

use freiraum_geometry::Vec3;

/// How a number of a pair follows from the numbers of its two materials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Rule {
    /// The root of the product: equal numbers stay what they are, and a smooth partner makes the pair smooth.
    #[default]
    GeometricMean,
    /// The arithmetic mean.
    Average,
    /// The product, as in text 003.
    Product,
    /// The larger one.
    Maximum,
    /// The smaller one.
    Minimum,
}

impl Rule {
    /// The number of the pair.
    #[must_use]
    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Rule::GeometricMean => (a * b).sqrt(),
            Rule::Average => 0.5 * (a + b),
            Rule::Product => a * b,
            Rule::Maximum => a.max(b),
            Rule::Minimum => a.min(b),
        }
    }
}

/// Settings of an [`Engine`](super::Engine).
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Acceleration of free fall in m/s².
    pub gravity: Vec3,
    /// A part of a step that the solver takes is at most this long, in seconds: longer steps are cut into equal parts. Contacts get
    /// stiffer and stacks higher with shorter ones.
    pub longest_substep: f64,
    /// How often all contacts and joints are gone through in a part of a step before bodies move.
    pub iterations: usize,
    /// How often they are gone through afterwards, to take away the speed with which overlaps were pushed apart.
    pub relaxations: usize,
    /// Natural frequency of a contact as a share of the rate of the parts of a step; at most 1/4 is stable.
    pub stiffness_share: f64,
    /// Damping ratio of a contact: 1 is critical; more pushes overlaps apart more gently.
    pub damping_ratio: f64,
    /// Overlaps are pushed apart with at most this speed, in m/s.
    pub push_speed: f64,
    /// Bodies that approach slower than this do not bounce, in m/s.
    pub bounce_threshold: f64,
    /// Up to so many bouncing bodies are followed to the very time at which they touch something, so that they rise as high as they must. If there are more, they bounce
    /// up to a step too early.
    pub followed_bounces: usize,
    /// How often a step may be interrupted at a first contact. After that bodies that would pass through each other are
    /// held where they touch for the rest of the step.
    pub interruptions: usize,
    /// Friction of a pair from those of its materials.
    pub friction_rule: Rule,
    /// Restitution of a pair from those of its materials.
    pub restitution_rule: Rule,
    /// Whether groups of bodies at rest may fall asleep.
    pub sleeping: bool,
    /// Bodies slower than this in m/s (points of their surface included) for [`Settings::sleep_time`] fall asleep.
    pub sleep_speed: f64,
    /// See [`Settings::sleep_speed`]; in seconds.
    pub sleep_time: f64,
    /// Whether large sets of pairs are looked at by the threads of the current rayon pool. The result is the same.
    pub parallel: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            gravity: Vec3::new(0.0, 0.0, -9.81),
            longest_substep: 1.0 / 400.0,
            iterations: 1,
            relaxations: 1,
            stiffness_share: 0.15,
            damping_ratio: 5.0,
            push_speed: 3.0,
            bounce_threshold: 0.05,
            followed_bounces: 16,
            interruptions: 16,
            friction_rule: Rule::GeometricMean,
            restitution_rule: Rule::Maximum,
            sleeping: false,
            sleep_speed: 0.01,
            sleep_time: 0.5,
            parallel: true,
        }
    }
}
