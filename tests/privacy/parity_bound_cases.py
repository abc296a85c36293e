"""Criteria for tests of B(h): fifty of all kinds, and random ones, each as text and by hand in mpmath."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import mpmath as mp

__all__ = ["CASES", "OFFSET", "Function", "composed", "q", "random_criterion"]

Function = Callable[[mp.mpf], mp.mpf]
q = mp.mpf
E_ = mp.exp
OFFSET = mp.mpf(10) ** -25  # how near the oracle goes to an end or a break


def when(*cases: object) -> Function:
    """Piecewise by hand: condition, value, ..., otherwise."""

    def h(p: mp.mpf) -> mp.mpf:
        for i in range(0, len(cases) - 1, 2):
            if cases[i](p):  # type: ignore[operator]
                return cases[i + 1](p)  # type: ignore[operator]
        return cases[-1](p)  # type: ignore[operator]

    return h


def c(x: object) -> Function:
    return lambda p: mp.mpf(x) if not isinstance(x, Fraction) else q(x.numerator) / x.denominator


# upper expression, lower expression or None, the same by hand, breaks of h = [h_l * h_u], attained, where
CASES: list[tuple[str, str | None, Function, Function | None, list[object], bool | None, object]] = [
    ("min(1, 3*p)", None, lambda p: min(1, 3 * p), None, ["1/3"], False, 0),
    ("min(1, 3/2*p)", "p/4", lambda p: min(1, q(3) / 2 * p), lambda p: p / 4, ["2/3"], False, 0),
    ("min(1, 3*p)", "p/2", lambda p: min(1, 3 * p), lambda p: p / 2, ["1/3"], False, 1),
    ("piecewise(1/2, p < 1/5, 1)", None, when(lambda p: p < q(1) / 5, c(0.5), c(1)), None, ["1/5"], False, 0.2),
    ("piecewise(1/2, p <= 1/5, 1)", None, when(lambda p: p <= q(1) / 5, c(0.5), c(1)), None, ["1/5"], True, 0.2),
    (
        "piecewise(1/2, p < 1/5, 3/4, p < 1/2, 1)",
        None,
        when(lambda p: p < q(1) / 5, c(0.5), lambda p: p < 0.5, c(0.75), c(1)),
        None,
        ["1/5", "1/2"],
        False,
        0.5,
    ),
    (
        "piecewise(1/2, p < 1/5, 3/4, 1/2 >= p, 1)",
        None,
        when(lambda p: p < q(1) / 5, c(0.5), lambda p: p <= 0.5, c(0.75), c(1)),
        None,
        ["1/5", "1/2"],
        True,
        0.5,
    ),
    ("(1 + p)/2", None, lambda p: (1 + p) / 2, None, [], False, 1),
    ("p", None, lambda p: p, None, [], True, None),
    ("2*p/(1 + p)", None, lambda p: 2 * p / (1 + p), None, [], True, None),
    ("min(1, p + 1/10)", None, lambda p: min(1, p + q(1) / 10), None, ["9/10"], True, 0.45),
    ("min(1, 2*p + 1/10)", None, lambda p: min(1, 2 * p + q(1) / 10), None, ["9/20"], True, None),
    (
        "max(1/4, min(1, p + 1/7))",
        None,
        lambda p: max(q(1) / 4, min(1, p + q(1) / 7)),
        None,
        ["3/28", "6/7"],
        True,
        None,
    ),
    (
        "min(1, max(2*p, p + 1/5))",
        None,
        lambda p: min(1, max(2 * p, p + q(1) / 5)),
        None,
        ["1/5", "1/2", "4/5"],
        True,
        0.2,
    ),
    ("1 - (1-p)^3", None, lambda p: 1 - (1 - p) ** 3, None, [], False, 0),
    ("1 - (1-p)^2", None, lambda p: 1 - (1 - p) ** 2, None, [], False, 0),
    ("p + p*(1-p)/3", None, lambda p: p + p * (1 - p) / 3, None, [], None, None),
    (
        "p + p*(1-p)*(p^5 - p + 2/3)/2",
        None,
        lambda p: p + p * (1 - p) * (p**5 - p + q(2) / 3) / 2,
        None,
        [],
        True,
        None,
    ),
    (
        "p + p*(1-p)*((p-2/5)^2 + 1/10)",
        None,
        lambda p: p + p * (1 - p) * ((p - q(2) / 5) ** 2 + q(1) / 10),
        None,
        [],
        None,
        None,
    ),
    (
        "p + (1-p)*p^2*(1-p)/2 + p*(1-p)/5",
        None,
        lambda p: p + (1 - p) * p**2 * (1 - p) / 2 + p * (1 - p) / 5,
        None,
        [],
        None,
        None,
    ),
    ("(p + 1/3)/(4/3)", None, lambda p: (p + q(1) / 3) / (q(4) / 3), None, [], False, 1),
    ("p*(3-p)/(1+p)", None, lambda p: p * (3 - p) / (1 + p), None, [], None, None),
    ("1", "p^2", c(1), lambda p: p**2, [], False, 0),
    ("1", "p^3", c(1), lambda p: p**3, [], False, 0),
    ("1", "max(0, p - 1/10)", c(1), lambda p: max(0, p - q(1) / 10), ["9/10"], True, 0.45),
    (
        "min(1, p + 1/5)",
        "max(0, p - 1/10)",
        lambda p: min(1, p + q(1) / 5),
        lambda p: max(0, p - q(1) / 10),
        ["4/5", "9/10"],
        True,
        0.45,
    ),
    ("1", "p/(3 - 2*p)", c(1), lambda p: p / (3 - 2 * p), [], True, None),
    ("1", "piecewise(1/3, p > 1/2, 0)", c(1), when(lambda p: p > 0.5, lambda p: q(1) / 3, c(0)), ["1/2"], False, 0.5),
    ("1", "piecewise(1/3, p >= 1/2, 0)", c(1), when(lambda p: p >= 0.5, lambda p: q(1) / 3, c(0)), ["1/2"], True, 0.5),
    (
        "piecewise(1/2, p^2 < 1/5, 1)",
        None,
        when(lambda p: p < mp.sqrt(q(1) / 5), c(0.5), c(1)),
        None,
        [lambda: mp.sqrt(q(1) / 5)],
        False,
        None,
    ),
    (
        "piecewise(1, p^2 < 1/2, 3/4, p^2 <= 1/2, 1)",
        None,
        when(lambda p: abs(p - mp.sqrt(q(1) / 2)) < OFFSET / 2, c(0.75), c(1)),
        None,
        [lambda: mp.sqrt(q(1) / 2)],
        True,
        None,
    ),
    (
        "piecewise(p + 1/10, 1/4 <= p <= 1/3, 1)",
        None,
        when(lambda p: q(1) / 4 <= p <= q(1) / 3, lambda p: p + q(1) / 10, c(1)),
        None,
        ["1/4", "1/3"],
        True,
        None,
    ),
    (
        "piecewise(p + 1/10, 1/4 < p < 1/3, 1)",
        None,
        when(lambda p: q(1) / 4 < p < q(1) / 3, lambda p: p + q(1) / 10, c(1)),
        None,
        ["1/4", "1/3"],
        False,
        None,
    ),
    ("min(1, p^2 + 1/2)", None, lambda p: min(1, p**2 + q(1) / 2), None, [lambda: mp.sqrt(q(1) / 2)], True, None),
    ("min(1, (p+1)^3/4)", None, lambda p: min(1, (p + 1) ** 3 / 4), None, [lambda: mp.cbrt(4) - 1], True, None),
    # not rational: enclosed
    ("sqrt(p)", None, mp.sqrt, None, [], False, 1),
    ("p^0.9", None, lambda p: p ** (q(9) / 10), None, [], False, 1),
    ("p^(2/3)", None, lambda p: p ** (q(2) / 3), None, [], False, 1),
    ("1 - (1-p)^(3/2)", None, lambda p: 1 - (1 - p) ** q(1.5), None, [], False, 0),
    ("sqrt(p*(2-p))", None, lambda p: mp.sqrt(p * (2 - p)), None, [], True, None),
    ("(1 - exp(-3*p))/(1 - exp(-3))", None, lambda p: (1 - E_(-3 * p)) / (1 - E_(-3)), None, [], False, 0),
    ("log(1+p)/log(2)", None, lambda p: mp.log(1 + p) / mp.log(2), None, [], False, 1),
    ("p*(1 - log(p))", None, lambda p: p * (1 - mp.log(p)), None, [], True, None),
    ("min(1, sqrt(p) + 1/10)", None, lambda p: min(1, mp.sqrt(p) + q(1) / 10), None, [q(81) / 100], True, None),
    ("min(1, exp(1/2)*p)", None, lambda p: min(1, E_(q(0.5)) * p), None, [lambda: E_(q(-0.5))], False, 0),
    ("min(1, exp(p)/2)", None, lambda p: min(1, E_(p) / 2), None, [lambda: mp.log(2)], True, None),
    ("p + p*(1-p)*exp(-p)/2", None, lambda p: p + p * (1 - p) * E_(-p) / 2, None, [], False, 1),
    ("2^p - 1 + p*(1-p)", None, lambda p: 2**p - 1 + p * (1 - p), None, [], False, 0),
    ("1 - (1-p)*exp(-p)", None, lambda p: 1 - (1 - p) * E_(-p), None, [], False, 0),
    ("min(1, p + exp(-3))", None, lambda p: min(1, p + E_(-3)), None, [lambda: 1 - E_(-3)], True, None),
    (
        "piecewise(sqrt(p), p^2 < 1/2, 1)",
        None,
        when(lambda p: p < mp.sqrt(q(1) / 2), mp.sqrt, c(1)),
        None,
        [lambda: mp.sqrt(q(1) / 2)],
        False,
        None,
    ),
    (
        "piecewise(sqrt(p)/2 + 1/2, p < 1/2, 1)",
        None,
        when(lambda p: p < 0.5, lambda p: mp.sqrt(p) / 2 + q(0.5), c(1)),
        None,
        ["1/2"],
        False,
        0.5,
    ),
    ("max(sqrt(p), 3/10)", None, lambda p: max(mp.sqrt(p), q(3) / 10), None, [q(9) / 100], False, 1),
    ("1", "1 - sqrt(1-p)", c(1), lambda p: 1 - mp.sqrt(1 - p), [], False, 1),
    ("1", "p*exp(p-1)/2", c(1), lambda p: p * E_(p - 1) / 2, [], None, None),
]


def random_criterion(rng: random.Random) -> tuple[str, Function, Fraction]:
    """A random piecewise rational h with p <= h <= 1: as text, by hand, and with its cut."""
    a, b, cut = (Fraction(rng.randint(1, 9), 10) for _ in range(3))
    x, y, z = (q(v.numerator) / v.denominator for v in (a, b, cut))
    kind = rng.randrange(4)
    if kind < 2:  # a step, then a line to (1, 1)
        sign = "<" if kind else "<="
        text = f"piecewise({cut} + (1 - {cut})*{a}, p {sign} {cut}, p + (1-p)*{b})"
        return (
            text,
            when(lambda p: p < z or (p == z and not kind), lambda p: z + (1 - z) * x, lambda p: p + (1 - p) * y),
            cut,
        )
    if kind == 2:
        return f"p + p*(1-p)*(({a})*p^2 + ({b})*(1-p))", lambda p: p + p * (1 - p) * (x * p**2 + y * (1 - p)), cut
    return f"min(1, max(p + {a}/5, p*(1 + {b})))", lambda p: min(1, max(p + x / 5, p * (1 + y))), cut


def atom(rng: random.Random) -> tuple[str, Function]:
    """A random h with p <= h <= 1, as text and by hand."""
    a, b = rng.randint(1, 9), rng.randint(2, 9)
    f = q(a) / 10
    choices: list[tuple[str, Function]] = [
        (f"p^({a}/10)", lambda p: p**f),
        (f"(1-exp(-{a}*p))/(1-exp(-{a}))", lambda p: (1 - E_(-a * p)) / (1 - E_(-a))),
        (f"log(1+{a}*p)/log(1+{a})", lambda p: mp.log(1 + a * p) / mp.log(1 + a)),
        (f"1-(1-p)^(1+{a}/10)", lambda p: 1 - (1 - p) ** (1 + f)),
        (f"min(1,p+{a}/10*exp(-{b}))", lambda p: min(1, p + f * E_(-b))),
        (f"p+p*(1-p)*exp(-{b}*(p-{a}/10)^2)", lambda p: p + p * (1 - p) * E_(-b * (p - f) ** 2)),
        (f"p*(1-log(p)*{a}/10)", lambda p: p * (1 - mp.log(p) * f)),
        (f"sqrt(p*({a}/10+{10 - a}/10*p))", lambda p: mp.sqrt(p * (f + (1 - f) * p))),
        (f"min(1,{b}*p)", lambda p: min(mp.mpf(1), b * p)),
    ]
    return rng.choice(choices)


def composed(rng: random.Random, depth: int) -> tuple[str, Function]:
    """Compositions that keep p <= h <= 1."""
    if depth == 0:
        return atom(rng)
    (s, f), (t, g) = composed(rng, depth - 1), atom(rng)
    cut = rng.randint(1, 9)
    choices: list[tuple[str, Function]] = [
        (f"max({s},{t})", lambda p: max(f(p), g(p))),
        (f"min({s},{t})", lambda p: min(f(p), g(p))),
        (f"({s}+{t})/2", lambda p: (f(p) + g(p)) / 2),
        (f"1-(1-({s}))*(1-({t}))", lambda p: 1 - (1 - f(p)) * (1 - g(p))),
        (f"piecewise({s},p<{cut}/10,{t})", lambda p: f(p) if p < q(cut) / 10 else g(p)),
    ]
    return rng.choice(choices)
