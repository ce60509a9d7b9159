// What the world workspace says over the view: that there is no world and why, that a scene says nothing about physics, or what a click does.
import type { Worlding } from "../../tools/worlding";
import { h, refill } from "../../ui/dom";
import { icon } from "../../ui/icons";
import { button } from "../../ui/widgets";
import type { Files } from "../files";

const SNIPPET = `[world]                 # gravity, steps, air
step = 0.001

[[body]]
name = "ball"
shape = { sphere = { radius = 0.1 } }
pose = [0, 0, 1]
physics = { mass = 2, restitution = 0.6 }`;

export function worldNotes(worlding: Worlding, files: Files): HTMLElement {
  const { actions } = worlding;
  const { state } = actions;
  const element = h("div", { class: "world-notes" });
  let dismissed = "";

  const edit = (): HTMLElement =>
    button({
      icon: "text",
      text: "Edit as text…",
      title: "Edit the scene file",
      kind: "plain",
      press: () => void files.text(),
    });

  const card = (): HTMLElement | null => {
    const { world } = state;
    if (!state.worldly) return null;
    if (!world && !worlding.trouble)
      return h("div", { class: "world-note" }, h("p", {}, "Opening the world…"));
    if (worlding.trouble) {
      const { message, help, problems } = worlding.trouble;
      const more = (problems ?? [])
        .map((one) => (typeof one === "string" ? one : one.message))
        .filter((text) => !message.includes(text));
      return h(
        "div",
        { class: "world-note bad", role: "alert" },
        h("div", { class: "row" }, icon("warning"), h("strong", {}, "This scene cannot be simulated.")),
        h("p", {}, message),
        ...more.slice(0, 6).map((text) => h("p", {}, text)),
        help ? h("p", { class: "muted" }, help) : null,
        h(
          "div",
          { class: "buttons" },
          edit(),
          button({
            text: "Try again",
            title: "Open the world again",
            kind: "plain",
            id: "world-again",
            press: () => void worlding.open(),
          }),
        ),
      );
    }
    if (world!.info.described === false && dismissed !== world!.info.scene_hash)
      return h(
        "div",
        { class: "world-note", id: "world-plain" },
        h(
          "div",
          { class: "row" },
          icon("help"),
          h("strong", {}, "This scene says nothing about physics."),
          h("span", { class: "grow" }),
          button({
            icon: "close",
            title: "Close",
            press: () => ((dismissed = world!.info.scene_hash), update()),
          }),
        ),
        h(
          "p",
          {},
          "It can run all the same: every body that is not fixed is as heavy as water and falls. Give bodies masses and frictions in the table below, or write them into the file:",
        ),
        h("pre", {}, SNIPPET),
        h(
          "div",
          { class: "buttons" },
          edit(),
          button({
            icon: "folder",
            text: "Open another…",
            title: "Open a scene or an example",
            kind: "plain",
            press: () => void files.openDialog(),
          }),
        ),
      );
    return null;
  };

  const update = (): void => {
    const { pointing } = worlding;
    // Who runs it has read it.
    if (state.world?.info.described === false && state.world.frame.state === "running")
      dismissed = state.world.info.scene_hash;
    const key = JSON.stringify([
      state.worldly,
      state.world !== null,
      worlding.trouble,
      state.world?.info.described,
      state.world?.info.scene_hash,
      dismissed,
      pointing,
      state.world?.frame.stale,
      worlding.follow.body,
      worlding.follow.mode,
      worlding.driving.vehicle,
    ]);
    refill(element, key, () => {
      const name = pointing ? (state.world?.info.vehicles[pointing.vehicle]?.name ?? "it") : "";
      const stale = state.world?.frame.stale
        ? h(
            "div",
            { class: "pick-hint stale", role: "status" },
            h("span", {}, "The scene was changed. The world goes on as it was."),
            button({
              text: "Start again with the new scene",
              title: "Reset",
              id: "world-renew",
              kind: "primary",
              press: () => worlding.renew(),
            }),
          )
        : null;
      const { follow } = worlding;
      const followed = follow.body === null ? null : state.world?.bodies[follow.body];
      const vehicle = followed?.vehicle == null ? null : state.world!.info.vehicles[followed.vehicle];
      const chip =
        followed && worlding.driving.vehicle === null
          ? h(
              "div",
              { class: "pick-hint follow-chip", role: "status" },
              icon("camera", 14),
              h(
                "span",
                {},
                `${follow.mode === "chase" ? "Behind" : "Beside"} ${vehicle?.name ?? followed.name}`,
              ),
              button({ icon: "close", title: "Stop following", key: "Esc", press: () => follow.start(null) }),
            )
          : null;
      return [
        card(),
        stale,
        chip,
        pointing
          ? h("div", { class: "pick-hint", role: "status" }, `Click where ${name} shall drive. Esc ends.`)
          : null,
      ];
    });
  };
  state.on("world", update);
  return element;
}
