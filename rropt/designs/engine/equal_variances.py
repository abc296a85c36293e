"""E-optimal designs under which every contrast of norm 1 has the same variance, by an exact linear program.

Let ``E = I - J/k``, with J the matrix of ones. For many proportions all nonzero eigenvalues of the optimal covariance
are equal: ``n Cov = M^-1 - pi pi^T = v E``. Then the information M is linear in t = 1/v:

    M = J + t B,   B = I - 1 pi^T - pi 1^T + (pi.pi) J

So the smallest v is that of a linear program in the weights of the rays, scaled to ``r.pi = 1``: maximize t subject to
``sum theta r r^T - t B = J``. A dual solution Y has ``r^T Y r >= 0`` on all rays and ``<Y, B> = -1``. With the number
``a = 1.Y 1`` and ``alpha = 2 Y 1 - a pi``

    Q = (alpha pi^T + pi alpha^T)/2 - Y,   Q 1 = 0,   tr Q = 1,   sum alpha = a = 1/v,   r^T Q r <= alpha.r

If Q is semidefinite, it proves that no design has a smaller largest eigenvalue than v (checker/design_bracket.md, E).
Otherwise equal variances are not optimal, or the vertex is another one: the caller searches in floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.core import linear
from rropt.core.exact.numbers import dot
from rropt.designs.engine.ray_enumeration import Fan
from rropt.designs.routes import ProvedDesign
from rropt.designs.writers.bracket_writer import RayDual
from rropt.mechanisms import Mechanism

MOST_RAYS = 254  # eight categories; the exact program takes below a second

Matrix = list[list[Fraction]]


def equal_variances(fan: Fan, pi: Sequence[Fraction]) -> ProvedDesign | None:
    """Return the optimal design if it gives all contrasts the same variance; None if this is not proved.

    Args:
        fan: the rays of a region at rational levels, without conditions that several rows share.
        pi: positive proportions, shape (k,).
    """
    if len(fan) > MOST_RAYS:
        return None
    rays = [fan.row(i, "below") for i in range(len(fan))]
    rays = [[x / dot(ray, pi) for x in ray] for ray in rays]
    found = linear.optimum(_program(rays, pi))
    if found is None or found.value <= 0:
        return None
    dual = _dual(list(found.dual), pi)
    if dual is None:
        return None
    rows = [[w * x for x in ray] for w, ray in zip(found.primal, rays, strict=False) if w]  # t is the last variable
    return ProvedDesign(1 / found.value, 1 / found.value, Mechanism(rows), dual)


def _program(rays: Sequence[Sequence[Fraction]], pi: Sequence[Fraction]) -> linear.LinearProgram:
    """Return the program that maximizes t."""
    builder, k, norm = linear.ProgramBuilder("maximise"), len(pi), dot(pi, pi)
    weights = [builder.variable(f"theta{n}", cost=Fraction(0), sign="nonnegative") for n in range(len(rays))]
    t = builder.variable("t", cost=Fraction(1), sign="free")
    for i in range(k):
        for j in range(i, k):
            left = {w: ray[i] * ray[j] for w, ray in zip(weights, rays, strict=True)}
            left[t] = pi[i] + pi[j] - norm - (i == j)
            builder.row(f"information {i} {j}", left, "=", Fraction(1))
    return builder.build()


def _dual(multipliers: Sequence[Fraction], pi: Sequence[Fraction]) -> RayDual | None:
    """Return alpha, and Q as a sum of squares; None if Q is not semidefinite."""
    k, left = len(pi), iter(multipliers)
    y = [[Fraction(0)] * k for _ in range(k)]
    for i in range(k):
        for j in range(i, k):
            y[i][j] = y[j][i] = next(left) / (1 if i == j else 2)
    sums = [sum(row, Fraction(0)) for row in y]
    total = sum(sums, Fraction(0))
    alpha = tuple(2 * s - total * p for s, p in zip(sums, pi, strict=True))
    q = [[(alpha[i] * pi[j] + pi[i] * alpha[j]) / 2 - y[i][j] for j in range(k)] for i in range(k)]
    squares = _squares(q)
    if squares is None:
        return None
    weights, columns = zip(*squares, strict=True)
    return RayDual(alpha, (), tuple(zip(*columns, strict=True)), weights)


def _squares(q: Matrix) -> list[tuple[Fraction, list[Fraction]]] | None:
    """Return d_j and w_j with ``Q = sum d_j w_j w_j^T``, d_j > 0, by elimination; None if Q is not semidefinite."""
    rest, found = [list(row) for row in q], []
    for i in range(len(q)):
        pivot = rest[i][i]
        if pivot < 0 or (not pivot and any(rest[i])):
            return None
        if not pivot:
            continue
        w = [x / pivot for x in rest[i]]
        found.append((pivot, w))
        rest = [[x - pivot * a * b for x, b in zip(row, w, strict=True)] for row, a in zip(rest, w, strict=True)]
    return found or None
