"""The sensitivities after Definition 6: a count, a fraction, an average without bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from rropt.claims import Bound, Claim, Domain, Point
from rropt_proofs.ziani import PAPER

COUNT, FRACTION, SALARY = "how many", "what fraction", "average salary"
ENTRIES = Domain.values("what an entry can be", (0, 1), entries={(): "0 <= x <= 1"})


def theory(point: Point) -> dict[str, Fraction | Bound]:
    """The sensitivities of the count and of the fraction; an average moves by more than any bound c."""
    return {COUNT: Fraction(1), FRACTION: Fraction(1, point["n"]), SALARY: Bound("greater", point["c"])}


def _mean(x: Sequence[int]) -> Fraction:
    return Fraction(sum(x), len(x))


def _sensitivity(f: Callable[[Sequence[int]], Fraction], n: int, entries: Sequence[int]) -> Fraction:
    """The largest change over all databases of n entries and all changes of a single entry."""
    return max(
        abs(f(x) - f((*x[:i], other, *x[i + 1 :])))
        for x in product(entries, repeat=n)
        for i in range(n)
        for other in entries
    )


def computed(point: Point) -> dict[str, Fraction]:
    """The largest change over all databases and all changes of one entry; of the average, one change above c."""
    n, entries = point["n"], point["entries"]
    poor = (0,) * n
    rich = (n * (point["c"] + 1), *poor[1:])  # one salary changes
    return {
        COUNT: _sensitivity(lambda x: Fraction(sum(x)), n, entries),
        FRACTION: _sensitivity(_mean, n, entries),
        SALARY: _mean(rich) - _mean(poor),
    }


def mutant(point: Point) -> dict[str, Fraction | Bound]:
    """The fraction with 1/(n + 1)."""
    return {**theory(point), FRACTION: Fraction(1, point["n"] + 1)}


CLAIM = Claim(
    id="ziani.sensitivity-examples",
    source=f"{PAPER}, after Definition 6",
    place=(2, 1),
    printed=r"How many people in the database are male? Have cancer? $\Delta f=1$. [...] What fraction of people in "
    r"the database are female? $\Delta f=1/n$. [...] What is the average salary of individuals in the "
    r"database? $\Delta f=+\infty$.",
    precise="Neighbours as the text has them: a single entry of a database of n >= 1 individuals changes. The largest "
    "change is 1 for a count, 1/n for a fraction, and unbounded for the average of values without an upper bound.",
    variables={
        "n": Domain.whole("number of individuals", 1, 6),
        "entries": ENTRIES,
        "c": Domain.interval("a bound that the change of the average exceeds, c >= 0", 0, 1000000, also=(1, 1000)),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=40,
    notes=r"The last is a supremum, not a maximum. When a neighbour adds or deletes an individual the count keeps "
    r"sensitivity $1$; for the fraction $n$ is then no constant, and a deletion from $n\ge2$ moves it by up to "
    r"$\frac1n$.",
)
