"""Parts of pages by themselves: steps of a randomizer, sentences on privacy, parts of texts on claims."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rropt.claims.outcomes import Counterexample, Outcome
from rropt.claims.written_claims import WrittenPart, written_parts
from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import Mechanism
from rropt.reports import mathematics
from rropt.reports.document_writers import Document, _html_part, _markdown_formulas
from rropt.reports.irb_summary import worst_variance
from rropt.reports.randomizer_steps import RandomizerStep, Sentence
from rropt_fieldwork.ethics.explorer import explore
from rropt_fieldwork.ethics.stated import Answer, privacy_sentence


@pytest.mark.parametrize(
    ("kind", "counts", "sentences"),
    [
        ("coin", (1, 1), [Sentence("heads"), Sentence("tails")]),
        ("coin", (2,), [Sentence("either_side")]),
        ("die", (1, 2, 3), [Sentence("range_one", {"low": 1}), ("range_two", 2, 3), ("range", 4, 6)]),
        ("cards", (3, 1), [("range", 1, 3), Sentence("range_one", {"low": 4})]),
    ],
)
def test_outcomes_of_a_step(kind: str, counts: tuple[int, ...], sentences: list[Any]) -> None:
    step = RandomizerStep(kind, sum(counts), counts)
    for group, told in enumerate(sentences):
        expected = told if isinstance(told, Sentence) else Sentence(told[0], {"low": told[1], "high": told[2]})
        assert step.outcomes(group) == expected
    assert sum(step.chances()) == 1
    assert step.action() == Sentence(f"{kind}_first", {"total": sum(counts)})
    assert step.action(again=True) == Sentence(f"{kind}_again", {"total": sum(counts)})


def test_columns_without_a_cell_are_left_out() -> None:
    """In all formats, for tables with a header and for the counterexample of a claim; rows of labels stay."""
    table = ("T", ("", "value", "meaning", "note"), [("p", "1/2", "", " "), ("q", "", "chance", "")])
    for text in (Document("D", (table,)).to_html(), Document("D", (table,)).to_markdown()):
        assert "value" in text
        assert "meaning" in text
        assert ">note<" not in text
        assert "| note" not in text
    assert "& note" not in Document("D", (table,)).to_latex()
    labels = ("T", None, [("p", ""), ("q", "")])
    assert Document("D", (labels,)).to_markdown().count("| p |") == 1
    example = Counterexample({"x": Fraction(3, 4)}, Fraction(1, 3), Fraction(3), "equal", "3 = 1/3 is false")
    outcome = Outcome(*("p.one", "fails", "refuted", "all x", 9, 0.1), failing=4, counterexample=example)
    (part,) = (part for part in written_parts(outcome) if part.title == "Counterexample")
    assert part.header == ("", "value")
    assert {len(row) for row in part.rows} == {2}
    meaning = replace(outcome, definitions=("x is the chance",))
    (part,) = (part for part in written_parts(meaning) if part.title == "Counterexample")
    assert part.header == ("", "value", "meaning")


@pytest.mark.parametrize(
    ("name", "proved"),
    [
        ("step p > 0", "step $p>0$"),
        ("step p > 0: p", "step $p>0$: the sign of the factor $p$"),
        ("step p > q: p - q", "step $p>q$: the sign of the factor $p-q$"),
        ("step p > 0: the divisor q", "step $p>0$: the divisor $q$ is not 0"),
        ("step p > 0: the denominator", "step $p>0$: the sign of the denominator"),
        (
            "step p > 0: the divisor q: the other factor",
            "step $p>0$: the divisor $q$ is not 0: the sign of the other factor",
        ),
    ],
)
def test_what_a_certificate_proves_is_said_in_words(name: str, proved: str) -> None:
    outcome = Outcome(*("p.one", "holds", "proved", "all p", 9, 0.1), steps=(name,), sha256="ab" * 32)
    parts = {part.title: part for part in written_parts(outcome)}
    assert parts["Certificates"].rows == ((proved,),)
    assert parts["One file with all certificates"].rows == (("1", "ab" * 32),)


def test_a_design_with_a_likely_lie_is_informative_too() -> None:
    """With p00 + p11 below 1 the response is turned round; n Var at prevalence 1/2 is 1/(4 (p00 + p11 - 1)^2)."""
    assert worst_variance(Mechanism.binary("1/4", "1/4")) == worst_variance(Mechanism("warner:3/4")) == 1
    assert worst_variance(Mechanism.binary("1/4", "3/4")) is None


@pytest.mark.parametrize(
    ("mechanisms", "said"),
    [
        (["warner:3/4"], "No response changes anybody's odds by more than a factor of 3."),
        (["grr:4,1/3"], "No response changes anybody's odds by more than a factor of 1.5."),
        (["warner:4/7"], "No response changes anybody's odds by more than a factor of 1.334."),  # 4/3, rounded up
        (["warner:3/4", "warner:2/3"], "No response changes anybody's odds by more than a factor of 3."),
        (["warner:3/4", "warner:3/4"], "No response changes anybody's odds by more than a factor of 3."),
        (["warner:3/4", "warner:1"], "Some response is certain evidence: no finite epsilon holds."),
        ([], ""),
    ],
)
def test_a_sentence_on_privacy_has_the_largest_factor(mechanisms: list[str], said: str) -> None:
    used = tuple(map(Mechanism, mechanisms))
    if mechanisms[:1] == ["warner:4/7"]:
        assert used[0].parity() == Fraction(4, 3)
    assert privacy_sentence([Answer("a.json", {}, "estimate", used, {}, None)]) == said
    assert privacy_sentence([Answer("a.json", {}, "design", used, {}, None)]) == ""  # a plan, no responses


def test_two_files_are_not_said_to_be_all_responses() -> None:
    """The factors 9 and 2 of two files are 18 together; what is said is true of each file."""
    used = [(Mechanism("bits:warner:3/4,warner:3/4"),), (Mechanism("warner:2/3"),)]
    said = privacy_sentence([Answer("a.json", {}, "estimate", each, {}, None) for each in used])
    assert said == "The responses of a person in one file together change nobody's odds by more than a factor of 9."


def test_a_promise_with_a_delta_is_no_factor_alone() -> None:
    """A response of the first device is certain evidence, with a probability up to delta."""
    certain = Mechanism([["9/10", "1/4"], ["1/10", "0.65"], ["0", "1/10"]])
    promised = Answer("a.json", {"column": "a"}, "estimate", (certain,), {"epsilon": "log(5)", "delta": "1/10"}, None)
    plain = Answer("b.json", {}, "estimate", (Mechanism("warner:3/4"),), {}, None)
    product = Answer("b.json", {"column": "b"}, "estimate", (Mechanism("bits:warner:3/4,warner:3/4"),), {}, None)
    for other, factor in ((plain, "5"), (product, "9")):
        said = privacy_sentence([promised, other])
        assert said.endswith(f"is at most {factor} times that under another, plus 0.1.")


def test_parts_of_a_text_on_a_claim() -> None:
    table = _html_part(WrittenPart("Cases", ("Two.",), ("n", "value"), (("1", "<2>"), ("3", "4"))))
    assert table.startswith("<p><b>Cases.</b> Two.</p>")
    assert "<tr><th>n</th><th>value</th></tr></thead><tbody><tr><td>1</td><td>&lt;2&gt;</td></tr>" in table
    assert _html_part(WrittenPart("Scope", ("All n.",))) == "<p><b>Scope.</b> All n.</p>"
    items = _html_part(WrittenPart("Steps", ("One.", "Two.")))
    assert [items.count(text) for text in ("<li", ">One.</li>", ">Two.</li>", "<table")] == [2, 1, 1, 0]
    assert _markdown_formulas("a | b, $P(a|b)$") == r"a \| b, $P(a\vert b)$"


def test_a_formula_that_is_not_converted_stays_as_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def convert(source: str) -> str:
        raise IndexError(source)

    monkeypatch.setattr(mathematics, "formula_converter", lambda: convert)
    mathematics._mathml.cache_clear()
    assert mathematics._mathml(r"a < \b") == r"<code>a &lt; \b</code>"
    mathematics._mathml.cache_clear()


def test_numbers_that_the_page_cannot_read_are_refused() -> None:
    assert explore(gamma=3, prevalence="1/1" + "0" * 36).prevalence == Fraction(1, 10**36)
    with pytest.raises(InvalidParameterError, match="prevalence is too long for the page"):
        explore(gamma=3, prevalence="1/1" + "0" * 39)
