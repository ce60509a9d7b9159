// Poses as plain numbers: laws that hold for all of them, and values known in closed form.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aboutAxis,
  cross,
  fromRollPitchYaw,
  IDENTITY,
  length,
  makePose,
  multiply,
  normalized,
  orientation,
  poseOnTrack,
  posesBetweenStages,
  position,
  putBetween,
  type Quaternion,
  rollPitchYaw,
  rotate,
  rotationBetween,
  rotationOnto,
  shifted,
  subtract,
  turnedAbout,
} from "../../src/document/poses";
import type { Pose, Vec3 } from "../../src/protocol";

const close = (a: readonly number[], b: readonly number[], most = 1e-12): void => {
  assert.equal(a.length, b.length);
  a.forEach((value, k) => assert.ok(Math.abs(value - b[k]!) <= most, `${a} is not ${b}`));
};
/** The same rotation: q and -q are one. */
const same = (a: Quaternion, b: Quaternion): void => {
  const sign = a.reduce((sum, value, k) => sum + value * b[k]!, 0) < 0 ? -1 : 1;
  close(
    a,
    b.map((value) => sign * value),
  );
};
const QUARTER = aboutAxis([0, 0, 1], Math.PI / 2);

test("a quarter turn about z takes x to y, about a point it takes that point along", () => {
  close(rotate(QUARTER, [1, 0, 0]), [0, 1, 0]);
  close(
    position(turnedAbout(makePose([2, 0, 0], [0, 0, 0, 1]), [1, 0, 0], [0, 0, 5], Math.PI / 2)),
    [1, 1, 0],
  );
  close(position(shifted(IDENTITY, [1, 2, 3])), [1, 2, 3]);
});

test("products of rotations turn one after the other, and keep lengths", () => {
  const a = normalized([0.3, -0.2, 0.5, 0.7]);
  const b = normalized([-0.6, 0.1, 0.2, 0.4]);
  const v: Vec3 = [0.3, -1.7, 2.2];
  close(rotate(multiply(a, b), v), rotate(a, rotate(b, v)));
  assert.ok(Math.abs(length(rotate(a, v)) - length(v)) < 1e-12);
});

test("roll, pitch and yaw are read back, also straight up and down", () => {
  for (const roll of [-2.5, 0, 0.4])
    for (const pitch of [-Math.PI / 2, -1, 0, 0.7, Math.PI / 2])
      for (const yaw of [-3, 0, 1.2]) {
        const q = fromRollPitchYaw([roll, pitch, yaw]);
        same(fromRollPitchYaw(rollPitchYaw(q)), q);
      }
});

test("the rotation between two orientations is the shorter one", () => {
  const { axis, angle } = rotationBetween([0, 0, 0, 1], aboutAxis([0, 1, 0], 1.5 * Math.PI));
  assert.ok(Math.abs(angle - Math.PI / 2) < 1e-12);
  close(axis, [0, -1, 0]);
  assert.equal(rotationBetween(QUARTER, QUARTER).angle, 0);
  const onto = rotationOnto([1, 0, 0], [-1, 0, 0]);
  close(rotate(aboutAxis(onto.axis, onto.angle), [1, 0, 0]), [-1, 0, 0]);
  assert.equal(length(cross([1, 2, 3], [2, 4, 6])), 0);
});

test("between two poses: straight in position, the shorter turn in orientation", () => {
  const out = new Float64Array(9);
  const [a, b] = [makePose([0, 0, 0], [0, 0, 0, 1]), makePose([2, 0, 0], QUARTER)];
  putBetween(out, 2, a, b, 0.5);
  close([...out.subarray(2, 5)], [1, 0, 0]);
  same([out[5]!, out[6]!, out[7]!, out[8]!], aboutAxis([0, 0, 1], Math.PI / 4));
  // The same orientation written with the other sign.
  putBetween(out, 0, a, makePose([2, 0, 0], [-QUARTER[0], -QUARTER[1], -QUARTER[2], -QUARTER[3]]), 0.5);
  same([out[3]!, out[4]!, out[5]!, out[6]!], aboutAxis([0, 0, 1], Math.PI / 4));
});

test("a track stands still before its first key frame and after its last", () => {
  const at = (x: number): Pose => makePose([x, 0, 0], [0, 0, 0, 1]);
  const track = { body: 0, times: [0.2, 0.4, 1], poses: [at(0), at(1), at(4)] };
  const x = (t: number): number => position(poseOnTrack(track, t))[0];
  close([0, 0.2, 0.3, 0.4, 0.7, 1, 2].map(x), [0, 0, 0.5, 1, 2.5, 4, 4]);
  assert.deepEqual(poseOnTrack({ body: 0, times: [], poses: [] }, 0.5), IDENTITY);
  // What does not move in a stage stays where it was.
  const rows = posesBetweenStages([at(0), at(9)], [{ tracks: [track] }, { tracks: [] }]);
  assert.deepEqual(rows, [
    [at(0), at(9)],
    [at(4), at(9)],
    [at(4), at(9)],
  ]);
  assert.deepEqual(orientation(at(1)), [0, 0, 0, 1]);
  close(subtract([3, 2, 1], [1, 1, 1]), [2, 1, 0]);
});
