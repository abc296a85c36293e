"""Lemma 4: Chebyshev's inequality."""

from __future__ import annotations

import random
from fractions import Fraction

from rropt.claims import Claim, Condition, Domain, Point
from rropt.claims.outcomes import value_text
from rropt_proofs.ziani import PAPER

Values = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]  # values, and their probabilities


def _law(*pairs: tuple[str, str]) -> Values:
    values, chances = zip(*pairs, strict=True)
    return tuple(map(Fraction, values)), tuple(map(Fraction, chances))


LAWS = (
    _law(("0", "1")),
    _law(("-1", "1/2"), ("1", "1/2")),
    _law(("-1", "1/8"), ("0", "3/4"), ("1", "1/8")),
    _law(("0", "9/10"), ("1", "1/10")),
    _law(("-3", "1/18"), ("0", "8/9"), ("3", "1/18")),
)


def _draw_law(rng: random.Random) -> Values:
    weights = [rng.randint(1, 20) for _ in range(3)]
    values = rng.sample(range(-6, 7), 3)
    return tuple(map(Fraction, sorted(values))), tuple(Fraction(w, sum(weights)) for w in weights)


def _moments(law: Values) -> tuple[Fraction, Fraction]:
    mean = sum((v * c for v, c in zip(*law, strict=True)), Fraction(0))
    return mean, sum(((v - mean) ** 2 * c for v, c in zip(*law, strict=True)), Fraction(0))


def theory(point: Point) -> Fraction:
    return 1 / Fraction(point["k"]) ** 2


def computed(point: Point) -> Fraction:
    """Pr[|X - mu| >= k sigma]; sigma may be irrational, so squares are compared where k > 0."""
    law, k = point["law"], Fraction(point["k"])
    mean, variance = _moments(law)
    return sum((c for v, c in zip(*law, strict=True) if k <= 0 or (v - mean) ** 2 >= k**2 * variance), Fraction(0))


def mutant(point: Point) -> Fraction:
    """1/(2 k^2) in the place of 1/k^2."""
    return theory(point) / 2


def working(point: Point) -> str:
    """Mean and variance, and the values that are far enough from the mean."""
    law, k = point["law"], Fraction(point["k"])
    mean, variance = _moments(law)
    far = [
        f"{value_text(v)} (probability {value_text(c)})"
        for v, c in zip(*law, strict=True)
        if k <= 0 or (v - mean) ** 2 >= k**2 * variance
    ]
    limit = (
        f"|X - mu| >= k sigma means (X - mu)^2 >= k^2 sigma^2 = {value_text(k**2 * variance)}"
        if k > 0
        else "k sigma <= 0, so that |X - mu| >= k sigma always"
    )
    return (
        f"mu = {value_text(mean)}, sigma^2 = {value_text(variance)}\n{limit}, which holds for the values "
        f"{', '.join(far) or 'none'}: together {value_text(computed(point))}, against 1/k^2 = {value_text(1 / k**2)}"
    )


CLAIM = Claim(
    id="ziani.lemma-4",
    source=f"{PAPER}, Lemma 4",
    place=(1, 6),
    printed=r"Let $X$ be a random variable with mean $\mu$ and variance $\sigma^2$. Then "
    r"$\Pr[|X-\mu|\ge k\sigma]\le\frac1{k^2}$.",
    precise="For every random variable X with mean mu and finite variance sigma^2, and every k for which 1/k^2 is "
    "defined, Pr[|X - mu| >= k sigma] <= 1/k^2.",
    variables={
        "law": Domain(
            "law of X: values and their probabilities",
            LAWS,
            _draw_law,
            entries={(1,): "x >= 0"},
            whole_groups=lambda law: [[(1, i) for i in range(len(law[1]))]],
        ),
        "k": Domain(
            "real number k",
            tuple(Fraction(x) for x in ("-2", "-1/2", "0", "1/2", "1", "3/2", "2", "3")),
            lambda rng: Fraction(rng.randint(-40, 120), 20),
        ),
    },
    defined=(Condition("k is not 0: 1/k^2 would divide by 0", "k != 0"),),
    missing=(
        Condition("$\\sigma>0$: $X$ is not constant", lambda point: _moments(point["law"])[1] > 0),
        Condition("$k>0$", "k > 0"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
    working=working,
    notes=r"A constant $X$ has $\sigma=0$ and $\Pr[|X-\mu|\ge k\sigma]=1$ for every $k$; with $>$ in the place of "
    r"$\ge$ it would be no exception. A negative $k$ gives probability $1$ too. Theorem 5 meets $\sigma=0$ at $p=0$ "
    r"and is not harmed: there the bound on the error is positive."
    " Let q = Pr[(X - mu)^2 >= k^2 sigma^2], which is the probability in question since k sigma > 0. Whatever X "
    "is, (X - mu)^2/(k sigma)^2 is at least 1 where that happens, and at least 0 elsewhere. Its mean is 1/k^2.",
)
