"""The design problem: a privacy region, an objective, and a distribution of the categories."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from rropt.core.argument_checks import as_lists, clear_calls, require_given
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import as_text, rational, rational_where
from rropt.core.files import parse_json
from rropt.mechanisms.columns import exact_population
from rropt.objectives import Objective, objective_from_dict
from rropt.objectives.possible_populations import Populations
from rropt.objectives.stated_sums import StatedSum
from rropt.objectives.trace import WeightRuns
from rropt.objectives.traced_numbers import UncertifiedError
from rropt.privacy import (
    Region,
    region_from_dict,
)
from rropt.privacy.level_arguments import Level, given_level
from rropt.privacy.region import read_size

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.designs.solution import Solution
    from rropt.symbolic.derivations import Derivation
    from rropt.symbolic.enclosures import Enclosure
    from rropt.symbolic.posing import Posing
    from rropt.symbolic.program_bounds import ProgramBounds
    from rropt.symbolic.row_bounds import RowBounds

_ZERO_ONE = {"kind": "loss", "matrix": "zero-one"}  # the 0/1 loss of many categories


@dataclass(frozen=True, slots=True)
class Problem:
    """An optimal design problem: immutable, hashable, and convertible to and from JSON.

    Args:
        region: the set of allowed mechanisms.
        objective: the function to minimize or maximize.
        population: ``pi``, the distribution of the categories, shape (k,): exact, nonnegative, with sum exactly 1. For
            a binary problem it is ``(1 - prevalence, prevalence)``. ``uniform(k)`` stands for k equal proportions as
            one number, so k may be large. A polytope of distributions (``Populations``, or its JSON form) asks for the
            smallest worst case.

    Attributes:
        population: pi; of a polytope the mean of its vertices, which need not be the worst case.
        populations: the polytope; None for one distribution.

    Raises:
        InvalidParameterError: ``population`` is not a distribution on the region's inputs, or the shape of the
            objective does not match the region.
        InfeasibleError: (epsilon, delta) = (0, 0), where responses reveal nothing.
        UnsupportedProblemError: the objective is not defined on this region.

    >>> from rropt.objectives import EstimatorVariance
    >>> from rropt.privacy import PrivacyRegion
    >>> problem = Problem(PrivacyRegion("log(2)", "1/4"), EstimatorVariance(), population=["3/4", "1/4"])
    >>> problem == Problem.from_json(problem.to_json())
    True
    """

    region: Region
    objective: Objective
    population: Sequence[Fraction]
    populations: Populations | None = None

    def __init__(self, region: Region, objective: Objective, population: Sequence[object] | Populations | Any) -> None:
        if not isinstance(region, Region) or not isinstance(objective, Objective):
            raise InvalidParameterError(
                f"a problem needs a privacy region and an objective: received {shown(region)} and {shown(objective)}; "
                "write PrivacyRegion(...) and an objective such as AOptimality(), or call Problem.binary(...)"
            )
        objective = objective.sized(region.inputs)
        polytope = Populations.of(population) if isinstance(population, Populations | dict) else None
        shares: Any = population if polytope is None else polytope.middle
        if polytope is not None and polytope.inputs != region.inputs:
            raise InvalidParameterError(
                f"populations have {polytope.inputs} proportions: the region has {region.inputs} inputs; give one "
                "share for each"
            )
        if not _is_uniform(shares) or len(shares) != region.inputs:
            exact = exact_population(shares, region.inputs)
            shares = tuple(rational(p, name=f"population[{j}]") for j, p in enumerate(exact))  # checks their digits
        for name, value in zip(Problem.__slots__, (region, objective, shares, polytope), strict=True):
            object.__setattr__(self, name, value)
        if region.entry_inequalities and not objective.is_linear:
            raise UnsupportedProblemError(
                "inequalities in several entries belong to a trace or a loss: received the objective "
                f"{objective.kind}; for a payoff write the loss -payoff with one output for each decision"
            )
        # with a limit of outputs there are formulas too
        objective.require(region.unrestricted if self.is_uniform and not objective.outputs(region.inputs) else region)

    @property
    def is_uniform(self) -> bool:
        """Whether the proportions are equal and stored as one number, so that designs come from formulas."""
        return _is_uniform(self.population)

    @property
    def prevalence(self) -> Fraction:
        """Pr(X = 1) of a binary problem."""
        return self.population[1]

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary used in certificates: the whole problem, with numbers as strings."""
        objective = self.objective.to_dict()
        population: Any
        if self.populations is not None:
            population = self.populations.to_dict()
        elif not self.is_uniform:
            population = [as_text(p) for p in self.population]
        elif isinstance(objective.get("matrix"), dict):  # the 0/1 loss, whose shares are in runs
            objective, population = dict(_ZERO_ONE), objective["matrix"]["zero-one"]
        else:
            population = {"uniform": str(self.region.inputs)}
        return {"region": self.region.to_dict(), "objective": objective, "population": population}

    def certified_dict(self) -> dict[str, Any]:
        """Return the problem in the form that its certificate contains.

        A criterion is written out as functions; designs under it do not come from formulas, so that equal proportions
        are listed.
        """
        document = {**self.to_dict(), "region": self.region.certified_dict()}
        stated = self.stated_sum() if self.objective.has_statement else None
        if stated is not None:
            document["objective"], document["population"] = stated.to_dict(), None
        elif self.is_uniform and self.region.criterion is not None and not self.objective.is_linear:
            document["population"] = [as_text(p) for p in self.population]
        return document

    def stated_sum(self) -> StatedSum | None:
        """Return the sum of quotients that a certificate states in place of the objective; None if it states none."""
        if self.region.has_divergences or not self.objective.has_statement:
            return None
        try:
            return self.objective.stated(self.population)
        except UncertifiedError:
            return None

    @classmethod
    def from_dict(cls, data: Any) -> Problem:
        """Read a problem from the output of ``to_dict``."""
        if not isinstance(data, dict) or set(data) != {"region", "objective", "population"}:
            received = f"the keys {shown(', '.join(map(str, data)))}" if isinstance(data, dict) else shown(data)
            raise InvalidParameterError(
                f"not a problem: received {received}; allowed is an object with region, objective, population"
            )
        region, objective, population = region_from_dict(data["region"]), data["objective"], data["population"]
        if objective == _ZERO_ONE:  # its proportions are the population, in runs
            objective, population = {**_ZERO_ONE, "matrix": {"zero-one": population}}, uniform(region.inputs)
        elif isinstance(population, dict) and set(population) == {"uniform"}:
            population = uniform(read_size(population["uniform"], "uniform"))
        return cls(region, objective_from_dict(objective), population)

    def to_json(self) -> str:
        """Return the problem as JSON text."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Problem:
        """Read a problem from the output of ``to_json``."""
        return cls.from_dict(parse_json(text, what="problem"))

    def __str__(self) -> str:
        objective = self.objective
        size = "smallest" if objective.sense == "minimise" else "largest"
        title = objective.goal or f"{size} {objective.title.partition(',')[0]}"
        told = f"{title}: {self.region}"
        if self.populations is not None:
            return f"{told}, the worst case over {self.populations}"
        return f"{told}{self.objective.at(self.population)}"

    @staticmethod
    @clear_calls
    def binary(
        prevalence: object,
        *,
        epsilon: object = None,
        delta: object = 0,
        level: Level | str | None = None,
        outputs: int | Literal["any"] = 2,
        symmetric: bool = False,
    ) -> Problem:
        """Pose the design of a yes-or-no question with the smallest variance at an assumed prevalence.

        ``n Var = p (1 - p)/(p00 + p11 - 1)^2`` with ``p = pi p11 + (1 - pi) (1 - p00)`` is minimized over the
        mechanisms of the level.

        Args:
            prevalence: the assumed Pr(X = 1), in [0, 1].
            epsilon: the privacy level in nats: a number, ``"log(q)"`` or ``"r*log(q)"``, or ``rropt.log(q)``.
            delta: the additive slack in [0, 1], or ``"exp(r)"``.
            level: instead of epsilon, a level of ``rropt.privacy``, such as ``posterior("1/5", "1/2")``.
            outputs: 2 or 3, or ``"any"`` for any number of outputs.
            symmetric: whether only Warner's designs, p00 = p11, are compared.

        Raises:
            InvalidParameterError: an argument is out of range, or the level is not given exactly once.

        >>> print(Problem.binary("1/4", epsilon="log(3)"))
        minimum-variance design: epsilon = log(3), delta = 0, k = 2 categories, m = 2 outputs at prevalence 1/4
        """
        from rropt.designs.asked_problems import binary_problem

        outputs = as_lists(outputs)
        require_given(epsilon=epsilon, level=level)
        return binary_problem(
            prevalence, given_level(epsilon, delta, level, spans=True), outputs=outputs, symmetric=symmetric
        )

    @staticmethod
    @clear_calls
    def kary(
        categories: int | Sequence[str] | None = None,
        *,
        epsilon: object = None,
        delta: object = 0,
        level: Level | str | None = None,
        objective: str | Objective = "variance",
        population: Sequence[object] | str | Populations | None = None,
        outputs: int | str | None = None,
        bounds: object = None,
    ) -> Problem:
        """Pose the design for k categories that is best by an objective.

        Args:
            categories: their number k, or their names; by default there are as many as proportions. Beyond 300
                categories (and with a length in bits), designs come from formulas, up to 10^7 categories, for
                ``a-optimal``, ``d-optimal``, ``e-optimal``, ``mutual-information``, ``trace`` and the 0/1 loss.
            epsilon: the privacy level in nats: a number, ``"log(q)"`` or ``"r*log(q)"``, or ``rropt.log(q)``.
            delta: the additive slack in [0, 1], or ``"exp(r)"``.
            level: instead of epsilon, a level of ``rropt.privacy``, such as ``metric("line", 1)``, ``renyi(2, "1/2")``.
            objective: ``"variance"`` (also ``"a-optimal"``), the total variance of the estimated proportions;
                another registered name, with parameters after a colon, such as ``"loss:absolute"``; or an object of
                ``rropt.objectives``, such as ``Loss("absolute")``, ``Contrast([1, -1, 0])``, ``Payoff(U)`` or
                ``TotalVariation(q)``. The squared loss with ``outputs="any"`` is that of the posterior mean of each
                output: the problem of the largest chi-square that has the same designs (``DecodedLoss``).
            population: the proportions of the categories; equal by default. A range ``LOW..HIGH`` in text, or
                ``Populations``, asks for the worst case. ``1000x1/2000`` means 1000 proportions of 1/2000; the 0/1
                loss accepts this also beyond 300 categories.
            outputs: ``"any"`` for an objective that supports any number of outputs; for ``a-optimal`` and
                ``c-optimal`` also a given number; ``"2^B"`` for designs by formulas with responses of at most B bits.
            bounds: bounds of the entries of the mechanism: ``"LOW..HIGH"`` or a pair for all, or bounds of single
                entries, such as ``{"diagonal": "1/2", "forbidden": [[0, 2]]}`` (``rropt.privacy.load_bounds``).

        Raises:
            InvalidParameterError: an argument is out of range, or the level is not given exactly once.

        >>> print(Problem.kary(3, epsilon="log(2)", objective="trace"))
        largest trace: epsilon = log(2), delta = 0, k = 3 categories, m = 3 outputs
        """
        from rropt.designs.asked_problems import AskedProblem, kary_problem

        categories, outputs, bounds = as_lists(categories), as_lists(outputs), as_lists(bounds)
        require_given(epsilon=epsilon, level=level, outputs=outputs, bounds=bounds, population=population)
        asked = AskedProblem.of(given_level(epsilon, delta, level, spans=True), objective, outputs, bounds)
        return kary_problem(categories, population, asked)

    @clear_calls
    def solve(
        self, routes: str | Iterable[str] | None = "auto", budget: str | None = None, *, fast: bool = False
    ) -> Solution:
        """Solve a problem with all routes that accept it, or with the named routes; compare and certify the results.

        At a rational level the optimum is exact, except for objectives with logarithms, for designs whose bracket is
        not closed, and for weights with numbers so long that their dual is rounded. At an irrational level, the
        mechanism is private at a rational gamma just below, and the bound is proved just above. The bracket is then
        narrow:

        * for n Var of binary designs with two outputs, narrower than 1e-12, relative and absolute;
        * for n Var of binary designs with more outputs, narrower than 1e-10, relative: their numbers are kept short, so
          that a client can draw them;
        * for trace and loss, narrower than 1e-12 times the largest weight or loss, absolute;
        * for other objectives, ``solution.gap`` is the width. A design is called optimal if the width is at most 1e-6
        of
          the value.

        Args:
            routes: the methods to run. ``"auto"`` or ``None``: every route that accepts the problem, except for
                cross-checks that take an estimated five seconds or more beside a fast route;
                ``solution.skipped`` names these. ``"all"``: these too. Or the names of routes, such as ``"exact"``.
            budget: the checker's limit on work: ``"default"``, or ``"large"`` for designs with many categories (seven
                with delta > 0, 20 with delta = 0). ``None`` keeps the limit in effect.
            fast: whether to run one route only, unless routes are named, and to leave out the twins: the comparison
                with the same problem in SymPy and CVXPY (``solution.twins``).

        Returns:
            A ``Solution``: ``lower`` and ``upper`` bound the optimum, in the unit of the objective (n Var, for example,
            or nats of information); ``mechanism``, ``optima``, ``status``, ``routes`` and ``certificate``. The
            optimum as a function of the level is ``rropt.every_level``.

        Warns:
            RroptWarning: an optimal mechanism with k categories never uses an output, or does not identify the
                distribution of the categories; or the certificate failed, and ``status`` is ``not certified``.

        Raises:
            InvalidParameterError: a route is unknown, or the argument is not a problem.
            UnsupportedProblemError: no way solves the problem, or a named route does not.
            InfeasibleDesignError: no private mechanism satisfies the bounds of the region; the error contains the
                certificate.
            UndecidedLevelError: feasibility depends on an irrational level that agrees with the smallest feasible level
                to 384 digits.
            RouteDisagreementError: two routes contradict each other, or a twin contradicts the certified bracket.
        """
        from rropt.designs.solving import solve

        return solve(self, routes, budget, fast=fast)

    def derivation(self) -> Derivation:
        """Return the proof of a solution, or of a problem, as half a page of text with ``markdown()`` and ``latex()``.

        It has the problem, the active set that CVXPY finds, the KKT solution in symbols, the value, the proof by weak
        duality, and where it holds. Designs without a closed form have rational bounds with their proof. Of other
        designs it says what the definition shows, and that the bound is that of the certificate.

        Raises:
            RouteDisagreementError: SymPy proves none of the vertices that CVXPY finds, which is an alarm.
        """
        from rropt.twins import derivation

        return derivation(self)

    def enclosure(self) -> Enclosure | RowBounds | ProgramBounds:
        """Return exact bounds of the optimum of a problem, or of that of a solution, which the engine has no part in.

        ``lower`` and ``upper`` are rational; ``design`` is a private mechanism that attains one of them, and prices
        prove the other one. ``check()`` proves both again.

        Raises:
            UnsupportedProblemError: the problem has no bounds of its own; the message says why.
        """
        from rropt.twins import enclosure_of

        return enclosure_of(self)

    @clear_calls
    def compared(self, lower: Fraction, upper: Fraction) -> Twin:
        """Return the twin of a problem whose optimum is proved to lie between two bounds.

        Raises:
            UnsupportedProblemError: no convex program has this optimum, or the solver did not reach its accuracy.
            RouteDisagreementError: the value contradicts the bounds, and the solver is accurate.
        """
        from rropt.convex.designs.problem import compared

        return compared(self, lower, upper)

    def to_cvxpy(self) -> Any:
        """Return a design problem, or that of a solution, as a ``cvxpy.Problem`` whose value is that of the objective.

        Its variables are ``P`` (the mechanism) or ``weights`` (of listed rows), and its Parameters ``gamma`` and
        ``delta``. ``program.meanings`` says in words what each variable and Parameter is. ``program.rows`` is a
        Parameter whose value are the listed rows at the level of the program: row r of the mechanism is ``weights[r] *
        program.rows.value[r]``, and rows of weight 0 are no outputs. With two outputs the variables r and s are the
        probabilities of a false answer divided by ``p00 + p11 - 1``, and the Parameter t is the ratio of two factors of
        n Var (``estimator_variance``).

        Raises:
            UnsupportedProblemError: no convex program has this optimum; the message says why.
        """
        from rropt.convex.designs.problem import program_of

        return program_of(self)

    @clear_calls
    def to_sympy(self, outputs: int | None = None) -> Posing:
        """Return a design problem, or that of a solution, as SymPy expressions, with its closed form if there is one.

        Traces, losses, payoffs and sums over the outputs have the form of the optimal vertex, and designs of the Fisher
        information that of the KKT system (``information_twins``). For A- and c-optimality, contrasts, divergences and
        the mutual information at delta = 0, with two or three categories whose proportions are not all equal, the form
        is one in ``gamma`` and the proportions ``pi_0, pi_1, ...`` of all categories but the last, with its region. Of
        a problem on an ``EveryLevelRegion`` the optimum is returned as a ``Piecewise`` in ``gamma``. The arguments are
        those of ``rropt.symbolic.designs.problem.posing_of``.
        """
        from rropt.twins import posing_of

        return posing_of(self, outputs)


@clear_calls
def uniform(categories: object) -> WeightRuns:
    """Return k equal proportions as one number.

    Args:
        categories: k, from 2 to 10^7.

    >>> from rropt.objectives import AOptimality
    >>> from rropt.privacy import PrivacyRegion
    >>> problem = Problem(PrivacyRegion(1, inputs=10**6, outputs="any"), AOptimality(), uniform(10**6))
    >>> problem == Problem.from_json(problem.to_json()), len(problem.population)
    (True, 1000000)
    """
    k = number_of_categories(categories)
    return WeightRuns([(k, Fraction(1, k))])


def _is_uniform(shares: object) -> bool:
    return isinstance(shares, WeightRuns) and shares.runs == ((len(shares), Fraction(1, len(shares))),)


def number_of_categories(categories: object) -> int:
    """Check and return the number of categories k, from 2 to 10^7."""
    return int(rational_where(categories, lambda k: k.denominator == 1 and 2 <= k <= 10**7, "2 <= k <= 10^7", name="k"))
