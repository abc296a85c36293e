"""The integers of a client: how a report is drawn from uniform integers, and the vectors that test it.

Every client draws by ``below(n)``: a word of 64 random bits is masked to the bit length of n - 1, and drawn again where
it is n or more. Two kinds of mechanisms are exported.

* ``columns``: a small matrix. Column j has integer weights w_ij with the sum D_j, ``p_ij = w_ij/D_j``. The integer
  ``u = below(D_j)`` gives the first i with ``w_0j + ... + w_ij > u``. The distribution is the column, exactly.
* ``blocks``: k-ary randomized response, affine designs of any dimension (local hashing) and projective designs
  (Hadamard response, PGR; ``mechanisms.families``): a coin ``below(b) < a`` with p = a/b, then uniform integers.

*Vectors* give the words themselves. They are at the thresholds: each boundary of a column, one below it, the largest
word that is kept, and the least that is drawn again. Random vectors do not notice a weight that is changed by 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.numbers import whole_numbers
from rropt.core.limits import MAX_MATRIX_ENTRIES
from rropt.core.mappings import ReadOnlyMapping
from rropt.mechanisms.families import Affine, AffineClasses, BlockMechanism, Blocks, Direct, Projective
from rropt.mechanisms.families.primes import primitive_root
from rropt.mechanisms.left_inverse import left_inverse, reference_population
from rropt.mechanisms.mechanism import Mechanism

MOST_ENTRIES = 4096  # of a matrix that a person can read through in a client
_WORD = 1 << 63  # bounds of uniform integers: languages have words of 64 bits

Below = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Vector:
    """A test of a client: the category, the words of 64 bits that are drawn, and the report."""

    category: int
    words: tuple[int, ...]
    report: int


@dataclass(frozen=True, slots=True)
class ClientTable:
    """The integers of a client.

    Attributes:
        kind: ``"columns"``, ``"direct"``, ``"interval"``, ``"hash"``, ``"classes"`` or ``"projective"``.
        inputs, outputs: k and m.
        numbers: by name, the integers of the sampler.
        columns: of ``columns``, the cumulative weights of each column; the last is D_j.
        estimator: of ``columns``, A with A P = I, in floats: row j gives the proportion of category j.
        chances: of the others, p and m: a report holds the truth, or another category.
    """

    kind: str
    inputs: int
    outputs: int
    numbers: Mapping[str, int]
    columns: tuple[tuple[int, ...], ...] = ()
    estimator: tuple[tuple[float, ...], ...] = ()
    chances: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", ReadOnlyMapping(self.numbers))

    def draw(self, category: int, below: Below) -> int:
        """Return a report: what every client does, in Python."""
        if self.kind == "columns":
            column = self.columns[category]
            u, i = below(column[-1]), 0
            while column[i] <= u:
                i += 1
            return i
        n = self.numbers
        inside = below(n["COIN"]) < n["HEADS"]
        if self.kind == "direct":
            if inside:
                return category
            other = below(self.inputs - 1)
            return other + (other >= category)
        q = n["Q"]
        if q < 2 or n.get("COMPLEMENT", 0) not in (0, 1):
            raise ValueError(q)  # of a changed table
        if self.kind == "interval":
            value = below(n["SIZE"]) if inside else n["SIZE"] + below(q - n["SIZE"])
            a = 1 + below(q - 1)
            return (a - 1) * q + (value - a * category) % q
        if self.kind == "hash":
            return self._hashed(category, inside, below)
        if self.kind == "projective":
            return self._point(category, inside, below)
        many = n["COSETS"] if inside else n["INDEX"] - n["COSETS"]
        zero = n["ZERO"] if inside else 1 - n["ZERO"]
        rank = below(many * ((q - 1) // n["INDEX"]) + zero)
        i = below(n["INDEX"])
        y = 0
        if rank < many * ((q - 1) // n["INDEX"]):
            exponent = rank // many * n["INDEX"] + (0 if inside else n["COSETS"]) + rank % many
            y = pow(n["ROOT"], (exponent + q - 1 - i) % (q - 1), q)
        return i * q + (y - category) % q

    def _hashed(self, category: int, inside: bool, below: Below) -> int:
        """Return the block of a vector a other than 0, and of the b that makes ``a.x + b`` the value drawn."""
        n, q = self.numbers, self.numbers["Q"]
        value = below(n["SIZE"]) if inside else n["SIZE"] + below(q - n["SIZE"])
        first = below(n["SPACE"] - 1)
        return first * q + (value - _inner(first + 1, category, q)) % q

    def _point(self, category: int, inside: bool, below: Below) -> int:
        """Return the point of a vector a with ``a.x = 0`` or 1, whose digit at the first digit of x is left to this."""
        n, q = self.numbers, self.numbers["Q"]
        orthogonal = int(inside != (n["COMPLEMENT"] == 1))
        unit = 1
        while category >= unit:
            category, unit = category - unit, unit * q
        rest = orthogonal + below(n["SPACE"] - orthogonal)
        high, low = divmod(rest, unit)
        a = (high * q + (1 - orthogonal - _inner(low, category, q)) % q) * unit + low
        first, top = 0, 1
        while a // top >= q:
            first, top = first + top, top * q
        scale, place = pow(a // top, q - 2, q), 1
        while place < top:
            first += a // place % q * scale % q * place
            place *= q
        return first


def _inner(a: int, x: int, q: int) -> int:
    """Return the sum of the products of digits to base q."""
    total = 0
    while a and x:
        (a, digit), (x, other) = divmod(a, q), divmod(x, q)
        total += digit * other
    return total


def table_of(mechanism: Mechanism) -> ClientTable:
    """Return the integers of a client for a mechanism.

    Raises:
        UnsupportedProblemError: a matrix of more than 4096 entries, another family of blocks, or too long integers.

    >>> from rropt.mechanisms import named_mechanism
    >>> table_of(named_mechanism("warner:3/4")).columns
    ((3, 4), (1, 4))
    """
    if isinstance(mechanism, BlockMechanism) and (_has_own_client(mechanism.blocks) or not mechanism.is_small):
        return _table_of_blocks(mechanism)
    if mechanism.inputs > MOST_ENTRIES or mechanism.outputs * mechanism.inputs > MOST_ENTRIES:
        if (direct := direct_of(mechanism)) is not None:
            return _table_of_blocks(direct)
        raise UnsupportedProblemError(
            f"the mechanism is too large for a client with a table: received {mechanism!r}; allowed are matrices of at "
            f"most {MOST_ENTRIES} entries, k-ary randomized response, affine and projective designs "
            "(`rropt.kary_problem` with `output_bits`)"
        )
    columns = []
    for j in range(mechanism.inputs):
        weights, total = whole_numbers(mechanism.column(j))
        if total >= _WORD:
            raise UnsupportedProblemError(
                f"the probabilities of category {j} have too long a common denominator: received {total.bit_length()} "
                "bits; allowed are 63; round the mechanism to decimals with `rropt repair`"
            )
        columns.append(tuple(accumulate(weights)))
    inverse = left_inverse(mechanism, reference_population(mechanism, None))
    estimator = tuple(tuple(float(x) for x in row) for row in inverse)
    return ClientTable("columns", mechanism.inputs, mechanism.outputs, {}, tuple(columns), estimator)


def _has_own_client(blocks: Blocks) -> bool:
    """Return whether a family has its own sampler; other families are drawn from their matrix, if that is small."""
    return isinstance(blocks, (Direct, Affine, AffineClasses, Projective))


def direct_of(mechanism: Mechanism) -> BlockMechanism | None:
    """Return k-ary randomized response, written out as a matrix, as a family; None of another matrix."""
    k = mechanism.inputs
    if mechanism.outputs != k or k * k > MAX_MATRIX_ENTRIES:
        return None
    truth, other = mechanism[0, 0], mechanism[0, 1]
    alike = all(x == (truth if i == j else other) for i, row in enumerate(mechanism.matrix) for j, x in enumerate(row))
    return BlockMechanism(Direct(k), truth / other) if alike and truth > other > 0 else None


def _table_of_blocks(mechanism: BlockMechanism) -> ClientTable:
    blocks, hit = mechanism.blocks, mechanism.hit
    numbers = {"HEADS": hit.numerator, "COIN": hit.denominator}
    kinds = {Direct: "direct", AffineClasses: "classes", Projective: "projective"}
    kind = kinds.get(type(blocks), "interval")
    if isinstance(blocks, Affine):
        numbers |= {"Q": blocks.q, "SIZE": blocks.size}
        if blocks.dimension > 1:
            kind = "hash"
            numbers["SPACE"] = blocks.q**blocks.dimension
    elif isinstance(blocks, Projective):
        numbers |= {"Q": blocks.q, "SPACE": blocks.q ** (blocks.dimension - 1), "COMPLEMENT": int(blocks.complement)}
    elif isinstance(blocks, AffineClasses):
        numbers |= {"Q": blocks.q, "INDEX": blocks.index, "COSETS": blocks.cosets, "ZERO": int(blocks.zero)}
        numbers["ROOT"] = primitive_root(blocks.q)
    elif not isinstance(blocks, Direct):
        raise UnsupportedProblemError(
            f"this family has no client: received {blocks}; allowed are k-ary randomized response, affine and "
            f"projective designs, and matrices of at most {MOST_ENTRIES} entries; design with other output bits"
        )
    words = max(hit.denominator, mechanism.outputs, numbers.get("Q", 0) * numbers.get("SPACE", 0))
    if words >= _WORD or numbers.get("Q", 0) >= 1 << 31:
        raise UnsupportedProblemError(
            f"the integers of the client are too long: received p with {hit.denominator.bit_length()} bits and "
            f"{mechanism.outputs} outputs; allowed are 63 bits, and q < 2^31; designs of `rropt design kary` fit"
        )
    chances = float(mechanism.hit), float(mechanism.miss)
    return ClientTable(kind, mechanism.inputs, mechanism.outputs, numbers, chances=chances)


def vectors_of(table: ClientTable) -> tuple[Vector, ...]:
    """Return vectors at the thresholds of every draw: a changed integer fails at one of them."""
    categories = sorted({0, 1, table.inputs // 2, table.inputs - 1})
    found: dict[tuple[int, tuple[int, ...]], int] = {}
    places = range(table.inputs) if table.kind == "columns" else categories
    for category in places:
        for words in _words(table, category):
            taken: list[int] = []
            report = table.draw(category, _from_words(words, taken))
            found[category, tuple(taken)] = report
    return tuple(Vector(x, words, report) for (x, words), report in found.items())


def _from_words(words: Sequence[int], taken: list[int]) -> Below:
    """Return ``below`` that reads these words, then zeros, and keeps what it read."""
    left = iter(words)

    def below(bound: int) -> int:
        if bound < 1:
            raise ValueError(bound)  # of a changed table
        mask = (1 << (bound - 1).bit_length()) - 1
        while True:
            word = next(left, 0)
            taken.append(word)
            if word & mask < bound:
                return word & mask

    return below


def _words(table: ClientTable, category: int) -> Iterator[list[int]]:
    """Yield words that are at the thresholds."""
    if table.kind == "columns":
        column = table.columns[category]
        total = column[-1]
        for t in sorted({0, *column, *(c - 1 for c in column if c)}):
            yield [t]  # the total itself is drawn again if it is within the mask
        yield [(1 << 64) - 1, total - 1]
        return
    heads, coin = table.numbers["HEADS"], table.numbers["COIN"]
    for first in (0, heads - 1, heads, coin - 1, coin):
        start = [first, 0] if first == coin else [first]
        for bounds in _bounds(table, first < heads or first == coin):
            yield start + bounds


def _bounds(table: ClientTable, inside: bool) -> Iterator[list[int]]:
    """Yield the further words: 0, the last that is kept, the first that is not (and then 0), of each draw."""
    n, q = table.numbers, table.numbers.get("Q", 0)
    if table.kind == "direct":
        limits = [] if inside else [table.inputs - 1]
    elif table.kind == "interval":
        limits = [n["SIZE"] if inside else q - n["SIZE"], q - 1]
    elif table.kind == "hash":
        limits = [n["SIZE"] if inside else q - n["SIZE"], n["SPACE"] - 1]
    elif table.kind == "projective":
        limits = [n["SPACE"] - (inside != bool(n["COMPLEMENT"]))]
    else:
        part = (q - 1) // n["INDEX"]
        many = n["COSETS"] * part + n["ZERO"]
        limits = [many if inside else q - many, n["INDEX"]]
    yield [0] * len(limits)
    for place, limit in enumerate(limits):
        for word in (limit - 1, limit, limit // 2, limit // 3):
            words = [0] * len(limits)
            words[place] = word
            yield words
    yield [limit // 2 + 1 for limit in limits]


def law_of(draw: Callable[[int, Below], int], category: int) -> dict[int, Fraction]:
    """Return the exact distribution of a sampler: all values of every ``below`` are tried, each with its weight."""
    law: dict[int, Fraction] = {}
    pending: list[tuple[int, ...]] = [()]
    while pending:
        given = pending.pop()
        bounds: list[int] = []

        def below(bound: int, given: tuple[int, ...] = given, bounds: list[int] = bounds) -> int:
            bounds.append(bound)
            if len(bounds) <= len(given):
                return given[len(bounds) - 1]
            raise _More

        try:
            report = draw(category, below)
        except _More:
            pending += [(*given, value) for value in range(bounds[-1])]
            continue
        weight = Fraction(1)
        for bound in bounds:
            weight /= bound
        law[report] = law.get(report, Fraction(0)) + weight
    return law


class _More(Exception):  # noqa: N818  # it ends a draw that needs one more integer, and is no error
    """A draw needs one more integer."""


def changed(table: ClientTable) -> Iterator[ClientTable]:
    """Yield the tables with one integer changed by 1: the vectors of the table must fail for each."""
    from dataclasses import replace

    for name in table.numbers:
        for step in (1, -1):
            yield replace(table, numbers={**table.numbers, name: table.numbers[name] + step})
    for j, column in enumerate(table.columns):
        for i, high in enumerate(column):
            for step in (1, -1):
                other = (*column[:i], high + step, *column[i + 1 :])
                weights = [y - x for x, y in pairwise((0, *other))]
                certain = sum(w > 0 for w in weights) == 1 == sum(x < y for x, y in pairwise((0, *column)))
                if min(weights) >= 0 and not certain:  # a single output is certain with any weight
                    yield replace(table, columns=(*table.columns[:j], other, *table.columns[j + 1 :]))


def holds(table: ClientTable, vectors: Sequence[Vector]) -> bool:
    """Return whether a table gives all vectors."""
    for vector in vectors:
        taken: list[int] = []
        try:
            report: Any = table.draw(vector.category, _from_words(vector.words, taken))
        except (IndexError, ValueError, ZeroDivisionError):
            return False
        if report != vector.report or tuple(taken) != vector.words:
            return False
    return True
