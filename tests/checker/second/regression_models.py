"""The models of rules 35 and 39, from their page, with intervals of mpmath."""

from fractions import Fraction

from mpmath import iv, mp

from .reading import want

MODELS = (
    "logit",
    "probit",
    "multinomial",
    "ordinal-logit",
    "ordinal-probit",
    "covariate-logit",
    "covariate-probit",
    "linear",
)


def real(x):
    x = Fraction(x)
    return iv.mpf(x.numerator) / x.denominator


def inputs(model):
    return {"multinomial": None, "ordinal": None, "covariate": 4}.get(model.split("-")[0], 2)


def sizes(model, p, k, effects):
    """How many covariates a row has."""
    want(k >= 2, "categories")
    if model == "multinomial":
        want(p % (k - 1) == 0, "blocks")
        return p // (k - 1)
    if model.startswith("ordinal"):
        want(p >= k - 1, "thresholds")
        return p - k + 1
    if model.startswith("covariate"):
        want(p >= effects and (p - effects) % 2 == 0, "blocks")
        return (p - effects) // 2
    return p


def matrix_of(model, k, x, effects):
    """A: one row for each linear predictor."""
    if model == "multinomial":
        return [[v if block == j else Fraction(0) for block in range(1, k) for v in x] for j in range(1, k)]
    if model.startswith("ordinal"):
        return [[-v for v in x] + [Fraction(i == j) for i in range(1, k)] for j in range(1, k)]
    if model.startswith("covariate"):
        o, e = [Fraction(0)] * len(x), [Fraction(0)] * len(effects)
        return [o + e + x, x + e + o, x + effects + o]
    return [x]


def span(low, high):
    return iv.mpf([low.a, high.b])


def function(link, t):
    """F and f at a rational number."""
    if link == "logit":
        e = iv.exp(-real(t))
        return 1 / (1 + e), 1 / (2 + e + 1 / e)
    with mp.workdps(iv.dps + 40):
        v = mp.mpf(t.numerator) / t.denominator
        values = mp.ncdf(v), mp.npdf(v)
        tiny = mp.mpf(10) ** (-iv.dps - 20)
        return tuple(iv.mpf([f * (1 - tiny), f * (1 + tiny)]) for f in values)


def letters(link, t, s):
    """[F], [f] and [f']."""
    (F0, f0), (F1, f1) = function(link, t - s), function(link, t + s)
    F = span(F0, F1)
    f = iv.mpf([min(f0.a, f1.a), max(f0.b, f1.b)])
    if t - s < 0 < t + s:
        f = iv.mpf([f.a, max(f.b, function(link, Fraction(0))[1].b)])
    factor = span(real(-t - s), real(-t + s)) if link == "probit" else 1 - 2 * F
    return F, f, f * factor


def derivatives(model, t, s, matrix, counts):
    """slope_j, and [L_ji, U_ji]."""
    q = len(t)
    if model == "linear":
        (_, (a, b)), (no, yes) = matrix, counts
        total = no * -a / (b - a) + yes * (1 - a) / (b - a)
        return [real(total - sum(counts) * t[0])], [[real(-sum(counts))]]
    given = [(row, n) for row, n in zip(matrix, counts, strict=True) if n]
    if model in ("logit", "multinomial"):
        return ratios(t, s, [*given, ([Fraction(1)] * (q + 1), -sum(n for _, n in given))])
    link = "probit" if model.endswith("probit") else "logit"
    links = ["logit", link, link] if model.startswith("covariate") else [link] * q
    point = [letters(name, v, Fraction(0)) for name, v in zip(links, t, strict=True)]
    wide = [letters(name, v, w) for name, v, w in zip(links, t, s, strict=True)]
    slope, bend = [iv.mpf(0)] * q, [[iv.mpf(0)] * q for _ in range(q)]
    for row, n in given:
        P, first, _ = chance(model, row, point)
        slope = [g + real(n) * d / P for g, d in zip(slope, first, strict=True)]
        P, first, second = chance(model, row, wide)
        for j in range(q):
            for i in range(q):
                bend[j][i] += real(n) * (second[j][i] / P - (first[j] / P) * (first[i] / P))
    return slope, bend


def chance(model, row, parts):
    q = len(parts)
    second = [[iv.mpf(0)] * q for _ in range(q)]
    if model.startswith("covariate"):
        (F, f, df), (G, g, dg), (H, h, dh) = parts
        b, d = real(row[1] - row[0]), real(row[3] - row[2])
        A, B = real(row[0]) + b * G, real(row[2]) + d * H
        ends = [(1 - iv.mpf(end)) * A + iv.mpf(end) * B for end in (F.a, F.b)]
        P = iv.mpf([min(v.a for v in ends), max(v.b for v in ends)])
        first = [f * (B - A), (1 - F) * b * g, F * d * h]
        second[0][0], second[1][1], second[2][2] = df * (B - A), (1 - F) * b * dg, F * d * dh
        second[0][1] = second[1][0] = -f * b * g
        second[0][2] = second[2][0] = f * d * h
    else:
        if model == "probit":
            steps, P = [row[1] - row[0]], real(row[0])
        else:
            steps, P = [row[j] - row[j + 1] for j in range(q)], real(row[-1])
        P = P + sum(real(step) * part[0] for step, part in zip(steps, parts, strict=True))
        first = [real(step) * part[1] for step, part in zip(steps, parts, strict=True)]
        for j in range(q):
            second[j][j] = real(steps[j]) * parts[j][2]
    want(P.a > 0, "a possible response")
    return P, first, second


def ratios(t, s, responses):
    q = len(t)
    at, low, high = ([Fraction(0), *(v + w * u for v, w in zip(t, s, strict=True))] for u in (0, -1, 1))
    slope, bend = [iv.mpf(0)] * q, [[iv.mpf(0)] * q for _ in range(q)]
    for row, n in responses:
        weight, seen = real(n), []
        for j in range(1, q + 1):
            if not row[j]:
                seen.append(iv.mpf(0))
                continue

            def odds(up, down, row=row, j=j):
                others = [i for i in range(q + 1) if i != j and row[i]]
                return sum((real(row[i] / row[j]) * iv.exp(real(up[i] - down[j])) for i in others), iv.mpf(0))

            slope[j - 1] += weight / (1 + odds(at, at))
            least, most = odds(low, high), odds(high, low)
            seen.append(span(1 / (1 + most), 1 / (1 + least)))
            if most.b == 0:
                continue
            ends = [1 / (2 + v + 1 / v) for v in (least, most)]
            top = max(v.b for v in ends)
            if least.a <= 1 <= most.b:
                top = real(Fraction(1, 4)).b
            bend[j - 1][j - 1] += weight * iv.mpf([min(v.a for v in ends), top])
        for j in range(q):
            for i in range(q):
                if i != j:
                    bend[j][i] -= weight * seen[j] * seen[i]
    return slope, bend
