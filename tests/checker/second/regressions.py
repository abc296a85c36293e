"""Rules 35 and 39, from their page, with intervals of mpmath."""

from fractions import Fraction

from mpmath import iv

from .reading import array, dot, integer, keys, matrix, mechanism, number, numbers, want


def box(problem, claim, witness):
    judged(problem, claim, keys(witness, ["rule", "digits"])[1])


def cover(problem, claim, witness):
    _, digits, reach, cells = keys(witness, ["rule", "digits", "reach", "cells"])
    rows, r = judged(problem, claim, digits)
    p = len(rows[0][2])
    far = number(reach)
    want(p <= 10 and far > 0 and all(len(device) == 2 for device, *_ in rows), "form of a cover")
    trees = array(cells, 1 + 2 * p)
    at_point = sum((value(device, counts, chance(t)) for device, counts, _, t in rows), iv.mpf(0))
    for cell, leaf in leaves(trees[0], [(-far, far)] * p):
        if leaf == "b":
            want(all(-r <= low and high <= r for low, high in cell), "a cell in the box")
        elif leaf == "g":
            want(has_slope(rows, cell), "a cell with a slope")
        else:
            ranges = [(t + dot_range(y, cell)[0], t + dot_range(y, cell)[1]) for _, _, y, t in rows]
            want((values(rows, ranges) - at_point).b < 0, "a cell of low values")
    for place, text in enumerate(trees[1:]):
        k, sign = divmod(place, 2)
        for cell, leaf in leaves(text, [(Fraction(-1 + (j == k)), Fraction(1)) for j in range(p)]):
            want(leaf == "v", "a cell of a cone")
            face = [(Fraction(1 - 2 * sign),) * 2 if j == k else ends for j, ends in enumerate(cell)]
            ranges = []
            for _, _, y, t in rows:
                low, high = dot_range(y, face)
                ranges.append((t + out(low, -1, cell[k], far), t + out(high, 1, cell[k], far)))
            want((values(rows, ranges) - at_point).b < 0, "a cell of low values in a cone")


def out(v, sign, ends, far):
    """The end of the range of v far/z, z between these ends."""
    z = ends[0] if v * sign > 0 else ends[1]
    return v * far / z if z else sign * float("inf")


def dot_range(y, cell):
    pairs = [sorted((v * low, v * high)) for v, (low, high) in zip(y, cell, strict=True)]
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


def leaves(text, start):
    want(isinstance(text, str), "a text")
    place = 0

    def walk(cell, depth):
        nonlocal place
        want(place < len(text), "a tree without its end")
        letter = text[place]
        place += 1
        if letter in "bvg":
            yield cell, letter
            return
        want(letter in "0123456789" and int(letter) < len(cell) and depth < 64, "a letter of a tree")
        j = int(letter)
        middle = (cell[j][0] + cell[j][1]) / 2
        for part in ((cell[j][0], middle), (middle, cell[j][1])):
            yield from walk([part if i == j else ends for i, ends in enumerate(cell)], depth + 1)

    yield from walk(start, 0)
    want(place == len(text), "more than one tree")


def chance(t):
    return 1 / (1 + iv.exp(-real(t)))


def value(device, counts, f):
    """The log-likelihood of a row whose truth has the chance f."""
    total = iv.mpf(0)
    for (a, b), n in zip(device, counts, strict=True):
        if n:
            p = real(a) + real(b - a) * f
            low = max(p.a, iv.mpf(0))
            total += real(n) * (iv.log(iv.mpf([low.a, p.b])) if low > 0 else iv.mpf(["-inf", iv.log(iv.mpf(p.b)).b]))
    return total


def values(rows, ranges):
    total = iv.mpf(0)
    for (device, counts, _, _), (low, high) in zip(rows, ranges, strict=True):
        (a, b), n = device[1], counts
        best = min(max((n[1] / sum(n) - a) / (b - a), Fraction(0)), Fraction(1)) if a != b else Fraction(0)
        first = iv.mpf(0) if low <= -1000 else chance(min(low, Fraction(1000)))
        last = iv.mpf(1) if high >= 1000 else chance(max(high, Fraction(-1000)))
        f = first if (first - real(best)).a > 0 else last if (real(best) - last).a > 0 else real(best)
        total += value(device, n, f)
    return total


def has_slope(rows, cell):
    p = len(cell)
    m, h = [(low + high) / 2 for low, high in cell], [(high - low) / 2 for low, high in cell]
    gradient, change = [iv.mpf(0)] * p, [iv.mpf(0)] * p
    middle = [[iv.mpf(0)] * p for _ in range(p)]
    for device, counts, y, t in rows:
        s, at = dot(map(abs, y), h), t + dot(y, m)
        want(abs(at) + s <= 1000, "the linear predictor in a cell")
        slope, low, high = derivatives(at, s, given(device, counts))
        for j in range(p):
            gradient[j] += slope * real(y[j])
            change[j] += (high - low) / 2 * real(abs(y[j]) * s)
            for k in range(p):
                middle[j][k] += (low + high) / 2 * real(y[j] * y[k])
    most = [
        sum((abs(v) * real(w) for v, w in zip(row, h, strict=True)), more)
        for row, more in zip(middle, change, strict=True)
    ]
    return any((abs(g) - bound).a > 0 for g, bound in zip(gradient, most, strict=True))


def given(device, counts):
    return [(a, b, n) for (a, b), n in zip(device, counts, strict=True) if n]


def judged(problem, claim, precision):
    """Judge the box; return its rows (matrix, counts, y, t) and its radius."""
    _, groups = keys(problem, ["kind", "groups"])
    _, point, directions, size, errors = keys(claim, ["kind", "point", "directions", "radius", "errors"])
    digits = integer(precision)
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
    found = []
    for rows, x, counts in read(groups, p):
        y, t = [dot(column, x) for column in zip(*w, strict=True)], dot(x, c)
        found.append((rows, counts, y, t))
        length = sum(map(abs, y))
        s = r * length
        want(abs(t) + s <= 1000, "the linear predictor")
        slope, low, high = derivatives(t, s, given(rows, counts))
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
    return found, r


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


def derivatives(t, s, responses):
    """slope, L and U of a row."""
    slope = low = high = iv.mpf(0)
    total = sum(n for _, _, n in responses)
    for a, b, n in [*responses, (Fraction(1), Fraction(1), -total)]:
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
