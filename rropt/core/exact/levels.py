"""Privacy parameters as exact numbers: ``Epsilon`` (nats) and ``Delta``, with rational brackets of any width.

``Epsilon`` is a rational r, ``log(q)`` or ``r*log(q)``; ``gamma = exp(epsilon)`` is then transcendental, rational,
or algebraic. ``Delta`` is a rational in [0, 1] or ``exp(r)``, r <= 0. Every level is reduced to a canonical form, so
equal levels compare and hash equal: ``log(4)/2`` is ``log(2)``. ``LevelSpan`` is an interval of levels.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact.display import as_text
from rropt.core.exact.numbers import (
    NUMBER,
    TYPED,
    bits,
    log10,
    natural_log,
    percent_hint,
    perfect_power,
    rational,
)
from rropt.core.exact.rational_bounds import Bracket, ball, decimal_bracket, short_logarithm
from rropt.core.exact.reals import ExactReal
from rropt.core.limits import MAX_EXPONENT, MAX_PARAMETER_DIGITS

_NO_GAMMA = "epsilon is infinite: it has no gamma; use a mechanism without zeros"
_MAX_ROOT = 1000  # b of gamma = q^(a/b): the checker raises brackets to this power
_MAX_POWER_BITS = 1 << 16  # bits of q^a of the same gamma

_LOGARITHM = re.compile(rf"(?:({NUMBER})\*)?(?:log|ln)\(({NUMBER})\)(?:([*/])({NUMBER}))?")
_EXPONENTIAL = re.compile(rf"exp\(({NUMBER})\)")

_EPSILON_FORMS = "a number >= 0 such as 1/2 or 0.5, log(q), or r*log(q) with q and r rational"
_DELTA_FORMS = "a number in [0, 1] such as 1/4 or 0.25, or exp(r) with r <= 0 rational"


@dataclass(frozen=True, slots=True)
class Epsilon:
    """A privacy level epsilon >= 0 in nats, exact; also written as the odds bound gamma = exp(epsilon).

    Use ``Epsilon.of(value)``.

    Attributes:
        kind: ``"rational"`` (epsilon = ``times``), ``"log"`` (epsilon = ``times * log(base)``, base > 1 and no
            perfect power unless ``times`` is 1) or ``"infinite"`` (no privacy: a row has zero and nonzero entries).
        times: the rational r.
        base: the rational q of the ``"log"`` form, else 1.
        is_infinite: whether epsilon is infinite: there is no privacy at any finite level.
        gamma: ``exp(epsilon)`` if it is rational, else ``None``.

    >>> Epsilon.of("log(4)/2") == Epsilon.of("log(2)"), float(Epsilon.of("log(2)"))
    (True, 0.6931471805599453)
    """

    kind: Literal["rational", "log", "infinite"]
    times: Fraction = Fraction(0)
    base: Fraction = Fraction(1)
    is_infinite: bool = field(init=False, repr=False, compare=False)
    gamma: Fraction | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        is_rational = self.times == (0 if self.kind == "rational" else 1)
        object.__setattr__(self, "is_infinite", self.kind == "infinite")
        object.__setattr__(self, "gamma", self.base if is_rational else None)

    @classmethod
    def of(cls, value: object) -> Epsilon:
        """Convert a number, ``"log(q)"``, ``"r*log(q)"``, an ``Epsilon`` or a ``level`` with delta = 0 to a level.

        Raises:
            InvalidParameterError: the form is unknown, or the level is negative or above 100.
        """
        if isinstance(value, Epsilon):
            return value
        slack = getattr(value, "delta", None)
        if isinstance(slack, Delta):  # a level with a delta (rropt.privacy.level), whose class is in a higher layer
            if slack != Delta.of(0):
                raise InvalidParameterError(
                    f"a level with delta = 0 is needed: received {shown(value)}; leave delta out"
                )
            value = getattr(value, "epsilon", value)
            if isinstance(value, cls):
                return value
        logarithm = _logarithm(value)
        if logarithm is None:
            try:
                result = cls("rational", rational(value, name="epsilon"))
            except InvalidParameterError as error:
                raise InvalidParameterError(_with_forms(error, "epsilon", value, _EPSILON_FORMS)) from None
        else:
            result = cls._of_logarithm(*logarithm)
        size = result.times if result.kind == "rational" else result.times * Fraction(natural_log(result.base))
        if not 0 <= size <= MAX_EXPONENT:  # this limit only prevents hanging, so a rounded logarithm is good enough
            raise InvalidParameterError(
                f"epsilon is out of range: received {shown(value)}; allowed is 0 <= epsilon <= {MAX_EXPONENT} (nats)"
            )
        return result

    @classmethod
    def of_gamma(cls, gamma: object) -> Epsilon:
        """Return epsilon = log(gamma) for a rational odds bound ``gamma >= 1``."""
        exact = rational(gamma, name="gamma")
        if exact < 1:
            raise InvalidParameterError(
                f"gamma is out of range: received {shown(gamma)}; allowed is gamma = exp(epsilon) >= 1"
            )
        return cls.of_parity(exact)

    @classmethod
    def of_parity(cls, parity: Fraction | None) -> Epsilon:
        """Return the level of a matrix whose largest likelihood ratio (parity) is given; ``None`` means infinite.

        The level of a result has no upper limit.
        """
        if parity is None:
            return cls("infinite")
        return cls("rational") if parity == 1 else cls("log", Fraction(1), parity)

    @classmethod
    def _of_logarithm(cls, times: Fraction, base: Fraction) -> Epsilon:
        """Return ``times * log(base)`` in canonical form."""
        if base < 1:
            times, base = -times, 1 / base
        if base == 1 or times == 0:
            return cls("rational")
        if times != 1:
            degree, base = perfect_power(base)
            times *= degree
            if times.denominator > _MAX_ROOT or abs(times.numerator) * bits(base) > _MAX_POWER_BITS:
                raise InvalidParameterError(
                    f"epsilon is too fine: received {shown(f'{times}*log({as_text(base)})')}; allowed is r*log(q) with "
                    f"the denominator of r at most {_MAX_ROOT} and q^numerator of at most {_MAX_POWER_BITS} bits"
                )
            if times.denominator == 1 and times > 0:
                times, base = Fraction(1), base**times.numerator
        return cls("log", times, base)

    def exact_gamma(self) -> ExactReal:
        """Return ``exp(epsilon)`` as an exact real number."""
        if self.is_infinite:
            raise InvalidParameterError(_NO_GAMMA)
        if self.kind == "rational":
            return ExactReal.exponential(self.times)
        return ExactReal.of(self.base) if self.times == 1 else ExactReal.power(self.base, self.times)

    def gamma_bracket(self, digits: int) -> Bracket:
        """Return rational bounds ``1 <= lower <= exp(epsilon) <= upper`` with ``digits`` significant digits of
        gamma - 1.
        """
        if self.is_infinite:
            raise InvalidParameterError(_NO_GAMMA)
        exact = self.gamma
        return _gamma_bracket(self, digits) if exact is None else Bracket(exact, exact)

    def nats(self, digits: int) -> Bracket:
        """Return rational bounds of a finite level in nats, with ``digits`` digits after the decimal point."""
        if self.kind == "rational":
            return Bracket.of(self.times)
        return decimal_bracket(lambda _: ball(self.times) * ball(self.base).log(), digits)

    def near(self, digits: int) -> tuple[Fraction, bool]:
        """Return a rational within the given number of significant digits of the level, and whether it is exact."""
        if self.kind == "rational":
            return self.times, True
        bits = 4 * digits + self.base.numerator.bit_length()  # log(1 + x) loses as many bits as x has zeros
        return self.times * short_logarithm(self.base, bits), False

    def scaled(self, factor: Fraction | int) -> Epsilon:
        """Return ``factor * epsilon``; like the level of a result it has no upper limit."""
        times = factor * self.times
        return Epsilon("rational", times) if self.kind == "rational" else Epsilon._of_logarithm(times, self.base)

    def __float__(self) -> float:
        scale = 1 if self.kind == "rational" else natural_log(self.base)
        return math.inf if self.is_infinite else float(self.times) * scale

    def __str__(self) -> str:
        if self.is_infinite:
            return "inf"
        if self.kind == "rational":
            return as_text(self.times)
        base = as_text(self.base)
        return f"log({base})" if self.times == 1 else f"{as_text(self.times)}*log({base})"

    def to_dict(self) -> dict[str, str]:
        """Return the form of certificates: ``{"rational": "1/2"}`` or ``{"log": "2", "times": "1/2"}``."""
        if self.is_infinite:
            return {"infinite": "inf"}
        if self.kind == "rational":
            return {"rational": as_text(self.times)}
        data = {"log": as_text(self.base)}
        return data if self.times == 1 else {**data, "times": as_text(self.times)}

    @classmethod
    def from_dict(cls, data: Any) -> Epsilon:
        """Read a level from the output of ``to_dict``."""
        if isinstance(data, dict) and set(data) == {"rational"}:
            return cls.of(rational(data["rational"], name="epsilon"))
        if isinstance(data, dict) and set(data) in ({"log"}, {"log", "times"}):
            base = rational(data["log"], name="epsilon's log")
            return cls.of(f"{rational(data.get('times', 1), name='times')}*log({base})")
        raise InvalidParameterError(
            f'epsilon is not of a known form: received {shown(data)}; allowed are {{"rational": "1/2"}} and '
            '{"log": "2", "times": "1/2"}'
        )


@dataclass(frozen=True, slots=True)
class Delta:
    """The additive slack delta in [0, 1] of (epsilon, delta) privacy, exact: a rational or ``exp(r)``, r <= 0.

    Use ``Delta.of(value)``.

    Attributes:
        rational: delta if it is rational, else ``None``.
        exponent: r, if delta is ``exp(r)`` and irrational.
    """

    rational: Fraction | None
    exponent: Fraction = Fraction(0)

    @classmethod
    def of(cls, value: object) -> Delta:
        """Convert a number in [0, 1] or ``"exp(r)"`` to a delta.

        Raises:
            InvalidParameterError: the form is unknown, or delta is outside [0, 1] (for exp(r): r outside [-100, 0]).
        """
        if isinstance(value, Delta):
            return value
        match = _EXPONENTIAL.fullmatch(_compact(value))
        if match:
            exponent = rational(match[1], name="delta's exponent")
            if not -MAX_EXPONENT <= exponent <= 0:
                raise InvalidParameterError(
                    f"delta is out of range: received {shown(value)}; allowed is exp(r) with -{MAX_EXPONENT} <= r <= 0"
                )
            return cls(None, exponent) if exponent else cls(Fraction(1))
        try:
            exact = rational(value, name="delta")
        except InvalidParameterError as error:
            raise InvalidParameterError(_with_forms(error, "delta", value, _DELTA_FORMS)) from None
        if not 0 <= exact <= 1:
            meant = percent_hint(value, exact, lambda x: 0 <= x <= 1)
            raise InvalidParameterError(
                f"delta is out of range: received {shown(value)}; allowed is 0 <= delta <= 1{meant}"
            )
        return cls(exact)

    def exact(self) -> ExactReal:
        """Return delta as an exact real number."""
        return ExactReal.exponential(self.exponent) if self.rational is None else ExactReal.of(self.rational)

    def bracket(self, digits: int) -> Bracket:
        """Return rational bounds of delta with ``digits`` significant digits; equal bounds if delta is rational."""
        if self.rational is not None:
            return Bracket(self.rational, self.rational)
        # digits of delta itself, and of 1 - delta (about -r near 0), so that the bounds stay inside (0, 1)
        leading = math.ceil(max(float(-self.exponent) / math.log(10), -log10(-self.exponent))) + 1
        return self.exact().bracket(digits + leading)

    def near(self, digits: int) -> tuple[Fraction, bool]:
        """Return a rational within the given number of significant digits of delta, and whether it is exact."""
        return self.exact().near(digits)

    def __float__(self) -> float:
        return math.exp(self.exponent) if self.rational is None else float(self.rational)

    def __str__(self) -> str:
        return f"exp({self.exponent})" if self.rational is None else as_text(self.rational)

    def to_dict(self) -> str | dict[str, str]:
        """Return the form of certificates: ``"1/4"`` or ``{"exp": "-10"}``."""
        return {"exp": as_text(self.exponent)} if self.rational is None else as_text(self.rational)

    @classmethod
    def from_dict(cls, data: Any) -> Delta:
        """Read a delta from the output of ``to_dict``."""
        if isinstance(data, dict):
            if set(data) != {"exp"}:
                raise InvalidParameterError(
                    f'delta is not of a known form: received {shown(data)}; allowed are "1/4" and {{"exp": "-10"}}'
                )
            return cls.of(f"exp({rational(data['exp'], name='delta')})")
        return cls.of(data)


@lru_cache(maxsize=4096)
def _gamma_bracket(epsilon: Epsilon, digits: int) -> Bracket:
    scale = natural_log(epsilon.base) if epsilon.kind == "log" else 1
    small = max(0, -math.floor(log10(epsilon.times) + math.log10(scale)))
    below, above = epsilon.exact_gamma().bracket(digits + small)
    return Bracket(max(below, Fraction(1)), above)


def _compact(value: object) -> str:
    """Return a text, or that of a SymPy expression such as log(3)/2, without blanks; '' for any other value.

    Blanks between digits stay, so that ``log(1 0)`` is no number.
    """
    text = str(value) if hasattr(value, "free_symbols") else value
    if not isinstance(text, str) or len(text) > 8 * MAX_PARAMETER_DIGITS:
        return ""
    return re.sub(r"(?<![\d.])\s+|\s+(?![\d.])", "", text.strip())


def _logarithm(value: object) -> tuple[Fraction, Fraction] | None:
    """Parse ``r*log(q)``; return (r, q), or ``None`` if ``value`` has another form."""
    if not (match := _LOGARITHM.fullmatch(_compact(value))):
        return None
    before, argument, operator, after = match.groups()
    base = rational(argument, name="the argument of log")
    times = rational(before, name="epsilon's factor") if before else Fraction(1)
    factor = rational(after, name="epsilon's factor") if after else Fraction(1)
    if base <= 0:
        raise InvalidParameterError(f"epsilon has log of {shown(argument)}: log(q) needs a rational q > 0")
    if operator == "/" and factor == 0:
        raise InvalidParameterError(f"epsilon divides by 0: received {shown(value)}; write r*log(q)")
    return (times / factor if operator == "/" else times * factor), base


def _with_forms(error: InvalidParameterError, name: str, value: object, forms: str) -> str:
    unread, found, guess = str(error).partition(TYPED)
    return f"{name} is not a number: received {shown(value)}; allowed is {forms}{guess}" if found else unread


EVERY_LEVEL = "all"
"""What stands for every level from 0 on."""

_SPAN_FORMS = '"all", or LOW..HIGH such as "1/2..3" or "log(2)..log(9)"'


@dataclass(frozen=True, slots=True)
class LevelSpan:
    """The levels from ``low`` to ``high``; ``high`` may be infinite.

    Attributes:
        low, high: the first and the last level.

    >>> print(LevelSpan.of("1/2..3"), LevelSpan.of("all"), LevelSpan.of_gamma("2..10"))
    1/2 <= epsilon <= 3 every epsilon >= 0 log(2) <= epsilon <= log(10)
    """

    low: Epsilon
    high: Epsilon

    def __post_init__(self) -> None:
        if self.low.is_infinite or (not self.high.is_infinite and not self.low.exact_gamma() < self.high.exact_gamma()):
            raise InvalidParameterError(
                f"the levels do not ascend: received {self.low} to {self.high}; give the lower one first"
            )

    @classmethod
    def of(cls, text: str) -> LevelSpan:
        """Read ``all`` or ``LOW..HIGH`` in nats; HIGH may be ``inf``."""
        return cls._read(text, Epsilon.of, "epsilon")

    @classmethod
    def of_gamma(cls, text: str) -> LevelSpan:
        """Read ``all`` or ``LOW..HIGH`` as bounds of the odds ratio."""
        return cls._read(text, Epsilon.of_gamma, "gamma")

    @classmethod
    def _read(cls, text: str, read: Any, name: str) -> LevelSpan:
        if text.strip().lower() == EVERY_LEVEL:
            return cls(Epsilon("rational"), Epsilon("infinite"))
        parts = text.split("..")
        if len(parts) != 2 or not all(part.strip() for part in parts):
            raise InvalidParameterError(
                f"`{name}` is no interval of levels: received {shown(text)}; allowed is {_SPAN_FORMS}"
            )
        low, high = (part.strip() for part in parts)
        first, last = read(low), Epsilon("infinite") if high == "inf" else read(high)
        if not last.is_infinite and not first.exact_gamma() < last.exact_gamma():
            raise InvalidParameterError(
                f"the levels of `{name}` do not ascend: received {shown(text)}; give the lower one first"
            )
        return cls(first, last)

    def __str__(self) -> str:
        if self.high.is_infinite:
            return f"every epsilon >= {self.low}"
        return f"{self.low} <= epsilon <= {self.high}"


def is_span(value: object) -> bool:
    """Return whether a value asks for an interval of levels: ``LevelSpan``, or the text ``all`` or ``LOW..HIGH``."""
    if isinstance(value, LevelSpan):
        return True
    return isinstance(value, str) and (value.strip().lower() == EVERY_LEVEL or ".." in value)
