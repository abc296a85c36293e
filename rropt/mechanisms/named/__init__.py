"""The named designs of the literature: exact mechanisms from the parameters of a device."""

from __future__ import annotations

from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.named.design import DESIGNS, Design, Parameter, has_other_responses, named_mechanism

__all__ = ["DESIGNS", "Design", "Parameter", "has_other_responses", "list_mechanisms", "named_mechanism"]


class Designs(tuple[Design, ...]):
    """A tuple of named designs; printing it shows one line for each."""

    def __str__(self) -> str:
        rows = [(f"{each.name}:{','.join(p.symbol for p in each.parameters)}", each.title) for each in self]
        width = max((len(written) for written, _ in rows), default=0)
        return "\n".join(f"{written:{width}}  {title}" for written, title in rows)

    __repr__ = __str__


def list_mechanisms() -> Designs:
    """Return all named designs, as ``rropt design list`` does.

    >>> [design.name for design in list_mechanisms()][:3]
    ['warner', 'generalised', 'forced']
    """
    return Designs(DESIGNS.values())


setattr(Mechanism, "_of_name", staticmethod(lambda name, *given: DESIGNS[name].of(*given)))  # noqa: B010  # Mechanism is in a lower layer
