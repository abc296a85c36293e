"""FORMAT.md and the pages of the statements: examples are valid; the table has the statements of the checker."""

from __future__ import annotations

import json
import re
from pathlib import Path

import rropt
import rropt.checker
from rropt.checker import verdicts

FOLDER = Path(rropt.checker.__file__).parent
PAGE = FOLDER / "FORMAT.md"
PAGES = sorted(FOLDER.rglob("*.md"))


def examples() -> list[tuple[str, dict]]:
    """Return the certificates of the pages, with their statements."""
    blocks = [b for page in PAGES for b in re.findall(r"```json\n(.*?)```", page.read_text(), re.DOTALL)]
    documents = [json.loads(block) for block in blocks]
    listed = [each for each in documents if isinstance(each, dict) and "format" in each]
    return [(each["statement"], each) for each in listed]


def test_examples_are_accepted() -> None:
    accepted = 0
    for _, example in examples():
        verdict = rropt.check(example)
        assert verdict, verdict.reason
        accepted += 1
    assert accepted >= 20


def test_the_table_of_statements_is_true() -> None:
    table = PAGE.read_text().partition("| `statement` |")[2].partition("\n\n")[0]
    listed = set()
    for line in table.splitlines()[2:]:
        names, page = re.findall(r"`([a-z-]+)`", line.split("|")[1]), FOLDER / re.findall(r"\]\(([^)]+)\)", line)[0]
        assert page.with_suffix(".py").exists() or page.parent != FOLDER  # beside its code
        assert all(f"`{name}`" in page.read_text() for name in names)
        listed |= set(names)
    assert listed == set(verdicts._STATEMENTS)


def test_limits_on_the_page_are_the_limits_of_the_checker() -> None:
    from rropt.checker import limits

    compared = set()
    for name, text in re.findall(r"\| `(MAX_[A-Z_]+)` \| ([^|]+) \|", PAGE.read_text()):
        base, _, exponent = text.removesuffix(" MiB").replace(" ", "").partition("^")
        stated = int(base) ** int(exponent or 1) * (2**20 if "MiB" in text else 1)
        assert getattr(limits, name) == stated, name
        compared.add(name)
    assert compared == {name for name in dir(limits) if name.startswith("MAX_")}
