// What is wrong, one card per finding: a click jumps to its time, flies to its place and shows its pair.
import { length, middle, subtract } from "../document/poses";
import type { Focus, State } from "../document/state";
import { lengthText } from "../document/units";
import { Vector3 } from "three";
import type { Finding, FitGap, Vec3, Warning } from "../protocol";
import type { Actions } from "../tools/actions";
import { h } from "../ui/dom";
import { icon } from "../ui/icons";
import { vector } from "../view/markers";

const KIND_TEXT: Record<Finding["kind"], string> = {
  overlap: "overlap",
  contact: "collision",
  too_close: "too close",
  undecided: "undecided",
  inside_unknown: "inside unknown",
  no_path: "no path",
  goal: "goal missed",
};

export function show(actions: Actions, focus: Focus): void {
  const { state, viewport } = actions;
  if (!focus) return;
  const time =
    focus.kind === "finding" ? focus.finding.t : (state.verdict?.steps[focus.step]?.closest?.t ?? 0);
  actions.seek(focus.step < 0 ? 0 : state.timeOf(focus.step, time ?? 0));
  state.setFocus(focus);
  const place = placeOf(state, focus);
  if (!place) {
    const bodies =
      focus.kind === "finding"
        ? focus.finding.pair.map((name) => state.bodyNamed(name)).filter((body) => body >= 0)
        : [];
    if (bodies.length > 0) viewport.fit(bodies, true);
    return;
  }
  const sizes = place.pair.map((name) =>
    viewport.bodies
      .box([state.bodyNamed(name)])
      .getSize(new Vector3())
      .length(),
  );
  viewport.lookAt(vector(place.at), Math.max(place.size * 3, Math.min(...sizes) * 0.9), place.normal);
}

function placeOf(
  state: State,
  focus: NonNullable<Focus>,
): { at: Vec3; size: number; pair: [string, string]; normal: Vec3 | null } | null {
  const from = focus.kind === "finding" ? focus.finding : state.verdict?.steps[focus.step]?.closest;
  if (!from) return null;
  if (from.point_a && from.point_b)
    return {
      at: middle(from.point_a, from.point_b),
      size: length(subtract(from.point_a, from.point_b)),
      pair: from.pair,
      normal: subtract(from.point_b, from.point_a),
    };
  return "point" in from && from.point
    ? { at: from.point, size: 0, pair: from.pair, normal: from.normal ?? null }
    : null;
}

export function findingCard(actions: Actions, step: number, finding: Finding): HTMLElement {
  const { state } = actions;
  const verdict = finding.verdict;
  const on =
    state.focus?.kind === "finding" &&
    state.focus.finding.message === finding.message &&
    state.focus.step === step;
  return h(
    "button",
    {
      class: `finding verdict-${verdict} kind-${finding.kind}`,
      type: "button",
      "aria-pressed": String(on),
      onclick: () => show(actions, { kind: "finding", step, finding }),
    },
    h(
      "span",
      { class: "finding-head" },
      h(
        "span",
        { class: `badge verdict-${verdict} kind-${finding.kind}` },
        KIND_TEXT[finding.kind] ?? finding.kind,
      ),
      h(
        "span",
        { class: "finding-where" },
        step < 0
          ? "at the start"
          : `step ${state.label(step)}${finding.t != null ? `, t = ${finding.t.toFixed(3)}` : ""}`,
      ),
    ),
    finding.pair[0] !== finding.pair[1]
      ? h("span", { class: "finding-pair" }, finding.pair.join("  ↔  "))
      : finding.kind === "goal"
        ? h("span", { class: "finding-pair" }, finding.pair[0])
        : null,
    h("span", { class: "finding-text" }, finding.message),
  );
}

/** What is wrong with a placement that is no step yet: a click flies there. */
export function placedCard(actions: Actions, finding: Finding, id: string): HTMLElement {
  const { viewport, state } = actions;
  const verdict = finding.verdict;
  const at =
    finding.point ?? (finding.point_a && finding.point_b ? middle(finding.point_a, finding.point_b) : null);
  const look = (): void => {
    const sizes = finding.pair.map((name) =>
      viewport.bodies
        .box([state.bodyNamed(name)])
        .getSize(new Vector3())
        .length(),
    );
    if (at) viewport.lookAt(vector(at), Math.min(...sizes) * 0.9, finding.normal ?? null);
  };
  return h(
    "button",
    {
      class: `finding verdict-${verdict} kind-${finding.kind}`,
      type: "button",
      id,
      title: "Look at it",
      onclick: look,
    },
    h(
      "span",
      { class: "finding-head" },
      h(
        "span",
        { class: `badge verdict-${verdict} kind-${finding.kind}` },
        KIND_TEXT[finding.kind] ?? finding.kind,
      ),
      h("span", { class: "finding-pair" }, finding.pair.join("  ↔  ")),
    ),
    h("span", { class: "finding-text" }, finding.message),
  );
}

/** What people should know beside the verdict: a click shows the bodies. */
export function warningCard(actions: Actions, warning: Warning): HTMLElement {
  const { state, viewport } = actions;
  const look = (): void => {
    const bodies = warning.bodies.map((name) => state.bodyNamed(name)).filter((body) => body >= 0);
    if (bodies.length > 0) actions.selectMany(bodies), viewport.fit(bodies, true);
  };
  return h(
    "button",
    {
      class: "finding warning",
      type: "button",
      "data-code": warning.code,
      title: warning.bodies.length ? "Show what it is about" : "",
      onclick: look,
    },
    h(
      "span",
      { class: "finding-head" },
      icon("warning", 14),
      h("span", { class: "finding-where" }, "warning"),
    ),
    h("span", { class: "finding-text" }, warning.message),
  );
}

const FIT_TEXT: Record<FitGap["reason"], string> = {
  touches_at_start: "touches before the step",
  touches_at_end: "touches after the step",
  grasped: "held",
};

/** The gap of a fit in words: an overlap goes from what was found to what is proven. */
export function gapText(state: State, fit: FitGap): string {
  const deepest = fit.gap_error - fit.gap;
  if (fit.gap > fit.resting_allowance) return lengthText(fit.gap, state.units);
  if (deepest <= fit.resting_allowance) return "in contact";
  if (fit.gap >= -fit.resting_allowance)
    return `in contact, overlap of no more than ${lengthText(deepest, state.units)}`;
  return `overlap of ${lengthText(-fit.gap, state.units)} to ${lengthText(deepest, state.units)}`;
}

/** The fits of a step, each with its gap and why it is one. */
export function fitList(state: State, fits: FitGap[]): HTMLElement {
  const why = (fit: FitGap): string =>
    `${FIT_TEXT[fit.reason] ?? fit.reason}${fit.allowance > 0 ? `, ${lengthText(fit.allowance, state.units)} allowed` : ""}`;
  return h(
    "ul",
    { class: "fits", "aria-label": "Fits" },
    ...fits.map((fit) =>
      h(
        "li",
        {},
        h("strong", {}, fit.pair.join(" ↔ ")),
        h("span", {}, `${gapText(state, fit)}: ${why(fit)}`),
      ),
    ),
  );
}

export function closestCard(actions: Actions, step: number): HTMLElement | null {
  const { state } = actions;
  const closest = state.verdict?.steps[step]?.closest;
  if (!closest) return null;
  return h(
    "button",
    {
      class: "finding verdict-free",
      type: "button",
      "aria-pressed": String(state.focus?.kind === "closest" && state.focus.step === step),
      onclick: () => show(actions, { kind: "closest", step }),
    },
    h(
      "span",
      { class: "finding-head" },
      icon("ruler", 14),
      h("span", { class: "finding-where" }, "smallest clearance"),
    ),
    h("span", { class: "finding-pair" }, closest.pair.join("  ↔  ")),
    h(
      "span",
      { class: "finding-text" },
      `${lengthText(closest.distance, state.units)}${closest.required ? ` (required ${lengthText(closest.required, state.units)})` : ""}`,
    ),
  );
}
