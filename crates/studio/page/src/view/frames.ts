// The frames of a robot's links and of its tool: three rods each, red x, green y, blue z.
import { BoxGeometry, Color, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { makePose, multiply, orientation, position, rotate, add } from "../document/poses";
import type { State } from "../document/state";
import type { Pose } from "../protocol";

const COLORS = [0xf0616d, 0x43b97f, 0x4a9eff].map((color) => new Color(color));
/** A rod along each axis, from one along x. */
const TURNS = [
  new Quaternion(),
  new Quaternion(0, 0, Math.SQRT1_2, Math.SQRT1_2),
  new Quaternion(0, -Math.SQRT1_2, 0, Math.SQRT1_2),
];
const LENGTH_PIXELS = 34;
const WIDTH_PIXELS = 2.4;

const rod = new BoxGeometry(1, 1, 1).translate(0.5, 0, 0);
const matrix = new Matrix4();
const p = new Vector3();
const q = new Quaternion();
const size = new Vector3();

export class Frames {
  mesh = this.make(3);

  constructor(private readonly state: State) {}

  private make(count: number): InstancedMesh {
    const mesh = new InstancedMesh(
      rod,
      new MeshBasicMaterial({ depthTest: false, transparent: true, toneMapped: false }),
      count,
    );
    for (let at = 0; at < count; at++) mesh.setColorAt(at, COLORS[at % 3]!);
    mesh.frustumCulled = false;
    mesh.renderOrder = 9;
    mesh.raycast = () => {};
    return mesh;
  }

  /** Writes where they are; `pixel` is metres per pixel. While a plan plays, links without a shape have none. */
  update(pixel: number): void {
    const shown = this.state.view.frames ? this.frames() : [];
    this.mesh.visible = shown.length > 0;
    if (shown.length === 0) return;
    if (this.mesh.instanceMatrix.count < 3 * shown.length) {
      const parent = this.mesh.parent;
      this.mesh.removeFromParent();
      this.mesh.dispose();
      this.mesh = this.make(3 * shown.length);
      parent?.add(this.mesh);
    }
    this.mesh.count = 3 * shown.length;
    shown.forEach((pose, index) => {
      p.set(pose[0], pose[1], pose[2]);
      for (let axis = 0; axis < 3; axis++) {
        q.set(pose[3], pose[4], pose[5], pose[6]).multiply(TURNS[axis]!);
        const last = index === shown.length - 1 ? 1.5 : 1;
        size.set(LENGTH_PIXELS * pixel * last, WIDTH_PIXELS * pixel, WIDTH_PIXELS * pixel);
        this.mesh.setMatrixAt(3 * index + axis, matrix.compose(p, q, size));
      }
    });
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  private frames(): Pose[] {
    const { state } = this;
    const { robot, stand, playing } = state;
    const info = robot === null ? undefined : state.robots[robot];
    if (!info) return [];
    if (!playing && stand) return [...stand.frames, stand.tool];
    const found = info.links.flatMap(({ body }) => (body === null ? [] : [state.pose(body)]));
    const flange = info.links[info.flange]?.body ?? null;
    if (flange === null) return found;
    const pose = state.pose(flange);
    const tool = info.flange_from_tool;
    return [
      ...found,
      makePose(
        add(position(pose), rotate(orientation(pose), position(tool))),
        multiply(orientation(pose), orientation(tool)),
      ),
    ];
  }
}
