// What a user can do, in one place: every button, key and menu entry ends here. Input becomes a command, the server's answer becomes the scene.
import { CommandError, type Connection } from "../connection";
import type { State } from "../document/state";
import type { CommandName, Reply, Request } from "../protocol";
import { toast } from "../panels/toast";
import type { Viewport } from "../view/viewport";

export class Actions {
  constructor(
    readonly state: State,
    readonly connection: Connection,
    readonly viewport: Viewport,
  ) {}

  /** Sends a command; an error is shown and answered with `null`. */
  async ask<N extends CommandName>(name: N, request: Request<N>, quiet = false): Promise<Reply<N> | null> {
    try {
      return await this.connection.ask(name, request);
    } catch (error) {
      if (!quiet && error instanceof CommandError) toast.error(error.details);
      return null;
    }
  }

  undo(): void {
    if (this.state.draft) return this.undoDraft();
    if (this.state.jog) return this.dropJog();
    if (this.state.scene?.undo) void this.ask("undo", {});
  }

  redo(): void {
    if (this.state.scene?.redo) void this.ask("redo", {});
  }

  private undoDraft(): void {
    const draft = this.state.draft!;
    draft.moves.pop();
    draft.poses.pop();
    if (draft.moves.length === 0) this.state.draft = null;
    this.state.shown.clear();
    this.state.emit("draft");
  }

  /** Puts a robot back where the plan has it. */
  dropJog(): void {
    this.state.jog = null;
    this.state.ghosts.clear();
    this.state.emit("robot", "tool");
  }

  async save(): Promise<void> {
    if (!this.state.scene) return;
    if (await this.ask("save", {})) toast.say(`Saved ${this.state.scene.path ?? this.state.scene.name}.`);
  }

  /** Selects a body; a link or a tool stands for its robot. */
  select(body: number | null, add = false): void {
    const { selected, scene } = this.state;
    const robot = body === null || this.state.worldly ? null : (scene?.bodies[body]?.robot ?? null);
    if (robot !== null) return this.selectRobot(robot, add);
    // While a robot is moved by hand, a click on a part chooses what it shall grasp.
    if (this.state.jog && body !== null && !add) {
      this.selectRobot(this.state.jog.robot);
      add = true;
    }
    if (!add) {
      selected.clear();
      this.leaveRobot();
    }
    if (body !== null) {
      if (add && selected.has(body)) selected.delete(body);
      else selected.add(body);
      this.state.selectedStep = null;
    }
    this.state.emit("selection");
  }

  /** Works with a robot; parts that are selected stay so where asked. */
  selectRobot(robot: number, add = false): void {
    const { state } = this;
    const parts = add ? [...state.selected].filter((body) => state.scene?.bodies[body]?.robot == null) : [];
    if (state.robot !== robot) this.leaveRobot();
    state.robot = robot;
    state.selected.clear();
    for (const body of [...state.bodiesOf(robot), ...parts]) state.selected.add(body);
    state.selectedStep = null;
    state.emit("selection", "robot", "tool");
  }

  private leaveRobot(): void {
    const { state } = this;
    if (state.robot === null) return;
    if (state.jog) toast.say(`${state.robots[state.robot]?.name ?? "The robot"} is back where the plan has it.`);
    state.robot = state.jog = state.stand = state.solutions = null;
    state.ghosts.clear();
    state.emit("robot");
  }

  selectMany(bodies: Iterable<number>): void {
    this.leaveRobot();
    this.state.selected.clear();
    for (const body of bodies) this.state.selected.add(body);
    this.state.selectedStep = null;
    this.state.emit("selection");
  }

  selectStep(step: number | null): void {
    this.leaveRobot();
    this.state.selectedStep = step;
    this.state.selected.clear();
    this.state.emit("selection");
  }

  clear(): void {
    this.leaveRobot();
    this.state.focus = null;
    this.state.selected.clear();
    this.state.selectedStep = null;
    this.state.pick = "none";
    this.state.emit("focus", "selection", "tool");
  }

  toggleHidden(bodies: number[], hide = !bodies.every((body) => this.state.hidden.has(body))): void {
    for (const body of bodies)
      if (hide) this.state.hidden.add(body);
      else this.state.hidden.delete(body);
    this.state.emit("visibility");
  }

  isolate(): void {
    const { hidden, selected, scene } = this.state;
    if (hidden.size > 0 || selected.size === 0) hidden.clear();
    else scene?.bodies.forEach((_, body) => !selected.has(body) && hidden.add(body));
    this.state.emit("visibility");
  }

  seek(time: number, keepPlaying = false): void {
    this.state.time = Math.max(0, Math.min(this.state.duration, time));
    if (!keepPlaying) this.state.playing = false;
    // What was not recorded belongs to the moment it was made at.
    if (this.state.jog) this.dropJog();
    this.state.emit("cursor");
  }

  /** To the next or previous border between steps. */
  seekStep(by: 1 | -1): void {
    const slack = 1e-6;
    const { starts, time } = this.state;
    const target = by > 0 ? starts.find((start) => start > time + slack) : [...starts].reverse().find((start) => start < time - slack);
    if (target !== undefined) this.seek(target);
  }

  play(): void {
    const { state } = this;
    if (!state.scene?.steps.length) return;
    if (!state.playing && state.time >= state.duration) state.time = 0;
    state.playing = !state.playing;
    if (state.playing) state.focus = null;
    if (state.jog) this.dropJog();
    state.emit("cursor", "focus", "tool");
  }

  view(change: Partial<State["view"]>): void {
    Object.assign(this.state.view, change);
    this.state.emit("view");
  }

  tool(change: Partial<Pick<State, "gizmo" | "gizmoLocal" | "contactStop" | "snap" | "pick" | "recording">>): void {
    Object.assign(this.state, change);
    this.state.emit("tool");
  }

  fit(): void {
    this.viewport.fit(this.state.selected.size > 0 ? this.state.selected : undefined);
  }
}
