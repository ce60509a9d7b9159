// The colours of the 3D view, one set per theme. The page's own colours are in style.css.
import type { Verdict } from "../protocol";

export interface ViewColors {
  top: number;
  bottom: number;
  edge: number;
  line: number;
  grid: number;
  selected: number;
  hovered: number;
  paper: number;
}

export const VIEW_COLORS: Record<"dark" | "light", ViewColors> = {
  dark: {
    top: 0x272e38,
    bottom: 0x14181d,
    edge: 0x0b0e12,
    line: 0xc5d0dc,
    grid: 0x93a3b8,
    selected: 0x4da3ff,
    hovered: 0x8cc4ff,
    paper: 0x1b2027,
  },
  light: {
    top: 0xfbfcfe,
    bottom: 0xd9e1ea,
    edge: 0x1b232d,
    line: 0x25303c,
    grid: 0x5c6b7d,
    selected: 0x1769d2,
    hovered: 0x4b97f0,
    paper: 0xf3f6f9,
  },
};

export const CONTACT_COLOR = 0xff4d4f;
export const CLOSE_COLOR = 0xf0b13c;
/** The body that is touched; the moving one has the colour of the verdict. */
export const PARTNER_COLOR = 0x4f9dff;
/** Ghosts at the goals. */
export const GOAL_COLOR = 0x35c2d6;
export const FREE_COLOR = 0x34c77b;

export const VERDICT_TEXT: Record<Verdict, string> = {
  free: "free",
  too_close: "too close",
  collision: "collision",
  undecided: "undecided",
  invalid: "invalid",
};
