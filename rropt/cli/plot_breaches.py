"""``rropt plot breaches``: breach regions of criteria and mechanisms, and Figures 1 to 4 of Chai and Nayak (2018)."""

from __future__ import annotations

import argparse
from typing import Any

from rropt.cli.arguments import call_library
from rropt.core.errors import InvalidParameterError


def breaches(args: argparse.Namespace, data: Any) -> Any:
    """Breach regions of criteria and mechanisms.

    Breach regions in the square of prior and posterior probabilities: the pairs that a
    criterion forbids, those that a mechanism never leads to, and the upper limits h_gamma of
    bounds on all Bayes factors. Criteria and mechanisms can be given several times, four in
    all. Or a figure of Chai and Nayak (2018), which prints no parameters: they are ours.

    examples:
      rropt plot breaches --figure 1 --output figure1.svg
      rropt plot breaches --rho 1/5 1/2 --mechanism warner:3/4 --output judged.png
      rropt plot breaches --upper "min(1, 3*p)" --lower "p^2" --canonical --output parts.pdf
      rropt plot breaches --gamma 2,5,20 --output bounds.png

    arguments:
    --figure N: redraw Figure 1, 2, 3 or 4 of Chai and Nayak (2018)
    --rho R1 R2 (repeated): rho1-to-rho2 privacy
    --beta B (repeated): beta-factor privacy
    --epsilon E (repeated): epsilon-DLP: every Bayes factor is at most exp(E)
    --upper EXPR: the largest posterior probability that is allowed at prior p
    --lower EXPR: the smallest posterior probability that is allowed, with --upper
    --mechanism MECHANISM (repeated): a file or a named design
    --canonical: mark the pairs that the canonical form of a criterion adds
    --gamma G,... (as gammas): bounds of all Bayes factors, > 1: draw their upper limits
    picture options
    """
    from rropt.privacy.criteria import differential_local_privacy
    from rropt.privacy.level_arguments import given_criterion

    asked: list[dict[str, Any]] = [*({"rho": pair} for pair in args.rho), *({"beta": b} for b in args.beta)]
    criteria = [given_criterion(**one) for one in asked] + [differential_local_privacy(e) for e in args.epsilon]
    bounds = given_criterion(upper=args.upper, lower=args.lower)
    criteria += [] if bounds is None else [bounds]
    if args.figure is None:
        if not (criteria or args.mechanism or args.gammas):
            raise InvalidParameterError(
                "there is nothing to draw: received no region; allowed are --figure N, --rho R1 R2, --beta B, "
                "--epsilon E, --upper EXPR [--lower EXPR], --mechanism MECHANISM and --gamma G,..."
            )
        return call_library(data.breach_picture, args, criteria=criteria, mechanisms=args.mechanism)
    if criteria or args.mechanism or args.gammas or args.canonical:
        raise InvalidParameterError("--figure N stands alone: leave the other regions out, or leave out --figure")
    return data.published_figure(args.figure)
