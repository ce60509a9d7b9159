// What a user can do in the deform workspace. One frame is asked for at a time: the next one when the last one is drawn.
import { CommandError } from "../connection";
import { askFacts, askFaces, askFrame, sendMesh } from "../protocol/deform";
import { Deform, type DeformBody, type DeformSettings, PRESETS } from "../document/deform";
import { toast } from "../panels/toast";
import { Deformed } from "../view/deformed";
import type { Actions } from "./actions";
import { Newest } from "./newest";
import type { Worlding } from "./worlding";

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
      const bodies = preset.bodies.map((body, at) => Deform.body(facts[at]!, body.at, body.amounts));
      this.deform.choose(id, bodies);
      this.refit = true;
      this.changed();
    });
  }

  /** Adds another body beside the others. */
  async add(shape: string): Promise<void> {
    await this.tried(async () => {
      this.deform.add(Deform.body(await askFacts(`${shape}-${this.deform.fineness}`)));
      this.added();
    });
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
      this.deform.addOwn(Deform.body(facts));
      this.added();
    });
  }

  private added(): void {
    this.refit = true;
    this.changed();
  }

  remove(index: number): void {
    if (this.deform.remove(index)) this.changed();
  }

  select(index: number): void {
    this.deform.select(index);
    this.actions.state.deformChanged();
  }

  /** Changes the body that is selected. */
  amount(change: Partial<DeformBody>): void {
    if (this.deform.amount(change)) this.changed();
  }

  /** How everything is looked at or shown. */
  set(change: Partial<DeformSettings>): void {
    this.deform.set(change);
    this.changed();
  }

  /** Other shapes of as many vertices. */
  async fine(vertices: number): Promise<void> {
    const { deform } = this;
    deform.setFineness(vertices);
    await this.tried(async () => {
      for (const body of deform.bodies) {
        const [, shape] = /^([a-z]+)-\d+$/.exec(body.facts.mesh) ?? [];
        if (shape !== undefined) deform.refine(body, await askFacts(`${shape}-${vertices}`));
      }
      this.changed();
    });
  }

  play(): void {
    const { deform } = this;
    if (deform.playing) return this.pause();
    deform.play();
    this.last = this.drawnAt = 0;
    this.changed();
  }

  pause(): void {
    this.deform.pause();
    this.actions.state.deformChanged();
  }

  /** To a moment of the swing, in seconds. */
  seek(seconds: number): void {
    this.deform.seek(seconds);
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
    deform.playOn(passed);
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
      deform.take(frame);
      this.view.draw(frame, this.taken());
      const now = performance.now();
      if (deform.playing && this.drawnAt > 0) deform.measure(now - this.drawnAt);
      this.drawnAt = now;
      this.actions.state.frameChanged();
    } catch (error) {
      deform.fail(error instanceof CommandError ? error.details.message : String(error));
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
