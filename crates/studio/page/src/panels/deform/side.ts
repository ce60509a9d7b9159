// The left side of the deform workspace: shapes to begin with, the bodies, and what is drawn of them.
import { type SurfaceLook, type VolumeLook, FINENESS, PRESETS } from "../../document/deform";
import type { Deforming } from "../../tools/deforming";
import { h, refill } from "../../ui/dom";
import { icon } from "../../ui/icons";
import { button } from "../../ui/widgets";

const SHAPES: [string, string][] = [
  ["torus", "Torus"],
  ["cylinder", "Cylinder"],
  ["bar", "Bar"],
  ["spring", "Spiral spring"],
  ["stack", "Stack of planes"],
  ["ball", "Ball"],
];
const SURFACES: [SurfaceLook, string][] = [
  ["glass", "Glass"],
  ["solid", "Solid"],
  ["wire", "Wire"],
  ["none", "None"],
];
const VOLUMES: [VolumeLook, string][] = [
  ["solid", "Solid"],
  ["layers", "Layers"],
  ["points", "Points"],
  ["none", "None"],
];
const MESH_FILES = ".stl,.obj,.off,.ply,.glb";

export function deformSide(deforming: Deforming): HTMLElement {
  const { deform } = deforming;
  const { state } = deforming.actions;
  const shapes = h("section", { "aria-label": "Shapes" });
  const bodies = h("section", { "aria-label": "Bodies" });
  const shown = h("section", { "aria-label": "Shown" });
  const thousands = (count: number): string => count.toLocaleString("en");

  const openFile = (): void => {
    const input = h("input", { type: "file", accept: MESH_FILES, id: "deform-file" });
    input.addEventListener("change", () => input.files?.[0] && void deforming.open(input.files[0]));
    input.click();
  };

  const drawShapes = (): void =>
    refill(shapes, JSON.stringify([deform.preset, deform.fineness]), () => {
      const fine = h(
        "select",
        {
          id: "deform-fine",
          "aria-label": "Vertices of a shape",
          onchange: () => void deforming.fine(Number(fine.value)),
        },
        ...FINENESS.map((count) =>
          h("option", { value: count, selected: count === deform.fineness }, `${thousands(count)} vertices`),
        ),
      );
      return [
        h("h2", { class: "side-head" }, "Shapes"),
        ...PRESETS.map((preset) =>
          h(
            "button",
            {
              type: "button",
              class: "score shape",
              id: `deform-${preset.id}`,
              "aria-pressed": String(preset.id === deform.preset),
              title: preset.what,
              onclick: () => void deforming.choose(preset.id),
            },
            h("span", { class: "name" }, preset.name),
          ),
        ),
        h("div", { class: "inline" }, "About", fine),
        h(
          "div",
          { class: "buttons" },
          button({
            icon: "folder",
            text: "Open a mesh…",
            title: "Deform a mesh file: choose it, or drop it on the view",
            kind: "plain",
            id: "deform-open",
            press: openFile,
          }),
        ),
      ];
    });

  const drawBodies = (): void =>
    refill(
      bodies,
      JSON.stringify([deform.bodies.map((body) => [body.facts.mesh, body.facts.vertices]), deform.selected]),
      () => {
        const more = h(
          "select",
          {
            id: "deform-add",
            "aria-label": "Add a body",
            onchange: () => more.value && void deforming.add(more.value),
          },
          h("option", { value: "" }, "Add a body…"),
          ...SHAPES.map(([id, name]) => h("option", { value: id }, name)),
        );
        return [
          h(
            "h2",
            { class: "side-head" },
            "Bodies",
            h("span", { class: "count" }, String(deform.bodies.length)),
          ),
          ...deform.bodies.map((body, index) =>
            h(
              "div",
              {
                class: "tree-row",
                role: "button",
                tabindex: 0,
                "aria-selected": String(index === deform.selected),
                id: `deform-body-${index}`,
                onclick: () => deforming.select(index),
                onkeydown: (event: KeyboardEvent) =>
                  (event.key === "Enter" || event.key === " ") &&
                  (event.preventDefault(), deforming.select(index)),
              },
              h("span", { class: `dot deform-dot-${index % 6}` }),
              h(
                "span",
                {
                  class: "name",
                  title: `${thousands(body.facts.vertices)} vertices, ${thousands(body.facts.triangles)} triangles`,
                },
                body.facts.name,
              ),
              deform.bodies.length > 1
                ? h(
                    "button",
                    {
                      type: "button",
                      class: "eye",
                      title: "Remove",
                      "aria-label": `Remove ${body.facts.name}`,
                      onclick: (event: MouseEvent) => (event.stopPropagation(), deforming.remove(index)),
                    },
                    icon("trash", 13),
                  )
                : null,
            ),
          ),
          h("div", { class: "inline" }, more),
        ];
      },
    );

  const choice = <T extends string>(
    name: string,
    id: string,
    all: [T, string][],
    now: T,
    set: (value: T) => void,
  ): HTMLElement[] => [
    h("h3", {}, name),
    h(
      "div",
      { class: "segments", role: "radiogroup", "aria-label": name },
      ...all.map(([value, text]) =>
        h(
          "button",
          {
            type: "button",
            role: "radio",
            class: "segment",
            id: `${id}-${value}`,
            "aria-checked": String(value === now),
            onclick: () => set(value),
          },
          text,
        ),
      ),
    ),
  ];
  const check = (id: string, text: string, now: boolean, set: (value: boolean) => void): HTMLElement => {
    const box = h("input", { type: "checkbox", id, checked: now, onchange: () => set(box.checked) });
    return h("label", { class: "check" }, box, text);
  };
  const drawShown = (): void =>
    refill(
      shown,
      JSON.stringify([deform.surface, deform.volume, deform.box, deform.normals, deform.showLayers]),
      () => [
        h("h2", { class: "side-head" }, "Shown"),
        ...choice("Surface", "surface", SURFACES, deform.surface, (surface) => deforming.set({ surface })),
        ...choice("Collision volume", "volume", VOLUMES, deform.volume, (volume) =>
          deforming.set({ volume }),
        ),
        check("deform-layers", "All layers, as points", deform.showLayers, (showLayers) =>
          deforming.set({ showLayers }),
        ),
        check("deform-box", "Box", deform.box, (box) => deforming.set({ box })),
        check("deform-normals", "Normals", deform.normals, (normals) => deforming.set({ normals })),
      ],
    );

  const update = (): void => {
    if (!state.deforming) return;
    drawShapes();
    drawBodies();
    drawShown();
  };
  state.on("deform", update);
  return h(
    "aside",
    { class: "panel world-side deform-side", "aria-label": "Bodies that change their form" },
    shapes,
    bodies,
    shown,
  );
}
