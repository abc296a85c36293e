"""Proposition 4.3 and Observation 1, their proofs: eta of a sum of strings, and a complement."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import Any

from rropt.claims import Claim, Condition, Correction, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._matrices import kronecker
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import INDEX, LENGTH, differing, index, iterated, keeping, string
from rropt_proofs.vinterbo2018.proposition_4_3 import ENTRY

ETA, POWER, KRONECKER, FIRST, SECOND = (
    "Observation 1: eta(x xor y) is 2^|x xor y|",
    "Observation 1: the entry of J x ... x J is 2^|x xor y|",
    "Observation 1: the entry of C_{a,b}(n) is a^{n-d} b^d, d = |x xor y|",
    "identity 1: |s(i) xor s(n-i)| is n",
    "identity 2: |s(i) xor s(j)| is |s(2^n-1-j) xor s(2^n-1-i)|",
)


def _entry(rows: Any, point: Point) -> Fraction:
    return Fraction(rows[point["i"]][point["j"]])


def theory(point: Point) -> dict[str, Any]:
    n = point["n"]
    x, y = string(point["i"], n), string(point["j"], n)
    d = differing(x, y)
    return {
        ETA: Fraction(2**d),
        POWER: Fraction(2**d),
        KRONECKER: Fraction(point["a"]) ** (n - d) * Fraction(point["b"]) ** d,
        FIRST: Fraction(n),
        SECOND: Fraction(d),
    }


def _computed(point: Point, start: int) -> dict[str, Any]:
    n, i, j = point["n"], point["i"], point["j"]
    x, y = string(i, n), string(j, n)
    ones = reduce(kronecker, [keeping(Fraction(1), Fraction(2))] * n)
    turned = [string(2**n - 1 - number, n) for number in (j, i)]
    return {
        ETA: Fraction(index([a ^ b for a, b in zip(x, y, strict=True)])),
        POWER: _entry(ones, point),
        KRONECKER: _entry(iterated(Fraction(point["a"]), Fraction(point["b"]), n), point),
        FIRST: Fraction(differing(x, string(start - i, n))),
        SECOND: Fraction(differing(*turned)),
    }


def computed(point: Point) -> dict[str, Any]:
    """Every string by its digits, with the printed partner n - i."""
    return _computed(point, point["n"])


def corrected(point: Point) -> dict[str, Any]:
    """Without the part that is nowhere used."""
    said = theory(point)
    return {name: said[name] for name in (POWER, KRONECKER, FIRST, SECOND)}


def truth(point: Point) -> dict[str, Any]:
    """2^n - 1 in the place of n."""
    found = _computed(point, 2 ** point["n"] - 1)
    return {name: found[name] for name in (POWER, KRONECKER, FIRST, SECOND)}


def mutant(point: Point) -> dict[str, Any]:
    """n - 1 in the first identity."""
    said = corrected(point)
    return {**said, FIRST: said[FIRST] - 1}


def working(point: Point) -> str:
    """Both strings."""
    n, i, j = point["n"], point["i"], point["j"]
    x, y, turned = string(i, n), string(j, n), string(n - i, n)
    return (
        f"s({i}) = {value_text(x)}, s(n - {i}) = s({n - i}) = {value_text(turned)}: they differ at "
        f"{differing(x, turned)} of {n} places; s(2^n - 1 - {i}) = {value_text(string(2**n - 1 - i, n))} differs at all"
        f"\ns({j}) = {value_text(y)}: x xor y = {value_text(tuple(a ^ b for a, b in zip(x, y, strict=True)))}, eta "
        f"of it is {index([a ^ b for a, b in zip(x, y, strict=True)])}, 2^|x xor y| = {2 ** differing(x, y)}"
    )


CLAIM = Claim(
    id="vinterbo2018.proposition-4.3-proof",
    source=f"{PAPER}, appendix A, Observation 1 and the proof of Proposition 4.3",
    place=(6, 1),
    printed=r"If we let entry $C_{ix',jy'}=\eta((ix')\oplus(jy'))=2^{\eta(i\oplus j)}\;\eta(x'\oplus y')$, we get that "
    r"$C_{x,y}=1^{n-|x\oplus y|}\;2^{|x\oplus y|}$. Since we can write $C=J_1\otimes J_2\otimes\cdots\otimes "
    r"J_n$ where $J_k$ is the $2\times2$ matrix $J$ such that $J_{i,j}=2^{i\oplus j}$, i.e., "
    r"$J=\begin{pmatrix}1&2\\2&1\end{pmatrix}$, we get that $D_{x,y}=a^{n-|x\oplus y|}\;b^{|x\oplus y|}$ for "
    r"$D=C_{a,b}(n)=B_1\otimes B_2\otimes\cdots\otimes B_n$ [...] From this and that $\oplus$ commutes, we get "
    r"[...] $|\varsigma(i)\oplus\varsigma(n-i)|=n$, and [...] "
    r"$|\varsigma(i)\oplus\varsigma(j)|=|\varsigma(2^n-1-j)\oplus\varsigma(2^n-1-i)|$.",
    precise="For every n >= 1 and all indices i, j below 2^n, with x = s(i), y = s(j): eta(x xor y) is 2^|x xor y|, "
    "the entry (i, j) of the product of n matrices J too, the entry of C_{a,b}(n) is a^{n-d} b^d with d = |x xor y|, "
    "for all real a and b; s(i) and s(n-i) differ in n places where n - i is an index; and "
    "identity 2.",
    variables={"a": ENTRY, "b": ENTRY, "n": LENGTH, "i": INDEX, "j": INDEX},
    assumptions=(
        Condition("i and j are indices: below 2^n", lambda p: max(p["i"], p["j"]) < 2 ** p["n"]),
        Condition("n - i is an index", "n - i >= 0"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"1. $|\varsigma(i)\oplus\varsigma(2^n-1-i)|=n$; 2. as printed. The matrix with the entries "
        r"$2^{|x\oplus y|}$ (not $\eta(x\oplus y)$) is $J\otimes\cdots\otimes J$, and likewise $C_{a,b}(n)$ has the "
        r"entries $a^{n-|x\oplus y|}b^{|x\oplus y|}$.",
        corrected,
        computed=truth,
    ),
    working=working,
    notes="The sentence before the two identities has 2^n - 1 - i, as it should. eta(x xor y) is 0 for x = y, where "
    "2^0 = 1 is claimed; the recursion multiplies by 2 where the first bits differ and should leave the rest where "
    "they do not, which is a product of entries, not eta. Observation 1's last formula, the only one that is used, "
    "is true. (The text has $\\varsigma=n^{-1}$ for $\\eta^{-1}$, and the proof of Theorem 4.4 has lost the inverse "
    "in $(A\\otimes B)^{-1}=A^{-1}\\otimes B^{-1}$.)",
)
