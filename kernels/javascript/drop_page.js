// The script of the page checker.html: drop certificates on it, or paste one, and read the verdicts.

import { checkCertificate } from "./verdict.js";
import { decoded } from "./json.js";
import { pageVerdict } from "./report_page.js";

/** Return what the page says about the bytes of a file. */
export function fileVerdict(bytes) {
  const verdict = checkCertificate(bytes);
  return verdict.accepted || verdict.path ? pageVerdict(decoded(bytes)) : { accepted: false, words: `Rejected: ${verdict.reason}` };
}

/** Serve the page: files that are chosen or dropped, and text that is pasted. */
export function startDropPage(page) {
  const list = page.querySelector("#verdicts");
  const show = (name, { accepted, words }) => {
    const item = page.createElement("li");
    item.textContent = `${name}: ${words}`;
    item.setAttribute("data-verdict", accepted ? "accepted" : "rejected");
    list.prepend(item);
  };
  const read = async (files) => {
    for (const file of files) show(file.name, fileVerdict(new Uint8Array(await file.arrayBuffer())));
  };
  const chooser = page.querySelector("#files");
  chooser.addEventListener("change", () => read([...chooser.files]));
  page.addEventListener("dragover", (event) => event.preventDefault());
  page.addEventListener("drop", (event) => {
    event.preventDefault();
    read([...event.dataTransfer.files]);
  });
  page.querySelector("#check").addEventListener("click", () => {
    show("text", fileVerdict(new TextEncoder().encode(page.querySelector("#text").value)));
  });
}
