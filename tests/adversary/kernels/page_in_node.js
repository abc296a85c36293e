// node page_in_node.js PAGE [FROM TO]: run the script of a report with a small stand-in for the browser's document.
// With FROM and TO the first certificate is edited afterwards. Print what the page says, as JSON.

const { readFileSync } = require("node:fs");
const vm = require("node:vm");

const [page, from, to] = process.argv.slice(2);
const html = readFileSync(page, "utf8");
const plain = (text) =>
  text.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&#x27;/g, "'").replace(/&amp;/g, "&");

const element = (text = "", attributes = {}) => ({
  textContent: text,
  listeners: {},
  getAttribute: (name) => attributes[name] ?? null,
  setAttribute: (name, value) => { attributes[name] = value; },
  addEventListener(type, listener) { this.listeners[type] = listener; },
});

const sections = [...html.matchAll(/<section class="proof">([\s\S]*?)<\/section>/g)].map(([, inside]) => {
  const [, text] = inside.match(/<pre class="certificate"[^>]*>([\s\S]*?)<\/pre>/);
  const link = inside.match(/<a download="[^"]*" href="([^"]*)"/);
  const parts = {
    "pre.certificate": element(plain(text)),
    "p.verdict": element(),
    "a[download]": link ? element("", { href: link[1] }) : null,
  };
  return { querySelector: (selector) => parts[selector] };
});
const total = html.includes('id="proofs"') ? element() : null;
const document = {
  querySelectorAll: (selector) => (selector === "section.proof" ? sections : []),
  querySelector: (selector) => (selector === "#proofs" ? total : null),
};

const [, code] = html.match(/<script>([\s\S]*?)<\/script>/);
vm.runInNewContext(code, { document, TextDecoder, Uint8Array, atob, setTimeout, clearTimeout, console });

const told = () => ({
  total: total.textContent,
  verdicts: sections.map((section) => section.querySelector("p.verdict").textContent),
});
const done = () => !told().verdicts.includes("");
const wait = (ready, then) => (ready() ? then() : setTimeout(() => wait(ready, then), 20));
wait(done, () => {
  const first = told();
  if (from === undefined) {
    console.log(JSON.stringify({ first }));
    return;
  }
  const text = sections[0].querySelector("pre.certificate");
  const before = first.verdicts[0];
  text.textContent = text.textContent.replace(from, to);
  text.listeners.input();
  wait(() => told().verdicts[0] !== before, () => console.log(JSON.stringify({ first, edited: told() })));
});
