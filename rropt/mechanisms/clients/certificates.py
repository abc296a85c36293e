"""Certificates of clients (checker/client_rule.md, rule 32): the client samples from the mechanism exactly."""

from __future__ import annotations

from typing import Any

from rropt.core.certificates.record import Certificate
from rropt.core.exact import as_text
from rropt.mechanisms.clients.tables import ClientTable, family_of, table_of
from rropt.mechanisms.families import BlockMechanism
from rropt.mechanisms.mechanism import Mechanism


def certify_client(mechanism: Mechanism) -> Certificate:
    """Certify that the sampler with the integers of a client has the distribution of a mechanism.

    For a mechanism that is sampled by columns, the certificate contains its matrix. For k-ary randomized response and
    subset selection with many categories, it contains the family and its parameters.

    Raises:
        UnsupportedProblemError: the mechanism has no client.

    >>> from rropt.mechanisms import named_mechanism
    >>> print(certify_client(named_mechanism("warner:3/4")).check())
    accepted
    """
    table = table_of(mechanism)
    return certificate_of(mechanism, table).require_accepted()


def certificate_of(mechanism: Mechanism, table: ClientTable) -> Certificate:
    """Build the certificate of a table without checking it."""
    own = mechanism
    if table.kind in ("direct", "subset") and not isinstance(mechanism, BlockMechanism):
        own = family_of(mechanism) or mechanism
    written = {"matrix": _matrix(own)} if table.kind == "columns" else own.to_dict()
    claim = {"kind": "client-law", "table": numbers_of(table)}
    return Certificate.write({"kind": "client", "mechanism": written}, claim, {"rule": "client"})


def numbers_of(table: ClientTable) -> dict[str, Any]:
    """Return the integers of a table as texts, with the names that rule 32 uses."""
    if table.kind == "columns":
        return {"columns": [list(map(str, column)) for column in table.columns]}
    numbers: dict[str, Any] = {name.lower(): str(value) for name, value in table.numbers.items()}
    if table.kind in ("restricted", "cyclic"):
        numbers["runs"] = list(map(str, table.runs))
    return numbers | ({"k": str(table.inputs)} if table.kind in ("direct", "subset", "bits") else {})


def _matrix(mechanism: Mechanism) -> list[list[str]]:
    return [[as_text(x) for x in row] for row in mechanism.matrix]
