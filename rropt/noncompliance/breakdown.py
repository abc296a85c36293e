"""Breakdown points: the largest proportion of non-compliers at which a conclusion remains valid.

A conclusion has the form ``c . pi >= v`` or ``c . pi <= v``, or is about the difference of two populations. It is valid
at theta if every population that gives the responses with at most theta of non-compliers in each group satisfies it.
Increasing theta allows more populations. The conclusion ``c . pi >= v`` is therefore valid up to

    ``theta* = min {theta : some population with at most theta of non-compliers has c . pi <= v}``,

which is one linear program. The smallest value of ``c . pi`` is a convex function of theta. Hence it equals v at
theta*, and the conclusion is still valid there, unless the conclusion fails at every theta for which a population
exists.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from rropt.answers.response_counts import answer_count
from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import decimal_text, rational
from rropt.core.limits import MAX_ANSWERS
from rropt.core.linear.programs import Relation, Sense
from rropt.core.results import Result, labelled
from rropt.mechanisms.columns import required_list
from rropt.noncompliance.behaviour_models import Sample
from rropt.noncompliance.population_program import Attained, Given, Limit
from rropt.noncompliance.recomputed_results import RecomputedResult

_SENSES: dict[str, tuple[Sense, Relation]] = {">=": ("minimise", "<="), "<=": ("maximise", ">=")}


Sign = Literal[">=", "<="]


def parsed_conclusion(text: object) -> tuple[Sign, Fraction]:
    """Return the relation and the value of a conclusion: ``at least 30 %``, ``at most 1/10``, ``more``, ``less``.

    Raises:
        InvalidParameterError: the text is not a conclusion of one of these forms.

    >>> parsed_conclusion("at least 30 %")
    ('>=', Fraction(3, 10))
    """
    words: dict[str, Sign] = {"at least": ">=", ">=": ">=", "at most": "<=", "<=": "<=", "more": ">=", "less": "<="}
    typed = text.strip() if isinstance(text, str) else ""
    match = re.fullmatch(r"(at least|at most|>=|<=)\s*(-?[^\s%]+)\s*(%?)|(more|less)", typed)
    if match is None:
        raise InvalidParameterError(
            f"the conclusion is not understood: received {shown(text)}; allowed are 'at least X', 'at most X' (X a "
            "number or a percentage), and of two populations 'more' and 'less'"
        )
    if match[4]:
        return words[match[4]], Fraction(0)
    value = rational(match[2], name="the conclusion's number")
    return words[match[1]], value / 100 if match[3] else value


@dataclass(frozen=True, slots=True)
class Breakdown(Given, RecomputedResult, Result):
    """The largest proportion of non-compliers for which a conclusion is still valid.

    Attributes:
        relation: ``">="`` or ``"<="``: the conclusion is ``c . pi >= value`` or ``<= value``; for two populations it is
            about their difference.
        value: v, the value of the conclusion.
        theta: the conclusion is valid up to this proportion of non-compliers; 1 if no proportion overturns it.
        stands: whether the conclusion is valid at theta; False if it fails for every theta for which a population
            exists, or if no population exists.
        against: for each group, the population that overturns the conclusion beyond theta; empty if there is none.
        certificate: the accepted certificate that no smaller proportion overturns the conclusion, or that no proportion
            at all does.
        at_theta: the certificate of the extreme value at theta, if a population overturns the conclusion.
        The other attributes are those of ``Given``.
    """

    relation: Sign
    value: Fraction
    theta: Fraction
    stands: bool
    against: tuple[Attained, ...]
    certificate: Certificate
    at_theta: Certificate | None = None

    @classmethod
    def recompute(cls, asked: Given, relation: Sign, value: Fraction) -> Breakdown:
        """Compute the breakdown point from the question."""
        sense, opposite = _SENSES[relation]
        sign, extreme = 1 if relation == ">=" else -1, asked.optimum(sense)
        own: dict[str, Any] = {**asked.question(), "relation": relation, "value": value}
        if extreme.value is None or sign * (extreme.value - value) >= 0:
            exists = extreme.value is not None
            return cls(**own, theta=Fraction(1), stands=exists, against=(), certificate=extreme.certificate)
        least = asked.optimum("minimise", of_theta=True, target=(opposite, value))
        assert least.value is not None  # feasible: the extreme population satisfies all constraints
        there = asked.optimum(sense, theta=("<=", least.value))
        assert there.value is not None  # feasible: the populations of ``least`` satisfy all constraints
        return cls(
            **own,
            theta=least.value,
            stands=sign * (there.value - value) >= 0,
            against=least.populations,
            certificate=least.certificate,
            at_theta=there.certificate,
        )

    @property
    def conclusion(self) -> str:
        """The conclusion in words, such as ``at least 0.3``."""
        return f"{'at least' if self.relation == '>=' else 'at most'} {decimal_text(self.value)}"

    LABELS = labelled(conclusion="conclusion", theta="largest proportion of non-compliers", stands="stands there")

    def __str__(self) -> str:
        if not self.stands:
            why = "does not stand" if self.against else "not decided: no distribution gives such proportions"
            return f"{self.conclusion}: {why}"
        if not self.against:
            return f"{self.conclusion}: stands whatever the proportion of non-compliers"
        return f"{self.conclusion}: stands up to {decimal_text(self.theta)} of non-compliers"


def breakdown_point(
    samples: Any,
    conclusion: object,
    *,
    model: str = "adversarial",
    contrast: Sequence[object] | None = None,
    versus: Any = None,
    confidence: object = None,
) -> Breakdown:
    """Return the largest proportion of non-compliers (per group) for which a conclusion is still valid.

    Args:
        samples, model, contrast, versus: as for ``prevalence_bounds``.
        conclusion: such as ``at least 30 %``; for two populations ``more`` or ``less``.
        confidence: the confidence of the set of response proportions; None uses the observed proportions alone.

    Raises:
        InvalidParameterError: as for ``prevalence_bounds``, or the conclusion is not understood.

    >>> from rropt.mechanisms import named_mechanism
    >>> device = named_mechanism("forced:2/3,1/6,1/6")
    >>> print(breakdown_point((device, [1604, 831]), "at least 20 %"))
    at least 0.2: stands up to 0.0495277 of non-compliers
    """
    said = parsed_conclusion(conclusion)
    return Breakdown.recompute(Given.of(samples, versus, model, contrast, confidence), *said)


def breakdown_by_size(
    sample: object,
    conclusion: object,
    sizes: Sequence[object],
    *,
    model: str = "adversarial",
    contrast: Sequence[object] | None = None,
    confidence: object = "0.95",
) -> list[tuple[int, Breakdown]]:
    """Return the breakdown point for other numbers of respondents, with the same proportions of responses.

    Args:
        sample: ``(mechanism, counts)`` for a device with two outputs.
        conclusion, model, contrast, confidence: as for ``breakdown_point``.
        sizes: numbers of respondents n; the number of yes responses is rounded to the nearest integer.

    Returns:
        Pairs of n and the breakdown point with sampling error at this n.

    Raises:
        InvalidParameterError: as for ``breakdown_point``, or the device has more than two outputs.
    """
    said = parsed_conclusion(conclusion)
    ((one, *others),) = Given.of(sample, None, model, has_value=False).samples
    if others or len(one.counts) != 2:
        raise InvalidParameterError(
            "sizes can be tried for one sample with two answers: received another form of sample"
        )
    table, given = [], Given.of(sample, None, model, contrast, confidence)
    for size in required_list(sizes, "`sizes`", "a list of numbers of respondents"):
        n = answer_count(size, "a number of respondents", least=1)
        yes = min(round(one.shares[1] * n), MAX_ANSWERS)
        scaled = replace(given, samples=((Sample(one.mechanism, (n - yes, yes)),),))
        table.append((n, Breakdown.recompute(scaled, *said)))
    return table


@dataclass(frozen=True, slots=True)
class Reconciliation(Given, RecomputedResult, Result):
    """The smallest proportion of non-compliers that explains the responses of a population of known prevalence.

    Attributes:
        theta: the smallest proportion; None if no proportion of such non-compliers explains the responses.
        population: a population that attains it.
        certificate: proves that no smaller proportion explains the responses, or that no proportion at all does.
        truth: the known value of ``c . pi``, or ``None`` if it is unknown.
        The other attributes are those of ``Given``.
    """

    theta: Fraction | None
    population: Attained | None
    certificate: Certificate
    truth: Fraction | None = None

    @classmethod
    def recompute(cls, asked: Given, truth: Fraction | None = None) -> Reconciliation:
        """Compute the smallest proportion from the question."""
        target: Limit | None = None if truth is None else ("=", truth)
        found = asked.optimum("minimise", of_theta=True, target=target)
        population = found.populations[0] if found.populations else None
        return cls(
            **asked.question(), theta=found.value, population=population, certificate=found.certificate, truth=truth
        )

    LABELS = labelled(theta="least proportion of non-compliers")

    def __str__(self) -> str:
        return (
            "no proportion of non-compliers explains the responses"
            if self.theta is None
            else f"at least {decimal_text(self.theta)} of non-compliers"
        )


def least_noncompliers(
    samples: Any,
    truth: object = None,
    *,
    model: str = "adversarial",
    contrast: Sequence[object] | None = None,
    confidence: object = None,
) -> Reconciliation:
    """Return the smallest proportion of non-compliers that explains the responses if ``c . pi = truth``.

    Args:
        samples, model, contrast: as for ``prevalence_bounds``, for one population.
        truth: the known value of ``c . pi``, or None if it is unknown.
        confidence: the confidence of the set of response proportions; None uses the observed proportions alone.

    Raises:
        InvalidParameterError: as for ``prevalence_bounds``.

    >>> from rropt.mechanisms import named_mechanism
    >>> print(least_noncompliers((named_mechanism("forced:2/3,1/6,1/6"), [1604, 831]), "0.4", model="always-no"))
    at least 0.110472 of non-compliers
    """
    value = None if truth is None else rational(truth, name="the known value")
    given = Given.of(samples, None, model, contrast, confidence, has_value=value is not None)
    return Reconciliation.recompute(given, value)
