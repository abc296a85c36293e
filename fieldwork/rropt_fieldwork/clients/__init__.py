"""Clients without dependencies, in three languages: they sample responses and compute the collector's estimate."""

from __future__ import annotations

from rropt.mechanisms.client_tables import ClientTable, table_of
from rropt_fieldwork.clients.exporting import LANGUAGES, Client, export
from rropt_fieldwork.clients.vectors import ClientVector, vectors_of

__all__ = ["LANGUAGES", "Client", "ClientTable", "ClientVector", "export", "table_of", "vectors_of"]
