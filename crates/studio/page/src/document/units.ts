// How lengths, angles and times are shown and read. The protocol is metres and radians; the scene names the unit of its lengths.

const METRES: Record<string, number> = {
  m: 1,
  dm: 0.1,
  cm: 0.01,
  mm: 0.001,
  um: 1e-6,
  µm: 1e-6,
  in: 0.0254,
  ft: 0.3048,
  km: 1000,
};

export const metresPer = (units: string): number => METRES[units] ?? 1;

/** At most `digits` significant digits, no exponent for everyday sizes, no trailing zeros, no negative zero. */
export function trimmed(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) < 1e-9) return "0";
  const text = value.toPrecision(digits);
  const plain =
    text.includes("e") && Math.abs(value) >= 1e-6 && Math.abs(value) < 1e9 ? Number(text).toString() : text;
  return plain.includes(".") && !plain.includes("e") ? plain.replace(/\.?0+$/, "") : plain;
}

/** Smaller units for lengths that would begin with zeros. */
const FINER: Record<string, string> = { m: "mm", cm: "mm", dm: "mm", mm: "µm" };

/** A length with its unit, in a finer one where that reads better ("0.277 mm" in a scene in metres). */
export function lengthText(metres: number, units: string, digits = 4): string {
  const value = Math.abs(metres / metresPer(units));
  const finer = FINER[units];
  const unit =
    finer !== undefined && value > 0 && value < 0.001 * (units === "m" ? 50 : 1) && Math.abs(metres) > 1e-12
      ? finer
      : units;
  return `${trimmed(metres / metresPer(unit), digits)} ${unit}`;
}

export const degrees = (radians: number): number => (radians * 180) / Math.PI;
export const radians = (value: number): number => (value * Math.PI) / 180;
export const angleText = (angle: number): string => `${trimmed(degrees(angle), 4)}°`;
export const secondsText = (seconds: number): string => `${seconds.toFixed(1)} s`;

/** A number typed by a person: a comma is a point, and sums and products work ("12 + 0.5", "90/4"). `null` if it is none. */
export function readNumber(text: string): number | null {
  const clean = text.replaceAll(",", ".").replaceAll("−", "-").trim();
  if (!/^[\d.+\-*/()\s]+(e-?\d+)?$/i.test(clean) || clean === "") return null;
  const tokens = clean.match(/\d*\.?\d+(?:e[+-]?\d+)?|[-+*/()]/gi) ?? [];
  let at = 0;
  const factor = (): number => {
    const token = tokens[at++];
    if (token === "-") return -factor();
    if (token === "+") return factor();
    if (token === "(") {
      const value = sum();
      at++;
      return value;
    }
    return Number(token);
  };
  const product = (): number => {
    let value = factor();
    while (tokens[at] === "*" || tokens[at] === "/")
      value = tokens[at++] === "*" ? value * factor() : value / factor();
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-")
      value = tokens[at++] === "+" ? value + product() : value - product();
    return value;
  };
  const value = sum();
  return Number.isFinite(value) && at >= tokens.length ? value : null;
}

/** 1, 2 or 5 times a power of ten, not above `value`. */
export function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

/** With so many digits, and no minus before what is 0 with them. */
export function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text;
}
