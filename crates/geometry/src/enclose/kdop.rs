//! k-DOPs: the space between pairs of parallel planes in fixed directions.

use crate::math::Vec3;

/// Which directions a [`KDop`] has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KDopKind {
    /// The three axes: the axis box.
    K6,
    /// The axes and the four space diagonals (corners cut).
    K14,
    /// The axes and the six diagonals of the coordinate planes (edges cut).
    K18,
    /// All thirteen directions.
    K26,
}

impl KDopKind {
    /// All kinds.
    pub const ALL: [KDopKind; 4] = [KDopKind::K6, KDopKind::K14, KDopKind::K18, KDopKind::K26];

    /// Number of planes.
    pub fn planes(self) -> usize {
        match self {
            KDopKind::K6 => 6,
            KDopKind::K14 => 14,
            KDopKind::K18 => 18,
            KDopKind::K26 => 26,
        }
    }

    fn has(self, direction: usize) -> bool {
        match self {
            KDopKind::K6 => direction < 3,
            KDopKind::K14 => direction < 7,
            KDopKind::K18 => !(3..7).contains(&direction),
            KDopKind::K26 => true,
        }
    }
}

/// A discrete oriented polytope: for each direction the least and the largest `direction · x` of what it holds.
///
/// **Units.** Metres times the length of the direction, see [`KDop::DIRECTIONS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KDop {
    // Directions that the kind does not have hold everything: (-infinity, infinity).
    lo: [f64; 13],
    hi: [f64; 13],
    kind: KDopKind,
}

impl KDop {
    /// All directions: the axes, the space diagonals, the diagonals of the coordinate planes. They are not of unit
    /// length: with components 0 and ±1 the products are sums of coordinates.
    pub const DIRECTIONS: [Vec3; 13] = [
        Vec3::new(1.0, 0.0, 0.0),
        Vec3::new(0.0, 1.0, 0.0),
        Vec3::new(0.0, 0.0, 1.0),
        Vec3::new(1.0, 1.0, 1.0),
        Vec3::new(1.0, 1.0, -1.0),
        Vec3::new(1.0, -1.0, 1.0),
        Vec3::new(1.0, -1.0, -1.0),
        Vec3::new(1.0, 1.0, 0.0),
        Vec3::new(1.0, -1.0, 0.0),
        Vec3::new(1.0, 0.0, 1.0),
        Vec3::new(1.0, 0.0, -1.0),
        Vec3::new(0.0, 1.0, 1.0),
        Vec3::new(0.0, 1.0, -1.0),
    ];

    /// The k-DOP of no points: a union with it changes nothing, and it overlaps nothing.
    pub fn empty(kind: KDopKind) -> KDop {
        let bound = |least: bool| {
            let sign = if least { 1.0 } else { -1.0 };
            std::array::from_fn(|i| sign * if kind.has(i) { f64::INFINITY } else { f64::NEG_INFINITY })
        };
        KDop { lo: bound(true), hi: bound(false), kind }
    }

    /// The smallest k-DOP that holds all points.
    ///
    /// **Guarantee.** All points are inside, in real numbers too: the slanted planes are moved outward by
    /// 4 ε (largest |x| + |y| + |z|), which covers the rounding of the sums; the axis planes are exact.
    pub fn of_points<'p>(kind: KDopKind, points: impl IntoIterator<Item = &'p Vec3>) -> KDop {
        let mut dop = KDop::empty(kind);
        let mut reach = 0.0f64;
        for &p in points {
            reach = reach.max(p.abs().element_sum());
            for (i, along) in heights(p).into_iter().enumerate().filter(|&(i, _)| kind.has(i)) {
                dop.lo[i] = dop.lo[i].min(along);
                dop.hi[i] = dop.hi[i].max(along);
            }
        }
        for i in (3..13).filter(|&i| kind.has(i)) {
            dop.lo[i] -= 4.0 * f64::EPSILON * reach;
            dop.hi[i] += 4.0 * f64::EPSILON * reach;
        }
        dop
    }

    /// The smallest k-DOP that holds a body given by its support: the largest `direction · x` of the body.
    ///
    /// `support` is asked with each of [`KDop::DIRECTIONS`] of the kind and its negative, and taken as it is: rounding
    /// it up is the caller's part.
    pub fn of_support(kind: KDopKind, support: impl Fn(Vec3) -> f64) -> KDop {
        let mut dop = KDop::empty(kind);
        for i in (0..13).filter(|&i| kind.has(i)) {
            dop.hi[i] = support(KDop::DIRECTIONS[i]);
            dop.lo[i] = -support(-KDop::DIRECTIONS[i]);
        }
        dop
    }

    /// The kind this k-DOP was made as.
    pub fn kind(&self) -> KDopKind {
        self.kind
    }

    /// Direction, least and largest value for each pair of planes.
    pub fn slabs(&self) -> impl Iterator<Item = (Vec3, f64, f64)> {
        let slab = |i: usize| (KDop::DIRECTIONS[i], self.lo[i], self.hi[i]);
        (0..13).filter(|&i| self.kind.has(i)).map(slab)
    }

    /// True if it holds no point at all: of no points, or cut to nothing.
    pub fn is_empty(&self) -> bool {
        self.slabs().any(|(_, lo, hi)| lo > hi)
    }

    /// True if `point` lies in the closed k-DOP, up to the rounding of one sum of its coordinates.
    pub fn contains(&self, point: Vec3) -> bool {
        heights(point).into_iter().enumerate().all(|(i, along)| self.lo[i] <= along && along <= self.hi[i])
    }

    /// The smallest k-DOP that holds both, in the directions that both have (of different kinds, that is the smaller
    /// kind, or the axis box for 14 with 18).
    #[must_use]
    pub fn union(&self, other: &KDop) -> KDop {
        let kind = match (self.kind, other.kind) {
            (a, b) if a == b => a,
            (KDopKind::K26, kind) | (kind, KDopKind::K26) => kind,
            _ => KDopKind::K6,
        };
        KDop {
            lo: std::array::from_fn(|i| self.lo[i].min(other.lo[i])),
            hi: std::array::from_fn(|i| self.hi[i].max(other.hi[i])),
            kind,
        }
    }

    /// False only if the two have no point in common: some direction separates them.
    ///
    /// True does not prove that they meet: a direction that neither has may separate them. The kinds may differ;
    /// the directions that both have are compared.
    pub fn overlaps(&self, other: &KDop) -> bool {
        (0..13).all(|i| self.lo[i] <= other.hi[i] && other.lo[i] <= self.hi[i])
    }
}

/// `direction · p` for all directions, each a sum of at most three coordinates.
fn heights(p: Vec3) -> [f64; 13] {
    let (sum, difference) = (p.x + p.y, p.x - p.y);
    [
        p.x,
        p.y,
        p.z,
        sum + p.z,
        sum - p.z,
        difference + p.z,
        difference - p.z,
        sum,
        difference,
        p.x + p.z,
        p.x - p.z,
        p.y + p.z,
        p.y - p.z,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use freiraum_testkit::random::Random;

    #[test]
    fn the_directions_agree_with_the_sums() {
        let p = Vec3::new(3.0, 5.0, 11.0);
        assert_eq!(heights(p), KDop::DIRECTIONS.map(|d| d.dot(p)));
    }

    #[test]
    fn each_kind_has_its_number_of_planes() {
        for kind in KDopKind::ALL {
            assert_eq!(2 * KDop::empty(kind).slabs().count(), kind.planes());
            assert!(KDop::empty(kind).is_empty());
            assert!(!KDop::empty(kind).contains(Vec3::ZERO));
        }
    }

    #[test]
    fn a_cut_corner_is_outside_only_where_the_kind_cuts_it() {
        let points = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z];
        let holds = |kind, p: Vec3| KDop::of_points(kind, &points).contains(p);
        let (corner, edge) = (Vec3::splat(0.9), Vec3::new(0.9, 0.9, 0.0));
        assert_eq!(KDopKind::ALL.map(|k| holds(k, corner)), [true, false, false, false]);
        assert_eq!(KDopKind::ALL.map(|k| holds(k, edge)), [true, false, false, false]);
        assert_eq!(KDopKind::ALL.map(|k| holds(k, Vec3::splat(0.4))), [true, false, true, false]);
        assert_eq!(KDopKind::ALL.map(|k| holds(k, Vec3::splat(0.3))), [true; 4]);
    }

    #[test]
    fn the_support_of_points_gives_the_dop_of_points() {
        let points = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(-4.0, 0.5, 1.0), Vec3::new(2.0, -3.0, 0.0)];
        let support = |d: Vec3| points.iter().map(|p| d.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
        for kind in KDopKind::ALL {
            let (dop, same) = (KDop::of_support(kind, support), KDop::of_points(kind, &points));
            assert_eq!(dop.slabs().count(), same.slabs().count());
            for ((_, lo, hi), (_, lo_same, hi_same)) in dop.slabs().zip(same.slabs()) {
                assert!((lo - lo_same).abs() < 1e-13 && (hi - hi_same).abs() < 1e-13);
            }
            assert!(dop.overlaps(&same), "directions that the kind lacks separate nothing");
        }
    }

    #[test]
    fn overlap_sees_slanted_gaps_and_touching() {
        let of = |kind, points: &[Vec3]| KDop::of_points(kind, points);
        // Two triangles on either side of the plane x + y + z = 1, their axis boxes overlapping.
        let low = [Vec3::ZERO, 0.9 * Vec3::X, 0.9 * Vec3::Y, 0.9 * Vec3::Z];
        let high = [Vec3::ONE, Vec3::new(0.7, 0.7, 0.0), Vec3::new(0.0, 0.7, 0.7)];
        let meet = KDopKind::ALL.map(|k| of(k, &low).overlaps(&of(k, &high)));
        assert_eq!(meet, [true, false, true, false]);
        assert!(of(KDopKind::K6, &low).overlaps(&of(KDopKind::K26, &high)), "only the axes are common");
        let (a, b) = (of(KDopKind::K6, &[Vec3::ZERO, Vec3::X]), of(KDopKind::K6, &[Vec3::X, 2.0 * Vec3::X]));
        assert!(a.overlaps(&b) && b.overlaps(&a), "touching counts");
        assert!(!a.overlaps(&KDop::empty(KDopKind::K6)) && !KDop::empty(KDopKind::K26).overlaps(&a));
    }

    #[test]
    fn union_is_the_dop_of_both() {
        let mut random = Random::new(5);
        for kind in KDopKind::ALL {
            let points: Vec<Vec3> = (0..40).map(|_| random.in_cube(3.0)).collect();
            let (left, right) = points.split_at(13);
            let both = KDop::of_points(kind, left).union(&KDop::of_points(kind, right));
            assert!(points.iter().all(|&p| both.contains(p)));
            let whole = KDop::of_points(kind, &points);
            for ((_, lo, hi), (_, lo_whole, hi_whole)) in both.slabs().zip(whole.slabs()) {
                assert!((lo - lo_whole).abs() < 1e-14 && (hi - hi_whole).abs() < 1e-14);
            }
            assert_eq!(whole.union(&KDop::empty(kind)), whole);
            for other in KDopKind::ALL {
                let mixed = KDop::of_points(kind, left).union(&KDop::of_points(other, right));
                assert!(points.iter().all(|&p| mixed.contains(p)));
                assert!(mixed.slabs().all(|(_, lo, hi)| lo.is_finite() && hi.is_finite()));
            }
        }
    }
}
