// Keyboard and mouse, on one sheet.
import { h } from "../ui/dom";
import { dialog } from "../ui/widgets";

const SHEET: [string, [string, string][]][] = [
  [
    "View",
    [
      ["Middle drag, left drag on nothing", "orbit"],
      ["Right drag, Shift + middle drag", "pan"],
      ["Wheel", "zoom to the cursor"],
      ["F, double click", "fit selection or all"],
      ["1 – 5", "isometric, dimetric, front, right, top"],
      ["P", "parallel or perspective"],
      ["V", "four views"],
      ["Z", "next shading"],
      ["X", "section plane"],
      ["T", "fade what is not selected"],
      ["O", "goals of the bodies"],
      ["G", "grid"],
    ],
  ],
  [
    "Select",
    [
      ["Click", "select"],
      ["Ctrl + click", "add or remove"],
      ["H", "hide the selection"],
      ["Shift + H", "show all"],
      ["I", "isolate"],
      ["Esc", "nothing selected"],
      ["/", "search"],
    ],
  ],
  [
    "Time",
    [
      ["Space", "play, pause"],
      ["Home, End", "start, end"],
      ["Page up, Page down", "step back, step on"],
      [", .", "a little back, a little on"],
      ["N", "next finding"],
    ],
  ],
  [
    "Move",
    [
      ["M, E", "handles: move, turn"],
      ["L", "axes of world or body"],
      ["Arrows, Ctrl + up/down", "nudge in x, y and z (Shift: ten times)"],
      ["S", "snap"],
      ["C", "stop at contact while dragging"],
      ["R", "record a step"],
      ["Enter", "record what was moved"],
      ["Delete", "delete the selected step"],
    ],
  ],
  [
    "Robot",
    [
      ["Click on a link", "work with its robot"],
      ["Ctrl + click on a part", "the part to grasp"],
      ["M, E, L", "handles of the tool: move, turn, its own axes"],
      ["Arrows on a slider", "move a joint by one (Shift: by ten)"],
      ["Enter", "record where it was put"],
      ["Esc", "put it back"],
    ],
  ],
  [
    "World",
    [
      ["Space", "run, pause"],
      [".", "one step (frame of a recording)"],
      ["Home", "back to the start"],
      ["W A S D, arrows", "drive, while the view has the focus (Shift: slowly)"],
      ["Q, E, R, F", "gripper: close, open, raise, lower"],
      ["Double click on an object", "the camera follows it"],
      ["Esc", "stop driving, following"],
    ],
  ],
  [
    "Deform",
    [
      ["Space", "play, pause"],
      [", .", "a little back, a little on"],
      ["Z", "surface: glass, solid, wire, none"],
      ["C", "collision volume: solid, layers, points, none"],
      ["L", "all layers"],
      ["B, N", "boxes, normals"],
      ["Drop a mesh file", "deform it"],
    ],
  ],
  [
    "File",
    [
      ["Ctrl + Z, Ctrl + Y", "undo, redo"],
      ["Ctrl + S", "save"],
      ["Ctrl + O", "open"],
      ["?", "this sheet"],
    ],
  ],
];

export function showHelp(): void {
  if (document.querySelector("dialog.help")) return;
  dialog(
    "Keyboard and mouse",
    [
      h(
        "div",
        { class: "help-sheet" },
        ...SHEET.map(([title, rows]) =>
          h(
            "section",
            {},
            h("h3", {}, title),
            h(
              "dl",
              {},
              ...rows.map(([keys, text]) => h("div", {}, h("dt", {}, h("kbd", {}, keys)), h("dd", {}, text))),
            ),
          ),
        ),
      ),
    ],
    [],
    "wide help",
  );
}
