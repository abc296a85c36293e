"""Finite populations in ``rropt estimate``: samples without replacement, and all who there are."""

from __future__ import annotations

import argparse
from typing import Any

from rropt.cli.arguments import read_mechanism, whole_number
from rropt.cli.output import note, print_result, print_text
from rropt.errors import InfeasibleError


def estimate_population(args: argparse.Namespace, counts: list[int]) -> int:
    """Print the estimate of the share with the trait in a finite population, with its variance in two parts."""
    from rropt.estimation import estimate_finite

    mechanism, size = read_mechanism(args.mechanism), whole_number(args.population, "--population", 1)
    found = estimate_finite(mechanism, counts, size, dealt=args.dealt)
    normal: dict[str, Any] | None = None
    try:
        normal = {"decimals": list(found.interval(args.confidence)), "confidence": args.confidence}
    except InfeasibleError as error:
        note(f"remark: no interval: {error}")
    print_result(found, title="Estimate in a finite population", json=args.json, intervals={"normal": normal})
    if normal is not None and not args.json:
        low, high = normal["decimals"]
        print_text(f"normal interval {low:.7g} to {high:.7g} (approximate)")
    return 0
