// The messages between the page and the studio server. Lengths are metres, angles radians, bodies and steps count from 0.
import type { WorldCommands, WorldFrame } from "./worldProtocol";

/** `[x, y, z, qx, qy, qz, qw]`: position in metres and unit quaternion. */
export type Pose = readonly [number, number, number, number, number, number, number];
export type Vec3 = readonly [number, number, number];

export type Verdict = "free" | "too_close" | "collision" | "undecided" | "invalid";
export type MoveKind = "translate" | "turn" | "screw" | "to" | "path" | "plan";

export interface BodyInfo {
  name: string;
  mesh: string;
  /** sRGB, 0 to 1. */
  color: Vec3;
  fixed: boolean;
  pose: Pose;
  goal: Pose | null;
  triangles: number;
  /** The robot of which it is a link or a tool. */
  robot?: number | null;
}

export interface GroupInfo {
  name: string;
  members: number[];
}

export interface MoveInfo {
  subject: string;
  bodies: number[];
  kind: MoveKind;
  summary: string;
}

/** What a move does, in words that name its subject. */
export const moveText = (move: MoveInfo): string => (move.summary.includes(move.subject) ? move.summary : `${move.subject} ${move.summary}`);

export type ActionKind = "ptp" | "lin" | "joint" | "plan" | "grasp" | "release" | "wait" | "sync";

/** One thing that a robot does in a step of the file. */
export interface ActionInfo {
  robot: number;
  kind: ActionKind;
  text: string;
  /** Stage and share of it where it begins and ends. */
  from?: [stage: number, t: number] | null;
  to?: [stage: number, t: number] | null;
}

/** A stage of the timeline: a step of the file, or a part of one in which somebody grasps or releases half way. */
export interface StepInfo {
  name: string;
  seconds: number;
  line: number | null;
  moves: MoveInfo[];
  /** The number of the step in the file, and which of how many parts of it this is. */
  step?: number;
  part?: [number, number];
  robots?: number[];
  actions?: ActionInfo[];
}

export interface JointInfo {
  name: string;
  /** It turns (radians); others slide (metres). */
  turns: boolean;
  lower: number | null;
  upper: number | null;
  speed: number | null;
}

export interface RobotInfo {
  name: string;
  base: Pose;
  links: { name: string; body: number | null }[];
  flange: number;
  flange_from_tool: Pose;
  tools: number[];
  joints: JointInfo[];
  start: number[];
  /** Joint values with a name; what is not said stays as it is. */
  states: { name: string; values: (number | null)[] }[];
  /** How inverse kinematics is solved, in words. */
  method: string;
  closed: boolean;
}

/** Joint values of a robot during a stage, linear between its knots, and what it holds meanwhile. */
export interface RobotTrack {
  robot: number;
  times: number[];
  values: number[][];
  held: number[];
}

export interface RobotAt {
  poses: [body: number, pose: Pose][];
  frames: Pose[];
  tool: Pose;
  outside: number[];
  findings: Finding[];
  closest: Closest | null;
}

export interface Solution {
  joints: number[];
  nearest: boolean;
  distance: number;
  signs: string | null;
  singular: string[];
  free: boolean;
  touches: string | null;
}

export interface Solutions {
  complete: boolean;
  reason: string | null;
  solutions: Solution[];
}

export type JointMode = "synchronous" | "simultaneous" | "sequential";

export type Action =
  | { ptp: { joints: number[]; mode?: JointMode; speed?: number } }
  | { lin: { pose: Pose; speed?: number } }
  | { joint: { freedom: number; to: number; speed?: number } }
  | { plan: { joints: number[]; speed?: number } }
  | { grasp: { body: number; depth?: number } }
  | { release: { body: number } };

/** Key frames of one body during one step; `times` run from 0 to 1. */
export interface Track {
  body: number;
  times: number[];
  poses: Pose[];
}

export interface Stage {
  tracks: Track[];
  robots?: RobotTrack[];
}

export interface SceneEvent {
  revision: number;
  name: string;
  path: string | null;
  title: string;
  units: string;
  dirty: boolean;
  undo: string | null;
  redo: string | null;
  clearance: number;
  allowance: number;
  bodies: BodyInfo[];
  groups: GroupInfo[];
  steps: StepInfo[];
  stages: Stage[];
  end: Pose[];
  robots?: RobotInfo[];
  robots_end?: { robot: number; values: number[]; held: number[] }[];
  /** The file says something about physics. */
  world?: boolean;
}

export interface FeatureInfo {
  kind: string;
  index?: number;
  vertices?: [number, number];
}

export interface Finding {
  kind: "overlap" | "contact" | "too_close" | "undecided" | "inside_unknown" | "no_path" | "goal";
  /** What it makes of its step. */
  verdict: Verdict;
  /** Of `no_path` the server sends null and `subject`; the page keeps the subject twice. */
  pair: [string, string];
  subject?: string;
  t: number | null;
  message: string;
  line?: number | null;
  column?: number | null;
  point?: Vec3;
  normal?: Vec3 | null;
  depth?: number | null;
  allowance?: number;
  clearance?: number;
  required?: number;
  missing?: number;
  point_a?: Vec3;
  point_b?: Vec3;
  give_way?: Vec3 | null;
  feature_a?: FeatureInfo;
  feature_b?: FeatureInfo;
}

export interface Closest {
  pair: [string, string];
  distance: number;
  required?: number;
  t?: number;
  point_a: Vec3;
  point_b: Vec3;
}

export interface StepVerdict {
  index: number;
  name: string;
  verdict: Verdict;
  moving: string[];
  clearance: number | null;
  required: number | null;
  pair: [string, string] | null;
  t: number | null;
  point: Vec3 | null;
  action?: string;
  findings: Finding[];
  closest: Closest | null;
  fits: [string, string][];
  fit_gaps?: FitGap[];
  /** Pairs that need not keep their clearance for a while: in contact or on their approach. */
  approaches?: { pair: [string, string]; t: [number, number][]; required: number; message: string }[];
  /** The smallest gap over all pairs; where they collide it is not known by how much it may be less. */
  smallest_gap?: { pair: [string, string]; gap: number; gap_error: number | null; fit: boolean } | null;
  /** Pairs that move against each other here and that a rule takes out. */
  exempt?: { pair: [string, string]; rule: string; reason: string; line: number | null }[];
  /** How many more, of rules of very many pairs. */
  exempt_unlisted?: number;
}

/** A pair that is meant to touch. */
export interface FitGap {
  pair: [string, string];
  /** Negative: they overlap. */
  gap: number;
  gap_error: number;
  allowance: number;
  resting_allowance: number;
  separating_shift: number | null;
  reason: "touches_at_start" | "touches_at_end" | "grasped";
}

/** What people should know beside the verdict. */
export interface Warning {
  code: string;
  bodies: string[];
  message: string;
}

/** A file that was read. */
export interface InputInfo {
  kind: "scene" | "mesh" | "robot";
  path: string;
  /** Of its bytes, in hexadecimal digits. */
  blake3: string;
}

/** How deep some bodies may overlap by what the scene states. */
export interface AllowanceInfo {
  by: "check" | "pair" | "grasp";
  /** Every one of the first list against every one of the second; null for all pairs. */
  bodies: [string[], string[]] | null;
  allowance: number;
  line: number | null;
}

/** How far fits may travel before and after a contact without keeping their clearance. */
export interface ApproachInfo {
  by: "default" | "check" | "pair";
  /** As of an allowance. */
  bodies: [string[], string[]] | null;
  approach: number;
  line: number | null;
}

/** A rule that takes pairs out. */
export interface ExemptRuleInfo {
  rule: "pair" | "srdf" | "neighbours" | "fixed";
  reason: string;
  bodies: [string[], string[]];
  pairs: number;
  line: number | null;
}

/** What a planner answered for a way that was left open; steps of the file, from 1. */
export interface PlannedInfo {
  index: number;
  found: boolean;
  planner: string | null;
  reason: string | null;
  proven: boolean;
}

/** The report of a check, as `freiraum check --json` writes it, with lengths in metres. */
export interface VerdictEvent {
  revision: number;
  running: boolean;
  done: number;
  total: number;
  verdict: Verdict | null;
  /** As seen from the folder of the studio. */
  scene: string | null;
  version: string;
  /** When it was checked; null while it runs. */
  date: string | null;
  inputs: InputInfo[];
  allowances: AllowanceInfo[];
  approach: ApproachInfo[];
  exempt: ExemptRuleInfo[];
  planned: PlannedInfo[];
  notes: string[];
  open_surfaces: string[];
  /** Null while it runs. */
  pairs_tested: number | null;
  pairs_remembered: number | null;
  pairs_apart: number | null;
  pairs_measured: number | null;
  start: Finding[];
  steps: (StepVerdict | null)[];
  /** Bodies that the plan does not leave at their goals. */
  missed?: string[];
  warnings?: Warning[];
  /** What "free" does not cover. */
  not_covered?: string[];
  /** Why nothing could be checked. */
  error?: { message: string } | string | null;
}

export interface UnsavedWork {
  name: string;
  when: string | number;
}

export interface ServerError {
  code?: string;
  message: string;
  line?: number | null;
  column?: number | null;
  help?: string | null;
  problems?: (string | { message: string; line?: number | null; help?: string | null })[] | null;
}

export interface PlannedEvent {
  verdict: string;
  length?: number | null;
  clearance?: number | null;
  pieces?: number | null;
  message?: string;
  preview?: { tracks: Track[]; stages?: Stage[] } | null;
}

export interface ProgressEvent {
  task: "plan" | "disassemble";
  step?: number | string | null;
  planner?: string | null;
  done?: number | null;
  total?: number | null;
}

export type ServerEvent =
  | ({ event: "hello"; version: string; examples: string[]; unsaved: UnsavedWork | null } & {
      scene: SceneEvent | null;
      verdict: VerdictEvent | null;
    })
  | ({ event: "scene" } & SceneEvent)
  | ({ event: "verdict" } & VerdictEvent)
  | ({ event: "progress" } & ProgressEvent)
  | ({ event: "planned" } & PlannedEvent)
  | { event: "disk"; changed: boolean }
  | ({ event: "world" } & WorldFrame)
  | { event: "world_gone"; reason?: string }
  | ({ event: "error" } & ServerError);

/** A moment of the plan; `null` stands for the state before the first step. */
export type Moment = { step: number; t: number } | null;

/** Bodies that were moved by hand and not recorded yet. */
export type Displaced = [body: number, pose: Pose][];

export interface Contact {
  kind?: "overlap" | "contact" | "undecided";
  pair: [string, string] | [number, number];
  point: Vec3;
  normal: Vec3 | null;
}

export type NewMove = { bodies: number[] } & (
  | { translate: Vec3 }
  | { rotate: { point: Vec3; axis: Vec3; angle: number } }
  | { screw: { point: Vec3; axis: Vec3; angle: number; advance: number } }
  | { to: Pose }
  | { path: Pose[] }
  | { plan: { to: Pose; planner?: string } }
);

/** What can be asked of the server, and what it answers. */
export interface Commands extends WorldCommands {
  open: [{ path?: string; example?: string; text?: string }, unknown];
  save: [object, unknown];
  save_as: [{ path: string; overwrite?: boolean }, unknown];
  reload: [object, unknown];
  undo: [object, unknown];
  redo: [object, unknown];
  set_pose: [{ body: number; pose: Pose; merge?: boolean }, unknown];
  set_goal: [{ body: number; pose: Pose | null }, unknown];
  set_color: [{ body: number; color: Vec3 }, unknown];
  rename_body: [{ body: number; name: string }, unknown];
  set_fixed: [{ body: number; fixed: boolean }, unknown];
  set_text: [{ text: string }, unknown];
  get_text: [object, { text: string }];
  add_step: [{ index?: number; name?: string; moves: NewMove[]; seconds?: number }, { step?: number }];
  update_step: [{ step: number; seconds?: number; moves?: NewMove[]; name?: string }, unknown];
  remove_step: [{ step: number }, unknown];
  move_step: [{ from: number; to: number }, { step?: number }];
  duplicate_step: [{ step: number }, unknown];
  rename_step: [{ step: number; name: string }, unknown];
  check: [object, unknown];
  cancel: [object, unknown];
  curve: [{ step: number; pair: [number, number] }, { points: [number, number][]; required: number }];
  slide: [
    { bodies: number[]; direction: Vec3; at: Moment; max: number; poses: Displaced },
    { distance: number; contact: Contact | null; poses?: Pose[] },
  ];
  turn: [
    { bodies: number[]; axis: { point: Vec3; direction: Vec3 }; at: Moment; max: number; poses: Displaced },
    { angle: number; contact: Contact | null; poses?: Pose[] },
  ];
  probe: [{ at: Moment; poses: Displaced }, { findings: Finding[]; closest?: Closest | null }];
  robot_at: [{ robot: number; joints: number[]; at: Moment }, RobotAt];
  robot_ik: [{ robot: number; tool: Pose; joints: number[]; at: Moment }, Solutions];
  robot_workspace: [{ robot: number; count: number }, { points: number[] }];
  robot_trail: [{ robot: number }, { stages: number[][] }];
  robot_try: [{ robot: number; action: Action; at: Moment }, { share: number; contact: Contact | null; too_close: (Contact & { clearance?: number }) | null; joints: number[]; poses: Pose[]; seconds: number }];
  robot_step: [{ robot: number; actions: Action[]; index?: number; name?: string; with?: number }, { step: number }];
  robot_start: [{ robot: number; joints: number[] }, unknown];
  robot_base: [{ robot: number; pose: Pose; merge?: boolean }, unknown];
  /** A way for bodies after a step (before it at t = 0; without one from the end of the plan), or for a step that is there. */
  plan: [{ planner?: string; seed?: number } & ({ bodies: number[]; to: Pose; at?: Moment } | { step: number }), unknown];
  accept_plan: [{ name?: string }, unknown];
  discard_plan: [object, unknown];
  disassemble: [object, unknown];
  recover: [{ yes: boolean }, unknown];
  list: [object, { files: (string | { path: string; title?: string })[]; folder?: string }];
}

export type CommandName = keyof Commands;
export type Request<N extends CommandName> = Commands[N][0];
export type Reply<N extends CommandName> = Commands[N][1];
