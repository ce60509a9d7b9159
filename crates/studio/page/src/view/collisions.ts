// Collisions light up where they happen and fade; what touches now has small marks that stay.
import type { WorldEvent } from "../protocol";
import { CLOSE_COLOR, CONTACT_COLOR } from "./colors";
import { Sparks } from "./sparks";
import type { Viewport } from "./viewport";

const SECONDS = 1.1;
const LEAST_PIXELS = 4;
const MOST_PIXELS = 24;
/** Point, normal, impulse. */
const NUMBERS = 7;

export class Collisions {
  readonly hits = new Sparks(256, SECONDS, CONTACT_COLOR, 42);
  readonly touches = new Sparks(512, 0, CLOSE_COLOR, 16);
  /** Seconds as shaders see them begin here. */
  private readonly base = performance.now();
  /** The hardest impulse so far: marks are drawn in proportion. */
  private hardest = 0;

  constructor(private readonly viewport: Viewport) {
    viewport.scene.add(this.touches.group, this.hits.group);
  }

  add(event: WorldEvent, now: number): void {
    if (!event.point) return;
    const impulse = event.impulse ?? 0;
    this.hardest = Math.max(this.hardest, impulse);
    const share = this.hardest > 0 ? Math.sqrt(impulse / this.hardest) : 1;
    this.hits.add(
      event.point,
      event.normal ?? [0, 0, 1],
      LEAST_PIXELS + (MOST_PIXELS - LEAST_PIXELS) * share,
      (now - this.base) / 1000,
    );
  }

  touching(contacts: readonly number[]): void {
    this.touches.clear();
    for (let at = 0; at + NUMBERS <= contacts.length; at += NUMBERS)
      this.touches.add(contacts, contacts, 4.5, 0, at);
    this.viewport.request();
  }

  clear(): void {
    this.hits.clear();
    this.touches.clear();
    this.hardest = 0;
    this.viewport.request();
  }

  update(now: number): boolean {
    return this.hits.update((now - this.base) / 1000);
  }
}
