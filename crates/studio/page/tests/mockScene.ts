// The scene of the mock server: axis-parallel boxes, moved straight along axes, so that every answer has a closed form.
import type { Finding, Pose, SceneEvent, StepVerdict, Vec3, Verdict } from "../src/protocol";

export interface Box {
  name: string;
  size: Vec3;
  color: Vec3;
  fixed: boolean;
  at: Vec3;
}
export interface MockStep {
  name: string;
  body: number;
  by: Vec3;
  seconds: number;
}
export interface MockScene {
  boxes: Box[];
  steps: MockStep[];
  goals: (Pose | null)[];
}

export const mm = 0.001;
export const CLEARANCE = 1 * mm;

export function builtIn(): MockScene {
  const box = (name: string, size: Vec3, at: Vec3, color: Vec3, fixed = false): Box => ({ name, size: [size[0] * mm, size[1] * mm, size[2] * mm], at: [at[0] * mm, at[1] * mm, at[2] * mm], color, fixed });
  const step = (name: string, body: number, by: Vec3): MockStep => ({ name, body, by: [by[0] * mm, by[1] * mm, by[2] * mm], seconds: 1 });
  return {
    boxes: [
      box("base", [200, 120, 20], [0, 0, -11], [0.6, 0.65, 0.7], true),
      box("wall", [20, 120, 80], [90, 0, 40], [0.55, 0.6, 0.66], true),
      box("block", [40, 40, 40], [-60, 0, 80], [0.88, 0.63, 0.19]),
      box("lid", [60, 60, 10], [-60, 0, 140], [0.31, 0.51, 0.74]),
      box("left pin", [10, 10, 40], [20, -40, 100], [0.3, 0.33, 0.37]),
      box("right pin", [10, 10, 40], [20, 40, 100], [0.3, 0.33, 0.37]),
    ],
    steps: [step("lower the block", 2, [0, 0, -58]), step("slide the block", 2, [130, 0, 0]), step("lower the lid", 3, [0, 0, -130]), step("lower the left pin", 4, [0, 0, -70])],
    goals: [],
  };
}

export const digestOf = (box: Box): string => `box-${box.size.map((x) => Math.round(x * 1e6)).join("-")}`;
const identity = (at: Vec3): Pose => [at[0], at[1], at[2], 0, 0, 0, 1];
const plus = (a: Vec3, b: Vec3, s = 1): Vec3 => [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s];

/** Positions of all boxes before each step, and at the end. */
export function states(scene: MockScene): Vec3[][] {
  const rows = [scene.boxes.map((box) => box.at)];
  for (const step of scene.steps) rows.push(rows[rows.length - 1]!.map((at, body) => (body === step.body ? plus(at, step.by) : at)));
  return rows;
}

/** Gap along every axis; negative where they overlap. */
const gaps = (a: Vec3, sa: Vec3, b: Vec3, sb: Vec3): number[] => [0, 1, 2].map((k) => Math.abs(a[k]! - b[k]!) - (sa[k]! + sb[k]!) / 2);
export const distance = (a: Vec3, sa: Vec3, b: Vec3, sb: Vec3): number => Math.hypot(...gaps(a, sa, b, sb).map((gap) => Math.max(0, gap)));

/** The part of `by` that box `body` can go before it touches another one: [share, other]. */
export function free(scene: MockScene, at: Vec3[], body: number, by: Vec3): [number, number] {
  let best: [number, number] = [1, -1];
  scene.boxes.forEach((other, index) => {
    if (index === body) return;
    let enter = 0;
    let leave = 1;
    for (let k = 0; k < 3; k++) {
      const half = (scene.boxes[body]!.size[k]! + other.size[k]!) / 2;
      const from = at[body]![k]! - at[index]![k]!;
      if (by[k] === 0) {
        if (Math.abs(from) >= half - 1e-12) enter = 2;
        continue;
      }
      const t = [(-half - from) / by[k]!, (half - from) / by[k]!].sort((a, b) => a - b) as [number, number];
      enter = Math.max(enter, t[0]);
      leave = Math.min(leave, t[1]);
    }
    if (enter < leave && enter < best[0]) best = [enter, index];
  });
  return best;
}

export function sceneEvent(scene: MockScene, extra: Pick<SceneEvent, "revision" | "dirty" | "undo" | "redo">): SceneEvent {
  const rows = states(scene);
  return {
    ...extra,
    name: "boxes",
    path: "boxes.toml",
    title: "Boxes",
    units: "mm",
    clearance: CLEARANCE,
    allowance: 0,
    bodies: scene.boxes.map((box, body) => ({ name: box.name, mesh: digestOf(box), color: box.color, fixed: box.fixed, pose: identity(box.at), goal: scene.goals[body] ?? null, triangles: 12 })),
    groups: [{ name: "pins", members: [4, 5] }],
    steps: scene.steps.map((step, index) => ({ name: step.name, seconds: step.seconds, line: 20 + 5 * index, moves: [{ subject: scene.boxes[step.body]!.name, bodies: [step.body], kind: "translate", summary: `moved ${Math.round(Math.hypot(...step.by) / mm)} mm` }] })),
    stages: scene.steps.map((step, index) => ({ tracks: [{ body: step.body, times: [0, 1], poses: [identity(rows[index]![step.body]!), identity(rows[index + 1]![step.body]!)] }] })),
    end: rows[rows.length - 1]!.map(identity),
  };
}

export function checkStep(scene: MockScene, index: number): StepVerdict {
  const at = states(scene)[index]!;
  const step = scene.steps[index]!;
  const body = scene.boxes[step.body]!;
  const [share, other] = free(scene, at, step.body, step.by);
  const base = { index: index + 1, name: step.name, moving: [body.name], required: CLEARANCE, fits: [] as [string, string][], action: `the ${body.name} is moved ${Math.round(Math.hypot(...step.by) / mm)} mm` };
  if (other >= 0) {
    const there = plus(at[step.body]!, step.by, share);
    const n = Math.hypot(...step.by) || 1;
    const normal: Vec3 = [step.by[0] / n, step.by[1] / n, step.by[2] / n];
    const point = plus(there, [normal[0] * body.size[0], normal[1] * body.size[1], normal[2] * body.size[2]], 0.5);
    const pair: [string, string] = [body.name, scene.boxes[other]!.name];
    const finding: Finding = { kind: "contact", pair, t: share, message: `the ${body.name} can be moved ${((n * share) / mm).toFixed(1)} mm of ${(n / mm).toFixed(1)} mm, then touches the ${pair[1]}`, point, normal };
    return { ...base, verdict: "collision", clearance: 0, pair, t: share, point, findings: [finding], closest: null };
  }
  let best = { d: Number.POSITIVE_INFINITY, t: 0, other: 0 };
  scene.boxes.forEach((box, one) => {
    if (one === step.body) return;
    for (let k = 0; k <= 64; k++) {
      const d = distance(plus(at[step.body]!, step.by, k / 64), body.size, at[one]!, box.size);
      if (d < best.d) best = { d, t: k / 64, other: one };
    }
  });
  const pair: [string, string] = [body.name, scene.boxes[best.other]!.name];
  const there = plus(at[step.body]!, step.by, best.t);
  const away = at[best.other]!;
  const clampTo = (p: Vec3, c: Vec3, s: Vec3): Vec3 => [0, 1, 2].map((k) => Math.max(c[k]! - s[k]! / 2, Math.min(c[k]! + s[k]! / 2, p[k]!))) as unknown as Vec3;
  const b = clampTo(there, away, scene.boxes[best.other]!.size);
  const a = clampTo(b, there, body.size);
  const verdict: Verdict = best.d < CLEARANCE * (1 - 1e-9) ? "too_close" : "free";
  const finding: Finding[] = verdict === "too_close" ? [{ kind: "too_close", pair, t: best.t, message: `${(best.d / mm).toFixed(2)} mm apart, ${CLEARANCE / mm} mm required`, clearance: best.d, required: CLEARANCE, point_a: a, point_b: b }] : [];
  return { ...base, verdict, clearance: best.d, pair, t: best.t, point: a, findings: finding, closest: { pair, distance: best.d, required: CLEARANCE, t: best.t, point_a: a, point_b: b } };
}

export function curve(scene: MockScene, index: number, a: number, b: number): [number, number][] {
  const rows = states(scene);
  const step = scene.steps[index]!;
  return Array.from({ length: 41 }, (_, k) => {
    const t = k / 40;
    const at = (body: number): Vec3 => (body === step.body ? plus(rows[index]![body]!, step.by, t) : rows[index]![body]!);
    return [t, distance(at(a), scene.boxes[a]!.size, at(b), scene.boxes[b]!.size)];
  });
}

/** A box as the studio sends meshes. */
export function boxMesh(size: number[]): Buffer {
  const corners = Array.from({ length: 8 }, (_, k) => [(k & 1 ? 0.5 : -0.5) * size[0]!, (k & 2 ? 0.5 : -0.5) * size[1]!, (k & 4 ? 0.5 : -0.5) * size[2]!]).flat();
  const faces = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5];
  const edges = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];
  const data = Buffer.alloc(40 + 4 * (corners.length + faces.length + edges.length));
  data.write("FRM1", 0, "latin1");
  [8, 12, 12].forEach((count, k) => data.writeUInt32LE(count, 4 + 4 * k));
  let at = 40;
  for (const x of corners) at = data.writeFloatLE(x, at);
  for (const x of [...faces, ...edges]) at = data.writeUInt32LE(x, at);
  return data;
}
