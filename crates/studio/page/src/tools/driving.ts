// Driving a vehicle with the keyboard. Keys count only while the view has the focus; when it loses it, the vehicle stops.
import type { GripperWord } from "../protocol";
import type { Worlding } from "./worlding";

export type DriveKey = "ahead" | "back" | "left" | "right";

const KEYS: Record<string, DriveKey> = {
  arrowup: "ahead",
  arrowdown: "back",
  arrowleft: "left",
  arrowright: "right",
  w: "ahead",
  s: "back",
  a: "left",
  d: "right",
};
const GRIPPER_KEYS: Record<string, GripperWord> = { q: "close", e: "open", r: "raise", f: "lower" };
const REPEAT_MILLISECONDS = 100;
/** With Shift, a vehicle goes so much slower. */
const SLOW = 0.35;

export class Driving {
  vehicle: number | null = null;
  readonly pressed = new Set<DriveKey>();
  slow = false;
  private timer = 0;
  /** The camera follows it because it is driven. */
  private chases = false;
  private sent = "";

  constructor(private readonly worlding: Worlding) {
    const { surface } = worlding.actions.viewport;
    surface.addEventListener("blur", () => this.release());
    surface.addEventListener("focus", () => this.vehicle !== null && this.tell());
    window.addEventListener("blur", () => this.release());
    document.addEventListener("keyup", (event) => this.up(event));
  }

  get focused(): boolean {
    return document.activeElement === this.worlding.actions.viewport.surface;
  }

  get grips(): boolean {
    return (
      this.vehicle !== null &&
      (this.worlding.world?.info.vehicles[this.vehicle]?.commands.includes("gripper") ?? false)
    );
  }

  async start(vehicle: number): Promise<void> {
    const { worlding } = this;
    const { world, actions } = worlding;
    if (!world?.info.vehicles[vehicle] || world.replay) return;
    this.stop();
    if (
      world.info.vehicles[vehicle].controller !== "keyboard" &&
      !(await worlding.assign(vehicle, "keyboard"))
    )
      return;
    this.vehicle = vehicle;
    actions.viewport.surface.focus({ preventScroll: true });
    this.chases = worlding.follow.body === null;
    if (this.chases) worlding.follow.start(world.info.vehicles[vehicle].bodies[0], "chase");
    this.timer = window.setInterval(() => this.send(), REPEAT_MILLISECONDS);
    this.tell();
  }

  /** Keys drive again after a button was pressed. */
  takeFocus(): void {
    if (this.vehicle !== null) this.worlding.actions.viewport.surface.focus({ preventScroll: true });
  }

  stop(): void {
    if (this.vehicle === null) return;
    this.release();
    window.clearInterval(this.timer);
    this.vehicle = null;
    if (this.chases && this.worlding.follow.mode === "chase") this.worlding.follow.start(null);
    this.chases = false;
    this.tell();
  }

  /** True if the key is one for driving. */
  down(event: KeyboardEvent): boolean {
    if (this.vehicle === null || !this.focused || event.ctrlKey || event.metaKey || event.altKey)
      return false;
    const name = event.key.toLowerCase();
    this.slow = event.shiftKey;
    const grip = GRIPPER_KEYS[name];
    if (grip && this.grips) {
      if (!event.repeat) this.grip(grip);
      return true;
    }
    const key = KEYS[name];
    if (!key) return false;
    this.press(key, true);
    return true;
  }

  private up(event: KeyboardEvent): void {
    if (this.vehicle === null) return;
    this.slow = event.shiftKey;
    const key = KEYS[event.key.toLowerCase()];
    if (key) this.press(key, false);
  }

  /** A key or a button on the screen goes down or up. */
  press(key: DriveKey, down: boolean): void {
    if (this.pressed.has(key) === down) return;
    if (down) this.pressed.add(key);
    else this.pressed.delete(key);
    this.send();
    this.tell();
  }

  grip(word: GripperWord): void {
    if (this.vehicle !== null)
      void this.worlding.actions.ask("world_drive", { vehicle: this.vehicle, gripper: word });
  }

  private release(): void {
    this.pressed.clear();
    this.send();
    if (this.vehicle !== null) this.tell();
  }

  /** Again and again while keys are down, once when they are let go. */
  private send(): void {
    const { pressed, vehicle } = this;
    if (vehicle === null) return;
    const way = (plus: DriveKey, minus: DriveKey): number =>
      Number(pressed.has(plus)) - Number(pressed.has(minus));
    const speed = way("ahead", "back") * (this.slow ? SLOW : 1);
    const turn = way("left", "right") * (this.slow ? SLOW : 1);
    const key = `${vehicle} ${speed} ${turn}`;
    if (key === this.sent && pressed.size === 0) return;
    this.sent = key;
    void this.worlding.actions.ask("world_drive", { vehicle, speed, turn }, true);
  }

  private tell(): void {
    this.worlding.actions.state.worldChanged();
  }
}
