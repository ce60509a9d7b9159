// What a view of everything shows.
import { Box3, Vector3 } from "three";

/** A box so many times as large as all others together is the ground that they stand on. */
const DWARFS = 3;

const size = (box: Box3): number => box.getSize(new Vector3()).length();

/** Boxes that are worth being seen as a whole: without a ground that dwarfs what stands on it, and would make it tiny. */
export function withoutGround(boxes: Box3[]): Box3[] {
  const solid = boxes.filter((box) => !box.isEmpty());
  if (solid.length < 2) return boxes;
  const largest = solid.reduce((best, box) => (size(box) > size(best) ? box : best));
  const rest = solid.filter((box) => box !== largest);
  const all = rest.reduce((union, box) => union.union(box), new Box3());
  return size(largest) > DWARFS * size(all) ? rest : boxes;
}
