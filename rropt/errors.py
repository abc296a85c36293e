"""The errors and the warning that rropt raises on purpose; each error is also a built-in exception.

>>> import rropt
>>> try:
...     rropt.Mechanism("warner:2")
... except rropt.errors.InvalidParameterError as error:
...     print(isinstance(error, ValueError), isinstance(error, rropt.errors.RroptError))
True True
"""

from rropt.core.errors import (
    CertificateError,
    FileAccessError,
    FileFormatError,
    InfeasibleError,
    InvalidMechanismError,
    InvalidParameterError,
    MissingExtraError,
    RouteDisagreementError,
    RroptError,
    RroptWarning,
    UnsupportedProblemError,
)

__all__ = [
    "CertificateError",
    "FileAccessError",
    "FileFormatError",
    "InfeasibleError",
    "InvalidMechanismError",
    "InvalidParameterError",
    "MissingExtraError",
    "RouteDisagreementError",
    "RroptError",
    "RroptWarning",
    "UnsupportedProblemError",
]
