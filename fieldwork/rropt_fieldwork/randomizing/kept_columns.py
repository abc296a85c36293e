"""Decide whether a column that is kept beside randomized responses reveals the true answers, or follows from them.

Let A be the answer of a row and X the value of the kept column, or a *part* of it (``_parts``: the text without its
digits, a word, the first or last characters, whether it is filled). With n_x rows of the value x, of which n_xa have
the answer a, the other rows of x predict the answer of a row with probability ``(n_xa - 1 + p_a) / n_x``, where p_a is
the proportion of a in all rows. The *information* of X on A is

    1 - sum_rows log((n_xa - 1 + p_a) / n_x) / sum_rows log(p_a),

a mutual information as a proportion of the entropy of A. The row itself is left out, so a value that occurs once has no
information: numbers of respondents, names and continuous weights are 0. Chance cannot increase it either. The same sum
with X and A exchanged is the information of A on X.

X is refused if one of both is at least 1/2, and if chance is an unlikely reason. The probability that a random order of
the answers has such a relation is at most ``exp(-E)``, with

    E = log(number of orders) + sum_x log(probability of the answers of x by a Polya urn),

since the probabilities of all orders by the urns sum to at most 1 (Markov's inequality). In a table of two by two it is
Fisher's exact probability.

If X is sorted, the answers of neighbours differ in some pairs. X is refused if these are at most half of those in a
random order, and few orders have so few *runs*. In a few rows exact relations are refused without regard to chance.

The results depend on the data alone: there is no random number, and no value or answer is in a message.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, exp, factorial, lgamma, log
from typing import Any
from zlib import crc32

from rropt.answers.response_codes import NO_ANSWER, Codes
from rropt.core.normal_form import BLANKS, normal, normal_caseless

EXACT = ("is equal to", "is in one-to-one correspondence to", "determines", "follows from")  # relations of all rows
HALF = 0.5  # of the information on the answers, or of the changes between neighbours
_CHANCE, _CHANCE_OF_PART = 1e-2, 1e-3  # the largest probability of a relation by chance; parts are tried in turn
_MOST_RUNS = 64  # more runs occur in long tables only, in which half of the expected number is no chance
_MOST_PAIRS = 1 << 14  # of a value and an answer that are held; beyond, some of the values are chosen
_FREQUENT = 1000  # a value with more than this part of the rows is chosen in any case
_ROWS_A_VALUE = 5  # values that are rarer on average have one answer each by chance, as numbers of respondents do
_FEW_VALUES, _ROWS_OF_FEW = 10, 2  # so few values are codes or bands also if they are rarer, as in a short table
_LEAST_ORDERED = 5  # values of a column whose order is compared
_PURE, _ROWS_OF_PURE = 0.98, 30  # a value reveals the answer of its rows alone: at least so many rows, so pure
_FREQUENT_ANSWER = 0.8  # whoever gives this answer to so many is not surprised by it
_LONGEST_WORDS = 12  # words of a text that are compared, from each end
_LONGEST_TEXT = 1000  # characters of it
_BLANK = {"", "-", *NO_ANSWER}
_NUMBER = re.compile(r"[+-]?([0-9]{1,20}([.][0-9]{0,20})?|[.][0-9]{1,20})([eE][+-]?[0-9]{1,3})?", re.ASCII)  # by value
_TRUTH = {"true": Fraction(1), "false": Fraction(0)}  # as Codes reads them
_WORD = re.compile(r"[0-9]+|[^\W\d_]+")
_DAY_FIRST = re.compile(r"([0-9]{1,2})\D([0-9]{1,2})\D([0-9]{4})\b(.*)", re.ASCII | re.DOTALL)

Cells = Mapping[Any, int]  # the keys are pairs: the number of rows by two values


class KeptColumn:
    """A kept column and a question, and how often each pair of their values occurs.

    Args:
        codes: the codes of the answers.
        names: the names of the categories; ``None``: they are numbers.
    """

    def __init__(self, codes: Codes, names: Sequence[str] | None = None) -> None:
        self._codes, self._names = codes, frozenset(map(normal_caseless, names or ()))
        self._pairs: Counter[Any] = Counter()
        self._frequent: frozenset[Any] = frozenset()
        self._mask = self._answer_mask = 0  # the second for questions with so many answers that frequent values fill it

    def add(self, kept: Sequence[Any], answers: Sequence[Any]) -> None:
        """Take in the values of some rows."""
        values = kept if set(map(type, kept)) == {str} else list(map(hashable, kept))
        pairs: Iterable[Any] = zip(values, answers, strict=True)
        if mask := self._mask:
            frequent = self._frequent  # as in _is_chosen, without a call for each row
            pairs = [
                pair for pair in pairs if not crc32(str(pair[0]).encode(errors="replace")) & mask or pair[0] in frequent
            ]
            if own := self._answer_mask:
                pairs = [pair for pair in pairs if not crc32(str(pair[1]).encode(errors="replace")) & own]
        self._pairs.update(pairs)
        while len(self._pairs) > _MOST_PAIRS:
            if not self._mask:
                numbers: Counter[Any] = Counter()
                for (value, _), n in self._pairs.items():
                    numbers[value] += n
                least = numbers.total() / _FREQUENT
                self._frequent = frozenset(value for value, n in numbers.items() if n > least or _is_blank(value))
            self._mask = 2 * self._mask + 1
            self._pairs = Counter({pair: n for pair, n in self._pairs.items() if self._is_chosen(*pair)})
            if sum(value in self._frequent for value, _ in self._pairs) > _MOST_PAIRS // 2:
                self._answer_mask = 2 * self._answer_mask + 1
                self._pairs = Counter({pair: n for pair, n in self._pairs.items() if self._is_chosen(*pair)})

    def _is_chosen(self, value: Any, answer: Any) -> bool:
        """Return whether all rows of a value are counted, and of an answer: that depends on each of them alone."""
        is_value = value in self._frequent or not _hash(value) & self._mask
        return is_value and not (self._answer_mask and _hash(answer) & self._answer_mask)

    def relation(self) -> str:
        """Return how the column and the answers belong together, for a message; "" if they do not.

        An equal column or a code of each answer is refused in any number of rows. Values that determine the answers, or
        follow from them, have to recur. A follow-up question, which all who gave one of the answers (five or half of
        the rows) left blank, may have another text in each other row.
        """
        rows: dict[Any, Counter[int]] = defaultdict(Counter)  # the number of rows by value and code
        is_equal = True
        for (value, answer), n in self._pairs.items():
            own = seen(value)
            rows[own][self._codes[answer]] += n
            is_equal = is_equal and own == seen(answer)
        if is_equal and rows:
            return "is equal to"
        cells = {(value, code): n for value, counts in rows.items() for code, n in counts.items()}
        answers: Counter[int] = Counter()
        for (_, code), n in cells.items():
            answers[code] += n
        if len(rows) < 2 or len(answers) < 2:
            return ""
        if found := _exact_relation(rows, answers):
            return found
        if found := _near_relation(cells, _CHANCE):
            return found
        texts = {value: _text(value) for value in {value for value, _ in self._pairs}}
        coded = {(texts[value], self._codes[answer]): 0 for value, answer in self._pairs}
        for (value, answer), n in self._pairs.items():
            coded[texts[value], self._codes[answer]] += n
        if _reveals_by_blanks(coded, answers):
            return "is filled according to"
        if any(_near_relation(part, _CHANCE_OF_PART) for part in _parts(coded, self._names)):
            return "has a part that nearly determines or follows from"
        return "has an order that follows" if _orders(coded) else ""


class JointColumn:
    """A kept column beside the answers to several questions: whether it follows from their sum or their pattern.

    A score, or whether a person has any of the traits, reveals the answers together, but may tell little of each one.

    Args:
        codes: for each question the codes of the answers.
    """

    def __init__(self, codes: Sequence[Codes]) -> None:
        self._codes = codes
        self._tables: tuple[Counter[Any], Counter[Any]] = Counter(), Counter()
        self._is_full = False

    def add(self, kept: Sequence[Any], answers: Sequence[Sequence[Any]]) -> None:
        """Take in the values of some rows, and for each question the answers of these rows."""
        if self._is_full:
            return
        given = [[codes[answer] for answer in column] for codes, column in zip(self._codes, answers, strict=True)]
        values = [seen(hashable(value)) for value in kept]
        self._tables[0].update(zip(map(sum, zip(*given, strict=True)), values, strict=True))
        self._tables[1].update(zip(zip(*given, strict=True), values, strict=True))
        self._is_full = max(map(len, self._tables)) > _MOST_PAIRS  # the rows that were read are enough

    def follows(self) -> bool:
        """Return whether the answers together determine at least half of the column, and not by chance."""
        return any(_informs(table, _CHANCE_OF_PART) for table in self._tables)


def _exact_relation(rows: Mapping[Any, Counter[int]], answers: Counter[int]) -> str:
    """Return whether each value has one answer, or each answer one value, by values that recur."""
    total = answers.total()
    values = Counter(next(iter(counts)) for counts in rows.values())  # the number of values by code, if they determine
    if all(len(counts) == 1 for counts in rows.values()):
        if len(rows) == len(values):
            return "is in one-to-one correspondence to"
        alone = [answers[code] for code, number in values.items() if number == 1]
        is_follow_up = any(n >= _ROWS_A_VALUE or 2 * n >= total for n in alone)
        if _recur(len(rows), total) or is_follow_up:
            return "determines"
    each = Counter(code for counts in rows.values() for code in counts)  # the number of values by code
    is_function = max(each.values()) == 1
    return "follows from" if is_function and _recur(len(answers), total) else ""


def _recur(values: int, rows: int) -> bool:
    return rows >= values * (_ROWS_OF_FEW if values <= _FEW_VALUES else _ROWS_A_VALUE)


def _near_relation(cells: Cells, chance: float) -> str:
    """Return whether values and answers determine each other nearly, or a value reveals the answer of its rows."""
    if _informs(cells, chance):
        return "nearly determines"
    if _informs({(code, value): n for (value, code), n in cells.items()}, chance):
        return "nearly follows from"
    return "has a value that reveals" if _has_pure_value(cells) else ""


def _informs(cells: Cells, chance: float) -> bool:
    """Return whether the first of two values gives half of the information on the second, and not by chance."""
    sizes, answers = _sums(cells, 0), _sums(cells, 1)
    total = sum(sizes.values())
    recurring = {key: n for key, n in cells.items() if sizes[key[0]] > 1}
    rows = sum(recurring.values())
    if 2 * rows < total or len(sizes) < 2 or len(answers) < 2:
        return False
    share = {answer: n / total for answer, n in answers.items()}
    own = sum(n * log((n - 1 + share[answer]) / sizes[value]) for (value, answer), n in recurring.items())
    base = sum(n * log(share[answer]) for (_, answer), n in recurring.items())
    if 1 - own / base < HALF:
        return False
    if len(sizes) == len(answers) == 2:
        return _fisher(cells) <= chance
    orders = lgamma(rows + 1) - sum(lgamma(n + 1) for n in _sums(recurring, 1).values())
    urns = -sum(lgamma(n + 1) for n in _sums(recurring, 0).values())  # Gamma(1 + n) / Gamma(1)
    urns += sum(lgamma(n + share[answer]) - lgamma(share[answer]) for (_, answer), n in recurring.items())
    return exp(min(0.0, -orders - urns)) <= chance


def _sums(cells: Cells, place: int) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for key, n in cells.items():
        found[key[place]] += n
    return found


def _fisher(cells: Cells) -> float:
    """Return twice the probability that a random table of two by two with these sums is at least as extreme."""
    values, answers = _sums(cells, 0), _sums(cells, 1)
    (first, row), (_, other) = values.items()
    (answer, column), _ = answers.items()
    total, n = row + other, cells.get((first, answer), 0)
    low, high = max(0, column - other), min(row, column)
    scale = _log_comb(total, column)
    down = range(n, low - 1, -1) if n * total < row * column else range(n, high + 1)
    found = 0.0
    for i in down:
        part = exp(_log_comb(row, i) + _log_comb(other, column - i) - scale)
        found += part
        if part < found * 1e-6:  # the terms decrease at least geometrically
            break
    return 2 * found


def _log_comb(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _has_pure_value(cells: Cells) -> bool:
    """Return whether a value that many rows have belongs to one answer, which is not that of most rows."""
    sizes, answers = _sums(cells, 0), _sums(cells, 1)
    total = sum(sizes.values())
    for (value, answer), n in cells.items():
        size, share = sizes[value], answers[answer] / total
        is_pure = size >= _ROWS_OF_PURE and n >= _PURE * size and share <= _FREQUENT_ANSWER
        if is_pure and len(sizes) * _chernoff(n, size, share) <= _CHANCE_OF_PART:
            return True
    return False


def _chernoff(n: int, size: int, share: float) -> float:
    """Return an upper bound of the probability of n or more among ``size`` rows drawn from rows with this share."""
    part = n / size
    if part <= share:
        return 1.0
    divergence = part * log(part / share) + (0.0 if part == 1 else (1 - part) * log((1 - part) / (1 - share)))
    return exp(-size * divergence)


def _reveals_by_blanks(cells: Cells, answers: Counter[int]) -> bool:
    """Return whether the column is filled, or is blank, for one of the answers only: a follow-up question."""
    filled: Counter[Any] = Counter()
    total = answers.total()
    for (text, code), n in cells.items():
        filled[text not in _BLANK, code] += n
    sizes = _sums(filled, 0)
    if len(sizes) < 2:
        return False
    if _near_relation(filled, _CHANCE):
        return True
    for (_, code), n in ((key, n) for key, n in filled.items() if key[0]):
        size = sizes[True]
        if size >= _ROWS_A_VALUE and n >= _PURE * size and _chernoff(n, size, answers[code] / total) <= _CHANCE:
            return True
    return False


def _parts(cells: Cells, names: frozenset[str]) -> Iterator[Cells]:
    """Yield the tables of parts of the texts that more than one text has, each table once."""
    texts = {text: _Words(text) for text, _ in cells}
    known: set[tuple[str, ...]] = set()
    parts: list[Callable[[_Words], str]] = [
        lambda own: re.sub("[0-9]+", "", own.text),
        lambda own: " ".join(sorted({word for word in own.words if word in names})),
        lambda own: re.sub("[^0-9]+", " ", own.text),
        lambda own: str(len(own.text)),
    ]
    for place in range(min(_LONGEST_WORDS, max(len(own.words) for own in texts.values()))):
        parts += [_word(place), _word(-1 - place)]
    ends = [part for size in (1, 2, 3, 4) for part in (_first(size), _last(size))]
    answers = len({code for _, code in cells})
    for part in (*parts, *ends):
        of = {text: part(own) for text, own in texts.items()}
        different = len(set(of.values()))
        # more last digits than answers may be even and odd numbers of rows, where people answered in turn
        if (
            not 1 < different < len(of)
            or (part in ends and different > answers)
            or (key := tuple(of.values())) in known
        ):
            continue
        known.add(key)
        table: Counter[Any] = Counter()
        for (text, code), n in cells.items():
            table[of[text], code] += n
        yield table


class _Words:
    """A text, and its words and whole numbers."""

    def __init__(self, text: Any) -> None:
        self.text = text[:_LONGEST_TEXT]
        self.words = _WORD.findall(self.text)


def _word(place: int) -> Callable[[_Words], str]:
    """Return the function that returns the word of a text at a place, from 0, or from -1 at its end."""
    return lambda own: own.words[place] if -len(own.words) <= place < len(own.words) else ""


def _first(size: int) -> Callable[[_Words], str]:
    return lambda own: own.text[:size]


def _last(size: int) -> Callable[[_Words], str]:
    return lambda own: own.text[-size:]


def _orders(cells: Cells) -> bool:
    """Return whether the answers are sorted as the texts are: few neighbours differ, and not by chance."""
    by_text: dict[Any, Counter[Any]] = defaultdict(Counter)
    for (text, code), n in cells.items():
        if text not in _BLANK:
            by_text[text][code] += n
    if len(by_text) < _LEAST_ORDERED:
        return False
    is_numeric = all(map(_NUMBER.fullmatch, by_text))
    by_key: dict[Any, Counter[Any]] = defaultdict(Counter)
    for text, counts in by_text.items():
        by_key[float(text) if is_numeric else _natural(text)].update(counts)
    runs, last, answers = 0, None, Counter[Any]()
    for key in sorted(by_key):
        counts = by_key[key]
        answers.update(counts)
        total = counts.total()
        only = next(iter(counts)) if len(counts) == 1 else None
        runs += min(total, 2 * (total - max(counts.values())) + 1)  # of equal values, the order with the most changes
        runs -= only is not None and only == last
        last = only
    return few_runs(runs, list(answers.values()))


def few_runs(runs: int, sizes: Sequence[int]) -> bool:
    """Return whether so few runs of equal answers are less than half of the expected number, and not by chance.

    Args:
        runs: the number of runs.
        sizes: the number of rows of each answer.
    """
    total = sum(sizes)
    if len(sizes) < 2 or runs - 1 > (1 - HALF) * (total * total - sum(n * n for n in sizes)) / total:
        return False
    return runs > _MOST_RUNS or _chance_of_runs(runs, sizes) <= _CHANCE


def _chance_of_runs(runs: int, sizes: Sequence[int]) -> float:
    """Return an upper bound of the probability that a random order has so few runs; with the fewest, the probability.

    An answer with n rows is cut into s runs in ``C(n - 1, s - 1)`` ways, and all runs are put in any order.
    """
    ways: list[Fraction] = [Fraction(1)]
    for n in sizes:
        own = [Fraction(comb(n - 1, s - 1), factorial(s)) if s else Fraction(0) for s in range(min(n, runs) + 1)]
        longer = [Fraction(0)] * min(len(ways) + len(own) - 1, runs + 1)
        for i, a in enumerate(ways):
            for j, b in enumerate(own[: len(longer) - i]):
                longer[i + j] += a * b
        ways = longer
    found = sum(factorial(s) * n for s, n in enumerate(ways))
    orders = lgamma(sum(sizes) + 1) - sum(lgamma(n + 1) for n in sizes)
    if not found:
        return 0.0
    return exp(min(0.0, log(found.numerator) - log(found.denominator) - orders))


class RowOrder:
    """Whether the values of a column increase or decrease from row to row, as numbers of rows and times do.

    All rows of the first block are compared, and the first row of each other block.
    """

    def __init__(self) -> None:
        self._last: Any = None
        self._is_first, self._up, self._down, self._steps = True, True, True, 0

    def add(self, values: Sequence[Any]) -> None:
        """Take in the values of some rows."""
        for value in values if self._is_first else values[:1]:
            if not (self._up or self._down):
                return
            own = _natural(_text(value))
            if self._last is not None and own != self._last:
                self._steps += 1
                self._up, self._down = self._up and own > self._last, self._down and own < self._last
            self._last = own
        self._is_first = False

    @property
    def is_kept(self) -> bool:
        """Whether the values are in order, and at least three different ones."""
        return (self._up or self._down) and self._steps > 1


def _natural(text: str) -> tuple[Any, ...]:
    if day := _DAY_FIRST.fullmatch(text):
        text = f"{day[3]} {day[2]} {day[1]} {day[4]}"
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall("[0-9]+|[^0-9]+", text))


def _hash(value: Any) -> int:
    return crc32(str(value).encode(errors="replace"))


def hashable(value: Any) -> Any:
    """Return a value, or its text if it is a list; "" for a missing value."""
    if isinstance(value, str):
        return value
    if value is None or value != value:  # NaN is not equal to itself
        return ""
    return str(value) if isinstance(value, list | dict | set | bytearray) else value


def _is_blank(value: Any) -> bool:
    return _text(value) in _BLANK


def _text(value: Any) -> str:
    """Return a value as a text in lower case, without surrounding blanks; "" for a missing value."""
    own = plain(value)
    if isinstance(own, bool) or (isinstance(own, float) and own.is_integer()):
        own = int(own)
    return normal_caseless(str(own))


def plain(value: Any) -> Any:
    """Return a text without surrounding blanks and with uniform line ends; "" for a missing value."""
    if isinstance(value, str):
        return value.strip(BLANKS).replace("\r\n", "\n").replace("\r", "\n")
    return "" if value is None or value != value else value  # NaN is not equal to itself


def seen(value: Any) -> Any:
    """Return a value as people see it: texts in any case, and numbers in any form, such as 1 and 1.0."""
    own = plain(value)
    if not isinstance(own, str):
        return own
    own = normal(own)
    if _NUMBER.fullmatch(own):
        return Fraction(own)
    text = normal_caseless(own)
    return _TRUTH.get(text, text)
