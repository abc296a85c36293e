"""B(h) of criteria that nobody has seen: random compositions as a person might write them, against mpmath.

    python benchmarks/fresh_criteria.py [--count 200] [--seed 20261121] [--list]

A criterion is drawn by rules under which ``p <= h(p) <= 1``: powers, roots, exponentials, logarithms, posterior odds,
their means, minima, maxima and pieces, and compositions of them, as text of at most 160 characters. mpmath evaluates it
as Python's own parser reads it (``tests/support/criteria_oracle.py``). The truth is the least
odds ratio on a grid in log-odds, refined by golden section around each of its three best points, at 150 digits; next to
0 and 1 also at distances of 1e-87 and 1e-130, at 400. No enclosure may begin above it; where it ends below it by more
than 1e-9, the infimum is approached more slowly at an end, or the enclosure is wrong: such criteria are listed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath as mp

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from criteria_oracle import in_python, odds

from rropt.core.errors import RroptError
from rropt.privacy.bound import parity_bound
from rropt.privacy.criteria import canonical_information_privacy

F = Fraction
GAP = F(1, 10**12)  # relative
SECONDS = 5.0
LONGEST = 160  # characters, half of them the brackets of every operation
_SHARES = (F(1, 2), F(1, 3), F(2, 3), F(3, 4), F(1, 4), F(9, 10), F(1, 10), F(2, 5))
_FACTORS = (F(2), F(3), F(3, 2), F(5), F(10), F(5, 4), F(12))


def _simple(rng: random.Random, x: str) -> str:
    """Return a function of x that is at least x on (0, 1], and at most 1."""
    a, c = rng.choice(_SHARES), rng.choice(_FACTORS)
    irrational = rng.choice([f"1/sqrt({c})", f"log({1 + 1 / c})", f"exp(-({a}))", f"{1 / (1 + a)}"])
    forms = [
        f"({x})^({a})",
        f"sqrt({x})",
        f"({x})^({irrational})",
        f"1-(1-({x}))^({c})",
        f"1-(1-({x}))^sqrt({c})",
        f"1-(1-({x}))*exp(-({a})*({x}))",
        f"1-(1-({x}))/(1+({c})*({x}))",
        f"({c})*({x})/(1+({c - 1})*({x}))",
        f"1/(1+(1-({x}))/(({x})*({c})))",
        f"1/(1+(1-({x}))/(({x})*({c}+sqrt({x}))))",
        f"1/(1+(1-({x}))/(({x})*({1 + a}+({x}))))",
        f"log(1+({c})*({x}))/log({1 + c})",
        f"(1-exp(-({c})*({x})))/(1-exp(-({c})))",
        f"exp(({a})*log({x}))",
        f"exp(({a})*(({x})-1))*({x})^({1 - a})",
        f"({x})*(1-({a})*log({x}))",
        f"({x})+({a})*({x})*(1-({x}))",
        f"({x})+({a})*(1-({x}))^2*({x})",
        f"({x})*exp(({a})*(1-({x})))" if a <= F(1, 2) else f"({x})*(2-({x}))",
        f"min(1, ({c})*({x}))",
        f"min(1, ({x})+{a / 5})",
        f"max({x}, {a})",
        f"min(1, ({x})+exp(-({c})))",
    ]
    return rng.choice(forms)


def _joined(rng: random.Random, f: str, g: str) -> str:
    a, cut = rng.choice(_SHARES), rng.choice((F(1, 2), F(1, 3), F(1, 10), F(7, 10)))
    forms = [
        f"max({f}, {g})",
        f"min({f}, {g})",
        f"({a})*({f})+({1 - a})*({g})",
        f"sqrt(({f})*({g}))",
        f"2/(1/({f})+1/({g}))",
        f"exp(({a})*log({f})+({1 - a})*log({g}))",
        f"({f})^({a})*({g})^({1 - a})",
        f"({f})+({a})*({g})*(1-({f}))",
        f"piecewise({f}, p < {cut}, {g})",
    ]
    return rng.choice(forms)


def criteria(rng: random.Random, count: int) -> Iterator[str]:
    """Draw different criteria of one to three simple functions."""
    seen: set[str] = set()
    while len(seen) < count:
        drawn = _simple(rng, "p")
        shape = rng.random()
        if shape < 0.35:
            drawn = _simple(rng, drawn)
        elif shape < 0.8:
            drawn = _joined(rng, drawn, _simple(rng, "p"))
        elif shape < 0.92:
            drawn = _joined(rng, drawn, _simple(rng, _simple(rng, "p")))
        if len(drawn) <= LONGEST and drawn not in seen:
            seen.add(drawn)
            yield drawn


def truth(h: Callable[[Any], Any]) -> Any:
    """Return the least odds ratio that a search finds: at least the infimum."""

    golden = (mp.sqrt(5) - 1) / 2
    grid = [mp.mpf(i) / 16 for i in range(-1600, 1601, 1)]
    near = sorted({*(g for g in grid if abs(g) <= 12), *grid[::16]})
    values = [odds(h, 1 / (1 + mp.exp(-t))) for t in near]
    with mp.workdps(400):
        found = min([*values, *(odds(h, x) for t in (200, 300) for x in (mp.exp(-t), 1 - mp.exp(-t)))])
    for best in sorted(range(len(near)), key=values.__getitem__)[:3]:
        low, high = near[max(best - 1, 0)], near[min(best + 1, len(near) - 1)]
        for _ in range(100):
            left, right = high - golden * (high - low), low + golden * (high - low)
            one, other = (odds(h, 1 / (1 + mp.exp(-t))) for t in (left, right))
            found = min(found, one, other)
            low, high = (low, right) if one < other else (left, high)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--list", action="store_true", help="every criterion with its enclosure")
    args = parser.parse_args()
    mp.mp.dps = 150
    enclosed = refused = wrong = 0
    times: list[float] = []
    for text in criteria(random.Random(args.seed), args.count):
        begin = time.process_time()
        try:
            bound = parity_bound(canonical_information_privacy(text), fast=True)
        except RroptError as error:
            refused += 1
            print(f"refused   {text}\n          {error}", flush=True)
            continue
        seconds = time.process_time() - begin
        times.append(seconds)
        exact = truth(in_python(text))
        lower, upper = (None if x is None else mp.mpf(x.numerator) / x.denominator for x in (bound.lower, bound.upper))
        is_narrow = lower is not None and upper is not None and bound.upper - bound.lower <= GAP * bound.upper
        enclosed += is_narrow and seconds <= SECONDS
        if lower is not None and lower > exact * (1 + mp.mpf(10) ** -40):
            wrong += 1
            print(f"WRONG     {text}: at least {mp.nstr(lower, 20)}, found {mp.nstr(exact, 20)}", flush=True)
        elif upper is not None and upper < exact * (1 - mp.mpf(10) ** -9):
            print(f"look      {text}: at most {mp.nstr(upper, 15)}, found {mp.nstr(exact, 15)}", flush=True)
        if not is_narrow or seconds > SECONDS:
            print(f"wide      {text}: {mp.nstr(lower, 15)} to {mp.nstr(upper, 15)} in {seconds:.1f} s", flush=True)
        if args.list:
            print(f"{seconds:6.2f} s  {mp.nstr(lower, 12)}  {text}", flush=True)
    times.sort()
    print(
        f"{args.count} criteria, seed {args.seed}: {enclosed} enclosed to 1e-12 within {SECONDS:g} s, {refused} "
        f"refused, {wrong} wrong; median {times[len(times) // 2]:.2f} s, slowest {times[-1]:.2f} s of processor time"
    )


if __name__ == "__main__":
    main()
