"""Where claims come from: packages that announce themselves in the entry-point group ``rropt.claims``.

The library names no registry, so a third party can add one: a package whose entry point names a package of modules,
each with an object ``CLAIM``.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType

from rropt.claims.claim import Claim
from rropt.errors import InvalidParameterError, shown

__all__ = ["claims_of", "find_claims", "registered_claims"]

GROUP = "rropt.claims"


def claims_of(package: ModuleType) -> Iterator[tuple[Claim, ModuleType]]:
    """Iterate over the claims of a package: every module below it that has an object ``CLAIM``."""
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if found.name.rpartition(".")[2].startswith("_"):
            continue
        module = import_module(found.name)
        claim = getattr(module, "CLAIM", None)
        if isinstance(claim, Claim):
            yield claim, module


def registered_claims() -> dict[str, tuple[Claim, ModuleType]]:
    """Return all claims of all installed registries, by id, with the module that each is written in.

    Raises:
        InvalidParameterError: two claims have the same id.
    """
    found: dict[str, tuple[Claim, ModuleType]] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        for claim, module in claims_of(entry.load()):
            if claim.id in found:
                raise InvalidParameterError(f"two claims have the id {claim.id}: in {module.__name__} and another file")
            found[claim.id] = (claim, module)
    return dict(sorted(found.items()))


def find_claims(patterns: Iterable[str]) -> dict[str, tuple[Claim, ModuleType]]:
    """Return the claims that match a paper, an id or a shell glob; all when there is no pattern.

    Raises:
        InvalidParameterError: a pattern matches nothing, or no registry is installed.
    """
    everything = registered_claims()
    if not everything:
        raise InvalidParameterError(
            "no claims are registered: install rropt itself (pip install .), which brings its registry along"
        )
    wanted = list(patterns)
    if not all(isinstance(pattern, str) for pattern in wanted):
        raise InvalidParameterError(
            f"a pattern is not text: received {shown(wanted)}; allowed are ids, papers and globs"
        )
    chosen: dict[str, tuple[Claim, ModuleType]] = {}
    for pattern in wanted:
        matching = {
            name: value
            for name, value in everything.items()
            if pattern in (name, value[0].paper) or fnmatchcase(name, pattern)
        }
        if not matching:
            papers = sorted({claim.paper for claim, _ in everything.values()})
            raise InvalidParameterError(
                f"no claim matches {shown(pattern)}: papers are {', '.join(papers)}; "
                "allowed are a paper, an id or a glob such as 'ziani.*'"
            )
        chosen |= matching
    return dict(sorted(chosen.items())) if wanted else everything
