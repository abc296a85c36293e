"""``rropt sheet``: instructions for a randomizing device: respondent, interviewer, ethics committee, web.

Write what the respondent reads, what the interviewer says, and a page for the ethics
committee: protection, repeated interviews, rules that are not followed, consent, signatures.
The randomizing device has exactly the probabilities of MECHANISM: a coin, dice, numbered
cards, packs or boxes. --randomizer birthday is an approximation, and the sheet states this.
If no device has the probabilities, use --form web: the browser then draws exactly.

examples:
  rropt sheet forced:2/3,1/6,1/6 --question "Have you taken drugs?" --output sheet.html
  rropt sheet crosswise:1/4 --question "Haben Sie ...?" --language de --output blatt.html
  rropt sheet grr:5,3/7 --question "How often?" --answers 0,1,2,3,4+ --form web --output q.html
"""

from __future__ import annotations

import argparse
import sys

from rropt.cli.arguments import call_library
from rropt.cli.output import print_result

OPTIONS = """
mechanism ~MECHANISM      a named design, which also determines the device, or a file
--question TEXT required  the sensitive question
--language LANGUAGE = en  language of the sheet: en or de
--page a4|letter = a4     size of the paper
--form print|html|web = print  print: pages to print; html: a plain HTML fragment for a web questionnaire; web: a page
    that draws in the browser
--randomizer auto|coin|die|dice|cards|birthday = auto  randomizing device (auto: the simplest device that is exact)
--answers A,B,..          the true answers in the order of the mechanism (default: its own names, no,yes, or numbers)
--study TEXT              name of the study, for the ethics page
--responsible TEXT        person who is responsible for the study
--date TEXT               date on the ethics page
--n N:1..1000000000       number of respondents, for the precision on the ethics page
--prevalence PI           assumed proportion of the last answer (yes), in [0, 1]
--output >FILE.html       write the page to FILE (default: standard output)
--json
"""


def run(args: argparse.Namespace) -> int:
    """Write the instruction sheet."""
    from rropt.reports.instruction_sheet import sheet

    found = call_library(sheet, args)
    if args.output is not None:
        args.pending.put(args.output, found.page, "page")
    if args.json or args.output is not None:
        print_result(args, found, title="Instruction sheet")
    else:
        sys.stdout.write(found.page)
    return 0
