"""Implementation 1: the program of section 4.2, run as printed with exact numbers."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from rropt.claims import Claim, Condition, Correction, Domain, Point
from rropt.claims.outcomes import value_text
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import A, Bits, index, invertible, steps

PROGRAM = """
from numpy import array, kron, log2, bincount as bc, arange
def C(n, a):
  c, z = array([[a, 1-a], [1-a, a]]), array([1])
  return z if n < 1 else kron(c, C(n-1, a))
def pihat(a, Y):
  m, n = float(sum(Y)), int(log2(len(Y)))
  return C(n, a/(2*a - 1)).dot(Y)/m
def hist(R):
  _,n = R.shape
  x = 2**(n-1-arange(n))
  return bc(R.dot(x), minlength = 2**n)
"""


LOW = PROGRAM.replace("2**(n-1-arange(n))", "2**arange(n)")  # the first column is the lowest bit, as eta has it


@cache
def _program(text: str) -> dict[str, Callable[..., Any]]:
    """Return the functions of the program; ``float`` is an exact number in it, so that m is one."""
    names: dict[str, Any] = {"float": lambda count: Fraction(int(count))}
    exec(text, names)  # one of the two texts above, and no other
    return names


def _run(text: str, point: Point) -> Fraction:
    names, table = _program(text), np.array(point["R"])
    return Fraction(names["pihat"](Fraction(point["a"]), names["hist"](table[:, list(point["K"])]))[point["i"]])


def draw(rng: random.Random) -> tuple[Bits, ...]:
    n = rng.choice((2, 3))
    return tuple(tuple(rng.randint(0, 1) for _ in range(n)) for _ in range(rng.randint(1, 5)))


def _entry(point: Point, order: int) -> Fraction:
    """Return the entry i of the estimate; the strings of K are read in this order for their index."""
    return steps(point["R"], point["K"][::order], Fraction(point["a"]))[point["i"]]


def theory(point: Point) -> Fraction:
    """Entry i of the estimate of section 4.2, i = eta of the bits in K."""
    return _entry(point, 1)


def computed(point: Point) -> Fraction:
    """Entry i of pihat(a, hist(R[:, K]))."""
    return _run(PROGRAM, point)


def corrected(point: Point) -> tuple[Fraction, Fraction]:
    """Entry i for the string read backwards; and that of section 4.2."""
    return _entry(point, -1), _entry(point, 1)


def both(point: Point) -> tuple[Fraction, Fraction]:
    """Entry i of the program as printed, and of that with 2**arange(n)."""
    return _run(PROGRAM, point), _run(LOW, point)


def mutant(point: Point) -> tuple[Fraction, Fraction]:
    """The bits in K turned."""
    turned = tuple(tuple(1 - bit for bit in row) for row in point["R"])
    return corrected({**point, "R": turned})


def working(point: Point) -> str:
    """Both indices of the responses."""
    rows = [tuple(row[b] for b in point["K"]) for row in point["R"]]
    listed = ", ".join(f"{value_text(row)}: eta = {index(row)}, in the program {index(row[::-1])}" for row in rows)
    whole = [steps(point["R"], point["K"][::order], Fraction(point["a"])) for order in (1, -1)]
    return (
        f"the bits in K of the responses, with their indices: {listed}\nthe estimate of section 4.2 is "
        f"{value_text(whole[0])}, the program gives {value_text(whole[1])}"
    )


CLAIM = Claim(
    id="vinterbo2018.implementation-1",
    source=f"{PAPER}, Implementation 1",
    place=(4, 13),
    printed=r"For input R being a $m\times n$ numpy array of $m$ randomized length $n$ binary responses and K a list "
    r"of column indices, the call $\mathtt{pihat(a,hist(R[:,K]))}$ computes the value for $\hat\pi_K$.",
    precise="For every table R of m >= 1 responses, every list K of columns in order, every a != 1/2 and every index "
    "i: the entry i of what the printed program returns is the entry i of the estimate of section 4.2. It is run as "
    "printed, with fractions.",
    variables={
        "R": Domain(
            "the responses, bit 0 first",
            (((0, 1),), ((0, 1), (1, 1)), ((0, 0), (1, 1)), ((1, 1, 0), (0, 1, 0))),
            draw,
        ),
        "K": Domain.values("K, columns in order", (0,), (1,), (0, 1), (0, 2), (0, 1, 2)),
        "a": A,
        "i": Domain("an index", (0, 1, 2, 6), lambda rng: rng.randrange(8), "x >= 0"),
    },
    assumptions=(
        invertible,
        Condition("K are columns of R", lambda p: max(p["K"]) < len(p["R"][0])),
        Condition("i is an index: below 2^k", lambda p: p["i"] < 2 ** len(p["K"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"The program counts the first column in K as the highest bit, $2^{k-1}$, while $\eta$ counts it as the "
        r"lowest: its entry $i$ is the estimate of the string whose bits in reverse order have the index $i$. With "
        r"x = 2**arange(n) it computes $\hat\pi_K$.",
        corrected,
        computed=both,
    ),
    working=working,
    count=100,
    notes="As a set of numbers the estimate is the same; which string each belongs to is not, unless k = 1. A reader "
    "who takes entry 1 for `only the first bit is 1`, as eta has it, reads the frequency of another answer. The "
    "program agrees with Theorem 4.1 as printed, whose order of factors has the same first bit (theorem-4.1). "
    "Section 6 speaks of four and nine more lines; apart from layout the program has four and seven.",
)
