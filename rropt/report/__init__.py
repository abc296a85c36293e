"""Reports: one self-contained HTML page, readable on a desk and on a telephone, without network."""

from __future__ import annotations

from rropt.report.pages import claims_page, design_page

__all__ = ["claims_page", "design_page"]
