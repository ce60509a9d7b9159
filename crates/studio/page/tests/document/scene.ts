// A small scene as the server tells it: two bodies, of which one is moved, and a robot with two joints that takes it.
import type { Pose, RobotTrack, SceneEvent, StepInfo, Track } from "../../src/protocol";

export const at = (x: number): Pose => [x, 0, 0, 0, 0, 0, 1];

const step = (name: string, number: number, part: [number, number], seconds: number): StepInfo => ({
  name,
  seconds,
  line: 1,
  moves: [],
  step: number,
  part,
  robots: [],
  actions: [],
});
const track = (from: number, to: number): Track => ({ body: 1, times: [0, 1], poses: [at(from), at(to)] });
const robot = (values: number[][], held: number[]): RobotTrack => ({
  robot: 0,
  times: values.map((_, k) => k / Math.max(1, values.length - 1)),
  values,
  held,
});

/** Step 0 moves body 1 in two seconds; step 1 has two parts, and between them the robot takes the body. */
export function scene(change: Partial<SceneEvent> = {}): SceneEvent {
  const body = (name: string, x: number, of: number | null) => ({
    name,
    mesh: name,
    color: [0.5, 0.5, 0.5] as const,
    fixed: false,
    pose: at(x),
    goal: null,
    triangles: 12,
    robot: of,
  });
  return {
    event: "scene",
    revision: 1,
    name: "small",
    title: "Small",
    units: "mm",
    world: false,
    clearance: 0,
    allowance: 0,
    bodies: [body("base", 0, null), body("part", 1, null), body("arm", 5, 0)],
    groups: [],
    steps: [
      step("slide", 0, [0, 1], 2),
      step("take (1 of 2)", 1, [0, 2], 1),
      step("take (2 of 2)", 1, [1, 2], 1),
    ],
    stages: [
      { tracks: [track(1, 3)], robots: [robot([[0, 0]], [])] },
      {
        tracks: [],
        robots: [
          robot(
            [
              [0, 0],
              [1, 2],
            ],
            [],
          ),
        ],
      },
      {
        tracks: [track(3, 4)],
        robots: [
          robot(
            [
              [1, 2],
              [1, 3],
            ],
            [1],
          ),
        ],
      },
    ],
    end: [at(0), at(4), at(5)],
    robots: [
      {
        name: "arm",
        base: at(0),
        links: [{ name: "link", body: 2 }],
        flange: 0,
        flange_from_tool: at(0),
        tools: [],
        joints: [
          { name: "J1", turns: true, lower: -1, upper: 1, speed: null },
          { name: "J2", turns: false, lower: null, upper: null, speed: null },
        ],
        start: [0, 0],
        states: [],
        method: "",
        closed: true,
      },
    ],
    robots_end: [{ robot: 0, values: [1, 3], held: [1] }],
    undo: null,
    redo: null,
    dirty: false,
    path: "small.toml",
    ...change,
  };
}
