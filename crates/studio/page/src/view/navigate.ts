// The pointer in the view: middle button orbits, right button or Shift+middle pans, the wheel zooms to the cursor, a left click selects and a
// left drag on nothing orbits. One finger orbits, two pinch and pan.
import type { Viewport } from "./viewport";

const ORBIT_RADIANS_PER_PIXEL = 0.0075;
const CLICK_PIXELS = 4;

export interface NavigationHooks {
  click(x: number, y: number, event: PointerEvent): void;
  doubleClick(x: number, y: number): void;
  hover(x: number, y: number): void;
  /** True when the left button belongs to something else (the gizmo). */
  taken(): boolean;
}

export function navigate(viewport: Viewport, hooks: NavigationHooks): void {
  const { element, surface } = viewport;
  const pointers = new Map<number, { x: number; y: number }>();
  let drag: "orbit" | "pan" | null = null;
  let down: { x: number; y: number; button: number } | null = null;
  let moved = false;

  const place = (event: { clientX: number; clientY: number }): { x: number; y: number } => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  element.addEventListener("pointermove", (event) => {
    if (pointers.size === 0 && !viewport.panes.includes(viewport.paneAt(place(event).x, place(event).y)))
      return;
    if (pointers.size === 0) {
      const pane = viewport.paneAt(place(event).x, place(event).y);
      if (pane !== viewport.active) {
        viewport.activate(pane);
        viewport.request();
      }
      if (event.pointerType === "mouse") hooks.hover(place(event).x, place(event).y);
    }
  });

  surface.addEventListener("pointerdown", (event) => {
    const at = place(event);
    surface.focus({ preventScroll: true });
    if (event.button === 0 && hooks.taken()) return;
    pointers.set(event.pointerId, at);
    down = { ...at, button: event.button };
    moved = false;
    drag =
      event.button === 2 ||
      (event.button === 1 && event.shiftKey) ||
      (event.button === 0 && event.shiftKey && event.ctrlKey)
        ? "pan"
        : "orbit";
    surface.setPointerCapture(event.pointerId);
    if (event.button === 1) event.preventDefault();
  });

  surface.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before || !down) return;
    const now = place(event);
    const dx = now.x - before.x;
    const dy = now.y - before.y;
    if (!moved && Math.hypot(now.x - down.x, now.y - down.y) < CLICK_PIXELS) return;
    moved = true;
    const { rig, width, height, x, y } = viewport.active;
    if (pointers.size === 2) {
      const other = [...pointers.entries()].find(([id]) => id !== event.pointerId)![1];
      const apart = Math.hypot(before.x - other.x, before.y - other.y);
      const wider = Math.hypot(now.x - other.x, now.y - other.y);
      rig.pan(dx / 2, -dy / 2, height);
      if (apart > 0 && wider > 0)
        rig.zoom(
          apart / wider,
          (now.x + other.x) / 2 - x - width / 2,
          y + height / 2 - (now.y + other.y) / 2,
          height,
        );
    } else if (drag === "pan" || rig !== viewport.panes[0]!.rig) rig.pan(dx, -dy, height);
    else rig.orbit(dx * ORBIT_RADIANS_PER_PIXEL, dy * ORBIT_RADIANS_PER_PIXEL);
    pointers.set(event.pointerId, now);
    viewport.request();
  });

  const release = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId)) return;
    const at = place(event);
    if (down && !moved && down.button === 0 && event.type === "pointerup") hooks.click(at.x, at.y, event);
    if (pointers.size === 0) {
      down = null;
      drag = null;
    }
  };
  surface.addEventListener("pointerup", release);
  surface.addEventListener("pointercancel", release);
  surface.addEventListener("contextmenu", (event) => event.preventDefault());
  surface.addEventListener("dblclick", (event) => hooks.doubleClick(place(event).x, place(event).y));
  surface.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const at = place(event);
      const { rig, width, height, x, y } = viewport.active;
      const notches = event.deltaMode === 1 ? event.deltaY / 3 : event.deltaY / 100;
      rig.zoom(
        1.18 ** Math.max(-4, Math.min(4, notches)),
        at.x - x - width / 2,
        y + height / 2 - at.y,
        height,
      );
      viewport.request();
    },
    { passive: false },
  );
}
