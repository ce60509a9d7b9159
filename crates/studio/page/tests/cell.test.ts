// The demo cell: two arms that put parts of a gearbox together, and its twin in which they meet.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, test } from "node:test";
import { close, closeRest, LARGE, openPage, settled, shot, verdict, withBrowser } from "./browser";
import { example, Studio } from "./server";

let studio: Studio | undefined;

withBrowser();
afterEach(async () => {
  await closeRest();
  await studio?.stop();
});
after(() => studio?.stop());

test("the cell is free; its program is listed, followed and gone through", async () => {
  const folder = example("cell");
  studio = await Studio.start(folder, join(folder, "cell.toml"));
  const opened = await openPage(studio.url, LARGE);
  const { page } = opened;
  await settled(page);
  await verdict(page, "free");
  await page.click("#workspace-robot");
  await page.click("#show-trail");
  await page.click("#robot-program");
  await page.waitForSelector(".program-action");
  // A line goes to where it ends: there the part is held.
  const grasp = page.locator(".program-action", { hasText: "GRASP" }).first();
  const words = /^(\w+): GRASP (.+?)(?: DEPTH.*)?$/.exec((await grasp.getAttribute("aria-label"))!)!;
  await grasp.click();
  const held = await page.evaluate((name) => {
    const { state, jogging } = window.studio;
    window.studio.actions.selectRobot(state.robots.findIndex((robot) => robot.name === name));
    return jogging.held().map((body) => state.scene!.bodies[body]!.name);
  }, words[1]!);
  assert.deepEqual(held, [words[2]]);
  // Played, both arms move at the same time and a line of each is marked.
  await page.keyboard.press("Home");
  await page.locator("#viewport .surface").focus();
  await page.keyboard.press(" ");
  await page.waitForFunction(() => new Set([...document.querySelectorAll(".program-action.current")].map((row) => row.getAttribute("aria-label")!.split(":")[0])).size === 2);
  await page.keyboard.press(" ");
  await shot(page, "cell-program");
  await close(opened);
});

test("the twin in which the arms meet: where and when", async () => {
  const folder = example("cell");
  studio = await Studio.start(folder, join(folder, "cell-faulty.toml"));
  const opened = await openPage(studio.url, LARGE);
  const { page } = opened;
  await settled(page);
  await verdict(page, "collision");
  const finding = page.locator("#findings .finding").first();
  assert.match((await finding.locator(".finding-pair").textContent())!, /left\/.*right\//);
  await finding.click();
  await page.waitForSelector(".marker-label:visible");
  assert.ok((await page.evaluate(() => window.studio.state.time)) > 0);
  await shot(page, "cell-meets");
  await close(opened);
});
