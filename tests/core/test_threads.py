"""Programs that share a process with rropt: no module of others is replaced while something is imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading

def scipy():
    for _ in range(20):
        from scipy.stats import norm
        assert abs(norm.ppf(.975) - 1.959963984540054) < 1e-12

def cvxpy():
    import cvxpy as cp
    x = cp.Variable()
    assert abs(cp.Problem(cp.Minimize(x), [x >= 1]).solve() - 1) < 1e-6

def rropt():
    import rropt
    assert str(rropt.design.binary("1/4", epsilon="log(3)").value) == "15/16"

failed = []
def run(part):
    try: part()
    except BaseException as error: failed.append(repr(error))

parts = [globals()[name] for name in sys.argv[1:]]
threads = [threading.Thread(target=run, args=(part,)) for part in parts]
[each.start() for each in threads], [each.join() for each in threads]
assert not failed, failed
from scipy.stats import norm
assert norm.ppf(.5) == 0
"""


@pytest.mark.slow
@pytest.mark.parametrize("order", ["rropt scipy cvxpy", "scipy rropt"])
def test_scipy_cvxpy_and_rropt_are_imported_in_several_threads(order: str) -> None:
    """A stand-in for ``scipy.stats`` broke this for the rest of the process, 5 times of 5."""
    subprocess.run([sys.executable, "-c", PROGRAM, *order.split()], check=True, timeout=60)
