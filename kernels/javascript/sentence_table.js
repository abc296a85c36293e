// The words of the sentences: one file of the repository for Python and JavaScript, which browser_checker.py puts into pages.

import { readFileSync } from "node:fs";

const file = new URL("../../rropt/checker/sentences.json", import.meta.url);

export const TABLE = JSON.parse(readFileSync(file, "utf8"));
