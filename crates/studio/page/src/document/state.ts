// Everything the page knows: the scene and its verdict as the server told them, and what is the user's own (selection, cursor, view).
// One store with typed topics. Only its methods change it, and they tell those who listen.
import type {
  BodyInfo,
  Closest,
  Finding,
  Moment,
  PlannedEvent,
  Pose,
  ProgressEvent,
  RobotAt,
  RobotInfo,
  SceneEvent,
  Solutions,
  UnsavedWork,
  VerdictEvent,
} from "../protocol";
import type { Link } from "../connection";
import { type Jog, stepLabel, stillFits } from "./robots";
import { poseOnTrack, posesBetweenStages, put, putOnTrack } from "./poses";
import type { World } from "./world";
import type { Writable } from "./writable";

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
  | {
      kind: "rotate";
      point: readonly [number, number, number];
      axis: readonly [number, number, number];
      angle: number;
    }
  | { kind: "free" };

export interface Draft {
  readonly bodies: readonly number[];
  /** Where the bodies stood before, and stand after each move. */
  readonly poses: readonly ReadonlyMap<number, Pose>[];
  readonly moves: readonly DraftMove[];
}

export type Focus =
  | { kind: "finding"; step: number; finding: Finding }
  | { kind: "closest"; step: number }
  | null;

/** What the tools are set to. */
export type ToolSettings = Pick<
  State,
  "gizmo" | "gizmoLocal" | "contactStop" | "snap" | "pick" | "recording"
>;

export class State {
  readonly scene: SceneEvent | null = null;
  readonly verdict: VerdictEvent | null = null;
  readonly examples: readonly string[] = [];
  readonly version: string = "";
  readonly unsaved: UnsavedWork | null = null;
  readonly link: Link = "connecting";
  readonly diskChanged: boolean = false;

  private readonly selection = new Set<number>();
  readonly selected: ReadonlySet<number> = this.selection;
  /** The robot that is worked with; its links and tools are among the selected bodies. */
  readonly robot: number | null = null;
  /** Where that robot has been put by hand. */
  readonly jog: Readonly<Jog> | null = null;
  /** What the server told about where it stands, and the joint values that reach the same tool pose. */
  readonly stand: RobotAt | null = null;
  readonly solutions: Solutions | null = null;
  /** Bodies shown a second time, where they would be. */
  readonly ghosts: ReadonlyMap<number, Pose> = new Map();
  /** The world workspace is open. */
  readonly worldly: boolean = false;
  /** The deform workspace is open. */
  readonly deforming: boolean = false;
  /** The world of the scene, while its workspace is open and there is one. */
  readonly world: World | null = null;
  readonly selectedStep: number | null = null;
  readonly hidden: ReadonlySet<number> = new Set();
  readonly hovered: number | null = null;

  /** Seconds since the start of the plan. */
  readonly time: number = 0;
  readonly playing: boolean = false;
  readonly speed: number = 1;

  readonly draft: Draft | null = null;
  readonly draftFindings: readonly Finding[] = [];
  /** The pair that comes nearest while something is dragged or drafted. */
  readonly draftClosest: Closest | null = null;
  readonly recording: boolean = false;
  private readonly placed = new Map<number, Pose>();
  /** Poses shown instead of the scene's while something is being dragged or previewed. */
  readonly shown: ReadonlyMap<number, Pose> = this.placed;
  readonly focus: Focus = null;

  readonly progress: ProgressEvent | null = null;
  readonly planned: PlannedEvent | null = null;

  readonly gizmo: GizmoMode = "translate";
  readonly gizmoLocal: boolean = false;
  readonly contactStop: boolean = false;
  readonly snap: boolean = false;
  readonly pick: PickTool = "none";

  readonly view: Readonly<ViewSettings> = {
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
  readonly starts: readonly number[] = [0];
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
  private emit(first: Topic, ...more: Topic[]): void {
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
    const starts = [0];
    for (const step of scene?.steps ?? [])
      starts.push(starts[starts.length - 1]! + Math.max(step.seconds, 0.05));
    this.write({ scene, starts });
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
      this.selection.clear();
      this.placed.clear();
      this.write({
        hidden: new Set(),
        selectedStep: null,
        time: 0,
        playing: false,
        draft: null,
        robot: null,
        focus: null,
      });
      Object.assign(this.view, { section: null });
    }
    if (this.robot !== null && !this.robots[this.robot]) this.write({ robot: null });
    if (this.robot === null || (this.jog && !stillFits(this.jog, this.robots)))
      this.write({ jog: null, stand: null, solutions: null });
    this.write({ ghosts: new Map() });
    const count = Math.max(scene?.bodies.length ?? 0, other ? 0 : (this.world?.bodies.length ?? 0));
    for (const body of this.selected) if (body >= count) this.selection.delete(body);
    this.write({
      hidden: new Set([...this.hidden].filter((body) => body < count)),
      time: Math.min(this.time, this.duration),
    });
    if (this.draft?.bodies.some((body) => body >= count)) this.write({ draft: null });
    if (this.selectedStep !== null && this.selectedStep >= (scene?.steps.length ?? 0))
      this.write({ selectedStep: null });
    if (other)
      this.emit("scene", "verdict", "selection", "visibility", "cursor", "draft", "focus", "view", "robot");
    else this.emit("scene", "cursor", "robot");
  }

  private write(change: Partial<Writable<State>>): void {
    Object.assign(this, change);
  }

  private choose(bodies: Iterable<number>): void {
    this.selection.clear();
    for (const body of bodies) this.selection.add(body);
  }

  // What the server tells.

  greet(
    version: string,
    examples: readonly string[],
    unsaved: UnsavedWork | null,
    scene: SceneEvent | null,
    verdict: VerdictEvent | null,
  ): void {
    this.write({ version, examples, unsaved, verdict });
    this.setScene(scene);
    this.emit("link", "verdict");
  }

  setLink(link: Link): void {
    this.write({ link });
    this.emit("link");
  }

  setDiskChanged(diskChanged: boolean): void {
    this.write({ diskChanged });
    this.emit("link");
  }

  /** Unsaved work of an earlier session was taken, or is not wanted. */
  forgetUnsaved(): void {
    this.write({ unsaved: null });
    this.emit("link");
  }

  /** A finding that is no longer there is no longer shown. */
  setVerdict(verdict: VerdictEvent | null): void {
    this.write({ verdict });
    const { focus } = this;
    if (focus && verdict && !verdict.running) {
      if (focus.kind === "closest") this.write({ focus: verdict.steps[focus.step]?.closest ? focus : null });
      else {
        const same = this.findings().find(
          (one) =>
            one.step === focus.step &&
            one.finding.kind === focus.finding.kind &&
            one.finding.pair.join() === focus.finding.pair.join(),
        );
        this.write({ focus: same ? { kind: "finding", ...same } : null });
      }
      this.emit("focus");
    }
    this.emit("verdict");
  }

  setProgress(progress: ProgressEvent): void {
    this.write({ progress });
    this.emit("task");
  }

  setPlanned(planned: PlannedEvent): void {
    this.write({ planned });
    this.emit("task");
  }

  /** What was found is not wanted, or another search begins; whoever plans knows. */
  forgetPlanned(): void {
    this.write({ planned: null });
  }

  forgetProgress(): void {
    this.write({ progress: null });
  }

  // Selection.

  /** Selects a body alone, or adds it or takes it away; `null` for none. */
  select(body: number | null, add: boolean): void {
    if (!add) this.selection.clear();
    if (body !== null) {
      if (add && this.selection.has(body)) this.selection.delete(body);
      else this.selection.add(body);
      this.write({ selectedStep: null });
    }
    this.emit("selection");
  }

  selectMany(bodies: Iterable<number>): void {
    this.choose(bodies);
    this.write({ selectedStep: null });
    this.emit("selection");
  }

  selectStep(selectedStep: number | null): void {
    this.selection.clear();
    this.write({ selectedStep });
    this.emit("selection");
  }

  /** Marks a step and leaves the selection as it is: whoever marks it shows it. */
  markStep(selectedStep: number): void {
    this.write({ selectedStep });
  }

  /** A step that was just recorded: its end is shown. */
  selectRecorded(step: number): void {
    this.selection.clear();
    this.write({ selectedStep: step, time: this.timeOf(step, 1) });
    this.emit("selection", "cursor");
  }

  /** Works with a robot; `parts` stay selected beside it. */
  selectRobot(robot: number, parts: readonly number[]): void {
    this.choose([...this.bodiesOf(robot), ...parts]);
    this.write({ robot, selectedStep: null });
    this.emit("selection", "robot", "tool");
  }

  leaveRobot(): void {
    this.write({ robot: null, jog: null, stand: null, solutions: null, ghosts: new Map() });
    this.emit("robot");
  }

  /** Nothing is selected, and no tool waits for a click. */
  clearChoice(): void {
    this.selection.clear();
    this.write({ focus: null, selectedStep: null, pick: "none" });
    this.emit("focus", "selection", "tool");
  }

  /** The body under the pointer; whoever finds it shows it. */
  hover(hovered: number | null): void {
    this.write({ hovered });
  }

  setFocus(focus: Focus): void {
    this.write({ focus });
    this.emit("focus");
  }

  setHidden(bodies: Iterable<number>, hide: boolean): void {
    const hidden = new Set(this.hidden);
    for (const body of bodies)
      if (hide) hidden.add(body);
      else hidden.delete(body);
    this.write({ hidden });
    this.emit("visibility");
  }

  /** Hides these bodies and no others. */
  hideOnly(bodies: Iterable<number>): void {
    this.write({ hidden: new Set(bodies) });
    this.emit("visibility");
  }

  // The cursor.

  /** To a time of the plan. What was not recorded of a robot belongs to the moment it was made at. */
  seek(time: number, keepPlaying = false): void {
    this.write({ time: Math.max(0, Math.min(this.duration, time)), playing: keepPlaying && this.playing });
    if (this.jog) this.dropJog();
    this.emit("cursor");
  }

  /** Plays from here, from the start if this is the end, or stops. */
  togglePlaying(): void {
    const playing = !this.playing;
    this.write({
      playing,
      ...(playing ? { focus: null, time: this.time >= this.duration ? 0 : this.time } : {}),
    });
    if (this.jog) this.dropJog();
    this.emit("cursor", "focus", "tool");
  }

  setSpeed(speed: number): void {
    this.write({ speed });
  }

  // Tools and view.

  changeView(change: Partial<ViewSettings>): void {
    Object.assign(this.view, change);
    this.emit("view");
  }

  changeTool(change: Partial<ToolSettings>): void {
    this.write(change);
    this.emit("tool");
  }

  /** Shows bodies elsewhere than the plan has them. */
  showPoses(poses: Iterable<readonly [number, Pose]>): void {
    for (const [body, pose] of poses) this.placed.set(body, pose);
    this.emit("draft");
  }

  /** The same of one body of a preview, which draws every frame by itself. */
  previewPose(body: number, pose: Pose): void {
    this.placed.set(body, pose);
  }

  dropShown(): void {
    this.placed.clear();
    this.emit("draft");
  }

  /** One more move of the draft, which begins with it if there is none. */
  addDraftMove(poses: ReadonlyMap<number, Pose>, move: DraftMove): void {
    const bodies = [...poses.keys()];
    const draft = this.draft ?? {
      bodies,
      poses: [new Map(bodies.map((body) => [body, this.planPose(body)]))],
      moves: [],
    };
    this.placed.clear();
    this.write({
      draft: { ...draft, poses: [...draft.poses, new Map(poses)], moves: [...draft.moves, move] },
      playing: false,
    });
    this.emit("draft", "tool");
  }

  undoDraftMove(): void {
    const { draft } = this;
    if (!draft) return;
    this.placed.clear();
    this.write({
      draft:
        draft.moves.length > 1
          ? { ...draft, poses: draft.poses.slice(0, -1), moves: draft.moves.slice(0, -1) }
          : null,
    });
    this.emit("draft");
  }

  setDraftFindings(draftFindings: readonly Finding[], draftClosest: Closest | null): void {
    this.write({ draftFindings, draftClosest });
    this.emit("focus");
    this.emit("draft");
  }

  dropDraft(): void {
    this.placed.clear();
    this.write({ draft: null, draftFindings: [], draftClosest: null, recording: false });
    this.emit("draft", "tool", "focus");
  }

  // Robots that are moved by hand.

  startJog(robot: number, joints: readonly number[]): Readonly<Jog> {
    const jog: Jog = {
      robot,
      joints: [...joints],
      wanted: null,
      poses: new Map(),
      trial: null,
      trouble: null,
    };
    this.write({ focus: null, jog });
    this.emit("focus", "tool");
    return jog;
  }

  changeJog(change: Partial<Omit<Jog, "robot">>): void {
    // The same jog all the time: whoever waits for an answer about it compares.
    if (this.jog) Object.assign(this.jog, change);
    this.emit("robot");
  }

  /** What was tried before says nothing any more; it is tried again. */
  forgetTrial(): void {
    if (this.jog) Object.assign(this.jog, { trial: null });
  }

  /** Puts a robot back where the plan has it. */
  dropJog(): void {
    this.write({ jog: null, ghosts: new Map() });
    this.emit("robot", "tool");
  }

  /** Where a robot stands, as the server told. */
  setStand(stand: RobotAt): void {
    this.write({ stand });
    this.changeJog({ poses: new Map(stand.poses) });
  }

  setSolutions(solutions: Solutions | null): void {
    this.write({ solutions });
    this.emit("robot");
  }

  setGhosts(poses: Iterable<readonly [number, Pose]>): void {
    this.write({ ghosts: new Map(poses) });
    this.emit("robot");
  }

  // Workspaces.

  enterWorld(): void {
    this.placed.clear();
    this.write({ worldly: true, playing: false, draft: null, recording: false, planned: null });
    this.emit("world", "draft", "tool", "cursor");
  }

  leaveWorld(): void {
    this.selection.clear();
    this.write({ worldly: false, world: null, focus: null, selectedStep: null, pick: "none" });
    this.emit("focus", "selection", "tool", "world", "scene", "cursor");
  }

  enterDeform(): void {
    this.placed.clear();
    this.write({ deforming: true, playing: false, draft: null, recording: false, planned: null });
    this.emit("deform", "draft", "tool", "cursor", "scene");
  }

  leaveDeform(): void {
    this.write({ deforming: false });
    this.emit("deform", "scene", "cursor");
  }

  /** Another world; it is told with `worldOpened` when it is ready to be shown. */
  setWorld(world: World | null): void {
    this.write({ world });
  }

  worldOpened(): void {
    this.emit("world", "selection", "log", "frame");
  }

  // What changed beside the store.

  /** Something about the world or how it is shown. */
  worldChanged(): void {
    this.emit("world");
  }

  /** A recording is played, or the world again. */
  replayChanged(): void {
    this.emit("world", "log", "frame");
  }

  logChanged(): void {
    this.emit("log");
  }

  frameChanged(): void {
    this.emit("frame");
  }

  deformChanged(): void {
    this.emit("deform");
  }

  /** What tools keep for themselves, such as the first of two clicks. */
  toolChanged(): void {
    this.emit("tool");
  }

  /** What is marked in the view. */
  marksChanged(): void {
    this.emit("focus");
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
    for (const track of scene.stages[step]?.tracks ?? [])
      if (track.body === body) return poseOnTrack(track, t);
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
    if (this.draft)
      for (const [body, pose] of this.draft.poses[this.draft.poses.length - 1] ?? [])
        put(out, 7 * body, pose);
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
    const found =
      jog && stand ? stand.findings.filter((one) => one.kind !== "too_close").flatMap((one) => one.pair) : [];
    return new Set(found.map((name) => this.bodyNamed(name)));
  }

  draftPose(body: number): Pose | undefined {
    return this.draft?.poses[this.draft.poses.length - 1]?.get(body);
  }

  bodyNamed(name: string): number {
    return this.world
      ? this.world.numberOf(name)
      : (this.scene?.bodies.findIndex((body) => body.name === name) ?? -1);
  }

  /** What is wrong, over all steps; step -1 is the state before the first. */
  findings(): { step: number; finding: Finding }[] {
    const list = (this.verdict?.start ?? []).map((finding) => ({ step: -1, finding }));
    this.verdict?.steps.forEach((step, index) =>
      step?.findings.forEach((finding) => list.push({ step: index, finding })),
    );
    const last = (this.scene?.steps.length ?? 0) - 1;
    for (const name of this.verdict?.missed ?? [])
      if (!list.some(({ finding }) => finding.kind === "goal" && finding.pair.includes(name)))
        list.push({
          step: last,
          finding: {
            kind: "goal",
            verdict: "invalid",
            pair: [name, name],
            t: 1,
            message: `the plan does not leave the ${name} at its goal`,
          },
        });
    return list;
  }
}
