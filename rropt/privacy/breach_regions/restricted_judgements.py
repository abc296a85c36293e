"""Decide whether a mechanism satisfies a criterion for some properties only; if not, return a breach.

Upper limits protect the separated pairs of the family F at level ``B(h_u)``. Lower limits protect the separated pairs
of the complements at level ``B(1 - h_l(1 - .))`` (``docs/explanation/restricted-properties.md``, Theorem 1). Suppose
``p_ij > B p_il`` for a separated pair. Then an intruder who is certain that X is c_j or c_l learns too much about a
property Q with j in Q and l not in Q.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rropt.core.errors import required
from rropt.core.exact import Epsilon
from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.core.exact.display import extended_text
from rropt.core.results import Result, plain_dict
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.privacy.bound import Breach, ParityBound, judge, parity_bound
from rropt.privacy.criteria import Criterion
from rropt.privacy.criteria.named_criteria import required_criterion
from rropt.privacy.criteria.restricted_families import PropertyFamily, SeparatedRatio
from rropt.privacy.criterion_region import criterion_level
from rropt.privacy.level_regions import LevelsRegion


@dataclass(frozen=True, slots=True)
class RestrictedCriterion:
    """A criterion for the properties of a family only: ``h_l(p) <= posterior of Q <= h_u(p)`` for Q in F, all priors.

    Attributes:
        criterion: the limits. epsilon-DLP limits the odds from both sides (Chai and Nayak 2018, Definition 2.1). Every
            other criterion has only the limits of its functions. So h-CSIP, and a largest Bayes factor without a
            smallest one, set an upper limit only. For a family, the upper limit does not imply the lower one, as it
            does for all properties.
        family: F.
    """

    criterion: Criterion
    family: PropertyFamily

    def limits(self) -> tuple[tuple[str, Criterion, PropertyFamily], ...]:
        """Return for each limit its direction, a criterion with this limit only, and the family that it protects."""
        c, family = self.criterion, self.family
        if c.kind == "dlp":
            return ("up", c, family), ("down", c, family.complements())
        found = []
        if c.up is not None:
            found.append(("up", Criterion("csip", c.text, c.up), family))
        if c.down is not None:
            found.append(("down", Criterion("csip", c.text, None, c.down), family.complements()))
        return tuple(found)

    def region(self, *, outputs: int | None = None) -> LevelsRegion:
        """Return the region of the mechanisms that satisfy the criterion, with a level for each ordered pair of inputs.

        The constraints are ``p_ij <= B(h_u) p_il`` for separated pairs (j, l), and ``p_il <= B(1 - h_l(1 - .)) p_ij``
        for the same pairs. If both apply, the smaller bound is used. An irrational bound is rounded towards privacy.

        Args:
            outputs: m >= 2; by default k.

        Raises:
            InvalidParameterError: there is no constraint, because the family is trivial or the bounds are infinite.

        >>> from rropt.privacy.criteria import bayes_factor
        >>> one_sided = RestrictedCriterion(bayes_factor(3), PropertyFamily(2, [[1]])).region()
        >>> [[str(level) for level in row] for row in one_sided.pair_levels]
        [['None', 'None'], ['log(3)', 'None']]
        """
        inputs = range(self.family.inputs)
        levels: list[list[Epsilon | None]] = [[None for _ in inputs] for _ in inputs]
        for _, part, protected in self.limits():
            bound = parity_bound(part, fast=True)
            if bound.lower is None:  # B is infinite: no constraint in this direction
                continue
            level = criterion_level(part, bound).epsilon
            for j, other in protected.separated_pairs():
                known = levels[j][other]
                if known is None or level.exact_gamma() < known.exact_gamma():
                    levels[j][other] = level
        return LevelsRegion.by_pair(levels, outputs=outputs)

    def __str__(self) -> str:
        return f"{self.criterion} for {self.family}"


@dataclass(frozen=True, slots=True)
class RestrictedLimit:
    """One direction of a restricted criterion, with the decision whether it is satisfied.

    Attributes:
        direction: ``"up"`` or ``"down"``.
        bound: the bound B of its function.
        widest: the largest ratio over the separated pairs it protects; ``None`` if there is no such pair.
        meets: whether that ratio is at most B; ``None`` if the ratio is inside the enclosure of B.
    """

    direction: str
    bound: ParityBound
    widest: SeparatedRatio | None
    meets: bool | None


@dataclass(frozen=True, slots=True)
class FamilyPrivacy(Result):
    """The privacy of a mechanism for a family of properties, and whether it satisfies a criterion for them.

    Attributes:
        mechanism: P.
        properties: the family F.
        criterion: the criterion, or ``None``.
        meets: whether it is satisfied; ``None``: no criterion, or a ratio is inside the enclosure of B.
        limits: the decision for each direction of the criterion.
        breach: a prior, a property of F and a response that violate the criterion, if ``meets`` is ``False``.
    """

    mechanism: Mechanism
    properties: PropertyFamily
    criterion: Criterion | None
    meets: bool | None
    limits: tuple[RestrictedLimit, ...]
    breach: Breach | None

    @classmethod
    def recompute(
        cls, mechanism: Mechanism, family: tuple[tuple[int, ...], ...], parameters: Criterion | None
    ) -> FamilyPrivacy:
        """Recompute the decision."""
        return family_privacy(mechanism, PropertyFamily(mechanism.inputs, family), parameters)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form of ``rropt privacy --properties --json``, with the arguments."""
        steps, both = self.properties.diameter(), self.properties.with_complements()
        return {
            "family": [list(q) for q in self.properties.properties],
            "parity": extended_text(self.properties.parity(self.mechanism)),
            "two_sided_parity": extended_text(both.parity(self.mechanism)),
            "steps": "inf" if steps is None else steps,
            "meets": self.meets,
            "breach": None if self.breach is None else plain_dict(self.breach),
            "mechanism": self.mechanism.to_dict(),
            "parameters": None if self.criterion is None else self.criterion.to_dict(),
        }

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled lines of the summary: the parities over separated pairs, and the decision."""
        steps, both = self.properties.diameter(), self.properties.with_complements()
        limit = "a bound on it alone leaves the whole parity without bound"
        if steps is not None:
            power = {1: "own value", 2: "square", 3: "cube"}.get(steps, f"{steps}th power")
            limit = f"a bound on it makes the whole parity at most its {power}"
        parity = extended_text(self.properties.parity(self.mechanism), "infinite")
        rows = [
            ("properties", str(self.properties)),
            ("parity against rises of these", f"{parity}; {limit}"),
            ("against rises and falls", extended_text(both.parity(self.mechanism), "infinite")),
        ]
        answers = {True: "yes", False: "no", None: "not decided: a ratio lies inside the enclosure of B(h)"}
        if self.criterion is not None:
            rows.append(("meets the criterion", f"{answers[self.meets]}, for them: {self.criterion}"))
        return rows if self.breach is None else [*rows, *self.breach.lines()]


def family_privacy(
    mechanism: Mechanism, properties: PropertyFamily, criterion: Criterion | None = None
) -> FamilyPrivacy:
    """Decide whether a mechanism satisfies a criterion for some properties only, with a breach if it does not.

    The result also has the parities over the pairs that the properties separate.

    Args:
        mechanism: any mechanism, m outputs and k inputs.
        properties: a family of properties of the k inputs.
        criterion: any criterion of ``rropt.privacy.criteria``; ``None``: only the parities are computed.

    Raises:
        InvalidParameterError: the family has a different number of inputs, or as for ``parity_bound``.

    >>> from rropt.privacy.criteria import bayes_factor
    >>> cards = Mechanism([["1/2", "1/4", "1/8"], ["1/2", "3/4", "7/8"]])
    >>> family_privacy(cards, PropertyFamily(3, [[1]]), bayes_factor(2, "1/2")).meets
    True
    >>> found = family_privacy(cards, PropertyFamily(3, [[0]]), bayes_factor(3))
    >>> print(*(found.breach.property, found.breach.response, found.breach.prior, found.breach.posterior))
    (0,) 0 1/2 4/5
    >>> found.lines()[1][1]
    '4; a bound on it alone leaves the whole parity without bound'
    """
    required(properties, PropertyFamily, "the family", "PropertyFamily(inputs, [[0], [1, 2]])")
    mechanism = required_mechanism(mechanism)
    properties.require_inputs(mechanism)
    if criterion is None:
        return FamilyPrivacy(mechanism, properties, None, None, (), None)
    limits, breach = [], None
    for direction, part, protected in RestrictedCriterion(required_criterion(criterion), properties).limits():
        bound = parity_bound(part, fast=True)
        widest = protected.largest_ratio(mechanism)
        meets = True if widest is None else bound.allows(widest.ratio)
        limits.append(RestrictedLimit(direction, bound, widest, meets))
        if meets is False and breach is None and widest is not None:
            breach = _breach(mechanism, properties, direction, bound, widest)
    answers = [limit.meets for limit in limits]
    decided = False if False in answers else None if None in answers else True
    return FamilyPrivacy(mechanism, properties, criterion, decided, tuple(limits), breach)


def _breach(
    mechanism: Mechanism, family: PropertyFamily, direction: str, bound: ParityBound, widest: SeparatedRatio
) -> Breach | None:
    """Return a breach for the pair (j, l), obtained from the mechanism with these two inputs only."""
    pair = _two_inputs(mechanism, widest)
    found = judge(pair, bound.criterion, bound, fast=True).breach
    if found is None:
        return None
    above, below = widest.above, widest.below
    inside = family.separating(above, below) if direction == "up" else family.separating(below, above)
    if inside is None:
        raise ArithmeticError("a separated pair has no property that separates it")
    alpha = [Algebraic.of(0)] * mechanism.inputs
    alpha[above], alpha[below] = found.distribution
    translated = replace(found, response=widest.row, property=inside, distribution=tuple(alpha))
    return translated.mirrored() if found.direction != direction else translated


def _two_inputs(mechanism: Mechanism, widest: SeparatedRatio) -> Mechanism:
    """Return a mechanism with two inputs that attains the ratio of the pair as its parity, in its first row.

    Its rows are ``(t a, t b)`` and ``(1 - t a, 1 - t b)``. Their parities are r = a/b, and at most ``1/(1 - t)``, which
    is below r for ``t = (1 - 1/r)/2``.
    """
    a, b = mechanism[widest.row, widest.above], mechanism[widest.row, widest.below]
    t = Fraction(1, 2) if not b else (1 - b / a) / 2
    return Mechanism([[t * a, t * b], [1 - t * a, 1 - t * b]])
