"""Rule 29, from its page, with intervals of mpmath."""

from fractions import Fraction

from mpmath import iv

from .reading import gamma_bracket, integer, keys, level, number, want


def zcdp(problem, claim, witness):
    _, categories, epsilon = keys(problem, ["kind", "categories", "epsilon"])
    _, lower, upper = keys(claim, ["kind", "lower", "upper"])
    _, gamma, order, digits = keys(witness, ["rule", "gamma", "order", "digits"])
    k, (low, high), a = number(categories), gamma_bracket(gamma, level(epsilon)), number(order)
    want(2 <= k <= 10**12 and a >= 1 and 1 <= integer(digits) <= 300, "a number out of its range")
    want(a <= 10**6, "too large an order for this checker")
    iv.dps = integer(digits) + 30
    least, most = number(lower), number(upper)
    want(least <= 0 or (slope(k, low, a) - real(least)).a >= 0, "lower")
    if high == 1:
        want(most >= 0, "upper")
        return
    eps = iv.log(real(high))
    t, r = eps * (real(a) - real(Fraction(1, 2))), real(k - 2) / (2 * iv.sqrt(real(high)))
    sinh, cosh = (iv.exp(t) - iv.exp(-t)) / 2, (iv.exp(t) + iv.exp(-t)) / 2
    want((sinh * cosh - t - r * (t * cosh - sinh)).a >= 0, "concave")
    tangent = slope(k, high, a) if a == 1 else eps * sinh / ((2 * real(a) - 1) * (cosh + r))
    want(a == 1 or (tangent - slope(k, high, a)).a >= 0, "as steep")
    want((real(most) - tangent).a >= 0, "upper")


def real(x):
    x = Fraction(x)
    return iv.mpf(x.numerator) / x.denominator


def slope(k, g, a):
    eps = iv.log(real(g))
    if a == 1:
        return eps * real((g - 1) / (g + k - 1))
    both = iv.exp(eps * real(a)) + iv.exp(eps * real(1 - a)) + real(k - 2)
    return iv.log(both / real(g + k - 1)) / real(a * (a - 1))
