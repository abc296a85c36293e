// The words of the sentences: one file for Python and JavaScript, which browser_checker.py puts into pages. In the
// repository it stands under rropt; an installed package has this file in rropt/reports/javascript.

import { existsSync, readFileSync } from "node:fs";

const places = ["../../rropt/checker/sentences.json", "../../checker/sentences.json"];
const file = places.map((place) => new URL(place, import.meta.url)).find((place) => existsSync(place));

export const TABLE = JSON.parse(readFileSync(file, "utf8"));
