"""Rules 17, 20 and 21: likelihood gaps, split budgets, and the risk of a prevalence."""

from __future__ import annotations

from fractions import Fraction as F
from math import prod
from typing import Any

from .book import COUNT, INEQUALITY, MATRIX, ROUNDING, SPECIAL, UNIT, Suite, with_
from .designs import bracket

LIKELIHOOD, BITS = "likelihood_rule.md", "bits_rule.md"
Document = tuple[Any, Any, Any]


def likelihood(groups: list[tuple[Any, Any]], point: list[Any], gap: Any, bits: Any = None) -> Document:
    """Return the certificate of an estimate."""
    listed = [
        {"mechanism": made if isinstance(made, dict) else {"matrix": made}, "counts": counts} for made, counts in groups
    ]
    claim = {"kind": "estimate", "point": point, "gap": gap}
    return with_(({"kind": "likelihood", "groups": listed}, claim, {"rule": "likelihood", "bits": bits}))


def bit(p: F) -> list[list[F]]:
    """Return a bit."""
    return [[p, 1 - p], [1 - p, p]]


def add_to(s: Suite) -> None:
    """Add the files of the three pages."""
    _likelihoods(s)
    _bits(s)


def _likelihoods(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(LIKELIHOOD, sentence, needs)

    half, p = F(1, 2), bit(F(3, 4))
    base = likelihood([(p, [60, 40])], [F(7, 10), F(3, 10)], 0)
    stochastic = condition("Every matrix has nonnegative entries and columns that sum to 1.", (*INEQUALITY, *MATRIX))
    s.add(stochastic, "within", base, True)
    s.add(stochastic, "equality", likelihood([(bit(F(1)), [60, 40])], [F(3, 5), F(2, 5)], 0), True)
    s.add(stochastic, "beyond", likelihood([(bit(1 + UNIT), [60, 40])], [F(3, 5), F(2, 5)], 1), False)
    for sign in (1, -1):
        s.add(
            stochastic,
            "beyond",
            with_(base, ("0.groups.0.mechanism.matrix.0.0", F(3, 4) + sign * UNIT), ("1.gap", 1)),
            False,
        )
    for boundary, made, counts in (
        ("singular", bit(half), [60, 40]), ("equal columns", [["1", "1"]], [7]), ("singular on the contrasts", [["1/4", "1/4"], ["1/4", "1/4"], ["1/2", "1/2"]], [1, 0, 5]),
        ("empty category", [["0", "0"], *p], [0, 60, 40]),
    ):  # fmt: skip
        for point in ([half, half], [1, 0], [F(7, 10), F(3, 10)]):
            fine = boundary != "empty category" or point == [F(7, 10), F(3, 10)]
            s.add(stochastic, boundary, likelihood([(made, counts)], point, 0), fine)
            s.add(stochastic, boundary, likelihood([(made, counts)], point, -UNIT), False)
    seen = condition("`lambda_i = (C pi)_i > 0` for every output i with a positive count.", INEQUALITY)
    truth = bit(F(1))
    s.add(seen, "equality", likelihood([(truth, [60, 40])], [1, 0], 1000), False)
    s.add(seen, "equality", likelihood([(truth, [60, 0])], [1, 0], 0), True)
    s.add(seen, "within", likelihood([(truth, [60, 40])], [1 - UNIT, UNIT], 10**9), True)
    s.add(seen, "beyond", likelihood([(truth, [60, 40])], [1 + UNIT, -UNIT], 1000), False)
    s.add(seen, "beyond", likelihood([([["0", "0"], *p], [1, 60, 40])], [half, half], 10**9), False)
    total = condition(
        "n, the sum of all counts, is positive. `point` pi is nonnegative with sum 1.", (*INEQUALITY, *COUNT[:2])
    )
    s.add(total, "zero", likelihood([(p, [0, 0])], [half, half], 0), False)
    s.add(total, "zero", likelihood([], [half, half], 0), False)
    s.add(total, "one", likelihood([(p, [1, 0])], [1, 0], 0), True)
    s.add(total, "one", likelihood([(p, [-1, 2])], [0, 1], 100), False, "form")
    s.add(total, "equality", likelihood([(p, [0, 7])], [0, 1], 0), True)
    s.add(total, "within", base, True)
    for point in ([1 + UNIT, -UNIT], [half, half + UNIT], [half, half - UNIT]):
        s.add(total, "beyond", with_(base, ("1.point", point), ("1.gap", 1000)), False)
    counts = condition("`counts` holds a whole number >= 0 for each output.", INEQUALITY)
    s.add(counts, "equality", likelihood([(p, [0, 7])], [0, 1], 0), True)
    s.add(counts, "within", likelihood([(p, [1, 0])], [1, 0], 0), True)
    for wrong in (-1, F(1, 2)):
        s.add(counts, "beyond", likelihood([(p, [wrong, 2])], [0, 1], 100), False, "form")
    gap = condition("For every input x: `sum_i C_ix N_i/lambda_i <= n (1 + gap)`, summed over groups too.", INEQUALITY)
    s.add(gap, "equality", base, True)
    for g, boundary in ((UNIT, "within"), (-UNIT, "beyond"), (F(-1), "beyond"), (F(-2), "beyond")):
        s.add(gap, boundary, with_(base, ("1.gap", g)), boundary == "within")
    for q in (half, F(4, 5), F(1), F(0)):
        lam = q * F(3, 4) + (1 - q) * F(1, 4)
        n0, n1 = 60, 40
        slopes = [F(3, 4) * n0 / lam + F(1, 4) * n1 / (1 - lam), F(1, 4) * n0 / lam + F(3, 4) * n1 / (1 - lam)]
        need = max(slopes) / 100 - 1
        off = likelihood([(p, [n0, n1])], [q, 1 - q], need)
        s.add(gap, "equality", off, True)
        s.add(gap, "within", with_(off, ("1.gap", need + UNIT)), True)
        s.add(gap, "beyond", with_(off, ("1.gap", need - UNIT)), False)
        s.add(gap, "beyond", with_(off, ("1.gap", 0)), False)
    two = likelihood([(p, [30, 20]), (p, [30, 20])], [F(7, 10), F(3, 10)], 0)
    s.add(gap, "equality", two, True)
    rounding = condition("each `N_i/lambda_i` is first rounded up to a multiple of 2^-b; `null` is exact.", ROUNDING)
    count = condition("With `bits` = b (an integer from 0 to `MAX_QUOTIENT_BITS`)", COUNT)
    thirds = likelihood([(p, [50, 41])], [half, half], 0)
    lam = half
    for b in (0, 1, 10, 4096):
        up = [F(-((-n * 2**b) // lam), 2**b) for n in (50, 41)]
        need = max(F(3, 4) * up[0] + F(1, 4) * up[1], F(1, 4) * up[0] + F(3, 4) * up[1]) / 91 - 1
        s.add(rounding, "rounded up", with_(thirds, ("1.gap", need), ("2.bits", b)), True)
    skew = likelihood([(p, [2, 1])], [F(2, 3), F(1, 3)], 0)
    lam0 = F(2, 3) * F(3, 4) + F(1, 3) * F(1, 4)
    for b in (0, 1, 10, 64):
        up = [F(-((-n * 2**b) // x), 2**b) for n, x in ((F(2), lam0), (F(1), 1 - lam0))]
        down = [F((n * 2**b) // x, 2**b) for n, x in ((F(2), lam0), (F(1), 1 - lam0))]
        for pair, side in ((up, "rounded up"), (down, "rounded down")):
            need = max(F(3, 4) * pair[0] + F(1, 4) * pair[1], F(1, 4) * pair[0] + F(3, 4) * pair[1]) / 3 - 1
            s.add(rounding, side, with_(skew, ("1.gap", need), ("2.bits", b)), side == "rounded up")
    for b, boundary in ((0, "zero"), (1, "one"), (4096, "limit"), (4097, "beyond")):
        fine = boundary != "beyond"
        s.add(count, boundary, with_(skew, ("1.gap", 10), ("2.bits", b)), fine, "" if fine else "limit")
    s.add(count, "zero", with_(skew, ("1.gap", 10), ("2.bits", -1)), False, "form")
    products = condition("the Kronecker product of at most 64 matrices, one for each question, at least one:", COUNT)
    one = [["1"]]
    for n, boundary in ((0, "zero"), (1, "one"), (64, "limit"), (65, "beyond")):
        made = with_(base, ("0.groups.0.mechanism", {"product": [p, *[one] * (n - 1)] if n else []}))
        fine = boundary in ("one", "limit")
        s.add(products, boundary, made, fine, "" if fine else "form" if n == 0 else "limit", known=fine)


def bits(
    g: F, odds: list[F], weights: list[Any], shares: list[Any], level: Any = None, gammas: tuple[F, F] | None = None
) -> Document:
    """Return the certificate of ``marginals``."""
    gammas = gammas or (g, g)
    pairs = list(zip(odds, map(F, weights), strict=True))
    v = sum((F(w) * F(x) * (1 - F(x)) for w, x in zip(weights, shares, strict=True)), F(0))
    v += sum((w * x / (x - 1) ** 2 for x, w in pairs if w), F(0))
    slopes = [w * x * (x + 1) / (x - 1) ** 3 if w else F(0) for x, w in pairs]
    top = max(slopes)
    d = top * (gammas[1] / prod(odds, start=F(1)) - 1) + sum(
        (top - y) * (x - 1) for y, x in zip(slopes, odds, strict=True)
    )
    problem = {
        "kind": "bits",
        "epsilon": level or {"log": g},
        "objective": {"kind": "marginals", "weights": weights, "prevalences": shares},
    }
    claim = {
        "kind": "design-bracket",
        "lower": v - d,
        "upper": v,
        "mechanism": {"product": [bit(x / (x + 1)) for x in odds]},
    }
    return with_((problem, claim, {"rule": "bits", "gamma": bracket(*gammas)}))


def joint(g: F, odds: list[F], squares: Any) -> Document:
    """Return the certificate of the joint distribution."""
    c = prod(((x * x + 1) / (x - 1) ** 2 for x in odds), start=F(1))
    slopes = [2 * x * (x + 1) / ((x * x + 1) * (x - 1)) for x in odds]
    top = max(slopes)
    d = top * (g / prod(odds, start=F(1)) - 1) + sum((top - y) * (x - 1) for y, x in zip(slopes, odds, strict=True))
    problem = {
        "kind": "bits",
        "epsilon": {"log": g},
        "objective": {"kind": "joint", "questions": len(odds), "squares": squares},
    }
    v = c - F(squares)
    claim = {
        "kind": "design-bracket",
        "lower": v - c * d,
        "upper": v,
        "mechanism": {"product": [bit(x / (x + 1)) for x in odds]},
    }
    return with_((problem, claim, {"rule": "bits", "gamma": bracket(g)}))


def _bits(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(BITS, sentence, needs)

    page = bits(F(8), [F(2), F(4)], [10, 81], [0, F(1, 2)])
    lower = condition("`lower <= V - C D` and `V <= upper`.", INEQUALITY)
    budget = condition("`prod x <= gamma.below`, over all bits.", INEQUALITY)
    for made in (
        page,
        bits(F(3), [F(3)], [1], [F(1, 4)]),
        bits(F(4), [F(2), F(2)], [1, 1], [0, 1]),
        joint(F(4), [F(2), F(2)], F(1, 4)),
        joint(F(3), [F(3)], 1),
        bits(1 + UNIT, [1 + UNIT], [1], [0]),
        bits(F(3), [F(3), F(1)], [1, 0], [0, F(1, 2)]),
    ):
        s.add(lower, "equality", made, True)
        s.add(budget, "equality", made, True)
        for key, sign in (("lower", -1), ("upper", 1)):
            bound = F(made[1][key])
            s.add(lower, "within", with_(made, (f"1.{key}", bound + sign * UNIT)), True)
            s.add(lower, "within", with_(made, (f"1.{key}", sign * 10**20)), True)  # true, and says nothing
            s.add(lower, "beyond", with_(made, (f"1.{key}", bound - sign * UNIT)), False)
            if bound:
                s.add(lower, "beyond", with_(made, (f"1.{key}", -bound if key == "upper" else 2 * bound + 1)), False)
    for x, boundary in ((3 - UNIT, "within"), (3 + UNIT, "beyond")):
        made = bits(F(3), [x], [1], [F(1, 4)])
        s.add(budget, boundary, made, boundary == "within")
    shape = condition(
        "Every matrix of `mechanism` is `[[p, 1-p], [1-p, p]]`, `1/2 <= p < 1`; x = p/(1-p), and x > 1 except where the weight is 0.",
        (*INEQUALITY, *MATRIX),
    )
    base = bits(F(3), [F(3), F(1)], [1, 0], [0, F(1, 2)])
    for boundary in ("equality", "singular", "empty category"):  # a question of weight 0 is answered by a fair coin
        s.add(shape, boundary, base, True)
    s.add(shape, "within", bits(F(3), [3 / (1 + UNIT), 1 + UNIT], [1, 0], [0, F(1, 2)]), True)
    for p in (F(1, 2) - UNIT, F(1), F(0), 1 + UNIT):
        s.add(shape, "beyond", with_(base, ("1.mechanism.product.1", bit(p))), False)
    for p in (F(1, 2), F(1, 2) - UNIT, F(1), F(1, 4)):
        for upper in (base[1]["upper"], "0", "-1"):
            for boundary in ("singular", "equal columns", "singular on the contrasts") if p == F(1, 2) else ("beyond",):
                s.add(shape, boundary, with_(base, ("1.mechanism.product.0", bit(p)), ("1.upper", upper)), False)
    for wrong in ([["3/4", "1/4"], ["1/4", 1 - UNIT]], [["3/4", "1/2"], ["1/4", "1/2"]], [["3/4", "1/4"]]):
        s.add(shape, "beyond", with_(base, ("1.mechanism.product.0", wrong)), False)
    weights = condition(
        "| `marginals` | `weights` (n numbers >= 0, not all 0), `prevalences` (n numbers in [0, 1]) |", INEQUALITY
    )
    s.add(weights, "equality", base, True)
    s.add(weights, "equality", with_(base, ("0.objective.weights", [0, 0])), False, "form")
    s.add(weights, "within", bits(F(3), [F(3), F(1)], [UNIT, 0], [0, F(1, 2)]), True)
    s.add(weights, "beyond", with_(base, ("0.objective.weights.1", -UNIT)), False, "form")
    for x, boundary in (
        (F(0), "equality"),
        (F(1), "equality"),
        (UNIT, "within"),
        (-UNIT, "beyond"),
        (1 + UNIT, "beyond"),
    ):
        s.add(
            weights,
            boundary,
            bits(F(3), [F(3), F(1)], [1, 0], [x, F(1, 2)]),
            boundary != "beyond",
            "" if boundary != "beyond" else "form",
        )
    squares = condition("| `joint` | `questions` (n), `squares` (from 2^-n to 1) |", INEQUALITY)
    for x, boundary in (
        (F(1, 4), "equality"),
        (F(1), "equality"),
        (F(1, 4) + UNIT, "within"),
        (F(1, 4) - UNIT, "beyond"),
        (1 + UNIT, "beyond"),
        (F(0), "beyond"),
    ):
        s.add(
            squares,
            boundary,
            joint(F(4), [F(2), F(2)], x),
            boundary != "beyond",
            "" if boundary != "beyond" else "form",
        )
    number = condition("The mechanism of the claim is a product of n <= 1024 bits with p00 = p11.", COUNT)
    s.add(
        number,
        "zero",
        with_(base, ("0.objective.weights", []), ("0.objective.prevalences", []), ("1.mechanism.product", [])),
        False,
        "form",
    )
    s.add(number, "one", bits(F(3), [F(3)], [1], [F(1, 4)]), True)
    for n, boundary in ((1024, "limit"), (1025, "beyond")):
        made = bits(F(3), [F(3), *[F(1)] * (n - 1)], [1, *[0] * (n - 1)], [0] * n)
        s.add(number, boundary, made, boundary == "limit", "" if boundary == "limit" else "limit")
    odds = condition("with x_l the parity of device l, `prod x_l <= gamma`.", SPECIAL)
    one = with_(
        base, ("0.epsilon", {"rational": "0"}), ("2.gamma", bracket(F(1))), ("1.mechanism.product", [bit(F(1, 2))] * 2)
    )
    for upper in ("0", "1", "-1", "1000000"):
        s.add(odds, "special value", with_(one, ("1.upper", upper)), False)
    fine = bits(F(0), [F(7, 5)], [1], [0], {"log": "2", "times": "1/2"}, (F(7, 5), F(17, 12)))
    s.add(budget, "within", fine, True)
    s.add(budget, "beyond", with_(fine, ("1.mechanism.product", [bit(F(17, 29))])), False)
