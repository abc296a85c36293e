"""The way of rays: ``phi_i <= g_i`` on finitely many rows implies it on all possible rows (rays_way.md).

A sum of squares, of linear functions or of the information on the rays {1, gamma}^k is decided without visiting every
ray in full. Everything else is evaluated on every ray.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .design_bound import DesignBound
from .design_region import DesignRegion, staircase_ratio
from .documents import Rejected, WorkBudget, bits_of
from .information import Information, doubtful
from .matrices import Rows, Vector, dot, over_one_denominator, widest
from .rational_sums import QuotientSum
from .rays import Ray, Staircase, grown_rays, shown
from .rays_sums import Ends, Phi

_FEW_INPUTS = 3  # up to this number all rows are tested directly: tangents would not spare any


class Part(NamedTuple):
    """The function ``weight sum_j d_j (p.w_j)^2 / (p.shares)``."""

    weight: Fraction
    vectors: Rows  # w_j
    d: Sequence[Fraction]
    shares: Sequence[Fraction]


class SumOfSquares:
    """A sum of squares over linear functions: phi of the variances, of E- and D-optimality and of chi-square."""

    def __init__(self, parts: Sequence[Part], budget: WorkBudget) -> None:
        self.parts, self.budget = parts, budget
        self.scaled: list[tuple[list[list[int]], list[int], Vector, int]] = []  # w_j, d_j, shares, scale of d w^2
        for part in parts:
            k = len(part.shares)
            flat = over_one_denominator([x for w in part.vectors for x in w], budget)
            d = over_one_denominator(part.d, budget)
            along = [flat.numerators[at : at + k] for at in range(0, len(flat.numerators), k)]
            shares = over_one_denominator(part.shares, budget)
            self.scaled.append((along, d.numerators, shares, d.denominator * flat.denominator**2))

    def at(self, row: Sequence[int]) -> Fraction:
        """Return phi of a row of integers; reject a row on which it is infinite."""
        budget, own = self.budget, widest(row)
        value = Fraction(0)
        for part, (along, d, shares, scale) in zip(self.parts, self.scaled, strict=True):
            longest = max(scale.bit_length(), shares.bits)
            budget.spend_in_bulk((len(along) + 1) * (len(row) + 2), own + longest, longest)
            square, s = sum(x * dot(row, w) ** 2 for x, w in zip(d, along, strict=True)), dot(row, shares.numerators)
            budget.spend(4, square.bit_length() + bits_of(value), scale.bit_length() + s.bit_length())
            if s:
                value += part.weight * Fraction(square * shares.denominator, scale * s)
            elif square:
                raise Rejected(f"phi is infinite on the row {shown(row)}: a square is divided by 0")
        return value

    def ends(self, row: Sequence[int]) -> Ends:
        """Return phi of a row, twice."""
        value = self.at(row)
        return value, value


class Lines(NamedTuple):
    """Linear functions: line i belongs to output i if ``own``, else phi is the largest of them at every output."""

    rows: Rows
    own: bool


class Sum(NamedTuple):
    """A function of the row that is enclosed; ``information`` is there if it is the mutual information."""

    ends: Phi
    information: Information | None = None


class Convex(NamedTuple):
    """A rational function of the row, and the part of the proof that shows that it is convex."""

    function: QuotientSum
    proof: Any


def require_on_rays(
    region: DesignRegion, bound: DesignBound, phi: SumOfSquares | Lines | Sum | Convex, budget: WorkBudget
) -> None:
    """Reject unless ``phi_i <= g_i`` on every ray, for every output i."""
    levels, k = region.levels, region.inputs
    gamma = staircase_ratio(region, budget)
    if gamma is None:
        for level in levels:
            budget.spend(0 if level.has_delta or level.pairs is not None else k * k)
        walls = [(j, i, one.gamma.above) for one in levels if not one.has_delta for j, i in region.pairs_of(one)]
        grown = grown_rays(k, walls, bound.bends, budget)
        _require_each(grown, bound, _proved_convex(phi, grown), budget)
        return
    if isinstance(phi, Lines):
        _require_lines(gamma, bound, phi, budget)
        return
    rays = Staircase(k, gamma, budget)
    if isinstance(phi, Convex):
        _require_each(rays, bound, _proved_convex(phi, rays), budget)
    elif isinstance(phi, SumOfSquares) and len(phi.parts) == 1:
        _require_forms(rays, bound, phi, budget)
    elif isinstance(phi, Sum) and phi.information is not None and k > _FEW_INPUTS:
        for alpha in bound.alphas:
            left = doubtful(alpha, bound.unit, rays, phi.information)
            _require_each(left, bound._replace(alphas=[alpha]), phi, budget)
    else:
        _require_each(rays, bound, phi, budget)


def _proved_convex(phi: SumOfSquares | Lines | Sum | Convex, rays: Iterable[Ray]) -> SumOfSquares | Lines | Sum:
    """Return phi; reject a function of the file that is not proved to be convex on the cone of the rays."""
    if not isinstance(phi, Convex):
        return phi
    phi.function.require_convex(phi.proof, rays)
    return Sum(phi.function.ends)


def _require_each(rays: Iterable[Ray], bound: DesignBound, phi: SumOfSquares | Lines | Sum, budget: WorkBudget) -> None:
    """Reject unless the inequality holds on each of these rays; it implies that g is nonnegative if phi is."""
    count, longest = bound.cost()
    lines = [over_one_denominator(line, budget) for line in phi.rows] if isinstance(phi, Lines) else []
    for ray in rays:
        own = widest(ray)
        budget.spend_in_bulk(count + len(lines) * len(ray), own, longest)
        budget.spend(2 * len(lines), own + longest)  # a fraction for each line
        added = bound.excess(ray)
        values = [dot(ray, alpha) + added for alpha in bound.alphas]
        if isinstance(phi, Lines):
            highs = [Fraction(dot(ray, line.numerators), line.denominator) for line in lines]
        else:
            highs = [phi.ends(ray)[1]]
        if isinstance(phi, Lines) and phi.own:
            pairs = [(high, values[bound.row_of(i)]) for i, high in enumerate(highs)]
        else:
            pairs = [(max(highs), value) for value in values]
        budget.spend(2 * len(pairs), max(bits_of(high) for high, _ in pairs), longest + own)
        if any(high * bound.unit > value for high, value in pairs):
            raise Rejected(f"the inequality of the objective fails on the ray {shown(ray)}")


def _require_lines(gamma: Fraction, bound: DesignBound, phi: Lines, budget: WorkBudget) -> None:
    """Reject unless ``line.r <= alpha_i.r`` on {1, gamma}^k: the least value of x.r is ``sum min(x_j, gamma x_j)``."""
    pairs: Iterable[tuple[list[Fraction], list[int]]]
    if phi.own:
        pairs = ((line, bound.alphas[bound.row_of(i)]) for i, line in enumerate(phi.rows))
    else:
        pairs = ((line, alpha) for line in phi.rows for alpha in bound.alphas)
    for line, alpha in pairs:
        vector = over_one_denominator(line, budget)
        budget.spend(4 * len(line), vector.bits + bits_of(gamma), widest(alpha, (bound.unit,)))
        x = [a * vector.denominator - v * bound.unit for a, v in zip(alpha, vector.numerators, strict=True)]
        if sum(y * (gamma.denominator if y >= 0 else gamma.numerator) for y in x) < 0:
            raise Rejected("the inequality of an output fails on a ray of entries 1 and gamma")


def _require_forms(rays: Staircase, bound: DesignBound, phi: SumOfSquares, budget: WorkBudget) -> None:
    """Reject unless ``sum_j d_j (r.w_j)^2 <= g_i(r) (r.shares)`` on the rays, all of whose entries are positive.

    As r.shares is positive there, the inequality implies that g is nonnegative.
    """
    ((along, d, shares, scale),) = phi.scaled
    for alpha in bound.alphas:
        form = form_of(alpha, shares.numerators, along, d, (bound.unit * shares.denominator, scale), budget)
        ray = rays.negative(form)
        if ray is not None:
            raise Rejected(f"the inequality of the squares fails on the ray {shown(ray)}")


def form_of(
    alpha: Sequence[int],
    shares: Sequence[int],
    along: list[list[int]],
    d: Sequence[int],
    scales: tuple[int, int],
    budget: WorkBudget,
) -> list[list[int]]:
    """Return the symmetric S with ``r S r^T = 2 (scale_2 (alpha.r)(shares.r) - scale_1 sum d_j (r.w_j)^2)``."""
    k = len(alpha)
    longest = widest(alpha, shares, d, scales, *along)
    budget.spend(k * k * (2 * len(along) + 4), 2 * longest, longest)
    scaled = [[2 * scales[0] * x * y for y in w] for x, w in zip(d, along, strict=True)]
    return [
        [
            scales[1] * (alpha[i] * shares[j] + alpha[j] * shares[i])
            - sum(y[i] * w[j] for y, w in zip(scaled, along, strict=True))
            for j in range(k)
        ]
        for i in range(k)
    ]
