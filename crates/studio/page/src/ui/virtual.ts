// A long list of which only the rows that are seen exist; they are used again while it is scrolled.
import { h } from "./dom";

/** Rows above and below what is seen. */
const SPARE = 2;

export interface Row {
  element: HTMLElement;
  /** Shows an entry; called again when it may have changed. */
  fill(index: number): void;
}

export class VirtualRows {
  readonly element = h("div", { class: "rows" });
  private readonly space = h("div", { class: "rows-space" });
  private rows: (Row & { index: number })[] = [];
  private count = 0;

  constructor(
    private readonly height: number,
    private readonly make: () => Row,
    role = "rowgroup",
  ) {
    this.space.setAttribute("role", role);
    this.element.append(this.space);
    this.element.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  set(count: number): void {
    if (this.count !== count) {
      this.count = count;
      this.space.style.height = `${count * this.height}px`;
    }
    this.refresh();
  }

  /** Fills all rows that are seen anew. */
  refresh(): void {
    for (const row of this.rows) row.index = -1;
    this.draw();
  }

  /** True if the end of the list is seen. */
  get atEnd(): boolean {
    const { element } = this;
    return element.scrollTop + element.clientHeight >= element.scrollHeight - this.height;
  }

  toEnd(): void {
    this.element.scrollTop = this.element.scrollHeight;
  }

  reveal(index: number): void {
    const { element, height } = this;
    const top = index * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight;
  }

  private draw(): void {
    const { element, height } = this;
    const seen = element.clientHeight;
    if (seen === 0) return;
    const wanted = Math.min(this.count, Math.ceil(seen / height) + 2 * SPARE);
    while (this.rows.length < wanted) {
      const row = { ...this.make(), index: -1 };
      row.element.style.height = `${height}px`;
      this.rows.push(row);
      this.space.append(row.element);
    }
    const first = Math.max(0, Math.min(this.count - wanted, Math.floor(element.scrollTop / height) - SPARE));
    this.rows.forEach((row, slot) => {
      // Every entry has a row of its own by its number: rows that stay seen are not filled again.
      const index = first + ((((slot - first) % this.rows.length) + this.rows.length) % this.rows.length);
      const on = index < first + wanted && index < this.count;
      row.element.hidden = !on;
      if (!on) {
        row.index = -1;
        return;
      }
      if (row.index === index) return;
      row.index = index;
      row.element.style.transform = `translateY(${index * height}px)`;
      row.fill(index);
    });
  }
}
