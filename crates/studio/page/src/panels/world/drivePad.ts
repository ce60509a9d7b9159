// Shown over the view while a vehicle is driven: its keys, which light up and can be pressed, and how fast it is.
import { fixed } from "../../document/units";
import type { DriveKey } from "../../tools/driving";
import type { Worlding } from "../../tools/worlding";
import { h, refill } from "../../ui/dom";
import { button } from "../../ui/widgets";
import type { GripperWord } from "../../protocol";

const KEYS: [DriveKey, string, string][] = [
  ["ahead", "W", "↑"],
  ["left", "A", "←"],
  ["back", "S", "↓"],
  ["right", "D", "→"],
];
const GRIPPER: [GripperWord, string, string][] = [
  ["close", "Q", "Close"],
  ["open", "E", "Open"],
  ["raise", "R", "Raise"],
  ["lower", "F", "Lower"],
];

export function drivePad(worlding: Worlding): HTMLElement {
  const { driving, actions } = worlding;
  const { state } = actions;
  const element = h("div", { class: "drive-pad", role: "region", "aria-label": "Driving" });
  element.hidden = true;
  const speed = h("strong", { class: "drive-speed" });

  const key = (name: DriveKey, letter: string, arrow: string): HTMLElement => {
    const cap = h(
      "button",
      {
        type: "button",
        class: `cap cap-${name}`,
        tabindex: -1,
        title: `${letter} or ${arrow}`,
        "aria-label": name,
        "data-key": name,
      },
      h("b", {}, letter),
      h("i", {}, arrow),
    );
    // The view keeps the focus: its keys go on.
    cap.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      actions.viewport.surface.focus({ preventScroll: true });
      cap.setPointerCapture(event.pointerId);
      driving.press(name, true);
    });
    for (const end of ["pointerup", "pointercancel"] as const)
      cap.addEventListener(end, () => driving.press(name, false));
    return cap;
  };

  const update = (): void => {
    const { vehicle } = driving;
    element.hidden = vehicle === null || !state.world;
    if (element.hidden || vehicle === null) return;
    const info = state.world!.info.vehicles[vehicle]!;
    const focused = driving.focused;
    const paused = !state.world!.running;
    refill(element, JSON.stringify([vehicle, info.name, driving.grips]), () => [
      h("div", { class: "caps" }, ...KEYS.map((one) => key(...one))),
      driving.grips
        ? h(
            "div",
            { class: "caps-gripper" },
            ...GRIPPER.map(([word, letter, text]) =>
              h(
                "button",
                {
                  type: "button",
                  class: "cap wide",
                  tabindex: -1,
                  onpointerdown: (event: PointerEvent) => (event.preventDefault(), driving.grip(word)),
                },
                h("b", {}, letter),
                h("i", {}, text),
              ),
            ),
          )
        : null,
      h(
        "div",
        { class: "drive-words" },
        h("span", { class: "drive-name" }, `Driving ${info.name}`),
        speed,
        h("span", { class: "drive-hint" }),
        button({
          text: "Stop",
          title: "Stop driving",
          key: "Esc",
          id: "drive-stop",
          kind: "plain",
          press: () => driving.stop(),
        }),
      ),
    ]);
    for (const cap of element.querySelectorAll<HTMLElement>("[data-key]"))
      cap.classList.toggle("pressed", driving.pressed.has(cap.dataset["key"] as DriveKey));
    element.classList.toggle("asleep", !focused);
    element.querySelector(".drive-hint")!.textContent = !focused
      ? "Click the view to drive"
      : paused
        ? "Paused: press Space to run"
        : "Shift: slowly";
    write();
  };
  const write = (): void => {
    const { vehicle } = driving;
    const now = vehicle === null ? undefined : state.world?.vehicleNow(vehicle);
    if (now) speed.textContent = `${fixed(now.speed, 2)} m/s`;
  };
  state.on("world", update);
  state.on("frame", write);
  return element;
}
