"""Designs over an interval of prevalences ``LOW..HIGH``: formulas over any ordered field, and the result classes.

**Coordinates.** With ``u = 1/(p00 + p11 - 1)``, a design with p00 + p11 > 1 is the point ``r = (1 - p00) u >= 0``,
``s = (1 - p11) u >= 0``. Then n Var is ``V(pi) = (r + pi)(s + 1 - pi) = pi (1 - pi) + r s + r (1 - pi) + s pi``. The
region (12) of Holohan, Leith and Mason (2016) becomes the convex set Q of r, s >= 0 with
``(gamma - 1 + delta) r + delta s >= 1 - delta`` and the same inequality with r and s exchanged. If Q contains a point,
it contains every point with larger r and s; V increases in r and in s. The vertices of Q are among the *diagonal* point
``r = s = (1 - delta)/(gamma + 2 delta - 1)`` and, for delta > 0, the *corners* (0, c) and (c, 0) with
``c = (1 - delta)/delta``. Warner's family is the ray r = s in Q, which starts at the diagonal point.

**Worst case.** V is a concave quadratic in pi. So ``W = max over pi in [L, H] of V(pi)`` is attained at
``pi = (s + 1 - r)/2``, moved into [L, H]. *The minimax design is a vertex of Q.* Proof:

1. ``sqrt((r + pi)(s + 1 - pi))`` is the geometric mean of two nonnegative affine functions of (r, s, pi). Hence it is
   jointly concave in (r, s, pi).
2. The maximum of a jointly concave function over pi in the convex set [L, H] is concave in (r, s). So sqrt(W) is
   concave on Q.
3. sqrt(W) increases in r and s, so it is bounded below on Q. A concave function that is bounded below on a polyhedron
   without lines attains its minimum at a vertex.

**Regret.** Let V* be the optimum at pi, and ``R = max over pi in [L, H] of V(pi) - V*(pi)``. *The maximum is attained
at L or H.* Proof: the difference of V for two designs is affine in pi, because pi (1 - pi) cancels. V* is the minimum
of V over the vertices. So V - V* is a maximum of affine functions, hence convex in pi.

*The minimax-regret design over the whole region* is a vertex of Q or one further point, called the *hedge*. The hedge
is the point where the line ``r - s = kappa`` enters Q, with ``kappa = (m(L) - m(H))/(H - L)`` and
``m(pi) = V*(pi) - pi (1 - pi)``. Proof:

1. The regret at L minus the regret at H is ``(r - s)(H - L) - (m(L) - m(H))``. So the line cuts Q into two convex
   polyhedra. On one of them R is V(L) minus a constant, on the other V(H) minus a constant.
2. V at a fixed pi is the square of a concave function that increases in r and s. So on each part its minimum is at a
   vertex of that part.
3. A vertex of a part is a vertex of Q or the point where the line enters Q; from there the direction (1, 1) stays in Q.

The proof does not depend on the values of the constants V*(L) and V*(H).

The hedge may be strictly better than every vertex. For gamma = 2, delta = 1/2 and [0, 3/4], its regret is 1/4, and the
regret of each vertex is at least 5/16.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.certificates import Certificate
from rropt.core.errors import CertificateError, InvalidParameterError, shown
from rropt.core.exact import Bounded, Bracket, as_text, both_texts, rational
from rropt.mechanisms import Mechanism
from rropt.mechanisms.displays import probability_texts

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
        """Convert ``"LOW..HIGH"``, a pair (low, high), or an interval to a ``PrevalenceInterval``.

        Raises:
            InvalidParameterError: the value has another form, an endpoint is outside [0, 1], or low > high.
        """
        if isinstance(value, cls):
            return value
        ends = value.split("..") if isinstance(value, str) else value
        if not isinstance(ends, (list, tuple)) or len(ends) != 2:
            raise InvalidParameterError(f"prevalence is not an interval: received {shown(value)}; allowed is {_FORMS}")
        low, high = (rational(end, name=f"prevalence {name}") for end, name in zip(ends, ("LOW", "HIGH"), strict=True))
        if not 0 <= low <= high <= 1:
            raise InvalidParameterError(f"prevalence is out of range: received {shown(value)}; allowed is {_FORMS}")
        return cls(low, high)

    def __str__(self) -> str:
        return f"{as_text(self.low)}..{as_text(self.high)}"


# Numbers of an ordered field: Fraction at a rational level, Quotient at an irrational one.
Number = Any
Point = tuple[Number, Number]

Ends = tuple[tuple[Number, Number], tuple[Number, Number]]
"""The endpoints of the interval with their optima: ``((L, V*(L)), (H, V*(H)))``."""

HEDGE = "hedge"


def variance(point: Point, pi: Number) -> Number:
    """Return n Var of the design (r, s) at a prevalence."""
    r, s = point
    return (r + pi) * (s + 1 - pi)


def vertices(gamma: Number, delta: Number, *, warner: bool) -> dict[str, Point]:
    """Return the vertices of Q by name; for Warner's family, only the diagonal point.

    The corners need delta > 0. At delta = 1 all three points coincide. At gamma = 1 the diagonal point lies on an edge.
    """
    diagonal = (1 - delta) / (gamma + 2 * delta - 1)
    if warner or delta in (0, 1):
        return {"diagonal": (diagonal, diagonal)}
    corner = (1 - delta) / delta
    zero = corner - corner
    corners: dict[str, Point] = {"corner_p00": (zero, corner), "corner_p11": (corner, zero)}
    return corners if gamma == 1 else {"diagonal": (diagonal, diagonal), **corners}


def best_values(points: dict[str, Point], interval: PrevalenceInterval) -> Ends:
    """Return the endpoints of the interval, each with its optimum: the smallest n Var of the vertices."""
    low, high = (min(variance(point, pi) for point in points.values()) for pi in (interval.low, interval.high))
    return (interval.low, low), (interval.high, high)


def worst_case(point: Point, interval: PrevalenceInterval) -> tuple[Number, Number]:
    """Return the largest n Var over the interval, and a prevalence that attains it."""
    r, s = point
    at = min(max((s + 1 - r) / 2, interval.low), interval.high)
    return variance(point, at), at


def regret(point: Point, ends: Ends) -> tuple[Number, Number]:
    """Return the largest regret over the interval, and the endpoint that attains it (the lower one on a tie)."""
    (low, at_low), (high, at_high) = ends
    left, right = variance(point, low) - at_low, variance(point, high) - at_high
    return (right, high) if right > left else (left, low)


def hedge(gamma: Number, delta: Number, ends: Ends) -> Point:
    """Return the hedge: the point on the boundary of the region whose regret is the same at both endpoints.

    On the side r >= s, the binding half-plane is ``delta r + (gamma - 1 + delta) s >= 1 - delta``. With r = s + kappa
    this gives ``s = (1 - delta - delta kappa)/(gamma + 2 delta - 1)``, or 0 if that is negative. The other side is its
    mirror image.

    Args:
        gamma, delta: the level.
        ends: the endpoints of the interval with their optima, low < high.
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
    """A design with its worst case and its regret over an interval of prevalences.

    Attributes:
        name: ``"diagonal"``, ``"corner_p00"``, ``"corner_p11"`` (the vertices of the region) or ``"hedge"``.
        mechanism: the mechanism: rational, and exactly in the region.
        worst_case: the largest n Var over the interval, exact.
        worst_at: a prevalence that attains the worst case.
        regret: a bracket of the regret, which is the largest excess of n Var over the optimum at the same prevalence;
            exact if the level is rational.
        regret_at: the endpoint of the interval that attains the regret.
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
            **self.mechanism.form(),
            "worst_case": as_text(self.worst_case),
            "worst_at": as_text(self.worst_at),
            "regret": self.regret.to_json(),
            "regret_at": as_text(self.regret_at),
        }

    def cells(self) -> tuple[str, str, str]:
        """Return the cells of a table: p00 and p11, the worst case and its prevalence, the regret and its endpoint."""
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
    """The minimax value or the minimax regret: ``lower <= optimum <= upper``, equal if the level is rational.

    Attributes:
        lower, upper: the bracket; the first of ``designs`` attains ``upper``.
        designs: the optimal designs among the candidates and the hedge, in ascending order of (p00, p11). Ties are
            decided at the exact level. Only at epsilon = 0, further designs between two of them may be optimal.
        certificate: the accepted certificate of the bracket and of the first design; ``None`` for an optimum among the
            candidates alone, which is only a comparison.
    """

    lower: Fraction
    upper: Fraction
    designs: tuple[IntervalDesign, ...]
    certificate: Certificate | None = None

    @property
    def design(self) -> IntervalDesign:
        """The design to use, the first of ``designs``."""
        return self.designs[0]

    def proof(self) -> Certificate:
        """Return the certificate, or raise an error if the optimum has none.

        Raises:
            CertificateError: the optimum has no certificate.
        """
        if self.certificate is None:
            raise CertificateError("an optimum over an interval has no certificate: solve it by solve_over_interval")
        return self.certificate

    @property
    def widest(self) -> Fraction:
        """The width of the widest bracket: that of the optimum, or of the regret of one of its designs."""
        return max(self.gap, *(design.regret.gap for design in self.designs))

    def to_dict(self) -> dict[str, Any]:
        """Return the bracket, the names of the designs and the certificate."""
        return {
            **self.bracket.written(),
            "designs": [design.name for design in self.designs],
            "certificate": self.certificate.to_dict() if self.certificate else None,
        }
