"""The constants of a client: the integers of its sampler, and the numbers of the collector's estimate.

A client draws integers with ``below(n)``: a word of 64 random bits is masked to the bit length of n - 1, and replaced
by a new word as long as it is n or more. ``client.py`` states the sampler of each kind:

* ``columns``: a small matrix. Column j has integer weights w_ij with sum D_j, ``p_ij = w_ij/D_j``. The integer
  ``u = below(D_j)`` selects the first i with ``w_0j + ... + w_ij > u``. This has exactly the distribution of the
  column.
* ``texts``: a small matrix whose outputs are sets of categories, or rows of bits. A report is drawn as from
  ``columns``, and is the text that `rropt count` and `rropt estimate` read, such as ``2&5`` or ``0110``.
* ``values``: a small matrix whose categories and outputs have numbers. The categories are a grid ``GRID/UNIT``. If
  numbers are rounded to the grid, ``below(span) < part`` selects the upper neighbour, where ``part/span`` is the
  distance from the lower one in steps of the grid. Then the report is drawn from a column. The estimate is the mean.
* ``questions``: independent questions; each has columns of its own, from which its digit of the report is drawn.
* ``direct``, ``interval``, ``hash``, ``classes``, ``projective``, ``cyclic``: k-ary randomized response and block
  designs (``mechanisms.families``). A coin ``below(COIN) < HEADS`` decides whether the report contains the truth. Then
  the report is uniform among the blocks that contain it, or do not.
* ``ranked``: sets of d categories, if their weights have a sum below 2^63. One integer selects the set by its rank: of
  the ``INSIDE`` sets that contain the truth, each with weight ``OWN``, or of the ``OUTSIDE`` others with ``OTHER``.
* ``subset``: larger sets of d categories, drawn one by one. ``dense``: the same for large d. Each other category has a
  fair bit for each of ``LAYERS`` layers. From the first layer on they are joined: by "or" if the bit of ``PATTERN`` at
  the layer is 1, by "and" otherwise. So a category is marked with probability ``PATTERN/2^LAYERS``, and given its size
  the marked set is uniform. Then a uniform subset of the others is marked, or of the marked ones unmarked, for size d.
* ``bits``: unary encodings, one coin for each bit.
* ``restricted``: restricted responses. A first coin decides whether the true category is reported. If not, a second
  coin decides this again for a true category in C. If not, a uniform integer selects the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, groupby
from math import comb, sqrt
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
    Cyclic,
    Direct,
    Projective,
    as_memberships,
)
from rropt.mechanisms.families.primes import primitive_root
from rropt.mechanisms.left_inverse import left_inverse, reference_population
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.restricted_response import RestrictedResponse
from rropt.mechanisms.subsets import set_texts

MOST_ENTRIES = 4096  # of a matrix that a person can read through in a client; also the largest number of runs
_MOST_DECIMALS = 15  # of a number that a client reads
_MOST_MARKED = 1 << 16  # categories that are marked by layers of bits: test vectors list the bits of some layers
_MOST_SETS = 100  # entries of subset selection whose table is shorter than drawing the set
_WORD = 1 << 63  # bound of uniform integers: the languages have words of 64 bits


@dataclass(frozen=True, slots=True)
class ClientTable:
    """The constants of a client.

    Attributes:
        kind: ``"columns"``, ``"texts"``, ``"values"``, ``"questions"``, ``"direct"``, ``"interval"``, ``"hash"``,
            ``"classes"``, ``"projective"``, ``"cyclic"``, ``"ranked"``, ``"subset"``, ``"dense"``, ``"bits"`` or
            ``"restricted"``.
        constants: integers, floats and tuples of them, by the names that the templates explain: K categories, M outputs
            if a report is a number that is not a category, the integers of the sampler, and the floats of the
            collector's estimate. A restricted response that does not identify the proportions has no floats.
    """

    kind: str
    constants: Mapping[str, Any]

    def __post_init__(self) -> None:
        object.__setattr__(self, "constants", ReadOnlyMapping(self.constants))

    @property
    def is_matrix(self) -> bool:
        """Whether the sampler draws from columns, and the estimate is that of a matrix."""
        return self.kind in ("columns", "texts", "questions", "values")

    @property
    def is_set(self) -> bool:
        """Whether a report is a list of numbers."""
        return self.kind in ("ranked", "subset", "dense", "bits")


def table_of(mechanism: Mechanism) -> ClientTable:
    """Return the constants of a client for a mechanism.

    Raises:
        UnsupportedProblemError: the matrix has more than 4096 entries, the family is unsupported, or integers are too
            long.

    >>> from rropt.mechanisms import named_mechanism
    >>> table_of(named_mechanism("warner:3/4")).constants["COLUMNS"]
    ((3, 4), (1, 4))
    """
    if mechanism.input_values:
        return _table_of_values(mechanism)
    if isinstance(mechanism, RestrictedResponse):
        return _table_of_restricted(mechanism)
    own = (Direct, Affine, AffineClasses, Projective)  # families with a sampler of their own, also for small matrices
    if isinstance(mechanism, BlockMechanism) and (isinstance(mechanism.blocks, own) or not mechanism.is_small):
        return _table_of_ranks(mechanism) or _table_of_blocks(mechanism)
    if isinstance(mechanism, BitVectorMechanism) and not mechanism.is_small:
        return _table_of_bits(mechanism)
    if mechanism.inputs > MOST_ENTRIES or mechanism.outputs * mechanism.inputs > MOST_ENTRIES:
        if (family := family_of(mechanism)) is not None:
            return _table_of_ranks(family) or _table_of_blocks(family)
        raise UnsupportedProblemError(
            f"the mechanism is too large for a client with a table: received {mechanism!r}; allowed are matrices of at "
            f"most {MOST_ENTRIES} entries, k-ary randomized response, block designs (`rropt.design.kary` with "
            "outputs 2^B), subset selection, unary encodings and restricted responses"
        )
    if mechanism.outputs * mechanism.inputs > _MOST_SETS and (sets := _subsets_of(mechanism)) is not None:
        return _table_of_ranks(sets) or _table_of_blocks(sets)
    parts = mechanism.factors
    columns = tuple(column for part in parts for column in _columns(part))
    inverse = left_inverse(mechanism, reference_population(mechanism, None))
    estimator = tuple(tuple(float(x) for x in row) for row in inverse)
    sizes = {"K": mechanism.inputs, "M": mechanism.outputs}
    if len(parts) == 1:
        texts = set_texts(mechanism)
        numbers = {**sizes, "COLUMNS": columns, "ESTIMATOR": estimator}
        return ClientTable("texts", {**numbers, "RESPONSES": texts}) if texts else ClientTable("columns", numbers)
    bases = {"INPUTS": tuple(part.inputs for part in parts), "OUTPUTS": tuple(part.outputs for part in parts)}
    return ClientTable("questions", {**sizes, **bases, "PARTS": columns, "ESTIMATOR": estimator})


def _subsets_of(mechanism: Mechanism) -> BlockMechanism | None:
    """Return a matrix as subset selection if its rows are all sets of one size with the same two probabilities.

    A response is written as its set, so the order of the rows does not matter.
    """
    rows, k = mechanism.matrix, mechanism.inputs
    entries = sorted({entry for row in rows for entry in row})
    if len(entries) != 2 or not entries[0]:
        return None
    other, own = entries
    found = {frozenset(j for j, entry in enumerate(row) if entry == own) for row in rows}
    size = len(next(iter(found)))
    is_all = len(found) == len(rows) == comb(k, size) and {*map(len, found)} == {size} and 1 < size < k
    return BlockMechanism(AllSubsets(k, size), own / other) if is_all else None


def _table_of_values(mechanism: Mechanism) -> ClientTable:
    """Return the table of a mechanism with numbers: the grid in whole numbers of 1/UNIT, and the columns."""
    if mechanism.outputs * mechanism.inputs > MOST_ENTRIES:
        raise UnsupportedProblemError(
            f"the mechanism is too large for a client with a table: received {mechanism!r}; allowed are at most "
            f"{MOST_ENTRIES} entries; design the mean of fewer values, or on fewer points"
        )
    grid, unit = whole_numbers(mechanism.input_values)
    decimals = _MOST_DECIMALS
    while decimals >= 0 and 2 * max(map(abs, (unit, *grid))) * 10**decimals >= _WORD:
        decimals -= 1
    if decimals < 0:
        raise UnsupportedProblemError(
            "the numbers of the categories are too large, or have too long a common denominator: as whole numbers "
            f"they have {max(map(abs, (unit, *grid))).bit_length()} bits; allowed are 62; round them, or give "
            "larger units"
        )
    return ClientTable(
        "values",
        {
            "K": mechanism.inputs,
            "M": mechanism.outputs,
            "GRID": tuple(grid),
            "UNIT": unit,
            "ROUNDS": int(mechanism.rounds),
            "DECIMALS": decimals,
            "COLUMNS": tuple(_columns(mechanism)),
            "ESTIMATOR": (tuple(map(float, mechanism.output_values)),),
            "CATEGORIES": mechanism.categories,
            "RESPONSES": mechanism.responses,
        },
    )


def _columns(mechanism: Mechanism) -> Iterator[tuple[int, ...]]:
    """Yield the cumulative weights of each category."""
    for j in range(mechanism.inputs):
        weights, total = whole_numbers(mechanism.column(j))
        if total >= _WORD:
            raise UnsupportedProblemError(
                f"the probabilities of category {j} have too long a common denominator: received {total.bit_length()} "
                "bits; allowed are 63; `rropt design binary` and `rropt design kary` find mechanisms with short "
                "numbers for an epsilon such as 1"
            )
        yield tuple(accumulate(weights))


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


def _table_of_ranks(mechanism: BlockMechanism) -> ClientTable | None:
    """Return the table of subset selection whose sets have ranks; ``None`` if their integers are too long.

    A report is found in one step for each category, so with many categories drawing the set is faster.
    """
    blocks, k = mechanism.blocks, mechanism.inputs
    if not isinstance(blocks, AllSubsets) or k > MOST_ENTRIES:
        return None
    inside, outside = comb(k - 1, blocks.size - 1), comb(k - 1, blocks.size)
    own, other = (mechanism.hit * outside / ((1 - mechanism.hit) * inside)).as_integer_ratio()
    if inside * own + outside * other >= _WORD:
        return None
    numbers = {"K": k, "SIZE": blocks.size, "INSIDE": inside, "OWN": own, "OUTSIDE": outside, "OTHER": other}
    return ClientTable("ranked", numbers)


def _table_of_blocks(mechanism: BlockMechanism) -> ClientTable:
    blocks, hit = mechanism.blocks, mechanism.hit
    numbers: dict[str, Any] = {"K": mechanism.inputs, "HEADS": hit.numerator, "COIN": hit.denominator}
    kind = "interval"
    if isinstance(blocks, Direct):
        kind = "direct"
    elif isinstance(blocks, AllSubsets):
        kind = "subset"
        numbers |= {"SIZE": blocks.size, "PIECE": max((mechanism.inputs - 2).bit_length(), 1)}
        if layers := _layers(mechanism.inputs, blocks.size, numbers["PIECE"]):
            kind = "dense"
            numbers |= {"LAYERS": layers[0], "PATTERN": layers[1]}
    elif isinstance(blocks, Cyclic):
        kind = "cyclic"
        runs = _runs_of((len(list(run)), inside) for inside, run in groupby(blocks.indicator().tolist()))
        numbers |= {"MODULUS": blocks.modulus, "SIZE": blocks.size, "RUNS": runs}
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
    if kind not in ("subset", "dense"):
        numbers["M"] = mechanism.outputs
    words = max(hit.denominator, numbers.get("M", 0), numbers.get("Q", 0) * numbers.get("SPACE", 0))
    if words >= _WORD or numbers.get("Q", 0) >= 1 << 31:
        received = f"p with {hit.denominator.bit_length()} bits and {mechanism.shape_texts[0]} outputs"
        raise UnsupportedProblemError(
            f"the integers of the client are too long: received {received}; allowed are 63 bits, and q < 2^31; designs "
            "of `rropt design kary` fit"
        )
    return ClientTable(kind, {**numbers, "P_CHANCE": float(hit), "Q_CHANCE": float(mechanism.miss)})


def _layers(k: int, size: int, piece: int) -> tuple[int, int] | None:
    """Return layers and pattern of the marks that need the fewest random bits; ``None`` if draws one by one need fewer.

    A draw is ``piece`` bits and is repeated at times; it counts half more, as it takes more time than a bit of a layer.
    """
    best, found = 1.5 * piece * min(size, k - 1), None
    if k > _MOST_MARKED:
        return None
    for layers in range(1, 5):
        for pattern in range(1, 1 << layers, 2):
            chance = pattern / (1 << layers)
            draws = abs(size - chance * (k - 1)) + sqrt(chance * (1 - chance) * k)
            bits = layers * (k + -k % 64) + 1.5 * piece * draws
            if bits < best:
                best, found = bits, (layers, pattern)
    return found


def _table_of_bits(mechanism: BitVectorMechanism) -> ClientTable:
    hit, miss = mechanism.hit, mechanism.miss
    _require_words(mechanism, hit, miss)
    numbers = {"K": mechanism.inputs, "HEADS": hit.numerator, "COIN": hit.denominator}
    numbers |= {"MISS_HEADS": miss.numerator, "MISS_COIN": miss.denominator}
    return ClientTable("bits", {**numbers, "P_CHANCE": float(hit), "Q_CHANCE": float(miss)})


def _table_of_restricted(mechanism: RestrictedResponse) -> ClientTable:
    told, revealed = mechanism.told, mechanism.revealed
    _require_words(mechanism, told, revealed)
    numbers = {"K": mechanism.inputs, "HEADS": told.numerator, "COIN": told.denominator, "CHOSEN": mechanism.chosen}
    numbers |= {"REVEAL_HEADS": revealed.numerator, "REVEAL_COIN": revealed.denominator}
    return ClientTable("restricted", {**numbers, "RUNS": _runs_of(mechanism.runs), **_collector_of(mechanism)})


def _require_words(mechanism: Mechanism, *chances: Fraction) -> None:
    longest = max(chance.denominator for chance in chances)
    if longest >= _WORD:
        raise UnsupportedProblemError(
            f"the integers of the client are too long: received {mechanism!r}, a probability with a denominator of "
            f"{longest.bit_length()} bits; allowed are 63; write the level as a fraction of fewer digits"
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


def _collector_of(mechanism: RestrictedResponse) -> dict[str, float]:
    """Return scale, shift, turn and delta of the collector's estimate; nothing if pi is not identified.

    Let f_y be the proportion of responses y, and o that of responses outside C. The estimate of category y is
    ``(f_y - shift - turn o)/scale`` if y is in C, and ``f_y/delta`` otherwise.
    """
    if not mechanism.identifies:
        return {}
    m, rest, revealed = mechanism.chosen, 1 - mechanism.revealed, mechanism.revealed
    other = 1 / (mechanism.odds + m - 1)
    turn = rest * (Fraction(1, m) - other) / revealed if m < mechanism.inputs else Fraction(0)
    scale = revealed + rest * other * (mechanism.odds - 1)
    return {"SCALE": float(scale), "SHIFT": float(rest * other), "TURN": float(turn), "REVEALED": float(revealed)}
