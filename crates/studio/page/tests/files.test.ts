// Files: the start page, other tabs, other editors, meshes dropped in, scenes that are wrong, and servers that are killed.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import {
  close,
  closeRest,
  openPage,
  row,
  settled,
  shot,
  start,
  type,
  verdict,
  waitStart,
  withBrowser,
} from "./browser";
import { example, newFolder, Studio } from "./server";
import { WORKSHOP, workshop } from "./workshop";

let studio: Studio;

withBrowser();
afterEach(async () => {
  await closeRest();
  await studio.stop();
});

test("without a scene the page offers examples; one click opens the gearbox", async () => {
  studio = await Studio.start(newFolder());
  const opened = await openPage(studio.url);
  const { page } = opened;
  await page.waitForSelector(".start .example");
  await shot(page, "start");
  assert.equal(new URL(page.url()).search, "", "the key does not stay in the address bar");
  await page.click(".start [data-example=gearbox]");
  await settled(page);
  assert.equal(await page.evaluate(() => window.studio.state.scene!.steps.length), 21);
  await close(opened);
});

test("two tabs show the same scene", async () => {
  const { folder, scene } = workshop();
  studio = await Studio.start(folder, scene);
  const one = await openPage(studio.url);
  const two = await openPage(studio.url);
  await settled(one.page);
  await settled(two.page);
  await row(one.page, "peg").click();
  await type(one.page, "#position-z", "70");
  await waitStart(two.page, "peg", 2, 0.07);
  await verdict(two.page, "collision");
  assert.equal(await two.page.locator(".dirty").count(), 1);
  await two.page.click("#undo");
  await waitStart(one.page, "peg", 2, 0.08);
  await verdict(one.page, "free");
  await close(one);
  await close(two);
});

test("a file changed by another program is noticed", async () => {
  const { folder, scene } = workshop();
  studio = await Studio.start(folder, scene);
  const opened = await openPage(studio.url);
  const { page } = opened;
  await settled(page);
  await row(page, "bar").click();
  await type(page, "#position-x", "31");
  await waitStart(page, "bar", 0, 0.031);
  writeFileSync(scene, WORKSHOP.replace("[-60, 0, 80]", "[-60, 0, 70]"));
  await page.waitForSelector(".banner:has-text('changed by another program')");
  await shot(page, "changed-on-disk");
  await page.getByRole("button", { name: "Load it" }).click();
  await waitStart(page, "peg", 2, 0.07);
  await waitStart(page, "bar", 0, 0.03);
  await verdict(page, "collision");
  // What was given up can be had back.
  await page.click("#undo");
  await waitStart(page, "bar", 0, 0.031);
  await close(opened);
});

test("a mesh file dropped into the view becomes a body", async () => {
  const folder = example("gearbox");
  const { folder: target, scene } = workshop();
  studio = await Studio.start(target, scene);
  const opened = await openPage(studio.url);
  const { page } = opened;
  await settled(page);
  const bytes = readFileSync(join(folder, "cap.stl"));
  const drop = async (name: string, content: Buffer): Promise<void> => {
    const data = await page.evaluateHandle(
      ([name, text]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
        return transfer;
      },
      [name, content.toString("base64")] as const,
    );
    await page.dispatchEvent("#viewport", "drop", { dataTransfer: data });
  };
  await drop("cap.stl", bytes);
  await page.waitForFunction(() => window.studio.state.scene!.bodies.length === 5);
  await settled(page);
  assert.deepEqual(readFileSync(join(target, "cap.stl")), bytes);
  assert.ok((await start(page, "cap")).length === 7);
  await page.click("#undo");
  await page.waitForFunction(() => window.studio.state.scene!.bodies.length === 4);
  // What is no mesh is refused, in words.
  await drop("notes.txt", Buffer.from("no mesh"));
  await page.waitForSelector(".toast-error:has-text('notes.txt')");
  assert.ok(!existsSync(join(target, "notes.txt")));
  // The browser itself reports the refusal.
  assert.deepEqual(
    opened.troubles.filter((text) => !text.includes("400")),
    [],
  );
  opened.troubles.length = 0;
  await close(opened);
});

test("a scene that is wrong: the page names the place", async () => {
  const { folder, scene } = workshop(WORKSHOP.replace('move = "bar"', 'move = "bra"'));
  const line = WORKSHOP.split("\n").indexOf('move = "bar"') + 1;
  studio = await Studio.start(folder, scene);
  const opened = await openPage(studio.url);
  const { page } = opened;
  await page.waitForSelector(`.toast-error:has-text("line ${line}, column")`);
  assert.match((await page.textContent(".toast-error"))!, /bra/);
  await shot(page, "broken-scene");
  await close(opened);
});

test("work that was not saved comes back after the server was killed", async () => {
  const { folder, scene } = workshop();
  studio = await Studio.start(folder, scene);
  const first = await openPage(studio.url);
  await settled(first.page);
  await row(first.page, "peg").click();
  await type(first.page, "#position-x", "-50");
  await waitStart(first.page, "peg", 0, -0.05);
  // The journal is written when no change has come for a while.
  await first.page.waitForTimeout(4000);
  await studio.stop("SIGKILL");
  await first.page.waitForSelector(".banner.bad");
  // The browser itself reports the attempts that are refused.
  assert.deepEqual(
    first.troubles.filter((text) => !text.includes("ERR_CONNECTION_REFUSED")),
    [],
  );
  first.troubles.length = 0;
  await first.page.goto("about:blank");
  first.troubles.length = 0;
  assert.equal(readFileSync(scene, "utf8"), WORKSHOP);
  studio = await Studio.start(folder, scene);
  const opened = await openPage(studio.url);
  const { page } = opened;
  await settled(page);
  await waitStart(page, "peg", 0, -0.06);
  await page.waitForSelector("#recover");
  await shot(page, "recover");
  await page.click("#recover");
  await waitStart(page, "peg", 0, -0.05);
  assert.equal(await page.locator(".dirty").count(), 1);
  await page.click("#save");
  await page.waitForSelector(".dirty", { state: "detached" });
  assert.match(readFileSync(scene, "utf8"), /\[-50, 0, 80\]/);
  await close(opened);
});
