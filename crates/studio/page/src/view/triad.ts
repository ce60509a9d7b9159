// The axes in the corner of the view: drawn as SVG, a click on an axis looks along it.
import { type Camera, Quaternion, Vector3 } from "three";
import { svg } from "../ui/dom";
import type { Preset } from "./rig";

const AXES: { name: string; color: string; vector: Vector3; look: Preset; back: Preset }[] = [
  { name: "X", color: "#f0616d", vector: new Vector3(1, 0, 0), look: "right", back: "left" },
  { name: "Y", color: "#43b97f", vector: new Vector3(0, 1, 0), look: "back", back: "front" },
  { name: "Z", color: "#4a9eff", vector: new Vector3(0, 0, 1), look: "top", back: "bottom" },
];
const REACH = 30;

export class Triad {
  readonly element = svg("svg", {
    class: "triad",
    viewBox: "-46 -46 92 92",
    role: "group",
    "aria-label": "Axes",
  });
  private readonly parts: {
    line: SVGElement;
    ball: SVGElement;
    far: SVGElement;
    depth: number;
    group: SVGElement;
  }[] = [];
  private readonly direction = new Vector3();
  private readonly seen = new Quaternion(0, 0, 0, 0);
  private readonly turned = new Quaternion();

  constructor(look: (preset: Preset) => void) {
    for (const axis of AXES) {
      const line = svg("line", { stroke: axis.color, "stroke-width": 2.6, "stroke-linecap": "round" });
      const far = svg("circle", {
        r: 4.5,
        fill: "var(--panel)",
        stroke: axis.color,
        "stroke-width": 1.6,
        class: "triad-ball",
        tabindex: -1,
      });
      far.append(svg("title", {}, `Look along ${axis.name} from behind`));
      const ball = svg("g", {
        class: "triad-ball",
        role: "button",
        tabindex: 0,
        "aria-label": `Look along ${axis.name}`,
      });
      ball.append(
        svg("circle", { r: 9, fill: axis.color }),
        svg("text", { "text-anchor": "middle", dy: 3.6, class: "triad-text" }, axis.name),
        svg("title", {}, `Look along ${axis.name}`),
      );
      ball.addEventListener("click", () => look(axis.look));
      ball.addEventListener(
        "keydown",
        (event) => (event as KeyboardEvent).key === "Enter" && look(axis.look),
      );
      far.addEventListener("click", () => look(axis.back));
      const group = svg("g", {});
      group.append(line, far, ball);
      this.element.append(group);
      this.parts.push({ line, ball, far, group, depth: 0 });
    }
  }

  update(camera: Camera): void {
    this.turned.setFromRotationMatrix(camera.matrixWorld);
    if (this.turned.equals(this.seen)) return;
    this.seen.copy(this.turned);
    const inverse = camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
    AXES.forEach((axis, index) => {
      const part = this.parts[index]!;
      const d = this.direction.copy(axis.vector).transformDirection(inverse);
      const x = d.x * REACH;
      const y = -d.y * REACH;
      part.depth = d.z;
      part.line.setAttribute("x2", x.toFixed(2));
      part.line.setAttribute("y2", y.toFixed(2));
      part.ball.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
      part.far.setAttribute("cx", (-x).toFixed(2));
      part.far.setAttribute("cy", (-y).toFixed(2));
    });
  }
}
