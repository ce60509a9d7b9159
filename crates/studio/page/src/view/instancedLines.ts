// Line segments drawn once per body in one call. three.js instances meshes only, but its renderer asks an object for nothing more than
// the fields below, and the shader of a line material places instances like any other.
import {
  type BufferGeometry,
  InstancedBufferAttribute,
  LineSegments,
  type Material,
  Matrix4,
  Sphere,
} from "three";

const matrix = new Matrix4();
const one = new Sphere();

export class InstancedLines extends LineSegments {
  readonly isInstancedMesh = true;
  readonly instanceMatrix: InstancedBufferAttribute;
  readonly instanceColor: InstancedBufferAttribute;
  readonly morphTexture = null;
  /** Around all instances, for culling; `null` when they have moved. */
  boundingSphere: Sphere | null = null;
  override count: number;
  private readonly around = new Sphere();

  constructor(geometry: BufferGeometry, material: Material, capacity: number) {
    super(geometry, material);
    this.instanceMatrix = new InstancedBufferAttribute(new Float32Array(capacity * 16), 16);
    this.instanceColor = new InstancedBufferAttribute(new Float32Array(capacity * 3).fill(1), 3);
    this.count = 0;
    this.raycast = () => {};
  }

  computeBoundingSphere(): void {
    this.around.makeEmpty();
    for (let slot = 0; slot < this.count; slot++) {
      matrix.fromArray(this.instanceMatrix.array, 16 * slot);
      this.around.union(one.copy(this.geometry.boundingSphere!).applyMatrix4(matrix));
    }
    this.boundingSphere = this.around;
  }

  override dispose(): void {
    (this as unknown as { dispatchEvent(event: { type: string }): void }).dispatchEvent({ type: "dispose" });
  }
}
