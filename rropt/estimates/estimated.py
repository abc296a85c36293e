"""``Estimates``: the one result of proportions, means, contrasts, totals and differences, with rows ``Estimate``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import isfinite, sqrt
from typing import Any

from rropt.core.attached_methods import with_registered_methods
from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError, one_of, shown
from rropt.core.exact import as_text, decimal_text, exact_confidence, rational
from rropt.core.exact.display import decimal_places, decimals_apart, estimate_text, p_in_words, rounded
from rropt.core.lazy import numpy as np
from rropt.core.results import Result, Table
from rropt.core.visible import visible, with_noun
from rropt.estimates.conclusions import Concluded
from rropt.estimates.estimate_bases import (
    DesignBasis,
    DifferencesBasis,
    EstimateBasis,
    Stored,
    WaldBasis,
    too_many_pairs,
)
from rropt.estimates.named_numbers import NamedNumbers
from rropt.inference.confidence_intervals import DEFAULT_CONFIDENCE, Interval
from rropt.inference.differences import DIFFERENCE_TESTS, Test, bonferroni, p_text, p_value
from rropt.inference.interval_kinds import INTERVAL_KINDS, is_empty
from rropt.inference.proportion_intervals import PROPORTION_INTERVALS

NOT_PROVED = "approximate for large samples; no guarantee"
GUARANTEES = {
    **{name: kind.guarantee for name, kind in INTERVAL_KINDS.items()},
    **{name: kind.guarantee for name, kind in PROPORTION_INTERVALS.items()},
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
_INTEGERS = ("n", "df", "degrees_of_freedom", "denominator")
_DECIMAL = re.compile(r"[.eE]")
_COMPARED = ("proportions", "mean", "contrast")  # kinds whose groups are compared
KINDS = ("proportions", "mean", "contrast", "totals", "differences")
_NAMED = 3  # differences in a conclusion
_FEWEST = 12  # rows in a repr
_SHOWN = 40  # rows that a summary prints, unless all numbers are asked for in full
_VERSION = 1
SIMPLE = "simple random sample"
_COLUMNS = ("name", "question", "category", "group", "n", "estimate", "se", "low", "high", "interval")
_MORE = ("device_se", "df", "deff", "weight", "most_likely", "p_value")


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
        df: the degrees of freedom; ``None`` for the normal distribution.
        deff: the design effect, the variance divided by that of as many draws with replacement.
        weight: the sum of the weights.
        most_likely: the maximum likelihood estimate of a proportion, within [0, 1].
        p_value: the p-value of a difference: that of the test that it is 0.
    """

    name: str
    estimate: Fraction | float
    se: float | None
    n: int
    question: str | None = None
    category: str | None = None
    group: str | None = None
    device_se: float | None = None
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
        ends = self.basis.ends(self.place, chosen, level)
        if ends is None:
            return None
        low, high = ends
        emptied = low == high and is_empty(float(low), float(high), self.estimate)
        return Interval(chosen, low, high, level, (high - low) / 2, GUARANTEES.get(chosen, NOT_PROVED), emptied=emptied)

    def test(self, value: object = 0) -> float:
        """Return the two-sided p-value of the test that the estimated number is a given one (Wald, or Student's t)."""
        gap = float(self.estimate) - float(rational(value, name="value"))
        if not self.se:
            raise InvalidParameterError(
                f"{shown(self.name)} has no standard error: received {self.se}; it is not tested"
            )
        return p_value(gap / self.se, self.df)

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


@with_registered_methods
@dataclass(frozen=True, slots=True)
class Estimates(Result, Concluded):
    """Estimates with their precision: a sequence of ``Estimate``.

    A row is found by number, by name, by group, or by (group, category). Vectors have the names of statsmodels.

    Attributes:
        kind: what is estimated: ``proportions``, ``mean``, ``contrast``, ``totals`` or ``differences``.
        rows: the estimates.
        questions, by: the questions, and the columns that define the groups.
        mechanism: the mechanisms in words.
        sample: the sampling design in words.
        remarks_: remarks on the estimates, as sentences.
        confidence: the confidence of the intervals, where no other one is asked for.
        overall: the estimates of all groups together; empty without groups.
        all_intervals: whether to print the intervals of every kind or only the recommended ones.
    """

    kind: str
    rows: tuple[Estimate, ...]
    questions: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    mechanism: str = ""
    sample: str = SIMPLE
    remarks_: tuple[str, ...] = ()
    confidence: Fraction = DEFAULT_CONFIDENCE
    overall: tuple[Estimate, ...] = ()
    all_intervals: bool = field(default=False, compare=False, repr=False)

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
    def estimate(self) -> Fraction | float:
        """The estimate, if there is one only."""
        return self._single("estimate").estimate

    @property
    def se(self) -> float | None:
        """Its standard error."""
        return self._single("se").se

    def __float__(self) -> float:
        return float(self._single("float").estimate)

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
    def pvalues(self) -> NamedNumbers:
        """The p-values by name: of differences those of their tests, of other estimates that they are 0."""
        is_test = self.kind == "differences"
        return NamedNumbers(self._names, [one.p_value if is_test or not one.se else one.test(0) for one in self.rows])

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

    def contrast(self, weights: Mapping[Any, object]) -> Estimates:
        """Return a linear combination of the estimates, as ``svycontrast`` in R.

        Args:
            weights: the weight of each estimate, by its name or another key of a row.

        >>> from rropt.answers.responses import Responses
        >>> found = Responses.from_counts([50, 30, 20], "grr:3,1/2", categories=["no", "once", "often"]).proportions()
        >>> found.contrast({"often": 1, "once": -1}).estimate
        Fraction(-2, 5)
        """
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
        told: dict[str, Any] = {"confidence": self.confidence}
        return Estimates(kind, tuple(rows), self.questions, self.by, self.mechanism, self.sample, **told)

    def _compared(self) -> list[tuple[int, ...]]:
        """Return for each question and category the places of its groups."""
        sets: dict[Any, list[int]] = {}
        for one in self.rows:
            sets.setdefault((one.question, one.category), []).append(one.place)
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

    def differences(self, *, test: str = "score") -> Estimates:
        """Return the difference of each pair of groups, with its test.

        Args:
            test: for groups that used one device in a simple random sample, ``"score"`` (Miettinen and Nurminen) or
                ``"exact"`` (unconditional); other differences have Wald's test, those of means Welch's.
        """
        one_of(test, DIFFERENCE_TESTS, "`test`")
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

    def test_equal(self, *, test: str = "score") -> Test | None:
        """Return the test that the groups are equal; ``None`` if the sample does not determine it.

        It is chi-squared for a simple random sample, an F test for means, the adjusted Wald test in a complex survey.
        """
        sets = self._compared()
        if len(sets) > 1:
            raise InvalidParameterError(
                f"the test is of one category: received {len(sets)}; choose one by result.only(category=...)"
            )
        return self._basis("test").equality(sets[0], test)

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
        basis = self._basis("totals")
        if not isinstance(basis, DesignBasis) or basis.estimand != "proportion":
            raise InvalidParameterError(
                "totals need a sample with weights: received a simple random sample, or a mean; give data=Sample(...)"
            )
        own = basis.totals()
        K, rows = len(own.columns), []
        for one in self.rows:
            g, k = divmod(one.place, K)
            found = own.moments(own.columns[k])
            errors = sqrt(max(found.variance[g], 0.0)), sqrt(max(found.device[g], 0.0))
            same = {name: getattr(one, name) for name in ("question", "category", "group", "df", "weight")}
            more = {**same, "device_se": errors[1], "basis": own, "place": one.place}
            rows.append(Estimate(one.name, float(found.value[g]), errors[0], one.n, **more))
        return self._made("totals", rows)

    # rows, tables and files

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each estimate; columns without a value are left out."""
        return self._frame_rows(self.confidence, None)

    def _frame_rows(self, level: Fraction, kind: str | None) -> list[dict[str, Any]]:
        rows = []
        for one in self.rows:
            ends = one._interval(level, kind)
            low, high = (None, None) if ends is None or ends.emptied else map(float, (ends.lower, ends.upper))
            row: dict[str, Any] = {"name": one.name, "question": one.question, "category": one.category}
            row |= {"group": one.group, "n": one.n, "estimate": float(one.estimate), "se": one.se}
            row |= {"low": low, "high": high, "interval": None if ends is None else ends.kind}
            for name in _MORE:
                value = getattr(one, name)
                row[name] = float(value) if isinstance(value, Fraction) else value
            rows.append(row)
        used = [name for name in (*_COLUMNS, *_MORE) if any(row[name] is not None for row in rows)]
        return [{name: row[name] for name in used} for row in rows]

    def to_dicts(self, *, confidence: object = None, kind: str | None = None) -> list[dict[str, Any]]:
        """Return one dictionary for each estimate, as for ``polars.DataFrame``."""
        return self._frame_rows(self._level(confidence), kind)

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
        level = self._level(confidence)
        made: dict[str, Any] = {"rropt": "estimates", "version": _VERSION, "kind": self.kind}
        made |= {"questions": list(self.questions), "by": list(self.by), "mechanism": self.mechanism}
        made |= {
            "sample": self.sample,
            "confidence": as_text(level),
            "rows": [_record(one, level) for one in self.rows],
        }
        if self.overall:
            made["overall"] = [_record(one, level) for one in self.overall]
        return made | self._comparisons(level) | {"remarks": list(self.remarks_)}

    def _parts(self) -> list[Estimates]:
        """Return the estimates of each question, if they have several groups that can be compared; else none."""
        if self.kind not in _COMPARED or any(one.group is None for one in self.rows):
            return []
        by_basis: dict[int, list[Estimate]] = {}
        for one in self.rows:
            by_basis.setdefault(id(one.basis), []).append(one)
        groups = {len({one.group for one in rows}) for rows in by_basis.values()}
        if any(size < 2 or too_many_pairs(size) for size in groups):
            return []
        return [replace(self, rows=tuple(rows)) for rows in by_basis.values()]

    def _comparisons(self, level: Fraction) -> dict[str, Any]:
        """Return the differences of groups and the tests that they are equal, for JSON."""
        basis = self.rows[0].basis if self.rows else None
        if isinstance(basis, Stored):
            return dict(basis.comparisons)
        parts = self._parts()
        if not parts:
            return {}
        found = [part.differences() for part in parts]
        equal = [
            {"question": question, "category": category, **test.to_dict()}
            for part in parts
            for (question, category), test in part._tests().items()
            if test is not None
        ]
        for one in equal:
            one.pop("decimals", None)
        records = [_record(one, level) for own in found for one in own.rows]
        return {"differences": records, **({"equal": equal} if equal else {})}

    def _tests(self, test: str = "score") -> dict[tuple[str | None, str | None], Test | None]:
        """Return the test that the groups are equal, for each question and category."""
        basis, by_place = self._basis("test"), {one.place: one for one in self.rows}
        heads = [(by_place[own[0]], own) for own in self._compared()]
        return {(one.question, one.category): basis.equality(own, test) for one, own in heads}

    def difference_rows(self) -> list[dict[str, Any]]:
        """Return one row for each pair of groups: the difference, its interval, p, and p adjusted (Bonferroni)."""
        rows = []
        for part in self._parts():
            found = part.differences()
            adjusted = found.adjusted_pvalues
            for one, row, after in zip(found.rows, found._frame_rows(self.confidence, None), adjusted, strict=True):
                ends = one._interval(1 - (1 - self.confidence) / len(found), None)
                low, high = (None, None) if ends is None else map(float, (ends.lower, ends.upper))
                rows.append({**row, "p_adjusted": after, "low_at_once": low, "high_at_once": high})
        return rows

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
        level = exact_confidence(data["confidence"])
        compared = {key: [_restored(one) for one in data[key]] for key in ("differences", "equal") if key in data}
        rows, overall = (_stored(data.get(key, ()), level, compared) for key in ("rows", "overall"))
        texts = (tuple(data["questions"]), tuple(data["by"]), data["mechanism"], data["sample"], tuple(data["remarks"]))
        kind = one_of(data["kind"], KINDS, "the kind of estimates")
        return cls(kind, rows, *texts, confidence=level, overall=overall)

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks on the estimates, as sentences."""
        return self.remarks_

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return the mean in words, and the differences of groups that the tests establish; else nothing.

        Args:
            unit, population: not used: a mean is not a number of people.
        """
        if self.kind != "mean":
            return ""
        whole = (self.overall or self.rows)[0]
        places, ends = decimal_places(whole.se), whole._interval(self.confidence, None)
        told = f"The mean of {visible(whole.question or '') or 'the number'} is about {rounded(whole.estimate, places)}"
        if ends is not None and whole.se is not None:
            told += f" ({decimal_text(100 * self.confidence)} % interval: {_ends_text(ends, places)})"
        return " ".join([f"{told}.", *self._established()])

    def _established(self) -> Iterator[str]:
        """Yield the differences of groups that the tests establish, at one minus the confidence over all pairs."""
        tested = [one for one in self._compared_rows() if one.p_value is not None]
        adjusted = bonferroni([one.p_value for one in tested]).tolist()  # type: ignore[misc]
        level, groups = 1 - self.confidence, [one.group or "" for one in self.rows]
        pairs = {f"{one} - {other}": (one, other) for one, other in combinations(groups, 2)}
        found = [
            (p, one) for p, one in sorted(zip(adjusted, tested, strict=True), key=lambda each: each[0]) if p <= level
        ]
        for p, one in found[:_NAMED]:
            high, low = pairs[one.name]
            if one.estimate < 0:
                high, low = low, high
            by = rounded(abs(float(one.estimate)), decimal_places(one.se))
            why = f"approximate {p_in_words(p)}, adjusted over the pairs of groups"
            yield f"{visible(high)} is above {visible(low)}, by about {by} ({why})."
        if tested and not found:
            least = decimal_text(min(adjusted), 3)
            yield f"The tests do not establish a difference between groups (smallest adjusted p = {least})."

    def _compared_rows(self) -> Sequence[Estimate]:
        """Return the differences of groups; those of a file as it has them."""
        basis = self.rows[0].basis if self.rows else None
        if isinstance(basis, Stored):
            return _stored(basis.comparisons.get("differences", ()), self.confidence, {})
        return [one for part in self._parts() for one in part.differences().rows]

    def _table(self, level: Fraction, most: int) -> Table:
        """Return the table of the estimates, all numbers of a row to the second digit of its standard error."""
        is_test = self.kind == "differences"
        kinds: tuple[str | None, ...] = (None,)
        heads = [f"{decimal_text(100 * level)} % interval"]
        if self.all_intervals:
            kinds = tuple(dict.fromkeys(kind for one in self.rows for kind in one.kinds))
            heads = [f"{decimal_text(100 * level)} % {kind}" for kind in kinds]
        header = ("", "n", "estimate", "se", *heads, *["p"] * is_test)
        rows: list[tuple[str, ...]] = []
        for one in self.rows[:most]:
            places = decimal_places(one.se)
            row: tuple[str, ...] = (visible(one.name), f"{one.n}", rounded(one.estimate, places))
            row += ("none" if one.se is None else rounded(one.se, places),)
            row += tuple(_interval_text(one, level, kind, places) for kind in kinds)
            rows.append((*row, *["none" if one.p_value is None else p_text(one.p_value)] * is_test))
        left = len(self.rows) - len(rows)
        if left:
            rows.append((f"and {left} more", *[""] * (len(header) - 1)))
        return "", header, rows

    def about(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs: the exact value, the kind of intervals, the sample and the mechanism."""
        told = []
        if len(self.rows) == 1 and isinstance(self.rows[0].estimate, Fraction):
            told.append(("exactly", as_text(self.rows[0].estimate)))
        kinds = dict.fromkeys(one.kinds[0] for one in self.rows if one.kinds)
        told.append(
            ("interval", "; ".join(SHORT.get(kind, f"{kind}: approximate for large samples") for kind in kinds))
        )
        told += [("sample", self.sample), ("mechanism", self.mechanism)]
        if equal := self._equal_text():
            told.append(("all equal", f"{equal} (approximate); differences: --json, --pairs-csv"))
        return told

    def _equal_text(self) -> str:
        """Return the p-values of the tests that groups are equal; empty without one."""
        basis = self.rows[0].basis if self.rows else None
        if isinstance(basis, Stored):
            found = [
                (one.get("question"), one.get("category"), float(one["p_value"]))
                for one in basis.comparisons.get("equal", ())
            ]
        else:
            tests = [each for part in self._parts() for each in part._tests().items()]
            found = [(*key, test.p_value) for key, test in tests if test is not None]
        texts = []
        for question, category, p in found:
            what = ": ".join(filter(None, (question if len(self.questions) > 1 else "", category)))
            texts.append(f"{visible(what)} {p_in_words(p)}" if len(found) > 1 else p_in_words(p))
        return "; ".join(texts)

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs: each estimate with its interval, then ``about``."""
        _, header, rows = self._table(self.confidence, _SHOWN)
        assert header is not None
        told = [(row[0], f"{row[2]} (se {row[3]}), {header[4]}: {row[4]}") for row in rows if row[2]]
        return [*told, *((what, text) for what, text in self.about() if text)]

    def as_tables(self) -> list[Table]:
        """Return the printed tables: the estimates, then what stands behind them."""
        from rropt.core.exact.display import is_in_full

        most = len(self.rows) if is_in_full() else _SHOWN
        return [self._table(self.confidence, most), ("", None, [line for line in self.about() if line[1]])]

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


def _interval_text(one: Estimate, level: Fraction, kind: str | None, places: int | None) -> str:
    ends = one._interval(level, kind) if kind is None or kind in one.kinds else None
    return "none" if ends is None or ends.emptied else _ends_text(ends, places)


def _ends_text(ends: Interval, places: int | None) -> str:
    texts = rounded(ends.lower, places), rounded(ends.upper, places)
    return " to ".join(
        decimals_apart(ends.lower, ends.upper) if texts[0] == texts[1] != "" and ends.lower != ends.upper else texts
    )


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
    if isinstance(value, Fraction):
        return as_text(value)
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value


def _record(one: Estimate, level: Fraction) -> dict[str, Any]:
    """Return an estimate for JSON, with its intervals of each kind."""
    names = ("name", "question", "category", "group", "n", "estimate", "se", *_MORE)
    row = {name: value for name in names if (value := _plain(getattr(one, name))) is not None}
    intervals = {}
    for kind in one.kinds:
        ends = one._interval(level, kind)
        if ends is not None:
            intervals[kind] = [_plain(ends.lower), _plain(ends.upper)]
    return {**row, "intervals": intervals}


def _stored(records: Sequence[Mapping[str, Any]], level: Fraction, compared: Mapping[str, Any]) -> tuple[Estimate, ...]:
    """Return the estimates of a file."""
    intervals = [
        {kind: (_number(low), _number(high)) for kind, (low, high) in row["intervals"].items()} for row in records
    ]
    basis, rows = Stored(intervals, level, compared), []
    for place, row in enumerate(records):
        own = {name: row.get(name) for name in ("question", "category", "group", *_MORE)}
        own |= {name: _number(own[name]) for name in _MORE}
        own["df"] = _whole(own["df"])
        numbers = row["name"], _number(row["estimate"]), _number(row.get("se")), int(row["n"])
        rows.append(Estimate(*numbers, **own, basis=basis, place=place))
    return tuple(rows)


def _number(value: Any) -> Any:
    """Return a number of a file: a fraction is a text without a decimal point (``parse_json`` reads all as texts)."""
    if not isinstance(value, str):
        return value
    return float(value) if _DECIMAL.search(value) else rational(value)


def _restored(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record of a file with its numbers; texts and exact numbers stay texts."""

    def one(key: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: [_decimal(end) for end in ends] for name, ends in value.items()}
        if key in ("name", "question", "category", "group"):
            return value
        return _whole(_number(value)) if key in _INTEGERS else _decimal(value)

    return {key: one(key, value) for key, value in record.items()}


def _decimal(value: Any) -> Any:
    return float(value) if isinstance(value, str) and _DECIMAL.search(value) else value


def _whole(value: Any) -> Any:
    """Return degrees of freedom, as an integer if they are whole."""
    return int(value) if value is not None and value == int(value) and not isinstance(value, float) else value


def notes(estimates: Sequence[Estimate]) -> tuple[str, ...]:
    """Return the remarks that follow from the numbers of estimates of proportions."""
    told = []
    outside = [one.name for one in estimates if not -1e-9 <= float(one.estimate) <= 1 + 1e-9]
    if outside:
        told.append(f"estimates outside [0, 1]: {_few(outside)}: they are unbiased only if left as they are")
    equal = [one.name for one in estimates if one.se == 0]
    if equal:
        told.append(
            f"{with_noun(len(equal), 'standard error is', 'standard errors are')} 0, because all responses are equal "
            f"({_few(equal)}): it does not measure the error"
        )
    return tuple(told)


def mean_notes(estimates: Sequence[Estimate], overall: Sequence[Estimate]) -> tuple[str, ...]:
    """Return the remark on groups whose reports are all equal: their standard error is no measure of the error.

    Args:
        estimates, overall: the estimates of the groups, and of all groups together.
    """
    equal = [  # weighted means of equal numbers differ in last digits
        one for one in (*estimates, *overall) if one.se is not None and one.se <= 1e-9 * (one.device_se or 0.0)
    ]
    if not equal:
        return ()
    where = f" in {shown(', '.join(one.group or 'all' for one in equal))}" if overall else ""
    own, is_simple = equal[0].device_se, equal[0].weight is None
    device = f", of which the device alone has about {rounded(own, decimal_places(own))}" if own else ""
    told = (
        f"the reports are all equal{where}: the standard error 0 and its t-interval state nothing about the error of "
        f"the mean{device}; check the reports" + ", and use the guaranteed interval" * is_simple
    )
    if len(estimates) > 1:
        told += (
            "; differences of groups are not tested"
            if is_simple
            else ("; the differences of these groups from others are not tested")
        )
    return (told,)


def _few(names: Sequence[str]) -> str:
    return ", ".join(map(shown, names[:5])) + ", ..." * (len(names) > 5)
