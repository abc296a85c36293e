"""Part D of FORMAT.md: no verdict contradicts itself or the reach of its value; what says nothing is named.

The statements are replaced by one that accepts every file, so that nothing but the invariants stands in the way. The
reach comes from ``reaches.py``, which is made from the page alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from adversary.stored import cases
from reaches import reach
from vectors import vectors

from rropt.checker import check_text, verdicts
from rropt.checker.verdicts import state_text

F = Fraction
ACCEPTED = [
    v["certificate"]
    for rule in verdicts._STATEMENTS
    if rule not in ("binary-bracket", "every-level", "garbling", "polynomial")
    for v in vectors(rule)
    if v["verdict"] == "accepted"
    if rule != "design-bracket" or v["certificate"]["proof"]["way"] == "linear"
]
ACCEPTED += [
    case["certificate"]
    for case in cases()
    if case["verdict"] == "accepted" and isinstance(case["certificate"]["problem"]["population"], list)
]
OBJECTIVES = {
    *("variance", "a-optimal", "c-optimal", "d-optimal", "e-optimal", "mutual-information", "total-variation"),
    *("chi-square", "trace", "loss", "distance", "marginals", "joint", "payoff", "contrasts"),
    *("kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence"),
}
CLAIMS = {
    "parity-bound",
    "mechanism-levels",
    "optimal-value",
    "composition",
    "shuffled",
    "divergence-level",
}


@pytest.fixture
def credulous(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace every statement by one that accepts everything."""
    for statement in verdicts._STATEMENTS:
        monkeypatch.setitem(verdicts._STATEMENTS, statement, lambda problem, claim, proof: "")


def of_what(document: Any) -> str:
    """Return the row of the table on the page that the claim belongs to."""
    kind = str(document["statement"])
    return str(kind if kind in CLAIMS else document["problem"]["objective"]["kind"])


def with_bounds(document: Any, lower: Fraction, upper: Fraction) -> Any:
    copy = deepcopy(document)
    copy["claim"] |= {"lower": str(lower), "upper": str(upper)}
    return copy


def bounded() -> Iterator[Any]:
    """Iterate over the accepted certificates whose claims have two numbers as bounds."""
    for document in ACCEPTED:
        if "lower" in document["claim"] and document["claim"]["lower"] != "infinite":
            yield document


def impossible(document: Any) -> Iterator[tuple[str, Any]]:
    """Iterate over claims that cannot be true, by what is wrong with them."""
    lower, upper = F(document["claim"]["lower"]), F(document["claim"]["upper"])
    least, greatest = reach(document["problem"], document["statement"])
    yield "crossed", with_bounds(document, upper + F(1, 10**40), upper)
    yield "far crossed", with_bounds(document, F(2), F(-5))
    if least is not None:
        yield "upper below least", with_bounds(document, least - 2, least - F(1, 10**20))
    if greatest is not None:
        yield "lower above greatest", with_bounds(document, greatest + F(1, 10**20), greatest + 2)
    if lower and least is not None and least >= 0:
        yield "negative", with_bounds(document, -abs(upper) - 2, -abs(lower) - 1)


@pytest.mark.slow
@pytest.mark.usefixtures("credulous")
def test_no_true_certificate_is_lost_and_no_impossible_one_is_accepted() -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for document in ACCEPTED:
        assert check_text(json.dumps(document))
    for document in bounded():
        for what, forged in impossible(document):
            verdict = check_text(json.dumps(forged))
            assert not verdict, (what, document)
            assert "contradict" in verdict.reason or "any mechanism can have" in verdict.reason
            counts[of_what(document), what] += 1
    assert {row for row, _ in counts} == OBJECTIVES | CLAIMS
    assert {what for _, what in counts} == {
        *("crossed", "far crossed", "upper below least", "lower above greatest", "negative"),
    }
    assert counts.total() > 1000


@pytest.mark.slow
@pytest.mark.usefixtures("credulous")
def test_a_bound_of_the_reach_itself_is_accepted() -> None:
    """Equality is no contradiction: lower = greatest, upper = least; one unit beyond is."""
    tried = 0
    for document in bounded():
        least, greatest = reach(document["problem"], document["statement"])
        for end, outwards in ((least, -1), (greatest, 1)):
            is_logarithm = of_what(document) == "d-optimal" or '"digits"' in json.dumps(document)
            if end is not None and not is_logarithm:
                assert check_text(json.dumps(with_bounds(document, end, end)))
                beyond = end + outwards * F(1, 10**30)
                assert not check_text(json.dumps(with_bounds(document, beyond, beyond)))
                tried += 1
    assert tried > 300


@pytest.mark.usefixtures("credulous")
def test_other_claims_that_cannot_be_true() -> None:
    gaps = [d for d in ACCEPTED if "gap" in d["claim"]]
    parities = [d for d in ACCEPTED if "parity" in d["claim"]]
    assert min(len(gaps), len(parities)) >= 5
    for document, key, values in (
        *((each, "gap", ("-1", f"-1/{10**50}")) for each in gaps),
        *((each, "parity", ("0", "-1", f"{10**50 - 1}/{10**50}")) for each in parities),
    ):
        for value in values:
            forged = deepcopy(document)
            forged["claim"][key] = value
            assert not check_text(json.dumps(forged))


@pytest.mark.usefixtures("credulous")
def test_the_claim_about_b_inside_a_bracket_is_held_against_them_too() -> None:
    statements = [d for d in ACCEPTED if d["statement"] in ("design-bracket", "infeasible")]
    criteria = [d for d in statements if any("infimum" in x["gamma"] for x in d["proof"].get("brackets", ()))]
    assert len(criteria) >= 5
    for document in criteria:
        for lower, upper in (("5", "4"), ("-2", "-1")):
            forged = deepcopy(document)
            forged["proof"]["brackets"][0]["gamma"]["infimum"]["claim"] |= {"lower": lower, "upper": upper}
            assert "of B" in check_text(json.dumps(forged)).reason


@pytest.mark.slow
def test_the_statements_imply_them(monkeypatch: pytest.MonkeyPatch, size: Callable[[int, int], int]) -> None:
    """Without the invariants no impossible claim is accepted either: they are a second line of defence."""
    monkeypatch.setattr(verdicts, "require_possible", lambda *_: None)
    tried = 0
    for document in list(bounded())[:: size(12, 1)]:
        for _, forged in impossible(document):
            assert not check_text(json.dumps(forged))
            tried += 1
    assert tried > 75


INEQUALITIES = {  # rows of the table with a rule whose bounds are inequalities: how many bounds may say nothing
    "lower": {"a-optimal", "c-optimal", "e-optimal", "marginals", "joint", "mutual-information"},
    "upper": {"mutual-information", "d-optimal"},
}


@pytest.mark.slow
def test_bounds_that_say_nothing_are_accepted_and_named() -> None:
    """A negative lower bound of a variance, an upper one above ln k: true, and a remark says so."""
    seen = {"lower": set(), "upper": set()}  # type: dict[str, set[str]]
    rows: dict[str, list[Any]] = {}
    for document in bounded():
        rows.setdefault(of_what(document), []).append(document)
    for document in (each for row in rows.values() for each in row[::4]):  # some of each row
        lower, upper = F(document["claim"]["lower"]), F(document["claim"]["upper"])
        least, greatest = reach(document["problem"], document["statement"])
        if least is not None:
            check_vacuous("lower", with_bounds(document, min(least - 1, lower), upper), seen)
        if greatest is not None:
            check_vacuous("upper", with_bounds(document, lower, max(greatest, upper) + 1), seen)
    for name, proved in INEQUALITIES.items():
        assert proved - {"mutual-information"} <= seen[name] | {"d-optimal", "mutual-information"}
    assert {"e-optimal", "marginals"} <= seen["lower"]
    assert "d-optimal" in seen["upper"]


def check_vacuous(name: str, document: Any, seen: dict[str, set[str]]) -> None:
    verdict, lines = state_text(json.dumps(document))
    if verdict:  # the rule proves inequalities
        assert any(line.startswith(f"The {name} bound") for line in lines[1:]), lines
        seen[name].add(of_what(document))


@pytest.mark.slow
def test_a_bound_that_says_something_is_not_called_vacuous() -> None:
    named, listed = 0, ACCEPTED[::4]
    for document in listed:
        verdict, lines = state_text(json.dumps(document))
        assert verdict
        found = lines[1:]
        claim = document["claim"]
        if "lower" not in claim or claim["lower"] == claim["upper"] != "infinite":
            assert found == []
        named += len(found)
    assert named < len(listed) / 2  # vectors of compositions have wide bounds, too


def test_an_infinite_b_is_told() -> None:
    infinite = next(d for d in ACCEPTED if d["statement"] == "parity-bound" and d["claim"]["lower"] == "infinite")
    _, lines = state_text(json.dumps(infinite))
    assert any("The upper bound is infinite and says nothing" in line for line in lines)
