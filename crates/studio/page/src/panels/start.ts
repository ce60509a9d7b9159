// Before a scene is open: what this is, and examples to click.
import type { Actions } from "../tools/actions";
import { h, replace } from "../ui/dom";
import { button } from "../ui/widgets";
import type { Files } from "./files";

export function start(actions: Actions, files: Files): HTMLElement {
  const { state } = actions;
  const element = h("div", { class: "start" });
  const update = (): void => {
    element.hidden = state.scene !== null || state.link !== "open" || state.version === "";
    if (element.hidden) return;
    replace(
      element,
      h("h1", {}, "Prove that it moves freely."),
      h(
        "p",
        {},
        "Open an assembly, play its steps, and see whether every motion is free, how close parts come, or exactly where and when they touch.",
      ),
      ...files.exampleCards(),
      h(
        "div",
        { class: "buttons center" },
        button({
          icon: "folder",
          text: "Open a scene file…",
          title: "Open a scene file",
          key: "Ctrl+O",
          kind: "plain",
          press: () => void files.openDialog(),
        }),
      ),
    );
  };
  state.on(["scene", "link"], update);
  update();
  return element;
}
