// As often as weights are drawn over all first bytes, and how many bytes a wide range asks for.
const { draw, below } = await import(process.argv[2]);
const found = JSON.parse(process.argv[3]).map((weights) => {
  const counts = weights.map(() => 0);
  const total = weights.reduce((a, b) => a + b);
  for (let first = 0; first < 256; first++) {
    let drawn = 0;
    try {
      const once = (count) => {
        if (count !== 1 || drawn++) throw new Error("again");
        return [first];
      };
      counts[draw(weights.map(BigInt), once)]++;
    } catch (error) {
      if (error.message !== "again") throw error;
    }
  }
  return counts;
});
let asked = 0;
const wide = below(10n ** 30n, (count) => { asked = count; return new Array(count).fill(0); });
console.log(JSON.stringify([found, asked, `${wide}`]));
