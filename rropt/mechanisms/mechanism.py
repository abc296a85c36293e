"""The mechanism: what is drawn as an answer, given the truth (local randomizer, channel, transition matrix).

``Mechanism`` is the protocol. A *form* of mechanism brings its ``shape`` and its rows on request, a key in JSON and
what makes two of it equal; everything else follows from the rows, and a form overrides what its structure gives faster:

* ``ExplicitMechanism``: the matrix itself; ``Mechanism(matrix)`` makes it;
* ``ProductMechanism``: the Kronecker product of explicit mechanisms, one for each question;
* ``OrbitMechanism``: rows that are rearrangements of a few representatives, such as subset selection.

Of the last two the matrix is written out only when it is asked for, and refused when it is too large.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from rropt.errors import InvalidMechanismError, shown
from rropt.exact import Bracket, Epsilon, ExactReal, both_texts, rational
from rropt.limits import MAX_ENTRY_DIGITS, MAX_MATRIX_ENTRIES
from rropt.mechanisms.columns import Matrix, parity_of, row_parities, stochastic_matrix
from rropt.mechanisms.decimals import html_table, plain_text
from rropt.mechanisms.excesses import Excess, gamma_of, worst_excess
from rropt.mechanisms.forms import MatrixForm, text_rows
from rropt.mechanisms.left_inverse import left_inverse, reference_population
from rropt.mechanisms.profiles import PrivacyProfile, profile_of
from rropt.mechanisms.vectors import Vector, carried, dense, size_text

if TYPE_CHECKING:
    from scipy.sparse.linalg import LinearOperator

_BRACKET_DIGITS = 20  # decimals of the bracket of an irrational delta: finer than any use of one


class Mechanism(MatrixForm):
    """A randomized response mechanism: ``P[i, j] = Pr(Z = d_i | X = c_j)``, every column sums to exactly 1.

    The transition probability matrix of Chai and Nayak (2018), so that the distribution of the answers is
    ``lambda = P pi``. The row-stochastic *design matrix* of the survey literature (Holohan, Leith and Mason 2016,
    Definition 1) is its transpose, offered as the view ``design_matrix``.

    Args:
        matrix: m rows (outputs) of k entries (inputs), m >= 1, k >= 1, each a number in one of rropt's exact forms,
            nonnegative, every column summing to exactly 1; a NumPy array is read by its shortest decimals.
        name: how the mechanism is called when it is printed, e.g. ``"forced:2/3,1/6,1/6"``.

    Raises:
        InvalidMechanismError: wrong shape, a negative entry, a column that does not sum to 1.
        InvalidParameterError: an entry that is not a number.

    Mechanisms are immutable. Two of one form are equal when what they are made of is; ``Mechanism(other)`` writes the
    matrix of any form out.

    >>> die = Mechanism([["5/6", "1/6"], ["1/6", "5/6"]])
    >>> print(die.parity(), die.epsilon(), round(float(die.epsilon()), 6))
    5 log(5) 1.609438
    """

    __slots__ = ()

    def __new__(cls, matrix: Any, *, name: str | None = None) -> Mechanism:
        """Return the explicit mechanism of a matrix."""
        return ExplicitMechanism(matrix, name=name)

    @classmethod
    def binary(cls, p00: object, p11: object, *, name: str | None = None) -> Mechanism:
        """Return the generalised binary design (p00, p11) of Holohan, Leith and Mason (2016), equation (2).

        ``p00 = Pr(answer 0 | truth 0)`` and ``p11 = Pr(answer 1 | truth 1)``.
        """
        a, b = (rational(p, name=name_, digits=MAX_ENTRY_DIGITS) for p, name_ in ((p00, "p00"), (p11, "p11")))
        return Mechanism(((a, 1 - b), (1 - a, b)), name=name)

    @property
    def design_matrix(self) -> Matrix:
        """The transpose: rows are inputs and sum to 1 (the survey literature's design matrix)."""
        return tuple(zip(*self.matrix, strict=True))

    def __getitem__(self, index: tuple[int, int]) -> Fraction:
        i, j = index
        return self.row(i)[j]

    def column(self, j: int) -> Vector:
        """Return the distribution of the answer of input j, shape (m,)."""
        return tuple(row[j] for row in self.matrix)

    def columns(self) -> Iterator[tuple[Fraction, ...]]:
        """Iterate over the k output distributions."""
        return iter(self.design_matrix)

    @property
    def is_binary(self) -> bool:
        """Whether it has two inputs and two outputs."""
        return self.shape == (2, 2)

    @property
    def p00(self) -> Fraction:
        """Pr(answer 0 | truth 0) of a binary design."""
        return self._require_binary()[0][0]

    @property
    def p11(self) -> Fraction:
        """Pr(answer 1 | truth 1) of a binary design."""
        return self._require_binary()[1][1]

    def parity(self) -> Fraction | None:
        """Return the parity: the largest ratio of two entries of one row, or ``None`` when it is infinite.

        ``max over rows i and columns j, l of p_ij / p_il`` with 0/0 = 1 and a/0 infinite: the odds gamma for which
        the mechanism is exactly log(gamma)-locally differentially private (Chai and Nayak 2018, Definition 1.3).
        Cost O(m k).
        """
        return parity_of(row_parities(self.matrix))

    def epsilon(self) -> Epsilon:
        """Return the exact epsilon of pure local differential privacy: log of the parity, possibly infinite."""
        return Epsilon.of_parity(self.parity())

    def delta(self, epsilon: object) -> Fraction | ExactReal:
        """Return the least delta for which the mechanism is (epsilon, delta)-private, exactly.

        ``delta(epsilon) = max over ordered pairs (j, l) of sum_i max(0, p_ij - gamma p_il)``, gamma = exp(epsilon)
        (for a binary output Holohan, Leith and Mason 2016, (11)). At rational gamma a
        ``Fraction``; otherwise an ``ExactReal`` with exact comparisons, unless it happens to be rational.
        Cost O(m k^2) in floats, then exactly for the pairs of inputs that may attain it (``worst_pair`` names one).

        >>> Mechanism.binary(1, "1/4").delta("log(2)"), str(Mechanism.binary("3/4", "3/4").delta("1/2"))
        (Fraction(1, 4), '3/4 - 1/4*exp(1/2)')
        """
        return self.worst_pair(epsilon).at(gamma_of(epsilon))

    def delta_bracket(self, epsilon: object) -> Bracket:
        """Return rationals ``lower <= delta(epsilon) <= upper``, equal where delta is rational and computed exactly.

        >>> lower, upper = Mechanism.binary("3/4", "3/4").delta_bracket("1/2")
        >>> round(float(lower), 9), upper - lower <= Fraction(1, 10**20)
        (0.337819682, True)
        """
        delta = self.delta(epsilon)
        return Bracket.of(delta) if isinstance(delta, Fraction) else delta.bracket(_BRACKET_DIGITS)

    def worst_pair(self, epsilon: object) -> Excess:
        """Return the two inputs, and the answers, from which ``delta(epsilon)`` comes.

        >>> worst = Mechanism.binary(1, "1/4").worst_pair("log(2)")
        >>> worst.pair, worst.outputs
        ((1, 0), (1,))
        """
        return worst_excess(self.matrix, gamma_of(epsilon))

    def profile(self) -> PrivacyProfile:
        """Return the whole privacy profile delta(epsilon), piecewise linear in gamma, with exact breakpoints.

        Where so many pairs of inputs tie within the error of floats that the exact one would take minutes (a GRR of 200
        categories with noise in the last digits) it is a proved enclosure, and its ``width`` is not 0.
        """
        return profile_of(self.matrix)

    def apply(self, population: Sequence[object]) -> Vector:
        """Return ``lambda = P pi``, the distribution of the answers, shape (m,), exactly.

        Args:
            population: pi, shape (k,), exact numbers; it need not sum to 1.

        >>> [str(share) for share in Mechanism.binary("3/4", "3/4").apply(["2/3", "1/3"])]
        ['7/12', '5/12']
        """
        return carried([self.matrix], dense(population, self.inputs, "the population"))

    def adjoint(self, weights: Sequence[object] | Mapping[int, object]) -> Vector:
        """Return ``P^T w``: for each input the expected weight of its answer, shape (k,), exactly.

        Args:
            weights: w, shape (m,), exact numbers; or only those that are not 0, by the answer.

        >>> [str(x) for x in Mechanism.binary("3/4", "3/4").adjoint({1: 1})]
        ['1/4', '3/4']
        """
        return carried([self.design_matrix], dense(weights, self.outputs, "the weights"))

    def invert(self, shares: Sequence[object] | Mapping[int, object]) -> Vector:
        """Return ``A l`` with ``A P = I``: the unbiased estimate of the population from shares of the answers.

        A is ``P^-1``, and for more outputs than inputs the left inverse of least variance at the uniform population
        (``left_inverse``).

        Args:
            shares: l, shape (m,), exact numbers; or only those that are not 0, by the answer.

        Raises:
            InfeasibleError: the columns of P are linearly dependent.

        >>> [str(x) for x in Mechanism.binary("3/4", "3/4").invert(["7/12", "5/12"])]
        ['2/3', '1/3']
        """
        inverse = left_inverse(self, reference_population(self, None))
        return carried([inverse], dense(shares, self.outputs, "the shares"))

    def then(self, other: Mechanism, *, name: str | None = None) -> Mechanism:
        """Return the composition: this mechanism's answer is randomized again by ``other`` (``other @ self``)."""
        if not isinstance(other, Mechanism):
            raise InvalidMechanismError(f"a mechanism composes with a Mechanism: received {shown(other)}")
        if other.inputs != self.outputs:
            raise InvalidMechanismError(
                f"mechanisms do not compose: the first has {self.outputs} outputs, the second {other.inputs} inputs; "
                "both numbers must be equal"
            )
        columns = self.design_matrix
        rows = [[(i, x) for i, x in enumerate(row) if x] for row in other.matrix]  # that merge or split are sparse
        product = tuple(tuple(sum((x * column[i] for i, x in row), Fraction(0)) for column in columns) for row in rows)
        return Mechanism(product, name=name)

    def __matmul__(self, other: Mechanism) -> Mechanism:
        return other.then(self) if isinstance(other, Mechanism) else NotImplemented

    def to_operator(self, *, inverse: bool = False) -> LinearOperator:
        """Return P (or ``invert``) as a SciPy operator on arrays of floats: for solvers, not for guarantees."""
        from scipy.sparse.linalg import aslinearoperator

        if not inverse:
            return aslinearoperator(self.to_numpy())
        import numpy

        rows = left_inverse(self, reference_population(self, None))
        return aslinearoperator(numpy.array([[float(x) for x in row] for row in rows]))

    def __str__(self) -> str:
        return self.displayed(self._headline())

    def displayed(self, headline: str) -> str:
        """Return the matrix as a table under a headline; of one too large to be written out what it is."""
        if self.inputs * self.outputs > MAX_MATRIX_ENTRIES:
            return self._headline()
        return plain_text(headline, self.matrix)

    def _repr_html_(self) -> str:
        return self.displayed_html(self._headline())

    def displayed_html(self, headline: str) -> str:
        """Return ``displayed`` as HTML."""
        if self.inputs * self.outputs > MAX_MATRIX_ENTRIES:
            return f"<p>{escape(self._headline())}</p>"
        return html_table(headline, self.matrix)

    def _headline(self) -> str:
        name = f"{self._name}: " if self._name else ""
        m, k = self.shape
        return f"{name}{size_text(m)} outputs, {size_text(k)} inputs, epsilon = {both_texts(self.epsilon())}"

    def _require_binary(self) -> Matrix:
        if not self.is_binary:
            raise InvalidMechanismError(f"p00 and p11 belong to a binary design: this mechanism has shape {self.shape}")
        return self.matrix


_SCREENFUL = 144  # entries that a repr shows


class ExplicitMechanism(Mechanism, key="matrix"):
    """A mechanism that holds its m rows of k exact probabilities; ``Mechanism(matrix)`` makes it.

    Args:
        matrix: as for ``Mechanism``; a mechanism of another form is written out.
        name: how it is called when it is printed.

    Raises:
        InvalidMechanismError: wrong shape, a negative entry, a column that does not sum to 1.
        InvalidParameterError: an entry that is not a number.
    """

    __slots__ = ()
    _matrix: Matrix

    def __new__(cls, matrix: Any, *, name: str | None = None) -> ExplicitMechanism:
        """Return the mechanism of a matrix."""
        rows = matrix.matrix if isinstance(matrix, Mechanism) else stochastic_matrix(matrix)
        made: ExplicitMechanism = cls.made(name, _matrix=rows)
        return made

    @property
    def shape(self) -> tuple[int, int]:
        """``(m, k)``: number of outputs, number of inputs."""
        return len(self._matrix), len(self._matrix[0])

    def row(self, i: int) -> Vector:
        """Return the k probabilities of answer i."""
        return self._matrix[i]

    def __repr__(self) -> str:
        if self.inputs * self.outputs > _SCREENFUL:
            return f"<Mechanism of shape {self.shape}{self._named()}>"
        return f"Mechanism({text_rows(self._matrix)}{self._named()})"
