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
from numbers import Rational
from typing import Any, Literal

from rropt.core.argument_checks import clear_calls
from rropt.core.errors import InvalidParameterError, shown, shown_with_type
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
from rropt.core.exact.rational_bounds import Bracket, ball, decimal_bracket, short_logarithm, sign_of
from rropt.core.exact.real_numbers import RealNumber, plain_number
from rropt.core.exact.reals import ExactReal
from rropt.core.limits import MAX_EXPONENT, MAX_PARAMETER_DIGITS

_NO_GAMMA = "epsilon is infinite: it has no gamma; use a mechanism without zeros"
_MAX_ROOT = 1000  # b of gamma = q^(a/b): the checker raises brackets to this power
_MAX_POWER_BITS = 1 << 16  # bits of q^a of the same gamma

_FLOAT_ERROR = 1e-12  # relative error of a level in floats, with a wide margin
_LEAST = 1e-290  # floats below it have fewer digits

_LOGARITHM = re.compile(rf"(?:({NUMBER})\*)?(?:log|ln)\(({NUMBER})\)(?:([*/])({NUMBER}))?")
_EXPONENTIAL = re.compile(rf"exp\(({NUMBER})\)")

_KINDS = ("rational", "log", "infinite")
_EPSILON_FORMS = "a number >= 0 such as 1/2 or 0.5, log(q), or r*log(q) with q and r rational"
_DELTA_FORMS = "a number in [0, 1] such as 1/4 or 0.25, or exp(r) with r <= 0 rational"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Epsilon(RealNumber):
    """A privacy level epsilon >= 0 in nats, exact; also written as the odds bound gamma = exp(epsilon).

    It is a number. Comparisons with levels, integers, fractions and floats are exact. Sums, differences from 0 on and
    multiples of levels are levels, such as ``2*log(3)``, which is ``log(9)``. Everything else is a float, also the sum
    of a logarithm and another number.

    Use ``Epsilon.of(value)``, or ``rropt.log(3)``.

    Attributes:
        kind: ``"rational"`` (epsilon = ``times``), ``"log"`` (epsilon = ``times * log(base)``, base > 1 and no
            perfect power unless ``times`` is 1) or ``"infinite"`` (no privacy: a row has zero and nonzero entries).
        times: the rational r.
        base: the rational q of the ``"log"`` form, else 1.
        is_infinite: whether epsilon is infinite: there is no privacy at any finite level.
        gamma: ``exp(epsilon)`` if it is rational, else ``None``.

    >>> Epsilon.of("log(4)/2") == Epsilon.of("log(2)"), float(Epsilon.of("log(2)"))
    (True, 0.6931471805599453)
    >>> log(2) + log(3) == log(6), log(3) > Fraction(1), max(log(3), 1.0), f"{log(3):.3f}"
    (True, True, log(3) ~ 1.09861229, '1.099')
    """

    kind: Literal["rational", "log", "infinite"]
    times: Fraction = Fraction(0)
    base: Fraction = Fraction(1)
    is_infinite: bool = field(init=False, repr=False, compare=False)
    gamma: Fraction | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.kind not in _KINDS or not (isinstance(self.times, Rational) and isinstance(self.base, Rational)):
            raise InvalidParameterError(
                f"the class takes a kind and fractions: received {shown(self.kind)}; use Epsilon.of(value), such as "
                'Epsilon.of("log(3)")'
            )
        is_rational = self.times == (0 if self.kind == "rational" else 1)
        object.__setattr__(self, "is_infinite", self.kind == "infinite")
        object.__setattr__(self, "gamma", self.base if is_rational else None)

    @classmethod
    def of(cls, value: object) -> Epsilon:
        """Convert a number, ``"log(q)"``, ``"r*log(q)"`` or an ``Epsilon`` to a level.

        Raises:
            InvalidParameterError: the form is unknown, or the level is negative or above 100.
        """
        if isinstance(value, Epsilon):
            return value
        logarithm = _logarithm(value)
        if logarithm is None:
            try:
                result = cls("rational", rational(value, name="epsilon"))
            except InvalidParameterError as error:
                meant = _epsilon_advice(value)
                raise InvalidParameterError(_with_forms(error, "epsilon", value, _EPSILON_FORMS + meant)) from None
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

    @property
    def rational(self) -> Fraction | None:
        """The level itself if it is rational, else ``None``."""
        return self.times if self.kind == "rational" else None

    def compared(self, other: Any) -> Any:
        """Return the exact sign of ``self - other``; floats are the numbers that they are, ``None`` for NaN."""
        right = other if isinstance(other, Epsilon) else plain_number(other)
        if right is None:
            return NotImplemented
        if isinstance(right, Epsilon):
            if (self.kind, self.times, self.base) == (right.kind, right.times, right.base):
                return 0
            if self.is_infinite or right.is_infinite:
                return 1 if self.is_infinite else -1
            right = right if right.rational is None else right.rational
        elif isinstance(right, float):  # infinite, or no number
            return None if math.isnan(right) else -1 if right > 0 and not self.is_infinite else int(right < 0)
        elif self.is_infinite:
            return 1
        if self.rational is not None and isinstance(right, Fraction):
            return (self.rational > right) - (self.rational < right)
        near, by = _nearest_float(self), _nearest_float(right)
        if _LEAST < max(near, abs(by)) < math.inf and abs(near - by) > _FLOAT_ERROR * max(near, abs(by)):
            return 1 if near > by else -1
        # terminates: a logarithm of a rational is irrational, and equal levels have one form
        return sign_of(lambda _: _ball_of(self) - _ball_of(right))

    def __hash__(self) -> int:  # type: ignore[override]
        if self.kind == "log":
            return hash((self.times, self.base))
        return hash(math.inf if self.is_infinite else self.times)

    def scaled(self, factor: Fraction | int) -> Epsilon:
        """Return ``factor * epsilon``, factor > 0 if it is infinite; like the level of a result it has no limit."""
        if self.is_infinite:
            return self
        times = factor * self.times
        return Epsilon("rational", times) if self.kind == "rational" else Epsilon._of_logarithm(times, self.base)

    def __add__(self, other: Any) -> Any:
        right = plain_number(other)
        if isinstance(right, Fraction) and (self.is_infinite or right == 0):
            return self  # 0, with which `sum` begins, leaves a logarithm what it is
        if self.rational is not None and isinstance(right, Fraction) and not isinstance(other, float):
            return _level_or_float(self.rational + right)
        if isinstance(other, Epsilon):
            if self.is_infinite or other.is_infinite or self.times == 0:
                return self if self.is_infinite else other
            if self.kind == other.kind == "log" and (found := _sum_of_logarithms(self, other, 1)) is not None:
                return found
        return RealNumber.__add__(self, other)

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Epsilon) and not self.is_infinite and not other.is_infinite:
            if self < other:
                return -float(other - self)
            if self.kind == other.kind == "log" and (found := _sum_of_logarithms(self, other, -1)) is not None:
                return found
        right = plain_number(other)
        if isinstance(right, Fraction) and not isinstance(other, float):
            if right == 0:
                return self
            if self.rational is not None:
                return _level_or_float(self.rational - right)
        return RealNumber.__sub__(self, other)

    def __rsub__(self, other: Any) -> Any:
        right = plain_number(other)
        if isinstance(right, Fraction) and not isinstance(other, float) and self.rational is not None:
            return _level_or_float(right - self.rational)
        return RealNumber.__rsub__(self, other)

    def __mul__(self, other: Any) -> Any:
        right = plain_number(other)
        if isinstance(right, Fraction) and not isinstance(other, float) and right >= 0:
            return math.nan if self.is_infinite and not right else self._multiple(right)
        return RealNumber.__mul__(self, other)

    def __truediv__(self, other: Any) -> Any:
        right = plain_number(other)
        if isinstance(right, Fraction) and right > 0 and not isinstance(other, (float, Epsilon)):
            return self._multiple(1 / right)
        return RealNumber.__truediv__(self, other)

    def _multiple(self, factor: Fraction) -> Epsilon | float:
        try:
            return self.scaled(factor)
        except InvalidParameterError:  # a power with too many digits
            return float(factor) * float(self)

    def __float__(self) -> float:
        scale = 1 if self.kind == "rational" else natural_log(self.base)
        return math.inf if self.is_infinite else float(self.times) * scale

    def _mpmath_(self, precision: int, rounding: str) -> Any:
        """Return the number of mpmath: ``mpmath.mpf(epsilon)`` has all digits of its precision."""
        from mpmath import libmp, mp

        if self.is_infinite:
            return mp.inf
        more = precision + 20
        found = libmp.from_rational(self.times.numerator, self.times.denominator, more)
        if self.kind == "log":
            more += self.base.numerator.bit_length() + self.base.denominator.bit_length()  # a base near 1 loses digits
            base = libmp.from_rational(self.base.numerator, self.base.denominator, more)
            found = libmp.mpf_mul(found, libmp.mpf_log(base, more), precision, rounding)
        return mp.make_mpf(found)

    def _repr_latex_(self) -> str:
        """Return the level in LaTeX, as notebooks show it."""
        if self.is_infinite:
            return r"$\infty$"
        times = "" if self.times == 1 and self.kind == "log" else _latex(self.times)
        return f"${times}$" if self.kind == "rational" else rf"${times}\log\left({_latex(self.base)}\right)$"

    def __repr__(self) -> str:
        return f"{self} ~ {float(self):.9g}" if self.kind == "log" else str(self)

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

    def _latex(self, printer: Any, **options: Any) -> str:
        """Return the text of a number within an expression that SymPy writes in LaTeX."""
        from rropt.symbolic.symbols import printed_in_latex

        return printed_in_latex(self, printer, **options)

    def _sympy_(self) -> Any:
        """Return a privacy level in nats."""
        from rropt.symbolic.symbols import level_expression

        return level_expression(self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Delta(RealNumber):
    """The additive slack delta in [0, 1] of (epsilon, delta) privacy, exact: a rational or ``exp(r)``, r <= 0.

    It is a number, with exact comparisons; sums and products are those of its rational or of its ``ExactReal``.

    Use ``Delta.of(value)``.

    Attributes:
        rational: delta if it is rational, else ``None``.
        exponent: r, if delta is ``exp(r)`` and irrational.
    """

    rational: Fraction | None
    exponent: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if not (isinstance(self.rational, Rational | None) and isinstance(self.exponent, Rational)):
            raise InvalidParameterError(
                f"the class takes fractions: received {shown_with_type(self.rational)}; use Delta.of(value), such as "
                'Delta.of("1/10")'
            )

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

    def compared(self, other: Any) -> Any:
        """Return the exact sign of ``self - other``."""
        return self.exact().compared(other.exact() if isinstance(other, Delta) else other)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self.exact())

    def _number(self) -> Fraction | ExactReal:
        return self.exact() if self.rational is None else self.rational

    def __add__(self, other: Any) -> Any:
        return self._number() + _number_of(other)

    def __sub__(self, other: Any) -> Any:
        return self._number() - _number_of(other)

    def __rsub__(self, other: Any) -> Any:
        return _number_of(other) - self._number()

    def __mul__(self, other: Any) -> Any:
        return self._number() * _number_of(other)

    def __truediv__(self, other: Any) -> Any:
        return self._number() / _number_of(other)

    def __neg__(self) -> Any:
        return -self._number()

    def __repr__(self) -> str:
        return str(self) if self.rational is not None else f"{self} ~ {float(self):.9g}"

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

    def _latex(self, printer: Any, **options: Any) -> str:
        """Return the text of a number within an expression that SymPy writes in LaTeX."""
        from rropt.symbolic.symbols import printed_in_latex

        return printed_in_latex(self, printer, **options)

    def _sympy_(self) -> Any:
        """Return delta exactly: a rational number, or a power of e."""
        from rropt.symbolic.symbols import delta_of

        return delta_of(self)

    def _repr_latex_(self) -> str:
        """Return a number in LaTeX, as notebooks show it."""
        from rropt.symbolic.symbols import number_latex

        return number_latex(self)


@clear_calls
def log(value: object) -> Epsilon:
    """Return the privacy level ``epsilon = log(value)``, exactly.

    Args:
        value: gamma, an exact number from 1 on, such as ``3`` or ``"3/2"``.

    Raises:
        InvalidParameterError: the value is no number, below 1, or above exp(100).

    >>> log(3), float(log("3/2"))
    (log(3) ~ 1.09861229, 0.4054651081081644)
    """
    exact = rational(value, name="the argument of log")
    if exact < 1:
        raise InvalidParameterError(
            f"the logarithm is no privacy level: received log({shown(value)}); allowed is log(gamma) with gamma >= 1"
        )
    return Epsilon.of(f"log({as_text(exact)})")


def _number_of(value: Any) -> Any:
    return value._number() if isinstance(value, Delta) else value


def _level_or_float(value: Fraction) -> Epsilon | float:
    return Epsilon("rational", value) if value >= 0 else float(value)  # no level is negative


def _sum_of_logarithms(one: Epsilon, other: Epsilon, sign: int) -> Epsilon | None:
    """Return ``one + sign*other`` >= 0 of two logarithms; ``None`` if it needs a power with too many digits."""
    root = math.lcm(one.times.denominator, other.times.denominator)
    powers = [int(level.times * root) for level in (one, other)]
    if max(bits(level.base) * power for level, power in zip((one, other), powers, strict=True)) > _MAX_POWER_BITS:
        return None
    base = one.base ** powers[0] * other.base ** (sign * powers[1])
    try:
        return Epsilon._of_logarithm(Fraction(1, root), base)
    except InvalidParameterError:  # the root is too large
        return None


def _ball_of(value: Epsilon | Fraction) -> Any:
    """Return a ball around a finite number at the working precision."""
    if isinstance(value, Fraction):
        return ball(value)
    return ball(value.times) if value.kind == "rational" else ball(value.times) * ball(value.base).log()


def _nearest_float(value: Epsilon | Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _latex(value: Fraction) -> str:
    above, below = as_text(Fraction(value.numerator)), as_text(Fraction(value.denominator))
    return above if value.denominator == 1 else rf"\frac{{{above}}}{{{below}}}"


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


_NEAR_LOGARITHM = re.compile(rf"(?:({NUMBER})\*?)?(?:log|ln)\W{{0,2}}({NUMBER})\)?(?:([*/])({NUMBER}))?", re.IGNORECASE)


def _epsilon_advice(value: object) -> str:
    """Return how a text that looks like a logarithm or like exp(epsilon) is written, for the end of a message."""
    text = _compact(value)
    if exponential := _EXPONENTIAL.fullmatch(text):
        return f"; epsilon is the exponent: for exp(epsilon) = {text} write {exponential[1]}"
    match = _NEAR_LOGARITHM.fullmatch(text.replace(" ", ""))
    if match is None:
        return ""
    before, argument, operator, after = match.groups()
    if "/" in argument and "(" not in text and argument.partition("/")[2]:  # log3/2
        return f"; did you mean log({argument}) or log({argument.partition('/')[0]})/{argument.partition('/')[2]}?"
    return f"; did you mean {before + '*' if before else ''}log({argument}){operator or ''}{after or ''}?"


def _with_forms(error: InvalidParameterError, name: str, value: object, forms: str) -> str:
    unread, found, guess = str(error).partition(TYPED)
    return f"{name} is not a number: received {shown_with_type(value)}; allowed is {forms}{guess}" if found else unread


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
