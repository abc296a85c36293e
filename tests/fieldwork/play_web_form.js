// The web form with a document of our own: what it says and sends, by the byte that is drawn.
const { readFileSync } = require("node:fs");
const vm = require("node:vm");
const html = readFileSync(process.argv[2], "utf8");
const data = html.match(/<script type="application\/json" id="device">([^<]*)</)[1];
const [, code] = html.match(/<script>([\s\S]*?)<\/script>/);
const element = () => ({ textContent: "", value: "", checked: true, removed: false, remove() { this.removed = true; },
  addEventListener(type, listener) { this.listener = listener; } });
const counts = {};
for (let byte = 0; byte < 8; byte++) {
  const parts = { device: { textContent: data }, form: element(), result: element(), truths: element(), draw: element(),
    report: element() };
  let chosen = null;
  let event = null;
  const queue = [byte, 0];
  const document = {
    getElementById: (id) => parts[id],
    querySelector: () => chosen,
    dispatchEvent: (given) => { event = given.detail; },
    defaultView: { crypto: { getRandomValues: (list) => list.fill(queue.shift()) },
      CustomEvent: class { constructor(type, { detail }) { this.detail = detail; } } },
  };
  vm.runInNewContext(code, { document, Uint8Array, BigInt, JSON, Math, Number });
  const submit = () => parts.form.listener({ preventDefault() {} });
  submit();
  const missing = parts.result.textContent;
  chosen = { value: process.argv[3], checked: true };
  submit();
  const key = JSON.stringify([missing, parts.result.textContent, parts.report.value, event, chosen.checked,
    parts.truths.removed]);
  counts[key] = (counts[key] ?? 0) + 1;
}
console.log(JSON.stringify(Object.entries(counts)));
