// Moving things and the steps that come of it, in a scene whose answers have closed forms.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, beforeEach, test } from "node:test";
import type { Page } from "playwright-core";
import {
  close,
  closeRest,
  near,
  type Opened,
  openPage,
  pose,
  row,
  settled,
  shot,
  start,
  steps,
  verdict,
  waitStart,
  waitSteps,
  withBrowser,
} from "./browser";
import { Studio } from "./server";
import { difference, WORKSHOP, workshop } from "./workshop";

let opened: Opened;
let page: Page;
let scene: string;
let studio: Studio;
const PLAN = ["lower the peg", "turn the bar back"];

withBrowser();
beforeEach(async () => {
  const made = workshop();
  scene = made.scene;
  studio = await Studio.start(made.folder, scene);
  opened = await openPage(studio.url);
  page = opened.page;
  await settled(page);
  await verdict(page, "free");
});
afterEach(async () => {
  await closeRest();
  await studio.stop();
});
after(() => studio.stop());

test("slide until contact stops at the exact place", async () => {
  await row(page, "peg").click();
  await page.click("#slide-minus-z");
  await page.waitForSelector(".marker-label:visible");
  // Half the peg is 15 mm, the plate ends at z = 0.
  near((await start(page, "peg"))[2]!, 0.015, 1e-9);
  await page.click("#slide-plus-y");
  // The wall begins at y = 40, half the peg is 5; it slides on the plate meanwhile.
  await page.waitForFunction(() => window.studio.state.scene!.bodies[2]!.pose[1] > 0.01);
  near((await start(page, "peg"))[1]!, 0.035, 1e-9);
  near((await start(page, "peg"))[2]!, 0.015, 1e-9);
  await shot(page, "slide");
  await close(opened);
});

test("turn until contact stops at the exact angle", async () => {
  await row(page, "bar").click();
  await page.getByRole("button", { name: "↺ Z", exact: true }).click();
  await page.waitForSelector(".marker-label:visible");
  const bar = await start(page, "bar");
  // Its corner (20, 5) meets the wall 16 mm away where 20 sin a + 5 cos a = 16: at sin a = 3/5.
  near(2 * Math.atan2(bar[5]!, bar[6]!), Math.asin(3 / 5), 1e-9);
  near(Math.hypot(bar[0]! - 0.03, bar[1]! - 0.024, bar[2]! - 0.03), 0, 1e-12);
  await shot(page, "turn");
  await close(opened);
});

test("a recorded step: named, undone, redone, saved; comments are kept", async () => {
  await row(page, "peg").click();
  await page.keyboard.press("r");
  await page.click("#slide-plus-y");
  await page.waitForSelector("#record-step");
  near((await pose(page, "peg"))[1]!, 0.035, 1e-9);
  near((await start(page, "peg"))[1]!, 0, 0);
  await shot(page, "recording");
  await page.click("#record-step");
  await waitSteps(page, ["slide the peg", ...PLAN]);
  // It then goes down along the wall: what touches from the start on may slide.
  await verdict(page, "free");
  await page.click("#undo");
  await waitSteps(page, PLAN);
  await verdict(page, "free");
  await page.keyboard.press("Control+y");
  await waitSteps(page, ["slide the peg", ...PLAN]);
  await page.keyboard.press("Control+s");
  await page.waitForSelector(".dirty", { state: "detached" });
  const { gone, come } = difference(WORKSHOP, readFileSync(scene, "utf8"));
  assert.deepEqual(gone, []);
  const added = come.filter((line) => line !== "");
  assert.deepEqual(added.slice(0, 3), ["[[step]]", 'name = "slide the peg"', 'move = "peg"']);
  // Never beyond the contact, not even by rounding.
  const way = /^translate = \[0, ([\d.]+), 0\]$/.exec(added[3]!);
  near(Number(way?.[1]), 35, 1e-9);
  assert.equal(added.length, 4);
  await close(opened);
});

test("steps are duplicated, reordered, renamed and deleted, and all of it is undone", async () => {
  await row(page, "turn the bar back").click();
  await page.click("#duplicate-step");
  await waitSteps(page, [...PLAN, "turn the bar back again"]);
  // Another 30° and its corner is in the wall.
  await verdict(page, "collision");
  await page.getByRole("button", { name: "Earlier", exact: true }).click();
  await waitSteps(page, [PLAN[1]!, PLAN[0]!, "turn the bar back again"]);
  await page.fill("#step-name", "a new name");
  await page.press("#step-name", "Enter");
  await page.waitForFunction(() =>
    window.studio.state.scene!.steps.some((step) => step.name === "a new name"),
  );
  await row(page, "a new name").click();
  await page.click("#delete-step");
  await page.waitForFunction(() => window.studio.state.scene!.steps.length === 2);
  assert.ok(!(await steps(page)).includes("a new name"));
  for (let count = 0; count < 4; count++) {
    const before = await page.evaluate(() => window.studio.state.scene!.revision);
    await page.click("#undo");
    await page.waitForFunction((old) => window.studio.state.scene!.revision !== old, before);
  }
  assert.deepEqual(await steps(page), PLAN);
  assert.equal(await page.locator("#undo").isDisabled(), true);
  assert.equal(await page.locator(".dirty").count(), 0, "what is as in the file is not edited");
  await verdict(page, "free");
  await close(opened);
});

test("a number that changes under the hands: replaced by what is typed if it was selected, left alone once it is typed", async () => {
  await row(page, "peg").click();
  const shown = (): Promise<string> => page.inputValue("#position-x");
  /** Another hand moves the peg along x, by so many metres. */
  const moved = async (by: number): Promise<void> => {
    const before = (await start(page, "peg"))[0]!;
    await page.evaluate(async (x) => {
      const { state, actions } = window.studio;
      const body = state.bodyNamed("peg");
      const [, ...rest] = state.scene!.bodies[body]!.pose;
      await actions.ask("set_pose", { body, pose: [x, ...rest] });
    }, before + by);
    await waitStart(page, "peg", 0, before + by);
  };
  await page.focus("#position-x");
  const first = await shown();
  await moved(0.01);
  await page.waitForFunction(
    (old) => (document.getElementById("position-x") as HTMLInputElement).value !== old,
    first,
  );
  await page.keyboard.type("7");
  assert.equal(await shown(), "7", "not the front of the new number");
  await moved(0.01);
  await page.keyboard.type("5");
  assert.equal(await shown(), "75");
  await page.keyboard.press("Enter");
  await waitStart(page, "peg", 0, 0.075);
  // Who has put the cursor somewhere wants to type there; what came meanwhile is shown when he has left.
  await page.keyboard.press("Home");
  await moved(0.01);
  assert.equal(await shown(), "75");
  await page.keyboard.press("Tab");
  assert.equal(await shown(), "85");
  // The arrows step from what is typed.
  await page.focus("#position-x");
  await page.keyboard.type("12");
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => {
    const { state } = window.studio;
    const x = state.scene!.bodies[state.bodyNamed("peg")]!.pose[0];
    return x > 0.012 && x < 0.06;
  });
  await close(opened);
});

test("the arrow keys nudge; stopping at contact while dragging stays outside", async () => {
  await row(page, "peg").click();
  const before = await start(page, "peg");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((x) => window.studio.state.scene!.bodies[2]!.pose[0] > x, before[0]!);
  await page.click("#undo");
  await page.waitForFunction((x) => window.studio.state.scene!.bodies[2]!.pose[0] === x, before[0]!);
  await page.locator("#viewport .surface").focus();
  await page.keyboard.press("c");
  await page.keyboard.press("3");
  await settled(page);
  const [from, to] = await page.evaluate(() => {
    const { viewport, gizmo } = window.studio;
    const pixel = viewport.active.rig.pixel(viewport.active.height);
    const box = viewport.element.getBoundingClientRect();
    return [55 * pixel, 55 * pixel - 0.1].map((far) => {
      const at = viewport.project(
        gizmo
          .center()
          .clone()
          .setZ(gizmo.center().z + far),
        viewport.active,
      );
      return { x: at.x + box.left, y: at.y + box.top };
    }) as [{ x: number; y: number }, { x: number; y: number }];
  });
  await page.mouse.move(from.x, from.y, { steps: 3 });
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await page.mouse.up();
  await page.waitForFunction(
    () => window.studio.state.shown.size === 0 && window.studio.state.scene!.bodies[2]!.pose[2] < 0.05,
  );
  near((await start(page, "peg"))[2]!, 0.015, 1e-9);
  await close(opened);
});
