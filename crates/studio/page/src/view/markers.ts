// What a verdict points at: contact point and normal, or the shortest line between two bodies, drawn over everything in sizes of the screen.
import { plain } from "../ui/plain";
import {
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import type { Vec3 } from "../protocol";

export interface MarkerLine {
  from: Vector3;
  to: Vector3;
  label: string;
  color: number;
  arrow: boolean;
  /** Length in pixels; without it the line ends at `to`. */
  pixels?: number;
  balls: boolean;
}

interface Drawn {
  mark: MarkerLine;
  line: Line<BufferGeometry, LineBasicMaterial>;
  balls: Mesh<SphereGeometry, MeshBasicMaterial>[];
  tip: Mesh<ConeGeometry, MeshBasicMaterial> | null;
  label: HTMLElement;
}

const ball = new SphereGeometry(1, 16, 12);
const cone = new ConeGeometry(1, 3, 16).translate(0, -1.5, 0);
const up = new Vector3(0, 1, 0);
const end = new Vector3();
const along = new Vector3();

export const vector = (v: Vec3): Vector3 => new Vector3(v[0], v[1], v[2]);

export class Markers {
  readonly group = new Group();
  private drawn: Drawn[] = [];

  constructor(private readonly overlay: HTMLElement) {
    this.group.renderOrder = 10;
  }

  set(marks: MarkerLine[]): void {
    for (const one of this.drawn) {
      this.group.remove(one.line, ...one.balls);
      if (one.tip) this.group.remove(one.tip);
      one.line.geometry.dispose();
      one.line.material.dispose();
      for (const part of [...one.balls, one.tip]) part?.material.dispose();
      one.label.remove();
    }
    this.drawn = marks.map((mark) => {
      const paint = (): MeshBasicMaterial =>
        new MeshBasicMaterial({ color: mark.color, depthTest: false, transparent: true, toneMapped: false });
      const geometry = new BufferGeometry().setAttribute(
        "position",
        new BufferAttribute(new Float32Array(6), 3),
      );
      const line = new Line(
        geometry,
        new LineBasicMaterial({ color: mark.color, depthTest: false, transparent: true, toneMapped: false }),
      );
      const balls = (mark.balls ? [mark.from, mark.to] : [mark.from]).map(() => new Mesh(ball, paint()));
      const tip = mark.arrow ? new Mesh(cone, paint()) : null;
      const label = document.createElement("div");
      label.className = "marker-label";
      label.textContent = plain(mark.label);
      label.hidden = mark.label === "";
      this.overlay.append(label);
      for (const object of [line, ...balls, ...(tip ? [tip] : [])]) {
        object.frustumCulled = false;
        object.renderOrder = 10;
        object.raycast = () => {};
        this.group.add(object);
      }
      return { mark, line, balls, tip, label };
    });
  }

  /** Sizes everything for the camera; `pixel` is metres per pixel. */
  update(pixel: number, toScreen: (point: Vector3) => { x: number; y: number; visible: boolean }): void {
    if (this.drawn.length === 0) return;
    for (const { mark, line, balls, tip, label } of this.drawn) {
      along.subVectors(mark.to, mark.from);
      if (mark.pixels !== undefined)
        end.copy(mark.from).addScaledVector(along.normalize(), mark.pixels * pixel);
      else end.copy(mark.to);
      const array = line.geometry.getAttribute("position") as BufferAttribute;
      array.setXYZ(0, mark.from.x, mark.from.y, mark.from.z);
      array.setXYZ(1, end.x, end.y, end.z);
      array.needsUpdate = true;
      balls.forEach((one, index) => {
        one.position.copy(index === 0 ? mark.from : end);
        one.scale.setScalar(4.5 * pixel);
      });
      if (tip) {
        tip.position.copy(end);
        tip.quaternion.setFromUnitVectors(up, along.subVectors(end, mark.from).normalize());
        tip.scale.setScalar(4.5 * pixel);
      }
      if (mark.label === "") continue;
      // Beyond the tip of an arrow, so that it does not lie on it.
      const left = tip !== null && toScreen(mark.from).x > toScreen(end).x;
      const at = toScreen(end.lerp(mark.from, mark.balls ? 0.5 : 0));
      label.style.transform = tip
        ? `translate(${(at.x + (left ? -8 : 8)).toFixed(1)}px, ${at.y.toFixed(1)}px) translate(${left ? "-100%" : "0"}, -50%)`
        : `translate(${(at.x + 10).toFixed(1)}px, ${(at.y - 26).toFixed(1)}px)`;
      label.style.visibility = at.visible ? "visible" : "hidden";
    }
  }

  get empty(): boolean {
    return this.drawn.length === 0;
  }
}
