// The cut faces of a section: every closed body that the plane cuts is counted into the stencil where it is, back faces up and front faces down;
// what is left is its inside, and a hatched square in the plane is drawn there. Bodies have their own colours, and neighbours different hatches.
import {
  AlwaysStencilFunc,
  BackSide,
  type Color,
  DecrementWrapStencilOp,
  DoubleSide,
  FrontSide,
  Group,
  IncrementWrapStencilOp,
  type Matrix4,
  Mesh,
  MeshBasicMaterial,
  NotEqualStencilFunc,
  type Plane,
  PlaneGeometry,
  Sphere,
  type StencilOp,
  Vector3,
  ZeroStencilOp,
} from "three";
import type { LoadedMesh } from "./mesh";

interface Cap {
  back: Mesh;
  front: Mesh;
  face: Mesh<PlaneGeometry, MeshBasicMaterial>;
  tilt: { value: number };
}

const square = new PlaneGeometry(2, 2);
const forward = new Vector3(0, 0, 1);
const sphere = new Sphere();

export class Caps {
  readonly group = new Group();
  private readonly caps: Cap[] = [];
  private readonly counting = {
    back: counter(BackSide, IncrementWrapStencilOp),
    front: counter(FrontSide, DecrementWrapStencilOp),
  };
  private used = 0;
  private plane: Plane | null = null;

  constructor() {
    this.group.matrixAutoUpdate = false;
  }

  begin(plane: Plane | null): void {
    this.used = 0;
    this.plane = plane;
    const planes = plane ? [plane] : null;
    for (const material of [this.counting.back, this.counting.front]) {
      if ((material.clippingPlanes === null) !== (planes === null)) material.needsUpdate = true;
      material.clippingPlanes = planes;
    }
  }

  /** A body that may be cut; `worldFromMesh` places the mesh's geometry. */
  add(body: number, mesh: LoadedMesh, worldFromMesh: Matrix4, color: Color): void {
    const { plane } = this;
    if (!plane) return;
    sphere.copy(mesh.faces.boundingSphere!).applyMatrix4(worldFromMesh);
    const off = plane.distanceToPoint(sphere.center);
    if (Math.abs(off) >= sphere.radius || !mesh.closed) return;
    const cap = (this.caps[this.used] ??= this.make(this.used));
    this.used++;
    for (const part of [cap.back, cap.front]) {
      part.geometry = mesh.faces;
      part.matrixWorld.copy(worldFromMesh);
    }
    const { face } = cap;
    face.position.copy(sphere.center).addScaledVector(plane.normal, -off);
    face.quaternion.setFromUnitVectors(forward, plane.normal);
    face.scale.setScalar(Math.sqrt(sphere.radius * sphere.radius - off * off) * 1.01);
    face.matrixWorld.compose(face.position, face.quaternion, face.scale);
    face.material.color.copy(color);
    cap.tilt.value = body % 2 === 0 ? 1 : -1;
  }

  end(): void {
    this.caps.forEach(
      (cap, index) => (cap.back.visible = cap.front.visible = cap.face.visible = index < this.used),
    );
  }

  private make(index: number): Cap {
    const tilt = { value: 1 };
    const material = hatched(tilt);
    const cap: Cap = {
      back: new Mesh(square, this.counting.back),
      front: new Mesh(square, this.counting.front),
      face: new Mesh(square, material),
      tilt,
    };
    // Counting and drawing of one body, then of the next.
    cap.back.renderOrder = cap.front.renderOrder = 1 + 2 * index;
    cap.face.renderOrder = 2 + 2 * index;
    for (const part of [cap.back, cap.front, cap.face]) {
      part.frustumCulled = false;
      part.matrixAutoUpdate = part.matrixWorldAutoUpdate = false;
      this.group.add(part);
    }
    return cap;
  }
}

function counter(side: typeof BackSide | typeof FrontSide, op: StencilOp): MeshBasicMaterial {
  return new MeshBasicMaterial({
    side,
    colorWrite: false,
    depthWrite: false,
    depthTest: false,
    stencilWrite: true,
    stencilFunc: AlwaysStencilFunc,
    stencilFail: op,
    stencilZFail: op,
    stencilZPass: op,
  });
}

function hatched(tilt: { value: number }): MeshBasicMaterial {
  const material = new MeshBasicMaterial({
    side: DoubleSide,
    stencilWrite: true,
    stencilRef: 0,
    stencilFunc: NotEqualStencilFunc,
    stencilFail: ZeroStencilOp,
    stencilZFail: ZeroStencilOp,
    stencilZPass: ZeroStencilOp,
  });
  material.onBeforeCompile = (shader) => {
    shader.uniforms["tilt"] = tilt;
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nuniform float tilt;")
      .replace(
        "#include <opaque_fragment>",
        "#include <opaque_fragment>\nif (mod(gl_FragCoord.x + tilt * gl_FragCoord.y, 9.0) < 1.4) gl_FragColor.rgb *= 0.45;",
      );
  };
  return material;
}
