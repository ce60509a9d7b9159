// One slider per joint, with a number beside it; values outside of the limits are shown, not hidden.
import { jointUnit, outside, readValue, shownValue, sliderRange } from "../../document/robots";
import { trimmed } from "../../document/units";
import type { JointInfo, RobotInfo } from "../../protocol";
import type { Jogging } from "../../tools/jogging";
import { h } from "../../ui/dom";
import { button, numberInput } from "../../ui/widgets";

export interface JointRows {
  elements: HTMLElement[];
  set(joints: readonly number[]): void;
}

export function jointRows(info: RobotInfo, units: string, jogging: Jogging): JointRows {
  const rows = info.joints.map((joint, freedom) => jointRow(joint, freedom, units, jogging));
  return {
    elements: rows.map((row) => row.element),
    set: (joints) => rows.forEach((row, freedom) => row.set(joints[freedom] ?? 0)),
  };
}

function jointRow(
  joint: JointInfo,
  freedom: number,
  units: string,
  jogging: Jogging,
): { element: HTMLElement; set(value: number): void } {
  const unit = jointUnit(joint, units);
  const [low, high] = sliderRange(joint, units);
  const step = joint.turns ? 1 : Number(((high - low) / 200).toPrecision(1));
  const slider = h("input", {
    type: "range",
    min: low,
    max: high,
    step: "any",
    id: `joint-${freedom}`,
    "aria-label": `${joint.name} in ${unit === "°" ? "degrees" : unit}`,
    oninput: () => jogging.setJoint(freedom, readValue(joint, Number(slider.value), units)),
  });
  let value = 0;
  const label = `${joint.name}: value in ${unit === "°" ? "degrees" : unit}`;
  const field = numberInput(
    { class: "joint-value", id: `joint-value-${freedom}`, "aria-label": label },
    () => shownValue(joint, value, units),
    () => step,
    (read) => jogging.setJoint(freedom, readValue(joint, read, units)),
  );
  slider.addEventListener("keydown", (event) => {
    // The browser's own step of a slider without steps is a hundredth of its range: too coarse, and not round.
    const count = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[
      event.key
    ];
    if (count !== undefined) {
      field.by(count * (event.shiftKey ? 10 : 1));
      event.preventDefault();
    }
    if (event.key !== "Escape" && event.key !== "Enter" && !event.ctrlKey && !event.metaKey)
      event.stopPropagation();
  });
  const limit = (at: number | null): string =>
    at === null ? "∞" : `${trimmed(shownValue(joint, at, units), 5)}`;
  const limits = `${limit(joint.lower)} … ${limit(joint.upper)} ${unit}`;
  const warning = h("span", { class: "joint-warning", role: "status" });
  const element = h(
    "div",
    {
      class: "joint",
      title: `${joint.name}: ${joint.lower === null && joint.upper === null ? "turns without end" : limits}`,
    },
    h("label", { class: "joint-name", for: `joint-${freedom}` }, joint.name),
    slider,
    field.element,
    h("span", { class: "field-unit" }, unit),
    warning,
  );
  return {
    element,
    set(next) {
      value = next;
      const number = shownValue(joint, next, units);
      const shown = String(Math.round(number * 100) / 100 + 0);
      slider.value = String(number);
      slider.setAttribute("aria-valuetext", `${shown} ${unit}`);
      field.show(shown);
      const wrong = outside(joint, next);
      element.classList.toggle("outside", wrong !== null);
      warning.textContent = wrong ? `outside of ${limits}` : "";
    },
  };
}

/** Joint values with a name, as buttons. */
export function stateButtons(info: RobotInfo, jogging: Jogging): HTMLElement | null {
  if (info.states.length === 0) return null;
  return h(
    "div",
    { class: "buttons states", role: "group", "aria-label": "Named joint values" },
    ...info.states.map((state) =>
      button({
        text: state.name,
        title: `Joint values “${state.name}”`,
        kind: "plain",
        press: () => jogging.setState(state.values),
      }),
    ),
  );
}
