// The bar at the top: workspaces, files, undo, view, verdict, theme, help.
import type { Actions } from "../tools/actions";
import type { Deforming } from "../tools/deforming";
import type { Worlding } from "../tools/worlding";
import { h, refill, replace } from "../ui/dom";
import { icon } from "../ui/icons";
import { button, menu, type MenuEntry } from "../ui/widgets";
import type { Preset } from "../view/rig";
import { VERDICT_TEXT } from "../view/colors";
import type { Files } from "./files";
import { showHelp } from "./help";

const PRESET_ENTRIES: [Preset, string, string][] = [
  ["iso", "Isometric", "1"],
  ["dimetric", "Dimetric", "2"],
  ["front", "Front", "3"],
  ["right", "Right side", "4"],
  ["top", "Top", "5"],
  ["back", "Back", ""],
  ["left", "Left side", ""],
  ["bottom", "Bottom", ""],
];

export function topbar(
  actions: Actions,
  files: Files,
  worlding: Worlding,
  deforming: Deforming,
): HTMLElement {
  const { state } = actions;
  const workspaces = h("div", { class: "workspaces", role: "tablist", "aria-label": "Workspace" });
  /** The robot that was worked with last. */
  let robot = 0;
  const drawWorkspaces = (): void => {
    const any = state.robots.length > 0;
    if (state.robot !== null) robot = state.robot;
    const { worldly, scene } = state;
    const other = worldly || state.deforming;
    const tab = (
      name: string,
      text: string,
      on: boolean,
      title: string,
      press: (() => void) | null,
    ): HTMLElement =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          "aria-selected": String(on),
          class: "workspace",
          id: `workspace-${name}`,
          disabled: press === null,
          title,
          onclick: () => !on && press?.(),
        },
        text,
      );
    const home = (then: () => void): void => {
      worlding.leave();
      deforming.leave();
      then();
    };
    refill(
      workspaces,
      JSON.stringify([any, state.robot !== null, worldly, state.deforming, scene !== null]),
      () => [
        tab("assembly", "Assembly", !other && state.robot === null, "Parts, steps and their verdicts", () =>
          home(() => actions.clear()),
        ),
        tab(
          "robot",
          "Robot",
          !other && state.robot !== null,
          any ? "Move robots and record what they do" : "There is no robot in this scene",
          any ? () => home(() => actions.selectRobot(Math.min(robot, state.robots.length - 1))) : null,
        ),
        tab(
          "world",
          "World",
          worldly,
          scene ? "Let time pass: gravity, contacts, vehicles and sensors" : "Open a scene first",
          scene ? () => home(() => void worlding.enter()) : null,
        ),
        tab(
          "deform",
          "Deform",
          state.deforming,
          "Twist, bend and inflate meshes, and see where they run into themselves",
          () => void deforming.enter(),
        ),
      ],
    );
  };
  const title = h("div", { class: "title" });
  const history = h("div", { class: "row" });
  const verdict = h("div", { class: "verdict-slot" });
  const right = h("div", { class: "row" });

  const viewEntries = (): MenuEntry[] => {
    const { view } = state;
    const shading = (mode: typeof view.shading, text: string, key: string): MenuEntry => ({
      text,
      key,
      checked: view.shading === mode,
      press: () => actions.view({ shading: mode }),
    });
    return [
      ...PRESET_ENTRIES.map(
        ([preset, text, key]): MenuEntry => ({
          text,
          ...(key ? { key } : {}),
          icon: "view",
          press: () => actions.viewport.look(preset),
        }),
      ),
      { text: "Fit", key: "F", icon: "fit", press: () => actions.fit() },
      "line",
      shading("edges", "Shaded with edges", "Z"),
      shading("shaded", "Shaded", ""),
      shading("hidden", "Hidden line", ""),
      shading("wireframe", "Wireframe", ""),
      "line",
      {
        text: "Parallel projection",
        key: "P",
        checked: view.parallel,
        press: () => actions.view({ parallel: !view.parallel }),
      },
      { text: "Four views", key: "V", checked: view.four, press: () => actions.view({ four: !view.four }) },
      {
        text: "Section plane",
        key: "X",
        checked: view.section !== null,
        press: () => actions.view({ section: view.section ? null : { axis: 0, at: 0.5, flip: false } }),
      },
      {
        text: "Fade what is not selected",
        key: "T",
        checked: view.fade,
        press: () => actions.view({ fade: !view.fade }),
      },
      { text: "Goals", key: "O", checked: view.goals, press: () => actions.view({ goals: !view.goals }) },
      ...(state.robots.length
        ? ([
            {
              text: "Link frames",
              checked: view.frames,
              press: () => actions.view({ frames: !view.frames }),
            },
            { text: "Tool trails", checked: view.trail, press: () => actions.view({ trail: !view.trail }) },
            {
              text: "What the tool reaches",
              checked: view.cloud,
              press: () => actions.view({ cloud: !view.cloud }),
            },
          ] as MenuEntry[])
        : []),
      {
        text: "Red-cyan stereo",
        checked: view.anaglyph,
        press: () => actions.view({ anaglyph: !view.anaglyph }),
      },
      { text: "Grid", key: "G", checked: view.grid, press: () => actions.view({ grid: !view.grid }) },
      { text: "Axes", checked: view.axes, press: () => actions.view({ axes: !view.axes }) },
    ];
  };

  const update = (): void => {
    const { scene } = state;
    replace(
      title,
      scene
        ? h("span", { class: "title-name", title: scene.path ?? "not saved yet" }, scene.title || scene.name)
        : h("span", { class: "title-name muted" }, "No scene"),
      scene?.dirty ? h("span", { class: "dirty", title: "Not saved yet" }, "edited") : null,
    );
    refill(
      history,
      JSON.stringify([scene?.undo, scene?.redo, scene?.dirty, state.draft !== null, state.jog !== null]),
      () => [
        button({
          icon: "undo",
          title: state.draft
            ? "Undo the last move"
            : state.jog
              ? "Put the robot back"
              : scene?.undo
                ? `Undo: ${scene.undo}`
                : "Nothing to undo",
          key: "Ctrl+Z",
          id: "undo",
          disabled: !scene?.undo && !state.draft && !state.jog,
          press: () => actions.undo(),
        }),
        button({
          icon: "redo",
          title: scene?.redo ? `Redo: ${scene.redo}` : "Nothing to redo",
          key: "Ctrl+Y",
          id: "redo",
          disabled: !scene?.redo,
          press: () => actions.redo(),
        }),
        button({
          icon: "save",
          title: "Save",
          key: "Ctrl+S",
          id: "save",
          disabled: !scene?.dirty,
          press: () => void actions.save(),
        }),
      ],
    );
    const { verdict: told } = state;
    refill(
      verdict,
      JSON.stringify([
        told?.running,
        told?.done,
        told?.total,
        told?.verdict,
        scene === null,
        state.findings().length,
        told?.warnings?.length,
      ]),
      () => [verdictChip(actions)],
    );
    const dark = state.view.theme === "dark";
    refill(right, String(dark), () => [
      button({
        icon: dark ? "sun" : "moon",
        title: dark ? "Light theme" : "Dark theme",
        id: "theme",
        press: () => actions.view({ theme: dark ? "light" : "dark" }),
      }),
      button({ icon: "help", title: "Keyboard and mouse", key: "?", id: "help", press: showHelp }),
    ]);
  };
  state.on(["scene", "verdict", "view", "draft", "robot"], update);
  state.on(["scene", "selection", "robot", "world", "deform"], drawWorkspaces);
  update();
  drawWorkspaces();
  return h(
    "header",
    { class: "topbar" },
    h("div", { class: "brand" }, mark(), h("span", {}, "Freiraum")),
    workspaces,
    h("span", { class: "divider" }),
    menu("File", null, "Open, save, export", () => files.entries()),
    menu("View", null, "Directions, shading, sections", viewEntries),
    h("span", { class: "divider" }),
    history,
    title,
    h("span", { class: "grow" }),
    verdict,
    right,
  );
}

function mark(): HTMLElement {
  const element = h("span", { class: "mark", "aria-hidden": "true" });
  element.append(h("i"), h("b"));
  return element;
}

function verdictChip(actions: Actions): HTMLElement | null {
  const { state } = actions;
  const { verdict, scene } = state;
  if (!scene || !verdict) return null;
  if (verdict.running) {
    const share = verdict.total > 0 ? verdict.done / verdict.total : 0;
    const bar = h("span", { class: "chip-bar" });
    bar.style.transform = `scaleX(${share.toFixed(3)})`;
    return h(
      "div",
      { class: "chip chip-running", role: "status", id: "verdict", "data-verdict": "running" },
      bar,
      h("span", {}, `Checking ${verdict.done} of ${verdict.total}`),
      h(
        "button",
        {
          class: "chip-button",
          type: "button",
          title: "Stop checking",
          "aria-label": "Stop checking",
          onclick: () => void actions.ask("cancel", {}),
        },
        icon("stop", 10),
      ),
    );
  }
  const name = verdict.verdict;
  if (!name)
    return h(
      "button",
      {
        class: "chip",
        type: "button",
        id: "verdict",
        "data-verdict": "none",
        onclick: () => void actions.ask("check", {}),
      },
      "Not checked: check now",
    );
  const wrong = state.findings().length;
  const warnings = verdict.warnings?.length ?? 0;
  const text =
    name === "free"
      ? "Free: proven for every step"
      : `${VERDICT_TEXT[name]}${wrong ? `: ${wrong} ${wrong === 1 ? "finding" : "findings"}` : ""}`;
  return h(
    "button",
    {
      class: `chip verdict-${name}`,
      type: "button",
      id: "verdict",
      "data-verdict": name,
      title: "Show what is wrong",
      onclick: () => actions.clear(),
    },
    icon(name === "free" ? "check" : "warning", 14),
    h("span", {}, text.charAt(0).toUpperCase() + text.slice(1)),
    warnings
      ? h(
          "span",
          { class: "chip-warnings", title: "Show the warnings" },
          icon("warning", 12),
          String(warnings),
        )
      : null,
  );
}
