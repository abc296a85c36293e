"""Every (epsilon, delta) mechanism on two inputs is a garbling of one with four answers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.rropt import PAPER

_NAMES = ("gamma", "delta", "x", "y", "u", "v", "e", "f")
_COLUMNS = ("certain no", "likely no", "likely yes", "certain yes")


def theory(point: Point) -> dict[str, Any]:
    """Entries of a row of C are at least 0, its columns sum to 1, and the row of C P is the row of Q."""
    x, y, u, v = (Fraction(point[name]) for name in ("x", "y", "u", "v"))
    return {
        **{f"entry, {name}": Bound("at-least", 0) for name in _COLUMNS},
        **{f"column, {name}": Fraction(1) for name in _COLUMNS},
        "product, no": x + u,
        "product, yes": y + v,
    }


def computed(point: Point) -> dict[str, Any]:
    """The kernel, at a row of Q and at the sum of all its rows, whose parts are 1 - e, e, 1 - f and f."""
    gamma, delta, x, y, u, v, e, f = (Fraction(point[name]) for name in _NAMES)
    row = _row(gamma, delta, x, y, u, v, e, f)
    whole = _row(gamma, delta, 1 - e, 1 - f, e, f, e, f)
    unit = (1 - delta) / (1 + gamma)
    return {
        **{f"entry, {name}": entry for name, entry in zip(_COLUMNS, row, strict=True)},
        **{f"column, {name}": entry for name, entry in zip(_COLUMNS, whole, strict=True)},
        "product, no": delta * row[0] + unit * gamma * row[1] + unit * row[2],
        "product, yes": unit * row[1] + unit * gamma * row[2] + delta * row[3],
    }


def _row(
    gamma: Fraction, delta: Fraction, x: Fraction, y: Fraction, u: Fraction, v: Fraction, e: Fraction, f: Fraction
) -> tuple[Fraction, ...]:
    """The row of C for a row (x + u, y + v) of Q; (x, y) is within the ratios. Linear in (x, y, u, v)."""
    theta = (f - e) / (gamma * (1 - e) - 1 + f)
    kappa = (1 - delta) / (1 - f)
    s, t = kappa * (x + theta * (y - gamma * x)), kappa * y
    unit = (1 - delta) * (gamma - 1)
    return (x - s + u) / delta, (gamma * s - t) / unit, (gamma * t - s) / unit, (y - t + v) / delta


def mutant(point: Point) -> dict[str, Any]:
    """The rows of Q exchanged."""
    said = theory(point)
    return {**said, "product, no": said["product, yes"], "product, yes": said["product, no"]}


def proof() -> Anchored:
    """gamma theta and kappa are in [0, 1], and s lies between t/gamma and gamma t."""
    return Anchored(
        *(Value(of=f"{what}, {name}") for what in ("entry", "column") for name in _COLUMNS),
        Value(of="product, no"),
        Value(of="product, yes"),
        steps=[
            "(1 - f)*(gamma*(1 - e) - 1 + f) >= 0",
            "(delta - f)*(gamma*(1 - e) - 1 + f) >= 0",
            "(1 - delta)*(f - e) >= 0",
        ],
        unanchored=(
            "the sums of the columns of C over the answers: its rows are linear in (x, y, u, v), and what is proved is "
            "about one answer and about the sums 1 - e, 1 - f, e, f",
        ),
    )


CLAIM = Claim(
    id="rropt.garbling-of-four",
    source=f"{PAPER}, any number of answers",
    place=(3, 1),
    printed=r"Let $P$ have the rows $(\delta,0)$, $(c\gamma,c)$, $(c,c\gamma)$, $(0,\delta)$, with "
    r"$\gamma=e^\varepsilon$ and $c=\frac{1-\delta}{1+\gamma}$. Every mechanism $Q$ on two inputs with finitely many "
    r"answers that keeps $(\varepsilon,\delta)$ is $CP$ for a $C\ge0$ whose columns sum to 1. If its rows are "
    r"$(a_i,b_i)$, $e=\sum(a_i-\gamma b_i)^+\le f=\sum(b_i-\gamma a_i)^+$, $x_i=\min(a_i,\gamma b_i)$, "
    r"$y_i=\min(b_i,\gamma a_i)$, then with $t_i=\frac{1-\delta}{1-f}y_i$ and "
    r"$s_i=\frac{1-\delta}{1-f}\bigl(x_i+\theta(y_i-\gamma x_i)\bigr)$, $\theta=\frac{f-e}{\gamma(1-e)-(1-f)}$, the "
    r"rows of $C$ are $\Bigl(\frac{a_i-s_i}\delta,\frac{\gamma s_i-t_i}{(1-\delta)(\gamma-1)},\frac{\gamma "
    r"t_i-s_i}{(1-\delta)(\gamma-1)},\frac{b_i-t_i}\delta\Bigr)$.",
    precise="For gamma > 1, 0 < delta < 1 and e <= f; where e > f it is this with the two inputs exchanged, of which "
    "P is the same. The chances of an answer are a = x + u, b = y + v, with parts x, y whose ratios are at most "
    "gamma and excesses u, v: x = min(a, gamma b) and y = min(b, gamma a) are (a, b), (gamma b, b) or (a, gamma a). "
    "A row of C is linear in (x, y, u, v), so that the sums of its columns are the row at the sums 1 - e, 1 - f, e, "
    "f of these over all answers. At delta = 0, 1 or gamma = 1 answers of P have chance 0 or are equal, and are left "
    "out.",
    variables={
        "gamma": Domain.odds(),
        "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/4")),
        "x": Domain.interval("chance of the answer without the trait, within the ratios", 0, 1, also=("1/2", "1/20")),
        "y": Domain.interval("chance of the answer with the trait, within the ratios", 0, 1, also=("1/2", "1/20")),
        "u": Domain.interval("excess of the first", 0, 1, also=("1/100",)),
        "v": Domain.interval("excess of the second", 0, 1, also=("1/100",)),
        "e": Domain.interval("sum of the excesses of a over gamma b", 0, 1, also=("1/100", "1/8")),
        "f": Domain.interval("sum of the excesses of b over gamma a", 0, 1, also=("1/100", "1/4")),
    },
    assumptions=(
        Condition("gamma > 1", "gamma > 1"),
        Condition("0 < delta", "delta > 0"),
        Condition("delta < 1", "delta < 1"),
        Condition("(epsilon, delta)-privacy", "f <= delta"),
        Condition("x is within the ratios", "x <= gamma*y"),
        Condition("y is within the ratios", "y <= gamma*x"),
        Condition("of the two inputs the one with less excess first", "e <= f"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="The kernel is explicit; that there is one follows from Blackwell (1953) and the region of hypothesis "
    "tests of P, which is that of (epsilon, delta): Kairouz, Oh and Viswanath, The composition theorem for "
    "differential privacy (IEEE Trans. Inf. Theory 63, 2017), in its proof. `rropt compare` writes such a kernel as "
    "a certificate for any two mechanisms.",
)
