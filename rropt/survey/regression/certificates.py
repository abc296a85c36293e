"""The certificate of a box with one maximum of the log-likelihood (checker/regression_rules.md, rule 35).

A float stands for its shortest decimal: covariates, weights, coefficients and directions of a certificate are those
decimals, so that it is short and can be read. Nothing here is trusted: the checker decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rropt.core.certificates.record import Certificate
from rropt.core.exact import as_text
from rropt.survey.regression.existence import Groups
from rropt.survey.regression.families import Floats

_DIGITS = 30  # of the intervals of the checker


def exact(value: float) -> Fraction:
    """Return the rational that the shortest decimal of a float is."""
    return Fraction(repr(float(value)))


def certify_box(
    theta: Floats,
    W: Floats,
    groups: Groups,
    mechanisms: Sequence[Sequence[Sequence[Fraction]]],
    radius: float,
    errors: Sequence[float],
) -> Certificate | None:
    """Return the accepted certificate of a box with one maximum; ``None`` where the checker accepts none.

    Args:
        theta: the coefficients.
        W: the directions of the box, shape (p, p).
        groups: the rows, by device and covariates.
        mechanisms: the exact matrices of the devices.
        radius: of the box.
        errors: how far the maximum is from the coefficients at most.
    """
    listed: list[dict[str, Any]] = []
    for device, matrix in enumerate(mechanisms):
        chosen = groups.device == device
        if not chosen.any():
            continue
        rows = [
            {"covariates": _texts(x), "counts": _texts(counts[: len(matrix)])}
            for x, counts in zip(groups.X[chosen].tolist(), groups.counts[chosen].tolist(), strict=True)
        ]
        listed.append({"mechanism": {"matrix": [[as_text(p) for p in row] for row in matrix]}, "rows": rows})
    claim = {
        "kind": "local-maximum",
        "point": _texts(theta.tolist()),
        "directions": [_texts(row) for row in W.tolist()],
        "radius": as_text(exact(radius)),
        "errors": _texts(errors),
    }
    problem = {"kind": "logistic-regression", "groups": listed}
    made = Certificate.write(problem, claim, {"rule": "regression-box", "digits": str(_DIGITS)})
    return made if made.check() else None


def _texts(values: Sequence[float]) -> list[str]:
    return [as_text(exact(value)) for value in values]
