"""Random small linear programs of every awkward kind."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from rropt.core.linear import LinearProgram, ProgramBuilder, Relation, Sense

Line = tuple[list[Fraction], Relation, Fraction]


@dataclass
class Draft:
    """A program that can still be changed: every row holds at `point` unless a kind breaks it."""

    rng: random.Random
    rows: list[Line]
    cost: list[Fraction]
    point: list[Fraction]
    tiny: Fraction  # between 10^-9 and 10^-30

    def any_row(self) -> Line:
        return self.rng.choice(self.rows)

    def at_point(self, line: list[Fraction]) -> Fraction:
        return sum((a * x for a, x in zip(line, self.point, strict=True)), Fraction(0))

    def wobble(self, line: list[Fraction], size: int) -> list[Fraction]:
        return [a + self.tiny * self.rng.randint(-size, size) for a in line]


def plain(draft: Draft) -> None:
    """As drawn."""


def degenerate(draft: Draft) -> None:
    """Every row is tight at the point."""
    draft.rows[:] = [(line, relation, draft.at_point(line)) for line, relation, _ in draft.rows]


def infeasible(draft: Draft) -> None:
    line, _, side = draft.any_row()
    draft.rows += [([2 * a for a in line], ">=", 2 * side + 1), (line, "<=", side)]


def barely_infeasible(draft: Draft) -> None:
    line, _, _ = draft.any_row()
    value = draft.at_point(line)
    draft.rows += [(line, "<=", value), ([3 * a for a in line], ">=", 3 * (value + draft.tiny))]


def barely_feasible(draft: Draft) -> None:
    line, _, _ = draft.any_row()
    value = draft.at_point(line)
    draft.rows += [(line, "<=", value + draft.tiny), ([3 * a for a in line], ">=", 3 * value)]


def unbounded(draft: Draft) -> None:
    """The last variable may grow for ever; whether that improves the objective is left to chance."""
    for i, (line, relation, side) in enumerate(draft.rows):
        sign = -1 if relation == "<=" else 1
        draft.rows[i] = ([*line[:-1], sign * abs(line[-1])], "<=" if sign < 0 else ">=", side)
    draft.cost[-1] = Fraction(-3)


def tied(draft: Draft) -> None:
    """The objective is parallel to a face."""
    draft.cost[:] = draft.any_row()[0]


def nearly_tied(draft: Draft) -> None:
    draft.cost[:] = draft.wobble(draft.any_row()[0], 2)


def badly_scaled(draft: Draft) -> None:
    for i, (line, relation, side) in enumerate(draft.rows):
        size = Fraction(10) ** draft.rng.randint(-320, 320)
        draft.rows[i] = ([size * a for a in line], relation, size * side)
    size = Fraction(10) ** draft.rng.randint(-320, 320)
    draft.cost[:] = [size * c for c in draft.cost]


def redundant(draft: Draft) -> None:
    draft.rows += [([5 * a for a in line], relation, 5 * side) for line, relation, side in draft.rows[:3]]


def parallel(draft: Draft) -> None:
    """Rows that floats cannot distinguish, with sides that they can or cannot."""
    line, relation, side = draft.any_row()
    wobbled = side + draft.tiny * draft.rng.randint(-1, 1)
    draft.rows += [
        (draft.wobble(line, 1), relation, wobbled),
        (draft.wobble(line, 1), draft.rng.choice(["<=", ">="]), side),
    ]


def empty_lines(draft: Draft) -> None:
    nothing = [Fraction(0)] * len(draft.cost)
    draft.rows.append((nothing, draft.rng.choice(["<=", ">=", "="]), Fraction(draft.rng.choice([0, 0, 0, 1, -1]))))
    j = draft.rng.randrange(len(draft.cost))
    for line, _, _ in draft.rows:
        line[j] = Fraction(0)


KINDS: tuple[Callable[[Draft], None], ...] = (
    plain, degenerate, infeasible, barely_infeasible, barely_feasible, unbounded, tied, nearly_tied, badly_scaled,
    redundant, parallel, empty_lines,
)  # fmt: skip


def random_program(seed: int) -> tuple[str, LinearProgram]:
    """Return the kind and the program of a seed; the kinds take turns."""
    rng = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    n, m = rng.randint(1, 7), rng.randint(1, 8)
    point = [Fraction(rng.randint(0, 3)) for _ in range(n)]
    draft = Draft(
        rng, [], [Fraction(rng.randint(-4, 5)) for _ in range(n)], point, Fraction(1, 10 ** rng.randint(9, 30))
    )
    for _ in range(m):
        line, gap = [_entry(rng) for _ in range(n)], rng.choice([0, 1, 2])
        relation: Relation = rng.choice(["<=", "<=", ">=", ">=", "="])
        side = draft.at_point(line) + {"<=": gap, ">=": -gap, "=": 0}[relation]
        draft.rows.append((line, relation, side))
    kind(draft)
    return kind.__name__, _built(draft)


def _entry(rng: random.Random) -> Fraction:
    return Fraction(rng.choice([0, 0, 1, -1, 2, 3, -2, 5]), rng.choice([1, 1, 1, 2, 3, 7]))


def _built(draft: Draft) -> LinearProgram:
    sense: Sense = draft.rng.choice(["minimise", "maximise"])
    builder = ProgramBuilder(sense)
    for j, cost in enumerate(draft.cost):
        builder.variable(f"x{j}", cost=cost, sign="free" if draft.rng.random() < 0.2 else "nonnegative")
    for i, (line, relation, side) in enumerate(draft.rows):
        builder.row(f"row {i}", dict(enumerate(line)), relation, side)
    return builder.build()
