"""Rules 30 and 31: blocks, from their pages alone; the autocorrelation by bits of one long integer."""

from fractions import Fraction
from math import isqrt

from mpmath import iv

from .designs import Region
from .reading import delta_bracket, gamma_bracket, integer, keys, number, want

PARAMETERS = {
    "direct": [],
    "subsets": ["size"],
    "affine": ["q", "size", "dimension"],
    "affine-classes": ["q", "index", "cosets", "zero"],
    "projective": ["q", "dimension", "complement"],
    "cyclic": ["modulus", "base"],
}


def prime(value):
    q = integer(value)
    want(2 <= q <= 10**12 and all(q % d for d in range(2, isqrt(q) + 1)), "a prime")
    return q


def between(value, low, high):
    n = integer(value)
    want(low <= n <= high, f"an integer from {low} to {high}")
    return n


def spaces(q, t):
    return sum(q**i for i in range(t))


def correlation(base, v, k):
    want(isinstance(base, str) and len(base) == (v + 3) // 4, "the length of the base block")
    want(all(c in "0123456789abcdef" for c in base), "digits to base 16")
    d = int(base, 16)
    want(d >> v == 0 and 0 < d.bit_count() < v, "the base block")
    whole = (1 << v) - 1
    found = {(d & ((d << h | d >> (v - h)) & whole)).bit_count() for h in range(1, k)}
    want(len(found) == 1, "rule 31: the autocorrelation")
    return d.bit_count(), found.pop()


def design(family, k, values):
    """b, rho, eta, balanced."""
    if family == "direct":
        return k, Fraction(1, k), Fraction(0), True
    if family == "subsets":
        d = between(values[0], 1, k - 1)
        return None, Fraction(d, k), Fraction(d, k) * Fraction(d - 1, k - 1), True
    if family == "affine":
        q = prime(values[0])
        s, t = between(values[1], 1, q - 1), between(values[2], 1, 64)
        want(k <= q**t, "room")
        eta = Fraction((q ** (t - 1) - 1) * s + q ** (t - 1) * s * (s - 1), q * (q**t - 1))
        return q * (q**t - 1), Fraction(s, q), eta, k == q**t
    if family == "affine-classes":
        q = prime(values[0])
        e = between(values[1], 1, 64)
        j, z = between(values[2], 0, e), between(values[3], 0, 1)
        want((q - 1) % e == 0, "e divides q - 1")
        s = j * (q - 1) // e + z
        want(0 < s < q and k <= q, "T, or room")
        return q * e, Fraction(s, q), Fraction(s * (s - 1), q * (q - 1)), k == q
    if family == "projective":
        q = prime(values[0])
        t, complement = between(values[1], 2, 64), between(values[2], 0, 1)
        n = spaces(q, t)
        want(k <= n, "room")
        u, w = Fraction(spaces(q, t - 1), n), Fraction(spaces(q, t - 2), n)
        return n, *((1 - u, 1 - 2 * u + w) if complement else (u, w)), k == n
    v = between(values[0], 2, 2**21)
    want(k <= v, "room")
    size, both = correlation(values[1], v, k)
    return v, Fraction(size, v), Fraction(both, v), k == v


def reports(made, k):
    """p, m, gamma, b, balanced."""
    want(isinstance(made, dict) and len(made) == 1, "one form of mechanism")
    ((form, data),) = made.items()
    if form == "bit-vectors":
        categories, p, m = keys(data, ["categories", "p", "m"])
        p, m = number(p), number(m)
        want(between(categories, 2, 10**7) == k and 0 < m < p < 1, "the bits")
        return p, m, (p / (1 - p)) / (m / (1 - m)), None, False
    want(form == "blocks" and isinstance(data, dict), "blocks")
    family = data.get("family")
    want(isinstance(family, str) and family in PARAMETERS, "a family")
    _, categories, gamma, *values = keys(data, ["family", "categories", "gamma", *PARAMETERS[family]])
    want(between(categories, 2, 10**7) == k, "the categories")
    b, rho, eta, balanced = design(family, k, values)
    want(rho != eta, "rho is eta")
    g = number(gamma)
    want(g > 1, "gamma of the mechanism")
    s = 1 + (g - 1) * rho
    return g * rho / s, ((g - 1) * eta + rho) / s, g, b, balanced


def ends(x):
    return [(-1) ** sign * int(mantissa) * Fraction(2) ** power for sign, mantissa, power, _ in x._mpi_]


def real(x):
    return iv.mpf(x.numerator) / x.denominator


def told(d, g, k):
    p = d * g / (d * g + k - d)
    return real(p) * iv.log(real(p * k / d)) + real(1 - p) * iv.log(real((1 - p) * k / (k - d)))


def blocks(problem, claim, witness):
    region, objective, shares = keys(problem, ["region", "objective", "population"])
    k = between(keys(shares, ["uniform"])[0], 2, 10**7)
    _, lower, upper, made = keys(claim, ["kind", "lower", "upper", "mechanism"])
    keys(witness, ["rule", "gamma", "delta"])
    region = Region(region)
    want(region.is_uniform and region.least is None and region.family == "all" and region.delta == "0", "the region")
    want(region.inputs == k, "the inputs")
    if region.kind == "criterion":
        below, above = region.proved(witness["gamma"])
    else:
        below, above = gamma_bracket(witness["gamma"], region.levels)
    delta_bracket(witness["delta"], "0")
    kind = keys(objective, ["kind"])[0]
    want(kind in ("a-optimal", "e-optimal", "d-optimal", "mutual-information"), "the objective")
    p, m, g, b, balanced = reports(made, k)
    want(1 < g <= below, "privacy")
    if region.outputs != "any":
        want(region.outputs < 10**19 + 1 and b is not None and b <= region.outputs, "outputs")
    want(balanced or kind == "a-optimal", "balanced")
    lower, upper = number(lower), number(upper)
    value = (k * m * (1 - m) + (p - m) * (1 - 2 * m)) / (p - m) ** 2 - Fraction(1, k)
    low = int(k / (above + 1))
    bound = min(
        Fraction((k - 1) ** 2, k) * (d * above + k - d) ** 2 / ((above - 1) ** 2 * d * (k - d))
        for d in {min(max(d, 1), k - 1) for d in (low, low + 1)}
    )
    iv.dps = 90
    if kind in ("a-optimal", "e-optimal"):
        n = 1 if kind == "a-optimal" else k - 1
        want(value / n <= upper, "the value")
        want(lower <= bound / n, "the bound")
    elif kind == "d-optimal":
        both = [iv.log(iv.mpf(k)) - (k - 1) * iv.log(real(v / (k - 1))) for v in (value, bound)]
        want(lower <= ends(both[0])[0], "the value")
        want(upper >= ends(both[1])[1], "the bound")
    else:
        size = k * p / (g - p * (g - 1))
        want(lower <= ends(told(size, g, k))[0], "the value")
        best = k * (real(above) * iv.log(real(above)) / real(above - 1) - 1) / real(above - 1)
        first, last = ends(best)
        near = {min(max(d, 1), k - 1) for d in range(int(first), int(last) + 2)}
        want(all(upper >= ends(told(Fraction(d), above, k))[1] for d in near), "the bound")
