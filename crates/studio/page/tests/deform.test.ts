// The deform workspace in the browser: known volumes, playing, meshes of one's own, every way of showing it.
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import type { Page } from "playwright-core";
import { close, closeRest, LARGE, near, openPage, shot, withBrowser } from "./browser";
import { newFolder, Studio } from "./server";

withBrowser();
let studio: Studio | null = null;
afterEach(closeRest);
after(() => studio?.stop());

const running = async (): Promise<Studio> => (studio ??= await Studio.start(newFolder()));

/** Waits until the newest frame is that of what is set. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() => window.studio.deforming.deform.frame !== null);
  await page.evaluate(() => window.studio.deforming.idle());
}

async function enter(page: Page): Promise<void> {
  await page.click("#workspace-deform");
  await page.waitForSelector(".deform-side:visible");
  await drawn(page);
}

async function choose(page: Page, shape: string): Promise<void> {
  await page.click(`#deform-${shape}`);
  await page.waitForFunction((id) => window.studio.deforming.deform.preset === id, shape);
  await drawn(page);
}

const frame = <T>(
  page: Page,
  read: (frame: NonNullable<typeof window.studio.deforming.deform.frame>) => T,
): Promise<T> => page.evaluate(`(${read.toString()})(window.studio.deforming.deform.frame)`) as Promise<T>;

test("shapes without a scene: what is told is what is known, shown in every way", async () => {
  const opened = await openPage((await running()).url, LARGE);
  const { page } = opened;
  await page.waitForSelector("#workspace-deform:enabled");
  await enter(page);
  assert.ok(await page.locator(".start").isHidden());
  // A bar of section πr² whose axis is bent to more than a circle: the ends share what is beyond it.
  const theta = 1.12 * 2 * Math.PI;
  const shared = ((Math.PI * 0.2 ** 2 * 2.4) / theta) * (theta - 2 * Math.PI);
  const [volume, error] = await frame(page, ({ bodies }) => [bodies[0]!.volume!, bodies[0]!.volume_error!]);
  near(volume, shared, error! + 0.01 * shared);
  assert.equal(await page.getAttribute("#deform-verdict", "data-verdict"), "collision");
  await shot(page, "deform-cylinder");
  for (const look of ["solid", "wire", "glass"]) {
    await page.click(`#surface-${look}`);
    await drawn(page);
    if (look !== "glass") await shot(page, `deform-surface-${look}`);
  }
  for (const look of ["layers", "points", "solid"]) {
    await page.click(`#volume-${look}`);
    await drawn(page);
    if (look !== "solid") await shot(page, `deform-volume-${look}`);
  }
  await page.check("#deform-layers");
  await page.check("#deform-normals");
  await drawn(page);
  assert.equal(
    await frame(page, ({ bodies }) => bodies[0]!.layers!.depths.length),
    await frame(page, ({ bodies }) => bodies[0]!.depths),
  );
  await shot(page, "deform-layers");
  await page.uncheck("#deform-layers");
  await page.uncheck("#deform-normals");

  // Without amplitude nothing is deformed, and nothing collides.
  await page.fill("#deform-amplitude", "0");
  await page.waitForSelector('#deform-verdict[data-verdict="free"]');
  assert.equal(await page.textContent("#deform-share"), "0 %");

  // Eight planes: four volumes in each other, whatever the resolution.
  await choose(page, "stack");
  assert.equal(await page.textContent("#deform-occupancy"), "4");
  await page.selectOption("#deform-resolution", "64");
  await drawn(page);
  assert.deepEqual(await frame(page, ({ bodies }) => [bodies[0]!.grid.size, bodies[0]!.max_overlap]), [
    [64, 64],
    4,
  ]);
  await page.selectOption("#deform-resolution", "128");
  await drawn(page);
  await shot(page, "deform-stack");
  for (const shape of ["torus", "spring"]) {
    await choose(page, shape);
    assert.deepEqual(
      await frame(page, ({ bodies }) => [bodies[0]!.self_collision, bodies[0]!.sound]),
      [true, true],
      shape,
    );
    await shot(page, `deform-${shape}`);
  }
  await close(opened);
});

test("it plays, fluidly; keys do what the sheet says", async () => {
  const opened = await openPage((await running()).url);
  const { page } = opened;
  await page.waitForSelector("#workspace-deform:enabled");
  await enter(page);
  await page.click("#deform-play");
  const seen = await page.evaluate(async () => {
    const { deforming } = window.studio;
    const times: number[] = [];
    const start = performance.now();
    let last = deforming.deform.frame;
    for (let frames = 0; frames < 5; ) {
      await new Promise(requestAnimationFrame);
      if (deforming.deform.frame === last) continue;
      last = deforming.deform.frame;
      times.push(Object.values(last!.milliseconds).reduce((sum, one) => sum + one, 0));
      frames++;
    }
    return {
      rate: 5000 / (performance.now() - start),
      time: deforming.deform.time!,
      fastest: Math.min(...times),
    };
  });
  // The browser draws in software here, and shares the machine: how fast it is, is told, not required.
  assert.ok(seen.time > 1.5, JSON.stringify(seen));
  console.log(
    `deform: ${seen.rate.toFixed(1)} frames per second, ${seen.fastest.toFixed(2)} ms of the engine in the fastest`,
  );
  await page.locator(".surface").focus();
  await page.keyboard.press("Space");
  await page.waitForFunction(() => !window.studio.deforming.deform.playing);
  const time = await page.evaluate(() => window.studio.deforming.deform.time!);
  await page.keyboard.press(".");
  near(await page.evaluate(() => window.studio.deforming.deform.time!), time + 0.1, 1e-9);
  for (const [key, setting, value] of [
    ["z", "surface", "solid"],
    ["c", "volume", "layers"],
    ["l", "showLayers", true],
    ["b", "box", false],
    ["n", "normals", true],
  ] as const) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate((name) => window.studio.deforming.deform[name], setting), value);
  }
  await drawn(page);
  await page.keyboard.press("?");
  await page.waitForSelector("dialog.help h3:text-is('Deform')");
  await page.keyboard.press("Escape");
  await close(opened);
});

/** A cube of side 1 as OFF, with so many of its six sides. */
function cube(sides: number): string {
  const quads = ["4 0 2 3 1", "4 4 5 7 6", "4 0 1 5 4", "4 2 6 7 3", "4 0 4 6 2", "4 1 3 7 5"].slice(
    0,
    sides,
  );
  const corners = [...Array(8).keys()].map((i) => `${i & 1} ${(i >> 1) & 1} ${i >> 2}`);
  return `OFF\n8 ${sides} 0\n${corners.join("\n")}\n${quads.join("\n")}\n`;
}

test("several bodies, and meshes of one's own; what is open is told", async () => {
  const opened = await openPage((await running()).url);
  const { page } = opened;
  await page.waitForSelector("#workspace-deform:enabled");
  await enter(page);
  await choose(page, "pair");
  // The lens of two balls, of radius 0.75 and 0.52, with centres 0.84 apart.
  const [a, b, d] = [0.75, 0.52, 0.84];
  const lens = (Math.PI * (a + b - d) ** 2 * (d * d + 2 * d * (a + b) - 3 * (a - b) ** 2)) / (12 * d);
  near(await frame(page, ({ pairs }) => pairs[0]!.volume!), lens, 0.02 * lens);
  assert.equal(await page.getAttribute("#deform-verdict", "data-verdict"), "collision");
  await shot(page, "deform-pair");
  await page.click("#deform-body-1");
  await page.fill("#deform-x-value", "1.5");
  await page.press("#deform-x-value", "Enter");
  await page.waitForSelector('#deform-verdict[data-verdict="free"]');

  const put = async (name: string, text: string): Promise<void> => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#deform-open")]);
    await chooser.setFiles({ name, mimeType: "model/off", buffer: Buffer.from(text) });
    await page.waitForFunction(
      (wanted) => window.studio.deforming.deform.current?.facts.name === wanted,
      name,
    );
    await drawn(page);
  };
  await put("cube.off", cube(6));
  await page.waitForSelector('#deform-verdict[data-verdict="free"]');
  assert.equal(await page.evaluate(() => window.studio.deforming.deform.bodies.length), 1);
  await put("open.off", cube(5));
  await page.waitForSelector(".toast-error");
  assert.equal(await frame(page, ({ bodies }) => bodies[1]!.volume), null);
  assert.equal(await frame(page, ({ pairs }) => pairs[0]!.volume), null);
  assert.equal(await page.textContent("#deform-volume"), "not known");
  await shot(page, "deform-open");
  // Back to the start page, and in again: it is as it was.
  await page.click("#workspace-assembly");
  await page.waitForSelector(".start:visible");
  await page.click("#workspace-deform");
  await page.waitForSelector(".deform-side:visible");
  assert.equal(await page.evaluate(() => window.studio.deforming.deform.bodies.length), 2);
  await close(opened);
});
