"""CVXPY, imported when a function first asks it for something, for the programs of the cross-check and of splits.

It is imported without ``scipy.stats``, which takes more than half of the time of a design from the shell: cvxpy uses
only one function of it, which no program of rropt calls. A contract of imports names the modules that may take it.
"""

from __future__ import annotations

from typing import Any

from rropt.core.lazy import Late

cvxpy: Any = Late("cvxpy", without="scipy.stats")
