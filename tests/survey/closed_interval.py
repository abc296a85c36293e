"""Two categories, one device, one behaviour: the sharp interval in closed form.

Notation. Compliers answer yes with probability c if they lack the trait and ``c + d`` if they have it. The following
are proportions of all respondents: theta are non-compliers, y are non-compliers and say yes, o are non-compliers and
have the trait, and x are compliers and have the trait. Then

    ``lambda = c (1 - theta) + d x + y,   0 <= x <= 1 - theta,   pi = x + o``.

The models restrict o and y as follows.

* ``0 <= o <= theta``. If only respondents with the trait are non-compliers (evaders), ``o = theta``.
* ``0 <= y <= theta`` for adversarial non-compliers. If non-compliers say yes with probability a, ``y = a theta``.

Without the limits on x, adversarial non-compliers give for d > 0 the interval

    ``estimate - (1 - c) theta/d <= pi <= estimate + (c + d) theta/d``.

For d < 0 the interval extends from ``estimate + c theta/d`` to ``estimate - (1 - c - d) theta/d``. The width is
``theta (1 + 1/|d|)`` in both cases. The claim ``rropt.adversarial-bounds`` in the registry proves it.
"""

from __future__ import annotations

from fractions import Fraction

from rropt.mechanisms import Mechanism
from rropt.noncompliance.behaviour_models import Behaviour

Interval = tuple[Fraction, Fraction]


def closed_interval(
    mechanism: Mechanism, share: Fraction, least: Fraction, most: Fraction, behaviour: Behaviour
) -> Interval | None:
    """Return the sharp interval of the prevalence, or None if no population gives this proportion of yes.

    Both endpoints are piecewise linear in theta, with breakpoints where x = 0. It is therefore enough to evaluate them
    at the breakpoints and at the smallest and largest feasible theta.

    Args:
        mechanism: a binary device.
        share: lambda, the proportion of yes.
        least, most: lower and upper bounds of theta.
        behaviour: adversarial, always the same response, or random.

    >>> crosswise = Mechanism.binary("1/4", "1/4")
    >>> closed_interval(crosswise, Fraction(198, 310), Fraction(1, 20), Fraction(1, 20), Behaviour("adversarial"))
    (Fraction(183, 1240), Fraction(369, 1240))
    """
    c, d = 1 - mechanism.p00, mechanism.p00 + mechanism.p11 - 1
    a = _yes_chances(behaviour)
    thetas = _thetas(c, d, share, a, least, most)
    if not thetas:
        return None
    ends = [_ends(c, d, share, a, theta, behaviour.evaders) for theta in thetas]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _yes_chances(behaviour: Behaviour) -> Interval:
    """Return the smallest and the largest probability that a non-complier says yes."""
    if behaviour.free:
        return Fraction(0), Fraction(1)
    chance = {"random": Fraction(1, 2), "always:0": Fraction(0), "always:1": Fraction(1)}[behaviour.way]
    return chance, chance


def _thetas(c: Fraction, d: Fraction, share: Fraction, a: Interval, least: Fraction, most: Fraction) -> list[Fraction]:
    """Return the smallest and the largest feasible theta, and the breakpoints (x = 0) between them.

    A theta in [least, most] is feasible if some x in [0, 1 - theta] gives the proportion lambda of yes:
    ``min(c, c + d) (1 - theta) + a_0 theta <= lambda <= max(c, c + d) (1 - theta) + a_1 theta``. Both inequalities are
    linear in theta. The list is empty if no theta is feasible.
    """
    low, high = min(c, c + d), max(c, c + d)
    for slope, room in ((a[0] - low, share - low), (high - a[1], high - share)):  # slope theta <= room
        if slope > 0:
            most = min(most, room / slope)
        elif slope < 0:
            least = max(least, room / slope)
        elif room < 0:
            return []
    kinks = [(c - share) / (c - chance) for chance in a if chance != c]
    return [least, *(theta for theta in kinks if least < theta < most), most] if least <= most else []


def _ends(c: Fraction, d: Fraction, share: Fraction, a: Interval, theta: Fraction, evaders: bool) -> Interval:
    """Return the smallest and the largest prevalence at a feasible theta."""
    rest = share - c * (1 - theta)
    if d:
        low, high = sorted(((rest - a[0] * theta) / d, (rest - a[1] * theta) / d))
    else:  # d = 0: the responses of compliers are uninformative
        low, high = Fraction(0), 1 - theta
    low, high = max(low, Fraction(0)), min(high, 1 - theta)
    return low + (theta if evaders else 0), high + theta
