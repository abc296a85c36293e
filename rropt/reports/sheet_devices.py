"""Randomizing devices of instruction sheets: the draws, the instruction for each outcome, and the distribution of the
report.

A device contains no text: its steps are keys of a language file (``languages/en.json``) with values. ``law`` sums the
probabilities of all outcomes of a device. ``device_of`` compares them with the mechanism, so every sheet has exactly
the probabilities of its mechanism.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb, lcm, prod

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, one_of, shown
from rropt.core.exact import rational, split_list
from rropt.core.exact.display import number_text
from rropt.core.visible import size_text
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import Matrix
from rropt.mechanisms.named import DESIGNS
from rropt.mechanisms.named.builders import binomial
from rropt.reports.randomizer_steps import (
    MOST_CARDS,
    PLAYED_INSTEAD,
    RANDOMIZERS,
    RandomizerStep,
    Sentence,
    beside_other_cards,
    randomizer_step,
)

MOST_WEB = 4096  # entries of a mechanism that a web page holds
_MOST_CATEGORIES = 12  # of a device with a card or a line for each
_MOST_BOXES = 8
_MOST_DRAWS = 10  # of Kuk's packs, in an interview
_CYCLE = 1461  # days of four years


@dataclass(frozen=True, slots=True)
class Birthday:
    """A harmless question about a birthday, whose probability is approximate.

    Attributes:
        day, month: the last day of the period, which begins on 1 January.
        share: the proportion of birthdays in the period, if each day of four years is equally likely.
        wanted: the proportion that the mechanism requires.
    """

    day: int
    month: int
    share: Fraction
    wanted: Fraction

    def chances(self) -> list[Fraction]:
        """Return the chances of a birthday in the period and outside."""
        return [self.share, 1 - self.share]


Draw = RandomizerStep | Birthday

_CARDS_OF_NUMBERS = (
    "threshold cards are played by hand (`rropt design mean` prints their V): rropt sheet thresholds:1,5,2/3; "
    "`form=web` draws in the browser"
)


@dataclass(frozen=True, slots=True)
class SheetDevice:
    """The instructions for a respondent, step by step.

    Attributes:
        kind: the kind of device, such as ``warner`` or ``boxes``.
        draws: the draws from a randomizer, in order.
        prepare, steps: the material to prepare, and the steps of the respondent.
        answers: the possible reports, in the order of the mechanism's outputs; empty if a report is a subset.
        law: the probabilities of the reports (rows) for each true answer (columns), summed over all outcomes.
        birthday: the birthday that replaces an exact draw, if there is one.
    """

    kind: str
    draws: tuple[RandomizerStep, ...]
    prepare: tuple[Sentence, ...]
    steps: tuple[Sentence, ...]
    answers: tuple[Sentence, ...]
    law: Matrix
    birthday: Birthday | None = None


RESPONSES = {"crosswise": ("different", "same"), "triangular": ("both_no", "one_yes")}
"""The responses of designs whose responses are no answers to the sensitive question."""


def device_of(
    mechanism: Mechanism, design: str = "", *, randomizer: str = "auto", categories: Sequence[str] = ()
) -> SheetDevice:
    """Return a device whose reports have exactly the probabilities of a mechanism.

    Args:
        mechanism: the mechanism of one question.
        design: the text of a named design, such as ``crosswise:1/4``; else its matrix decides.
        randomizer: one of ``RANDOMIZERS``; ``birthday``: for the harmless question of the crosswise and the triangular
            design and of the unrelated question, an approximation.
        categories: names of the true answers.

    Raises:
        InvalidParameterError: an unknown randomizer, or names that do not fit.
        UnsupportedProblemError: no device of the sheet has these probabilities.
    """
    one_of(randomizer, RANDOMIZERS, "the randomizer")
    if randomizer == "birthday" and _name_of(design) not in ("crosswise", "triangular", "unrelated"):
        raise InvalidParameterError(
            "a birthday answers the harmless question of crosswise:p, triangular:p and unrelated:p,piB alone: "
            f"received {shown(design or 'a matrix')}; choose another randomizer"
        )
    m, k = mechanism.shape
    names = names_of_answers(categories, k)
    if m * k > MOST_CARDS**2:
        raise _too_large(m, k)
    name = _name_of(design)
    make: Callable[..., SheetDevice] = _NAMED.get(name, _of_matrix)
    made = make(mechanism, _parameters(design), randomizer, names)
    if made.birthday is None and made.law != mechanism.matrix:
        raise AssertionError(f"the device {made.kind} has other probabilities than its mechanism")
    return made


def _too_large(m: int, k: int) -> UnsupportedProblemError:
    advice = (
        "use `form=web`, which draws in the browser" if m * k <= MOST_WEB else "use rropt export or rropt randomize"
    )
    return UnsupportedProblemError(
        f"the mechanism is too large for a sheet: received {size_text(m)} outputs for {k} true answers; allowed are at "
        f"most {_MOST_CATEGORIES} categories; {advice}"
    )


def _name_of(design: str) -> str:
    name = design.partition(":")[0].strip().lower()
    return name if name in DESIGNS else ""


def _parameters(design: str) -> list[Fraction]:
    if not _name_of(design):
        return []
    texts = split_list(design.partition(":")[2])
    return [rational(part, name="parameter") for text in texts for part in text.split("..")]


def names_of_answers(categories: Sequence[str], k: int) -> tuple[Sentence, ...]:
    """Return the names of k true answers: those given, or no and yes, or numbers.

    Raises:
        InvalidParameterError: names are given, and they are not k different ones.
    """
    if categories:
        if len(categories) != k or len(set(categories)) < k or not all(each.strip() for each in categories):
            raise InvalidParameterError(
                f"the names of the answers do not fit: received {len(categories)} ({shown(', '.join(categories))}); "
                f"allowed are {k} different names"
            )
        return tuple(Sentence("verbatim", {"text": each}) for each in categories)
    if k == 2:
        return Sentence("no"), Sentence("yes")
    return tuple(Sentence("answer_number", {"number": j}) for j in range(1, k + 1))


# --- yes-or-no questions


def _prepared(*draws: Draw) -> tuple[Sentence, ...]:
    found = dict.fromkeys((draw.kind, draw.total) for draw in draws if isinstance(draw, RandomizerStep))
    steps = [Sentence(f"prepare_{kind}", {"total": total}) for kind, total in found]
    return (*steps, *(Sentence("prepare_birthday") for draw in draws if isinstance(draw, Birthday)))


def _use(draw: Draw, *between: Sentence, again: bool = False) -> list[Sentence]:
    """Return the steps of one use of a randomizer; a card is put back, and a birthday is only thought of."""
    if isinstance(draw, Birthday):
        return [*between]
    return [draw.action(again), *between, *[Sentence("return_card")] * (draw.kind == "cards")]


def _cases(draw: RandomizerStep, *actions: Sentence) -> list[Sentence]:
    return [
        Sentence("case", {"outcomes": draw.outcomes(i), "action": action})
        for i, action in enumerate(actions)
        if draw.counts[i]
    ]


def _device(
    kind: str,
    draws: tuple[Draw, ...],
    steps: Sequence[Sentence],
    answers: Sequence[Sentence],
    report: Callable[..., int],
    inputs: int = 2,
) -> SheetDevice:
    """Return a device whose report is a function of the truth and the group of each draw's outcome."""
    birthday = next((draw for draw in draws if isinstance(draw, Birthday)), None)
    own = tuple(draw for draw in draws if isinstance(draw, RandomizerStep))
    law = [[Fraction(0)] * inputs for _ in answers]
    for outcomes in product(*(enumerate(draw.chances()) for draw in draws)):
        for truth in range(inputs):
            law[report(truth, *(group for group, _ in outcomes))][truth] += prod(chance for _, chance in outcomes)
    return SheetDevice(kind, own, _prepared(*draws), tuple(steps), tuple(answers), tuple(map(tuple, law)), birthday)


def _warner(mechanism: Mechanism, _: list[Fraction], randomizer: str, names: tuple[Sentence, ...]) -> SheetDevice:
    p = mechanism.p00
    draw = randomizer_step([p, 1 - p], randomizer)
    steps = _use(draw, *_cases(draw, Sentence("act_truth"), Sentence("act_opposite")))
    return _device("warner", (draw,), steps, names, lambda truth, lie: truth ^ lie)


def _harmless(randomizer: str, share: Fraction, key: str) -> tuple[Sentence, Draw]:
    """Return the harmless question, whose answer is yes with a probability, and the draw or the birthday behind it."""
    if randomizer == "birthday":
        day = birthday_of(share)
        last = Sentence("date", {"day": day.day, "month": Sentence(f"month_{day.month}")})
        return Sentence("question_b", {"question": Sentence("harmless_birthday", {"date": last})}), day
    draw = randomizer_step([share, 1 - share], randomizer)
    question = Sentence(key, {"outcomes": draw.outcomes(0)}) if draw.counts[0] else Sentence("harmless_never")
    return Sentence("question_b", {"question": question}), draw


def _crosswise(mechanism: Mechanism, _: list[Fraction], randomizer: str, names: tuple[Sentence, ...]) -> SheetDevice:
    question, draw = _harmless(randomizer, mechanism.p00, "harmless_draw")
    answers = tuple(map(Sentence, RESPONSES["crosswise"]))
    steps = [
        question,
        Sentence("crosswise_think"),
        Sentence("crosswise_same", {"a": names[1], "b": names[0]}),
        Sentence("crosswise_different"),
    ]
    return _device("crosswise", (draw,), _use(draw, *steps), answers, lambda truth, no: int(truth != no))


def _triangular(mechanism: Mechanism, _: list[Fraction], randomizer: str, names: tuple[Sentence, ...]) -> SheetDevice:
    question, draw = _harmless(randomizer, 1 - mechanism.p00, "harmless_draw")
    answers = tuple(map(Sentence, RESPONSES["triangular"]))
    steps = [
        question,
        Sentence("crosswise_think"),
        Sentence("triangular_no", {"b": names[0]}),
        Sentence("triangular_yes", {"a": names[1]}),
    ]
    return _device("triangular", (draw,), _use(draw, *steps), answers, lambda truth, no: int(truth == 1 or not no))


def _unrelated(
    mechanism: Mechanism, given: list[Fraction], randomizer: str, names: tuple[Sentence, ...]
) -> SheetDevice:
    p, share = given
    first = randomizer_step([p, 1 - p], "auto" if randomizer == "birthday" else randomizer)
    asked = _cases(first, Sentence("act_question_a"), Sentence("act_question_b"))
    last = Sentence("only_answer", {"a": names[1], "b": names[0]})
    question, second = _harmless(randomizer, share, "harmless_second")
    if isinstance(second, Birthday):
        steps = [question, *_use(first, *asked, last)]
    else:
        again = (second.kind, second.total) == (first.kind, first.total)
        steps = [*_use(first, *asked), *_use(second, question, last, again=again)]
    return _device("unrelated", (first, second), steps, names, lambda truth, b, no: 1 - no if b else truth)


def _mangat(mechanism: Mechanism, _: list[Fraction], randomizer: str, names: tuple[Sentence, ...]) -> SheetDevice:
    p = mechanism.p00
    draw = randomizer_step([p, 1 - p], randomizer)
    steps = [
        Sentence("mangat_yes", {"a": names[1]}),
        Sentence("mangat_no", {"b": names[0]}),
        *_cases(draw, *(Sentence("act_only_say", {"answer": name}) for name in names)),
    ]
    return _device("mangat", (draw,), _use(draw, *steps), names, lambda truth, said: truth | said)


def _kuk(mechanism: Mechanism, given: list[Fraction], randomizer: str, names: tuple[Sentence, ...]) -> SheetDevice:
    del randomizer
    red = given[:2]
    times = int(given[2]) if len(given) > 2 else 1
    total = lcm(*(share.denominator for share in red))
    if total > MOST_CARDS or times > _MOST_DRAWS:
        raise UnsupportedProblemError(
            f"Kuk's packs are too large for an interview: received packs of {total} cards and {times} draws; allowed "
            f"are {MOST_CARDS} cards and {_MOST_DRAWS} draws; use `form=web`, which draws in the browser"
        )
    packs = [(int(share * total), total - int(share * total)) for share in red]
    prepare = tuple(
        Sentence("prepare_pack", {"name": names[1 - i], "red": r, "black": b, "total": total})
        for i, (r, b) in enumerate(packs)
    )
    numbers = {"times": times}
    said, answers = [Sentence("kuk_say_one")], [Sentence("black"), Sentence("red")]
    if times > 1:
        said = [Sentence("kuk_repeat", numbers), Sentence("kuk_say", numbers)]
        answers = [Sentence("number", {"number": i}) for i in range(times + 1)]
    steps = (Sentence("kuk_draw", {"a": names[1], "b": names[0]}), *said)
    columns = [binomial(times, Fraction(reds, total)) for reds, _ in packs[::-1]]
    return SheetDevice("kuk", (), prepare, steps, tuple(answers), tuple(zip(*columns, strict=True)))


def _christofides(
    mechanism: Mechanism, given: list[Fraction], randomizer: str, names: tuple[Sentence, ...]
) -> SheetDevice:
    del randomizer
    total, kinds = lcm(*(share.denominator for share in given)), len(given)
    if total > MOST_CARDS or kinds > _MOST_CATEGORIES:
        raise UnsupportedProblemError(
            f"the deck is too large for an interview: received {total} cards of {kinds} kinds; allowed are "
            f"{MOST_CARDS} cards of {_MOST_CATEGORIES} kinds; use `form=web`, which draws in the browser"
        )
    counts = [int(share * total) for share in given]
    listed_counts = [Sentence("cards_of", {"count": c, "number": i}) for i, c in enumerate(counts, 1) if c]
    steps = (
        Sentence("cards_first", {"total": total}),
        Sentence("christofides_no", {"b": names[0]}),
        Sentence("christofides_yes", {"a": names[1], "sum": kinds + 1}),
        Sentence("return_card"),
    )
    answers = tuple(Sentence("number", {"number": i}) for i in range(1, kinds + 1))
    prepare = (Sentence("prepare_deck", {"total": total, "cards": listed_counts}),)
    return SheetDevice("christofides", (), prepare, steps, answers, tuple(zip(given, given[::-1], strict=True)))


# --- matrices


def _of_matrix(mechanism: Mechanism, _: list[Fraction], randomizer: str, names: tuple[Sentence, ...]) -> SheetDevice:
    m, k = mechanism.shape
    if k > _MOST_CATEGORIES:
        raise _too_large(m, k)
    if m == k:
        chances = _forced_chances(mechanism.matrix)
        if chances is not None:
            return _forced(mechanism, chances, randomizer, names)
    found = _subset_of(mechanism) if m > k else None  # of k outputs each is named like a category
    if found is not None:
        subsets, truth = found
        return _subset(subsets, mechanism.inputs, truth, randomizer, names)
    return _boxes(mechanism, names)


def _forced_chances(matrix: Matrix) -> list[Fraction] | None:
    """Return the probabilities of the truth (of two answers: or of its opposite) and of each forced answer, if any."""
    k = len(matrix)
    others = [[p for j, p in enumerate(row) if j != i] for i, row in enumerate(matrix)]
    if any(len(set(row)) > 1 for row in others):
        return None
    forced = [row[0] for row in others]
    truth = 1 - sum(forced, Fraction(0))
    if truth < 0:
        return [-truth, matrix[1][1], matrix[0][0]] if k == 2 else None
    return [truth, *(forced[::-1] if k == 2 else forced)]  # yes before no


def _forced(mechanism: Mechanism, chances: list[Fraction], randomizer: str, names: tuple[Sentence, ...]) -> SheetDevice:
    """Return the forced-response device: the truth with the first probability, otherwise the answer on the outcome.

    In the binary case yes comes before no."""
    k = mechanism.inputs
    order = (1, 0) if k == 2 else tuple(range(k))
    lies = mechanism.is_binary and mechanism.p00 + mechanism.p11 < 1
    draw = randomizer_step(chances, randomizer)
    first = Sentence("act_opposite") if lies else Sentence("act_truth")
    actions = [first, *(Sentence("act_say", {"answer": names[j]}) for j in order)]
    if draw.counts[0] == draw.total:
        step = Sentence("opposite_step") if lies else Sentence("truth_step")
        return _device("truth", (), [step], names, lambda truth: truth ^ lies, k)
    kind, steps = "forced" if k == 2 else "categories", _use(draw, *_cases(draw, *actions))
    return _device(kind, (draw,), steps, names, lambda truth, i: order[i - 1] if i else truth ^ lies, k)


def _subset_of(mechanism: Mechanism) -> tuple[list[frozenset[int]], Fraction] | None:
    """Return the subset of each output and the probability that it contains the truth; ``None`` for other mechanisms.

    In subset selection all subsets of d categories are outputs. Each has one probability for the categories in the
    subset and another one for the other categories.
    """
    k, rows = mechanism.inputs, mechanism.matrix
    high, low = max(rows[0]), min(rows[0])
    found = [frozenset(j for j, p in enumerate(row) if p == high) for row in rows]
    d = len(found[0])
    wanted = comb(k, d)
    if high == low or d == k or len(found) != wanted or len(set(found)) != wanted:
        return None
    if any(len(each) != d for each in found) or any(set(row) != {high, low} for row in rows):
        return None
    return found, comb(k - 1, d - 1) * high


def _named_subset(
    mechanism: Mechanism, given: list[Fraction], randomizer: str, names: tuple[Sentence, ...]
) -> SheetDevice:
    k = mechanism.inputs
    if k > _MOST_CATEGORIES:
        raise _too_large(mechanism.outputs, k)
    return _subset(list(map(frozenset, combinations(range(k), int(given[1])))), k, given[2], randomizer, names)


def _thresholds(
    mechanism: Mechanism, given: list[Fraction], randomizer: str, names: tuple[Sentence, ...]
) -> SheetDevice:
    """Return threshold cards: a card between two scores, and Warner's device for the answer."""
    del names
    k, p = mechanism.inputs, given[-1]
    if k - 1 > MOST_CARDS:
        raise UnsupportedProblemError(
            f"the pack is too large for an interview: received {k - 1} cards; allowed are {MOST_CARDS}; use "
            "`form=web`, which draws in the browser"
        )
    cards = [number_text((low + high) / 2) for low, high in pairwise(mechanism.input_values)]
    draw = randomizer_step([p, 1 - p], randomizer)
    steps = (
        Sentence("thresholds_take", {"total": k - 1}),
        Sentence("thresholds_ask"),
        *beside_other_cards(_use(draw, *_cases(draw, Sentence("act_truth"), Sentence("act_opposite")))),
        Sentence("thresholds_say"),
        Sentence("thresholds_return"),
    )
    answers = [
        Sentence("card_answer", {"number": card, "answer": Sentence(said)}) for said in ("no", "yes") for card in cards
    ]
    law = [[Fraction(0)] * k for _ in answers]
    for card in range(k - 1):
        for is_lie, chance in enumerate(draw.chances()):
            for truth in range(k):
                law[((truth > card) ^ bool(is_lie)) * (k - 1) + card][truth] += chance / (k - 1)
    pack = Sentence("prepare_thresholds", {"total": k - 1, "first": cards[0], "last": cards[-1]})
    prepare = (*beside_other_cards(_prepared(draw)), pack)
    return SheetDevice("thresholds", (draw,), prepare, steps, tuple(answers), tuple(map(tuple, law)))


def _subset(
    subsets: Sequence[frozenset[int]], k: int, truth: Fraction, randomizer: str, names: tuple[Sentence, ...]
) -> SheetDevice:
    d = len(subsets[0])
    draw = randomizer_step([truth, 1 - truth], randomizer)
    keep = Sentence("act_subset_with", {"others": d - 1}) if d > 1 else Sentence("act_subset_own")
    say = Sentence("subset_say", {"size": d}) if d > 1 else Sentence("subset_say_one")
    cases = _cases(draw, keep, Sentence("act_subset_without", {"size": d}))
    steps = beside_other_cards(_use(draw, *cases, say, Sentence("subset_return")))
    kept, left = draw.chances()
    law = [
        [kept / comb(k - 1, d - 1) if j in subset else left / comb(k - 1, d) for j in range(k)] for subset in subsets
    ]
    pack = Sentence("prepare_categories", {"count": k, "names": list(names)})
    prepare = (*beside_other_cards(_prepared(draw)), pack)
    return SheetDevice("subset", (draw,), prepare, steps, (), tuple(map(tuple, law)))


def _boxes(mechanism: Mechanism, names: tuple[Sentence, ...]) -> SheetDevice:
    m, k = mechanism.shape
    totals = [lcm(*(p.denominator for p in column)) for column in mechanism.columns()]
    if k > _MOST_BOXES or m > _MOST_BOXES or max(totals) > MOST_CARDS:
        raise UnsupportedProblemError(
            f"no device of the sheet has these probabilities exactly: received {m} outputs for {k} true answers with "
            f"the denominator {max(totals)}; allowed are {_MOST_BOXES} boxes of at most {MOST_CARDS} cards; "
            + (_CARDS_OF_NUMBERS if mechanism.output_values else PLAYED_INSTEAD)
        )
    answers = tuple(Sentence("letter", {"letter": chr(ord("A") + i)}) for i in range(m))
    counts = [[int(p * total) for p in column] for column, total in zip(mechanism.columns(), totals, strict=True)]
    prepare = tuple(
        Sentence(
            "prepare_box",
            {
                "name": name,
                "total": total,
                "cards": [Sentence("cards_of", {"count": c, "number": answers[i]}) for i, c in enumerate(column) if c],
            },
        )
        for name, total, column in zip(names, totals, counts, strict=True)
    )
    steps = Sentence("boxes_draw"), Sentence("boxes_say"), Sentence("boxes_return")
    columns = [[Fraction(c, total) for c in column] for column, total in zip(counts, totals, strict=True)]
    return SheetDevice("boxes", (), prepare, steps, answers, tuple(zip(*columns, strict=True)))


def birthday_of(wanted: Fraction) -> Birthday:
    """Return the period from 1 January whose share of the days of four years is closest to a proportion.

    >>> found = birthday_of(Fraction(1, 4))
    >>> found.day, found.month, found.share
    (1, 4, Fraction(365, 1461))
    """
    days, found = 0, []
    for last in (date(2000, 1, 1) + timedelta(i) for i in range(366)):
        is_leap_day = (last.month, last.day) == (2, 29)
        days += 1 if is_leap_day else 4
        if not is_leap_day:
            found.append(Birthday(last.day, last.month, Fraction(days, _CYCLE), wanted))
    return min(found, key=lambda one: abs(one.share - wanted))


_NAMED: dict[str, Callable[..., SheetDevice]] = {
    "warner": _warner,
    "mangat-singh": _warner,
    "crosswise": _crosswise,
    "triangular": _triangular,
    "unrelated": _unrelated,
    "mangat": _mangat,
    "subset": _named_subset,
    "kuk": _kuk,
    "christofides": _christofides,
    "thresholds": _thresholds,
}
