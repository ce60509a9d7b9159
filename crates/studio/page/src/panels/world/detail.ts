// The right side of the world workspace: what is selected, what sensors measure, and how the simulation is doing.
import { fixed, readNumber, trimmed } from "../../document/units";
import type { Worlding } from "../../tools/worlding";
import { cssColor, h, refill, replace } from "../../ui/dom";
import { button } from "../../ui/widgets";
import { sensorCards } from "./sensorCards";

const WRITE_MILLISECONDS = 200;
const [WIDE, HIGH] = [520, 120];

export function worldDetail(worlding: Worlding): HTMLElement {
  const selection = h("section", { class: "selection-card", "aria-label": "Selected" });
  const element = h(
    "aside",
    { class: "panel world-detail", "aria-label": "Details" },
    selection,
    statistics(worlding),
    sensorCards(worlding),
  );
  selected(worlding, selection);
  return element;
}

function selected(worlding: Worlding, element: HTMLElement): void {
  const { actions } = worlding;
  const { state } = actions;
  const speed = h("dd", {});
  const place = h("dd", {});
  let written = 0;
  const fact = (name: string, value: HTMLElement | string): HTMLElement =>
    h("div", { class: "fact" }, h("dt", {}, name), typeof value === "string" ? h("dd", {}, value) : value);

  const write = (): void => {
    const { world } = state;
    const [body] = state.selected;
    if (!world || body === undefined || !world.bodies[body]) return;
    const pose = world.pose(body);
    speed.textContent = world.bodies[body].can_move ? `${world.speeds[body]!.toFixed(3)} m/s` : "stays";
    place.textContent = `${pose
      .slice(0, 3)
      .map((value) => fixed(value, 3))
      .join(", ")} m`;
  };

  const number = (
    label: string,
    unit: string,
    value: number | null,
    key: "mass" | "friction" | "restitution",
    body: number,
    disabled: boolean,
  ): HTMLElement => {
    const shown = value === null ? "" : trimmed(value, 6);
    const input = h("input", {
      type: "text",
      inputmode: "decimal",
      id: `world-${key}`,
      value: shown,
      disabled,
      placeholder: "–",
      autocomplete: "off",
      "aria-label": `${label}${unit ? ` in ${unit}` : ""}`,
    });
    input.addEventListener("change", () => {
      const read = readNumber(input.value);
      if (read === null) input.value = shown;
      else void worlding.set(body, { [key]: read });
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        input.value = shown;
        input.blur();
      }
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    });
    return h(
      "label",
      { class: "plain-number" },
      h("span", {}, label),
      input,
      h("span", { class: "field-unit" }, unit),
    );
  };

  const update = (): void => {
    const { world } = state;
    if (!state.worldly || !world) return;
    const bodies = [...state.selected].filter((body) => world.bodies[body]);
    const { follow } = worlding;
    const [body] = bodies;
    const one = body === undefined ? undefined : world.bodies[body]!;
    refill(
      element,
      JSON.stringify([
        bodies,
        one && [one.name, one.kind, one.mass, one.friction, one.restitution, one.active],
        follow.body,
        follow.mode,
        world.replay != null,
        world.changed,
      ]),
      () => {
        if (!one || body === undefined)
          return [
            h("h2", { class: "side-head" }, "Selected"),
            h(
              "p",
              { class: "side-note" },
              "Nothing. Click a body in the view or in the table to see and change its physics.",
            ),
          ];
        const dot = h("span", { class: "dot" });
        dot.style.background = cssColor(one.color);
        const off = world.replay !== null;
        const active = h("input", {
          type: "checkbox",
          id: "world-active",
          checked: one.active,
          disabled: off || (!one.can_move && one.active),
          onchange: () => void worlding.set(body, { active: active.checked }),
        });
        const vehicle = one.vehicle === null ? null : world.info.vehicles[one.vehicle];
        const followed = follow.body === body;
        return [
          h("h2", { class: "side-head" }, "Selected"),
          h(
            "div",
            { class: "row selected-name" },
            dot,
            h("strong", { class: "name", title: one.name }, one.name),
            h("span", { class: "tag" }, bodies.length > 1 ? `and ${bodies.length - 1} more` : one.kind),
          ),
          vehicle ? h("p", { class: "side-note" }, `Part of ${vehicle.name}, a ${vehicle.model}.`) : null,
          h("dl", { class: "facts" }, fact("Speed", speed), fact("Place", place)),
          number("Mass", "kg", one.mass, "mass", body, off || one.kind === "fixed"),
          number("Friction", "", one.friction, "friction", body, off),
          number("Restitution", "", one.restitution, "restitution", body, off),
          h("label", { class: "check" }, active, "Active: it moves"),
          h(
            "div",
            { class: "row toggles two" },
            button({
              icon: "camera",
              text: "Follow",
              title: "The camera goes along with it",
              id: "follow-fixed",
              pressed: followed && follow.mode === "fixed",
              press: () => follow.start(followed && follow.mode === "fixed" ? null : body, "fixed"),
            }),
            button({
              icon: "turn",
              text: "Chase",
              title: "The camera follows it from behind",
              id: "follow-chase",
              pressed: followed && follow.mode === "chase",
              press: () => follow.start(followed && follow.mode === "chase" ? null : body, "chase"),
            }),
          ),
          world.changed
            ? h(
                "div",
                { class: "keep" },
                h("span", {}, "Values differ from the scene."),
                button({
                  text: "Keep them",
                  title: "Write changed masses, frictions and the like into the scene (undo takes them back)",
                  id: "world-keep",
                  kind: "plain",
                  press: () => void worlding.keep(),
                }),
              )
            : null,
        ];
      },
    );
    write();
  };
  state.on(["world", "selection"], update);
  state.on("frame", () => {
    const now = performance.now();
    if (now - written < WRITE_MILLISECONDS) return;
    written = now;
    write();
  });
}

function statistics(worlding: Worlding): HTMLElement {
  const { state } = worlding.actions;
  const list = h("dl", { class: "stats" });
  const canvas = h("canvas", {
    class: "energy",
    width: WIDE,
    height: HIGH,
    role: "img",
    "aria-label": "Energy over time",
  });
  const note = h("span", { class: "energy-note", id: "stat-energy" });
  const about = h("p", { class: "side-note" });
  const element = h(
    "section",
    { class: "statistics", "aria-label": "Statistics" },
    h("h2", { class: "side-head" }, "Simulation"),
    list,
    h("div", { class: "energy-box" }, canvas, h("span", { class: "energy-name" }, "Energy"), note),
    about,
  );
  const values = ["rate", "factor", "tests", "contacts"].map((name) => h("dd", { id: `stat-${name}` }));
  const names: [string, string][] = [
    ["steps per s", "Steps per second, as many as were done"],
    ["real-time factor", "How many times faster than real time this world could go here"],
    ["tests per step", "Pairs of shapes near each other"],
    ["contacts", "Pairs that touch, per step"],
  ];
  names.forEach(([name, title], at) => list.append(h("div", { title }, values[at]!, h("dt", {}, name))));
  let written = 0;

  const draw = (): void => {
    const { world } = state;
    if (!world) return;
    const told = world.statistics;
    const texts = [
      told && told.steps_per_second > 0 ? Math.round(told.steps_per_second).toLocaleString("en") : "–",
      told && told.real_time_factor > 0 ? `${trimmed(told.real_time_factor, 3)}×` : "–",
      told ? trimmed(told.tests_per_step, 3) : "–",
      told?.contacts !== undefined ? trimmed(told.contacts, 4) : "–",
    ];
    values.forEach((value, at) => value.textContent !== texts[at] && (value.textContent = texts[at]!));
    note.textContent = told ? `${trimmed(told.energy, 4)} J` : "";
    curve(world.energies);
  };
  const curve = (points: readonly { time: number; value: number }[]): void => {
    const context = canvas.getContext("2d")!;
    context.clearRect(0, 0, WIDE, HIGH);
    if (points.length < 2) return;
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const { value } of points) [low, high] = [Math.min(low, value), Math.max(high, value)];
    // What is constant up to rounding is a straight line.
    const span = Math.max(high - low, 1e-6 * Math.max(Math.abs(high), Math.abs(low)), Number.MIN_VALUE);
    const [from, to] = [points[0]!.time, points[points.length - 1]!.time];
    const x = (time: number): number => ((time - from) / (to - from || 1)) * WIDE;
    const y = (value: number): number => HIGH - 8 - ((value - low) / span) * (HIGH - 16);
    const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
    context.beginPath();
    points.forEach(({ time, value }, at) =>
      at === 0 ? context.moveTo(x(time), y(value)) : context.lineTo(x(time), y(value)),
    );
    context.strokeStyle = accent;
    context.lineWidth = 3;
    context.stroke();
    context.lineTo(WIDE, HIGH);
    context.lineTo(0, HIGH);
    context.globalAlpha = 0.15;
    context.fillStyle = accent;
    context.fill();
    context.globalAlpha = 1;
  };
  state.on("frame", () => {
    const now = performance.now();
    if (now - written < WRITE_MILLISECONDS) return;
    written = now;
    draw();
  });
  state.on("world", () => {
    const { world } = state;
    if (!world) return;
    const { gravity, step } = world.info.settings;
    element.hidden = world.replay !== null;
    replace(
      about,
      `Steps of ${trimmed(step * 1000, 4)} ms, gravity ${trimmed(Math.hypot(...gravity), 4)} m/s².`,
    );
    draw();
  });
  return element;
}
