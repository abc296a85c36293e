"""The unbiased linear estimator, a left inverse of the mechanism, in closed form for ``P = a I + u 1^T``.

A mechanism ``P = a I + u 1^T`` reports the truth with probability a and otherwise output i with probability
``u_i / (1 - a)``. Examples are k-ary randomized response (GRR, the gamma-diagonal matrix), forced response with k
outputs, and every binary design. The columns sum to ``a + 1^T u = 1``. Hence ``P^-1 = (I - u 1^T) / a`` by the formula
of Sherman and Morrison, with the following consequences for the observed proportions l and counts N_i of n responses.

* The estimate is ``(l - u) / a``, with covariance ``(diag(l) - l l^T) / (a^2 n)``.
* For a > 0, maximum likelihood maximizes ``sum_i N_i log(lambda_i)``, where the ``lambda_i = a pi_i + u_i >= u_i`` have
  the sum 1. This function is concave. So lambda is a maximizer iff for some c, ``N_i / lambda_i = c`` where pi_i > 0
  and ``N_i / lambda_i <= c`` elsewhere, that is, ``lambda_i = max(u_i, N_i / c)``.
* The sum of these lambda_i decreases in c. So the set S of outputs with pi_i > 0 consists of those with the largest
  ``N_i / u_i``, and ``1 / c = (1 - sum_{i not in S} u_i) / sum_{i in S} N_i`` is rational.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.core.exact import rational
from rropt.core.exact.flint_numbers import flint_matrix, fractions_of, whole_products
from rropt.core.exact.numbers import dot
from rropt.mechanisms.columns import Entries, listed, nonzero_determinant

Vector = tuple[Fraction, ...]

# Up to here (m k^2) the inverse with weights takes seconds: 3 s at 60 categories and 244 sets, 40 s at 100 and 2 525.
# Its entries have some k times as many digits as those of the mechanism.
_MOST_WEIGHTED = 10**6


@dataclass(frozen=True, slots=True)
class GammaDiagonal:
    """A mechanism of the form ``P = a I + u 1^T``.

    Attributes:
        truth: a, not 0.
        other: u, shape (k,), the off-diagonal entry of each row, nonnegative.
    """

    truth: Fraction
    other: Vector

    def inverse(self) -> tuple[Vector, ...]:
        """Return ``P^-1``, shape (k, k); each of its rows has two distinct entries."""
        k = len(self.other)
        pairs = [((1 - u) / self.truth, -u / self.truth) for u in self.other]
        return tuple((off,) * i + (on,) + (off,) * (k - i - 1) for i, (on, off) in enumerate(pairs))

    def covariance(self, counts: Sequence[int]) -> tuple[Vector, ...]:
        """Return the plug-in covariance of the estimate, shape (k, k)."""
        n = sum(counts)
        below = (self.truth * n) ** 2 * n
        p, q = below.as_integer_ratio()
        return tuple(
            tuple(Fraction(q * (n * x * (i == j) - x * y), p) for j, y in enumerate(counts))
            for i, x in enumerate(counts)
        )

    def most_likely(self, counts: Sequence[int]) -> Vector | None:
        """Return the maximum likelihood estimate of pi, exactly; ``None`` for a < 0."""
        if self.truth < 0:
            return None
        # sort by N_i / u_i, largest first: infinite for an observed output with u_i = 0, zero for an unobserved one
        never = [i for i, (count, u) in enumerate(zip(counts, self.other, strict=True)) if count and not u]
        order = sorted(
            (i for i, count in enumerate(counts) if count and self.other[i]), key=lambda i: -counts[i] / self.other[i]
        )
        seen, rest, scale = 0, self.truth, Fraction(0)  # rest = 1 - sum of u over the others
        for i in (*never, *order):
            if seen and counts[i] * scale <= self.other[i]:
                break
            seen, rest = seen + counts[i], rest + self.other[i]
            scale = rest / seen
        return tuple(
            max(Fraction(0), count * scale - u) / self.truth for count, u in zip(counts, self.other, strict=True)
        )


def gamma_diagonal(mechanism: Entries) -> GammaDiagonal | None:
    """Return the form ``a I + u 1^T`` of a mechanism, exactly; ``None`` if it has another form or a = 0.

    >>> from rropt.mechanisms import named_mechanism
    >>> gamma_diagonal(named_mechanism("grr:3,1/2"))
    GammaDiagonal(truth=Fraction(1, 4), other=(Fraction(1, 4), Fraction(1, 4), Fraction(1, 4)))
    """
    rows, k = mechanism.matrix, mechanism.inputs
    if len(rows) != k or k < 2:
        return None
    other = tuple(row[i - 1] for i, row in enumerate(rows))  # row 0: the last entry
    truth = rows[0][0] - other[0]
    if not truth or any(row[i] - u != truth for i, (row, u) in enumerate(zip(rows, other, strict=True))):
        return None
    if any(row.count(u) != k - 1 for row, u in zip(rows, other, strict=True)):  # the diagonal entry is a + u, a != 0
        return None
    return GammaDiagonal(truth, other)


@dataclass(frozen=True, slots=True)
class SetForm:
    """A mechanism with two probabilities, ``P(i | x) = high`` where set B_i contains x, else ``low``, in closed form.

    Every category is in r sets, and every two categories are together in lam sets (a pairwise balanced design). With
    ``p = high r`` and ``m = high lam + low (r - lam)``, the probabilities that the response contains the true category
    and a given other one, ``A[x][i] = ([x in B_i] - m)/(p - m)`` is a left inverse:
    ``sum_i [x in B_i] P(i | y)`` is p for y = x and m for y != x, and the columns of P have the sum 1.
    The estimate is ``(c_x/n - m)/(p - m)``, where c_x of n responses contain x.

    Attributes:
        members: for each category, the sets that contain it, as the bits of an integer, shape (k,).
        outputs: the number of sets.
        hit: p, the probability that the response contains the true category.
        miss: m, the probability that it contains a given other category.
        are_equal: whether all sets have the same size.
    """

    members: tuple[int, ...]
    outputs: int
    hit: Fraction
    miss: Fraction
    are_equal: bool

    def covariance(self, counts: Sequence[int]) -> tuple[Vector, ...]:
        """Return the plug-in covariance of the estimate, ``(n c_xy - c_x c_y)/(n^3 (p - m)^2)``, shape (k, k).

        Here c_xy of the n responses contain both x and y.
        """
        n, scale = sum(counts), (self.hit - self.miss) ** 2
        chosen = [[0] * len(self.members) for _ in counts]
        for x, held in enumerate(self.members):
            for i, digit in enumerate(reversed(f"{held:b}")):
                chosen[i][x] = int(digit)
        seen = [(count, row) for count, row in zip(counts, chosen, strict=True) if count]
        together = whole_products([[count * digit for digit in row] for count, row in seen], [row for _, row in seen])
        alone = [row[x] for x, row in enumerate(together)]
        p, q = (n**3 * scale).as_integer_ratio()
        return tuple(
            tuple(Fraction((n * both - alone[x] * other) * q, p) for both, other in zip(row, alone, strict=True))
            for x, row in enumerate(together)
        )

    def is_least(self, reference: Sequence[Fraction]) -> bool:
        """Return whether A has the least variance at the reference: it is uniform, and all sets are equally large.

        Then ``D = diag(P r)`` is a multiple of I, and ``P^T P`` and its inverse are ``a I + b 1 1^T``. So the weighted
        left inverse has two values, as A has, and both have columns of sum 1: there is one such left inverse.
        """
        return self.are_equal and len(set(reference)) == 1

    @property
    def weights(self) -> tuple[Fraction, Fraction]:
        """The two entries of A: of sets that contain the category, and of the others."""
        return (1 - self.miss) / (self.hit - self.miss), -self.miss / (self.hit - self.miss)

    def inverse(self) -> tuple[Vector, ...]:
        """Return A, shape (k, m)."""
        inside, outside = self.weights
        return tuple(tuple(inside if held >> i & 1 else outside for i in range(self.outputs)) for held in self.members)


def set_form(mechanism: Entries) -> SetForm | None:
    """Return the form of a mechanism with two probabilities and a pairwise balanced design; ``None`` if it has another.

    >>> from rropt.mechanisms.families import AllSubsets, BlockMechanism
    >>> found = set_form(BlockMechanism(AllSubsets(4, 2), 3))
    >>> found.hit, found.miss, [bin(held) for held in found.members][:2]
    (Fraction(3, 4), Fraction(5, 12), ['0b1011', '0b10101'])
    """
    rows, k = mechanism.matrix, mechanism.inputs
    values: set[Fraction] = set()
    for row in rows:
        values.update({id(value): value for value in row}.values())  # rows repeat their entries, and a hash is slow
        if len(values) > 2:
            return None
    if k < 2 or len(values) != 2:
        return None
    low, high = sorted(values)
    members = [0] * k
    for i, row in enumerate(rows):
        inside = {each: (value == high) << i for each, value in {id(value): value for value in row}.items()}
        for x, value in enumerate(row):
            members[x] |= inside[id(value)]
    each = {held.bit_count() for held in members}
    together = {(one & other).bit_count() for x, one in enumerate(members) for other in members[:x]}
    if len(each) != 1 or len(together) != 1 or each == together:
        return None
    (r,), (lam,) = each, together
    are_equal = len({row.count(high) for row in rows}) == 1
    return SetForm(tuple(members), len(rows), high * r, high * lam + low * (r - lam), are_equal)


def leaves_out_weights(mechanism: Entries, reference: Sequence[Fraction]) -> bool:
    """Return whether ``left_inverse`` counts memberships for the size of the matrix, and not for the least variance."""
    if not mechanism.inputs < len(mechanism.matrix) or not _is_large(mechanism):
        return False
    sets = mechanism.sets
    return sets is not None and not sets.is_least(reference)


def _is_large(mechanism: Entries) -> bool:
    return len(mechanism.matrix) * mechanism.inputs**2 > _MOST_WEIGHTED


def most_likely_in_closed_form(mechanism: Entries, counts: Sequence[int]) -> Vector | None:
    """Return the maximum likelihood estimate of pi for ``a I + u 1^T``, a > 0, exactly; ``None`` for other forms."""
    structured = gamma_diagonal(mechanism)
    return None if structured is None else structured.most_likely(counts)


def consistent_solution(matrix: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> Vector | None:
    """Return an exact x with ``matrix x = target``, with free variables set to 0; None if there is no solution.

    >>> consistent_solution([[Fraction(1), Fraction(1)], [Fraction(2), Fraction(2)]], [Fraction(3), Fraction(6)])
    (Fraction(3, 1), Fraction(0, 1))
    """
    width = len(matrix[0])
    together = [[*row, value] for row, value in zip(matrix, target, strict=True)]
    reduced, rank = flint_matrix(together).rref()
    found = [Fraction(0)] * width
    for row in fractions_of(reduced)[:rank]:
        pivot = next(j for j, entry in enumerate(row) if entry)
        if pivot == width:
            return None
        found[pivot] = row[width]
    return tuple(found)


def left_inverse(mechanism: Entries, reference: Sequence[Fraction]) -> tuple[tuple[Fraction, ...], ...]:
    """Return A with ``A P = I``; ``A lambda_hat`` is the unbiased linear estimator of least variance at ``reference``.

    With ``D = diag(P r)`` for the reference distribution r,

        ``A = (P^T D^-1 P)^-1 P^T D^-1``   (generalized least squares; zero rows of P are omitted).

    Properties, with ``M = P^T D^-1 P``:

    * A P = I, so the estimator is unbiased for every true distribution pi, whatever r is.
    * The estimates sum to 1, that is, ``1^T A = 1^T``. Indeed ``M r = P^T 1 = 1``, hence
      ``1^T A = r^T M A = r^T P^T D^-1 = 1^T``.
    * The covariance at r is ``(M^-1 - r r^T)/n``, the smallest of all unbiased linear estimators (Gauss and Markov). It
      is the inverse of the Fisher information.
    * For a square P, A is ``P^-1`` for every r.

    Ordinary least squares ``(P^T P)^-1 P^T`` is unbiased too. But its estimates need not sum to 1, and they change when
    an output is split in two.

    Args:
        mechanism: P, shape (m, k), of full column rank.
        reference: r, shape (k,), positive, sums to 1.

    Returns:
        A, shape (k, m), exact. The cost is one exact inverse of order k; ``a I + u 1^T`` (k-ary randomized response)
        and sets of equal size of a pairwise balanced design at the uniform reference have a closed form. If the sets
        have different sizes, or the reference is not uniform, and ``m k^2 > 10^6``, A counts memberships
        (``SetForm``): unbiased for every distribution, but not of least variance (``leaves_out_weights``).

    Raises:
        InfeasibleError: the columns of P are linearly dependent, so pi is not identified.

    Source: Rao, Linear Statistical Inference (1973), section 4a; Chai and Nayak (2018) for square P.

    >>> from rropt.mechanisms import Mechanism
    >>> A = left_inverse(Mechanism.binary("5/6", "5/6"), (Fraction(1, 2), Fraction(1, 2)))
    >>> [str(a) for a in A[1]], [float(a) for a in A[1]]
    (['-1/4', '5/4'], [-0.25, 1.25])
    """
    structured = gamma_diagonal(mechanism)
    if structured is not None:
        return structured.inverse()
    rows, k = mechanism.matrix, mechanism.inputs
    sets: SetForm | None = mechanism.sets
    if sets is not None and (len(rows) == k or _is_large(mechanism) or sets.is_least(reference)):
        return sets.inverse()
    matrix = flint_matrix(rows)
    try:
        if len(rows) == k:
            inverse = matrix.inv()
        else:
            weights = [dot(row, reference) for row in rows]  # D; entries stay 0 where a row of P is zero
            columns = zip(*rows, strict=True)
            weighted = flint_matrix([[p and p / d for p, d in zip(each, weights, strict=True)] for each in columns])
            inverse = (weighted * matrix).inv() * weighted
    except ZeroDivisionError:
        if len(rows) == k == 2:
            nonzero_determinant(rows[0][0], rows[1][1])  # raises a more specific error
        raise InfeasibleError(
            "the responses do not identify the distribution of the categories: received a matrix of shape "
            f"({len(rows)}, {k}) whose columns are linearly dependent; use a mechanism of full column rank"
        ) from None
    return fractions_of(inverse)


def reference_population(mechanism: Entries, reference: Sequence[object] | None) -> tuple[Fraction, ...]:
    """Return the reference distribution of ``left_inverse`` after validation; the default is the uniform distribution.

    Raises:
        InvalidParameterError: the reference does not consist of k positive numbers with sum exactly 1.
    """
    k = mechanism.inputs
    if reference is None:
        return (Fraction(1, k),) * k
    exact = tuple(rational(value, name=f"reference[{j}]") for j, value in enumerate(listed(reference, flat=True) or ()))
    if len(exact) != k or min(exact) <= 0 or sum(exact) != 1:
        shares = ", ".join(str(share) for share in exact[:6]) + (", ..." if len(exact) > 6 else "")
        raise InvalidParameterError(
            f"the reference is not a positive distribution on {k} categories: received {shares}; "
            "give positive fractions that sum to exactly 1, or leave it out (uniform)"
        )
    return exact


def inverses_of(devices: Sequence[Entries]) -> list[tuple[Vector, ...]]:
    """Return the left inverse of each device; equal devices are inverted only once.

    Raises:
        InfeasibleError: a device does not identify the distribution of its question.
    """
    found = {}
    for question, device in enumerate(devices):
        if device in found:
            continue
        try:
            found[device] = left_inverse(device, reference_population(device, None))
        except InfeasibleError as error:
            if len(devices) == 1:
                raise
            where = f"of the questions asked for, number {question} of {len(devices)} (from 0) says nothing"
            raise InfeasibleError(f"{where}: {error}") from None
    return [found[device] for device in devices]
