// The pictures of the explorer page, as SVG: the region of designs, and curves. Floating-point numbers, for the eye alone.

const MARKS = { optimum: "star", warner: "circle", unrelated: "square", mangat: "triangle", direct: "diamond" };
const WIDTH = 360;
const HEIGHT = 300;
const LEGEND = 100; // beside the region
const FRAME = { left: 46, right: 12, top: 10, bottom: 40 };

const APART = 20; // between the centers of two marks

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
  const isFirst = ({ name }) => name === "optimum"; // it stays at its place
  const inOrder = [...points.filter(isFirst), ...points.filter((point) => !isFirst(point))];
  const places = apart(inOrder.map((point) => [x(point.x), y(point.y)]), x(0.5), y(0.5));
  for (const [i, point] of inOrder.entries()) {
    const [across, down] = places[i];
    if (across !== x(point.x) || down !== y(point.y)) {
      add("path", { d: `M${x(point.x)} ${y(point.y)}L${across} ${down}`, class: "leader" });
    }
  }
  for (const [i, point] of inOrder.entries()) {
    add("path", { d: mark(MARKS[point.name], ...places[i]), class: `mark ${point.name}` });
  }
  for (const point of points) {
    if (named.has(point.name)) continue;
    const line = y(1) + 14 + 20 * named.size;
    add("path", { d: mark(MARKS[point.name], x(1) + 14, line - 4), class: `mark ${point.name}` });
    add("text", { x: x(1) + 25, y: line, class: "legend" }, point.label);
    named.add(point.name);
  }
}

/** Return places for marks of which none hides another: a mark that is too near to one before it moves, first towards the middle. */
function apart(points, middleX, middleY) {
  const placed = [];
  for (const [x, y] of points) {
    const inwards = Math.atan2(middleY - y, middleX - x);
    const places = [[x, y]];
    for (const radius of [1.05, 1.5, 2, 3].map((times) => times * APART)) {
      for (let i = 0; i < 16; i++) {
        const angle = inwards + (Math.PI / 8) * (i % 2 ? -Math.ceil(i / 2) : i / 2);
        places.push([short(x + radius * Math.cos(angle)), short(y + radius * Math.sin(angle))]);
      }
    }
    const isFree = ([a, b]) => b > 8 && placed.every(([c, d]) => Math.hypot(a - c, b - d) >= APART);
    placed.push(places.find(isFree) ?? [x, y]);
  }
  return placed;
}

/** Return a number beside an axis: with an exponent where its digits need more room than there is. */
const readable = (value) => (value >= 1e5 || (value > 0 && value < 1e-3) ? value.toExponential().replace("e+", "e") : `${Number(value.toPrecision(3))}`);

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
    add("text", { x: FRAME.left - 5, y: y(value) + 4, "text-anchor": "end" }, readable(value));
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

const DRAWN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family"];

/** Save a picture as a file that needs no style sheet; the description in it is the setting. */
export function savePicture(page, svg, name, description) {
  const view = page.defaultView;
  const copy = svg.cloneNode(true);
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((one, i) => {
    const style = view.getComputedStyle(originals[i]);
    for (const property of DRAWN) one.setAttribute(property, style.getPropertyValue(property));
    one.removeAttribute("class");
  });
  const ground = page.createElementNS(svg.namespaceURI, "rect");
  const colour = view.getComputedStyle(page.body).backgroundColor;
  for (const [key, value] of [["width", "100%"], ["height", "100%"], ["fill", colour]]) ground.setAttribute(key, value);
  const title = page.createElementNS(svg.namespaceURI, "title");
  title.textContent = `${svg.getAttribute("aria-label")} ${description}`;
  copy.prepend(title, ground);
  copy.removeAttribute("aria-describedby");
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const file = new view.Blob([new view.XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  const link = page.createElement("a");
  link.href = view.URL.createObjectURL(file);
  link.download = name;
  link.click();
  view.setTimeout(() => view.URL.revokeObjectURL(link.href), 10000);
}
