// The messages about the world of a scene: what moves by itself. Metres, seconds, kilograms, radians.
import type { Pose, Vec3 } from "./protocol";

export type BodyKind = "fixed" | "movable" | "kinematic";

/** A body of the world; the first ones are those of the scene, then come the parts of its vehicles. */
export interface WorldBody {
  name: string;
  mesh: string;
  /** sRGB, 0 to 1. */
  color: Vec3;
  kind: BodyKind;
  can_move: boolean;
  vehicle: number | null;
  pose: Pose;
  mass: number | null;
  friction: number;
  restitution: number;
  active: boolean;
}

export type Controller = null | "wander" | "collect" | "keyboard" | { drive_to: Vec3 } | { soccer: { ball: number; goal: number } } | { program: string[] };

export interface WorldVehicle {
  name: string;
  model: string;
  /** Its parts: from the first to the one before the last. */
  bodies: [first: number, end: number];
  controller: Controller;
  /** The program that the file names: no other can be run. */
  program: string[] | null;
  commands: string[];
  top_speed?: number | null;
}

export type SensorKind = "laser" | "infrared" | "light barrier" | "bumper" | "camera" | "ultrasonic" | "odometry";

export interface WorldSensor {
  name: string;
  vehicle: number | null;
  body: number | null;
  kind: SensorKind;
  range: number | null;
  pose: Pose;
  /** Unit vectors in the frame of the sensor, three numbers each, in the order of the readings. */
  beams?: number[] | null;
  /** Columns and rows. */
  grid?: [number, number] | null;
  field?: [number, number] | null;
  half_angle?: number | null;
}

export interface Picture {
  size: [number, number];
  /** Red, green, blue as bytes, base64. */
  colors: string;
  /** Single precision numbers, little endian, base64. */
  depth: string;
}

export interface Reading {
  sensor: number;
  time: number;
  /** Where the sensor was. */
  pose?: Pose | null;
  /** Of every beam; `null` where nothing came back. */
  distances?: (number | null)[];
  distance?: number | null;
  broken?: boolean | null;
  touched?: boolean | null;
  picture?: Picture;
  track?: [x: number, y: number, heading: number];
}

export type WorldEventKind = "collision" | "separation" | "goal" | "gripper" | "warning";

export interface WorldEvent {
  number?: number;
  time: number;
  kind: WorldEventKind;
  bodies?: string[];
  point?: Vec3;
  normal?: Vec3;
  impulse?: number;
  goal?: string;
  count?: number;
  message?: string;
  vehicle?: string | null;
  body?: string | null;
  action?: string;
}

export interface Statistics {
  steps_per_second: number;
  /** Seconds of the world per second, as it went. */
  speed_reached?: number;
  /** The same if it were never made to wait. */
  real_time_factor: number;
  tests_per_step: number;
  contacts?: number;
  energy: number;
}

export interface VehicleNow {
  pose: Pose;
  speed: number;
  turn: number;
  holds: number | null;
  controller?: Controller;
}

export interface WorldFrame {
  /** Grows with every reset. */
  run: number;
  /** Counts up; the page tells which one it has drawn. */
  frame?: number;
  /** The scene has changed since. */
  stale?: boolean;
  /** Attributes were changed that the scene does not have. */
  changed?: boolean;
  time: number;
  steps: number;
  state: "running" | "paused";
  /** How many seconds of the world shall pass per second; 0 for as many as can be. */
  speed: number;
  poses: number[];
  speeds?: number[];
  vehicles?: VehicleNow[];
  events?: WorldEvent[];
  /** Point, normal and impulse of everything that touches, seven numbers each. */
  contacts?: number[];
  readings?: Reading[];
  scores?: number[];
  recording?: { seconds: number; bytes: number } | null;
  statistics?: Statistics;
}

export interface WorldInfo {
  revision?: number;
  scene_hash: string;
  /** The file says something about physics. */
  described?: boolean;
  settings: { step: number; gravity: Vec3; drag?: number };
  bodies: WorldBody[];
  vehicles: WorldVehicle[];
  sensors: WorldSensor[];
  goals: { name: string; body: number; ball: number }[];
  frame: WorldFrame;
  events?: WorldEvent[];
}

export interface BodyValues {
  mass?: number | null;
  friction?: number;
  restitution?: number;
  active?: boolean;
}

export type GripperWord = "open" | "close" | "raise" | "lower";

export interface WorldCommands {
  world_open: [object, WorldInfo];
  world_close: [object, unknown];
  world_run: [{ speed: number }, unknown];
  world_pause: [object, unknown];
  world_step: [{ count: number }, unknown];
  world_reset: [object, unknown];
  world_drive: [{ vehicle: number; speed?: number; turn?: number; gripper?: GripperWord }, unknown];
  world_assign: [{ vehicle: number; controller: Controller }, unknown];
  world_set: [{ body: number; mass?: number; friction?: number; restitution?: number; active?: boolean }, BodyValues];
  world_keep: [object, unknown];
  world_watch: [{ sensors: number[]; contacts: boolean }, unknown];
  world_events: [{ from: number }, { events: WorldEvent[] }];
  world_record: [{ on: boolean }, unknown];
}
