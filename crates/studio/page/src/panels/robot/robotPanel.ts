// The robot that is worked with: joints, tool, solutions, gripper and motion on one side, its program on the other.
import type { Actions } from "../../tools/actions";
import type { Jogging } from "../../tools/jogging";
import { h, refill, replace } from "../../ui/dom";
import { button } from "../../ui/widgets";
import { placedCard } from "../findings";
import { type PoseFields, poseFields } from "../poseFields";
import { gripper } from "./gripper";
import { type JointRows, jointRows, stateButtons } from "./joints";
import { motionSettings } from "./motion";
import { Program } from "./program";
import { solutionList } from "./solutions";

/** So many of what a robot touches are told; the rest is seen. */
const MOST_FINDINGS = 3;

type Side = "move" | "program";

export interface RobotPanel {
  element: HTMLElement;
  update(): void;
  /** The cursor has moved. */
  follow(): void;
}

export function robotPanel(actions: Actions, jogging: Jogging): RobotPanel {
  const { state } = actions;
  const head = h("div", { class: "robot-head" });
  const below = h("div", { class: "robot-below" });
  const joints = h("section", { "aria-label": "Joints" });
  const found = h("section", { class: "findings", "aria-label": "What it touches", "aria-live": "polite" });
  const tool = h("section", { "aria-label": "Tool" });
  const trouble = h("p", { class: "trouble small", role: "alert" });
  const solutions = h("section", { class: "solutions", "aria-label": "Inverse solutions" });
  const grip = h("section", { "aria-label": "Gripper" });
  const motion = h("section", { "aria-label": "Motion" });
  const base = h("section", { "aria-label": "Base" });
  const program = new Program(actions);
  const moves = h(
    "div",
    { role: "tabpanel", id: "robot-move-panel", "aria-labelledby": "robot-move" },
    joints,
    found,
    motion,
    grip,
    tool,
    trouble,
    solutions,
    base,
  );
  const lists = h(
    "div",
    { role: "tabpanel", id: "robot-program-panel", "aria-labelledby": "robot-program" },
    program.element,
  );
  let side: Side = "move";
  let rows: JointRows | null = null;
  let pose: PoseFields | null = null;
  let place: PoseFields | null = null;
  let built = "";
  let listed = "";

  const turn = (to: Side): void => {
    side = to;
    update();
    head.querySelector<HTMLElement>(`#robot-${to}`)?.focus();
  };

  const tab = (name: Side, text: string): HTMLElement => {
    const element = h(
      "button",
      {
        type: "button",
        role: "tab",
        class: "segment",
        id: `robot-${name}`,
        "aria-selected": String(side === name),
        "aria-controls": `robot-${name}-panel`,
        tabindex: side === name ? 0 : -1,
        onclick: () => turn(name),
      },
      text,
    );
    element.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      turn(name === "move" ? "program" : "move");
      event.preventDefault();
      event.stopPropagation();
    });
    return element;
  };

  const drawHead = (): void => {
    const { robots, robot, view } = state;
    const info = robots[robot!]!;
    refill(head, JSON.stringify([robots.map((one) => one.name), robot, side]), () => {
      const chooser = h(
        "select",
        {
          id: "robot-choice",
          "aria-label": "Robot",
          onchange: () => actions.selectRobot(Number(chooser.value)),
        },
        ...robots.map((one, index) => h("option", { value: index, selected: index === robot }, one.name)),
      );
      return [
        h(
          "div",
          { class: "row" },
          robots.length > 1 ? chooser : h("strong", { class: "robot-name" }, info.name),
        ),
        h(
          "div",
          { class: "segments", role: "tablist", "aria-label": "Robot panel" },
          tab("move", "Move"),
          tab("program", "Program"),
        ),
      ];
    });
    refill(below, JSON.stringify([info.method, view.frames, view.trail, view.cloud]), () => {
      const toggle = (key: "frames" | "trail" | "cloud", text: string, title: string): HTMLElement =>
        button({
          text,
          title,
          id: `show-${key}`,
          pressed: view[key],
          press: () => actions.view({ [key]: !view[key] }),
        });
      return [
        h("p", { class: "note", title: "How joint values for a tool pose are found" }, info.method),
        h(
          "div",
          { class: "row toggles", role: "group", "aria-label": "Show" },
          toggle("frames", "Frames", "The frames of the links and of the tool"),
          toggle("trail", "Trail", "The way of the tools through the plan"),
          toggle("cloud", "Reach", "Points that the tool reaches, from random joint values"),
        ),
      ];
    });
  };

  const build = (): void => {
    const info = jogging.info!;
    const key = JSON.stringify([state.robot, info.name, info.joints, info.states, state.units]);
    if (key === built) return;
    built = key;
    rows = jointRows(info, state.units, jogging);
    replace(joints, h("h3", {}, "Joints"), ...rows.elements, stateButtons(info, jogging));
    const size = (): number => actions.viewport.extentRadius;
    pose = poseFields(
      "tool-",
      state.units,
      size,
      () => state.jog?.wanted ?? state.stand?.tool ?? null,
      (next) => jogging.setTool(next),
    );
    replace(tool, h("h2", {}, "Tool"), ...pose.elements);
    place = poseFields(
      "base-",
      state.units,
      size,
      () => jogging.info?.base ?? null,
      (next) => state.robot !== null && void actions.ask("robot_base", { robot: state.robot, pose: next }),
    );
    replace(base, h("details", {}, h("summary", {}, "Where it stands"), ...place.elements));
  };

  const drawMove = (): void => {
    const info = jogging.info!;
    build();
    const { jog, stand, units } = state;
    rows!.set(jogging.joints());
    place!.set(info.base);
    if (stand) pose!.set(jog?.wanted ?? stand.tool);
    // Before it is known where the tool stands, what is typed would be lost.
    for (const input of tool.querySelectorAll("input")) input.disabled = !stand && !jog?.wanted;
    trouble.textContent = jog?.trouble ? `The tool cannot be there: ${jog.trouble}` : "";
    const { choice } = jogging;
    refill(motion, JSON.stringify([choice, units]), () => motionSettings(units, jogging));
    // Not under the hands of somebody who is choosing a part.
    const gripKey = JSON.stringify([
      state.robot,
      state.scene!.revision,
      jogging.held(),
      jog !== null,
      [...state.selected],
      stand?.tool.map((value) => value.toFixed(3)),
    ]);
    if (document.activeElement?.id !== "grasp-part") refill(grip, gripKey, () => gripper(actions, jogging));
    const touches = jog ? (stand?.findings ?? []) : [];
    refill(found, JSON.stringify(touches), () =>
      touches
        .slice(0, MOST_FINDINGS)
        .map((finding, index) => placedCard(actions, finding, `touches-${index}`)),
    );
    const { solutions: others } = state;
    refill(solutions, JSON.stringify([others, jogging.joints(), units]), () =>
      others ? solutionList(info, units, others, jogging) : [],
    );
  };

  const update = (): void => {
    if (!state.scene || !jogging.info) return;
    drawHead();
    moves.hidden = side !== "move";
    lists.hidden = side !== "program";
    if (side === "move") return drawMove();
    const key = JSON.stringify([
      state.scene.path,
      state.scene.revision,
      state.verdict?.revision,
      state.verdict?.running,
    ]);
    if (key !== listed) {
      listed = key;
      program.build();
    }
    program.mark();
  };

  const follow = (): void => {
    if (!state.scene || !jogging.info) return;
    if (side === "program") program.mark();
    else if (rows) rows.set(jogging.joints());
  };
  return { element: h("div", { class: "robot-panel" }, head, below, moves, lists), update, follow };
}
