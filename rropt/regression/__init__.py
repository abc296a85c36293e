"""Regressions of randomized responses: families of models, their likelihood, its maximum, and its standard errors.

Users call ``rropt.regress`` with a ``Search``. A reader of files takes the other names: it reads the columns that a
formula needs, and fits the rows. Each name is loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.regression.asked_regressions import AskedRegression as AskedRegression
    from rropt.regression.asked_regressions import KnownRespondents as KnownRespondents
    from rropt.regression.asked_regressions import RegressionOptions as RegressionOptions
    from rropt.regression.formula_texts import columns_of as columns_of
    from rropt.regression.formula_texts import parse as parse
    from rropt.regression.formula_texts import read_factor as read_factor
    from rropt.regression.formulas import DataColumn as DataColumn
    from rropt.regression.formulas import as_float as as_float
    from rropt.regression.formulas import condition_key as condition_key
    from rropt.regression.formulas import exact_number_of as exact_number_of
    from rropt.regression.formulas import factor_column as factor_column
    from rropt.regression.formulas import level_key as level_key
    from rropt.regression.models import DeviceResponses as DeviceResponses
    from rropt.regression.models import device_responses as device_responses
    from rropt.regression.regressed_columns import Search as Search
    from rropt.regression.regressed_columns import options_of_fit as options_of_fit
    from rropt.regression.regressions import Regression as Regression
    from rropt.regression.rows_of_fits import TableRows as TableRows

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
