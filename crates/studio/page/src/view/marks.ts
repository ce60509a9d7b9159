// From what the user looks at (a finding, a closest pair, the contact that stopped a slide, a measurement) to marks in the view.
import { add, length, subtract } from "../document/poses";
import type { State } from "../document/state";
import { lengthText } from "../document/units";
import type { Contact, Vec3 } from "../protocol";
import type { PickTools } from "../tools/pickTools";
import { CLOSE_COLOR, CONTACT_COLOR, FREE_COLOR } from "./colors";
import { type MarkerLine, vector } from "./markers";

const NORMAL_PIXELS = 64;

export function marks(
  state: State,
  contact: Contact | null,
  picks: Pick<PickTools, "first" | "measured">,
): MarkerLine[] {
  const lines: MarkerLine[] = [];
  const between = (a: Vec3, b: Vec3, color: number): void =>
    void lines.push({
      from: vector(a),
      to: vector(b),
      label: lengthText(length(subtract(a, b)), state.units, 5),
      color,
      arrow: false,
      balls: true,
    });
  const touch = (point: Vec3, normal: Vec3 | null | undefined, label: string): void => {
    const from = vector(point);
    lines.push({
      from,
      to: normal ? from.clone().add(vector(normal)) : from,
      label,
      color: CONTACT_COLOR,
      arrow: Boolean(normal),
      balls: false,
      ...(normal ? { pixels: NORMAL_PIXELS } : {}),
    });
  };
  const { focus } = state;
  if (focus?.kind === "finding") {
    const { finding } = focus;
    if (finding.point_a && finding.point_b) between(finding.point_a, finding.point_b, CLOSE_COLOR);
    else if (finding.point)
      touch(
        finding.point,
        finding.normal,
        finding.kind === "overlap" && finding.depth
          ? `${lengthText(finding.depth, state.units)} deep`
          : "contact",
      );
  } else if (focus?.kind === "closest") {
    const closest = state.verdict?.steps[focus.step]?.closest;
    if (closest) between(closest.point_a, closest.point_b, FREE_COLOR);
  }
  const { draftClosest: near } = state;
  if (near && !focus && !contact && (state.draft || state.shown.size > 0))
    between(near.point_a, near.point_b, near.distance < (near.required ?? 0) ? CLOSE_COLOR : FREE_COLOR);
  const { jog, stand } = state;
  if (jog && stand && !focus) {
    const trial = jog.trial?.kind === "touches" ? jog.trial.contact : null;
    const at = stand.findings.find((one) => one.point && one.kind !== "too_close");
    const near = stand.findings.find((one) => one.point_a && one.point_b) ?? stand.closest;
    if (at?.point)
      touch(at.point, at.normal, at.depth ? `${lengthText(at.depth, state.units)} deep` : "contact");
    else if (trial?.point) touch(trial.point, trial.normal, "touches on the way");
    else if (near?.point_a && near.point_b)
      between(near.point_a, near.point_b, stand.findings.length > 0 ? CLOSE_COLOR : FREE_COLOR);
  }
  if (contact?.point) touch(contact.point, contact.normal, "contact");
  const { first, measured } = picks;
  if (measured) between(measured.from, measured.to, FREE_COLOR);
  // What the first of two clicks took stays marked.
  const held = (from: Vec3, to: Vec3, more: Partial<MarkerLine>): void =>
    void lines.push({
      from: vector(from),
      to: vector(to),
      label: "",
      color: FREE_COLOR,
      arrow: false,
      balls: false,
      ...more,
    });
  if (first && state.pick === "align" && first.atEdge) held(first.edge[0], first.edge[1], { balls: true });
  else if (first && state.pick === "align")
    held(first.point, add(first.point, first.normal), { arrow: true, pixels: 48 });
  else if (first && state.pick !== "none") held(first.vertex, first.vertex, {});
  return lines;
}
