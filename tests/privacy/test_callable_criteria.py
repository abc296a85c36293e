"""Criteria that are Python functions: only ever enclosed, against the same functions as expressions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from flint import arb

from rropt.errors import InvalidParameterError, UnsupportedProblemError
from rropt.mechanisms import Mechanism
from rropt.privacy.criteria import (
    Criterion,
    EndBehaviour,
    callable_information_privacy,
    canonical_information_privacy,
    end_behaviour,
)
from rropt.privacy.parity_bounds import criterion_level, judge, parity_bound

Ball = arb
ONE = arb(1)


def step(p: Ball) -> Ball:
    """1/2 below 1/5, 1 from there: with the union where a ball holds both."""
    if p < arb(1) / 5:
        return ONE / 2
    return ONE if p >= arb(1) / 5 else (ONE / 2).union(ONE)


# the same function twice; how near the enclosure comes
SMOOTH: list[tuple[str, Callable[[Ball], Ball], EndBehaviour | None]] = [
    ("(1 + p)/2", lambda p: (1 + p) / 2, None),
    ("1 - (1-p)^3", lambda p: 1 - (1 - p) ** 3, None),
    ("(1 - exp(-3*p))/(1 - exp(-3))", lambda p: (1 - (-3 * p).exp()) / (1 - arb(-3).exp()), None),
    ("p*(3-p)/(1+p)", lambda p: p * (3 - p) / (1 + p), None),
    ("p + p*(1-p)*exp(-5*(p-3/10)^2)", lambda p: p + p * (1 - p) * (-5 * (p - arb(3) / 10) ** 2).exp(), None),
    ("log(1 + 4*p)/log(5)", lambda p: (1 + 4 * p).log() / arb(5).log(), None),
    ("sqrt(p)", lambda p: p.sqrt(), end_behaviour(5, "1/100")),
    ("p - p*log(p)/3", lambda p: p - p * p.log() / 3, end_behaviour(2, "1/1000")),
]
ROUGH: list[tuple[str, Callable[[Ball], Ball], EndBehaviour | None, EndBehaviour | None]] = [
    ("min(1, 3*p)", lambda p: (3 * p).min(ONE), end_behaviour(3, "1/10", limit=3), None),
    ("min(1, p + 1/10)", lambda p: (p + ONE / 10).min(ONE), None, None),
    ("piecewise(1/2, p < 1/5, 1)", step, None, None),
    ("max(p, 1/2, p^2)", lambda p: (ONE / 2).max(p), None, end_behaviour(1, "1/4", limit=1)),
]


def test_smooth_functions_are_as_narrow_as_expressions() -> None:
    checked = 0
    for text, function, at_zero in SMOOTH:
        exact = parity_bound(canonical_information_privacy(text))
        bound = parity_bound(callable_information_privacy(function, at_zero=at_zero))
        assert bound.kind == "enclosed", text
        assert bound.lower <= exact.upper, text
        assert bound.upper >= exact.lower, text
        assert bound.upper - bound.lower <= Fraction(1, 10**12) * bound.upper, text
        assert bound.attained in (exact.attained, None), text
        checked += 1
    assert checked == len(SMOOTH)


def test_functions_of_balls_alone_are_enclosed_more_widely() -> None:
    checked = 0
    for text, function, at_zero, at_one in ROUGH:
        exact = parity_bound(canonical_information_privacy(text))
        bound = parity_bound(callable_information_privacy(function, at_zero=at_zero, at_one=at_one))
        assert (bound.kind, bound.attained) == ("enclosed", None) or bound.at in ("0+", "1-"), text
        assert bound.lower <= exact.lower, text
        assert exact.upper <= bound.upper, text
        assert bound.upper - bound.lower <= Fraction(1, 1000) * bound.upper, text
        checked += 1
    assert checked == len(ROUGH)


def test_what_no_expression_writes() -> None:
    """h = p + (1-p) erf(p/2): F falls to 1 + 1/sqrt(pi) at 0."""
    bound = parity_bound(callable_information_privacy(lambda p: p + (1 - p) * (p / 2).erf(), text="error function"))
    value = 1 + 1 / arb.pi().sqrt()
    assert arb(str(float(bound.lower))) <= value + arb("1e-14")
    assert abs(float(bound.upper) - float(value.mid())) < 1e-14
    assert (str(bound.criterion), bound.at, bound.attained) == ("error function", "0+", False)


def test_a_breach_and_a_level() -> None:
    criterion = callable_information_privacy(lambda p: p.sqrt(), at_zero=end_behaviour(5, "1/100"))
    judgement = judge(Mechanism.binary("3/4", "3/4"), criterion)
    assert judgement.meets is False
    breach = judgement.breach
    prior, posterior = (Fraction(str(x)) for x in (breach.prior, breach.posterior))
    assert posterior == 3 * prior / (1 + 2 * prior)
    assert posterior**2 > prior
    assert breach.limit[1] ** 2 >= prior
    assert judge(Mechanism.binary("2/3", "2/3"), criterion).meets is not False
    assert judge(Mechanism.binary("13/20", "13/20"), criterion).meets is True
    level = criterion_level(criterion)
    assert level.epsilon.gamma == level.bound.lower
    assert level.is_rounded == (level.bound.lower < level.bound.upper)


def test_a_breach_near_a_stated_end() -> None:
    criterion = callable_information_privacy(lambda p: (3 * p).min(ONE), at_zero=end_behaviour(3, "1/10", limit=3))
    breach = judge(Mechanism.binary("4/5", "4/5"), criterion).breach
    assert breach.prior.rational < Fraction(1, 10)
    assert breach.posterior.rational > 3 * breach.prior.rational


def test_no_limit_at_all_is_enclosed_too() -> None:
    bound = parity_bound(callable_information_privacy(lambda p: 0 * p + 1))
    assert (bound.kind, bound.value, bound.lower) == ("enclosed", "inf", None)


# Python's comparisons are False for a ball that holds both answers: one branch is taken for all of it
COMPARING: list[tuple[str, Callable[[Ball], Ball]]] = [
    ("p < 0.2", lambda p: ONE / 2 if p < 0.2 else ONE),
    ("p < 0.5", lambda p: 9 * ONE / 10 if p < 0.5 else ONE),
    ("p > 0.2", lambda p: ONE if p > 0.2 else ONE / 2),
    ("p >= 4/5", lambda p: ONE if not p >= arb(4) / 5 else p),
    ("p < 2e-7", lambda p: ONE / 2 if p < 2e-7 else ONE),
    ("1 - p < 1e-9", lambda p: p if 1 - p < 1e-9 else ONE),
    ("0.2 < p < 0.203", lambda p: ONE / 2 if 0.2 < p < 0.203 else ONE),
    ("0.7 < p < 0.71", lambda p: (1 + p) / 2 if not 0.7 < p < 0.71 else (1 + 4 * p) / 5),
]


@pytest.mark.parametrize(("text", "function"), COMPARING, ids=[text for text, _ in COMPARING])
def test_python_comparisons_of_balls_are_refused(text: str, function: Callable[[Ball], Ball]) -> None:
    """They once made a step infinite: B = 4 was handed out as no limit at all."""
    with pytest.raises(InvalidParameterError, match="no ball function") as caught:
        parity_bound(callable_information_privacy(function))
    assert "piecewise" in str(caught.value)


def test_a_statement_is_compared_with_every_sample() -> None:
    """h = 3/4 in one small place of the distance alone, where F = 3 (3/p - 3)/... is far below what is stated."""

    def dip(p: Ball) -> Ball:
        return (3 * p if p < arb(1) / 50 else (3 * p).union(ONE)) if not p > arb(1) / 20 else ONE

    with pytest.raises(InvalidParameterError, match="stated of the end p = 0 is wrong"):
        parity_bound(callable_information_privacy(dip, at_zero=end_behaviour(4, "2/5")))


def raising(p: Ball) -> Ball:
    raise KeyError("a mistake of the caller")


BAD: list[tuple[Callable[..., object], type[Exception], str]] = [
    (raising, InvalidParameterError, "received KeyError"),
    (lambda p, q: p, InvalidParameterError, "received TypeError"),
    (lambda p: 1 / 0, InvalidParameterError, "received ZeroDivisionError"),
    (lambda p: 0.75, InvalidParameterError, "returns no ball: received 0.75 (float)"),
    (lambda p: None, InvalidParameterError, "returns no ball"),
    (lambda p: "1", InvalidParameterError, "returns no ball"),
    (lambda p: (p - 1).log(), InvalidParameterError, "has no value at p = 0.25"),
    (lambda p: arb("nan"), InvalidParameterError, "has no value"),
    (lambda p: arb((1 + float(p.mid())) / 2), InvalidParameterError, "no ball function"),
    (lambda p: p / 2, InvalidParameterError, "out of range"),
    (lambda p: p**2, InvalidParameterError, "out of range"),
    (lambda p: 2 * p, InvalidParameterError, "out of range"),
    (lambda p: p + 1, InvalidParameterError, "out of range"),
    (lambda p: p - p * (1 - p) * (p - ONE / 2) ** 2 / 100, InvalidParameterError, "out of range"),
    (lambda p: (3 * p).min(ONE), UnsupportedProblemError, "state at_zero with end_behaviour"),
    (lambda p: ONE.max(p).min(ONE).union(p), UnsupportedProblemError, "no enclosure of B(h) is reached"),
]


@pytest.mark.parametrize(("function", "error", "words"), BAD)
def test_bad_functions_are_one_clear_error(function: Callable[..., object], error: type, words: str) -> None:
    with pytest.raises(error) as caught:
        parity_bound(callable_information_privacy(function))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "arguments", [(0, "1/10"), ("1/2", "1/10"), (2, 0), (2, "1/2"), (2, -1), ("x", "1/10"), (2, "nan")]
)
def test_bad_ends(arguments: tuple[object, object]) -> None:
    with pytest.raises(InvalidParameterError):
        end_behaviour(*arguments)
    with pytest.raises(InvalidParameterError):
        end_behaviour(2, "1/10", limit=1)
    with pytest.raises(InvalidParameterError):
        callable_information_privacy(lambda p: p, at_zero=arguments)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError):
        callable_information_privacy("min(1, 2*p)")  # type: ignore[arg-type]


def test_a_statement_that_the_function_contradicts() -> None:
    with pytest.raises(InvalidParameterError, match="stated of the end p = 0 is wrong"):
        parity_bound(callable_information_privacy(lambda p: (3 * p).min(ONE), at_zero=end_behaviour(4, "1/10")))


def test_a_function_has_no_expression() -> None:
    criterion: Criterion = callable_information_privacy(lambda p: (1 + p) / 2)
    for method in (criterion.canonical, criterion.canonical_parts):
        with pytest.raises(UnsupportedProblemError, match="has no expression"):
            method()
    assert criterion == criterion
    assert len({criterion, callable_information_privacy(lambda p: (1 + p) / 2)}) == 2
