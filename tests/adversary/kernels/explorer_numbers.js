// node explorer_numbers.js < settings.json: the numbers of the explorer page at each setting, exact, as JSON.

import { readFileSync } from "node:fs";

const folder = new URL("../../../kernels/javascript/", import.meta.url);
const load = (name) => import(new URL(name, folder).href);
const { startBudget } = await load("budget.js");
const designs = await load("explorer_designs.js");
const { readNumber, logarithm, levelBelow, rootAbove } = await load("explorer_numbers.js");
const { settingOf, fragmentOf, firstSetting, USES, cornerText } = await load("explorer_page.js");

const text = (x) => (x === null ? null : `${x}`);
const pair = ({ p00, p11 }) => [`${p00}`, `${p11}`];

function found(setting) {
  startBudget();
  const known = Object.fromEntries(Object.entries(setting).map(([name, value]) => [name, readNumber(`${value}`)]));
  const { optima, rows } = designs.binaryDesigns(known);
  const vertices = designs.regionVertices(known.gamma, known.delta);
  return {
    optima: optima.map(pair),
    vertices: vertices.map((point) => point.map(String)),
    corners: vertices.map(cornerText),
    rows: Object.fromEntries(
      rows.map(({ name, design, value, parameters }) => {
        const ratios = design && designs.likelihoodRatios(design);
        return [
          name,
          {
            design: design && pair(design),
            value: text(value),
            use: USES[name](parameters),
            respondents: `${designs.respondents(value, known.error)}`,
            ratios: ratios && [text(ratios.yes), text(ratios.no)],
            posterior: ratios && [ratios.yes, ratios.no].map((x) => text(designs.posterior(known.prevalence, x))),
            yes: design && text(designs.yesShare(design, known.prevalence)),
          },
        ];
      }),
    ),
    logarithm: logarithm(known.gamma).map(String),
    root: text(rootAbove(rows[0].value)),
    level: text(levelBelow(known.other)),
    link: settingOf(fragmentOf({ ...firstSetting(), ...setting }), firstSetting()),
  };
}

console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(found)));
