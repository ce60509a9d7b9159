// Six fields for a pose: position in the scene's unit, orientation as yaw, pitch and roll in degrees.
import { fromRollPitchYaw, makePose, orientation, position, rollPitchYaw } from "../document/poses";
import { degrees, metresPer, radians, roundStep } from "../document/units";
import type { Pose } from "../protocol";
import { h } from "../ui/dom";
import { numberField } from "../ui/widgets";

export const AXIS_COLORS = ["var(--x)", "var(--y)", "var(--z)"];
const NAMES = ["X", "Y", "Z"];

export interface PoseFields {
  elements: HTMLElement[];
  set(pose: Pose): void;
}

/** `prefix` goes before the ids `position-x` and `angle-x`; `size` is the radius of the scene in metres. */
export function poseFields(
  prefix: string,
  units: string,
  size: () => number,
  now: () => Pose | null,
  change: (pose: Pose) => void,
): PoseFields {
  const unit = metresPer(units);
  const step = (): number => Math.max(Number.MIN_VALUE, roundStep((size() / unit) * 0.01));
  const changed = (kind: "position" | "angles", axis: number, value: number): void => {
    const pose = now();
    if (!pose) return;
    const p = [...position(pose)] as [number, number, number];
    if (kind === "position") {
      p[axis] = value * unit;
      return change(makePose(p, orientation(pose)));
    }
    const angles = [...rollPitchYaw(orientation(pose))] as [number, number, number];
    angles[axis] = radians(value);
    change(makePose(p, fromRollPitchYaw(angles)));
  };
  const places = NAMES.map((name, axis) =>
    numberField(name, units, step, (value) => changed("position", axis, value), AXIS_COLORS[axis]),
  );
  const angles = ["Roll X", "Pitch Y", "Yaw Z"].map((name, axis) =>
    numberField(
      name,
      "°",
      () => 5,
      (value) => changed("angles", axis, value),
      AXIS_COLORS[axis],
    ),
  );
  places.forEach(
    (field, axis) => (field.element.querySelector("input")!.id = `${prefix}position-${"xyz"[axis]}`),
  );
  angles.forEach(
    (field, axis) => (field.element.querySelector("input")!.id = `${prefix}angle-${"xyz"[axis]}`),
  );
  return {
    // Yaw first, as the rotation is read: z, then y, then x.
    elements: [
      h("h3", {}, "Position"),
      ...places.map((field) => field.element),
      h(
        "h3",
        { title: "zyx Euler angles: yaw about z, then pitch about the new y, then roll about the new x" },
        "Orientation",
      ),
      ...[...angles].reverse().map((field) => field.element),
    ],
    set(pose) {
      position(pose).forEach((value, axis) => places[axis]!.set(cleaned(value / unit)));
      rollPitchYaw(orientation(pose)).forEach((value, axis) => angles[axis]!.set(cleaned(degrees(value))));
    },
  };
}

/** Without the dust that unit conversion leaves (0.30000000000000004). */
const cleaned = (value: number): number => Number(value.toPrecision(12));
