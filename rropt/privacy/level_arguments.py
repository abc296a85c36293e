"""Privacy levels: what a mechanism may reveal, as one object, whatever notion of privacy states it.

``epsilon`` and ``delta`` of a call are the most common level. Every other one is an object, for example
``level=rropt.privacy.posterior("1/5", "1/2")``, with a text form for files and the command line (``level_of_text``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from rropt.core.errors import InvalidParameterError, shown, shown_with_type
from rropt.core.exact import Delta, Epsilon
from rropt.core.exact.levels import LevelSpan, is_span
from rropt.core.exact.numbers import split_list
from rropt.mechanisms.columns import listed, required_list
from rropt.privacy.divergence_regions import RenyiRegion, ZcdpRegion
from rropt.privacy.gaussian_region import GaussianRegion
from rropt.privacy.level_base import Level as Level
from rropt.privacy.level_base import Outputs
from rropt.privacy.level_intervals import EveryLevelRegion
from rropt.privacy.level_regions import LevelsRegion, steps_apart
from rropt.privacy.region import PrivacyRegion, Region

if TYPE_CHECKING:
    from rropt.privacy.criteria import Criterion


@dataclass(frozen=True)
class OneLevel(Level):
    """One epsilon and delta for all pairs of categories."""

    epsilon: Epsilon
    delta: Delta
    is_single = True

    def region(self, *, inputs: int = 2, outputs: Outputs = "any", family: str = "all") -> PrivacyRegion:
        """Return the region of the level."""
        return PrivacyRegion(self.epsilon, self.delta, inputs=inputs, outputs=outputs, family=family)

    def one(self, what: str) -> tuple[Epsilon, Delta]:
        """Return epsilon and delta."""
        return self.epsilon, self.delta

    def __str__(self) -> str:
        return f"epsilon = {self.epsilon}, delta = {self.delta}"


@dataclass(frozen=True)
class EveryLevelOf(Level):
    """Every level of an interval, for the optimum as a function of the level (``rropt.every_level``)."""

    span: LevelSpan
    delta: Delta

    def region(self, *, inputs: int = 2, outputs: Outputs = "any", family: str = "all") -> EveryLevelRegion:
        """Return the region of each level of the interval."""
        if family != "all":
            raise InvalidParameterError(
                "a symmetric design does not belong to every level at once: leave `symmetric` out, or give one level"
            )
        return EveryLevelRegion(self.span, delta=self.delta, inputs=inputs, outputs=outputs)

    def __str__(self) -> str:
        return str(self.span)


@dataclass(frozen=True)
class CriterionOfLevel(Level):
    """A criterion on posterior probabilities, which is met iff the parity is at most its bound B(h).

    Attributes:
        criterion: the criterion.
    """

    criterion: Criterion

    @cached_property
    def epsilon(self) -> Epsilon:
        """log B(h), or a level just below it if B(h) is irrational.

        Raises:
            InvalidParameterError: B(h) is infinite.
        """
        from rropt.privacy.criterion_region import criterion_level

        return criterion_level(self.criterion).epsilon

    def region(self, *, inputs: int = 2, outputs: Outputs = "any", family: str = "all") -> PrivacyRegion:
        """Return the region of the criterion; of two categories exactly, of more at a rational level."""
        if inputs == 2 and family == "all":
            from rropt.privacy.criterion_region import CriterionRegion

            return CriterionRegion(self.criterion, inputs=inputs, outputs=outputs)
        return PrivacyRegion(self.epsilon, inputs=inputs, outputs=outputs, family=family)

    def one(self, what: str) -> tuple[Epsilon, Delta]:
        """Return log B(h), or a level just below it, and 0."""
        return self.epsilon, Delta.of(0)

    def __str__(self) -> str:
        return str(self.criterion)


@dataclass(frozen=True)
class CurvedLevel(Level):
    """A bound of Renyi divergences, or Gaussian differential privacy.

    Attributes:
        kind: ``"renyi"``, ``"zcdp"`` or ``"gdp"``.
        parameters: order and epsilon, rho, or mu.
    """

    kind: Literal["renyi", "zcdp", "gdp"]
    parameters: tuple[object, ...]

    def __post_init__(self) -> None:
        self.region()  # rejects invalid parameters

    @property
    def title(self) -> str:
        """The notion of privacy, in words."""
        return "Gaussian differential privacy" if self.kind == "gdp" else "a bound of Renyi divergences"

    def region(self, *, inputs: int = 2, outputs: Outputs = "any", family: str = "all") -> Region:
        """Return the region, whose mechanisms have any number of outputs."""
        kinds: dict[str, Any] = {"renyi": RenyiRegion, "zcdp": ZcdpRegion, "gdp": GaussianRegion}
        region: Region = kinds[self.kind](*self.parameters, inputs=inputs)
        return region

    def __str__(self) -> str:
        return f"{self.kind}:{','.join(map(str, self.parameters))}"


@dataclass(frozen=True)
class SeveralLevels(Level):
    """Several levels, each for all pairs of categories or for some of them.

    Attributes:
        levels: pairs (epsilon, delta), or objects with epsilon, delta and pairs.
    """

    levels: tuple[Any, ...]

    @property
    def is_single(self) -> bool:  # type: ignore[override]
        """Whether there is one level, for all pairs."""
        return len(self.levels) == 1 and isinstance(self.levels[0], tuple) and len(self.levels[0]) == 2

    def one(self, what: str) -> tuple[Epsilon, Delta]:
        """Return epsilon and delta of a single level."""
        if self.is_single:
            return Epsilon.of(self.levels[0][0]), Delta.of(self.levels[0][1])
        return Level.one(self, what)

    def region(self, *, inputs: int = 2, outputs: Outputs = "any", family: str = "all") -> Region:
        """Return the region of all levels; one level for all pairs is a ``PrivacyRegion``."""
        return _joined(LevelsRegion(self.levels, inputs=inputs, outputs=outputs), family)

    def __str__(self) -> str:
        return f"levels {shown(list(self.levels))}"


@dataclass(frozen=True)
class LevelOfPairs(Level):
    """A level for each ordered pair of categories.

    Attributes:
        table: k rows of k levels; None for no condition.
    """

    table: tuple[tuple[object, ...], ...]

    def region(self, *, inputs: int = 2, outputs: Outputs = "any", family: str = "all") -> Region:
        """Return the region of the levels."""
        region = LevelsRegion.by_pair(self.table, outputs=outputs)
        if region.inputs != inputs:
            raise InvalidParameterError(
                f"the levels of pairs have {region.inputs} rows: there are {inputs} categories; give a row for each"
            )
        return _joined(region, family)

    def __str__(self) -> str:
        return "levels by pair"


@dataclass(frozen=True)
class MetricLevel(Level):
    """A level that grows with the distance of two categories.

    Attributes:
        distance: ``"line"`` or ``"grid:RxC"``.
        epsilon: the level at distance 1.
        delta: the slack of every pair.
    """

    distance: str
    epsilon: Epsilon
    delta: Delta

    def region(self, *, inputs: int = 2, outputs: Outputs = "any", family: str = "all") -> Region:
        """Return the region of the levels."""
        steps = steps_apart(self.distance, inputs)
        return LevelsRegion.by_distance(self.epsilon, self.delta, distance=steps, inputs=inputs, outputs=outputs)

    def __str__(self) -> str:
        return f"{self.distance}:{self.epsilon}" + ("" if self.delta == Delta.of(0) else f",{self.delta}")


def _joined(region: LevelsRegion, family: str) -> Region:
    """Return one level for all pairs as the region of one level."""
    only = region.levels[0]
    if len(region.levels) > 1 or (only.pairs and len(only.pairs) < region.inputs * (region.inputs - 1)):
        return region
    outputs: Outputs = region.outputs or "any"
    return PrivacyRegion(only.epsilon, only.delta, inputs=region.inputs, outputs=outputs, family=family)


def given_level(epsilon: object, delta: object, level: object, *, spans: bool = False) -> Level:
    """Return the level of a call that has the arguments ``epsilon``, ``delta`` and ``level``.

    Args:
        epsilon: in nats, any form of ``Epsilon.of``; or None.
        delta: slack in addition to epsilon, any form of ``Delta.of``.
        level: instead of epsilon, a ``Level``, or its text form (``level_of_text``).
        spans: whether an interval of levels (``span``) is allowed.

    Raises:
        InvalidParameterError: no level is given, or two.
    """
    if level is None and epsilon is None:
        raise InvalidParameterError(
            'a privacy level is needed: received none; give `epsilon`, such as "log(3)", or `level`, such as '
            'rropt.privacy.posterior("1/5", "1/2")'
        )
    if level is None:
        if isinstance(epsilon, Level):
            raise InvalidParameterError(f"`epsilon` is a number: received the level {epsilon}; give it as `level`")
        if is_span(epsilon):
            raise InvalidParameterError(
                f"a design has one level: received epsilon {shown(str(epsilon))}; call rropt.every_level for the "
                "optimum at every level, or give one"
            )
        return OneLevel(Epsilon.of(epsilon), Delta.of(delta))
    if epsilon is not None:
        raise InvalidParameterError(
            f"the privacy level is given twice: received epsilon {shown(epsilon)} and a level; give one of them"
        )
    found = level_of_text(level) if isinstance(level, str) else level
    if not isinstance(found, Level):
        raise InvalidParameterError(
            f"`level` is no level: received {shown(level)}; give an object of rropt.privacy, such as "
            'posterior("1/5", "1/2"), or its text, such as "posterior:1/5,1/2"'
        )
    require_no_delta(delta, f"with the level {found}")
    if isinstance(found, EveryLevelOf) and not spans:
        raise InvalidParameterError(
            f"a design has one level: received {found}; call rropt.every_level for the optimum at every level"
        )
    return found


def posterior(prior: object, posterior: object) -> Level:
    """Return the level at which no probability rises from below ``prior`` to above ``posterior``, nor falls back.

    This is rho1-to-rho2 privacy (Evfimievski, Gehrke and Srikant 2003).

    Args:
        prior, posterior: rho1 < rho2, exact probabilities in (0, 1).

    >>> print(posterior("1/5", "1/2").epsilon)
    log(4)
    """
    from rropt.privacy.criteria import rho_to_rho

    return CriterionOfLevel(rho_to_rho(prior, posterior))


def factor(beta: object) -> Level:
    """Return the level at which no response changes a probability by more than a factor beta.

    Args:
        beta: the factor, an exact number > 1: ``1/beta <= posterior/prior <= beta``.

    >>> print(factor(3).epsilon)
    log(3)
    """
    from rropt.privacy.criteria import beta_factor

    return CriterionOfLevel(beta_factor(beta))


def curve(upper: str, lower: str | None = None) -> Level:
    """Return the level at which the posterior probability stays below a function of the prior probability p.

    Args:
        upper: the largest posterior probability, an expression in p such as ``"min(1, 3*p)"``.
        lower: the smallest one, an expression in p; by default that of the complement.

    >>> print(curve("min(1, 2*p + 1/10)").criterion)
    posterior <= min(1, 2*p + 1/10)
    """
    from rropt.privacy.criteria import canonical_information_privacy, information_privacy

    own = canonical_information_privacy(upper) if lower is None else information_privacy(lower=lower, upper=upper)
    return CriterionOfLevel(own)


def renyi(order: object, epsilon: object) -> Level:
    """Return the level at which the Renyi divergence of one order is at most epsilon (``RenyiRegion``).

    Args:
        order: the order >= 1; 1 is the Kullback-Leibler divergence.
        epsilon: its bound in nats.

    >>> print(renyi(2, "1/2"))
    renyi:2,1/2
    """
    return CurvedLevel("renyi", (order, epsilon))


def zcdp(rho: object) -> Level:
    """Return zero-concentrated differential privacy: each Renyi divergence is at most rho times its order.

    Args:
        rho: an exact number from 0 to 100.
    """
    return CurvedLevel("zcdp", (rho,))


def gdp(mu: object) -> Level:
    """Return Gaussian differential privacy (``GaussianRegion``), for 2 to 5 categories.

    Args:
        mu: the distance of two normal distributions with variance 1.
    """
    return CurvedLevel("gdp", (mu,))


def pairs(table: Sequence[Sequence[object]]) -> Level:
    """Return a level for each ordered pair of categories.

    Args:
        table: k rows of k levels in nats; None for no condition. The entry (j, l) bounds ``p_ij/p_il``.

    >>> print(pairs([[None, "log(2)"], ["log(3)", None]]).region(outputs=2))
    levels (log(2), 0) for 1 pair, (log(3), 0) for 1 pair, k = 2 categories, m = 2 outputs
    """
    rows = required_list(table, "the levels of pairs", "k rows of k levels")
    return LevelOfPairs(tuple(tuple(required_list(row, "a row of levels", "k levels")) for row in rows))


def levels(*given: tuple[object, object] | Mapping[str, object]) -> Level:
    """Return several levels that the mechanism must satisfy together.

    Args:
        given: pairs (epsilon, delta) for all pairs of categories, or objects with ``epsilon``, ``delta`` and
            ``pairs``, the pairs of categories of the level (``LevelsRegion``).

    >>> print(levels(("log(2)", "1/10"), (2, 0)).region(inputs=3))
    levels (log(2), 1/10), (2, 0), k = 3 categories, output alphabet unrestricted
    """
    found = tuple(one if isinstance(one, Mapping | str) else tuple(listed(one) or (one,)) for one in given)
    if not any(isinstance(one, Mapping) for one in found):
        LevelsRegion(found)  # rejects invalid levels
    return SeveralLevels(found)


def metric(distance: str, epsilon: object, delta: object = 0) -> Level:
    """Return a level that grows with the distance of two categories.

    Args:
        distance: ``"line"``: the distance of the categories j and l is ``abs(j - l)``. ``"grid:RxC"``: that in a grid
            of R rows and C columns, with the categories row by row.
        epsilon: the level at distance 1.
        delta: the slack of every pair.

    >>> print(metric("line", 1).region(inputs=3, outputs=3))
    levels (1, 0) for 4 pairs, (2, 0) for 2 pairs, k = 3 categories, m = 3 outputs
    """
    if not isinstance(distance, str):
        raise InvalidParameterError(f"`distance` is no text: received {shown(distance)}; allowed are line and grid:RxC")
    return MetricLevel(distance.strip(), Epsilon.of(epsilon), Delta.of(delta))


def span(levels: object = "all", delta: object = 0) -> Level:
    """Return every level of an interval, for the problem whose optimum is a function of the level.

    Args:
        levels: ``"all"``, or ``"LOW..HIGH"`` in nats, such as ``"1/2..3"`` or ``"log(2)..log(10)"``.
        delta: the slack, the same at each level.

    >>> print(span("1/2..3"))
    1/2 <= epsilon <= 3
    """
    text = levels if isinstance(levels, str) else shown(levels)  # no text but that of a span is a span
    return EveryLevelOf(levels if isinstance(levels, LevelSpan) else LevelSpan.of(text), Delta.of(delta))


_FORMS = "E,D, posterior:R1,R2, factor:B, curve:EXPR, renyi:A,E, zcdp:RHO, gdp:MU, line:E and grid:RxC:E"

_KINDS = {"posterior", "factor", "curve", "renyi", "zcdp", "gdp", "line", "grid"}


def level_of_text(text: str) -> Level:
    """Read a level from its text form.

    Args:
        text: ``E,D`` (epsilon and delta); ``posterior:R1,R2``; ``factor:B``; ``curve:UPPER`` or ``curve:UPPER;LOWER``;
            ``renyi:A,E``; ``zcdp:RHO``; ``gdp:MU``; ``line:E`` or ``grid:RxC:E``, with ``,D`` for a delta.

    Raises:
        InvalidParameterError: the text has another form.

    >>> print(level_of_text("posterior:1/5,1/2").epsilon, level_of_text("line:1,1/10"))
    log(4) line:1,1/10
    """
    if not isinstance(text, str):
        raise InvalidParameterError(f"`text` is not a text: received {shown_with_type(text)}; allowed are {_FORMS}")
    kind, mark, rest = (part.strip() for part in text.partition(":"))
    if not mark:
        if kind and kind not in _KINDS and len(list(split_list(kind))) == 1:
            as_epsilon, as_curve = shown(f"{kind},0"), shown(f"curve:{kind}")
            raise InvalidParameterError(
                f"the level does not say its kind: received {shown(text)}; write {as_epsilon} for an epsilon, or "
                f"{as_curve} for a bound of the posterior; allowed are {_FORMS}"
            )
        epsilon, delta = _parts(text, kind, 2)
        return levels((epsilon, delta))
    if kind == "grid":
        size, _, rest = (part.strip() for part in rest.partition(":"))
        kind = f"grid:{size}"
    if kind == "line" or kind.startswith("grid:"):
        return metric(kind, *_parts(text, rest, 1, 2))
    if kind == "curve":
        upper, _, lower = rest.partition(";")
        return curve(upper, lower or None)
    makers: dict[str, tuple[Any, int]] = {
        "posterior": (posterior, 2),
        "factor": (factor, 1),
        "renyi": (renyi, 2),
        "zcdp": (zcdp, 1),
        "gdp": (gdp, 1),
    }
    if kind not in makers:
        raise InvalidParameterError(f"the level is unknown: received {shown(text)}; allowed are {_FORMS}")
    make, count = makers[kind]
    made: Level = make(*_parts(text, rest, count))
    return made


def _parts(text: str, rest: str, *counts: int) -> list[str]:
    parts = list(split_list(rest)) if rest else []
    if len(parts) not in counts:
        raise InvalidParameterError(
            f"the level has another number of parameters: received {shown(text)}; allowed are {_FORMS}"
        )
    return parts


_MET = "with a criterion, which is met iff the parity is at most B(h), with delta = 0"


def require_no_delta(delta: object, where: str = _MET) -> None:
    """Raise ``InvalidParameterError`` for a nonzero delta where none is allowed, for example with a criterion."""
    if Delta.of(delta) != Delta.of(0):
        raise InvalidParameterError(
            f"`delta` belongs to `epsilon` or `gamma`: received {shown(delta)} {where}; leave it out"
        )
