"""Fieldwork: files of people, declared surveys, devices, sheets, ethics pages, clients, counts, audits and costs.

It uses what ``rropt`` exports, and the modules that the architecture page lists as open to packages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt_fieldwork.audits import Audit as Audit
    from rropt_fieldwork.audits import SamplesNeeded as SamplesNeeded
    from rropt_fieldwork.audits import audit as audit
    from rropt_fieldwork.audits import audit_box as audit_box
    from rropt_fieldwork.audits import audit_counts as audit_counts
    from rropt_fieldwork.audits import samples_needed as samples_needed
    from rropt_fieldwork.clients import Client as Client
    from rropt_fieldwork.clients import export as export
    from rropt_fieldwork.costs.budget_table import ComparedDesign as ComparedDesign
    from rropt_fieldwork.costs.direct_questions import DirectComparison as DirectComparison
    from rropt_fieldwork.costs.direct_questions import compare_with_direct as compare_with_direct
    from rropt_fieldwork.costs.equal_privacy import DesignComparison as DesignComparison
    from rropt_fieldwork.costs.equal_privacy import compare_designs as compare_designs
    from rropt_fieldwork.costs.equal_privacy import two_point_bound as two_point_bound
    from rropt_fieldwork.costs.kary_designs import KaryComparison as KaryComparison
    from rropt_fieldwork.costs.kary_designs import compare_kary_designs as compare_kary_designs
    from rropt_fieldwork.counts import AggregatedCounts as AggregatedCounts
    from rropt_fieldwork.counts import PrefixTree as PrefixTree
    from rropt_fieldwork.counts import estimate_counts as estimate_counts
    from rropt_fieldwork.counts import heavy_hitters as heavy_hitters
    from rropt_fieldwork.counts import merge as merge
    from rropt_fieldwork.declaration.initial_survey import ListedTable as ListedTable
    from rropt_fieldwork.declaration.initial_survey import init_survey as init_survey
    from rropt_fieldwork.declaration.listed_tables import list_columns as list_columns
    from rropt_fieldwork.declaration.listed_tables import plain_csv as plain_csv
    from rropt_fieldwork.declaration.survey_declaration import Question as Question
    from rropt_fieldwork.declaration.survey_declaration import Survey as Survey
    from rropt_fieldwork.devices.dealing import deal as deal
    from rropt_fieldwork.devices.device_designs import DeviceDesigns as DeviceDesigns
    from rropt_fieldwork.devices.device_designs import design_devices as design_devices
    from rropt_fieldwork.ethics.ethics_pages import ethics_page as ethics_page
    from rropt_fieldwork.ethics.explorer import explore as explore
    from rropt_fieldwork.ethics.reporting import report as report
    from rropt_fieldwork.from_tables.counted_responses import count as count
    from rropt_fieldwork.from_tables.regressing import covariates_of_table as covariates_of_table
    from rropt_fieldwork.from_tables.regressing import regress_table as regress_table
    from rropt_fieldwork.from_tables.table_responses import TableResponses as TableResponses
    from rropt_fieldwork.from_tables.table_responses import estimate_table as estimate_table
    from rropt_fieldwork.from_tables.two_sample_tables import two_sample_estimates as two_sample_estimates
    from rropt_fieldwork.randomizing.randomize_tables import randomize_table as randomize_table
    from rropt_fieldwork.reading.device_columns import read_answers as read_answers
    from rropt_fieldwork.reading.reading_options import Reading as Reading
    from rropt_fieldwork.reading.table import Table as Table
    from rropt_fieldwork.reading.table import read as read
    from rropt_fieldwork.sheets.instruction_sheet import sheet as sheet

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
