// What sensors measure, as small pictures: scans from above or as depth, camera pictures, and numbers.
import { degrees, trimmed } from "../../document/units";
import type { Worlding } from "../../tools/worlding";
import { h, refill } from "../../ui/dom";
import { button } from "../../ui/widgets";
import { RANGE_COLORS, rangeIndex } from "../../view/rangeColors";
import type { Reading, WorldSensor } from "../../protocol";

/** Width of a picture as it is drawn, in pixels. */
const WIDE = 480;
/** Scanners with fewer rows are shown from above. */
const DEPTH_ROWS = 8;
const NOTHING = "no return";

interface Card {
  element: HTMLElement;
  show(reading: Reading): void;
}

const theme = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function head(
  sensor: WorldSensor,
  owner: string,
  note: HTMLElement,
  ...more: (HTMLElement | null)[]
): HTMLElement {
  return h(
    "div",
    { class: "row card-head" },
    h(
      "strong",
      { class: "name", title: `${owner}: ${sensor.name}, ${sensor.kind}` },
      `${owner} · ${sensor.name}`,
    ),
    note,
    ...more,
  );
}

/** Seen from above: forward is up, left is left. */
function polar(sensor: WorldSensor, owner: string): Card {
  const canvas = h("canvas", {
    class: "sensor-picture polar",
    role: "img",
    "aria-label": `Scan of ${sensor.name} from above`,
  });
  const note = h("span", { class: "card-note" });
  const { beams, range } = sensor;
  const directions = beams!;
  // Scanners that look ahead only need the upper half.
  let behind = false;
  for (let at = 0; at < directions.length; at += 3) if (directions[at]! < -0.05) behind = true;
  canvas.width = WIDE;
  canvas.height = behind ? WIDE : WIDE * 0.56;
  const context = canvas.getContext("2d")!;
  return {
    element: h("div", { class: "sensor-card" }, head(sensor, owner, note), canvas),
    show(reading) {
      const { width, height } = canvas;
      const reach = range ?? 1;
      const [cx, cy] = [width / 2, behind ? height / 2 : height - 14];
      const scale = (behind ? width / 2 : Math.min(width / 2, height - 24)) / reach - 0.0001;
      context.fillStyle = theme("--field");
      context.fillRect(0, 0, width, height);
      context.strokeStyle = theme("--line");
      context.lineWidth = 1.5;
      for (let ring = 1; ring <= 4; ring++) {
        context.beginPath();
        context.arc(cx, cy, (ring / 4) * reach * scale, behind ? 0 : Math.PI, behind ? 2 * Math.PI : 0);
        context.stroke();
      }
      let nearest = Number.POSITIVE_INFINITY;
      let count = 0;
      context.lineWidth = 1;
      const faint = directions.length / 3 <= 800;
      reading.distances!.forEach((distance, at) => {
        if (distance === null || !Number.isFinite(distance)) return;
        count++;
        nearest = Math.min(nearest, distance);
        const [x, y] = [
          cx - directions[3 * at + 1]! * distance * scale,
          cy - directions[3 * at]! * distance * scale,
        ];
        const tint = rangeIndex(distance / reach);
        const color = `${RANGE_COLORS[tint]} ${RANGE_COLORS[tint + 1]} ${RANGE_COLORS[tint + 2]}`;
        if (faint) {
          context.strokeStyle = `rgb(${color} / .14)`;
          context.beginPath();
          context.moveTo(cx, cy);
          context.lineTo(x, y);
          context.stroke();
        }
        context.fillStyle = `rgb(${color})`;
        context.fillRect(x - 1.8, y - 1.8, 3.6, 3.6);
      });
      context.fillStyle = theme("--accent");
      context.beginPath();
      context.moveTo(cx, cy - 11);
      context.lineTo(cx - 7, cy + 7);
      context.lineTo(cx + 7, cy + 7);
      context.fill();
      note.textContent = count > 0 ? `nearest ${trimmed(nearest, 3)} m` : NOTHING;
      canvas.dataset["returns"] = String(count);
    },
  };
}

/** Fills a picture with the colours of distances; nothing where there is none. */
function paintDepth(image: ImageData, distances: ArrayLike<number | null>, most: number): void {
  const { data } = image;
  for (let at = 0; at < data.length / 4; at++) {
    const distance = distances[at];
    const seen = distance !== null && distance !== undefined && Number.isFinite(distance);
    const tint = seen ? rangeIndex(distance / most) : 0;
    for (let k = 0; k < 3; k++) data[4 * at + k] = seen ? RANGE_COLORS[tint + k]! : 18;
    data[4 * at + 3] = 255;
  }
}

/** Rows and columns as a picture in the colours of the distances. */
function depth(sensor: WorldSensor, owner: string, size: [number, number]): Card {
  const canvas = h("canvas", {
    class: "sensor-picture",
    role: "img",
    "aria-label": `Depths of ${sensor.name}`,
  });
  const note = h("span", { class: "card-note" });
  [canvas.width, canvas.height] = size;
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(...size);
  return {
    element: h("div", { class: "sensor-card" }, head(sensor, owner, note), canvas),
    show(reading) {
      const distances = reading.distances!;
      paintDepth(image, distances, sensor.range ?? 1);
      context.putImageData(image, 0, 0);
      let [nearest, count] = [Number.POSITIVE_INFINITY, 0];
      for (const distance of distances)
        if (distance !== null && Number.isFinite(distance))
          [nearest, count] = [Math.min(nearest, distance), count + 1];
      note.textContent = count > 0 ? `nearest ${trimmed(nearest, 3)} m` : NOTHING;
      canvas.dataset["returns"] = String(count);
    },
  };
}

function bytes(text: string): Uint8Array {
  const binary = atob(text);
  const out = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) out[at] = binary.charCodeAt(at);
  return out;
}

function camera(sensor: WorldSensor, owner: string): Card {
  const canvas = h("canvas", {
    class: "sensor-picture",
    role: "img",
    "aria-label": `Picture of ${sensor.name}`,
  });
  const note = h("span", { class: "card-note" });
  let deep = false;
  let last: Reading | null = null;
  const turn = button({
    text: "Depth",
    title: "The picture, or how far away everything is",
    pressed: false,
    press: () => ((deep = !deep), turn.setAttribute("aria-pressed", String(deep)), last && show(last)),
  });
  turn.classList.add("small");
  const context = canvas.getContext("2d")!;
  const show = (reading: Reading): void => {
    last = reading;
    const { size, colors, depth: far } = reading.picture!;
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    const image = context.createImageData(...size);
    const raw = bytes(far);
    const depths = new Float32Array(raw.buffer, 0, size[0] * size[1]);
    let [nearest, farthest] = [Number.POSITIVE_INFINITY, 0];
    for (const value of depths)
      if (Number.isFinite(value)) [nearest, farthest] = [Math.min(nearest, value), Math.max(farthest, value)];
    if (deep) paintDepth(image, depths, Math.max(farthest, Number.MIN_VALUE));
    else {
      const rgb = bytes(colors);
      for (let at = 0; at < size[0] * size[1]; at++) {
        for (let k = 0; k < 3; k++) image.data[4 * at + k] = rgb[3 * at + k]!;
        image.data[4 * at + 3] = 255;
      }
    }
    context.putImageData(image, 0, 0);
    note.textContent = Number.isFinite(nearest)
      ? `${trimmed(nearest, 3)} – ${trimmed(farthest, 3)} m`
      : NOTHING;
    canvas.dataset["pixels"] = String(size[0] * size[1]);
  };
  return { element: h("div", { class: "sensor-card" }, head(sensor, owner, note, turn), canvas), show };
}

/** A lamp, a bar or words. */
function plain(sensor: WorldSensor, owner: string): Card {
  const note = h("span", { class: "card-note" });
  const lamp = h("span", { class: "lamp" });
  const bar = h("span", { class: "range-fill" });
  const far = sensor.kind === "infrared" || sensor.kind === "ultrasonic";
  return {
    element: h(
      "div",
      { class: "sensor-card flat" },
      head(sensor, owner, note, far || sensor.kind === "odometry" ? null : lamp),
      far ? h("div", { class: "range-bar" }, bar) : null,
    ),
    show(reading) {
      if (far) {
        const { distance } = reading;
        note.textContent = distance == null ? NOTHING : `${trimmed(distance, 4)} m`;
        bar.style.transform = `scaleX(${distance == null ? 1 : Math.min(1, distance / (sensor.range ?? 1))})`;
        bar.classList.toggle("hit", distance != null);
      } else if (sensor.kind === "odometry") {
        const [x, y, heading] = reading.track ?? [0, 0, 0];
        note.textContent = `${trimmed(x, 4)}, ${trimmed(y, 4)} m, ${degrees(heading).toFixed(1)}°`;
      } else {
        const on = sensor.kind === "bumper" ? reading.touched : reading.broken;
        note.textContent =
          on === null || on === undefined
            ? "lost"
            : sensor.kind === "bumper"
              ? on
                ? "touched"
                : "free"
              : on
                ? "broken"
                : "clear";
        lamp.classList.toggle("on", on === true);
      }
    },
  };
}

export function sensorCards(worlding: Worlding): HTMLElement {
  const { state } = worlding.actions;
  const element = h("section", { class: "sensor-cards", "aria-label": "What sensors measure" });
  let cards: (Card | undefined)[] = [];
  let times: number[] = [];

  const build = (): void => {
    const { world } = state;
    element.hidden = !world || world.watched.size === 0 || world.replay !== null;
    if (!world) return;
    refill(
      element,
      JSON.stringify([
        state.scene?.path,
        world.info.sensors.map((one) => [one.name, one.kind]),
        [...world.watched],
        state.view.theme,
        world.frame.run,
      ]),
      () => {
        times = [];
        cards = world.info.sensors.map((sensor, index) => {
          if (!world.watched.has(index)) return undefined;
          const owner =
            sensor.vehicle !== null
              ? (world.info.vehicles[sensor.vehicle]?.name ?? "")
              : sensor.body !== null
                ? (world.bodies[sensor.body]?.name ?? "")
                : "world";
          if (sensor.kind === "camera") return camera(sensor, owner);
          if (sensor.kind !== "laser") return plain(sensor, owner);
          return sensor.grid && sensor.grid[1] >= DEPTH_ROWS
            ? depth(sensor, owner, sensor.grid)
            : polar(sensor, owner);
        });
        return [
          h("h2", { class: "side-head" }, "Measured"),
          ...cards.flatMap((card) => (card ? [card.element] : [])),
        ];
      },
    );
    draw();
  };
  const draw = (): void => {
    const { world } = state;
    if (!world || world.replay) return;
    for (let index = 0; index < cards.length; index++) {
      const reading = world.readings[index];
      if (!cards[index] || !reading || times[index] === reading.time) continue;
      times[index] = reading.time;
      cards[index]!.show(reading);
    }
  };
  state.on(["world", "view"], build);
  state.on("frame", draw);
  return element;
}
