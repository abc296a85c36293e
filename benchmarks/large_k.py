"""Large k: designs, certificates, draws, counts and estimates, beside multi-freq-ldpy, pure-ldp and plain NumPy.

    python benchmarks/large_k.py [--peers]      # with --peers: the two packages where they are installed

Figures are processor time. Peers are compared at the same level, epsilon = 1, each with its own best protocol for k
categories: subset selection (multi-freq-ldpy), Hadamard response (pure-ldp). The plain NumPy sampler has the law of the
affine design up to rounding of floats, and a generator that is not cryptographic.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from fractions import Fraction
from math import exp
from typing import Any

import numpy as np

from rropt import check, kary_problem, solve
from rropt.designs.block_designs import best_blocks, private_blocks
from rropt.designs.problem import UniformProblem
from rropt.mechanisms.families import AffineClasses, AllSubsets, BlockMechanism, Cyclic
from rropt.mechanisms.sampling import Randomizer
from rropt.mechanisms.sampling.block_samplers import BlockSampler
from rropt.objectives import AOptimality
from rropt.privacy import PrivacyRegion
from rropt.survey.aggregates import count, estimate_counts, heavy_hitters

N = 1_000_000


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of a call, and its result."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def numpy_draw(blocks: AffineClasses, hit: float, answers: Any) -> Any:
    """Draw from the affine design with a generator that is not cryptographic."""
    rng = np.random.default_rng(1)
    inside = rng.random(len(answers)) < hit
    part = (blocks.q - 1) // blocks.index
    many = np.where(inside, blocks.cosets, blocks.index - blocks.cosets)
    start = np.where(inside, 0, blocks.cosets)
    exponent = (
        rng.integers(0, part, len(answers)) * blocks.index + start + (rng.random(len(answers)) * many).astype(int)
    )
    from rropt.mechanisms.families.affine import _powers_of

    i = rng.integers(0, blocks.index, len(answers))
    return i * blocks.q + (_powers_of(blocks.q)[(exponent - i) % (blocks.q - 1)] - answers) % blocks.q


def designs() -> None:
    """Print the gaps of designs with at most 64 k outputs and of long ones, and the time of design and check."""
    print("k, epsilon, gap with at most 64 k outputs, gap of long outputs, family, seconds to design, to check")
    for k in (455, 2925, 10**4, 10**6):
        for epsilon in ("1/2", 1, 2, 4, 5, 6, 8, 10, 12, 14):
            problem = kary_problem(epsilon=epsilon, categories=k, objective="a-optimal")
            spent, long = seconds(lambda p=problem: solve(p))
            region = PrivacyRegion(epsilon, inputs=k, outputs=64 * k)
            short = solve(UniformProblem(region, AOptimality(), k))
            judged, verdict = seconds(lambda s=long: check(s.certificate))
            assert verdict
            gaps = f"{short.found.relative_gap:.1e} {long.found.relative_gap:.1e}"
            print(f"{k:8} {epsilon!s:>4} {gaps} {long.mechanism.blocks.family:15} {spent:.3f} {judged:.3f}")


def servers() -> None:
    """Print microseconds a response: to draw, to count and decode; and seconds to estimate and to test."""
    print("k, us to draw, us of plain NumPy, us to count and decode, seconds of intervals, of heavy hitters")
    rng = np.random.default_rng(2)
    for k in (128, 1000, 10**4, 10**5, 10**6):
        made = private_blocks(best_blocks(k, Fraction(27, 10), 64 * k), Fraction(27, 10))
        answers, prepared = rng.integers(0, k, N), Randomizer(made)
        prepared.randomize_many(answers[:10])
        draw, drawn = seconds(lambda p=prepared, a=answers: p.randomize_many(a))
        plain = seconds(lambda m=made, a=answers: numpy_draw(m.blocks, float(m.hit), a))[0]
        counting, counts = seconds(lambda d=drawn, m=made: count(d, m))
        estimated = seconds(lambda c=counts: estimate_counts(c).ends())[0]
        tested = seconds(lambda c=counts: heavy_hitters(c, "1/100"))[0]
        print(f"{k:8} {draw:.3f} {plain:.3f} {counting:.3f} {estimated:.3f} {tested:.3f}")
    made = BlockMechanism(AllSubsets(50, 13), Fraction(27, 10))
    answers = rng.integers(0, 50, N)
    draw, rows = seconds(lambda: BlockSampler(made).sets(answers, np.random.default_rng(3).bytes))
    print(f"subsets of 13 of 50: {draw:.3f} us to draw, {seconds(lambda: count(rows, made))[0]:.3f} us to count")


def difference_sets() -> None:
    """Print the seconds in which the checker verifies Singer difference sets."""
    from rropt.designs.certificates.blocks import certify_blocks
    from rropt.mechanisms.families import uniform_bound

    for t in (13, 17, 20):
        made = BlockMechanism(Cyclic.singer(2, t), 3)
        k = made.inputs
        problem = kary_problem(epsilon="log(3)", categories=k, objective="a-optimal")
        levels = problem.region.bracket(20)
        bounds = uniform_bound(k, Fraction(3))[0], made.total_variance()
        proof = certify_blocks(problem, levels, *bounds, made)
        spent, verdict = seconds(lambda p=proof: check(p))
        print(f"difference set of {k} residues: {spent:.2f} s, {verdict}")


def peers() -> None:
    """Print microseconds a response of the two packages: to draw, and to aggregate with all estimates."""
    rng = np.random.default_rng(4)
    for k, n in ((128, 4000), (1000, 2000), (10**4, 300), (10**5, 60)):
        values = rng.integers(0, k, n)
        try:
            from multi_freq_ldpy.pure_frequency_oracles.SS import SS_Aggregator_MI, SS_Client

            SS_Client(0, k, 1.0)
            draw, reports = seconds(lambda k=k, v=values: [SS_Client(int(x), k, 1.0) for x in v])
            spent = seconds(lambda k=k, r=reports: SS_Aggregator_MI(r, k, 1.0))[0]
            print(
                f"multi-freq-ldpy, subsets, k = {k}: {draw / n * 1e6:.1f} to draw, {spent / n * 1e6:.2f} to aggregate"
            )
        except ImportError as error:
            print(f"multi-freq-ldpy is not there: {error}")
        try:
            from pure_ldp.frequency_oracles.hadamard_response import HadamardResponseClient, HadamardResponseServer

            server = HadamardResponseServer(1.0, k)
            client = HadamardResponseClient(1.0, k, server.get_hash_funcs())
            draw, reports = seconds(lambda c=client, v=values: [c.privatise(int(x) + 1) for x in v])

            def aggregated(s: Any = server, r: Any = reports, many: int = min(k, 100)) -> None:
                for report in r:
                    s.aggregate(report)
                s.estimate_all(range(1, many + 1), suppress_warnings=True)

            spent = seconds(aggregated)[0]
            print(f"pure-ldp, Hadamard, k = {k}: {draw / n * 1e6:.1f} to draw, {spent / n * 1e6:.2f} to aggregate")
        except ImportError as error:
            print(f"pure-ldp is not there: {error}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", action="store_true")
    given = parser.parse_args()
    print(f"exp(1) = {exp(1):.6f}; {N} responses")
    designs()
    servers()
    difference_sets()
    if given.peers:
        peers()
