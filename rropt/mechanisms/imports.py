"""Import matrices: arrays, files and parametrizations of other tools, unchanged, before any repair.

The columns of a ``Mechanism`` sum to exactly 1, which is rarely true for a matrix of floats. Such a matrix is read as a
``RawMatrix`` and audited (``rropt.mechanisms.raw_matrices``). If it is not an exact mechanism, it can be repaired
(``rropt.designs.repairs``). None of the other tools is imported.

multi-freq-ldpy and pure-ldp describe a local protocol by two numbers: p, the probability that the true category (the
true bit) is kept, and q, the probability that a given other category (a false bit) is reported. OpenDP uses one number:
the probability of the truthful response. The remaining probability is spread evenly over the *other* categories.

Functions that need a mechanism check the type of the argument on entry, so any other object raises a clear error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from fractions import Fraction
from operator import index
from typing import Any, SupportsIndex

from rropt.core.errors import (
    FileFormatError,
    InvalidMechanismError,
    InvalidParameterError,
    UnsupportedProblemError,
    required,
    shown,
)
from rropt.core.exact import Epsilon, rational_where
from rropt.core.exact.number_input import without_decimal_commas
from rropt.core.files import read_content
from rropt.core.limits import MAX_ENTRY_DIGITS, MAX_MATRIX_ENTRIES
from rropt.mechanisms.families import MembershipMechanism
from rropt.mechanisms.mechanism import Mechanism, rows_from_dict
from rropt.mechanisms.named import DESIGNS, named_mechanism
from rropt.mechanisms.named.builders import unary
from rropt.mechanisms.raw_matrices import MatrixAudit, RawMatrix, audit, from_array

__all__ = [
    "RawMatrix",
    "from_array",
    "from_grr",
    "from_opendp",
    "from_qif",
    "from_unary_encoding",
    "load_raw_matrix",
    "unary_epsilon",
]

_NAME = re.compile(r"[a-z][a-z-]*(:.*)?", re.IGNORECASE)  # does not match a file name with a dot


def from_qif(channel: Any, *, name: str | None = None) -> RawMatrix:
    """Read a channel of ``qif`` (libqif): row-stochastic, ``C[x, y] = Pr(output y | input x)``, float or rational."""
    return from_array(channel, transposed=True, name=name)


def from_grr(categories: int, p: object, q: object) -> RawMatrix:
    """Return k-ary randomized response (GRR, direct encoding) with probability p of the truth.

    Args:
        categories: k >= 2.
        p: probability of the true category, in [0, 1].
        q: probability of each other category, in [0, 1]; ``p + (k - 1) q`` is 1 up to rounding.

    Returns:
        A raw matrix of shape (k, k), because with the floats of another tool ``p + (k - 1) q`` is rarely exactly 1.

    >>> from_grr(3, "1/2", "1/4").normalised().parity()
    Fraction(2, 1)
    """
    k = _categories(categories)
    keep, move = (_probability(value, name) for value, name in ((p, "p"), (q, "q")))
    entries = tuple(tuple(keep if i == j else move for j in range(k)) for i in range(k))
    return RawMatrix(entries, f"GRR of {k} categories")


def from_opendp(categories: int, probability: object) -> Mechanism:
    """Return the mechanism of OpenDP's ``make_randomized_response``.

    The response is the truth with the given probability and otherwise another category, chosen uniformly.
    ``make_randomized_response_bool`` is the case of two categories. Every column sums to 1 because
    ``q = (1 - p)/(k - 1)`` is computed exactly.

    >>> print(from_opendp(2, 0.75).epsilon())
    log(3)
    """
    k, keep = _categories(categories), _probability(probability, "probability")
    return DESIGNS["grr"](k, keep)


def from_unary_encoding(categories: int, p: object, q: object) -> Mechanism:
    """Return unary encoding (SUE = basic RAPPOR, OUE), which randomizes each bit of the one-hot vector with (p, q).

    A bit that is 1 is reported as 1 with probability p, a bit that is 0 with probability q, independently. Row i
    is the bit vector with ``i = sum of bit_x 2^x`` (little-endian); rows of probability 0 are omitted.

    Args:
        categories: k >= 2; the matrix has 2^k rows.
        p, q: in [0, 1].

    Returns:
        The mechanism of shape (2^k, k). Its exact level is ``unary_epsilon(p, q)``.

    Raises:
        InvalidParameterError: p or q is not a probability, or the matrix has more than 10^6 entries. In the latter case
            ``unary_epsilon`` returns the level.

    >>> oue = from_unary_encoding(3, "1/2", "1/4")
    >>> oue.shape, oue.epsilon() == unary_epsilon("1/2", "1/4"), str(oue.epsilon())
    ((8, 3), True, 'log(3)')
    """
    k = _categories(categories)
    if k * 2**k > MAX_MATRIX_ENTRIES:
        raise InvalidParameterError(
            f"categories is too large for an explicit matrix: received {k}, so 2^{k} outputs; "
            f"at most {MAX_MATRIX_ENTRIES} entries are held; unary_epsilon computes the level without the matrix"
        )
    one, zero = (_probability(value, name) for value, name in ((p, "p"), (q, "q")))
    return Mechanism(unary(k, one, zero), name=f"unary encoding of {k} categories")


def unary_epsilon(p: object, q: object) -> Epsilon:
    """Return the exact epsilon of unary encoding with k >= 2 categories.

    Two one-hot vectors differ in two bits, so the largest ratio is ``max(r, 1/r)`` with
    ``r = p (1 - q) / ((1 - p) q)``.
    """
    one, zero = (_probability(value, name) for value, name in ((p, "p"), (q, "q")))
    if one == zero:
        return Epsilon.of_parity(Fraction(1))
    above, below = one * (1 - zero), (1 - one) * zero
    if not above or not below:
        return Epsilon.of_parity(None)
    return Epsilon.of_parity(max(above / below, below / above))


def _categories(categories: object) -> int:
    size = 0 if isinstance(categories, bool) or not isinstance(categories, SupportsIndex) else index(categories)
    if size < 2:
        raise InvalidParameterError(
            f"categories is not a size: received {shown(categories)}; allowed is an integer >= 2"
        )
    if size * size > MAX_MATRIX_ENTRIES:
        raise InvalidParameterError(
            f"categories is too large: received {categories}; at most {MAX_MATRIX_ENTRIES} entries are held explicitly"
        )
    return size


def _probability(value: object, name: str) -> Fraction:
    return rational_where(value, lambda p: 0 <= p <= 1, f"0 <= {name} <= 1", name=name, digits=MAX_ENTRY_DIGITS)


def mechanism_of_argument(text: str) -> Mechanism:
    """Return the mechanism in a file, or a named design if no file has this name.

    Args:
        text: the path of a file, or the name of a design with its parameters.

    Raises:
        FileAccessError, FileFormatError, InvalidMechanismError: as in ``load_mechanism``.
        InvalidParameterError: as in ``named_mechanism``.
    """
    exists = os.path.exists(text)  # noqa: PTH110  # Path.exists raises for names that no file can have
    return named_mechanism(text) if _NAME.fullmatch(text) and not exists else load_mechanism(text)


def audit_of_argument(mechanism: str, *, transposed: bool = False) -> MatrixAudit:
    """Audit the numbers in a file as they are, or a named design if no file has this name.

    Args:
        mechanism: the path of a file, or the name of a design with its parameters.
        transposed: whether the rows are inputs.

    Raises:
        UnsupportedProblemError: a design with more than 4 096 entries that is given by formulas.
        Also as ``load_raw_matrix`` and ``named_mechanism``.
    """
    if os.path.exists(mechanism):  # noqa: PTH110  # Path.exists raises for names that no file can have
        return audit(load_raw_matrix(mechanism, transposed=transposed))
    named = mechanism_of_argument(mechanism)
    if isinstance(named, MembershipMechanism) and not named.is_small:
        raise UnsupportedProblemError(
            f"the mechanism is given by formulas and too large for a matrix: received {shown(mechanism)}; allowed are "
            "its levels: parity, epsilon, delta and the profile"
        )
    return audit(named.design_matrix if transposed else named)


def load_mechanism(path: str | os.PathLike[str]) -> Mechanism:
    """Load a mechanism from a ``.json``, ``.csv`` or ``.npy`` file; text that begins with a brace is read as JSON.

    A JSON file contains a mechanism in any form, such as ``{"matrix": [...]}`` or ``{"product": [...]}``, as written by
    ``to_dict``, optionally with a ``name``. It may also contain a certificate of a design. Then the claimed mechanism
    is returned; ``check`` decides whether the claim is true.

    The floats of a ``.npy`` file are read as their shortest decimals, which must be exactly stochastic.

    Args:
        path: the file.

    Raises:
        FileFormatError: the file cannot be read, is empty, or is neither JSON nor CSV nor an array of numbers.
        InvalidMechanismError: the content is not a mechanism.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidParameterError(f"the mechanism has no file name: received {shown(path)}; give the name of a file")
    kind, data = read_content(path, what="mechanism")
    name = os.fspath(path)
    if kind == "json":
        made = Mechanism.from_dict(claimed_mechanism(data))
        return made if made.name else made.named(name)
    if kind == "csv":
        return Mechanism(_csv_rows(data, name), name=name)
    raw = from_array(data, name=name)
    if not raw.is_mechanism:
        raise InvalidMechanismError(
            f"the array is not exactly stochastic: received {shown(str(path))}, columns that miss the sum 1; "
            "allowed are columns that sum to exactly 1 in decimals; `rropt privacy` audits the array as it is, and "
            "with `repair` gives the nearest exact mechanism"
        )
    return Mechanism(raw.entries, name=raw.name)


def _csv_rows(rows: list[list[str]], name: str) -> list[list[str]]:
    """Return the nonempty rows of a CSV file; reject decimal commas such as in ``0,75,0,25``."""
    rows = [row for row in rows if any(row)]
    meant = [
        without_decimal_commas(",".join(row)) if len(row) > 2 and all(map(str.isdigit, row)) else None for row in rows
    ]
    if all(meant) and any(int(cell) > 1 for row in rows for cell in row):
        raise FileFormatError(
            f"the commas of the matrix look like decimal commas: received {shown(name)} with the row "
            f"{','.join(rows[0])[:40]}; separate its columns by semicolons, {(meant[0] or '')[:40]}, or write points"
        )
    return rows


def claimed_mechanism(data: Any) -> Any:
    """Return the JSON of the mechanism that a certificate claims; return any other JSON unchanged."""
    claim = data.get("claim") if isinstance(data, dict) and "format" in data else None
    return claim["mechanism"] if isinstance(claim, dict) and "mechanism" in claim else data


def load_raw_matrix(path: str | os.PathLike[str], *, transposed: bool = False) -> RawMatrix:
    """Load the matrix in a ``.json``, ``.csv`` or ``.npy`` file, whether or not it is exactly a mechanism.

    Args:
        path: the file.
        transposed: whether the rows are inputs.

    Raises:
        FileFormatError: the file cannot be read, does not have the format of its extension, or is a ``.npy`` file of
            Python objects.
        InvalidMechanismError: the content is not even approximately a mechanism.
        UnsupportedProblemError: the file contains a mechanism in another form, and its matrix is too large to be
            written out.
    """
    name = os.fspath(path)
    kind, data = read_content(path, what="mechanism")
    if kind == "json":
        data = claimed_mechanism(data)
        written = isinstance(data, dict) and "matrix" not in data and set(data) & set(Mechanism.FORMS)
        data = Mechanism.from_dict(data).matrix if written else rows_from_dict(data)
    elif kind == "csv":
        data = _csv_rows(data, name)
    return from_array(data, transposed=transposed, name=name)


_MECHANISM = "Mechanism(matrix), named_mechanism('warner:3/4') or load_mechanism(file)"


def required_mechanism(value: object, name: str = "the mechanism") -> Mechanism:
    """Return a mechanism that is given as an object or as a text, such as ``"warner:3/4"`` or the path of a file.

    Raises:
        InvalidParameterError: the argument has another type, for example a matrix.
        Also as ``mechanism_of_argument``, if the argument is a text.
    """
    return mechanism_of_argument(value) if isinstance(value, str) else required(value, Mechanism, name, _MECHANISM)


def required_mechanisms(values: object, name: str = "the mechanisms") -> Sequence[Mechanism]:
    """Return a list of mechanisms, each given as an object or as a text.

    Raises:
        InvalidParameterError: the argument is not a list or tuple, or an item is not a mechanism.
    """
    if not isinstance(values, (list, tuple)):
        raise InvalidParameterError(
            f"{name} are not in a list: received {shown(values)}, of type {type(values).__name__}; allowed is a list "
            f"of Mechanism; write [first, second], each {_MECHANISM}"
        )
    return [required_mechanism(value, f"number {i} of {name}") for i, value in enumerate(values)]


def parse(text: str) -> Mechanism:
    """Return the mechanism in a file, or a named design if no file has this name.

    Args:
        text: ``"warner:3/4"``, ``"forced:2/3,1/6,1/6"``, ``"bits:3/4*10"``, or the path of a JSON, CSV or npy file.

    Raises:
        InvalidParameterError: the name of the design is unknown, or the number or a value of its parameters is invalid.
        FileAccessError, FileFormatError, InvalidMechanismError: the file cannot be read as a mechanism.

    >>> print(Mechanism.parse("warner:3/4").epsilon())
    log(3)
    """
    return mechanism_of_argument(text)


setattr(Mechanism, "parse", staticmethod(parse))  # noqa: B010  # Mechanism is in a lower layer than files and names
