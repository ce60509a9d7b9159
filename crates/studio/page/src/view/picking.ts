// What is under the pointer: body, point, and the face, edge or vertex nearest to it.
import { type InstancedMesh, Matrix4, Raycaster, Vector2, Vector3 } from "three";
import type { Vec3 } from "../protocol";
import { matrixOf } from "./bodies";
import type { Viewport } from "./viewport";

export interface Hit {
  body: number;
  point: Vec3;
  /** Outward normal of the face, in the world. */
  normal: Vec3;
  /** The corner of the face nearest to the pointer, in the world. */
  vertex: Vec3;
  /** The edge of the face nearest to the pointer, in the world. */
  edge: [Vec3, Vec3];
}

const ray = new Raycaster();
const pointer = new Vector2();
const toArray = (v: Vector3): Vec3 => [v.x, v.y, v.z];

export function pickAt(viewport: Viewport, x: number, y: number): Hit | null {
  const pane = viewport.paneAt(x, y);
  pointer.set(((x - pane.x) / pane.width) * 2 - 1, 1 - ((y - pane.y) / pane.height) * 2);
  ray.setFromCamera(pointer, pane.rig.camera);
  const planes = viewport.clippingPlanes();
  const hits = ray.intersectObjects(viewport.bodies.targets(), false);
  for (const hit of hits) {
    if (planes.some((plane) => plane.distanceToPoint(hit.point) < 0)) continue;
    const body = viewport.bodies.bodyAt(hit.object as InstancedMesh, hit.instanceId ?? 0);
    const mesh = body === undefined ? undefined : viewport.bodies.meshOf(body);
    if (body === undefined || !mesh || hit.faceIndex === undefined || hit.faceIndex === null) continue;
    const worldFromMesh = matrixOf(viewport.pose(body), new Matrix4()).multiply(new Matrix4().makeTranslation(mesh.center));
    const corners = [0, 1, 2].map((k) => new Vector3().fromArray(mesh.positions, mesh.triangles[3 * hit.faceIndex! + k]! * 3).applyMatrix4(worldFromMesh));
    const [a, b, c] = corners as [Vector3, Vector3, Vector3];
    const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
    const vertex = [a, b, c].reduce((best, v) => (v.distanceTo(hit.point) < best.distanceTo(hit.point) ? v : best));
    const sides: [Vector3, Vector3][] = [[a, b], [b, c], [c, a]];
    const edge = sides.reduce((best, side) => (fromLine(hit.point, side) < fromLine(hit.point, best) ? side : best));
    return { body, point: toArray(hit.point), normal: toArray(normal), vertex: toArray(vertex), edge: [toArray(edge[0]), toArray(edge[1])] };
  }
  return null;
}

function fromLine(point: Vector3, [a, b]: [Vector3, Vector3]): number {
  const along = b.clone().sub(a);
  const t = Math.max(0, Math.min(1, point.clone().sub(a).dot(along) / Math.max(along.lengthSq(), Number.MIN_VALUE)));
  return point.distanceTo(a.clone().addScaledVector(along, t));
}
