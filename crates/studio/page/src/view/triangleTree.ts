// A tree of boxes over the triangles of a mesh: what a ray meets is found without looking at every triangle. It is built in small portions,
// so that a large mesh does not stop the page.

const LEAF = 8;
/** Triangles sorted between two looks at the clock. */
const PORTION = 1 << 15;

export interface RayHit {
  /** Along the ray, in lengths of its direction. */
  t: number;
  triangle: number;
  /** The ray leaves the body there. */
  back: boolean;
}

export class TriangleTree {
  private readonly order: Uint32Array;
  private readonly centers: Float32Array;
  /** Low and high corner of each node. */
  private readonly boxes: Float32Array;
  /** First child (the second follows it), or for a leaf -1 - its first place in `order`. */
  private readonly child: Int32Array;
  private readonly count: Int32Array;
  private nodes = 1;
  /** Nodes that are still to be split: node, first place, end. */
  private readonly open: number[] = [];
  private readonly stack = new Int32Array(256);

  constructor(
    private readonly positions: Float32Array,
    private readonly triangles: Uint32Array,
  ) {
    const size = triangles.length / 3;
    const most = 2 * Math.max(1, size);
    this.order = new Uint32Array(size);
    this.centers = new Float32Array(3 * size);
    this.boxes = new Float32Array(6 * most);
    this.child = new Int32Array(most);
    this.count = new Int32Array(most);
    for (let face = 0; face < size; face++) {
      this.order[face] = face;
      for (let k = 0; k < 3; k++) {
        const a = positions[3 * triangles[3 * face]! + k]!;
        const b = positions[3 * triangles[3 * face + 1]! + k]!;
        const c = positions[3 * triangles[3 * face + 2]! + k]!;
        this.centers[3 * face + k] = (a + b + c) / 3;
      }
    }
    this.open.push(0, 0, size);
  }

  get ready(): boolean {
    return this.open.length === 0;
  }

  /** Builds on for about so many milliseconds; true when it is finished. */
  work(milliseconds: number): boolean {
    const end = performance.now() + milliseconds;
    let done = 0;
    while (this.open.length > 0) {
      const to = this.open.pop()!;
      const from = this.open.pop()!;
      done += to - from;
      this.split(this.open.pop()!, from, to);
      if (done < PORTION) continue;
      done = 0;
      if (performance.now() > end) break;
    }
    return this.ready;
  }

  private split(node: number, from: number, to: number): void {
    const { order, centers, boxes, positions, triangles } = this;
    let lowX = Infinity,
      lowY = Infinity,
      lowZ = Infinity,
      highX = -Infinity,
      highY = -Infinity,
      highZ = -Infinity;
    let cLowX = Infinity,
      cLowY = Infinity,
      cLowZ = Infinity,
      cHighX = -Infinity,
      cHighY = -Infinity,
      cHighZ = -Infinity;
    for (let at = from; at < to; at++) {
      const face = 3 * order[at]!;
      for (let corner = 0; corner < 3; corner++) {
        const v = 3 * triangles[face + corner]!;
        const x = positions[v]!,
          y = positions[v + 1]!,
          z = positions[v + 2]!;
        if (x < lowX) lowX = x;
        if (x > highX) highX = x;
        if (y < lowY) lowY = y;
        if (y > highY) highY = y;
        if (z < lowZ) lowZ = z;
        if (z > highZ) highZ = z;
      }
      const x = centers[face]!,
        y = centers[face + 1]!,
        z = centers[face + 2]!;
      if (x < cLowX) cLowX = x;
      if (x > cHighX) cHighX = x;
      if (y < cLowY) cLowY = y;
      if (y > cHighY) cHighY = y;
      if (z < cLowZ) cLowZ = z;
      if (z > cHighZ) cHighZ = z;
    }
    const b = 6 * node;
    boxes[b] = lowX;
    boxes[b + 1] = lowY;
    boxes[b + 2] = lowZ;
    boxes[b + 3] = highX;
    boxes[b + 4] = highY;
    boxes[b + 5] = highZ;
    if (to - from <= LEAF) return this.leaf(node, from, to);
    const dx = cHighX - cLowX,
      dy = cHighY - cLowY,
      dz = cHighZ - cLowZ;
    const axis = dx >= dy && dx >= dz ? 0 : dy >= dz ? 1 : 2;
    const middle =
      axis === 0 ? (cLowX + cHighX) / 2 : axis === 1 ? (cLowY + cHighY) / 2 : (cLowZ + cHighZ) / 2;
    let left = from;
    let right = to - 1;
    while (left <= right) {
      const face = order[left]!;
      if (centers[3 * face + axis]! < middle) left++;
      else {
        order[left] = order[right]!;
        order[right--] = face;
      }
    }
    // All centres on one side (or in one place): halves keep the tree flat.
    if (left - from < (to - from) >> 4 || to - left < (to - from) >> 4) left = (from + to) >> 1;
    const first = this.nodes;
    this.nodes += 2;
    this.child[node] = first;
    this.count[node] = 0;
    this.open.push(first, from, left, first + 1, left, to);
  }

  private leaf(node: number, from: number, to: number): void {
    this.child[node] = from;
    this.count[node] = to - from;
  }

  /** The first triangle that a ray meets between `least` and `most`; triangles seen from inside count only where `inside` says so. */
  cast(
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
    least: number,
    most: number,
    inside: boolean,
  ): RayHit | null {
    if (!this.ready) this.work(Infinity);
    const { boxes, child, count, order, positions, triangles, stack } = this;
    const ix = 1 / dx,
      iy = 1 / dy,
      iz = 1 / dz;
    let best = most;
    let found = -1;
    let back = false;
    let depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      const node = stack[--depth]!;
      const b = 6 * node;
      let near = least;
      let far = best;
      // A ray inside a slab's face gives NaN, which neither bound takes over.
      let t0 = (boxes[b]! - ox) * ix,
        t1 = (boxes[b + 3]! - ox) * ix;
      if (t0 > t1) [t0, t1] = [t1, t0];
      if (t0 > near) near = t0;
      if (t1 < far) far = t1;
      t0 = (boxes[b + 1]! - oy) * iy;
      t1 = (boxes[b + 4]! - oy) * iy;
      if (t0 > t1) [t0, t1] = [t1, t0];
      if (t0 > near) near = t0;
      if (t1 < far) far = t1;
      t0 = (boxes[b + 2]! - oz) * iz;
      t1 = (boxes[b + 5]! - oz) * iz;
      if (t0 > t1) [t0, t1] = [t1, t0];
      if (t0 > near) near = t0;
      if (t1 < far) far = t1;
      if (near > far * (1 + 4 * Number.EPSILON) + Number.MIN_VALUE) continue;
      if (count[node] === 0) {
        if (depth + 2 > stack.length) continue;
        stack[depth++] = child[node]!;
        stack[depth++] = child[node]! + 1;
        continue;
      }
      for (let at = child[node]!; at < child[node]! + count[node]!; at++) {
        const face = 3 * order[at]!;
        const a = 3 * triangles[face]!,
          p = 3 * triangles[face + 1]!,
          q = 3 * triangles[face + 2]!;
        const ax = positions[a]!,
          ay = positions[a + 1]!,
          az = positions[a + 2]!;
        const ux = positions[p]! - ax,
          uy = positions[p + 1]! - ay,
          uz = positions[p + 2]! - az;
        const vx = positions[q]! - ax,
          vy = positions[q + 1]! - ay,
          vz = positions[q + 2]! - az;
        // Möller and Trumbore: barycentric coordinates by Cramer's rule.
        const hx = dy * vz - dz * vy,
          hy = dz * vx - dx * vz,
          hz = dx * vy - dy * vx;
        const det = ux * hx + uy * hy + uz * hz;
        if (det === 0 || (!inside && det < 0)) continue;
        const sx = ox - ax,
          sy = oy - ay,
          sz = oz - az;
        const u = (sx * hx + sy * hy + sz * hz) / det;
        if (u < 0 || u > 1) continue;
        const qx = sy * uz - sz * uy,
          qy = sz * ux - sx * uz,
          qz = sx * uy - sy * ux;
        const v = (dx * qx + dy * qy + dz * qz) / det;
        if (v < 0 || u + v > 1) continue;
        const t = (vx * qx + vy * qy + vz * qz) / det;
        if (t < least || t > best || (t === best && found >= 0)) continue;
        best = t;
        found = face / 3;
        back = det < 0;
      }
    }
    return found < 0 ? null : { t: best, triangle: found, back };
  }
}
