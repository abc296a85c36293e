"""Audits of black boxes: lower bounds on epsilon from samples.

The input is samples or counts for two or more inputs of the box. The result is a level that a statistical test refutes.
"""

from __future__ import annotations

from rropt_fieldwork.audits.auditing import Audit, audit, audit_box, audit_counts
from rropt_fieldwork.audits.sample_sizes import SamplesNeeded, samples_needed

__all__ = ["Audit", "SamplesNeeded", "audit", "audit_box", "audit_counts", "samples_needed"]
