"""Names that other packages and the literature use for devices of rropt, with the parameters in rropt's form.

A name that is no design is refused (`design.py`); the message gives the device that has the same probabilities. The
packages meant are RRreg, rr and RRTCS for R, rrlogit for Stata, and the libraries of local differential privacy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Epsilon, as_text, decimal_text, rational

Numbers = Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class OtherName:
    """A device under another name.

    Attributes:
        parameters: the parameters of that name, with commas.
        form: the device of rropt in these parameters.
        convert: the parameters of rropt's device.
        note: a remark, such as another reading of the same numbers.
    """

    parameters: str
    form: str
    convert: Callable[[Numbers], Numbers]
    note: str = ""

    def advice(self, name: str, texts: Sequence[str]) -> str:
        """Return what to write instead, with numbers if the given ones are probabilities."""
        design = self.form.partition(":")[0]
        try:
            given = [rational(text) for text in texts]
        except InvalidParameterError:
            given = []
        note = f"; {self.note}" if self.note else ""
        if len(given) != self.parameters.count(",") + 1 or not all(0 <= x <= 1 for x in given):
            return f"{name}:{self.parameters} is {self.form}; write that{note}"
        made = f"{design}:{','.join(as_text(x) for x in self.convert(given))}"
        return f"did you mean {made}? ({name}:{self.parameters} is {self.form}){note}"


def _same(given: Numbers) -> Numbers:
    return given


def _surrogate(given: Numbers) -> Numbers:
    """Return (p00, p11): with probability 1 - yes - no the respondent plays Warner's device, else a forced response."""
    p, yes, no = given
    own = 1 - yes - no
    return own * p + no, own * p + yes


def _two_forced(given: Numbers) -> Numbers:
    return 1 - given[0] - given[1], given[0], given[1]


_UNRELATED = OtherName("p,piB", "unrelated:p,piB", _same)
_WARNER = OtherName("p", "warner:p", _same)
_CROSSWISE = OtherName("p", "crosswise:p", _same)
_FORCED = OtherName("t,y,n", "forced:t,y,n", _same)
_TWO_FORCED = OtherName(
    "y,n",
    "forced:1-y-n,y,n",
    _two_forced,
    "that reads the numbers as the probabilities of a forced yes and of a forced no (RRTCS); RRreg has them in the "
    "other order",
)
_SURROGATE = OtherName("pwarner,pyes,pno", "generalised:(1-pyes-pno)*pwarner+pno,(1-pyes-pno)*pwarner+pyes", _surrogate)

_OTHER_NAMES: dict[str, OtherName] = {
    **dict.fromkeys(("mirrored", "mirrored-question", "related-question"), _WARNER),
    **dict.fromkeys(("crosswise-model", "cwm", "crosswise-design"), _CROSSWISE),
    **dict.fromkeys(
        (
            *("simmons", "greenberg", "horvitz", "unrelated-question", "unrelated-known", "uqm", "uqt", "uqtknown"),
            *("uqmknown", "u-model", "umodel", "simmons-model"),
        ),
        _UNRELATED,
    ),
    "soberanis-cruz": OtherName("p,alpha", "unrelated:p,alpha", _same),
    "devore": OtherName("p", "unrelated:p,1", lambda given: (given[0], Fraction(1))),
    **dict.fromkeys(("boruch", "forced-response", "forced-known", "directed-response", "fr", "directed"), _FORCED),
    **dict.fromkeys(("rrlogit", "pwarner"), _SURROGATE),
    "singh-joarder": OtherName(
        "p", "generalised:p,1-(1-p)^2", lambda given: (given[0], 1 - (1 - given[0]) ** 2), "as in RRTCS"
    ),
    "mangat-singh-singh": OtherName(
        "p,alpha", "generalised:1-(1-p)*alpha,1", lambda given: (1 - (1 - given[0]) * given[1], Fraction(1))
    ),
    "disguised": OtherName("p", "kuk:p,1-p", lambda given: (given[0], 1 - given[0])),
    "triangular-model": OtherName("p", "triangular:p", _same),
}

# Names of mechanisms whose parameters are not probabilities, or that are no device.
_REMARKS: dict[str, str] = {
    **dict.fromkeys(
        ("krr", "k-rr", "rr", "de", "direct-encoding", "gamma-diagonal", "mrr"),
        "k-ary randomized response is grr:k,p with the probability p of the true category, and grr:k,epsilon=E at a "
        "level",
    ),
    **dict.fromkeys(
        ("ss", "d-subset", "k-subset", "omega-subset", "subset-selection"), "subset selection is subset:k,d,p"
    ),
    **dict.fromkeys(("lh", "local-hashing", "blh"), "local hashing is olh:k,g with g = exp(epsilon)"),
    **dict.fromkeys(("hr", "hadamard-response"), "Hadamard response is hadamard:k,g with g = exp(epsilon)"),
    **dict.fromkeys(("ue", "unary-encoding"), "unary encoding is unary:k,p,q, sue:k,p or oue:k,g"),
    **dict.fromkeys(
        ("cdm", "cdmsym", "sld", "lie-detector", "cheater-detection", "stochastic-lie-detector"),
        "models of non-compliance are in `rropt noncompliance --model`",
    ),
    **dict.fromkeys(
        ("uqtunknown", "horvitzub", "unrelated-unknown", "mangatub"),
        "with an unknown innocuous prevalence two samples have the devices unrelated:p,0 and unrelated:p,1 in the file "
        "of --devices (see `rropt estimate --help`, --contrast)",
    ),
}


def other_name(name: str, texts: Sequence[str]) -> str:
    """Return the device that a name of the field stands for, as the end of an error message; '' for other names.

    >>> other_name("Devore", ["1/2"])
    'did you mean unrelated:1/2,1? (devore:p is unrelated:p,1)'
    """
    plain = re.sub(r"[\s_]+", "-", name.strip().lower())
    joined = {key.replace("-", ""): key for key in (*_OTHER_NAMES, *_REMARKS)}
    key = joined.get(plain.replace("-", ""), plain)
    if key in _REMARKS:
        return _REMARKS[key]
    found = _OTHER_NAMES.get(key)
    if found is _FORCED and len(texts) == 2:
        found = _TWO_FORCED
    return "" if found is None else found.advice(key, texts)


_EXPONENTIAL = re.compile(r"exp\(\s*([^()]+?)\s*\)|\be\s*(?:\^|\*\*)\s*\(?\s*([0-9]+(?:[./][0-9]+)?)\s*\)?|\b(e)\b")
_YES_OR_NO = ("warner", "crosswise", "forced", "generalised", "unrelated", "mangat-singh", "kuk", "rappor")
_PLACES = 9  # decimals of exp(epsilon), and of a probability, in the device that a message suggests
_DIGITS = 60  # significant digits that show such a number in full


def _rounded_down(x: Fraction) -> Fraction:
    return Fraction(x * 10**_PLACES // 1, 10**_PLACES)


def irrational_advice(name: str, symbols: Sequence[str], texts: Sequence[str]) -> str:
    """Return what to do about parameters with exp(epsilon); '' if none of the texts has one.

    The suggested device is at a level just below epsilon: exp(epsilon) is rounded down.

    Args:
        name, symbols: the design and its parameters.
        texts: the parameters as they were given.
    """
    match = next((found for text in texts if isinstance(text, str) and (found := _EXPONENTIAL.search(text))), None)
    if match is None:
        return ""
    level = match[1] or match[2] or "1"
    try:
        epsilon = Epsilon.of(level)
        lower = epsilon.gamma_bracket(_DIGITS).lower
    except InvalidParameterError:
        return "exp(epsilon) is irrational; write it as a rational number that is not larger"
    gamma = _rounded_down(lower)
    if gamma <= 1:
        return "exp(epsilon) is irrational; write it as a rational number that is not larger"
    made = ""
    if "g" in symbols[: len(texts)]:
        made = ",".join(
            decimal_text(gamma, _DIGITS) if s == "g" else text for s, text in zip(symbols, texts, strict=False)
        )
    elif name in ("warner", "crosswise"):
        made = decimal_text(_rounded_down(gamma / (1 + gamma)), _DIGITS)
    elif name == "grr" and texts[0].isdecimal():
        made = f"{texts[0]},{decimal_text(_rounded_down(gamma / (gamma + int(texts[0]) - 1)), _DIGITS)}"
    near = f"just below epsilon = {epsilon} is {name}:{made}" if made else f"exp({level}) is about {float(gamma):.9g}"
    exact = (
        f"`rropt design binary --epsilon {epsilon} --prevalence PI --output FILE`"
        if name in _YES_OR_NO
        else f"`rropt design kary -k K --epsilon {epsilon} --objective trace --output FILE`"
    )
    return f"exp({level}) is irrational, and a device has rational parameters; {near}; {exact} finds the best device"
