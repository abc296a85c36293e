"""Point-identified models: proportions of compliers and non-compliers from several devices, for fixed behaviours.

With fixed behaviours, the response probabilities are linear in the proportions of the *types* of respondents. The types
are the compliers of each category and the non-compliers of each behaviour. Non-compliers whose responses do not depend
on their category form a single type. If the samples determine the proportions of the types, the unbiased estimate is
linear in the observed proportions, and its covariance is that of independent samples. Examples:

* Cheater detection (Clark and Desharnais 1998): two forced-yes devices, model ``always-no``. The data do not show
  whether the non-compliers have the trait. The prevalence therefore lies between the proportion of honest yes and the
  sum of this proportion and that of the non-compliers.
* The stochastic lie detector (Moshagen, Musch and Erdfelder 2012): Mangat's device with two values of p, model
  ``monotone:always-no``.
* The extended crosswise design (Heck, Hoffmann and Moshagen 2018): the crosswise device with p and with 1 - p, no
  non-compliers. There is one more equation than unknowns, which gives a test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import InfeasibleError
from rropt.core.exact import decimal_text
from rropt.core.exact.display import with_error_text
from rropt.core.exact.numbers import dot, square_root
from rropt.core.results import Result
from rropt.core.visible import with_noun
from rropt.inference.count_estimates import covariance_of
from rropt.inference.likelihood import most_likely_population
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import left_inverse
from rropt.noncompliance.behaviour_models import Population, Type, Vector
from rropt.noncompliance.population_program import Given


@dataclass(frozen=True, slots=True)
class TypeShares(Result):
    """Estimated proportions of the types of respondents, with their exact plug-in covariance.

    Attributes:
        names: the names of the t types.
        categories: the category of each type; None if it is not determined.
        complying: for each type, whether it follows the device.
        shares: the unbiased estimate, shape (t,); it can lie outside [0, 1].
        covariance: the covariance for independent samples of the given sizes, shape (t, t).
        likely: the maximum likelihood estimate, shape (t,), within [0, 1].
        deviance: twice the log-likelihood ratio of the saturated model to this model.
        surplus: the degrees of freedom of the deviance: the number of equations minus the number of unknowns. If it is
            0, the model cannot be tested.
    """

    names: tuple[str, ...]
    categories: tuple[int | None, ...]
    complying: tuple[bool, ...]
    shares: Vector
    covariance: tuple[Vector, ...]
    likely: Vector
    deviance: float
    surplus: int

    def value(self, weights: Sequence[Fraction]) -> Fraction:
        """Return the estimate of a linear combination of the types, ``weights . shares``."""
        return dot(weights, self.shares)

    def variance(self, weights: Sequence[Fraction]) -> Fraction:
        """Return the plug-in variance of the linear combination."""
        return dot(weights, [dot(row, weights) for row in self.covariance])

    def standard_error(self, weights: Sequence[Fraction]) -> float:
        """Return the standard error of the linear combination, to 15 digits."""
        return float(square_root(self.variance(weights)))

    def trait(self, contrast: Sequence[Fraction]) -> Vector:
        """Return the weights of the types for which ``weights . shares`` estimates ``contrast . pi``.

        Raises:
            InfeasibleError: the value depends on the undetermined category of non-compliers, so only bounds exist.
        """
        if None in self.categories and len(set(contrast)) > 1:
            raise InfeasibleError(
                "the prevalence is not determined: received non-compliers who may have any category; allowed are "
                "monotone ones; use prevalence_bounds"
            )
        return tuple(contrast[j or 0] for j in self.categories)

    @property
    def noncompliers(self) -> Vector:
        """The weights of the types for the proportion of non-compliers, theta."""
        return tuple(Fraction(not complies) for complies in self.complying)

    @property
    def honest(self) -> Vector:
        """The weights of the types for the proportion of compliers with the trait (a category other than 0)."""
        return tuple(Fraction(bool(c and j)) for c, j in zip(self.complying, self.categories, strict=True))

    def ratio(self, above: Sequence[Fraction], below: Sequence[Fraction]) -> tuple[Fraction, float]:
        """Return the estimate of a ratio of two linear combinations, and its standard error by the delta method.

        The formula is ``Var(a/b) = Var(a - r b)/b^2`` with ``r = a/b``. For example, ``ratio(honest, trait)`` is the
        probability of an honest response in the stochastic lie detector.

        Raises:
            InfeasibleError: the estimate of the denominator is 0.
        """
        b = self.value(below)
        if not b:
            raise InfeasibleError("the ratio is undefined: received the estimate 0 for the denominator")
        r = self.value(above) / b
        difference = [x - r * y for x, y in zip(above, below, strict=True)]
        return r, self.standard_error(difference) / abs(float(b))

    @property
    def p_value(self) -> float | None:
        """The approximate p-value of the deviance (chi-squared distribution); None if ``surplus`` is 0."""
        if not self.surplus:
            return None
        from scipy.special import chdtrc  # scipy.stats takes half a second and 60 MB to import

        return float(chdtrc(self.surplus, self.deviance))

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table."""
        rows = []
        for t, name in enumerate(self.names):
            error = math.sqrt(max(float(self.covariance[t][t]), 0.0))
            rows.append((name, with_error_text(self.shares[t], error)))
        sums = {"proportion of non-compliers": self.noncompliers} if any(self.noncompliers) else {}
        if None not in self.categories and set(self.categories) == {0, 1}:
            sums = {"prevalence": self.trait((Fraction(0), Fraction(1))), **sums}
        for name, weights in sums.items():
            rows.append((name, with_error_text(self.value(weights), self.standard_error(weights))))
        if "prevalence" in sums and any(self.noncompliers) and self.value(sums["prevalence"]):
            honesty, error = self.ratio(self.honest, sums["prevalence"])
            rows.append(("honest among those with the trait", with_error_text(honesty, error)))
        if self.surplus:
            p = "unknown" if self.p_value is None else decimal_text(self.p_value, 3)
            freedom = with_noun(self.surplus, "degree of freedom", "degrees of freedom")
            test = f"{decimal_text(self.deviance, 3)} on {freedom}, p = {p} (approximate)"
            rows.append(("deviance", test))
        return rows


def identified_shares(samples: Any, *, model: str = "always-no") -> TypeShares:
    """Return the estimated proportions of all types of respondents in a point-identified model.

    Args:
        samples: the samples of one population, as for ``prevalence_bounds``.
        model: fixed behaviours (not adversarial), or ``none`` if everybody follows the device.

    Raises:
        InvalidParameterError: as for ``prevalence_bounds``.
        InfeasibleError: the samples do not determine the proportions, because a behaviour is adversarial or there are
            too few devices.

    >>> from rropt.mechanisms import named_mechanism
    >>> first, second = named_mechanism("mangat:1/6"), named_mechanism("mangat:5/6")
    >>> found = identified_shares([(first, [60, 340]), (second, [260, 140])], model="monotone:always-no")
    >>> print(found.value(found.trait((0, 1))), found.ratio(found.honest, found.trait((0, 1)))[0])
    1/4 9/10
    """
    (population,) = Given.of(samples, None, model, has_value=False).groups()
    free = [str(behaviour) for behaviour in population.noncompliers if behaviour.free]
    if free:
        raise InfeasibleError(
            f"non-compliers who may answer anything leave the proportions undetermined: received {', '.join(free)}; "
            "allowed are fixed behaviours; use prevalence_bounds"
        )
    names, categories, complying, stacked = _stacked(population)
    counts = tuple(count for sample in population.samples for count in sample.counts)
    surplus = sum(len(sample.counts) - 1 for sample in population.samples) + 1 - len(names)
    uniform = (Fraction(1, len(names)),) * len(names)
    try:
        shares = _apply(left_inverse(stacked, uniform), counts)
        likely, _ = most_likely_population(stacked, counts, shares)
        inverse = left_inverse(stacked, likely if min(likely) > 0 else uniform)
    except InfeasibleError as error:
        raise InfeasibleError(
            f"the samples do not determine the proportions of {len(names)} types: received {len(population.samples)} "
            "devices whose equations do not suffice; ask by another device, or use prevalence_bounds"
        ) from error
    covariance = _covariance(population, inverse)
    deviance = _deviance(population, stacked, likely)
    return TypeShares(
        names, categories, complying, _apply(inverse, counts), covariance, likely, deviance, max(surplus, 0)
    )


def _stacked(population: Population) -> tuple[tuple[str, ...], tuple[int | None, ...], tuple[bool, ...], Mechanism]:
    """Return the names, categories and compliance of the types, and the mechanism that maps types to responses.

    The outputs of this mechanism are the pairs (sample, output). Its column for a type has the probabilities of these
    pairs, weighted by the sizes of the samples.
    """
    n = sum(sample.n for sample in population.samples)
    types: dict[str, tuple[int | None, Type]] = {}
    for one in population.types():
        b = one.behaviour
        if b is None or b.way == "refusers" or len(b.categories(population.categories)) == 1:
            types[one.name] = one.category, one
        else:
            types[str(b)] = None, one
    columns = [
        [Fraction(sample.n, n) * x for sample, law in zip(population.samples, one.laws or (), strict=True) for x in law]
        for _, one in types.values()
    ]
    categories, members = zip(*types.values(), strict=True)
    complying = tuple(one.behaviour is None for one in members)
    return tuple(types), categories, complying, Mechanism(list(zip(*columns, strict=True)))


def _apply(inverse: Sequence[Sequence[Fraction]], counts: Sequence[int]) -> Vector:
    n = sum(counts)
    return tuple(dot(row, counts) / n for row in inverse)


def _covariance(population: Population, inverse: Sequence[Sequence[Fraction]]) -> tuple[Vector, ...]:
    """Return ``sum_s (n_s/n)^2 A_s (diag(l_s) - l_s l_s^T) A_s^T / n_s`` at the observed proportions l_s."""
    n, start, parts = sum(sample.n for sample in population.samples), 0, []
    for sample in population.samples:
        stop = start + len(sample.counts)
        rows = [[a * sample.n / n for a in row[start:stop]] for row in inverse]
        parts.append(covariance_of(rows, sample.shares, [dot(row, sample.shares) for row in rows], sample.n))
        start = stop
    return tuple(tuple(map(sum, zip(*rows, strict=True))) for rows in zip(*parts, strict=True))  # type: ignore[arg-type]


def _deviance(population: Population, stacked: Mechanism, shares: Vector) -> float:
    """Return ``2 sum N log(N/expected)`` over all samples and outputs."""
    n = sum(sample.n for sample in population.samples)
    counts = [count for sample in population.samples for count in sample.counts]
    expected = [n * dot(row, shares) for row in stacked.matrix]
    return max(2 * sum(c * math.log(c / e) for c, e in zip(counts, expected, strict=True) if c), 0.0)
