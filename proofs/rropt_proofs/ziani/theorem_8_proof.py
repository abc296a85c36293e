"""Theorem 8, its proof: the triangle inequality as displayed."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Condition, Correction, Domain, Point, Value
from rropt.claims.outcomes import value_text
from rropt_proofs.ziani import PAPER


def theory(point: Point) -> Fraction:
    """|f(y) - f(x)| with f(x) = x."""
    return Fraction(abs(point["y"] - point["x"]))


def computed(point: Point) -> Fraction:
    """|s - f(y)| - |y - f(x)|, as printed."""
    return abs(Fraction(point["s"]) - point["y"]) - abs(point["y"] - point["x"])


def repaired(point: Point) -> Fraction:
    """|s - f(y)| - |s - f(x)|, with f(x) = x."""
    return abs(Fraction(point["s"]) - point["y"]) - abs(Fraction(point["s"]) - point["x"])


def mutant(point: Point) -> Fraction:
    """A tenth less."""
    return theory(point) * Fraction(9, 10)


def proof() -> Anchored:
    return Anchored(
        Value(),
        argument="With u = s - f(y) and v = s - f(x), u - v = f(x) - f(y), so the display is |u| - |v| <= |u - v|. "
        "Both sides are traced, sign by sign.",
    )


def working(point: Point) -> str:
    """The three distances, with f(x) = x."""
    x, y, s = (Fraction(point[name]) for name in "xys")
    return (
        f"|s - f(y)| - |y - f(x)| = |{value_text(s)} - {value_text(y)}| - |{value_text(y)} - {value_text(x)}| = "
        f"{value_text(abs(s - y))} - {value_text(abs(y - x))} = {value_text(computed(point))}\n|f(y) - f(x)| = "
        f"|{value_text(y)} - {value_text(x)}| = {value_text(theory(point))}"
    )


CLAIM = Claim(
    id="ziani.theorem-8-proof",
    source=f"{PAPER}, proof of Theorem 8",
    place=(2, 4),
    printed=r"By the triangle inequality, we know that $|s-f(y)|-|y-f(x)|\le|f(y)-f(x)|$.",
    precise="For all neighbouring databases x, y and all outcomes s the displayed inequality holds. As the databases "
    "are vectors, y - f(x) has a meaning only where a database is a number: over one type of individual, N^X = N, "
    "with the counting query f(x) = x. There neighbours differ by 1.",
    variables={
        "x": Domain.whole("database over one type: a natural number, f(x) = x", 0, 4),
        "y": Domain.whole("neighbouring database, f(y) = y", 0, 4),
        "s": Domain(
            "outcome",
            tuple(Fraction(s) for s in ("-1", "0", "1/2", "1", "2", "4", "10")),
            lambda rng: Fraction(rng.randint(-80, 120), 10),
        ),
    },
    assumptions=(Condition("x and y are neighbours", lambda p: abs(p["x"] - p["y"]) == 1),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
    correction=Correction(
        r"$|s-f(y)|-|s-f(x)|\le|f(y)-f(x)|$, which is what the exponent before it needs.", theory, computed=repaired
    ),
    proof=proof,
    working=working,
    notes=r"A slip of one letter: $y$ for $s$. The other steps of the proof are right when $\Pr[\cdot=s]$ is read as a "
    r"density (as probabilities of single outcomes both are $0$), and Theorem 8 stands.",
)
