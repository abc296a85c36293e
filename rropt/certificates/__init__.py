"""Certificates: the record, and how each rule's witness is written down (specification: ``checker/FORMAT.md``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.certificates.certificate import FORMAT as FORMAT
    from rropt.certificates.certificate import Certificate as Certificate
    from rropt.certificates.certificate import certify_bits as certify_bits
    from rropt.certificates.certificate import certify_minimax as certify_minimax
    from rropt.certificates.certificate import certify_over_interval as certify_over_interval
    from rropt.certificates.certificate import certify_vertex_rule as certify_vertex_rule
    from rropt.certificates.certificate import check as check
    from rropt.certificates.design_programmes import DesignRows as DesignRows
    from rropt.certificates.design_programmes import certify_design as certify_design
    from rropt.certificates.design_programmes import certify_infeasible_design as certify_infeasible_design
    from rropt.certificates.linear_programme import certify_infeasible as certify_infeasible
    from rropt.certificates.linear_programme import certify_optimal as certify_optimal

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
