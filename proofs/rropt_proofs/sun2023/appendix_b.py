"""Appendix B: equations (6), (7) and (8) of the proof of Theorem 4.1."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations

from rropt.claims import Claim, Correction, Point
from rropt.claims.outcomes import value_text
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import DECK, all_orders, mean_over
from rropt_proofs.sun2023.theorem_4_1 import several

SQUARES, SQUARES_LAST, CARDS, PAIR, PAIR_LAST, WHOLE = (
    "(6), the first line",
    "(6), the last line",
    "E Y_i Y_j",
    "(7), the first line",
    "(7), the last line",
    "(8)",
)


def _moments(point: Point) -> tuple[int, Fraction, int, Fraction, Fraction]:
    """Return N, pi_A, L + 1, E Y and E Y^2."""
    case = point["case"]
    size = len(case["deck"])
    first, second = (sum(k**power for k in case["deck"]) / Fraction(size) for power in (1, 2))
    return size, Fraction(sum(case["x"]), size), case["L"] + 1, first, second


def _chances(size: int, share: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Return the printed probabilities that two persons are in group A, that none is, that the second alone is."""
    members, pairs = size * share, size * (size - 1)
    others = size - members
    return members * (members - 1) / pairs, others * (others - 1) / pairs, members * others / pairs


def _lines(point: Point, *, printed: bool) -> dict[str, Fraction]:
    size, share, most, e, q = _moments(point)
    both, none, one = _chances(size, share)
    cards = e**2 - (q - e**2) / (size - 1)
    turns = 1 if printed else 2  # how often (L + 1) E Y is taken off
    last = (4 * size**2 * share**2 - 4 * size**2 * share + size**2 - size) * cards
    last += 2 * most * size * share * (1 + size - 2 * size * share) * e + most**2 * size * share * (size * share - 1)
    return {
        SQUARES: size * ((most**2 - 2 * most * e + q) * share + q * (share if printed else 1 - share)),
        SQUARES_LAST: size * q - 2 * size * most * share * e + size * most**2 * share,
        CARDS: cards,
        PAIR: (most**2 - turns * most * e + cards) * both + cards * none + 2 * (most * e - cards) * one,
        PAIR_LAST: last,
        WHOLE: size**2 * (most * share + (1 - 2 * share) * e) ** 2,
    }


def theory(point: Point) -> dict[str, Fraction]:
    """What is printed on the right."""
    return _lines(point, printed=True)


def corrected(point: Point) -> dict[str, Fraction]:
    return _lines(point, printed=False)


def _true(point: Point) -> tuple[dict[str, Fraction], Fraction, Fraction]:
    """What is on the left by name, the sum of E X_i X_j over all pairs, and the square of the mean of the sum."""
    case = point["case"]
    orders, size = all_orders(case), len(case["x"])
    products = mean_over([sum(x * y for x, y in permutations(seen, 2)) for seen in orders])
    cards = sum((y * z for y, z in permutations(case["deck"], 2)), Fraction(0))
    squares = mean_over([sum(x * x for x in seen) for seen in orders])
    whole = mean_over([sum(seen) ** 2 for seen in orders])
    pair = products / (size * (size - 1))
    names = {SQUARES: squares, SQUARES_LAST: squares, CARDS: cards / (size * (size - 1)), PAIR: pair}
    return (
        {**names, PAIR_LAST: pair, WHOLE: whole},
        products,
        mean_over([sum(seen) for seen in orders]) ** 2,
    )


def computed(point: Point) -> dict[str, Fraction]:
    """What is printed on the left, over all deals, i and j being any two of the persons."""
    return _true(point)[0]


def repaired(point: Point) -> dict[str, Fraction]:
    """The same, with the sum over all i and j in the last line of (7), and the square of the mean in (8)."""
    left, products, square = _true(point)
    return {**left, PAIR_LAST: products, WHOLE: square}


def mutant(point: Point) -> dict[str, Fraction]:
    """Cards that are put back."""
    return {**corrected(point), CARDS: _moments(point)[3] ** 2}


def working(point: Point) -> str:
    """The moments, and both sides."""
    size, share, most, e, q = _moments(point)
    said, true = theory(point), computed(point)
    lines = [f"{name}: printed {value_text(said[name])}, true {value_text(true[name])}" for name in said]
    return "\n".join(
        [
            f"deck {value_text(point['case']['deck'])}, N = {size}, pi_A = {value_text(share)}, L + 1 = {most}, E Y = "
            f"{value_text(e)}, E Y^2 = {value_text(q)}",
            *lines,
        ]
    )


CLAIM = Claim(
    id="sun2023.appendix-b",
    source=f"{PAPER}, appendix B, equations (6), (7) and (8)",
    place=(8, 2),
    printed=r"$\sum_{i=1}^N\mathbf{E}\left(X_i^2\right)=\sum_{i=1}^N\mathbf{E}\left[\left(L+1-Y_i\right)"
    r"^2x_i^2+Y_i^2x_i^2\right]$ [...] $=N\mathbf{E}Y^2-2N(L+1)\pi_A\mathbf{E}Y+N(L+1)^2\pi_A$. [...] "
    r"$\mathbf{E}Y_iY_j$ [...] $=(\mathbf{E}Y)^2-\frac1{N-1}\mathbf{Var}Y$. [...] "
    r"$\mathbf{E}X_iX_j=\mathbf{E}[(L+1)^2-Y_i(L+1)+Y_iY_j]\mathbf{E}x_ix_j+\mathbf{E}Y_iY_j$ "
    r"$\mathbf{E}(1-x_i)(1-x_j)+\mathbf{E}(L+1-Y_i)Y_j\mathbf{E}x_i(1-x_j)+$ "
    r"$\mathbf{E}Y_i(L+1-Y_j)\mathbf{E}(1-x_i)x_j$ [...] "
    r"$=[4N^2\pi_A^2-4N^2\pi_A+N^2-N][(\mathbf{E}Y)^2-\frac1{N-1}$ "
    r"$\mathbf{Var}Y]+2(L+1)N\pi_A[1+N-2N\pi_A]\mathbf{E}Y+(L+1)^2$ $N\pi_A(N\pi_A-1)$. [...] "
    r"$\mathbf{E}(\sum_{i=1}^NX_i)^2=N^2[\mathbf{E}Y+\pi_A(L+1-2\mathbf{E}Y)]^2$ [Equations (6), (7) and (8).]",
    precise="For every deck of N >= 2 cards with numbers of 1, ..., L and all x_1, ..., x_N, the persons in a random "
    "order and one card each: each line as printed. The chances of x_i and x_j are the printed ones, those of two "
    "persons drawn without replacement; the left side of (8) is the mean of a square, as before (6).",
    variables={"case": replace(DECK, boundary=DECK.boundary[2:-1])},
    defined=(several,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"The last term of the first line of (6) is $Y_i^2(1-x_i)^2$. In the first line of (7) the term is "
        r"$-2Y_i(L+1)$; from its third line on (7) is $\sum_{i\ne j}\mathbf{E}X_iX_j$, $N(N-1)$ times "
        r"$\mathbf{E}X_iX_j$. (8) is $(\mathbf{E}\sum_{i=1}^NX_i)^2$. The other two are right.",
        corrected,
        computed=repaired,
    ),
    working=working,
    count=60,
    notes="The theorem is right, since the later lines are those of the sum over all pairs and of the square of the "
    "mean. Further slips that no number shows: the sums for E Y_i Y_j go to N in the place of L and change the names "
    "of their indices, and one line of (7) has 2N + pi_A(N - N pi_A) for 2 N pi_A(N - N pi_A).",
)
