"""The precision of a prevalence, or of a contrast of the proportions of one question, as a function of n.

Let V be n Var of the unbiased estimate of ``c . pi`` (``precision``), exact, at a guessed distribution of the
categories, or at the worst one. For a yes/no question with two outputs, let lambda be the expected proportion of
responses 1 and ``d = p00 + p11 - 1``; then ``c = (0, 1)`` and ``V = lambda (1 - lambda)/d^2``. With z for the
confidence:

* variance: ``V/n``;
* normal margin: ``z sqrt(V/n)``;
* Wilson margin: ``sqrt(z^2 lambda (1 - lambda)/n + z^4/(4 n^2)) / ((1 + z^2/n) |d|)``;
* Chebyshev margin: the Wilson formula with ``1/(1 - confidence)`` in place of z^2;
* exact margin: the half-width of the wider Clopper-Pearson interval at the two integers next to ``n lambda``.

A margin belongs to the interval before it is cut to [0, 1]. All of these except the exact margin decrease in n.

*Power.* The null hypothesis is ``c . pi = c_0``. Let V_0 be the largest n Var of all distributions with this property,
V_1 that of the true distribution, ``D = |c . pi - c_0|``, and a the significance, or half of it for a two-sided test.
The normal test rejects if the estimate deviates from c_0 by more than ``z sqrt(V_0/n)``. Its power is
``Phi((D - z sqrt(V_0/n))/sqrt(V_1/n))``, with ``z = z_{1-a}``. For a two-sided test the probability of rejection on the
opposite side is added. The power increases with n. Proof: let ``x, y = (+-D sqrt(n) - z sqrt(V_0))/sqrt(V_1)``. The
derivative of the power is a positive multiple of ``phi(x)`` for a one-sided test. For a two-sided test it is a positive
multiple of ``phi(x) - phi(y)``, which is nonnegative because ``|y| >= |x|``.

V_0 is exact. For fixed ``c . pi``, n Var is linear in pi, so its maximum is attained at a distribution on at most two
categories.

The exact test rejects if the count Y has ``Pr(Y or more extreme | lambda_0) <= a``. Its power is the binomial
probability of rejection under the true lambda. It is not monotone in n (``exact_quantities``).

Source: Holohan, Leith and Mason (2016), (6) and (7); Wilson (1927); Blair, Imai and Zhou (2015), section 4 (power).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, one_of, shown
from rropt.core.exact import as_text, decimal_text, exact_confidence, rational_where
from rropt.core.exact.numbers import dot
from rropt.core.exact.rational_bounds import ball
from rropt.inference.count_estimates import planned_contrast
from rropt.inference.precision import shares_of, squares_of, variance_at
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population, nonzero_determinant
from rropt.plans.exact_quantities import exact_test
from rropt.plans.plan import Quantity
from rropt.plans.sample_conditions import ONE, Conditions, contrast_effect

Options = Mapping[str, Any]


def squared_quantile(level: Fraction) -> Any:
    """Return a ball around z^2 with ``Pr(|G| <= z) = level`` for a standard normal G, at the working precision."""
    return 2 * ball(level).erfinv() ** 2


def inverted_margin(name: str, share: Fraction, device: Mechanism, level: Fraction, n: int) -> Any:
    """Return the squared margin of the Wilson or Chebyshev interval, which decreases in n."""
    spread, unit = share * (1 - share), nonzero_determinant(device.p00, device.p11) ** 2
    if name == "chebyshev":
        square = 1 / (1 - level)
        return (square * spread * n + square**2 / 4) / (n + square) ** 2 / unit
    z = squared_quantile(level)
    return (z * ball(spread * n) + z**2 / 4) / (ball(Fraction(n)) + z) ** 2 / ball(unit)


def _is_prevalence(device: Mechanism, options: Options) -> bool:
    """Return whether the prevalence of a question with two outputs is planned."""
    return device.is_binary and options["contrast"] is None


def proportion_variance(device: Mechanism, options: Options) -> tuple[Fraction, Fraction | None, str]:
    """Return V, lambda for a question with two outputs, and text that names what V belongs to.

    The worst lambda is the attainable one nearest to 1/2, which maximizes ``lambda (1 - lambda)``.
    """
    guess, contrast = options["prevalence"], options["contrast"]
    shares = shares_of(guess, options["population"])
    if not _is_prevalence(device, options):
        c = planned_contrast(device, contrast)
        what = "of the prevalence" if contrast is None else f"of the contrast ({', '.join(map(as_text, c))})"
        where = "at the worst distribution" if shares is None else "at the given distribution"
        where = where if guess is None else f"at the prevalence {guess}"
        return variance_at(device, shares, contrast), None, f"{what} {where}"
    unit = nonzero_determinant(device.p00, device.p11)
    if shares is not None:
        share, where = device.apply(shares)[1], f"at the prevalence {guess}"
    else:
        low, high = sorted((1 - device.p00, device.p11))
        share = min(max(Fraction(1, 2), low), high)
        where = "at the worst prevalence (proportion of response 1 nearest to 1/2)"
    return share * (1 - share) / unit**2, share, where


def proportion_power(device: Mechanism, options: Options) -> Quantity:
    """Return the power of the test as a quantity.

    Raises:
        InvalidParameterError: the true value is missing or equals the null, or an option is outside its domain.
        UnsupportedProblemError: the test is not available for the device.
    """
    is_prevalence, contrast = _is_prevalence(device, options), options["contrast"]
    test = one_of(options["test"], ("exact", "normal"), "test")
    if test == "exact" and not is_prevalence:
        raise UnsupportedProblemError(
            f"this test is planned for two outputs only: received {shown(test)} for a mechanism with more outputs, "
            "or a contrast; allowed is normal"
        )
    shares, c = shares_of(options["prevalence"], options["population"]), planned_contrast(device, contrast)
    if shares is None:
        raise InvalidParameterError(
            "a power needs the truth: received no prevalence and no proportions; give the prevalence"
            + (", or the proportions (`population`)" if not is_prevalence else "")
        )
    null, truth = options["null"], dot(c, exact_population(shares, device.inputs))
    if null == truth or not min(c) <= null <= max(c):
        raise InvalidParameterError(
            f"the null is invalid: received {as_text(null)}, with the true value {as_text(truth)}; allowed is a "
            f"different number from {as_text(min(c))} to {as_text(max(c))}"
        )
    level = exact_confidence(options["significance"], "significance")
    rational_where(level, lambda x: 2 * x <= 1, "0 < significance <= 1/2", name="significance")
    sided = one_of(options["sided"], ("one", "two"), "sided")
    tail, is_two_sided = level / 2 if sided == "two" else level, sided == "two"
    named = "prevalence" if contrast is None else f"the contrast ({', '.join(map(as_text, c))})"
    what = (
        f"the power of the {sided}-sided {test} test of {named} {as_text(null)} at significance {decimal_text(level)} "
        f"against {as_text(truth)}"
    )
    squares, own = squares_of(device, c), variance_at(device, shares, contrast)
    if test == "exact":
        low, high = (device.apply((1 - pi, pi))[1] for pi in (null, truth))
        return exact_test(what, low, high, tail, is_two_sided=is_two_sided)
    spread = _largest(squares, c, null) - null**2
    return Quantity("power", what, _missed(abs(truth - null), spread, own, tail, is_two_sided))


def power_effect(device: Mechanism, options: Options, sample: Conditions) -> Fraction:
    """Return the design effect that a power is planned with: the larger one of those at the null and at the truth."""
    kappa = sample.clustering
    if not kappa:
        return sample.effect(ONE, ONE)
    shares, c = shares_of(options["prevalence"], options["population"]), planned_contrast(device, options["contrast"])
    null, squares = options["null"], squares_of(device, c)
    wider = [v + kappa * x * x for v, x in zip(squares, c, strict=True)]
    plain = _largest(squares, c, null) - null**2
    return max(
        contrast_effect(device, c, shares, sample),
        sample.effect(plain, _largest(wider, c, null) - (1 + kappa) * null**2),
    )


def _largest(squares: Sequence[Fraction], contrast: Sequence[Fraction], value: Fraction) -> Fraction:
    """Return the largest ``squares . pi`` over all distributions pi with ``c . pi = value``.

    The maximum is attained at a distribution on at most two categories.
    """
    below = [(c, v) for c, v in zip(contrast, squares, strict=True) if c <= value]
    above = [(c, v) for c, v in zip(contrast, squares, strict=True) if c >= value]
    found = []
    for (low, v), (high, w) in product(below, above):
        share = (value - low) / (high - low) if high > low else Fraction(0)
        found.append((1 - share) * v + share * w)
    return max(found)


def _missed(
    distance: Fraction, null: Fraction, truth: Fraction, tail: Fraction, is_two_sided: bool
) -> Callable[[int], Any]:
    """Return 1 - power of the normal test as a function of n."""

    def missed(n: int) -> Any:
        from flint import arb

        reach = arb(2).sqrt() * ball(1 - 2 * tail).erfinv() * ball(null / n).sqrt()
        deviation = ball(truth / n).sqrt()
        missed = 1 - _normal_cdf(ball(distance) - reach, deviation)
        return missed - _normal_cdf(-ball(distance) - reach, deviation) if is_two_sided else missed

    return missed


def _normal_cdf(difference: Any, deviation: Any) -> Any:
    """Return ``Phi(difference/deviation)``; for deviation 0, its limit."""
    from flint import arb

    if deviation == 0:
        return arb(1) if difference > 0 else arb(0) if difference < 0 else arb(0).union(arb(1))
    return (1 + (difference / (arb(2).sqrt() * deviation)).erf()) / 2
