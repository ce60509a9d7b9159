// Short messages at the lower edge of the view; errors stay long, or until they are closed, and name the place in the file.
import type { ServerError } from "../protocol";
import { h } from "../ui/dom";
import { icon } from "../ui/icons";

const SHOWN_MILLISECONDS = 4200;
const ERROR_MILLISECONDS = 20_000;
const MOST = 3;

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
      h(
        "div",
        { class: "toast-body" },
        h("div", {}, error.message),
        place && h("div", { class: "toast-place" }, place),
        error.help ? h("div", { class: "toast-help" }, error.help) : null,
      ),
      h(
        "button",
        { class: "ghost", "aria-label": "Close message", onclick: () => note.remove() },
        icon("close", 12),
      ),
    );
    this.push(note);
    // An error that is being read stays.
    const leave = (): void =>
      void (note.matches(":hover, :focus-within")
        ? window.setTimeout(leave, SHOWN_MILLISECONDS)
        : note.remove());
    window.setTimeout(leave, ERROR_MILLISECONDS);
  }

  private push(note: HTMLElement): void {
    for (const one of [...this.element.children]) if (one.textContent === note.textContent) one.remove();
    this.element.append(note);
    while (this.element.children.length > MOST) this.element.firstElementChild?.remove();
  }
}

export const toast = new Toasts();
