// Poses as plain numbers: composing them, Euler angles, and interpolation between key frames. No three.js here.
import type { Pose, Stage, Track, Vec3 } from "../protocol";

export type Quaternion = readonly [number, number, number, number];

export const IDENTITY: Pose = [0, 0, 0, 0, 0, 0, 1];

export const position = (pose: Pose): Vec3 => [pose[0], pose[1], pose[2]];
export const orientation = (pose: Pose): Quaternion => [pose[3], pose[4], pose[5], pose[6]];
export const makePose = (p: Vec3, q: Quaternion): Pose => [p[0], p[1], p[2], q[0], q[1], q[2], q[3]];

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);
export const middle = (a: Vec3, b: Vec3): Vec3 => scale(add(a, b), 0.5);

export function multiply(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

export function rotate(q: Quaternion, v: Vec3): Vec3 {
  const u: Vec3 = [q[0], q[1], q[2]];
  const c = cross(u, v);
  return add(v, add(scale(c, 2 * q[3]), scale(cross(u, c), 2)));
}

export function conjugate(q: Quaternion): Quaternion {
  return [-q[0], -q[1], -q[2], q[3]];
}

export function aboutAxis(axis: Vec3, angle: number): Quaternion {
  const n = length(axis) || 1;
  const s = Math.sin(angle / 2) / n;
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

/** The pose after turning it about an axis through a point of the world. */
export function turnedAbout(pose: Pose, point: Vec3, axis: Vec3, angle: number): Pose {
  const q = aboutAxis(axis, angle);
  const p = add(point, rotate(q, subtract(position(pose), point)));
  return makePose(p, normalized(multiply(q, orientation(pose))));
}

export function shifted(pose: Pose, by: Vec3): Pose {
  return makePose(add(position(pose), by), orientation(pose));
}

export function normalized(q: Quaternion): Quaternion {
  const n = Math.hypot(...q) || 1;
  return [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
}

/** The rotation from one orientation to another, as axis and angle in [0, pi]. */
export function rotationBetween(from: Quaternion, to: Quaternion): { axis: Vec3; angle: number } {
  let d = multiply(to, conjugate(from));
  if (d[3] < 0) d = [-d[0], -d[1], -d[2], -d[3]];
  const s = Math.hypot(d[0], d[1], d[2]);
  if (s === 0) return { axis: [0, 0, 1], angle: 0 };
  return { axis: [d[0] / s, d[1] / s, d[2] / s], angle: 2 * Math.atan2(s, d[3]) };
}

/** The smallest rotation that takes direction `a` to direction `b`. */
export function rotationOnto(a: Vec3, b: Vec3): { axis: Vec3; angle: number } {
  const axis = cross(a, b);
  const angle = Math.atan2(length(axis), dot(a, b));
  if (length(axis) > 0) return { axis: scale(axis, 1 / length(axis)), angle };
  const helper: Vec3 = Math.abs(a[0]) < 0.9 * length(a) ? [1, 0, 0] : [0, 1, 0];
  const side = cross(a, helper);
  return { axis: scale(side, 1 / length(side)), angle };
}

/** Roll, pitch and yaw in radians: R = Rz(yaw) Ry(pitch) Rx(roll). */
export function rollPitchYaw(q: Quaternion): Vec3 {
  const [x, y, z, w] = q;
  const sine = Math.max(-1, Math.min(1, 2 * (w * y - z * x)));
  // Looking straight up or down, roll and yaw turn about the same axis: all of it is put into yaw.
  if (Math.abs(sine) > 1 - 4 * Number.EPSILON * 1024)
    return [0, (Math.sign(sine) * Math.PI) / 2, 2 * Math.atan2(z, w)];
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(sine),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}

export function fromRollPitchYaw(angles: Vec3): Quaternion {
  const [roll, pitch, yaw] = angles;
  return multiply(
    multiply(aboutAxis([0, 0, 1], yaw), aboutAxis([0, 1, 0], pitch)),
    aboutAxis([1, 0, 0], roll),
  );
}

const scratch = new Float64Array(7);
const taken = (): Pose => [
  scratch[0]!,
  scratch[1]!,
  scratch[2]!,
  scratch[3]!,
  scratch[4]!,
  scratch[5]!,
  scratch[6]!,
];

export function put(out: Float64Array, at: number, pose: Pose): void {
  for (let k = 0; k < 7; k++) out[at + k] = pose[k]!;
}

/** Between two poses, into seven places of `out`: straight in position, the shortest turn in orientation. */
export function putBetween(out: Float64Array, at: number, a: Pose, b: Pose, s: number): void {
  let cosine = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6];
  const sign = cosine < 0 ? -1 : 1;
  cosine *= sign;
  let wa = 1 - s;
  let wb = s;
  if (cosine < 0.9999) {
    const angle = Math.acos(cosine);
    wa = Math.sin((1 - s) * angle) / Math.sin(angle);
    wb = Math.sin(s * angle) / Math.sin(angle);
  }
  wb *= sign;
  const x = wa * a[3] + wb * b[3];
  const y = wa * a[4] + wb * b[4];
  const z = wa * a[5] + wb * b[5];
  const w = wa * a[6] + wb * b[6];
  const n = Math.sqrt(x * x + y * y + z * z + w * w) || 1;
  out[at] = a[0] + (b[0] - a[0]) * s;
  out[at + 1] = a[1] + (b[1] - a[1]) * s;
  out[at + 2] = a[2] + (b[2] - a[2]) * s;
  out[at + 3] = x / n;
  out[at + 4] = y / n;
  out[at + 5] = z / n;
  out[at + 6] = w / n;
}

/** The pose of a track at `t`, into seven places of `out`. Makes no garbage: playback calls it for every frame. */
export function putOnTrack(out: Float64Array, at: number, track: Track, t: number): void {
  const { times, poses } = track;
  let low = 0;
  let high = times.length - 1;
  if (high < 0) return put(out, at, IDENTITY);
  if (t <= times[0]!) return put(out, at, poses[0]!);
  if (t >= times[high]!) return put(out, at, poses[high]!);
  while (high - low > 1) {
    const between = (low + high) >> 1;
    if (times[between]! <= t) low = between;
    else high = between;
  }
  const span = times[high]! - times[low]!;
  putBetween(out, at, poses[low]!, poses[high]!, span > 0 ? (t - times[low]!) / span : 1);
}

export function poseOnTrack(track: Track, t: number): Pose {
  putOnTrack(scratch, 0, track, t);
  return taken();
}

/** Where every body is before each step: one row more than there are stages, the last is the end. */
export function posesBetweenStages(start: readonly Pose[], stages: readonly Stage[]): Pose[][] {
  const rows: Pose[][] = [[...start]];
  for (const stage of stages) {
    const row = [...rows[rows.length - 1]!];
    for (const track of stage.tracks)
      row[track.body] = track.poses[track.poses.length - 1] ?? row[track.body]!;
    rows.push(row);
  }
  return rows;
}
