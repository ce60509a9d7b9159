// Builds the page and the tests and runs them with node's own runner: `npm test`, or `npm test -- studio` for files whose name contains "studio".
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { build } from "vite";

const wanted = process.argv.slice(2);
const tests = readdirSync("tests").filter((name) => name.endsWith(".test.ts") && wanted.every((part) => name.includes(part)));
const out = "node_modules/.tests";
rmSync(out, { recursive: true, force: true });
if (!process.env.FREIRAUM_SKIP_BUILD) await build({ logLevel: "warn" });
await build({
  configFile: false,
  logLevel: "warn",
  build: { ssr: true, outDir: out, emptyOutDir: true, rollupOptions: { input: tests.map((name) => `tests/${name}`), external: [/^node:/, "playwright-core", "ws", /^three/], output: { entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" } } },
});
const files = tests.map((name) => `${out}/${name.replace(/\.ts$/, ".mjs")}`);
process.exit(spawnSync(process.execPath, ["--test", "--test-concurrency=1", ...files], { stdio: "inherit" }).status ?? 1);
