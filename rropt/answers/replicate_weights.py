r"""Replicate weights: variances of a survey whose file has no clusters, but weights of R replicates of the sample.

The estimate is computed again with each column of replicate weights. With theta_r the estimate of replicate r,

    ``V = sum_r c_r (theta_r - center)^2``,

where the center is the mean of the replicates with c_r > 0, or the estimate itself, and c_r depends on the method:

* ``jk1`` (unstratified jackknife): ``(R - 1)/R``;
* ``jkn`` (stratified jackknife): ``rscales``, by default ``(n_h - 1)/n_h`` of the stratum whose cluster is left out:
  one over the largest ratio of a replicate weight to the weight;
* ``jk2``: 1; ``brr`` (balanced repeated replication): ``1/R``; ``fay``: ``1/(R (1 - rho)^2)``;
* ``sdr`` (successive differences) and ``acs`` (the same, around the estimate): ``4/R``; ``bootstrap``: ``1/(R - 1)``;
* ``other``: ``scale`` times ``rscales``.

The weights are combined: they contain the sampling weight. A randomized response adds nothing: the debiased responses
of a cluster contain the device, whose variance is part of that between replicates. The degrees of freedom are the rank
of the replicate weights minus 1. All of this is as in the R package ``survey`` (svrepdesign), whose numerical rank has
the same tolerance.

Source: Wolter (2007), chapters 3 to 5; Fay (1989); Fay and Train (1995).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from rropt.core.errors import InvalidParameterError, one_of, shown
from rropt.core.exact import rational, rational_where
from rropt.core.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
METHODS = ("jk1", "jkn", "jk2", "brr", "fay", "sdr", "acs", "bootstrap", "other")
CENTERS = ("mean", "estimate")
FORM = "METHOD:FIRST..LAST or METHOD:A,B,C, such as jk1:rep1..rep20 or fay,rho=0.3:rep1..rep80"
_MOST = 2000  # replicates
_RANGE = re.compile(r"(.*?)(\d+)\.\.(.*?)(\d+)")


@dataclass(frozen=True, slots=True)
class Replicates:
    """The columns of replicate weights, and how they were made.

    Attributes:
        method: one of ``METHODS``.
        columns: the names of the columns, or the columns themselves, shape (rows,) each; a text such as
            ``"rep1..rep20"`` lists names.
        rho: the factor of Fay's method.
        scale: the factor of all replicates; ``None``: that of the method.
        rscales: the factor of each replicate; ``None``: that of the method.
        center: ``mean`` of the replicates, or ``estimate``; ``None``: that of the method.
    """

    method: str
    columns: tuple[Any, ...]
    rho: Fraction | None = None
    scale: Fraction | None = None
    rscales: tuple[Fraction, ...] | None = None
    center: str | None = None

    def __post_init__(self) -> None:
        one_of(self.method, METHODS, "the method of replicate weights")
        if self.center is None:
            object.__setattr__(self, "center", "estimate" if self.method == "acs" else "mean")
        one_of(self.center, CENTERS, "the center of replicate weights")
        object.__setattr__(self, "columns", _listed(self.columns))
        names = [one for one in self.columns if isinstance(one, str)]
        if not 2 <= len(self.columns) <= _MOST or len(set(names)) < len(names):
            raise InvalidParameterError(
                f"the columns of replicate weights are no list: received {len(self.columns)}, "
                f"{len(set(names))} different names; allowed are 2 to {_MOST} different ones"
            )
        for name in ("rho", "scale", "rscales"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, _setting(name, value))
        if (self.rho is None) == (self.method == "fay"):
            told = "misses its rho" if self.rho is None else "has no rho"
            raise InvalidParameterError(f"the method {self.method} {told}: write fay,rho=0.3:rep1..rep80 for Fay's")
        if self.rscales is not None and len(self.rscales) != len(self.columns):
            raise InvalidParameterError(
                f"rscales do not fit: received {len(self.rscales)} for {len(self.columns)} replicates; give one for "
                "each"
            )

    @classmethod
    def of(cls, given: object) -> Replicates:
        """Return the replicate weights of a text form (``FORM``).

        >>> found = Replicates.of("Fay,rho=1/2:rep08..rep11")
        >>> found.method, found.columns
        ('fay', ('rep08', 'rep09', 'rep10', 'rep11'))
        """
        if isinstance(given, Replicates):
            return given
        head, colon, tail = given.partition(":") if isinstance(given, str) else ("", "", "")
        method, *settings = (part.strip() for part in head.split(","))
        columns = _columns(tail)
        if not colon or method.lower() not in METHODS or not columns:
            raise InvalidParameterError(
                f"the replicate weights are not read: received {shown(given)}; allowed is {FORM}; the methods are "
                f"{', '.join(METHODS)}"
            )
        values: dict[str, Any] = {}
        for setting in settings:
            key, _, value = setting.partition("=")
            if key.strip() not in ("rho", "scale", "rscales", "center"):
                raise InvalidParameterError(
                    f"replicate weights have no such setting: received {shown(setting)}; allowed are rho=, scale=, "
                    "rscales= (one factor for each replicate, separated by blanks) and center=mean or estimate"
                )
            values[key.strip()] = _setting(key.strip(), value.strip())
        return cls(method.lower(), columns, **values)

    def factors(self, replicates: Floats, weight: Floats) -> Floats:
        """Return c_r for weights of shape (rows, R), beside the sampling weight of each row."""
        R = len(self.columns)
        scale = {
            "jk1": (R - 1) / R,
            "brr": 1 / R,
            "fay": 1 / (R * (1 - float(self.rho or 0)) ** 2),
            "sdr": 4 / R,
            "acs": 4 / R,
            "bootstrap": 1 / (R - 1),
        }.get(self.method, 1.0)
        each = np.ones(R)
        if self.rscales is not None:
            each = np.array(self.rscales, np.float64)
        elif self.method == "jkn":
            own = weight > 0
            each = 1 / (replicates[own] / weight[own, None]).max(axis=0)
        found: Floats = each * (scale if self.scale is None else float(self.scale))
        return found

    def __str__(self) -> str:
        settings = [f"{key}={value}" for key, value in (("rho", self.rho), ("scale", self.scale)) if value is not None]
        return f"{len(self.columns)} replicate weights, {', '.join([self.method, *settings])}, around the {self.center}"


def _listed(given: Any) -> tuple[Any, ...]:
    """Return the columns as a tuple."""
    if isinstance(given, str):
        return _columns(given)
    try:
        return tuple(given)
    except TypeError:
        raise InvalidParameterError(
            f"the columns of replicate weights are no list: received {shown(given)}; give their names"
        ) from None


def _columns(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        ends = _RANGE.fullmatch(part)
        if ends is None or ends[1] != ends[3] or not 0 <= int(ends[4]) - int(ends[2]) < _MOST:
            found.append(part)
            continue
        width = len(ends[2]) if ends[2].startswith("0") else 0
        found += [f"{ends[1]}{number:0{width}d}" for number in range(int(ends[2]), int(ends[4]) + 1)]
    return tuple(found)


def _setting(key: str, value: Any) -> Any:
    if key == "center":
        return value
    if key == "rho":
        return rational_where(value, lambda x: 0 <= x < 1, "0 <= rho < 1", name="rho")
    if key == "scale":
        return rational_where(value, lambda x: x > 0, "scale > 0", name="scale")
    return tuple(rational(one, name="rscales") for one in (value.split() if isinstance(value, str) else value))
