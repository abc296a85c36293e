"""Certificates of B(h): fifty criteria of all kinds, random ones, what cannot be written down."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case
from few_rows import few_rows
from hypothesis import given
from hypothesis import strategies as st
from parity_bound_cases import CASES, composed, random_criterion

from rropt.checker import check_text
from rropt.core.errors import CertificateError
from rropt.privacy.bound import ParityBound, parity_bound
from rropt.privacy.bound_certificate import infimum_certificate
from rropt.privacy.criteria import (
    Criterion,
    bayes_factor,
    beta_factor,
    canonical_information_privacy,
    differential_local_privacy,
    information_privacy,
    rho_to_rho,
)

GAP = Fraction(1, 10**12)  # what an enclosure may be wide, relatively


def criterion_of(upper: str, lower: str | None) -> Criterion:
    return canonical_information_privacy(upper) if lower is None else information_privacy(lower=lower, upper=upper)


def certified(criterion: Criterion) -> tuple[ParityBound, dict[str, Any]]:
    """Return the bound and the document of an accepted certificate that says the same."""
    bound = parity_bound(criterion, fast=True)
    certificate = infimum_certificate(criterion, bound)
    verdict = certificate.check()
    assert verdict, verdict.reason
    return bound, certificate.to_dict()


# At an irrational end that its piece does not own, attainment is left open: no code of the checker receives the root.
OPEN = ("piecewise(1/2, p^2 < 1/5, 1)", "piecewise(sqrt(p), p^2 < 1/2, 1)")


@few_rows(2)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} | {case[1]}")
def test_fifty_criteria_are_certified(case: tuple) -> None:
    bound, document = certified(criterion_of(case[0], case[1]))
    claim = document["claim"]
    lower, upper = Fraction(claim["lower"]), Fraction(claim["upper"])
    assert bound.lower is not None
    assert bound.upper is not None
    assert upper - lower <= GAP * upper
    assert lower <= bound.upper
    assert bound.lower <= upper
    if bound.places[0].value is not None:  # exact: nothing is given away
        assert lower == bound.lower
        assert upper - lower <= Fraction(1, 10**18) * upper
    assert claim["attained"] == (None if case[0] in OPEN else bound.attained)
    if bound.places[0].at.rational is not None and len(bound.places) == 1:
        assert claim["at"] == bound.places[0].text or bound.places[0].approach == "near"


def test_there_are_fifty() -> None:
    assert len(CASES) >= 50


@every_case(
    ("criterion", "lower", "upper", "attained", "at"),
    [
        (rho_to_rho("1/5", "1/2"), "4", "4", False, "1/5"),
        (beta_factor("3/2"), "3/2", "3/2", False, "0+"),
        (differential_local_privacy("log(2)"), "2", "2", True, "1/2"),
        (bayes_factor(3), "3", "3", True, "1/2"),
        (bayes_factor(3, "1/2"), "2", "2", True, "1/2"),
        (information_privacy(lower="0", upper="1"), "infinite", "infinite", None, None),
        (canonical_information_privacy("piecewise(1, p < 1/3, 1)"), "infinite", "infinite", None, None),
    ],
)
def test_named_criteria(criterion: Criterion, lower: str, upper: str, attained: bool | None, at: str | None) -> None:
    claim = certified(criterion)[1]["claim"]
    assert claim == {"lower": lower, "upper": upper, "attained": attained, "at": at}


@pytest.mark.parametrize("level", ["1/2", "7/3", "2/3*log(5)", "log(3)/7"])
def test_irrational_levels_of_differential_privacy(level: str) -> None:
    bound, document = certified(differential_local_privacy(level))
    claim = document["claim"]
    assert (claim["lower"], claim["upper"]) == (str(bound.lower), str(bound.upper))
    assert claim["attained"] is True
    assert bound.lower != bound.upper


def test_a_rational_bound_at_an_irrational_place_is_bracketed() -> None:
    ratio = "(2 + (p^2 - 1/2)^2)"
    bound, document = certified(canonical_information_privacy(f"{ratio}*p/(1 - p + {ratio}*p)"))
    assert bound.lower == bound.upper == 2
    claim = document["claim"]
    assert Fraction(claim["lower"]) < 2 < Fraction(claim["upper"])
    assert Fraction(claim["upper"]) - Fraction(claim["lower"]) <= Fraction(1, 10**18)
    assert claim["attained"] is True


@pytest.mark.slow
def test_random_piecewise_rational_criteria(rng: random.Random, size: Callable[[int, int], int]) -> None:
    attained = set()
    points = size(40, 600)
    for _ in range(points):
        text, _ = random_criterion(rng)
        bound, document = certified(canonical_information_privacy(text))
        claim = document["claim"]
        assert claim["attained"] == bound.attained, text
        assert Fraction(claim["upper"]) == bound.upper, text
        assert Fraction(claim["lower"]) == bound.lower, text
        attained.add(claim["attained"])
    assert attained == {True, False}


@pytest.mark.slow
def test_random_criteria_that_are_not_rational(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """All are certified at a width of 10^-12 (relative), and attainment is proved for most of them."""
    points, proved, tried = size(6, 150), 0, 0
    for i in range(points):
        text = composed(rng, i % 2)
        criterion = canonical_information_privacy(text)
        try:
            bound = parity_bound(criterion, fast=True)
        except NotImplementedError:  # not shown to be defined: another test's concern
            continue
        claim = infimum_certificate(criterion, bound).require_accepted().claim
        lower, upper = Fraction(claim["lower"]), Fraction(claim["upper"])
        assert bound.lower is not None
        assert bound.upper is None or lower <= bound.upper
        assert bound.lower <= upper
        assert upper - lower <= GAP * upper, text
        proved += claim["attained"] == bound.attained
        tried += 1
    assert tried >= points * 9 // 10
    assert proved >= points * 3 // 4


@given(st.fractions(Fraction(1, 50), Fraction(48, 50), max_denominator=60), st.fractions(0, 1, max_denominator=40))
def test_steps_are_certified_at_their_place(low: Fraction, share: Fraction) -> None:
    """rho1-to-rho2 at any rho1, and the same with the step owned by the lower piece."""
    high = low + (1 - low) * (share + 1) / 3
    _, document = certified(rho_to_rho(low, high))
    claim = document["claim"]
    assert Fraction(claim["lower"]) == high * (1 - low) / (low * (1 - high))
    assert claim["attained"] is False
    _, owned = certified(canonical_information_privacy(f"piecewise({high}, p <= {low}, 1)"))
    assert owned["claim"] == {**claim, "attained": True, "at": str(low)}


@pytest.mark.slow
@every_case(
    "upper",
    [
        "1 - (1-p)^60",
        "(" + "+".join(f"p^(1/{i})" for i in range(2, 14)) + ")/12",  # a long sum is written flat
        "sqrt(" * 8 + "p" + ")" * 8,
        "piecewise(" + ",".join(f"{i}/40, p < {i}/41" for i in range(2, 26)) + ", 1)",
        "min(1, exp(1/2)*p, sqrt(p))",
        "p^p",
        "min((1-exp(-9*p))/(1-exp(-9)), 8*p, 1)",  # which one is the least is known at 0 only
        "p + p*(1-p)*(p-1/3)^2*exp(-p)",
        "min(1, p + 1/1000000)",
        "min(1, p*(1 + 1/10^12))",
    ],
)
def test_large_deep_and_narrow_functions(upper: str) -> None:
    bound, document = certified(canonical_information_privacy(upper))
    assert document["claim"]["attained"] == bound.attained
    assert bound.lower is not None
    assert bound.lower * (1 - GAP) <= Fraction(document["claim"]["lower"]) <= bound.lower


def test_the_file_is_the_certificate(tmp_path: Path) -> None:
    criterion = rho_to_rho("1/5", "1/2")
    certificate = infimum_certificate(criterion, parity_bound(criterion, fast=True))
    certificate.save(tmp_path / "bound.json")
    assert check_text((tmp_path / "bound.json").read_text()).accepted


def test_a_wrong_bound_is_not_certified() -> None:
    criterion = canonical_information_privacy("min(1, p + 1/10)")
    other = parity_bound(canonical_information_privacy("min(1, p + 1/5)"), fast=True)
    with pytest.raises(CertificateError, match="no certificate"):
        infimum_certificate(criterion, other)
