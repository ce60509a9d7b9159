// Distances as colours: near is warm, far is cold. The same in the view and in the pictures beside it.

const STOPS: readonly (readonly [number, number, number])[] = [
  [255, 92, 77],
  [255, 176, 59],
  [214, 222, 72],
  [64, 201, 140],
  [56, 158, 235],
  [92, 92, 214],
];
const STEPS = 256;
/** Red, green and blue from 0 to 255, for every share of the range. */
export const RANGE_COLORS = new Uint8Array(3 * STEPS);
for (let at = 0; at < STEPS; at++) {
  const place = (at / (STEPS - 1)) * (STOPS.length - 1);
  const first = Math.min(STOPS.length - 2, Math.floor(place));
  for (let k = 0; k < 3; k++)
    RANGE_COLORS[3 * at + k] = Math.round(
      STOPS[first]![k]! + (STOPS[first + 1]![k]! - STOPS[first]![k]!) * (place - first),
    );
}

/** Where a share of the range, 0 to 1, is in the table. */
export const rangeIndex = (share: number): number =>
  3 * Math.max(0, Math.min(STEPS - 1, Math.round(share * (STEPS - 1))));
