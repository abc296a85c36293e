// The values that functions of the clients beside this file answer, though they are no category and no list of counts.
const found = {};
for (const [kind, [k, m, counts]] of Object.entries(JSON.parse(process.argv[2]))) {
  const client = await import(`./${kind}.mjs`);
  const names = [];
  const refused = (name, run) => {
    try { run(); names.push(`${name} is answered`); }
    catch (wrong) { if (!(wrong instanceof RangeError)) names.push(`${name}: ${wrong}`); }
  };
  const wrong = [-1n, BigInt(k), BigInt(k) + 5n, 2n ** 64n, -1, k, 2 ** 53, NaN, 0.5, "0", "x", "", null, undefined, true, [0n]];
  for (const each of wrong) refused(`randomize ${String(each)}`, () => client.randomize(each));
  if (client.holds) {
    for (const each of wrong) refused(`holds 0n ${String(each)}`, () => client.holds(0n, each));
    for (const each of [-1n, BigInt(m), m, -1, "-1", "x", "", 0.5, null, true]) refused(`holds ${each}`, () => client.holds(each, 0n));
  }
  for (const each of [counts.slice(1), [...counts, 1], [], counts.map(() => 0), undefined, "12", counts.join(" ")])
    refused(`estimate ${each}`, () => client.estimate(each));
  for (let i = 0; i < counts.length; i++)
    for (const each of ["1", "", "x", -1, 0.5, NaN, Infinity, null, true, undefined, 1n, 1e15])
      refused(`estimate with ${String(each)}`, () => client.estimate(counts.with(i, each)));
  if (kind !== "refusal" && !client.estimate(counts).flat().every(Number.isFinite)) names.push("no estimate");
  if (!client.test()) names.push("test");
  found[kind] = names;
}
console.log(JSON.stringify(found));
