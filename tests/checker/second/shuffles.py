"""Rule 28, from its page: the laws of the number of reports 1, with rationals throughout."""

from fractions import Fraction

from .reading import array, gamma_bracket, integer, keys, level, number, want

MOST = 400  # respondents that this checker writes out


def shuffled(problem, claim, witness):
    _, respondents, local, epsilon = keys(problem, ["kind", "respondents", "local", "epsilon"])
    _, lower, upper = keys(claim, ["kind", "lower", "upper"])
    _, own, gamma, data, sizes, bits = keys(witness, ["rule", "local", "gamma", "data_set", "blocks", "bits"])
    n, (g_low, g_high), (low, high) = (
        integer(respondents),
        gamma_bracket(own, level(local)),
        gamma_bracket(gamma, level(epsilon)),
    )
    j, s = map(integer, keys(data, ["zeros", "cut"]))
    blocks = [integer(size) for size in array(sizes)]
    want(1 <= n <= 10**7 and 0 <= j < n and 0 <= s <= n and 1 <= integer(bits) <= 4096, "a number out of its range")
    want(all(size >= 1 for size in blocks) and sum(blocks) == n and len(blocks) <= 4096, "the blocks")
    p, q = laws(j, n - 1 - j, g_low)
    proved = sum(p[s:], Fraction(0)) - high * sum(q[s:], Fraction(0))
    want(number(lower) <= max(proved, 0), "lower")
    z = 0
    for m in blocks:
        p, q = laws(z, n - z - m, g_high)
        want(number(upper) >= sum(max(x - low * y, Fraction(0)) for x, y in zip(p, q, strict=True)), "upper")
        z += m


def laws(z, o, g):
    """P and Q: the laws with one more respondent who holds 1, and who holds 0."""
    if g == 1:  # P = Q
        return [Fraction(1)], [Fraction(1)]
    want(z + o <= MOST, "too many respondents for this checker")
    law = [Fraction(1)]
    for yes in [1 / (1 + g)] * z + [g / (1 + g)] * o:
        law = more(law, yes)
    return more(law, g / (1 + g)), more(law, 1 / (1 + g))


def more(law, yes):
    return [a * (1 - yes) + b * yes for a, b in zip([*law, 0], [0, *law], strict=True)]
