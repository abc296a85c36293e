"""The optimal mechanism with two inputs and three outputs under (epsilon, delta): the four-output mechanism, merged.

Every (epsilon, delta) mechanism Q with three outputs is C P, where P is the four-output mechanism
(``any_output``) and C is a 3 x 4 matrix whose columns sum to 1. The information of C P is convex in C, so an
extreme point C attains the maximum: a map that merges two of the four outputs. Merging the rows r and s loses

    det(r, s)^2 / ((r . pi)(s . pi)((r + s) . pi)).

*Closed form*: the route tries the six pairs. (Neighbours in likelihood ratio would suffice: Kurkoski and Yagi,
"Quantization of binary-input discrete memoryless channels", IEEE Trans. Inf. Theory 60 (2014).)

*Enumeration*: the route tries all vertices of the polytope of private 3 x 2 matrices, 3060 bases in four dimensions. It
does not use P.

The two routes must find the same value. The checker proves it (checker/binary_bracket.md): the best of the six merged
mechanisms at the level above bounds all mechanisms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from rropt.core.certificates import Certificate
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Bracket
from rropt.core.linear.vertices import vertices
from rropt.designs.certificates import binary_problem, certify_binary_bracket
from rropt.designs.closed_forms import ClosedForm, four_rows, three_answers_form
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign
from rropt.designs.solving import Route
from rropt.mechanisms import Mechanism
from rropt.mechanisms.information import fisher_information
from rropt.privacy import RationalLevel
from rropt.privacy.region import RationalLevels


@dataclass(frozen=True, slots=True)
class ThreeAnswers(ProvedDesign):
    """The optimal three-output mechanism."""

    @property
    def decided(self) -> object:
        """The value of the design: the routes must agree on it, not only on the bracket."""
        return self.upper

    def lines(self) -> list[tuple[str, str]]:
        """Return what is proved about the optimality, as label and value."""
        return [("optimality", "proved: the best of six ways to merge two of four outputs")]


def _best_pair(level: RationalLevel, pi: Fraction) -> tuple[int, int]:
    """Return the two of the four outputs whose merging loses the least information."""
    rows = four_rows(level.gamma, level.delta)

    def loss(pair: tuple[int, int]) -> Fraction:
        (a, b), (c, d) = rows[pair[0]], rows[pair[1]]
        r, s = a * (1 - pi) + b * pi, c * (1 - pi) + d * pi
        return (a * d - b * c) ** 2 / (r * s * (r + s)) if r and s else Fraction(0)

    return min(combinations(range(4), 2), key=loss)


def merged(rows: Sequence[tuple[Fraction, Fraction]], pair: tuple[int, int]) -> Mechanism:
    """Return the mechanism with two outputs merged, in the position of the first."""
    i, j = pair
    one = rows[i][0] + rows[j][0], rows[i][1] + rows[j][1]
    return Mechanism([one if y == i else row for y, row in enumerate(rows) if y != j])


def _by_theorem(problem: Problem, levels: RationalLevels) -> ThreeAnswers:
    below, pi = levels.below, problem.prevalence
    return _proved(problem, levels, merged(four_rows(below.gamma, below.delta), _best_pair(below, pi)))


def _by_vertices(problem: Problem, levels: RationalLevels) -> ThreeAnswers:
    """Return the private matrix with the largest information: the information is convex, so a vertex attains it."""
    level, pi = levels.below, problem.prevalence

    def rank(mechanism: Mechanism) -> tuple[Fraction, tuple[tuple[Fraction, ...], ...]]:
        return fisher_information(mechanism, pi) or Fraction(0), mechanism.matrix

    return _proved(problem, levels, max(_vertices(level), key=rank))


def _vertices(level: RationalLevel) -> list[Mechanism]:
    """Return the vertices of the polytope of private mechanisms.

    The coordinates are the entries (a_0, a_1, b_0, b_1) of the first two rows; the third row is the remainder.
    """
    entries, gamma, delta = [[1, 0, 0], [0, 1, 0], [-1, -1, 1]], level.gamma, level.delta
    rows: list[list[Fraction | int]] = [[x, y, 0, 0, c] for x, y, c in entries]
    rows += [[0, 0, x, y, c] for x, y, c in entries]
    for size in (1, 2):
        for chosen in combinations(entries, size):
            x, y, c = (sum(part) for part in zip(*chosen, strict=True))
            rows.append([-x, -y, gamma * x, gamma * y, gamma * c + delta - c])
            rows.append([gamma * x, gamma * y, -x, -y, gamma * c + delta - c])
    found = []
    for vertex in vertices(rows):
        a, b, c, d = vertex.point()
        found.append(Mechanism([[a, c], [b, d], [1 - a - b, 1 - c - d]]))
    return found


def _proved(problem: Problem, levels: RationalLevels, mechanism: Mechanism) -> ThreeAnswers:
    """Return the bracket of a mechanism; the lower bound is that of the best merged mechanism at the level above."""
    above, pi = levels.above, problem.prevalence
    rows = four_rows(above.gamma, above.delta)
    most = max(fisher_information(merged(rows, pair), pi) or Fraction(0) for pair in combinations(range(4), 2))
    own = fisher_information(mechanism, pi)
    if not own:
        raise UnsupportedProblemError(f"no mechanism with three outputs identifies the prevalence: received {problem}")
    return ThreeAnswers(1 / most, 1 / own, mechanism, None)


def certify_three_outputs(problem: Problem, levels: RationalLevels, found: ThreeAnswers) -> Certificate:
    """Return the certificate that no private mechanism with three outputs has an n Var below ``lower``."""
    stated = binary_problem(problem.region.certified_dict(), (problem.prevalence,) * 2)
    return certify_binary_bracket(stated, levels, Bracket(found.lower, found.upper), found.mechanism)


def form_of_three(problem: Problem, mechanism: Mechanism) -> ClosedForm:  # a form of a way
    """Return the closed form, for the pair of outputs that is merged at this level."""
    return three_answers_form(problem, _best_pair(problem.region.bracket(24).below, problem.prevalence))


THREE_OUTPUTS = (Route("closed-form", _by_theorem), Route("exact", _by_vertices))
