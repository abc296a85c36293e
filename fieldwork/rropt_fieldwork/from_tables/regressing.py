"""Regressions from tables: the rows are read with the lines that messages name, and then fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rropt.core.argument_checks import clear_calls_beside, require_given
from rropt.core.errors import InvalidParameterError, names_of, shown_with_type
from rropt.core.normal_form import normal
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.regression import (
    AskedRegression,
    DataColumn,
    KnownRespondents,
    Regression,
    RegressionOptions,
    Search,
    columns_of,
    options_of_fit,
    read_factor,
)
from rropt_fieldwork.reading.counting import CountRequest
from rropt_fieldwork.reading.missing import MissingTexts
from rropt_fieldwork.reading.reading_options import MADE, OPTIONS
from rropt_fieldwork.reading.recodings import Recoding, recoding_texts
from rropt_fieldwork.reading.regression_rows import read_columns, read_rows
from rropt_fieldwork.reading.table import STATED_BY_TABLE, table_of
from rropt_fieldwork.reading.table_arguments import TableArguments, devices_of


@dataclass(frozen=True)
class RegressionArguments(TableArguments, RegressionOptions):
    """What is fitted to a table, its devices and its sampling design; ``regress_table`` describes it."""

    data: Any
    formula: str
    mechanism: Mechanism | str | None = None


@clear_calls_beside(STATED_BY_TABLE)
def regress_table(
    data: Any,
    formula: str,
    mechanism: Mechanism | str | Mapping[str, Mechanism | str] | None = None,
    *,
    devices: str | None = None,
    categories: Any = None,
    model: str = "logit",
    method: str = "ml",
    cov_type: str | None = None,
    randomized: Mapping[str, Mechanism | str] | None = None,
    random: str | None = None,
    contrast: Sequence[object] | None = None,
    search: Search | None = None,
) -> Regression:
    """Fit a regression of a randomized response, from a table with one row for each respondent.

    The probability of a row's response z is ``sum_x P[z, x] pi_x(eta)``. Here P is the matrix of the row's device, and
    pi is the model of the truth x. The estimate is the proper maximum of the likelihood nearest to the corrected
    estimate, which is consistent; if a search reaches a higher value elsewhere or at infinity, a note reports it.

    Args:
        data: a table, as for ``estimate_table``; ``rropt_fieldwork.read`` states how it is read, and the method
            ``sampled`` of a table its sampling design.
        formula: ``answer ~ region * age``: columns, ``+ - * : / ^``, ``C(x, Treatment("a"))``, ``C(x, levels=["a",
            "b"])``, comparisons such as ``(age >= 18)``, I, log, log10, log2, log1p, exp, expm1, sqrt, abs, center,
            scale. Nothing else is computed. A column that is a combination of those before it is left out, with a note.
        mechanism: the mechanism of all respondents, or a mapping to several, as for ``estimate_table``; ``None`` with
            ``randomized``: the outcome was asked directly.
        model: the model of the truth: ``logit``, ``probit``, ``linear`` (least squares of the debiased responses), for
            k ordered categories ``ordinal-logit`` or ``ordinal-probit``, for unordered ones ``multinomial``.
        method: ``ml`` for maximum likelihood, or ``corrected`` for the convex corrected loss (logit, multinomial).
        devices: the column with the name of each row's device. Without a mapping of these names the device is a design
            such as warner:3/4, or ``direct`` if the question was asked directly.
        randomized: maps a column of the formula that is itself a randomized response to its device. The model is then
            joint, with a logistic regression of the truth of that column on the other covariates.
        random: the column of groups, such as interviewers or schools, that have a normal random intercept (a mixed
            model; logit, probit and ordinal models). The likelihood is integrated by adaptive quadrature, with as many
            nodes as its digits need. The last coefficient is the standard deviation ``sigma(COLUMN)``.
        contrast: a sum of categories that the devices of the rows determine together, although no single one need do
            so, as 0 and 1 for each category: (0, 1, 0, 1) for a trait by two samples with an unrelated question. The
            model is ``logit``, by the corrected loss, or ``linear``, of any contrast.
        categories: the names of the responses in the order of the mechanism's outputs (as for ``estimate_table``).
        cov_type: the standard errors, as for ``rropt.regress``: ``observed``, ``expected``, ``outer-product`` or
            ``sandwich``; for a complex survey ``design``, ``design:expected`` (as in R's ``svyglm``) or ``shrunk``.
        search: the starting values, the number of searches and their random numbers: ``rropt.regression.Search``.

    Rows with a missing value are excluded, and the result reports their number and columns. In a survey they remain
    members of their cluster, and so do rows of weight 0, which are no part of the fit.

    Returns:
        A ``Regression``: ``params`` and ``bse`` by name, in units of the linear predictor (log odds for ``logit``),
        with tests, intervals, odds ratios and the notes of the search.

    Raises:
        InvalidParameterError: the formula, a column or an option is invalid.
        InfeasibleError: there is neither a proper maximum of the likelihood nor a corrected estimate; the message names
            the group or covariate, and a direction in which the likelihood increases.
        FileFormatError: the table cannot be read, or contains invalid responses, devices or weights.

    Source: Blair, Imai and Zhou (2015), for one device and no weights; Binder (1983), for surveys; Fox, Veen and
    Klotzke (2018), for mixed models.

    >>> import numpy
    >>> rows = {"z": numpy.array([1] * 30 + [0] * 70 + [1] * 45 + [0] * 55), "x": numpy.repeat([0, 1], 100)}
    >>> found = regress_table(rows, "z ~ x", "forced:2/3,1/6,1/6")
    >>> {name: round(value, 4) for name, value in found.params.items()}
    {'Intercept': -1.3863, 'x': 1.084}
    """
    asked = RegressionArguments(
        data,
        formula,
        **devices_of(mechanism, devices),
        categories=categories,
        **options_of_fit(
            cov_type, search, randomized, model=model, method=method, random=random, contrast=contrast
        ).arguments(),
    )
    return fit_of_table(asked)


def fit_of_table(asked: RegressionArguments) -> Regression:
    """Return the fit of ``regress_table``, of arguments in a record."""
    require_given(random=asked.random)
    if asked.arms is not None:
        asked = asked.with_devices_of_arms(asked.mechanism)
    table = table_of(asked.data)
    asked = asked.with_sample_of(table)
    sample = asked.sample
    mechanism = None if asked.mechanism is None else required_mechanism(asked.mechanism)
    whom = KnownRespondents(mechanism, asked.devices is not None, sample.is_complex, bool(sample.fpc))
    posed = AskedRegression.of(asked.formula, asked, whom)
    response, *randomized = posed.responses
    also = (*posed.columns, *randomized)
    questions = [asked.request(table, (response,), mechanism, sample=sample, others=also)]
    for name in randomized:
        also = (response, *posed.columns, *sample.names)
        questions.append(CountRequest((name,), (None,), questions[0].missing, mechanism=posed.device, others=also))
    stated: dict[str, Any] = {"missing_texts": questions[0].missing or ()}
    if table.reading.recode is not None:
        stated["recode"] = recoding_texts(table.reading.recode)
    if table.reading.codes != ():
        stated["codes"] = names_of(table.reading.codes, "codes")
    needed = dict.fromkeys([*(name for one in questions for name in one.names), *posed.columns])
    how: dict[str, Any] = {"questions": questions, "covariates": posed.columns, "factors": posed.factors}
    how |= {"conditions": posed.conditions, "is_number": posed.is_number, "is_contrast": asked.contrast is not None}
    work = partial(read_rows, **how)
    rows = table.found(needed, work, posed.responses, weights=asked.weights, arms=asked.arms)
    return posed.fitted(rows, **stated)


def covariates_of_table(found: Regression, data: Any) -> Mapping[str, DataColumn]:
    """Return the covariates of a fit at new rows of a table, for ``predict``.

    They are read, recoded and missing as those of the fit.

    Args:
        found: a fit of ``regress_table``.
        data: new rows with the columns of the covariates, in any form of ``rropt_fieldwork.read``.

    Returns:
        The columns by name; a text is the index of its level, and NaN where it is missing.

    Raises:
        InvalidParameterError: a column is missing, or the data have options that the fit states.
    """
    if not isinstance(found, Regression):
        raise InvalidParameterError(
            f"`found` is no regression: received {shown_with_type(found)}; allowed is the result of `regress_table`"
        )
    names = columns_of(factor.text for factor in found.factors)
    missing = MissingTexts.of(found.fit.missing_texts, names).columns
    conditions = [one.text for one in found.factors if read_factor(one.text).is_condition]
    plain = [one for one in found.factors if one.levels and one.text not in conditions]
    factors = {columns_of([factor.text])[0] for factor in plain}
    recode = [text for text in found.fit.recode if Recoding.of(text).name in map(normal, names)]
    rows = table_of(data)
    rows.require_only(
        "the fit states what is made of the columns of new rows", *(name for name in OPTIONS if name not in MADE)
    )
    made: dict[str, Any] = {
        "recode": recode or None,
        "codes": found.fit.codes,
        "missing": found.fit.missing_texts or None,
    }
    work = partial(read_columns, names=names, missing=missing, factors=factors, conditions=conditions)
    return table_of(rows, replace(rows.reading, **made)).found(names, work, unweighted=True).covariates
