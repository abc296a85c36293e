// In the place of the controls of the explorer: computes given settings, types into the page, and writes what it found.
const text = (x) => (x === null ? null : `${x}`);
const given = JSON.parse(document.getElementById("given").textContent);
const found = given.map((setting) => {
  m_budget.startBudget();
  const exact = ([name, value]) => [name, m_explorer_numbers.readNumber(value)];
  const known = Object.fromEntries(Object.entries(setting).map(exact));
  const { optima, rows } = m_explorer_designs.binaryDesigns(known);
  const values = Object.fromEntries(rows.map(({ name, value }) => [name, text(value)]));
  return [optima.map(({ p00, p11 }) => `${p00},${p11}`), values];
});
const get = (id) => document.getElementById(id);
const type = (id, text) => {
  get(id).value = text;
  get(id).dispatchEvent(new Event("input"));
  const note = get(`${id}-note`)?.textContent ?? "";
  return [get(id).getAttribute("aria-invalid"), note, get("gamma").value, get("epsilon").value];
};
const steps = {
  wrong: type("gamma", "x"),
  gamma: type("gamma", "7/2"),
  logarithm: type("epsilon", "log(5)"),
  multiple: type("epsilon", "2 * log(3/2)"),
  epsilon: type("epsilon", "1"),
  slider: type("delta-slider", "0"),
  large: type("prevalence", "3/2"),
  rare: type("prevalence", "1%"),
};
type("categories", "5");
type("design", "four");
const link = get("link").value.split("#")[1];
get("reset").click();
const first = get("link").value.split("#")[1];
const faults = () => [...document.querySelectorAll("[aria-invalid]")].map((field) => field.id);
type("epsilon", "x");
type("n", "y");
const wrong = faults();
type("gamma", "3"); // rewrites both fields
const right = faults();
location.hash = "#gamma=9&delta=x&n=7&other=<b>";
setTimeout(() => {
  const after = get("link").value.split("#")[1];
  get("found").textContent = JSON.stringify({ found, steps, wrong, right, link, first, after });
}, 200);
