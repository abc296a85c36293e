// What a page looks like, measured by a browser. Each function returns lines for people; an empty list is a good page.

const nameOf = (one) => {
  const id = one.id ? `#${one.id}` : "";
  const words = (one.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
  return `<${one.tagName.toLowerCase()}${id}> ${words}`.trim();
};
const styleOf = (one) => getComputedStyle(one);
const isSeen = (one) => {
  const box = one.getBoundingClientRect();
  return box.width > 1 && box.height > 1 && one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
};
const clips = (one) => styleOf(one).overflowX !== "visible";
const scroller = (one) => {
  for (let outer = one.parentElement; outer && outer !== document.body; outer = outer.parentElement) {
    if (clips(outer)) return outer;
  }
  return null;
};
// hidden for the eye alone: a label for screen readers, a drawer outside of the window
const isForReaders = (one) => one.closest("[class*='visually-hidden'], [class*='skip'], .sidebar-drawer, .toc-drawer, thead") !== null;

/** Elements that end outside of the window, or outside of a box that does not scroll; numbers that do not fit their field. */
function cutElements() {
  const found = [];
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  for (const one of document.body.querySelectorAll("*")) {
    if (!isSeen(one) || one.closest("svg svg, mjx-assistive-mml")) continue;
    const box = one.getBoundingClientRect();
    const outer = scroller(one);
    if (!outer && !isForReaders(one) && (box.right > wide + 1 || box.left < -1)) found.push(`outside: ${nameOf(one)}`);
    if (outer && styleOf(outer).overflowX === "hidden" && box.right > outer.getBoundingClientRect().right + 1 && !isForReaders(one)) {
      found.push(`hidden: ${nameOf(one)}`);
    }
    if (one.matches("input[type=text]:not([readonly])") && one.scrollWidth > one.clientWidth + 1) {
      found.push(`too long for its field: <input#${one.id}> ${one.value}`);
    }
  }
  for (const text of document.querySelectorAll("svg text")) {
    const box = text.getBoundingClientRect();
    const picture = text.ownerSVGElement.getBoundingClientRect();
    if (!isSeen(text.ownerSVGElement)) continue;
    if (box.left < picture.left - 1 || box.right > picture.right + 1 || box.top < picture.top - 1 || box.bottom > picture.bottom + 1) {
      found.push(`outside of its picture: ${text.textContent}`);
    }
  }
  return found;
}

/** Boxes that scroll sideways and that the keyboard does not reach. */
function lockedBoxes() {
  return [...document.body.querySelectorAll("*")]
    .filter((one) => isSeen(one) && ["auto", "scroll"].includes(styleOf(one).overflowX))
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.tabIndex < 0 && !one.querySelector("a, button, input, select"))
    .map((one) => `scrolls without the keyboard: ${nameOf(one)}`);
}

/** Boxes whose content is wider than they are: on paper nobody scrolls. */
function cutOnPaper() {
  return [...document.body.querySelectorAll("*")]
    .filter((one) => isSeen(one) && clips(one) && !one.closest("svg") && one.scrollWidth > one.clientWidth + 1)
    .map((one) => `wider than its box on paper: ${nameOf(one)}`);
}

/** Marks of a picture that another mark hides: more than half of the mark lies below later ones. */
function hiddenMarks() {
  const found = [];
  for (const picture of document.querySelectorAll("svg")) {
    const marks = [...picture.querySelectorAll(".mark")];
    for (const [i, one] of marks.entries()) {
      const box = one.getBoundingClientRect();
      const points = [];
      for (let a = 0.1; a < 1; a += 0.1) {
        for (let b = 0.1; b < 1; b += 0.1) points.push([box.left + a * box.width, box.top + b * box.height]);
      }
      one.scrollIntoView({ block: "center" });
      const moved = one.getBoundingClientRect();
      const own = points.map(([x, y]) => [x - box.left + moved.left, y - box.top + moved.top])
        .filter(([x, y]) => document.elementsFromPoint(x, y).includes(one));
      const seen = own.filter(([x, y]) => document.elementFromPoint(x, y) === one);
      if (own.length && seen.length < 0.4 * own.length) found.push(`hidden: mark ${i}, ${one.getAttribute("class")}`);
    }
  }
  return found;
}

/** What the keyboard must reach, in the order of the page. */
function controls() {
  const all = "a[href], button, input, select, textarea, summary, [tabindex]";
  const found = [...document.querySelectorAll(all)].filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }));
  const groups = new Set();
  const kept = found.filter((one) => {
    if (one.type !== "radio") return true;
    const isFirst = !groups.has(one.name); // the arrows reach the others
    groups.add(one.name);
    return isFirst;
  });
  kept.forEach((one, i) => one.setAttribute("data-stop", `${i}`));
  return kept.map((one, i) => [`${i}`, nameOf(one)]);
}

/** The number of what has the focus, and whether one sees it. */
function focused() {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const style = styleOf(one);
  return [one.getAttribute("data-stop"), style.outlineStyle !== "none" || style.boxShadow !== "none"];
}
