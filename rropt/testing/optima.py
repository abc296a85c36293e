"""Problems with known optima, each with its source: published, a closed form with its reason, or counted by hand.

The formulas below are written from the sources and from definitions. They use nothing of the engine, so that they are
an oracle for it. ``known_optima()`` returns the rows; a new one is a line in a function of this file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any

from rropt.core.exact.rational_bounds import ball, normal_cdf
from rropt.designs import every_level_of
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.objectives import (
    AlphaDivergence,
    AOptimality,
    BayesMixture,
    ChiSquare,
    ConditionalVariance,
    Contrast,
    Contrasts,
    DOptimality,
    EOptimality,
    EstimatorVariance,
    Hellinger,
    JensenShannon,
    KullbackLeibler,
    Loss,
    MutualInformation,
    Objective,
    Payoff,
    RationalSum,
    TotalVariation,
    Trace,
)
from rropt.objectives.possible_populations import Populations
from rropt.privacy import (
    BoundedRegion,
    CriterionRegion,
    EveryMechanism,
    GaussianRegion,
    LevelsRegion,
    PrivacyRegion,
    RenyiRegion,
    ZcdpRegion,
    linear,
    maximal_leakage,
    pointwise_leakage,
    rho_to_rho,
    span,
)
from rropt.testing.contract import Bounds, ContractRow, DesignRow, ResultRow, bounds_of, enclosed

F = Fraction
Shares = Sequence[Fraction]
Number = Any  # a fraction, or a ball of python-flint

BOTH, SYMPY, CVXPY = ("SymPy", "CVXPY"), ("SymPy",), ("CVXPY",)
_EXACT, _NARROW = F(0), F(1, 10**12)

HOLOHAN = "Holohan, Leith and Mason (2016)"
KAIROUZ = "Kairouz, Oh and Viswanath (2016)"
YE = "Ye and Barg (2018): subset selection"
RESPONSE = "two inputs: randomized response is sufficient for every private mechanism (Blackwell)"
FOUR = f"{KAIROUZ}, Theorem 19: four outputs are sufficient for every private mechanism of two inputs"


# Formulas


def binary_variance_by_theorem(gamma: Number, delta: Number, pi: Number) -> list[Number]:
    """Return n Var of the three candidate designs of Theorem 3 of Holohan, Leith and Mason (2016)."""
    diagonal = (gamma + delta) / (gamma + 1)
    values = []
    for p00, p11 in ((diagonal, diagonal), (1, delta), (delta, 1)):
        if p00 + p11 > 1:
            yes = (1 - pi) * (1 - p00) + pi * p11
            values.append(yes * (1 - yes) / (p00 + p11 - 1) ** 2)
    return values


def four_outputs(gamma: Number, delta: Number) -> list[tuple[Number, Number]]:
    """Return the rows of the mechanism of two inputs from which every private one follows."""
    c = (1 - delta) / (1 + gamma)
    rows = [(c * gamma, c), (c, c * gamma)]
    return [*rows, (delta, delta * 0), (delta * 0, delta)] if delta else rows


def over_rows(term: Callable[[Number, Number], Number], pi: Shares, q: Shares, rows: Sequence[Any]) -> Number:
    """Return the sum over the rows of a function of the probabilities of an output under pi and under q."""
    pairs = [[sum(x * ball(p) for x, p in zip(row, each, strict=True)) for each in (pi, q)] for row in rows]
    return sum((term(a, b) for a, b in pairs), ball(F(0)))


def subset_selection(k: int, gamma: Number, best: Callable[[list[Number]], Number] = min) -> Number:
    """Return the variance of each contrast of norm 1 under the best subset selection at k equal proportions."""
    sizes = range(1, k)
    return best([(k - 1) * (d * gamma + k - d) ** 2 / (k * d * (k - d) * (gamma - 1) ** 2) for d in sizes])


def subset_information(k: int, gamma: Number) -> list[Number]:
    """Return the mutual information of subset selection for each subset size, at k equal proportions."""
    found = []
    for d in range(1, k):
        total = d * gamma + k - d
        found.append((d * gamma * (gamma * k / total).log() + (k - d) * (k / total).log()) / total)
    return found


def largest_of(balls: list[Number]) -> Number:
    """Return the largest of several balls."""
    found = balls[0]
    for each in balls[1:]:
        found = found.max(each)
    return found


def smallest_of(balls: list[Number]) -> Number:
    """Return the smallest of several balls."""
    return -largest_of([-each for each in balls])


def largest_weighted_trace(weights: Shares, gamma: Fraction) -> Fraction:
    """Return ``max_m gamma W_m/(gamma + m - 1)``, W_m the sum of the m largest weights.

    With t_i the smallest entry of row i and T their sum, ``p_ii <= min(gamma t_i, 1 - T + t_i)``, so that the trace is
    at most the optimum of a linear program in t, whose vertices have equal t_i on m inputs and 0 elsewhere.
    """
    ordered = sorted(weights, reverse=True)
    return max(gamma * sum(ordered[:m]) / (gamma + m - 1) for m in range(1, len(ordered) + 1))


def tv(pi: Shares, q: Shares) -> Fraction:
    """Return the total variation distance of two distributions."""
    return sum((abs(a - b) for a, b in zip(pi, q, strict=True)), F(0)) / 2


def shares(*parts: int) -> list[Fraction]:
    """Return proportions in the given ratio."""
    return [F(part, sum(parts)) for part in parts]


def one_level(epsilon: object, delta: object = 0, *, k: int = 3, m: Any = "any") -> PrivacyRegion:
    """Return a region with one level."""
    return PrivacyRegion(epsilon, delta, inputs=k, outputs=m)


# Rows


def _binary() -> Iterator[ContractRow]:
    """n Var of one yes-or-no question."""
    examples: list[tuple[str, str, str, str, Fraction, list[tuple[object, object]]]] = [
        ("Example 1.2", "1", "2/5", "1/10", F(6, 25), [(1, "2/5")]),
        (
            "Example 1.3",
            "1/2",
            "1/3",
            "9/10",
            F(29, 100),
            [("1/3", 1)],
        ),  # the paper prints 0.143, the value of another design
        ("Example 1.4, a tie", "log(2)", "1/4", "1/4", F(15, 16), [("3/4", "3/4"), (1, "1/4")]),
        ("Theorem 2, the die of Nigeria", "log(5)", "0", "1/3", F(77, 144), [("5/6", "5/6")]),
        ("both corners at one half", "log(11/10)", "1/3", "1/2", F(5, 4), [("1/3", 1), (1, "1/3")]),
    ]
    for name, epsilon, delta, pi, published, designs in examples:
        yield DesignRow(
            f"binary: {name}",
            Problem.binary(pi, epsilon=epsilon, delta=delta),
            published,
            HOLOHAN,
            [Mechanism.binary(p00, p11) for p00, p11 in designs],
            gap=_EXACT,
            twins=BOTH,
        )
    levels: list[tuple[str, str, str]] = [
        ("1/2", "1/10", "1/4"),
        ("1/2*log(3)", "0", "1/3"),
        ("1", "exp(-5)", "1/50"),
        ("1/10", "exp(-1)", "1/2"),
        ("100", "1/1000", "2/3"),
        ("1e-30", "0", "1/3"),
    ]
    for epsilon, delta, pi in levels:
        yield DesignRow(
            f"binary: epsilon = {epsilon}, delta = {delta}, pi = {pi}",
            Problem.binary(pi, epsilon=epsilon, delta=delta),
            partial(enclosed, partial(_by_theorem_3, delta, pi), epsilon),
            f"{HOLOHAN}, Theorem 3: the smallest of three candidates",
            gap=_NARROW,
            twins=SYMPY,
        )
    for pi in ("1/10", "1/2"):
        yield DesignRow(
            f"binary: Warner's family, pi = {pi}",
            Problem.binary(pi, epsilon="log(3)", delta="1/5", symmetric=True),
            binary_variance_by_theorem(F(3), F(1, 5), F(pi))[0],
            "one parameter p00 = p11, as large as the level allows",
            gap=_EXACT,
            twins=SYMPY,
        )
    yield DesignRow(
        "binary: prevalence 0",
        Problem.binary(0, epsilon="log(2)", delta="1/4"),
        0,
        "p00 = 1 has variance 0 at prevalence 0",
        gap=_EXACT,
    )
    yield DesignRow(
        "binary: rho_1 = 1/5 to rho_2 = 1/2",
        Problem(CriterionRegion(rho_to_rho("1/5", "1/2"), outputs=2), EstimatorVariance(), ["3/4", "1/4"]),
        min(binary_variance_by_theorem(F(4), F(0), F(1, 4))),
        "the level of the criterion is gamma = (1/2)/(1/2) * (4/5)/(1/5) = 4",
        gap=_EXACT,
    )


def _binary_of_more_outputs() -> Iterator[ContractRow]:
    """n Var of one yes-or-no question, with three outputs or any number of them."""
    levels = [("log(2)", "1/4", "1/4"), ("log(3)", "1/5", "1/3"), ("1", "1/100", "1/10"), ("1e-3", "0", "1/2")]
    levels += [("0", "1/5", "1/3"), ("1/2", "exp(-3)", "1/10000"), ("log(3)", "1", "1/7"), ("40", "exp(-30)", "2/3")]
    for epsilon, delta, pi in levels:
        yield DesignRow(
            f"binary, any output: epsilon = {epsilon}, delta = {delta}, pi = {pi}",
            Problem.binary(pi, epsilon=epsilon, delta=delta, outputs="any"),
            partial(enclosed, partial(_by_information, delta, F(pi)), epsilon),
            FOUR,
            gap=F(1, 10**10),
            twins=SYMPY if epsilon == "40" else BOTH,  # beyond floats
        )
    yield DesignRow(
        "binary, three outputs",
        Problem.binary("1/4", epsilon="log(2)", delta="1/4", outputs=3),
        F(5, 8),
        "of the three ways to merge two of the four outputs, counted by hand",
        gap=_EXACT,
    )
    yield DesignRow(
        "binary: A-optimality is twice n Var",
        Problem(one_level("log(2)", "1/4", k=2), AOptimality(), shares(3, 1)),
        2 * F(105, 176),
        FOUR,
        gap=_EXACT,
        twins=CVXPY,
    )


def _by_theorem_3(delta: str, pi: str, gamma: Number) -> Number:
    return smallest_of(binary_variance_by_theorem(gamma, _slack(delta), ball(F(pi))))


def _slack(delta: str | Fraction) -> Number:
    is_power = isinstance(delta, str) and delta.startswith("exp")
    return ball(F(str(delta)[4:-1])).exp() if is_power else ball(F(delta))


def _by_information(delta: str | Fraction, pi: Fraction, gamma: Number) -> Number:
    slack, spread = _slack(delta), ball(pi * (1 - pi))
    return 1 / (slack / spread + (1 - slack) * (gamma - 1) ** 2 / (gamma + (gamma - 1) ** 2 * spread))


def _linear() -> Iterator[ContractRow]:
    """Trace and loss: linear programs in the entries."""
    for k, gamma in ((2, F(3)), (3, F(3)), (5, F(7, 2))):
        yield DesignRow(
            f"trace: k = {k}, gamma = {gamma}",
            Problem(one_level(f"log({gamma})", k=k, m=k), Trace([1] * k), [F(1, k)] * k),
            k * gamma / (gamma + k - 1),
            f"{KAIROUZ}: k-ary randomized response",
            [Mechanism([[(gamma if i == j else 1) / (gamma + k - 1) for j in range(k)] for i in range(k)])],
            gap=_EXACT,
            twins=BOTH,
        )
    for k, delta in ((3, F(1, 10)), (4, F(1, 2))):
        gamma = F(3)
        yield DesignRow(
            f"trace with delta: k = {k}",
            Problem(one_level("log(3)", delta, k=k, m=k), Trace([1] * k), [F(1, k)] * k),
            k * (gamma + (k - 1) * delta) / (gamma + k - 1),
            "by symmetry p_jj = a and p_ij = b with a + (k - 1) b = 1; a - gamma b = delta",
            gap=_EXACT,
            twins=BOTH,
        )
    yield DesignRow(
        "trace: epsilon = 1, k = 4",
        Problem(one_level(1, k=4, m=4), Trace([1] * 4), [F(1, 4)] * 4),
        partial(enclosed, lambda gamma: 4 * gamma / (gamma + 3), 1),
        f"{KAIROUZ}: k-ary randomized response",
        gap=_NARROW,
        twins=BOTH,
    )
    for weights, gamma in (([10, 1, 1], F(2)), ([3, 2, 2, 1], F(5, 2)), ([5, 4, 1], F(6, 5))):
        k = len(weights)
        yield DesignRow(
            f"trace with weights {weights}",
            Problem(one_level(f"log({gamma})", k=k, m=k), Trace(weights), [F(1, k)] * k),
            largest_weighted_trace([F(w) for w in weights], gamma),
            "linear program in the smallest entries of the rows; equal on the heaviest categories",
            gap=_EXACT,
            twins=BOTH,
        )
    for pi, gamma in ((shares(1, 1, 1), F(3)), (shares(3, 2, 1), F(3)), (shares(8, 1, 1), F(2))):
        yield DesignRow(
            f"0/1 loss: pi = {', '.join(map(str, pi))}, gamma = {gamma}",
            Problem(one_level(f"log({gamma})", m=3), Loss.zero_one(3), pi),
            1 - largest_weighted_trace(pi, gamma),
            "1 minus the trace with the proportions as weights",
            gap=_EXACT,
            twins=BOTH,
        )


def _linear_under_other_regions() -> Iterator[ContractRow]:
    """Trace and loss under levels of pairs, with bounds, or with other outputs."""
    alpha = F(1, 3)
    chain = LevelsRegion.by_distance("log(3)", distance=lambda j, i: abs(j - i), inputs=3, outputs=3)
    yield DesignRow(
        "absolute loss on a chain: the truncated geometric mechanism",
        Problem(chain, Loss.absolute(3), [F(1, 3)] * 3),
        (2 * alpha + 2 * alpha / (1 + alpha)) / 3,
        "Ghosh, Roughgarden and Sundararajan (2012): truncated geometric mechanism, alpha = 1/3",
        gap=_EXACT,
        twins=CVXPY,
    )
    halves = LevelsRegion.by_distance("log(2)", distance=lambda j, i: abs(j - i), inputs=3, outputs=3)
    yield DesignRow(
        "trace on a chain",
        Problem(halves, Trace([1, 1, 1]), [F(1, 3)] * 3),
        F(5, 3),
        "rows (2/3, 1/3, 1/6), (1/6, 1/3, 1/6), (1/6, 1/3, 2/3), and their dual, by hand",
        gap=_EXACT,
        twins=CVXPY,
    )
    blind = LevelsRegion.by_pair([[None, 0, "log(3)"], [0, None, "log(3)"], ["log(3)", "log(3)", None]])
    yield DesignRow(
        "trace with two categories that are never distinguished",
        Problem(blind, Trace([1, 1, 1]), [F(1, 3)] * 3),
        F(3, 2),
        "columns 0 and 1 are equal: the trace of two categories, 2 gamma/(gamma + 1)",
        gap=_EXACT,
        twins=CVXPY,
    )
    nearly = LevelsRegion.by_pair([[None, 0, 1], [0, None, 1], [1, 1, None]])
    yield DesignRow(
        "trace with two categories that are never distinguished, epsilon = 1",
        Problem(nearly, Trace([1, 1, 1]), [F(1, 3)] * 3),
        partial(enclosed, lambda gamma: 2 * gamma / (gamma + 1), 1),
        "columns 0 and 1 are equal: the trace of two categories, 2 gamma/(gamma + 1)",
        gap=_NARROW,
        twins=CVXPY,
    )
    bounded = BoundedRegion.sparse(one_level("log(3)", k=2, m=2), most={(0, 0): "3/5"})
    yield DesignRow(
        "trace with a bounded entry",
        Problem(bounded, Trace([1, 1]), ["1/2", "1/2"]),
        F(7, 5),
        "p00 <= 3/5 <= 3 p01 leaves p11 <= 4/5, by hand",
        gap=_EXACT,
        twins=CVXPY,
    )
    yield DesignRow(
        "loss of two categories with three outputs",
        Problem(one_level("log(4)", k=2, m=3), Loss([[0, 10], [3, 3], [10, 0]]), ["1/2", "1/2"]),
        F(2),
        f"{RESPONSE}: the best decision for each output, 10/(gamma + 1) = 2 or 3",
        gap=_EXACT,
        twins=CVXPY,
    )


def _linear_under_inequalities_of_entries() -> Iterator[ContractRow]:
    """Trace without a level of privacy, and with levels that are linear in the entries."""
    yield DesignRow(
        "trace without a level: direct answers",
        Problem(EveryMechanism(inputs=2, outputs=2), Trace([1, 1]), ["1/2", "1/2"]),
        F(2),
        "each entry is at most 1",
        [Mechanism.binary(1, 1)],
        gap=_EXACT,
        twins=BOTH,
    )
    yield DesignRow(
        "trace under a maximal leakage",
        Problem(maximal_leakage("log(3/2)").region(inputs=3, outputs=3), Trace([1, 1, 1]), ["1/3"] * 3),
        F(3, 2),
        "p_ii is at most the largest entry of its row; direct answers with probability 1/4, else always 0",
        gap=_EXACT,
        twins=BOTH,
    )
    prior = shares(1, 1, 2)
    yield DesignRow(
        "trace under a pointwise leakage",
        Problem(pointwise_leakage("log(3/2)", prior).region(inputs=3, outputs=3), Trace([1, 1, 1]), prior),
        F(3, 2),
        "p_ii <= 3/2 times the probability of output i, and these sum to 1; two outputs with 1/2 each attain it",
        gap=_EXACT,
        twins=BOTH,
    )
    own = linear("p[0,0] + 2*p[1,1] <= 2", "p[0,0] >= p[1,1]")
    yield DesignRow(
        "trace under two inequalities of one's own",
        Problem(own.region(inputs=2, outputs=2), Trace([1, 1]), ["1/2", "1/2"]),
        F(3, 2),
        "p00 + p11 <= (2 + p00)/2 <= 3/2, attained at p00 = 1 and p11 = 1/2",
        [Mechanism.binary(1, "1/2")],
        gap=_EXACT,
        twins=BOTH,
    )


def _linear_of_many_categories() -> Iterator[ContractRow]:
    """Trace and 0/1 loss of many categories, given by formulas."""
    for k in (1000, 10**6):
        yield DesignRow(
            f"trace of {k} categories",
            Problem.kary(k, epsilon="log(3)", objective="trace"),
            F(3 * k, k + 2),
            f"{KAIROUZ}: k-ary randomized response",
            gap=_EXACT,
        )
    k = 10**6
    for added in ("1/1000", "exp(-12)"):
        for objective, loss in (("trace", None), ("loss", "zero-one")):
            yield DesignRow(
                f"{objective} of {k} categories, delta = {added}",
                Problem.kary(k, epsilon=1, delta=added, objective=objective if loss is None else f"loss:{loss}"),
                partial(enclosed, partial(_of_equal_weights, objective, k, added), 1),
                "by symmetry p_jj = a and p_ij = b with a + (k - 1) b = 1; a - gamma b = delta",
                gap=_NARROW,
            )
    yield DesignRow(
        "0/1 loss of 1000 categories in runs",
        Problem.kary(epsilon="log(3)", objective="loss:zero-one", population="900x0,10x1/20,90x1/180"),
        1 - largest_weighted_trace([F(1, 20)] * 10 + [F(1, 180)] * 90, F(3)),
        "1 minus the trace with the proportions as weights",
        gap=_EXACT,
    )


def _of_equal_weights(objective: str, k: int, delta: str, gamma: Number) -> Number:
    truth = (gamma + (k - 1) * _slack(delta)) / (gamma + k - 1)
    return k * truth if objective == "trace" else 1 - truth


def _information() -> Iterator[ContractRow]:
    """Criteria of the covariance, and mutual information, at equal proportions."""
    for k, gamma in ((2, F(21, 20)), (3, F(3)), (4, F(9)), (5, F(2)), (4, F(2981)), (6, F(20))):
        region, pi = one_level(f"log({gamma})", k=k), [F(1, k)] * k
        each = subset_selection(k, gamma)
        name = f"k = {k}, gamma = {gamma}"
        yield DesignRow(
            f"A-optimality: {name}",
            Problem(region, AOptimality(), pi),
            (k - 1) * each,
            YE,
            gap=_NARROW,
            twins=SYMPY,
        )
        yield DesignRow(
            f"E-optimality: {name}",
            Problem(region, EOptimality(), pi),
            each,
            f"{YE}; by symmetry all contrasts have the same variance",
            gap=_NARROW,
            twins=SYMPY,
        )
        yield DesignRow(
            f"D-optimality: {name}",
            Problem(region, DOptimality(), pi),
            partial(_log_determinant, k, each),
            f"{YE}; ln det M = ln k - (k - 1) ln(variance of a contrast)",
            gap=_NARROW,
            twins=SYMPY,
        )
        yield DesignRow(
            f"mutual information: {name}",
            Problem(region, MutualInformation(), pi),
            partial(enclosed, partial(_best_information, k), f"log({gamma})"),
            "Wang et al. (2016): subset selection of the best size",
            gap=_NARROW,
        )
    yield DesignRow(
        "A-optimality: epsilon = 1, k = 5",
        Problem(one_level(1, k=5), AOptimality(), [F(1, 5)] * 5),
        partial(enclosed, lambda gamma: 4 * subset_selection(5, gamma, smallest_of), 1),
        YE,
        gap=_NARROW,
    )
    yield DesignRow(
        "mutual information of two inputs: the capacity of a binary symmetric channel",
        Problem(one_level(1, k=2), MutualInformation(), ["1/2", "1/2"]),
        partial(enclosed, _channel, 1),
        RESPONSE,
        gap=_NARROW,
        twins=BOTH,
    )
    yield DesignRow(
        "A-optimality where the truth is told",
        Problem(one_level(1, 1), AOptimality(), shares(3, 2, 1)),
        sum(p * (1 - p) for p in shares(3, 2, 1)),
        "delta = 1: n Var of each proportion is pi (1 - pi)",
        gap=_NARROW,
    )
    yield DesignRow(
        "mutual information where the truth is told",
        Problem(one_level(1, 1), MutualInformation(), shares(3, 2, 1)),
        partial(enclosed, lambda _: -sum((ball(p) * ball(p).log() for p in shares(3, 2, 1)), ball(F(0))), 0),
        "delta = 1: the entropy of the proportions",
        gap=_NARROW,
    )


def _variances_of_two_inputs() -> Iterator[ContractRow]:
    """Criteria of the covariance of two inputs, and of contrasts that are one proportion."""
    for epsilon, delta in (("0", F(1, 3)), ("1", F(1, 20)), ("log(20)", F(1, 5))):
        pi = shares(2, 1)
        named: dict[str, tuple[Any, Callable[[Number], Number]]] = {
            "A-optimality": (AOptimality(), lambda v: 2 * v),
            "E-optimality": (EOptimality(), lambda v: 2 * v),
            "D-optimality": (DOptimality(), lambda v: -v.log()),
            "c-optimality": (Contrast([1, -1]), lambda v: 4 * v),
            "contrasts": (Contrasts([[1, -1], [1, 0]]), lambda v: 5 * v),
        }
        for name, (objective, of_variance) in named.items():
            yield DesignRow(
                f"{name} of two inputs: epsilon = {epsilon}, delta = {delta}",
                Problem(one_level(epsilon, delta, k=2), objective, pi),
                partial(enclosed, partial(_of_variance, of_variance, delta, pi[1]), epsilon),
                f"{FOUR}; a function of n Var",
                gap=F(1, 10**10),
                twins=CVXPY,
            )
    for gamma in (F(11, 10), F(3), F(50)):
        pi, part = shares(3, 1, 4, 1, 5), F(2, 7)
        yield DesignRow(
            f"a contrast of two values: gamma = {gamma}",
            Problem(one_level(f"log({gamma})", k=5), Contrast([3, 1, 1, 3, 1]), pi),
            4 * (part * (gamma - 1) + 1) * (gamma - (gamma - 1) * part) / (gamma - 1) ** 2,
            f"one proportion, 2/7, times 2; {RESPONSE}",
            gap=_EXACT,
            twins=CVXPY,
        )
    for c, pi in (([0, 1], shares(3, 1)), ([2, -1], shares(1, 4))):
        variance = min(binary_variance_by_theorem(F(3), F(0), pi[1]))
        yield DesignRow(
            f"c-optimality of two inputs: {c}",
            Problem(one_level("log(3)", k=2), Contrast(c), pi),
            (c[0] - c[1]) ** 2 * variance,
            f"{RESPONSE}; (c0 - c1)^2 n Var",
            gap=_NARROW,
            twins=CVXPY,
        )
    yield DesignRow(
        "contrasts of two inputs",
        Problem(one_level("log(3)", k=2), Contrasts([[0, 1], [1, -1]]), shares(3, 1)),
        5 * min(binary_variance_by_theorem(F(3), F(0), F(1, 4))),
        f"{RESPONSE}; (1 + 4) n Var",
        gap=_NARROW,
        twins=CVXPY,
    )
    for x, gamma in (([0, 1], F(3)), ([-1, 2], F(7, 5))):
        yield DesignRow(
            f"conditional variance of a report of {x[0]} or {x[1]}, gamma = {gamma}",
            Problem(one_level(f"log({gamma})", k=2), ConditionalVariance(x), ["1/2", "1/2"]),
            (x[1] - x[0]) ** 2 * gamma / (gamma - 1) ** 2,
            f"{RESPONSE}; p (1 - p)/(2p - 1)^2 at p = gamma/(gamma + 1)",
            gap=F(1, 10**9),
        )


def _information_of_many() -> Iterator[ContractRow]:
    """Mixtures of distributions, and many categories in equal groups."""
    two = [shares(3, 1), shares(1, 4)]
    values = [2 * min(binary_variance_by_theorem(F(3), F(0), pi[1])) for pi in two]
    yield DesignRow(
        "Bayes mixture of A-optimality",
        Problem(one_level("log(3)", k=2), BayesMixture(AOptimality(), ["1/3", "2/3"], two), _mean(two, [1, 2])),
        values[0] / 3 + values[1] * 2 / 3,
        f"{RESPONSE}, at every prevalence",
        gap=_NARROW,
        twins=CVXPY,
    )
    for objective, k in (("a-optimal", 1000), ("e-optimal", 20), ("d-optimal", 20), ("mutual-information", 100)):
        gamma = F(9)
        each = subset_selection(k, gamma)
        optima: dict[str, Any] = {"a-optimal": (k - 1) * each, "e-optimal": each}
        optima["d-optimal"] = partial(_log_determinant, k, each)
        optima["mutual-information"] = partial(enclosed, partial(_best_information, k), "log(9)")
        yield DesignRow(
            f"{objective} of {k} categories",
            Problem.kary(k, epsilon="log(9)", objective=objective),
            optima[objective],
            f"{YE}, of the best size",
            gap=F(1, 10**4),  # a block design of the best size need not be drawn in short numbers
        )
    yield DesignRow(
        "information with delta = 1: the truth is told",
        Problem.kary(7, epsilon="log(3)", delta=1, objective="mutual-information"),
        partial(enclosed, lambda gamma: ball(F(7)).log(), 0),
        "the entropy of 7 equal proportions",
        gap=_NARROW,
        certified=False,
    )
    for k, gamma in ((12, F(3)), (40, F(101, 100)), (128, F(20))):
        yield DesignRow(
            f"A-optimality in groups: {k} equal proportions that are listed",
            Problem(one_level(f"log({gamma})", k=k), AOptimality(), [F(1, k)] * k),
            (k - 1) * subset_selection(k, gamma),
            YE,
            gap=F(1, 10**10),
        )


def _of_variance(function: Callable[[Number], Number], delta: Fraction, pi: Fraction, gamma: Number) -> Number:
    return function(_by_information(delta, pi, gamma))


def _log_determinant(k: int, variance: Fraction) -> Bounds:
    return enclosed(lambda gamma: ball(F(k)).log() - (k - 1) * ball(variance).log(), 0)


def _best_information(k: int, gamma: Number) -> Number:
    return largest_of(subset_information(k, gamma))


def _channel(gamma: Number) -> Number:
    right, wrong = gamma / (gamma + 1), 1 / (gamma + 1)
    return ball(F(2)).log() + right * right.log() + wrong * wrong.log()


def _mean(populations: Sequence[Shares], weights: Sequence[int]) -> list[Fraction]:
    return [
        sum(w * p for w, p in zip(shares(*weights), column, strict=True)) for column in zip(*populations, strict=True)
    ]


def _distances() -> Iterator[ContractRow]:
    """Distances between the distributions of the outputs under pi and under q, and payoffs."""
    half = ball(F(1, 2))
    terms: dict[str, tuple[Callable[[Any], Any], Callable[[Number, Number], Number]]] = {
        "chi-square": (ChiSquare, _chi_square),
        "Kullback-Leibler": (KullbackLeibler, lambda a, b: a * (a / b).log()),
        "Hellinger": (Hellinger, lambda a, b: (a.sqrt() - b.sqrt()) ** 2 * half),
        "Jensen-Shannon": (
            JensenShannon,
            lambda a, b: (a * (2 * a / (a + b)).log() + b * (2 * b / (a + b)).log()) * half,
        ),
        "order 3": (partial(AlphaDivergence, order=3), lambda a, b: (a**3 / b**2 - 3 * a + 2 * b) / 6),
    }
    pi, q = shares(2, 1), shares(1, 3)
    for name, (objective, term) in terms.items():
        for epsilon, delta in (("log(3)", F(0)), ("1", F(1, 20))):
            yield DesignRow(
                f"{name} of two inputs: epsilon = {epsilon}, delta = {delta}",
                Problem(one_level(epsilon, delta, k=2), objective(q), pi),
                partial(enclosed, partial(_distance, term, pi, q, delta), epsilon),
                FOUR,
                gap=_NARROW,
                twins=CVXPY,
            )
    told = {F(7, 12): F(3, 8), F(5, 12): F(5, 8)}  # the distributions of the outputs of Warner's design at p = 3/4
    yield DesignRow(
        "triangular discrimination of two inputs, as an expression",
        Problem(one_level("log(3)", k=2), RationalSum("(a - b)^2/(a + b)", forms={"a": pi, "b": q}), pi),
        sum((a - b) ** 2 / (a + b) for a, b in told.items()),
        FOUR,
        gap=_EXACT,
        twins=BOTH,
    )
    pi, q = shares(3, 2, 1), shares(1, 1, 2)
    for epsilon, delta in (("log(3)", F(0)), ("log(3)", F(1, 10)), ("log(20)", F(1, 2))):
        gamma = F(epsilon[4:-1])
        yield DesignRow(
            f"total variation: epsilon = {epsilon}, delta = {delta}",
            Problem(one_level(epsilon, delta), TotalVariation(q), pi),
            (gamma - 1 + 2 * delta) / (gamma + 1) * tv(pi, q),
            f"{KAIROUZ}: two outputs, the sets on which pi is above and below q; contraction of total variation",
            gap=_EXACT,
            twins=BOTH,
        )
    less, more = [F(0), F(2, 9), F(2, 9), F(5, 9)], [F(1, 7), F(0), F(5, 7), F(1, 7)]
    yield DesignRow(
        "total variation of 4 categories, two of proportion 0, epsilon = 100",
        Problem(one_level(100, k=4), TotalVariation(more), less),
        partial(enclosed, lambda gamma: (gamma - 1) / (gamma + 1) * ball(tv(less, more)), 100),
        f"{KAIROUZ}, Theorem 6; tv = 40/63",
        gap=_NARROW,
    )
    for name, objective in (("total variation", TotalVariation), ("chi-square", ChiSquare)):
        yield DesignRow(
            f"{name} of two equal distributions",
            Problem(one_level(1), objective(pi), pi),
            0,
            "no mechanism distinguishes a distribution from itself",
            gap=_EXACT,
        )
    for k, gamma in ((2, F(6, 5)), (5, F(33, 10)), (7, F(9))):
        these, those = shares(*range(1, k + 1)), shares(*(2 + j % 3 for j in range(k)))
        yield DesignRow(
            f"total variation of {k} categories, gamma = {gamma}",
            Problem(one_level(f"log({gamma})", k=k), TotalVariation(those), these),
            (gamma - 1) / (gamma + 1) * tv(these, those),
            f"{KAIROUZ}, Theorem 6",
            gap=_EXACT,
        )


def _distances_under_other_regions() -> Iterator[ContractRow]:
    """Distances of many categories, under several levels, and under divergences."""
    shifted = [F(1 + j % 2 * 2, 400) for j in range(200)]
    yield DesignRow(
        "total variation of 200 categories",
        Problem(one_level(1, k=200), TotalVariation(shifted), [F(1, 200)] * 200),
        partial(enclosed, lambda gamma: (gamma - 1) / (gamma + 1) / 4, 1),
        f"{KAIROUZ}, Theorem 6",
        gap=_NARROW,
    )
    pi, q = shares(3, 2, 1), shares(1, 1, 2)
    levels = LevelsRegion([("log(3)", "1/5"), ("log(9)", "1/20")], inputs=3)
    yield DesignRow(
        "total variation under two levels",
        Problem(levels, TotalVariation(q), pi),
        (1 - 2 * max(F(4, 5) / 4, F(19, 20) / 10)) * tv(pi, q),
        "the trade-off function meets the diagonal at max (1 - delta)/(1 + gamma)",
        gap=_EXACT,
        twins=CVXPY,
    )
    gaussian: dict[str, Any] = {"mu": 1, "inputs": 2}
    yield DesignRow(
        "total variation under Gaussian differential privacy",
        Problem(GaussianRegion(**gaussian), TotalVariation(shares(1, 3)), shares(2, 1)),
        partial(enclosed, lambda _: (1 - 2 * normal_cdf(-ball(F(1, 2)))) * ball(tv(shares(2, 1), shares(1, 3))), 0),
        "Dong, Roth and Su (2022): the trade-off function meets the diagonal at Phi(-mu/2)",
        gap=F(1, 10**5),
    )
    yield DesignRow(
        "total variation under a Renyi divergence of order 2",
        Problem(RenyiRegion(2, "1/2", inputs=2), TotalVariation(shares(1, 3)), shares(2, 1)),
        partial(enclosed, lambda gamma: (1 - 4 / (gamma + 3)).sqrt() * ball(tv(shares(2, 1), shares(1, 3))), "1/2"),
        "two outputs and their mirror image suffice: p^2/(1 - p) + (1 - p)^2/p = exp(epsilon)",
        gap=F(1, 10**7),
    )
    yield DesignRow(
        "A-optimality under a Renyi divergence of order 2",
        Problem(RenyiRegion(2, "1/2", inputs=2), AOptimality(), ["1/2", "1/2"]),
        partial(enclosed, lambda gamma: 1 / (2 * (1 - 4 / (gamma + 3))), "1/2"),
        "equal proportions: Warner's design, 1/(2 (2p - 1)^2); p^2/(1 - p) + (1 - p)^2/p = exp(epsilon)",
    )
    yield DesignRow(
        "total variation under zero-concentrated differential privacy",
        Problem(ZcdpRegion("1/8", inputs=2), TotalVariation(shares(1, 3)), shares(2, 1)),
        partial(_under_zcdp, F(1, 8), tv(shares(2, 1), shares(1, 3))),
        "order 1 bounds the Kullback-Leibler divergence by rho; randomized response attains it: t ln((1 + t)/(1 - t))",
        gap=F(1, 10**4),
    )
    yield from _distances_in_groups()


def _distances_in_groups() -> Iterator[ContractRow]:
    """Distances of many categories of which many have one ratio of their proportions."""
    ratio = [F(2, 21)] * 6 + [F(1, 14)] * 6  # 12 categories in two groups
    against = [F(1, 18)] * 6 + [F(1, 9)] * 6
    many_pi, many_q = [p / sum(ratio) for p in ratio] * 2, against * 2
    many_pi, many_q = [p / 2 for p in many_pi], [p / 2 for p in many_q]
    yield DesignRow(
        "total variation of 24 categories in two groups",
        Problem(one_level("log(3)", k=24), TotalVariation(many_q), many_pi),
        F(1, 2) * tv(many_pi, many_q),
        f"{KAIROUZ}: contraction of total variation, (gamma - 1)/(gamma + 1)",
        gap=_EXACT,
    )
    groups_pi, groups_q = ([6 * each[0] + 6 * each[12], 6 * each[6] + 6 * each[18]] for each in (many_pi, many_q))
    yield DesignRow(
        "chi-square of 24 categories in two groups",
        Problem(one_level("log(3)", k=24), ChiSquare(many_q), many_pi),
        partial(enclosed, partial(_distance, _chi_square, groups_pi, groups_q, F(0)), "log(3)"),
        f"categories with one ratio of proportions are one category; {RESPONSE}",
        gap=_NARROW,
    )
    yield DesignRow(
        "chi-square of 400 categories in two groups",
        Problem(one_level("log(3)", k=400), ChiSquare([F(1, 800), F(3, 800)] * 200), [F(1, 400)] * 400),
        partial(enclosed, partial(_distance, _chi_square, [F(1, 2)] * 2, [F(1, 4), F(3, 4)], F(0)), "log(3)"),
        f"categories with one ratio of proportions are one category; {RESPONSE}",
        gap=_NARROW,
    )


def _payoffs() -> Iterator[ContractRow]:
    """Payoffs of a right guess, and labelled outputs."""
    for k, parts, gamma in ((2, (1, 1), F(3)), (3, (3, 2, 1), F(3)), (4, (9, 1, 1, 1), F(2)), (20, (1,) * 20, F(5))):
        truth = [[int(i == j) for j in range(k)] for i in range(k)]
        yield DesignRow(
            f"payoff of a right guess: {k} categories, gamma = {gamma}",
            Problem(one_level(f"log({gamma})", k=k), Payoff(truth), shares(*parts)),
            largest_weighted_trace(shares(*parts), gamma),
            "an output for each guess: the trace with the proportions as weights",
            gap=_EXACT,
        )
    square = LevelsRegion([("log(3)", "1/5"), ("log(9)", "1/20")], inputs=2, outputs=2)
    yield DesignRow(
        "trace under two levels: labelled outputs",
        Problem(square, Trace([1, 1]), ["1/2", "1/2"]),
        F(8, 5),
        "1 + total variation of the columns, 1 - 2 (1 - delta)/(1 + gamma)",
        gap=_EXACT,
    )


def _chi_square(a: Number, b: Number) -> Number:
    return (a - b) ** 2 / b


def _distance(
    term: Callable[[Number, Number], Number], pi: Shares, q: Shares, delta: Fraction, gamma: Number
) -> Number:
    return over_rows(term, pi, q, four_outputs(gamma, ball(delta) if delta else 0))


def _under_zcdp(rho: Fraction, distance: Fraction) -> Bounds:
    """Return bounds of t times a distance, for the t with ``t ln((1 + t)/(1 - t)) = rho``, by bisection."""
    low, high = F(0), F(1)
    for _ in range(100):
        t = (low + high) / 2
        if ball(t) * ((1 + ball(t)) / (1 - ball(t))).log() < ball(rho):
            low = t
        else:
            high = t
    return low * distance, high * distance


def _restricted() -> Iterator[ContractRow]:
    """A given number of outputs, bounds on entries, and the worst case over distributions."""
    variance = min(binary_variance_by_theorem(F(3), F(0), F(1, 4)))
    yield DesignRow(
        "A-optimality of two inputs by two outputs",
        Problem(one_level("log(3)", k=2, m=2), AOptimality(), shares(3, 1)),
        2 * variance,
        RESPONSE,
    )
    yield DesignRow(
        "A-optimality of two inputs by three outputs",
        Problem(one_level("log(3)", k=2, m=3), AOptimality(), shares(3, 1)),
        2 * variance,
        f"{RESPONSE}; a third output adds nothing",
    )
    for level, least, reached in (("log(3)", "3/10", F(7, 3)), ("log(3)", "1/5", F(3)), ("log(2)", "2/5", F(3, 2))):
        region = one_level(level, k=2, m=2)
        yield DesignRow(
            f"A-optimality of two inputs by two outputs, entries of at least {least} at {level}",
            Problem(BoundedRegion(region, [[least] * 2] * 2, [[1] * 2] * 2), AOptimality(), shares(9, 1)),
            2 * min(binary_variance_by_theorem(reached, F(0), F(1, 10))),
            f"{RESPONSE}; entries of at least l allow gamma <= (1 - l)/l",
        )
    yield DesignRow(
        "a contrast by two outputs",
        Problem(one_level("log(3)", m=2), Contrast([0, 1, 2]), [F(1, 3)] * 3),
        4 * min(binary_variance_by_theorem(F(3), F(0), F(1, 2))),
        "two outputs reveal c.pi alone: (max c - min c)^2 times n Var of the share (c.pi - min c)/(max c - min c)",
        gap=F(3, 100),  # of the split problem: few cells of four categories
    )
    for k, gamma in ((2, F(11, 10)), (3, F(3)), (3, F(9)), (4, F(500))):
        best = F((k - 1) ** 2, k) / (gamma - 1) ** 2
        yield DesignRow(
            f"worst case over all distributions: k = {k}, gamma = {gamma}",
            Problem(one_level(f"log({gamma})", k=k), AOptimality(), Populations.hull(_corners(k))),
            min(best * (d * gamma + k - d) ** 2 / (d * (k - d)) for d in range(1, k)),
            f"{YE}; the uniform distribution is the least favourable one, by symmetry and concavity",
            gap=_NARROW,
        )
    for numbers, gamma in (([0, 1, 3], F(3)), ([-4, 7], F(6, 5)), ([5, -9, 5, 2], F(8))):
        k = len(numbers)
        yield DesignRow(
            f"worst case of a contrast over all distributions: {numbers}",
            Problem(one_level(f"log({gamma})", k=k), Contrast(numbers), Populations.hull(_corners(k))),
            ((max(numbers) - min(numbers)) * (gamma + 1) / (gamma - 1)) ** 2 / 4,
            "half of the population at the largest and half at the smallest number: other reports are a garbling of "
            "theirs, and the variance is smaller by the square of the mean from the middle",
            gap=F(1, 10**9),
        )
    intervals: list[tuple[str, Objective, int, tuple[F, F], F]] = [
        ("a prevalence", Contrast([0, 1]), 1, (F(1, 10), F(1, 4)), F(3)),
        ("a difference", Contrast([1, -1]), 4, (F(7, 10), F(19, 20)), F(13, 10)),
        ("both proportions", AOptimality(), 2, (F(1, 5), F(4, 5)), F(17, 2)),
    ]
    for name, objective, times, (low, high), gamma in intervals:
        at = min(max(F(1, 2), low), high)
        yield DesignRow(
            f"worst case over an interval of prevalences: {name}",
            Problem(one_level(f"log({gamma})", k=2), objective, Populations.hull([[1 - low, low], [1 - high, high]])),
            times * (at * (gamma - 1) + 1) * (gamma - (gamma - 1) * at) / (gamma - 1) ** 2,
            "n Var of randomized response increases towards prevalence 1/2",
            gap=_NARROW,
        )


def _corners(k: int) -> list[list[int]]:
    return [[int(i == j) for j in range(k)] for i in range(k)]


def _other_results() -> Iterator[ContractRow]:
    """Designs that are no ``Solution``: independent questions, and files that are randomized afterwards."""
    from rropt.designs.asked_designs import design_random_questions
    from rropt.designs.bits import design_bits
    from rropt.designs.minimax_risk import minimax_risk
    from rropt.designs.pram import design_pram
    from rropt.privacy.level_arguments import given_level

    yield ResultRow(
        "bits: two questions under one budget",
        partial(design_bits, 2, questions=2, fast=True),
        partial(enclosed, lambda gamma: ball(F(1, 2)) + 2 * gamma.sqrt() / (gamma.sqrt() - 1) ** 2, 2),
        "n Var is convex in the level of a question: equal levels, at prevalence 1/2",
        bounds=lambda found: found.bracket,
        gap=_NARROW,
    )
    for kind, times in (("marginals", 1), ("joint", 2)):
        yield ResultRow(
            f"bits: one question, {kind}",
            partial(design_bits, "log(7/2)", prevalences=["9/10"], objective=kind, fast=True),
            times * min(binary_variance_by_theorem(F(7, 2), F(0), F(9, 10))),
            f"{HOLOHAN}, Theorem 3: the binary design; the proportions of yes and of no have the same variance",
            bounds=lambda found: found.bracket,
            gap=_EXACT,
        )
    equal = [F(1, 100), F(1, 2), F(1, 3), F(1)]
    yield ResultRow(
        "bits: four questions of equal weight",
        partial(design_bits, "log(81)", prevalences=equal, fast=True),
        sum((pi * (1 - pi) + F(3, 4) for pi in equal), F(0)),
        "n Var is pi (1 - pi) + x/(x - 1)^2 at the level x of a question, convex in log x: equal levels, x = 3",
        bounds=lambda found: found.bracket,
        gap=_EXACT,
        twins=BOTH,
        equal={"relabelled": partial(design_bits, "log(81)", prevalences=equal[::-1], fast=True)},
    )
    for gamma in (F(3, 2), F(2)):
        yield ResultRow(
            f"minimax risk of one respondent, gamma = {gamma}",
            partial(minimax_risk, f"log({gamma})", 1),
            gamma / (gamma + 1) ** 2,
            "gamma <= 1 + sqrt(2): a prior of two points is least favourable, 0 and 1; the variance of the posterior",
            certified=False,
        )
    yield ResultRow(
        "minimax risk of four respondents who tell the truth",
        partial(minimax_risk, 1, 4, delta=1),
        F(1, 36),
        "Hodges and Lehmann (1950): 1/(4 (1 + sqrt(n))^2)",
        certified=False,
    )
    for questions, asked, gamma in ((3, 1, F(3)), (4, 2, F(20)), (4, 3, F(20)), (10, 1, F(3)), (2, 2, F(4))):
        yield ResultRow(
            f"random questions: {asked} of {questions}, gamma = {gamma}",
            partial(design_random_questions, f"log({gamma})", asked, questions=questions),
            F(questions**2, 4 * asked) * ((2**asked + gamma - 1) / (gamma - 1)) ** 2,
            "prevalences 1/2: randomized response on 2^j answers, of which each question is asked with j/N",
            certified=False,
            gap=_EXACT,
        )
    yield ResultRow(
        "PRAM: invariant, equal counts",
        partial(design_pram, [1, 1, 1], given_level("log(3)", 0, None), fast=True),
        F(3, 5),
        f"{KAIROUZ}: k-ary randomized response, which keeps equal proportions",
        bounds=lambda found: (found.unchanged, found.unchanged),
        gap=_EXACT,
        twins=BOTH,
    )


def _every_level() -> Iterator[ContractRow]:
    """Designs for every level at once: the value at several levels."""
    for k in (2, 3):
        levels = [F(1), F(6, 5), F(3), F(50)]
        yield ResultRow(
            f"trace of {k} categories at every level",
            partial(_at_every_level, "trace", k),
            {f"log({gamma})": k * gamma / (gamma + k - 1) for gamma in levels},
            f"{KAIROUZ}: k-ary randomized response, at each level",
            bounds=partial(_at_levels, [f"log({gamma})" for gamma in levels]),
            gap=_EXACT,
        )
    levels = [F(6, 5), F(3), F(5), F(50)]
    yield ResultRow(
        "A-optimality of 4 categories at every level",
        partial(_at_every_level, "a-optimal", 4),
        {f"log({gamma})": 3 * subset_selection(4, gamma) for gamma in levels},
        f"{YE}, at each level",
        bounds=partial(_at_levels, [f"log({gamma})" for gamma in levels]),
        gap=_EXACT,
    )


def _at_every_level(objective: str, k: int) -> Any:

    return every_level_of(Problem.kary(k, level=span(), objective=objective), fast=True)


def _at_levels(levels: list[str], found: Any) -> dict[str, Bounds]:
    return {level: bounds_of(found.at(level).value) for level in levels}


@cache
def known_optima() -> tuple[ContractRow, ...]:
    """Return the rows of the library: problems of every way, objective and region, with their known optima.

    >>> row = next(row for row in known_optima() if row.name == "trace: k = 3, gamma = 3")
    >>> row.optimum, row.source
    (Fraction(9, 5), 'Kairouz, Oh and Viswanath (2016): k-ary randomized response')
    """
    tables = (
        *(_binary, _binary_of_more_outputs),
        *(_linear, _linear_under_other_regions, _linear_under_inequalities_of_entries, _linear_of_many_categories),
        *(_information, _variances_of_two_inputs, _information_of_many),
        *(_distances, _distances_under_other_regions, _payoffs),
        *(_restricted, _other_results, _every_level),
    )
    return tuple(row for table in tables for row in table())
