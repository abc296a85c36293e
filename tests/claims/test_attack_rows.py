"""An attack on claims in rows: twelve false ones, none of which is proved, and twelve true ones, which are."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from every_case import every_case

from rropt.claims import Domain, run_claim
from rropt.claims.outcomes import AT_SHAPES
from rropt.claims.rows import read_rows

HEAD = 'paper = "test"\nsource = "a test"\n[rows."one"]\nprinted = "x"\nprecise = "x"\nfalse = [{ off = 1 }]\n'
HERE = Fraction(17, 97)  # a number that no sweep has
UNIT = 'for = { x = "real 0 1" }\n'
LIST = 'sizes = { k = [2, 3] }\nfor = { a = "distribution k", x = "real 0 1" }\n'
MATRIX = 'sizes = { m = [2, 2], k = [2, 2] }\nfor = { P = "stochastic m k", x = "real 0 1" }\n'
PAIRS = 'for = { pair = "given PAIRS" }\n'
NEARLY = Domain("two numbers", ((Fraction(1, 2), Fraction(1, 2)),), lambda rng: (Fraction(1, 3), Fraction(2, 3)))
# the groups are said to sum to 1, and the values do not
LOOSE = Domain(
    "two numbers",
    ((Fraction(1, 2), Fraction(1, 4)),),
    lambda rng: (Fraction(1, 3), Fraction(1, 5)),
    entries={(): "x >= 0"},
    whole_groups=lambda pair: [[(0,), (1,)]],
)
# the entries are said to be at most 1, and the values are not
HIGH = Domain(
    "two numbers", ((Fraction(2), Fraction(1, 4)),), lambda rng: (Fraction(3), Fraction(1, 5)), entries={(): "x <= 1"}
)


def _cached() -> Any:
    seen: list[Any] = []

    def one(x: Any, *, off: Any = 0) -> list[Any]:
        seen.append(x)
        return [("x", x * len(seen), "<=", 1 - 2 * off + len(seen))]

    return one


def _swallowed(x: Any, *, off: Any = 0) -> list[Any]:
    rows = [("x", x, "<=", 1 - 2 * off)]
    return rows if x == HERE else [*rows, ("y", (x - HERE) ** 2, ">", 2 * off)]


# the text of the variables, the function, and names of the module
FALSE: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "a square that is 0 once": (UNIT, lambda x, *, off=0: [("s", (x - HERE) ** 2, ">", 2 * off)], {}),
    "a number that is left out": (UNIT, lambda x, *, off=0: [("s", x == HERE, "=", off == 1)], {}),
    "a branch at one number": (UNIT, lambda x, *, off=0: [("s", 2 if x == HERE else x, "<=", 1 - 2 * off)], {}),
    "a table": (UNIT, lambda x, *, off=0: [("s", {HERE: 2}.get(x, x), "<=", 1 - 2 * off)], {}),
    "a count": (UNIT, lambda x, *, off=0: [("s", [x].count(HERE) + x, "<=", 1 - 2 * off)], {}),
    "a root that is not rational": (UNIT, lambda x, *, off=0: [("s", (2 * x * x - 1) ** 2, ">", 4 * off)], {}),
    "another value at each call": (UNIT, _cached(), {}),
    "a row that is left out": (UNIT, _swallowed, {}),
    "an entry of a list": (LIST, lambda a, x, *, off=0: [("s", (a[0] - HERE) ** 2 + x * x, ">", 3 * off)], {}),
    "an entry of a matrix": (MATRIX, lambda P, x, *, off=0: [("s", (P[0][0] - x - HERE) ** 2, ">", 4 * off)], {}),
    "a sum that the domain only says": (
        PAIRS,
        lambda pair, *, off=0: [("s", pair[0] + pair[1], "<=", 1 - 2 * off)],
        {"PAIRS": LOOSE},
    ),
    "a bound that the domain only says": (
        PAIRS,
        lambda pair, *, off=0: [("s", pair[1] * (2 - pair[0]), ">=", pair[1] * (pair[0] - 8) + 99 * off)],
        {"PAIRS": HIGH},
    ),
}
TRUE: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "a square": (UNIT, lambda x, *, off=0: [("s", (x - HERE) ** 2, ">=", 2 * off)], {}),
    "a product": (UNIT, lambda x, *, off=0: [("s", x * (1 - x), "<=", Fraction(1, 4) - off)], {}),
    "a power": (UNIT, lambda x, *, off=0: [("s", x ** Fraction(2), "<=", x - 2 * off)], {}),
    "a branch": (UNIT, lambda x, *, off=0: [("s", x if x <= HERE else HERE, "<=", x - 2 * off)], {}),
    "a quotient": (UNIT, lambda x, *, off=0: [("s", x / (1 + x), "<=", Fraction(1, 2) - off)], {}),
    "a divisor that is 0 on a branch": (
        UNIT,
        lambda x, *, off=0: [("s", (x - HERE) / (x - HERE) if x != HERE else 1 / (x - HERE), "=", 1 + off)],
        {},
    ),
    "an identity": (UNIT, lambda x, *, off=0: [("s", (1 + x) ** 2 - (1 - x) ** 2, "=", 4 * x + off)], {}),
    "a maximum": (UNIT, lambda x, *, off=0: [("s", max(x, 1 - x), ">=", Fraction(1, 2) + off)], {}),
    "a mean": (LIST, lambda a, x, *, off=0: [("s", sum(x * y for y in a), "=", x + off)], {}),
    "an entry": (LIST, lambda a, x, *, off=0: [("s", x * a[0], "<=", 1 - 2 * off)], {}),
    "a column": (MATRIX, lambda P, x, *, off=0: [("s", P[0][1] + P[1][1], "=", 1 + off)], {}),
    "a convex pair": (
        PAIRS,
        lambda pair, *, off=0: [("s", pair[0] ** 2 + pair[1] ** 2, ">=", 2 * pair[0] * pair[1] + off)],
        {"PAIRS": NEARLY},
    ),
}


def _judged(variables: str, function: Any, names: dict[str, Any]) -> Any:
    module: Any = SimpleNamespace(__name__="test_attack_rows", one=function, **names)
    (claim,) = read_rows(HEAD + variables, "rows.toml", module)
    return run_claim(claim)


@every_case("name", FALSE)
def test_no_false_claim_is_proved(name: str) -> None:
    outcome = _judged(*FALSE[name])
    assert outcome.evidence not in ("proved", AT_SHAPES), outcome.scope
    assert outcome.verdict in ("not-refuted", "fails", "error")


@pytest.mark.parametrize("power", [1, 2])
def test_a_quotient_that_cancels_is_proved_where_it_is_defined(power: int) -> None:
    def one(x: Any, *, off: Any = 0) -> list[Any]:
        return [("s", (x - HERE) ** power / (x - HERE), "=", (x - HERE) ** (power - 1) + off)]

    assert _judged(UNIT, one, {}).scope.endswith("where both sides are defined")


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved(name: str) -> None:
    outcome = _judged(*TRUE[name])
    assert (outcome.problems, outcome.verdict) == ((), "holds")
    assert outcome.evidence in ("proved", AT_SHAPES), outcome.unchecked_steps
