// The 3D view: one canvas, one or four panes, drawn only when something changed.
import {
  AmbientLight,
  Box3,
  CanvasTexture,
  Color,
  DirectionalLight,
  HemisphereLight,
  MathUtils,
  type Object3D,
  Plane,
  Scene,
  Sphere,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from "three";
import { AnaglyphEffect } from "three/addons/effects/AnaglyphEffect.js";
import type { State } from "../document/state";
import { metresPer, roundStep, trimmed } from "../document/units";
import type { Pose, Track, Vec3 } from "../protocol";
import { toast } from "../panels/toast";
import { h } from "../ui/dom";
import { Bodies } from "./bodies";
import { VIEW_COLORS } from "./colors";
import { Frames } from "./frames";
import { Grid } from "./grid";
import { Markers } from "./markers";
import { withoutGround } from "./overview";
import { type Preset, PRESETS, Rig, type Stand } from "./rig";
import { Triad } from "./triad";

export interface Pane {
  rig: Rig;
  name: string;
  /** In pixels of the page, from the upper left of the view. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Height of what lies over the upper edge of the view. */
const TOOLS_PIXELS = 52;
/** Pixels between grid lines, about. */
const GRID_PIXELS = 26;

export class Viewport {
  readonly element = h("div", { class: "viewport", id: "viewport" });
  readonly overlay = h("div", { class: "overlay", "aria-hidden": "true" });
  readonly surface = h("div", {
    class: "surface",
    tabindex: 0,
    role: "application",
    "aria-label": "3D view",
  });
  readonly scene = new Scene();
  readonly bodies: Bodies;
  readonly markers: Markers;
  readonly linkFrames: Frames;
  /** Drawn in the active pane only. */
  readonly onlyActive: Object3D[] = [];
  panes: Pane[];
  active: Pane;
  onFrame: (now: number) => boolean = () => false;
  frames = 0;
  private readonly renderer: WebGLRenderer;
  private anaglyph: AnaglyphEffect | null = null;
  private readonly grid = new Grid();
  private readonly triad: Triad;
  private readonly scaleText = h("div", { class: "view-scale" });
  private readonly paneLabels = h("div", { class: "pane-labels" });
  private readonly crosses = h("div", { class: "overlay", "aria-hidden": "true" });
  private readonly headlight = new DirectionalLight(0xffffff, 1.15);
  private readonly sectionPlane = new Plane();
  private readonly extent = new Box3();
  private readonly point = new Vector3();
  private readonly size = new Vector3();
  private readonly onActive = (point: Vector3): { x: number; y: number; visible: boolean } =>
    this.project(point, this.active);
  private wanted = false;
  private fitted = "";
  /** What is shown instead of the bodies of the scene. */
  private other: Box3 | null = null;
  private height = 1;
  private scaled = { cell: 0, units: "", shown: false };

  constructor(private readonly state: State) {
    this.renderer = new WebGLRenderer({
      antialias: true,
      alpha: false,
      stencil: true,
      preserveDrawingBuffer: false,
      powerPreference: "high-performance",
    });
    this.renderer.outputColorSpace = SRGBColorSpace;
    this.renderer.localClippingEnabled = true;
    this.renderer.autoClear = false;
    this.bodies = new Bodies(state);
    this.markers = new Markers(this.overlay);
    this.linkFrames = new Frames(state);
    const main = this.pane("", "iso");
    this.panes = [main];
    this.active = main;
    this.triad = new Triad((preset) => this.look(preset));
    this.element.append(
      this.renderer.domElement,
      this.surface,
      this.overlay,
      this.crosses,
      this.paneLabels,
      this.triad.element,
      this.scaleText,
    );

    const sky = new HemisphereLight(0xffffff, 0x8a95a5, 1.25);
    sky.position.set(0, 0, 1);
    const key = new DirectionalLight(0xffffff, 1.2);
    key.position.set(0.5, -0.9, 1.4);
    this.scene.add(
      sky,
      key,
      new AmbientLight(0xffffff, 0.18),
      this.headlight,
      this.headlight.target,
      this.grid,
      this.bodies.group,
      this.markers.group,
      this.linkFrames.mesh,
    );

    new ResizeObserver(() => this.resize()).observe(this.element);
    this.bodies.onLoaded = () => this.arranged();
    this.bodies.onFailed = (message) => toast.error({ message });
    state.on("scene", () => this.sceneChanged());
    state.on(["selection", "visibility", "focus"], () => {
      this.bodies.restyle();
      this.request();
    });
    state.on(["cursor", "draft"], () => {
      this.bodies.place();
      this.request();
    });
    let styled = "";
    state.on("robot", () => {
      // While a robot is dragged only what touches and what is shown twice changes how bodies are drawn.
      const style = JSON.stringify([...state.touching(), ...state.ghosts]);
      if (style !== styled) this.bodies.restyle();
      else this.bodies.place();
      styled = style;
      this.request();
    });
    let world: object | null = null;
    state.on("world", () => {
      if (world === state.world) return;
      world = state.world;
      this.sceneChanged();
    });
    state.on("view", () => this.settings());
    this.settings();
  }

  private pane(name: string, preset: Preset): Pane {
    const rig = new Rig();
    [rig.azimuth, rig.elevation] = PRESETS[preset];
    return { rig, name, x: 0, y: 0, width: 1, height: 1 };
  }

  private sceneChanged(): void {
    this.bodies.update();
    this.arranged();
  }

  private arranged(): void {
    const scene = this.state.scene;
    if (scene && this.bodies.loaded && !this.other) {
      this.measure();
      const key = `${scene.path ?? ""} ${scene.name} ${this.state.bodies.length}`;
      if (key !== this.fitted) {
        this.fitted = key;
        for (const [pane, stand] of this.stands(this.boxes())) pane.rig.go(stand);
      }
    }
    this.request();
  }

  private boxes(bodies: Iterable<number> = this.visible()): Box3[] {
    return this.other ? [this.other] : withoutGround([...bodies].map((body) => this.bodies.box([body])));
  }

  visible(): number[] {
    return this.state.bodies.map((_, body) => body).filter((body) => !this.state.hidden.has(body));
  }

  /** Something else than the bodies of the scene is shown: where it is, seen as a whole where asked. `null`: the scene again. */
  shown(box: Box3 | null, refit: boolean): void {
    if (!box) {
      this.other = null;
      this.fitted = "";
      this.arranged();
      return;
    }
    if (this.other) this.other.copy(box);
    else this.other = box.clone();
    if (refit) {
      this.measure();
      for (const [pane, stand] of this.stands([box])) pane.rig.go(stand);
    }
    this.request();
  }

  private measure(): void {
    const box = this.other ?? this.bodies.box(this.state.bodies.keys());
    if (box.isEmpty()) return;
    this.extent.copy(box);
    const sphere = box.getBoundingSphere(new Sphere());
    for (const pane of this.panes) {
      pane.rig.extent.copy(sphere);
      pane.rig.extent.radius *= 4;
    }
    const thickness = sphere.radius * 0.012;
    this.grid.lay(sphere.center.x, sphere.center.y, box.min.z - thickness, sphere.radius * 4);
  }

  /** Theme, shading, projection, section, panes. */
  settings(): void {
    const { view } = this.state;
    const colors = VIEW_COLORS[view.theme];
    this.scene.background = backdrop(colors.top, colors.bottom);
    this.grid.paint(colors.grid, view.theme === "dark");
    this.grid.visible = view.grid;
    this.triad.element.style.display = view.axes ? "" : "none";
    if (view.four !== this.panes.length > 1) {
      const main = this.panes[0]!;
      this.panes = view.four
        ? [main, this.pane("Top", "top"), this.pane("Front", "front"), this.pane("Right", "right")]
        : [main];
      main.name = view.four ? "Free" : "";
      this.active = main;
      this.measure();
      this.resize();
      for (const pane of this.panes.slice(1)) pane.rig.parallel = true;
      for (const [pane, stand] of this.stands(this.boxes(), this.panes.slice(1))) pane.rig.go(stand);
    }
    this.panes[0]!.rig.parallel = view.parallel;
    if (view.anaglyph && !this.anaglyph) {
      this.anaglyph = new AnaglyphEffect(this.renderer);
      this.anaglyph.setSize(this.element.clientWidth, this.element.clientHeight);
    } else if (!view.anaglyph && this.anaglyph) {
      this.anaglyph.dispose();
      this.anaglyph = null;
    }
    if (view.section) {
      const normal = new Vector3().setComponent(view.section.axis, view.section.flip ? 1 : -1);
      const low = this.extent.min.getComponent(view.section.axis);
      const high = this.extent.max.getComponent(view.section.axis);
      const at = low + (high - low) * view.section.at;
      this.sectionPlane.set(normal, view.section.flip ? -at : at);
      this.bodies.section(this.sectionPlane);
    } else this.bodies.section(null);
    this.bodies.restyle();
    this.request();
  }

  /** Where the section cuts, in metres along its axis. */
  sectionAt(): number {
    const section = this.state.view.section;
    if (!section) return 0;
    const low = this.extent.min.getComponent(section.axis);
    return low + (this.extent.max.getComponent(section.axis) - low) * section.at;
  }

  private resize(): void {
    const width = Math.max(1, this.element.clientWidth);
    const height = Math.max(1, this.element.clientHeight);
    this.height = height;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height);
    this.anaglyph?.setSize(width, height);
    const four = this.panes.length > 1;
    const w = four ? Math.floor(width / 2) : width;
    const hgt = four ? Math.floor(height / 2) : height;
    // The free view is in the upper right; top over front, right of it the side: as on a drawing sheet.
    const places: [number, number][] = [
      [four ? width - w : 0, 0],
      [0, 0],
      [0, height - hgt],
      [width - w, height - hgt],
    ];
    this.paneLabels.replaceChildren();
    this.panes.forEach((pane, index) => {
      [pane.x, pane.y] = places[index]!;
      pane.width = w;
      pane.height = hgt;
      this.bodies.resolution.value.set(w, hgt);
      pane.rig.aspect = w / hgt;
      // The tools lie over the upper edge of the view.
      pane.rig.covered = Math.min(0.25, (four ? (pane.y === 0 ? TOOLS_PIXELS : 0) : TOOLS_PIXELS) / hgt);
      if (four) {
        const label = h("div", { class: `pane-label${pane.x > 0 ? " at-right" : ""}` }, pane.name);
        label.style.transform = `translate(${pane.x}px, ${pane.y}px)`;
        label.style.width = `${w}px`;
        label.style.height = `${hgt}px`;
        this.paneLabels.append(label);
      }
    });
    this.activate(this.active);
    this.request();
  }

  /** The surface that hears the pointer lies over the active pane. */
  activate(pane: Pane): void {
    this.active = pane;
    this.surface.style.left = `${pane.x}px`;
    this.surface.style.top = `${pane.y}px`;
    this.surface.style.width = `${pane.width}px`;
    this.surface.style.height = `${pane.height}px`;
  }

  paneAt(x: number, y: number): Pane {
    return (
      this.panes.find(
        (pane) => x >= pane.x && y >= pane.y && x < pane.x + pane.width && y < pane.y + pane.height,
      ) ?? this.active
    );
  }

  /** Four views: marks in the other panes the point under the cursor: on the body there, or at the depth of the active pane's target. */
  cursor(x: number, y: number, on: Vec3 | null): void {
    const { active } = this;
    if (this.panes.length === 1) {
      if (this.crosses.childElementCount > 0) this.crosses.replaceChildren();
      return;
    }
    const { camera, target } = active.rig;
    const at = this.size;
    if (on) at.set(on[0], on[1], on[2]);
    else
      at.set(
        ((x - active.x) / active.width) * 2 - 1,
        1 - ((y - active.y) / active.height) * 2,
        this.point.copy(target).project(camera).z,
      ).unproject(camera);
    while (this.crosses.childElementCount < this.panes.length)
      this.crosses.append(h("div", { class: "cross" }, h("i"), h("b")));
    this.panes.forEach((pane, index) => {
      const cross = this.crosses.children[index] as HTMLElement;
      const seen = this.project(at, pane);
      cross.hidden = pane === active;
      // Lines across the whole pane, as on a drawing board.
      cross.style.cssText = `left: ${pane.x}px; top: ${pane.y}px; width: ${pane.width}px; height: ${pane.height}px`;
      (cross.firstElementChild as HTMLElement).style.transform =
        `translateX(${(seen.x - pane.x).toFixed(1)}px)`;
      (cross.lastElementChild as HTMLElement).style.transform =
        `translateY(${(seen.y - pane.y).toFixed(1)}px)`;
    });
  }

  look(preset: Preset): void {
    const rig = this.active.rig;
    const [azimuth, elevation] = PRESETS[preset];
    rig.fly({ ...rig.stand(), azimuth, elevation });
    this.request();
  }

  /** Lets bodies fill the view, where asked together with their goals. */
  fit(bodies: Iterable<number> = this.visible(), goals = false): void {
    const boxes = [...this.boxes(bodies), ...(goals ? [this.bodies.goalBox(bodies)] : [])];
    if (boxes.length === 0) return;
    for (const [pane, stand] of this.stands(boxes)) pane.rig.fly(stand);
    this.request();
  }

  /** Flies to bodies so that what is around them is seen too; never farther away than to all. */
  fitNear(bodies: Iterable<number>): void {
    const boxes = this.boxes(bodies);
    const all = this.stands(this.boxes());
    for (const [index, [pane, stand]] of this.stands(boxes).entries())
      pane.rig.fly({ ...stand, distance: Math.min(stand.distance * 3, all[index]![1].distance) });
    this.request();
  }

  /** Lets everything that a preview moves be seen, from where it starts to where it ends. */
  fitTracks(tracks: readonly Track[]): void {
    const boxes = this.boxes();
    for (const track of tracks)
      for (const pose of [track.poses[0], track.poses[track.poses.length - 1]])
        if (pose) boxes.push(this.bodies.boxAt(track.body, pose));
    if (boxes.length === 0) return;
    for (const [pane, stand] of this.stands(boxes)) pane.rig.fly(stand);
    this.request();
  }

  /** Where the cameras stand so that boxes fill their panes. Top, front and side are drawn in one scale, as on a drawing sheet. */
  private stands(boxes: Box3[], panes: Pane[] = this.panes): [Pane, Stand][] {
    const found = panes.map((pane): [Pane, Stand] => [pane, pane.rig.fit(boxes)]);
    const flat = found.filter(([pane]) => pane !== this.panes[0]);
    const distance = Math.max(0, ...flat.map(([, stand]) => stand.distance));
    const middle = boxes.reduce((all, box) => all.union(box), new Box3()).getCenter(new Vector3());
    for (const [, stand] of flat) Object.assign(stand, { distance, target: middle });
    return found;
  }

  /** Four views: panning and zooming one of top, front and side takes the other two along. */
  private couple(): void {
    if (this.panes.length === 1 || this.active === this.panes[0]) return;
    const { target, distance } = this.active.rig;
    for (let at = 1; at < this.panes.length; at++) {
      const { rig } = this.panes[at]!;
      if (rig === this.active.rig || rig.flying) continue;
      rig.target.copy(target);
      rig.distance = distance;
    }
  }

  /** Flies so that a ball around a point fills the view, looking across the normal where there is one: that is where a gap can be seen. */
  lookAt(point: Vector3, radius: number, normal: Vec3 | null = null): void {
    const box = new Box3().setFromCenterAndSize(
      point,
      new Vector3(1, 1, 1).multiplyScalar(Math.max(radius, this.extentRadius * 0.01)),
    );
    for (const pane of this.panes) {
      const { azimuth, elevation } = pane === this.panes[0] && normal ? across(normal, pane.rig) : pane.rig;
      pane.rig.fly({ ...pane.rig.fit([box]), azimuth, elevation });
    }
    this.request();
  }

  get extentRadius(): number {
    return this.extent.isEmpty() ? 1 : this.extent.getSize(this.size).length() / 2;
  }

  request(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(this.frame);
  }

  /** Milliseconds of script in the last frame, the drawing commands included. */
  frameMilliseconds = 0;

  private readonly frame = (now: number): void => {
    const start = performance.now();
    this.wanted = false;
    let again = this.onFrame(now);
    for (let at = 0; at < this.panes.length; at++) again = this.panes[at]!.rig.advance(now) || again;
    this.couple();
    for (let at = 0; at < this.panes.length; at++) this.panes[at]!.rig.update();
    this.draw();
    this.frames++;
    if (again) this.request();
    this.frameMilliseconds = performance.now() - start;
  };

  /** Words in the page are written only when they change. */
  private label(cell: number): void {
    const { units } = this.state;
    const shown = (this.state.scene !== null || this.other !== null) && this.state.view.grid;
    if (this.scaled.cell === cell && this.scaled.units === units && this.scaled.shown === shown) return;
    this.scaled = { cell, units, shown };
    this.scaleText.textContent = shown ? `Grid ${trimmed(cell / metresPer(units), 3)} ${units}` : "";
  }

  private draw(): void {
    const { renderer } = this;
    const height = this.height;
    const size = this.active.rig.pixel(this.active.height);
    const cell = roundDecade(size * GRID_PIXELS);
    this.grid.cell = cell;
    this.label(cell);
    this.triad.update(this.active.rig.camera);
    this.markers.update(size, this.onActive);
    this.linkFrames.update(size);
    renderer.setScissorTest(true);
    for (const pane of this.panes) {
      for (const object of this.onlyActive)
        object.visible = object.userData["wanted"] === true && pane === this.active;
      this.headlight.position.copy(pane.rig.camera.position);
      this.headlight.target.position.copy(pane.rig.target);
      this.headlight.target.updateMatrixWorld();
      renderer.setViewport(pane.x, height - pane.y - pane.height, pane.width, pane.height);
      renderer.setScissor(pane.x, height - pane.y - pane.height, pane.width, pane.height);
      renderer.clear();
      if (this.anaglyph && !pane.rig.parallel && this.panes.length === 1) {
        this.anaglyph.planeDistance = pane.rig.distance;
        this.anaglyph.eyeSep = pane.rig.distance / 30;
        this.anaglyph.render(this.scene, pane.rig.perspective);
      } else renderer.render(this.scene, pane.rig.camera);
    }
  }

  project(point: Vector3, pane: Pane): { x: number; y: number; visible: boolean } {
    const v = this.point.copy(point).project(pane.rig.camera);
    const x = pane.x + ((v.x + 1) / 2) * pane.width;
    const y = pane.y + ((1 - v.y) / 2) * pane.height;
    return { x, y, visible: v.z > -1 && v.z < 1 && Math.abs(v.x) <= 1 && Math.abs(v.y) <= 1 };
  }

  clippingPlanes(): Plane[] {
    return this.state.view.section ? [this.sectionPlane] : [];
  }

  pose(body: number): Pose {
    return this.state.pose(body);
  }

  /** A picture of the view as a PNG. */
  picture(): Promise<Blob | null> {
    for (const pane of this.panes) pane.rig.update();
    this.draw();
    return new Promise((resolve) => this.renderer.domElement.toBlob(resolve, "image/png"));
  }

  get memory(): { geometries: number; textures: number; calls: number } {
    return { ...this.renderer.info.memory, calls: this.renderer.info.render.calls };
  }
}

/** The direction nearest to the present one that looks across a normal, a little from above. */
function across(normal: Vec3, rig: Rig): { azimuth: number; elevation: number } {
  const flat = Math.hypot(normal[0], normal[1]);
  if (Math.abs(normal[2]) > flat) return { azimuth: rig.azimuth, elevation: MathUtils.degToRad(12) };
  const side = Math.atan2(normal[1], normal[0]) + Math.PI / 2;
  const turns = Math.round((rig.azimuth - side) / Math.PI);
  return { azimuth: side + turns * Math.PI, elevation: MathUtils.degToRad(32) };
}

/** A power of ten near `value`: grid lines are ten to one. */
function roundDecade(value: number): number {
  return 10 ** Math.ceil(Math.log10(Math.max(value, Number.MIN_VALUE)) - 0.6) || roundStep(value);
}

const backdrops = new Map<string, CanvasTexture>();

function backdrop(top: number, bottom: number): CanvasTexture {
  const key = `${top} ${bottom}`;
  const known = backdrops.get(key);
  if (known) return known;
  const canvas = document.createElement("canvas");
  canvas.width = 2;
  canvas.height = 256;
  const context = canvas.getContext("2d")!;
  const gradient = context.createLinearGradient(0, 0, 0, 256);
  gradient.addColorStop(0, `#${new Color(top).getHexString()}`);
  gradient.addColorStop(1, `#${new Color(bottom).getHexString()}`);
  context.fillStyle = gradient;
  context.fillRect(0, 0, 2, 256);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  backdrops.set(key, texture);
  return texture;
}
