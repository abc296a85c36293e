"""The 0/1 loss beside CVXPY in one process: ``python benchmarks/losses.py [K...]``.

rropt solves by all routes, with a certificate, its check and both comparisons; the kept program of the cross-check is
dropped before each run. The peer is the program that a user of CVXPY writes, in floats. Lines of the table of peers.
"""

from __future__ import annotations

import sys
import warnings

from side_by_side import line, pairs, seconds
from twins import loss_of_a_user, shares

import rropt
from rropt.convex.designs.problem import _KEPT

ASKED = 6


def main(sizes: list[int]) -> None:
    """Print a line for each number of categories."""
    warnings.simplefilter("ignore")
    for k in sizes:
        problem = rropt.Problem.kary(epsilon=1, objective="loss:zero-one", population=shares(k))

        def fresh(problem: object = problem) -> None:
            _KEPT.clear()
            rropt.solve(problem)

        ours, theirs = pairs(lambda: seconds(fresh), lambda k=k: seconds(lambda: loss_of_a_user(k)))
        line(f"0/1 loss, k = {k}", ours, theirs, ASKED)


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [20])
