// What the deform workspace asks of the server, and how its frames are read. The messages are described in docs/studio-protocol.md.
import type { ServerError, Vec3 } from "./protocol";
import { CommandError } from "./connection";

export interface MeshFacts {
  mesh: string;
  name: string;
  vertices: number;
  triangles: number;
  size: Vec3;
  open_edges: number;
  /** True if the faces bound solids as they are written. */
  closed: boolean;
}

export interface BodyWanted {
  mesh: string;
  at: Vec3;
  twist: number;
  bend: number;
  wobble: number;
  waves: number;
  inflate: number;
  share: number;
  swing: number | null;
  /** The axis of the deformation; `null` is the longest edge of the box. */
  along: number | null;
}

export type AxisName = "x" | "y" | "z";
export type DeviceName = "auto" | "cpu" | "gpu";

export interface FrameWanted {
  bodies: BodyWanted[];
  resolution: number;
  axis: AxisName | null;
  device: DeviceName;
  layers: boolean;
}

/** Rays through the middles of pixels; (u, v, axis) is right-handed. */
export interface LayerGrid {
  axis: 0 | 1 | 2;
  /** Of u, v and depth. */
  origin: Vec3;
  size: [number, number];
  pixel: [number, number];
  /** Metres per step of depth. */
  step: number;
}

/** Where an array begins, and how many numbers it has. */
type Place = [offset: number, count: number];

interface SentBody {
  mesh: string;
  vertices: number;
  triangles: number;
  origin: Vec3;
  box: [Vec3, Vec3];
  self_collision: boolean;
  volume: number | null;
  volume_error: number | null;
  max_overlap: number;
  layers_max: number;
  depths: number;
  faces: number;
  sound: boolean;
  open_edges: number;
  /** True if the faces bound solids as they are written. */
  closed: boolean;
  faults: number;
  fault_places: Vec3[];
  grid: LayerGrid;
  positions: Place;
  normals: Place;
  marks: Place;
  intervals: Place;
  layers: { starts: Place; depths: Place } | null;
}

interface SentPair {
  bodies: [number, number];
  volume: number | null;
  volume_error: number | null;
  grid: LayerGrid;
  intervals: Place;
}

export interface FrameBody extends Omit<SentBody, "positions" | "normals" | "marks" | "intervals" | "layers"> {
  positions: Float32Array;
  normals: Int8Array;
  marks: Uint8Array;
  /** Pixel, start, end, overlap of each. */
  intervals: Uint32Array;
  layers: { starts: Uint32Array; depths: Uint32Array } | null;
}

export interface FramePair extends Omit<SentPair, "intervals"> {
  intervals: Uint32Array;
}

export interface DeformFrame {
  bodies: FrameBody[];
  pairs: FramePair[];
  device: string;
  note: string | null;
  milliseconds: Record<string, number>;
}

/** Reads a frame; its arrays are views into `data`. */
export function parseFrame(data: ArrayBuffer): DeformFrame {
  const head = new DataView(data);
  if (head.getUint32(0, false) !== 0x46524431) throw new Error("this is no frame of the studio");
  const length = head.getUint32(4, true);
  const sent = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 8, length))) as Omit<DeformFrame, "bodies" | "pairs"> & { bodies: SentBody[]; pairs: SentPair[] };
  const start = 8 + length;
  const words = ([offset, count]: Place): Uint32Array => new Uint32Array(data, start + offset, count);
  return {
    ...sent,
    bodies: sent.bodies.map((body) => ({
      ...body,
      positions: new Float32Array(data, start + body.positions[0], body.positions[1]),
      normals: new Int8Array(data, start + body.normals[0], body.normals[1]),
      marks: new Uint8Array(data, start + body.marks[0], body.marks[1]),
      intervals: words(body.intervals),
      layers: body.layers && { starts: words(body.layers.starts), depths: words(body.layers.depths) },
    })),
    pairs: sent.pairs.map((pair) => ({ ...pair, intervals: words(pair.intervals) })),
  };
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const text = await response.text();
  let error: ServerError = { message: text || response.statusText };
  try {
    error = (JSON.parse(text) as { error?: ServerError }).error ?? error;
  } catch {
    // Plain text is shown as it is.
  }
  throw new CommandError(error);
}

export async function askFrame(wanted: FrameWanted): Promise<DeformFrame> {
  const response = await checked(await fetch("/api/deform/frame", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wanted) }));
  return parseFrame(await response.arrayBuffer());
}

export async function askFaces(mesh: string): Promise<Uint32Array> {
  return new Uint32Array(await (await checked(await fetch(`/api/deform/mesh/${encodeURIComponent(mesh)}/faces`))).arrayBuffer());
}

export async function askFacts(mesh: string): Promise<MeshFacts> {
  return (await (await checked(await fetch(`/api/deform/mesh/${encodeURIComponent(mesh)}`))).json()) as MeshFacts;
}

export async function sendMesh(file: File): Promise<MeshFacts> {
  return (await (await checked(await fetch(`/api/deform/mesh?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file }))).json()) as MeshFacts;
}
