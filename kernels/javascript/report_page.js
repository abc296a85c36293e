// The script of a report: it checks the certificates of its own page, again after each edit.
//
// A certificate stands in <section class="proof">: its text in <pre class="certificate">, the verdict in
// <p class="verdict">, and a copy of the file in the link with the attribute `download`. #proofs counts the verdicts.

import { checkCertificate } from "./verdict.js";

const SHOWN = 120;
const EDIT_DELAY = 300; // milliseconds without an edit before the text is checked again

/** Return what a page says about a certificate: {accepted, words}. */
export function pageVerdict(text) {
  const verdict = checkCertificate(text);
  if (verdict.accepted) return { accepted: true, words: `Accepted. ${verdict.statement}` };
  const line = text.split("\n")[verdict.line - 1] ?? "";
  const from = Math.max(0, verdict.column - 1 - SHOWN / 2);
  const place = verdict.path ? `, ${verdict.path}` : "";
  const words = `Rejected: ${verdict.reason}. Line ${verdict.line}${place}: ${line.slice(from, from + SHOWN).trim()}`;
  return { accepted: false, words };
}

/** Return the text of the file that a link saves, or null. */
function savedText(link) {
  if (!link) return null;
  const address = link.getAttribute("href"); // data:application/json, in base 64
  const letters = atob(address.slice(address.indexOf(",") + 1));
  return new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
}

/** Check the certificates of the page one after the other, and each again when it is edited. */
export function startReport(page) {
  const sections = [...page.querySelectorAll("section.proof")];
  const verdicts = sections.map(() => null);
  const total = page.querySelector("#proofs");
  const check = (section, at) => {
    const text = section.querySelector("pre.certificate").textContent;
    const saved = savedText(section.querySelector("a[download]"));
    const { accepted, words } = pageVerdict(text);
    const same = saved === null || saved === text;
    verdicts[at] = accepted && same;
    const other = same ? "" : " The text differs from the file that the link saves.";
    const output = section.querySelector("p.verdict");
    output.textContent = `Checked by this page, offline: ${words}${other}`;
    output.setAttribute("data-verdict", accepted && same ? "accepted" : "rejected");
    if (total) total.textContent = countText(verdicts);
  };
  sections.forEach((section, at) => {
    let waiting = null;
    section.querySelector("pre.certificate").addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => check(section, at), EDIT_DELAY);
    });
  });
  const next = (at) => {
    if (at >= sections.length) return;
    check(sections[at], at);
    setTimeout(() => next(at + 1), 0);
  };
  next(0);
}

function countText(verdicts) {
  const done = verdicts.filter((verdict) => verdict !== null).length;
  const rejected = verdicts.filter((verdict) => verdict === false).length;
  const words = rejected > 0 ? `${rejected} rejected` : "all accepted";
  return `This page has checked ${done} of its ${verdicts.length} certificates by itself, offline: ${words}.`;
}
