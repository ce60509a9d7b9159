// Robots moved by hand: joints and tool poses become places that the server computes and judges; what is recorded becomes a step.
import { CommandError } from "../connection";
import {
  heldAt,
  type Jog,
  jointsAt,
  LINE_SPEED,
  type MotionChoice,
  motionOf,
  sameJoints,
  stagesOf,
  type Trial,
} from "../document/robots";
import type { State } from "../document/state";
import { toast } from "../panels/toast";
import { type Action, type Moment, type Pose, type RobotInfo, type Solution, named } from "../protocol";
import type { Actions } from "./actions";
import { Newest } from "./newest";

/** A hand that rests so long has arrived: then the motion is tried and other solutions are looked for. */
const REST_MILLISECONDS = 180;

export class Jogging {
  readonly choice: MotionChoice = { kind: "ptp", mode: "synchronous", share: 1, speed: LINE_SPEED };
  /** The tool is being dragged. */
  private dragging = false;
  private timer = 0;
  private readonly places = new Newest<{ robot: number; joints: number[]; at: Moment }>((question) =>
    this.place(question),
  );
  private readonly tools = new Newest<Pose>((tool) => this.reach(tool));
  private readonly rests = new Newest<void>(() => this.judge());
  private readonly previews = new Newest<number[] | null>((joints) => this.show(joints));

  constructor(private readonly actions: Actions) {
    actions.state.on(["cursor", "scene", "selection"], () => this.follow());
  }

  private get state(): State {
    return this.actions.state;
  }

  get info(): RobotInfo | null {
    return this.state.robot === null ? null : (this.state.robots[this.state.robot] ?? null);
  }

  /** Joint values of the plan at the cursor. */
  planned(robot = this.state.robot): number[] {
    const { scene, moment } = this.state;
    if (!scene || robot === null) return [];
    return moment ? jointsAt(scene, robot, moment.step, moment.t) : [...(scene.robots?.[robot]?.start ?? [])];
  }

  /** Joint values that are shown. */
  joints(): number[] {
    const { jog, robot } = this.state;
    return jog && jog.robot === robot ? jog.joints : this.planned();
  }

  /** What the robot holds at the cursor. */
  held(): number[] {
    const { scene, moment, robot } = this.state;
    return scene && moment && robot !== null ? heldAt(scene, robot, moment.step, moment.t) : [];
  }

  /** Without a hand on it the robot stands where the plan has it; asked anew when that changes. */
  private follow(): void {
    const { robot, jog, playing } = this.state;
    if (robot === null || playing) return;
    this.state.forgetTrial();
    this.places.put({ robot, joints: jog?.joints ?? this.planned(), at: this.state.moment });
    this.rest();
  }

  private async place({ robot, joints, at }: { robot: number; joints: number[]; at: Moment }): Promise<void> {
    const answer = await this.actions.ask("robot_at", { robot, joints, at }, this.dragging);
    const { state } = this;
    if (!answer || state.robot !== robot) return;
    state.setStand({ ...answer, findings: named(answer.findings) });
  }

  /** A jog begins at the end of the step under the cursor: there the recorded step will begin. */
  private begin(): Readonly<Jog> | null {
    const { state } = this;
    if (state.robot === null) return null;
    if (state.jog) return state.jog;
    if (state.draft || state.planned) {
      toast.say(
        state.draft
          ? "Record or discard what was moved before first."
          : "Accept or discard the planned way first.",
      );
      return null;
    }
    const { moment } = state;
    const last = moment ? stagesOf(state.scene!.steps, moment.step)[1] : 0;
    if (state.playing || (moment && (moment.t < 1 || moment.step < last)))
      this.actions.seek(moment ? state.timeOf(last, 1) : 0);
    return state.startJog(state.robot, this.planned());
  }

  /** Puts the robot at joint values; `wanted` is the tool pose they are for. */
  setJoints(joints: readonly number[], wanted: Pose | null = null): void {
    const jog = this.begin();
    if (!jog) return;
    this.state.changeJog({ joints: [...joints], wanted, trial: null, trouble: null });
    this.places.put({ robot: jog.robot, joints: jog.joints, at: this.state.moment });
    this.rest();
  }

  setJoint(freedom: number, value: number): void {
    if (!this.begin()) return;
    this.tools.clear();
    this.setJoints(this.joints().map((old, joint) => (joint === freedom ? value : old)));
  }

  setState(values: readonly (number | null)[]): void {
    if (!this.begin()) return;
    this.setJoints(this.joints().map((old, joint) => values[joint] ?? old));
  }

  /** Puts the tool at a pose by the joint values nearest to those shown. */
  setTool(tool: Pose): void {
    if (!this.begin()) return;
    // Fields that are typed into meanwhile go on from here.
    this.state.changeJog({ wanted: tool, trial: null });
    this.tools.put(tool);
  }

  drag(tool: Pose): void {
    this.dragging = true;
    this.setTool(tool);
  }

  async release(): Promise<void> {
    await this.tools.idle();
    this.dragging = false;
    const { jog } = this.state;
    if (jog?.trouble) {
      toast.say(`The tool cannot be there: ${jog.trouble}`);
      this.state.changeJog({ wanted: null, trouble: null });
    }
    this.rest();
  }

  private async reach(tool: Pose): Promise<void> {
    const { jog } = this.state;
    if (!jog) return;
    const answer = await this.ask("robot_ik", {
      robot: jog.robot,
      tool,
      joints: jog.joints,
      at: this.state.moment,
    });
    // A slider may have been moved meanwhile.
    if (this.state.jog !== jog || jog.wanted === null) return;
    const nearest =
      typeof answer === "string"
        ? undefined
        : (answer.solutions.find((one) => one.nearest) ?? answer.solutions[0]);
    if (nearest) {
      this.setJoints(nearest.joints, jog.wanted);
      // One question at a time: the hand waits for the robot.
      return this.places.idle();
    }
    this.state.changeJog({
      trouble:
        typeof answer === "string"
          ? answer
          : (answer.reason ?? (answer.complete ? "out of reach" : "no joint values were found")),
    });
    this.rest();
  }

  private rest(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (!this.dragging && this.state.robot !== null) this.rests.put();
    }, REST_MILLISECONDS);
  }

  /** The hand rests: other joint values for the same tool pose, and whether the robot gets here. */
  private async judge(): Promise<void> {
    await this.places.idle();
    const { state } = this;
    const { robot, stand, jog } = state;
    if (robot === null || !stand) return;
    const answer = await this.ask("robot_ik", {
      robot,
      tool: jog?.wanted ?? stand.tool,
      joints: this.planned(),
      at: state.moment,
    });
    if (state.robot !== robot || state.jog !== jog) return;
    state.setSolutions(typeof answer === "string" ? null : answer);
    await this.attempt();
  }

  /** The motion that would be recorded now. */
  motion(): Action | null {
    const { jog, stand } = this.state;
    return jog
      ? motionOf(this.choice, this.planned(jog.robot), jog.joints, jog.wanted ?? stand?.tool ?? null)
      : null;
  }

  /** Tries the motion against everything. */
  private async attempt(): Promise<void> {
    const { state } = this;
    const { jog } = state;
    const action = this.motion();
    if (!jog || !action || "plan" in action || jog.trial || jog.trouble) return;
    const asked = JSON.stringify(action);
    const tell = (trial: Trial): void => {
      if (state.jog !== jog || JSON.stringify(this.motion()) !== asked) return;
      state.changeJog({ trial });
    };
    tell({ kind: "running" });
    const answer = await this.ask("robot_try", { robot: jog.robot, action, at: state.moment });
    if (typeof answer === "string") tell({ kind: "error", message: answer });
    else if (answer.contact)
      tell({ kind: "touches", share: answer.share, contact: answer.contact, joints: answer.joints });
    else if (answer.too_close)
      tell({ kind: "close", pair: answer.too_close.pair, clearance: answer.too_close.clearance ?? null });
    else tell({ kind: "free", seconds: answer.seconds });
  }

  /** An answer, or why there is none. */
  private async ask<N extends "robot_ik" | "robot_try">(
    name: N,
    request: Parameters<typeof this.actions.connection.ask<N>>[1],
  ) {
    try {
      return await this.actions.connection.ask(name, request);
    } catch (error) {
      return error instanceof CommandError ? error.message : String(error);
    }
  }

  /** Another kind of motion, another speed. */
  choose(change: Partial<MotionChoice>): void {
    Object.assign(this.choice, change);
    const { jog } = this.state;
    if (jog) this.rest();
    this.state.changeJog({ trial: null });
  }

  /** Goes back to where the motion that was tried touches. */
  stopThere(): void {
    const trial = this.state.jog?.trial;
    if (trial?.kind === "touches") this.setJoints(trial.joints);
  }

  pick(solution: Solution): void {
    const { jog, stand } = this.state;
    this.preview(null);
    this.setJoints(solution.joints, jog?.wanted ?? stand?.tool ?? null);
  }

  /** Shows the robot a second time, at other joint values. */
  preview(joints: number[] | null): void {
    if (joints && sameJoints(joints, this.joints())) joints = null;
    this.previews.put(joints);
  }

  private async show(joints: number[] | null): Promise<void> {
    const { state } = this;
    const { robot } = state;
    const answer =
      joints && robot !== null
        ? await this.actions.ask("robot_at", { robot, joints, at: state.moment }, true)
        : null;
    state.setGhosts(state.robot === robot ? (answer?.poses ?? []) : []);
  }

  discard(): void {
    window.clearTimeout(this.timer);
    this.state.dropJog();
    this.follow();
  }

  /** The stage that this robot can join: the one under the cursor, if robots move in it and this one does not. */
  joinable(): number | null {
    const { scene, moment, robot } = this.state;
    if (!scene || !moment || robot === null) return null;
    const [first, last] = stagesOf(scene.steps, moment.step);
    const stages = scene.steps.slice(first, last + 1);
    const actions = scene.steps[first]!.actions ?? [];
    return actions.length > 0 &&
      stages.every((stage) => stage.moves.length === 0) &&
      !actions.some((action) => action.robot === robot)
      ? moment.step
      : null;
  }

  /** Makes what was done a step after the one under the cursor, or a part of that one. */
  async record(join = false): Promise<void> {
    const action = this.motion();
    if (!this.state.jog) return;
    if (!action)
      return toast.say(
        this.choice.kind === "joint"
          ? "Several joints have moved: record it as ptp."
          : "The tool has no pose yet.",
      );
    const words = { ptp: "moves", lin: "goes straight", joint: "moves a joint", plan: "finds its way" }[
      this.choice.kind
    ];
    await this.add([action], `${this.info!.name} ${words}`, join);
  }

  /** Grasps a part; if the robot was moved by hand, after going there. */
  async grasp(body: number): Promise<void> {
    await this.add(
      [...this.motionFirst(), { grasp: { body } }],
      `${this.info!.name} takes the ${this.state.scene!.bodies[body]!.name}`,
    );
  }

  async letGo(body: number): Promise<void> {
    await this.add(
      [...this.motionFirst(), { release: { body } }],
      `${this.info!.name} leaves the ${this.state.scene!.bodies[body]!.name}`,
    );
  }

  private motionFirst(): Action[] {
    const action = this.motion();
    return action ? [action] : [];
  }

  private async add(actions: Action[], name: string, join = false): Promise<void> {
    const { state } = this;
    const { robot, moment } = state;
    if (robot === null) return;
    const together = join ? this.joinable() : null;
    const index = moment === null ? 0 : stagesOf(state.scene!.steps, moment.step)[1] + 1;
    const answer = await this.actions.ask(
      "robot_step",
      together === null ? { robot, actions, index, name } : { robot, actions, with: together },
    );
    if (!answer) return;
    const step = answer.step ?? 0;
    const last = stagesOf(state.scene!.steps, step)[1];
    // Where it was put by hand is where it is now.
    state.dropJog();
    this.actions.seek(state.timeOf(last, 1));
    toast.say(
      together === null
        ? `Recorded “${state.scene!.steps[step]?.name ?? name}”.`
        : `${this.info?.name ?? ""} now moves in “${state.scene!.steps[step]?.name ?? ""}” too.`,
    );
  }

  /** The plan begins with the robot here. */
  async setStart(): Promise<void> {
    const { jog } = this.state;
    if (jog && (await this.actions.ask("robot_start", { robot: jog.robot, joints: jog.joints })))
      this.discard();
  }
}
