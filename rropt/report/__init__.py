"""Reports: HTML pages, readable on a desk and on a telephone, without network or scripts.

Pages of claims need SymPy, the others do not: each name is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.report.answers_page import answers_page as answers_page
    from rropt.report.claims_page import claims_page as claims_page
    from rropt.report.claims_page import claims_report as claims_report
    from rropt.report.design_page import design_page as design_page
    from rropt.report.pages import Survey as Survey

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
