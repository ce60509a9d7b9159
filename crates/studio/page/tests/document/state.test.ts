// The store: what its methods change, and whom they tell.
import assert from "node:assert/strict";
import { test } from "node:test";
import { State, type Topic } from "../../src/document/state";
import type { Finding, VerdictEvent } from "../../src/protocol";
import { at, scene } from "./scene";

const TOPICS: Topic[] = [
  "scene",
  "verdict",
  "selection",
  "cursor",
  "visibility",
  "view",
  "draft",
  "focus",
  "link",
  "task",
  "robot",
  "tool",
  "world",
];

/** A store with a scene, and what it has told since. */
function store(): { state: State; told: () => Topic[] } {
  const state = new State();
  state.setScene(scene());
  const heard: Topic[] = [];
  for (const topic of TOPICS) state.on(topic, () => heard.push(topic));
  return { state, told: () => heard.splice(0) };
}

test("steps follow each other in time, and the cursor stays on the plan", () => {
  const { state, told } = store();
  assert.deepEqual(state.starts, [0, 2, 3, 4]);
  state.seek(9);
  assert.deepEqual([state.time, told()], [4, ["cursor"]]);
  state.seek(2);
  assert.deepEqual(state.momentAt(2), { step: 0, t: 1 });
  state.seek(0);
  assert.equal(state.moment, null);
  assert.deepEqual(state.planPose(1), at(1));
  state.seek(1);
  assert.deepEqual(state.pose(1), at(2));
});

test("one call for many bodies and one for each say the same", () => {
  const { state } = store();
  state.seek(3.5);
  state.showPoses([[0, at(7)]]);
  const all = new Float64Array(21);
  state.fillPoses(all);
  assert.deepEqual(
    [...all],
    [0, 1, 2].flatMap((body) => [...state.pose(body)]),
  );
});

test("selecting: alone, added, taken away, a robot with its links", () => {
  const { state, told } = store();
  state.select(0, false);
  state.select(1, true);
  assert.deepEqual([...state.selected], [0, 1]);
  state.select(0, true);
  assert.deepEqual([[...state.selected], told()], [[1], ["selection", "selection", "selection"]]);
  state.selectRobot(0, [1]);
  assert.deepEqual([[...state.selected], state.robot, told()], [[2, 1], 0, ["selection", "robot", "tool"]]);
  state.clearChoice();
  assert.deepEqual([state.selected.size, told()], [0, ["focus", "selection", "tool"]]);
});

test("hidden bodies", () => {
  const { state } = store();
  state.setHidden([0, 2], true);
  state.setHidden([0], false);
  assert.deepEqual([...state.hidden], [2]);
  state.hideOnly([1]);
  assert.deepEqual([...state.hidden], [1]);
});

test("a draft grows by moves and shrinks by undo", () => {
  const { state, told } = store();
  state.seek(2);
  told();
  state.addDraftMove(new Map([[1, at(5)]]), { kind: "translate", by: [2, 0, 0] });
  state.addDraftMove(new Map([[1, at(6)]]), { kind: "translate", by: [1, 0, 0] });
  assert.deepEqual(
    [state.pose(1), state.draft!.poses.length, told()],
    [at(6), 3, ["draft", "tool", "draft", "tool"]],
  );
  state.undoDraftMove();
  assert.deepEqual(state.pose(1), at(5));
  state.undoDraftMove();
  assert.equal(state.draft, null);
  assert.deepEqual(state.pose(1), at(3));
});

test("a robot that was put somewhere by hand is back when the cursor moves", () => {
  const { state, told } = store();
  const jog = state.startJog(0, [0, 0]);
  state.changeJog({ joints: [1, 0], poses: new Map([[2, at(8)]]) });
  assert.equal(state.jog, jog);
  assert.deepEqual([state.pose(2), told()], [at(8), ["focus", "tool", "robot"]]);
  state.seek(1);
  assert.deepEqual([state.jog, state.pose(2), told()], [null, at(5), ["robot", "tool", "cursor"]]);
});

test("the same scene changed keeps what still makes sense, another one nothing", () => {
  const { state, told } = store();
  state.select(2, false);
  state.selectStep(2);
  state.setHidden([2], true);
  state.seek(4);
  told();
  const { bodies, steps, stages } = scene();
  state.setScene(scene({ bodies: bodies.slice(0, 2), steps: steps.slice(0, 1), stages: stages.slice(0, 1) }));
  assert.deepEqual(
    [state.hidden.size, state.selectedStep, state.time, told()],
    [0, null, 2, ["scene", "cursor", "robot"]],
  );
  state.setScene(scene({ name: "other" }));
  assert.equal(state.time, 0);
  state.setScene(null);
  assert.deepEqual([state.duration, state.bodies], [0, []]);
});

test("a finding that is no longer there is no longer shown", () => {
  const { state, told } = store();
  const finding = {
    kind: "overlap",
    verdict: "collision",
    pair: ["base", "part"],
    t: 0.5,
    message: "",
  } as Finding;
  const step = (findings: Finding[]) =>
    ({ findings, closest: null }) as unknown as VerdictEvent["steps"][number];
  const verdict = (findings: Finding[]) =>
    ({ running: false, start: [], steps: [step(findings)], missed: ["part"] }) as unknown as VerdictEvent;
  state.setVerdict(verdict([finding]));
  state.setFocus({ kind: "finding", step: 0, finding });
  told();
  state.setVerdict(verdict([{ ...finding, t: 0.7 }]));
  assert.ok(state.focus?.kind === "finding" && state.focus.finding.t === 0.7);
  state.setVerdict(verdict([]));
  assert.deepEqual([state.focus, told()], [null, ["focus", "verdict", "focus", "verdict"]]);
  // A goal that is missed is a finding of the last step.
  assert.deepEqual(
    state.findings().map((one) => [one.step, one.finding.kind]),
    [[2, "goal"]],
  );
});

test("play begins again at the end", () => {
  const { state } = store();
  state.seek(4);
  state.togglePlaying();
  assert.deepEqual([state.playing, state.time], [true, 0]);
  state.seek(1, true);
  assert.equal(state.playing, true);
  state.seek(1);
  assert.equal(state.playing, false);
});
