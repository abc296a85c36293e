"""The page of claims: sentences that read, formulas with their signs, a layout for a desk and for a telephone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from html import unescape
from random import Random
from typing import Any

import pytest
import sympy as sp
from every_case import every_case
from support.row_claims import row_claim

from rropt.claims import Claim, Domain, Paper, run_claim
from rropt.claims.positivity import prove_identity
from rropt.claims.rational_functions import tree
from rropt.claims.stated_values import StatedBound
from rropt.reports import claims_page, claims_report
from rropt.reports.mathematics import certificate_html, latex, text_html

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
    r"p_{00}-\mathrm{high}_{\mathrm{worst}}": {"sum": ["p00", {"negative": "high_worst"}]},
}


@every_case("text", CASES)
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


FALSE: dict[str, tuple[Any, Any]] = {  # stated and true value
    "": (True, False),
    "rounds-to": ("0.29", Fraction(3, 10)),
    "less": (1, 1),
    "greater": (1, 1),
    "at-least": (1, 0),
    "at-most": (1, 2),
}


def _claim(strength: str, **changes: Any) -> Claim:
    """A false claim of each strength, and a row that is true."""
    says, is_ = FALSE[strength]
    claim = row_claim(lambda _: says, lambda _: is_, strength, mutant=lambda _: says, **changes)
    return replace(
        claim,
        id=f"test.{strength}",
        printed="$x$",
        precise="x",
        variables={"x": Domain.values("what x means", Fraction(1, 2))},
        rows=lambda p: [("same", True, "=", True), *claim.rows(p)],
    )


@pytest.mark.parametrize("strength", FALSE)
def test_counterexamples_read_as_sentences(strength: str) -> None:
    claim = _claim(strength, working=lambda p: f"x = {p['x']}\nso 2 x < 3")
    outcome = run_claim(claim)
    assert outcome.counterexample is not None
    page = claims_page({claim.id: (claim, outcome)})
    words = "within the bounds that the statement gives" if strength else "equal to what the statement says"
    assert f"<th>it should be</th><td colspan=2>{words}</td>" in page
    assert "what the statement says.</small>" not in page
    assert "what x means" in _plain(page)
    working = page.partition("By hand:")[2].partition("</ul>")[0]
    assert working.count("<li>") == 2
    assert _plain(working).endswith("x = 1/2so 2 x < 3")
    assert "same: true" not in _plain(page)
    if not strength:
        assert "{value: false}" in _plain(page)


def _plain(html: str) -> str:
    """Return what a reader sees, without tags."""
    return unescape(re.sub(r"<[^>]+>", "", html)).replace("\N{MINUS SIGN}", "-")


def test_reason_and_scope_of_what_is_not_checkable() -> None:
    claim = row_claim(lambda _: 1, lambda _: 1, mutant=lambda _: 2, not_checkable="axes without numbers")
    outcome = run_claim(claim)
    page = claims_page({claim.id: (claim, outcome)})
    assert "<b>Why it is not checkable:</b> axes without numbers" in page
    assert f"<dt>Scope</dt><dd>{outcome.scope}</dd>" in page
    assert outcome.scope


def test_what_is_bounded_should_lie_within_its_bounds() -> None:
    """Beside `at most 2` no page says that the value should be equal to it."""
    for says, is_, words in (
        ({"a": StatedBound("at-most", 2)}, {"a": 3}, "within the bounds that the statement gives"),
        (
            {"a": StatedBound("at-most", 2), "b": 1},
            {"a": 3, "b": 2},
            "equal to what the statement says, and within its bounds",
        ),
        ({"a": StatedBound("at-most", 2), "b": 1}, {"a": 1, "b": 2}, "equal to what the statement says"),
    ):
        rows = [(name, is_[name], "=", said) for name, said in says.items()]
        claim = replace(_claim(""), rows=lambda _, rows=rows: rows)
        outcome = run_claim(claim)
        assert outcome.counterexample is not None
        assert outcome.counterexample.relation == words
        assert f"<th>it should be</th><td colspan=2>{words}</td>" in claims_page({claim.id: (claim, outcome)})


def test_an_extracted_text_is_to_be_compared_with_the_original() -> None:
    claim = _claim("at-most")
    entries = {claim.id: (claim, run_claim(claim))}
    paper = Paper("test", "a test", "A test", (), extracted=True)
    assert "Compare it with the original" in claims_page(entries, {"test": paper})
    assert "Compare it with the original" not in claims_page(entries, {"test": replace(paper, extracted=False)})


def test_nothing_but_marked_formulas_is_set() -> None:
    for words in (
        "it says 'C^-1 Y/m' of p00 + p11",
        "a \N{LEFT DOUBLE QUOTATION MARK}p < 1/2\N{RIGHT DOUBLE QUOTATION MARK}",
    ):
        html = text_html(words)
        assert "<math>" not in html
        assert unescape(html) == words
    assert text_html("N >= 2 and p_2 <= 1").count("<") == 0
    assert (
        unescape(text_html("N >= 2 and p_2 <= 1"))
        == "N \N{GREATER-THAN OR EQUAL TO} 2 and p_2 \N{LESS-THAN OR EQUAL TO} 1"
    )
    html = text_html("at most $C^{-1}Y/m$ of them")
    assert html.count("<math>") == 1
    assert html.startswith("at most <math>")
    assert html.endswith("</math> of them")


def test_letters_of_other_alphabets_and_primes() -> None:
    """Browsers know no attribute for an alphabet, and set a prime above its letter too high."""
    html = text_html(r"$\mathcal R''-\mathbb P_{\mathrm{max}}+x'_1$")
    assert _plain(html) == "\N{SCRIPT CAPITAL R}\N{DOUBLE PRIME}-\N{DOUBLE-STRUCK CAPITAL P}max+x\N{PRIME}1"
    assert "<mi>max</mi>" in html
    assert "mathvariant" not in html
    assert (
        _plain(text_html("`roughly` ``x + 1``"))
        == "\N{LEFT DOUBLE QUOTATION MARK}roughly\N{RIGHT DOUBLE QUOTATION MARK} x + 1"
    )
    assert "<msup>" not in html


def _report() -> tuple[str, dict[str, tuple[str, str]]]:
    claims = [
        replace(_claim("at-most"), place=(2, 1)),
        replace(_claim("less"), place=(1, 1)),
        row_claim(lambda _: 1, lambda _: 2, "greater", mutant=lambda _: 3, id="other.greater"),
    ]
    entries = {claim.id: (claim, run_claim(claim)) for claim in claims}
    paper = Paper("test", "a test", "A test & more", (("epsilon", "epsilon >= 0 everywhere"),))
    return claims_report(entries, {"test": paper}, {"": "r.html", "test": "r-test", "other": "r-other"})


def test_every_link_leads_somewhere() -> None:
    index, pages = _report()
    files = {"r.html": index}
    for paper, (html, data) in pages.items():
        files |= {f"r-{paper}.html": html, f"r-{paper}.json": data}
    for name, html in files.items():
        links = re.findall(r'href="([^"]*)"', html) if name.endswith(".html") else []
        assert links or name.endswith(".json")
        for link in links:
            file, _, anchor = link.partition("#")
            assert not anchor or f' id="{anchor}"' in files[file or name], link
            assert (file or name) in files, link


def test_a_line_may_break_between_the_terms_of_a_certificate() -> None:
    x, y = sp.symbols("x y")
    html = certificate_html(prove_identity((x + y) ** 2, x**2 + 2 * x * y + y**2).to_dict())
    assert _plain(html) == "(x+y)2=x2+y2+2xy"
    assert html.count("<wbr>") == 3
    assert html.count('<mo form="infix">') == 3


def test_the_index_lists_what_fails_first() -> None:
    index, pages = _report()
    assert set(pages) == {"test", "other"}
    assert index.index("test.less") < index.index("test.at-most") < index.index("other.greater")
    assert 'href="r-test.html#test.less"' in index
    assert "A test &amp; more" in index


def test_a_paper_has_its_conventions_and_its_claims_in_the_order_of_print() -> None:
    _, pages = _report()
    page, data = pages["test"]
    assert page.index("everywhere") < page.index('id="test.less"') < page.index('id="test.at-most"')
    assert 'href="#test.less"' in page
    assert 'href="r-test.json"' in page
    assert "1 compared, 1 failing, 0 undefined" in page
    assert "How both sides are computed" not in page  # these sides say nothing of themselves
    record = json.loads(data)
    assert record["conventions"] == {"epsilon": "epsilon >= 0 everywhere"}
    assert [entry["id"] for entry in record["claims"]] == ["test.less", "test.at-most"]
    assert json.loads(pages["other"][1])["claims"][0]["verdict"] == "holds"


def test_how_a_value_is_computed_and_where() -> None:
    claim = replace(_claim("at-most"), told={"How both sides are computed": ("The sum of x over all rows.",)})
    outcome = run_claim(claim)
    page = claims_page({claim.id: (claim, outcome)})
    assert f"<summary>Evidence: {outcome.label}</summary>" in page
    assert "The sum of" in page
    assert "what x means" in _plain(page.partition("<dt>Domain</dt>")[2])


def test_a_sum_of_products_is_set_with_its_hypotheses() -> None:
    """2 x y - x - y + 1 = (1 - x)(1 - y) + x y >= 0 on the unit square; a long sum is counted in place of set."""
    x, y, rest = "x", "y", [{"sum": ["1", {"negative": name}]} for name in "xy"]
    left = {"sum": [{"product": ["2", x, y]}, {"negative": x}, {"negative": y}, "1"]}
    terms = [
        {"coefficient": "1", "powers": [["2", "1"], ["3", "1"]]},
        {"coefficient": "1/2", "powers": [["0", "1"], ["1", "2"]]},
    ]
    problem = {"hypotheses": [{"polynomial": one, "relation": ">="} for one in (x, y, *rest)], "left": left}
    document = {"statement": "polynomial", "problem": problem, "claim": {"relation": ">="}}

    def shown(count: int) -> str:
        proof = {"way": "handelman", "terms": (terms * count)[:count]}
        return re.sub("<[^>]*>", "", certificate_html({**document, "proof": proof}))

    assert shown(2).startswith("2xy\N{MINUS SIGN}x\N{MINUS SIGN}y+1=(1\N{MINUS SIGN}x)")
    assert "where x\N{GREATER-THAN OR EQUAL TO}0, y" in shown(2)
    assert "a sum of" not in shown(40)
    assert ", a sum of 41 products where x" in shown(41)
