"""Plan any mechanism in one call: the number of respondents for a goal, or the precision that n respondents achieve.

The planned quantity depends on the mechanism and the goal. For *one question* with two categories and two outputs it is
the prevalence. For one question with more outputs or categories it is the prevalence or a given *contrast* of the
proportions. For *several questions*, or all proportions of one question, it is the least precise cell of a marginal.

Each of the *random questions* is planned among those who are asked it. If the sets of questions are dealt in equal
numbers, the proportion j/N of the respondents is asked each question. A set that is drawn anew for each respondent
gives these numbers on average.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import ceil
from typing import Any, Literal

from rropt.answers.response_counts import answer_count
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, one_of, shown
from rropt.core.exact import Epsilon, both_texts, decimal_text, exact_confidence, rational, rational_where
from rropt.core.exact.numbers import plain_integer
from rropt.core.exact.rational_bounds import ball
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, Table, merged_records, record_of
from rropt.core.visible import visible
from rropt.inference.count_estimates import planned_contrast
from rropt.inference.interval_kinds import INTERVAL_KINDS, interval_kind
from rropt.inference.precision import shares_of
from rropt.mechanisms import Mechanism, QuestionLevels, RandomQuestions, question_levels
from rropt.mechanisms.columns import nonzero_determinant, required_list
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.left_inverse import inverses_of
from rropt.mechanisms.question_selection import chosen_questions, product_of
from rropt.plans.exact_quantities import exact_margin
from rropt.plans.marginals import (
    AffordableOrder,
    affordable_order,
    largest_cell_variance,
    marginal_cells,
    population_words,
    squared_range,
)
from rropt.plans.plan import Achieved, Plan, Quantity
from rropt.plans.quantities import (
    Options,
    inverted_margin,
    power_effect,
    proportion_power,
    proportion_variance,
    squared_quantile,
)
from rropt.plans.requests import InferenceRules, PlanAssumptions, PlanGoal
from rropt.plans.sample_conditions import (
    ONE,
    SIMPLE_SAMPLE,
    CategoryPrecision,
    Conditions,
    SampleSizes,
    category_precisions,
    contrast_effect,
)

# For each kind of question and each goal: the options that the goal uses, with their defaults. ``n`` means no goal.
_MARGIN: dict[str, Any] = {"confidence": "0.95"}
_POWER: dict[str, Any] = {"significance": "0.05", "sided": "one", "test": "exact"}
_VARIANCES: dict[str, dict[str, Any]] = {"variance": {}, "standard_error": {}}
_USED: dict[str, dict[str, dict[str, Any]]] = {
    "one question": {
        "margin": {**_MARGIN, "interval": "exact"},
        "power": {"null": "0", **_POWER},
        **_VARIANCES,
        "n": {**_MARGIN, "null": None, **_POWER},
    },
    "a contrast": {
        "margin": {**_MARGIN, "interval": "normal"},
        "power": {"null": "0", **_POWER, "test": "normal"},
        **_VARIANCES,
        "n": {**_MARGIN, "null": None, **_POWER, "test": "normal"},
    },
    "several questions, or of one with more than two outputs": {
        "margin": {**_MARGIN, "interval": "hoeffding"},
        **_VARIANCES,
        "n": _MARGIN,
    },
}
_ONE, _CONTRAST, _SEVERAL = _USED
# the kinds of interval that can be planned; of several questions as in `simultaneous_intervals`
_INTERVALS = {_ONE: tuple(INTERVAL_KINDS), _CONTRAST: ("normal",), _SEVERAL: ("hoeffding", "normal")}
Found = Plan | Achieved | AffordableOrder
_ALIKE = 1 - 1e-12  # errors of two categories that differ by rounding are equal
_RULES = ("interval", *_USED[_ONE]["n"])
_OPTIONS = ("prevalence", "population", "contrast", "questions", "marginals", *_RULES)


@dataclass(frozen=True, slots=True)
class MechanismPlan(Result):
    """The number of respondents needed for a goal with a mechanism, or the precision that n respondents achieve.

    Attributes:
        mechanism: the planned mechanism.
        goal: ``"margin"``, ``"power"``, ``"variance"`` or ``"standard-error"``; ``None`` if n is given instead.
        asked: the target value, if there is a goal.
        options: the other arguments by name; ``None`` for unused arguments.
        found: the plan, the precision that n respondents achieve, or the largest k.
        sample: the sizes of the sample, if its design effect, response rate, clusters or regions are given.
        by_category: of a question with more than two categories, the precision of each.
        in_all: of random questions, the number of all respondents; ``found`` is about those who are asked one question.
    """

    mechanism: Mechanism
    goal: str | None
    asked: Fraction | None
    options: Mapping[str, Any]
    found: Found
    sample: SampleSizes | None = None
    by_category: tuple[CategoryPrecision, ...] = ()
    in_all: int | None = None

    ANSWER = ("n", "goal", "asked", "k=found.order", "standard_error=found.standard_error")

    @classmethod
    def recompute(  # noqa: PLR0913  # the keys of the record in JSON, which are read with their types
        cls,
        mechanism: Mechanism,
        goal: Literal["margin", "power", "variance", "standard-error"] | None,
        asked: Fraction | None,
        n: int,
        order: int | None,
        prevalence: Fraction | None,
        population: str | tuple[Fraction, ...] | None,
        contrast: tuple[Fraction, ...] | None,
        questions: tuple[int, ...] | None,
        marginals: int | None,
        confidence: Fraction | None,
        interval: str | None,
        null: Fraction | None,
        significance: Fraction | None,
        sided: str | None,
        test: str | None,
        sample: SampleSizes | None = None,
    ) -> MechanismPlan:
        """Recompute the plan from the fields of its record."""
        options = {name: value for name, value in locals().items() if name in _OPTIONS}
        given = None if goal is not None and order is None else n
        conditions = SIMPLE_SAMPLE if sample is None else sample.conditions()
        return _planned(mechanism, "n" if goal is None else goal.replace("-", "_"), asked, given, options, conditions)

    @property
    def n(self) -> int:
        """The number of respondents."""
        return self.found.n if self.in_all is None else self.in_all

    @property
    def asked_each(self) -> int | None:
        """The number of respondents who are asked each of the random questions; ``None`` for other mechanisms."""
        return None if self.in_all is None else self.found.n

    @property
    def power(self) -> float | None:
        """The power of the test with n respondents; ``None`` if no test is planned."""
        if isinstance(self.found, Achieved):
            return self.found.power
        return self.found.achieved if isinstance(self.found, Plan) and self.goal == "power" else None

    def to_dict(self) -> dict[str, Any]:
        """Return the content of the JSON output of ``rropt plan``: the goal, the mechanism, and the result."""
        words = {"device_in_words": self.mechanism.in_words()}
        own = {"mechanism": self.mechanism, **words, "epsilon": self._levels(), "goal": self.goal, "asked": self.asked}
        is_worst = self.options["population"] is None and self.options["prevalence"] is None
        options = {**self.options, **({"population": "worst"} if is_worst else {})}
        beside: dict[str, Any] = {} if self.sample is None else {"sample": self.sample}
        beside |= {"by_category": self.by_category} if self.by_category else {}
        record = merged_records(record_of({**own, "order": None, **options, **beside}), self.found.to_dict())
        if self.in_all is None:
            return record
        if "definition" in record:
            record["definition"] = f"each question: {record['definition']}"
        return {**record, "n": self.in_all, "asked_each": self.found.n}

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return the rows of ``to_frame``; ``distribution`` is ``worst`` or ``uniform``, no number like other keys."""
        rows = Result.frame_rows(self)
        return [{"distribution" if key == "population" else key: cell for key, cell in row.items()} for row in rows]

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table: the result, then the mechanism and its privacy levels."""
        levels, whole = self._levels(), both_texts(self.mechanism.epsilon)
        if self.in_all is not None:
            counts = ("in all", self.in_all), ("who are asked each question", self.found.n)
            return [
                *((f"respondents {who}", str(n)) for who, n in counts),
                ("epsilon of the full report", whole),
                *(() if self.sample is None else self.sample.lines()),
                *((f"each question: {what}", text) for what, text in self.found.lines()),
                ("device", self.mechanism.in_words()),
            ]
        own = [("device", self.mechanism.in_words()), ("mechanism", self.mechanism.name or "matrix")]
        own += [("full report", f"epsilon = {whole}")]
        sample = [] if self.sample is None else self.sample.lines()
        decided = [] if self.decided_by is None else [("decided by", self.decided_by)]
        return [
            *self.found.lines(),
            *decided,
            *sample,
            *own,
            *(levels.lines() if isinstance(levels, QuestionLevels) else ()),
        ]

    @property
    def decided_by(self) -> str | None:
        """The least precise category, which decides the number of respondents; ``None`` if there is no such goal."""
        if self.goal is None or not self.by_category:
            return None
        if self.options["interval"] == "hoeffding":  # its width is that of the range of the estimator
            (asked,) = self.options["questions"] or (0,)
            (rows,) = inverses_of([product_of(self.mechanism).factors[asked]])
            widths: list[Fraction | float] = [max(row) - min(row) for row in rows]
        else:
            widths = [one.standard_error for one in self.by_category]
        most = [
            one.category for one, width in zip(self.by_category, widths, strict=True) if width >= max(widths) * _ALIKE
        ]
        if len(most) == len(widths):
            return "every category alike"
        return f"{'category' if len(most) == 1 else 'categories'} {visible(', '.join(most))}, the least precise"

    def as_tables(self) -> list[Table]:
        """Return the plan, and the precision of each category of a question with several."""
        found: list[Table] = [("", None, self.lines())]
        if self.by_category:
            level = decimal_text(exact_confidence(self.options["confidence"] or _MARGIN["confidence"]))
            header = ("category", "proportion", "standard error", f"margin at {level}", "margin, all at once")
            found.append(("Each category (normal intervals)", header, [one.row() for one in self.by_category]))
        return found

    def _levels(self) -> QuestionLevels | Epsilon:
        if isinstance(self.mechanism, RandomQuestions):
            return self.mechanism.epsilon
        product = product_of(self.mechanism)
        return question_levels(product) if len(product.factors) > 1 else self.mechanism.epsilon


def plan_request(
    mechanism: Mechanism | str,
    goal: PlanGoal,
    assumed: PlanAssumptions,
    rules: InferenceRules,
    sample: Conditions = SIMPLE_SAMPLE,
) -> MechanismPlan:
    """Return the number of respondents needed for a goal, or the precision that n respondents achieve.

    Args:
        mechanism: the mechanism of one or several questions, or of random questions, or its text form.
        goal: one goal, or n. For several questions, n can be combined with a variance or a standard error. The result
            is then the largest k such that n respondents achieve it for every marginal of k questions.
        assumed: the guessed prevalence or distribution, by default the worst case, and what is planned of it.
        rules: the options that the goal uses. By default the confidence is 0.95; the interval is exact, of a contrast
            normal, of several questions Hoeffding's; the test is exact and one-sided at 0.05 against 0.
        sample: what is known of the sample. Of m respondents in a cluster, m j/N are asked one of N random questions.

    Raises:
        InvalidParameterError: there is no goal, or an argument does not belong to the goal. The function for the goal
            can raise further exceptions. Of random questions, n is so small that a question is asked of nobody.

    >>> found = plan_request("ask:10,1,3", PlanGoal(margin="0.05"), PlanAssumptions(), InferenceRules())
    >>> found.n, found.asked_each
    (15740, 1574)
    """
    mechanism, goals = required_mechanism(mechanism), {one.name: getattr(goal, one.name) for one in fields(goal)}
    n = goals.pop("n")
    given = [name for name, value in goals.items() if value is not None]
    if len(given) > 1 or (not given and n is None):
        received = " and ".join(f"`{'se' if name == 'standard_error' else name}`" for name in given) or "none"
        raise InvalidParameterError(
            f"a plan has one goal: received {received}; give one, or `n` for what n respondents achieve"
        )
    name = given[0] if given else "n"
    options = {one.name: getattr(record, one.name) for record in (assumed, rules) for one in fields(record)}
    return _planned(mechanism, name, goals.get(name), n, options, sample)


def planned_quantity(mechanism: Mechanism | str, goal: str, **given: Any) -> Quantity:
    """Return a margin, a power or a variance as a function of the number of respondents.

    Args:
        mechanism: the mechanism of one or several questions, or its text form.
        goal: ``"margin"``, ``"power"`` or ``"variance"``.
        given: the options of ``plan_request`` that belong to this goal.

    >>> round(planned_quantity("warner:3/4", "margin", interval="chebyshev", prevalence="1/2").at(1980), 6)
    0.1
    """
    options = {name: _exact(name, given.pop(name, None)) for name in _OPTIONS}
    if given:
        raise InvalidParameterError(f"there is no such option: received {', '.join(given)}; see `rropt.plan`")
    device, kind = _device(required_mechanism(mechanism), options)
    _settle(kind, goal, None, options)
    return _quantity(kind, device, goal, options)


def _planned(
    mechanism: Mechanism,
    goal: str,
    asked: object | None,
    n: object | None,
    given: dict[str, Any],
    sample: Conditions,
) -> MechanismPlan:
    if isinstance(mechanism, RandomQuestions):
        return _planned_at_random(mechanism, goal, asked, n, given, sample)
    options = {name: _exact(name, value) for name, value in given.items()}
    device, kind = _device(mechanism, options)
    _settle(kind, goal, n, options)
    name = None if goal == "n" else goal.replace("_", "-")
    value = None if goal == "n" else rational(asked, name=goal.replace("_", " "))
    shared = _shared(options, sample)
    effect = sample.effect(ONE, ONE)
    found: Found
    if name is None:
        achieved, effect = _achieved(kind, device, n, shared, sample)
        found = replace(achieved, confidence=exact_confidence(options["confidence"]))
    else:
        most, planned = _bound(kind, goal, asked), "variance" if goal == "standard_error" else goal
        if n is not None:
            found = _affordable(device, n, planned, most / effect, options, sample)
        else:
            quantity = _quantity(kind, device, planned, shared, sample)
            effect = quantity.effect
            if planned == "margin" and options["interval"] == "normal" and quantity.value(1) == 0:
                where = (
                    "the expected proportion of response 1 is 0 or 1"
                    if kind == _ONE
                    else "the variance of the estimate is 0"
                )
                other = "another distribution" if kind == _CONTRAST else "hoeffding"
                other = "wilson, chebyshev or exact" if kind == _ONE else other
                raise InvalidParameterError(
                    f"the normal interval cannot be planned here: {where}, where its plug-in width is always 0; use "
                    f"{other}"
                )
            found = quantity.plan(most)
        if goal == "standard_error" and isinstance(found, Plan):
            found = replace(found, goal=name, achieved=found.achieved**0.5)
    sizes = sample.sizes(found.n, effect)
    each: tuple[CategoryPrecision, ...] = ()
    if kind == _SEVERAL and len(device.factors) == 1 and not isinstance(found, AffordableOrder):
        confidence = exact_confidence(options["confidence"] or _MARGIN["confidence"])
        each = category_precisions(device.factors[0], options["population"], found.n, confidence, sample)
    return MechanismPlan(mechanism, name, value, ReadOnlyMapping(options), found, sizes, each)


def _planned_at_random(
    mechanism: RandomQuestions,
    goal: str,
    asked: object | None,
    n: object | None,
    given: dict[str, Any],
    sample: Conditions,
) -> MechanismPlan:
    """Return the plan of each of the random questions among those who are asked it, and the number in all."""
    share = Fraction(mechanism.asked, mechanism.questions)
    size = None if sample.cluster_size is None else max(Fraction(1), rational(sample.cluster_size) * share)
    total = None if n is None else answer_count(n, "n", least=1)
    each = None if total is None else int(total * share)
    if each == 0:
        raise InvalidParameterError(
            f"n is too small: received {total}; allowed are {ceil(1 / share)} respondents or more, so that each "
            "question is asked"
        )
    among = replace(sample, cluster_size=size, response_rate=None)
    one = _planned(mechanism.question, goal, asked, each, given, among)
    whole = ceil(one.found.n / share) if total is None else total
    effect = ONE if one.sample is None else one.sample.design_effect
    return replace(one, mechanism=mechanism, sample=sample.sizes(whole, effect), in_all=whole)


def _shared(options: Options, sample: Conditions) -> dict[str, Any]:
    """Return the options of one region, of which several hold at once."""
    shared = dict(options)
    if shared["confidence"] is not None:
        shared["confidence"] = 1 - sample.risk(1 - exact_confidence(shared["confidence"]))
    if shared["significance"] is not None:
        shared["significance"] = sample.risk(exact_confidence(shared["significance"], "significance"))
    return shared


def _bound(kind: str, goal: str, asked: object) -> Fraction:
    """Return the asked value of a goal; for a standard error, its square."""
    name = goal.replace("_", " ")
    if goal == "power":
        return exact_confidence(asked, name)
    if goal == "margin" and kind != _CONTRAST:
        return rational_where(rational(asked, name=name), lambda margin: 0 < margin < 1, "0 < margin < 1", name=name)
    bound = rational_where(asked, lambda x: x > 0, "a number > 0", name=name)
    return bound**2 if goal == "standard_error" else bound


def _affordable(
    product: Mechanism, n: object, goal: str, most: Fraction, options: Options, sample: Conditions
) -> AffordableOrder:
    """Return the largest k such that n respondents achieve a variance for every marginal of k questions."""
    if sample.clustering:
        raise InvalidParameterError(
            "the largest k is planned without an intraclass correlation, whose design effect depends on k: received "
            "one; give the design effect"
        )
    if _which(options) is not None or goal == "margin":
        raise InvalidParameterError(
            "n together with a variance computes the largest k whose marginals n respondents can estimate: received "
            "questions, marginals or a margin too; leave one of them out"
        )
    found, effect = affordable_order(product, n, most, population=options["population"]), sample.effect(ONE, ONE)
    return replace(found, variances=tuple(variance * effect for variance in found.variances))


def _exact(name: str, value: Any) -> Any:
    """Convert the value of an option to its exact form."""
    if value is None or (name == "population" and isinstance(value, str) and value == "worst"):
        return None
    if name in ("confidence", "prevalence", "null", "significance"):
        return rational(value, name=name)
    if name in ("population", "contrast") and not isinstance(value, str):
        return tuple(
            rational(x, name=f"{name}[{i}]") for i, x in enumerate(required_list(value, name, "a list of numbers"))
        )
    return value.strip().lower() if name == "population" else plain_integer(value)


def _device(mechanism: Mechanism, options: dict[str, Any]) -> tuple[Mechanism, str]:
    """Return the mechanism to plan (that of all questions or of a single question) and the kind of question."""
    product, device = product_of(mechanism), mechanism
    if options["questions"] is not None:
        if options["marginals"] is not None:
            raise InvalidParameterError("received questions and marginals: both name the planned questions; give one")
        options["questions"] = chosen = chosen_questions(len(product.factors), options["questions"])
        device = product.factors[chosen[0]] if len(chosen) == 1 else device
    elif len(product.factors) == 1:
        device = product.factors[0]
    if options["contrast"] is not None and (options["marginals"] is not None or len(options["questions"] or ()) > 1):
        raise InvalidParameterError(
            "a contrast is of one question: received marginals or several questions too; leave them out"
        )
    if options["contrast"] is not None or (options["prevalence"] is not None and device.inputs == 2 < device.outputs):
        return device, _CONTRAST
    if device.shape != (2, 2):
        if options["prevalence"] is not None:
            raise InvalidParameterError(
                "a prevalence is of one yes-or-no question: received several questions, or more categories; give the "
                "proportions (`population`), or name the question"
            )
        return product, _SEVERAL
    if options["marginals"] is not None or options["population"] is not None:
        raise InvalidParameterError(
            "one yes-or-no question has a prevalence: received marginals or proportions; give the prevalence, or name "
            "more questions"
        )
    return device, _ONE


def _settle(kind: str, goal: str, n: object | None, options: dict[str, Any]) -> None:
    """Reject options that the goal does not use, and fill in the defaults of the others."""
    if goal not in _USED[kind]:
        raise InvalidParameterError(
            f"a {goal} is planned for a prevalence or a contrast of one question: received {kind}; name one question, "
            "and give the prevalence, or the contrast and the proportions (`population`)"
        )
    if kind != _SEVERAL and goal != "n" and n is not None:
        raise InvalidParameterError(
            f"n is given together with the goal {goal.replace('_', '-')}: give one of them; both together compute the "
            f"largest k for several questions, and this is {kind}"
        )
    used = _USED[kind][goal]
    if goal == "n" and options["null"] is None:  # without a null hypothesis there is no power
        used = {option: default for option, default in used.items() if option not in _POWER}
    for option in _RULES:
        if options[option] is None:
            options[option] = _exact(option, used.get(option))
        elif option not in used:
            raise InvalidParameterError(
                f"{option} does not belong to the goal {goal.replace('_', '-')} of {kind}: leave it out; it uses "
                f"{', '.join(used) or 'none'}"
            )


def _quantity(kind: str, device: Any, goal: str, options: Options, sample: Conditions = SIMPLE_SAMPLE) -> Quantity:
    """Return the planned quantity of one question or of several, at the design effect of the sample."""
    found = _simple_quantity(kind, device, goal, options)
    if goal == "power":
        effect = power_effect(device, options, sample)
    elif kind != _SEVERAL:
        shares = shares_of(options["prevalence"], options["population"])
        effect = contrast_effect(device, planned_contrast(device, options["contrast"]), shares, sample)
    else:
        own = (Fraction(0), sample.clustering) if sample.clustering else ()
        spreads = [largest_cell_variance(device, _which(options), options["population"], k)[0] for k in own]
        effect = sample.effect(*(spreads or (ONE, ONE)))
    return found if effect == 1 else replace(found, effect=effect)


def _simple_quantity(kind: str, device: Any, goal: str, options: Options) -> Quantity:
    """Return the planned quantity of one question or of several, in a simple random sample.

    With c = 1 for one question, and ``risk = (1 - confidence)/c`` for all c cells at once (with a number of
    questions, those of all its marginals):

    * normal margin: ``z sqrt(V/n)`` with ``Pr(|G| <= z) = 1 - risk``; no guarantee;
    * hoeffding: ``r sqrt(log(2/risk)/(2n))``, where r is the largest range of a row of A; valid for every distribution.
    """
    if goal == "power":
        return proportion_power(device, options)
    interval = _interval(kind, options) if goal == "margin" else None
    if kind == _SEVERAL:
        which, share = _which(options), None
        spread, of_what = largest_cell_variance(device, which, options["population"])
    else:
        spread, share, of_what = proportion_variance(device, options)
    if interval is None:
        whose = of_what if kind == _SEVERAL else f"of the unbiased estimate {of_what}"
        return Quantity("variance", f"the variance {whose}", lambda n: spread / n)
    if interval == "hoeffding":
        of_what = of_what.removesuffix(" " + population_words(None))
    what = f"half the width of the {interval} interval {of_what}{', at once' * (kind == _SEVERAL)}, before it is cut,"
    level = exact_confidence(options["confidence"])
    risk = (1 - level) / (marginal_cells(device, which) if kind == _SEVERAL else 1)
    if interval == "hoeffding":
        bound = squared_range(device, which)
        return Quantity("margin", what, lambda n: ball(2 / risk).log() * ball(bound / n) / 2)
    if interval == "normal":
        return Quantity("margin", what, lambda n: squared_quantile(1 - risk) * ball(spread / n))
    assert share is not None  # a prevalence
    if interval == "exact":
        return exact_margin(what, share, abs(nonzero_determinant(device.p00, device.p11)), level)
    return Quantity("margin", what, lambda n: inverted_margin(interval, share, device, level, n))


def _interval(kind: str, options: Options) -> str:
    """Return the name of the interval whose margin is planned."""
    interval = options["interval"]
    if kind == _SEVERAL:
        one_of(interval, _INTERVALS[kind], "the interval of several questions")
        if interval == "hoeffding" and options["population"] is not None:
            raise InvalidParameterError(
                "Hoeffding's interval is the same for every distribution: received one; leave it out, or use normal"
            )
        return str(interval)
    name = interval_kind(interval).name
    if name not in _INTERVALS[kind]:
        raise UnsupportedProblemError(
            f"this interval is planned for two outputs only: received {shown(interval)} for a mechanism with more "
            "outputs, or a contrast; allowed is normal"
        )
    return name


def _which(options: Options) -> Any:
    """Return the questions of a marginal, or their number."""
    return options["questions"] if options["marginals"] is None else options["marginals"]


def _achieved(kind: str, device: Any, n: object, options: Options, sample: Conditions) -> tuple[Achieved, Fraction]:
    """Return the precision that n respondents achieve, and the design effect of the estimate."""
    count, level = answer_count(n, "n", least=1), exact_confidence(options["confidence"])
    margins = {}
    for name in _INTERVALS[kind]:  # Hoeffding's interval is the same at every distribution
        own = {"interval": name, **({"population": None} if name == "hoeffding" else {})}
        margins[name] = _quantity(kind, device, "margin", {**options, **own}, sample).at(count)
    spread = _quantity(kind, device, "variance", options, sample)
    power = None if options["null"] is None else _quantity(kind, device, "power", options, sample).at(count)
    return Achieved(count, spread.achieved(count), margins, level, power), spread.effect
