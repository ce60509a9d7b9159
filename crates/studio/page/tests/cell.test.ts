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
  // At any moment exactly the lines are marked whose actions run then; there are never two that take time of one arm.
  const off = await page.evaluate(async () => {
    const { state, actions } = window.studio;
    const { steps } = state.scene!;
    const all = steps.flatMap((step) => (step.part![0] === 0 ? step.actions! : []));
    const spans = all.map(({ robot, from, to }) => ({
      robot,
      from: state.timeOf(...from!),
      to: state.timeOf(...to!),
    }));
    const rows = [...document.querySelectorAll(".program-action")];
    const found: string[] =
      rows.length === all.length && all.length > 10 ? [] : [`${rows.length} lines of ${all.length} actions`];
    for (const [index, { from, to, robot }] of spans.entries()) {
      if (from > to) found.push(`${index} ends before it begins`);
      if (from === to) continue;
      const now = 0.5 * (from + to);
      actions.seek(now);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const marked = rows.flatMap((row, at) => (row.classList.contains("current") ? [at] : []));
      const wanted = spans.flatMap((span, at) => (span.from < now && now <= span.to ? [at] : []));
      if (
        marked.join() !== wanted.join() ||
        marked.filter((at) => spans[at]!.robot === robot).join() !== String(index)
      )
        found.push(`${index}: ${marked} is marked, not ${wanted}`);
    }
    return found;
  });
  assert.deepEqual(off, []);
  // A click goes to its end, half way through a stage too.
  const inside = await page.evaluate(() =>
    window.studio.state
      .scene!.steps.flatMap((step) => (step.part![0] === 0 ? step.actions! : []))
      .findIndex((action) => action.to![1] > 0 && action.to![1] < 1),
  );
  assert.ok(inside >= 0);
  await page.locator(".program-action").nth(inside).click();
  assert.equal(
    await page.evaluate((index) => {
      const { state } = window.studio;
      const action = state.scene!.steps.flatMap((step) => (step.part![0] === 0 ? step.actions! : []))[index]!;
      return state.time - state.timeOf(...action.to!);
    }, inside),
    0,
  );
  // Played, both arms move at the same time and a line of each is marked.
  await page.keyboard.press("Home");
  await page.locator("#viewport .surface").focus();
  await page.keyboard.press(" ");
  await page.waitForFunction(
    () =>
      new Set(
        [...document.querySelectorAll(".program-action.current")].map(
          (row) => row.getAttribute("aria-label")!.split(":")[0],
        ),
      ).size === 2,
  );
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
