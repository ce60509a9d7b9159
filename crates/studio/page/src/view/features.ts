// Edges of a mesh that a person sees: the one nearest to a point, and the circle it is a piece of.
import { Vector3 } from "three";
import type { LoadedMesh } from "./mesh";

export interface Circle {
  center: Vector3;
  axis: Vector3;
  radius: number;
}

export interface NearEdge {
  from: Vector3;
  to: Vector3;
  distance: number;
  circle: Circle | null;
}

/** Circles come as polygons: with fewer corners than 360° over this they are taken for polygons. */
const MOST_TURN = (34 * Math.PI) / 180;
/** Corners on both sides that must lie on the circle too. */
const WITNESSES = 2;
/** How far they may be off, in radii: mesh files round to six or seven digits. */
const OFF_CIRCLE = 2e-3;

interface Neighbours {
  first: Uint32Array;
  edges: Uint32Array;
}
const known = new WeakMap<LoadedMesh, Neighbours>();

/** The feature edges at each vertex. */
function neighbours(mesh: LoadedMesh): Neighbours {
  const before = known.get(mesh);
  if (before) return before;
  const { edgeVertices, positions } = mesh;
  const first = new Uint32Array(positions.length / 3 + 1);
  for (const vertex of edgeVertices) first[vertex + 1]!++;
  for (let vertex = 0; vertex + 1 < first.length; vertex++) first[vertex + 1]! += first[vertex]!;
  const fill = first.slice();
  const edges = new Uint32Array(edgeVertices.length);
  for (let at = 0; at < edgeVertices.length; at++) edges[fill[edgeVertices[at]!]!++] = at >> 1;
  const made = { first, edges };
  known.set(mesh, made);
  return made;
}

/** The feature edge nearest to a point of the mesh's own frame (relative to its centre). */
export function nearestEdge(mesh: LoadedMesh, point: Vector3): NearEdge | null {
  const { edgeVertices: ends, positions } = mesh;
  const { x, y, z } = point;
  let best = Infinity;
  let found = -1;
  for (let at = 0; at < ends.length; at += 2) {
    const a = 3 * ends[at]!,
      b = 3 * ends[at + 1]!;
    const ax = positions[a]!,
      ay = positions[a + 1]!,
      az = positions[a + 2]!;
    const ux = positions[b]! - ax,
      uy = positions[b + 1]! - ay,
      uz = positions[b + 2]! - az;
    const square = ux * ux + uy * uy + uz * uz;
    const t =
      square > 0 ? Math.max(0, Math.min(1, ((x - ax) * ux + (y - ay) * uy + (z - az) * uz) / square)) : 0;
    const dx = x - ax - t * ux,
      dy = y - ay - t * uy,
      dz = z - az - t * uz;
    const distance = dx * dx + dy * dy + dz * dz;
    if (distance < best) {
      best = distance;
      found = at >> 1;
    }
  }
  if (found < 0) return null;
  const corner = (end: number): Vector3 => new Vector3().fromArray(positions, 3 * ends[2 * found + end]!);
  return { from: corner(0), to: corner(1), distance: Math.sqrt(best), circle: circleOf(mesh, found) };
}

/** The circle through an edge and its neighbours on both sides, if they all lie on one. */
function circleOf(mesh: LoadedMesh, edge: number): Circle | null {
  const { edgeVertices: ends, positions } = mesh;
  const point = (vertex: number): Vector3 => new Vector3().fromArray(positions, 3 * vertex);
  const walk = (vertex: number, came: number): Vector3[] => {
    const list: Vector3[] = [];
    const { first, edges } = neighbours(mesh);
    let at = vertex;
    let by = came;
    while (list.length < WITNESSES) {
      const here = point(at);
      const before = point(ends[2 * by]! === at ? ends[2 * by + 1]! : ends[2 * by]!);
      const along = here.clone().sub(before);
      let next = -1;
      let least = MOST_TURN;
      for (let k = first[at]!; k < first[at + 1]!; k++) {
        const other = edges[k]!;
        if (other === by) continue;
        const to = ends[2 * other]! === at ? ends[2 * other + 1]! : ends[2 * other]!;
        const turn = along.angleTo(point(to).sub(here));
        if (turn < least) {
          least = turn;
          next = other;
        }
      }
      if (next < 0) break;
      at = ends[2 * next]! === at ? ends[2 * next + 1]! : ends[2 * next]!;
      by = next;
      list.push(point(at));
    }
    return list;
  };
  const a = point(ends[2 * edge]!);
  const b = point(ends[2 * edge + 1]!);
  const behind = walk(ends[2 * edge]!, edge);
  const ahead = walk(ends[2 * edge + 1]!, edge);
  if (behind.length < WITNESSES || ahead.length < WITNESSES) return null;
  const circle = through(behind[WITNESSES - 1]!, a, ahead[WITNESSES - 1]!);
  if (!circle) return null;
  for (const one of [b, ...behind, ...ahead]) {
    const off = one.clone().sub(circle.center);
    if (
      Math.abs(off.dot(circle.axis)) > OFF_CIRCLE * circle.radius ||
      Math.abs(off.length() - circle.radius) > OFF_CIRCLE * circle.radius
    )
      return null;
  }
  return circle;
}

/** The circle through three points; `null` if they lie on a line. */
function through(a: Vector3, b: Vector3, c: Vector3): Circle | null {
  const u = b.clone().sub(a);
  const v = c.clone().sub(a);
  const normal = u.clone().cross(v);
  const square = normal.lengthSq();
  if (square <= OFF_CIRCLE * OFF_CIRCLE * u.lengthSq() * v.lengthSq()) return null;
  const to = u
    .clone()
    .multiplyScalar(v.lengthSq())
    .sub(v.clone().multiplyScalar(u.lengthSq()))
    .cross(normal)
    .divideScalar(-2 * square);
  return { center: to.clone().add(a), axis: normal.normalize(), radius: to.length() };
}
