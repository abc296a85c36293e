"""Sample sizes for groups: respondents for a difference between two groups, and their allocation to strata.

*A difference.* The devices have ``lambda_g(pi) = low_g + d_g pi``. Let v_0 and v_1 be the sums of the two variances per
respondent, at the mean prevalence and at the true prevalences. With n respondents in each group, the normal test at
significance a has power b for about ``n = (z_a sqrt(v_0) + z_b sqrt(v_1))^2/(pi_1 - pi_2)^2``. If the exact test is
feasible at this n, the code sums its power over all pairs of counts, increases n until the power is sufficient, and
then decreases it while the power remains sufficient.

*Strata.* Let W_h be the proportion of the population in stratum h, n_h the number of its respondents, and s_h^2 the
variance per respondent. The variance of ``sum_h W_h pi_h`` is ``sum_h W_h^2 s_h^2/n_h``. For a given total, integers
``n_h >= 1`` are optimal if each respondent was added where this decreased the variance most. Reason: the variance is a
sum of convex functions of one n_h each (Neyman 1934; for integers: Wright 2012). The code compares exactly, in
fractions.

*A finite population.* If the respondents of a group or stratum are sampled without replacement from N people, the
sampling of their true answers counts ``1 - n/N`` of its variance, and their randomization counts in full:
``Var = (S^2 + v)/n - S^2/N`` with ``S^2 = pi (1 - pi) N/(N - 1)`` and v of the device. At most N people respond. Design
effects and clusters widen these parts as in ``sample_conditions``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from heapq import heapify, heapreplace
from math import ceil, floor, inf, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.answers.response_counts import answer_count
from rropt.core.errors import InfeasibleError, InvalidParameterError, shown
from rropt.core.exact import decimal_text, exact_confidence, rational, rational_where
from rropt.core.limits import MAX_ANSWERS
from rropt.core.results import Result, labelled, plain_lines
from rropt.core.results.result_frames import row_with
from rropt.core.results.twins import PosedTwice
from rropt.core.visible import with_noun
from rropt.inference.distributions import two_sided_quantile
from rropt.inference.exact_tests import BinomialSample, exact_tests, statistic_values
from rropt.inference.finite_populations import population_variance
from rropt.inference.interval_estimates import binary_reduction
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.imports import required_mechanism
from rropt.plans.finite_margins import HalfWidth, beta_half_width, score_half_width
from rropt.plans.finite_plans import asked_variance
from rropt.plans.sample_conditions import ONE, SIMPLE_SAMPLE, Conditions, SampleSizes

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.symbolic.posing import Posing

_MOST_EXACT = 150  # up to this group size the power of the exact test is summed, which takes seconds
_MOST_STRATA = 10_000


@dataclass(frozen=True, slots=True)
class DifferencePlan(Result):
    """The number of respondents in each of two groups for their difference, or what a number of them achieves.

    Attributes:
        n: the number of respondents in each group; with the exact test, one respondent less has too little power.
        power: the probability that the test rejects equality at the true prevalences; ``None`` if a margin is planned.
        asked: the requested power or margin; ``None`` if the number of respondents is given.
        significance: the significance of the two-sided test.
        prevalences: the true prevalences.
        exact: True if ``power`` belongs to the unconditional exact test; False if it is the approximate power of the
            normal test.
        mechanism: the device of both groups.
        margin: the half-width of the interval of the difference; ``None`` if a power is planned.
        confidence: the confidence of this interval.
        sample: the sizes of the samples, if their design effect, response rate, clusters or regions are given.
        population: N, if the respondents of each group are sampled without replacement from N people; or that of each
            of the two groups.
    """

    n: int
    power: float | None
    asked: Fraction | None
    significance: Fraction | None
    prevalences: tuple[Fraction, Fraction]
    exact: bool
    mechanism: Mechanism
    margin: float | None = None
    confidence: Fraction | None = None
    sample: SampleSizes | None = None
    population: int | tuple[int, int] | None = None

    LABELS = labelled(
        n="respondents of each group",
        population="people in each group",
        power="power",
        margin="margin of the difference",
        asked="asked for",
        confidence="confidence",
        significance="significance, two-sided",
        prevalences="true prevalences",
        exact="",
        test="test",
        sample="",
        device_in_words="device",
    )

    @property
    def test(self) -> str | None:
        """The test whose power is planned, in words."""
        if self.power is None:
            return None
        if self.population is not None:
            return "Wald, as of rropt estimate --weights --fpc; its power is approximate"
        if self.exact:
            return "exact, as of rropt estimate --test exact; its power is summed over all counts"
        return "score, as of rropt estimate; its power is approximate"

    @property
    def device_in_words(self) -> str:
        """The device in words."""
        return self.mechanism.in_words()

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table: the plan, then the sizes of the samples."""
        own = [*plain_lines(self), *(() if self.sample is None else self.sample.lines(", each group"))]
        if self.population is None or self.sample is None:
            return own
        return [*own, ("each group", self.sample.conditions().formula())]


@dataclass(frozen=True, slots=True)
class StrataPlan(PosedTwice):
    """The optimal numbers of respondents in the strata.

    Attributes:
        sizes: n_h, the number of respondents in each stratum.
        variance: the variance of the estimated prevalence of the population, exact at the guessed prevalences.
        proportional: the variance under proportional allocation of the same number of respondents.
        mechanism: the device of all respondents.
        spreads: a_h, for each stratum the squared share times the variance per respondent, with the design effect of
            the sample; the variance of the estimate is ``sum_h a_h/n_h``.
        response_rate: the proportion of the selected people who respond, if it is given.
        cluster_size: the mean number of respondents in a cluster, if it is given.
        design_effects: that of each stratum, if one is given or follows from the clusters.
        populations: N_h, if the respondents are sampled without replacement from N_h people.
        correction: what the finite populations take off the variance, ``sum_h W_h^2 D_h S_h^2/N_h``; with clusters,
            ``1 + kappa`` stands for D_h.
        confidence: that of the interval, if its margin is planned.
        prevalence: the guessed prevalence of the population, if a margin is planned.
    """

    sizes: tuple[int, ...]
    variance: Fraction
    proportional: Fraction
    mechanism: Mechanism
    spreads: tuple[Fraction, ...]
    response_rate: Fraction | None = None
    cluster_size: Fraction | None = None
    design_effects: tuple[Fraction, ...] | None = None
    populations: tuple[int, ...] | None = None
    correction: Fraction = Fraction(0)
    confidence: Fraction | None = None
    prevalence: Fraction | None = None

    LABELS = labelled(
        n="respondents",
        sizes="of each stratum",
        populations="people in each stratum",
        effects_in_words="design effect of each stratum",
        margin="margin of the beta interval",
        prevalence="",
        confidence="confidence",
        selected="people to select in each stratum",
        clusters="clusters of each stratum",
        response_rate="response rate",
        cluster_size="respondents of a cluster",
        variance="variance of the estimate",
        proportional="with respondents in proportion to the strata",
        device_in_words="device",
        spreads="",
        design_effects="",
        correction="",
        most="",
    )

    @property
    def device_in_words(self) -> str:
        """The device in words."""
        return self.mechanism.in_words()

    @property
    def n(self) -> int:
        """The total number of respondents."""
        return sum(self.sizes)

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each stratum: respondents, people to select, clusters, design effect."""
        columns: dict[str, Any] = {
            "n": self.sizes,
            "population": self.populations,
            "selected": self.selected,
            "clusters": self.clusters,
        }
        columns |= {"design_effect": self.design_effects, "spread": self.spreads}
        given = {name: column for name, column in columns.items() if column is not None}
        return [
            row_with(stratum=h, **{name: column[h] for name, column in given.items()}) for h in range(len(self.sizes))
        ]

    @property
    def most(self) -> tuple[int, ...] | None:
        """The largest possible number of respondents of each stratum; ``None`` if there is no limit."""
        rate = ONE if self.response_rate is None else self.response_rate
        return None if self.populations is None else tuple(floor(N * rate) for N in self.populations)

    @property
    def effects_in_words(self) -> str | None:
        """The design effect of each stratum in decimals."""
        return None if self.design_effects is None else ", ".join(map(decimal_text, self.design_effects))

    @property
    def margin(self) -> float | None:
        """The half-width of the beta interval that ``rropt estimate --strata`` prints, if its margin is planned."""
        if self.confidence is None or self.prevalence is None:
            return None
        known = self.mechanism, self.prevalence, self.confidence
        return _margin_of_strata(*known, self.variance, self.sizes)

    @property
    def selected(self) -> tuple[int, ...] | None:
        """The number of people to be selected in each stratum."""
        return None if self.response_rate is None else tuple(ceil(n / self.response_rate) for n in self.sizes)

    @property
    def clusters(self) -> tuple[int, ...] | None:
        """The number of clusters of each stratum."""
        return None if self.cluster_size is None else tuple(ceil(n / self.cluster_size) for n in self.sizes)

    def lines(self) -> list[tuple[str, str]]:
        """Return the sizes and variances, and the comparison with SymPy and CVXPY."""
        return [*plain_lines(self), *self.twin_lines()]

    def to_sympy(self) -> Posing:
        """Return the problem over integers n_h >= 1; its form is Neyman's value for real sizes, a lower bound.

        Raises:
            UnsupportedProblemError: there are too many strata.
        """
        from rropt.symbolic.plans.group_plans import to_sympy

        return to_sympy(self)

    def sympy_twin(self) -> Twin:
        """Return the variance of the integers, which no exchange of one respondent decreases.

        Raises:
            RouteDisagreementError: the variance is another one, an exchange is better, or Neyman's value is larger.
        """
        from rropt.symbolic.plans.group_plans import sympy_twin

        return sympy_twin(self)

    def to_cvxpy(self) -> Any:
        """Return the program over whole ``sizes``; ``spreads`` (a_h) and ``respondents`` (their sum) are Parameters.

        In a finite population ``most`` is the Parameter of the people who respond, and ``correction`` is taken off. The
        value is the least variance over all allocations to whole numbers of people.

        Raises:
            UnsupportedProblemError: there are too many strata.
        """
        from rropt.convex.plans.group_plans import to_cvxpy

        return to_cvxpy(self)

    def cvxpy_twin(self) -> Twin:
        """Return the least variance over allocations to whole numbers of people, compared with that of the plan."""
        from rropt.convex.plans.group_plans import cvxpy_twin

        return cvxpy_twin(self)


def plan_difference(
    mechanism: Mechanism,
    prevalences: Sequence[object],
    power: object | None = None,
    significance: object | None = None,
    *,
    margin: object | None = None,
    n: object | None = None,
    confidence: object | None = None,
    population: object | None = None,
    sample: Conditions = SIMPLE_SAMPLE,
) -> DifferencePlan:
    """Return the number of respondents that each of two groups needs for their difference, or what n achieve.

    Args:
        mechanism: the binary device of both groups.
        prevalences: the prevalences of the two groups; for a power they differ.
        power: the requested power, in (significance, 1); without another goal it is 0.8.
        significance: the significance of the two-sided test of equality, 0.05 by default.
        margin: instead, the half-width of the interval of the difference that ``rropt estimate --by`` prints: of the
            score interval at the counts next to the expected ones, with effective numbers of respondents. In a finite
            population it is at least that of the Wald interval.
        n: instead, the number of respondents of each group.
        confidence: the confidence of the interval, 0.95 by default.
        population: N, if the respondents of each group are sampled without replacement from N people; or two numbers,
            that of each group. The test is then Wald's, which uses N.
        sample: the design effect, response rate, clusters and regions. With ``simultaneous``, the interval and the test
            hold for all pairs of regions at once (Bonferroni).

    Raises:
        InvalidParameterError: the prevalences are equal, a parameter is out of range, or a goal is given twice.
        InfeasibleError: not even all people of the groups reach the goal.

    >>> from rropt.mechanisms import named_mechanism
    >>> plan = plan_difference(named_mechanism("warner:3/4"), ["1/10", "9/10"])
    >>> plan.n, round(plan.power, 3), plan.exact
    (26, 0.817, True)
    >>> plan_difference(named_mechanism("warner:3/4"), ["1/10", "1/5"], margin="0.05").n
    2690
    """
    mechanism, pair = required_mechanism(mechanism), _prevalences(prevalences)
    goals = {"power": power, "margin": margin, "n": n}
    given = [name for name, value in goals.items() if value is not None] or ["power"]
    if len(given) > 1:
        raise InvalidParameterError(
            f"the goal of two groups is given twice: received {' and '.join(given)}; give `power`, `margin` or `n`"
        )
    (goal,) = given
    if len(pair) != 2 or (goal == "power" and pair[0] == pair[1]):
        raise InvalidParameterError(
            f"the groups are not two that differ: received {shown(list(map(str, pair)))}; allowed are two different "
            "prevalences, such as 0.1,0.2"
        )
    if significance is not None and goal == "margin":
        raise InvalidParameterError("a margin has a confidence: received `significance`; give `confidence`")
    if confidence is not None and goal == "power":
        raise InvalidParameterError("a power has a significance: received `confidence`; give `significance`")
    level = exact_confidence("0.05" if significance is None else significance, "significance")
    trust = exact_confidence("0.95" if confidence is None else confidence)
    groups = _Groups.of(mechanism, pair, sample, level, trust, _people_of_groups(population))
    if goal == "margin":
        asked = rational_where(margin, lambda x: 0 < x < 1, "0 < margin < 1", name="margin")
        size = groups.possible(groups.size_for_margin(asked))
        return groups.plan(size, asked, margin=groups.margin(size), confidence=trust)
    if goal == "n":
        size = groups.possible(answer_count(n, "n", least=1))
        tested = {} if pair[0] == pair[1] else {"power": groups.power(size), "significance": level}
        exact = bool(tested) and groups.is_exact(size)
        return groups.plan(size, None, margin=groups.margin(size), confidence=trust, exact=exact, **tested)
    asked = exact_confidence("0.8" if power is None else power, "power")
    rational_where(asked, lambda x: x > level, f"more than the significance {level}", name="the power")
    size = groups.possible(groups.size_for_power(asked))
    exact = groups.is_exact(size)
    return groups.plan(size, asked, power=groups.power(size), significance=level, exact=exact)


@dataclass(frozen=True)
class _Groups:
    """Two groups with one device, and the rules of their comparison.

    Attributes:
        mechanism: the device.
        pair: the true prevalences.
        ends: the proportions of response 1 at the prevalences 0 and 1.
        sample: the conditions of the samples.
        effect: the design effect D of a test, the larger one of those at the mean and at the true prevalences.
        own_effect: the design effect at the true prevalences, of the difference and its interval.
        null, true: the sums of the variances of one respondent of each group, at the mean and at the true prevalences.
        level: the significance of the test.
        trust: the confidence of the interval.
        population: N of each group; ``None`` if it is infinite.
        taken_off: what the finite populations take off the variance of the difference, 0 without them.
    """

    mechanism: Mechanism
    pair: tuple[Fraction, Fraction]
    ends: tuple[Fraction, Fraction]
    sample: Conditions
    effect: Fraction
    own_effect: Fraction
    null: Fraction
    true: Fraction
    level: Fraction
    trust: Fraction
    population: tuple[int, int] | None
    taken_off: Fraction

    @classmethod
    def of(
        cls,
        mechanism: Mechanism,
        pair: tuple[Fraction, ...],
        sample: Conditions,
        level: Fraction,
        trust: Fraction,
        population: tuple[int, int] | None,
    ) -> _Groups:
        reduction, (one, other) = binary_reduction(mechanism), pair
        ends = reduction.share(Fraction(0)), reduction.share(Fraction(1))
        mean = (one + other) / 2
        sums, clustered = [], []
        for listed in ((mean, mean), (one, other)):
            sums.append(sum(map(reduction.spread, listed), Fraction(0)))
            clustered.append(sums[-1] + sample.clustering * sum(p * (1 - p) for p in listed))
        effects = list(map(sample.effect, sums, clustered))
        pairs = 1 if sample.regions is None else max(1, sample.regions * (sample.regions - 1) // 2)
        shared = pairs if sample.simultaneous else 1
        null, true = sums
        trust, level = 1 - (1 - trust) / shared, level / shared
        taken_off = Fraction(0)
        if population is not None:
            pairs_of = [population_variance(p, N) for p, N in zip(pair, population, strict=True)]
            device = true - sum(p * (1 - p) for p in pair)
            true = device + sum(pairs_of)
            wide, noise = sample.parts(sum(pairs_of, Fraction(0)), device)
            effects = [(wide + noise) / true if true else ONE] * 2
            taken_off = sum(
                (sample.parts(own, ONE)[0] / N for own, N in zip(pairs_of, population, strict=True)), Fraction(0)
            )
        known = (mechanism, (one, other), ends, sample, max(effects), effects[1])
        return cls(*known, null, true, level, trust, population, taken_off)

    def plan(self, n: int, asked: Fraction | None, **found: Any) -> DifferencePlan:
        own = {"power": None, "significance": None, "exact": False, **found}
        sizes = self.sample.sizes(n, self.own_effect if own["power"] is None else self.effect)
        people = self.population
        each = people[0] if people is not None and people[0] == people[1] else people
        own |= {"mechanism": self.mechanism, "population": each}
        return DifferencePlan(n=n, asked=asked, prevalences=self.pair, sample=sizes, **own)

    def possible(self, n: int) -> int:
        """Return n, if so many can be asked.

        Raises:
            InvalidParameterError: n is too large.
            InfeasibleError: a group has fewer people who respond.
        """
        rate = self.sample.response_rate
        if self.population is not None and (n if rate is None else ceil(n / rational(rate))) > min(self.population):
            is_one = len(set(self.population)) == 1
            people = [with_noun(N, "person", "people") for N in self.population]
            told = f"{people[0]} in each" if is_one else " and ".join(people)
            raise InfeasibleError(
                f"the groups are too small: received {told}, and "
                f"{with_noun(n, 'respondent')} of each are needed{', of more people selected' * (rate is not None)}; "
                "allow a larger margin, less power or a smaller n"
            )
        if n > MAX_ANSWERS:
            raise InvalidParameterError(f"the difference is too small: received prevalences that need {n} respondents")
        return n

    def variance(self, n: int) -> Fraction:
        """Return the variance of the estimated difference at the true prevalences."""
        return self.true * self.own_effect / n - self.taken_off

    def least(self, variance: Fraction) -> int:
        """Return the least n whose difference has at most a variance."""
        return max(1, ceil(self.true * self.own_effect / (variance + self.taken_off)))

    @property
    def gap(self) -> float:
        return abs(float(self.pair[0] - self.pair[1]))

    def margin(self, n: int) -> float:
        """Return the half-width of the interval of the difference."""
        score = score_half_width(self.ends, self.pair, self.effective_sizes(n), self.trust)
        return score if self.population is None else max(score, self.wald_margin(n))

    def wald_margin(self, n: int) -> float:
        """Return the half-width of the normal interval of the difference."""
        return float(two_sided_quantile(self.trust)[1]) * sqrt(self.variance(n))

    def effective_sizes(self, n: int) -> list[int]:
        """Return for each group the size of a simple random sample with the planned variance, rounded down."""
        found, effect = [], max(self.sample.parts(ONE, ONE)[0], ONE)
        for pi, N in zip(self.pair, self.population or (None, None), strict=True):
            share = self.ends[0] + (self.ends[1] - self.ends[0]) * pi
            plain = share * (1 - share) / (self.ends[1] - self.ends[0]) ** 2
            pairs = population_variance(pi, N)
            wide, noise = self.sample.parts(pairs, plain - pi * (1 - pi))
            variance = (wide * (1 - Fraction(n, N)) if N else wide) + noise
            found.append(max(1, floor(n * plain / variance) if plain and variance else floor(n / effect)))
        return found

    def size_for_margin(self, margin: Fraction) -> int:
        """Return the least n from which on the margin is at most ``margin``."""
        if self.population is None:
            most = MAX_ANSWERS
        else:
            rate = self.sample.response_rate
            most = floor(min(self.population) * (ONE if rate is None else rational(rate)))
        share = self.ends[0] + (self.ends[1] - self.ends[0]) * min(self.pair, key=lambda p: p * (1 - p))

        def quick(n: int) -> float:
            return sqrt(max(self.variance(n), Fraction(0))) + 1 / n  # near 0 and 1 the half-width falls like 1/n

        found = HalfWidth(self.margin, quick, share).least(margin, 1, most)
        return most + 1 if found is None else found

    def is_exact(self, n: int) -> bool:
        """Return whether the power of n respondents of each group is that of the exact test."""
        return self.population is None and floor(n / self.effect) <= _MOST_EXACT

    def power(self, n: int) -> float:
        """Return the power of n respondents of each group: of the exact test, or approximately."""
        if self.is_exact(n):
            return self.exact_power(floor(n / self.effect))
        from scipy.special import ndtr

        z_level = float(two_sided_quantile(1 - self.level)[1])
        if self.population is not None:
            error = sqrt(self.variance(n))
            return float(ndtr(self.gap / error - z_level)) if error else 1.0
        size = float(n / self.effect)
        return float(ndtr((self.gap * sqrt(size) - z_level * sqrt(self.null)) / sqrt(self.true)))

    def exact_power(self, n: int) -> float:
        return _exact_power(n, self.ends, self.pair, self.level) if n else 0.0

    def size_for_power(self, goal: Fraction) -> int:
        z_level = float(two_sided_quantile(1 - self.level)[1])
        z_power = float(two_sided_quantile(abs(2 * goal - 1))[1] if goal != Fraction(1, 2) else 0)
        z_power = z_power if goal >= Fraction(1, 2) else -z_power
        if self.population is not None:
            total = Fraction(z_level + z_power)
            near = self.least((abs(self.pair[0] - self.pair[1]) / total) ** 2)
            possible = range(max(1, near - 1), near + 2)  # the quantiles are floats
            return next((n for n in possible if n <= min(self.population) and self.power(n) >= goal), near)
        reach = z_level * sqrt(self.null) + z_power * sqrt(self.true)
        simple = (reach / self.gap) ** 2  # respondents of a simple random sample
        exact = lru_cache(self.exact_power)
        found = next((n for n in range(max(2, ceil(simple)), _MOST_EXACT + 1) if exact(n) >= goal), None)
        if found is None:
            least = floor((_MOST_EXACT + 1) * self.effect)
            while self.is_exact(least):
                least += 1
            return max(ceil(simple * float(self.effect)), least)
        while found > 1 and exact(found - 1) >= goal:
            found -= 1
        return ceil(found * self.effect)


def _exact_power(n: int, ends: tuple[Fraction, Fraction], pair: tuple[Fraction, ...], level: Fraction) -> float:
    """Return the power of the exact test, which rejects if its statistic reaches a critical value."""
    from scipy.stats import binom

    some = BinomialSample(n, 0, *ends).oriented()
    scores = np.abs(statistic_values(some, some))
    values = np.unique(scores)

    def is_rejected(place: int) -> bool:
        one, two = np.argwhere(scores == values[place])[0]
        (test,) = exact_tests([(replace(some, hits=int(one)), replace(some, hits=int(two)))])
        return test.p <= float(level)

    least = bisect_left(range(len(values)), True, key=is_rejected)  # p is nonincreasing in the statistic
    if least == len(values):
        return 0.0
    laws = [binom.pmf(np.arange(n + 1), n, float(some.low + (some.high - some.low) * p)) for p in pair]
    return float(laws[0] @ (scores >= values[least]) @ laws[1])


def plan_strata(
    mechanism: Mechanism,
    shares: Sequence[object],
    prevalences: Sequence[object],
    *,
    n: object | None = None,
    variance: object | None = None,
    standard_error: object | None = None,
    margin: object | None = None,
    confidence: object | None = None,
    population: object | None = None,
    fast: bool = False,
    sample: Conditions = SIMPLE_SAMPLE,
) -> StrataPlan:
    """Return the allocation of respondents to strata with the least variance, or with the least total number.

    Args:
        mechanism: the binary device of all respondents.
        shares: W_h, the proportions of the strata in the population; their sum is 1.
        prevalences: guessed prevalences, one for each stratum.
        n: the total number of respondents. The variance is then minimized.
        variance, standard_error: the largest allowed variance or standard error of the estimated prevalence of the
            population. The total number of respondents is then minimized.
        margin: instead, the half-width of the beta interval that ``rropt estimate --strata`` prints, before it is cut.
        confidence: that of the interval, 0.95 by default.
        population: N, the people of all strata, if the respondents of each are sampled without replacement.
        fast: whether to leave out the twins: the comparison with the same problem in SymPy and CVXPY (``plan.twins``).
        sample: the design effect of each stratum, the response rate and clusters.

    Raises:
        InvalidParameterError: a parameter is out of range, not exactly one goal is given, there are fewer respondents
            than strata, or a margin is planned although all responses of a stratum are expected to be equal.
        InfeasibleError: not even all people of the strata reach the goal.

    >>> from rropt.mechanisms import named_mechanism
    >>> plan = plan_strata(named_mechanism("warner:1"), ["9/10", "1/10"], ["1/100", "1/2"], n=100)
    >>> plan.sizes, plan.variance < plan.proportional
    ((64, 36), True)
    """
    weights, guesses = _strata(shares, prevalences)
    goal = asked_variance(variance, standard_error, margin, confidence)
    if (n is None) == (goal is None):
        raise InvalidParameterError(
            "the goal is missing, or given twice: give n, a margin, a variance or a standard error"
        )
    device = required_mechanism(mechanism)
    reduction = binary_reduction(device)
    if sample.regions is not None:
        raise InvalidParameterError("the strata are the regions: received `regions` too; leave it out")
    own, kappa = list(map(reduction.spread, guesses)), sample.clustering
    people = None if population is None else _people(weights, population)
    taken_off = Fraction(0)
    if people is not None:
        pairs = list(map(population_variance, guesses, people))
        own = [v + pair - p * (1 - p) for v, pair, p in zip(own, pairs, guesses, strict=True)]
        taken_off = sum(
            (w * w * sample.parts(pair, ONE)[0] / N for w, pair, N in zip(weights, pairs, people, strict=True)),
            Fraction(0),
        )
    sampled = [guess * (1 - guess) for guess in guesses] if people is None else pairs
    wider = [spread + kappa * one for spread, one in zip(own, sampled, strict=True)]
    effects = tuple(sample.effect(spread, clustered) for spread, clustered in zip(own, wider, strict=True))
    spreads = [w * w * spread * effect for w, spread, effect in zip(weights, own, effects, strict=True)]
    rate = ONE if sample.response_rate is None else rational(sample.response_rate)
    most = None if people is None else [floor(N * rate) for N in people]
    if goal is None:
        total = answer_count(n, "n", least=len(weights))
        _require_people(most, total)
        sizes = _allocated(spreads, total, most)
    else:
        sizes = _least(spreads, goal + taken_off, most)
        if margin is not None:
            _require_spread(device, weights, guesses, own)
            half = rational(margin, name="margin")
            trust = exact_confidence("0.95" if confidence is None else confidence)
            overall = sum((w * p for w, p in zip(weights, guesses, strict=True)), Fraction(0))

            def is_enough(n: int) -> bool:
                found = _allocated(spreads, n, most)
                variance = _variance(spreads, found) - taken_off
                return _margin_of_strata(device, overall, trust, variance, found) <= half

            sizes = _allocated(spreads, _enough(is_enough, sum(sizes), most, margin), most)
        total = sum(sizes)
    proportional = _variance(spreads, _allocated([w * w for w in weights], total, most)) - taken_off
    given = {name: getattr(sample, name) for name in ("response_rate", "cluster_size")}
    given["design_effects"] = effects if set(effects) != {ONE} else None
    given |= {"populations": people, "correction": taken_off}
    if margin is not None:
        given |= {"confidence": trust, "prevalence": overall}
    plan = StrataPlan(
        tuple(sizes), _variance(spreads, sizes) - taken_off, proportional, device, tuple(spreads), **given
    )
    return plan if fast else plan.compared_twice()


def _strata(shares: Sequence[object], prevalences: Sequence[object]) -> tuple[list[Fraction], Sequence[Fraction]]:
    """Return the shares of the strata and the guessed prevalences."""
    listed = required_list(shares, "`shares`", "a list of the shares of the strata")
    weights = [rational(share, name=f"shares[{h}]") for h, share in enumerate(listed)]
    guesses = _prevalences(prevalences)
    if not 0 < len(weights) <= _MOST_STRATA or len(guesses) != len(weights) or min(weights) <= 0 or sum(weights) != 1:
        raise InvalidParameterError(
            f"the strata do not fit: received shares {shown(list(map(str, weights)))} and {len(guesses)} prevalences; "
            "allowed are positive shares with the sum 1, and a prevalence for each"
        )
    return weights, guesses


def _require_spread(
    device: Mechanism, weights: Sequence[Fraction], guesses: Sequence[Fraction], spreads: Sequence[Fraction]
) -> None:
    """Check that the responses of no stratum are expected to be all equal, where any number of them seems enough."""
    for weight, guess, spread in zip(weights, guesses, spreads, strict=True):
        if not spread:
            share = device.apply((1 - guess, guess))[1]
            raise InvalidParameterError(
                f"the margin cannot be planned: the expected proportion of response 1 is {share} in the stratum "
                f"{decimal_text(weight)}:{decimal_text(guess)}, where the plug-in variance is always 0; give a "
                "prevalence between 0 and 1, such as 0.01"
            )


def _enough(is_enough: Callable[[int], bool], first: int, most: Sequence[int] | None, margin: object) -> int:
    """Return the least number of respondents from ``first`` on that is enough; more respondents are better.

    Raises:
        InfeasibleError: not even all people who respond are enough.
    """
    limit = MAX_ANSWERS if most is None else sum(most)
    high = first
    while high < limit and not is_enough(high):
        high = min(2 * high, limit)
    if not is_enough(high):
        raise InfeasibleError(
            f"no number of respondents gives the margin {shown(margin)}: received strata of which at most {limit} "
            "people respond; allow a larger margin"
        )
    return first + bisect_left(range(first, high), True, key=is_enough)


def _margin_of_strata(
    device: Mechanism, prevalence: Fraction, trust: Fraction, variance: Fraction, sizes: Sequence[int]
) -> float:
    """Return half the width of the beta interval of the proportion of a stratified sample, before it is cut."""
    reduction, n = binary_reduction(device), sum(sizes)
    share, slope = reduction.share(prevalence), float(abs(reduction.slope))
    freedom = max(n - len(sizes), 1)
    return slope * beta_half_width(float(share), float(variance) / slope**2, n, trust, freedom=freedom)


def _people_of_groups(population: object) -> tuple[int, int] | None:
    """Return the number of people in each of two groups, of which one number may be given for both."""
    if population is None:
        return None
    listed = list(population) if isinstance(population, list | tuple) else [population] * 2
    if len(listed) != 2:
        raise InvalidParameterError(
            f"the populations of two groups do not fit: received {with_noun(len(listed), 'number')}; give N for both, "
            "or one for each"
        )
    one, other = (answer_count(N, "population", least=2) for N in listed)
    return one, other


def _people(weights: Sequence[Fraction], population: object) -> tuple[int, ...]:
    """Return the number of people in each stratum."""
    total = answer_count(population, "population", least=len(weights))
    people = [weight * total for weight in weights]
    if wrong := next((each for each in people if each.denominator > 1), None):
        raise InvalidParameterError(
            f"the strata are no whole numbers of people: received N = {total}, of which a stratum is "
            f"{decimal_text(wrong)}; give the shares as fractions of N, such as {ceil(wrong)}/{total}"
        )
    return tuple(map(int, people))


def _require_people(most: Sequence[int] | None, n: int) -> None:
    """Check that so many people respond in strata of a finite population, at least one in each."""
    if most is not None and (sum(most) < n or not all(most)):
        raise InfeasibleError(
            f"the strata are too small: received {with_noun(n, 'respondent')}, and at most {sum(most)} respond; give a "
            "smaller n, or a larger population"
        )


def _prevalences(values: Sequence[object]) -> tuple[Fraction, ...]:
    listed = required_list(values, "`prevalences`", "a list of prevalences")
    return tuple(rational_where(x, lambda pi: 0 <= pi <= 1, "0 <= pi <= 1", name="prevalence") for x in listed)


def _variance(spreads: Sequence[Fraction], sizes: Sequence[int]) -> Fraction:
    return sum((a / size for a, size in zip(spreads, sizes, strict=True)), Fraction(0))


def _least(spreads: Sequence[Fraction], goal: Fraction, most: Sequence[int] | None = None) -> list[int]:
    """Return the optimal allocation of the least number of respondents whose variance is at most the goal.

    Args:
        spreads: a_h.
        goal: the largest sum of ``a_h/n_h``.
        most: the largest n_h, in a finite population.
    """
    if most is not None:
        _require_people(most, len(most))
        if _variance(spreads, most) > goal:
            raise InfeasibleError(
                f"the population is too small: not even all {sum(most)} people who respond reach the goal, because "
                "responses are randomized or missing; allow a larger margin or variance"
            )
        possible = range(len(spreads), sum(most))
        least = bisect_left(possible, True, key=lambda n: _variance(spreads, _allocated(spreads, n, most)) <= goal)
        return _allocated(spreads, len(spreads) + least, most)
    strata, parts = len(spreads), [a / goal for a in spreads]
    roots = sum(map(sqrt, parts)) if max(parts) <= MAX_ANSWERS else inf
    if roots**2 + 2 * strata + 1 > MAX_ANSWERS:
        raise InvalidParameterError(
            f"the variance is too small: received {shown(str(goal))}; a plan has at most {MAX_ANSWERS} respondents; "
            "allow a larger variance"
        )
    high = floor(roots**2) + 2 * strata + 1
    # the goal is met at high: there each n_h exceeds its ideal real value by at least 1
    fewer = range(strata, high)
    n = strata + bisect_left(fewer, True, key=lambda n: _variance(spreads, _allocated(spreads, n)) <= goal)
    return _allocated(spreads, n)


def _allocated(spreads: Sequence[Fraction], n: int, most: Sequence[int] | None = None) -> list[int]:
    """Return the integers n_h >= 1 with the sum n that minimize the variance, each at most the one of ``most``.

    A stratum whose integer is too large without these limits has the limit: all of its steps up to there are among the
    best ones. The others share what it leaves.

    Respondents are added one by one where this decreases the variance most, by ``a_h/(n_h (n_h + 1))``. For H strata,
    the search starts at ``n_h = floor(x_h)`` with ``x_h = (n - H) sqrt(a_h)/sum sqrt(a)``, but at least 1. Each step
    from 1 to ``floor(x_h)`` decreases the variance by more than ``t = a_h/x_h^2``, which is the same for all h. At most
    n - H steps do so, since ``n_h (n_h + 1) < x_h^2`` implies ``n_h <= floor(x_h)``. Hence all of them are among the
    n - H best ones.
    """
    if most is not None:
        sizes, open_ones = list(most), list(range(len(spreads)))
        while open_ones:
            rest = n - sum(sizes[h] for h in range(len(spreads)) if h not in set(open_ones))
            found = _allocated([spreads[h] for h in open_ones], rest)
            kept = [(h, size) for h, size in zip(open_ones, found, strict=True) if size <= most[h]]
            if len(kept) == len(open_ones):
                for h, size in kept:
                    sizes[h] = size
                break
            open_ones = [h for h, _ in kept]
        return sizes
    largest, left = max(spreads), n - len(spreads)
    if not largest:  # the variance is 0 in any case
        return [left + 1, *[1] * (len(spreads) - 1)]
    roots = np.sqrt([float(a / largest) for a in spreads])
    total = float(roots.sum())
    sizes = [max(1, floor(left * float(root) / total)) for root in roots]
    waiting = [(-a / (size * (size + 1)), h) for h, (a, size) in enumerate(zip(spreads, sizes, strict=True))]
    heapify(waiting)
    for _ in range(n - sum(sizes)):
        _, h = waiting[0]
        sizes[h] += 1
        heapreplace(waiting, (-spreads[h] / (sizes[h] * (sizes[h] + 1)), h))
    return sizes
