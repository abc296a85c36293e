"""The A-optimal mechanism of k equally likely categories: subset selection, and which size of the subsets."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.rropt import PAPER

_NAMES = ("gamma", "k", "d", "e", "mu", "tau")


def _value(gamma: Fraction, k: Fraction, d: Fraction) -> Fraction:
    return (k - 1) ** 2 * (d * gamma + k - d) ** 2 / (k * (gamma - 1) ** 2 * d * (k - d))


def theory(point: Point) -> dict[str, Any]:
    """The value of subsets of d, what those of e have more, its sign by that of neighbours, and the information of
    patterns."""
    gamma, k, d, e, mu, tau = (Fraction(point[name]) for name in _NAMES)
    scale = (k - 1) ** 2 * (e - d) / ((gamma - 1) ** 2 * d * e * (k - d) * (k - e))
    return {
        "value of d": _value(gamma, k, d),
        "of e more than of d": scale * (gamma**2 * d * e - (k - d) * (k - e)),
        "d against all above": Bound("at-least", gamma**2 * d * (d + 1) - (k - d) * (k - d - 1)),
        "e against all below": Bound("at-least", (k - e) * (k - e + 1) - gamma**2 * e * (e - 1)),
        "information on contrasts from a row": (k - 1) ** 2 / _value(gamma, k, e),
        "an eigenvalue": Bound("at-least", 2 / tau - mu / tau**2),
    }


def computed(point: Point) -> dict[str, Any]:
    """From the entries of the information of all subsets; from the pattern of e; from 1/mu."""
    gamma, k, d, e, mu, _ = (Fraction(point[name]) for name in _NAMES)
    mean = (e * gamma + k - e) / k
    first = _from_information(gamma, k, d)
    return {
        "value of d": first,
        "of e more than of d": _from_information(gamma, k, e) - first,
        "d against all above": gamma**2 * d * e - (k - d) * (k - e),
        "e against all below": (k - d) * (k - e) - gamma**2 * d * e,
        "information on contrasts from a row": (e * (gamma - mean) ** 2 + (k - e) * (1 - mean) ** 2) / mean**2,
        "an eigenvalue": 1 / mu,
    }


def _from_information(gamma: Fraction, k: Fraction, d: Fraction) -> Fraction:
    """tr M^-1 - 1/k; of all subsets a proportion d/k holds a category, d (d - 1)/(k (k - 1)) hold two, and so on."""
    mean = (d * gamma + k - d) / k
    on = (d * gamma**2 + k - d) / k / mean**2
    both, one, none = d * (d - 1), 2 * d * (k - d), (k - d) * (k - d - 1)
    off = (both * gamma**2 + one * gamma + none) / (k * (k - 1)) / mean**2
    return (k - 1) / (on - off) + 1 / (on + (k - 1) * off) - 1 / k


def mutant(point: Point) -> dict[str, Any]:
    """k in the place of k - 1."""
    gamma, k, d = (Fraction(point[name]) for name in ("gamma", "k", "d"))
    return {**theory(point), "value of d": _value(gamma, k, d) * k**2 / (k - 1) ** 2}


def proof() -> Anchored:
    """Identities; what is over in the inequalities has the factors e - d - 1 and (mu - tau)^2."""
    return Anchored(
        *(Value(of=name) for name in _PARTS),
        steps=["gamma - 1 > 0", "k - d > 0", "k - e > 0", "d*gamma + k - d > 0", "e*gamma + k - e > 0"],
        unanchored=(
            "every private mechanism is a garbling of one whose rows are patterns of 1 and gamma: `rropt.patterns`",
            "the trace of the information is a mean over staircase rows, and the sum of 1/mu over its k - 1 "
            "eigenvalues is at least (k - 1)^2/T: what is proved is about one row and one eigenvalue",
        ),
    )


_PARTS = (
    "value of d",
    "of e more than of d",
    "d against all above",
    "e against all below",
    "information on contrasts from a row",
    "an eigenvalue",
)


def _size(meaning: str, relation: str, *boundary: int) -> Domain:
    def draw(rng: random.Random) -> Fraction:
        return Fraction(rng.randint(1, 30))

    return Domain(meaning, tuple(map(Fraction, boundary)), draw, relation)


CLAIM = Claim(
    id="rropt.subset-selection",
    source=f"{PAPER}, k equally likely categories",
    place=(4, 1),
    printed=r"Over all $\varepsilon$-private mechanisms of $k$ inputs, with any number of answers, the least trace "
    r"of the covariance of an efficient estimate at the uniform population is, per respondent, $\min_dV(d)$, "
    r"$V(d)=\frac{(k-1)^2(d\gamma+k-d)^2}{k(\gamma-1)^2d(k-d)}$, $\gamma=e^\varepsilon$, that of subset selection "
    r"with subsets of $d$. For $d<e$, $V(d)\le V(e)$ exactly if $\gamma^2de\ge(k-d)(k-e)$: the best $d$ is the least "
    r"one with $\gamma^2d(d+1)\ge(k-d)(k-d-1)$, and $k$-ary randomized response ($d=1$) is best exactly if "
    r"$\gamma^2\ge\frac{(k-1)(k-2)}2$.",
    precise="For k >= 3, gamma > 1 and 1 <= d < e < k. The value of all subsets of d, each answered with one chance "
    "by those who are not in it and gamma times that by those who are, from the entries of its information M. If d "
    "is not worse than d + 1 it is not worse than any e > d, and if e is not worse than e - 1 it is not worse than "
    "any d < e. No mechanism is better: rows whose ratios are at most gamma are sums of multiples of patterns of 1 "
    "and gamma, so that each mechanism is a garbling of one with such rows; its M has the eigenvalue k at the "
    "uniform vector, and a trace T on the contrasts that is a mean, by the chances of answers, over staircase "
    "rows, at most (k - 1)^2/min V. With tau = T/(k - 1), the k - 1 eigenvalues mu there have a sum of 1/mu of at "
    "least (k - 1)^2/T.",
    variables={
        "gamma": Domain.odds(),
        "k": _size("number of categories", "x >= 3", 3, 4, 10),
        "d": _size("size of a subset", "x >= 1", 1, 2, 3),
        "e": _size("size of a larger one", "x >= 2", 2, 3, 9),
        "mu": Domain.interval("an eigenvalue of M on the contrasts", 0, 100, also=("1/2", 1)),
        "tau": Domain.interval("their mean", 0, 100, also=("1/2", 1)),
    },
    assumptions=(
        Condition("gamma > 1", "gamma > 1"),
        Condition("e is larger than d", "e >= d + 1"),
        Condition("there are answers without a category", "e <= k - 1"),
        Condition("M is not singular", "mu > 0"),
        Condition("nor its trace on the contrasts", "tau > 0"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="The value of subset selection and that it is asymptotically minimax: Ye and Barg, Optimal schemes for "
    "discrete distribution estimation under locally differential privacy (IEEE Trans. Inf. Theory 64, 2018), who "
    "give the size as one of the two integers next to k/(gamma + 1); the comparison of two sizes in closed form was "
    "not found there.",
)
