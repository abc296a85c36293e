// The search of Sphinx wants every word of a question on one page. Here the pages of the index entries that a question
// contains come first, the longest entry first. The glossary and the tutorials count half, unless the question is the
// term alone.
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return; // only the page of the search has it
  const plain = Search._performSearch;
  const stemmer = new Stemmer();
  const stems = (text) => ` ${splitQuery(text.toLowerCase()).map((word) => stemmer.stemWord(word)).join(" ")} `;
  Search._performSearch = (query, ...terms) => {
    const { docnames, titles, filenames, indexentries } = Search._index;
    const question = stems(query);
    const weight = (name, entry) => {
      if (entry === query.toLowerCase().trim()) return 1000;
      return /^(glossary|tutorials)/.test(name) ? entry.length / 2 : entry.length;
    };
    const first = Object.entries(indexentries)
      .filter(([entry]) => question.includes(stems(entry)))
      .flatMap(([entry, places]) => places.filter(([, , isMain]) => isMain).map(([file, id]) =>
        [docnames[file], titles[file], id ? `#${id}` : "", null, weight(docnames[file], entry), filenames[file], "index"]))
      .sort((a, b) => a[4] - b[4]);
    const found = new Set(first.map(([name]) => name));
    return [...plain(query, ...terms).filter(([name]) => !found.has(name)), ...first];
  };
});
