// The world workspace: what it puts beside, below and over the view.
import type { Worlding } from "../../tools/worlding";
import { h, replace } from "../../ui/dom";
import { button } from "../../ui/widgets";
import type { Files } from "../files";
import { worldDetail } from "./detail";
import { drivePad } from "./drivePad";
import { worldNotes } from "./empty";
import { events } from "./events";
import { objects } from "./objects";
import { worldSide } from "./side";
import { transport } from "./transport";
import "./world.css";

export interface WorldPanels {
  side: HTMLElement;
  detail: HTMLElement;
  dock: HTMLElement;
  over: HTMLElement[];
}

type Tab = "objects" | "events";

export function worldPanels(worlding: Worlding, files: Files): WorldPanels {
  const { state } = worlding.actions;
  const panels = { objects: objects(worlding), events: events(worlding) };
  let tab: Tab = "objects";
  let open = true;
  const heads = h("div", { class: "dock-head" });
  const content = h("div", { class: "dock-body", id: "dock-body", role: "tabpanel" });
  const counts = { objects: h("span", { class: "count" }), events: h("span", { class: "count" }) };

  const turn = (to: Tab): void => {
    tab = to;
    open = true;
    draw();
  };
  const tabButton = (name: Tab, text: string): HTMLElement =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        class: "dock-tab",
        id: `dock-${name}`,
        "aria-selected": String(open && tab === name),
        "aria-controls": "dock-body",
        onclick: () => turn(name),
      },
      text,
      counts[name],
    );

  const draw = (): void => {
    replace(
      heads,
      h(
        "div",
        { class: "row", role: "tablist", "aria-label": "Lists" },
        tabButton("objects", "Objects"),
        tabButton("events", "Events"),
      ),
      h("span", { class: "grow" }),
      open ? panels[tab].tools : null,
      button({
        icon: open ? "down" : "up",
        title: open ? "Hide the list" : "Show the list",
        id: "dock-fold",
        press: () => ((open = !open), draw()),
      }),
    );
    content.hidden = !open;
    if (content.firstElementChild !== panels[tab].element) replace(content, panels[tab].element);
    if (open) panels[tab].update();
    count();
  };
  const count = (): void => {
    for (const name of ["objects", "events"] as const) {
      const text = panels[name].count().toLocaleString("en");
      if (counts[name].textContent !== text) counts[name].textContent = text;
    }
  };
  state.on("world", () => {
    if (!state.worldly) return;
    count();
    if (open) panels[tab].update();
  });
  state.on("log", count);
  const app = document.getElementById("app")!;
  state.on(["world", "scene"], () => app.classList.toggle("worldly", state.worldly));
  draw();
  return {
    side: worldSide(worlding),
    detail: worldDetail(worlding),
    dock: h(
      "footer",
      { class: "panel world-dock", "aria-label": "World controls" },
      transport(worlding),
      h("div", { class: "dock" }, heads, content),
    ),
    over: [worldNotes(worlding, files), drivePad(worlding)],
  };
}
