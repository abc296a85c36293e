"""The parameters of a named design at a privacy level: ``grr:12,epsilon=3/2``, ``Mechanism.grr(12, epsilon="3/2")``.

The design has the level epsilon, and gamma = exp(epsilon). A design with the parameter g has g = gamma. The others have
one free probability, which follows from the formula of their level (``named.toml``):

* Warner, crosswise: ``log(p/(1-p)) = epsilon``; threshold cards the same.
* Forced response: ``t = (gamma-1)/(gamma+1)`` and ``y = n``, the most precise for a trait that is as likely as not.
* Unrelated question: ``log(1 + p/((1-p) b)) = epsilon`` with b the smaller of piB and 1 - piB.
* Mangat and Singh: Warner's p as the probability ``T + (1-T) p`` of the truth.
* Kuk: ``theta1 = 1 - theta0``, each draw at epsilon/r.
* k-ary randomized response, subset selection: ``log(p (k-d)/((1-p) d)) = epsilon`` (d = 1 for the first). A size d that
  is not given is the best one at equal proportions, next to ``k/(gamma+1)`` (Ye and Barg 2018).
* Unary encoding: q from ``p (1-q)/((1-p) q) = gamma``; symmetric: each of two bits at epsilon/2.
* RAPPOR's bit, stored and reported once as it is: ``log((1-f/2)/(f/2)) = epsilon``.

Parameters are rational. An irrational exp(epsilon) is replaced by a rational number just below it, so that no design is
less private than its level.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Epsilon, rational

_DIGITS = 15  # of gamma - 1: the level of the design is below epsilon by less than 1e-14 of it


@dataclass(frozen=True, slots=True)
class AtLevel:
    """How the parameters of a design follow from its level.

    Attributes:
        sets: the parameters that follow.
        needs: the parameters that must be given.
        values: a function from the level and the values of ``needs`` to those of ``sets``.
        optional: the value of a parameter in ``needs`` that is not given.
    """

    sets: tuple[str, ...]
    needs: tuple[str, ...]
    values: Callable[..., tuple[Fraction, ...]]
    optional: Mapping[str, Fraction]


def _gamma(epsilon: Epsilon, share: Fraction = Fraction(1)) -> Fraction:
    """Return ``exp(share epsilon)`` if it is rational, else a rational just below it."""
    part: Epsilon = share * epsilon
    return part.gamma_bracket(_DIGITS).lower


def _kept(epsilon: Epsilon, *_: Fraction) -> tuple[Fraction]:
    gamma = _gamma(epsilon)
    return (gamma / (gamma + 1),)


def _forced(epsilon: Epsilon) -> tuple[Fraction, Fraction, Fraction]:
    said = 1 / (_gamma(epsilon) + 1)
    return 1 - 2 * said, said, said


def truth_probability(gamma: Fraction, delta: Fraction, b: Fraction) -> Fraction:
    """Return the largest probability of a truthful response if the alternative is a random yes with probability b.

    By (11) of Holohan, Leith and Mason (2016), ``t <= (c + delta)/(c + 1)`` with ``c = (gamma - 1) b`` and with
    ``c = (gamma - 1)(1 - b)``. The bound increases in c, so the smaller c decides. At delta = 0 the parity is gamma.

    >>> truth_probability(Fraction(5), Fraction(0), Fraction(1, 4))
    Fraction(1, 2)
    """
    c = (gamma - 1) * min(b, 1 - b)
    return (c + delta) / (c + 1)


def _second_stage(epsilon: Epsilon, first: Fraction) -> tuple[Fraction]:
    (kept,) = _kept(epsilon)
    if not first < kept:
        raise InvalidParameterError(
            f"T is too large for the level: received {shown(first)}; allowed is a probability below {shown(kept)}"
        )
    return ((kept - first) / (1 - first),)


def _decks(epsilon: Epsilon, draws: Fraction) -> tuple[Fraction, Fraction]:
    gamma = _gamma(epsilon, 1 / draws)
    return gamma / (gamma + 1), 1 / (gamma + 1)


def _inside(epsilon: Epsilon, k: Fraction, d: Fraction = Fraction(1)) -> tuple[Fraction]:
    gamma = _gamma(epsilon)
    return (gamma * d / (gamma * d + k - d),)


def _best_size(epsilon: Epsilon, k: Fraction) -> Fraction:
    """Return the size of subsets with the least variance of the estimated proportions, if they are equal.

    A response contains each category with probability d/k, and the true one with p. The variance of an estimate is
    ``(d/k)(1 - d/k)/(p - q)^2`` per respondent, with q the probability of another category.
    """
    near = int(k / (_gamma(epsilon) + 1))

    def variance(d: int) -> Fraction:
        (p,) = _inside(epsilon, k, Fraction(d))
        q = (d - p) / (k - 1)
        return Fraction(d) / k * (1 - Fraction(d) / k) / (p - q) ** 2

    sizes = [d for d in (near, near + 1) if 1 <= d < k]
    return Fraction(min(sizes, key=variance, default=1))


def _false_bits(epsilon: Epsilon, _: Fraction, p: Fraction) -> tuple[Fraction]:
    if not 0 < p < 1:
        raise InvalidParameterError(f"p has no level: received {shown(p)}; allowed is 0 < p < 1")
    return (p / (p + _gamma(epsilon) * (1 - p)),)


def _even_bits(epsilon: Epsilon, _: Fraction) -> tuple[Fraction]:
    root = _gamma(epsilon, Fraction(1, 2))
    return (root / (root + 1),)


def _level(epsilon: Epsilon) -> tuple[Fraction]:
    return (_gamma(epsilon),)


def _of(sets: str, needs: str, values: Callable[..., tuple[Fraction, ...]], **optional: int) -> AtLevel:
    return AtLevel(
        tuple(sets.split()), tuple(needs.split()), values, {name: Fraction(x) for name, x in optional.items()}
    )


_OF_GAMMA = _of("g", "", _level)
LEVELS = {
    "warner": _of("p", "", _kept),
    "crosswise": _of("p", "", _kept),
    "forced": _of("t y n", "", _forced),
    "unrelated": _of("p", "piB", lambda epsilon, b: (truth_probability(_gamma(epsilon), Fraction(0), b),)),
    "mangat-singh": _of("p", "T", _second_stage),
    "kuk": _of("theta1 theta0", "r", _decks, r=1),
    "thresholds": _of("p", "L H", _kept),
    "grr": _of("p", "k", _inside),
    "subset": _of("p", "k d", _inside),
    "unary": _of("q", "k p", _false_bits),
    "rappor": _of("f", "", lambda epsilon: (2 / (_gamma(epsilon) + 1),)),
    "sue": _of("p", "k", _even_bits),
    **dict.fromkeys(("oue", "olh", "hadamard", "pgr", "projective", "affine", "affine-classes"), _OF_GAMMA),
    **dict.fromkeys(("singer", "paley", "fano"), _OF_GAMMA),
}
"""The designs that have a level in place of a parameter. The others have several free parameters, or no level."""


def parameters_at(name: str, epsilon: object, given: Mapping[str, object]) -> dict[str, Fraction]:
    """Return the parameters of a design that follow from its level.

    Args:
        name: the name of the design.
        epsilon: the level, any form of ``Epsilon.of``.
        given: the parameters that are given, by symbol.

    Raises:
        InvalidParameterError: the design has no parameter that follows from a level, such a parameter is given, or one
            that is needed is not.

    >>> parameters_at("grr", "log(3)", {"k": 4})
    {'p': Fraction(1, 2)}
    >>> parameters_at("subset", "log(3)", {"k": 8})
    {'d': Fraction(2, 1), 'p': Fraction(1, 2)}
    """
    at = LEVELS.get(name)
    if at is None:
        raise InvalidParameterError(
            f"{name} does not follow from a level: received epsilon = {shown(str(epsilon))}; give its parameters, or "
            "find the best design at the level with `rropt design`"
        )
    if both := [symbol for symbol in at.sets if symbol in given]:
        raise InvalidParameterError(
            f"{name}'s {both[0]} follows from the level: received both; leave {both[0]} out, and give other "
            "parameters by name"
        )
    if name == "rappor" and given:
        raise InvalidParameterError(
            "rappor at a level has no other parameter: received {}; give f, p, q and N".format(", ".join(given))
        )
    level = Epsilon.of(epsilon)
    more: dict[str, Fraction] = {}
    if name == "subset" and "d" not in given and "k" in given and level > 0:
        more["d"] = _best_size(level, _exact(name, "k", given["k"]))
        given = {**given, **more}
    if missing := [symbol for symbol in at.needs if symbol not in given and symbol not in at.optional]:
        beside = "; give p, or write oue (p = 1/2) or sue (p = 1 - q)" if name == "unary" and "p" in missing else ""
        raise InvalidParameterError(
            f"{name} at a level needs {', '.join(missing)}: received {', '.join(given) or 'none'}{beside}"
        )
    needed = [_exact(name, symbol, given.get(symbol, at.optional.get(symbol))) for symbol in at.needs]
    return {**more, **dict(zip(at.sets, at.values(level, *needed), strict=True))}


def _exact(name: str, symbol: str, value: object) -> Fraction:
    """Return a given parameter; whole numbers must be positive here, since they are divided by."""
    exact = rational(value, name=f"{name}'s {symbol}")
    if symbol in ("k", "d", "r") and not (exact.denominator == 1 and exact >= 1):
        raise InvalidParameterError(
            f"{name}'s {symbol} is not a whole number: received {shown(value)}; allowed is 1, 2, ..."
        )
    if symbol in ("piB", "T") and not 0 <= exact <= 1:
        raise InvalidParameterError(
            f"{name}'s {symbol} is not a probability: received {shown(value)}; allowed is 0 <= {symbol} <= 1"
        )
    return exact
