"""Several questions at once: everything at twenty unlike bits, estimates, randomizing and the most likely distribution.

python -P benchmarks/several_questions.py [PART ...] [--peers]   # PART: twenty, dense, alone, ten, pairs, likely

Set OMP_NUM_THREADS=1: small blocked products want one thread. Prints processor seconds, the best of some runs.
--peers: multi-freq-ldpy and pure-ldp in the same run, where they are installed; minutes. -P: coverage.py beside this
script is not the module that numba looks for.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib.metadata import version
from itertools import product
from pathlib import Path

import numpy as np

import rropt
from rropt.answers import answers_of_counts, answers_of_rows
from rropt.designs.bits import design_bits
from rropt.designs.orders import compare_products
from rropt.inference import (
    estimate_cells,
    estimate_joint,
    estimate_marginals,
    estimate_pairs,
    simultaneous_intervals,
    utility,
)
from rropt.inference.joint_likelihood import certify_estimate
from rropt.inference.likelihood import most_likely
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.kronecker import kronecker_product_floats
from rropt.mechanisms.sampling import Randomizer
from rropt.objectives import greenwood_loss
from rropt.plans import affordable_order, compare_precision

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
        ours = seconds(lambda: estimate_cells(answers, exact=False), runs)  # noqa: B023  # called at once
        theirs = seconds(lambda: implementation_1(0.75, counts), runs)  # noqa: B023
        table = estimate_cells(answers, exact=False).floats()
        miss = np.abs(table - implementation_1(0.75, counts)).max()
        ratio = f"{theirs / ours:.1f}, differ {miss:.0e}"
        yield f"n = {n:2}: dense {theirs:.4f} s, here with variances {ours:.4f} s: {ratio}"


def twenty() -> Iterator[str]:
    """Mechanism, transforms, privacy, precision, plans, randomizing and estimates for twenty unlike bits."""
    mechanism = unlike(20)
    uniform = [Fraction(1, mechanism.inputs)] * mechanism.inputs
    factors = [device.to_numpy() for device in mechanism.factors]
    floats = GENERATOR.random(mechanism.inputs)
    work: list[tuple[str, Callable[[], object]]] = [
        ("mechanism", lambda: unlike(20)),
        ("an entry of C", lambda: mechanism[5, 99]),
        ("condition number", mechanism.condition),
        ("forward, exact", lambda: mechanism.apply(uniform)),
        ("adjoint, exact", lambda: mechanism.adjoint(uniform)),
        ("inverse, exact", lambda: mechanism.invert(uniform)),
        ("forward, floats", lambda: kronecker_product_floats(factors, floats)),
        (
            "epsilon for inputs that differ in 1, 2, ..., 20",
            lambda: [mechanism.differing_epsilon(k) for k in range(21)],
        ),
        ("delta(3), enclosed", lambda: mechanism.delta_bracket(3)),
        (
            "trace, loss and variances at the uniform population",
            lambda: (utility(mechanism).loss(), utility(mechanism).trace()),
        ),
        (
            "all marginal variances and a covariance",
            lambda: (utility(mechanism).marginal_variances(), utility(mechanism).covariance(0, 3)),
        ),
        ("mean of the loss over random populations", lambda: greenwood_loss(mechanism).mean_loss),
        (
            "respondents for a standard error of 0.01 in every 3-way marginal",
            lambda: rropt.plan.se(mechanism, variance="1/10000", marginals=3),
        ),
        ("marginals that 10^6 respondents afford", lambda: affordable_order(mechanism, 10**6, "1/10000")),
        (
            "budget 20 split by the weights 1, ..., 20, certified",
            lambda: design_bits(20, weights=list(range(1, 21)), fast=True),
        ),
        ("beside k-ary response and subset selection on 2^20", lambda: compare_precision(mechanism)),
        (
            "compared with twenty other bits",
            lambda: compare_products(mechanism, ProductMechanism(mechanism.factors[::-1]), fast=True),
        ),
    ]
    for name, job in work:
        yield f"20 unlike bits, {name}: {seconds(job, 1):.3f} s"
    width = mechanism.delta_bracket(3).gap
    yield f"20 unlike bits, width of delta(3): {float(width):.1e}"
    truth = (GENERATOR.random((10**5, 20)) < 0.2).astype(np.uint8)
    randomizer = Randomizer(mechanism)
    yield f"20 unlike bits, 10^5 rows randomized: {seconds(lambda: randomizer.randomize_questions(truth)):.3f} s"
    answers = answers_of_rows(mechanism, randomizer.simulate_questions(truth, rng=1))
    jobs: list[tuple[str, Callable[[], object]]] = [
        ("joint estimate with variances, 2^20 cells", lambda: estimate_cells(answers)),
        ("all 190 pairs", lambda: estimate_pairs(answers)),
        ("all 1140 marginals of three questions, exact", lambda: estimate_marginals(answers, 3)),
        ("simultaneous intervals of 2^20 cells", lambda: simultaneous_intervals(estimate_cells(answers))),
        ("most likely distribution of 12 of the questions", lambda: estimate_joint(answers, range(12))),
    ]
    for name, job in jobs:
        yield f"20 unlike bits, 10^5 respondents, {name}: {seconds(job, 1):.3f} s"
    both = estimate_joint(answers, range(12))
    verdict = certify_estimate(both.groups, both.population, both.likelihood_gap).check()
    yield f"20 unlike bits, 12 of the questions: gap {float(both.likelihood_gap):.1e}, {verdict}"


def alone() -> Iterator[str]:
    for n in (16, 20, 24):
        mechanism = unlike(n)
        vector = GENERATOR.random(1 << n)
        factors = [device.to_numpy() for device in mechanism.factors]
        forward = seconds(lambda: kronecker_product_floats(factors, vector), 2)  # noqa: B023
        answers = answers_of_counts(mechanism, GENERATOR.integers(0, 3, 1 << n))
        table = seconds(lambda: estimate_cells(answers, exact=False), 1)  # noqa: B023
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
        return estimate_cells(answers_of_rows(mechanism, randomizer.simulate_questions(truth, rng=seed)), exact=False)

    base = seconds(plain)
    for name, seed in (("seeded", 7), ("operating system", None)):
        taken = seconds(lambda: ours(seed))  # noqa: B023
        ratio = f"{taken / base:.2f} of plain NumPy ({base:.3f} s)"
        yield f"10^6 ten-bit rows, randomize + estimate, {name}: {taken:.3f} s, {ratio}"
    if peers:
        yield from _peers(truth, mechanism)


def _peers(truth: np.ndarray, mechanism: ProductMechanism) -> Iterator[str]:
    """The same rows by multi-freq-ldpy and pure-ldp, where they are installed: each question by itself, log(3) each."""
    rows, n = truth.shape
    answers = Randomizer(mechanism)

    def ours() -> object:
        return estimate_marginals(answers_of_rows(mechanism, answers.randomize_questions(truth)), 1)

    base = seconds(ours)
    yield f"10^6 ten-bit rows, randomize + ten shares, here, operating system: {base:.3f} s"
    try:
        from multi_freq_ldpy.mdim_freq_est.SPL_solution import SPL_GRR_Aggregator_MI, SPL_GRR_Client
    except ImportError as error:
        yield f"multi-freq-ldpy: {error}"
    else:
        listed, level = truth.tolist(), n * float(np.log(3))
        SPL_GRR_Client(listed[0], [2] * n, n, level)  # compiles

        def splitting() -> object:
            told = [SPL_GRR_Client(row, [2] * n, n, level) for row in listed]
            return SPL_GRR_Aggregator_MI(told, [2] * n, n, level)

        taken = seconds(splitting, 1)
        name = f"multi-freq-ldpy {version('multi-freq-ldpy')} (SPL, GRR)"
        yield f"10^6 ten-bit rows, randomize + ten shares, {name}: {taken:.1f} s, {taken / base:.0f} times as long"
    try:
        from pure_ldp.frequency_oracles.direct_encoding import DEClient, DEServer
    except ImportError as error:
        yield f"pure-ldp: {error}"
    else:
        listed = (truth + 1).T.tolist()

        def direct() -> object:
            found = []
            for column in listed:
                client, server = DEClient(np.log(3), 2), DEServer(np.log(3), 2)
                for x in column:
                    server.aggregate(client.privatise(x))
                found.append(server.estimate(2, suppress_warnings=True) / rows)
            return found

        taken = seconds(direct, 1)
        name = f"pure-ldp {version('pure-ldp')} (direct encoding)"
        yield f"10^6 ten-bit rows, randomize + ten shares, {name}: {taken:.1f} s, {taken / base:.0f} times as long"


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
    """The most likely distribution, written as a certificate and judged by a checker of its own process."""
    for a, (name, population) in product(("14/25", "3/4", "9/10"), populations(12).items()):
        mechanism = ProductMechanism([Mechanism.binary(a, a)] * 12)
        chances = np.maximum(
            kronecker_product_floats([device.to_numpy() for device in mechanism.factors], population), 0
        )
        counts = GENERATOR.multinomial(100_000, chances / chances.sum())
        begin = time.process_time()
        best, gap = most_likely([(mechanism, counts)])
        searched = time.process_time() - begin
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "estimate.json"
            certify_estimate([(mechanism, counts)], best, gap).save(file)
            begin = sum(os.times()[2:4])
            judged = subprocess.run(
                [sys.executable, "-m", "rropt.checker", str(file)], capture_output=True, text=True, check=False
            )
            checked, size = sum(os.times()[2:4]) - begin, file.stat().st_size
        yield (
            f"12 bits, a = {a}, {name}: {searched:.2f} s, gap {float(gap):.1e}; file of {size} bytes, checker "
            f"{checked:.2f} s, status {judged.returncode}: {judged.stdout.strip().rpartition(': ')[2][:90]}"
        )


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "twenty": twenty,
    "dense": dense_or_not,
    "alone": alone,
    "ten": lambda: ten_bits("--peers" in sys.argv),
    "pairs": pairs,
    "likely": likely,
}


def main() -> None:
    for name in [part for part in sys.argv[1:] if part in PARTS] or PARTS:
        for line in PARTS[name]():
            print(line, flush=True)


if __name__ == "__main__":
    main()
