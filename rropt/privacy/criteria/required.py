"""A criterion is looked at where it comes in: text is one clear error that says which function reads it."""

from __future__ import annotations

from rropt.errors import shown
from rropt.mechanisms.required import required
from rropt.privacy.criteria.criterion import Criterion

__all__ = ["required_criterion"]


def required_criterion(value: object) -> Criterion:
    """Return a value that is a criterion.

    Raises:
        InvalidParameterError: it is of another kind, such as the text of a function of p.
    """
    text = shown(value) if isinstance(value, str) else "'min(1, 3*p)'"
    return required(value, Criterion, "the criterion", f"canonical_information_privacy({text}) or rho_to_rho(r1, r2)")
