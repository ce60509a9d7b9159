// Without a scene the page offers example worlds: each opens with a click, in the world workspace, and runs.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "playwright-core";
import { close, closeRest, openPage, settled, shot, withBrowser } from "./browser";
import { newFolder, Studio } from "./server";

const WORLDS = [
  "city",
  "maze",
  "robot-bowling",
  "soccer",
  "collection",
  "ramp",
  "slopes",
  "prism-collisions",
  "bowling",
  "terrain",
  "complex",
];

let studio: Studio;

withBrowser();
before(async () => {
  studio = await Studio.start(newFolder());
});
afterEach(closeRest);
after(() => studio.stop());

/** Teams are told apart, goals are seen through, and all scores are in sight. */
async function soccer(page: Page): Promise<void> {
  const colors = await page
    .locator(".vehicle .dot")
    .evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot).backgroundColor));
  assert.deepEqual(
    colors.map((color) => color === colors[0]),
    [true, true, false, false],
  );
  const solid = await page.evaluate(() => {
    const { batches } = window.studio.viewport.bodies as unknown as { batches: { solidBodies: number[] }[] };
    return window.studio.state.world!.info.goals.map((goal) =>
      batches.some((batch) => batch.solidBodies.includes(goal.body)),
    );
  });
  assert.deepEqual(solid, [false, false]);
  const side = (await page.locator(".world-side:visible").boundingBox())!;
  const score = (await page.locator(".score").last().boundingBox())!;
  assert.ok(score.y + score.height <= side.y + side.height, "a score is out of sight");
}

test("every example world opens with a click and runs", async () => {
  const opened = await openPage(studio.url);
  const { page } = opened;
  await page.waitForSelector(".start .example");
  await shot(page, "start", true);
  const offered = await page
    .locator(".start .example")
    .evaluateAll((cards) => cards.map((card) => (card as HTMLElement).dataset["example"]!));
  assert.deepEqual(
    offered.filter((name) => WORLDS.includes(name)),
    WORLDS,
  );
  // Each of them has a title, a text and a picture.
  assert.equal(
    await page
      .locator(".start .example")
      .filter({ has: page.locator("svg") })
      .filter({ hasText: /\w+.*[.?]$/ })
      .count(),
    offered.length,
  );
  for (const [index, name] of WORLDS.entries()) {
    if (index > 0) await page.keyboard.press("Control+o");
    await page.locator(`.example[data-example="${name}"]:visible`).last().click();
    await page.waitForFunction(
      (name) =>
        window.studio.state.scene?.name === name &&
        window.studio.state.world !== null &&
        !window.studio.worlding.opening,
      name,
    );
    await settled(page);
    assert.equal(await page.getAttribute("#workspace-world", "aria-selected"), "true");
    await page.click("#world-run");
    await page.waitForFunction(() => window.studio.state.world!.time > 0.5);
    // Robots that open their grippers first begin to drive after a second.
    await page
      .waitForFunction(() => window.studio.state.world!.speeds.some((speed) => speed > 0), undefined, {
        timeout: 20_000,
      })
      .catch(() => assert.fail(`nothing moves in ${name}`));
    const warnings = await page.evaluate(() =>
      window.studio.state
        .world!.log.events.filter((event) => event.kind === "warning")
        .map((event) => event.message),
    );
    assert.deepEqual(warnings, [], name);
    if (name === "soccer") await soccer(page);
    await shot(page, `world-example-${name}`, true);
    await page.click("#world-run");
    await page.waitForFunction(() => window.studio.state.world!.frame.state === "paused");
  }
  await close(opened);
});
