"""``Estimates``: the one result of proportions, means, contrasts, totals and differences, with rows ``Estimate``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isclose, isfinite, sqrt
from typing import TYPE_CHECKING, Any

from rropt.answers.response_counts import answer_counts, require_possible
from rropt.core.argument_checks import clear_calls
from rropt.core.errors import (
    FileFormatError,
    InvalidParameterError,
    RroptError,
    one_of,
    required,
    shown,
    shown_with_type,
)
from rropt.core.exact import as_text, both_texts, decimal_text, exact_confidence, rational
from rropt.core.exact.display import (
    decimal_places,
    estimate_text,
    in_full,
    interval_of_digits,
    is_in_full,
    p_in_words,
    p_text,
    rounded,
)
from rropt.core.exact.numbers import square_root
from rropt.core.lazy import numpy as np
from rropt.core.limits import MAX_ENTRY_DIGITS, MAX_WRITTEN_ENTRIES
from rropt.core.results import Result, Table
from rropt.core.results.json_reading import BESIDE
from rropt.core.results.late_records import LateRecords
from rropt.core.results.layout import tables_as_text
from rropt.core.visible import visible, with_noun
from rropt.estimates.concluded_estimates import conclusion_of
from rropt.estimates.conclusions import Concluded
from rropt.estimates.estimate_bases import (
    EFFICIENT,
    CountsBasis,
    DesignBasis,
    DifferencesBasis,
    EstimateBasis,
    GroupsBasis,
    Stored,
    WaldBasis,
    too_many_pairs,
)
from rropt.estimates.group_comparisons import GroupComparison, stored_comparisons
from rropt.estimates.late_texts import LateTexts
from rropt.estimates.membership_basis import MembershipBasis, membership_basis, required_memberships
from rropt.estimates.named_numbers import NamedNumbers
from rropt.inference.count_estimates import Estimate as CountEstimate
from rropt.inference.count_estimates import estimate_of_counts, exact_contrast, unit
from rropt.inference.differences import DIFFERENCE_TESTS, Test, bonferroni, p_value
from rropt.inference.interval_estimates import DEFAULT_CONFIDENCE, Interval
from rropt.inference.interval_kinds import INTERVAL_KINDS, is_empty
from rropt.inference.joint_likelihood import Likelihood
from rropt.inference.proportion_intervals import PROPORTION_INTERVALS
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.levels_of_questions import question_levels
from rropt.mechanisms.words import named_in_words

if TYPE_CHECKING:
    from rropt.plots.figures import Figure

NOT_PROVED = "approximate for large samples; no guarantee"
GUARANTEES = {
    **{name: kind.guarantee for name, kind in INTERVAL_KINDS.items()},
    **{name: kind.guarantee for name, kind in PROPORTION_INTERVALS.items()},
    EFFICIENT.name: EFFICIENT.guarantee,
    "hoeffding": "coverage at least nominal for every n and every distribution of the categories (Hoeffding)",
    "guaranteed": "coverage at least nominal for every n (Hoeffding or empirical Bernstein, the shorter one)",
    "t": "Student's t: " + NOT_PROVED,
    "normal": NOT_PROVED,
    "Wald": NOT_PROVED,
    "Welch": "Welch's t with Satterthwaite's degrees of freedom: " + NOT_PROVED,
    "score": "inverts the score test of Miettinen and Nurminen: " + NOT_PROVED,
}
SHORT = {
    "exact": "exact: coverage at least nominal for every n",
    "hoeffding": "hoeffding: coverage at least nominal for every n",
    "guaranteed": "guaranteed: coverage at least nominal for every n",
    "beta": "beta (Korn-Graubard): near nominal, no guarantee",
    "t": "Student's t: approximate for large samples",
    "score": "score (Miettinen-Nurminen): approximate for large samples",
}
_MOST_COVARIANCES = 100  # rows whose covariance is written
_OF_A_ROOT = 1e-9  # far above the rounding of a square root and its square, far below a figure that anybody reads
_OF_NO_VARIANCE = 1e-18  # of proportions: a variance that is 0 but for rounding
_INTEGERS = ("n", "df", "degrees_of_freedom", "denominator")
_DECIMAL = re.compile(r"[.eE]")
TWO_SAMPLES = {  # designs of two samples that estimate non-compliance too
    "lie-detector": "stochastic lie detector: those with the trait may say no, others comply",
    "cheater-detection": "cheater detection: cheaters always say no",
    "extended-crosswise": "extended crosswise: two samples of one question",
    "attention": "bias-corrected by an attention question: inattentive answers are random",
}
_TESTED = ("differences", "effects", *TWO_SAMPLES)  # kinds whose rows have a p-value, or none
_COMPARED = ("proportions", "mean", "contrast")  # kinds whose groups are compared
KINDS = ("proportions", "mean", "contrast", "totals", "differences", "effects", "predicted", *TWO_SAMPLES)
MARGINS = "Each question by itself: margins, not the joint table of the questions"
NOISE = 1e-7  # a smaller standard error of a proportion is 0 up to the rounding of sums
_FEWEST = 12  # rows in a repr
_SHOWN = 40  # rows that a summary prints, unless all numbers are asked for in full
_VERSION = 1
_KEYS = {*BESIDE, "rropt", "version", "kind", "questions", "by", "mechanism", "sample", "confidence", "rows", "overall"}
_KEYS |= {"covariance", "counts", "reference", "contrast", "memberships", "missing", "population", "mechanisms"}
_KEYS |= {"differences", "equal"}
_KEYS |= {"read", "direct"}  # of a command, beside the estimates
SIMPLE = "simple random sample"
_COLUMNS = ("name", "question", "category", "group", "n", "estimate", "se", "low", "high", "interval")
_MORE = ("device_se", "shrunk_se", "df", "deff", "weight", "most_likely", "p_value")
_NAMED = ("name", "question", "category", "group")
_NUMBERED = ("n", "estimate", "se", *_MORE)


@dataclass(frozen=True, slots=True)
class Estimate(Result):
    """One estimated number: a proportion, a mean, a contrast, a total or a difference.

    Attributes:
        name: what distinguishes it from the other estimates.
        estimate: its value; exact (a fraction) for a simple random sample.
        se: its standard error; ``None`` if the sample does not determine it.
        n: the number of respondents; with weights, of those with a positive weight.
        question, category, group: what is estimated, and where; ``None`` if there is nothing to tell.
        device_se: the part of the standard error that is due to the randomizing device.
        shrunk_se: the standard error if the finite population correction is applied to the device too, as R's
            ``survey`` does with debiased responses; ``None`` where it is that of the estimate.
        df: the degrees of freedom; ``None`` for the normal distribution.
        deff: the design effect, the variance divided by that of as many draws with replacement.
        weight: the sum of the weights.
        most_likely: the maximum likelihood estimate of a proportion, within [0, 1].
        p_value: the p-value of a difference: that of the test that it is 0; of a category that a test selected, that
            of the test, adjusted for all categories (Holm).
    """

    name: str
    estimate: Fraction | float
    se: float | None
    n: int
    question: str | None = None
    category: str | None = None
    group: str | None = None
    device_se: float | None = None
    shrunk_se: float | None = None
    df: float | None = None
    deff: float | None = None
    weight: float | None = None
    most_likely: Fraction | float | None = None
    p_value: float | None = None
    basis: EstimateBasis | None = field(default=None, compare=False, repr=False)
    place: int = field(default=0, compare=False, repr=False)

    def __float__(self) -> float:
        return float(self.estimate)

    def __format__(self, spec: str) -> str:
        return format(float(self.estimate), spec)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of intervals, the recommended one first; empty without degrees of freedom."""
        return () if self.basis is None else self.basis.kinds(self.place)

    def conf_int(self, *, confidence: object = None, alpha: object = None, kind: str | None = None) -> Interval | None:
        """Return a confidence interval; it unpacks to both endpoints.

        Args:
            confidence: the confidence, such as 0.95 (the default).
            alpha: instead, 1 minus the confidence, as in statsmodels.
            kind: one of ``kinds``; ``None`` for the recommended one.

        Returns:
            The interval, cut to the possible values; ``None`` if the sample has no degrees of freedom.
        """
        return self._interval(level_of(confidence, alpha), kind)

    def _interval(self, level: Fraction, kind: str | None) -> Interval | None:
        kinds = self.kinds
        if not kinds or self.basis is None:
            return None
        chosen = kinds[0] if kind is None else one_of(kind, kinds, "the kind of interval")
        if (whole := self.basis.interval(self.place, chosen, level)) is not None:
            return whole
        ends = self.basis.ends(self.place, chosen, level)
        if ends is None:
            return None
        low, high = ends
        emptied = low == high and is_empty(float(low), float(high), self.estimate)
        return Interval(chosen, low, high, level, (high - low) / 2, _guarantee(self, chosen), emptied=emptied)

    @property
    def is_simple(self) -> bool:
        """Whether the estimate is that of a group of a simple random sample."""
        return isinstance(self.basis, GroupsBasis)

    def test(self, value: object = 0) -> float:
        """Return the two-sided p-value of the test that the estimated number is a given one.

        It is exact where the estimate follows from a binomial count, else Wald's, or Student's t.
        """
        given = rational(value, name="value")
        if self.basis is not None and (p := self.basis.exact_p(self.place, given)) is not None:
            return p
        gap = float(self.estimate) - float(given)
        if not self.se:
            raise InvalidParameterError(
                f"{shown(self.name)} has no standard error: received {self.se}; it is not tested"
            )
        return p_value(gap / self.se, self.df)

    @property
    def total(self) -> Estimate | None:
        """The estimated number of people, of a proportion in a sample with weights; else ``None``."""
        basis = self.basis
        same: dict[str, Any] = {one: getattr(self, one) for one in ("question", "category", "group", "df", "weight")}
        if isinstance(basis, Stored):
            stored = basis.totals.get(self.place)
            return None if stored is None else replace(stored, **same)
        if not isinstance(basis, DesignBasis) or basis.is_total or basis.estimand != "proportion":
            return None
        own = basis.totals()
        g, k = divmod(self.place, len(own.columns))
        found = own.moments(own.columns[k])
        errors = sqrt(max(found.variance[g], 0.0)), sqrt(max(found.device[g], 0.0))
        more = {**same, "device_se": errors[1], "basis": own, "place": self.place}
        return Estimate(self.name, float(found.value[g]), errors[0], self.n, **more)

    def __repr__(self) -> str:
        places = decimal_places(self.se)
        told = f", se {rounded(self.se, places)}" if self.se is not None else ""
        return visible(f"<Estimate {self.name}: {estimate_text(self.estimate, places)}{told}, n = {self.n}>")


def level_of(confidence: object = None, alpha: object = None) -> Fraction:
    """Return the confidence that is asked for by itself or by alpha; at least 1/2, so that the two are not mixed up."""
    if confidence is None and alpha is None:
        return DEFAULT_CONFIDENCE
    if confidence is not None and alpha is not None:
        raise InvalidParameterError(
            "the confidence is given twice: received `confidence` and `alpha`; give one of them"
        )
    if alpha is not None:
        confidence = 1 - rational(alpha, name="alpha")
    level = exact_confidence(confidence)
    if level < Fraction(1, 2):
        raise InvalidParameterError(
            f"the confidence is below 1/2: received {as_text(level)}; write confidence=0.95, or alpha=0.05"
        )
    return level


@dataclass(frozen=True, slots=True)
class Estimates(Result, Concluded):
    """Estimates with their precision: a sequence of ``Estimate``.

    A row is found by number, by name, by group, or by (group, category). Vectors have the names of statsmodels.

    Attributes:
        kind: what is estimated: ``proportions``, ``mean``, ``contrast``, ``totals`` or ``differences``; of a
            regression, the average marginal ``effects`` and the ``predicted`` proportions or means of groups; of a
            two-sample design its name, such as ``lie-detector``.
        rows: the estimates.
        questions, by: the questions, and the columns that define the groups.
        words: the mechanisms in words, if ``mechanisms`` does not state them (``mechanism``).
        sample: the sampling design in words.
        remarks_: remarks on the estimates, as sentences.
        confidence: the confidence of the intervals, where no other one is asked for.
        overall: the estimates of all groups together; empty without groups.
        missing: the number of missing answers to each question; empty if none is missing.
        population: the number of people of a finite population, of which the respondents are a simple random sample.
        mechanisms: the mechanisms of the respondents, if the result has them.
        difference_test: the test of the differences of groups that used one device, where no other one is asked for.
        joint: the maximum likelihood distribution of all cells of several questions, with the responses, which
            ``certify_estimate`` certifies; ``None`` without one. A file has none.
    """

    kind: str
    rows: tuple[Estimate, ...]
    questions: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    words: str = ""
    sample: str = SIMPLE
    remarks_: Sequence[str] = ()
    confidence: Fraction = DEFAULT_CONFIDENCE
    overall: tuple[Estimate, ...] = ()
    missing: tuple[int, ...] = ()
    population: int | None = None
    mechanisms: tuple[Mechanism, ...] = ()
    difference_test: str = field(default="score", compare=False, repr=False)
    joint: Likelihood | None = field(default=None, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.rows)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, int | slice):
            return self.rows[key]
        return self.rows[self._place(key)]

    def _place(self, key: Any) -> int:
        """Return the number of the row with a name, a group, or both a group and a category."""
        keys = [str(one) for one in (key if isinstance(key, tuple) else (key,))]
        exact = [place for place, one in enumerate(self.rows) if len(keys) == 1 and one.name == keys[0]]
        found = exact or [
            place
            for place, one in enumerate(self.rows)
            if all(own in (one.group, one.category, one.question) for own in keys)
        ]
        if len(found) != 1:
            names = ", ".join(shown(one.name) for one in self.rows[:_FEWEST]) + ", ..." * (len(self) > _FEWEST)
            told = shown(", ".join(keys))
            is_several = f"{told} names {len(found)} of {with_noun(len(self), 'estimate')}"
            raise KeyError(f"{is_several if found else f'there is no {told}'}: allowed are {names}")
        return found[0]

    def _single(self, what: str) -> Estimate:
        if len(self.rows) != 1:
            raise InvalidParameterError(
                f"`{what}` is of one estimate: received {len(self.rows)}; choose one, as in "
                f"result[{self.rows[0].name!r}], or use params and bse"
            )
        return self.rows[0]

    @property
    def mechanism(self) -> str:
        """The mechanisms in words."""
        return self.words or (named_in_words(self.mechanisms) if self.mechanisms else "")

    @property
    def estimate(self) -> Fraction | float:
        """The estimate, if there is one only."""
        return self._single("estimate").estimate

    @property
    def se(self) -> float | None:
        """Its standard error."""
        return self._single("se").se

    def __float__(self) -> float:
        return float(self._single("float").estimate)

    def test(self, value: object = 0) -> float:
        """Return the two-sided p-value of the test that the estimate is a given number, if there is one estimate."""
        return self._single("test").test(value)

    @property
    def _names(self) -> list[str]:
        return [one.name for one in self.rows]

    @property
    def params(self) -> NamedNumbers:
        """The estimates by name."""
        return NamedNumbers(self._names, [one.estimate for one in self.rows])

    @property
    def bse(self) -> NamedNumbers:
        """The standard errors by name."""
        return NamedNumbers(self._names, [one.se for one in self.rows])

    @property
    def _has_tests(self) -> bool:
        """Whether a row is printed with a p-value of its own, or with none."""
        return self.kind in _TESTED or any(one.p_value is not None for one in self.rows)

    @property
    def pvalues(self) -> NamedNumbers:
        """The p-values by name: those of the tests of differences or of selected categories; else that of 0."""
        return NamedNumbers(
            self._names, [one.p_value if self._has_tests or not one.se else one.test(0) for one in self.rows]
        )

    @property
    def tvalues(self) -> NamedNumbers:
        """The estimates divided by their standard errors, by name."""
        return NamedNumbers(self._names, [float(one.estimate) / one.se if one.se else None for one in self.rows])

    @property
    def nobs(self) -> int:
        """The number of respondents."""
        return sum(
            {(one.question, one.group): one.n for one in self.rows if one.question == self.rows[0].question}.values()
        )

    @clear_calls
    def conf_int(
        self, *, confidence: object = None, alpha: object = None, kind: str | None = None, simultaneous: bool = False
    ) -> NamedNumbers:
        """Return the interval of each estimate, by name.

        Args:
            confidence: the confidence, such as 0.95 (the default).
            alpha: instead, 1 minus the confidence, as in statsmodels.
            kind: the kind of the intervals; ``None`` for the recommended one of each.
            simultaneous: whether all intervals together have this confidence (Bonferroni), or each by itself.
        """
        level = self._level(confidence, alpha)
        if simultaneous:
            level = 1 - (1 - level) / len(self.rows)
        return NamedNumbers(self._names, [one._interval(level, kind) for one in self.rows])

    def together(self, one: Estimate) -> Interval | None:
        """Return the recommended interval of a row that holds for all rows together (Bonferroni)."""
        return one._interval(1 - (1 - self.confidence) / len(self.rows), None)

    def _level(self, confidence: object = None, alpha: object = None) -> Fraction:
        """Return the confidence that is asked for, or that of the result."""
        return self.confidence if confidence is None and alpha is None else level_of(confidence, alpha)

    def cov_params(self) -> Any:
        """Return the covariance of the estimates, shape (rows, rows), as floats."""
        return np.array(self._basis("covariance").covariance([one.place for one in self.rows]), np.float64)

    def _basis(self, what: str) -> EstimateBasis:
        bases = {id(one.basis): one.basis for one in self.rows}
        found = next(iter(bases.values()), None)
        if len(bases) != 1 or found is None:
            raise InvalidParameterError(
                f"these estimates have no {what} together: received {with_noun(len(bases), 'kind')}; ask for one"
            )
        return found

    @clear_calls
    def contrast(self, weights: Mapping[Any, object]) -> Estimates:
        """Return a linear combination of the estimates, as ``svycontrast`` in R.

        Args:
            weights: the weight of each estimate, by its name or another key of a row.

        Raises:
            InvalidParameterError: the weights are not a dictionary, one is not a number, or all are 0.

        >>> from rropt.answers.responses import Responses
        >>> found = Responses.from_counts([50, 30, 20], "grr:3,1/2", categories=["no", "once", "often"]).proportions()
        >>> found.contrast({"often": 1, "once": -1}).estimate
        Fraction(-2, 5)
        """
        example = ", ".join(f"{shown(one.name)}: {sign}" for one, sign in zip(self.rows, (1, -1), strict=False))
        required(weights, Mapping, "`weights`", f"{{{example}}}")  # type: ignore[type-abstract]
        places: dict[int, Fraction] = {}
        for key, weight in weights.items():
            row = self.rows[self._place(key)]
            places[row.place] = places.get(row.place, Fraction(0)) + rational(weight, name=f"weights[{key!r}]")
        if not any(places.values()):
            raise InvalidParameterError("the combination is empty: received no weight that is not 0; give one at least")
        basis = self._basis("combination")
        found = basis.combined(places)
        own: EstimateBasis = basis.with_contrast(places) if hasattr(basis, "with_contrast") else WaldBasis(found)
        name = _combination_text(weights)
        groups = {self[key].group: self[key].n for key in weights}
        row = Estimate(
            name, found.value, sqrt(float(found.variance)), sum(groups.values()), df=found.freedom, basis=own
        )
        return self._made("contrast", [row])

    def _made(self, kind: str, rows: Sequence[Estimate]) -> Estimates:
        told: dict[str, Any] = {"confidence": self.confidence, "population": self.population}
        told |= {"difference_test": self.difference_test, "mechanisms": self.mechanisms}
        return Estimates(kind, tuple(rows), self.questions, self.by, self.words, self.sample, **told)

    def _compared(self) -> list[tuple[int, ...]]:
        """Return for each question and category the places of its groups."""
        sets: dict[Any, list[int]] = {}
        for one in self.rows:
            sets.setdefault((one.question, one.category), []).append(one.place)
        if self.kind == "predicted":
            raise InvalidParameterError(
                "predicted proportions have no tests: received those of a regression; compare two groups by "
                "`contrast`, or test coefficients by `wald_test`"
            )
        if any(one.group is None for one in self.rows) or any(len(own) < 2 for own in sets.values()):
            raise InvalidParameterError(
                "there are no groups to compare: received one group; give `by`, the columns that define groups"
            )
        if any(too_many_pairs(len(own)) for own in sets.values()):
            raise InvalidParameterError(
                f"the groups have too many pairs: received {max(map(len, sets.values()))} groups; compare two of them "
                "by `contrast`, or join groups"
            )
        return [tuple(own) for own in sets.values()]

    def _test(self, asked: str | None) -> str:
        return self.difference_test if asked is None else one_of(asked, DIFFERENCE_TESTS, "`test`")

    @clear_calls
    def differences(self, *, test: str | None = None) -> Estimates:
        """Return the difference of each pair of groups, with its test.

        Args:
            test: for groups that used one device in a simple random sample, ``"score"`` (Miettinen and Nurminen) or
                ``"exact"`` (unconditional); other differences have Wald's test, those of means Welch's. By default that
                of the result.
        """
        test = self._test(test)
        sets = self._compared()
        basis = DifferencesBasis(self._basis("differences"), tuple(sets), test)
        by_place = {one.place: one for one in self.rows}
        heads = [by_place[own[0]] for own in sets for _ in basis.basis.differences(own, Fraction(19, 20), test)]
        several = len(sets) > 1
        sizes = {(one.group, one.question, one.category): one.n for one in self.rows}
        rows = []
        for place, (one, head) in enumerate(zip(basis.found(Fraction(19, 20)), heads, strict=True)):
            what = ": ".join(filter(None, (head.question if len(self.questions) > 1 else "", head.category)))
            name = f"{one.first} - {one.second}" + f" ({what})" * bool(several and what)
            n = sum(sizes[group, head.question, head.category] for group in (one.first, one.second))
            p = None if one.interval is None else one.p
            more: dict[str, Any] = {
                "question": head.question,
                "category": head.category,
                "df": one.degrees_of_freedom,
                "p_value": p,
            }
            rows.append(Estimate(name, one.estimate, one.standard_error, n, **more, basis=basis, place=place))
        return self._made("differences", rows)

    @property
    def adjusted_pvalues(self) -> NamedNumbers:
        """The p-values of differences after Bonferroni's adjustment over all of them."""
        values = [one.p_value for one in self.rows]
        after = iter(bonferroni([p for p in values if p is not None]).tolist())
        return NamedNumbers(self._names, [None if p is None else next(after) for p in values])

    @clear_calls
    def test_equal(self, *, test: str | None = None) -> Test | None:
        """Return the test that the groups are equal; ``None`` if the sample does not determine it.

        It is chi-squared for a simple random sample, an F test for means, the adjusted Wald test in a complex survey.
        """
        sets = self._compared()
        if len(sets) > 1:
            raise InvalidParameterError(
                f"the test is of one category: received {len(sets)}; choose one by result.only(category=...)"
            )
        return self._basis("test").equality(sets[0], self._test(test))

    def only(self, **wanted: str) -> Estimates:
        """Return the rows with a question, category or group, such as ``result.only(category="often")``."""
        for name in wanted:
            one_of(name, ("question", "category", "group"), "the argument of `only`")
        rows = [one for one in self.rows if all(getattr(one, name) == value for name, value in wanted.items())]
        if not rows:
            raise InvalidParameterError(
                f"no estimate has {', '.join(f'{name} {shown(value)}' for name, value in wanted.items())}: received "
                f"{with_noun(len(self), 'estimate')}; allowed are values of their rows"
            )
        return replace(self, rows=tuple(rows))

    @property
    def totals(self) -> Estimates:
        """The estimated number of people in each category, in a sample with weights."""
        rows, overall = ([one.total for one in each] for each in (self.rows, self.overall))
        found = [one for one in rows if one is not None]
        if len(found) < len(rows) or not rows:
            raise InvalidParameterError(
                "totals need a sample with weights: received a simple random sample, or a mean; give data=Sample(...)"
            )
        return replace(self._made("totals", found), overall=tuple(one for one in overall if one is not None))

    # rows, tables and files

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each estimate; columns without a value are left out."""
        return self._frame_rows(self.confidence, None)

    def _frame_rows(self, level: Fraction, kind: str | None) -> list[dict[str, Any]]:
        rows = []
        known: dict[
            Any, tuple[float | None, float | None, str | None]
        ] = {}  # estimates with equal numbers share theirs
        for one in self.rows:
            key = id(one) if one.basis is None else (id(one.basis), one.basis.shared(one.place))
            if key not in known:
                ends = one._interval(level, kind)
                low, high = (None, None) if ends is None or ends.emptied else map(float, (ends.lower, ends.upper))
                known[key] = low, high, None if ends is None else ends.kind
            row: dict[str, Any] = {"name": one.name, "question": one.question, "category": one.category}
            row |= {"group": one.group, "n": one.n, "estimate": float(one.estimate), "se": one.se}
            row["low"], row["high"], row["interval"] = known[key]
            for name in _MORE:
                row[name] = getattr(one, name)
            if isinstance(one.most_likely, Fraction):
                row["most_likely"] = float(one.most_likely)
            total = one.total
            row["total"], row["total_se"] = (None, None) if total is None else (total.estimate, total.se)
            rows.append(row)
        names = (*_COLUMNS, *_MORE, "total", "total_se")
        used = [
            name
            for name in names  # intervals without a possible value have a kind, and no ends
            if any(row["interval" if name in ("low", "high") else name] is not None for row in rows)
        ]
        return [{name: row[name] for name in used} for row in rows]

    @clear_calls
    def to_dicts(self, *, confidence: object = None, kind: str | None = None) -> list[dict[str, Any]]:
        """Return one dictionary for each estimate, as for ``polars.DataFrame``."""
        return self._frame_rows(self._level(confidence), kind)

    @clear_calls
    def to_frame(self, *, confidence: object = None, kind: str | None = None) -> Any:
        """Return the estimates as a data frame of pandas, with intervals of a kind at a confidence.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        from rropt.core.results.markup import required_pandas
        from rropt.core.results.result_frames import columns_of

        return required_pandas().DataFrame(columns_of(self.to_dicts(confidence=confidence, kind=kind)))

    def to_dict(self, *, confidence: object = None) -> dict[str, Any]:
        """Return the result for JSON: one schema for all kinds of estimates. Exact numbers are strings.

        Groups have their differences and the tests that all are equal, if there are not too many pairs.

        Args:
            confidence: the confidence of the intervals; by default that of the result.
        """
        made = self._record(self._level(confidence))
        return made | {"rows": list(made["rows"])}

    def late_dict(self) -> dict[str, Any]:
        """Return the result for JSON as ``to_dict`` does, whose rows are made when they are written (`LateRecords`)."""
        return self._record(self.confidence)

    def _record(self, level: Fraction) -> dict[str, Any]:
        made: dict[str, Any] = {"rropt": "estimates", "version": _VERSION, "kind": self.kind}
        made |= {"questions": list(self.questions), "by": list(self.by), "mechanism": self.mechanism}
        at_once = 1 - (1 - level) / len(self.rows) if len(self.rows) > 1 and self.kind in _COMPARED else None
        known: dict[Any, dict[str, Any]] = {}
        made |= {
            "sample": self.sample,
            "confidence": as_text(level),
            "rows": LateRecords(lambda place: _record(self.rows[place], level, at_once, known), len(self.rows)),
        }
        if self.overall:
            made["overall"] = [_record(one, level, None, {}) for one in self.overall]
        if covariance := self._covariances():
            made["covariance"] = covariance
        if (found := self.counted) is not None:
            made["counts"] = list(found.counts)
            if len(set(found.reference)) > 1:
                made["reference"] = [as_text(share) for share in found.reference]
            if self.kind == "contrast" and isinstance(basis := self.rows[0].basis, CountsBasis):
                made["contrast"] = [as_text(c) for c in basis.contrasts[0]]
        if (memberships := self.memberships) is not None:
            made["memberships"] = list(memberships)
        if any(self.missing):
            made["missing"] = list(self.missing)
        if self.population is not None:
            made["population"] = self.population
        if self.mechanisms:
            made["mechanisms"] = [one.to_dict() for one in self.mechanisms]
        return made | self._comparisons(level) | {"remarks": list(self.remarks_)}

    @property
    def counted(self) -> CountEstimate | None:
        """The estimate of the distribution from the counts of one question; ``None`` for other estimates."""
        basis = self.rows[0].basis if self.rows else None
        if not isinstance(basis, CountsBasis) or len(self.questions) != 1 or len(basis.contrasts) != len(self.rows):
            return None
        return basis.found

    @property
    def memberships(self) -> tuple[int, ...] | None:
        """The number of responses that contain each category, if estimates of all follow from these; else ``None``."""
        basis = self.rows[0].basis if self.rows else None
        is_whole = isinstance(basis, MembershipBasis) and len(self.rows) == self.mechanisms[0].inputs
        return basis.memberships if isinstance(basis, MembershipBasis) and is_whole else None

    def _covariances(self) -> list[list[Any]]:
        """Return the covariance of several estimates for JSON, None where it is not computed; empty of too many."""
        rows = self.rows
        if self.kind not in _COMPARED or not 1 < len(rows) <= _MOST_COVARIANCES:
            return []
        blocks: dict[Any, list[int]] = {}
        for place, one in enumerate(rows):
            if one.se is not None and one.basis is not None and one.basis.has_covariance:
                blocks.setdefault((id(one.basis), one.question), []).append(place)
        found: list[list[Any]] = [[None] * len(rows) for _ in rows]
        for own in blocks.values():
            basis = rows[own[0]].basis
            assert basis is not None
            V = basis.covariance([rows[place].place for place in own])
            if len(rows) ** 2 > MAX_WRITTEN_ENTRIES:
                V = np.array(V, np.float64)
            for i, (place, values) in enumerate(zip(own, V.tolist(), strict=True)):
                for other, value in zip(own[i:], values[i:], strict=True):  # the mirrored sums may round otherwise
                    known = _plain(Fraction(value) if isinstance(value, int) else value)
                    found[place][other] = found[other][place] = known
        return found if blocks else []

    def _numbers(self) -> list[list[Estimate]]:
        """Return the groups of each number, if it has several that can be compared; else none."""
        if self.kind not in _COMPARED or any(one.group is None for one in self.rows):
            return []
        sets: dict[Any, list[Estimate]] = {}
        for one in self.rows:
            sets.setdefault((id(one.basis), one.question, one.category), []).append(one)
        found = list(sets.values())
        can_compare = all(len(own) > 1 and (not too_many_pairs(len(own)) or own[0].is_simple) for own in found)
        return found if can_compare else []

    def compared(self, *, test: str | None = None, confidence: object = None) -> list[GroupComparison]:
        """Return for each question and category the differences of its groups, and the test that all are equal.

        Args:
            test: as for ``differences``.
            confidence: the confidence of the intervals; by default that of the result.

        Returns:
            The comparisons; none without groups. Of groups with too many pairs, in a simple random sample, the test
            that all are equal; in a complex survey none.
        """
        basis, level = self.rows[0].basis if self.rows else None, self._level(confidence)
        if isinstance(basis, Stored):
            return stored_comparisons(basis.comparisons)
        found, asked = [], self._test(test)
        for rows in self._numbers():
            head, places = rows[0], [one.place for one in rows]
            assert head.basis is not None
            differences = () if too_many_pairs(len(rows)) else head.basis.differences(places, level, asked)
            exact = all(one.exact for one in differences) and bool(differences)
            equal = None if exact else head.basis.equality(places, asked)
            p = min(one.adjusted for one in differences) if exact else None
            found.append(GroupComparison(head.question, head.category, differences, equal, p))
        return found

    def _comparisons(self, level: Fraction) -> dict[str, Any]:
        """Return the differences of groups and the tests that they are equal, for JSON."""
        basis = self.rows[0].basis if self.rows else None
        if isinstance(basis, Stored):
            return dict(basis.comparisons)
        found = self.compared(confidence=level)
        if not found:
            return {}
        differences = [
            {name: _plain(value) for name, value in one.items()}
            for each in found
            for one in each.difference_records(level)
        ]
        equal = [one for each in found if (one := each.equality_record()) is not None]
        return {"differences": differences, **({"equal": equal} if equal else {})}

    def difference_rows(self) -> list[dict[str, Any]]:
        """Return one row for each pair of groups: the difference, its intervals, p, and p adjusted (Bonferroni)."""
        rows = []
        several = len(self.questions) > 1
        for each in self.compared():
            head = {"question": each.question} if several or each.question else {}
            head |= {} if each.category is None else {"category": each.category}
            for one in each.differences:
                (low, high), (least, most) = (ends or (None, None) for ends in (one.interval, one.simultaneous))
                p, adjusted = (None, None) if one.interval is None else (one.p, one.adjusted)
                row = {**head, "first": one.first, "second": one.second, "estimate": float(one.estimate)}
                row |= {"se": one.standard_error, "low": low, "high": high, "low_at_once": least, "high_at_once": most}
                row |= {"df": one.degrees_of_freedom, "p_value": p, "p_adjusted": adjusted, "method": one.method}
                rows.append(row)
        used = [name for name in rows[0] if any(row[name] is not None for row in rows)] if rows else []
        return [{name: row[name] for name in used} for row in rows]

    @classmethod
    def from_dict(cls, data: Any) -> Estimates:
        """Read estimates from the output of ``to_dict``; they have the intervals of the file only.

        Raises:
            FileFormatError: the data are no estimates, or of another version.
        """
        if (
            not isinstance(data, Mapping)
            or data.get("rropt") != "estimates"
            or str(data.get("version")) != str(_VERSION)
        ):
            raise FileFormatError(
                "the data are no estimates of this version: received "
                f"{shown(data.get('rropt') if isinstance(data, Mapping) else data)}; allowed is the output of `to_dict`"
            )
        try:
            return cls._read(data)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, RroptError):
                raise FileFormatError(f"the estimates are damaged: {error}") from None
            raise FileFormatError(
                f"the estimates are damaged: received {shown(str(error))}; allowed is what `to_dict` returns"
            ) from None

    @classmethod
    def _read(cls, data: Mapping[str, Any]) -> Estimates:
        if unknown := {*map(str, data)} - _KEYS:
            raise FileFormatError(f"the estimates have unknown keys: received {shown(', '.join(sorted(unknown)))}")
        for key in ("mechanism", "sample"):
            if not isinstance(data[key], str):
                raise FileFormatError(f"the {key} of the estimates is no text: received {shown_with_type(data[key])}")
        level = exact_confidence(data["confidence"])
        compared = {key: [_restored(one) for one in data[key]] for key in ("differences", "equal") if key in data}
        stored_comparisons(compared)
        known = [[_number(value) for value in own] for own in data.get("covariance", ())]
        rows = _stored(data["rows"], level, compared, known)
        if "covariance" in data:
            _require_covariance(known, rows)
        overall = _stored(data.get("overall", ()), level, compared)
        mechanisms = tuple(map(Mechanism.from_dict, data.get("mechanisms", ())))
        words = "" if mechanisms and data["mechanism"] == named_in_words(mechanisms) else data["mechanism"]
        texts = (tuple(data["questions"]), tuple(data["by"]), words, data["sample"], tuple(data["remarks"]))
        kind = one_of(data["kind"], KINDS, "the kind of estimates")
        missing = tuple(map(int, data.get("missing", ())))
        people = None if (given := data.get("population")) is None else int(given)
        more: dict[str, Any] = {"overall": overall, "missing": missing, "population": people}
        more["mechanisms"] = mechanisms
        if "counts" in data:
            rows = _counted_again(mechanisms, data, kind, rows)
        if "memberships" in data:
            rows = _memberships_again(mechanisms, data, rows)
        return cls(kind, rows, *texts, confidence=level, **more)

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks on the estimates, as sentences."""
        return self.remarks_.texts() if isinstance(self.remarks_, LateTexts) else tuple(self.remarks_)

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return proportions or a mean in words, and the differences of groups that the tests establish.

        Args:
            unit: the people in the plural.
            population: their number N, of which the respondents are a sample.
        """
        return conclusion_of(self, unit, population)

    def _table(self, level: Fraction, most: int, *, every: bool = False) -> Table:
        """Return the table of the estimates, all numbers of a row to the second digit of its standard error.

        Args:
            level: the confidence of the intervals.
            most: the number of rows.
            every: whether to show the intervals of every kind or only the recommended ones.
        """
        is_test = self._has_tests
        kinds: tuple[str | None, ...] = (None,)
        heads = [f"{decimal_text(100 * level)} % interval"]
        if every:
            kinds = tuple(dict.fromkeys(kind for one in self.rows for kind in one.kinds))
            heads = [f"{decimal_text(100 * level)} % {kind}" for kind in kinds]
        joint = visible(", ".join(self.questions))  # in whose order the answers of a cell stand
        is_joint = len(self.questions) > 1 and all(one.question == ", ".join(self.questions) for one in self.rows)
        header = (joint if is_joint else "", "n", "estimate", "se", *heads, *["p"] * is_test)
        rows: list[tuple[str, ...]] = []
        is_largest = self.kind == "proportions" and len(self.rows) > most and not self.by
        is_largest = is_largest and len({one.question for one in self.rows}) == 1  # of the categories of one question
        for one in sorted(self.rows, key=lambda one: -one.estimate)[:most] if is_largest else self.rows[:most]:
            places = _places(one, level)
            row: tuple[str, ...] = (visible(one.name), f"{one.n}", rounded(one.estimate, places))
            row += ("none" if one.se is None else rounded(one.se, places),)
            row += tuple(_interval_text(one, level, kind, places) for kind in kinds)
            rows.append((*row, *["none" if one.p_value is None else p_text(one.p_value)] * is_test))
        left = len(self.rows) - len(rows)
        if left:
            rows.append((f"and {left} more", *[""] * (len(header) - 1)))
        is_apart = self.kind == "proportions" and len(self.questions) > 1
        is_apart = is_apart and all(one.question in self.questions for one in self.rows)
        largest = f"The {most} largest of {len(self.rows)} estimates (--output FILE writes all)"
        title = MARGINS * is_apart if self.kind in _COMPARED else self._fitted_title()
        return largest if is_largest else title, header, rows

    def _fitted_title(self) -> str:
        """Return the title of what follows from a regression or a model of non-compliance; empty for others."""
        if self.kind in TWO_SAMPLES:
            return "Prevalence and non-compliance"
        if self.kind == "effects":
            return "Average marginal effects"
        if self.kind != "predicted":
            return ""
        category = next((one.category for one in self.rows if one.category), None)
        what = "mean" if category is None else f"prevalence of {category}"
        return visible(f"Predicted {what} by {', '.join(self.by)}")

    def about(self, *, explained: bool = True) -> list[tuple[str, str]]:
        """Return (label, value) pairs: the exact value, the kind of intervals, the sample and the mechanism.

        Args:
            explained: whether to add the guarantee of every kind of interval, what the mechanism does, its levels for
                several questions, and the tests of differences.
        """
        told = []
        if len(self.rows) == 1 and isinstance(self.rows[0].estimate, Fraction):
            told.append(("exactly", as_text(self.rows[0].estimate)))
        kinds = dict.fromkeys(one.kinds[0] for one in self.rows if one.kinds)
        told.append(
            ("interval", "; ".join(SHORT.get(kind, f"{kind}: approximate for large samples") for kind in kinds))
        )
        told += [("model", TWO_SAMPLES.get(self.kind, "")), ("sample", self.sample), *self._parts_text()]
        known = self.mechanisms
        names = dict.fromkeys(one.name or "" for one in known)
        if not explained and names and all(names) and not self.words:
            words = "; ".join(names) + (f", epsilon = {both_texts(known[0].epsilon)}" if len(known) == 1 else "")
        else:
            words = self.mechanism
        told.append(("mechanism", words))
        compared = self.compared()
        if equal := self._equal_text(compared):
            told.append(("all equal", equal))
            if not explained and any(each.differences for each in compared):
                told[-1] = ("all equal", f"{equal}; differences: --explain, explain()")
        if not explained:
            return [(what, text) for what, text in told if text]
        if methods := dict.fromkeys(one.method for each in compared for one in each.differences):
            texts = [f"{method}: {GUARANTEES.get(method, NOT_PROVED)}" for method in methods]
            told.append(("differences", "; ".join(texts)))
        return [(what, text) for what, text in [*told, *self._levels_text()] if text]

    def _explained(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs: the guarantee of each kind of interval, and the errors with divisor n - 1."""
        found: dict[str, str] = {}
        for one in self.rows:
            for kind in one.kinds:
                if kind not in found and (ends := one._interval(self.confidence, kind)) is not None:
                    found[kind] = ends.guarantee
        return [*found.items(), *self._unbiased_text()]

    def _unbiased_text(self) -> list[tuple[str, str]]:
        """Return the standard errors of estimates from counts whose variance is divided by n - 1, not by n."""
        basis = self.rows[0].basis if self.rows else None
        if self.counted is None or not isinstance(basis, CountsBasis):
            return []
        variances = [basis.found.unbiased_variance(c) for c in basis.contrasts[:_FEWEST]]
        errors = ["none" if one is None else decimal_text(square_root(one), 5) for one in variances]
        return [("se, n - 1", ", ".join(errors) + ", ..." * (len(basis.contrasts) > _FEWEST))]

    def _levels_text(self) -> list[tuple[str, str]]:
        """Return the privacy levels of several questions, and the largest factor by which errors can grow."""
        products = [one for one in self.mechanisms if isinstance(one, ProductMechanism) and len(one.factors) > 1]
        if not products:
            return []
        levels = [question_levels(one) for one in products]
        told = []
        for name in ("whole_answer", "worst_question"):
            largest = max((getattr(one, name) for one in levels), key=float)
            told.append((name.replace("_", " "), f"epsilon = {both_texts(largest, 6)}"))
        if is_in_full() and self.rows and self.sample == SIMPLE:
            order = max(self._order(one) for one in self.rows)
            grow = both_texts(max(one.condition(questions=order) for one in products), 6)
            told.append(("condition number", f"{grow}: the largest factor by which errors of proportions can grow"))
        return told

    def _order(self, one: Estimate) -> int:
        """Return the number of questions of the table to which a row belongs."""
        return 1 if one.question in self.questions else min((one.question or "").count(", ") + 1, len(self.questions))

    def _parts_text(self) -> list[tuple[str, str]]:
        """Return the standard errors of sampling and of the device, of one estimate in a finite population."""
        one = self.rows[0] if self.rows else None
        if one is None or self.population is None or one.se is None or one.device_se is None:
            return []
        places, sampling = decimal_places(one.se), one.se**2 - one.device_se**2
        if sampling < -NOISE * one.se**2:  # unbiased, hence possibly negative
            return [("se of the device", rounded(one.device_se, places))]
        parts = sqrt(max(sampling, 0.0)), one.device_se
        return [("se of sampling, device", ", ".join(rounded(part, places) for part in parts))]

    def _equal_text(self, compared: Sequence[GroupComparison]) -> str:
        """Return the p-values of the tests that groups are equal; empty without one."""
        found = [each for each in compared if each.equality_p is not None]
        several = {each.question for each in found if each.category != found[0].category}
        texts = []
        for each in found:
            of = each.question if len(self.questions) > 1 else "", each.category if each.question in several else ""
            what = visible(": ".join(filter(None, of)))
            texts.append(f"{what} {p_in_words(each.equality_p or 0.0)}".strip())
        kinds = {"exact" if each.equality is not None else "approximate" for each in found}
        return f"{'; '.join(texts)} ({' or '.join(sorted(kinds))})" if texts else ""

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs: each estimate with its interval, then ``about``."""
        _, header, rows = self._table(self.confidence, _SHOWN)
        assert header is not None
        told = [(row[0], f"{row[2]} (se {row[3]}), {header[4]}: {row[4]}") for row in rows if row[2]]
        return [*told, *self.about()]

    def as_tables(self) -> list[Table]:
        """Return the printed tables: the estimates, then what stands behind them."""
        most = len(self.rows) if is_in_full() else _SHOWN
        return [self._table(self.confidence, most), ("", None, self.about(explained=False))]

    def first_table(self, most: int) -> Table:
        """Return the table of the estimates with at most so many rows."""
        return self._table(self.confidence, most)

    def explained_tables(self) -> list[Table]:
        """Return the tables with the intervals of every kind, totals, differences of groups, and all of ``about``."""
        most = len(self.rows) if is_in_full() else _SHOWN
        tables = [self._table(self.confidence, most, every=True)]
        if self.rows and all(one.total is not None for one in self.rows):
            _, header, rows = self.totals._table(self.confidence, most)
            tables.append(("Totals", header, rows))
        if self.kind in _COMPARED and (found := self.difference_rows()):
            tables.append(_table_of_differences(found, self.confidence, most))
        return [*tables, ("About the estimates", None, [*self.about(), *self._explained()])]

    def explain(self, *, width: int | None = None, exact: bool = False) -> str:
        """Return ``summary`` with the intervals of every kind, totals, differences, and what each number means.

        Args:
            width, exact: as for ``summary``.
        """
        with in_full(exact):
            return tables_as_text(self.explained_tables(), width)

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        _, header, rows = self._table(self.confidence, _FEWEST)
        assert header is not None
        widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
        lines = [
            "  ".join(
                cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
            )
            for row in (header, *rows)
        ]
        return "\n".join(line.rstrip() for line in lines)

    @clear_calls
    def plot(self, share: str | None = None, *, size: str = "paper", ax: Any = None) -> Figure:
        """Return a picture of one proportion, of the mean of a number, or of a contrast, in all groups.

        Args:
            share: the name of the proportion; by default the first one. Not for a mean or a contrast.
            size, ax: as for ``region``.

        Raises:
            InvalidParameterError: no such share, or too many groups.
        """
        from rropt.plots.draw_surveys import groups

        return groups(self, share, size=size, ax=ax)


def _guarantee(one: Estimate, kind: str) -> str:
    """Return what a kind of interval guarantees for an estimate."""
    if one.weight is None and kind in INTERVAL_KINDS:
        return INTERVAL_KINDS[kind].guarantee  # of a complex survey Wilson's interval is another one
    return GUARANTEES.get(kind, NOT_PROVED)


def _places(one: Estimate, level: Fraction) -> int | None:
    """Return the decimal place that the standard error of an estimate requires.

    If the standard error is 0 because all responses are equal, or there is none, the width of the interval replaces it;
    if that is 0 too, the standard error of a weighted proportion that is due to the device does.
    """
    is_weighted = one.weight is not None
    if (one.se or 0.0) > is_weighted * NOISE * max(1.0, abs(float(one.estimate))):
        return decimal_places(one.se)
    ends = one._interval(level, None)
    errors = 0.0 if ends is None else float(ends.upper - ends.lower) / 4, (one.device_se or 0.0) * is_weighted
    return decimal_places(next((error for error in errors if error > NOISE), None))


def _table_of_differences(found: Sequence[Mapping[str, Any]], level: Fraction, most: int) -> Table:
    """Return the table of the differences of groups, from their rows."""
    header = ("", "estimate", "se", f"{decimal_text(100 * level)} % interval", "all together", "p", "adjusted")
    several = len({(one.get("question"), one.get("category")) for one in found}) > 1
    rows: list[tuple[str, ...]] = []
    for one in found[:most]:
        of = ": ".join(filter(None, (one.get("question"), one.get("category")))) * several
        places = decimal_places(one["se"])
        ends = ((one.get(low), one.get(high)) for low, high in (("low", "high"), ("low_at_once", "high_at_once")))
        told = ["none" if low is None or high is None else interval_of_digits(low, high, places) for low, high in ends]
        tests = ["none" if (p := one.get(name)) is None else p_text(p) for name in ("p_value", "p_adjusted")]
        name = visible(f"{one['first']} - {one['second']}" + f" ({of})" * bool(of))
        error = "none" if one["se"] is None else rounded(one["se"], places)
        rows.append((name, rounded(one["estimate"], places), error, *told, *tests))
    if left := len(found) - len(rows):
        rows.append((f"and {left} more", *[""] * (len(header) - 1)))
    return "Differences", header, rows


def _interval_text(one: Estimate, level: Fraction, kind: str | None, places: int | None) -> str:
    ends = one._interval(level, kind) if kind is None or kind in one.kinds else None
    return "none" if ends is None or ends.emptied else interval_of_digits(ends.lower, ends.upper, places)


def _combination_text(weights: Mapping[Any, object]) -> str:
    parts = []
    for key, weight in weights.items():
        number = rational(weight)
        name = ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)
        sign = "-" if number < 0 else "+"
        size = "" if abs(number) == 1 else f"{as_text(abs(number))} "
        parts.append(f"{sign} {size}{name}")
    text = " ".join(parts)
    return text[2:] if text.startswith("+ ") else text.replace("- ", "-", 1)


def _plain(value: Any) -> Any:
    """Return a value for JSON: a fraction as text, an infinite or missing number as None."""
    if type(value) is float:
        return value if isfinite(value) else None
    if value is None or type(value) in (str, int):
        return value
    return as_text(value) if isinstance(value, Fraction) else value


def _record(one: Estimate, level: Fraction, at_once: Fraction | None, known: dict[Any, Any]) -> dict[str, Any]:
    """Return an estimate for JSON, with its intervals of each kind; equal estimates share their numbers.

    Args:
        one: the estimate.
        level: the confidence of an interval by itself.
        at_once: the confidence of an interval if all hold together (Bonferroni); ``None`` if there is no other one.
        known: the numbers and intervals of the estimates before; those with equal numbers share theirs.
    """
    row = {name: value for name in _NAMED if (value := getattr(one, name)) is not None}
    key = None if one.basis is None else (id(one.basis), one.basis.shared(one.place))
    if key not in known:
        ends = {kind: _ends_record(one, kind, level) for kind in one.kinds}
        own = {name: value for name in _NUMBERED if (value := _plain(getattr(one, name))) is not None}
        own["intervals"] = {kind: each for kind, each in ends.items() if each is not None}
        if at_once is not None and own["intervals"]:
            recommended = next(iter(own["intervals"]))
            own["simultaneous"] = {recommended: _ends_record(one, recommended, at_once)}
        known[key] = own
    row |= known[key]
    if (total := one.total) is not None:
        record = _record(total, level, None, {})
        row["total"] = {name: record[name] for name in ("estimate", "se", "device_se", "intervals")}
    return row


def _ends_record(one: Estimate, kind: str, level: Fraction) -> list[Any] | None:
    ends = None if one.basis is None else one.basis.ends(one.place, kind, level)
    return None if ends is None else [_plain(end) for end in ends]


def _require_covariance(known: Sequence[Sequence[Any]], rows: Sequence[Estimate]) -> None:
    """Raise an error if a covariance is not that of the rows: one number for each pair, and the square of each se."""
    if {len(known), *map(len, known)} != {len(rows)}:
        raise FileFormatError(
            f"the covariance does not fit: received {len(known)} rows of {sorted({*map(len, known)})} numbers; allowed "
            f"are {len(rows)} of {len(rows)}"
        )
    for place, (own, across) in enumerate(zip(known, zip(*known, strict=True), strict=True)):
        if tuple(own) != across:
            other = next(j for j, (one, two) in enumerate(zip(own, across, strict=True)) if one != two)
            raise FileFormatError(
                f"the covariance does not fit: received {own[other]} and {across[other]} of the estimates "
                f"{place + 1} and {other + 1}; allowed is a symmetric matrix"
            )
        se, variance = rows[place].se, own[place]
        if (
            variance is not None
            and se is not None
            and not isclose(max(float(variance), 0.0), se**2, rel_tol=_OF_A_ROOT, abs_tol=_OF_NO_VARIANCE)
        ):
            raise FileFormatError(
                f"the covariance does not fit: received the variance {float(variance):.6g} of "
                f"{shown(rows[place].name)}; allowed is the square of its standard error, {se**2:.6g}"
            )


def _stored(
    records: Sequence[Mapping[str, Any]],
    level: Fraction,
    compared: Mapping[str, Any],
    known: Sequence[Sequence[Any]] = (),
) -> tuple[Estimate, ...]:
    """Return the estimates of a file."""
    intervals, at_once = (
        [{kind: (_number(low), _number(high)) for kind, (low, high) in each.items()} for each in found]
        for found in ([row["intervals"] for row in records], [row.get("simultaneous", {}) for row in records])
    )
    totals = {}
    for place, row in enumerate(records):
        if "total" in row:
            record = {"name": row["name"], "n": row["n"], **row["total"]}
            totals[place] = replace(_stored([record], level, {})[0], device_se=_number(record.get("device_se")))
    basis, rows = Stored(intervals, at_once, level, compared, totals, known), []
    for place, row in enumerate(records):
        own: dict[str, Any] = {name: row.get(name) for name in ("question", "category", "group", *_MORE)}
        own |= {name: _number(own[name]) for name in _MORE}
        own["df"] = _whole(own["df"])
        numbers = row["name"], _number(row["estimate"]), _number(row.get("se")), int(row["n"])
        rows.append(Estimate(*numbers, **own, basis=basis, place=place))
    return tuple(rows)


def _counted_again(
    mechanisms: Sequence[Mechanism], data: Mapping[str, Any], kind: str, rows: Sequence[Estimate]
) -> tuple[Estimate, ...]:
    """Return the estimates of a file of counts, which are computed again.

    Args:
        mechanisms: the mechanism of the file.
        data: its other contents.
        kind, rows: what it says that is estimated, and the estimates.

    Raises:
        FileFormatError: the estimates do not follow from the counts.
    """
    (device,) = mechanisms
    counts, k = answer_counts(device, [int(count) for count in data["counts"]]), device.inputs
    likely = [one.most_likely for one in rows if kind == "proportions" and one.most_likely is not None]
    if k == 2 and likely:
        likely = [1 - likely[0], likely[0]]
    found = estimate_of_counts(device, require_possible(device, counts), data.get("reference"), likely or None)
    places = [1] if k == 2 else range(k)
    contrasts = [unit(j, k) for j in places] if kind == "proportions" else [exact_contrast(data["contrast"], k)]
    own = [(found.value(c), square_root(found.variance(c)), found.n) for c in contrasts]
    stated = [(one.estimate, one.se, one.n) for one in rows]
    if own != stated:
        raise FileFormatError(
            f"the estimates do not follow from the counts: received {shown(', '.join(str(x) for x, *_ in stated))}; "
            f"allowed is {shown(', '.join(str(x) for x, *_ in own))}"
        )
    basis = CountsBasis(found, tuple(contrasts))
    return tuple(replace(one, basis=basis, place=place) for place, one in enumerate(rows))


def _memberships_again(
    mechanisms: Sequence[Mechanism], data: Mapping[str, Any], rows: Sequence[Estimate]
) -> tuple[Estimate, ...]:
    """Return the estimates of a file of counts of memberships, which are computed again.

    Args:
        mechanisms: the mechanism of the file.
        data: its other contents.
        rows: the estimates that it has.

    Raises:
        FileFormatError: the estimates do not follow from the counts.
    """
    (device,), memberships = mechanisms, [int(c) for c in data["memberships"]]
    n = rows[0].n if rows else 0
    basis = membership_basis(required_memberships(device, memberships, n), memberships, n)
    value, variance = (found[0].tolist() for found in (basis.means.value, basis.means.variance))
    errors = {x: square_root(x) for x in set(variance)}
    if [(one.estimate, one.se, one.n) for one in rows] != [
        (x, errors[y], n) for x, y in zip(value, variance, strict=True)
    ]:
        raise FileFormatError(
            f"the estimates do not follow from the memberships: received {shown(', '.join(str(x) for x in rows))}; "
            "allowed are those that `rropt estimate` wrote"
        )
    return tuple(replace(one, basis=basis, place=place) for place, one in enumerate(rows))


def _number(value: Any) -> Any:
    """Return a number of a file: a fraction is a text without a decimal point (``parse_json`` reads all as texts)."""
    if not isinstance(value, str):
        return value
    return float(value) if _DECIMAL.search(value) else rational(value, digits=MAX_ENTRY_DIGITS)


def _restored(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record of a file with its numbers; texts and exact numbers stay texts."""

    def one(key: str, value: Any) -> Any:
        if isinstance(value, list):
            return [_decimal(end) for end in value]
        if key in ("name", "question", "category", "first", "second", "method"):
            return value
        return _whole(_number(value)) if key in _INTEGERS else _decimal(value)

    return {key: one(key, value) for key, value in record.items()}


def _decimal(value: Any) -> Any:
    return float(value) if isinstance(value, str) and _DECIMAL.search(value) else value


def _whole(value: Any) -> Any:
    """Return degrees of freedom, as an integer if they are whole."""
    return int(value) if value is not None and value == int(value) and not isinstance(value, float) else value
