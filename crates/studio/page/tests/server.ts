// The real program, with a folder of its own for scenes and for its cache.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PROGRAM = process.env["FREIRAUM_BIN"] ?? "";
const EXAMPLES = resolve(process.env["FREIRAUM_EXAMPLES"] ?? "../../../examples");
if (!PROGRAM) throw new Error("FREIRAUM_BIN names the program to test");

export class Studio {
  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
  ) {}

  static async start(folder: string, ...scene: string[]): Promise<Studio> {
    const env: NodeJS.ProcessEnv = { ...process.env, XDG_CACHE_HOME: join(folder, "cache") };
    // To work on the page without building the program again.
    if (process.env["FREIRAUM_PAGE"]) env["FREIRAUM_STUDIO_PAGE"] = resolve(process.env["FREIRAUM_PAGE"]);
    const child = spawn(PROGRAM, ["studio", ...scene, "--no-open"], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const url = await new Promise<string>((done, fail) => {
      let text = "";
      child.stdout!.on("data", (part) => {
        text += String(part);
        const found = /http:\/\/\S+/.exec(text);
        if (found) done(found[0]);
      });
      child.once("error", fail);
      child.once("exit", (code) => fail(new Error(`freiraum studio ended with ${code}: ${text}`)));
    });
    running.add(child);
    const text = await (await fetch(url)).text();
    if (!text.includes('id="app"'))
      throw new Error("this program was built without its page: build it where npm is");
    return new Studio(url, child);
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    running.delete(this.process);
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill(signal);
    await ended;
  }
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

const folders: string[] = [];
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "freiraum-studio-"));
  folders.push(folder);
  return folder;
}

/** A copy of an example that tests may change. */
export function example(name: "gearbox" | "piano" | "cell" | "worlds"): string {
  const folder = newFolder();
  cpSync(join(EXAMPLES, name), folder, { recursive: true });
  return folder;
}
