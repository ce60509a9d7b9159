// The timeline: steps as blocks in the colour of their verdict, the clearance under them, and the cursor.
import { plain } from "../ui/plain";
import type { Curves } from "../document/curves";
import { actionText, stepName } from "../document/robots";
import { lengthText, secondsText } from "../document/units";
import { moveText } from "../protocol";
import type { Actions } from "../tools/actions";
import { h, replace, svg } from "../ui/dom";
import { button } from "../ui/widgets";

const CURVE_HEIGHT = 56;
/** Steps are never narrower; a long plan scrolls. */
const LEAST_PIXELS = 30;
/** A pointer that moves less has clicked. */
const CLICK_PIXELS = 3;
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

export function timeline(actions: Actions, curves: Curves): HTMLElement {
  const { state } = actions;
  const controls = h("div", { class: "transport" });
  const track = h("div", { class: "track", id: "track" });
  const blocks = h("div", { class: "blocks" });
  const plot = h("div", { class: "plot" });
  const head = h("div", {
    class: "playhead",
    id: "playhead",
    role: "slider",
    tabindex: 0,
    "aria-label": "Time",
    "aria-valuemin": 0,
  });
  const hint = h("div", { class: "track-hint" });
  hint.hidden = true;
  const clock = h("span", { class: "clock", id: "clock" });
  const now = h("span", { class: "now", id: "now" });
  // Left edge and width of every block: read once, not for every frame of a playback.
  let measured: [number, number][] | null = null;
  const cells = (): [number, number][] =>
    (measured ??= [...blocks.children].map((cell) => [
      (cell as HTMLElement).offsetLeft,
      (cell as HTMLElement).offsetWidth,
    ]));
  track.append(blocks, plot, head, hint);
  const scroller = h("div", { class: "track-scroll" }, track);

  // In thousandths of the whole: fractions that add up to less than one would leave a gap.
  const widths = (): string =>
    state
      .scene!.steps.map(
        (_, step) =>
          `minmax(${LEAST_PIXELS}px, ${((1000 * (state.starts[step + 1]! - state.starts[step]!)) / state.duration).toFixed(3)}fr)`,
      )
      .join(" ");

  const build = (): void => {
    const { scene } = state;
    measured = null;
    if (!scene || scene.steps.length === 0) {
      replace(
        blocks,
        scene
          ? h(
              "p",
              { class: "empty" },
              state.robots.length > 0
                ? "No steps yet. Select a robot, move it, and record what it does; or select a body and press R."
                : "No steps yet. Select a body, press R, move it, and record the step.",
            )
          : null,
      );
      blocks.style.gridTemplateColumns = "1fr";
      replace(plot);
      return drawTransport();
    }
    blocks.style.gridTemplateColumns = plot.style.gridTemplateColumns = widths();
    track.style.minWidth = `${scene.steps.length * LEAST_PIXELS}px`;
    replace(
      blocks,
      ...scene.steps.map((step, index) => {
        const verdict = state.verdict?.steps[index];
        const name = verdict?.verdict ?? (state.verdict?.running ? "running" : "none");
        const block = h(
          "button",
          {
            class: `block verdict-${name}`,
            type: "button",
            "data-step": index,
            "aria-label": `Step ${state.label(index)}: ${step.name}, ${name.replace("_", " ")}`,
            "aria-pressed": String(state.selectedStep === index),
            title: `${state.label(index)}. ${step.name}\n${verdict?.action ?? (step.actions?.length ? step.actions.map((action) => `${state.robots[action.robot]?.name ?? ""} ${actionText(action)}`).join("\n") : step.moves.map(moveText).join(", "))}\n${name.replace("_", " ")}${verdict?.clearance != null ? `, clearance ${lengthText(verdict.clearance, state.units)}` : ""}`,
          },
          h("span", { class: "block-number" }, state.label(index)),
          h("span", { class: "block-name" }, stepName(step)),
        );
        block.addEventListener("click", (event) => {
          // A step is shown from its start; the pointer scrubs if it is dragged.
          if (event.detail === 0) go(index);
        });
        return block;
      }),
    );
    drawCurves();
    drawTransport();
    moveHead();
  };

  const drawCurves = (): void => {
    const { scene } = state;
    if (!scene) return;
    const all = [...curves.curves.values()];
    const most = Math.max(
      ...all.map((curve) => curve.points.reduce((max, point) => Math.max(max, point[1]), 0)),
      ...all.map((curve) => curve.required * 2),
      Number.MIN_VALUE,
    );
    // Small clearances matter most: the square root spreads them.
    const height = (distance: number): number =>
      CURVE_HEIGHT - 3 - Math.sqrt(Math.max(0, distance) / most) * (CURVE_HEIGHT - 8);
    replace(
      plot,
      ...scene.steps.map((_, index) => {
        const curve = curves.curves.get(index);
        const cell = h("div", { class: "plot-cell" });
        if (!curve || curve.points.length === 0) {
          const found = state.verdict?.steps[index];
          if (scene.steps.length <= 3)
            cell.append(
              h(
                "span",
                { class: "plot-note" },
                found?.findings.some((one) => one.kind === "no_path")
                  ? "no way yet"
                  : state.verdict?.running
                    ? "checking…"
                    : "",
              ),
            );
          return cell;
        }
        const line = curve.points.map(([t, d]) => `${(t * 100).toFixed(2)} ${height(d).toFixed(2)}`);
        const need = height(curve.required).toFixed(2);
        const verdict = state.verdict?.steps[index]?.verdict ?? "none";
        cell.append(
          svg(
            "svg",
            {
              viewBox: `0 0 100 ${CURVE_HEIGHT}`,
              preserveAspectRatio: "none",
              class: `curve verdict-${verdict}`,
              role: "img",
              "aria-label": `Clearance of ${curve.pair.join(" and ")}`,
            },
            svg("path", {
              d: `M0 ${CURVE_HEIGHT} L${line.join(" L")} L100 ${CURVE_HEIGHT} Z`,
              class: "curve-fill",
            }),
            curve.required > 0 ? svg("path", { d: `M0 ${need} H100`, class: "curve-required" }) : null,
            svg("path", { d: `M${line.join(" L")}`, class: "curve-line" }),
          ),
        );
        return cell;
      }),
    );
  };

  const drawTransport = (): void => {
    const { scene, playing } = state;
    const none = !scene?.steps.length;
    const speed = h(
      "select",
      { "aria-label": "Speed", title: "Speed", onchange: () => state.setSpeed(Number(speed.value)) },
      ...SPEEDS.map((value) => h("option", { value, selected: value === state.speed }, `${value}×`)),
    );
    replace(
      controls,
      button({
        icon: "start",
        title: "Step back",
        key: "PageUp",
        disabled: none,
        press: () => actions.seekStep(-1),
      }),
      button({
        icon: playing ? "pause" : "play",
        title: playing ? "Pause" : "Play",
        key: "Space",
        id: "play",
        kind: "primary",
        disabled: none,
        press: () => actions.play(),
      }),
      button({
        icon: "end",
        title: "Step on",
        key: "PageDown",
        disabled: none,
        press: () => actions.seekStep(1),
      }),
      speed,
      clock,
      now,
    );
    moveHead();
  };

  /** The time under an x of the page, by the real edges of the blocks. */
  const timeAt = (clientX: number): number => {
    const cells = [...blocks.children] as HTMLElement[];
    for (const [index, cell] of cells.entries()) {
      const box = cell.getBoundingClientRect();
      if (clientX <= box.right || index === cells.length - 1)
        return state.timeOf(index, Math.max(0, Math.min(1, (clientX - box.left) / Math.max(1, box.width))));
    }
    return 0;
  };

  const told: { tenth: number; step: number; scene: object | null } = { tenth: -2, step: -1, scene: null };
  /** Where one step ends and the next begins, the selected one is named. */
  const named = (step: number): number =>
    state.selectedStep === step + 1 && state.time === state.starts[step + 1] ? step + 1 : step;
  const moveHead = (): void => {
    const { scene } = state;
    head.hidden = !scene?.steps.length;
    if (!scene?.steps.length) {
      clock.textContent = now.textContent = "";
      told.scene = null;
      return;
    }
    const step = state.stepAt(state.time);
    const cell = cells()[step];
    if (cell)
      head.style.transform = `translateX(${(cell[0] + state.shareOf(step, state.time) * cell[1]).toFixed(1)}px)`;
    // Words change ten times a second at most, whatever the frames do.
    const tenth = state.time <= 0 ? -1 : Math.floor(state.time * 10);
    const shown = named(step);
    if (tenth === told.tenth && shown === told.step && scene === told.scene) return;
    Object.assign(told, { tenth, step: shown, scene });
    clock.textContent = `${secondsText(state.time)} / ${secondsText(state.duration)}`;
    head.setAttribute("aria-valuenow", state.time.toFixed(2));
    head.setAttribute("aria-valuemax", state.duration.toFixed(2));
    head.setAttribute("aria-valuetext", `${secondsText(state.time)}, step ${state.label(shown)}`);
    now.textContent = now.title =
      state.time <= 0 && state.selectedStep !== 0
        ? "Start"
        : plain(`${state.label(shown)}. ${scene.steps[shown]!.name}`);
  };

  /** Selects a step and puts the cursor where it begins; work with a robot goes on. */
  const go = (step: number): void => {
    actions.seek(state.timeOf(step, 0));
    if (state.robot === null) actions.selectStep(step);
    else state.markStep(step);
    moveHead();
  };

  let scrubbing = false;
  /** The block that was pressed, until the pointer moves. */
  let pressed: { step: number; x: number } | null = null;
  track.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !state.scene?.steps.length) return;
    scrubbing = true;
    track.setPointerCapture(event.pointerId);
    const block = (event.target as Element).closest<HTMLElement>(".block");
    pressed = block ? { step: Number(block.dataset["step"]), x: event.clientX } : null;
    if (!pressed) actions.seek(timeAt(event.clientX));
  });
  track.addEventListener("pointermove", (event) => {
    if (pressed && Math.abs(event.clientX - pressed.x) > CLICK_PIXELS) pressed = null;
    if (scrubbing && !pressed) actions.seek(timeAt(event.clientX));
    if (!state.scene?.steps.length) return;
    const { step, t } = state.momentAt(timeAt(event.clientX));
    const curve = curves.curves.get(step);
    hint.hidden = scrubbing || !curve || !(event.target as Element).closest(".plot");
    if (!curve || hint.hidden) return;
    const near = curve.points.reduce((best, point) =>
      Math.abs(point[0] - t) < Math.abs(best[0] - t) ? point : best,
    );
    hint.textContent = `${plain(curve.pair.join(" – "))}: ${lengthText(near[1], state.units)} (required ${lengthText(curve.required, state.units)})`;
    const box = track.getBoundingClientRect();
    hint.style.transform = `translateX(${Math.min(box.width - 320, Math.max(0, event.clientX - box.left + 12)).toFixed(0)}px)`;
  });
  track.addEventListener("pointerleave", () => (hint.hidden = true));
  const stop = (): void => {
    if (pressed) go(pressed.step);
    pressed = null;
    scrubbing = false;
  };
  track.addEventListener("pointerup", stop);
  track.addEventListener("pointercancel", stop);
  head.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowRight" ? 0.1 : event.key === "ArrowLeft" ? -0.1 : 0;
    if (by === 0) return;
    actions.seek(state.time + by);
    event.preventDefault();
    event.stopPropagation();
  });

  let playing = false;
  state.on(["scene", "verdict"], build);
  state.on("selection", () => moveHead());
  state.on("selection", () =>
    [...blocks.children].forEach((block, index) =>
      block.setAttribute("aria-pressed", String(state.selectedStep === index)),
    ),
  );
  state.on("cursor", () => {
    if (playing !== state.playing) {
      playing = state.playing;
      drawTransport();
    } else moveHead();
  });
  curves.onChange = drawCurves;
  new ResizeObserver(() => {
    measured = null;
    moveHead();
  }).observe(track);
  build();
  return h("footer", { class: "panel timeline", "aria-label": "Timeline" }, controls, scroller);
}
