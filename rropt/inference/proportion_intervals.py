r"""Confidence intervals of a proportion from a complex survey, for direct and for randomized responses.

For a domain, the survey gives the estimate p, its estimated variance V, n respondents with positive weight, and d
degrees of freedom. The kinds of intervals are those of R's ``svyciprop``. Each of them is defined for a proportion t
between 0 and 1.

**Direct responses.** ``t = p`` and ``v = V``: the intervals are those of R.

**Randomized responses.** The debiased response z_i of respondent i lies between the smallest and the largest value that
the randomizing device of i allows: ``a_i <= z_i <= b_i``. Let a and b be the weighted means of these endpoints, and let

    ``t = (p - a)/(b - a)``,  ``v = V/(b - a)^2``.

Then t lies in [0, 1] for all possible responses, although p may not. For a binary question and one device, t is the
weighted proportion of responses 1, since ``p = (t - (1 - p00))/(p00 + p11 - 1)``. The interval [L, U] for t becomes
``[a + (b - a) L, a + (b - a) U]`` for p. The result is the intersection with [0, 1], or the nearer one of 0 and 1 if it
is empty. The affine map preserves the coverage, and the intersection can only increase it.

Let ``q = t_{d, 1 - alpha/2}`` be Student's quantile, and ``B(c; x, y)`` the c-quantile of the beta distribution.

* ``beta``: ``[B(alpha/2; m t, m (1 - t) + 1), B(1 - alpha/2; m t + 1, m (1 - t))]`` with the effective sample size
  ``m = t (1 - t)/v (t_{n-1, 1 - alpha/2}/q)^2``. This is the Clopper-Pearson interval for m respondents.
* ``logit``: ``expit(log(t/(1 - t)) -+ q sqrt(v)/(t (1 - t)))``; R's ``logit`` and ``xlogit`` are both this interval.
* ``likelihood``: all x with ``2 m' (n - 1)/n (t log(t/x) + (1 - t) log((1 - t)/(1 - x))) <= q^2``, where
  ``m' = t (1 - t)/v``. The left side is the deviance divided by R's dispersion ``n/(n - 1)`` and by the design effect.
  R interpolates the profile, so its endpoints have about three digits.
* ``asin``: ``sin^2(asin(sqrt(t)) -+ q/(2 sqrt(m')))``, with the angle clipped to [0, pi/2]. R does not clip the angle,
  so its endpoints move back inwards if the angle leaves this range.
* ``wilson``: ``(t + h/2 -+ sqrt(h t (1 - t) + h^2/4))/(1 + h)`` with ``h = q^2/m'`` (in R since survey 4.2).
* ``mean``: ``p -+ q sqrt(V)``. It is not clipped, and in most small surveys it is not contained in [0, 1].

**Recommended: beta.** It exists for all responses, even if they are all equal. In simulations, its coverage was never
far below the nominal one (benchmarks/README.md). If all responses are equal or v = 0, the data contain no information
about the design effect, and n replaces ``t (1 - t)/v``. The interval ``logit`` does not exist for t = 0 and t = 1, and
is omitted there. If all members of a finite population gave direct responses, p is known, and every interval is the
point p.

Sources: Korn and Graubard (1998), Confidence intervals for proportions with small expected number of positive counts
estimated from survey data, Survey Methodology 24, 193-201 (``beta``); Rao and Scott (1984), Annals of Statistics 12,
46-60 (``likelihood``); Lumley (2010), Complex Surveys; Parker et al. (2017), NCHS Data Presentation Standards for
Proportions (which recommends ``beta``); Franco, Little, Louis and Slud (2019), Journal of Survey Statistics and
Methodology 7, 334-364 (comparison).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from rropt.core.lazy import NDArray
from rropt.core.lazy import numpy as np
from rropt.inference.distributions import lower_probability, t_lower_quantile, upper_probability

Floats: TypeAlias = "NDArray[np.float64]"
Ends = tuple[Floats, Floats]

_HALVINGS = 60  # bisections of [0, 1], to the precision of a double
_ROUNDING = 1e-12  # tolerance for t: if all responses are equal, t is 0 or 1 up to the rounding of the sums of weights


@dataclass(frozen=True, slots=True)
class Proportions:
    """Estimated proportions as arrays with one entry per proportion; all intervals have the same confidence.

    Attributes:
        t: the estimates, in [0, 1].
        v: their estimated variances.
        n: the numbers of respondents.
        freedom: the degrees of freedom, at least 1.
        alpha: 1 minus the confidence.
    """

    t: Floats
    v: Floats
    n: Floats
    freedom: Floats
    alpha: float

    @property
    def quantile(self) -> Floats:
        """Student's quantile q."""
        return t_quantile(self.freedom, self.alpha)

    @property
    def size(self) -> Floats:
        """The size m' of a simple random sample with the same precision; n if the responses do not determine it."""
        known = (self.v > _ROUNDING**2) & (self.t > 0) & (self.t < 1)
        return np.where(known, self.t * (1 - self.t) / np.where(known, self.v, 1.0), self.n)

    @property
    def effective_size(self) -> Floats:
        """Korn and Graubard's effective sample size m: m' adjusted for the degrees of freedom."""
        return self.size * (t_quantile(np.maximum(self.n - 1, 1), self.alpha) / self.quantile) ** 2


def t_quantile(freedom: Floats, alpha: float) -> Floats:
    """Return the quantile of Student's t distribution; NaN without degrees of freedom."""
    return np.where(freedom > 0, -t_lower_quantile(np.maximum(freedom, 1.0), alpha / 2), np.nan)


def _beta(p: Proportions) -> Ends:
    m, half = p.effective_size, p.alpha / 2
    return lower_probability(m, m * p.t, half), upper_probability(m, m * p.t, half)


def _logit(p: Proportions) -> Ends:
    from scipy.special import expit, logit

    with np.errstate(divide="ignore", invalid="ignore"):
        half = p.quantile / np.sqrt(p.size * p.t * (1 - p.t))
        return np.asarray(expit(logit(p.t) - half)), np.asarray(expit(logit(p.t) + half))


def _asin(p: Proportions) -> Ends:
    angle, half = np.arcsin(np.sqrt(p.t)), p.quantile / (2 * np.sqrt(p.size))
    return np.sin(np.maximum(angle - half, 0.0)) ** 2, np.sin(np.minimum(angle + half, np.pi / 2)) ** 2


def _wilson(p: Proportions) -> Ends:
    h = p.quantile**2 / p.size
    centre, half = p.t + h / 2, np.sqrt(h * p.t * (1 - p.t) + h * h / 4)
    return np.maximum((centre - half) / (1 + h), 0.0), np.minimum((centre + half) / (1 + h), 1.0)


def _likelihood(p: Proportions) -> Ends:
    from scipy.special import rel_entr

    bound = p.quantile**2 / (2 * p.size) * p.n / np.maximum(p.n - 1, 1)
    ends = []
    for outer in (np.zeros_like(p.t), np.ones_like(p.t)):
        outside, inside = outer, p.t
        for _ in range(_HALVINGS):
            middle = (outside + inside) / 2
            accepted = rel_entr(p.t, middle) + rel_entr(1 - p.t, 1 - middle) <= bound
            outside, inside = np.where(accepted, outside, middle), np.where(accepted, middle, inside)
        ends.append(np.asarray(inside, np.float64))
    return ends[0], ends[1]


class ProportionIntervalKind(NamedTuple):
    """A kind of confidence interval for a proportion from a complex survey.

    Attributes:
        guarantee: its names in the literature, and what is known about its coverage, in words.
        ends: a function that returns the endpoints for a proportion t, NaN if the interval does not exist; ``None`` for
            ``p -+ q sqrt(V)``.
    """

    guarantee: str
    ends: Callable[[Proportions], Ends] | None


_TENDS = "no guarantee: coverage tends to the nominal one as the number of clusters grows"
RECOMMENDED = "beta"

PROPORTION_INTERVALS: dict[str, ProportionIntervalKind] = {  # the names are those of R's svyciprop
    "beta": ProportionIntervalKind(
        "Korn-Graubard: Clopper-Pearson with the effective sample size; the variance is estimated, hence no guarantee; "
        "in simulations coverage is near the nominal one or above",
        _beta,
    ),
    "logit": ProportionIntervalKind(
        "Wald on the logit scale; no guarantee: it does not exist where all responses are equal", _logit
    ),
    "likelihood": ProportionIntervalKind(f"Rao-Scott scaled likelihood; {_TENDS}", _likelihood),
    "asin": ProportionIntervalKind(f"Wald on the arcsine square root scale; {_TENDS}", _asin),
    "wilson": ProportionIntervalKind(f"Wilson (score) with the effective sample size; {_TENDS}", _wilson),
    "mean": ProportionIntervalKind(
        "Student's t; no guarantee: it may leave [0, 1], and covers too rarely near 0 and 1", None
    ),
}


def proportion_intervals(
    p: Floats,
    variance: Floats,
    n: Floats,
    freedom: Floats,
    low: Floats,
    high: Floats,
    confidence: Fraction,
    census: NDArray[np.bool_] | None = None,
) -> tuple[dict[str, Ends], Floats]:
    """Return the intervals of every kind for estimated proportions, and the effective sample sizes.

    Args:
        p: the estimates, shape (G,); they may lie outside [0, 1].
        variance: their estimated variances V, shape (G,).
        n: the numbers of respondents with positive weight, shape (G,).
        freedom: the degrees of freedom, shape (G,).
        low, high: the endpoints a and b of the range of the estimates, shape (G,); 0 and 1 for direct responses.
        confidence: the confidence of each single interval, in (0, 1).
        census: whether all members of a finite population responded, shape (G,). For a direct question, every interval
            is then a point.

    Returns:
        The lower and upper endpoints for each kind (NaN if an interval does not exist), and the effective sample sizes
        m.

    >>> ends, m = proportion_intervals(*(np.array([x]) for x in (0.2, 0.008, 20.0, 19.0, 0.0, 1.0)), Fraction(19, 20))
    >>> [round(float(end[0]), 6) for end in ends["beta"]], round(float(m[0]), 6)  # binom.test(4, 20) in R
    ([0.057334, 0.436614], 20.0)
    """
    scale, none = high - low, (freedom < 1) | ~(high > low)
    one = np.where(scale > 0, scale, 1.0)
    t = np.clip((p - low) / one, 0.0, 1.0)
    t = np.where(t < _ROUNDING, 0.0, np.where(t > 1 - _ROUNDING, 1.0, t))
    exact = np.zeros(len(p), bool) if census is None else census & (abs(low) + abs(high - 1) < _ROUNDING)
    given = Proportions(t, variance / one**2, n, np.maximum(freedom, 1.0), float(1 - confidence))
    found: dict[str, Ends] = {}
    for name, kind in PROPORTION_INTERVALS.items():
        if kind.ends is None:
            half = given.quantile * np.sqrt(variance)
            ends = p - half, p + half
        else:
            lower, upper = kind.ends(given)
            ends = np.clip(low + scale * lower, 0.0, 1.0), np.clip(low + scale * upper, 0.0, 1.0)
        lower, upper = (np.where(exact, p, end) for end in ends)
        found[name] = np.where(none, np.nan, lower), np.where(none, np.nan, upper)
    return found, np.where(none, np.nan, given.effective_size)
