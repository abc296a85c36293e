// The rays of rays_way.md, as vectors of integers.

import { charge, pieces, Rejected } from "./budget.js";
import { gcd, product } from "./fractions.js";
import { MAX_RAYS } from "./limits.js";

function primitive(ray) {
  const divisor = ray.reduce(gcd, 0n);
  return ray.map((x) => x / divisor);
}

/** Return the rays of walls and bends, both lists of [j, l, gamma]. */
export function raysOf(walls, bends, k) {
  const ties = []; // [l, j, n, d]: r_j = (n/d) r_l
  for (const [j, l, { n, d }] of [...walls, ...bends]) ties.push([l, j, n, d], [j, l, d, n]);
  const within = (ray, zeros) =>
    walls.every(([j, l, { n, d }]) => (!zeros && ray[l] === 0n) || product(ray[j], d) <= product(n, ray[l]));
  const rays = [];
  for (let first = 0; first < k; first++) {
    let layer = new Map([["", Array.from({ length: k }, (_, l) => (l === first ? 1n : 0n))]]);
    while (layer.size > 0) {
      if (rays.length + layer.size > MAX_RAYS) throw new Rejected(`the levels have more than ${MAX_RAYS} rays`);
      for (const ray of layer.values()) {
        charge(1 + walls.length / 8);
        if (within(ray, true)) rays.push(ray);
      }
      layer = grown(layer, ties, first, within);
    }
  }
  return rays;
}

/** Return the vectors with one more positive entry, behind the first one, along a tie. */
function grown(layer, ties, first, within) {
  const next = new Map();
  for (const ray of layer.values()) {
    for (const [l, j, n, d] of ties) {
      charge(1);
      if (j <= first || ray[j] !== 0n || ray[l] === 0n) continue;
      const reduced = primitive(ray.map((x, i) => (i === j ? n * ray[l] : x * d)));
      charge(4 + pieces(reduced[j]));
      if (!within(reduced, false)) continue;
      next.set(reduced.join(), reduced);
      if (next.size > 8 * MAX_RAYS) throw new Rejected(`the levels have more than ${MAX_RAYS} rays`);
    }
  }
  return next;
}
