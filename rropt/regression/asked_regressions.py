"""What is asked of a regression, checked before rows are read: the formula, the model and its errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import chain
from typing import Any

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, name_of, one_of, required, shown
from rropt.core.exact import exact_confidence
from rropt.core.normal_form import normal
from rropt.core.random_numbers import RandomSource
from rropt.inference.count_estimates import exact_contrast
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.imports import required_mechanism
from rropt.regression.fitting import fitted
from rropt.regression.formula_texts import Parsed, columns_of, parse, read_factor
from rropt.regression.regressions import Regression
from rropt.regression.rows_of_fits import TableRows
from rropt.regression.search import METHODS, MODELS
from rropt.regression.variances import KINDS

INFORMATION = ("observed", "expected")


@dataclass(frozen=True, kw_only=True)
class RegressionOptions:
    """What is fitted, and how; ``rropt.regress`` describes it.

    Attributes:
        standard_errors: ``observed``, ``expected``, ``outer-product`` or ``sandwich``; for a complex survey ``design``
            or ``shrunk``. ``None``: ``sandwich`` for ``corrected`` and ``linear``, ``design`` for a survey, otherwise
            ``observed``.
        information: the information matrix of design-based errors: ``observed``, or ``expected`` as in R's ``svyglm``
            (not for a numerical outcome with a randomized covariate).
        start: the starting values of the coefficients.
        starts: the number of searches; ``None``: 20, or 10 with more than 5000 rows, of which random ones use 5000. Of
            a mixed model: 5, or 2 with more than 3000 rows.
        rng: the seed of the random starting values, or a NumPy ``Generator``.
    """

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

    def arguments(self) -> dict[str, Any]:
        """Return the fields by name, for a record that has them too."""
        return {one.name: getattr(self, one.name) for one in fields(RegressionOptions)}


@dataclass(frozen=True, slots=True)
class KnownRespondents:
    """What is known of the respondents before their rows are read.

    Attributes:
        mechanism: the mechanism of all respondents; ``None``: the rows name it, or there is none.
        has_devices: whether the rows name their device.
        is_complex: whether there is a complex sample.
        is_finite: whether its populations are finite.
    """

    mechanism: Mechanism | None
    has_devices: bool
    is_complex: bool
    is_finite: bool


@dataclass(frozen=True, slots=True)
class AskedRegression:
    """A regression that can be fitted to rows.

    Attributes:
        parsed: the formula, without the terms of a randomized covariate.
        effects: the terms that multiply the randomized covariate, by its name; ``None`` without one.
        device: the device of this covariate.
        columns: the columns of the covariates, and of the random intercept.
        factors: those of them that are factors, whatever their values.
        conditions: the texts of comparisons in the formula.
        random: the column of the groups of a random intercept.
        is_number: whether the outcome is a number, which has no device.
        chosen: the fields of the result that are given.
        information: the information matrix of design-based errors.
        search: the options of the search.
    """

    parsed: Parsed
    effects: Parsed | None
    device: Mechanism | None
    columns: tuple[str, ...]
    factors: frozenset[str]
    conditions: tuple[str, ...]
    random: str | None
    is_number: bool
    chosen: Mapping[str, Any]
    information: str
    search: Mapping[str, Any]

    @classmethod
    def of(cls, formula: str, asked: RegressionOptions, whom: KnownRespondents) -> AskedRegression:
        """Check what is asked of a formula.

        Raises:
            InvalidParameterError: the formula or an option is invalid, or options exclude each other.
            UnsupportedProblemError: the model has no such fit.
        """
        model, method = one_of(asked.model, MODELS, "`model`"), one_of(asked.method, METHODS, "`method`")
        information = one_of(asked.information, INFORMATION, "`information`")
        level = exact_confidence(asked.confidence)
        parsed, effects, device = parse(formula), None, None
        if asked.covariates is not None:
            given = required(asked.covariates, Mapping, "`covariates`", "{'x': 'warner:3/4'}")  # type: ignore[type-abstract]
            parsed, effects, device = _split(parsed, given) if given else (parsed, None, None)
        method = _required_method(asked, whom, model, method, is_latent=effects is not None)
        contrast = (
            None if asked.contrast is None else _required_contrast(asked, whom, model, is_latent=effects is not None)
        )
        error_kind = _kind_of_errors(asked, whom, model, method, is_latent=effects is not None)
        texts = dict.fromkeys(chain(*parsed.terms, *(effects.terms if effects is not None else ())))
        factors = [read_factor(text) for text in texts]
        columns = list(dict.fromkeys(name for factor in factors for name in factor.columns))
        marked = {factor.columns[0] for factor in factors if factor.is_marked}
        if parsed.response in columns:
            raise InvalidParameterError(
                f"the response explains itself: received {shown(parsed.response)} on both sides of ~; leave it out on "
                "the right"
            )
        random = None
        if asked.random is not None:
            known = (*columns, parsed.response)
            random = _required_random(asked, whom, model, method, known, is_latent=effects is not None)
            columns, marked = [*columns, random], {*marked, random}
        if is_number := effects is not None and model == "linear":
            _require_number(asked, whom)
        chosen: dict[str, Any] = {"formula": formula, "model": model, "method": method, "error_kind": error_kind}
        chosen |= {"contrast": contrast, "confidence": level, "missing_texts": ()}
        conditions = tuple(text for text in texts if read_factor(text).is_condition)
        search = {"start": asked.start, "starts": asked.starts, "rng": asked.rng}
        marks = tuple(columns), frozenset(marked), conditions
        return cls(parsed, effects, device, *marks, random, is_number, chosen, information, search)

    @property
    def responses(self) -> tuple[str, ...]:
        """The columns of the responses: that of the outcome, and the randomized covariate."""
        return (self.parsed.response, *(() if self.effects is None else (self.effects.response,)))

    def fitted(self, rows: TableRows, **stated: Any) -> Regression:
        """Return the fit to some rows; ``stated`` are fields of the result that say how the rows were read."""
        chosen = {**self.chosen, **stated}
        return fitted(rows, self.parsed, self.effects, self.search, chosen, self.information, self.random)


def _required_method(
    asked: RegressionOptions, whom: KnownRespondents, model: str, method: str, *, is_latent: bool
) -> str:
    """Return the method of a model, if there is one with these respondents.

    Raises:
        InvalidParameterError: the device of the response is not given exactly once.
        UnsupportedProblemError: the model has no randomized covariate, or no corrected loss.
    """
    if is_latent and model not in ("logit", "probit", "linear"):
        raise UnsupportedProblemError(
            f"a randomized covariate has no model of this kind: received {model}; allowed are logit, probit and linear"
        )
    if asked.contrast is not None and model == "logit":
        method = "corrected"
    if method == "corrected" and (model not in ("logit", "multinomial", "linear") or is_latent):
        raise UnsupportedProblemError(
            f"the corrected loss is not convex for this model: received {model}"
            f"{' with a randomized covariate' * is_latent}; allowed are logit, multinomial and linear; "
            "take `method=ml`"
        )
    if (not is_latent or whom.has_devices) and (whom.mechanism is None) == (not whom.has_devices):
        raise InvalidParameterError(
            "the device of the response is not given exactly once: give `mechanism`, or `devices=COLUMN` where the "
            "rows name it (direct: the question was asked directly)"
        )
    return method


def _kind_of_errors(
    asked: RegressionOptions, whom: KnownRespondents, model: str, method: str, *, is_latent: bool
) -> str:
    """Return the kind of standard errors that is asked for, or the default of the fit.

    Raises:
        InvalidParameterError: the fit has no standard errors of this kind.
    """
    if whom.is_complex:
        kinds: tuple[str, ...] = ("design", "shrunk") if whom.is_finite else ("design",)
    elif (model == "linear" and not is_latent) or method == "corrected":
        kinds = ("sandwich",)
    else:
        kinds = tuple(kind for kind in KINDS if kind != "expected" or not (is_latent or asked.random is not None))
    if asked.standard_errors is None:
        return kinds[0]
    return one_of(asked.standard_errors, kinds, "`standard_errors` of this fit")


def _require_number(asked: RegressionOptions, whom: KnownRespondents) -> None:
    """Check what is asked for an outcome that is a number, in a linear model with a randomized covariate.

    Raises:
        InvalidParameterError: the outcome has a device.
        UnsupportedProblemError: the expected information is asked for.
    """
    if whom.mechanism is not None or whom.has_devices:
        raise InvalidParameterError(
            "the outcome of a linear model with a randomized covariate is a number, which has no device: received "
            "`mechanism` or `devices`; leave it out, or take logit or probit"
        )
    if whom.is_complex and asked.information == "expected":
        raise UnsupportedProblemError(
            "an outcome that is a number has no expected information with a randomized covariate: received "
            "`information='expected'`; take observed"
        )


def _required_contrast(
    asked: RegressionOptions, whom: KnownRespondents, model: str, *, is_latent: bool
) -> tuple[Fraction, ...]:
    """Return the contrast of a regression.

    Raises:
        InvalidParameterError: it is no list of numbers, no sum of categories for a logit model, or the rows name no
            device.
        UnsupportedProblemError: the model has no regression of a contrast.
    """
    given = required_list(asked.contrast, "`contrast`", "one number for each category, such as [0, 1, 0, 1]")
    found = exact_contrast(given, len(given))
    if not whom.has_devices:
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
    asked: RegressionOptions,
    whom: KnownRespondents,
    model: str,
    method: str,
    columns: Sequence[str],
    *,
    is_latent: bool,
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
    if whom.is_complex:
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
