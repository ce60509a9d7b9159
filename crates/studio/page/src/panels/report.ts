// What the verdict rests on: who checked when, which files, what may overlap, and which pairs no rule lets look at.
import type { State } from "../document/state";
import { lengthText } from "../document/units";
import type { AllowanceInfo, ApproachInfo, ExemptRuleInfo } from "../protocol";
import { h } from "../ui/dom";

/** So many digits tell files apart for people. */
const DIGITS = 12;

/** So many names of a list are shown; the tooltip has all. */
const NAMES = 3;

const ALLOWED_TEXT: Record<AllowanceInfo["by"], string> = {
  check: "all pairs",
  pair: "by a rule",
  grasp: "while it is held",
};

const APPROACH_TEXT: Record<ApproachInfo["by"], string> = {
  default: "ten times the clearance",
  check: "all pairs",
  pair: "by a rule",
};

const EXEMPT_TEXT: Record<ExemptRuleInfo["rule"], string> = {
  pair: "the scene says so",
  srdf: "SRDF",
  neighbours: "neighbouring links",
  fixed: "fixed to each other",
};

/** Lists that are open stay so while the panel is made anew. */
const opened = new Set<string>();

export function reportFacts(state: State): HTMLElement[] {
  const report = state.verdict;
  if (!report || report.date === null) return [];
  const { inputs, allowances, approach, exempt, planned } = report;
  const fact = (name: string, value: string, title = value): HTMLElement =>
    h("div", { class: "fact" }, h("dt", {}, name), h("dd", { title }, value));
  const when = new Date(report.date);
  const date = Number.isNaN(when.getTime()) ? report.date : when.toLocaleString();
  const tested = report.pairs_tested ?? 0;
  const looked = `${tested.toLocaleString("en")} tested, ${(report.pairs_remembered ?? 0).toLocaleString("en")} of them remembered; boxes told ${((report.pairs_apart ?? 0) + (report.pairs_measured ?? 0)).toLocaleString("en")} apart`;
  const rules = grouped(exempt);
  return [
    h("h2", {}, "Report"),
    h(
      "dl",
      { class: "facts", id: "report" },
      fact("Freiraum", report.version),
      fact("Checked", date, report.date),
      fact("Pairs", tested.toLocaleString("en"), looked),
      ...planned.map((one) =>
        fact(
          `Way of step ${one.index}`,
          one.found ? `found by ${one.planner}` : one.proven ? "there is none" : "none was found",
          one.reason ?? "",
        ),
      ),
    ),
    list(
      "inputs",
      `${inputs.length} ${inputs.length === 1 ? "file" : "files"} read`,
      inputs.map((input) =>
        entry(
          input.path,
          `${input.kind}, ${input.blake3.slice(0, DIGITS)}…`,
          `${input.path}\nBLAKE3 ${input.blake3}`,
        ),
      ),
    ),
    list(
      "allowances",
      allowances.length === 0
        ? "Nothing may overlap"
        : `${allowances.length} ${allowances.length === 1 ? "allowance" : "allowances"}`,
      allowances.map((one) =>
        entry(
          one.bodies ? pairText(one.bodies) : "all pairs",
          `${lengthText(one.allowance, state.units)}, ${place(ALLOWED_TEXT[one.by], one.line)}`,
          one.bodies ? pairText(one.bodies, Infinity) : "",
        ),
      ),
    ),
    approach.length === 0
      ? null
      : list(
          "approach",
          `${approach.length} ${approach.length === 1 ? "approach" : "approaches"} of fits`,
          approach.map((one) =>
            entry(
              one.bodies ? pairText(one.bodies) : "all pairs",
              `${lengthText(one.approach, state.units)}, ${place(APPROACH_TEXT[one.by], one.line)}`,
              one.bodies ? pairText(one.bodies, Infinity) : "",
            ),
          ),
        ),
    list(
      "exempt",
      exempt.length === 0
        ? "No rule takes pairs out"
        : left(exempt.reduce((sum, rule) => sum + rule.pairs, 0)),
      rules.map(({ rule, reason, pairs, all, line }) =>
        entry(
          reason || EXEMPT_TEXT[rule],
          `${pairs} ${pairs === 1 ? "pair" : "pairs"}, ${place(EXEMPT_TEXT[rule], line)}`,
          all.join("\n"),
        ),
      ),
    ),
    list(
      "notes",
      `${report.notes.length} ${report.notes.length === 1 ? "note" : "notes"} on files`,
      report.notes.map((note) => entry(note, "", note)),
    ),
  ].filter((one) => one !== null);
}

function left(pairs: number): string {
  return pairs === 1 ? "1 pair skipped" : `${pairs.toLocaleString("en")} pairs skipped`;
}

/** Rules of one kind with one reason are one. */
function grouped(
  exempt: ExemptRuleInfo[],
): { rule: ExemptRuleInfo["rule"]; reason: string; pairs: number; all: string[]; line: number | null }[] {
  const found = new Map<
    string,
    { rule: ExemptRuleInfo["rule"]; reason: string; pairs: number; all: string[]; line: number | null }
  >();
  for (const { rule, reason, bodies, pairs, line } of exempt) {
    const key = JSON.stringify([rule, reason]);
    const one = found.get(key) ?? { rule, reason, pairs: 0, all: [], line };
    one.pairs += pairs;
    one.all.push(pairText(bodies, Infinity));
    if (one.line !== line) one.line = null;
    found.set(key, one);
  }
  return [...found.values()];
}

function list(name: string, title: string, entries: HTMLElement[]): HTMLElement | null {
  if (entries.length === 0)
    return name === "notes" ? null : h("p", { class: "report-none", id: `report-${name}` }, title);
  // At the click, not when the browser tells of it later: the panel may be made anew in between.
  const press = (): unknown => (element.open ? opened.delete(name) : opened.add(name));
  const element = h(
    "details",
    { id: `report-${name}` },
    h("summary", { onclick: press }, title),
    h("ul", { class: "report-list" }, ...entries),
  );
  element.open = opened.has(name);
  return element;
}

function entry(what: string, more: string, title: string): HTMLElement {
  return h("li", { title }, h("strong", {}, what), more ? h("span", {}, more) : null);
}

function place(text: string, line: number | null): string {
  return line === null ? text : `${text}, line ${line}`;
}

function pairText([a, b]: [string[], string[]], most = NAMES): string {
  const names = (all: string[]): string =>
    all.length > most ? `${all.slice(0, most).join(", ")} and ${all.length - most} more` : all.join(", ");
  return `${names(a)} ↔ ${names(b)}`;
}
