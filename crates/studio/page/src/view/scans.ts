// What sensors measure, in the view: returns of laser scanners as points in the colour of their distance, beams as lines, cones and fields of view.
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Points,
  PointsMaterial,
  Quaternion,
  Vector3,
} from "three";
import type { State } from "../document/state";
import type { Reading, WorldSensor } from "../protocol";
import { CONTACT_COLOR, FREE_COLOR } from "./colors";
import { RANGE_COLORS, rangeIndex } from "./rangeColors";
import type { Viewport } from "./viewport";

/** Scanners with fewer beams show them without being asked. */
const FEW_BEAMS = 800;
const CONE_LINES = 16;

interface Drawn {
  sensor: WorldSensor;
  points: Points<BufferGeometry, PointsMaterial> | null;
  lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  returns: number;
}

const q = new Quaternion();
const eye = new Vector3();
const p = new Vector3();
const r = new Quaternion();

export class Scans {
  readonly group = new Group();
  private drawn: Drawn[] = [];

  constructor(
    private readonly viewport: Viewport,
    private readonly state: State,
    private readonly shows: { scans: boolean; beams: boolean },
  ) {
    viewport.scene.add(this.group);
  }

  /** Makes room for the sensors of the world. */
  build(): void {
    this.clear();
    for (const sensor of this.state.world?.info.sensors ?? []) {
      const beams = sensor.kind === "laser" ? (sensor.beams?.length ?? 0) / 3 : 0;
      const segments = beams > 0 ? beams : CONE_LINES * 2;
      const points =
        beams > 0
          ? new Points(
              room(beams, 3),
              new PointsMaterial({
                size: 3.2,
                sizeAttenuation: false,
                vertexColors: true,
                toneMapped: false,
              }),
            )
          : null;
      const lines = new LineSegments(
        room(2 * segments, 4),
        new LineBasicMaterial({
          vertexColors: true,
          transparent: true,
          depthWrite: false,
          toneMapped: false,
          opacity: 0.8,
        }),
      );
      for (const part of [points, lines]) {
        if (!part) continue;
        part.frustumCulled = false;
        part.matrixAutoUpdate = false;
        part.raycast = () => {};
        part.geometry.setDrawRange(0, 0);
        part.renderOrder = 4;
        this.group.add(part);
      }
      this.drawn.push({ sensor, points, lines, returns: 0 });
    }
    this.sync();
  }

  /** Forgets what was measured; with `all` the sensors too. */
  clear(all = true): void {
    for (const { points, lines } of this.drawn)
      for (const part of [points, lines]) {
        part?.geometry.setDrawRange(0, 0);
        if (!all || !part) continue;
        part.geometry.dispose();
        part.material.dispose();
        this.group.remove(part);
      }
    for (const one of this.drawn) one.returns = 0;
    if (all) this.drawn = [];
  }

  /** Shows those that are watched. */
  sync(): void {
    const watched = this.state.world?.watched;
    this.drawn.forEach(({ sensor, points, lines }, index) => {
      const on = this.shows.scans && (watched?.has(index) ?? false);
      if (points) points.visible = on;
      lines.visible =
        on && (sensor.kind !== "laser" || this.shows.beams || (sensor.beams?.length ?? 0) / 3 <= FEW_BEAMS);
    });
  }

  /** How many returns of a sensor are drawn. */
  returns(sensor: number): number {
    const one = this.drawn[sensor];
    return one?.points?.visible ? one.returns : 0;
  }

  take(reading: Reading): void {
    const one = this.drawn[reading.sensor];
    if (!one || !this.place(one.sensor, reading)) return;
    const { sensor } = one;
    if (reading.distances && one.points) this.scan(one, reading.distances);
    else if (sensor.kind === "infrared" || sensor.kind === "light barrier")
      this.ray(
        one,
        reading.distance ?? sensor.range ?? 1,
        sensor.kind === "infrared" ? reading.distance != null : reading.broken === true,
      );
    else if (sensor.kind === "ultrasonic") this.cone(one, reading.distance ?? null);
    else if (sensor.kind === "camera") this.field(one);
    else if (sensor.kind === "bumper") this.bumper(one, reading.touched === true);
  }

  /** Where the sensor was: told, or by what it is mounted on. */
  private place(sensor: WorldSensor, reading: Reading): boolean {
    const { world } = this.state;
    if (reading.pose) {
      eye.fromArray(reading.pose as unknown as number[]);
      q.fromArray(reading.pose as unknown as number[], 3);
      return true;
    }
    if (!world) return false;
    eye.fromArray(sensor.pose as unknown as number[]);
    q.fromArray(sensor.pose as unknown as number[], 3);
    const mount =
      sensor.vehicle !== null
        ? world.vehicleNow(sensor.vehicle)?.pose
        : sensor.body !== null
          ? world.pose(sensor.body)
          : null;
    if (!mount) return sensor.vehicle === null && sensor.body === null;
    r.set(mount[3], mount[4], mount[5], mount[6]);
    eye.applyQuaternion(r).add(p.set(mount[0], mount[1], mount[2]));
    q.premultiply(r);
    return true;
  }

  private scan(one: Drawn, distances: readonly (number | null)[]): void {
    const { sensor, points, lines } = one;
    const beams = sensor.beams!;
    const range = sensor.range ?? 1;
    const position = points!.geometry.getAttribute("position") as BufferAttribute;
    const color = points!.geometry.getAttribute("color") as BufferAttribute;
    const ends = lines.geometry.getAttribute("position") as BufferAttribute;
    const tints = lines.geometry.getAttribute("color") as BufferAttribute;
    let count = 0;
    for (let at = 0; at < distances.length && 3 * at < beams.length; at++) {
      const distance = distances[at];
      if (distance === null || distance === undefined || !Number.isFinite(distance)) continue;
      p.set(beams[3 * at]!, beams[3 * at + 1]!, beams[3 * at + 2]!)
        .applyQuaternion(q)
        .multiplyScalar(distance)
        .add(eye);
      const tint = rangeIndex(distance / range);
      const [red, green, blue] = [
        linear(RANGE_COLORS[tint]!),
        linear(RANGE_COLORS[tint + 1]!),
        linear(RANGE_COLORS[tint + 2]!),
      ];
      position.setXYZ(count, p.x, p.y, p.z);
      color.setXYZ(count, red, green, blue);
      if (lines.visible) {
        ends.setXYZ(2 * count, eye.x, eye.y, eye.z);
        ends.setXYZ(2 * count + 1, p.x, p.y, p.z);
        tints.setXYZW(2 * count, red, green, blue, 0.05);
        tints.setXYZW(2 * count + 1, red, green, blue, 0.35);
      }
      count++;
    }
    one.returns = count;
    points!.geometry.setDrawRange(0, count);
    position.needsUpdate = color.needsUpdate = true;
    finish(lines, lines.visible ? 2 * count : 0);
  }

  private ray(one: Drawn, distance: number, hit: boolean): void {
    p.set(distance, 0, 0).applyQuaternion(q).add(eye);
    segment(one.lines, 0, p, hit ? CONTACT_COLOR : FREE_COLOR, 0.9);
    finish(one.lines, 2);
  }

  private cone(one: Drawn, distance: number | null): void {
    const reach = distance ?? one.sensor.range ?? 1;
    const angle = one.sensor.half_angle ?? 0.26;
    const color = distance === null ? FREE_COLOR : CONTACT_COLOR;
    const rim = new Vector3();
    const first = new Vector3();
    let n = 0;
    for (let k = 0; k < CONE_LINES; k++) {
      const turn = (2 * Math.PI * k) / CONE_LINES;
      p.set(
        reach * Math.cos(angle),
        reach * Math.sin(angle) * Math.cos(turn),
        reach * Math.sin(angle) * Math.sin(turn),
      )
        .applyQuaternion(q)
        .add(eye);
      if (k === 0) first.copy(p);
      else join(one.lines, n++, rim, p, color, 0.8);
      rim.copy(p);
      if (k % 4 === 0) segment(one.lines, n++, p, color, 0.35);
    }
    join(one.lines, n++, rim, first, color, 0.8);
    finish(one.lines, 2 * n);
  }

  private field(one: Drawn): void {
    const [wide, high] = one.sensor.field ?? [1, 0.75];
    const reach = Math.min(one.sensor.range ?? 1, this.viewport.extentRadius * 0.08);
    const corners = [
      [1, 1],
      [-1, 1],
      [-1, -1],
      [1, -1],
    ].map(([a, b]) =>
      new Vector3(reach, a! * reach * Math.tan(wide / 2), b! * reach * Math.tan(high / 2))
        .applyQuaternion(q)
        .add(eye),
    );
    corners.forEach((corner, k) => {
      segment(one.lines, 2 * k, corner, 0x8cc4ff, 0.9);
      join(one.lines, 2 * k + 1, corner, corners[(k + 1) % 4]!, 0x8cc4ff, 0.9);
    });
    finish(one.lines, 16);
  }

  private bumper(one: Drawn, touched: boolean): void {
    p.set(this.viewport.extentRadius * 0.03, 0, 0)
      .applyQuaternion(q)
      .add(eye);
    segment(one.lines, 0, p, touched ? CONTACT_COLOR : FREE_COLOR, 1);
    finish(one.lines, touched ? 2 : 0);
  }
}

/** Colours of sRGB as three.js computes with them. */
const LINEAR = Float32Array.from({ length: 256 }, (_, at) =>
  at / 255 <= 0.04045 ? at / 255 / 12.92 : ((at / 255 + 0.055) / 1.055) ** 2.4,
);
const linear = (byte: number): number => LINEAR[byte]!;

function room(count: number, channels: 3 | 4): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute(
    "position",
    new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage),
  );
  geometry.setAttribute(
    "color",
    new BufferAttribute(new Float32Array(channels * count), channels).setUsage(DynamicDrawUsage),
  );
  return geometry;
}

/** From the sensor to a point. */
const segment = (lines: LineSegments, index: number, to: Vector3, color: number, alpha: number): void =>
  join(lines, index, eye, to, color, alpha);

function join(
  lines: LineSegments,
  index: number,
  from: Vector3,
  to: Vector3,
  color: number,
  alpha: number,
): void {
  const position = lines.geometry.getAttribute("position") as BufferAttribute;
  const tint = lines.geometry.getAttribute("color") as BufferAttribute;
  position.setXYZ(2 * index, from.x, from.y, from.z);
  position.setXYZ(2 * index + 1, to.x, to.y, to.z);
  for (let k = 0; k < 2; k++)
    tint.setXYZW(
      2 * index + k,
      linear((color >> 16) & 255),
      linear((color >> 8) & 255),
      linear(color & 255),
      alpha,
    );
}

function finish(lines: LineSegments, vertices: number): void {
  lines.geometry.setDrawRange(0, vertices);
  lines.geometry.getAttribute("position").needsUpdate = lines.geometry.getAttribute("color").needsUpdate =
    true;
}
