// A headless browser with software WebGL, pages that watch what must never happen, and helpers all tests use.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before } from "node:test";
import { type Browser, chromium, type Page } from "playwright-core";

const SHOTS = process.env["FREIRAUM_SHOTS"] ?? "shots";
/** Waiting longer than this means that something is wrong, even on a busy machine. */
export const PATIENCE = 60_000;
export const LARGE = { width: 1600, height: 900 };
/** The smallest screen the page is made for. */
export const SMALL = { width: 1280, height: 720 };

export interface Opened {
  page: Page;
  /** Errors on the console, exceptions, and requests that leave the machine. */
  troubles: string[];
}

let browser: Browser;
const open = new Set<Opened>();

/** One browser for all tests of a file. */
export function withBrowser(): void {
  before(async () => {
    browser = await chromium.launch({
      executablePath: process.env["FREIRAUM_CHROMIUM"] ?? "/usr/bin/chromium",
      args: [
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--no-sandbox",
        "--force-color-profile=srgb",
      ],
    });
  });
  after(() => browser.close());
}

/** Opens the page; `first` runs in it before its own script. */
export async function openPage(url: string, size = SMALL, first?: () => void): Promise<Opened> {
  const context = await browser.newContext({ viewport: size, reducedMotion: "reduce", colorScheme: "dark" });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const troubles: string[] = [];
  const home = new URL(url).host;
  const watch = (address: string): void => {
    const { protocol, host } = new URL(address);
    if (!["data:", "blob:"].includes(protocol) && host !== home) troubles.push(`a request to ${address}`);
  };
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  page.on("pageerror", (error) => troubles.push(String(error)));
  context.on("request", (request) => watch(request.url()));
  page.on("websocket", (socket) => watch(socket.url()));
  if (first) await page.addInitScript(first);
  await page.goto(url);
  const opened = { page, troubles };
  open.add(opened);
  return opened;
}

/** Closes a page; nothing must have gone wrong in it. */
export async function close(opened: Opened): Promise<void> {
  open.delete(opened);
  await opened.page.context().close();
  assert.deepEqual(opened.troubles, []);
}

/** What a failed test leaves open is closed, and shown. */
export async function closeRest(): Promise<void> {
  for (const { page, troubles } of open) {
    await page.screenshot({ path: `${SHOTS}/failed-${Date.now()}.png` }).catch(() => {});
    if (troubles.length) console.error(troubles);
    await page.context().close();
  }
  open.clear();
}

/** Waits until every mesh is there and the view has come to rest. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => window.studio?.state.scene !== null && window.studio?.viewport.bodies.loaded,
  );
  await still(page);
}

/** Waits until nothing is drawn any more. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let count = -1, calm = 0; calm < 3; ) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 16)));
      calm = window.studio.viewport.frames === count ? calm + 1 : 0;
      count = window.studio.viewport.frames;
    }
  });
}

/** A picture, once nothing moves; `moving` for one of something that never rests. */
export async function shot(page: Page, name: string, moving = false): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  if (!moving) await still(page);
  await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

/** The verdict on the newest scene. */
export async function verdict(page: Page, wanted: string): Promise<void> {
  await page.waitForFunction((name) => {
    const { scene, verdict } = window.studio.state;
    const chip = document.getElementById("verdict");
    return (
      scene &&
      verdict &&
      !verdict.running &&
      verdict.revision === scene.revision &&
      chip?.dataset["verdict"] === name
    );
  }, wanted);
}

export const row = (page: Page, name: string): ReturnType<Page["locator"]> =>
  page.locator(".tree-row", { has: page.locator(`.name:text-is("${name}")`) });

/** Types into a number field and presses Enter. */
export async function type(page: Page, field: string, value: string): Promise<void> {
  await page.fill(field, value);
  await page.press(field, "Enter");
}

/** Where the page draws a body. */
export const pose = (page: Page, body: string): Promise<number[]> =>
  page.evaluate((name) => [...window.studio.state.pose(window.studio.state.bodyNamed(name))], body);
/** Where the scene has it before the first step. */
export const start = (page: Page, body: string): Promise<number[]> =>
  page.evaluate(
    (name) => [...window.studio.state.scene!.bodies[window.studio.state.bodyNamed(name)]!.pose],
    body,
  );
export const steps = (page: Page): Promise<string[]> =>
  page.evaluate(() => window.studio.state.scene!.steps.map((step) => step.name));
export const waitSteps = (page: Page, names: string[]): Promise<unknown> =>
  page.waitForFunction(
    (wanted) => window.studio.state.scene!.steps.map((step) => step.name).join() === wanted,
    names.join(),
  );
export const waitStart = (page: Page, body: string, axis: number, value: number): Promise<unknown> =>
  page.waitForFunction(
    ([name, axis, value]) =>
      Math.abs(window.studio.state.scene!.bodies[window.studio.state.bodyNamed(name)]!.pose[axis]! - value) <
      1e-12,
    [body, axis, value] as const,
  );

export function near(value: number, wanted: number, slack: number): void {
  assert.ok(Math.abs(value - wanted) <= slack, `${value} is not ${wanted} ± ${slack}`);
}
