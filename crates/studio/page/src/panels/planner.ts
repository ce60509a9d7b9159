// The planner: a goal set with the handles, progress, a preview that plays, accept or discard.
import { poseOnTrack } from "../document/poses";
import type { Moment, Pose } from "../protocol";
import { lengthText } from "../document/units";
import type { Actions } from "../tools/actions";
import type { Moving } from "../tools/moving";
import { h, replace } from "../ui/dom";
import { button } from "../ui/widgets";
import { toast } from "./toast";

const PLANNERS = ["auto", "plane", "detours", "sampling"];
const PREVIEW_SECONDS = 3;

export class Planner {
  readonly element = h("div", { class: "planner", role: "region", "aria-label": "Planner" });
  private bodies: number[] = [];
  /** The robot whose way is looked for. */
  private robot = "";
  private running = false;
  private choice = "auto";
  private at: Moment = null;
  private previewStart = 0;

  constructor(
    private readonly actions: Actions,
    private readonly moving: Moving,
  ) {
    this.element.hidden = true;
    actions.state.on("task", () => this.update());
  }

  /** Looks for a way for a step that is there. */
  forStep(step: number): void {
    const { state } = this.actions;
    const found = state.scene?.steps[step];
    this.bodies = found?.moves[0]?.bodies ?? [];
    this.robot =
      state.robots[found?.actions?.find((action) => action.kind === "plan")?.robot ?? -1]?.name ?? "";
    state.forgetPlanned();
    this.element.hidden = false;
    this.run({ step });
  }

  /** Begins with the selected bodies where they are at the cursor; the user then moves them to their goal. */
  open(): void {
    const { state } = this.actions;
    const bodies = this.moving.movable();
    if (bodies.length === 0)
      return toast.say("Select what shall find its way: a body, or a group that moves as one.");
    this.bodies = bodies;
    this.robot = "";
    this.running = false;
    state.forgetPlanned();
    // From where the step under the cursor leaves everything; before the first step, from the start.
    const moment = state.moment;
    this.at =
      state.scene!.steps.length === 0 ? null : moment ? { step: moment.step, t: 1 } : { step: 0, t: 0 };
    if (moment) this.actions.seek(state.timeOf(moment.step, 1));
    this.actions.tool({ recording: true });
    const goal = state.goal(bodies[0]!);
    if (goal && bodies.length === 1) void this.moving.setPose(bodies[0]!, goal);
    this.element.hidden = false;
    this.update();
  }

  disassemble(): void {
    this.bodies = [];
    this.robot = "";
    this.running = true;
    this.actions.state.forgetPlanned();
    this.element.hidden = false;
    void this.actions.ask("disassemble", {}).then((answer) => {
      if (answer === null) this.close();
    });
    this.update();
  }

  private start(): void {
    const { state } = this.actions;
    const body = this.bodies[0];
    if (body === undefined) return;
    const to = state.pose(body);
    this.moving.discard();
    this.run({ bodies: this.bodies, to, ...(this.at ? { at: this.at } : {}) });
  }

  private run(what: { bodies: number[]; to: Pose; at?: Moment } | { step: number }): void {
    const { state } = this.actions;
    this.running = true;
    state.forgetProgress();
    void this.actions
      .ask("plan", { ...what, ...(this.choice === "auto" ? {} : { planner: this.choice }) })
      .then((answer) => {
        if (answer === null) this.close();
      });
    this.update();
  }

  private accept(): void {
    void this.actions.ask("accept_plan", {});
    this.close();
  }

  private discard(): void {
    void this.actions.ask(this.actions.state.planned ? "discard_plan" : "cancel", {}, true);
    this.close();
  }

  private close(): void {
    const { state } = this.actions;
    this.running = false;
    this.element.hidden = true;
    state.forgetPlanned();
    state.forgetProgress();
    this.moving.discard();
  }

  /** Plays the preview while it is shown; true while it runs. */
  preview(now: number): boolean {
    const { state } = this.actions;
    const found = state.planned?.preview;
    if (!found || this.element.hidden) return false;
    const stages = found.stages?.length ? found.stages : [{ tracks: found.tracks }];
    if (stages.every((stage) => stage.tracks.length === 0)) return false;
    const seconds = stages.length > 1 ? stages.length : PREVIEW_SECONDS;
    // A pause at the end, then again from the start.
    const at = (((now - this.previewStart) / 1000 / seconds) % 1.25) * stages.length;
    const seen = new Set<number>();
    stages.forEach((stage, index) => {
      for (const track of stage.tracks) {
        if (index <= at || !seen.has(track.body))
          state.previewPose(track.body, poseOnTrack(track, Math.max(0, Math.min(1, at - index))));
        seen.add(track.body);
      }
    });
    this.actions.viewport.bodies.place();
    return true;
  }

  private update(): void {
    const { state } = this.actions;
    if (this.element.hidden) return;
    const { planned, progress } = state;
    const name = this.bodies.length ? this.moving.names(this.bodies) : this.robot;
    if (planned) {
      this.running = false;
      this.previewStart = performance.now();
      const preview = planned.preview;
      if (preview)
        this.actions.viewport.fitTracks([
          ...preview.tracks,
          ...(preview.stages ?? []).flatMap((stage) => stage.tracks),
        ]);
      const found = Boolean(
        planned.preview?.tracks.length || planned.preview?.stages?.length || planned.verdict === "free",
      );
      const facts = [
        planned.length != null ? `length ${lengthText(planned.length, state.units)}` : "",
        planned.clearance != null ? `clearance ${lengthText(planned.clearance, state.units)}` : "",
        planned.pieces != null ? `${planned.pieces} ${planned.pieces === 1 ? "piece" : "pieces"}` : "",
      ].filter(Boolean);
      replace(
        this.element,
        h("strong", {}, found ? (name ? `A way for ${name}` : "It comes apart") : "No way found"),
        h(
          "p",
          {},
          found
            ? `${planned.verdict === "free" ? "Proven free" : planned.verdict}${facts.length ? `: ${facts.join(", ")}` : ""}.`
            : (planned.message ?? `The planner ended with: ${planned.verdict}.`),
        ),
        h(
          "div",
          { class: "buttons" },
          found
            ? button({
                text: "Accept",
                title: "Add it to the plan",
                kind: "primary",
                id: "accept-plan",
                press: () => this.accept(),
              })
            : null,
          button({ text: "Discard", title: "Forget it", kind: "plain", press: () => this.discard() }),
        ),
      );
      this.actions.viewport.request();
      return;
    }
    if (this.running) {
      const share = progress?.total ? (progress.done ?? 0) / progress.total : null;
      const bar = h("span", { class: "progress-fill" });
      if (share !== null) bar.style.transform = `scaleX(${Math.min(1, share).toFixed(3)})`;
      replace(
        this.element,
        h("strong", {}, name ? `Planning a way for ${name}` : "Taking it apart"),
        h("div", { class: `progress${share === null ? " endless" : ""}`, role: "progressbar" }, bar),
        h(
          "p",
          { class: "muted" },
          [progress?.planner, progress?.total ? `${progress.done} of ${progress.total}` : null]
            .filter(Boolean)
            .join(", ") || "Working…",
        ),
        h(
          "div",
          { class: "buttons" },
          button({ text: "Stop", title: "Stop planning", kind: "plain", press: () => this.discard() }),
        ),
      );
      return;
    }
    const choice = h(
      "select",
      { "aria-label": "Planner", onchange: () => (this.choice = choice.value) },
      ...PLANNERS.map((one) => h("option", { value: one, selected: one === this.choice }, one)),
    );
    replace(
      this.element,
      h("strong", {}, `Goal of ${name}`),
      h("p", {}, "Put it where it shall go, with the handles or the fields, then press Plan."),
      h("label", { class: "inline" }, "planner", choice),
      h(
        "div",
        { class: "buttons" },
        button({
          text: "Plan",
          title: "Find a way from where it is to here",
          kind: "primary",
          id: "start-plan",
          press: () => this.start(),
        }),
        button({ text: "Cancel", title: "Put it back", kind: "plain", press: () => this.close() }),
      ),
    );
  }
}
