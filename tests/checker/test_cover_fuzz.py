"""The statement parity-bound under its fuzzers: random false statements about cells, searches for proofs of lies.

One statement or claim of eight is degenerate (``fuzz/degenerate_covers.py``).
"""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import islice

import mpmath as mp
import pytest
from adversary.fuzz import cells, covers, degenerate_covers
from adversary.fuzz.criteria import BITS, evaluate, number
from adversary.fuzz.degenerate_covers import EVERY
from adversary.fuzz.version_2 import Version2, judge_of
from stress import STRESS

PARTS = 8 if STRESS else 1  # of the full size, side by side
STATEMENTS, FILES = (10_000, 1_000) if PARTS > 1 else (240, 16)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_false_statement_about_a_cell_is_proved(part: int) -> None:
    """Each method is tried until the last inequality; what is true is often proved, so that the statements are fair."""
    counts, wrong = cells.run(judge_of(), random.Random(f"cells {part}"), STATEMENTS // PARTS)
    print(_table(counts))
    assert wrong == []
    refuted = {method: counts[f"{method} false refuted"] for method in cells.METHODS}
    assert min(refuted.values()) >= (500 // PARTS if PARTS > 1 else 8), refuted
    for method in cells.METHODS:
        proved, missed = (counts[f"{method} true {answer}"] for answer in ("accepted", "refuted"))
        assert 10 * proved > proved + missed, (method, proved, missed)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_cover_of_a_false_claim_is_found(part: int) -> None:
    counts, wrong = covers.run(Version2(), random.Random(f"covers {part}"), FILES // PARTS)
    print(_table(counts))
    assert wrong == [], json.dumps(wrong[:1])
    kinds = {key.partition(":")[0] for key in counts}
    assert {"lower too high", "both too high", "upper too low", "attained is not True"} <= kinds
    missed = counts["true: cells"] + counts["true: point"]  # of the two or three of a short run most may be missed
    assert counts["true: accepted"] > (missed if STRESS else 0)
    degenerate = sum(n for key, n in counts.items() if key.startswith("degenerate"))
    asked = counts.total() - counts["true: no oracle"] - counts["true: not read"]
    assert asked / EVERY - 1 <= degenerate <= asked / EVERY


@pytest.mark.slow
def test_one_statement_of_eight_is_degenerate() -> None:
    """They are asked by every method, and what is true of them is often proved."""
    drawn = list(islice(cells.statements(random.Random(8)), 4000))
    degenerate = [statement for statement in drawn if statement.is_degenerate]
    assert len(degenerate) == len(drawn) // EVERY
    judge = judge_of()
    counts = Counter((each.method, each.is_true, judge(each)) for each in degenerate)
    for method in cells.METHODS:
        assert counts[method, True, "accepted"] >= 3, method
        assert counts[method, False, "refuted"] >= 3, method
        assert counts[method, False, "accepted"] == 0, method


def test_what_is_known_of_degenerate_functions() -> None:
    """Every disguise has the values of its function by mpmath, limits are approached, and F is monotone."""
    for name, known in degenerate_covers.KNOWN.items():
        places = [number(f"{i}/64") for i in range(1, 64)]
        for tree in degenerate_covers.TREES[name]:
            if tree != "2":
                for p in places:
                    assert abs(evaluate(tree, p) - number(str(known.value(_fraction(p))))) < 1e-12
        values = [degenerate_covers.odds(name, _fraction(p)) for p in places]
        finite = [value for value in values if value is not None]
        assert finite in (sorted(finite), sorted(finite, reverse=True))
        tiny = degenerate_covers.UNIT
        for end, near in ((0, tiny), (1, 1 - tiny)):
            limit, value = degenerate_covers.odds(name, _fraction(end)), degenerate_covers.odds(name, near)
            assert (value is None or value > 1e9) if limit is None else abs(value - limit) < 1e-9
        for p in map(_fraction, places):
            assert 1 - known.value(1 - p) == degenerate_covers.KNOWN[known.mirror].value(p)


@pytest.mark.slow
def test_degenerate_infima_by_mpmath() -> None:
    """The infimum that is known is the one that mpmath finds, hidden operands and open ends included."""
    rng, met = random.Random(3), 0
    for _ in range(120):
        problem, known = degenerate_covers.problem(rng)
        with mp.workprec(BITS):
            found = covers.truth(problem)
            if found is not None and known.value is not None:
                met += "sqrt" in str(problem) or "log" in str(problem)
                assert abs(found.value - number(str(known.value))) < 1e-9, problem
    assert met > 5


def _fraction(p: object) -> Fraction:
    return Fraction(float(p))  # type: ignore[arg-type]  # 64ths: exact


def _table(counts: Counter[str]) -> str:
    return "\n".join(f"{count:8} {key}" for key, count in sorted(counts.items()))
