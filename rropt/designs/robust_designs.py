"""Designs over an interval of prevalences, ``LOW..HIGH``: their mathematics, over any ordered field, and what is said.

Coordinates. With ``u = 1/(p00 + p11 - 1)`` a design with p00 + p11 > 1 is ``r = (1 - p00) u >= 0``, ``s = (1 - p11) u
>= 0``; n Var is ``V(pi) = (r + pi)(s + 1 - pi) = pi (1 - pi) + r s + r (1 - pi) + s pi``, and the region (12) of
Holohan, Leith and Mason (2016) is the convex set Q of r, s >= 0 with ``(gamma - 1 + delta) r + delta s >= 1 - delta``
and the same with r and s exchanged. Q contains with a point every larger one, and V grows with r and with s. Its
vertices are among the *diagonal* point ``r = s = (1 - delta)/(gamma + 2 delta - 1)`` and, for delta > 0, the *corners*
(0, c) and (c, 0), ``c = (1 - delta)/delta``. Warner's family is the ray r = s of Q, whose first point is the diagonal.

**Worst case.** ``W = max over pi in [L, H] of V(pi)`` is attained at ``pi = (s + 1 - r)/2`` moved into [L, H], for V is
a concave quadratic in pi. *The minimax design is a vertex of Q.* Proof: ``sqrt((r + pi)(s + 1 - pi))`` is
the geometric mean of two nonnegative affine functions of (r, s, pi), hence concave in the three together. The maximum
over the convex set [L, H] of a function concave in all variables is concave in the others. So sqrt(W) is concave on Q;
it grows with r and s, so it is bounded below on Q, and a concave function bounded below on a polyhedron without lines
is least at a vertex.

**Regret.** ``R = max over pi in [L, H] of V(pi) - V*(pi)``, V* the optimum at pi. *It is attained at L or H.* Proof:
the difference of V of two designs is affine in pi (pi (1 - pi) cancels), and V* is the least V of the vertices. So
V - V* is a maximum of affine functions: convex in pi.

*The minimax-regret design over the whole region* is a vertex of Q or the one point, called *hedge*, where the line
``r - s = kappa`` enters Q, ``kappa = (m(L) - m(H))/(H - L)``, ``m(pi) = V*(pi) - pi (1 - pi)``. Proof: the excess
``V - V*`` at L less that at H is ``(r - s)(H - L) - (m(L) - m(H))``. So the line cuts Q in two convex polyhedra, and
on one of them R is V(L) less a constant, on the other V(H) less a constant. V at a fixed pi is the square of a concave
function that grows with r and s: on each part it is least at a vertex of that part, which is a vertex of Q or the one
point at which the line enters Q (the direction (1, 1) leads from there into Q for ever). Nothing in this depends on
what the constants V*(L) and V*(H) are.

A hedge may be strictly better than every vertex: at gamma = 2, delta = 1/2 over [0, 3/4] its regret is 1/4, that of the
vertices at least 5/16.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.certificates import Certificate
from rropt.core.errors import CertificateError, InvalidParameterError, shown
from rropt.core.exact import Bounded, Bracket, as_text, both_texts, rational
from rropt.mechanisms import Mechanism
from rropt.mechanisms.decimals import probability_texts

_FORMS = "LOW..HIGH with 0 <= LOW <= HIGH <= 1, such as 0.1..0.4 or 1/10..2/5"


@dataclass(frozen=True, slots=True)
class PrevalenceInterval:
    """All prevalences ``low <= pi <= high``, 0 <= low <= high <= 1, exact.

    Use ``PrevalenceInterval.of(value)``.

    >>> interval = PrevalenceInterval.of("0.1..2/5")
    >>> str(interval), float(interval.high)
    ('1/10..2/5', 0.4)
    """

    low: Fraction
    high: Fraction

    @classmethod
    def of(cls, value: object) -> PrevalenceInterval:
        """Return the interval that ``value`` writes: ``"LOW..HIGH"``, a pair (low, high), or an interval.

        Raises:
            InvalidParameterError: another form, an end outside [0, 1], or low > high.
        """
        if isinstance(value, cls):
            return value
        ends = value.split("..") if isinstance(value, str) else value
        if not isinstance(ends, (list, tuple)) or len(ends) != 2:
            raise InvalidParameterError(f"prevalence is no interval: received {shown(value)}; allowed is {_FORMS}")
        low, high = (rational(end, name=f"prevalence {name}") for end, name in zip(ends, ("LOW", "HIGH"), strict=True))
        if not 0 <= low <= high <= 1:
            raise InvalidParameterError(f"prevalence is out of range: received {shown(value)}; allowed is {_FORMS}")
        return cls(low, high)

    def __str__(self) -> str:
        return f"{as_text(self.low)}..{as_text(self.high)}"


# Numbers of any one ordered field: Fraction at a rational level, Quotient at an irrational one.
Number = Any
Point = tuple[Number, Number]

Ends = tuple[tuple[Number, Number], tuple[Number, Number]]
"""``((L, best value at L), (H, best value at H))``."""

HEDGE = "hedge"


def variance(point: Point, pi: Number) -> Number:
    """Return n Var of the design at (r, s)."""
    r, s = point
    return (r + pi) * (s + 1 - pi)


def vertices(gamma: Number, delta: Number, *, warner: bool) -> dict[str, Point]:
    """Return the vertices of Q by name.

    Corners need delta > 0; at delta = 1 all three are one point; at gamma = 1 the diagonal point lies on an edge. Of
    Warner's family, only the diagonal.
    """
    diagonal = (1 - delta) / (gamma + 2 * delta - 1)
    if warner or delta in (0, 1):
        return {"diagonal": (diagonal, diagonal)}
    corner = (1 - delta) / delta
    zero = corner - corner
    corners: dict[str, Point] = {"corner_p00": (zero, corner), "corner_p11": (corner, zero)}
    return corners if gamma == 1 else {"diagonal": (diagonal, diagonal), **corners}


def best_values(points: dict[str, Point], interval: PrevalenceInterval) -> Ends:
    """Return the optimum at the endpoints of the interval: the least n Var of the vertices."""
    low, high = (min(variance(point, pi) for point in points.values()) for pi in (interval.low, interval.high))
    return (interval.low, low), (interval.high, high)


def worst_case(point: Point, interval: PrevalenceInterval) -> tuple[Number, Number]:
    """Return the largest n Var over the interval, and a prevalence at which it occurs."""
    r, s = point
    at = min(max((s + 1 - r) / 2, interval.low), interval.high)
    return variance(point, at), at


def regret(point: Point, ends: Ends) -> tuple[Number, Number]:
    """Return the largest excess over the best values, and the end of the interval at which it occurs (low on a tie)."""
    (low, at_low), (high, at_high) = ends
    left, right = variance(point, low) - at_low, variance(point, high) - at_high
    return (right, high) if right > left else (left, low)


def hedge(gamma: Number, delta: Number, ends: Ends) -> Point:
    """Return the point where the two endpoints of the interval cost the same excess, on the boundary of the region.

    On the side r >= s the half-plane ``delta r + (gamma - 1 + delta) s >= 1 - delta`` decides: with r = s + kappa,
    ``s = (1 - delta - delta kappa)/(gamma + 2 delta - 1)``, or 0 if that is negative. The other side is its mirror.

    Args:
        gamma, delta: the level.
        ends: with low < high.
    """
    (low, at_low), (high, at_high) = ends
    kappa = ((at_low - low * (1 - low)) - (at_high - high * (1 - high))) / (high - low)
    offset = kappa if kappa >= 0 else -kappa
    smaller = (1 - delta - delta * offset) / (gamma + 2 * delta - 1)
    if smaller < 0:
        smaller = smaller - smaller
    return (smaller + offset, smaller) if kappa >= 0 else (smaller, smaller + offset)


@dataclass(frozen=True, slots=True)
class IntervalDesign:
    """A design and what it costs over an interval of prevalences.

    Attributes:
        name: ``"diagonal"``, ``"corner_p00"``, ``"corner_p11"`` (the vertices of the region) or ``"hedge"``.
        mechanism: rational, in the region exactly.
        worst_case: its largest n Var over the interval, exact.
        worst_at: a prevalence at which that occurs.
        regret: of its regret, the largest excess over the interval of its n Var over the optimum at the same
            prevalence; exact when the level is rational.
        regret_at: the end of the interval at which the regret occurs.
    """

    name: str
    mechanism: Mechanism
    worst_case: Fraction
    worst_at: Fraction
    regret: Bracket
    regret_at: Fraction

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: exact numbers are strings, a bracket is ``{"lower": ..., "upper": ...}``."""
        return {
            "name": self.name,
            **self.mechanism.to_dict(),
            "worst_case": as_text(self.worst_case),
            "worst_at": as_text(self.worst_at),
            "regret": self.regret.to_json(),
            "regret_at": as_text(self.regret_at),
        }

    def cells(self) -> tuple[str, str, str]:
        """Return p00 and p11, the worst case, and the regret, each with its place, for a table."""
        pairs = (self.worst_case, self.worst_at), (self.regret.upper, self.regret_at)
        worst, regret = ("\n".join(map(both_texts, pair)) for pair in pairs)
        return "\n".join(probability_texts(self.mechanism)), worst, regret

    def __str__(self) -> str:
        p00, p11 = probability_texts(self.mechanism)
        return (
            f"{self.name}: p00 = {p00}, p11 = {p11}, "
            f"worst n Var {both_texts(self.worst_case)} at {both_texts(self.worst_at)}, "
            f"regret {both_texts(self.regret.upper)} at {both_texts(self.regret_at)}"
        )


@dataclass(frozen=True, slots=True)
class IntervalOptimum(Bounded):
    """The minimax value, or the minimax regret: ``lower <= optimum <= upper``, equal when the level is rational.

    Attributes:
        lower, upper: the bracket; ``upper`` is what the first of ``designs`` achieves.
        designs: those of ``candidates`` and ``hedge`` that tie, decided at the exact level, in ascending order of
            (p00, p11). Between two of them further designs may tie, at epsilon = 0 only.
        certificate: accepted by the checker: of the bracket and of the first design; None for an optimum among the
            candidates alone, which is only a comparison.
    """

    lower: Fraction
    upper: Fraction
    designs: tuple[IntervalDesign, ...]
    certificate: Certificate | None = None

    @property
    def design(self) -> IntervalDesign:
        """The design to use: the first."""
        return self.designs[0]

    def proof(self) -> Certificate:
        """Return the certificate.

        Raises:
            CertificateError: there is none.
        """
        if self.certificate is None:
            raise CertificateError("an optimum over an interval has no certificate: solve it by solve_over_interval")
        return self.certificate

    @property
    def widest(self) -> Fraction:
        """The width of the widest bracket in it: of the optimum, or of the regret of a design."""
        return max(self.gap, *(design.regret.gap for design in self.designs))

    def to_dict(self) -> dict[str, Any]:
        """Return the bracket, the names of the designs and the certificate."""
        return {
            **self.bracket.written(),
            "designs": [design.name for design in self.designs],
            "certificate": self.certificate.to_dict() if self.certificate else None,
        }
