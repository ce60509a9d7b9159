// What is under the pointer: body, point, and the face, edge or corner nearest to it. A section hides what it cuts away; a cut solid is hit on its cut.
import { Matrix4, Raycaster, Sphere, Vector2, Vector3 } from "three";
import type { Vec3 } from "../protocol";
import { matrixOf } from "./bodies";
import { nearestEdge } from "./features";
import type { Viewport } from "./viewport";

export interface Hit {
  body: number;
  point: Vec3;
  /** Outward normal of the face, in the world. */
  normal: Vec3;
  /** The corner nearest to the pointer, or the middle of the circle it points at, in the world. */
  vertex: Vec3;
  /** The edge nearest to the pointer, in the world; of a circle, its axis, as long as its radius. */
  edge: [Vec3, Vec3];
  /** The edge is meant rather than the face: it is close to the pointer on the screen. */
  atEdge: boolean;
}

/** Edges and corners are taken from so many pixels away. */
const REACH_PIXELS = 9;

/** Meshes come in single precision: so much of their size is dust, and points taken from them are rounded to it. */
const SINGLE = 2 ** -23;

const ray = new Raycaster();
const pointer = new Vector2();
const inverse = new Matrix4();
const worldFromMesh = new Matrix4();
const origin = new Vector3();
const direction = new Vector3();
const sphere = new Sphere();
const toArray = (v: Vector3): Vec3 => [v.x, v.y, v.z];

/** What a ray through a point of the view meets first. With `quick`, bodies whose trees are not built yet are passed over and built on a little. */
export function pickAt(viewport: Viewport, x: number, y: number, quick = false): Hit | null {
  const pane = viewport.paneAt(x, y);
  pointer.set(((x - pane.x) / pane.width) * 2 - 1, 1 - ((y - pane.y) / pane.height) * 2);
  ray.setFromCamera(pointer, pane.rig.camera);
  const { origin: from, direction: along } = ray.ray;
  // A parallel camera may stand inside the scene.
  let least = pane.rig.parallel ? -Infinity : 0;
  let most = Infinity;
  let cut: number | null = null;
  const [plane] = viewport.clippingPlanes();
  if (plane) {
    const towards = plane.normal.dot(along);
    const t = -plane.distanceToPoint(from) / towards;
    if (towards > 0) {
      cut = t;
      least = Math.max(least, t);
    } else if (towards < 0) most = t;
    else if (plane.distanceToPoint(from) < 0) return null;
  }
  let budget = quick ? 4 : Infinity;
  let found: { body: number; t: number; triangle: number; onCut: boolean } | null = null;
  for (const body of viewport.visible()) {
    const mesh = viewport.bodies.meshOf(body);
    if (!mesh) continue;
    placed(viewport, body);
    sphere.copy(mesh.faces.boundingSphere!).applyMatrix4(worldFromMesh);
    if (
      ray.ray.distanceSqToPoint(sphere.center) > sphere.radius * sphere.radius * 1.001 &&
      !pane.rig.parallel
    )
      continue;
    if (pane.rig.parallel && aside(from, along, sphere.center) > sphere.radius * sphere.radius * 1.001)
      continue;
    if (!mesh.tree.ready) {
      const start = performance.now();
      const ready = budget > 0 && mesh.tree.work(budget);
      budget -= performance.now() - start;
      if (!ready) continue;
    }
    inverse.copy(worldFromMesh).invert();
    origin.copy(from).applyMatrix4(inverse);
    direction.copy(along).transformDirection(inverse);
    const hit = mesh.tree.cast(
      origin.x,
      origin.y,
      origin.z,
      direction.x,
      direction.y,
      direction.z,
      least,
      Math.min(most, found?.t ?? Infinity),
      plane !== undefined,
    );
    if (!hit) continue;
    // A solid that is left from inside was entered through the cut.
    const onCut = hit.back && cut !== null && mesh.closed;
    if (!found || onCut || hit.t < found.t)
      found = { body, t: onCut ? cut! : hit.t, triangle: hit.triangle, onCut };
  }
  if (!found) return null;
  const mesh = viewport.bodies.meshOf(found.body)!;
  placed(viewport, found.body);
  const corners = [0, 1, 2].map((k) =>
    new Vector3().fromArray(mesh.positions, mesh.triangles[3 * found.triangle + k]! * 3),
  ) as [Vector3, Vector3, Vector3];
  const [a, b, c] = corners;
  const normal = found.onCut
    ? plane!.normal.clone().negate()
    : b.clone().sub(a).cross(c.clone().sub(a)).normalize().transformDirection(worldFromMesh);
  const point = from.clone().addScaledVector(along, found.t);
  const local = point.clone().applyMatrix4(inverse.copy(worldFromMesh).invert());
  const near = (list: readonly Vector3[]): Vector3 =>
    list.reduce((best, v) => (v.distanceToSquared(local) < best.distanceToSquared(local) ? v : best));
  const edge = nearestEdge(mesh, local);
  const pixel = pane.rig.pixel(pane.height) * (pane.rig.parallel ? 1 : found.t / pane.rig.distance);
  const atEdge = edge !== null && edge.distance <= REACH_PIXELS * pixel;
  // On a smooth surface there is nothing but triangles.
  const sides: [Vector3, Vector3] = edge ? [edge.from, edge.to] : [a, b];
  const vertex = edge?.circle && atEdge ? edge.circle.center : near(edge ? [edge.from, edge.to] : corners);
  const ends: [Vector3, Vector3] = edge?.circle
    ? [edge.circle.center, edge.circle.center.clone().addScaledVector(edge.circle.axis, edge.circle.radius)]
    : sides;
  const grain = 10 ** Math.ceil(Math.log10(mesh.faces.boundingSphere!.radius * SINGLE));
  const rounded = (x: number, center: number): number =>
    Number((Math.round((x + center) / grain) * grain).toPrecision(15)) - center;
  const world = (v: Vector3): Vec3 => {
    const { center } = mesh;
    return toArray(
      v
        .clone()
        .set(rounded(v.x, center.x), rounded(v.y, center.y), rounded(v.z, center.z))
        .applyMatrix4(worldFromMesh),
    );
  };
  return {
    body: found.body,
    point: toArray(point),
    normal: toArray(normal),
    vertex: world(vertex),
    edge: [world(ends[0]), world(ends[1])],
    atEdge,
  };
}

function placed(viewport: Viewport, body: number): void {
  const { center } = viewport.bodies.meshOf(body)!;
  matrixOf(viewport.pose(body), worldFromMesh);
  const e = worldFromMesh.elements;
  origin.copy(center).applyMatrix4(worldFromMesh);
  e[12] = origin.x;
  e[13] = origin.y;
  e[14] = origin.z;
}

/** The squared distance of a point from a line. */
function aside(from: Vector3, along: Vector3, point: Vector3): number {
  origin.subVectors(point, from);
  return origin.lengthSq() - origin.dot(along) ** 2;
}
