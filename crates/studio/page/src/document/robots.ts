// Robots as plain data: joint values over time, what is held, how values are shown, and a robot that was put somewhere by hand.
import type {
  Action,
  ActionInfo,
  Contact,
  JointInfo,
  JointMode,
  Pose,
  RobotInfo,
  SceneEvent,
  StepInfo,
} from "../protocol";
import { degrees, metresPer, radians } from "./units";

export type MotionKind = "ptp" | "lin" | "joint" | "plan";

/** How recorded motions are made. */
export interface MotionChoice {
  kind: MotionKind;
  mode: JointMode;
  /** Share of the full speed. */
  share: number;
  /** Of straight lines, in metres per second. */
  speed: number;
}

/** The server's own speed of a straight line; it need not be written. */
export const LINE_SPEED = 0.25;

export type Trial =
  | { kind: "running" }
  | { kind: "free"; seconds: number }
  | { kind: "touches"; share: number; contact: Contact; joints: number[] }
  | { kind: "close"; pair: Contact["pair"]; clearance: number | null }
  | { kind: "error"; message: string };

/** A robot that was put somewhere by hand and is not recorded yet. */
export interface Jog {
  robot: number;
  joints: number[];
  /** The tool pose that was asked for, where it was. */
  wanted: Pose | null;
  poses: Map<number, Pose>;
  trial: Trial | null;
  /** Why the tool cannot be where it was asked for. */
  trouble: string | null;
}

export const stillFits = (jog: Jog, robots: readonly RobotInfo[]): boolean =>
  robots[jog.robot]?.joints.length === jog.joints.length;

/** Joint values of a robot at a moment of the plan. */
export function jointsAt(scene: SceneEvent, robot: number, step: number, t: number): number[] {
  const track = scene.stages[step]?.robots?.find((one) => one.robot === robot);
  if (!track || track.values.length === 0) return [...(scene.robots?.[robot]?.start ?? [])];
  const { times, values } = track;
  let at = 0;
  while (at + 2 < times.length && times[at + 1]! <= t) at++;
  const [a, b] = [values[at]!, values[at + 1]];
  if (!b) return [...a];
  const span = times[at + 1]! - times[at]!;
  const s = span > 0 ? Math.max(0, Math.min(1, (t - times[at]!) / span)) : 1;
  return a.map((value, joint) => (s >= 1 ? b[joint]! : value + (b[joint]! - value) * s));
}

/** What a robot holds at a moment; where a stage ends, what it holds from there on. */
export function heldAt(scene: SceneEvent, robot: number, step: number, t: number): number[] {
  const rows =
    t < 1
      ? scene.stages[step]?.robots
      : step + 1 < scene.stages.length
        ? scene.stages[step + 1]!.robots
        : scene.robots_end;
  return rows?.find((one) => one.robot === robot)?.held ?? [];
}

/** Degrees of a joint that turns; the unit of the file for one that slides. */
export const jointUnit = (joint: JointInfo, units: string): string => (joint.turns ? "°" : units);
export const shownValue = (joint: JointInfo, value: number, units: string): number =>
  Number((joint.turns ? degrees(value) : value / metresPer(units)).toPrecision(12));
export const readValue = (joint: JointInfo, shown: number, units: string): number =>
  joint.turns ? radians(shown) : shown * metresPer(units);

/** Rounding of unit conversion is not outside of the limits. */
const SLACK = 1e-9;

export function outside(joint: JointInfo, value: number): "below" | "above" | null {
  if (joint.lower !== null && value < joint.lower - SLACK) return "below";
  return joint.upper !== null && value > joint.upper + SLACK ? "above" : null;
}

/** What a slider runs over, in the unit that is shown; joints without an end get a turn to either side. */
export function sliderRange(joint: JointInfo, units: string): [number, number] {
  const all = joint.turns ? Math.PI : 1;
  return [shownValue(joint, joint.lower ?? -all, units), shownValue(joint, joint.upper ?? all, units)];
}

/** Joint values are the same up to rounding. */
export const sameJoints = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, joint) => Math.abs(value - b[joint]!) < 1e-7);

/** The joints that differ. */
export const changedJoints = (a: readonly number[], b: readonly number[]): number[] =>
  a.flatMap((value, joint) => (Math.abs(value - b[joint]!) > SLACK ? [joint] : []));

/** The motion that takes a robot from where the plan has it to where it was put; `null` if this kind of motion cannot. */
export function motionOf(
  choice: MotionChoice,
  from: readonly number[],
  joints: readonly number[],
  tool: Pose | null,
): Action | null {
  const speed = choice.share < 1 ? { speed: choice.share } : {};
  switch (choice.kind) {
    case "ptp":
      return {
        ptp: {
          joints: [...joints],
          ...(choice.mode === "synchronous" ? {} : { mode: choice.mode }),
          ...speed,
        },
      };
    case "plan":
      return { plan: { joints: [...joints], ...speed } };
    case "lin":
      return tool
        ? { lin: { pose: tool, ...(choice.speed === LINE_SPEED ? {} : { speed: choice.speed }) } }
        : null;
    case "joint": {
      const [freedom, ...more] = changedJoints(from, joints);
      return freedom === undefined || more.length > 0
        ? null
        : { joint: { freedom, to: joints[freedom]!, ...speed } };
    }
  }
}

/** The first and the last stage of the step of the file that a stage belongs to. */
export function stagesOf(steps: readonly StepInfo[], stage: number): [first: number, last: number] {
  const number = steps[stage]?.step ?? stage;
  let [first, last] = [stage, stage];
  while (first > 0 && steps[first - 1]!.step === number) first--;
  while (last + 1 < steps.length && steps[last + 1]!.step === number) last++;
  return [first, last];
}

/** Where a moment is: a stage and how much of it. */
type Place = [stage: number, t: number];

/** When each action of a step of the file happens, as told, or else between which grasps and releases of its robot. */
export function actionSpans(scene: SceneEvent, first: number, last: number): { from: Place; to: Place }[] {
  const held = (robot: number, stage: number): number[] => (stage < 0 ? [] : heldAt(scene, robot, stage, 0));
  /** The stages before which a robot takes or leaves something, once for each thing. */
  const borders = new Map<number, number[]>();
  for (const { robot } of scene.steps[first]?.actions ?? []) {
    if (borders.has(robot)) continue;
    const found: number[] = [];
    for (let stage = first; stage <= last + 1; stage++) {
      const [before, after] = [
        held(robot, stage - 1),
        stage <= last ? held(robot, stage) : heldAt(scene, robot, last, 1),
      ];
      for (const body of new Set([...before, ...after]))
        if (before.includes(body) !== after.includes(body)) found.push(stage);
    }
    borders.set(robot, found);
  }
  const done = new Map<number, number>();
  return (scene.steps[first]?.actions ?? []).map((action) => {
    const list = borders.get(action.robot)!;
    const count = done.get(action.robot) ?? 0;
    const start = count > 0 ? (list[count - 1] ?? last + 1) : first;
    const end = list[count] ?? last + 1;
    const takes = action.kind === "grasp" || action.kind === "release";
    if (takes) done.set(action.robot, count + 1);
    const to: Place = end > first ? [end - 1, 1] : [first, 0];
    return {
      from: action.from ?? (takes ? to : [Math.min(start, last), start > last ? 1 : 0]),
      to: action.to ?? to,
    };
  });
}

/** "4", or "4.2" for the second part of a step with several. */
export function stepLabel(steps: readonly StepInfo[], stage: number): string {
  const step = steps[stage];
  const number = String((step?.step ?? stage) + 1);
  return step?.part && step.part[1] > 1 ? `${number}.${step.part[0] + 1}` : number;
}

/** The name in the file, without which part it is. */
export const stepName = (step: StepInfo): string =>
  step.part && step.part[1] > 1 ? step.name.replace(/ \(\d+ of \d+\)$/, "") : step.name;

/** Words of an action without the name of its robot. */
export const actionText = (action: ActionInfo): string =>
  action.text
    .replace(/\s+/g, " ")
    .trim()
    // Numbers keep their units and names beside them.
    .replace(/ (%|mm|cm|m|in|s|mm\/s|cm\/s|m\/s|in\/s)(?= |$)/g, "\u00a0$1")
    .replace(/\b(X|Y|Z|ROLL|PITCH|YAW|J\d+) (?=-?\d)/g, "$1\u00a0");
