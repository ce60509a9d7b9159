// How long it takes until the page shows the verdict on an edit of the demo. Printed, not judged: machines differ.
import { afterEach, test } from "node:test";
import { close, closeRest, openPage, settled, verdict, withBrowser } from "./browser";
import { example, Studio } from "./server";

const EDITS = 10;
let studio: Studio;

withBrowser();
afterEach(async () => {
  await closeRest();
  await studio.stop();
});

test("from an edit of one pose to its verdict on the page", async (t) => {
  studio = await Studio.start(example("gearbox"), "gearbox.toml");
  const opened = await openPage(studio.url);
  const { page } = opened;
  await settled(page);
  await verdict(page, "free");
  const body = "output seal cap";
  const times = await page.evaluate(
    async ([name, edits]) => {
      const { state, actions } = window.studio;
      const body = state.bodyNamed(name);
      const times: number[] = [];
      for (let k = 0; k < edits; k++) {
        const [x, y, z, ...turn] = state.scene!.bodies[body]!.pose;
        const from = performance.now();
        const answer = (await actions.ask("set_pose", { body, pose: [x, y, z + 1e-4, ...turn] })) as {
          revision: number;
        } | null;
        await new Promise<void>((done) => {
          const look = (): void => {
            if (state.verdict && state.verdict.revision >= answer!.revision && !state.verdict.running)
              requestAnimationFrame(() => done());
            else setTimeout(look, 1);
          };
          look();
        });
        times.push(performance.now() - from);
      }
      return times.sort((a, b) => a - b);
    },
    [body, EDITS] as const,
  );
  t.diagnostic(
    `${body}: median ${((times[EDITS / 2 - 1]! + times[EDITS / 2]!) / 2).toFixed(1)} ms, ${times[0]!.toFixed(1)} to ${times[EDITS - 1]!.toFixed(1)} ms (${EDITS} edits)`,
  );
  await close(opened);
});
