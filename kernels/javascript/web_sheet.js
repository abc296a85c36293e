// The web form of an instruction sheet: the browser draws the report, and the true answer never leaves the page.
//
// Of each true answer the page holds the weights of the reports, integers that add up to one total. The report stands in the
// field "report", which a questionnaire reads, and in an event "rropt-report" of the document: its place in the list of
// reports, or the number itself if reports are numbers.
//
// A number of a range is typed. It is rounded to a neighbour in the grid, at random without bias, before it is randomized.

import { draw } from "./web_draw.js";

/** Return the place in the grid to which a number is rounded, drawn between its neighbours; -1 if it is not in the range. */
export function placed(text, { grid, unit }, bytes) {
  const [, sign, whole, decimals = ""] = /^([+-]?)([0-9]*)\.?([0-9]*)$/.exec(text.trim()) ?? ["", "", ""];
  if (!/^[0-9]{1,40}$/.test(whole + decimals)) return -1;
  const scale = 10n ** BigInt(decimals.length);
  const x = BigInt(whole + decimals) * BigInt(unit) * (sign === "-" ? -1n : 1n);
  const points = grid.map((point) => BigInt(point) * scale);
  const above = points.findIndex((point) => point >= x);
  if (above < 0 || (above === 0 && points[0] > x)) return -1;
  if (points[above] === x) return above;
  return above - 1 + draw([points[above] - x, x - points[above - 1]], bytes);
}

/** Draw once, when the button is pressed. */
export function startSheet(page) {
  const view = page.defaultView;
  const { weights, reports, words, numbers } = JSON.parse(page.getElementById("device").textContent);
  const columns = weights.map((column) => column.map(BigInt));
  const bytes = (count) => view.crypto.getRandomValues(new Uint8Array(count));
  const result = page.getElementById("result");
  page.getElementById("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = page.querySelector(numbers?.grid ? "input[name=truth]" : "input[name=truth]:checked");
    const truth = chosen && numbers?.grid ? placed(chosen.value, numbers, bytes) : Number(chosen?.value ?? -1);
    if (truth < 0) {
      result.textContent = words.missing;
      return;
    }
    const report = draw(columns[truth], bytes);
    if (numbers?.grid) chosen.value = "";
    else chosen.checked = false;
    page.getElementById("truths").remove();
    page.getElementById("draw").remove();
    page.getElementById("report").value = numbers ? reports[report] : `${report}`;
    result.textContent = words.result.replace("{answer}", () => reports[report]);
    page.dispatchEvent(new view.CustomEvent("rropt-report", { detail: numbers ? Number(reports[report]) : report }));
  });
}
