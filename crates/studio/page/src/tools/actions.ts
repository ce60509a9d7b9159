// What a user can do, in one place: every button, key and menu entry ends here. Input becomes a command, the server's answer becomes the scene.
import { CommandError, type Connection } from "../connection";
import type { State, ToolSettings } from "../document/state";
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
    if (this.state.draft) return this.state.undoDraftMove();
    if (this.state.jog) return this.state.dropJog();
    if (this.state.scene?.undo) void this.ask("undo", {});
  }

  redo(): void {
    if (this.state.scene?.redo) void this.ask("redo", {});
  }

  async save(): Promise<void> {
    if (!this.state.scene) return;
    if (await this.ask("save", {})) toast.say(`Saved ${this.state.scene.path ?? this.state.scene.name}.`);
  }

  /** Selects a body; a link or a tool stands for its robot. */
  select(body: number | null, add = false): void {
    const { scene } = this.state;
    const robot = body === null || this.state.worldly ? null : (scene?.bodies[body]?.robot ?? null);
    if (robot !== null) return this.selectRobot(robot, add);
    // While a robot is moved by hand, a click on a part chooses what it shall grasp.
    if (this.state.jog && body !== null && !add) {
      this.selectRobot(this.state.jog.robot);
      add = true;
    }
    if (!add) this.leaveRobot();
    this.state.select(body, add);
  }

  /** Works with a robot; parts that are selected stay so where asked. */
  selectRobot(robot: number, add = false): void {
    const { state } = this;
    const parts = add ? [...state.selected].filter((body) => state.scene?.bodies[body]?.robot == null) : [];
    if (state.robot !== robot) this.leaveRobot();
    state.selectRobot(robot, parts);
  }

  private leaveRobot(): void {
    const { state } = this;
    if (state.robot === null) return;
    if (state.jog)
      toast.say(`${state.robots[state.robot]?.name ?? "The robot"} is back where the plan has it.`);
    state.leaveRobot();
  }

  selectMany(bodies: Iterable<number>): void {
    this.leaveRobot();
    this.state.selectMany(bodies);
  }

  selectStep(step: number | null): void {
    this.leaveRobot();
    this.state.selectStep(step);
  }

  clear(): void {
    this.leaveRobot();
    this.state.clearChoice();
  }

  toggleHidden(bodies: number[], hide = !bodies.every((body) => this.state.hidden.has(body))): void {
    this.state.setHidden(bodies, hide);
  }

  isolate(): void {
    const { hidden, selected, scene } = this.state;
    const others = (scene?.bodies ?? []).flatMap((_, body) => (selected.has(body) ? [] : [body]));
    this.state.hideOnly(hidden.size > 0 || selected.size === 0 ? [] : others);
  }

  seek(time: number, keepPlaying = false): void {
    this.state.seek(time, keepPlaying);
  }

  /** To the next or previous border between steps. */
  seekStep(by: 1 | -1): void {
    const slack = 1e-6;
    const { starts, time } = this.state;
    const target =
      by > 0
        ? starts.find((start) => start > time + slack)
        : [...starts].reverse().find((start) => start < time - slack);
    if (target !== undefined) this.seek(target);
  }

  play(): void {
    const { state } = this;
    if (!state.scene?.steps.length) return;
    state.togglePlaying();
  }

  view(change: Partial<State["view"]>): void {
    this.state.changeView(change);
  }

  tool(change: Partial<ToolSettings>): void {
    this.state.changeTool(change);
  }

  fit(): void {
    this.viewport.fit(this.state.selected.size > 0 ? this.state.selected : undefined);
  }
}
