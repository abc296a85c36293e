"""FORMAT.md: its examples are valid, and the rules it calls implemented are the ones the checker has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import rropt
from rropt.checker import verdicts

PAGE = Path(rropt.__file__).parent / "certificates" / "FORMAT.md"


def _examples() -> list[dict]:
    blocks = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return [json.loads(block) for block in blocks]


def test_examples_of_implemented_rules_are_accepted_and_others_rejected() -> None:
    accepted = rejected = 0
    for example in _examples():
        if not isinstance(example, dict) or "format" not in example:
            continue
        verdict = rropt.check(example)
        rule = example["witness"]["rule"]
        if rule in ("linear-programme", "farkas") and "kind" not in example["problem"]:  # the page says: not yet
            assert not verdict
            assert "design problem" in verdict.reason
            rejected += 1
        elif rule in verdicts._RULES:
            assert verdict, verdict.reason
            accepted += 1
        else:
            assert not verdict
            assert "no such rule" in verdict.reason
            rejected += 1
    assert accepted >= 2
    assert accepted + rejected >= 20


def test_the_status_table_is_true() -> None:
    implemented = set()
    for line in PAGE.read_text().splitlines():
        if line.startswith("| ") and line.endswith("| `implemented` |"):
            implemented |= set(re.findall(r"`([a-z-]+)`", line)) - {"implemented"}
    assert implemented == set(verdicts._RULES)


def test_limits_on_the_page_are_the_limits_of_the_checker() -> None:
    from rropt.checker import limits

    values = {
        "16 MiB": 16 * 2**20,
        "1 000 000": 10**6,
        "2^14": 2**14,
        "2^21": 2**21,
        "20 000": 20_000,
        "2^17": 2**17,
        "2^19": 2**19,
        "2^27": 2**27,
        "2^18": 2**18,
        "250 000": 250_000,
    }
    compared = 0
    for name, text in re.findall(r"\| `(MAX_[A-Z_]+)` \| ([^|]+) \|", PAGE.read_text()):
        stated = values.get(text.strip()) or int(text)
        assert getattr(limits, name) == stated, name
        compared += 1
    assert compared == 19
