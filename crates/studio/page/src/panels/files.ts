// Files: open, save as, upload by dropping, export, screenshot, the text of the scene.
import { plain } from "../ui/plain";
import { CommandError } from "../connection";
import type { Actions } from "../tools/actions";
import { h } from "../ui/dom";
import { icon } from "../ui/icons";
import { button, dialog, type MenuEntry } from "../ui/widgets";
import { examplePicture, isWorld } from "./pictures";
import { toast } from "./toast";

const MESH_FILES = ".stl,.obj,.ply,.off,.glb,.gltf";
const EXAMPLE_TEXT: Record<string, [string, string]> = {
  gearbox: ["Gearbox", "18 parts, 21 steps: shafts, bearings, gears and screws. Everything fits."],
  "gearbox-faulty": [
    "Gearbox with a fault",
    "The same gearbox with a wrong part: see where it collides and why.",
  ],
  cell: [
    "Two robots",
    "Two arms put parts of the gearbox together, at the same time. Move them, teach them, play.",
  ],
  "cell-faulty": [
    "Two robots that meet",
    "The same cell with one wait missing: see when and where the arms touch.",
  ],
  city: [
    "City with trucks",
    "Four trucks with laser scanners wander between 64 houses. Take one over with the keyboard.",
  ],
  maze: ["Ball hunt", "A Pioneer looks for balls in a maze of blocks; a program in Python drives it."],
  "robot-bowling": ["Robot bowling", "A Volksbot drives into ten humanoids."],
  soccer: ["Robot soccer", "Two against two, goals are counted. Drive one yourself."],
  collection: ["Collectors", "Four robots with grippers carry cylinders onto heaps."],
  ramp: ["Ramp", "Three blocks, three frictions: which ones slide?"],
  slopes: ["Slopes", "Rubber, wood and ice: how steep a lane can robots climb?"],
  "prism-collisions": [
    "Prisms",
    "Sharp edges that sensors hardly see: the robot runs into them, and not through.",
  ],
  bowling: ["Bowling", "A ball and ten pins. Run it, change masses, record it."],
  terrain: ["Hills", "A monster truck and a limousine on a height field."],
  complex: ["Complex world", "Grippers, a ramp, towers, balls, a light barrier and a goal, all at once."],
  piano: ["Piano movers", "A grand piano goes around the corner. The planner finds the way."],
};

export class Files {
  constructor(private readonly actions: Actions) {}

  entries(): MenuEntry[] {
    const scene = this.actions.state.scene;
    const off = scene ? {} : { disabled: true };
    return [
      { text: "Open…", key: "Ctrl+O", icon: "folder", press: () => void this.openDialog() },
      { text: "Save", key: "Ctrl+S", icon: "save", ...off, press: () => void this.actions.save() },
      { text: "Save as…", ...off, press: () => this.saveAs() },
      { text: "Edit as text…", icon: "text", ...off, press: () => void this.text() },
      { text: "Load from disk again", ...off, press: () => void this.actions.ask("reload", {}) },
      { text: "Add mesh files…", icon: "plus", ...off, press: () => this.chooseMeshes() },
      "line",
      { heading: "Export" },
      ...(scene
        ? ([
            {
              text: "Report (HTML)",
              icon: "export",
              href: "/api/export/report.html",
              download: `${scene.name}-report.html`,
            },
            {
              text: "Animation (GLB)",
              icon: "export",
              href: "/api/export/animation.glb",
              download: `${scene.name}.glb`,
            },
            {
              text: "Drawing (SVG)",
              icon: "export",
              href: "/api/export/drawing.svg?view=iso",
              download: `${scene.name}.svg`,
            },
            {
              text: "Scene (TOML)",
              icon: "export",
              href: "/api/export/scene.toml",
              download: `${scene.name}.toml`,
            },
            { text: "Screenshot (PNG)", icon: "camera", press: () => void this.screenshot() },
          ] satisfies MenuEntry[])
        : [{ text: "Open a scene first", disabled: true }]),
    ];
  }

  async open(what: { path: string } | { example: string }): Promise<boolean> {
    return (await this.actions.ask("open", what)) !== null;
  }

  /** Examples to click: assemblies first, then worlds. */
  exampleCards(done: () => void = () => {}): HTMLElement[] {
    const { examples } = this.actions.state;
    const part = (title: string, wanted: boolean): HTMLElement[] => {
      const names = examples.filter((name) => isWorld(name) === wanted);
      return names.length > 0
        ? [h("h3", {}, title), h("div", { class: "examples" }, ...this.cards(names, done))]
        : [];
    };
    return [...part("Assemblies and robots", false), ...part("Worlds: scenes in time", true)];
  }

  private cards(names: string[], done: () => void): HTMLElement[] {
    return names.map((name) => {
      const [title, text] = EXAMPLE_TEXT[name] ?? [name, ""];
      return h(
        "button",
        {
          class: "example",
          type: "button",
          "data-example": name,
          onclick: () => void this.open({ example: name }).then((ok) => ok && done()),
        },
        h("span", { class: `example-picture example-${name}` }, examplePicture(name) ?? icon("view", 30)),
        h("strong", {}, title),
        h("span", {}, text),
      );
    });
  }

  async openDialog(): Promise<void> {
    const answer = await this.actions.ask("list", {});
    const files = answer?.files ?? [];
    const list = h("div", { class: "file-list" });
    const close = dialog(
      "Open a scene",
      [
        h("h3", {}, answer?.folder ? `Scenes in ${answer.folder}` : "Scenes in this folder"),
        list,
        ...this.exampleCards(() => close()),
      ],
      [],
      "wide",
    );
    if (files.length === 0) list.append(h("p", { class: "empty" }, "No scene files here."));
    for (const file of files)
      list.append(
        h(
          "button",
          {
            class: "file",
            type: "button",
            onclick: () => void this.open({ path: file.path }).then((ok) => ok && close()),
          },
          icon("folder", 14),
          h("span", {}, file.path),
        ),
      );
  }

  saveAs(): void {
    const scene = this.actions.state.scene!;
    const name = h("input", {
      type: "text",
      value: (scene.path ?? `${scene.name}.toml`).split("/").pop() ?? "",
      "aria-label": "File name",
      id: "save-as-name",
    });
    const trouble = h("p", { class: "trouble", role: "alert" });
    // A file that is there is written over only when that was asked for twice, under the same name.
    let taken = "";
    const go = async (): Promise<void> => {
      const path = name.value.trim();
      try {
        await this.actions.connection.ask("save_as", path === taken ? { path, overwrite: true } : { path });
        close();
        toast.say(`Saved ${path}.`);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        taken = error.details.code === "exists" ? path : "";
        trouble.textContent = plain(
          taken ? `${path} is there already. Press Save again to write over it.` : error.message,
        );
      }
    };
    name.addEventListener("keydown", (event) => event.key === "Enter" && void go());
    const close = dialog(
      "Save as",
      [h("label", { class: "stack" }, "File in the scene's folder", name), trouble],
      [button({ text: "Save", title: "Save", kind: "primary", press: () => void go() })],
    );
    name.select();
  }

  async text(): Promise<void> {
    const answer = await this.actions.ask("get_text", {});
    if (!answer) return;
    const area = h("textarea", { class: "code", spellcheck: "false", "aria-label": "Scene file" });
    area.value = answer.text;
    const trouble = h("p", { class: "trouble", role: "alert" });
    const go = async (): Promise<void> => {
      try {
        await this.actions.connection.ask("set_text", { text: area.value });
        close();
      } catch (error) {
        const details = error instanceof CommandError ? error.details : { message: String(error) };
        trouble.textContent = plain(
          `${details.line ? `Line ${details.line}${details.column ? `, column ${details.column}` : ""}: ` : ""}${details.message}${details.help ? `\n${details.help}` : ""}`,
        );
        if (details.line) selectLine(area, details.line);
      }
    };
    const close = dialog(
      "Scene as text",
      [area, trouble],
      [
        button({
          text: "Apply",
          title: "Read the text (undo brings the old one back)",
          kind: "primary",
          press: () => void go(),
        }),
      ],
      "wide",
    );
  }

  async screenshot(): Promise<void> {
    const blob = await this.actions.viewport.picture();
    if (!blob) return;
    const link = h("a", {
      href: URL.createObjectURL(blob),
      download: `${this.actions.state.scene?.name ?? "studio"}.png`,
    });
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  private chooseMeshes(): void {
    const input = h("input", { type: "file", multiple: true, accept: MESH_FILES });
    input.addEventListener("change", () => {
      for (const file of input.files ?? []) void this.upload(file);
    });
    input.click();
  }

  /** Mesh files dropped anywhere become bodies, unless somebody else takes them. */
  acceptDrops(target: HTMLElement, taken: (file: File) => boolean): void {
    target.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      target.classList.add("dropping");
    });
    target.addEventListener("dragleave", () => target.classList.remove("dropping"));
    target.addEventListener("drop", (event) => {
      event.preventDefault();
      target.classList.remove("dropping");
      for (const file of event.dataTransfer?.files ?? []) if (!taken(file)) void this.upload(file);
    });
  }

  async upload(file: File): Promise<void> {
    const response = await fetch(`/api/upload?name=${encodeURIComponent(file.name)}`, {
      method: "POST",
      body: file,
    });
    if (response.ok) {
      const { body } = (await response.json()) as { body?: number };
      if (body !== undefined && this.actions.state.scene?.bodies[body]) this.actions.select(body);
      return toast.say(`Added ${file.name}.`);
    }
    const text = await response.text();
    let message = text;
    try {
      const parsed = JSON.parse(text) as { error?: { message?: string } | string; message?: string };
      message =
        (typeof parsed.error === "string" ? parsed.error : parsed.error?.message) ?? parsed.message ?? text;
    } catch {
      // Plain text is shown as it is.
    }
    toast.error({ message: `${file.name}: ${message || response.statusText}` });
  }
}

function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split("\n");
  const from = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  area.focus();
  area.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
  area.scrollTop = Math.max(0, (line - 6) * 18);
}
