// Builds the tests and runs them with node's own runner: `npm test`, or `npm test -- piano` for files with "piano" in their name.
// With `--document`, those of src/document: they need neither a browser nor the program.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { build } from "vite";

const isOfDocument = process.argv[2] === "--document";
const wanted = process.argv.slice(isOfDocument ? 3 : 2);
const folder = isOfDocument ? "tests/document" : "tests";
const tests = readdirSync(folder).filter(
  (name) => name.endsWith(".test.ts") && wanted.every((part) => name.includes(part)),
);
if (tests.length === 0) throw new Error(`no test is called ${wanted.join(" ")}`);
const out = isOfDocument ? "node_modules/.tests-document" : "node_modules/.tests";
rmSync(out, { recursive: true, force: true });
await build({
  configFile: false,
  logLevel: "warn",
  build: {
    ssr: true,
    outDir: out,
    emptyOutDir: true,
    rollupOptions: {
      input: tests.map((name) => `${folder}/${name}`),
      external: [/^node:/, "playwright-core"],
      output: { entryFileNames: "[name].mjs", chunkFileNames: "[name].mjs" },
    },
  },
});
const files = tests.map((name) => `${out}/${name.replace(/\.ts$/, ".mjs")}`);
// Two browsers at a time: each waits now and then. "1" for times that can be compared.
const concurrency = process.env.FREIRAUM_TEST_CONCURRENCY ?? "2";
process.exit(
  spawnSync(
    process.execPath,
    ["--test", "--test-reporter=spec", `--test-concurrency=${concurrency}`, ...files],
    { stdio: "inherit" },
  ).status ?? 1,
);
