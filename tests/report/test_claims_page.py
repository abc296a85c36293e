"""The page of claims: sentences that read, formulas with their signs, a layout for a desk and for a telephone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from html import unescape
from random import Random

import pytest
import sympy as sp

from rropt.claims import Claim, Domain, Paper, Point, run_claim
from rropt.claims.comparisons import STRENGTHS
from rropt.positivity import prove_identity
from rropt.positivity.expressions import tree
from rropt.report import claims_page, claims_report
from rropt.report.formulas import certificate_html, latex, text_html
from rropt.report.plain_formulas import plain_html, value_html

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
        "order": (1, sp.Symbol("n")),
        "order-at-least": (sp.Symbol("n"), 1),
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
    assert "what x means" in _plain(page)
    working = page.partition("By hand:")[2].partition("</ul>")[0]
    assert working.count("<li>") == 2
    assert _plain(working).endswith("x=1/2so 2x<3")
    if strength in ("equality", "iff", "unique"):
        assert "{wrong: false}" in _plain(page)
        assert "same: true" not in _plain(page)


def _plain(html: str) -> str:
    """Return what a reader sees, without tags."""
    return unescape(re.sub(r"<[^>]+>", "", html)).replace("\N{MINUS SIGN}", "-")


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
    )
    outcome = run_claim(claim)
    page = claims_page({claim.id: (claim, outcome)})
    assert "<b>Why it is not checkable:</b> axes without numbers" in page
    assert f"<dt>Scope</dt><dd>{outcome.scope}</dd>" in page
    assert outcome.scope


def test_layout() -> None:
    claim = _claim("at-most")
    page = claims_page({claim.id: (claim, run_claim(claim))})
    style = page.partition("<style>")[2].partition("</style>")[0]
    assert ".scroll { overflow-x: auto; overflow-y: hidden; padding" in style
    narrow = style.partition("@media (max-width: 32rem)")[2]
    assert ".index :is(td, th):nth-child(n + 3) { display: none; }" in narrow
    assert ".badge { white-space: normal; }" in narrow


PLAIN = {  # words with formulas -> the formulas as they are read
    "For every epsilon >= 0 and 0 <= delta <= 1 the part of R' on which (11a) is tight": ["ε≥0", "0≤δ≤1", "R\N{PRIME}"],
    "a pair (p, q) is one; a P without zero rows; I see epsilon-DP in theorem-1 (2016)": ["(p,q)", "P", "ε"],
    "the matrix C* A = P* here, and y*(1 + y)": ["C*A=P*", "y·(1+y)"],
    "y (1 - y)/(p00 + p11 - 1)^2 of RR_p, |z|/b": ["y(1-y)/(p00+p11-1)2", "RRp,|z|/b"],
    "the reports of all who answered, at a point": [],
    "with high_worst*up >= over - excess**2 and inverse - low = 0; n Var": [
        "highworst·up≥over-excess2",
        "inverse-low=0",
        "nVar",
    ],
    "both are <= 0 in Section V, parity >= 1; -reach < infinity; yes/no, one-sided": ["≤0", "parity≥1", "-reach<∞"],
    "sum_r y_r (C q)_r and x'_1, but a call (plain_word)": ["∑ryr(Cq)r", "x\N{PRIME}1"],
    "Warner's 2^{-n}; R'' (a vertex) and the bound as >=, with x": ["2-n", "R\N{DOUBLE PRIME}", "x"],
    "sqrt(20) = 4.4721... and 2 x < 3": ["20=4.4721", "2x<3"],
}


@pytest.mark.parametrize("text", PLAIN)
def test_formulas_in_words_are_set(text: str) -> None:
    html = plain_html(text).replace("<wbr>", "")
    joined = re.sub(r"</math><math>", "", html)
    assert [_plain(found) for found in re.findall(r"<math>.*?</math>", joined)] == PLAIN[text]
    letters = "".join(
        re.findall(r"[A-Za-z0-9]", re.sub(r"\b(epsilon|delta|sqrt|pi|sum(?=_)|infinity)\b|(?<=\b)sum(?=_)", "", text))
    )
    assert "".join(re.findall(r"[A-Za-z0-9]", _plain(html))) == letters


def test_the_space_before_a_bracket_with_words_stays() -> None:
    assert plain_html("R' (a vertex)").endswith("</math> (a vertex)")
    assert plain_html("P*, a matrix").endswith("</math>, a matrix")


def test_letters_of_other_alphabets_and_primes() -> None:
    """Browsers know no attribute for an alphabet, and set a prime above its letter too high."""
    html = text_html(r"$\mathcal R''-\mathbb P_{\mathrm{max}}+x'_1$")
    assert _plain(html) == "\N{SCRIPT CAPITAL R}\N{DOUBLE PRIME}-\N{DOUBLE-STRUCK CAPITAL P}max+x\N{PRIME}1"
    assert "<mi>max</mi>" in html
    assert "mathvariant" not in html
    assert (
        _plain(text_html("`roughly` ``x + 1``"))
        == "\N{LEFT DOUBLE QUOTATION MARK}roughly\N{RIGHT DOUBLE QUOTATION MARK} x+1"
    )
    assert "<msup>" not in html


def test_values_are_set() -> None:
    assert _plain(value_html("((5/8, 5/8), 1)")) == "((5/8,5/8),1)"
    assert value_html("true") == "true"
    assert "<msqrt>" in value_html("sqrt(2)")


def _report() -> tuple[str, dict[str, tuple[str, str]]]:
    claims = [
        replace(_claim("at-most"), place=(2, 1)),
        replace(_claim("less"), place=(1, 1)),
        replace(_claim("greater"), id="other.greater", computed=lambda _: 2, mutant=lambda _: 3),
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
    assert "How the true value is computed" not in page  # these sides say nothing of themselves
    record = json.loads(data)
    assert record["conventions"] == {"epsilon": "epsilon >= 0 everywhere"}
    assert [entry["id"] for entry in record["claims"]] == ["test.less", "test.at-most"]
    assert json.loads(pages["other"][1])["claims"][0]["verdict"] == "holds"


def test_how_a_value_is_computed_and_where() -> None:
    def computed(point: Point) -> object:
        """The sum of x over all rows."""
        return 2

    claim = replace(_claim("at-most"), computed=computed)
    page = claims_page({claim.id: (claim, run_claim(claim))})
    assert "The sum of" in page
    assert "what x means" in _plain(page.partition("<dt>Domain</dt>")[2])
