"""A randomizing device in words: with which probabilities the true answer and other answers are reported.

The words come from the probabilities and never from the name of a mechanism. A user who means other probabilities than
the parameters of a name state can see it: ``grr:4,1/2`` reports the true answer with 1/2 in all, while the 2/3 of
``forced:2/3,1/6,1/6`` is the probability of the instruction to answer truthfully, and the true answer is reported with
5/6. ``Mechanism.in_words`` calls these functions; a form without a matrix has words of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from rropt.core.exact import as_text, both_texts, decimal_text
from rropt.mechanisms.columns import Matrix

_LONGEST = 12  # characters of an exact probability; a longer one is shown as a decimal
_MOST_LISTED = 32  # entries of a matrix that is written out
_MOST_READ = 10_000  # entries of a matrix that is read as sets
_MOST_PARTS = 6  # parts of a product that are described


def chance_text(p: Fraction) -> str:
    """Return a probability, exact if it is short.

    >>> chance_text(Fraction(1, 6)), chance_text(Fraction(1000001, 3000000))
    ('1/6', '~0.333334')
    """
    text = as_text(p)
    return text if len(text) <= _LONGEST else f"~{decimal_text(p, 6)}"


TRAIT = ("does not have the trait", "has the trait")
"""The true answers of a device whose responses are no answers to the question, such as the crosswise design."""


def matrix_words(matrix: Matrix, categories: Sequence[str] = (), responses: Sequence[str] = ()) -> str:
    """Return a matrix in words.

    Args:
        matrix: the probabilities, shape (m, k); rows are outputs.
        categories, responses: the names of the categories and of the outputs; their numbers if there are none.

    >>> half, sixth = Fraction(1, 2), Fraction(1, 6)
    >>> matrix_words([[half if i == j else sixth for j in range(4)] for i in range(4)])
    'true answer reported with 1/2, each other with 1/6'
    >>> matrix_words([[Fraction(1), Fraction(3, 4)], [Fraction(0), Fraction(1, 4)]])
    'true answer 0 reported with 1, true answer 1 with 1/4'
    """
    m, k = len(matrix), len(matrix[0])
    names, said = categories or tuple(map(str, range(k))), responses or tuple(map(str, range(m)))
    if tuple(categories) == TRAIT:
        return _trait_words(matrix, said, "" if responses else "response ")
    own = [matrix[j][j] for j in range(k)] if m == k else []
    others = {matrix[i][j] for i in range(m) for j in range(k) if i != j} if m == k else set()
    if own and len(set(own)) == 1 and len(others) <= 1 and (k > 2 or own[0] >= Fraction(1, 2)):
        return truth_words(own[0], max(others, default=Fraction(0)), k)
    if own and k == 2 and sum(own) > 1:
        texts = [f"true answer {name} {{}}with {chance_text(p)}" for name, p in zip(names, own, strict=True)]
        return f"{texts[0].format('reported ')}, {texts[1].format('')}"
    first = "response " if not responses else ""
    if m == k == 2:
        on = f"reported with {chance_text(matrix[1][1])} if the true answer is {names[1]}"
        return f"{first}{said[1]} {on}, with {chance_text(matrix[1][0])} if it is {names[0]}"
    if (sets := _as_sets(matrix)) is not None:
        return containing_words(f"a set of the {k} categories", *sets)
    if m * k <= _MOST_LISTED:
        columns = [", ".join(chance_text(row[j]) for row in matrix) for j in range(k)]
        answers = ["the true answer is", *["it is"] * (k - 1)]
        texts = [f"with {one} if {what} {name}" for one, what, name in zip(columns, answers, names, strict=True)]
        return f"{'responses ' * bool(first)}{', '.join(said)} {'; '.join(texts)}"
    largest = [max(row[j] for row in matrix) for j in range(k)]
    told = range_text(largest)
    if own and own == largest:
        return f"true answer reported with {told}, each other with at most {chance_text(max(others))}"
    return f"one of {m} responses reported for {k} true answers; the likeliest response to a true answer with {told}"


def _trait_words(matrix: Matrix, said: Sequence[str], first: str) -> str:
    """Return with which probabilities people with and without the trait give each response."""
    if len(matrix) == 2:
        on = f"reported with {chance_text(matrix[1][1])} if the respondent has the trait"
        return f"{first}{said[1]} {on}, with {chance_text(matrix[1][0])} if not"
    if len(matrix) > _MOST_LISTED // 2:
        return f"one of {len(matrix)} responses reported, with other probabilities if the respondent has the trait"
    with_trait, without = (", ".join(chance_text(row[j]) for row in matrix) for j in (1, 0))
    listed = f"{'responses ' * bool(first)}{', '.join(said)}"
    return f"{listed} with {with_trait} if the respondent has the trait; with {without} if not"


def _as_sets(matrix: Matrix) -> tuple[Fraction, Fraction] | None:
    """Return the chances that a response contains the truth, and another category, if responses are sets.

    A set has the categories that are likelier to give it than the others. ``None`` if some rows do not have two
    probabilities, or if the chances depend on the categories.
    """
    k = len(matrix[0])
    if k < 3 or len(matrix) <= k or len(matrix) * k > _MOST_READ or any(len(set(row)) != 2 for row in matrix):
        return None
    held = [[p == max(row) for p in row] for row in matrix]
    chances = [
        [sum((row[j] for row, own in zip(matrix, held, strict=True) if own[x]), Fraction(0)) for x in range(k)]
        for j in range(k)
    ]
    own, others = {chances[j][j] for j in range(k)}, {chances[j][x] for j in range(k) for x in range(k) if x != j}
    return (own.pop(), others.pop()) if len(own) == len(others) == 1 else None


def truth_words(own: Fraction, other: Fraction, categories: int) -> str:
    """Return that the true answer is reported with a probability, and every other answer with another one."""
    if own == 1:
        return "true answer reported with 1: nothing is randomized"
    rest = "the other one" if categories == 2 else "each other"
    return f"true answer reported with {chance_text(own)}, {rest} with {chance_text(other)}"


def containing_words(what: str, own: Fraction, other: Fraction) -> str:
    """Return that a set of categories is reported, and with which probabilities it contains a category."""
    return f"{what} reported: the true one among them with {chance_text(own)}, each other with {chance_text(other)}"


def range_text(values: Iterable[Fraction]) -> str:
    """Return the smallest and the largest of some probabilities.

    >>> range_text([Fraction(1, 3), Fraction(1, 2)]), range_text([Fraction(1, 3)])
    ('1/3 to 1/2', '1/3')
    """
    ends = sorted(values)
    return " to ".join(dict.fromkeys(map(chance_text, (ends[0], ends[-1]))))


def product_words(parts: Sequence[str]) -> str:
    """Return the devices of several questions in words; questions with equal devices are described together."""
    if len(parts) == 1:
        return parts[0]
    if len(set(parts)) == 1:
        return f"each of {len(parts)} questions: {parts[0]}"
    places: dict[str, list[str]] = {}
    for place, text in enumerate(parts):
        places.setdefault(text, []).append(str(place))
    told = [f"question{'s' * (len(own) > 1)} {_few(own)}: {text}" for text, own in list(places.items())[:_MOST_PARTS]]
    return "; ".join([*told, *[f"and {len(places) - len(told)} more devices"] * (len(places) > len(told))])


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_PARTS]) + f", and {len(names) - _MOST_PARTS} more" * (len(names) > _MOST_PARTS)


def devices_in_words(mechanisms: Iterable[Any]) -> str:
    """Return the different devices of respondents in words, each with its name if there are several."""
    names = [(each, each.name if each.name and each.name.isprintable() else "") for each in mechanisms]  # as in files
    told = dict.fromkeys((name, each.in_words()) for each, name in names)
    if len(told) < 2:
        return next(iter(told))[1] if told else "none: the question was asked directly"
    return several_devices([*told])


def dealt_words(text: str, *, dealt: bool) -> str:
    """Return the words of a device whose cards were dealt from one deck, or with replacement."""
    return f"one deck dealt to all without replacement; {text}" if dealt else text


def several_devices(named: Sequence[tuple[str, str]]) -> str:
    """Return several devices in words.

    Args:
        named: the name and the words of each device.

    >>> several_devices([("", "a")]), several_devices([("A", "a"), ("B", "b")])
    ('a', 'A: a; B: b')
    """
    if len({text for _, text in named}) == 1:
        return named[0][1]
    told = [f"{name}: {text}" if name else text for name, text in named[:_MOST_PARTS]]
    return "; ".join([*told, *[f"and {len(named) - len(told)} more devices"] * (len(named) > len(told))])


def named_in_words(mechanisms: Sequence[Any]) -> str:
    """Return the devices in words; of one its name and its privacy level too.

    >>> from rropt.mechanisms import Mechanism
    >>> named_in_words([Mechanism.warner("3/4")])
    'warner:3/4, epsilon = log(3) ~ 1.09861229: true answer reported with 3/4, the other one with 1/4'
    """
    words = devices_in_words(mechanisms)
    if len(mechanisms) > 1:
        return words
    (one,) = mechanisms
    if one.output_values:
        words = f"{len(one.categories)} numbers, from {one.categories[0]} to {one.categories[-1]}"
    level = f"epsilon = {both_texts(one.epsilon)}: {words}"
    return f"{one.name}, {level}" if one.name else level
