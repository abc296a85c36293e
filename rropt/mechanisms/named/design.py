"""Named designs: their table, the parameters of a device with their domains, and the mechanism that a name stands for.

The table ``named.toml`` has the texts and the parameters, ``builders.py`` the function of each name.

The numbers after a name are its parameters: ``warner:3/4``. A product has the name ``bits:`` and one device for each
question, question 0 first: ``bits:warner:3/4,forced:2/3,1/6,1/6`` has two questions. In it a probability a without a
name is a bit that is reported truthfully with probability a (``warner:a``). A device is repeated by ``*`` and a number
after it, or by an integer before it: ``bits:3/4*4`` and ``bits:4,3/4`` are four bits.

The last parameters may have names, and a level replaces the probability that follows from it: ``grr:12,epsilon=1``.

``ask:N,J,GAMMA`` asks each respondent J random ones of N yes/no questions (``RandomQuestions``): ``ask:10,1,3``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from rropt.core.errors import InvalidMechanismError, InvalidParameterError, shown, similar_word
from rropt.core.exact import as_text, rational, split_list
from rropt.mechanisms.columns import Matrix
from rropt.mechanisms.families.blocks import MAX_CATEGORIES
from rropt.mechanisms.families.primes import MAX_PRIME
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.named.at_levels import LEVELS, parameters_at
from rropt.mechanisms.named.builders import BUILDERS, probability
from rropt.mechanisms.named.other_names import irrational_advice, other_name
from rropt.mechanisms.product import ProductMechanism
from rropt.mechanisms.random_questions import RandomQuestions
from rropt.mechanisms.subsets import sets_of_size

_PROBABILITY = "0 <= {} <= 1"
_DOMAINS: dict[str, tuple[str, tuple[int, int] | None]] = {
    "categories": (f"an integer 2 <= {{}} <= {MAX_CATEGORIES}", (2, MAX_CATEGORIES)),
    "prime": (f"a prime 2 <= {{}} <= {MAX_PRIME}", (2, MAX_PRIME)),
    "gamma": ("a rational {} > 1, such as 3 or 2.718", None),
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a device.

    Attributes:
        symbol, meaning: its letter and its meaning.
        domain: the domain in words. The default is a probability; any other domain is checked by the design itself.
        whole: the smallest and the largest value of an integer parameter.
    """

    symbol: str
    meaning: str
    domain: str = _PROBABILITY
    whole: tuple[int, int] | None = None

    @classmethod
    def of(cls, symbol: str, meaning: str, *domain: Any) -> Parameter:
        """Return the parameter of a row of the table, whose first lines explain the domain.

        >>> str(Parameter.of("r", "number of draws", 1, 200))
        'r: number of draws, an integer 1 <= r <= 200'
        """
        if not domain:
            return cls(symbol, meaning)
        if isinstance(domain[0], str):
            text, whole = _DOMAINS.get(domain[0], (domain[0], None))
            return cls(symbol, meaning, text, whole)
        least, most, *words = domain
        return cls(symbol, meaning, words[0] if words else f"an integer {least} <= {{}} <= {most}", (least, most))

    def __str__(self) -> str:
        return f"{self.symbol}: {self.meaning}, {self.domain.format(self.symbol)}"

    def to_dict(self) -> dict[str, str]:
        """Return symbol, meaning and domain for JSON."""
        return {"symbol": self.symbol, "meaning": self.meaning, "domain": self.domain.format(self.symbol)}

    def check(self, value: Fraction) -> None:
        """Raise ``InvalidParameterError`` unless the value is a probability, or an integer in range."""
        if self.domain == _PROBABILITY:
            probability(value, self.symbol)
        elif self.whole is not None:
            least, most = self.whole
            if value.denominator > 1 or not least <= value <= most:
                raise InvalidParameterError(
                    f"{self.symbol} is not a {self.meaning}: received {value}; "
                    f"allowed is {self.domain.format(self.symbol)}"
                )


@dataclass(frozen=True, slots=True)
class Design:
    """A named design. Call it with its parameters to get the exact mechanism.

    Attributes:
        name: the name on the command line, e.g. ``forced``.
        title: the standard name and its synonyms.
        parameters: the device's parameters, in order.
        device: the respondent's task, in one sentence.
        epsilon: the exact level as a formula in the parameters.
        source: the reference of the design.
        example: parameters that make a valid mechanism, as text.
        build: a function from exact parameters (integers where they are declared) to the rows of the matrix, or to a
            mechanism given by formulas.
        required: the number of required parameters; the rest have defaults.
        repeated: the largest number of parameters, for a design whose last parameter may be repeated.
        most: the largest number of parameters of any design.

    >>> from rropt.mechanisms import DESIGNS
    >>> print(DESIGNS["forced"]("2/3", "1/6", "1/6").epsilon)
    log(5)
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    device: str
    epsilon: str
    source: str
    example: str
    build: Callable[..., Matrix | Mechanism]
    required: int
    repeated: int = 0
    most: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "most", max(self.repeated, len(self.parameters)))

    def __call__(self, *values: object) -> Mechanism:
        """Build the mechanism with these parameters and the name ``name:values``."""
        if values and isinstance(values[0], str) and ".." in values[0] and self.name == "thresholds":  # 1..5
            values = (*values[0].split("..", 1), *values[1:])
        if not self.required <= len(values) <= self.most:
            symbols = ",".join(parameter.symbol for parameter in self.parameters)
            raise InvalidParameterError(
                f"{self.name} takes {self._count()}: received {len(values)}; "
                f"write {self.name}:{symbols}, for example {self.name}:{self.example}"
            )
        if repeated := [value for value in values if isinstance(value, str) and "*" in value]:
            parts = ",".join(map(str, values))
            raise InvalidParameterError(
                f"{self.name} is a device for one question: received {shown(repeated[0])}; devices for several "
                f"questions are written with bits: in front, for example bits:{self.name}:{parts}"
            )
        repeats = [self.parameters[-1]] * (len(values) - len(self.parameters))
        given = list(zip([*self.parameters, *repeats], values, strict=False))  # the rest has defaults
        exact = [self._number(parameter, value, values) for parameter, value in given]
        for (parameter, _), value in zip(given, exact, strict=True):
            try:
                parameter.check(value)
            except InvalidParameterError as error:
                advice = self._advice(parameter, value, values, error)
                raise InvalidParameterError(f"{error}{advice}") from None
        label = f"{self.name}:{','.join(as_text(value) for value in exact)}"
        typed = [int(value) if parameter.whole else value for (parameter, _), value in zip(given, exact, strict=True)]
        try:
            made = self.build(*typed)
        except InvalidMechanismError as error:
            raise InvalidParameterError(str(error)) from None
        if isinstance(made, Mechanism):
            return made.named(label)
        is_ours = self.build is BUILDERS.get(self.name)  # whose matrices are exact and stochastic
        found = Mechanism.made(label, matrix=made) if is_ours else Mechanism(made, name=label)
        return (
            found.labelled((), sets_of_size(int(typed[0]), int(typed[1])))
            if self.name == "subset" and typed[1] > 1
            else found
        )

    def of(self, values: Sequence[object], named: Mapping[str, object], epsilon: object = None) -> Mechanism:
        """Build the mechanism from parameters in order, parameters by symbol, and a level that replaces some of them.

        >>> DESIGNS["grr"].of([4], {}, "log(3)").name
        'grr:4,1/2'
        """
        symbols = [parameter.symbol for parameter in self.parameters]
        if epsilon is None and not named:
            return self(*values)
        if values and isinstance(values[0], str) and ".." in values[0] and self.name == "thresholds":
            values = (*values[0].split("..", 1), *values[1:])
        rest = symbols[len(values) :]
        if wrong := sorted(named.keys() - set(rest)):
            raise InvalidParameterError(
                f"{self.name} has no free parameter {shown(wrong[0])}: received {', '.join(map(shown, named))}; "
                f"allowed are {', '.join(symbols)}, in this order"
            )
        given = {**dict(zip(symbols, values, strict=False)), **named}
        if epsilon is not None:
            given |= parameters_at(self.name, epsilon, given)
        placed = [symbol for symbol in symbols if symbol in given]
        if placed != symbols[: len(placed)]:
            missing = next(symbol for symbol in symbols if symbol not in given)
            raise InvalidParameterError(
                f"{self.name}'s {missing} is not given: received {', '.join(placed)}; allowed are "
                f"{', '.join(symbols)}, in this order"
            )
        return self(*(given[symbol] for symbol in placed))

    def _number(self, parameter: Parameter, value: object, values: Sequence[object]) -> Fraction:
        """Return a parameter as a number; the message about exp(epsilon) says which device is near."""
        try:
            return rational(value, name=f"{self.name}'s {parameter.symbol}")
        except InvalidParameterError as error:
            advice = irrational_advice(self.name, [each.symbol for each in self.parameters], [str(x) for x in values])
            if not advice or not isinstance(value, str):
                raise
            raise InvalidParameterError(f"{error}; {advice}") from None

    def _advice(self, parameter: Parameter, value: Fraction, values: Sequence[object], error: object) -> str:
        """Return how a level is written, for a message about a value that is no probability; else an empty text."""
        at = LEVELS.get(self.name)
        is_level = at is not None and at.sets == (parameter.symbol,) and parameter is self.parameters[-1] and value > 1
        if not is_level or "write" in str(error):  # which says that a percentage was meant
            return ""
        before = ",".join(map(str, values[:-1]))
        return f"; a level is written {self.name}:{before}{before and ','}epsilon={as_text(value)}"

    def to_dict(self) -> dict[str, Any]:
        """Return the syntax, the device, the formula of epsilon, and an example with its level, for JSON."""
        words = {key: getattr(self, key) for key in ("name", "title", "device", "epsilon", "source")}
        level = str(self(*self.example.split(",")).epsilon)
        example = {"example": f"{self.name}:{self.example}", "example_epsilon": level}
        return {**words, "parameters": [parameter.to_dict() for parameter in self.parameters], **example}

    def line(self) -> tuple[str, str, str]:
        """Return three table cells: the syntax, the device with its parameters, and the formula of epsilon."""
        written = f"{self.name}:{','.join(parameter.symbol for parameter in self.parameters)}"
        device = "\n".join([self.title, self.device, *map(str, self.parameters)])
        return written, device, f"{self.epsilon}\ne.g. {self.example}: {self(*self.example.split(',')).epsilon}"

    def _count(self) -> str:
        most = self.most
        text = str(most) if most == self.required else f"{self.required} or {most}"
        if self.repeated:
            text = f"at least {self.required} and at most {most}"
        return f"{text} parameter{'s' if most > 1 else ''}"


class Table(Mapping[str, Design]):
    """The named designs by name. ``named.toml`` is read when a design is first asked for."""

    def __getitem__(self, name: str) -> Design:
        return _read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_read())

    def __len__(self) -> int:
        return len(_read())


@cache
def _read() -> dict[str, Design]:
    """Return the designs of the table, in its order."""
    import tomllib  # 2 ms with the table, for commands that name no design

    table = tomllib.loads(Path(__file__).with_name("named.toml").read_text(encoding="utf-8"))
    return {name: _design(name, table["block"], **texts) for name, texts in table["designs"].items()}


def _design(name: str, block: str, *, parameters: list[list[Any]], device: str, **texts: Any) -> Design:
    listed = tuple(Parameter.of(*row) for row in parameters)
    texts = {"required": len(listed), **texts}
    return Design(name, parameters=listed, device=device.replace("{block}", block), build=BUILDERS[name], **texts)


DESIGNS = Table()


_OTHER_RESPONSES = ("crosswise", "triangular", "kuk", "christofides")


def has_other_responses(mechanism: Mechanism) -> bool:
    """Return whether the responses of a named design for a trait are no answers to the question about it.

    In the crosswise design people say whether two answers are the same; other designs have colours or numbers.
    """
    return mechanism.inputs == 2 and (mechanism.name or "").partition(":")[0].strip().lower() in _OTHER_RESPONSES


_NAME = "bits"
_ASKED = "ask"
_LEVEL = "epsilon="  # the last of the parameters
_WORD = re.compile(r"[a-z]{3,}")
_FORM = "bits:3/4*4, or bits:10,warner:3/4, or bits:warner:3/4,forced:2/3,1/6,1/6"

_MOST_QUESTIONS = 10_000  # the largest number of factors of a product
_MOST_TEXT = 100_000  # characters: ten thousand questions with parameters of usual length


def named_mechanism(text: str) -> Mechanism:
    """Return the mechanism for a name with parameters, such as ``"warner:3/4"`` or ``"forced:2/3,1/6,1/6"``.

    The name ``"bits:"`` with a list of devices gives their product, one device for each question: ``"bits:3/4*4"``.

    Args:
        text: the name, a colon, and the parameters with commas between them.

    Raises:
        InvalidParameterError: the name is unknown, or the number or a value of the parameters is invalid.
    """
    if not isinstance(text, str):
        raise InvalidParameterError(
            f"a design's name is not text: received {shown(text)}; write for example warner:3/4"
        )
    name, _, rest = text.partition(":")
    if name.strip().lower() == _NAME:
        return _product(rest)
    if name.strip().lower() == _ASKED:
        return _asked(rest)
    design = _read().get(name.strip().lower())
    if design is None:
        if meant := other_name(name, split_list(rest) if rest.strip() else []):
            raise InvalidParameterError(
                f"no design has the name {shown(name)}: {meant}; `rropt design list` lists all designs"
            )
        similar = _similar(name)
        raise InvalidParameterError(
            f"no design has the name {shown(name)}: known are {', '.join(DESIGNS)}; `rropt design list` lists them; "
            f"a product of them is {_FORM}; random questions are ask:10,1,3{similar and '; ' + similar}"
        )
    texts = split_list(rest) if rest.strip() else []
    return _of_texts(design, texts) if "=" in rest else design(*texts)


def _of_texts(design: Design, texts: Sequence[str]) -> Mechanism:
    """Return the mechanism of parameters as texts, of which the last ones may be named: ``grr:12,epsilon=1``."""
    positional = [text for text in texts if "=" not in text]
    pairs = [[part.strip() for part in text.split("=", 1)] for text in texts[len(positional) :]]
    if any("=" in text for text in texts[: len(positional)]):
        raise InvalidParameterError(
            f"a parameter follows a named one: received {shown(','.join(texts))}; write named parameters last"
        )
    named = dict(pairs)
    if len(named) < len(pairs):
        raise InvalidParameterError(f"a parameter is given twice: received {shown(','.join(texts))}; give it once")
    return design.of(positional, named, named.pop("epsilon", None))


def _similar(name: str) -> str:
    """Return the question whether a design was meant: one with a similar name, or with a word of its title."""
    titles = {known: _WORD.findall(design.title.lower()) for known, design in DESIGNS.items()}
    for cutoff in (1.0, 0.85):
        if cutoff < 1 and (similar := similar_word(name, DESIGNS)):
            return similar
        for word in _WORD.findall(name.lower()):
            designs = [known for known, words in titles.items() if get_close_matches(word, words, n=1, cutoff=cutoff)]
            if designs:
                return f"did you mean {' or '.join(designs)}?"
    return ""


def _product(rest: str) -> Mechanism:
    """Return the product of mechanisms for the text after ``bits:``."""
    if len(rest) > _MOST_TEXT:
        raise InvalidParameterError(
            f"the name of a product is too long: received {len(rest)} characters; allowed are {_MOST_TEXT}; write "
            'equal questions once: bits:warner:3/4*64, or a file {"product": [...]}'
        )
    factors: list[Mechanism] = []
    repeat = 1
    for text, count in _devices(rest):
        if count is None:
            if repeat != 1:
                raise _refused(text, "two numbers of questions follow each other")
            repeat = int(text)
            continue
        device = named_mechanism(text if ":" in text else f"warner:{text}")
        if len(factors) + count * repeat > _MOST_QUESTIONS:
            raise _refused(rest, f"there are more than {_MOST_QUESTIONS} questions")
        factors += [device] * (count * repeat)
        repeat = 1
    if not factors or repeat != 1:
        raise _refused(rest, "there is no device" if not factors else "no device follows the number of questions")
    return ProductMechanism(factors, name=f"{_NAME}:{rest}")


def _asked(rest: str) -> Mechanism:
    """Return random questions for the text after ``ask:``."""
    given = split_list(rest) if rest.strip() else []
    if len(given) != 3:
        raise InvalidParameterError(
            f"random questions have three parameters: received {len(given)}; write ask:N,J,GAMMA with N questions, J "
            "of them asked, and GAMMA = exp(epsilon), for example ask:10,1,3"
        )
    return RandomQuestions(*given, name=f"{_ASKED}:{rest}")


def _devices(rest: str) -> Iterator[tuple[str, int | None]]:
    """Yield each device and its number of repetitions; yield an integer before a device with ``None``."""
    tokens = [token.strip() for token in rest.split(",")]
    at = 0
    while at < len(tokens):
        text, times = _times(tokens[at])
        at += 1
        if ":" not in text and times is None and _is_count(text):
            yield text, None
            continue
        name, colon, _ = text.partition(":")
        design = DESIGNS.get(name.strip().lower()) if colon else None
        left = design.most - 1 if design else 0
        while times is None and left > 0 and at < len(tokens) and ":" not in tokens[at] and _LEVEL not in text:
            more, times = _times(tokens[at])
            text, left, at = f"{text},{more}", left - 1, at + 1
        yield text, 1 if times is None else times


def _times(token: str) -> tuple[str, int | None]:
    """Return a token without ``*N``, and N (``None`` if there is no ``*``)."""
    text, star, number = token.partition("*")
    if not star:
        return token, None
    if not _is_count(number.strip()) and number.strip() != "1":
        raise _refused(token, f"{shown(number)} is no number of questions")
    return text.strip(), int(number)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6 and int(text) > 1


def _refused(text: str, wrong: str) -> InvalidParameterError:
    return InvalidParameterError(
        f"the name of a product is not understood: {wrong}: received {shown(text)}; write {_FORM}"
    )
