// The search of Sphinx wants every word of a question on one page. Here the pages of the index entries that a question
// contains come first, each once, the longest entry first. The glossary and the tutorials count half, unless the question
// is the term alone.
// A page that is opened from a folder must not read other pages, so the list is then without their first lines.
if (globalThis.location?.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return; // only the page of the search has it
  const plain = Search._performSearch, summary = Search.makeSearchSummary;
  if (!plain || !summary || typeof Stemmer === "undefined" || typeof splitQuery === "undefined") return; // another Sphinx
  const stemmer = new Stemmer();
  const stems = (text) => ` ${splitQuery(text.toLowerCase()).map((word) => stemmer.stemWord(word)).join(" ")} `;
  Search._performSearch = (query, ...terms) => {
    const { docnames, titles, filenames, indexentries } = Search._index;
    if (!docnames || !titles || !filenames || !indexentries) return plain(query, ...terms);
    const question = stems(query);
    const weight = (name, entry) => {
      if (entry === query.toLowerCase().trim()) return 1000;
      return /^(glossary|tutorials)/.test(name) ? entry.length / 2 : entry.length;
    };
    const first = Object.entries(indexentries)
      .filter(([entry]) => question.includes(stems(entry)))
      .flatMap(([entry, places]) => places.filter(([, , isMain]) => isMain).map(([file, id]) =>
        [docnames[file], titles[file], id ? `#${id}` : "", null, weight(docnames[file], entry), filenames[file], "index"]))
      .sort((a, b) => a[4] - b[4])
      .filter(([name], i, all) => all.slice(i + 1).every(([other]) => other !== name));
    const found = new Set(first.map(([name]) => name));
    return [...plain(query, ...terms).filter(([name]) => !found.has(name)), ...first];
  };
  // The place of an entry may have no text; the summary is then of the page.
  Search.makeSearchSummary = (html, words, anchor) => summary(html, words, anchor) ?? (anchor ? summary(html, words, "") : null);
});
