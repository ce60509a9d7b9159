// A headless browser with software WebGL, and helpers all tests use.
import { mkdirSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";

export const SHOTS = process.env["FREIRAUM_SHOTS"] ?? "tests/shots";
export const PAGE = process.env["FREIRAUM_PAGE"] ?? "dist";

export async function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["FREIRAUM_CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox", "--force-color-profile=srgb"],
  });
}

export interface Opened {
  page: Page;
  /** Messages of the console that are errors, and exceptions. */
  troubles: string[];
}

export async function openPage(browser: Browser, url: string, size = { width: 1280, height: 720 }): Promise<Opened> {
  const page = await browser.newPage({ viewport: size, reducedMotion: "reduce", colorScheme: "dark" });
  const troubles: string[] = [];
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  page.on("pageerror", (error) => troubles.push(String(error)));
  await page.goto(url);
  return { page, troubles };
}

/** Waits until every mesh is there and the view has come to rest. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => window.studio?.state.scene !== null && window.studio.viewport.bodies.loaded, null, { timeout: 60_000 });
  await still(page);
}

export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let count = -1, calm = 0; calm < 3; ) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 16)));
      calm = window.studio.viewport.frames === count ? calm + 1 : 0;
      count = window.studio.viewport.frames;
    }
  });
}

export async function shot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

export const verdict = (page: Page): Promise<string | null> => page.getAttribute("#verdict", "data-verdict");
export const waitVerdict = (page: Page, name: string, timeout = 30_000): Promise<unknown> => page.waitForSelector(`#verdict[data-verdict=${name}]`, { timeout });
export const row = (page: Page, name: string): ReturnType<Page["locator"]> => page.locator(".tree-row", { has: page.locator(`.name:text-is("${name}")`) });
export const near = (a: number, b: number, slack: number): boolean => Math.abs(a - b) <= slack;
