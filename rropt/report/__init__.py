"""Reports: HTML pages, readable on a desk and on a telephone, without network or scripts."""

from __future__ import annotations

from rropt.report.answers_page import answers_page
from rropt.report.claims_page import claims_page, claims_report
from rropt.report.design_page import design_page
from rropt.report.pages import Survey

__all__ = ["Survey", "answers_page", "claims_page", "claims_report", "design_page"]
