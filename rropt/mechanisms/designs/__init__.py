"""The named designs of the literature, by the question they are for: device parameters in, exact mechanism out."""

from __future__ import annotations

from rropt.errors import InvalidParameterError, shown
from rropt.mechanisms.designs.binary import CROSSWISE, FORCED, GENERALISED, KUK, MANGAT, MANGAT_SINGH, UNRELATED, WARNER
from rropt.mechanisms.designs.categorical import GRR, UNARY
from rropt.mechanisms.designs.design import Design, Parameter
from rropt.mechanisms.mechanism import Mechanism

__all__ = ["DESIGNS", "Design", "Parameter", "named_mechanism"]

DESIGNS: dict[str, Design] = {
    design.name: design
    for design in (WARNER, GENERALISED, FORCED, UNRELATED, CROSSWISE, MANGAT, MANGAT_SINGH, KUK, GRR, UNARY)
}


def named_mechanism(text: str) -> Mechanism:
    """Return the mechanism of a name with parameters, such as ``"warner:3/4"`` or ``"forced:2/3,1/6,1/6"``.

    Raises:
        InvalidParameterError: an unknown name, a wrong number of parameters, or one outside its domain.
    """
    if not isinstance(text, str):
        raise InvalidParameterError(
            f"a design's name is not text: received {shown(text)}; write for example warner:3/4"
        )
    name, _, rest = text.partition(":")
    design = DESIGNS.get(name.strip().lower())
    if design is None:
        raise InvalidParameterError(
            f"no design has the name {shown(name)}: known are {', '.join(DESIGNS)}; `rropt mechanisms` lists them"
        )
    return design(*[value.strip() for value in rest.split(",")] if rest.strip() else [])
