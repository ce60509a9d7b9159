// How numbers are shown and read.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  angleText,
  fixed,
  lengthText,
  metresPer,
  readNumber,
  roundStep,
  trimmed,
} from "../../src/document/units";

test("numbers are short, without zeros that say nothing", () => {
  const cases: [number, string][] = [
    [0, "0"],
    [-1e-12, "0"],
    [1.5, "1.5"],
    [100, "100"],
    [0.000_012_3, "0.0000123"],
    [123_456.789, "123457"],
    [Number.POSITIVE_INFINITY, "–"],
  ];
  for (const [value, text] of cases) assert.equal(trimmed(value), text);
  assert.equal(fixed(-0.001, 2), "0.00");
  assert.equal(angleText(Math.PI), "180°");
});

test("lengths are shown in the unit of the scene, small ones in a finer one", () => {
  assert.equal(lengthText(0.25, "mm"), "250 mm");
  assert.equal(lengthText(0.000_277, "m"), "0.277 mm");
  assert.equal(lengthText(0.000_000_5, "mm"), "0.5 µm");
  assert.equal(lengthText(0.0254, "in"), "1 in");
  assert.equal(lengthText(0, "m"), "0 m");
  assert.equal(metresPer("no unit"), 1);
});

test("what people type is read: sums, products, brackets, commas", () => {
  const cases: [string, number | null][] = [
    ["12 + 0.5", 12.5],
    ["90/4", 22.5],
    ["2*(3-1)", 4],
    ["−1,5", -1.5],
    ["1e-3", 0.001],
    ["-(2)", -2],
    ["", null],
    ["ten", null],
    ["1/0", null],
    ["alert(1)", null],
  ];
  for (const [text, value] of cases) assert.equal(readNumber(text), value, text);
});

test("steps of a grid are 1, 2 or 5 times a power of ten", () => {
  assert.deepEqual([0.03, 0.7, 1, 4.9, 5, 99].map(roundStep), [0.02, 0.5, 1, 2, 5, 50]);
});
