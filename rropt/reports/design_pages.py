"""The page of a design: a one-page summary for the ethics committee, then the data that verify it.

Every number on the first page is computed exactly and rounded in the direction that keeps its sentence true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from math import prod, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

from rropt.accounting.question_budgets import EqualQuestionDevices
from rropt.claims.written_claims import WrittenPart
from rropt.core.certificates import Certificate
from rropt.core.errors import MissingExtraError, UnsupportedProblemError
from rropt.core.exact import exact_confidence
from rropt.core.exact.display import decimal_outwards, decimal_text
from rropt.core.results import Result, remarks_of
from rropt.core.version import installed_version
from rropt.core.visible import with_noun
from rropt.designs import Solution
from rropt.designs.asked_designs import RandomQuestionsDesign
from rropt.designs.bits import BitsDesign
from rropt.designs.mean_designs import MeanDesign
from rropt.designs.prevalence_intervals import IntervalSolution
from rropt.mechanisms import Mechanism
from rropt.reports.document_writers import (
    Block,
    CertificateBlock,
    Document,
    Folded,
    Heading,
    Items,
    Matrix,
    Paragraph,
    Picture,
    Section,
)
from rropt.reports.irb_summary import (
    BELIEFS,
    NUMBERS,
    BayesFactor,
    Device,
    Exposure,
    belief_sentence,
    dice_table,
    exposures,
    margin_text,
    percent,
    told_device,
    variances,
    worst_exposure,
    worst_variance,
)
from rropt.reports.mathematics import formula_converter
from rropt.reports.records import table

_DOUBT = Fraction(1, 100)  # less than that is left of even odds: next to none
_MOST_LISTED = 6  # categories, devices or questions that are listed one by one
_HALF = Fraction(1, 2)
_TEXTS: Mapping[str, str] = table("texts/design_page.toml")
_WORDS: Mapping[str, str] = table("texts/design_page.toml")["words"]


@dataclass(frozen=True, slots=True)
class PlannedSurvey:
    """The description of the survey on the page of its design.

    Attributes:
        question: the wording of the question; by default a general description.
        n: the number of respondents; by default several round numbers.
        confidence: the confidence level of the margins of error, in (0, 1).
        date: the date of the page; by default today (UTC).
        file: the name of the certificate's file.
    """

    question: str | None = None
    n: int | None = None
    confidence: object = Fraction(19, 20)
    date: str | None = None
    file: str = "certificate.json"


@dataclass(frozen=True, slots=True)
class DescribedDesign:
    """A yes/no design whose device is described elsewhere, for its page.

    Attributes:
        design: the design, whose remarks and lines stand on the page.
        mechanism: its mechanism.
        prevalence: the prevalence that was assumed.
        device: the device and its instruction in words.
        rows: further rows (label, value) for reviewers.
        certificate: the certificate of the optimum.
    """

    design: Result
    mechanism: Mechanism
    prevalence: Fraction
    device: Device
    rows: Sequence[tuple[str, str]]
    certificate: Certificate | None


_Design = (
    Solution
    | IntervalSolution
    | BitsDesign
    | EqualQuestionDevices
    | RandomQuestionsDesign
    | MeanDesign
    | DescribedDesign
)


def design_page(
    solution: _Design,
    more: Iterable[tuple[str, str]] = (),
    *,
    survey: PlannedSurvey | None = None,
    bound: Certificate | None = None,
) -> Document:
    """Return the page about a certified design.

    The first part fits one sheet of A4: the question, the device, the posterior probabilities after a response,
    respondents and margin of error, and a list of five terms. The second part contains the exact numbers and, in HTML,
    the collapsed derivation (if the twins are there) and the collapsed certificates with the SHA-256 of their files.

    Args:
        solution: a solution at a prevalence, at given proportions, or over an interval of prevalences; a design for
            several questions under one budget; or the best use of available devices.
        more: further rows (label, value) of the exact numbers.
        survey: the question, the respondents and the date.
        bound: the certificate of the other bound of the optimum, if there is a second certificate.
    """
    survey = survey or PlannedSurvey()
    optima: tuple[Mechanism, ...] = ()
    certificate: Certificate | None
    if isinstance(solution, BitsDesign | EqualQuestionDevices):
        lines, certificate = [*solution.lines(), *_question_rows(solution)], solution.certificate
        first = _questions(solution, survey)
    elif isinstance(solution, RandomQuestionsDesign):
        lines, certificate, first = solution.lines(), None, _random_questions(solution, survey)
    elif isinstance(solution, MeanDesign):
        lines, certificate, first = solution.lines(), solution.certificate, _number(solution, survey)
        optima = solution.optima
    elif isinstance(solution, DescribedDesign):
        mechanism, certificate = solution.mechanism, solution.certificate
        guesses = [(1 - solution.prevalence, solution.prevalence)]
        lines = [*solution.rows, *solution.design.lines()]
        first = _question(mechanism, solution.device, guesses, survey)
    elif isinstance(solution, IntervalSolution):
        mechanism, certificate = solution.minimax_regret.design.mechanism, solution.minimax_regret.certificate
        optima = (mechanism,)
        guesses = [(1 - p, p) for p in (solution.interval.low, solution.interval.high)]
        lines = [("designs over the interval", line) for line in str(solution).splitlines()]
        first = _question(mechanism, told_device(mechanism), guesses, survey)
    else:
        mechanism, certificate, optima = solution.mechanism, solution.certificate, solution.optima
        lines, promise = solution.lines(), str(solution.problem.region).partition(", k = ")[0]
        guess = solution.found.guess(solution.problem)
        first = _question(mechanism, told_device(mechanism), [guess], survey, promise)
    date = survey.date or datetime.now(UTC).date().isoformat()
    foot = _TEXTS["foot"].format(version=installed_version(), date=date)
    remarks = (Paragraph(f"Remark: {text}", "warn") for text in remarks_of(getattr(solution, "design", solution)))
    second = str(Path(survey.file).with_stem(f"{Path(survey.file).stem}-bound"))
    numbers: list[Block] = [("", None, [(line[0], line[1]) for line in (*lines, *more)])]
    numbers += (Matrix(f"design {i} (rows are outputs)", one) for i, one in enumerate(optima, 1))
    exact: list[Block] = [
        Heading("For reviewers"),
        Folded(_TEXTS["numbers"], tuple(numbers), has_html_only=False),
        *_derived(solution),
    ]
    exact += (CertificateBlock(file, proof) for file, proof in ((survey.file, certificate), (second, bound)) if proof)
    board = Section("board", (*remarks, *first, Paragraph(foot, "foot")))
    return Document("How this survey protects its respondents", (board, Section("reviewers", tuple(exact))))


def _derived(solution: _Design) -> list[Block]:
    """Return the derivation of a design, folded; empty if its twins are left out, or if it takes seconds.

    Formulas need the package latex2mathml; without it the derivation is left out too.
    """
    region = getattr(getattr(solution, "problem", None), "region", None)
    is_long = (
        region is not None and region.inputs > 2 and region.has_one_level and region.one_level().delta.rational != 0
    )
    if is_long or getattr(solution, "kept_twins", None) is None or not hasattr(solution, "derivation"):
        return []
    with suppress(UnsupportedProblemError, MissingExtraError):
        formula_converter()
        parts = (WrittenPart(head, texts) for head, texts in solution.derivation().written_parts())
        return [Folded(_TEXTS["derivation"], tuple(parts))]
    return []


# --- one question


def _question(
    mechanism: Mechanism,
    device: Device,
    guesses: Sequence[Sequence[Fraction]],
    survey: PlannedSurvey,
    promise: str | None = None,
) -> list[Block]:
    kind = _TEXTS["yes-or-no" if mechanism.is_binary else "several"].format(k=mechanism.inputs)
    said = _TEXTS["asked-so" if survey.question else "asked"].format(question=survey.question, kind=kind)
    return [
        Heading("What is asked"),
        Paragraph(_TEXTS["honest"].format(said=said)),
        *_instructions(device, mechanism),
        *_revealed(mechanism),
        *_margins(mechanism, guesses, survey),
        *_glossary(mechanism, promise),
    ]


def _instructions(device: Device, mechanism: Mechanism) -> list[Block]:
    found: list[Block] = [Heading("What the respondent does"), Paragraph(device.steps, "do")]
    found += [Paragraph(device.prepare)] if device.prepare else []
    found += [dice_table("en")] if device.has_table else []
    if device.kind == "a program":
        chances = ""
        if mechanism.is_binary:
            yes, no = percent(mechanism.p11, up=False, digits=2), percent(1 - mechanism.p00, up=True, digits=2)
            chances = _TEXTS["program-chances"].format(yes=yes, no=no)
        found.append(Paragraph(_TEXTS["program"].format(chances=chances)))
    elif device.kind != "truth":
        both = all(all(row) for row in mechanism.matrix)  # every answer may come from every truth
        found.append(Paragraph(_TEXTS["secret"].format(nobody=_TEXTS["secret-both"] * both)))
    return found


def _revealed(mechanism: Mechanism) -> list[Block]:
    found = exposures(mechanism)
    whole = worst_exposure(found)
    after = ("a yes", "a no") if mechanism.is_binary else ("any answer", "any answer")
    if mechanism.is_binary and mechanism.p00 + mechanism.p11 < 1:
        after = after[::-1]
    words = (f"after {after[0]}", f"after {after[1]}") if mechanism.is_binary else ("at most", "at least")
    sentences = [belief_sentence(p, whole, after) for p in BELIEFS]
    beside: list[Block] = []
    if len(set(found)) > 1 and len(found) <= _MOST_LISTED:
        sentences = [sentences[0], _TEXTS["each-answer"]]
        rows = [
            (
                f"answer {j}",
                *(
                    f"{percent(one.least.posterior(p), up=False)} to {percent(one.most.posterior(p), up=True)}"
                    for p in BELIEFS
                ),
            )
            for j, one in enumerate(found, 1)
        ]
        beside = [("", ("", *(f"believed {percent(p, up=True)} before" for p in BELIEFS)), rows)]
    elif len(set(found)) > 1:
        sentences.append(_TEXTS["every-answer"])
    return [
        Heading("What a response can reveal"),
        *_warning(mechanism, whole, after),
        beliefs_picture(whole, words),
        Paragraph(_TEXTS["intro-yes" if mechanism.is_binary else "intro-any"]),
        Items(tuple(sentences)),
        *beside,
    ]


def beliefs_picture(found: Exposure, words: tuple[str, str]) -> Picture:
    """Return the picture of the posterior against the prior probability."""

    def draw() -> Any:
        from rropt.plots.draw_breach_regions import beliefs

        return beliefs(found.most.posterior, found.least.posterior, BELIEFS, words)

    return Picture(draw)


def _warning(mechanism: Mechanism, whole: Exposure, after: tuple[str, str]) -> Iterable[Block]:
    """Yield the warning about responses that reveal the truth with certainty, or nearly so."""
    proves, excludes = whole.most.posterior(_HALF) > 1 - _DOUBT, whole.least.posterior(_HALF) < _DOUBT
    if not (proves or excludes):
        return
    proof = "proves" if whole.most.value is None else "all but proves"
    refutation = "proves" if whole.least.value == 0 else "all but proves"
    told = ""
    if not mechanism.is_binary:
        parts = [f"some answer {proof} what the true one is"] * proves
        parts += [f"some answer {refutation} what the true one is not"] * excludes
    else:
        parts = [f"{after[0]} {proof} that the true answer is yes"] * proves
        parts += [f"{after[1]} {refutation} that the true answer is no"] * excludes
        truth, share = ("yes", mechanism.p11) if proves else ("no", mechanism.p00)
        share = share if after[0] == "a yes" else 1 - share
        told = _TEXTS["given-away"].format(truth=truth, share=decimal_text(100 * share, 3))
    text = ", and ".join(parts)
    yield Paragraph(_TEXTS["warning"].format(text=text[0].upper() + text[1:], told=told), "warn")


def _margins(mechanism: Mechanism, guesses: Sequence[Sequence[Fraction]], survey: PlannedSurvey) -> list[Block]:
    found = [variances(mechanism, population) for population in guesses]
    known = [value for value in found if value is not None]
    if len(known) < len(guesses):
        return [Heading(_TEXTS["precise"]), Paragraph(_TEXTS["many" if mechanism.inputs > 60 else "unidentified"])]
    worst = worst_variance(mechanism)
    open_ = max(p * (1 - p) for population in guesses for p in population)
    header = ["respondents", f"if {_guess_text(guesses)}", *(["whatever that proportion is"] if worst else [])]
    values = (max(known), *([worst] if worst else []), open_)
    confidence = exact_confidence(survey.confidence)
    rows = [(_grouped(n), *(f"± {margin_text(value, n, confidence)}" for value in values)) for n in _numbers_of(survey)]
    what = _TEXTS["of-yes" if mechanism.is_binary else "of-each"]
    return [
        Heading(_TEXTS["precise"]),
        Paragraph(_TEXTS["margins"].format(what=what, times=_times(survey))),
        ("", (*header, _TEXTS["openly"]), rows),
    ]


def _numbers_of(survey: PlannedSurvey) -> Sequence[int]:
    return (survey.n,) if survey.n else NUMBERS


def _times(survey: PlannedSurvey) -> str:
    return percent(exact_confidence(survey.confidence), up=False).removesuffix(" %")


def _grouped(n: int) -> str:
    return f"{n:,}"


def _guess_text(guesses: Sequence[Sequence[Fraction]]) -> str:
    shares = [f"{decimal_text(100 * population[-1], 4)} %" for population in guesses]
    if len(guesses[0]) == 2 or len(set(shares)) > 1:
        return _TEXTS["guess-yes"].format(shares=" to ".join(dict.fromkeys(shares)))
    return _TEXTS["guess-equal" if len(set(guesses[0])) == 1 else "guess-planned"]


def _glossary(mechanism: Mechanism, promise: str | None = None) -> list[Block]:
    """Return the definitions of the five terms that the page uses, with the promised level in words."""
    parity = mechanism.parity()
    bound = "has no limit here" if parity is None else f"is at most {decimal_outwards(parity, up=True, digits=4)} here"
    bound += "" if promise is None else f"; the design keeps {promise}"
    return [
        Heading("Five words"),
        ("", None, [(word, text.format(bound=bound)) for word, text in _WORDS.items()]),
    ]


# --- a number


def _number(design: MeanDesign, survey: PlannedSurvey) -> list[Block]:
    """Return the blocks on reports of a number: the program that draws them, and the margins of the mean."""
    made, confidence = design.mechanism, exact_confidence(survey.confidence)
    said = _TEXTS["asked-so" if survey.question else "asked"]
    numbers = (made.categories[0], made.categories[-1])
    kind = _TEXTS["number-range" if design.is_range else "number"].format(low=numbers[0], high=numbers[1])
    reports = _TEXTS["number-reports"].format(count=made.outputs, low=made.responses[0], high=made.responses[-1])
    spread, direct = design.total_variance, design.total_variance - design.upper
    rows = [
        (_grouped(n), *(f"± {decimal_text(_mean_margin(value, n, confidence), 3)}" for value in (spread, direct)))
        for n in _numbers_of(survey)
    ]
    header = ("respondents", "these reports", "the numbers themselves, if all were honest")
    when = "number-proportions" if design.proportions is not None else "number-whatever"
    return [
        Heading("What is asked"),
        Paragraph(_TEXTS["honest"].format(said=said.format(question=survey.question, kind=kind))),
        Heading("What the respondent does"),
        Paragraph(reports, "do"),
        Paragraph(_TEXTS["secret"].format(nobody=_TEXTS["secret-both"])),
        *_revealed(made),
        Heading(_TEXTS["precise"]),
        Paragraph(_TEXTS["number-margins"].format(times=_times(survey), when=_TEXTS[when])),
        ("", header, rows),
        *_glossary(made),
    ]


def _mean_margin(variance: Fraction, n: int, confidence: Fraction) -> float:
    """Return the half-width of the normal interval of a mean."""
    return NormalDist().inv_cdf(float(1 + confidence) / 2) * sqrt(variance / n)


# --- several questions under one budget


def _question_rows(design: BitsDesign | EqualQuestionDevices) -> list[tuple[str, str]]:
    """Return rows for reviewers: the numbers of each question, counted from 1 as on the page."""
    _, header, rows = design.as_tables()[0]
    _, *names = header or ()
    told = ("; ".join(f"{name} {text}" for name, text in zip(names, row[1:], strict=True)) for row in rows)
    return [(f"question {number}", text) for number, text in enumerate(told, 1)]


def _questions(design: BitsDesign | EqualQuestionDevices, survey: PlannedSurvey) -> list[Block]:
    bits = design.mechanism.factors
    said = _TEXTS["questions-begin"].format(question=survey.question) if survey.question else ""
    devices = [told_device(bit) for bit in bits]
    told: dict[str, list[int]] = {}  # questions with the same instruction are grouped
    for number, (bit, device) in enumerate(zip(bits, devices, strict=True), 1):
        idle = bit.p00 == _HALF
        told.setdefault(_TEXTS["questions-idle"] if idle else device.steps, []).append(number)
    steps = [Paragraph(f"{_question_numbers(numbers)}. {text}", "do") for text, numbers in told.items()]
    each = _TEXTS["questions-each"] * (len(bits) > 1)
    left = len(told) - _MOST_LISTED
    one = Exposure.of(max(bits, key=lambda bit: bit.parity() or 0), 1)
    whole = prod(design.parities, start=Fraction(1))
    every = Exposure(BayesFactor(whole), BayesFactor(1 / whole))
    return [
        Heading("What is asked"),
        Paragraph(_TEXTS["questions"].format(count=len(bits), said=said)),
        Heading("What the respondent does"),
        *steps[:_MOST_LISTED],
        *[Paragraph(_TEXTS["questions-more"].format(left=left))] * (left > 0),
        *[dice_table("en")] * any(device.has_table for device in devices),
        Paragraph(each + _TEXTS["secret"].format(nobody="")),
        Heading("What the responses can reveal"),
        beliefs_picture(every, ("at most", "at least")),
        Paragraph(_TEXTS["questions-most"]),
        Items(tuple(belief_sentence(p, one, ("a yes", "a no")) for p in BELIEFS)),
        Paragraph(_TEXTS["questions-together"]),
        Items((belief_sentence(BELIEFS[0], every, ("all answers", "all answers")),)),
        *_questions_margins(design, survey),
        *_glossary(design.mechanism),
    ]


def _random_questions(design: RandomQuestionsDesign, survey: PlannedSurvey) -> list[Block]:
    """Return the blocks on random questions: the device of those that are drawn, and the margins of each."""
    some = design.mechanism
    said = _TEXTS["questions-begin"].format(question=survey.question) if survey.question else ""
    asked = with_noun(some.asked, "yes-or-no question")
    return [
        Heading("What is asked"),
        Paragraph(_TEXTS["questions-asked"].format(asked=asked, count=some.questions, said=said)),
        *_instructions(told_device(some.cells), some.cells),
        *_revealed(some.cells),
        *_questions_margins(design, survey),
        *_glossary(some.cells),
    ]


def _question_numbers(numbers: Sequence[int]) -> str:
    """Return ``Question 2``, ``Questions 1 to 5``, ``Questions 1, 3, 4``."""
    if len(numbers) == 1:
        return f"Question {numbers[0]}"
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"Questions {numbers[0]} to {numbers[-1]}"
    shown = ", ".join(map(str, numbers[:_MOST_LISTED]))
    return f"Questions {shown}{', ...' if len(numbers) > _MOST_LISTED else ''}"


def _questions_margins(
    design: BitsDesign | EqualQuestionDevices | RandomQuestionsDesign, survey: PlannedSurvey
) -> list[Block]:
    confidence, numbers = exact_confidence(survey.confidence), _numbers_of(survey)
    rows: dict[tuple[Fraction, Fraction | None], list[int]] = {}
    for number, key in enumerate(zip(design.prevalences, design.n_variances, strict=True), 1):
        rows.setdefault(key, []).append(number)
    listed = [
        (
            _question_numbers(asked).partition(" ")[2],
            f"{decimal_text(100 * share, 4)} %",
            *("not available" if value is None else f"± {margin_text(value, n, confidence)}" for n in numbers),
        )
        for (share, value), asked in [*rows.items()][:_MOST_LISTED]
    ]
    return [
        Heading(_TEXTS["precise"]),
        Paragraph(_TEXTS["questions-margins"].format(times=_times(survey))),
        ("", ("question", "would truly say yes", *(with_noun(_grouped(n), "respondent") for n in numbers)), listed),
        *[Paragraph(_TEXTS["questions-others"])] * (len(rows) > _MOST_LISTED),
    ]
