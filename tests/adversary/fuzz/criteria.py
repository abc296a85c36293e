"""Random functions of a prior as expression trees, and their values by mpmath: the oracle shares no code with rropt."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

import mpmath as mp
import numpy as np

BITS = 300

__all__ = ["BITS", "evaluate", "float_odds", "number", "odds", "random_function", "value"]


def number(text: str) -> mp.mpf:
    """Return a number of a file."""
    exact = Fraction(text)
    return mp.mpf(exact.numerator) / exact.denominator


def evaluate(tree: Any, p: mp.mpf) -> mp.mpf:
    """Return the value of an expression at p; raises ``ValueError`` where it is not a real number."""
    if isinstance(tree, str):
        return p if tree == "p" else number(tree)
    ((operation, parts),) = tree.items()
    if operation == "power":
        base, exponent = evaluate(parts[0], p), Fraction(parts[1])
        if exponent.denominator == 1:
            return base**exponent.numerator
        return _real(base, exponent > 0) ** number(parts[1])
    if operation in ("negative", "sqrt", "exp", "log"):
        x = evaluate(parts, p)
        if operation == "negative":
            return -x
        return (
            mp.exp(x)
            if operation == "exp"
            else mp.sqrt(_real(x, True))
            if operation == "sqrt"
            else mp.log(_real(x, False))
        )
    values = [evaluate(part, p) for part in parts]
    if operation == "quotient":
        if not values[1]:
            raise ValueError("division by zero")
        return values[0] / values[1]
    return {"sum": mp.fsum, "product": mp.fprod, "minimum": min, "maximum": max}[operation](values)


def value(tree: Any, p: mp.mpf) -> mp.mpf:
    """Return h at p: outer minima and maxima leave out the operands that are not defined there."""
    ((operation, parts),) = tree.items() if isinstance(tree, dict) else (("", ()),)
    if operation not in ("minimum", "maximum"):
        return evaluate(tree, p)
    found = []
    for part in parts:
        with suppress(ValueError, ZeroDivisionError):
            found.append(value(part, p))
    return (min if operation == "minimum" else max)(found)  # a ValueError if there is none


def _real(x: mp.mpf, zero: bool) -> mp.mpf:
    if x < 0 or (x == 0 and not zero):
        raise ValueError("not a real number")
    return x


def odds(tree: Any, mirrored: bool, p: mp.mpf) -> mp.mpf:
    """Return ``F = (1-p) h / (p (1-h))`` at p, h = tree(p) or 1 - tree(1-p); infinite where h >= 1."""
    h = 1 - value(tree, 1 - p) if mirrored else value(tree, p)
    return (1 - p) * h / (p * (1 - h)) if h < 1 else mp.inf


def float_odds(tree: Any, mirrored: bool, p: np.ndarray) -> np.ndarray:
    """Return F in floating point at many priors, to see where it is small; not a number where it is not defined."""
    with np.errstate(all="ignore"):
        h = 1 - _floats(tree, 1 - p) if mirrored else _floats(tree, p)
        return np.where(h < 1, (1 - p) * h / (p * (1 - h)), np.inf)


def _floats(tree: Any, p: np.ndarray) -> Any:
    if isinstance(tree, str):
        return p if tree == "p" else float(Fraction(tree))
    ((operation, parts),) = tree.items()
    if operation == "power":
        return _floats(parts[0], p) ** float(Fraction(parts[1]))
    if operation in ("negative", "sqrt", "exp", "log"):
        return getattr(np, operation)(_floats(parts, p))
    values = [_floats(part, p) for part in parts]
    if operation == "quotient":
        return values[0] / values[1]
    combine = {"sum": np.add, "product": np.multiply, "minimum": np.minimum, "maximum": np.maximum}[operation]
    return functools.reduce(combine, values)


ONE_LESS: Any = {"sum": ["1", {"negative": "p"}]}


def _times(*parts: Any) -> Any:
    return {"product": list(parts)}


def _plus(*parts: Any) -> Any:
    return {"sum": list(parts)}


def _small(rng: random.Random) -> str:
    return str(Fraction(rng.randint(1, 12), rng.randint(1, 9)))


def _share(rng: random.Random) -> str:
    n = rng.randint(2, 12)
    return str(Fraction(rng.randint(1, n - 1), n))


def _zero(rng: random.Random) -> Any:
    """A constant that is 0, in one of its disguises: rational, named, or a difference of equal names."""
    c = rng.choice([_share(rng), {"sqrt": _small(rng)}, {"exp": _share(rng)}, {"log": _small(rng)}])
    return rng.choice(["0", {"log": "1"}, {"sqrt": "0"}, _times("0", c), _plus(c, {"negative": c})])


def _odds_of(c: Any) -> Any:
    """c p / (1 + (c-1) p): the odds ratio is c everywhere."""
    return {"quotient": [_times(c, "p"), _plus("1", _times(_plus(c, "-1"), "p"))]}


def _atom(rng: random.Random) -> Any:
    """Functions that people write, many of them 0 at 0, 1 at 1, or both."""
    return rng.choice(
        [
            lambda: "p",
            lambda: ONE_LESS,
            lambda: _share(rng),
            lambda: {"sqrt": "p"},
            lambda: {"power": ["p", _share(rng)]},
            lambda: {"power": ["p", str(rng.randint(2, 5))]},
            lambda: _plus(
                "1", {"negative": {"power": [ONE_LESS, str(Fraction(rng.randint(1, 9), rng.randint(1, 4)))]}}
            ),
            lambda: {"quotient": [{"log": _plus("1", "p")}, {"log": "2"}]},
            lambda: _times({"log": _plus("1", "p")}, _share(rng)),
            lambda: _times("p", _plus("1", _times("-1", _share(rng), {"log": "p"}))),
            lambda: _times("p", _plus("1", _times("-1", _share(rng), {"log": "p"}, _plus("p", _share(rng))))),
            lambda: _times("-1", _share(rng), {"log": rng.choice(["p", ONE_LESS])}),
            lambda: _plus("p", _times(_share(rng), ONE_LESS, {"log": ONE_LESS})),
            lambda: {"exp": _times(_share(rng), {"log": "p"})},
            lambda: {"exp": _times({"sqrt": _share(rng)}, {"log": "p"})},
            lambda: {
                "quotient": [
                    _plus("1", {"negative": {"exp": _times("-3", "p")}}),
                    _plus("1", {"negative": {"exp": "-3"}}),
                ]
            },
            lambda: {"exp": _plus("p", "-1")},
            lambda: _odds_of(rng.choice([_small(rng), {"sqrt": _small(rng)}, {"exp": _share(rng)}])),
            lambda: _plus("p", _share(rng)),
            lambda: _times("p", _small(rng)),
        ]
    )()


def random_function(rng: random.Random, depth: int | None = None) -> Any:
    """Return a random expression in p: smooth or not, touching itself, hiding squares under roots, nearly linear."""
    depth = rng.choice([0, 0, 1, 1, 2, 3]) if depth is None else depth
    if depth == 0:
        return _atom(rng)
    f, g = random_function(rng, depth - 1), _atom(rng)
    share = _share(rng)
    rest = str(1 - Fraction(share))
    forms: list[Callable[[], Any]] = [
        lambda: _plus(_times(share, f), _times(rest, g)),
        lambda: _plus("1", {"negative": _times(_plus("1", {"negative": f}), _plus("1", {"negative": g}))}),
        lambda: {"minimum": rng.choice([["1", f], [f, g], [g, f, "1"]])},
        lambda: {"maximum": [f, g]},
        lambda: _times(f, g),
        lambda: {"sqrt": _times(f, f)},
        lambda: {"sqrt": {"power": [_plus(f, {"negative": g}), "2"]}},
        lambda: {"power": [_times(f, g), _share(rng)]},
        lambda: {"exp": {"log": f}},
        lambda: {"exp": _times("1/2", {"log": f})},
        lambda: {"quotient": ["1", _plus("1", {"quotient": [ONE_LESS, _times("p", _plus("2", f))]})]},
        lambda: {"quotient": [f, _plus(f, _times(g, ONE_LESS))]},
        lambda: _plus("p", _times(share, "p", ONE_LESS, f)),
        lambda: _plus(f, _times(share, ONE_LESS)),
        lambda: {"quotient": [f, _plus("1", {"power": [g, "2"]})]},
        lambda: _plus(f, _times(_zero(rng), g)),
        lambda: {"quotient": [f, _plus("1", _times(g, _zero(rng)))]},
        lambda: {"maximum": [f, _times(g, {"power": [_zero(rng), _share(rng)]})]},
        lambda: _times(f, {"exp": _zero(rng)}),
    ]
    return rng.choice(forms)()
