// Vehicles in the world workspace: driven by keys, followed, left to a controller; what their sensors measure is drawn.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { Page } from "playwright-core";
import { close, closeRest, near, openPage, settled, shot, withBrowser } from "./browser";
import { Studio } from "./server";
import { workshop } from "./workshop";

const YARD = `name = "Yard"

[world]
step = 0.005

[[body]]
name = "ground"
shape = { box = { size = [40, 40, 1] } }
pose = [0, 0, -0.5]
fixed = true
color = "#8d9a86"

[[body]]
name = "wall"       # its face is at x = 6
shape = { box = { size = [1, 20, 3] } }
pose = [6.5, 0, 1.5]
fixed = true
color = "#9aa5b1"

[[vehicle]]
name = "rover"
model = "pioneer"
drive = "kinematic"

[[sensor]]
name = "scanner"
on = "rover"
pose = [0, 0, 0.5]
kind = "laser"
rate = 10
range = 12
rows = { elevations_deg = [0], columns = 181, field_deg = 90 }

[[sensor]]
name = "eye"
on = "rover"
pose = [0.1, 0, 0.6]
kind = "camera"
rate = 5
range = 30
size = [64, 48]
`;

let studio: Studio;

withBrowser();
before(async () => {
  const { folder, scene } = workshop(YARD);
  studio = await Studio.start(folder, scene);
});
afterEach(closeRest);
after(() => studio.stop());

const rover = (page: Page): Promise<{ x: number; y: number }> =>
  page.evaluate(() => {
    const { world } = window.studio.state;
    const [main] = world!.info.vehicles[0]!.bodies;
    return { x: world!.shown[7 * main]!, y: world!.shown[7 * main + 1]! };
  });

test("a vehicle is driven with the keyboard, scans and takes pictures, and is left to a controller", async () => {
  const opened = await openPage(studio.url);
  const { page } = opened;
  await settled(page);
  if ((await page.getAttribute("#workspace-world", "aria-selected")) !== "true")
    await page.click("#workspace-world");
  await page.waitForFunction(
    () => window.studio.state.world !== null && window.studio.viewport.bodies.loaded,
  );
  await page.click("#world-run");
  // Straight ahead the wall is as far as it is: its face less where the scanner stands.
  await page.waitForFunction(() => window.studio.worlding.scans.returns(0) > 100);
  const ahead = await page.evaluate(() => {
    const { readings, info } = window.studio.state.world!;
    const { beams } = info.sensors[0]!;
    const distances = readings[0]!.distances!;
    const middle = distances.findIndex(
      (_, at) => Math.abs(beams![3 * at + 1]!) < 1e-9 && beams![3 * at]! > 0,
    );
    return [distances[middle], readings[0]!.pose![0]] as const;
  });
  near(ahead[0]!, 6 - ahead[1]!, 1e-6);
  await page.waitForFunction(
    () =>
      Number(document.querySelector<HTMLElement>(".sensor-picture.polar")?.dataset["returns"]) > 100 &&
      document.querySelector<HTMLElement>('[aria-label="Picture of eye"]')?.dataset["pixels"] ===
        String(64 * 48),
  );
  const from = await rover(page);
  await page.click("#drive-0");
  await page.waitForSelector(".drive-pad:visible:not(.asleep)");
  // Who drives wants to see it.
  const followed = (): Promise<number | null> => page.evaluate(() => window.studio.worlding.follow.body);
  assert.equal(
    await followed(),
    await page.evaluate(() => window.studio.state.world!.info.vehicles[0]!.bodies[0]),
  );
  await page.click("#follow-0");
  await page.waitForSelector(".drive-pad:visible:not(.asleep)");
  assert.equal(await page.evaluate(() => window.studio.worlding.follow.mode), "fixed");
  await page.click("#follow-0");
  await page.click("#follow-0");
  await page.waitForFunction(() => window.studio.worlding.follow.mode === "chase");
  await page.keyboard.down("w");
  await page.waitForSelector(".cap-ahead.pressed");
  await page.waitForFunction(({ x }) => {
    const { world } = window.studio.state;
    return world!.shown[7 * world!.info.vehicles[0]!.bodies[0]]! > x + 0.3;
  }, from);
  await shot(page, "world-drive", true);
  await page.keyboard.up("w");
  assert.equal(await page.locator(".cap.pressed").count(), 0);
  // Fields have their keys for themselves.
  await page.fill("#object-filter", "w");
  await page.waitForSelector(".drive-pad.asleep");
  assert.equal(await page.locator(".cap.pressed").count(), 0);
  await page.fill("#object-filter", "");
  await page.click("#drive-stop");
  await page.waitForSelector(".drive-pad", { state: "hidden" });
  assert.equal(await followed(), null);
  // The camera goes along.
  await page.click("#follow-0");
  await page.selectOption("#controller-0", "wander");
  await page.waitForFunction(() => window.studio.state.world!.frame.vehicles![0]!.controller === "wander");
  const then = await rover(page);
  await page.waitForFunction(({ x, y }) => {
    const { world } = window.studio.state;
    const [main] = world!.info.vehicles[0]!.bodies;
    return Math.hypot(world!.shown[7 * main]! - x, world!.shown[7 * main + 1]! - y) > 0.2;
  }, then);
  // It looks at the vehicle in every picture that is drawn.
  await page.waitForFunction(() => {
    const { world } = window.studio.state;
    const [main] = world!.info.vehicles[0]!.bodies;
    const { target } = window.studio.viewport.panes[0]!.rig;
    return Math.hypot(world!.shown[7 * main]! - target.x, world!.shown[7 * main + 1]! - target.y) < 0.01;
  });
  await shot(page, "world-chase", true);
  await close(opened);
});
