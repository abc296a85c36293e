"""Clients without dependencies that draw from a mechanism, and the collector's estimate, in five languages."""

from __future__ import annotations

from rropt.mechanisms.clients.export import LANGUAGES, Client, export
from rropt.mechanisms.clients.tables import ClientTable, Vector, table_of, vectors_of

__all__ = ["LANGUAGES", "Client", "ClientTable", "Vector", "export", "table_of", "vectors_of"]
