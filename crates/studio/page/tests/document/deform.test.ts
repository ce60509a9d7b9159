// The deform workspace as plain data, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Deform } from "../../src/document/deform";
import type { DeformFrame } from "../../src/protocol/deform";
import type { MeshFacts } from "../../src/protocol";

const facts = (mesh: string): MeshFacts => ({
  mesh,
  name: mesh,
  vertices: 8,
  triangles: 12,
  size: [1, 1, 1],
  open_edges: 0,
  closed: true,
});
const meshes = (deform: Deform): string[] => deform.bodies.map((body) => body.facts.mesh);

test("bodies come and go, and the selection stays on one", () => {
  assert.equal(new Deform().current, null);
  assert.equal(new Deform().amount({ twist: 1 }), false);
  const deform = new Deform();
  deform.choose("pair", [Deform.body(facts("ball-1")), Deform.body(facts("ball-2"))]);
  deform.add(Deform.body(facts("torus-1")));
  assert.deepEqual([meshes(deform), deform.selected], [["ball-1", "ball-2", "torus-1"], 2]);
  assert.ok(deform.remove(0));
  assert.deepEqual([meshes(deform), deform.selected], [["ball-2", "torus-1"], 1]);
  // A file takes the place of a built-in shape, and stands beside other files.
  deform.addOwn(Deform.body(facts("file-1")));
  deform.addOwn(Deform.body(facts("file-2")));
  assert.deepEqual([meshes(deform), deform.selected, deform.preset], [["file-1", "file-2"], 1, ""]);
  deform.select(0);
  assert.ok(deform.remove(1));
  assert.equal(deform.remove(0), false, "the last one stays");
  assert.equal(deform.current?.facts.mesh, "file-1");
});

test("a change makes another body, so that what was handed out stays as it was", () => {
  const deform = new Deform();
  deform.choose("pair", [Deform.body(facts("ball-1")), Deform.body(facts("ball-2"))]);
  const [first, second] = deform.bodies;
  deform.seek(2);
  assert.ok(deform.amount({ twist: 1 }));
  assert.deepEqual([first!.twist, deform.current?.twist, deform.time], [0, 1, null]);
  assert.equal(deform.bodies[1], second);
  deform.refine(second!, facts("ball-9"));
  deform.refine(first!, facts("ball-7"));
  assert.deepEqual(meshes(deform), ["ball-1", "ball-9"], "a body that is no longer there is passed over");
  assert.equal(deform.wanted().bodies[0]!.twist, 1);
});

test("playing begins where amplitudes are whole, and goes on from where it was", () => {
  const deform = new Deform();
  deform.play();
  assert.deepEqual([deform.playing, deform.time], [true, 1.5]);
  deform.playOn(0.25);
  deform.set({ amplitude: 0.5 });
  assert.deepEqual(
    [deform.time, deform.amplitude],
    [1.75, 0.5],
    "what is set while it plays does not stop it",
  );
  deform.measure(20);
  assert.equal(deform.rate, 50);
  deform.measure(10);
  assert.ok(Math.abs(deform.rate - 55) < 1e-9);
  deform.pause();
  deform.set({ amplitude: 1 });
  assert.equal(deform.time, null);
  deform.seek(-1);
  assert.deepEqual([deform.time, deform.playing], [0, false]);
  deform.play();
  deform.fail("too fine");
  assert.deepEqual([deform.playing, deform.trouble], [false, "too fine"]);
  deform.take({} as DeformFrame);
  assert.equal(deform.trouble, null);
});
