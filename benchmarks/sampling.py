"""Exact sampling beside NumPy's: 10^6 ten-way draws in one process, rounds interleaved; prints ratios.

    python benchmarks/sampling.py [--rounds 15] [--large]
    python benchmarks/sampling.py --structured

Required: at most 3 times NumPy's generator with the operating system's randomness, at most 1.5 times from a seed.
Baselines, all in double precision and seeded: `Generator.choice(10, n, p)`; inversion by `searchsorted` (one column,
and column by column for mixed answers); the k-ary shortcut "keep, or else another one uniformly"; and, as the floor of
what any ten-way draw costs, uniform `Generator.integers(0, 10, n)`. Set-up of the exact sampler is inside its times;
neither side starts threads.

With ``--structured``, k-ary randomized response with 1000 categories, subset selection and unary encoding are compared
with the shortest NumPy programs in double precision, in alternating pairs and processor seconds. The exact side
includes the numbers of the responses (up to 807 bits); NumPy returns members or bits.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from side_by_side import PAIRS

from rropt.mechanisms import Mechanism, named_mechanism
from rropt.mechanisms.sampling import Randomizer, randomize

N = 10**6


def kary(k: int, gamma: int) -> Mechanism:
    below = gamma + k - 1
    return Mechanism([[Fraction(gamma if i == j else 1, below) for j in range(k)] for i in range(k)])


def general(m: int, k: int, digits: int) -> Mechanism:
    """Return a mechanism without structure, with denominators of some ``digits`` digits."""
    generator = np.random.default_rng(1)
    columns = []
    for _ in range(k):
        weights = [1 + int.from_bytes(generator.bytes(1 + digits * 5 // 12), "big") for _ in range(m)]
        total = sum(weights)
        columns.append([Fraction(weight, total) for weight in weights])
    return Mechanism(list(zip(*columns, strict=True)))


def by_columns(answers: np.ndarray, cumulative: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    out = np.empty_like(answers)
    uniform = generator.random(answers.size)
    for j in range(cumulative.shape[1]):
        of_j = np.flatnonzero(answers == j)
        out[of_j] = np.searchsorted(cumulative[:-1, j], uniform[of_j], side="right")
    return out


def keep_or_other(answers: np.ndarray, keep: float, k: int, generator: np.random.Generator) -> np.ndarray:
    other = generator.integers(0, k - 1, answers.size)
    other += other >= answers
    return np.where(generator.random(answers.size) < keep, answers, other)


def interleaved(
    work: dict[str, Callable[[], object]], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {name: [] for name in work}
    for round_ in range(rounds + 1):
        for name, function in work.items():
            begin = clock()
            function()
            if round_:  # the first warms up
                seconds[name].append(clock() - begin)
    return seconds


def compare(title: str, mechanism: Mechanism, answers: np.ndarray, rounds: int, *, keep: float | None = None) -> bool:
    generator, law = np.random.default_rng(1), mechanism.to_numpy()
    cumulative = law.cumsum(axis=0)
    work: dict[str, Callable[[], object]] = {
        "exact, operating system": lambda: Randomizer(mechanism).randomize_many(answers),
        "exact, seeded": lambda: Randomizer(mechanism).simulate_many(answers, rng=1),
    }
    if mechanism.inputs == 1:
        work["numpy choice"] = lambda: generator.choice(10, N, p=law[:, 0])
        work["numpy searchsorted"] = lambda: np.searchsorted(cumulative[:-1, 0], generator.random(N), side="right")
    else:
        work["numpy searchsorted by column"] = lambda: by_columns(answers, cumulative, generator)
    if keep is not None:
        work["numpy keep or other"] = lambda: keep_or_other(answers, keep, 10, generator)
    work["numpy uniform integers"] = lambda: generator.integers(0, 10, N)
    seconds = interleaved(work, rounds)
    system, seeded = seconds["exact, operating system"], seconds["exact, seeded"]
    print(f"\n{title}")
    print(f"  {'':30}{'median ms':>10}{'least ms':>10}   ratio of medians: system, seeded")
    for name, times in seconds.items():
        median = statistics.median(times)
        ratios = f"{statistics.median(system) / median:6.2f}{statistics.median(seeded) / median:8.2f}"
        print(f"  {name:30}{1e3 * median:10.2f}{1e3 * min(times):10.2f}   {ratios if name.startswith('numpy') else ''}")
    reference = statistics.median(seconds["numpy choice" if mechanism.inputs == 1 else "numpy searchsorted by column"])
    return statistics.median(system) <= 3 * reference and statistics.median(seeded) <= 1.5 * reference


def chosen_subsets(answers: np.ndarray, k: int, d: int, hit: float, generator: np.random.Generator) -> np.ndarray:
    """Return subsets of size d by ranking random keys; the key of the truth is the smallest or the largest."""
    keys = generator.random((len(answers), k))
    keys[np.arange(len(answers)), answers] = np.where(generator.random(len(answers)) < hit, -1.0, 2.0)
    return np.argpartition(keys, d, axis=1)[:, :d]


def unary_bits(answers: np.ndarray, k: int, hit: float, miss: float, generator: np.random.Generator) -> np.ndarray:
    bits = generator.random((len(answers), k)) < miss
    bits[np.arange(len(answers)), answers] = generator.random(len(answers)) < hit
    return bits


def structured(pairs: int) -> bool:
    """Print for each line the processor seconds of both sides, the ratio of medians, and the target."""
    generator, met = np.random.default_rng(0), []
    print("work | rropt | NumPy | ratio | asked | met")
    for name, k, n, asked in (
        ("k-ary k = 1000, 10^6", 1000, 10**6, 2.0),
        ("k-ary k = 1000, 10^7", 1000, 10**7, 1.2),
        ("subset selection k = 100, d = 25, 10^4", 100, 10**4, 4.0),
        ("subset selection k = 1000, d = 250, 3000", 1000, 3000, 4.0),
        ("unary encoding k = 100, 3000", 100, 3000, 2.0),
        ("unary encoding k = 100, 10^5", 100, 10**5, 2.0),
    ):
        answers = generator.integers(0, k, n)
        if name.startswith("k-ary"):
            keep = Fraction(3, k + 2)
            mechanism = named_mechanism(f"grr:{k},{keep}")
            peer = lambda a=answers, p=float(keep): keep_or_other(a, p, 1000, generator)  # noqa: E731
        elif name.startswith("subset"):
            mechanism = named_mechanism(f"subset:{k},{k // 4},1/2")
            peer = lambda a=answers, k=k: chosen_subsets(a, k, k // 4, 0.5, generator)  # noqa: E731
        else:
            mechanism = named_mechanism(f"oue:{k},3")
            peer = lambda a=answers, k=k: unary_bits(a, k, 0.5, 0.25, generator)  # noqa: E731
        randomizer = Randomizer(mechanism)
        work = {"rropt": lambda a=answers, r=randomizer: r.randomize_many(a), "numpy": peer}
        seconds = interleaved(work, pairs, time.process_time)
        ours, theirs = (1e3 * statistics.median(times) for times in seconds.values())
        met.append(ours <= asked * theirs)
        print(
            f"{name} | {ours:.2f} ms | {theirs:.2f} ms | {ours / theirs:.2f} | {asked} | {'yes' if met[-1] else 'NO'}",
            flush=True,
        )
    return all(met)


def costs() -> None:
    print("\nother mechanisms: set-up, one answer, bulk (10^6 mixed answers), operating system's randomness")
    print(f"  {'m = k':>8}{'digits':>8}{'set-up ms':>12}{'single us':>12}{'bulk ns':>10}")
    for m, digits in ((2, 2), (3, 9), (10, 9), (10, 1000), (30, 9), (100, 9), (100, 1000), (400, 9)):
        mechanism = general(m, m, digits)
        answers = np.random.default_rng(2).integers(0, m, N)
        begin = time.perf_counter()
        randomizer = Randomizer(mechanism)
        randomizer.randomize_many(answers[:1])
        setup = time.perf_counter() - begin
        single = min(interleaved({"": lambda r=randomizer: [r.randomize(0) for _ in range(50)]}, 5)[""]) / 50
        bulk = min(interleaved({"": lambda r=randomizer, a=answers: r.randomize_many(a)}, 5)[""]) / N
        print(f"  {m:8}{digits:8}{1e3 * setup:12.2f}{1e6 * single:12.1f}{1e9 * bulk:10.1f}")
    mechanism = kary(3, 2)
    begin = time.perf_counter()
    for _ in range(2000):
        randomize(1, mechanism)
    print(f"  randomize(answer, mechanism), k = 3, prepared once: {(time.perf_counter() - begin) / 2000 * 1e6:.1f} us")


def large() -> None:
    number = 10**8
    randomizer, answers = Randomizer(kary(10, 3)), np.zeros(number, np.uint8)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.perf_counter()
    randomizer.randomize_many(answers)
    seconds = time.perf_counter() - begin
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"\n10^8 answers of one byte: {seconds:.2f} s; peak memory grew by {grown:.0f} MB (the result has 95)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--large", action="store_true", help="also 10^8 answers")
    parser.add_argument("--structured", action="store_true", help="large alphabets alone, in pairs")
    args = parser.parse_args()
    if args.structured:
        structured(PAIRS)
        return
    generator = np.random.default_rng(0)
    mixed = generator.integers(0, 10, N)
    zeros = np.zeros(N, np.int64)
    met = [
        compare("one column of ten probabilities", general(10, 1, 9), zeros, args.rounds),
        compare("k-ary, k = 10, gamma = 3, mixed answers", kary(10, 3), mixed, args.rounds, keep=0.25),
        compare("ten by ten without structure, mixed answers", general(10, 10, 9), mixed, args.rounds),
    ]
    met.append(structured(PAIRS))
    costs()
    if args.large:
        large()
    print(f"\nrequired ratios (3 and 1.5): {'met' if all(met) else 'NOT met'}")


if __name__ == "__main__":
    main()
