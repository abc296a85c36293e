"""The names of ``rropt.privacy``: all there, and nothing heavy loaded before one of them needs it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import rropt
import rropt.privacy as privacy
from rropt.privacy import parity_bound


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, json, rropt.privacy; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
    loaded = set(json.loads(done.stdout))
    assert "rropt.privacy" in loaded
    assert not {"flint", "sympy", "numpy", "scipy", "cvxpy"} & loaded


def test_every_name_is_there() -> None:
    assert set(dir(privacy)) == set(privacy.__all__)
    assert len(privacy.__all__) >= 25
    for name in privacy.__all__:
        assert getattr(privacy, name) is not None
    with pytest.raises(AttributeError, match="no attribute"):
        privacy.nothing  # noqa: B018  # the attribute access is what is tested


def test_the_bound_stands_on_the_front_page() -> None:
    bound = parity_bound(privacy.rho_to_rho("1/5", "1/2"))
    assert (bound.value, privacy.criterion_level(bound.criterion, bound).epsilon) == ("4", rropt.Epsilon.of("log(4)"))
