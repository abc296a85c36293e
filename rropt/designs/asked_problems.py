"""The problems that ``Problem.binary`` and ``Problem.kary`` pose: a level, an objective and proportions are checked.

Beyond some numbers of categories the proportions are stored as runs, so that the designs come from formulas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Delta, rational_where, split_list
from rropt.core.exact.numbers import plain_integer
from rropt.designs.decoded_designs import decoding_problem
from rropt.designs.problem import Problem, number_of_categories, uniform
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.restricted_response import MAX_RUNS
from rropt.objectives import OBJECTIVES, EstimatorVariance, Loss, Objective, objective_of_text
from rropt.objectives.expected_loss import ZeroOneShares
from rropt.objectives.possible_populations import Populations
from rropt.objectives.trace import Trace, WeightRuns, has_runs
from rropt.privacy import Region
from rropt.privacy.divergence_regions import MOST_DESIGNED
from rropt.privacy.level_arguments import CurvedLevel, EveryLevelOf, Level, OneLevel
from rropt.privacy.linear_levels import LinearLevel
from rropt.privacy.region_files import load_bounds

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

_POWER = re.compile(r"2\^([1-9][0-9]?)")


def binary_problem(prevalence: object, level: Level, *, outputs: object, symmetric: bool) -> Problem:
    """Return the problem of ``Problem.binary``.

    Args:
        prevalence: Pr(X = 1), in [0, 1].
        level: the privacy level.
        outputs: 2 or 3, or ``"any"``.
        symmetric: whether p00 = p11.
    """
    pi = rational_where(prevalence, lambda pi: 0 <= pi <= 1, "0 <= pi <= 1", name="prevalence")
    size: Any = plain_integer(outputs)
    size = int(size) if isinstance(size, str) and size.strip() in ("2", "3") else size
    if type(size) is int and size < 2:  # 0 is "any" in a region alone
        raise InvalidParameterError(
            f"`outputs` is out of range: received {size}; allowed are 2, 3, or 'any' for any number of outputs"
        )
    family = "warner" if require_bool(symmetric, "symmetric") else "all"
    return Problem(level.region(inputs=2, outputs=size, family=family), EstimatorVariance(), (1 - pi, pi))


def require_bool(value: object, name: str) -> bool:
    """Return a flag, and raise ``InvalidParameterError`` for a value that is neither true nor false."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool_", "bool"):
        raise InvalidParameterError(
            f"`{name}` is neither true nor false: received {shown(value)}; allowed is True and False"
        )
    return bool(value)


@dataclass(frozen=True)
class AskedProblem:
    """What ``Problem.kary`` is asked, checked for itself.

    Attributes:
        level: the privacy level.
        objective: the objective; a parameter may still be a name, such as ``absolute``.
        outputs: None, ``"any"``, or the largest number of outputs.
        bits: None, or the largest length of a response in bits.
        bounds: None, or bounds of entries, as for ``load_bounds``.
    """

    level: Level
    objective: Objective
    outputs: str | int | None = None
    bits: int | None = None
    bounds: object = None

    @classmethod
    def of(cls, level: Level, objective: str | Objective, outputs: object, bounds: object) -> AskedProblem:
        """Read the arguments."""
        if not isinstance(objective, str | Objective):
            raise InvalidParameterError(
                f"the objective is no name: received {shown(objective)}; allowed are {', '.join(OBJECTIVES)}, or an "
                "object of rropt.objectives"
            )
        wanted = objective_of_text(objective) if isinstance(objective, str) else objective
        size: Any = plain_integer(outputs)
        power = _POWER.fullmatch(size.strip()) if isinstance(size, str) else None
        bits = None if power is None else int(power[1])
        if bits is not None and not 1 <= bits <= 62:  # 2^62 outputs are counted in one word
            raise InvalidParameterError(
                f"`outputs` is out of range: received {shown(size)}; allowed are 2^1 to 2^62, a number, or 'any'"
            )
        return cls(level, wanted, None if bits is not None else size, bits, bounds)

    def refuse(self, title: str, otherwise: str = "", *, outputs: bool = True) -> None:
        """Require that neither bounds nor, if ``outputs``, a number of outputs is asked."""
        given = {"bounds": self.bounds, "outputs": self.outputs if outputs else None}
        for name, value in given.items():
            if value is not None:
                raise InvalidParameterError(
                    f"`{name}` does not belong to {title}: received {shown(value)}; leave it out{otherwise}"
                )


def kary_problem(categories: object, population: Any, asked: AskedProblem) -> Problem:
    """Return the problem of ``Problem.kary``.

    Args:
        categories: k, or the names of the categories, or None for as many as there are proportions.
        population: the proportions, or None for equal ones.
        asked: the rest.
    """
    k = None if categories is None else _count(categories)
    shares = None if population is None else _read_shares(population)
    if shares is None and k is None:
        raise InvalidParameterError(
            "the number of categories is needed: received none; give it, or the proportions as `population`"
        )
    if shares is not None and k is not None and (own := _length(shares)) != k:
        raise InvalidParameterError(
            f"`population` has {own} proportions: received {k} categories; give one share for each"
        )
    many = _of_many(k, shares, asked)
    if many is not None:
        return many
    shares = _kary_shares(asked.objective, k, shares)
    if isinstance(asked.objective, Loss) and asked.objective.name == "squared" and asked.outputs == "any":
        if isinstance(shares, Populations) or isinstance(asked.level, EveryLevelOf):
            raise InvalidParameterError(
                "the squared loss with any outputs is decoded at one distribution and one level: received ranges; give "
                "single numbers"
            )
        wanted, shares = decoding_problem(shares)
        asked = AskedProblem(asked.level, wanted, None, None, asked.bounds)
    size = _length(shares)
    objective = asked.objective.sized(size)
    return _by_formulas(Problem(_asked_region(asked, objective, size), objective, shares))


def _count(categories: object) -> int:
    if isinstance(categories, list | tuple):
        if not all(isinstance(name, str) for name in categories) or len(set(categories)) < len(categories):
            raise InvalidParameterError(
                f"`categories` are not names: received {shown(categories)}; give their number, or different texts"
            )
        return number_of_categories(len(categories))
    return number_of_categories(categories)


def _length(shares: Any) -> int:
    return shares.inputs if isinstance(shares, Populations) else len(shares)


def _of_many(k: int | None, shares: Any, asked: AskedProblem) -> Problem | None:
    """Return the problem if its proportions are stored in runs; None for at most ``MOST_SHARES`` categories."""
    objective = asked.objective
    is_zero_one = isinstance(objective, Loss) and objective.name == "zero-one"
    most = _MOST_LISTED_TRACE if _is_plain_trace(asked) else MOST_SHARES
    if shares is None:
        assert k is not None
        if asked.bits is None and k <= most:
            return None
        if isinstance(asked.level, CurvedLevel):
            asked.level.region(inputs=k)  # raises an error of its own for Gaussian differential privacy
            if k > MOST_DESIGNED:  # the limit of formulas is higher
                raise InvalidParameterError(
                    f"`categories` is out of range: received {k}; allowed are 2 to {MOST_DESIGNED} under "
                    f"{asked.level.title}; merge categories"
                )
        shares = uniform(k)
    elif asked.bits is not None:
        raise InvalidParameterError(
            f"a length in bits belongs to equally frequent categories: received outputs 2^{asked.bits} and "
            "`population`; give `categories`"
        )
    elif not is_zero_one or isinstance(shares, Populations) or len(shares) <= most:
        return None
    if is_zero_one or isinstance(objective, Trace):
        return _in_runs(_weight_runs(shares), asked)
    return _many_categories(len(shares), asked)


def _is_plain_trace(asked: AskedProblem) -> bool:
    """Return whether the problem is a trace with weights >= 0 or the 0/1 loss at one level, with nothing else asked."""
    if not isinstance(asked.level, OneLevel | EveryLevelOf) or (asked.outputs, asked.bits, asked.bounds) != (None,) * 3:
        return False
    objective = asked.objective
    if isinstance(objective, Loss):
        return objective.name == "zero-one"
    return isinstance(objective, Trace) and min(objective.weights, default=1) >= 0


def _asked_region(asked: AskedProblem, objective: Objective, k: int) -> Region:
    """Return the region of the level that is given, with bounds on entries."""
    level = asked.level
    if isinstance(level, CurvedLevel):
        asked.refuse(level.title, outputs=asked.outputs != "any")
        if objective.outputs(k):
            raise InvalidParameterError(
                f"the objective {objective.kind} does not belong to {level.title}: its number of outputs is fixed; "
                "give an objective of any number of outputs, for example a-optimal"
            )
        return level.region(inputs=k)
    region = _level_region(level, k, _kary_answers(objective, k, asked.outputs))
    if asked.bounds is None:
        return region
    if not region.outputs and not isinstance(asked.bounds, LinearLevel):
        raise InvalidParameterError("bounds of entries need a number of outputs: add `outputs=M`")
    return load_bounds(asked.bounds, region)


def _level_region(level: Level, k: int, outputs: Any) -> Region:
    """Return the region of a level; of a criterion at log B(h), or at a rational level just below it."""
    if level.criterion is not None:
        level = OneLevel(level.one("k categories")[0], Delta.of(0))
    return level.region(inputs=k, outputs=outputs or "any")


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


def _many_categories(k: int, asked: AskedProblem) -> Problem:
    """Return the problem over equally frequent categories whose designs come from formulas."""
    objective = asked.objective
    if objective.kind in OBJECTIVES and objective.kind not in BY_FORMULAS:
        raise InvalidParameterError(
            f"`categories` is out of range for the objective {objective.kind}: received {k}; allowed are 2 to "
            f"{MOST_SHARES}, without a length in bits; more with {', '.join(BY_FORMULAS)}"
        )
    few = f", or give at most {MOST_SHARES} categories without a length in bits"
    asked.refuse("designs given by formulas", few, outputs=asked.outputs != "any")
    _require_one_level(asked.level, "designs given by formulas", few)
    outputs: Any = "any" if asked.bits is None else 1 << asked.bits
    return Problem(asked.level.region(inputs=k, outputs=outputs), objective.sized(k), uniform(k))


def _in_runs(shares: WeightRuns, asked: AskedProblem) -> Problem:
    """Return the problem over more than ``MOST_SHARES`` categories whose weights or proportions are stored in runs."""
    k, runs, is_trace = len(shares), shares, isinstance(asked.objective, Trace)
    title, name = ("trace", "weights") if is_trace else ("0/1 loss", "population")
    if asked.bits is not None:
        raise InvalidParameterError(
            f"a length in bits does not belong to the {title}, whose designs have at most one output for each "
            f"category: received outputs 2^{asked.bits}; leave it out"
        )
    over, few = f"the {title} over more than {MOST_SHARES} categories", f", or give at most {MOST_SHARES} categories"
    asked.refuse(over, few)
    _require_one_level(asked.level, over, few)
    if isinstance(asked.objective, Trace):
        weights = asked.objective.weights
        runs = _weight_runs(weights) if len(weights) else WeightRuns([(k, 1)])
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
    wanted = Trace(runs) if is_trace else Loss(ZeroOneShares(runs))
    return Problem(asked.level.region(inputs=k, outputs=k), wanted, uniform(k))


def _require_one_level(level: Level, title: str, otherwise: str) -> None:
    """Require one level, or every level of an interval."""
    if not isinstance(level, OneLevel | EveryLevelOf):
        raise InvalidParameterError(f"{title} have one level: received {level}; give `epsilon`{otherwise}")


def _weight_runs(items: Any) -> WeightRuns:
    return items if isinstance(items, WeightRuns) else WeightRuns.of_items(items)


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
    return WeightRuns.of_items(items) if has_runs(items) else items


def _kary_shares(objective: Objective, k: int | None, shares: Any) -> Any:
    """Return the proportions of at most ``MOST_SHARES`` categories, by default equal ones, or a polytope of them."""
    if shares is None:
        assert k is not None
        return [Fraction(1, k)] * k
    size = _length(shares)
    if not 2 <= size <= MOST_SHARES:
        raise InvalidParameterError(
            f"`population` is out of range: received {size} proportions; allowed are 2 to {MOST_SHARES}"
        )
    if isinstance(objective, Trace):
        told = str(shares) if isinstance(shares, Populations) else ",".join(map(str, shares))
        raise InvalidParameterError(
            f"`population` does not belong to the objective trace: received {shown(told)}; for the probability of a "
            "true response write trace:1/2,1/4,1/4; for the sum of the p_ii leave it out"
        )
    return shares if isinstance(shares, Populations) else list(shares)
