// Without a scene the page offers example worlds: each opens with a click, in the world workspace, and runs.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { close, closeRest, openPage, settled, shot, withBrowser } from "./browser";
import { newFolder, Studio } from "./server";

const WORLDS = ["city", "maze", "robot-bowling", "soccer", "collection", "ramp", "slopes", "prism-collisions", "bowling", "terrain", "complex"];

let studio: Studio;

withBrowser();
before(async () => {
  studio = await Studio.start(newFolder());
});
afterEach(closeRest);
after(() => studio.stop());

test("every example world opens with a click and runs", async () => {
  const opened = await openPage(studio.url);
  const { page } = opened;
  await page.waitForSelector(".start .example");
  await shot(page, "start", true);
  const offered = await page.locator(".start .example").evaluateAll((cards) => cards.map((card) => (card as HTMLElement).dataset["example"]!));
  assert.deepEqual(offered.filter((name) => WORLDS.includes(name)), WORLDS);
  // Each of them has a title, a text and a picture.
  assert.equal(await page.locator(".start .example").filter({ has: page.locator("svg") }).filter({ hasText: /\w+.*[.?]$/ }).count(), offered.length);
  for (const [index, name] of WORLDS.entries()) {
    if (index > 0) await page.keyboard.press("Control+o");
    await page.locator(`.example[data-example="${name}"]:visible`).last().click();
    await page.waitForFunction((name) => window.studio.state.scene?.name === name && window.studio.state.world !== null && !window.studio.worlding.opening, name);
    await settled(page);
    assert.equal(await page.getAttribute("#workspace-world", "aria-selected"), "true");
    await page.click("#world-run");
    await page.waitForFunction(() => window.studio.state.world!.time > 0.5);
    const { moving, warnings } = await page.evaluate(() => {
      const { world } = window.studio.state;
      return { moving: world!.speeds.some((speed) => speed > 0), warnings: world!.log.events.filter((event) => event.kind === "warning").map((event) => event.message) };
    });
    assert.ok(moving, `nothing moves in ${name}`);
    assert.deepEqual(warnings, [], name);
    await shot(page, `world-example-${name}`, true);
    await page.click("#world-run");
    await page.waitForFunction(() => window.studio.state.world!.frame.state === "paused");
  }
  await close(opened);
});
