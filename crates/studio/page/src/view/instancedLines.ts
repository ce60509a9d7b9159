// Line segments drawn once per body in one call. three.js instances meshes only, but its renderer asks an object for nothing more than
// the fields below, and the shader of a line material places instances like any other.
import { type BufferGeometry, InstancedBufferAttribute, LineSegments, type Material } from "three";

export class InstancedLines extends LineSegments {
  readonly isInstancedMesh = true;
  readonly instanceMatrix: InstancedBufferAttribute;
  readonly instanceColor: InstancedBufferAttribute;
  readonly morphTexture = null;
  override count: number;

  constructor(geometry: BufferGeometry, material: Material, capacity: number) {
    super(geometry, material);
    this.instanceMatrix = new InstancedBufferAttribute(new Float32Array(capacity * 16), 16);
    this.instanceColor = new InstancedBufferAttribute(new Float32Array(capacity * 3).fill(1), 3);
    this.count = 0;
    this.frustumCulled = false;
    this.raycast = () => {};
  }

  override dispose(): void {
    (this as unknown as { dispatchEvent(event: { type: string }): void }).dispatchEvent({ type: "dispose" });
  }
}
