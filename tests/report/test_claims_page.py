"""The page of claims: sentences that read, formulas with their signs, a layout for a desk and for a telephone."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest
import sympy as sp

from rropt.claims import Claim, Domain, Point, run_claim
from rropt.claims.strengths import STRENGTHS
from rropt.positivity.expressions import tree
from rropt.report import claims_page
from rropt.report.formulas import latex

CASES = {
    r"1-2\,\pi": {"sum": ["1", {"product": ["-2", "pi"]}]},
    r"\gamma-1": {"sum": ["-1", "gamma"]},
    r"-2\,x-y": {"sum": [{"negative": {"product": ["2", "x"]}}, {"negative": "y"}]},
    r"-(x-1)": {"negative": {"sum": ["x", "-1"]}},
    r"-x\,(1-y)": {"product": ["-1", "x", {"sum": ["1", {"negative": "y"}]}]},
    r"2\,(-x-y)": {"product": ["2", {"sum": [{"negative": "x"}, {"negative": "y"}]}]},
    r"\frac{-x-1}{y}": {"quotient": [{"sum": [{"negative": "x"}, "-1"]}, "y"]},
    r"-\frac{x}{y-1}": {"quotient": [{"negative": "x"}, {"sum": ["-1", "y"]}]},
    r"(-2)^{3}": {"power": ["-2", "3"]},
    r"(\frac{1}{2})^{3}": {"power": ["1/2", "3"]},
    r"x-(y-z)": {"sum": ["x", {"negative": {"sum": ["y", {"negative": "z"}]}}]},
    r"x": {"negative": {"negative": "x"}},
    r"1": {"product": ["-1", "-1"]},
}


@pytest.mark.parametrize("text", CASES)
def test_signs(text: str) -> None:
    assert latex(CASES[text]) == text


def _value(node: object, values: dict[str, Fraction]) -> Fraction:
    if isinstance(node, str):
        return values[node] if node[0].isalpha() else Fraction(node)
    ((operation, parts),) = node.items()
    if operation == "negative":
        return -_value(parts, values)
    if operation == "power":
        return _value(parts[0], values) ** int(parts[1])
    if operation == "quotient":
        return _value(parts[0], values) / _value(parts[1], values)
    terms = [_value(part, values) for part in parts]
    return sum(terms, Fraction(0)) if operation == "sum" else sp.prod(terms)


def _tree(rng: Random, depth: int) -> object:
    if not depth or rng.random() < 0.2:
        return rng.choice(["x", "y", "1", "-1", "-2", "3", "2/3", "-1/2"])
    operation = rng.choice(["sum", "product", "negative", "power"])
    if operation == "negative":
        return {"negative": _tree(rng, depth - 1)}
    if operation == "power":
        return {"power": [_tree(rng, depth - 1), rng.choice(["2", "3"])]}
    return {operation: [_tree(rng, depth - 1) for _ in range(rng.randint(2, 3))]}


def test_what_is_set_has_the_value_of_the_tree(rng: Random, size: Callable[[int, int], int]) -> None:
    """The LaTeX, read back by plain substitutions, is the same polynomial."""
    values = {"x": Fraction(3, 7), "y": Fraction(-5, 3)}
    tried = 0
    for _ in range(size(300, 5000)):
        node = _tree(rng, 3)
        text = latex(node).replace(r"\,", "*").replace("^{", "**(").replace(r"\frac{", "((").replace("}{", ")/(")
        text = text.replace("2)/(3}", "2)/(3))").replace("1)/(2}", "1)/(2))").replace("}", ")")
        read = sp.sympify(text, locals={name: sp.Rational(v) for name, v in values.items()}, rational=True)
        assert Fraction(str(read)) == _value(node, values), (node, text)
        tried += 1
    assert tried >= 300


def test_trees_of_expressions() -> None:
    pi, gamma = sp.symbols("pi gamma")
    assert latex(tree(1 - 2 * pi)) == r"1-2\,\pi"
    assert latex(tree(gamma - 1)) == r"\gamma-1"


def _claim(strength: str, **changes: object) -> Claim:
    """A false claim of each strength."""
    sides = {
        "contained": ({1}, [2]),
        "rounds-to": ("0.29", Fraction(3, 10)),
        "as-printed": ("0.29", Fraction(3, 10)),
        "less": (1, 1),
        "greater": (1, 1),
        "at-least": (1, 0),
        "at-most": (1, 2),
    }
    says, is_ = sides.get(strength, ({"same": True, "wrong": True}, {"same": True, "wrong": False}))

    def mutant(_: Point) -> object:
        return says

    return Claim(
        id=f"test.{strength}",
        source="a test",
        printed="$x$",
        precise="x",
        variables={"x": Domain.values("what x means", Fraction(1, 2))},
        theory=mutant,
        computed=lambda _: is_,
        mutant=mutant,
        strength=strength,
        **changes,
    )


@pytest.mark.parametrize("strength", STRENGTHS)
def test_counterexamples_read_as_sentences(strength: str) -> None:
    claim = _claim(strength, working=lambda p: f"x = {p['x']}\nso 2 x < 3")
    outcome = run_claim(claim)
    assert outcome.counterexample is not None
    page = claims_page({claim.id: (claim, outcome)})
    assert f"<th>it should be</th><td colspan=2>{STRENGTHS[strength][0]}</td>" in page
    assert "what the statement says.</small>" not in page
    assert "what x means" in page
    assert "<li>x = 1/2</li><li>so 2 x &lt; 3</li>" in page
    if strength in ("equality", "iff", "unique"):
        assert "{wrong: false}" in page
        assert "same: true" not in page


def test_reason_and_scope_of_what_is_not_checkable() -> None:
    claim = Claim(
        id="test.picture",
        source="a test",
        printed="a picture",
        precise="beside it",
        theory=lambda _: 1,
        computed=lambda _: 1,
        mutant=lambda _: 2,
        not_checkable="axes without numbers",
        scope="one point",
    )
    page = claims_page({claim.id: (claim, run_claim(claim))})
    assert "<b>Why it is not checkable:</b> axes without numbers" in page
    assert "<dt>Scope</dt><dd>one point</dd>" in page


def test_layout() -> None:
    claim = _claim("at-most")
    page = claims_page({claim.id: (claim, run_claim(claim))})
    style = page.partition("<style>")[2].partition("</style>")[0]
    assert ".scroll { overflow-x: auto; overflow-y: hidden; padding" in style
    narrow = style.partition("@media (max-width: 32rem)")[2]
    assert ".index :is(td, th):nth-child(n + 3) { display: none; }" in narrow
    assert ".badge { white-space: normal; }" in narrow
