// Wiring: connection, state, view and panels.
import "./style.css";
import { Connection } from "./connection";
import { Curves } from "./document/curves";
import { State } from "./document/state";
import { banners } from "./panels/banners";
import { Files } from "./panels/files";
import { inspector } from "./panels/inspector";
import { Planner } from "./panels/planner";
import { start } from "./panels/start";
import { timeline } from "./panels/timeline";
import { toast } from "./panels/toast";
import { toolbar } from "./panels/toolbar";
import { topbar } from "./panels/topbar";
import { tree } from "./panels/tree";
import { deformPanels } from "./panels/deform/deformPanel";
import { worldPanels } from "./panels/world/worldPanel";
import { namedVerdict, type ServerEvent } from "./protocol";
import { Actions } from "./tools/actions";
import { Deforming } from "./tools/deforming";
import { Hover } from "./tools/hover";
import { keys } from "./tools/keys";
import { Jogging } from "./tools/jogging";
import { Moving } from "./tools/moving";
import { PickTools } from "./tools/pickTools";
import { Worlding } from "./tools/worlding";
import { h } from "./ui/dom";
import { Gizmo } from "./view/gizmo";
import type { MarkerLine } from "./view/markers";
import { marks } from "./view/marks";
import { navigate } from "./view/navigate";
import { pickAt } from "./view/picking";
import { ToolGizmo } from "./view/toolGizmo";
import { Trails } from "./view/trails";
import { Viewport } from "./view/viewport";

// The key has become a cookie; it need not be seen.
history.replaceState(null, "", location.pathname);
const state = new State();
const connection = new Connection();
restoreView();
const viewport = new Viewport(state);
const actions = new Actions(state, connection, viewport);
const moving = new Moving(actions);
const jogging = new Jogging(actions);
const files = new Files(actions);
const planner = new Planner(actions, moving);
const picks = new PickTools(actions, moving);
const worlding = new Worlding(actions);
const worldly = worldPanels(worlding, files);
const deforming = new Deforming(actions, worlding);
const deformed = deformPanels(deforming);
const gizmo = new Gizmo(viewport, state, {
  movable: () => moving.movable(),
  dragged: (poses, move) => moving.drag(poses, move),
  released: (poses, move) => void moving.release(poses, move),
});
const toolGizmo = new ToolGizmo(viewport, state, {
  dragged: (tool) => jogging.drag(tool),
  released: () => void jogging.release().then(() => toolGizmo.sync()),
});
const trails = new Trails(actions);
const standing = (): MarkerLine[] => marks(state, moving.contact, picks);
const hover = new Hover(actions, () => gizmo.hot || toolGizmo.hot, standing);
viewport.surface.addEventListener("pointerleave", () => hover.leave());
viewport.surface.addEventListener("pointerdown", () => hover.leave());

viewport.element.append(
  hover.label,
  toolbar(actions, moving, jogging, () => (picks.first ? 1 : 0), planner.element),
  ...worldly.over,
  start(actions, files),
  toast.element,
);
document
  .getElementById("app")!
  .append(
    topbar(actions, files, worlding, deforming),
    banners(actions),
    h(
      "div",
      { class: "middle" },
      tree(actions),
      worldly.side,
      deformed.side,
      h("main", { class: "center" }, viewport.element),
      inspector(actions, moving, jogging, planner),
      worldly.detail,
      deformed.detail,
    ),
    timeline(actions, new Curves(actions)),
    worldly.dock,
    deformed.dock,
  );
files.acceptDrops(viewport.element, (file) =>
  state.deforming
    ? (void deforming.open(file), true)
    : state.worldly && (void worlding.openRecording(file), true),
);
keys(actions, moving, jogging, files, worlding, deforming);

navigate(viewport, {
  taken: () => gizmo.hot || toolGizmo.hot,
  hover: (x, y) => state.deforming || hover.move(x, y),
  click: (x, y, event) => {
    if (state.deforming) return;
    const hit = pickAt(viewport, x, y);
    if (worlding.point(hit?.point ?? null)) return;
    if (picks.click(hit)) return;
    if (hit) actions.select(hit.body, event.ctrlKey || event.metaKey || event.shiftKey);
    else if (!(event.ctrlKey || event.metaKey || event.shiftKey || state.jog)) actions.clear();
  },
  doubleClick: () => actions.fit(),
});

let last = 0;
viewport.onFrame = (now) => {
  if (state.deforming) return deforming.advance(now);
  if (state.world) return worlding.advance(now);
  const passed = last === 0 ? 0 : (now - last) / 1000;
  last = state.playing ? now : 0;
  if (state.playing) {
    const next = state.time + passed * state.speed;
    if (next >= state.duration) {
      actions.seek(state.duration);
      state.toolChanged();
    } else actions.seek(next, true);
  }
  return state.playing || planner.preview(now);
};

state.on(["focus", "robot"], () => {
  viewport.markers.set([...standing(), ...hover.marks()]);
  viewport.request();
});
state.on("selection", () => {
  if (state.focus && state.selected.size > 0) state.setFocus(null);
});
state.on("view", () => {
  document.documentElement.dataset["theme"] = state.view.theme;
  localStorage.setItem(
    "freiraum.view",
    JSON.stringify({
      theme: state.view.theme,
      shading: state.view.shading,
      parallel: state.view.parallel,
      grid: state.view.grid,
      goals: state.view.goals,
    }),
  );
});
state.on("scene", () => document.getElementById("app")!.classList.toggle("no-scene", state.scene === null));
state.on(
  "scene",
  () =>
    (document.title = state.scene
      ? `${state.scene.dirty ? "• " : ""}${state.scene.title || state.scene.name} – Freiraum Studio`
      : "Freiraum Studio"),
);

connection.onEvent = (event: ServerEvent) => {
  switch (event.event) {
    case "hello":
      state.greet(
        event.version,
        event.examples,
        event.unsaved,
        event.scene,
        event.verdict && namedVerdict(event.verdict),
      );
      worlding.gone();
      break;
    case "world":
      worlding.take(event);
      break;
    case "world_gone":
      worlding.gone();
      break;
    case "scene":
      state.setScene(event);
      break;
    case "verdict":
      state.setVerdict(namedVerdict(event));
      break;
    case "progress":
      state.setProgress(event);
      break;
    case "planned":
      state.setPlanned(event);
      break;
    case "disk":
      state.setDiskChanged(event.changed);
      break;
    case "error":
      toast.error(event);
      break;
  }
};
connection.onLink = (link) => state.setLink(link);
document.getElementById("app")!.classList.add("no-scene");
connection.open();

function restoreView(): void {
  const light = matchMedia("(prefers-color-scheme: light)").matches;
  try {
    state.changeView({
      theme: light ? "light" : "dark",
      ...(JSON.parse(localStorage.getItem("freiraum.view") ?? "{}") as object),
    });
  } catch {
    // Settings that cannot be read are forgotten.
  }
  document.documentElement.dataset["theme"] = state.view.theme;
}

declare global {
  interface Window {
    /** For tests and for the curious: the parts of the page. */
    studio: {
      state: State;
      viewport: Viewport;
      actions: Actions;
      gizmo: Gizmo;
      moving: Moving;
      jogging: Jogging;
      toolGizmo: ToolGizmo;
      trails: Trails;
      worlding: Worlding;
      deforming: Deforming;
      pickAt: typeof pickAt;
    };
  }
}
window.studio = {
  state,
  viewport,
  actions,
  gizmo,
  moving,
  jogging,
  toolGizmo,
  trails,
  worlding,
  deforming,
  pickAt,
};
