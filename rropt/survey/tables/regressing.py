"""Regressions from tables: a formula, a device for each row, and a sampling design, combined to a single result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError, one_of, required, shown
from rropt.core.exact import exact_confidence
from rropt.core.mappings import ReadOnlyMapping
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.survey.populations.linearization import Sampled, degrees_of_freedom
from rropt.survey.regression.formulas import Design as Formula
from rropt.survey.regression.formulas import Parsed, design_of, parse
from rropt.survey.regression.models import Responses
from rropt.survey.regression.search import METHODS, MODELS, Fit, LatentCovariate, fit
from rropt.survey.regression.variances import KINDS, design_covariances, model_covariances
from rropt.survey.tables.counting import CountRequest, QuestionRead, Reading, request_of
from rropt.survey.tables.kinds import SampleColumns, sample_columns
from rropt.survey.tables.readers import read
from rropt.survey.tables.regression_rows import RowQuestion, TableRows, read_rows
from rropt.survey.tables.regressions import FittedRows, LatentModel, Regression
from rropt.survey.tables.sampling import design_of_sample, positions_of, sampling_of
from rropt.survey.tables.sources import Source

Floats = NDArray[np.float64]
_ROUNDING = 2**-50  # relative rounding error of the score of a row
INFORMATION = ("observed", "expected")


def regress(
    data: Any,
    formula: str,
    mechanism: Mechanism | str | None = None,
    *,
    model: str = "logit",
    method: str = "ml",
    devices: str | None = None,
    device_names: Mapping[str, Mechanism | str] | None = None,
    covariates: Mapping[str, Mechanism | str] | None = None,
    categories: Any = None,
    ignore_case: bool = False,
    missing: Sequence[str] | None = None,
    weights: str | None = None,
    strata: str | None = None,
    clusters: str | None = None,
    fpc: object = None,
    post_strata: str | Sequence[str] = (),
    single_psu: str = "refuse",
    standard_errors: str | None = None,
    information: str = "observed",
    confidence: object = "0.95",
    start: Sequence[float] | None = None,
    starts: int | None = None,
    seed: int = 0,
    table: str | None = None,
    sheet: str | int | None = None,
) -> Regression:
    """Fit a regression of a randomized response, from a table with one row for each respondent.

    The probability of a row's response z is ``sum_x P[z, x] pi_x(eta)``. Here P is the matrix of the row's device, and
    pi is the model of the truth x. The estimate is the proper maximum of the likelihood nearest to the corrected
    estimate, which is consistent; if a search reaches a higher value elsewhere or at infinity, a note reports it.

    Args:
        data: a path, a table of pandas, Polars or Arrow, or a dict of NumPy arrays (as for ``estimate_table``).
        formula: ``answer ~ region * age``: columns, ``+ - * :``, ``C(x, Treatment("a"))``, I, log, log10, log2, log1p,
            exp, expm1, sqrt, abs, center, scale. Nothing else is computed.
        mechanism: the mechanism of all respondents; ``None`` with ``covariates``: the outcome was asked directly.
        model: the model of the truth: ``logit``, ``probit``, ``linear`` (least squares of the debiased responses), for
            k ordered categories ``ordinal-logit`` or ``ordinal-probit``, for unordered ones ``multinomial``.
        method: ``ml`` for maximum likelihood, or ``corrected`` for the convex corrected loss (logit, multinomial).
        devices: instead of ``mechanism``, the column with the name of each row's device: a design such as warner:3/4,
            or ``direct`` if the question was asked directly.
        device_names: maps the names in that column to devices.
        covariates: maps a column of the formula that is itself a randomized response to its device. The model is then
            joint, with a logistic regression of the truth of that column on the other covariates.
        categories: the names of the responses in the order of the mechanism's outputs (as for ``estimate_table``).
        ignore_case: whether responses that differ only in case are the same.
        missing: the texts for a missing value; ``None``: empty, NA, NaN, none, null or a dot.
        weights, strata, clusters, fpc, post_strata, single_psu: the design of a complex survey (as for
            ``estimate_table``).
        standard_errors: ``observed``, ``expected``, ``outer-product`` or ``sandwich``; for a complex survey ``design``
            or ``shrunk``. ``None``: ``sandwich`` for ``corrected`` and ``linear``, ``design`` for a survey, otherwise
            ``observed``.
        information: the information matrix of design-based errors: ``observed``, or ``expected`` as in R's ``svyglm``.
        confidence: the confidence of the intervals.
        start: the starting values of the coefficients.
        starts: the number of searches; ``None``: 20, or 10 with more than 5000 rows, of which random ones use 5000.
        seed: the seed of the random starting values.
        table: the table of a database.
        sheet: the sheet of an Excel file, by name or by number from 1; ``None``: the first sheet.

    Rows with a missing value are excluded, and the result reports their number and columns. In a survey they remain
    members of their cluster, and so do rows of weight 0, which are no part of the fit.

    Raises:
        InvalidParameterError: the formula, a column or an option is invalid, or columns are collinear.
        InfeasibleError: there is neither a proper maximum of the likelihood nor a corrected estimate; the message names
            the group or covariate, and a direction in which the likelihood increases.
        FileFormatError: the table cannot be read, or contains invalid responses, devices or weights.
        MissingExtraError: formulaic is not installed.

    Source: Blair, Imai and Zhou (2015), for one device and no weights; Binder (1983), for surveys.

    >>> import numpy
    >>> rows = {"z": numpy.array([1] * 30 + [0] * 70 + [1] * 45 + [0] * 55), "x": numpy.repeat([0, 1], 100)}
    >>> found = regress(rows, "z ~ x", "forced:2/3,1/6,1/6")
    >>> {name: round(value, 4) for name, value in found.coefficients.items()}
    {'Intercept': -1.3863, 'x': 1.084}
    """
    one_of(model, MODELS, "`model`")
    one_of(method, METHODS, "`method`")
    one_of(information, INFORMATION, "`information`")
    level = exact_confidence(confidence)
    parsed, effects, latent = _split(parse(formula), covariates)
    if effects is not None and model not in ("logit", "probit", "linear"):
        raise UnsupportedProblemError(
            f"a randomized covariate has no model of this kind: received {model}; allowed are logit, probit and linear"
        )
    mechanism = None if mechanism is None else required_mechanism(mechanism)
    if method == "corrected" and (model not in ("logit", "multinomial", "linear") or effects is not None):
        raise UnsupportedProblemError(
            f"the corrected loss is not convex for this model: received {model}"
            f"{' with a randomized covariate' * (effects is not None)}; allowed are logit, multinomial and linear; "
            "take `method=ml`"
        )
    if (effects is None or devices is not None) and (mechanism is None) == (devices is None):
        raise InvalidParameterError(
            "the device of the response is not given exactly once: give `mechanism`, or `devices=COLUMN` where the "
            "rows name it (direct: the question was asked directly)"
        )
    sample = sample_columns(weights, strata, clusters, fpc, post_strata, single_psu)
    kind = _kind(standard_errors, model, method, sample, is_latent=effects is not None)
    texts: dict[str, Any] = {"categories": categories, "ignore_case": ignore_case, "missing": missing}
    asked = request_of((parsed.response,), mechanism, **texts, devices=devices)
    questions = [RowQuestion(asked, mechanism, device_names)]
    columns = parsed.columns()
    if effects is not None and latent is not None:
        questions.append(RowQuestion(CountRequest((latent[0],), (None,), asked.missing), latent[1]))
        columns = tuple(dict.fromkeys([*columns, *effects.columns()]))
    is_number = effects is not None and model == "linear"
    if is_number and (mechanism is not None or devices is not None):
        raise InvalidParameterError(
            "the outcome of a linear model with a randomized covariate is a number, which has no device: received "
            "`mechanism` or `devices`; leave it out, or take logit or probit"
        )
    question = _Question(formula, model, method, parsed, effects, latent[0] if latent else "", kind, information, level)
    search = {"start": start, "starts": starts, "seed": seed}

    def work(source: Source) -> Regression:
        rows = read_rows(source, questions, sample, columns, is_number=is_number)
        return _regression(rows, question, search, source)

    needed = [name for one in questions for name in one.asked.names]
    found: Regression = read(
        data, list(dict.fromkeys([*needed, *columns, *sample.names])), work, table=table, sheet=sheet
    )
    return found


@dataclass(frozen=True, slots=True)
class _Question:
    """The model that is fitted to the rows, and the options of its report.

    Attributes:
        parsed: the formula, without the terms of the randomized covariate.
        effects: the terms that multiply the randomized covariate ``latent``; ``None`` without one.
    """

    formula: str
    model: str
    method: str
    parsed: Parsed
    effects: Parsed | None
    latent: str
    kind: str
    information: str
    confidence: Fraction


def _split(
    parsed: Parsed, covariates: Mapping[str, Mechanism | str] | None
) -> tuple[Parsed, Parsed | None, tuple[str, Mechanism] | None]:
    """Return the terms without the randomized covariate, those that multiply it, and its name with its device."""
    if covariates is None or not required(covariates, Mapping, "`covariates`", "{'x': 'warner:3/4'}"):  # type: ignore[type-abstract]
        return parsed, None, None
    if len(covariates) > 1:
        raise UnsupportedProblemError(
            f"one covariate may be a randomized response: received {len(covariates)}; leave the others out"
        )
    ((name, device),) = covariates.items()
    mechanism = required_mechanism(device)
    if mechanism.inputs != 2:
        raise UnsupportedProblemError(
            f"a randomized covariate is a yes-or-no question: received a device for {mechanism.inputs} categories"
        )
    inside = [[text.strip("`") == name for text in term] for term in parsed.terms]
    pairs = list(zip(parsed.terms, inside, strict=True))
    plain = tuple(term for term, own in pairs if not any(own))
    effects = tuple(tuple(text for text in term if text.strip("`") != name) for term, own in pairs if any(own))
    others = parsed._replace(terms=plain)
    if () not in effects or name in others.columns():
        raise InvalidParameterError(
            f"the randomized covariate is not a term of the formula: received {shown(name)}; write it alone, as in "
            f"y ~ {name} + age, or times others, {name}:age, and not inside of a function"
        )
    if not plain:
        raise InvalidParameterError("the formula has no intercept beside the randomized covariate; write 1 + ...")
    return others, parsed._replace(terms=effects), (name, mechanism)


def _kind(wanted: str | None, model: str, method: str, sample: SampleColumns, *, is_latent: bool) -> str:
    """Return the kind of standard errors."""
    robust = (model == "linear" and not is_latent) or method == "corrected"
    if sample:
        allowed: tuple[str, ...] = ("design", "shrunk") if sample.fpc else ("design",)
    elif robust:
        allowed = ("sandwich",)
    else:
        allowed = tuple(kind for kind in KINDS if kind != "expected" or not is_latent)
    return allowed[0] if wanted is None else one_of(wanted, allowed, "`standard_errors` of this fit")


def _regression(rows: TableRows, question: _Question, search: Mapping[str, Any], source: Source) -> Regression:
    """Return the regression of the rows of a table."""
    model = question.model
    if model in ("logit", "probit", "linear") and len(rows.categories) != 2:
        raise InvalidParameterError(
            f"the model is of a yes-or-no question: received {model} for {len(rows.categories)} categories; allowed "
            "are ordinal-logit, ordinal-probit and multinomial"
        )
    complete = ~np.logical_or.reduce(list(rows.missing.values()))
    missing = {name: int(gap.sum()) for name, gap in rows.missing.items() if gap.any()}
    if not complete.any():
        raise InvalidParameterError(
            f"no row has all values: received {len(complete)} rows, each of which misses one of "
            f"{shown(', '.join(missing))}; correct them, or leave a column out"
        )
    drawn, scale = sampling_of(rows.sample) if rows.sample.sample else (None, None)
    positions = positions_of(rows.sample, rows.sample.places[0], scale)
    used = complete & (positions.weight > 0)
    w = positions.weight[used]
    if not len(w):
        raise InvalidParameterError(
            f"weights sum to 0: received no positive weight among the {int(complete.sum())} rows without a missing "
            "value; correct the weights"
        )
    columns = {name: column.where(used) for name, column in rows.covariates.items()}
    design = design_of(question.parsed, rows.covariates, used, thresholds=model.startswith("ordinal"))
    X = design.matrix(columns, len(w))[0]
    own = rows.responses[-1].where(used)  # of the randomized covariate, if there is one
    effects = covariate = None
    if question.effects is not None:
        effects = design_of(question.effects, rows.covariates, used)
        outcome = rows.responses[0].where(used).rows() if rows.numbers is None else rows.numbers[used, None]
        covariate = LatentCovariate(own, effects.matrix(columns, len(w))[0], outcome)
    names = _names(question, rows, design, effects)
    found = fit(
        model,
        X,
        design.names(),
        own,
        w,
        method=question.method,
        latent=covariate,
        parameter_names=names,
        references={factor.text: factor.reference for factor in design.factors if factor.levels},
        **search,
    )
    if drawn is None:
        covariances = model_covariances(found, is_latent=effects is not None)
    else:
        covariances = design_covariances(found, used, Sampled(positions, drawn), question.information)
    is_ml = not found.objective.is_corrected
    is_plain = is_ml and effects is None
    kind = question.kind if question.kind in covariances else "sandwich"  # of a corrected estimate
    response = question.parsed.response
    gaps = missing.get(response, 0)
    return Regression(
        formula=question.formula,
        model=model,
        method="ml" if is_ml else "corrected",
        coefficients=_by_name(names, found.theta),
        covariances=ReadOnlyMapping({kind: tuple(map(tuple, V.tolist())) for kind, V in covariances.items()}),
        error_kind=kind,
        information=question.information if drawn is not None else "",
        loglik=found.value if is_ml else None,
        null_loglik=_null(model, own, w) if is_plain and drawn is None else None,
        n=len(w),
        missing=ReadOnlyMapping(missing),
        dropped=int((~complete).sum()),
        confidence=question.confidence,
        degrees_of_freedom=None if drawn is None else degrees_of_freedom(positions, used),
        devices=len(rows.devices),
        mechanisms=rows.mechanisms,
        categories=rows.categories,
        is_concave=is_plain and model != "linear" and own.are_direct(),
        is_saturated=is_plain and model in ("logit", "probit") and _is_saturated(X),
        starts=found.starts,
        agreeing=found.agreeing,
        other_maxima=found.others,
        higher=found.higher,
        corrected=None if found.corrected is None or not is_ml else _by_name(names, found.corrected),
        covariates=design,
        latent=None if effects is None else LatentModel(question.latent, effects),
        survey=None if drawn is None else design_of_sample(rows.sample, drawn),
        reading=Reading(source.name, len(used), (QuestionRead(response, len(used) - gaps, gaps),), 0, source.remarks),
        last_step=_last_step(found, covariances[kind]),
        fitted=FittedRows(columns, w),
    )


def _last_step(found: Fit, covariance: Floats) -> float:
    """Return the largest ratio of the step of Newton's method, with its rounding error, to the standard error."""
    objective, at = found.objective, found.whitened
    here = objective.derivatives(at)
    rounding = _ROUNDING * np.abs(objective.scores(at) * objective.weights[:, None]).sum(axis=0)
    step = np.abs(found.T @ np.linalg.inv(here.hessian)) @ (np.abs(here.gradient) + rounding)
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return float(max(step[errors > 0] / errors[errors > 0], default=0.0))


def _by_name(names: Sequence[str], values: Floats) -> ReadOnlyMapping[str, float]:
    return ReadOnlyMapping(dict(zip(names, values.tolist(), strict=True)))


def _names(question: _Question, rows: TableRows, design: Formula, effects: Formula | None) -> tuple[str, ...]:
    """Return the names of the parameters."""
    own, names = design.names(), rows.categories
    if effects is not None:
        name = question.latent
        inner = (name if each == "Intercept" else f"{name}:{each}" for each in effects.names())
        sigma = () if rows.numbers is None else ("log(sigma)",)
        return (*own, *inner, *(f"{name} | {each}" for each in own), *sigma)
    if question.model.startswith("ordinal"):
        return (*own, *(f"{one}|{other}" for one, other in pairwise(names)))
    if question.model == "multinomial":
        return tuple(f"{category}: {each}" for category in names[1:] for each in own)
    return own


def _is_saturated(X: Floats) -> bool:
    """Return whether X has as many distinct rows as columns."""
    p = X.shape[1]
    return bool(len(np.unique(X[: 20 * p], axis=0)) <= p) and len(np.unique(X, axis=0)) == p


def _null(model: str, responses: Responses, weights: Floats) -> float | None:
    """Return the log-likelihood of the model without covariates; ``None`` if it has no maximum."""
    m = responses.matrices.shape[1]
    cells, first, place = np.unique(responses.device * m + responses.answer, return_index=True, return_inverse=True)
    X = np.ones((len(cells), 0 if model.startswith("ordinal") else 1))
    sums = np.bincount(place, weights).astype(np.float64)
    try:
        found = fit(model, X, ("Intercept",) * X.shape[1], responses.where(first), sums, starts=1)
    except InfeasibleError:
        return None
    return None if found.objective.is_corrected else found.value
