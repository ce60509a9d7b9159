//! Which pictures a report shows, and from where.

use super::Source;
use crate::picture::{Camera, Drawn, Figure, Mark, Picture, Role, Shot, View, color_of};
use freiraum_check::{Finding, FindingKind, Mover, Stage, words};
use freiraum_geometry::{Aabb, Pose, Vec3};
use freiraum_query::ray::Ray;
use freiraum_scene::Color;

/// Points on the arrow of a motion.
const WAY: usize = 96;
/// Names in a legend.
const LEGEND: usize = 5;

/// A picture with what is written on and below it.
pub(crate) struct Frame {
    pub(crate) picture: Picture,
    /// Texts and where they stand, in pixels.
    pub(crate) labels: Vec<(String, [f64; 2])>,
    /// Colours and whose they are.
    pub(crate) legend: Vec<(Color, String)>,
    pub(crate) caption: String,
}

impl Source<'_> {
    fn figure(&self, body: usize) -> &Figure {
        self.figures.of_body(body)
    }

    fn color(&self, body: usize) -> Color {
        color_of(&self.scene.bodies[body], body)
    }

    fn drawn(&self, body: usize, pose: Pose, role: Role) -> Drawn<'_> {
        Drawn { figure: self.figure(body), pose, color: self.color(body), role }
    }

    fn legend(&self, bodies: &[usize]) -> Vec<(Color, String)> {
        let mut legend: Vec<(Color, String)> = bodies
            .iter()
            .take(LEGEND)
            .map(|body| (self.color(*body), self.scene.bodies[*body].name.clone()))
            .collect();
        if bodies.len() > LEGEND {
            legend.push((Color([200; 3]), format!("and {} more", bodies.len() - LEGEND)));
        }
        legend
    }

    /// The box around a body in a pose; `None` for bodies without end.
    fn bounds(&self, body: usize, pose: &Pose) -> Option<Aabb> {
        let figure = self.figure(body);
        let corners = figure.bounds().corners().map(|p| pose.transform_point(p));
        (!figure.is_endless).then(|| Aabb::of_points(&corners))
    }

    fn all_bounds(&self, poses: &[Pose]) -> Vec<Aabb> {
        (0..poses.len()).filter_map(|body| self.bounds(body, &poses[body])).collect()
    }

    /// All bodies in their places, in colour; with `marked` bodies only these, and the others pale.
    pub(crate) fn overview(
        &self,
        poses: &[Pose],
        size: [usize; 2],
        caption: &str,
        marked: &[usize],
        marks: Vec<Mark>,
    ) -> Frame {
        let boxes = self.all_bounds(poses);
        let role = |body: usize| match marked.contains(&body) {
            // Shining through others: one is often inside the other.
            true if Some(&body) == marked.first() => Role::Mover,
            false if !marked.is_empty() => Role::Around,
            _ => Role::Plain,
        };
        let bodies = (0..poses.len()).map(|body| self.drawn(body, poses[body], role(body))).collect();
        let camera = Camera::parallel(View::Standard, Vec3::ZERO, 1.0).fitted(&boxes, aspect(size));
        let shot = Shot { camera, size, bodies, marks, section: None, ground: ground(&boxes) };
        let (legend, caption) = (self.legend(marked), caption.to_owned());
        Frame { picture: shot.draw(), labels: Vec::new(), legend, caption }
    }

    /// The end; if a step collides, the moment of the first collision, with the pair and where.
    pub(crate) fn end(&self, size: [usize; 2]) -> Frame {
        let end = &self.timeline.end;
        let Some((number, finding)) = self.first_collision() else {
            return self.overview(end, size, "After the last step.", &[], Vec::new());
        };
        let stage = &self.timeline.stages[number];
        let mut marks = Vec::new();
        if let FindingKind::Contact { point, .. } | FindingKind::Overlap { point, .. } = finding.kind {
            marks.push(Mark::Contact(point));
        }
        let poses: Vec<Pose> = (0..end.len()).map(|body| pose_at(stage, body, finding.time)).collect();
        let name = words::own_name(self.timeline, number);
        let caption = format!(
            "The end is not reached: in step {}{} these two collide, at the mark. This is that moment.",
            words::step_number(self.timeline, number),
            name.map_or(String::new(), |name| format!(", “{name}”,")),
        );
        self.overview(&poses, size, &caption, &finding.pair, marks)
    }

    /// The first step that collides, and with what.
    pub(crate) fn first_collision(&self) -> Option<(usize, &Finding)> {
        let is_collision = |f: &&Finding| f.kind.verdict() == freiraum_check::PlanVerdict::Collision;
        let of_step = |(number, step): (usize, &'_ freiraum_check::StepResult)| {
            step.findings.iter().position(|f| is_collision(&f)).map(|finding| (number, finding))
        };
        let (number, finding) = self.result.steps.iter().enumerate().find_map(of_step)?;
        Some((number, &self.result.steps[number].findings[finding]))
    }

    /// What moves in a step: from where (transparent), to where, and what it meets.
    pub(crate) fn step(&self, number: usize, size: [usize; 2]) -> Frame {
        let stage = &self.timeline.stages[number];
        let step = &self.result.steps[number];
        let blocked =
            step.findings.iter().find(|f| f.kind.verdict() == freiraum_check::PlanVerdict::Collision);
        let time = blocked.map_or(1.0, |finding| finding.time);
        let moving = |body: usize| stage.mover_of(body).is_some();
        let poses: Vec<Pose> = (0..self.scene.bodies.len()).map(|body| pose_at(stage, body, time)).collect();
        let pairs: Vec<usize> = step.findings.iter().flat_map(|finding| finding.pair).collect();
        let mut bodies = Vec::new();
        for (body, pose) in poses.iter().enumerate() {
            let role = match pairs.contains(&body) {
                _ if moving(body) => Role::Mover,
                true => Role::Plain,
                false => Role::Around,
            };
            bodies.push(self.drawn(body, *pose, role));
            if moving(body) && time > 0.0 {
                bodies.push(self.drawn(body, stage.before[body], Role::Ghost));
            }
        }
        // Around the moving bodies, all of the way.
        let mut near = Vec::new();
        for body in (0..poses.len()).filter(|body| moving(*body)) {
            let motion = stage.motion(body);
            let on_way = (0..=4).filter_map(|i| self.bounds(body, &motion.pose(f64::from(i) / 4.0)));
            near.extend(on_way);
        }
        let mut marks: Vec<Mark> = crate::draw::arrows::shown(self.scene, stage)
            .into_iter()
            .map(|mover| self.way(stage, mover, blocked.map(|_| time)))
            .collect();
        let kind = blocked.map(|finding| finding.kind);
        if let Some(FindingKind::Contact { point, .. } | FindingKind::Overlap { point, .. }) = kind {
            marks.push(Mark::Contact(point));
        }
        let all = self.all_bounds(&poses);
        let boxes = window(&all, &near);
        let view = self.view(stage, &poses, &near);
        let camera = Camera::parallel(view, Vec3::ZERO, 1.0).fitted(&boxes, aspect(size));
        let shot = Shot { camera, size, bodies, marks, section: None, ground: ground(&all) };
        let mut shown: Vec<usize> = (0..poses.len()).filter(|body| moving(*body)).collect();
        shown.extend(pairs.iter().filter(|body| !moving(**body)));
        let mut seen = Vec::new();
        shown.retain(|body| {
            !seen.contains(body) && {
                seen.push(*body);
                true
            }
        });
        let caption = match blocked {
            Some(finding) if finding.time > 0.0 => {
                let mover = stage.mover_of(finding.pair[0]).map(|mover| &stage.movers[mover]);
                let how_far = mover.map_or(words::percent(finding.time), |mover| {
                    words::amount(mover, Some(stage), finding.time, self.scene.units)
                });
                format!("Where it is blocked, after {how_far}; transparent: before the step.")
            }
            Some(_) => "Before the step.".to_owned(),
            None => "After the step; transparent: before it.".to_owned(),
        };
        Frame { picture: shot.draw(), labels: Vec::new(), legend: self.legend(&shown), caption }
    }

    /// The arrow of a motion: the way of the middle of what moves, or of a point beside it where the middle hardly moves.
    fn way(&self, stage: &Stage, mover: &Mover, blocked: Option<f64>) -> Mark {
        let lead = mover.bodies[0];
        let boxes: Vec<Aabb> =
            mover.bodies.iter().filter_map(|body| self.bounds(*body, &stage.before[*body])).collect();
        let all = boxes.iter().fold(Aabb::of_points(&[]), |all, one| all.union(one));
        let middle = if all.is_empty() { stage.before[lead].translation() } else { all.center() };
        let motion = stage.motion(lead);
        let start = stage.before[lead].inverse();
        let path = |point: Vec3| -> Vec<Vec3> {
            let body_point = start.transform_point(point);
            (0..=WAY).map(|i| motion.pose(i as f64 / WAY as f64).transform_point(body_point)).collect()
        };
        let length = |path: &[Vec3]| path.windows(2).map(|p| p[0].distance(p[1])).sum::<f64>();
        let mut points = path(middle);
        let mut best = 2.0 * length(&points);
        // A screw that turns in place: show a point on its outside.
        let half = if all.is_empty() { Vec3::ONE } else { 0.5 * all.size() };
        for offset in [Vec3::NEG_Y, Vec3::NEG_X, Vec3::Z] {
            let other = path(middle + 1.05 * half * offset);
            let longer = length(&other);
            if longer > 1.2 * best {
                (points, best) = (other, longer);
            }
        }
        let blocked_from = blocked.map(|t| (t * WAY as f64).ceil() as usize);
        Mark::Way { points, blocked_from }
    }

    /// The usual view, unless it looks along the motion or at the wrong side of something.
    fn view(&self, stage: &Stage, poses: &[Pose], near: &[Aabb]) -> View {
        let usual = Vec3::new(-0.62, -1.0, 0.66);
        let around = near.iter().fold(Aabb::of_points(&[]), |all, one| all.union(one));
        if around.is_empty() {
            return View::Standard;
        }
        let ends = stage.movers.iter().map(|mover| {
            let by = mover.lead.pose(1.0).translation() - mover.lead.pose(0.0).translation();
            freiraum_geometry::math::unit(by).unwrap_or(Vec3::ZERO)
        });
        let ways: Vec<Vec3> = ends.collect();
        let mut best = (f64::NEG_INFINITY, usual);
        for (turn, bonus) in [(0.0, 0.4), (-1.1, 0.1), (1.9, 0.0), (3.1, 0.0)] {
            let spin = Pose::from_axis_angle(Vec3::Z, turn).unwrap_or(Pose::IDENTITY);
            let from = spin.rotate(usual);
            let toward = freiraum_geometry::math::unit(from).unwrap_or(Vec3::Z);
            let along = ways.iter().map(|way| way.dot(toward).abs()).fold(0.0, f64::max);
            let mut free = 0.0;
            let mut count = 0.0;
            for mover in &stage.movers {
                for body in mover.bodies.iter().take(4) {
                    let figure = self.figure(*body);
                    let step = (figure.vertices.len() / 10).max(1);
                    for vertex in figure.vertices.iter().step_by(step) {
                        let local = figure.center + Vec3::from_array(vertex.map(f64::from));
                        let point = poses[*body].transform_point(local);
                        let others = |other: usize| stage.mover_of(other).is_none();
                        count += 1.0;
                        free += if self.is_hidden(point, toward, poses, others) { 0.0 } else { 1.0 };
                    }
                }
            }
            let score = bonus + free / f64::max(count, 1.0) - f64::max(along - 0.8, 0.0) * 5.0;
            if score > best.0 {
                best = (score, from);
            }
        }
        View::From(best.1)
    }

    /// Whether one of some bodies is between a point and the eye.
    fn is_hidden(&self, point: Vec3, toward: Vec3, poses: &[Pose], which: impl Fn(usize) -> bool) -> bool {
        (0..poses.len()).filter(|body| which(*body)).any(|body| {
            let figure = self.figure(body);
            let center = poses[body].transform_point(figure.center) - point;
            let ahead = center.dot(toward);
            let aside = center.length_squared() - ahead * ahead;
            if ahead < -figure.radius || aside > figure.radius * figure.radius {
                return false;
            }
            let body_from_world = poses[body].inverse();
            let (origin, direction) =
                (body_from_world.transform_point(point), body_from_world.rotate(toward));
            let Ok(ray) = Ray::new(origin, direction, f64::INFINITY) else { return false };
            self.parts.movable(body).is_ok_and(|part| part.prepared().ray_cast(&ray).is_some())
        })
    }

    /// Near what was found; cut open if it could not be seen otherwise. `stage` is `None` for the state before the first step.
    pub(crate) fn close_up(
        &self,
        stage: Option<usize>,
        finding: &Finding,
        size: [usize; 2],
    ) -> Option<Frame> {
        let (points, normal, time) = match finding.kind {
            FindingKind::Contact { point, normal, .. } => ([point; 2], normal, finding.time),
            FindingKind::Overlap { point, .. } => ([point; 2], Vec3::ZERO, 0.0),
            FindingKind::TooClose { points, .. } => (
                points,
                freiraum_geometry::math::unit(points[1] - points[0]).unwrap_or(Vec3::ZERO),
                finding.time,
            ),
            FindingKind::Undecided { .. } | FindingKind::InsideUnknown { .. } | FindingKind::NoPath => {
                return None;
            }
        };
        let gap = points[0].distance(points[1]);
        let caption = match finding.kind {
            FindingKind::Contact { .. } => "Where they touch",
            FindingKind::Overlap { .. } => "Where they overlap",
            _ => "Where they are closest",
        };
        self.near(stage, finding.pair, points, normal, time, gap, caption, size)
    }

    /// Two bodies near two points.
    #[expect(clippy::too_many_arguments, reason = "one caller for each of two kinds, both in this module")]
    fn near(
        &self,
        stage: Option<usize>,
        pair: [usize; 2],
        points: [Vec3; 2],
        normal: Vec3,
        time: f64,
        gap: f64,
        caption: &str,
        size: [usize; 2],
    ) -> Option<Frame> {
        let stage = stage.and_then(|number| self.timeline.stages.get(number));
        let start = self.timeline.start();
        let poses: Vec<Pose> = (0..self.scene.bodies.len())
            .map(|body| stage.map_or(start[body], |stage| pose_at(stage, body, time)))
            .collect();
        let middle = 0.5 * (points[0] + points[1]);
        let radii =
            pair.map(|body| self.figure(body)).into_iter().filter(|f| !f.is_endless).map(|f| f.radius);
        let radius = radii.fold(f64::INFINITY, f64::min);
        // A gap is to be seen as such, and so is what is around it.
        let height =
            if gap > 0.0 { (30.0 * gap * radius).sqrt().min(radius).max(5.0 * gap) } else { 0.95 * radius };
        if !height.is_finite() {
            return None;
        }
        let (toward, is_hidden) = self.close_view(middle, normal, height, &poses);
        let bodies: Vec<Drawn<'_>> = (0..poses.len())
            .map(|body| {
                let role = if pair.contains(&body) { Role::Plain } else { Role::Around };
                self.drawn(body, poses[body], role)
            })
            .collect();
        let camera = Camera::parallel(View::From(toward), middle, height);
        let mark = if gap > 0.0 { Mark::Gap(points) } else { Mark::Contact(points[0]) };
        let section = is_hidden.then_some(middle);
        let shot = Shot { camera, size, bodies, marks: vec![mark], section, ground: None };
        let mut labels = Vec::new();
        if let Some([x, y]) = shot.place(middle).filter(|_| gap > 0.0) {
            labels.push((words::length(gap, self.scene.units), [x + 14.0, y - 14.0]));
        }
        let cut = if is_hidden { ", cut open there; red: in both" } else { "" };
        let caption = format!("{caption}{cut}.");
        Some(Frame { picture: shot.draw(), labels, legend: self.legend(&pair), caption })
    }

    /// From where a point is seen best: across the normal, from above, and with nothing between; else true, and it has to be cut open.
    fn close_view(&self, point: Vec3, normal: Vec3, height: f64, poses: &[Pose]) -> (Vec3, bool) {
        let usual = freiraum_geometry::math::unit(Vec3::new(-0.62, -1.0, 0.66)).unwrap_or(Vec3::Z);
        let axis = freiraum_geometry::math::unit(normal).unwrap_or(Vec3::Z);
        let (x, y) = axis.any_orthonormal_pair();
        let tilts: &[f64] = if normal == Vec3::ZERO { &[0.5, 0.8] } else { &[0.0, 0.16, -0.16, 0.42, -0.42] };
        let mut best = [(f64::NEG_INFINITY, usual); 2];
        for spin in 0..24 {
            let angle = f64::from(spin) * std::f64::consts::TAU / 24.0;
            for tilt in tilts {
                let side = angle.cos() * x + angle.sin() * y;
                let toward = tilt.cos() * side + tilt.sin() * axis;
                // From above rather than from below, and like the other pictures.
                let score = 0.6 * toward.dot(usual) - f64::max(-toward.z, 0.0) - 0.25 * tilt.abs();
                let from = point + 0.02 * height * toward;
                let is_hidden = self.is_hidden(from, toward, poses, |_| true);
                let slot = &mut best[usize::from(is_hidden)];
                if score > slot.0 {
                    *slot = (score, toward);
                }
            }
        }
        match best {
            // Seen from a very odd side it is better cut open.
            [(free, toward), (hidden, _)] if free > hidden - 0.9 && free.is_finite() => (toward, false),
            [_, (_, toward)] => (toward, true),
        }
    }
}

fn aspect(size: [usize; 2]) -> f64 {
    size[0] as f64 / size[1] as f64
}

/// Where a body is at a time of a stage.
fn pose_at(stage: &Stage, body: usize, time: f64) -> Pose {
    if stage.mover_of(body).is_none() { stage.before[body] } else { stage.motion(body).pose(time) }
}

/// The height of the ground under some boxes.
fn ground(boxes: &[Aabb]) -> Option<f64> {
    boxes.iter().map(|b| b.min.z).min_by(f64::total_cmp)
}

/// All boxes, unless what moves would be too small to be seen: then what is near it.
fn window(all: &[Aabb], near: &[Aabb]) -> Vec<Aabb> {
    let union = |boxes: &[Aabb]| boxes.iter().fold(Aabb::of_points(&[]), |all, one| all.union(one));
    let (everything, moving) = (union(all).union(&union(near)), union(near));
    if moving.is_empty() || everything.size().length() < 3.2 * moving.size().length() {
        return all.iter().chain(near).copied().collect();
    }
    let grow = 0.55 * moving.size().length();
    vec![moving.inflated(grow)]
}
