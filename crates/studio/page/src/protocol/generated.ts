// Generated from the Rust types in crates/studio/src/protocol and crates/studio/src/deform. Do not edit: run
// FREIRAUM_WRITE_PROTOCOL=1 cargo test --package freiraum-studio typescript
// Lengths are metres, angles radians, bodies and steps count from 0.

export type Vec3 = readonly [number, number, number];
/** Position and unit quaternion: `[x, y, z, qx, qy, qz, qw]`. */
export type Pose = readonly [number, number, number, number, number, number, number];

/** One thing that a robot does in a step of the file. */
export type ActionInfo = {
  robot: number;
  kind: ActionKind;
  /** As in a listing of the program. */
  text: string;
  /** Stage and share of it where it begins. */
  from: [number, number] | null;
  /** Stage and share of it where it ends. */
  to: [number, number] | null;
};

/** What a robot does. */
export type ActionKind = "ptp" | "lin" | "joint" | "plan" | "grasp" | "release" | "wait" | "sync";

/** How deep some bodies may overlap by what the scene states. */
export type AllowanceInfo = {
  by: AllowedBy;
  /** Every one of the first list against every one of the second; null for all pairs. */
  bodies: [Array<string>, Array<string>] | null;
  allowance: number;
  line: number | null;
  column: number | null;
};

export type AllowedBy = "check" | "pair" | "grasp";

export type Approach = {
  pair: [string, string];
  t: Array<[number, number]>;
  required: number;
  message: string;
};

export type ApproachBy = "default" | "check" | "pair";

/** How far fits may travel before and after a contact without keeping their clearance. */
export type ApproachInfo = {
  by: ApproachBy;
  /** As of an allowance. */
  bodies: [Array<string>, Array<string>] | null;
  approach: number;
  line: number | null;
  column: number | null;
};

/** Who drives now. */
export type Assigned = { controller: Controller | null };

/** A moment of the plan. */
export type At = { step: number, t: number };

/** What is to be different about a body; SI units. */
export type Attributes = {
  body: number;
  mass?: number | null;
  friction?: number | null;
  restitution?: number | null;
  active?: boolean | null;
  velocity?: Vec3 | null;
  spin?: Vec3 | null;
  position?: Vec3 | null;
  pose?: Pose | null;
};

export type AxisWanted = "x" | "y" | "z";

/** An axis. */
export type Axle = { point: Vec3, direction: Vec3 };

/** A body. */
export type BodyInfo = {
  name: string;
  /** The name under which its mesh is sent. */
  mesh: string;
  /** sRGB, 0 to 1. */
  color: Vec3;
  fixed: boolean;
  /** Before the first step. */
  pose: Pose;
  goal: Pose | null;
  /** How many are shown. */
  triangles: number;
  /** The robot of which it is a link or a tool. */
  robot: number | null;
};

/** Who moves a body. */
export type BodyKind = "fixed" | "movable" | "kinematic";

/** Attributes of a body that can be changed while it runs. */
export type BodyValues = {
  /** Null for those that are not moved by forces. */
  mass: number | null;
  friction: number;
  restitution: number;
  active: boolean;
};

/** A body and what is done to it. Lengths in metres, angles in radians. */
export type BodyWanted = {
  /** As the shelf calls it. */
  mesh: string;
  /** Where it is put, after the deformation. */
  at?: Vec3;
  twist?: number;
  bend?: number;
  wobble?: number;
  waves?: number;
  inflate?: number;
  /** Share of all amplitudes. */
  share?: number;
  /** How far the swing is, in radians; without one all amplitudes are as they are. */
  swing?: number | null;
  /** The axis of the deformation: 0, 1, 2; without one the longest edge of its box. */
  along?: number | null;
};

/** The scene was changed, or needed no change. */
export type Changed = {
  /** A new one. */
  body?: number;
  revision: number;
  /** A new one, or the one that was changed. */
  step?: number;
};

/** The pair that comes closest. */
export type Closest = {
  pair: [string, string];
  distance: number;
  error: number;
  required: number;
  t: number;
  point_a: Vec3;
  point_b: Vec3;
  seconds?: number;
  joints_deg?: { [key in string]: Array<number | null> };
};

/** Two bodies that are close to each other, in metres. */
export type ClosestPair = {
  pair: [string, string];
  bodies: [number, number];
  distance: number;
  required: number;
  point_a: Vec3;
  point_b: Vec3;
};

/** A command; keys that it does not know are ignored. */
export type Command = { "do": "open" } & Source
  | { "do": "save" }
  | { "do": "save_as", path: string, /** Another file of this name may go. */ overwrite?: boolean }
  | { "do": "reload" }
  | { "do": "undo" }
  | { "do": "redo" }
  | { "do": "set_pose", body: number, pose: Pose, merge?: boolean }
  | { "do": "set_goal", body: number, pose?: Pose | null }
  | { "do": "set_color", body: number, color: Vec3 }
  | { "do": "set_fixed", body: number, fixed: boolean }
  | { "do": "rename_body", body: number, name: string }
  | { "do": "set_text", text: string }
  | { "do": "get_text" }
  | { "do": "add_step" } & NewStep
  | { "do": "update_step", step: number, name?: string | null, seconds?: number | null, moves?: Array<NewMove> | null }
  | { "do": "remove_step", step: number }
  | { "do": "move_step", from: number, to: number }
  | { "do": "duplicate_step", step: number }
  | { "do": "rename_step", step: number, name: string }
  | { "do": "add_body", mesh: string, name?: string | null }
  | { "do": "check" }
  | { "do": "cancel" }
  | { "do": "poses", step: number, t: number }
  | { "do": "curve", step: number, pair: [number, number] }
  | { "do": "slide", bodies: Array<number>, direction: Vec3, max: number, at?: At | null, poses?: Array<[number, Pose]> }
  | { "do": "turn", bodies: Array<number>, axis: Axle, max: number, at?: At | null, poses?: Array<[number, Pose]> }
  | { "do": "probe", at?: At | null, poses?: Array<[number, Pose]> }
  | { "do": "robot_at", robot: number, joints: Array<number>, at?: At | null }
  | { "do": "robot_ik", robot: number, tool: Pose, joints: Array<number>, at?: At | null }
  | { "do": "robot_workspace", robot: number, count: number }
  | { "do": "robot_trail", robot: number }
  | { "do": "robot_try", robot: number, action: NewAction, at?: At | null }
  | { "do": "robot_step" } & NewRobotStep
  | { "do": "robot_start", robot: number, joints: Array<number> }
  | { "do": "robot_base", robot: number, pose: Pose, merge?: boolean }
  | { "do": "plan" } & NewPlan
  | { "do": "accept_plan", name?: string | null }
  | { "do": "discard_plan" }
  | { "do": "disassemble" }
  | { "do": "recover", yes: boolean }
  | { "do": "list" };

/** Why something was not done. */
export type CommandError = {
  code: string;
  message: string;
  /** In the scene file, from 1. */
  line: number | null;
  /** In characters, from 1. */
  column: number | null;
  /** What to do about it. */
  help: string | null;
  /** All problems, if a scene file is wrong. */
  problems: Array<SceneProblem> | null;
};

/** What was met: a finding with numbers in place of names, and without a sentence. */
export type Contact = {
  names: [string, string];
  features: [FeatureInfo | null, FeatureInfo | null];
  kind: FindingKind;
  verdict: Verdict;
  pair: [number, number];
  t?: number | null;
  point?: Vec3 | null;
  normal?: Vec3 | null;
  clearance?: number | null;
  required?: number | null;
  point_a?: Vec3 | null;
  point_b?: Vec3 | null;
};

/** Who drives, or shall drive. */
export type Controller = "wander"
  | "collect"
  | "keyboard"
  | { "drive_to": Vec3 }
  | { "soccer": { ball: number, goal: number } }
  | { "program": Array<string> };

/** The distance of two bodies during a step. */
export type Curve = {
  /** Time from 0 to 1, and metres. */
  points: Array<[number, number]>;
  /** Metres. */
  required: number;
};

/** Who renders. */
export type DeviceWanted = "auto" | "cpu" | "gpu";

/** Another program wrote the scene file. */
export type DiskEvent = { event: "disk", changed: boolean };

/** It was done. */
export type Done = Record<symbol, never>;

/** What somebody presses. */
export type Driven = {
  vehicle: number;
  /** Share of the highest speed, from -1 to 1. */
  speed?: number | null;
  /** From -1 to 1, to the left. */
  turn?: number | null;
  gripper?: Gripped | null;
};

/** Something went wrong that no page has asked for. */
export type ErrorEvent = {
  event: "error";
  code: string;
  message: string;
  /** In the scene file, from 1. */
  line: number | null;
  /** In characters, from 1. */
  column: number | null;
  /** What to do about it. */
  help: string | null;
  /** All problems, if a scene file is wrong. */
  problems: Array<SceneProblem> | null;
};

export type ExemptPair = {
  pair: [string, string];
  rule: ExemptRuleName;
  reason: string;
  line: number | null;
  column: number | null;
};

/** A rule that takes pairs out. */
export type ExemptRuleInfo = {
  rule: ExemptRuleName;
  reason: string;
  bodies: [Array<string>, Array<string>];
  pairs: number;
  file: string | null;
  line: number | null;
  column: number | null;
};

export type ExemptRuleName = "pair" | "srdf" | "neighbours" | "fixed";

/** A vertex, edge or face of a mesh. */
export type FeatureInfo = {
  /** `vertex`, `edge` or `face`. */
  kind: string;
  index?: number;
  vertices?: [number, number];
};

/** What is wrong. */
export type Finding = { kind: FindingKind, /** What it makes of its step. */ verdict: Verdict, /** Null where there is no way for `subject`. */ pair: [string, string] | null, t: number | null, seconds?: number | null, /** Of robots, by their names; degrees, and metres of joints that slide. */ joints_deg?: { [key in string]: Array<number | null> } | null, message: string, file?: string | null, line?: number | null, column?: number | null, subject?: string | null, point?: Vec3 | null, depth?: number | null, separating_shift?: number | null, passing_allowance?: number | null, allowance?: number | null, t_error?: number | null, normal?: Vec3 | null, feature_a?: FeatureInfo | null, feature_b?: FeatureInfo | null, until?: number | null, until_known?: boolean | null, clearance?: number | null, clearance_error?: number | null, required?: number | null, missing?: number | null, point_a?: Vec3 | null, point_b?: Vec3 | null, give_way?: Vec3 | null, is_fit?: boolean | null, /** From and to, shares of the step. */ open?: [number, number] | null, body?: string | null, places?: Array<Vec3> | null };

export type FindingKind = "overlap"
  | "contact"
  | "too_close"
  | "undecided"
  | "inside_unknown"
  | "no_path";

/** A pair that is meant to touch. */
export type FitGap = {
  pair: [string, string];
  /** Negative: they overlap. */
  gap: number;
  gap_error: number;
  allowance: number;
  resting_allowance: number;
  separating_shift: number | null;
  reason: FitReason;
};

export type FitReason = "touches_at_start" | "touches_at_end" | "grasped";

/** What is in a frame. */
export type FrameDocument = {
  bodies: Array<SentBody>;
  /** Of all whose boxes overlap. */
  pairs: Array<SentPair>;
  /** Who rendered. */
  device: string;
  /** Why not who was asked. */
  note: string | null;
  milliseconds: Milliseconds;
};

/** What a gripper shall do. */
export type Gripped = "open" | "close" | "raise" | "lower";

/** Bodies that move as one; the first one leads. */
export type GroupInfo = { name: string, members: Array<number> };

/** The first one that a page gets. */
export type HelloEvent = {
  event: "hello";
  version: string;
  /** Names of scenes to start with. */
  examples: Array<string>;
  unsaved: UnsavedWork | null;
  /** The newest `scene` event. */
  scene: SceneEvent | null;
  /** The newest `verdict` event. */
  verdict: VerdictEvent | null;
};

/** A file that was read. */
export type InputInfo = {
  kind: InputKind;
  path: string;
  /** Of its bytes, in hexadecimal digits. */
  blake3: string;
};

export type InputKind = "scene" | "mesh" | "robot" | "table";

/** A freedom of a robot. */
export type JointInfo = {
  name: string;
  /** It turns (radians); others slide (metres). */
  turns: boolean;
  /** Null where there is no limit. */
  lower: number | null;
  /** Null where there is no limit. */
  upper: number | null;
  /** Per second; null if the model states none. */
  speed: number | null;
};

/** Joint values with a name; null for those that stay as they are. */
export type JointState = { name: string, values: Array<number | null> };

/** Rays through the middles of pixels; (u, v, axis) is right-handed. */
export type LayerGrid = {
  axis: 0 | 1 | 2;
  /** Of u, v and depth. */
  origin: Vec3;
  size: [number, number];
  pixel: [number, number];
  /** Metres per step of depth. */
  step: number;
};

/** A link and its body. */
export type LinkInfo = { name: string, body: number | null };

/** What a mesh is. */
export type MeshFacts = {
  /** Names the content, or the shape and its fineness. */
  mesh: string;
  name: string;
  vertices: number;
  triangles: number;
  size: Vec3;
  open_edges: number;
  /** The faces bound solids as they are written. */
  closed: boolean;
};

/** How long the stages took. */
export type Milliseconds = {
  deform: number;
  snap: number;
  render: number;
  sort: number;
  occupancy: number;
  pairs: number;
};

/** What bodies do in a stage. */
export type MoveInfo = {
  /** The name of the body or the group. */
  subject: string;
  bodies: Array<number>;
  kind: MoveKind;
  /** In words. */
  summary: string;
};

/** How bodies move. */
export type MoveKind = "translate" | "turn" | "screw" | "to" | "path" | "plan";

/** One thing that a robot does; keys that it does not know are refused, because a motion without them would be another one. */
export type NewAction = { "ptp": NewPointToPoint }
  | { "lin": NewLine }
  | { "joint": NewJoint }
  | { "plan": NewGoal }
  | { "grasp": { body: number, depth?: number | null } }
  | { "release": { body: number } }
  | { "wait": number }
  | { "sync": string };

/** Where a planner has to find the way to. */
export type NewGoal = {
  joints?: Array<number | null> | null;
  pose?: Pose | null;
  speed?: number | null;
};

/** One joint alone. */
export type NewJoint = {
  freedom: number;
  to: number;
  speed?: number | null;
  profile?: string | null;
};

/** The tool on a straight line. */
export type NewLine = {
  pose?: Pose | null;
  by?: Vec3 | null;
  speed?: number | null;
  profile?: string | null;
};

/** Bodies and what they do. */
export type NewMove = { bodies: Array<number> } & ({ "translate": Vec3 } | { "rotate": Screw } | { "screw": Screw } | { "to": Pose } | { "path": Array<NewPiece> } | { "plan": { to: Pose, planner?: string | null } });

/** A part of a path. */
export type NewPiece = Pose
  | { share?: number | null } & ({ "translate": Vec3 } | { "rotate": Screw } | { "screw": Screw } | { "to": Pose } | { "path": Array<NewPiece> } | { "plan": { to: Pose, planner?: string | null } });

/** What is to be planned: an open step, or bodies that have to get somewhere. */
export type NewPlan = {
  step?: number | null;
  bodies?: Array<number>;
  to?: Pose | null;
  planner?: string | null;
  seed?: number;
  at?: At | null;
  poses?: Array<[number, Pose]>;
};

/** All joints at once. Joint values of null stay as they are. */
export type NewPointToPoint = {
  joints?: Array<number | null> | null;
  pose?: Pose | null;
  mode?: string | null;
  speed?: number | null;
  profile?: string | null;
};

/** A step of a robot to be added, or what it does in a step that is there. */
export type NewRobotStep = {
  robot: number;
  actions: Array<NewAction>;
  index?: number | null;
  name?: string | null;
  /** The step that it is part of, beside other robots. */
  with?: number | null;
};

/** A step to be added. */
export type NewStep = {
  index?: number | null;
  name?: string | null;
  seconds?: number | null;
  moves: Array<NewMove>;
};

/** Another scene is open. */
export type Opened = { revision: number, unsaved: UnsavedWork | null };

/** A picture of a camera. */
export type Picture = {
  size: [number, number];
  /** Red, green, blue as bytes, base64. */
  colors: string;
  /** Metres: single precision numbers, little endian, base64. */
  depth: string;
};

/** A search has ended. Keys that make no sense for its end are left out. */
export type PlannedEvent = {
  event: "planned";
  task: PlanningTask;
  step?: number | null;
  verdict: PlannedVerdict;
  /** Why there is no way; null if there is one. */
  message: string | null;
  /** Metres. */
  length?: number | null;
  /** Metres. */
  clearance?: number | null;
  /** Of the way; of a disassembly, how many bodies or groups were removed. */
  pieces?: number;
  planner?: string | null;
  /** Names of the bodies that a disassembly leaves behind. */
  blocked?: Array<string>;
  /** Null if nothing was found. */
  preview?: Preview | null;
  /** If the scene has problems. */
  error?: CommandError;
};

/** What a planner answered for a way that was left open; steps of the file, from 1. */
export type PlannedInfo = {
  index: number;
  found: boolean;
  planner: string | null;
  reason: string | null;
  proven: boolean;
};

/** How a search has ended. */
export type PlannedVerdict = "free"
  | "no_path"
  | "gave_up"
  | "cancelled"
  | "error"
  | "undecided"
  | "too_close"
  | "collision"
  | "invalid";

/** What a search is about. */
export type PlanningTask = "plan" | "disassemble";

/** Where all bodies are. */
export type Poses = { poses: Array<Pose> };

/** What was found, to be looked at. */
export type Preview = {
  /** The way. */
  tracks: Array<Track>;
  /** The stages of a disassembly, one after the other. */
  stages?: Array<PreviewStage>;
};

/** A stage of a disassembly. */
export type PreviewStage = { name: string, tracks: Array<Track> };

/** What overlaps in one placement, and what is closest to each other. */
export type Probed = { findings: Array<Finding>, closest: ClosestPair | null };

/** How far a search is. */
export type ProgressEvent = {
  event: "progress";
  task: PlanningTask;
  step: number | null;
  planner: string | null;
  done: number;
  total: number;
};

/** How far it reaches. */
export type ReachInfo = {
  /** From the base, in metres. */
  radius: number;
  lower: Vec3;
  upper: Vec3;
  /** An estimate, in cubic metres. */
  volume: number;
};

/** What a sensor measured. */
export type Reading = {
  sensor: number;
  time: number;
  /** Of the sensor in the world when it measured. */
  pose: Pose;
  /** Of every beam, in metres. */
  distances?: Array<number | null>;
  distance?: number | null;
  broken?: boolean | null;
  touched?: boolean | null;
  /** x, y, heading. */
  track?: Vec3;
  picture?: Picture;
};

/** A recording. */
export type Recorded = { bytes: number };

/** A recording that is being made. */
export type RecordingInfo = { seconds: number, bytes: number };

/** The same to a request that came by itself. */
export type RefusedRequest = { error: CommandError };

/** A robot at joint values of its own. */
export type RobotAt = {
  /** Of links, tools and what it holds. */
  poses: Array<[number, Pose]>;
  /** Of all links. */
  frames: Array<Pose>;
  /** The tool centre point. */
  tool: Pose;
  /** Freedoms outside of their limits. */
  outside: Array<number>;
  findings: Array<Finding>;
  closest: ClosestPair | null;
};

/** A robot after the last stage. */
export type RobotEnd = { robot: number, values: Array<number>, held: Array<number> };

/** A robot. */
export type RobotInfo = {
  name: string;
  base: Pose;
  links: Array<LinkInfo>;
  /** The number of the link that tools are fixed to. */
  flange: number;
  flange_from_tool: Pose;
  /** Bodies. */
  tools: Array<number>;
  /** Its freedoms. */
  joints: Array<JointInfo>;
  start: Array<number>;
  states: Array<JointState>;
  /** How inverse kinematics is solved, in words. */
  method: string;
  /** Inverse solutions are all there are. */
  closed: boolean;
};

/** Joint values of a robot during a stage, linear between its knots, and the bodies that it holds meanwhile. */
export type RobotTrack = {
  robot: number;
  times: Array<number>;
  values: Array<Array<number>>;
  held: Array<number>;
};

/** Whether time goes on. */
export type RunState = "running" | "paused";

/** A body as it is now. */
export type RunningBody = {
  pose: Pose;
  velocity: Vec3;
  spin: Vec3;
  /** Something of it was changed that the scene does not have. */
  changed: boolean;
  /** Null for those that are not moved by forces. */
  mass: number | null;
  friction: number;
  restitution: number;
  active: boolean;
};

/** The scene is on the disk. */
export type Saved = {
  revision: number;
  /** As seen from the folder of the studio. */
  path: string | null;
};

/** The scene that is open. Steps are stages of the plan. */
export type SceneEvent = {
  event: "scene";
  revision: number;
  name: string;
  title: string;
  /** The symbol of the unit in which the page shows lengths. */
  units: string;
  /** The file says something that matters in time alone. */
  world: boolean;
  /** Metres. */
  clearance: number;
  /** Metres. */
  allowance: number;
  bodies: Array<BodyInfo>;
  groups: Array<GroupInfo>;
  steps: Array<StepInfo>;
  stages: Array<Stage>;
  /** Poses of all bodies after the last stage. */
  end: Array<Pose>;
  robots: Array<RobotInfo>;
  robots_end: Array<RobotEnd> | null;
  /** What can be undone. */
  undo: string | null;
  /** What can be done again. */
  redo: string | null;
  /** Not saved. */
  dirty: boolean;
  /** As seen from the folder of the studio. */
  path: string | null;
};

/** A scene file in the folder of the studio. */
export type SceneFileInfo = { path: string };

/** What can be opened. */
export type SceneList = {
  files: Array<SceneFileInfo>;
  /** The name of the folder of the studio. */
  folder: string | null;
  examples: Array<string>;
};

/** A problem of a scene file. Lines and columns count from 1, columns in characters. */
export type SceneProblem = {
  line: number;
  column: number;
  end_line: number;
  /** Of the first character after it. */
  end_column: number;
  message: string;
  help: string | null;
};

/** A turn, in radians, and a shift along the axis. */
export type Screw = { point: Vec3, axis: Vec3, angle: number, advance?: number };

export type SensorKind = "laser"
  | "infrared"
  | "light barrier"
  | "bumper"
  | "camera"
  | "ultrasonic"
  | "odometry";

/** A body as it is in a frame. */
export type SentBody = {
  mesh: string;
  vertices: number;
  triangles: number;
  /** What `positions` are relative to. */
  origin: Vec3;
  box: [Vec3, Vec3];
  self_collision: boolean;
  /** Null where the surface is not sound. */
  volume: number | null;
  volume_error: number | null;
  max_overlap: number;
  layers_max: number;
  depths: number;
  /** How many are involved. */
  faces: number;
  sound: boolean;
  /** The faces bound solids as they are written. */
  closed: boolean;
  open_edges: number;
  faults: number;
  /** Some of them. */
  fault_places: Array<Vec3>;
  grid: LayerGrid;
  positions: [number, number];
  normals: [number, number];
  marks: [number, number];
  intervals: [number, number];
  layers: SentLayers | null;
};

/** All layers of a body. */
export type SentLayers = {
  /** Where the depths of each pixel begin, and their end. */
  starts: [number, number];
  /** Depth times 2, and 1 more where the ray enters. */
  depths: [number, number];
};

/** What two bodies share. */
export type SentPair = {
  bodies: [number, number];
  volume: number | null;
  volume_error: number | null;
  grid: LayerGrid;
  intervals: [number, number];
};

/** What all pages get. */
export type ServerEvent = HelloEvent
  | SceneEvent
  | VerdictEvent
  | ProgressEvent
  | PlannedEvent
  | DiskEvent
  | WorldFrameEvent
  | WorldGoneEvent
  | ErrorEvent;

/** How far bodies go along a direction. */
export type Slid = {
  contact: Contact | null;
  /** Of all bodies, there. */
  poses: Array<Pose>;
  /** Metres. */
  distance: number;
};

export type SmallestGap = {
  pair: [string, string];
  gap: number;
  gap_error: number | null;
  fit: boolean;
};

/** One of them. */
export type Solution = {
  joints: Array<number>;
  nearest: boolean;
  /** From the joint values before. */
  distance: number;
  signs: string | null;
  singular: Array<string>;
  /** Nothing is wrong where it stands then. */
  free: boolean;
  /** What is. */
  touches: string | null;
};

/** Joint values that bring the tool somewhere, the nearest first. */
export type Solutions = {
  /** These are all. */
  complete: boolean;
  /** Why there is none. */
  reason: string | null;
  solutions: Array<Solution>;
};

/** What to open: one of them. */
export type Source = { path?: string | null, example?: string | null, text?: string | null };

/** What moves during a stage. */
export type Stage = { tracks: Array<Track>, robots: Array<RobotTrack> };

/** How fast a world is. */
export type Statistics = {
  steps_per_second: number;
  /** Seconds of the world per second, as it went. */
  speed_reached: number;
  /** The same if it were never made to wait. */
  real_time_factor: number;
  tests_per_step: number;
  contacts: number;
  /** Joules. */
  energy: number;
};

/** A stage of the plan: a step of the file, or a part of one in which somebody grasps or releases half way. */
export type StepInfo = {
  name: string;
  seconds: number;
  /** In the scene file, from 1. */
  line: number;
  moves: Array<MoveInfo>;
  /** The number of the step in the file. */
  step: number;
  /** Which of how many parts of it this is, from 0. */
  part: [number, number];
  /** Who does something in it. */
  robots: Array<number>;
  /** All actions of the whole step. */
  actions: Array<ActionInfo>;
};

/** What a check found about one stage. */
export type StepVerdict = {
  /** From 1. */
  index: number;
  name: string;
  verdict: Verdict;
  moving: Array<string>;
  clearance: number | null;
  clearance_error?: number;
  required: number | null;
  pair: [string, string] | null;
  t: number | null;
  point: Vec3 | null;
  /** The step of the file, and which part of how many it is. */
  step: number;
  part: number;
  seconds_shown: number | null;
  /** In words. */
  action: string;
  file: string | null;
  line: number | null;
  column: number | null;
  findings: Array<Finding>;
  closest: Closest | null;
  fits: Array<[string, string]>;
  fit_gaps: Array<FitGap>;
  /** The smallest gap over all pairs; where they collide it is not known by how much it may be less. */
  smallest_gap: SmallestGap | null;
  /** Pairs that need not keep their clearance for a while: in contact or on their approach. */
  approaches: Array<Approach>;
  /** Pairs that move against each other here and that a rule takes out. */
  exempt: Array<ExemptPair>;
  /** How many more, of rules of very many pairs. */
  exempt_unlisted: number;
};

/** The scene file. */
export type Text = { text: string, revision: number };

/** Key frames of one body during one stage, times from 0 to 1. Positions go on straight lines between them, orientations on shortest turns. */
export type Track = { body: number, times: Array<number>, poses: Array<Pose> };

/** The way of the tool centre point in every stage. */
export type Trail = {
  /** x, y, z, … */
  stages: Array<Array<number>>;
};

/** How far an action of a robot gets. */
export type Tried = {
  /** Of the motion that is free. */
  share: number;
  contact: Contact | null;
  /** What comes nearer than its clearance on the way. */
  too_close: Contact | null;
  joints: Array<number>;
  /** Of all bodies, there. */
  poses: Array<Pose>;
  /** That the whole motion takes. */
  seconds: number;
};

/** How far bodies turn. */
export type Turned = {
  contact: Contact | null;
  /** Of all bodies, there. */
  poses: Array<Pose>;
  /** Radians. */
  angle: number;
};

/** Work of an earlier session that was not saved. */
export type UnsavedWork = {
  name: string;
  /** Seconds since 1970. */
  when: number;
};

/** A mesh file that was put beside the scene. */
export type Uploaded = { file: string, body: number | null };

/** What a vehicle can do. */
export type VehicleCommand = "drive" | "gripper";

/** A joint of a vehicle; radians or metres. */
export type VehicleJoint = { name: string, lower: number, upper: number };

/** A vehicle at a moment. */
export type VehicleNow = {
  pose: Pose;
  speed: number;
  turn: number;
  /** A body. */
  holds: number | null;
  controller: Controller | null;
};

export type Verdict = "free" | "too_close" | "collision" | "undecided" | "invalid";

/** What a check has found so far: the report as `freiraum check --json` writes it, lengths in metres, and how far the check is. */
export type VerdictEvent = {
  /** Another name for `missed_goals`. */
  missed: Array<string>;
  event: "verdict";
  revision: number;
  running: boolean;
  /** Steps that are checked. */
  done: number;
  /** All steps. */
  total: number;
  /** Why nothing could be checked. */
  error: CommandError | null;
  verdict: Verdict | null;
  /** `m`. */
  units: string;
  start: Array<Finding>;
  steps: Array<StepVerdict | null>;
  /** Bodies that the plan does not leave at their goals. */
  missed_goals: Array<string>;
  open_surfaces: Array<string>;
  warnings: Array<Warning>;
  /** What "free" does not cover. */
  not_covered: Array<string>;
  exempt: Array<ExemptRuleInfo>;
  allowances: Array<AllowanceInfo>;
  approach: Array<ApproachInfo>;
  planned: Array<PlannedInfo>;
  notes: Array<string>;
  /** As seen from the folder of the studio. */
  scene: string | null;
  title: string | null;
  inputs: Array<InputInfo>;
  version: string;
  /** When it was checked. */
  date: string | null;
  seconds: number | null;
  pairs_tested: number | null;
  pairs_remembered: number | null;
  pairs_apart: number | null;
  pairs_measured: number | null;
};

/** One frame. */
export type Wanted = {
  bodies: Array<BodyWanted>;
  /** Rays each way. */
  resolution: number;
  /** Of the rays; without one the longest edge of each box. */
  axis?: AxisWanted | null;
  device?: DeviceWanted;
  /** All layers, beside the overlaps. */
  layers?: boolean;
};

/** What people should know beside the verdict. */
export type Warning = { code: string, bodies: Array<string>, message: string };

/** What the frames of a page carry beside poses and events. */
export type Watched = { sensors?: Array<number>, contacts?: boolean };

/** What the tool centre point reaches. */
export type WorkspacePoints = {
  /** x, y, z, … */
  points: Array<number>;
  reach: ReachInfo;
};

/** All bodies of the running world. */
export type WorldBodies = { time: number, bodies: Array<RunningBody> };

/** A body of the world. */
export type WorldBody = {
  name: string;
  /** The name under which its mesh is sent. */
  mesh: string;
  /** sRGB, 0 to 1. */
  color: Vec3;
  kind: BodyKind;
  /** Frames have its pose. */
  can_move: boolean;
  /** That it is a part of. */
  vehicle: number | null;
  pose: Pose;
  /** Null for those that are not moved by forces. */
  mass: number | null;
  friction: number;
  restitution: number;
  active: boolean;
};

/** A command of the world workspace; keys that it does not know are ignored. */
export type WorldCommand = { "do": "world_open" }
  | { "do": "world_close" }
  | { "do": "world_run", /** World seconds per second; 0 for as many as can be. */ speed?: number | null }
  | { "do": "world_pause" }
  | { "do": "world_step", count?: number | null }
  | { "do": "world_reset" }
  | { "do": "world_bodies" }
  | { "do": "world_set" } & Attributes
  | { "do": "world_keep" }
  | { "do": "world_drive" } & Driven
  | { "do": "world_assign", vehicle: number, controller?: Controller | null }
  | { "do": "world_watch" } & Watched
  | { "do": "world_seen", frame: number }
  | { "do": "world_events", from?: number | null, count?: number | null }
  | { "do": "world_record", on: boolean };

/** Something that happened in a world, as `freiraum sim --json` writes it, in metres. */
export type WorldEvent = {
  time: number;
  kind: WorldEventKind;
  bodies?: [string, string];
  point?: Vec3;
  normal?: Vec3;
  /** Newton seconds. */
  impulse?: number;
  goal?: string;
  count?: number;
  vehicle?: string | null;
  action?: string;
  body?: string | null;
  message?: string;
  /** Counts up in a run; recordings have none. */
  number?: number;
};

export type WorldEventKind = "collision" | "separation" | "goal" | "gripper" | "warning";

/** Events of the running world. */
export type WorldEvents = {
  run: number;
  /** The number of the oldest one that is remembered. */
  first: number;
  /** The number after the last of `events`. */
  next: number;
  /** The number of the next one that will happen. */
  total: number;
  events: Array<WorldEvent>;
};

/** A moment of a world, with what a page wants to see. */
export type WorldFrame = {
  /** What happened since the last frame. */
  events: Array<WorldEvent>;
  /** Point, normal and impulse of everything that touches, seven numbers each. */
  contacts: Array<number>;
  readings: Array<Reading>;
  /** Grows with every world that is built. */
  run: number;
  /** Counts up; the page tells which one it has drawn. */
  frame: number;
  state: RunState;
  /** World seconds per second as asked for; 0 for as many as can be. */
  speed: number;
  /** The scene has changed since. */
  stale: boolean;
  /** Attributes were changed that the scene does not have. */
  changed: boolean;
  time: number;
  steps: number;
  recording: RecordingInfo | null;
  statistics: Statistics;
  vehicles: Array<VehicleNow>;
  scores: Array<number>;
  /** Seven numbers for each body that can move, in order. */
  poses: Array<number>;
  /** Of the same bodies, in metres per second. */
  speeds: Array<number>;
};

/** The event `world` as it is put together for every page. */
export type WorldFrameEvent = {
  event: "world";
  /** What happened since the last frame. */
  events: Array<WorldEvent>;
  /** Point, normal and impulse of everything that touches, seven numbers each. */
  contacts: Array<number>;
  readings: Array<Reading>;
  /** Grows with every world that is built. */
  run: number;
  /** Counts up; the page tells which one it has drawn. */
  frame: number;
  state: RunState;
  /** World seconds per second as asked for; 0 for as many as can be. */
  speed: number;
  /** The scene has changed since. */
  stale: boolean;
  /** Attributes were changed that the scene does not have. */
  changed: boolean;
  time: number;
  steps: number;
  recording: RecordingInfo | null;
  statistics: Statistics;
  vehicles: Array<VehicleNow>;
  scores: Array<number>;
  /** Seven numbers for each body that can move, in order. */
  poses: Array<number>;
  /** Of the same bodies, in metres per second. */
  speeds: Array<number>;
};

/** A goal and the ball that belongs in it, both numbers of bodies. */
export type WorldGoal = { name: string, body: number, ball: number };

/** There is no world any more. */
export type WorldGoneEvent = { event: "world_gone", reason: string };

/** All that does not change while a world runs, and how it is when a page comes. */
export type WorldInfo = {
  /** Of the scene. */
  revision: number;
  scene_hash: string;
  settings: WorldSettings;
  /** Those of the scene, then the parts of vehicles. */
  bodies: Array<WorldBody>;
  vehicles: Array<WorldVehicle>;
  sensors: Array<WorldSensor>;
  /** The file says something of physics. */
  described: boolean;
  goals: Array<WorldGoal>;
  frame: WorldFrame;
  /** The newest ones. */
  events: Array<WorldEvent>;
  /** Grows with every world that is built. */
  run: number;
};

/** A sensor. */
export type WorldSensor = {
  name: string;
  kind: SensorKind;
  /** That it is mounted on. */
  vehicle: number | null;
  /** That it is mounted on. */
  body: number | null;
  /** Measurements per second. */
  rate: number;
  /** On its mount. */
  pose: Pose;
  /** Metres. */
  range: number | null;
  method?: string;
  /** Unit vectors in the frame of the sensor, three numbers each, in the order of the readings. */
  beams?: Array<number>;
  /** Columns and rows. */
  grid?: [number, number];
  /** Radians, across and up. */
  field?: [number, number];
  /** Radians. */
  half_angle?: number;
};

/** What holds for all of a world. */
export type WorldSettings = {
  /** Seconds. */
  step: number;
  gravity: Vec3;
  drag: number;
};

/** How a world is, as commands are answered. */
export type WorldState = {
  run: number;
  time: number;
  steps: number;
  state: RunState;
  state_hash: string;
  stale: boolean;
};

/** A vehicle. */
export type WorldVehicle = {
  name: string;
  model: string;
  /** Its parts: from the first to the one before the last. */
  bodies: [number, number];
  controller: Controller | null;
  /** The program that the file names: no other can be run. */
  program: Array<string> | null;
  commands: Array<VehicleCommand>;
  /** Metres per second. */
  top_speed: number | null;
  joints: Array<VehicleJoint>;
};

/** The answers to commands. */
export interface Replies {
  open: Opened;
  save: Saved;
  save_as: Saved;
  reload: Changed;
  undo: Changed;
  redo: Changed;
  set_pose: Changed;
  set_goal: Changed;
  set_color: Changed;
  set_fixed: Changed;
  rename_body: Changed;
  set_text: Changed;
  get_text: Text;
  add_step: Changed;
  update_step: Changed;
  remove_step: Changed;
  move_step: Changed;
  duplicate_step: Changed;
  rename_step: Changed;
  add_body: Changed;
  check: Done;
  cancel: Done;
  poses: Poses;
  curve: Curve;
  slide: Slid;
  turn: Turned;
  probe: Probed;
  robot_at: RobotAt;
  robot_ik: Solutions;
  robot_workspace: WorkspacePoints;
  robot_trail: Trail;
  robot_try: Tried;
  robot_step: Changed;
  robot_start: Changed;
  robot_base: Changed;
  plan: Done;
  accept_plan: Changed;
  discard_plan: Done;
  disassemble: Done;
  recover: Changed;
  list: SceneList;
  world_open: WorldInfo;
  world_close: Done;
  world_run: WorldState;
  world_pause: WorldState;
  world_step: WorldState;
  world_reset: WorldState;
  world_bodies: WorldBodies;
  world_set: BodyValues;
  world_keep: Changed;
  world_drive: Done;
  world_assign: Assigned;
  world_watch: Done;
  world_events: WorldEvents;
  world_record: Recorded;
}
