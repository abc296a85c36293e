"""Bundles: the certificates of a lemma, or of a paper, in one file with one SHA-256."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass

from rropt.checker import Verdict, check_text
from rropt.core.certificates.record import FORMAT, Certificate
from rropt.core.errors import InvalidParameterError
from rropt.core.files import write_text


@dataclass(frozen=True, slots=True)
class Bundle:
    """Several certificates as one file, which the checker reads (checker/bundles.md).

    Attributes:
        certificates: at least one certificate; equal ones are kept once.

    >>> from rropt.designs import Problem, solve
    >>> levels = ("log(2)", "log(3)", "log(2)")
    >>> proofs = [solve(Problem.binary("1/4", epsilon=e), fast=True).certificate for e in levels]
    >>> made = Bundle.of(proofs)
    >>> str(made.check()), len(made.certificates), len(made.sha256)
    ('accepted (2 statements)', 2, 64)
    """

    certificates: tuple[Certificate, ...]

    @classmethod
    def of(cls, certificates: Iterable[Certificate]) -> Bundle:
        """Return the bundle of these certificates; equal ones are kept once.

        Args:
            certificates: the certificates, in the order of the file.

        Raises:
            InvalidParameterError: there is none.
        """
        found: dict[str, Certificate] = {}
        for each in certificates:
            found.setdefault(json.dumps(each.to_dict(), sort_keys=True), each)
        if not found:
            raise InvalidParameterError("a bundle has no certificate: received none; allowed are 1 or more")
        return cls(tuple(found.values()))

    @property
    def file_text(self) -> str:
        """The text of the file: one certificate on a line."""
        head = f'{{"format": "{FORMAT}", "count": "{len(self.certificates)}", "bundle": [\n'
        return head + ",\n".join(each.to_json() for each in self.certificates) + "\n]}\n"

    @property
    def sha256(self) -> str:
        """The SHA-256 of the file, in hexadecimal digits: what a citation names."""
        return hashlib.sha256(self.file_text.encode()).hexdigest()

    def check(self) -> Verdict:
        """Return the verdict of the checker: accepted if each certificate is."""
        return check_text(self.file_text)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file atomically."""
        write_text(path, self.file_text)
