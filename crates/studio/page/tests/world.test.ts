// The world workspace: bowling runs, stops, steps and starts again; its table, its log and its recordings.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "playwright-core";
import { close, closeRest, near, openPage, settled, shot, withBrowser } from "./browser";
import { example, Studio } from "./server";
import { workshop } from "./workshop";

let studio: Studio;
let other: Studio | undefined;

withBrowser();
before(async () => {
  studio = await Studio.start(example("worlds"), "bowling.toml");
});
afterEach(closeRest);
after(async () => {
  await other?.stop();
  await studio.stop();
});

/** Goes into the world workspace. */
async function enter(page: Page): Promise<void> {
  await settled(page);
  if ((await page.getAttribute("#workspace-world", "aria-selected")) !== "true")
    await page.click("#workspace-world");
  await page.waitForFunction(() => window.studio.state.world !== null);
}
const time = (page: Page): Promise<number> => page.evaluate(() => window.studio.state.world!.time);
/** Where everything is drawn, once that is the newest frame: what is drawn follows it with some delay. */
async function places(page: Page): Promise<number[]> {
  const shown = await page.waitForFunction(() => {
    const { world } = window.studio.state;
    return world!.arrivedAtFrame && [...world!.shown];
  });
  return (await shown.jsonValue()) as number[];
}
const paused = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      window.studio.state.world!.frame.state === "paused" &&
      document.querySelector('#world-run[title^="Run"]'),
  );
async function reset(page: Page): Promise<void> {
  await page.click("#world-reset");
  await page.waitForFunction(
    () =>
      window.studio.state.world!.frame.steps === 0 &&
      window.studio.state.world!.frame.state === "paused" &&
      !window.studio.worlding.opening,
  );
}
/** From the start; they come in several frames, and so do their events. */
async function steps(page: Page, count: number): Promise<void> {
  await page.evaluate((count) => window.studio.actions.ask("world_step", { count }), count);
  await page.waitForFunction((count) => window.studio.state.world!.frame.steps === count, count);
}
const fileOf = async (page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> => {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
};

test("bowling: runs until pins fell, pauses, steps, and starts again as before", async () => {
  const opened = await openPage(studio.url);
  const { page } = opened;
  await enter(page);
  await reset(page);
  const start = await places(page);
  await shot(page, "world-start");
  await page.selectOption("#world-speed", "2");
  await page.click("#world-run");
  await page.waitForFunction(() => window.studio.worlding.collisions.hits.count > 3);
  await shot(page, "world-strike", true);
  // Lying pins have their middles lower than standing ones.
  await page.waitForFunction(() => {
    const { world } = window.studio.state;
    return (
      world!.bodies.filter(
        (body, index) => body.name.startsWith("pin") && world!.shown[7 * index + 2]! < 0.12,
      ).length >= 3
    );
  });
  await page.click("#world-run");
  await paused(page);
  const stood = await time(page);
  await page.waitForTimeout(150);
  assert.equal(await time(page), stood);
  // One step is a millisecond.
  await page.locator("#viewport .surface").focus();
  await page.keyboard.press(".");
  await page.waitForFunction((then) => window.studio.state.world!.time > then, stood);
  near(await time(page), stood + 0.001, 1e-9);
  assert.match((await page.textContent("#world-clock"))!, /^\d+:\d\d\.\d\d$/);
  assert.match((await page.textContent("#stat-rate"))!, /^[\d,]+$/);
  await reset(page);
  assert.deepEqual(await places(page), start);
  assert.equal((await page.textContent("#world-clock"))!, "0:00.00");
  await close(opened);
});

test("the table: filter, select, change friction while it runs, keep it in the scene", async () => {
  const opened = await openPage(studio.url);
  const { page } = opened;
  await enter(page);
  await page.fill("#object-filter", "pin 1");
  assert.equal(await page.locator(".object-row:visible").count(), 2);
  await page.fill("#object-filter", "ball");
  await page.locator('.object-row:visible[data-body="ball"] .name').click();
  assert.equal(
    await page.evaluate(() =>
      [...window.studio.state.selected].map((body) => window.studio.state.bodies[body]!.name).join(),
    ),
    "ball",
  );
  // The view flies there.
  await page.waitForFunction(() => {
    const { viewport, state } = window.studio;
    const at = state.pose(state.bodyNamed("ball"));
    return Math.hypot(viewport.active.rig.target.x - at[0], viewport.active.rig.target.y - at[1]) < 0.5;
  });
  await page.fill("#object-filter", "lane");
  await page.click("#world-run");
  const friction = page.locator('.object-row:visible[data-body="lane"] [data-column=friction]');
  await friction.fill("0.05");
  await friction.press("Enter");
  await page.waitForFunction(
    () => window.studio.state.world!.bodies.find((body) => body.name === "lane")!.friction === 0.05,
  );
  await page.click("#world-run");
  await paused(page);
  await page.locator('.object-row:visible[data-body="lane"] .name').click();
  assert.equal(await page.inputValue("#world-friction"), "0.05");
  await page.click("#world-keep");
  await page.waitForSelector(".dirty");
  const text = await page.evaluate(() => window.studio.actions.ask("get_text", {}));
  assert.match(text!.text, /friction = 0\.05\b/);
  await page.click("#undo");
  await page.waitForSelector(".dirty", { state: "detached" });
  await close(opened);
});

test("the log: collisions, filters, where it was, files", async () => {
  const opened = await openPage(studio.url);
  const { page } = opened;
  await enter(page);
  await reset(page);
  await page.click("#dock-events");
  await steps(page, 1600);
  await page.waitForFunction(() =>
    window.studio.state.world!.log.events.some(
      (event) =>
        event.kind === "collision" &&
        event.bodies!.includes("ball") &&
        event.bodies!.some((name) => name.startsWith("pin")),
    ),
  );
  await page.fill("#event-body", "ball");
  await page.fill("#event-impulse", "0.5");
  await page.selectOption("#event-kind", "collision");
  const shown = (): Promise<{ kind: string; bodies: string[]; impulse: number }[]> =>
    page.evaluate(() => window.studio.state.world!.log.shown as never);
  const events = await shown();
  assert.ok(events.length > 0);
  for (const event of events)
    assert.ok(event.kind === "collision" && event.bodies.includes("ball") && event.impulse >= 0.5);
  const all = await page.evaluate(
    () =>
      window.studio.state.world!.log.events.filter(
        (event) =>
          event.kind === "collision" &&
          event.bodies!.some((name) => name.includes("ball")) &&
          event.impulse! >= 0.5,
      ).length,
  );
  assert.equal(events.length, all);
  const row = page.locator(".event-row[tabindex]:visible", { hasText: "pin" }).first();
  await row.click();
  assert.equal(await page.evaluate(() => window.studio.state.selected.size), 2);
  await shot(page, "world-events");
  const save = async (text: string): Promise<{ name: string; text: string }> => {
    await page.click("#event-save > button");
    return fileOf(page, () => page.getByRole("menuitem", { name: text }).click());
  };
  const lines = await save("JSON Lines");
  assert.match(lines.name, /events\.jsonl$/);
  assert.deepEqual(
    lines.text
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { impulse: number }).impulse),
    events.map((event) => event.impulse),
  );
  const table = await save("CSV");
  assert.equal(table.text.trim().split("\n").length, events.length + 1);
  assert.match(table.text, /^time_s,kind,first,second,x_m/);
  await close(opened);
});

test("recorded, downloaded, opened again, played and scrubbed", async () => {
  let opened = await openPage(studio.url);
  let { page } = opened;
  await enter(page);
  await reset(page);
  await page.click("#world-record");
  await page.waitForFunction(() => window.studio.state.world!.frame.recording !== null);
  await steps(page, 1500);
  const end = await places(page);
  await page.click("#world-record");
  const { name, text } = await fileOf(page, () => page.click("#world-download"));
  assert.match(name, /\.jsonl$/);
  assert.match(text, /^\{"/);
  assert.match(text, /"recording":\d/);
  await close(opened);

  // Another page knows nothing of it.
  opened = await openPage(studio.url);
  page = opened.page;
  await enter(page);
  await reset(page);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#world-open")]);
  await chooser.setFiles({ name: "strike.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(text) });
  await page.waitForSelector("#strip:visible");
  assert.ok((await page.locator(".marks i").count()) > 5);
  const frames = text
    .split("\n")
    .flatMap((line) =>
      line.includes('"poses"') ? [JSON.parse(line) as { t: number; poses: number[][] }] : [],
    );
  const ball = (JSON.parse(text.split("\n")[0]!) as { bodies: { name: string }[] }).bodies.findIndex(
    (body) => body.name === "ball",
  );
  // Scrubbed to the middle: between the two frames there.
  const strip = (await page.locator("#strip").boundingBox())!;
  await page.mouse.click(strip.x + strip.width / 2, strip.y + strip.height / 2);
  const now = await time(page);
  near(now, 0.75, 0.01);
  const before = frames.filter((frame) => frame.t <= now).at(-1)!;
  const after = frames.find((frame) => frame.t > now)!;
  const share = (now - before.t) / (after.t - before.t);
  const drawn = await page.evaluate(() => window.studio.state.pose(window.studio.state.bodyNamed("ball"))[0]);
  near(drawn, before.poses[ball]![0]! + share * (after.poses[ball]![0]! - before.poses[ball]![0]!), 1e-5);
  await shot(page, "world-recording");
  await page.selectOption("#world-speed", "10");
  await page.click("#world-run");
  await page.waitForFunction(
    () =>
      !window.studio.state.world!.replay!.playing &&
      window.studio.state.world!.time === window.studio.state.world!.replay!.end,
  );
  const last = await places(page);
  const far = Math.max(...last.map((value, at) => Math.abs(value - end[at]!)));
  near(far, 0, 1e-5);
  await page.click("#world-live");
  await page.waitForSelector("#strip", { state: "hidden" });
  assert.equal(await time(page), 0);
  await close(opened);
});

test("scenes without physics say what to do; what cannot be simulated says why", async () => {
  const { scene, folder } = workshop();
  other = await Studio.start(folder, scene);
  const opened = await openPage(other.url);
  const { page } = opened;
  await enter(page);
  await page.waitForSelector("#world-plain:visible");
  await shot(page, "world-plain");
  await page.click("#workspace-assembly");
  await page.waitForSelector(".tree:visible");
  const text = await page.evaluate(async () => {
    const answer = (await window.studio.actions.ask("get_text", {}))!;
    return `${answer.text}\n[[body]]\nname = "endless"\nshape = { plane = { normal = [0, 0, 1], offset = -500 } }\nphysics = { kind = "movable" }\n`;
  });
  const done = await page.evaluate(
    (changed) => window.studio.actions.ask("set_text", { text: changed }, true),
    text,
  );
  if (done) {
    await page.click("#workspace-world");
    await page.waitForSelector(".world-note.bad:visible");
    await shot(page, "world-refused");
    await page.click("#workspace-assembly");
    await page.waitForSelector(".tree:visible");
  }
  await close(opened);
});
