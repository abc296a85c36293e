"""Certificates: the record, and how each rule's witness is written down (specification: ``checker/FORMAT.md``)."""

from __future__ import annotations

from rropt.certificates.certificate import (
    FORMAT,
    Certificate,
    certify_bits,
    certify_minimax,
    certify_over_interval,
    certify_vertex_rule,
    check,
)
from rropt.certificates.design_programmes import DesignRows, certify_design, certify_infeasible_design
from rropt.certificates.linear_programme import certify_infeasible, certify_optimal

__all__ = [
    "FORMAT",
    "Certificate",
    "DesignRows",
    "certify_bits",
    "certify_design",
    "certify_infeasible",
    "certify_infeasible_design",
    "certify_minimax",
    "certify_optimal",
    "certify_over_interval",
    "certify_vertex_rule",
    "check",
]
