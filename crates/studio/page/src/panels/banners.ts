// What needs an answer before work goes on: unsaved work of before, a file changed by someone else, a lost connection.
import type { Actions } from "../tools/actions";
import { h, replace } from "../ui/dom";
import { icon } from "../ui/icons";
import { button } from "../ui/widgets";

export function banners(actions: Actions): HTMLElement {
  const { state } = actions;
  const element = h("div", { class: "banners" });
  const banner = (kind: string, text: string, ...buttons: HTMLElement[]): HTMLElement =>
    h(
      "div",
      { class: `banner ${kind}`, role: "alert" },
      icon("warning"),
      h("span", {}, text),
      h("span", { class: "grow" }),
      ...buttons,
    );
  const recover = (yes: boolean): void => {
    state.forgetUnsaved();
    void actions.ask("recover", { yes });
  };
  const update = (): void => {
    const { unsaved, link, diskChanged } = state;
    const when = unsaved
      ? typeof unsaved.when === "number"
        ? new Date(unsaved.when * (unsaved.when < 1e11 ? 1000 : 1)).toLocaleString()
        : unsaved.when
      : "";
    replace(
      element,
      link === "lost"
        ? banner(
            "bad",
            "The connection to the studio was lost. Trying again… Nothing is lost: unsaved work is kept.",
          )
        : null,
      unsaved
        ? banner(
            "warn",
            `Unsaved work on ${unsaved.name}${when ? ` of ${when}` : ""} was found.`,
            button({
              text: "Recover",
              title: "Go on with it",
              kind: "primary",
              id: "recover",
              press: () => recover(true),
            }),
            button({
              text: "Forget it",
              title: "Start from the file",
              kind: "plain",
              press: () => recover(false),
            }),
          )
        : null,
      diskChanged
        ? banner(
            "warn",
            "The file was changed by another program.",
            button({
              text: "Load it",
              title: state.scene?.dirty
                ? "Unsaved changes here are given up (undo brings them back)"
                : "Take what is on disk",
              kind: "primary",
              press: () => (state.setDiskChanged(false), void actions.ask("reload", {})),
            }),
            button({
              text: "Keep mine",
              title: "The next save overwrites it",
              kind: "plain",
              press: () => state.setDiskChanged(false),
            }),
          )
        : null,
    );
  };
  state.on(["link", "scene"], update);
  update();
  return element;
}
