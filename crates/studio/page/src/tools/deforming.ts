// What a user can do in the deform workspace. One frame is asked for at a time: the next one when the last one is drawn.
import { CommandError } from "../connection";
import { askFacts, askFaces, askFrame, sendMesh } from "../protocol/deform";
import { Deform, type DeformBody, PRESETS } from "../document/deform";
import { toast } from "../panels/toast";
import { Deformed } from "../view/deformed";
import type { Actions } from "./actions";
import { Newest } from "./newest";
import type { Worlding } from "./worlding";

/** Share of the newest frame in the mean rate. */
const RATE_SHARE = 0.1;

export class Deforming {
  readonly deform = new Deform();
  readonly view: Deformed;
  private readonly frames: Newest<null>;
  private last = 0;
  private drawnAt = 0;
  /** The next frame is looked at from where all of it is seen. */
  private refit = true;
  /** A frame is under way while it plays. */
  private asking = false;

  constructor(
    readonly actions: Actions,
    private readonly worlding: Worlding,
  ) {
    this.view = new Deformed(actions.viewport, this.deform, actions.state);
    this.frames = new Newest(() => this.fetch());
  }

  get on(): boolean {
    return this.actions.state.deforming;
  }

  async enter(): Promise<void> {
    const { state, viewport } = this.actions;
    if (state.deforming) return;
    this.worlding.leave();
    this.actions.clear();
    viewport.bodies.group.visible = false;
    this.view.group.visible = true;
    this.refit = true;
    state.enterDeform();
    if (this.deform.bodies.length === 0) await this.choose("cylinder");
    else this.ask();
  }

  leave(): void {
    const { state, viewport } = this.actions;
    if (!state.deforming) return;
    this.pause();
    viewport.bodies.group.visible = true;
    this.view.group.visible = false;
    viewport.shown(null, true);
    state.leaveDeform();
  }

  /** Takes one of the built-in shapes. */
  async choose(id: string): Promise<void> {
    const preset = PRESETS.find((one) => one.id === id);
    if (!preset) return;
    await this.tried(async () => {
      const facts = await Promise.all(
        preset.bodies.map((body) => askFacts(`${body.shape}-${this.deform.fineness}`)),
      );
      this.deform.bodies = preset.bodies.map((body, at) => Deform.body(facts[at]!, body.at, body.amounts));
      Object.assign(this.deform, { selected: 0, preset: id, time: null, playing: false, amplitude: 1 });
      this.refit = true;
      this.changed();
    });
  }

  /** Adds another body beside the others. */
  async add(shape: string): Promise<void> {
    await this.tried(async () => this.put(Deform.body(await askFacts(`${shape}-${this.deform.fineness}`))));
  }

  async open(file: File): Promise<void> {
    await this.tried(async () => {
      const facts = await sendMesh(file);
      if (!facts.closed && facts.open_edges === 0)
        toast.error({
          message: `${file.name} bounds no solid: faces come twice with opposite winding. No volume is told.`,
        });
      if (facts.open_edges > 0)
        toast.error({
          message: `${file.name} is not closed: ${facts.open_edges} open edges. No volume is told where rays pass them.`,
        });
      if (this.deform.preset !== "") this.deform.bodies = [];
      this.deform.preset = "";
      this.put(Deform.body(facts));
    });
  }

  private put(body: DeformBody): void {
    this.deform.bodies.push(body);
    this.deform.selected = this.deform.bodies.length - 1;
    this.refit = true;
    this.changed();
  }

  remove(index: number): void {
    const { deform } = this;
    if (deform.bodies.length <= 1) return;
    deform.bodies.splice(index, 1);
    deform.selected = Math.min(deform.selected, deform.bodies.length - 1);
    this.changed();
  }

  select(index: number): void {
    this.deform.selected = index;
    this.actions.state.deformChanged();
  }

  /** Changes the body that is selected. */
  amount(change: Partial<DeformBody>): void {
    const { current } = this.deform;
    if (!current) return;
    Object.assign(current, change);
    this.still();
  }

  /** How everything is looked at or shown. */
  set(
    change: Partial<
      Pick<
        Deform,
        | "amplitude"
        | "resolution"
        | "axis"
        | "device"
        | "surface"
        | "volume"
        | "showLayers"
        | "box"
        | "normals"
      >
    >,
  ): void {
    Object.assign(this.deform, change);
    if (change.amplitude !== undefined) this.still();
    else this.changed();
  }

  /** Other shapes of as many vertices. */
  async fine(vertices: number): Promise<void> {
    const { deform } = this;
    deform.fineness = vertices;
    await this.tried(async () => {
      for (const body of deform.bodies) {
        const [, shape] = /^([a-z]+)-\d+$/.exec(body.facts.mesh) ?? [];
        if (shape !== undefined) body.facts = await askFacts(`${shape}-${vertices}`);
      }
      this.changed();
    });
  }

  play(): void {
    const { deform } = this;
    if (deform.playing) return this.pause();
    // From where all amplitudes are whole, so that nothing jumps.
    deform.time ??= 1.5;
    deform.playing = true;
    deform.rate = 0;
    this.last = this.drawnAt = 0;
    this.changed();
  }

  pause(): void {
    this.deform.playing = false;
    this.actions.state.deformChanged();
  }

  /** To a moment of the swing, in seconds. */
  seek(seconds: number): void {
    this.deform.time = Math.max(0, seconds);
    this.deform.playing = false;
    this.changed();
  }

  /** What is set by hand is shown as it is set. */
  private still(): void {
    if (!this.deform.playing) this.deform.time = null;
    this.changed();
  }

  fit(): void {
    this.refit = true;
    this.view.draw(this.deform.frame, this.taken());
  }

  private changed(): void {
    this.actions.state.deformChanged();
    this.ask();
  }

  private ask(): void {
    if (!this.on || this.deform.bodies.length === 0) return;
    this.frames.put(null);
  }

  /** Called for every frame of the view; true while it plays. */
  advance(now: number): boolean {
    const { deform } = this;
    if (!deform.playing) {
      this.last = 0;
      return false;
    }
    const passed = this.last === 0 ? 0 : Math.min(0.25, (now - this.last) / 1000);
    this.last = now;
    deform.time = (deform.time ?? 0) + passed;
    if (!this.asking) {
      this.asking = true;
      this.frames.put(null);
    }
    return true;
  }

  private async fetch(): Promise<void> {
    const { deform } = this;
    const wanted = deform.wanted();
    try {
      await Promise.all(wanted.bodies.map((body) => this.view.faces(body.mesh, askFaces)));
      const frame = await askFrame(wanted);
      if (!this.on) return;
      deform.frame = frame;
      deform.trouble = null;
      this.view.draw(frame, this.taken());
      const now = performance.now();
      if (deform.playing && this.drawnAt > 0) {
        const rate = 1000 / Math.max(1, now - this.drawnAt);
        deform.rate = deform.rate === 0 ? rate : deform.rate + RATE_SHARE * (rate - deform.rate);
      }
      this.drawnAt = now;
      this.actions.state.frameChanged();
    } catch (error) {
      deform.playing = false;
      deform.trouble = error instanceof CommandError ? error.details.message : String(error);
      this.actions.state.deformChanged();
    } finally {
      this.asking = false;
    }
  }

  private taken(): boolean {
    const { refit } = this;
    this.refit = false;
    return refit;
  }

  /** When every frame that was asked for is drawn. */
  idle(): Promise<void> {
    return this.frames.idle();
  }

  private async tried(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      toast.error(error instanceof CommandError ? error.details : { message: String(error) });
    }
  }
}
