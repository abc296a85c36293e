"""The independent checker: it verifies a certificate from its text alone, with Python's standard library only.

The checker imports nothing from rropt. It runs as ``python -m rropt.checker FILE...`` or from a copy of this folder.
``FORMAT.md`` states the format, and the page next to each statement proves it. This package is the trusted half of the
system: it must be correct.

Read ``verdicts.py`` first: it reads the statement of a file, calls its module and then ``invariants.py``, which rejects
bounds that cannot be true whatever was proved. ``sentences.py`` states what an accepted file claims.

**Statements**, each a module and a page of its name: ``design_bracket`` (with ``design_region`` and ``design_bound``),
``binary_bracket``, ``budget_split``, ``linear_programs`` (optimal values, infeasible regions), ``garbling``,
``mechanism_levels``, ``divergence_level``, ``composition``, ``shuffled``, ``parity_bound`` (a folder), ``polynomial``,
``likelihood_gap``, ``every_level`` and ``every_level_closed`` (with ``quadratics``), ``family``.

**Ways** in which the inequality of a design bracket is proved: ``rays_way`` (with ``rays``, ``rays_sums`` and
``information``), ``linear_way``, ``groups_way`` (with ``counts``), ``formula_way`` (with ``block_families``),
``cells_way``, ``branches_way``, ``values_way``, ``blocks_way``, ``rational_sums``.

**Shared**: ``documents`` parses untrusted JSON strictly and counts the work, ``limits`` bounds size and work,
``brackets`` proves the brackets of levels, ``matrices`` and ``polynomials`` read and compute exactly, ``intervals``
encloses logarithms and powers, ``tail_sums`` and ``long_products`` enclose laws of counts.

``__main__`` is the command, and ``conformance`` asks any checker of stored files.
"""

from typing import TYPE_CHECKING, Any

from .documents import BUDGETS, allowed_budget, is_large_budget

if TYPE_CHECKING:
    from .verdicts import Verdict, check_file, check_text

__all__ = ["BUDGETS", "Verdict", "allowed_budget", "check_file", "check_text", "is_large_budget"]


def __getattr__(name: str) -> Any:
    """Load the statements when a verdict is first asked for: others use single modules, such as ``intervals``."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import verdicts

    return getattr(verdicts, name)
