"""Appendix A: the displays of the proof of Theorem 3.1."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Correction, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._laws import variance_of
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import PERSONS, PROPORTIONS, cards, fixed

FIRST, SECOND, THIRD, FOURTH = "the first display", "the second display", "the third display", "the fourth display"


def _sums(point: Point) -> tuple[int, Fraction, int, Fraction, Fraction, Fraction]:
    """Return N, pi_A, L + 1, and the sums of k p_k, k^2 p_k and p_k."""
    p, bits = point["p"], point["x"]
    rows = list(enumerate(p, 1))
    first, second = (sum((Fraction(k) ** power * share for k, share in rows), Fraction(0)) for power in (1, 2))
    return len(bits), Fraction(sum(bits), len(bits)), len(p) + 1, first, second, sum(p, Fraction(0))


def theory(point: Point) -> dict[str, Fraction]:
    """The four right sides as printed; the third has other signs than it should, and no last term."""
    size, share, most, e, q, whole = _sums(point)
    own, other = q - e**2, (most**2 * whole - 2 * most * e + q) - (most * whole - e) ** 2
    squares, means = (most**2 * whole - 2 * most * e), -((most * whole - e) ** 2) + e**2
    return {
        FIRST: size * share * other + size * (1 - share) * own,
        SECOND: size * share * squares + size * share * means + size * own,
        THIRD: size * share * squares - size * share * means + size * share * most * whole * (most * whole - 2 * e),
        FOURTH: size * own,
    }


def corrected(point: Point) -> dict[str, Fraction]:
    size, share, most, e, q, whole = _sums(point)
    squares = most**2 * whole - 2 * most * e
    third = size * share * squares - size * share * most * whole * (most * whole - 2 * e) + size * (q - e**2)
    return {**theory(point), THIRD: third}


def computed(point: Point) -> dict[str, Fraction]:
    """The variance of the sum of the answers over all cards."""
    variance = variance_of(fixed(point["x"], cards(point["p"])))
    return dict.fromkeys((FIRST, SECOND, THIRD, FOURTH), variance)


def mutant(point: Point) -> dict[str, Fraction]:
    """The last display without the square of the mean."""
    size, _, _, _, q, _ = _sums(point)
    return {**corrected(point), FOURTH: size * q}


def working(point: Point) -> str:
    """The terms of the third display."""
    size, share, most, e, q, _ = _sums(point)
    factor = size * share * most * (most - 2 * e)
    return (
        f"N pi_A = {size * share}, L + 1 = {most}, E Y = {value_text(e)}, Var Y = {value_text(q - e**2)}: each of the "
        f"three terms of the third display is N pi_A (L + 1)(L + 1 - 2 E Y) = {value_text(factor)}, and their sum "
        f"{value_text(3 * factor)}\nthe second display, and the last, are N Var Y = {value_text(size * (q - e**2))}"
    )


CLAIM = Claim(
    id="sun2023.appendix-a",
    source=f"{PAPER}, appendix A",
    place=(8, 1),
    printed=r"$\mathbf{Var}\left(\sum_{i=1}^NX_i\right)=$ "
    r"$N\pi_A\left[\sum_{k=1}^Lk^2p_{L+1-k}-\left(\sum_{k=1}^Lkp_{L+1-k}\right)^2\right]+$ "
    r"$N(1-\pi_A)\left[\sum_{k=1}^Lk^2p_k-\left(\sum_{k=1}^Lkp_k\right)^2\right]$ $=$ "
    r"$N\pi_A\left[\sum_{k=1}^L(L+1-k)^2p_k-\sum_{k=1}^Lk^2p_k\right]+$ "
    r"$N\pi_A\left[-(\sum_{k=1}^L(L+1-k)p_k)^2+(\sum_{k=1}^Lkp_k)^2\right]+$ "
    r"$N\left[\sum_{k=1}^Lk^2p_k-\left(\sum_{k=1}^Lkp_k\right)^2\right]$ $=$ "
    r"$N\pi_A\left[\sum_{k=1}^L((L+1)^2-2(L+1)k)p_k\right]-$ "
    r"$N\pi_A\left[-(\sum_{k=1}^L(L+1-k)p_k)^2+(\sum_{k=1}^Lkp_k)^2\right]+$ "
    r"$N\pi_A\left[(\sum_{k=1}^L((L+1)p_k)(\sum_{k=1}^L((L+1-2k)p_k)\right]$ $=$ "
    r"$N\left[\sum_{k=1}^Lk^2p_k-\left(\sum_{k=1}^Lkp_k\right)^2\right]$.",
    precise="For every L >= 2 and all proportions, every N and all x_1, ..., x_N: each of the four displays is the "
    "variance of the sum of the answers. All sums go over k = 1, ..., L; brackets without a partner are left out.",
    variables={"p": PROPORTIONS, "x": PERSONS},
    assumptions=(Condition("the proportions are not all equal", lambda point: len(set(point["p"])) > 1),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"The third display is $N\pi_A[\sum_k((L+1)^2-2(L+1)k)p_k]-N\pi_A(\sum_k(L+1)p_k)(\sum_k(L+1-2k)p_k)"
        r"+N[\sum_kk^2p_k-(\sum_kkp_k)^2]$. The others are right.",
        corrected,
    ),
    working=working,
    count=60,
    notes="The third display keeps the squares of the means with a minus before them, adds their difference once more, "
    "and loses N Var Y: its three terms are all N pi_A (L + 1)(L + 1 - 2 E Y). The theorem does not depend on it.",
)
