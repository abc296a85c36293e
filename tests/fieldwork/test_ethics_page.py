"""The ethics page of several questions: each as it is asked, its factor of the odds, and that of all together."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import sqrt
from pathlib import Path
from statistics import NormalDist

import pytest

import rropt
import rropt_fieldwork
from rropt.core.errors import InvalidParameterError
from rropt_fieldwork import ethics_page

Cli = Callable[..., tuple[int, str, str]]
DECLARED = """
title = "Health"
epsilon = "log(9)"

[questions.drugs]
question = "Did you use a drug?"
categories = ["no drug", "used a drug"]
device = "crosswise:1/4"

[questions.work]
question = "How often did you miss work?"
categories = ["never", "once", "often"]
device = "grr:3,3/5"

[questions.q19]
categories = ["no", "yes"]
device = "version"
devices = { A = "warner:3/4", B = "forced:2/3,1/6,1/6" }

[questions.smoke]
question = "Do you smoke?"
device = "direct"
epsilon = "none"
"""


def _factor_of_all(matrices: list[list[list[Fraction]]]) -> Fraction:
    """Return the largest quotient of the probability of a list of responses under two lists of true answers."""
    outputs, inputs = [len(one) for one in matrices], [len(one[0]) for one in matrices]

    def chance(said: tuple[int, ...], true: tuple[int, ...]) -> Fraction:
        found = Fraction(1)
        for matrix, i, j in zip(matrices, said, true, strict=True):
            found *= matrix[i][j]
        return found

    lists = list(product(*map(range, inputs)))
    return max(
        chance(said, one) / chance(said, other)
        for said in product(*map(range, outputs))
        for one in lists
        for other in lists
    )


def test_the_factor_of_all_responses_is_the_largest_quotient_of_lists() -> None:
    """Against every list of responses under every two lists of true answers."""
    designs = {"A?": "warner:2/3", "B?": "forced:1/2,1/3,1/6", "C?": "grr:3,3/5"}
    page = ethics_page(designs)
    matrices = [[list(row) for row in rropt.Mechanism(text).matrix] for text in designs.values()]
    assert page.factor == _factor_of_all(matrices)
    assert [one.factor for one in page.questions] == [_factor_of_all([one]) for one in matrices]
    assert page.delta == 0
    posterior = page.factor / (1 + page.factor)  # of even odds
    told = re.search(r"probability was 50 % before, it is at most ([\d.]+) %", page.document.to_markdown())
    assert told is not None
    assert 0 <= float(told[1]) - float(100 * posterior) <= 0.1  # rounded up to one decimal


def test_a_declared_survey_has_its_questions_devices_and_words(tmp_path: Path) -> None:
    (tmp_path / "survey.toml").write_text(DECLARED)
    page = rropt_fieldwork.Survey.read(tmp_path / "survey.toml").ethics_page(n=1000)
    text = page.document.to_markdown()
    assert text.startswith("# Health: how this survey protects its respondents")
    assert page.factor == 3 * 3 * 5  # crosswise 3; (3/5)/(1/5) = 3; of the versions A (3) and B (5) the larger one
    for words in (
        "All 3 responses together change nobody's odds by more than a factor of 45.",
        "“Did you use a drug?”",
        "Possible true answers: never, once, often.",
        "Version B: ",
        "“the same”",
        "The wording is not given for q19.",
        "Asked openly, without protection: “Do you smoke?”",
        "| 4. “Do you smoke?” | no limit | 0 % to 100 % |",
        "after all responses to the protected questions.",
    ):
        assert words in text, words
    margins = re.findall(r"\| 1\. “Did you use a drug\?” \| ± ([\d.]+) \|", text)
    # crosswise at p = 1/4: n Var = pi(1 - pi) + p(1 - p)/(2p - 1)^2, at most 1/4 + 3/4
    assert margins == ["6.2"]  # 1.96 sqrt(1/1000) = 0.06198, rounded up


def test_two_questions_are_both(tmp_path: Path) -> None:
    """Two responses are "both responses", never "all 2"; the factors are 3 and 3."""
    own = "".join(f'[questions.{name}]\nquestion = "{name}?"\ndevice = "crosswise:1/4"\n' for name in "ab")
    (tmp_path / "survey.toml").write_text(own)
    text = rropt_fieldwork.Survey.read(tmp_path / "survey.toml").ethics_page(n=1000).document.to_markdown()
    assert "Both responses together change nobody's odds by more than a factor of 9." in text
    assert "| both questions together | 9 |" in text
    assert not re.search(r"\ball 2\b", text, re.IGNORECASE)


@pytest.mark.parametrize(
    ("declared", "variance", "words"),
    [
        ("", 1, "surveys of a simple random sample; weights or clusters make it less precise (for every"),
        ('design_effect = "3/2"', Fraction(3, 2), "surveys, where a design effect of 1.5 is counted (for every"),
        (  # V + (m - 1) rho/4, as ``plan`` has it at the worst prevalence, one half
            'cluster_size = "11"\nicc = "0.05"',
            1 + Fraction(10, 20) / 4,
            "where the sampling of clusters of 11 respondents with the intraclass correlation 0.05 is counted (for",
        ),
    ],
)
def test_margins_count_what_is_declared_of_the_sample(
    tmp_path: Path, declared: str, variance: Fraction, words: str
) -> None:
    """Crosswise at p = 1/4 has n Var of at most 1; the margin is z sqrt(n Var/n), rounded up to one decimal."""
    own = f'[questions.drug]\nquestion = "Drug?"\ndevice = "crosswise:1/4"\n{declared}\n'
    (tmp_path / "survey.toml").write_text(own)
    text = rropt_fieldwork.Survey.read(tmp_path / "survey.toml").ethics_page(n=1000).document.to_markdown()
    assert words in text
    assert "in percentage points, in about 95 of 100 surveys" in text
    assert "equally common; normal approximation)." in text
    (margin,) = re.findall(r"\| “Drug\?” \| ± ([\d.]+) \|", text)
    exact = 100 * NormalDist().inv_cdf(0.975) * sqrt(variance / 1000)
    assert exact <= float(margin) < exact + 0.1
    other = '[questions.debt]\nquestion = "Debt?"\ndevice = "crosswise:1/4"\n'
    (tmp_path / "survey.toml").write_text(own + other)
    text = rropt_fieldwork.Survey.read(tmp_path / "survey.toml").ethics_page(n=1000).document.to_markdown()
    assert f"| 1. “Drug?” | ± {margin} |" in text
    assert "| 2. “Debt?” | ± 6.2 |" in text
    assert ("question 2: a simple random sample" in text) == bool(declared)


def test_promised_deltas_add_up(tmp_path: Path) -> None:
    """A mechanism without finite epsilon is stated by its promise: exp(epsilon), plus delta."""
    made = '[questions.{name}]\nquestion = "{name}?"\ndevice = "{file}"\nepsilon = "log(2)"\ndelta = "1/4"\n'
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("1,1/4\n0,3/4\n")
    (tmp_path / "s.toml").write_text("".join(made.format(name=name, file=f"{name}.csv") for name in ("a", "b")))
    survey = rropt_fieldwork.Survey.read(tmp_path / "s.toml")
    with pytest.raises(InvalidParameterError, match="exceeds the promised level"):
        survey.ethics_page()  # delta is 3/4 there
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("1,3/4\n0,1/4\n")
    page = survey.ethics_page()
    assert (page.factor, page.delta) == (4, Fraction(1, 2))
    text = page.document.to_markdown()
    assert "at most 4 times that under another, plus 0.5" in text
    # the response 0 has the probabilities 1/4 and 0: a delta leaves the odds without a limit
    assert "no limit (probabilities: times 2, plus 0.25)" in text
    assert "changes odds" not in dict(page.lines())["1. “a?”"]
    assert "tell why" not in page.document.to_markdown()  # the response 1 has one true answer


def test_a_certain_response_has_no_factor() -> None:
    page = ethics_page({"A?": "warner:3/4", "B?": "mangat:1/2"})
    assert page.factor is None
    assert "no limit" in page.document.to_markdown()
    assert "The committee should know why" in page.document.to_markdown()


def test_questions_of_one_mechanism_and_lists_are_named() -> None:
    page = ethics_page(["bits:warner:3/4,warner:2/3", "grr:3,1/2"])
    assert [one.text for one in page.questions] == ["Question 1, part 1", "Question 1, part 2", "Question 2"]
    assert page.factor == 3 * 2 * 2
    with pytest.raises(InvalidParameterError, match="are no survey"):
        ethics_page("warner:3/4")
    with pytest.raises(InvalidParameterError, match="has no questions"):
        ethics_page({})
    with pytest.raises(InvalidParameterError, match="number of respondents is out of range"):
        ethics_page({"A?": "warner:3/4"}, n=0)


def test_texts_are_never_markup() -> None:
    page = ethics_page({"<script>alert(1)</script>": "warner:3/4", "\x1b[31m": "warner:3/4"}, title="<b>&\x07")
    text = page.page
    assert "<script>alert" not in text
    assert "<b>&" not in text
    assert "\x1b" not in text + str(page) + page.document.to_latex() + page.document.to_markdown()


def test_the_command_writes_the_page_of_the_function(cli: Cli, cli_json: Callable[..., dict], tmp_path: Path) -> None:
    path = tmp_path / "ethics.md"
    call = ("survey", "ethics", "Are you in debt?=warner:3/4", "grr:3,1/2", "--date", "2026", "--output", str(path))
    record = cli_json(*call)
    wanted = ethics_page({"Are you in debt?": "warner:3/4", "grr:3,1/2": "grr:3,1/2"}, date="2026")
    first, second = wanted.questions
    wanted = replace(wanted, questions=(first, replace(second, has_wording=False)))
    assert "The wording is not given for grr:3,1/2." in wanted.document.to_markdown()
    assert path.read_text() == wanted.document.to_markdown()
    assert record["factor"] == "6"
    assert type(wanted).from_dict(record) == wanted
    status, out, _ = cli(*call)
    assert status == 0
    assert "changes odds by a factor of at most 6" in " ".join(out.split())


def test_a_row_of_the_page_has_device_arrows_and_margin() -> None:
    """The arrows of forced response at 5 to 1 reach 1/6 and 5/6; all together have no device, and no margin."""
    page = ethics_page({"A?": "forced:2/3,1/6,1/6", "B?": "crosswise:1/4"}, n=800).page
    rows = re.findall(r"<tr[^>]*><td>(.*?)</td></tr>", page[page.index('class="strips"') :].split("</table>")[0])
    assert [re.findall(r'class="pictogram"[^>]*aria-label="([^"]*)"', row) for row in rows] == [["die"], ["cards"], []]
    axis, ends = 180, [re.findall(r"L([\d.]+) 12L", row) for row in rows]
    for (low, high), factor in zip(ends, (5, 3, 15), strict=True):
        assert float(low) == pytest.approx(10 + axis / (1 + factor), abs=0.01)
        assert float(high) == pytest.approx(190 - axis / (1 + factor), abs=0.01)
    assert ["\u00b1 5.2" in rows[0], "\u00b1 7.0" in rows[1], "\u00b1" in rows[2]] == [True, True, False]
    assert page.count('class="sign"') == 2


def test_signatures_stay_with_the_consent() -> None:
    page = rropt_fieldwork.sheet("warner:3/4", "Q?").page
    together = page[page.index('<div class="together">') :]
    assert together.index("Consent") < together.index('class="sign"')
    assert ".together { break-inside: avoid; }" in page
