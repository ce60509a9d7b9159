// What a user can do with a world: let it run, stop, step, put it back; change bodies; record, and play recordings.
import { CommandError } from "../connection";
import { Replay } from "../document/replay";
import { World } from "../document/world";
import { toast } from "../panels/toast";
import type { ServerError } from "../protocol";
import { Collisions } from "../view/collisions";
import { Follow } from "../view/follow";
import { Scans } from "../view/scans";
import type { Controller, WorldFrame } from "../protocol";
import type { Actions } from "./actions";
import { Driving } from "./driving";

/** Seconds of the world per second; 0 is as fast as it can. */
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 0];
/** So many beams are drawn without being asked. */
const FREE_BEAMS = 60_000;

export class Worlding {
  speed = 1;
  /** Why there is no world. */
  trouble: ServerError | null = null;
  opening = false;
  /** Bodies, points or vehicles wait for a click in the view. */
  pointing: { vehicle: number } | null = null;
  shows = { collisions: true, contacts: false, scans: true, beams: false };
  readonly follow: Follow;
  readonly driving: Driving;
  readonly collisions: Collisions;
  readonly scans: Scans;
  /** A recording was made and can be fetched. */
  recorded = false;
  private told = "";
  /** The newest frame, and the newest that the server knows to be drawn. */
  private newest = 0;
  private seen = 0;
  private drawnAt = 0;
  private emitted = 0;

  constructor(readonly actions: Actions) {
    const { state, viewport } = actions;
    this.follow = new Follow(viewport, state);
    this.driving = new Driving(this);
    this.collisions = new Collisions(viewport);
    this.scans = new Scans(viewport, state, this.shows);
    let scene = "";
    state.on("scene", () => {
      // Another scene has another world.
      const now = JSON.stringify([state.scene?.path, state.scene?.name]);
      const other = now !== scene;
      scene = now;
      // What has physics and no plan is a world.
      if (other && !state.worldly && state.scene?.world && state.scene.steps.length === 0) void this.enter();
      if (!state.worldly || !other || this.opening) return;
      if (state.scene === null) this.leave();
      else this.gone();
    });
  }

  get world(): World | null {
    return this.actions.state.world;
  }

  async enter(): Promise<void> {
    const { state, actions } = this;
    if (state.worldly || !state.scene) return;
    actions.clear();
    state.enterWorld();
    await this.open();
  }

  leave(): void {
    const { state } = this;
    if (!state.worldly) return;
    this.driving.stop();
    this.follow.body = null;
    this.drop();
    void this.actions.ask("world_close", {}, true);
    state.leaveWorld();
  }

  private get state(): Actions["state"] {
    return this.actions.state;
  }

  private drop(): void {
    this.state.setWorld(null);
    this.trouble = null;
    this.recorded = false;
    this.pointing = null;
    this.collisions.clear();
    this.scans.clear();
  }

  /** Opens the world of the scene; where there is one, `again` keeps it on the screen until the other is there. */
  async open(again = false): Promise<void> {
    const { state } = this;
    if (!state.worldly || this.opening) return;
    this.opening = true;
    const before = state.world;
    if (!again) {
      this.driving.stop();
      this.drop();
      state.worldChanged();
    }
    try {
      const info = await this.actions.connection.ask("world_open", {});
      if (!state.worldly) return;
      const world = new World(info);
      state.setWorld(world);
      this.trouble = null;
      if (before) world.log.choose(before.log.filter);
      if (info.frame.speed !== undefined && info.frame.state === "running") this.speed = info.frame.speed;
      if (this.follow.body !== null && !info.bodies[this.follow.body]) this.follow.body = null;
      this.recorded ||= info.frame.recording != null;
      let beams = 0;
      const same = again && before?.info.sensors.length === info.sensors.length;
      if (same) for (const sensor of before.watched) world.watch(sensor, true);
      else
        info.sensors.forEach((sensor, index) => {
          beams +=
            sensor.kind === "laser"
              ? (sensor.beams?.length ?? 0) / 3
              : sensor.kind === "camera"
                ? (sensor.grid?.[0] ?? 0) * (sensor.grid?.[1] ?? 0)
                : 1;
          if (beams <= FREE_BEAMS) world.watch(index, true);
        });
      this.scans.build();
      this.watch();
      // A world that was put back has the drivers of its file again.
      const { vehicle } = this.driving;
      if (vehicle !== null && info.vehicles[vehicle]?.controller !== "keyboard") {
        if (info.vehicles[vehicle]) void this.assign(vehicle, "keyboard");
        else this.driving.stop();
      }
    } catch (error) {
      this.drop();
      this.trouble = error instanceof CommandError ? error.details : { message: String(error) };
    } finally {
      this.opening = false;
    }
    state.worldOpened();
  }

  gone(): void {
    if (this.state.worldly) void this.open();
  }

  /** Lets the world be that of the scene as it is now, at its start. */
  renew(): void {
    void this.actions.ask("world_reset", {});
  }

  take(frame: WorldFrame): void {
    const { world, state } = this;
    this.newest = frame.frame ?? 0;
    if (!world) return;
    const run = world.frame.run;
    world.take(frame, performance.now());
    if (frame.run !== run) {
      this.collisions.clear();
      this.scans.clear(false);
      // Put back: attributes are those of the scene again, and that may have changed too.
      void this.open(true);
    }
    if (frame.recording) this.recorded = true;
    if (!world.replay) for (const reading of frame.readings ?? []) this.scans.take(reading);
    if (frame.contacts && !world.replay) this.collisions.touching(this.shows.contacts ? frame.contacts : []);
    const key = JSON.stringify([
      frame.run,
      frame.state,
      frame.speed,
      frame.stale,
      frame.changed,
      frame.recording != null,
      frame.scores,
      world.info.vehicles.map((one) => one.controller),
    ]);
    if (key !== this.told) {
      this.told = key;
      state.worldChanged();
    }
    if (frame.events?.length || frame.run !== run) state.logChanged();
    state.frameChanged();
    this.actions.viewport.request();
  }

  /** Before every picture: true while something moves. */
  advance(now: number): boolean {
    const { world, state } = this;
    if (!world) return false;
    if (this.newest !== this.seen)
      this.actions.connection.tell("world_seen", { frame: (this.seen = this.newest) });
    const passed = this.drawnAt === 0 ? 0 : Math.min(0.25, (now - this.drawnAt) / 1000);
    this.drawnAt = now;
    let busy = false;
    const { replay } = world;
    if (replay?.playing) {
      world.playOn(passed);
      if (!replay.playing) state.worldChanged();
      if (now - this.emitted > 60) {
        this.emitted = now;
        state.frameChanged();
      }
      busy = replay.playing;
    } else busy = world.advance(now);
    world.eachFresh((event) => this.shows.collisions && this.collisions.add(event, now));
    this.actions.viewport.bodies.place();
    this.follow.update(now);
    busy = this.collisions.update(now) || busy;
    if (!busy) this.drawnAt = 0;
    return busy;
  }

  run(): void {
    const { world } = this;
    if (!world) return;
    if (world.replay) {
      world.replay.play();
      this.state.worldChanged();
      this.actions.viewport.request();
    } else void this.actions.ask("world_run", { speed: this.speed });
  }

  pause(): void {
    const { world } = this;
    if (!world) return;
    if (world.replay) {
      world.replay.pause();
      this.state.worldChanged();
    } else void this.actions.ask("world_pause", {});
  }

  toggle(): void {
    if (this.world?.running) this.pause();
    else this.run();
  }

  step(count = 1): void {
    const { world } = this;
    if (!world || (!world.replay && (count < 0 || world.running))) return;
    if (world.replay) {
      world.replay.step(count < 0 ? -1 : 1);
      this.seek(world.replay.time);
    } else void this.actions.ask("world_step", { count: Math.max(1, count) });
  }

  reset(): void {
    const { world } = this;
    if (!world) return;
    if (world.replay) this.seek(world.replay.start);
    else void this.actions.ask("world_reset", {});
  }

  choose(speed: number): void {
    const { world } = this;
    this.speed = speed;
    if (world?.replay) world.replay.setSpeed(speed === 0 ? 10 : speed);
    else if (world?.running) void this.actions.ask("world_run", { speed });
    this.state.worldChanged();
  }

  /** Changes bodies of the running world. */
  async set(
    body: number,
    change: { mass?: number; friction?: number; restitution?: number; active?: boolean },
  ): Promise<void> {
    const { world } = this;
    const answer = await this.actions.ask("world_set", { body, ...change });
    if (answer) {
      const { mass, friction, restitution, active } = { ...change, ...answer };
      world?.changeBody(body, { mass, friction, restitution, active });
    }
    this.state.worldChanged();
  }

  async keep(): Promise<void> {
    if (!(await this.actions.ask("world_keep", {}))) return;
    toast.say("The changed values are in the scene now.");
    this.state.worldChanged();
  }

  async assign(vehicle: number, controller: Controller): Promise<boolean> {
    const { world } = this;
    if (this.driving.vehicle === vehicle && controller !== "keyboard") this.driving.stop();
    const done = (await this.actions.ask("world_assign", { vehicle, controller })) !== null;
    if (done) world?.assign(vehicle, controller);
    this.state.worldChanged();
    return done;
  }

  /** A click in the view that is an answer; false if nobody waits for one. */
  point(at: readonly [number, number, number] | null): boolean {
    const { pointing } = this;
    if (!pointing) return false;
    this.pointing = null;
    if (at) void this.assign(pointing.vehicle, { drive_to: at });
    this.state.worldChanged();
    return true;
  }

  /** Ends what waits for something, then driving, then following, then the selection. */
  escape(): void {
    if (this.pointing) this.point(null);
    else if (this.driving.vehicle !== null) this.driving.stop();
    else if (this.follow.body !== null) this.follow.start(null);
    else this.actions.clear();
  }

  watch(): void {
    const { world, shows } = this;
    if (!world) return;
    void this.actions.ask(
      "world_watch",
      { sensors: [...world.watched].sort((a, b) => a - b), contacts: shows.contacts },
      true,
    );
    this.scans.sync();
    this.state.worldChanged();
    this.actions.viewport.request();
  }

  show(change: Partial<Worlding["shows"]>): void {
    Object.assign(this.shows, change);
    if (!this.shows.contacts) this.collisions.touching([]);
    if (!this.shows.collisions) this.collisions.clear();
    this.watch();
  }

  record(): void {
    const on = this.world?.frame.recording == null;
    void this.actions.ask("world_record", { on });
  }

  /** Plays what was recorded here. */
  async playRecorded(): Promise<void> {
    const response = await fetch("/api/world/recording");
    if (!response.ok) return toast.error({ message: "There is no recording to play." });
    this.play("recording", await response.text());
  }

  async openRecording(file: File): Promise<void> {
    this.play(file.name, await file.text());
  }

  private play(name: string, text: string): void {
    const { world, state } = this;
    if (!world) return;
    let replay: Replay;
    try {
      replay = Replay.read(name, text);
    } catch (error) {
      return toast.error({ message: `${name}: ${(error as Error).message}` });
    }
    const known = replay.bodies.filter((body) => world.numberOf(body) >= 0).length;
    if (known === 0)
      return toast.error({
        message: `${name}: no body of this scene is in the recording.`,
        help: "Open the scene that it was made from first.",
      });
    if (replay.sceneHash !== null && replay.sceneHash !== world.info.scene_hash)
      toast.say(`${name} was made from another version of this scene.`);
    if (!replay.whole) toast.say(`${name} was cut off; it is played as far as it goes.`);
    this.driving.stop();
    this.pauseLive();
    this.collisions.clear();
    this.scans.clear(false);
    replay.setSpeed(this.speed === 0 ? 10 : this.speed);
    world.show(replay);
    this.drawnAt = 0;
    this.redraw();
    state.replayChanged();
  }

  private pauseLive(): void {
    if (this.world?.frame.state === "running") void this.actions.ask("world_pause", {});
  }

  /** Back from a recording to the world. */
  live(): void {
    this.world?.show(null);
    this.collisions.clear();
    this.redraw();
    this.state.replayChanged();
  }

  seek(time: number): void {
    const { world } = this;
    if (!world?.replay) return;
    world.replay.seek(time);
    world.placeReplay();
    this.collisions.clear();
    this.redraw();
    this.state.frameChanged();
  }

  private redraw(): void {
    this.actions.viewport.bodies.place();
    this.actions.viewport.request();
  }
}
