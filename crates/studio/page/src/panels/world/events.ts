// The log of a world: what happened, filtered, to go to and to save.
import { plain } from "../../ui/plain";
import { Vector3 } from "three";
import { csv, eventText, impulseText, jsonLines, type LogFilter, passes } from "../../document/log";
import { fixed, readNumber } from "../../document/units";
import type { Worlding } from "../../tools/worlding";
import { h } from "../../ui/dom";
import { icon } from "../../ui/icons";
import { type Row, VirtualRows } from "../../ui/virtual";
import { menu } from "../../ui/widgets";
import type { WorldEvent } from "../../protocol";
import type { Panel } from "./objects";

const ROW_PIXELS = 26;
const KINDS: [LogFilter["kind"], string][] = [
  ["begins", "All but separations"],
  ["all", "Everything"],
  ["collision", "Collisions"],
  ["separation", "Separations"],
  ["goal", "Goals"],
  ["gripper", "Gripper"],
  ["warning", "Warnings"],
];

export function events(worlding: Worlding): Panel & { count(): number } {
  const { actions } = worlding;
  const { state } = actions;
  let follows = true;
  let told = 0;
  let waiting = 0;

  /** Of a recording its own events, filtered alike. */
  const list = (): readonly WorldEvent[] => {
    const { world } = state;
    if (!world) return [];
    if (!world.replay) return world.log.shown;
    const { filter } = world.log;
    return world.replay.events.filter((event) => passes(filter, event));
  };
  let shown: readonly WorldEvent[] = [];

  const makeRow = (): Row => {
    let event: WorldEvent | undefined;
    const time = h("span", { class: "cell right time", role: "cell" });
    const kind = h("span", { class: "cell", role: "cell" });
    const badge = h("span", { class: "badge" });
    kind.append(badge);
    const text = h("span", { class: "cell event-text", role: "cell" });
    const impulse = h("span", { class: "cell right", role: "cell" });
    const place = h("span", { class: "cell right muted", role: "cell" });
    const element = h(
      "div",
      { class: "table-row event-row", role: "row", tabindex: 0, onclick: () => event && go(event) },
      time,
      kind,
      text,
      impulse,
      place,
    );
    element.addEventListener("keydown", (pressed) => {
      if (pressed.key !== "Enter" || !event) return;
      go(event);
      pressed.stopPropagation();
    });
    return {
      element,
      fill(index) {
        event = shown[index];
        if (!event) return;
        time.textContent = `${event.time.toFixed(3)} s`;
        badge.textContent = event.kind;
        badge.className = `badge event-${event.kind}`;
        text.textContent = text.title = plain(eventText(event));
        impulse.textContent = event.impulse === undefined ? "" : impulseText(event.impulse);
        place.textContent = event.point ? event.point.map((value) => fixed(value, 2)).join(", ") : "";
        element.classList.toggle(
          "ahead",
          state.world?.replay != null && event.time > state.world.replay.time,
        );
      },
    };
  };
  const rows = new VirtualRows(ROW_PIXELS, makeRow);

  /** Shows where it was, and in a recording when. */
  const go = (event: WorldEvent): void => {
    const { world } = state;
    if (!world) return;
    if (world.replay) worlding.seek(event.time);
    const bodies = (event.bodies ?? []).map((name) => world.numberOf(name)).filter((body) => body >= 0);
    if (bodies.length > 0) actions.selectMany(bodies);
    if (!event.point) return;
    worlding.collisions.add(event, performance.now());
    actions.viewport.lookAt(new Vector3(...event.point), actions.viewport.extentRadius * 0.12);
  };

  const kind = h(
    "select",
    {
      id: "event-kind",
      "aria-label": "Kind of events",
      onchange: () => choose({ kind: kind.value as LogFilter["kind"] }),
    },
    ...KINDS.map(([name, text]) => h("option", { value: name }, text)),
  );
  const body = h("input", {
    type: "search",
    id: "event-body",
    placeholder: "Body",
    "aria-label": "Only events of bodies with this in their name",
    autocomplete: "off",
    oninput: () => choose({ text: body.value.trim().toLowerCase() }),
  });
  const least = h("input", {
    type: "text",
    inputmode: "decimal",
    id: "event-impulse",
    class: "short",
    placeholder: "0",
    "aria-label": "Least impulse in newton seconds",
    autocomplete: "off",
    oninput: () => choose({ impulse: readNumber(least.value) ?? 0 }),
  });
  for (const field of [body, least])
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") field.blur();
      event.stopPropagation();
    });
  const choose = (change: Partial<LogFilter>): void => {
    state.world?.log.choose(change);
    update();
  };

  const save = (name: string, text: string, type: string): void => {
    const link = h("a", {
      href: URL.createObjectURL(new Blob([text], { type })),
      download: `${state.scene?.name ?? "world"}-${name}`,
    });
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const saver = menu("Save", "export", "Save the events that are shown", () => [
    {
      text: "JSON Lines",
      icon: "export",
      disabled: shown.length === 0,
      press: () => save("events.jsonl", jsonLines(shown), "application/jsonl"),
    },
    {
      text: "CSV for spreadsheets",
      icon: "export",
      disabled: shown.length === 0,
      press: () => save("events.csv", csv(shown), "text/csv"),
    },
  ]);
  saver.id = "event-save";
  saver.classList.add("menu-up", "menu-left");

  const nothing = h("p", { class: "empty" });
  const element = h(
    "div",
    { class: "table events", role: "table", "aria-label": "Events" },
    h(
      "div",
      { class: "table-row event-row table-head", role: "row" },
      ...["Time", "Kind", "What", "Impulse", "Where, m"].map((text) =>
        h("span", { class: "head", role: "columnheader" }, text),
      ),
    ),
    rows.element,
    nothing,
  );
  rows.element.addEventListener("wheel", () => (follows = rows.atEnd), { passive: true });
  rows.element.addEventListener("scroll", () => (follows = rows.atEnd), { passive: true });

  const update = (): void => {
    shown = list();
    told = performance.now();
    const all = state.world?.replay
      ? state.world.replay.events.length
      : (state.world?.log.events.length ?? 0);
    nothing.hidden = shown.length > 0;
    nothing.textContent =
      all > 0
        ? "No event passes the filters."
        : state.world?.replay
          ? "Nothing happened in this recording."
          : "Nothing has happened yet. Press Run: collisions, goals and warnings are listed here.";
    const stay = follows;
    rows.set(shown.length);
    if (stay && !state.world?.replay) {
      rows.toEnd();
      follows = true;
    }
  };
  state.on("log", () => {
    if (element.offsetParent === null || waiting !== 0) return;
    // Thousands of events in a second are shown ten times in it.
    waiting = window.setTimeout(
      () => {
        waiting = 0;
        update();
      },
      Math.max(0, 100 - (performance.now() - told)),
    );
  });
  state.on("frame", () => {
    const replay = state.world?.replay;
    if (!replay || element.offsetParent === null) return;
    rows.refresh();
    if (!replay.playing) return;
    // The list goes along with what is played.
    let [low, high] = [0, shown.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (shown[middle]!.time <= replay.time) low = middle + 1;
      else high = middle;
    }
    rows.reveal(Math.min(shown.length - 1, low + 1));
  });
  return {
    element,
    tools: h(
      "div",
      { class: "row dock-tools" },
      kind,
      h("span", { class: "search-small" }, icon("search", 13), body),
      h("label", { class: "inline" }, "at least", least, h("span", { class: "field-unit" }, "N s")),
      saver,
    ),
    update,
    count: () =>
      state.world?.replay ? state.world.replay.events.length : (state.world?.log.events.length ?? 0),
  };
}
