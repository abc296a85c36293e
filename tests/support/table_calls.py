"""Calls of the functions of tables with the options of the command line: those of a design of a sample stand with them.

They call the public functions: ``sampled`` states the design, and a mapping of mechanisms the devices or the arms.
"""

from __future__ import annotations

from typing import Any

import rropt
import rropt_fieldwork
from rropt.regression import Search
from rropt.regression.regressions import Regression
from rropt_fieldwork.from_tables.regressing import RegressionArguments, fit_of_table
from rropt_fieldwork.reading.table import table_of

_DESIGN = ("weights", "strata", "clusters", "fpc", "post_strata", "single_psu", "replicates")


def _sampled(data: Any, options: dict[str, Any]) -> Any:
    """Return data with the design of the options, which are taken out."""
    design = {name: options.pop(name) for name in _DESIGN if name in options}
    return table_of(data).sampled(**design) if design else data


def _device(mechanism: Any, options: dict[str, Any]) -> Any:
    """Return the mechanism, or the mapping that the options state, which are taken out."""
    found = [mechanism, options.pop("device_names", None), options.pop("arms", None)]
    given = [one for one in found if one is not None]
    assert len(given) <= 1
    return given[0] if given else None


def estimate_table(data: Any, columns: Any, mechanism: Any = None, **options: Any) -> Any:
    """Return ``rropt_fieldwork.estimate_table``."""
    made = _device(mechanism, options)
    return rropt_fieldwork.estimate_table(_sampled(data, options), columns, made, **options)


def table_estimate(mechanism: Any = None, **options: Any) -> Any:
    """Return ``rropt_fieldwork.TableResponses(...).estimate(...)``."""
    return table_estimate_with_reading(mechanism, **options)[0]


def table_estimate_with_reading(mechanism: Any = None, **options: Any) -> tuple[Any, Any]:
    """Return the estimate from a table, and the report on the table."""
    made = _device(mechanism, options)
    data = _sampled(options.pop("data"), options)
    columns = options.pop("columns", ())
    columns = options.pop("column", [columns] if isinstance(columns, str) else columns)
    own = {name: options.pop(name) for name in ("categories", "devices") if name in options}
    responses = rropt_fieldwork.TableResponses(columns, made, data=data, **own)
    return responses.estimate(**options), responses.reading


def regress_table(data: Any, formula: Any, mechanism: Any = None, **options: Any) -> Regression:
    """Return ``rropt_fieldwork.regress_table``; with options that the command alone has, the fit that it prints."""
    if "confidence" in options or ("information" in options and "standard_errors" not in options):
        return fit_of_table(RegressionArguments(data, formula, mechanism, **options))
    made = _device(mechanism, options)
    search = {name: options.pop(name) for name in ("start", "starts", "rng") if name in options}
    errors = options.pop("standard_errors", None)
    if "information" in options:
        errors = f"{errors or 'design'}:{options.pop('information')}".removesuffix(":observed")
    own = {"cov_type": errors, "search": Search(**search) if search else None}
    own["randomized"] = options.pop("covariates", None)
    return rropt_fieldwork.regress_table(_sampled(data, options), formula, made, **own, **options)


def two_sample_estimates(data: Any, column: Any, model: Any, mechanism: Any = None, **options: Any) -> rropt.Estimates:
    """Return ``rropt_fieldwork.two_sample_estimates``."""
    made = _device(mechanism, options)
    return rropt_fieldwork.two_sample_estimates(_sampled(data, options), column, model, made, **options)
