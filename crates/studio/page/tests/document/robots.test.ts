// Robots as plain data.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changedJoints,
  heldAt,
  jointsAt,
  type MotionChoice,
  motionOf,
  outside,
  readValue,
  sameJoints,
  shownValue,
  sliderRange,
  stagesOf,
  stepLabel,
  stepName,
} from "../../src/document/robots";
import { at, scene } from "./scene";

test("joint values are linear between knots; without a track the robot stands at its start", () => {
  const small = scene();
  assert.deepEqual(jointsAt(small, 0, 1, 0.25), [0.25, 0.5]);
  assert.deepEqual(jointsAt(small, 0, 0, 0.9), [0, 0]);
  assert.deepEqual(jointsAt(small, 0, 2, 1), [1, 3]);
  assert.deepEqual(jointsAt(scene({ stages: [] }), 0, 0, 0), [0, 0]);
});

test("where a stage ends, a robot holds what it holds from there on", () => {
  const small = scene();
  assert.deepEqual(heldAt(small, 0, 1, 0.99), []);
  assert.deepEqual(heldAt(small, 0, 1, 1), [1]);
  assert.deepEqual(heldAt(small, 0, 2, 1), [1]);
});

test("parts of a step belong together", () => {
  const { steps } = scene();
  assert.deepEqual(
    [0, 1, 2].map((stage) => stagesOf(steps, stage)),
    [
      [0, 0],
      [1, 2],
      [1, 2],
    ],
  );
  assert.deepEqual(
    [0, 1, 2].map((stage) => stepLabel(steps, stage)),
    ["1", "2.1", "2.2"],
  );
  assert.deepEqual(steps.map(stepName), ["slide", "take", "take"]);
});

test("joints are shown in degrees or in the unit of the scene, and read back", () => {
  const [turning, sliding] = scene().robots[0]!.joints;
  assert.equal(shownValue(turning!, Math.PI / 2, "mm"), 90);
  assert.equal(shownValue(sliding!, 0.25, "mm"), 250);
  assert.equal(readValue(sliding!, 250, "mm"), 0.25);
  assert.deepEqual(
    [-1.1, -1, 1 + 1e-12, 1.1].map((value) => outside(turning!, value)),
    ["below", null, null, "above"],
  );
  assert.equal(outside(sliding!, 1e9), null);
  assert.deepEqual(sliderRange(sliding!, "mm"), [-1000, 1000]);
});

test("what was moved by hand becomes a motion, if this kind of motion can do it", () => {
  const choice: MotionChoice = { kind: "joint", mode: "synchronous", share: 1, speed: 0.25 };
  assert.deepEqual(motionOf(choice, [0, 0], [0, 2], null), { joint: { freedom: 1, to: 2 } });
  assert.equal(motionOf(choice, [0, 0], [1, 2], null), null);
  assert.equal(motionOf(choice, [0, 0], [0, 0], null), null);
  assert.equal(motionOf({ ...choice, kind: "lin" }, [0, 0], [1, 2], null), null);
  assert.deepEqual(motionOf({ ...choice, kind: "lin", speed: 0.1 }, [0, 0], [1, 2], at(1)), {
    lin: { pose: at(1), speed: 0.1 },
  });
  assert.deepEqual(
    motionOf({ ...choice, kind: "ptp", mode: "sequential", share: 0.5 }, [0, 0], [1, 2], null),
    {
      ptp: { joints: [1, 2], mode: "sequential", speed: 0.5 },
    },
  );
  assert.ok(sameJoints([1, 2], [1 + 1e-9, 2]) && !sameJoints([1], [1, 2]));
  assert.deepEqual(changedJoints([0, 1, 2], [0, 1.5, 2]), [1]);
});
