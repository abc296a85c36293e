"""Reports: self-contained HTML pages for large and small screens, which load nothing from a network.

Each name is loaded on first use, because only the pages of claims need SymPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.reports.claims_pages import claims_page as claims_page
    from rropt.reports.claims_pages import claims_report as claims_report
    from rropt.reports.design_pages import PlannedSurvey as PlannedSurvey
    from rropt.reports.design_pages import design_page as design_page

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
