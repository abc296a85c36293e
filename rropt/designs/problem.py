"""The design problem: a privacy region, an objective, and a distribution of the categories."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from rropt.core.argument_checks import as_lists, clear_calls, require_given, require_lists, require_texts
from rropt.core.errors import InvalidParameterError, one_of, shown
from rropt.core.exact import Delta, as_text, rational, rational_where, split_list
from rropt.core.exact.levels import is_span
from rropt.core.exact.numbers import plain_integer
from rropt.core.files import parse_json
from rropt.core.record_arguments import takes
from rropt.designs.decoded_designs import decoding_problem, is_decoded
from rropt.mechanisms.columns import exact_population, listed, required_list
from rropt.mechanisms.restricted_response import MAX_RUNS
from rropt.objectives import OBJECTIVES, EstimatorVariance, Objective, objective_from_dict
from rropt.objectives.expected_loss import ExpectedLoss, ZeroOneShares
from rropt.objectives.possible_populations import Populations
from rropt.objectives.stated_sums import StatedSum
from rropt.objectives.trace import Trace, WeightRuns
from rropt.objectives.traced_numbers import UncertifiedError
from rropt.privacy import (
    BoundedRegion,
    GaussianRegion,
    LevelsRegion,
    PrivacyRegion,
    Region,
    RenyiRegion,
    ZcdpRegion,
    region_from_dict,
)
from rropt.privacy.divergence_regions import MOST_DESIGNED
from rropt.privacy.level_arguments import Level
from rropt.privacy.level_intervals import EveryLevelRegion
from rropt.privacy.level_regions import steps_apart
from rropt.privacy.region import read_size

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.designs.parametric.closed_levels import ClosedLevels
    from rropt.designs.parametric.every_level import EveryLevel
    from rropt.designs.solution import Solution
    from rropt.symbolic.derivations import Derivation
    from rropt.symbolic.enclosures import Enclosure
    from rropt.symbolic.posing import Form, Posing
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
                "write PrivacyRegion(...) and an objective such as AOptimality(), or call binary_problem(...)"
            )
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

    @clear_calls
    def solve(
        self, routes: str | Iterable[str] | None = "auto", budget: str | None = None, *, fast: bool = False
    ) -> Solution | EveryLevel | ClosedLevels:
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
            or nats of information); ``mechanism``, ``optima``, ``status``, ``routes`` and ``certificate``. A problem on
            an ``EveryLevelRegion`` gives an ``EveryLevel`` (by a theorem, ``ClosedLevels``): the optimum as a function
            of gamma. ``solve_one_level`` has the type ``Solution``, for code with type checks.

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

    def enclosure(self) -> Enclosure | RowBounds:
        """Return exact bounds of the optimum of a problem, or of that of a solution, which the engine has no part in.

        ``lower`` and ``upper`` are rational; ``design`` is a private mechanism that attains one of them, and prices
        prove the other one. ``check()`` proves both again.

        Raises:
            UnsupportedProblemError: the problem has no bounds of its own; the message says why.
        """
        from rropt.twins import enclosure_of

        return enclosure_of(self)

    def proportions_form(self) -> Form:
        """Return the optimum as a form in gamma and the proportions, with the region in which its rows are optimal.

        The symbols of the proportions are ``pi_0, pi_1, ...``, of all categories but the last. It is derived for A- and
        c-optimality and contrasts at delta = 0, for two or three categories, from the rows with weight that CVXPY
        finds.

        Raises:
            UnsupportedProblemError: there is no such form; the message says why.
            RouteDisagreementError: the rows are not optimal: floats or symbols are wrong.
        """
        from rropt.information_twins import proportions_form_of

        return proportions_form_of(self)

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
        information that of the KKT system (``information_twins``). Of a problem on an ``EveryLevelRegion`` the optimum
        is returned as a ``Piecewise`` in ``gamma``. The arguments are those of
        ``rropt.symbolic.designs.problem.posing_of``.
        """
        from rropt.twins import posing_of

        return posing_of(self, outputs)


@clear_calls
def uniform(categories: object) -> WeightRuns:
    """Return k equal proportions as one number.

    Args:
        categories: k, from 2 to 10^7.

    >>> from rropt.objectives import AOptimality
    >>> problem = Problem(PrivacyRegion(1, inputs=10**6, outputs="any"), AOptimality(), uniform(10**6))
    >>> problem == Problem.from_json(problem.to_json()), len(problem.population)
    (True, 1000000)
    """
    k = _number_of(categories)
    return WeightRuns([(k, Fraction(1, k))])


def _is_uniform(shares: object) -> bool:
    return isinstance(shares, WeightRuns) and shares.runs == ((len(shares), Fraction(1, len(shares))),)


@clear_calls
def binary_problem(
    epsilon: object, prevalence: object, *, delta: object = 0, family: str = "all", outputs: int | Literal["any"] = 2
) -> Problem:
    """Return the problem of minimizing the variance of a binary design at a privacy level and an assumed prevalence.

    Args:
        epsilon: the level in nats: a number, ``"log(q)"`` or ``"r*log(q)"``; or a ``rropt.privacy.level``, which may
            belong to a privacy criterion; or ``"all"`` or ``"1/2..3"`` for every level at once.
        prevalence: an assumed value of Pr(X = 1), in [0, 1].
        delta: the additive slack in [0, 1], or ``"exp(r)"``.
        family: ``"all"`` binary designs, or ``"warner"`` for p00 = p11 only.
        outputs: 2 or 3, or ``"any"`` for any number of outputs.
    """
    outputs = as_lists(outputs)
    require_texts(family=family)
    pi = rational_where(prevalence, lambda pi: 0 <= pi <= 1, "0 <= pi <= 1", name="prevalence")
    if type(size := plain_integer(outputs)) is int and size < 2:  # 0 is "any" in a region alone
        raise InvalidParameterError(
            f"`outputs` is out of range: received {size}; allowed are 2, 3, or 'any' for any number of outputs"
        )
    if is_span(epsilon):
        if family != "all":
            raise InvalidParameterError(
                f"`family` does not belong to every level at once: received {shown(family)}; leave it out, or give one "
                "level"
            )
        every = EveryLevelRegion(epsilon, delta=delta, outputs=outputs)
        return Problem(every, EstimatorVariance(), (1 - pi, pi))
    # rejects an invalid level, and a delta that is given twice
    region = PrivacyRegion(epsilon, delta, outputs=outputs, family=family)
    if isinstance(epsilon, Level):
        return Problem(epsilon.region(outputs=outputs, family=family), EstimatorVariance(), (1 - pi, pi))
    return Problem(region, EstimatorVariance(), (1 - pi, pi))


@dataclass(frozen=True)
class KaryArguments:
    """The arguments of ``kary_problem``, which describes them."""

    epsilon: object = None
    _: KW_ONLY
    objective: str | Objective = "trace"
    categories: object = None
    population: Sequence[object] | str | Populations | None = None
    delta: object = 0
    distance: str | None = None
    levels: Sequence[object] | None = None
    level: Sequence[tuple[object, object]] | None = None
    outputs: str | int | None = None
    at_least: object = None
    at_most: object = None
    weights: Sequence[object] | str | None = None
    loss: Any = None
    contrast: Sequence[object] | str | None = None
    against: Sequence[object] | str | None = None
    order: object = None
    payoffs: Any = None
    output_bits: object = None
    renyi: object = None
    zcdp: object = None
    gdp: object = None


@takes(KaryArguments)
def kary_problem(asked: KaryArguments) -> Problem:
    """Return the problem of a design with k categories, with the same options as ``rropt design kary``.

    Args:
        epsilon: the level in nats; ``"all"`` or ``"1/2..3"`` for every level at once (``EveryLevelRegion``).
        objective: ``"trace"``, ``"loss"`` or ``"a-optimal"`` (also ``"A"`` and ``"A-optimality"``), another registered
            objective, or an object of ``rropt.objectives``.
        categories: k, for equally frequent categories. Give either ``categories`` or ``population``. Beyond 300
            categories (and with ``output_bits``), designs come from formulas, up to 10^7 categories, for
            ``a-optimal``, ``d-optimal``, ``e-optimal``, ``mutual-information``, ``trace`` and the 0/1 loss.
        population: the proportions of the categories. A range ``LOW..HIGH`` in text, or ``Populations``, asks for the
            worst case. ``1000x1/2000`` means 1000 proportions of 1/2000; the 0/1 loss accepts this also beyond 300
            categories.
        delta: the additive slack in [0, 1], or ``"exp(r)"``.
        distance: the level of two categories is their distance times epsilon. ``"abs"``: the distance of categories j
            and l is ``abs(j - l)``. ``"grid:RxC"``: their distance in a grid of R rows and C columns, with the
            categories listed row by row.
        levels: instead of epsilon: a level for each pair of categories (``None`` for no constraint), or a list of
            objects with epsilon, delta and pairs (``LevelsRegion``).
        level: instead of epsilon: several levels (epsilon, delta) for all pairs; the mechanism must satisfy them all.
        outputs: ``"any"`` for an objective that supports any number of outputs; for ``"a-optimal"`` and ``"c-optimal"``
            also a given number.
        at_least, at_most: bounds on all entries of the mechanism.
        weights: the weights of the trace; in text, ``1000x3/4`` means 1000 weights of 3/4.
        loss: the name of a loss, or a matrix. ``"squared"`` with ``outputs="any"`` is the squared loss of the posterior
            mean of each output: the problem of the largest chi-square that has the same designs (``DecodedLoss``).
        contrast: for ``"c-optimal"``, the coefficients of the estimated linear function of the proportions; for
            ``"contrasts"``, several of them.
        against: for ``"total-variation"``, ``"chi-square"`` and other divergences, the second distribution.
        order: the order of ``"alpha-divergence"``.
        payoffs: for ``"payoff"``, a matrix with one row for each decision.
        output_bits: the longest response in bits: at most ``2^output_bits`` outputs; only with ``categories``.
        renyi: instead of epsilon: ``"ORDER:EPSILON"`` or the pair, a bound of the Renyi divergence at one order
            (``RenyiRegion``).
        zcdp: instead of epsilon: rho of zero-concentrated differential privacy (``ZcdpRegion``).
        gdp: instead of epsilon: mu of Gaussian differential privacy (``GaussianRegion``).

    >>> print(kary_problem(epsilon="log(2)", categories=3))
    largest trace: epsilon = log(2), delta = 0, k = 3 categories, m = 3 outputs
    """
    asked = replace(
        asked, outputs=as_lists(asked.outputs), at_least=as_lists(asked.at_least), at_most=as_lists(asked.at_most)
    )
    require_texts(distance=asked.distance)
    require_lists(
        levels=asked.levels,
        level=as_lists(asked.level) or None,
        weights=asked.weights,
        contrast=asked.contrast,
        against=asked.against,
    )
    require_given(
        distance=asked.distance,
        epsilon=asked.epsilon,
        categories=asked.categories,
        population=asked.population,
        outputs=asked.outputs,
        at_least=asked.at_least,
        at_most=asked.at_most,
        loss=asked.loss,
        order=asked.order,
        payoffs=asked.payoffs,
        output_bits=asked.output_bits,
        renyi=asked.renyi,
        zcdp=asked.zcdp,
        gdp=asked.gdp,
    )
    given = dict(vars(asked))
    epsilon, categories, population = (given.pop(name) for name in ("epsilon", "categories", "population"))
    if (categories is None) == (population is None):
        raise InvalidParameterError(
            "the number of categories is given once: received categories and population, or neither; give one"
        )
    objective = _written_objective(given.pop("objective"))
    for name in ("levels", "level", "weights", "loss", "payoffs"):  # arrays have no truth value, and no ``==``
        if hasattr(given[name], "tolist") or hasattr(given[name], "to_numpy"):
            items = listed(given[name], flat=name == "weights")
            given[name] = given[name] if items is None else items
    shares = None if population is None else _read_shares(population)
    if (many := _of_many(epsilon, objective, categories, shares, given)) is not None:
        return many
    shares = _kary_shares(objective, categories, shares)
    if objective == "loss" and is_decoded(given["loss"], given["outputs"]):
        if isinstance(shares, Populations) or is_span(epsilon):
            raise InvalidParameterError(
                "the squared loss with any outputs is decoded at one distribution and one level: received ranges; give "
                "single numbers"
            )
        objective, shares = decoding_problem(shares)
        given |= {"loss": None, "outputs": None}
    k = shares.inputs if isinstance(shares, Populations) else len(shares)
    wanted = _kary_objective(objective, k, given)
    return _by_formulas(Problem(_asked_region(epsilon, given, wanted, k), wanted, shares))


def _of_many(
    epsilon: object, objective: str | Objective, categories: object, shares: Any, given: dict[str, Any]
) -> Problem | None:
    """Return the problem if its proportions are stored in runs; None for at most ``MOST_SHARES`` categories."""
    bits, is_zero_one = given["output_bits"], objective == "loss" and given["loss"] == "zero-one"
    most = _MOST_LISTED_TRACE if _is_plain_trace(objective, given) else MOST_SHARES
    if shares is None:
        k = _number_of(categories)
        if bits is None and k <= most:
            return None
        titled = _curved_region(given, k)  # raises an error of its own for Gaussian differential privacy
        if titled is not None and k > MOST_DESIGNED:  # the limit of formulas is higher
            raise InvalidParameterError(
                f"`categories` is out of range: received {k}; allowed are 2 to {MOST_DESIGNED} under {titled[0]}; "
                "merge categories"
            )
        shares = uniform(k)
    elif bits is not None:
        raise InvalidParameterError(
            f"`output_bits` belongs to equally frequent categories: received {shown(bits)} and `population`; "
            "give `categories`"
        )
    elif not is_zero_one or isinstance(shares, Populations) or len(shares) <= most:
        return None
    if is_zero_one or objective == "trace":
        return _in_runs(epsilon, _weight_runs(shares), given, is_trace=not is_zero_one)
    return _many_categories(epsilon, objective, len(shares), given)


def _is_plain_trace(objective: str | Objective, given: dict[str, Any]) -> bool:
    """Return whether the problem is a trace with weights >= 0 or the 0/1 loss at one level, with nothing else asked."""
    if objective not in ("trace", "loss") or (objective == "loss" and given["loss"] != "zero-one"):
        return False
    own = ("delta", "weights") if objective == "trace" else ("delta", "loss")
    if any(value is not None and not _is_empty(value) for name, value in given.items() if name not in own):
        return False
    if objective == "loss" or given["weights"] is None or _is_empty(given["weights"]):
        return True
    try:
        return min(w for _, w in _weight_runs(given["weights"]).runs) >= 0
    except InvalidParameterError:
        return False


def _asked_region(epsilon: object, given: dict[str, Any], objective: Objective, k: int) -> Region:
    """Return the region of the level that is given, with bounds on entries."""
    titled = _curved_region(given, k)
    if titled is not None:
        title, region = titled
        none = Delta.of(given["delta"]) == Delta.of(0)
        rest = {"epsilon": epsilon, **given, **dict.fromkeys([*_CURVED, *_OPTIONS, *["delta"] * none])}
        _refuse_beside(rest if given["outputs"] != "any" else {**rest, "outputs": None}, title)
        if objective.outputs(k):
            raise InvalidParameterError(
                f"the objective {objective.kind} does not belong to {title}: its outputs are given; "
                "give an objective of any number of outputs, for example a-optimal"
            )
        return region
    region = _kary_region(epsilon, given, (k, _kary_answers(objective, k, given["outputs"])))
    ends = given["at_least"], given["at_most"]
    if ends == (None, None):
        return region
    if not region.outputs:
        raise InvalidParameterError("bounds of all entries need a number of outputs: add `outputs=M`")
    both = (bound if end is None else end for end, bound in zip(ends, (0, 1), strict=True))
    return BoundedRegion(region, *([[end] * region.inputs] * region.outputs for end in both))


def _is_zero(region: Region) -> bool:
    """Return whether a region has one level, and its epsilon is 0."""
    return bool(region.has_one_level and region.one_level().epsilon.gamma == 1)


def _by_formulas(problem: Problem) -> Problem:
    """Return the problem with equal proportions as one number, where its designs come from formulas."""
    region, objective, k = problem.region, problem.objective, problem.region.inputs
    if problem.populations is not None or len(set(problem.population)) > 1:
        return problem
    has_groups = objective.is_total and region.form == "parity"  # whose brackets are closed for all k
    most = _MOST_LISTED
    if region.form == "excess":
        is_proved = objective.is_total or objective.has_subset_dual
        most = _FEW_WITH_DELTA if is_proved and not _is_zero(region) else _MOST_LISTED_WITH_DELTA
    has_formulas = objective.has_formulas and region.has_one_level and not region.outputs and not has_groups
    return Problem(region, objective, uniform(k)) if has_formulas and k > most else problem


def _is_empty(value: object) -> bool:
    """Return whether an option is an empty list; an array cannot be compared with one."""
    return isinstance(value, list) and not value


def _refuse_beside(named: dict[str, Any], title: str, beside: str = "", otherwise: str = "") -> None:
    """Require that no option of other problems is given.

    Args:
        named: the options; those with value None, and empty lists, are not given.
        title: what they do not belong to.
        beside: what they are given beside.
        otherwise: what else than leaving it out is allowed.
    """
    for name, value in named.items():
        if value is not None and not _is_empty(value):
            raise InvalidParameterError(
                f"`{name}` does not belong to {title}: received {shown(value)}{beside}; leave it out{otherwise}"
            )


def _curved_region(given: dict[str, Any], k: int) -> tuple[str, Region] | None:
    """Return the region of Renyi divergences, of zCDP or of Gaussian differential privacy, with its title, or None."""
    named = [name for name in _CURVED if given[name] is not None]
    if not named:
        return None
    if len(named) > 1:
        raise InvalidParameterError(
            f"the privacy level is given more than once: received {' and '.join(named)}; give one"
        )
    if named == ["gdp"]:
        return "Gaussian differential privacy", GaussianRegion(given["gdp"], inputs=k)
    title = "a bound of Renyi divergences"
    if named == ["zcdp"]:
        return title, ZcdpRegion(given["zcdp"], inputs=k)
    renyi = given["renyi"]
    parts = renyi.split(":") if isinstance(renyi, str) else list(renyi) if isinstance(renyi, (tuple, list)) else []
    if len(parts) != 2:
        raise InvalidParameterError(
            f"`renyi` is not an order and a level: received {shown(renyi)}; allowed is "
            'ORDER:EPSILON, for example "2:1/2"'
        )
    return title, RenyiRegion(*parts, inputs=k)


_CURVED = ("renyi", "zcdp", "gdp")
_OPTIONS = ("weights", "loss", "contrast", "against", "order", "payoffs")  # of objectives


MOST_SHARES = 300
"""Maximal number of categories with separate proportions; beyond it, they are equal and designs come from formulas."""


_MOST_LISTED = 10
"""Beyond this number of equal proportions, designs come from formulas where their brackets are closed."""


_MOST_LISTED_TRACE = 40
"""Beyond this number of categories, the largest trace and the 0/1 loss at equal proportions come from formulas: as a
linear program, its certificate of k^2 multipliers takes more than half a second."""


_MOST_LISTED_WITH_DELTA, _FEW_WITH_DELTA = 6, 2
"""The same under delta > 0: rays are listed up to six categories; a theorem gives A-, D- and E-optimal designs from
three categories on."""


BY_FORMULAS = tuple(kind for kind, objective in OBJECTIVES.items() if objective.has_formulas)
"""Objectives that have formulas for any number of equally frequent categories."""


def _number_of(categories: object) -> int:
    """Check and return the number of categories k, from 2 to 10^7."""
    return int(rational_where(categories, lambda k: k.denominator == 1 and 2 <= k <= 10**7, "2 <= k <= 10^7", name="k"))


def _many_categories(epsilon: object, objective: str | Objective, k: int, given: dict[str, Any]) -> Problem:
    """Return the problem over equally frequent categories whose designs come from formulas.

    Args:
        epsilon, objective: of ``kary_problem``.
        k: the number of categories.
        given: the other options of ``kary_problem``, most of which these problems do not take.
    """
    bits, outputs = given["output_bits"], given["outputs"]
    name = objective.kind if isinstance(objective, Objective) else objective
    if name in OBJECTIVES and name not in BY_FORMULAS:
        raise InvalidParameterError(
            f"`categories` is out of range for the objective {name}: received {k}; allowed are 2 to "
            f"{MOST_SHARES}, without `output_bits`; more with {', '.join(BY_FORMULAS)}"
        )
    _refuse_beside(
        {**given, "delta": None, "output_bits": None, "outputs": None if outputs == "any" else outputs},
        "designs given by formulas",
        f" beside k = {k}",
        f", or give at most {MOST_SHARES} categories without `output_bits`",
    )
    outputs = "any"
    if bits is not None:
        within = "1 <= output_bits <= 62"  # 2^62 outputs are counted in one word
        outputs = 1 << int(rational_where(bits, lambda b: b.denominator == 1 and 1 <= b <= 62, within, name="bits"))
    wanted = _kary_objective(objective, k, {})
    return Problem(_one_region(epsilon, given["delta"], k, outputs), wanted, uniform(k))


def _in_runs(epsilon: object, shares: WeightRuns, given: dict[str, Any], *, is_trace: bool) -> Problem:
    """Return the problem over more than ``MOST_SHARES`` categories whose weights or proportions are stored in runs.

    Args:
        epsilon: of ``kary_problem``.
        shares: the proportions.
        given: the other options of ``kary_problem``.
        is_trace: whether the objective is the trace; else it is the 0/1 loss.
    """
    k, runs = len(shares), shares
    title, own, name = ("trace", "weights", "weights") if is_trace else ("0/1 loss", "loss", "population")
    short = f"the {title}, whose designs have at most one output for each category"
    _refuse_beside({"output_bits": given["output_bits"]}, short, f" beside k = {k}")
    _refuse_beside(
        {**given, "delta": None, own: None},
        f"the {title} over more than {MOST_SHARES} categories",
        f" beside k = {k}",
        f", or give at most {MOST_SHARES} categories",
    )
    if is_trace:
        weights = given["weights"]
        runs = WeightRuns([(k, 1)]) if weights is None or _is_empty(weights) else _weight_runs(weights)
        if (least := min(w for _, w in runs.runs)) < 0:
            raise InvalidParameterError(
                f"`weights` has a negative weight: received {least}; allowed are weights >= 0 beyond {MOST_SHARES} "
                "categories"
            )
    if len(runs.runs) > MAX_RUNS:
        raise InvalidParameterError(
            f"`{name}` changes too often: received {len(runs.runs)} runs of equal values; allowed are {MAX_RUNS}; "
            "sort the categories by value, or round the values"
        )
    wanted = Trace(runs) if is_trace else ExpectedLoss(ZeroOneShares(runs))
    return Problem(_one_region(epsilon, given["delta"], k, k), wanted, uniform(k))


def _one_region(epsilon: object, delta: object, k: int, outputs: Any) -> Region:
    """Return the region of one level, or of every level of an interval."""
    if not is_span(epsilon):
        return PrivacyRegion(epsilon, delta, inputs=k, outputs=outputs)
    return EveryLevelRegion(epsilon, delta=delta, inputs=k, outputs=outputs)


_RUN = re.compile(r"([1-9][0-9]{0,7})x(.+)")


def _has_runs(items: Sequence[object]) -> bool:
    return any(isinstance(item, str) and _RUN.fullmatch(item.strip()) for item in items)


def _weight_runs(weights: Any) -> WeightRuns:
    """Parse weights into runs; the text ``1000x3/4`` means a thousand weights of 3/4."""
    if isinstance(weights, WeightRuns):
        return weights
    if not isinstance(weights, Iterable):
        raise InvalidParameterError(
            f"weights is not a list of numbers: received {shown(weights)}; give one weight per category"
        )
    items = split_list(weights) if isinstance(weights, str) else list(weights)
    pairs = [(_RUN.fullmatch(item.strip()) if isinstance(item, str) else None, item) for item in items]
    return WeightRuns([(match[1], match[2]) if match else (1, item) for match, item in pairs])


def _kary_answers(objective: Objective, k: int, outputs: str | int | None) -> int:
    """Return the number of outputs; 0 means that it is unrestricted."""
    own = objective.outputs(k)
    if outputs is None or (outputs == "any" and not own):
        return own
    if own or not objective.with_few:
        why = "it names the responses" if own else "it is over any number of them"
        raise InvalidParameterError(
            f"`outputs` does not belong to the objective {objective.kind}: received {shown(outputs)}; {why}, so leave "
            "it out"
        )
    return int(rational_where(outputs, lambda m: m.denominator == 1 and 2 <= m <= 300, "2 <= m <= 300", name="outputs"))


def _read_shares(population: Sequence[object] | str | Populations) -> Any:
    """Return proportions: a polytope of distributions if ranges are given, runs if numbers are repeated, or a list."""
    if isinstance(population, Populations):
        return population
    if isinstance(population, str):
        items = list(split_list(population))
    else:
        items = required_list(population, "`population`", "a list of shares, such as ['1/2', '1/4', '1/4']")
    if any(isinstance(x, str) and ".." in x for x in items):
        return Populations.written(items)
    return _weight_runs(items) if _has_runs(items) else items


def _kary_shares(objective: str | Objective, categories: object, shares: Any) -> Any:
    """Return the proportions of at most ``MOST_SHARES`` categories, by default equal ones, or a polytope of them."""
    if shares is None:
        k = _number_of(categories)
        return [Fraction(1, k)] * k
    k = shares.inputs if isinstance(shares, Populations) else len(shares)
    if not 2 <= k <= MOST_SHARES:
        raise InvalidParameterError(
            f"`population` is out of range: received {k} proportions; allowed are 2 to {MOST_SHARES}"
        )
    if objective == "trace":
        told = str(shares) if isinstance(shares, Populations) else ",".join(map(str, shares))
        raise InvalidParameterError(
            f"`population` does not belong to the objective trace: received {shown(told)}; for the probability of a "
            "true response write them as `weights`, with `categories`; for the sum of the p_ii write `categories` alone"
        )
    return shares if isinstance(shares, Populations) else list(shares)


_SHORT = {"a": "a-optimal", "c": "c-optimal", "d": "d-optimal", "e": "e-optimal", "mi": "mutual-information"}


def _written_objective(name: object) -> Any:
    """Return the registered name of an objective: ``A``, ``A-optimality`` and ``a_optimal`` become ``a-optimal``."""
    if not isinstance(name, (str, Objective)):
        raise InvalidParameterError(
            f"the objective is no name: received {shown(name)}; allowed are {', '.join(OBJECTIVES)}, or an object of "
            "rropt.objectives"
        )
    if not isinstance(name, str) or name in OBJECTIVES:
        return name
    plain = name.strip().lower().replace("_", "-").replace(" ", "-").replace("-optimality", "-optimal")
    return _SHORT.get(plain, plain if plain in OBJECTIVES else name)


def _kary_objective(name: str | Objective, k: int, options: dict[str, Any]) -> Objective:
    """Return the named objective, built from the options that are given; return an ``Objective`` unchanged."""
    given = {option: options[option] for option in _OPTIONS if options.get(option) is not None}
    if isinstance(name, Objective):
        for option in given:
            raise InvalidParameterError(
                f"`{option}` is a parameter of the objective: set it in {name.kind}, and leave it out"
            )
        return name
    kind = OBJECTIVES[one_of(name, OBJECTIVES, "`objective`")]
    for option in given:
        if option not in kind.options:
            raise InvalidParameterError(f"`{option}` does not belong to the objective {name}: leave it out")
    lists = ("weights", "contrast", "against")
    texts = {option: split_list(x) for option, x in given.items() if option in lists and isinstance(x, str)}
    named = {**given, **texts}
    written = named.get("weights")
    if isinstance(written, list) and _has_runs(written):
        named["weights"] = list(_weight_runs(written))
    return kind.for_categories(k, **named)


def _kary_region(epsilon: object, levels: dict[str, Any], shape: tuple[int, int]) -> Region:
    """Return the region: one level, several levels, a level that grows with the distance, or a level for each pair."""
    (k, m), delta, distance = shape, levels["delta"], levels["distance"]
    given = [name for name in ("level", "levels") if levels[name]]
    if is_span(epsilon):
        if given or distance is not None:
            what = given[0] if given else "distance"
            raise InvalidParameterError(f"`{what}` does not belong to every level at once: leave it out")
        return EveryLevelRegion(epsilon, delta=delta, inputs=k, outputs=m or "any")
    if not given and distance is None:
        return PrivacyRegion(epsilon, delta, inputs=k, outputs=m)
    if not given:
        steps = steps_apart(distance if isinstance(distance, str) else shown(distance), k)
        return LevelsRegion.by_distance(epsilon, delta, distance=steps, inputs=k, outputs=m)
    if len(given) > 1 or distance is not None or epsilon is not None:
        raise InvalidParameterError(
            f"`{given[0]}` contains the levels: received another level, or `distance`, beside it; give one of them"
        )
    listed_levels = required_list(levels[given[0]], f"`{given[0]}`", "a list of levels")
    if Delta.of(delta) != Delta.of(0):
        raise InvalidParameterError(
            f"`{given[0]}` contains a delta for each level: received `delta` {shown(str(delta))}; leave it out"
        )
    if given == ["level"] or all(isinstance(x, dict) for x in listed_levels):
        region = LevelsRegion(listed_levels, inputs=k, outputs=m)
    else:
        region = LevelsRegion.by_pair(listed_levels, outputs=m)
    if region.inputs != k:
        raise InvalidParameterError(f"`levels` has {region.inputs} rows: there are {k} categories")
    only = region.levels[0]
    if len(region.levels) > 1 or (only.pairs and len(only.pairs) < k * (k - 1)):
        return region
    return PrivacyRegion(only.epsilon, only.delta, inputs=k, outputs=m)  # one level for all pairs
