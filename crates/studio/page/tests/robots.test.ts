// Robots: moved by joints and by their tool, judged, recorded, played and saved. Places are compared with the table's own forward kinematics.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, beforeEach, test } from "node:test";
import type { Page } from "playwright-core";
import {
  close,
  closeRest,
  near,
  type Opened,
  openPage,
  PATIENCE,
  pose,
  row,
  settled,
  shot,
  type,
  verdict,
  waitSteps,
  withBrowser,
} from "./browser";
import { apart, CELL, cell, forward, START } from "./cell";
import { Studio } from "./server";
import { difference } from "./workshop";

let opened: Opened;
let page: Page;
let scene: string;
let studio: Studio;

withBrowser();
beforeEach(async () => {
  const made = cell();
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

const joints = (): Promise<number[]> =>
  page.evaluate(() => window.studio.jogging.joints().map((value) => (value * 180) / Math.PI));
/** Waits until the robot stands at these joint values, with every link where the table has it. */
const standsAt = async (wanted: number[], right = false): Promise<void> => {
  const name = right ? "right" : "left";
  const frames = forward(wanted, right);
  await page.waitForFunction(
    (values) =>
      window.studio.jogging
        .joints()
        .every((value, joint) => Math.abs((value * 180) / Math.PI - values[joint]!) < 1e-6),
    wanted,
  );
  const off = async (): Promise<number> =>
    Math.max(
      ...(await Promise.all(
        frames
          .slice(0, 6)
          .map(async (frame, link) => apart(await pose(page, `${name}/link${link + 1}`), frame)),
      )),
    );
  const until = Date.now() + PATIENCE;
  while ((await off()) > 1e-7 && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
  near(await off(), 0, 1e-7);
};
const setJoint = (joint: number, degrees: number): Promise<void> =>
  type(page, `#joint-value-${joint}`, String(degrees));
const trial = (text: string): Promise<unknown> =>
  page.waitForFunction((wanted) => document.getElementById("trial")?.textContent?.includes(wanted), text);
const work = (): Promise<void> => page.click("#workspace-robot");
/** Stage names, joined. */
const count = (wanted: number): Promise<unknown> =>
  page.waitForFunction((number) => window.studio.state.scene!.steps.length === number, wanted);

test("sliders move the links where forward kinematics has them; limits are told", async () => {
  await row(page, "left").click();
  assert.equal(await page.getAttribute("#workspace-robot", "aria-selected"), "true");
  await page.locator("#joint-0").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await standsAt([11, ...START.slice(1)]);
  await page.locator("#joint-1").fill("-100");
  await standsAt([11, -100, ...START.slice(2)]);
  await setJoint(4, 45);
  await standsAt([11, -100, 0, 0, 45, 0]);
  await trial("moves free");
  await shot(page, "robot-joints");
  await setJoint(4, 130);
  await page.waitForSelector(".joint.outside");
  assert.match((await page.textContent(".joint.outside .joint-warning"))!, /-120 … 120/);
  await page.keyboard.press("Escape");
  await page.locator("#viewport .surface").focus();
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => window.studio.state.jog === null);
  assert.deepEqual(
    (await joints()).map((value) => Math.round(value * 1e6) / 1e6),
    START,
  );
  await close(opened);
});

test("links are not parts: a click on one selects its robot, and no handle moves it alone", async () => {
  await row(page, "right").click();
  await page.keyboard.press("ArrowRight");
  await row(page, "link3").click();
  assert.deepEqual(await page.evaluate(() => [window.studio.state.robot, window.studio.moving.movable()]), [
    1,
    [],
  ]);
  await row(page, "block").click();
  assert.deepEqual(
    await page.evaluate(() => [window.studio.state.robot, window.studio.moving.movable().length]),
    [null, 1],
  );
  await page.click("#workspace-robot");
  assert.equal(await page.evaluate(() => window.studio.state.robot), 1, "the robot of before");
  await page.selectOption("#robot-choice", "0");
  assert.equal(await page.evaluate(() => window.studio.state.robot), 0);
  // While it is moved by hand, a click on a part chooses what to grasp, and one on nothing loses nothing.
  await setJoint(0, 5);
  await standsAt([5, ...START.slice(1)]);
  await row(page, "block").click();
  assert.deepEqual(
    await page.evaluate(() => [
      window.studio.state.robot,
      window.studio.state.jog !== null,
      window.studio.state.selected.has(window.studio.state.bodyNamed("block")),
    ]),
    [0, true, true],
  );
  await page.mouse.click(300, 500);
  assert.equal(await page.evaluate(() => window.studio.state.jog !== null), true);
  for (const item of await page.locator("[role=treeitem]").all())
    assert.ok(await item.getAttribute("aria-label"));
  await close(opened);
});

test("a tool pose has several solutions: shown, previewed, picked", async () => {
  await work();
  await page.waitForFunction(() => (window.studio.state.solutions?.solutions.length ?? 0) > 1);
  await type(page, "#tool-position-x", "350");
  await type(page, "#tool-position-z", "250");
  await page.waitForFunction(() => {
    const { stand, jog } = window.studio.state;
    return jog && stand && Math.abs(stand.tool[0] - 0.35) < 1e-7 && Math.abs(stand.tool[2] - 0.25) < 1e-7;
  });
  const [x, , z] = forward(await joints())[6]!
    .slice(0, 3)
    .map((one) => one[3]!);
  near(x!, 0.35, 1e-7);
  near(z!, 0.25, 1e-7);
  await page.waitForSelector(".solution .tone-accent");
  await trial("");
  const list = await page.evaluate(() =>
    window.studio.state.solutions!.solutions.map((one) => one.joints.map((value) => (value * 180) / Math.PI)),
  );
  assert.ok(list.length >= 2, `${list.length} solutions`);
  // Every solution puts the tool at the same place.
  for (const one of list)
    near(Math.hypot(forward(one)[6]![0]![3]! - 0.35, forward(one)[6]![2]![3]! - 0.25), 0, 1e-7);
  assert.equal(await page.locator(".solution .tone-accent").count(), 1);
  await page.locator(".solution").nth(1).hover();
  await page.waitForFunction(() => window.studio.state.ghosts.size > 0);
  await shot(page, "robot-ghost");
  await page.locator(".solution").nth(1).click();
  await standsAt(list[1]!);
  await page.mouse.move(500, 300);
  await page.waitForFunction(() => window.studio.state.ghosts.size === 0);
  await close(opened);
});

test("the handles drag the tool", async () => {
  await work();
  await page.keyboard.press("3");
  await page.waitForFunction(() => window.studio.state.stand !== null);
  const before = await page.evaluate(() => [...window.studio.state.stand!.tool]);
  await settled(page);
  const [from, to] = await page.evaluate(() => {
    const { viewport, toolGizmo } = window.studio;
    const pixel = viewport.active.rig.pixel(viewport.active.height);
    const box = viewport.element.getBoundingClientRect();
    return [52 * pixel, 52 * pixel + 0.08].map((far) => {
      const at = viewport.project(
        toolGizmo
          .center()
          .clone()
          .setZ(toolGizmo.center().z + far),
        viewport.active,
      );
      return { x: at.x + box.left, y: at.y + box.top };
    }) as [{ x: number; y: number }, { x: number; y: number }];
  });
  await page.mouse.move(from.x, from.y, { steps: 3 });
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.up();
  await page.waitForFunction(
    (z) => window.studio.state.jog?.wanted && window.studio.state.stand!.tool[2] > z + 0.05,
    before[2]!,
  );
  await trial("");
  const tool = forward(await joints())[6]!;
  near(tool[0]![3]!, before[0]!, 1e-6);
  near(tool[1]![3]!, before[1]!, 1e-6);
  near(tool[2]![3]!, before[2]! + 0.08, 0.01);
  // Out of reach: told, and the robot stays.
  await type(page, "#tool-position-x", "2000");
  await page.waitForSelector(".robot-panel .trouble:not(:empty)");
  assert.match((await page.textContent(".robot-panel .trouble"))!, /cannot be there/);
  assert.equal(await page.locator("#record-robot").isDisabled(), true);
  await close(opened);
});

test("what touches is red and told; a motion that touches on its way says where", async () => {
  await work();
  // Down into the table.
  await setJoint(1, 8);
  await page.waitForSelector("#stands");
  assert.match((await page.textContent("#stands"))!, /touches/);
  assert.ok((await page.evaluate(() => window.studio.state.touching().size)) >= 2);
  await trial("after");
  await page.waitForSelector(".marker-label:visible");
  await shot(page, "robot-touches");
  await page.click("#stop-there");
  await page.waitForFunction(() => window.studio.state.jog && window.studio.jogging.joints()[1]! < 0.1);
  await trial("");
  // Recorded all the same, the checker says the same as the trial.
  await setJoint(1, 8);
  await trial("after");
  await page.keyboard.press("Escape");
  await page.click("#record-robot");
  await waitSteps(page, ["left moves"]);
  await verdict(page, "collision");
  await page.click("#undo");
  await count(0);
  await verdict(page, "free");
  await close(opened);
});

test("joint values with names, and how joints share the time", async () => {
  // The same arms; the left one knows two postures.
  await close(opened);
  await studio.stop();
  const made = cell(CELL.replace('name = "left"', 'name = "left"\nsrdf = "left.srdf"'));
  const joint = (number: number, degrees: number): string =>
    `<joint name="joint${number}" value="${(degrees * Math.PI) / 180}"/>`;
  const folded = [30, -100, 20, 0, 45, 10];
  writeFileSync(
    join(made.folder, "left.srdf"),
    `<robot name="left"><group name="arm">${[1, 2, 3, 4, 5, 6].map((k) => `<joint name="joint${k}"/>`).join("")}</group>
    <group_state name="folded" group="arm">${folded.map((value, k) => joint(k + 1, value)).join("")}</group_state>
    <group_state name="turned" group="arm">${joint(1, -20)}</group_state></robot>`,
  );
  studio = await Studio.start(made.folder, made.scene);
  opened = await openPage(studio.url);
  page = opened.page;
  await settled(page);
  await work();
  const named = (name: string): ReturnType<Page["locator"]> =>
    page.locator(".states button", { hasText: name });
  assert.deepEqual(await page.locator(".states button").allTextContents(), ["folded", "turned"]);
  await named("folded").click();
  await standsAt(folded);
  // A posture that names one joint leaves the others.
  await named("turned").click();
  await standsAt([-20, ...folded.slice(1)]);
  await page.selectOption("#robot-choice", "1");
  assert.equal(await page.locator(".states").count(), 0, "the other arm knows none");
  await page.selectOption("#robot-choice", "0");
  await page.click("#motion-ptp");
  if (!(await page.evaluate(() => window.studio.state.jog !== null))) await named("folded").click();
  // One joint after the other takes longer than all together; all at full speed as long as the slowest.
  const lasts = async (mode: string): Promise<number> => {
    await page.selectOption("#robot-mode", mode);
    await page.waitForFunction((wanted) => window.studio.jogging.choice.mode === wanted, mode);
    await page.waitForFunction(() => window.studio.state.jog?.trial?.kind === "free");
    return page.evaluate(() => {
      const found = window.studio.state.jog!.trial!;
      return found.kind === "free" ? found.seconds : 0;
    });
  };
  const together = await lasts("synchronous");
  near(await lasts("simultaneous"), together, 1e-9);
  assert.ok((await lasts("sequential")) > 1.5 * together);
  await page.click("#record-robot");
  await waitSteps(page, ["left moves"]);
  assert.equal(await page.locator("#robot-mode").inputValue(), "sequential");
  // Joints that move one after the other have a corner between any two of them.
  assert.ok((await page.evaluate(() => window.studio.state.scene!.stages[0]!.robots![0]!.times.length)) > 4);
  await page.click("#save");
  await page.waitForSelector(".dirty", { state: "detached" });
  assert.match(readFileSync(made.scene, "utf8"), /mode = "sequential"/);
  // Only motions of all joints have modes.
  await page.click("#motion-lin");
  await page.waitForSelector("#robot-mode", { state: "detached" });
  await close(opened);
});

test("a way that a planner finds", async () => {
  await work();
  await page.click("#motion-plan");
  await setJoint(0, 60);
  await standsAt([60, ...START.slice(1)]);
  await page.locator("#viewport .surface").focus();
  await page.keyboard.press("Enter");
  await waitSteps(page, ["left finds its way"]);
  await row(page, "left finds its way").click();
  await page.click("#plan-step");
  await page.click("#accept-plan");
  await page.waitForFunction(() =>
    window.studio.state.scene!.steps[0]!.actions!.every((action) => action.kind !== "plan"),
  );
  await verdict(page, "free");
  await page.keyboard.press("End");
  await page.waitForFunction(() => window.studio.state.time > 0);
  assert.ok(apart(await pose(page, "left/link6"), forward([60, ...START.slice(1)])[5]!) < 1e-6);
  await close(opened);
});

test("a program of two robots: recorded, grasped, played, undone, saved", async () => {
  await work();
  const mark = (): Promise<number> => page.evaluate(() => window.studio.state.scene!.revision);
  // Over the block, tool down.
  await type(page, "#tool-position-x", "400");
  await type(page, "#tool-position-z", "160");
  await type(page, "#tool-angle-y", "0");
  await page.waitForFunction(() => {
    const tool = window.studio.state.jog?.wanted;
    return (
      tool &&
      Math.abs(tool[0] - 0.4) < 1e-9 &&
      Math.abs(tool[2] - 0.16) < 1e-9 &&
      Math.abs(Math.abs(tool[3]) - 1) < 1e-6
    );
  });
  await trial("moves free");
  await page.click("#record-robot");
  await waitSteps(page, ["left moves"]);
  // Down in a straight line, more slowly.
  await page.click("#motion-lin");
  await page.locator("#robot-speed").fill("0.1");
  await type(page, "#tool-position-z", "50");
  await trial("moves free");
  await shot(page, "robot-lin");
  await page.keyboard.press("Escape");
  await page.click("#record-robot");
  await waitSteps(page, ["left moves", "left goes straight"]);
  await page.waitForFunction(
    () =>
      (document.getElementById("grasp-part") as HTMLSelectElement | null)?.selectedOptions[0]?.textContent ===
      "block",
  );
  await page.click("#grasp");
  await page.waitForFunction(() => window.studio.jogging.held().length === 1);
  // Lifted with the block: it goes along.
  const low = (await pose(page, "block"))[2]!;
  await type(page, "#tool-position-z", "200");
  await page.waitForFunction(
    (z) => window.studio.state.pose(window.studio.state.bodyNamed("block"))[2] > z + 0.1,
    low,
  );
  near((await pose(page, "block"))[2]!, low + 0.15, 1e-6);
  await trial("moves free");
  await page.click("#record-robot");
  const lifted = await mark();
  // The right arm turns away meanwhile.
  await page.selectOption("#robot-choice", "1");
  await page.click("#motion-ptp");
  await setJoint(0, 40);
  await standsAt([40, ...START.slice(1)], true);
  await page.waitForSelector("#record-with");
  await page.click("#record-with");
  await page.waitForFunction((old) => window.studio.state.scene!.revision !== old, lifted);
  await page.waitForFunction(() =>
    window.studio.state.scene!.steps.some((step) => step.robots?.length === 2),
  );
  await verdict(page, "free");
  // And back alone, one joint.
  await page.click("#motion-joint");
  await setJoint(0, 0);
  await trial("moves free");
  await page.click("#record-robot");
  // The left arm lets go where it is.
  await page.selectOption("#robot-choice", "0");
  await page.waitForSelector("#release");
  await page.click("#release");
  await page.waitForFunction(() => window.studio.jogging.held().length === 0);
  await verdict(page, "free");

  // The program, in words.
  await page.click("#robot-program");
  const texts = await page.locator(".program-text").allTextContents();
  assert.equal(texts.length, 7);
  for (const [at, word] of ["PTP", "LIN", "GRASP", "LIN", "PTP", "JOINT", "RELEASE"].entries())
    assert.ok(texts[at]!.includes(word), `${texts[at]} has no ${word}`);
  await shot(page, "robot-program");
  // A block is shown from its start.
  await page.locator(".block").nth(3).click();
  assert.equal(await page.evaluate(() => window.studio.state.time === window.studio.state.starts[3]), true);
  assert.match((await page.textContent("#now"))!, /^4\. left goes straight/);
  await page.locator(".program-step").nth(1).click();
  assert.ok(
    (await page.evaluate(() => window.studio.state.time)) <
      (await page.evaluate(() => window.studio.state.duration)),
  );
  await page.keyboard.press("Home");
  await page.locator("#viewport .surface").focus();
  await page.evaluate(() => window.studio.state.setSpeed(4));
  await page.keyboard.press(" ");
  await page.waitForSelector(".program-action.current");
  // On a slow machine it may have ended before it is asked.
  await page.waitForFunction(() => window.studio.state.time > 0);
  await page.waitForFunction(() => !window.studio.state.playing);
  near((await pose(page, "block"))[2]!, low + 0.15, 1e-6);

  // Trails, frames and reach can be shown.
  await page.click("#show-trail");
  await page.click("#show-frames");
  await page.click("#show-cloud");
  await page.waitForFunction(
    () => window.studio.trails.trails.length === 2 && window.studio.trails.cloudPoints > 1000,
  );
  await shot(page, "robot-shown");
  // The trail of the second step is a straight line down.
  const way = await page.evaluate(() => window.studio.trails.trails[0]![1]!);
  for (let at = 0; at < way.length; at += 3) near(Math.hypot(way[at]! - 0.4, way[at + 1]!), 0, 1e-3);

  // Saved: only what was added.
  await page.click("#save");
  await page.waitForSelector(".dirty", { state: "detached" });
  const { gone, come } = difference(CELL, readFileSync(scene, "utf8"));
  assert.deepEqual(gone, []);
  const added = come.filter((line) => line.trim() !== "").join("\n");
  for (const part of [
    'robot = "left"',
    "ptp = {",
    "lin = {",
    "speed = 100",
    'grasp = "block"',
    'release = "block"',
    "parallel = [",
    'robot = "right"',
    'joint = { name = "joint1"',
  ])
    assert.ok(added.includes(part), `no ${part} in\n${added}`);

  // Undone, all of it.
  for (let left = 7; left > 0; left--) {
    const before = await mark();
    await page.click("#undo");
    await page.waitForFunction((old) => window.studio.state.scene!.revision !== old, before);
  }
  await count(0);
  assert.equal(await page.locator("#undo").isDisabled(), true);
  await close(opened);
});
