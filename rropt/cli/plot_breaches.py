"""``rropt plot breaches``: breach regions of criteria and mechanisms, and Figures 1 to 4 of Chai and Nayak (2018)."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import read_mechanism, whole_number
from rropt.errors import InvalidParameterError
from rropt.exact.written import listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rropt.plots.data.breaches import BreachPicture
    from rropt.plots.styles import Style
    from rropt.privacy.criteria import Criterion

_DESCRIPTION = """\
Breach regions in the square of prior and posterior probabilities: the pairs that a
criterion forbids, those that a mechanism never leads to, and the upper limits h_gamma of
bounds on all Bayes factors. Criteria and mechanisms can be given several times, four in
all. Or a figure of Chai and Nayak (2018), which prints no parameters: they are ours."""

_EPILOG = """\
examples:
  rropt plot breaches --figure 1 --output figure1.svg
  rropt plot breaches --rho 1/5 1/2 --mechanism warner:3/4 --output judged.png
  rropt plot breaches --upper "min(1, 3*p)" --lower "p^2" --canonical --output parts.pdf
  rropt plot breaches --gammas 2,5,20 --output bounds.png"""

_FIGURES = 4


def add_breaches(kinds: Any) -> argparse.ArgumentParser:
    """Add the kind of picture to the kinds of ``rropt plot`` and return its parser."""
    breaches: argparse.ArgumentParser = kinds.add_parser(
        "breaches", help="breach regions of criteria and mechanisms", description=_DESCRIPTION, epilog=_EPILOG
    )
    breaches.add_argument("--figure", metavar="N", help="redraw Figure 1, 2, 3 or 4 of Chai and Nayak (2018)")
    breaches.add_argument(
        "--rho", dest="rhos", nargs=2, metavar=("R1", "R2"), action="append", default=[], help="rho1-to-rho2 privacy"
    )
    breaches.add_argument("--beta", dest="betas", metavar="B", action="append", default=[], help="beta-factor privacy")
    breaches.add_argument(
        "--epsilon",
        dest="epsilons",
        metavar="E",
        action="append",
        default=[],
        help="epsilon-DLP: every Bayes factor at most exp(E)",
    )
    breaches.add_argument("--upper", metavar="EXPR", help="the largest posterior allowed at prior p")
    breaches.add_argument("--lower", metavar="EXPR", help="the least posterior allowed, beside --upper")
    breaches.add_argument(
        "--mechanism",
        dest="mechanisms",
        metavar="MECHANISM",
        action="append",
        default=[],
        help="a file or a named design",
    )
    breaches.add_argument("--canonical", action="store_true", help="mark what the canonical form of a criterion adds")
    breaches.add_argument("--gammas", metavar="G,...", help="bounds on all Bayes factors, > 1: draw their upper limits")
    return breaches


def breaches_data(args: argparse.Namespace) -> tuple[BreachPicture, Callable[[Any, Style], Figure]]:
    """Return the picture that the arguments ask for, and what draws it."""
    from rropt.plots.data.breaches import breach_picture, published_figure
    from rropt.plots.figures.breaches import draw_breaches

    criteria = _criteria(args)
    mechanisms = [read_mechanism(text) for text in args.mechanisms]
    gammas = [] if args.gammas is None else listed(args.gammas)
    if args.figure is None:
        if not (criteria or mechanisms or gammas):
            raise InvalidParameterError(
                "there is nothing to draw: received no region; allowed are --figure N, --rho R1 R2, --beta B, "
                "--epsilon E, --upper EXPR [--lower EXPR], --mechanism MECHANISM and --gammas G,..."
            )
        return breach_picture(criteria, mechanisms=mechanisms, canonical=args.canonical, gammas=gammas), draw_breaches
    if criteria or mechanisms or gammas or args.canonical:
        raise InvalidParameterError("--figure N stands alone: leave the other regions out, or leave out --figure")
    return published_figure(whole_number(args.figure, "--figure", 1, _FIGURES)), draw_breaches


def _criteria(args: argparse.Namespace) -> list[Criterion]:
    from rropt.privacy.criteria import (
        beta_factor,
        canonical_information_privacy,
        differential_local_privacy,
        information_privacy,
        rho_to_rho,
    )

    if args.lower is not None and args.upper is None:
        raise InvalidParameterError("--lower EXPR goes with --upper EXPR: give both, with --upper 1 for no limit above")
    found = [rho_to_rho(*pair) for pair in args.rhos]
    found += [beta_factor(b) for b in args.betas]
    found += [differential_local_privacy(e) for e in args.epsilons]
    if args.upper is not None:
        if args.lower is None:
            found.append(canonical_information_privacy(args.upper))
        else:
            found.append(information_privacy(lower=args.lower, upper=args.upper))
    return found
