"""Every problem posed once more in SymPy; the file names are those of the files that define the problems.

``to_sympy()`` of a problem or result returns a ``Posing``: the definition, and a closed form with its domain where
there is one. The names of ``rropt.convex.MIRRORS`` hold here too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.symbolic.posing import Form as Form
    from rropt.symbolic.posing import Posing as Posing

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
