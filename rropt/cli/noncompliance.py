"""``rropt noncompliance``: what responses reveal when some respondents do not follow the device."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rropt.answers.response_counts import given_counts
from rropt.cli import options
from rropt.cli.arguments import (
    call_library,
    items,
    mechanism_of_part,
    names,
    whole_number,
    wholes,
)
from rropt.cli.command import Command, Option
from rropt.cli.installed_readers import read_file, table_reader
from rropt.cli.output import print_result
from rropt.cli.pending import InputFile, OutputFile, OutputFolder, put_plot
from rropt.core.errors import InvalidParameterError, shown

if TYPE_CHECKING:
    from rropt.answers.table_reports import TableReading
    from rropt.noncompliance.behaviour_models import Sample

COMMAND = Command(
    """\
Bound the prevalence when a proportion of the respondents (the non-compliers) does not
follow the device. The bounds are sharp, exact and certified. The command also finds the
largest proportion of non-compliers at which a conclusion still holds, and the smallest
one that reconciles the data with a known prevalence. --behaviour states what they do:

  adversarial   they may give any response          monotone    the same, but only people
  always-no     they always give response 0                     with the trait do it
  always-yes    they always give response 1         refusers    they follow the device, but
  random        each response, equally likely                   refuse a forced yes

Join several kinds by +; monotone:always-no restricts a kind to people with the trait. "No
distribution gives exactly these proportions" is usually sampling variation; "refuted" means
that no distribution gives proportions in the exact confidence set at the stated level.""",
    epilog="""\
examples: 831 yes among 2435 responses, a die that forced yes on 1 and no on 6
  rropt noncompliance --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6 --theta 0.05
  rropt noncompliance --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6 --theta 0..0.05 --conclusion "at least 20 %"
two devices in different samples of one population (stochastic lie detector), any proportion of non-compliers
  rropt noncompliance --sample mangat:1/6=60,340 --sample mangat:5/6=260,140 --behaviour monotone:always-no
the same from a file with a device for each respondent: estimates with standard errors of a complex survey
  rropt noncompliance people.csv --column answer --devices half --design lie-detector --clusters district
more than last year?
  rropt noncompliance --sample warner:3/4=500,300 --versus warner:3/4=560,240 --conclusion more --theta 0..0.02
exit status: 0, or 1 when the responses refute the model or the conclusion does not hold; 2 bad input""",
    arguments=(
        Option(
            "data",
            "DATA",
            help=(
                "file with one row for each respondent (see rropt estimate), instead of counts; or the name of a "
                "question that survey.toml declares (rropt survey)"
            ),
            nargs="*",
            type=InputFile,
        ),
        options.SURVEY,
        options.GLOB,
        *table_reader().reading(),
        Option("--column", "NAME", help="column of the responses", goes_with="DATA"),
        Option(
            "--devices",
            "COLUMN[=FILE]",
            help=(
                "column with the device of each respondent, for example mangat:1/6; or with a name that a JSON file "
                'defines: {"A": "mangat:1/6"}'
            ),
            type=InputFile,
            goes_with="DATA",
        ),
        Option(
            "--design",
            "NAME[:COLUMN[=DEVICE]]",
            help=(
                "two-sample design: estimate the prevalence and the proportion of non-compliers, with "
                "design-based standard errors; without this option, print sharp bounds. NAME is lie-detector, "
                "cheater-detection, extended-crosswise, or attention:COLUMN[=DEVICE], with the column of the responses "
                "to a question whose true answer is always no, and perhaps its device (default: that of --mechanism)"
            ),
            goes_with="DATA",
        ),
        Option(
            "--categories",
            "A,B,..",
            help="responses as they are written in DATA, for example no,yes (default: 0,1)",
            type=names,
            repeated=True,
            goes_with="DATA",
        ),
        replace(options.WEIGHTS, goes_with="--design"),
        replace(options.STRATA, goes_with="--design"),
        replace(options.CLUSTERS, goes_with="--design"),
        options.MECHANISM,
        replace(options.TRANSPOSED, goes_with="--mechanism, --sample or --design"),
        *options.COUNTED,
        Option(
            "--sample",
            "MECHANISM=C0,..,Cm",
            help="sample of the population with its own device; may be repeated",
            type=InputFile,
            repeated=True,
        ),
        Option(
            "--versus",
            "MECHANISM=C0,..,Cm",
            help="sample of a second population: print bounds of the difference; may be repeated",
            type=InputFile,
            repeated=True,
        ),
        Option(
            "--theta",
            "T|0..T",
            help="proportion of non-compliers: exactly T, or at most T where 0..T is given (default: unknown)",
        ),
        Option("--behaviour", "NAME", help="behaviour of the non-compliers", default="adversarial"),
        Option(
            "--contrast",
            "C1,..,CK",
            help="print bounds of this linear combination of the proportions of the categories",
            type=items,
        ),
        Option("--confidence", "C", help="confidence level of bounds with sampling error", default="0.95"),
        Option(
            "--conclusion", "TEXT", help='a conclusion such as "at least 30 %"; for two populations "more" or "less"'
        ),
        Option("--truth", "V", help="a known value: print the smallest proportion of non-compliers that explains it"),
        Option(
            "--sizes",
            "N1,N2,..",
            help="also print the result for other numbers of respondents with the same proportions",
            type=wholes(1),
            goes_with="--conclusion",
        ),
        Option("--certificate", "DIR", help="write all certificates to DIR", type=OutputFolder),
        Option(
            "--plot",
            "FILE",
            help="write a picture of the bounds against the proportion of non-compliers",
            type=OutputFile,
        ),
        options.EXACT,
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Print the bounds and the other requested results."""
    from rropt.noncompliance.behaviour_models import behaviours
    from rropt.noncompliance.reported_bounds import noncompliance_bounds
    from rropt.plots.data.noncompliance_pictures import noncompliance_picture

    read_file(args)
    if args.design is not None:
        args.design, _, args.attention = args.design.partition(":")
        found, how = table_reader().two_samples(args)
        print_result(args, found, reading=how)
        return 0
    behaviours(args.behaviour)  # an unknown word is an error before the data are read and reported on
    (samples, reading), versus = _samples(args), [_sample(args, text) for text in args.versus] or None
    found = call_library(noncompliance_bounds, args, samples=samples, versus=versus)
    if args.certificate is not None:
        with args.pending.left_out_on_failure(args.certificate):
            for name, certificate in found.certificates.items():
                file = Path(args.certificate) / f"{name.replace(' ', '-').replace('_', '-')}.json"
                args.pending.put_certificate(str(file), certificate)
    groups = {"model": args.behaviour, "contrast": args.contrast, "versus": versus}
    put_plot(args, lambda: call_library(noncompliance_picture, args, samples=samples, **groups), size="paper")
    title = " versus ".join(", ".join(map(str, each)) for each in (samples, versus) if each)
    print_result(args, found, title=title, reading=reading)
    return 1 if found.refuted or found.overturned else 0


def _samples(args: argparse.Namespace) -> tuple[list[Sample], TableReading | None]:
    """Return the samples of the first population, and how the table was read that they come from.

    Raises:
        InvalidParameterError: there are no responses, or they are given twice.
    """
    from rropt.noncompliance.behaviour_models import Sample

    given = [_sample(args, text) for text in args.sample]
    if args.data is not None:
        return table_reader().samples_of_devices(args)
    counted = {name: getattr(args, name) for name in ("counts", "yes", "n")}
    if given and args.mechanism is None and not any(counted.values()):
        return given, None
    if args.mechanism is None:
        raise InvalidParameterError(
            "the responses are missing: give --mechanism M with --yes Y and --n N or with --counts, or a --sample with "
            "its mechanism for each device"
        )
    return [*given, Sample.of(args.mechanism, given_counts(args.mechanism, responses=None, **counted))], None


def _sample(args: argparse.Namespace, text: str) -> Sample:
    from rropt.noncompliance.behaviour_models import Sample

    mechanism, mark, counts = text.rpartition("=")
    if not mark or not mechanism:
        raise InvalidParameterError(
            f"a sample is not understood: received {shown(text)}; allowed is MECHANISM=C0,..,Cm, for example "
            "warner:3/4=120,80"
        )
    return Sample.of(
        mechanism_of_part(args, mechanism), [whole_number(count, "a count", 0) for count in counts.split(",")]
    )
