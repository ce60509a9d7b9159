// Meshes by content: fetched once per digest, turned into drawable geometry with smooth normals inside and hard ones across creases.
import { Box3, BufferAttribute, BufferGeometry, Vector3 } from "three";

/** Neighbouring faces that differ by less than this are shaded as one surface. */
const CREASE_COSINE = Math.cos((32 * Math.PI) / 180);
const HEADER_BYTES = 40;

export interface LoadedMesh {
  faces: BufferGeometry;
  edges: BufferGeometry;
  /** Of the mesh in its own frame, metres. Positions in the geometry are relative to it. */
  center: Vector3;
  /** Relative to `center`. */
  box: Box3;
  positions: Float32Array;
  triangles: Uint32Array;
  edgeVertices: Uint32Array;
}

export function parseMesh(data: ArrayBuffer): LoadedMesh {
  const view = new DataView(data);
  const magic = String.fromCharCode(view.getUint8(0), view.getUint8(1), view.getUint8(2), view.getUint8(3));
  if (magic !== "FRM1") throw new Error("this is not a mesh of the studio");
  const vertexCount = view.getUint32(4, true);
  const triangleCount = view.getUint32(8, true);
  const edgeCount = view.getUint32(12, true);
  const center = new Vector3(view.getFloat64(16, true), view.getFloat64(24, true), view.getFloat64(32, true));
  let offset = HEADER_BYTES;
  const positions = new Float32Array(data, offset, vertexCount * 3);
  offset += vertexCount * 12;
  const triangles = new Uint32Array(data, offset, triangleCount * 3);
  offset += triangleCount * 12;
  const edgeVertices = new Uint32Array(data, offset, edgeCount * 2);

  const faces = creased(positions, triangles);
  const edges = new BufferGeometry();
  edges.setAttribute("position", new BufferAttribute(positions, 3));
  edges.setIndex(new BufferAttribute(edgeVertices, 1));
  faces.computeBoundingBox();
  faces.computeBoundingSphere();
  edges.boundingSphere = faces.boundingSphere;
  return { faces, edges, center, box: faces.boundingBox!.clone(), positions, triangles, edgeVertices };
}

/** Splits each vertex into as many as it has smooth patches around it, and gives each its area-weighted normal. */
function creased(positions: Float32Array, triangles: Uint32Array): BufferGeometry {
  const faceCount = triangles.length / 3;
  const normals = new Float32Array(faceCount * 3);
  const a = new Vector3();
  const b = new Vector3();
  const c = new Vector3();
  for (let face = 0; face < faceCount; face++) {
    a.fromArray(positions, triangles[3 * face]! * 3);
    b.fromArray(positions, triangles[3 * face + 1]! * 3).sub(a);
    c.fromArray(positions, triangles[3 * face + 2]! * 3).sub(a);
    b.cross(c).toArray(normals, 3 * face);
  }
  const vertexCount = positions.length / 3;
  const first = new Uint32Array(vertexCount + 1);
  for (const vertex of triangles) first[vertex + 1]!++;
  for (let vertex = 0; vertex < vertexCount; vertex++) first[vertex + 1]! += first[vertex]!;
  const corners = new Uint32Array(triangles.length);
  const fill = first.slice();
  for (let corner = 0; corner < triangles.length; corner++) corners[fill[triangles[corner]!]!++] = corner;

  const index = new Uint32Array(triangles.length);
  const outPositions: number[] = [];
  const outNormals: number[] = [];
  const open: { x: number; y: number; z: number; out: number }[] = [];
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    open.length = 0;
    for (let at = first[vertex]!; at < first[vertex + 1]!; at++) {
      const corner = corners[at]!;
      const face = Math.floor(corner / 3) * 3;
      const x = normals[face]!;
      const y = normals[face + 1]!;
      const z = normals[face + 2]!;
      const size = Math.hypot(x, y, z);
      let patch = open.find((p) => x * p.x + y * p.y + z * p.z >= CREASE_COSINE * size * Math.hypot(p.x, p.y, p.z));
      if (!patch) {
        patch = { x: 0, y: 0, z: 0, out: outPositions.length / 3 };
        open.push(patch);
        outPositions.push(positions[3 * vertex]!, positions[3 * vertex + 1]!, positions[3 * vertex + 2]!);
        outNormals.push(0, 0, 1);
      }
      patch.x += x;
      patch.y += y;
      patch.z += z;
      index[corner] = patch.out;
    }
    for (const patch of open) {
      const size = Math.hypot(patch.x, patch.y, patch.z) || 1;
      outNormals[3 * patch.out] = patch.x / size;
      outNormals[3 * patch.out + 1] = patch.y / size;
      outNormals[3 * patch.out + 2] = patch.z / size;
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(outPositions), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(outNormals), 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  return geometry;
}

/** Keeps what is used, disposes of what is not. */
export class MeshStore {
  private readonly meshes = new Map<string, LoadedMesh>();
  private readonly loading = new Map<string, Promise<LoadedMesh>>();

  get(digest: string): LoadedMesh | undefined {
    return this.meshes.get(digest);
  }

  get busy(): boolean {
    return this.loading.size > 0;
  }

  load(digest: string): Promise<LoadedMesh> {
    const known = this.meshes.get(digest);
    if (known) return Promise.resolve(known);
    let promise = this.loading.get(digest);
    if (!promise) {
      promise = fetch(`/api/mesh/${encodeURIComponent(digest)}`)
        .then((response) => {
          if (!response.ok) throw new Error(`the mesh ${digest} could not be loaded (${response.status})`);
          return response.arrayBuffer();
        })
        .then((data) => {
          const mesh = parseMesh(data);
          this.meshes.set(digest, mesh);
          return mesh;
        })
        .finally(() => this.loading.delete(digest));
      this.loading.set(digest, promise);
    }
    return promise;
  }

  keepOnly(digests: ReadonlySet<string>): void {
    for (const [digest, mesh] of this.meshes) {
      if (digests.has(digest)) continue;
      mesh.faces.dispose();
      mesh.edges.dispose();
      this.meshes.delete(digest);
    }
  }
}
