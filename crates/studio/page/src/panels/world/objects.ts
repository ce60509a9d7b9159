// The table of all bodies of a world; mass, friction, restitution and activity can be changed while it runs.
import { plain } from "../../ui/plain";
import { readNumber, trimmed } from "../../document/units";
import type { Worlding } from "../../tools/worlding";
import { cssColor, h } from "../../ui/dom";
import { icon } from "../../ui/icons";
import { type Row, VirtualRows } from "../../ui/virtual";
import type { WorldBody } from "../../protocol";

type Column = "name" | "kind" | "mass" | "friction" | "restitution" | "active" | "speed";
const COLUMNS: [Column, string, string][] = [
  ["name", "Name", ""],
  [
    "kind",
    "Kind",
    "Fixed bodies stay, movable ones obey gravity and contacts, kinematic ones go on whatever is in the way",
  ],
  ["mass", "Mass, kg", "A click changes it"],
  ["friction", "Friction", "Coulomb's coefficient; that of a pair is the product of both"],
  ["restitution", "Restitution", "How much of the speed is left after an impact; of a pair the smaller one"],
  ["active", "Active", "A body that is not active stays where it is"],
  ["speed", "Speed, m/s", "Of its centre of mass"],
];
const ROW_PIXELS = 26;
const SPEED_MILLISECONDS = 125;
type Editable = "mass" | "friction" | "restitution";

export interface Panel {
  element: HTMLElement;
  tools: HTMLElement;
  update(): void;
}

export function objects(worlding: Worlding): Panel & { count(): number } {
  const { actions } = worlding;
  const { state } = actions;
  const search = h("input", {
    type: "search",
    id: "object-filter",
    placeholder: "Filter by name",
    "aria-label": "Filter objects by name",
    autocomplete: "off",
  });
  const movers = h("input", { type: "checkbox", id: "object-movers", onchange: () => update() });
  let order: { column: Column; down: boolean } = { column: "name", down: false };
  let sorted = false;
  let list: number[] = [];
  let refreshed = 0;

  const value = (body: number, column: Column): string | number => {
    const one = state.world!.bodies[body]!;
    if (column === "speed") return state.world!.speeds[body]!;
    if (column === "active") return one.active ? 0 : 1;
    return one[column] ?? Number.POSITIVE_INFINITY;
  };

  const gather = (): void => {
    const { world } = state;
    const text = search.value.trim().toLowerCase();
    list = (world?.bodies ?? []).flatMap((body, index) =>
      body.name.toLowerCase().includes(text) && (!movers.checked || body.can_move) ? [index] : [],
    );
    // What moves is what is looked for.
    if (!sorted)
      return void list.sort(
        (a, b) => Number(world!.bodies[b]!.can_move) - Number(world!.bodies[a]!.can_move) || a - b,
      );
    const sign = order.down ? -1 : 1;
    list.sort((a, b) => {
      const [x, y] = [value(a, order.column), value(b, order.column)];
      const by =
        typeof x === "string" ? x.localeCompare(y as string, "en", { numeric: true }) : x - (y as number);
      return by === 0 || Number.isNaN(by) ? a - b : sign * by;
    });
  };

  /** A number that can be typed over. */
  const editor = (
    column: Editable,
    current: () => number,
  ): { element: HTMLInputElement; set(body: WorldBody): void } => {
    let shown = "";
    const element = h("input", {
      type: "text",
      inputmode: "decimal",
      class: "cell-input",
      autocomplete: "off",
      spellcheck: "false",
      "data-column": column,
    });
    const back = (): void => void (element.value = shown);
    element.addEventListener("change", () => {
      const read = readNumber(element.value);
      if (read === null || element.value === shown) return back();
      void worlding.set(current(), { [column]: read }).then(() => rows.refresh());
    });
    element.addEventListener("focus", () => element.select());
    element.addEventListener("blur", () => rows.refresh());
    element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        back();
        element.blur();
      } else if (event.key === "Enter") element.blur();
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
    });
    element.addEventListener("click", (event) => event.stopPropagation());
    return {
      element,
      set(body) {
        const now = body[column];
        shown = now === null ? "" : trimmed(now, 5);
        element.disabled = state.world!.replay !== null || (column === "mass" && body.kind === "fixed");
        element.placeholder = now === null ? "–" : "";
        element.setAttribute("aria-label", `${column} of ${body.name}`);
        if (document.activeElement !== element) element.value = shown;
      },
    };
  };

  const makeRow = (): Row => {
    let body = -1;
    const dot = h("span", { class: "dot" });
    const name = h("span", { class: "name" });
    const kind = h("span", { class: "cell", role: "cell" });
    const speed = h("span", { class: "cell right", role: "cell" });
    const active = h("input", {
      type: "checkbox",
      onchange: () => void worlding.set(body, { active: active.checked }),
    });
    active.addEventListener("click", (event) => event.stopPropagation());
    const fields = (["mass", "friction", "restitution"] as const).map((column) => editor(column, () => body));
    const element = h(
      "div",
      {
        class: "table-row object-row",
        role: "row",
        tabindex: 0,
        onclick: (event: MouseEvent) => pick(body, event.ctrlKey || event.metaKey || event.shiftKey),
        ondblclick: () => worlding.follow.start(body),
      },
      h("span", { class: "cell", role: "cell" }, dot, name),
      kind,
      ...fields.map((field) => h("span", { class: "cell right", role: "cell" }, field.element)),
      h("span", { class: "cell middle", role: "cell" }, active),
      speed,
    );
    element.addEventListener("keydown", (event) => {
      if (event.target !== element || (event.key !== "Enter" && event.key !== " ")) return;
      pick(body, false);
      event.preventDefault();
      event.stopPropagation();
    });
    element.addEventListener("pointerenter", () => hover(body));
    element.addEventListener("pointerleave", () => hover(null));
    return {
      element,
      fill(index) {
        const { world } = state;
        body = list[index]!;
        const one = world?.bodies[body];
        if (!world || !one) return;
        dot.style.background = cssColor(one.color);
        name.textContent = name.title = plain(one.name);
        kind.textContent = one.kind;
        kind.className = `cell kind-${one.kind}`;
        for (const field of fields) field.set(one);
        active.checked = one.active;
        active.disabled = !one.can_move && one.active;
        active.disabled ||= world.replay !== null;
        active.setAttribute("aria-label", `${one.name} is active`);
        speed.textContent = one.can_move ? world.speeds[body]!.toFixed(3) : "–";
        element.dataset["body"] = one.name;
        element.setAttribute("aria-selected", String(state.selected.has(body)));
        element.classList.toggle("still", !one.can_move);
      },
    };
  };

  const pick = (body: number, add: boolean): void => {
    actions.select(body, add);
    if (!add) actions.viewport.fitNear([body]);
  };
  const hover = (body: number | null): void => {
    state.hover(body);
    actions.viewport.bodies.restyle();
    actions.viewport.request();
  };

  const rows = new VirtualRows(ROW_PIXELS, makeRow);
  const heads = COLUMNS.map(([column, text, title]) =>
    h(
      "button",
      {
        type: "button",
        class: `head head-${column}`,
        role: "columnheader",
        title: title ? `${title}. Sorts by ${text.toLowerCase()}` : `Sorts by ${text.toLowerCase()}`,
        onclick: () => sort(column),
      },
      text,
    ),
  );
  const sort = (column: Column): void => {
    order = {
      column,
      down: sorted && order.column === column ? !order.down : column === "speed" || column === "mass",
    };
    sorted = true;
    heads.forEach((head, index) =>
      head.setAttribute(
        "aria-sort",
        COLUMNS[index]![0] === column ? (order.down ? "descending" : "ascending") : "none",
      ),
    );
    update();
  };
  const nothing = h("p", { class: "empty" });
  const element = h(
    "div",
    { class: "table objects", role: "table", "aria-label": "Objects" },
    h("div", { class: "table-row table-head", role: "row" }, ...heads),
    rows.element,
    nothing,
  );

  const update = (): void => {
    gather();
    nothing.hidden = list.length > 0;
    nothing.textContent = search.value
      ? "No object has this name."
      : movers.checked
        ? "Nothing in this world can move."
        : "There are no objects.";
    rows.set(list.length);
  };
  search.addEventListener("input", update);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      search.value = "";
      update();
      search.blur();
    }
    event.stopPropagation();
  });
  state.on("frame", () => {
    const now = performance.now();
    if (!element.isConnected || element.offsetParent === null || now - refreshed < SPEED_MILLISECONDS) return;
    refreshed = now;
    // What is sorted by speed changes its order, but not under the pointer.
    if (sorted && order.column === "speed" && !element.matches(":hover")) gather();
    rows.refresh();
  });
  state.on("selection", () => {
    rows.refresh();
    const [only] = state.selected;
    if (state.world && state.selected.size === 1 && list.includes(only!)) rows.reveal(list.indexOf(only!));
  });
  return {
    element,
    tools: h(
      "div",
      { class: "row dock-tools" },
      h("span", { class: "search-small" }, icon("search", 13), search),
      h("label", { class: "inline" }, movers, "only what can move"),
    ),
    update,
    count: () => state.world?.bodies.length ?? 0,
  };
}
