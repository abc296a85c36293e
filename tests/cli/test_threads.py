"""Linear algebra of a command has one thread, unless the user asks for more."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from few_rows import few_rows

_CODE = """
import os, sys
from rropt.cli.main import main
assert "numpy" not in sys.modules, "the variables would be read before they are set"
main(["estimate", "--yes", "3", "--n", "10", "--mechanism", "warner:3/4"])
print(os.environ["OPENBLAS_NUM_THREADS"], os.environ["OMP_NUM_THREADS"])
"""


@few_rows(1)
@pytest.mark.parametrize("asked", [None, "2"])
def test_one_thread_unless_asked(asked: str | None) -> None:
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    environment |= {} if asked is None else dict.fromkeys(names, asked)
    done = subprocess.run([sys.executable, "-c", _CODE], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split()[-2:] == [asked or "1"] * 2
