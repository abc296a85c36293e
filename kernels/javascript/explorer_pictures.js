// The pictures of the explorer page, as SVG: the region of designs, and curves. Floating-point numbers, for the eye alone.

const MARKS = { optimum: "star", warner: "circle", unrelated: "square", mangat: "triangle", direct: "diamond" };
const WIDTH = 360;
const HEIGHT = 300;
const LEGEND = 100; // beside the region
const FRAME = { left: 46, right: 12, top: 10, bottom: 40 };

const short = (x) => Number(x.toFixed(2));

/** Return makers of the elements of one picture, which is emptied. */
function canvas(page, svg, width = WIDTH, height = HEIGHT) {
  const make = (tag, attributes = {}, text = "") => {
    const made = page.createElementNS(svg.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, `${value}`);
    if (text) made.textContent = text;
    return made;
  };
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.replaceChildren();
  return (tag, attributes, text) => svg.appendChild(make(tag, attributes, text));
}

/** Return the outline of a mark around a point. */
function mark(kind, x, y) {
  const at = (pairs) => `M${pairs.map(([a, b]) => `${short(x + a)} ${short(y + b)}`).join("L")}Z`;
  if (kind === "circle") return `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z`;
  if (kind === "square") return at([[-4.5, -4.5], [4.5, -4.5], [4.5, 4.5], [-4.5, 4.5]]);
  if (kind === "triangle") return at([[0, -6], [5.5, 4.5], [-5.5, 4.5]]);
  if (kind === "diamond") return at([[0, -6], [6, 0], [0, 6], [-6, 0]]);
  const points = Array.from({ length: 10 }, (_, i) => {
    const radius = i % 2 ? 3.6 : 8.5;
    const angle = (Math.PI * i) / 5;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  });
  return at(points);
}

/** Draw the region of the designs (p00, p11), a polygon in the unit square, and points in it with a legend below. */
export function pictureOf(page, svg, polygon, points) {
  const side = HEIGHT - FRAME.top - FRAME.bottom;
  const add = canvas(page, svg, FRAME.left + side + FRAME.right + LEGEND);
  const x = (value) => short(FRAME.left + side * value);
  const y = (value) => short(FRAME.top + side * (1 - value));
  add("rect", { x: x(0), y: y(1), width: side, height: side, class: "frame" });
  add("path", { d: `M${polygon.map(([a, b]) => `${x(a)} ${y(b)}`).join("L")}Z`, class: "area" });
  add("path", { d: `M${x(0)} ${y(1)}L${x(1)} ${y(0)}`, class: "useless" });
  for (const value of [0, 0.5, 1]) {
    add("text", { x: x(value), y: y(0) + 15, "text-anchor": "middle" }, `${value}`);
    add("text", { x: x(0) - 6, y: y(value) + 4, "text-anchor": "end" }, `${value}`);
  }
  add("text", { x: x(0.5), y: HEIGHT - 6, "text-anchor": "middle" }, "p00 = Pr(no | no)");
  add("text", { x: 12, y: y(0.5), "text-anchor": "middle", transform: `rotate(-90 12 ${y(0.5)})` }, "p11 = Pr(yes | yes)");
  const named = new Set();
  for (const point of points) {
    add("path", { d: mark(MARKS[point.name], x(point.x), y(point.y)), class: `mark ${point.name}` });
    if (named.has(point.name)) continue;
    const line = y(1) + 14 + 20 * named.size;
    add("path", { d: mark(MARKS[point.name], x(1) + 14, line - 4), class: `mark ${point.name}` });
    add("text", { x: x(1) + 25, y: line, class: "legend" }, point.label);
    named.add(point.name);
  }
}

/** Return round numbers from low to high: about `count` of them. */
function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((x) => x * power >= raw) ?? 10);
  const found = [];
  for (let x = Math.ceil(low / step) * step; x <= high + step * 1e-9; x += step) found.push(Number(x.toPrecision(6)));
  return found;
}

/** Draw lines with a legend below them, and a vertical line at `mark`. */
export function curveOf(page, svg, lines, { logarithmic = false, mark: at, across, upwards }) {
  const rows = Math.ceil(lines.length / 2);
  const bottom = FRAME.bottom + 16 * rows + 2;
  const add = canvas(page, svg, WIDTH, HEIGHT + 16 * rows);
  const height = HEIGHT + 16 * rows - FRAME.top - bottom;
  const all = lines.flatMap((line) => line.points);
  const xs = all.map(([x]) => x);
  const scale = logarithmic ? Math.log10 : (value) => value;
  const heights = all.map(([, y]) => scale(y)).filter(Number.isFinite);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  let [low, high] = [Math.min(...heights), Math.max(...heights)];
  if (logarithmic) [low, high] = [Math.floor(low), Math.min(Math.ceil(high), Math.floor(low) + 6)];
  const x = (value) => short(FRAME.left + ((WIDTH - FRAME.left - FRAME.right) * (value - left)) / (right - left || 1));
  const y = (value) => short(FRAME.top + height * (1 - (Math.min(Math.max(scale(value), low), high) - low) / (high - low || 1)));
  const base = FRAME.top + height;
  for (const value of ticks(left, right, 5)) {
    add("path", { d: `M${x(value)} ${FRAME.top}V${base}`, class: "grid" });
    add("text", { x: x(value), y: base + 15, "text-anchor": "middle" }, `${value}`);
  }
  const marks = logarithmic ? Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)) : ticks(low, high, 4);
  for (const value of marks) {
    add("path", { d: `M${FRAME.left} ${y(value)}H${WIDTH - FRAME.right}`, class: "grid" });
    add("text", { x: FRAME.left - 5, y: y(value) + 4, "text-anchor": "end" }, `${Number(value.toPrecision(3))}`);
  }
  add("text", { x: (FRAME.left + WIDTH) / 2, y: base + 30, "text-anchor": "middle" }, across);
  add("text", { x: 11, y: FRAME.top + height / 2, "text-anchor": "middle", transform: `rotate(-90 11 ${FRAME.top + height / 2})` }, upwards);
  if (at >= left && at <= right) add("path", { d: `M${x(at)} ${FRAME.top}V${base}`, class: "here" });
  lines.forEach((line, i) => {
    const places = line.points.map(([a, b]) => `${x(a)},${y(b)}`).join(" ");
    add("polyline", { points: places, class: `line ${line.name}` });
    const [column, down] = [FRAME.left - 34 + 176 * (i % 2), base + 48 + 16 * Math.floor(i / 2)];
    add("path", { d: `M${column} ${down - 4}h22`, class: `line ${line.name}` });
    add("text", { x: column + 27, y: down, class: "legend" }, line.label);
  });
}
