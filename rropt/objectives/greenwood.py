"""The loss L at a random distribution pi, and its bounds over all pi (Vinterbo 2018, section 4.1).

With S = |pi|^2 and s_l as in ``spreads``, ``L = (E prod s_l(X_l) - S)/(1 - S)``, which increases with S. If
pi is uniform on the simplex of N cells, S is Greenwood's statistic, whose distribution is known. This gives the mean of
L.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt, prod

from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.core.exact import Bracket, rational_where
from rropt.core.exact.numbers import dot
from rropt.core.results import Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import Matrix, required_list
from rropt.mechanisms.kronecker import Vector
from rropt.mechanisms.left_inverse import inverses_of
from rropt.mechanisms.question_selection import chosen_questions, product_of


def spreads(mechanism: Mechanism, questions: Sequence[int] | None = None) -> list[Vector]:
    """Return s(z) for each question and truth z: the mean squared norm of the column of A that belongs to the response.

    A is the left inverse of the device, and ``s(z) >= 1``. For a yes/no question
    ``s(0) = (p00 (p11^2 + (1-p00)^2) + (1-p00)(p00^2 + (1-p11)^2)) / (p00 + p11 - 1)^2``, and s(1) follows by
    exchanging p00 and p11. For a bisymmetric question both are ``(a^2 + (1-a)^2)/(2a-1)^2``.

    Args:
        mechanism: a product of the devices of the questions.
        questions: the indices of the questions, from 0.
    """
    product = product_of(mechanism)
    chosen = chosen_questions(len(product.factors), questions)
    found: dict[Mechanism, Vector] = {}
    for device in (product.factors[q] for q in chosen):
        if device not in found:
            lengths = [
                sum((x * x for x in column), Fraction(0)) for column in zip(*question_inverse(device), strict=True)
            ]
            found[device] = mean_weights(device, lengths)
    return [found[product.factors[q]] for q in chosen]


def question_inverse(device: Mechanism) -> Matrix:
    """Return the left inverse A of one question, shape (k, m)."""
    return inverses_of([device])[0]


def mean_weights(device: Mechanism, weights: Sequence[Fraction]) -> Vector:
    """Return the mean weight of the output for each truth."""
    return tuple(dot(device.column(z), weights) for z in range(device.inputs))


def independent_loss(mechanism: Mechanism, prevalences: Sequence[Fraction]) -> Fraction:
    """Return the loss L for independent yes/no questions.

    L is the trace of the joint covariance divided by that of direct questioning,
    ``L = (prod_l E s_l(X_l) - S)/(1 - S)`` with ``S = prod_l (pi_l^2 + (1 - pi_l)^2)``.

    Args:
        mechanism: a product of binary questions.
        prevalences: pi_l = Pr(answer l = 1), one for each question, in [0, 1].

    Raises:
        InfeasibleError: all prevalences are 0 or 1, so direct questioning has no error and L is infinite.

    >>> from rropt.mechanisms import named_mechanism
    >>> independent_loss(named_mechanism("bits:3/4*2"), [Fraction(1, 2), Fraction(1, 2)])
    Fraction(8, 1)
    """
    each = spreads(mechanism)
    shares = required_list(prevalences, "`prevalences`", f"a list of {len(each)} probabilities, one for each question")
    if len(shares) != len(each):
        raise InvalidParameterError(
            f"`prevalences` do not fit the questions: received {len(shares)}; allowed are {len(each)}, one for each"
        )
    exact = [
        rational_where(p, lambda p: 0 <= p <= 1, "0 <= pi <= 1", name=f"prevalences[{i}]") for i, p in enumerate(shares)
    ]
    pairs = list(zip(exact, each, strict=True))
    squares = prod((p * p + (1 - p) * (1 - p) for p, _ in pairs), start=Fraction(1))
    if squares == 1:
        raise InfeasibleError(
            "the loss is not defined for a distribution that is concentrated in one cell: direct questioning has no "
            "error to compare with; give a distribution with two cells or more"
        )
    return (prod(((1 - p) * s[0] + p * s[1] for p, s in pairs), start=Fraction(1)) - squares) / (1 - squares)


_MOST_TERMS = 320  # of 1/(1 - S) = 1 + S + S^2 + ...; the bounded remainder is 1e-4 of the mean for 4 cells, 0 for 16
_FINE = Fraction(1, 10**15)  # no further terms are added below this remainder
_ROOT = 10**20  # denominator of an upper bound of a standard deviation


@dataclass(frozen=True, slots=True)
class GreenwoodLoss(Result):
    """The loss L when pi is uniform on the simplex of N cells, with S = |pi|^2 (Greenwood's statistic).

    Attributes:
        cells: N, the number of cells.
        average: the mean over all cells of ``prod s_l(x_l)``; for bisymmetric bits, the c of Vinterbo's Lemma 4.5.
        loss_at_mean: ``(average - E S)/(1 - E S)``, E S = 2/(N+1): the approximation of the loss given in the paper.
            For all devices it equals the mean trace divided by the mean trace of direct questioning.
        mean_loss: bounds of E L = ``1 + (average - 1) E 1/(1-S)``; ``None`` for N = 2, where it is infinite unless the
            device always reports the truth.
    """

    cells: int
    average: Fraction
    loss_at_mean: Fraction
    mean_loss: Bracket | None
    mean_square: Fraction  # the mean over all cells of the squares of prod s_l(x_l)
    ends: Bracket  # the smallest and the largest prod s_l(x_l)
    LABELS = labelled(
        mean_loss="mean loss if all joint distributions are equally likely",
        loss_at_mean="loss at the mean of |pi|^2",
        band="bounds of this loss, with probability 0.99 or more",
    )

    @property
    def ratio(self) -> Bracket | None:
        """Bounds of ``E L / loss_at_mean`` >= 1, the corrected form of Vinterbo (2018), Proposition 4.7."""
        return None if self.mean_loss is None else Bracket(*(x / self.loss_at_mean for x in self.mean_loss))

    def band(self, confidence: object = "0.99") -> tuple[Fraction, Fraction | None]:
        """Return an interval that contains the random loss with at least this probability, by Chebyshev's inequality.

        S is within t standard deviations of its mean with probability at least ``1 - 1/t^2``. So is the mean of
        ``prod s_l`` under pi. If this mean is not constant, both are with probability at least ``1 - 2/t^2``. The loss
        increases with both.

        Returns:
            The lower bound and the upper bound; ``None`` if the inequality gives no upper bound below S = 1.

        >>> from rropt.mechanisms import named_mechanism
        >>> low, high = greenwood_loss(named_mechanism("bits:3/4*5")).band()
        >>> round(float(low), 3), round(float(high), 3)
        (100.774, 115.852)
        """
        sure = rational_where(confidence, lambda c: 0 <= c < 1, "0 <= confidence < 1", name="confidence")
        square = (1 if self.ends.is_exact else 2) / (1 - sure)
        reach = _root(square * greenwood_moments(self.cells)[1])
        sway = _root(square * (self.mean_square - self.average**2) / (self.cells + 1))
        mean = greenwood_moments(self.cells)[0]
        low = max(mean - reach, Fraction(1, self.cells)), max(self.average - sway, self.ends.lower)
        high = mean + reach, min(self.average + sway, self.ends.upper)
        ends = _loss(*low), _loss(*high) if high[0] < 1 else None
        return (Fraction(1), Fraction(1)) if self.ends.upper == 1 else ends


def greenwood_loss(mechanism: Mechanism) -> GreenwoodLoss:
    """Return the mean of the loss when pi is uniform on the simplex, and bounds of its variance.

    ``E(pi_x/(1-S))`` is the same for all cells x, so ``E L = 1 + (average - 1) E 1/(1-S)`` for every device. The mean
    ``E 1/(1-S)`` depends only on N. It is enclosed by means of powers of S with a bound of the remainder. Hence
    ``1 <= E L / loss_at_mean <= (1 - E S) E 1/(1-S)``, with certainty. Vinterbo (2018), Proposition 4.7, states this
    for bisymmetric bits "with probability 0.99", for n categories instead of 2^n, and with weaker constants.

    Args:
        mechanism: a product of devices, or one device.

    Returns:
        The loss at the mean of S, its exact mean within bounds, and bounds of its variance.

    >>> from rropt.mechanisms import named_mechanism
    >>> three = greenwood_loss(named_mechanism("bits:3/4*3"))
    >>> print(three.loss_at_mean, [round(float(x), 6) for x in three.ratio])
    1109/56 [1.005837, 1.005837]
    """
    columns = spreads(mechanism)
    cells = prod(map(len, columns))
    average = mean_square = least = most = Fraction(1)
    for s in columns:
        average *= sum(s, Fraction(0)) / len(s)
        mean_square *= sum((x * x for x in s), Fraction(0)) / len(s)
        least, most = least * min(s), most * max(s)
    mean = Bracket.of(average) if average == 1 else None
    if cells > 2:
        mean = Bracket(*(1 + (average - 1) * x for x in _inverse_mean(cells)))
    at_mean = _loss(greenwood_moments(cells)[0], average)
    return GreenwoodLoss(cells, average, at_mean, mean, mean_square, Bracket(least, most))


def greenwood_moments(cells: int) -> tuple[Fraction, Fraction]:
    """Return the mean and the variance of S = |pi|^2 for pi uniform on the simplex of N cells (Moran 1947).

    Args:
        cells: N, from 1 to 10^4 digits.

    >>> print(*greenwood_moments(8))
    2/9 14/4455
    """
    cells = int(
        rational_where(cells, lambda n: n.denominator == 1 and n > 0, "an integer > 0", name="cells", digits=10**4)
    )
    return Fraction(2, cells + 1), Fraction(4 * (cells - 1), (cells + 1) ** 2 * (cells + 2) * (cells + 3))


def loss_bounds(mechanism: Mechanism, squares: object = None) -> tuple[Fraction, Fraction | None]:
    """Return lower and upper bounds of the loss over all pi, or over those with ``|pi|^2 = squares``.

    ``L = (E prod s_l(X_l) - S)/(1 - S)`` increases with S >= 1/N, because ``prod s_l >= 1``. With the smallest and the
    largest value of the product, ``(smallest - S)/(1 - S) <= L <= (largest - S)/(1 - S)``. For bisymmetric bits both
    bounds equal L, and the lower one at S = 1/N is the bound of Vinterbo (2018), Theorem 4.6.

    Args:
        mechanism: a product of devices.
        squares: S; ``None``: every S. Then there is no upper bound unless the device always reports the truth.

    >>> from rropt.mechanisms import named_mechanism
    >>> print(*loss_bounds(named_mechanism("bits:3/4*2")), *loss_bounds(named_mechanism("bits:3/4*2"), "1/2"))
    8 None 23/2 23/2
    """
    columns = spreads(mechanism)
    least, most = (prod((end(column) for column in columns), start=Fraction(1)) for end in (min, max))
    floor = Fraction(1, prod(map(len, columns)))
    if squares is None:
        return _loss(floor, least), Fraction(1) if most == 1 else None
    s = rational_where(squares, lambda x: floor <= x < 1, f"{floor} <= squares < 1", name="squares")
    return _loss(s, least), _loss(s, most)


def _loss(squares: Fraction, average: Fraction) -> Fraction:
    return (average - squares) / (1 - squares)


@lru_cache(maxsize=64)
def _inverse_mean(cells: int) -> Bracket:
    """Return bounds of E 1/(1-S) for three cells or more.

    1. ``S^k`` is the sum of ``k!/prod k_i! prod p_i^{2 k_i}``, and
       ``E prod p_i^{2 k_i} = (N-1)! prod (2 k_i)!/(N-1+2k)!``. Hence E S^k is ``k! (N-1)!/(N-1+2k)!`` times the
       coefficient of x^k in the N-th power of ``sum_j (2j)!/j! x^j``. These coefficients satisfy Miller's recurrence.
    2. S is at most the largest proportion, and a proportion has the density ``(N-1)(1-p)^{N-2}``. So the remainder is
       ``E S^K/(1-S) <= sum E p_i^K/(1-p_i) = N (N-1) B(K+1, N-2)``.
    """
    one, power = [1], [1]  # (2j)!/j!, and the coefficients of the N-th power
    total, scale = Fraction(1), Fraction(1)
    rest = Fraction(cells * (cells - 1), cells - 2)
    for k in range(1, _MOST_TERMS):
        one.append(one[-1] * 2 * (2 * k - 1))
        power.append(sum((cells * j - k + j) * one[j] * power[k - j] for j in range(1, k + 1)) // k)
        scale *= Fraction(k, (cells + 2 * k - 2) * (cells + 2 * k - 1))
        total += scale * power[k]
        rest *= Fraction(k, cells - 2 + k)
        if rest * (k + 1) / (cells - 1 + k) < _FINE:
            break
    return Bracket(total, total + rest * (k + 1) / (cells - 1 + k))


def _root(square: Fraction) -> Fraction:
    """Return an upper bound of the square root."""
    return Fraction(isqrt(square.numerator * _ROOT**2 // square.denominator + 1) + 1, _ROOT)
