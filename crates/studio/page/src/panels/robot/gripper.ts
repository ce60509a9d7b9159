// Grasp and release: what the robot holds, and which part it would take.
import { Vector3 } from "three";
import type { Actions } from "../../tools/actions";
import type { Jogging } from "../../tools/jogging";
import { h } from "../../ui/dom";
import { button } from "../../ui/widgets";

/** The part that is meant: the selected one, else the one nearest to the tool. */
function meant(actions: Actions, parts: number[]): number | undefined {
  const { state, viewport } = actions;
  const chosen = parts.filter((body) => state.selected.has(body));
  if (chosen.length > 0) return chosen[0];
  const tool = state.stand?.tool;
  if (!tool) return parts[0];
  const at = new Vector3(tool[0], tool[1], tool[2]);
  const far = (body: number): number => viewport.bodies.box([body]).distanceToPoint(at);
  return parts.map((body) => ({ body, far: far(body) })).sort((a, b) => a.far - b.far)[0]?.body;
}

export function gripper(actions: Actions, jogging: Jogging): HTMLElement[] {
  const { state } = actions;
  const scene = state.scene!;
  const held = jogging.held();
  const parts = scene.bodies.flatMap((body, index) =>
    body.robot == null && !body.fixed && !held.includes(index) ? [index] : [],
  );
  const first = state.jog ? "go there, then " : "";
  const choice = h(
    "select",
    { id: "grasp-part", "aria-label": "Part to grasp" },
    ...parts.map((body) =>
      h("option", { value: body, selected: body === meant(actions, parts) }, scene.bodies[body]!.name),
    ),
  );
  return [
    h("h3", {}, "Gripper"),
    ...held.map((body) =>
      h(
        "div",
        { class: "held" },
        h("span", {}, "holds ", h("strong", {}, scene.bodies[body]!.name)),
        h("span", { class: "grow" }),
        button({
          text: "Release",
          title: `Record a step: ${first}leave the ${scene.bodies[body]!.name} where it is`,
          kind: "plain",
          id: "release",
          press: () => void jogging.letGo(body),
        }),
      ),
    ),
    parts.length > 0
      ? h(
          "div",
          { class: "held" },
          choice,
          button({
            text: "Grasp",
            title: `Record a step: ${first}take this part, which then moves with the tool`,
            kind: "plain",
            id: "grasp",
            press: () => void jogging.grasp(Number(choice.value)),
          }),
        )
      : h("p", { class: "note" }, "There is nothing to grasp."),
  ];
}
