// The selected step: its name, what it moves, its verdict, and reordering.
import { actionText, stagesOf, stepName } from "../document/robots";
import { lengthText, readNumber, secondsText } from "../document/units";
import { moveText } from "../protocol";
import type { FitGap, StepVerdict } from "../protocol";
import type { Actions } from "../tools/actions";
import { h } from "../ui/dom";
import { button } from "../ui/widgets";
import { VERDICT_TEXT } from "../view/colors";
import type { Planner } from "./planner";
import { closestCard, findingCard, fitList, gapText } from "./findings";

/** The fit with the smallest gap. */
function tightest(fits: FitGap[] | undefined): FitGap | null {
  return (fits ?? []).reduce<FitGap | null>(
    (least, fit) => (least === null || fit.gap < least.gap ? fit : least),
    null,
  );
}

function exemptCount(verdict: StepVerdict): number {
  return (verdict.exempt?.length ?? 0) + (verdict.exempt_unlisted ?? 0);
}

export function stepPanel(actions: Actions, planner: Planner, index: number): HTMLElement {
  const { state } = actions;
  const scene = state.scene!;
  const step = scene.steps[index]!;
  const verdict = state.verdict?.steps[index] ?? null;
  const text = (input: HTMLInputElement): HTMLInputElement => {
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") input.blur();
    });
    return input;
  };
  const name = text(
    h("input", {
      type: "text",
      class: "title-input",
      id: "step-name",
      value: stepName(step),
      title: step.name,
      "aria-label": "Name of the step",
      onchange: () =>
        name.value.trim() && void actions.ask("rename_step", { step: index, name: name.value.trim() }),
    }),
  );
  const seconds = text(
    h("input", {
      type: "text",
      class: "short",
      value: String(step.seconds),
      "aria-label": "Seconds shown",
      onchange: () =>
        void actions.ask("update_step", { step: index, seconds: readNumber(seconds.value) ?? step.seconds }),
    }),
  );
  const last = scene.steps.length - 1;
  const actionsOf = step.actions ?? [];
  const kind = actionsOf.some((one) => one.kind === "plan")
    ? "plan"
    : step.moves.length === 1
      ? step.moves[0]!.kind
      : "";
  // All parts of a step go with it.
  const [first, end] = stagesOf(scene.steps, index);
  const move = async (to: number): Promise<void> => {
    const answer = await actions.ask("move_step", { from: index, to });
    if (answer) actions.selectStep(answer.step ?? to);
  };
  const fact = (label: string, value: string): HTMLElement =>
    h("div", { class: "fact" }, h("dt", {}, label), h("dd", {}, value));
  return h(
    "div",
    { class: "step-panel" },
    h("div", { class: "step-title" }, h("span", { class: "number-tag big" }, state.label(index)), name),
    h(
      "div",
      { class: "row tools" },
      button({ icon: "up", title: "Earlier", disabled: first === 0, press: () => void move(first - 1) }),
      button({ icon: "down", title: "Later", disabled: end === last, press: () => void move(end + 1) }),
      button({
        icon: "copy",
        title: "Duplicate",
        id: "duplicate-step",
        press: () => void actions.ask("duplicate_step", { step: index }),
      }),
      button({
        icon: "trash",
        title: "Delete",
        key: "Delete",
        id: "delete-step",
        press: () => void actions.ask("remove_step", { step: index }),
      }),
      h("span", { class: "grow" }),
      button({
        icon: "play",
        text: "Play step",
        title: "Play from the start of this step",
        kind: "plain",
        press: () => (actions.seek(state.timeOf(index, 0)), actions.play()),
      }),
    ),
    h("h3", {}, actionsOf.length ? "Program" : step.moves.length > 1 ? "Moves at the same time" : "Move"),
    ...actionsOf.map((one) =>
      h(
        "button",
        {
          class: "move",
          type: "button",
          title: "Work with this robot",
          onclick: () => actions.selectRobot(one.robot),
        },
        h("span", {}, `${state.robots[one.robot]?.name ?? ""}: ${actionText(one)}`),
      ),
    ),
    ...step.moves.map((one) =>
      h(
        "button",
        {
          class: "move",
          type: "button",
          title: "Select what it moves",
          onclick: () => actions.selectMany(one.bodies),
        },
        h("span", {}, moveText(one)),
        h("span", { class: "tag" }, one.kind),
      ),
    ),
    kind === "plan" || kind === "path"
      ? h(
          "div",
          { class: "buttons" },
          button({
            icon: "path",
            text: kind === "plan" ? "Find a way" : "Find another way",
            title: "Let the planner look for it",
            kind: "plain",
            id: "plan-step",
            press: () => planner.forStep(index),
          }),
        )
      : h("span"),
    h(
      "label",
      { class: "inline" },
      ...(actionsOf.length
        ? [`takes ${secondsText(step.seconds)}`]
        : ["shown for", seconds, h("span", { class: "field-unit" }, "s")]),
      step.line ? h("span", { class: "muted" }, `line ${step.line} of the file`) : null,
    ),
    h("h3", {}, "Verdict"),
    h(
      "div",
      { class: `verdict-card verdict-${verdict?.verdict ?? "none"}` },
      h(
        "strong",
        {},
        verdict ? VERDICT_TEXT[verdict.verdict] : state.verdict?.running ? "Checking…" : "not checked",
      ),
      h("span", {}, verdict?.action ?? ""),
    ),
    h(
      "div",
      { class: "findings" },
      ...(verdict?.findings ?? []).map((finding) => findingCard(actions, index, finding)),
      closestCard(actions, index),
    ),
    verdict
      ? h(
          "dl",
          { class: "facts" },
          fact("Clearance", verdict.clearance != null ? lengthText(verdict.clearance, state.units) : "–"),
          fact("Required", verdict.required != null ? lengthText(verdict.required, state.units) : "–"),
          tightest(verdict.fit_gaps)
            ? fact("Tightest fit", gapText(state, tightest(verdict.fit_gaps)!))
            : null,
          !verdict.fit_gaps?.length && verdict.fits.length
            ? fact("Fits", verdict.fits.map((pair) => pair.join(" – ")).join("; "))
            : null,
          exemptCount(verdict)
            ? fact(
                "Exempt",
                `${exemptCount(verdict)} ${exemptCount(verdict) === 1 ? "pair" : "pairs"}, by a rule`,
              )
            : null,
        )
      : h("span"),
    ...(verdict?.fit_gaps?.length ? [h("h3", {}, "Fits"), fitList(state, verdict.fit_gaps)] : []),
    ...(verdict?.approaches?.length
      ? [
          h("h3", {}, "Clearance not required"),
          h(
            "ul",
            { class: "fits", id: "approaches", "aria-label": "Clearance not required" },
            ...verdict.approaches.map((one) => h("li", {}, h("span", {}, one.message))),
          ),
        ]
      : []),
  );
}
