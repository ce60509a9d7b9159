// Buttons, menus, fields and dialogs that all panels use.
import { readNumber, trimmed } from "../document/units";
import { h } from "./dom";
import { icon, type IconName } from "./icons";

export interface ButtonOptions {
  icon?: IconName;
  text?: string;
  title: string;
  key?: string;
  pressed?: boolean;
  disabled?: boolean;
  kind?: "ghost" | "primary" | "plain" | "danger";
  id?: string;
  press: () => void;
}

export function button(options: ButtonOptions): HTMLButtonElement {
  const hint = options.key ? `${options.title}  (${options.key})` : options.title;
  return h(
    "button",
    {
      class: `${options.kind ?? "ghost"}${options.text ? "" : " square"}`,
      type: "button",
      id: options.id,
      title: hint,
      "aria-label": options.text ? undefined : options.title,
      "aria-pressed": options.pressed === undefined ? undefined : String(options.pressed),
      disabled: options.disabled,
      onclick: options.press,
    },
    options.icon ? icon(options.icon) : null,
    options.text ? h("span", {}, options.text) : null,
  );
}

export type MenuEntry =
  | {
      text: string;
      key?: string;
      icon?: IconName;
      checked?: boolean;
      disabled?: boolean;
      press?: () => void;
      href?: string;
      download?: string;
    }
  | { heading: string }
  | "line";

/** A button that opens a menu below it; arrow keys walk through it, Escape closes it. */
export function menu(
  label: string,
  name: IconName | null,
  title: string,
  entries: () => MenuEntry[],
): HTMLElement {
  const opener = h(
    "button",
    { class: "ghost", type: "button", title, "aria-haspopup": "menu", "aria-expanded": "false" },
    name ? icon(name) : null,
    h("span", {}, label),
    icon("chevron", 10),
  );
  opener.lastElementChild?.classList.add("down");
  const root = h("div", { class: "menu" }, opener);
  let list: HTMLElement | null = null;
  const close = (): void => {
    list?.remove();
    list = null;
    opener.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
  };
  const outside = (event: Event): void => {
    if (!root.contains(event.target as Node)) close();
  };
  const open = (): void => {
    list = h("div", { class: "menu-list", role: "menu" });
    for (const entry of entries()) {
      if (entry === "line") list.append(h("hr"));
      else if ("heading" in entry) list.append(h("div", { class: "menu-heading" }, entry.heading));
      else {
        const inside = [
          h(
            "span",
            { class: "menu-icon" },
            entry.checked ? icon("check", 14) : entry.icon ? icon(entry.icon, 14) : null,
          ),
          h("span", { class: "menu-text" }, entry.text),
          entry.key ? h("kbd", {}, entry.key) : null,
        ];
        const role = entry.checked === undefined ? "menuitem" : "menuitemcheckbox";
        const checked = entry.checked === undefined ? undefined : String(entry.checked);
        const press = (): void => {
          close();
          entry.press?.();
        };
        list.append(
          entry.href
            ? h(
                "a",
                {
                  class: "menu-entry",
                  role,
                  href: entry.href,
                  download: entry.download ?? false,
                  target: entry.download === undefined ? "_blank" : undefined,
                  onclick: press,
                },
                ...inside,
              )
            : h(
                "button",
                {
                  class: "menu-entry",
                  type: "button",
                  role,
                  "aria-checked": checked,
                  disabled: entry.disabled,
                  onclick: press,
                },
                ...inside,
              ),
        );
      }
    }
    root.append(list);
    opener.setAttribute("aria-expanded", "true");
    document.addEventListener("pointerdown", outside, true);
    (list.querySelector(".menu-entry:not([disabled])") as HTMLElement | null)?.focus();
  };
  opener.addEventListener("click", () => (list ? close() : open()));
  root.addEventListener("keydown", (event) => {
    if (!list) return;
    const all = [...list.querySelectorAll<HTMLElement>(".menu-entry:not([disabled])")];
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Escape") {
      close();
      opener.focus();
    } else if (event.key === "ArrowDown") all[(at + 1) % all.length]?.focus();
    else if (event.key === "ArrowUp") all[(at - 1 + all.length) % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return root;
}

export interface NumberInput {
  element: HTMLInputElement;
  /** Shows a text unless the user is typing, or is about to. */
  show(text: string): void;
  /** Changes the number by so many steps: what is typed, if it is one, else the present one. */
  by(count: number): void;
}

/** The bare field of a number: arrow keys step, Shift ten times as far; accepts sums like "12 + 0.5". */
export function numberInput(
  attributes: Record<string, string>,
  now: () => number,
  step: () => number,
  change: (value: number) => void,
): NumberInput {
  let shown = "";
  /** From the first key until the number is taken or given up: what comes meanwhile must not change the text under the user's hands. */
  let typing = false;
  /** What is shown now was held back for somebody who has put the cursor into the text. */
  let isOld = false;
  const input = h("input", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    spellcheck: "false",
    ...attributes,
  });
  const focused = (): boolean => document.activeElement === input;
  const by = (count: number): void => {
    const typed = typing ? readNumber(input.value) : null;
    typing = false;
    if (focused()) input.select();
    change((typed ?? now()) + count * step());
  };
  input.addEventListener("change", () => {
    typing = false;
    const read = input.value === shown ? null : readNumber(input.value);
    if (read === null) input.value = shown;
    else change(read);
    if (focused()) input.select();
  });
  input.addEventListener("focus", () => input.select());
  input.addEventListener("input", () => (typing = true));
  input.addEventListener("blur", () => {
    if (typing || isOld) input.value = shown;
    typing = isOld = false;
  });
  input.addEventListener("keydown", (event) => {
    // Enter makes the browser report a change; nothing more is to do.
    if (event.key === "Escape") {
      typing = false;
      input.value = shown;
      input.blur();
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      by((event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1));
      event.preventDefault();
    }
    // Saving is for the whole page.
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
  });
  return {
    element: input,
    show(text) {
      shown = text;
      if (typing || input.value === text) return;
      if (focused()) {
        // Whoever has just come replaces the number with the first key; a new number must not become the front of theirs. Who has put the cursor somewhere wants to type there.
        const isWhole = input.selectionStart === 0 && input.selectionEnd === input.value.length;
        isOld = !isWhole;
        if (isOld) return;
      }
      input.value = text;
      if (focused()) input.select();
    },
    by,
  };
}

export interface NumberField {
  element: HTMLElement;
  /** Shows a value unless the user is typing. */
  set(value: number): void;
}

/** A number with a name, step buttons and a unit. */
export function numberField(
  label: string,
  unit: string,
  step: () => number,
  change: (value: number) => void,
  tint?: string,
): NumberField {
  let value = 0;
  const input = numberInput({ "aria-label": `${label} in ${unit}` }, () => value, step, change);
  const stepper = (name: IconName, count: number, text: string): HTMLButtonElement =>
    h(
      "button",
      {
        class: "step",
        type: "button",
        title: `${text} ${label} (Shift: ten times)`,
        "aria-label": `${text} ${label}`,
        onclick: (event: MouseEvent) => input.by(count * (event.shiftKey ? 10 : 1)),
      },
      icon(name, 10),
    );
  const name = h("span", { class: "field-name" }, label);
  if (tint) name.style.color = tint;
  const element = h(
    "label",
    { class: "number" },
    name,
    stepper("minus", -1, "Less"),
    input.element,
    stepper("plus", 1, "More"),
    h("span", { class: "field-unit" }, unit),
  );
  return {
    element,
    set(next) {
      value = next;
      input.show(trimmed(next, 8));
    },
  };
}

/** A modal dialog; the returned function closes it. */
export function dialog(title: string, content: Node[], buttons: HTMLElement[] = [], kind = ""): () => void {
  const box = h("dialog", { class: `dialog ${kind}`, "aria-label": title });
  const close = (): void => {
    box.close();
    box.remove();
  };
  box.append(
    h(
      "header",
      {},
      h("h2", {}, title),
      h(
        "button",
        { class: "ghost square", type: "button", "aria-label": "Close", onclick: close },
        icon("close"),
      ),
    ),
    h("div", { class: "dialog-body" }, ...content),
  );
  if (buttons.length) box.append(h("footer", {}, ...buttons));
  box.addEventListener("keydown", (event) => event.stopPropagation());
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && close());
  document.body.append(box);
  box.showModal();
  return close;
}
