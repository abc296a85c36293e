"""The page of a design: its sentences are true, its device has the mechanism's chances, its files are what it says."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from fractions import Fraction
from html import unescape
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from plans import plan_margin

from rropt import check, solve
from rropt.designs import Problem
from rropt.designs.bits import design_bits
from rropt.designs.prevalence_intervals import solve_over_interval
from rropt.mechanisms import Mechanism, OrbitMechanism, named_mechanism
from rropt.objectives import Trace
from rropt.privacy import PrivacyRegion
from rropt.reports import PlannedSurvey, design_page
from rropt.reports.design_pages import _glossary, _instructions, _margins, _revealed
from rropt.reports.document_writers import Document
from rropt.reports.irb_summary import (
    Exposure,
    exposures,
    margin_text,
    percent,
    told_device,
    variances,
    worst_exposure,
    worst_variance,
)
from rropt_fieldwork import sheet
from rropt_fieldwork.devices.device_designs import design_devices
from rropt_fieldwork.devices.device_pages import _device_at_hand, _device_rows, described

F = Fraction
UNEVEN = Mechanism([["1/2", "1/10", "1/10"], ["3/10", "7/10", "2/5"], ["1/5", "1/5", "1/2"]])
MECHANISMS = {
    "die": named_mechanism("forced:2/3,1/6,1/6"),
    "coin": Mechanism.binary("1/2", 1),
    "cards": Mechanism.binary("25/26", "17/26"),
    "corner": Mechanism.binary(1, "1/4"),
    "two dice": Mechanism.binary("35/36", "35/36"),
    "lies": Mechanism.binary("1/6", "1/6"),
    "nothing": Mechanism.binary("1/2", "1/2"),
    "open": Mechanism.binary(1, 1),
    "grr": named_mechanism("grr:5,3/7"),
    "categories": Mechanism([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]),
    "boxes": UNEVEN,
    "never together": Mechanism([["1/2", 0, "1/4"], ["1/4", "3/4", "1/4"], ["1/4", "1/4", "1/2"]]),
    "three answers": Mechanism([["1/2", "1/4"], ["1/4", "1/4"], ["1/4", "1/2"]]),
    "four answers": named_mechanism("kuk:4/5,1/5,3"),
}


@pytest.mark.parametrize("name", [name for name in MECHANISMS if name != "four answers"])
def test_the_device_is_that_of_the_sheet(name: str) -> None:
    """The tests of the sheet play its words through by hand."""
    made, device = sheet(MECHANISMS[name], question="Did you?"), told_device(MECHANISMS[name])
    assert device.steps == " ".join(made.instructions)
    assert device.prepare.endswith(" ".join(made.prepared))
    assert device.has_table == (name == "two dice")
    for other in (Mechanism.binary("500/1001", "1/2"), MECHANISMS["four answers"]):
        assert told_device(other).kind == "a program"


@pytest.mark.parametrize("name", MECHANISMS)
def test_no_belief_leaves_the_bounds_and_both_are_reached(
    name: str, rng: Random, size: Callable[[int, int], int]
) -> None:
    """Bayes over random intruders: priors of the other categories, and the answer, are theirs to choose."""
    mechanism = MECHANISMS[name]
    k = mechanism.inputs
    found = exposures(mechanism)
    for j, exposure in zip((1,) if mechanism.is_binary else range(k), found, strict=True):
        seen: list[Fraction] = []
        for _ in range(size(20, 400)):
            p = F(rng.randint(1, 19), 20)
            rest = [F(rng.choice([0, 0, 1, 3])) if i != j else F(0) for i in range(k)]
            rest[rng.choice([i for i in range(k) if i != j])] += 1
            prior = [p if i == j else (1 - p) * x / sum(rest) for i, x in enumerate(rest)]
            for row in mechanism.matrix:
                total = sum(a * b for a, b in zip(row, prior, strict=True))
                if total:
                    after = row[j] * p / total
                    assert exposure.least.posterior(p) <= after <= exposure.most.posterior(p)
                    seen += [after] if p == F(1, 2) else []
        vertices = [
            row[j] / (row[j] + row[i]) for row in mechanism.matrix for i in range(k) if i != j and row[j] + row[i]
        ]
        half = F(1, 2)
        assert (
            [exposure.least.posterior(F(p)) for p in (0, 1)]
            == [exposure.most.posterior(F(p)) for p in (0, 1)]
            == [0, 1]
        )
        assert (exposure.least.posterior(half), exposure.most.posterior(half)) == (min(vertices), max(vertices))
    whole, each = worst_exposure(found), [(one.least.posterior(half), one.most.posterior(half)) for one in found]
    assert whole.least.posterior(half) == min(low for low, _ in each)
    assert whole.most.posterior(half) == max(high for _, high in each)


def test_orbits_reveal_what_their_matrices_do() -> None:
    groups = [
        [[("1/4", 1), ("1/8", 1)], [("1/4", 1)]],
        [[("5/16", 2)], [("1/8", 1)]],
        [[("5/16", 2)], [("3/8", 1)]],
    ]
    for made in (OrbitMechanism.subset_selection(4, 2, 3), OrbitMechanism([2, 1], groups)):
        assert exposures(made) == exposures(Mechanism(made.matrix))


def test_percentages_are_rounded_outwards(rng: Random) -> None:
    for _ in range(300):
        value = F(rng.randint(0, 1000), rng.randint(1000, 3000)) ** rng.choice([1, 1, 4])
        low, high = (F(percent(value, up=up).removesuffix(" %")) / 100 for up in (False, True))
        assert low <= value <= high
        assert high - low <= F(1, 1000)
        assert low > 0 or value < F(1, 10**9)
    assert [percent(F(x), up=True) for x in ("0", "1", "1/10", "0.999999")] == ["0 %", "100 %", "10 %", "99.9999 %"]
    assert [percent(1 - F(1, 10**12), up=up) for up in (False, True)] == ["99.9 %", "100 %"]


def test_margins_are_those_of_plans() -> None:
    die, level = MECHANISMS["die"], F(19, 20)
    variance = variances(die, (F(3, 4), F(1, 4)))
    assert variance is not None
    n = plan_margin(die, "0.05", kind="normal", prevalence="1/4").n
    assert (margin_text(variance, n, level), margin_text(variance, n - 1, level)) == ("5.0", "5.1")
    worst = worst_variance(die)
    for share in range(21):
        at = variances(die, (1 - F(share, 20), F(share, 20)))
        assert at is not None
        assert worst is not None
        assert at <= worst
    grr = named_mechanism("grr:3,1/2")
    assert variances(grr, (F(1, 3),) * 3) == F(2, 9) / (F(1, 2) - F(1, 4)) ** 2  # lambda (1 - lambda)/(p - q)^2
    assert variances(Mechanism([["1/2"] * 3, ["1/2"] * 3]), (F(1, 3),) * 3) is None


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    evil = PlannedSurvey(question='<script>alert("1")</script> & co?', n=2435, date="2030-01-02", file='a"<b>.json')
    trace = Problem(PrivacyRegion("log(3)", inputs=4, outputs=4), Trace([1] * 4), ["1/4"] * 4)
    pages = {
        "binary": design_page(solve(Problem.binary("1/4", epsilon="log(5)"), ["exact"]), survey=evil),
        "corner": design_page(solve(Problem.binary("1/10", epsilon="log(2)", delta="1/4"), ["exact"])),
        "other corner": design_page(solve(Problem.binary("9/10", epsilon="log(2)", delta="1/4"), ["exact"])),
        "interval": design_page(solve_over_interval(PrivacyRegion("log(2)", "1/2"), "0..3/4", fast=True)),
        "categories": design_page(solve(trace, ["closed-form"]), [("<i>", "&")]),
        "questions": design_page(design_bits(3, weights=[1, 2, 1, 0], fast=True), survey=evil),
        "twelve questions": design_page(design_bits(3, weights=range(1, 13), routes=["multiplier"], fast=True)),
        "deck": design_page(described(design_devices("log(9)", "1/10", deck=52, dice=2)), survey=evil),
        "cards": design_page(described(design_devices("log(9)", "1/10", cards=5))),
    }
    return {name: page.to_html() for name, page in pages.items()}


def _words(page: str) -> str:
    first = page[page.index('<div class="board">') : page.index("For reviewers")]
    return unescape(re.sub(r"<[^>]*>", " ", first)).replace("\xa0", " ")


def test_a_page_is_whole_and_safe(pages: dict[str, str]) -> None:
    for page in pages.values():
        assert page.count("<script") == ("<h2>Certificate" in page)  # the checker, where there is a certificate
        assert "<script>alert" not in page
        assert not re.search(r"(src|href)=[\"'](?!data:(application/json|image/svg\+xml);base64,)", page)
        assert not re.search(r"https?:|url\(|@import", page)
        assert len(_words(page).split()) < 460  # one sheet of A4, with room for a table
        for data, shown in zip(
            re.findall(r"json;base64,([^\"]*)", page), re.findall(r'class="hash">(\w+)<', page), strict=True
        ):
            file = base64.b64decode(data)
            assert hashlib.sha256(file).hexdigest() == shown
            assert check(file.decode())
            assert (
                unescape(re.findall(r'<pre class="certificate"[^>]*>(.*?)</pre>', page, re.DOTALL)[0]).encode() == file
            )
    assert "&lt;script&gt;" in pages["binary"]
    assert "a&quot;&lt;b&gt;.json" in pages["binary"]
    assert "2030-01-02" in pages["binary"]


def test_what_a_page_says(pages: dict[str, str]) -> None:
    said = {name: " ".join(_words(page).split()) for name, page in pages.items()}
    steps = "tell the truth. If you get 5: say “yes”, whatever the truth is. If you get 6: say “no”, whatever"
    assert f"If you get 1 to 4: {steps}" in said["binary"]
    assert (
        "If the probability was 10 % before, it is at most 35.8 % after a yes and at least 2.1 % after a no."
        in said["binary"]
    )
    assert "2,435 ± 2.9" in said["binary"]
    assert "proves" not in said["binary"].replace("proves these numbers", "")
    assert (
        "A yes proves that the true answer is yes. Of 100 respondents whose true answer is yes, about 25 are"
        in said["corner"]
    )
    assert (
        "A no proves that the true answer is no. Of 100 respondents whose true answer is no, about 25 are"
        in said["other corner"]
    )
    assert "nobody can tell why" not in said["corner"]
    assert "nobody can tell why" in said["binary"]
    assert "0 % to 75 % would truly say yes" in said["interval"]
    assert "if 25 % would truly say yes" in said["binary"]
    assert "if all answers are equally common" in said["categories"]
    assert "at most 25 % and at least 3.5 % after any answer" in said["categories"]
    assert "Question 4. Do not ask it" in said["questions"]
    assert re.findall(r">question (\d+)<", pages["questions"]) == ["1", "2", "3", "4"]
    assert "2 of spades, 3 of spades, 4 of spades, 5 of spades, 6 of spades: say yes" in said["deck"]
    assert "The deck: 1/10 of the cards: number 1; 9/10 of the cards: number 5." in said["cards"]
    rows = [unescape(re.sub(r"<[^>]*>", "|", row)) for row in re.findall(r"<tr>(.*?)</tr>", pages["cards"])]
    assert {"|answers where no is true||1/10, 0, 0, 0, 9/10|", "|answers where yes is true||9/10, 0, 0, 0, 1/10|"} <= {
        row.strip() for row in rows
    }
    assert "the design keeps epsilon = log(5), delta = 0" in said["binary"]
    for text in said.values():
        assert "epsilon" not in text.partition("Five words")[0]
        assert all(word in text for word in ("randomizing", "belief", "epsilon", "margin", "certificate"))


def test_all_answers_together_tell_no_more_than_said(pages: dict[str, str]) -> None:
    """Of any one list of true answers: the largest and the least quotient of the whole matrix, written out."""
    design = design_bits(3, weights=[1, 2, 1, 0], fast=True)
    matrix = Mechanism(design.mechanism.matrix)
    said = " ".join(_words(pages["questions"]).split())
    for cell in (0, 5, 15):
        found = exposures(matrix)[cell]
        high, low = (percent(f.posterior(F(1, 10)), up=up) for f, up in ((found.most, True), (found.least, False)))
        assert f"before, it is at most {high} and at least {low} after all answers" in said
    worst = Exposure.of(max(design.mechanism.factors, key=lambda bit: bit.parity() or 0), 1)
    assert f"at most {percent(worst.most.posterior(F(1, 2)), up=True)} after a yes" in said
    for bit, share, variance in zip(design.mechanism.factors, design.prevalences, design.n_variances, strict=True):
        if variance is not None:
            assert variance == variances(bit, (1 - share, share))
            assert re.search(rf"\b{100 * share} % ± {re.escape(margin_text(variance, 2435, F(19, 20)))}", said)


@pytest.mark.parametrize(
    ("mechanism", "sentences"),
    [
        (Mechanism.binary("1/6", "1/4"), ("at most 33.4 % after a no and at least 3.2 % after a yes.",)),
        (Mechanism.binary("0", "1/4"), ("A no proves that the true answer is yes. Of 100", "is yes, about 75 are")),
        (Mechanism.binary("1/4", "0"), ("A yes proves that the true answer is no. Of 100", "is no, about 75 are")),
        (Mechanism.binary("199/200", "3/4"), ("A yes all but proves that the true answer is yes.",)),
        (Mechanism.binary("1/2", "1/1000"), ("A yes all but proves that the true answer is no.",)),
        (UNEVEN, ("| answer 2 | 2.1 % to 20.6 % | 16.6 % to 70 % | 64.2 % to 95.5 % |", "For each true answer")),
        (
            Mechanism([[F(1 + (i == j) * (1 + j), 8 + j) for j in range(7)] for i in range(7)]),
            ("for some, beliefs move less",),
        ),
        (named_mechanism("grr:3,1"), ("Some answer proves what the true one is, and some answer proves what the",)),
        (Mechanism.binary("3/4", "5/12"), ("That factor is at most 1.667 here; the design keeps X.",)),  # 5/3
    ],
)
def test_what_a_response_reveals(mechanism: Mechanism, sentences: tuple[str, ...]) -> None:
    text = Document("", (*_revealed(mechanism), *_glossary(mechanism, "X"))).to_markdown()
    assert not [words for words in sentences if words not in text], text
    some = "for some, beliefs move less"
    assert (some in text) == (some in sentences)


def test_margins_are_those_of_the_worst_guess() -> None:
    """Of 0 and 1/2 it is 1/2, where the die has the n Var 9/16, and a question that is asked openly 1/4."""
    blocks = _margins(MECHANISMS["die"], [(F(1), F(0)), (F(1, 2), F(1, 2))], PlannedSurvey(n=1000))
    die, openly = (f"± {margin_text(F(x), 1000, F(19, 20))}" for x in ("9/16", "1/4"))
    assert blocks[-1][-1] == [("1,000", die, die, openly)]
    assert [margin_text(F(x), 100, F(19, 20)) for x in (25, 26, 27)] == ["98.0", *["100 or more"] * 2]


def test_a_device_is_compared_with_the_best_mechanism() -> None:
    best = SimpleNamespace(value=F(1, 2), mechanism=Mechanism.binary("3/4", "2/3"))
    rows = _device_rows(SimpleNamespace(best=best, optimum=SimpleNamespace(value=F(1, 4))))  # type: ignore[arg-type]
    assert [text for _, text in rows] == ["1/2 = 0.5", "1/4 = 0.25", "3/4, 1/4", "1/3, 2/3"]
    card = (("truth", tuple(map(str, range(20)))), ("yes", ("a",)), ("no", ("b", "c")))
    best = SimpleNamespace(name="a wheel", card=card, instruction="")
    use = _device_at_hand(SimpleNamespace(best=best))  # type: ignore[arg-type]
    assert use.prepare == "A wheel: a: say yes; b, c: say no; any other: answer truthfully."


def test_a_program_states_the_chances_of_a_yes() -> None:
    mechanism = Mechanism.binary("0.734567", "0.612345")
    told = _instructions(told_device(mechanism), mechanism)[-1].text
    assert "A true yes is sent as yes with a chance of about 61.23 %, a true no as yes with about 26.55 %" in told


@pytest.mark.parametrize("ending", ["md", "tex"])
def test_other_formats_hold_the_same_sentences_and_tables(pages: dict[str, str], ending: str) -> None:
    solution = solve(Problem.binary("1/10", epsilon="log(2)", delta="1/4"), ["exact"])
    document = design_page(solution, bound=solution.certificate)
    text = document.text_of(f"page.{ending}").replace("\\", "")
    for words in (
        "What the respondent does",
        "asked openly",
        "Five words",
        "design 1 (rows are outputs)",
        "rropt check",
    ):
        assert words in text
        assert words in pages["corner"]
    assert text.count("rropt check certificate-bound.json") == text.count("rropt check certificate.json") == 1
    assert "<" not in text
    assert ending == "md" or not set("ε\u202f") & set(text)  # pdflatex knows neither


@pytest.mark.parametrize(
    "kind", [("design", "questions", "--number", "2"), ("device", "--prevalence", "1/10", "--for", "dice:1")]
)
def test_every_kind_of_design_has_its_page(cli: Callable, tmp_path: Path, kind: tuple[str, ...]) -> None:
    file = tmp_path / "page.html"
    assert cli(*kind, "--gamma", "5", "--report", str(file), "--question", "Did you?")[0] == 0
    assert "Did you?" in file.read_text()
    assert cli(*kind, "--gamma", "5", "--question", "Did you?")[0] == 2
