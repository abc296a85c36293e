"""Design problems with k inputs, their rows as rule 3 of the page writes them, and files about them, in fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from .harness import document
from .levels import Level
from .orders import Rows, texts

F = Fraction
TIE = mp.mpf(10) ** -50
Row = tuple[str, dict[Any, Fraction], int, Fraction]  # kind, coefficients, sign of its multiplier (0: free), bound


@dataclass(frozen=True)
class Design:
    """A problem with k inputs and m outputs, brackets of its levels, and a mechanism."""

    kind: str  # parity, excess, pairwise
    gammas: dict[tuple[int, int], tuple[Level, Fraction, Fraction]]  # for each pair its level and the bracket
    delta: tuple[Level, Fraction, Fraction]
    bounds: tuple[Rows, Rows] | None
    objective: str  # trace, loss, largest, total
    data: Rows  # weights (one row), loss or target
    shares: list[Fraction]
    p: Rows
    method: str

    @property
    def m(self) -> int:
        """The number of outputs."""
        return len(self.p)

    @property
    def k(self) -> int:
        """The number of inputs."""
        return len(self.p[0])

    def pairs(self) -> list[tuple[int, int]]:
        """Return the ordered pairs that have a level."""
        return sorted(self.gammas)

    def costs(self) -> Rows:
        """Return the costs of minimising."""
        if self.objective == "trace":
            return [[-self.data[0][i] if i == j else F(0) for j in range(self.k)] for i in range(self.m)]
        if self.objective == "loss":
            return [[self.shares[j] * x for j, x in enumerate(row)] for row in self.data]
        return [[F(0)] * self.k for _ in range(self.m)]

    def value(self, p: Rows) -> Fraction:
        """Return what is minimised, by its definition."""
        if self.objective in ("largest", "total"):
            changes = [
                abs(x - q) for row, wanted in zip(p, self.data, strict=True) for x, q in zip(row, wanted, strict=True)
            ]
            return max(changes) if self.objective == "largest" else sum(changes, F(0))
        return sum(
            (c * x for line, row in zip(self.costs(), p, strict=True) for c, x in zip(line, row, strict=True)), F(0)
        )

    def rows(self) -> list[Row]:
        """Return the rows at the levels above, in the order of the page."""
        k, m, delta = self.k, self.m, self.delta[2]
        cells = [(i, j) for i in range(m) for j in range(k)]
        rows: list[Row] = [("column", {(i, j): F(1) for i in range(m)}, 0, F(1)) for j in range(k)]
        if self.kind == "parity":
            gamma = next(iter(self.gammas.values()))[2]
            rows += [("low", {(i, j): F(1), ("t", i): F(-1)}, 1, F(0)) for i, j in cells]
            rows += [("high", {(i, j): F(-1), ("t", i): gamma}, 1, F(0)) for i, j in cells]
        for i in range(m if self.kind != "parity" else 0):
            for j, other in self.pairs():
                row = {(i, j): F(-1), (i, other): self.gammas[j, other][2]}
                rows.append((self.kind, row | ({("e", i, j, other): F(1)} if self.kind == "excess" else {}), 1, F(0)))
        if self.kind == "excess":
            rows += [("total", {("e", i, *pair): F(1) for i in range(m)}, -1, delta) for pair in self.pairs()]
        if self.bounds is not None:
            for name, sign, side in (("least", 1, self.bounds[0]), ("most", -1, self.bounds[1])):
                rows += [(name, {(i, j): F(1)}, sign, side[i][j]) for i, j in cells]
        if self.objective in ("largest", "total"):
            for sign in (1, -1):
                for i, j in cells:
                    s = ("s", i, j) if self.objective == "total" else ("s",)
                    rows.append(("distance", {(i, j): F(1), s: F(sign)}, sign, self.data[i][j]))
        return rows

    def is_allowed(self, p: Rows) -> bool | None:
        """Whether a mechanism is in the region at the true level; None if 80 digits do not decide."""
        if self.bounds is not None and not all(
            low <= x <= high
            for row, *sides in zip(p, *self.bounds, strict=True)
            for x, low, high in zip(row, *sides, strict=True)
        ):
            return False
        unsure = False
        for (j, other), (gamma, _, _) in self.gammas.items():
            if gamma.exact is not None and self.delta[0].exact is not None:
                excess = sum((max(F(0), row[j] - gamma.exact * row[other]) for row in p), F(0))
                if excess > self.delta[0].exact:
                    return False
                continue
            pairs = [[mp.mpf(row[x].numerator) / row[x].denominator for x in (j, other)] for row in p]
            gap = self.delta[0].number - sum(max(mp.mpf(0), a - gamma.number * b) for a, b in pairs)
            if gap < -TIE:
                return False
            unsure |= bool(gap < TIE and self.delta[0].exact != 0)
        return None if unsure else True

    def problem(self) -> Any:
        """Return the problem of a file."""
        size = {"inputs": str(self.k), "outputs": str(self.m)}
        if self.kind == "pairwise":
            levels: list[list[Any]] = [[None] * self.k for _ in range(self.k)]
            for (j, other), (level, _, _) in self.gammas.items():
                levels[j][other] = level.text
            region: Any = {"kind": "pairwise-privacy", **size, "levels": levels}
        else:
            level = {"epsilon": next(iter(self.gammas.values()))[0].text, "delta": self.delta[0].text, "family": "all"}
            region = {"kind": "differential-privacy", **size, **level}
        if self.bounds is not None:
            region = {
                "kind": "bounded",
                "region": region,
                "least": texts(self.bounds[0]),
                "most": texts(self.bounds[1]),
            }
        objective: Any = {"kind": self.objective, "matrix": texts(self.data)}
        if self.objective == "trace":
            objective = {"kind": "trace", "weights": texts(self.data)[0]}
        elif self.objective != "loss":
            objective = {"kind": "distance", "norm": self.objective, "matrix": texts(self.data)}
        return {"region": region, "objective": objective, "population": [str(x) for x in self.shares]}

    def brackets(self) -> Any:
        """Return the brackets of a witness."""
        write = lambda bracket: {"below": str(bracket[1]), "above": str(bracket[2])}  # noqa: E731
        if self.kind != "pairwise":
            return {"gamma": write(next(iter(self.gammas.values()))), "delta": write(self.delta)}
        rows: list[list[Any]] = [[None] * self.k for _ in range(self.k)]
        for (j, other), bracket in self.gammas.items():
            rows[j][other] = write(bracket)
        return {"gamma": rows, "delta": write(self.delta)}

    def bracket_file(self, value: Fraction, bound: Fraction, p: Rows, z: dict[int, Fraction]) -> Any:
        """Return the file that claims ``bound <= least <= value``, all of minimising."""
        sign = -1 if self.objective == "trace" else 1
        lower, upper = (bound, value) if sign > 0 else (-value, -bound)
        claim = {"kind": "design-bracket", "lower": str(lower), "upper": str(upper), "mechanism": {"matrix": texts(p)}}
        dual = [[str(i), str(sign * x)] for i, x in sorted(z.items()) if x]
        return document(self.problem(), claim, {"rule": "linear-programme", **self.brackets(), "dual": dual})

    def infeasible_file(self, z: dict[int, Fraction]) -> Any:
        """Return the file that claims that there is no mechanism."""
        multipliers = [[str(i), str(x)] for i, x in sorted(z.items()) if x]
        witness = {"rule": "farkas", **self.brackets(), "multipliers": multipliers}
        return document(self.problem(), {"kind": "infeasible"}, witness)
