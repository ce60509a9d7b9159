// The left side of the world workspace: goals with their scores, vehicles with who drives them, sensors, and what is drawn.
import { fixed } from "../../document/units";
import { controllerText } from "../../document/world";
import type { Worlding } from "../../tools/worlding";
import { cssColor, h, refill } from "../../ui/dom";
import { icon } from "../../ui/icons";
import { button, dialog } from "../../ui/widgets";
import type { Controller, SensorKind, WorldVehicle } from "../../protocol";

const SENSOR_WORDS: Record<SensorKind, string> = {
  laser: "laser scanner",
  infrared: "infrared",
  "light barrier": "light barrier",
  bumper: "bumper",
  camera: "camera",
  ultrasonic: "ultrasonic",
  odometry: "odometry",
};
const SPEED_MILLISECONDS = 150;

export function worldSide(worlding: Worlding): HTMLElement {
  const { actions } = worlding;
  const { state } = actions;
  const vehicles = h("section", { "aria-label": "Vehicles" });
  const goals = h("section", { "aria-label": "Goals" });
  const sensors = h("section", { "aria-label": "Sensors" });
  const shows = h("section", { "aria-label": "Shown" });
  let written = 0;

  const heading = (text: string, count: number): HTMLElement =>
    h("h2", { class: "side-head" }, text, count > 0 ? h("span", { class: "count" }, String(count)) : null);

  const drawVehicles = (): void => {
    const { world } = state;
    const list = world?.info.vehicles ?? [];
    const { driving, follow } = worlding;
    const key = JSON.stringify([
      list.map((one) => [one.name, one.controller]),
      driving.vehicle,
      follow.body,
      follow.mode,
      world?.replay != null,
      [...state.selected],
      worlding.pointing,
    ]);
    refill(vehicles, key, () => [
      heading("Vehicles", list.length),
      ...list.map((vehicle, index) => {
        const [main, end] = vehicle.bodies;
        const parts = Array.from({ length: end - main }, (_, k) => main + k);
        const selected = parts.some((part) => state.selected.has(part));
        const dot = h("span", { class: "dot" });
        dot.style.background = cssColor(world!.bodies[main]?.color ?? [0.5, 0.5, 0.5]);
        const followed = follow.body === main;
        return h(
          "div",
          { class: `vehicle${selected ? " selected" : ""}`, "data-vehicle": vehicle.name },
          h(
            "div",
            {
              class: "row vehicle-head",
              onclick: () => (actions.selectMany(parts), actions.viewport.fitNear(parts)),
            },
            dot,
            h("strong", { class: "name", title: vehicle.model }, vehicle.name),
            h("span", { class: "vehicle-speed", "data-vehicle": index }),
          ),
          chooser(vehicle, index),
          h(
            "div",
            { class: "row toggles" },
            button({
              icon: "drive",
              text: driving.vehicle === index ? "Driving" : "Drive",
              title: "Drive it with the keyboard",
              id: `drive-${index}`,
              pressed: driving.vehicle === index,
              disabled: world!.replay !== null,
              press: () => (driving.vehicle === index ? driving.stop() : void driving.start(index)),
            }),
            button({
              icon: "camera",
              text: followed ? (follow.mode === "chase" ? "Chase" : "Beside") : "Follow",
              title: "The camera follows it: first from behind, then from a fixed direction, then no more",
              id: `follow-${index}`,
              pressed: followed,
              press: () => {
                if (!followed) follow.start(main, "chase");
                else if (follow.mode === "chase") follow.start(main, "fixed");
                else follow.start(null);
                driving.takeFocus();
              },
            }),
          ),
        );
      }),
      list.length === 0
        ? h(
            "p",
            { class: "side-note" },
            "No vehicles here. A ",
            h("code", {}, "[[vehicle]]"),
            " in the scene file brings one: a Pioneer, a truck, a humanoid …",
          )
        : null,
    ]);
  };

  /** Who drives a vehicle. */
  const chooser = (vehicle: WorldVehicle, index: number): HTMLElement => {
    const { world } = state;
    const now = vehicle.controller;
    const word = now === null ? "nobody" : typeof now === "string" ? now : Object.keys(now)[0]!;
    const options: [string, string][] = [
      ["nobody", "Nobody drives"],
      ["keyboard", "Keyboard"],
      ["wander", "Wander and avoid"],
      [
        "drive_to",
        now && typeof now === "object" && "drive_to" in now
          ? controllerText(now, world!)
          : "Drive to a point…",
      ],
    ];
    if (vehicle.commands.includes("gripper")) options.push(["collect", "Collect things"]);
    if (world!.info.goals.length > 0)
      options.push([
        "soccer",
        now && typeof now === "object" && "soccer" in now ? controllerText(now, world!) : "Play soccer…",
      ]);
    if (vehicle.program) options.push(["program", `Program: ${vehicle.program.join(" ")}`]);
    if (!options.some(([name]) => name === word)) options.push([word, controllerText(now, world!)]);
    const select = h(
      "select",
      {
        id: `controller-${index}`,
        "aria-label": `Who drives ${vehicle.name}`,
        title: "Who drives it",
        disabled: world!.replay !== null,
        onchange: () => choose(select.value),
      },
      ...options.map(([name, text]) => h("option", { value: name, selected: name === word }, text)),
    );
    const choose = (name: string): void => {
      const take = (controller: Controller): void => void worlding.assign(index, controller);
      if (name === "nobody") take(null);
      else if (name === "program") take({ program: vehicle.program! });
      else if (name === "drive_to") {
        worlding.pointing = { vehicle: index };
        state.worldChanged();
      } else if (name === "soccer") soccer(index);
      else take(name as Controller);
    };
    return select;
  };

  const soccer = (vehicle: number): void => {
    const { world } = state;
    const { goals: nets, bodies } = world!.info;
    const goal = h(
      "select",
      { "aria-label": "Goal" },
      ...nets.map((one, index) => h("option", { value: index }, one.name)),
    );
    const ball = h(
      "select",
      { "aria-label": "Ball" },
      ...bodies.flatMap((one, index) =>
        one.kind === "movable" && one.vehicle === null ? [h("option", { value: index }, one.name)] : [],
      ),
    );
    ball.value = String(nets[0]!.ball);
    goal.addEventListener("change", () => (ball.value = String(nets[goal.selectedIndex]!.ball)));
    const close = dialog(
      "Play soccer",
      [
        h("label", { class: "stack" }, "Which ball", ball),
        h("label", { class: "stack" }, "Into which goal", goal),
      ],
      [
        button({
          text: "Play",
          title: "Let it play",
          kind: "primary",
          press: () => (
            close(),
            void worlding.assign(vehicle, { soccer: { ball: Number(ball.value), goal: Number(goal.value) } })
          ),
        }),
      ],
    );
    // Without an answer the old choice stays.
    vehicles.dataset["key"] = "";
    drawVehicles();
  };

  const drawGoals = (): void => {
    const { world } = state;
    const list = world?.info.goals ?? [];
    goals.hidden = list.length === 0;
    const scores = world?.frame.scores ?? [];
    refill(goals, JSON.stringify([list, scores]), () => [
      heading("Goals", 0),
      ...list.map((goal, index) =>
        h(
          "button",
          {
            type: "button",
            class: "score",
            "data-goal": goal.name,
            title: `${world!.bodies[goal.ball]?.name ?? "ball"} into ${world!.bodies[goal.body]?.name ?? "goal"}`,
            onclick: () => (actions.select(goal.body), actions.viewport.fitNear([goal.body])),
          },
          icon("goal", 14),
          h("span", { class: "name" }, goal.name),
          h("strong", {}, String(scores[index] ?? 0)),
        ),
      ),
    ]);
  };

  const drawSensors = (): void => {
    const { world } = state;
    const list = world?.info.sensors ?? [];
    sensors.hidden = list.length === 0;
    refill(sensors, JSON.stringify([list.map((one) => one.name), [...(world?.watched ?? [])]]), () => [
      heading("Sensors", list.length),
      ...list.map((sensor, index) => {
        const on = world!.watched.has(index);
        const owner =
          sensor.vehicle !== null
            ? world!.info.vehicles[sensor.vehicle]?.name
            : sensor.body !== null
              ? world!.bodies[sensor.body]?.name
              : "world";
        return h(
          "button",
          {
            type: "button",
            class: "tree-row sensor-row",
            id: `watch-${index}`,
            "aria-pressed": String(on),
            title: `${owner}: ${sensor.name}, ${SENSOR_WORDS[sensor.kind]}. A click ${on ? "hides" : "shows"} what it measures`,
            onclick: () => watch(index),
          },
          icon(on ? "eye" : "hidden", 14),
          h("span", { class: "name" }, `${owner} · ${sensor.name}`),
          // A name that says the kind needs the room itself.
          sensor.name.includes(sensor.kind) ? null : h("span", { class: "tag" }, sensor.kind),
        );
      }),
    ]);
  };
  const watch = (sensor: number): void => {
    const world = state.world!;
    world.watch(sensor, !world.watched.has(sensor));
    worlding.watch();
  };

  const drawShows = (): void => {
    const { shows: on } = worlding;
    const any = (state.world?.info.sensors.length ?? 0) > 0;
    refill(shows, JSON.stringify([on, any]), () => {
      const toggle = (key: keyof typeof on, text: string, title: string): HTMLElement =>
        h(
          "label",
          { class: "check", title },
          h("input", {
            type: "checkbox",
            id: `show-${key}`,
            checked: on[key],
            onchange: () => worlding.show({ [key]: !on[key] }),
          }),
          text,
        );
      return [
        heading("Show", 0),
        toggle(
          "collisions",
          "Collisions light up",
          "Where bodies meet, with the direction; larger where the impulse is larger",
        ),
        toggle("contacts", "Contact points", "Everything that touches now"),
        ...(any
          ? [
              toggle(
                "scans",
                "What sensors measure",
                "Returns of laser scanners, beams, cones and fields of view",
              ),
              toggle("beams", "All beams", "Lines from scanners to every return"),
            ]
          : []),
      ];
    });
  };

  const update = (): void => {
    if (!state.worldly || !state.world) return;
    drawVehicles();
    drawGoals();
    drawSensors();
    drawShows();
  };
  state.on(["world", "selection"], update);
  state.on("frame", () => {
    const now = performance.now();
    if (now - written < SPEED_MILLISECONDS || !state.world) return;
    written = now;
    drawGoals();
    for (const label of vehicles.querySelectorAll<HTMLElement>(".vehicle-speed")) {
      const told = state.world.vehicleNow(Number(label.dataset["vehicle"]));
      const holds = told?.holds != null ? ` · holds ${state.world.bodies[told.holds]?.name ?? ""}` : "";
      label.textContent = label.title =
        told && !state.world.replay ? `${fixed(told.speed, 2)} m/s${holds}` : "";
    }
  });
  return h("aside", { class: "panel world-side", "aria-label": "World" }, goals, vehicles, sensors, shows);
}
