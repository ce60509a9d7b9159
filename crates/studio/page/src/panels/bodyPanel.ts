// The selected bodies: name, colour, where they are, what they are, and the tools that move them.
import { orientation, position, rotationBetween } from "../document/poses";
import { angleText, lengthText, metresPer, radians, readNumber, roundStep, trimmed } from "../document/units";
import type { Pose, Vec3 } from "../protocol";
import type { Actions } from "../tools/actions";
import type { Moving } from "../tools/moving";
import { fromHex, h, hexColor, replace } from "../ui/dom";
import { button } from "../ui/widgets";
import type { Planner } from "./planner";
import { AXIS_COLORS, poseFields } from "./poseFields";
import { Vector3 } from "three";

const NAMES = ["X", "Y", "Z"];
/** Metres or radians that are rounding, not distance. */
const LITTLE = 1e-9;

export interface BodyPanel {
  element: HTMLElement;
  update(): void;
}

export function bodyPanel(actions: Actions, moving: Moving, planner: Planner): BodyPanel {
  const { state } = actions;
  const head = h("div", { class: "body-head" });
  const note = h("p", { class: "note" });
  const facts = h("dl", { class: "facts" });
  const fields = h("div", { class: "fields" });
  const tools = h("div", {});
  let units = "";
  let setPose: (pose: Pose) => void = () => {};
  let key = "";
  let farthest = "";
  let turnLimit = "360";
  let axisMode: "body" | "middle" = "middle";

  const only = (): number | null => (state.selected.size === 1 ? [...state.selected][0]! : null);

  const buildFields = (): void => {
    units = state.units;
    const shown = poseFields(
      "",
      units,
      () => actions.viewport.extentRadius,
      () => (only() === null ? null : state.pose(only()!)),
      (pose) => only() !== null && void moving.setPose(only()!, pose),
    );
    setPose = shown.set;
    replace(fields, ...shown.elements);
  };

  const buildTools = (): void => {
    const unit = metresPer(state.units);
    if (farthest === "") farthest = trimmed(roundStep((actions.viewport.extentRadius * 4) / unit), 3);
    const limit = h("input", {
      type: "text",
      class: "short",
      value: farthest,
      "aria-label": "Farthest slide",
      id: "slide-max",
      onchange: () => (farthest = limit.value),
    });
    const angle = h("input", {
      type: "text",
      class: "short",
      value: turnLimit,
      "aria-label": "Largest turn in degrees",
      onchange: () => (turnLimit = angle.value),
    });
    const direction = (axis: number, sign: 1 | -1): HTMLElement => {
      const v: [number, number, number] = [0, 0, 0];
      v[axis] = sign;
      const element = button({
        text: `${sign > 0 ? "+" : "−"}${NAMES[axis]}`,
        title: `Slide along ${sign > 0 ? "+" : "−"}${NAMES[axis]} until something is touched`,
        kind: "plain",
        id: `slide-${sign > 0 ? "plus" : "minus"}-${"xyz"[axis]}`,
        press: () => void moving.slide(v, Math.abs(readNumber(limit.value) ?? 1) * unit),
      });
      element.style.color = AXIS_COLORS[axis]!;
      return element;
    };
    const turnButton = (axis: number, sign: 1 | -1): HTMLElement => {
      const v: [number, number, number] = [0, 0, 0];
      v[axis] = sign;
      const element = button({
        text: `${sign > 0 ? "↺" : "↻"} ${NAMES[axis]}`,
        title: `Turn about ${NAMES[axis]} until something is touched`,
        kind: "plain",
        press: () => void moving.turn(pivot(), v, radians(Math.abs(readNumber(angle.value) ?? 360))),
      });
      element.style.color = AXIS_COLORS[axis]!;
      return element;
    };
    const pivotChoice = h(
      "select",
      { "aria-label": "Turn about", onchange: () => (axisMode = pivotChoice.value as typeof axisMode) },
      h("option", { value: "middle", selected: axisMode === "middle" }, "middle"),
      h("option", { value: "body", selected: axisMode === "body" }, "origin"),
    );
    replace(
      tools,
      h("h3", {}, "Slide until contact"),
      h("div", { class: "pad" }, ...[0, 1, 2].flatMap((axis) => [direction(axis, 1), direction(axis, -1)])),
      h("label", { class: "inline" }, "at most", limit, h("span", { class: "field-unit" }, state.units)),
      h("h3", {}, "Turn until contact"),
      h("div", { class: "pad" }, ...[0, 1, 2].flatMap((axis) => [turnButton(axis, 1), turnButton(axis, -1)])),
      h(
        "label",
        { class: "inline" },
        "at most",
        angle,
        h("span", { class: "field-unit" }, "°"),
        "about",
        pivotChoice,
      ),
      h("h3", {}, "Plan"),
      h(
        "div",
        { class: "buttons" },
        button({
          icon: "path",
          text: "Plan a way…",
          title: "Pick a goal and let the planner find the motion",
          kind: "plain",
          id: "plan",
          press: () => planner.open(),
        }),
        goalButton(),
      ),
    );
  };

  const goalButton = (): HTMLElement | null => {
    const body = only();
    if (body === null) return null;
    const has = state.scene!.bodies[body]!.goal !== null;
    return button({
      icon: "goal",
      text: has ? "Clear goal" : "Set goal here",
      title: has ? "The body may end anywhere" : "The plan must leave this body where it is now",
      kind: "plain",
      press: () => void actions.ask("set_goal", { body, pose: has ? null : state.pose(body) }),
    });
  };

  const pivot = (): Vec3 => {
    const bodies = moving.movable();
    if (axisMode === "body" && bodies.length > 0) return position(state.pose(bodies[0]!));
    const middle = actions.viewport.bodies.box(bodies).getCenter(new Vector3());
    return [middle.x, middle.y, middle.z];
  };

  const buildHead = (): void => {
    const { scene } = state;
    const body = only();
    if (body === null) {
      const names = [...state.selected].map((one) => scene!.bodies[one]!.name);
      return replace(
        head,
        h("h2", {}, `${names.length} bodies`),
        h("p", { class: "note" }, names.join(", ")),
      );
    }
    const info = scene!.bodies[body]!;
    const color = h("input", {
      type: "color",
      value: hexColor(info.color),
      "aria-label": "Colour",
      title: "Colour",
      onchange: () => void actions.ask("set_color", { body, color: fromHex(color.value) }),
    });
    const name = h("input", {
      type: "text",
      class: "title-input",
      value: info.name,
      "aria-label": "Name",
      onchange: () => void rename(),
    });
    const rename = async (): Promise<void> => {
      const wanted = name.value.trim();
      // A name that is not taken is not shown.
      if (wanted === "" || (await actions.ask("rename_body", { body, name: wanted })) === null)
        name.value = info.name;
    };
    name.addEventListener("keydown", (event) => {
      if (event.key === "Enter") name.blur();
    });
    const fixed = h("input", {
      type: "checkbox",
      checked: info.fixed,
      onchange: () => void actions.ask("set_fixed", { body, fixed: fixed.checked }),
    });
    replace(
      head,
      h("div", { class: "body-title" }, color, name),
      h("label", { class: "check" }, fixed, "fixed: no step moves it"),
    );
  };

  const buildFacts = (): void => {
    const { scene } = state;
    const bodies = [...state.selected];
    const size = actions.viewport.bodies.box(bodies).getSize(new Vector3());
    const fact = (name: string, value: string): HTMLElement =>
      h("div", { class: "fact" }, h("dt", {}, name), h("dd", {}, value));
    const groups = scene!.groups
      .filter((group) => bodies.some((body) => group.members.includes(body)))
      .map((group) => group.name);
    const steps = scene!.stages.flatMap((stage, index) =>
      stage.tracks.some((track) => bodies.includes(track.body)) ? [state.label(index)] : [],
    );
    replace(
      facts,
      fact(
        "Size",
        `${[size.x, size.y, size.z].map((one) => trimmed(one / metresPer(state.units), 4)).join(" × ")} ${state.units}`,
      ),
      fact(
        "Triangles",
        bodies.reduce((sum, body) => sum + scene!.bodies[body]!.triangles, 0).toLocaleString("en"),
      ),
      groups.length ? fact("Group", groups.join(", ")) : null,
      steps.length ? fact("Moved in step", steps.join(", ")) : fact("Moved in step", "none"),
    );
  };

  const update = (): void => {
    const { scene } = state;
    if (!scene || state.selected.size === 0) return;
    const next = `${scene.revision} ${[...state.selected].join()} ${state.units} ${state.view.theme}`;
    if (next !== key) {
      key = next;
      if (!head.contains(document.activeElement)) buildHead();
      if (fields.childElementCount === 0 || units !== state.units) buildFields();
      if (!tools.contains(document.activeElement) || tools.childElementCount === 0) buildTools();
      buildFacts();
    }
    const body = only();
    fields.hidden = body === null;
    if (body !== null) setPose(state.pose(body));
    const fixed = moving.movable().length === 0;
    const moment = state.moment;
    note.textContent = moving.placing
      ? "Moves change where it starts. Press R to record a step instead."
      : fixed
        ? "Fixed bodies are moved only before the first step."
        : `Moves become a new step after ${moment ? `step ${state.label(moment.step)}` : "the start"}.`;
    const goal = body === null ? null : scene.bodies[body]!.goal;
    if (goal && body !== null) {
      const end = scene.end[body]!;
      const off = Math.hypot(end[0] - goal[0], end[1] - goal[1], end[2] - goal[2]);
      const turned = rotationBetween(orientation(end), orientation(goal)).angle;
      const far = [off > LITTLE ? lengthText(off, units) : "", turned > LITTLE ? angleText(turned) : ""]
        .filter(Boolean)
        .join(" and ");
      note.textContent += far ? ` The plan ends ${far} from its goal.` : " The plan ends at its goal.";
    }
  };
  const element = h("div", { class: "body-panel" }, head, note, fields, tools, h("h3", {}, "Facts"), facts);
  return { element, update };
}
