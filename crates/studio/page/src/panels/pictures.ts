// The pictures of the examples: drawn here, so that the start page needs no files.
import { svg } from "../ui/dom";

/** The outline of a gear around the origin. */
function gear(teeth: number, radius: number, turn: number): string {
  const points: string[] = [];
  const depth = (radius * 2.1) / teeth;
  for (let tooth = 0; tooth < teeth; tooth++)
    for (const [share, out] of [
      [-0.29, -1],
      [-0.15, 1],
      [0.15, 1],
      [0.29, -1],
    ] as const) {
      const angle = ((tooth + share) / teeth) * 2 * Math.PI + turn;
      points.push(
        `${((radius + out * depth) * Math.cos(angle)).toFixed(2)} ${((radius + out * depth) * Math.sin(angle)).toFixed(2)}`,
      );
    }
  return `M${points.join("L")}Z`;
}

const wheel = (x: number, y: number, teeth: number, radius: number, turn: number, fill: string): SVGElement =>
  svg(
    "g",
    { transform: `translate(${x} ${y})` },
    svg("path", { d: gear(teeth, radius, turn), fill }),
    svg("circle", { r: radius * 0.62, fill: "none", stroke: "#0004", "stroke-width": 1.5 }),
    svg("circle", { r: radius * 0.24, fill: "#0b1420" }),
    svg("circle", { r: radius * 0.15, fill: "#c9d3de" }),
  );

function gearbox(faulty: boolean): SVGElement[] {
  const tone = faulty ? ["#e9a15c", "#c9cfd6"] : ["#f0b94f", "#8fc7e8"];
  const radius = 25;
  const pitch = (2 * Math.PI) / 20;
  return [
    svg("rect", {
      x: 38,
      y: 8,
      width: 132,
      height: 68,
      rx: 6,
      fill: "#ffffff14",
      stroke: "#ffffff40",
      "stroke-width": 1.2,
    }),
    wheel(83, 42, 20, radius, 0, tone[0]!),
    wheel(faulty ? 124.5 : 127.5, 42, 16, 20, Math.PI + (faulty ? pitch * 0.2 : Math.PI / 16), tone[1]!),
    ...(faulty
      ? [
          svg("circle", { cx: 107, cy: 42, r: 9, fill: "none", stroke: "#ff5b5e", "stroke-width": 2 }),
          svg("circle", { cx: 107, cy: 42, r: 3, fill: "#ff5b5e" }),
        ]
      : []),
  ];
}

function piano(): SVGElement[] {
  const shape = "M-14 -10H14V2C14 8 8 7 5 11C2 15 -4 16 -9 15C-13 14 -14 10 -14 6Z";
  const at = (x: number, y: number, turn: number, opacity: number): SVGElement =>
    svg("path", {
      d: shape,
      transform: `translate(${x} ${y}) rotate(${turn})`,
      fill: "#15131f",
      stroke: "#ffffff90",
      "stroke-width": 1,
      opacity,
    });
  return [
    svg("path", {
      d: "M22 8H186V76H22ZM104 8V30M104 60V76",
      fill: "#ffffff10",
      stroke: "#ffffffb0",
      "stroke-width": 3,
      "stroke-linejoin": "round",
    }),
    svg("path", {
      d: "M50 28C62 60 84 46 104 45S138 50 158 58",
      fill: "none",
      stroke: "#7fe0b0",
      "stroke-width": 1.8,
      "stroke-dasharray": "4 4",
    }),
    at(50, 28, 0, 1),
    at(100, 45, 78, 0.45),
    at(158, 56, 0, 0.9),
  ];
}

function cell(faulty: boolean): SVGElement[] {
  const arm = (x: number, side: 1 | -1, fill: string, reach: number): SVGElement => {
    const line = (d: string, width: number, color: string): SVGElement =>
      svg("path", {
        d,
        fill: "none",
        stroke: color,
        "stroke-width": width,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
      });
    const joint = (px: number, py: number, r: number): SVGElement =>
      svg("circle", { cx: px, cy: py, r, fill: "#10161f", stroke: "#ffffffb0", "stroke-width": 1.2 });
    return svg(
      "g",
      { transform: `translate(${x} 0) scale(${side} 1)` },
      svg("path", { d: "M-12 72H12L8 58H-8Z", fill }),
      line(`M0 56L12 30L${reach} 34`, 8, fill),
      line(`M${reach} 36V48M${reach - 5} 54V49H${reach + 5}V54`, 3, "#c9d3de"),
      joint(0, 56, 4.5),
      joint(12, 30, 4),
      joint(reach, 34, 3.2),
    );
  };
  return [
    svg("path", { d: "M20 73H188", stroke: "#ffffff60", "stroke-width": 2 }),
    svg("rect", { x: 88, y: 60, width: 32, height: 12, rx: 2, fill: "#8fc7e8" }),
    arm(46, 1, "#f0a33f", faulty ? 62 : 50),
    arm(162, -1, "#4f97d8", faulty ? 52 : 50),
    ...(faulty
      ? [svg("circle", { cx: 109, cy: 44, r: 11, fill: "none", stroke: "#ff5b5e", "stroke-width": 2 })]
      : []),
  ];
}

const dot = (cx: number, cy: number, r: number, fill: string): SVGElement =>
  svg("circle", { cx, cy, r, fill });

function bowling(): SVGElement[] {
  const pin = (x: number, y: number, turn: number): SVGElement =>
    svg("path", {
      d: "M-3 10C-5 3 -2 0 -2 -4A3 3 0 1 1 2 -4C2 0 5 3 3 10Z",
      transform: `translate(${x} ${y}) rotate(${turn})`,
      fill: "#f4f6f8",
    });
  return [
    svg("path", { d: "M30 76L82 14H126L178 76Z", fill: "#e3b04b", opacity: 0.9 }),
    svg("path", {
      d: "M84 64C90 52 96 44 100 36",
      fill: "none",
      stroke: "#ffffffa0",
      "stroke-width": 1.6,
      "stroke-dasharray": "3 4",
    }),
    pin(104, 26, 8),
    pin(118, 24, 0),
    pin(92, 24, -52),
    pin(112, 18, 34),
    pin(99, 16, 0),
    dot(82, 66, 9, "#1d2f6f"),
    dot(79, 63, 2, "#ffffff80"),
  ];
}

function soccer(): SVGElement[] {
  const player = (x: number, y: number, turn: number, fill: string): SVGElement =>
    svg(
      "g",
      { transform: `translate(${x} ${y}) rotate(${turn})` },
      dot(0, 0, 8, fill),
      svg("path", { d: "M2 0H8", stroke: "#fff", "stroke-width": 2 }),
    );
  return [
    svg("path", {
      d: "M24 10H184V74H24ZM104 10V74M104 30A12 12 0 1 0 104 54A12 12 0 1 0 104 30M24 30H34V54H24M184 30H174V54H184",
      fill: "#ffffff12",
      stroke: "#ffffffa0",
      "stroke-width": 1.6,
    }),
    player(62, 30, 20, "#f0a33f"),
    player(72, 58, -15, "#f0a33f"),
    player(140, 28, 160, "#4f97d8"),
    player(150, 56, 190, "#4f97d8"),
    dot(108, 40, 5, "#fff"),
  ];
}

function city(): SVGElement[] {
  const house = (x: number, y: number, w: number, high: number): SVGElement =>
    svg("path", { d: `M${x} ${y}h${w}v${high}h${-w}Z`, fill: "#ffffff28", stroke: "#ffffff70" });
  const truck = svg(
    "g",
    { transform: "translate(104 62)" },
    svg("path", { d: "M-16 -4H-2V-12H8L12 -4H16V3H-16Z", fill: "#f0794f" }),
    dot(-9, 5, 6, "#10161f"),
    dot(9, 5, 6, "#10161f"),
  );
  const rays = [-50, -35, -20, -5].map((turn) =>
    svg("path", {
      d: "M106 50H180",
      transform: `rotate(${turn} 106 50)`,
      stroke: "#5fe0a0",
      "stroke-width": 0.8,
      opacity: 0.7,
    }),
  );
  return [
    house(28, 20, 26, 52),
    house(58, 34, 22, 38),
    house(146, 14, 24, 58),
    house(174, 30, 18, 42),
    svg("path", { d: "M16 73H192", stroke: "#ffffff60", "stroke-width": 2 }),
    ...rays,
    truck,
  ];
}

function blocks(): SVGElement[] {
  const block = (x: number, y: number, turn: number, fill: string): SVGElement =>
    svg("rect", {
      x: -9,
      y: -9,
      width: 18,
      height: 18,
      rx: 2,
      transform: `translate(${x} ${y}) rotate(${turn})`,
      fill,
    });
  return [
    svg("path", { d: "M30 30L150 74H30Z", fill: "#ffffff24", stroke: "#ffffff80" }),
    block(52, 28, 20, "#f0b94f"),
    block(88, 41, 20, "#8fc7e8"),
    block(126, 55, 20, "#e97b6b"),
    block(170, 64, 0, "#9fe0b0"),
    svg("path", { d: "M102 30L118 36M140 44L156 50", stroke: "#ffffffb0", "stroke-width": 1.6 }),
  ];
}

function maze(): SVGElement[] {
  const robot = svg(
    "g",
    { transform: "translate(52 58) rotate(-38)" },
    dot(0, 0, 7, "#e2574c"),
    svg("path", { d: "M3 0L26 -9M3 0L28 0M3 0L26 9", stroke: "#5fe0a0", "stroke-width": 0.9, opacity: 0.8 }),
  );
  return [
    svg("path", {
      d: "M26 10H182V74H26ZM26 44H70M92 10V50M92 50H124M150 74V36M124 28H182M70 74V62",
      fill: "#ffffff10",
      stroke: "#ffffffb0",
      "stroke-width": 4,
      "stroke-linejoin": "round",
    }),
    robot,
    dot(112, 38, 5, "#f0b94f"),
    dot(166, 18, 5, "#f0b94f"),
    dot(168, 62, 5, "#f0b94f"),
  ];
}

function humanoids(): SVGElement[] {
  const man = (x: number, y: number, turn: number): SVGElement =>
    svg("path", {
      d: "M0 -13A3.4 3.4 0 1 0 0.1 -13ZM-4 -5H4V5H2V14H0.4V6H-0.4V14H-2V5H-4Z",
      transform: `translate(${x} ${y}) rotate(${turn})`,
      fill: "#f4f6f8",
    });
  const robot = svg(
    "g",
    { transform: "translate(58 60)" },
    svg("path", { d: "M-20 -10H18V2H-20Z", fill: "#e2574c" }),
    dot(-12, 4, 6, "#10161f"),
    dot(0, 4, 6, "#10161f"),
    dot(12, 4, 6, "#10161f"),
  );
  return [
    svg("path", { d: "M16 71H192", stroke: "#ffffff60", "stroke-width": 2 }),
    robot,
    man(90, 54, -40),
    man(112, 56, -14),
    man(130, 57, 0),
    man(148, 57, 0),
    man(166, 57, 0),
    man(121, 36, 24),
    man(139, 41, 0),
    man(157, 41, 0),
  ];
}

function heaps(): SVGElement[] {
  const robot = (x: number, y: number, turn: number): SVGElement =>
    svg(
      "g",
      { transform: `translate(${x} ${y}) rotate(${turn})` },
      dot(0, 0, 8, "#4f97d8"),
      svg("path", { d: "M7 -5H15M7 5H15", stroke: "#fff", "stroke-width": 2 }),
    );
  const cans = [
    [104, 40],
    [112, 44],
    [100, 48],
    [109, 52],
    [118, 38],
  ].map(([x, y]) => dot(x!, y!, 4, "#f0b94f"));
  return [
    svg("rect", { x: 24, y: 8, width: 160, height: 68, rx: 4, fill: "#ffffff12", stroke: "#ffffffa0" }),
    ...cans,
    robot(70, 30, 25),
    robot(148, 60, 200),
    robot(150, 24, 150),
    robot(52, 62, -20),
    dot(86, 37, 4, "#f0b94f"),
    dot(40, 20, 4, "#f0b94f"),
    dot(170, 40, 4, "#f0b94f"),
  ];
}

function hills(): SVGElement[] {
  const truck = svg(
    "g",
    { transform: "translate(86 44) rotate(-16)" },
    svg("path", { d: "M-14 -5H-2V-12H7L11 -5H14V2H-14Z", fill: "#f0794f" }),
    dot(-8, 4, 6, "#10161f"),
    dot(8, 4, 6, "#10161f"),
  );
  return [
    svg("path", { d: "M12 76C40 76 52 70 72 60S100 34 122 40S150 72 196 60V80H12Z", fill: "#6fae62" }),
    truck,
  ];
}

function lanes(): SVGElement[] {
  const lane = (y: number, fill: string, at: number): SVGElement =>
    svg(
      "g",
      { transform: `translate(0 ${y})` },
      svg("path", { d: "M24 26H70L110 18L146 4L172 -16V26Z", fill, opacity: 0.85 }),
      svg(
        "g",
        {
          transform: `translate(${at} ${at > 110 ? 8 : at > 80 ? 19 : 22}) rotate(${at > 110 ? -21 : at > 80 ? -11 : 0})`,
        },
        svg("path", { d: "M-9 -8H9V0H-9Z", fill: "#e2574c" }),
        dot(-5, 1, 3, "#10161f"),
        dot(5, 1, 3, "#10161f"),
      ),
    );
  return [lane(16, "#c9a06a", 128), lane(32, "#8b6b4a", 96), lane(48, "#bfe0ee", 60)];
}

function prisms(): SVGElement[] {
  const prism = (x: number, y: number, turn: number, fill: string): SVGElement =>
    svg("path", {
      d: "M-11 8H11L0 -11Z",
      transform: `translate(${x} ${y}) rotate(${turn})`,
      fill,
      stroke: "#ffffff80",
    });
  return [
    svg("rect", { x: 24, y: 8, width: 160, height: 68, rx: 4, fill: "#ffffff12", stroke: "#ffffffa0" }),
    prism(70, 28, 10, "#f0b94f"),
    prism(110, 52, 40, "#8fc7e8"),
    prism(150, 28, -20, "#e97b6b"),
    prism(160, 62, 70, "#9fe0b0"),
    dot(88, 46, 8, "#4f97d8"),
    svg("path", { d: "M90 46H97", stroke: "#fff", "stroke-width": 2 }),
  ];
}

const WORLDS: Record<string, () => SVGElement[]> = {
  bowling,
  "robot-bowling": humanoids,
  soccer,
  city,
  maze,
  ramp: blocks,
  slopes: lanes,
  "prism-collisions": prisms,
  collection: heaps,
  terrain: hills,
  complex: blocks,
};

/** An example in which time passes. */
export const isWorld = (name: string): boolean => name in WORLDS;

export function examplePicture(name: string): SVGElement | null {
  const parts = WORLDS[name]
    ? WORLDS[name]()
    : name === "piano"
      ? piano()
      : name.startsWith("cell")
        ? cell(name.endsWith("faulty"))
        : name.startsWith("gearbox")
          ? gearbox(name.endsWith("faulty"))
          : null;
  return (
    parts &&
    svg("svg", { viewBox: "0 0 208 84", width: "100%", height: "100%", "aria-hidden": "true" }, ...parts)
  );
}
