"""An attack on the judge of cards: sixty false cards, none of which is proved, and twenty true ones, which are."""

from __future__ import annotations

from typing import Any

import pytest
from card_texts import judged

UNIT = ["0 <= x <= 1"]
SQUARE = ["0 <= x <= 1", "0 <= y <= 1"]
REAL = ["x real"]
HERE = "17/97"  # a number that no list of points has

# what is false: the scope, the statement, a mutant, and other keys
FALSE: dict[str, tuple[list[str], list[str], dict[str, Any]]] = {
    # false at one point, or in a small interval
    "a square that is 0 once": (UNIT, [f"(x - {HERE})^2 > 0"], {}),
    "a square that is below a small number": (UNIT, [f"(x - {HERE})^2 >= 1/1000000000000"], {}),
    "a number that is left out": (UNIT, [f"x != {HERE}"], {}),
    "a product of two numbers that are left out": (UNIT, [f"(x - {HERE})*(x - 18/97) != 0"], {}),
    "a square root": (["0 <= x <= 2"], ["x^2 != 2"], {}),
    "the square of a square root": (["0 <= x <= 2"], ["(x^2 - 2)^2 > 0"], {}),
    "a cube root": (["0 <= x <= 2"], ["(x^3 - 3)^2 > 0"], {}),
    "a line that is crossed": (SQUARE, ["(x + 2*y - 1)^2 > 0"], {}),
    "a circle that is met": (SQUARE, ["(x^2 + y^2 - 1)^2 > 0"], {}),
    "a point of the square": (SQUARE, [f"(x - {HERE})^2 + (y - 19/97)^2 > 0"], {}),
    "a small rectangle": (SQUARE, [f"x*y >= 0 if x > {HERE}", f"(x - {HERE})*(x - 18/97) >= 0"], {}),
    "false below the mean": (["0 < x < 1", "0 < y < 1"], ["x^2 + y^2 > 2*x*y"], {}),
    "the Motzkin polynomial is 0 at 1": (["x >= 0", "y >= 0"], ["x^4*y^2 + x^2*y^4 + 1 - 3*x^2*y^2 > 0"], {}),
    "a quartic with a double root": (REAL, ["x^4 - 4*x^2 + 4 > 0"], {}),
    "false beyond a large number": (REAL, ["x <= 1000000007"], {}),
    "false far below": (REAL, ["x >= -1000000007"], {}),
    "a cubic that overtakes late": (["x >= 0"], ["x^3 <= 1000000000*x^2 + 1"], {}),
    "a quotient that falls late": (["x > 0"], ["1/x >= 1/1000000007"], {}),
    # integers
    "one integer": (["n in 1.."], ["(n - 4321)^2 >= 1"], {}),
    "one divisor": (["n in 1.."], ["1/(n - 4321) <= 1"], {}),
    "two integers in a row": (["n in 1.."], ["(n - 4321)*(n - 4322) > 0"], {}),
    "a bound that holds up to a thousand": (["n in 2.."], ["1/n >= 1/5000"], {}),
    "equal integers": (["n in 1..", "m in 1.."], ["(n - m)^2 + (n - 4321)^2 >= 1"], {}),
    "an integer between": (["n in 1.."], ["(2*n - 8642)^2 >= 4"], {}),
    "a range of many integers": (["n in 1..5000"], ["(n - 4321)^2 > 0"], {}),
    # divisors
    "a quotient of equal terms": (UNIT, [f"(x - {HERE})/(x - {HERE}) = 1"], {}),
    "a quotient that cancels a factor": (UNIT, [f"(x^2 - {HERE}*x)/(x - {HERE}) = x"], {}),
    "a divisor with a root that is not rational": (["0 <= x <= 2"], ["(x^4 - 4)/(x^2 - 2) = x^2 + 2"], {}),
    "a divisor in a definition": (UNIT, ["f(x) = 1"], {"define": [f"f(y) = (y - {HERE})/(y - {HERE})"]}),
    "a divisor in an abbreviation": (UNIT, ["u*x = x"], {"let": [f"u = (x - {HERE})/(x - {HERE})"]}),
    "a divisor in a maximum": (UNIT, [f"max(x, 1/(x - {HERE}) - 1/(x - {HERE})) = x"], {}),
    "a negative power": (UNIT, [f"(x - {HERE})^-1*(x - {HERE}) = 1"], {}),
    "a power of 0": (UNIT, [f"(x - {HERE})^0 = 1"], {}),
    "a divisor of a derivative": (SQUARE, [f"diff(x, x/(y - {HERE}))*(y - {HERE}) = 1"], {}),
    "a sum of quotients": (UNIT, [f"sum(i, 1, 3, i/(x - {HERE}) - i/(x - {HERE})) = 0"], {}),
    # cases
    "a minimum for a maximum": (SQUARE, [f"min(x, y) >= max(x, y) - 1 + (x - {HERE})^2*0 + 1/1000000"], {}),
    "an absolute value that vanishes": (UNIT, [f"abs(x - {HERE}) > 0"], {}),
    "a sum of absolute values": (UNIT, [f"abs(x - {HERE}) + abs(x - 18/97) > 1/97"], {}),
    "a case at equality": (
        UNIT,
        [f"(1 if x >= {HERE} else x) > {HERE}"],
        {"false": [f"(1 if x >= {HERE} else x) > 2"]},
    ),
    "a case that is left at one point": (
        UNIT,
        [f"(0 if x = {HERE} else 1) = 1"],
        {"false": [f"(0 if x = {HERE} else 1) = 2"]},
    ),
    "an alternative that misses a point": (UNIT, [f"x < {HERE} or x > {HERE}"], {}),
    "an alternative that misses an interval": (UNIT, [f"x <= {HERE} or x >= {HERE} + 1/1000000"], {}),
    "a condition with a hidden point": (UNIT, [f"x > {HERE} if x >= {HERE}"], {}),
    "one half of an equivalence": (UNIT, [f"x > {HERE} iff x >= {HERE}"], {}),
    "an equivalence of a product": (SQUARE, [f"(x - {HERE})*(y - {HERE}) = 0 iff x = {HERE}"], {}),
    "an equivalence of squares": (["-1 <= x <= 1"], [f"x^2 = 289/9409 iff x = {HERE}"], {}),
    "a strict chain": (UNIT, [f"0 <= x*(x - {HERE})^2 and x*(x - {HERE})^2 != 0 if x > 0"], {}),
    # steps and splits
    "a step that repeats the statement": (UNIT, [f"(x - {HERE})^2 > 0"], {"step": [f"(x - {HERE})^2 > 0"]}),
    "a step with a condition": (UNIT, [f"(x - {HERE})^2 > 0"], {"step": [f"(x - {HERE})^2 > 0 if x != {HERE}"]}),
    "a step whose condition is its reason": (
        UNIT,
        [f"(x - {HERE})^2 > 0"],
        {"step": [f"x != {HERE} if (x - {HERE})^2 > 0"]},
    ),
    "a split on both sides of the point": (UNIT, [f"(x - {HERE})^2 > 0"], {"split": [f"x < {HERE}", f"x > {HERE}"]}),
    "a split with an empty branch": (UNIT, [f"(x - {HERE})^2 > 0"], {"split": ["x > 2", "x < -2"]}),
    "steps that support each other": (
        UNIT,
        [f"x != {HERE}"],
        {"step": [f"x > {HERE} or x < {HERE}", f"(x - {HERE})^2 > 0"]},
    ),
    # definitions and names
    "a definition with its arguments exchanged": (
        SQUARE,
        [f"f(x, y) = x - y + (x - {HERE})*0 + 0*(y - x) if x > y", f"f(y, x)*(x - {HERE}) != 0 if x > y"],
        {"define": ["f(a, b) = a - b"]},
    ),
    "a sum whose index is a variable": (["0 <= i <= 1"], [f"sum(i, 1, 2, i) = 3 and i != {HERE}"], {}),
    "a derivative of a square": (UNIT, [f"diff(x, (x - {HERE})^2) != 0"], {}),
    # repairs
    "an assumption that does not repair": (
        UNIT,
        [f"x != {HERE} and x <= 1/2"],
        {"assume": ["x <= 1/2"]},
    ),
    "a correction that is false at a point": (
        UNIT,
        ["x > 1/2"],
        {"fails": {"x": "1/4"}, "true": [f"(x - {HERE})^2 > 0 and x <= 1"]},
    ),
    "a correction whose scope has the point": (
        UNIT,
        [f"(x - {HERE})^2 > 1/4"],
        {"fails": {"x": "1/2"}, "true": [f"(x - {HERE})^2 > 0"], "true_for": ["x < 1/2"]},
    ),
    "a scope that is met at irrational points": (["0 <= x <= 2", "x^2 = 2"], ["x = 1"], {}),
    "a scope on a curve": (["x > 0", "y > 0", "x^2 = 2*y^2"], ["x = y"], {}),
}


def _mutant(rows: list[str]) -> list[str]:
    """Return a mutant that shares the sides of the first row and is false at most points."""
    row = rows[0].partition(" if ")[0].partition(" iff ")[0].partition(" or ")[0].partition(" and ")[0]
    for sign in ("<=", ">=", "!=", "<", ">", "="):
        left, found, _ = row.partition(f" {sign} ")
        if found:
            return [f"{left} = 1234567"]
    raise AssertionError(row)


@pytest.mark.parametrize("name", FALSE)
def test_a_false_card_is_not_proved(name: str) -> None:
    scope, says, more = FALSE[name]
    false = more.get("false") or _mutant(more.get("true", says))
    outcome = judged(**{"for": scope, "says": says, **more, "false": false})
    assert not {"proved", "argued"} & {outcome.evidence, outcome.correction_evidence}, outcome
    told = " ".join((*outcome.problems, *outcome.unchecked_steps))
    assert told, "what was not proved is printed"


TRUE: dict[str, tuple[list[str], list[str], dict[str, Any]]] = {
    "the arithmetic and the geometric mean": (["x >= 0", "y >= 0"], ["(x + y)^2 >= 4*x*y"], {}),
    "their equality": (["x >= 0", "y >= 0"], ["(x + y)^2 = 4*x*y iff x = y"], {"split": ["x = y"]}),
    "a harmonic mean": (["x > 0", "y > 0"], ["2/(1/x + 1/y) <= (x + y)/2"], {}),
    "a triangle": (["x real", "y real"], ["abs(x + y) <= abs(x) + abs(y)"], {}),
    "a Lipschitz constant": (SQUARE, ["abs(x^2 - y^2) <= 2*abs(x - y)"], {}),
    "a maximum and a minimum": (["x real", "y real"], ["max(x, y) + min(x, y) = x + y"], {}),
    "a Bernoulli inequality": (["x >= -1"], ["(1 + x)^3 >= 1 + 3*x"], {}),
    "a geometric sum": (["0 <= x < 1"], ["1 + x + x^2 + x^3 = (1 - x^4)/(1 - x)"], {}),
    "a variance of a bit": (UNIT, ["x*(1 - x) <= 1/4"], {}),
    "its maximum": (UNIT, ["x*(1 - x) = 1/4 iff x = 1/2"], {}),
    "a parity": (["gamma >= 1"], ["gamma/(gamma + 1) - 1/(gamma + 1) = (gamma - 1)/(gamma + 1)"], {}),
    "odds that grow": (["1 <= a", "a < b"], ["a/(a + 1) < b/(b + 1)"], {}),
    "a posterior": (["0 < p < 1", "gamma > 1"], ["gamma*p/(1 + (gamma - 1)*p) > p"], {}),
    "a derivative of odds": (["0 <= p < 1"], ["diff(p, p/(1 - p)) = 1/(1 - p)^2"], {}),
    "an integer bound": (["n in 3.."], ["1/(n - 1) <= 1/2"], {}),
    "an integer identity": (["n in 1.."], ["1/n - 1/(n + 1) = 1/(n*(n + 1))"], {}),
    "small integers": (["n in 0..5"], ["n*(n - 1)*(n - 2)*(n - 3)*(n - 4)*(n - 5) = 0"], {}),
    "Warner's variance": (["0 <= pi <= 1", "1/2 < p <= 1"], ["(1 - p + pi*(2*p - 1))*(p - pi*(2*p - 1)) >= 0"], {}),
    "a mixture": (["0 <= t <= 1", "0 <= x", "x <= y"], ["x <= (1 - t)*x + t*y and (1 - t)*x + t*y <= y"], {}),
    "a repaired square": (
        ["x real"],
        ["x^2 >= x"],
        {"fails": {"x": "1/2"}, "true_for": ["x >= 1"]},
    ),
    "a missing assumption": (["x real"], ["x^3 >= x"], {"assume": ["x >= 1"]}),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_card_is_proved(name: str) -> None:
    scope, says, more = TRUE[name]
    outcome = judged(**{"for": scope, "says": says, "false": _mutant(says), **more})
    assert outcome.problems == ()
    assert (outcome.correction_evidence or outcome.evidence) == "proved", outcome.unchecked_steps
    assert all(certificate.check() for _, certificate in outcome.certificates)
