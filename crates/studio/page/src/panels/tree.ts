// The tree on the left: steps, robots with their links, groups and bodies, with a search over all of them.
import { actionText, stepName } from "../document/robots";
import { moveText } from "../protocol";
import type { Actions } from "../tools/actions";
import { cssColor, h, replace } from "../ui/dom";
import { icon } from "../ui/icons";

export function tree(actions: Actions): HTMLElement {
  const { state } = actions;
  const search = h("input", {
    type: "search",
    placeholder: "Search",
    "aria-label": "Search bodies, robots, groups and steps",
    id: "search",
    autocomplete: "off",
  });
  const list = h("div", {
    class: "tree-list",
    role: "tree",
    "aria-label": "Scene",
    "aria-multiselectable": "true",
  });
  const closed = new Set<string>();
  /** Robots whose links are listed. */
  const opened = new Set<string>();
  const rows: { element: HTMLElement; body?: number; step?: number; robot?: number; bodies?: number[] }[] =
    [];

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

  const eye = (bodies: number[], name: string): HTMLElement => {
    const hidden = bodies.length > 0 && bodies.every((body) => state.hidden.has(body));
    return h(
      "button",
      {
        class: `eye${hidden ? " off" : ""}`,
        type: "button",
        title: hidden ? "Show" : "Hide",
        "aria-label": `${hidden ? "Show" : "Hide"} ${name}`,
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
  /** `more` is told beside the name by the tooltip and to screen readers. */
  const item = (
    name: string,
    more: string,
    press: (event: MouseEvent) => void,
    open?: () => void,
  ): HTMLElement =>
    h("div", {
      class: "tree-row",
      role: "treeitem",
      tabindex: 0,
      "aria-level": 1,
      "aria-label": more ? `${name}, ${more}` : name,
      title: more ? `${name}\n${more}` : name,
      onclick: press,
      ondblclick: open ?? (() => {}),
    });

  /** Steps are put in another order by dragging them. */
  const sortable = (element: HTMLElement, index: number): void => {
    element.draggable = true;
    element.addEventListener("dragstart", (event) =>
      event.dataTransfer?.setData("application/x-step", String(index)),
    );
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
      void actions
        .ask("move_step", { from, to: index })
        .then((answer) => answer && actions.selectStep(answer.step ?? index));
    });
  };

  const build = (): void => {
    const { scene } = state;
    rows.length = 0;
    if (!scene) return replace(list);
    const wanted = search.value.trim().toLowerCase();
    const matches = (name: string): boolean => name.toLowerCase().includes(wanted);
    const steps = scene.steps
      .map((step, index) => ({ step, index }))
      .filter(({ step }) => matches(step.name));
    const groups = scene.groups.filter((group) => matches(group.name));
    const bodies = scene.bodies
      .map((body, index) => ({ body, index }))
      .filter(({ body }) => body.robot == null && matches(body.name));
    const robots = state.robots
      .map((robot, index) => ({
        robot,
        index,
        parts: state.bodiesOf(index).filter((body) => matches(scene.bodies[body]!.name)),
      }))
      .filter(({ robot, parts }) => matches(robot.name) || parts.length > 0);
    const stepRows = steps.map(({ step, index }) => {
      const verdict = state.verdict?.steps[index]?.verdict ?? "none";
      const what = step.actions?.length
        ? step.actions
            .map((action) => `${state.robots[action.robot]?.name ?? ""} ${actionText(action)}`)
            .join("\n")
        : step.moves.map(moveText).join(", ");
      const element = item(
        step.name,
        [verdict === "none" ? "" : verdict.replace("_", " "), what].filter(Boolean).join("\n"),
        () => {
          actions.selectStep(index);
          actions.seek(state.timeOf(index, 1));
        },
      );
      element.setAttribute(
        "aria-label",
        `Step ${state.label(index)}: ${step.name}${verdict === "none" ? "" : `, ${verdict.replace("_", " ")}`}`,
      );
      sortable(element, index);
      return row(
        { element, step: index },
        h("span", { class: `bullet verdict-${verdict}`, title: verdict.replace("_", " ") }),
        h("span", { class: "number-tag" }, state.label(index)),
        h("span", { class: "name" }, stepName(step)),
      );
    });
    const groupRows = groups.map((group) => {
      const element = item(
        group.name,
        group.members.map((member) => scene.bodies[member]?.name).join(", "),
        () => actions.selectMany(group.members),
        () => actions.fit(),
      );
      return row(
        { element, bodies: group.members },
        icon("folder", 14),
        h("span", { class: "name" }, group.name),
        h("span", { class: "count" }, String(group.members.length)),
        eye(group.members, group.name),
      );
    });
    const bodyRows = bodies.map(({ body, index }) => {
      const dot = h("span", { class: "dot" });
      dot.style.background = cssColor(body.color);
      const element = item(
        body.name,
        body.fixed ? "fixed" : "",
        (event) => actions.select(index, event.ctrlKey || event.metaKey || event.shiftKey),
        () => actions.fit(),
      );
      element.addEventListener("pointerenter", () => hover(index));
      element.addEventListener("pointerleave", () => hover(null));
      return row(
        { element, body: index },
        dot,
        h("span", { class: "name" }, body.name),
        body.fixed ? h("span", { class: "tag" }, "fixed") : null,
        eye([index], body.name),
      );
    });
    const robotRows = robots.flatMap(({ robot, index, parts }) => {
      const open = opened.has(robot.name) || wanted !== "";
      const element = item(
        robot.name,
        `robot, ${robot.joints.length} joints`,
        () => actions.selectRobot(index),
        () => actions.fit(),
      );
      element.setAttribute("aria-expanded", String(open));
      const fold = h(
        "button",
        {
          class: `fold${open ? " open" : ""}`,
          type: "button",
          tabindex: -1,
          title: open ? "Hide its links" : "Show its links",
          "aria-label": `${open ? "Hide" : "Show"} the links of ${robot.name}`,
          onclick: (event: MouseEvent) => (event.stopPropagation(), turn(!open)),
        },
        icon("chevron", 10),
      );
      const turn = (to: boolean): void => {
        if (to) opened.add(robot.name);
        else opened.delete(robot.name);
        build();
        list.querySelector<HTMLElement>(`[data-robot="${index}"]`)?.focus();
      };
      element.dataset["robot"] = String(index);
      element.addEventListener("keydown", (event) => {
        if ((event.key !== "ArrowRight" || open) && (event.key !== "ArrowLeft" || !open)) return;
        turn(event.key === "ArrowRight");
        event.preventDefault();
        event.stopPropagation();
      });
      const all = state.bodiesOf(index);
      const head = row(
        { element, robot: index },
        fold,
        icon("robot", 14),
        h("span", { class: "name" }, robot.name),
        h("span", { class: "count" }, String(all.length)),
        eye(all, robot.name),
      );
      if (!open) return [head];
      const links = (wanted && !matches(robot.name) ? parts : all).map((body) => {
        const name = scene.bodies[body]!.name;
        const dot = h("span", { class: "dot" });
        dot.style.background = cssColor(scene.bodies[body]!.color);
        const link = item(
          name,
          robot.tools.includes(body) ? "tool" : "link",
          () => actions.select(body),
          () => actions.fit(),
        );
        link.classList.add("child");
        link.setAttribute("aria-level", "2");
        link.addEventListener("pointerenter", () => hover(body));
        link.addEventListener("pointerleave", () => hover(null));
        // Its robot is selected with it: the row of the robot is marked.
        return row(
          { element: link, bodies: [] },
          dot,
          h(
            "span",
            { class: "name" },
            name.startsWith(`${robot.name}/`) ? name.slice(robot.name.length + 1) : name,
          ),
          robot.tools.includes(body) ? h("span", { class: "tag" }, "tool") : null,
          eye([body], name),
        );
      });
      return [head, ...links];
    });
    const top = list.scrollTop;
    replace(
      list,
      section("Steps", steps.length, stepRows),
      section("Robots", robots.length, robotRows),
      section("Groups", groups.length, groupRows),
      section("Bodies", bodies.length, bodyRows),
      rows.length === 0 && wanted ? h("p", { class: "empty" }, "Nothing has this name.") : null,
      !wanted && scene.bodies.length === 0
        ? h("p", { class: "empty" }, "No bodies yet. Drop mesh files (STL, OBJ, PLY …) into the view.")
        : null,
    );
    list.scrollTop = top;
    mark(false);
  };

  const hover = (body: number | null): void => {
    state.hover(body);
    actions.viewport.bodies.restyle();
    actions.viewport.request();
  };

  const mark = (scroll = true): void => {
    for (const { element, body, step, robot, bodies } of rows) {
      const on =
        robot !== undefined
          ? state.robot === robot
          : body !== undefined
            ? state.selected.has(body)
            : step !== undefined
              ? state.selectedStep === step
              : bodies!.length > 0 &&
                bodies!.length === state.selected.size &&
                bodies!.every((one) => state.selected.has(one));
      element.setAttribute("aria-selected", String(on));
      element.classList.toggle("hidden-body", body !== undefined && state.hidden.has(body));
      if (on && scroll && (step !== undefined || robot !== undefined || state.selected.size === 1))
        element.scrollIntoView({ block: "nearest" });
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
  return h(
    "aside",
    { class: "panel tree", "aria-label": "Tree" },
    h("div", { class: "search" }, icon("search", 14), search),
    list,
  );
}
