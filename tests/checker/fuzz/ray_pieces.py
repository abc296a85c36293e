"""Rule 25: designs over rays, true and false; a statement is false by the exact value of a mechanism, in fractions.

Proposals come from the engine, or from an exact linear program over labelled rays. What is true of them is decided
here: the mechanism is private, and its value (by Gauss's elimination) lies on its side of the bracket. A bound beyond
the value of a private mechanism is false. Degenerate cases are drawn on purpose: one file in eight has delta = 1 or
epsilon = 0, one in eight a mechanism with constant rows, one in twelve a bound that is negative.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from rropt.core.certificates import Certificate
from rropt.core.exact import Bracket
from rropt.core.linear import Optimal, ProgramBuilder, solve
from rropt.designs.certificates.design_bracket import nested_texts
from rropt.designs.engine.designs import _by_rays, largest_gamma
from rropt.designs.problem import Problem
from rropt.objectives import (
    AlphaDivergence,
    AOptimality,
    BayesMixture,
    ChiSquare,
    Contrasts,
    COptimality,
    DOptimality,
    EOptimality,
    Hellinger,
    JensenShannon,
    KullbackLeibler,
    MutualInformation,
    Payoff,
    TotalVariation,
)
from rropt.privacy import LevelsRegion, PairwiseRegion, PrivacyRegion

from .harness import Piece, document
from .orders import texts

F = Fraction
DECIDING = {
    "rays": (
        "the inequality of",
        "upper is",
        "lower is",
        "not unbiased",
        "above gamma",
        "exceeds gamma",
        "does not sum",
        "negative entry",
        "is not positive",
        "bracket",
        "on its diagonal",
        "for a pair that its level",
        "does not prove",
        "not proved",
        "the contrast is 0",
        "is not lower triangular",
    )
}
LEVELS = ("log(3)", "log(3/2)", "log(2)/2", "1/3", "2", "log(20)")


def _population(rng: random.Random, k: int) -> list[Fraction]:
    shares = [rng.randint(1, 6) for _ in range(k)]
    return [F(x, sum(shares)) for x in shares]


def engine_file(rng: random.Random) -> Any:
    """Return a certificate that the engine writes, unjudged."""
    k = rng.choice((2, 3, 3, 3))
    degenerate = rng.random() < 1 / 8
    epsilon = "0" if degenerate and rng.random() < 0.5 else rng.choice(LEVELS)
    delta = F(1) if degenerate and epsilon != "0" else rng.choice((F(0), F(1, 20), F(1, 4)))
    delta = F(1, 4) if epsilon == "0" else delta
    pi, other = _population(rng, k), _population(rng, k)
    contrast = [F(rng.randint(-3, 3)) for _ in range(k)]
    contrast[0] += len(set(contrast)) == 1
    made: dict[str, Callable[[], Any]] = {
        "a-optimal": AOptimality,
        "c-optimal": lambda: COptimality(contrast),
        "d-optimal": DOptimality,
        "e-optimal": EOptimality,
        "mutual-information": MutualInformation,
        "chi-square": lambda: ChiSquare(other),
        "total-variation": lambda: TotalVariation(other),
        "payoff": lambda: Payoff([[F(rng.randint(-2, 4)) for _ in range(k)] for _ in range(rng.randint(1, 4))]),
        "kullback-leibler": lambda: KullbackLeibler(other),
        "hellinger": lambda: Hellinger(other),
        "jensen-shannon": lambda: JensenShannon(other),
        "alpha-divergence": lambda: AlphaDivergence(other, rng.choice(("1/2", "3/2", "2", "-1/2", "3", "1/3"))),
        "contrasts": lambda: Contrasts([contrast, [F(int(i == 0)) for i in range(k)]]),
    }
    kind = rng.choice((*sorted(made), "bayes"))
    objective = made[kind]() if kind in made else _mixture(rng, made, (pi, other))
    region: Any = PrivacyRegion(epsilon, delta, inputs=k, outputs="any")
    if rng.random() < 0.4:
        region = several_levels(rng, k, degenerate=degenerate)
    problem = Problem(region, objective, pi)
    return solved(problem)


def solved(problem: Problem) -> Any:
    """Return the file of rule 25 for the design that the engine finds."""
    levels = problem.region.bracket(16)
    best, k = _by_rays(problem, levels), problem.region.inputs
    form = problem.objective.on_rays(problem.population, largest_gamma(levels, k))
    dual, squares = best.dual.plus(form.linear), []
    for t, part in enumerate(levels.parts(k)):
        values = {slope.pair: slope.value for slope in dual.slopes if slope.level == t}
        square = [[values.get((j, i), F(0)) for i in range(k)] for j in range(k)]
        squares.append(nested_texts(square) if part.above.delta else None)
    matrix = None if dual.matrix is None else nested_texts(dual.matrix)
    claim = {
        "kind": "design-bracket",
        **Bracket(best.lower, best.upper).written(),
        "mechanism": best.mechanism.to_dict(),
    }
    witness = {
        "rule": "rays",
        **levels.to_dict(),
        "dual": {"alpha": nested_texts(dual.alpha), "beta": levels.listed(squares), "matrix": matrix},
        "primal": nested_texts(best.primal),
        "logarithms": [] if form.digits is None else {"digits": str(form.digits)},
    }
    return Certificate.write(problem.to_dict(), claim, witness).to_dict()


def _mixture(rng: random.Random, made: dict[str, Callable[[], Any]], populations: Any) -> BayesMixture:
    kinds = sorted(set(made) - {"d-optimal", "e-optimal"})
    weight = F(rng.randint(1, 5), 6)
    return BayesMixture(made[rng.choice(kinds)](), [weight, 1 - weight], populations)


def several_levels(rng: random.Random, k: int, *, degenerate: bool) -> Any:
    """Return levels of all pairs, or of pairs with a connected rest; degenerate: equal levels, or epsilon = 0."""
    if rng.random() < 0.3:
        return PairwiseRegion.by_distance(k, rng.choice(("log(2)", "1/2")), outputs="any")
    path = [pair for j in range(k - 1) for pair in ((j, j + 1), (j + 1, j))]
    levels: list[Any] = [(rng.choice(("log(2)", "1")), rng.choice(("1/5", 0)), rng.choice((path, None)))]
    if degenerate:
        levels += rng.choice(([levels[0]], [(0, "1/2")]))
    else:
        levels.append((rng.choice(("log(4)", "2", "log(7)")), rng.choice(("1/20", "1/50")), None))
    return LevelsRegion(levels, inputs=k)


def linear_file(rng: random.Random) -> Any:
    """Return a certificate of a trace or a loss, from an exact linear program over pairs of an output and a ray."""
    k = rng.choice((2, 3))
    paired = rng.random() < 0.5
    gammas = {pair: F(rng.choice((2, 3, 5))) for pair in permutations(range(k), 2) if not paired or rng.random() < 0.8}
    if not paired:
        gammas = dict.fromkeys(permutations(range(k), 2), F(3))
    delta = F(0) if paired else rng.choice((F(0), F(1, 10), F(1)))
    pi = _population(rng, k)
    m = k if rng.random() < 0.5 else rng.choice((2, 3))
    is_trace = m == k and rng.random() < 0.5
    weights = [F(rng.randint(-1, 3)) for _ in range(k)]
    losses = [[F(rng.randint(0, 4)) for _ in range(k)] for _ in range(m)]
    gains = [[-p * x for p, x in zip(pi, row, strict=True)] for row in losses]
    if is_trace:
        gains = [[w * (i == j) for j in range(k)] for i, w in enumerate(weights)]
    columns = [r for r in _candidates(k, gammas, delta, paired) if any(r)]
    builder = ProgramBuilder("maximise")
    names = {
        (i, n): builder.variable(f"x{i} {n}", cost=sum(a * b for a, b in zip(gains[i], r, strict=True)))
        for i in range(m)
        for n, r in enumerate(columns)
    }
    for j in range(k):
        builder.row(f"c{j}", {x: columns[n][j] for (_, n), x in names.items() if columns[n][j]}, "=", 1)
    pairs = list(gammas) if delta else []
    for j, i in pairs:
        beyond = {x: columns[n][j] - gammas[j, i] * columns[n][i] for (_, n), x in names.items()}
        builder.row(f"e{j}{i}", {x: h for x, h in beyond.items() if h > 0}, "<=", delta)
    found = solve(builder.build())
    assert isinstance(found, Optimal)
    rows = [[F(0)] * k for _ in range(m)]
    for (i, n), x in zip(names, found.primal, strict=True):
        rows[i] = [a + x * b for a, b in zip(rows[i], columns[n], strict=True)]
    alpha, slopes = found.dual[:k], dict(zip(pairs, found.dual[k:], strict=True))
    beta = [[str(slopes.get((j, i), F(0))) for i in range(k)] for j in range(k)] if delta else None
    value = sum(a * b for gain, row in zip(gains, rows, strict=True) for a, b in zip(gain, row, strict=True))
    sign = 1 if is_trace else -1
    objective = (
        {"kind": "trace", "weights": [str(w) for w in weights]}
        if is_trace
        else {"kind": "loss", "matrix": texts(losses)}
    )
    one = {"below": "3", "above": "3"}
    if paired:
        levels = [[{"log": str(gammas[j, i])} if (j, i) in gammas else None for i in range(k)] for j in range(k)]
        region: Any = {"kind": "pairwise-privacy", "inputs": str(k), "outputs": str(m), "levels": levels}
        gamma: Any = [
            [{"below": str(gammas[j, i]), "above": str(gammas[j, i])} if (j, i) in gammas else None for i in range(k)]
            for j in range(k)
        ]
    else:
        region = {"kind": "differential-privacy", "inputs": str(k), "outputs": str(m), "epsilon": {"log": "3"}}
        region |= {"delta": str(delta), "family": "all"}
        gamma = one
    witness = {"rule": "rays", "gamma": gamma, "delta": {"below": str(delta), "above": str(delta)}}
    witness |= {
        "dual": {"alpha": [str(a) for a in alpha], "beta": beta, "matrix": None},
        "primal": {},
        "logarithms": [],
    }
    ends = {"lower": str(sign * value), "upper": str(sign * value)}
    problem = {"region": region, "objective": objective, "population": [str(p) for p in pi]}
    return document(problem, {"kind": "design-bracket", **ends, "mechanism": {"matrix": texts(rows)}}, witness)


def _candidates(k: int, gammas: dict[Any, Fraction], delta: Fraction, paired: bool) -> list[list[Fraction]]:
    """Return more than enough directions: products of odds bounds and their inverses, and zeros."""
    values = {F(1)}
    for _ in range(k - 1):
        values |= {v * g for v in values for g in gammas.values()} | {v / g for v in values for g in gammas.values()}
    found = []
    for r in product(sorted(values | {F(0)}), repeat=k):
        first = next((x for x in r if x), None)
        inside = delta or all(r[j] <= g * r[i] for (j, i), g in gammas.items())
        if first == 1 and inside:
            found.append(list(r))
    return found


def _moved(file: Any, **ends: Fraction) -> Any:
    made = deepcopy(file)
    for name, value in ends.items():
        made["claim"][name] = str(value)
    return made


def _far(x: Fraction) -> Fraction:
    return abs(x) / 1000 + F(1, 10**6)


def pieces(rng: random.Random) -> Iterator[Piece]:
    """Iterate over files."""
    while True:
        file = engine_file(rng) if rng.random() < 0.6 else linear_file(rng)
        lower, upper = (F(file["claim"][end]) for end in ("lower", "upper"))
        is_minimum = _kind(file) in ("a-optimal", "c-optimal", "contrasts", "e-optimal", "loss")
        oracle = "the value of a private mechanism in fractions"
        yield Piece(file, "as the engine writes it", True, "by construction")
        yield Piece(_moved(file, lower=lower - _far(lower)), "a lower bound below", True, "by construction")
        yield Piece(_moved(file, upper=upper + _far(upper)), "an upper bound above", True, "by construction")
        beyond = upper + _far(upper) if is_minimum else lower - _far(lower)
        crossed = {"lower": beyond, "upper": beyond + _far(beyond)} if is_minimum else {"upper": beyond}
        if not is_minimum:
            crossed["lower"] = beyond - _far(beyond)
        yield Piece(_moved(file, **crossed), "a bound beyond the value of the mechanism", False, oracle)
        yield Piece(_moved(file, lower=upper + 1, upper=lower - 1), "bounds that are crossed", False, "by construction")
        if is_minimum and rng.random() < 1 / 12:
            yield Piece(_moved(file, lower=-upper - 2, upper=-upper - 1), "bounds that are negative", False, oracle)
        yield from _forged(rng, file, is_minimum, oracle)
        yield from _degenerate(rng, file, oracle)


def _kind(file: Any) -> str:
    """Return the kind of the objective, of a mixture the kind of what is mixed."""
    objective = file["problem"]["objective"]
    return str(objective.get("objective", objective)["kind"])


def _forged(rng: random.Random, file: Any, is_minimum: bool, oracle: str) -> Iterator[Piece]:
    """Iterate over files whose dual is cheaper, with the bound that it would prove."""
    dual = file["witness"]["dual"]
    kind = _kind(file)
    lower, upper = (F(file["claim"][end]) for end in ("lower", "upper"))
    made = deepcopy(file)
    made["witness"]["dual"]["alpha"] = [str(F(x) / 2) for x in dual["alpha"]]
    _scale_slopes(made, F(1, 2))
    deltas = file["witness"]["delta"]
    ends = [F(one["above"]) for one in (deltas if isinstance(deltas, list) else [deltas])]
    bound = sum((F(x) for x in dual["alpha"]), F(0))
    bound += sum(
        (delta * F(x) for delta, square in zip(ends, _squares(file), strict=True) for row in square or () for x in row),
        F(0),
    )
    if kind in ("a-optimal", "c-optimal", "contrasts", "e-optimal") and lower > 0:
        yield Piece(_moved(made, lower=2 * lower, upper=2 * lower + upper), "a dual that is halved", False, oracle)
    elif kind == "loss" and bound < 0:
        made["witness"]["dual"]["alpha"] = [str(2 * F(x)) for x in dual["alpha"]]
        made["witness"]["dual"]["beta"] = deepcopy(dual["beta"])
        _scale_slopes(made, F(2))
        yield Piece(_moved(made, lower=-2 * bound, upper=-3 * bound), "a dual that is doubled", False, oracle)
    elif not is_minimum and kind != "d-optimal" and bound > 0:
        ends = {"lower": F(0) if kind not in ("trace", "payoff") else bound / 4, "upper": bound / 2}
        if lower > ends["upper"]:
            yield Piece(_moved(made, **ends), "a dual that is halved", False, oracle)
    present = [t for t, square in enumerate(_squares(file)) if square is not None]
    if present:
        t, (j, i) = rng.choice(present), rng.sample(range(len(dual["alpha"])), 2)
        made = deepcopy(file)
        _squares(made)[t][j][i] = "-1"
        yield Piece(made, "a slope that is negative", False, "by construction")
        made = deepcopy(file)
        _squares(made)[t][j][j] = "1"
        yield Piece(made, "a slope on the diagonal", False, "by construction")
        region = file["problem"]["region"]
        pairs = region["levels"][t]["pairs"] if region["kind"] == "privacy-levels" else "all"
        if pairs != "all" and [str(j), str(i)] not in pairs:
            made = deepcopy(file)
            _squares(made)[t][j][i] = "1"
            yield Piece(made, "a slope of a pair that the level does not have", False, "by construction")
    if dual["matrix"] is not None:
        made = deepcopy(file)
        matrix = made["witness"]["dual"]["matrix"]
        matrix = rng.choice(matrix) if isinstance(matrix[0][0], list) else matrix
        row = rng.randrange(len(matrix))
        matrix[row] = [str(F(x) + 1) for x in matrix[row]]
        yield Piece(made, "a column of W that does not sum to 0", False, "by construction")
    if file["witness"]["primal"]:
        made = deepcopy(file)
        primal = made["witness"]["primal"]
        a = primal["estimator"] if "estimator" in primal else rng.choice(primal["estimators"])
        x, y = rng.randrange(len(a)), rng.randrange(len(a[0]))
        a[x][y] = str(F(a[x][y]) + 1)
        yield Piece(made, "an estimator that is biased", False, "by construction")


def _squares(file: Any) -> list[Any]:
    """Return the matrices of beta, one for each level; None where delta is 0."""
    beta = file["witness"]["dual"]["beta"]
    several = file["problem"]["region"]["kind"] == "privacy-levels"
    squares: list[Any] = beta if several else [beta]
    return squares


def _scale_slopes(file: Any, factor: Fraction) -> None:
    for square in _squares(file):
        for row in square or ():
            row[:] = [str(factor * F(x)) for x in row]


def _degenerate(rng: random.Random, file: Any, oracle: str) -> Iterator[Piece]:
    """Iterate over files with another mechanism: an output that is never given, constant rows, too much said."""
    rows = [[F(x) for x in row] for row in file["claim"]["mechanism"]["matrix"]]
    k, primal = len(rows[0]), file["witness"]["primal"]
    if file["problem"]["region"]["outputs"] == "any":
        made = deepcopy(file)
        made["claim"]["mechanism"]["matrix"].append(["0"] * k)
        given = made["witness"]["primal"]
        for line in [*given.get("estimator", []), *(row for a in given.get("estimators", []) for row in a)]:
            line.append(str(rng.randint(-3, 3)))
        yield Piece(made, "an output that is never given", True, "by construction")
    made = deepcopy(file)
    made["claim"]["mechanism"]["matrix"] = texts([[F(1, len(rows))] * k for _ in rows])
    is_positive = F(file["claim"]["lower"]) > 0 and rng.random() < 1 / 8
    if primal or (is_positive and _kind(file) not in ("trace", "loss", "payoff")):
        yield Piece(made, "constant rows", False, oracle)
    delta = file["witness"]["delta"]
    if (
        isinstance(delta, dict)
        and F(delta["below"]) < F(1, 2)
        and file["problem"]["region"]["kind"] != "pairwise-privacy"
    ):
        made = deepcopy(file)
        identity = [[F(int(i == j)) for j in range(k)] for i in range(k)] + [[F(0)] * k for _ in rows[k:]]
        if len(identity) == len(rows):
            made["claim"]["mechanism"]["matrix"] = texts(identity)
            yield Piece(made, "a mechanism that tells the truth", False, "by construction")
    made = deepcopy(file)
    made["claim"]["mechanism"]["matrix"][0][0] = str(rows[0][0] + F(1, 100))
    yield Piece(made, "a column that does not sum to 1", False, "by construction")


FUZZERS = {"rays": pieces}
