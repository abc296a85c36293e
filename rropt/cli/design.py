"""``rropt design``: optimal mechanisms with certificates."""

from __future__ import annotations

import argparse

from rropt.cli.options import add_kinds

KINDS = {
    "binary": "two categories, two answers",
    "kary": "k categories: trace, expected loss, or total variance of an estimate",
    "bits": "several yes-or-no questions under one privacy budget",
    "device": "dice, a deck, coins: the best use of a randomizer at hand",
    "others": "least width when some respondents do not follow it",
    "pram": "invariant post-randomisation of microdata: the most records unchanged",
    "problem": "a problem file",
}


def add(design: argparse.ArgumentParser) -> None:
    """Add the kinds of design."""
    add_kinds(design, "KIND", KINDS, "design_")
