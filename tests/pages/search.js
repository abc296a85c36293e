// node search.js SITE QUERY...: the links that the search of a built site shows for each query, in order, one query a line.
// The code is the site's own.
const fs = require("fs"), vm = require("vm");
const [site, ...queries] = process.argv.slice(2);
const ready = [];
const document = { addEventListener: (name, run) => ready.push(run), getElementById: () => null };
const context = { document, SPHINX_HIGHLIGHT_ENABLED: false };
Object.assign(context, { window: context, _: (text) => text, _ready() {}, _removeChildren() {} });
vm.createContext(context);
const read = (name) => fs.readFileSync(`${site}/${name}`, "utf8");
vm.runInContext(`${read("_static/language_data.js")}\n${read("_static/searchtools.js")}\nthis.Search = Search;`, context);
vm.runInContext(read("searchindex.js"), context);
vm.runInContext(read("_static/search.js"), context);
ready.forEach((run) => run());
for (const query of queries) {
  const found = context.Search._performSearch(...context.Search._parseQuery(query));
  console.log(found.reverse().map(([page, , place]) => page + place).join(" "));
}
