"""Decide whether a run has the full size: ``RROPT_STRESS=1``, and no other value (``make stress``)."""

from __future__ import annotations

import os
from collections.abc import Mapping


def is_full_size(environment: Mapping[str, str]) -> bool:
    """Return whether the variables of an environment ask for the full size."""
    return environment.get("RROPT_STRESS") == "1"


STRESS = is_full_size(os.environ)
