"""Proofs that Coq has accepted: tests at the default size compile such a text without them, in a tenth of the time.

``coq_proofs.json`` has the SHA-256 of each text. A text that is not there is compiled whole, and so is each text in
``make stress``; the test of its axioms then asks for the hash.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

from stress import STRESS

_RECORD = Path(__file__).with_suffix(".json")


def _without_comments(text: str) -> str:
    # a comment inside of a comment stays: Coq does not end the outer one where the inner one ends
    return re.sub(r"\(\*(?:(?!\(\*).)*?\*\)", " ", text, flags=re.DOTALL)


def digest(text: str) -> str:
    """Return the SHA-256 of a text without its comments, as the record has it."""
    return sha256(_without_comments(text).encode("utf-8")).hexdigest()


def is_accepted(text: str) -> bool:
    """Return whether Coq has accepted a text with all its proofs, and its axioms were compared."""
    return digest(text) in json.loads(_RECORD.read_text(encoding="utf-8")).values()


def to_compile(text: str) -> str:
    """Return a text, without its proofs where this very text is known to be accepted and the run is no large one."""
    if STRESS or not is_accepted(text):
        return text
    return re.sub(r"\bProof\b[^.]*\..*?\bQed\.", "Admitted.", _without_comments(text), flags=re.DOTALL)


def require_recorded(text: str) -> None:
    """Ask for the hash of a text whose proofs and axioms were found good just now."""
    assert is_accepted(text), f"Coq accepts the proofs: write {digest(text)} to tests/support/{_RECORD.name}"
