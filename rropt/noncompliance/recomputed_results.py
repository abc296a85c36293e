"""Records of results about non-compliance: a record is its question, and it is computed again when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from inspect import signature
from typing import Any

from rropt.core.certificates import Certificate
from rropt.core.certificates.record_proofs import proof_of_record
from rropt.core.errors import FileFormatError, shown
from rropt.core.results import equal_in_json, own_part, read_result
from rropt.core.results.json_reading import BESIDE

_PROOFS = ("certificate", "certificates", "at_theta", "contradictions")
_NOT_UNIQUE = {*_PROOFS, "populations", "population", "against", "decimals"}


class RecomputedResult:
    """A result that is determined by its question: a record is computed again when it is read.

    The values of the record must be equal to the computed ones, and the checker must accept its certificates for the
    computed problems. Optima may have several solutions, so the populations are the computed ones, not those of the
    record. The class method ``recompute`` answers the question. This class stands before ``Result`` among the bases.
    """

    __slots__ = ()

    @classmethod
    def from_dict(cls, data: Any) -> Any:
        """Read the question of a record, compute the result again, and compare.

        Raises:
            FileFormatError: a value differs, or the checker rejects a certificate.
        """
        given = own_part(cls, data)
        if not isinstance(given, Mapping):
            return read_result(cls, given)
        unique = {key: item for key, item in given.items() if key not in (*_NOT_UNIQUE, *BESIDE)}
        question = {*signature(cls.recompute).parameters}  # type: ignore[attr-defined]
        question |= {each.name for base in cls.__mro__[1:] if is_dataclass(base) for each in fields(base)}
        made = read_result(cls, {key: item for key, item in unique.items() if key in question})
        record = made.to_dict()
        differs = next((k for k in unique if not equal_in_json(_values(record.get(k, ())), _values(unique[k]))), None)
        proofs, own = list(_proofs(given)), list(_proofs(record))
        if differs is not None or len(proofs) != len(own) or (_NOT_UNIQUE & given.keys()) - record.keys():
            raise FileFormatError(
                f"a {cls.__name__} differs from the recomputed result in {differs or 'its certificates'}: received "
                f"{shown(given.get(differs or 'certificate'))}; use the file as it was written"
            )
        for proof, computed in zip(proofs, own, strict=True):
            proof_of_record(Certificate.from_dict(proof), computed["problem"], cls.__name__)
        return made


def _values(record: Any) -> Any:
    """Return a record without certificates and without solutions that attain an optimum."""
    if isinstance(record, Mapping):
        return {key: _values(item) for key, item in record.items() if key not in _NOT_UNIQUE}
    return [_values(item) for item in record] if isinstance(record, (list, tuple)) else record


def _proofs(record: Any) -> Any:
    """Iterate over the certificates in a record, in the order of its keys."""
    for key, item in sorted(record.items() if isinstance(record, Mapping) else ()):
        if key in _PROOFS:
            yield from item if isinstance(item, (list, tuple)) else [] if item is None else [item]
        else:
            yield from _proofs(item)
