// Bodies that change their form, as the newest frame has them: surfaces, boxes, normals, layers, and the volume in which they overlap.
import {
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  FrontSide,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  Points,
  PointsMaterial,
  Vector3,
} from "three";
import type { LayerGrid } from "../protocol";
import type { DeformFrame, FrameBody } from "../protocol/deform";
import type { Deform } from "../document/deform";
import type { State } from "../document/state";
import { CLOSE_COLOR, CONTACT_COLOR, VIEW_COLORS } from "./colors";
import type { Viewport } from "./viewport";

const BODY_COLORS = [0x5b8fd6, 0x57b382, 0xd9a441, 0x9a7fd1, 0x4fb0b8, 0x9aa5b1];
/** By how many other volumes share a place. */
const OVERLAP_COLORS = [
  new Color(CONTACT_COLOR),
  new Color(0xd6336c),
  new Color(0x9c36b5),
  new Color(0x5f3dc4),
];
const ENTER_COLOR = new Color(0x4dabf7);
const LEAVE_COLOR = new Color(0xffa94d);
/** Length of a drawn normal, as a share of the size of the body. */
const NORMAL_SHARE = 0.025;
/** Most normals that are drawn; of more vertices every so many-th. */
const MOST_NORMALS = 12_000;
/** Thickness of a drawn layer, as a share of a pixel. */
const SHEET = 0.06;
const BOX_EDGES = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7];

interface Drawn {
  mesh: string;
  group: Group;
  surface: Mesh<BufferGeometry, MeshStandardMaterial>;
  box: LineSegments<BufferGeometry, LineBasicMaterial>;
  normals: LineSegments<BufferGeometry, LineBasicMaterial>;
}

export class Deformed {
  readonly group = new Group();
  private readonly bodies: Drawn[] = [];
  private readonly indices = new Map<string, Promise<Uint32Array>>();
  private readonly known = new Map<string, Uint32Array>();
  private readonly unit = new BoxGeometry(1, 1, 1);
  private columns: InstancedMesh<BoxGeometry, MeshStandardMaterial> | null = null;
  private readonly points = cloud(3);
  private readonly depths = cloud(1.6);
  private readonly faults = cloud(6);

  constructor(
    private readonly viewport: Viewport,
    private readonly deform: Deform,
    private readonly state: State,
  ) {
    this.group.visible = false;
    this.group.add(this.points, this.depths, this.faults);
    viewport.scene.add(this.group);
    state.on(["deform", "view"], () => this.restyle());
  }

  /** The faces of a mesh, fetched once. */
  async faces(mesh: string, ask: (mesh: string) => Promise<Uint32Array>): Promise<void> {
    let promise = this.indices.get(mesh);
    if (!promise) {
      promise = ask(mesh);
      this.indices.set(mesh, promise);
      promise.catch(() => this.indices.delete(mesh));
    }
    this.known.set(mesh, await promise);
  }

  draw(frame: DeformFrame | null, refit: boolean): void {
    if (!frame) return;
    while (this.bodies.length > frame.bodies.length) this.drop(this.bodies.pop()!);
    frame.bodies.forEach((body, index) => this.put(body, index));
    this.volume(frame);
    this.clouds(frame);
    this.restyle();
    const all = frame.bodies.reduce((box, body) => box.union(boxOf(body)), new Box3());
    this.viewport.shown(all, refit);
  }

  private put(body: FrameBody, index: number): void {
    const before = this.bodies[index];
    if (
      before &&
      (before.mesh !== body.mesh || before.surface.geometry.getAttribute("position").count !== body.vertices)
    )
      this.drop(before);
    const drawn = before?.group.parent ? before : (this.bodies[index] = this.create(body, index));
    drawn.group.position.fromArray(body.origin);
    const { geometry } = drawn.surface;
    copy(geometry, "position", body.positions);
    copy(geometry, "normal", body.normals);
    const [low, high] = body.box;
    const corners = drawn.box.geometry.getAttribute("position") as BufferAttribute;
    for (let corner = 0; corner < 8; corner++)
      corners.setXYZ(
        corner,
        ...([0, 1, 2].map((k) => ((corner >> k) & 1 ? high : low)[k]! - body.origin[k]!) as [
          number,
          number,
          number,
        ]),
      );
    corners.needsUpdate = true;
    this.hair(drawn, body);
  }

  private create(body: FrameBody, index: number): Drawn {
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(this.known.get(body.mesh) ?? new Uint32Array(), 1));
    geometry.setAttribute(
      "position",
      new BufferAttribute(new Float32Array(3 * body.vertices), 3).setUsage(DynamicDrawUsage),
    );
    geometry.setAttribute(
      "normal",
      new BufferAttribute(new Int8Array(4 * body.vertices), 4, true).setUsage(DynamicDrawUsage),
    );
    const color = BODY_COLORS[index % BODY_COLORS.length]!;
    const surface = new Mesh(geometry, new MeshStandardMaterial({ color, roughness: 0.55, metalness: 0.05 }));
    const lines = (vertices: number, shade: number): LineSegments<BufferGeometry, LineBasicMaterial> =>
      new LineSegments(
        new BufferGeometry().setAttribute(
          "position",
          new BufferAttribute(new Float32Array(3 * vertices), 3).setUsage(DynamicDrawUsage),
        ),
        new LineBasicMaterial({ color: shade, transparent: true }),
      );
    const box = lines(8, color);
    box.geometry.setIndex(BOX_EDGES);
    const normals = lines(2 * Math.min(body.vertices, MOST_NORMALS), 0x74c0fc);
    const group = new Group();
    group.add(surface, box, normals);
    for (const object of group.children) object.frustumCulled = false;
    this.group.add(group);
    return { mesh: body.mesh, group, surface, box, normals };
  }

  private drop(drawn: Drawn): void {
    this.group.remove(drawn.group);
    for (const part of [drawn.surface, drawn.box, drawn.normals]) {
      part.geometry.dispose();
      part.material.dispose();
    }
  }

  /** Normals as short lines. */
  private hair(drawn: Drawn, body: FrameBody): void {
    drawn.normals.visible = this.deform.normals;
    if (!this.deform.normals) return;
    const array = drawn.normals.geometry.getAttribute("position") as BufferAttribute;
    const every = Math.ceil(body.vertices / (array.count / 2));
    const [low, high] = body.box;
    const size = (NORMAL_SHARE * Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2])) / 127;
    let at = 0;
    for (let vertex = 0; vertex < body.vertices && at + 1 < array.count; vertex += every, at += 2) {
      const [x, y, z] = [
        body.positions[3 * vertex]!,
        body.positions[3 * vertex + 1]!,
        body.positions[3 * vertex + 2]!,
      ];
      array.setXYZ(at, x, y, z);
      array.setXYZ(
        at + 1,
        x + size * body.normals[4 * vertex]!,
        y + size * body.normals[4 * vertex + 1]!,
        z + size * body.normals[4 * vertex + 2]!,
      );
    }
    drawn.normals.geometry.setDrawRange(0, at);
    array.needsUpdate = true;
  }

  /** The overlaps: columns, their ends as sheets, or points. */
  private volume(frame: DeformFrame): void {
    const { volume } = this.deform;
    const parts = [...frame.bodies, ...frame.pairs].filter((part) => part.intervals.length > 0);
    const count = parts.reduce((sum, part) => sum + part.intervals.length / 4, 0);
    const sheets = volume === "layers" ? 2 : 1;
    const boxes = volume === "solid" || volume === "layers" ? sheets * count : 0;
    if (!this.columns || this.columns.instanceMatrix.count < boxes) {
      if (this.columns) {
        this.group.remove(this.columns);
        this.columns.dispose();
        this.columns.material.dispose();
      }
      this.columns = new InstancedMesh(
        this.unit,
        new MeshStandardMaterial({ roughness: 0.6 }),
        Math.max(1024, Math.ceil(1.5 * boxes)),
      );
      this.columns.instanceMatrix.setUsage(DynamicDrawUsage);
      this.columns.setColorAt(0, OVERLAP_COLORS[0]!);
      this.columns.frustumCulled = false;
      this.group.add(this.columns);
    }
    const { columns } = this;
    const matrices = columns.instanceMatrix.array as Float32Array;
    let at = 0;
    const box = (grid: LayerGrid, pixel: number, start: number, end: number, color: Color): void => {
      const [u, v, w] = order(grid);
      const base = 16 * at;
      matrices.fill(0, base, base + 16);
      matrices[base + 5 * u] = grid.pixel[0];
      matrices[base + 5 * v] = grid.pixel[1];
      matrices[base + 5 * w] = end - start;
      matrices[base + 12 + u] = grid.origin[0] + ((pixel % grid.size[0]) + 0.5) * grid.pixel[0];
      matrices[base + 12 + v] = grid.origin[1] + (Math.floor(pixel / grid.size[0]) + 0.5) * grid.pixel[1];
      matrices[base + 12 + w] = 0.5 * (start + end);
      matrices[base + 15] = 1;
      columns.setColorAt(at++, color);
    };
    if (boxes > 0)
      for (const { grid, intervals } of parts) {
        const half = 0.5 * SHEET * Math.min(...grid.pixel);
        for (let k = 0; k < intervals.length; k += 4) {
          const start = grid.origin[2] + intervals[k + 1]! * grid.step;
          const end = grid.origin[2] + intervals[k + 2]! * grid.step;
          if (volume === "solid")
            box(
              grid,
              intervals[k]!,
              start,
              end,
              OVERLAP_COLORS[Math.min(3, Math.max(0, intervals[k + 3]! - 1))]!,
            );
          else {
            box(grid, intervals[k]!, start - half, start + half, ENTER_COLOR);
            box(grid, intervals[k]!, end - half, end + half, LEAVE_COLOR);
          }
        }
      }
    columns.count = at;
    columns.instanceMatrix.needsUpdate = true;
    if (columns.instanceColor) columns.instanceColor.needsUpdate = true;

    const dots = volume === "points" ? count : 0;
    const write = fill(this.points, dots);
    if (dots > 0)
      for (const { grid, intervals } of parts)
        for (let k = 0; k < intervals.length; k += 4)
          write(
            grid,
            intervals[k]!,
            0.5 * (intervals[k + 1]! + intervals[k + 2]!),
            OVERLAP_COLORS[Math.min(3, Math.max(0, intervals[k + 3]! - 1))]!,
          );
  }

  /** All layers as points, and the places where a surface is ill. */
  private clouds(frame: DeformFrame): void {
    const { showLayers } = this.deform;
    const total = showLayers
      ? frame.bodies.reduce((sum, body) => sum + (body.layers?.depths.length ?? 0), 0)
      : 0;
    const write = fill(this.depths, total);
    if (total > 0)
      for (const { grid, layers } of frame.bodies) {
        if (!layers) continue;
        for (let pixel = 0; pixel + 1 < layers.starts.length; pixel++)
          for (let at = layers.starts[pixel]!; at < layers.starts[pixel + 1]!; at++)
            write(grid, pixel, layers.depths[at]! >> 1, layers.depths[at]! & 1 ? ENTER_COLOR : LEAVE_COLOR);
      }
    const ill = frame.bodies.flatMap((body) => body.fault_places);
    fill(this.faults, ill.length);
    const place = this.faults.geometry.getAttribute("position") as BufferAttribute;
    ill.forEach((point, at) => place.setXYZ(at, ...point));
    (this.faults.geometry.getAttribute("color") as BufferAttribute).array.fill(1);
    this.faults.material.color.set(CLOSE_COLOR);
  }

  private restyle(): void {
    const { surface, box } = this.deform;
    this.bodies.forEach((drawn, index) => {
      const { material } = drawn.surface;
      const glass = surface === "glass";
      drawn.surface.visible = surface !== "none";
      Object.assign(material, {
        transparent: glass,
        opacity: glass ? 0.3 : 1,
        depthWrite: !glass,
        wireframe: surface === "wire",
      });
      const side = glass ? FrontSide : DoubleSide;
      if (material.side !== side) Object.assign(material, { side, needsUpdate: true });
      drawn.surface.renderOrder = glass ? 3 : 0;
      drawn.box.visible = box;
      drawn.box.material.opacity = index === this.deform.selected ? 0.9 : 0.45;
      drawn.box.material.color.set(
        index === this.deform.selected
          ? VIEW_COLORS[this.state.view.theme].selected
          : BODY_COLORS[index % BODY_COLORS.length]!,
      );
      drawn.normals.visible = this.deform.normals;
    });
    this.viewport.request();
  }
}

const boxOf = (body: FrameBody): Box3 => new Box3(new Vector3(...body.box[0]), new Vector3(...body.box[1]));
const order = (grid: LayerGrid): [number, number, number] => [
  (grid.axis + 1) % 3,
  (grid.axis + 2) % 3,
  grid.axis,
];

function copy(geometry: BufferGeometry, name: string, values: Float32Array | Int8Array): void {
  const attribute = geometry.getAttribute(name) as BufferAttribute;
  attribute.copyArray(values);
  attribute.needsUpdate = true;
}

function cloud(pixels: number): Points<BufferGeometry, PointsMaterial> {
  const points = new Points(
    new BufferGeometry(),
    new PointsMaterial({ size: pixels, sizeAttenuation: false, vertexColors: true, toneMapped: false }),
  );
  points.frustumCulled = false;
  return points;
}

type Write = (grid: LayerGrid, pixel: number, depth: number, color: Color) => void;

/** Makes room for so many points and returns what writes the next one: on the ray of a pixel, so many steps deep. */
function fill(points: Points<BufferGeometry, PointsMaterial>, count: number): Write {
  const { geometry } = points;
  points.visible = count > 0;
  if (count > (geometry.getAttribute("position")?.count ?? 0)) {
    const room = Math.ceil(1.5 * count);
    geometry.dispose();
    for (const name of ["position", "color"])
      geometry.setAttribute(
        name,
        new BufferAttribute(new Float32Array(3 * room), 3).setUsage(DynamicDrawUsage),
      );
  }
  geometry.setDrawRange(0, count);
  if (count === 0) {
    if (!geometry.getAttribute("position"))
      for (const name of ["position", "color"])
        geometry.setAttribute(name, new BufferAttribute(new Float32Array(3), 3));
    return () => {};
  }
  const position = geometry.getAttribute("position") as BufferAttribute;
  const colors = geometry.getAttribute("color") as BufferAttribute;
  position.needsUpdate = colors.needsUpdate = true;
  let at = 0;
  return (grid, pixel, depth, color) => {
    const [u, v, w] = order(grid);
    position.array[3 * at + u] = grid.origin[0] + ((pixel % grid.size[0]) + 0.5) * grid.pixel[0];
    position.array[3 * at + v] = grid.origin[1] + (Math.floor(pixel / grid.size[0]) + 0.5) * grid.pixel[1];
    position.array[3 * at + w] = grid.origin[2] + depth * grid.step;
    colors.setXYZ(at++, color.r, color.g, color.b);
  };
}
