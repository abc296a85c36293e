// node node.js FILE ...: print one verdict for each file, with the sentence that is proved; --full prints long values in
// it in full, --quiet leaves it out. With --stdin the names come on standard input, one on a line.

import { readFileSync, statSync, writeSync } from "node:fs";
import { Rejected } from "./budget.js";
import { MAX_BYTES } from "./limits.js";
import { checkCertificate, verdictLine } from "./verdict.js";

function verdictOf(name, told) {
  let bytes;
  try {
    if (statSync(name).size > MAX_BYTES) throw new Rejected(`the file is longer than ${MAX_BYTES} bytes`);
    bytes = readFileSync(name);
  } catch (error) {
    return `rejected: ${error instanceof Rejected ? error.message : "the file cannot be read"}`;
  }
  const verdict = checkCertificate(bytes, full);
  if (verdict.statements && told) return [verdictLine(verdict), ...verdict.statements].join("\n  ");
  return verdict.accepted && told ? `accepted: ${verdict.statement}` : verdictLine(verdict);
}

const given = process.argv.slice(2);
const told = !given.includes("--quiet");
const full = given.includes("--full");
const fromInput = given.includes("--stdin");
const listed = fromInput ? readFileSync(0, "utf8").split("\n").filter((name) => name !== "") : [];
const names = given.filter((word) => !["--quiet", "--full", "--stdin"].includes(word)).concat(listed);
if (names.length === 0) {
  writeSync(2, "usage: node node.js [--quiet | --full] [--stdin] FILE ...\n");
  process.exitCode = 2;
}
for (const name of names) {
  const line = verdictOf(name, told);
  if (!line.startsWith("accepted")) process.exitCode = 1;
  writeSync(1, `${line}\n`);
}
