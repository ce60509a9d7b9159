// The deform workspace: what it puts beside and below the view.
import { PERIOD, RESOLUTIONS } from "../../document/deform";
import type { AxisName, DeviceName } from "../../protocol";
import type { Deforming } from "../../tools/deforming";
import { h, refill } from "../../ui/dom";
import { button } from "../../ui/widgets";
import { deformDetail } from "./detail";
import { deformSide } from "./side";
import "./deform.css";

export interface DeformPanels {
  side: HTMLElement;
  detail: HTMLElement;
  dock: HTMLElement;
}

const AXES: [string, string][] = [
  ["", "longest axis"],
  ["x", "x axis"],
  ["y", "y axis"],
  ["z", "z axis"],
];
const DEVICES: [DeviceName, string][] = [
  ["auto", "automatic"],
  ["cpu", "processor"],
  ["gpu", "graphics"],
];

export function deformPanels(deforming: Deforming): DeformPanels {
  const { deform } = deforming;
  const { state } = deforming.actions;
  const buttons = h("div", { class: "row" });
  const clock = h("span", { class: "clock", id: "deform-clock" });
  const amplitude = h("input", {
    type: "range",
    id: "deform-amplitude",
    min: 0,
    max: 1,
    step: 0.005,
    "aria-label": "Amplitude",
  });
  const share = h("span", { class: "deform-share", id: "deform-share" });
  amplitude.addEventListener("input", () => deforming.set({ amplitude: Number(amplitude.value) }));
  const select = <T extends string | number>(
    id: string,
    label: string,
    all: readonly (readonly [T, string])[],
    change: (value: string) => void,
  ): HTMLSelectElement => {
    const element = h(
      "select",
      { id, "aria-label": label, title: label, onchange: () => change(element.value) },
      ...all.map(([value, text]) => h("option", { value }, text)),
    );
    return element;
  };
  const resolution = select(
    "deform-resolution",
    "Rays each way",
    RESOLUTIONS.map((n) => [n, `${n} × ${n}`] as const),
    (value) => deforming.set({ resolution: Number(value) }),
  );
  const axis = select("deform-axis", "Direction of the rays", AXES, (value) =>
    deforming.set({ axis: value === "" ? null : (value as AxisName) }),
  );
  const device = select("deform-device-choice", "Who renders", DEVICES, (value) =>
    deforming.set({ device: value as DeviceName }),
  );

  const write = (): void => {
    const { time, playing, rate } = deform;
    clock.textContent =
      time === null
        ? "held"
        : `${(time % PERIOD).toFixed(2)} s${playing && rate > 0 ? ` · ${rate.toFixed(0)} fps` : ""}`;
    const now = time === null ? deform.amplitude : deform.amplitude * Math.sin((2 * Math.PI * time) / PERIOD);
    share.textContent = `${(100 * now).toFixed(0)} %`;
  };
  const update = (): void => {
    document.getElementById("app")!.classList.toggle("deforming", state.deforming);
    if (!state.deforming) return;
    refill(buttons, String(deform.playing), () => [
      button({
        icon: deform.playing ? "pause" : "play",
        title: deform.playing ? "Pause" : "Swing back and forth",
        key: "Space",
        id: "deform-play",
        kind: "primary",
        press: () => deforming.play(),
      }),
    ]);
    if (document.activeElement !== amplitude) amplitude.value = String(deform.amplitude);
    resolution.value = String(deform.resolution);
    axis.value = deform.axis ?? "";
    device.value = deform.device;
    write();
  };
  state.on("deform", update);
  state.on("frame", () => state.deforming && write());
  return {
    side: deformSide(deforming),
    detail: deformDetail(deforming),
    dock: h(
      "footer",
      { class: "panel deform-dock", "aria-label": "Deformation over time" },
      h(
        "div",
        { class: "transport" },
        buttons,
        clock,
        h("span", { class: "muted" }, "Amplitude"),
        amplitude,
        share,
        h("span", { class: "grow" }),
        h("span", { class: "muted" }, "Rays"),
        resolution,
        axis,
        device,
      ),
    ),
  };
}
