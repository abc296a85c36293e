"""Designs at equal privacy: the variance of each, and its privacy under every threat model.

The budget (epsilon, delta) limits the information about one respondent's trait. Each design is tuned to the budget
(``mechanisms.designs.tuned``). Its parameters are rational and are rounded towards privacy, so that
``gamma <= exp(epsilon)``. The threat models (viewpoints) are:

* ``one``: a single response;
* ``all``: all responses with names;
* ``sum``: only the sum of the responses, or the estimate;
* ``belief``: all responses, seen by an adversary who believes that each of the others has the trait with probability q.

A design with independent responses meets the budget in all of them. A deck whose cards are sampled without replacement
meets it for a single response; for all responses and for their sum, its epsilon is infinite. A curator who adds Laplace
noise to the count learns every trait, and protects only the published count.

The values of n Var are exact. The n respondents are sampled without replacement from N people or from an infinite
population, or they are the whole population. Laplace noise on the count has scale
``b = 1/(epsilon - 2 log(1 - delta))`` and variance ``2 b^2``. Discrete Laplace noise has
``Pr(k) = (1 - a)/(1 + a) a^abs(k)`` with ``a = (1 - delta)/(gamma + delta)``, and variance ``2 a/(1 - a)^2``.

*Bound.* For every unbiased estimator from independent responses that each satisfy epsilon, the device's part of n Var
is at least ``gamma/(gamma - 1)^2`` (registry: ``rropt.two-point-bound``). For estimators that do not use the identities
of the sampled people, the sampling variance is added to this bound. Warner's design attains the bound. For delta > 0
there is no such bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from rropt.core.argument_checks import clear_calls
from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Delta, Epsilon, both_texts, decimal_text, rational_where
from rropt.core.exact.numbers import scalar
from rropt.core.results import Result, Table, html_tables
from rropt.core.results.sequences import SequenceOf
from rropt.designs import Problem, closed_form_optimum
from rropt.mechanisms import DESIGNS
from rropt.mechanisms.named.tuned import tuned_designs
from rropt.plans import Respondents, asked_variance
from rropt_fieldwork.costs.budget_table import (
    ComparedDesign,
    PrivacyBudget,
    cell_text,
    dealt_design,
    direct_design,
    drawn_designs,
    noisy_design,
)


def two_point_bound(gamma: Fraction) -> Fraction:
    """Return gamma/(gamma - 1)^2, a lower bound of n Var for unbiased estimators from independent responses.

    Args:
        gamma: exp(epsilon), above 1.

    Raises:
        InvalidParameterError: gamma is 1 or less.

    >>> two_point_bound(Fraction(3))
    Fraction(3, 4)
    """
    gamma = scalar(gamma, "gamma")
    if gamma == 1:
        raise InvalidParameterError("gamma is out of range: received 1; allowed is gamma > 1")
    return gamma / (gamma - 1) ** 2


@dataclass(frozen=True, slots=True, repr=False)  # results print as ``Result`` says
class ComparisonAsked:
    """The question of ``compare_designs``.

    Attributes:
        epsilon, delta: the budget.
        belief: q of the threat model ``belief``.
        survey: the respondents and the population.
        goal: the variance for which ``needed`` is computed, or ``None``.
        other, middle, draws: the known proportion of yes for the unrelated question, the proportion of cards 2 and the
            number of draws in Kuk's design.
    """

    epsilon: Epsilon
    delta: Delta
    belief: Fraction
    survey: Respondents
    goal: Fraction | None
    other: Fraction
    middle: Fraction
    draws: int


@dataclass(frozen=True, slots=True)
class DesignComparison(ComparisonAsked, Result, SequenceOf):
    """Designs at one privacy level, with the certified optimum.

    Attributes:
        gamma: a rational bound of the likelihood ratio of every response, at most exp(epsilon).
        designs: one ``ComparedDesign`` for each design.
        bound: a lower bound of n Var of every unbiased estimator from independent responses; ``None`` if delta > 0.
        bound_needed: the least number of respondents according to this bound.
        certificate: the accepted certificate of the optimum; ``None`` if only the closed form was requested.
        The other attributes are those of ``ComparisonAsked``.
    """

    gamma: Fraction
    designs: tuple[ComparedDesign, ...]
    bound: Fraction | None
    bound_needed: int | None
    certificate: Certificate | None

    ITEMS = "designs"
    KEY = "design"
    ANSWER = ("epsilon", "delta", "respondents=_needed", "variance=_variances")

    @property
    def _needed(self) -> dict[str, int] | None:
        if self.goal is None:
            return None
        return {one.design: one.needed for one in self.designs if one.needed is not None}

    @property
    def _variances(self) -> dict[str, Fraction] | None:
        if self.goal is not None:
            return None
        return {one.design: one.variance for one in self.designs if one.variance is not None}

    @clear_calls
    def for_goal(
        self,
        *,
        variance: object | None = None,
        standard_error: object | None = None,
        margin: object | None = None,
        confidence: object | None = None,
    ) -> DesignComparison:
        """Return the comparison with the number of respondents that each design needs for a precision.

        Args:
            variance, standard_error, margin: the goal; give one of them. A margin is the half-width of the normal
                interval.
            confidence: the confidence of that interval, by default 0.95.

        Raises:
            InvalidParameterError: there is not one goal, or it is out of range.

        >>> found = compare_designs("log(9)", prevalence="1/10").for_goal(standard_error="1/20")
        >>> found["warner"].needed, found["improved-christofides"].needed
        (93, 58)
        """
        goal = asked_variance(variance, standard_error, margin, confidence)
        if goal is None:
            raise InvalidParameterError("there is no goal: give `variance`, `standard_error` or `margin`")
        asked = ComparisonAsked(**{each.name: getattr(self, each.name) for each in fields(ComparisonAsked)})
        direct = any(one.design == "direct question" for one in self.designs)
        found = _comparison(replace(asked, goal=goal), direct=direct, certify=False)
        return replace(found, certificate=self.certificate)

    @classmethod
    def recompute(cls, asked: ComparisonAsked, designs: list[Any], certificate: Any) -> DesignComparison:
        """Compare the designs again, from the question of a record."""
        direct = any(isinstance(one, Mapping) and one.get("design") == "direct question" for one in designs)
        return _comparison(asked, direct=direct, certify=certificate is not None)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each design: n Var, efficiency, respondents, levels, and the device.

        A level for another view of the responses has a column if it differs from that of one response.
        """
        rows = [row for design in self.designs for row in design.frame_rows()]
        views = [name for name in rows[0] if name.startswith("epsilon_")]
        same = {view for view in views if all(row[view] in (row["epsilon"], None) for row in rows)}
        return [{name: cell for name, cell in row.items() if name not in same} for row in rows]

    def lines(self) -> list[tuple[str, str]]:
        """Return the text of the summary: the budget, the survey, each design, and the bound."""
        found = [("budget", f"epsilon = {self.epsilon}, delta = {self.delta}"), ("survey", str(self.survey))]
        if self.goal is not None:
            found.append(("goal, variance", both_texts(self.goal)))
        _, header, rows = self.as_tables()[0]
        assert header is not None
        for name, *cells in rows:
            said = (f"{title} {cell}" for title, cell in zip(header[1:], cells, strict=True) if cell)
            found.append((name, "; ".join(said)))
        return found

    def as_tables(self) -> list[Table]:
        """Return a table of the designs; the last row is the bound."""
        views = ("one response", "all responses", "the sum", f"all, belief {decimal_text(self.belief)}")
        middle = [*(f"epsilon: {view}" for view in views), "budget met by"]
        header = ("design", "parameters", *middle, "n Var", "efficiency", "needed")
        rows = [design.row() for design in self.designs]
        if self.bound is not None:
            numbers = cell_text(self.bound), cell_text(_ratio(self["optimum"].variance, self.bound))
            needed = "" if self.bound_needed is None else str(self.bound_needed)
            rows.append(("lower bound", "for independent responses", *[""] * len(middle), *numbers, needed))
        columns = len(header) if self.goal is not None else -1
        title = f"Designs at epsilon = {self.epsilon}, delta = {self.delta}: {self.survey}"
        return [(title, header[:columns], [row[:columns] for row in rows])]

    def _repr_html_(self) -> str:
        """Return the table for notebooks: eight columns, the parameters beside the name, and ``needed`` with a goal."""
        title, header, rows = self.as_tables()[0]
        assert header is not None
        joined = [(f"{name} ({parameters})" if parameters else name, *cells) for name, parameters, *cells in rows]
        return html_tables([(title, ("design", *header[2:]), joined)])

    def remarks(self) -> list[str]:
        """Return the guarantee of each design, or the reason why it is impossible, grouped by equal texts."""
        grouped: dict[str, list[str]] = {}
        for design in self.designs:
            grouped.setdefault(design.remark, []).append(design.design)
        return [f"{', '.join(names)}: {remark}" for remark, names in grouped.items()]


@clear_calls
def compare_designs(
    epsilon: object,
    *,
    prevalence: object,
    delta: object = 0,
    respondents: int | None = None,
    population: int | None = None,
    surveyed: bool = False,
    belief: object | None = None,
    other: object = Fraction(1, 2),
    middle: object = Fraction(1, 100),
    draws: int = 1,
    certify: bool = True,
    direct: bool = False,
) -> DesignComparison:
    """Compare the designs of the literature at one privacy level, with the certified optimum and the bound.

    Args:
        epsilon, delta: the budget about one respondent; exact, > 0 together.
        prevalence: pi in [0, 1], for which variances are computed and the design is optimized.
        respondents: the number n; the deck and the noise on the count depend on it.
        population: N >= n, the size of the population from which they are sampled without replacement; infinite by
            default.
        surveyed: whether the whole population is asked, so that its traits are fixed and there is no sampling variance.
        belief: q, the probability that the adversary assigns to the trait of each other respondent (default: the
            prevalence).
        other: the known proportion of yes for the unrelated question, in (0, 1).
        middle: the proportion of cards 2 in Christofides' three-card designs, in [0, 1); for a deck, it is rounded down
            to whole cards.
        draws: the number of draws in Kuk's design, 1 to 20.
        direct: whether to include a direct question, which does not meet any budget.
        certify: whether to certify the optimum; otherwise it comes from the closed form alone.

    Returns:
        A ``DesignComparison``; its method ``for_goal`` adds the number of respondents for a precision.

    Raises:
        InvalidParameterError: a parameter is outside its domain.
        InfeasibleError: epsilon = delta = 0.

    >>> found = compare_designs("log(9)", prevalence="1/10", respondents=52, surveyed=True)
    >>> [(name, round(float(found[name].variance), 4)) for name in ("warner", "christofides", "improved-christofides")]
    [('warner', 0.1406), ('christofides', 0.1446), ('improved-christofides', 0.0633)]
    >>> print(found["improved-christofides"].kept, found.bound, found["improved-christofides"].epsilons["all"])
    ('one',) 9/64 inf
    """
    problem = Problem.binary(prevalence, epsilon=epsilon, delta=delta)
    survey = Respondents(problem.prevalence, respondents, population, surveyed)
    seen = problem.prevalence
    if belief is not None:
        seen = rational_where(belief, lambda q: 0 <= q <= 1, "0 <= q <= 1", name="belief")
    share = rational_where(middle, lambda p: 0 <= p < 1, "0 <= middle < 1, for three cards", name="middle")
    theta = rational_where(other, lambda p: 0 < p < 1, "0 < yes-share < 1", name="other")
    region = problem.region.one_level()
    checked = ComparisonAsked(region.epsilon, region.delta, seen, survey, None, theta, share, draws)
    return _comparison(checked, direct=direct, certify=certify)


def _comparison(asked: ComparisonAsked, *, direct: bool, certify: bool) -> DesignComparison:
    survey, goal, pi = asked.survey, asked.goal, asked.survey.prevalence
    problem = Problem.binary(pi, epsilon=asked.epsilon, delta=asked.delta)
    levels, optimum, certificate = closed_form_optimum(problem, certify=certify)
    budget = PrivacyBudget(asked.epsilon, levels.below.gamma, levels.below.delta)
    tuned = tuned_designs(
        budget.gamma, budget.delta, optimum, pi, other=asked.other, middle=asked.middle, draws=asked.draws
    )
    tuned["optimum"] = DESIGNS["generalised"](optimum.p00, optimum.p11)
    rows = drawn_designs(tuned, budget, survey, goal)
    rows.insert(-1, dealt_design(budget, survey, goal, asked.middle, asked.belief))
    rows += [noisy_design(kind, budget, survey, goal) for kind in ("laplace", "discrete-laplace")]
    if direct:
        rows.append(direct_design(budget, survey, goal))
    best = next(row.variance for row in rows if row.design == "optimum")
    bound = None if asked.delta != Delta.of(0) else two_point_bound(levels.above.gamma)
    own = {each.name: getattr(asked, each.name) for each in fields(asked)}
    return DesignComparison(
        **own,
        gamma=budget.gamma,
        designs=tuple(replace(row, efficiency=_ratio(best, row.variance)) for row in rows),
        bound=None if bound is None else survey.sampling(survey.respondents) + bound,
        bound_needed=None if bound is None or goal is None else survey.least(bound, goal),
        certificate=certificate,
    )


def _ratio(best: Fraction | None, own: Fraction | None) -> Fraction | None:
    return best / own if best and own else None
