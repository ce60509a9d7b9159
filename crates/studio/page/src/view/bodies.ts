// The bodies of the scene: one batch per mesh, two instanced draws (solid and faded) and one of feature edges for each.
import {
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
  Vector3,
} from "three";
import type { State } from "../document/state";
import type { Pose } from "../protocol";
import { CLOSE_COLOR, CONTACT_COLOR, PARTNER_COLOR, VIEW_COLORS } from "./colors";
import { InstancedLines } from "./instancedLines";
import { type LoadedMesh, MeshStore } from "./mesh";

interface Batch {
  mesh: LoadedMesh;
  bodies: number[];
  solid: InstancedMesh;
  faded: InstancedMesh;
  edges: InstancedLines;
  /** The body in each slot of `solid` and `faded`. */
  solidBodies: number[];
  fadedBodies: number[];
}

const GATHER_MILLISECONDS = 250;

const q = new Quaternion();
const p = new Vector3();
const one = new Vector3(1, 1, 1);
const shift = new Matrix4();
const matrix = new Matrix4();

export function matrixOf(pose: Pose, out: Matrix4): Matrix4 {
  return out.compose(p.set(pose[0], pose[1], pose[2]), q.set(pose[3], pose[4], pose[5], pose[6]), one);
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
  private readonly cutColor = { value: new Color(VIEW_COLORS.dark.cut) };
  private readonly cutting = { value: 0 };
  private readonly solidMaterial = this.shaded(new MeshStandardMaterial({ metalness: 0.12, roughness: 0.55, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
  private readonly fadedMaterial = new MeshStandardMaterial({ metalness: 0, roughness: 0.8, transparent: true, opacity: 0.16, depthWrite: false });
  private readonly paperMaterial = new MeshBasicMaterial({ polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
  private readonly edgeMaterial = new LineBasicMaterial({ transparent: true });

  private readonly lineColor = new Color();
  private readonly selectedColor = new Color();

  constructor(private readonly state: State) {}

  /** Paints inner sides in one flat colour while a section cuts, so that closed bodies look solid there. */
  private shaded(material: MeshStandardMaterial): MeshStandardMaterial {
    material.onBeforeCompile = (shader) => {
      shader.uniforms["cutColor"] = this.cutColor;
      shader.uniforms["cutting"] = this.cutting;
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", "#include <common>\nuniform vec3 cutColor;\nuniform float cutting;")
        .replace(
          "#include <opaque_fragment>",
          "#include <opaque_fragment>\nif (cutting > 0.5 && !gl_FrontFacing) { float s = mod(gl_FragCoord.x + gl_FragCoord.y, 9.0) < 1.3 ? 0.72 : 1.0; gl_FragColor = vec4(cutColor * s, 1.0); }",
        );
    };
    return material;
  }

  /** Takes the scene's list of bodies; meshes not known yet are fetched. */
  update(): void {
    const bodies = this.state.scene?.bodies ?? [];
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
    const bodies = this.state.scene?.bodies ?? [];
    const signature = bodies.map((body) => (this.meshes.get(body.mesh) ? body.mesh : "-")).join(" ");
    if (signature !== this.signature) {
      this.signature = signature;
      for (const batch of this.batches) {
        this.group.remove(batch.solid, batch.faded, batch.edges);
        batch.solid.dispose();
        batch.faded.dispose();
        batch.edges.dispose();
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
        const solid = new InstancedMesh(mesh.faces, this.solidMaterial, list.length);
        const faded = new InstancedMesh(mesh.faces, this.fadedMaterial, list.length);
        const edges = new InstancedLines(mesh.edges, this.edgeMaterial, list.length);
        solid.frustumCulled = faded.frustumCulled = false;
        faded.renderOrder = 2;
        const batch: Batch = { mesh, bodies: list, solid, faded, edges, solidBodies: [], fadedBodies: [] };
        this.batches.push(batch);
        for (const body of list) this.batchOf[body] = batch;
        this.group.add(solid, faded, edges);
      }
    }
    this.restyle();
  }

  /** Which body is drawn how: selection, highlights, hidden ones, shading. */
  restyle(): void {
    const { state } = this;
    const { shading, theme, fade } = state.view;
    const colors = VIEW_COLORS[theme];
    const pair = this.highlightedPair();
    const color = new Color();
    const mixed = new Color();
    const isolate = pair !== null || (fade && state.selected.size > 0);
    for (const batch of this.batches) {
      batch.solidBodies = [];
      batch.fadedBodies = [];
      for (const body of batch.bodies) {
        if (state.hidden.has(body)) continue;
        const stands = !isolate || (pair ? pair.bodies.includes(body) : state.selected.has(body));
        (stands ? batch.solidBodies : batch.fadedBodies).push(body);
      }
      const paint = (mesh: InstancedMesh, list: number[]): void => {
        mesh.count = list.length;
        mesh.visible = list.length > 0 && shading !== "wireframe";
        list.forEach((body, slot) => {
          const rgb = state.scene!.bodies[body]!.color;
          color.setRGB(rgb[0], rgb[1], rgb[2], SRGBColorSpace);
          if (pair?.bodies.includes(body)) color.lerp(mixed.set(pair.bodies[0] === body ? pair.color : PARTNER_COLOR), 0.7);
          else if (state.selected.has(body)) color.lerp(mixed.set(colors.selected), 0.55);
          else if (state.hovered === body) color.lerp(mixed.set(colors.hovered), 0.35);
          mesh.setColorAt(slot, color);
        });
        if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      };
      paint(batch.solid, batch.solidBodies);
      paint(batch.faded, batch.fadedBodies);
      batch.solid.material = shading === "hidden" ? this.paperMaterial : this.solidMaterial;
      if (shading === "hidden") {
        // Paper shows no body colours.
        batch.solidBodies.forEach((body, slot) => batch.solid.setColorAt(slot, state.selected.has(body) ? color.set(colors.selected).lerp(new Color(colors.paper), 0.6) : color.set(colors.paper)));
      }
      batch.edges.visible = shading !== "shaded";
    }
    // A contact lies between two bodies: both let it be seen.
    this.solidMaterial.transparent = pair !== null;
    this.solidMaterial.opacity = pair ? 0.72 : 1;
    const drawn = shading === "wireframe" || shading === "hidden";
    this.lineColor.set(drawn ? colors.line : colors.edge);
    this.selectedColor.set(colors.selected);
    this.edgeMaterial.opacity = drawn ? 0.95 : theme === "dark" ? 0.75 : 0.6;
    this.cutColor.value.set(colors.cut);
    this.place();
  }

  private highlightedPair(): { bodies: number[]; color: number } | null {
    const { focus } = this.state;
    if (!focus) return null;
    const names = focus.kind === "finding" ? focus.finding.pair : this.state.verdict?.steps[focus.step]?.closest?.pair;
    if (!names) return null;
    const bad = focus.kind === "finding" && focus.finding.kind !== "too_close";
    return { bodies: names.map((name) => this.state.bodyNamed(name)), color: bad ? CONTACT_COLOR : CLOSE_COLOR };
  }

  /** Writes the matrices; called for every frame of a playback. */
  place(): void {
    for (const batch of this.batches) {
      shift.makeTranslation(batch.mesh.center.x, batch.mesh.center.y, batch.mesh.center.z);
      let line = 0;
      for (const faded of [false, true]) {
        const target = faded ? batch.faded : batch.solid;
        const list = faded ? batch.fadedBodies : batch.solidBodies;
        for (let slot = 0; slot < list.length; slot++) {
          matrixOf(this.state.pose(list[slot]!), matrix).multiply(shift);
          target.setMatrixAt(slot, matrix);
          // Faded bodies keep their edges only where edges are all there is.
          if (!faded || this.state.view.shading === "wireframe") {
            (this.state.selected.has(list[slot]!) ? this.selectedColor : this.lineColor).toArray(batch.edges.instanceColor.array, 3 * line);
            matrix.toArray(batch.edges.instanceMatrix.array, 16 * line++);
          }
        }
        target.instanceMatrix.needsUpdate = true;
        target.boundingSphere = null;
        target.boundingBox = null;
      }
      batch.edges.count = line;
      batch.edges.instanceMatrix.needsUpdate = true;
      batch.edges.instanceColor.needsUpdate = true;
    }
  }

  section(plane: Plane | null): void {
    const planes = plane ? [plane] : null;
    this.cutting.value = plane ? 1 : 0;
    for (const material of [this.solidMaterial, this.fadedMaterial, this.paperMaterial, this.edgeMaterial]) {
      if ((material.clippingPlanes === null) !== (planes === null)) material.needsUpdate = true;
      material.clippingPlanes = planes;
    }
    this.solidMaterial.side = plane ? DoubleSide : FrontSide;
    this.paperMaterial.side = plane ? DoubleSide : FrontSide;
  }

  /** What can be hit by a ray. */
  targets(): InstancedMesh[] {
    return this.batches.flatMap((batch) => [batch.solid, batch.faded].filter((mesh) => mesh.count > 0));
  }

  bodyAt(mesh: InstancedMesh, slot: number): number | undefined {
    for (const batch of this.batches) {
      if (batch.solid === mesh) return batch.solidBodies[slot];
      if (batch.faded === mesh) return batch.fadedBodies[slot];
    }
    return undefined;
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

  /** The middle of a body in its own frame. */
  middle(body: number): Vector3 {
    const mesh = this.meshOf(body);
    return mesh ? mesh.box.getCenter(new Vector3()).add(mesh.center) : new Vector3();
  }

  get loaded(): boolean {
    return (this.state.scene?.bodies ?? []).every((_, body) => this.batchOf[body] !== undefined);
  }
}
