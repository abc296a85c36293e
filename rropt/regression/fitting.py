"""The fit of a regression to rows: a formula, a device for each row, and a sampling design; a single result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import (
    InfeasibleError,
    InvalidParameterError,
    shown,
)
from rropt.core.exact import as_text
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.visible import with_noun
from rropt.inference.differences import Test, quantile
from rropt.regression.existence import cells_without_information
from rropt.regression.formula_texts import Parsed
from rropt.regression.formulas import DataColumn, FormulaDesign, cells_of, design_of
from rropt.regression.models import DeviceResponses
from rropt.regression.random_intercepts import MixedFit, fit_mixed, sigma_interval
from rropt.regression.regression_fits import FittedRows, RandomIntercept, RegressionFit
from rropt.regression.regressions import Regression
from rropt.regression.rows_of_fits import TableRows
from rropt.regression.search import Fit, WhitenedModel, combinations
from rropt.regression.variances import DeviceContrast, covariances_of, mixed_covariances

Floats = NDArray[np.float64]
_HIGHER = 1e-7  # difference of two log-likelihoods that counts, in units of the mean weight


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
    latent: FormulaDesign | None
    kept: dict[str, DataColumn]
    categories: tuple[str, ...]
    contrasted: DeviceContrast | None


def fitted(
    rows: TableRows,
    parsed: Parsed,
    effect_terms: Parsed | None,
    search: Mapping[str, Any],
    chosen: dict[str, Any],
    information: str,
    random: str | None,
) -> Regression:
    """Fit the regression of some rows.

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
    weight = np.ones(len(rows.selected)) if drawn is None else drawn.weight
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
    start = None
    if is_ml and (corrected := found.corrected) is not None:
        start = ReadOnlyMapping(zip(names, (problem.T @ corrected.theta / problem.scale).tolist(), strict=True))
    fit = RegressionFit(
        **chosen | {"method": "ml" if is_ml else "corrected", "error_kind": kind},
        information="" if drawn is None else information,
        coefficients=ReadOnlyMapping(zip(names, (T @ found.end.theta + shift).tolist(), strict=True)),
        covariances=ReadOnlyMapping({kind: tuple(map(tuple, V.tolist())) for kind, V in covariances.items()}),
        llf=found.end.value if is_ml else None,
        llnull=_null(model, own, w) if is_fixed and drawn is None else None,
        n=len(w),
        missing=_missing(rows),
        dropped=int((rows.selected & np.logical_or.reduce(list(rows.missing.values()))).sum()),
        df_resid=None if drawn is None else drawn.degrees_of_freedom(used),
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
    return Regression.of(fit)


def _missing(rows: TableRows) -> ReadOnlyMapping[str, int]:
    """Return the number of missing values of each column that has some."""
    found = {name: int((gap & rows.selected).sum()) for name, gap in rows.missing.items()}
    return ReadOnlyMapping({name: n for name, n in found.items() if n})


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
    latent = None if effects is None or effect_terms is None else replace(effects, multiplied=effect_terms.response)
    contrasted = None if table is None else DeviceContrast(problem.matrices[0], table, asked)
    return _Posed(problem, design, latent, kept, categories, contrasted)


def _naming_cells(
    error: InfeasibleError,
    design: FormulaDesign,
    data: Mapping[str, DataColumn],
    responses: DeviceResponses,
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


def _contrast_table(responses: DeviceResponses, contrast: Sequence[Fraction]) -> tuple[Floats, tuple[str, str]]:
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


def _names(rows: TableRows, model: str, design: FormulaDesign, latent: FormulaDesign | None) -> tuple[str, ...]:
    """Return the names of the coefficients."""
    names = design.names()
    if latent is not None:
        inner = (latent.multiplied if each == "Intercept" else f"{latent.multiplied}:{each}" for each in latent.names())
        sigma = ["log(sigma)"] * (rows.numbers is not None)
        return (*names, *inner, *(f"{latent.multiplied} | {each}" for each in names), *sigma)
    if model.startswith("ordinal"):
        return (*names, *(f"{one}|{other}" for one, other in pairwise(rows.categories)))
    if model == "multinomial":
        return tuple(f"{category}: {each}" for category in rows.categories[1:] for each in names)
    return names


def _null(model: str, responses: DeviceResponses, weights: Floats) -> float | None:
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
