"""Certificates as documents: the record, the checker's verdict, and witnesses of linear programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.core.certificates.bundles import Bundle as Bundle
    from rropt.core.certificates.linear_program import certify_infeasible as certify_infeasible
    from rropt.core.certificates.linear_program import certify_optimal as certify_optimal
    from rropt.core.certificates.record import FORMAT as FORMAT
    from rropt.core.certificates.record import Certificate as Certificate
    from rropt.core.certificates.record import check as check

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
