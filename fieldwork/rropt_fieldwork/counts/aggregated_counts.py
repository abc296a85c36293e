"""Aggregated counts of responses: ``count`` on each machine, then ``merge``, then ``estimate``.

There are two kinds of counts:

* *outputs*: how often each output occurred, for mechanisms whose matrix is small enough to be written out. These counts
  determine the likelihood.
* *memberships*: how many responses contain each category, for responses that are sets of categories. These counts
  determine the unbiased estimate and its variances. They determine neither the likelihood nor the covariances between
  categories.

A file of counts contains the mechanism and its hash, the number of respondents, and the identifiers of its parts
(shards). ``merge`` rejects counts of different mechanisms, and counts in which a shard occurs twice.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.errors import FileFormatError, InvalidParameterError, UnsupportedProblemError, required, shown
from rropt.core.files import parse_json, read_text
from rropt.core.lazy import numpy as np
from rropt.core.limits import MAX_ANSWERS, MAX_MATRIX_ENTRIES
from rropt.core.normal_form import normal
from rropt.core.results import Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.families import AllSubsets, BlockMechanism, as_memberships
from rropt.mechanisms.subsets import BETWEEN, output_sets

if TYPE_CHECKING:
    from numpy.typing import NDArray


_LONGEST_SHARD = 64
_LISTED = 20  # counts that are printed; the file and JSON have all
_MOST_OUTPUTS = 1 << 28  # longest histogram of block numbers, 2 GB
_PARTS = re.compile(r"\s*[&;|\s]\s*")
_WHOLE = re.compile(rb"(?m)^(0|[1-9][0-9]{0,6})\.0(?=\r?$)")

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class AggregatedCounts(Result):
    """Counts of the responses of one mechanism.

    Attributes:
        mechanism: the mechanism that produced the responses.
        n: the number of responses counted.
        counted: ``"memberships"``: the number of responses that contain each category, shape (k,); ``"outputs"``: the
            number of times each output occurred, shape (m,).
        counts: the counts.
        shards: the identifiers of the parts, sorted, without duplicates.
    """

    mechanism: Mechanism
    n: int
    counted: str
    counts: tuple[int, ...]
    shards: tuple[str, ...]

    LABELS: ClassVar[Mapping[str, str]] = labelled(
        n="responses", counted="counted", shards="parts", mechanism_hash="hash of the mechanism"
    )

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table, with the counts unless they are many."""
        rows = Result.lines(self)
        shown = [("counts", ", ".join(map(str, self.counts)))] if len(self.counts) <= _LISTED else []
        return [*rows[:2], *shown, *rows[2:]]

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each category or response, with the number of responses that contain it or are it."""
        names, kind = self.mechanism.categories, "category"
        if self.counted == "outputs":
            names, kind = self.mechanism.responses, "response"
        told = names or [f"{kind} {i}" for i in range(len(self.counts))]
        return [{kind: name, "n": self.n, "count": c} for name, c in zip(told, self.counts, strict=True)]

    @property
    def mechanism_hash(self) -> str:
        """SHA-256 hash of the mechanism."""
        return self.mechanism.identity

    def checked(self) -> None:
        """Raise an error if the counts or the parts in a file contradict each other."""
        length = self.mechanism.inputs if self.counted == "memberships" else 0
        length = self.mechanism.outputs if self.counted == "outputs" else length  # unknown for many sets
        fits = len(self.counts) == length and 0 <= self.n <= MAX_ANSWERS and all(0 <= c <= self.n for c in self.counts)
        if not fits or (self.counted == "outputs" and sum(self.counts) != self.n):
            raise FileFormatError(
                f"the counts do not fit: received {shown(self.counted)}, n = {self.n}, {shown(list(self.counts))}; "
                f"allowed are {length or 'no'} whole numbers from 0 to n"
            )
        shards = list(self.shards)
        if not shards or not all(map(is_shard, shards)) or sorted(set(shards)) != shards:
            raise FileFormatError(f"the shards are not a sorted list of different names: received {shown(shards)}")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> AggregatedCounts:
        """Read a file of counts.

        Raises:
            FileFormatError: the file does not hold counts, or they contradict each other.
        """
        data = parse_json(read_text(path, what="counts"), what=f"counts {shown(os.fspath(path))}", is_repeated=False)
        if not isinstance(data, dict) or data.get("result") != cls.__name__:  # perhaps responses: do not repeat them
            raise FileFormatError(
                f"not a file of counts: received {shown(os.fspath(path))}; allowed is what `rropt count` wrote"
            )
        return cls.from_dict(data)

    def __repr__(self) -> str:
        return f"<AggregatedCounts n={self.n} {self.counted} shards={len(self.shards)}>"


def counted_lines(
    data: Any, mechanism: Mechanism, shard: str | None, progress: Progress | None = None
) -> AggregatedCounts:
    """Count responses that stand in the lines of a text file, or in an array (``rropt_fieldwork.count``)."""
    collector, digest = collector_of(mechanism), hashlib.sha256()
    for part, size, whole in _parts(data, collector, digest):
        collector.add(part)
        if progress is not None:
            progress(size, whole)
    return collector.counts_with(mechanism, shard_name(shard, digest))


class Collector:
    """Count responses: numbers of outputs, or sets of categories.

    Args:
        length: the number of outputs, or of categories.
        size: the number of categories of a set; 0: sets of any size; ``None``: responses are numbers of outputs.
        names: the names of the outputs, or of the categories.
        memberships: converts the counts of blocks to memberships.
    """

    def __init__(
        self,
        length: int,
        size: int | None,
        names: Sequence[str] = (),
        memberships: Callable[[NDArray[np.int64]], NDArray[np.int64]] | None = None,
    ) -> None:
        self.n, self.histogram, self.size, self._memberships = 0, np.zeros(length, np.int64), size, memberships
        self.counted = "outputs" if size is None and memberships is None else "memberships"
        self._names = {normal(name.strip()).encode(): b"%d" % i for i, name in enumerate(names)}
        self._has_numbers = not any(name.isdigit() for name in self._names)  # else a number is a name

    def _numbered(self, block: bytes) -> bytes:
        """Return a block of lines with numbers in place of names, and 1 in place of 1.0, which pandas writes."""
        if b"." in block and not any(b"." in name for name in self._names):
            block = _WHOLE.sub(rb"\1", block)
        if not self._names:
            return block
        lines = (b"&".join(self._number(part.strip()) for part in line.split(b"&")) for line in block.split(b"\n"))
        return b"\n".join(lines)

    def _number(self, text: bytes) -> bytes:
        if not text.isascii():
            text = normal(text.decode(errors="replace")).encode()
        return self._names.get(text, text if not text or (text.isdigit() and self._has_numbers) else b"?")

    def of_lines(self, block: bytes, first: int) -> NDArray[Any]:
        """Parse the responses in a block of lines: numbers, rows of categories, or, for sets of any size, bits."""
        from rropt_fieldwork.counts.lines import bits_of, numbers_of

        block = block.removeprefix(codecs.BOM_UTF8) if first == 1 else block
        if self.size == 0:
            return bits_of(block, len(self.histogram), first)
        values, per_line = numbers_of(self._numbered(block), first, [*map(bytes.decode, self._names)])
        wrong = np.flatnonzero((per_line > 0) & (per_line != (self.size or 1)))
        if len(wrong):
            what = "categories" if self.size else "numbers"
            allowed = f"are {self.size}" if self.size else "is one, the number of an output"
            raise FileFormatError(
                f"line {first + wrong[0]} of the responses has another number of {what}: received "
                f"{per_line[wrong[0]]}; allowed {allowed}"
            )
        return values if self.size is None else values.reshape(-1, self.size)

    def add(self, part: NDArray[Any], often: NDArray[np.int64] | None = None) -> None:
        """Count the responses in an array: numbers of outputs, rows of categories, or a matrix of bits.

        Args:
            part: the responses.
            often: how often each of them occurs; ``None``: once.
        """
        length, size, is_whole = len(self.histogram), self.size, part.dtype.kind in "iu"
        if size is None:
            if part.ndim != 1 or not is_whole or (len(part) and not 0 <= part.min() <= part.max() < length):
                ends = f", numbers from {part.min()} to {part.max()}" if is_whole and part.size else ""
                raise InvalidParameterError(
                    f"the responses are not outputs of the mechanism: received type {part.dtype}, shape {part.shape}"
                    f"{ends}; allowed are whole numbers from 0 to {length - 1}, one for each response"
                )
            np.add.at(self.histogram, part, 1 if often is None else often)
        elif part.ndim == 2 and part.dtype == bool and part.shape[1] == length:
            if size and (part.sum(axis=1) != size).any():
                raise InvalidParameterError(f"a set has another size: allowed are sets of {size} categories")
            self.histogram += part.sum(axis=0) if often is None else often @ part
        elif part.ndim == 2 and is_whole and size and part.shape[1] == size:
            ascending = part if (np.diff(part, axis=1) > 0).all() else np.sort(part, axis=1)
            repeated = bool((np.diff(ascending, axis=1) == 0).any())
            if part.size and (repeated or ascending[:, 0].min() < 0 or ascending[:, -1].max() >= length):
                raise InvalidParameterError(
                    f"a set is not an output of the mechanism: received a category twice, or one that is not from 0 to "
                    f"{length - 1}; give {size} different categories"
                )
            np.add.at(self.histogram, part, 1 if often is None else often[:, None])
        else:
            raise InvalidParameterError(
                f"the responses are not sets of the mechanism: received type {part.dtype}, shape {part.shape}; "
                f"allowed is a matrix of bits of {length} columns, or rows of {size or 'k'} categories"
            )
        self.n += len(part) if often is None else int(often.sum())

    def counts_with(self, mechanism: Mechanism, shard: str) -> AggregatedCounts:
        """Return the counts so far, of a shard."""
        counts = self.histogram if self._memberships is None else self._memberships(self.histogram)
        return AggregatedCounts(mechanism, self.n, self.counted, tuple(counts.tolist()), (shard,))


class _CollectorOfSets(Collector):
    """Count responses that are sets of different sizes, as numbers of outputs.

    Args:
        mechanism: the mechanism.
        sets: its outputs as sets of categories.
    """

    def __init__(self, mechanism: Mechanism, sets: Sequence[tuple[int, ...]]) -> None:
        super().__init__(mechanism.outputs, None)
        names = mechanism.categories or tuple(map(str, range(mechanism.inputs)))
        self._places = {frozenset(normal(names[j].strip()) for j in each): i for i, each in enumerate(sets)}
        self._example = BETWEEN.join(names[j] for j in sets[0])
        self._known: dict[bytes, int] = {}

    def of_lines(self, block: bytes, first: int) -> NDArray[Any]:
        """Parse the sets in a block of lines: categories with ampersands, blanks or semicolons between them."""
        block = block.removeprefix(codecs.BOM_UTF8) if first == 1 else block
        found = []
        for line, text in enumerate(block.split(b"\n")[:-1], first):
            if not (text := text.strip()):
                continue
            if (place := self._known.get(text)) is None:
                place = self._known[text] = self._place(text, line)
            found.append(place)
        return np.array(found, np.int64)

    def _place(self, text: bytes, line: int) -> int:
        parts = _PARTS.split(text.decode(errors="replace"))
        place = self._places.get(frozenset(map(normal, parts)))
        if place is None or len(parts) != len(set(parts)):
            raise FileFormatError(
                f"line {line} of the responses is no set that the mechanism reports; write the categories of a set "
                f"with {BETWEEN} between them, for example {self._example}"
            )
        return place


def collector_of(mechanism: Mechanism) -> Collector:
    """Return what counts the responses of a mechanism.

    Raises:
        UnsupportedProblemError: the responses are not sets, and there are too many different outputs.
    """
    sets = as_memberships(mechanism)
    if isinstance(sets, BlockMechanism):
        if isinstance(sets.blocks, AllSubsets):
            return Collector(sets.inputs, sets.blocks.size, sets.categories)
        if sets.outputs > _MOST_OUTPUTS:
            raise UnsupportedProblemError(
                f"the histogram of the responses is too long: received {sets.outputs} outputs; at most {_MOST_OUTPUTS} "
                "are counted; use prefix trees (`PrefixTree`), or design with fewer output bits"
            )
        return Collector(sets.outputs, None, memberships=sets.blocks.memberships)
    if sets is not None:
        return Collector(sets.inputs, 0)
    if mechanism.outputs > MAX_MATRIX_ENTRIES:
        raise UnsupportedProblemError(
            f"the responses are too many to be counted: received {mechanism}; allowed are mechanisms of at most "
            f"{MAX_MATRIX_ENTRIES} outputs, block designs and bit vectors; use `rropt estimate DATA`"
        )
    if (found := output_sets(mechanism) or named_sets(mechanism)) is not None:
        return _CollectorOfSets(mechanism, found)
    return Collector(mechanism.outputs, None, mechanism.responses)


def named_sets(mechanism: Mechanism) -> list[tuple[int, ...]] | None:
    """Return the sets that the responses of a matrix name, joined by ``&``; ``None`` if they are no sets."""
    places = {name: place for place, name in enumerate(mechanism.categories)}
    each = [response.split(BETWEEN) for response in mechanism.responses]
    if not any(len(one) > 1 for one in each) or not all(name in places for one in each for name in one):
        return None
    return [tuple(sorted(places[name] for name in one)) for one in each]


def _parts(data: Any, collector: Collector, digest: Any) -> Iterable[tuple[NDArray[Any], int, int]]:
    """Iterate over arrays of responses, each with its size and the total size (in bytes or responses)."""
    from rropt_fieldwork.counts.lines import data_lines

    if not isinstance(data, (str, os.PathLike)):
        if not hasattr(data, "dtype"):
            data = required_list(data, "the data", "a list of responses, or the name of a file")
        try:
            array = np.asarray(data)
        except ValueError:
            raise InvalidParameterError(
                f"the data have rows of different lengths: received {shown(data)}; allowed is one response for each "
                "person, or one row of the same length"
            ) from None
        digest.update(np.ascontiguousarray(array).tobytes())
        yield array, len(array), len(array)
        return
    for block, line, size, whole in data_lines(os.fspath(data), digest):
        yield collector.of_lines(block, line), size, whole


def is_shard(name: object) -> bool:
    """Return whether a value is a valid shard name: 1 to 64 printable characters."""
    return isinstance(name, str) and name.isprintable() and 0 < len(name) <= _LONGEST_SHARD


def shard_name(shard: str | None, digest: Any) -> str:
    """Return the given shard name after checking it; by default, 16 digits of the hash of the data."""
    name: str = digest.hexdigest()[:16] if shard is None else shard
    if not is_shard(name):
        raise InvalidParameterError(
            f"the name of the shard is no text of 1 to {_LONGEST_SHARD} printable characters: received {shown(shard)}"
        )
    return name


def counts_of(counts: object) -> AggregatedCounts:
    """Return counts that are given as an object or as the name of their file."""
    if isinstance(counts, (str, os.PathLike)):
        return AggregatedCounts.load(counts)
    return required(counts, AggregatedCounts, "the counts", "the result of count or merge, or the name of its file")


def merge(
    counts: Sequence[AggregatedCounts | str | os.PathLike[str]],
) -> AggregatedCounts:
    """Add the counts of several machines.

    Args:
        counts: one or more counts, or the names of their files.

    Raises:
        InvalidParameterError: the counts belong to different mechanisms or kinds, or a shard occurs twice.

    >>> import rropt_fieldwork
    >>> one = rropt_fieldwork.count([[True, True, False]], BlockMechanism(AllSubsets(3, 2), 3), shard="a")
    >>> other = rropt_fieldwork.count([[False, True, True]], BlockMechanism(AllSubsets(3, 2), 3), shard="b")
    >>> merge([one, other]).counts, merge([one, other]).shards
    ((1, 2, 1), ('a', 'b'))
    """
    found = [counts_of(each) for each in required_list(counts, "`counts`", "a list of files that `rropt count` wrote")]
    if not found:
        raise InvalidParameterError("there are no counts to merge: give a list of files that `rropt count` wrote")
    first, shards = found[0], [shard for each in found for shard in each.shards]
    for each in found[1:]:
        if (each.mechanism_hash, each.counted) != (first.mechanism_hash, first.counted):
            raise InvalidParameterError(
                f"the counts are of different mechanisms: received the hashes {first.mechanism_hash[:16]} and "
                f"{each.mechanism_hash[:16]}; merge counts of one mechanism"
            )
    twice = sorted({shard for shard in shards if shards.count(shard) > 1})
    if twice:
        raise InvalidParameterError(
            f"a shard is given twice: received {shown(twice[0])} in several files; give every part once, "
            "or name the parts (`shard`) where two tables have equal responses"
        )
    total = [sum(column) for column in zip(*(each.counts for each in found), strict=True)]
    return AggregatedCounts(
        first.mechanism, sum(each.n for each in found), first.counted, tuple(total), tuple(sorted(shards))
    )
