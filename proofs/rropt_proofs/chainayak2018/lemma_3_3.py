"""Lemma 3.3: the posteriors of all categories stay below h exactly when the parity is at most B(h)."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._bayes import PRIOR

CSIP = "posterior of the category less h(p), times P(Z = d_i)"


def is_below(point: Point, x: Fraction) -> bool:
    """Return whether p_ij <= F(p) x, where F(p) = ((1 - p)/p) h/(1 - h) is infinite for h = 1."""
    p, h = Fraction(point["p"]), Fraction(point["h"])
    return bool(p * (1 - h) * point["row"]["of c_j"] <= (1 - p) * h * x)


def theory(point: Point) -> dict[str, Bound]:
    """(3.4) holds at p if every ratio of the row is at most F(p), and if not it fails."""
    met = all(is_below(point, x) for x in point["row"]["others"])
    return {CSIP: Bound("at-most" if met else "greater", Fraction(0))}


def computed(point: Point) -> dict[str, Fraction]:
    """The posterior under the prior; or under that with all the rest on the first category whose ratio exceeds F(p)."""
    own, others, p = point["row"]["of c_j"], point["row"]["others"], Fraction(point["p"])
    beyond = [place for place, x in enumerate(others) if not is_below(point, x)]
    rest = point["row"]["rest"]
    if beyond:
        rest = tuple(Fraction(int(place == beyond[0])) for place in range(len(others)))
    seen = p * own + sum(((1 - p) * b * x for b, x in zip(rest, others, strict=True)), Fraction(0))
    return {CSIP: (p * own / seen - point["h"]) * seen}


def mutant(point: Point) -> dict[str, Bound]:
    """(3.4) holds if one ratio is at most F(p)."""
    met = any(is_below(point, x) for x in point["row"]["others"])
    return {CSIP: Bound("at-most" if met else "greater", Fraction(0))}


def draw(rng: random.Random) -> dict[str, Any]:
    """Draw a row, and the prior of the other categories given that it is not c_j."""
    size = rng.randint(1, 3)
    weights = [rng.randint(int(not n), 9) for n in range(size)]
    return {
        "of c_j": Fraction(rng.randint(0, 6), 6),
        "others": tuple(Fraction(rng.randint(0, 6), 6) for _ in range(size)),
        "rest": tuple(Fraction(w, sum(weights)) for w in weights),
    }


def _row(own: str, others: str, rest: str) -> dict[str, Any]:
    return {
        "of c_j": Fraction(own),
        "others": tuple(map(Fraction, others.split())),
        "rest": tuple(map(Fraction, rest.split())),
    }


CLAIM = Claim(
    id="chainayak2018.lemma-3.3",
    source=f"{PAPER}, Lemma 3.3",
    place=(3, 5),
    printed=r"[...] define $B(h)=\inf_{0<p<1}\left(\frac{1-p}p\right)\left(\frac{h(p)}{1-h(p)}\right)$, [...] where we "
    r"take $h(p)/[1-h(p)]=\infty$ when $h(p)=1$. [...] A necessary and sufficient condition for an RR "
    r"procedure $P$ to satisfy (3.4) for all $i,j$ and $\alpha$ is that $\eta(P)\le B(h)$.",
    precise="For every row of a procedure, every category c_j, every 0 < p < 1 and every value h = h(p), 0 <= h <= 1: "
    "if p (1 - h) p_ij <= (1 - p) h p_il for all l != j, the posterior of c_j at d_i is at most h for every prior with "
    "P(c_j) = p; if not, it is above h for a prior on c_j and one other category. The rest is in words. With F(p) = "
    "((1 - p)/p) h/(1 - h) the condition says that p_ij/p_il <= F(p), also for 0/0 = 1, since h(p) >= p makes "
    "F(p) >= 1. So (3.4) holds for all i, j and alpha if and only if all ratios of entries of a row are at most F(p) "
    "for all p, that is if the parity, the largest of them, is at most B(h), the infimum of F. At P(c_j) = 1 (3.4) "
    "says 1 <= h(1) = 1. (Categories are listed with c_j first.)",
    variables={
        "row": Domain(
            "the entries of a row for c_j and for the other categories, and the prior of these given that it is not "
            "c_j",
            (
                _row("2/5", "1/5", "1"),
                _row("1/2", "1/2", "1"),
                _row("1/3", "0", "1"),
                _row("2/3", "1/3 1/3", "1/2 1/2"),
                _row("1/2", "1/4 1", "0 1"),
                _row("0", "0 1/2 1", "1/3 1/3 1/3"),
            ),
            draw,
            entries={("of c_j",): "x >= 0", ("others",): "x >= 0", ("rest",): "0 <= x <= 1"},
            whole_groups=lambda row: [[("rest", n) for n in range(len(row["rest"]))]],
        ),
        "p": PRIOR,
        "h": Domain.interval("h(p)", 0, 1, also=("1/2", "2/3", "3/4")),
    },
    assumptions=(Condition("0 < p < 1", "0 < p < 1"),),
    defined=(
        Condition(
            "P_alpha(Z = d_i) > 0",
            lambda point: (
                point["p"] * point["row"]["of c_j"]
                + sum(
                    (1 - point["p"]) * b * x for b, x in zip(point["row"]["rest"], point["row"]["others"], strict=True)
                )
                > 0
            ),
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=150,
    notes="The proof in the appendix says that h(p) cannot be 1 for all 0 < p < 1. Definition 3.1 allows it; then "
    "B(h) is infinite and the lemma holds all the same.",
)
