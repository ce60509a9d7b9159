// All joint values that were found for the tool pose: the nearest marked, each shown as a ghost under the pointer or the focus.
import { jointUnit, sameJoints, shownValue } from "../../document/robots";
import { trimmed } from "../../document/units";
import type { RobotInfo, Solution, Solutions } from "../../protocol";
import type { Jogging } from "../../tools/jogging";
import { h } from "../../ui/dom";

export function solutionList(
  info: RobotInfo,
  units: string,
  found: Solutions,
  jogging: Jogging,
): HTMLElement[] {
  const now = jogging.joints();
  const row = (solution: Solution, index: number): HTMLElement => {
    const values = solution.joints
      .map((value, joint) => String(Math.round(shownValue(info.joints[joint]!, value, units) * 10) / 10 + 0))
      .join("  ");
    const touches = solution.touches ?? "";
    const here = sameJoints(solution.joints, now);
    const marks = [
      solution.nearest ? h("span", { class: "badge tone-accent" }, "nearest") : null,
      ...solution.singular.map((what) =>
        h("span", { class: "badge verdict-too_close", title: "At a singularity" }, what),
      ),
      solution.free
        ? h("span", { class: "badge verdict-free" }, "free")
        : h("span", { class: "badge verdict-collision" }, "touches"),
    ];
    const words = [
      solution.nearest ? "nearest" : "",
      here ? "shown" : "",
      solution.free ? "free" : touches || "touches",
    ]
      .filter(Boolean)
      .join(", ");
    const element = h(
      "button",
      {
        class: "solution",
        type: "button",
        id: `solution-${index}`,
        "aria-pressed": String(here),
        "aria-label": `Solution ${index + 1}: ${values}; ${words}`,
        title: `${info.joints.map((joint, at) => `${joint.name} ${trimmed(shownValue(joint, solution.joints[at]!, units), 5)} ${jointUnit(joint, units)}`).join("\n")}${solution.signs ? `\nsides of its singularities: ${solution.signs}` : ""}`,
        onclick: () => jogging.pick(solution),
      },
      h(
        "span",
        { class: "solution-head" },
        h("span", { class: "number-tag" }, String(index + 1)),
        solution.signs
          ? h(
              "span",
              { class: "signs", title: "On which sides of its singularities the arm is" },
              solution.signs,
            )
          : null,
        h("span", { class: "grow" }),
        ...marks,
      ),
      h("span", { class: "solution-values" }, values),
      touches ? h("span", { class: "solution-note" }, touches) : null,
    );
    element.addEventListener("pointerenter", () => jogging.preview(solution.joints));
    element.addEventListener("pointerleave", () => jogging.preview(null));
    element.addEventListener(
      "focus",
      () => element.matches(":focus-visible") && jogging.preview(solution.joints),
    );
    element.addEventListener("blur", () => jogging.preview(null));
    return element;
  };
  const count = found.solutions.length;
  const note =
    count === 0
      ? (found.reason ?? "none found")
      : found.complete
        ? ""
        : "There may be more: this arm is searched numerically.";
  return [
    h("h3", {}, count === 1 ? "One solution" : `${count} solutions`),
    ...found.solutions.map(row),
    ...(note ? [h("p", { class: "note" }, note)] : []),
  ];
}
