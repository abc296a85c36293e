"""Regressions from tables: a formula, a device for each row, and a sampling design, combined to a single result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from functools import partial
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import (
    InfeasibleError,
    InvalidParameterError,
    UnsupportedProblemError,
    name_of,
    names_of,
    one_of,
    required,
    shown,
)
from rropt.core.exact import as_text, exact_confidence
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.normal_form import normal
from rropt.core.random_numbers import RandomSource
from rropt.core.record_arguments import takes
from rropt.core.visible import with_noun
from rropt.inference.count_estimates import exact_contrast
from rropt.inference.differences import Test, quantile
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.imports import required_mechanism
from rropt.survey.regression.existence import cells_without_information
from rropt.survey.regression.formula_texts import Parsed, columns_of, parse, read_factor
from rropt.survey.regression.formulas import DataColumn, FormulaDesign, cells_of, design_of
from rropt.survey.regression.models import Responses
from rropt.survey.regression.random_intercepts import MixedFit, fit_mixed, sigma_interval
from rropt.survey.regression.regression_rows import TableRows, read_rows
from rropt.survey.regression.regressions import FittedRows, LatentModel, RandomIntercept, Regression
from rropt.survey.regression.search import METHODS, MODELS, Fit, WhitenedModel, combinations
from rropt.survey.regression.variances import KINDS, DeviceContrast, covariances_of, mixed_covariances
from rropt.survey.tables.counting import CountRequest
from rropt.survey.tables.recodings import recoding_texts
from rropt.survey.tables.table_arguments import TableArguments

Floats = NDArray[np.float64]
_HIGHER = 1e-7  # difference of two log-likelihoods that counts, in units of the mean weight
INFORMATION = ("observed", "expected")


class _Posed(NamedTuple):
    """The model of the rows of a fit.

    Attributes:
        problem: the model.
        design: the covariates.
        latent: the randomized covariate; ``None`` without one.
        kept: the columns of the covariates, of the rows of the fit.
        categories: the names of the categories.
        contrasted: the contrast that several devices determine together; ``None`` without one.
    """

    problem: WhitenedModel
    design: FormulaDesign
    latent: LatentModel | None
    kept: dict[str, DataColumn]
    categories: tuple[str, ...]
    contrasted: DeviceContrast | None


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
        data: a path, a table of pandas, Polars or Arrow, or a dict of NumPy arrays (as for ``estimate_table``).
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
        ignore_case: whether responses that differ only in case are the same.
        missing: the texts for a missing response; ``None``: NA, NaN, none, null, refused, verweigert or a dot. In a
            covariate only an empty cell is missing, and NA, NaN, null or a dot among numbers. ``"education=none"``, or
            a mapping ``{"education": ["none"]}``, names more texts of one column.
        weights, strata, clusters, fpc, post_strata, single_psu, replicates, unweighted: the design of a complex survey
            (as for ``estimate_table``).
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
        engine: the engine that reads the file, as for ``estimate_table``.
        table: the table of a database.
        sheet: the sheet of an Excel file, by name or by number from 1; ``None``: the first sheet.
        where, recode, blank, header_rows, codes, arms: as for ``estimate_table``.

    Rows with a missing value are excluded, and the result reports their number and columns. In a survey they remain
    members of their cluster, and so do rows of weight 0, which are no part of the fit.

    Returns:
        A ``Regression``: ``coefficients`` and ``standard_errors`` by name, in units of the linear predictor (log odds
        for ``logit``), with tests, intervals, odds ratios and the notes of the search.

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
    >>> {name: round(value, 4) for name, value in found.coefficients.items()}
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
    questions = [asked.request((parsed.response,), mechanism, sample=sample, others=also)]
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
    if asked.recode is not None:
        chosen["recode"] = recoding_texts(asked.recode)
    if asked.codes != ():
        chosen["codes"] = names_of(asked.codes, "codes")
    search = {"start": asked.start, "starts": asked.starts, "rng": asked.rng}
    needed = dict.fromkeys([*(name for one in questions for name in one.names), *columns])
    how: dict[str, Any] = {"questions": questions, "covariates": columns, "factors": marked}
    how["conditions"] = [text for text in texts if read_factor(text).is_condition]
    how |= {"is_number": is_number, "is_contrast": contrast is not None}
    answers = [parsed.response, *([effects.response] if effects is not None else [])]
    rows = asked.read(asked.data, needed, partial(read_rows, **how), answers, weights=asked.weights, arms=asked.arms)
    return _regression(rows, parsed, effects, search, chosen, information, random)


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


def _regression(
    rows: TableRows,
    parsed: Parsed,
    effect_terms: Parsed | None,
    search: Mapping[str, Any],
    chosen: dict[str, Any],
    information: str,
    random: str | None,
) -> Regression:
    """Return the regression of the rows of a table.

    Args:
        rows: the rows.
        parsed: the formula, without the terms of the randomized covariate.
        effect_terms: the terms that multiply the randomized covariate; ``None`` without one.
        search: the options of the search.
        chosen: the fields of the result that were given.
        information: the information matrix of design-based errors.
        random: the column of the groups of a random intercept; ``None`` without one.
    """
    model, (drawn, described) = chosen["model"], rows.survey or (None, None)
    weight = rows.sample.columns["weight"] if drawn is None else drawn.weight
    used = _used(rows, model, weight, is_contrast=chosen["contrast"] is not None)
    w = weight[used]
    problem, design, latent, kept, categories, contrasted = _posed(rows, parsed, effect_terms, chosen, used, w)
    own, X, names = problem.responses, problem.X, _names(rows, model, design, latent)
    references = {factor.text: factor.reference for factor in design.factors if factor.levels}
    sampled, intercept, T, shift = None if drawn is None else (used, drawn), None, problem.T, problem.shift
    found: Fit | MixedFit
    try:
        if random is None:
            found = plain = problem.fit(method=chosen["method"], told=names, references=references, **search)
            covariances, step = covariances_of(
                plain, T, sampled, information, is_latent=latent is not None, contrasted=contrasted
            )
        else:
            names, T, shift = (*names, f"sigma({random})"), _with_sigma(T), np.append(shift, 0.0)
            found, covariances, step, intercept = _mixed(problem, T, kept[random], random, names, chosen, search)
    except InfeasibleError as error:
        raise error if latent is not None else _naming_cells(error, design, kept, own, w, categories) from None
    is_ml = not found.objective.is_corrected
    is_fixed, p = is_ml and latent is None and random is None, X.shape[1]
    kind = chosen["error_kind"] if chosen["error_kind"] in covariances else "sandwich"  # of a corrected estimate
    errors = np.sqrt(np.maximum(np.diag(covariances[kind]), 0.0))
    agreeing = sum(found.end.equals(end) for end in found.ends)
    highest = max((end.value for end in found.ends), default=-np.inf)
    corrected, start = found.corrected if is_ml else None, None
    if corrected is not None:
        start = ReadOnlyMapping(zip(names, (problem.T @ corrected.theta / problem.scale).tolist(), strict=True))
    gaps, used_method = rows.missing.items(), "ml" if is_ml else "corrected"
    return Regression(
        **chosen | {"method": used_method, "error_kind": kind},
        information="" if drawn is None else information,
        coefficients=ReadOnlyMapping(zip(names, (T @ found.end.theta + shift).tolist(), strict=True)),
        covariances=ReadOnlyMapping({kind: tuple(map(tuple, V.tolist())) for kind, V in covariances.items()}),
        loglik=found.end.value if is_ml else None,
        null_loglik=_null(model, own, w) if is_fixed and drawn is None else None,
        n=len(w),
        missing=ReadOnlyMapping({name: n for name, gap in gaps if (n := int((gap & rows.selected).sum()))}),
        dropped=int((rows.selected & np.logical_or.reduce(list(rows.missing.values()))).sum()),
        degrees_of_freedom=None if drawn is None else drawn.degrees_of_freedom(used),
        devices=len({matrix.tobytes() for matrix in rows.responses[0].matrices}),
        mechanisms=rows.mechanisms,
        categories=categories,
        is_concave=is_fixed and model != "linear" and bool(np.isin(own.matrices[np.unique(own.device)], (0, 1)).all()),
        is_saturated=is_fixed
        and model in ("logit", "probit")
        and len(np.unique(X[: 20 * p], axis=0)) <= p == len(np.unique(X, axis=0)),
        starts=len(found.ends),
        agreeing=agreeing,
        other_maxima=sum(end.is_proper for end in found.ends) - agreeing,
        higher=highest if is_ml and highest > found.end.value + _HIGHER * w.mean() else None,
        corrected=start,
        covariates=design,
        latent=latent,
        random=intercept,
        survey=described,
        reading=rows.reading,
        last_step=float(max(step[errors > 0] / errors[errors > 0], default=0.0)),
        fitted=FittedRows(kept, w),
    )


def _posed(
    rows: TableRows,
    parsed: Parsed,
    effect_terms: Parsed | None,
    chosen: Mapping[str, Any],
    used: NDArray[np.bool_],
    w: Floats,
) -> _Posed:
    """Return the model of the rows of the fit, whose weights are ``w``; the other arguments are as in ``_regression``.

    Raises:
        InvalidParameterError: columns are collinear, or the contrast does not fit the devices.
    """
    model, contrast, has_thresholds = chosen["model"], chosen["contrast"], chosen["model"].startswith("ordinal")
    kept = {name: column._replace(values=column.values[used]) for name, column in rows.covariates.items()}
    design = design_of(parsed, rows.covariates, used, thresholds=has_thresholds)
    effects = None if effect_terms is None else design_of(effect_terms, rows.covariates, used)
    design, X = _determined(design, kept, w, centre=has_thresholds)
    effects, E = (None, None) if effects is None else _determined(effects, kept, w)
    asked = own = rows.responses[-1].where(used)  # of the randomized covariate, if there is one
    if len(rows.responses) > 1:
        own = own.with_outcome(rows.responses[0].where(used))
    outcome, categories, table = None if rows.numbers is None else rows.numbers[used], rows.categories, None
    if contrast is not None:
        table, categories = _contrast_table(own, contrast)
        own = own.of_contrast(table, w)
    problem = WhitenedModel(model, X, design.names(), own, w, E, outcome)
    latent = None if effects is None or effect_terms is None else LatentModel(effect_terms.response, effects)
    contrasted = None if table is None else DeviceContrast(problem.matrices[0], table, asked)
    return _Posed(problem, design, latent, kept, categories, contrasted)


def _naming_cells(
    error: InfeasibleError,
    design: FormulaDesign,
    data: Mapping[str, DataColumn],
    responses: Responses,
    weights: Floats,
    categories: Sequence[str],
) -> InfeasibleError:
    """Return the error with the levels, or combinations of them, that do not determine a coefficient, if there are."""
    head, _, rest = str(error).partition(": ")
    if rest.startswith("the sample"):
        return error
    told = (cells_without_information(cells, responses, weights, categories) for cells in cells_of(design, data))
    found = next(filter(None, told), "")
    return InfeasibleError(f"{head}: {found}") if found else error


def _contrast_table(responses: Responses, contrast: Sequence[Fraction]) -> tuple[Floats, tuple[str, str]]:
    """Return the weights of the responses that estimate a contrast, and the names of its two categories.

    Raises:
        InvalidParameterError: the contrast does not fit the devices.
        InfeasibleError: the devices do not determine it.
    """
    k = responses.matrices.shape[2]
    text = ",".join(map(as_text, contrast))
    if len(contrast) != k:
        raise InvalidParameterError(
            f"the contrast does not fit the devices: received {with_noun(len(contrast), 'number')}; allowed is one for "
            f"each of their {k} categories"
        )
    found = responses.contrast_weights(np.array(list(map(float, contrast))))
    if found is None:
        raise InfeasibleError(
            f"the devices together do not determine the contrast: received {text} for "
            f"{with_noun(len(np.unique(responses.device)), 'device')}; ask a part of the respondents with another "
            "device"
        )
    return found, ("other", f"contrast {text}")


def _determined(
    design: FormulaDesign, data: Mapping[str, DataColumn], weights: Floats, *, centre: bool = False
) -> tuple[FormulaDesign, Floats]:
    """Return the covariates without the columns that are combinations of others, and their matrix.

    Args:
        design: the covariates.
        data: the columns of the rows of the fit.
        weights: the weights of the rows.
        centre: whether thresholds replace the intercept.
    """
    X, _ = design.matrix(data, len(weights))
    if len(X) < X.shape[1]:
        return design, X  # an error of its own
    kept, left, parts = combinations(X, weights, centre=centre)
    if not left:
        return design, X
    names = design.names()
    found = {names[place]: tuple(own.tolist()) for place, own in zip(left, parts.T, strict=True)}
    return design.without(found, data), X[:, kept]


def _with_sigma(T: Floats) -> Floats:
    """Return the derivative of the coefficients in the whitened ones, with sigma as it is."""
    found = np.eye(len(T) + 1)
    found[:-1, :-1] = T
    return found


def _mixed(
    problem: WhitenedModel,
    T: Floats,
    column: DataColumn,
    name: str,
    names: tuple[str, ...],
    chosen: Mapping[str, Any],
    search: Mapping[str, Any],
) -> tuple[MixedFit, dict[str, Floats], Floats, RandomIntercept]:
    """Return the fit with a random intercept, its covariances, the steps of Newton's method, and the intercept.

    Args:
        problem: the model without the random intercept.
        T: the derivative of the coefficients in the whitened ones, sigma last.
        column, name: the groups of the rows of the fit, and the name of their column.
        names: the names of the coefficients.
        chosen, search: as for ``_regression``.
    """
    _, group, sizes = np.unique(column.values, return_inverse=True, return_counts=True)
    if len(sizes) < 2 or sizes.max() < 2:
        raise InvalidParameterError(
            f"the random intercept is not determined: received {with_noun(len(sizes), 'group')} of {shown(name)} with "
            f"{len(group)} rows; allowed are at least 2 groups, one of them with 2 rows; leave `random` out"
        )
    mixed = fit_mixed(problem, group.astype(np.int64), told=names, **search)
    covariances, step = mixed_covariances(mixed, T)
    sigma, without, above = float(mixed.end.theta[-1]), mixed.without, None
    if without is not None:
        above = max(2 * (mixed.end.value - without), 0.0) if sigma else 0.0
    kind, nodes = mixed.coarser.rule
    intercept = RandomIntercept(
        name,
        len(sizes),
        (int(sizes.min()), int(sizes.max())),
        sigma,
        float(np.sqrt(covariances[chosen["error_kind"]][-1, -1])) if sigma else None,
        sigma_interval(mixed, quantile(chosen["confidence"], None)),
        without,
        None if above is None else 1.0 if not sigma else 0.5 * Test.of("", above, 1).p_value,
        kind,
        nodes,
    )
    return mixed, covariances, step, intercept


def _used(rows: TableRows, model: str, weight: Floats, *, is_contrast: bool) -> NDArray[np.bool_]:
    """Return which rows are part of the fit: those of positive weight without a missing value."""
    if model in ("logit", "probit", "linear") and len(rows.categories) != 2 and not is_contrast:
        raise InvalidParameterError(
            f"the model is of a yes-or-no question: received {model} for {len(rows.categories)} categories; allowed "
            "are ordinal-logit, ordinal-probit and multinomial"
        )
    complete = rows.selected & ~np.logical_or.reduce(list(rows.missing.values()))
    if not complete.any():
        missing = [name for name, gap in rows.missing.items() if gap.any()]
        raise InvalidParameterError(
            f"no row has all values: received {len(complete)} rows, each of which misses one of "
            f"{shown(', '.join(missing))}; correct them, or leave a column out"
        )
    used: NDArray[np.bool_] = complete & (weight > 0)
    if not used.any():
        raise InvalidParameterError(
            f"weights sum to 0: received no positive weight among the {int(complete.sum())} rows without a missing "
            "value; correct the weights"
        )
    return used


def _names(rows: TableRows, model: str, design: FormulaDesign, latent: LatentModel | None) -> tuple[str, ...]:
    """Return the names of the coefficients."""
    names = design.names()
    if latent is not None:
        inner = (latent.name if each == "Intercept" else f"{latent.name}:{each}" for each in latent.effects.names())
        sigma = ["log(sigma)"] * (rows.numbers is not None)
        return (*names, *inner, *(f"{latent.name} | {each}" for each in names), *sigma)
    if model.startswith("ordinal"):
        return (*names, *(f"{one}|{other}" for one, other in pairwise(rows.categories)))
    if model == "multinomial":
        return tuple(f"{category}: {each}" for category in rows.categories[1:] for each in names)
    return names


def _null(model: str, responses: Responses, weights: Floats) -> float | None:
    """Return the log-likelihood of the model without covariates; ``None`` if it has no maximum."""
    m = responses.matrices.shape[1]
    cells, first, place = np.unique(responses.device * m + responses.answer, return_index=True, return_inverse=True)
    X = np.ones((len(cells), 0 if model.startswith("ordinal") else 1))
    sums = np.bincount(place, weights).astype(np.float64)
    names = ("Intercept",) * (responses.matrices.shape[2] - 1)  # of an ordinal model: its thresholds
    try:
        found = WhitenedModel(model, X, names[: X.shape[1]], responses.where(first), sums).fit(starts=1, told=names)
    except InfeasibleError:
        return None
    return None if found.objective.is_corrected else found.end.value
