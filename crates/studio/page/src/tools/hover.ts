// What the pointer is over: its name beside the cursor, a light tint, and the corner, face or edge that a picking tool would take.
import { plain } from "../ui/plain";
import { h } from "../ui/dom";
import { CLOSE_COLOR } from "../view/colors";
import { type MarkerLine, vector } from "../view/markers";
import { type Hit, pickAt } from "../view/picking";
import type { Actions } from "./actions";

export class Hover {
  readonly label = h("div", { class: "hover-label", "aria-hidden": "true" });
  hit: Hit | null = null;
  private place: { x: number; y: number } | null = null;
  private waiting = false;

  constructor(
    private readonly actions: Actions,
    private readonly busy: () => boolean,
    /** Marks that are there anyway. */
    private readonly base: () => MarkerLine[],
  ) {
    this.label.hidden = true;
  }

  move(x: number, y: number): void {
    this.place = { x, y };
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.look();
    });
  }

  leave(): void {
    this.place = null;
    this.look();
  }

  private look(): void {
    const { state, viewport } = this.actions;
    const at = this.place;
    this.hit = at && !state.playing && !this.busy() ? pickAt(viewport, at.x, at.y, true) : null;
    if (at) viewport.cursor(at.x, at.y, this.hit?.point ?? null);
    const body = this.hit?.body ?? null;
    this.label.hidden = body === null;
    if (body !== null && at) {
      this.label.textContent = plain(state.bodies[body]!.name);
      this.label.style.transform = `translate(${(at.x + 14).toFixed(0)}px, ${(at.y + 16).toFixed(0)}px)`;
    }
    if (state.hovered !== body) {
      state.hover(body);
      viewport.bodies.restyle();
      viewport.request();
    }
    if (state.pick !== "none") {
      viewport.markers.set(this.base().concat(this.marks()));
      viewport.request();
    }
  }

  /** What a click would pick. */
  marks(): MarkerLine[] {
    const { hit } = this;
    const mark = (from: Hit["point"], to: Hit["point"], more: Partial<MarkerLine>): MarkerLine[] => [
      {
        from: vector(from),
        to: vector(to),
        label: "",
        color: CLOSE_COLOR,
        arrow: false,
        balls: false,
        ...more,
      },
    ];
    if (!hit) return [];
    switch (this.actions.state.pick) {
      case "none":
        return [];
      case "edge":
        return mark(hit.edge[0], hit.edge[1], { balls: true });
      case "align":
        if (hit.atEdge) return mark(hit.edge[0], hit.edge[1], { balls: true });
        return mark(
          hit.point,
          [hit.point[0] + hit.normal[0], hit.point[1] + hit.normal[1], hit.point[2] + hit.normal[2]],
          { arrow: true, pixels: 48 },
        );
      case "vertex":
      case "measure":
        return mark(hit.vertex, hit.vertex, {});
    }
  }
}
