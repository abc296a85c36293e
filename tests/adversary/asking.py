"""One question to the checker, held against what every answer must be: no exception, one printable line."""

from __future__ import annotations

import sys

from rropt.checker import Verdict, check_text
from rropt.checker.verdicts import UNFORESEEN

MAX_REASON = 400  # characters: a line or two of a terminal


def ask(data: str | bytes) -> Verdict:
    """Return the verdict of the checker; fails if it breaks a promise that holds for every file."""
    digits = sys.get_int_max_str_digits()
    verdict = check_text(data)
    shown = data[:300]
    assert isinstance(verdict, Verdict)
    assert sys.get_int_max_str_digits() == digits, f"the limit on digits is not restored after {shown!r}"
    assert verdict.accepted == (verdict.reason == ""), verdict
    assert not verdict.reason.startswith(UNFORESEEN), f"{verdict.reason} for {shown!r}"
    assert verdict.reason.isprintable(), f"an unprintable reason: {verdict.reason!r}"
    assert len(verdict.reason) <= MAX_REASON, f"a reason of {len(verdict.reason)} characters for {shown!r}"
    return verdict
