// Moving bodies by hand. Before the first step, and unless the user records, a move changes where a body starts; anywhere else it is a draft
// that becomes a step when it is recorded.
import {
  add,
  length,
  orientation,
  position,
  rotationBetween,
  scale,
  shifted,
  subtract,
  turnedAbout,
} from "../document/poses";
import { stagesOf } from "../document/robots";
import type { Draft, DraftMove, State } from "../document/state";
import { angleText, lengthText } from "../document/units";
import { toast } from "../panels/toast";
import { type Contact, type Displaced, named, type NewMove, type Pose, type Vec3 } from "../protocol";
import type { Actions } from "./actions";

type Turning = Exclude<DraftMove, { kind: "free" }>;

export class Moving {
  /** The contact that stopped the last slide or turn. */
  contact: Contact | null = null;
  private sending = false;
  private waiting: Map<number, Pose> | null = null;
  private fresh = true;
  private probes = 0;
  /** Drags so far: answers to questions of an earlier one are too late. */
  private drags = 0;
  private stood = "";
  private asking = false;
  private next: { bodies: number[]; move: Turning } | null = null;

  constructor(private readonly actions: Actions) {
    // A contact is shown while what touches stands where it was found.
    actions.state.on(["scene", "cursor", "draft", "selection"], () => {
      if (this.contact && this.asking === false && this.standing(this.contact) !== this.stood)
        this.clearContact();
    });
  }

  private standing(contact: Contact): string {
    const { state } = this;
    const bodies = contact.pair.map((one) => (typeof one === "number" ? one : state.bodyNamed(one)));
    return JSON.stringify([
      [...state.selected],
      ...bodies.map((body) => (state.scene?.bodies[body] ? state.pose(body) : null)),
    ]);
  }

  private get state(): State {
    return this.actions.state;
  }

  /** True when moves change the start of the plan. */
  get placing(): boolean {
    return this.state.time <= 0 && !this.state.recording && !this.state.draft;
  }

  movable(): number[] {
    const { scene, selected, worldly } = this.state;
    if (worldly) return [];
    return [...selected].filter(
      (body) =>
        scene?.bodies[body] &&
        scene.bodies[body]!.robot == null &&
        (this.placing || !scene.bodies[body]!.fixed),
    );
  }

  displaced(): Displaced {
    const { draft } = this.state;
    const last = draft?.poses[draft.poses.length - 1];
    return last ? [...last.entries()] : [];
  }

  /** While dragging: shows the poses at once and tells the server as fast as it answers. */
  drag(poses: Map<number, Pose>, move: DraftMove): void {
    if (this.state.contactStop && move.kind !== "free") return this.dragToContact([...poses.keys()], move);
    this.clearContact();
    this.state.showPoses(poses);
    if (this.placing) this.send(poses);
    else this.probe([...poses.entries()]);
  }

  async release(poses: Map<number, Pose>, move: DraftMove): Promise<void> {
    this.drags++;
    this.next = null;
    if (!this.state.contactStop || move.kind === "free") return void (await this.apply(poses, move));
    const bodies = [...poses.keys()];
    const stopped = await this.stopAtContact(bodies, move);
    if (!stopped) return void (await this.apply(poses, move));
    this.state.dropShown();
    await this.apply(stopped.poses, stopped.move);
    this.touched(stopped.contact);
    if (stopped.contact?.kind === "overlap")
      toast.say(
        `It overlaps ${this.other(stopped.contact, bodies)} already: it moves again when “stop at contact” (C) is off.`,
      );
  }

  private before(body: number): Pose {
    return this.state.draftPose(body) ?? this.state.planPose(body);
  }

  /** Shows how far the bodies get; one question at a time, and only the newest place of the pointer counts. */
  private dragToContact(bodies: number[], move: Turning): void {
    this.next = { bodies, move };
    if (this.asking) return;
    this.asking = true;
    const drag = this.drags;
    const on = async (): Promise<void> => {
      while (this.next && drag === this.drags) {
        const { bodies: moved, move: wanted } = this.next;
        this.next = null;
        const stopped = await this.stopAtContact(moved, wanted);
        if (!stopped || drag !== this.drags) continue;
        this.state.showPoses(stopped.poses);
        this.touched(stopped.contact);
      }
    };
    void on().finally(() => (this.asking = false));
  }

  private touched(contact: Contact | null): void {
    if (!contact && !this.contact) return;
    this.contact = contact;
    this.stood = contact ? this.standing(contact) : "";
    this.state.marksChanged();
  }

  /** As much of a move as is possible without running into anything, exact from the motion kernel; `null` if the server does not say. */
  private async stopAtContact(
    bodies: number[],
    move: Turning,
  ): Promise<{ poses: Map<number, Pose>; move: Turning; contact: Contact | null } | null> {
    const question = { bodies, at: this.state.moment, poses: this.displaced() };
    if (move.kind === "translate") {
      const far = length(move.by);
      if (far === 0) return null;
      const answer = await this.actions.ask("slide", {
        ...question,
        direction: scale(move.by, 1 / far),
        max: far,
      });
      if (!answer) return null;
      const by = answer.contact ? scale(move.by, Math.min(1, answer.distance / far)) : move.by;
      return {
        poses: new Map(bodies.map((body) => [body, shifted(this.before(body), by)])),
        move: { kind: "translate", by },
        contact: answer.contact,
      };
    }
    if (move.angle === 0) return null;
    const answer = await this.actions.ask("turn", {
      ...question,
      axis: { point: move.point, direction: move.axis },
      max: move.angle,
    });
    if (!answer) return null;
    const angle = Math.min(move.angle, answer.angle);
    return {
      poses: new Map(
        bodies.map((body) => [body, turnedAbout(this.before(body), move.point, move.axis, angle)]),
      ),
      move: { ...move, angle },
      contact: answer.contact,
    };
  }

  private send(poses: Map<number, Pose>): void {
    this.waiting = poses;
    if (this.sending) return;
    this.sending = true;
    const next = (): void => {
      const now = this.waiting;
      this.waiting = null;
      if (!now) {
        this.sending = false;
        return;
      }
      void this.setPoses(now).then(next);
    };
    next();
  }

  private async setPoses(poses: Map<number, Pose>): Promise<void> {
    for (const [body, pose] of poses) {
      const merge = !this.fresh;
      this.fresh = false;
      await this.actions.ask("set_pose", merge ? { body, pose, merge } : { body, pose });
    }
  }

  /** A finished move: a new start pose, or one more move of the draft. */
  async apply(poses: Map<number, Pose>, move: DraftMove): Promise<boolean> {
    if (poses.size === 0) return false;
    if (this.placing) {
      this.state.showPoses(poses);
      this.waiting = null;
      await this.setPoses(poses);
      this.fresh = true;
      this.state.dropShown();
      return true;
    }
    const bodies = [...poses.keys()];
    const { draft } = this.state;
    if (draft && draft.bodies.join() !== bodies.join()) {
      this.state.dropShown();
      toast.say(`Record or discard the move of ${this.names(draft.bodies)} first.`);
      return false;
    }
    this.state.addDraftMove(poses, move);
    this.probe([...poses.entries()]);
    return true;
  }

  /** Asks whether the unrecorded placement touches anything; only the newest answer counts. */
  private probe(poses: Displaced): void {
    const number = ++this.probes;
    void this.actions.ask("probe", { at: this.state.moment, poses }, true).then((answer) => {
      if (!answer || number !== this.probes || (!this.state.draft && this.state.shown.size === 0)) return;
      this.state.setDraftFindings(
        named(answer.findings),
        answer.findings.length === 0 ? answer.closest : null,
      );
    });
  }

  discard(): void {
    this.clearContact();
    this.state.dropDraft();
  }

  async setPose(body: number, pose: Pose): Promise<void> {
    const before = this.before(body);
    const turned = rotationBetween(orientation(before), orientation(pose)).angle;
    const by = subtract(position(pose), position(before));
    const move: DraftMove =
      turned === 0
        ? { kind: "translate", by }
        : length(by) === 0
          ? this.turnMove(before, pose)
          : { kind: "free" };
    await this.apply(new Map([[body, pose]]), move);
  }

  private turnMove(before: Pose, after: Pose): DraftMove {
    return {
      kind: "rotate",
      point: position(before),
      ...rotationBetween(orientation(before), orientation(after)),
    };
  }

  async nudge(by: Vec3): Promise<void> {
    const poses = new Map(this.movable().map((body) => [body, shifted(this.before(body), by)]));
    await this.apply(poses, { kind: "translate", by });
  }

  async turnBy(point: Vec3, axis: Vec3, angle: number): Promise<void> {
    const poses = new Map(
      this.movable().map((body) => [body, turnedAbout(this.before(body), point, axis, angle)]),
    );
    await this.apply(poses, { kind: "rotate", point, axis, angle });
  }

  async slide(direction: Vec3, max: number): Promise<void> {
    const bodies = this.movable();
    if (bodies.length === 0) return toast.say("Select a body that can move first.");
    const unit = scale(direction, 1 / (length(direction) || 1));
    const answer = await this.actions.ask("slide", {
      bodies,
      direction: unit,
      at: this.state.moment,
      max,
      poses: this.displaced(),
    });
    if (!answer) return;
    const by = scale(unit, answer.distance);
    const poses = new Map(bodies.map((body) => [body, shifted(this.before(body), by)]));
    if (answer.distance > 0) await this.apply(poses, { kind: "translate", by });
    this.touched(answer.contact);
    const far = lengthText(answer.distance, this.state.units, 6);
    toast.say(
      answer.contact
        ? `Slid ${far}, then touches ${this.other(answer.contact, bodies)}.`
        : `Slid ${far} without touching anything.`,
    );
  }

  async turn(point: Vec3, axis: Vec3, max: number): Promise<void> {
    const bodies = this.movable();
    if (bodies.length === 0) return toast.say("Select a body that can move first.");
    const answer = await this.actions.ask("turn", {
      bodies,
      axis: { point, direction: axis },
      at: this.state.moment,
      max,
      poses: this.displaced(),
    });
    if (!answer) return;
    const poses = new Map(
      bodies.map((body) => [body, turnedAbout(this.before(body), point, axis, answer.angle)]),
    );
    if (answer.angle > 0) await this.apply(poses, { kind: "rotate", point, axis, angle: answer.angle });
    this.touched(answer.contact);
    const far = angleText(answer.angle);
    toast.say(
      answer.contact
        ? `Turned ${far}, then touches ${this.other(answer.contact, bodies)}.`
        : `Turned ${far} without touching anything.`,
    );
  }

  private other(contact: Contact, bodies: number[]): string {
    const names = contact.pair.map((one) =>
      typeof one === "number" ? (this.state.scene?.bodies[one]?.name ?? "?") : one,
    );
    return names.find((name) => !bodies.includes(this.state.bodyNamed(name))) ?? names[1] ?? "?";
  }

  clearContact(): void {
    if (!this.contact) return;
    this.contact = null;
    this.state.marksChanged();
  }

  names(bodies: readonly number[]): string {
    const group = this.state.scene?.groups.find(
      (one) => one.members.length === bodies.length && one.members.every((member) => bodies.includes(member)),
    );
    if (group) return `the ${group.name}`;
    const list = bodies.map((body) => this.state.scene?.bodies[body]?.name ?? "?");
    return list.length <= 2 ? list.join(" and ") : `${list.length} bodies`;
  }

  /** Turns the draft into a step after the one under the cursor. */
  async record(): Promise<void> {
    const { draft } = this.state;
    if (!draft) return;
    const moment = this.state.moment;
    const index = moment === null ? 0 : stagesOf(this.state.scene!.steps, moment.step)[1] + 1;
    const moves = stepOf(draft);
    if (moves.length === 0)
      return toast.say("Several bodies can only be shifted or turned together, one move per step.");
    const name = this.nameOf(draft, moves[0]!);
    if (!(await this.actions.ask("add_step", { index, name, moves }))) return;
    this.discard();
    this.state.selectRecorded(index);
    toast.say(`Recorded “${name}”.`);
  }

  private nameOf(draft: Draft, move: NewMove): string {
    const what = draft.bodies.length === 1 ? `the ${this.names(draft.bodies)}` : this.names(draft.bodies);
    if ("translate" in move) {
      const [x, y, z] = move.translate;
      if (Math.abs(z) > 2 * Math.hypot(x, y)) return z < 0 ? `lower ${what}` : `raise ${what}`;
      return `slide ${what}`;
    }
    return "rotate" in move ? `turn ${what}` : `move ${what}`;
  }
}

/** The moves of a step that does what the draft did; empty when no step can say it. */
export function stepOf(draft: Draft): NewMove[] {
  const { moves, poses } = draft;
  const bodies = [...draft.bodies];
  if (moves.every((move) => move.kind === "translate")) {
    const shifts = moves.map((move) => (move.kind === "translate" ? move.by : ([0, 0, 0] as Vec3)));
    const total = shifts.reduce((sum, by) => add(sum, by), [0, 0, 0] as Vec3);
    const straight = shifts.reduce((sum, by) => sum + length(by), 0) <= length(total) * (1 + 1e-9);
    if (straight || bodies.length > 1) return straight ? [{ bodies, translate: total }] : [];
  }
  const [only] = moves;
  if (moves.length === 1 && only?.kind === "rotate")
    return [{ bodies, rotate: { point: only.point, axis: only.axis, angle: only.angle } }];
  if (bodies.length > 1) return [];
  const body = bodies[0]!;
  const way = poses.slice(1).map((row) => row.get(body)!);
  return way.length === 1 ? [{ bodies, to: way[0]! }] : [{ bodies, path: way }];
}
