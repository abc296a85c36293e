r"""One linear program over all populations whose response proportions lie within bounds (see `models`).

The variables are the shares ``x_t >= 0`` of the types of a population. In each sample, let ``r_i >= 0`` be the
proportion of respondents who may give any response and give response i. The constraints are

    ``sum_t x_t = 1``,   ``sum_{t in b} x_t <= most_b`` for each limited behaviour b,
    ``sum_i r_i = sum_{t free} x_t``,
    ``low_i <= sum_{t not free} law_t(i) x_t + r_i <= high_i``.

The proportion of non-compliers is ``theta = sum_{t not complying} x_t``. The *target* is ``sum_t c(category_t) x_t``,
summed over the groups. Every result is the optimum of the target or of the largest theta over the groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, TypeAlias

from rropt.core.certificates import Certificate, certify_infeasible, certify_optimal
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import exact_confidence
from rropt.core.linear import Infeasible, Optimal, ProgramBuilder, solve
from rropt.core.linear.programs import Relation, Sense
from rropt.core.results import Result, labelled
from rropt.inference.count_estimates import exact_contrast, unit
from rropt.noncompliance.behaviour_models import Behaviour, Population, Sample, Type, Vector, behaviours

Ends: TypeAlias = Sequence[Sequence[tuple[Fraction, Fraction]]]
"""For each sample and output, the lower and the upper bound of its probability."""
Limit: TypeAlias = tuple[Relation, Fraction]


@dataclass(frozen=True, slots=True)
class Attained(Result):
    """A population that attains a bound: proportions of compliers and non-compliers by behaviour and category.

    Attributes:
        compliers: the proportion of compliers in each category, shape (k,).
        noncompliers: for each behaviour, the proportion of such non-compliers in each category, shape (k,).
    """

    compliers: Vector
    noncompliers: tuple[Vector, ...]

    LABELS = labelled(prevalences="prevalences", theta="proportion of non-compliers", compliers="compliers by category")

    def checked(self) -> None:
        """Raise InvalidParameterError unless all vectors have the same number of categories."""
        if {len(shares) for shares in self.noncompliers} - {len(self.compliers)}:
            raise InvalidParameterError(
                "a population has proportions of different numbers of categories: allowed is one"
            )

    @property
    def prevalences(self) -> Vector:
        """pi, shape (k,)."""
        return tuple(map(sum, zip(self.compliers, *self.noncompliers, strict=True)))  # type: ignore[arg-type]

    @property
    def theta(self) -> Fraction:
        """The proportion of non-compliers."""
        return sum((share for shares in self.noncompliers for share in shares), Fraction(0))


@dataclass(frozen=True, slots=True)
class ProgramOptimum:
    """The optimum of the program: its value, a population of each group that attains it, and its certificate.

    The value is None if no population satisfies the constraints; the certificate then proves that.
    """

    value: Fraction | None
    populations: tuple[Attained, ...]
    certificate: Certificate


@dataclass(frozen=True, slots=True, repr=False)  # results print as ``Result`` says
class Given:
    """The question of a result about non-compliance, from which its linear programs are built (``optimum``).

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

    @classmethod
    def of(
        cls,
        samples: Any,
        versus: Any,
        model: str,
        contrast: Sequence[object] | None = None,
        confidence: object = None,
        *,
        has_value: bool = True,
    ) -> Given:
        """Check the arguments of ``prevalence_bounds``; ``has_value``: whether a value of ``c . pi`` is involved."""
        found, pairs = behaviours(model), [samples] if versus is None else [samples, versus]
        made = cls(tuple(_samples(each) for each in pairs), found, (), None)
        k = made.groups()[0].categories
        if has_value and contrast is None and k != 2:
            raise InvalidParameterError(
                f"a prevalence belongs to two categories: received {k}; give contrast, one number for each category"
            )
        c = () if not has_value else unit(1, 2) if contrast is None else exact_contrast(contrast, k)
        return replace(made, contrast=c, confidence=None if confidence is None else exact_confidence(confidence))

    def question(self) -> dict[str, Any]:
        """Return the attributes of the question by name, also of a result that has them."""
        return {each.name: getattr(self, each.name) for each in fields(Given)}

    def groups(self) -> tuple[Population, ...]:
        """Return the populations, one or two with the same categories."""
        groups = tuple(
            Population(tuple(Sample.of(one.mechanism, one.counts) for one in each), self.behaviours)
            for each in self.samples
        )
        if len(groups) not in (1, 2):
            raise InvalidParameterError(f"there are {len(groups)} populations; allowed are 1 and 2")
        if len({group.categories for group in groups}) > 1:
            raise InvalidParameterError(
                f"groups have different categories: received {[group.categories for group in groups]}; allowed is the "
                "same"
            )
        return groups

    def optimum(
        self, sense: Sense, *, of_theta: bool = False, theta: Limit | None = None, target: Limit | None = None
    ) -> ProgramOptimum:
        """Optimize the target, or the largest proportion of non-compliers in a group, by a linear program.

        The bounds of all response proportions are jointly valid with the confidence.

        Args:
            sense: whether to minimize or maximize.
            of_theta: whether the objective is the largest theta in place of the target.
            theta: a constraint on the proportion of non-compliers in each group.
            target: a constraint on the target.
        """
        groups, level = self.groups(), self.confidence
        each = None if level is None else 1 - (1 - exact_confidence(level)) / len(groups)
        c = self.contrast and exact_contrast(self.contrast, groups[0].categories)
        contrasts = (c, tuple(-x for x in c))[: len(groups)] if c else ()
        builder = ProgramBuilder(sense)
        objective = builder.variable("objective", cost=1, sign="free")
        columns = [_add(builder, group, group.ends(each)) for group in groups]
        noncompliers = [[(x, 1) for of, x in own if of.behaviour is not None] for own in columns]
        terms = [(x, c[of.category]) for own, c in zip(columns, contrasts, strict=False) for of, x in own]
        if theta is not None:
            for own in noncompliers:
                builder.row("noncompliers", own, *theta)
        if target is not None:
            builder.row("conclusion", terms, *target)
        if of_theta:
            for own in noncompliers:
                builder.row("noncompliers", [(objective, 1), *((x, -1) for x, _ in own)], ">=", 0)
        else:
            builder.row("objective", [(objective, Fraction(-1)), *terms], "=", 0)
        program = builder.build()
        outcome = solve(program)
        if isinstance(outcome, Infeasible):
            return ProgramOptimum(None, (), Certificate.attempt(lambda: certify_infeasible(program, outcome)))
        assert isinstance(outcome, Optimal)  # not unbounded, because prevalences lie in [0, 1]
        populations = tuple(
            _attained(group, [(of, outcome.primal[x]) for of, x in own])
            for group, own in zip(groups, columns, strict=True)
        )
        return ProgramOptimum(
            outcome.value, populations, Certificate.attempt(lambda: certify_optimal(program, outcome))
        )


def _samples(given: Any) -> tuple[Sample, ...]:
    pairs = list(given) if isinstance(given, (list, tuple)) else []
    if len(pairs) == 2 and not isinstance(pairs[0], (list, tuple, Sample)):
        pairs = [tuple(pairs)]
    if not pairs or not all(
        isinstance(pair, Sample) or (isinstance(pair, (list, tuple)) and len(pair) == 2) for pair in pairs
    ):
        raise InvalidParameterError(
            f"samples are invalid: received {shown(given)}; allowed is (mechanism, counts) or a list of such pairs"
        )
    return tuple(pair if isinstance(pair, Sample) else Sample.of(*pair) for pair in pairs)


def _add(builder: ProgramBuilder, population: Population, ends: Ends) -> list[tuple[Type, int]]:
    """Add the variables and constraints of a population, and return each type with the column of its share."""
    types = [(of, builder.variable(of.name)) for of in population.types()]
    builder.row("everybody", [(x, 1) for _, x in types], "=", 1)
    for behaviour in population.noncompliers:
        if behaviour.most is not None:
            builder.row(str(behaviour), [(x, 1) for of, x in types if of.behaviour is behaviour], "<=", behaviour.most)
    free = [(x, -1) for of, x in types if of.laws is None]
    for s, of_sample in enumerate(ends):
        outputs = range(len(of_sample))
        any_response = [builder.variable(f"sample {s}: any response, {i}") for i in outputs] if free else []
        if free:
            builder.row(f"sample {s}: any response", [*((r, 1) for r in any_response), *free], "=", 0)
        for i, (low, high) in enumerate(of_sample):
            terms = [(x, of.laws[s][i]) for of, x in types if of.laws is not None]
            terms += [(r, Fraction(1)) for r in any_response[i : i + 1]]
            builder.row(f"sample {s}: answer {i} at least", terms, "=" if low == high else ">=", low)
            if low < high:
                builder.row(f"sample {s}: answer {i} at most", terms, "<=", high)
    return types


def _attained(population: Population, shares: Sequence[tuple[Type, Fraction]]) -> Attained:
    rows = {behaviour: [Fraction(0)] * population.categories for behaviour in (None, *population.noncompliers)}
    for of, share in shares:
        rows[of.behaviour][of.category] = share
    compliers, *noncompliers = map(tuple, rows.values())
    return Attained(compliers, tuple(noncompliers))
