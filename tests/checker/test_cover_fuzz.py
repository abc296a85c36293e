"""Rule 12 under its fuzzers: random false statements about cells, and searches for covers of false claims."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable

from fuzz import cells, covers
from fuzz.version_2 import Version2, judge_of


def test_no_false_statement_about_a_cell_is_proved(size: Callable[[int, int], int], rng: random.Random) -> None:
    """Each method is tried until the last inequality; what is true is often proved, so that the statements are fair."""
    counts, wrong = cells.run(judge_of(), rng, size(400, 100_000))
    print(_table(counts))
    assert wrong == []
    refuted = {method: counts[f"{method} false refuted"] for method in cells.METHODS}
    assert min(refuted.values()) >= size(15, 5_000), refuted
    proved = {method: counts[f"{method} true accepted"] for method in cells.METHODS}
    assert all(2 * proved[method] > refuted[method] // 4 for method in cells.METHODS), (proved, refuted)


def test_no_cover_of_a_false_claim_is_found(size: Callable[[int, int], int], rng: random.Random) -> None:
    counts, wrong = covers.run(Version2(), rng, size(60, 6_000))
    print(_table(counts))
    assert wrong == [], json.dumps(wrong[:1])
    kinds = {key.partition(":")[0] for key in counts}
    assert {"lower too high", "both too high", "upper too low", "attained is not True"} <= kinds
    assert counts["true: accepted"] > counts["true: cells"] + counts["true: point"]


def _table(counts: Counter[str]) -> str:
    return "\n".join(f"{count:8} {key}" for key, count in sorted(counts.items()))
