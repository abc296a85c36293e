"""The machine-checked core of the page restricted-properties.md: certificates of its steps, accepted by the checker.

What the certificates do not say (sums over any number of inputs, chains of any length, the reduction of a program to
its symmetric points) is written there and named in ``unchecked_steps``.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import sympy as sp

from rropt.claims.claim import Proof
from rropt.claims.positivity import Hypothesis, NoProofError, prove_identity, prove_positive
from rropt.core.certificates import Certificate

B, p = sp.symbols("bound p")
UNIT = [Hypothesis(p, strict=True), Hypothesis(1 - p, strict=True)]


def bayes_factor(inside: int, k: int, *, mutant: bool = False) -> Certificate:
    """Theorem 1, sufficient: a mean over Q is at most B times a mean over the rest, by the pairs (Handelman)."""
    x, alpha = sp.symbols(f"x0:{k}"), sp.symbols(f"a0:{k}")
    first, rest = range(inside), range(inside, k)
    pairs = [(j, i) for j, i in itertools.product(first, rest)]
    hypotheses = [Hypothesis(a) for a in alpha]
    hypotheses += [Hypothesis(B * x[i] - x[j]) for j, i in (pairs[1:] if mutant else pairs)]
    above = sum(alpha[j] * x[j] for j in first) * sum(alpha[i] for i in rest)
    below = sum(alpha[i] * x[i] for i in rest) * sum(alpha[j] for j in first)
    return prove_positive(sp.expand(B * below - above), hypotheses, degree=3)


def posterior_bound(factor: Any) -> Certificate:
    """Theorem 1: with u <= factor * v the posterior u/(u + v) of prior odds p : 1-p is at most h_B(p)."""
    u, v = sp.symbols("u v")  # the two means
    posterior_above, posterior_below = u * p, u * p + v * (1 - p)
    limit_above, limit_below = B * p, 1 + (B - 1) * p
    gap = sp.expand(limit_above * posterior_below - posterior_above * limit_below)
    return prove_positive(gap, [*UNIT, Hypothesis(u), Hypothesis(v), Hypothesis(sp.expand(factor * v - u))])


def two_point_prior() -> Certificate:
    """Theorem 1, necessary: an intruder sure of j or l has the Bayes factor p_ij / p_il at every prior."""
    u, v = sp.symbols("u v")
    posterior = u * p / (u * p + v * (1 - p))
    return prove_identity(posterior / (1 - posterior) * (1 - p) / p, u / v)


def downward() -> Certificate:
    """Theorem 1: a limit from below on Q is one from above on its complement."""
    u, v, low = sp.symbols("u v low")
    inside, outside = u * p / (u * p + v * (1 - p)), v * (1 - p) / (u * p + v * (1 - p))
    return prove_identity(inside - low, (1 - low) - outside)


def two_steps(power: int) -> Certificate:
    """Theorem 2: x <= B y and y <= B z give x <= B^2 z."""
    x, y, z = sp.symbols("x y z")
    hypotheses = [Hypothesis(B, strict=True), Hypothesis(B * y - x), Hypothesis(B * z - y)]
    return prove_positive(sp.expand(B**power * z - x), hypotheses)


def widest_rows(steps: int) -> Certificate:
    """Theorem 2, sharp: the second row 1 - c v of the extremal mechanism, 0 <= v <= 1, c = 1 - 1/B, has parity <= B."""
    v, w, c = sp.symbols("v w c")
    hypotheses = [Hypothesis(c), Hypothesis(v), Hypothesis(w), Hypothesis(1 - v), Hypothesis(1 - w), Hypothesis(B - 1)]
    hypotheses.append(Hypothesis(B - steps - c * B))
    return prove_positive(sp.expand(B * (1 - c * w) - (1 - c * v)), hypotheses)


def two_sided_dual() -> Certificate:
    """Theorem 6: weak duality for the symmetric program, an identity in k = q + s and gamma."""
    q, s, g = sp.symbols("q s g")
    a, b, c, d, e, f = sp.symbols("a b c d e f")
    u, w = g + (q - 1) / g, g + (s - 1) / g
    determinant = u * w - q * s
    y1, y2 = g * q * (w - s) / determinant, g * s * (u - q) / determinant
    alpha, delta = q - y1, s - y2
    beta, phi = (q - 1) * y1 / g, (s - 1) * y2 / g
    left = y1 * (a + (q - 1) * b + s * d) + y2 * (q * c + e + (s - 1) * f) - q * a - s * e
    right = -alpha * (a - g * c) - beta * (c - g * b) - delta * (e - g * d) - phi * (d - g * f)
    return prove_identity(sp.together(left), sp.together(right))


def chain_bound(k: int) -> Certificate:
    """Theorem 7 for this k: x_l <= 1 - (x_1 + ... + x_(l-1))/g gives a trace of at most g (1 - (1 - 1/g)^k)."""
    x, r = sp.symbols(f"x1:{k + 1}"), sp.Symbol("r")  # r = 1/g, 0 <= r <= 1
    hypotheses = [Hypothesis(r), Hypothesis(1 - r)]
    hypotheses += [Hypothesis(1 - r * sum(x[:i]) - x[i]) for i in range(k)]
    largest = sum((1 - r) ** i for i in range(k))
    return prove_positive(sp.expand(largest - sum(x)), hypotheses, degree=k)


def proof() -> Proof:
    means = [(f"mean of {q} of {k}", bayes_factor(q, k)) for k in (2, 3, 4, 5) for q in range(1, k)]
    return Proof(
        scope="all h, all B; all k by the written sums, k <= 5 by certificates alone",
        argument="docs/explanation/restricted-properties.md, Theorems 1, 2, 6 and 7",
        certificates=(
            *means,
            ("the posterior stays under h_B", posterior_bound(B)),
            ("a two-point prior reaches the ratio", two_point_prior()),
            ("down is up on the complement", downward()),
            ("two steps", two_steps(2)),
            ("the extremal mechanism meets B", widest_rows(1)),
            ("weak duality of the two-sided trace", two_sided_dual()),
            *((f"chain of {k}", chain_bound(k)) for k in (2, 3, 4)),
        ),
        unchecked_steps=(
            "the means over Q and its complement for k > 5: the same sum over pairs",
            "chains of more than two steps: induction on the length",
            "the program of Theorem 6 has a symmetric optimum, because its set is convex and invariant",
        ),
    )


@pytest.mark.slow
def test_every_certificate_is_accepted() -> None:
    found = proof()
    assert len(found.certificates) == 10 + 6 + 3
    for name, certificate in found.certificates:
        assert certificate.check(), name
    assert found.unchecked_steps


@pytest.mark.parametrize(
    "mutant",
    [
        lambda: bayes_factor(1, 3, mutant=True),  # one pair forgotten
        lambda: posterior_bound(B + 1),
        lambda: two_steps(1),  # the parity of a family closed under complements is B: false
        lambda: widest_rows(0),  # c up to 1: the second row then has an infinite parity
    ],
)
def test_a_slightly_false_statement_has_no_proof(mutant: Any) -> None:
    with pytest.raises(NoProofError):
        mutant()


def test_a_false_identity_is_rejected() -> None:
    u, v = sp.symbols("u v")
    posterior = u * p / (u * p + v * (1 - p))
    with pytest.raises(NoProofError):
        prove_identity(posterior / (1 - posterior), u / v)
