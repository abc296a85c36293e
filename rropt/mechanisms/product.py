"""Products of mechanisms: several independently randomized questions as one mechanism, without its full matrix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any

from rropt.core.errors import InvalidMechanismError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket, Epsilon, ExactReal
from rropt.core.exact.numbers import plain_integer
from rropt.core.limits import MAX_WRITTEN_ENTRIES
from rropt.core.visible import size_text
from rropt.mechanisms.columns import Matrix
from rropt.mechanisms.dichotomies import MAX_LOSSES, Dichotomy, dichotomies_of, products, worst_of
from rropt.mechanisms.hockey_stick import Gamma, gamma_of
from rropt.mechanisms.kronecker import (
    Vector,
    dense_vector,
    kronecker_product,
    require_length_limit,
)
from rropt.mechanisms.left_inverse import inverses_of
from rropt.mechanisms.loss_enclosures import excess_enclosure
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.profiles import PrivacyProfile, profile_of_pairs
from rropt.mechanisms.words import product_words

_MAX_FACTORS = 10_000  # an entry of a row is a product of this many fractions


def _as_matrix(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism of any form as its matrix, with its names and numbers, and the form as its origin."""
    kept = ("categories", "responses", "input_values", "output_values", "rounds")
    beside = {attribute: getattr(mechanism, attribute) for attribute in kept}
    return Mechanism.made(mechanism.name, matrix=mechanism.matrix, origin=mechanism, **beside)


class ProductMechanism(Mechanism, key="product"):
    """The Kronecker product of explicit mechanisms: question 0 is randomized by factor 0, and so on, independently.

    ``P[i, j] = prod_l P_l[i_l, j_l]``. The indices are little-endian, ``j = j_0 + k_0 (j_1 + k_1 (j_2 + ...))``, so
    question 0 varies fastest (``digits`` and ``index`` convert). For n bits, ``j = sum_l x_l 2^l``.

    Args:
        factors: explicit mechanisms, or products (their factors are used); at least one.
        name: the printed name.

    Raises:
        InvalidMechanismError: there are no factors or too many, or a factor is not a matrix.

    ``apply``, ``adjoint`` and ``invert`` multiply a vector by one factor after the other, in O(n 2^n) for n bits.

    >>> bits = ProductMechanism([Mechanism.binary("3/4", "3/4")] * 20)
    >>> bits.shape, str(bits.epsilon), round(float(bits.epsilon), 4), str(bits.differing_epsilon(1))
    ((1048576, 1048576), 'log(3486784401)', 21.9722, 'log(3)')
    >>> str(bits.delta("log(3)")), round(float(bits.delta("log(3)")), 6)
    ('267816062085/274877906944', 0.974309)
    """

    PARTS = ("factors",)
    factors: tuple[Mechanism, ...] = ()  # replaces the property of the base class

    def __new__(cls, factors: Sequence[Mechanism], *, name: str | None = None) -> ProductMechanism:
        """Build the product of explicit mechanisms and products."""
        if not isinstance(factors, (list, tuple)) or not 0 < len(factors) <= _MAX_FACTORS:
            raise InvalidMechanismError(
                f"a product has no list of factors: received {shown(factors)}; allowed are 1 to {_MAX_FACTORS} "
                "mechanisms; write ProductMechanism([first, second])"
            )
        flat: list[Mechanism] = []
        for i, factor in enumerate(factors):
            if not isinstance(factor, Mechanism):
                raise InvalidMechanismError(
                    f"factor {i} of the product is not a mechanism: received {shown(factor)}; allowed is a Mechanism"
                )
            if len(flat) + len(factor.factors) > _MAX_FACTORS:
                raise InvalidMechanismError(
                    f"a product has too many factors: received more than {_MAX_FACTORS}, those of products among the "
                    f"factors counted; allowed are 1 to {_MAX_FACTORS}"
                )
            flat += [part if type(part) is Mechanism else _as_matrix(part) for part in factor.factors]
        return cls.made(name, factors=tuple(flat))

    @cached_property
    def shape(self) -> tuple[int, int]:
        """``(m, k)``: the products of the factors' numbers of outputs and of inputs."""
        return prod(f.outputs for f in self.factors), prod(f.inputs for f in self.factors)

    def digits(self, index: int, *, outputs: bool = False) -> tuple[int, ...]:
        """Return the category of each question at an index of the inputs (or of the outputs), question 0 first.

        Raises:
            InvalidParameterError: the index is out of range.
        """
        sizes = [f.outputs if outputs else f.inputs for f in self.factors]
        index = plain_integer(index)
        if type(index) is not int or not 0 <= index < prod(sizes):
            raise InvalidParameterError(
                f"the index is out of range: received {shown(index)}; allowed is an integer from 0 to "
                f"{size_text(prod(sizes) - 1)}"
            )
        found = []
        for size in sizes:
            index, digit = divmod(index, size)
            found.append(digit)
        return tuple(found)

    def index(self, digits: Sequence[int], *, outputs: bool = False) -> int:
        """Return the index of the input (or of the output) with the given category for each question."""
        sizes = [f.outputs if outputs else f.inputs for f in self.factors]
        if len(digits) != len(sizes) or not all(0 <= d < size for d, size in zip(digits, sizes, strict=True)):
            raise InvalidParameterError(
                f"the categories do not fit the product: received {shown(digits)}; allowed are {len(sizes)} numbers, "
                f"number l from 0 to the size of question l less 1"
            )
        return sum(d * stride for d, stride in zip(digits, _strides(sizes), strict=True))

    def in_words(self) -> str:
        """Return the devices of the questions in words, counted from 0."""
        return product_words([factor.in_words() for factor in self.factors])

    def row(self, i: int) -> Vector:
        """Return the k probabilities of output i."""
        rows = [f.row(d) for f, d in zip(self.factors, self.digits(i, outputs=True), strict=True)]
        return _kronecker(rows, "the row")

    def _written_out(self) -> Matrix:
        rows: list[tuple[Fraction, ...]] = [(Fraction(1),)]
        for f in self.factors:
            rows = [tuple([x * y for y in line for x in row]) for line in f.matrix for row in rows]
        return tuple(rows)

    def column(self, j: int) -> Vector:
        """Return the distribution of the output given input j, shape (m,)."""
        columns = [f.column(d) for f, d in zip(self.factors, self.digits(j), strict=True)]
        return _kronecker(columns, "the column")

    def _entry_at(self, i: int, j: int) -> Fraction:
        pairs = zip(self.digits(i, outputs=True), self.digits(j), strict=True)
        return prod((f[pair] for f, pair in zip(self.factors, pairs, strict=True)), start=Fraction(1))

    def parity(self, *, differing: int | None = None) -> Fraction | None:
        """Return the parity, ``None`` if infinite: the product of the factors' parities.

        Args:
            differing: k, for inputs that differ in at most k questions (uses the k largest parities); ``None``: any
                inputs.
        """
        parities = self._parities
        count = len(parities) if differing is None else _differing(differing, len(parities))
        if count and None in parities:
            return None
        return prod(sorted((x for x in parities if x is not None), reverse=True)[:count], start=Fraction(1))

    @cached_property
    def _parities(self) -> tuple[Fraction | None, ...]:
        """The parity of each factor; factors that are one object are judged once, as in ``bits:3/4*5000``."""
        found = {id(f): f.parity() for f in {id(f): f for f in self.factors}.values()}
        return tuple(found[id(f)] for f in self.factors)

    @property
    def factor_epsilons(self) -> tuple[Epsilon, ...]:
        """The exact epsilon of each factor."""
        found = {parity: Epsilon.of_parity(parity) for parity in set(self._parities)}
        return tuple(found[parity] for parity in self._parities)

    def differing_epsilon(self, differing: int) -> Epsilon:
        """Return the exact epsilon between inputs that differ in so many questions: the sum of the largest epsilons."""
        return Epsilon.of_parity(self.parity(differing=differing))

    def delta(self, epsilon: object) -> Fraction | ExactReal:
        """Return the smallest delta at a level, exactly, as ``Mechanism.delta`` does.

        The odds of an output are the product of the factors' odds. Equal odds are merged, and for each factor only
        undominated pairs of inputs are considered (``dichotomies``).

        Raises:
            UnsupportedProblemError: the odds take more than a million values; use ``delta_bracket``.
        """
        gamma = gamma_of(epsilon)
        plain = self._plain_delta(gamma)
        return worst_of(self._exact_pairs(), gamma).at(gamma) if plain is None else plain

    def delta_bracket(self, epsilon: object) -> Bracket:
        """Return rationals ``lower <= delta(epsilon) <= upper``, also if the odds take more than a million values.

        In that case ``upper - lower`` is about 1e-9 for sixty different bits (``loss_enclosures``). It is larger for
        many different factors whose worst pair of inputs is not known.
        """
        gamma = gamma_of(epsilon)
        if gamma is None or self._plain_delta(gamma) is not None or self._worst_pairs:
            return super().delta_bracket(epsilon)
        return Bracket(*excess_enclosure(self._options(), gamma))

    def profile(self) -> PrivacyProfile:
        """Return the exact privacy profile, with the same limits as ``delta``."""
        return profile_of_pairs(self._exact_pairs())

    def masses_of_pair(self, one: int, other: int) -> Iterable[tuple[Fraction, Fraction]]:
        """Return the probabilities of the outputs under two inputs of a piece of ``profile``, merged by odds."""
        kind = next((kind for kind in self._exact_pairs() if kind.pair == (one, other)), None)
        return super().masses_of_pair(one, other) if kind is None else kind.fractions()

    def _plain_delta(self, gamma: Gamma) -> Fraction | None:
        """Return delta where no list of odds is needed: for gamma >= parity and for infinite gamma; else ``None``."""
        parity = self.parity()
        if parity is not None:
            return Fraction(0) if gamma is None or not gamma < parity else None
        if gamma is not None:
            return None
        return 1 - prod((1 - worst_of(pairs, None).intercept for pairs in self._options()), start=Fraction(1))

    def _options(self) -> list[list[Dichotomy]]:
        """Return the maximal dichotomies of each factor."""
        found = {f: dichotomies_of(f.matrix) for f in set(self.factors)}
        return [found[f] for f in self.factors]

    @cached_property
    def _worst_pairs(self) -> tuple[Dichotomy, ...]:
        """The pairs of inputs that may attain delta; an empty tuple if there are too many."""
        strides = _strides([f.inputs for f in self.factors])
        return tuple(products(list(zip(self._options(), strides, strict=True))) or ())

    def _exact_pairs(self) -> tuple[Dichotomy, ...]:
        if not self._worst_pairs:
            raise UnsupportedProblemError(
                f"delta of a product of {len(self.factors)} factors has more than {MAX_LOSSES} values of the odds, or "
                "too long ones: it is not computed exactly; delta_bracket(epsilon) encloses it"
            )
        return self._worst_pairs

    def invert(self, shares: Sequence[object] | Mapping[int, object]) -> Vector:
        """Return ``A l`` with the product A of the factors' left inverses; see ``Mechanism.invert``."""
        given = dense_vector(shares, self.outputs, "the shares")
        return kronecker_product(inverses_of(self.factors), given, "the population")

    def condition(self, *, questions: int | None = None) -> Fraction:
        """Return the condition number ``|P| |A|`` in the column norm.

        It bounds the factor by which errors of the output proportions grow in the estimate. The columns of P sum to 1,
        and the norm of a product is the product of the norms. For n bits that are reported truthfully with probability
        a, it is ``|2a - 1|^-n``.

        Args:
            questions: the number of questions of a marginal table; the result is then the maximum over all such tables.
                ``None``: the full table.
        """
        columns = (zip(*rows, strict=True) for rows in inverses_of(self.factors))
        norms = sorted((max(sum(map(abs, column)) for column in listed) for listed in columns), reverse=True)
        return prod(norms[:questions], start=Fraction(1))

    def form(self) -> dict[str, Any]:
        """Return ``{"product": [...]}``: the factors' rows, question 0 first."""
        return {"product": [f.form()["matrix"] for f in self.factors]}

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form, where a factor is an object if its categories or responses have names.

        A factor of more than 900 entries is also an object if it has a form without a matrix, such as blocks.
        """
        return super().to_dict() | self._of_factors([_written(f) for f in self.factors])

    def decimals(self) -> dict[str, Any] | None:
        """Return ``to_dict`` with floats; each factor is no less private than before, and hence so is the product."""
        found = [near for f in self.factors if (near := f.decimals()) is not None]
        return self._of_factors(found) if len(found) == len(self.factors) else None

    def _of_factors(self, written: list[dict[str, Any]]) -> dict[str, Any]:
        both = zip(self.factors, written, strict=True)
        return {
            "product": [own if f.categories or f.responses or "matrix" not in own else own["matrix"] for f, own in both]
        }

    @classmethod
    def from_data(cls, data: Any) -> Mechanism:
        """Build the mechanism from the JSON value under the form's key."""
        if not isinstance(data, list):
            return cls(data)  # raises an error with an explanation
        return cls([Mechanism.from_dict(f) if isinstance(f, dict) else Mechanism(f) for f in data[: _MAX_FACTORS + 1]])


def _written(factor: Mechanism) -> dict[str, Any]:
    """Return the JSON of a factor; one of many entries in the form from which its matrix was made."""
    if factor.origin is None or factor.inputs * factor.outputs <= MAX_WRITTEN_ENTRIES:
        return factor.to_dict()
    return {**factor.origin.form(), **factor.names()}


def _strides(sizes: Sequence[int]) -> list[int]:
    return list(accumulate([1, *sizes[:-1]], mul))


def _kronecker(vectors: Sequence[Vector], name: str) -> Vector:
    """Return the Kronecker product of vectors; the first one varies fastest."""
    require_length_limit(prod(map(len, vectors)), name)
    result: list[Fraction] = [Fraction(1)]
    for vector in vectors:
        result = [x * y for y in vector for x in result]
    return tuple(result)


def _differing(value: object, most: int) -> int:
    count = plain_integer(value)
    if type(count) is not int or count < 0:
        raise InvalidParameterError(
            f"differing is not a number of questions: received {shown(value)}; allowed is an integer from 0 to {most}"
        )
    return min(count, most)
