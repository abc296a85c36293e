"""Regressions from tables: a formula, a device for each row, and a sampling design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import (
    InvalidParameterError,
    UnsupportedProblemError,
    name_of,
    names_of,
    one_of,
    required,
    shown,
)
from rropt.core.exact import exact_confidence
from rropt.core.normal_form import normal
from rropt.core.random_numbers import RandomSource
from rropt.core.record_arguments import takes
from rropt.inference.count_estimates import exact_contrast
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.imports import required_mechanism
from rropt.regression.fitting import fitted
from rropt.regression.formula_texts import Parsed, columns_of, parse, read_factor
from rropt.regression.formulas import DataColumn
from rropt.regression.regressions import Regression
from rropt.regression.search import METHODS, MODELS
from rropt.regression.variances import KINDS
from rropt.survey.tables.counting import CountRequest
from rropt.survey.tables.missing import MissingTexts
from rropt.survey.tables.reading_options import MADE, OPTIONS
from rropt.survey.tables.recodings import Recoding, recoding_texts
from rropt.survey.tables.regression_rows import read_columns, read_rows
from rropt.survey.tables.table import table_of
from rropt.survey.tables.table_arguments import TableArguments

Floats = NDArray[np.float64]
INFORMATION = ("observed", "expected")


@dataclass(frozen=True)
class RegressionArguments(TableArguments):
    """The arguments of ``regress``, which describes them."""

    data: Any
    formula: str
    mechanism: Mechanism | str | None = None
    _: KW_ONLY
    model: str = "logit"
    method: str = "ml"
    covariates: Mapping[str, Mechanism | str] | None = None
    random: str | None = None
    contrast: Sequence[object] | None = None
    standard_errors: str | None = None
    information: str = "observed"
    confidence: object = "0.95"
    start: Sequence[float] | None = None
    starts: int | None = None
    rng: RandomSource = 0


@takes(RegressionArguments)
def regress(asked: RegressionArguments) -> Regression:
    """Fit a regression of a randomized response, from a table with one row for each respondent.

    The probability of a row's response z is ``sum_x P[z, x] pi_x(eta)``. Here P is the matrix of the row's device, and
    pi is the model of the truth x. The estimate is the proper maximum of the likelihood nearest to the corrected
    estimate, which is consistent; if a search reaches a higher value elsewhere or at infinity, a note reports it.

    Args:
        data: a table, as for ``estimate_table``; ``rropt.survey.read`` states how it is read.
        formula: ``answer ~ region * age``: columns, ``+ - * : / ^``, ``C(x, Treatment("a"))``, ``C(x, levels=["a",
            "b"])``, comparisons such as ``(age >= 18)``, I, log, log10, log2, log1p, exp, expm1, sqrt, abs, center,
            scale. Nothing else is computed. A column that is a combination of those before it is left out, with a note.
        mechanism: the mechanism of all respondents; ``None`` with ``covariates``: the outcome was asked directly.
        model: the model of the truth: ``logit``, ``probit``, ``linear`` (least squares of the debiased responses), for
            k ordered categories ``ordinal-logit`` or ``ordinal-probit``, for unordered ones ``multinomial``.
        method: ``ml`` for maximum likelihood, or ``corrected`` for the convex corrected loss (logit, multinomial).
        devices: instead of ``mechanism``, the column with the name of each row's device: a design such as warner:3/4,
            or ``direct`` if the question was asked directly.
        device_names: maps the names in that column to devices.
        covariates: maps a column of the formula that is itself a randomized response to its device. The model is then
            joint, with a logistic regression of the truth of that column on the other covariates.
        random: the column of groups, such as interviewers or schools, that have a normal random intercept (a mixed
            model; logit, probit and ordinal models). The likelihood is integrated by adaptive quadrature, with as many
            nodes as its digits need. The last coefficient is the standard deviation ``sigma(COLUMN)``.
        contrast: a sum of categories that the devices of the rows determine together, although no single one need do
            so, as 0 and 1 for each category: (0, 1, 0, 1) for a trait by two samples with an unrelated question. The
            model is ``logit``, by the corrected loss, or ``linear``, of any contrast.
        categories: the names of the responses in the order of the mechanism's outputs (as for ``estimate_table``).
        weights, strata, clusters, fpc, post_strata, single_psu, replicates: the design of a complex survey (as for
            ``estimate_table``).
        standard_errors: ``observed``, ``expected``, ``outer-product`` or ``sandwich``; for a complex survey ``design``
            or ``shrunk``. ``None``: ``sandwich`` for ``corrected`` and ``linear``, ``design`` for a survey, otherwise
            ``observed``.
        information: the information matrix of design-based errors: ``observed``, or ``expected`` as in R's ``svyglm``
            (not for a numerical outcome with a randomized covariate).
        confidence: the confidence of the intervals.
        start: the starting values of the coefficients.
        starts: the number of searches; ``None``: 20, or 10 with more than 5000 rows, of which random ones use 5000. Of
            a mixed model: 5, or 2 with more than 3000 rows.
        rng: the seed of the random starting values, or a NumPy ``Generator``.
        arms: as for ``estimate_table``.

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
    >>> found = regress(rows, "z ~ x", "forced:2/3,1/6,1/6")
    >>> {name: round(value, 4) for name, value in found.params.items()}
    {'Intercept': -1.3863, 'x': 1.084}
    """
    if asked.arms is not None:
        asked = asked.with_devices_of_arms(asked.mechanism)
    model, method = one_of(asked.model, MODELS, "`model`"), one_of(asked.method, METHODS, "`method`")
    information = one_of(asked.information, INFORMATION, "`information`")
    level = exact_confidence(asked.confidence)
    parsed, effects, device = parse(asked.formula), None, None
    if asked.covariates is not None:
        given = required(asked.covariates, Mapping, "`covariates`", "{'x': 'warner:3/4'}")  # type: ignore[type-abstract]
        parsed, effects, device = _split(parsed, given) if given else (parsed, None, None)
    if effects is not None and model not in ("logit", "probit", "linear"):
        raise UnsupportedProblemError(
            f"a randomized covariate has no model of this kind: received {model}; allowed are logit, probit and linear"
        )
    mechanism = None if asked.mechanism is None else required_mechanism(asked.mechanism)
    contrast = None if asked.contrast is None else _required_contrast(asked, model, is_latent=effects is not None)
    if contrast is not None and model == "logit":
        method = "corrected"
    if method == "corrected" and (model not in ("logit", "multinomial", "linear") or effects is not None):
        raise UnsupportedProblemError(
            f"the corrected loss is not convex for this model: received {model}"
            f"{' with a randomized covariate' * (effects is not None)}; allowed are logit, multinomial and linear; "
            "take `method=ml`"
        )
    if (effects is None or asked.devices is not None) and (mechanism is None) == (asked.devices is None):
        raise InvalidParameterError(
            "the device of the response is not given exactly once: give `mechanism`, or `devices=COLUMN` where the "
            "rows name it (direct: the question was asked directly)"
        )
    sample, error_kind = asked.sample, _kind_of_errors(asked, model, method, is_latent=effects is not None)
    texts = dict.fromkeys(chain(*parsed.terms, *(effects.terms if effects is not None else ())))
    factors = [read_factor(text) for text in texts]
    columns = list(dict.fromkeys(name for factor in factors for name in factor.columns))
    marked = {factor.columns[0] for factor in factors if factor.is_marked}
    random = None
    if asked.random is not None:
        known = (*columns, parsed.response)
        random = _required_random(asked, model, method, known, is_latent=effects is not None)
        columns, marked = [*columns, random], {*marked, random}
    also = tuple(columns) + ((effects.response,) if effects is not None else ())
    table = table_of(asked.data)
    questions = [asked.request(table, (parsed.response,), mechanism, sample=sample, others=also)]
    if parsed.response in columns:
        raise InvalidParameterError(
            f"the response explains itself: received {shown(parsed.response)} on both sides of ~; leave it out on the "
            "right"
        )
    if effects is not None:
        also = (parsed.response, *columns, *sample.names)
        questions.append(
            CountRequest((effects.response,), (None,), questions[0].missing, mechanism=device, others=also)
        )
    is_number = effects is not None and model == "linear"
    if is_number:
        _require_number(asked)
    chosen: dict[str, Any] = {"formula": asked.formula, "model": model, "method": method, "error_kind": error_kind}
    chosen |= {"contrast": contrast, "confidence": level, "missing_texts": questions[0].missing or ()}
    if table.reading.recode is not None:
        chosen["recode"] = recoding_texts(table.reading.recode)
    if table.reading.codes != ():
        chosen["codes"] = names_of(table.reading.codes, "codes")
    search = {"start": asked.start, "starts": asked.starts, "rng": asked.rng}
    needed = dict.fromkeys([*(name for one in questions for name in one.names), *columns])
    how: dict[str, Any] = {"questions": questions, "covariates": columns, "factors": marked}
    how["conditions"] = [text for text in texts if read_factor(text).is_condition]
    how |= {"is_number": is_number, "is_contrast": contrast is not None}
    answers = [parsed.response, *([effects.response] if effects is not None else [])]
    rows = table.found(needed, partial(read_rows, **how), answers, weights=asked.weights, arms=asked.arms)
    return fitted(rows, parsed, effects, search, chosen, information, random)


def _kind_of_errors(asked: RegressionArguments, model: str, method: str, *, is_latent: bool) -> str:
    """Return the kind of standard errors that is asked for, or the default of the fit.

    Raises:
        InvalidParameterError: the fit has no standard errors of this kind.
    """
    if asked.sample.is_complex:
        kinds: tuple[str, ...] = ("design", "shrunk") if asked.sample.fpc else ("design",)
    elif (model == "linear" and not is_latent) or method == "corrected":
        kinds = ("sandwich",)
    else:
        kinds = tuple(kind for kind in KINDS if kind != "expected" or not (is_latent or asked.random is not None))
    if asked.standard_errors is None:
        return kinds[0]
    return one_of(asked.standard_errors, kinds, "`standard_errors` of this fit")


def _require_number(asked: RegressionArguments) -> None:
    """Check what is asked for an outcome that is a number, in a linear model with a randomized covariate.

    Raises:
        InvalidParameterError: the outcome has a device.
        UnsupportedProblemError: the expected information is asked for.
    """
    if asked.mechanism is not None or asked.devices is not None:
        raise InvalidParameterError(
            "the outcome of a linear model with a randomized covariate is a number, which has no device: received "
            "`mechanism` or `devices`; leave it out, or take logit or probit"
        )
    if asked.sample.is_complex and asked.information == "expected":
        raise UnsupportedProblemError(
            "an outcome that is a number has no expected information with a randomized covariate: received "
            "`information='expected'`; take observed"
        )


def _required_contrast(asked: RegressionArguments, model: str, *, is_latent: bool) -> tuple[Fraction, ...]:
    """Return the contrast of a regression.

    Raises:
        InvalidParameterError: it is no list of numbers, no sum of categories for a logit model, or the rows name no
            device.
        UnsupportedProblemError: the model has no regression of a contrast.
    """
    given = required_list(asked.contrast, "`contrast`", "one number for each category, such as [0, 1, 0, 1]")
    found = exact_contrast(given, len(given))
    if asked.devices is None:
        raise InvalidParameterError(
            "a contrast of one device is one of its categories: received `contrast` without a device of each row; give "
            "`devices` (or `arms`), or leave the contrast out"
        )
    if model not in ("logit", "linear") or is_latent or asked.random is not None:
        raise UnsupportedProblemError(
            f"a contrast of several devices has no model of this kind: received {model}"
            f"{' with a randomized covariate' * is_latent}{' with a random intercept' * (asked.random is not None)}; "
            "allowed are logit and linear"
        )
    if model == "logit" and not set(found) <= {0, 1}:
        raise InvalidParameterError(
            f"the contrast is no sum of categories: received {shown(', '.join(map(str, found)))}; give 0 or 1 for each "
            "category, or take `model=linear`"
        )
    return found


def _required_random(
    asked: RegressionArguments, model: str, method: str, columns: Sequence[str], *, is_latent: bool
) -> str:
    """Return the column of the groups of a random intercept.

    Raises:
        InvalidParameterError: it is no name of a column, or a column of the formula.
        UnsupportedProblemError: the model has no random intercept.
    """
    name = name_of(asked.random, "random")
    if model in ("linear", "multinomial") or method == "corrected" or is_latent:
        what = model + " with the corrected loss" * (method == "corrected") + " with a randomized covariate" * is_latent
        raise UnsupportedProblemError(
            f"this model has no random intercept: received {what}; allowed are logit, probit, ordinal-logit and "
            "ordinal-probit, by maximum likelihood and without a randomized covariate"
        )
    if asked.sample.is_complex:
        raise UnsupportedProblemError(
            "a mixed model has no weights and no sampling design: received both a random intercept and columns of a "
            "complex survey; leave the latter out, or name the groups as `clusters` in place of a random intercept"
        )
    if (name := normal(name)) in columns:
        raise InvalidParameterError(
            f"the groups of the random intercept are a term of the formula: received {shown(name)} in both; "
            "leave it out on one side"
        )
    return name


def _split(parsed: Parsed, covariates: Mapping[str, Mechanism | str]) -> tuple[Parsed, Parsed, Mechanism]:
    """Return the formula without the randomized covariate, the terms that multiply it, by its name, and its device."""
    if len(covariates) > 1:
        raise UnsupportedProblemError(
            f"one covariate may be a randomized response: received {len(covariates)}; leave the others out"
        )
    ((name, device),) = ((normal(str(name)), device) for name, device in covariates.items())
    mechanism = required_mechanism(device)
    if mechanism.inputs != 2:
        raise UnsupportedProblemError(
            f"a randomized covariate is a yes-or-no question: received a device for {mechanism.inputs} categories"
        )
    inside = [[text.strip("`") == name for text in term] for term in parsed.terms]
    pairs = list(zip(parsed.terms, inside, strict=True))
    plain = tuple(term for term, own in pairs if not any(own))
    effects = tuple(tuple(text for text in term if text.strip("`") != name) for term, own in pairs if any(own))
    if () not in effects or name in columns_of(chain(*plain)):
        raise InvalidParameterError(
            f"the randomized covariate is not a term of the formula: received {shown(name)}; write it alone, as in "
            f"y ~ {name} + age, or times others, {name}:age, and not inside of a function"
        )
    if not plain:
        raise InvalidParameterError("the formula has no intercept besides the randomized covariate; write 1 + ...")
    return parsed._replace(terms=plain), Parsed(name, effects, parsed.text), mechanism


def covariates_of(found: Regression, data: Any) -> Mapping[str, DataColumn]:
    """Return the covariates of a fit at new rows, which are read, recoded and missing as those of the fit."""
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
