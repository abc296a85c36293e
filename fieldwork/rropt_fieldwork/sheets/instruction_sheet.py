"""``sheet``: instructions for a randomizing device, for the interview, the ethics committee, or a web questionnaire.

The device has exactly the probabilities of the mechanism (``sheet_devices``). All text comes from a language file
(``sheet_languages``). Posterior probabilities, percentages and margins are those of the design page (``irb_summary``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any, ClassVar

from rropt.accounting import compose
from rropt.core.argument_checks import clear_calls, require_given, require_texts
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, one_of, shown
from rropt.core.exact import Epsilon, as_text, decimal_text, rational_where
from rropt.core.exact.display import decimal_outwards
from rropt.core.exact.numbers import whole_numbers
from rropt.core.results import Result, labelled
from rropt.core.version import installed_version
from rropt.core.visible import html_text, size_text, visible
from rropt.mechanisms import DESIGNS, Mechanism, ProductMechanism, RandomQuestions, named_mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.words import TRAIT
from rropt.reports.browser_checker import embedded, filled, frame, script
from rropt.reports.chosen_faces import Faces, misread, read_faces, with_faces
from rropt.reports.document_writers import Block, Heading, Items, Paragraph, Section, html_of
from rropt.reports.irb_summary import (
    BELIEFS,
    BayesFactor,
    dice_table,
    exposures,
    margin_text,
    percent,
    variances,
    worst_exposure,
    worst_variance,
)
from rropt.reports.page_limits import require_respondents, require_text
from rropt.reports.randomizer_steps import Sentence, beside_other_cards
from rropt.reports.sheet_devices import MOST_WEB, RESPONSES, SheetDevice, device_of, names_of_answers
from rropt.reports.sheet_languages import Language
from rropt_fieldwork.declaration.survey_declaration import Survey

_OWN_RULES = tuple(  # a wording that has all three: a randomizing device or the truth, a result, and what to do
    re.compile(rf"\b({words})\b", re.IGNORECASE)
    for words in (
        r"roll(s|ed)?|die|dice|cards?|coins?|toss\w*|throw\w*|spinner|comes? up|truthfully|the truth|würfel\w*|"
        r"gewürfelt|karten?|münzen?|ehrlich|wahrheit\w*",
        r"\d{1,2}|one|two|three|four|five|six|even|odd|heads?|tails?|ace|red|black|spades?|hearts?|clubs?|diamonds?|"
        r"faces?|eins|zwei|drei|vier|fünf|sechs|(un)?gerade\w*|kopf|zahl|rot|schwarz|herz|pik",
        r"if|when|otherwise|say|means|answer|tell|wenn|falls|bei|sonst|sagen|antworten|bedeutet",
    )
)
FORMS = {"print": "A4", "letter": "letter", "html": "", "web": ""}  # with the size of the paper
INTERVIEWS = (1, 2, 5, 10)
_CONFIDENCE = Fraction(19, 20)
_BROKEN = Fraction(1, 10)  # the share of respondents who do not follow the device, in an example
_SHORT = 12  # characters of epsilon and of its factor that stand in a table in full


@dataclass(frozen=True, slots=True)
class InstructionSheet(Result):
    """The instruction sheet of a mechanism.

    Attributes:
        mechanism: the mechanism, which determines the probabilities of the device.
        design: the text of the named design, such as ``crosswise:1/4``; empty for a matrix.
        sensitive_question: the wording of the question.
        language: the language code, such as ``en``.
        form: ``print`` (on A4), ``letter`` (on US letter), ``html`` (plain, for a questionnaire) or ``web`` (the
            browser draws).
        randomizer: the randomizing device; ``auto`` selects the simplest one.
        answers: names of the true answers; empty for no and yes, or numbers.
        title, responsible, date: entries of the ethics page; a blank line to fill in if empty.
        n: the number of respondents, for the precision.
        prevalence: a guess of the proportion of the last true answer (yes).
        faces: the outcomes of the die, the cards or the coin for each step of the sheet, if they are chosen.
        some: if each respondent answers some random questions, their mechanism; ``mechanism`` then is its device for
            the answers to the questions that are drawn.
    """

    mechanism: Mechanism
    design: str
    sensitive_question: str
    language: str = "en"
    form: str = "print"
    randomizer: str = "auto"
    answers: tuple[str, ...] = ()
    title: str = ""
    responsible: str = ""
    date: str = ""
    n: int | None = None
    prevalence: Fraction | None = None
    faces: Faces = ()
    some: Mechanism | None = None

    LABELS: ClassVar[Mapping[str, str]] = labelled(
        device="device",
        epsilon="epsilon of one interview",
        preparation="prepare",
        numbered="instructions",
        spoken="possible answers",
        prepared="",
        instructions="",
        page="",
    )

    def __post_init__(self) -> None:
        require_text("question", self.sensitive_question, empty=False)
        for name in ("title", "responsible", "date"):
            require_text(name, getattr(self, name))
        one_of(self.form, FORMS, "form")
        Language.of(self.language)
        for each in self.answers:
            require_text("answers", each, empty=False)
        if self.n is not None:
            object.__setattr__(self, "n", require_respondents(self.n))
        if self.prevalence is not None:
            guess = rational_where(self.prevalence, lambda p: 0 <= p <= 1, "0 <= prevalence <= 1", name="prevalence")
            object.__setattr__(self, "prevalence", guess)
        if self.design and named_mechanism(self.design) != self.mechanism:  # never the name of a file
            raise InvalidParameterError(
                f"the design is not the mechanism: received {shown(self.design)}; give the design alone"
            )
        if isinstance(self.mechanism, ProductMechanism):
            raise UnsupportedProblemError(
                "a sheet is for one question: received a mechanism of several; design each question alone with "
                "`rropt design binary`, at its level, for the device that plays it, and write a sheet for each"
            )
        if self.some is not None and not (
            isinstance(self.some, RandomQuestions) and self.some.cells == self.mechanism and not self.design
        ):
            raise InvalidParameterError(
                f"the sheet is not of these random questions: received {shown(str(self.some))}; give the mechanism "
                "alone, rropt_fieldwork.sheet('ask:10,1,3', ...)"
            )
        if self.mechanism.inputs < 2:
            raise InvalidParameterError(
                "the mechanism has one true answer: received one input, so there is nothing to ask; give at least 2"
            )
        self._made()

    def _made(self) -> SheetDevice:
        """Return the device with the faces that are chosen; on a web page it is the browser."""
        if isinstance(self.some, RandomQuestions):
            return with_faces(self._of_random_questions(self.some), self.faces)
        if self.form != "web":
            made = device_of(self.mechanism, self.design, randomizer=self.randomizer, categories=self.answers)
            return with_faces(made, self.faces)
        if self.faces:
            raise InvalidParameterError("the browser draws, so a web page names no faces: leave faces out")
        m, k = self.mechanism.shape
        if m * k > MOST_WEB:
            raise UnsupportedProblemError(
                f"the mechanism is too large for a web page: received {size_text(m)} outputs for {k} true answers; "
                f"allowed are {MOST_WEB} entries; use rropt export or rropt randomize"
            )
        reports = names_of_answers(self.answers, k)
        if self.mechanism.output_values:
            reports = tuple(Sentence("verbatim", {"text": each}) for each in self.mechanism.responses)
        elif m != k:
            reports = tuple(Sentence("web_output", {"number": i}) for i in range(1, m + 1))
        else:
            name = self.design.partition(":")[0].strip().lower()
            reports = tuple(map(Sentence, RESPONSES[name])) if name in RESPONSES else reports
        return SheetDevice("the browser", (), (), (Sentence("web_intro"),), reports, self.mechanism.matrix)

    def _of_random_questions(self, some: RandomQuestions) -> SheetDevice:
        """Return the device of the answers to some questions, with the card of each question before it."""
        if self.form == "web":
            raise UnsupportedProblemError(
                "the browser draws the answer to one question: received random questions; print the sheet "
                "(form='print'), or randomize a file with rropt randomize"
            )
        words = Language.of(self.language)
        names = self.answers or (words.text("no"), words.text("yes"))
        if len(names) != 2:
            raise InvalidParameterError(
                f"the answers do not fit yes/no questions: received {shown(list(names))}; allowed are two names"
            )
        texts = [", ".join(names[cell >> place & 1] for place in range(some.asked)) for cell in range(1 << some.asked)]
        own = device_of(self.mechanism, randomizer=self.randomizer, categories=texts)
        given = {"questions": some.questions, "asked": some.asked}
        steps = [Sentence("asked_take" if some.asked > 1 else "asked_take_one", given)]
        steps += [Sentence("asked_order", {"example": texts[1]})] * (some.asked > 1)
        prepare = Sentence("prepare_questions", given)
        steps += [*beside_other_cards(own.steps), Sentence("asked_say")]
        return replace(own, prepare=(prepare, *beside_other_cards(own.prepare)), steps=tuple(steps))

    @property
    def epsilon(self) -> Epsilon:
        """The exact privacy level of one interview."""
        return self.mechanism.epsilon

    @property
    def device(self) -> str:
        """The kind of device and its randomizers, in English."""
        made = self._made()
        drawn = ", ".join(f"{draw.kind} ({draw.total})" for draw in made.draws)
        return f"{made.kind}: {drawn}" if drawn else made.kind

    @property
    def prepared(self) -> tuple[str, ...]:
        """The material to prepare, in the language of the sheet."""
        return tuple(map(Language.of(self.language).say, self._made().prepare))

    @property
    def instructions(self) -> tuple[str, ...]:
        """The instructions for the respondent, step by step."""
        return tuple(map(Language.of(self.language).say, self._made().steps))

    @property
    def has_second_question(self) -> bool:
        """Whether the instructions speak of a harmless question B, beside the sensitive question A."""
        return any(_mentions(step, "question_b") for step in self._made().steps)

    @property
    def preparation(self) -> str:
        """The material to prepare, in one text."""
        return " ".join(self.prepared) or Language.of(self.language).text("prepare_nothing")

    @property
    def numbered(self) -> str:
        """The instructions in one text, numbered."""
        return " ".join(f"({i}) {step}" for i, step in enumerate(self.instructions, 1))

    @property
    def spoken(self) -> tuple[str, ...]:
        """The possible reports in the order of the mechanism's outputs; empty if they are the names on cards."""
        return tuple(map(Language.of(self.language).say, self._made().answers))

    @property
    def page(self) -> str:
        """The HTML: a page to print, a fragment for a questionnaire, or a page that randomizes."""
        words = Language.of(self.language)
        if self.form == "web":
            return self._web(words)
        if self.form == "html":
            plain = re.sub(r' class="\w+"', "", html_of(*self._respondent(words)))
            return f'<section lang="{words.name}">{plain}</section>\n'
        readers = self._respondent(words), self._interviewer(words), self._ethics(words)
        body = html_of(*(Section("sheet", tuple(blocks)) for blocks in readers))
        policy = (
            """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">"""
        )
        paper = FORMS[self.form]
        return frame(words.text("sheet_title"), body, policy, kind="sheets", language=words.name, paper=paper)

    # --- the respondent and the interviewer

    def remarks(self) -> tuple[str, ...]:
        """Return that the wording gives rules for a device of its own, where the sheet gives other rules."""
        if not all(pattern.search(self.sensitive_question) for pattern in _OWN_RULES):
            return ()
        agrees, difference = misread(self._made(), self.sensitive_question)
        if agrees:
            return ()
        return (
            f"the wording of the question seems to give rules for dice, cards or coins: "
            f"{shown(self.sensitive_question)}; the sheet gives rules of its own, which "
            f"{f'contradict them ({difference})' if difference else 'may contradict them'}: "
            f"{' '.join(self.instructions)}; choose the outcomes of its steps (--faces, for example 2..5 1 6), or "
            "write the question alone",
        )

    def _privacy_keys(self, private: str, by_birthday: str, certain: str) -> list[str]:
        """Return the key of the sentence on what others learn; none if everybody tells the truth."""
        made = self._made()
        if made.kind == "truth":
            return []
        if self.epsilon.is_infinite:
            return [certain]
        return [private if made.birthday is None or made.draws else by_birthday]

    def _respondent(self, words: Language) -> list[Block]:
        made, said = self._made(), words.text
        question, answers = self.sensitive_question, said("answers_subset")
        if self.has_second_question:
            question = said("question_a", question=question)
        if made.answers:
            answers = said("answers_line", answers=[said("quoted", text=each) for each in made.answers])
        return [
            Heading(said("sheet_title"), 1),
            Heading(said("question_title")),
            Paragraph(question, "question"),
            Heading(said("steps_title")),
            Items(tuple(map(words.say, made.steps)), is_numbered=True),
            *[dice_table(words.name)] * any(draw.kind == "dice" for draw in made.draws),
            Paragraph(answers, "said"),
            *map(Paragraph, map(said, self._privacy_keys("private_line", "private_birthday", "certain_line"))),
            Paragraph(said("voluntary_line")),
        ]

    def _interviewer(self, words: Language) -> list[Block]:
        made, said = self._made(), words.text
        answers = [words.say(each) for each in made.answers]
        script_lines = [
            *map(said, ("say_purpose", "say_practice", "say_secret")),
            said("say_answer", answers=answers) if answers else said("say_answer_subset"),
            *map(said, self._privacy_keys("say_private", "say_private_birthday", "say_certain")),
        ]
        rules = ("rule_away", "rule_write", "rule_refuse", "rule_doubt", "rule_once")
        return [
            Heading(said("interviewer_title"), 1),
            Heading(said("prepare_title")),
            Items((*(self.prepared or (said("prepare_nothing"),)), said("prepare_practice"))),
            *self._approximation(words),
            Heading(said("say_title")),
            Items(tuple(script_lines), is_numbered=True),
            Heading(said("rules_title")),
            Items(tuple(map(said, rules))),
        ]

    def _approximation(self, words: Language) -> list[Block]:
        day = self._made().birthday
        if day is None:
            return []
        share = f"{as_text(day.share)} ≈ {words.percent(decimal_text(100 * day.share, 5) + ' %')}"
        return [Paragraph(words.text("approximation", wanted=as_text(day.wanted), share=share), "warn")]

    # --- the ethics page

    def _ethics(self, words: Language) -> list[Block]:
        said, percents = words.text, words.percent
        whole, parity = worst_exposure(exposures(self.mechanism)), self.mechanism.parity()
        protected = said("unprotected")
        if parity is not None:
            factor = percents(decimal_outwards(parity, up=True, digits=4))
            protected = said("protected", epsilon=_level(self.epsilon, words), factor=factor)
        beliefs = (
            said(
                "reveals",
                before=percents(percent(p, up=True)),
                high=percents(percent(whole.most.posterior(p), up=True)),
                low=percents(percent(whole.least.posterior(p), up=False)),
            )
            for p in BELIEFS
        )
        head = {"study": self.title, "responsible": self.responsible, "date_label": self.date}
        signatures = ("sign_respondent", "sign_interviewer", "sign_responsible", "sign_committee")
        signed = Section("signs", tuple(Paragraph(said(key), "sign") for key in signatures))
        return [
            Heading(said("ethics_title"), 1),
            ("", None, [(said(label), text) for label, text in head.items()]),
            Heading(said("asked_title")),
            Paragraph(said("asked", question=self.sensitive_question)),
            Heading(said("protected_title")),
            Paragraph(protected),
            *self._approximation(words),
            Heading(said("reveals_title")),
            Items(tuple(beliefs)),
            Heading(said("repeat_title")),
            *self._repeated(words, whole.most),
            Heading(said("rules_broken_title")),
            Paragraph(self._broken(words)),
            Paragraph(said("rules_broken_privacy")),
            *self._precision(words),
            Heading(said("voluntary_title")),
            Paragraph(said("voluntary")),
            Paragraph(said("voluntary_delete")),
            Section("together", (Heading(said("consent_title")), Paragraph(said("consent")), signed)),
            Paragraph(said("exact_line", version=installed_version()), "foot"),
        ]

    def _repeated(self, words: Language, most: BayesFactor) -> list[Block]:
        rows = []
        for count in INTERVIEWS:
            factor = BayesFactor(None if most.value is None else most.value**count)
            high = words.percent(percent(factor.posterior(Fraction(1, 2)), up=True))
            rows.append((str(count), _level(repeated_level(self.mechanism, count), words), high))
        header = tuple(words.text(f"repeat_{key}") for key in ("count", "epsilon", "high"))
        kept = "repeat_kept" if self._made().birthday is None else "repeat_birthday"
        return [Paragraph(words.text("repeat")), ("", header, rows), Paragraph(words.text(kept))]

    def _broken(self, words: Language) -> str:
        example = self._bias()
        if example is None:
            return words.text("rules_broken_many")
        answer, truth, estimate = example
        return words.text(
            "rules_broken",
            share=words.percent(percent(_BROKEN, up=True)),
            answer=answer,
            truth=words.percent(decimal_text(100 * truth, 4) + " %"),
            estimate=words.percent(decimal_text(100 * estimate, 3) + " %"),
        )

    def _bias(self) -> tuple[Sentence, Fraction, Fraction] | None:
        """Return the response of non-compliers, the true proportion, and the mean of the estimate.

        The result is ``None`` unless the mechanism has two outputs with names and its report depends on the truth.
        """
        mechanism, answers = self.mechanism, self._made().answers
        if not answers or not mechanism.is_binary or mechanism.p00 + mechanism.p11 == 1:
            return None
        truth = Fraction(1, 5) if self.prevalence is None else self.prevalence
        said = int(mechanism.p00 + mechanism.p11 < 1)  # the answer that is rarer with the trait
        return answers[said], truth, biased_estimate(mechanism, truth, _BROKEN, said)

    def _precision(self, words: Language) -> list[Block]:
        if self.n is None:
            return []
        some = self.some if isinstance(self.some, RandomQuestions) else None
        mechanism = self.mechanism if some is None else some.question
        asked = self.n if some is None else max(self.n * some.asked // some.questions, 1)  # of each question
        k = mechanism.inputs
        truth = Fraction(1, k) if self.prevalence is None else self.prevalence
        population = [(1 - truth) / (k - 1)] * (k - 1) + [truth]
        value, worst = variances(mechanism, population), worst_variance(mechanism)
        if value is None:
            return []
        margin = words.percent(margin_text(value, asked, _CONFIDENCE))
        share = words.percent(decimal_text(100 * truth, 4) + " %")
        told = [words.text("precision", n=self.n, margin=margin, share=share)]
        if worst is not None:
            told.append(words.text("precision_worst", margin=words.percent(margin_text(worst, asked, _CONFIDENCE))))
        return [Heading(words.text("precision_title")), *map(Paragraph, told)]

    # --- the browser draws

    def _web(self, words: Language) -> str:
        truths = tuple(
            map(words.say, names_of_answers(self.answers or self.mechanism.categories, self.mechanism.inputs))
        )
        reports = self.spoken
        total = lcm(*(p.denominator for row in self.mechanism.matrix for p in row))
        weights = [[str(int(p * total)) for p in column] for column in self.mechanism.columns()]
        data: dict[str, Any] = {
            "weights": weights,
            "reports": list(map(visible, reports)),
            "words": {"missing": words.text("web_missing"), "result": words.text("web_result", answer="{answer}")},
        }
        grid = self.mechanism.input_values if self.mechanism.rounds else ()
        ends = {"low": truths[0], "high": truths[-1]}
        if self.mechanism.output_values:
            data["numbers"] = {}
        if grid:
            points, unit = whole_numbers(grid)
            data["numbers"] = {"grid": list(map(str, points)), "unit": str(unit)}
            data["words"]["missing"] = words.text("web_number_missing", **ends)
        block = json.dumps(data, ensure_ascii=True).replace("<", "\\u003c")
        policy, code = embedded(script("web_sheet", "startSheet"))
        choices = "".join(
            f'<p><label><input type="radio" name="truth" value="{j}"> {html_text(truth)}</label></p>'
            for j, truth in enumerate(truths)
        )
        if grid:
            keys = "decimal" if points[0] >= 0 else "text"  # keypads of decimals may have no minus
            choices = f'<p><input type="text" inputmode="{keys}" name="truth" aria-labelledby="truths"></p>'
        chances = [
            words.text("web_chances", truth=truth, report=report, chance=as_text(p))
            for truth, column in zip(truths, self.mechanism.columns(), strict=True)
            for report, p in zip(reports, column, strict=True)
            if p
        ]
        listed = [Items(tuple(chances))] if len(chances) <= 16 and not grid else []
        body = filled(
            "texts/web_sheet.html",
            intro=html_of(Heading(words.text("web_title"), 1), Paragraph(words.text("web_intro"))),
            question=html_text(self.sensitive_question),
            choose=html_text(words.text("web_number", **ends) if grid else words.text("web_choose")),
            button=html_text(words.text("web_button")),
            choices=choices,
            end=html_of(Paragraph(words.text("web_once")), *listed, Paragraph(words.text("voluntary_line"))),
            data=block,
            code=code,
        )
        return frame(words.text("web_title"), body, policy, kind="form", language=words.name)


@clear_calls
def sheet(
    mechanism: Mechanism | str,
    question: str,
    *,
    language: str = "en",
    form: str = "print",
    randomizer: str = "auto",
    categories: Sequence[str] = (),
    faces: Sequence[object] = (),
    title: str = "",
    responsible: str = "",
    date: str = "",
    n: int | None = None,
    prevalence: object = None,
) -> InstructionSheet:
    """Return the instruction sheet of a mechanism: for the respondent, the interviewer and the ethics committee.

    The device has exactly the probabilities of the mechanism. A birthday only approximates them, and the sheet states
    so.

    Args:
        mechanism: the mechanism of one question; its text form (``"crosswise:1/4"``) also determines the device. Of
            random questions (``"ask:10,1,3"``), each question has a card, which the respondent draws first.
        question: the sensitive question.
        language: the language of the sheet, ``"en"`` or ``"de"``.
        form: ``"print"`` on A4; ``"letter"`` to print on US letter; ``"html"`` for a fragment to insert in a web
            questionnaire; ``"web"`` for a page that randomizes.
        randomizer: ``"auto"``, ``"coin"``, ``"die"``, ``"dice"``, ``"cards"``, or ``"birthday"`` for the harmless
            question of ``crosswise``, ``triangular`` and ``unrelated``.
        categories: the names of the true answers; by default those of the mechanism, no and yes, or numbers.
        faces: the outcomes of the die, the cards or the coin for each step, in the order of the steps, such as
            ``["2..5", "1", "6"]``, so that the sheet agrees with a wording; the last may be left out.
        title, responsible, date: entries of the ethics page; by default a blank line to fill in.
        n: the number of respondents, for the precision on the ethics page.
        prevalence: a guess of the proportion of the last answer, in [0, 1].

    Returns:
        An ``InstructionSheet``: ``instructions``, ``spoken`` answers and ``preparation`` as texts; ``epsilon`` in nats.

    Raises:
        InvalidParameterError: the language, form or randomizer is unknown, or the names or the faces do not fit.
        UnsupportedProblemError: no device of the sheet has these probabilities.

    >>> sheet("forced:2/3,1/6,1/6", "Have you taken drugs?").instructions[1]
    'If you get 1 to 4: tell the truth.'
    >>> sheet("forced:2/3,1/6,1/6", "Have you taken drugs?", faces=["2..5", "1"]).instructions[2]
    'If you get 1: say “yes”, whatever the truth is.'
    >>> sheet("crosswise:1/3", "Have you taken drugs?", language="de").spoken
    ('verschieden', 'gleich')
    """
    require_texts(
        question=question,
        language=language,
        form=form,
        randomizer=randomizer,
        title=title,
        responsible=responsible,
        date=date,
    )
    require_given(n=n, prevalence=prevalence)
    made = required_mechanism(mechanism)
    some = made if isinstance(made, RandomQuestions) else None
    if isinstance(categories, str) or not isinstance(categories, Sequence):
        raise InvalidParameterError(
            f"categories is not a list of names: received {shown(categories)}; give for example ['never', 'once']"
        )
    return InstructionSheet(
        mechanism=made if some is None else some.cells,
        design=_design_of(mechanism),
        sensitive_question=question,
        language=language,
        form=form,
        randomizer=randomizer,
        answers=tuple(categories) or made.categories,
        faces=read_faces(faces),
        title=title,
        responsible=responsible,
        date=date,
        n=n,
        prevalence=prevalence,  # type: ignore[arg-type]  # becomes exact there
        some=some,
    )


def sheet_of_survey(survey: Survey, name: str | None = None, *, device: str | None = None, **options: Any) -> Any:
    """Return the instruction sheet of a question of a survey: ``sheet`` with its device, wording and categories.

    Args:
        survey: the survey.
        name: the name of the question; ``None``: the only one.
        device: of several devices, the name of one.
        options: arguments of ``sheet``, such as ``language``, which override what is declared.

    Raises:
        InvalidParameterError: respondents have several devices, or the wording is not declared.
        Also as ``sheet``.
    """
    made = survey.one_mechanism(name, device)
    told = survey.described(name)
    given: dict[str, Any] = {"question": told.get("question"), "title": told.get("title", ""), **options}
    if given["question"] is None:
        raise InvalidParameterError(
            f"the wording of {shown(told['name'])} is not declared: received none; declare question = the text that "
            "respondents are asked"
        )
    names = () if made.categories == TRAIT else made.categories  # no texts of responses: no and yes in each language
    return sheet(design_of(made) or made, **{"categories": names, **given})


def repeated_level(mechanism: Mechanism, count: int) -> Epsilon:
    """Return the exact epsilon of several interviews of one person with independent draws.

    >>> print(repeated_level(Mechanism("warner:3/4"), 5))
    log(243)
    """
    found = compose((mechanism, count)).epsilon
    if not isinstance(found, Epsilon):
        raise UnsupportedProblemError(
            "the level of repeated interviews is not known exactly: received a mechanism whose parity is irrational"
        )
    return found


def biased_estimate(mechanism: Mechanism, prevalence: Fraction, share: Fraction, said: int) -> Fraction:
    """Return the mean of the estimated prevalence if a proportion of the respondents always gives one answer.

    The mean is ``((1 - share) yes + share said - (1 - p00)) / d`` with ``d = p00 + p11 - 1``, where ``yes`` is the
    probability of response 1 at the prevalence. The prevalence is assumed equal among compliers and non-compliers.

    >>> biased_estimate(Mechanism("warner:3/4"), Fraction(1, 5), Fraction(1, 10), 0)
    Fraction(13, 100)
    """
    yes = (1 - prevalence) * (1 - mechanism.p00) + prevalence * mechanism.p11
    told = (1 - share) * yes + share * said
    return (told - (1 - mechanism.p00)) / (mechanism.p00 + mechanism.p11 - 1)


def design_of(mechanism: Mechanism) -> str:
    """Return the text of the named design that a mechanism comes from, which determines its device; empty without."""
    name = _design_of(mechanism.name)
    return name if name and named_mechanism(name) == mechanism else ""


def _design_of(mechanism: object) -> str:
    is_named = isinstance(mechanism, str) and mechanism.partition(":")[0].strip().lower() in DESIGNS
    return str(mechanism).strip() if is_named else ""


def _level(level: Epsilon, words: Language) -> str:
    text = str(level)
    if text == "inf":
        return words.text("infinite")
    about = words.percent(decimal_outwards(level.nats(20).upper, up=True, digits=4))
    return f"{text} ≈ {about}" if len(text) <= _SHORT and text != about else about


def _mentions(sentence: Sentence, key: str) -> bool:
    return sentence.key == key or any(isinstance(x, Sentence) and _mentions(x, key) for x in sentence.values.values())
