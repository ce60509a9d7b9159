// What is known of a robot that was moved by hand, and what can be made of it: a step, a part of one, or where the plan begins.
import { changedJoints } from "../../document/robots";
import type { State } from "../../document/state";
import { angleText, lengthText, secondsText } from "../../document/units";
import type { Contact, Finding } from "../../protocol";
import type { Jogging } from "../../tools/jogging";
import { h } from "../../ui/dom";
import { button } from "../../ui/widgets";

const names = (state: State, pair: Contact["pair"] | Finding["pair"]): string[] =>
  pair.map((one) => (typeof one === "number" ? (state.scene?.bodies[one]?.name ?? "?") : one));

/** The one of a pair that is not the robot's, or both of a robot that touches itself. */
function other(state: State, pair: Contact["pair"] | Finding["pair"], moved: ReadonlySet<number>): string {
  const both = names(state, pair);
  return both.find((name) => !moved.has(state.bodyNamed(name))) ?? both.join(" and ");
}

function summary(state: State, jogging: Jogging): string {
  const jog = state.jog!;
  const info = state.robots[jog.robot]!;
  const changed = changedJoints(jogging.planned(jog.robot), jog.joints);
  if (changed.length === 0) return `${info.name}: as planned`;
  if (changed.length > 1) return `${info.name}: ${changed.length} joints moved`;
  const joint = info.joints[changed[0]!]!;
  const by = jog.joints[changed[0]!]! - jogging.planned(jog.robot)[changed[0]!]!;
  return `${info.name}: ${joint.name} ${by > 0 ? "+" : "−"}${joint.turns ? angleText(Math.abs(by)) : lengthText(Math.abs(by), state.units)}`;
}

/** Where it stands, then whether it gets there. */
function verdicts(state: State, jogging: Jogging): HTMLElement[] {
  const jog = state.jog!;
  const moved = new Set(jog.poses.keys());
  const badge = (kind: string, text: string, id = ""): HTMLElement =>
    h("span", { class: `badge verdict-${kind}`, title: text, ...(id ? { id } : {}) }, text);
  const found: HTMLElement[] = [];
  const wrong: Finding | undefined = state.stand?.findings[0];
  if (jog.trouble) found.push(badge("undecided", "out of reach"));
  if (state.stand?.outside.length) found.push(badge("too_close", "outside of the limits"));
  if (wrong)
    found.push(
      badge(
        wrong.kind === "too_close" ? "too_close" : "collision",
        `${wrong.kind === "too_close" ? "too close to" : "touches"} ${other(state, wrong.pair, moved)}`,
        "stands",
      ),
    );
  const { trial } = jog;
  if (jogging.choice.kind === "plan") found.push(badge("none", "the way is planned later"));
  else if (trial?.kind === "running") found.push(badge("none", "trying…"));
  else if (trial?.kind === "free")
    found.push(badge("free", `moves free, ${secondsText(trial.seconds)}`, "trial"));
  else if (trial?.kind === "touches")
    found.push(
      badge(
        "collision",
        `touches ${other(state, trial.contact.pair, moved)} after ${(trial.share * 100).toFixed(0)} %`,
        "trial",
      ),
      button({
        text: "Stop there",
        title: "Put the robot where it touches",
        kind: "plain",
        id: "stop-there",
        press: () => jogging.stopThere(),
      }),
    );
  else if (trial?.kind === "close")
    found.push(
      badge(
        "too_close",
        `comes too close to ${other(state, trial.pair, moved)}${trial.clearance === null ? "" : `: ${lengthText(trial.clearance, state.units)}`}`,
        "trial",
      ),
    );
  else if (trial?.kind === "error") found.push(badge("undecided", trial.message, "trial"));
  return found;
}

export function robotDraft(state: State, jogging: Jogging): HTMLElement[] {
  const { moment, scene } = state;
  const join = jogging.joinable();
  const { kind } = jogging.choice;
  const possible = jogging.motion() !== null && !state.jog!.trouble;
  return [
    h("span", { class: "rec-dot" }),
    h("span", { class: "draft-text" }, summary(state, jogging)),
    ...verdicts(state, jogging),
    button({
      text: `Record ${kind}`,
      title: possible
        ? "Make it a step after the one under the cursor"
        : kind === "joint"
          ? "Only one joint may have moved"
          : "There is nothing to record",
      key: "Enter",
      kind: "primary",
      id: "record-robot",
      disabled: !possible,
      press: () => void jogging.record(),
    }),
    join !== null
      ? button({
          text: `With step ${(scene!.steps[join]!.step ?? join) + 1}`,
          title: `At the same time as “${scene!.steps[join]!.name}”`,
          kind: "plain",
          id: "record-with",
          disabled: !possible,
          press: () => void jogging.record(true),
        })
      : null,
    moment === null
      ? button({
          text: "Set as start",
          title: "The plan begins with the robot here",
          kind: "plain",
          id: "robot-start",
          press: () => void jogging.setStart(),
        })
      : null,
    button({
      text: "Discard",
      title: "Put the robot back",
      key: "Esc",
      kind: "plain",
      id: "discard-robot",
      press: () => jogging.discard(),
    }),
  ].filter((one) => one !== null);
}
