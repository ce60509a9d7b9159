// What the robots do, step by step, in the words of robot programs; a click goes there, and what runs now is marked.
import { actionSpans, actionText, stagesOf, stepName } from "../../document/robots";
import type { State } from "../../document/state";
import type { ActionInfo } from "../../protocol";
import type { Actions } from "../../tools/actions";
import { h } from "../../ui/dom";

interface Entry {
  element: HTMLElement;
  /** Seconds. */
  from: number;
  to: number;
}

const time = (state: State, at: [number, number]): number => state.timeOf(at[0], at[1]);

export class Program {
  readonly element = h("div", { class: "program", role: "list", "aria-label": "Program" });
  private entries: Entry[] = [];

  constructor(private readonly actions: Actions) {}

  build(): void {
    const { state } = this.actions;
    const { scene } = state;
    this.entries = [];
    this.element.replaceChildren();
    for (let stage = 0; scene && stage < scene.steps.length; ) {
      const [first, last] = stagesOf(scene.steps, stage);
      const step = scene.steps[first]!;
      const [from, to] = [state.timeOf(first, 0), state.timeOf(last, 1)];
      const verdicts = (state.verdict?.steps ?? [])
        .slice(first, last + 1)
        .map((one) => one?.verdict ?? "none");
      const verdict = verdicts.find((one) => one !== "free") ?? verdicts[0] ?? "none";
      const name = stepName(step);
      const head = h(
        "button",
        {
          class: "program-step",
          type: "button",
          title: `${name}: show it from its start`,
          onclick: () => this.go(from),
        },
        h("span", { class: `bullet verdict-${verdict}`, title: verdict.replace("_", " ") }),
        h("span", { class: "number-tag" }, String((step.step ?? first) + 1)),
        h("span", { class: "name" }, name),
      );
      const group = h("div", { class: "program-group", role: "listitem" }, head);
      this.element.append(group);
      this.entries.push({ element: group, from, to });
      const spans = actionSpans(scene, first, last);
      const several = new Set(step.actions?.map((action) => action.robot)).size > 1;
      step.actions?.forEach((action, index, all) => {
        if (several && all[index - 1]?.robot !== action.robot)
          group.append(
            h(
              "div",
              { class: `program-robot robot-${action.robot % 4}` },
              state.robots[action.robot]?.name ?? "",
            ),
          );
        group.append(this.row(action, time(state, spans[index]!.from), time(state, spans[index]!.to)));
      });
      if (!step.actions?.length)
        for (const move of step.moves)
          group.append(h("div", { class: "program-move" }, `${move.subject} ${move.kind}`));
      stage = last + 1;
    }
    if (!this.element.firstChild)
      this.element.append(
        h("p", { class: "note" }, "No steps yet. Move the robot, then record what it shall do."),
      );
    this.mark();
  }

  private row(action: ActionInfo, from: number, to: number): HTMLElement {
    const { state } = this.actions;
    const text = actionText(action);
    const robot = state.robots[action.robot]?.name ?? "?";
    const element = h(
      "button",
      {
        class: `program-action robot-${action.robot % 4}`,
        type: "button",
        title: `${robot}: ${text}`,
        "aria-label": `${robot}: ${text}`,
        onclick: () => this.go(to),
      },
      h("span", { class: "program-text" }, text),
    );
    this.entries.push({ element, from, to });
    return element;
  }

  private go(to: number): void {
    this.actions.seek(to);
  }

  /** Marks what runs at the cursor. */
  mark(): void {
    const { time: now, playing } = this.actions.state;
    let seen: HTMLElement | null = null;
    for (const { element, from, to } of this.entries) {
      const on = now > 0 && ((now > from && now <= to) || (from === to && now === to));
      if (on && !element.classList.contains("current") && !element.classList.contains("program-group"))
        seen = element;
      element.classList.toggle("current", on);
      if (on) element.setAttribute("aria-current", "step");
      else element.removeAttribute("aria-current");
    }
    if (playing && seen && this.element.isConnected) seen.scrollIntoView({ block: "nearest" });
  }
}
