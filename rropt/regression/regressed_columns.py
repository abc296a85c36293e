"""``regress`` and ``Responses.regress``: regressions of the true answer from columns, which a frame or arrays have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.answers.data_columns import column, names_of_columns, plain_values, require_rows
from rropt.answers.response_codes import MISSING
from rropt.answers.responses import Responses
from rropt.answers.samples import Sample, with_design
from rropt.answers.table_reports import Gap, TableReading
from rropt.core.argument_checks import clear_calls, require_given, require_lists, require_texts
from rropt.core.errors import InvalidParameterError, one_of, shown
from rropt.core.normal_form import text_of
from rropt.core.random_numbers import RandomSource
from rropt.inference.drawn_samples import described, drawn
from rropt.mechanisms import Mechanism
from rropt.mechanisms.named.design import has_other_responses
from rropt.mechanisms.words import TRAIT
from rropt.regression.asked_regressions import AskedRegression, KnownRespondents, RegressionOptions
from rropt.regression.covariate_columns import covariate_column, covariate_columns
from rropt.regression.formula_texts import parse
from rropt.regression.models import device_responses
from rropt.regression.regressions import Regression
from rropt.regression.rows_of_fits import TableRows

COV_TYPES = ("observed", "expected", "outer-product", "sandwich", "design", "shrunk")
_EXPECTED = ":expected"


@dataclass(frozen=True, slots=True)
class Search:
    """How the maximum of the likelihood is searched for.

    Attributes:
        start: the starting values of the coefficients.
        starts: the number of searches; ``None``: 20, or 10 with more than 5000 rows, of which random ones use 5000. Of
            a mixed model: 5, or 2 with more than 3000 rows.
        rng: the seed of the random starting values, or a NumPy ``Generator``.
    """

    start: Sequence[float] | None = None
    starts: int | None = None
    rng: RandomSource = 0


@clear_calls
def regress(
    formula: Any,
    data: Any,
    mechanism: Mechanism | str | Mapping[str, Mechanism | str] | None = None,
    *,
    assigned: Any = None,
    labels: Any = None,
    model: str = "logit",
    method: str = "ml",
    cov_type: str | None = None,
    randomized: Mapping[str, Mechanism | str] | None = None,
    random: str | None = None,
    contrast: Sequence[object] | None = None,
    search: Search | None = None,
) -> Regression:
    """Fit a regression of the true answer to a question whose responses are randomized.

    The probability of a row's response z is ``sum_x P[z, x] pi_x(eta)``. Here P is the matrix of the row's device, and
    pi is the model of the truth x. The estimate is the proper maximum of the likelihood nearest to the corrected
    estimate, which is consistent; if a search reaches a higher value elsewhere or at infinity, a note reports it.

    Args:
        formula: ``"sick ~ region * age"``: columns, ``+ - * : / ^``, ``C(x, Treatment("a"))``, ``C(x, levels=["a",
            "b"])``, comparisons such as ``(age >= 18)``, I, log, log10, log2, log1p, exp, expm1, sqrt, abs, center,
            scale. Nothing else is computed. Or the responses themselves, shape (rows,); then ``data`` are the
            covariates. A column that is a combination of those before it is left out, with a note.
        data: a frame of any library, a dictionary of arrays, what ``rropt_fieldwork.read`` returns, or a ``Sample``: a
            frame with its sampling design; or covariates: a frame, or an array of shape (rows, p), to which the
            intercept is added.
        mechanism: the mechanism of all respondents, or its text form; with ``assigned``, a mapping from names to
            mechanisms; ``None`` with ``randomized``: the outcome was asked directly.
        assigned: the column that names the mechanism of each respondent.
        labels: the responses as they are written in the data, in the order of the outputs.
        model: the model of the truth: ``logit``, ``probit``, ``linear`` (least squares of the debiased responses), for
            k ordered categories ``ordinal-logit`` or ``ordinal-probit``, for unordered ones ``multinomial``.
        method: ``ml`` for maximum likelihood, or ``corrected`` for the convex corrected loss (logit, multinomial).
        cov_type: the standard errors: ``observed``, ``expected``, ``outer-product`` or ``sandwich``; of a ``Sample``
            ``design``, or ``shrunk`` (by the correction for finite populations). ``design:expected`` has the expected
            information, as ``svyglm`` in R. ``None``: ``sandwich`` for ``corrected`` and ``linear``, ``design`` for a
            ``Sample``, otherwise ``observed``.
        randomized: maps a column of the formula that is itself a randomized response to its device. The model is then
            joint, with a logistic regression of the truth of that column on the other covariates.
        random: the column of groups, such as interviewers or schools, that have a normal random intercept (logit,
            probit and ordinal models). The last coefficient is the standard deviation ``sigma(COLUMN)``.
        contrast: a sum of categories that several mechanisms determine together, as 0 and 1 for each category: (0, 1,
            0, 1) for a trait by two samples with an unrelated question (logit; any contrast with ``linear``).
        search: the starting values, the number of searches and their random numbers: ``rropt.regression.Search``.

    Rows with a missing value are left out, and the result reports their number and columns. In a ``Sample`` they remain
    members of their cluster, and so do rows of weight 0, which are no part of the fit.

    Returns:
        A ``Regression``: ``params``, ``bse``, ``conf_int()``, ``predict()`` and the other names of statsmodels, in
        units of the linear predictor (log odds for ``logit``), with the notes of the search.

    Raises:
        InvalidParameterError: the formula, a column or an option is invalid.
        InfeasibleError: there is neither a proper maximum of the likelihood nor a corrected estimate; the message names
            the group or covariate, and a direction in which the likelihood increases.

    Source: Blair, Imai and Zhou (2015), for one device and no weights; Binder (1983), for surveys; Fox, Veen and
    Klotzke (2018), for mixed models.

    >>> rows = {"z": [1] * 30 + [0] * 70 + [1] * 45 + [0] * 55, "x": [0] * 100 + [1] * 100}
    >>> found = regress("z ~ x", rows, "forced:2/3,1/6,1/6")
    >>> {name: round(value, 4) for name, value in found.params.items()}
    {'Intercept': -1.3863, 'x': 1.084}
    """
    require_texts(model=model, method=method, random=random)
    require_lists(randomized=randomized, contrast=contrast)
    require_given(mechanism=mechanism, random=random)
    options: dict[str, Any] = {"model": model, "method": method, "cov_type": cov_type, "randomized": randomized}
    options |= {"random": random, "contrast": contrast, "search": search}
    data = with_design(data)
    if isinstance(formula, Mechanism):
        raise InvalidParameterError(
            "the formula comes first: received a mechanism; write regress(formula, data, mechanism)"
        )
    if not isinstance(formula, str):
        if mechanism is None:
            raise InvalidParameterError("the responses have no mechanism: received none; give `mechanism`")
        return regress_responses(Responses(formula, mechanism, assigned=assigned, labels=labels), data, **options)
    parsed = parse(formula)
    if mechanism is None and randomized and model == "linear":
        return _fitted(formula, None, data, **options)
    is_direct = mechanism is None
    if mechanism is None:
        if not randomized:
            raise InvalidParameterError(
                "the response has no mechanism: received none; give `mechanism`, or `randomized` if the outcome was "
                "asked directly"
            )
        mechanism = Mechanism([[1, 0], [0, 1]])
    found = Responses(parsed.response, mechanism, data=data, labels=labels, assigned=assigned)
    return _fitted(formula, found, data, is_direct=is_direct, **options)


def regress_responses(
    self: Responses,
    covariates: Any,
    *,
    model: str = "logit",
    method: str = "ml",
    cov_type: str | None = None,
    randomized: Mapping[str, Mechanism | str] | None = None,
    random: str | None = None,
    contrast: Sequence[object] | None = None,
    search: Search | None = None,
) -> Regression:
    """Fit a regression of the true answer to one question.

    Args:
        self: the responses.
        covariates: the right-hand side of a formula, ``"age + C(region)"``, with columns of the data; or the covariates
            themselves: a frame, or an array of shape (rows, p), named x1, x2, ...; the intercept is added.
        randomized: maps a covariate that is itself a randomized response to its device.
        model, method, cov_type, random, contrast, search: as for ``rropt.regress``.

    Raises:
        InvalidParameterError: there are several questions, counts or sets, or as ``rropt.regress``.

    >>> sick = Responses([1] * 30 + [0] * 70 + [1] * 45 + [0] * 55, "forced:2/3,1/6,1/6")
    >>> found = sick.regress([[0]] * 100 + [[1]] * 100)
    >>> round(found.params["x1"], 4)
    1.084
    """
    data, right = self.data, covariates
    if not isinstance(covariates, str):
        data, names = _named_columns(covariates)
        right = " + ".join(f"`{name}`" for name in names) or "1"
    options: dict[str, Any] = {"model": model, "method": method, "cov_type": cov_type, "randomized": randomized}
    options |= {"random": random, "contrast": contrast, "search": search}
    return _fitted(f"`{self.questions[0]}` ~ {right}", self, data, **options)


def _named_columns(covariates: Any) -> tuple[Any, list[str]]:
    """Return covariates as a frame, and the names of their columns."""
    if hasattr(covariates, "keys") or hasattr(covariates, "columns"):
        names = [str(one) for one in (covariates.keys() if hasattr(covariates, "keys") else covariates.columns)]
        return covariates, names
    X = np.asarray(covariates)
    if X.ndim not in (1, 2) or X.dtype.kind not in "iufb":
        raise InvalidParameterError(
            f"the covariates are no columns of numbers: received an array of shape {X.shape}; give a frame, an array "
            "of shape (rows, p), or the right-hand side of a formula"
        )
    X = X.reshape(len(X), -1)
    names = [f"x{place + 1}" for place in range(X.shape[1])]
    return dict(zip(names, X.T, strict=True)), names


def options_of_fit(
    cov_type: str | None, search: Search | None, randomized: Mapping[str, Mechanism | str] | None, **options: Any
) -> RegressionOptions:
    """Return what is fitted, and how, from the arguments of ``regress``.

    Args:
        cov_type, search, randomized: as for ``regress``.
        options: ``model``, ``method``, ``random`` and ``contrast``.

    Raises:
        InvalidParameterError: there is no such kind of standard errors, or the search is no ``Search``.
    """
    how = Search() if search is None else search
    if not isinstance(how, Search):
        raise InvalidParameterError(f"`search` is not a Search: received {shown(how)}")
    require_texts(cov_type=cov_type)
    require_given(cov_type=cov_type)
    kind, mark, information = (cov_type or "").partition(":")
    if cov_type is not None and (kind not in COV_TYPES or (mark and mark + information != _EXPECTED)):
        one_of(cov_type, (*COV_TYPES, f"design{_EXPECTED}", f"shrunk{_EXPECTED}"), "`cov_type`")
    return RegressionOptions(
        **options,
        covariates=randomized,
        standard_errors=kind or None,
        information=information or "observed",
        start=how.start,
        starts=how.starts,
        rng=how.rng,
    )


def _fitted(
    formula: str,
    found: Responses | None,
    data: Any,
    *,
    cov_type: str | None,
    search: Search | None,
    randomized: Mapping[str, Mechanism | str] | None,
    is_direct: bool = False,
    **options: Any,
) -> Regression:
    """Fit a formula to responses, or with ``None`` to an outcome that is a number."""
    asked = options_of_fit(cov_type, search, randomized, **options)
    sample = data if isinstance(data, Sample) else None if found is None else found.sample
    frame = data.data if isinstance(data, Sample) else data
    is_assigned = found is not None and len(found.devices) > 1
    one = None if found is None or is_assigned or is_direct else found.devices[0][0]
    whom = KnownRespondents(one, is_assigned, sample is not None, sample is not None and sample.stages > 0)
    posed = AskedRegression.of(formula, asked, whom)
    rows = _rows(posed, found, frame, sample, is_contrast=asked.contrast is not None)
    asked_directly = found.devices[0] if found is not None and is_direct else ()
    return posed.fitted(replace(rows, mechanisms=tuple(m for m in rows.mechanisms if m not in asked_directly)))


def _rows(
    posed: AskedRegression, found: Responses | None, data: Any, sample: Sample | None, *, is_contrast: bool
) -> TableRows:
    """Return the rows of a regression."""
    response, *randomized = posed.responses
    parts = [] if found is None else [found]
    parts += [Responses(name, posed.device, data=data) for name in randomized if posed.device is not None]
    codes_of = [_codes_of(one) for one in parts]
    lengths = {one.questions[0]: one.rows for one in parts}
    lengths |= {} if sample is None else {"the sample": sample.rows}
    lengths |= {name: len(column(data, name, "formula")) for name in posed.columns}
    count = require_rows(lengths)
    domain = None if sample is None else sample.domain
    selected = found.included if found is not None else np.ones(count, bool) if domain is None else domain
    columns, gaps = covariate_columns(data, posed.columns, posed.factors, posed.conditions, selected)
    missing: dict[str, NDArray[np.bool_]] = {}
    outcome = None
    if found is None:
        own = covariate_column(response, column(data, response, "formula"), selected)
        if own.column.levels:
            raise InvalidParameterError(
                f"the outcome contains texts: received {shown(response)} for a linear model with a randomized "
                "covariate; give a column of numbers"
            )
        outcome, gaps = own.column.values, (*gaps, *own.gaps)
        missing[response] = np.isnan(outcome)
    responses, mechanisms = [], list[Mechanism]()
    for one, codes in zip(parts, codes_of, strict=True):
        devices = [own[0] for own in one.devices]
        missing[one.questions[0]] = codes == MISSING
        gaps = (*gaps, *_response_gaps(one, missing[one.questions[0]] & selected))
        responses.append(device_responses(devices, one.device, codes, is_contrast=is_contrast))
        mechanisms += devices
    missing |= {name: missing.get(name, False) | np.isnan(columns[name].values) for name in posed.columns}
    survey = None
    if sample is not None:
        each = np.arange(count)
        made, _ = drawn(sample, each, each)
        survey = made, described(sample, made)
    return TableRows(
        columns,
        tuple(responses),
        outcome,
        _categories(parts[0]),
        tuple(str(place) for place in range(len(parts[0].devices))),
        tuple(dict.fromkeys(mechanisms)),
        missing,
        survey,
        selected,
        _reading(response, missing[response], selected, gaps),
    )


def _codes_of(found: Responses) -> NDArray[np.int64]:
    """Return the codes of the responses to one question.

    Raises:
        InvalidParameterError: there are counts, sets, or several questions.
    """
    if found.counts is not None or len(found.questions) > 1 or any(found.sets):
        raise InvalidParameterError(
            "a regression is of one question with a response in each row: received counts, several questions or sets; "
            "make the responses from one column"
        )
    return found.codes[0]


def _response_gaps(found: Responses, missing: NDArray[np.bool_]) -> tuple[Gap, ...]:
    """Return the texts of missing responses, if they are a column of a frame."""
    name = found.questions[0]
    if found.data is None or not missing.any() or name not in map(str, names_of_columns(found.data)):
        return ()
    texts = Counter(map(text_of, plain_values(column(found.data, name, "values")[missing])))
    return tuple(Gap(name, text, n) for text, n in sorted(texts.items()))


def _categories(found: Responses) -> tuple[str, ...]:
    """Return the names of the categories, or their numbers."""
    devices = [own[0] for own in found.devices]
    k = devices[0].inputs
    if any(map(has_other_responses, devices)) and not devices[0].categories and k == len(TRAIT):
        return tuple(TRAIT)
    return tuple(devices[0].categories) or tuple(map(str, range(k)))


def _reading(
    response: str, missing: NDArray[np.bool_], selected: NDArray[np.bool_], gaps: Sequence[Gap]
) -> TableReading:
    rows, without = int(selected.sum()), int((missing & selected).sum())
    return TableReading.of("the data", rows, {response: without}, gaps)
