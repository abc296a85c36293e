"""The likelihoods of regressions by their definition, with derivatives by complex steps.

The gradient is the imaginary part of the value at a complex step, exact to rounding; the second derivative is a
difference of gradients.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from later import later

erf = later("scipy.special", "erf")
NAMES = ("probit", "linear", "ordinal-logit", "ordinal-probit", "multinomial", "covariate-logit", "covariate-probit")
_STEP = 1e-30


def _link(name: str, t: Any) -> Any:
    if name.endswith("probit"):
        return 0.5 * (1 + erf(t / np.sqrt(2)))
    return 1 / (1 + np.exp(-t))


@dataclass(frozen=True)
class Model:
    """Rows (matrix, covariates, effects, counts) of a model."""

    name: str
    rows: tuple[tuple[Any, tuple[Fraction, ...], tuple[Fraction, ...], tuple[Fraction, ...]], ...]

    def truth(self, theta: Any, x: Any, e: Any) -> Any:
        """Return the probabilities of the truth."""
        if self.name == "multinomial":
            sums = np.array([0, *(x @ block for block in theta.reshape(-1, len(x)))])
            powers = np.exp(sums - sums.real.max())
            return powers / powers.sum()
        if self.name.startswith("ordinal"):
            beta, kappa = theta[: len(x)], theta[len(x) :]
            return np.diff(np.array([0, *_link(self.name, kappa - x @ beta), 1]))
        if self.name.startswith("covariate"):
            beta, delta, gamma = np.split(theta, [len(x), len(x) + len(e)])
            yes = _link("logit", x @ gamma)
            low, high = _link(self.name, x @ beta), _link(self.name, x @ beta + e @ delta)
            return np.array([(1 - yes) * (1 - low), (1 - yes) * low, yes * (1 - high), yes * high])
        p = _link(self.name, x @ theta)
        return np.array([1 - p, p])

    def value(self, theta: Any) -> Any:
        """Return the log-likelihood, or minus half of the sum of squares."""
        total: Any = 0.0
        for matrix, covariates, effects, counts in self.rows:
            x, e = np.array(covariates, float), np.array(effects, float)
            n, P = np.array(counts, float), np.array(matrix, float)
            if self.name == "linear":
                estimates = (np.array([0, 1]) - P[1, 0]) / (P[1, 1] - P[1, 0])
                total = total - 0.5 * (n * (estimates - x @ theta) ** 2).sum()
                continue
            chance = P @ self.truth(theta, x, e)
            total = total + (n[n > 0] * np.log(chance[n > 0])).sum()
        return total

    def gradient(self, theta: Any) -> Any:
        """Return the gradient."""
        steps = 1j * _STEP * np.eye(len(theta))
        return np.array([np.imag(self.value(theta + step)) / _STEP for step in steps])

    def second(self, theta: Any) -> Any:
        """Return the second derivative."""
        h = 1e-5
        steps = h * np.eye(len(theta))
        found = np.array([(self.gradient(theta + step) - self.gradient(theta - step)) / (2 * h) for step in steps])
        return (found + found.T) / 2

    def maximum(self, start: Any) -> Any:
        """Return a strict local maximum by Newton's method with short steps, or None."""
        theta = np.array(start, float)
        with np.errstate(all="ignore"):
            for _ in range(60):
                gradient, second = self.gradient(theta), self.second(theta)
                if not (np.isfinite(gradient).all() and np.isfinite(second).all()):
                    return None
                if np.linalg.eigvalsh(second)[-1] >= -1e-6:
                    return None
                step = np.linalg.solve(second, gradient)
                theta = theta - step / max(1.0, float(np.abs(step).max()))
                if np.abs(step).max() < 1e-11:
                    return theta
        return None

    def problem(self) -> dict[str, Any]:
        """Return the problem: a group for each row."""
        groups = []
        for matrix, covariates, effects, counts in self.rows:
            row = {"covariates": list(map(str, covariates)), "counts": list(map(str, counts))}
            if self.name.startswith("covariate"):
                row["effects"] = list(map(str, effects))
            groups.append({"mechanism": {"matrix": [[str(v) for v in line] for line in matrix]}, "rows": [row]})
        return {"kind": "regression", "model": self.name, "groups": groups}
