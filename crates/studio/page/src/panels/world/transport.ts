// Run, pause, step, reset, speed and clock of a world; recordings and their timeline.
import { eventText } from "../../document/log";
import { clockText } from "../../document/world";
import { trimmed } from "../../document/units";
import { SPEEDS, type Worlding } from "../../tools/worlding";
import { h, refill, replace } from "../../ui/dom";
import { button } from "../../ui/widgets";

const speedText = (speed: number): string => (speed === 0 ? "Max" : `${speed}×`);
const WRITE_MILLISECONDS = 50;
/** Marks on the timeline of a recording; more would be a solid bar. */
const MOST_MARKS = 600;

export function transport(worlding: Worlding): HTMLElement {
  const { actions } = worlding;
  const { state } = actions;
  const buttons = h("div", { class: "row" });
  const clock = h("span", { class: "world-clock", id: "world-clock", title: "Time in the world" });
  const factor = h("span", { class: "factor", id: "world-factor" });
  const tape = h("div", { class: "row tape" });
  const strip = h("div", { class: "strip", id: "strip" });
  const head = h("div", {
    class: "playhead",
    id: "world-playhead",
    role: "slider",
    tabindex: 0,
    "aria-label": "Time in the recording",
  });
  const marks = h("div", { class: "marks" });
  strip.append(marks, head);
  let written = 0;

  const drawButtons = (): void => {
    const { world } = state;
    const { speed } = worlding;
    const running = world?.running ?? false;
    const replay = world?.replay ?? null;
    refill(buttons, JSON.stringify([world !== null, running, replay !== null, speed]), () => {
      const none = world === null;
      const chooser = h(
        "select",
        {
          id: "world-speed",
          "aria-label": "Speed",
          title: "Seconds of the world per second",
          disabled: none,
          onchange: () => worlding.choose(Number(chooser.value)),
        },
        ...SPEEDS.filter((one) => !replay || one > 0).map((one) =>
          h(
            "option",
            { value: one, selected: one === speed || (replay !== null && speed === 0 && one === 10) },
            speedText(one),
          ),
        ),
      );
      return [
        button({
          icon: "reset",
          title: replay ? "To the beginning" : "Reset: everything back to the start",
          key: "Home",
          id: "world-reset",
          disabled: none,
          press: () => worlding.reset(),
        }),
        ...(replay
          ? [
              button({
                icon: "start",
                title: "Frame back",
                key: ",",
                id: "world-back",
                press: () => worlding.step(-1),
              }),
            ]
          : []),
        button({
          icon: running ? "pause" : "play",
          title: running ? "Pause" : replay ? "Play" : "Run",
          key: "Space",
          id: "world-run",
          kind: "primary",
          disabled: none,
          press: () => worlding.toggle(),
        }),
        button({
          icon: "end",
          title: replay ? "Frame on" : "One step",
          key: ".",
          id: "world-step",
          disabled: none || (running && !replay),
          press: () => worlding.step(),
        }),
        chooser,
      ];
    });
  };

  const open = (): void => {
    const input = h("input", { type: "file", accept: ".jsonl,.json,.ndjson,.txt", id: "recording-file" });
    input.addEventListener("change", () => input.files?.[0] && void worlding.openRecording(input.files[0]));
    input.click();
  };

  const drawTape = (): void => {
    const { world } = state;
    const recording = world?.frame.recording != null;
    const replay = world?.replay ?? null;
    refill(tape, JSON.stringify([world !== null, recording, worlding.recorded, replay?.name]), () => {
      const none = world === null;
      if (replay)
        return [
          h("span", { class: "badge tone-accent" }, "Recording"),
          h("span", { class: "name tape-name", title: replay.name }, replay.name),
          button({ text: "Open…", icon: "folder", title: "Open another recording", press: open }),
          button({
            text: "Back to live",
            title: "Leave the recording",
            id: "world-live",
            kind: "plain",
            press: () => worlding.live(),
          }),
        ];
      const link = h(
        "a",
        {
          class: "ghost",
          id: "world-download",
          href: "/api/world/recording",
          download: `${state.scene?.name ?? "world"}.jsonl`,
          title: "Save the recording as a file",
        },
        "Download",
      );
      return [
        button({
          icon: recording ? "stop" : "record",
          text: recording ? "Stop" : "Record",
          title: recording ? "End the recording" : "Record where everything is and what happens",
          id: "world-record",
          disabled: none,
          pressed: recording,
          press: () => worlding.record(),
        }),
        h("span", { class: "recorded muted", id: "recorded" }),
        ...(worlding.recorded && !recording
          ? [
              button({
                icon: "play",
                text: "Play it",
                title: "Play what was recorded",
                id: "world-play",
                press: () => void worlding.playRecorded(),
              }),
              link,
            ]
          : []),
        button({
          icon: "folder",
          text: "Open recording…",
          title: "Play a recording: choose its file, or drop it on the view",
          id: "world-open",
          disabled: none,
          press: open,
        }),
      ];
    });
  };

  const drawStrip = (): void => {
    const replay = state.world?.replay ?? null;
    strip.hidden = replay === null;
    if (!replay) return;
    refill(marks, `${replay.name} ${replay.frames} ${replay.events.length} ${replay.end}`, () => {
      const span = replay.end - replay.start || 1;
      const all = replay.events.filter((event) => event.kind !== "separation");
      const every = Math.max(1, Math.ceil(all.length / MOST_MARKS));
      return all.flatMap((event, at) => {
        if (at % every !== 0 && event.kind === "collision") return [];
        const mark = h("i", {
          class: `event-${event.kind}`,
          title: `${event.time.toFixed(2)} s: ${eventText(event)}`,
        });
        mark.style.left = `${((100 * (event.time - replay.start)) / span).toFixed(3)}%`;
        return [mark];
      });
    });
  };

  const write = (): void => {
    const { world } = state;
    if (!world) {
      clock.textContent = factor.textContent = "";
      return;
    }
    clock.textContent = clockText(world.time);
    const { replay } = world;
    if (replay) {
      factor.textContent = `of ${clockText(replay.end)}`;
      const share = (replay.time - replay.start) / (replay.end - replay.start || 1);
      head.style.left = `${(100 * share).toFixed(3)}%`;
      head.setAttribute("aria-valuenow", replay.time.toFixed(3));
      head.setAttribute("aria-valuemin", replay.start.toFixed(3));
      head.setAttribute("aria-valuemax", replay.end.toFixed(3));
    } else {
      const rate = world.statistics?.speed_reached ?? world.statistics?.real_time_factor ?? 0;
      const running = world.frame.state === "running";
      factor.textContent =
        running && rate > 0
          ? `${trimmed(rate, 3)}× real time`
          : running
            ? "running"
            : world.frame.steps === 0
              ? "at the start"
              : "paused";
      factor.classList.toggle(
        "behind",
        running && rate > 0 && worlding.speed > 0 && rate < 0.9 * worlding.speed,
      );
      factor.title = factor.classList.contains("behind")
        ? "This machine cannot keep up with the speed that is asked for"
        : "Seconds of the world per second";
    }
    const { recording } = world.frame;
    const label = document.getElementById("recorded");
    if (label) label.textContent = recording ? `${recording.seconds.toFixed(1)} s` : "";
  };

  const timeAt = (x: number): number => {
    const replay = state.world!.replay!;
    const box = strip.getBoundingClientRect();
    return (
      replay.start +
      Math.max(0, Math.min(1, (x - box.left) / Math.max(1, box.width))) * (replay.end - replay.start)
    );
  };
  let scrubbing = false;
  strip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !state.world?.replay) return;
    scrubbing = true;
    strip.setPointerCapture(event.pointerId);
    state.world.replay.pause();
    worlding.seek(timeAt(event.clientX));
    state.worldChanged();
  });
  strip.addEventListener("pointermove", (event) => scrubbing && worlding.seek(timeAt(event.clientX)));
  for (const name of ["pointerup", "pointercancel"] as const)
    strip.addEventListener(name, () => (scrubbing = false));
  head.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowRight" ? 0.1 : event.key === "ArrowLeft" ? -0.1 : 0;
    if (by === 0 || !state.world?.replay) return;
    worlding.seek(state.world.replay.time + by);
    event.preventDefault();
    event.stopPropagation();
  });

  state.on("world", () => {
    if (!state.worldly) return;
    drawButtons();
    drawTape();
    drawStrip();
    write();
  });
  state.on("frame", () => {
    const now = performance.now();
    if (now - written < WRITE_MILLISECONDS && !(state.world?.frame.state === "paused")) return;
    written = now;
    write();
  });
  const element = h("div", { class: "world-transport" });
  replace(
    element,
    h("div", { class: "transport" }, buttons, clock, factor, h("span", { class: "grow" }), tape),
    strip,
  );
  return element;
}
