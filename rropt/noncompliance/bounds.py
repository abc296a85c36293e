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

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError, InfeasibleError, InvalidParameterError
from rropt.core.exact import decimal_text, decimals_apart, rational_where
from rropt.core.linear.programs import Sense
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, labelled, merged_records, own_part
from rropt.inference.interval_estimates import DEFAULT_CONFIDENCE
from rropt.mechanisms.words import devices_in_words
from rropt.noncompliance.behaviour_models import Behaviour, Sample
from rropt.noncompliance.breakdown import Breakdown, Reconciliation
from rropt.noncompliance.identified import TypeShares, identified_shares
from rropt.noncompliance.population_program import Attained, Given, Limit
from rropt.noncompliance.recomputed_results import RecomputedResult

Share = Literal["exactly", "at most", "any"]
_SENSES: tuple[Sense, Sense] = ("minimise", "maximise")
_BESIDE = ("breakdowns", "reconciled", "types")


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
class Bounds(Given, RecomputedResult, Result):
    """Bounds of ``c . pi`` if some respondents do not follow the device, and conclusions from the same responses.

    Attributes:
        share: whether theta is the exact proportion of non-compliers, an upper bound, or unknown.
        theta: the proportion of non-compliers, in [0, 1]; 1 if it is unknown.
        sharp: the sharp interval at the observed proportions; None if no population gives exactly these proportions.
        covering: the interval with sampling error; None if the responses refute the model or it was not requested.
        contradictions: one certificate of infeasibility for each empty interval: no population gives exactly the
            observed proportions, or no population gives proportions in the confidence set.
        breakdowns: the breakdown points of a conclusion. The keys are ``"breakdown"``,
            ``"breakdown_with_sampling_error"``, and for other numbers of respondents ``"with N respondents"``.
        reconciled: the smallest proportion of non-compliers that explains a known truth, if the truth was given.
        types: the proportions of the types of respondents, if they were requested and the samples determine them.
        The other attributes are those of ``Given``. The confidence is that of ``covering``.
    """

    share: Share
    theta: Fraction
    sharp: SharpInterval | None
    covering: SharpInterval | None
    contradictions: tuple[Certificate, ...]
    breakdowns: Mapping[str, Breakdown] = ReadOnlyMapping({})
    reconciled: Reconciliation | None = None
    types: TypeShares | None = None

    ANSWER = ("lower", "upper", "confidence")
    LABELS = labelled(device_in_words="", lower="", upper="", feasible="", refuted="", certificate="")

    @classmethod
    def recompute(cls, asked: Given, share: Share, theta: Fraction) -> Bounds:
        """Compute the bounds from the question, without further conclusions."""
        limit, contradictions = _limit(asked, share, theta), list[Certificate]()
        found: list[SharpInterval | None] = []
        for level in dict.fromkeys((None, asked.confidence)):
            at_level = replace(asked, confidence=level)
            low, high = (at_level.optimum(sense, theta=limit) for sense in _SENSES)
            if low.value is None or high.value is None:
                contradictions.append(low.certificate)
                found.append(None)
            else:
                populations, proofs = (low.populations, high.populations), (low.certificate, high.certificate)
                found.append(SharpInterval(low.value, high.value, populations, proofs))
        sharp, covering = (*found, None)[:2]
        return cls(
            **asked.question(),
            share=share,
            theta=theta,
            sharp=sharp,
            covering=covering,
            contradictions=tuple(contradictions),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the keys of the bounds, together with each other result under its own key."""
        beside: dict[str, Result] = {**self._said(), **({} if self.types is None else {"types": self.types})}
        record = Result.to_dict(replace(self, breakdowns={}, reconciled=None, types=None))
        own = {key: item for key, item in record.items() if key not in _BESIDE}
        return merged_records(own, {name: found.to_dict() for name, found in beside.items()})

    @classmethod
    def from_dict(cls, data: Any) -> Bounds:
        """Read bounds from the output of ``to_dict``, and compute them and the other results again."""
        given = dict(own_part(cls, data)) if isinstance(data, Mapping) else {}
        names = [name for name in given if str(name).startswith(("breakdown", "with "))]
        breakdowns = {name: Breakdown.from_dict(given.pop(name)) for name in names}
        reconciled, types = (given.pop(name, None) for name in _BESIDE[1:])
        made: Bounds = super(Bounds, cls).from_dict(given)
        found = replace(
            made,
            breakdowns=ReadOnlyMapping(breakdowns),
            reconciled=None if reconciled is None else Reconciliation.from_dict(reconciled),
            types=None if types is None else TypeShares.from_dict(types),
        )
        if found.types is not None and found.types != type_shares(made.samples[0], made.behaviours):
            raise FileFormatError(
                "Bounds.types differs from the recomputed result: received other proportions of the types; use the "
                "file as it was written"
            )
        return found

    def _said(self) -> dict[str, Breakdown | Reconciliation]:
        reconciled = {} if self.reconciled is None else {"reconciled": self.reconciled}
        return {**self.breakdowns, **reconciled}

    @property
    def noncompliers(self) -> str:
        """The assumptions about the non-compliers, in words."""
        if not self.behaviours:
            return "nobody: all follow the device"
        said = "any proportion" if self.share == "any" else f"{self.share} {decimal_text(self.theta)}"
        return f"{said} of the respondents; {'; '.join(behaviour.words for behaviour in self.behaviours)}"

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
        """All certificates, by name of the result that they prove: both endpoints of each interval, the contradictions,
        and the other results."""
        found: dict[str, Certificate] = {}
        for name, interval in (("", self.sharp), ("covering-", self.covering)):
            if interval is not None:
                found |= dict(zip((f"{name}lower", f"{name}upper"), interval.certificates, strict=True))
        found |= {f"contradiction-{i + 1}": proof for i, proof in enumerate(self.contradictions)}
        return found | {name: each.certificate for name, each in self._said().items()}

    @property
    def feasible(self) -> bool:
        """Whether some population gives exactly the observed proportions."""
        return self.sharp is not None

    @property
    def refuted(self) -> bool | None:
        """Whether no population gives proportions in the confidence set; None if no confidence was requested."""
        return None if self.confidence is None else self.covering is None

    @property
    def overturned(self) -> bool:
        """Whether the conclusion is not valid at the observed proportions, for any proportion of non-compliers."""
        return "breakdown" in self.breakdowns and not self.breakdowns["breakdown"].stands

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table: the bounds, then all other results."""
        exact = "no distribution gives exactly these proportions (sampling variation can cause this)"
        rows = [
            ("non-compliers", self.noncompliers),
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
        rows += [(name.replace("_", " "), str(found)) for name, found in self._said().items()]
        return [*rows, *([] if self.types is None else self.types.lines())]

    @property
    def _is_trivial(self) -> bool:
        """Whether the proportion of non-compliers is unlimited and the bounds are 0 and 1, so they exclude nothing."""
        return self.share == "any" and (self.lower, self.upper) == (Fraction(0), Fraction(1))

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
) -> Bounds:
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
    return Bounds.recompute(given, *_limited(theta))


def type_shares(samples: tuple[Sample, ...], behaviours: tuple[Behaviour, ...]) -> TypeShares | None:
    """Return the proportions of the types, or None if the samples give only bounds for them."""
    with suppress(InfeasibleError):
        return identified_shares(list(samples), model=" + ".join(map(str, behaviours)) or "none")
    return None


def _limit(asked: Given, share: Share, theta: Fraction) -> Limit | None:
    """Return the constraint on the proportion of non-compliers, if there is one.

    Raises:
        InvalidParameterError: the proportion is outside [0, 1], is not 1 if it is unknown, or is impossible.
    """
    if not 0 <= theta <= 1 or (share == "any" and theta != 1):
        raise InvalidParameterError(
            f"the proportion of non-compliers is invalid: received {share} "
            f"{decimals_apart(theta, Fraction(round(theta)))[0]}; "
            "allowed is 0 <= theta <= 1, and theta = 1 where any proportion may be non-compliers"
        )
    most = sum((Fraction(1) if one.most is None else one.most for one in asked.behaviours), Fraction(0))
    if share == "exactly" and theta > most:
        received, allowed = decimals_apart(theta, most)
        raise InvalidParameterError(
            f"the proportion of non-compliers contradicts their behaviour: received exactly {received}, where the "
            f"model allows at most {allowed}; correct one of them"
        )
    return None if share == "any" else ("=" if share == "exactly" else "<=", theta)


def _limited(theta: object) -> tuple[Share, Fraction]:
    if theta is None:
        return "any", Fraction(1)
    is_limit = isinstance(theta, str) and theta.strip().startswith("0..")
    share = rational_where(
        str(theta).strip().removeprefix("0..") if is_limit else theta,
        lambda x: 0 <= x <= 1,
        "0 <= theta <= 1, or 0..T for at most T",
        name="the proportion of non-compliers",
    )
    return "at most" if is_limit else "exactly", share
