"""Conditions on the bounds of every claim, applied to every verdict, whatever its proof (FORMAT.md, D).

The statements prove bounds. This module then asks whether such a claim can be true at all, and shares no code with
their proofs. The bounds contradict each other if lower exceeds upper. The *reach* of a value is the range that it
has over all mechanisms, private or not. An upper bound below the reach, or a lower bound above it, cannot be true. A
bound that every mechanism meets is true but uninformative: it is accepted, and ``remarks`` reports it.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from .documents import Rejected, WorkBudget, bits_of, integer
from .intervals import Arithmetic
from .matrices import over_one_denominator
from .rays_sums import read_sum

_DIGITS = 30  # of logarithms: an endpoint of the reach moves outwards by less than 10^-25


class Reach(NamedTuple):
    """Bounds on the value of any mechanism, private or not; None means unbounded."""

    least: Fraction | None = None
    greatest: Fraction | None = None


class _Bounds(NamedTuple):
    """The two bounds of a claim, and the reach of the quantity that they bound."""

    lower: Fraction
    upper: Fraction
    reach: Reach


_ZERO, _ONE = Fraction(0), Fraction(1)
_NONNEGATIVE = Reach(_ZERO)


def _number(text: str) -> Fraction:
    """Return the number of a canonical text that its statement has already validated."""
    above, _, below = text.lstrip("-").partition("/")
    value = Fraction(integer(above), integer(below) if below else 1)
    return -value if text.startswith("-") else value


def require_possible(statement: str, problem: Any, claim: Any, proof: Any) -> None:
    """Reject bounds, of the claim or of a criterion inside its proof, a gap or a parity that cannot be true."""
    if _number(claim.get("gap", "0")) < 0:
        raise Rejected("the gap is negative, but no population is more likely than the most likely one")
    if claim.get("parity", "infinite") != "infinite" and _number(claim["parity"]) < 1:
        raise Rejected("the parity is below 1, but the largest entry of a row is not below the least one")
    for bounds, where in _brackets(statement, problem, claim, proof):
        _require(bounds, where)


def _require(bounds: _Bounds | None, where: str) -> None:
    if bounds is None:
        return
    lower, upper, (least, greatest) = bounds
    if lower > upper:
        raise Rejected(f"the bounds{where} contradict each other: lower is above upper")
    if least is not None and upper < least:
        raise Rejected(f"upper{where} is below the least value that any mechanism can have")
    if greatest is not None and lower > greatest:
        raise Rejected(f"lower{where} is above the largest value that any mechanism can have")


def remarks(document: Any) -> Iterator[str]:
    """Yield a sentence for each bound of an accepted certificate that is true but uninformative."""
    problem, claim = document["problem"], document["claim"]
    if document["statement"] == "parity-bound" and claim["lower"] == "infinite":
        yield "The upper bound is infinite and says nothing; the lower one says that B is infinite."
    for bounds, where in _brackets(document["statement"], problem, claim, document["proof"]):
        yield from _says_nothing(bounds, where)


def _says_nothing(bounds: _Bounds | None, where: str) -> Iterator[str]:
    if bounds is None or bounds.lower == bounds.upper:
        return
    if bounds.reach.least is not None and bounds.lower <= bounds.reach.least:
        yield f"The lower bound{where} says nothing: every mechanism meets it, private or not."
    if bounds.reach.greatest is not None and bounds.upper >= bounds.reach.greatest:
        yield f"The upper bound{where} says nothing: every mechanism meets it, private or not."


def _brackets(statement: str, problem: Any, claim: Any, proof: Any) -> Iterator[tuple[_Bounds | None, str]]:
    """Yield the bounds of the claim, if it has any, and those of the criteria of its levels."""
    if "lower" in claim and not claim["lower"] == claim["upper"] == "infinite":
        yield _Bounds(_number(claim["lower"]), _number(claim["upper"]), _OF_STATEMENTS[statement](problem)), ""
    if statement in ("design-bracket", "binary-bracket", "infeasible"):
        for bracket in proof.get("brackets", ()):
            yield from _of_infimum(bracket.get("gamma"))


def _of_binary(problem: Any) -> Reach:
    """Return the reach of the regret, or of n Var: at least pi (1 - pi), at the worse end of the interval.

    This is n Var of the sample proportion of the true values.
    """
    if problem["goal"] == "regret":
        return _NONNEGATIVE
    return Reach(max(share * (1 - share) for share in (_number(problem["from"]), _number(problem["to"]))))


def _of_design(problem: Any) -> Reach:
    """Return the reach of a design bracket: of one distribution, equal shares, a mixture, or a polytope."""
    objective, population = problem["objective"], problem["population"]
    if isinstance(population, dict) and "mixture" in population:
        return _of_mixture(population["mixture"], problem, WorkBudget())
    if not isinstance(population, dict):
        return _OF_OBJECTIVES[objective["kind"]](objective, problem, WorkBudget())
    return _at_equal_shares(int(population["uniform"]), objective["kind"]) if "uniform" in population else _NONNEGATIVE


_OF_STATEMENTS: dict[str, Callable[[Any], Reach]] = {
    "design-bracket": _of_design,
    "binary-bracket": _of_binary,
    "optimal-value": lambda _: Reach(),
    "composition": lambda _: Reach(_ZERO, _ONE),
    "shuffled": lambda _: Reach(_ZERO, _ONE),
    "mechanism-levels": lambda _: Reach(_ZERO, _ONE),
    "divergence-level": lambda _: _NONNEGATIVE,
    "parity-bound": lambda _: _NONNEGATIVE,
    "budget-split": lambda p: _OF_OBJECTIVES[p["objective"]["kind"]](p["objective"], p, WorkBudget()),
}


def _of_infimum(gamma: Any) -> Iterator[tuple[_Bounds, str]]:
    """Yield the bounds of B inside the bracket of a criterion; nothing for other brackets."""
    if isinstance(gamma, dict) and "infimum" in gamma:
        lower, upper = (_number(gamma["infimum"]["claim"][end]) for end in ("lower", "upper"))
        yield _Bounds(lower, upper, _NONNEGATIVE), " of B"


def _shares(problem: Any, name: str = "population") -> list[Fraction]:
    """Return the proportions of a distribution."""
    return list(map(_number, problem[name]))


def _at_equal_shares(k: int, kind: str) -> Reach:
    """Return the reach for k categories with the proportions 1/k."""
    if kind in ("a-optimal", "e-optimal"):
        return Reach((_ONE - Fraction(1, k)) / (1 if kind == "a-optimal" else k - 1))
    arithmetic = Arithmetic(_DIGITS, WorkBudget())
    entropy = arithmetic.log(arithmetic.of(Fraction(k)))[1]
    return Reach(_ZERO, Fraction(entropy)) if kind == "mutual-information" else Reach(None, k * Fraction(entropy))


def _of_variance(_: Any, problem: Any, budget: WorkBudget) -> Reach:
    """Return the reach of n Var: at least that of the sample proportion of the true values."""
    return _of_contrast({"contrast": ["0", "1"]}, problem, budget)


def _missing(pi: list[Fraction], budget: WorkBudget) -> Fraction:
    """Return 1 - pi . pi."""
    together = over_one_denominator(pi, budget)
    budget.spend_in_bulk(len(pi), together.bits, together.bits)
    return 1 - Fraction(sum(x * x for x in together.numerators), together.denominator**2)


def _of_trace_of_covariance(_: Any, problem: Any, budget: WorkBudget) -> Reach:
    return Reach(_missing(_shares(problem), budget))


def _of_eigenvalue(_: Any, problem: Any, budget: WorkBudget) -> Reach:
    pi = _shares(problem)
    return Reach(_missing(pi, budget) / (len(pi) - 1))


def _of_contrast(objective: Any, problem: Any, budget: WorkBudget) -> Reach:
    pi, c = _shares(problem), list(map(_number, objective["contrast"]))
    weights, values = over_one_denominator(pi, budget), over_one_denominator(c, budget)
    budget.spend_in_bulk(3 * len(c), weights.bits + values.bits, values.bits)
    once, twice = (
        sum(p * x**power for p, x in zip(weights.numerators, values.numerators, strict=True)) for power in (1, 2)
    )
    scale = weights.denominator * values.denominator
    return Reach(Fraction(twice * weights.denominator - once**2, scale**2))


def _of_determinant(_: Any, problem: Any, budget: WorkBudget) -> Reach:
    """Return the reach of ln det M: the determinant is largest when the truth is reported, 1/prod pi_j."""
    product = _ONE
    for share in _shares(problem):
        product *= share
    arithmetic = Arithmetic(_DIGITS, budget)
    return Reach(None, Fraction(arithmetic.log(arithmetic.of(1 / product))[1])) if product else Reach()


def _of_information(_: Any, problem: Any, budget: WorkBudget) -> Reach:
    """Return the reach of the information: at most the entropy - sum pi_j ln pi_j, which the truth attains."""
    arithmetic = Arithmetic(_DIGITS, budget)
    entropy = arithmetic.zero
    for share in filter(None, _shares(problem)):
        term = arithmetic.multiply(arithmetic.of(share), arithmetic.log(arithmetic.of(1 / share)))
        entropy = arithmetic.add(entropy, term)
    return Reach(_ZERO, Fraction(entropy[1]))


def _of_total_variation(objective: Any, problem: Any, budget: WorkBudget) -> Reach:
    pi, q = (over_one_denominator(_shares(part, name), budget) for part, name in _two(objective, problem))
    budget.spend_in_bulk(2 * len(pi.numerators), pi.bits, q.bits)
    pairs = zip(pi.numerators, q.numerators, strict=True)
    apart = sum(abs(x * q.denominator - y * pi.denominator) for x, y in pairs)
    return Reach(_ZERO, Fraction(apart, 2 * pi.denominator * q.denominator))


def _of_chi_square(objective: Any, problem: Any, budget: WorkBudget) -> Reach:
    pi, q = (_shares(part, name) for part, name in _two(objective, problem))
    pairs = [(x, y) for x, y in zip(pi, q, strict=True) if x]
    if not all(y for _, y in pairs):
        return _NONNEGATIVE
    return Reach(_ZERO, _sum((x * x / y for x, y in pairs), budget) - 1)


def _of_payoff(objective: Any, problem: Any, budget: WorkBudget) -> Reach:
    """Return the reach of the payoff: from the best decision without a response to the best decision for each truth."""
    pi, rows = _shares(problem), [list(map(_number, row)) for row in objective["matrix"]]
    known = (p * max(row[j] for row in rows) for j, p in enumerate(pi))
    blind = (_sum((p * u for p, u in zip(pi, row, strict=True)), budget) for row in rows)
    return Reach(max(blind), _sum(known, budget))


def _of_divergence(objective: Any, problem: Any, budget: WorkBudget) -> Reach:
    """Return the reach of a divergence: reporting the truth separates two distributions best."""
    phi = read_sum(objective, _shares(problem), budget, Arithmetic(_DIGITS, budget))
    if phi is None:
        return _NONNEGATIVE
    k = len(objective["against"])
    try:
        ends = [phi([int(i == j) for i in range(k)])[1] for j in range(k)]
    except Rejected:  # infinite
        return _NONNEGATIVE
    return Reach(_ZERO, _sum(ends, budget))


def _of_contrasts(objective: Any, problem: Any, budget: WorkBudget) -> Reach:
    each = [_of_contrast({"contrast": row}, problem, budget).least or _ZERO for row in objective["contrasts"]]
    return Reach(_sum(each, budget))


def _of_mixture(parts: Any, problem: Any, budget: WorkBudget) -> Reach:
    objective = problem["objective"]
    reach_of = _OF_OBJECTIVES[objective["kind"]]
    reaches = [
        (_number(part["weight"]), reach_of(objective, {**problem, "population": part["shares"]}, budget))
        for part in parts
    ]
    ends = []
    for end in ("least", "greatest"):
        values = [(weight, getattr(reach, end)) for weight, reach in reaches]
        known = all(value is not None for _, value in values)
        ends.append(_sum((weight * value for weight, value in values), budget) if known else None)
    return Reach(*ends)


def _sum(terms: Iterable[Fraction], budget: WorkBudget) -> Fraction:
    result = _ZERO
    for term in terms:
        budget.spend(2, bits_of(result), bits_of(term))
        result += term
    return result


def _two(objective: Any, problem: Any) -> list[tuple[Any, str]]:
    return [(problem, "population"), (objective, "against")]


def _of_trace(objective: Any, _: Any, budget: WorkBudget) -> Reach:
    """Return the reach of a weighted trace: each of the k probabilities is in [0, 1]."""
    listed = objective["weights"]
    texts = [w for _, w in listed["runs"]] if isinstance(listed, dict) else listed
    k = sum(int(n) for n, _ in listed["runs"]) if isinstance(listed, dict) else len(texts)
    weights = [_ZERO, *map(_number, set(texts))]
    return Reach(k * min(weights), k * max(weights))


def _entries(objective: Any) -> list[Fraction]:
    """Return the distinct entries of the objective's matrix."""
    return [_number(text) for text in {text for row in objective["matrix"] for text in row}]


def _of_loss(objective: Any, _: Any, budget: WorkBudget) -> Reach:
    """Return the reach of an expected loss, a mean of losses."""
    losses = [_ZERO, _ONE] if objective["matrix"] == "zero-one" else _entries(objective)
    return Reach(min(losses), max(losses))


def _of_distance(objective: Any, _: Any, budget: WorkBudget) -> Reach:
    """Return the reach of a distance: for an entry in [0, 1] the largest distance from q is at 0 or 1."""
    furthest = max(max(abs(q), abs(1 - q)) for q in _entries(objective))
    rows = objective["matrix"]
    return Reach(_ZERO, furthest * (len(rows) * len(rows[0]) if objective["norm"] == "total" else 1))


def _of_marginals(objective: Any, _: Any, budget: WorkBudget) -> Reach:
    pairs = zip(map(_number, objective["weights"]), map(_number, objective["prevalences"]), strict=True)
    return Reach(_sum((w * pi * (1 - pi) for w, pi in pairs), budget))


def _of_joint(objective: Any, _: Any, budget: WorkBudget) -> Reach:
    return Reach(1 - _number(objective["squares"]))


_OF_OBJECTIVES: dict[str, Callable[[Any, Any, WorkBudget], Reach]] = {
    "variance": _of_variance,
    "a-optimal": _of_trace_of_covariance,
    "c-optimal": _of_contrast,
    "conditional-variance": lambda *_: _NONNEGATIVE,
    "d-optimal": _of_determinant,
    "e-optimal": _of_eigenvalue,
    "mutual-information": _of_information,
    "total-variation": _of_total_variation,
    "chi-square": _of_chi_square,
    "payoff": _of_payoff,
    "kullback-leibler": _of_divergence,
    "hellinger": _of_divergence,
    "jensen-shannon": _of_divergence,
    "alpha-divergence": _of_divergence,
    "contrasts": _of_contrasts,
    "trace": _of_trace,
    "loss": _of_loss,
    "distance": _of_distance,
    "rational-sum": lambda *_: Reach(),
    "marginals": _of_marginals,
    "joint": _of_joint,
}
