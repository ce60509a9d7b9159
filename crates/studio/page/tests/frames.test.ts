// What the page costs without a GPU to draw it: the script's share of a frame with two million triangles, and what playback leaves to the garbage collector.
// Printed, not judged: machines differ.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "playwright-core";
import { close, closeRest, openPage, settled, SMALL, withBrowser } from "./browser";
import { Studio } from "./server";
import { workshop } from "./workshop";

const BODIES = 100;
const RINGS = 100;
const TRIANGLES = 2 * RINGS * RINGS;

let studio: Studio;

withBrowser();
before(async () => {
  const { folder, scene } = workshop();
  studio = await Studio.start(folder, scene);
});
afterEach(closeRest);
after(() => studio.stop());

/** A wavy torus of 20 000 triangles; every seed another. */
function torus(seed: number): Buffer {
  const vertices = RINGS * RINGS;
  const data = Buffer.alloc(40 + 12 * vertices + 12 * TRIANGLES + 8 * RINGS);
  data.write("FRM1", 0, "latin1");
  data.writeUInt32LE(vertices, 4);
  data.writeUInt32LE(TRIANGLES, 8);
  data.writeUInt32LE(RINGS, 12);
  let at = 40;
  for (let i = 0; i < RINGS; i++)
    for (let j = 0; j < RINGS; j++) {
      const u = (2 * Math.PI * i) / RINGS;
      const v = (2 * Math.PI * j) / RINGS;
      const r = 0.03 + 0.004 * Math.sin((3 + (seed % 5)) * v) + 0.00001 * seed;
      for (const value of [
        (0.1 + r * Math.cos(v)) * Math.cos(u),
        (0.1 + r * Math.cos(v)) * Math.sin(u),
        r * Math.sin(v),
      ])
        at = data.writeFloatLE(value, at);
    }
  const vertex = (i: number, j: number): number => (i % RINGS) * RINGS + (j % RINGS);
  for (let i = 0; i < RINGS; i++)
    for (let j = 0; j < RINGS; j++)
      for (const one of [
        vertex(i, j),
        vertex(i + 1, j),
        vertex(i + 1, j + 1),
        vertex(i, j),
        vertex(i + 1, j + 1),
        vertex(i, j + 1),
      ])
        at = data.writeUInt32LE(one, at);
  for (let i = 0; i < RINGS; i++)
    for (const one of [vertex(i, 0), vertex(i + 1, 0)]) at = data.writeUInt32LE(one, at);
  return data;
}

/** A hundred bodies that all move, in a scene that the page takes for the server's; `meshes` are different ones. */
async function crowd(page: Page, meshes: number): Promise<void> {
  await page.route(
    "**/api/mesh/crowd-*",
    (route) => void route.fulfill({ body: torus(Number(/crowd-(\d+)/.exec(route.request().url())![1])) }),
  );
  await page.evaluate(
    ([bodies, triangles, different]) => {
      const pose = (
        body: number,
        turn: number,
      ): readonly [number, number, number, number, number, number, number] => [
        (body % 10) * 0.3,
        Math.floor(body / 10) * 0.3,
        0.05 * turn,
        0,
        0,
        Math.sin(turn),
        Math.cos(turn),
      ];
      const { state } = window.studio;
      state.setScene({
        ...state.scene!,
        name: `crowd ${different}`,
        path: `crowd-${different}.toml`,
        bodies: Array.from({ length: bodies }, (_, body) => ({
          name: `body ${body}`,
          mesh: `crowd-${body % different}`,
          color: [0.5, 0.6, 0.4 + 0.005 * body] as const,
          fixed: false,
          pose: pose(body, 0),
          goal: null,
          triangles,
          robot: null,
        })),
        groups: [],
        steps: [
          {
            name: "all at once",
            seconds: 60,
            line: 1,
            moves: [],
            step: 0,
            part: [0, 1],
            robots: [],
            actions: [],
          },
        ],
        stages: [
          {
            tracks: Array.from({ length: bodies }, (_, body) => ({
              body,
              times: [0, 0.5, 1],
              poses: [pose(body, 0), pose(body, 1), pose(body, 2)],
            })),
            robots: [],
          },
        ],
        end: Array.from({ length: bodies }, (_, body) => pose(body, 2)),
      });
      state.setVerdict(null);
    },
    [BODIES, TRIANGLES, meshes] as const,
  );
  await settled(page);
}

/** Drawing commands are given but not carried out: there is no GPU here, and a frame would take seconds. */
function undrawn(): void {
  const nothing = (): void => {};
  Object.assign(WebGL2RenderingContext.prototype, {
    drawElements: nothing,
    drawElementsInstanced: nothing,
    drawArrays: nothing,
    drawArraysInstanced: nothing,
  });
}

/** The script's time of a frame, the best quarter of so many: what else the machine does only adds to it. */
function frames(page: Page, count: number, what: "play" | "orbit"): Promise<number> {
  return page.evaluate(
    async ([n, kind]) => {
      const { viewport, state } = window.studio;
      const times: number[] = [];
      for (let k = 0; k < n; k++) {
        const before = viewport.frames;
        if (kind === "orbit") {
          viewport.active.rig.orbit(0.01, 0);
          viewport.request();
        } else {
          state.seek(1 + k * 0.016, true);
        }
        while (viewport.frames === before) await new Promise((resolve) => setTimeout(resolve, 1));
        times.push(viewport.frameMilliseconds);
      }
      return times.sort((a, b) => a - b)[n >> 2]!;
    },
    [count, what] as const,
  );
}

for (const meshes of [BODIES, 4])
  test(`two million triangles in ${meshes} meshes: a frame costs little script`, {
    timeout: 240_000,
  }, async () => {
    const opened = await openPage(studio.url, SMALL, undrawn);
    const { page } = opened;
    await settled(page);
    await crowd(page, meshes);
    const orbit = await frames(page, 120, "orbit");
    const play = await frames(page, 120, "play");
    const pick = await page.evaluate(async () => {
      const { viewport, pickAt } = window.studio;
      const { width, height } = viewport.active;
      const times: number[] = [];
      let hits = 0;
      const at = (k: number): [number, number] => [
        (width * ((k % 20) + 0.5)) / 20,
        (height * (Math.floor(k / 20) + 0.5)) / 20,
      ];
      // Once to build the trees.
      for (let k = 0; k < 400; k++) if (pickAt(viewport, ...at(k))) hits++;
      for (let k = 0; k < 400; k++) {
        const start = performance.now();
        pickAt(viewport, ...at(k));
        times.push(performance.now() - start);
      }
      return { time: times.reduce((sum, one) => sum + one, 0) / 400, hits };
    });
    const calls = await page.evaluate(() => window.studio.viewport.memory.calls);
    console.log(
      `# ${BODIES} bodies, ${(BODIES * TRIANGLES) / 1e6} million triangles, ${meshes} meshes: orbit ${orbit.toFixed(2)} ms, play ${play.toFixed(2)} ms of script per frame, ${calls} draws, pick ${pick.time.toFixed(2)} ms (${pick.hits} of 400 hit)`,
    );
    assert.ok(pick.hits > 0);
    await close(opened);
  });

test("playback leaves next to nothing to the garbage collector", { timeout: 240_000 }, async () => {
  const opened = await openPage(studio.url, { width: 640, height: 480 }, undrawn);
  const { page } = opened;
  await settled(page);
  const session = await page.context().newCDPSession(page);
  // A first run, so that what is made once is there.
  await frames(page, 60, "play");
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.startSampling", {
    samplingInterval: 256,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  } as never);
  await frames(page, 300, "play");
  const { profile } = await session.send("HeapProfiler.stopSampling");
  const sums = new Map<string, number>();
  type Node = (typeof profile)["head"];
  const walk = (node: Node): void => {
    const name = `${node.callFrame.functionName || "(none)"}:${node.callFrame.lineNumber}:${node.callFrame.columnNumber}`;
    sums.set(name, (sums.get(name) ?? 0) + node.selfSize);
    node.children.forEach(walk);
  };
  walk(profile.head);
  const all = [...sums].sort((a, b) => b[1] - a[1]);
  const total = all.reduce((sum, [, size]) => sum + size, 0) / 300;
  console.log(
    `# ${total.toFixed(0)} bytes per frame of playback; most: ${all
      .slice(0, 12)
      .map(([name, size]) => `${name} ${(size / 300).toFixed(0)}`)
      .join(", ")}`,
  );
  await close(opened);
});
