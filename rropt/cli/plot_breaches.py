"""``rropt plot breaches``: breach regions of criteria and mechanisms, and Figures 1 to 4 of Chai and Nayak (2018)."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rropt.cli import options
from rropt.cli.arguments import call_library, items, mechanism
from rropt.cli.command import Command, Option
from rropt.core.errors import InvalidParameterError, shown

if TYPE_CHECKING:
    from rropt.privacy.criteria import Criterion

BREACHES = Command(
    """\
Breach regions in the square of prior and posterior probabilities: the pairs that a
criterion forbids, those that a mechanism never leads to, and the upper limits h_gamma of
bounds on all Bayes factors. Criteria and mechanisms can be given several times, four in
all. `rropt plot paper chai2018 N` draws the figures of Chai and Nayak (2018).""",
    epilog="""\
examples:
  rropt plot breaches --level posterior:1/5,1/2 --mechanism warner:3/4 --output judged.png
  rropt plot breaches --level "curve:min(1, 3*p);p^2" --output parts.pdf
  rropt plot breaches --gamma 2,5,20 --output bounds.png""",
    arguments=(
        Option(
            "--level",
            "CRITERION",
            help=(
                "a criterion: posterior:R1,R2 (rho1-to-rho2 privacy), factor:B (beta-factor privacy), curve:UPPER or "
                "curve:UPPER;LOWER (the largest and the smallest posterior probability that is allowed at prior p)"
            ),
            repeated=True,
        ),
        Option("--epsilon", "E", help="epsilon-DLP: every Bayes factor is at most exp(E)", repeated=True),
        Option("--mechanism", "MECHANISM", help="a file or a named design", type=mechanism, repeated=True),
        options.TRANSPOSED_MECHANISM,
        Option(
            "--gamma",
            "G,...",
            help="bounds of all Bayes factors, > 1: draw their upper limits",
            type=items,
            dest="gammas",
        ),
        *options.PICTURE,
    ),
)


def breaches(args: argparse.Namespace, data: Any) -> Any:
    """Breach regions of criteria and mechanisms."""
    from rropt.privacy.criteria import differential_local_privacy

    criteria = [_criterion(text) for text in args.level] + [differential_local_privacy(e) for e in args.epsilon]
    if not (criteria or args.mechanism or args.gammas):
        raise InvalidParameterError(
            "there is nothing to draw: received no region; allowed are --level CRITERION, --epsilon E, "
            "--mechanism MECHANISM and --gamma G,..."
        )
    return call_library(data.breach_picture, args, criteria=criteria, mechanisms=args.mechanism)


def _criterion(text: str) -> Criterion:
    """Return the criterion of a level; reject a level without one."""
    from rropt.privacy import level_of_text

    criterion = level_of_text(text).criterion
    if criterion is None:
        raise InvalidParameterError(
            f"--level states no criterion: received {shown(text)}; allowed are posterior:R1,R2, factor:B and "
            "curve:UPPER, and --epsilon E for epsilon-DLP"
        )
    return criterion
