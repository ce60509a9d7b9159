// The tree on the left: steps, groups and bodies, with a search over all of them.
import { moveText } from "../protocol";
import type { Actions } from "../tools/actions";
import { cssColor, h, replace } from "../ui/dom";
import { icon } from "../ui/icons";

export function tree(actions: Actions): HTMLElement {
  const { state } = actions;
  const search = h("input", { type: "search", placeholder: "Search", "aria-label": "Search bodies, groups and steps", id: "search", autocomplete: "off" });
  const list = h("div", { class: "tree-list", role: "tree", "aria-label": "Scene", "aria-multiselectable": "true" });
  const closed = new Set<string>();
  const rows: { element: HTMLElement; body?: number; step?: number; bodies?: number[] }[] = [];

  const section = (name: string, count: number, items: HTMLElement[]): HTMLElement | null => {
    if (count === 0) return null;
    const open = !closed.has(name) || search.value !== "";
    const head = h(
      "button",
      {
        class: "tree-head",
        type: "button",
        "aria-expanded": String(open),
        onclick: () => {
          if (closed.has(name)) closed.delete(name);
          else closed.add(name);
          build();
        },
      },
      icon("chevron", 10),
      h("span", {}, name),
      h("span", { class: "count" }, String(count)),
    );
    return h("section", { class: open ? "open" : "" }, head, ...(open ? items : []));
  };

  const eye = (bodies: number[]): HTMLElement => {
    const hidden = bodies.every((body) => state.hidden.has(body));
    return h(
      "button",
      {
        class: `eye${hidden ? " off" : ""}`,
        type: "button",
        title: hidden ? "Show" : "Hide",
        "aria-label": hidden ? "Show" : "Hide",
        onclick: (event: MouseEvent) => {
          event.stopPropagation();
          actions.toggleHidden(bodies);
        },
      },
      icon(hidden ? "hidden" : "eye", 14),
    );
  };

  const row = (entry: (typeof rows)[number], ...children: (Node | string | null)[]): HTMLElement => {
    const { element } = entry;
    for (const child of children) if (child) element.append(child);
    rows.push(entry);
    element.addEventListener("keydown", (event) => {
      const key = (event as KeyboardEvent).key;
      // Enter records a draft, wherever the focus is.
      if (key === "Enter" && state.draft) return;
      if (key === "Enter" || key === " ") element.click();
      else if (key === "ArrowDown" || key === "ArrowUp") {
        const all = [...list.querySelectorAll<HTMLElement>("[role=treeitem]")];
        all[all.indexOf(element) + (key === "ArrowDown" ? 1 : -1)]?.focus();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
    return element;
  };
  const item = (title: string, press: (event: MouseEvent) => void, open?: () => void): HTMLElement =>
    h("div", { class: "tree-row", role: "treeitem", tabindex: 0, title, onclick: press, ondblclick: open ?? (() => {}) });

  /** Steps are put in another order by dragging them. */
  const sortable = (element: HTMLElement, index: number): void => {
    element.draggable = true;
    element.addEventListener("dragstart", (event) => event.dataTransfer?.setData("application/x-step", String(index)));
    element.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("application/x-step")) return;
      event.preventDefault();
      element.classList.add("dropping-here");
    });
    element.addEventListener("dragleave", () => element.classList.remove("dropping-here"));
    element.addEventListener("drop", (event) => {
      element.classList.remove("dropping-here");
      const from = Number(event.dataTransfer?.getData("application/x-step") || Number.NaN);
      if (!Number.isInteger(from) || from === index) return;
      event.preventDefault();
      void actions.ask("move_step", { from, to: index }).then((answer) => answer && actions.selectStep(index));
    });
  };

  const build = (): void => {
    const { scene } = state;
    rows.length = 0;
    if (!scene) return replace(list);
    const wanted = search.value.trim().toLowerCase();
    const matches = (name: string): boolean => name.toLowerCase().includes(wanted);
    const steps = scene.steps.map((step, index) => ({ step, index })).filter(({ step }) => matches(step.name));
    const groups = scene.groups.filter((group) => matches(group.name));
    const bodies = scene.bodies.map((body, index) => ({ body, index })).filter(({ body }) => matches(body.name));
    const stepRows = steps.map(({ step, index }) => {
      const verdict = state.verdict?.steps[index]?.verdict ?? "none";
      const element = item(step.moves.map(moveText).join(", "), () => {
        actions.selectStep(index);
        actions.seek(state.timeOf(index, 1));
      });
      sortable(element, index);
      return row({ element, step: index }, h("span", { class: `bullet verdict-${verdict}`, title: verdict.replace("_", " ") }), h("span", { class: "number-tag" }, String(index + 1)), h("span", { class: "name" }, step.name));
    });
    const groupRows = groups.map((group) => {
      const element = item(group.members.map((member) => scene.bodies[member]?.name).join(", "), () => actions.selectMany(group.members), () => actions.fit());
      return row({ element, bodies: group.members }, icon("folder", 14), h("span", { class: "name" }, group.name), h("span", { class: "count" }, String(group.members.length)), eye(group.members));
    });
    const bodyRows = bodies.map(({ body, index }) => {
      const dot = h("span", { class: "dot" });
      dot.style.background = cssColor(body.color);
      const element = item(body.fixed ? "fixed" : body.name, (event) => actions.select(index, event.ctrlKey || event.metaKey || event.shiftKey), () => actions.fit());
      element.addEventListener("pointerenter", () => hover(index));
      element.addEventListener("pointerleave", () => hover(null));
      return row({ element, body: index }, dot, h("span", { class: "name" }, body.name), body.fixed ? h("span", { class: "tag" }, "fixed") : null, eye([index]));
    });
    const top = list.scrollTop;
    replace(
      list,
      section("Steps", steps.length, stepRows),
      section("Groups", groups.length, groupRows),
      section("Bodies", bodies.length, bodyRows),
      rows.length === 0 && wanted ? h("p", { class: "empty" }, "Nothing has this name.") : null,
      !wanted && scene.bodies.length === 0 ? h("p", { class: "empty" }, "No bodies yet. Drop mesh files (STL, OBJ, PLY …) into the view.") : null,
    );
    list.scrollTop = top;
    mark(false);
  };

  const hover = (body: number | null): void => {
    state.hovered = body;
    actions.viewport.bodies.restyle();
    actions.viewport.request();
  };

  const mark = (scroll = true): void => {
    for (const { element, body, step, bodies } of rows) {
      const on = body !== undefined ? state.selected.has(body) : step !== undefined ? state.selectedStep === step : bodies!.length > 0 && bodies!.length === state.selected.size && bodies!.every((one) => state.selected.has(one));
      element.setAttribute("aria-selected", String(on));
      element.classList.toggle("hidden-body", body !== undefined && state.hidden.has(body));
      if (on && scroll && (step !== undefined || state.selected.size === 1)) element.scrollIntoView({ block: "nearest" });
    }
  };

  search.addEventListener("input", build);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      search.value = "";
      build();
      search.blur();
    }
    event.stopPropagation();
  });
  state.on(["scene", "verdict", "visibility"], build);
  state.on("selection", () => mark());
  build();
  return h("aside", { class: "panel tree", "aria-label": "Tree" }, h("div", { class: "search" }, icon("search", 14), search), list);
}
