"""``export``: a client of a mechanism as one short file of C, JavaScript or Python, without dependencies.

A client contains the identity of the mechanism (SHA-256 of its JSON), the exact sampler with the platform's
cryptographic randomness, test vectors, and the collector's estimate with its standard error. Its commands are

    test            check the test vectors; print ``ok`` (exit status 0) or the first vector that fails (exit status 1)
    draw X N        print N reports of the category X; of the number X, if the mechanism has numbers
    estimate ...    from the counts of all outputs; or HITS N: HITS of N reports contain a category

A client of a mechanism with numbers takes numbers and reports numbers, as texts. If the mechanism rounds (a design of a
range), a number between two of the grid is rounded to one of them at random, without bias, in whole numbers.

Samplers are not constant-time: the memory addresses that they read and their running time depend on random numbers and
on the category.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rropt.core.argument_checks import clear_calls, require_texts
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.results import Result, labelled
from rropt.mechanisms import Mechanism
from rropt.mechanisms.client_tables import table_of
from rropt.mechanisms.imports import required_mechanism
from rropt_fieldwork.clients.templates import ENDINGS, program
from rropt_fieldwork.clients.vectors import checks_of, sections, vectors_of

LANGUAGES = tuple(ENDINGS)


@dataclass(frozen=True, slots=True)
class Client(Result):
    """The source of a client.

    Attributes:
        mechanism: P.
        language: the language of the source.
    """

    mechanism: Mechanism
    language: str

    LABELS: ClassVar[Mapping[str, str]] = labelled(
        language="language", identity="identity", vectors="test vectors", source=""
    )

    def lines(self) -> list[tuple[str, str]]:
        """Return the labelled values: of the mechanism one line, since the client has its probabilities."""
        return [("mechanism", self.mechanism.headline), *Result.lines(self)]

    @property
    def identity(self) -> str:
        """SHA-256 of the mechanism."""
        return self.mechanism.identity

    @property
    def vectors(self) -> int:
        """The number of test vectors."""
        return len(vectors_of(table_of(self.mechanism)))

    @property
    def source(self) -> str:
        """The source code as text."""
        mechanism, table = self.mechanism, table_of(self.mechanism)
        responses = () if table.is_set else mechanism.responses  # the text of a set follows from its categories
        names = {"CATEGORIES": mechanism.categories, "RESPONSES": responses}
        named = {key: given for key, given in names.items() if given}
        constants = {"IDENTITY": self.identity, **named, **table.constants, **checks_of(table)}
        by_name = bool(mechanism.categories) and table.kind != "values"
        return program(sections(table) | ({"named"} if by_name else set()), constants, self.language)

    @property
    def ending(self) -> str:
        """The extension of the client's file name."""
        return ENDINGS[self.language]


@clear_calls
def export(mechanism: Mechanism | str, language: str) -> Client:
    """Return the source code of a client of a mechanism.

    Args:
        mechanism: a matrix of at most 4096 entries, k-ary randomized response, a block design (local hashing is an
            affine design of dimension t > 1), subset selection, a unary encoding, or a restricted response. It is
            given as an object, by its name, or by the name of its file; a file may contain a certificate.
        language: ``"c"``, ``"javascript"`` or ``"python"``.

    Returns:
        A ``Client``: ``source`` is the text of the program, ``vectors`` the number of its test vectors, and
        ``identity`` the hash of the mechanism.

    Raises:
        InvalidParameterError: the language is not supported.
        UnsupportedProblemError: the mechanism has no client.

    >>> client = export("warner:3/4", "python")
    >>> client.vectors > 4, "def randomize" in client.source
    (True, True)
    """
    require_texts(language=language)
    made = required_mechanism(mechanism)
    if language not in LANGUAGES:
        raise InvalidParameterError(
            f"there is no client in this language: received {shown(language)}; allowed are {', '.join(LANGUAGES)}"
        )
    table_of(made)
    return Client(made, language)
