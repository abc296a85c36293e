"""``rropt compare-designs``: the designs of the literature at one budget, in one table and one picture.

Warner, the unrelated question (Simmons), forced response, crosswise, Kuk, Mangat,
Christofides, his deck dealt without replacement (improved Christofides), the certified
optimum, and Laplace's noise on the count by a curator: each tuned to one privacy budget,
with rational parameters that keep it exactly. Who sees what decides what a budget is
worth: epsilon of one answer alone, of all answers with names, of their sum, and of all
answers to one who believes that each of the others has the trait with chance Q.
n Var is exact; the efficiency is n Var of the optimum over it. The last line is below
every unbiased estimator from independent answers that keep epsilon.
To ask which of some given mechanisms is better for every purpose: `rropt compare`.

examples: per respondent; the health insurance of a whole country; respondents for a
standard error; a picture for epsilon from 1/10 to 3
  rropt compare-designs --gamma 9 --prevalence 1/10
  rropt compare-designs --epsilon 1/20 --prevalence 0.0778 --respondents 3252599 --surveyed
  rropt compare-designs --epsilon 1 --prevalence 1/10 --respondents 500 --population 9000 --standard-error 0.02
  rropt compare-designs --epsilon 1 --prevalence 1/10 --surveyed --respondents 99 --plot all.svg --epsilon-range 1/10..3
"""

from __future__ import annotations

import argparse

from rropt.cli.arguments import call
from rropt.cli.output import print_result
from rropt.cli.pending import put_certificates, put_plot

OPTIONS = """
LEVEL required
--delta
--prevalence required
--respondents N:1..       how many are asked: a dealt deck has a card for each
--population N:1..        of whom they are a sample without replacement
| --surveyed              all of the population are asked
--belief Q                what a collector believes of the others (default: PI)
--other B = 1/2           yes-share of the other question
--middle M = 1/100        share of Christofides' cards 2
--direct                  a direct question beside the designs
--draws R:1..20 = 1       cards that Kuk's respondents draw
--variance V              count the respondents that this variance needs
| --standard-error S      its square root
| --margin H              half the width of the normal interval
--confidence C            of that interval (default: 0.95)
--certificate >FILE       write the optimum's certificate
--plot >FILE              n Var against epsilon: FILE.png, FILE.svg or FILE.pdf
--epsilon-range LOW..HIGH with --plot  of the picture (default: 1/10..3)
--style color|grey = color  of the picture
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Compare, print, draw."""
    from rropt.plots.data.comparisons import comparison_picture
    from rropt.survey import compare_designs

    put_plot(args, lambda: call(comparison_picture, args), size="wide")
    found = call(compare_designs, args)
    put_certificates(args, found)
    print_result(args, found)
    return 0
