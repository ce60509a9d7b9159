// Meshes by content: fetched once per digest, turned into drawable geometry with smooth normals inside and hard ones across creases.
import { type Box3, BufferAttribute, BufferGeometry, Vector3 } from "three";
import { TriangleTree } from "./triangleTree";

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
  /** For picking; made when it is first asked for. */
  readonly tree: TriangleTree;
  /** The surface encloses a solid, so that a section through it has an inside. */
  readonly closed: boolean;
}

/** Vector areas of a closed surface sum to nothing; more than this share of its area is a hole. */
const OPEN_SHARE = 1e-4;

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
  let tree: TriangleTree | null = null;
  let closed: boolean | null = null;
  return {
    faces,
    edges,
    center,
    box: faces.boundingBox!.clone(),
    positions,
    triangles,
    edgeVertices,
    get tree() {
      return (tree ??= new TriangleTree(positions, triangles));
    },
    get closed() {
      return (closed ??= encloses(positions, triangles));
    },
  };
}

function encloses(positions: Float32Array, triangles: Uint32Array): boolean {
  const a = new Vector3();
  const b = new Vector3();
  const c = new Vector3();
  const sum = new Vector3();
  let area = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    a.fromArray(positions, triangles[at]! * 3);
    b.fromArray(positions, triangles[at + 1]! * 3).sub(a);
    c.fromArray(positions, triangles[at + 2]! * 3).sub(a);
    sum.add(b.cross(c));
    area += b.length();
  }
  return sum.length() <= OPEN_SHARE * area;
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

  // One patch per corner at most; what is not needed is cut off at the end.
  const index = new Uint32Array(triangles.length);
  const outPositions = new Float32Array(3 * triangles.length);
  const outNormals = new Float32Array(3 * triangles.length);
  let count = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const open = count;
    for (let at = first[vertex]!; at < first[vertex + 1]!; at++) {
      const corner = corners[at]!;
      const face = corner - (corner % 3);
      const x = normals[face]!;
      const y = normals[face + 1]!;
      const z = normals[face + 2]!;
      const size = Math.sqrt(x * x + y * y + z * z);
      let patch = open;
      for (; patch < count; patch++) {
        const px = outNormals[3 * patch]!,
          py = outNormals[3 * patch + 1]!,
          pz = outNormals[3 * patch + 2]!;
        if (x * px + y * py + z * pz >= CREASE_COSINE * size * Math.sqrt(px * px + py * py + pz * pz)) break;
      }
      if (patch === count) {
        count++;
        for (let k = 0; k < 3; k++) outPositions[3 * patch + k] = positions[3 * vertex + k]!;
      }
      outNormals[3 * patch]! += x;
      outNormals[3 * patch + 1]! += y;
      outNormals[3 * patch + 2]! += z;
      index[corner] = patch;
    }
    for (let patch = open; patch < count; patch++) {
      const x = outNormals[3 * patch]!,
        y = outNormals[3 * patch + 1]!,
        z = outNormals[3 * patch + 2]!;
      const size = Math.sqrt(x * x + y * y + z * z) || 1;
      outNormals[3 * patch] = x / size;
      outNormals[3 * patch + 1] = y / size;
      outNormals[3 * patch + 2] = z / size;
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(outPositions.slice(0, 3 * count), 3));
  geometry.setAttribute("normal", new BufferAttribute(outNormals.slice(0, 3 * count), 3));
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
