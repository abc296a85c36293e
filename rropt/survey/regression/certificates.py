"""Certificates of a maximum of the log-likelihood: global, or in a box (checker/regression_rules.md, rules 35 and 39).

A float stands for its shortest decimal: covariates, weights, coefficients and directions of a certificate are those
decimals, so that it is short and can be read. Nothing here is trusted: the checker decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.certificates.record import Certificate
from rropt.core.exact import as_text
from rropt.survey.regression.covers import Cover
from rropt.survey.regression.existence import Groups
from rropt.survey.regression.families import Floats

_DIGITS = 30  # of the intervals of the checker


def exact(value: float) -> Fraction:
    """Return the rational that the shortest decimal of a float is."""
    return Fraction(repr(float(value)))


@dataclass(frozen=True, slots=True)
class Box:
    """The claim about a maximum.

    Attributes:
        theta: the coefficients.
        W: the directions of the box, shape (p, p).
        groups: the rows, by device and covariates.
        mechanisms: the exact matrices of the devices.
        radius: the radius of the box.
        errors: how far the maximum is from the coefficients at most.
    """

    theta: Floats
    W: Floats
    groups: Groups
    mechanisms: Sequence[Sequence[Sequence[Fraction]]]
    radius: float
    errors: Sequence[float]

    def problem(self) -> dict[str, Any]:
        """Return the problem of a certificate."""
        listed: list[dict[str, Any]] = []
        for device, matrix in enumerate(self.mechanisms):
            chosen = self.groups.device == device
            if not chosen.any():
                continue
            rows = [
                {"covariates": _texts(x), "counts": _texts(counts[: len(matrix)])}
                for x, counts in zip(self.groups.X[chosen].tolist(), self.groups.counts[chosen].tolist(), strict=True)
            ]
            listed.append({"mechanism": {"matrix": [[as_text(p) for p in row] for row in matrix]}, "rows": rows})
        return {"kind": "logistic-regression", "groups": listed}


def certify_maximum(box: Box, cells: Cover | None = None) -> Certificate | None:
    """Return the accepted certificate of a maximum; ``None`` where the checker accepts none.

    Args:
        box: around the maximum.
        cells: that prove it to be the global one (rule 39); ``None``: it is the maximum in the box (rule 35).
    """
    claim = {
        "kind": "local-maximum" if cells is None else "global-maximum",
        "point": _texts(box.theta.tolist()),
        "directions": [_texts(row) for row in box.W.tolist()],
        "radius": as_text(exact(box.radius)),
        "errors": _texts(box.errors),
    }
    witness: dict[str, Any] = {"rule": "regression-box", "digits": str(_DIGITS)}
    if cells is not None:
        witness = {
            "rule": "regression-cover",
            "digits": str(_DIGITS),
            "reach": as_text(exact(cells.reach)),
            "cells": list(cells.trees),
        }
    made = Certificate.write(box.problem(), claim, witness)
    return made if made.check() else None


def _texts(values: Sequence[float]) -> list[str]:
    return [as_text(exact(value)) for value in values]
