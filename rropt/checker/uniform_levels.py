"""Regions with one level for all pairs: by epsilon and delta, or by a criterion (FORMAT.md, B and rule 1).

The mechanisms that meet a criterion are those of parity at most B, so its level is gamma = B, delta = 0; the bracket of
gamma comes with the claim and the witness of rule 12 that prove it.
"""

from typing import Any, NamedTuple

from .brackets import Bracket, delta_bracket, gamma_bracket, read_bracket
from .budget import Budget
from .cover import check_cover
from .documents import Rejected, fields


class UniformLevel(NamedTuple):
    """What a region with one level says, its sizes as written and its brackets proved."""

    sizes: tuple[Any, Any]  # inputs, outputs
    family: Any
    gamma: Bracket
    delta: Bracket
    has_delta: bool  # delta is not written "0"


def uniform_level(region: Any, gamma: Any, delta: Any, budget: Budget) -> UniformLevel:
    """Return the level of a region of kind differential-privacy or criterion."""
    kind = region.get("kind") if isinstance(region, dict) else None
    if kind == "criterion":
        _, inputs, outputs, up, down = fields(region, ["kind", "inputs", "outputs", "up", "down"], "region")
        bracket = _criterion_bracket({"kind": "criterion", "up": up, "down": down}, gamma, budget)
        return UniformLevel((inputs, outputs), "all", bracket, delta_bracket("0", delta, budget), False)
    if kind != "differential-privacy":
        raise Rejected(
            "the region is none of differential-privacy and criterion, nor, in a linear programme, pairwise-privacy or "
            "bounded over one of these"
        )
    _, inputs, outputs, epsilon, slack, family = fields(
        region, ["kind", "inputs", "outputs", "epsilon", "delta", "family"], "region"
    )
    one, small = gamma_bracket(epsilon, gamma, budget), delta_bracket(slack, delta, budget)
    return UniformLevel((inputs, outputs), family, one, small, slack != "0")


def _criterion_bracket(criterion: Any, gamma: Any, budget: Budget) -> Bracket:
    """Return the bracket of B, proved by a cover."""
    below, above, infimum = fields(gamma, ["below", "above", "infimum"], "the bracket of gamma")
    claim, witness = fields(infimum, ["claim", "witness"], "the infimum")
    if not isinstance(witness, dict) or witness.get("rule") != "cover":
        raise Rejected("the infimum is not proved by the rule cover")
    check_cover(criterion, claim, witness)
    low, high = (budget.number(claim[end], f"{end} of the infimum") for end in ("lower", "upper"))
    bracket = read_bracket({"below": below, "above": above}, "gamma", budget)
    if not 1 <= bracket.below <= low <= high <= bracket.above:
        raise Rejected("gamma's bracket begins below 1, or does not hold the bounds of the infimum")
    return bracket
