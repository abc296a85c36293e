"""The named designs of the literature: exact mechanisms from the parameters of a device."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from rropt.core.errors import InvalidParameterError, shown
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.named.builders import BUILDERS
from rropt.mechanisms.named.design import DESIGNS, Design, Parameter, named_mechanism

__all__ = ["DESIGNS", "Design", "Parameter", "named_mechanism"]


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


class _Constructor:
    """A constructor of ``Mechanism``, such as ``Mechanism.warner("3/4")``, made when it is first used."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> Callable[..., Mechanism]:
        return _constructor(DESIGNS[self.name])


@cache
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
    construct.__doc__ = f"""Return a mechanism of this design, with the parameters {symbols}: {design.title}.

    {design.device} The exact level is epsilon = {design.epsilon}. Source: {design.source}.

    Args:
        parameters: {"; ".join(map(str, design.parameters))}. Each is a number or its text, such as ``"3/4"``, and may
            be given by its name.

    Raises:
        InvalidParameterError: a wrong number of parameters, or one outside its domain.
    """
    return construct


for _name in BUILDERS:
    setattr(Mechanism, _name.replace("-", "_"), _Constructor(_name))
