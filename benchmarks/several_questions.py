"""Several questions at once: transforms, tables, pairs, randomizing and the most likely distribution, side by side.

python benchmarks/several_questions.py [--peers]

Set OMP_NUM_THREADS=1: small blocked products want one thread. Prints processor seconds, the best of some runs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from rropt.certificates.likelihood import certify_estimate
from rropt.estimation import answers_of_counts, answers_of_rows, estimate_pairs, estimate_table
from rropt.estimation.joint_likelihood import most_likely
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.vectors import carried_floats
from rropt.sampling import Randomizer

GENERATOR = np.random.default_rng(1)


def seconds(work: Callable[[], object], runs: int = 3) -> float:
    """Return the least processor time of some runs."""
    times = []
    for _ in range(runs):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def unlike(n: int) -> ProductMechanism:
    """Return n bits, all different and not bisymmetric."""
    return ProductMechanism([Mechanism.binary(f"{70 + l}/100", f"{95 - l}/100") for l in range(n)])  # noqa: E741


def implementation_1(a: float, counts: np.ndarray) -> np.ndarray:
    """Return the estimate by Implementation 1 of Vinterbo (2018): the dense inverse, by iterated Kronecker products."""
    inverse, dense = np.array([[a, a - 1], [a - 1, a]]) / (2 * a - 1), np.ones((1, 1))
    for _ in range(int(np.log2(len(counts)))):
        dense = np.kron(inverse, dense)
    return dense.dot(counts) / counts.sum()


def dense_or_not() -> Iterator[str]:
    for n in range(4, 14):
        counts = GENERATOR.integers(0, 50, 1 << n)
        answers = answers_of_counts(ProductMechanism([Mechanism.binary("3/4", "3/4")] * n), counts)
        runs = 3 if n < 13 else 1
        ours = seconds(lambda: estimate_table(answers, exact=False), runs)  # noqa: B023  # called at once
        theirs = seconds(lambda: implementation_1(0.75, counts), runs)  # noqa: B023
        table = estimate_table(answers, exact=False).decimals()
        miss = np.abs(table - implementation_1(0.75, counts)).max()
        ratio = f"{theirs / ours:.1f}, differ {miss:.0e}"
        yield f"n = {n:2}: dense {theirs:.4f} s, here with variances {ours:.4f} s: {ratio}"


def alone() -> Iterator[str]:
    for n in (16, 20, 24):
        mechanism = unlike(n)
        vector = GENERATOR.random(1 << n)
        factors = [device.to_numpy() for device in mechanism.factors]
        forward = seconds(lambda: carried_floats(factors, vector), 2)  # noqa: B023
        answers = answers_of_counts(mechanism, GENERATOR.integers(0, 3, 1 << n))
        table = seconds(lambda: estimate_table(answers, exact=False), 1)  # noqa: B023
        yield f"{n} unlike bits: one transform {forward:.3f} s, estimate and variances {table:.3f} s"


def ten_bits(peers: bool) -> Iterator[str]:
    n, rows = 10, 10**6
    truth = GENERATOR.integers(0, 2, (rows, n)).astype(np.uint8)
    mechanism = ProductMechanism([Mechanism.binary("3/4", "3/4")] * n)
    randomizer = Randomizer(mechanism)
    weights = 1 << np.arange(n)

    def plain() -> np.ndarray:
        told = truth ^ (np.random.default_rng(7).random(truth.shape) < 0.25)
        return implementation_1(0.75, np.bincount(told @ weights, minlength=1 << n))

    def ours(seed: int | None) -> object:
        return estimate_table(answers_of_rows(mechanism, randomizer.randomize_questions(truth, seed=seed)), exact=False)

    base = seconds(plain)
    for name, seed in (("seeded", 7), ("operating system", None)):
        taken = seconds(lambda: ours(seed))  # noqa: B023
        ratio = f"{taken / base:.2f} of plain NumPy ({base:.3f} s)"
        yield f"10^6 ten-bit rows, randomize + estimate, {name}: {taken:.3f} s, {ratio}"
    if peers:
        yield from _peers(truth[: rows // 100], mechanism)


def _peers(truth: np.ndarray, mechanism: ProductMechanism) -> Iterator[str]:
    """Unary encodings of multi-freq-ldpy and pure-ldp, where they are installed: 10^4 rows, each bit by itself."""
    ours = seconds(lambda: estimate_table(answers_of_rows(mechanism, Randomizer(mechanism).randomize_questions(truth))))
    yield f"10^4 ten-bit rows, here: {ours:.3f} s"
    try:
        from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
    except ImportError as error:
        yield f"multi-freq-ldpy: {error}"
    else:
        taken = seconds(lambda: [GRR_Client(int(x), 2, np.log(3)) for x in truth.ravel()], 1)
        yield f"10^4 ten-bit rows, multi-freq-ldpy (randomizing alone): {taken:.3f} s"
    try:
        from pure_ldp.frequency_oracles.direct_encoding import DEClient
    except ImportError as error:
        yield f"pure-ldp: {error}"
    else:
        client = DEClient(epsilon=np.log(3), d=2)
        taken = seconds(lambda: [client.privatise(int(x) + 1) for x in truth.ravel()], 1)
        yield f"10^4 ten-bit rows, pure-ldp (randomizing alone): {taken:.3f} s"


def pairs() -> Iterator[str]:
    bits = GENERATOR.integers(0, 2, (10**6, 64)).astype(np.uint8)
    answers = answers_of_rows(ProductMechanism([Mechanism.binary("3/4", "3/4")] * 64), bits)
    floats = bits.astype(np.float32)
    one = seconds(lambda: floats.T @ floats)
    all_pairs = seconds(lambda: estimate_pairs(answers))
    ratio = f"{all_pairs / one:.2f}"
    yield f"2016 pairs of 64 bits of 10^6 rows: {all_pairs:.3f} s; one float32 product {one:.3f} s: {ratio}"


def populations(n: int) -> dict[str, np.ndarray]:
    """Return ten populations of n bits, from one cell to all."""
    cells = 1 << n
    found = {"uniform": np.full(cells, 1 / cells)}
    found |= {"one cell": np.eye(cells)[5], "two cells": np.eye(cells)[:2].mean(axis=0)}
    for name, alpha in (("Dirichlet 1", 1.0), ("Dirichlet 1/10", 0.1)):
        found[name] = GENERATOR.dirichlet(np.full(cells, alpha))
    for count in (10, 200):
        chosen = np.zeros(cells)
        chosen[GENERATOR.choice(cells, count, replace=False)] = GENERATOR.dirichlet(np.ones(count))
        found[f"{count} cells"] = chosen
    independent = np.ones(1)
    for share in GENERATOR.uniform(0.02, 0.5, n):
        independent = np.kron([1 - share, share], independent)
    found["independent bits"] = independent
    found["Zipf"] = 1 / (1 + np.arange(cells)) ** 1.2
    found["rare"] = np.exp(-2.0 * np.array([cell.bit_count() for cell in range(cells)]))
    return {name: weights / weights.sum() for name, weights in found.items()}


def likely() -> Iterator[str]:
    for a, (name, population) in product(("14/25", "3/4", "9/10"), populations(12).items()):
        mechanism = ProductMechanism([Mechanism.binary(a, a)] * 12)
        chances = np.maximum(carried_floats([device.to_numpy() for device in mechanism.factors], population), 0)
        counts = GENERATOR.multinomial(100_000, chances / chances.sum())
        begin = time.process_time()
        best, gap = most_likely([(mechanism, counts)])
        searched = time.process_time()
        verdict = certify_estimate([(mechanism, counts)], best, gap).check()
        checked = time.process_time()
        yield (
            f"12 bits, a = {a}, {name}: {searched - begin:.2f} s, gap {float(gap):.1e}, checked in "
            f"{checked - searched:.2f} s: {'accepted' if verdict else verdict.reason}"
        )


def main() -> None:
    for lines in (dense_or_not(), alone(), ten_bits("--peers" in sys.argv), pairs(), likely()):
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    main()
