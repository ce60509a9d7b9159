// Handles on the selected bodies: arrows and rings at the middle of the selection, along the world's axes or the body's own.
import { Object3D, Quaternion, Vector3 } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import { makePose } from "../document/poses";
import type { DraftMove, State } from "../document/state";
import { metresPer, roundStep } from "../document/units";
import type { Pose } from "../protocol";
import type { Viewport } from "./viewport";

export interface GizmoHooks {
  /** Bodies that may be moved now. */
  movable(): number[];
  dragged(poses: Map<number, Pose>, move: DraftMove): void;
  released(poses: Map<number, Pose>, move: DraftMove): void;
}

export class Gizmo {
  private readonly controls: TransformControls;
  private readonly proxy = new Object3D();
  private readonly from = { position: new Vector3(), quaternion: new Quaternion() };
  private readonly starts = new Map<number, Pose>();
  dragging = false;

  constructor(
    private readonly viewport: Viewport,
    private readonly state: State,
    private readonly hooks: GizmoHooks,
  ) {
    this.controls = new TransformControls(viewport.active.rig.camera, viewport.surface);
    this.controls.setSize(0.85);
    this.controls.setColors(0xf0616d, 0x43b97f, 0x4a9eff, 0xffc94d);
    viewport.scene.add(this.proxy);
    const helper = this.controls.getHelper();
    helper.userData["wanted"] = false;
    viewport.onlyActive.push(helper);
    this.controls.addEventListener("change", () => viewport.request());
    this.controls.addEventListener("mouseDown", () => this.begin());
    this.controls.addEventListener(
      "objectChange",
      () => this.dragging && this.hooks.dragged(...this.moved()),
    );
    this.controls.addEventListener("mouseUp", () => this.finish());
    state.on(["selection", "cursor", "draft", "tool", "scene", "visibility", "task"], () => this.sync());
    viewport.surface.addEventListener(
      "pointermove",
      () => (this.controls.camera = viewport.active.rig.camera),
      { capture: true },
    );
  }

  /** True when the pointer is over a handle. */
  get hot(): boolean {
    return (
      this.dragging ||
      (this.controls.object !== undefined && this.controls.enabled && this.controls.axis !== null)
    );
  }

  sync(): void {
    if (this.dragging) return;
    if (this.state.playing && this.controls.object === undefined) return;
    const bodies =
      this.state.robot !== null ||
      this.state.gizmo === "none" ||
      this.state.playing ||
      this.state.pick !== "none" ||
      this.state.planned !== null
        ? []
        : this.hooks.movable();
    const helper = this.controls.getHelper();
    helper.userData["wanted"] = bodies.length > 0;
    // Handles that are not shown cost nothing.
    if (bodies.length === 0) helper.removeFromParent();
    else if (!helper.parent) this.viewport.scene.add(helper);
    this.controls.enabled = bodies.length > 0;
    if (bodies.length === 0) {
      this.controls.detach();
      return this.viewport.request();
    }
    const first = this.state.pose(bodies[0]!);
    this.proxy.quaternion.set(first[3], first[4], first[5], first[6]);
    if (bodies.length === 1) {
      const middle = this.viewport.bodies.middle(bodies[0]!).applyQuaternion(this.proxy.quaternion);
      this.proxy.position.set(first[0], first[1], first[2]).add(middle);
    } else {
      this.viewport.bodies.box(bodies).getCenter(this.proxy.position);
      this.proxy.quaternion.identity();
    }
    this.proxy.updateMatrixWorld();
    this.controls.camera = this.viewport.active.rig.camera;
    this.controls.attach(this.proxy);
    this.controls.setMode(this.state.gizmo === "rotate" ? "rotate" : "translate");
    this.controls.setSpace(this.state.gizmoLocal ? "local" : "world");
    const step =
      metresPer(this.state.units) *
      roundStep(
        (this.viewport.active.rig.pixel(this.viewport.active.height) * 16) / metresPer(this.state.units),
      );
    this.controls.setTranslationSnap(this.state.snap ? step : null);
    this.controls.setRotationSnap(this.state.snap ? Math.PI / 36 : null);
    this.viewport.request();
  }

  private begin(): void {
    this.dragging = true;
    this.from.position.copy(this.proxy.position);
    this.from.quaternion.copy(this.proxy.quaternion);
    this.starts.clear();
    for (const body of this.hooks.movable()) this.starts.set(body, this.state.pose(body));
  }

  private moved(): [Map<number, Pose>, DraftMove] {
    const poses = new Map<number, Pose>();
    const by = this.proxy.position.clone().sub(this.from.position);
    const turn = this.proxy.quaternion.clone().multiply(this.from.quaternion.clone().invert()).normalize();
    for (const [body, start] of this.starts) {
      const p = new Vector3(start[0], start[1], start[2])
        .sub(this.from.position)
        .applyQuaternion(turn)
        .add(this.proxy.position);
      const q = turn
        .clone()
        .multiply(new Quaternion(start[3], start[4], start[5], start[6]))
        .normalize();
      // A pure shift keeps the orientation to the last bit.
      const rotated = this.state.gizmo === "rotate";
      poses.set(
        body,
        rotated
          ? makePose([p.x, p.y, p.z], [q.x, q.y, q.z, q.w])
          : [start[0] + by.x, start[1] + by.y, start[2] + by.z, start[3], start[4], start[5], start[6]],
      );
    }
    if (this.state.gizmo !== "rotate") return [poses, { kind: "translate", by: [by.x, by.y, by.z] }];
    const sign = turn.w < 0 ? -1 : 1;
    const sine = Math.hypot(turn.x, turn.y, turn.z);
    const axis =
      sine > 0
        ? ([(sign * turn.x) / sine, (sign * turn.y) / sine, (sign * turn.z) / sine] as const)
        : ([0, 0, 1] as const);
    const { x, y, z } = this.from.position;
    return [poses, { kind: "rotate", point: [x, y, z], axis, angle: 2 * Math.atan2(sine, Math.abs(turn.w)) }];
  }

  private finish(): void {
    if (!this.dragging) return;
    const [poses, move] = this.moved();
    this.dragging = false;
    if (
      !this.proxy.position.equals(this.from.position) ||
      !this.proxy.quaternion.equals(this.from.quaternion)
    )
      this.hooks.released(poses, move);
    this.sync();
  }

  /** The screen position of a handle, for tests and for labels. */
  center(): Vector3 {
    return this.proxy.position;
  }
}
