// Tools that take two clicks: vertex to vertex, face or edge along another, turning about an edge, measuring.
import { dot, length, rotationOnto, scale, subtract } from "../document/poses";
import { lengthText, radians, readNumber } from "../document/units";
import { toast } from "../panels/toast";
import { h } from "../ui/dom";
import { button, dialog } from "../ui/widgets";
import type { Vec3 } from "../protocol";
import type { Hit } from "../view/picking";
import type { Actions } from "./actions";
import type { Moving } from "./moving";

export class PickTools {
  first: Hit | null = null;
  measured: { from: Hit["point"]; to: Hit["point"] } | null = null;

  constructor(
    private readonly actions: Actions,
    private readonly moving: Moving,
  ) {
    actions.state.on("tool", () => {
      if (actions.state.pick === "none") this.first = null;
    });
  }

  /** Takes a click; true when it was used. */
  click(hit: Hit | null): boolean {
    const { state } = this.actions;
    if (state.pick === "none") return false;
    if (!hit) return true;
    if (state.pick === "edge") {
      this.edge(hit);
      return true;
    }
    if (!this.first) {
      if (state.pick !== "measure") {
        this.actions.select(hit.body);
        if (this.moving.movable().length === 0) {
          toast.say("This body is fixed.");
          return true;
        }
      }
      this.first = hit;
      state.toolChanged();
      return true;
    }
    const { first } = this;
    this.first = null;
    if (state.pick === "vertex") void this.moving.nudge(subtract(hit.vertex, first.vertex));
    else if (state.pick === "align") {
      const { axis, angle } = aligning(first, hit);
      if (angle === 0) toast.say("They are aligned already.");
      else void this.moving.turnBy(first.atEdge ? first.edge[0] : first.point, axis, angle);
    } else {
      this.measured = { from: first.vertex, to: hit.vertex };
      toast.say(
        `${lengthText(length(subtract(hit.vertex, first.vertex)), state.units, 6)} from corner to corner.`,
      );
      state.marksChanged();
    }
    state.toolChanged();
    return true;
  }

  private edge(hit: Hit): void {
    const { state } = this.actions;
    if (state.selected.size === 0) this.actions.select(hit.body);
    if (this.moving.movable().length === 0) return toast.say("Select a body that can move first.");
    const unit = along(hit);
    const angle = h("input", { type: "text", value: "90", "aria-label": "Angle in degrees" });
    const value = (): number => radians(readNumber(angle.value) ?? 0);
    const sign = (): number => (value() < 0 ? -1 : 1);
    const close = dialog(
      "Turn about this edge",
      [h("label", { class: "stack" }, "Angle in degrees", angle)],
      [
        button({
          text: "Turn",
          title: "Turn by this angle",
          kind: "primary",
          press: () => (close(), void this.moving.turnBy(hit.edge[0], unit, value())),
        }),
        button({
          text: "Until contact",
          title: "Turn at most this far, and stop where something is touched",
          kind: "plain",
          press: () => (close(), void this.moving.turn(hit.edge[0], scale(unit, sign()), Math.abs(value()))),
        }),
      ],
    );
    angle.select();
    this.actions.tool({ pick: "none" });
  }
}

/** The smallest rotation that lays a face against a face, or an edge along an edge or a normal: edges have no sense, so they turn at most 90°. */
export function aligning(first: Hit, second: Hit): { axis: Vec3; angle: number } {
  const from = first.atEdge ? along(first) : first.normal;
  if (!first.atEdge && !second.atEdge) return rotationOnto(from, scale(second.normal, -1));
  const onto = second.atEdge ? along(second) : second.normal;
  return rotationOnto(from, dot(from, onto) < 0 ? scale(onto, -1) : onto);
}

function along(hit: Hit): Vec3 {
  const edge = subtract(hit.edge[1], hit.edge[0]);
  return scale(edge, 1 / (length(edge) || 1));
}
