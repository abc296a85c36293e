"""The loss of the joint distribution estimated from independent questions (Vinterbo 2018, section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.core.exact import rational_where
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import Matrix, required_list
from rropt.mechanisms.kronecker import Vector
from rropt.mechanisms.left_inverse import inverses_of
from rropt.mechanisms.questions import chosen_questions, product_of


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
