"""Lazy imports: a package lists its names at once and imports a module when one of its names is first used.

``from rropt.core.lazy import numpy as np`` is NumPy, imported when a function first asks it for something. Commands
that compute with exact numbers only do not wait for it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any


class Late:
    """A module that is imported when one of its names is first used."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)  # found directly from now on
        return value


class _LateArrays:
    """``numpy.typing.NDArray``, imported when an annotation is evaluated, as results do for JSON."""

    def __getitem__(self, item: Any) -> Any:
        return import_module("numpy.typing").NDArray[item]


if TYPE_CHECKING:
    import flint as flint
    import numpy as numpy
    from numpy.typing import NDArray as NDArray
else:
    flint, numpy, NDArray = Late("flint"), Late("numpy"), _LateArrays()


def lazy_names(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package whose names are defined in its submodules.

    The ``__init__`` file of the package imports each name once; an import below ``if TYPE_CHECKING`` is carried out
    when the name is first used. The definition may have another name, as in
    ``from rropt.accounting.repeated import compose as compose``. A submodule is imported when it is first asked for as
    an attribute, so that ``rropt.designs.repairs.repair`` works after ``import rropt``.

    Args:
        package: the ``__name__`` of the package.
        file: ``__file__`` of the package; this function parses it.
    """
    page = ast.parse(Path(file).read_text(encoding="utf-8"))
    lines = [line for each in page.body for line in (each.body if isinstance(each, ast.If) else [each])]
    imports = [node for node in lines if isinstance(node, ast.ImportFrom)]
    aliases = [(str(node.module), alias) for node in imports for alias in node.names]
    homes = {alias.asname: (module, alias.name) for module, alias in aliases if alias.asname is not None}

    def getattribute(name: str) -> Any:
        home = homes.get(name)
        if home is None and not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            return import_module(f"{package}.{name}")
        if home is None:
            message = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(message, name=name, obj=sys.modules[package])  # Python proposes a similar name
        value = getattr(import_module(home[0]), home[1])
        setattr(sys.modules[package], name, value)  # found directly from now on
        return value

    names = sorted(homes)
    return getattribute, lambda: names, names
