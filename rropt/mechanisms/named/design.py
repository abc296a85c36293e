"""Named designs: the parameters of a device, their domains, and the mechanism that they define."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import as_text, rational
from rropt.core.exact.numbers import percent_hint
from rropt.mechanisms.mechanism import Mechanism

_PROBABILITY = "0 <= {} <= 1"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a device.

    Attributes:
        symbol, meaning: its letter and its meaning.
        domain: the domain in words. The default is a probability; any other domain is checked by the design itself.
        whole: the smallest and the largest value of an integer parameter.
    """

    symbol: str
    meaning: str
    domain: str = _PROBABILITY
    whole: tuple[int, int] | None = None

    def __str__(self) -> str:
        return f"{self.symbol}: {self.meaning}, {self.domain.format(self.symbol)}"

    def to_dict(self) -> dict[str, str]:
        """Return symbol, meaning and domain for JSON."""
        return {"symbol": self.symbol, "meaning": self.meaning, "domain": self.domain.format(self.symbol)}

    def check(self, value: Fraction) -> None:
        """Raise ``InvalidParameterError`` unless the value is a probability, or an integer in range."""
        if self.domain == _PROBABILITY:
            probability(value, self.symbol)
        elif self.whole is not None:
            least, most = self.whole
            require(
                value.denominator == 1 and least <= value <= most,
                f"{self.symbol} is not a {self.meaning}: received {value}; "
                f"allowed is {self.domain.format(self.symbol)}",
            )


@dataclass(frozen=True, slots=True)
class Design:
    """A named design. Call it with its parameters to get the exact mechanism.

    Attributes:
        name: the name on the command line, e.g. ``forced``.
        title: the standard name and its synonyms.
        parameters: the device's parameters, in order.
        device: the respondent's task, in one sentence.
        epsilon: the exact level as a formula in the parameters.
        source: the reference of the design.
        example: parameters that make a valid mechanism, as text.
        build: a function from exact parameters to the rows of the matrix, or to a mechanism given by formulas.
        required: the number of required parameters; the rest have defaults.
        repeated: the largest number of parameters, for a design whose last parameter may be repeated.

    >>> from rropt.mechanisms import DESIGNS
    >>> print(DESIGNS["forced"]("2/3", "1/6", "1/6").epsilon())
    log(5)
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    device: str
    epsilon: str
    source: str
    example: str
    build: Callable[..., tuple[tuple[Fraction, ...], ...] | Mechanism]
    required: int
    repeated: int = 0

    @property
    def most(self) -> int:
        """The largest number of parameters."""
        return max(self.repeated, len(self.parameters))

    def parameter(self, i: int) -> Parameter:
        """Return parameter number i; beyond the list, the last one, which may be repeated."""
        return self.parameters[min(i, len(self.parameters) - 1)]

    def __call__(self, *values: object) -> Mechanism:
        """Build the mechanism with these parameters and the name ``name:values``."""
        if not self.required <= len(values) <= self.most:
            symbols = ",".join(parameter.symbol for parameter in self.parameters)
            raise InvalidParameterError(
                f"{self.name} takes {self._count()}: received {len(values)}; "
                f"write {self.name}:{symbols}, for example {self.name}:{self.example}"
            )
        if repeated := [value for value in values if isinstance(value, str) and "*" in value]:
            parts = ",".join(map(str, values))
            raise InvalidParameterError(
                f"{self.name} is a device for one question: received {shown(repeated[0])}; devices for several "
                f"questions are written with bits: in front, for example bits:{self.name}:{parts}"
            )
        exact = [rational(value, name=f"{self.name}'s {self.parameter(i).symbol}") for i, value in enumerate(values)]
        for i, value in enumerate(exact):
            self.parameter(i).check(value)
        label = f"{self.name}:{','.join(as_text(value) for value in exact)}"
        made = self.build(*exact)
        return made.named(label) if isinstance(made, Mechanism) else Mechanism(made, name=label)

    def to_dict(self) -> dict[str, Any]:
        """Return the syntax, the device, the formula of epsilon, and an example with its level, for JSON."""
        words = {key: getattr(self, key) for key in ("name", "title", "device", "epsilon", "source")}
        level = str(self(*self.example.split(",")).epsilon())
        example = {"example": f"{self.name}:{self.example}", "example_epsilon": level}
        return {**words, "parameters": [parameter.to_dict() for parameter in self.parameters], **example}

    def line(self) -> tuple[str, str, str]:
        """Return three table cells: the syntax, the device with its parameters, and the formula of epsilon."""
        written = f"{self.name}:{','.join(parameter.symbol for parameter in self.parameters)}"
        device = "\n".join([self.title, self.device, *map(str, self.parameters)])
        return written, device, f"{self.epsilon}\ne.g. {self.example}: {self(*self.example.split(',')).epsilon()}"

    def _count(self) -> str:
        most = self.most
        text = str(most) if most == self.required else f"{self.required} or {most}"
        if self.repeated:
            text = f"at least {self.required} and at most {most}"
        return f"{text} parameter{'s' if most > 1 else ''}"


def probability(value: Fraction, symbol: str) -> None:
    """Raise ``InvalidParameterError`` unless a value is in [0, 1]."""
    meant = percent_hint(value, value, lambda x: 0 <= x <= 1)
    require(0 <= value <= 1, f"{symbol} is not a probability: received {value}; allowed is 0 <= {symbol} <= 1{meant}")


def require(condition: bool, message: str) -> None:
    """Raise ``InvalidParameterError`` with ``message`` unless ``condition`` holds."""
    if not condition:
        raise InvalidParameterError(message)
