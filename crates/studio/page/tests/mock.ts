// A server that speaks the studio's protocol for the built-in boxes: for developing the page and for its tests. It serves the built page.
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname, join, normalize } from "node:path";
import { type WebSocket, WebSocketServer } from "ws";
import type { NewMove, Pose, Vec3, VerdictEvent } from "../src/protocol";
import { boxMesh, builtIn, checkStep, CLEARANCE, curve, free, type MockScene, mm, sceneEvent, states } from "./mockScene";

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
// As strict as the real server's, so that a page that breaks it fails here.
const POLICY = "default-src 'self'; img-src 'self' blob: data:; style-src 'self'; script-src 'self'; connect-src 'self'";
type Message = Record<string, unknown> & { id: number; do: string };

export interface Mock {
  url: string;
  saved: MockScene[];
  scene(): MockScene | null;
  close(): Promise<void>;
}

export async function startMock(page: string, options: { port?: number; empty?: boolean; unsaved?: boolean } = {}): Promise<Mock> {
  let scene: MockScene | null = options.empty ? null : builtIn();
  let revision = 1;
  let dirty = false;
  let merged = false;
  const undo: { label: string; scene: MockScene }[] = [];
  const redo: { label: string; scene: MockScene }[] = [];
  const saved: MockScene[] = [];
  const clients = new Set<WebSocket>();

  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const mesh = /^\/api\/mesh\/box-(\d+)-(\d+)-(\d+)$/.exec(url.pathname);
    if (mesh) {
      response.setHeader("Content-Type", "application/octet-stream");
      return response.end(boxMesh(mesh.slice(1).map((x) => Number(x) * 1e-6)));
    }
    const path = url.pathname === "/" ? "/index.html" : normalize(url.pathname);
    try {
      response.setHeader("Content-Security-Policy", POLICY);
      response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
      response.end(readFileSync(join(page, path)));
    } catch {
      response.statusCode = 404;
      response.end("not found");
    }
  });
  const tell = (message: object): void => {
    for (const client of clients) client.send(JSON.stringify(message));
  };
  const described = (): object | null => scene && sceneEvent(scene, { revision, dirty, undo: undo.at(-1)?.label ?? null, redo: redo.at(-1)?.label ?? null });
  const verdict = (): VerdictEvent | null => {
    if (!scene) return null;
    const steps = scene.steps.map((_, index) => checkStep(scene!, index));
    const worst = steps.some((step) => step.verdict === "collision") ? "collision" : steps.some((step) => step.verdict === "too_close") ? "too_close" : "free";
    return { revision, running: false, done: steps.length, total: steps.length, verdict: worst, start: [], steps };
  };
  const changed = (): void => {
    revision++;
    tell({ event: "scene", ...described() });
    tell({ event: "verdict", ...verdict() });
  };
  const edit = (label: string, change: (scene: MockScene) => void, merge = false): void => {
    if (!(merge && merged)) undo.push({ label, scene: structuredClone(scene!) });
    merged = label === "move";
    redo.length = 0;
    change(scene!);
    dirty = true;
    changed();
  };
  const shift = (move: NewMove, at: Vec3): Vec3 => {
    if ("translate" in move) return move.translate;
    const to = "to" in move ? move.to : "path" in move ? move.path.at(-1)! : ([at[0], at[1], at[2], 0, 0, 0, 1] as Pose);
    return [to[0] - at[0], to[1] - at[1], to[2] - at[2]];
  };

  const answer = (m: Message): object => {
    if (m.do === "open") {
      scene = builtIn();
      undo.length = redo.length = 0;
      dirty = false;
      changed();
      return {};
    }
    if (m.do === "list") return { files: [{ path: "boxes.toml", title: "Boxes" }] };
    if (!scene) throw new Error("no scene is open");
    const step = m["step"] as number;
    const body = m["body"] as number;
    switch (m.do) {
      case "set_pose": edit("move", (s) => void (s.boxes[body]!.at = (m["pose"] as Pose).slice(0, 3) as unknown as Vec3), m["merge"] === true); return {};
      case "set_color": edit("colour", (s) => void (s.boxes[body]!.color = m["color"] as Vec3)); return {};
      case "set_goal": edit("goal", (s) => void (s.goals[body] = m["pose"] as Pose | null)); return {};
      case "rename_step": edit("rename", (s) => void (s.steps[step]!.name = m["name"] as string)); return {};
      case "remove_step": edit("delete step", (s) => void s.steps.splice(step, 1)); return {};
      case "duplicate_step": edit("duplicate step", (s) => void s.steps.splice(step, 0, structuredClone(s.steps[step]!))); return {};
      case "move_step": edit("move step", (s) => void s.steps.splice(m["to"] as number, 0, ...s.steps.splice(m["from"] as number, 1))); return {};
      case "add_step": {
        const index = (m["index"] as number | undefined) ?? scene.steps.length;
        const move = (m["moves"] as NewMove[])[0]!;
        edit("add step", (s) => void s.steps.splice(index, 0, { name: String(m["name"]), body: move.bodies[0]!, by: shift(move, states(s)[index]![move.bodies[0]!]!), seconds: 1 }));
        return { step: index };
      }
      case "undo": case "redo": {
        const [from, to] = m.do === "undo" ? [undo, redo] : [redo, undo];
        const entry = from.pop();
        if (!entry) throw new Error(`nothing to ${m.do}`);
        to.push({ label: entry.label, scene: scene });
        scene = entry.scene;
        merged = false;
        changed();
        return {};
      }
      case "save": saved.push(structuredClone(scene)); dirty = false; changed(); return {};
      case "check": tell({ event: "verdict", ...verdict() }); return {};
      case "curve": { const [a, b] = m["pair"] as [number, number]; return { points: curve(scene, step, a, b), required: CLEARANCE }; }
      case "slide": {
        const moment = m["at"] as { step: number; t: number } | null;
        const at = [...states(scene)[moment ? moment.step + (moment.t >= 0.5 ? 1 : 0) : 0]!];
        for (const [one, pose] of (m["poses"] ?? []) as [number, Pose][]) at[one] = [pose[0], pose[1], pose[2]];
        const max = m["max"] as number;
        const d = m["direction"] as Vec3;
        const mover = (m["bodies"] as number[])[0]!;
        const [share, other] = free(scene, at, mover, [d[0] * max, d[1] * max, d[2] * max]);
        const size = scene.boxes[mover]!.size;
        const point = [0, 1, 2].map((k) => at[mover]![k]! + d[k]! * (share * max + size[k]! / 2));
        return { distance: share * max, contact: other < 0 ? null : { pair: [scene.boxes[mover]!.name, scene.boxes[other]!.name], point, normal: d }, poses: [] };
      }
      case "plan": {
        const to = m["to"] as Pose;
        const mover = (m["bodies"] as number[])[0]!;
        const from = scene.boxes[mover]!.at;
        tell({ event: "progress", task: "plan", planner: "straight", done: 1, total: 4 });
        const tracks = [{ body: mover, times: [0, 1], poses: [[...from, 0, 0, 0, 1], to] }];
        setTimeout(() => tell({ event: "planned", verdict: "free", length: Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]), clearance: 4 * mm, pieces: 1, preview: { tracks } }), 150);
        return {};
      }
      case "accept_plan": case "discard_plan": case "cancel": case "recover": return {};
      case "get_text": return { text: "units = \"mm\"\n" };
      default: throw new Error(`unknown command ${m.do}`);
    }
  };

  new WebSocketServer({ server, path: "/api/live" }).on("connection", (socket) => {
    clients.add(socket);
    socket.on("close", () => clients.delete(socket));
    socket.send(JSON.stringify({ event: "hello", version: "mock", examples: ["gearbox", "gearbox-faulty", "piano"], scene: described(), verdict: verdict(), unsaved: options.unsaved ? { name: "boxes.toml", when: 1_700_000_000 } : null }));
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as Message;
      try {
        socket.send(JSON.stringify({ id: message.id, ok: true, ...answer(message) }));
      } catch (error) {
        socket.send(JSON.stringify({ id: message.id, error: { code: "bad", message: (error as Error).message } }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    saved,
    scene: () => scene,
    close: async () => {
      for (const client of clients) client.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
