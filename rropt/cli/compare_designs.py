"""``rropt compare-designs``: the designs of the literature at one budget, in one table and one picture.

Compare the classical designs at one privacy budget: Warner, the unrelated question
(Simmons), forced response, crosswise, Kuk, Mangat, Christofides, improved Christofides (a
deck sampled without replacement), the certified optimum, and Laplace noise on the count
by a curator. Each design gets rational parameters that keep the budget exactly.

The table shows epsilon under four threat models: one response, all responses with names,
their sum, and all responses seen by an adversary who believes that each other respondent
has the trait with probability Q. n Var is exact. The efficiency is n Var of the optimum
divided by n Var of the design. The last line is a lower bound for every unbiased
estimator from independent responses that keep epsilon.

To ask which of two mechanisms is better for every purpose, use `rropt compare`.

examples: per respondent; the health insurance of a whole country; respondents for a
standard error; a picture for epsilon from 1/10 to 3
  rropt compare-designs --gamma 9 --prevalence 1/10
  rropt compare-designs --epsilon 1/20 --prevalence 0.0778 --respondents 3252599 --surveyed
  rropt compare-designs --epsilon 1 --prevalence 1/10 --respondents 500 --population 9000 --standard-error 0.02
  rropt compare-designs --epsilon 1 --prevalence 1/10 --surveyed --respondents 99 --plot all.svg --epsilon-range 1/10..3
"""

from __future__ import annotations

import argparse

from rropt.cli.arguments import call_library
from rropt.cli.output import print_result
from rropt.cli.pending import put_certificates, put_plot

OPTIONS = """
LEVEL required
--delta
--prevalence required
--respondents N:1..       number of respondents; a dealt deck has one card for each
--population N:1..        size of the population that is sampled without replacement
| --surveyed              the survey is a census
--belief Q                probability of the trait that a collector assumes for each other respondent (default: PI)
--other B = 1/2           probability of yes to the unrelated question
--middle M = 1/100        proportion of cards 2 in Christofides' deck
--direct                  include a direct question
--draws R:1..20 = 1       number of cards that each respondent draws in Kuk's design
--variance V              print the number of respondents for this variance
| --standard-error S      print the number of respondents for this standard error
| --margin H              print the number of respondents for this half-width of the normal interval
--confidence C            confidence level of that interval (default: 0.95)
--certificate >FILE       write the certificate of the optimum to FILE
--plot >FILE              write a picture of n Var against epsilon: FILE.png, FILE.svg or FILE.pdf
--epsilon-range LOW..HIGH with --plot  range of epsilon in the picture (default: 1/10..3)
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Compare the designs, print the comparison, and write the picture and certificates."""
    from rropt.plots.data.comparisons import comparison_picture
    from rropt.survey import compare_designs

    put_plot(args, lambda: call_library(comparison_picture, args), size="wide")
    found = call_library(compare_designs, args)
    put_certificates(args, found)
    print_result(args, found)
    return 0
