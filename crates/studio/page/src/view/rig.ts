// A camera on a turntable: z is up, it looks at `target` from azimuth and elevation. Perspective and parallel share the same state,
// so that switching keeps the size of what is at the target.
import { Box3, type Camera, MathUtils, OrthographicCamera, PerspectiveCamera, Sphere, Vector3 } from "three";

const FIELD_OF_VIEW = 32;
/** How much larger than its content a fitted view is. */
const MARGIN = 1.16;
const FLIGHT_MILLISECONDS = 420;

export interface Stand {
  target: Vector3;
  azimuth: number;
  elevation: number;
  distance: number;
}

export type Preset = "iso" | "dimetric" | "top" | "bottom" | "front" | "back" | "right" | "left";

/** Azimuth and elevation in radians; the camera of "front" looks along +y. */
export const PRESETS: Record<Preset, [azimuth: number, elevation: number]> = {
  iso: [-Math.PI / 4, Math.asin(1 / Math.sqrt(3))],
  dimetric: [MathUtils.degToRad(-69.3), MathUtils.degToRad(19.47)],
  top: [-Math.PI / 2, Math.PI / 2],
  bottom: [-Math.PI / 2, -Math.PI / 2],
  front: [-Math.PI / 2, 0],
  back: [Math.PI / 2, 0],
  right: [0, 0],
  left: [Math.PI, 0],
};

export class Rig {
  readonly perspective = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
  readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, 0.01, 100);
  readonly target = new Vector3();
  azimuth = PRESETS.iso[0];
  elevation = PRESETS.iso[1];
  distance = 1;
  parallel = false;
  aspect = 1;
  /** The share of the height, from above, that a fitted view leaves free. */
  covered = 0;
  /** Everything that may be drawn, for the clipping distances. */
  readonly extent = new Sphere(new Vector3(), 1);
  private flight: { from: Stand; to: Stand; start: number } | null = null;
  private readonly back = new Vector3();

  get camera(): Camera & { zoom: number } {
    return this.parallel ? this.orthographic : this.perspective;
  }

  /** Unit vector from the target to the eye. */
  direction(out = this.back): Vector3 {
    const c = Math.cos(this.elevation);
    return out.set(c * Math.cos(this.azimuth), c * Math.sin(this.azimuth), Math.sin(this.elevation));
  }

  /** Metres per pixel at the target, for a pane of this height. */
  pixel(height: number): number {
    return (2 * this.distance * Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2))) / Math.max(1, height);
  }

  update(): void {
    const away = this.direction();
    const reach = this.extent.radius * 2.5 + this.extent.center.distanceTo(this.target);
    for (let k = 0; k < 2; k++) {
      const camera = k === 0 ? this.perspective : this.orthographic;
      camera.position.copy(this.target).addScaledVector(away, this.distance);
      // Seen from above and below, "up" on the screen is where the azimuth points away from the eye.
      if (Math.abs(Math.cos(this.elevation)) < 0.0005) {
        const s = Math.sign(this.elevation);
        camera.up.set(-s * Math.cos(this.azimuth), -s * Math.sin(this.azimuth), 0);
      } else camera.up.set(0, 0, 1);
      camera.lookAt(this.target);
    }
    this.perspective.aspect = this.aspect;
    this.perspective.near = Math.max(this.distance * 0.005, this.distance - reach);
    this.perspective.far = this.distance + reach;
    this.perspective.updateProjectionMatrix();
    const half = this.distance * Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2));
    this.orthographic.top = half;
    this.orthographic.bottom = -half;
    this.orthographic.right = half * this.aspect;
    this.orthographic.left = -half * this.aspect;
    this.orthographic.near = this.distance - reach;
    this.orthographic.far = this.distance + reach;
    this.orthographic.updateProjectionMatrix();
    this.perspective.updateMatrixWorld();
    this.orthographic.updateMatrixWorld();
  }

  stand(): Stand {
    return {
      target: this.target.clone(),
      azimuth: this.azimuth,
      elevation: this.elevation,
      distance: this.distance,
    };
  }

  orbit(right: number, up: number): void {
    this.flight = null;
    this.azimuth -= right;
    this.elevation = MathUtils.clamp(this.elevation + up, -Math.PI / 2, Math.PI / 2);
  }

  /** Moves the target by pixels on the screen. */
  pan(right: number, up: number, height: number): void {
    this.flight = null;
    const size = this.pixel(height);
    const x = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const y = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.target.addScaledVector(x, -right * size).addScaledVector(y, -up * size);
  }

  /** Moves the eye with what it looks at; a flight goes on to where that has moved. */
  shift(by: Vector3): void {
    this.target.add(by);
    this.flight?.from.target.add(by);
    this.flight?.to.target.add(by);
  }

  /** Zooms so that what is at (x, y), in pixels from the middle, stays there. */
  zoom(factor: number, x: number, y: number, height: number): void {
    this.flight = null;
    const limited =
      MathUtils.clamp(this.distance * factor, this.extent.radius * 0.002, this.extent.radius * 60) /
      this.distance;
    this.pan(-x * (1 - limited), -y * (1 - limited), height);
    this.distance *= limited;
  }

  /** The stand from which boxes fill the view, seen from the present direction or a preset. */
  fit(boxes: readonly Box3[], preset?: Preset): Stand {
    const [azimuth, elevation] = preset ? PRESETS[preset] : [this.azimuth, this.elevation];
    const full = boxes.filter((box) => !box.isEmpty());
    if (full.length === 0) return { ...this.stand(), azimuth, elevation };
    const away = new Vector3(
      Math.cos(elevation) * Math.cos(azimuth),
      Math.cos(elevation) * Math.sin(azimuth),
      Math.sin(elevation),
    );
    const right = new Vector3(-Math.sin(azimuth), Math.cos(azimuth), 0);
    const up = away.clone().cross(right);
    // All corners in the frame of the screen: right, up, towards the eye.
    const corners = full.flatMap((box) =>
      Array.from({ length: 8 }, (_, k) => {
        const corner = new Vector3(
          k & 1 ? box.max.x : box.min.x,
          k & 2 ? box.max.y : box.min.y,
          k & 4 ? box.max.z : box.min.z,
        );
        return new Vector3(corner.dot(right), corner.dot(up), corner.dot(away));
      }),
    );
    const seen = new Box3().setFromPoints(corners);
    const middle = seen.getCenter(new Vector3());
    const slope = Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2)) / MARGIN;
    let distance = this.extent.radius * 0.001;
    for (const corner of corners) {
      corner.sub(middle);
      const across = Math.max(Math.abs(corner.x) / this.aspect, Math.abs(corner.y) / (1 - this.covered));
      distance = Math.max(distance, across / slope + (this.parallel ? 0 : corner.z));
    }
    middle.y += this.covered * distance * Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2));
    const target = new Vector3()
      .addScaledVector(right, middle.x)
      .addScaledVector(up, middle.y)
      .addScaledVector(away, middle.z);
    return { target, azimuth, elevation, distance };
  }

  go(to: Stand): void {
    this.flight = null;
    this.target.copy(to.target);
    this.azimuth = to.azimuth;
    this.elevation = to.elevation;
    this.distance = to.distance;
  }

  fly(to: Stand): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.go(to);
    const from = this.stand();
    const turns = Math.round((from.azimuth - to.azimuth) / (2 * Math.PI));
    this.flight = {
      from,
      to: { ...to, azimuth: to.azimuth + turns * 2 * Math.PI },
      start: performance.now(),
    };
  }

  get flying(): boolean {
    return this.flight !== null;
  }

  /** Carries a flight on; true while it lasts. */
  advance(now: number): boolean {
    if (!this.flight) return false;
    const { from, to, start } = this.flight;
    const s = MathUtils.clamp((now - start) / FLIGHT_MILLISECONDS, 0, 1);
    const e = s * s * (3 - 2 * s);
    this.target.lerpVectors(from.target, to.target, e);
    this.azimuth = MathUtils.lerp(from.azimuth, to.azimuth, e);
    this.elevation = MathUtils.lerp(from.elevation, to.elevation, e);
    this.distance = from.distance * (to.distance / from.distance) ** e;
    if (s >= 1) this.flight = null;
    return s < 1;
  }
}
