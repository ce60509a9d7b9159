// Clearance over time, one curve per step, fetched when the verdict stands and kept while neither scene nor pair changes.
import type { Actions } from "../tools/actions";

export interface Curve {
  points: [number, number][];
  required: number;
  pair: [string, string];
}

export class Curves {
  readonly curves = new Map<number, Curve>();
  onChange: () => void = () => {};
  private keys = new Map<number, string>();
  private running = false;
  /** Something changed while curves were fetched. */
  private again = false;
  private supported = true;

  constructor(private readonly actions: Actions) {
    actions.state.on(["scene", "verdict"], () => void this.refresh());
  }

  private async refresh(): Promise<void> {
    const { state } = this.actions;
    for (const step of [...this.curves.keys()])
      if (step >= (state.scene?.steps.length ?? 0)) this.curves.delete(step);
    if (this.running) this.again = true;
    if (this.running || !this.supported || !state.scene || !state.verdict || state.verdict.running) return;
    this.running = true;
    this.again = false;
    try {
      for (let step = 0; step < (state.scene?.steps.length ?? 0); step++) {
        const { scene, verdict } = state;
        const found = verdict?.steps[step];
        if (!scene || !found || verdict.running) break;
        const pair = found.pair;
        const key = pair
          ? JSON.stringify([
              scene.path,
              pair,
              found.clearance,
              found.t,
              scene.stages[step]?.tracks.map((track) => [
                track.body,
                track.poses[0],
                track.poses[track.poses.length - 1],
              ]),
            ])
          : "";
        if (this.keys.get(step) === key) continue;
        this.keys.set(step, key);
        this.curves.delete(step);
        const a = pair ? state.bodyNamed(pair[0]) : -1;
        const b = pair ? state.bodyNamed(pair[1]) : -1;
        if (pair && a >= 0 && b >= 0) {
          const answer = await this.actions.ask("curve", { step, pair: [a, b] }, true);
          if (this.again) {
            // The answer may belong to what was before: it is asked again.
            this.keys.delete(step);
            break;
          }
          if (answer?.points)
            this.curves.set(step, { points: answer.points, required: answer.required ?? 0, pair });
        }
        this.onChange();
      }
    } finally {
      this.running = false;
    }
    if (this.again) void this.refresh();
  }
}
