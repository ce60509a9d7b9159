// The camera goes along with a body: fixed keeps the direction of the view, chase turns with the body.
import { Vector3 } from "three";
import type { State } from "../document/state";
import type { Viewport } from "./viewport";

export type FollowMode = "fixed" | "chase";

/** Of the way to where the camera should be, so much is left after a second. */
const LAG = 0.02;
/** Metres per second; what is slower points nowhere. */
const LEAST_SPEED = 0.02;
/** A chase looks from behind, and from so far above that walls and houses do not hide much. */
const ELEVATION = 0.55;

const by = new Vector3();

export class Follow {
  body: number | null = null;
  mode: FollowMode = "chase";
  private readonly last = new Vector3();
  private yaw = 0;
  private way = 0;
  private drawnAt = 0;

  constructor(
    private readonly viewport: Viewport,
    private readonly state: State,
  ) {}

  /** Follows a body from now on; `null` for none. */
  start(body: number | null, mode: FollowMode = this.mode): void {
    const { state, viewport } = this;
    this.body = body;
    this.mode = mode;
    if (body !== null && state.world?.bodies[body]) {
      this.read(this.last);
      const { rig } = viewport.panes[0]!;
      const vehicle = state.world.vehicleOf(body);
      this.yaw = this.way = vehicle === null ? rig.azimuth + Math.PI : this.heading();
      const [from, to] = vehicle === null ? [body, body + 1] : state.world.info.vehicles[vehicle]!.bodies;
      const box = Array.from({ length: to - from }, (_, k) => from + k).reduce(
        (all, one) => all.union(viewport.bodies.box([one])),
        viewport.bodies.box([body]),
      );
      const stand = rig.fit([box]);
      // Room to see where it goes.
      stand.distance *= 3.2;
      rig.fly(
        mode === "chase"
          ? { ...stand, target: this.last.clone(), azimuth: this.yaw + Math.PI, elevation: ELEVATION }
          : { ...stand, target: this.last.clone() },
      );
    }
    state.worldChanged();
    viewport.request();
  }

  /** Called before every picture; makes no garbage. */
  update(now: number): void {
    const { state, viewport } = this;
    const passed = Math.min(0.1, Math.max(0, (now - this.drawnAt) / 1000));
    this.drawnAt = now;
    if (this.body === null || !state.world) return;
    if (!state.world.bodies[this.body]) {
      this.body = null;
      return;
    }
    const { rig } = viewport.panes[0]!;
    this.read(by).sub(this.last);
    this.last.add(by);
    rig.shift(by);
    if (this.mode !== "chase" || rig.flying) return;
    // Vehicles look where they go; of other things only the way tells where that is.
    if (state.world.vehicleOf(this.body) === null) {
      if (by.lengthSq() > (LEAST_SPEED * Math.max(passed, 0.001)) ** 2) this.way = Math.atan2(by.y, by.x);
    } else this.way = this.heading();
    const turn = wrapped(this.way - this.yaw) * (1 - LAG ** passed);
    this.yaw += turn;
    rig.azimuth += turn;
  }

  private read(out: Vector3): Vector3 {
    return out.fromArray(this.state.world!.shown, 7 * this.body!);
  }

  /** Where its x axis points, seen from above. */
  private heading(): number {
    const { shown } = this.state.world!;
    const at = 7 * this.body! + 3;
    const [x, y, z, w] = [shown[at]!, shown[at + 1]!, shown[at + 2]!, shown[at + 3]!];
    return Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z));
  }
}

const wrapped = (angle: number): number => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
