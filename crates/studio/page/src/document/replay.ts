// A recording of a world, read from its file: where everything was and what happened. Played by the page alone.
import type { WorldEvent } from "../protocol";
import type { Writable } from "./writable";

/** The first version had neither vehicles nor sensors; the third has other hashes of scenes. */
const NEWEST = 3;
const FIRST_WITH_HASH = 3;

export class Replay {
  /** Seconds since the first frame was recorded; of the cursor. */
  readonly time: number = 0;
  readonly playing: boolean = false;
  /** Seconds of the recording per second. */
  readonly speed: number = 1;
  private at = 0;

  private constructor(
    readonly name: string,
    /** Of the scene that it was made from; null if its version had other hashes. */
    readonly sceneHash: string | null,
    readonly bodies: readonly string[],
    private readonly times: Float64Array,
    /** Seven numbers per body and frame. */
    private readonly poses: Float32Array,
    readonly events: readonly WorldEvent[],
    /** The last line was there: it is whole. */
    readonly whole: boolean,
  ) {
    this.time = times[0]!;
  }

  /** Reads JSON Lines; what is cut off at the end is left out, and so is what sensors measured. */
  static read(name: string, text: string): Replay {
    const lines = text.split("\n");
    const head = parse(lines[0] ?? "") as {
      recording?: number;
      scene_hash?: string;
      bodies?: { name: string }[];
    } | null;
    if (!head || head.recording === undefined || !Array.isArray(head.bodies))
      throw new Error("This is not a recording: its first line does not say so.");
    if (head.recording < 1 || head.recording > NEWEST)
      throw new Error(
        `This is a recording of version ${head.recording}; only those up to ${NEWEST} can be read.`,
      );
    const count = head.bodies.length;
    const times: number[] = [];
    const frames: number[][][] = [];
    const events: WorldEvent[] = [];
    let whole = false;
    for (let at = 1; at < lines.length; at++) {
      if (lines[at] === "") continue;
      const line = parse(lines[at]!) as {
        t?: number;
        poses?: number[][];
        event?: WorldEvent;
        end?: number;
      } | null;
      if (!line) break;
      if (line.poses && line.t !== undefined) {
        if (line.poses.length !== count)
          throw new Error(`Line ${at + 1} has ${line.poses.length} poses instead of ${count}.`);
        times.push(line.t);
        frames.push(line.poses);
      } else if (line.event) events.push(line.event);
      else if (line.end !== undefined) whole = true;
    }
    if (times.length === 0) throw new Error("There is nothing in this recording.");
    const poses = new Float32Array(times.length * count * 7);
    frames.forEach((frame, index) =>
      frame.forEach((pose, body) => poses.set(pose, 7 * (index * count + body))),
    );
    return new Replay(
      name,
      head.recording < FIRST_WITH_HASH ? null : (head.scene_hash ?? ""),
      head.bodies.map((body) => body.name),
      Float64Array.from(times),
      poses,
      events,
      whole,
    );
  }

  get start(): number {
    return this.times[0]!;
  }

  get end(): number {
    return this.times[this.times.length - 1]!;
  }

  get frames(): number {
    return this.times.length;
  }

  private write(change: Partial<Pick<Writable<Replay>, "time" | "playing" | "speed">>): void {
    Object.assign(this, change);
  }

  seek(time: number): void {
    this.write({ time: Math.max(this.start, Math.min(this.end, time)) });
  }

  /** Plays from here, from the start if this is the end. */
  play(): void {
    this.write({ playing: true, time: this.time >= this.end ? this.start : this.time });
  }

  pause(): void {
    this.write({ playing: false });
  }

  setSpeed(speed: number): void {
    this.write({ speed });
  }

  /** To the frame after or before. */
  step(by: 1 | -1): void {
    const at = this.frameAt(this.time);
    const exact = this.times[at] === this.time;
    const to = Math.max(0, Math.min(this.times.length - 1, by > 0 ? at + 1 : exact ? at - 1 : at));
    this.write({ time: this.times[to]!, playing: false });
  }

  /** The last frame that is not after a time. */
  private frameAt(time: number): number {
    const { times } = this;
    if (times[this.at]! > time) this.at = 0;
    // Forward from where it was, half way at a time.
    let [low, high] = [this.at, times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle]! <= time) low = middle;
      else high = middle - 1;
    }
    return (this.at = low);
  }

  /** Writes where the bodies are at the cursor: `slots[k]` is the body of the world that the k-th one is, or -1. */
  fill(out: Float64Array, slots: readonly number[]): void {
    const at = this.frameAt(this.time);
    const next = Math.min(at + 1, this.times.length - 1);
    const span = this.times[next]! - this.times[at]!;
    const s = span > 0 ? (this.time - this.times[at]!) / span : 0;
    const count = this.bodies.length;
    for (let k = 0; k < count; k++)
      if (slots[k]! >= 0)
        blend(out, 7 * slots[k]!, this.poses, 7 * (at * count + k), this.poses, 7 * (next * count + k), s);
  }

  /** How fast a body is at the cursor, in metres per second. */
  speedOf(k: number): number {
    const at = Math.min(this.frameAt(this.time), this.times.length - 2);
    if (at < 0) return 0;
    const count = this.bodies.length;
    const [a, b] = [7 * (at * count + k), 7 * ((at + 1) * count + k)];
    return (
      Math.hypot(
        this.poses[b]! - this.poses[a]!,
        this.poses[b + 1]! - this.poses[a + 1]!,
        this.poses[b + 2]! - this.poses[a + 2]!,
      ) /
      (this.times[at + 1]! - this.times[at]!)
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A pose between two: the position on a straight line, the orientation on the shorter way. */
export function blend(
  out: Float64Array,
  to: number,
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  k: number,
  s: number,
): void {
  for (let n = 0; n < 3; n++) out[to + n] = a[i + n]! + (b[k + n]! - a[i + n]!) * s;
  let dot = 0;
  for (let n = 3; n < 7; n++) dot += a[i + n]! * b[k + n]!;
  const sign = dot < 0 ? -1 : 1;
  let norm = 0;
  for (let n = 3; n < 7; n++) {
    const value = a[i + n]! + (sign * b[k + n]! - a[i + n]!) * s;
    out[to + n] = value;
    norm += value * value;
  }
  norm = Math.sqrt(norm);
  if (norm > 0) for (let n = 3; n < 7; n++) out[to + n]! /= norm;
}
