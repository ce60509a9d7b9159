// The deform workspace as plain data: bodies with their deformations, how they are looked at and shown, and the newest frame.
import type { AxisName, BodyWanted, DeviceName, FrameWanted, MeshFacts, Vec3 } from "../protocol";
import type { DeformFrame } from "../protocol/deform";

export type Amounts = Required<Pick<BodyWanted, "twist" | "bend" | "wobble" | "waves" | "inflate" | "along">>;

/** Angles in radians, lengths in metres. */
export interface DeformBody extends Amounts {
  facts: MeshFacts;
  at: Vec3;
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

export class Deform {
  bodies: DeformBody[] = [];
  selected = 0;
  /** Share of all amplitudes, from 0 to 1. */
  amplitude = 1;
  playing = false;
  /** Seconds of playing; `null`: all amplitudes are as the slider says. */
  time: number | null = null;
  resolution = 128;
  axis: AxisName | null = null;
  device: DeviceName = "auto";
  fineness = 10_000;
  surface: SurfaceLook = "glass";
  volume: VolumeLook = "solid";
  showLayers = false;
  box = true;
  normals = false;
  preset = "";
  frame: DeformFrame | null = null;
  /** Frames per second, while it plays. */
  rate = 0;
  /** Why there is no newer frame. */
  trouble: string | null = null;

  static body(facts: MeshFacts, at: Vec3 = [0, 0, 0], amounts: Partial<Amounts> = {}): DeformBody {
    return { facts, at, ...NONE, ...amounts };
  }

  get current(): DeformBody | null {
    return this.bodies[this.selected] ?? null;
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
