// What the deform workspace asks of the server, and how its frames are read: a document, then arrays of numbers.
import { CommandError } from "../connection";
import type { ServerError } from ".";
import type { FrameDocument, MeshFacts, SentBody, SentPair, Wanted } from "./generated";

/** Where an array begins, and how many numbers it has. */
type Place = readonly [offset: number, count: number];

export interface FrameBody
  extends Omit<SentBody, "positions" | "normals" | "marks" | "intervals" | "layers"> {
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

export interface DeformFrame extends Omit<FrameDocument, "bodies" | "pairs"> {
  bodies: FrameBody[];
  pairs: FramePair[];
}

/** Reads a frame; its arrays are views into `data`. */
export function parseFrame(data: ArrayBuffer): DeformFrame {
  const head = new DataView(data);
  if (head.getUint32(0, false) !== 0x46524431) throw new Error("this is no frame of the studio");
  const length = head.getUint32(4, true);
  const sent = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 8, length))) as FrameDocument;
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

export async function askFrame(wanted: Wanted): Promise<DeformFrame> {
  const response = await checked(
    await fetch("/api/deform/frame", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(wanted),
    }),
  );
  return parseFrame(await response.arrayBuffer());
}

export async function askFaces(mesh: string): Promise<Uint32Array> {
  return new Uint32Array(
    await (await checked(await fetch(`/api/deform/mesh/${encodeURIComponent(mesh)}/faces`))).arrayBuffer(),
  );
}

export async function askFacts(mesh: string): Promise<MeshFacts> {
  return (await (
    await checked(await fetch(`/api/deform/mesh/${encodeURIComponent(mesh)}`))
  ).json()) as MeshFacts;
}

export async function sendMesh(file: File): Promise<MeshFacts> {
  return (await (
    await checked(
      await fetch(`/api/deform/mesh?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file }),
    )
  ).json()) as MeshFacts;
}
