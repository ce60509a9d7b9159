// How recorded motions are made: kind, mode and speed.
import type { MotionKind } from "../../document/robots";
import { metresPer, trimmed } from "../../document/units";
import type { JointMode } from "../../protocol";
import type { Jogging } from "../../tools/jogging";
import { h } from "../../ui/dom";

const KINDS: [MotionKind, string][] = [
  ["ptp", "All joints go to their values"],
  ["lin", "The tool goes along a straight line"],
  ["joint", "One joint alone"],
  ["plan", "A planner finds the way"],
];
const MODES: [JointMode, string][] = [
  ["synchronous", "all arrive together"],
  ["simultaneous", "all at full speed"],
  ["sequential", "one after the other"],
];
/** Fastest straight line of the slider, in metres per second. */
const FASTEST = 1;

/** Buttons for the kind of motion, as a group of radio buttons. */
export function kindChoice(jogging: Jogging): HTMLElement {
  const { choice } = jogging;
  return h(
    "div",
    { class: "segments", role: "radiogroup", "aria-label": "Kind of motion" },
    ...KINDS.map(([kind, title]) =>
      h(
        "button",
        {
          type: "button",
          role: "radio",
          class: "segment",
          id: `motion-${kind}`,
          "aria-checked": String(choice.kind === kind),
          title,
          onclick: () => jogging.choose({ kind }),
        },
        kind,
      ),
    ),
  );
}

export function motionSettings(units: string, jogging: Jogging): HTMLElement[] {
  const { choice } = jogging;
  const straight = choice.kind === "lin";
  const text = (): string =>
    straight
      ? `${trimmed(choice.speed / metresPer(units), 3)} ${units}/s`
      : `${Math.round(choice.share * 100)} %`;
  const shown = h("span", { class: "speed-text" }, text());
  const slider = straight
    ? h("input", {
        type: "range",
        id: "robot-speed",
        min: 0.01,
        max: FASTEST,
        step: 0.01,
        value: choice.speed,
        "aria-label": "Speed of the tool",
        oninput: () => change(),
      })
    : h("input", {
        type: "range",
        id: "robot-speed",
        min: 1,
        max: 100,
        step: 1,
        value: Math.round(choice.share * 100),
        "aria-label": "Speed in percent of the full speed",
        oninput: () => change(),
      });
  const change = (): void => {
    if (straight) choice.speed = Number(slider.value);
    else choice.share = Number(slider.value) / 100;
    shown.textContent = text();
    slider.setAttribute("aria-valuetext", text());
  };
  slider.setAttribute("aria-valuetext", text());
  slider.addEventListener("change", () => jogging.choose({}));
  slider.addEventListener(
    "keydown",
    (event) => event.key !== "Escape" && event.key !== "Enter" && event.stopPropagation(),
  );
  const mode = h(
    "select",
    {
      id: "robot-mode",
      "aria-label": "How joints share the time",
      onchange: () => jogging.choose({ mode: mode.value as JointMode }),
    },
    ...MODES.map(([name, title]) =>
      h("option", { value: name, selected: name === choice.mode, title }, `${name}: ${title}`),
    ),
  );
  return [
    h("h3", {}, "Motion"),
    kindChoice(jogging),
    h("label", { class: "inline speed" }, "speed", slider, shown),
    ...(choice.kind === "ptp" ? [mode] : []),
  ];
}
