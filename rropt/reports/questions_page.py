"""Summaries for the ethics committee: several questions under one privacy budget, and everyday randomizing devices."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.core.exact import both_texts, exact_confidence
from rropt.core.exact.display import decimal_text
from rropt.core.visible import html_text
from rropt.designs.bits import BitsDesign
from rropt.mechanisms import Mechanism
from rropt.reports.irb_summary import (
    BELIEFS,
    NUMBERS,
    Device,
    Exposure,
    Factor,
    belief_sentence,
    margin_text,
    percent,
    told_device,
)
from rropt.reports.pages import PlannedSurvey, belief_curves, dice_table, glossary
from rropt.survey.comparisons.device_designs import AddedCards, DeviceDesigns
from rropt.survey.devices.randomizing_devices import DO

_LISTED = 6  # devices and questions that the sheet shows one by one; all stand behind it
_LABELS = 16  # outcomes of one use that are written out


def device_at_hand(found: DeviceDesigns) -> Device:
    """Return the best use of a randomizing device: the instruction for each group of outcomes."""
    best = found.best
    if isinstance(best, AddedCards):
        shares = [(count / sum(best.cards), card) for card, count in enumerate(best.cards, 1) if count]
        cards = "; ".join(f"{x} of the cards: number {card}" for x, card in shares)
        return Device("deck", f"The deck: {cards}.", best.instruction)
    roles = sorted(((len(labels), role, labels) for role, labels in best.card if labels), key=lambda one: one[0])
    uses = [f"{_labels(labels)}: {DO[role]}" for _, role, labels in roles]
    if roles[-1][0] > _LABELS:
        uses[-1] = f"any other: {DO[roles[-1][1]]}"
    said = best.instruction.replace("the card says", "the list says")
    name = best.randomizer.name
    return Device("deck", f"{name[0].upper()}{name[1:]}: {'; '.join(uses)}.", said)


def _labels(labels: Sequence[str]) -> str:
    if len(labels) <= _LABELS:
        return ", ".join(labels)
    return f"{labels[0]} to {labels[-1]}, {len(labels)} in order"


def device_rows(found: DeviceDesigns) -> list[tuple[str, str]]:
    """Return rows for reviewers: the precision of the device compared with that of all mechanisms."""
    best, truths = found.best, zip(("no", "yes"), found.best.mechanism.columns(), strict=True)
    chances = [(f"answers where {truth} is true", ", ".join(map(str, column))) for truth, column in truths]
    return [
        ("n Var of this device", both_texts(best.value)),
        ("n Var of the best mechanism of all, certified below", both_texts(found.optimum.value)),
        *chances,
    ]


def question_rows(design: BitsDesign) -> list[tuple[str, str]]:
    """Return rows for reviewers: the numbers of each question, counted from 1 as on the page."""
    _, header, rows = design.as_tables()[0]
    _, *names = header or ()
    told = ("; ".join(f"{name} {text}" for name, text in zip(names, row[1:], strict=True)) for row in rows)
    return [(f"question {number}", text) for number, text in enumerate(told, 1)]


def questions_sheet(design: BitsDesign, survey: PlannedSurvey) -> list[str]:
    """Return the parts of the summary for several questions."""
    bits = design.mechanism.factors
    said = f" They begin with: <q>{html_text(survey.question)}</q>" if survey.question else ""
    return [
        f"<h2>What is asked</h2><p>Respondents are asked {len(bits)} questions, each answered yes or no.{said} Honest "
        "answers could embarrass or harm the person who gives them.</p>",
        _instructions(bits),
        _belief_sentences(design),
        _margins(design, survey),
        glossary(design.mechanism),
    ]


def _instructions(bits: Sequence[Mechanism]) -> str:
    """Return the instruction for each question; questions with the same instruction are grouped."""
    groups: dict[str, list[int]] = {}
    has_table = False
    for number, bit in enumerate(bits, 1):
        idle = bit.p00 == Fraction(1, 2)
        device = told_device(bit)
        has_table = has_table or device.has_table
        told = "Do not ask it: it has no part of the budget." if idle else device.steps
        groups.setdefault(told, []).append(number)
    items = [
        f'<p class="do"><b>{_question_numbers(numbers)}.</b> {html_text(told)}</p>' for told, numbers in groups.items()
    ]
    more = f"<p>Another {len(groups) - _LISTED} kinds stand behind this sheet.</p>" if len(groups) > _LISTED else ""
    each = "Each question has its own chance: the result for one reveals nothing about another. " * (len(bits) > 1)
    more += dice_table("en") * has_table
    said = f"{''.join(items[:_LISTED])}{more}<p>{each}Nobody else sees what came up.</p>"
    return f"<h2>What the respondent does</h2>{said}"


def _question_numbers(numbers: Sequence[int]) -> str:
    """Return ``question 2``, ``questions 1 to 5``, ``questions 1, 3, 4``."""
    if len(numbers) == 1:
        return f"Question {numbers[0]}"
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"Questions {numbers[0]} to {numbers[-1]}"
    shown = ", ".join(map(str, numbers[:_LISTED]))
    return f"Questions {shown}{', ...' if len(numbers) > _LISTED else ''}"


def _belief_sentences(design: BitsDesign) -> str:
    """Return sentences on the largest and smallest effect of one response, and of all responses together."""
    worst = max(design.mechanism.factors, key=lambda bit: bit.parity() or 0)
    one = Exposure.of(worst, 1)
    whole = Fraction(1)
    for parity in design.parities:
        whole *= parity
    every = Exposure(Factor(whole), Factor(1 / whole))
    items = "".join(f"<li>{belief_sentence(p, one, ('a yes', 'a no'))}</li>" for p in BELIEFS)
    p, any_ = BELIEFS[0], ("all answers", "all answers")
    listed = belief_sentence(p, every, any_)
    figure = belief_curves(every.most.posterior, every.least.posterior, BELIEFS, ("at most", "at least"))
    intro = "An observer has a prior probability that the true answer to one question is yes, and sees the response"
    return (
        '<h2>What the responses can reveal</h2><div class="two"><div>'
        f"<p>{intro}. For the most revealing question:</p><ul>{items}</ul>"
        "<p>All responses together reveal more (see the picture). For any one list of true answers:</p>"
        f"<ul><li>{listed}</li></ul></div>{figure}</div>"
    )


def _margins(design: BitsDesign, survey: PlannedSurvey) -> str:
    confidence = exact_confidence(survey.confidence)
    numbers = (survey.n,) if survey.n else NUMBERS
    rows: dict[tuple[Fraction, Fraction | None], list[int]] = {}
    for number, key in enumerate(zip(design.prevalences, design.n_variances, strict=True), 1):
        rows.setdefault(key, []).append(number)
    listed = []
    for (share, variance), asked in list(rows.items())[:_LISTED]:
        cells = [_question_numbers(asked).partition(" ")[2], f"{decimal_text(100 * share, 4)} %"]
        cells += ["not available" if variance is None else f"± {margin_text(variance, n, confidence)}" for n in numbers]
        listed.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    more = "<p>The other questions stand behind this sheet.</p>" if len(rows) > _LISTED else ""
    head = ["question", "would truly say yes", *(f"{n:,} respondents".replace(",", "\u202f") for n in numbers)]
    times = percent(confidence, up=True).removesuffix(" %")
    return (
        "<h2>How many respondents, and how precise</h2><p>No single true answer has to be known: the share of true yes "
        "answers to each question is worked out from all answers: to within so many percentage points in "
        f'{times} of 100 surveys:</p><div class="scroll"><table><tr>{"".join(f"<th>{cell}</th>" for cell in head)}</tr>'
        f"{''.join(listed)}</table></div>{more}"
    )
