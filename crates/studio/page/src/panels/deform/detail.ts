// The right side of the deform workspace: what was found, how the selected body is deformed, and how long each stage took.
import type { FrameBody } from "../../protocol/deform";
import type { DeformBody } from "../../document/deform";
import { degrees, radians, trimmed } from "../../document/units";
import type { Vec3 } from "../../protocol";
import type { Deforming } from "../../tools/deforming";
import { h, refill, replace } from "../../ui/dom";
import { numberInput } from "../../ui/widgets";

/** Numbers are written this often while it plays: more cannot be read. */
const WRITE_MILLISECONDS = 120;

interface Slider {
  element: HTMLElement;
  show(body: DeformBody): void;
}

export function deformDetail(deforming: Deforming): HTMLElement {
  const { deform } = deforming;
  const { state } = deforming.actions;
  const found = h("section", { "aria-label": "Found" });
  const change = h("section", { "aria-label": "Deformation" });
  const times = h("section", { "aria-label": "Times" });
  const title = h("span", { class: "count" });
  let written = 0;

  const slider = (
    id: string,
    name: string,
    unit: string,
    low: number,
    high: number,
    step: number,
    read: (body: DeformBody) => number,
    write: (value: number) => Partial<DeformBody>,
  ): Slider => {
    const range = h("input", {
      type: "range",
      id: `deform-${id}`,
      min: low,
      max: high,
      step,
      "aria-label": `${name} in ${unit}`,
    });
    const now = (): number => (deform.current ? read(deform.current) : 0);
    const value = numberInput(
      { class: "joint-value", id: `deform-${id}-value`, "aria-label": `${name} as a number` },
      now,
      () => step,
      (number) => deforming.amount(write(number)),
    );
    range.addEventListener("input", () => deforming.amount(write(Number(range.value))));
    return {
      element: h(
        "label",
        { class: "joint" },
        h("span", { class: "joint-name", title: name }, name),
        range,
        value.element,
        h("span", { class: "field-unit" }, unit),
      ),
      show(body) {
        const now = read(body);
        if (document.activeElement !== range) range.value = String(now);
        value.show(trimmed(now, 5));
      },
    };
  };
  const angle = (key: "twist" | "bend" | "wobble", name: string, most: number): Slider =>
    slider(
      key,
      name,
      "°",
      -most,
      most,
      1,
      (body) => degrees(body[key]),
      (value) => ({ [key]: radians(value) }),
    );
  const place = (axis: 0 | 1 | 2): Slider =>
    slider(
      "xyz"[axis]!,
      "xyz"[axis]!,
      "m",
      -3,
      3,
      0.01,
      (body) => body.at[axis],
      (value) => {
        const at = [...(deform.current?.at ?? [0, 0, 0])] as [number, number, number];
        at[axis] = value;
        return { at: at as Vec3 };
      },
    );
  const sliders = [
    angle("twist", "Twist", 1080),
    angle("bend", "Bend", 540),
    angle("wobble", "Wobble", 180),
    slider(
      "waves",
      "Waves",
      "",
      0.5,
      6,
      0.5,
      (body) => body.waves,
      (waves) => ({ waves }),
    ),
    slider(
      "inflate",
      "Inflate",
      "m",
      -0.1,
      0.3,
      0.005,
      (body) => body.inflate,
      (inflate) => ({ inflate }),
    ),
  ];
  const places = [place(0), place(1), place(2)];
  const moved = h("div", {}, h("h3", {}, "Place"), ...places.map((one) => one.element));
  const along = h(
    "select",
    {
      id: "deform-along",
      "aria-label": "Axis of the deformation",
      onchange: () => deforming.amount({ along: along.value === "" ? null : Number(along.value) }),
    },
    ...[
      ["", "the longest edge"],
      ["0", "x"],
      ["1", "y"],
      ["2", "z"],
    ].map(([value, text]) => h("option", { value }, text!)),
  );
  replace(
    change,
    h("h2", { class: "side-head" }, "Deformation", title),
    ...sliders.map((one) => one.element),
    h("div", { class: "inline" }, "Along", along),
    moved,
  );

  const fact = (name: string, value: string, id?: string): HTMLElement =>
    h("div", { class: "fact" }, h("dt", {}, name), h("dd", { id: id ?? false }, value));
  const amount = (volume: number | null, error: number | null): string =>
    volume === null
      ? "not known"
      : volume === 0
        ? "none"
        : `${trimmed(volume, 4)} m³ ± ${trimmed(error ?? 0, 2)}`;

  const drawFound = (): void => {
    const { frame } = deform;
    if (!frame) return replace(found, h("p", { class: "note" }, deform.trouble ?? "Looking…"));
    const ill = frame.bodies.filter((body) => !body.sound);
    const own = frame.bodies.some((body) => body.self_collision);
    const pairs = frame.pairs.filter((pair) => pair.intervals.length > 0);
    const [tone, text] = deform.trouble
      ? ["undecided", "no frame"]
      : own
        ? ["collision", "runs into itself"]
        : pairs.length > 0
          ? ["collision", "bodies overlap"]
          : ill.length > 0
            ? ["undecided", "not closed"]
            : ["free", "no overlap found"];
    const pixel = Math.max(...frame.bodies.map((body) => Math.hypot(...body.grid.pixel)));
    const said =
      deform.trouble ??
      (ill.length > 0
        ? ill
            .map((body) =>
              body.open_edges > 0
                ? `${body.open_edges} open edges`
                : !body.closed
                  ? "faces twice with opposite winding"
                  : `${body.faults} rays see it inside out`,
            )
            .join(", ")
        : tone === "free"
          ? `of a ball wider than ${trimmed(1000 * pixel, 3)} mm`
          : "");
    const volume = frame.bodies.reduce<number | null>(
      (sum, body) => (sum === null || body.volume === null ? null : sum + body.volume),
      0,
    );
    const error = frame.bodies.reduce((sum, body) => sum + (body.volume_error ?? 0), 0);
    const sum = (of: (body: FrameBody) => number): number =>
      frame.bodies.reduce((all, body) => all + of(body), 0);
    replace(
      found,
      h(
        "div",
        { class: `verdict-card verdict-${tone}`, role: "status", id: "deform-verdict", "data-verdict": tone },
        h("strong", {}, text),
        h("span", {}, said),
      ),
      h(
        "dl",
        { class: "facts" },
        fact("Volume of self-collision", amount(volume, error), "deform-volume"),
        ...frame.pairs.map((pair) =>
          fact(
            `${pair.bodies.map((body) => deform.bodies[body]?.facts.name ?? "?").join(" + ")}`,
            amount(pair.volume, pair.volume_error),
            `deform-pair-${pair.bodies.join("-")}`,
          ),
        ),
        fact(
          "Largest occupancy",
          String(Math.max(...frame.bodies.map((body) => body.max_overlap))),
          "deform-occupancy",
        ),
        fact(
          "Layers",
          `${Math.max(...frame.bodies.map((body) => body.layers_max))} at most, ${sum((body) => body.depths).toLocaleString("en")} in all`,
        ),
        fact(
          "Faces in self-collision",
          `${sum((body) => body.faces).toLocaleString("en")} of ${sum((body) => body.triangles).toLocaleString("en")}`,
        ),
        fact("Vertices", sum((body) => body.vertices).toLocaleString("en")),
      ),
    );
  };

  const drawTimes = (): void => {
    const { frame } = deform;
    if (!frame) return replace(times);
    const stages = Object.entries(frame.milliseconds).filter(
      ([name]) => name !== "pairs" || frame.bodies.length > 1,
    );
    const total = stages.reduce((sum, [, time]) => sum + time, 0);
    replace(
      times,
      h(
        "h2",
        { class: "side-head" },
        "Milliseconds",
        h("span", { class: "count", id: "deform-device" }, frame.device),
      ),
      h(
        "dl",
        { class: "facts stages" },
        ...stages.map(([name, time]) => {
          const bar = h("i", { class: "stage-bar" });
          bar.style.transform = `scaleX(${(total > 0 ? time / total : 0).toFixed(3)})`;
          return h("div", { class: "fact stage" }, bar, h("dt", {}, name), h("dd", {}, time.toFixed(2)));
        }),
        h(
          "div",
          { class: "fact" },
          h("dt", {}, "together"),
          h("dd", { id: "deform-total" }, total.toFixed(2)),
        ),
      ),
      frame.note ? h("p", { class: "note" }, frame.note) : null,
    );
  };

  const update = (): void => {
    if (!state.deforming) return;
    const body = deform.current;
    refill(title, `${deform.selected} ${body?.facts.name}`, () => [
      deform.bodies.length > 1 ? (body?.facts.name ?? "") : "",
    ]);
    if (body) for (const one of [...sliders, ...places]) one.show(body);
    if (body) along.value = body.along === null ? "" : String(body.along);
    moved.hidden = deform.bodies.length < 2;
    drawFound();
    drawTimes();
  };
  state.on("deform", update);
  state.on("frame", () => {
    if (!state.deforming) return;
    const now = performance.now();
    if (deform.playing && now - written < WRITE_MILLISECONDS) return;
    written = now;
    drawFound();
    drawTimes();
  });
  return h(
    "aside",
    { class: "panel world-detail deform-detail", "aria-label": "Found and set" },
    found,
    change,
    times,
  );
}
