// The bodies of the scene: one batch per mesh, instanced draws (solid, faded, and ghosts at the goals) with feature edges for each.
import {
  BackSide,
  Box3,
  Color,
  DoubleSide,
  FrontSide,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  Matrix4,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Plane,
  Quaternion,
  SRGBColorSpace,
  Vector2,
  Vector3,
} from "three";
import type { State } from "../document/state";
import type { Pose } from "../protocol";
import { Caps } from "./caps";
import { CLOSE_COLOR, CONTACT_COLOR, GOAL_COLOR, PARTNER_COLOR, VIEW_COLORS } from "./colors";
import { InstancedLines } from "./instancedLines";
import { type LoadedMesh, MeshStore } from "./mesh";

interface Batch {
  mesh: LoadedMesh;
  bodies: number[];
  solid: InstancedMesh;
  faded: InstancedMesh;
  ghost: InstancedMesh;
  /** The silhouette, for drawings: inner sides, a little wider than the body. Placed with `solid`. */
  outline: InstancedMesh;
  edges: InstancedLines;
  ghostEdges: InstancedLines;
  /** The body in each slot of `solid`, `faded`, `edges` and `ghost`. */
  solidBodies: number[];
  fadedBodies: number[];
  edgeBodies: number[];
  ghostBodies: number[];
}

const GATHER_MILLISECONDS = 250;
/** A body nearer to its goal than this share of its size is there: no ghost is drawn. */
const AT_GOAL = 1e-4;

const q = new Quaternion();
const p = new Vector3();
const one = new Vector3(1, 1, 1);
const shift = new Matrix4();
const matrix = new Matrix4();
const goalMatrix = new Matrix4();
const color = new Color();
const mixed = new Color();

export function matrixOf(pose: Pose, out: Matrix4): Matrix4 {
  return out.compose(p.set(pose[0], pose[1], pose[2]), q.set(pose[3], pose[4], pose[5], pose[6]), one);
}

/** Where the geometry of a mesh is drawn: at a pose, moved by its centre. */
function placed(poses: ArrayLike<number>, at: number, center: Vector3, out: Matrix4): Matrix4 {
  q.set(poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!);
  p.copy(center).applyQuaternion(q);
  p.x += poses[at]!;
  p.y += poses[at + 1]!;
  p.z += poses[at + 2]!;
  return out.compose(p, q, one);
}

export class Bodies {
  readonly group = new Group();
  readonly meshes = new MeshStore();
  onLoaded: () => void = () => {};
  onFailed: (message: string) => void = () => {};
  private batches: Batch[] = [];
  private batchOf: (Batch | undefined)[] = [];
  private signature = "";
  private timer = 0;
  private poses = new Float64Array(0);
  private drawn = new Float64Array(0);
  private readonly caps = new Caps();
  private plane: Plane | null = null;
  private touching: ReadonlySet<number> = new Set();
  private readonly solidMaterial = new MeshStandardMaterial({
    metalness: 0.12,
    roughness: 0.55,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  private readonly fadedMaterial = new MeshStandardMaterial({
    metalness: 0,
    roughness: 0.8,
    transparent: true,
    opacity: 0.16,
    depthWrite: false,
  });
  private readonly ghostMaterial = new MeshStandardMaterial({
    metalness: 0,
    roughness: 0.9,
    transparent: true,
    opacity: 0.3,
    depthWrite: false,
  });
  private readonly paperMaterial = new MeshBasicMaterial({
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  /** Of the view in pixels. */
  readonly resolution = { value: new Vector2(1, 1) };
  private readonly outlineMaterial = outlined(this.resolution);
  private readonly edgeMaterial = new LineBasicMaterial({ transparent: true });
  private readonly ghostEdgeMaterial = new LineBasicMaterial({
    transparent: true,
    opacity: 0.5,
    depthWrite: false,
  });

  private readonly lineColor = new Color();
  private readonly selectedColor = new Color();

  constructor(private readonly state: State) {
    this.group.add(this.caps.group);
  }

  /** Takes the scene's list of bodies; meshes not known yet are fetched. */
  update(): void {
    const { bodies } = this.state;
    const digests = new Set(bodies.map((body) => body.mesh));
    for (const digest of digests)
      if (!this.meshes.get(digest))
        this.meshes.load(digest).then(
          () => this.arrived(),
          (error: Error) => this.onFailed(error.message),
        );
    this.meshes.keepOnly(digests);
    this.rebuild();
  }

  /** Meshes come in quick succession; they are taken up together. */
  private arrived(): void {
    if (this.timer !== 0) return;
    const take = (): void => {
      this.timer = 0;
      this.rebuild();
      this.onLoaded();
    };
    this.timer = window.setTimeout(take, this.meshes.busy ? GATHER_MILLISECONDS : 0);
  }

  private rebuild(): void {
    const { bodies } = this.state;
    const signature = bodies.map((body) => (this.meshes.get(body.mesh) ? body.mesh : "-")).join(" ");
    if (signature !== this.signature) {
      this.signature = signature;
      for (const batch of this.batches) {
        for (const part of parts(batch)) {
          this.group.remove(part);
          part.dispose();
        }
      }
      this.batches = [];
      this.batchOf = [];
      const byMesh = new Map<string, number[]>();
      bodies.forEach((body, index) => {
        const list = byMesh.get(body.mesh) ?? [];
        list.push(index);
        byMesh.set(body.mesh, list);
      });
      for (const [digest, list] of byMesh) {
        const mesh = this.meshes.get(digest);
        if (!mesh) continue;
        const batch: Batch = {
          mesh,
          bodies: list,
          solid: new InstancedMesh(mesh.faces, this.solidMaterial, list.length),
          faded: new InstancedMesh(mesh.faces, this.fadedMaterial, list.length),
          ghost: new InstancedMesh(mesh.faces, this.ghostMaterial, list.length),
          outline: new InstancedMesh(mesh.faces, this.outlineMaterial, 0),
          edges: new InstancedLines(mesh.edges, this.edgeMaterial, list.length),
          ghostEdges: new InstancedLines(mesh.edges, this.ghostEdgeMaterial, list.length),
          solidBodies: [],
          fadedBodies: [],
          edgeBodies: [],
          ghostBodies: [],
        };
        batch.outline.instanceMatrix = batch.solid.instanceMatrix;
        batch.outline.frustumCulled = false;
        batch.faded.renderOrder = 2;
        batch.ghost.renderOrder = batch.ghostEdges.renderOrder = 3;
        this.batches.push(batch);
        for (const body of list) this.batchOf[body] = batch;
        for (const part of parts(batch)) {
          // Bodies are placed by their instances; the objects themselves never move.
          part.matrixAutoUpdate = part.matrixWorldAutoUpdate = false;
          this.group.add(part);
        }
      }
    }
    if (this.poses.length !== 7 * bodies.length) {
      this.poses = new Float64Array(7 * bodies.length);
      this.drawn = new Float64Array(7 * bodies.length);
    }
    this.restyle();
  }

  /** Which body is drawn how: selection, highlights, hidden ones, shading. */
  restyle(): void {
    const { state } = this;
    const { shading, theme, fade } = state.view;
    const colors = VIEW_COLORS[theme];
    const pair = this.highlightedPair();
    this.touching = state.touching();
    const isolate = pair !== null || (fade && state.selected.size > 0);
    const drawn = shading === "wireframe" || shading === "hidden";
    // Goals are places: what is in them is seen.
    const places = new Set(state.worldly ? (state.world?.info.goals ?? []).map((goal) => goal.body) : []);
    this.lineColor.set(drawn ? colors.line : colors.edge);
    this.selectedColor.set(colors.selected);
    for (const batch of this.batches) {
      batch.solidBodies = [];
      batch.fadedBodies = [];
      for (const body of batch.bodies) {
        if (state.hidden.has(body)) continue;
        const stands = !isolate || (pair ? pair.bodies.includes(body) : state.selected.has(body));
        (stands && !places.has(body) ? batch.solidBodies : batch.fadedBodies).push(body);
      }
      // Faded bodies keep their edges only where edges are all there is.
      batch.edgeBodies =
        shading === "wireframe"
          ? [...batch.solidBodies, ...batch.fadedBodies]
          : [...batch.solidBodies, ...batch.fadedBodies.filter((body) => places.has(body))];
      for (const [mesh, list] of [
        [batch.solid, batch.solidBodies],
        [batch.faded, batch.fadedBodies],
      ] as const) {
        mesh.count = list.length;
        mesh.visible = list.length > 0 && shading !== "wireframe";
        list.forEach((body, slot) => mesh.setColorAt(slot, this.colorOf(body, pair)));
        if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      }
      batch.solid.material = shading === "hidden" ? this.paperMaterial : this.solidMaterial;
      batch.outline.count = batch.solidBodies.length;
      batch.outline.visible = shading === "hidden" && batch.outline.count > 0;
      batch.edges.count = batch.edgeBodies.length;
      batch.edges.visible = shading !== "shaded" && batch.edges.count > 0;
      batch.edgeBodies.forEach((body, slot) =>
        (state.selected.has(body) ? this.selectedColor : this.lineColor).toArray(
          batch.edges.instanceColor.array,
          3 * slot,
        ),
      );
      batch.edges.instanceColor.needsUpdate = true;
      this.haunt(batch);
    }
    // A contact lies between two bodies: both let it be seen.
    this.solidMaterial.transparent = pair !== null;
    this.solidMaterial.opacity = pair ? 0.72 : 1;
    this.outlineMaterial.color.set(colors.line);
    this.edgeMaterial.opacity = drawn ? 0.95 : theme === "dark" ? 0.75 : 0.6;
    this.place(true);
  }

  private colorOf(body: number, pair: { bodies: number[]; color: number } | null): Color {
    const { state } = this;
    const colors = VIEW_COLORS[state.view.theme];
    if (state.view.shading === "hidden")
      return state.selected.has(body)
        ? color.set(colors.selected).lerp(mixed.set(colors.paper), 0.6)
        : color.set(colors.paper);
    const rgb = state.bodies[body]!.color;
    color.setRGB(rgb[0], rgb[1], rgb[2], SRGBColorSpace);
    if (pair?.bodies.includes(body))
      return color.lerp(mixed.set(pair.bodies[0] === body ? pair.color : PARTNER_COLOR), 0.7);
    // What a robot touches is tinted only: it may be the whole floor.
    if (this.touching.has(body))
      return color.lerp(mixed.set(CONTACT_COLOR), state.jog?.poses.has(body) ? 0.8 : 0.3);
    // Robots keep their colours: the edges tell which one is worked with.
    if (
      state.selected.has(body) &&
      (state.robot === null || state.scene!.bodies[body]?.robot !== state.robot)
    )
      return color.lerp(mixed.set(colors.selected), 0.55);
    return state.hovered === body ? color.lerp(mixed.set(colors.hovered), 0.35) : color;
  }

  /** Ghosts of the bodies of a batch at their goals. */
  private haunt(batch: Batch): void {
    const { state } = this;
    const { ghost, ghostEdges } = batch;
    batch.ghostBodies =
      state.ghosts.size > 0
        ? batch.bodies.filter((body) => state.ghosts.has(body) && !state.hidden.has(body))
        : state.view.goals &&
            (!state.focus || (state.focus.kind === "finding" && state.focus.finding.kind === "goal"))
          ? batch.bodies.filter((body) => state.goal(body) !== null && !state.hidden.has(body))
          : [];
    ghostEdges.visible = ghost.visible = false;
    batch.ghostBodies.forEach((body, slot) => {
      color.setRGB(...state.bodies[body]!.color, SRGBColorSpace).lerp(mixed.set(GOAL_COLOR), 0.6);
      ghost.setColorAt(slot, color);
      color.set(GOAL_COLOR).toArray(ghostEdges.instanceColor.array, 3 * slot);
    });
    if (ghost.instanceColor) ghost.instanceColor.needsUpdate = true;
    ghostEdges.instanceColor.needsUpdate = true;
  }

  private highlightedPair(): { bodies: number[]; color: number } | null {
    const { focus } = this.state;
    if (!focus) return null;
    const names =
      focus.kind === "finding" ? focus.finding.pair : this.state.verdict?.steps[focus.step]?.closest?.pair;
    if (!names) return null;
    const bad = focus.kind === "finding" && focus.finding.kind !== "too_close";
    return {
      bodies: names.map((name) => this.state.bodyNamed(name)),
      color: bad ? CONTACT_COLOR : CLOSE_COLOR,
    };
  }

  /** Writes the matrices of the bodies that moved, or of all; called for every frame of a playback, and makes no garbage. */
  place(all = false): void {
    const { poses, drawn, state } = this;
    state.fillPoses(poses);
    let any = all;
    for (let index = 0; index < this.batches.length; index++) {
      const batch = this.batches[index]!;
      let moved = all;
      for (let at = 0; !moved && at < batch.bodies.length; at++) {
        const body = 7 * batch.bodies[at]!;
        for (let k = 0; k < 7; k++) if (poses[body + k] !== drawn[body + k]) moved = true;
      }
      if (!moved) continue;
      any = true;
      this.write(batch.solid, batch.solidBodies, batch.mesh.center);
      this.write(batch.faded, batch.fadedBodies, batch.mesh.center);
      this.write(batch.edges, batch.edgeBodies, batch.mesh.center);
      if (batch.ghostBodies.length > 0) this.writeGhosts(batch);
    }
    if (!any) return;
    drawn.set(poses);
    if (this.plane) this.cap();
  }

  private write(target: InstancedMesh | InstancedLines, list: number[], center: Vector3): void {
    const array = target.instanceMatrix.array;
    for (let slot = 0; slot < list.length; slot++)
      placed(this.poses, 7 * list[slot]!, center, matrix).toArray(array, 16 * slot);
    target.instanceMatrix.needsUpdate = true;
    // Without one the renderer makes it.
    if (target.boundingSphere) target.computeBoundingSphere();
  }

  private writeGhosts({ ghost, ghostEdges, ghostBodies, mesh }: Batch): void {
    const { state } = this;
    const near = AT_GOAL * mesh.faces.boundingSphere!.radius;
    let slot = 0;
    for (let at = 0; at < ghostBodies.length; at++) {
      const body = ghostBodies[at]!;
      placed(state.ghost(body)!, 0, mesh.center, goalMatrix);
      placed(this.poses, 7 * body, mesh.center, matrix);
      let off = 0;
      for (let k = 0; k < 12; k++)
        off = Math.max(
          off,
          Math.abs(goalMatrix.elements[k]! - matrix.elements[k]!) * mesh.faces.boundingSphere!.radius,
        );
      for (let k = 12; k < 15; k++)
        off = Math.max(off, Math.abs(goalMatrix.elements[k]! - matrix.elements[k]!));
      if (off <= near) continue;
      goalMatrix.toArray(ghost.instanceMatrix.array, 16 * slot);
      goalMatrix.toArray(ghostEdges.instanceMatrix.array, 16 * slot++);
    }
    ghost.count = ghostEdges.count = slot;
    ghost.visible = slot > 0 && state.view.shading !== "wireframe";
    ghostEdges.visible = slot > 0;
    ghost.instanceMatrix.needsUpdate = ghostEdges.instanceMatrix.needsUpdate = true;
    if (ghost.boundingSphere) ghost.computeBoundingSphere();
    if (ghostEdges.boundingSphere) ghostEdges.computeBoundingSphere();
  }

  section(plane: Plane | null): void {
    this.plane = plane;
    const planes = plane ? [plane] : null;
    for (const material of [
      this.solidMaterial,
      this.fadedMaterial,
      this.paperMaterial,
      this.edgeMaterial,
      this.outlineMaterial,
      this.ghostMaterial,
      this.ghostEdgeMaterial,
    ]) {
      if ((material.clippingPlanes === null) !== (planes === null)) material.needsUpdate = true;
      material.clippingPlanes = planes;
    }
    this.solidMaterial.side = plane ? DoubleSide : FrontSide;
    this.paperMaterial.side = plane ? DoubleSide : FrontSide;
    this.cap();
  }

  /** The cut faces of the bodies that a section cuts. */
  private cap(): void {
    const { shading } = this.state.view;
    this.caps.begin(shading === "wireframe" ? null : this.plane);
    if (this.plane) {
      const pair = this.highlightedPair();
      for (const { solidBodies, mesh } of this.batches)
        for (const body of solidBodies)
          this.caps.add(
            body,
            mesh,
            placed(this.poses, 7 * body, mesh.center, matrix),
            this.colorOf(body, pair).lerp(mixed.set(0xffffff), shading === "hidden" ? 0 : 0.18),
          );
    }
    this.caps.end();
  }

  meshOf(body: number): LoadedMesh | undefined {
    return this.batchOf[body]?.mesh;
  }

  /** The box around bodies where they are drawn now. */
  box(bodies: Iterable<number>): Box3 {
    const box = new Box3();
    for (const body of bodies) {
      const mesh = this.meshOf(body);
      if (!mesh) continue;
      shift.makeTranslation(mesh.center.x, mesh.center.y, mesh.center.z);
      box.union(mesh.box.clone().applyMatrix4(matrixOf(this.state.pose(body), matrix).multiply(shift)));
    }
    return box;
  }

  /** The box around bodies at their goals, those that have one. */
  goalBox(bodies: Iterable<number>): Box3 {
    const box = new Box3();
    for (const body of bodies) {
      const goal = this.state.goal(body);
      if (goal) box.union(this.boxAt(body, goal));
    }
    return box;
  }

  boxAt(body: number, pose: Pose): Box3 {
    const mesh = this.meshOf(body);
    return mesh ? mesh.box.clone().applyMatrix4(placed(pose, 0, mesh.center, matrix)) : new Box3();
  }

  /** The middle of a body in its own frame. */
  middle(body: number): Vector3 {
    const mesh = this.meshOf(body);
    return mesh ? mesh.box.getCenter(new Vector3()).add(mesh.center) : new Vector3();
  }

  get loaded(): boolean {
    return this.state.bodies.every((_, body) => this.batchOf[body] !== undefined);
  }
}

const parts = (batch: Batch): (InstancedMesh | InstancedLines)[] => [
  batch.solid,
  batch.faded,
  batch.outline,
  batch.edges,
  batch.ghost,
  batch.ghostEdges,
];

/** Inner sides moved outwards by a little more than a pixel: what of them is seen beside the body is its silhouette. */
function outlined(resolution: { value: Vector2 }): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ side: BackSide });
  material.onBeforeCompile = (shader) => {
    shader.uniforms["resolution"] = resolution;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nuniform vec2 resolution;")
      .replace(
        "#include <project_vertex>",
        `#include <project_vertex>
        vec2 outward = (projectionMatrix * modelViewMatrix * instanceMatrix * vec4(normal, 0.0)).xy * resolution;
        gl_Position.xy += outward / max(length(outward), 1e-12) * 2.4 / resolution * gl_Position.w;`,
      );
  };
  return material;
}
