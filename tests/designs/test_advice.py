"""Each piece of advice in a refusal of a design is typed: the call is refused, and solved with the advice followed."""

from __future__ import annotations

import shlex

import pytest

_KARY = "design kary --epsilon 1 "
_THREE, _ZERO, _RANGES = "1/2,1/3,1/6", "1/2,1/2,0", "1/4..1/2,1/2..3/4"
_LEVELS = "--level 1,1/10 --level 2,1/100"
_UNEQUAL = ",".join(f"{i}/210" for i in range(1, 21))  # 20 unequal proportions
_MIXED = ",".join(f"{i}/260" for i in [5, 15] * 13)  # 2 values, never in groups
_CLEAR = "give positive proportions, for example 1/1000 in place of 0"

_ADVICE = [  # the refused command, the advice, and commands that follow it
    # a number of outputs, and bounds on entries
    (f"design kary --proportions {_THREE} --level 1,0 --level 1/2,1/10 --objective a-optimal --outputs 3",
     "give one epsilon, or set --outputs to any",
     [_KARY + f"--proportions {_THREE} --objective a-optimal --outputs 3",
      f"design kary --proportions {_THREE} --level 1,0 --level 1/2,1/10 --objective a-optimal --outputs any"]),
    (_KARY + f"--distance abs --proportions {_THREE} --objective a-optimal --outputs 3",
     "give one epsilon, or set --outputs to any",
     [_KARY + f"--distance abs --proportions {_THREE} --objective a-optimal --outputs any"]),
    (_KARY + f"--delta 1/10 --proportions {_THREE} --objective a-optimal --outputs 3",
     "set delta to 0, or set --outputs to any",
     [_KARY + f"--delta 0 --proportions {_THREE} --objective a-optimal --outputs 3",
      _KARY + f"--delta 1/10 --proportions {_THREE} --objective a-optimal --outputs any"]),
    (_KARY + f"--proportions {_THREE} --objective d-optimal --outputs 3", "leave it out",
     [_KARY + f"--proportions {_THREE} --objective d-optimal"]),
    (_KARY + f"--proportions {_THREE} --objective a-optimal --bounds 1/10..1", "add --outputs M",
     [_KARY + f"--proportions {_THREE} --objective a-optimal --bounds 1/10..1 --outputs 3"]),
    (_KARY + f"--proportions {_THREE} --objective a-optimal --outputs 2",
     "allowed are at least 3 outputs, or a contrast (c-optimal)",
     [_KARY + f"--proportions {_THREE} --objective a-optimal --outputs 3",
      _KARY + f"--proportions {_THREE} --objective c-optimal --contrast 0,1,2 --outputs 2"]),
    (_KARY + f"--proportions {_THREE} --objective a-optimal --outputs 3 --bounds 2/5..1", "lower a minimum",
     [_KARY + f"--proportions {_THREE} --objective a-optimal --outputs 3 --bounds 1/5..1"]),
    (_KARY + f"--proportions {_THREE} --objective a-optimal --outputs 3 --bounds 0..1/5", "raise a maximum",
     [_KARY + f"--proportions {_THREE} --objective a-optimal --outputs 3 --bounds 0..1/2"]),
    (_KARY + f"--proportions {_THREE} --objective a-optimal --outputs 3 --bounds 1/3..1", "relax them",
     [_KARY + f"--proportions {_THREE} --objective a-optimal --outputs 3 --bounds 1/4..1"]),
    # proportions of 0
    (_KARY + f"--delta 1/10 --proportions {_ZERO} --objective chi-square --against 1/3,1/3,1/3", _CLEAR,
     [_KARY + "--delta 1/10 --proportions 1/2,499/1000,1/1000 --objective chi-square --against 1/3,1/3,1/3"]),
    (_KARY + f"--delta 1/10 --proportions {_ZERO} --objective kullback-leibler --against 1/3,1/3,1/3", _CLEAR,
     [_KARY + "--delta 1/10 --proportions 1/2,499/1000,1/1000 --objective kullback-leibler --against 1/3,1/3,1/3"]),
    (_KARY + f"--delta 1/10 --proportions 1/3,1/3,1/3 --objective kullback-leibler --against {_ZERO}",
     "give positive proportions, or set delta to 0",
     [_KARY + f"--delta 0 --proportions 1/3,1/3,1/3 --objective kullback-leibler --against {_ZERO}",
      _KARY + "--delta 1/10 --proportions 1/3,1/3,1/3 --objective kullback-leibler --against 1/2,499/1000,1/1000"]),
    (f"design kary {_LEVELS} --proportions 1/3,1/3,1/3 --objective kullback-leibler --against {_ZERO}",
     "give positive proportions",
     [f"design kary {_LEVELS} --proportions 1/3,1/3,1/3 --objective kullback-leibler --against 1/2,499/1000,1/1000"]),
    (f"design kary {_LEVELS} --proportions {_ZERO} --objective a-optimal", _CLEAR,
     [f"design kary {_LEVELS} --proportions 1/2,499/1000,1/1000 --objective a-optimal"]),
    (f"design kary {_LEVELS} --proportions {_ZERO} --objective e-optimal", _CLEAR,
     [f"design kary {_LEVELS} --proportions 1/2,499/1000,1/1000 --objective e-optimal"]),
    ("design kary --level gdp:2 --proportions 1,0 --objective mutual-information", _CLEAR,
     ["design kary --level gdp:2 --proportions 999/1000,1/1000 --objective mutual-information"]),
    ("design kary --level renyi:2,1/2 --proportions 1,0 --objective a-optimal", _CLEAR,
     ["design kary --level renyi:2,1/2 --proportions 999/1000,1/1000 --objective a-optimal"]),
    # ranges of proportions
    (f"design kary --level renyi:2,1 --proportions {_RANGES} --objective a-optimal",
     "give one epsilon, or give one population",
     [_KARY + f"--proportions {_RANGES} --objective a-optimal",
      "design kary --level renyi:2,1 --proportions 3/8,5/8 --objective a-optimal"]),
    (f"design kary {_LEVELS} --proportions {_RANGES} --objective a-optimal", "give one epsilon, or give one population",
     [f"design kary {_LEVELS} --proportions 3/8,5/8 --objective a-optimal"]),
    (_KARY + f"--delta 1/10 --proportions {_RANGES} --objective a-optimal", "set delta to 0, or give one population",
     [_KARY + f"--delta 0 --proportions {_RANGES} --objective a-optimal",
      _KARY + "--delta 1/10 --proportions 3/8,5/8 --objective a-optimal"]),
    (_KARY + f"--proportions {_RANGES} --objective d-optimal",
     "allowed are a-optimal and c-optimal; give one population",
     [_KARY + f"--proportions {_RANGES} --objective c-optimal --contrast 0,1",
      _KARY + "--proportions 3/8,5/8 --objective d-optimal"]),
    (_KARY + f"--proportions {_RANGES} --objective a-optimal --outputs 2",
     "leave out --outputs, or give one population",
     [_KARY + "--proportions 3/8,5/8 --objective a-optimal --outputs 2"]),
    # too many categories
    (_KARY + f"--delta 1/10 --proportions {_UNEQUAL} --objective mutual-information",
     "at most 6 categories; merge categories",
     [_KARY + f"--delta 1/10 --proportions {_THREE} --objective mutual-information"]),
    (_KARY + "--delta 1/10 -k 40 --output-bits 20 --objective mutual-information", "leave out --output-bits",
     [_KARY + "--delta 1/10 -k 40 --objective mutual-information"]),
    ("design kary --epsilon 3 --delta 1/10 -k 10001 --objective mutual-information",
     "allowed are at most 10000; merge categories",
     ["design kary --epsilon 3 --delta 1/10 -k 10000 --objective mutual-information"]),
    ("design kary --epsilon 0 --delta 1/10 -k 9 --objective mutual-information", "for example to 1/1000",
     ["design kary --epsilon 1/1000 --delta 1/10 -k 9 --objective mutual-information"]),
    (_KARY + "--delta 1/10 --proportions 1/28,2/28,3/28,4/28,5/28,6/28,7/28 --objective a-optimal", "merge categories",
     [_KARY + "--delta 1/10 --proportions 3/28,3/28,4/28,5/28,6/28,7/28 --objective a-optimal"]),
    (_KARY + f"--proportions {_UNEQUAL} --objective a-optimal", "merge categories",
     [_KARY + "--proportions 55/210,155/210 --objective a-optimal"]),
    (_KARY + f"--proportions {_MIXED} --objective a-optimal", "order the categories by their proportions",
     [_KARY + "--proportions 13x5/260,13x15/260 --objective a-optimal"]),
    ("design kary -k 9 --level renyi:2,1 --objective a-optimal", "at most 4 categories",
     ["design kary -k 2 --level renyi:2,1 --objective a-optimal"]),
    # the level
    ("design kary -k 3 --level gdp:1 --objective trace", "for example a-optimal",
     ["design kary --proportions 1/2,1/2 --level gdp:2 --objective a-optimal"]),
    ("design kary -k 3 --level renyi:2,0 --objective a-optimal", "allow a level above 0",
     ["design kary -k 2 --level renyi:2,1/10 --objective a-optimal"]),
    *((f"design kary --proportions {_THREE} --epsilon 1e-20 --objective {kind}-optimal", "for example to 1e-12",
       [f"design kary --proportions {_THREE} --epsilon 1e-12 --objective {kind}-optimal"]) for kind in "de"),
    ("design kary -k 3 --epsilon 0 --objective a-optimal", "allow epsilon > 0 or delta > 0",
     [_KARY + "-k 3 --objective a-optimal",
      "design kary -k 3 --epsilon 0 --delta 1/10 --objective a-optimal"]),
    ("design binary --epsilon 1 --delta 1/10 --prevalence 0 --outputs any",
     "leave out --outputs, or guess a prevalence between 0 and 1",
     ["design binary --epsilon 1 --delta 1/10 --prevalence 0",
      "design binary --epsilon 1 --delta 1/10 --prevalence 1/1000 --outputs any"]),
    # designs given by formulas
    (_KARY + "-k 1000 --objective a-optimal --output-bits 5", "allow 10 bits or more",
     [_KARY + "-k 1000 --objective a-optimal --output-bits 10"]),
    (_KARY + "--delta 1/10 -k 1000 --objective a-optimal --output-bits 10", "allow 11 bits or more",
     [_KARY + "--delta 1/10 -k 1000 --objective a-optimal --output-bits 11"]),
    ("design kary --epsilon 1e-52 -k 30 --objective mutual-information", "for example to 1e-20",
     ["design kary --epsilon 1e-20 -k 30 --objective mutual-information"]),
    (_KARY + "-k 400 --objective trace --bounds 0..1/2", "leave it out, or give at most 300 categories",
     [_KARY + "-k 400 --objective trace", _KARY + "-k 12 --objective trace --bounds 0..1/2"]),
    (_KARY + f"--proportions {_THREE} --objective a-optimal --routes convex", "add closed-form or exact",
     [_KARY + f"--proportions {_THREE} --objective a-optimal --routes convex,exact"]),
]  # fmt: skip


@pytest.mark.drawn(40)
@pytest.mark.parametrize(("refused", "advice", "followed"), _ADVICE, ids=[case[0] for case in _ADVICE])
def test_advice_works(cli, refused: str, advice: str, followed: list[str]) -> None:
    status, _, err = cli(*shlex.split(refused))
    assert status == 2
    assert advice in " ".join(err.split())
    for command in followed:
        status, out, err = cli(*shlex.split(command))
        assert status == 0, (command, err)
        assert "certificate accepted" in out or "bound computed, no certificate" in out
