// The explorer page: it reads a setting from its controls or from its address, computes all numbers exactly, shows them.
//
// The page holds the controls; this script fills the results. The table of certified k-ary optima stands in the page as JSON.

import { startBudget } from "./budget.js";
import {
  binaryDesigns,
  likelihoodRatios,
  population,
  posterior,
  regionVertices,
  respondents,
  threshold,
  yesShare,
} from "./explorer_designs.js";
import { curveOf, pictureOf, savePicture } from "./explorer_pictures.js";
import { decimal, grouped, logarithm, readLevel, readNumber, rootAbove, shortest, toFloat } from "./explorer_numbers.js";
import { floorQuotient, Fraction, HALF, ONE, whole, ZERO } from "./fractions.js";

const range = (from, to, step) => {
  const found = [];
  for (let i = 0; from + i * step <= to + 1e-9; i++) found.push(Math.round((from + i * step) * 1e6));
  return found.map((millionths) => Fraction.of(BigInt(millionths), 1000000n));
};
const parts = (...texts) => texts.map(readNumber);

/** The positions of the sliders. */
const POSITIONS = {
  gamma: [
    ...range(1.05, 1.95, 0.05),
    ...range(2, 4.9, 0.1),
    ...range(5, 9.75, 0.25),
    ...range(10, 29, 1),
    ...range(30, 95, 5),
    ...range(100, 200, 20),
  ],
  delta: [...parts("0", "1e-6", "1e-5", "1e-4", "1e-3", "1/200"), ...range(0.01, 0.5, 0.01), ...range(0.55, 1, 0.05)],
  prevalence: [...range(0.001, 0.009, 0.001), ...range(0.01, 0.99, 0.01), ...range(0.991, 0.999, 0.001)],
  n: [1, 2, 3, 4, 5, 6, 7].flatMap((power) => [10, 12, 15, 20, 25, 30, 40, 50, 60, 80].map((x) => whole(x * 10 ** (power - 1)))),
};

const FIELDS = {
  gamma: { start: "3", fits: (x) => ONE.less(x) && x.atMost(whole(1000000)), allowed: "a number above 1, at most 1000000" },
  delta: { start: "0", fits: (x) => x.atMost(ONE), allowed: "a number from 0 to 1" },
  prevalence: { start: "1/10", fits: (x) => ZERO.less(x) && x.less(ONE), allowed: "a number between 0 and 1, such as 10%" },
  n: { start: "1000", fits: (x) => x.isWhole() && ONE.atMost(x) && x.atMost(whole(1000000000)), allowed: "a whole number from 1 to 1000000000" },
  error: { start: "1/50", fits: (x) => ZERO.less(x) && x.less(ONE), allowed: "a number between 0 and 1, such as 0.02" },
  other: { start: "1/4", fits: (x) => ZERO.less(x) && x.less(ONE), allowed: "a number between 0 and 1, such as 1/4" },
};
const CHOICES = ["design", "categories", "shares"];

const NAMES = {
  four: "Best mechanism, any number of outputs",
  optimum: "Best design with two outputs",
  forced: "Forced response",
  warner: "Warner",
  crosswise: "Crosswise",
  unrelated: "Unrelated question",
  mangat: "Mangat (1994)",
  direct: "Asked openly (no privacy)",
};
const SHORT_NAMES = {
  ...NAMES,
  four: "Best, any outputs",
  optimum: "Best, two outputs",
  unrelated: "Unrelated q.",
  mangat: "Mangat 1994",
  direct: "Asked openly",
};
const MILLION = 10n ** 6n;
const down = (x) => Fraction.of(floorQuotient(x.n * MILLION, x.d), MILLION);
const up = (x) => Fraction.of(-floorQuotient(-x.n * MILLION, x.d), MILLION);
const inwards = (x) => (HALF.less(x) ? down(x) : up(x));

// Probabilities of a device in decimals: rounded so that they sum to 1 and are not less private than the exact ones.
export const USES = {
  four: () => "the truth with chance delta, else randomized response at epsilon (four outputs)",
  optimum: ([p00, p11]) => `${equal("p00", p00, down(p00))}, ${equal("p11", p11, down(p11))}`,
  forced: ([truth, yes, no]) =>
    `truth ${beside(truth, ONE.minus(up(yes)).minus(up(no)))}, forced yes ${beside(yes, up(yes))}, forced no ${beside(no, up(no))}`,
  warner: ([p]) => equal("p", p, inwards(p)),
  crosswise: ([p]) => `harmless yes ${beside(p, inwards(p))}`,
  unrelated: ([p, other]) => `${equal("p", p, down(p))}, harmless yes ${beside(other, inwards(other))}`,
  mangat: ([p]) => equal("p", p, down(p)),
  direct: () => "everybody is assumed to answer, and honestly",
};

const LONG = 26; // characters of a fraction that is printed in full

/** Return an exact number for people: a short fraction with a decimal, or the decimal alone. */
function both(x, digits = 6) {
  return withDecimal(x, decimal(x, digits));
}

/** Return a probability in the same way with its decimal of six places. */
const beside = (x, rounded) => withDecimal(x, decimal(rounded, 6, 6));

function withDecimal(x, rounded) {
  const text = `${x}`;
  if (x.isWhole()) return grouped(text);
  const sign = readNumber(rounded)?.equals(x) ? "=" : "≈";
  return text.length <= LONG ? `${text} ${sign} ${rounded}` : `${sign} ${rounded}`;
}

/** Return a number with its name, as an equation. */
const equal = (name, x, rounded) => `${name} ${beside(x, rounded).replace(/^(?![=≈])/, "= ")}`;

/** Return a corner of the region in decimals that are inside: towards the diagonal p00 + p11 = 1, where nothing is revealed. */
export const cornerText = ([x, y]) => {
  const toDiagonal = ONE.less(x.plus(y)) ? down : up;
  return `(${[x, y].map((each) => decimal(toDiagonal(each), 6, 6)).join(", ")})`;
};

/** Return an exact number for a sentence. */
const inWords = (x) => both(x).replace(/^≈/, "about").replace(/^= /, "");

/** Return a probability in percent. */
const percent = (x) => `${decimal(x.times(whole(100)), 4)} %`;

/** Return the setting that a fragment of an address writes, over the one before; what is wrong is left out. */
export function settingOf(fragment, before) {
  const setting = { ...before };
  for (const part of fragment.replace(/^#/, "").split("&")) {
    const [name, value = ""] = part.split("=");
    let text;
    try {
      text = decodeURIComponent(value);
    } catch {
      continue;
    }
    if (FIELDS[name] && readField(name, text)) setting[name] = text;
    if (CHOICES.includes(name) && /^[a-z0-9./-]{1,12}$/.test(text)) setting[name] = text;
  }
  return setting;
}

/** Return the fragment that reproduces a setting: short enough to read aloud, so only gamma and what is not as at the start. */
export function fragmentOf(setting) {
  return `#${spoken(setting).map(([name, text]) => `${name}=${text}`).join("&")}`;
}

/** Return gamma, and the names and values that are not those of the start; a value has no sign that an address encodes. */
function spoken(setting) {
  const first = firstSetting();
  const plain = (name) => (/^[\w./-]+$/.test(setting[name]) ? setting[name] : `${readField(name, setting[name])}`);
  return Object.keys(first)
    .filter((name) => name === "gamma" || setting[name] !== first[name])
    .map((name) => [name, plain(name)]);
}

/** Return the setting in words, for the telephone. */
export function inPlainWords(setting) {
  const parts = spoken(setting).map(([name, text]) => `${name} ${text.replace("/", " over ")}`);
  const rest = parts.length < Object.keys(setting).length ? "; the rest as at the start" : "";
  return `To read it aloud: ${parts.join(", ")}${rest}.`;
}

/** Return the number of a field, or null. */
export function readField(name, text) {
  const value = readNumber(text);
  return value !== null && FIELDS[name].fits(value) ? value : null;
}

/** The setting without an address. */
export const firstSetting = () => ({
  ...Object.fromEntries(Object.entries(FIELDS).map(([name, field]) => [name, field.start])),
  design: "optimum",
  categories: "4",
  shares: "equal",
});

/** Return the place of the position nearest to a number. */
function nearest(list, x) {
  let best = 0;
  list.forEach((each, i) => {
    if (each.minus(x).abs().less(list[best].minus(x).abs())) best = i;
  });
  return best;
}

/** Fill the page and follow its controls. */
export function startExplorer(page) {
  const get = (id) => page.getElementById(id);
  const table = JSON.parse(get("certified").textContent);
  const view = page.defaultView;
  const written = JSON.parse(get("setting").textContent);
  /** Return the setting of the address. Its parts are over the start of all pages, whose values a link leaves out. */
  const settingHere = () =>
    settingOf(view.location.hash, view.location.hash.length > 1 ? firstSetting() : { ...firstSetting(), ...written });
  let setting = settingHere();

  const element = (tag, text = "", attributes = {}) => {
    const made = page.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  // a cell with an exact number: a fraction that is too long to stand beside its decimal stands below it
  const exact = (tag, x, text) => {
    const made = element(tag, "", { "data-exact": `${x}` });
    const inside = element("span", text ?? both(x));
    if (`${x}`.length > LONG) inside.append(element("small", ` = ${x}`, { class: "exact" }));
    made.append(inside);
    return made;
  };
  const fill = (id, ...children) => get(id).replaceChildren(...children);
  const row = (cells) => {
    const made = page.createElement("tr");
    made.append(...cells);
    return made;
  };

  /** Show all of a number: one that its field would cut stands on a line of its own, in smaller letters if need be. */
  const fit = (field) => {
    field.parentElement.classList.remove("long");
    field.style.fontSize = "";
    if (field.scrollWidth <= field.clientWidth) return;
    field.parentElement.classList.add("long");
    const share = field.clientWidth / field.scrollWidth;
    if (share < 1) field.style.fontSize = `${Math.floor(95 * share) / 100}em`;
  };

  const values = () => Object.fromEntries(Object.keys(FIELDS).map((name) => [name, readField(name, setting[name])]));

  /** Put the setting into the controls; not into the field that is being typed in. */
  const showControls = (typed = null) => {
    const known = values();
    for (const name of Object.keys(FIELDS)) {
      if (name !== typed) get(name).value = setting[name];
      const slider = get(`${name}-slider`);
      if (slider) {
        slider.max = `${POSITIONS[name].length - 1}`;
        slider.value = `${nearest(POSITIONS[name], known[name])}`;
        const spoken = name === "n" ? `${known[name]}` : `${known[name]}, about ${decimal(known[name], 4)}`;
        slider.setAttribute("aria-valuetext", spoken);
      }
    }
    const [low] = logarithm(known.gamma);
    if (typed !== "epsilon") get("epsilon").value = decimal(low, 5);
    fill("level", `epsilon = log(${known.gamma}) ≈ ${decimal(low, 6)}`);
    for (const name of [...Object.keys(FIELDS), "epsilon"]) fit(get(name));
    for (const name of CHOICES) get(name).value = setting[name];
    get("link").value = view.location.href.split("#")[0] + fragmentOf(setting);
    get("link-words").textContent = inPlainWords(setting);
  };

  const showBinary = (known) => {
    const { optima, rows } = binaryDesigns(known);
    const best = rows.find(({ name }) => name === "optimum");
    const { p00, p11 } = best.design;
    const tie = optima.length > 1 ? ` ${optima.length} designs are equally good.` : "";
    get("summary").textContent =
      `The best design with two outputs reports a true no with probability ${beside(p00, down(p00))}, a true yes with ` +
      `${beside(p11, down(p11))}: n Var is ${inWords(best.value)}.${tie} ` +
      `A standard error of ${known.error} needs ${grouped(`${respondents(best.value, known.error)}`)} respondents.`;
    fill(
      "designs",
      ...rows.map(({ name, value, parameters }) => {
        const ratio = value.over(best.value);
        const error = rootAbove(value.over(known.n));
        const needed = respondents(value, known.error);
        return row([
          element("th", NAMES[name], { scope: "row" }),
          element("td", USES[name](parameters)),
          exact("td", value),
          element("td", decimal(ratio, 4), { "data-exact": `${ratio}` }),
          element("td", decimal(error, 3), { class: "number" }),
          element("td", grouped(`${needed}`), { "data-exact": `${needed}`, class: "number" }),
        ]);
      }),
    );
    get("designs").setAttribute("data-optima", optima.map((each) => `${each.p00},${each.p11}`).join(" "));
    const g = known.delta.isZero() ? null : threshold(known.gamma, known.delta);
    const rarer = known.prevalence.less(ONE.minus(known.prevalence)) ? known.prevalence : ONE.minus(known.prevalence);
    get("why").textContent =
      g === null
        ? "With delta = 0 the best design is symmetric: p00 = p11 = gamma/(gamma + 1)."
        : known.delta.equals(ONE)
          ? "With delta = 1 nothing is protected: the best design is the open question."
          : `The rarer answer has the proportion ${inWords(rarer)}. The threshold g is ${inWords(g)}. ` +
            (g.less(rarer)
              ? "The proportion is above g: the symmetric design is best."
              : rarer.less(g)
                ? "The proportion is below g: a corner of the region is best, where one of the two true answers is never changed."
                : "The proportion equals g: the symmetric design and a corner are equally good.");
    return { optima, rows };
  };

  const showRegion = (known, { optima, rows }) => {
    const vertices = regionVertices(known.gamma, known.delta);
    get("region").setAttribute("data-vertices", vertices.map(([x, y]) => `${x},${y}`).join(" "));
    const points = rows
      .filter(({ name, design }) => design && !["forced", "crosswise", "direct", "optimum"].includes(name))
      .map(({ name, design }) => ({ name, x: toFloat(design.p00), y: toFloat(design.p11), label: SHORT_NAMES[name] }));
    for (const each of optima) points.push({ name: "optimum", x: toFloat(each.p00), y: toFloat(each.p11), label: "Optimum" });
    pictureOf(page, get("region"), vertices.map((pair) => pair.map(toFloat)), points);
    get("region-text").textContent =
      `The region has ${vertices.length} corners (p00, p11): ${vertices.map(cornerText).join(", ")}.`;
  };

  const showCurves = (known) => {
    const levels = POSITIONS.gamma.filter((_, i) => i % 3 === 0);
    const shown = ["four", "optimum", "warner", "unrelated", ...(known.delta.isZero() ? [] : ["mangat"]), "direct"];
    const lines = shown.map((name) => ({ name, label: SHORT_NAMES[name], points: [] }));
    for (const gamma of levels) {
      const { rows } = binaryDesigns({ ...known, gamma });
      const at = Math.log(toFloat(gamma));
      for (const line of lines) {
        const value = rows.find(({ name }) => name === line.name)?.value;
        if (value) line.points.push([at, toFloat(value)]);
      }
    }
    curveOf(page, get("curves"), lines, {
      logarithmic: true,
      mark: Math.log(toFloat(known.gamma)),
      across: "epsilon",
      upwards: "n Var",
    });
  };

  const showPosterior = (known, { rows }) => {
    const reports = (name, design) => {
      if (name === "four") {
        const sure = known.delta.isZero() ? [] : [["surely yes", null], ["surely no", ZERO]];
        return [...sure, ["rather yes", known.gamma], ["rather no", known.gamma.inverse()]];
      }
      const ratios = likelihoodRatios(design);
      return [["yes", ratios.yes], ["no", ratios.no]];
    };
    const chosen = rows.find(({ name }) => name === setting.design) ?? rows.find(({ name }) => name === "optimum");
    const prior = known.prevalence;
    const odds = prior.over(ONE.minus(prior));
    const found = reports(chosen.name, chosen.design);
    fill(
      "odds",
      ...found.map(([report, ratio]) => {
        const after = posterior(prior, ratio);
        const infinite = (x, text) => (x === null ? element("td", "infinite", { "data-exact": "inf" }) : exact("td", x, text));
        return row([
          element("th", report, { scope: "row" }),
          infinite(ratio),
          exact("td", odds),
          infinite(ratio === null ? null : odds.times(ratio)),
          exact("td", after, `${both(after, 4)} = ${percent(after)}`),
        ]);
      }),
    );
    const certain = found.some(([, ratio]) => ratio === null || ratio.isZero());
    get("odds-text").textContent = certain
      ? `${NAMES[chosen.name]}: some report proves the true answer. The respondents must know this.`
      : `${NAMES[chosen.name]}: whoever believed ${percent(prior)} before a report believes at most ` +
        `${decimal(up(posterior(prior, found[0][1])).times(whole(100)), 6, 4)} % after it.`;
    const steps = Array.from({ length: 41 }, (_, i) => Fraction.of(BigInt(i), 40n));
    const lines = found.map(([report, ratio]) => ({
      name: `report-${report.endsWith("yes") ? "yes" : "no"}${report.includes("rather") ? "-rather" : ""}`,
      label: `after ${report}`,
      points: steps.map((p) => {
        const proves = ratio === null || ratio.isZero();
        const unmoved = !proves && (p.isZero() || p.equals(ONE));
        return [toFloat(p), unmoved ? toFloat(p) : proves ? Number(ratio === null) : toFloat(posterior(p, ratio))];
      }),
    }));
    curveOf(page, get("beliefs"), lines, { mark: toFloat(prior), across: "probability before", upwards: "after" });
    if (chosen.design) {
      const yes = yesShare(chosen.design, prior);
      get("yes-share").textContent = `At this prevalence a proportion of ${inWords(yes)} of the reports is yes.`;
    } else get("yes-share").textContent = "";
  };

  const showCategories = (known) => {
    const k = Number(setting.categories);
    const fitting = table.rows.filter((each) => each.k === k && each.shares === setting.shares);
    const levels = fitting.map((each) => readNumber(each.gamma));
    let at = -1;
    levels.forEach((level, i) => {
      if (level.atMost(known.gamma) && (at < 0 || levels[at].less(level))) at = i;
    });
    if (at < 0) {
      fill("categories-rows");
      get("categories-text").textContent =
        `The table of certified optima begins at gamma = ${levels.length ? levels.reduce((a, b) => (a.less(b) ? a : b)) : "?"}. Choose a larger gamma.`;
      return;
    }
    const gamma = levels[at];
    const shares = population(k, table.shares[setting.shares] === null ? null : readNumber(table.shares[setting.shares]));
    const lower = readNumber(fitting[at].lower);
    const upper = readNumber(fitting[at].upper);
    const [[, truth, other, ofResponse], [size, inside, outside, ofSubset]] = fitting[at].subsets;
    const pair = (total, own, rest) => {
      const [one, each] = [own, rest].map(readNumber);
      return [beside(one, total.minus(up(each).times(whole(k - 1)))), beside(each, up(each))];
    };
    const [trueAnswer, otherAnswer] = pair(ONE, truth, other);
    const [withTruth, withOther] = pair(whole(Number(size)), inside, outside);
    const designs = [
      ["k-ary randomized response", `truth ${trueAnswer}, each other answer ${otherAnswer}`, readNumber(ofResponse)],
      [`Subset selection, ${size} of ${k}`, `contains the truth ${withTruth}, another ${withOther}`, readNumber(ofSubset)],
    ];
    const made = designs.map(([name, use, value]) =>
      row([
        element("th", name, { scope: "row" }),
        element("td", use),
        exact("td", value),
        element("td", decimal(value.over(upper), 5), { class: "number" }),
      ]),
    );
    const enclosed = lower.equals(upper) ? both(upper) : `≈ ${decimal(upper, 9)} (within ${decimal(upper.minus(lower), 1)})`;
    made.push(
      row([
        element("th", "Certified optimum, any number of outputs", { scope: "row" }),
        element("td", fitting[at].design),
        element("td", enclosed, { "data-exact": `${lower} ${upper}`, title: `lower ${lower}, upper ${upper}` }),
        element("td", "1", { class: "number" }),
      ]),
    );
    fill("categories-rows", ...made);
    const same = gamma.equals(known.gamma) ? "" : ` (the largest level of the table that your gamma = ${known.gamma} allows)`;
    get("categories-text").textContent =
      `At gamma = ${gamma}${same}, delta = 0, with the proportions ${shares.map(String).join(", ")}. ` +
      "The numbers are the sum of n Var over all categories.";
  };

  const show = (typed = null) => {
    startBudget();
    showControls(typed);
    for (const name of [...Object.keys(FIELDS), "epsilon"]) if (name !== typed) complain(name, ""); // it shows the setting
    const known = values();
    const found = showBinary(known);
    showRegion(known, found);
    showPosterior(known, found);
    showCategories(known);
    startBudget();
    showCurves(known);
    try {
      view.history.replaceState(null, "", fragmentOf(setting));
    } catch {
      // a page without an address of its own keeps its setting in the field "link"
    }
  };

  const complain = (name, message) => {
    const field = get(name);
    const note = get(`${name}-note`);
    if (message) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    if (note) note.textContent = message;
  };

  for (const name of Object.keys(FIELDS)) {
    get(name).addEventListener("input", () => {
      const text = get(name).value.trim();
      const value = readField(name, text);
      complain(name, value === null ? `Write ${FIELDS[name].allowed}.` : "");
      if (value === null) return;
      setting = { ...setting, [name]: text };
      show(name);
    });
    get(`${name}-slider`)?.addEventListener("input", () => {
      setting = { ...setting, [name]: `${POSITIONS[name][Number(get(`${name}-slider`).value)]}` };
      show();
    });
  }
  get("epsilon").addEventListener("input", () => {
    const level = readLevel(get("epsilon").value);
    const good = level !== null && FIELDS.gamma.fits(level);
    complain("epsilon", good ? "" : "Write a number above 0, at most 13.8, such as 1 or 1.1, or log(5), 2*log(3) or log(3)/2.");
    if (!good) return;
    setting = { ...setting, gamma: shortest(level) };
    show("epsilon");
  });
  for (const name of CHOICES) {
    get(name).addEventListener("input", () => {
      setting = { ...setting, [name]: get(name).value };
      show();
    });
  }
  view.addEventListener("resize", () => [...Object.keys(FIELDS), "epsilon"].forEach((name) => fit(get(name))));
  for (const button of page.querySelectorAll("button[data-picture]")) {
    const name = button.getAttribute("data-picture");
    button.addEventListener("click", () => savePicture(page, get(name), `${name}.svg`, fragmentOf(setting)));
  }
  get("link").addEventListener("focus", () => get("link").select());
  get("reset").addEventListener("click", () => {
    setting = { ...firstSetting(), ...written };
    show();
  });
  view.addEventListener("hashchange", () => {
    setting = settingHere();
    show();
  });
  // a choice that the page does not have, from an address, becomes the first one
  for (const name of CHOICES) {
    if (![...get(name).options].some((option) => option.value === setting[name])) {
      setting[name] = firstSetting()[name];
    }
  }
  show();
}
