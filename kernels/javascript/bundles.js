// Bundles: several certificates in one file (checker/bundles.md).

import { MAX_BUNDLE } from "./limits.js";

/** Return whether a document is meant as a bundle. */
export const isBundle = (top) => top.has("bundle") || top.has("count");

/** Return the places of the certificates of a bundle: as many as it says, and all different. */
export function certificatesOf(top) {
  const { format, count, bundle } = top.fields(["format", "count", "bundle"]);
  format.require(format.value === "2", "the format is not 2");
  const certificates = bundle.items(MAX_BUNDLE, 1);
  count.require(count.integer(1, MAX_BUNDLE) === certificates.length, `the bundle has ${certificates.length} certificates`);
  const seen = new Set();
  for (const certificate of certificates) {
    if (isBundle(certificate)) certificate.reject("a certificate of the bundle is a bundle");
    const text = canonical(certificate.value);
    if (seen.has(text)) certificate.reject("a certificate of the bundle stands there twice");
    seen.add(text);
  }
  return certificates;
}

/** Return one text for all equal JSON values: keys are sorted. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  const keys = [...value.keys()].sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value.get(key))}`).join()}}`;
}
