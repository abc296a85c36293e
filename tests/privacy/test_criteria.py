"""Criteria: the grammar of functions of p, the named criteria, and what Lemma 3.1 makes of two functions."""

from __future__ import annotations

import itertools
from fractions import Fraction

from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st

from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.privacy.bound.cells import Rational, split
from rropt.privacy.criteria import (
    Criterion,
    bayes_factor,
    beta_factor,
    canonical_information_privacy,
    differential_local_privacy,
    information_privacy,
    rho_to_rho,
)
from rropt.privacy.criteria.expressions import Call, Expression, Extremum, Number, Operation, Piecewise, Power, Prior
from rropt.privacy.criteria.grammar import parse


def at(tree: Expression, p: Fraction) -> Fraction:
    """Evaluate a tree without roots and logarithms at one prior: an oracle for the cells."""
    if isinstance(tree, Number):
        return tree.value
    if isinstance(tree, Prior):
        return p
    if isinstance(tree, Operation):
        a, b = at(tree.left, p), at(tree.right, p)
        return {"+": a + b, "-": a - b, "*": a * b}[tree.sign] if tree.sign != "/" else a / b
    if isinstance(tree, Power):
        return at(tree.base, p) ** int(at(tree.exponent, p))
    if isinstance(tree, Extremum):
        return (min if tree.name == "min" else max)(at(argument, p) for argument in tree.arguments)
    assert isinstance(tree, Piecewise)
    for value, condition in tree.cases:
        signs = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}
        if all(signs[c.sign](at(c.left, p), at(c.right, p)) for c in condition):
            return at(value, p)
    return at(tree.otherwise, p)


@every_case(
    ("text", "p", "value"),
    [
        ("1 - 2 - 3", 0, -4),
        ("8/4/2", 0, 1),
        ("2^3^2/512", 0, 1),
        ("-2^2", 0, -4),
        ("2^-1", 0, Fraction(1, 2)),
        ("2**3", 0, 8),
        ("0.25 + .5 + 1.", 0, Fraction(7, 4)),
        (" 3 * ( p + 1 ) ", Fraction(1, 2), Fraction(9, 2)),
        ("min(3, p, 2) + max(1, p)", Fraction(1, 2), Fraction(3, 2)),
        ("piecewise(1, p < 1/5, 2, p <= 1/2, 3)", Fraction(1, 2), 2),
        ("piecewise(1, 1/5 < p < 1/2, 2)", Fraction(1, 5), 2),
        ("piecewise(1, 1/5 <= p and p < 1/2, 2)", Fraction(1, 5), 1),
        ("piecewise(1, p >= 1/2, 2)", Fraction(1, 2), 1),
        ("+p - -p", Fraction(1, 2), 1),
        ("1" * 60 + "*p", 1, int("1" * 60)),
    ],
)
def test_the_grammar(text: str, p: object, value: object) -> None:
    assert at(parse(text), Fraction(p)) == value


TREES = st.recursive(
    st.sampled_from(["p", "1", "2", "1/3", "0.7"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]}{t[1]}{t[2]})"),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner).map(lambda t: f"{t[0]}({t[1]},{t[2]})"),
        st.tuples(inner, st.sampled_from(["<", "<=", ">", ">="]), inner, inner, inner).map(
            lambda t: f"piecewise({t[3]}, {t[0]} {t[1]} {t[2]}, {t[4]})"
        ),
    ),
    max_leaves=6,
)


@given(TREES, st.fractions(min_value=Fraction(1, 64), max_value=Fraction(63, 64), max_denominator=64))
def test_cells_cover_the_interval_and_agree_with_evaluation(text: str, p: Fraction) -> None:
    tree = parse(text)
    pieces = split(tree)
    point = Algebraic.of(p)
    owners = [
        leaf
        for cell, leaf in pieces
        if cell.low < point < cell.high
        or (point == cell.low and (cell.has_low or cell.is_point))
        or (point == cell.high and cell.has_high)
    ]
    assert len(owners) == 1
    assert isinstance(owners[0], Rational)
    assert owners[0].value(point).rational == at(tree, p)
    for (before, _), (after, _) in itertools.pairwise(pieces):
        assert before.high == after.low


@given(TREES)
def test_the_printed_tree_is_read_back(text: str) -> None:
    tree = parse(text)
    again = parse(str(tree))
    for k in range(1, 8):
        assert at(again, Fraction(k, 8)) == at(tree, Fraction(k, 8))


def boundary(criterion: Criterion, p: Fraction) -> Fraction:
    return at(criterion.canonical(), p)


def test_named_criteria_are_their_definitions() -> None:
    checked = 0
    for k in range(1, 40):
        p = Fraction(k, 40)
        rho, beta, bayes = rho_to_rho("1/5", "1/2"), beta_factor(3), bayes_factor(5, "1/2")
        up = Fraction(1, 2) if p < Fraction(1, 5) else Fraction(1)
        down = Fraction(1, 5) if 1 - p > Fraction(1, 2) else Fraction(0)
        assert boundary(rho, p) == min(up, 1 - down)  # Lemma 3.1
        assert boundary(beta, p) == min(1, 3 * p, 1 - (1 - p) / 3)
        odds = p / (1 - p)
        assert boundary(bayes, p) == min(5 * odds / (1 + 5 * odds), 2 * odds / (1 + 2 * odds))
        level = differential_local_privacy("log(4)")
        assert boundary(level, p) == 4 * odds / (1 + 4 * odds)
        assert boundary(canonical_information_privacy("min(1, 3*p)"), p) == min(1, 3 * p)
        assert boundary(information_privacy(lower="p^2", upper="1"), p) == 1 - (1 - p) ** 2
        checked += 1
    assert checked == 39
    assert len({rho_to_rho("1/5", "1/2"), rho_to_rho("0.2", "0.5"), beta_factor(3)}) == 2


def test_calls_are_kept_as_trees() -> None:
    assert isinstance(parse("sqrt(p)"), Call)
    assert "sqrt" in str(canonical_information_privacy("sqrt(p)").up)
