// The page against the mock server: every answer there has a closed form.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launch, near, openPage, PAGE, row, settled, shot, still, verdict, waitVerdict } from "./browser";
import { type Mock, startMock } from "./mock";

let browser: Browser;
let mock: Mock;
let page: Page;
let troubles: string[];

before(async () => void (browser = await launch()));
after(() => browser.close());
beforeEach(async () => {
  mock = await startMock(PAGE);
  ({ page, troubles } = await openPage(browser, mock.url));
  await settled(page);
});
afterEach(async () => {
  await page.close();
  await mock.close();
  assert.deepEqual(troubles, []);
});

const poseOf = (body: number): Promise<number[]> => page.evaluate((b) => [...window.studio.state.pose(b)], body);
const zOf = async (body: number): Promise<number> => (await poseOf(body))[2]!;

test("shows the scene, its verdict and nothing moves by itself", async () => {
  assert.equal(await verdict(page), "collision");
  assert.equal(await page.locator(".tree-row").count(), 4 + 1 + 6);
  const before = await page.evaluate(() => window.studio.viewport.frames);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.studio.viewport.frames), before);
  await shot(page, "mock-open");
});

test("plays to the end and stops", async () => {
  await page.evaluate(() => (window.studio.state.speed = 8));
  await page.click("#play");
  await page.waitForFunction(() => !window.studio.state.playing && window.studio.state.time === window.studio.state.duration, null, { timeout: 20_000 });
  assert.ok(near(await zOf(2), 0.022, 1e-9));
});

test("scrubs: the block is half way down in the middle of its step", async () => {
  const box = (await page.locator(".block").first().boundingBox())!;
  await page.mouse.move(box.x + 4, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 12, { steps: 4 });
  await page.mouse.up();
  assert.ok(near(await zOf(2), 0.08 - 0.029, 0.001), String(await zOf(2)));
});

test("a finding flies there and shows its pair", async () => {
  await page.click("#findings .finding");
  await still(page);
  assert.equal(await page.locator(".marker-label").first().textContent(), "contact");
  await shot(page, "mock-finding");
});

test("a pose by field turns the verdict, undo turns it back", async () => {
  await row(page, "wall").click();
  await page.fill("#position-x", "190");
  await page.press("#position-x", "Enter");
  await page.waitForFunction(() => window.studio.state.scene!.bodies[1]!.pose[0] === 0.19);
  assert.equal(mock.scene()!.boxes[1]!.at[0], 0.19);
  await waitVerdict(page, "free");
  await page.click("#undo");
  await waitVerdict(page, "collision");
  assert.equal(await page.evaluate(() => window.studio.state.scene!.bodies[1]!.pose[0]), 0.09);
  assert.equal(await page.locator("#undo").isDisabled(), true);
});

test("the gizmo moves a body in one undo step and turns the verdict", async () => {
  await row(page, "wall").click();
  await still(page);
  const start = await poseOf(1);
  const grip = await page.evaluate(() => {
    const { viewport, gizmo } = window.studio;
    const center = gizmo.center().clone();
    const pixel = viewport.active.rig.pixel(viewport.active.height);
    const box = viewport.element.getBoundingClientRect();
    return [55, 130].map((far) => {
      const p = viewport.project(center.clone().setX(center.x + far * pixel), viewport.active);
      return { x: p.x + box.left, y: p.y + box.top };
    });
  });
  await page.mouse.move(grip[0]!.x, grip[0]!.y, { steps: 3 });
  await page.mouse.down();
  await page.mouse.move(grip[1]!.x, grip[1]!.y, { steps: 6 });
  await shot(page, "mock-gizmo");
  await page.mouse.up();
  await page.waitForFunction(() => window.studio.state.shown.size === 0);
  const end = await poseOf(1);
  assert.ok(end[0]! > start[0]! + 0.011, `${start[0]} ${end[0]}`);
  assert.deepEqual(end.slice(1), start.slice(1));
  assert.ok(near(mock.scene()!.boxes[1]!.at[0], end[0]!, 1e-12));
  await waitVerdict(page, "free");
  await page.click("#undo");
  await waitVerdict(page, "collision");
  assert.deepEqual(await poseOf(1), start);
});

test("slide until contact stops at the exact value", async () => {
  await row(page, "right pin").click();
  await page.click("#slide-minus-z");
  await page.waitForFunction(() => window.studio.state.scene!.bodies[5]!.pose[2] < 0.05);
  // The base ends at z = -1 mm, half the pin is 20 mm.
  assert.ok(near(await zOf(5), 0.019, 1e-12));
  await page.waitForSelector(".marker-label:visible");
  await shot(page, "mock-slide");
});

test("records a step from a slide, and deletes it again", async () => {
  await row(page, "right pin").click();
  await page.keyboard.press("r");
  await page.click("#slide-minus-z");
  await page.waitForSelector("#record-step");
  await shot(page, "mock-draft");
  await page.click("#record-step");
  await page.waitForFunction(() => window.studio.state.scene!.steps.length === 5);
  const step = mock.scene()!.steps[0]!;
  assert.equal(step.name, "lower the right pin");
  assert.ok(near(step.by[2], -0.081, 1e-12));
  await page.click("#delete-step");
  await page.waitForFunction(() => window.studio.state.scene!.steps.length === 4);
});

test("saves, and two tabs show the same scene", async () => {
  const other = await openPage(browser, mock.url);
  await settled(other.page);
  await row(page, "lid").click();
  await page.fill("#position-z", "150");
  await page.press("#position-z", "Enter");
  await other.page.waitForFunction(() => window.studio.state.scene!.bodies[3]!.pose[2] === 0.15);
  assert.equal(await other.page.locator(".dirty").count(), 1);
  await page.click("#save");
  await other.page.waitForSelector(".dirty", { state: "detached" });
  assert.equal(mock.saved[0]!.boxes[3]!.at[2], 0.15);
  assert.deepEqual(other.troubles, []);
  await other.page.close();
});

test("plans: goal, progress, accept", async () => {
  await row(page, "lid").click();
  await page.click("#plan");
  await page.fill("#position-z", "60");
  await page.press("#position-z", "Enter");
  await page.click("#start-plan");
  await page.waitForSelector("#accept-plan");
  await shot(page, "mock-planned");
  await page.click("#accept-plan");
  await page.waitForSelector(".planner", { state: "hidden" });
});

test("four views, section, hidden line, light theme, help", async () => {
  await page.keyboard.press("v");
  await still(page);
  await shot(page, "mock-four");
  await page.keyboard.press("v");
  await page.keyboard.press("x");
  await page.click("#theme");
  await still(page);
  await shot(page, "mock-section-light");
  await page.keyboard.press("x");
  await page.keyboard.press("z");
  await page.keyboard.press("z");
  await still(page);
  await shot(page, "mock-hidden-line");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog.help");
  await shot(page, "mock-help");
  await page.keyboard.press("Escape");
});

test("opening and closing does not leak geometry", async () => {
  const count = (): Promise<number> => page.evaluate(() => window.studio.viewport.memory.geometries);
  const first = await count();
  for (let round = 0; round < 5; round++) {
    await page.evaluate(async () => {
      const scene = window.studio.state.scene!;
      window.studio.state.setScene(null);
      await new Promise((resolve) => setTimeout(resolve, 60));
      window.studio.state.setScene(scene);
    });
    await settled(page);
  }
  assert.ok((await count()) <= first, `${await count()} > ${first}`);
});

test("the empty state offers examples", async () => {
  const empty = await startMock(PAGE, { empty: true, unsaved: true });
  const opened = await openPage(browser, empty.url);
  await opened.page.waitForSelector(".start .example");
  await shot(opened.page, "mock-start");
  await opened.page.click(".start .example");
  await settled(opened.page);
  await opened.page.waitForSelector("#recover");
  await opened.page.close();
  await empty.close();
});

test("says so when the server is gone, and comes back", async () => {
  await mock.close();
  await page.waitForSelector(".banner.bad");
  mock = await startMock(PAGE, { port: Number(new URL(mock.url).port) });
  await page.waitForSelector(".banner.bad", { state: "detached", timeout: 10_000 });
  await waitVerdict(page, "collision");
  // The refused attempts in between are reported by the browser itself.
  troubles.length = 0;
});
