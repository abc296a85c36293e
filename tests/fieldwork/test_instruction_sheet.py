"""Instruction sheets: the printed steps are played, and have the mechanism's probabilities; languages; pages."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from fractions import Fraction
from html import unescape
from itertools import combinations, product
from math import ceil, comb, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest
from few_rows import few_rows

import rropt_fieldwork
from rropt.core.errors import InvalidParameterError, RroptError, UnsupportedProblemError
from rropt.mechanisms import Mechanism, OrbitMechanism, RandomQuestions
from rropt.reports.sheet_devices import birthday_of, device_of
from rropt.reports.sheet_languages import Language, languages
from rropt_fieldwork.sheets.instruction_sheet import InstructionSheet, biased_estimate, repeated_level

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
Law = dict[Any, Fraction]


# --- a player who reads the sheet, and knows nothing of the library


def _group(text: str) -> set[int]:
    """Return the outcomes that "3", "1 or 2", "1 to 4" and "1, 3 to 5 or 9" name; heads is 1."""
    if len(parts := re.split(", | or ", text)) > 1:
        return set.union(*map(_group, parts))
    if text.lower() in ("heads", "tails"):
        return {1 if text.lower() == "heads" else 2}
    low, _, high = text.partition(" to ")
    return set(range(int(low), int(high or low) + 1))


def _total(step: str) -> int | None:
    """Return how many equally likely outcomes a step has."""
    if step.startswith("Toss"):
        return 2
    if step.startswith(("Roll a die", "Roll the die")):
        return 6
    if step.startswith(("Roll the red die", "Roll both")):
        return 36
    found = re.match(r"Shuffle the (\d+) (?:numbered|secret) cards", step)
    return int(found[1]) if found else None


def _played(sheet: InstructionSheet, truth: int, names: list[str]) -> Law:
    """Return the law of what somebody with this true answer says, over all outcomes of all draws."""
    steps = list(sheet.instructions)
    if steps[0] in ("Tell the truth.", "Say the opposite of the truth."):
        return {names[truth if steps[0].startswith("Tell") else 1 - truth]: Fraction(1)}
    if steps[0].startswith("Two packs"):
        return _kuk(sheet, truth, names)
    if steps[0].startswith("Draw one card from every box"):
        return _boxes(sheet, names[truth])
    if any("answer cards" in step for step in steps):
        return _subsets(sheet, truth, names)
    if any("minus the number" in step for step in steps):
        return _cards(sheet, names[truth])
    totals = [total for step in steps if (total := _total(step))]
    law: Law = {}
    for outcome in product(*(range(1, total + 1) for total in totals)):
        said = _said(steps, outcome, truth, names)
        chance = Fraction(1)
        for total in totals:
            chance /= total
        law[said] = law.get(said, Fraction(0)) + chance
    return law


def _said(steps: list[str], outcome: tuple[int, ...], truth: int, names: list[str]) -> str:
    """Return what is said after these outcomes."""
    own = names[truth]
    cases = [step.removeprefix("If you get ") for step in steps if step.startswith("If you get ")]
    actions = [case.rstrip(".").partition(": ") for case in cases]
    (action,) = [do for which, _, do in actions if outcome[0] in _group(which)] or [""]
    harmless = next((step for step in steps if step.startswith("Question B")), "")
    if harmless:
        found = re.search(r"(?:Did you get|Was your second result) (.+)\?", harmless)
        other = "no" if "always no" in harmless else "yes" if found and outcome[-1] in _group(found[1]) else "no"
        if any("the same" in step for step in steps):
            return "the same" if other == ("no", "yes")[truth] else "different"
        return own if action == "answer question A" else other
    if any(step == f"If your true answer is “{own}”: say “{own}”." for step in steps):
        return own
    if action == "tell the truth":
        return own
    if action == "say the opposite of the truth":
        return names[1 - truth]
    found = re.match(r"say “(.+)”", action)
    assert found, action
    return found[1]


def _kuk(sheet: InstructionSheet, truth: int, names: list[str]) -> Law:
    packs = {}
    for line in sheet.prepared:
        found = re.fullmatch(r"Cards in pack “(.+)”: (\d+) red and (\d+) black, (\d+) in all\.", line)
        assert found
        assert int(found[2]) + int(found[3]) == int(found[4])
        packs[found[1]] = Fraction(int(found[2]), int(found[4]))
    share = packs[names[truth]]
    found = re.match(r"Do this (\d+) times", sheet.instructions[1])
    if found is None:
        return {"red": share, "black": 1 - share}
    law: Law = {}
    for draws in product((0, 1), repeat=int(found[1])):
        chance = Fraction(1)
        for red in draws:
            chance *= share if red else 1 - share
        law[str(sum(draws))] = law.get(str(sum(draws)), Fraction(0)) + chance
    return law


def _counts(line: str) -> dict[str, int]:
    return {what: int(count) for count, what in re.findall(r"(\d+) with (\w+)", line)}


def _boxes(sheet: InstructionSheet, own: str) -> Law:
    (line,) = (each for each in sheet.prepared if each.startswith(f"Cards in box “{own}”"))
    counts = _counts(line)
    return {what: Fraction(count, sum(counts.values())) for what, count in counts.items()}


def _cards(sheet: InstructionSheet, own: str) -> Law:
    counts = _counts(sheet.prepared[0])
    (step,) = (each for each in sheet.instructions if each.startswith(f"If your true answer is “{own}”: "))
    total = re.search(r"say (\d+) minus", step)
    law: Law = {}
    for number, count in counts.items():
        said = str(int(total[1]) - int(number)) if total else number
        law[said] = law.get(said, Fraction(0)) + Fraction(count, sum(counts.values()))
    return law


def _subsets(sheet: InstructionSheet, truth: int, names: list[str]) -> Law:
    total = _total(sheet.instructions[0])
    assert total
    law: Law = {}
    others = [name for name in names if name != names[truth]]
    for outcome in range(1, total + 1):
        (action,) = [
            step.partition(": ")[2]
            for step in sheet.instructions
            if step.startswith("If you get ") and outcome in _group(step[11:].partition(":")[0])
        ]
        size = int(found[1]) if (found := re.search(r"draw (\d+) of them", action)) else 0
        own = [names[truth]] if action.startswith("take") else []
        drawn = list(combinations(others, size))
        for each in drawn:
            said = frozenset([*own, *each])
            law[said] = law.get(said, Fraction(0)) + Fraction(1, total * len(drawn))
    return law


def _require_its_law(sheet: InstructionSheet, names: list[str]) -> None:
    """The played law is the mechanism's, output by output, and exactly."""
    mechanism = sheet.mechanism
    for truth, column in enumerate(mechanism.columns()):
        law = _played(sheet, truth, names)
        assert sum(law.values()) == 1
        if sheet.spoken:
            expected: Law = {}
            for report, p in zip(sheet.spoken, column, strict=True):
                expected[report] = expected.get(report, Fraction(0)) + p
        else:
            high = max(map(max, mechanism.matrix))
            named = re.match(r"subset:\d+,(\d+)", sheet.design)
            rows = combinations(names, int(named[1])) if named else []
            subsets = list(map(frozenset, rows)) or [
                frozenset(n for n, p in zip(names, row, strict=True) if p == high) for row in mechanism.matrix
            ]
            expected = dict(zip(subsets, column, strict=True))
        assert {k: p for k, p in law.items() if p} == {k: p for k, p in expected.items() if p}


def _designs(rng: random.Random, count: int) -> Iterator[str | Mechanism]:
    """Iterate over mechanisms of every family with denominators that a deck has."""

    def share(most: int = 100) -> Fraction:
        d = rng.choice([2, 3, 4, 6, 12, 36, rng.randint(2, most)])
        d = min(d, most)
        return Fraction(rng.randint(0, d), d)

    def parts(number: int, most: int = 40) -> list[Fraction]:
        total = rng.randint(number, most)
        cuts = sorted(rng.randint(0, total) for _ in range(number - 1))
        return [Fraction(b - a, total) for a, b in zip([0, *cuts], [*cuts, total], strict=True)]

    for _ in range(count):
        p = share()
        yield f"warner:{p}"
        yield f"crosswise:{share()}"
        yield f"forced:{','.join(map(str, parts(3)))}"
        yield f"unrelated:{share()},{share(20)}"
        yield f"mangat:{share()}"
        yield f"mangat-singh:{share(6)},{share(8)}"
        a, b = share(10), share(10)
        yield f"kuk:{a},{b},{rng.randint(1, 5)}"
        yield f"christofides:{','.join(map(str, parts(rng.randint(2, 6))))}"
        k = rng.randint(3, 6)
        yield f"grr:{k},{Fraction(rng.randint(1, 10), 10) if k == 3 else Fraction(1, 2)}"
        d = rng.randint(1, 9)
        yield Mechanism.binary(Fraction(rng.randint(0, d), d), Fraction(rng.randint(0, d), d))
        d = rng.randint(1, k - 1)
        yield OrbitMechanism.subset_selection(k, d, Fraction(rng.randint(2, 9)))
        yield f"subset:{k},{d},{share(30)}"
        columns = [parts(rng.choice([2, 3, 4, 5]), 30) for _ in range(3)]
        longest = max(map(len, columns))
        columns = [[*column, *[Fraction(0)] * (longest - len(column))] for column in columns]
        rows = [row for row in zip(*columns, strict=True) if any(row)]
        yield Mechanism([[str(x) for x in row] for row in rows])


@pytest.mark.slow
def test_the_printed_steps_have_the_probabilities(size: Callable[[int, int], int], rng: random.Random) -> None:
    kinds: dict[str, int] = {}
    for mechanism in _designs(rng, size(10, 300)):
        sheet = rropt_fieldwork.sheet(mechanism, "Q?")
        k = sheet.mechanism.inputs
        names = ["no", "yes"] if k == 2 else [f"answer {j}" for j in range(1, k + 1)]
        _require_its_law(sheet, names)
        kind = sheet.device.partition(":")[0]
        kinds[kind] = kinds.get(kind, 0) + 1
    least = size(1, 30)
    for kind in ("warner", "crosswise", "forced", "unrelated", "mangat", "kuk", "christofides", "categories"):
        assert kinds[kind] >= least, kinds
    assert min(kinds["subset"], kinds["boxes"], kinds["truth"]) >= least, kinds


UNEVEN = Mechanism([["1/2", "1/10", "1/10"], ["3/10", "7/10", "2/5"], ["1/5", "1/5", "1/2"]])
PLAYED: list[str | Mechanism] = [
    *("warner:2/3", "warner:1/100", "crosswise:1/4", "crosswise:0", "forced:1/2,1/3,1/6", "unrelated:2/3,1/4"),
    *("unrelated:1/2,0", "mangat:1/3", "mangat-singh:2/3,1/4", "kuk:4/5,1/5,2", "kuk:1/4,2/3", "grr:3,1/2"),
    *("christofides:1/6,1/3,1/2", "subset:4,2,2/3", "subset:3,1,1/2", "kuk:1/3,1,4", UNEVEN),
    *(Mechanism.binary("1/6", "1/4"), Mechanism.binary("1/2", "3/4"), Mechanism.binary("0", "0")),
]


@pytest.mark.parametrize("design", PLAYED, ids=str)
def test_printed_steps_are_played(design: str | Mechanism) -> None:
    sheet = rropt_fieldwork.sheet(design, "Q?")
    k = sheet.mechanism.inputs
    _require_its_law(sheet, ["no", "yes"] if k == 2 else [f"answer {j}" for j in range(1, k + 1)])


@pytest.mark.parametrize("randomizer", ["coin", "die", "dice", "cards"])
def test_a_randomizer_that_is_asked_for(randomizer: str) -> None:
    names = ["no", "yes"]
    for design in ("warner:1/2", "forced:1/2,1/2,0", "unrelated:1/2,1/2", "crosswise:1/2", "mangat:1/2"):
        sheet = rropt_fieldwork.sheet(design, "Q?", randomizer=randomizer)
        assert randomizer in sheet.device
        _require_its_law(sheet, names)
    if randomizer == "dice":
        page = rropt_fieldwork.sheet("warner:1/2", "Q?", randomizer="dice").page
        rows = [re.findall(r">(\d+)<", row) for row in page.split("<tr>")[2:8]]
        assert rows == [[str(i) for i in (red, *range(6 * red - 5, 6 * red + 1))] for red in range(1, 7)]


def test_names_of_answers() -> None:
    names = ["never", "once", "often"]
    sheet = rropt_fieldwork.sheet("grr:3,1/2", "How often?", categories=names)
    _require_its_law(sheet, names)
    assert sheet.spoken == tuple(names)
    _require_its_law(rropt_fieldwork.sheet("mangat:3/4", "Q?", categories=["agree", "disagree"]), ["agree", "disagree"])
    for wrong in (["a", "b"], ["a", "a", "b"], ["a", "b", " "], ["a", "b", "c" * 600]):
        with pytest.raises(InvalidParameterError, match=r"^(?!.*\n).*answers"):
            rropt_fieldwork.sheet("grr:3,1/2", "Q?", categories=wrong)


def test_a_birthday_is_named_as_an_approximation() -> None:
    """The share of the period is counted in days of four years, by the calendar."""
    import datetime

    days = [datetime.date(2021, 1, 1) + datetime.timedelta(i) for i in range(1461)]
    assert len(days) == 1461
    dates = sorted((day.month, day.day) for day in days)
    until = {day: Fraction(i, 1461) for i, day in enumerate(dates, 1)}  # the last of equal days counts
    shares = [share for day, share in until.items() if day != (2, 29)]
    for wanted in (Fraction(1, 4), Fraction(1, 3), Fraction(1, 12), Fraction(7, 10), Fraction(1, 2)):
        found = birthday_of(wanted)
        inside = sum((day.month, day.day) <= (found.month, found.day) for day in days)
        assert found.share == Fraction(inside, 1461)
        assert abs(found.share - wanted) == min(abs(share - wanted) for share in shares)
    for design in ("crosswise:1/4", "unrelated:1/2,1/4"):
        sheet = rropt_fieldwork.sheet(design, "Q?", randomizer="birthday")
        assert "1 January to 1 April" in " ".join(sheet.instructions)
        text = unescape(sheet.page)
        assert text.count("Approximation: this design assumes a proportion of 1/4") == 2
        assert "365/1461" in text
        assert "nothing more" in text
        german = unescape(rropt_fieldwork.sheet(design, "F?", randomizer="birthday", language="de").page)
        assert german.count("Näherung") == 2
        assert "24,983" in german


# --- languages


def test_every_language_has_the_same_texts() -> None:
    assert languages()[:2] == ("en", "de")
    english = Language.of("en").keys()
    source = "".join(
        next(
            path
            for folder in ("rropt/reports", "fieldwork/rropt_fieldwork/sheets")
            for path in (ROOT / folder).glob(f"{name}.py")
        ).read_text(encoding="utf-8")
        for name in ("instruction_sheet", "irb_summary", "sheet_devices", "sheet_languages", "randomizer_steps")
    )
    families = ("month_", "prepare_", "rule_", "repeat_", "act_", "coin_", "die_", "dice_", "cards_", "range_", "say_")
    for name in languages():
        data = json.loads((ROOT / "rropt" / "reports" / "languages" / f"{name}.json").read_text(encoding="utf-8"))
        assert data["language"] == name
        assert Language.of(name).keys() == english
        assert all(isinstance(text, str) and text.strip() == text and text for text in data.values() if text != ", ")
        assert not any(sign in text for text in data.values() for sign in "<>&\n")
    for key in english:
        is_named = re.search(rf"""["']{key}["']""", source)
        assert is_named or key.startswith(families) or key in ("name", "language"), f"{key} is not used"


def test_a_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rropt.reports import sheet_languages

    for name in languages():
        shutil.copy(ROOT / "rropt" / "reports" / "languages" / f"{name}.json", tmp_path)
    text = (tmp_path / "en.json").read_text(encoding="utf-8")
    (tmp_path / "tlh.json").write_text(text.replace("tell the truth", "jIvIt"), encoding="utf-8")
    monkeypatch.setattr(sheet_languages, "_FOLDER", tmp_path)
    assert languages() == ("en", "de", "tlh")
    assert "jIvIt" in rropt_fieldwork.sheet("warner:2/3", "Q?", language="tlh").instructions[1]
    sheet_languages._texts.cache_clear()


# --- pages


@pytest.mark.parametrize("language", ["en", "de"])
@few_rows(1)
@pytest.mark.parametrize("form", ["print", "letter"])
def test_the_page_to_print(language: str, form: str) -> None:
    hostile = '<script>alert("x")</script>\x1b[31m\u202e'
    sheet = rropt_fieldwork.sheet(
        "forced:2/3,1/6,1/6", hostile, language=language, form=form, title=hostile, responsible=hostile, date="2027"
    )
    page = sheet.page
    assert f'<html lang="{language}">' in page
    assert f"size: {'A4' if form == 'print' else 'letter'}" in page
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    assert "<script" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert page.count('class="sheet"') == 3
    assert page.count('class="sign"') == 4
    assert not re.search(r"\{\w+\}", page.partition("</style>")[2])
    assert InstructionSheet.from_json(sheet.to_json()) == sheet


def test_the_numbers_of_the_ethics_page() -> None:
    page = unescape(rropt_fieldwork.sheet("warner:3/4", "Q?", n=1500, prevalence="1/10").page).replace("\u00a0", " ")
    assert "epsilon = log(3) ≈ 1.099" in page
    assert "probability 10 % to a true answer before the interview assigns it at most 25 % and at least 3.5 %" in page
    rows = re.findall(r"<tr><td[^>]*>(\d+)</td><td>([^<]*)</td><td>([^<]*)</td></tr>", page)
    assert rows[:3] == [
        ("1", "log(3) ≈ 1.099", "75 %"),
        ("2", "log(9) ≈ 2.198", "90 %"),
        ("5", "log(243) ≈ 5.494", "99.6 %"),
    ]
    assert "If 10 % of the respondents say “no” whatever the device asks, and the true proportion is 10 %" in page
    assert "the estimate is 4 % on average" in page
    assert "± 4.7 percentage points in about 95 of 100 surveys" in page
    certain = unescape(rropt_fieldwork.sheet("mangat:3/4", "Q?").page)
    assert "epsilon is infinite" in certain
    assert "Do not promise more" in certain


def test_the_ethics_page_states_the_category_that_a_report_reveals_most() -> None:
    """Wherever it stands: reports change the odds by 1/5 to 5, so 1/10 becomes 1/46 to 5/14."""
    columns = (["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/10", "1/10", "4/5"])
    for order in (columns, columns[::-1]):
        mechanism = Mechanism([list(row) for row in zip(*order, strict=True)])
        page = unescape(rropt_fieldwork.sheet(mechanism, "Q?").page).replace("\u00a0", " ")
        assert "assigns it at most 35.8 % and at least 2.1 %" in page


def test_the_precision_is_called_approximate_since_its_coverage_falls_short() -> None:
    """Of 50 respondents with Warner's device at 3/4 and the prevalence 1/2, each says yes with probability 1/2."""
    margin, n = Fraction("0.278"), 50
    within = [
        y for y in range(n + 1) if abs((Fraction(y, n) - Fraction(1, 4)) / Fraction(1, 2) - Fraction(1, 2)) <= margin
    ]
    assert float(Fraction(sum(comb(n, y) for y in within), 2**n)) == pytest.approx(0.9351, abs=5e-5)
    said = {
        "en": (
            "within ± 27.8 percentage points in about 95 of 100",
            "(normal approximation)",
            "Apart from the precision,",
        ),
        "de": ("in etwa 95 von 100 Umfragen auf ± 27,8", "(Normalapproximation)", "Bis auf die Genauigkeit"),
    }
    assert said.keys() == set(languages())
    for language, words in said.items():
        page = rropt_fieldwork.sheet("warner:3/4", "Q?", n=n, prevalence="1/2", language=language).page
        page = unescape(page).replace("\u00a0", " ")
        assert [text for text in words if text not in page] == []


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_the_ethics_page_states_the_margin_of_every_number_of_categories(k: int) -> None:
    """At equal shares a category of randomized response with p and q has the variance l (1 - l)/(p - q)^2, l = 1/k."""
    page = unescape(rropt_fieldwork.sheet(f"grr:{k},3/4", "Q?", n=1500).page).replace("\u00a0", " ")
    deviation = ((k - 1) / k**2 / 1500) ** 0.5 / (3 / 4 - 1 / 4 / (k - 1))
    assert f"± {ceil(1959.96 * deviation) / 10} percentage points in about 95 of 100 surveys" in page


HOSTILE_NAMES = {"categories": ["<b>\x1b", "c"], "form": "web"}
SAID: list[tuple[str | Mechanism, dict[str, Any], tuple[str, ...], tuple[str, ...]]] = [
    ("grr:3,2/5", {}, ("no answer is more than 1.334 times as likely",), ()),  # 4/3
    ("forced:1,0,0", {}, ("Tell the truth.",), ("Nobody sees", "I do not know your result")),
    ("crosswise:1/4", {"randomizer": "birthday"}, ("Nobody here knows this birthday", "same birthday gives the"), ()),
    ("crosswise:1/4", {"randomizer": "birthday"}, ("Question A: Q?", "I do not know the birthday"), ()),
    ("crosswise:1/4", {}, ("Question A: Q?", "Nobody sees what you drew"), ("birthday",)),
    ("warner:3/4", {}, (), ("Question A",)),
    ("warner:35/36", {"language": "de"}, ("roter Würfel nach unten",), ()),
    ("warner:3/4", {"title": "T", "responsible": "R", "date": "D"}, ("<th>Study</th><td>T</td>",), ()),
    ("warner:3/4", {"responsible": "R", "date": "D"}, ("<th>Responsible</th><td>R<", "<th>Date</th><td>D<"), ()),
    (Mechanism.binary("1/6", "1/4"), {}, ("say “yes” whatever the device asks, and the true proportion is 20 %",), ()),
    (
        "forced:1/2,1/3,1/6",
        {"n": 1500, "prevalence": "1/10"},
        ("± 5.0 percentage points in about 95", "± 5.1 percentage"),
        (),
    ),
    ("mangat:3/4", {}, ("<td>infinite</td>", "not possible for every true answer"), ("<td>inf</td>",)),
    (
        "subset:2,1,3/4",
        {},
        ("People who do not follow the steps bias the estimate", "1 answer card."),
        ("1 answer cards",),
    ),
    ("subset:3,1,3/4", {"language": "de"}, ("halten jetzt 1 Antwortkarte.",), ("1 Antwortkarten",)),
    ("subset:3,2,1", {}, ("rules it out", "not possible for every"), ("one true answer only",)),
    (Mechanism([["1/2", 0, 0], *[["1/4", "1/2", "1/2"]] * 2]), {}, ("only one true answer proves it",), ()),
    (Mechanism([["3/4", "1/4"], ["1/4", "3/4"], [0, 0]]), {}, ("So nobody can know",), ("not possible for every",)),
    ("forced:1/2,1/3,1/6", HOSTILE_NAMES, ('"weights": [["4", "2"], ["1", "5"]]', r"<b>\x1b"), ("\x1b",)),
]


@few_rows(6)
@pytest.mark.parametrize(("design", "options", "stated", "absent"), SAID)
def test_a_page_says(design: str, options: dict[str, Any], stated: tuple[str, ...], absent: tuple[str, ...]) -> None:
    page = rropt_fieldwork.sheet(design, "Q?", **options).page
    assert "<b>" not in page
    text = unescape(page).replace("\u00a0", " ")
    assert not [words for words in stated if words not in text]
    assert not [words for words in absent if words in text]


def test_the_precision_of_random_questions_is_that_of_each_question() -> None:
    """Of 1500 respondents who answer 2 of 10 questions 300 answer each: 1.96 root of n Var/300, rounded up."""
    some = RandomQuestions(10, 2, 3)
    p = some.question.p11
    said = p * Fraction(1, 10) + (1 - p) * Fraction(9, 10)
    margin = 100 * NormalDist().inv_cdf(0.975) * sqrt(said * (1 - said) / (2 * p - 1) ** 2 / 300)
    text = unescape(rropt_fieldwork.sheet(some, "Q?", n=1500, prevalence="1/10").page).replace("\u00a0", " ")
    assert f"within ± {ceil(10 * margin) / 10} percentage points in about 95" in text


def test_reports_have_the_names_of_the_design() -> None:
    assert rropt_fieldwork.sheet("crosswise:1/4", "Q?", form="web").spoken == ("different", "the same")
    assert rropt_fieldwork.sheet(Mechanism("warner:3/4").labelled(["never", "ever"]), "Q?").spoken == ("never", "ever")


def test_a_matrix_has_the_device_of_its_form() -> None:
    device = device_of(Mechanism.binary("1/5", "1/4"))  # the opposite with 11/20, yes with 1/4, no with 1/5
    assert (device.kind, device.law) == ("forced", Mechanism.binary("1/5", "1/4").matrix)
    assert device_of(Mechanism(Mechanism("subset:4,2,2/3").matrix)).kind == "subset"


def test_the_last_step_names_what_may_be_said() -> None:
    assert "how many of the 3 cards" in rropt_fieldwork.sheet("kuk:1/3,2/3,3", "Q?").instructions[-1]
    assert "red or black" in rropt_fieldwork.sheet("kuk:1/3,2/3", "Q?").instructions[-1]
    assert "“yes” or “no”" in rropt_fieldwork.sheet("unrelated:1/2,1/3", "Q?").instructions[-1]


def test_one_true_answer_needs_no_sheet() -> None:
    for form, rows in product(("print", "web"), ([[1]], [["1/2"], ["1/2"]])):
        with pytest.raises(InvalidParameterError, match="one true answer"):
            rropt_fieldwork.sheet(Mechanism(rows), "Q?", form=form)


def test_the_largest_mechanism_of_a_web_page() -> None:
    assert "<script" in rropt_fieldwork.sheet("grr:64,1/2", "Q?", form="web").page
    with pytest.raises(UnsupportedProblemError, match="too large for a web page"):
        rropt_fieldwork.sheet("grr:65,1/2", "Q?", form="web")


def test_repeated_interviews_and_broken_rules() -> None:
    """Against products of the matrices, and against the mean of an estimate over all kinds of respondents."""
    points = 0
    for text in ("warner:3/4", "forced:2/3,1/6,1/6", "grr:3,1/2", "kuk:4/5,1/5,2", "generalised:3/4,2/3"):
        mechanism = Mechanism(text)
        for count in (1, 2, 3):
            columns = []
            for column in mechanism.columns():
                law = [Fraction(1)]
                for _ in range(count):
                    law = [a * b for a in law for b in column]
                columns.append(law)
            largest = max(a / b for one in columns for other in columns for a, b in zip(one, other, strict=True))
            assert repeated_level(mechanism, count).gamma == largest
            points += 1
    assert points == 15
    for text, share, pi in product(("warner:3/4", "forced:2/3,1/6,1/6"), ("0", "1/10", "1"), ("1/5", "1/2")):
        mechanism, broken, truth = Mechanism(text), Fraction(share), Fraction(pi)
        mean = Fraction(0)
        for trait, follows in product((0, 1), (True, False)):
            weight = (truth if trait else 1 - truth) * (1 - broken if follows else broken)
            mean += weight * (mechanism[1, trait] if follows else 0)
        estimate = (mean - mechanism[1, 0]) / (mechanism[1, 1] - mechanism[1, 0])
        assert biased_estimate(mechanism, truth, broken, 0) == estimate


def test_the_plain_part_of_a_page() -> None:
    part = rropt_fieldwork.sheet("crosswise:1/4", "A & B?", form="html").page
    assert part.startswith('<section lang="en"><h1>')
    assert "A &amp; B?" in part
    assert not re.search(r"<(?!/?(section|h1|h2|p|ol|li|strong)\b)", part)
    assert re.findall(r"\w+=", part) == ["lang="]


# --- the web page that draws


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node is not installed: it runs the script of the web page")
    return found


def test_the_browser_draws_exactly(node: str) -> None:
    """Over all 256 first bytes: as often as the weights say, and drawn again otherwise."""
    lists = [[3, 1], [4, 1, 1], [1], [0, 5], [1, 0, 1], [100, 27, 1], [7, 9, 11, 13]]
    module = (ROOT / "kernels" / "javascript" / "web_draw.js").as_uri()
    command = [node, str(HERE / "every_byte.mjs"), module, json.dumps(lists)]
    found, asked, wide = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    for weights, counts in zip(lists, found, strict=True):
        unit = Fraction(sum(counts), sum(weights))
        assert counts == [weight * unit for weight in weights]
        assert sum(counts) > 128 or sum(weights) == 1
    assert (asked, wide) == (13, "0")


def test_the_web_page(node: str, tmp_path: Path) -> None:
    """With a document of our own: no draw without an answer, one draw with it; the true answer does not stay."""
    sheet = rropt_fieldwork.sheet("warner:3/4", "</script><b>", form="web")
    page = tmp_path / "web.html"
    page.write_text(sheet.page, encoding="utf-8")
    (data,) = re.findall(r'<script type="application/json" id="device">([^<]*)<', sheet.page)
    columns = [[Fraction(int(x), 4) for x in column] for column in json.loads(data)["weights"]]
    assert columns == [list(column) for column in sheet.mechanism.columns()]
    assert "<b>" not in sheet.page
    done = subprocess.run(
        [node, str(HERE / "play_web_form.js"), str(page), "1"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = {tuple(json.loads(key)): count for key, count in json.loads(done.stdout)}
    missing = "Choose your true answer first."
    assert found == {
        (missing, "This answer will be sent: no", "0", 0, False, True): 2,
        (missing, "This answer will be sent: yes", "1", 1, False, True): 6,
    }
    assert "script-src 'sha256-" in sheet.page
    assert [rropt_fieldwork.sheet(f"grr:{k},1/2", "Q?", form="web").page.count("<li>If") for k in (4, 5)] == [16, 0]
    assert rropt_fieldwork.sheet("unary:3,1/2,1/4", "Q?", form="web").spoken[0] == "report 1"


@few_rows(2)
@pytest.mark.parametrize(
    ("typed", "places"),
    [("0", {0: 8}), ("1", {0: 6, 1: 2}), ("+06.", {1: 4, 2: 4}), ("11", {2: 2, 3: 6}), ("12.0", {3: 8})],
)
def test_the_web_page_of_a_range_rounds_without_bias(
    typed: str, places: dict[int, int], node: str, tmp_path: Path
) -> None:
    """With reports that reveal the place: over all bytes, as often as the distances from the neighbours say."""
    identity = [[int(i == j) for j in range(4)] for i in range(4)]
    made = Mechanism(identity).valued([0, 4, 8, 12], [1, 2, 3, "7/2"], rounds=True)
    page = tmp_path / "web.html"
    page.write_text(rropt_fieldwork.sheet(made, "Q?", form="web").page, encoding="utf-8")
    assert "from 0 to 12" in page.read_text("utf-8")
    command = [node, str(HERE / "play_web_form.js"), str(page), typed]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = {tuple(json.loads(key)): count for key, count in json.loads(done.stdout)}
    texts, missing = ("1", "2", "3", "3.5"), "Write a number from 0 to 12 first, with a point before its decimals."
    assert {key[0] for key in found} == {missing}
    assert {texts.index(key[2]): count for key, count in found.items()} == places
    assert all(key[3] == float(key[2]) for key in found)


@few_rows(2)
@pytest.mark.parametrize("typed", ["", "0.9", "4.1", "2,5", "1e0", "x", "-2"])
def test_the_web_page_of_a_range_takes_numbers_of_the_range_alone(typed: str, node: str, tmp_path: Path) -> None:
    made = Mechanism([[1, 0], [0, 1]]).valued([1, 4], [0, 5], rounds=True)
    page = tmp_path / "web.html"
    page.write_text(rropt_fieldwork.sheet(made, "Q?", form="web").page, encoding="utf-8")
    command = [node, str(HERE / "play_web_form.js"), str(page), typed]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    ((key, count),) = json.loads(done.stdout)
    assert (json.loads(key)[2:4], count) == (["", None], 8)


_UNNAMED = {
    "en": r"(?<!threshold )(?<!question )(?<!answer )(?<!secret )\bcards?\b",
    "de": r"(?<!geheime )(?<!geheimen )\bKarten?\b",
}
_SECRET = r"secret cards?|geheimen? Karten?"


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("design", ["thresholds:0..10,3/4", "ask:10,1,19/7", "ask:10,2,20", "subset:4,2,3/5"])
def test_of_two_packs_each_card_has_the_name_of_its_pack(design: str, language: str) -> None:
    """The secret card is the last one drawn: a respondent who is asked for "the number on your card" may report it."""
    found = rropt_fieldwork.sheet(design, "Q?", language=language)
    texts = re.sub(r"<style>.*?</style>|<[^>]*>", "\n", found.page, flags=re.DOTALL)
    for answer in found.spoken:
        texts = texts.replace(answer, "")
    assert re.findall(rf"(?i).*{_UNNAMED[language]}.*", texts) == []
    assert sum(bool(re.search(_SECRET, line)) for line in found.prepared) == 1
    assert sum(bool(re.search(_SECRET, step)) for step in found.instructions) == 2  # it is drawn, and put back


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_secret_card_is_back_before_the_threshold_card_is_named(language: str) -> None:
    """With a die there is one pack, and no card is secret."""
    words = Language.of(language)
    last = tuple(map(words.text, ("secret_return", "thresholds_say", "thresholds_return")))
    assert rropt_fieldwork.sheet("thresholds:0..10,3/4", "Q?", language=language).instructions[-3:] == last
    by_die = rropt_fieldwork.sheet("thresholds:0..10,2/3", "Q?", language=language)
    assert by_die.instructions[-2:] == last[-2:]
    assert not re.search(_SECRET, " ".join((*by_die.prepared, *by_die.instructions)))


def test_both_packs_of_an_unrelated_question_are_prepared() -> None:
    packs = [f"{total} cards of the same size, numbered from 1 to {total}." for total in (10, 7)]
    assert list(rropt_fieldwork.sheet("unrelated:7/10,1/7", "Q?").prepared) == packs
    assert list(rropt_fieldwork.sheet("unrelated:7/10,3/10", "Q?").prepared) == packs[:1]


def test_the_web_page_of_numbers_reports_them() -> None:
    """The reports of numbers are numbers, which ``rropt estimate`` reads; the true answers are the scores."""
    found = rropt_fieldwork.sheet("thresholds:1..5,2/3", "Q?", form="web")
    assert found.spoken[0] == "-4.5"
    assert '"> 5</label>' in found.page


def test_the_command(cli: Any, cli_json: Any, tmp_path: Path) -> None:
    file = tmp_path / "sheet.html"
    call = ("sheet", "crosswise:1/3", "--question", "Haben Sie?", "--language", "de", "--form", "letter")
    status, printed, _ = cli(*call, "--output", str(file))
    assert status == 0
    assert "gleich" in printed
    expected = rropt_fieldwork.sheet("crosswise:1/3", "Haben Sie?", language="de", form="letter")
    assert file.read_text(encoding="utf-8") == expected.page
    assert cli(*call)[1] == expected.page
    assert InstructionSheet.from_dict(cli_json(*call)) == expected
    status, _, error = cli("sheet", "warner:37/101", "--question", "Q?")
    assert status == 2
    assert "web" in error


def test_a_record_names_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The design of a record is a name of a design, never that of a file; and it is the mechanism of the record."""
    monkeypatch.chdir(tmp_path)
    record = rropt_fieldwork.sheet("warner:3/4", "Q?").to_dict()
    Path("warner:1").write_text('{"matrix": [["3/4","1/4"],["1/4","3/4"]]}', encoding="utf-8")
    for design in ("warner:1", "m.json", "../m.json", "crosswise:1/4"):
        with pytest.raises(RroptError, match=r"^(?!.*\n)"):
            InstructionSheet.from_dict({**record, "design": design})


def test_a_matrix_from_a_file(cli: Any, tmp_path: Path) -> None:
    file = tmp_path / "m.json"
    file.write_text('{"matrix": [["5/6","1/6"],["1/6","5/6"]]}', encoding="utf-8")
    status, printed, _ = cli("sheet", str(file), "--question", "Q?", "--output", str(tmp_path / "s.html"))
    assert status == 0
    assert "tell the truth" in " ".join(printed.split())
    with pytest.raises(UnsupportedProblemError):
        rropt_fieldwork.sheet(Mechanism([["1/1000", "1/2"], ["999/1000", "1/2"]]), "Q?")


@pytest.mark.parametrize("form", ["print", "html", "web"])
@pytest.mark.parametrize("names", [("a", "a"), (" ", "b"), ("a", "b", "c")])
def test_names_of_the_answers_are_different_in_every_form(form: str, names: tuple[str, ...]) -> None:
    with pytest.raises(InvalidParameterError, match="answers"):
        _ = rropt_fieldwork.sheet("warner:3/4", "Were you sick?", categories=names, form=form).page


def test_a_birthday_is_never_29_february() -> None:
    """It is one day of 1 461; the period that ends on the day before is the nearest one."""
    found = birthday_of(Fraction(237, 1461))
    assert (found.day, found.month, found.share) == (28, 2, Fraction(236, 1461))


@few_rows(3)
@pytest.mark.parametrize(
    ("wording", "is_told"),
    [
        ("Roll the die. If it shows 1, say yes; if 6, say no; otherwise: have you taken drugs?", True),
        ("Draw a card. If it is red, answer: have you cheated?", True),
        ("Toss a coin. If heads, say yes. If tails: did you vote?", True),
        ("Würfeln Sie. Bei 1 sagen Sie ja, sonst: Haben Sie Steuern hinterzogen?", True),
        ("Draw a card. If it is a spade, tell the truth: have you cheated?", True),
        ("If an even number comes up, say yes. Were you sick?", True),
        ("Bei 1 oder 2 antworten Sie ehrlich. Waren Sie krank?", True),
        ("The spinner: red means yes. Were you sick?", True),
        ("Have you taken drugs?", False),
        ("Did you drive after 1 or 2 drinks?", False),
        ("Do you own two credit cards?", False),
        ("Have you ever played dice for money?", False),
        ("If you drink, how many days a week?", False),
    ],
)
def test_a_wording_with_rules_of_its_own_is_not_contradicted_silently(cli, wording: str, is_told: bool) -> None:
    for line in (["--json"], []):
        status, out, err = cli("sheet", "forced:2/3,1/6,1/6", "--question", wording, *line)
        assert status == 0
        assert ("rules of its own" in (out if line else err)) is is_told


DIE = "Roll the die. If it shows 1, say yes; if 6, say no; otherwise: have you taken drugs?"


@few_rows(3)
@pytest.mark.parametrize(
    ("design", "faces", "step"),
    [
        ("forced:2/3,1/6,1/6", ["2..5", "1", "6"], "1: say “yes”, whatever the truth is."),
        ("forced:2/3,1/6,1/6", ["2..5", "1"], "6: say “no”, whatever the truth is."),
        ("forced:1/2,1/2,0", ["tails", "heads"], "heads: say “yes”, whatever the truth is."),
        ("warner:2/3", ["1,3..4,6"], "2 or 5: say the opposite of the truth."),
        ("crosswise:1/3", [[2, 4]], "Question B: Did you get 2 or 4?"),
        ("unrelated:1/3,1/3", [[5, 6]], "5 or 6: answer question A."),
        ("mangat:1/3", ["6,1"], "1 or 6: say “no”."),
        ("grr:3,2/3", ["4..6", "1", 3], "2: say “answer 3”, whatever the truth is."),
        ("subset:4,2,2/3", [(3, 4, 5, 6)], "1 or 2: put the answer card of your true answer aside. Shuffle"),
        ("warner:7/10", ["1..6,10"], "7 to 9: say the opposite of the truth."),
    ],
)
def test_chosen_faces_are_played(design: str, faces: list[Any], step: str) -> None:
    """The steps name the faces, and keep the probabilities, which a player finds on the sheet."""
    sheet = rropt_fieldwork.sheet(design, "Q?", faces=faces)
    assert any(each.removeprefix("If you get ").startswith(step) for each in sheet.instructions), sheet.instructions
    k = sheet.mechanism.inputs
    _require_its_law(sheet, ["no", "yes"] if k == 2 else [f"answer {j}" for j in range(1, k + 1)])
    assert InstructionSheet.from_dict(sheet.to_dict()) == sheet


def test_random_faces_are_played(rng: random.Random) -> None:
    for _ in range(20):
        outcomes = rng.sample(range(1, 7), 6)
        cut = rng.randint(1, 4)
        last = rng.randint(cut + 1, 5)
        groups = [outcomes[:cut], outcomes[cut:last], outcomes[last:]]
        shares = [Fraction(len(group), 6) for group in groups]
        _require_its_law(
            rropt_fieldwork.sheet(f"forced:{','.join(map(str, shares))}", "Q?", faces=groups), ["no", "yes"]
        )


@pytest.mark.parametrize(
    ("design", "faces", "told"),
    [
        ("forced:2/3,1/6,1/6", ["1..3", "4", "5"], "the steps of the sheet have 4, 1, 1 of 6 outcomes"),
        ("forced:2/3,1/6,1/6", ["2..5", "1", "7"], "the faces do not fit"),
        ("forced:2/3,1/6,1/6", ["0..3", "4", "5"], "the faces do not fit"),
        ("forced:2/3,1/6,1/6", ["1..4"], "by default they are 1..4 5 6"),
        ("forced:2/3,1/6,1/6", ["1..4", "4"], "a face is named twice: received '1..4 4'"),
        ("forced:2/3,1/6,1/6", ["a"], "no list of numbers"),
        ("forced:2/3,1/6,1/6", ["6..1,"], "no list of numbers"),
        ("forced:2/3,1/6,1/6", "1", "not a list of groups"),
        ("kuk:4/5,1/5", ["1"], "no faces to choose"),
    ],
)
def test_faces_with_other_probabilities_are_refused(design: str, faces: Any, told: str) -> None:
    with pytest.raises(InvalidParameterError, match=told):
        rropt_fieldwork.sheet(design, "Q?", faces=faces)


def test_a_web_page_has_no_faces() -> None:
    with pytest.raises(InvalidParameterError, match="leave faces out"):
        rropt_fieldwork.sheet("warner:2/3", "Q?", faces=["1..4"], form="web")


@pytest.mark.parametrize(
    ("design", "faces", "wording", "told"),
    [
        ("forced:2/3,1/6,1/6", ["2..5", "1", "6"], DIE, ""),
        ("forced:2/3,1/6,1/6", ["2..5", "6", "1"], DIE, "at 1 the wording asks for yes, and the sheet for no"),
        ("forced:2/3,1/6,1/6", [], DIE, "at 1 the wording asks for yes, and the sheet for truth"),
        ("forced:2/3,1/6,1/6", ["2..5", "1"], "Würfeln Sie. Bei eins sagen Sie ja, bei sechs nein, sonst ehrlich.", ""),
        (
            "forced:2/3,1/6,1/6",
            ["2..5", "1"],
            "Roll a die. If 2 to 5, tell the truth. If 1, say yes. If 6, say no.",
            "",
        ),
        (
            "forced:2/3,1/6,1/6",
            ["2..5", "1"],
            "Roll a die. If 2 to 6, tell the truth.",
            "at 6 the wording asks for truth",
        ),
        ("forced:2/3,1/6,1/6", ["2..5", "1"], "Draw a card. If it is 9, say yes.", "the sheet has no outcome 9"),
        ("forced:1/2,1/2,0", ["tails", "heads"], "Toss a coin. If heads, say yes. If tails: tell the truth.", ""),
        ("forced:1/2,1/2,0", [], "Toss a coin. If heads, say yes. If tails: tell the truth.", "at 1 the wording"),
        (
            "forced:2/3,1/6,1/6",
            [],
            "Roll a die. If 1 or 2, tell the truth.",
            "at 3 the wording asks for something else",
        ),
        ("warner:2/3", ["1..4"], "Roll a die. If an even number comes up, say yes.", "may contradict"),
    ],
)
def test_a_wording_agrees_with_the_faces_or_the_difference_is_named(
    design: str, faces: list[str], wording: str, told: str
) -> None:
    remarks = rropt_fieldwork.sheet(design, wording, faces=faces).remarks()
    assert (told in " ".join(remarks)) if told else remarks == ()


def test_the_command_takes_faces(cli: Any, cli_json: Any) -> None:
    call = ("sheet", "forced:2/3,1/6,1/6", "--question", DIE, "--faces", "2..5", "1", "6")
    assert "If you get 2 to 5: tell the truth." in cli_json(*call)["instructions"]
    assert cli(*call)[2] == ""  # no remark
    assert cli(*call[:-1], "5")[0] == 2
