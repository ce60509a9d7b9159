// The planner finds the way of the piano.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import {
  close,
  closeRest,
  LARGE,
  openPage,
  row,
  settled,
  shot,
  still,
  verdict,
  withBrowser,
} from "./browser";
import { example, Studio } from "./server";

let studio: Studio;

withBrowser();
afterEach(async () => {
  await closeRest();
  await studio.stop();
});

test("the piano finds its way through the door; accepted, the plan is free", async () => {
  studio = await Studio.start(example("piano"), "piano.toml");
  const opened = await openPage(studio.url, LARGE);
  const { page } = opened;
  await settled(page);
  await row(page, "move the piano to the hall").click();
  await page.click("#plan-step");
  await page.waitForSelector("#accept-plan");
  await page.screenshot({ path: `${process.env["FREIRAUM_SHOTS"] ?? "shots"}/piano-planned.png` });
  await page.click("#accept-plan");
  await page.waitForFunction(() => window.studio.state.scene!.steps[0]!.moves[0]!.kind === "path");
  await verdict(page, "free");
  await page.evaluate(() => window.studio.actions.seek(window.studio.state.timeOf(0, 0.5)));
  await still(page);
  await shot(page, "piano");
  // All its parts go together, to where the file wants the case.
  const ends = await page.evaluate(() => {
    const { scene } = window.studio.state;
    const of = (name: string): number => scene!.bodies.findIndex((body) => body.name === name);
    return ["case", "keys", "tail leg"].map((name) =>
      scene!.end[of(name)]!.map((value, k) => value - scene!.bodies[of(name)]!.pose[k]!),
    );
  });
  for (const shift of ends)
    assert.deepEqual(
      shift.map((value) => Math.round(value * 1e9) / 1e9),
      [9.4, -2.7, 0, 0, 0, 0, 0],
    );
  await close(opened);
});
