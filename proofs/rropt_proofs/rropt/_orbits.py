"""Groups of equal proportions: permutations inside groups, sums by group, and what patterns have by their counts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

from rropt.claims import Entry, Fold, Point


def rearrangements(group: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the permutations of the inputs that keep their groups."""
    members = [[j for j, own in enumerate(group) if own == g] for g in sorted(set(group))]
    return tuple(tuple(j for part in parts for j in part) for parts in product(*map(permutations, members)))


def inputs(point: Point) -> range:
    """Return the places of the categories."""
    return range(len(point["case"]["group"]))


def answers(point: Point) -> range:
    """Return the places of the answers."""
    return range(len(point["case"]["P"]))


def squares() -> Fold:
    """The square of a pattern times W, input by input and by the number of gammas in each group."""
    return Fold(
        over=lambda point, at: [
            {
                "own4": Entry("case", "a", g),
                "t4": Entry("tails", g),
                "n4": Entry("counts", g),
                "size4": Entry("sizes", g),
                "of": g,
            }
            for g in range(len(point["case"]["share"]))
        ],
        start={"by_input": 0, "by_count": 0},
        update={
            "by_input": "by_input + all4",
            "by_count": "by_count + n4*(gamma*own4 + t4)**2 + (size4 - n4)*(own4 + t4)**2",
        },
        invariants="by_input == by_count",
        inner=Fold(
            over=lambda point, at, element: [
                {"bit4": Entry("case", "bits", j), "one4": Entry("ones", j)}
                for j in inputs(point)
                if point["case"]["group"][j] == element["of"]
            ],
            start={"all4": 0, "bits4": 0, "ones4": 0},
            update={
                "all4": "all4 + ((1 + (gamma - 1)*bit4)*own4 + t4)**2",
                "bits4": "bits4 + bit4",
                "ones4": "ones4 + one4",
            },
            invariants="all4 == bits4*(gamma*own4 + t4)**2 + (ones4 - bits4)*(own4 + t4)**2",
            totals={"bits4": "n4", "ones4": "size4"},
        ),
    )


def unbiased(point: Point) -> Iterator[Any]:
    """The estimates have the means 1 and 0."""
    for j in inputs(point):
        for x in inputs(point):
            yield [(("case", "P", i, j), ("case", "A", i, x)) for i in answers(point)], ("case", "unit", j, x)


def of_hits(point: Point) -> Iterator[Any]:
    """What each permutation makes of the mean."""
    for place, way in enumerate(rearrangements(point["case"]["group"])):
        j, x = way[point["j"]], way[point["l"]]
        yield [(("case", "P", i, j), ("case", "A", i, x)) for i in answers(point)], ("hits", place)


def of_moment(point: Point) -> Iterator[Any]:
    """The squares of the estimates by the probabilities of the answers."""
    places = product(answers(point), inputs(point), inputs(point))
    group = point["case"]["group"]
    yield (
        [
            (("case", "A", i, x), ("case", "A", i, x), ("case", "P", i, j), ("case", "share", group[j]))
            for i, x, j in places
        ],
        ("moment", 0),
    )


def in_groups(name: str, *path: str) -> Any:
    """Return the equations of sums over the groups."""

    def equations(point: Point) -> Iterator[Any]:
        group = point["case"]["group"]
        for g in range(len(point["case"]["share"])):
            yield [((*path, j),) for j in inputs(point) if group[j] == g], (name, g)

    return equations
