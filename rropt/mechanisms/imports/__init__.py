"""Matrices from elsewhere: arrays, files and parametrisations of other tools, as they are, before anything is mended.

A ``Mechanism`` is exactly stochastic; a matrix of floats hardly ever is. It is read as a ``RawMatrix``, audited
(``rropt.mechanisms.audit``) and, where it falls short, repaired (``rropt.repair``). None of the tools is imported.
"""

from __future__ import annotations

from rropt.mechanisms.imports.parametrisations import from_grr, from_opendp, from_unary_encoding, unary_epsilon
from rropt.mechanisms.imports.raw_matrices import RawMatrix, from_array, from_qif
from rropt.mechanisms.imports.reading import load_raw_matrix

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
