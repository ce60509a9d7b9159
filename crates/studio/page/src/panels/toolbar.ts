// Tools over the view: what the pointer does, the draft of a step, the section plane.
import { angleText, lengthText } from "../document/units";
import { length } from "../document/poses";
import type { Actions } from "../tools/actions";
import type { Jogging } from "../tools/jogging";
import type { Moving } from "../tools/moving";
import { h, replace } from "../ui/dom";
import { button } from "../ui/widgets";
import type { PickTool } from "../document/state";
import { robotDraft } from "./robot/draftBar";

const PICK_HINTS: Record<PickTool, [string, string]> = {
  none: ["", ""],
  vertex: [
    "Click a corner of the body to move; a round edge gives its middle",
    "Now the corner it shall meet",
  ],
  align: ["Click a face or an edge of the body to turn", "Now the face or edge to align it with"],
  edge: ["Click the edge to turn about; a round edge gives its axis", ""],
  measure: ["Click the first point", "Now the second point"],
};

/** `under` comes below what is unrecorded, at the right. */
export function toolbar(
  actions: Actions,
  moving: Moving,
  jogging: Jogging,
  pickStage: () => number,
  under: HTMLElement,
): HTMLElement {
  const { state } = actions;
  const bar = h("div", { class: "toolbar", role: "toolbar", "aria-label": "Tools" });
  const draft = h("div", { class: "draft", role: "region", "aria-label": "Unrecorded move" });
  const section = h("div", { class: "section-panel", role: "group", "aria-label": "Section plane" });
  const hint = h("div", { class: "pick-hint", role: "status" });

  const update = (): void => {
    bar.hidden = !state.scene;
    const pick = (tool: PickTool, icon: Parameters<typeof button>[0]["icon"], title: string): HTMLElement =>
      button({
        ...(icon ? { icon } : {}),
        title,
        pressed: state.pick === tool,
        press: () => actions.tool({ pick: state.pick === tool ? "none" : tool }),
      });
    replace(
      bar,
      button({
        icon: "move",
        title: "Move",
        key: "M",
        id: "tool-move",
        pressed: state.gizmo === "translate",
        press: () => actions.tool({ gizmo: state.gizmo === "translate" ? "none" : "translate" }),
      }),
      button({
        icon: "turn",
        title: "Turn",
        key: "E",
        id: "tool-turn",
        pressed: state.gizmo === "rotate",
        press: () => actions.tool({ gizmo: state.gizmo === "rotate" ? "none" : "rotate" }),
      }),
      button({
        text: state.gizmoLocal ? "Body" : "World",
        title: "Axes of the handles: world or body",
        key: "L",
        press: () => actions.tool({ gizmoLocal: !state.gizmoLocal }),
      }),
      h("span", { class: "divider" }),
      button({
        icon: "slide",
        title: "Stop at contact while dragging",
        key: "C",
        pressed: state.contactStop,
        press: () => actions.tool({ contactStop: !state.contactStop }),
      }),
      button({
        icon: "magnet",
        title: "Snap to round steps",
        key: "S",
        pressed: state.snap,
        press: () => actions.tool({ snap: !state.snap }),
      }),
      h("span", { class: "divider" }),
      pick("vertex", "vertex", "Move vertex to vertex"),
      pick("align", "align", "Align a face or an edge with another"),
      pick("edge", "hinge", "Turn about a picked edge"),
      pick("measure", "ruler", "Measure between two points"),
      h("span", { class: "divider" }),
      button({
        icon: "isolate",
        title: "Isolate the selection",
        key: "I",
        pressed: state.hidden.size > 0,
        press: () => actions.isolate(),
      }),
      button({ icon: "fit", title: "Fit", key: "F", press: () => actions.fit() }),
      h("span", { class: "divider" }),
      button({
        icon: "record",
        title: state.recording ? "Stop recording" : "Record a step: what you move now becomes a step",
        key: "R",
        id: "record",
        disabled: state.robot !== null,
        pressed: state.recording || state.draft !== null,
        press: () => (state.recording || state.draft ? moving.discard() : actions.tool({ recording: true })),
      }),
    );
    bar.classList.toggle("recording", state.recording || state.draft !== null);
    hint.textContent =
      state.pick === "none" ? "" : `${PICK_HINTS[state.pick][pickStage() > 0 ? 1 : 0]}. Esc ends.`;
    hint.hidden = state.pick === "none";
    drawDraft();
    drawSection();
  };

  const drawDraft = (): void => {
    const { draft: moves, recording, jog } = state;
    draft.hidden = !moves && !recording && !jog;
    draft.classList.toggle("wraps", jog !== null);
    if (draft.hidden) return;
    if (jog) {
      // A button that has the focus keeps it while the words around it change.
      const focused = draft.contains(document.activeElement) ? document.activeElement!.id : "";
      replace(draft, ...robotDraft(state, jogging));
      if (focused) document.getElementById(focused)?.focus();
      return;
    }
    const wrong = state.draftFindings.length;
    const text = moves
      ? describe()
      : "Recording: move a body with the handles, the fields or the arrow keys.";
    replace(
      draft,
      h("span", { class: "rec-dot" }),
      h("span", { class: "draft-text" }, text),
      moves && wrong
        ? h("span", { class: "badge verdict-collision" }, `touches ${other(state.draftFindings[0]!.pair)}`)
        : null,
      moves && !wrong && state.draftClosest
        ? h(
            "span",
            {
              class: `badge verdict-${state.draftClosest.distance < (state.draftClosest.required ?? 0) ? "too_close" : "free"}`,
            },
            `${lengthText(state.draftClosest.distance, state.units)} to ${other(state.draftClosest.pair)}`,
          )
        : null,
      moves
        ? button({
            text: "Record step",
            title: "Make it a step of the plan",
            key: "Enter",
            kind: "primary",
            id: "record-step",
            press: () => void moving.record(),
          })
        : null,
      button({
        text: moves ? "Discard" : "Stop",
        title: "Put everything back",
        key: "Esc",
        kind: "plain",
        id: "discard-draft",
        press: () => moving.discard(),
      }),
    );
  };

  /** The one of a pair that is not being moved. */
  const other = (pair: readonly [string, string]): string =>
    pair.find((name) => !state.draft?.bodies.includes(state.bodyNamed(name))) ?? pair[1];

  const describe = (): string => {
    const { bodies, moves } = state.draft!;
    const last = moves[moves.length - 1]!;
    const what =
      last.kind === "translate"
        ? `moved ${lengthText(length(last.by), state.units, 5)}`
        : last.kind === "rotate"
          ? `turned ${angleText(last.angle)}`
          : "moved";
    return `${moving.names(bodies)}: ${what}${moves.length > 1 ? ` (${moves.length} moves)` : ""}`;
  };

  const drawSection = (): void => {
    const cut = state.view.section;
    section.hidden = cut === null;
    if (!cut) return;
    if (section.contains(document.activeElement) && section.querySelector("input:focus")) {
      const value = section.querySelector(".section-value");
      if (value) value.textContent = lengthText(actions.viewport.sectionAt(), state.units);
      return;
    }
    const slider = h("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.001,
      value: cut.at,
      "aria-label": "Place of the section",
      oninput: () => actions.view({ section: { ...state.view.section!, at: Number(slider.value) } }),
    });
    slider.addEventListener("keydown", (event) => event.key !== "Escape" && event.stopPropagation());
    replace(
      section,
      h("span", { class: "muted" }, "Section"),
      ...([0, 1, 2] as const).map((axis) =>
        button({
          text: "XYZ"[axis]!,
          title: `Cut across ${"XYZ"[axis]}`,
          pressed: cut.axis === axis,
          press: () => actions.view({ section: { ...cut, axis } }),
        }),
      ),
      slider,
      h("span", { class: "section-value" }, lengthText(actions.viewport.sectionAt(), state.units)),
      button({
        icon: "turn",
        title: "Other side",
        press: () => actions.view({ section: { ...state.view.section!, flip: !cut.flip } }),
      }),
      button({ icon: "close", title: "No section", key: "X", press: () => actions.view({ section: null }) }),
    );
  };

  state.on(["tool", "scene", "visibility", "view", "selection"], update);
  state.on(["draft", "robot"], drawDraft);
  update();
  return h("div", { class: "view-tools" }, bar, section, draft, under, hint);
}
