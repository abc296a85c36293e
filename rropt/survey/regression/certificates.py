"""Certificates of the maximum of a regression's log-likelihood: global (rule 39 of the checker) or in a box (rule 35).

A certificate writes each float (covariates, weights, coefficients and directions) as its shortest decimal, which keeps
it short and readable. The checker does not rely on anything that is computed here.
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

_DIGITS = 30  # precision of the checker's intervals


def exact(value: float) -> Fraction:
    """Return the shortest decimal of a float as a rational number."""
    return Fraction(repr(float(value)))


@dataclass(frozen=True, slots=True)
class Box:
    """The claim of a certificate: a maximum in a box.

    Attributes:
        model: the regression model; for a randomized covariate, ``covariate-`` and the model of the outcome.
        theta: the coefficients.
        W: the directions of the box, shape (p, p).
        groups: the rows, by device and covariates.
        mechanisms: the exact matrices of the devices.
        radius: the radius of the box.
        errors: an upper bound of the distance between the maximum and each coefficient.
        effects: the number of last columns of the covariates that a randomized covariate multiplies.
    """

    model: str
    theta: Floats
    W: Floats
    groups: Groups
    mechanisms: Sequence[Sequence[Sequence[Fraction]]]
    radius: float
    errors: Sequence[float]
    effects: int = 0

    def problem(self) -> dict[str, Any]:
        """Return the problem part of a certificate."""
        listed: list[dict[str, Any]] = []
        for device, matrix in enumerate(self.mechanisms):
            chosen = self.groups.device == device
            if not chosen.any():
                continue
            rows = [
                {**self._covariates(x), "counts": _texts(counts[: len(matrix)])}
                for x, counts in zip(self.groups.X[chosen].tolist(), self.groups.counts[chosen].tolist(), strict=True)
            ]
            listed.append({"mechanism": {"matrix": [[as_text(p) for p in row] for row in matrix]}, "rows": rows})
        if self.model == "logit":
            return {"kind": "logistic-regression", "groups": listed}
        return {"kind": "regression", "model": self.model, "groups": listed}

    def _covariates(self, x: list[float]) -> dict[str, list[str]]:
        """Return the covariates of a row as they are written in a certificate."""
        if not self.effects:
            return {"covariates": _texts(x)}
        return {"covariates": _texts(x[: -self.effects]), "effects": _texts(x[-self.effects :])}


def certify_maximum(box: Box, cells: Cover | None = None) -> Certificate | None:
    """Return the certificate of a maximum; ``None`` if the checker rejects it.

    Args:
        box: the box around the maximum.
        cells: a cover by cells that proves a global maximum (rule 39); with ``None`` the certificate claims a maximum
            in the box (rule 35), or in the linear model, whose second derivative is constant, a global one.
    """
    claim = {
        "kind": "local-maximum" if cells is None and box.model != "linear" else "global-maximum",
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
