"""The independent checker: it verifies a certificate from its text alone, with Python's standard library only.

The checker imports nothing from rropt. It runs as ``python -m rropt.checker FILE...`` or from a copy of this folder.
``FORMAT.md`` states the format, and the page next to each statement proves it. This package is the trusted half of the
system: it must be correct.

* ``documents.py`` parses untrusted JSON strictly and counts the work. ``limits.py`` bounds size and work.
  ``brackets.py`` proves the brackets of exp(epsilon), delta and B.
* Each rule has its own file. ``linear_programs.py`` checks linear programs, and regions without a point or a
  mechanism. ``polynomial.py`` expands identities and sums of products (``polynomials.py``).
  ``garbling.py`` and ``mechanism_levels.py`` multiply matrices (``matrices.py``).
  ``likelihood_gap.py`` bounds a logarithm by quotients. ``parity_bound/`` proves the infimum of a
  criterion cell by cell.
* Format 2 has a record for each statement. ``design_bracket.py`` is one, with ``design_region.py`` and
  ``design_bound.py``; ``rays_way.py``, ``linear_way.py``, ``cells_way.py`` and ``branches_way.py`` are the ways in
  which its inequality is proved. ``binary_bracket.py`` compares the vertices of a polygon.
  ``formula_way.py`` and ``block_families.py`` have formulas for very many categories, ``budget_split.py`` has one
  budget for several questions, and ``divergence_level.py`` bounds Renyi divergences.
* ``sentences.py`` states what an accepted file claims, with the words of ``sentences.json``.
* ``invariants.py`` runs after every rule. It rejects bounds that cannot be true, whatever the rule found.
"""

from .documents import BUDGETS, allowed_budget, is_large_budget
from .verdicts import Verdict, check_file, check_text

__all__ = ["BUDGETS", "Verdict", "allowed_budget", "check_file", "check_text", "is_large_budget"]
