"""``rropt plot`` of surveys: a mechanism, an estimate, margin or power against n, respondents against epsilon."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Literal

from rropt.cli.arguments import items_of, range_of, read_counts, read_mechanism, whole_number

if TYPE_CHECKING:
    from rropt.plots.data.groups import GroupsPicture
    from rropt.plots.data.surveys import EstimatePicture, HeatPicture, PrecisionPicture, RespondentsPicture

ESTIMATE = """
--mechanism required
--yes
--n
--counts
--confidence
"""

GROUPS = """
files FILE                what `rropt estimate FILE --by ... --json` printed
--share NAME              which share (default: the first)
"""

MARGIN = """
mechanisms MECHANISM...
--prevalence required
--n-range LOW..HIGH = 100..10000    numbers of answers
--goal X                  a value that is wanted, drawn as a line
"""

POWER = f"""{MARGIN}
--null P0 = 0             the prevalence that is tested
"""

CLASSICAL = """
--unrelated PIB,... = 1/10,1/4,3/4  prevalences of unrelated questions
--forced Y:N,... = 1:2    ratios of forced yes to forced no
"""

RESPONDENTS = f"""
--margin M required       on the scale of the prevalence, in (0, 1)
--prevalence PI required  guess of the prevalence, in (0, 1)
--delta D = 0             slack in [0, 1]
--epsilon-range LOW..HIGH = 1/2..4  of epsilon
{CLASSICAL.strip()}
"""


def heat_map(args: argparse.Namespace) -> HeatPicture:
    """A mechanism, its entries as shades.

    The entries of a mechanism as shades.

    example:
      rropt plot heat-map "grr:5,3/7" --output map.svg
    """
    from rropt.plots.data.surveys import heat_picture

    return heat_picture(read_mechanism(args.mechanism))


def estimated(args: argparse.Namespace) -> EstimatePicture:
    """An estimate with its intervals.

    Estimated shares with all their intervals.

    example:
      rropt plot estimate --mechanism forced:2/3,1/6,1/6 --yes 831 --n 2435 --output estimate.svg
    """
    from rropt.estimation import estimate
    from rropt.plots.data.surveys import estimate_picture

    mechanism = read_mechanism(args.mechanism)
    found = estimate(mechanism, read_counts(args, mechanism))
    return estimate_picture(found, confidence=args.confidence)


def groups(args: argparse.Namespace) -> GroupsPicture:
    """A share in each group.

    One share in each group, with its intervals.

    example:
      rropt plot groups groups.json --output groups.svg
    """
    from rropt.files import read_text
    from rropt.plots.data.groups import groups_picture
    from rropt.responses import GroupEstimates

    return groups_picture(GroupEstimates.from_json(read_text(args.files, what="the estimates")), args.share)


def margin(args: argparse.Namespace) -> PrecisionPicture:
    """Margin against answers.

    The margin against the number of answers, a curve for each design: with the
    normal interval, at 0.95.

    example:
      rropt plot margin warner:3/4 forced:2/3,1/6,1/6 --prevalence 10% --goal 0.05 --output margin.svg
    """
    return _precision(args, "margin")


def power(args: argparse.Namespace) -> PrecisionPicture:
    """Power against answers.

    The power against the number of answers, a curve for each design: with the
    normal one-sided test, at 0.95.

    example:
      rropt plot power warner:3/4 forced:2/3,1/6,1/6 --prevalence 10% --goal 0.8 --output power.svg
    """
    return _precision(args, "power", null=args.null)


def _precision(args: argparse.Namespace, quantity: Literal["margin", "power"], **options: Any) -> PrecisionPicture:
    from rropt.plots.data.surveys import precision_picture

    low, high = (whole_number(end, "--n-range", 1) for end in range_of(args.n_range, "--n-range"))
    mechanisms = [read_mechanism(text) for text in args.mechanisms]
    options |= {"prevalence": args.prevalence, "goal": args.goal}
    return precision_picture(mechanisms, quantity, numbers=(low, high), **options)


def respondents(args: argparse.Namespace) -> RespondentsPicture:
    """Respondents needed against epsilon.

    Respondents needed for a margin (half the width of the normal interval, at 0.95) against
    epsilon: the certified optimum, the classical designs, each with its most informative
    private parameter, and a question that is asked openly.

    example:
      rropt plot respondents --margin 0.05 --prevalence 10% --output respondents.svg
    """
    from rropt.plots.data.surveys import respondents_picture

    return respondents_picture(
        margin=args.margin,
        prevalence=args.prevalence,
        delta=args.delta,
        epsilon=range_of(args.epsilon_range, "--epsilon-range"),
        unrelated=items_of(args.unrelated),
        forced=items_of(args.forced),
    )
