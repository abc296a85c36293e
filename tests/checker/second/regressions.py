"""Rule 35, from its page, with intervals of mpmath."""

from fractions import Fraction

from mpmath import iv

from .reading import array, dot, integer, keys, matrix, mechanism, number, numbers, want


def box(problem, claim, witness):
    _, groups = keys(problem, ["kind", "groups"])
    _, point, directions, size, errors = keys(claim, ["kind", "point", "directions", "radius", "errors"])
    digits = integer(keys(witness, ["rule", "digits"])[1])
    want(1 <= digits <= 300, "digits")
    c = numbers(point)
    p = len(c)
    want(1 <= p <= 64, "coefficients")
    w, r, e = matrix(directions, p, p), number(size), numbers(errors, p)
    want(r > 0, "a positive radius")
    iv.dps = digits + 30
    gradient = [iv.mpf(0)] * p
    middle = [[iv.mpf(int(j == k)) for k in range(p)] for j in range(p)]
    width = [iv.mpf(0)] * p
    for rows, x, counts in read(groups, p):
        y, t = [dot(column, x) for column in zip(*w, strict=True)], dot(x, c)
        length = sum(map(abs, y))
        s = r * length
        want(abs(t) + s <= 1000, "the linear predictor")
        slope, low, high = derivatives(t, s, [(a, b, n) for (a, b), n in zip(rows, counts, strict=True) if n])
        for j in range(p):
            gradient[j] += slope * real(y[j])
            width[j] += (high - low) / 2 * real(abs(y[j]) * length)
            for k in range(p):
                middle[j][k] += (low + high) / 2 * real(y[j] * y[k])
    rho = greatest(sum((abs(v) for v in row), more) for row, more in zip(middle, width, strict=True))
    most = greatest(abs(g) for g in gradient)
    want(rho.b < 1, "rho")
    want(((1 - rho) * real(r) - most).a >= 0, "a stationary point")
    reached = most / (1 - rho)
    for least, row in zip(e, w, strict=True):
        want((real(least) - reached * real(sum(map(abs, row)))).a >= 0, "an error")


def read(groups, p):
    """Rows with responses: matrix, covariates, counts."""
    for group in array(groups):
        device, listed = keys(group, ["mechanism", "rows"])
        rows = mechanism(device, None, 2)
        for each in array(listed):
            covariates, counts = keys(each, ["covariates", "counts"])
            x, n = numbers(covariates, p), numbers(counts, len(rows))
            want(all(count >= 0 for count in n), "a count")
            want(all(a + b > 0 for (a, b), count in zip(rows, n, strict=True) if count), "an impossible response")
            if any(n):
                yield rows, x, n


def derivatives(t, s, given):
    """slope, L and U of a row."""
    slope = low = high = iv.mpf(0)
    total = sum(n for _, _, n in given)
    for a, b, n in [*given, (Fraction(1), Fraction(1), -total)]:
        if not b:
            continue
        weight = real(n)
        slope += weight / (1 + real(a / b) * iv.exp(real(-t)))
        if not a:
            continue
        first, last = (real(a / b) * iv.exp(real(end)) for end in (-t - s, -t + s))
        ends = [1 / (2 + q + 1 / q) for q in (first, last)]
        least = iv.mpf([min(v.a for v in ends), min(v.b for v in ends)])
        most = greatest(ends)
        if first.a <= 1 and last.b >= 1:
            most = real(Fraction(1, 4))
        low, high = low + weight * (least if n > 0 else most), high + weight * (most if n > 0 else least)
    return slope, low, high


def greatest(values):
    values = list(values)
    return iv.mpf([max(v.a for v in values), max(v.b for v in values)])


def real(x):
    x = Fraction(x)
    return iv.mpf(x.numerator) / x.denominator
