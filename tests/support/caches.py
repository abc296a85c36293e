"""Empty the caches of the library: after a test that plants a fault they hold what the faulty functions returned."""

from __future__ import annotations

import sys
from functools import lru_cache

_CACHED = type(lru_cache(lambda: None))


def forget() -> None:
    """Empty the caches of all functions of the library."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "rropt" and module is not None:
            for value in list(vars(module).values()):
                if isinstance(value, _CACHED):
                    value.cache_clear()
    if programs := sys.modules.get("rropt.convex.designs.problem"):  # programs that are kept by hand
        programs._KEPT.clear()
