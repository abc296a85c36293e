"""The statement design-bracket: stored files, files built for one condition, forgeries, degenerate problems."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from adversary.boundary import oracle
from adversary.built import built, design, level
from adversary.stored import accepted, cases

from rropt.checker import check_text
from rropt.checker.verdicts import state_text

F = Fraction


def judge(document: Any) -> Any:
    verdict = check_text(json.dumps(document))
    assert "unforeseen" not in verdict.reason, (verdict.reason, document)
    return verdict


def test_stored_files_have_their_verdict(size: Callable[[int, int], int]) -> None:
    """Each is judged as it was, no false claim is accepted, and the oracle decides a part of them again."""
    counts: Counter[tuple[str, str]] = Counter()
    decided = 0
    for n, case in enumerate(cases()[:: size(2, 1)]):
        verdict = judge(case["certificate"])
        assert bool(verdict) is (case["verdict"] == "accepted"), (verdict.reason, case)
        counts[case["verdict"], case["truth"]] += 1
        if n % size(12, 1) == 0:
            truth = oracle.truth(case["certificate"])
            assert truth is None or (case["verdict"], truth) != ("accepted", False), case
            decided += truth is not None
    assert counts["accepted", "true"] > 100
    assert counts["rejected", "false"] > 100
    assert counts["accepted", "false"] == 0
    assert decided > 20


@pytest.mark.slow
def test_a_singular_mechanism_has_no_estimator() -> None:
    """Constant rows, one output, repeated columns: with every sign of the bounds."""
    tried = 0
    for document in accepted()["design-bracket"][::3]:
        contrast = document["problem"]["objective"].get("contrast")
        is_known = contrast is not None and len(set(contrast)) == 1  # a multiple of the sum of the proportions
        if "estimators" not in document["proof"] or "mixture" in (document["problem"]["population"] or ()) or is_known:
            continue
        k = int(document["problem"]["inputs"])
        for rows in ([[F(1)] * k], [[F(1, 2)] * k] * 2, [[F(0)] * k, [F(1)] * k]):
            made = deepcopy(document)
            made["problem"] |= {"outputs": "any", "bounds": None}
            made["proof"].pop("limits", None)
            made["claim"]["mechanism"]["matrix"] = [[str(x) for x in row] for row in rows]
            for scale, ends in product((F(-1), F(0), F(1), F(10**6)), (("-2", "-1"), ("0", "0"), ("1", "2"))):
                estimator = made["proof"]["estimators"][0]
                made["proof"]["estimators"] = [[[str(scale)] * len(rows) for _ in estimator]]
                made["claim"]["lower"], made["claim"]["upper"] = ends
                assert not judge(made), made
                tried += 1
    assert tried > 300


def test_contrasts_are_parameters() -> None:
    """A contrast has numbers of at most 400 digits, as other parameters have; the estimator may have longer ones."""
    for kind, key in (("c-optimal", "contrast"), ("contrasts", "contrasts")):
        for digits, is_short in ((400, True), (401, False)):
            c = 10 ** (digits - 1)
            contrast = ["0", str(c)]
            estimator = [str(F(-c, 2)), str(F(3 * c, 2))]
            proof = {"alpha": ["0", "0"], "vectors": [[["0", "0"]]], "estimators": [[estimator]]}
            objective = {"kind": kind, key: contrast if key == "contrast" else [contrast]}
            made = design(objective, ["1/2", "1/2"], ("0", str(c**2)), [["3/4", "1/4"], ["1/4", "3/4"]], proof)
            assert bool(judge(made)) is is_short, (kind, digits)


def test_built_files_are_false() -> None:
    """The oracle of the statement, which reads no proof, calls the claims false wherever it decides them."""
    truths = Counter(oracle.truth(document) for document in map(json.loads, built("false")))
    assert not truths[True]
    assert truths[False] >= 15


def test_degenerate_problems() -> None:
    """They have their verdicts, and what is accepted has a sentence."""
    for text in built("degenerate", "honest"):
        if check_text(text):
            assert state_text(text)[1]


def _large(k: int, **parts: Any) -> Any:
    """Return a total variation over many inputs: the rays of one level are not listed."""
    shares = [["1", *["0"] * (k - 1)], [*["0"] * (k - 1), "1"]]
    objective = {"kind": "total-variation", "against": shares[1]}
    alpha = ["1/4", *["0"] * (k - 2), "1/4"]
    rows = [["3/4", *["1/4"] * (k - 1)], ["1/4", *["3/4"] * (k - 1)]]
    return design(objective, shares[0], ("1/2", "1/2"), rows, {"alpha": alpha}, problem={"inputs": str(k)}, **parts)


@pytest.mark.slow
def test_many_inputs() -> None:
    assert judge(_large(3000))
    for k in (1500, 20_000):
        for levels in ([], [level(3, "1/4")], [level(3), level(2)]):
            assert not judge(_large(k, levels=levels))
    squares = _large(19)
    squares["problem"]["objective"]["kind"] = "chi-square"
    squares["problem"]["objective"]["against"] = [str(Fraction(1, 19))] * 19
    assert "19 inputs are not listed" in judge(squares).reason
