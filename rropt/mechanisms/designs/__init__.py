"""The named designs of the literature, by the question they are for: device parameters in, exact mechanism out."""

from __future__ import annotations

from rropt.errors import InvalidParameterError, shown
from rropt.exact import listed
from rropt.mechanisms.designs.binary import (
    CHRISTOFIDES,
    CROSSWISE,
    FORCED,
    GENERALISED,
    KUK,
    MANGAT,
    MANGAT_SINGH,
    UNRELATED,
    WARNER,
)
from rropt.mechanisms.designs.bits import FORM, NAME, RAPPOR, Rappor, named_product
from rropt.mechanisms.designs.categorical import GRR, UNARY
from rropt.mechanisms.designs.design import Design, Parameter
from rropt.mechanisms.mechanism import Mechanism

__all__ = ["DESIGNS", "Design", "Parameter", "Rappor", "named_mechanism"]

DESIGNS: dict[str, Design] = {
    design.name: design
    for design in (
        WARNER,
        GENERALISED,
        FORCED,
        UNRELATED,
        CROSSWISE,
        MANGAT,
        MANGAT_SINGH,
        KUK,
        CHRISTOFIDES,
        GRR,
        UNARY,
        RAPPOR,
    )
}


def named_mechanism(text: str) -> Mechanism:
    """Return the mechanism of a name with parameters, such as ``"warner:3/4"`` or ``"forced:2/3,1/6,1/6"``.

    ``"bits:"`` and a list of devices is their product, one for each question: ``"bits:3/4*4"`` (``designs.bits``).

    Raises:
        InvalidParameterError: an unknown name, a wrong number of parameters, or one outside its domain.
    """
    if not isinstance(text, str):
        raise InvalidParameterError(
            f"a design's name is not text: received {shown(text)}; write for example warner:3/4"
        )
    name, _, rest = text.partition(":")
    if name.strip().lower() == NAME:
        return named_product(rest, named_mechanism, _most_parameters)
    design = DESIGNS.get(name.strip().lower())
    if design is None:
        raise InvalidParameterError(
            f"no design has the name {shown(name)}: known are {', '.join(DESIGNS)}; `rropt mechanisms` lists them; "
            f"a product of them is {FORM}"
        )
    return design(*listed(rest) if rest.strip() else [])


def _most_parameters(name: str) -> int:
    return DESIGNS[name].most if name in DESIGNS else 0
