// A scene whose answers have closed forms: boxes along the axes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./server";

export const WORKSHOP = `# Kept by saving: comments, order, and   spacing.
name = "Workshop"
units = "mm"

[check]
clearance = 0.5   # everywhere

[[body]]
name = "plate"      # its top is at z = 0
shape = { box = { size = [200, 200, 20] } }
pose = { position = [0, 0, -10] }
fixed = true
color = "#9aa5b1"

[[body]]
name = "wall"       # its face is at y = 40
shape = { box = { size = [200, 20, 100] } }
pose = { position = [0, 50, 51] }
fixed = true
color = "#7d8a97"

[[body]]
name = "peg"
shape = { box = { size = [10, 10, 30] } }
pose = { position = [-60, 0, 80] }
color = "#e0a030"

[[body]]
name = "bar"
shape = { box = { size = [40, 10, 10] } }
pose = { position = [30, 24, 30] }
color = "#4f81bd"

# The plan.
[[step]]
name = "lower the peg"
move = "peg"
translate = [0, 0, -60]

[[step]]
name = "turn the bar back"
move = "bar"
rotate = { point = [30, 24, 30], axis = [0, 0, 1], deg = -30 }
`;

/** A new folder with this scene in it. */
export function workshop(text = WORKSHOP): { folder: string; scene: string } {
  const folder = newFolder();
  const scene = join(folder, "workshop.toml");
  writeFileSync(scene, text);
  return { folder, scene };
}

/** Lines that are only in the first text, and only in the second; both in order. */
export function difference(before: string, after: string): { gone: string[]; come: string[] } {
  const [a, b] = [before.split("\n"), after.split("\n")];
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--)
    for (let k = b.length - 1; k >= 0; k--)
      common[i]![k] =
        a[i] === b[k] ? common[i + 1]![k + 1]! + 1 : Math.max(common[i + 1]![k]!, common[i]![k + 1]!);
  const gone: string[] = [];
  const come: string[] = [];
  for (let i = 0, k = 0; i < a.length || k < b.length; ) {
    if (i < a.length && k < b.length && a[i] === b[k]) i++, k++;
    else if (k >= b.length || (i < a.length && common[i + 1]![k]! >= common[i]![k + 1]!)) gone.push(a[i++]!);
    else come.push(b[k++]!);
  }
  return { gone, come };
}
