"""``rropt design``: optimal mechanisms with certificates."""

from __future__ import annotations

import argparse

from rropt.cli.options import add_kinds

KINDS = {
    "binary": "a yes-or-no question",
    "kary": "k categories: trace, expected loss, variance, or information",
    "bits": "several yes-or-no questions under one privacy budget",
    "device": "the best use of dice, cards or coins",
    "noncompliance": "the narrowest bounds when some respondents do not follow the device",
    "pram": "invariant post-randomization of microdata: the most records unchanged",
    "problem": "a problem file",
    "list": "the named designs and their parameters",
}


def add(design: argparse.ArgumentParser) -> None:
    """Add the subcommands, one for each kind of design."""
    add_kinds(design, "KIND", {"": KINDS}, "design_")
