"""The independent checker: judges a certificate from its text alone, with Python's standard library only.

It imports nothing of rropt and runs as ``python -m rropt.checker FILE...`` or as a copy of this folder. The format and
the proof of each rule stand in ``FORMAT.md`` and on the pages next to the rules; this is the half that must be right.

* ``documents.py`` reads hostile JSON strictly and counts the work, ``limits.py`` bounds both; ``brackets.py`` proves
  the brackets of exp(epsilon), delta and B;
* each rule has its file: ``vertex_rule.py`` rebuilds every inequality of a binary design problem and decides in
  integers, ``interval_rule.py`` the same over an interval of prevalences; ``linear_rules.py`` reads a linear
  program, ``design_rules.py`` rebuilds that of a design with k inputs (``regions.py``, ``design_dual.py``);
  ``pattern_rule.py`` holds a dual against all patterns; ``polynomials.py`` and ``positivity_rules.py`` expand
  identities and sums; ``garbling_rules.py`` and ``admissibility_rules.py`` multiply matrices (``matrices.py``);
  ``likelihood_rule.py`` bounds a logarithm by quotients; ``cover/`` proves the infimum of a criterion cell by cell;
* ``invariants.py`` stands after all rules and rejects bounds that cannot be true, whatever the rule found.
"""

from .documents import BUDGETS, allowed_budget, is_large_budget
from .verdicts import Verdict, check_file, check_text

__all__ = ["BUDGETS", "Verdict", "allowed_budget", "check_file", "check_text", "is_large_budget"]
