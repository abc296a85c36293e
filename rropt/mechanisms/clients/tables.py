"""The integers of a client: how it samples a report from uniform integers, and its test vectors.

Every client samples with ``below(n)``: a word of 64 random bits is masked to the bit length of n - 1, and replaced by a
new word as long as it is n or more. The following kinds of mechanisms are exported.

* ``columns``: a small matrix. Column j has integer weights w_ij with sum D_j, ``p_ij = w_ij/D_j``. The integer
  ``u = below(D_j)`` selects the first i with ``w_0j + ... + w_ij > u``. This has exactly the distribution of the
  column.
* ``blocks``: k-ary randomized response, affine designs of any dimension (local hashing), projective designs (Hadamard
  response, PGR) and cyclic designs (``mechanisms.families``). A coin ``below(b) < a`` with p = a/b is tossed, and then
  uniform integers are drawn.
* ``subset``: sets of d categories. A coin decides whether the set contains the true category. The other categories are
  drawn by Floyd's method with d integers.
* ``bits``: unary encodings, one coin for each bit.
* ``restricted``: restricted responses. A first coin decides whether the true category is reported. If not, a second
  coin decides this again for a true category in C. If not, a uniform integer selects the report.

*Test vectors* contain the random words. These words are at the thresholds: each boundary of a column, one below it, the
largest word that is accepted, and the smallest one that is rejected. (Random vectors would not detect a weight that is
changed by 1.) A report that is a set may be long, so its vector contains a digest:
``h = (65537 h + y + 1) mod (2^31 - 1)`` over its numbers y.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from typing import Any

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.numbers import whole_numbers
from rropt.core.limits import MAX_MATRIX_ENTRIES
from rropt.core.mappings import ReadOnlyMapping
from rropt.mechanisms.families import (
    Affine,
    AffineClasses,
    AllSubsets,
    BitVectorMechanism,
    BlockMechanism,
    Blocks,
    Cyclic,
    Direct,
    Projective,
    as_memberships,
)
from rropt.mechanisms.families.primes import primitive_root
from rropt.mechanisms.left_inverse import left_inverse, reference_population
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.restricted_response import RestrictedResponse

MOST_ENTRIES = 4096  # of a matrix that a person can read through in a client; also the largest number of runs
_WORD = 1 << 63  # bound of uniform integers: the languages have words of 64 bits

Below = Callable[[int], int]
Report = int | tuple[int, ...]
"""A number; or the categories of a set in ascending order; or the bits of a vector."""


@dataclass(frozen=True, slots=True)
class Vector:
    """A test of a client.

    Attributes:
        category: the truth.
        words: the 64-bit words that the sampler draws; further words are 0.
        drawn: the number of words drawn, including trailing zeros.
        report: the report; for a set or a bit vector, its digest.
    """

    category: int
    words: tuple[int, ...]
    drawn: int
    report: int


def digest_of(report: Report) -> int:
    """Return a number unchanged; for a list, the last ``h = (65537 h + y + 1) mod (2^31 - 1)``, starting at h = 0.

    >>> digest_of(17), digest_of((0, 2))
    (17, 65540)
    """
    if isinstance(report, int):
        return report
    found = 0
    for y in report:
        found = (found * 65537 + y + 1) % 2147483647
    return found


@dataclass(frozen=True, slots=True)
class ClientTable:
    """The integers of a client.

    Attributes:
        kind: ``"columns"``, ``"direct"``, ``"interval"``, ``"hash"``, ``"classes"``, ``"projective"``, ``"cyclic"``,
            ``"subset"``, ``"bits"`` or ``"restricted"``.
        inputs: k.
        outputs: m as text; ``"C(k, d)"`` for sets, ``"2^k"`` for bit vectors.
        numbers: the integers of the sampler, by name.
        columns: for ``columns``, the cumulative weights of each column; the last is D_j.
        estimator: for ``columns``, A with A P = I, in floats; row j estimates the proportion of category j.
        chances: for the other kinds, p and m, the probabilities that a report contains the truth and another category;
            for ``restricted``, the numbers of ``_collector_of``.
        runs: for ``restricted`` and ``cyclic``, the lengths of consecutive runs of categories (residues) that alternate
            between inside and outside the set, without the last run. The first run is inside the set and may have
            length 0.
    """

    kind: str
    inputs: int
    outputs: str
    numbers: Mapping[str, int]
    columns: tuple[tuple[int, ...], ...] = ()
    estimator: tuple[tuple[float, ...], ...] = ()
    chances: tuple[float, ...] = ()
    runs: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", ReadOnlyMapping(self.numbers))

    @property
    def is_set(self) -> bool:
        """Whether a report is a list of numbers."""
        return self.kind in ("subset", "bits")

    def draw(self, category: int, below: Below) -> Report:
        """Sample a report; this is the Python reference of every client's sampler."""
        if self.is_set:
            return self._set(category, below)
        if self.kind == "restricted":
            return self._restricted(category, below)
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
        if self.kind == "cyclic":
            residue = self._nth(below(n["SIZE"] if inside else n["MODULUS"] - n["SIZE"]), inside)
            return (residue - category) % n["MODULUS"]
        q = n["Q"]
        if q < 2 or n.get("COMPLEMENT", 0) not in (0, 1):
            raise ValueError(q)  # only in a changed table
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

    def _set(self, category: int, below: Below) -> Report:
        """Sample a bit vector, bit by bit, or a set of d categories.

        Without the truth, Floyd's method draws d of the k - 1 other categories; with the truth, d - 1 of them.
        """
        n, k = self.numbers, self.inputs
        inside = below(n["COIN"]) < n["HEADS"]
        if self.kind == "bits":
            coin, heads = n["MISS_COIN"], n["MISS_HEADS"]
            return tuple([int(inside if y == category else below(coin) < heads) for y in range(k)])
        taken: set[int] = set()
        for j in range(k - 1 - (n["SIZE"] - inside), k - 1):
            t = below(j + 1)
            taken.add(j if t in taken else t)
        report = [y + (y >= category) for y in taken]
        return tuple(sorted([*report, category] if inside else report))

    def _restricted(self, category: int, below: Below) -> int:
        """Sample a restricted response: the truth, or a category of C."""
        n = self.numbers
        if below(n["REVEAL_COIN"]) < n["REVEAL_HEADS"]:
            return category
        is_chosen, rank = self._place(category)
        if not is_chosen:
            return self._nth(below(n["CHOSEN"]), True)
        if below(n["COIN"]) < n["HEADS"]:
            return category
        other = below(n["CHOSEN"] - 1)
        return self._nth(other + (other >= rank), True)

    def _nth(self, rank: int, inside: bool) -> int:
        """Return the element with a given rank in the set, or in its complement if ``inside`` is false."""
        start = 0
        for i, length in enumerate(self.runs):
            if (i % 2 == 0) == inside:
                if rank < length:
                    break
                rank -= length
            start += length
        return start + rank

    def _place(self, element: int) -> tuple[bool, int]:
        """Return whether an element is in the set, and how many smaller elements are."""
        before = 0
        for i, length in enumerate(self.runs):
            if element < length:
                return i % 2 == 0, before + element
            element -= length
            before += length if i % 2 == 0 else 0
        return len(self.runs) % 2 == 0, before + element

    def _hashed(self, category: int, inside: bool, below: Below) -> int:
        """Return the block (a, b) for a random vector a != 0, with b such that ``a.x + b`` is a random value in T.

        If ``inside`` is false, the value is outside T.
        """
        n, q = self.numbers, self.numbers["Q"]
        value = below(n["SIZE"]) if inside else n["SIZE"] + below(q - n["SIZE"])
        first = below(n["SPACE"] - 1)
        return first * q + (value - _inner(first + 1, category, q)) % q

    def _point(self, category: int, inside: bool, below: Below) -> int:
        """Return the point of a random vector a with ``a.x = 0`` or ``a.x = 1``.

        All digits of a are drawn except the one at the position of the first nonzero digit of x, which is computed.
        """
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
    """Return the inner product of two numbers as vectors of their digits to base q."""
    total = 0
    while a and x:
        (a, digit), (x, other) = divmod(a, q), divmod(x, q)
        total += digit * other
    return total


def table_of(mechanism: Mechanism) -> ClientTable:
    """Return the integers of a client for a mechanism.

    Raises:
        UnsupportedProblemError: the matrix has more than 4096 entries, the family is unsupported, or integers are too
            long.

    >>> from rropt.mechanisms import named_mechanism
    >>> table_of(named_mechanism("warner:3/4")).columns
    ((3, 4), (1, 4))
    """
    if isinstance(mechanism, RestrictedResponse):
        return _table_of_restricted(mechanism)
    if isinstance(mechanism, BlockMechanism) and (_has_own_client(mechanism.blocks) or not mechanism.is_small):
        return _table_of_blocks(mechanism)
    if isinstance(mechanism, BitVectorMechanism) and not mechanism.is_small:
        return _table_of_bits(mechanism)
    if mechanism.inputs > MOST_ENTRIES or mechanism.outputs * mechanism.inputs > MOST_ENTRIES:
        if (family := family_of(mechanism)) is not None:
            return _table_of_blocks(family)
        raise UnsupportedProblemError(
            f"the mechanism is too large for a client with a table: received {mechanism!r}; allowed are matrices of at "
            f"most {MOST_ENTRIES} entries, k-ary randomized response, block designs (`rropt.kary_problem` with "
            "`output_bits`), subset selection, unary encodings and restricted responses"
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
    return ClientTable("columns", mechanism.inputs, str(mechanism.outputs), {}, tuple(columns), estimator)


def _has_own_client(blocks: Blocks) -> bool:
    """Return whether a family has its own sampler; the others are sampled from their matrix if it is small."""
    return isinstance(blocks, (Direct, Affine, AffineClasses, Projective))


def family_of(mechanism: Mechanism) -> BlockMechanism | None:
    """Return a mechanism as a block family if it is subset selection or k-ary randomized response, else ``None``.

    Subset selection may be given by orbits, and k-ary randomized response by a matrix.
    """
    sets, k = as_memberships(mechanism), mechanism.inputs
    if isinstance(sets, BlockMechanism):
        return sets
    if mechanism.outputs != k or k * k > MAX_MATRIX_ENTRIES:
        return None
    truth, other = mechanism[0, 0], mechanism[0, 1]
    alike = all(x == (truth if i == j else other) for i, row in enumerate(mechanism.matrix) for j, x in enumerate(row))
    return BlockMechanism(Direct(k), truth / other) if alike and truth > other > 0 else None


def _table_of_blocks(mechanism: BlockMechanism) -> ClientTable:
    blocks, hit = mechanism.blocks, mechanism.hit
    numbers = {"HEADS": hit.numerator, "COIN": hit.denominator}
    kind, k = "interval", mechanism.inputs
    runs: tuple[int, ...] = ()
    if isinstance(blocks, Direct):
        kind = "direct"
    elif isinstance(blocks, AllSubsets):
        kind = "subset"
        numbers["SIZE"] = blocks.size
    elif isinstance(blocks, Cyclic):
        kind, runs = (
            "cyclic",
            _runs_of((len(list(run)), inside) for inside, run in groupby(blocks.indicator().tolist())),
        )
        numbers |= {"MODULUS": blocks.modulus, "SIZE": blocks.size}
    elif isinstance(blocks, Affine):
        numbers |= {"Q": blocks.q, "SIZE": blocks.size}
        if blocks.dimension > 1:
            kind = "hash"
            numbers["SPACE"] = blocks.q**blocks.dimension
    elif isinstance(blocks, Projective):
        kind = "projective"
        numbers |= {"Q": blocks.q, "SPACE": blocks.q ** (blocks.dimension - 1), "COMPLEMENT": int(blocks.complement)}
    elif isinstance(blocks, AffineClasses):
        kind = "classes"
        numbers |= {"Q": blocks.q, "INDEX": blocks.index, "COSETS": blocks.cosets, "ZERO": int(blocks.zero)}
        numbers["ROOT"] = primitive_root(blocks.q)
    else:
        raise UnsupportedProblemError(
            f"this family has no client: received {blocks}; allowed are k-ary randomized response, subset selection, "
            f"affine, projective and cyclic designs, and matrices of at most {MOST_ENTRIES} entries"
        )
    words = max(
        hit.denominator, 0 if kind == "subset" else mechanism.outputs, numbers.get("Q", 0) * numbers.get("SPACE", 0)
    )
    if words >= _WORD or numbers.get("Q", 0) >= 1 << 31:
        received = f"p with {hit.denominator.bit_length()} bits and {mechanism.shape_texts[0]} outputs"
        raise UnsupportedProblemError(
            f"the integers of the client are too long: received {received}; allowed are 63 bits, and q < 2^31; designs "
            "of `rropt design kary` fit, and levels such as 2.718281828"
        )
    outputs = f"C({k}, {blocks.size})" if isinstance(blocks, AllSubsets) else str(mechanism.outputs)
    return ClientTable(kind, k, outputs, numbers, chances=(float(hit), float(mechanism.miss)), runs=runs)


def _table_of_bits(mechanism: BitVectorMechanism) -> ClientTable:
    hit, miss, k = mechanism.hit, mechanism.miss, mechanism.inputs
    _require_words(mechanism, hit, miss)
    numbers = {"HEADS": hit.numerator, "COIN": hit.denominator}
    numbers |= {"MISS_HEADS": miss.numerator, "MISS_COIN": miss.denominator}
    return ClientTable("bits", k, f"2^{k}", numbers, chances=(float(hit), float(miss)))


def _table_of_restricted(mechanism: RestrictedResponse) -> ClientTable:
    told, revealed, k = mechanism.told, mechanism.revealed, mechanism.inputs
    _require_words(mechanism, told, revealed)
    numbers = {"HEADS": told.numerator, "COIN": told.denominator}
    numbers |= {"REVEAL_HEADS": revealed.numerator, "REVEAL_COIN": revealed.denominator, "CHOSEN": mechanism.chosen}
    runs, chances = _runs_of(mechanism.runs), _collector_of(mechanism)
    return ClientTable("restricted", k, str(k), numbers, chances=chances, runs=runs)


def _require_words(mechanism: Mechanism, *chances: Fraction) -> None:
    longest = max(chance.denominator for chance in chances)
    if longest >= _WORD:
        raise UnsupportedProblemError(
            f"the integers of the client are too long: received {mechanism!r}, a probability with a denominator of "
            f"{longest.bit_length()} bits; allowed are 63; write the level with fewer digits, for example 2.718281828"
        )


def _runs_of(runs: Iterable[tuple[int, bool]]) -> tuple[int, ...]:
    """Return the lengths of runs that alternate between inside and outside the set, without the last one."""
    listed = list(runs)
    if len(listed) > MOST_ENTRIES:
        raise UnsupportedProblemError(
            f"the set of the client has too many runs of elements that follow each other: received {len(listed)}; "
            f"allowed are {MOST_ENTRIES}; sort the categories, or use an affine or projective design"
        )
    lengths = [length for length, _ in listed[:-1]]
    return tuple(lengths if listed[0][1] else [0, *lengths])


def _collector_of(mechanism: RestrictedResponse) -> tuple[float, ...]:
    """Return scale, shift, turn and delta of the collector's estimate; an empty tuple if pi is not identified.

    Let f_y be the proportion of responses y, and o that of responses outside C. The estimate of category y is
    ``(f_y - shift - turn o)/scale`` if y is in C, and ``f_y/delta`` otherwise.
    """
    if not mechanism.identifies:
        return ()
    m, rest, revealed = mechanism.chosen, 1 - mechanism.revealed, mechanism.revealed
    other = 1 / (mechanism.gamma + m - 1)
    turn = rest * (Fraction(1, m) - other) / revealed if m < mechanism.inputs else Fraction(0)
    return tuple(map(float, (revealed + rest * other * (mechanism.gamma - 1), rest * other, turn, revealed)))


@lru_cache(maxsize=8)
def vectors_of(table: ClientTable) -> tuple[Vector, ...]:
    """Return test vectors at the thresholds of every draw; changing any integer of the table makes one of them fail."""
    found: dict[tuple[int, tuple[int, ...], int], int] = {}
    for category in _categories(table):
        for words in _words(table, category):
            report, kept, drawn = _replayed(table, category, words)
            found[category, kept, drawn] = report
    return tuple(Vector(x, words, drawn, report) for (x, words, drawn), report in found.items())


def _categories(table: ClientTable) -> list[int]:
    """Return the categories for which there are test vectors."""
    if table.kind == "columns":
        return list(range(table.inputs))
    ends = accumulate(table.runs) if table.kind == "restricted" else ()
    near = {x for end in ends for x in (end - 1, end) if x >= 0}
    return sorted(near | _first_categories(table))


def _first_categories(table: ClientTable) -> set[int]:
    """Return the categories for which all coins are tested."""
    first = {table._nth(0, True)} if table.kind == "restricted" else set()
    return first | {0, 1, table.inputs // 2, table.inputs - 1}


def _replayed(table: ClientTable, category: int, words: Sequence[int]) -> tuple[int, tuple[int, ...], int]:
    """Replay given words, followed by zeros.

    Returns:
        The digest of the report, the words without trailing zeros, and the number of words drawn.
    """
    taken: list[int] = []
    report = digest_of(table.draw(category, _from_words(words, taken)))
    last = max((place for place, word in enumerate(taken, 1) if word), default=0)
    return report, tuple(taken[:last]), len(taken)


def _from_words(words: Sequence[int], taken: list[int]) -> Below:
    """Return a function ``below`` that reads these words, then zeros, and appends each word to ``taken``."""
    left = iter(words)

    def below(bound: int) -> int:
        if bound < 1:
            raise ValueError(bound)  # only in a changed table
        mask = (1 << (bound - 1).bit_length()) - 1
        while True:
            word = next(left, 0)
            taken.append(word)
            if word & mask < bound:
                return word & mask

    return below


def _words(table: ClientTable, category: int) -> Iterator[list[int]]:
    """Yield lists of words at the thresholds of the draws for a category."""
    if table.kind == "columns":
        column = table.columns[category]
        total = column[-1]
        for t in sorted({0, *column, *(c - 1 for c in column if c)}):
            yield [t]  # the total itself is rejected if it is within the mask
        yield [(1 << 64) - 1, total - 1]
        return
    heads, coin = table.numbers["HEADS"], table.numbers["COIN"]
    starts = [(first == coin or first < heads, [first, 0] if first == coin else [first])
              for first in (0, heads - 1, heads, coin - 1, coin)]  # fmt: skip
    if table.is_set:
        yield from _words_of_sets(table, category, starts)
        return
    if table.kind == "restricted":
        yield from _words_of_restricted(table, category, starts)
        return
    for inside, start in starts:
        for bounds in _bounds(table, inside):
            yield start + bounds
    for inside, word in ((True, 0), (False, heads)) if not category else ():
        ends = accumulate(length for i, length in enumerate(table.runs) if (i % 2 == 0) == inside)
        yield from ([word, max(end + step, 0)] for end in ends for step in (-1, 0))


def _words_of_sets(table: ClientTable, category: int, starts: list[tuple[bool, list[int]]]) -> Iterator[list[int]]:
    """Yield words for reports that are sets or bit vectors, which may be long.

    All thresholds are tested for the first category, and only the coin of the truth for the others.
    """
    n = table.numbers
    yield from ([0], [n["HEADS"]])
    if category:
        return
    yield from (start for _, start in starts)
    for inside in (1, 0) if table.kind == "subset" else (1,):
        start = [0 if inside else n["HEADS"]]
        least = table.inputs - (n["SIZE"] - inside) if table.kind == "subset" else n["MISS_COIN"]
        marks = [least // 2] if table.kind == "subset" else [n["MISS_HEADS"] - 1, n["MISS_HEADS"]]
        yield from ([*start, word] for word in (*marks, least - 1, least))
        yield [*start, *range(min(table.inputs, 8))]


def _words_of_restricted(
    table: ClientTable, category: int, starts: list[tuple[bool, list[int]]]
) -> Iterator[list[int]]:
    """Yield words for restricted responses: at the thresholds of both coins and at the endpoints of the runs of C."""
    n = table.numbers
    hidden, coin, chosen = n["REVEAL_HEADS"], n["REVEAL_COIN"], n["CHOSEN"]
    of_coins = category in _first_categories(table)  # the other categories are at endpoints of runs
    if of_coins:
        yield from ([max(word, 0)] for word in (0, hidden - 1, hidden, coin - 1, coin))
    if hidden == coin:
        return
    is_chosen, rank = table._place(category)
    ranks, before = {rank - 1, rank} if is_chosen else {0}, [hidden]
    if is_chosen:
        if of_coins:
            yield from ([hidden, *start] for _, start in starts)
        if chosen == 1:
            return
        before.append(n["HEADS"])
        if of_coins:
            yield from ([coin - 1, n["HEADS"]], [coin, hidden, n["HEADS"]], [coin, hidden, n["HEADS"], 1])
    if rank == (0 if is_chosen else category):  # the first category in C, or the first one outside
        ends = accumulate(length for i, length in enumerate(table.runs) if i % 2 == 0)
        ranks |= {chosen - 2, chosen - 1, chosen, *(end + step for end in ends for step in (-2, -1, 0))}
    yield from ([*before, word] for word in sorted(ranks) if word >= 0)


def _bounds(table: ClientTable, inside: bool) -> Iterator[list[int]]:
    """Yield the words after the coin: 0, the last accepted and the first rejected word of each draw."""
    n, q = table.numbers, table.numbers.get("Q", 0)
    if table.kind == "direct":
        limits = [] if inside else [table.inputs - 1]
    elif table.kind == "cyclic":
        limits = [n["SIZE"] if inside else n["MODULUS"] - n["SIZE"]]
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


def report_distribution(draw: Callable[[int, Below], Any], category: int) -> dict[Any, Fraction]:
    """Return the exact distribution of a sampler by enumerating all values of every ``below`` with their weights."""
    law: dict[Any, Fraction] = {}
    pending: list[tuple[int, ...]] = [()]
    while pending:
        given = pending.pop()
        bounds: list[int] = []

        def below(bound: int, given: tuple[int, ...] = given, bounds: list[int] = bounds) -> int:
            bounds.append(bound)
            if len(bounds) <= len(given):
                return given[len(bounds) - 1]
            raise _NeedsMoreWords

        try:
            report = draw(category, below)
        except _NeedsMoreWords:
            pending += [(*given, value) for value in range(bounds[-1])]
            continue
        weight = Fraction(1)
        for bound in bounds:
            weight /= bound
        law[report] = law.get(report, Fraction(0)) + weight
    return law


class _NeedsMoreWords(Exception):  # noqa: N818  # control flow: the enumeration must extend this prefix by one integer
    """Raised when a draw needs one more integer."""


def mutated_tables(table: ClientTable) -> Iterator[ClientTable]:
    """Yield the tables with one integer changed by 1; the test vectors must fail for each of them."""
    for name in table.numbers:
        for step in (1, -1):
            yield replace(table, numbers={**table.numbers, name: table.numbers[name] + step})
    for i, length in enumerate(table.runs):
        for step in (1, -1) if length else (1,):
            yield replace(table, runs=(*table.runs[:i], length + step, *table.runs[i + 1 :]))
    if table.is_set or (table.kind == "direct" and table.inputs > 2):
        for step in (1, -1):
            yield replace(table, inputs=table.inputs + step)
    for j, column in enumerate(table.columns):
        for i, high in enumerate(column):
            for step in (1, -1):
                other = (*column[:i], high + step, *column[i + 1 :])
                weights = [y - x for x, y in pairwise((0, *other))]
                certain = sum(w > 0 for w in weights) == 1 == sum(x < y for x, y in pairwise((0, *column)))
                if min(weights) >= 0 and not certain:  # a single output is certain with any weight
                    yield replace(table, columns=(*table.columns[:j], other, *table.columns[j + 1 :]))


def reproduces(table: ClientTable, vectors: Sequence[Vector]) -> bool:
    """Return whether a table reproduces all test vectors."""
    for vector in vectors:
        try:
            found = _replayed(table, vector.category, vector.words)
        except (IndexError, ValueError, ZeroDivisionError):
            return False
        if found != (vector.report, vector.words, vector.drawn):
            return False
    return True
