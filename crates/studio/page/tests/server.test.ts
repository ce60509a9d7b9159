// The page with the real server. FREIRAUM_BIN names the program; without it these tests are skipped, and say so.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launch, near, openPage, PAGE, row, settled, shot, still, waitVerdict } from "./browser";

const program = process.env["FREIRAUM_BIN"];
const options = program ? { timeout: 240_000 } : { skip: "FREIRAUM_BIN is not set" };
const EXAMPLES = resolve("../../../examples");

// A peg of 10 mm over a plate of 20 mm thickness, and a wall beside it.
const SCENE = `# kept by saving
name = "Peg"
units = "mm"
[check]
clearance = 0.5

[[body]]
name = "plate"
shape = { box = { size = [100, 100, 20] } }
fixed = true
color = "#9aa5b1"

[[body]]
name = "wall"
shape = { box = { size = [10, 100, 60] } }
pose = { position = [45, 0, 45] }
fixed = true
color = "#7d8a97"

[[body]]
name = "peg"
shape = { box = { size = [10, 10, 30] } }
pose = { position = [-20, 0, 80] }
color = "#e0a030"

[[step]]
name = "lower the peg"
move = "peg"
translate = [0, 0, -50]
`;

interface Running {
  url: string;
  process: ChildProcess;
}

let browser: Browser;
let folder: string;
let scene: string;
let studio: Running;

async function serve(...args: string[]): Promise<Running> {
  const process_ = spawn(program!, ["studio", ...args, "--no-open"], { env: { ...process.env, FREIRAUM_STUDIO_PAGE: resolve(PAGE), XDG_CACHE_HOME: join(folder, "cache") }, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((done, fail) => {
    let text = "";
    process_.stdout!.on("data", (data) => {
      text += String(data);
      const found = /studio: (http\S+)/.exec(text);
      if (found) done(found[1]!);
    });
    process_.on("exit", () => fail(new Error(`the studio ended: ${text}`)));
  });
  return { url, process: process_ };
}

async function stop(running: Running, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  const ended = new Promise((done) => running.process.once("exit", done));
  running.process.kill(signal);
  await ended;
}

const pose = (page: Page, body: number): Promise<number[]> => page.evaluate((b) => [...window.studio.state.scene!.bodies[b]!.pose], body);

before(async () => {
  if (!program) return;
  folder = mkdtempSync(join(tmpdir(), "studio-"));
  scene = join(folder, "peg.toml");
  writeFileSync(scene, SCENE);
  studio = await serve(scene);
  browser = await launch();
});
after(async () => {
  if (!program) return;
  await browser.close();
  await stop(studio);
  rmSync(folder, { recursive: true, force: true });
});

test("edits by field, sees the verdict turn, slides exactly, records, undoes, saves", options, async () => {
  const { page, troubles } = await openPage(browser, studio.url);
  await settled(page);
  await waitVerdict(page, "free");
  await row(page, "peg").click();
  await page.fill("#position-z", "70");
  await page.press("#position-z", "Enter");
  await waitVerdict(page, "collision");
  await page.click("#undo");
  await waitVerdict(page, "free");
  await row(page, "peg").click();
  await page.keyboard.press("r");
  await page.click("#slide-plus-x");
  await page.waitForSelector("#record-step");
  // From x = -20, half a width of 5, to the wall's face at 40.
  const x = await page.evaluate(() => window.studio.state.pose(2)[0]);
  assert.ok(near(x, 0.035, 1e-9), String(x));
  await page.click("#record-step");
  await page.waitForFunction(() => window.studio.state.scene!.steps.length === 2);
  assert.equal(await page.evaluate(() => window.studio.state.scene!.steps[0]!.name), "slide the peg");
  await page.click("#undo");
  await page.waitForFunction(() => window.studio.state.scene!.steps.length === 1);
  await row(page, "peg").click();
  await page.keyboard.press("Home");
  await page.fill("#position-y", "12");
  await page.press("#position-y", "Enter");
  await page.waitForFunction(() => Math.abs(window.studio.state.scene!.bodies[2]!.pose[1] - 0.012) < 1e-12);
  await page.click("#save");
  await page.waitForSelector(".dirty", { state: "detached" });
  const text = readFileSync(scene, "utf8");
  const [before, after] = [SCENE.split("\n"), text.split("\n")];
  const changed = after.filter((line, index) => line !== before[index]);
  assert.equal(after.length, before.length);
  assert.equal(changed.length, 1);
  assert.match(changed[0]!, /^pose = .*-20, 12, 80/);
  assert.deepEqual(troubles, []);
  await page.close();
});

test("two tabs are in sync", options, async () => {
  const one = await openPage(browser, studio.url);
  const two = await openPage(browser, studio.url);
  await settled(one.page);
  await settled(two.page);
  await row(one.page, "peg").click();
  await one.page.fill("#position-y", "3");
  await one.page.press("#position-y", "Enter");
  await two.page.waitForFunction(() => Math.abs(window.studio.state.scene!.bodies[2]!.pose[1] - 0.003) < 1e-12);
  await one.page.close();
  await two.page.close();
});

test("work that was not saved comes back after the server was killed", options, async () => {
  const first = await openPage(browser, studio.url);
  await settled(first.page);
  await row(first.page, "peg").click();
  await first.page.fill("#position-y", "7");
  await first.page.press("#position-y", "Enter");
  await first.page.waitForFunction(() => Math.abs(window.studio.state.scene!.bodies[2]!.pose[1] - 0.007) < 1e-12);
  await first.page.waitForTimeout(500);
  await stop(studio, "SIGKILL");
  await first.page.close();
  studio = await serve(scene);
  const { page } = await openPage(browser, studio.url);
  await settled(page);
  await page.click("#recover");
  await page.waitForFunction(() => Math.abs(window.studio.state.scene!.bodies[2]!.pose[1] - 0.007) < 1e-12);
  assert.ok(near((await pose(page, 2))[1]!, 0.007, 1e-12));
  await page.close();
});

test("the gearbox: open, play, look at a finding", options, async () => {
  const copy = join(folder, "gearbox");
  cpSync(join(EXAMPLES, "gearbox"), copy, { recursive: true });
  const running = await serve(join(copy, "gearbox-faulty.toml"));
  const { page, troubles } = await openPage(browser, running.url, { width: 1600, height: 900 });
  await settled(page);
  await shot(page, "gearbox-open");
  await page.evaluate(() => window.studio.actions.seek(window.studio.state.duration));
  await still(page);
  await shot(page, "gearbox-end");
  await waitVerdict(page, "collision", 200_000);
  await page.evaluate(() => window.studio.actions.seek(7.4));
  await still(page);
  await shot(page, "gearbox-checked");
  await page.click("#findings .finding");
  await still(page);
  await shot(page, "gearbox-finding");
  assert.deepEqual(troubles, []);
  await page.close();
  await stop(running);
});

test("the piano finds its way through the door", options, async () => {
  const copy = join(folder, "piano");
  cpSync(join(EXAMPLES, "piano"), copy, { recursive: true });
  const running = await serve(join(copy, "piano.toml"));
  const { page, troubles } = await openPage(browser, running.url, { width: 1600, height: 900 });
  await settled(page);
  await shot(page, "piano-open");
  const steps = await page.evaluate(() => window.studio.state.scene!.steps.map((step) => step.moves[0]!.kind));
  const open = steps.indexOf("plan");
  assert.ok(open >= 0, steps.join());
  await page.evaluate((step) => window.studio.actions.selectStep(step), open);
  await page.click("#plan-step");
  await page.waitForSelector("#accept-plan", { timeout: 200_000 });
  await shot(page, "piano-planned");
  await page.click("#accept-plan");
  await page.waitForFunction((step) => window.studio.state.scene!.steps[step]!.moves[0]!.kind === "path", open);
  await page.evaluate((step) => window.studio.actions.seek(window.studio.state.timeOf(step, 0.5)), open);
  await still(page);
  await shot(page, "piano-way");
  assert.deepEqual(troubles, []);
  await page.close();
  await stop(running);
});
