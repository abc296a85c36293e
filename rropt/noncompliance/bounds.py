"""Sharp bounds of a prevalence when some respondents do not follow the device.

A model fixes the proportion of non-compliers and their possible behaviours. The *sharp interval* is the set of all
values of ``c . pi`` that are compatible with the model and the observed proportions of outputs. Each endpoint is the
certified optimum of a linear program, and a population that attains it is returned.

With sampling error, the true proportions may lie anywhere in an exact confidence set. The resulting interval covers the
true value with at least that confidence, for every behaviour that the model allows and for every n.

The message *No distribution gives exactly these proportions* is common and harmless, because observed proportions vary
at random. The data **refute** a model only if no population gives proportions in the confidence set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError
from rropt.core.exact import decimal_text, decimals_apart, rational_where
from rropt.core.linear.programs import Sense
from rropt.core.results import Result, labelled
from rropt.inference.interval_estimates import DEFAULT_CONFIDENCE
from rropt.mechanisms.words import devices_in_words
from rropt.noncompliance.behaviour_models import Behaviour, Sample, Vector
from rropt.noncompliance.population_program import Attained, Given, Limit
from rropt.noncompliance.recomputed_results import RecomputedResult

Share = Literal["exactly", "at most", "any"]
_SENSES: tuple[Sense, Sense] = ("minimise", "maximise")


@dataclass(frozen=True, slots=True)
class NonCompliers(Result):
    """The proportion of non-compliers and their behaviour.

    Attributes:
        share: whether theta is the exact proportion, an upper bound, or unknown.
        theta: the proportion, in [0, 1]; 1 if it is unknown.
        behaviours: the allowed behaviours.
    """

    share: Share
    theta: Fraction
    behaviours: tuple[Behaviour, ...]

    def checked(self) -> None:
        """Raise InvalidParameterError unless the proportion lies in [0, 1], is 1 if it is unknown, and is possible."""
        if not 0 <= self.theta <= 1 or (self.share == "any" and self.theta != 1):
            raise InvalidParameterError(
                f"the proportion of non-compliers is invalid: received {self.share} "
                f"{decimals_apart(self.theta, Fraction(round(self.theta)))[0]}; "
                "allowed is 0 <= theta <= 1, and theta = 1 where any proportion may be non-compliers"
            )
        most = sum((Fraction(1) if one.most is None else one.most for one in self.behaviours), Fraction(0))
        if self.share == "exactly" and self.theta > most:
            received, allowed = decimals_apart(self.theta, most)
            raise InvalidParameterError(
                f"the proportion of non-compliers contradicts their behaviour: received exactly {received}, where the "
                f"model allows at most {allowed}; correct one of them"
            )

    @property
    def limit(self) -> Limit | None:
        """The constraint on the proportion of non-compliers, if there is one."""
        return None if self.share == "any" else ("=" if self.share == "exactly" else "<=", self.theta)

    def __str__(self) -> str:
        if not self.behaviours:
            return "nobody: all follow the device"
        said = "any proportion" if self.share == "any" else f"{self.share} {decimal_text(self.theta)}"
        return f"{said} of the respondents; {'; '.join(behaviour.words for behaviour in self.behaviours)}"


@dataclass(frozen=True, slots=True)
class SharpInterval(Result):
    """The possible values of ``c . pi`` under a model: an interval with two certified endpoints.

    Attributes:
        lower, upper: the smallest and the largest value.
        populations: for each endpoint, a population (one for each group) that attains it.
        certificates: the certificates of the two endpoints.
    """

    lower: Fraction
    upper: Fraction
    populations: tuple[tuple[Attained, ...], tuple[Attained, ...]]
    certificates: tuple[Certificate, Certificate]

    LABELS = labelled(lower="least value", upper="largest value", width="width")

    @property
    def width(self) -> Fraction:
        """``upper - lower``."""
        return self.upper - self.lower

    def __contains__(self, value: Fraction) -> bool:
        return self.lower <= value <= self.upper

    def __str__(self) -> str:
        return f"{decimal_text(self.lower)} to {decimal_text(self.upper)}"


@dataclass(frozen=True, slots=True)
class PrevalenceBounds(RecomputedResult, Result):
    """Bounds of ``c . pi`` if some respondents do not follow the device.

    Attributes:
        noncompliers: the assumptions about the non-compliers.
        confidence: the confidence of the interval with sampling error; None if it was not requested.
        sharp: the sharp interval at the observed proportions; None if no population gives exactly these proportions.
        covering: the interval with sampling error; None if the responses refute the model or it was not requested.
        contradictions: one certificate of infeasibility for each empty interval: no population gives exactly the
            observed proportions, or no population gives proportions in the confidence set.
        samples: the samples of each population, which determine the linear programs.
        contrast: c, shape (k,).
    """

    noncompliers: NonCompliers
    confidence: Fraction | None
    sharp: SharpInterval | None
    covering: SharpInterval | None
    contradictions: tuple[Certificate, ...]
    samples: tuple[tuple[Sample, ...], ...]
    contrast: Vector

    ANSWER = ("lower", "upper", "confidence")
    LABELS = labelled(device_in_words="", lower="", upper="", feasible="", refuted="", certificate="")

    @classmethod
    def recompute(
        cls,
        noncompliers: NonCompliers,
        confidence: Fraction | None,
        samples: tuple[tuple[Sample, ...], ...],
        contrast: Vector,
    ) -> PrevalenceBounds:
        """Compute the bounds again from the fields of their record."""
        return _bounds(Given(samples, noncompliers.behaviours, contrast, confidence), noncompliers)

    @property
    def device_in_words(self) -> str:
        """The devices in words."""
        return devices_in_words([sample.mechanism for group in self.samples for sample in group])

    @property
    def lower(self) -> Fraction | None:
        """The smallest value of ``c . pi`` at the observed proportions."""
        return self.sharp.lower if self.sharp else None

    @property
    def upper(self) -> Fraction | None:
        """The largest value of ``c . pi`` at the observed proportions."""
        return self.sharp.upper if self.sharp else None

    @property
    def certificate(self) -> Certificate:
        """The certificate of the smallest value at the observed proportions, or the certificate of infeasibility."""
        return self.sharp.certificates[0] if self.sharp else self.contradictions[0]

    @property
    def certificates(self) -> dict[str, Certificate]:
        """All certificates, by name of the result that they prove: both endpoints of each interval, and the
        contradictions."""
        found: dict[str, Certificate] = {}
        for name, interval in (("", self.sharp), ("covering-", self.covering)):
            if interval is not None:
                found |= dict(zip((f"{name}lower", f"{name}upper"), interval.certificates, strict=True))
        return found | {f"contradiction-{i + 1}": proof for i, proof in enumerate(self.contradictions)}

    @property
    def feasible(self) -> bool:
        """Whether some population gives exactly the observed proportions."""
        return self.sharp is not None

    @property
    def refuted(self) -> bool | None:
        """Whether no population gives proportions in the confidence set; None if no confidence was requested."""
        return None if self.confidence is None else self.covering is None

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table."""
        exact = "no distribution gives exactly these proportions (sampling variation can cause this)"
        rows = [
            ("non-compliers", str(self.noncompliers)),
            ("at the observed proportions", str(self.sharp) if self.sharp else exact),
        ]
        if len(self.samples) > 1:
            rows.insert(0, ("bounds of", "the difference: the first population minus the second"))
        if self.confidence is not None:
            percent = decimal_text(100 * self.confidence)
            refuted = f"none: the responses refute the model at the {percent} % level"
            rows.append((f"with sampling error ({percent} %)", str(self.covering) if self.covering else refuted))
        rows.append(("device", self.device_in_words))
        if self._is_trivial:
            rows.append(
                (
                    f"why {self.sharp}",
                    "the proportion of non-compliers is not limited: if all of them may be, no prevalence is excluded",
                )
            )
        return rows

    @property
    def _is_trivial(self) -> bool:
        """Whether the proportion of non-compliers is unlimited and the bounds are 0 and 1, so they exclude nothing."""
        return self.noncompliers.share == "any" and (self.lower, self.upper) == (Fraction(0), Fraction(1))

    def remarks(self) -> tuple[str, ...]:
        """Return the advice to limit the proportion of non-compliers if the bounds exclude nothing."""
        if not self._is_trivial:
            return ()
        return ("limit the proportion of non-compliers: `theta=0.05` for exactly 5 %, `theta=0..0.05` for at most 5 %",)


def prevalence_bounds(
    samples: Any,
    *,
    theta: object = None,
    model: str = "adversarial",
    contrast: Sequence[object] | None = None,
    versus: Any = None,
    confidence: object = DEFAULT_CONFIDENCE,
) -> PrevalenceBounds:
    """Return sharp, certified bounds of a prevalence, or of ``c . pi``, under non-compliance.

    The function solves four exact linear programs with about (k + m) variables for each behaviour and sample.

    Args:
        samples: the samples of one population: ``(mechanism, counts)``, or a list of such pairs with different
            respondents.
        theta: the exact proportion of non-compliers, or an upper bound of it as the text ``"0..T"``. Without it, the
            proportion is unknown.
        model: the behaviour of the non-compliers (see ``behaviours``).
        contrast: c, shape (k,). The default for two categories is (0, 1), the prevalence.
        versus: the samples of a second population. The function then bounds the difference of the two populations, with
            the same limit on the non-compliers in each.
        confidence: the exact confidence, in (0, 1), of the interval with sampling error, or None to omit this interval.
            The interval covers the true value with at least this probability, for every behaviour that the model
            allows.

    Raises:
        InvalidParameterError: a proportion is outside [0, 1], the model is unknown, or the
            counts, the categories or the contrast have the wrong size.
        UnsupportedProblemError: the model is ``refusers`` and the device has no forced yes.

    >>> from rropt.mechanisms import named_mechanism
    >>> nigeria = (named_mechanism("forced:2/3,1/6,1/6"), [1604, 831])
    >>> print(prevalence_bounds(nigeria, theta="0.05").sharp)
    0.19941 to 0.32441
    """
    given = Given.of(samples, versus, model, contrast, confidence)
    return _bounds(given, _noncompliers(theta, given.behaviours))


def _bounds(given: Given, noncompliers: NonCompliers) -> PrevalenceBounds:
    contradictions: list[Certificate] = []
    intervals: list[SharpInterval | None] = []
    for level in dict.fromkeys((None, given.confidence)):
        at_level = replace(given, confidence=level)
        low, high = (at_level.optimum(sense, theta=noncompliers.limit) for sense in _SENSES)
        if low.value is None or high.value is None:
            contradictions.append(low.certificate)
            intervals.append(None)
        else:
            populations, proofs = (low.populations, high.populations), (low.certificate, high.certificate)
            intervals.append(SharpInterval(low.value, high.value, populations, proofs))
    sharp, covering = (*intervals, None)[:2]
    about = tuple(contradictions), given.samples, given.contrast
    return PrevalenceBounds(noncompliers, given.confidence, sharp, covering, *about)


def _noncompliers(theta: object, found: tuple[Behaviour, ...]) -> NonCompliers:
    if theta is None:
        return NonCompliers("any", Fraction(1), found)
    is_limit = isinstance(theta, str) and theta.strip().startswith("0..")
    share = rational_where(
        str(theta).strip().removeprefix("0..") if is_limit else theta,
        lambda x: 0 <= x <= 1,
        "0 <= theta <= 1, or 0..T for at most T",
        name="the proportion of non-compliers",
    )
    made = NonCompliers("at most" if is_limit else "exactly", share, found)
    made.checked()
    return made
