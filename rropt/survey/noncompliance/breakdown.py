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
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from rropt.core.certificates import Certificate
from rropt.core.certificates.linear_program import problem_of
from rropt.core.certificates.records import part_of, proof_of_record, require_infeasible, require_value
from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.exact import decimal_text, rational
from rropt.core.exact.texts import fraction_of
from rropt.core.limits import MAX_ANSWERS
from rropt.core.linear import LinearProgram
from rropt.core.linear.programs import Relation, Sense
from rropt.core.results import Result, labelled
from rropt.mechanisms.columns import required_list
from rropt.survey.estimates.counts import answer_count
from rropt.survey.estimates.distributions import exact_confidence
from rropt.survey.noncompliance.bounds import confidence_sets, groups_of, signed_contrasts
from rropt.survey.noncompliance.models import Behaviour, Population, Sample, Vector, populations_of
from rropt.survey.noncompliance.programs import Attained, Ends, Program, attained, fits, optimum

_SENSE: dict[str, Sense] = {">=": "minimise", "<=": "maximise"}
_OPPOSITE: dict[str, Relation] = {">=": "<=", "<=": ">="}


@dataclass(frozen=True, slots=True)
class Conclusion(Result):
    """A statement ``c . pi >= value`` or ``<= value``; for two populations, about their difference.

    Attributes:
        relation: ``">="`` or ``"<="``.
        value: v.
    """

    relation: Literal[">=", "<="]
    value: Fraction

    @classmethod
    def of(cls, text: object) -> Conclusion:
        """Parse a conclusion such as ``at least 30 %``, ``at most 1/10``, ``more`` or ``less``.

        Raises:
            InvalidParameterError: the text is not a conclusion of one of these forms.

        >>> print(Conclusion.of("at least 30 %"))
        at least 0.3
        """
        words = {"at least": ">=", ">=": ">=", "at most": "<=", "<=": "<="}
        match = re.fullmatch(r"(at least|at most|>=|<=)\s*(-?[^\s%]+)\s*(%?)|(more|less)", str(text).strip())
        if match is None:
            raise InvalidParameterError(
                f"the conclusion is not understood: received {shown(text)}; allowed are 'at least X', 'at most X' (X a "
                "number or a percentage), and of two populations 'more' and 'less'"
            )
        if match[4]:
            return cls(">=" if match[4] == "more" else "<=", Fraction(0))
        value = rational(match[2], name="the conclusion's number")
        return cls(">=" if words[match[1]] == ">=" else "<=", value / 100 if match[3] else value)

    def __str__(self) -> str:
        return f"{'at least' if self.relation == '>=' else 'at most'} {decimal_text(self.value)}"


@dataclass(frozen=True, slots=True)
class Given(Result):
    """The data of a breakdown point, from which its linear programs are rebuilt.

    Attributes:
        samples: the samples of each population.
        behaviours: the behaviours of non-compliers.
        contrast: c, shape (k,); empty if no value of ``c . pi`` is involved.
        confidence: the confidence of the set of response proportions; ``None`` for the observed proportions.
    """

    samples: tuple[tuple[Sample, ...], ...]
    behaviours: tuple[Behaviour, ...]
    contrast: Vector
    confidence: Fraction | None

    def checked(self) -> None:
        """Raise InvalidParameterError unless the samples belong to one or two populations with the same categories."""
        if len(self.samples) not in (1, 2):
            raise InvalidParameterError(f"there are {len(self.samples)} populations; allowed are 1 and 2")
        groups = populations_of(self.samples, self.behaviours)
        if len({group.categories for group in groups}) > 1:
            raise InvalidParameterError("the populations have different categories; allowed is the same number")
        if self.contrast:
            signed_contrasts(groups, self.contrast)

    def populations(self) -> list[tuple[Population, Ends]]:
        """Return each population with the bounds of its response proportions."""
        return _ends(populations_of(self.samples, self.behaviours), self.confidence)

    def contrasts(self) -> tuple[Vector, ...]:
        """Return c for the first population and -c for the second, or ``()`` if the contrast is empty."""
        groups = populations_of(self.samples, self.behaviours)
        return signed_contrasts(groups, self.contrast) if self.contrast else ()


def _given(ends: Sequence[tuple[Population, Ends]], contrasts: Sequence[Vector], confidence: object) -> Given:
    groups = [group for group, _ in ends]
    level = None if confidence is None else exact_confidence(confidence)
    return Given(
        tuple(group.samples for group in groups), groups[0].noncompliers, contrasts[0] if contrasts else (), level
    )


@dataclass(frozen=True, slots=True)
class Breakdown(Result):
    """The largest proportion of non-compliers for which a conclusion is still valid.

    Attributes:
        conclusion: the conclusion.
        theta: the conclusion is valid up to this proportion of non-compliers; 1 if no proportion overturns it.
        stands: whether the conclusion is valid at theta; False if it fails for every theta for which a population
            exists.
        against: for each group, the population that overturns the conclusion beyond theta; empty if there is none.
        certificate: the accepted certificate that no smaller proportion overturns the conclusion, or that no proportion
            at all does.
        given: the samples.
        at_theta: the certificate of the extreme value at theta, if a population overturns the conclusion.
    """

    conclusion: Conclusion
    theta: Fraction
    stands: bool
    against: tuple[Attained, ...]
    certificate: Certificate
    given: Given
    at_theta: Certificate | None = None

    def checked(self) -> None:
        """Check that the fields follow from the samples and the certificates.

        If a population overturns the conclusion, theta is the optimum of the certificate. Otherwise the certificate
        shows that the conclusion is valid everywhere, or that no population gives the responses. The method rebuilds
        the linear programs from the samples without solving them. It requires that the certificates belong to these
        programs and that the populations satisfy their constraints.

        Raises:
            FileFormatError: the checker rejects a certificate, or the certificate proves a different statement.
        """
        what, sign = "breakdown point", 1 if self.conclusion.relation == ">=" else -1
        proof_of_record(self.certificate, problem_of(self._program()), what)
        if self.against:
            require_value(self.certificate, self.theta, what)
        elif self.stands:
            value = fraction_of(part_of(self.certificate, "claim", "lower", what))
            if sign * (value - self.conclusion.value) < 0 or self.theta != 1:
                raise FileFormatError(
                    f"the record of a {what} contradicts its certificate: received a conclusion that stands; the "
                    f"certificate has a value of {decimal_text(value)}; use the record as it was written"
                )
        else:
            if self.theta != 1:
                raise FileFormatError(
                    f"the record of a {what} has theta = {decimal_text(self.theta)} where no population fits; "
                    "allowed is 1; use the record as it was written"
                )
            require_infeasible(self.certificate, what)
        if self.against:
            self._require_overturned()

    def _program(self) -> LinearProgram:
        """Return the program of the certificate: for the least proportion of non-compliers or the extreme value."""
        if self.against:
            found = Program("minimise", self.given.populations())
            return found.least_noncompliers(
                self.given.contrasts(), _OPPOSITE[self.conclusion.relation], self.conclusion.value
            )
        return Program(_SENSE[self.conclusion.relation], self.given.populations()).optimise(self.given.contrasts())

    def _require_overturned(self) -> None:
        """Check that the populations give the responses and overturn the conclusion.

        Raises:
            FileFormatError: the populations or ``stands`` contradict the certificates.
        """
        what, sign = "breakdown point", 1 if self.conclusion.relation == ">=" else -1
        ends, contrasts = self.given.populations(), self.given.contrasts()
        value = Fraction(0)
        for found, contrast in zip(self.against, contrasts, strict=False):
            value += sum((c * p for c, p in zip(contrast, found.prevalences, strict=False)), Fraction(0))
        fit = len(self.against) == len(ends) and all(
            fits(group, own, found) and found.theta <= self.theta
            for (group, own), found in zip(ends, self.against, strict=True)
        )
        if not fit or sign * (value - self.conclusion.value) > 0:
            raise _contradiction_error(
                what, "populations that do not give the answers, or do not overturn the conclusion"
            )
        if self.at_theta is None:
            raise _contradiction_error(what, "no certificate of the extreme value at theta")
        there = Program(_SENSE[self.conclusion.relation], ends)
        there.limit_noncompliers("<=", self.theta)
        proof = self.at_theta
        proof_of_record(proof, problem_of(there.optimise(contrasts)), what)
        extreme = fraction_of(part_of(proof, "claim", "lower", what))
        require_value(proof, extreme, what)
        if self.stands != (sign * (extreme - self.conclusion.value) >= 0):
            raise _contradiction_error(what, f"`stands` where the extreme value is {decimal_text(extreme)}")

    LABELS = labelled(
        conclusion="conclusion", theta="largest proportion of non-compliers", stands="stands there", against=""
    )

    def __str__(self) -> str:
        if not self.stands:
            return f"{self.conclusion}: does not stand"
        if not self.against:
            return f"{self.conclusion}: stands whatever the proportion of non-compliers"
        return f"{self.conclusion}: stands up to {decimal_text(self.theta)} of non-compliers"


def _contradiction_error(what: str, received: str) -> FileFormatError:
    return FileFormatError(
        f"the record of a {what} contradicts its certificate: received {received}; use the record as it was written"
    )


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
        conclusion: a ``Conclusion`` or its text: ``at least 30 %``; for two populations ``more`` or ``less``.
        confidence: the confidence of the set of response proportions; None uses the observed proportions alone.

    Raises:
        InvalidParameterError: as for ``prevalence_bounds``, or the conclusion is not understood.

    >>> from rropt.mechanisms import named_mechanism
    >>> device = named_mechanism("forced:2/3,1/6,1/6")
    >>> print(breakdown_point((device, [1604, 831]), "at least 20 %"))
    at least 0.2: stands up to 0.0495277 of non-compliers
    """
    said = conclusion if isinstance(conclusion, Conclusion) else Conclusion.of(conclusion)
    groups = groups_of(samples, versus, model)
    contrasts = signed_contrasts(groups, contrast)
    ends = _ends(groups, confidence)
    return _breakdown(ends, contrasts, said, confidence)


def _ends(groups: Sequence[Population], confidence: object) -> list[tuple[Population, Ends]]:
    if confidence is None:
        return [(group, group.shares()) for group in groups]
    return confidence_sets(groups, exact_confidence(confidence))


def _breakdown(
    ends: Sequence[tuple[Population, Ends]], contrasts: Sequence[Vector], said: Conclusion, confidence: object
) -> Breakdown:
    least, opposite = _SENSE[said.relation], _OPPOSITE[said.relation]
    sign, given = 1 if said.relation == ">=" else -1, _given(ends, contrasts, confidence)
    contradictions: list[Certificate] = []
    extreme = optimum(Program(least, ends).optimise(contrasts), contradictions)
    if extreme is None:
        return Breakdown(said, Fraction(1), False, (), contradictions[0], given)
    if sign * (extreme[0].value - said.value) >= 0:
        return Breakdown(said, Fraction(1), True, (), extreme[1], given)
    search = Program("minimise", ends)
    found = optimum(search.least_noncompliers(contrasts, opposite, said.value), contradictions)
    assert found is not None  # feasible: the extreme population satisfies all constraints
    outcome, certificate = found
    against = attained(search, outcome)
    there = Program(least, ends)
    there.limit_noncompliers("<=", outcome.value)
    at_theta = optimum(there.optimise(contrasts), contradictions)
    assert at_theta is not None  # feasible: the population in ``against`` satisfies all constraints
    stands = sign * (at_theta[0].value - said.value) >= 0
    return Breakdown(said, outcome.value, stands, against, certificate, given, at_theta[1])


def breakdown_by_size(
    sample: object,
    conclusion: object,
    sizes: Sequence[object],
    *,
    model: str = "adversarial",
    confidence: object = "0.95",
) -> list[tuple[int, Breakdown]]:
    """Return the breakdown point for other numbers of respondents, with the same proportions of responses.

    Args:
        sample: ``(mechanism, counts)`` for a device with two outputs.
        conclusion, model, confidence: as for ``breakdown_point``.
        sizes: numbers of respondents n; the number of yes responses is rounded to the nearest integer.

    Returns:
        Pairs of n and the breakdown point with sampling error at this n.

    Raises:
        InvalidParameterError: as for ``breakdown_point``, or the device has more than two outputs.
    """
    said = conclusion if isinstance(conclusion, Conclusion) else Conclusion.of(conclusion)
    ((population),) = groups_of(sample, None, model)
    if len(population.samples) != 1 or len(population.samples[0].counts) != 2:
        raise InvalidParameterError(
            "sizes can be tried for one sample with two answers: received another form of sample"
        )
    (one,) = population.samples
    table = []
    for size in required_list(sizes, "`sizes`", "a list of numbers of respondents"):
        n = answer_count(size, "a number of respondents", least=1)
        yes = min(round(one.shares[1] * n), MAX_ANSWERS)
        scaled = Population((Sample(one.mechanism, (n - yes, yes)),), population.noncompliers)
        table.append((n, _breakdown(_ends([scaled], confidence), signed_contrasts([scaled], None), said, confidence)))
    return table


@dataclass(frozen=True, slots=True)
class Reconciliation(Result):
    """The smallest proportion of non-compliers that explains the responses of a population of known prevalence.

    Attributes:
        theta: the smallest proportion; None if no proportion of such non-compliers explains the responses.
        population: a population that attains it.
        certificate: proves that no smaller proportion explains the responses, or that no proportion at all does.
        given: the samples.
        truth: the known value of ``c . pi``, or ``None`` if it is unknown.
    """

    theta: Fraction | None
    population: Attained | None
    certificate: Certificate
    given: Given
    truth: Fraction | None = None

    def checked(self) -> None:
        """Check that the fields follow from the samples and the certificate.

        Raises:
            FileFormatError: the checker rejects the certificate, or its optimum differs from theta.
        """
        what = "least proportion of non-compliers"
        program = Program("minimise", self.given.populations())
        own = problem_of(_least_noncompliers_program(program, self.given.contrasts(), self.truth))
        proof_of_record(self.certificate, own, what)
        if self.theta is None:
            require_infeasible(self.certificate, what)
        else:
            require_value(self.certificate, self.theta, what)
        ((group, ends), *_), found = self.given.populations(), self.population
        if (found is None) != (self.theta is None):
            raise _contradiction_error(
                what, "a population without a proportion of non-compliers, or the other way round"
            )
        if found is not None and self.theta is not None:
            value = sum((c * p for c, p in zip(self.given.contrast, found.prevalences, strict=False)), Fraction(0))
            if not fits(group, ends, found) or found.theta > self.theta or self.truth not in (None, value):
                raise _contradiction_error(
                    what, "a population that does not give the answers, the truth and the proportion of non-compliers"
                )

    LABELS = labelled(theta="least proportion of non-compliers", population="")

    def __str__(self) -> str:
        return (
            "no proportion of non-compliers"
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
    groups = groups_of(samples, None, model)
    ends = _ends(groups, confidence)
    program, contradictions = Program("minimise", ends), []  # type: tuple[Program, list[Certificate]]
    value = None if truth is None else rational(truth, name="the known value")
    contrasts = () if value is None else signed_contrasts(groups, contrast)
    given = _given(ends, contrasts, confidence)
    found = optimum(_least_noncompliers_program(program, contrasts, value), contradictions)
    if found is None:
        return Reconciliation(None, None, contradictions[0], given, value)
    return Reconciliation(found[0].value, attained(program, found[0])[0], found[1], given, value)


def _least_noncompliers_program(program: Program, contrasts: Sequence[Vector], truth: Fraction | None) -> LinearProgram:
    """Return the program for the least proportion of non-compliers, with ``c . pi = truth`` if the truth is known."""
    return program.least_noncompliers() if truth is None else program.least_noncompliers(contrasts, "=", truth)
