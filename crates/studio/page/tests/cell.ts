// Two six-axis arms that face each other across a block, and their forward kinematics from the table, by hand.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./server";

interface Row {
  alpha: number;
  l: number;
  d: number;
  limits: [number, number];
  shape: string;
}

/** Degrees and millimetres. */
export const ROWS: Row[] = [
  {
    alpha: 0,
    l: 0,
    d: 300,
    limits: [-170, 170],
    shape: "shape = { cylinder = { radius = 50, height = 118 } }, shape_pose = [0, 0, -39]",
  },
  {
    alpha: -90,
    l: 0,
    d: 0,
    limits: [-190, 10],
    shape: "shape = { box = { size = [300, 56, 56] } }, shape_pose = [150, 0, 0]",
  },
  { alpha: 0, l: 300, d: 0, limits: [-120, 150], shape: "shape = { box = { size = [50, 50, 70] } }" },
  {
    alpha: -90,
    l: 0,
    d: 250,
    limits: [-180, 180],
    shape: "shape = { box = { size = [44, 44, 145] } }, shape_pose = [0, 0, -92.5]",
  },
  { alpha: 90, l: 0, d: 0, limits: [-120, 120], shape: "shape = { box = { size = [36, 36, 36] } }" },
  {
    alpha: -90,
    l: 0,
    d: 0,
    limits: [-180, 180],
    shape: "shape = { cylinder = { radius = 18, height = 40 } }, shape_pose = [0, 0, 38]",
  },
];
const TOOL = 100;
export const START = [0, -90, 0, 0, 60, 0];

const arm = (name: string, place: string, color: string): string => `
[[robot]]
name = "${name}"
pose = ${place}
color = "${color}"
start_deg = [${START.join(", ")}]
shape = { cylinder = { radius = 60, height = 196 } }
shape_pose = [0, 0, 102]
dh = [
${ROWS.map((row) => `    { alpha_deg = ${row.alpha}, l = ${row.l}, d = ${row.d}, limits_deg = [${row.limits.join(", ")}], ${row.shape} },`).join("\n")}
]
tool = { pose = [0, 0, ${TOOL}], bodies = ["${name} gripper"] }

[[body]]
name = "${name} gripper"
shape = { box = { size = [50, 24, 28] } }
pose = [0, 0, 74]        # on the flange
color = "#5b6672"
`;

export const CELL = `# Kept by saving: comments, order, and   spacing.
name = "Two arms"
units = "mm"

[check]
clearance = 1   # everywhere

[[body]]
name = "table"       # its top is at z = 0
shape = { box = { size = [1500, 900, 20] } }
pose = [450, 0, -10]
fixed = true
color = "#9aa5b1"

[[body]]
name = "block"
shape = { box = { size = [40, 40, 40] } }
pose = [400, 0, 25]
color = "#e0a030"
${arm("left", "[0, 0, 0]", "#d9822b")}${arm("right", "{ position = [900, 0, 0], rpy_deg = [0, 0, 180] }", "#3f7fbf")}`;

export function cell(text = CELL): { folder: string; scene: string } {
  const folder = newFolder();
  const scene = join(folder, "cell.toml");
  writeFileSync(scene, text);
  return { folder, scene };
}

type Matrix = number[][];
const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0]!.map((_, k) => row.reduce((sum, value, i) => sum + value * b[i]![k]!, 0)));
const rad = (degrees: number): number => (degrees * Math.PI) / 180;
const turnX = (a: number): Matrix => [
  [1, 0, 0, 0],
  [0, Math.cos(a), -Math.sin(a), 0],
  [0, Math.sin(a), Math.cos(a), 0],
  [0, 0, 0, 1],
];
const turnZ = (a: number): Matrix => [
  [Math.cos(a), -Math.sin(a), 0, 0],
  [Math.sin(a), Math.cos(a), 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
];
const shift = (x: number, y: number, z: number): Matrix => [
  [1, 0, 0, x],
  [0, 1, 0, y],
  [0, 0, 1, z],
  [0, 0, 0, 1],
];

/** Frames of link1, …, link6 and of the tool, of the left arm (or of the right one), in metres. */
export function forward(degrees: readonly number[], right = false): Matrix[] {
  let at = right ? product(shift(0.9, 0, 0), turnZ(Math.PI)) : shift(0, 0, 0);
  const frames = ROWS.map(
    (row, joint) =>
      (at = [
        turnX(rad(row.alpha)),
        shift(row.l / 1000, 0, 0),
        turnZ(rad(degrees[joint]!)),
        shift(0, 0, row.d / 1000),
      ].reduce(product, at)),
  );
  return [...frames, product(at, shift(0, 0, TOOL / 1000))];
}

/** How far a pose is from a frame: the largest difference of the places of its origin and of the tips of its axes. */
export function apart(pose: readonly number[], frame: Matrix): number {
  const [x, y, z, qx, qy, qz, qw] = pose as [number, number, number, number, number, number, number];
  const turn: Matrix = [
    [1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy - qz * qw), 2 * (qx * qz + qy * qw)],
    [2 * (qx * qy + qz * qw), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz - qx * qw)],
    [2 * (qx * qz - qy * qw), 2 * (qy * qz + qx * qw), 1 - 2 * (qx * qx + qy * qy)],
  ];
  const off = turn.flatMap((row, i) => row.map((value, k) => Math.abs(value - frame[i]![k]!)));
  return Math.max(
    ...off,
    Math.abs(x - frame[0]![3]!),
    Math.abs(y - frame[1]![3]!),
    Math.abs(z - frame[2]![3]!),
  );
}
