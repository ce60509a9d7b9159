// Handles at the tool centre point of the selected robot.
import { Object3D } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import type { State } from "../document/state";
import { metresPer, roundStep } from "../document/units";
import type { Pose } from "../protocol";
import type { Viewport } from "./viewport";

export interface ToolHooks {
  dragged(tool: Pose): void;
  released(): void;
}

export class ToolGizmo {
  private readonly controls: TransformControls;
  private readonly proxy = new Object3D();
  dragging = false;

  constructor(
    private readonly viewport: Viewport,
    private readonly state: State,
    private readonly hooks: ToolHooks,
  ) {
    this.controls = new TransformControls(viewport.active.rig.camera, viewport.surface);
    this.controls.setSize(0.8);
    this.controls.setColors(0xf0616d, 0x43b97f, 0x4a9eff, 0xffc94d);
    viewport.scene.add(this.proxy);
    const helper = this.controls.getHelper();
    helper.userData["wanted"] = false;
    viewport.onlyActive.push(helper);
    this.controls.addEventListener("change", () => viewport.request());
    this.controls.addEventListener("mouseDown", () => (this.dragging = true));
    this.controls.addEventListener("objectChange", () => this.dragging && this.hooks.dragged(this.pose()));
    this.controls.addEventListener("mouseUp", () => {
      if (!this.dragging) return;
      this.dragging = false;
      this.hooks.released();
    });
    state.on(["robot", "tool", "task", "cursor"], () => this.sync());
    viewport.surface.addEventListener(
      "pointermove",
      () => (this.controls.camera = viewport.active.rig.camera),
      { capture: true },
    );
  }

  get hot(): boolean {
    return (
      this.dragging ||
      (this.controls.object !== undefined && this.controls.enabled && this.controls.axis !== null)
    );
  }

  sync(): void {
    if (this.dragging) return;
    const { stand, robot, playing, gizmo, planned, pick } = this.state;
    const tool =
      robot === null || playing || gizmo === "none" || planned !== null || pick !== "none"
        ? null
        : (stand?.tool ?? null);
    const helper = this.controls.getHelper();
    helper.userData["wanted"] = tool !== null;
    this.controls.enabled = tool !== null;
    if (!tool) {
      if (this.controls.object === undefined) return;
      helper.removeFromParent();
      this.controls.detach();
      return this.viewport.request();
    }
    if (!helper.parent) this.viewport.scene.add(helper);
    this.proxy.position.set(tool[0], tool[1], tool[2]);
    this.proxy.quaternion.set(tool[3], tool[4], tool[5], tool[6]);
    this.proxy.updateMatrixWorld();
    this.controls.camera = this.viewport.active.rig.camera;
    this.controls.attach(this.proxy);
    this.controls.setMode(gizmo === "rotate" ? "rotate" : "translate");
    this.controls.setSpace(this.state.gizmoLocal ? "local" : "world");
    const unit = metresPer(this.state.units);
    const step = unit * roundStep((this.viewport.active.rig.pixel(this.viewport.active.height) * 16) / unit);
    this.controls.setTranslationSnap(this.state.snap ? step : null);
    this.controls.setRotationSnap(this.state.snap ? Math.PI / 36 : null);
    this.viewport.request();
  }

  private pose(): Pose {
    const { position: p, quaternion: q } = this.proxy;
    return [p.x, p.y, p.z, q.x, q.y, q.z, q.w];
  }

  /** Where the handles are, for tests. */
  center(): Object3D["position"] {
    return this.proxy.position;
  }
}
