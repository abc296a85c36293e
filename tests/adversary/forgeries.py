"""Forgeries: certificates that are consistent in every field and yet claim something false, or something else.

A mutant changes one field and the next one contradicts it. A forger who knows the format recomputes the rest: he moves
a bracket off the truth and works out vertices and values for it, returns a worse design with its own true value,
hides an optimum or adds one. Brackets widened around the truth stay true, and are accepted unless a tie is undecided.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from adversary.designs import Design, variance, vertices
from adversary.mutants import SMALL, TINY, matrix
from adversary.writing import write

Ends = tuple[Fraction, Fraction]

_STEPS = [TINY, SMALL, Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 2)]


@dataclass(frozen=True)
class Forgery:
    """The parts from which a certificate follows; what is None is worked out as the format wants it.

    ``picked`` are the numbers of the vertices at the level below that stand as optima, if ``optima`` is None.
    """

    kind: str
    trick: str
    problem: Any
    gamma: Ends
    delta: Ends
    optima: Sequence[Design] | None = None
    picked: tuple[int, ...] | None = None
    mechanism: Design | None = None
    lower: Fraction | None = None
    upper: Fraction | None = None
    optimal_set: Any = "worked out"

    @property
    def pi(self) -> Fraction:
        return Fraction(self.problem["from"])

    @property
    def family(self) -> str:
        return str(self.problem["family"])

    def designs(self, end: int) -> list[Design]:
        """Return the vertices at the level below (0) or above (1)."""
        return [design for design, _ in vertices(self.gamma[end], self.delta[end], self.family)]

    def best(self, end: int) -> list[Design]:
        """Return the best vertices at one of the levels."""
        designs = self.designs(end)
        least = min(variance(design, self.pi) for design in designs)
        return [design for design in designs if variance(design, self.pi) == least]

    def but(self, trick: str, **changes: Any) -> Forgery:
        """Return the forgery with other parts."""
        return replace(self, trick=trick, **changes)

    def text(self) -> str | None:
        """Return the document; None if no such certificate can be written down: a level with nothing to estimate."""
        if self.gamma[0] < 1 or self.delta[0] < 0 or not (self.designs(0) and self.designs(1)):
            return None
        optima = self._optima()
        return write(self._document(optima)) if optima else None

    def _optima(self) -> list[Design]:
        if self.optima is not None:
            return list(self.optima)
        below = self.designs(0)
        return self.best(0) if self.picked is None else [below[i] for i in self.picked if i < len(below)]

    def _document(self, optima: list[Design]) -> Any:
        mechanism = self.mechanism or optima[0]
        lower = variance(self.best(1)[0], self.pi) if self.lower is None else self.lower
        upper = variance(mechanism, self.pi) if self.upper is None else self.upper
        segment = self._segment() if self.optimal_set == "worked out" else self.optimal_set
        return {
            "format": "2",
            "statement": "binary-bracket",
            "problem": self.problem,
            "claim": {
                "lower": str(lower),
                "upper": str(upper),
                "mechanism": {"matrix": matrix(*mechanism)},
                "optima": [{"matrix": matrix(*design)} for design in optima],
                "set": segment,
            },
            "proof": {
                "brackets": [
                    {
                        "gamma": {"below": str(self.gamma[0]), "above": str(self.gamma[1])},
                        "delta": {"below": str(self.delta[0]), "above": str(self.delta[1])},
                    }
                ]
            },
        }

    def _segment(self) -> Any:
        if self.family == "warner" or self.pi not in (0, 1) or not self.delta[0]:
            return None
        mirror = 1 if self.pi == 0 else -1
        return {"after": ["1", "0"][::mirror], "through": ["1", str(self.delta[0])][::mirror]}


def forgeries(honest: str, others: Sequence[str]) -> Iterator[Forgery]:
    """Return the forgeries of a certificate; ``others`` lend their problems and their levels."""
    document = json.loads(honest)
    base = Forgery("honest", "none", document["problem"], _ends(document, "gamma"), _ends(document, "delta"))
    yield base
    for kind, forge in _KINDS.items():
        yield from forge(replace(base, kind=kind))
    borrower = replace(base, kind="borrowed")
    for i, other in enumerate(map(json.loads, others)):
        yield borrower.but(f"the problem of certificate {i}", problem=other["problem"])
        yield borrower.but(f"gamma of certificate {i}", gamma=_ends(other, "gamma"))
        yield borrower.but(f"delta of certificate {i}", delta=_ends(other, "delta"))


def _stale(base: Forgery) -> Iterator[Forgery]:
    """Yield what was right for another prevalence."""
    best, value = base.best(0), variance(base.best(0)[0], base.pi)
    old = {"optima": best, "upper": value, "lower": variance(base.best(1)[0], base.pi)}
    for shift in (sign * step for step in _STEPS for sign in (1, -1)):
        pi = base.pi + shift
        if 0 <= pi <= 1:
            problem = {**base.problem, "from": str(pi), "to": str(pi)}
            yield base.but(f"stale at a prevalence off by {float(shift)}", problem=problem, **old)
            yield base.but(f"optima of a prevalence off by {float(shift)}", problem=problem, optima=best)


def _other_prevalences(base: Forgery) -> Iterator[Forgery]:
    """Yield certificates worked out for another prevalence: true inside [0, 1], and no distribution outside."""
    for pi in map(Fraction, ("-1/10", "-2", "11/10", "3", "0", "1", "1/2", "1/3")):
        for end in (pi, pi + 1, base.pi):
            problem = {**base.problem, "from": str(pi), "to": str(end)}
            yield base.but(f"prevalences {pi} to {end}", problem=problem)


def _ends(document: Any, name: str) -> Ends:
    ends = document["proof"]["brackets"][0][name]
    return Fraction(ends["below"]), Fraction(ends["above"])


def _moved_brackets(base: Forgery) -> Iterator[Forgery]:
    for name, most in (("gamma", None), ("delta", Fraction(1))):
        low, high = getattr(base, name)
        for step in _STEPS:
            moves = {
                "wider": (low - step, high + step),
                "up": (low + step, high + step),
                "down": (low - step, high - step),
            }
            moves |= {"lower end down": (low - step, high), "upper end up": (low, high + step)}
            moves |= {"lower end up": (low + step, high + step * 2), "upper end down": (low - step * 2, high - step)}
            for move, (below, above) in moves.items():
                ends = (max(below, Fraction(0)), above if most is None else min(above, most))
                yield base.but(f"{name}'s bracket {move} by {float(step)}", **{name: ends})
        for end, move in ((low, "both below"), (high, "both above"), ((low + high) / 2, "both in the middle")):
            yield base.but(f"{name}'s bracket: {move}", **{name: (end, end)})
        yield base.but(f"{name}'s bracket exchanged", **{name: (high, low)})
    yield base.but("below and above exchanged", gamma=base.gamma[::-1], delta=base.delta[::-1])


def _one_sided_brackets(base: Forgery) -> Iterator[Forgery]:
    """Yield brackets of gamma that begin at 1, where the diagonal design is no vertex, with every answer."""
    for high in (base.gamma[1], 2 * base.gamma[1], Fraction(10**6)):
        for picked in (None, (0,), (1,), (0, 1)):
            yield base.but(f"gamma from 1 to {high}, {picked} chosen", gamma=(Fraction(1), high), picked=picked)


def _coarse_brackets(base: Forgery) -> Iterator[Forgery]:
    """Yield brackets so wide that they may leave the best vertex open, each with every answer that could be given."""
    shares = (Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), Fraction(99, 100), Fraction(1))
    answers = [None, *(picked for size in (1, 2, 3) for picked in combinations(range(3), size))]
    gammas = [(1 + (base.gamma[0] - 1) * s, 1 + (base.gamma[1] - 1) * (3 - 2 * s)) for s in shares]
    deltas = [(base.delta[0] * s, base.delta[1] + (1 - base.delta[1]) * (1 - s) / 2) for s in shares]
    for gamma, delta in product(
        gammas if base.gamma[0] < base.gamma[1] else [base.gamma],  # a rational number has no other bracket
        deltas if base.delta[0] < base.delta[1] else [base.delta],
    ):
        for picked in answers:
            yield base.but(f"brackets {gamma}, {delta}, {picked} chosen", gamma=gamma, delta=delta, picked=picked)


def _other_designs(base: Forgery) -> Iterator[Forgery]:
    best = base.best(0)
    zero, one, half = Fraction(0), Fraction(1), Fraction(1, 2)
    designs = {f"vertex {i}": design for i, design in enumerate(base.designs(0))}
    designs |= {f"vertex {i} above": design for i, design in enumerate(base.designs(1))}
    designs |= {
        "direct questioning": (one, one),
        "p00 only": (one, half),
        "a bit more than useless": (half, half + TINY),
    }
    for p, q in (best[0], *base.designs(0)):
        for step in _STEPS:
            designs[f"inside of {float(p)} by {float(step)}"] = (p - step, q - step)
            designs[f"outside of {float(p)} by {float(step)}"] = (p + step, q + step)
            designs[f"beside {float(p)} by {float(step)}"] = (p - step, q + step)
        designs[f"answers exchanged of {float(p)}"] = (1 - q, 1 - p)
        designs[f"outputs exchanged of {float(p)}"] = (1 - p, 1 - q)
        designs[f"mirror image of {float(p)}"] = (q, p)
    for name, design in designs.items():
        if sum(design) == 1 or not (zero <= min(design) and max(design) <= one):
            continue
        yield base.but(f"{name} as the only optimum", optima=[design])
        yield base.but(f"{name} as the mechanism", optima=best, mechanism=design)
        yield base.but(f"{name} as one more optimum", optima=sorted({*best, design}), mechanism=best[0])
        yield base.but(f"{name} with the best value", optima=[design], upper=variance(best[0], base.pi))
    for i in range(len(best)):
        yield base.but(f"without optimum {i}", optima=best[:i] + best[i + 1 :], mechanism=best[i - 1])
        yield base.but(f"optimum {i} as the mechanism", optima=best, mechanism=best[i])
    yield base.but("all vertices as optima", optima=base.designs(0), mechanism=best[0])
    yield base.but("optima of the level above", optima=base.best(1))
    yield base.but("optima in descending order", optima=best[::-1], mechanism=best[0])


def _other_values(base: Forgery) -> Iterator[Forgery]:
    lower, upper = (variance(base.best(end)[0], base.pi) for end in (1, 0))
    yield base.but("lower raised to upper", lower=upper)
    yield base.but("upper pressed down to lower", upper=lower)
    yield base.but("lower in the middle", lower=(lower + upper) / 2)
    yield base.but("upper in the middle", upper=(lower + upper) / 2)
    for step in _STEPS:
        for shift in (step, -step):
            yield base.but(f"lower off by {float(shift)}", lower=lower + shift)
            yield base.but(f"upper off by {float(shift)}", upper=upper + shift)
            yield base.but(f"both off by {float(shift)}", lower=lower + shift, upper=upper + shift)


def _other_sets(base: Forgery) -> Iterator[Forgery]:
    delta = base.delta
    ends = [delta[0], delta[1], delta[0] + TINY, delta[0] / 2, Fraction(0), Fraction(1), Fraction(1, 2)]
    yield base.but("no optimal set", optimal_set=None)
    for end in ends:
        for mirror in (1, -1):
            segment = {"after": ["1", "0"][::mirror], "through": ["1", str(end)][::mirror]}
            yield base.but(f"an optimal set through {float(end)}", optimal_set=segment)
            backwards = {"after": segment["through"], "through": segment["after"]}
            yield base.but(f"an optimal set after {float(end)}", optimal_set=backwards)


_KINDS: dict[str, Callable[[Forgery], Iterator[Forgery]]] = {
    "moved bracket": _moved_brackets,
    "one-sided bracket": _one_sided_brackets,
    "coarse bracket": _coarse_brackets,
    "design": _other_designs,
    "value": _other_values,
    "optimal set": _other_sets,
    "stale": _stale,
    "prevalence": _other_prevalences,
}
