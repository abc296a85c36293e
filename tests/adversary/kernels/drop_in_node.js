// node drop_in_node.js PAGE FILE...: drop files on the page of `rropt check --output`, with a small stand-in for the browser's
// document; then paste the text of the first file. Print the lines of the page, newest first, as JSON.

const { readFileSync } = require("node:fs");
const { basename } = require("node:path");
const vm = require("node:vm");

const [page, ...files] = process.argv.slice(2);
const element = () => ({
  attributes: {},
  listeners: {},
  setAttribute(name, value) { this.attributes[name] = value; },
  addEventListener(type, listener) { this.listeners[type] = listener; },
});
const lines = [];
const parts = { "#files": element(), "#text": element(), "#check": element(), "#verdicts": { prepend: (item) => lines.unshift(item) } };
const document = { ...element(), querySelector: (selector) => parts[selector], createElement: element };

const html = readFileSync(page, "utf8");
for (const id of Object.keys(parts)) {
  if (!html.includes(`id="${id.slice(1)}"`)) throw new Error(`the page has no element ${id}`);
}
const [, code] = html.match(/<script>([\s\S]*?)<\/script>/);
vm.runInNewContext(code, { document, TextDecoder, TextEncoder, Uint8Array, console });

const dropped = files.map((file) => ({ name: basename(file), arrayBuffer: async () => new Uint8Array(readFileSync(file)).buffer }));
document.listeners.drop({ preventDefault() {}, dataTransfer: { files: dropped } });
const wait = (ready, then) => (ready() ? then() : setTimeout(() => wait(ready, then), 10));
wait(() => lines.length === files.length, () => {
  parts["#text"].value = readFileSync(files[0], "utf8");
  parts["#check"].listeners.click();
  console.log(JSON.stringify(lines.map((item) => [item.attributes["data-verdict"], item.textContent])));
});
