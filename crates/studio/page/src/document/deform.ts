// The deform workspace as plain data: bodies with their deformations, how they are looked at and shown, and the newest frame.
import type { AxisName, BodyWanted, DeviceName, FrameWanted, MeshFacts, Vec3 } from "../protocol";
import type { DeformFrame } from "../protocol/deform";
import type { Writable } from "./writable";

export type Amounts = Required<Pick<BodyWanted, "twist" | "bend" | "wobble" | "waves" | "inflate" | "along">>;

/** Angles in radians, lengths in metres. */
export interface DeformBody extends Readonly<Amounts> {
  readonly facts: MeshFacts;
  readonly at: Vec3;
}

export type SurfaceLook = "glass" | "solid" | "wire" | "none";
export type VolumeLook = "solid" | "layers" | "points" | "none";

export interface ShapePreset {
  id: string;
  name: string;
  what: string;
  bodies: { shape: string; at?: Vec3; amounts: Partial<Amounts> }[];
}

const NONE: Amounts = { twist: 0, bend: 0, wobble: 0, waves: 1, inflate: 0, along: null };
const TURN = 2 * Math.PI;

export const PRESETS: ShapePreset[] = [
  {
    id: "torus",
    name: "Torus",
    what: "a ring that is rolled up across",
    bodies: [{ shape: "torus", amounts: { bend: 1.15 * TURN, along: 1 } }],
  },
  {
    id: "cylinder",
    name: "Twisted cylinder",
    what: "twisted and bent to more than a circle",
    bodies: [{ shape: "cylinder", amounts: { twist: TURN, bend: 1.12 * TURN } }],
  },
  {
    id: "spring",
    name: "Spiral spring",
    what: "windings that run into each other",
    bodies: [{ shape: "spring", amounts: { bend: 1.6, inflate: 0.06 } }],
  },
  {
    id: "stack",
    name: "Stack of planes",
    what: "eight planes, four volumes in each other",
    bodies: [{ shape: "stack", amounts: { twist: 0.9 } }],
  },
  {
    id: "pair",
    name: "Two balls",
    what: "two bodies that overlap",
    bodies: [
      { shape: "ball", at: [-0.42, 0, 0], amounts: { inflate: 0.15 } },
      { shape: "ball", at: [0.42, 0, 0], amounts: { inflate: -0.08 } },
    ],
  },
];

/** Seconds of one swing. */
export const PERIOD = 6;
export const RESOLUTIONS = [32, 64, 128, 256, 512, 1024];
export const FINENESS = [1000, 5000, 10_000, 50_000, 100_000];
/** Share of the newest frame in the mean rate. */
const RATE_SHARE = 0.1;

/** How everything is drawn and shown. */
export type DeformSettings = Pick<
  Deform,
  "amplitude" | "resolution" | "axis" | "device" | "surface" | "volume" | "showLayers" | "box" | "normals"
>;

/** Only its methods change it. */

export class Deform {
  readonly bodies: readonly DeformBody[] = [];
  readonly selected: number = 0;
  /** Share of all amplitudes, from 0 to 1. */
  readonly amplitude: number = 1;
  readonly playing: boolean = false;
  /** Seconds of playing; `null`: all amplitudes are as the slider says. */
  readonly time: number | null = null;
  readonly resolution: number = 128;
  readonly axis: AxisName | null = null;
  readonly device: DeviceName = "auto";
  readonly fineness: number = 10_000;
  readonly surface: SurfaceLook = "glass";
  readonly volume: VolumeLook = "solid";
  readonly showLayers: boolean = false;
  readonly box: boolean = true;
  readonly normals: boolean = false;
  readonly preset: string = "";
  readonly frame: DeformFrame | null = null;
  /** Frames per second, while it plays. */
  readonly rate: number = 0;
  /** Why there is no newer frame. */
  readonly trouble: string | null = null;

  static body(facts: MeshFacts, at: Vec3 = [0, 0, 0], amounts: Partial<Amounts> = {}): DeformBody {
    return { facts, at, ...NONE, ...amounts };
  }

  get current(): DeformBody | null {
    return this.bodies[this.selected] ?? null;
  }

  private write(change: Partial<Writable<Deform>>): void {
    Object.assign(this, change);
  }

  /** One of the built-in shapes instead of all there is. */
  choose(preset: string, bodies: readonly DeformBody[]): void {
    this.write({ bodies, preset, selected: 0, time: null, playing: false, amplitude: 1 });
  }

  /** Another body beside the others. */
  add(body: DeformBody): void {
    this.write({ bodies: [...this.bodies, body], selected: this.bodies.length });
  }

  /** A body of a file: instead of a built-in shape, or beside other bodies. */
  addOwn(body: DeformBody): void {
    if (this.preset !== "") this.write({ bodies: [], preset: "" });
    this.add(body);
  }

  /** The last body stays. */
  remove(index: number): boolean {
    if (this.bodies.length <= 1) return false;
    const bodies = this.bodies.filter((_, at) => at !== index);
    this.write({ bodies, selected: Math.min(this.selected, bodies.length - 1) });
    return true;
  }

  select(selected: number): void {
    this.write({ selected });
  }

  /** Changes the body that is selected. */
  amount(change: Partial<DeformBody>): boolean {
    if (!this.current) return false;
    const { selected } = this;
    this.write({ bodies: this.bodies.map((body, at) => (at === selected ? { ...body, ...change } : body)) });
    this.still();
    return true;
  }

  set(change: Partial<DeformSettings>): void {
    this.write(change);
    if (change.amplitude !== undefined) this.still();
  }

  setFineness(fineness: number): void {
    this.write({ fineness });
  }

  /** The same body with another mesh; passed over if it was removed meanwhile. */
  refine(body: DeformBody, facts: MeshFacts): void {
    this.write({ bodies: this.bodies.map((one) => (one === body ? { ...one, facts } : one)) });
  }

  /** From where all amplitudes are whole, so that nothing jumps. */
  play(): void {
    this.write({ time: this.time ?? 1.5, playing: true, rate: 0 });
  }

  pause(): void {
    this.write({ playing: false });
  }

  /** To a moment of the swing, in seconds. */
  seek(seconds: number): void {
    this.write({ time: Math.max(0, seconds), playing: false });
  }

  /** Plays on by these seconds. */
  playOn(passed: number): void {
    this.write({ time: (this.time ?? 0) + passed });
  }

  /** What is set by hand is shown as it is set. */
  private still(): void {
    if (!this.playing) this.write({ time: null });
  }

  take(frame: DeformFrame): void {
    this.write({ frame, trouble: null });
  }

  /** Two frames that were drawn while it played were this many milliseconds apart. */
  measure(milliseconds: number): void {
    const rate = 1000 / Math.max(1, milliseconds);
    this.write({ rate: this.rate === 0 ? rate : this.rate + RATE_SHARE * (rate - this.rate) });
  }

  /** There is no newer frame. */
  fail(trouble: string): void {
    this.write({ playing: false, trouble });
  }

  wanted(): FrameWanted {
    const swing = this.time === null ? null : (TURN * this.time) / PERIOD;
    return {
      bodies: this.bodies.map(({ facts, at, twist, bend, wobble, waves, inflate, along }) => ({
        mesh: facts.mesh,
        at,
        twist,
        bend,
        wobble,
        waves,
        inflate,
        along,
        share: this.amplitude,
        swing,
      })),
      resolution: this.resolution,
      axis: this.axis,
      device: this.device,
      layers: this.showLayers || this.volume === "layers",
    };
  }
}
