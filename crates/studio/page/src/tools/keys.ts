// The keyboard. Fields and dialogs keep their keys to themselves.
import { metresPer, roundStep } from "../document/units";
import type { Vec3 } from "../protocol";
import type { Files } from "../panels/files";
import { show } from "../panels/findings";
import { showHelp } from "../panels/help";
import type { Preset } from "../view/rig";
import type { Actions } from "./actions";
import type { Deforming } from "./deforming";
import type { Jogging } from "./jogging";
import type { Moving } from "./moving";
import type { Worlding } from "./worlding";

const PRESET_KEYS: Record<string, Preset> = {
  "1": "iso",
  "2": "dimetric",
  "3": "front",
  "4": "right",
  "5": "top",
};
/** Keys that do the same in a world. */
const EVERYWHERE = "12345?fFpvzxtghHi";
/** Keys that do the same in the deform workspace. */
const IN_DEFORM = "12345?pvg";
const SHADINGS = ["edges", "shaded", "hidden", "wireframe"] as const;

export function keys(
  actions: Actions,
  moving: Moving,
  jogging: Jogging,
  files: Files,
  worlding: Worlding,
  deforming: Deforming,
): void {
  const { state } = actions;
  const nudges: Record<string, Vec3> = {
    ArrowLeft: [-1, 0, 0],
    ArrowRight: [1, 0, 0],
    ArrowUp: [0, 1, 0],
    ArrowDown: [0, -1, 0],
  };
  let finding = -1;

  const nudge = (event: KeyboardEvent): boolean => {
    let way = nudges[event.key];
    if (!way || state.robot !== null || moving.movable().length === 0) return false;
    if (event.ctrlKey || event.metaKey)
      way = event.key === "ArrowUp" ? [0, 0, 1] : event.key === "ArrowDown" ? [0, 0, -1] : way;
    const unit = metresPer(state.units);
    const size = unit * roundStep((actions.viewport.extentRadius / unit) * 0.01) * (event.shiftKey ? 10 : 1);
    void moving.nudge([way[0] * size, way[1] * size, way[2] * size]);
    return true;
  };

  const nextFinding = (): void => {
    const all = state.findings();
    if (all.length === 0) return;
    finding = (finding + 1) % all.length;
    show(actions, { kind: "finding", ...all[finding]! });
  };

  const command = (event: KeyboardEvent): boolean => {
    const key = event.key.toLowerCase();
    if (key === "z") event.shiftKey ? actions.redo() : actions.undo();
    else if (key === "y") actions.redo();
    else if (key === "s") event.shiftKey ? files.saveAs() : void actions.save();
    else if (key === "o") void files.openDialog();
    else if (key === "a") actions.selectMany((state.scene?.bodies ?? []).keys());
    else return false;
    return true;
  };

  const plain = (event: KeyboardEvent): boolean => {
    const { view } = state;
    const preset = PRESET_KEYS[event.key];
    if (preset) {
      actions.viewport.look(preset);
      return true;
    }
    switch (event.key) {
      case " ":
        actions.play();
        break;
      case "Home":
        actions.seek(0);
        break;
      case "End":
        actions.seek(state.duration);
        break;
      case "PageUp":
        actions.seekStep(-1);
        break;
      case "PageDown":
        actions.seekStep(1);
        break;
      case ",":
        actions.seek(state.time - 0.1);
        break;
      case ".":
        actions.seek(state.time + 0.1);
        break;
      case "?":
        showHelp();
        break;
      case "/":
        document.getElementById("search")?.focus();
        break;
      case "f":
      case "F":
        actions.fit();
        break;
      case "p":
        actions.view({ parallel: !view.parallel });
        break;
      case "v":
        actions.view({ four: !view.four });
        break;
      case "z":
        actions.view({ shading: SHADINGS[(SHADINGS.indexOf(view.shading) + 1) % SHADINGS.length]! });
        break;
      case "x":
        actions.view({ section: view.section ? null : { axis: 0, at: 0.5, flip: false } });
        break;
      case "t":
        actions.view({ fade: !view.fade });
        break;
      case "o":
        actions.view({ goals: !view.goals });
        break;
      case "g":
        actions.view({ grid: !view.grid });
        break;
      case "h":
        actions.toggleHidden([...state.selected], true);
        break;
      case "H":
        actions.toggleHidden([...state.hidden], false);
        break;
      case "i":
        actions.isolate();
        break;
      case "m":
        actions.tool({ gizmo: "translate" });
        break;
      case "e":
        actions.tool({ gizmo: "rotate" });
        break;
      case "l":
        actions.tool({ gizmoLocal: !state.gizmoLocal });
        break;
      case "s":
        actions.tool({ snap: !state.snap });
        break;
      case "c":
        actions.tool({ contactStop: !state.contactStop });
        break;
      case "r":
        if (state.robot !== null) return false;
        state.recording || state.draft ? moving.discard() : actions.tool({ recording: true });
        break;
      case "n":
        nextFinding();
        break;
      case "Enter":
        if (state.jog) void jogging.record();
        else if (state.draft) void moving.record();
        else return false;
        break;
      case "Delete":
      case "Backspace":
        if (state.selectedStep === null) return false;
        void actions.ask("remove_step", { step: state.selectedStep });
        break;
      case "Escape":
        if (state.pick !== "none") actions.tool({ pick: "none" });
        else if (state.jog) jogging.discard();
        else if (state.draft || state.recording) moving.discard();
        else {
          moving.clearContact();
          actions.clear();
        }
        break;
      default:
        return false;
    }
    return true;
  };

  /** In the world workspace time is that of the world, and nothing is edited by keys. */
  const inWorld = (event: KeyboardEvent): boolean => {
    if (worlding.driving.down(event)) return true;
    switch (event.key) {
      case " ":
        worlding.toggle();
        break;
      case ".":
        worlding.step();
        break;
      case ",":
        worlding.step(-1);
        break;
      case "Home":
        worlding.reset();
        break;
      case "/":
        document.getElementById("object-filter")?.focus();
        break;
      case "Escape":
        worlding.escape();
        break;
      default:
        return EVERYWHERE.includes(event.key) && plain(event);
    }
    return true;
  };

  /** In the deform workspace nothing is edited but how bodies are deformed and shown. */
  const inDeform = (event: KeyboardEvent): boolean => {
    const { deform } = deforming;
    const next = <T>(all: readonly T[], now: T): T => all[(all.indexOf(now) + 1) % all.length]!;
    switch (event.key) {
      case " ":
        deforming.play();
        break;
      case ",":
        deforming.seek((deform.time ?? 1.5) - 0.1);
        break;
      case ".":
        deforming.seek((deform.time ?? 1.5) + 0.1);
        break;
      case "f":
      case "F":
        deforming.fit();
        break;
      case "z":
        deforming.set({ surface: next(["glass", "solid", "wire", "none"] as const, deform.surface) });
        break;
      case "c":
        deforming.set({ volume: next(["solid", "layers", "points", "none"] as const, deform.volume) });
        break;
      case "l":
        deforming.set({ showLayers: !deform.showLayers });
        break;
      case "b":
        deforming.set({ box: !deform.box });
        break;
      case "n":
        deforming.set({ normals: !deform.normals });
        break;
      default:
        return IN_DEFORM.includes(event.key) && plain(event);
    }
    return true;
  };

  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    // Sliders use the keys that move them; the rest is for the page.
    if (target.closest("input:not([type=range]), textarea, select, dialog")) {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
        event.preventDefault();
        target.blur();
        void actions.save();
      }
      return;
    }
    if ((event.key === " " || event.key === "Enter") && target.closest("button, a, [role=button]")) return;
    const alone = !event.ctrlKey && !event.metaKey && !event.altKey;
    const used = state.deforming
      ? alone && inDeform(event)
      : nudge(event) ||
        (event.ctrlKey || event.metaKey
          ? command(event)
          : alone && (state.worldly ? inWorld(event) : plain(event)));
    if (used) event.preventDefault();
  });
}
