"""The page on proofs: its example is run as it stands."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "proofs.md"


def test_the_example_is_proved_as_the_page_says(capsys) -> None:
    (block,) = re.findall(r"```py\n(.*?)```", PAGE.read_text(), re.DOTALL)
    exec(compile(block, str(PAGE), "exec"), {"__name__": "example"})
    printed = capsys.readouterr().out.splitlines()
    expected = [line.partition("#")[2].strip() for line in block.splitlines() if line.startswith("print")]
    assert printed == expected
