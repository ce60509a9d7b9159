// Everything the page knows: the scene and its verdict as the server told them, and what is the user's own (selection, cursor, view).
// One store with typed topics; panels and the view listen, commands change.
import type { BodyInfo, Closest, Finding, Moment, PlannedEvent, Pose, ProgressEvent, RobotAt, RobotInfo, SceneEvent, Solutions, UnsavedWork, VerdictEvent } from "../protocol";
import type { Link } from "../connection";
import { type Jog, stepLabel, stillFits } from "./robots";
import { poseOnTrack, posesBetweenStages, put, putOnTrack } from "./poses";
import type { World } from "./world";

export type Topic =
  | "scene"
  | "verdict"
  | "selection"
  | "cursor"
  | "visibility"
  | "view"
  | "draft"
  | "focus"
  | "link"
  | "task"
  | "robot"
  | "tool"
  | "world"
  | "frame"
  | "log"
  | "deform";

export type Shading = "edges" | "shaded" | "wireframe" | "hidden";
export type GizmoMode = "none" | "translate" | "rotate";
export type PickTool = "none" | "vertex" | "align" | "edge" | "measure";

export interface ViewSettings {
  shading: Shading;
  parallel: boolean;
  grid: boolean;
  axes: boolean;
  fade: boolean;
  /** Bodies that are not at their goals show them. */
  goals: boolean;
  /** Of robots: the frames of their links, the way of the tool, what the tool reaches. */
  frames: boolean;
  trail: boolean;
  cloud: boolean;
  four: boolean;
  anaglyph: boolean;
  section: { axis: 0 | 1 | 2; at: number; flip: boolean } | null;
  theme: "dark" | "light";
}

/** One thing the user did to the selected bodies since the last recorded step. */
export type DraftMove =
  | { kind: "translate"; by: readonly [number, number, number] }
  | { kind: "rotate"; point: readonly [number, number, number]; axis: readonly [number, number, number]; angle: number }
  | { kind: "free" };

export interface Draft {
  bodies: number[];
  /** Where the bodies stood before, and stand after each move. */
  poses: Map<number, Pose>[];
  moves: DraftMove[];
}

export type Focus = { kind: "finding"; step: number; finding: Finding } | { kind: "closest"; step: number } | null;

export class State {
  scene: SceneEvent | null = null;
  verdict: VerdictEvent | null = null;
  examples: string[] = [];
  version = "";
  unsaved: UnsavedWork | null = null;
  link: Link = "connecting";
  diskChanged = false;

  readonly selected = new Set<number>();
  /** The robot that is worked with; its links and tools are among the selected bodies. */
  robot: number | null = null;
  /** Where that robot has been put by hand. */
  jog: Jog | null = null;
  /** What the server told about where it stands, and the joint values that reach the same tool pose. */
  stand: RobotAt | null = null;
  solutions: Solutions | null = null;
  /** Bodies shown a second time, where they would be. */
  readonly ghosts = new Map<number, Pose>();
  /** The world workspace is open. */
  worldly = false;
  /** The deform workspace is open. */
  deforming = false;
  /** The world of the scene, while its workspace is open and there is one. */
  world: World | null = null;
  selectedStep: number | null = null;
  readonly hidden = new Set<number>();
  hovered: number | null = null;

  /** Seconds since the start of the plan. */
  time = 0;
  playing = false;
  speed = 1;

  draft: Draft | null = null;
  draftFindings: Finding[] = [];
  /** The pair that comes nearest while something is dragged or drafted. */
  draftClosest: Closest | null = null;
  recording = false;
  /** Poses shown instead of the scene's while something is being dragged or previewed. */
  readonly shown = new Map<number, Pose>();
  focus: Focus = null;

  progress: ProgressEvent | null = null;
  planned: PlannedEvent | null = null;

  gizmo: GizmoMode = "translate";
  gizmoLocal = false;
  contactStop = false;
  snap = false;
  pick: PickTool = "none";

  view: ViewSettings = {
    shading: "edges",
    parallel: false,
    grid: true,
    axes: true,
    fade: false,
    goals: true,
    frames: false,
    trail: false,
    cloud: false,
    four: false,
    anaglyph: false,
    section: null,
    theme: "dark",
  };

  /** Start of every step in seconds, and the end of the last. */
  starts: number[] = [0];
  private between: Pose[][] = [[]];
  /** The poses before the step under the cursor, seven numbers each: read for every frame of a playback. */
  private row: { step: number; poses: Float64Array } | null = null;
  /** Where steps that have no way yet shall take bodies. */
  private readonly sought = new Map<number, Pose>();
  private readonly listeners = new Map<Topic, (() => void)[]>();

  on(topics: Topic | Topic[], listener: () => void): void {
    for (const topic of Array.isArray(topics) ? topics : [topics]) {
      const list = this.listeners.get(topic) ?? [];
      list.push(listener);
      this.listeners.set(topic, list);
    }
  }

  /** Calls every listener of these topics once. */
  emit(first: Topic, ...more: Topic[]): void {
    const list = this.listeners.get(first);
    if (list) for (let at = 0; at < list.length; at++) list[at]!();
    if (more.length === 0) return;
    const called = new Set(list);
    for (const topic of more)
      for (const listener of this.listeners.get(topic) ?? []) {
        if (called.has(listener)) continue;
        called.add(listener);
        listener();
      }
  }

  setScene(scene: SceneEvent | null): void {
    const before = this.scene;
    const other = !before || !scene || before.path !== scene.path || before.name !== scene.name;
    this.scene = scene;
    this.starts = [0];
    for (const step of scene?.steps ?? []) this.starts.push(this.starts[this.starts.length - 1]! + Math.max(step.seconds, 0.05));
    this.row = null;
    this.sought.clear();
    scene?.steps.forEach((step, index) => {
      const open = step.moves.filter((move) => move.kind === "plan").flatMap((move) => move.bodies);
      for (const track of scene.stages[index]?.tracks ?? []) {
        const last = track.poses[track.poses.length - 1];
        if (last && open.includes(track.body)) this.sought.set(track.body, last);
      }
    });
    this.between = posesBetweenStages(scene?.bodies.map((body) => body.pose) ?? [], scene?.stages ?? []);
    if (other) {
      this.selected.clear();
      this.hidden.clear();
      this.selectedStep = null;
      this.time = 0;
      this.playing = false;
      this.draft = null;
      this.robot = null;
      this.shown.clear();
      this.focus = null;
      this.view.section = null;
    }
    if (other || (this.robot !== null && !this.robots[this.robot])) this.robot = null;
    if (this.robot === null || (this.jog && !stillFits(this.jog, this.robots))) this.jog = this.stand = this.solutions = null;
    this.ghosts.clear();
    const count = Math.max(scene?.bodies.length ?? 0, other ? 0 : (this.world?.bodies.length ?? 0));
    for (const set of [this.selected, this.hidden]) for (const body of set) if (body >= count) set.delete(body);
    if (this.draft?.bodies.some((body) => body >= count)) this.draft = null;
    if (this.selectedStep !== null && this.selectedStep >= (scene?.steps.length ?? 0)) this.selectedStep = null;
    this.time = Math.min(this.time, this.duration);
    if (other) this.emit("scene", "verdict", "selection", "visibility", "cursor", "draft", "focus", "view", "robot");
    else this.emit("scene", "cursor", "robot");
  }

  get duration(): number {
    return this.starts[this.starts.length - 1] ?? 0;
  }

  /** The bodies that are drawn: those of the scene, and in its world the parts of vehicles too. */
  get bodies(): readonly Pick<BodyInfo, "name" | "mesh" | "color">[] {
    return this.world?.bodies ?? this.scene?.bodies ?? [];
  }

  get robots(): RobotInfo[] {
    return this.scene?.robots ?? [];
  }

  /** The links and tools of a robot. */
  bodiesOf(robot: number): number[] {
    return (this.scene?.bodies ?? []).flatMap((body, index) => (body.robot === robot ? [index] : []));
  }

  /** The number of a step as people read it. */
  label(step: number): string {
    return stepLabel(this.scene?.steps ?? [], step);
  }

  get units(): string {
    return this.scene?.units ?? "m";
  }

  /** The moment of the cursor; `null` before the first step. */
  get moment(): Moment {
    return this.time <= 0 || !this.scene?.steps.length ? null : this.momentAt(this.time);
  }

  momentAt(time: number): { step: number; t: number } {
    const step = this.stepAt(time);
    return { step, t: this.shareOf(step, time) };
  }

  /** The step at a time; where one ends and the next begins, the one that ends. */
  stepAt(time: number): number {
    const last = (this.scene?.steps.length ?? 0) - 1;
    let step = 0;
    while (step < last && this.starts[step + 1]! < time) step++;
    return step;
  }

  /** How much of a step is done at a time, from 0 to 1. */
  shareOf(step: number, time: number): number {
    const seconds = (this.starts[step + 1] ?? 0) - (this.starts[step] ?? 0);
    return seconds > 0 ? Math.min(1, Math.max(0, (time - this.starts[step]!) / seconds)) : 0;
  }

  timeOf(step: number, t: number): number {
    const start = this.starts[step] ?? 0;
    return start + t * ((this.starts[step + 1] ?? start) - start);
  }

  /** Where the plan has a body at the cursor. */
  planPose(body: number): Pose {
    const scene = this.scene!;
    if (!scene.steps.length) return scene.bodies[body]!.pose;
    const { step, t } = this.momentAt(this.time);
    for (const track of scene.stages[step]?.tracks ?? []) if (track.body === body) return poseOnTrack(track, t);
    return this.between[step]?.[body] ?? scene.bodies[body]!.pose;
  }

  /** Where a body is drawn: dragged, drafted, or as planned. */
  pose(body: number): Pose {
    if (this.world) return this.world.pose(body);
    return this.shown.get(body) ?? this.jog?.poses.get(body) ?? this.draftPose(body) ?? this.planPose(body);
  }

  /** Where all bodies are drawn, seven numbers each, as `pose` tells one by one. */
  fillPoses(out: Float64Array): void {
    const { scene } = this;
    if (!scene) return;
    if (this.world) {
      out.set(this.world.shown);
      return;
    }
    const step = this.stepAt(this.time);
    if (this.row?.step !== step || this.row.poses.length !== out.length) {
      const poses = new Float64Array(out.length);
      (this.between[step] ?? this.between[0]!).forEach((pose, body) => put(poses, 7 * body, pose));
      this.row = { step, poses };
    }
    out.set(this.row.poses);
    const tracks = scene.stages[step]?.tracks;
    if (tracks && scene.steps.length > 0) {
      const t = this.shareOf(step, this.time);
      for (let at = 0; at < tracks.length; at++) putOnTrack(out, 7 * tracks[at]!.body, tracks[at]!, t);
    }
    if (this.draft) for (const [body, pose] of this.draft.poses[this.draft.poses.length - 1] ?? []) put(out, 7 * body, pose);
    if (this.jog) for (const [body, pose] of this.jog.poses) put(out, 7 * body, pose);
    if (this.shown.size > 0) for (const [body, pose] of this.shown) put(out, 7 * body, pose);
  }

  /** Where a body shall end: its goal, or the end of a step that has no way yet. */
  goal(body: number): Pose | null {
    if (this.world) return null;
    return this.scene?.bodies[body]?.goal ?? this.sought.get(body) ?? null;
  }

  /** Where a body is shown a second time. */
  ghost(body: number): Pose | null {
    return this.ghosts.get(body) ?? (this.ghosts.size > 0 ? null : this.goal(body));
  }

  /** The bodies that touch where a robot was put by hand, or where its motion would stop. */
  touching(): Set<number> {
    const { jog, stand } = this;
    const found = jog && stand ? stand.findings.filter((one) => one.kind !== "too_close").flatMap((one) => one.pair) : [];
    return new Set(found.map((name) => this.bodyNamed(name)));
  }

  draftPose(body: number): Pose | undefined {
    return this.draft?.poses[this.draft.poses.length - 1]?.get(body);
  }

  bodyNamed(name: string): number {
    return this.world ? this.world.numberOf(name) : (this.scene?.bodies.findIndex((body) => body.name === name) ?? -1);
  }

  /** What is wrong, over all steps; step -1 is the state before the first. */
  findings(): { step: number; finding: Finding }[] {
    const list = (this.verdict?.start ?? []).map((finding) => ({ step: -1, finding }));
    this.verdict?.steps.forEach((step, index) => step?.findings.forEach((finding) => list.push({ step: index, finding })));
    const last = (this.scene?.steps.length ?? 0) - 1;
    for (const name of this.verdict?.missed ?? [])
      if (!list.some(({ finding }) => finding.kind === "goal" && finding.pair.includes(name))) list.push({ step: last, finding: { kind: "goal", verdict: "invalid", pair: [name, name], t: 1, message: `the plan does not leave the ${name} at its goal` } });
    return list;
  }
}
