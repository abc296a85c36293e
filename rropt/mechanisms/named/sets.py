"""Named designs for any number of categories whose responses are sets: block designs and bit vectors.

They are given by formulas (``mechanisms.families``): ``oue:1000000,3`` stores no matrix. The privacy level is the
rational gamma = exp(epsilon), the last required parameter. For epsilon = 1 write 2.718281828, which is just below e.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import wraps

from rropt.core.errors import InvalidMechanismError, InvalidParameterError
from rropt.mechanisms.families import (
    Affine,
    AffineClasses,
    BitVectorMechanism,
    BlockMechanism,
    Cyclic,
    Projective,
)
from rropt.mechanisms.families.blocks import MAX_CATEGORIES
from rropt.mechanisms.families.primes import MAX_PRIME, next_prime
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.named.design import Design, Parameter, require

_K = Parameter("k", "number of categories", f"an integer 2 <= {{}} <= {MAX_CATEGORIES}", (2, MAX_CATEGORIES))
_G = Parameter("g", "privacy level gamma = exp(epsilon)", "a rational {} > 1, such as 3 or 2.718")
_PRIME = f"a prime 2 <= {{}} <= {MAX_PRIME}"
_Q = Parameter("q", "order of the field", _PRIME, (2, MAX_PRIME))
_LOG = "log(g)"

Builder = Callable[..., Mechanism]


def _whole(symbol: str, meaning: str, least: int, most: int) -> Parameter:
    return Parameter(symbol, meaning, f"an integer {least} <= {{}} <= {most}", (least, most))


def _checked(build: Builder) -> Builder:
    """Return the builder with errors of the family reported as invalid parameters."""

    @wraps(build)
    def made(*values: Fraction) -> Mechanism:
        try:
            return build(*values)
        except InvalidMechanismError as error:
            raise InvalidParameterError(str(error)) from None

    return made


@_checked
def _oue(k: Fraction, g: Fraction) -> Mechanism:
    require(g > 1, f"g is not above 1: received {g}; give exp(epsilon), epsilon > 0")
    return BitVectorMechanism.oue(int(k), g)


@_checked
def _sue(k: Fraction, p: Fraction) -> Mechanism:
    require(Fraction(1, 2) < p < 1, f"p is out of range: received {p}; allowed is 1/2 < p < 1")
    return BitVectorMechanism(int(k), p, 1 - p)


def _near(g: Fraction) -> int:
    """Return the smallest prime >= gamma + 1 (rounded): the variance is smallest at the density 1/(gamma + 1)."""
    require(1 < g <= MAX_PRIME, f"g is out of range: received {g}; allowed is 1 < g <= {MAX_PRIME}")
    return next_prime(max(round(g + 1), 2))


@_checked
def _olh(k: Fraction, g: Fraction, q: Fraction | None = None) -> Mechanism:
    prime, dimension = _near(g) if q is None else int(q), 1
    while prime**dimension < k:
        dimension += 1
    return BlockMechanism(Affine(int(k), prime, 1, dimension), g)


@_checked
def _pgr(k: Fraction, g: Fraction, q: Fraction | None = None) -> Mechanism:
    prime, dimension = _near(g) if q is None else int(q), 3  # dimension 2 would be k-ary randomized response
    while (prime**dimension - 1) // (prime - 1) < k:
        dimension += 1
    return BlockMechanism(Projective(int(k), prime, dimension, False), g)


@_checked
def _hadamard(k: Fraction, g: Fraction) -> Mechanism:
    return BlockMechanism(Projective(int(k), 2, max(int(k).bit_length(), 2), True), g)


@_checked
def _affine(k: Fraction, q: Fraction, s: Fraction, g: Fraction, t: Fraction = Fraction(1)) -> Mechanism:
    return BlockMechanism(Affine(int(k), int(q), int(s), int(t)), g)


@_checked
def _classes(k: Fraction, q: Fraction, e: Fraction, j: Fraction, z: Fraction, g: Fraction) -> Mechanism:
    return BlockMechanism(AffineClasses(int(k), int(q), int(e), int(j), bool(z)), g)


@_checked
def _projective(k: Fraction, q: Fraction, t: Fraction, c: Fraction, g: Fraction) -> Mechanism:
    return BlockMechanism(Projective(int(k), int(q), int(t), bool(c)), g)


@_checked
def _singer(q: Fraction, t: Fraction, g: Fraction, k: Fraction | None = None) -> Mechanism:
    return BlockMechanism(Cyclic.singer(int(q), int(t), None if k is None else int(k)), g)


@_checked
def _paley(q: Fraction, g: Fraction, k: Fraction | None = None) -> Mechanism:
    return BlockMechanism(Cyclic.paley(int(q), None if k is None else int(k)), g)


@_checked
def _fano(g: Fraction) -> Mechanism:
    return BlockMechanism(Projective(7, 2, 3, False), g)


_BLOCK = "A block is reported; a block that contains the true category is g times as likely as any other block."

SETS = (
    Design(
        name="oue",
        title="Optimized unary encoding (OUE)",
        parameters=(_K, _G),
        device="The response has a bit for each category. The bit of the true category is 1 with probability 1/2, each "
        "other bit with probability 1/(g+1), independently.",
        epsilon=_LOG,
        source="Wang, Blocki, Li and Jha 2017",
        example="3,3",
        build=_oue,
        required=2,
    ),
    Design(
        name="sue",
        title="Symmetric unary encoding (SUE, basic one-time RAPPOR)",
        parameters=(_K, Parameter("p", "probability that a bit is reported unchanged", "a rational 1/2 < {} < 1")),
        device="There is a bit for each category, 1 for the true one. Each bit is reported unchanged with "
        "probability p, independently.",
        epsilon="2 log(p/(1-p))",
        source="Erlingsson, Pihur and Korolova 2014",
        example="3,3/4",
        build=_sue,
        required=2,
    ),
    Design(
        name="olh",
        title="Optimal local hashing (OLH) with pairwise independent hashes x -> a.x + b",
        parameters=(_K, _G, Parameter("q", "number of hash values (default: near g + 1)", _PRIME, (2, MAX_PRIME))),
        device="The response is a hash function from the categories to q values, and one value. Pairs whose function "
        "maps the true category to the value are g times as likely as the others.",
        epsilon=_LOG,
        source="Bassily and Smith 2015; Wang, Blocki, Li and Jha 2017",
        example="5,2",
        build=_olh,
        required=2,
    ),
    Design(
        name="hadamard",
        title="Hadamard response",
        parameters=(_K, _G),
        device="Rows of a Hadamard matrix are blocks. " + _BLOCK,
        epsilon=_LOG,
        source="Acharya, Sun and Zhang 2019",
        example="7,3",
        build=_hadamard,
        required=2,
    ),
    Design(
        name="pgr",
        title="Projective geometry response (PGR)",
        parameters=(_K, _G, Parameter("q", "order of the field (default: near g + 1)", _PRIME, (2, MAX_PRIME))),
        device="Categories are points of a projective space over GF(q), blocks its hyperplanes. " + _BLOCK,
        epsilon=_LOG,
        source="Feldman, Nelson, Nguyen and Talwar 2022",
        example="7,2,2",
        build=_pgr,
        required=2,
    ),
    Design(
        name="projective",
        title="Projective design: hyperplanes of PG(t-1, q), or their complements",
        parameters=(
            _K,
            _Q,
            _whole("t", "dimension of the vectors", 2, 64),
            _whole("c", "1 for the complements of hyperplanes, else 0", 0, 1),
            _G,
        ),
        device="Categories are points, blocks hyperplanes or their complements. " + _BLOCK,
        epsilon=_LOG,
        source="Bose 1939; Feldman, Nelson, Nguyen and Talwar 2022",
        example="7,2,3,1,3",
        build=_projective,
        required=5,
    ),
    Design(
        name="affine",
        title="Affine design: blocks {x: a.x + b in {0, ..., s-1}} over GF(q)^t",
        parameters=(
            _K,
            _Q,
            _whole("s", "number of values of a block", 1, MAX_PRIME),
            _G,
            _whole("t", "dimension of the vectors (default 1)", 1, 64),
        ),
        device="The response is a pair (a, b), a block. " + _BLOCK,
        epsilon=_LOG,
        source="docs/large_k.md",
        example="5,5,2,3",
        build=_affine,
        required=4,
    ),
    Design(
        name="affine-classes",
        title="Affine design by classes: blocks {x: theta^i (x + w) in T}, T a union of cosets of the e-th powers",
        parameters=(
            _K,
            _Q,
            _whole("e", "index of the powers, a divisor of q - 1", 1, 64),
            _whole("j", "number of cosets in T", 0, 64),
            _whole("z", "1 if T contains 0, else 0", 0, 1),
            _G,
        ),
        device="The response is a pair (i, w), a block. " + _BLOCK,
        epsilon=_LOG,
        source="docs/large_k.md",
        example="7,7,2,1,0,3",
        build=_classes,
        required=6,
    ),
    Design(
        name="singer",
        title="Singer difference set: translates of a hyperplane of PG(t-1, q)",
        parameters=(
            _Q,
            _whole("t", "dimension of the vectors", 2, 24),
            _G,
            Parameter("k", "number of categories (default: all points)", _K.domain, _K.whole),
        ),
        device="Blocks are the translates of one set of residues. " + _BLOCK,
        epsilon=_LOG,
        source="Singer 1938",
        example="2,3,3",
        build=_singer,
        required=3,
    ),
    Design(
        name="paley",
        title="Paley difference set: translates of the squares modulo a prime q = 3 mod 4",
        parameters=(
            _Q,
            _G,
            Parameter("k", "number of categories (default: q)", _K.domain, _K.whole),
        ),
        device="Blocks are the translates of the squares modulo q. " + _BLOCK,
        epsilon=_LOG,
        source="Paley 1933",
        example="7,3",
        build=_paley,
        required=2,
    ),
    Design(
        name="fano",
        title="Fano plane: 7 categories, 7 blocks of 3",
        parameters=(_G,),
        device="Points of the Fano plane are categories, its lines blocks. " + _BLOCK,
        epsilon=_LOG,
        source="Fano 1892",
        example="3",
        build=_fano,
        required=1,
    ),
)
