"""Rules 35 and 39, from their page, with intervals of mpmath."""

from fractions import Fraction
from itertools import pairwise

from mpmath import iv

from .reading import array, dot, integer, keys, matrix, mechanism, number, numbers, want
from .regression_models import MODELS, derivatives, function, inputs, matrix_of, real, sizes


def box(problem, claim, witness):
    _, _, model = judged(problem, claim, keys(witness, ["rule", "digits"])[1])
    want(claim["kind"] == "local-maximum" or model == "linear", "a box of a global maximum")


def cover(problem, claim, witness):
    _, digits, reach, cells = keys(witness, ["rule", "digits", "reach", "cells"])
    rows, r, model = judged(problem, claim, digits)
    want(model in ("logit", "probit"), "a model of a cover")
    rows = [(device, counts, y, t) for device, counts, (y,), (t,) in rows]
    p = len(rows[0][2])
    far = number(reach)
    want(p <= 10 and far > 0 and all(len(device) == 2 for device, *_ in rows), "form of a cover")
    trees = array(cells, 1 + 2 * p)
    at_point = sum((value(device, counts, chance(model, t)) for device, counts, _, t in rows), iv.mpf(0))
    for cell, leaf in leaves(trees[0], [(-far, far)] * p):
        if leaf == "b":
            want(all(-r <= low and high <= r for low, high in cell), "a cell in the box")
        elif leaf == "g":
            want(has_slope(model, rows, cell), "a cell with a slope")
        else:
            ranges = [(t + dot_range(y, cell)[0], t + dot_range(y, cell)[1]) for _, _, y, t in rows]
            want((values(model, rows, ranges) - at_point).b < 0, "a cell of low values")
    for place, text in enumerate(trees[1:]):
        k, sign = divmod(place, 2)
        for cell, leaf in leaves(text, [(Fraction(-1 + (j == k)), Fraction(1)) for j in range(p)]):
            want(leaf == "v", "a cell of a cone")
            face = [(Fraction(1 - 2 * sign),) * 2 if j == k else ends for j, ends in enumerate(cell)]
            ranges = []
            for _, _, y, t in rows:
                low, high = dot_range(y, face)
                ranges.append((t + out(low, -1, cell[k], far), t + out(high, 1, cell[k], far)))
            want((values(model, rows, ranges) - at_point).b < 0, "a cell of low values in a cone")


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


def chance(model, t):
    return function(model, Fraction(t))[0]


def value(device, counts, f):
    """The log-likelihood of a row whose truth has the chance f."""
    total = iv.mpf(0)
    for (a, b), n in zip(device, counts, strict=True):
        if n:
            p = real(a) + real(b - a) * f
            low = max(p.a, iv.mpf(0))
            total += real(n) * (iv.log(iv.mpf([low.a, p.b])) if low > 0 else iv.mpf(["-inf", iv.log(iv.mpf(p.b)).b]))
    return total


def values(model, rows, ranges):
    total = iv.mpf(0)
    for (device, counts, _, _), (low, high) in zip(rows, ranges, strict=True):
        (a, b), n = device[1], counts
        best = min(max((n[1] / sum(n) - a) / (b - a), Fraction(0)), Fraction(1)) if a != b else Fraction(0)
        first = iv.mpf(0) if low <= -1000 else chance(model, min(low, Fraction(1000)))
        last = iv.mpf(1) if high >= 1000 else chance(model, max(high, Fraction(-1000)))
        f = first if (first - real(best)).a > 0 else last if (real(best) - last).a > 0 else real(best)
        total += value(device, n, f)
    return total


def has_slope(model, rows, cell):
    p = len(cell)
    m, h = [(low + high) / 2 for low, high in cell], [(high - low) / 2 for low, high in cell]
    gradient, change = [iv.mpf(0)] * p, [iv.mpf(0)] * p
    middle = [[iv.mpf(0)] * p for _ in range(p)]
    for device, counts, y, t in rows:
        s, at = dot(map(abs, y), h), t + dot(y, m)
        want(abs(at) + s <= 1000, "the linear predictor in a cell")
        (slope,), _ = derivatives(model, [at], [Fraction(0)], device, counts)
        inner = [v for v in (Fraction(k, 32) for k in range(-511, 512, 2)) if at - s < v < at + s]
        ends = [at - s, *inner, at + s]
        bends = []
        for a, b in pairwise(ends):
            bends.append(derivatives(model, [(a + b) / 2], [(b - a) / 2], device, counts)[1][0][0])
        low, high = (iv.mpf(end) for end in (min(v.a for v in bends), max(v.b for v in bends)))
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


def judged(problem, claim, precision):
    """Judge the box; return its rows (matrix, counts, y, t), its radius and the model."""
    model = "logit"
    if problem["kind"] == "regression":
        _, model, groups = keys(problem, ["kind", "model", "groups"])
        want(model in MODELS, "a model")
    else:
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
    for rows, x, counts in read(groups, p, model):
        y = [[dot(column, own) for column in zip(*w, strict=True)] for own in x]
        t = [dot(own, c) for own in x]
        found.append((rows, counts, y, t))
        lengths = [sum(map(abs, own)) for own in y]
        s = [r * length for length in lengths]
        want(all(abs(v) + most <= 1000 for v, most in zip(t, s, strict=True)), "the linear predictor")
        slope, bend = derivatives(model, t, s, rows, counts)
        for j in range(len(t)):
            for k in range(p):
                gradient[k] += slope[j] * real(y[j][k])
            for i in range(len(t)):
                low, high = iv.mpf(bend[j][i].a), iv.mpf(bend[j][i].b)
                for k in range(p):
                    width[k] += (high - low) / 2 * real(abs(y[j][k]) * lengths[i])
                    for m in range(p):
                        middle[k][m] += (low + high) / 2 * real(y[j][k] * y[i][m])
    if model.startswith("ordinal") and found:
        first = p - len(found[0][2])
        for j in range(first, p - 1):
            moved = sum(abs(b - a) for a, b in zip(w[j], w[j + 1], strict=True))
            want(c[j + 1] - c[j] > r * moved, "the order of the thresholds")
    rho = greatest(sum((abs(v) for v in row), more) for row, more in zip(middle, width, strict=True))
    most = greatest(abs(g) for g in gradient)
    want(rho.b < 1, "rho")
    want(((1 - rho) * real(r) - most).a >= 0, "a stationary point")
    reached = most / (1 - rho)
    for least, row in zip(e, w, strict=True):
        want((real(least) - reached * real(sum(map(abs, row)))).a >= 0, "an error")
    return found, r, model


def read(groups, p, model):
    """Rows with responses: matrix, A, counts."""
    k, extra = inputs(model), None
    for group in array(groups):
        device, listed = keys(group, ["mechanism", "rows"])
        rows = mechanism(device, None, k)
        k = len(rows[0])
        if model == "linear":
            want(len(rows) == 2 and rows[1][0] != rows[1][1], "a device of a linear model")
        for each in array(listed):
            e = []
            if model.startswith("covariate"):
                covariates, effects, counts = keys(each, ["covariates", "effects", "counts"])
                e = numbers(effects, extra)
                extra = len(e)
            else:
                covariates, counts = keys(each, ["covariates", "counts"])
            x = numbers(covariates, sizes(model, p, k, len(e)))
            n = numbers(counts, len(rows))
            want(all(count >= 0 for count in n), "a count")
            want(all(any(row) for row, count in zip(rows, n, strict=True) if count), "an impossible response")
            if any(n):
                yield rows, matrix_of(model, k, x, e), n


def greatest(values):
    values = list(values)
    return iv.mpf([max(v.a for v in values), max(v.b for v in values)])
