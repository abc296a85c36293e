"""Models of non-compliers, that is, of respondents who do not follow the device.

The samples of one population use devices ``P_s``, shape (m_s, k). A *type* t of respondents is a category and a
behaviour: either ``complies``, or a behaviour of non-compliers. Its response distribution in sample s is
``law_ts = P_s[:, j]`` for compliers with category j, and given by the behaviour otherwise; a behaviour may also allow
any response. With the shares ``x_t`` of the types, the prevalences, the *proportion of non-compliers* and the response
proportions are linear:

    ``pi_j = sum_{t: category j} x_t``,   ``theta = sum_{t not complying} x_t``,   ``lambda_s = sum_t law_ts x_t``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from rropt.answers.response_counts import answer_counts
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import as_text, decimal_text, rational, rational_where
from rropt.core.results import Result
from rropt.core.results.result_frames import row_with
from rropt.core.visible import size_text, with_noun
from rropt.inference.interval_kinds import clopper_pearson
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism

Vector: TypeAlias = tuple[Fraction, ...]

# A linear program has about (k + m) variables for each behaviour and sample. Larger ones would take minutes.
MAX_CATEGORIES, MAX_ANSWER_KINDS, MAX_SAMPLES = 256, 1024, 64

_WORDS = {
    "adversarial": "non-compliers may give any response",
    "always-no": "non-compliers always give response 0 (no)",
    "always-yes": "non-compliers always give response 1 (yes)",
    "random": "non-compliers respond at random, each response with the same probability",
    "refusers": "non-compliers follow the device, but say no when it instructs them to say yes",
}
_FORM = re.compile(r"(?:(?P<who>monotone)(?::|$|(?=<)))?(?P<kind>[a-z-]+|always:\d{1,4})?(?:<=(?P<most>.+))?")


@dataclass(frozen=True, slots=True)
class Sample(Result):
    """The responses of a sample of the population to one device.

    Attributes:
        mechanism: the device, shape (m, k).
        counts: N, shape (m,).
    """

    mechanism: Mechanism
    counts: tuple[int, ...]

    @classmethod
    def of(cls, mechanism: object, counts: Sequence[object]) -> Sample:
        """Check the device and the counts, and return the sample.

        Raises:
            InvalidParameterError: the counts have the wrong length or are all 0, or the device is too large.
        """
        exact = required_mechanism(mechanism)
        (m, k) = exact.shape
        if k > MAX_CATEGORIES or m > MAX_ANSWER_KINDS:
            raise InvalidParameterError(
                f"the device is too large for bounds: received {with_noun(size_text(m), 'answer')} and "
                f"{with_noun(size_text(k), 'category', 'categories')}; allowed are at most "
                f"{MAX_ANSWER_KINDS} and {MAX_CATEGORIES}; ask for one question at a time"
            )
        return cls(exact, answer_counts(exact, counts))

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each response: how often it occurred, and its proportion."""
        names = self.mechanism.responses or tuple(map(str, range(len(self.counts))))
        pairs = zip(names, self.counts, self.shares, strict=True)
        return [row_with(name=name, count=count, estimate=share) for name, count, share in pairs]

    def __str__(self) -> str:
        return f"{self.mechanism.name or 'matrix'}: {', '.join(map(str, self.counts))}"

    @property
    def n(self) -> int:
        """The number of respondents."""
        return sum(self.counts)

    @property
    def shares(self) -> Vector:
        """``N/n``, shape (m,)."""
        return tuple(Fraction(count, self.n) for count in self.counts)

    def intervals(self, confidence: Fraction) -> tuple[tuple[Fraction, Fraction], ...]:
        """Return bounds for the probabilities of all outputs, jointly valid with at least this confidence for every n.

        They are Clopper-Pearson intervals for each output, with Bonferroni's correction over the m outputs. For two
        outputs one interval determines both. The bounds are also valid for outputs that the device never produces,
        because non-compliers may give them.
        """
        m = len(self.counts)
        if m == 2:
            lower, upper = clopper_pearson(self.counts[1], self.n, confidence)
            return (1 - upper, 1 - lower), (lower, upper)
        each = 1 - (1 - confidence) / m
        return tuple(clopper_pearson(count, self.n, each) for count in self.counts)


@dataclass(frozen=True, slots=True)
class Behaviour(Result):
    """A way in which non-compliers respond.

    Attributes:
        way: ``adversarial``, ``always:i``, ``random`` or ``refusers``.
        evaders: whether only respondents with the trait (a category other than 0) can behave so (*monotone*).
        most: an upper bound of the proportion of all respondents who behave so; None if only the proportion of all
            non-compliers is limited.
    """

    way: str
    evaders: bool = False
    most: Fraction | None = None

    def checked(self) -> None:
        """Raise InvalidParameterError if the way is unknown, or is not in the form that ``behaviours`` returns."""
        if behaviours(str(self)) != (self,):
            raise InvalidParameterError(
                f"the way of a behaviour is not in its standard form: received {shown(self.way)}; allowed are "
                "adversarial, random, refusers and always:I, for example always:0"
            )

    @property
    def free(self) -> bool:
        """Whether the non-compliers may give any response."""
        return self.way == "adversarial"

    def categories(self, k: int) -> range:
        """Return the categories of the respondents who can behave so."""
        return range(1 if self.evaders else 0, k)

    def law(self, mechanism: Mechanism, category: int) -> Vector:
        """Return the probabilities of the m outputs for a respondent in this category who behaves so.

        Raises:
            UnsupportedProblemError: the behaviour requires a forced yes, which the device does not have.
            InvalidParameterError: the behaviour always gives an output that the device does not have.
        """
        m = mechanism.outputs
        if self.way == "random":
            return (Fraction(1, m),) * m
        if self.way == "refusers":
            truth, _, _ = forced_parameters(mechanism)
            yes = truth if category else Fraction(0)
            return (1 - yes, yes)
        answer = int(self.way.removeprefix("always:"))
        if answer >= m:
            raise InvalidParameterError(
                f"non-compliers cannot always give response {answer}: received a device with {m} outputs; allowed is 0 "
                f"to {m - 1}"
            )
        return tuple(Fraction(i == answer) for i in range(m))

    def __str__(self) -> str:
        kind = {"always:0": "always-no", "always:1": "always-yes"}.get(self.way, self.way)
        limit = "" if self.most is None else f"<={as_text(self.most)}"
        return f"monotone:{kind}{limit}" if self.evaders else f"{kind}{limit}"

    @property
    def words(self) -> str:
        """The assumption in one sentence."""
        kind = str(Behaviour(self.way))
        said = _WORDS.get(kind, f"non-compliers always give response {kind.removeprefix('always:')}")
        said = f"{said}; only respondents with the trait are among them" if self.evaders else said
        return said if self.most is None else f"{said}, at most {decimal_text(self.most)} of all respondents"


def forced_parameters(mechanism: Mechanism) -> Vector:
    """Return (truth, forced yes, forced no) of a device that was built from the name ``forced:t,y,n``.

    Raises:
        UnsupportedProblemError: the device is a matrix without such a name, so it is unknown which yes was forced.
    """
    name = mechanism.name or ""
    if not name.startswith("forced:"):
        raise UnsupportedProblemError(
            f"refusers need a device that instructs some to say yes: received {name or 'a matrix without a name'}; "
            f"allowed "
            "is forced:t,y,n (truth, forced yes, forced no), because a matrix does not say which yes was forced"
        )
    return tuple(rational(part) for part in name.removeprefix("forced:").split(","))


def behaviours(model: object) -> tuple[Behaviour, ...]:
    """Parse a model: a list of behaviours joined by ``+``, where each non-complier can show any of them.

    ``monotone:WORD`` restricts a behaviour to respondents with the trait; ``monotone`` alone lets them give any
    response. ``WORD<=SHARE`` limits the proportion of one behaviour. ``none`` means that everybody follows the device.

    Args:
        model: the text; WORD is one of those that the error message lists.

    Raises:
        InvalidParameterError: a word is unknown or occurs twice.

    >>> [str(behaviour) for behaviour in behaviours("monotone:always-no + random")]
    ['monotone:always-no', 'random']
    """
    if model == "none":
        return ()
    found = tuple(_behaviour(part.strip().lower()) for part in model.split("+")) if isinstance(model, str) else ()
    if not found or None in found or len(set(found)) < len(found):
        raise InvalidParameterError(
            f"the model of the non-compliers is unknown: received {shown(model)}; allowed are {', '.join(_WORDS)}, "
            "always:I and monotone, each at most once, joined by +, monotone:WORD for those with the trait alone, "
            "WORD<=SHARE for at most so many, and none"
        )
    return tuple(behaviour for behaviour in found if behaviour is not None)


def _behaviour(text: str) -> Behaviour | None:
    match = _FORM.fullmatch(text)
    if match is None or not text or text.endswith(":"):
        return None
    kind = {"always-no": "always:0", "always-yes": "always:1"}.get(match["kind"] or "adversarial", match["kind"])
    kind = kind or "adversarial"
    most = (
        None
        if match["most"] is None
        else rational_where(
            match["most"], lambda x: 0 <= x <= 1, "0 <= share <= 1", name="the proportion of a kind of non-compliers"
        )
    )
    known = kind.startswith("always:") or kind in _WORDS
    if kind.startswith("always:"):
        kind = f"always:{int(kind.removeprefix('always:'))}"
    return Behaviour(kind, match["who"] is not None, most) if known else None


@dataclass(frozen=True, slots=True)
class Type:
    """Respondents with the same category and behaviour.

    Attributes:
        category: j.
        behaviour: the behaviour of non-compliers; None for compliers.
        laws: in each sample, the probabilities of the outputs; None if any response is possible.
    """

    category: int
    behaviour: Behaviour | None
    laws: tuple[Vector, ...] | None

    @property
    def name(self) -> str:
        """The name of the type."""
        return f"{'compliers' if self.behaviour is None else self.behaviour} with category {self.category}"


@dataclass(frozen=True, slots=True)
class Population:
    """The samples of one population, and the possible behaviours of its non-compliers.

    Attributes:
        samples: samples of different respondents, with one or more devices for the same categories.
        noncompliers: the behaviours of the non-compliers.
    """

    samples: tuple[Sample, ...]
    noncompliers: tuple[Behaviour, ...]

    def __post_init__(self) -> None:
        sizes = {sample.mechanism.inputs for sample in self.samples}
        if len(sizes) != 1 or len(self.samples) > MAX_SAMPLES:
            raise InvalidParameterError(
                f"samples of one population have the same categories: received "
                f"{with_noun(len(self.samples), 'sample')} with "
                f"{sorted(sizes)} categories; allowed are 1 to {MAX_SAMPLES} samples with one number of categories"
            )
        if min(sizes) < 2:
            raise InvalidParameterError("a question has at least 2 categories: received 1; allowed are at least 2")
        matrices = [sample.mechanism.matrix for sample in self.samples]
        if any(matrix in matrices[:i] for i, matrix in enumerate(matrices)):
            raise InvalidParameterError(
                "two samples of one population have the same device: received it twice; allowed are different devices; "
                "add up the counts of the same device"
            )
        for sample in self.samples:  # raise now if a behaviour is impossible with a device
            for behaviour in self.noncompliers:
                if not behaviour.free:
                    behaviour.law(sample.mechanism, 1)

    @property
    def categories(self) -> int:
        """The number of categories k."""
        return self.samples[0].mechanism.inputs

    def types(self) -> tuple[Type, ...]:
        """Return the types of respondents: the compliers of each category, then the non-compliers by behaviour."""
        columns = [tuple(zip(*sample.mechanism.matrix, strict=True)) for sample in self.samples]
        found = [Type(j, None, tuple(own[j] for own in columns)) for j in range(self.categories)]
        for behaviour in self.noncompliers:
            for j in behaviour.categories(self.categories):
                laws = tuple(behaviour.law(sample.mechanism, j) for sample in self.samples if not behaviour.free)
                found.append(Type(j, behaviour, laws or None))
        return tuple(found)

    def ends(self, confidence: Fraction | None) -> tuple[tuple[tuple[Fraction, Fraction], ...], ...]:
        """Return bounds for the probabilities of all outputs: the observed proportions, or a joint confidence set."""
        if confidence is None:
            return tuple(tuple((share, share) for share in sample.shares) for sample in self.samples)
        each = 1 - (1 - confidence) / len(self.samples)  # Bonferroni's correction
        return tuple(sample.intervals(each) for sample in self.samples)
