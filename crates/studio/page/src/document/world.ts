// The world of the scene as the page knows it: bodies, vehicles, sensors, where everything is, and what happened. Plain data, no three.js.
import type { Pose } from "../protocol";
import type {
  Controller,
  Reading,
  Statistics,
  VehicleNow,
  WorldBody,
  WorldEvent,
  WorldFrame,
  WorldInfo,
} from "../protocol";
import { Log } from "./log";
import { blend, type Replay } from "./replay";
import type { Writable } from "./writable";

/** Frames come at most so far apart, in milliseconds; after a longer break nothing is drawn in between. */
const LONGEST_GAP = 150;
const SHORTEST_GAP = 8;
/** How much of a new distance between frames is believed. */
const TRUST = 0.25;
const HISTORY = 240;

/** One value of a curve over time. */
export interface Sample {
  readonly time: number;
  readonly value: number;
}

/** Attributes of a body that can be changed while the world runs. */
export type BodyChange = Partial<Pick<WorldBody, "mass" | "friction" | "restitution" | "active">>;

/** Only its methods change it. */
export class World {
  private readonly measured: (Reading | undefined)[] = [];
  private readonly drawn = new Set<number>();
  private readonly curve: Sample[] = [];
  /** What touched since it was drawn last. */
  private readonly fresh: WorldEvent[] = [];
  readonly bodies: readonly Readonly<WorldBody>[];
  readonly log = new Log();
  /** The newest reading of every sensor. */
  readonly readings: readonly (Reading | undefined)[] = this.measured;
  /** Numbers of the sensors that are drawn. */
  readonly watched: ReadonlySet<number> = this.drawn;
  /** The newest frame; empty lists where it said nothing. */
  readonly frame: Readonly<WorldFrame>;
  readonly statistics: Readonly<Statistics> | null = null;
  /** Energy over time, the last of it. */
  readonly energies: readonly Sample[] = this.curve;
  /** Where all bodies are drawn, seven numbers each. */
  readonly shown: Float64Array;
  /** Metres per second of all bodies. */
  readonly speeds: Float64Array;
  readonly replay: Replay | null = null;
  /** Of the recording that is played: the body of the world for each of its bodies. */
  private slots: readonly number[] = [];
  private readonly movers: number[];
  private readonly numbers = new Map<string, number>();
  private readonly from: Float64Array;
  private readonly to: Float64Array;
  private arrived = 0;
  private gap = 33;
  private moving = false;
  private run: number;

  constructor(readonly info: WorldInfo) {
    this.bodies = info.bodies;
    this.movers = info.bodies.flatMap((body, index) => (body.can_move ? [index] : []));
    info.bodies.forEach((body, index) => this.numbers.set(body.name, index));
    const size = 7 * info.bodies.length;
    [this.shown, this.from, this.to] = [
      new Float64Array(size),
      new Float64Array(size),
      new Float64Array(size),
    ];
    this.speeds = new Float64Array(info.bodies.length);
    info.bodies.forEach((body, index) => this.to.set(body.pose, 7 * index));
    this.frame = info.frame;
    this.run = info.frame.run;
    this.log.add(info.events ?? []);
    this.take(info.frame, 0);
    this.jump();
  }

  private write(change: Partial<Pick<Writable<World>, "frame" | "statistics" | "replay">>): void {
    Object.assign(this, change);
  }

  numberOf(name: string): number {
    return this.numbers.get(name) ?? -1;
  }

  /** Attributes were changed that the scene does not have. */
  get changed(): boolean {
    return this.frame.changed ?? false;
  }

  get running(): boolean {
    return this.replay ? this.replay.playing : this.frame.state === "running";
  }

  get time(): number {
    return this.replay ? this.replay.time : this.frame.time;
  }

  /** What is drawn is the newest frame (or the recording), not the way there. */
  get arrivedAtFrame(): boolean {
    return this.replay !== null || !this.moving;
  }

  /** Takes a frame of the server; `now` in milliseconds. */
  take(frame: WorldFrame, now: number): void {
    const again = frame.run !== this.run;
    if (again) {
      this.run = frame.run;
      this.log.clear();
      this.curve.length = 0;
      this.measured.length = 0;
      this.fresh.length = 0;
    }
    const before = this.frame;
    this.write({ frame });
    const { poses } = frame;
    if (poses.length === 7 * this.movers.length) {
      this.from.set(this.shown);
      for (let at = 0; at < this.movers.length; at++)
        for (let k = 0; k < 7; k++) this.to[7 * this.movers[at]! + k] = poses[7 * at + k]!;
      const passed = now - this.arrived;
      if (passed < LONGEST_GAP) this.gap += (Math.max(SHORTEST_GAP, passed) - this.gap) * TRUST;
      this.arrived = now;
      this.moving = true;
      if (again || passed >= LONGEST_GAP) this.jump();
    }
    frame.speeds?.forEach((speed, at) => (this.speeds[this.movers[at]!] = speed));
    // What a frame leaves out is as it was.
    frame.vehicles ??= before.vehicles ?? [];
    frame.scores ??= before.scores ?? [];
    for (const [index, vehicle] of frame.vehicles.entries())
      if (vehicle.controller !== undefined) this.assign(index, vehicle.controller);
    if (frame.events?.length) {
      this.log.add(frame.events);
      if (!this.replay)
        for (const event of frame.events) if (event.kind === "collision") this.fresh.push(event);
    }
    for (const reading of frame.readings ?? []) this.measured[reading.sensor] = reading;
    if (frame.statistics) {
      this.write({ statistics: frame.statistics });
      if (this.curve[this.curve.length - 1]?.time !== frame.time)
        this.curve.push({ time: frame.time, value: frame.statistics.energy });
      if (this.curve.length > HISTORY) this.curve.shift();
    }
  }

  /** Another one drives a vehicle. */
  assign(vehicle: number, controller: Controller): void {
    const one = this.info.vehicles[vehicle];
    if (one) one.controller = controller;
  }

  /** Attributes of a body that were changed; those that are left out stay. */
  changeBody(body: number, change: BodyChange): void {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    Object.assign(this.info.bodies[body] ?? {}, Object.fromEntries(given));
  }

  /** Draws what a sensor measures, too. */
  watch(sensor: number, on: boolean): void {
    if (on) this.drawn.add(sensor);
    else this.drawn.delete(sensor);
  }

  /** Hands over what touched since the last call. */
  eachFresh(add: (event: WorldEvent) => void): void {
    if (this.fresh.length === 0) return;
    for (const event of this.fresh) add(event);
    this.fresh.length = 0;
  }

  /** Shows what the newest frame says, without a way there. */
  private jump(): void {
    if (this.replay) return;
    this.shown.set(this.to);
    this.moving = false;
  }

  /** Goes on with what is drawn; true while there is more to come. Makes no garbage. */
  advance(now: number): boolean {
    if (this.replay) return false;
    if (!this.moving) return false;
    const s = (now - this.arrived) / this.gap;
    if (s >= 1) {
      this.jump();
      return this.frame.state === "running";
    }
    for (let at = 0; at < this.movers.length; at++) {
      const body = 7 * this.movers[at]!;
      blend(this.shown, body, this.from, body, this.to, body, Math.max(0, s));
    }
    return true;
  }

  /** Plays a recording instead of the world, or the world again. */
  show(replay: Replay | null): void {
    this.write({ replay });
    this.slots = replay ? replay.bodies.map((name) => this.numberOf(name)) : [];
    if (replay) this.placeReplay();
    else this.jump();
  }

  /** Goes on with the recording by these seconds; it stops at its end. */
  playOn(passed: number): void {
    const { replay } = this;
    if (!replay) return;
    const before = replay.time;
    replay.seek(before + passed * replay.speed);
    for (const event of replay.events)
      if (event.kind === "collision" && event.time > before && event.time <= replay.time)
        this.fresh.push(event);
    this.placeReplay();
    if (replay.time >= replay.end) replay.pause();
  }

  placeReplay(): void {
    const { replay } = this;
    if (!replay) return;
    replay.fill(this.shown, this.slots);
    for (let k = 0; k < this.slots.length; k++)
      if (this.slots[k]! >= 0) this.speeds[this.slots[k]!] = replay.speedOf(k);
  }

  pose(body: number): Pose {
    return [...this.shown.subarray(7 * body, 7 * body + 7)] as unknown as Pose;
  }

  vehicleNow(vehicle: number): VehicleNow | undefined {
    return this.frame.vehicles?.[vehicle];
  }

  /** The vehicle that a body is a part of. */
  vehicleOf(body: number): number | null {
    return this.bodies[body]?.vehicle ?? null;
  }
}

export function controllerText(controller: Controller, world: World): string {
  if (controller === null) return "Nobody";
  if (typeof controller === "string") return controller.charAt(0).toUpperCase() + controller.slice(1);
  if ("drive_to" in controller)
    return `Drive to ${controller.drive_to
      .slice(0, 2)
      .map((value) => value.toFixed(2))
      .join(", ")} m`;
  if ("soccer" in controller)
    return `Soccer: ${world.bodies[controller.soccer.ball]?.name ?? "ball"} into ${world.info.goals[controller.soccer.goal]?.name ?? "goal"}`;
  return `Program ${controller.program[controller.program.length - 1] ?? ""}`;
}

/** 0:07.25, or 1:02:07.2 after an hour. */
export function clockText(time: number): string {
  const seconds = Math.floor(time * 100 + 1e-6) / 100;
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0
    ? `${h}:${String(m).padStart(2, "0")}:${s.toFixed(1).padStart(4, "0")}`
    : `${m}:${s.toFixed(2).padStart(5, "0")}`;
}
