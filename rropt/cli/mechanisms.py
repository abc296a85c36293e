"""``rropt mechanisms``: the named designs, with their parameters."""

from __future__ import annotations

import argparse

from rropt.cli.options import declare
from rropt.cli.output import print_json, print_table

_OPTIONS = """
--json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(parser, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Print every named design: how it is written, what the device does, its exact epsilon."""
    from rropt.mechanisms import DESIGNS

    if args.json:
        print_json(
            {
                "mechanisms": [
                    {
                        "name": design.name,
                        "title": design.title,
                        "parameters": [
                            {"symbol": p.symbol, "meaning": p.meaning, "domain": p.domain.format(p.symbol)}
                            for p in design.parameters
                        ],
                        "device": design.device,
                        "epsilon": design.epsilon,
                        "source": design.source,
                        "example": f"{design.name}:{design.example}",
                        "example_epsilon": str(design(*design.example.split(",")).epsilon()),
                    }
                    for design in DESIGNS.values()
                ]
            }
        )
        return 0
    rows = [
        (
            f"{design.name}:{','.join(p.symbol for p in design.parameters)}",
            f"{design.title}\n{design.device}\n" + "\n".join(str(p) for p in design.parameters),
            f"{design.epsilon}\ne.g. {design.example}: {design(*design.example.split(',')).epsilon()}",
        )
        for design in DESIGNS.values()
    ]
    print_table(rows, title="Named designs", header=("design", "device and parameters", "exact epsilon"))
    return 0
