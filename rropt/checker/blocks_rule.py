"""Designs for many equally frequent categories, given by formulas (FORMAT.md, rule 30).

A mechanism reports a block of a block design, or a vector of bits. Its value depends on three numbers: k, the
probability p that the report contains the true category, and the probability m that it contains a given other category.
The lower bound over all mechanisms comes from rows with entries 1 and gamma. Of the k + 1 inequalities, one for each
number of entries gamma, the two nearest to the minimum decide. With delta > 0 the mechanism may also report the truth
with probability delta; then information on contrasts is the mean of its two kinds of reports.
"""

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any, NamedTuple

from .brackets import uniform_level
from .difference_sets import MAX_MODULUS, constant_autocorrelation, read_base
from .documents import Budget, Rejected, bits_of, fields, of_kind
from .intervals import Arithmetic
from .polynomials import whole

MAX_CATEGORIES = 10**7
MAX_PRIME = 10**12
MAX_DIMENSION = 64
MAX_CLASSES = 64
_DIGITS = 60  # decimal digits of logarithms
_MOST_SIZES = 8  # of the sets to be tried near the maximum of the information


class Reports(NamedTuple):
    """The properties of a mechanism: p (``hit``), m (``miss``), the largest ratio of probabilities (``gamma``), the
    number of outputs, whether all sets have the same size, and the probability that the truth is reported instead
    (``revealed``).
    """

    hit: Fraction
    miss: Fraction
    gamma: Fraction
    outputs: int | None  # None: not counted
    is_balanced: bool
    revealed: Fraction = Fraction(0)


def check_blocks(problem: Any, claim: Any, witness: Any) -> str:
    """Check a claim of kind design-bracket over k equally frequent categories."""
    budget = Budget()
    region, objective, shares = fields(problem, ["region", "objective", "population"], "problem")
    (uniform,) = fields(shares, ["uniform"], "the population")
    k = whole(uniform, "the number of categories", MAX_CATEGORIES, 2)
    lower_text, upper_text, made = of_kind(claim, "design-bracket", ["lower", "upper", "mechanism"], "claim")
    _, gamma_text, delta_text = fields(witness, ["rule", "gamma", "delta"], "witness")
    level = uniform_level(region, gamma_text, delta_text, budget)
    if level.family != "all":
        raise Rejected("the rule of blocks needs family all")
    if level.sizes[0] != uniform:
        raise Rejected("the region has another number of inputs than the population")
    kind = objective.get("kind") if isinstance(objective, dict) else None
    ends = _VALUES.get(kind) if isinstance(kind, str) else None
    if ends is None:
        raise Rejected("the objective is none of those that the rule of blocks bounds")
    of_kind(objective, str(kind), [], "objective")
    if level.has_delta and kind == "mutual-information":
        raise Rejected("the information needs delta 0")
    reports = _read_revealed(made, k, level.delta.below, budget)
    if not 1 < reports.gamma <= level.gamma.below:
        raise Rejected("the mechanism is not private at gamma's bracket, or tells nothing")
    if level.sizes[1] != "any":
        most = whole(level.sizes[1], "outputs", 10**19, 2)
        if reports.outputs is None or reports.outputs > most:
            raise Rejected("the mechanism has more outputs than the region allows")
    if kind != "a-optimal" and not reports.is_balanced:
        raise Rejected("the sets have not all the same size: this objective is not worked out for them")
    lower, upper = budget.number(lower_text, "lower"), budget.number(upper_text, "upper")
    least, greatest = ends(k, reports, level.gamma.above, level.delta.above, budget)
    budget.spend(4, bits_of(lower) + bits_of(upper), bits_of(least) + bits_of(greatest))
    if kind in ("a-optimal", "e-optimal"):
        if upper < greatest:
            raise Rejected("upper is below the value of the mechanism")
        if lower > least:
            raise Rejected("lower is above the bound of all mechanisms")
    else:
        if lower > least:
            raise Rejected("lower is above the value of the mechanism")
        if upper < greatest:
            raise Rejected("upper is below the bound of all mechanisms")
    return level.tier


def _read_revealed(made: Any, k: int, delta: Fraction, budget: Budget) -> Reports:
    """Return the properties of a mechanism that may report the truth with a positive probability up to delta."""
    if not isinstance(made, dict) or "revealed-blocks" not in made:
        return read_reports(made, k, budget)
    (form,) = fields(made, ["revealed-blocks"], "the mechanism")
    blocks, text = fields(form, ["blocks", "revealed"], "the revealed blocks")
    revealed = budget.number(text, "the probability of the truth")
    if not 0 < revealed <= delta:
        raise Rejected("the probability of the truth is not positive, or above delta")
    found = read_reports({"blocks": blocks}, k, budget)
    outputs = None if found.outputs is None else found.outputs + k
    return found._replace(outputs=outputs, revealed=revealed)


def read_reports(made: Any, k: int, budget: Budget) -> Reports:
    """Return the properties of the mechanism of a claim."""
    form = next(iter(made)) if isinstance(made, dict) and len(made) == 1 else None
    if form == "bit-vectors":
        categories, p_text, m_text = fields(made[form], ["categories", "p", "m"], "the bit vectors")
        _require_all(categories, k)
        p, m = budget.number(p_text, "p"), budget.number(m_text, "m")
        budget.spend(8, bits_of(p), bits_of(m))
        if not 0 < m < p < 1:
            raise Rejected("the bits have not 0 < m < p < 1")
        return Reports(p, m, p * (1 - m) / ((1 - p) * m), None, False)
    if form != "blocks" or not isinstance(made[form], dict):
        raise Rejected("the mechanism is none of blocks and bit vectors")
    family = made[form].get("family")
    read = _FAMILIES.get(family) if isinstance(family, str) else None
    if read is None:
        raise Rejected("the family of blocks is unknown")
    names, design = read
    _, categories, gamma_text, *texts = fields(made[form], ["family", "categories", "gamma", *names], "the blocks")
    _require_all(categories, k)
    gamma = budget.number(gamma_text, "gamma of the mechanism")
    count, density, together, is_balanced = design(k, texts, budget)
    budget.spend(16, bits_of(gamma), bits_of(density) + bits_of(together))
    if density == together:
        raise Rejected("no block tells two categories apart")
    scale = 1 + (gamma - 1) * density
    if scale <= 0:
        raise Rejected("gamma of the mechanism is not positive")
    return Reports(gamma * density / scale, ((gamma - 1) * together + density) / scale, gamma, count, is_balanced)


def _require_all(text: Any, k: int) -> None:
    if whole(text, "the categories of the mechanism", MAX_CATEGORIES, 2) != k:
        raise Rejected("the mechanism has another number of categories than the population")


Design = tuple[int | None, Fraction, Fraction, bool]  # outputs, rho, eta, whether all blocks have the same size


def _direct(k: int, texts: list[Any], budget: Budget) -> Design:
    return k, Fraction(1, k), Fraction(0), True


def _subsets(k: int, texts: list[Any], budget: Budget) -> Design:
    d = whole(texts[0], "the size of the subsets", k - 1, 1)
    return None, Fraction(d, k), Fraction(d * (d - 1), k * (k - 1)), True


def _affine(k: int, texts: list[Any], budget: Budget) -> Design:
    q = _prime(texts[0], budget)
    size, t = whole(texts[1], "the size of T", q - 1, 1), whole(texts[2], "the dimension", MAX_DIMENSION, 1)
    points, planes = q**t, q ** (t - 1)
    _require_room(k, points)
    together = Fraction((planes - 1) * size + planes * size * (size - 1), q * (points - 1))
    return q * (points - 1), Fraction(size, q), together, k == points


def _classes(k: int, texts: list[Any], budget: Budget) -> Design:
    q = _prime(texts[0], budget)
    e = whole(texts[1], "the index e", MAX_CLASSES, 1)
    size = whole(texts[2], "the number of cosets", e) * ((q - 1) // e) + whole(texts[3], "zero", 1)
    if (q - 1) % e:
        raise Rejected("e does not divide q - 1")
    if not 0 < size < q:
        raise Rejected("T is empty, or the whole field")
    _require_room(k, q)
    return q * e, Fraction(size, q), Fraction(size * (size - 1), q * (q - 1)), k == q


def _projective(k: int, texts: list[Any], budget: Budget) -> Design:
    q = _prime(texts[0], budget)
    t = whole(texts[1], "the dimension", MAX_DIMENSION, 2)
    outside = whole(texts[2], "complement", 1)
    points, hyper, deep = ((q**n - 1) // (q - 1) for n in (t, t - 1, t - 2))
    _require_room(k, points)
    own, both = Fraction(hyper, points), Fraction(deep, points)
    return points, 1 - own if outside else own, 1 - 2 * own + both if outside else both, k == points


def _cyclic(k: int, texts: list[Any], budget: Budget) -> Design:
    v = whole(texts[0], "the modulus", MAX_MODULUS, 2)
    _require_room(k, v)
    inside = read_base(texts[1], v, budget)
    return v, Fraction(sum(inside), v), constant_autocorrelation(inside, k, budget) / v, k == v


_FAMILIES: dict[str, tuple[list[str], Callable[[int, list[Any], Budget], Design]]] = {
    "direct": ([], _direct),
    "subsets": (["size"], _subsets),
    "affine": (["q", "size", "dimension"], _affine),
    "affine-classes": (["q", "index", "cosets", "zero"], _classes),
    "projective": (["q", "dimension", "complement"], _projective),
    "cyclic": (["modulus", "base"], _cyclic),
}


def _prime(text: Any, budget: Budget) -> int:
    """Return the prime that a text denotes; reject any other number, by trial division."""
    q = whole(text, "q", MAX_PRIME, 2)
    budget.spend(1 + isqrt(q) // 32)
    if (q > 2 and not q % 2) or not all(q % divisor for divisor in range(3, isqrt(q) + 1, 2)):
        raise Rejected("q is not a prime")
    return q


def _require_room(k: int, points: int) -> None:
    if k > points:
        raise Rejected("there are more categories than points")


def _variance(k: int, reports: Reports, budget: Budget) -> Fraction:
    """Return n times the total variance of the membership estimator at equal proportions."""
    p, m = reports.hit, reports.miss
    budget.spend(16, 2 * bits_of(p), 2 * bits_of(m))
    return (k * m * (1 - m) + (p - m) * (1 - 2 * m)) / (p - m) ** 2 - Fraction(1, k)


def _bound(k: int, gamma: Fraction, budget: Budget) -> Fraction:
    """Return the minimum total variance over all mechanisms at equal proportions, for gamma > 1."""
    budget.spend(16, 2 * bits_of(gamma), 2 * bits_of(gamma))
    near = k * gamma.denominator // (gamma.numerator + gamma.denominator)
    sizes = [min(max(d, 1), k - 1) for d in (near, near + 1)]
    return min(Fraction((k - 1) ** 2) * (d * gamma + k - d) ** 2 / (k * (gamma - 1) ** 2 * d * (k - d)) for d in sizes)


def _total(k: int, reports: Reports, gamma: Fraction, delta: Fraction, budget: Budget) -> tuple[Fraction, Fraction]:
    """Return the least total variance of all mechanisms, and that of the mechanism."""
    ends = (_bound(k, gamma, budget), delta), (_variance(k, reports, budget), reports.revealed)
    least, own = (1 / ((1 - d) / total + d * Fraction(k, k - 1)) for total, d in ends)
    budget.spend(16, 2 * bits_of(least) + bits_of(delta), 2 * bits_of(own) + bits_of(reports.revealed))
    return least, own


def _eigenvalue(k: int, *given: Any) -> tuple[Fraction, Fraction]:
    least, own = _total(k, *given)
    return least / (k - 1), own / (k - 1)


def _determinant(
    k: int, reports: Reports, gamma: Fraction, delta: Fraction, budget: Budget
) -> tuple[Fraction, Fraction]:
    """Return ``ln k - (k - 1) ln v`` for the mechanism, rounded down, and for the bound over all mechanisms, rounded
    up.
    """
    arithmetic = Arithmetic(_DIGITS, budget)

    def value(v: Fraction) -> Any:
        spread = arithmetic.multiply(arithmetic.of(Fraction(k - 1)), arithmetic.log(arithmetic.of(v)))
        return arithmetic.add(arithmetic.log(arithmetic.of(Fraction(k))), arithmetic.negative(spread))

    low, high = _eigenvalue(k, reports, gamma, delta, budget)
    return Fraction(value(high)[0]), Fraction(value(low)[1])


def _information(k: int, reports: Reports, gamma: Fraction, _: Fraction, budget: Budget) -> tuple[Fraction, Fraction]:
    """Return the mutual information of the mechanism, rounded down, and the maximum over all mechanisms, rounded up.

    Here delta is 0.

    Consider sets of d of the k categories that contain the true one with probability p = d g/(d g + k - d). Their
    mutual information is ``p ln(p k/d) + (1 - p) ln((1 - p) k/(k - d))``.
    """
    arithmetic = Arithmetic(_DIGITS, budget)

    def told(d: Fraction, g: Fraction) -> Any:
        p = d * g / (d * g + k - d)
        first, second = (
            arithmetic.multiply(arithmetic.of(x), arithmetic.log(arithmetic.of(x * k / n)))
            for x, n in ((p, d), (1 - p, k - d))
        )
        return arithmetic.add(first, second)

    g = reports.gamma
    own = k * reports.hit / (g - reports.hit * (g - 1))  # the size d of the sets, from p = d g/(d g + k - d)
    logarithm = arithmetic.log(arithmetic.of(gamma))
    steep = arithmetic.multiply(arithmetic.of(gamma / (gamma - 1)), logarithm)
    middle = arithmetic.multiply(
        arithmetic.of(k / (gamma - 1)), arithmetic.add(steep, arithmetic.of(Fraction(-1)))
    )  # an interval around the d with the largest information
    first, last = (Fraction(end) for end in middle)
    sizes = range(min(max(first.__floor__(), 1), k - 1), min(max(last.__ceil__(), 1), k - 1) + 1)
    if len(sizes) > _MOST_SIZES:
        raise Rejected("the best size of the sets is not known: gamma is too near 1")
    return Fraction(told(own, g)[0]), max(Fraction(told(Fraction(d), gamma)[1]) for d in sizes)


_VALUES: dict[str, Callable[[int, Reports, Fraction, Fraction, Budget], tuple[Fraction, Fraction]]] = {
    "a-optimal": _total,
    "e-optimal": _eigenvalue,
    "d-optimal": _determinant,
    "mutual-information": _information,
}
