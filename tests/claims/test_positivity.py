"""Proof search: what is found is accepted, and what is false is not found."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest
import sympy as sp

import rropt
from rropt.claims.positivity import (
    Hypothesis,
    NoProofError,
    coq_theorem,
    prove_as_written,
    prove_identity,
    prove_positive,
)
from rropt.claims.positivity.coq import HEADER
from rropt.claims.positivity.domain_points import domain_point
from rropt.claims.positivity.prover import Prover
from rropt.claims.positivity.squares import sum_of_squares
from rropt.claims.relations import Relation
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError

X, Y, G, D = sp.symbols("x y gamma delta")
SQUARE = [Hypothesis(X), Hypothesis(Y), Hypothesis(1 - X), Hypothesis(1 - Y)]
LEVEL = [Hypothesis(G - 1, strict=True), Hypothesis(D), Hypothesis(1 - D)]


def _pool() -> list[rropt.core.certificates.Certificate]:
    return [
        prove_identity((X**2 - Y**2) / (X - Y), X + Y),
        prove_identity(X * Y**2, Y, [X * Y - 1]),
        prove_positive(2 * X * Y - X - Y + 1, SQUARE),
        prove_positive(X * (1 - X) + sp.Rational(1, 7), SQUARE, strict=True),
        prove_positive((G + D) * (1 - D) + (G - 1) ** 2, LEVEL),
    ]


POOL = _pool()


@pytest.mark.parametrize("certificate", POOL)
def test_what_is_found_is_accepted(certificate: rropt.core.certificates.Certificate) -> None:
    assert certificate.check()
    assert rropt.check(certificate.to_dict())


def test_random_sums_are_found_again(rng: random.Random) -> None:
    """A random nonnegative combination of products has a certificate, and so has no slightly negative one."""
    points = 0
    for _ in range(25):
        factors = [X, Y, 1 - X, 1 - Y]
        total = sp.Integer(0)
        for _ in range(rng.randint(1, 4)):
            total += sp.Rational(rng.randint(1, 9), rng.randint(1, 9)) * sp.Mul(
                *rng.choices(factors, k=rng.randint(1, 2))
            )
        assert prove_positive(sp.expand(total), SQUARE, degree=2).check()
        at = {X: sp.Rational(rng.randint(0, 4), 4), Y: sp.Rational(rng.randint(0, 4), 4)}
        below = sp.expand(total - total.subs(at) - sp.Rational(1, 1000))  # negative at that point
        with pytest.raises(NoProofError):
            prove_positive(below, SQUARE, degree=3)
        points += 1
    assert points == 25


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: prove_identity(X * Y, X + Y),
        lambda: prove_identity(X, Y, [X * Y - 1]),
        lambda: prove_positive(-X, SQUARE),
        lambda: prove_positive(X * Y, SQUARE, strict=True),
        lambda: prove_positive(sp.Integer(0) * X, SQUARE, strict=True),
        lambda: prove_positive(X - 2, SQUARE),
    ],
)
def test_what_is_false_has_no_proof(attempt: Callable[[], object]) -> None:
    with pytest.raises(NoProofError):
        attempt()


def test_a_square_has_its_certificate() -> None:
    """1/4 - p (1 - p) = (2 p - 1)^2/4: without facts a proof is one identity, and never nothing that can be checked."""
    p, x = sp.symbols("p x")
    for left, right in ((sp.Rational(1, 4), p * (1 - p)), (p**2 + x**2, 2 * p * x), (p**4, sp.Integer(0))):
        prover = Prover((), ())
        prover.prove(Relation(left, ">=", right), "a square")
        ((name, certificate),) = prover.certificates
        assert name == "a square: the difference of the sides, in factors"
        assert rropt.check(certificate).accepted


def test_what_is_no_rational_function_is_refused() -> None:
    for expression in (sp.sqrt(X), sp.exp(X), sp.pi * X, X**Y):
        with pytest.raises(InvalidParameterError, match="rational function"):
            prove_identity(expression, X)


def test_coq_text() -> None:
    text = coq_theorem("lemma-1", POOL[2])
    assert text.startswith("Theorem lemma_1 : forall x y : R,")
    assert text.rstrip().endswith("Qed.")
    document = {**POOL[2].to_dict(), "proof": {**POOL[2].proof, "way": "rays"}}
    with pytest.raises(UnsupportedProblemError):
        coq_theorem("nothing", replace(POOL[2], text=json.dumps(document)))


def test_coq_text_of_identities() -> None:
    """Both sides as they are written, a hypothesis for each divisor, and relations by their cofactors."""
    p, c, q = sp.symbols("p c q")
    plain = coq_theorem("plain", prove_as_written((q**2 - p**2) / (q - p) / c, (p + q) / c))
    assert plain.count(" <> 0) ->") == 2
    assert "no_divisor_is_zero" in plain
    given = coq_theorem("given", prove_identity(q, c / (1 - p), [q * (1 - p) - c]))
    assert "= 0) ->" in given
    assert "(f_equal (Rmult _) E0)" in given
    assert "reflexivity" in coq_theorem("same", prove_as_written(p + c, p + c))


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("coqc") is None,
    reason="coqc is not installed (apt-get install coq)",
)
def test_coq_compiles(tmp_path) -> None:
    file = tmp_path / "theorems.v"
    handelman = [certificate for certificate in POOL if certificate.proof["way"] == "handelman"]
    x = sp.Symbol("x")  # 0 > 0 from hypotheses that contradict each other
    handelman.append(prove_positive(sp.Integer(0), [Hypothesis(x, strict=True), Hypothesis(-x)], strict=True))
    p, c, q = sp.symbols("p c q")
    at, end = sp.symbols("at end")  # words of Coq
    handelman.append(prove_positive(at + 1, [Hypothesis(at, strict=True)], strict=True))
    identities = [
        prove_identity(at / end, c / end, [c - at + p, p, p + q]),  # one relation is part of the others
        prove_identity(x**2 - 1, (x - 1) * (x + 1)),
        prove_as_written((q**2 - p**2) / (2 * (q - p) ** 2) / c, (p + q) / (2 * c * (q - p))),
        prove_identity(q, c / (1 - p), [q * (1 - p) - c]),
        prove_as_written(p + c, p + c),
    ]
    theorems = [coq_theorem(f"t{i}", certificate) for i, certificate in enumerate([*handelman, *identities])]
    file.write_text(HEADER + "\n".join(theorems))
    done = subprocess.run(["coqc", str(file)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(handelman) == 5


def test_proofs_carry_a_point_of_their_domain(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Random systems that have a point: one is found for nearly all, and it is one; contradictory ones have none."""
    x, y, z = sp.symbols("x y z")
    found = 0
    for _ in range(size(40, 1000)):
        at = {s: sp.Rational(rng.randint(1, 9), rng.randint(1, 9)) for s in (x, y, z)}
        linear = [sp.sympify(sum(rng.randint(-3, 3) * s for s in (x, y, z))) for _ in range(2)]
        hypotheses = [Hypothesis(s, strict=True) for s in (x, y, z)]
        hypotheses += [Hypothesis(form - form.subs(at) + rng.randint(0, 2)) for form in linear]
        equal = x + y - (x + y).subs(at)
        hypotheses += [Hypothesis(equal), Hypothesis(-equal)]
        point = domain_point(hypotheses, [x, y, z])
        if point is not None:
            values = dict(zip((x, y, z), map(sp.Rational, point), strict=True))
            assert all(h.polynomial.subs(values) >= 0 for h in hypotheses)
            assert all(value > 0 for value in values.values())
            found += 1
    assert found >= size(30, 750)
    assert domain_point([Hypothesis(x - 1), Hypothesis(-x, strict=True)], [x]) is None
    assert "vacuous" not in str(prove_positive(X * (1 - X), [Hypothesis(X), Hypothesis(1 - X)]).check())


def test_a_quadratic_polynomial_is_a_sum_of_squares_exactly_if_it_is_nowhere_negative(rng: random.Random) -> None:
    """By another route: the principal minors of its symmetric matrix."""
    found = 0
    for _ in range(40):
        b, d, e = (sp.Rational(rng.randint(-4, 4), rng.randint(1, 3)) for _ in range(3))
        a, c, f = (sp.Rational(rng.randint(0, 5)) for _ in range(3))
        polynomial = a * X**2 + b * X * Y + c * Y**2 + d * X + e * Y + f
        matrix = sp.Matrix([[a, b / 2, d / 2], [b / 2, c, e / 2], [d / 2, e / 2, f]])
        minors = [matrix[[*rows], [*rows]].det() for n in (1, 2, 3) for rows in combinations(range(3), n)]
        result = sum_of_squares(polynomial)
        if not polynomial.free_symbols:
            continue
        assert (result is not None) == all(x >= 0 for x in minors)
        if result is not None:
            constant, squares = result
            assert constant >= 0
            assert all(share > 0 for share, _ in squares)
            assert sp.expand(constant + sum(share * line**2 for share, line in squares) - polynomial) == 0
            found += 1
    assert 3 < found < 37  # both kinds are drawn


def test_linear_equations_are_solved_before_squares_are_sought() -> None:
    result = sum_of_squares(X**2 + Y * X, [X + Y - 1])  # X where X + Y = 1: of both signs
    assert result is None
    constant, squares = sum_of_squares(1 - 4 * X * Y, [X + Y - 1]) or (None, [])
    assert constant == 0
    assert sp.expand((sum(share * line**2 for share, line in squares) - 1 + 4 * X * Y).subs(Y, 1 - X)) == 0
    assert sum_of_squares(X**4) is None  # of another degree
    assert sum_of_squares(sp.sqrt(2) * X**2) is None  # of other coefficients
