// Short messages at the lower edge of the view; errors stay until they are closed and name the place in the file.
import type { ServerError } from "../protocol";
import { h } from "../ui/dom";
import { icon } from "../ui/icons";

const SHOWN_MILLISECONDS = 4200;

class Toasts {
  readonly element = h("div", { class: "toasts", role: "status", "aria-live": "polite" });

  say(text: string): void {
    const note = h("div", { class: "toast" }, text);
    this.push(note);
    window.setTimeout(() => note.remove(), SHOWN_MILLISECONDS);
  }

  error(error: ServerError): void {
    const place = error.line ? `line ${error.line}${error.column ? `, column ${error.column}` : ""}` : "";
    const note = h(
      "div",
      { class: "toast toast-error", role: "alert" },
      icon("warning"),
      h("div", { class: "toast-body" }, h("div", {}, error.message), place && h("div", { class: "toast-place" }, place), error.help ? h("div", { class: "toast-help" }, error.help) : null),
      h("button", { class: "ghost", "aria-label": "Close message", onclick: () => note.remove() }, icon("close", 12)),
    );
    this.push(note);
  }

  private push(note: HTMLElement): void {
    this.element.append(note);
    while (this.element.children.length > 4) this.element.firstElementChild?.remove();
  }
}

export const toast = new Toasts();
