// The way of the tool through the plan, as lines, and what it can reach, as a cloud of points. Asked for only while they are shown.
import { BufferGeometry, Color, Float32BufferAttribute, Group, Points, PointsMaterial } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { Actions } from "../tools/actions";

/** One per robot, in turn; well seen on both themes. */
const COLORS = [0xf08a24, 0x2fa8d8, 0xb46be0, 0x4cae4f];
const CLOUD_POINTS = 12_000;
const LINE_PIXELS = 2.2;

export class Trails {
  readonly group = new Group();
  private trailKey = "";
  private cloudKey = "";
  /** Coordinates per robot and stage, for tests. */
  trails: number[][][] = [];
  cloudPoints = 0;
  private readonly cloud = new Points(
    new BufferGeometry(),
    new PointsMaterial({
      size: 2,
      sizeAttenuation: false,
      transparent: true,
      opacity: 0.3,
      depthWrite: false,
    }),
  );
  private readonly lines = new Group();

  constructor(private readonly actions: Actions) {
    this.group.add(this.lines, this.cloud);
    this.cloud.visible = this.lines.visible = false;
    this.cloud.frustumCulled = false;
    actions.viewport.scene.add(this.group);
    actions.state.on(["scene", "view", "selection"], () => {
      void this.trail();
      void this.reach();
    });
  }

  private async trail(): Promise<void> {
    const { state, viewport } = this.actions;
    const { scene } = state;
    const wanted = state.view.trail && state.robots.length > 0;
    this.lines.visible = wanted;
    viewport.request();
    const key = wanted ? `${scene!.path} ${scene!.name} ${scene!.revision}` : "";
    if (!wanted || key === this.trailKey) return;
    this.trailKey = key;
    const found = await Promise.all(
      state.robots.map((_, robot) => this.actions.ask("robot_trail", { robot }, true)),
    );
    if (this.trailKey !== key) return;
    for (const line of this.lines.children as LineSegments2[]) {
      line.geometry.dispose();
      line.material.dispose();
    }
    this.lines.clear();
    this.trails = found.map((one) => one?.stages ?? []);
    this.trails.forEach((stages, robot) => {
      const points: number[] = [];
      for (const stage of stages)
        for (let at = 3; at + 2 < stage.length; at += 3) points.push(...stage.slice(at - 3, at + 3));
      if (points.length === 0) return;
      const line = new LineSegments2(
        new LineSegmentsGeometry().setPositions(points),
        new LineMaterial({
          color: COLORS[robot % COLORS.length]!,
          linewidth: LINE_PIXELS,
          depthTest: false,
          transparent: true,
          opacity: 0.9,
          toneMapped: false,
        }),
      );
      line.frustumCulled = false;
      line.renderOrder = 8;
      line.raycast = () => {};
      this.lines.add(line);
    });
    viewport.request();
  }

  private async reach(): Promise<void> {
    const { state, viewport } = this.actions;
    const { robot } = state;
    const wanted = state.view.cloud && robot !== null;
    const info = wanted ? state.robots[robot] : undefined;
    const key = info
      ? JSON.stringify([state.scene!.path, robot, info.base, info.flange_from_tool, info.joints])
      : "";
    this.cloud.visible = info !== undefined && key === this.cloudKey;
    viewport.request();
    if (!info || key === this.cloudKey) return;
    this.cloudKey = key;
    const answer = await this.actions.ask("robot_workspace", { robot: robot!, count: CLOUD_POINTS }, true);
    if (!answer || this.cloudKey !== key) return;
    this.cloud.geometry.dispose();
    this.cloud.geometry = new BufferGeometry().setAttribute(
      "position",
      new Float32BufferAttribute(answer.points, 3),
    );
    this.cloud.material.color = new Color(COLORS[robot! % COLORS.length]!);
    this.cloud.visible = state.view.cloud && state.robot === robot;
    this.cloudPoints = answer.points.length / 3;
    viewport.request();
  }
}
