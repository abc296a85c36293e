"""The version of the installed package. It is in the lowest package, so every other package can import it."""

from __future__ import annotations

from functools import cache


@cache
def installed_version() -> str:
    """Return the version of the installed distribution; ``"0"`` if rropt runs from a copied folder."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rropt")
    except PackageNotFoundError:
        return "0"
