"""Two hundred criteria as a person might write them, each as text and by hand in mpmath, from one Python expression."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath as mp

__all__ = ["WRITTEN", "Written"]


class Written:
    """A function of p: what is typed, and how mpmath evaluates it."""

    def __init__(self, text: str, value: Callable[[Any], Any]) -> None:
        self.text, self.value = text, value

    def __add__(self, other: Any) -> Written:
        return _two("{}+{}", lambda a, b: a + b, self, other)

    def __radd__(self, other: Any) -> Written:
        return _two("{}+{}", lambda a, b: a + b, other, self)

    def __sub__(self, other: Any) -> Written:
        return _two("{}-({})", lambda a, b: a - b, self, other)

    def __rsub__(self, other: Any) -> Written:
        return _two("{}-({})", lambda a, b: a - b, other, self)

    def __mul__(self, other: Any) -> Written:
        return _two("({})*({})", lambda a, b: a * b, self, other)

    def __rmul__(self, other: Any) -> Written:
        return _two("({})*({})", lambda a, b: a * b, other, self)

    def __truediv__(self, other: Any) -> Written:
        return _two("({})/({})", lambda a, b: a / b, self, other)

    def __rtruediv__(self, other: Any) -> Written:
        return _two("({})/({})", lambda a, b: a / b, other, self)

    def __pow__(self, other: Any) -> Written:
        return _two("({})^({})", lambda a, b: a**b, self, other)

    def __neg__(self) -> Written:
        return 0 - self


def _of(x: Any) -> Written:
    if isinstance(x, Written):
        return x
    exact = Fraction(x)
    return Written(f"({exact})", lambda _: mp.mpf(exact.numerator) / exact.denominator)


def _two(form: str, f: Callable[[Any, Any], Any], a: Any, b: Any) -> Written:
    one, other = _of(a), _of(b)
    text = form.format(one.text, other.text)
    return Written(text if form[0] == "(" else f"({text})", lambda x: f(one.value(x), other.value(x)))


def _named(name: str, f: Callable[..., Any], *parts: Any) -> Written:
    listed = [_of(part) for part in parts]
    text = ", ".join(part.text for part in listed)
    return Written(f"{name}({text})", lambda x: f(*(part.value(x) for part in listed)))


def sqrt(x: Any) -> Written:
    return _named("sqrt", mp.sqrt, x)


def exp(x: Any) -> Written:
    return _named("exp", mp.exp, x)


def log(x: Any) -> Written:
    return _named("log", mp.log, x)


def least(*parts: Any) -> Written:
    return _named("min", min, *parts)


def most(*parts: Any) -> Written:
    return _named("max", max, *parts)


def below(cut: Fraction, first: Any, second: Any) -> Written:
    first, second = _of(first), _of(second)
    return Written(
        f"piecewise({first.text}, p < {cut}, {second.text})",
        lambda x: first.value(x) if x < mp.mpf(cut.numerator) / cut.denominator else second.value(x),
    )


p = Written("p", lambda x: x)
q = 1 - p
F = Fraction


def odds(factor: Any) -> Written:
    """The limit at which posterior odds are ``factor`` times prior odds."""
    return 1 / (1 + q / (p * factor))


def _families() -> list[Written]:
    found: list[Written] = []
    for a in (F(1, 2), F(1, 3), F(2, 3), F(4, 5), F(9, 10), F(99, 100)):
        found += [p**a, 1 - q ** (1 + a), exp(log(p) * a), 1 - q * q**a, least(1, p**a + F(1, 20)), most(p**a, F(1, 4))]
    for c in (2, 3, F(5, 2), 7):
        found += [
            (1 - exp(-(c * p))) / (1 - exp(_of(-c))),
            log(1 + c * p) / log(_of(1 + c)),
            least(1, c * p + F(1, 10)),
            least(1, c * sqrt(p) / 2 + p / 2),
            odds(c + sqrt(p)),
            odds(c + log(1 + p)),
            odds(c - p * log(p)),
            odds(c + exp(-p) * q),
            odds(c + (p - F(1, 3)) ** 2),
            odds(c + sqrt((p - F(1, 3)) ** 2)),
            odds(c + p * log(p) + sqrt(q)),
            most(p ** F(3, 4), c * p / (1 + (c - 1) * p)),
            least(1, most(p ** F(3, 4), c * p / (1 + (c - 1) * p))),
            least(sqrt(p), c * p, 1),
            exp(_of(c)) * p / (1 + (exp(_of(c)) - 1) * p),
            sqrt(_of(c)) * p / (1 + (sqrt(_of(c)) - 1) * p),
            1 - q ** sqrt(_of(c)),
            p ** (1 / sqrt(_of(c))),
            below(F(1, c + 1), sqrt(p) + q * F(1, 9) * p, 1),
            below(F(1, 3), p + F(1, 10), sqrt(p)),
            below(F(1, 2), p + p * q / c, p + q * p**2),
            p + p * q * exp(-(c * p)),
            p + p * q / c,
            p + p * q * ((1 + p) / 2) ** c,
            p * (1 - log(p) / c),
            1 - q * (1 - p / c) ** 2,
            1 - q * exp(-(p / c)),
            least(1, p + exp(_of(-c))),
            least(1, p * exp(q / c)),
        ]
    pairs = [sqrt(p), 1 - q**2, log(1 + p) / log(_of(2)), p * (1 - log(p) / 2), least(1, p + F(1, 8)), p + p * q / 3]
    for f, g in product(pairs, pairs[:4]):
        if f is not g:
            found += [most(f, g), least(f, g), (f + g) / 2]
    found += [f * F(1, 3) + g * F(2, 3) for f, g in product(pairs[:3], pairs[3:])]
    found += [sqrt(f * g) for f, g in product(pairs[:3], pairs[3:])]
    return found


WRITTEN = list({each.text: each for each in _families()}.values())
