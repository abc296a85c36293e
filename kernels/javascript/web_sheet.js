// The web form of an instruction sheet: the browser draws the report, and the true answer never leaves the page.
//
// Of each true answer the page holds the weights of the reports, integers that add up to one total. The report stands in the
// field "report", which a questionnaire reads, and in an event "rropt-report" of the document.

import { draw } from "./web_draw.js";

/** Draw once, when the button is pressed. */
export function startSheet(page) {
  const view = page.defaultView;
  const { weights, reports, words } = JSON.parse(page.getElementById("device").textContent);
  const columns = weights.map((column) => column.map(BigInt));
  const bytes = (count) => view.crypto.getRandomValues(new Uint8Array(count));
  const result = page.getElementById("result");
  page.getElementById("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = page.querySelector("input[name=truth]:checked");
    if (!chosen) {
      result.textContent = words.missing;
      return;
    }
    const report = draw(columns[Number(chosen.value)], bytes);
    chosen.checked = false;
    page.getElementById("truths").remove();
    page.getElementById("draw").remove();
    page.getElementById("report").value = `${report}`;
    result.textContent = words.result.replace("{answer}", () => reports[report]);
    page.dispatchEvent(new view.CustomEvent("rropt-report", { detail: report }));
  });
}
