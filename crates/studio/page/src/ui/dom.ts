// Small helpers that make DOM and SVG elements. Texts that are shown go through `plain`; the values of fields are as they are.
import { plain } from "./plain";

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/** Attributes that people get to see. */
const SHOWN = new Set(["title", "aria-label", "alt", "placeholder", "data-tip"]);

const shown = (child: Node | string): Node | string => (typeof child === "string" ? plain(child) : child);

function apply(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function")
      element.addEventListener(name.replace(/^on/, ""), value as (event: Event) => void);
    else
      element.setAttribute(
        name,
        value === true ? "" : SHOWN.has(name) ? plain(String(value)) : String(value),
      );
  }
  for (const child of children) if (child) element.append(shown(child));
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  apply(element, attributes, children);
  return element;
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)).map(shown));
}

/** Fills an element anew only when `key` differs from the last time: what a user is about to press stays where it is. */
export function refill(parent: HTMLElement, key: string, children: () => Child[]): void {
  if (parent.dataset["key"] === key) return;
  parent.dataset["key"] = key;
  // Who works with the keyboard stays where he is.
  const focused = parent.contains(document.activeElement) ? document.activeElement!.id : "";
  replace(parent, ...children());
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

export const cssColor = (rgb: readonly [number, number, number]): string =>
  `rgb(${rgb.map((c) => Math.round(c * 255)).join(" ")})`;
export const hexColor = (rgb: readonly [number, number, number]): string =>
  `#${rgb
    .map((c) =>
      Math.round(Math.max(0, Math.min(1, c)) * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
export function fromHex(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
