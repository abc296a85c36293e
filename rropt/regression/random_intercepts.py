r"""A regression with a random intercept for each group (interviewer, school): its likelihood, and the search for it.

*Model.* Row i of group g has the linear predictors ``eta_q = B_q theta + d sigma u_g``, where the ``u_g`` are
independent standard normal numbers, and d is 1 (in an ordinal model -1, so that a larger u means a higher category).
The log-likelihood is ``sum_g log int phi(u) prod_i L_i(theta, sigma u) du`` with the ``L_i`` of ``likelihoods``. It is
even in sigma. So sigma needs no logarithm: 0 is a stationary point, and a maximum there is one in the interior.

*Quadrature.* Each group has nodes of its own. A grid is narrowed until it covers just those u where the integrand is
more than exp(-40) of its maximum. The mean and the deviation on it place a Gauss-Hermite rule. This adaptive rule
converges fast if the integrand is nearly normal. With a randomizing device the ``L_i`` are bounded below, the integrand
is not log-concave, and the tails can need hundreds of nodes. Then the trapezoidal rule on the narrowed interval takes
over, which converges geometrically for analytic integrands (Trefethen and Weideman 2014, section 5). A rule is accepted
only if the next one, of about twice as many nodes, changes the log-likelihood by at most 1e-11 of its size and moves
the estimate by at most 1e-8 standard errors.

*Derivatives.* With p the posterior weights of the nodes, ``s = sum_i (score of row i)`` and ``h`` its derivative at a
node, the gradient of a group is ``E_p s`` and its Hessian ``E_p(h + s s') - E_p s E_p s'`` (Louis 1982).

References:
    Pinheiro and Bates (1995), for adaptive quadrature; Fox, Veen and Klotzke (2018), for randomized responses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from rropt.core.errors import InfeasibleError, UnsupportedProblemError
from rropt.core.exact.numbers import whole_where
from rropt.core.random_numbers import RandomSource, generator_of
from rropt.regression.models import Derivatives, Floats, Ints, Model, WeightedLikelihood
from rropt.regression.search import End, WhitenedModel, climb, infinite

_REACH = 9.0  # end of the first grid, in deviations; phi is below exp(-40) of its maximum there
_CUT = 40.0  # logarithm of the ratio to the maximum below which the integrand is left out
_GRID = 17  # points of the grid that is narrowed
_NARROWED = 0.7  # a grid that shrinks by less is narrow enough
_MOST_GRIDS = 60
_BLOCK_ENTRIES = 1 << 20  # rows times nodes times coefficients of a block
_STANDS = 1e-11  # relative change of the log-likelihood by the next rule
_FAR_OFF = 1e-5  # relative change that leaves no hope in the remaining Gauss-Hermite rules
_MOVES = 1e-16  # squared change of the estimate by the next rule, in standard errors
MOVED = sqrt(_MOVES)  # the same change, not squared
_FLAT = 1e-6  # a smaller sigma counts as 0
_STARTS = (5, 2)  # searches by default: with at most so many rows, and with more
_MOST_ROWS = 3000
_SPREAD = 0.35  # a random intercept multiplies the other coefficients of a logit by about sqrt(1 + 0.35 sigma^2)
_LARGEST_SIGMA = 30.0  # a larger one separates groups without and with the trait
_NEWTON_STEPS = 50
_HALVINGS = 6
_ENDS = 1e-9  # change of the log-likelihood by the next rule at an end of the interval of sigma
_EXACT = 1e-7  # last step of Newton's method to such an end; it doubles the digits
RULES = (
    *(("gauss-hermite", nodes) for nodes in (15, 31, 63)),
    *(("trapezoidal", nodes) for nodes in (65, 129, 257, 513, 1025)),
)
_FIRST_TRAPEZOIDAL = 4  # of RULES: 129 nodes
_NOT_STANDING = (
    f"the quadrature does not converge: received groups whose likelihoods still change with {RULES[-1][1]} nodes; make "
    "the groups factors of the formula, C(group), in place of the random intercept"
)


class Rule(NamedTuple):
    """A rule of quadrature for ``int f``: ``width sum_k exp(log_weights_k) f(centre + width points_k)``."""

    points: Floats
    log_weights: Floats


@lru_cache(maxsize=len(RULES))
def rule_of(kind: str, nodes: int) -> Rule:
    """Return a rule: ``gauss-hermite`` for a width of one deviation, ``trapezoidal`` for half an interval."""
    if kind == "trapezoidal":
        points = np.linspace(-1.0, 1.0, nodes)
        return Rule(points, np.full(nodes, np.log(points[1] - points[0])))
    from scipy.special import roots_hermite

    points, weights = roots_hermite(nodes)
    is_used = weights > 0  # the outermost weights of many nodes underflow
    points = points[is_used]
    return Rule(np.sqrt(2.0) * points, np.log(weights[is_used]) + points**2 + 0.5 * np.log(2.0))


class Placement(NamedTuple):
    """Where each group has its nodes: the mean and the deviation of u, and the narrowed interval; shape (groups,)."""

    mean: Floats
    deviation: Floats
    low: Floats
    high: Floats

    def nodes(self, kind: str, rule: Rule) -> tuple[Floats, Floats]:
        """Return the nodes and the logarithms of their weights, shape (groups, nodes)."""
        if kind == "trapezoidal":
            centre, width = 0.5 * (self.low + self.high), 0.5 * (self.high - self.low)
        else:
            centre, width = self.mean, self.deviation
        return centre[:, None] + width[:, None] * rule.points, np.log(width)[:, None] + rule.log_weights


@dataclass(frozen=True, slots=True)
class _Block:
    """Some whole groups: their rows, the first row of each group, and the group of each row, from 0."""

    rows: slice
    groups: slice
    starts: Ints
    group: Ints


class MixedLikelihood:
    """The log-likelihood of groups of rows with a normal random intercept; the last coefficient is sigma.

    Attributes:
        weights: 1 for each group.
        is_corrected: ``False``, as it is a likelihood.
    """

    is_corrected = False

    def __init__(self, rows: WeightedLikelihood, group: Ints, rule: tuple[str, int] = RULES[0]) -> None:
        """Take the likelihood of independent rows of weight 1, the group of each row from 0, and a rule.

        Rows with equal covariates, device and response in one group are joined to one row with their number.
        """
        model, responses = rows.model, rows.responses
        keys = np.column_stack([group, responses.device, responses.answer, *(B for B, _ in model.blocks[:1])])
        keys, first, counts = np.unique(keys, axis=0, return_index=True, return_counts=True)
        blocks = tuple((B[first], places) for B, places in model.blocks)
        self.rows = WeightedLikelihood(
            Model(model.name, model.cells, blocks, model.size), responses.where(first), counts.astype(np.float64)
        )
        self.group, self.rule = group[first], rule
        self.weights = np.ones(int(group.max()) + 1)
        self.size = model.size + 1
        self.direction = -1.0 if model.name.startswith("ordinal") else 1.0
        self._starts = np.searchsorted(self.group, np.arange(len(self.weights)))
        self._last: dict[bytes, tuple[Derivatives, Floats]] = {}

    def with_rule(self, rule: tuple[str, int]) -> MixedLikelihood:
        """Return the same likelihood by another rule."""
        found = object.__new__(MixedLikelihood)
        found.__dict__.update(self.__dict__)
        found.rule, found._last = rule, {}
        return found

    def _blocks(self, nodes: int) -> Iterator[_Block]:
        """Yield blocks of whole groups that fit into the memory."""
        ends = np.append(self._starts, len(self.group))
        first, groups = 0, len(self.weights)
        most = max(1, _BLOCK_ENTRIES // (nodes * self.size))
        while first < groups:
            last = max(first + 1, int(np.searchsorted(ends, ends[first] + most, side="right")) - 1)
            rows = slice(int(ends[first]), int(ends[last]))
            yield _Block(rows, slice(first, last), ends[first:last] - ends[first], self.group[rows] - first)
            first = last

    def _eta(self, theta: Floats, block: _Block, nodes: Floats) -> Floats:
        """Return the linear predictors at the nodes of the groups, shape (Q, rows, nodes)."""
        eta = self.rows.model.eta(theta[:-1], block.rows)
        found: Floats = eta[:, :, None] + self.direction * theta[-1] * nodes[block.group]
        return found

    def _at(self, eta: Floats, block: _Block) -> tuple[Floats, Floats, Floats]:
        """Return log L (rows, nodes), u (Q, rows, nodes) and h (Q, Q, rows, nodes)."""
        Q, n, K = eta.shape
        given = np.repeat(self.rows.given(block.rows), K, axis=1)
        _, value, u, h = self.rows.point(eta.reshape(Q, n * K), given)
        return value.reshape(n, K), u.reshape(Q, n, K), h.reshape(Q, Q, n, K)

    def _logs(self, theta: Floats, block: _Block, nodes: Floats) -> Floats:
        """Return the logarithm of the integrand without its constant, shape (groups, nodes)."""
        value, _, _ = self._at(self._eta(theta, block, nodes), block)
        found: Floats = np.add.reduceat(self.rows.weights[block.rows, None] * value, block.starts, axis=0)
        return found - 0.5 * nodes**2

    def placed(self, theta: Floats, block: _Block) -> Placement:
        """Return where the groups of a block have their nodes."""
        groups = len(block.starts)
        low, high = np.full(groups, -_REACH), np.full(groups, _REACH)
        for _ in range(_MOST_GRIDS):
            grid = np.linspace(low, high, _GRID, axis=1)
            logs = self._logs(theta, block, grid)
            top = logs.max(axis=1, keepdims=True)
            inside = logs > top - _CUT
            first = np.maximum(np.argmax(inside, axis=1) - 1, 0)
            last = np.minimum(_GRID - np.argmax(inside[:, ::-1], axis=1), _GRID - 1)
            every = np.arange(groups)
            left, right = grid[every, first], grid[every, last]
            is_narrow = right - left > _NARROWED * (high - low)
            low, high = np.where(is_narrow, low, left), np.where(is_narrow, high, right)
            if is_narrow.all() or not np.isfinite(top).all():
                break
        p = np.exp(logs - top)
        p /= p.sum(axis=1, keepdims=True)
        mean = (p * grid).sum(axis=1)
        deviation = np.sqrt((p * (grid - mean[:, None]) ** 2).sum(axis=1))
        step = (high - low) / (_GRID - 1)
        # an integrand narrower than the grid has no deviation on it
        return Placement(mean, np.maximum(deviation, 0.3 * step), low, high)

    def derivatives(self, theta: Floats) -> Derivatives:
        """Return the value with its gradient and Hessian."""
        return self._found(theta)[0]

    def scores(self, theta: Floats) -> Floats:
        """Return the gradient of each group, shape (groups, coefficients)."""
        return self._found(theta)[1]

    def _found(self, theta: Floats) -> tuple[Derivatives, Floats]:
        key = theta.tobytes()
        if key not in self._last:
            self._last = {key: self._computed(theta)}
        return self._last[key]

    def _computed(self, theta: Floats) -> tuple[Derivatives, Floats]:
        kind, count = self.rule
        rule, model, size = rule_of(kind, count), self.rows.model, self.size
        total, hessian, scores = 0.0, np.zeros((size, size)), np.zeros((len(self.weights), size))
        for block in self._blocks(count):
            nodes, log_weights = self.placed(theta, block).nodes(kind, rule)
            eta = self._eta(theta, block, nodes)
            value, u, h = self._at(eta, block)
            counts = self.rows.weights[block.rows, None]
            logs = np.add.reduceat(counts * value, block.starts, axis=0) - 0.5 * nodes**2 + log_weights
            top = logs.max(axis=1, keepdims=True)
            if not np.isfinite(top).all():
                return Derivatives(-np.inf, np.zeros(size), np.zeros((size, size))), scores
            p = np.exp(logs - top)
            sums = p.sum(axis=1, keepdims=True)
            total += float(np.sum(top + np.log(sums))) - 0.5 * np.log(2 * np.pi) * len(top)
            p /= sums
            # the scores of the groups at each node, shape (nodes, groups, coefficients)
            each = np.empty((nodes.shape[1], len(p), size))
            for k in range(nodes.shape[1]):
                rows = model.gradients(u[:, :, k] * counts[:, 0], block.rows)
                each[k, :, :-1] = np.add.reduceat(rows, block.starts, axis=0)
            slope = self.direction * np.add.reduceat(counts * u.sum(axis=0), block.starts, axis=0)  # in sigma u
            each[:, :, -1] = (slope * nodes).T
            mean = np.einsum("gk,kgs->gs", p, each)
            scores[block.groups] = mean
            weighted = each * np.sqrt(p.T)[:, :, None]
            flat = weighted.reshape(-1, size)
            hessian += flat.T @ flat - mean.T @ mean
            here = counts * p[block.group]
            moved = here * nodes[block.group]
            hessian[:-1, :-1] += model.hessian((h * here).sum(axis=-1), block.rows)
            cross = model.gradient(self.direction * (h.sum(axis=1) * moved).sum(axis=-1), block.rows)
            hessian[:-1, -1] += cross
            hessian[-1, :-1] += cross
            hessian[-1, -1] += float(np.sum(h.sum(axis=(0, 1)) * moved * nodes[block.group]))
        return Derivatives(total, scores.sum(axis=0), hessian), scores

    def profile(self, theta: Floats) -> tuple[Floats, Derivatives]:
        """Return the maximum over the other coefficients for the sigma of a point, by Newton's method from there."""
        now = self.derivatives(theta)
        for _ in range(_NEWTON_STEPS):
            values, vectors = np.linalg.eigh(-now.hessian[:-1, :-1])
            # a step of ascent, of limited length in flat directions
            values = np.maximum(np.abs(values), 1e-10 * np.abs(values).max(initial=1e-300))
            slope = vectors.T @ now.gradient[:-1]
            if float(np.sum(slope**2 / values)) < _EXACT**2:
                break
            step = vectors @ (slope / values)
            for _ in range(_HALVINGS):
                moved = theta + np.append(step, 0.0)
                there = self.derivatives(moved)
                if there.value >= now.value - 1e-13 * abs(now.value):  # up to the rounding of the sum
                    break
                step = 0.5 * step
            else:
                break
            theta, now = moved, there
        return theta, now


class MixedFit(NamedTuple):
    """The result of a fit with a random intercept.

    Attributes:
        objective: the log-likelihood of whitened coefficients, sigma last, by one rule more than the accepted one.
        end: the estimate.
        ends: the ends of all searches.
        coarser: the log-likelihood by the accepted rule.
        without: the log-likelihood of the model with sigma = 0; ``None`` if it has no maximum.
        corrected: ``None``, as there is no corrected estimate.
    """

    objective: MixedLikelihood
    end: End
    ends: list[End]
    coarser: MixedLikelihood
    without: float | None
    corrected: None = None


def fit_mixed(
    problem: WhitenedModel,
    group: Ints,
    *,
    start: Sequence[float] | Floats | None = None,
    starts: int | None = None,
    rng: RandomSource = 0,
    told: Sequence[str] = (),
) -> MixedFit:
    """Return the highest proper maximum that the searches find, by a rule of quadrature whose digits stand.

    Args:
        problem: the model of independent rows of weight 1, in whitened coordinates.
        group: the group of each row, from 0.
        start: coefficients of the only starting point, sigma last, beside the fit with sigma = 0.
        starts: the number of searches with sigma > 0; ``None``: 5, or 2 with more than 3000 rows.
        rng: the seed of the random starting points, or a NumPy ``Generator``.
        told: the names of the coefficients in messages, sigma last.

    Raises:
        InfeasibleError: there is no proper maximum.
        UnsupportedProblemError: no rule of quadrature is exact enough.
    """
    most = _STARTS[len(group) > _MOST_ROWS]
    count = whole_where(most if starts is None else starts, 1, 10_000, name="`starts`")
    random = generator_of(rng)
    with np.errstate(all="ignore"):
        rows = problem.objective()
        objective = MixedLikelihood(rows, group)
        (base,) = problem.moments(problem.name)
        plain = climb(rows, base)
        if start is not None:
            points = [np.append(problem.given(start[:-1], told[:-1]), float(start[-1]))]
        else:
            flat = plain.theta if plain.is_proper else base
            # from groups that hardly differ, in units of the link, to groups that differ much
            sizes = [0.5, 2.0, *random.uniform(0.2, 4.0, max(0, count - 2)).tolist()][:count]
            noise = [np.zeros(len(flat))] * 2 + [random.normal(0, 1, len(flat))] * max(0, count - 2)
            if problem.name.startswith("ordinal"):  # thresholds stay in increasing order
                noise = [np.zeros(len(flat)) for _ in noise]
            pairs = zip(sizes, noise, strict=False)
            points = [np.append((flat + move) * sqrt(1 + _SPREAD * size**2), size) for size, move in pairs]
        if plain.is_proper:  # a stationary point; a maximum if the likelihood falls with sigma
            points.insert(0, np.append(plain.theta, 0.0))

        def searched() -> list[End]:
            starts = (point for point in points if np.isfinite(objective.derivatives(point).value))
            return [_positive(climb(objective, point)) for point in starts]

        place, ends = 0, searched()
        while True:
            proper = [end for end in ends if end.is_proper]
            if not proper and place < _FIRST_TRAPEZOIDAL:  # a coarse rule can hide a maximum
                place = _FIRST_TRAPEZOIDAL
                objective = objective.with_rule(RULES[place])
                ends = searched()
                continue
            if not proper:
                break
            best = max(proper, key=lambda end: end.value)
            if place + 1 == len(RULES):
                raise UnsupportedProblemError(_NOT_STANDING)
            finer = objective.with_rule(RULES[place + 1])
            if (moved := _stands(best, finer)) is not None:
                return MixedFit(finer, moved, ends, objective, plain.value if plain.is_proper else None)
            is_far = not abs(finer.derivatives(best.theta).value - best.value) <= _FAR_OFF * (1 + abs(best.value))
            place = max(place + 1, _FIRST_TRAPEZOIDAL * is_far)
            objective = objective.with_rule(RULES[place])
            met: list[tuple[End, End]] = []
            for end in ends:  # those of searches that ended at one maximum stay one
                same = [there for one, there in met if end.equals(one)]
                climbed = same[0] if same else _positive(climb(objective, end.theta)) if end.is_proper else end
                met.append((end, climbed))
            ends = [there for _, there in met]
    if not ends:
        raise InfeasibleError(
            "no maximum of the likelihood was found: received data at which no start has a positive likelihood; leave "
            "columns out, or in Python give start="
        )
    top = max(ends, key=lambda end: end.value)
    far = np.append(problem.far(End(top.theta[:-1], top.value, False)), top.theta[-1])
    raise infinite("the likelihood has no maximum that the searches reach: it rises towards infinity", far, told, "")


def _positive(end: End) -> End:
    """Return an end with its mirror image, as the likelihood is even in sigma; a negligible sigma is 0."""
    theta = end.theta.copy()
    theta[-1] = abs(theta[-1]) if abs(theta[-1]) > _FLAT else 0.0
    return End(theta, end.value, end.is_proper)


def _stands(end: End, finer: MixedLikelihood) -> End | None:
    """Return a maximum by a finer rule; ``None`` if that rule changes the log-likelihood or the maximum itself."""
    there = finer.derivatives(end.theta)
    if not abs(there.value - end.value) <= _STANDS * (1 + abs(end.value)):
        return None
    values, vectors = np.linalg.eigh(-there.hessian)
    slope = vectors.T @ there.gradient
    if not (values[0] > 0 and np.sum(slope**2 / values) <= _MOVES):
        return None
    return _positive(End(end.theta + vectors @ (slope / values), there.value, True))


def sigma_interval(found: MixedFit, reach: float) -> tuple[float, float]:
    """Return the interval of sigma by the profile likelihood: where twice its fall is at most ``reach`` squared.

    The lower end is 0 if sigma = 0 lies inside, and the upper one infinite if every sigma up to 30 does.

    Raises:
        UnsupportedProblemError: no rule of quadrature is exact enough.
    """
    end = found.end
    error = sqrt(max(float(np.linalg.inv(-found.coarser.derivatives(end.theta).hessian)[-1, -1]), 0.0))
    # the first step outwards; the end is then found within a bracket
    step = min(max(error * reach, 0.1), 2.0)
    with np.errstate(all="ignore"):
        for rule, finer in pairwise(RULES[max(_FIRST_TRAPEZOIDAL, RULES.index(found.coarser.rule)) :]):
            profile = _Profile(found.coarser.with_rule(rule), end.theta, end.value, reach)
            ends, check = profile.interval(step), found.coarser.with_rule(finer)
            if all(abs(check.derivatives(theta).value - value) <= _ENDS for theta, value in ends if value > -inf):
                return float(ends[0][0][-1]), float(ends[1][0][-1])
    raise UnsupportedProblemError(_NOT_STANDING)


_Point = tuple[Floats, float]  # coefficients that are a maximum for their sigma, and the value there


@dataclass(frozen=True, slots=True)
class _Profile:
    """The profile likelihood of sigma: its maximum ``top`` at ``theta``, and the root of twice the fall that counts."""

    objective: MixedLikelihood
    theta: Floats
    top: float
    reach: float

    def interval(self, step: float) -> tuple[_Point, _Point]:
        """Return both endpoints, the upper one of infinite sigma with minus infinity; the first step up doubles."""
        sigma, low = float(self.theta[-1]), None
        if sigma > 0:
            theta, now = self.objective.profile(np.append(self.theta[:-1], 0.0))
            if self._root(now) > 0:
                low = self._between(sigma, 0.0, self.theta, sigma - step)
        theta, outer = self.theta, sigma
        while outer < _LARGEST_SIGMA:
            inner, outer, step = outer, min(outer + step, _LARGEST_SIGMA), 2 * step
            theta, now = self.objective.profile(np.append(theta[:-1], outer))
            if self._root(now) > 0:
                return low or (np.zeros(1), -inf), self._between(inner, outer, theta, outer)
        return low or (np.zeros(1), -inf), (np.full(1, inf), -inf)

    def _root(self, there: Derivatives) -> float:
        """Return the root of twice the fall from the maximum, less ``reach``."""
        return sqrt(max(2 * (self.top - there.value), 0.0)) - self.reach

    def _between(self, inner: float, outer: float, theta: Floats, sigma: float) -> _Point:
        """Return the end between two values of sigma, by Newton's method within the bracket."""
        for _ in range(_NEWTON_STEPS):
            sigma = sigma if min(inner, outer) < sigma < max(inner, outer) else 0.5 * (inner + outer)
            theta, now = self.objective.profile(np.append(theta[:-1], sigma))
            value = self._root(now)
            inner, outer = (inner, sigma) if value > 0 else (sigma, outer)
            move = value * (value + self.reach) / now.gradient[-1] if now.gradient[-1] else inf
            if abs(move) < 0.01 * _EXACT or abs(outer - inner) < 0.01 * _EXACT:
                break
            slopes = np.linalg.lstsq(now.hessian[:-1, :-1], now.hessian[:-1, -1], rcond=None)[0]
            theta = theta - np.append(slopes, 0.0) * (min(max(sigma + move, 0.0), _LARGEST_SIGMA) - sigma)
            sigma += move
        return theta, now.value


def averaged(model: Model, theta: Floats) -> tuple[Floats, Floats]:
    """Return the probabilities of the categories over the random intercept, with derivatives in the coefficients.

    Args:
        model: the model of some rows, without the intercept.
        theta: its coefficients, then sigma.

    Returns:
        The probabilities, shape (k, rows), and their derivatives, shape (rows, k, coefficients).
    """
    sigma, eta = theta[-1], model.eta(theta[:-1])
    direction = -1.0 if model.name.startswith("ordinal") else 1.0
    nodes = np.linspace(-_REACH, _REACH, 1 + 128 * max(1, int(np.ceil(sigma))))
    weights = np.exp(-0.5 * nodes**2)
    q, J = 0.0, 0.0
    for u, w in zip(nodes, weights / weights.sum(), strict=True):
        here, slopes, _ = model.cells(eta + direction * sigma * u)
        own = np.stack([model.gradients(one) for one in slopes], axis=1)
        along = direction * u * slopes.sum(axis=1).T[:, :, None]
        q, J = q + w * here, J + w * np.concatenate([own, along], axis=2)
    return np.asarray(q), np.asarray(J)
