"""The named designs of the literature: exact mechanisms from the parameters of a device."""

from __future__ import annotations

from collections.abc import Callable

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import split_list
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.named.binary import (
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
from rropt.mechanisms.named.bits import FORM, NAME, RAPPOR, Rappor, named_product
from rropt.mechanisms.named.categorical import GRR, SUBSET, UNARY
from rropt.mechanisms.named.design import Design, Parameter
from rropt.mechanisms.named.sets import SETS

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
        SUBSET,
        UNARY,
        RAPPOR,
        *SETS,
    )
}


def named_mechanism(text: str) -> Mechanism:
    """Return the mechanism for a name with parameters, such as ``"warner:3/4"`` or ``"forced:2/3,1/6,1/6"``.

    The name ``"bits:"`` with a list of devices gives their product, one device for each question: ``"bits:3/4*4"``.

    Raises:
        InvalidParameterError: the name is unknown, or the number or a value of the parameters is invalid.
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
    return design(*split_list(rest) if rest.strip() else [])


def _most_parameters(name: str) -> int:
    return DESIGNS[name].most if name in DESIGNS else 0


class Designs(tuple[Design, ...]):
    """A tuple of named designs; printing it shows one line for each."""

    def __str__(self) -> str:
        rows = [(f"{each.name}:{','.join(p.symbol for p in each.parameters)}", each.title) for each in self]
        width = max((len(written) for written, _ in rows), default=0)
        return "\n".join(f"{written:{width}}  {title}" for written, title in rows)

    __repr__ = __str__


def list_mechanisms() -> Designs:
    """Return all named designs, as ``rropt mechanisms`` does.

    >>> [design.name for design in list_mechanisms()][:3]
    ['warner', 'generalised', 'forced']
    """
    return Designs(DESIGNS.values())


def _constructor(design: Design) -> Callable[..., Mechanism]:
    names = [parameter.symbol for parameter in design.parameters]
    symbols = ", ".join(names)

    def construct(*parameters: object, **named: object) -> Mechanism:
        rest = names[len(parameters) :]
        if named and (wrong := sorted(named.keys() - set(rest[: len(named)]))):
            raise InvalidParameterError(
                f"{design.name} has no free parameter {shown(wrong[0])}: received {', '.join(map(shown, named))}; "
                f"allowed are {symbols}, in this order"
            )
        return design(*parameters, *(named[name] for name in rest if name in named))

    construct.__name__ = design.name.replace("-", "_")
    construct.__qualname__ = f"Mechanism.{construct.__name__}"
    construct.__doc__ = f"""Return {design.title}, with the parameters {symbols}.

    {design.device} The exact level is epsilon = {design.epsilon}. Source: {design.source}.

    Args:
        parameters: {"; ".join(map(str, design.parameters))}. Each is a number or its text, such as ``"3/4"``, and may
            be given by its name.

    Raises:
        InvalidParameterError: a wrong number of parameters, or one outside its domain.
    """
    return construct


# The constructors of ``Mechanism``: one for each named design, such as ``Mechanism.warner("3/4")``.
for _design in DESIGNS.values():
    setattr(Mechanism, _design.name.replace("-", "_"), staticmethod(_constructor(_design)))
