"""The named designs of the literature, one file each: device parameters in, exact mechanism out."""

from __future__ import annotations

from rropt.errors import InvalidParameterError, shown
from rropt.mechanisms.designs.crosswise import CROSSWISE
from rropt.mechanisms.designs.design import Design, Parameter
from rropt.mechanisms.designs.forced import FORCED
from rropt.mechanisms.designs.generalised import GENERALISED
from rropt.mechanisms.designs.kuk import KUK
from rropt.mechanisms.designs.mangat import MANGAT
from rropt.mechanisms.designs.mangat_singh import MANGAT_SINGH
from rropt.mechanisms.designs.randomized_response import GRR
from rropt.mechanisms.designs.unary_encoding import UNARY
from rropt.mechanisms.designs.unrelated import UNRELATED
from rropt.mechanisms.designs.warner import WARNER
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
