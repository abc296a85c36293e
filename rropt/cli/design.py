"""``rropt design``: optimal mechanisms with certificates."""

from __future__ import annotations

import argparse

from rropt.cli.options import WORDS, add_kinds

KINDS = WORDS["design"]


def add(design: argparse.ArgumentParser) -> None:
    """Add the subcommands, one for each kind of design."""
    add_kinds(design, "KIND", {"": KINDS}, "design_")
