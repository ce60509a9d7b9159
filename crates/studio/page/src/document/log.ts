// What happened in a world: the events as they came, filters over them, and files to save.
import type { WorldEvent, WorldEventKind } from "../protocol";
import { trimmed } from "./units";

/** Older events are forgotten by the page. */
const MOST = 50_000;

export interface LogFilter {
  kind: WorldEventKind | "all" | "begins";
  /** Part of the name of a body, a goal or a vehicle, or of a message; small letters. */
  text: string;
  /** Newton seconds. */
  impulse: number;
}

export const NO_FILTER: LogFilter = { kind: "begins", text: "", impulse: 0 };

/** The bodies and other things that an event names. */
export const namesOf = (event: WorldEvent): string[] => [
  ...(event.bodies ?? []),
  ...[event.goal, event.vehicle, event.body].filter(
    (name): name is string => typeof name === "string" && name !== "",
  ),
];

export function passes(filter: LogFilter, event: WorldEvent): boolean {
  if (
    filter.kind === "begins"
      ? event.kind === "separation"
      : filter.kind !== "all" && event.kind !== filter.kind
  )
    return false;
  // Only what has an impulse can be too soft.
  if (
    event.impulse !== undefined
      ? event.impulse < filter.impulse
      : filter.impulse > 0 && event.kind === "separation"
  )
    return false;
  return (
    filter.text === "" ||
    namesOf(event).some((name) => name.toLowerCase().includes(filter.text)) ||
    (event.message?.toLowerCase().includes(filter.text) ?? false)
  );
}

export class Log {
  readonly events: WorldEvent[] = [];
  /** Those that pass the filter. */
  shown: WorldEvent[] = [];
  /** So many were forgotten. */
  lost = 0;
  private wanted: LogFilter = { ...NO_FILTER };

  get filter(): Readonly<LogFilter> {
    return this.wanted;
  }

  choose(change: Partial<LogFilter>): void {
    this.wanted = { ...this.wanted, ...change };
    this.shown = this.events.filter((event) => passes(this.wanted, event));
  }

  add(events: readonly WorldEvent[]): void {
    for (const event of events) {
      this.events.push(event);
      if (passes(this.wanted, event)) this.shown.push(event);
    }
    if (this.events.length <= MOST) return;
    this.lost += this.events.length - MOST;
    this.events.splice(0, this.events.length - MOST);
    this.choose({});
  }

  clear(): void {
    this.events.length = 0;
    this.shown = [];
    this.lost = 0;
  }
}

/** What an event says, in words. */
export function eventText(event: WorldEvent): string {
  const [a, b] = event.bodies ?? [];
  switch (event.kind) {
    case "collision":
      return `${a} meets ${b}`;
    case "separation":
      return `${a} leaves ${b}`;
    case "goal":
      return `goal ${event.count ?? ""} in ${event.goal}`;
    case "gripper":
      if (event.action === "missed")
        return `${event.vehicle} closes its gripper on ${event.body ?? "nothing"} in vain`;
      return `${event.vehicle} ${event.action === "released" ? "lets go of" : "holds"} ${event.body ?? "nothing"}`;
    default:
      return `${event.vehicle ? `${event.vehicle}: ` : ""}${event.message ?? event.kind}`;
  }
}

export const impulseText = (impulse: number): string => `${trimmed(impulse, 3)} N s`;

/** One event per line, as they came. */
export const jsonLines = (events: readonly WorldEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join("");

const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A table for spreadsheets; metres, seconds, newton seconds. */
export function csv(events: readonly WorldEvent[]): string {
  const cell = (value: number | undefined): string => (value === undefined ? "" : String(value));
  const rows = events.map((event) => {
    const [a, b] = namesOf(event);
    return [
      String(event.time),
      event.kind,
      quoted(a ?? ""),
      quoted(b ?? ""),
      ...[0, 1, 2].map((k) => cell(event.point?.[k])),
      ...[0, 1, 2].map((k) => cell(event.normal?.[k])),
      cell(event.impulse),
      quoted(eventText(event)),
    ].join(",");
  });
  return `${["time_s,kind,first,second,x_m,y_m,z_m,nx,ny,nz,impulse_Ns,text", ...rows].join("\n")}\n`;
}
