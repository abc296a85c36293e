"""Named designs at a level: no design is less private than its level, and none has room to spare."""

from __future__ import annotations

import inspect
from fractions import Fraction
from typing import Any

import pytest

from rropt import Mechanism
from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Epsilon
from rropt.mechanisms.named import DESIGNS
from rropt.mechanisms.named.at_levels import LEVELS

# The other parameters of each design, without those that follow from the level.
OTHERS: dict[str, tuple[dict[str, object], ...]] = {
    "warner": ({},),
    "crosswise": ({},),
    "forced": ({},),
    "unrelated": ({"piB": "1/4"}, {"piB": "9/10"}, {"piB": "1/2"}),
    "mangat-singh": ({"T": 0}, {"T": "1/100"}),
    "kuk": ({}, {"r": 3}),
    "thresholds": ({"L": 1, "H": 5},),
    "grr": ({"k": 2}, {"k": 12}, {"k": 2000}),
    "subset": ({"k": 5, "d": 2}, {"k": 30, "d": 5}, {"k": 1000, "d": 100}),
    "unary": ({"k": 3, "p": "1/2"}, {"k": 2, "p": "3/4"}),
    "rappor": ({},),
    "sue": ({"k": 12},),
    "oue": ({"k": 12},),
    "olh": ({"k": 12}, {"k": 12, "q": 5}),
    "hadamard": ({"k": 7},),
    "pgr": ({"k": 7}, {"k": 7, "q": 2}),
    "projective": ({"k": 7, "q": 2, "t": 3, "c": 1},),
    "affine": ({"k": 5, "q": 5, "s": 2},),
    "affine-classes": ({"k": 7, "q": 7, "e": 2, "j": 1, "z": 0},),
    "singer": ({"q": 2, "t": 3}, {"q": 2, "t": 3, "k": 6}),
    "paley": ({"q": 7},),
    "fano": ({},),
}
LEVELS_ASKED = ("log(3)", "log(3)/2", "1/10", "1", "3/2", "1/1000000", "12")
PLACES = [(name, others, level) for name, listed in OTHERS.items() for others in listed for level in LEVELS_ASKED]


def test_every_design_with_a_level_is_here() -> None:
    assert OTHERS.keys() == LEVELS.keys()


@pytest.mark.parametrize(("name", "others", "level"), PLACES, ids=lambda x: str(x).replace("/", "_"))
def test_the_level_is_kept_and_used(name: str, others: dict[str, object], level: str) -> None:
    asked = Epsilon.of(level)
    found = getattr(Mechanism, name.replace("-", "_"))(**others, epsilon=level)
    assert found.epsilon <= asked
    if asked.gamma is None and level != "log(3)/2":
        assert float(found.epsilon) > float(asked) * (1 - 1e-12)
    elif asked.gamma is not None and name not in ("sue",) and others.get("r") is None:
        assert found.epsilon == asked
    texts = ",".join(f"{symbol}={x}" for symbol, x in others.items())
    assert Mechanism(f"{name}:{texts}{texts and ','}epsilon={level}") == found
    assert Mechanism(str(found.name)) == found


def test_values_of_designs_at_a_level() -> None:
    """Each probability by hand."""
    third = Fraction(1, 3)
    assert Mechanism.grr(4, epsilon="log(3)") == Mechanism.grr(4, "1/2")
    assert Mechanism("grr:4,epsilon=log(3)") == Mechanism("grr:4,1/2")
    assert Mechanism.forced(epsilon="log(5)") == Mechanism.forced("2/3", "1/6", "1/6")
    assert Mechanism.unrelated(piB="1/4", epsilon="log(5)") == Mechanism.unrelated("1/2", "1/4")
    assert Mechanism.subset(5, 2, epsilon="log(3)") == Mechanism.subset(5, 2, "2/3")
    assert Mechanism.sue(3, epsilon="log(4)") == Mechanism.sue(3, "2/3")
    assert Mechanism.kuk(r=2, epsilon="log(4)") == Mechanism.kuk("2/3", "1/3", 2)
    assert Mechanism.unary(3, "1/2", epsilon="log(2)") == Mechanism.unary(3, "1/2", third)
    assert Mechanism.mangat_singh(T="1/4", epsilon="log(3)") == Mechanism.mangat_singh("1/4", "2/3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("grr:12,1.5", r"a level is written grr:12,epsilon=3/2"),
        ("warner:3/2", r"a level is written warner:epsilon=3/2"),
        ("grr:epsilon=1", "grr at a level needs k: received none"),
        ("grr:12,1/2,epsilon=1", "grr's p follows from the level: received both"),
        ("grr:12,epsilon=-1", "epsilon"),
        ("grr:1/2,epsilon=1", "grr's k is not a whole number"),
        ("grr:12,epsilon=1,epsilon=2", "given twice"),
        ("grr:epsilon=1,12", "follows a named one"),
        ("grr:12,q=1/2", "no free parameter 'q'"),
        ("generalised:epsilon=1", "does not follow from a level"),
        ("mangat:epsilon=1", "does not follow from a level"),
        ("rappor:p=1/4,epsilon=1", "rappor at a level has no other parameter"),
        ("mangat-singh:T=9/10,epsilon=1", "T is too large for the level"),
        ("unrelated:piB=2,epsilon=1", "piB is not a probability"),
        ("unary:3,1,epsilon=1", "p has no level"),
        ("forced:2/3,n=1/6", "forced's y is not given"),
    ],
)
def test_bad_levels(text: str, message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        Mechanism(text)


def test_written_signatures_have_the_parameters_of_the_table() -> None:
    """A constructor has the symbols of the table in its order, and the level where there is one."""
    for name, design in DESIGNS.items():
        made: Any = getattr(Mechanism, name.replace("-", "_"))
        parameters = list(inspect.signature(made).parameters)
        symbols = ["p"] if design.repeated else [parameter.symbol for parameter in design.parameters]
        assert parameters == symbols + (["epsilon"] if name in LEVELS else []), name
        assert design.title in " ".join(str(inspect.getdoc(made)).split()), name
        told = " ".join(str(inspect.getdoc(made)).split())
        assert f"epsilon = {' '.join(design.epsilon.split())}" in told, name
        assert design.source in told, name


def test_a_product_at_levels() -> None:
    assert Mechanism("bits:grr:4,epsilon=log(3),warner:3/4") == Mechanism("bits:grr:4,1/2,warner:3/4")
    assert Mechanism("bits:forced:epsilon=log(5),3/4") == Mechanism("bits:forced:2/3,1/6,1/6,3/4")
    assert Mechanism("bits:warner:epsilon=log(3)*2") == Mechanism("bits:3/4*2")
