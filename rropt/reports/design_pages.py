"""The page of a design: a one-page summary for the ethics committee, then the data that verify it.

Every number on the first page is computed exactly and rounded in the direction that keeps its sentence true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from rropt.core.certificates import Certificate
from rropt.core.exact import exact_confidence
from rropt.core.exact.display import decimal_text
from rropt.core.results import remarks_of
from rropt.core.visible import html_text
from rropt.designs import Solution
from rropt.designs.bits import BitsDesign
from rropt.designs.prevalence_intervals import IntervalSolution
from rropt.mechanisms import Mechanism
from rropt.reports.irb_summary import (
    BELIEFS,
    NUMBERS,
    Device,
    Exposure,
    Factor,
    belief_sentence,
    exposures,
    margin_text,
    percent,
    told_device,
    variances,
    worst_exposure,
    worst_variance,
)
from rropt.reports.pages import PlannedSurvey, belief_curves, board_page, dice_table, glossary
from rropt.reports.questions_page import device_at_hand, device_rows, question_rows, questions_sheet
from rropt.survey.comparisons.device_designs import DeviceDesigns

_DOUBT = Fraction(1, 100)  # less than that is left of even odds: next to none
_MOST_LISTED = 6  # categories whose bounds are listed one by one


def design_page(
    solution: Solution | IntervalSolution | BitsDesign | DeviceDesigns,
    more: Iterable[tuple[str, str]] = (),
    *,
    survey: PlannedSurvey | None = None,
    bound: Certificate | None = None,
) -> str:
    """Return a self-contained HTML page about a certified design; it loads nothing from a network.

    The first part fits one sheet of A4: the question, the device, the posterior probabilities after a response,
    respondents and margin of error, and a list of five terms. The second part contains the exact numbers and the
    collapsed certificates, with the SHA-256 of their files.

    Args:
        solution: a solution at a prevalence, at given proportions, or over an interval of prevalences; a design for
            several questions under one budget; or the best use of available devices.
        more: further rows (label, value) of the exact numbers.
        survey: the question, the respondents and the date.
        bound: the certificate of the other bound of the optimum, if there is a second certificate.
    """
    survey = survey or PlannedSurvey()
    if isinstance(solution, BitsDesign):
        rows = [*solution.lines(), *question_rows(solution), *more]
        return board_page(questions_sheet(solution, survey), rows, (), solution.certificate, survey, bound)
    device: Device | None = None
    guesses: list[Sequence[Fraction]]
    lines: list[tuple[str, str]]
    optima: tuple[Mechanism, ...]
    certificate: Certificate | None
    if isinstance(solution, DeviceDesigns):
        mechanism, certificate = solution.best.mechanism, solution.optimum.certificate
        device, optima = device_at_hand(solution), ()
        guesses, lines = [(1 - solution.prevalence, solution.prevalence)], [*device_rows(solution), *solution.lines()]
    elif isinstance(solution, IntervalSolution):
        chosen, interval = solution.minimax_regret.design, solution.interval
        mechanism, certificate = chosen.mechanism, solution.minimax_regret.certificate
        optima = (mechanism,)
        guesses = [(1 - p, p) for p in (interval.low, interval.high)]
        lines = [("designs over the interval", line) for line in str(solution).splitlines()]
    else:
        mechanism, certificate, optima = solution.mechanism, solution.certificate, solution.optima
        guesses, lines = [solution.found.guess(solution.problem)], solution.lines()
    device = device or told_device(mechanism)
    region = solution.problem.region if isinstance(solution, Solution) else None
    first = [
        *(f'<p class="warn">Remark: {html_text(text)}</p>' for text in remarks_of(solution)),
        _question_section(mechanism, survey),
        _instruction_section(device, mechanism),
        _belief_section(mechanism),
        _margins(mechanism, guesses, survey),
        glossary(mechanism, None if region is None else str(region).partition(", k = ")[0]),
    ]
    return board_page(first, [*lines, *more], optima, certificate, survey, bound)


def _question_section(mechanism: Mechanism, survey: PlannedSurvey) -> str:
    k = mechanism.inputs
    kind = "a question that is answered yes or no" if mechanism.is_binary else f"a question with {k} possible answers"
    said = (
        f"<q>{html_text(survey.question)}</q> This is {kind}." if survey.question else f"Respondents are asked {kind}."
    )
    return f"<h2>What is asked</h2><p>{said} An honest answer could embarrass or harm the person who gives it.</p>"


def _instruction_section(device: Device, mechanism: Mechanism) -> str:
    text = f'<h2>What the respondent does</h2><p class="do">{html_text(device.steps)}</p>'
    text += f"<p>{html_text(device.prepare)}</p>" * bool(device.prepare) + dice_table("en") * device.has_table
    if device.kind == "a program":
        chances = ""
        if mechanism.is_binary:
            yes = percent(mechanism.p11, up=False, digits=2), percent(1 - mechanism.p00, up=True, digits=2)
            chances = (
                f" A true yes is sent as yes with a chance of about {yes[0]}, a true no as yes with about {yes[1]}."
            )
        text += f"<p>No small deck or die serves here, so a program draws.{chances}</p>"
    elif device.kind != "truth":
        both = all(all(row) for row in mechanism.matrix)  # every answer may come from every truth
        text += f"<p>Nobody else sees what came up{', so nobody can tell why an answer was given' * both}.</p>"
    return text


def _belief_section(mechanism: Mechanism) -> str:
    found = exposures(mechanism)
    whole = worst_exposure(found)
    most, least = whole.most, whole.least
    after = ("a yes", "a no") if mechanism.is_binary else ("any answer", "any answer")
    if mechanism.is_binary and mechanism.p00 + mechanism.p11 < 1:
        after = after[::-1]
    if mechanism.is_binary:
        intro = (
            "An observer has a prior probability that this respondent's true answer is yes, and then sees the response."
        )
        items = [f"<li>{belief_sentence(p, found[0], after)}</li>" for p in BELIEFS]
    else:
        intro = "An observer has a prior probability that an answer is this respondent's true one, and then sees "
        intro += "the response."
        items = _items_of(found, whole, after)
    warning = _warning(mechanism, most, least, after)
    words = (f"after {after[0]}", f"after {after[1]}") if mechanism.is_binary else ("at most", "at least")
    figure = belief_curves(most.posterior, least.posterior, BELIEFS, words)
    text = f"<p>{intro} This is all that the response can change, whatever else that person knows:</p>"
    return (
        f'<h2>What a response can reveal</h2>{warning}<div class="two"><div>{text}<ul>{"".join(items)}</ul></div>'
        f"{figure}</div>"
    )


def _items_of(found: Sequence[Exposure], whole: Exposure, after: tuple[str, str]) -> list[str]:
    if len(set(found)) == 1 or len(found) > _MOST_LISTED:
        return [f"<li>{belief_sentence(p, whole, after)}</li>" for p in BELIEFS] + (
            [] if len(set(found)) == 1 else ["<li>This holds for every true answer; for some, beliefs move less.</li>"]
        )
    rows = "".join(
        f"<tr><th>answer {j}</th>"
        + "".join(
            f"<td>{percent(one.least.posterior(p), up=False)} to {percent(one.most.posterior(p), up=True)}</td>"
            for p in BELIEFS
        )
        + "</tr>"
        for j, one in enumerate(found, 1)
    )
    head = "".join(f"<th>believed {percent(p, up=True)} before</th>" for p in BELIEFS)
    first = f"<li>{belief_sentence(BELIEFS[0], whole, after)}</li><li>For each true answer, between:</li>"
    return [first, f"<table><tr><th></th>{head}</tr>{rows}</table>"]


def _warning(mechanism: Mechanism, most: Factor, least: Factor, after: tuple[str, str]) -> str:
    """Return the warning about responses that reveal the truth with certainty, or nearly so."""
    half = Fraction(1, 2)
    proves, excludes = most.posterior(half) > 1 - _DOUBT, least.posterior(half) < _DOUBT
    if not (proves or excludes):
        return ""
    proof = "proves" if most.value is None else "all but proves"
    refutation = "proves" if least.value == 0 else "all but proves"
    if not mechanism.is_binary:
        parts = [f"some answer {proof} what the true one is"] * proves
        parts += [f"some answer {refutation} what the true one is not"] * excludes
        told = ""
    else:
        parts = [f"{after[0]} {proof} that the true answer is yes"] * proves
        parts += [f"{after[1]} {refutation} that the true answer is no"] * excludes
        truth, share = ("yes", mechanism.p11) if proves else ("no", mechanism.p00)
        share = share if after[0] == "a yes" else 1 - share
        told = f" Of 100 respondents whose true answer is {truth}, about {decimal_text(100 * share, 3)} are given away."
    text = ", and ".join(parts)
    return (
        f'<p class="warn"><b>{text[0].upper()}{text[1:]}.</b>{told} The committee should know why this is accepted.</p>'
    )


def _margins(mechanism: Mechanism, guesses: Sequence[Sequence[Fraction]], survey: PlannedSurvey) -> str:
    found = [variances(mechanism, population) for population in guesses]
    known = [value for value in found if value is not None]
    title = "<h2>How many respondents, and how precise</h2>"
    if len(known) < len(guesses):
        many = "Different true proportions can give the same responses, so this design cannot estimate how common "
        "each answer is."
        if mechanism.inputs > 60:
            many = "With so many possible answers margins are not worked out here."
        return f"{title}<p>{many}</p>"
    confidence = exact_confidence(survey.confidence)
    worst = worst_variance(mechanism)
    numbers = (survey.n,) if survey.n else NUMBERS
    open_ = max(p * (1 - p) for population in guesses for p in population)
    head = [
        "respondents",
        f"if {_guess_text(guesses)}",
        *(["whatever that proportion is"] if worst else []),
        "if asked openly, all honest",
    ]
    rows = []
    for n in numbers:
        cells = [margin_text(value, n, confidence) for value in (max(known), *([worst] if worst else []), open_)]
        rows.append(
            f"<tr><td>{n:,}</td>".replace(",", "\u202f") + "".join(f"<td>± {cell}</td>" for cell in cells) + "</tr>"
        )
    what = "the proportion of true yes answers" if mechanism.is_binary else "the proportion of each true answer"
    times = percent(confidence, up=True).removesuffix(" %")
    intro = (
        f"No single true answer has to be known: {what} is worked out from all answers. It is found to within so many "
        f"percentage points in {times} of 100 surveys:"
    )
    table = f"<table><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr>{''.join(rows)}</table>"
    return f'{title}<p>{intro}</p><div class="scroll">{table}</div>'


def _guess_text(guesses: Sequence[Sequence[Fraction]]) -> str:
    shares = [f"{decimal_text(100 * population[-1], 4)} %" for population in guesses]
    if len(set(shares)) > 1:
        return f"{shares[0]} to {shares[1]} would truly say yes"
    population = guesses[0]
    if len(population) == 2:
        return f"{shares[0]} would truly say yes"
    return "all answers are equally common" if len(set(population)) == 1 else "answers are as common as planned"
