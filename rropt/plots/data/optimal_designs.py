"""The optimal binary design over whole arrays of parameters, in floating point: for pictures and sweeps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.errors import InvalidParameterError


def optimal_designs(
    epsilon: Any, delta: Any, prevalence: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return (p00, p11, n Var) of an optimal binary design for whole arrays of parameters, in floating point.

    For pictures, sweeps and sensitivity studies; a design for a survey comes from ``rropt.solve``, with its
    certificate. Where several designs tie up to rounding, one of them is returned.

    Args:
        epsilon: array of levels in nats, >= 0.
        delta: array in [0, 1].
        prevalence: array in [0, 1]; the three broadcast together.

    Returns:
        Three arrays of the common shape; where epsilon = delta = 0 nothing can be estimated: p00 = p11 = 1/2 and an
        infinite variance.

    Raises:
        InvalidParameterError: an entry outside its domain, or not a number.

    Cost: about 20 passes over the arrays.
    """
    eps, dlt, pi = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in (epsilon, delta, prevalence)))
    _require_domain(eps, "epsilon", np.inf)
    _require_domain(dlt, "delta", 1.0)
    _require_domain(pi, "prevalence", 1.0)
    odds_less_one = np.expm1(
        np.minimum(eps, 700.0)
    )  # beyond 700 a float overflows; gamma / (gamma + 1) is 1 long before
    spread = odds_less_one + 2 * dlt  # gamma + 2 delta - 1, without cancellation near gamma = 1
    rare = np.minimum(pi, 1 - pi)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        odds = odds_less_one + 1
        excess = np.where(spread > 0, (1 - dlt) * ((odds + dlt) / spread) / spread, np.inf)
        diagonal = pi * (1 - pi) + excess
        corner = np.where(dlt > 0, rare * (1 / dlt - rare), np.inf)
    p_diagonal = (odds + dlt) / (odds + 1)
    use_corner = corner < diagonal
    p00 = np.where(use_corner, np.where(pi <= 0.5, 1.0, dlt), p_diagonal)
    p11 = np.where(use_corner, np.where(pi <= 0.5, dlt, 1.0), p_diagonal)
    return p00, p11, np.where(use_corner, corner, diagonal)


def _require_domain(values: NDArray[np.float64], name: str, largest: float) -> None:
    wrong = ~((values >= 0) & (values <= largest))
    if wrong.any():
        raise InvalidParameterError(
            f"{name} is out of range: received {float(values[wrong].flat[0])}; allowed is 0 <= {name} <= {largest}"
        )
