"""What pages state: which mechanisms are the same, promises, numbers of questions, limits, and the checker's script."""

from __future__ import annotations

import re

import pytest

import rropt
from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import Mechanism
from rropt.reports.browser_checker import script, sources
from rropt.reports.design_pages import _question_numbers
from rropt.reports.played_designs import _playable, played_as, played_design
from rropt_fieldwork.ethics.explorer import explore
from rropt_fieldwork.ethics.results_page import _MOST_ITEMS, shown_html
from rropt_fieldwork.ethics.stated import (
    Answer,
    _about,
    _is_same,
    _mechanisms_in,
    _text,
    promise_texts,
    promises_of,
    require_promises,
)
from rropt_fieldwork.ethics.survey_report import _asked, _device, _optimality, _privacy, _words


def test_merged_categories_have_each_different_column_once() -> None:
    whole = Mechanism([["3/4", "1/4", "1/4"], ["1/4", "3/4", "3/4"]])
    merged, other = Mechanism([["3/4", "1/4"], ["1/4", "3/4"]]), Mechanism([["2/3", "1/4"], ["1/3", "3/4"]])
    longer = Mechanism([["3/4", "1/4"], ["1/4", "1/2"], ["0", "1/4"]])
    for one, two, expected in ((whole, merged, True), (whole, other, False), (whole, longer, False)):
        assert _is_same(one, two, merged=True) is expected
        assert _is_same(two, one, merged=True) is expected
        assert not _is_same(one, two, merged=False)
    exchanged = Mechanism([["1/4", "3/4"], ["3/4", "1/4"]])
    assert not _is_same(merged, exchanged, merged=True)  # as many columns: none was merged
    assert _is_same(merged, merged, merged=False)


def test_the_number_of_respondents_of_the_explorer() -> None:
    for n in (1, 10**9):
        assert explore(gamma=2, n=n).n == n
    for n in (0, 10**9 + 1, True):
        with pytest.raises(InvalidParameterError, match="number of respondents is out of range"):
            explore(gamma=2, n=n)


def test_a_promise_is_read_from_each_design_that_has_a_problem() -> None:
    mechanism = {"matrix": [["2/3", "1/3"], ["1/3", "2/3"]]}
    problem = rropt.Problem.binary("1/4", epsilon="log(2)").to_dict()
    files = {"m": mechanism, "x": {"problem": {"kind": "nothing"}}, "d": {"problem": problem, **mechanism}}
    answers = [Answer(name, data, "", _mechanisms_in(data), {}, None) for name, data in files.items()]
    assert [str(told) for _, told in promises_of(answers)] == ["epsilon = log(2), delta = 0"]


@pytest.mark.parametrize(
    ("parity", "promise", "words"),
    [
        ("inf", None, "Privacy: some response is certain evidence, so epsilon is infinite."),
        (
            "inf",
            "epsilon = 1",
            "promised is epsilon = 1. Some response is certain evidence, so no finite",
        ),
        ("3", None, "Privacy: no response is more than 3 times as likely"),
        ("7/3", None, "no response is more than 2.33334 times as likely"),
        ("3", "epsilon = 2", "Privacy: promised is epsilon = 2. No response is more than 3 times as likely"),
    ],
)
def test_the_sentence_on_privacy_has_the_promise(parity: str, promise: str | None, words: str) -> None:
    assert words in _privacy(parity, "inf" if parity == "inf" else "log(3)", promise)


def test_sentences_above_tables_belong_to_their_kind() -> None:
    plan = {"result": "MechanismPlan", "n": 7, "definition": "the error is small", "epsilon": "1", "parity": "3"}
    (found,) = _words(plan)
    assert "The plan asks 7 respondents: the error is small." in str(found)
    assert not list(_words({"n": 7, "epsilon": "1"}))
    assert not list(_words({"result": "MetricPrivacy", "epsilon": "log(4)"}))  # per unit of distance


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([2], "Question 2"),
        ([1, 2], "Questions 1, 2"),
        ([1, 2, 3], "Questions 1 to 3"),
        ([1, 3, 4], "Questions 1, 3, 4"),
        ([1, 2, 4], "Questions 1, 2, 4"),
        ([1, 3, 5, 7, 9, 11, 13], "Questions 1, 3, 5, 7, 9, 11, ..."),
    ],
)
def test_numbers_of_questions(numbers: list[int], words: str) -> None:
    assert _question_numbers(numbers) == words


def test_the_script_of_the_checker_has_every_module_that_it_imports_before_it() -> None:
    made = re.findall(r"^const m_(\w+) =", script(), re.MULTILINE)
    assert made[-1] == "report_page"
    for i, name in enumerate(made):
        text = (sources() / f"{name}.js").read_text(encoding="utf-8")
        imported = re.findall(r'from "\./(\w+)\.js"', text)
        assert name == "sentence_table" or set(imported) <= set(made[:i])
    assert len(made) > 10


@pytest.mark.parametrize(
    ("categories", "words"),
    [
        (("1",), "Question: sick. The estimate is the proportion with the trait."),
        (("0", "1", "2"), "Each category has its own estimate."),
        (("yes",), "the proportion of yes."),
        (("no, yes", "yes, yes"), "The estimates are the proportions of the combinations of answers."),
    ],
)
def test_what_was_asked_and_what_is_estimated(categories: tuple[str, ...], words: str) -> None:
    read = {"columns": [{"answered": 9, "missing": 3, "column": "sick"}]}
    mechanisms = (Mechanism("warner:3/4").labelled(["no", "yes"]),) if categories == ("yes",) else ()
    asked = "sick, ill" if "no, yes" in categories else "sick"
    rows = [{"question": asked, "category": category} for category in categories]
    more = {"result": "Estimates", "kind": "proportions", "questions": ["sick"], "rows": rows}
    data = {"question": {"column": "sick"}, "reading": read, **more}
    first, second = _asked(Answer("a", data, "estimate", mechanisms, {}, None))
    assert words in str(first)
    assert "9 of 12 people responded to the question “sick”; 3 (25 %) did not and are left out." in str(second)
    assert not list(_asked(Answer("a", more, "estimate", (), {}, None)))


@pytest.mark.parametrize(
    ("data", "decimals", "words"),
    [
        ("1/3", "0.333333333333", "1/3 ~ 0.333333333333"),
        ("1/2", "1/2", "1/2 ~ 0.5"),
        ("2", "2", "2"),
        (None, None, "none"),
        (True, None, "yes"),
        ([], None, "none"),
        (["1/2", "x"], ["0.5"], "<ul><li>1/2 ~ 0.5</li><li>x</li></ul>"),
    ],
)
def test_values_of_a_result_that_has_no_words(data: object, decimals: object, words: str) -> None:
    assert shown_html(data, decimals) == words


def test_of_long_lists_the_first_are_shown() -> None:
    for more in (0, 2):
        shown = shown_html(["x"] * (_MOST_ITEMS + more))
        assert shown.count("<li>") == _MOST_ITEMS + (more > 0)
        assert ("2 more" in shown) == (more > 0)


def test_the_text_of_a_mechanism_has_its_matrix_or_its_sizes() -> None:
    assert _text(Mechanism("warner:3/4")) == "'warner:3/4' (the matrix 0.75,0.25;0.25,0.75)"
    assert _text(Mechanism([["1/3", "1/3"], ["2/3", "2/3"]])) == "the matrix 0.333333,0.333333;0.666667,0.666667"
    assert _text(Mechanism("grr:4,1/2")) == "'grr:4,1/2' (a mechanism with 4 outputs and 4 categories)"


ODDS = "No response changes anybody's odds by more than a factor of 3 (epsilon = log(3), delta = 0)."
DELTA = (
    "Whatever is looked for in a response, its probability under one answer is at most 2.719 times that under another, "
    "plus 0.01 (epsilon = 1, delta = 1/100)."
)


def test_promises_of_several_questions() -> None:
    level = {"epsilon": "log(3)"}
    named = {"q": {"name": "q", **level}, "s": {"name": "s", **level}, "r": {"name": "r", "epsilon": "1"}}
    named["r"]["delta"] = "1/100"
    files = {name: Answer(name, {}, "estimate", (), declared, None) for name, declared in named.items()}
    design = Answer("d", {}, "design", (), {"name": "d", "epsilon": "5"}, None)
    odds = "no list of responses changes anybody's odds by more than a factor of 9"
    sums = "whatever is looked for in the responses, its probability under one list of answers is at most 8.155 times "
    sums += "that under another, plus 0.01"  # 3 e = 8.15485
    for names, told in (
        ("q", [f"q: {ODDS}"]),
        ("qs", [f"q, s: {ODDS}", f"The 2 questions together: {odds} (the levels add up)."]),
        ("qr", [f"q: {ODDS}", f"r: {DELTA}", f"The 2 questions together: {sums} (the levels add up)."]),
    ):
        assert list(promise_texts([*(files[name] for name in names), design])) == told


def test_a_promise_is_kept_at_its_delta() -> None:
    """Warner's 3/4 has delta = (3 - e)/4 = 0.0704 at epsilon = 1."""
    for declared, is_kept in (({"epsilon": "log(3)"}, True), ({"epsilon": "1"}, False)):
        for delta in ("0", "7/100", "71/1000"):
            answers = [Answer("f", {}, "", (Mechanism("warner:3/4"),), {**declared, "delta": delta}, None)]
            if is_kept or delta == "71/1000":
                require_promises(answers)
                continue
            with pytest.raises(InvalidParameterError, match=rf"promises epsilon = 1, delta = {delta};"):
                require_promises(answers)


def test_labels_and_texts_of_files() -> None:
    asked = {"question": {"columns": ["u", "v"]}}
    for data, label in (
        ({}, "b"),
        ({**asked, "by": ["g", "h"]}, "u, v by g, h"),
        ({**asked, "by": "g"}, "u, v by g"),
        ({**asked, "formula": "y ~ x"}, "y ~ x"),
    ):
        assert Answer("a/b.json", data, "", (), {}, None).label == label
    coin = (Mechanism("warner:3/4"),)
    for count in (3, 4):
        assert _about(Answer("n", {}, "", coin * count, {}, None)).endswith(" and ...") == (count > 3)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"played": {}, "value": "1", "lower": "1", "upper": "1"}, "The loss of the device that is played is bounded"),
        ({"value": "1", "lower": "1", "upper": "1"}, "The device is optimal"),
        ({"value": "1", "upper": "1"}, "The device is the best that was found"),
        ({"value": "-2", "lower": "-2", "upper": "-19/10"}, "The device is within 5 % of optimal"),
        ({"value": "1", "lower": "1", "upper": "1.001234"}, "The device is within 0.124 % of optimal"),
    ],
)
def test_how_near_a_design_is_to_the_optimum(data: dict, words: str) -> None:
    assert _optimality(data).startswith(words)


def test_devices_in_words() -> None:
    uneven, long = Mechanism.binary("2/3", "3/4"), Mechanism.binary(f"{10**25 // 3}/{10**25}", "3/4")
    for device, words in (
        ("christofides:1/2,1/3,1/6", "(p1 = 1/2, p2 = 1/3, p3 = 1/6). A card c of 1 to L"),
        ("kuk:1/3,2/3,3", "(theta1 = 1/3, theta0 = 2/3, r = 3). Draw r cards"),
        (uneven, "True answer 0 reported with 2/3, true answer 1 with 3/4. Privacy: no "),
        (long, "True answer 0 reported with ~0.333333, true answer 1 with 3/4."),
        (uneven, "more than 2.66667 times as likely from one respondent as from another (epsilon = log(8/3))."),
        (long, "(epsilon = about 0.287682)."),
        (Mechanism([["1/3"] * 3, ["2/3"] * 3]), "if it is 2. Privacy: no response is more than 1 "),
    ):
        assert words in "".join(_device(device))


def test_what_a_played_design_loses_at_most() -> None:
    """Against the proved bound of the optimum: below the largest trace, above the least variance."""
    trace = rropt.solve(rropt.Problem.kary(3, epsilon=1, objective="trace"), ["closed-form"])
    played = played_design(trace, "dice")
    assert played.loss == trace.bracket.upper - played.played_value > 0
    assert played.relative_loss == played.loss / trace.bracket.upper
    variance = rropt.solve(rropt.Problem.binary("1/10", epsilon=1), ["exact"])
    played = played_design(variance, "cards")
    assert played.loss == played.played_value - variance.bracket.lower > 0
    assert rropt.audit_privacy(played).audit.entries == played.played.matrix
    assert rropt.compose(played).lower == rropt.compose(played.played).lower
    assert rropt.inference.estimate(played, [30, 40]) == rropt.inference.estimate(
        played.played, [30, 40]
    )  # as its JSON


def test_the_best_design_that_a_device_plays_is_taken() -> None:
    """Of the sizes of subsets, for a variance (the least) and a trace (the largest)."""
    for objective, best in (("a-optimal", min), ("trace", max)):
        problem = rropt.Problem.kary(4, epsilon=1, objective=objective)
        made = [next(_playable(problem.region, size, "cards"), None) for size in (1, 2, 3)]
        values = {problem.objective.value(each, problem.population) for each in made if each is not None}
        assert len(values) > 1
        assert played_design(rropt.solve(problem, ["exact"]), "cards").played_value == best(values)


def test_a_played_design_is_of_the_family_of_its_problem() -> None:
    asked = {"epsilon": "log(3)", "delta": "1/10", "prevalence": "1/100"}
    symmetric = rropt.solve(rropt.Problem.binary(symmetric=True, **asked), ["exact"])
    with pytest.raises(InvalidParameterError, match=r"allowed is .*, warner"):
        played_as(symmetric, "cards", Mechanism([["1", "9/10"], ["0", "1/10"]]))
    assert played_as(symmetric, "cards", symmetric.mechanism).loss == 0
