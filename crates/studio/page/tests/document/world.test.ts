// Log and recordings of the world workspace, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Box3, Vector3 } from "three";
import { csv, eventText, jsonLines, Log, NO_FILTER, passes } from "../../src/document/log";
import { blend, Replay } from "../../src/document/replay";
import { clockText, World } from "../../src/document/world";
import { withoutGround } from "../../src/view/overview";
import type { WorldBody, WorldEvent, WorldFrame, WorldInfo } from "../../src/protocol";

const hit = (time: number, impulse: number, bodies: [string, string]): WorldEvent => ({
  time,
  kind: "collision",
  bodies,
  point: [1, 2, 3],
  normal: [0, 0, 1],
  impulse,
});
const EVENTS: WorldEvent[] = [
  hit(0.1, 2, ["ball", "pin 1"]),
  hit(0.2, 0.01, ["lane", "pin 1"]),
  { time: 0.3, kind: "separation", bodies: ["ball", "pin 1"], point: [0, 0, 0] },
  { time: 0.4, kind: "goal", goal: "left", count: 1, point: [0, 0, 0] },
  { time: 0.5, kind: "warning", message: 'the "driver", gone' },
];

test("a log is filtered by kind, name and impulse", () => {
  const log = new Log();
  log.add(EVENTS.slice(0, 2));
  log.choose({ text: "ball" });
  log.add(EVENTS.slice(2));
  assert.deepEqual(log.shown, [EVENTS[0]]);
  log.choose({ kind: "all" });
  assert.deepEqual(log.shown, [EVENTS[0], EVENTS[2]]);
  log.choose({ kind: "begins", text: "", impulse: 1 });
  assert.deepEqual(log.shown, [EVENTS[0], EVENTS[3], EVENTS[4]]);
  assert.ok(passes({ ...NO_FILTER, text: "driver" }, EVENTS[4]!));
  // A separation goes where its collision goes.
  for (const impulse of [0.5, 2])
    assert.equal(passes({ kind: "all", text: "", impulse: 1 }, { ...EVENTS[2]!, impulse }), impulse > 1);
  log.clear();
  assert.deepEqual([log.shown, log.events], [[], []]);
});

test("files of a log read back", () => {
  assert.deepEqual(
    jsonLines(EVENTS)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
    EVENTS,
  );
  const rows = csv(EVENTS).trim().split("\n");
  assert.equal(rows.length, EVENTS.length + 1);
  assert.equal(rows[1], "0.1,collision,ball,pin 1,1,2,3,0,0,1,2,ball meets pin 1");
  assert.equal(
    eventText({ time: 0, kind: "gripper", vehicle: "k", action: "released", body: "ball" }),
    "k lets go of ball",
  );
  assert.equal(eventText({ time: 0, kind: "warning", vehicle: "k", message: "tips over" }), "k: tips over");
  assert.ok(rows[5]!.endsWith(',"the ""driver"", gone"'));
});

const LINES = [
  '{"recording":1,"scene_hash":"ab","bodies":[{"name":"a","body":0},{"name":"b","body":3}]}',
  '{"t":1,"poses":[[0,0,0,0,0,0,1],[1,1,1,0,0,0,1]]}',
  '{"t":1.5,"event":{"time":1.5,"kind":"warning","message":"x"}}',
  `{"t":2,"poses":[[2,0,4,0,0,${Math.SQRT1_2},${Math.SQRT1_2}],[1,1,1,0,0,0,-1]]}`,
  '{"end":2,"steps":1000,"state_hash":"cd"}',
];

test("a recording is read, gone through, and cut off where it ends", () => {
  const replay = Replay.read("x", `${LINES.join("\n")}\n`);
  assert.deepEqual(
    [replay.start, replay.end, replay.frames, replay.whole, replay.events.length, replay.bodies.join()],
    [1, 2, 2, true, 1, "a,b"],
  );
  const out = new Float64Array(28);
  replay.seek(1.5);
  replay.fill(out, [0, 3]);
  const eighth = Math.PI / 8;
  for (const [at, value] of [
    [0, 1],
    [2, 2],
    [5, Math.sin(eighth)],
    [6, Math.cos(eighth)],
    [21, 1],
    [27, 1],
  ] as const)
    assert.ok(Math.abs(out[at]! - value) < 1e-6, `${at}: ${out[at]}`);
  assert.equal(replay.speedOf(0), Math.hypot(2, 4));
  replay.seek(99);
  assert.equal(replay.time, 2);
  replay.step(-1);
  assert.equal(replay.time, 1);
  replay.step(1);
  assert.equal(replay.time, 2);
  const newer = Replay.read(
    "x",
    [LINES[0]!.replace(":1,", ":2,"), LINES[1], '{"t":1,"sensor":0,"value":[1,null]}', LINES[4]].join("\n"),
  );
  assert.deepEqual([newer.frames, newer.whole], [1, true]);
  // Hashes of scenes are comparable from the third version on.
  assert.deepEqual([replay.sceneHash, newer.sceneHash], [null, null]);
  const newest = Replay.read("x", LINES.join("\n").replace(":1,", ":3,"));
  assert.equal(newest.sceneHash, "ab");
  const cut = Replay.read("x", `${LINES.slice(0, 3).join("\n")}\n{"t":2,"poses":[[2,0`);
  assert.deepEqual([cut.frames, cut.whole, cut.end], [1, false, 1]);
  cut.fill(out, [0, -1]);
  assert.equal(out[0], 0);
  assert.throws(() => Replay.read("x", "solid cube"), /not a recording/);
  assert.throws(() => Replay.read("x", '{"recording":4,"bodies":[]}'), /version 4/);
  assert.throws(() => Replay.read("x", LINES[0]!), /nothing/);
  assert.throws(
    () => Replay.read("x", `${LINES[0]}\n{"t":1,"poses":[[0,0,0,0,0,0,1]]}`),
    /Line 2 has 1 poses instead of 2/,
  );
});

/** A world of two bodies, the second of which can move. */
function worldOfTwo(): World {
  const body = (name: string, can_move: boolean): WorldBody => ({
    name,
    can_move,
    mass: 1,
    friction: 0.5,
    restitution: 0,
    active: true,
    mesh: "",
    color: [0, 0, 0],
    kind: can_move ? "movable" : "fixed",
    vehicle: null,
    pose: [0, 0, 0, 0, 0, 0, 1],
  });
  const frame = { run: 1, frame: 1, state: "paused", time: 0, steps: 0, poses: [], events: [], readings: [] };
  return new World({
    bodies: [body("a", false), body("b", true)],
    vehicles: [{ name: "truck", controller: null }],
    sensors: [],
    goals: [],
    events: [],
    frame: frame as unknown as WorldFrame,
  } as unknown as WorldInfo);
}

test("a world is changed by its methods, and keeps what a change leaves out", () => {
  const world = worldOfTwo();
  world.changeBody(1, { friction: 0.25, mass: undefined });
  assert.deepEqual([world.bodies[1]!.friction, world.bodies[1]!.mass], [0.25, 1]);
  world.changeBody(7, { friction: 1 });
  world.assign(0, "wander");
  world.assign(3, "wander");
  assert.equal(world.info.vehicles[0]!.controller, "wander");
  world.watch(4, true);
  world.watch(2, true);
  world.watch(4, false);
  assert.deepEqual([...world.watched], [2]);
});

test("a recording is played to its end, and what touches on the way is handed over once", () => {
  const world = worldOfTwo();
  const touch = { t: 1.5, event: hit(1.5, 1, ["a", "b"]) };
  const apart = { t: 1.6, event: { ...hit(1.6, 1, ["a", "b"]), kind: "separation" } };
  const lines = [LINES[0], LINES[1], JSON.stringify(touch), JSON.stringify(apart), LINES[3], LINES[4]];
  const replay = Replay.read("x", lines.join("\n"));
  world.show(replay);
  replay.setSpeed(2);
  replay.play();
  assert.ok(world.running);
  world.playOn(0.2);
  assert.ok(Math.abs(world.time - 1.4) < 1e-12);
  const fresh = (): number[] => {
    const times: number[] = [];
    world.eachFresh((event) => times.push(event.time));
    return times;
  };
  assert.deepEqual(fresh(), []);
  world.playOn(0.1);
  assert.deepEqual(fresh(), [1.5]);
  assert.deepEqual(fresh(), []);
  world.playOn(9);
  assert.deepEqual([world.running, world.time], [false, 2]);
  replay.play();
  assert.deepEqual([world.running, world.time], [true, 1]);
  replay.step(1);
  assert.deepEqual([world.running, world.time], [false, 2]);
});

test("poses blend along the shorter way, and ends are exact", () => {
  const [a, b] = [
    [0, 0, 0, 0, 0, 0, 1],
    [1, 2, 3, 0, 0, 0, -1],
  ];
  const out = new Float64Array(7);
  blend(out, 0, a, 0, b, 0, 0.5);
  assert.deepEqual([...out], [0.5, 1, 1.5, 0, 0, 0, 1]);
  assert.deepEqual([0, 59.999, 61.25, 3725.5].map(clockText), ["0:00.00", "0:59.99", "1:01.25", "1:02:05.5"]);
});

test("an endless ground is not what a view of everything is about", () => {
  const box = (x: number, half: number): Box3 =>
    new Box3(new Vector3(x - half, -half, -half), new Vector3(x + half, half, half));
  const [ground, floor, a, b] = [box(0, 100), box(0, 6), box(-3, 1), box(4, 1)];
  assert.deepEqual(withoutGround([ground, a, b]), [a, b]);
  assert.deepEqual(withoutGround([floor, a, b]), [floor, a, b]);
  assert.deepEqual(withoutGround([ground]), [ground]);
  assert.deepEqual(withoutGround([new Box3(), ground]), [new Box3(), ground]);
});
