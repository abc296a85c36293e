"""The ethics page of a survey of several questions: what each asks and reveals, and what all reveal together.

Every number is exact, or rounded in the direction that keeps its sentence true. Responses to different questions are
drawn independently, so the factors of the odds multiply (and the deltas add up).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, ClassVar

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Delta, Epsilon, exact_confidence
from rropt.core.exact.display import decimal_outwards
from rropt.core.results import Result, Table, labelled
from rropt.core.version import installed_version
from rropt.core.visible import all_of, visible, with_noun
from rropt.mechanisms import Mechanism, ProductMechanism, RandomQuestions
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.words import TRAIT
from rropt.plan import Conditions
from rropt.reports.document_writers import (
    Block,
    Document,
    DrawnTable,
    Folded,
    Heading,
    Items,
    Matrix,
    Paragraph,
    Section,
)
from rropt.reports.irb_summary import (
    BELIEFS,
    NUMBERS,
    PROGRAM,
    BayesFactor,
    Exposure,
    belief_sentence,
    dice_table,
    margin_text,
    percent,
    variances,
    worst_variance,
)
from rropt.reports.page_limits import require_respondents, require_text
from rropt.reports.records import table
from rropt_fieldwork.declaration.survey_declaration import Survey
from rropt_fieldwork.ethics.odds_bounds import bound_of_question, bound_together
from rropt_fieldwork.ethics.privacy_strips import Strip, kind_of, strips_html
from rropt_fieldwork.sheets.instruction_sheet import design_of, sheet

_TEXTS: Mapping[str, str] = table("texts/ethics_page.toml")
_HALF = Fraction(1, 2)
_MIDDLE = NUMBERS[1]  # respondents of the margins beside the questions, where no number is given
_SAMPLE = ("design_effect", "cluster_size", "icc")  # what a declaration says, and the margins count
_MOST_QUESTIONS = 1000
_MOST_LISTED = 12  # questions that are described one by one, and names of a list
_MOST_NAMES = 12  # possible responses that are listed
_MOST_READ = 10**6  # entries of a matrix that is read
_MOST_ENTRIES = 100  # of a matrix that is printed


@dataclass(frozen=True, slots=True)
class AskedQuestion(Result):
    """A question of an ethics page.

    Attributes:
        text: the wording, or the name if the wording is not known.
        categories: the names of the true answers.
        devices: the names of the devices; empty texts without names.
        mechanisms: the mechanism of each device; each respondent uses one of them.
        promised_epsilon, promised_delta: the promised level; ``None`` without a promise.
        has_wording: whether the wording is known.
        design_effect: that of the sample, for the precision; ``None`` if it is not known.
        cluster_size, icc: the mean number of respondents in a cluster, and rho of the true answers.
    """

    text: str
    categories: tuple[str, ...]
    devices: tuple[str, ...]
    mechanisms: tuple[Mechanism, ...]
    promised_epsilon: Epsilon | None = None
    promised_delta: Delta | None = None
    has_wording: bool = True
    design_effect: Fraction | None = None
    cluster_size: Fraction | None = None
    icc: Fraction | None = None

    LABELS: ClassVar[Mapping[str, str]] = labelled(factor="factor of the odds, at most")

    def __post_init__(self) -> None:
        require_text("the text of a question", self.text, empty=False)
        if not len(self.devices) == len(self.mechanisms) > 0:
            raise InvalidParameterError(
                f"the question has no device: received {len(self.mechanisms)} mechanisms with {len(self.devices)} "
                "names; give a mechanism, and its name"
            )

    @property
    def sample(self) -> Conditions:
        """What is known of the sample."""
        return Conditions(**{name: getattr(self, name) for name in _SAMPLE})

    @property
    def quoted(self) -> str:
        """The wording in quotation marks, or the name."""
        return f"“{visible(self.text)}”" if self.has_wording else visible(self.text)

    def numbered(self, number: int, count: int) -> str:
        """Return the text with its number, if there are several questions."""
        return f"{number}. {self.quoted}" if count > 1 else self.quoted

    @property
    def factor(self) -> Fraction | None:
        """The largest factor by which a response changes the odds; ``None`` without one."""
        found = [one.parity() for one in self.mechanisms]
        return None if any(one is None for one in found) else max(one for one in found if one is not None)

    @property
    def bound(self) -> tuple[Fraction, Fraction] | None:
        """The factor of probabilities and what is added to them, from the promise if need be; ``None`` without one."""
        return bound_of_question(self.mechanisms, self.promised_epsilon, self.promised_delta)

    @property
    def is_open(self) -> bool:
        """Whether respondents answer openly: each response has one true answer, with certainty."""
        return all(_is_truth(one) for one in self.mechanisms)

    def described(self, mechanism: Mechanism) -> tuple[str, str, str]:
        """Return what the respondent does with a device, the possible responses, and the kind of device."""
        try:
            made = sheet(design_of(mechanism) or mechanism, self.text, categories=self.categories)
        except UnsupportedProblemError:
            return PROGRAM, "", kind_of("")
        quoted = [f"“{visible(each)}”" for each in made.spoken]
        told = f"{', '.join(quoted[:-1])} or {quoted[-1]}" if 1 < len(quoted) <= _MOST_NAMES else ""
        label = _TEXTS["question-a"] if made.has_second_question else ""
        prepared = f"{_TEXTS['prepare']} {' '.join(made.prepared)} " if made.prepared else ""
        return f"{label}{prepared}{' '.join(made.instructions)}", told, kind_of(made.device)


@dataclass(frozen=True, slots=True)
class EthicsPage(Result):
    """One page for the ethics committee about all questions of a survey.

    Attributes:
        title: the title.
        questions: the questions.
        n: the number of respondents, for the precision; ``None``: several round numbers.
        confidence: the confidence level of the margins of error.
        date: the date of the page.
    """

    title: str
    questions: tuple[AskedQuestion, ...]
    n: int | None
    confidence: Fraction
    date: str

    ANSWER = ("lines",)
    LABELS: ClassVar[Mapping[str, str]] = labelled(
        factor="factor of all responses to protected questions together (of the odds; with a delta of probabilities)",
        delta="added to these probabilities",
        page="",
    )

    def __post_init__(self) -> None:
        if self.n is not None:
            object.__setattr__(self, "n", require_respondents(self.n))
        if not 1 <= len(self.questions) <= _MOST_QUESTIONS:
            raise InvalidParameterError(
                f"the page has {'too many' if self.questions else 'no'} questions: received {len(self.questions)}; "
                f"allowed are 1 to {_MOST_QUESTIONS}; declare them in survey.toml, or give their mechanisms"
            )
        for name in ("title", "date"):
            require_text(f"`{name}`", getattr(self, name))
        object.__setattr__(self, "confidence", exact_confidence(self.confidence))

    @property
    def protected(self) -> tuple[AskedQuestion, ...]:
        """The questions that are not answered openly."""
        return tuple(one for one in self.questions if not one.is_open)

    @property
    def bound(self) -> tuple[Fraction, Fraction] | None:
        """The product of the factors of the protected questions and the sum of their deltas; ``None`` without one."""
        return bound_together(one.bound for one in self.protected)

    @property
    def factor(self) -> Fraction | None:
        """The product of the factors of the protected questions: of the odds, and with a delta of probabilities."""
        return None if self.bound is None else self.bound[0]

    @property
    def delta(self) -> Fraction | None:
        """What is added to the probabilities after the factor: the sum of the promised deltas."""
        return None if self.bound is None else self.bound[1]

    @property
    def document(self) -> Document:
        """The page, with ``to_html()``, ``to_markdown()`` and ``to_latex()``."""
        foot = _TEXTS["foot"].format(version=installed_version(), date=self.date)
        first = (*_summary(self), *_revealed(self), *_described(self.questions), *_precision(self), *_signed())
        margins = (Heading(_TEXTS["margins-table"], 3), _table_of_margins(self))
        blocks: tuple[Block, ...] = (
            Section("board several", (*first, Paragraph(foot, "foot"))),
            Folded(_TEXTS["reviewers"], (*_reviewed(self.questions), *margins), has_html_only=False),
        )
        return Document(self.title, blocks)

    @property
    def page(self) -> str:
        """The page in HTML."""
        return self.document.to_html()

    def lines(self) -> list[tuple[str, str]]:
        """Return the factor of the odds of each question and of all together."""
        _, _, rows = _table_of_factors(self)
        return [
            (name, factor if factor.startswith(_TEXTS["no-limit"]) else _TEXTS["at-most"].format(factor=factor))
            for name, factor, _ in rows
        ]


def ethics_page(
    survey: Survey | Mapping[str, Any] | Sequence[Any],
    *,
    title: str | None = None,
    n: int | None = None,
    confidence: object = Fraction(19, 20),
    date: str | None = None,
) -> EthicsPage:
    """Return one page for the ethics committee about all questions of a survey.

    It states for each question what is asked, what the respondent does and says, and the factor by which a response
    changes anybody's odds; and this factor for all responses of one respondent together.

    Args:
        survey: a ``Survey`` with its questions; or mechanisms: a mapping from the wording of each question to its
            mechanism, or a list. A mechanism is a ``Mechanism``, the name of a design, or a file.
        title: the title; by default that of the survey.
        n: the number of respondents, for the precision; by default several round numbers.
        confidence: the confidence level of the margins of error, in (0, 1).
        date: the date of the page; by default today (UTC).

    Returns:
        An ``EthicsPage``: ``factor`` of all responses together, ``page`` in HTML, and the ``document``, with
        ``to_markdown()`` and ``to_latex()``.

    Raises:
        InvalidParameterError: there is no question, a device is not known or exceeds the promised level, or ``n`` is
            out of range.

    >>> page = ethics_page({"Did you use a drug?": "warner:3/4", "Are you in debt?": "forced:2/3,1/6,1/6"})
    >>> print(page.factor, "factor of 15" in page.document.to_latex())
    15 True
    """
    if isinstance(survey, Survey):
        title = title or (survey.title and _TEXTS["of-survey"].format(title=survey.title))
        asked = [_declared(survey, name) for name in survey.questions]
    else:
        asked = list(_given(survey))
    date = date or datetime.now(UTC).date().isoformat()
    return EthicsPage(title or _TEXTS["title"], tuple(asked), n, exact_confidence(confidence), date)


def _declared(survey: Survey, name: str) -> AskedQuestion:
    """Return a question of a survey, with all its devices."""
    found, told = survey.arguments(name), survey.described(name)
    used = found.get("arms") or found.get("device_names")
    used = {"": found["mechanism"]} if used is None else used
    made = [required_mechanism(one) for one in used.values()]
    epsilon = Epsilon.of(told["epsilon"]) if "epsilon" in told else None
    delta = Delta.of(told["delta"]) if "epsilon" in told else None
    text, sample = told.get("question", name), Conditions(**survey.planned_sample(name))
    known = {key: getattr(sample, key) for key in _SAMPLE}
    return AskedQuestion(text, _names(made), tuple(used), tuple(made), epsilon, delta, "question" in told, **known)


def _given(mechanisms: Mapping[str, Any] | Sequence[Any]) -> Iterator[AskedQuestion]:
    """Yield the questions of mechanisms; a mechanism of several questions has each of them."""
    if isinstance(mechanisms, str | Mechanism) or not isinstance(mechanisms, Mapping | Sequence):
        raise InvalidParameterError(
            f"the questions are no survey: received {shown(mechanisms)}; allowed are a Survey, or a mapping from the "
            "wording of each question to its mechanism"
        )
    is_named = isinstance(mechanisms, Mapping)
    pairs = mechanisms.items() if isinstance(mechanisms, Mapping) else enumerate(mechanisms, 1)
    for key, value in pairs:
        made = required_mechanism(value)
        text = str(key) if is_named else f"Question {key}"
        factors = made.factors if isinstance(made, ProductMechanism) else (made,)
        for number, one in enumerate(factors, 1):
            part = f"{text}, part {number}" if len(factors) > 1 else text
            yield AskedQuestion(part, _names([one]), ("",), (one,), has_wording=is_named)


def _names(mechanisms: Sequence[Mechanism]) -> tuple[str, ...]:
    """Return the names of the true answers: those of the mechanism, no and yes, or numbers."""
    one = mechanisms[0]
    if isinstance(one, RandomQuestions) or one.inputs == 2:
        return ("no", "yes") if one.categories == TRAIT else tuple(one.categories) or ("no", "yes")
    return tuple(one.categories) or tuple(map(str, range(one.inputs)))


# --- the parts of the page


def _summary(page: EthicsPage) -> list[Block]:
    """Return the first sentences: how many questions there are, and how private all responses together are."""
    hidden = page.protected
    told = [_TEXTS["intro"].format(questions=with_noun(len(hidden), "question"))] if hidden else []
    if page.bound is not None:
        told.append(_bound_sentence(page.bound, len(hidden)))
    elif hidden:
        told.append(_TEXTS["no-bound"])
    found: list[Block] = [Paragraph(" ".join(told))] if told else []
    if len(hidden) < len(page.questions):
        names = _listed(one.quoted for one in page.questions if one.is_open)
        found.append(Paragraph(_TEXTS["open"].format(names=names) + _TEXTS["open-others"] * bool(hidden), "warn"))
    nameless = [one.quoted for one in page.questions if not one.has_wording]
    if nameless:
        found.append(Paragraph(_TEXTS["no-wording"].format(names=_listed(nameless)), "warn"))
    return found


def _listed(names: Iterable[str]) -> str:
    """Return a list of names, the first ones of many."""
    found = list(names)
    left = len(found) - _MOST_LISTED
    return ", ".join(found[:_MOST_LISTED]) + f" and {left} more" * (left > 0)


def _bound_sentence(bound: tuple[Fraction, Fraction], count: int) -> str:
    factor = decimal_outwards(bound[0], up=True, digits=4)
    key = ("all" if count > 1 else "one") + ("-delta" if bound[1] else "")
    text = _TEXTS[key].format(
        responses=all_of(count, "responses"), factor=factor, delta=decimal_outwards(bound[1], up=True, digits=4)
    )
    return text[0].upper() + text[1:]


def _described(asked: Sequence[AskedQuestion]) -> Iterator[Block]:
    """Yield what is asked, and what the respondent does and says: folded on the screen, and printed."""
    yield Heading(_TEXTS["asked"])
    yield Folded(_TEXTS["asked-folded"], tuple(_steps(asked)), has_html_only=False, is_printed=True)


def _steps(asked: Sequence[AskedQuestion]) -> Iterator[Block]:
    """Yield the steps of each question."""
    has_table = False
    for number, one in enumerate(asked[:_MOST_LISTED], 1):
        yield Heading(one.numbered(number, len(asked)), 3)
        yield Paragraph(_TEXTS["answers"].format(names=_listed(map(visible, one.categories))))
        for name, mechanism in zip(one.devices, one.mechanisms, strict=True):
            steps, responses, kind = one.described(mechanism)
            has_table = has_table or kind == "dice"
            label = _TEXTS["device"].format(name=visible(name)) if len(one.mechanisms) > 1 else ""
            said = _TEXTS["responses"].format(names=responses) if responses else ""
            yield Paragraph(f"{label}{steps}{said}", "do")
    left = len(asked) - _MOST_LISTED
    if left > 0:
        yield Paragraph(_TEXTS["more"].format(left=with_noun(left, "further question")))
    if has_table:
        yield dice_table("en")
    if not all(one.is_open for one in asked):
        used = [mechanism for one in asked if not one.is_open for mechanism in one.mechanisms]
        both = all(all(map(all, mechanism.matrix)) for mechanism in used if _is_listed(mechanism))
        key = "secret-both" if both and all(map(_is_listed, used)) else "secret"
        yield Paragraph(_TEXTS["own-chance"] * (len(asked) > 1) + _TEXTS[key])


def _is_truth(mechanism: Mechanism) -> bool:
    """Return whether each response has one true answer."""
    return all(sum(map(bool, row)) <= 1 for row in mechanism.matrix) if _is_listed(mechanism) else False


def _is_listed(mechanism: Mechanism) -> bool:
    m, k = mechanism.shape
    return m * k <= _MOST_READ


def _revealed(page: EthicsPage) -> Iterator[Block]:
    """Yield what each question and all together can reveal, drawn in one table, and its meaning in words."""
    yield Heading(_TEXTS["reveals" if len(page.questions) > 1 else "reveals-one"])
    yield Paragraph(_TEXTS["reveals-intro"])
    header = (
        "device",
        "question",
        _TEXTS["factor"],
        _TEXTS["after"],
        _TEXTS["margin"].format(n=_grouped(_drawn_number(page))),
    )
    yield DrawnTable(_table_of_factors(page), strips_html(list(_strips(page)), header))
    if page.bound is not None and not page.delta:
        every = Exposure(BayesFactor(page.bound[0]), BayesFactor(1 / page.bound[0]))
        count = len(page.protected)
        what = "all responses" if count > 1 else "the response"
        if count < len(page.questions):
            what += f" to the protected question{'s' * (count > 1)}"
        yield Items(tuple(belief_sentence(p, every, (what, what)) for p in BELIEFS))
    yield Paragraph(_TEXTS["again"])


def _strips(page: EthicsPage) -> Iterator[Strip]:
    """Yield the row of each question, and of all together."""
    asked = page.questions
    for number, one in enumerate(asked, 1):
        kinds = dict.fromkeys(one.described(mechanism)[2] for mechanism in one.mechanisms)
        factor, after = _cells(one.bound)
        margin = _margin_cells(one, (_drawn_number(page),), page.confidence)[0]
        yield Strip(one.numbered(number, len(asked)), next(iter(kinds)), factor, *_ends(one.bound), after, margin)
    if len(page.protected) > 1:
        factor, after = _cells(page.bound)
        yield Strip(_together(page), "", factor, *_ends(page.bound), after)


def _drawn_number(page: EthicsPage) -> int:
    """Return the number of respondents of the margins beside the questions."""
    return _MIDDLE if page.n is None else page.n


def _table_of_factors(page: EthicsPage) -> Table:
    asked = page.questions
    rows = [(one.numbered(number, len(asked)), *_cells(one.bound)) for number, one in enumerate(asked, 1)]
    if len(page.protected) > 1:
        rows.append((_together(page), *_cells(page.bound)))
    return "", ("question", _TEXTS["factor"], _TEXTS["after"]), rows


def _together(page: EthicsPage) -> str:
    """Return the name of the row of all protected questions."""
    count = len(page.protected)
    key = "together" if count == len(page.questions) else "together-hidden"
    return _TEXTS[key].format(questions=all_of(count, "questions"), count=count)


def _ends(bound: tuple[Fraction, Fraction] | None) -> tuple[Fraction, Fraction]:
    """Return the smallest and the largest probability, after a response, of what was believed with 50 % before."""
    if bound is None or bound[1]:  # a delta bounds probabilities, and leaves the odds after a response without a limit
        return Fraction(0), Fraction(1)
    low, high = (BayesFactor(value).posterior(_HALF) for value in (1 / bound[0], bound[0]))
    return low, high


def _cells(bound: tuple[Fraction, Fraction] | None) -> tuple[str, str]:
    """Return the factor of the odds and the probabilities after a response, in words."""
    if bound is None:
        return _TEXTS["no-limit"], "0 % to 100 %"
    factor, delta = (decimal_outwards(value, up=True, digits=4) for value in bound)
    if bound[1]:
        return _TEXTS["with-delta"].format(factor=factor, delta=delta), "0 % to 100 %"
    low, high = _ends(bound)
    return factor, f"{percent(low, up=False)} to {percent(high, up=True)}"


def _precision(page: EthicsPage) -> Iterator[Block]:
    """Yield what the margins of error mean."""
    yield Heading(_TEXTS["precise"])
    times = percent(page.confidence, up=False).removesuffix(" %")
    yield Paragraph(_TEXTS["margins"].format(times=times, sample=_sample_text(page.questions)))


def _table_of_margins(page: EthicsPage) -> Table:
    """Return the margins of error of each question; those of one number stand beside the questions."""
    asked, numbers = page.questions, NUMBERS if page.n is None else (page.n,)
    rows = [
        (one.numbered(number, len(asked)), *_margin_cells(one, numbers, page.confidence))
        for number, one in enumerate(asked, 1)
    ]
    return "", ("question", *(with_noun(_grouped(count), "respondent") for count in numbers)), rows


def _margin_cells(one: AskedQuestion, numbers: Sequence[int], confidence: Fraction) -> list[str]:
    """Return the margin of error of a question with several numbers of respondents."""
    found = [_variance(mechanism, one.sample) for mechanism in one.mechanisms]
    known = [value for value in found if value is not None]
    if len(known) < len(found):
        return ["not available"] * len(numbers)
    return [f"± {margin_text(max(known), count, confidence)}" for count in numbers]


def _grouped(count: int) -> str:
    return f"{count:,}"


def _signed() -> Iterator[Block]:
    """Yield the lines for signatures, on the same sheet."""
    yield Section("signs", tuple(Paragraph(_TEXTS[key], "sign") for key in ("sign-responsible", "sign-committee")))


def _sample_text(asked: Sequence[AskedQuestion]) -> str:
    """Return what the margins count of the design of the sample."""
    counted = [one.sample.counted() for one in asked]
    if not any(counted):
        return _TEXTS["simple-sample"]
    if len(set(counted)) == 1:
        return _TEXTS["counted-sample"].format(counted=counted[0])
    told = "; ".join(f"question {number}: {text or _TEXTS['not-counted']}" for number, text in enumerate(counted, 1))
    return _TEXTS["counted-samples"].format(counted=told)


def _variance(mechanism: Mechanism, sample: Conditions) -> Fraction | None:
    """Return n Var: of a proportion of yes the largest one, of several categories the largest at equal proportions.

    A design effect D multiplies it. With clusters it is V + kappa S (``sample_conditions``), where S, n Var of a direct
    question, is pi (1 - pi), at most 1/4 for yes or no: the sum of both largest values is never too small.
    """
    if isinstance(mechanism, RandomQuestions | ProductMechanism):
        return None
    k = mechanism.inputs
    equal = Fraction(1, k)
    plain = worst_variance(mechanism) if mechanism.is_binary else variances(mechanism, [equal] * k)
    return plain and plain * sample.effect(plain, plain + sample.clustering * equal * (1 - equal))


def _reviewed(asked: Sequence[AskedQuestion]) -> Iterator[Block]:
    """Yield the exact levels and matrices for reviewers."""
    yield Heading("For reviewers")
    rows = []
    for number, one in enumerate(asked, 1):
        for name, mechanism in zip(one.devices, one.mechanisms, strict=True):
            m, k = mechanism.shape
            level, delta = one.promised_epsilon, one.promised_delta
            promised = "" if level is None else f"epsilon = {level}, delta = {delta}"
            label = f"{number}{f', {visible(name)}' * bool(name)}"
            design = visible(mechanism.name or "matrix")
            rows.append((label, design, f"{k} to {m}", str(mechanism.epsilon), promised or "none"))
    yield "Exact levels", ("question", "design", "answers to responses", "epsilon", "promised"), rows
    for number, one in enumerate(asked[:_MOST_LISTED], 1):
        for name, mechanism in zip(one.devices, one.mechanisms, strict=True):
            m, k = mechanism.shape
            if m * k <= _MOST_ENTRIES:
                yield Matrix(f"question {number}{f', {visible(name)}' * bool(name)} (rows are responses)", mechanism)
