// node enclosures.js SOURCES: print enclosures of logarithms, exponentials and roots of many fractions, one in a line.

const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

const load = (name) => import(pathToFileURL(join(process.argv[2], name)).href);

async function main() {
  const { Interval, setDigits } = await load("intervals.js");
  const { Fraction } = await load("fractions.js");
  const { startBudget } = await load("budget.js");
  let seed = 20161n;
  const draw = (most) => {
    seed = (seed * 6364136223846793005n + 1442695040888963407n) % (1n << 64n);
    return ((seed >> 20n) % most) + 1n;
  };
  const shown = (end) => (end.infinite ? "infinite 0" : `${end.m} ${end.e}`);
  const lines = [];
  for (const digits of [1, 20, 60, 300]) {
    setDigits(digits);
    for (let i = 0; i < 100; i++) {
      startBudget();
      const scale = 10n ** BigInt([1, 3, 6, 40][i % 4]);
      let [n, d] = [draw(scale), draw(scale)];
      if (i % 7 === 0) {
        d = 10n ** draw(BigInt(digits + 3)); // near 1
        n = d + draw(3n) - 2n;
      }
      const x = Fraction.of(n > 0n ? n : 1n, d);
      const interval = Interval.of(x);
      const small = x.n / x.d < 100000n;
      const found = { log: interval.log(), root: interval.root() };
      if (small) Object.assign(found, { exp: interval.exp(), fall: interval.negative().exp() });
      for (const [name, { low, high }] of Object.entries(found)) {
        lines.push(`${digits} ${name} ${x.n} ${x.d} ${shown(low)} ${shown(high)}`);
      }
    }
  }
  console.log(lines.join("\n"));
}

main();
