"""Bundles: several certificates in one file, so that one SHA-256 names the proof of a lemma (bundles.md)."""

import json
from collections.abc import Iterator
from typing import Any

from .documents import Rejected, fields, items, whole
from .limits import MAX_BUNDLE

BUNDLE_KEYS = ("format", "count", "bundle")


def is_bundle(document: Any) -> bool:
    """Return whether a document is meant as a bundle."""
    return isinstance(document, dict) and ("bundle" in document or "count" in document)


def certificates_of(document: Any, version: str) -> list[Any]:
    """Return the certificates of a bundle; reject it unless they are as many as it says, and all different."""
    found, count, listed = fields(document, BUNDLE_KEYS, "the bundle")
    if found != version:
        raise Rejected(f"the format is not {version}")
    certificates = items(listed, "the bundle", most=MAX_BUNDLE)
    if not certificates:
        raise Rejected("the bundle has no certificate")
    if whole(count, "the count of the bundle", MAX_BUNDLE) != len(certificates):
        raise Rejected(f"the bundle has {len(certificates)} certificates, and its count is {count}")
    seen: dict[str, int] = {}
    for i, (certificate, text) in enumerate(zip(certificates, map(_canonical, certificates), strict=True), 1):
        if is_bundle(certificate):
            raise Rejected(f"certificate {i} of the bundle is a bundle")
        if text in seen:
            raise Rejected(f"certificate {i} of the bundle is certificate {seen[text]} again")
        seen[text] = i
    return certificates


def _canonical(certificate: Any) -> str:
    return json.dumps(certificate, sort_keys=True)


def told(notes: list[str]) -> str:
    """Return the note of an accepted bundle: how many statements it has, and what qualifies some of them."""
    return "; ".join(_told(notes))


def _told(notes: list[str]) -> Iterator[str]:
    yield f"{len(notes)} statement{'s' * (len(notes) > 1)}"
    if noted := [str(i) for i, note in enumerate(notes, 1) if note]:
        yield f"with a remark: {', '.join(noted)}"
