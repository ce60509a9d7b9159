//! Two convex bodies that move, known by their farthest points: for how long they stay apart.

use super::instant::Instant;
use super::step::first_zero;
use freiraum_geometry::Vec3;
use freiraum_query::convex::{ConvexBody, NO_VERTEX};

/// Two cores, each with the radius it is grown by, at one instant.
#[derive(Clone, Copy)]
pub(super) struct Cores<'b> {
    pub(super) a: &'b dyn ConvexBody,
    pub(super) b: &'b dyn ConvexBody,
    /// Bound of the relative acceleration of the cores.
    pub(super) acceleration: f64,
    /// What else the gap loses at most, times τ².
    pub(super) curve: f64,
    /// What has to be left of the gap between the cores: both radii and what is asked for.
    pub(super) margin: f64,
    /// a stands, and the twist of b does not change.
    pub(super) is_steady: bool,
}

/// How often, and by how much, a longer time is tried after a shorter one.
const LONGER: usize = 8;
const LONGER_BY: f64 = 4.0;

/// Newton's steps at most; what is left is made up for by a chord.
const ROUNDS: usize = 6;

impl Cores<'_> {
    /// As [`Cores::plane`], by looking at shorter times, for which the acceleration is known better.
    pub(super) fn long_plane(&self, now: &Instant, n: Vec3, m: Vec3, longest: f64) -> f64 {
        let mut best = self.plane(now, n, m, longest);
        if !self.is_steady || now.twists[1].angular == Vec3::ZERO {
            return best;
        }
        for _ in 0..LONGER {
            let next = LONGER_BY * best;
            if !(best > 0.0 && best < longest) {
                break;
            }
            let found = self.plane(now, n, m, next.min(longest));
            if !(found > best) {
                break;
            }
            best = found;
            if found < next {
                break;
            }
        }
        best
    }

    /// Half of what the gap along `n + τ m` loses by accelerations at most, per τ², up to `longest`.
    ///
    /// With a constant twist the acceleration of x is `ω × (ω × x + l)`: that against n is linear in x, so that a farthest point of b
    /// tells the largest, and it changes by no more than the speed allows.
    fn bend(&self, now: &Instant, n: Vec3, m: Vec3, longest: f64) -> f64 {
        let all = 0.5 * self.acceleration * (m.length() * longest).hypot(1.0);
        let twist = now.twists[1];
        if !self.is_steady || twist.angular == Vec3::ZERO {
            return all;
        }
        let across = n.cross(twist.angular);
        let pull = across.cross(twist.angular);
        let x = now.place(self.b.farthest(-(now.turn.transpose() * pull), NO_VERTEX).point);
        let least = across.dot(twist.velocity(x));
        let center = now.place(self.b.center());
        let fastest = twist.velocity(center).length()
            + twist.angular.length() * (self.b.reach() + self.b.center().length());
        let change = (pull.length() + m.cross(twist.angular).length()) * fastest * longest;
        (0.5 * (change - least)).clamp(0.0, all)
    }

    /// For how long a plane across n stays between the bodies, up to `longest`: standing, turning with a, or with b.
    pub(super) fn step(&self, now: &Instant, n: Vec3, longest: f64) -> f64 {
        let mut best = self.long_plane(now, n, Vec3::ZERO, longest);
        for twist in now.twists {
            if twist.angular != Vec3::ZERO && best < longest {
                best = best.max(self.long_plane(now, n, twist.angular.cross(n), longest));
            }
        }
        best
    }

    /// For how long the plane with the normal `n + τ m`, m across n, stays between the cores by more than the margin.
    ///
    /// The gap is at least `g(τ) = min over x of b, y of a of (linear in τ) - curve τ²`, which is concave: where it is
    /// positive at 0 and not negative at τ, it is positive between.
    pub(super) fn plane(&self, now: &Instant, n: Vec3, m: Vec3, longest: f64) -> f64 {
        let turning = m.length();
        let longest = if turning * longest > 1.0 { 1.0 / turning } else { longest };
        // |n + τ m| <= 1 + ½ |m|² τ².
        let mut curve = self.curve + self.bend(now, n, m, longest) + 0.5 * self.margin * turning * turning;
        if turning > 0.0 {
            // The term τ² m·v of all points, by the largest relative velocity.
            let [va, vb] = now.twists;
            let center_b = now.place(self.b.center());
            let between = vb.velocity(center_b) - va.velocity(self.a.center());
            let spread = va.angular.length() * (self.a.reach() + self.a.center().length())
                + vb.angular.length() * (self.b.reach() + self.b.center().length());
            curve += turning * (between.length() + spread);
        }
        // Value at 0 and rate of the points farthest at τ.
        let lines = |tau: f64| {
            let [ta, tb] = now.twists;
            let (rate_a, rate_b) = (m + n.cross(ta.angular), m + n.cross(tb.angular));
            let y = self.a.farthest(n + tau * rate_a, NO_VERTEX).point;
            let back = now.turn.transpose() * (n + tau * rate_b);
            let x = now.place(self.b.farthest(-back, NO_VERTEX).point);
            let q = rate_b.dot(x) + n.dot(tb.linear) - rate_a.dot(y) - n.dot(ta.linear);
            (n.dot(x - y) - self.margin, q)
        };
        let (start, _) = lines(0.0);
        if !(start > 0.0) {
            return 0.0;
        }
        let mut tau = longest;
        let mut value = 0.0;
        for _ in 0..ROUNDS {
            let (p, q) = lines(tau);
            value = p + q * tau - curve * tau * tau;
            if value >= 0.0 {
                return tau;
            }
            let next = first_zero(p, q, -curve);
            if !(next < tau) {
                break;
            }
            // The last value belongs to the last time.
            if next > tau * ALMOST {
                break;
            }
            tau = next;
            value = f64::NAN;
        }
        if value.is_nan() {
            let (p, q) = lines(tau);
            value = p + q * tau - curve * tau * tau;
        }
        if value >= 0.0 { tau } else { tau * start / (start - value) }
    }
}

/// When Newton's steps shorten a time by less than this, the chord is as good.
const ALMOST: f64 = 1.0 - 1.0 / 1024.0;
