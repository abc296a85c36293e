"""Random problems of all kinds, each compared with its twins in SymPy and in CVXPY.

    python benchmarks/random_twins.py [--count 2000] [--first 0] [--seed 1] [--kinds 'trace;pram'] [--silent]

A problem is drawn by its number: its kind in turn, and all numbers of it at random, extreme ones included. The engine
solves it without twins; then both twins are computed. It prints for each kind how many there are, how many have a form
in symbols, how many a comparison in each of the twins, and the median and largest processor times. An *alarm*
(``RouteDisagreementError``) of a correct result is false; each is printed with the number that draws the problem again:
``--first NUMBER --count 1``. So is a comparison that fails with another exception, and a linear or sum problem without
a form. Problems that are infeasible or too large as they are drawn are counted as ``refused``; one that is invalid
is printed.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import median
from time import process_time
from typing import Any

import rropt
from rropt.core.errors import InvalidParameterError, RouteDisagreementError, RroptError, UnsupportedProblemError
from rropt.designs import Problem, every_level_of, solve
from rropt.designs.bits import design_bits
from rropt.designs.mean_designs import design_mean
from rropt.designs.orders import partial_order
from rropt.designs.orders.admissibility import admissible
from rropt.designs.prevalence_intervals import PrevalenceInterval, solve_over_interval
from rropt.designs.repairs import repair
from rropt.mechanisms import Mechanism
from rropt.objectives import (
    OBJECTIVES,
    AOptimality,
    BayesMixture,
    ConditionalVariance,
    Contrast,
    Contrasts,
    Loss,
    MutualInformation,
    Payoff,
    Trace,
)
from rropt.objectives.possible_populations import Populations
from rropt.plans.group_plans import plan_strata
from rropt.privacy import PrivacyRegion, parity_bound
from rropt.privacy.bound import judge
from rropt.privacy.criteria import canonical_information_privacy, information_privacy, rho_to_rho

F = Fraction
Rng = random.Random
EPSILONS = ("log(3)", "log(3)", "log(3/2)", "log(11/10)", "log(20)", "1/2", "1", "1", "2", "3")
DELTAS = ("0", "0", "1/10", "1/50", "1/1000", "exp(-4)")
SUMS = ("total-variation", "chi-square", "kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence")


def shares(rng: Rng, k: int) -> list[str]:
    """Return random proportions, sometimes equal ones."""
    parts = [1] * k if rng.random() < 0.1 else [rng.randint(1, 12) for _ in range(k)]
    return [str(F(x, sum(parts))) for x in parts]


def level(rng: Rng, k: int, *, pure: bool = False) -> dict[str, Any]:
    """Return epsilon and delta; of four categories delta is 0 more often."""
    delta = "0" if pure or (k >= 4 and rng.random() < 0.7) else rng.choice(DELTAS)
    return {"epsilon": rng.choice(EPSILONS), "delta": delta}


def matrix(rng: Rng, rows: int, k: int) -> list[list[int]]:
    return [[rng.randint(-3, 6) for _ in range(k)] for _ in range(rows)]


def columns(rng: Rng, m: int, k: int) -> Mechanism:
    """Return a random mechanism."""
    drawn = [shares(rng, m) for _ in range(k)]
    return Mechanism([[column[i] for column in drawn] for i in range(m)])


def _linear(kind: str) -> Callable[[Rng], Any]:
    def made(rng: Rng) -> Any:
        k = rng.choice([2, 3, 3, 4])
        own = level(rng, k)
        if kind == "trace":
            weighted = Trace([rng.randint(0, 5) or 1 for _ in range(k)])
            return solve(Problem.kary(objective=weighted, categories=k, **own), fast=True)
        own |= {"population": shares(rng, k)}
        goal = Loss(matrix(rng, k, k)) if kind == "loss" else Payoff(matrix(rng, rng.choice([2, k]), k))
        return solve(Problem.kary(objective=goal, **own), fast=True)

    return made


def _divergence(rng: Rng, kind: str, population: list[str]) -> Any:
    """Return a divergence from another distribution."""
    against = population
    while against == population:
        against = shares(rng, len(population))
    order = [rng.choice(["1/3", "3", "2", "-1", "3/2"])] if kind == "alpha-divergence" else []
    return OBJECTIVES[kind](against, *order)  # type: ignore[call-arg]


def _sum(kind: str) -> Callable[[Rng], Any]:
    def made(rng: Rng) -> Any:
        k = rng.choice([2, 3, 3, 4])
        population, own = shares(rng, k), level(rng, k)
        goal = MutualInformation() if kind == "mutual-information" else _divergence(rng, kind, population)
        return solve(Problem.kary(objective=goal, population=population, **own), fast=True)

    return made


def _information(kind: str) -> Callable[[Rng], Any]:
    def made(rng: Rng) -> Any:
        k = rng.choice([2, 3, 3, 4])
        own = {"population": shares(rng, k), **level(rng, k)}
        lines = [[*(rng.randint(-3, 3) for _ in range(k - 1)), 4] for _ in range(2)]
        goal: Any = {"c-optimal": Contrast(lines[0]), "contrasts": Contrasts(lines)}.get(kind, kind)
        return solve(Problem.kary(objective=goal, **own), fast=True)

    return made


def _numbers(rng: Rng) -> Any:
    k = rng.choice([2, 3, 4])
    values = sorted(rng.sample(range(12), k))
    region = PrivacyRegion(rng.choice(EPSILONS), inputs=k, outputs="any")
    return solve(
        type(Problem.kary(2, epsilon="1", objective="trace"))(region, ConditionalVariance(values), [F(1, k)] * k),
        fast=True,
    )


def _polytope(rng: Rng) -> Any:
    k = rng.choice([2, 3])
    hull = Populations.hull([shares(rng, k) for _ in range(3)])
    return solve(Problem.kary(epsilon=rng.choice(EPSILONS), objective="a-optimal", population=hull), fast=True)


def _bayes(rng: Rng) -> Any:
    k = rng.choice([2, 3])
    own = rng.choice([AOptimality, MutualInformation])()
    mixed = BayesMixture(own, ["1/3", "2/3"], [shares(rng, k), shares(rng, k)])
    region = PrivacyRegion(rng.choice(EPSILONS), inputs=k, outputs="any")
    return solve(type(Problem.kary(2, epsilon="1", objective="trace"))(region, mixed, mixed.mean), fast=True)


def _binary(outputs: Any, family: str = "all") -> Callable[[Rng], Any]:
    def made(rng: Rng) -> Any:
        own = level(rng, 2)
        share = str(F(rng.randint(0, 30), 30))
        return solve(
            Problem.binary(
                share, epsilon=own["epsilon"], delta=own["delta"], outputs=outputs, symmetric=family == "warner"
            ),
            fast=True,
        )

    return made


def _interval(rng: Rng) -> Any:
    low, high = sorted(rng.sample(range(21), 2))
    own = level(rng, 2)
    region = PrivacyRegion(own["epsilon"], rng.choice([own["delta"], "1/5", "1/2"]))
    return solve_over_interval(region, PrevalenceInterval(F(low, 20), F(high, 20)), fast=True)


def _levels(rng: Rng) -> Any:
    k = rng.choice([2, 3, 4])
    own: dict[str, Any] = {"objective": Loss(matrix(rng, k, k)), "population": shares(rng, k)}
    asked = rng.choice(["levels", "metric", "bounds"])
    if asked == "levels":
        two = ("log(3)", "0"), (rng.choice(["log(2)", "log(3/2)"]), rng.choice(["1/10", "1/20"]))
        own |= {"level": rropt.privacy.levels(*two)}
    elif asked == "metric":
        own |= {"level": rropt.privacy.metric("line", rng.choice(["log(2)", "log(3/2)", "1/2"]))}
    else:
        own |= {"epsilon": rng.choice(["log(3)", "log(2)"]), "bounds": (rng.choice(["1/10", "1/20"]), None)}
    return solve(Problem.kary(**own), fast=True)


def _criterion_levels(rng: Rng) -> Any:
    level = rng.choice([f"renyi:2,{F(rng.randint(1, 9), 10)}", "zcdp:1/2", "gdp:1"])
    kind = rng.choice(["a-optimal", "mutual-information", "d-optimal"])
    return solve(Problem.kary(objective=kind, population=shares(rng, 2), outputs="any", level=level), fast=True)


def _every_linear(rng: Rng) -> Any:
    k = rng.choice([2, 3])
    goal: Any = rng.choice(
        [
            Loss(matrix(rng, k, k)),
            Payoff(matrix(rng, 2, k)),
            _divergence(rng, "total-variation", population := shares(rng, k)),
        ]
    )
    problem = Problem.kary(level=rropt.privacy.span(), population=population, objective=goal)
    return every_level_of(problem, fast=True)


def _every_closed(rng: Rng) -> Any:
    delta = rng.choice(["0", "1/10", "1/50"])
    kind = rng.choice(["binary", "binary", "a-optimal", "d-optimal", "e-optimal", "trace", "loss"])
    if kind == "binary":
        return every_level_of(
            Problem.binary(str(F(rng.randint(1, 29), 30)), level=rropt.privacy.span("all", delta)), fast=True
        )
    if kind == "trace":
        own: dict[str, Any] = {"categories": 3, "objective": Trace([rng.randint(1, 5) for _ in range(3)])}
    elif kind == "loss":
        own = {"objective": Loss("zero-one"), "population": shares(rng, 3)}
    else:
        own = {"categories": rng.randint(2, 5), "objective": kind}
    return every_level_of(Problem.kary(level=rropt.privacy.span("all", delta), **own), fast=True)


def _pram(rng: Rng) -> Any:
    k = rng.choice([2, 3, 3, 4])
    return rropt.design.pram(shares(rng, k), fast=True, **level(rng, k))


def _repair(rng: Rng) -> Any:
    k = rng.choice([2, 3])
    own = level(rng, k)
    entries = [list(row) for row in columns(rng, k, k).matrix]
    return repair(entries, own["epsilon"], own["delta"], norm=rng.choice(["max", "l1"]), fast=True)


def _bits(rng: Rng) -> Any:
    n = rng.choice([1, 2, 3, 4])
    kind = rng.choice(["marginals", "joint"])
    own: dict[str, Any] = (
        {"weights": [rng.randint(1, 9) for _ in range(n)]} if kind == "marginals" else {"questions": n}
    )
    chosen = [str(F(rng.randint(0, 10), 10)) for _ in range(n)]
    return design_bits(rng.choice(EPSILONS), objective=kind, prevalences=chosen, fast=True, **own)


def _criterion(rng: Rng) -> Any:
    a, c = F(rng.randint(1, 9), 10), F(rng.randint(11, 60), 10)
    texts = [
        f"p^({a})",
        f"min(1, {c}*p)",
        f"min(1, p + {a})",
        f"1-(1-p)^({c})",
        f"{c}*p/(1+({c - 1})*p)",
        f"piecewise({a / 2 + F(1, 2)}, p < {a / 2}, 1)",
        f"(1-exp(-{c}*p))/(1-exp(-{c}))",
        f"log(1+{c}*p)/log({1 + c})",
    ]
    return canonical_information_privacy(rng.choice(texts))


def _parity_bound(rng: Rng) -> Any:
    if rng.random() < 0.2:
        return parity_bound(information_privacy(lower=f"p^{rng.randint(2, 5)}", upper="1"), fast=True)
    return parity_bound(_criterion(rng), fast=True)


def _breach(rng: Rng) -> Any:
    low = F(rng.randint(1, 5), 10)
    wanted = rho_to_rho(low, min(low + F(rng.randint(1, 4), 10), F(19, 20)))
    wanted = wanted if rng.random() < 0.6 else _criterion(rng)
    return judge(columns(rng, rng.choice([2, 3]), rng.choice([2, 3])), wanted, fast=True)


def _comparison(rng: Rng) -> Any:
    k = rng.choice([2, 3])
    first, second = columns(rng, rng.choice([2, 3, 4]), k), columns(rng, rng.choice([2, 3]), k)
    if rng.random() < 0.5:  # a garbling
        second = columns(rng, 3, first.outputs) @ first
    return rropt.compare(first, second, fast=True)


def _order(rng: Rng) -> Any:
    return partial_order([columns(rng, 2, 2) for _ in range(rng.randint(2, 4))])


def _admissibility(rng: Rng) -> Any:
    if rng.random() < 0.5:
        return admissible(columns(rng, 2, rng.choice([2, 3])), None, fast=True)
    share = F(rng.randint(51, 74), 100)
    return admissible(Mechanism.binary(share, share), "log(3)", fast=True)


def _strata(rng: Rng) -> Any:
    count = rng.choice([2, 3, 5])
    device = Mechanism.binary(*(F(rng.randint(55, 99), 100) for _ in range(2)))
    chosen = [str(F(rng.randint(0, 20), 20)) for _ in range(count)]
    return plan_strata(device, shares(rng, count), chosen, n=rng.choice([20, 100, 1000]), fast=True)


def _mean(rng: Rng) -> Any:
    epsilon = rng.choice(["1/2", "1", "log(3)", "2", "3"])
    if rng.random() < 0.3:
        return design_mean(epsilon, range=f"0..{rng.randint(1, 9)}", points=rng.choice([3, 5, 9]), fast=True)
    k = rng.choice([2, 3, 4])
    own = {"proportions": shares(rng, k)} if rng.random() < 0.4 else {}
    return design_mean(epsilon, values=sorted(rng.sample(range(12), k)), **own, fast=True)


def _large(rng: Rng) -> Any:
    """More categories than a form in symbols has, up to twelve."""
    kind = rng.choice(["trace", "loss", "total-variation", "chi-square", "mutual-information", "a-optimal"])
    k = rng.choice([5, 6, 7, 9, 12]) if kind != "a-optimal" else rng.choice([5, 6])
    epsilon, population = rng.choice(EPSILONS), shares(rng, k)
    if kind == "trace":
        return solve(Problem.kary(objective=Trace(population), categories=k, epsilon=epsilon), fast=True)
    goal = _divergence(rng, kind, population) if kind in SUMS else "loss:absolute" if kind == "loss" else kind
    return solve(Problem.kary(objective=goal, epsilon=epsilon, population=population), fast=True)


KINDS: dict[str, Callable[[Rng], Any]] = {
    **{kind: _linear(kind) for kind in ("trace", "loss", "payoff")},
    **{kind: _sum(kind) for kind in (*SUMS, "mutual-information")},
    **{kind: _information(kind) for kind in ("a-optimal", "c-optimal", "contrasts", "d-optimal", "e-optimal")},
    "numbers": _numbers,
    "polytope": _polytope,
    "mean over distributions": _bayes,
    "binary": _binary(2),
    "binary, warner": _binary(2, "warner"),
    "binary, three outputs": _binary(3),
    "binary, any outputs": _binary("any"),
    "interval": _interval,
    "levels": _levels,
    "renyi, zcdp, gdp": _criterion_levels,
    "every level": _every_linear,
    "every level, closed": _every_closed,
    "pram": _pram,
    "repair": _repair,
    "bits": _bits,
    "b(h)": _parity_bound,
    "breach": _breach,
    "comparison": _comparison,
    "order": _order,
    "admissibility": _admissibility,
    "strata": _strata,
    "mean": _mean,
    "five to twelve categories": _large,
}
OF_A_FORM = ("trace", "loss", "payoff", *SUMS, "mutual-information")  # linear and sum problems always have one


@dataclass
class Tally:
    """What is counted of a kind."""

    count: int = 0
    refused: int = 0
    formed: int = 0
    compared: Counter[str] = field(default_factory=Counter)
    solving: list[float] = field(default_factory=list)
    twins: list[float] = field(default_factory=list)


def drawn(number: int, seed: int, kinds: list[str]) -> tuple[str, Any]:
    """Return the kind and the result of a number.

    Raises:
        RroptError: the problem is invalid, or too large, as it is drawn.
    """
    kind = kinds[number % len(kinds)]
    return kind, KINDS[kind](random.Random(f"{seed} {number} {kind}"))


def _said(result: Any, own: Tally, found: Any) -> None:
    """Compute both twins of a result, and print what is wrong."""
    formed = False
    for by in ("sympy", "cvxpy"):
        try:
            twin = getattr(result, f"{by}_twin")()
        except RouteDisagreementError as error:
            found(by, "ALARM", str(error))
        except UnsupportedProblemError as error:
            found(by, "silent", str(error))
        except Exception as error:  # counted: a comparison that fails is a defect of a twin
            found(by, "FAILED", f"{type(error).__name__}: {error}")
        else:
            own.compared[by] += twin.agrees is not None
            formed = formed or twin.form is not None
            if twin.agrees is None:
                found(by, "silent", twin.why)
    own.formed += formed


Silent = Counter[tuple[str, str, str]]


def _compare(
    number: int, seed: int, kinds: list[str], tallies: dict[str, Tally], said: Counter[str], silent: Silent
) -> None:
    """Draw one problem, solve it, compute its twins, and count what they say."""
    kind = kinds[number % len(kinds)]
    own, start = tallies[kind], process_time()
    try:
        _, result = drawn(number, seed, kinds)
    except (RroptError, ValueError) as error:
        own.refused += 1
        is_defect = isinstance(error, RouteDisagreementError | InvalidParameterError) or not isinstance(
            error, RroptError
        )
        if is_defect:  # an argument that is invalid is a defect of this script, which then draws nothing
            print(f"ENGINE {kind} {number}: {type(error).__name__} {error}", flush=True)
        return
    middle = process_time()

    def found(by: str, what: str, why: str, at: str = f"{kind} {number}") -> None:
        said[what] += 1
        if what == "silent":
            silent[at.rpartition(" ")[0], by, why[:90]] += 1
        else:
            print(f"{what} {by} {at}: {why}", flush=True)

    _said(result, own, found)
    own.count += 1
    own.solving.append(middle - start)
    own.twins.append(process_time() - middle)
    if kind in OF_A_FORM and own.formed != own.count:
        print(f"NO FORM {kind} {number}", flush=True)
        own.formed = own.count


def main() -> None:
    """Draw problems, compare them, and print the counts of each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=len(KINDS) * 2, help="problems")
    parser.add_argument("--first", type=int, default=0, help="the number of the first problem")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", help="some of the kinds, separated by semicolons")
    parser.add_argument("--silent", action="store_true", help="print why a twin is silent, too")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    kinds = given.kinds.split(";") if given.kinds else list(KINDS)
    tallies, said = {kind: Tally() for kind in kinds}, Counter[str]()
    silent: Silent = Counter()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):  # then what has been drawn so far is printed
        for number in range(given.first, given.first + given.count):
            _compare(number, given.seed, kinds, tallies, said, silent)
    _print(tallies, said, silent if given.silent else Counter())


def _print(tallies: dict[str, Tally], said: Counter[str], silent: Silent) -> None:
    print(f"{'kind':28}{'count':>6}{'form':>6}{'SymPy':>6}{'CVXPY':>6}{'refused':>8}  solving s     twins s")
    for kind, own in tallies.items():
        times = [f"{median(each):5.2f} {max(each):6.2f}" if each else " " * 12 for each in (own.solving, own.twins)]
        print(
            f"{kind:28}{own.count:6}{own.formed:6}{own.compared['sympy']:6}{own.compared['cvxpy']:6}{own.refused:8}"
            f"  {times[0]}  {times[1]}"
        )
    total = sum(own.count for own in tallies.values())
    print(f"{total} problems, alarms {said['ALARM']}, failed comparisons {said['FAILED']}")
    for (kind, by, why), times in sorted(silent.items()):
        print(f"silent: {kind}: {by}: {times} x {why}")


if __name__ == "__main__":
    sys.exit(main())
