// The gearbox: look, play, scrub, find what is wrong, put it right.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import {
  close,
  closeRest,
  LARGE,
  near,
  openPage,
  pose,
  row,
  settled,
  shot,
  SMALL,
  start,
  still,
  type,
  verdict,
  waitStart,
  withBrowser,
} from "./browser";
import { example, Studio } from "./server";
import { difference } from "./workshop";

let folder: string;
let studio: Studio;

withBrowser();
before(async () => {
  folder = example("gearbox");
  studio = await Studio.start(folder, "gearbox.toml");
});
afterEach(closeRest);
after(() => studio.stop());

test("the gearbox is free; it plays to its end", async () => {
  const opened = await openPage(studio.url, LARGE);
  const { page } = opened;
  await settled(page);
  await verdict(page, "free");
  await shot(page, "gearbox");
  // Parts on their way, with all curves: the picture of the README.
  await page.setViewportSize(SMALL);
  await page.waitForFunction(() => document.querySelectorAll(".plot svg").length === 21);
  await page.evaluate(() => window.studio.actions.seek(window.studio.state.timeOf(4, 0.6)));
  await shot(page, "studio");
  await page.setViewportSize(LARGE);
  await page.selectOption("[aria-label=Speed]", "8");
  await page.click("#play");
  await page.waitForFunction(
    () => !window.studio.state.playing && window.studio.state.time === window.studio.state.duration,
  );
  const apart = await page.evaluate(() => {
    const { state } = window.studio;
    return state.scene!.end.flatMap((end, body) =>
      end.map((value, k) => Math.abs(value - state.pose(body)[k]!)),
    );
  });
  near(Math.max(...apart), 0, 1e-12);
  await shot(page, "gearbox-assembled");
  await close(opened);
});

test("the report says what the verdict rests on", async () => {
  const opened = await openPage(studio.url, LARGE);
  const { page } = opened;
  await settled(page);
  await verdict(page, "free");
  await page.waitForSelector("#report");
  const report = await page.evaluate(() => window.studio.state.verdict!);
  assert.equal(report.scene, "gearbox.toml");
  const facts = (await page.textContent("#report"))!;
  assert.ok(
    facts.includes(report.version) &&
      report.date !== null &&
      facts.includes(new Date(report.date).getFullYear().toString()),
    facts,
  );
  const inputs = page.locator("#report-inputs");
  assert.equal(await inputs.locator("summary").textContent(), `${report.inputs.length} files read`);
  await inputs.locator("summary").click();
  // It stays open when the panel is made anew.
  await page.evaluate(() => window.studio.state.setVerdict(window.studio.state.verdict));
  const first = inputs.locator("li").first();
  assert.ok((await first.textContent())!.includes(report.inputs[0]!.blake3.slice(0, 12)));
  assert.ok((await first.getAttribute("title"))!.includes(report.inputs[0]!.blake3));
  await first.waitFor({ timeout: 5000 });
  await page.locator("#report-exempt").waitFor();
  await page.locator("#report-allowances").waitFor();
  assert.ok(!JSON.stringify(report).includes(folder));
  await shot(page, "report");
  await close(opened);
});

test("scrubbing shows the parts where they are at that time", async () => {
  const opened = await openPage(studio.url);
  const { page } = opened;
  await settled(page);
  const block = (await page.locator(".block").first().boundingBox())!;
  const y = block.y + block.height / 2;
  await page.mouse.move(block.x + 2, y);
  await page.mouse.down();
  await page.mouse.move(block.x + block.width * 0.6, y, { steps: 5 });
  const seen = await page.evaluate(() => window.studio.state.momentAt(window.studio.state.time));
  await page.mouse.up();
  assert.equal(seen.step, 0);
  near(seen.t, 0.6, 0.1);
  // "lower the pinion": from 105 mm by 105 mm.
  near((await pose(page, "pinion"))[2]!, 0.105 * (1 - seen.t), 1e-12);
  // A turn is exact where the server is asked.
  const exact = await page.evaluate(async () => {
    const { state, actions } = window.studio;
    const step = state.scene!.steps.findIndex((one) => one.name === "turn the gears");
    actions.seek(state.timeOf(step, 0.37));
    // The page itself never asks this.
    const ask = actions.ask.bind(actions) as unknown as (
      name: string,
      request: object,
    ) => Promise<{ poses: number[][] }>;
    const answer = await ask("poses", { step, t: 0.37 });
    return state.scene!.bodies.map((_, body) => [answer.poses[body]!, [...state.pose(body)]] as const);
  });
  for (const [asked, drawn] of exact) for (const k of [0, 1, 2, 3, 4, 5, 6]) near(drawn[k]!, asked[k]!, 1e-3);
  await close(opened);
});

test("a pose by field: the verdict turns to collision and back, and saving changes one line", async () => {
  const opened = await openPage(studio.url, LARGE);
  const { page } = opened;
  const file = join(folder, "gearbox.toml");
  const original = readFileSync(file, "utf8");
  await settled(page);
  await verdict(page, "free");
  await row(page, "output seal cap").click();
  await type(page, "#position-y", "50");
  await verdict(page, "collision");
  await page.click("#verdict");
  await page.click("#findings .finding");
  await page.waitForSelector(".marker-label:visible");
  await shot(page, "collision");
  await page.click("#save");
  await page.waitForSelector(".dirty", { state: "detached" });
  const { gone, come } = difference(original, readFileSync(file, "utf8"));
  assert.deepEqual(gone, ["pose = { position = [177, 54, 0] }"]);
  assert.equal(come.length, 1);
  assert.match(come[0]!, /^pose = .*\[177, 50, 0\]/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  await row(page, "output seal cap").click();
  await type(page, "#position-y", "54");
  await verdict(page, "free");
  await page.keyboard.press("Control+s");
  await page.waitForSelector(".dirty", { state: "detached" });
  assert.ok(difference(original, readFileSync(file, "utf8")).come.length <= 1);
  await close(opened);
});

test("a pose by the handles: one undo, and the verdict turns", async () => {
  const opened = await openPage(studio.url, LARGE);
  const { page } = opened;
  await settled(page);
  await verdict(page, "free");
  await row(page, "output seal cap").click();
  await page.locator("#viewport .surface").focus();
  await page.keyboard.press("4");
  await page.keyboard.press("f");
  await still(page);
  const before = await start(page, "output seal cap");
  // The arrow along y, a little before its tip, and a place 6 mm farther.
  const [from, to] = await page.evaluate(() => {
    const { viewport, gizmo } = window.studio;
    const pixel = viewport.active.rig.pixel(viewport.active.height);
    const box = viewport.element.getBoundingClientRect();
    return [55 * pixel, 55 * pixel + 0.006].map((far) => {
      const at = viewport.project(
        gizmo
          .center()
          .clone()
          .setY(gizmo.center().y + far),
        viewport.active,
      );
      return { x: at.x + box.left, y: at.y + box.top };
    }) as [{ x: number; y: number }, { x: number; y: number }];
  });
  await page.mouse.move(from.x, from.y, { steps: 3 });
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await shot(page, "handles");
  await page.mouse.up();
  await page.waitForFunction(() => window.studio.state.shown.size === 0);
  await verdict(page, "collision");
  const dragged = await start(page, "output seal cap");
  near(dragged[1]!, before[1]! + 0.006, 0.002);
  assert.deepEqual(
    dragged.filter((_, k) => k !== 1),
    before.filter((_, k) => k !== 1),
  );
  await page.click("#undo");
  await waitStart(page, "output seal cap", 1, before[1]!);
  await verdict(page, "free");
  await page.click("#redo");
  await waitStart(page, "output seal cap", 1, dragged[1]!);
  await verdict(page, "collision");
  await page.click("#undo");
  await verdict(page, "free");
  await close(opened);
});

test("four views, section, every shading, stereo, light theme, keyboard help", async () => {
  const opened = await openPage(studio.url);
  const { page } = opened;
  await settled(page);
  await page.keyboard.press("End");
  await page.keyboard.press("v");
  await shot(page, "four-views");
  assert.equal(await page.evaluate(() => window.studio.viewport.panes.length), 4);
  await page.keyboard.press("v");
  await page.keyboard.press("x");
  await page.waitForSelector(".section-panel:visible");
  await shot(page, "section");
  await page.keyboard.press("x");
  for (const shading of ["shaded", "hidden", "wireframe"]) {
    await page.keyboard.press("z");
    assert.equal(await page.evaluate(() => window.studio.state.view.shading), shading);
    await shot(page, `shading-${shading}`);
  }
  await page.keyboard.press("z");
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByText("Red-cyan stereo").click();
  assert.equal(await page.evaluate(() => window.studio.state.view.anaglyph), true);
  await shot(page, "stereo");
  await page.evaluate(() => window.studio.actions.view({ anaglyph: false }));
  await page.click("#theme");
  assert.equal(await page.getAttribute("html", "data-theme"), "light");
  await shot(page, "light");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog.help[open]");
  await shot(page, "help");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog.help", { state: "detached" });
  await close(opened);
});
