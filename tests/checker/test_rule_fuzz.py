"""Everything but parity-bound under its fuzzers: honest-looking files with false claims, by oracles of their own.

At full size (RROPT_STRESS=1) at least 950 000 false files that are rejected by an inequality of their rule; what is
stopped by its shape does not count. One piece of eight is degenerate (``fuzz/degenerates.py``).
``benchmarks/fuzzing.py`` makes the table of ``benchmarks/FUZZING.md`` of the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import dropwhile, islice
from pathlib import Path

import pytest
from adversary.fuzz import degenerates, orders
from adversary.fuzz.levels import random_level
from adversary.fuzz.rules import CHUNK, FUZZERS, Fuzzer
from stress import STRESS

CHUNKS = [(fuzzer, chunk) for fuzzer in FUZZERS for chunk in range(fuzzer.full // CHUNK if STRESS else 1)]


def test_the_full_size_is_what_is_said() -> None:
    assert sum(fuzzer.full for fuzzer in FUZZERS) >= 950_000
    assert all(fuzzer.full % CHUNK == 0 for fuzzer in FUZZERS)


@pytest.mark.drawn(2)
@pytest.mark.parametrize(("fuzzer", "chunk"), CHUNKS, ids=lambda x: x.name if isinstance(x, Fuzzer) else str(x))
def test_no_false_file_is_accepted(fuzzer: Fuzzer, chunk: int, size: Callable[[int, int], int]) -> None:
    """In the gate a small first chunk of each fuzzer."""
    count = size(100, CHUNK)
    score = fuzzer.run(count, chunk)
    print(score.table())
    assert score.errors == []
    assert score.tried.total() >= count
    assert score.stopped.total() <= score.tried.total() // 2  # shape is not what is tested here
    assert score.accepted.total() >= size(1, CHUNK // 50)  # so that the oracle and the files are fair
    assert len(score.reasons) >= min(2, len(fuzzer.deciding))
    assert len(score.tried) >= 3


def test_degenerate_pieces_are_as_many_as_is_said(size: Callable[[int, int], int]) -> None:
    """Of every fourth fuzzer, at full size of each, one piece of eight is degenerate: forged and false."""
    for fuzzer in FUZZERS[:: size(4, 1)]:
        source = fuzzer.pieces(random.Random(f"frequency {fuzzer.name}"))
        drawn = list(islice(dropwhile(lambda piece: not piece.true, source), size(40, 80)))
        found = [piece for piece in drawn if piece.method.startswith(degenerates.METHOD)]
        assert not any(piece.true for piece in found)
        assert len(drawn) / degenerates.EVERY * 0.8 <= len(found) <= len(drawn) / degenerates.EVERY + 1, fuzzer.name
        others = [piece for piece in drawn if piece not in found]
        honest = dropwhile(lambda piece: not piece.true, fuzzer.source(random.Random(f"frequency {fuzzer.name}")))
        assert [piece.document for piece in islice(honest, len(others))] == [piece.document for piece in others]


PARTS = {  # of fuzzers, and what only enumerates or makes mutants
    "binary": "designs and their n Var, for binary_brackets",
    "binary_brackets": "the pieces of a statement of format 2: test_binary_bracket.py",
    "branch_pieces": "files of the way of branches: test_branches_way.py",
    "criteria": "functions of a prior, for cells and covers",
    "degenerate_covers": "degenerate cases, for cells and covers",
    "degenerates": "degenerate cases, for all others",
    "divergence_pieces": "files of the way of cells: test_cells_way.py",
    "dropped": "mutants of the checker",
    "exchanged": "mutants of parity-bound",
    "harness": "what puts pieces to the checker",
    "levels": "levels, for all",
    "one_sided": "an enumeration: prevalences 0 and 1 and intervals from 0 are in it",
    "orbits": "files of the way of groups: test_groups_way.py",
    "orbit_objectives": "files of the way of groups: test_groups_way.py",
    "planted": "files by hand, one for each condition",
    "rules": "the table of the fuzzers",
    "staircases": "staircase rows and their information, for branches and groups",
    "traces": "files of the way of a formula: test_formula_way.py",
    "version_2": "the parts of a file of parity-bound",
    "weakened": "mutants of the checker",
}
OF_RULE_12 = {"cells", "covers", "cover_changes"}  # test_cover_fuzz.py holds how many of theirs are degenerate


def test_every_fuzzer_is_held_to_draw_degenerate_pieces() -> None:
    """No module that draws pieces is left out of the tests of their frequency."""
    folder = Path(degenerates.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    listed = {fuzzer.source.__module__.rpartition(".")[2] for fuzzer in FUZZERS}
    assert modules == listed | OF_RULE_12 | PARTS.keys()
    assert not (listed | OF_RULE_12) & PARTS.keys()
    own = {name for name in modules if "\nFUZZERS" in (folder / f"{name}.py").read_text(encoding="utf-8")}
    assert own == listed | {"rules"}


def test_the_oracle_of_garblings_knows_what_is_one(rng: random.Random) -> None:
    """What is made by a kernel is a garbling, and the source is not one of those that were garbled."""
    tried = 0
    while tried < 300:
        source, kernel = orders.kernel(rng, 3, 2, 0.0), orders.kernel(rng, 2, 3, 0.0)
        target = orders.times(kernel, source)
        assert orders.weight_against(source, target) is None
        if orders.information(target, [1, 0]) < orders.information(source, [1, 0]):
            assert orders.weight_against(target, source) is not None
            tried += 1


def test_the_oracle_of_levels_holds_exp(rng: random.Random) -> None:
    """Powers of exp(r) by mpmath against powers of rationals: 300 levels."""
    for _ in range(300):
        level = random_level(rng)
        if level.kind == "power":
            q, times = Fraction(level.text["log"]), Fraction(level.text["times"])
            power = level.number**times.denominator
            exact = q**times.numerator
            assert abs(power * exact.denominator - exact.numerator) < 1e-60
