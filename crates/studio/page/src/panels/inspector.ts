// The inspector on the right: the selected bodies, the selected step, or what the scene is and what is wrong with it.
import type { Actions } from "../tools/actions";
import type { Jogging } from "../tools/jogging";
import type { Moving } from "../tools/moving";
import { lengthText } from "../document/units";
import { h, replace } from "../ui/dom";
import { button } from "../ui/widgets";
import { VERDICT_TEXT } from "../view/colors";
import { bodyPanel } from "./bodyPanel";
import { findingCard, warningCard } from "./findings";
import type { Planner } from "./planner";
import { reportFacts } from "./report";
import { robotPanel } from "./robot/robotPanel";
import { stepPanel } from "./stepPanel";

const PLAYING_MILLISECONDS = 120;

export function inspector(actions: Actions, moving: Moving, jogging: Jogging, planner: Planner): HTMLElement {
  const { state } = actions;
  const content = h("div", { class: "inspector-content" });
  const panel = bodyPanel(actions, moving, planner);
  const robot = robotPanel(actions, jogging);
  let shown = "";

  const update = (): void => {
    const bodies = [...state.selected];
    const key = !state.scene
      ? "none"
      : state.robot !== null
        ? "robot"
        : bodies.length
          ? `bodies ${bodies.join()}`
          : state.selectedStep !== null
            ? `step ${state.selectedStep}`
            : "scene";
    if (key === "robot") {
      if (key !== shown) replace(content, robot.element);
      robot.update();
    } else if (key.startsWith("bodies")) {
      if (key !== shown) replace(content, panel.element);
      panel.update();
    } else if (
      key.startsWith("step") &&
      key === shown &&
      document.activeElement instanceof HTMLInputElement &&
      content.contains(document.activeElement)
    )
      return;
    else if (key.startsWith("step")) replace(content, stepPanel(actions, planner, state.selectedStep!));
    else replace(content, ...(state.scene ? overview(actions, planner) : []));
    shown = key;
  };
  state.on(["scene", "verdict", "selection", "focus", "tool"], update);
  state.on(["robot", "view"], () => shown === "robot" && state.robot !== null && robot.update());
  let last = 0;
  state.on(["cursor", "draft"], () => {
    if (!shown.startsWith("bodies") && shown !== "robot") return;
    // While it plays the numbers are read by nobody sixty times a second.
    const now = performance.now();
    if (state.playing && now - last < PLAYING_MILLISECONDS) return;
    last = now;
    if (shown === "robot") robot.follow();
    else panel.update();
  });
  update();
  return h("aside", { class: "panel inspector", "aria-label": "Inspector" }, content);
}

function overview(actions: Actions, planner: Planner): HTMLElement[] {
  const { state } = actions;
  const scene = state.scene!;
  const verdict = state.verdict?.running ? null : state.verdict?.verdict;
  const findings = state.findings();
  const error = state.verdict?.error;
  const trouble = typeof error === "string" ? error : (error?.message ?? "");
  const fact = (name: string, value: string): HTMLElement =>
    h("div", { class: "fact" }, h("dt", {}, name), h("dd", {}, value));
  const least = (state.verdict?.steps ?? []).reduce<number | null>(
    (best, step) =>
      step?.clearance != null && (best === null || step.clearance < best) ? step.clearance : best,
    null,
  );
  return [
    h("h2", {}, "Verdict"),
    h(
      "div",
      { class: `verdict-card verdict-${verdict ?? "none"}` },
      h("strong", {}, state.verdict?.running ? "Checking…" : verdict ? VERDICT_TEXT[verdict] : "not checked"),
      h(
        "span",
        {},
        verdict === "free"
          ? `Every step is proven to be carried out without touching, and keeps its clearance${state.verdict?.not_covered?.length ? ", but for what is not covered" : ""}.`
          : findings.length
            ? `${findings.length} ${findings.length === 1 ? "finding" : "findings"}, the first ${findings[0]!.step < 0 ? "before anything has moved" : `at step ${state.label(findings[0]!.step)}`}.`
            : trouble,
      ),
    ),
    h(
      "div",
      { class: "findings", id: "findings" },
      ...findings.map(({ step, finding }) => findingCard(actions, step, finding)),
    ),
    h(
      "div",
      { class: "findings", id: "warnings" },
      ...(state.verdict?.warnings ?? []).map((warning) => warningCard(actions, warning)),
    ),
    ...(state.verdict?.not_covered?.length
      ? [
          h("h3", {}, "Not covered"),
          h(
            "ul",
            { class: "not-covered", id: "not-covered" },
            ...state.verdict.not_covered.map((said) => h("li", {}, said)),
          ),
        ]
      : []),
    ...reportFacts(state),
    h("h2", {}, "Scene"),
    h(
      "dl",
      { class: "facts" },
      fact("Bodies", String(scene.bodies.length)),
      state.robots.length ? fact("Robots", state.robots.map((one) => one.name).join(", ")) : null,
      fact("Triangles", scene.bodies.reduce((sum, body) => sum + body.triangles, 0).toLocaleString("en")),
      fact("Steps", String(scene.steps.length)),
      fact("Required clearance", lengthText(scene.clearance, scene.units)),
      fact("Allowance of fits", lengthText(scene.allowance, scene.units)),
      least !== null ? fact("Least clearance", lengthText(least, scene.units)) : fact("Units", scene.units),
    ),
    h(
      "div",
      { class: "buttons" },
      button({
        icon: "check",
        text: "Check again",
        title: "Check every step",
        kind: "plain",
        press: () => void actions.ask("check", {}),
      }),
      button({
        icon: "path",
        text: "Disassemble…",
        title: "Let the planner find an order and the ways to take it apart",
        kind: "plain",
        press: () => planner.disassemble(),
      }),
    ),
  ];
}
