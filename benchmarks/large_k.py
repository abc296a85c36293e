"""Large k: designs, certificates, draws, counts and estimates, beside multi-freq-ldpy, pure-ldp and plain NumPy.

    python benchmarks/large_k.py [--only PART] [--peers]      # with --peers: the two packages where they are installed

PART is one of capacities, designs, gaps, traces, servers, sets, streaming, client, survey, difference_sets. Each prints
its target beside what was measured.

Figures are processor time. Peers are compared at the same level, epsilon = 1, each with its own best protocol for k
categories: subset selection (multi-freq-ldpy), Hadamard response (pure-ldp). The plain NumPy sampler has the law of the
affine design up to rounding of floats, and a generator that is not cryptographic.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np

from rropt import check, solve
from rropt.core.exact import Bracket
from rropt.designs import Problem
from rropt.designs.block_designs import best_blocks, default_output_bits, private_blocks
from rropt.designs.problem import uniform
from rropt.mechanisms import named_mechanism
from rropt.mechanisms.families import AffineClasses, AllSubsets, BlockMechanism, Cyclic, uniform_bound
from rropt.mechanisms.families.affine import power_modulo
from rropt.mechanisms.families.primes import primitive_root
from rropt.mechanisms.sampling import Randomizer
from rropt.mechanisms.sampling.block_samplers import BlockSampler
from rropt.objectives import AOptimality, Trace
from rropt.privacy import PrivacyRegion
from rropt_fieldwork.counts import estimate_counts, heavy_hitters
from rropt_fieldwork.from_tables.counted_responses import count

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
    i = rng.integers(0, blocks.index, len(answers))
    return (
        i * blocks.q
        + (power_modulo(primitive_root(blocks.q), (exponent - i) % (blocks.q - 1), blocks.q) - answers) % blocks.q
    )


def designs() -> None:
    """Print the gaps of designs with at most 64 k outputs and of long ones, and the time of design and check."""
    print("k, epsilon, gap with at most 64 k outputs, gap of long outputs, family, seconds to design, to check")
    for k in (455, 2925, 10**4, 10**6):
        for epsilon in ("1/2", 1, 2, 4, 5, 6, 8, 10, 12, 14):
            problem = Problem.kary(k, epsilon=epsilon, objective="a-optimal")
            spent, long = seconds(lambda p=problem: solve(p))
            region = PrivacyRegion(epsilon, inputs=k, outputs=64 * k)
            short = solve(Problem(region, AOptimality(), uniform(k)))
            judged, verdict = seconds(lambda s=long: check(s.certificate))
            assert verdict
            gaps = f"{short.found.relative_gap:.1e} {long.found.relative_gap:.1e}"
            print(f"{k:8} {epsilon!s:>4} {gaps} {long.mechanism.blocks.family:15} {spent:.3f} {judged:.3f}")


def traces() -> None:
    """Print the largest trace: gap relative to the value, seconds to design and to check, bytes, us to draw."""
    print("k, delta, weights, relative gap, seconds to design, to check, bytes of the certificate, us to draw")
    rng = np.random.default_rng(4)
    for k in (1000, 10**5, 10**6, 10**7):
        for delta in ("0", "1/1000000"):
            for weights in (None, f"10x1/20,{k - 10}x1/{2 * (k - 10)}"):
                problem = Problem.kary(k, epsilon=1, delta=delta, objective=Trace(weights))
                spent, found = seconds(lambda p=problem: solve(p))
                judged, verdict = seconds(lambda s=found: check(s.certificate))
                assert verdict
                draw = seconds(lambda m=found.mechanism, k=k: Randomizer(m).randomize_many(rng.integers(0, k, N)))[0]
                gap, size = float(found.gap / found.value), len(found.certificate.text)
                which = "equal" if weights is None else "10 heavy"
                print(f"{k:8} {delta:9} {which:8} {gap:.1e} {spent:.3f} {judged:.4f} {size} {draw:.3f}")


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
        estimated = seconds(lambda c=counts: estimate_counts(c).conf_int())[0]
        tested = seconds(lambda c=counts: heavy_hitters(c, "1/100"))[0]
        print(f"{k:8} {draw:.3f} {plain:.3f} {counting:.3f} {estimated:.3f} {tested:.3f}")
    made = BlockMechanism(AllSubsets(50, 13), Fraction(27, 10))
    answers = rng.integers(0, 50, N)
    draw, rows = seconds(lambda: BlockSampler(made).sets(answers, np.random.default_rng(3).bytes))
    print(f"subsets of 13 of 50: {draw:.3f} us to draw, {seconds(lambda: count(rows, made))[0]:.3f} us to count")


def capacities() -> None:
    """Print capacity and flip probability of k-ary randomized response at epsilon = 14, beside the published ones."""
    published = {455: (8.821556150827456, 0.0003782027903293844), 2925: (11.461727965384876, 0.002426322167983409)}
    print("k, epsilon = 14: capacity in bits (published), flip probability (published)")
    for k, (bits, flip) in published.items():
        found = solve(Problem.kary(k, epsilon=14, objective="mutual-information"))
        made = found.mechanism
        own = float(found.value) / log(2)
        flips = float(k * (1 - made.hit) / (k - 1))
        print(f"{k:8} {own!r} ({bits!r}) {flips!r} ({flip!r})")
        assert abs(own - bits) < 1e-12
        assert abs(flips / flip - 1) < 1e-12


def gaps() -> None:
    """Print the largest certified gap over a grid of epsilon, beside its target."""
    print("k: outputs, epsilon, the largest certified gap (target) at which epsilon")
    for k in (2925, 10**4, 10**6):
        for name, bits, low, high, step, target in (
            ("at most 64 k outputs", None, 2, 16, 1, 5e-4),  # epsilon in quarters
            ("long outputs", "long", 2, 56, 1, 3e-4),
            ("at most 64 k outputs", None, 17, 56, 3, None),
        ):
            worst = (0.0, 0.0)
            for quarter in range(low, high + 1, step):
                epsilon = Fraction(quarter, 4)
                region = PrivacyRegion(epsilon, inputs=k, outputs=64 * k)
                whole = Problem(region, AOptimality(), uniform(k))
                found = solve(
                    whole
                    if bits is None
                    else Problem.kary(k, epsilon=epsilon, objective="a-optimal", outputs=f"2^{default_output_bits(k)}")
                )
                assert check(found.certificate)
                worst = max(worst, (found.found.relative_gap, float(epsilon)))
            told = "open" if target is None else f"target {target:g}"
            print(f"{k:8} {name}, epsilon {low / 4} to {high / 4}: {worst[0]:.2g} ({told}) at {worst[1]}")
            assert target is None or worst[0] <= target


def sets() -> None:
    """Print microseconds to draw one subset of the best size at epsilon = 1."""
    rng = np.random.default_rng(5)
    print("k, d: us to draw a set, the system's randomness")
    for k in (50, 128, 1000, 10**4, 10**5):
        d = uniform_bound(k, Fraction(2718281828, 10**9))[1]
        prepared = Randomizer(BlockMechanism(AllSubsets(k, d), Fraction(2718281828, 10**9)))
        answers = rng.integers(0, k, max(10**7 // k, 100))
        spent, _ = seconds(lambda p=prepared, a=answers: [len(x) for x in p.randomize_sets(a)])
        print(f"{k:8} {d:6} {spent / len(answers) * 1e6:.2f}")


def own(script: str, *words: str) -> tuple[float, int, str]:
    """Run Python in a process of its own; return its processor time, peak memory in MB and output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    tail = "\nimport resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    done = subprocess.run([sys.executable, "-c", script + tail, *words], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    *told, peak = done.stdout.strip().splitlines()
    return spent, int(peak), " ".join(told)


_COMMAND = "import sys; from rropt.cli.main import main; assert main(sys.argv[1:]) == 0"


def streaming() -> None:
    """Print the time and memory of counting and estimating text files of responses, beside their targets."""
    rng = np.random.default_rng(6)
    with tempfile.TemporaryDirectory() as folder:
        path, counts = f"{folder}/responses.txt", f"{folder}/counts.json"
        made = BlockMechanism(AllSubsets(50, 13), Fraction(2718281828, 10**9))
        prepared, design = Randomizer(made), f"{folder}/design.json"
        Path(design).write_text(made.to_json())
        with Path(path).open("w") as stream:
            for _ in range(100):
                for rows in prepared.randomize_sets(rng.integers(0, 50, 100_000)):
                    chosen = np.nonzero(rows)[1].reshape(len(rows), 13).tolist()
                    stream.write("".join("&".join(map(str, row)) + "\n" for row in chosen))
        words = ["count", path, "--mechanism", design, "--output", counts]
        spent, peak, _ = own(_COMMAND, *words)
        more, _, _ = own(_COMMAND, "estimate", counts)
        print(f"10^7 subsets at k = 50: {spent + more:.1f} s (target 10), {peak} MB (target 500)")
        short = private_blocks(best_blocks(10**5, Fraction(2718281828, 10**9), 64 * 10**5), Fraction(2718281828, 10**9))
        drawn = Randomizer(short).randomize_many(rng.integers(0, 10**5, 10**6))
        Path(design).write_text(short.to_json())
        with Path(path).open("w") as stream:
            stream.write("".join(f"{x}\n" for x in drawn.tolist()))
        spent, peak, _ = own(_COMMAND, "count", path, "--mechanism", design, "--output", counts)
        more, _, _ = own(_COMMAND, "count", counts, "--exceeding", "1/100")
        print(f"10^6 responses at k = 10^5: {spent + more:.1f} s (target 10), {peak} MB")


def client() -> None:
    """Run a client in C of the exported text: 10^7 responses through count, merge and estimate."""
    k, n = 1000, 10**7
    with tempfile.TemporaryDirectory() as folder:
        design = f"{folder}/design.json"
        words = ["design", "kary", "-k", str(k), "--epsilon", "1", "--objective", "a-optimal"]
        own(_COMMAND, *words, "--outputs", "2^16", "--output", design)
        own(_COMMAND, "export", design, "--language", "c", "--output", f"{folder}/client.c")
        subprocess.run(["gcc", "-O2", "-o", f"{folder}/client", f"{folder}/client.c"], check=True)
        assert subprocess.run([f"{folder}/client", "test"], capture_output=True, check=True).stdout == b"ok\n"
        shares = dict.fromkeys(range(k), 0)
        for x, share in ((7, 3), (40, 5), (123, 12), (999, 20)):
            shares[x] = share * n // 100
        rest = n - sum(shares.values())
        for x in range(k):
            shares[x] += rest // k
        shares[0] += n - sum(shares.values())
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for i in range(4):
            with Path(f"{folder}/{i}.txt").open("w") as stream:
                for x in range(i, k, 4):
                    subprocess.run([f"{folder}/client", "draw", str(x), str(shares[x])], stdout=stream, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        drawing = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        spent, peak = 0.0, 0
        for i in range(4):
            words = ["count", f"{folder}/{i}.txt", "--mechanism", design, "--output", f"{folder}/{i}.json"]
            more, most, _ = own(_COMMAND, *words)
            spent, peak = spent + more, max(peak, most)
        merged = f"{folder}/all.json"
        spent += own(_COMMAND, "count", "--add", *(f"{folder}/{i}.json" for i in range(4)), "--output", merged)[0]
        more, _, told = own(_COMMAND, "estimate", merged, "--json")
        joint = [row["simultaneous"]["exact"] for row in json.loads(told)["rows"]]
        inside = sum(low <= shares[x] / n <= high for x, (low, high) in enumerate(joint))
        above = json.loads(own(_COMMAND, "count", merged, "--exceeding", "1/100", "--json")[2])["exceeding"]["rows"]
        print(
            f"C client, k = {k}, {n} responses: drawn in {drawing:.1f} s, count and merge {spent:.1f} s, {peak} MB, "
            f"estimate {more:.1f} s; the truth is within {inside} of {k} joint intervals; above 1/100: "
            f"{[row['name'] for row in above]}"
        )
        assert inside == k


def survey() -> None:
    """Print the time of counting a table with weights, strata and clusters."""
    rng, n = np.random.default_rng(7), 10**6
    with tempfile.TemporaryDirectory() as folder:
        path, counts = f"{folder}/table.csv", f"{folder}/counts.json"
        drawn = Randomizer(named_mechanism("olh:1000,2.718")).randomize_many(rng.integers(0, 1000, n))
        with Path(path).open("w") as stream:
            stream.write("y,w,s,c\n")
            for y, w, c in zip(
                drawn.tolist(), rng.integers(1, 500, n).tolist(), rng.integers(0, 100, n).tolist(), strict=True
            ):
                stream.write(f"{y},{w / 100},{c % 10},{c}\n")
        words = ["--column", "y", "--weights", "w", "--strata", "s", "--clusters", "c", "--mechanism", "olh:1000,2.718"]
        spent, peak, _ = own(_COMMAND, "count", path, *words, "--output", counts)
        more, _, _ = own(_COMMAND, "estimate", counts)
        print(
            f"10^6 rows in 100 clusters, k = 1000, local hashing: count {spent:.1f} s, {peak} MB, estimate {more:.1f} s"
        )


def difference_sets() -> None:
    """Print the seconds in which the checker verifies Singer difference sets."""
    from rropt.designs.writers.bracket_writer import state_bracket
    from rropt.mechanisms.families import uniform_bound

    for t in (13, 17, 20):
        made = BlockMechanism(Cyclic.singer(2, t), 3)
        k = made.inputs
        problem = Problem.kary(k, epsilon="log(3)", objective="a-optimal")
        ends = Bracket(uniform_bound(k, Fraction(3))[0], made.total_variance())
        levels, document = problem.region.bracket(20), problem.certified_dict()
        proof = state_bracket(document, levels, ends, made, "formula", {})
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
    parts = {
        each.__name__: each
        for each in (capacities, designs, gaps, traces, servers, sets, streaming, client, survey, difference_sets)
    }
    parser.add_argument("--only", choices=parts)
    given = parser.parse_args()
    print(f"exp(1) = {exp(1):.6f}; {N} responses")
    for name, part in parts.items():
        if given.only in (None, name):
            part()
    if given.peers:
        peers()
